/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/vadd.c -- the simplest program: two buffers in, one out.
 */
#include "tests/opencl/host.h"

#define N 4096

static const char source[] =
	"kernel void vadd(global const float *a, global const float *b, global float *c, uint n)\n"
	"{\n"
	"	size_t i = get_global_id(0);\n"
	"	if (i < n)\n"
	"		c[i] = a[i] + 2 * b[i];\n"
	"}\n";

int main(void)
{
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, "");
	cl_kernel k = host_kernel(p, "vadd");
	static float a[N], b[N], c[N];
	cl_uint n = N - 3;
	cl_mem ma, mb, mc;
	bool good = true;

	for (int i = 0; i < N; i++) {
		a[i] = (float)i;
		b[i] = (float)(N - i);
	}
	ma = host_buffer(&h, CL_MEM_READ_ONLY, sizeof a, a);
	mb = host_buffer(&h, CL_MEM_READ_ONLY, sizeof b, b);
	mc = host_buffer(&h, CL_MEM_READ_WRITE, sizeof c, c);
	host_arg(k, 0, sizeof ma, &ma);
	host_arg(k, 1, sizeof mb, &mb);
	host_arg(k, 2, sizeof mc, &mc);
	host_arg(k, 3, sizeof n, &n);
	host_run(&h, k, N, 128);
	host_read(&h, mc, sizeof c, c);
	for (int i = 0; i < N; i++)
		good &= c[i] == (i < (int)n ? a[i] + 2 * b[i] : 0);
	host_check(good, "vadd");
	clReleaseMemObject(ma);
	clReleaseMemObject(mb);
	clReleaseMemObject(mc);
	clReleaseKernel(k);
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
