/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/args.c -- arguments of every kind: structs by value, vectors, scalars, local memory,
 * constant memory, no buffer, sub-buffers, some of which overlap.
 */
#include "tests/opencl/host.h"

#define N 1024

struct box { /* as the kernel has it */
	cl_float4 low;
	cl_int2 step;
	cl_char tag;
	cl_double big;
};

static const char source[] =
	"struct box { float4 low; int2 step; char tag; double big; };\n"
	"kernel void by_value(global float *out, struct box b, float4 v, float3 t, int2 p, char "
	"c,\n"
	"                     ushort s, ulong l, double d)\n"
	"{\n"
	"	size_t i = get_global_id(0);\n"
	"	out[i] = b.low.x + b.low.w + b.step.y + b.tag + (float)b.big + v.y + t.z + p.x + c "
	"+ s\n"
	"	       + (float)(l >> 32) + (float)d + i;\n"
	"}\n"
	"kernel void reverse(global const int *in, global int *out, local int *tile, local int "
	"*more)\n"
	"{\n"
	"	size_t i = get_local_id(0), n = get_local_size(0), g = get_group_id(0) * n;\n"
	"	local int fixed[4];\n"
	"	tile[i] = in[g + i];\n"
	"	more[i] = 1;\n"
	"	if (i < 4)\n"
	"		fixed[i] = 10;\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	out[g + i] = tile[n - 1 - i] + more[n - 1 - i] + fixed[i % 4];\n"
	"}\n"
	"kernel void table(constant int *t, global int *out, global const int *none)\n"
	"{\n"
	"	out[get_global_id(0)] = t[get_global_id(0) % 16] + (none ? 1000 : 0);\n"
	"}\n"
	"kernel void shift(global const int *from, global int *to)\n"
	"{\n"
	"	to[get_global_id(0)] = from[get_global_id(0)] + 1;\n"
	"}\n"
	"kernel void float3s(global float3 *a) { a[get_global_id(0)] = a[get_global_id(0)] * 2; "
	"}\n";

static void by_value(const struct host *h, cl_program p)
{
	cl_kernel k = host_kernel(p, "by_value");
	struct box b = { .low = { { 1, 2, 3, 4 } }, .step = { { 5, 6 } }, .tag = -7, .big = 8 };
	cl_float4 v = { { 0, 20, 0, 0 } };
	cl_float3 t = { { 0, 0, 30, 0 } };
	cl_int2 pair = { { 40, 0 } };
	cl_char c = -1;
	cl_ushort s = 50000;
	cl_ulong l = 60ull << 32;
	cl_double d = 0.5;
	static float out[N];
	cl_mem m = host_buffer(h, CL_MEM_WRITE_ONLY, sizeof out, NULL);
	bool good = true;

	host_arg(k, 0, sizeof m, &m);
	host_arg(k, 1, sizeof b, &b);
	host_arg(k, 2, sizeof v, &v);
	host_arg(k, 3, sizeof t, &t);
	host_arg(k, 4, sizeof pair, &pair);
	host_arg(k, 5, sizeof c, &c);
	host_arg(k, 6, sizeof s, &s);
	host_arg(k, 7, sizeof l, &l);
	host_arg(k, 8, sizeof d, &d);
	host_run(h, k, N, 32);
	host_read(h, m, sizeof out, out);
	for (int i = 0; i < N; i++)
		good &= out[i] ==
			1 + 4 + 6 - 7 + 8 + 20 + 30 + 40 - 1 + 50000 + 60 + 0.5f + (float)i;
	host_check(good, "structs, vectors and scalars by value");
	clReleaseMemObject(m);
	clReleaseKernel(k);
}

