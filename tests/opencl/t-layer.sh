#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs of tests/opencl/, each with and without the layer: the same output, right results, and a trace
# with as many launches as are to be in it.  CHECK_O is the build folder.
set -u
cd "$(dirname "$0")/../.." || exit 1
CHECK_O=$(realpath "${CHECK_O:?}")
tool=$CHECK_O/warpstack
layer=$CHECK_O/libwarpstack-opencl.so
bin=$CHECK_O/tests/opencl
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM # sh ends without EXIT else
unset OPENCL_LAYERS
# A program that runs again finds its kernels compiled.
export WARPSTACK_CACHE=$tmp/cache
# PoCL leaks; what it and the tool do to each other's memory is looked at all the same.
# What it has compiled is kept for the next run.
export WARPSTACK_DATA="$PWD/data" POCL_CACHE_DIR="${POCL_CACHE_DIR:-$CHECK_O/check/pocl}" ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
mkdir -p "$POCL_CACHE_DIR"
. tests/tap.sh

# trace FILE OPTIONS... -- PROGRAM ARGUMENTS...: into $tmp/out, $tmp/err
trace() {
	file=$1
	shift
	timeout 300 "$tool" trace --app -m gtx480 -o "$file" "$@" >"$tmp/out" 2>"$tmp/err"
}
property() { # FILE ITEM PROPERTY
	"$tool" info "$1" | awk -F '\t' -v i="$2" -v p="$3" '$1 == i && $2 == p { print $3 }'
}
differ() { # A B: 1 if they do
	[ "$1" = "$2" ]
	echo $?
}
launches() {
	property "$1" trace launches
}

[ -e "$layer" ] || skip "the OpenCL layer" "libwarpstack-opencl.so was not built: no LLVM, or no OpenCL headers"
timeout 300 "$bin/vadd" >"$tmp/out" 2>&1
status=$?
[ $status -ne 77 ] || skip "the OpenCL layer" "no OpenCL platform: pocl-opencl-icd is not installed"
grep -q '^vadd: ' "$tmp/out" ||
	skip "the OpenCL layer" "the platform runs no kernel here: exit $status, $(tail -n 2 "$tmp/out" | paste -sd ' ')"

# program, launches traced, launches left to the platform
while read -r name traced left; do
	"$bin/$name" >"$tmp/plain" 2>"$tmp/plain.err"
	status=$?
	if [ $status -eq 77 ] && [ "$name" != gpu ]; then # with the layer there is a GPU
		n=$((n + 1))
		echo "ok $n - $name # SKIP $(tail -n 1 "$tmp/plain")"
		continue
	fi
	report $((status != 0 && status != 77)) "$name without the layer: exit $status" "$tmp/plain"
	trace "$tmp/$name.wst" -- "$bin/$name"
	report $? "$name with it" "$tmp/err"
	! grep -q WRONG "$tmp/out"
	report $? "$name with it: results are right" "$tmp/out"
	if [ $status -ne 77 ]; then
		grep -v '^device:' "$tmp/plain" >"$tmp/want"
		grep -v '^device:' "$tmp/out" | diff "$tmp/want" - >"$tmp/diff"
		report $? "$name: the same output" "$tmp/diff"
	fi
	report "$(differ "$(launches "$tmp/$name.wst")" "$traced")" "$name: $traced launches traced" "$tmp/err"
	grep -q " $left left to the platform" "$tmp/err"
	report $? "$name: $left left to the platform" "$tmp/err"
	grep -q 'overhead: [0-9.]* of [0-9.]* s' "$tmp/err"
	report $? "$name: the overhead is printed" "$tmp/err"
done <<END
vadd 1 0
build 7 2
args 6 0
images 12 0
svm 3 0
ndrange 8 0
events 10 0
transfers 8 0
maps 344 0
print 4 0
contexts 56 0
threads 80 0
gpu 1 0
fallback 6 2
outside 2 0
atomics 15 0
objects 9 2
tiny 220 0
grid 2 0
END

# ---- what is compiled is kept ----------------------------------------------------------------

for i in 1 2; do
	WARPSTACK_CACHE=$tmp/kept trace "$tmp/kept$i.wst" -- "$bin/vadd"
	cmp "$tmp/vadd.wst" "$tmp/kept$i.wst" && [ "$(ls "$tmp/kept" | wc -l)" = 1 ]
	report $? "vadd with its kernel kept, time $i" "$tmp/err"
done

# ---- what is in a trace --------------------------------------------------------------------

