// SPDX-License-Identifier: GPL-3.0-or-later
// What programs for newer GPUs have: packed matrices of a warp, barriers and pipelines in shared memory,
// updates by a group, SMs by number.  All is held against the same, computed by the host in the plainest way.
#include "common.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/annotated_ptr>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#include <mma.h>
#include <nv/target>
#include <vector>

using namespace nvcuda;
namespace cg = cooperative_groups;

template <class T> static T *shared_with_device(size_t n)
{
	T *p;

	CHECK(cudaMallocManaged((void **)&p, n * sizeof(T)));
	for (size_t i = 0; i < n; i++)
		p[i] = T();
	return p;
}

/* ---- matrices of 4 bits and of one ------------------------------------------------------------------- */

template <class P> __global__ void fours(const unsigned *a, const unsigned *b, int *c)
{
	wmma::fragment<wmma::matrix_a, 8, 8, 32, P, wmma::row_major> left;
	wmma::fragment<wmma::matrix_b, 8, 8, 32, P, wmma::col_major> right;
	wmma::fragment<wmma::accumulator, 8, 8, 32, int> sum;

	wmma::fill_fragment(sum, 7);
	wmma::load_matrix_sync(left, a, 32);
	wmma::load_matrix_sync(right, b, 32);
	wmma::mma_sync(sum, left, right, sum);
	wmma::store_matrix_sync(c, sum, 8, wmma::mem_row_major);
}

__global__ void ones(const unsigned *a, const unsigned *b, int *c)
{
	using namespace wmma::experimental;
	wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> left;
	wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> right;
	wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum;

	wmma::fill_fragment(sum, 0);
	wmma::load_matrix_sync(left, a, 128);
	wmma::load_matrix_sync(right, b, 128);
	wmma::bmma_sync(sum, left, right, sum);
	wmma::bmma_sync(sum, left, right, sum, bmmaBitOpAND);
	wmma::store_matrix_sync(c, sum, 8, wmma::mem_col_major);
}

static int four(const unsigned *p, int i, bool is_signed)
{
	unsigned v = p[i / 8] >> i % 8 * 4 & 15;

	return is_signed && v > 7 ? (int)v - 16 : (int)v;
}

static bool packed()
{
	unsigned *a = shared_with_device<unsigned>(32), *b = shared_with_device<unsigned>(32), state = 5;
	int *c = shared_with_device<int>(192);

	for (int i = 0; i < 32; i++) {
		a[i] = next(&state) << 8 ^ next(&state);
		b[i] = next(&state) << 8 ^ next(&state);
	}
	fours<wmma::experimental::precision::s4><<<1, 32>>>(a, b, c);
	fours<wmma::experimental::precision::u4><<<1, 32>>>(a, b, c + 64);
	ones<<<1, 32>>>(a, b, c + 128);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 8; j++) {
			int s = 7, u = 7, o = 0;

			for (int k = 0; k < 32; k++) {
				s += four(a, 32 * i + k, true) * four(b, 32 * j + k, true);
				u += four(a, 32 * i + k, false) * four(b, 32 * j + k, false);
			}
			for (int k = 0; k < 128; k++) {
				int l = a[4 * i + k / 32] >> k % 32 & 1, r = b[4 * j + k / 32] >> k % 32 & 1;

				o += (l ^ r) + (l & r);
			}
			REQUIRE(c[8 * i + j] == s && c[64 + 8 * i + j] == u && c[128 + 8 * j + i] == o);
		}
	}
	return true;
}

/* ---- barriers: who passes one finds what all had written before it ------------------------------------ */

#define ROUNDS 9
__global__ void rounds(int *out)
{
	using Barrier = cuda::barrier<cuda::thread_scope_block>;
	__shared__ Barrier barrier;
	__shared__ int value[128];
	int t = threadIdx.x, x = t;

	if (t == 0)
		init(&barrier, blockDim.x);
	__syncthreads();
	for (int r = 0; r < ROUNDS; r++) {
		value[t] = x;
		Barrier::arrival_token token = barrier.arrive();
		barrier.wait(static_cast<Barrier::arrival_token &&>(token));
		x = value[(t ^ 21 * (r + 1)) % 128] + 1;
		barrier.arrive_and_wait();
	}
	out[t] = x;
	if (t >= 64) {
		barrier.arrive_and_drop();
		return;
	}
	barrier.arrive_and_wait();
	value[t] = 3 * t;
	barrier.arrive_and_wait();
	out[128 + t] = value[63 - t];
}

