// SPDX-License-Identifier: GPL-3.0-or-later
// Inline PTX that GPUs since Volta have: copies into shared memory, matrices of a warp, barriers with
// a number, carries from one assembly to the next, formats of 16 bits, roundings to a side.
#include "common.h"
#include <cmath>
#include <cuda_fp16.h>

#define M 16
#define N 8
#define K 16

static __device__ unsigned shared_of(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

/* c[M][N] = a[M][K] b[K][N], of which only the first `rows` rows of a are there. */
__global__ void product(const half *a, const half *b, float *c, int rows)
{
	__shared__ alignas(16) half left[M][K], right[K][N];
	unsigned l = threadIdx.x, x[4], y[2];
	float d[4] = { 0, 0, 0, 0 };

	asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_of(&left[l / 2][l % 2 * 8])),
		     "l"(a + 8 * l), "r"((int)l / 2 < rows ? 16 : 0));
	asm volatile("{\n\t.reg .pred p;\n\tsetp.lt.u32 p, %2, 16;\n\t"
		     "@p cp.async.ca.shared.global.L2::128B [%0], [%1], 16;\n\t}" ::"r"(shared_of(&right[l % K][0])),
		     "l"(b + l % K * N), "r"(l));
	asm volatile("cp.async.commit_group;\n cp.async.wait_group 0;");
	__syncthreads();
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
		     : "r"(shared_of(&left[l % 16][l / 16 * 8])));
	asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
		     : "=r"(y[0]), "=r"(y[1]) : "r"(shared_of(&right[l % 16][0])));
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
		     "{%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		     : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
	for (int i = 0; i < 4; i++)
		c[(l / 4 + i / 2 * 8) * N + l % 4 * 2 + i % 2] = d[i];
}

/* Of a row of words and columns of words, as the other formats have them. */
__global__ void formats(const signed char *a, const signed char *b, int *whole, float *tf, double *dbl, unsigned *bits)
{
	unsigned l = threadIdx.x, g = l / 4, t = l % 4, d[4] = { 1, 1, 1, 1 }, h[2] = { 0, 0 };
	const unsigned *p = (const unsigned *)a, *q = (const unsigned *)b; /* 8 words a row, or column */
	float f[4] = { 0, 0, 0, 0 };
	double e[2] = { 0, 0 };

	asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
		     "{%0,%1,%2,%3};" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
		     : "r"(p[g * 8 + t]), "r"(p[(g + 8) * 8 + t]), "r"(p[g * 8 + t + 4]),
		       "r"(p[(g + 8) * 8 + t + 4]), "r"(q[g * 8 + t]), "r"(q[g * 8 + t + 4]));
	asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
		     : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
		     : "r"(__float_as_uint((float)a[g * 32 + t])), "r"(__float_as_uint((float)a[(g + 8) * 32 + t])),
		       "r"(__float_as_uint((float)b[g * 32 + t])));
	asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
		     : "+d"(e[0]), "+d"(e[1]) : "d"((double)a[g * 32 + t]), "d"((double)b[g * 32 + t]));
	asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0,%1}, {%2}, {%3}, {%0,%1};"
		     : "+r"(h[0]), "+r"(h[1]) : "r"(p[g * 8 + t]), "r"(q[g * 8 + t]));
	for (int i = 0; i < 4; i++) {
		whole[(g + i / 2 * 8) * N + t * 2 + i % 2] = (int)d[i];
		tf[(g + i / 2 * 8) * N + t * 2 + i % 2] = f[i];
		if (i < 2) {
			dbl[g * N + t * 2 + i] = e[i];
			bits[g * N + t * 2 + i] = h[i];
		}
	}
}

/* The last of three warps makes what the first two take, round by round. */
__global__ void stages(int *out, int rounds)
{
	__shared__ int stage[64];
	unsigned t = threadIdx.x;

	for (int r = 0; r < rounds; r++) {
		if (t >= 64) {
			asm volatile("bar.sync 1, 96;" ::: "memory");
			asm volatile("st.shared.v2.u32 [%0+0], {%1, %2};" ::"r"(shared_of(&stage[2 * (t - 64)])),
				     "r"(r * 1000 + 2 * t), "r"(r * 1000 + 2 * t + 1) : "memory");
			asm volatile("bar.arrive 2, 96;" ::: "memory");
		} else {
			int v;
			asm volatile("bar.arrive 1, 96;" ::: "memory");
			asm volatile("bar.sync 2, %0;" ::"r"(96) : "memory");
			asm volatile("ld.shared.s32 %0, [%1];" : "=r"(v) : "r"(shared_of(&stage[t])) : "memory");
			out[t] += v;
			asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(shared_of(&stage[t])) : "memory");
			asm volatile("barrier.sync 3, 64;" ::: "memory");
		}
	}
}

