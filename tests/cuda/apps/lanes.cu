/* SPDX-License-Identifier: GPL-3.0-or-later
 * lanes.cu -- threads that go on together and part: at borders, in loops of different lengths, at atomics
 * and shuffles, at private arrays, where an index passes 2^31; barriers in loops, and in branches that all
 * take.  What it prints is the same however its threads are run.
 */
#include "common.h"
#include <vector>

#define N 96

__global__ void border(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i > 2 && i < n - 3)
		out[i] = 0.5f * in[i] + sqrtf(in[i - 3]) * in[i + 3];
	else if (i < n)
		out[i] = -1;
}

__global__ void lengths(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	for (int k = 0; k < (i % 5) * 3; k++)
		sum += in[(i + k) % n] * (k + 1);
	for (int k = i; k < n; k += 16)
		sum = sum * 0.75f + in[k];
	out[i] = sum;
}

__global__ void tiles(const float *in, float *out, int n)
{
	__shared__ float tile[16 + 4];
	int t = threadIdx.x, first = blockIdx.x * 16;
	float sum = 0;

	for (int turn = 0; turn < 3; turn++) {
		for (int k = t; k < 20; k += 16)
			tile[k] = in[min(max(first + k - 2, 0), n - 1)] * (turn + 1);
		__syncthreads();
		for (int k = 0; k < 5; k++)
			sum += tile[t + k] * k;
		__syncthreads();
		if (turn & 1) {
			tile[t] = sum;
			__syncthreads();
			sum += tile[15 - t];
			__syncthreads();
		}
	}
	out[first + t] = sum;
}

__global__ void tree(const float *in, float *out)
{
	extern __shared__ float all[];
	unsigned t = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;

	all[t] = in[t];
	__syncthreads();
	for (unsigned k = threads / 2; k; k >>= 1) {
		if (t < k)
			all[t] += all[t + k];
		__syncthreads();
		if (t >= k && k == 2)
			return;
	}
	if (t == 0)
		*out = all[0];
}

__global__ void counted(const float *in, float *out, int *count, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = in[i];

	if (v > 0.25f)
		out[atomicAdd(count, 1)] = v;
	for (int k = 16; k; k /= 2)
		v += __shfl_xor_sync(0xffffffffu, v, k);
	if (__ballot_sync(0xffffffffu, in[i] > 0.5f) >> threadIdx.x % 32 & 1)
		out[N + i] = v;
	else
		out[N + i] = __shfl_down_sync(__activemask(), v, 1);
}

__global__ void arrays(const float4 *in, float4 *out, const unsigned *pick, int n)
{
	float own[6];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 v = in[i];
	double sum = 0;

	for (int k = 0; k < 6; k++)
		own[k] = v.x * k + v.y;
	__syncthreads();
	for (int k = 0; k < 6; k++)
		sum += own[pick[i] % 6] * (double)own[5 - k] / (k + 1);
	v.w = (float)sum + expf(v.z);
	v.x = pick[i] % (threadIdx.x + 1);
	__syncthreads();
	out[i] = v;
}

__global__ void wraps(const unsigned char *in, unsigned *out, unsigned from)
{
	unsigned i = from + threadIdx.x;
	int j = (int)i;

	out[threadIdx.x] = in[(unsigned char)(i >> 1)] + (j < 0 ? 1000u : 0u) +
			   (unsigned)((long long)j >> 31) + (unsigned)((unsigned long long)i >> 4);
}

template <class T> static T *filled(size_t n, int seed)
{
	std::vector<T> host(n);
	unsigned state = seed;
	T *device;

	for (auto &v : host)
		v = (T)(next(&state) % 1000) / (T)(sizeof(T) == 4 && (T)0.5 != 0 ? 1000 : 1);
	CHECK(cudaMalloc(&device, n * sizeof(T)));
	CHECK(cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice));
	return device;
}

static void show(const char *name, const void *device, size_t bytes)
{
	std::vector<unsigned char> host(bytes);
	unsigned sum = 1;

	CHECK(cudaMemcpy(host.data(), device, bytes, cudaMemcpyDeviceToHost));
	for (unsigned char c : host)
		sum = sum * 16777619u ^ c;
	printf("%s %08x\n", name, sum);
}

/* What is needed behind two meetings, in a loop that may go round without either. */
__global__ void labels(const unsigned *pick, unsigned *out, int n)
{
	for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x) {
		if (pick[i] % 8 != 7)
			out[i] = __match_any_sync(__activemask(), i % 3);
	}
}

int main()
{
	float *in = filled<float>(8 * N, 1), *out = filled<float>(8 * N, 2);
	unsigned *pick = filled<unsigned>(N, 3);
	int *count = filled<int>(1, 4);

	border<<<N / 32 + 1, 32>>>(in, out, N - 5);
	show("border", out, N * sizeof *out);
	lengths<<<N / 24, 24>>>(in, out, N);
	show("lengths", out, N * sizeof *out);
	lengths<<<N / 12, 12>>>(in, out, N);
	show("lengths of 12", out, N * sizeof *out);
	tiles<<<N / 16, 16>>>(in, out, N);
	show("tiles", out, N * sizeof *out);
	tree<<<1, dim3(16, 4), 64 * sizeof(float)>>>(in, out);
	show("tree", out, sizeof *out);
	CHECK(cudaMemset(count, 0, sizeof *count));
	counted<<<N / 32, 32>>>(in, out, count, N);
	show("counted", out, 2 * N * sizeof *out);
	show("count", count, sizeof *count);
	arrays<<<N / 16, 16>>>((float4 *)in, (float4 *)out, pick, N);
	show("arrays", out, 4 * N * sizeof *out);
	for (unsigned from : { 0x7ffffff4u, 0xfffffff4u }) {
		wraps<<<1, 24>>>((unsigned char *)in, (unsigned *)out, from);
		show("wraps", out, 24 * sizeof *out);
	}
	labels<<<1, 32>>>(pick, (unsigned *)out, 72);
	show("labels", out, 72 * sizeof *out);
	return 0;
}
