/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/many.c -- two kernels in turn, thousands of times: many [times].
 */
#include "tests/opencl/host.h"

#define N 4096

static const char source[] =
	"kernel void even(global uint *a) { size_t i = get_global_id(0); a[i] = a[i] * 3 + 1; }\n"
	"kernel void odd(global uint *a, uint by) { size_t i = get_global_id(0); a[i] ^= by + i; "
	"}\n";

int main(int argc, char **argv)
{
	cl_uint times = argc > 1 ? (cl_uint)atoi(argv[1]) : 2000;
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, "");
	cl_kernel even = host_kernel(p, "even"), odd = host_kernel(p, "odd");
	static cl_uint a[N], b[N];
	cl_mem m = host_buffer(&h, CL_MEM_READ_WRITE, sizeof a, a);

	host_arg(even, 0, sizeof m, &m);
	host_arg(odd, 0, sizeof m, &m);
	for (cl_uint t = 0; t < times; t++) {
		host_arg(odd, 1, sizeof t, &t);
		host_run(&h, even, N, 64);
		host_run(&h, odd, N, 64);
		for (cl_uint i = 0; i < N; i++)
			b[i] = (b[i] * 3 + 1) ^ (t + i);
	}
	host_read(&h, m, sizeof a, a);
	host_check(memcmp(a, b, sizeof a) == 0, "many launches");
	clReleaseMemObject(m);
	clReleaseKernel(even);
	clReleaseKernel(odd);
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
