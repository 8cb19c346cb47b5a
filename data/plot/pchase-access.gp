# SPDX-License-Identifier: GPL-3.0-or-later
# $rows: 0, number of the load, latency in thousandths, pass.  Set before: source.
set label 1001 heading('Latency of each load, misses marked')
set label 1002 below_it(source)
stats '$rows' using 3 nooutput
edge = 1.5 * STATS_min
set xlabel 'load' textcolor rgb dark
set ylabel 'latency (cycles)' textcolor rgb dark
set yrange [0:1.1 * STATS_max / 1000.0]
set key at graph 0.5, graph 1.02 center bottom horizontal maxrows 1 samplen 1.6
@narrow_key
plot '$rows' using 2:($3 / 1000.0) with lines linewidth 0.6 linecolor rgb '#C8C8C8' notitle, \
     '$rows' using ($3 <= edge ? $2 : NaN):($3 / 1000.0) with points pointtype 7 pointsize 0.35 linecolor rgb blue title 'hit', \
     '$rows' using ($3 > edge ? $2 : NaN):($3 / 1000.0) with points pointtype 2 pointsize 0.7 linecolor rgb red title 'miss'
