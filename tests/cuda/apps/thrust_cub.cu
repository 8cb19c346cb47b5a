/* SPDX-License-Identifier: GPL-3.0-or-later
 * thrust_cub.cu -- Thrust's and CUB's own headers: what programs call most.
 */
#include <cub/cub.cuh>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include "common.h"
#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

static const int N = 3000;

struct IsOdd {
	__host__ __device__ bool operator()(int x) const { return x & 1; }
};

static bool same(const thrust::device_vector<int> &d, const std::vector<int> &want)
{
	std::vector<int> back(want.size());

	thrust::copy(d.begin(), d.begin() + want.size(), back.begin());
	return back == want;
}

static bool reduces(const thrust::device_vector<int> &d, const std::vector<int> &h)
{
	thrust::device_vector<int> to(1);
	void *room = NULL;
	size_t bytes = 0;
	int sum = std::accumulate(h.begin(), h.end(), 0);

	for (int turn = 0; turn < 2; turn++) { /* how much room it wants, and the sum */
		CHECK(cub::DeviceReduce::Sum(room, bytes, d.begin(), to.begin(), N));
		if (!room)
			CHECK(cudaMalloc(&room, bytes));
	}
	CHECK(cudaFree(room));
	return to[0] == sum && thrust::reduce(d.begin(), d.end()) == sum;
}

int main()
{
	std::vector<int> h(N), keys(N), want(N), order(N);
	unsigned seed = 3;
	bool good = true;

	for (int i = 0; i < N; i++) {
		h[i] = next(&seed) % 1000;
		keys[i] = next(&seed) % 100;
		order[i] = i;
	}
	thrust::device_vector<int> d(h.begin(), h.end()), k(keys.begin(), keys.end()), to(N);

	good &= reduces(d, h);
	thrust::inclusive_scan(d.begin(), d.end(), to.begin());
	std::partial_sum(h.begin(), h.end(), want.begin());
	good &= same(to, want);
	thrust::transform(d.begin(), d.end(), k.begin(), to.begin(), thrust::minus<int>());
	std::transform(h.begin(), h.end(), keys.begin(), want.begin(), std::minus<int>());
	good &= same(to, want);
	want.clear();
	std::copy_if(h.begin(), h.end(), std::back_inserter(want), IsOdd());
	good &= thrust::copy_if(d.begin(), d.end(), to.begin(), IsOdd()) - to.begin() == (int)want.size();
	good &= same(to, want);
	thrust::sequence(to.begin(), to.end());
	thrust::sort_by_key(k.begin(), k.end(), to.begin());
	std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
	good &= same(to, order);
	thrust::sort(d.begin(), d.end(), thrust::greater<int>()); /* no radix sort */
	std::sort(h.begin(), h.end(), std::greater<int>());
	good &= same(d, h);
	return passed(good);
}
