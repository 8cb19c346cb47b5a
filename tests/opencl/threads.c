/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/threads.c -- threads of the host, each with its queue, kernel and buffers, in one
 * context.
 */
#include "tests/opencl/host.h"

#include <pthread.h>

#define N 1024
#define THREADS 4
#define TURNS 20

static const char source[] =
	"kernel void add_turned(global int *a, global const int *b, local int *t, int by)\n"
	"{\n"
	"	size_t i = get_global_id(0), l = get_local_id(0);\n"
	"	t[l] = b[i];\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	a[i] += by * t[get_local_size(0) - 1 - l];\n"
	"}\n";

struct worker {
	const struct host *h;
	cl_program p;
	int number;
	bool good;
};

static void *work(void *data)
{
	struct worker *w = data;
	struct host h = *w->h;
	cl_kernel k = host_kernel(w->p, "add_turned");
	int a[N] = { 0 }, b[N], status;
	cl_mem ma, mb;

	h.queue = clCreateCommandQueue(h.context, h.device, 0, &status);
	host_try(status, "queue");
	for (int i = 0; i < N; i++)
		b[i] = i + w->number;
	ma = host_buffer(&h, CL_MEM_READ_WRITE, sizeof a, a);
	mb = host_buffer(&h, CL_MEM_READ_ONLY, sizeof b, b);
	for (int turn = 1; turn <= TURNS; turn++) {
		host_arg(k, 0, sizeof ma, &ma);
		host_arg(k, 1, sizeof mb, &mb);
		host_arg(k, 2, 64 * sizeof(int), NULL);
		host_arg(k, 3, sizeof turn, &turn);
		host_run(&h, k, N, 64);
	}
	host_read(&h, ma, sizeof a, a);
	w->good = true;
	for (int i = 0; i < N; i++)
		w->good &= a[i] == TURNS * (TURNS + 1) / 2 * b[i / 64 * 64 + 63 - i % 64];
	clReleaseMemObject(ma);
	clReleaseMemObject(mb);
	clReleaseKernel(k);
	clReleaseCommandQueue(h.queue);
	return NULL;
}

int main(void)
{
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, "");
	struct worker w[THREADS];
	pthread_t thread[THREADS];
	bool good = true;

	for (int i = 0; i < THREADS; i++) {
		w[i] = (struct worker){ &h, p, i, false };
		pthread_create(&thread[i], NULL, work, &w[i]);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		good &= w[i].good;
	}
	host_check(good, "four threads");
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
