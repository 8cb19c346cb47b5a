/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Structures copied through pointers that are read from memory.
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

int main()
{
	Node *pool, **head;
	float *out;
	bool good = true;

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
