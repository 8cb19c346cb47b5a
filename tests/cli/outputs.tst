# What a command writes takes the place of a file when it is complete, and of no file that it reads.
0 printf '0 0\n0 40\n1 80\n' >a.din; printf 'base = gtx480\nl1.ways = 8\n' >my.conf; warpstack convert a.din -q -o a.wst
	=> -

# Files that are read and are no operand.
2 warpstack predict a.din -m my.conf -o ./my.conf
	=> /--output=\./my\.conf is my\.conf, which the machine reads: want another file/
2 ln my.conf hard; warpstack predict a.din -m my.conf -o hard => /--output=hard is my\.conf, which/
2 warpstack sweep a.din --vary machine=gtx480,my.conf -o my.conf
	=> /--output=my\.conf is my\.conf, which the machine reads/
2 warpstack machine my.conf --conf -o hard => /--output=hard is the input too/
2 mkdir own own/machine; cp my.conf own/machine/mine.conf;
	WARPSTACK_DATA=own warpstack machine mine --conf -o own/machine/mine.conf
	=> /is own.machine.mine\.conf, which the machine reads/
0 cat my.conf own/machine/mine.conf | grep -c ways => ~^2$~
2 warpstack convert -o a.din <a.din => /--output=a\.din is the input too/
2 warpstack convert -o a.din - <a.din => /--output=a\.din is the input too/
0 printf '__kernel void k(__global int *a){a[get_global_id(0)]=1;}\n' >k.cl; printf 'abcd' >in.bin;
	printf '\001\0\0\0' >want.bin; printf 'source = k.cl\n[buffers]\na = int 1 file in.bin\n[launch]\nkernel =
	k\nglobal = 1\nlocal = 1\nargs = a\n[check]\na = want.bin\n' >k.launch; echo => -
2 warpstack trace k.launch -o k.cl => /--output=k\.cl is k\.cl, which k\.launch reads: want another file/
2 warpstack trace k.launch -o in.bin => /--output=in\.bin is in\.bin, which k\.launch reads/
2 warpstack trace k.launch -o ./want.bin => /--output=\./want\.bin is want\.bin, which k\.launch reads/
2 warpstack predict k.launch -o in.bin => /--output=in\.bin is in\.bin, which k\.launch reads/
2 warpstack profile k.launch -o k.cl => /--output=k\.cl is k\.cl, which k\.launch reads/
2 warpstack simulate k.launch --cycles --timeline in.bin => /--timeline=in\.bin is in\.bin, which k\.launch reads/
2 warpstack softcache k.launch --transform --trace k.cl => /--trace=k\.cl is k\.cl, which k\.launch reads/
2 warpstack info k.launch -o want.bin => /--output=want\.bin is want\.bin, which k\.launch reads/
2 warpstack trace k.cl --kernel k --global 1 --local 1 --arg a=buffer:int:1:file:in.bin -o in.bin
	=> /--output=in\.bin is in\.bin, which the program reads/
2 warpstack trace k.cl --kernel k --global 1 --local 1 --arg a=buffer:int:1 --check a=want.bin -o want.bin
	=> /--output=want\.bin is want\.bin, which the program reads/
0 mkdir inc; printf '#include "one.h"\n  # include <two.h>\n#include NONE\n__kernel void k(__global int
	*a){a[0]=ONE;}\n' >i.cl; printf '#define ONE 1\n#include "inc/three.h"\n' >one.h; : >inc/two.h;
	printf '#include "../one.h"\n#include "three.h"\n' >inc/three.h;
	sed 's/k.cl/i.cl\noptions = -cl-fast-relaxed-math -I inc/' k.launch >i.launch; ls inc | wc -l => ~^2$~
2 warpstack trace i.launch -o ./one.h => /--output=\.\/one\.h is one\.h, which i\.launch reads: want another file/
2 warpstack predict i.launch -o inc/two.h => /--output=inc.two\.h is inc.two\.h, which i\.launch reads/
2 warpstack profile i.launch -o inc/three.h => /--output=inc.three\.h is inc.three\.h, which i\.launch reads/
2 warpstack trace i.cl --kernel k --global 1 --local 1 --build '-Iinc' --arg a=buffer:int:1 -o inc/two.h
	=> /--output=inc.two\.h is inc.two\.h, which the program reads/
0 wc -c <in.bin; grep -c kernel k.cl; wc -c <want.bin => ~^4$~
0 mkdir g; warpstack convert a.wst --to accel-sim -o g/kernelslist.g; ls g | tr '\n' ' '
	=> ~^kernel-1\.traceg kernelslist\.g $~
2 warpstack convert g/kernelslist.g -o g/kernel-1.traceg
	=> /--output=g.kernel-1\.traceg is g.kernel-1\.traceg, which g.kernelslist\.g reads/
2 cp g/kernelslist.g g/other.g; warpstack convert g/other.g -q --to accel-sim -o g/kernelslist.g
	=> /--output=g.kernelslist\.g replaces g.kernel-1\.traceg, which is read: want another folder or name/
2 warpstack convert g/kernel-1.traceg -q --to accel-sim -o g/kernelslist.g
	=> /replaces g.kernel-1\.traceg, which is read/
0 warpstack convert g/other.g -q --to accel-sim -o g/third.g; ls g | tr '\n' ' '
	=> ~^kernel-1-third\.traceg kernel-1\.traceg kernelslist\.g other\.g third\.g $~

