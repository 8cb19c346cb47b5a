# Images and samplers as arguments.

# A filtered read in a texel's corner: the mean of four, outside the image of 0.  In the trace: four loads of texels,
# each of the lanes whose texel is inside.
0 ?llvm printf 'kernel void k(read_only image2d_t m, sampler_t s, global float *o)\n{\n\tint i =
	get_global_id(0);\n\to[i] = read_imagef(m, s, (float2)(i, 1)).x + get_image_width(m);\n}\n' >k.cl;
	printf '\0\0\020\100\0\0\104\101\0\0\100\101\0\0\0\100' >want.bin;
	printf '\0\0\200\077\0\0\040\102\0\0\0\0\0\0\0\0' >m.bin;
	printf 'source = k.cl\n[buffers]\nm = image2d:r:float 2x2 file m.bin\no = float 4\n[launch]\nkernel = k\nglobal
	= 4\nlocal = 4\nargs = m sampler:linear:clamp o\n[check]\no = want.bin\n' >k.launch;
	warpstack trace k.launch -o k.wst => -
0 ?llvm warpstack info k.wst --no-provenance => image-linear.info
0 ?llvm warpstack info k.wst --format json
	=> ~"kind":"load","space":"global","texture":true,"bytes":4,"array":"m","file":"k.cl","line":4,"gap":0,~
0 ?llvm warpstack info k.launch --no-provenance => ~buffer m	type	image2d:r:float~
0 ?llvm warpstack info k.launch --format json => ~"lanes":1,"image":"image2d:r:float","size":\[2,2,1\],"elements":4,~
# The same on the command line, block-linear: as many requests, other addresses.
0 ?llvm warpstack trace k.cl --kernel k --global 4 --local 4 --arg m=image2d:r:float:block-linear:2x2:file:m.bin --arg
	s=sampler:clamp:linear --arg o=buffer:float:4 --check o=want.bin -o b.wst => -
0 ?llvm warpstack info b.wst => ~launch 1 array m	bytes	512~
# Declarations.
2 ?llvm warpstack trace k.cl --kernel k --global 4 --local 4 --arg m=image2d:rgb:float:2x2 --arg s=sampler:nearest --arg
	o=buffer:float:4 -o b.wst => /argument m=image2d:rgb:float:2x2: image of 'rgb:float': want a channel order and a
	type that OpenCL has together/
2 ?llvm warpstack trace k.cl --kernel k --global 4 --local 4 --arg m=image4d:r:float:2x2 --arg s=sampler:nearest --arg
	o=buffer:float:4 -o b.wst => /image 'image4d': want image1d/
2 ?llvm warpstack trace k.cl --kernel k --global 4 --local 4 --arg m=image2d:r:float:2x2x2 --arg s=sampler:nearest --arg
	o=buffer:float:4 -o b.wst => /size '2x2x2' of an image2d: want WIDTHxHEIGHT, each at least 1 and at most 65536/
2 ?llvm warpstack trace k.cl --kernel k --global 4 --local 4 --arg m=image1d:r:float:block-linear:2 --arg
	s=sampler:nearest --arg o=buffer:float:4 -o b.wst => /image1d as block-linear: want two axes/
2 ?llvm warpstack trace k.cl --kernel k --global 4 --local 4 --arg m=image2d:r:float:tiled:2x2 --arg s=sampler:nearest
	--arg o=buffer:float:4 -o b.wst => /layout 'tiled': want row-major or block-linear/
2 ?llvm warpstack trace k.cl --kernel k --global 4 --local 4 --arg m=image2d:r:float --arg s=sampler:nearest --arg
	o=buffer:float:4 -o b.wst => /want NAME=image2d:ORDER:CHANNEL:WIDTHxHEIGHT/
# Samplers.
2 ?llvm warpstack trace k.cl --kernel k --global 4 --local 4 --arg m=image2d:r:float:2x2 --arg s=sampler:linear:nearest
	--arg o=buffer:float:4 -o b.wst => /argument 'sampler:linear:nearest': want sampler:nearest or linear/
2 ?llvm warpstack trace k.cl --kernel k --global 4 --local 4 --arg m=image2d:r:float:2x2 --arg s=sampler:repeat --arg
	o=buffer:float:4 -o b.wst => /normalized \(as what repeats wants\)/
