/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Structures copied through pointers that are read from memory; variables that begin with the
 * addresses of others.
 */
#include "common.h"

#define LISTS 32
#define LENGTH 4

struct Node {
	float3 at;
	double mass;
	char tag[5];
	Node *next;
};

__global__ void walk(Node **head, float *out)
{
	Node n = *head[threadIdx.x];
	float sum = 0;

	for (;;) {
		sum += n.at.x + n.mass + n.tag[3];
		if (!n.next)
			break;
		n = *n.next;
	}
	out[threadIdx.x] = sum;
	*head[threadIdx.x] = n;
}

struct Link {
	int value;
	Link *next;
};

extern __device__ Link even;
__device__ Link odd = { 1, &even };
__device__ Link even = { 2, &odd };
__device__ int counts[2][3] = { { 10, 11, 12 }, { 13, 14, 15 } };
__device__ int *middle[2] = { &counts[1][1], counts[0] + 2 };
__device__ const char *names[] = { "alpha", "beta" };
__constant__ struct {
	char tag;
	Link *first;
} table = { 't', &even };

__global__ void follow(int *out)
{
	Link *l = table.first;
	int digits = 0;

	for (int i = 0; i < 5; i++, l = l->next)
		digits = digits * 10 + l->value;
	out[0] = digits;
	out[1] = *middle[0] * 100 + *middle[1];
	out[2] = names[blockDim.x][3];
}

/* What they point to is what the host has by name. */
static bool begun_right()
{
	int found[3], *out;

	CHECK(cudaMalloc(&out, sizeof found));
	follow<<<1, 1>>>(out);
	CHECK(cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost));
	if (found[0] != 21212 || found[1] != 1412 || found[2] != 'a')
		return false;
	found[0] = 77;
	CHECK(cudaMemcpyToSymbol(counts, found, sizeof *found, 4 * sizeof *found));
	follow<<<1, 1>>>(out);
	CHECK(cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost));
	return found[1] == 7712;
}

/* As programs check permutations on the host: the index goes round within what one vector holds. */
static bool goes_round(int *x, int *was)
{
	bool good = true;

	for (int round = 0; round < 3; round++) {
		memcpy(was, x, 128 * sizeof *x);
		for (int i = 0; i < 128; i++)
			x[i] = was[(5 * i + round) % 128] + 1;
		for (int i = 0, at = round; i < 128; i++, at = at < 123 ? at + 5 : at - 123)
			good &= x[i] == was[at] + 1;
	}
	return good;
}

int main()
{
	int x[128], was[128];
	Node *pool, **head;
	float *out;
	bool good = begun_right();

	for (int i = 0; i < 128; i++)
		x[i] = 7 * i;
	good &= goes_round(x, was);
	CHECK(cudaMallocManaged(&pool, LISTS * LENGTH * sizeof *pool));
	CHECK(cudaMallocManaged(&head, LISTS * sizeof *head));
	CHECK(cudaMallocManaged(&out, LISTS * sizeof *out));
	for (int i = 0; i < LISTS * LENGTH; i++) {
		pool[i] = Node{ { (float)i, 0, 0 }, 0.5, { 0, 0, 0, 1, 0 },
				i % LENGTH < LENGTH - 1 ? &pool[i + 1] : NULL };
		if (i % LENGTH == 0)
			head[i / LENGTH] = &pool[i];
	}
	walk<<<1, LISTS>>>(head, out);
	CHECK(cudaDeviceSynchronize());
	for (int t = 0; t < LISTS; t++) {
		good &= out[t] == LENGTH * LENGTH * t + 6 + LENGTH * 1.5f;
		good &= pool[LENGTH * t].at.x == LENGTH * t + LENGTH - 1;
	}
	return passed(good);
}
