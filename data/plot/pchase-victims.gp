# SPDX-License-Identifier: GPL-3.0-or-later
# $rows: 0, way, share of a full set's victims in thousandths.  Set before: source.
set label 1001 heading('How often a full set loses each way')
set label 1002 below_it(source.', ways by order of filling')
stats '$rows' using 3 nooutput
set xlabel 'way' textcolor rgb dark
set ylabel 'share of the victims' textcolor rgb dark
set yrange [0:1.2 * STATS_max / 1000.0]
set xrange [-0.7:STATS_records - 0.3]
set xtics scale 0 1
unset key
set style fill solid 1.0 noborder
set boxwidth 0.7
plot '$rows' using 2:($3 / 1000.0) with boxes linecolor rgb blue, \
     '$rows' using 2:($3 / 1000.0):(sprintf('%.3f', $3 / 1000.0)) with labels offset 0,0.6 font small_font textcolor rgb dark
