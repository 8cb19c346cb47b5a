# SPDX-License-Identifier: GPL-3.0-or-later
# What Accel-Sim's get_stats.py reads of a log and the folders that it names, and how: for each line of sim_log the file
# RUNS/APP/ARGUMENTS/CONFIG/APP-ARGUMENTS.JOB.oN, in which the line of the end has to be, the build within 100 lines, and
# for every kernel_name each expression (file EXPRESSIONS, in awk's syntax) once.  Prints what is not so, and the kernels.
function bad(what) { print file ": " what; wrong = 1 }
function end_kernel(   i) {
	for (i = 1; i <= n && kernel; i++) if (found[i] != 1) bad(kernel ": " found[i] + 0 " of " re[i])
	split("", found)
}
BEGIN { while ((getline line <EXPRESSIONS) > 0) {
	gsub(/\\s/, "[ \t]", line); re[++n] = line } }
NF != 6 { print FILENAME ": " $0; wrong = 1; next }
{
	file = RUNS "/" $3 "/" $4 "/" $5 "/" $3 "-" $4 "." $6 ".o" $2
	kernel = ""; ended = built = lines = 0
	while ((getline line <file) > 0) {
		lines++
		if (line ~ /^GPGPU-Sim: \*\*\* exit detected \*\*\*/) ended = 1
		if (lines < 100 && line ~ /^Accel-Sim.*\[build[ \t]+.*\]/) built = 1
		if (line ~ /^kernel_name[ \t]+=[ \t]+/) { end_kernel(); kernels++; kernel = line; continue }
		for (i = 1; i <= n; i++) if (line ~ re[i]) found[i]++
	}
	close(file); end_kernel()
	if (!lines) bad("is not there"); else if (!ended || !built) bad("no end, or no build")
}
END { if (!wrong) print NR " runs, " kernels " kernels, " n " values each" }
