/* SPDX-License-Identifier: GPL-3.0-or-later
 * list.cu -- pointers in memory: lists whose nodes lie on the device, structs of pointers, managed and
 * module variables, a kernel that prints.
 */
#include "common.h"

struct Node {
	Node *next;
	int value;
};
struct Lists {
	Node **head;
	int count;
};

__device__ int longest = 1;
__device__ Node *pool;
__managed__ int walks;
static __constant__ int weight[3] = { 1, 10, 100 };

__global__ void link_up(Node *node, Lists lists, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i == 0)
		pool = node;
	if (i < n) {
		node[i].value = i;
		node[i].next = i + lists.count < n ? &node[i + lists.count] : nullptr;
	}
	if (i < lists.count)
		lists.head[i] = &node[i];
}

__global__ void walk(Lists lists, long *sum)
{
	int i = threadIdx.x, length = 0;
	long total = 0;

	for (const Node *at = lists.head[i]; at; at = at->next, length++)
		total += at->value * weight[at->value % 3];
	sum[i] = total + pool[i].value;
	atomicMax(&longest, length);
	atomicAdd(&walks, 1);
	if (i == 0)
		printf("list of %d\n", length);
}

int main()
{
	const int n = 1000, count = 7, w[3] = { 1, 10, 100 };
	Node *node;
	Lists lists = { nullptr, count };
	long *sum, got[count];
	int length;
	bool good = true;

	CHECK(cudaMalloc(&node, n * sizeof(Node)));
	CHECK(cudaMalloc(&lists.head, count * sizeof(Node *)));
	CHECK(cudaMalloc(&sum, sizeof got));
	link_up<<<8, 128>>>(node, lists, n);
	walk<<<1, count>>>(lists, sum);
	CHECK(cudaMemcpy(got, sum, sizeof got, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpyFromSymbol(&length, longest, sizeof length));
	for (int i = 0; i < count; i++) {
		long want = i;

		for (int v = i; v < n; v += count)
			want += v * w[v % 3];
		good &= got[i] == want;
	}
	return passed(good && length == (n + count - 1) / count && walks == count);
}