static __device__ unsigned add_cc(unsigned a, unsigned b)
{
	unsigned r;
	asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
	return r;
}
static __device__ unsigned addc_cc(unsigned a, unsigned b)
{
	unsigned r;
	asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
	return r;
}

#define ITEMS 24
__global__ void values(unsigned *out, unsigned *in)
{
	unsigned i = threadIdx.x, *o = out + i * ITEMS, r, s;
	float f = (float)i + 0.3f;

	o[0] = add_cc(0xfffffff0u, i);
	o[1] = addc_cc(0xffffffffu, 0);
	asm volatile("addc.u32 %0, 0, 7;" : "=r"(o[2]));
	asm("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(o[3]) : "r"((int)i - 40));
	asm("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(o[4]) : "r"(i % 3));
	asm("{.reg .pred p, q; setp.gt.u32 p, %1, 5; vote.sync.uni.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q;}"
	    : "=r"(o[5]) : "r"(i));
	asm("{.reg .pred p, q, s; setp.ge.u32 s, %1, 4; setp.lt.and.u32 p|q, %1, 20, s; selp.u32 %0, 1, 0, p;\n"
	    "@q add.u32 %0, %0, 2;}" : "=r"(o[6]) : "r"(i));
	asm("add.rz.f32 %0, %1, 0f9e3ce508;" : "=r"(o[7]) : "f"(f));
	asm("mul.rp.f32 %0, %1, %1;" : "=r"(o[8]) : "f"(f));
	asm("fma.rm.f32 %0, %1, %1, 0fbf99999a;" : "=r"(o[9]) : "f"(f));
	asm("add.sat.f32 %0, %1, 0fc1f00000;" : "=r"(o[10]) : "f"(f)); /* - 30 */
	asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(o[11]) : "f"(f * 20 - 100));
	asm("cvt.sat.s8.s32 %0, %1;" : "=r"(o[12]) : "r"(((int)i - 16) * 20));
	asm("{.reg .f16x2 a<2>; mov.b32 a0, %1; mul.rn.f16x2 a1, a0, a0; fma.rn.f16x2 %0, a0, a1, a0;}"
	    : "=r"(o[13]) : "r"(0x3c004000u + i)); /* 1 and 2 and some */
	asm("bfe.s32 %0, %1, 4, 8;" : "=r"(o[14]) : "r"(i << 7 | 0x50));
	asm("dp4a.s32.s32 %0, %1, %2, 100;" : "=r"(o[15]) : "r"(0xff020180u + i), "r"(0x01fe0302u));
	asm("min.NaN.f32 %0, %1, 0f7fc00000;" : "=r"(r) : "f"(f));
	asm("min.f32 %0, %1, 0f7fc00000;" : "=r"(s) : "f"(f));
	o[16] = (r & 0x7fffffff) > 0x7f800000;
	o[17] = s == __float_as_uint(f);
	asm("{.reg .pred p; setp.neu.f32 p, %1, 0f7fc00000; selp.u32 %0, 1, 0, p;}" : "=r"(o[18]) : "f"(f));
	asm("mad.lo.u32 %0, %%tid.x, %%ntid.x, %%nwarpid;" : "=r"(o[19]));
	asm volatile("{.reg .pred p; setp.eq.u32 p, %1, 3; mov.u32 %0, 9; @p ld.global.u32 %0, [%2+-4];\n"
		     "@!p prefetch.global.L2 [%2];}" : "=r"(o[20]) : "r"(i), "l"(in + 1));
	asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(o[21]) : "f"(f));
	asm("shf.r.clamp.b32 %0, %1, %2, 40;" : "=r"(o[22]) : "r"(1), "r"(i));
	asm("{.reg .pred p; setp.ne.u32 p, %1, 31; bar.red.popc.u32 %0, 0, p;}" : "=r"(o[23]) : "r"(i));
	asm volatile("{.reg .pred p; setp.gt.u32 p, %0, 40; @p trap; @p exit;}" ::"r"(i));
}

static unsigned word(float f)
{
	unsigned u;
	memcpy(&u, &f, sizeof u);
	return u;
}
static float to_side(double d, int side) /* 0: to zero; else up or down */
{
	float f = (float)d;
	if (side == 0)
		side = d > 0 ? -1 : 1;
	return side > 0 && f < d ? nextafterf(f, INFINITY) : side < 0 && f > d ? nextafterf(f, -INFINITY) : f;
}
static unsigned half_pair(unsigned u)
{
	unsigned r = 0;
	for (int k = 0; k < 32; k += 16) {
		float a = __half2float(__ushort_as_half((unsigned short)(u >> k)));
		float b = __half2float(__float2half(a * a));
		r |= (unsigned)__half_as_ushort(__float2half(fmaf(a, b, a))) << k;
	}
	return r;
}