t=$tmp/vadd.wst
OPENCL_LAYERS=$layer WARPSTACK_TRACE=$tmp/alone.wst "$bin/vadd" >"$tmp/out" 2>"$tmp/err"
grep -q "1 launch of 1 kernel traced .* $(stat -c %s "$tmp/alone.wst") bytes\$" "$tmp/err"
report $? "the file's size is printed" "$tmp/err"
trace "$tmp/alone.wst" -- "$bin/vadd"
grep -q "1 launch of 1 kernel traced .* $(stat -c %s "$tmp/alone.wst") bytes\$" "$tmp/err"
report $? "the file's size is printed by warpstack too" "$tmp/err"
report "$(differ "$(property "$t" trace accesses)" 12279)" "vadd: 3 accesses of each work-item below n"
[ "$(property "$t" "launch 1 array c" base)" = 0x100008000 ]
report $? "vadd: addresses are the device's, in order of creation"
[ "$(property "$t" "launch 1 instruction 2" store)" = "global 4 bytes, array c, at program-1.cl:5" ]
report $? "vadd: arrays and lines have their names"
# The source is in the trace, and a report shows it, wherever it is made; or it is left out.
for left in '' --no-source; do
	trace "$tmp/source.wst" $left -- "$bin/vadd"
	(cd "$tmp" && "$tool" report source.wst -m gtx480 --no-advice -q -o source.html)
	report "$(differ "$(grep -c 'a\[i\] + 2 \* b\[i\]' "$tmp/source.html")" "$([ "$left" ] && echo 0 || echo 1)")" \
		"the source in a trace $left" "$tmp/err"
done
trace "$tmp/again.wst" --threads 1 -- "$bin/vadd"
cmp -s "$t" "$tmp/again.wst"
report $? "the same program, the same bytes"
trace "$tmp/again.wst" -- "$bin/events"
cmp -s "$tmp/events.wst" "$tmp/again.wst"
report $? "the same bytes of launches that wait for the program, too"
t=$tmp/ndrange.wst
[ "$(property "$t" "launch 4" grid) $(property "$t" "launch 4" block)" = "3 5 3 16 4 2" ]
report $? "ndrange: grid and block of three dimensions"
[ "$(property "$t" "launch 6" grid) $(property "$t" "launch 6" block)" = "1 4 6 48 5 1" ]
report $? "ndrange: groups left to OpenCL"
[ "$(property "$t" "launch 8" kernel) $(property "$t" "launch 8" ctas)" = "task 1" ]
report $? "ndrange: a task"
t=$tmp/args.wst
[ "$(property "$t" "launch 4 array from" base)" != "$(property "$t" "launch 4 array to" base)" ] &&
	[ "$(property "$t" "launch 4 array to" bytes)" = 2048 ]
report $? "args: sub-buffers are arrays of their own"
[ -z "$(property "$t" "launch 5 array to" base)" ]
report $? "args: but those of the same place are one"
t=$tmp/atomics.wst
[ "$(property "$t" "launch 1" shared_bytes)" = 64 ] &&
	[ "$(property "$t" "launch 1" atomic_accesses)" = 512 ]
report $? "atomics: local memory and atomics"
"$tool" predict -m gtx480 "$tmp/fallback.wst" >"$tmp/out" 2>"$tmp/err"
report $? "the trace can be predicted from" "$tmp/err"
[ "$(awk -F '\t' '!/^#/ && NR > 2 { print $1 }' "$tmp/out" | sort -u | tr '\n' ' ')" != "" ]
report $? "and has its kernels"
for machine in v100 gtx480; do
	timeout 300 "$tool" trace --app -m $machine -o "$tmp/gpu.wst" -- "$bin/gpu" >"$tmp/$machine" 2>&1
done
grep -q 'device: .*V100' "$tmp/v100" && grep -q 'device: .*GTX 480.* 15 units, groups of 1024' "$tmp/gtx480"
report $? "the device is the machine" "$tmp/v100"

# ---- images ------------------------------------------------------------------------------------

t=$tmp/images.wst
[ "$(property "$t" "launch 5 array in" bytes)" = 6144 ] &&
	[ "$(property "$t" "launch 5 instruction 0" load)" = "texture 1 bytes, array in, at program-1.cl:28" ] &&
	[ "$(property "$t" "launch 5" load_accesses)" = $((8 * 96 * 64 - 6 * 96 - 6 * 64 + 4)) ]
report $? "sobel: eight loads of each work-item, but for texels outside"
"$tool" info "$t" | grep -q 'launch 6 instruction 1	load	texture 8 bytes, array in, '
report $? "an image of a buffer"
trace "$tmp/again.wst" -- "$bin/images"
cp "$tmp/out" "$tmp/images.out"
cmp -s "$t" "$tmp/again.wst"
report $? "images: the same program, the same bytes"
trace "$tmp/tiled.wst" --images block-linear -- "$bin/images"
[ "$(property "$tmp/tiled.wst" "launch 5 array in" bytes)" = 8192 ] && cmp -s "$tmp/out" "$tmp/images.out"
report $? "--images block-linear: the same results, whole tiles"
[ "$(property "$tmp/tiled.wst" trace accesses)" = "$(property "$t" trace accesses)" ]
report $? "and as many accesses"
OPENCL_LAYERS=$layer WARPSTACK_TRACE=$tmp/fail.wst WARPSTACK_IMAGES=tiled "$bin/vadd" >"$tmp/out" 2>"$tmp/err"
grep -q 'WARPSTACK_IMAGES=tiled: want row-major or block-linear' "$tmp/err"
report $? "WARPSTACK_IMAGES=tiled is refused" "$tmp/err"

