/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instructions of PTX as inline assembly, and bfloat16.
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "common.h"

#define ITEMS 17

__device__ unsigned extract(unsigned v, unsigned at, unsigned bits)
{
	unsigned r;
	asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(v), "r"(at), "r"(bits));
	return r;
}

__device__ unsigned insert(unsigned into, unsigned v, unsigned at, unsigned bits)
{
	unsigned r;
	asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(v), "r"(into), "r"(at), "r"(bits));
	return r;
}

__device__ int load(const int *p)
{
	int v;
	asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(v) : "l"(p));
	return v;
}

__device__ unsigned permute(unsigned a, unsigned b, unsigned s)
{
	unsigned r;
	asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(s));
	return r;
}

__global__ void all(unsigned *out, const int *in)
{
	unsigned i = threadIdx.x, *o = out + i * ITEMS;
	float f;

	o[0] = extract(0xabcd + i, 4, 8);
	o[1] = insert(i, 0xff, 8, 4);
	o[2] = (unsigned)load(in + i);
	o[3] = permute(0x01020304, i, 0x0127);
	asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(o[4]) : "r"(i), "r"(3), "r"(5));
	asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(o[5]) : "r"(i), "r"(1), "r"(3));
	asm("mul.hi.u32 %0, %1, %2;" : "=r"(o[6]) : "r"(i << 27), "r"(1u << 10));
	asm("bfind.u32 %0, %1;" : "=r"(o[7]) : "r"(i + 1));
	asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"((float)(i % 8)));
	asm volatile("membar.gl;" ::: "memory");
	asm volatile("prefetch.global.L2 [%0];" ::"l"(in));
	asm volatile("" ::: "memory");
	o[8] = (unsigned)f;
	asm("vabsdiff4.u32.u32.u32.add" " %0, %1, %2, %3;"
	    : "=r"(o[12]) : "r"(0x80ff0102), "r"(i * 0x01030507), "r"(1000));
	__nv_bfloat16 b = __float2bfloat16((float)i + 0.25f), c = b * __nv_bfloat16(2.0f);
	o[9] = (unsigned)(__bfloat162float(c) * 16);
	o[10] = __bfloat16_as_ushort(__hfma(b, b, c));
	o[11] = __hgt(b, c);
	asm("sad.u32 %0, %1, %2, %3;" : "=r"(o[13]) : "r"(i), "r"(9), "r"(100));
	asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(o[14]) : "f"(2.0f), "f"((float)i));
	asm("tanh.approx.f32 %0, %1;" : "=f"(f) : "f"((float)i));
	o[15] = (unsigned)(f * 100);
	o[16] = __vimax3_u32(i, 5, 7) + (unsigned)__viaddmin_s32((int)i, -3, 4) + mulhi(1 << 30, 1 << 4);
}

static unsigned short rounded(float f)
{
	unsigned u;

	memcpy(&u, &f, sizeof u);
	return (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

static float widened(unsigned short b)
{
	unsigned u = (unsigned)b << 16;
	float f;

	memcpy(&f, &u, sizeof f);
	return f;
}

/* Several instructions, as CUB has them. */
#define BLOCK_ITEMS 14

__global__ void blocks(unsigned *out, const uint4 *in, unsigned long long *pair)
{
	unsigned i = threadIdx.x, *o = out + i * BLOCK_ITEMS, sum = i + 1;
	unsigned long long wide = (unsigned long long)i << 33 | i;
	float real = (float)i;
	uint4 v;

	for (unsigned by = 1; by < 32; by *= 2) {
		asm volatile("{"
			     "  .reg .u32 r0;"
			     "  .reg .pred p;"
			     "  shfl.sync.up.b32 r0|p, %1, %2, %3, %5;"
			     "  @p add.u32 r0, r0, %4;"
			     "  mov.u32 %0, r0;"
			     "}"
			     : "=r"(o[0]) : "r"(sum), "r"(by), "r"(0), "r"(sum), "r"(0xffffffffu));
		sum = o[0];
	}
	asm("{ .reg .pred p; and.b32 %0, %1, %2; setp.eq.u32 p, %0, %2;\n"
	    "  vote.ballot.sync.b32 %0, p, 0xffffffff; // lanes with the bit\n"
	    "  @!p not.b32 %0, %0; }"
	    : "=r"(o[1]) : "r"(i), "r"(4));
	asm volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;"
		     : "=r"(o[2]) : "r"(3 * i), "r"(1), "r"(31), "r"(0xffffffffu));
	asm volatile("shfl.sync.down.b32 %0|_, %1, 2, 0x181f, -1;" : "=r"(o[3]) : "r"(i)); /* of 8 lanes */
	asm("{ .reg .b32 lo; .reg .b32 hi; mov.b64 {lo, hi}, %1; add.u32 lo, lo, 7;\n"
	    "  shr.u32 hi, hi, 1; mov.b64 %0, {hi, lo}; }"
	    : "=l"(pair[i]) : "l"(wide));
	asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4+16];"
		     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(in + i));
	o[4] = v.x + v.w;
	asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(o + 6), "r"(i * 5), "r"(i ^ 9) : "memory");
	asm("{ .reg .pred p; setp.lt.f32 p, %1, %2; selp.u32 %0, %3, 77, p; }"
	    : "=r"(o[5]) : "f"(real), "f"(9.5f), "r"(i));
	o[8] = i;
	asm("shl.b32 %0, %0, %1; /* by 40: all bits are gone */" : "+r"(o[8]) : "r"(i == 3 ? 40 : 2));
	asm("{ .reg .s32 a; mov.b32 a, %1; min.s32 %0, a, -3; xor.b32 %0, %0, 0xff; }" : "=r"(o[9]) : "r"(0 - i));
	o[13] = 0;
	asm("{ .reg .u32 x, y; mov.u32 x, %%tid.x; mov.u32 y, %%ntid.x; mad.lo.u32 %0, x, 100, y; }" : "=r"(o[10]));
	asm("add.cc.u32 %0, %2, %4; addc.u32 %1, %3, %5; // 64 bits in two words\n"
	    : "=r"(o[11]), "=r"(o[12]) : "r"(0xfffffff0u), "r"(i), "r"(i), "r"(7));
}

