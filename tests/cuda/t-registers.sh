#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Registers of a thread: what is estimated of the eight kernels of data/counters, against what nvcc had
# for five GPUs, and where they count.  CHECK_O is the build folder.
set -u
cd "$(dirname "$0")/../.." || exit 1
tool=$(realpath "${CHECK_O:?}")/warpstack
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM # sh ends without EXIT else
export WARPSTACK_DATA="$PWD/data"
. tests/tap.sh

if ! command -v clang-19 >/dev/null || ! [ -e "${tool%/*}/libwarpstack-capture.so" ]; then
	skip 'registers' 'no clang-19'
fi
"$tool" trace -q data/counters/eight-cuda.launch -o "$tmp/eight.wst" 2>"$tmp/err"
report $? 'the eight kernels are traced' "$tmp/err"
"$tool" info "$tmp/eight.wst" >"$tmp/info"

# The data set's names in the launches' order, with what is estimated.
awk -F'\t' 'BEGIN { split("matMul_gpu matMul_gpu_uncoalesced matMul_gpu_sharedmem " \
		"matMul_gpu_sharedmem_uncoalesced matrix_sum_coalesced matrix_sum_normal vectorAdd dotProd", name, " ") }
	$1 ~ /^launch / && $2 == "registers" { print name[substr($1, 8)] "," $3 }' "$tmp/info" >"$tmp/estimated"
cat data/counters/*.csv | awk -F, -v estimated="$tmp/estimated" '
	BEGIN { while (getline < estimated) e[$1] = $2 }
	$1 == "gpu" || !($3 in e) || ($1, $3, $10) in seen { next }
	{
		seen[$1, $3, $10] = 1
		off = e[$3] - $10
		sum += off < 0 ? -off : off
		low = off < low ? off : low
		high = off > high ? off : high
		n++
		row[$3] = row[$3] " " $1 ":" $10
	}
	END {
		for (k in row)
			print "# " k " estimated " e[k] ", nvcc" row[k]
		printf "# %d kernels and GPUs: mean error %.1f registers, from %d to %d\n", n, sum / n, low, high
		exit !(n >= 40 && sum / n < 3.5 && low >= -8 && high <= 8)
	}' >"$tmp/errors"
good=$?
cat "$tmp/errors"
report $good 'the mean error is under 3.5 registers, none is over 8' "$tmp/errors"

cat >"$tmp/k.cu" <<'C'
__global__ void k(float *a, float *b, int n)
{
	float v[40];
#pragma unroll
	for (int i = 0; i < 40; i++)
		v[i] = a[threadIdx.x + i * n];
#pragma unroll
	for (int i = 0; i < 40; i++)
		b[threadIdx.x + i] = v[39 - i] * v[(i + 7) % 40];
}
C
traced() { # --registers N
	"$tool" trace -q "$tmp/k.cu" --kernel k --grid 2 --block 256 --arg a=buffer:float:10240 --arg b=buffer:float:1024 --arg n=256 "$@" \
		-o "$tmp/k.wst" 2>"$tmp/err" && "$tool" info "$tmp/k.wst" |
		awk -F'\t' '$2 == "registers" { print $3 }'
}
traced >"$tmp/own"
awk '{ exit !($1 >= 40 && $1 <= 56) }' "$tmp/own"
report $? 'forty values that live at once' "$tmp/own"
traced --registers 128 >"$tmp/given"
[ "$(cat "$tmp/given")" = 128 ]
report $? '--registers is taken' "$tmp/given"
echo "1..$n"
exit $bad
