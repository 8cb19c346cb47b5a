/* SPDX-License-Identifier: GPL-3.0-or-later
 * warps.cu -- code that is right only because a warp goes together: threads exchange values through memory without
 * a barrier, as was usual before GPUs had __syncwarp.
 */
#include <algorithm>
#include <vector>
#include "common.h"

#define N 128
#define WARP 32

/* Hillis and Steele's scan of each warp. */
__global__ void scan(const int *in, int *out)
{
	__shared__ int s[N];
	int t = threadIdx.x, lane = t & 31;

	s[t] = in[t];
	for (int d = 1; d < WARP; d *= 2)
		if (lane >= d)
			s[t] += s[t - d];
	out[t] = s[t];
}

/* The last steps of a reduction. */
template <class T> __device__ void last_warp(T *s, unsigned t)
{
	if (t < 32) s[t] += s[t + 32];
	if (t < 16) s[t] += s[t + 16];
	if (t < 8) s[t] += s[t + 8];
	if (t < 4) s[t] += s[t + 4];
	if (t < 2) s[t] += s[t + 2];
	if (t < 1) s[t] += s[t + 1];
}

__global__ void reduce(const int *in, int *out, int way)
{
	extern __shared__ int all[];
	unsigned t = threadIdx.x;

	all[t] = in[t];
	__syncthreads();
	for (unsigned d = blockDim.x / 2; d > 32; d >>= 1) {
		if (t < d)
			all[t] += all[t + d];
		__syncthreads();
	}
	if (way == 0) {
		last_warp(all, t);
	} else if (way == 1 && t < 32) {
		for (int d = 32; d; d /= 2)
			all[t] += all[t + d];
	} else if (way == 2 && t < 32) {
		volatile int *v = all;

		v[t] += v[t + 32];
		for (int d = 16; d; d >>= 1)
			v[t] += v[t + d];
	}
	if (t == 0)
		out[way] = all[0];
}

/* In place, in shared and in global memory. */
__global__ void reverse(int *d)
{
	__shared__ int s[WARP];
	int t = threadIdx.x;

	s[t] = d[t];
	int v = s[31 - t];
	s[t] = v * 2;
	d[31 - t] = s[31 - t] + d[t];
}

__global__ void sort(int *d)
{
	__shared__ int s[2 * WARP];
	unsigned t = threadIdx.x;

	s[t] = d[t];
	s[t + WARP] = d[t + WARP];
	for (unsigned size = 2; size <= 2 * WARP; size *= 2) {
		for (unsigned stride = size / 2; stride; stride /= 2) {
			unsigned pos = 2 * t - (t & (stride - 1));
			bool up = (t & (size / 2)) == 0;

			if ((s[pos] > s[pos + stride]) == up) {
				int v = s[pos];

				s[pos] = s[pos + stride];
				s[pos + stride] = v;
			}
		}
	}
	d[t] = s[t];
	d[t + WARP] = s[t + WARP];
}

/* A square of shared memory, written by rows and read by columns. */
__global__ void transpose(const int *in, int *out)
{
	__shared__ int tile[WARP][WARP + 1];
	int t = threadIdx.x;

	for (int k = 0; k < WARP; k++)
		tile[k][t] = in[k * WARP + t];
	for (int k = 0; k < WARP; k++)
		out[k * WARP + t] = tile[t][k];
}

/* Where to go next is told by one thread, in a word that all look at behind the barrier before. */
__global__ void cycles(int *d, const int *next, int n)
{
	__shared__ int at, moved;
	int t = threadIdx.x, count = 0;

	if (t == 0) {
		at = 0;
		moved = 0;
	}
	__syncthreads();
	while (at < n) {
		int from = at, v = d[from * blockDim.x + t];

		if (t == 0)
			at = from + 1 + (next[from] & 1);
		__syncthreads();
		if (moved == count) {
			d[from * blockDim.x + t] = v + count;
			count += 3;
		}
		if (t == 0)
			moved += 3;
		__syncthreads();
	}
}

/* Where to read and to write in global memory is read from memory. */
__global__ void permute(int *d, const int *to)
{
	int t = threadIdx.x;

	d[t] = d[to[t]];
	int v = d[t];
	d[to[t]] = v + t;
}

/* A list's elements count how many are behind them, each over twice as many a turn. */
__global__ void ranks(int *next, int *rank)
{
	int t = threadIdx.x;

	for (int k = 1; k < WARP; k *= 2) {
		if (next[t] != t) {
			rank[t] += rank[next[t]];
			next[t] = next[next[t]];
		}
	}
}

/* Threads of a warp with different numbers of turns, and some that have ended. */
__global__ void lengths(const int *in, int *out)
{
	__shared__ int s[N];
	int t = threadIdx.x, lane = t & 31;

	s[t] = in[t];
	if (lane == 31)
		return;
	for (int k = 0; k < lane % 4; k++) {
		int v = s[t + 1];

		s[t] = v + s[t ^ 1] + k;
	}
	out[t] = s[t];
}

/* Blocks of 16 by 4: a warp has two rows. */
__global__ void rows(int *out)
{
	__shared__ int s[4][17];
	int x = threadIdx.x, y = threadIdx.y;

	s[y][x] = y * 16 + x;
	s[y][x] += s[y ^ 1][15 - x];
	out[y * 16 + x] = s[y][x];
}

