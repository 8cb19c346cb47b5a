/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of matrices by a warp (mma.h), numbers of 8 bits, and cuda::atomic.  Numbers are small
 * integers, so that sums are exact in any order.
 */
#include <cmath>
#include <cuda/atomic>
#include <cuda/std/type_traits>
#include <cuda_fp8.h>
#include <mma.h>
#include "common.h"

using namespace nvcuda;

#define DEPTH 32 /* of the product: two or more fragments */

template <class Layout> __host__ __device__ constexpr bool by_rows()
{
	return cuda::std::is_same<Layout, wmma::row_major>::value;
}

template <class T, class Sum, class LA, class LB, int M, int N, int K>
__global__ void multiply(const T *a, const T *b, const Sum *c, Sum *d)
{
	wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
	wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
	wmma::fragment<wmma::accumulator, M, N, K, Sum> sum, more;

	wmma::fill_fragment(sum, Sum(0));
	for (int k = 0; k < DEPTH; k += K) {
		wmma::load_matrix_sync(fa, by_rows<LA>() ? a + k : a + k * M, by_rows<LA>() ? DEPTH : M);
		wmma::load_matrix_sync(fb, by_rows<LB>() ? b + k * N : b + k, by_rows<LB>() ? N : DEPTH);
		wmma::mma_sync(sum, fa, fb, sum);
	}
	wmma::load_matrix_sync(more, c, N, wmma::mem_row_major);
	for (int i = 0; i < more.num_elements; i++)
		more.x[i] = Sum(2) * sum.x[i] + more.x[i];
	wmma::store_matrix_sync(d, more, M, wmma::mem_col_major);
}

template <class T, class Sum, class LA, class LB, int M, int N, int K> static bool multiplies()
{
	T *a, *b;
	Sum *c, *d;
	bool good = true;

	CHECK(cudaMallocManaged(&a, M * DEPTH * sizeof *a));
	CHECK(cudaMallocManaged(&b, N * DEPTH * sizeof *b));
	CHECK(cudaMallocManaged(&c, M * N * sizeof *c));
	CHECK(cudaMallocManaged(&d, M * N * sizeof *d));
	for (int i = 0; i < M * DEPTH; i++)
		a[i] = T(i * 7 % 11 - 5);
	for (int i = 0; i < N * DEPTH; i++)
		b[i] = T(i * 5 % 13 - 6);
	for (int i = 0; i < M * N; i++)
		c[i] = Sum(i % 100);
	multiply<T, Sum, LA, LB, M, N, K><<<1, 32>>>(a, b, c, d);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < M; i++) {
		for (int j = 0; j < N; j++) {
			float sum = 0;

			for (int k = 0; k < DEPTH; k++)
				sum += (float)a[by_rows<LA>() ? i * DEPTH + k : k * M + i] *
				       (float)b[by_rows<LB>() ? k * N + j : j * DEPTH + k];
			good &= (float)d[j * M + i] == 2 * sum + (float)c[i * N + j];
		}
	}
	return good;
}

/* Each number, and what lies between two of them. */
static bool eights_are_right(__nv_fp8_interpretation_t kind, int largest)
{
	bool good = true;

	for (int i = 0; i < largest; i++) {
		double low = __ws_float_of_fp8((unsigned char)i, kind);
		double high = __ws_float_of_fp8((unsigned char)(i + 1), kind), middle = (low + high) / 2;

		good &= __nv_cvt_double_to_fp8(-low, __NV_NOSAT, kind) == (i | 0x80);
		good &= __nv_cvt_double_to_fp8(middle, __NV_NOSAT, kind) == i + (i & 1);
		good &= __nv_cvt_double_to_fp8(std::nextafter(middle, 0), __NV_NOSAT, kind) == i;
		good &= __nv_cvt_double_to_fp8(std::nextafter(middle, 1e9), __NV_NOSAT, kind) == i + 1;
	}
	return good && __nv_cvt_float_to_fp8(INFINITY, __NV_SATFINITE, kind) == largest;
}

struct Counts {
	cuda::atomic<int, cuda::thread_scope_device> sum;
	cuda::std::atomic<unsigned> most;
};

__global__ void count(Counts *c, float *real, int *word, __nv_fp8_e4m3 *eight)
{
	__shared__ cuda::atomic<int, cuda::thread_scope_block> come;
	cuda::atomic_ref<float, cuda::thread_scope_block> r(*real);
	cuda::atomic_ref<int> w(*word);
	int seen = w.load();

	if (threadIdx.x == 0)
		come.store(0, cuda::memory_order_relaxed);
	__syncthreads();
	come++;
	c->sum.fetch_add(2, cuda::memory_order_relaxed);
	c->most.fetch_max(threadIdx.x * 3u);
	r += 0.5f;
	while (!w.compare_exchange_weak(seen, (seen * 2 + 1) & 1023))
		;
	__syncthreads();
	if (threadIdx.x == 0 && come != (int)blockDim.x)
		c->sum = -1000000;
	eight[threadIdx.x] = __nv_fp8_e4m3((float)threadIdx.x * 1.04f);
}

int main()
{
	using wmma::col_major;
	using wmma::row_major;
	Counts *c;
	float *real;
	int *word;
	__nv_fp8_e4m3 *eight;
	bool good = multiplies<half, float, row_major, col_major, 16, 16, 16>() &&
		    multiplies<half, half, col_major, row_major, 32, 8, 16>() &&
		    multiplies<__nv_bfloat16, float, row_major, row_major, 8, 32, 16>() &&
		    multiplies<signed char, int, col_major, col_major, 16, 16, 16>() &&
		    multiplies<double, double, row_major, col_major, 8, 8, 4>();

	good &= eights_are_right(__NV_E4M3, 0x7e) && eights_are_right(__NV_E5M2, 0x7b);
	CHECK(cudaMallocManaged(&c, sizeof *c));
	CHECK(cudaMallocManaged(&real, sizeof *real));
	CHECK(cudaMallocManaged(&word, sizeof *word));
	CHECK(cudaMallocManaged(&eight, 64 * sizeof *eight));
	new (c) Counts();
	c->sum = 0;
	c->most = 0;
	*real = 0;
	*word = 0;
	count<<<4, 64>>>(c, real, word, eight);
	CHECK(cudaDeviceSynchronize());
	good &= c->sum == 512 && c->most == 189 && *real == 128 && *word == 1023;
	good &= (float)eight[63] == 64 && (float)eight[10] == 10;
	return passed(good);
}
