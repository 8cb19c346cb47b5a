# SPDX-License-Identifier: GPL-3.0-or-later
# $budget: group, level (0: L1, 1: L2), policy, time, machine, noise, mean error, in hundredths of points,
# -1: none; group0, ... their names.  Set before: groups, source.
set label 1001 heading('Error against hardware, by its parts')
set label 1002 below_it(source.', means of scored launches')

wide = 0.38
place(g, l) = g + (l - 0.5) * (wide + 0.04)
points(v) = v < 0 ? 1/0 : v / 100.0
top(s, n, m) = (s > n ? (s > m ? s : m) : (n > m ? n : m)) / 100.0
set xrange [-0.6:groups - 0.4]
set yrange [0 < * < 0:*]
set offsets 0, 0, graph 0.06, 0
set xtics scale 0 noenhanced ()
longest = 0
do for [g = 0:groups - 1] {
	name = value(sprintf('group%d', g))
	name = strlen(name) > 36 ? name[1:35].'…' : name
	longest = strlen(name) > longest ? strlen(name) : longest
	set xtics add (name g)
}
if (width / (groups + 2.0) < 7.0 * longest) {
	set xtics rotate by -40
	set bmargin 1.5 + 0.36 * longest + (narrow ? 4 : 0)
	set rmargin 2 + 0.62 * longest
}
set ylabel 'mean magnitude (points)' textcolor rgb dark
set format y '%g'
set key at graph 0.5, graph 1.02 center bottom horizontal maxrows 1 noenhanced samplen 1.6
@narrow_key
set style fill solid 1.0 noborder
set boxwidth wide
set tmargin top_margin(narrow ? 4.5 : 5.5)
# Each part is drawn over the sum of it and those below it.  Time is no part of the error, but what it would be
# in a nominal order: pale.
plot '$budget' using (place($1, $2)):(($3 + $4 + $5) / 100.0) with boxes linecolor rgb '#D4D4D4' title 'time', \
     '$budget' using (place($1, $2)):(($3 + $5) / 100.0) with boxes linecolor rgb sky title 'machine', \
     '$budget' using (place($1, $2)):($3 / 100.0) with boxes linecolor rgb blue title 'policy', \
     '$budget' using (place($1, $2) - wide / 2):(points($6)):(wide):(0) with vectors nohead linewidth 2 linecolor rgb '#000000' title 'noise', \
     '$budget' using (place($1, $2)):(points($7)):(0) with points pointtype 13 pointsize 1.1 linecolor rgb red title 'error', \
     '$budget' using (place($1, $2)):(top($3 + $4 + $5, $6, $7)):($2 > 0 ? 'L2' : 'L1') with labels offset 0,0.6 font small_font textcolor rgb dark notitle