# ---- accesses out of bounds ------------------------------------------------------------------

trace "$tmp/outside.wst" -- "$bin/outside" null
report "$(differ "$(launches "$tmp/outside.wst")" 2)" "loads through NULL are traced" "$tmp/err"
[ "$(grep -c 'out of bounds' "$tmp/err")" = 2 ] && grep -q right "$tmp/out" &&
	grep -q 'program-1.cl:4: out of bounds in kernel past: 3 loads, first work-item (253,0,0) ' "$tmp/err" &&
	grep -q 'program-1.cl:6: .* 256 loads, .* at byte 0 of argument none, which is NULL' "$tmp/err"
report $? "they are told of, once a line" "$tmp/err"
trace "$tmp/ignore.wst" --out-of-bounds ignore -- "$bin/outside" null
! grep -q 'out of bounds' "$tmp/err" && cmp -s "$tmp/outside.wst" "$tmp/ignore.wst"
report $? "--out-of-bounds ignore: the same trace, and nothing is told" "$tmp/err"
trace "$tmp/fail.wst" --out-of-bounds fail -- "$bin/fallback"
report "$(differ "$(launches "$tmp/fail.wst")" 5)" "--out-of-bounds fail: the launch is left to the platform" "$tmp/err"
OPENCL_LAYERS=$layer WARPSTACK_TRACE=$tmp/fail.wst WARPSTACK_OUT_OF_BOUNDS=maybe "$bin/vadd" >"$tmp/out" 2>"$tmp/err"
grep -q 'WARPSTACK_OUT_OF_BOUNDS=maybe: want fail, record or ignore' "$tmp/err"
report $? "WARPSTACK_OUT_OF_BOUNDS=maybe is refused" "$tmp/err"

# ---- a part of what a program does -----------------------------------------------------------

trace "$tmp/part.wst" --launches 3 -- "$bin/many" 50
report "$(differ "$(launches "$tmp/part.wst")" 3)" "--launches 3" "$tmp/err"
trace "$tmp/part.wst" --launches 10:19 --kernel odd -- "$bin/many" 50
status=$?
report "$(differ "$status $(launches "$tmp/part.wst")" "0 10")" "--launches 10:19 --kernel odd" "$tmp/err"
[ "$(property "$tmp/part.wst" "launch 10" kernel)" = odd ] && grep -q right "$tmp/out"
report $? "of that kernel alone, and the results are right" "$tmp/out"
trace "$tmp/part.wst" --ctas 5 --launches 4 -- "$bin/many" 50
grep -q right "$tmp/out" && [ "$(property "$tmp/part.wst" "launch 4" grid)" = "5 1 1" ] &&
	grep -q '4 launches of 2 kernels traced (4 of them in part)' "$tmp/err"
report $? "--ctas 5" "$tmp/err"
trace "$tmp/part.wst" -q -- "$bin/many" 500
report $? "1000 launches" "$tmp/err"
[ ! -s "$tmp/err" ]
report $? "-q says nothing" "$tmp/err"
report "$(differ "$(launches "$tmp/part.wst")" 1000)" "all are traced"

# ---- groups that wait for each other: grid.c ---------------------------------------------------------

# The platform might wait for ever: 120 groups are what the machine holds, without it two may be too many.
trace "$tmp/grid.wst" -- "$bin/grid" 120
status=$?
report "$(differ "$status $(launches "$tmp/grid.wst") $(grep -c right "$tmp/out")" "0 1 1")" "a barrier over 120 groups" "$tmp/err"
[ "$(property "$tmp/grid.wst" "launch 1" ctas)" = 120 ]
report $? "of which all are traced"
OPENCL_LAYERS=$layer WARPSTACK_MACHINE=gtx480 WARPSTACK_TRACE=$tmp/grid.wst timeout -s KILL 20 "$bin/grid" 121 \
	>"$tmp/out" 2>"$tmp/err" &
# It is over when the line is there: the platform turns on all processors until it is killed.
left='left to the platform.*program-1.cl:5: kernel turns: work-item (0,0,0) waits here for ever'
until grep -q "$left" "$tmp/err" || ! kill -0 $! 2>/dev/null; do
	sleep 0.1
