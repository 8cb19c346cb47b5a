/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The runtime's calls around the kernels: arrays, boxes of memory, attributes, streams, pointers.
 */
#include <cuComplex.h>
#include <cuda_profiler_api.h>
#include <math_constants.h>
#include <omp.h>
#include "common.h"

#ifndef __DRIVER_TYPES_H__
#error "helper headers look for it"
#endif

#define WIDTH 24
#define HEIGHT 10
#define DEPTH 4

__constant__ float scale;
__device__ int counter[3];

__global__ void multiply(cudaPitchedPtr box)
{
	int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
	float *row = (float *)((char *)box.ptr + (z * box.ysize + y) * box.pitch);

	row[x] *= scale;
	if (x == 0)
		atomicAdd(&counter[1], 1);
}

__global__ void turn(cuFloatComplex *z, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		z[i] = cuCmulf(z[i], make_cuFloatComplex(cosf(CUDART_PI_F / 2), sinf(CUDART_PI_F / 2)));
}

static int called;
static void CUDART_CB on_stream(cudaStream_t, cudaError_t status, void *data)
{
	called += status == cudaSuccess ? *(int *)data : -1000;
}
static void CUDART_CB on_host(void *data) { called += *(int *)data; }

static bool boxes()
{
	static float host[DEPTH][HEIGHT][WIDTH], back[DEPTH][HEIGHT][WIDTH];
	cudaExtent extent = make_cudaExtent(WIDTH * sizeof(float), HEIGHT, DEPTH);
	cudaMemcpy3DParms copy = {};
	cudaPitchedPtr box;
	float two = 2;
	bool good = true;

	for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
		host[0][0][i] = (float)i;
	CHECK(cudaMalloc3D(&box, extent));
	CHECK(cudaMemset3D(box, 0, extent));
	CHECK(cudaMemcpyToSymbolAsync(scale, &two, sizeof two, 0, cudaMemcpyHostToDevice));
	copy.srcPtr = make_cudaPitchedPtr(host, WIDTH * sizeof(float), WIDTH, HEIGHT);
	copy.dstPtr = box;
	copy.extent = extent;
	copy.kind = cudaMemcpyHostToDevice;
	CHECK(cudaMemcpy3D(&copy));
	multiply<<<dim3(HEIGHT, DEPTH), WIDTH>>>(box);
	copy.srcPtr = box;
	copy.dstPtr = make_cudaPitchedPtr(back, WIDTH * sizeof(float), WIDTH, HEIGHT);
	copy.kind = cudaMemcpyDeviceToHost;
	CHECK(cudaMemcpy3DAsync(&copy));
	for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
		good &= back[0][0][i] == 2 * (float)i;
	copy.extent.depth = DEPTH + 100; /* past the end */
	good &= cudaMemcpy3D(&copy) == cudaErrorInvalidValue && cudaGetLastError() != cudaSuccess;
	CHECK(cudaFree(box.ptr));
	return good;
}

/* Whatever lies behind the array. */
static bool stays_inside(cudaArray_t array, void *host)
{
	cudaMemcpy3DParms copy = {};
	int *other[64];
	bool good = true;

	for (int **o = other; o < other + 64; o++)
		CHECK(cudaMalloc(o, 4096));
	copy.srcPtr = make_cudaPitchedPtr(host, WIDTH * sizeof(uchar4), WIDTH, HEIGHT);
	copy.dstArray = array;
	copy.extent = make_cudaExtent(WIDTH, 1, 1);
	copy.kind = cudaMemcpyHostToDevice;
	for (size_t row = HEIGHT; row < 20000; row++) {
		copy.dstPos.z = row;
		good &= cudaMemcpy3D(&copy) == cudaErrorInvalidValue &&
			cudaMemcpyToArray(array, 0, row, host, 4, copy.kind) == cudaErrorInvalidValue;
	}
	copy.dstPos.z = 0;
	copy.extent.width = (size_t)1 << 62;
	good &= cudaMemcpy3D(&copy) == cudaErrorInvalidValue;
	for (int **o = other; o < other + 64; o++)
		CHECK(cudaFree(*o));
	(void)cudaGetLastError();
	return good;
}

