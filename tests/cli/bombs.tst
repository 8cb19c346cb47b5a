# Small files that claim much: cost follows content, or a limit has a message.  Each would take seconds to years.
0 header() { printf -- '-kernel name = k\n-grid dim = (%s)\n-block dim = (1024,1,1)\n-shmem = 0\n-nregs = 8\n-accelsim
	tracer version = 5\n-enable lineinfo = 0\n\n#traces format = x\n' "$1";
	printf '#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %s\n0010 00000001 1 R0 LDG.E 0 4 2 0x0 0 \n#END_TB\n'
	"$2"; }; header 16777216,1,1 1 >ctas.traceg; header 2147483647,65535,65535 1 >grid.traceg;
	header 1,1,1 18446744073709551615 >insts.traceg; header 260000,1,1 1 >good.traceg; wc -c <ctas.traceg => -
3 timeout 5 warpstack predict -q ctas.traceg => /ctas\.traceg:15: launch 0 of 16777216 CTAs: 16777215 of them do
	nothing, want at most 263168 in a file with 1 that do something/
0 timeout 9 warpstack predict -q good.traceg | tail -n 1 | cut -f 2,10 => ~^k	1$~
3 timeout 5 warpstack predict -q grid.traceg => /launch 0: a grid of 2147483647x65535x65535 CTAs/
3 timeout 5 warpstack predict -q insts.traceg => /has 1 instructions, but insts = 18446744073709551615/
3 printf 'good.traceg\ngood.traceg\ngood.traceg\n' >list.g; timeout 5 warpstack predict -q list.g
	=> /good\.traceg:9: launch 1 of 260000 CTAs: 259999 of them do nothing/
3 printf 'blocksize: 32 1 1\n16000000 0 0 4\n' >n.txt; timeout 5 warpstack predict -q --from nugteren n.txt
	=> /launch 0 of 500001 CTAs: 500000 of them do nothing/
# The same byte over and over, packed into next to nothing; lines that are empty.
3 command -v zstd >/dev/null || { echo 'warpstack: 16384 times what is packed' >&2; exit 3; };
	head -c 50000000 /dev/zero | zstd -q >z.zst; timeout 9 warpstack predict -q --from oracle-general z.zst
	=> /16384 times what is packed/
3 head -c 20000000 /dev/zero | tr '\0' '\n' | gzip -9 >y.gz; timeout 5 warpstack predict -q --from din y.gz
	=> /y\.gz:16777217: 16777216 empty lines, want fewer/
0 printf '__kernel void k(__global int *a){}\n' >k.cl; for r in 1000000000000000000 1000000 600000; do
	printf 'source = k.cl\n[buffers]\na = int 1\n[launch]\nkernel = k\nglobal = 1\nlocal = 1\nargs = a\nrepeat =
	%s\n' $r >$r.launch; done; cat 600000.launch >two.launch; sed -n '/launch/,$p' 600000.launch >>two.launch; ls
	=> -
3 timeout 5 warpstack info 1000000000000000000.launch => /'1000000000000000000': want a number from 1 to 1000000/
3 timeout 5 warpstack info two.launch
	=> /two\.launch:10: 1200000 launches so far, repeated ones counted: want at most 1000000/
3 timeout 5 warpstack predict -q two.launch => /two\.launch:10: 1200000 launches so far/
3 printf 'source = k.cl\n[buffers]\na = int 1\n[launch]\nkernel = k\nglobal = 1099511627776 4096\nlocal = 1 1\nargs =
	a\n' >grid.launch; timeout 5 warpstack predict -q grid.launch => /4503599627370496|CTAs|grid/
3 printf 'source = k.cl\n[buffers]\na = int 64G\n[launch]\nkernel = k\nglobal = 1\nlocal = 1\nargs = a\n'
	>buffer.launch; timeout 5 warpstack predict -q buffer.launch => /buffer/

# Devices without an end do not fill the disk.
3 warpstack pchase infer /dev/zero => /^warpstack: \/dev\/zero: a device that gives over 256 MiB: want a file or a
	pipe$/
