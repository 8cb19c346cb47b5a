# SPDX-License-Identifier: GPL-3.0-or-later
# The error of each policy's model on the reporting streams, a box for each geometry.
#   gnuplot -e 'out="policy-error.svg"' validate/policy-error.gp      (in the project's folder)
set datafile separator comma
set terminal svg size 1100,420 font "sans,11" background "white"
set output out
policies = "random fifo plru nru srrip brrip drrip lfu lfu-age mfu bip dip"
geometries = "32x4 64x6 128x16 4x64 4x192 16x16 1x64"
colours = "#1f77b4 #ff7f0e #2ca02c #d62728 #9467bd #8c564b #7f7f7f"
file = "validate/results.csv"
set style data boxplot
set style boxplot outliers pointtype 7 fraction 0.90
set style fill solid 0.35 border -1
set pointsize 0.2
set boxwidth 0.09
set grid ytics linecolor rgb "#dddddd"
set ylabel "predicted - simulated miss ratio, points"
set yrange [-50:50]
set xrange [0.4:words(policies) + 0.6]
set xtics () nomirror
do for [p = 1:words(policies)] { set xtics add (word(policies, p) p) }
set key outside right reverse Left title "sets x ways"
set title "Error of the models: whiskers hold 90 % of the streams"
rows(p, g) = sprintf("< awk -F, '$3 == \"%s\" && $4 == \"%s\"' %s", word(policies, p), word(geometries, g), file)
plot for [g = 1:words(geometries)] for [p = 1:words(policies)] rows(p, g) \
	using (p + (g - 4) * 0.115):8 linecolor rgb word(colours, g) \
	title (p == 1 ? word(geometries, g) : "")