# Two outputs.
2 warpstack simulate a.wst --cycles -o ./f --timeline f
	=> /--output=\./f is --timeline too|--timeline=f is --output too/
2 mkdir d; warpstack simulate a.wst --cycles -o d/../f --timeline f => /too: want another file/
2 ln -s f soft; warpstack simulate a.wst --cycles -o soft --timeline f => /too: want another file/
2 ln -s "$PWD" here; warpstack simulate a.wst --cycles -o here/f --timeline f => /too: want another file/
0 warpstack simulate a.wst --cycles -o f --timeline d/f; ls f d/f | tr '\n' ' ' => ~^d/f f $~
0 warpstack -q 2>/dev/null; warpstack simulate a.wst --cycles -o /dev/null --timeline /dev/null => -

# Modes, links, names.
0 : >m; chmod 640 m; warpstack convert a.din -q -o m; stat -c %a m => ~^640$~
0 (umask 027; warpstack convert a.din -q -o new); stat -c %a new => ~^640$~
0 : >target; chmod 600 target; ln -s target link; warpstack convert a.din -q -o link; cmp target a.wst &&
	readlink link && stat -c %a target => ~^600$~
0 ln -s d/made dangling; warpstack convert a.din -q -o dangling; cmp d/made a.wst && readlink dangling => ~^d/made$~
0 ln -s ../m d/up; warpstack convert a.din -q -o d/up; readlink d/up && stat -c %a m => ~^640$~
4 ln -s loop loop; warpstack convert a.din -q -o loop => /loop: Too many levels of symbolic links/
4 warpstack convert a.din -q -o no/such => /no.such: No such file or directory/
4 warpstack convert a.din -q -o d/ => /d/: is a directory/
0 n=$(printf %0255d 0); warpstack convert a.din -q -o $n; warpstack convert a.din -q -o $n; cmp $n a.wst && rm $n &&
	echo same => ~^same$~
4 warpstack convert a.din -q -o $(printf %0256d 0) => /File name too long/
0 mkdir full; cd full; warpstack convert ../a.din -q -o x; warpstack convert ../a.din -q -o x;
	warpstack convert ../a.din -q --no-sync -o x; ls -A | tr '\n' ' ' => ~^x $~

# In place.
0 warpstack convert a.din -q -o /dev/stdout | cmp - a.wst && echo same => ~^same$~
0 (echo before; warpstack predict a.din -q -o /dev/stdout; echo after) >all; head -n 1 all; tail -n 1 all;
	ls -l /dev/stdout | grep -c proc => ~^before$~
0 (echo before; warpstack policies -o /dev/fd/3) 3>&1 >/dev/null => ~^policy~
0 mkfifo pipe; cat pipe >got & warpstack convert a.din -q -o pipe; wait; cmp got a.wst && test -p pipe && echo same
	=> ~^same$~
4 warpstack convert a.din -q -o /dev/full => /\/dev\/full: No space left on device/

# A command that fails leaves the files of an older list as they were.
0 i=0; while [ $i -lt 99 ]; do echo 0 $i; i=$((i+1)); done >tail; (printf '0 0\n4 0\n'; cat tail) >two.din; mkdir l;
	warpstack convert two.din -q --to accel-sim -o l/kernelslist.g; cat l/* | cksum >before; wc -l <l/kernelslist.g
	=> ~^2$~
4 (printf '0 0\n0 0\n4 0\n'; cat tail tail) >two.din; ulimit -f 8;
	warpstack convert two.din -q --to accel-sim -o l/kernelslist.g => /File too large/
0 cat l/* | cksum | cmp - before; ls -A l | tr '\n' ' ' => ~^kernel-1\.traceg kernel-2\.traceg kernelslist\.g $~
0 warpstack convert two.din -q --to accel-sim -o l/kernelslist.g; cat l/* | cksum | cmp -s - before || echo new
	=> ~^new$~

# An input that is cut off while it is read: the command waits for the pipe's reader with the trace open.
3 mkfifo late; cp a.wst cut.wst; timeout 20 warpstack simulate cut.wst --cycles --timeline late -o cut.tsv & sleep .5;
	: >cut.wst; timeout 9 cat late >rest; wait $! => /cut\.wst: became shorter while it was read/
1 ls cut.tsv 2>/dev/null || { echo warpstack: >&2; false; } => -
# What comes from a pipe is kept in TMPDIR.
4 TMPDIR=/nowhere; export TMPDIR; cat a.wst | warpstack predict => /no temporary file in \/nowhere: No such file/
0 mkdir t; cat a.wst | TMPDIR=t warpstack convert -q | cmp - a.wst && ls -A t | wc -l => ~^0$~

# A program that is traced ends with who traces it.
0 ?llvm gone() { case $(cut -d ' ' -f 3 /proc/$1/stat 2>/dev/null) in '' | Z) true ;; *) false ;; esac; };
	warpstack trace -q --app -o app.wst -- sh -c 'echo $$ >pid; exec sleep 99' & for i in $(seq 100); do
	[ -s pid ] && break; sleep .05; done; kill -KILL $!; for i in $(seq 100); do gone $(cat pid) && break;
	sleep .05; done; wait $!; gone $(cat pid) && ls -A | grep -c app.wst || echo gone => ~^gone$~
3 ?llvm warpstack trace --app -o app.wst -- ./nothing => /\.\/nothing: No such file/
