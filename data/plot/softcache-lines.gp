# SPDX-License-Identifier: GPL-3.0-or-later
# Curves of $structure1, $structure2, ...: line size in bytes, hits, lines looked up; name1, name2, ...
# $whole: line size, CLN, hits, loads and stores, structures chosen.
# Set before: curves, structures, threshold.
set label 1001 heading('Software cache against its line size: '.kernel.', '.launch)
set label 1002 below_it(machine.sprintf(', %d accesses monitored', threshold).(structures > curves ? sprintf(', %d of %d structures', curves, structures) : ''))

ratio(part, all) = all > 0 ? 1.0 * part / all : 1/0
set logscale x 2
set xrange [3.5:293]
set yrange [0:1.05]
set xtics ('4 B' 4, '8 B' 8, '16 B' 16, '32 B' 32, '64 B' 64, '128 B' 128, '256 B' 256)
set ytics 0.2
set xlabel 'line size; lines of a thread, CLN, above' textcolor rgb dark
set ylabel 'hit ratio' textcolor rgb dark
set grid xtics ytics back linecolor rgb '#D8D8D8' linewidth 1
set format y '%g'
set key outside right top vertical Left reverse width -1 noenhanced
@narrow_key

array point_of[6] = [ 4, 8, 6, 12, 10, 2 ]
array colour_of[6] = [ red, orange, green, sky, blue, '#808080' ]
array dash_of[6] = [ 2, 4, 5, 3, 9, 6 ]
data_of(i) = '$structure'.i
plot '$whole' using 1:(ratio($3, $4)) with linespoints linewidth 2.4 dashtype 1 pointtype 7 pointsize 0.9 \
	linecolor rgb '#000000' title 'all accesses', \
     '$whole' using 1:(1.02):(sprintf('%d', $2)) with labels font small_font textcolor rgb '#606060' notitle, \
     for [i = 1:curves] data_of(i) using 1:(ratio($2, $3)) with linespoints linewidth 1.8 dashtype dash_of[i] \
	pointtype point_of[i] pointsize 0.9 linecolor rgb colour_of[i] title value('name'.i)
