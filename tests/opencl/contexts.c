/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/contexts.c -- several contexts, queues and programs, released in orders that OpenCL
 * allows: what is in use is kept by what uses it.
 */
#include "tests/opencl/host.h"

#define N 256
#define CONTEXTS 3

static const char source[] =
	"kernel void first(global int *a, int v) { a[get_global_id(0)] = v; }\n"
	"kernel void second(global int *a, int v) { a[get_global_id(0)] += 100 * v; }\n";

static bool all(const int *a, int value)
{
	bool good = true;

	for (int i = 0; i < N; i++)
		good &= a[i] == value;
	return good;
}

static void many(void)
{
	struct host h[CONTEXTS];
	cl_kernel k[CONTEXTS][2];
	cl_mem m[CONTEXTS];
	bool good = true;
	int a[N];

	for (int c = 0; c < CONTEXTS; c++) {
		cl_program p;
		cl_uint n = 0;

		h[c] = host_open(0);
		p = host_program(&h[c], source, c == 1 ? "-DOTHER" : "");
		host_try(clCreateKernelsInProgram(p, 2, k[c], &n), "kernels");
		good &= n == 2;
		clReleaseProgram(p); /* its kernels keep it */
		m[c] = host_buffer(&h[c], CL_MEM_READ_WRITE, sizeof a, NULL);
		clReleaseContext(h[c].context); /* and all of them the context */
	}
	host_check(good, "kernels of a program");
	for (int order = 0; order < 2; order++) {
		for (int c = 0; c < CONTEXTS; c++) {
			for (int i = 0; i < 2; i++) {
				char name[16] = "";

				clGetKernelInfo(k[c][i], CL_KERNEL_FUNCTION_NAME, sizeof name, name,
						NULL);
				if ((strcmp(name, "second") == 0) != order)
					continue;
				host_arg(k[c][i], 0, sizeof m[c], &m[c]);
				host_arg(k[c][i], 1, sizeof c, &c);
				host_run(&h[c], k[c][i], N, 32);
			}
		}
	}
	for (int c = CONTEXTS - 1; c >= 0; c--) {
		host_read(&h[c], m[c], sizeof a, a);
		good &= all(a, 101 * c);
		clReleaseCommandQueue(h[c].queue);
		clReleaseKernel(k[c][1]);
		clReleaseMemObject(m[c]);
		clReleaseKernel(k[c][0]);
	}
	host_check(good, "three contexts");
}

/* References are counted: the last release counts.  What comes later is not mistaken for it. */
static void references(void)
{
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, "");
	cl_kernel k = host_kernel(p, "first");
	cl_uint refs = 0;
	bool good = true;
	int a[N];

	host_try(clRetainKernel(k), "retain");
	host_try(clReleaseKernel(k), "release");
	host_try(clRetainProgram(p), "retain");
	host_try(clReleaseProgram(p), "release");
	clGetKernelInfo(k, CL_KERNEL_REFERENCE_COUNT, sizeof refs, &refs, NULL);
	host_check(refs == 1, "one reference");
	for (int v = 0; v < 50; v++) {
		cl_mem m = host_buffer(&h, CL_MEM_READ_WRITE, sizeof a, NULL);

		host_try(clRetainMemObject(m), "retain");
		host_try(clReleaseMemObject(m), "release");
		host_arg(k, 0, sizeof m, &m);
		host_arg(k, 1, sizeof v, &v);
		host_run(&h, k, N, 32);
		host_read(&h, m, sizeof a, a);
		good &= all(a, v);
		clReleaseMemObject(m);
		clReleaseKernel(k);
		k = host_kernel(p, "first");
	}
	host_check(good, "50 buffers and kernels one after another");
	clReleaseKernel(k);
	clReleaseProgram(p);
	host_close(&h);
}

int main(void)
{
	many();
	references();
	return host_wrong > 0;
}