static void local_memory(const struct host *h, cl_program p)
{
	cl_kernel k = host_kernel(p, "reverse");
	static int in[N], out[N];
	cl_mem a, b;
	bool good = true;

	for (int i = 0; i < N; i++)
		in[i] = 3 * i;
	a = host_buffer(h, CL_MEM_READ_ONLY, sizeof in, in);
	b = host_buffer(h, CL_MEM_WRITE_ONLY, sizeof out, NULL);
	host_arg(k, 0, sizeof a, &a);
	host_arg(k, 1, sizeof b, &b);
	host_arg(k, 2, 64 * sizeof(int), NULL);
	host_arg(k, 3, 64 * sizeof(int), NULL);
	host_run(h, k, N, 64);
	host_read(h, b, sizeof out, out);
	for (int i = 0; i < N; i++)
		good &= out[i] == in[i / 64 * 64 + 63 - i % 64] + 11;
	host_check(good, "local memory and a barrier");
	clReleaseMemObject(a);
	clReleaseMemObject(b);
	clReleaseKernel(k);
}

static void constant_memory(const struct host *h, cl_program p)
{
	cl_kernel k = host_kernel(p, "table");
	int table[16];
	static int out[N];
	cl_mem t, m;
	bool good = true;

	for (int i = 0; i < 16; i++)
		table[i] = i * i;
	t = host_buffer(h, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS, sizeof table, table);
	m = host_buffer(h, CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY, sizeof out, NULL);
	host_arg(k, 0, sizeof t, &t);
	host_arg(k, 1, sizeof m, &m);
	host_arg(k, 2, sizeof m, NULL);
	host_run(h, k, N, 16);
	host_read(h, m, sizeof out, out);
	for (int i = 0; i < N; i++)
		good &= out[i] == table[i % 16] * 1;
	host_check(good, "constant memory and no buffer");
	clReleaseMemObject(t);
	clReleaseMemObject(m);
	clReleaseKernel(k);
}

static cl_mem part(cl_mem whole, size_t from, size_t bytes)
{
	cl_buffer_region region = { from, bytes };
	cl_int status;
	cl_mem m = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
				     &region, &status);

	host_try(status, "sub-buffer");
	return m;
}

/* The second half becomes the first plus one, by two parts and by a part and the whole. */
static void sub_buffers(const struct host *h, cl_program p)
{
	cl_kernel k = host_kernel(p, "shift");
	static int a[N];
	cl_mem whole, low, high;
	bool good = true;

	for (int i = 0; i < N; i++)
		a[i] = i;
	whole = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, a);
	low = part(whole, 0, sizeof a / 2);
	high = part(whole, sizeof a / 2, sizeof a / 2);
	clReleaseMemObject(whole); /* its parts keep it */
	host_arg(k, 0, sizeof low, &low);
	host_arg(k, 1, sizeof high, &high);
	host_run(h, k, N / 2, 64);
	host_read(h, high, sizeof a / 2, a + N / 2);
	for (int i = 0; i < N / 2; i++)
		good &= a[N / 2 + i] == i + 1;
	host_check(good, "sub-buffers");
	clReleaseMemObject(low);
	host_arg(k, 0, sizeof high, &high);
	host_run(h, k, N / 2, 64);
	host_read(h, high, sizeof a / 2, a);
	for (int i = 0; i < N / 2; i++)
		good &= a[i] == i + 2;
	host_check(good, "a sub-buffer onto itself");
	clReleaseMemObject(high);
	clReleaseKernel(k);
}

static void three_vectors(const struct host *h, cl_program p)
{
	cl_kernel k = host_kernel(p, "float3s");
	static cl_float4 a[N];
	bool good = true;
	cl_mem m;

	for (int i = 0; i < N; i++)
		a[i] = (cl_float4){ { (float)i, 1, 2, 99 } };
	m = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, a);
	host_arg(k, 0, sizeof m, &m);
	host_run(h, k, N, 64);
	host_read(h, m, sizeof a, a);
	for (int i = 0; i < N; i++)
		good &= a[i].s[0] == 2 * (float)i && a[i].s[1] == 2 && a[i].s[2] == 4;
	host_check(good, "vectors of three");
	clReleaseMemObject(m);
	clReleaseKernel(k);
}

int main(void)
{
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, NULL);

	by_value(&h, p);
	local_memory(&h, p);
	constant_memory(&h, p);
	sub_buffers(&h, p);
	three_vectors(&h, p);
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
