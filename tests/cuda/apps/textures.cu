/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Textures by object and by reference, linear memory and arrays, filters and modes; surfaces.
 */
#include <cstring>
#include <cmath>
#include <cuda_fp16.h>
#include "common.h"

#define WIDTH 16
#define HEIGHT 12
#define DEPTH 3

texture<float, 1, cudaReadModeElementType> line;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
static texture<int2, cudaTextureType2D> pairs;
surface<void, cudaSurfaceType2D> above, below;

__global__ void by_reference(const int *at, float *out, float4 *colour, int2 *pair)
{
	int i = threadIdx.x;

	out[i] = tex1Dfetch(line, at[i]);
	colour[i] = tex2D(colours, i % WIDTH + 0.5f, i / WIDTH + 0.5f);
	pair[i] = tex2D(pairs, (float)(i % WIDTH), (float)(i / WIDTH));
}

__global__ void by_object(cudaTextureObject_t flat, cudaTextureObject_t image,
			  cudaTextureObject_t volume, const float2 *where, float *out)
{
	int i = threadIdx.x;
	float2 c = where[i];

	out[i] = i % 2 ? tex2D<float>(image, c.x, c.y) : tex2DLod<float>(image, c.x, c.y, 0);
	tex3D<float>(&out[128 + i], volume, i % 4 + 0.5f, i / 4 % 4 + 0.5f, i % DEPTH + 0.5f);
	out[256 + i] = tex1Dfetch<float4>(flat, i).z;
}

__global__ void swap(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
	int x = threadIdx.x, y = blockIdx.x;
	float2 v = surf2Dread<float2>(from, x * sizeof(float2), y);

	surf2Dwrite(make_float2(v.y, v.x), to, (WIDTH - 1 - x) * sizeof(float2), y);
	if (surf2Dread<float2>(from, -8, y, cudaBoundaryModeZero).x != 0)
		surf2Dwrite(make_float2(-1, -1), to, 0, 0);
}

__global__ void swap_by_reference()
{
	int x = threadIdx.x, y = blockIdx.x;
	float2 v;

	surf2Dread(&v, above, x * sizeof(float2), y);
	surf2Dwrite(make_float2(v.y, v.x), below, (WIDTH - 1 - x) * sizeof(float2), y,
		    cudaBoundaryModeClamp);
}

/* ---- the same again -------------------------------------------------------------------------- */

static int along(int i, int n, cudaTextureAddressMode mode)
{
	switch (mode) {
	case cudaAddressModeWrap:
		return (i % n + n) % n;
	case cudaAddressModeMirror:
		i = (i % (2 * n) + 2 * n) % (2 * n);
		return i < n ? i : 2 * n - 1 - i;
	case cudaAddressModeBorder:
		return i < 0 || i >= n ? -1 : i;
	default:
		return i < 0 ? 0 : i >= n ? n - 1 : i;
	}
}

static float sample(const float (*image)[WIDTH], float x, float y, bool filter, bool normalized,
		    cudaTextureAddressMode mode)
{
	float sum = 0;

	if (normalized) {
		x *= WIDTH;
		y *= HEIGHT;
	} else if (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror) {
		mode = cudaAddressModeClamp;
	}
	if (filter) {
		x -= 0.5f;
		y -= 0.5f;
	}
	for (int k = 0; k < (filter ? 4 : 1); k++) {
		int i = along((int)floorf(x) + k % 2, WIDTH, mode);
		int j = along((int)floorf(y) + k / 2, HEIGHT, mode);
		float a = roundf((x - floorf(x)) * 256) / 256, b = roundf((y - floorf(y)) * 256) / 256;
		float w = filter ? (k % 2 ? a : 1 - a) * (k / 2 ? b : 1 - b) : 1;

		sum += i < 0 || j < 0 ? 0 : w * image[j][i];
	}
	return sum;
}

