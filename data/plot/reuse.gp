# SPDX-License-Identifier: GPL-3.0-or-later
# Bars of $bars: position, label, loads, stores, atomics.  Set before: requests, hits, ways, sets,
# bars (with a distance), cut (bars left of the cut-off), tallest, *_requests.
set label 1001 heading('Stack distances within a set: '.kernel.', '.launch)
set label 1002 below_it(machine.', '.cache)

kinds = (load_requests > 0) + (store_requests > 0) + (atomic_requests > 0)
wide = 0.84 / (kinds > 0 ? kinds : 1)
place_load = -0.42 + wide / 2
place_store = place_load + (load_requests > 0 ? wide : 0)
place_atomic = place_store + (store_requests > 0 ? wide : 0)

set style fill solid 1.0 noborder
set boxwidth wide
apart = narrow ? bars / 6.0 : 0.4
at(position) = position > bars + 1 ? position + apart : position # cold and uncached
set xrange [-0.7:bars + 2.7 + apart]
set yrange [0:tallest > 0 ? pct(tallest, requests) * 1.3 : 1]
set format y '%g %%'
set ylabel sprintf('share of %d requests', requests) textcolor rgb dark
set xlabel narrow ? 'stack distance' : 'stack distance (other lines of the set used since)' textcolor rgb dark
set xtics scale 0 noenhanced
if (width / (bars + 4) < 48) {
	set xtics rotate by -35
	set bmargin 6
}
set key horizontal
@narrow_key

# The cut-off and what lies on its sides, in the band above the bars, where the key is not.
side = (cut + 0.2) / (bars + 3.4 + apart)
if (!narrow) { if (side > 0.5) { set key top left } else { set key top right } }
set arrow 1 from cut - 0.5, graph 0 to cut - 0.5, graph 1 nohead linewidth 1.6 dashtype 2 linecolor rgb '#000000' front
set arrow 2 from bars, graph 0 to bars, graph 0.72 nohead linewidth 0.8 linecolor rgb '#AAAAAA'
hits_text = sprintf('hits %.2f %%', pct(hits, requests))
misses_text = sprintf('misses %.2f %%', pct(requests - hits, requests))
if (side < 0.2 || side > 0.75) {
	set label 2 '← '.hits_text at cut - 0.5, graph 0.89 front
	set label 3 '→ '.misses_text at cut - 0.5, graph 0.82 front
} else {
	set label 2 hits_text at cut - 0.5, graph 0.89 right offset -0.6,0 front
	set label 3 misses_text at cut - 0.5, graph 0.89 left offset 0.6,0 front
}
set label 1 sprintf('LRU, %d way%s', ways, ways == 1 ? '' : 's') at cut - 0.5, graph 0.96 textcolor rgb '#606060' front
if (side > 0.75) {
	do for [i = 1:3] { set label i right offset -0.6,0 }
} else {
	set label 1 left offset 0.6,0
	if (side < 0.2) { do for [i = 2:3] { set label i left offset 0.6,0 } }
}

# Each bar's value, unless there are too many to read or nothing to see.
spell(n) = bars > (narrow ? 8 : 26) || pct(n, requests) < 0.05 ? '' : sprintf('%.1f', pct(n, requests))
bar(column_of, n_all) = n_all > 0 ? pct(column_of, requests) : NaN
# Many distances have no room for their numbers side by side.
tic(position, text) = narrow && bars > 10 && position < bars && int(position) % 4 ? '' : text
plot $bars using (at($1) + place_load):(bar($3, load_requests)):xtic(tic($1, strcol(2))) with boxes linecolor rgb blue title load_requests > 0 ? 'loads' : '', \
     $bars using (at($1) + place_store):(bar($4, store_requests)) with boxes linecolor rgb orange title store_requests > 0 ? 'stores' : '', \
     $bars using (at($1) + place_atomic):(bar($5, atomic_requests)) with boxes linecolor rgb '#000000' title atomic_requests > 0 ? 'atomics' : '', \
     $bars using (at($1) + place_load):(bar($3, load_requests)):(spell($3)) with labels center offset 0,0.6 font small_font textcolor rgb dark notitle, \
     $bars using (at($1) + place_store):(bar($4, store_requests)):(spell($4)) with labels center offset 0,0.6 font small_font textcolor rgb dark notitle, \
     $bars using (at($1) + place_atomic):(bar($5, atomic_requests)):(spell($5)) with labels center offset 0,0.6 font small_font textcolor rgb dark notitle
