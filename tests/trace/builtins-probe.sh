#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Does data/opencl/builtins.cl have every built-in, under the name clang calls it by?
#
# clang's own header opencl-c.h lists all built-ins at all types.  A function
# that calls each of them is generated from it, compiled as kernels are, linked
# with the library, and must leave no mangled name undefined.  Left out: images of depths, of several
# samples, both read and written, and with mip-maps; printf, sub-groups, vendors' functions, and
# half as a type.
#
# Then builtins/check.cl, known answers, is run on the host, and so is builtins/table.def: the
# value of each built-in, at every type and width the header has, against a reference.
set -u
cd "$(dirname "$0")/../.." || exit 1
lib=$(realpath "${CHECK_O:?}")/builtins.bc # as it is in the plug-in; -Werror in CFLAGS was its compiler's, too
. tests/tap.sh
for tool in clang-19 llvm-link-19 llvm-nm-19 opt-19; do
	command -v $tool >/dev/null || skip built-ins "no $tool"
done
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM # sh ends without EXIT else
flags="-x cl -cl-std=CL1.2 -target x86_64-pc-linux-gnu -Xclang -ffake-address-space-map \
	-O1 -Xclang -disable-llvm-passes -emit-llvm"

[ -s "$lib" ]
report $? "the library was compiled"

# One declaration a line: RESULT NAME(TYPE, ...).
clang-19 -E -P -x cl -cl-std=CL1.2 -target x86_64-pc-linux-gnu -Xclang -ffake-address-space-map \
	-include opencl-c.h /dev/null | tr '\n' ' ' | tr ';' '\n' |
	grep '__attribute__((overloadable))' |
	sed 's/#pragma OPENCL EXTENSION [a-z_0-9]* : [a-z]*//g; s/__attribute__(([a-z_]*))//g
		s/[ \t][ \t]*/ /g; s/^ //' |
	grep -v -e depth_t -e msaa -e read_write -e read_imageh -e write_imageh -e ' lod' -e gradient \
		-e num_mip_levels -e sub_group -e amd_ -e intel_ -e __attribute__ |
	sort -u >"$tmp/declarations"

# half counts where memory is converted, not as a type.
awk '/[^_a-z]half[0-9]* / && !/ v(load|store)a?_half/ { next }
	/^half/ || /[(, ]half[0-9]*[,) ]/ && !/ v(load|store)a?_half/ { next } { print }' \
	"$tmp/declarations" >"$tmp/wanted"

awk '{
	open = index($0, "("); close_ = length($0)
	while (substr($0, close_, 1) != ")") close_--
	head = substr($0, 1, open - 1); inside = substr($0, open + 1, close_ - open - 1)
	sub(/ +$/, "", head)
	name = head; sub(/.* /, "", name)
	result = substr(head, 1, length(head) - length(name))
	count = split(inside, part, ",")
	formal = ""; actual = ""
	for (i = 1; i <= count; i++) {
		type = part[i]
		gsub(/^ +| +$/, "", type)
		if (type == "void" || type == "") { formal = "void"; break }
		# A parameter may have a name: two words, the last no type.
		if (type ~ /\*[ a-z_0-9]*$/) sub(/\*.*/, "*", type)
		else if (type ~ /_only /) { split(type, word, " "); type = word[1] " " word[2] }
		else if (type ~ /^(const )?[a-z0-9_]+ [a-z0-9_]+$/ && type !~ /^const [a-z0-9_]+$/)
			sub(/ [a-z0-9_]+$/, "", type)
		formal = formal (i > 1 ? ", " : "") type " a" i
		actual = actual (i > 1 ? ", " : "") "a" i
	}
	printf "%s call_%d(%s) { %s%s(%s); }\n", result, NR, formal,
		result ~ /^void *$/ ? "" : "return ", name, actual
}' "$tmp/wanted" >"$tmp/probe.cl"

calls=$(wc -l <"$tmp/probe.cl")
[ "$calls" -gt 7000 ]
report $? "the header lists $calls built-ins (want more than 7000)"
clang-19 $flags -Wno-psabi -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins \
	-c "$tmp/probe.cl" -o "$tmp/probe.bc" 2>"$tmp/log"
report $? "a call of each compiles: $(grep -m 1 error "$tmp/log")"
llvm-link-19 "$tmp/probe.bc" "$lib" -o "$tmp/all.bc" 2>"$tmp/log"
report $? "they link: $(head -1 "$tmp/log")"
llvm-nm-19 --undefined-only "$tmp/all.bc" 2>/dev/null | awk '{ print $NF }' >"$tmp/undefined"
missing=$(grep -c '^_Z' "$tmp/undefined")
[ "$missing" -eq 0 ]
report $? "none is missing: $missing $(grep '^_Z' "$tmp/undefined" | head -5 | tr '\n' ' ')"
echo "# taken from outside: $(grep -v '^_Z' "$tmp/undefined" | tr '\n' ' ')"
grep -q '^__ws_ctx$' "$tmp/undefined" && grep -q '^__ws_barrier$' "$tmp/undefined"
report $? "context and barrier are the engine's"

