# SPDX-License-Identifier: GPL-3.0-or-later
# $bar1, $bar2, ... and $mean1, ...: group, value in units of 10^-decimals; group0, ..., groups, then
# means; name1, ... of the bars.  Set before: groups, means, bars, decimals, below (is any bar?), value,
# base, source, rows, told_apart (the columns of the bars).
what = value.(strlen(base) ? ' relative to '.base : '')
set label 1001 heading(what)
set label 1002 below_it((retitled ? what.', ' : '').source.rows)

scale = 10.0 ** decimals
gap = means > 0 ? 0.6 : 0
at(g) = g < groups ? g : g + gap
wide = 0.84 / bars
place(g, i) = at(g) - 0.42 + (i - 0.5) * wide
set xrange [-0.7:groups + means - 0.3 + gap]
if (below) { set yrange [*:0 < *] } else { set yrange [0 < * < 0:*] }
set xtics scale 0 noenhanced ()
longest = 0
do for [g = 0:groups + means - 1] {
	name = value(sprintf('group%d', g))
	name = strlen(name) > 24 ? name[1:23].'…' : name
	longest = strlen(name) > longest ? strlen(name) : longest
	set xtics add (name at(g))
}
if (width / (groups + means + 3.0) < 7.0 * longest) {
	set xtics rotate by -40
	set bmargin 1.5 + 0.36 * longest + (narrow ? 4 : 0)
	set rmargin 6
}
set ylabel (strlen(base) ? value.', relative' : value) textcolor rgb dark noenhanced
set format y '%g'
set key at graph 0.5, graph 1.02 center bottom horizontal noenhanced
@narrow_key
if (strlen(told_apart)) { set key title told_apart noenhanced font small_font }
set style fill solid 1.0 noborder
set boxwidth wide * 0.94
set tmargin top_margin((bars > 6 ? 7 : 5.5) + (strlen(told_apart) > 0))
if (strlen(base)) { set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead linewidth 1 dashtype 2 linecolor rgb '#606060' front }
if (means > 0) { set arrow 2 from first groups - 0.5 + gap / 2, graph 0 to first groups - 0.5 + gap / 2, graph 1 nohead linewidth 0.8 linecolor rgb '#AAAAAA' }

array colour_of[8] = [ blue, sky, green, orange, red, '#808080', '#CC79A7', '#000000' ]
colour(i) = colour_of[(i - 1) % 8 + 1]
fill(i) = i <= 8 ? 1.0 : i <= 16 ? 0.55 : 0.25
spell(v) = sprintf(abs(v) >= 1e9 ? '%.3g' : v >= 100 ? '%.0f' : v >= 10 ? '%.1f' : '%.2f', v)
bar(i) = '$bar'.i
mean(i) = '$mean'.i
plot for [i = 1:bars] bar(i) using (place($1, i)):($2 / scale) with boxes fillstyle solid fill(i) linecolor rgb colour(i) title value('name'.i), \
     for [i = 1:bars] mean(i) using (place($1, i)):($2 / scale) with boxes fillstyle solid fill(i) linecolor rgb colour(i) notitle, \
     for [i = 1:bars] mean(i) using (place($1, i)):($2 / scale):(spell($2 / scale)) with labels rotate by 90 left offset 0,0.3 font small_font textcolor rgb dark notitle
