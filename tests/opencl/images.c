/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/images.c -- image programs as they are usually written: a rotation, a Gaussian blur
 * and Sobel's operator over images and samplers, from the host and in the source; images of a
 * buffer, of three dimensions, in arrays; formats; the calls of OpenCL 1.1; parts written and
 * mapped.
 */
#include "tests/opencl/host.h"

#define W 96
#define H 64

static const char source[] =
	"kernel void turn(read_only image2d_t in, write_only image2d_t out, sampler_t s, float c, "
	"float d)\n"
	"{\n"
	"	int x = get_global_id(0), y = get_global_id(1);\n"
	"	float u = x - get_image_width(in) / 2, v = y - get_image_height(in) / 2;\n"
	"	float2 at = (float2)(c * u - d * v, d * u + c * v) + "
	"convert_float2(get_image_dim(in) / 2);\n"
	"	write_imagef(out, (int2)(x, y), read_imagef(in, s, at));\n"
	"}\n"
	"kernel void flip(read_only image2d_t in, write_only image2d_t out, sampler_t s)\n"
	"{\n"
	"	int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
	"	float2 at = (convert_float2(p) + 0.5f) / convert_float2(get_image_dim(in));\n"
	"	write_imagef(out, p, read_imagef(in, s, (float2)(1.0f - at.x, at.y)));\n"
	"}\n"
	"constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
	"CLK_FILTER_NEAREST;\n"
	"kernel void blur(read_only image2d_t in, write_only image2d_t out, constant float *mask, "
	"int r)\n"
	"{\n"
	"	int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
	"	float4 sum = 0;\n"
	"	for (int y = -r; y <= r; y++)\n"
	"		for (int x = -r; x <= r; x++)\n"
	"			sum += mask[(y + r) * (2 * r + 1) + x + r] * read_imagef(in, edge, "
	"p + (int2)(x, y));\n"
	"	write_imagef(out, p, sum);\n"
	"}\n"
	"kernel void sobel(read_only image2d_t in, write_only image2d_t out)\n"
	"{\n"
	"	const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
	"CLK_FILTER_NEAREST;\n"
	"	int x = get_global_id(0), y = get_global_id(1);\n"
	"	int4 a = convert_int4(read_imageui(in, s, (int2)(x - 1, y - 1)));\n"
	"	int4 b = convert_int4(read_imageui(in, s, (int2)(x, y - 1)));\n"
	"	int4 c = convert_int4(read_imageui(in, s, (int2)(x + 1, y - 1)));\n"
	"	int4 d = convert_int4(read_imageui(in, s, (int2)(x - 1, y)));\n"
	"	int4 f = convert_int4(read_imageui(in, s, (int2)(x + 1, y)));\n"
	"	int4 g = convert_int4(read_imageui(in, s, (int2)(x - 1, y + 1)));\n"
	"	int4 h = convert_int4(read_imageui(in, s, (int2)(x, y + 1)));\n"
	"	int4 i = convert_int4(read_imageui(in, s, (int2)(x + 1, y + 1)));\n"
	"	uint4 e = abs(c + 2 * f + i - a - 2 * d - g) + abs(g + 2 * h + i - a - 2 * b - "
	"c);\n"
	"	write_imageui(out, (int2)(x, y), e / 8);\n"
	"}\n"
	"kernel void gather(read_only image1d_buffer_t in, global int *index, global float4 *out)\n"
	"{ size_t i = get_global_id(0); out[i] = read_imagef(in, index[i]) + 1; }\n"
	"kernel void layers(read_only image2d_array_t in, read_only image3d_t cube, global int4 "
	"*out)\n"
	"{\n"
	"	const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
	"CLK_FILTER_NEAREST;\n"
	"	int x = get_global_id(0), y = get_global_id(1);\n"
	"	out[y * 16 + x] = read_imagei(in, s, (int4)(x, y, 2, 0)) + read_imagei(cube, s, "
	"(int4)(x, y, 1, 0))\n"
	"		+ (int)get_image_array_size(in) + get_image_depth(cube);\n"
	"}\n"
	"kernel void copy(read_only image2d_t in, global float4 *out)\n"
	"{\n"
	"	int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
	"	out[p.y * get_image_width(in) + p.x] = read_imagef(in, edge, p)\n"
	"		+ get_image_channel_order(in) - CLK_R + get_image_channel_data_type(in) - "
	"CLK_SNORM_INT8;\n"
	"}\n";

