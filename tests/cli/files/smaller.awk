# SPDX-License-Identifier: GPL-3.0-or-later
# A launch file of the same kernels with less to do: at most 4 work-groups a dimension and 9 launches.
# The kernels' sources are in the folder -v from=.
/^source = / { sub(/= /, "= " from "/") }
/^\[launch\]/ && ++launches > 9 { exit }
/^global = / { split($0, global); next }
/^local  = / {
	printf "global ="
	for (i = 3; i <= NF; i++)
		printf " %d", (global[i] > 4 * $i ? 4 * $i : global[i])
	print ""
}
{ print }