2 ?llvm warpstack trace k.cl --kernel k --global 4 --local 4 --arg m=image2d:r:float:2x2 --arg s=3 --arg
	o=buffer:float:4 -o b.wst => /argument 2 is '3', want a sampler, as sampler:linear:clamp:normalized for
	sampler_t s of k\(/
# One for the other.
2 ?llvm warpstack trace k.cl --kernel k --global 4 --local 4 --arg m=image1d:r:float:2 --arg s=sampler:nearest --arg
	o=buffer:float:4 -o b.wst => /argument 1 is 'm', want the name of an image for image2d_t m of k\(/
2 ?llvm warpstack trace k.cl --kernel k --global 4 --local 4 --arg m=buffer:float:4 --arg s=sampler:nearest --arg o=m -o
	b.wst => /argument 1 is 'm', want the name of an image for image2d_t m of k\(/
2 ?llvm warpstack trace k.cl --kernel k --global 4 --local 4 --arg m=image2d:r:float:2x2 --arg s=sampler:nearest --arg
	o=m -o b.wst => /argument 3 is 'm', want buffer:TYPE:COUNT or the name of a buffer for global float\* o of k\(/
2 ?llvm warpstack trace --images block-linear k.launch -o b.wst => /--images wants --app too/
2 ?llvm warpstack trace --images tiled --app -o b.wst -- true => /--images=tiled: want row-major or block-linear/
# Samplers in the source; one that depends on a condition.
0 ?llvm printf 'constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
	CLK_FILTER_NEAREST;\nint4 at(read_only image2d_t m, sampler_t s, int2 p) { return read_imagei(m, s, p);
	}\nkernel void k(read_only image2d_t m, write_only image2d_t o)\n{\n\tconst sampler_t none =
	CLK_ADDRESS_NONE;\n\tint2 p = (int2)(get_global_id(0), get_global_id(1));\n\twrite_imagei(o, p, at(m, edge, p -
	1) + at(m, none, p));\n}\n' >e.cl; printf '\1\2\3\4' >b.bin; printf '\2\0\3\0\4\0\5\0' >e.bin;
	warpstack trace e.cl --kernel k --global 2,2 --local 2,2 --arg m=image2d:r:signed_int8:2x2:file:b.bin --arg
	o=image2d:r:signed_int16:2x2 --check o=e.bin -o e.wst => -
3 ?llvm printf 'constant sampler_t a = CLK_FILTER_NEAREST;\nconstant sampler_t b = CLK_FILTER_LINEAR;\nkernel void
	k(read_only image2d_t m, global float4 *o, int n) { o[0] = read_imagef(m, n ? a : b, (float2)(0.5f));
	}\n' >c.cl; warpstack trace c.cl --kernel k --global 1 --local 1 --arg m=image2d:r:float:2x2 --arg
	o=buffer:float4:1 --arg n=1 -o e.wst
	=> /kernel k, line 3: an image or a sampler that depends on a condition is not supported/
3 ?llvm printf 'kernel void k(read_only image2d_msaa_t m) {}\n' >d.cl;
	warpstack trace d.cl --kernel k --global 1 --local 1 --arg m=image2d:r:float:2x2 -o e.wst
	=> /argument 'm' is of type image2d_msaa_t: depth and multi-sample images, pipes and queues are not supported/
# Read and written in place, in OpenCL C 2.0: every function that such an image has.
0 ?llvm printf '\0\1\10\11' >wm.bin; printf '\0\0\0\0\0\0\200\77\0\0\300\100\0\0\340\100' >wv.bin;
	printf '\0\1\0\1' >wa.bin; printf '\0\0\0\0\0\0\0\100' >wl.bin; printf '\0\3' >wb.bin;
	warpstack trace $files/every-image.cl --kernel k --build -cl-std=CL2.0 --global 2 --local 1 --arg
	m=image2d:r:unsigned_int8:2x2:iota --arg v=image3d:r:float:2x1x2:iota --arg
	a=image2d_array:r:signed_int8:2x1x2:iota --arg r=image1d_array:r:signed_int8:2x2:iota --arg
	l=image1d:r:float:2:iota --arg b=image1d_buffer:r:unsigned_int8:2:iota --check m=wm.bin --check v=wv.bin --check
	a=wa.bin --check r=wa.bin --check l=wl.bin --check b=wb.bin -o w.wst => -
# A software cache in front of images, as of buffers: nothing is wrong.
0 ?llvm printf 'kernel void k(read_only image2d_t m, global float *o)\n{\n\tconst sampler_t s =
	CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;\n\tint i = get_global_id(0);\n\tfor (int x = 0; x < 16;
	x++) o[i] += read_imagef(m, s, (float2)(x, i)).x;\n}\n' >t.cl;
	printf 'source = t.cl\n[buffers]\nm = image2d:r:float 16x64 random\no = float 64\n[launch]\nkernel = k\nglobal =
	64\nlocal = 32\nargs = m o\n' >t.launch; warpstack softcache t.launch --transform --lines 1 --threshold 20
	--columns soft_hits,different_counts,wrong_bytes --format csv => ~1172,0,0~