/* A thread comes late: it waits for another block, and others are at the barrier by then.  One that opens
 * before all have come lets them read what is not written yet.  It has its warp to itself, as the others of a
 * warp may wait for it. */
enum kind { SYNCTHREADS, NUMBERED, BARRIER, PARITY, LATCH, TILE, GRID, KINDS };
__global__ void late(int *gate, int *out, int which, int last)
{
	using Barrier = cuda::barrier<cuda::thread_scope_block>;
	__shared__ cg::block_tile_memory<64> memory;
	__shared__ Barrier barrier;
	__shared__ cuda::latch<cuda::thread_scope_block> latch;
	__shared__ int value;
	int t = threadIdx.x;
	cg::thread_block block = cg::this_thread_block(memory);
	auto tile = cg::tiled_partition<64>(block);

	if (t == 0) {
		init(&barrier, blockDim.x);
		init(&latch, blockDim.x);
		value = 0;
	}
	__syncthreads();
	if (blockIdx.x == 1 && t == 0) {
		while (atomicAdd(&gate[0], 0) < 64)
			;
		for (int i = 1; i <= 8; i++) { /* turns of both blocks */
			atomicExch(&gate[1], i);
			while (atomicAdd(&gate[2], 0) < i)
				;
		}
	} else if (blockIdx.x == 0 && t == last) {
		for (int i = 1; i <= 8; i++) {
			while (atomicAdd(&gate[1], 0) < i)
				;
			atomicExch(&gate[2], i);
		}
		gate[3] = value = 5;
	} else if (blockIdx.x == 0) {
		atomicAdd(&gate[0], 1);
	}
	if (which == SYNCTHREADS)
		__syncthreads();
	else if (which == NUMBERED)
		asm volatile("bar.sync 3;" ::: "memory");
	else if (which == BARRIER)
		barrier.arrive_and_wait();
	else if (which == PARITY)
		(void)barrier.arrive(), barrier.wait_parity(false);
	else if (which == LATCH)
		latch.arrive_and_wait();
	else if (which == TILE)
		tile.sync();
	else
		cg::this_grid().sync();
	if (blockIdx.x == (which == GRID ? 2 : 0))
		out[t] = which == GRID ? gate[3] : value;
}

static bool none_early()
{
	int *gate = shared_with_device<int>(4), *out = shared_with_device<int>(65);

	for (int which = 0; which < KINDS; which++) {
		int last = which == TILE ? 63 : 64; /* the others are in its tile, too */
		void *args[] = { &gate, &out, &which, &last };

		gate[0] = gate[1] = gate[2] = gate[3] = 0;
		CHECK(cudaLaunchCooperativeKernel((void *)late, dim3(3), dim3(65), args, 0, 0));
		CHECK(cudaDeviceSynchronize());
		for (int t = 0; t <= last; t++)
			REQUIRE(out[t] == 5);
	}
	return true;
}

/* Two tiles ahead, of which the oldest is waited for. */
__global__ void tiles(const int *in, int *out, int n)
{
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
	__shared__ int tile[2][64];
	auto block = cg::this_thread_block();
	auto pipe = cuda::make_pipeline(block, &state);
	cuda::annotated_ptr<const int, cuda::access_property::streaming> from(in);
	int sum = 0, t = threadIdx.x;

	for (int i = 0, put = 0; i < n; i++) {
		for (; put < n && put < i + 2; put++) {
			pipe.producer_acquire();
			cuda::memcpy_async(block, tile[put % 2], &from[64 * put],
					   cuda::aligned_size_t<16>(sizeof tile[0]), pipe);
			pipe.producer_commit();
		}
		if (i + 1 < n)
			cuda::pipeline_consumer_wait_prior<1>(pipe);
		else
			cuda::pipeline_consumer_wait_prior<0>(pipe);
		sum = 3 * sum + tile[i % 2][(t + 17 * i) % 64];
		pipe.consumer_release();
	}
	out[t] = sum;
}

static bool barriers()
{
	int *out = shared_with_device<int>(192), *in = shared_with_device<int>(512);
	int x[128], was[128];

	rounds<<<1, 128>>>(out);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 128; i++)
		x[i] = i;
	for (int r = 0; r < ROUNDS; r++) {
		std::copy(x, x + 128, was);
		for (int i = 0; i < 128; i++)
			x[i] = was[(i ^ 21 * (r + 1)) % 128] + 1;
	}
	for (int i = 0; i < 128; i++)
		REQUIRE(out[i] == x[i] && (i >= 64 || out[128 + i] == 3 * (63 - i)));
	for (int i = 0; i < 512; i++)
		in[i] = i * i % 101;
	tiles<<<1, 64>>>(in, out, 8);
	CHECK(cudaDeviceSynchronize());
	for (int t = 0; t < 64; t++) {
		int sum = 0;

		for (int i = 0; i < 8; i++)
			sum = 3 * sum + in[64 * i + (t + 17 * i) % 64];
		REQUIRE(out[t] == sum);
	}
	return true;
}