static bool references()
{
	const int n = 128;
	static uchar4 host[HEIGHT][WIDTH];
	static int2 two[HEIGHT][WIDTH];
	float *numbers, *out;
	int *at;
	float4 *colour;
	int2 *pair, *pitched;
	size_t pitch, offset = 1;
	cudaArray_t array;
	bool good = true;

	CHECK(cudaMallocManaged(&numbers, n * sizeof *numbers));
	CHECK(cudaMallocManaged(&out, n * sizeof *out));
	CHECK(cudaMallocManaged(&at, n * sizeof *at));
	CHECK(cudaMallocManaged(&colour, n * sizeof *colour));
	CHECK(cudaMallocManaged(&pair, n * sizeof *pair));
	for (int i = 0; i < n; i++) {
		numbers[i] = i * 0.25f;
		at[i] = i * 37 % (n + 20) - 10; /* some past the ends */
	}
	for (int i = 0; i < WIDTH * HEIGHT; i++) {
		host[0][i] = make_uchar4(i, 255 - i, 0, 255);
		two[0][i] = make_int2(i, -i);
	}
	CHECK(cudaBindTexture(&offset, line, numbers, n * sizeof *numbers));
	CHECK(cudaMallocArray(&array, &colours.channelDesc, WIDTH, HEIGHT));
	CHECK(cudaMemcpyToArray(array, 0, 0, host, sizeof host, cudaMemcpyHostToDevice));
	colours.addressMode[0] = colours.addressMode[1] = cudaAddressModeClamp;
	colours.filterMode = cudaFilterModePoint;
	CHECK(cudaBindTextureToArray(colours, array));
	CHECK(cudaMallocPitch(&pitched, &pitch, WIDTH * sizeof(int2), HEIGHT));
	CHECK(cudaMemcpy2D(pitched, pitch, two, sizeof two[0], sizeof two[0], HEIGHT,
			   cudaMemcpyHostToDevice));
	CHECK(cudaBindTexture2D(&offset, pairs, pitched, WIDTH, HEIGHT, pitch));
	by_reference<<<1, n>>>(at, out, colour, pair);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < n; i++) {
		good &= out[i] == (at[i] < 0 || at[i] >= n ? 0 : numbers[at[i]]);
		good &= colour[i].x == i / 255.0f && colour[i].y == (255 - i) / 255.0f;
		good &= colour[i].z == 0 && colour[i].w == 1;
		good &= pair[i].x == i && pair[i].y == -i;
	}
	CHECK(cudaUnbindTexture(line));
	CHECK(cudaUnbindTexture(colours));
	CHECK(cudaFreeArray(array));
	return good && offset == 0;
}

static bool objects(bool filter, bool normalized, cudaTextureAddressMode mode)
{
	const int n = 128;
	static float image[HEIGHT][WIDTH], volume[DEPTH][4][4];
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
	cudaExtent extent = make_cudaExtent(4, 4, DEPTH);
	cudaTextureObject_t flat, plane, cube;
	cudaResourceDesc resource = {};
	cudaTextureDesc how = {};
	cudaMemcpy3DParms copy = {};
	cudaArray_t a2, a3;
	float2 *where;
	float4 *four;
	float *out;
	bool good = true;

	CHECK(cudaMallocManaged(&where, n * sizeof *where));
	CHECK(cudaMallocManaged(&four, n * sizeof *four));
	CHECK(cudaMallocManaged(&out, 3 * n * sizeof *out));
	for (int i = 0; i < WIDTH * HEIGHT; i++)
		image[0][i] = (float)(i * 7 % 31);
	for (int i = 0; i < 16 * DEPTH; i++)
		volume[0][0][i] = (float)i;
	for (int i = 0; i < n; i++) {
		float x = (i * 5 % 64) * 0.375f - 4, y = (i * 3 % 64) * 0.25f - 3;

		where[i] = normalized ? make_float2(x / WIDTH, y / HEIGHT) : make_float2(x, y);
		four[i] = make_float4(0, 0, (float)i, 0);
	}
	CHECK(cudaMallocArray(&a2, &desc, WIDTH, HEIGHT));
	CHECK(cudaMemcpy2DToArray(a2, 0, 0, image, sizeof image[0], sizeof image[0], HEIGHT,
				  cudaMemcpyHostToDevice));
	CHECK(cudaMalloc3DArray(&a3, &desc, extent));
	copy.srcPtr = make_cudaPitchedPtr(volume, sizeof volume[0][0], 4, 4);
	copy.dstArray = a3;
	copy.extent = extent;
	copy.kind = cudaMemcpyHostToDevice;
	CHECK(cudaMemcpy3D(&copy));

	how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = mode;
	how.filterMode = filter ? cudaFilterModeLinear : cudaFilterModePoint;
	how.normalizedCoords = normalized;
	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = a2;
	CHECK(cudaCreateTextureObject(&plane, &resource, &how, NULL));
	resource.res.array.array = a3;
	how.filterMode = cudaFilterModePoint;
	how.normalizedCoords = 0;
	CHECK(cudaCreateTextureObject(&cube, &resource, &how, NULL));
	resource.resType = cudaResourceTypeLinear;
	resource.res.linear.devPtr = four;
	resource.res.linear.desc = cudaCreateChannelDesc<float4>();
	resource.res.linear.sizeInBytes = n * sizeof *four;
	CHECK(cudaCreateTextureObject(&flat, &resource, &how, NULL));
	by_object<<<1, n>>>(flat, plane, cube, where, out);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < n; i++) {
		float want = sample(image, where[i].x, where[i].y, filter, normalized, mode);

		good &= fabsf(out[i] - want) < 1e-3f;
		good &= out[n + i] == volume[i % DEPTH][i / 4 % 4][i % 4];
		good &= out[2 * n + i] == (float)i;
	}
	CHECK(cudaDestroyTextureObject(flat));
	CHECK(cudaDestroyTextureObject(plane));
	CHECK(cudaDestroyTextureObject(cube));
	CHECK(cudaFreeArray(a2));
	CHECK(cudaFreeArray(a3));
	return good;
}