static bool values_are_right(const unsigned *out)
{
	bool good = true;

	for (unsigned i = 0; i < 32; i++) {
		float f = (float)i + 0.3f;
		int sat = ((int)i - 16) * 20, dot = 100, u8 = (int)rintf(f * 20 - 100);
		unsigned same = 0, want[ITEMS];
		for (unsigned k = i % 3; k < 32; k += 3)
			same |= 1u << k;
		for (int k = 0; k < 32; k += 8)
			dot += (signed char)((0xff020180u + i) >> k) * (signed char)(0x01fe0302u >> k);
		bool both = i >= 4 && i < 20;
		unsigned w[ITEMS] = { 0xfffffff0u + i, i >= 16 ? 0u : ~0u, i >= 16 ? 8u : 7u, (unsigned)-9, same, 0,
				      both ? 1u : i >= 20 ? 2u : 0u, word(nextafterf(f, 0)),
				      word(to_side((double)f * f, 1)), word(to_side((double)f * f - 1.2f, -1)),
				      word(fminf(fmaxf(f - 30, 0), 1)), (unsigned)(u8 < 0 ? 0 : u8 > 255 ? 255 : u8),
				      (unsigned)(sat < -128 ? -128 : sat > 127 ? 127 : sat), half_pair(0x3c004000u + i),
				      (unsigned)(int)(signed char)((i << 7 | 0x50) >> 4), (unsigned)dot, 1, 1, 1,
				      i * 32 + 1, i == 3 ? 77u : 9u, (word(f) + 0x1000) & ~0x1fffu, i, 31 };
		memcpy(want, w, sizeof want);
		for (int k = 0; k < ITEMS; k++)
			if (out[i * ITEMS + k] != want[k]) {
				printf("value %d of thread %u: %x, want %x\n", k, i, out[i * ITEMS + k], want[k]);
				good = false;
			}
	}
	return good;
}

static bool products_are_right()
{
	half *a, *b;
	float *c, *tf;
	signed char *p, *q;
	int *whole;
	double *dbl;
	unsigned *bits;
	bool good = true;

	CHECK(cudaMallocManaged(&a, M * K * sizeof *a));
	CHECK(cudaMallocManaged(&b, K * N * sizeof *b));
	CHECK(cudaMallocManaged(&c, M * N * sizeof *c));
	CHECK(cudaMallocManaged(&tf, M * N * sizeof *tf));
	CHECK(cudaMallocManaged(&p, 16 * 32));
	CHECK(cudaMallocManaged(&q, 8 * 32));
	CHECK(cudaMallocManaged(&whole, M * N * sizeof *whole));
	CHECK(cudaMallocManaged(&dbl, 8 * N * sizeof *dbl));
	CHECK(cudaMallocManaged(&bits, 8 * N * sizeof *bits));
	for (int i = 0; i < M * K; i++)
		a[i] = __float2half((float)(i * 7 % 23 - 11));
	for (int i = 0; i < K * N; i++)
		b[i] = __float2half((float)(i * 5 % 17 - 8));
	for (int i = 0; i < 16 * 32; i++)
		p[i] = (signed char)(i * 37 + i / 32);
	for (int i = 0; i < 8 * 32; i++)
		q[i] = (signed char)(i * 91 + 5);
	product<<<1, 32>>>(a, b, c, 13);
	formats<<<1, 32>>>(p, q, whole, tf, dbl, bits);
	CHECK(cudaDeviceSynchronize());
	for (int r = 0; r < M; r++)
		for (int n = 0; n < N; n++) {
			float sum = 0, four = 0;
			int s = 1, x = 0;
			for (int k = 0; k < K && r < 13; k++)
				sum += __half2float(a[r * K + k]) * __half2float(b[k * N + n]);
			for (int k = 0; k < 32; k++)
				s += p[r * 32 + k] * (unsigned char)q[n * 32 + k];
			for (int k = 0; k < 4; k++)
				four += (float)p[r * 32 + k] * (float)q[n * 32 + k];
			for (int k = 0; k < 16; k++)
				x += __builtin_popcount((unsigned char)(p[r * 32 + k] ^ q[n * 32 + k]));
			good &= c[r * N + n] == sum && whole[r * N + n] == s && tf[r * N + n] == four;
			good &= r >= 8 || (dbl[r * N + n] == four && bits[r * N + n] == (unsigned)x);
		}
	return good;
}

int main()
{
	unsigned *out, *in;
	int *sums;
	bool good = products_are_right();

	if (!good)
		printf("products\n");
	CHECK(cudaMallocManaged(&sums, 64 * sizeof *sums));
	CHECK(cudaMemset(sums, 0, 64 * sizeof *sums));
	stages<<<1, 96>>>(sums, 5);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 64; i++)
		good &= sums[i] == 10000 + 5 * (128 + i);
	CHECK(cudaMallocManaged(&out, 32 * ITEMS * sizeof *out));
	CHECK(cudaMallocManaged(&in, 8));
	in[0] = 77;
	values<<<1, 32>>>(out, in);
	CHECK(cudaDeviceSynchronize());
	return passed(values_are_right(out) && good);
}
