# SPDX-License-Identifier: GPL-3.0-or-later
# $rows: 0, set, number of the line in the set, first and last word of it.  Set before: source.
set label 1001 heading('The lines of an array by their sets')
set label 1002 below_it(source)
stats '$rows' using 2 nooutput name 'SET'
stats '$rows' using 3 nooutput name 'LINE'
stats '$rows' using 4 nooutput name 'WORD'
small = SET_max < 8
# Few sets: a table of words, the first lines and the last one.  Many: the set of each line as a colour.
heads = 9
last = LINE_max
row(n) = n < heads ? n : n == last ? heads + 1 : NaN
unset grid
unset key
if (small) {
	set xrange [-0.6:SET_max + 0.6]
	set yrange [heads + 1.7:-0.7]
	set border 0
	unset ytics
	unset xtics
	do for [s = 0:SET_max] {
		set label 100 + s sprintf('set %d', s + 1) at s, graph 1 center offset 0,0.4 textcolor rgb '#000000'
		set arrow 100 + s from s - 0.5, graph 0 to s - 0.5, graph 1 nohead linewidth 0.5 linecolor rgb '#C8C8C8'
	}
	set arrow 99 from graph 0, first -0.6 to graph 1, first -0.6 nohead linewidth 1 linecolor rgb dark
	if (last > heads) { set label 98 sprintf('... %d lines a set', last + 1) at graph 0.5, first heads center textcolor rgb '#606060' }
	plot '$rows' using 2:(row($3)):(sprintf('%d-%d', $4, $5)) with labels textcolor rgb dark
} else {
	words = 64
	rows = 1 + int(WORD_records - 1) / words
	set palette defined (0 blue, 1 sky, 2 green, 3 orange, 4 red)
	set cblabel 'set' textcolor rgb dark
	set cbrange [0:SET_max]
	set xlabel 'line, of '.words.' in a row' textcolor rgb dark
	set ylabel 'row of lines' textcolor rgb dark
	set yrange [rows - 0.5:-0.5]
	set ytics 1 + rows / 12
	set xrange [-0.5:words - 0.5]
	set tics out
	set style fill solid 1.0 noborder
	plot '$rows' using (int($0) % words):(int($0) / words):(0.5):(0.5):2 with boxxyerror linecolor palette
}
