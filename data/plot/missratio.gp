# SPDX-License-Identifier: GPL-3.0-or-later
# Curves of $ways1, $ways2, ... $ways0 (fully associative): size in bytes, misses, requests, least and most misses.
# Set before: size_min, size_max, own_size, own_ways, own_misses, own_floor, most_misses, requests, policy, basis.
set label 1001 heading('Predicted L1 miss ratio: '.kernel.', '.launch)
set label 1002 below_it(machine.sprintf(', %s, %s', policy, basis))

ratio(part, all) = all > 0 ? 1.0 * part / all : 0.0

set logscale x 2
set xrange [size_min / 1.15:size_max * 1.15]
set xtics ()
step = 1 + int((log(1.0 * size_max / size_min) / log(2) + 1) / sizes_fit)
tick = size_min
do for [i = 0:40] {
	if (tick <= size_max) { set xtics add ((i % step ? '' : size_text(tick)) tick) }
	tick = tick * 2
}
set xlabel 'cache size' textcolor rgb dark
set ylabel narrow ? 'miss ratio' : sprintf('miss ratio (of %d requests)', requests) textcolor rgb dark
set grid xtics ytics back linecolor rgb '#D8D8D8' linewidth 1
high = 1.08 * ratio(most_misses > own_misses ? most_misses : own_misses, requests)
set yrange [0:high > 1 || high == 0 ? 1 : high]
set format y '%g'
set key outside right top vertical Left reverse width -1 title 'ways' left
@narrow_key

set arrow 1 from graph 0, first ratio(own_floor, requests) to graph 1, first ratio(own_floor, requests) nohead linewidth 1 dashtype 3 linecolor rgb '#808080' back
if (!narrow) { set label 1 'cold and uncached: no size removes them' at graph 0.01, first ratio(own_floor, requests) left offset 0,(ratio(own_floor, requests) > 0.1 * high ? -0.6 : 0.5) font small_font textcolor rgb '#606060' }

array ways_of[6] = [ 1, 2, 4, 8, 16, 0 ]
array point_of[6] = [ 4, 8, 6, 12, 10, 7 ]
array colour_of[6] = [ red, orange, green, sky, blue, '#000000' ]
array dash_of[6] = [ 2, 4, 5, 3, 9, 1 ]
curve(i) = '$ways'.ways_of[i]
# What an approximate policy does not know is a band; behind them all.
set style fill transparent solid 0.13 noborder
plot for [i = 1:6] curve(i) using 1:(ratio($4, $3)):(ratio($5, $3)) with filledcurves linecolor rgb colour_of[i] notitle, \
     for [i = 1:6] curve(i) using 1:(ratio($2, $3)) with linespoints linewidth 1.8 dashtype dash_of[i] \
	pointtype point_of[i] pointsize 0.9 linecolor rgb colour_of[i] \
	title ways_of[i] ? sprintf('%d', ways_of[i]) : 'fully', \
     '+' using (own_size):(ratio(own_misses, requests)) every ::0::0 with points pointtype 3 pointsize 2.2 linewidth 2.2 \
	linecolor rgb '#000000' title sprintf('machine: %d', own_ways)
