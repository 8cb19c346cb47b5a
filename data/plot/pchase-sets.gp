# SPDX-License-Identifier: GPL-3.0-or-later
# $rows: 0, set, lines that it holds.  Set before: source.
set label 1001 heading('Lines that each set holds')
set label 1002 below_it(source)
stats '$rows' using 3 nooutput
set xlabel 'set' textcolor rgb dark
set ylabel 'lines' textcolor rgb dark
set yrange [0:1.15 * STATS_max]
set xrange [-0.7:STATS_records - 0.3]
set xtics scale 0
unset key
set style fill solid 1.0 noborder
set boxwidth 0.8
few = STATS_records <= (narrow ? 16 : 32)
set ytics 1 + int(STATS_max / 10)
plot '$rows' using 2:3 with boxes linecolor rgb blue, \
     '$rows' using (few ? $2 : NaN):3:(sprintf('%d', $3)) with labels offset 0,0.6 font small_font textcolor rgb dark