static bool blocks_are_right()
{
	unsigned *out;
	unsigned long long *pair;
	uint4 *in;
	bool good = true;

	CHECK(cudaMallocManaged(&out, 32 * BLOCK_ITEMS * sizeof *out));
	CHECK(cudaMallocManaged(&pair, 32 * sizeof *pair));
	CHECK(cudaMallocManaged(&in, 33 * sizeof *in));
	for (unsigned i = 0; i < 33; i++)
		in[i] = make_uint4(i, 0, 0, 100 * i);
	blocks<<<1, 32>>>(out, in, pair);
	CHECK(cudaDeviceSynchronize());
	for (unsigned i = 0; i < 32; i++) {
		int least = -(int)i < -3 ? -(int)i : -3;
		unsigned want[BLOCK_ITEMS] = {
			(i + 1) * (i + 2) / 2, i & 4 ? 0xf0f0f0f0u : 0x0f0f0f0fu, 3 * (i ^ 1),
			i % 8 < 6 ? i + 2 : i, 101 * (i + 1), i < 10 ? i : 77, i * 5, i ^ 9,
			i == 3 ? 0 : i << 2, (unsigned)least ^ 0xff, 100 * i + 32,
			0xfffffff0u + i, i + 7 + (i >= 16) };

		for (int k = 0; k < BLOCK_ITEMS; k++)
			good &= out[i * BLOCK_ITEMS + k] == want[k];
		good &= pair[i] == ((unsigned long long)(i + 7) << 32 | i);
	}
	return good;
}

/* Atomics, memory under a predicate, conversions, functions. */
#define MEMORY_ITEMS 20

