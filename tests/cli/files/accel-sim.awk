# SPDX-License-Identifier: GPL-3.0-or-later
# A kernel's file as Accel-Sim's parser takes it, from the description of the format: blocks in order of number and each
# warp of them in turn, insts = lines, an EXIT of all the warp's lanes at its end and nowhere else, opcodes of sm_70, at
# most one destination and four sources, forms of addresses that fit the mask, one immediate.  Prints what is wrong.
function bad(what) { print FILENAME ":" FNR ": " what; failed = 1; exit 1 }
function lanes(mask,   i, n, d) {
	n = 0
	for (i = 1; i <= length(mask); i++) {
		d = index("0123456789abcdef", substr(mask, i, 1)) - 1
		if (d < 0) bad("mask " mask)
		n += int(d / 8) + int(d / 4) % 2 + int(d / 2) % 2 + d % 2
	}
	return n
}
function all_lanes(w,   left, text, i) { # of warp w
	left = threads - 32 * w
	if (left >= 32) return "ffffffff"
	text = left % 4 == 1 ? "1" : left % 4 == 2 ? "3" : left % 4 == 3 ? "7" : ""
	for (i = 0; i < int(left / 4); i++) text = text "f"
	while (length(text) < 8) text = "0" text
	return text
}
function numbers(text,   v) { gsub(/[(), ]+/, " ", text); return split(text, v, " ") == 3 ? v[1] " " v[2] " " v[3] : bad("want three numbers") }
function end_warp() {
	if (warp < 0) return
	if (lines != insts) bad("insts = " insts ", but " lines " lines")
	if (last != "EXIT") bad("warp " warp " does not end with EXIT")
}
BEGIN { split("-kernel name,-kernel id,-grid dim,-block dim,-shmem,-nregs,-binary version,-cuda stream id," \
	"-shmem base_addr,-local mem base_addr,-nvbit version,-accelsim tracer version,-enable lineinfo", keys, ",") }
/^$/ { next }
!header && /^-/ { i = index($0, " = "); value[substr($0, 1, i - 1)] = substr($0, i + 3); next }
!header && /^#traces format/ {
	for (i in keys) if (!(keys[i] in value)) bad("no " keys[i])
	split(numbers(value["-grid dim"]), g, " "); split(numbers(value["-block dim"]), b, " ")
	threads = b[1] * b[2] * b[3]; ctas = g[1] * g[2] * g[3]; header = 1; next
}
!header { bad("no header") }
/^#BEGIN_TB$/ { if (inside) bad("a block in a block"); inside = 1; warp = -1; placed = 0; next }
/^#END_TB$/ {
	end_warp()
	if (!placed || warp != int((threads - 1) / 32)) bad("not all warps")
	inside = 0; next
}
!inside { bad("outside of a block") }
/^thread block = / {
	split(substr($0, 16), at, ",")
	if (at[1] + g[1] * (at[2] + g[2] * at[3]) != cta++) bad("blocks are not in order, or one is not there")
	placed = 1; next
}
/^warp = / { end_warp(); if ($3 != ++warp) bad("warps are not in order"); insts = -1; lines = 0; last = ""; next }
/^insts = / { insts = $3; next }
{
	lines++
	if (last == "EXIT") bad("after EXIT")
	f = value["-enable lineinfo"] + 1
	if ($f !~ /^[0-9a-f]+$/ || length($(f + 1)) != 8) bad("PC and mask")
	mask = $(f + 1); dst = $(f + 2); f += 3 + dst
	if (dst > 1 || (dst == 1 && $(f - 1) !~ /^R[0-9]+$/)) bad("destinations")
	last = $f
	if (last !~ /^(EXIT|NOP|BAR\.SYNC|(LDG\.E|STG\.E|ATOMG\.E|LDS|STS|ATOMS|LDC)(\.U8|\.U16|\.64|\.128)?)$/) bad("opcode " last)
	src = $(f + 1)
	if (src > 4) bad(src " sources")
	for (i = 1; i <= src; i++) if ($(f + 1 + i) !~ /^R[0-9]+$/) bad("source")
	f += 2 + src
	if ((last ~ /^(EXIT|NOP|BAR)/) != ($f == 0)) bad("width " $f " of " last)
	if (last == "EXIT" && mask != all_lanes(warp)) bad("EXIT of " mask)
	n = lanes(mask)
	if (!n) bad("no lane")
	if ($f > 0) {
		form = $(++f)
		if (form !~ /^[012]$/) bad("form " form)
		f += form == 1 ? 2 : n
		for (i = f - (form == 1 ? 2 : n) + 1; i <= f; i++)
			if ($i !~ (form == 0 || i == f - (form == 1 ? 2 : n) + 1 ? "^0x[0-9a-f]+$" : "^-?[0-9]+$")) bad("address " $i)
	}
	if (NF != f + 1 || $NF != 0) bad("want one immediate at the end")
}
END { if (!failed && (inside || cta != ctas)) print FILENAME ": " cta " blocks of " ctas }