/* Blocks of 24 by 4: the first warp has a row, and a third of the next one. */
__global__ void straddle(int *out)
{
	__shared__ int s[5][1000];
	int x = threadIdx.x, y = threadIdx.y;

	s[y][x] = y * 24 + x;
	if (x >= 16 && y == 0)
		s[y][x] += s[y + 1][x - 16];
	out[y * 24 + x] = s[y][x];
}

/* A lock that threads of a warp take in turns. */
__global__ void locked(int *out)
{
	__shared__ int lock, sum, last;
	int t = threadIdx.x;
	bool done = false;

	if (t == 0)
		lock = sum = last = 0;
	__syncthreads();
	while (!done) {
		if (atomicCAS(&lock, 0, 1) == 0) {
			sum += t;
			last = sum;
			done = true;
			__threadfence_block();
			atomicExch(&lock, 0);
		}
	}
	__syncthreads();
	out[t] = sum + last;
}

typedef std::vector<int> Numbers;
static Numbers in(WARP *WARP);
static int *from, *to;
static bool good = true;

static void give()
{
	CHECK(cudaMemcpy(from, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice));
	CHECK(cudaMemset(to, 0, in.size() * sizeof(int)));
}

static void compare(const char *name, const int *device, const Numbers &want)
{
	Numbers got(want.size());

	CHECK(cudaMemcpy(got.data(), device, want.size() * sizeof(int), cudaMemcpyDeviceToHost));
	printf("%s %s\n", name, got == want ? "ok" : "WRONG");
	good &= got == want;
	give();
}

static void sums()
{
	Numbers want(in.begin(), in.begin() + N), total(3);

	scan<<<1, N>>>(from, to);
	for (int i = 0; i < N; i++)
		want[i] += i % WARP ? want[i - 1] : 0;
	compare("scan", to, want);
	for (int way = 0; way < 3; way++) {
		reduce<<<1, N, 2 * N * sizeof(int)>>>(from, to, way);
		for (int i = 0; i < N; i++)
			total[way] += in[i];
	}
	compare("reduce", to, total);
}

static void moves()
{
	Numbers want(WARP);

	reverse<<<1, WARP>>>(from);
	for (int i = 0; i < WARP; i++)
		want[31 - i] = 3 * in[i];
	compare("reverse", from, want);
	sort<<<1, WARP>>>(from);
	want.assign(in.begin(), in.begin() + 2 * WARP);
	std::sort(want.begin(), want.end());
	compare("sort", from, want);
	transpose<<<1, WARP>>>(from, to);
	want.resize(WARP * WARP);
	for (int i = 0; i < WARP * WARP; i++)
		want[i] = in[i % WARP * WARP + i / WARP];
	compare("transpose", to, want);
	rows<<<1, dim3(16, 4)>>>(to);
	want.resize(64);
	for (int i = 0; i < 64; i++)
		want[i] = i + (i / 16 ^ 1) * 16 + 15 - i % 16;
	compare("rows", to, want);
	straddle<<<1, dim3(24, 4)>>>(to);
	want.resize(96);
	for (int i = 0; i < 96; i++)
		want[i] = i < 16 || i >= 24 ? i : 2 * i + 8;
	compare("straddle", to, want);
}

static void lists()
{
	Numbers way(WARP), next(WARP), rank(WARP), first(WARP), want(WARP);

	for (int i = 0; i < WARP; i++)
		way[i] = i * 13 % WARP;
	CHECK(cudaMemcpy(to, way.data(), WARP * sizeof(int), cudaMemcpyHostToDevice));
	permute<<<1, WARP>>>(from, to);
	for (int i = 0; i < WARP; i++)
		want[way[i]] = in[way[i]] + i;
	compare("permute", from, want);
	for (int i = 0; i < WARP; i++) {
		next[way[i]] = way[i < WARP - 1 ? i + 1 : i];
		first[way[i]] = i < WARP - 1;
		rank[way[i]] = WARP - 1 - i;
	}
	CHECK(cudaMemcpy(from, next.data(), WARP * sizeof(int), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(to, first.data(), WARP * sizeof(int), cudaMemcpyHostToDevice));
	ranks<<<1, WARP>>>(from, to);
	compare("ranks", to, rank);
}

static void ways()
{
	Numbers want = in;

	CHECK(cudaMemcpy(to, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice));
	cycles<<<1, WARP>>>(from, to, WARP);
	for (int at = 0, count = 0; at < WARP; at += 1 + (in[at] & 1), count += 3)
		for (int t = 0; t < WARP; t++)
			want[at * WARP + t] += count;
	compare("cycles", from, want);
	lengths<<<1, N>>>(from, to);
	want.assign(in.begin(), in.begin() + N);
	for (int k = 0; k < 3; k++) {
		Numbers before = want;

		for (int t = 0; t < N; t++)
			if (t % WARP != 31 && k < t % WARP % 4)
				want[t] = before[t + 1] + before[t ^ 1] + k;
	}
	for (int t = 31; t < N; t += WARP)
		want[t] = 0;
	compare("lengths", to, want);
	locked<<<1, WARP>>>(to);
	want.assign(WARP, 2 * (31 * 32 / 2));
	compare("locked", to, want);
}

int main()
{
	unsigned state = 7;

	for (int &v : in)
		v = (int)(next(&state) % 1000);
	CHECK(cudaMalloc(&from, in.size() * sizeof(int)));
	CHECK(cudaMalloc(&to, in.size() * sizeof(int)));
	give();
	sums();
	moves();
	lists();
	ways();
	return passed(good);
}
