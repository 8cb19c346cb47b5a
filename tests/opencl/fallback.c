/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/fallback.c -- a program with names that the layer does not take, between others;
 * images, printf, and one that reads past its buffer: whoever runs which, memory is the same.
 */
#include "tests/opencl/host.h"

#define W 32
#define H 16
#define N (W * H)

static const char source[] =
	"kernel void plus(global int *a, int by) { a[get_global_id(0)] += by; }\n"
	"kernel void tell(global int *a)\n"
	"{\n"
	"	if (get_global_id(0) == 3)\n"
	"		printf(\"kernel: %d %s %.2f %#x\\n\", a[3], \"text\", 1.5f, 255);\n"
	"	a[get_global_id(0)] *= 2;\n"
	"}\n"
	"kernel void past(global int *a, global int *b)\n"
	"{\n"
	"	size_t i = get_global_id(0);\n"
	"	b[i]++;\n"
	"	if (a[i + 1] == -12345)\n"
	"		b[i] = 0;\n"
	"}\n";

static const char refused[] =
	"int __ws_own(int i) { return i; }\n"
	"kernel void pixels(read_only image2d_t in, global int *a)\n"
	"{\n"
	"	const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
	"CLK_FILTER_NEAREST;\n"
	"	int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
	"	a[at.y * get_global_size(0) + __ws_own(at.x)] += (int)read_imageui(in, s, at).x;\n"
	"}\n";

static const char vectors[] =
	"kernel void vector(global int *a)\n"
	"{\n"
	"	if (get_global_id(0) == 0)\n"
	"		printf(\"kernel: %v4hld\\n\", vload4(0, a));\n"
	"	a[get_global_id(0)]++;\n"
	"}\n";

static cl_mem image(const struct host *h)
{
	static cl_uchar pixel[N];
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT8 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W,
				     .image_height = H };
	cl_int status;
	cl_mem m;

	for (int i = 0; i < N; i++)
		pixel[i] = (cl_uchar)(i % 251);
	m = clCreateImage(h->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc,
			  pixel, &status);
	host_try(status, "image");
	return m;
}

static void run_mix(const struct host *h, cl_program p, cl_mem in, cl_mem m)
{
	static const size_t global[] = { W, H }, local[] = { 8, 8 };
	cl_kernel k = host_kernel(p, "pixels");

	host_arg(k, 0, sizeof in, &in);
	host_arg(k, 1, sizeof m, &m);
	host_try(clEnqueueNDRangeKernel(h->queue, k, 2, NULL, global, local, 0, NULL, NULL),
		 "pixels");
	clReleaseKernel(k);
}

static void run(const struct host *h, cl_program p, const char *name, cl_mem m, int by)
{
	cl_kernel k = host_kernel(p, name);

	host_arg(k, 0, sizeof m, &m);
	if (by)
		host_arg(k, 1, sizeof by, &by);
	host_run(h, k, N, 64);
	clReleaseKernel(k);
}

int main(void)
{
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, ""), v = host_program(&h, vectors, ""),
		   pixels = host_program(&h, refused, "");
	cl_mem in = image(&h), m = host_buffer(&h, CL_MEM_READ_WRITE, N * sizeof(int), NULL), last;
	cl_kernel past = host_kernel(p, "past");
	int a[N] = { 0 };
	bool good = true;

	host_try(clEnqueueWriteBuffer(h.queue, m, CL_TRUE, 0, sizeof a, a, 0, NULL, NULL), "write");
	run(&h, p, "plus", m, 1000);
	run_mix(&h, pixels, in, m);
	run(&h, p, "plus", m, 5);
	run_mix(&h, pixels, in, m);
	clFinish(h.queue);
	run(&h, p, "tell", m, 0);
	clFinish(h.queue);
	run(&h, v, "vector", m, 0);
	last = host_buffer(&h, CL_MEM_READ_WRITE, sizeof a, a);
	host_arg(past, 0, sizeof last, &last);
	host_arg(past, 1, sizeof m, &m);
	host_run(&h, past, N, 64);
	run(&h, p, "plus", m, -2);
	host_read(&h, m, sizeof a, a);
	for (int i = 0; i < N; i++)
		good &= a[i] == 2 * (1005 + 2 * (i % 251));
	host_check(good, "kernels of both kinds");
	clReleaseKernel(past);
	clReleaseMemObject(last);
	clReleaseMemObject(in);
	clReleaseMemObject(m);
	clReleaseProgram(v);
	clReleaseProgram(pixels);
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
