# SPDX-License-Identifier: GPL-3.0-or-later
# $rows: 0, stride in bytes, turns, latency in thousandths.  Set before: source.
set label 1001 heading('Conflicts of banks of shared memory')
set label 1002 below_it(source)
stats '$rows' using 2 nooutput name 'STRIDE'
stats '$rows' using 3 nooutput name 'TURNS'
set xlabel 'stride of the threads (bytes)' textcolor rgb dark
set ylabel 'latency (cycles)' textcolor rgb dark
stats '$rows' using 4 nooutput name 'CYCLES'
set yrange [0:1.15 * CYCLES_max / 1000.0]
set xrange [-4:STRIDE_max + 4]
set xtics narrow ? 64 : 32
unset key
set style fill solid 1.0 noborder
set boxwidth 3
# The table: a latency for each number of turns.  A narrow figure has no room for it, nor for each number.
if (!narrow) {
	set label 200 'ways     cycles' at graph 0.03, graph 0.97 left font small_font textcolor rgb '#606060'
	line = 0
	ways = 1
	while (ways <= TURNS_max) {
		do for [i = 1:|$rows|] {
			if (word($rows[i], 3) + 0 == ways) { found = word($rows[i], 4) / 1000.0 }
		}
		line = line + 1
		set label 200 + line sprintf('%4d     %6d', ways, found) at graph 0.03, graph 0.97 left offset 0,-1.1 * line font small_font textcolor rgb dark
		ways = 2 * ways
	}
}
least = narrow ? TURNS_max / 4 : 2
plot '$rows' using 2:($4 / 1000.0) with boxes linecolor rgb blue, \
     '$rows' using ($3 >= least && $3 > 1 ? $2 : NaN):($4 / 1000.0):(sprintf('%d', $3)) with labels offset 0,0.6 font small_font textcolor rgb dark
