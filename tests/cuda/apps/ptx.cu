/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instructions of PTX as inline assembly, and bfloat16.
 */
#include <cuda_bf16.h>
#include "common.h"

#define ITEMS 13

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
		for (int k = 0; k < ITEMS; k++)
			good &= out[i * ITEMS + k] == want[k];
	}
	return passed(good);
}
