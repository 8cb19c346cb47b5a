/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/grid.c -- groups that wait for each other: a barrier over the grid, a queue whose
 * groups hand their sums on, and a grid of more groups than a device holds, which it would not
 * end on either.  grid [groups [group]]: a barrier over so many; grid early: a barrier of a group
 * that some of its work-items do not reach, which the platform might wait for.
 */
#include "tests/opencl/host.h"

#define TURNS 3

static const char source[] =
	"void meet(volatile global uint *count, uint goal) {\n"
	"	barrier(CLK_GLOBAL_MEM_FENCE);\n"
	"	if (get_local_id(0) == 0) {\n"
	"		atomic_inc(count);\n"
	"		while (*count < goal)\n"
	"			;\n"
	"	}\n"
	"	barrier(CLK_GLOBAL_MEM_FENCE);\n"
	"}\n"
	"kernel void turns(global uint *a, global uint *b, volatile global uint *count) {\n"
	"	uint i = get_global_id(0), n = get_global_size(0), groups = get_num_groups(0);\n"
	"	for (uint t = 0; t < " "3" "; t++) {\n"
	"		a[i] = (t ? b[i] : i) * 3 + 1;\n"
	"		meet(count, (2 * t + 1) * groups);\n"
	"		b[i] = a[(i + get_local_size(0)) % n];\n"
	"		meet(count, (2 * t + 2) * groups);\n"
	"	}\n"
	"}\n"
	"kernel void early(global uint *a, uint n) {\n"
	"	local uint t[64];\n"
	"	uint i = get_global_id(0), l = get_local_id(0);\n"
	"	if (i >= n)\n"
	"		return;\n"
	"	t[l] = a[i] + 1;\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	a[i] = t[l];\n"
	"}\n"
	"kernel void chain(global const uint *in, global uint *out, volatile global uint *next,\n"
	"		  volatile global uint *ready, global uint *sums, uint tiles) {\n"
	"	local uint tile, base;\n"
	"	while (true) {\n"
	"		if (get_local_id(0) == 0)\n"
	"			tile = atomic_inc(next);\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"		if (tile >= tiles)\n"
	"			return;\n"
	"		uint size = get_local_size(0), first = tile * size;\n"
	"		if (get_local_id(0) == 0) {\n"
	"			uint sum = 0;\n"
	"			for (uint k = 0; k < size; k++)\n"
	"				sum += in[first + k];\n"
	"			if (tile) {\n"
	"				while (atomic_or(&ready[tile - 1], 0) == 0)\n"
	"					;\n"
	"				base = sums[tile - 1];\n"
	"			} else\n"
	"				base = 0;\n"
	"			sums[tile] = base + sum;\n"
	"			atomic_xchg(&ready[tile], 1);\n"
	"		}\n"
	"		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
	"		uint sum = base;\n"
	"		for (uint k = 0; k <= get_local_id(0); k++)\n"
	"			sum += in[first + k];\n"
	"		out[first + get_local_id(0)] = sum;\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	}\n"
	"}\n";

static void barrier_over_grid(const struct host *h, cl_program p, size_t groups, size_t group)
{
	size_t n = groups * group;
	cl_uint *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b),
		*got = malloc(n * sizeof *got);
	cl_uint zero = 0;
	cl_kernel k = host_kernel(p, "turns");
	cl_mem ma = host_buffer(h, CL_MEM_READ_WRITE, n * sizeof *a, NULL);
	cl_mem mb = host_buffer(h, CL_MEM_READ_WRITE, n * sizeof *b, NULL);
	cl_mem count = host_buffer(h, CL_MEM_READ_WRITE, sizeof zero, &zero);

	host_arg(k, 0, sizeof ma, &ma);
	host_arg(k, 1, sizeof mb, &mb);
	host_arg(k, 2, sizeof count, &count);
	host_run(h, k, n, group);
	for (int t = 0; t < TURNS; t++) {
		for (size_t i = 0; i < n; i++)
			a[i] = (t ? b[i] : (cl_uint)i) * 3 + 1;
		for (size_t i = 0; i < n; i++)
			b[i] = a[(i + group) % n];
	}
	host_read(h, mb, n * sizeof *got, got);
	host_check(memcmp(got, b, n * sizeof *b) == 0, "a barrier over the grid");
	clReleaseMemObject(ma);
	clReleaseMemObject(mb);
	clReleaseMemObject(count);
	clReleaseKernel(k);
	free(a);
	free(b);
	free(got);
}

#define TILES 40
#define TILE  32
static void queue_of_tiles(const struct host *h, cl_program p)
{
	static cl_uint in[TILES * TILE], out[TILES * TILE], zero[TILES];
	cl_kernel k = host_kernel(p, "chain");
	cl_uint tiles = TILES, sum = 0;
	bool good = true;
	cl_mem m[5];

	for (cl_uint i = 0; i < TILES * TILE; i++)
		in[i] = i * 2654435761u >> 20;
	m[0] = host_buffer(h, CL_MEM_READ_ONLY, sizeof in, in);
	m[1] = host_buffer(h, CL_MEM_READ_WRITE, sizeof out, NULL);
	for (int i = 2; i < 5; i++)
		m[i] = host_buffer(h, CL_MEM_READ_WRITE, sizeof zero, zero);
	for (cl_uint i = 0; i < 5; i++)
		host_arg(k, i, sizeof m[i], &m[i]);
	host_arg(k, 5, sizeof tiles, &tiles);
	host_run(h, k, 7 * TILE, TILE);
	host_read(h, m[1], sizeof out, out);
	for (cl_uint i = 0; i < TILES * TILE; i++)
		good = good && out[i] == (sum += in[i]);
	host_check(good, "a queue of tiles");
	for (int i = 0; i < 5; i++)
		clReleaseMemObject(m[i]);
	clReleaseKernel(k);
}

static void barrier_too_late(const struct host *h, cl_program p)
{
	static cl_uint a[256];
	cl_kernel k = host_kernel(p, "early");
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, a);
	cl_uint n = 200;

	host_arg(k, 0, sizeof m, &m);
	host_arg(k, 1, sizeof n, &n);
	for (int t = 0; t < 3; t++)
		host_run(h, k, 256, 64);
	host_read(h, m, sizeof a, a);
	host_check(a[0] == 3 && a[199] == 3 && a[200] == 0, "a barrier that not all reach");
	clReleaseMemObject(m);
	clReleaseKernel(k);
}

int main(int argc, char **argv)
{
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, "");

	if (argc > 1 && strcmp(argv[1], "early") == 0) {
		barrier_too_late(&h, p);
	} else if (argc > 1) {
		barrier_over_grid(&h, p, (size_t)atoi(argv[1]),
				  argc > 2 ? (size_t)atoi(argv[2]) : 64);
	} else {
		barrier_over_grid(&h, p, 2, 64);
		queue_of_tiles(&h, p);
	}
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