static cl_mem image(const struct host *h, cl_uint order, cl_uint type, size_t width, size_t height,
		    void *data)
{
	const cl_image_format format = { order, type };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width,
				     .image_height = height };
	cl_int status;
	cl_mem m = clCreateImage(h->context, CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0),
				 &format, &desc, data, &status);

	host_try(status, "image");
	return m;
}

static void run(const struct host *h, cl_kernel k, size_t width, size_t height)
{
	const size_t global[] = { width, height }, local[] = { 16, 8 };

	host_try(clEnqueueNDRangeKernel(h->queue, k, 2, NULL, global, local, 0, NULL, NULL),
		 "launch");
	clReleaseKernel(k);
}

static void read(const struct host *h, cl_mem m, size_t width, size_t height, void *to)
{
	const size_t origin[3] = { 0 }, region[] = { width, height, 1 };

	host_try(clEnqueueReadImage(h->queue, m, CL_TRUE, origin, region, 0, 0, to, 0, NULL, NULL),
		 "read");
}

static unsigned sum_of(const void *data, size_t bytes)
{
	const unsigned char *p = data;
	unsigned sum = 2166136261u;

	for (size_t i = 0; i < bytes; i++)
		sum = (sum ^ p[i]) * 16777619u;
	return sum;
}

/* Between two that read nearest; the host knows what to expect. */
static void rotation(const struct host *h, cl_program p)
{
	static cl_float in[H][W], out[H][W], back[H][W];
	cl_mem from, to;
	cl_int status;
	cl_sampler s = clCreateSampler(h->context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST,
				       &status);
	cl_kernel k = host_kernel(p, "turn");
	const float c = -1, d = 0; /* half a turn */
	bool good = true;

	host_try(status, "sampler");
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			in[y][x] = (float)(y * W + x) + 0.25f;
	from = image(h, CL_R, CL_FLOAT, W, H, in);
	to = image(h, CL_R, CL_FLOAT, W, H, NULL);
	host_arg(k, 0, sizeof from, &from);
	host_arg(k, 1, sizeof to, &to);
	host_arg(k, 2, sizeof s, &s);
	host_arg(k, 3, sizeof c, &c);
	host_arg(k, 4, sizeof d, &d);
	run(h, k, W, H);
	read(h, to, W, H, out);
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			good &= out[y][x] == (x && y ? in[H - y][W - x] : 0);
	host_check(good, "rotation by half a turn");
	printf("rotation: %08x\n", sum_of(out, sizeof out));
	clReleaseSampler(s);

	s = clCreateSampler(h->context, CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST,
			    &status);
	k = host_kernel(p, "flip");
	host_arg(k, 0, sizeof to, &to);
	host_arg(k, 1, sizeof from, &from);
	host_arg(k, 2, sizeof s, &s);
	run(h, k, W, H);
	read(h, from, W, H, back);
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			good &= back[y][x] == out[y][W - 1 - x];
	host_check(good, "flip");
	clReleaseSampler(s);
	clReleaseMemObject(from);
	clReleaseMemObject(to);
}