static bool surfaces()
{
	static float2 host[HEIGHT][WIDTH], back[HEIGHT][WIDTH];
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<float2>();
	cudaResourceDesc resource = {};
	cudaSurfaceObject_t from, to;
	cudaArray_t a, b;
	bool good = true;

	for (int i = 0; i < WIDTH * HEIGHT; i++)
		host[0][i] = make_float2((float)i, i + 0.5f);
	CHECK(cudaMallocArray(&a, &desc, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
	CHECK(cudaMallocArray(&b, &desc, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
	CHECK(cudaMemcpyToArray(a, 0, 0, host, sizeof host, cudaMemcpyHostToDevice));
	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = a;
	CHECK(cudaCreateSurfaceObject(&from, &resource));
	resource.res.array.array = b;
	CHECK(cudaCreateSurfaceObject(&to, &resource));
	CHECK(cudaBindSurfaceToArray(above, a));
	CHECK(cudaBindSurfaceToArray(below, b));
	for (int way = 0; way < 2; way++) {
		if (way)
			swap_by_reference<<<HEIGHT, WIDTH>>>();
		else
			swap<<<HEIGHT, WIDTH>>>(from, to);
		CHECK(cudaMemcpyFromArray(back, b, 0, 0, sizeof back, cudaMemcpyDeviceToHost));
		for (int i = 0; i < WIDTH * HEIGHT; i++) {
			good &= back[i / WIDTH][WIDTH - 1 - i % WIDTH].x == host[0][i].y;
			good &= back[i / WIDTH][WIDTH - 1 - i % WIDTH].y == host[0][i].x;
		}
		CHECK(cudaMemcpyToArray(b, 0, 0, host, sizeof host, cudaMemcpyHostToDevice));
	}
	CHECK(cudaGetSurfaceObjectResourceDesc(&resource, from));
	good &= resource.resType == cudaResourceTypeArray && resource.res.array.array == a;
	return good;
}

__global__ void read_halves(cudaTextureObject_t pairs, cudaTextureObject_t ones, float2 *two,
			    float *one)
{
	int i = threadIdx.x;

	two[i] = tex2D<float2>(pairs, (float)(i % WIDTH + 1), i / WIDTH + 0.5f);
	one[i] = tex1Dfetch<float>(ones, i);
}

/* Channels of 16 bits are read as float, filtered ones, too: between two columns half of each. */
static bool halves()
{
	const float odd[8] = { 0, -0.0f, 5.9604645e-8f, -6.1035156e-5f, 65504, -INFINITY, 0.1f, -3 };
	static __half host[2][WIDTH][2];
	cudaChannelFormatDesc desc = cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
	cudaTextureObject_t pairs, ones;
	cudaResourceDesc resource = {};
	cudaTextureDesc how = {};
	cudaArray_t a;
	__half *flat;
	float2 *two;
	float *one;
	bool good = true;

	CHECK(cudaMallocManaged(&two, 2 * WIDTH * sizeof *two));
	CHECK(cudaMallocManaged(&one, 2 * WIDTH * sizeof *one));
	CHECK(cudaMallocManaged(&flat, 2 * WIDTH * sizeof *flat));
	for (int i = 0; i < 2 * WIDTH; i++) {
		flat[i] = __float2half(odd[i % 8]);
		host[0][i][0] = __float2half((float)i);
		host[0][i][1] = __float2half(-0.25f * i);
	}
	CHECK(cudaMallocArray(&a, &desc, WIDTH, 2));
	CHECK(cudaMemcpyToArray(a, 0, 0, host, sizeof host, cudaMemcpyHostToDevice));
	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = a;
	how.filterMode = cudaFilterModeLinear;
	how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
	CHECK(cudaCreateTextureObject(&pairs, &resource, &how, NULL));
	resource.resType = cudaResourceTypeLinear;
	resource.res.linear.devPtr = flat;
	resource.res.linear.desc = cudaCreateChannelDescHalf();
	resource.res.linear.sizeInBytes = 2 * WIDTH * sizeof *flat;
	how.filterMode = cudaFilterModePoint;
	CHECK(cudaCreateTextureObject(&ones, &resource, &how, NULL));
	read_halves<<<1, 2 * WIDTH>>>(pairs, ones, two, one);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 2 * WIDTH; i++) {
		float middle = i % WIDTH == WIDTH - 1 ? i : i + 0.5f;

		good &= two[i].x == middle && two[i].y == -0.25f * middle;
		good &= one[i] == __half2float(flat[i]) && signbit(one[i]) == signbit(odd[i % 8]);
	}
	return good;
}

enum { EDGE = 4, CUBES = 2 };
/* Directions through the middle of each texel, made longer; the value is written over the faces of
 * another array. */
__global__ void look_around(cudaTextureObject_t one, cudaTextureObject_t all, cudaSurfaceObject_t to,
			    float *out)
{
	const float to_x[6][3] = { { 0, 0, 1 }, { 0, 0, -1 }, { 1, 0, 0 }, { 1, 0, 0 }, { 1, 0, 0 },
				   { -1, 0, 0 } };
	const float to_y[6][3] = { { 0, -1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 },
				   { 0, -1, 0 }, { 0, -1, 0 } };
	const float to_z[6][3] = { { -1, 0, 0 }, { 1, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 1 },
				   { 0, 0, -1 } };
	int face = (int)blockIdx.x, i = (int)threadIdx.x % EDGE, j = (int)threadIdx.x / EDGE;
	float s = (2 * i + 1) / (float)EDGE - 1, t = (2 * j + 1) / (float)EDGE - 1, r = face + 1;
	float x = r * (face == 0 ? 1 : face == 1 ? -1 : to_x[face][0] * s);
	float y = r * (face == 2 ? 1 : face == 3 ? -1 : to_y[face][1] * t);
	float z = r * (face < 2 ? to_z[face][0] * s : face < 4 ? to_y[face][2] * t : to_z[face][2]);
	int n = face * EDGE * EDGE + (int)threadIdx.x;

	out[n] = texCubemap<float>(one, x, y, z) + texCubemapLayered<float>(all, x, y, z, 1);
	surfCubemapwrite(out[n], to, i * 4, j, face);
}

static bool cubes()
{
	static float host[CUBES * 6][EDGE][EDGE], back[6 * EDGE * EDGE];
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
	cudaMemcpy3DParms copy = {};
	cudaTextureObject_t one, all;
	cudaSurfaceObject_t surface;
	cudaResourceDesc resource = {};
	cudaTextureDesc how = {};
	cudaArray_t a;
	float *out;
	bool good = true;

	for (int i = 0; i < CUBES * 6 * EDGE * EDGE; i++)
		host[0][0][i] = (float)(i * i % 997);
	CHECK(cudaMalloc3DArray(&a, &desc, make_cudaExtent(EDGE, EDGE, CUBES * 6),
				cudaArrayCubemap | cudaArrayLayered));
	copy.srcPtr = make_cudaPitchedPtr(host, EDGE * sizeof(float), EDGE, EDGE);
	copy.dstArray = a;
	copy.extent = make_cudaExtent(EDGE, EDGE, CUBES * 6);
	copy.kind = cudaMemcpyHostToDevice;
	CHECK(cudaMemcpy3D(&copy));
	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = a;
	how.normalizedCoords = 1;
	CHECK(cudaCreateTextureObject(&one, &resource, &how, NULL));
	how.filterMode = cudaFilterModeLinear; /* equal in the middle of a texel */
	CHECK(cudaCreateTextureObject(&all, &resource, &how, NULL));
	CHECK(cudaCreateSurfaceObject(&surface, &resource));
	CHECK(cudaMallocManaged(&out, sizeof back));
	look_around<<<6, EDGE * EDGE>>>(one, all, surface, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpyFromArray(back, a, 0, 0, sizeof back, cudaMemcpyDeviceToHost));
	for (int i = 0; i < 6 * EDGE * EDGE; i++)
		good &= out[i] == host[0][0][i] + host[6][0][i] && back[i] == out[i];
	return good;
}

/* Four texels at once, of each channel; and what is destroyed twice. */
__global__ void gathers(cudaTextureObject_t t, uchar4 *out, cudaTextureObject_t parts, float4 *part)
{
	int i = threadIdx.x;

	out[i] = tex2Dgather<uchar4>(t, (float)(i % 4 + 1), (float)(i / 4), i % 4);
	part[i] = tex2Dgather<float4>(parts, (float)(i % 4 + 1), (float)(i / 4), i % 4);
}

static bool gathered()
{
	const int w = 5, h = 3;
	cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
	cudaResourceDesc resource = {};
	cudaTextureDesc how = {}, got = {};
	cudaTextureObject_t t, parts;
	unsigned char host[h][w][4];
	cudaArray_t a;
	uchar4 *out;
	float4 *part;

	for (int i = 0; i < w * h * 4; i++)
		host[0][0][i] = (unsigned char)(7 * i + 3);
	CHECK(cudaMallocArray(&a, &format, w, h, cudaArrayTextureGather));
	CHECK(cudaMemcpy2DToArray(a, 0, 0, host, w * 4, w * 4, h, cudaMemcpyHostToDevice));
	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = a;
	how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
	CHECK(cudaCreateTextureObject(&t, &resource, &how, NULL));
	how.readMode = cudaReadModeNormalizedFloat;
	CHECK(cudaCreateTextureObject(&parts, &resource, &how, NULL));
	CHECK(cudaMallocManaged(&out, 16 * sizeof *out));
	CHECK(cudaMallocManaged(&part, 16 * sizeof *part));
	gathers<<<1, 16>>>(t, out, parts, part);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 16; i++) {
		int x = i % 4, up = i / 4 < h ? i / 4 : h - 1, low = i / 4 ? i / 4 - 1 : 0, c = i % 4;
		const unsigned char want[4] = { host[up][x][c], host[up][x + 1][c], host[low][x + 1][c],
						host[low][x][c] };

		REQUIRE(memcmp(&out[i], want, 4) == 0);
		REQUIRE(part[i].x == want[0] / 255.f && part[i].z == want[2] / 255.f);
	}
	REQUIRE(cudaGetTextureObjectTextureDesc(&got, parts) == cudaSuccess && got.readMode == how.readMode);
	REQUIRE(cudaDestroyTextureObject(t) == cudaSuccess && cudaDestroyTextureObject(0) == cudaSuccess);
	REQUIRE(cudaDestroyTextureObject(t) == cudaErrorInvalidValue);
	REQUIRE(cudaGetTextureObjectTextureDesc(&got, t) == cudaErrorInvalidValue);
	REQUIRE(cudaFreeArray(a) == cudaSuccess && cudaFreeArray(a) == cudaErrorInvalidValue);
	return cudaGetLastError() == cudaErrorInvalidValue;
}

int main()
{
	const cudaTextureAddressMode modes[] = { cudaAddressModeWrap, cudaAddressModeClamp,
						 cudaAddressModeMirror, cudaAddressModeBorder };
	cudaTextureDesc how = {};
	cudaResourceDesc none = {};
	cudaTextureObject_t object;
	bool good = references();

	for (int k = 0; k < 16; k++)
		good &= objects(k & 1, k & 2, modes[k / 4]);
	good &= surfaces() && cubes() && halves() && gathered();
	good &= cudaCreateTextureObject(&object, &none, &how, NULL) == cudaErrorInvalidValue;
	(void)cudaGetLastError();
	return passed(good);
}
