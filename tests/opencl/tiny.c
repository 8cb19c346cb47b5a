/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/tiny.c -- launches of a single group: what one needs is there from the one before.
 */
#include "tests/opencl/host.h"

#include <sys/resource.h>

#define N        256
#define WARM     20
#define TIMES    200
#define FAULTS   60 /* pages touched anew in a launch; the stacks of a group alone are 256 */

static const char source[] =
	"kernel void advance(global uint *a) { size_t i = get_global_id(0); a[i] = a[i] * 3 + i; "
	"}\n";

static long faults(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_minflt;
}

int main(void)
{
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, "");
	cl_kernel k = host_kernel(p, "advance");
	static cl_uint a[N], b[N];
	cl_mem m = host_buffer(&h, CL_MEM_READ_WRITE, sizeof a, a);
	long before = 0;

	host_arg(k, 0, sizeof m, &m);
	for (cl_uint t = 0; t < WARM + TIMES; t++) {
		if (t == WARM)
			before = faults();
		host_run(&h, k, N, N);
		clFinish(h.queue);
		for (cl_uint i = 0; i < N; i++)
			b[i] = b[i] * 3 + i;
	}
	before = faults() - before;
	printf("device: %ld page faults in %d launches\n", before, TIMES);
	host_check(before < FAULTS * TIMES, "a launch maps little");
	host_read(&h, m, sizeof a, a);
	host_check(memcmp(a, b, sizeof a) == 0, "tiny launches");
	clReleaseMemObject(m);
	clReleaseKernel(k);
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
