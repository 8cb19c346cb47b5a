/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels for t-cuda.c, which computes the same again.
 */
#include <cuda_runtime.h>
#include <assert.h>
#include <cmath>
#include <stdio.h>

/* Shuffles over groups of width lanes, each lane by a number of its own where it may. */
__global__ void shuffles(const int *in, const int *by, int *out, int width)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
	const int v = in[i];

	out[i] = __shfl_sync(0xffffffffu, v, by[i], width);
	out[n + i] = __shfl_up_sync(0xffffffffu, v, by[0], width);
	out[2 * n + i] = __shfl_down_sync(0xffffffffu, v, by[0], width);
	out[3 * n + i] = __shfl_xor_sync(0xffffffffu, v, by[0], width);
	out[4 * n + i] = (int)__shfl_sync(0xffffffffu, (double)v / 2, by[i], width);
}

/* Votes of those in the mask: even and odd lanes go their own ways. */
__global__ void votes(const int *in, unsigned *out)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
	const unsigned mask = threadIdx.x & 1 ? 0xaaaaaaaau : 0x55555555u;
	const int v = in[i];

	if (threadIdx.x & 1) {
		out[i] = __ballot_sync(mask, v > 3);
		out[n + i] = __any_sync(mask, v == 7);
	} else {
		out[n + i] = __any_sync(mask, v == 7);
		out[i] = __ballot_sync(mask, v > 3);
	}
	out[2 * n + i] = __all_sync(0xffffffffu, v >= 0);
	out[3 * n + i] = __match_any_sync(0xffffffffu, v);
	out[4 * n + i] = __reduce_add_sync(0xffffffffu, (unsigned)v);
	out[5 * n + i] = __reduce_max_sync(0xffffffffu, v);
}

/* Before masks: those that are there. */
__global__ void legacy(const int *in, unsigned *out)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
	int v = in[i];

	if (v > 3)
		v += __shfl_xor(v, 1) + 100 * __popc(__activemask());
	out[i] = v;
	out[n + i] = __activemask();
}

/* Lanes that ended are not waited for, and neither are other warps. */
__global__ void early(const int *in, unsigned *out)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (in[i] == 0)
		return;
	for (int k = 0; k < (int)(threadIdx.x / 32); k++)
		__syncwarp();
	out[i] = __ballot_sync(0xffffffffu, 1);
}

__global__ void atomics(const int *in, int *to, unsigned *u, float *f, double *d,
			unsigned long long *l)
{
	const int v = in[blockIdx.x * blockDim.x + threadIdx.x];

	atomicAdd(&to[0], v);
	atomicSub(&to[1], v);
	atomicMin(&to[2], v);
	atomicMax(&to[3], v);
	atomicOr(&u[0], 1u << (v & 31));
	atomicAnd(&u[1], ~(1u << (v & 31)));
	atomicXor(&u[2], (unsigned)v);
	atomicInc(&u[3], 6);
	atomicDec(&u[4], 6);
	atomicAdd(f, (float)v);
	atomicAdd(d, (double)v);
	atomicMax(l, (unsigned long long)v << 40);
	for (int old = to[4], seen; (seen = atomicCAS(&to[4], old, old + v)) != old; old = seen)
		;
}

static __device__ __noinline__ void add(float *p, float v)
{
	*p += v;
}

struct pair {
	float *first;
	int second;
};

/* One pointer to global, shared or a thread's own memory; and one read from memory. */
__global__ void generic(float *g, float *out)
{
	__shared__ float s[64];
	__shared__ pair list[64];
	float mine[4] = { 1, 2, 3, 4 };
	float *p;

	s[threadIdx.x] = threadIdx.x;
	switch (threadIdx.x % 3) {
	case 0:
		p = g + threadIdx.x;
		break;
	case 1:
		p = s + threadIdx.x;
		break;
	default:
		p = mine + threadIdx.x % 4;
	}
	add(p, 5);
	out[threadIdx.x] = *p;
	list[threadIdx.x].first = threadIdx.x & 1 ? g + 64 : s;
	list[threadIdx.x].second = threadIdx.x;
	__syncthreads();
	const pair other = list[threadIdx.x ^ 1];
	out[64 + threadIdx.x] = other.first[other.second];
}

__constant__ int table[4];
__device__ int total;
static const __constant__ int fixed[4] = { 2, 3, 5, 7 };

template <class T, int N> __global__ void variables(T *out)
{
	extern __shared__ int shared[];
	const int i = threadIdx.x;

	shared[i] = table[i % 4] * N + fixed[i % 4];
	__syncthreads();
	atomicAdd(&total, shared[blockDim.x - 1 - i]);
	out[i] = shared[blockDim.x - 1 - i];
}

struct shape {
	__device__ virtual int area() const { return 1; }
};

namespace {
__global__ void mathematics(const float *in, double *out, float4 v)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
	auto twice = [=](double x) { return 2 * x; };
	const float x = in[i];

	assert(x >= 0);
	out[i] = sin(x) + std::sqrt(x) + fmaf(x, 2.0f, 1.0f) + rsqrtf(x + 1);
	out[n + i] = twice(__umulhi(i * 65536u, 1u << 20)) + __clz(i) + __brev(i) % 7 +
		     __ffs(i) + max(i, 3) + min(x, 2.0f);
	out[2 * n + i] = v.x + v.y * i + v.z + v.w + __int_as_float(__float_as_int(x));
	out[3 * n + i] = __byte_perm(0x33221100, 0x77665544, 0x7531) + __funnelshift_l(1, i, 4);
}
}

__global__ void stuck(int *out)
{
	if (threadIdx.x & 1)
		out[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
	else
		__syncthreads();
}

__global__ void misuse(int *out)
{
	asm("nop");
	out[0] = 1;
}

__device__ int factorial(int n)
{
	return n < 2 ? 1 : n * factorial(n - 1) + factorial(n - 2);
}

__global__ void recursive(int *out)
{
	out[threadIdx.x] = factorial(out[threadIdx.x] + 5000);
}

/* Blocks wait for each other: volatile accesses are accesses. */
__global__ void meet(int *out, unsigned *come)
{
	volatile unsigned *seen = come;

	if (threadIdx.x == 0) {
		atomicAdd(come, 1u);
		while (*seen < gridDim.x)
			;
	}
	__syncthreads();
	out[blockIdx.x * blockDim.x + threadIdx.x] = *(volatile unsigned *)come;
}

int main()
{
	int *p;

	cudaMalloc(&p, 64 * sizeof *p);
	variables<int, 3><<<1, 64, 256>>>(p);
	variables<unsigned, 4><<<1, 64, 256>>>((unsigned *)p);
	mathematics<<<1, 64>>>(nullptr, nullptr, make_float4(1, 2, 3, 4));
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
