# SPDX-License-Identifier: GPL-3.0-or-later
# $rows: group, array in bytes, mean latency in thousandths; group0, ...: the stride.  Set before: groups, source.
set label 1001 heading('Mean latency against the size of the array')
set label 1002 below_it(source)
stats '$rows' using 2 nooutput
set logscale x 2
set xtics ()
step = 1 + int((log(STATS_max / STATS_min) / log(2) + 1) / sizes_fit)
do for [i = 2:40] {
	if (2.0**i >= STATS_min / 1.1 && 2.0**i <= STATS_max * 1.1) { set xtics add ((i % step ? '' : size_text(2.0**i)) 2.0**i) }
}
set xrange [STATS_min / 1.1:STATS_max * 1.1]
set xlabel 'array' textcolor rgb dark
set ylabel narrow ? 'cycles' : 'mean latency (cycles)' textcolor rgb dark
set yrange [0:*]
set key outside right top vertical Left reverse width -1 title 'stride' left
@narrow_key
set datafile missing NaN # the rows of a stride are no neighbours: lines go past the others
array colours[8] = [ red, orange, green, sky, blue, '#000000', '#808080', '#CC79A7' ]
shown = groups < 16 ? groups : 16
plot for [g = 0:shown - 1] '$rows' using ($1 == g ? $2 : NaN):($3 / 1000.0) smooth unique with linespoints linewidth 1.6 \
	pointtype 4 + g % 8 pointsize 0.7 dashtype 1 + g / 8 linecolor rgb colours[1 + g % 8] title size_text(value(sprintf('group%d', g)) + 0)
