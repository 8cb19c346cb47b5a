/* SPDX-License-Identifier: GPL-3.0-or-later
 * b-kernels.cu -- kernels of the shapes that samples have, untraced: processor time of a second launch, a JSON
 * line each.
 */
#include <cstring>
#include <ctime>
#include <mma.h>
#include "apps/common.h"

#define N (1 << 18)

__global__ void sort(unsigned *d)
{
	__shared__ unsigned s[1024];
	unsigned t = threadIdx.x;

	s[t] = d[blockIdx.x * 1024 + t];
	s[t + 512] = d[blockIdx.x * 1024 + t + 512];
	for (unsigned size = 2; size <= 1024; size <<= 1) {
		for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
			__syncthreads();
			unsigned pos = 2 * t - (t & (stride - 1)), a = s[pos], b = s[pos + stride];

			if ((a > b) == ((t & (size / 2)) == 0)) {
				s[pos] = b;
				s[pos + stride] = a;
			}
		}
	}
	__syncthreads();
	d[blockIdx.x * 1024 + t] = s[t];
	d[blockIdx.x * 1024 + t + 512] = s[t + 512];
}

__global__ void scan(unsigned *d)
{
	__shared__ volatile unsigned s[512];
	unsigned t = threadIdx.x, v;

	s[t] = 0;
	s[t + 256] = d[blockIdx.x * 256 + t];
	for (unsigned k = 1; k < 256; k <<= 1) {
		__syncthreads();
		v = s[t + 256] + s[t + 256 - k];
		__syncthreads();
		s[t + 256] = v;
	}
	d[blockIdx.x * 256 + t] = s[t + 256];
}

__global__ void sum(const unsigned *d, unsigned *out)
{
	unsigned v = d[blockIdx.x * blockDim.x + threadIdx.x];

	for (int k = 16; k; k /= 2)
		v += __shfl_down_sync(0xffffffffu, v, k);
	if (threadIdx.x % 32 == 0)
		atomicAdd(out, v);
}

/* Without a barrier, through memory. */
__global__ void jump(unsigned *d)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, warp = i / 32 * 32;

	for (int k = 0; k < 8; k++)
		d[i] = warp + d[warp + d[i] % 32] % 32;
}

__global__ void fetch(cudaTextureObject_t image, float *out)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	float v = 0;

	for (int k = -8; k <= 8; k++)
		v += tex2D<float>(image, (x % 512 + k + 0.3f) / 512, (x / 512 + 0.7f) / 512) * k;
	out[x] = v;
}

__global__ void product(const half *a, const half *b, float *c, int n)
{
	using namespace nvcuda::wmma;
	fragment<matrix_a, 16, 16, 16, half, row_major> x;
	fragment<matrix_b, 16, 16, 16, half, col_major> y;
	fragment<accumulator, 16, 16, 16, float> z;

	fill_fragment(z, 0.0f);
	for (int k = 0; k < n; k += 16) {
		load_matrix_sync(x, a + blockIdx.y * 16 * n + k, n);
		load_matrix_sync(y, b + blockIdx.x * 16 * n + k, n);
		mma_sync(z, x, y, z);
	}
	store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, z, n, mem_row_major);
}

template <class Launch> static void bench(const char *name, Launch launch)
{
	clock_t begun;

	launch();
	begun = clock();
	launch();
	CHECK(cudaDeviceSynchronize());
	printf("{\"bench\":\"cuda/%s\",\"seconds\":%.6f}\n", name, (double)(clock() - begun) / CLOCKS_PER_SEC);
}

static cudaTextureObject_t image_of(float *data)
{
	cudaResourceDesc resource;
	cudaTextureDesc how;
	cudaTextureObject_t image;

	memset(&resource, 0, sizeof resource);
	memset(&how, 0, sizeof how);
	resource.resType = cudaResourceTypePitch2D;
	resource.res.pitch2D.devPtr = data;
	resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
	resource.res.pitch2D.width = resource.res.pitch2D.height = 512;
	resource.res.pitch2D.pitchInBytes = 512 * sizeof(float);
	how.addressMode[0] = how.addressMode[1] = cudaAddressModeMirror;
	how.filterMode = cudaFilterModeLinear;
	how.normalizedCoords = 1;
	CHECK(cudaCreateTextureObject(&image, &resource, &how, NULL));
	return image;
}

int main()
{
	unsigned *d, *out;
	cudaTextureObject_t image;

	CHECK(cudaMalloc(&d, N * sizeof *d));
	CHECK(cudaMalloc(&out, N * sizeof *out));
	CHECK(cudaMemset(d, 0x35, N * sizeof *d));
	image = image_of((float *)d);
	bench("bitonic-sort", [=] { sort<<<64, 512>>>(d); });
	bench("scan-volatile", [=] { scan<<<N / 256, 256>>>(d); });
	bench("shuffle-sum", [=] { sum<<<N / 256, 256>>>(d, out); });
	bench("warp-through-memory", [=] { jump<<<N / 256, 256>>>(d); });
	bench("texture-linear", [=] { fetch<<<N / 2048, 256>>>(image, (float *)out); });
	bench("wmma-256", [=] { product<<<dim3(16, 16), 32>>>((half *)d, (half *)d, (float *)out, 256); });
	return 0;
}
