# SPDX-License-Identifier: GPL-3.0-or-later
# Steps of $bins: cycle, misses, pending hits, requests, twice for each bin, a blank line between launches;
# $launches: where they begin.  Set before: cycles, launches, requests, pending, misses, policy.
set label 1001 heading('L1 load miss ratio over time: '.kernel.', '.launch.(launches > 1 ? sprintf(', %d launches', launches) : ''))
set label 1002 below_it(machine.sprintf(', %s', policy))

unit = cycles >= 2000000 ? 1000000.0 : cycles >= 20000 ? 1000.0 : 1.0
set xrange [0:cycles > 0 ? cycles / unit : 1]
set yrange [0:1]
set xlabel 'time ('.(unit > 1e5 ? 'millions of ' : unit > 1 ? 'thousands of ' : '').'cycles)' textcolor rgb dark
set ylabel narrow ? 'share of the loads' : sprintf('share of the loads (of %d)', requests) textcolor rgb dark
set format x '%g'
set format y '%g'
set key outside right top vertical Left reverse width -1
@narrow_key

ratio(part, all) = all > 0 ? 1.0 * part / all : 1/0
mean(part) = requests > 0 ? 1.0 * part / requests : 0.0
set arrow 1 from graph 0, first mean(misses) to graph 1, first mean(misses) nohead linewidth 1 dashtype 3 linecolor rgb '#808080' back
plot '$bins' using ($1 / unit):(ratio($2 + $3, $4)) with lines linewidth 1.2 dashtype 3 linecolor rgb orange \
	title sprintf('and pending: %.3f', mean(misses + pending)), \
     '$bins' using ($1 / unit):(ratio($2, $4)) with lines linewidth 1.6 dashtype 1 linecolor rgb blue \
	title sprintf('misses: %.3f', mean(misses)), \
     '$launches' using ($1 / unit):(launches > 1 && launches <= 40 ? 0 : 1/0):(0):(1) with vectors nohead linewidth 0.8 dashtype 2 linecolor rgb '#B0B0B0' notitle