/* ---- groups, SMs, conversions --------------------------------------------------------------------------- */

__global__ void groups(const int *in, int *out, unsigned *sm, unsigned *sms)
{
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	cuda::atomic_ref<int, cuda::thread_scope_device> sum(out[0]), most(out[1]);
	unsigned here, all;

	cg::reduce_update_async(warp, sum, in[threadIdx.x], cg::plus<int>());
	cg::reduce_update_async(warp, most, in[threadIdx.x], cg::greater<int>());
	cg::reduce_store_async(warp, &out[2 + threadIdx.x / 32], in[threadIdx.x], cg::bit_xor<int>());
	asm volatile("mov.u32 %0, %%smid;" : "=r"(here));
	asm volatile("mov.u32 %0, %%nsmid;" : "=r"(all));
	NV_IF_TARGET(NV_IS_DEVICE, (if (threadIdx.x == 0) atomicAdd(&sm[here], 1u); *sms = all;));
}

/* Numbers of 32 bits as halves, to each side; constants of Sobol's. */
__global__ void conversions(const int *in, float *out, unsigned *numbers, unsigned *direction)
{
	int t = threadIdx.x;
	curandStateScrambledSobol32_t state;

	out[4 * t] = __half2float(__int2half_rz(in[t]));
	out[4 * t + 1] = __half2float(__int2half_rd(in[t]));
	out[4 * t + 2] = __half2float(__int2half_ru(in[t]));
	out[4 * t + 3] = __half2float(__int2half_rn(in[t]));
	curand_init(direction, 0x12345678u, t, &state);
	numbers[t] = curand(&state);
}

static bool library()
{
	int *in = shared_with_device<int>(128), *out = shared_with_device<int>(8);
	int count, sum = 0, most = 0, parity[4] = {};
	unsigned *sm = shared_with_device<unsigned>(4096), *sms = shared_with_device<unsigned>(1);
	unsigned *numbers = shared_with_device<unsigned>(128), *direction = shared_with_device<unsigned>(32);
	float *halves = shared_with_device<float>(512);
	unsigned state = 9;

	CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
	for (int i = 0; i < 128; i++) {
		in[i] = (int)(next(&state) % 120000) - 60000;
		sum += in[i];
		most = in[i] > most ? in[i] : most;
		parity[i / 32] ^= in[i];
	}
	for (int i = 0; i < 32; i++)
		direction[i] = next(&state) << 8 | 1u << i;
	groups<<<1, 128>>>(in, out, sm, sms);
	CHECK(cudaDeviceSynchronize());
	REQUIRE(out[0] == sum && out[1] == most);
	for (int i = 0; i < 4; i++)
		REQUIRE(out[2 + i] == parity[i]);
	groups<<<count + 3, 128>>>(in, out, sm, sms);
	conversions<<<1, 128>>>(in, halves, numbers, direction);
	CHECK(cudaDeviceSynchronize());
	REQUIRE((int)*sms == count);
	for (int i = 0; i < count + 1; i++)
		REQUIRE(sm[i] == (i == count ? 0u : i == 0 ? 3u : i < 3 ? 2u : 1u));
	for (int i = 0; i < 128; i++) {
		int n = in[i] < 0 ? -in[i] : in[i], step = 1, down, up;
		unsigned x = 0x12345678u;

		while (n / step > 2047)
			step *= 2;
		down = in[i] < 0 ? -(n + step - 1) / step * step : n / step * step;
		up = in[i] < 0 ? -(n / step * step) : (n + step - 1) / step * step;
		REQUIRE(halves[4 * i] == (in[i] < 0 ? up : down));
		REQUIRE(halves[4 * i + 1] == down && halves[4 * i + 2] == up);
		REQUIRE(in[i] - down == up - in[i] ? halves[4 * i + 3] == down || halves[4 * i + 3] == up
			: halves[4 * i + 3] == (in[i] - down < up - in[i] ? down : up));
		for (int bit = 0; bit < 32; bit++)
			x ^= (i ^ i >> 1) >> bit & 1 ? direction[bit] : 0;
		REQUIRE(numbers[i] == x);
	}
	return true;
}

int main()
{
	return passed(packed() && barriers() && none_early() && library());
}