done
kill $! 2>/dev/null
wait $! 2>/dev/null
grep -q "$left" "$tmp/err"
report $? "121 groups are left to the platform, with the line where they wait" "$tmp/err"

trace "$tmp/grid.wst" -- "$bin/grid" early
[ "$(grep -c 'program-1.cl:[0-9]*: kernel early: not all work-items of a group reach this barrier' "$tmp/err")" = 1 ] &&
	grep -q right "$tmp/out"
report $? "a barrier that not all work-items reach is told of once" "$tmp/err"
[ "$("$tool" info "$tmp/grid.wst" | grep -c '^launch [123] barrier program-1.cl:[0-9]*	threads_ended_before	56')" = 3 ]
report $? "and is in the trace of each launch"

# ---- programs that do not end well ---------------------------------------------------------------

trace "$tmp/none.wst" -- "$tmp/nothing"
report $(($? != 3)) "no program" "$tmp/err"
trace "$tmp/none.wst" -- true
status=$?
grep -q 'no trace: it did not come to use OpenCL' "$tmp/err"
report $((status + $?)) "a program without OpenCL" "$tmp/err"
trace "$tmp/none.wst" -- sh -c "$bin/vadd & wait; kill -9 \$\$"
status=$?
report $((status != 1)) "killed after its trace was complete: exit 1, not $status" "$tmp/err"
rm -f "$tmp/none.wst"
trace "$tmp/none.wst" --kernel nosuch -- "$bin/vadd"
report $(($? != 3)) "no launch of that name" "$tmp/err"
"$tool" trace --app -- "$bin/vadd" >"$tmp/out" 2>"$tmp/err"
report $(($? != 2)) "--app wants -o"
"$tool" trace --launches 3 data/kernel/mm-16x8.launch -o "$tmp/none.wst" 2>"$tmp/err"
report $(($? != 2)) "--launches wants --app"
trace "$tmp/none.wst" --launches 3:1 -- "$bin/vadd"
report $(($? != 2)) "--launches 3:1 is refused" "$tmp/err"

# ---- what programs do with themselves: process.c ---------------------------------------------------

# how, warpstack's exit code, launches in the trace
ulimit -c 0
while read -r how code traced; do
	rm -f "$tmp/own.wst"
	printf '1\n2\n' | (cd "$tmp" && timeout 300 "$tool" trace --app -m gtx480 -o own.wst -- \
		"$bin/process" "$how") >"$tmp/out" 2>"$tmp/err"
	report "$(differ "$?" "$code")" "process $how: exit $code" "$tmp/err"
	report "$(differ "$(launches "$tmp/own.wst")" "$traced")" "process $how: $traced launches" "$tmp/err"
	! grep -q WRONG "$tmp/out" && grep -q right "$tmp/out"
	report $? "process $how: results are right" "$tmp/out"
	grep -q 'overhead: [0-9.]* of [0-9.]* s' "$tmp/err"
	report $? "process $how: the overhead is printed" "$tmp/err"
done <<END
closed 0 3
closes 0 4
elsewhere 0 3
forks 0 3
orphan 0 3
exec 0 3
execs 0 3
lines 0 1
code 1 3
_exit 0 3
quick 0 3
abort 1 3
kill 1 3
END
grep -q 'killed by signal 9 .*; the trace has the 3 launches that had ended' "$tmp/err"
report $? "how the program ended is told" "$tmp/err"

# how, signal to warpstack, its exit code; signals do what they usually do, under nohup too
while read -r how number code; do
	rm -f "$tmp/own.wst" "$tmp/out"
	env --default-signal=HUP,TERM "$tool" trace --app -m gtx480 -o "$tmp/own.wst" -- \
		"$bin/process" "$how" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	while ! grep -q ready "$tmp/out" 2>/dev/null && kill -0 $pid 2>/dev/null; do
		sleep 0.05
	done
	kill "-$number" $pid
	wait $pid 2>/dev/null
	report "$(differ "$? $(launches "$tmp/own.wst")" "$code 3")" \
		"process $how, signal $number: exit $code, and a trace" "$tmp/err"
done <<END
wait TERM 143
wait HUP 129
catch TERM 1
END
report "$(differ "$(find "$tmp" -name 'own.wst?*')" "")" "nothing is left beside the traces"

OPENCL_LAYERS=$layer "$bin/vadd" >"$tmp/out" 2>"$tmp/err"
report $? "the layer without a trace to write"
OPENCL_LAYERS=$layer WARPSTACK_TRACE=$tmp/own.wst "$bin/vadd" >"$tmp/out" 2>"$tmp/err"
cmp -s "$tmp/vadd.wst" "$tmp/own.wst"
report $? "the layer by itself writes the same trace" "$tmp/err"
echo "1..$n"
exit $bad
