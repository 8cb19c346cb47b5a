# SPDX-License-Identifier: GPL-3.0-or-later
# Marks of $marks, one index per colour class: access number, offset, length (accesses).  Set before:
# order, alone, warp_width, accesses, step, large, height, gaps_cut, regions, low_N, high_N, name_N,
# threads, colours, tick (bytes between those of y).
set label 1001 heading(sprintf('Accesses in %s order: %s, %s', order, kernel, launch).(step > 1 ? sprintf(' (1 access in %d shown)', step) : ''))
set label 1002 below_it(machine.(alone ? ', each thread by itself' : sprintf(', warps of %d on one SM', warp_width)))

# Viridis (van der Walt and Smith 2015) up to where it stays visible on white; lightness rises steadily.
set palette defined (0 '#440154', 1 '#472D7B', 2 '#3B528B', 3 '#2C728E', 4 '#21918C', 5 '#28AE80', 6 '#5EC962', 7 '#ADDC30')
unset key
unset grid
set border 3
unit = accesses >= 2000000 ? 1000000.0 : accesses >= 20000 ? 1000.0 : 1.0
set xrange [0:accesses / unit]
set yrange [-0.01 * height:1.01 * height]
set cbrange [0:threads > 1 ? threads - 1 : 1]
set xlabel 'execution order ('.(unit > 1e5 ? 'millions of ' : unit > 1 ? 'thousands of ' : '').'accesses)' textcolor rgb dark
set ylabel gaps_cut ? 'address, gaps cut out (bytes)' : 'address offset (bytes)' textcolor rgb dark offset 0,0
set format x '%g'
kib = height < 2048 ? 1.0 : height < 2097152 ? 1024.0 : height < 2147483648.0 ? 1048576.0 : 1073741824.0
kib_name = kib == 1 ? 'B' : kib == 1024 ? 'KB' : kib == 1048576 ? 'MB' : 'GB'
set ytics ()
do for [i = 0:8] { if (i * tick <= height) { set ytics add (sprintf('%g %s', i * tick / kib, kib_name) i * tick) } }
set cblabel 'global id, dimension 0' textcolor rgb dark offset 1.2,0
set format cb '%.0f'
longest = 4
do for [i = 0:regions - 1] { if (strlen(value(sprintf('name_%d', i))) > longest) { longest = strlen(value(sprintf('name_%d', i))) } }
longest = longest > 14 ? 14 : longest
set rmargin at screen 0.83 - longest * 7.0 / width
set colorbox user origin screen 0.86, graph 0.1 size screen 0.02, graph 0.8 noborder

do for [i = 0:regions - 1] {
	low = value(sprintf('low_%d', i))
	high = value(sprintf('high_%d', i))
	name = value(sprintf('name_%d', i))
	if (strlen(name) > 16) { name = name[1:15].'…' }
	set arrow from graph 0, first low to graph 1.015, first low nohead linewidth 1 linecolor rgb '#909090' back
	set arrow from graph 0, first high to graph 1.015, first high nohead linewidth 1 linecolor rgb '#909090' back
	if (high - low > 0.03 * height) { set label name at graph 1.015, first (low + high) / 2.0 left textcolor rgb '#000000' }
}
shade(i) = (i + 0.5) / colours * threads
if (large) {
	plot for [i = 0:colours - 1] $marks index i using ($1 / unit):2:($3 / unit):(0) with vectors nohead linewidth 1.1 linecolor palette cb shade(i)
} else {
	plot for [i = 0:colours - 1] $marks index i using ($1 / unit):2 with points pointtype 7 pointsize accesses < 800 ? 0.5 : 0.3 linecolor palette cb shade(i)
}