/* Filtered: what the host computes, to a tolerance. */
static void filtered(const struct host *h, cl_program p)
{
	static cl_float in[H][W][4], out[H][W][4];
	const cl_sampler_properties how[] = { CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE,
					      CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE,
					      CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0 };
	cl_int status;
	cl_sampler s = clCreateSamplerWithProperties(h->context, how, &status);
	cl_kernel k = host_kernel(p, "turn");
	const float c = 1, d = 0; /* in place: each texel is the mean of four */
	cl_mem from, to;
	bool good = true;

	host_try(status, "sampler with properties");
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			for (int i = 0; i < 4; i++)
				in[y][x][i] = (float)((x * 7 + y * 13 + i * 5) % 32);
	from = image(h, CL_RGBA, CL_FLOAT, W, H, in);
	to = image(h, CL_RGBA, CL_FLOAT, W, H, NULL);
	host_arg(k, 0, sizeof from, &from);
	host_arg(k, 1, sizeof to, &to);
	host_arg(k, 2, sizeof s, &s);
	host_arg(k, 3, sizeof c, &c);
	host_arg(k, 4, sizeof d, &d);
	run(h, k, W, H);
	read(h, to, W, H, out);
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			for (int i = 0; i < 4; i++) {
				int l = x ? x - 1 : 0, u = y ? y - 1 : 0;

				good &= fabsf(out[y][x][i] - (in[y][x][i] + in[y][l][i] +
							      in[u][x][i] + in[u][l][i]) /
								     4) < 1e-4f;
			}
	host_check(good, "filtered");
	clReleaseSampler(s);
	clReleaseMemObject(from);
	clReleaseMemObject(to);
}

static void blur(const struct host *h, cl_program p)
{
	static cl_uchar in[H][W][4], out[H][W][4];
	static float mask[25];
	cl_mem from, to, weights;
	cl_kernel k = host_kernel(p, "blur");
	const cl_int r = 2;
	float all = 0;
	bool good = true;

	for (int i = 0; i < 25; i++)
		all += mask[i] = expf(-0.4f * (float)((i % 5 - 2) * (i % 5 - 2) +
						      (i / 5 - 2) * (i / 5 - 2)));
	for (int i = 0; i < 25; i++)
		mask[i] /= all;
	for (int i = 0; i < H * W * 4; i++)
		((cl_uchar *)in)[i] = (cl_uchar)(i % 4 == 3 ? 77 : i * 31 % 251);
	from = image(h, CL_BGRA, CL_UNORM_INT8, W, H, in);
	to = image(h, CL_RGBA, CL_UNORM_INT8, W, H, NULL);
	weights = host_buffer(h, CL_MEM_READ_ONLY, sizeof mask, mask);
	host_arg(k, 0, sizeof from, &from);
	host_arg(k, 1, sizeof to, &to);
	host_arg(k, 2, sizeof weights, &weights);
	host_arg(k, 3, sizeof r, &r);
	run(h, k, W, H);
	read(h, to, W, H, out);
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			for (int i = 0; i < 4; i++) {
				float want = 0;

				for (int t = 0; t < 25; t++) {
					int u = x + t % 5 - 2, v = y + t / 5 - 2;

					u = u < 0 ? 0 : u < W ? u : W - 1;
					v = v < 0 ? 0 : v < H ? v : H - 1;
					want += mask[t] * in[v][u][i < 3 ? 2 - i : 3];
				}
				good &= fabsf(out[y][x][i] - want) < 0.51f;
			}
	host_check(good, "blur");
	clReleaseMemObject(from);
	clReleaseMemObject(to);
	clReleaseMemObject(weights);
}

