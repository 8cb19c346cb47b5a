# SPDX-License-Identifier: GPL-3.0-or-later
# $rows: group, array in bytes, miss ratio and measured miss ratio in millionths, mean latency in thousandths; group0, ...:
# the policy.  Set before: groups, source.
set label 1001 heading('Miss ratio against the size of the array')
set label 1002 below_it(source)
stats '$rows' using 2 nooutput
if (STATS_max > 8 * STATS_min) {
	set logscale x 2
	set xtics ()
	step = 1 + int((log(STATS_max / STATS_min) / log(2) + 1) / sizes_fit)
do for [i = 2:40] {
		if (2.0**i >= STATS_min / 1.1 && 2.0**i <= STATS_max * 1.1) { set xtics add ((i % step ? '' : size_text(2.0**i)) 2.0**i) }
	}
	set xrange [STATS_min / 1.1:STATS_max * 1.1]
} else {
	set xtics ()
	step = 2.0**(ceil(log(STATS_max - STATS_min + 1) / log(2)) - 3)
	step = step < 256 ? 256 : step
	do for [i = 0:40] {
		tick = (floor(STATS_min / step) + i) * step
		if (tick >= STATS_min && tick <= STATS_max) { set xtics add (size_text(tick) tick) }
	}
}
set xlabel 'array' textcolor rgb dark
set ylabel 'miss ratio' textcolor rgb dark
set yrange [-0.02:1.05]
set format y '%g'
set key at graph 0.5, graph 1.02 center bottom horizontal noenhanced samplen 2
@narrow_key
array colours[8] = [ blue, orange, red, green, sky, '#000000', '#808080', '#CC79A7' ]
shown = groups < 8 ? groups : 8
# Points only where something was measured.
measured = 0
stats '$rows' using ($4 >= 0 ? (measured = measured + 1, 0) : 0) nooutput
plot for [g = 0:shown - 1] '$rows' using ($1 == g ? $2 : NaN):($3 / 1000000.0) with linespoints linewidth 1.8 \
	dashtype 1 + g pointtype 4 + 2 * g pointsize 0.5 linecolor rgb colours[1 + g] title value(sprintf('group%d', g)), \
     for [i = 1:(measured > 0)] '$rows' using ($1 == 0 ? $2 : NaN):($4 / 1000000.0) with points pointtype 2 pointsize 1.1 linewidth 1.4 linecolor rgb '#000000' title 'measured'
