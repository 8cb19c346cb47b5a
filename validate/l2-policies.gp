# SPDX-License-Identifier: GPL-3.0-or-later
# Miss ratio of a 768 KB L2 by replacement policy: simulated (bars), predicted (points).
#   gnuplot -e 'out="l2-policies.svg"' validate/l2-policies.gp        (in the project's folder)
set datafile separator comma
set terminal svg size 1100,420 font "sans,11" background "white"
set output out
file = "validate/l2-policies.csv"
kernels = "bfs ray cp lps"
policies = "lru srrip srrip-kumar brrip brrip-kumar drrip lfu lfu-kumar select opt"
colours = "#1f77b4 #2ca02c #98df8a #d62728 #ff9896 #9467bd #8c564b #c49c94 #17becf #7f7f7f"
set style fill solid 0.6 border -1
set boxwidth 0.08
set grid ytics linecolor rgb "#dddddd"
set ylabel "L2 miss ratio"
set yrange [0:1.05]
set xrange [0.4:words(kernels) + 0.6]
set xtics () nomirror
do for [k = 1:words(kernels)] { set xtics add (word(kernels, k) k) }
set key outside right reverse Left
set title "L2 of 768 KB, 12 slices of 64 sets of 8 ways of 128 B: simulated; points: predicted"
at(k, p) = k + (p - 5.5) * 0.09
is(k, p) = strcol(1) eq word(kernels, k) && strcol(2) eq word(policies, p)
plot for [p = 1:words(policies)] for [k = 1:words(kernels)] file \
	using (is(k, p) ? at(k, p) : NaN):5 with boxes linecolor rgb word(colours, p) \
	title (k == 1 ? word(policies, p) : ""), \
     for [p = 1:words(policies)] for [k = 1:words(kernels)] file \
	using (is(k, p) ? at(k, p) : NaN):6 with points pointtype 7 pointsize 0.4 \
	linecolor rgb "black" notitle
