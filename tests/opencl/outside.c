/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/outside.c -- launches that read past a buffer and, if asked for, through an argument
 * that is NULL, which ends a program on a CPU.
 */
#include "tests/opencl/host.h"

#define N 256

static const char source[] =
	"kernel void past(global int *a, global int *b, global int *none, int look)\n"
	"{\n"
	"	size_t i = get_global_id(0);\n"
	"	b[i] = a[i + 3] < 0 ? 2 : 1;\n"
	"	if (look)\n"
	"		b[i] += none[i];\n"
	"}\n";

int main(int argc, char **argv)
{
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, "");
	cl_kernel k = host_kernel(p, "past");
	int zero[N] = { 0 }, got[N], look = argc > 1 && strcmp(argv[1], "null") == 0, bad = 0;
	cl_mem a = host_buffer(&h, CL_MEM_READ_ONLY, sizeof zero, zero);
	cl_mem b = host_buffer(&h, CL_MEM_READ_WRITE, sizeof got, NULL);

	host_arg(k, 0, sizeof a, &a);
	host_arg(k, 1, sizeof b, &b);
	host_arg(k, 2, sizeof(cl_mem), NULL);
	host_arg(k, 3, sizeof look, &look);
	host_run(&h, k, N, 64);
	host_run(&h, k, N, 64);
	host_read(&h, b, sizeof got, got);
	for (int i = 0; i < N - 3; i++)
		bad += got[i] != 1;
	host_check(bad == 0, "outside");
	clReleaseMemObject(a);
	clReleaseMemObject(b);
	clReleaseKernel(k);
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong != 0;
}
