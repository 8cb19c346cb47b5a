# SPDX-License-Identifier: GPL-3.0-or-later
# What GPGPU-Sim 4 asks of options that `machine --to gpgpusim` writes, by its option parser and its asserts (gpu-cache.h,
# gpu-cache.cc, addrdec.cc): forms of caches and what may stand together, an array of L1 and shared memory that is a multiple of
# the L1, sizes in it, a mapping of 64 bits, slices that its hash takes.  Prints what it would end with.
function bad(what) { print NAME ": " what; wrong = 1 }
function pow2(n) { while (n > 1 && n % 2 == 0) n /= 2; return n == 1 }
function cache(option,   s, p, f) {
	s = value[option]
	if (s == "none" && option ~ /dl1/) return 0
	if (s !~ /^[NS]:[0-9]+:[0-9]+:[0-9]+,[LF]:[BTEL]:[mfs]:[NWFL]:[LXPH],[AS]:[0-9]+:[0-9]+,[0-9]+:[0-9]+,[0-9]+$/) {
		bad(option " " s); return 0 }
	split(s, p, ","); split(p[1], f, ":")
	if (f[1] == "S" && f[3] != 128) bad(option ": sectors of lines of " f[3])
	if (!pow2(f[2]) || !pow2(f[3])) bad(option ": " f[2] " sets, " f[3] " bytes")
	if (p[2] ~ /:P$/ && f[2] != 16 && f[2] != 32 && f[2] != 64) bad(option ": P of " f[2] " sets")
	if (p[2] ~ /:H$/ && f[2] != 32 && f[2] != 64) bad(option ": H of " f[2] " sets")
	if (p[2] ~ /:B:[fs]:/) bad(option ": write-back on-fill")
	if (p[2] ~ /:[fs]:[FL]:/) bad(option ": allocates on-fill and on a store")
	return f[2] * f[3] * f[4] / 1024
}
/^#/ || /^$/ { next }
NF != 2 || $1 !~ /^-[a-z]/ { bad("line " NR ": " $0); next }
{ value[$1] = $2 }
END {
	l1 = cache("-gpgpu_cache:dl1"); cache("-gpgpu_cache:dl2")
	unified = value["-gpgpu_unified_l1d_size"]
	if (l1 && unified > 0 && (l1 < 1 || unified % int(l1))) bad("an array of " unified " KB, an L1 of " l1)
	n = split(value["-gpgpu_shmem_option"], kb, ",")
	for (i = 1; i <= n; i++)
		if (kb[i] !~ /^[0-9]+$/ || (value["-gpgpu_adaptive_cache_config"] && kb[i] > unified)) bad("shared memory of " kb[i] " KB")
	map = value["-gpgpu_mem_addr_mapping"]
	if (map !~ /^dramid@[0-9]+;/) bad("mapping " map)
	sub(/^[^;]*;/, "", map); gsub(/\./, "", map)
	if (length(map) != 64 || map ~ /[^RBCS0]/ || map !~ /R/ || map !~ /B/ || map !~ /C/) bad("mapping of " length(map))
	slices = value["-gpgpu_n_mem"] * value["-gpgpu_n_sub_partition_per_mchannel"]
	if (slices < 1) bad(slices " slices")
	if (value["-gpgpu_memory_partition_indexing"] == 1 && !pow2(value["-gpgpu_n_mem"])) bad("xor of " value["-gpgpu_n_mem"])
	if (value["-gpgpu_memory_partition_indexing"] == 2 && slices != 16 && slices != 32 && slices != 64) bad("ipoly of " slices " slices")
	if (value["-gpgpu_memory_partition_indexing"] > 2) bad("no indexing " value["-gpgpu_memory_partition_indexing"])
	exit wrong
}