__global__ void memory(unsigned *out, unsigned *word, const signed char *bytes, float *real,
		       unsigned long long *wide)
{
	unsigned i = threadIdx.x, *o = out + i * MEMORY_ITEMS;
	unsigned long long big;
	double d;
	float f;

	asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(o[0]) : "l"(word), "r"(1u) : "memory");
	asm volatile("red.relaxed.gpu.max.s32 [%0], %1;" ::"l"(word + 1), "r"(i - 10) : "memory");
	asm volatile("atom.acq_rel.gpu.cas.b32 %0, [%1], %2, %3;"
		     : "=r"(o[1]) : "l"(word + 2), "r"(i), "r"(i + 1) : "memory");
	asm volatile("atom.add.f32 %0, [%1], %2;" : "=f"(f) : "l"(real), "f"(0.5f) : "memory");
	asm volatile("atom.exch.b64 %0, [%1], %2;" : "=l"(big) : "l"(wide + i), "l"(7ull << 33 | i) : "memory");
	o[2] = (unsigned)(big + wide[i]);
	asm volatile("atom.inc.u32 %0, [%1], %2;" : "=r"(o[3]) : "l"(word + 3), "r"(9u) : "memory");
	o[4] = o[5] = 77;
	asm volatile("{ .reg .pred p; setp.lt.u32 p, %3, 5;\n" /* past the end for the others */
		     "  @p ld.global.s8 %0, [%2]; @!p st.global.u32 [%4], %3; @p red.global.add.u32 [%5], 3; }"
		     : "+r"(o[4]) : "r"(0), "l"(bytes + (i < 5 ? i : 1u << 30)), "r"(i), "l"(o + 5), "l"(word + 4)
		     : "memory");
	asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(o[6]) : "f"((float)i - 7.75f));
	asm("cvt.rni.u32.f32 %0, %1;" : "=r"(o[7]) : "f"((float)i - 2.5f));
	asm("cvt.u64.u32 %0, %1;" : "=l"(big) : "r"(0 - i));
	asm("cvt.s64.s32 %0, %1;" : "=l"(wide[i]) : "r"(0 - i));
	o[8] = (unsigned)(big >> 32) + (unsigned)(wide[i] >> 32);
	asm("cvt.rn.f64.s32 %0, %1;" : "=d"(d) : "r"(i - 3));
	o[9] = (unsigned)(int)(d * 2);
	asm("mul.wide.s32 %0, %1, %2;" : "=l"(big) : "r"(0 - i), "r"(1u << 20));
	o[10] = (unsigned)(big >> 16);
	asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(big) : "r"(0xffffffffu), "r"(i), "l"(5ull));
	o[11] = (unsigned)(big >> 32);
	asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(o[12]) : "r"(i), "r"(6), "r"(0xff00)); /* xor */
	asm("rem.s32 %0, %1, 5;" : "=r"(o[13]) : "r"(0 - i));
	asm("sqrt.rn.f32 %0, %1;" : "=f"(f) : "f"((float)(i * i)));
	o[14] = (unsigned)f;
	asm("abs.s32 %0, %1;" : "=r"(o[15]) : "r"(3 - i));
	asm volatile("bar.sync 0;" ::: "memory");
	o[16] = word[0];
	asm volatile("activemask.b32 %0;" : "=r"(o[17]));
	asm volatile("mov.u64 %0, %%clock64;" : "=l"(big));
	asm volatile("mov.u32 %0, %%clock;" : "=r"(o[18]));
	o[18] = o[18] > (unsigned)big;
	asm("cvta.to.global.u64 %0, %1;" : "=l"(big) : "l"(out));
	o[19] = big == (unsigned long long)out;
}

static bool memory_is_right()
{
	unsigned *out, *word;
	signed char *bytes;
	float *real;
	unsigned long long *wide;
	bool good = true;

	CHECK(cudaMallocManaged(&out, 32 * MEMORY_ITEMS * sizeof *out));
	CHECK(cudaMallocManaged(&word, 8 * sizeof *word));
	CHECK(cudaMallocManaged(&bytes, 5));
	CHECK(cudaMallocManaged(&real, sizeof *real));
	CHECK(cudaMallocManaged(&wide, 32 * sizeof *wide));
	CHECK(cudaMemset(word, 0, 8 * sizeof *word));
	for (int i = 0; i < 5; i++)
		bytes[i] = (signed char)(-2 * i);
	for (unsigned i = 0; i < 32; i++)
		wide[i] = 100 * i;
	*real = 1;
	memory<<<1, 32>>>(out, word, bytes, real, wide);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 32; i++) {
		const unsigned u = (unsigned)i, want[MEMORY_ITEMS] = {
			u, u, 101 * u, u % 10, i < 5 ? (unsigned)(-2 * i) : 77, i < 5 ? 77 : u,
			(unsigned)(int)(i - 7.75), i < 3 ? 0 : (unsigned)rint(i - 2.5), i ? 0xffffffffu : 0,
			(unsigned)(2 * i - 6), 0 - (u << 4), u < 6 ? u : u - 1, u ^ 6 ^ 0xff00,
			(unsigned)(-i % 5), u, (unsigned)abs(3 - i), 32, 0xffffffffu, 1, 1 };

		for (int k = 0; k < MEMORY_ITEMS; k++) {
			if (out[i * MEMORY_ITEMS + k] != want[k])
				printf("memory: lane %d, item %d: %x, want %x\n", i, k,
				       out[i * MEMORY_ITEMS + k], want[k]);
			good &= out[i * MEMORY_ITEMS + k] == want[k];
		}
	}
	return good && word[0] == 32 && word[1] == 21 && word[2] == 32 && word[3] == 2 && word[4] == 15 &&
	       *real == 17;
}

/* Functions of the API that few programs call: answers by hand. */
#define PARTS 20

