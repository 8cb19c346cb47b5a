/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/atomics.c -- a histogram by atomics in local and global memory, counters whose old
 * value is used, a sum over groups in steps, and a graph searched until the host sees no change.
 */
#include "tests/opencl/host.h"

#define N 4096
#define BINS 16

static const char source[] =
	"kernel void histogram(global const uint *a, global uint *bin, local uint *part)\n"
	"{\n"
	"	size_t l = get_local_id(0);\n"
	"	if (l < 16)\n"
	"		part[l] = 0;\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	atomic_inc(&part[a[get_global_id(0)] % 16]);\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	if (l < 16)\n"
	"		atomic_add(&bin[l], part[l]);\n"
	"}\n"
	"kernel void compact(global const uint *a, global uint *out, volatile global uint *count)\n"
	"{\n"
	"	uint v = a[get_global_id(0)];\n"
	"	if (v % 3 == 0)\n"
	"		out[atomic_inc(count)] = v;\n"
	"}\n"
	"kernel void sum(global const uint *a, global uint *out, local uint *t)\n"
	"{\n"
	"	size_t l = get_local_id(0);\n"
	"	t[l] = a[get_global_id(0)];\n"
	"	for (size_t n = get_local_size(0) / 2; n; n /= 2) {\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"		if (l < n)\n"
	"			t[l] += t[l + n];\n"
	"	}\n"
	"	if (l == 0)\n"
	"		out[get_group_id(0)] = t[0];\n"
	"}\n"
	"kernel void spread(global uint *level, uint now, global int *changed)\n"
	"{\n"
	"	uint i = get_global_id(0), n = get_global_size(0);\n"
	"	if (level[i] != now)\n"
	"		return;\n"
	"	for (uint k = 2; k < 4; k++) {\n"
	"		uint to = i * k + 1;\n"
	"		if (to < n && level[to] == ~0u) {\n"
	"			level[to] = now + 1;\n"
	"			*changed = 1;\n"
	"		}\n"
	"	}\n"
	"}\n";

static cl_uint a[N], out[N];

static void histogram(const struct host *h, cl_program p, cl_mem in)
{
	cl_kernel k = host_kernel(p, "histogram");
	cl_uint bin[BINS] = { 0 }, want[BINS] = { 0 };
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, sizeof bin, bin);

	host_arg(k, 0, sizeof in, &in);
	host_arg(k, 1, sizeof m, &m);
	host_arg(k, 2, sizeof bin, NULL);
	host_run(h, k, N, 128);
	host_read(h, m, sizeof bin, bin);
	for (int i = 0; i < N; i++)
		want[a[i] % BINS]++;
	host_check(memcmp(bin, want, sizeof bin) == 0, "a histogram");
	clReleaseMemObject(m);
	clReleaseKernel(k);
}

static void compact(const struct host *h, cl_program p, cl_mem in)
{
	cl_kernel k = host_kernel(p, "compact");
	cl_uint count = 0, want = 0;
	cl_ulong sum = 0, want_sum = 0;
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, sizeof out, NULL),
	       c = host_buffer(h, CL_MEM_READ_WRITE, sizeof count, &count);

	host_arg(k, 0, sizeof in, &in);
	host_arg(k, 1, sizeof m, &m);
	host_arg(k, 2, sizeof c, &c);
	host_run(h, k, N, 64);
	host_read(h, c, sizeof count, &count);
	host_read(h, m, sizeof out, out);
	for (int i = 0; i < N; i++) {
		want += a[i] % 3 == 0;
		want_sum += a[i] % 3 == 0 ? a[i] : 0;
	}
	for (cl_uint i = 0; i < count && i < N; i++)
		sum += out[i];
	host_check(count == want && sum == want_sum, "a counter");
	clReleaseMemObject(m);
	clReleaseMemObject(c);
	clReleaseKernel(k);
}

static void sum(const struct host *h, cl_program p, cl_mem in)
{
	cl_kernel k = host_kernel(p, "sum");
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, N / 256 * sizeof(cl_uint), NULL);
	bool good = true;

	host_arg(k, 0, sizeof in, &in);
	host_arg(k, 1, sizeof m, &m);
	host_arg(k, 2, 256 * sizeof(cl_uint), NULL);
	host_run(h, k, N, 256);
	host_read(h, m, N / 256 * sizeof(cl_uint), out);
	for (int g = 0; g < N / 256; g++) {
		cl_uint want = 0;

		for (int i = 0; i < 256; i++)
			want += a[256 * g + i];
		good &= out[g] == want;
	}
	host_check(good, "a sum in steps");
	clReleaseMemObject(m);
	clReleaseKernel(k);
}

static void search(const struct host *h, cl_program p)
{
	cl_kernel k = host_kernel(p, "spread");
	cl_uint level[N], want[N];
	cl_int changed = 1;
	cl_mem m, c = host_buffer(h, CL_MEM_READ_WRITE, sizeof changed, &changed);

	memset(level, 0xff, sizeof level);
	level[0] = 0;
	memcpy(want, level, sizeof level);
	for (cl_uint i = 0; i < N; i++)
		for (cl_uint j = 2; j < 4; j++)
			if (want[i] != ~0u && i * j + 1 < N && want[i] + 1 < want[i * j + 1])
				want[i * j + 1] = want[i] + 1;
	m = host_buffer(h, CL_MEM_READ_WRITE, sizeof level, level);
	host_arg(k, 0, sizeof m, &m);
	host_arg(k, 2, sizeof c, &c);
	for (cl_uint now = 0; changed; now++) {
		changed = 0;
		host_try(clEnqueueWriteBuffer(h->queue, c, CL_FALSE, 0, sizeof changed, &changed, 0,
					      NULL, NULL),
			 "write");
		host_arg(k, 1, sizeof now, &now);
		host_run(h, k, N, 64);
		host_read(h, c, sizeof changed, &changed);
	}
	host_read(h, m, sizeof level, level);
	host_check(memcmp(level, want, sizeof level) == 0, "a graph searched");
	clReleaseMemObject(m);
	clReleaseMemObject(c);
	clReleaseKernel(k);
}

int main(void)
{
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, "");
	cl_mem in;

	for (cl_uint i = 0; i < N; i++)
		a[i] = i * 2654435761u >> 7;
	in = host_buffer(&h, CL_MEM_READ_ONLY, sizeof a, a);
	histogram(&h, p, in);
	compact(&h, p, in);
	sum(&h, p, in);
	search(&h, p);
	clReleaseMemObject(in);
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
