# SPDX-License-Identifier: GPL-3.0-or-later
# $rows: group, median latency, 5th and 95th percentile in thousandths; group0, ...: P1, L2, ...  Set before: groups, source.
set label 1001 heading('Latency by where a load hits')
set label 1002 below_it(source)
stats '$rows' using 2 nooutput
set ylabel 'latency (cycles)' textcolor rgb dark
set yrange [0:1.15 * STATS_max / 1000.0]
set xrange [-0.6:groups - 0.4]
set xtics scale 0 ()
do for [g = 0:groups - 1] { set xtics add (value(sprintf('group%d', g)) g) }
unset key
set style fill solid 1.0 noborder
set boxwidth 0.6
plot '$rows' using 1:($2 / 1000.0) with boxes linecolor rgb blue, \
     '$rows' using 1:($2 / 1000.0):($3 / 1000.0):($4 / 1000.0) with yerrorbars pointtype 0 linewidth 1.4 linecolor rgb '#000000', \
     '$rows' using 1:($2 / 1000.0):(sprintf('%d', $2 / 1000)) with labels offset 0,0.7 font small_font textcolor rgb dark, \
     '$rows' using (strcol(2) eq 'NaN' ? $1 : NaN):(0):(narrow ? '–' : 'not seen') with labels offset 0,0.6 font small_font textcolor rgb '#606060'
