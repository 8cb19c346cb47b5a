/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/build.c -- programs: -D and -I, includes, a source in pieces, several programs of
 * one context, one built again with other options, one from a binary, one linked.
 */
#include "tests/opencl/host.h"

#define N 512

static const char scaled[] =
	"#include \"scale.h\"\n"
	"kernel void scale(global int *a) { a[get_global_id(0)] = SCALE((int)get_global_id(0)); "
	"}\n";

static bool run(const struct host *h, cl_program p, const char *name, int factor, int plus)
{
	cl_kernel k = host_kernel(p, name);
	static int a[N];
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, NULL);
	bool good = true;

	host_arg(k, 0, sizeof m, &m);
	host_run(h, k, N, 64);
	host_read(h, m, sizeof a, a);
	for (int i = 0; i < N; i++)
		good &= a[i] == i * factor + plus;
	clReleaseMemObject(m);
	clReleaseKernel(k);
	return good;
}

static cl_program in_pieces(const struct host *h)
{
	const char *text[] = {
		"kernel void pieces(global int *a)\n{XXXX",
		"\tint i = get_global_id(0);\n",
		"\ta[i] = 3 * i + MORE;\n}\n",
	};
	const size_t lens[] = { strlen(text[0]) - 4, 0, strlen(text[2]) };
	cl_int status;
	cl_program p = clCreateProgramWithSource(h->context, 3, text, lens, &status);

	host_try(status, "pieces");
	host_try(clBuildProgram(p, 0, NULL, "-D MORE=7 -cl-fast-relaxed-math", NULL, NULL),
		 "build");
	return p;
}

static void from_binary(const struct host *h, cl_program from)
{
	size_t len = 0;
	unsigned char *binary;
	cl_int status, each;
	cl_program p;

	host_try(clGetProgramInfo(from, CL_PROGRAM_BINARY_SIZES, sizeof len, &len, NULL), "sizes");
	binary = malloc(len);
	host_try(clGetProgramInfo(from, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL),
		 "binary");
	p = clCreateProgramWithBinary(h->context, 1, &h->device, &len,
				      (const unsigned char **)&binary, &each, &status);
	host_try(status, "with binary");
	host_try(clBuildProgram(p, 1, &h->device, "", NULL, NULL), "build");
	host_check(run(h, p, "scale", 5, 0), "from a binary");
	clReleaseProgram(p);
	free(binary);
}

static void linked(const struct host *h)
{
	const char *text = "kernel void linked(global int *a) { a[get_global_id(0)] = 11; }\n";
	cl_int status;
	cl_program part = clCreateProgramWithSource(h->context, 1, &text, NULL, &status), whole;

	host_try(status, "part");
	host_try(clCompileProgram(part, 1, &h->device, "", 0, NULL, NULL, NULL, NULL), "compile");
	whole = clLinkProgram(h->context, 1, &h->device, "", 1, &part, NULL, NULL, &status);
	host_try(status, "link");
	host_check(run(h, whole, "linked", 0, 11), "linked");
	clReleaseProgram(part);
	clReleaseProgram(whole);
}

/* Warnings are errors, and it is the platform that warns. */
static const char strict[] =
	"float16 __attribute__((noinline)) add(float16 a, float16 b) { return a + b; }\n"
	"kernel void strict(global int *a)\n"
	"{\n"
	"	int unused = 3;\n"
	"	a[get_global_id(0)] = (int)add((float16)(6.0f), (float16)(7.0f)).sf;\n"
	"}\n";

int main(void)
{
	struct host h = host_open(0);
	cl_program five = host_program(&h, scaled, "-I tests/opencl/include -DFACTOR=5"),
		   nine = host_program(&h, scaled,
				       "-Itests/opencl/include -D FACTOR=9 -cl-std=CL1.2"),
		   pieces = in_pieces(&h), again;
	const char *wrong = "kernel void wrong(global int *a) { a[0] = nothing; }\n";

	host_check(run(&h, five, "scale", 5, 0), "-I and -DFACTOR=5");
	host_check(run(&h, nine, "scale", 9, 0), "-D FACTOR=9");
	host_check(run(&h, five, "scale", 5, 0), "the first again");
	host_check(run(&h, pieces, "pieces", 3, 7), "source in pieces");
	again = clCreateProgramWithSource(h.context, 1, &(const char *){ scaled }, NULL, NULL);
	host_try(clBuildProgram(again, 0, NULL, "-Itests/opencl/include -DFACTOR=2", NULL, NULL),
		 "2");
	host_check(run(&h, again, "scale", 2, 0), "built with 2");
	host_try(clBuildProgram(again, 0, NULL, "-Itests/opencl/include -DFACTOR=4", NULL, NULL),
		 "4");
	host_check(run(&h, again, "scale", 4, 0), "built again with 4");
	from_binary(&h, five);
	linked(&h);
	clReleaseProgram(again);
	again = host_program(&h, strict, "-Werror");
	host_check(run(&h, again, "strict", 0, 13), "-Werror");
	clReleaseProgram(again);
	again = clCreateProgramWithSource(h.context, 1, &wrong, NULL, NULL);
	host_check(clBuildProgram(again, 0, NULL, "", NULL, NULL) == CL_BUILD_PROGRAM_FAILURE,
		   "an error is one");
	clReleaseProgram(again);
	clReleaseProgram(pieces);
	clReleaseProgram(nine);
	clReleaseProgram(five);
	host_close(&h);
	return host_wrong > 0;
}