__global__ void parts(unsigned *o, unsigned short *word)
{
	int q;

	*o++ = __vaddus4(0xff01fe10, 0x02030405);
	*o++ = __vsubss2(0x80007fff, 0x0001ffff);
	*o++ = __vabsss4(0x80ff017f);
	*o++ = __vneg2(0x00018000);
	*o++ = __vcmpges4(0x7f80ff00, 0);
	*o++ = __vsetltu2(0x0001ffff, 0x0002ffff);
	*o++ = __vavgs4(0xff010203, 0xfe020304);
	*o++ = __vhaddu2(0x00030005, 0x00040006);
	*o++ = __vsads2(0x80000001, 0x7fff0003);
	*o++ = (unsigned)__dp2a_lo(0x0003fffe, 0x05fd, 10);
	*o++ = __fns(0xf0, 0, 3);
	*o++ = __fns(0xf0, 7, -2);
	*o++ = atomicCAS(word, (unsigned short)5, (unsigned short)9);
	*o++ = *word;
	*o++ = (unsigned)(1000 * cyl_bessel_i0f(1));
	*o++ = (unsigned)(1000 * jnf(2, 3));
	*o++ = remquo(10.5, 3.0, &q) == -1.5 ? (unsigned)q : 99;
	*o++ = (unsigned)llroundf(2.5f);
	*o++ = __half_as_ushort(__float2half_rz(2049.9f));
	*o++ = __half_as_ushort(__hadd_sat(__half(0.75f), __half(0.75f)));
}

static bool parts_are_right()
{
	static const unsigned want[PARTS] = {
		0xff04ff15, 0x80007fff, 0x7f01017f, 0xffff8000, 0xff0000ff, 0x00010000, 0xfe020304,
		0x00030005, 0x00010001, 31, 6, 6, 5, 9, 1266, 486, 4, 3, 0x6800, 0x3c00 };
	unsigned *out;
	unsigned short *word;
	bool good = true;

	CHECK(cudaMallocManaged(&out, sizeof want));
	CHECK(cudaMallocManaged(&word, 4));
	*word = 5;
	parts<<<1, 1>>>(out, word);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < PARTS; i++) {
		if (out[i] != want[i])
			printf("answer %d: %x, want %x\n", i, out[i], want[i]);
		good &= out[i] == want[i];
	}
	return good;
}

__device__ int deep(int i, int *out)
{
	for (int k = 0; k < 8; k++) {
		out[i]++;
		if (k == i % 16)
			asm volatile("exit;");
	}
	return 100;
}
/* Half of the threads end inside a loop of a function that is called; the others meet. */
__global__ void some_end(int *out)
{
	int i = (int)threadIdx.x, more = deep(i, out);

	__syncthreads();
	out[i] += more;
}

static bool exits_are_right()
{
	int *out;
	bool good = true;

	CHECK(cudaMallocManaged(&out, 64 * sizeof *out));
	CHECK(cudaMemset(out, 0, 64 * sizeof *out));
	some_end<<<1, 64>>>(out);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 64; i++)
		good &= out[i] == (i % 16 < 8 ? i % 16 + 1 : 108);
	return good;
}

int main()
{
	unsigned *out;
	int *in;
	bool good = true;

	CHECK(cudaMallocManaged(&out, 32 * ITEMS * sizeof *out));
	CHECK(cudaMallocManaged(&in, 32 * sizeof *in));
	for (int i = 0; i < 32; i++)
		in[i] = 7 * i;
	all<<<1, 32>>>(out, in);
	CHECK(cudaDeviceSynchronize());
	for (unsigned i = 0; i < 32; i++) {
		unsigned highest = 31 - (unsigned)__builtin_clz(i + 1);
		float b = widened(rounded((float)i + 0.25f)), c = widened(rounded(2 * b));
		unsigned want[ITEMS] = { (0xabcd + i) >> 4 & 255, (i & 0xff) | 0xf00, 7 * i,
					 0x04030200, 3 * i + 5, 1u << 3 | i >> 29, 0, highest,
					 1u << i % 8, (unsigned)(c * 16), rounded(b * b + c), 0 };

		want[6] = (unsigned)((unsigned long long)(i << 27) * (1u << 10) >> 32);
		want[3] = 0x04030200u; /* byte 7, the highest of i, is 0 */
		want[12] = 1000;
		for (int k = 0; k < 32; k += 8)
			want[12] += (unsigned)abs((int)(0x80ff0102u >> k & 255) -
						  (int)(i * 0x01030507u >> k & 255));
		want[13] = 100 + (i > 9 ? i - 9 : 9 - i);
		want[14] = 0x40000000u | __half_as_ushort(__float2half((float)i));
		want[15] = (unsigned)(std::tanh((float)i) * 100);
		want[16] = (i > 7 ? i : 7) + (unsigned)(i < 7 ? (int)i - 3 : 4) + 4;
		for (int k = 0; k < ITEMS; k++)
			good &= out[i * ITEMS + k] == want[k];
	}
	return passed(good && blocks_are_right() && memory_is_right() && parts_are_right() &&
		      exits_are_right());
}
