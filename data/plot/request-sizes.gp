# SPDX-License-Identifier: GPL-3.0-or-later
# Steps of $bins: requests so far, of 32, 64, 128 bytes in the step, twice for each; $launches: where
# they begin.  Set before: requests, period, launches, alone, of_32, of_64, of_128, source.
set label 1001 heading('Sizes of requests: '.(alone ? kernel : source).(launches > 1 ? sprintf(', %d launches', launches) : ', '.launch))
set label 1002 below_it(machine.sprintf(', at least %d requests a step', period))

unit = requests >= 2000000 ? 1000000.0 : requests >= 20000 ? 1000.0 : 1.0
set xrange [0:requests / unit]
set yrange [0:1]
set xlabel 'time ('.(unit > 1e5 ? 'millions of ' : unit > 1 ? 'thousands of ' : '').'requests of all SMs)' textcolor rgb dark
set ylabel 'share of the requests' textcolor rgb dark
if (narrow) { decade = 10**floor(log10(requests / unit)); set xtics requests / unit < 2 * decade ? decade / 2 : requests / unit < 5 * decade ? decade : 2 * decade }
set format x '%g'
set format y '%g'
set key outside right top vertical Left reverse width -1 invert
@narrow_key
set style fill solid 1.0 noborder

share(n) = 100.0 * n / requests
plot '$bins' using ($1 / unit):(1) with filledcurves y1=0 linecolor rgb '#B8D8EC' title sprintf('128 B: %.1f %%', share(of_128)), \
     '$bins' using ($1 / unit):(1.0 * ($2 + $3) / ($2 + $3 + $4)) with filledcurves y1=0 linecolor rgb orange title sprintf('64 B: %.1f %%', share(of_64)), \
     '$bins' using ($1 / unit):(1.0 * $2 / ($2 + $3 + $4)) with filledcurves y1=0 linecolor rgb blue title sprintf('32 B: %.1f %%', share(of_32)), \
     '$launches' using ($1 / unit):(launches > 1 && launches <= 40 ? 0 : 1/0):(0):(1) with vectors nohead linewidth 0.8 dashtype 2 linecolor rgb dark notitle