/* By the calls of OpenCL 1.1, of memory of the host's, a part written anew, the result mapped. */
static void sobel(const struct host *h, cl_program p)
{
	static cl_uchar in[H][W], part[8][16];
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT8 };
	const size_t origin[] = { 32, 16, 0 }, size[] = { 16, 8, 1 }, zero[3] = { 0 },
		     all[] = { W, H, 1 };
	size_t pitch;
	cl_int status;
	cl_kernel k = host_kernel(p, "sobel");
	cl_mem from, to;
	cl_uchar *out;
	bool good = true;

	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			in[y][x] = (cl_uchar)(x * x / 7 + y * 3);
	memset(part, 200, sizeof part);
	from = clCreateImage2D(h->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, &format, W, H, 0,
			       in, &status);
	host_try(status, "image 2D");
	to = image(h, CL_R, CL_UNSIGNED_INT8, W, H, NULL);
	host_try(clEnqueueWriteImage(h->queue, from, CL_TRUE, origin, size, 0, 0, part, 0, NULL,
				     NULL),
		 "write");
	host_arg(k, 0, sizeof from, &from);
	host_arg(k, 1, sizeof to, &to);
	run(h, k, W, H);
	out = clEnqueueMapImage(h->queue, to, CL_TRUE, CL_MAP_READ, zero, all, &pitch, NULL, 0,
				NULL, NULL, &status);
	host_try(status, "map");
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++) {
			int v[3][3], gx, gy;

			for (int j = 0; j < 3; j++)
				for (int i = 0; i < 3; i++) {
					int a = x + i - 1, b = y + j - 1;

					v[j][i] = a < 0 || b < 0 || a >= W || b >= H ? 0
						  : a >= 32 && a < 48 && b >= 16 && b < 24
							  ? 200
							  : (cl_uchar)(a * a / 7 + b * 3);
				}
			gx = v[0][2] + 2 * v[1][2] + v[2][2] - v[0][0] - 2 * v[1][0] - v[2][0];
			gy = v[2][0] + 2 * v[2][1] + v[2][2] - v[0][0] - 2 * v[0][1] - v[0][2];
			good &= out[(size_t)y * pitch + (size_t)x] == (abs(gx) + abs(gy)) / 8;
		}
	host_check(good, "sobel");
	host_try(clEnqueueUnmapMemObject(h->queue, to, out, 0, NULL, NULL), "unmap");
	clFinish(h->queue);
	clReleaseMemObject(from);
	clReleaseMemObject(to);
}

/* An image of a buffer sees what is written to the buffer. */
static void gather(const struct host *h, cl_program p)
{
	enum { N = 256 };
	static cl_float out[N][4];
	static cl_int index[N];
	const cl_image_format format = { CL_RGBA, CL_UNORM_INT16 };
	static cl_ushort texel[N][4];
	cl_mem buffer = host_buffer(h, CL_MEM_READ_WRITE, sizeof texel, NULL), in, at, to;
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = N,
				     .mem_object = buffer };
	cl_kernel k = host_kernel(p, "gather");
	cl_int status;
	bool good = true;

	in = clCreateImage(h->context, CL_MEM_READ_ONLY, &format, &desc, NULL, &status);
	host_try(status, "image of a buffer");
	for (int i = 0; i < N; i++) {
		index[i] = i * 37 % N;
		for (int c = 0; c < 4; c++)
			texel[i][c] = (cl_ushort)(i * 257 + c * 1001);
	}
	host_try(clEnqueueWriteBuffer(h->queue, buffer, CL_TRUE, 0, sizeof texel, texel, 0, NULL,
				      NULL),
		 "write");
	at = host_buffer(h, CL_MEM_READ_ONLY, sizeof index, index);
	to = host_buffer(h, CL_MEM_WRITE_ONLY, sizeof out, NULL);
	host_arg(k, 0, sizeof in, &in);
	host_arg(k, 1, sizeof at, &at);
	host_arg(k, 2, sizeof to, &to);
	host_run(h, k, N, 64);
	host_read(h, to, sizeof out, out);
	for (int i = 0; i < N; i++)
		for (int c = 0; c < 4; c++)
			good &= fabsf(out[i][c] - (texel[index[i]][c] / 65535.0f + 1)) < 1e-4f;
	host_check(good, "an image of a buffer");
	clReleaseKernel(k);
	clReleaseMemObject(in);
	clReleaseMemObject(buffer);
	clReleaseMemObject(at);
	clReleaseMemObject(to);
}

