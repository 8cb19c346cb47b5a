# SPDX-License-Identifier: GPL-3.0-or-later
# Pointer chasing.  See tests/cli/run.
# The P100's texture L1, as it was measured: 24 KB, 4 sets of 192 lines of 32 bytes, by bits 7-8, LRU.
0 warpstack pchase infer -m p100 --no-provenance --columns property,value | sed '1,4d' | tr '\n\t' ' ='
	=> ~^sector=32 line=32 ways=192 hash=bits:7-8 sets=4 size=24576 policy=lru~
0 warpstack pchase infer -m gtx480 --no-provenance --where property=latency --columns value | tr '\n' ' ' => ~^value 35 155 255 $~
0 warpstack pchase infer -m gtx480 --set l1.policy=prob:1/6,1/2,1/6,1/6 --jitter 0.05 --outliers 0.002 --where property=policy
	--no-provenance --columns value,determined => ~^prob:1,3,1,1	yes$~
0 warpstack pchase infer -m gtx480 --seed 3 --jitter 0.05 --outliers 0.002 >a && warpstack pchase infer -m gtx480 --seed 3
	--jitter 0.05 --outliers 0.002 | cmp - a => -
# Without an L1 it is the L2.
0 warpstack pchase infer -m gtx480 --set l1.size=0 --no-provenance --where property=latency --columns value | tr '\n' ' '
	=> ~^value 155 255 $~
0 warpstack pchase infer -m gtx480 --set l1.size=0 --no-provenance --where property=size --columns value => ~^786432$~
2 warpstack pchase conf -m gtx480 --set l1.size=0 => /gtx480 has no L1/
# What is not determined has no value, and that is no failure.
0 warpstack pchase infer -m gtx480 --loads 5000 --no-provenance --columns property,value,determined | tr '\n\t' ' ='
	=> /5000 loads did not suffice|[0-9]+ loads did not suffice: what is not determined wants more \(--loads\)$/
0 warpstack pchase infer -q -m gtx480 --loads 5000 --no-provenance --columns property,value,determined | tr '\n\t' ' ='
	=> ~sector==no line==no ways==no hash==no sets==no size==no policy==no~
0 warpstack pchase trace -m gtx480 --array 256 --stride 64 --no-provenance | tr '\n\t' ' ,'
	=> ~ 0,0,0,255 1,0,64,35 2,0,128,255 3,0,192,35 4,1,0,35 5,1,64,35 6,1,128,35 7,1,192,35 $~
# A machine of which only the latencies of a chase are known has the same L1.
0 warpstack pchase conf -m p100 -o p.conf && warpstack machine p.conf --no-provenance --columns key,value | grep '^l1.[slwh]' >a
	&& warpstack machine p100 --no-provenance --columns key,value | grep '^l1.[slwh]' |
	sed s,matrix:80/100,bits:7-8, | diff - a => -
0 head -n 3 p.conf | tr '\n' ' ' => ~dependent loads say\. # sector 32, certainty 1\.0000 # line 32, certainty 0\.99~
0 warpstack pchase conf -q -m gtx480 --loads 5000 => ~# ways was not determined: the value is not measured~
2 warpstack pchase guess => /'guess': want infer, trace or conf; try 'warpstack pchase --help'$/
2 warpstack pchase => /try 'warpstack pchase --help'$/
2 warpstack pchase infer -m nosuch => /nosuch/
2 warpstack pchase infer --jitter 0.9 => /--jitter/
2 warpstack pchase trace --array 16G --stride 1 => /want at most 67108864 loads/
2 warpstack pchase infer --set 'l1.policy=opt' => /opt/
4 warpstack pchase conf -m gtx480 -o nodir/x.conf => /nodir/
