/* SPDX-License-Identifier: GPL-3.0-or-later
 * waits.cu -- blocks, warps and threads that wait for what others write, without a barrier of the whole: in loops
 * with votes and barriers in them, beside warps that meet meanwhile, in the order of tickets.  Each has to end.
 */
#include <vector>
#include "common.h"

#define BLOCKS 12
#define WARP 32

/* What block b + 1 left, for block b; the first blocks begin first. */
static __device__ void pass_on(volatile int *out, volatile int *flag)
{
	unsigned b = blockIdx.x;

	__threadfence();
	out[b] = b + 1 < gridDim.x ? out[b + 1] + b : 7;
	__threadfence();
	flag[b] = 1;
}

__global__ void votes(int *out, volatile int *flag)
{
	int there = 1;

	do {
		if (blockIdx.x + 1 < gridDim.x)
			there = flag[blockIdx.x + 1];
	} while (__any_sync(0xffffffffu, there == 0));
	if (threadIdx.x == 0)
		pass_on(out, flag);
}

__global__ void barriers(int *out, volatile int *flag)
{
	__shared__ volatile int there;

	if (threadIdx.x == 0)
		there = blockIdx.x + 1 == gridDim.x;
	__syncthreads();
	while (!there) {
		__syncthreads();
		if (threadIdx.x == 0)
			there = flag[blockIdx.x + 1];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		pass_on(out, flag);
}

/* The first warp waits for the next block, the second one for the first, each in its own way. */
__global__ void relay(int *out, volatile int *flag)
{
	__shared__ volatile int there;
	int seen;

	if (threadIdx.x == 0)
		there = 0;
	__syncthreads();
	if (threadIdx.x < WARP) {
		while (blockIdx.x + 1 < gridDim.x && flag[blockIdx.x + 1] == 0)
			;
		__syncwarp();
		if (threadIdx.x == 0)
			there = 1;
		return;
	}
	do {
		seen = there;
	} while (__any_sync(0xffffffffu, seen == 0));
	if (threadIdx.x == WARP)
		pass_on(out, flag);
}

/* A lower triangle's rows, a warp for each, as soon as the rows that it needs are there. */
__global__ void solve(const int *first, const int *column, volatile int *x, volatile int *flag, int n)
{
	int row = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP, sum = 0;

	if (row >= n)
		return;
	for (int k = first[row] + lane; k < first[row + 1]; k += WARP) {
		while (flag[column[k]] == 0)
			;
		sum += x[column[k]];
	}
	for (int d = WARP / 2; d; d /= 2)
		sum += __shfl_down_sync(0xffffffffu, sum, d);
	if (lane == 0) {
		x[row] = (sum + row + 1) % 10007;
		__threadfence();
		flag[row] = 1;
	}
}

/* Threads of a warp that hold a lock one after the other. */
__global__ void tickets(int *out, volatile int *word)
{
	int mine = atomicAdd((int *)word, 1);

	while (word[1] != mine)
		;
	out[mine] = out[BLOCKS] + mine;
	out[BLOCKS] = out[mine];
	__threadfence();
	word[1] = mine + 1;
}

/* Blocks that count themselves at a barrier, on and on: who looks late must not miss the number. */
__global__ void counted(int *out, volatile int *count)
{
	for (int round = 1; round <= 4; round++) {
		int before = out[(blockIdx.x + round) % gridDim.x];

		for (int half = 1; half >= 0; half--) {
			__syncthreads();
			if (threadIdx.x == 0) {
				__threadfence();
				atomicAdd((int *)count, 1);
				while (*count != (int)gridDim.x * (2 * round - half))
					;
			}
			__syncthreads();
			if (half && threadIdx.x == 0)
				out[blockIdx.x] = before + round;
		}
	}
}

/* Until a time at most: the last block answers block 0, a thread of the next warp its first one, nobody
 * block 1.  What is before must not make the time shorter. */
__global__ void timed(int *out, volatile int *flag)
{
	__shared__ volatile int there;
	long long begin = 0;

	for (int i = 0; i < 40; i++)
		begin = clock64();
	if (threadIdx.x == 0)
		there = 0;
	__syncthreads();
	if (threadIdx.x == WARP)
		there = 1;
	if (threadIdx.x == WARP && blockIdx.x + 1 == gridDim.x)
		*flag = 1;
	if (threadIdx.x != 0 || blockIdx.x > 1)
		return;
	while (!there && clock64() - begin < (100 << 20))
		;
	out[blockIdx.x] = there;
	begin = clock64();
	while (clock64() - begin < 1000 << 20) {
		if (flag[blockIdx.x]) {
			out[blockIdx.x] += 2;
			break;
		}
		__nanosleep(100);
	}
}

/* A lock that threads look at before they try: none may wait for the holder's next step. */
__global__ void looks(int *out, volatile int *lock)
{
	for (;;) {
		while (*lock)
			;
		if (atomicCAS((int *)lock, 0, 1) == 0)
			break;
	}
	out[0] = out[0] + 1;
	__threadfence();
	atomicExch((int *)lock, 0);
}

typedef std::vector<int> Numbers;
static int *out, *flag;

static int *on_device(const Numbers &v)
{
	int *p;

	CHECK(cudaMalloc(&p, v.size() * sizeof(int)));
	CHECK(cudaMemcpy(p, v.data(), v.size() * sizeof(int), cudaMemcpyHostToDevice));
	return p;
}

static bool gives(const char *name, const Numbers &want)
{
	Numbers got(want.size());

	CHECK(cudaMemcpy(got.data(), out, want.size() * sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaMemset(out, 0, 64 * sizeof(int)));
	CHECK(cudaMemset(flag, 0, 64 * sizeof(int)));
	printf("%s %s\n", name, got == want ? "ok" : "WRONG");
	return got == want;
}

static bool solves()
{
	Numbers first(1), column, want(2 * BLOCKS);
	unsigned state = 3;

	for (int i = 0; i < 2 * BLOCKS; i++) {
		int sum = i + 1;

		for (int k = 0; k < 40 && i; k++) {
			column.push_back((int)(next(&state) % i));
			sum += want[column.back()];
		}
		first.push_back((int)column.size());
		want[i] = sum % 10007;
	}
	solve<<<BLOCKS, 2 * WARP>>>(on_device(first), on_device(column), out, flag, 2 * BLOCKS);
	return gives("solve", want);
}

int main()
{
	Numbers chain(BLOCKS, 7), sums(BLOCKS), rounds(BLOCKS);
	bool good;

	for (int b = BLOCKS - 2; b >= 0; b--)
		chain[b] = chain[b + 1] + b;
	for (int i = 1; i < BLOCKS; i++)
		sums[i] = sums[i - 1] + i;
	out = on_device(Numbers(64));
	flag = on_device(Numbers(64));
	votes<<<BLOCKS, WARP>>>(out, flag);
	good = gives("votes", chain);
	barriers<<<BLOCKS, 2 * WARP>>>(out, flag);
	good &= gives("barriers", chain);
	relay<<<BLOCKS, 2 * WARP>>>(out, flag);
	good &= gives("relay", chain);
	good &= solves();
	tickets<<<2, BLOCKS / 2>>>(out, flag);
	good &= gives("tickets", sums);
	counted<<<BLOCKS, 2 * WARP>>>(out, flag);
	for (int round = 1; round <= 4; round++) {
		Numbers before = round > 1 ? rounds : Numbers(BLOCKS);

		for (int b = 0; b < BLOCKS; b++)
			rounds[b] = before[(b + round) % BLOCKS] + round;
	}
	good &= gives("counted", rounds);
	timed<<<BLOCKS, 2 * WARP>>>(out, flag);
	good &= gives("timed", Numbers{ 3, 1 });
	looks<<<3, WARP>>>(out, flag);
	good &= gives("looks", Numbers{ 3 * WARP });
	return passed(good);
}
