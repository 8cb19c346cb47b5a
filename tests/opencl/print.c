/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/print.c -- kernels that print: vectors of every type, in a header and behind macros,
 * beside kernels where a format only seems to be one.
 */
#include "tests/opencl/host.h"

static const char source[] =
	"#include \"tell.h\"\n"
	"/* printf of vectors: %v4hld, %v4f */\n"
	"#define MORE(x) printf(\"more %v3hhd|%5.1v4hlf\\n\", x, (float4)(0.5f, -1.25f, 1e6f, 7))\n"
	"kernel void plain(global int *a)\n"
	"{\n"
	"	int v4 = 3 + a[0];\n"
	"	a[1] = 5%v4; // %v4hld\n"
	"	printf(\"plain 100%% %d %s\\n\", 5%v4, \"%v4hld\");\n"
	"}\n"
	"kernel void header(global int *a)\n"
	"{\n"
	"	tell_all((int4)(a[0], 2, -3, 4), (uchar2)(255, 7));\n"
	"}\n"
	"kernel void macro(global int *a)\n"
	"{\n"
	"	MORE(((char3)(1, -2, 3)));\n"
	"	MORE(((char3)((char)a[0], -20, 30)));\n"
	"}\n"
	"kernel void every(global int *a)\n"
	"{\n"
	"	int i = a[0] + 1;\n"
	"	printf(\"i8  %v2hhd %v3hhu %v4hhx %v8hhd %v16hhu\\n\", (char2)(i, -1),\n"
	"	       (uchar3)(250, i, 2), (uchar4)(i, 16, 255, 3), (char8)(-i), (uchar16)(i + "
	"200));\n"
	"	printf(\"i16 %v2hd %v3hu %v4hx %v8hd %v16ho\\n\", (short2)(i, -1),\n"
	"	       (ushort3)(65535, i, 2), (ushort4)(i, 16, 255, 3), (short8)(-i), "
	"(ushort16)(i + 9));\n"
	"	printf(\"i32 %v2hld %v3hlu %v4hlX %v8hli %v16hld\\n\", (int2)(i, -1),\n"
	"	       (uint3)(~0u, i, 2), (uint4)(i, 16, 255, 3), (int8)(-i), (int16)(i));\n"
	"	printf(\"i64 %v2ld %v3lu %v4lx %v8ld\\n\", (long2)(i, -1),\n"
	"	       (ulong3)(~0ul, i, 2), (ulong4)(i, 16, 255, 3), (long8)(-i));\n"
	"	printf(\"f32 %v2hlf %v3hlf %.3v4hle %-9v8hlg| %+v16hlg\\n\", (float2)(i, -1),\n"
	"	       (float3)(0.5f, i, 2), (float4)(i, 1e20f, .1f, 3), (float8)(-i), "
	"(float16)(i));\n"
	"	printf(\"f64 %v2lf %.1v3lf %v4lg %v8lg %d %v2lf\\n\", (double2)(i, -1),\n"
	"	       (double3)(0.5, i, 2), (double4)(i, 1e200, .1, 3), (double8)(-i), i, "
	"(double2)(i));\n"
	"	a[2] = printf(\"%d %v4hld %s %v2hlf %c %#v2hlx %ld\\n\", i, (int4)(i), \"text\",\n"
	"		      (float2)(i), 'c', (uint2)(i), (long)i);\n"
	"}\n";

int main(void)
{
	static const char *const name[] = { "plain", "header", "macro", "every" };
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, "-I tests/opencl/include");
	int a[4] = { 0 };
	cl_mem m = host_buffer(&h, CL_MEM_READ_WRITE, sizeof a, a);

	for (size_t i = 0; i < 4; i++) {
		cl_kernel k = host_kernel(p, name[i]);

		host_arg(k, 0, sizeof m, &m);
		host_run(&h, k, 1, 1);
		host_try(clFinish(h.queue), "finish");
		clReleaseKernel(k);
	}
	host_read(&h, m, sizeof a, a);
	host_check(a[1] == 2 && a[2] == 0, "values");
	clReleaseMemObject(m);
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