clang-19 $flags -Wno-psabi -ffp-contract=off -Xclang -finclude-default-header \
	-Xclang -fdeclare-opencl-builtins -Xclang -mlink-builtin-bitcode -Xclang "$lib" \
	-c tests/trace/builtins/check.cl -o "$tmp/check.bc" 2>"$tmp/log" &&
	clang-19 -O1 -Wno-override-module -c "$tmp/check.bc" -o "$tmp/check.o" 2>>"$tmp/log" &&
	clang-19 -O1 -std=c11 -frounding-math -I. -D_GNU_SOURCE tests/trace/builtins/host.c \
		base/random.c base/number.c "$tmp/check.o" -lm -o "$tmp/check" 2>>"$tmp/log"
report $? "the known answers compile: $(grep -m 1 error "$tmp/log")"
if [ -x "$tmp/check" ]; then
	"$tmp/check" >"$tmp/answers"
	sed -e '/^1\.\./d' -e 's/^/# /' "$tmp/answers"
	! grep -q '^not ok' "$tmp/answers"
	report $? "the known answers are right: $(grep -m 1 '^not ok' "$tmp/answers")"
fi

# device NAME PASSES FLAG: builtins/device.cl as it is and, linked with the library, as an object.
# Fast to compile matters more than fast: -O1 would take four times as long.  What is short before it is
# inlined everywhere is inlined sooner; conversions are right without it.  Others are not: a vector of three
# doubles is returned in part on the x87's stack, which makes a signalling NaN a quiet one.
device() {
	clang-19 $flags -Wno-psabi -ffp-contract=off -Xclang -finclude-default-header \
		-Xclang -fdeclare-opencl-builtins $3 -c tests/trace/builtins/device.cl -o "$tmp/$1.bc" &&
		llvm-link-19 --only-needed --internalize "$tmp/$1.bc" "$lib" -o "$tmp/$1-all.bc" &&
		opt-19 -passes="function(sroa,early-cse,simplifycfg)$2" \
			"$tmp/$1-all.bc" -o "$tmp/$1-short.bc" &&
		clang-19 -O0 -Xclang -disable-llvm-passes -Wno-override-module -c "$tmp/$1-short.bc" \
			-o "$tmp/$1.o"
}
called() {
	llvm-nm-19 --undefined-only "$@" 2>/dev/null | awk '/ _Z/ { print $NF }' | sort -u
}
device conversions "" -DCONVERSIONS 2>"$tmp/log2" &
device others ',always-inline,globaldce,function(sroa)' '' 2>"$tmp/log"
status=$?
wait $! && [ $status -eq 0 ]
report $? "the table compiles: $(cat "$tmp/log" "$tmp/log2" | grep -m 1 error)"
clang-19 $flags -Wno-psabi -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins \
	-c tests/trace/builtins/check.cl -o "$tmp/known.bc" 2>/dev/null
called "$tmp/probe.bc" | grep -v ocl_image >"$tmp/listed" # t-images tests those
called "$tmp/conversions.bc" "$tmp/others.bc" "$tmp/known.bc" >"$tmp/tested"
untested=$(comm -23 "$tmp/listed" "$tmp/tested")
[ -z "$untested" ]
report $? "each of the header's $(wc -l <"$tmp/listed") is tested: $(echo $untested | cut -c 1-200)"
# The table names vloadn vload; so are the others.
sed 's/ *(.*//; s/.*[ *]//; s/_rt[eznp]$//; s/^convert_.*/convert/
	s/^\(v[a-z]*_half\|vload\|vstore\)[0-9]*$/\1/' "$tmp/wanted" | grep -v image | sort -u >"$tmp/names"
sed -n 's/^BUILTIN([^,]*, \([a-z0-9_]*\),.*/\1/p' tests/trace/builtins/table.def |
	sort -u >"$tmp/rows"
absent=$(comm -23 "$tmp/names" "$tmp/rows")
[ -z "$absent" ]
report $? "each of its $(wc -l <"$tmp/names") names has a row in table.def: $(echo $absent)"

if ! printf '#include <quadmath.h>\nint main(void) { return (int)sqrtq(0); }\n' |
	gcc -x c - -lquadmath -o "$tmp/quad" 2>/dev/null; then
	n=$((n + 1))
	echo "ok $n - values of the table # SKIP no gcc with libquadmath"
elif gcc -O1 -std=gnu11 -I. tests/trace/builtins/values.c tests/trace/builtins/reference.c \
	tests/trace/builtins/structured.c base/random.c base/number.c "$tmp/conversions.o" \
	"$tmp/others.o" -rdynamic -o "$tmp/values" -lquadmath -lm -ldl 2>"$tmp/log"; then
	"$tmp/values" >"$tmp/answers"
	status=$?
	sed -n -e 's/^# //' -e '/^ok/!s/^/# /p' "$tmp/answers"
	[ $status -eq 0 ]
	report $? "the table's values are right: $(grep -m 1 -e '^not ok' -e '^Bail' "$tmp/answers")"
else
	report 1 "the values compile: $(grep -m 1 -e "error:" -e "undefined" -e multiple "$tmp/log")"
fi
echo "1..$n"
exit $bad