static void layers(const struct host *h, cl_program p)
{
	static cl_short flat[4][16][16], cube[3][16][16];
	static cl_int out[256][4];
	const cl_image_format format = { CL_R, CL_SIGNED_INT16 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY, .image_width = 16,
				     .image_height = 16, .image_array_size = 4 };
	cl_kernel k = host_kernel(p, "layers");
	cl_mem a, b, to = host_buffer(h, CL_MEM_WRITE_ONLY, sizeof out, NULL);
	cl_int status;
	bool good = true;

	for (int i = 0; i < 1024; i++)
		((cl_short *)flat)[i] = (cl_short)(i * 29 - 9000);
	for (int i = 0; i < 768; i++)
		((cl_short *)cube)[i] = (cl_short)(7000 - i * 17);
	a = clCreateImage(h->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc, flat,
			  &status);
	host_try(status, "array");
	b = clCreateImage3D(h->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, 16, 16, 3,
			    0, 0, cube, &status);
	host_try(status, "image 3D");
	host_arg(k, 0, sizeof a, &a);
	host_arg(k, 1, sizeof b, &b);
	host_arg(k, 2, sizeof to, &to);
	run(h, k, 16, 16);
	host_read(h, to, sizeof out, out);
	for (int y = 0; y < 16; y++)
		for (int x = 0; x < 16; x++)
			good &= out[y * 16 + x][0] == flat[2][y][x] + cube[1][y][x] + 4 + 3;
	host_check(good, "layers and slices");
	clReleaseMemObject(a);
	clReleaseMemObject(b);
	clReleaseMemObject(to);
}

/* The same kernel on images of formats that every platform has. */
static void formats(const struct host *h, cl_program p)
{
	static const cl_uint format[][2] = {
		{ CL_RGBA, CL_UNORM_INT8 }, { CL_RGBA, CL_UNORM_INT16 }, { CL_RGBA, CL_HALF_FLOAT },
		{ CL_RGBA, CL_FLOAT },	    { CL_BGRA, CL_UNORM_INT8 },
	};
	static cl_uchar bytes[16 * 8 * 16];
	static cl_float out[128][4];
	cl_mem to = host_buffer(h, CL_MEM_WRITE_ONLY, sizeof out, NULL);

	for (unsigned i = 0, v = 1; i < sizeof bytes; i++)
		bytes[i] = (cl_uchar)((v = v * 1103515245u + 12345u) >> 16) & 0xbb; /* no NaN */
	for (int i = 0; i < 5; i++) {
		cl_kernel k = host_kernel(p, "copy");
		cl_mem in = image(h, format[i][0], format[i][1], 16, 8, bytes);

		host_arg(k, 0, sizeof in, &in);
		host_arg(k, 1, sizeof to, &to);
		run(h, k, 16, 8);
		host_read(h, to, sizeof out, out);
		for (int n = 0; n < 512; n++)
			((float *)out)[n] = rintf(((float *)out)[n] * 1024); /* 1.5 ulp are
									      * allowed */
		printf("format %x %x: %08x\n", format[i][0], format[i][1], sum_of(out, sizeof out));
		clReleaseMemObject(in);
	}
	clReleaseMemObject(to);
}

int main(void)
{
	struct host h = host_open(0);
	cl_bool has = CL_FALSE;
	cl_program p;

	clGetDeviceInfo(h.device, CL_DEVICE_IMAGE_SUPPORT, sizeof has, &has, NULL);
	if (!has) {
		printf("the device has no images\n");
		return 77;
	}
	p = host_program(&h, source, "");
	rotation(&h, p);
	filtered(&h, p);
	blur(&h, p);
	sobel(&h, p);
	gather(&h, p);
	layers(&h, p);
	formats(&h, p);
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