static bool arrays()
{
	static uchar4 host[HEIGHT][WIDTH], back[HEIGHT][WIDTH];
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>(), got;
	cudaExtent extent;
	cudaArray_t array, no;
	bool good = desc.w == 8 && desc.f == cudaChannelFormatKindUnsigned;

	for (int i = 0; i < HEIGHT * WIDTH; i++)
		host[0][i] = make_uchar4(i, i / 2, i / 3, 9);
	CHECK(cudaMallocArray(&array, &desc, WIDTH, HEIGHT));
	CHECK(cudaMemcpy2DToArray(array, 0, 0, host, sizeof host[0], sizeof host[0], HEIGHT,
				  cudaMemcpyHostToDevice));
	CHECK(cudaMemcpyFromArray(back, array, 0, 0, sizeof back, cudaMemcpyDeviceToHost));
	for (int i = 0; i < HEIGHT * WIDTH; i++)
		good &= back[0][i].x == (unsigned char)i && back[0][i].z == (unsigned char)(i / 3);
	CHECK(cudaArrayGetInfo(&got, &extent, NULL, array));
	good &= got.x == 8 && extent.width == WIDTH && extent.height == HEIGHT;
	good &= cudaMemcpy2DToArray(array, 4, 0, host, sizeof host[0], sizeof host[0], HEIGHT,
				    cudaMemcpyHostToDevice) == cudaErrorInvalidValue;
	good &= stays_inside(array, host);
	CHECK(cudaFreeArray(array));
	desc.x = 7;
	good &= cudaMallocArray(&no, &desc, 4) == cudaErrorInvalidChannelDescriptor && !no;
	(void)cudaGetLastError();
	return good;
}

static bool pointers()
{
	cudaPointerAttributes a;
	int *device, *host, *both, here;
	unsigned flags;
	bool good;

	CHECK(cudaMallocAsync(&device, 64, 0));
	CHECK(cudaMallocHost(&host, 64));
	CHECK(cudaMallocManaged(&both, 64));
	CHECK(cudaMemAdvise(both, 64, cudaMemAdviseSetReadMostly, 0));
	CHECK(cudaPointerGetAttributes(&a, device + 3));
	good = a.type == cudaMemoryTypeDevice && a.device == 0 && !a.hostPointer;
	CHECK(cudaPointerGetAttributes(&a, host));
	good &= a.type == cudaMemoryTypeHost;
	CHECK(cudaPointerGetAttributes(&a, both));
	good &= a.type == cudaMemoryTypeManaged;
	CHECK(cudaPointerGetAttributes(&a, &here));
	good &= a.type == cudaMemoryTypeUnregistered;
	CHECK(cudaHostGetFlags(&flags, host));
	good &= cudaHostGetFlags(&flags, device) == cudaErrorInvalidValue;
	CHECK(cudaFreeAsync(device, 0));
	CHECK(cudaFreeHost(host));
	CHECK(cudaFree(both));
	(void)cudaGetLastError();
	return good;
}

static bool pools()
{
	unsigned long long kept = ~0ull, got = 0;
	cudaMemPool_t pool;
	cudaLaunchConfig_t config = {};
	cuFloatComplex one = make_cuComplex(1, 0), *z;

	CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
	CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
	CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got));
	CHECK(cudaMallocFromPoolAsync(&z, sizeof *z, pool, 0));
	CHECK(cudaMemcpyAsync(z, &one, sizeof *z, cudaMemcpyHostToDevice));
	config.gridDim = dim3(1);
	config.blockDim = dim3(32);
	CHECK(cudaLaunchKernelEx(&config, turn, z, 1));
	CHECK(cudaMemcpy(&one, z, sizeof one, cudaMemcpyDeviceToHost));
	CHECK(cudaFreeAsync(z, 0));
	return got == kept && fabs(one.x) < 1e-6 && fabs(one.y - 1) < 1e-6;
}

