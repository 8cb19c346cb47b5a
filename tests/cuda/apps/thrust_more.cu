/* SPDX-License-Identifier: GPL-3.0-or-later
 * thrust_more.cu -- Thrust's iterators and algorithms beyond the usual, and CUB's blocks, warps and device calls.
 */
#include <cub/cub.cuh>
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/remove.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include "common.h"
#include <algorithm>
#include <numeric>
#include <vector>

static const int N = 2000;

struct Square {
	__host__ __device__ float operator()(float x) const { return x * x; }
};
struct Sum3 {
	template <class T> __host__ __device__ int operator()(const T &t) const
	{
		return thrust::get<0>(t) + 2 * thrust::get<1>(t);
	}
};
struct Even {
	__host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct Draw {
	__host__ __device__ int operator()(unsigned i) const
	{
		thrust::default_random_engine rng(7);
		thrust::uniform_int_distribution<int> d(0, 99);
		rng.discard(i);
		return d(rng);
	}
};

#define WANT(x) (good &= (x) || !fprintf(stderr, "line %d\n", __LINE__))

static bool iterators(const std::vector<int> &h)
{
	thrust::device_vector<int> d(h.begin(), h.end()), e(N), f(N);
	bool good = true;
	std::vector<int> back(N);

	thrust::transform(thrust::make_zip_iterator(thrust::make_tuple(d.begin(), thrust::counting_iterator<int>(0))),
			  thrust::make_zip_iterator(thrust::make_tuple(d.end(), thrust::counting_iterator<int>(N))),
			  e.begin(), Sum3());
	thrust::copy(e.begin(), e.end(), back.begin());
	for (int i = 0; i < N; i++)
		WANT(back[i] == h[i] + 2 * i);
	thrust::sequence(f.begin(), f.end(), N - 1, -1);
	WANT(thrust::reduce(thrust::make_permutation_iterator(d.begin(), f.begin()),
			    thrust::make_permutation_iterator(d.begin(), f.begin() + 10)) ==
	     std::accumulate(h.end() - 10, h.end(), 0));
	thrust::gather(f.begin(), f.end(), d.begin(), e.begin());
	WANT(e[0] == h[N - 1] && e[N - 1] == h[0]);
	thrust::scatter(d.begin(), d.end(), f.begin(), e.begin());
	WANT(e[0] == h[N - 1]);
	WANT(thrust::transform_reduce(d.begin(), d.end(), Square(), 0.0, thrust::plus<double>()) ==
	     std::inner_product(h.begin(), h.end(), h.begin(), 0.0));
	WANT(thrust::inner_product(d.begin(), d.end(), d.begin(), 0) == std::inner_product(h.begin(), h.end(), h.begin(), 0));
	WANT(thrust::count_if(d.begin(), d.end(), Even()) == std::count_if(h.begin(), h.end(), Even()));
	WANT(thrust::max_element(d.begin(), d.end()) - d.begin() == std::max_element(h.begin(), h.end()) - h.begin());
	thrust::transform(thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(N), e.begin(), Draw());
	WANT(e[5] == Draw()(5) && e[N - 1] == Draw()(N - 1));
	thrust::for_each_n(thrust::device, thrust::counting_iterator<int>(0), N,
			   [p = thrust::raw_pointer_cast(e.data())] __device__(int i) { p[i] = 3 * i; });
	WANT(e[7] == 21);
	thrust::complex<float> z(1, 2);
	WANT(thrust::abs(z * thrust::conj(z)) == 5.0f);
	return good;
}

static bool orders(const std::vector<int> &h)
{
	thrust::device_vector<int> d(h.begin(), h.end()), keys(N), sums(N), e(N);
	thrust::host_vector<int> back;
	std::vector<int> s(h);
	bool good = true;
	int *raw;

	CHECK(cudaMalloc(&raw, N * sizeof *raw));
	CHECK(cudaMemcpy(raw, h.data(), N * sizeof *raw, cudaMemcpyHostToDevice));
	thrust::device_ptr<int> p(raw);
	thrust::stable_sort(p, p + N);
	std::sort(s.begin(), s.end());
	back = thrust::host_vector<int>(p, p + N);
	WANT(std::equal(s.begin(), s.end(), back.begin()));
	auto ends = thrust::reduce_by_key(thrust::device, p, p + N, thrust::constant_iterator<int>(1), keys.begin(), sums.begin());
	std::vector<int> u(s);
	u.erase(std::unique(u.begin(), u.end()), u.end());
	WANT(ends.first - keys.begin() == (int)u.size());
	WANT(thrust::reduce(sums.begin(), ends.second) == N && keys[3] == u[3]);
	WANT(thrust::lower_bound(p, p + N, 500) - p == std::lower_bound(s.begin(), s.end(), 500) - s.begin());
	thrust::upper_bound(p, p + N, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(1000), e.begin());
	WANT(e[500] == std::upper_bound(s.begin(), s.end(), 500) - s.begin());
	thrust::exclusive_scan(d.begin(), d.end(), e.begin(), 5);
	WANT(e[0] == 5 && e[N - 1] == 5 + std::accumulate(h.begin(), h.end() - 1, 0));
	auto last = thrust::remove_if(d.begin(), d.end(), Even());
	WANT(last - d.begin() == N - std::count_if(h.begin(), h.end(), Even()));
	WANT(thrust::unique(p, p + N) - p == (int)u.size());
	thrust::fill(d.begin(), d.end(), 9);
	WANT(thrust::all_of(d.begin(), d.end(), thrust::placeholders::_1 == 9));
	auto two = thrust::minmax_element(e.begin(), e.end());
	WANT(*two.first == 5);
	CHECK(cudaFree(raw));
	return good;
}

__global__ void in_block(const int *in, int *out)
{
	typedef cub::BlockReduce<int, 128> Reduce;
	typedef cub::BlockScan<int, 128> Scan;
	typedef cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
	typedef cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
	typedef cub::BlockRadixSort<int, 128, 4> Sort;
	typedef cub::WarpReduce<int> Warp;
	typedef cub::WarpScan<int> Warps;
	__shared__ union {
		typename Reduce::TempStorage reduce;
		typename Scan::TempStorage scan;
		typename Load::TempStorage load;
		typename Store::TempStorage store;
		typename Sort::TempStorage sort;
		typename Warp::TempStorage warp[4];
		typename Warps::TempStorage warps[4];
	} room;
	int four[4], sum, before, total;

	Load(room.load).Load(in, four);
	__syncthreads();
	Sort(room.sort).Sort(four);
	__syncthreads();
	Store(room.store).Store(out, four);
	__syncthreads();
	sum = Reduce(room.reduce).Sum(in[threadIdx.x]);
	__syncthreads();
	Scan(room.scan).ExclusiveSum(in[threadIdx.x], before, total);
	__syncthreads();
	out[512 + threadIdx.x] = before;
	if (threadIdx.x == 0)
		out[640] = sum == total ? sum : -1;
	sum = Warp(room.warp[threadIdx.x / 32]).Reduce(in[threadIdx.x], cub::Max());
	__syncthreads();
	Warps(room.warps[threadIdx.x / 32]).InclusiveSum(in[threadIdx.x], before);
	if (threadIdx.x % 32 == 0)
		out[641 + threadIdx.x / 32] = sum;
	if (threadIdx.x == 31)
		out[645] = before;
}

static bool blocks(const std::vector<int> &h)
{
	thrust::device_vector<int> d(h.begin(), h.end()), out(646);
	std::vector<int> s(h.begin(), h.begin() + 512);
	bool good = true;

	in_block<<<1, 128>>>(thrust::raw_pointer_cast(&d[0]), thrust::raw_pointer_cast(out.data()));
	CHECK(cudaDeviceSynchronize());
	thrust::host_vector<int> o = out;
	std::sort(s.begin(), s.end());
	WANT(std::equal(s.begin(), s.end(), o.begin()));
	WANT(o[640] == std::accumulate(h.begin(), h.begin() + 128, 0));
	WANT(o[512 + 100] == std::accumulate(h.begin(), h.begin() + 100, 0));
	WANT(o[642] == *std::max_element(h.begin() + 32, h.begin() + 64));
	WANT(o[645] == std::accumulate(h.begin(), h.begin() + 32, 0));
	return good;
}

/* A device call is made twice: how much room, and the work. */
template <class F> static void twice(F call)
{
	void *room = NULL;
	size_t bytes = 0;

	CHECK(call(room, bytes));
	CHECK(cudaMalloc(&room, bytes ? bytes : 1));
	CHECK(call(room, bytes));
	CHECK(cudaFree(room));
}

static bool devices(const std::vector<int> &h)
{
	thrust::device_vector<int> d(h.begin(), h.end()), out(N), counts(N), one(1), hist(10);
	std::vector<int> want(10);
	int *in = thrust::raw_pointer_cast(d.data()), *to = thrust::raw_pointer_cast(out.data());
	int *c = thrust::raw_pointer_cast(counts.data()), *n = thrust::raw_pointer_cast(one.data());
	int *bins = thrust::raw_pointer_cast(hist.data());
	bool good = true;

	twice([&](void *r, size_t &b) { return cub::DeviceReduce::Max(r, b, in, n, N); });
	WANT(one[0] == *std::max_element(h.begin(), h.end()));
	twice([&](void *r, size_t &b) { return cub::DeviceScan::ExclusiveSum(r, b, in, to, N); });
	WANT(out[N - 1] == std::accumulate(h.begin(), h.end() - 1, 0));
	twice([&](void *r, size_t &b) { return cub::DeviceSelect::If(r, b, in, to, n, N, Even()); });
	WANT(one[0] == std::count_if(h.begin(), h.end(), Even()));
	twice([&](void *r, size_t &b) { return cub::DeviceHistogram::HistogramEven(r, b, in, bins, 11, 0, 1000, N); });
	for (int x : h)
		want[x / 100]++;
	for (int i = 0; i < 10; i++)
		WANT(hist[i] == want[i]);
	twice([&](void *r, size_t &b) { return cub::DeviceRadixSort::SortKeys(r, b, in, to, N); });
	std::vector<int> s(h);
	std::sort(s.begin(), s.end());
	WANT(out[0] == s[0] && out[N / 2] == s[N / 2] && out[N - 1] == s[N - 1]);
	twice([&](void *r, size_t &b) { return cub::DeviceRunLengthEncode::Encode(r, b, to, in, c, n, N); });
	s.erase(std::unique(s.begin(), s.end()), s.end());
	WANT(one[0] == (int)s.size());
	WANT(thrust::reduce(counts.begin(), counts.begin() + one[0]) == N);
	return good;
}

int main()
{
	std::vector<int> h(N);
	unsigned seed = 3;
	bool good = true;

	for (int i = 0; i < N; i++)
		h[i] = next(&seed) % 1000;
	WANT(iterators(h));
	WANT(orders(h));
	WANT(blocks(h));
	WANT(devices(h));
	return passed(good);
}
