/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions that call themselves: twice, in loops, in a circle, through pointers, with structures by
 * value and arrays of their own; and one that does not end.
 */
#include "common.h"

struct node { int child[4], value; };
struct ray { float at[3]; int bounces; };

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ void sort(int *a, int from, int to)
{
	int pivot = a[(from + to) / 2], i = from, j = to;

	while (i <= j) {
		while (a[i] < pivot)
			i++;
		while (a[j] > pivot)
			j--;
		if (i <= j) {
			int t = a[i];

			a[i++] = a[j];
			a[j--] = t;
		}
	}
	if (from < j)
		sort(a, from, j);
	if (i < to)
		sort(a, i, to);
}

/* Its own array is the callee's to write to. */
__device__ int gather(const node *tree, int at, int *sums)
{
	int below[4] = { 0, 0, 0, 0 }, all = tree[at].value;

	for (int i = 0; i < 4; i++) {
		if (tree[at].child[i] >= 0)
			all += gather(tree, tree[at].child[i], &below[i]);
	}
	*sums = below[0] + below[1] + below[2] + below[3] + tree[at].value;
	return *sums == all ? all : -1000000;
}

__device__ bool is_odd(unsigned n);
__device__ bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
__device__ bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

__device__ ray trace(ray r)
{
	if (r.bounces == 0)
		return r;
	ray next = { { r.at[1], r.at[2], r.at[0] + 1 }, r.bounces - 1 };
	ray end = trace(next);
	end.at[0] += r.at[0]; /* the caller's is as it was */
	return end;
}

typedef int (*rule)(int n, int depth);
__device__ int halve(int n, int depth);
__device__ int triple(int n, int depth);
__device__ rule rules[2] = { halve, triple };
__device__ int halve(int n, int depth) { return rules[n / 2 % 2](n / 2, depth + 1); }
__device__ int triple(int n, int depth)
{
	return n == 1 ? depth : rules[(3 * n + 1) % 2](3 * n + 1, depth + 1);
}

__global__ void all(int *out, int *lists, const node *tree)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, sums = 0;
	ray r = { { 1, 2, 3 }, i % 7 };

	out[i * 8] = fibonacci(i % 13);
	sort(lists + i * 50, 0, 49);
	out[i * 8 + 1] = gather(tree, i % 21, &sums);
	out[i * 8 + 2] = is_even(i) + 2 * is_odd(i);
	out[i * 8 + 3] = (int)trace(r).at[0];
	out[i * 8 + 4] = rules[(i + 1) % 2](i + 1, 0);
}

__device__ int without_end(int *p, int n) { return p[n & 7] + without_end(p, n + 1) + n; }
__global__ void endless(int *p) { p[0] = without_end(p, 0); }

static int steps(int n)
{
	int k = 0;

	for (; n != 1; k++)
		n = n % 2 ? 3 * n + 1 : n / 2;
	return k;
}

static float ray_of(int bounces)
{
	float at[3] = { 1, 2, 3 }, sum = 0;

	for (; bounces; bounces--) {
		float t = at[0] + 1;

		sum += at[0];
		at[0] = at[1];
		at[1] = at[2];
		at[2] = t;
	}
	return sum + at[0];
}

static int sum_of(const node *t, int at)
{
	int all = t[at].value;

	for (int c : t[at].child)
		all += c < 0 ? 0 : sum_of(t, c);
	return all;
}

int main(int argc, char **)
{
	const int n = 96;
	int *out, *lists, fibonacci[13] = { 0, 1 };
	unsigned seed = 3;
	node *tree;
	bool good = true;

	CHECK(cudaMallocManaged(&out, n * 8 * sizeof *out));
	CHECK(cudaMallocManaged(&lists, n * 50 * sizeof *lists));
	CHECK(cudaMallocManaged(&tree, 21 * sizeof *tree));
	CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
	for (int i = 0; i < n * 50; i++)
		lists[i] = next(&seed) % 100;
	for (int i = 0; i < 21; i++) {
		tree[i].value = i * i;
		for (int k = 0; k < 4; k++)
			tree[i].child[k] = i * 4 + k + 1 < 21 ? i * 4 + k + 1 : -1;
	}
	for (int i = 2; i < 13; i++)
		fibonacci[i] = fibonacci[i - 1] + fibonacci[i - 2];
	all<<<3, 32>>>(out, lists, tree);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < n; i++) {
		const int *o = out + i * 8;

		good &= o[0] == fibonacci[i % 13] && o[1] == sum_of(tree, i % 21);
		good &= o[2] == (i % 2 ? 2 : 1) && o[3] == (int)ray_of(i % 7);
		good &= o[4] == steps(i + 1);
		for (int k = 1; k < 50; k++)
			good &= lists[i * 50 + k - 1] <= lists[i * 50 + k];
	}
	if (argc > 1) {
		endless<<<1, 1>>>(out);
		good &= cudaDeviceSynchronize() == cudaErrorLaunchFailure;
	}
	return passed(good);
}