/* What has no meaning here has its usual answers. */
static bool answers()
{
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
	cudaMemAccessDesc access = {};
	cudaMemAccessFlags may;
	cudaIpcMemHandle_t handle;
	cudaMemPool_t pool;
	cudaArray_t a, b;
	int host[12], back[12] = {}, *managed, preferred = 0, width, blocks, grid, block;
	size_t room, limit;
	bool good;

	for (int i = 0; i < 12; i++)
		host[i] = i;
	CHECK(cudaMallocArray(&a, &desc, 4, 3));
	CHECK(cudaMallocArray(&b, &desc, 4, 3));
	CHECK(cudaMemcpyToArray(a, 0, 0, host, sizeof host, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpyArrayToArray(b, 0, 0, a, 0, 0, sizeof host));
	CHECK(cudaMemcpy2DArrayToArray(b, 0, 1, a, 8, 0, 8, 2));
	CHECK(cudaMemcpy2DFromArrayAsync(back, 16, b, 0, 0, 16, 3, cudaMemcpyDeviceToHost));
	good = back[3] == 3 && back[4] == 2 && back[5] == 3 && back[6] == 6 && back[9] == 7;
	good &= cudaMemcpy2DArrayToArray(b, 0, 1, a, 8, 0, 12, 2) == cudaErrorInvalidValue;
	CHECK(cudaFreeArray(a));
	CHECK(cudaFreeArray(b));

	CHECK(cudaMallocManaged(&managed, 64));
	CHECK(cudaMemRangeGetAttribute(&preferred, sizeof preferred,
				       cudaMemRangeAttributePreferredLocation, managed, 64));
	good &= preferred == cudaInvalidDeviceId;
	good &= cudaIpcGetMemHandle(&handle, managed) == cudaErrorNotSupported;
	CHECK(cudaFree(managed));
	CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
	access.location.type = cudaMemLocationTypeDevice;
	access.flags = cudaMemAccessFlagsProtReadWrite;
	CHECK(cudaMemPoolSetAccess(pool, &access, 1));
	CHECK(cudaMemPoolGetAccess(&may, pool, &access.location));
	good &= may == cudaMemAccessFlagsProtReadWrite;
	CHECK(cudaThreadGetLimit(&limit, cudaLimitStackSize));
	CHECK(cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture2DWidth, 0));
	CHECK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, multiply, 0, 256, 0));
	CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, multiply, block, 0));
	CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, multiply, blocks, block));
	good &= width >= 65536 && block <= 256 && room % 128 == 0 && room > 0 && limit > 0;
	(void)cudaGetLastError();
	return good;
}

static bool device()
{
	cudaDeviceProp p;
	cudaFuncAttributes a;
	int value, can, least, greatest, one = 1, ten = 10, number = -1;
	size_t limit;
	char bus[32];
	cudaStream_t s;
	bool good;

	CHECK(cudaGetDeviceProperties(&p, 0));
	CHECK(cudaChooseDevice(&number, &p));
	CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
	good = number == 0 && value == p.multiProcessorCount && p.warpSize == 32;
	CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeMode, 0));
	good &= value == cudaComputeModeDefault;
	good &= cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0) == cudaErrorInvalidValue;
	CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 12345));
	CHECK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
	good &= limit == 12345;
	CHECK(cudaDeviceCanAccessPeer(&can, 0, 0));
	good &= can == 0 && cudaDeviceCanAccessPeer(&can, 0, 1) == cudaErrorInvalidDevice;
	CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
	CHECK(cudaDeviceGetByPCIBusId(&number, bus));
	CHECK(cudaFuncGetAttributes(&a, multiply));
	good &= a.maxThreadsPerBlock == p.maxThreadsPerBlock;
	CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
	CHECK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest));
	CHECK(cudaStreamAddCallback(s, on_stream, &one, 0));
	CHECK(cudaLaunchHostFunc(s, on_host, &ten));
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaProfilerStart());
	CHECK(cudaProfilerStop());
	(void)cudaGetLastError();
	return good && called == 11;
}

int main()
{
	const int n = 100;
	cuFloatComplex host[n], *z;
	int counts[3];
	size_t bytes;
	bool good = true;

	good &= boxes();
	good &= arrays();
	good &= pointers();
	good &= device();
	good &= pools();
	good &= answers();
	CHECK(cudaMemcpyFromSymbolAsync(counts, counter, sizeof counts, 0, cudaMemcpyDeviceToHost));
	CHECK(cudaGetSymbolSize(&bytes, counter));
	good &= counts[1] == HEIGHT * DEPTH && bytes == sizeof counts;
	for (int i = 0; i < n; i++)
		host[i] = make_cuComplex((float)i, 1);
	CHECK(cudaMalloc(&z, sizeof host));
	CHECK(cudaMemcpy(z, host, sizeof host, cudaMemcpyHostToDevice));
	turn<<<1, 128>>>(z, n);
	CHECK(cudaMemcpy(host, z, sizeof host, cudaMemcpyDefault));
	for (int i = 0; i < n; i++)
		good &= fabs(host[i].x + 1) < 1e-4 && fabs(host[i].y - i) < 1e-4;
	good &= omp_get_max_threads() >= 1;
	CHECK(cudaFree(z));
	return passed(good);
}
