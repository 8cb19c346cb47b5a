# SPDX-License-Identifier: GPL-3.0-or-later
# Rows of ours beside rows of Accel-Sim's, launch by launch.
function points(m, n) { return n ? 100 * m / n : 0 }
function abs(x) { return x < 0 ? -x : x }
function part(run) { return run ~ /^micro/ ? "micro" : "others" }
FNR == NR { ours[$1 "," $2 "," $3, ++of[$1 "," $2 "," $3]] = $0; next }
FNR == 1 {
	for (i = 1; i <= NF; i++)
		c[$i] = i
	print "config", "l1", "run", "cycles_there", "cycles", "ratio", "l1_hit_there", "l1_hit", "l1_pending_there", \
		"l1_pending", "l1_miss_there", "l1_miss", "l1_equal", "l1_pp", "fails_there", "fails", \
		"l2_miss_there", "l2_miss", "l2_pp", "dram_there", "dram", "dram_percent"
	next
}
{
	key = $1 "," $2 "," $3
	line = ours[key, ++seen[key]]
	if (line == "")
		next
	split(line, o, ",")
	miss = $c["l1_ld_miss"] + $c["l1_ld_sector_miss"]
	all = $c["l1_ld_hit"] + $c["l1_ld_pending"] + miss
	mine = o[6] + o[7] + o[8]
	equal = $c["l1_ld_hit"] + 0 == o[6] && $c["l1_ld_pending"] + 0 == o[7] && miss == o[8]
	pp = abs(points(o[8], mine) - points(miss, all))
	m2 = $c["l2_ld_miss"] + $c["l2_ld_sector_miss"]
	n2 = m2 + $c["l2_ld_hit"] + $c["l2_ld_pending"]
	p2 = points(o[12], o[10] + o[11] + o[12]) - points(m2, n2)
	dram = $1 == "gtx480" || !$c["dram_reads"] ? "" : 100 * (o[15] / $c["dram_reads"] - 1)
	print $1, $2, $3, $c["cycles"], o[4], sprintf("%.3f", o[4] / $c["cycles"]), $c["l1_ld_hit"] + 0, o[6], \
		$c["l1_ld_pending"] + 0, o[7], miss, o[8], equal ? "yes" : "no", sprintf("%.2f", pp), \
		$c["l1_ld_resfail"] + 0, o[9], sprintf("%.2f", points(m2, n2)), sprintf("%.2f", points(m2, n2) + p2), \
		sprintf("%.2f", p2), $c["dram_reads"], o[15], dram == "" ? "" : sprintf("%.2f", dram)
	g = part($3)
	n++; ng[g]++
	equals += equal
	pps += pp
	fails_equal += ($c["l1_ld_resfail"] + 0 == o[9])
	l2_within += abs(p2) <= 1
	if (dram != "") { drams++; dram_within += abs(dram) <= 2 }
	e = abs(o[4] / $c["cycles"] - 1)
	sum[g] += e
	if (e > most[g])
		most[g] = e
	within5[g] += e <= 0.05
	x[n] = $c["cycles"]; y[n] = o[4]; group[n] = g
}
function rank(g,   i, k, a, b, s, m) { # Kendall's tau-b would hide ties; Spearman's rho of mid-ranks
	m = s = 0
	for (i = 1; i <= n; i++) {
		if (group[i] != g)
			continue
		m++
		a = b = 0
		for (k = 1; k <= n; k++) {
			if (group[k] != g)
				continue
			a += x[k] < x[i] ? 1 : x[k] == x[i] ? 0.5 : 0
			b += y[k] < y[i] ? 1 : y[k] == y[i] ? 0.5 : 0
		}
		s += (a - b) * (a - b)
	}
	return m > 1 ? 1 - 6 * s / (m * (m * m - 1)) : 1
}
END {
	if (!n)
		exit 1
	printf "# launches=%d l1_equal=%d l1_mean_pp=%.3f fails_equal=%d l2_within_1pp=%d dram_within_2_percent=%d/%d\n", \
		n, equals, pps / n, fails_equal, l2_within, dram_within, drams
	for (g in ng)
		printf "# %s: launches=%d cycles_mean_error=%.1f%% most=%.1f%% within_5%%=%d rank=%.3f\n", g, ng[g], \
			100 * sum[g] / ng[g], 100 * most[g], within5[g], rank(g)
}
