# SPDX-License-Identifier: GPL-3.0-or-later
# $L1 and $L2: measured, predicted, least and most predicted hit rate in percent.  Set before: count_L1,
# count_L2, mean_L1, mean_L2, source.
set label 1001 heading('Hit rates of loads against hardware')
set label 1002 below_it(source.sprintf(', %d launches', count_L1 + count_L2))

set xrange [0:100]
set yrange [0:100]
set xlabel 'measured (%)' textcolor rgb dark
set ylabel 'predicted (%), with its band' textcolor rgb dark
set format x '%g'
set format y '%g'
set key outside right top vertical Left reverse width -1
@narrow_key
set arrow 1 from 0, 0 to 100, 100 nohead linewidth 1 dashtype 2 linecolor rgb '#606060' back
says(l, n, m) = sprintf('%s: %d, off by %.1f points', l, n, m)
plot '$L1' using 1:2:3:4 with yerrorbars pointtype 7 pointsize 0.6 linecolor rgb blue title says('L1', count_L1, mean_L1), \
     '$L2' using 1:2:3:4 with yerrorbars pointtype 5 pointsize 0.6 linecolor rgb orange title says('L2', count_L2, mean_L2)
