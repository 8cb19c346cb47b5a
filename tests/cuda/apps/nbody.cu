/* SPDX-License-Identifier: GPL-3.0-or-later
 * nbody.cu -- all pairs of bodies, tiles of them in shared memory as float4, rsqrtf, streams.
 */
#include "common.h"
#include <cmath>
#include <vector>

__device__ float3 attract(float4 a, float4 b, float3 sum)
{
	float3 d = make_float3(b.x - a.x, b.y - a.y, b.z - a.z);
	float r = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f), s = b.w * r * r * r;

	sum.x += d.x * s;
	sum.y += d.y * s;
	sum.z += d.z * s;
	return sum;
}

__global__ void forces(const float4 *body, float3 *force, int n)
{
	extern __shared__ float4 tile[];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 mine = body[i];
	float3 sum = { 0, 0, 0 };

	for (int t = 0; t < n; t += blockDim.x) {
		tile[threadIdx.x] = body[t + threadIdx.x];
		__syncthreads();
		for (int k = 0; k < blockDim.x; k++)
			sum = attract(mine, tile[k], sum);
		__syncthreads();
	}
	force[i] = sum;
}

int main()
{
	const int n = 256;
	std::vector<float4> body(n);
	std::vector<float3> got(n);
	float4 *d_body;
	float3 *d_force;
	cudaStream_t stream;
	unsigned seed = 4;
	double worst = 0;

	for (auto &b : body)
		b = make_float4(next(&seed) % 100 / 10.0f, next(&seed) % 100 / 10.0f,
				next(&seed) % 100 / 10.0f, 1 + next(&seed) % 3);
	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaMalloc(&d_body, n * sizeof(float4)));
	CHECK(cudaMalloc(&d_force, n * sizeof(float3)));
	CHECK(cudaMemcpyAsync(d_body, body.data(), n * sizeof(float4), cudaMemcpyHostToDevice,
			      stream));
	forces<<<n / 64, 64, 64 * sizeof(float4), stream>>>(d_body, d_force, n);
	CHECK(cudaMemcpyAsync(got.data(), d_force, n * sizeof(float3), cudaMemcpyDeviceToHost,
			      stream));
	CHECK(cudaStreamSynchronize(stream));
	for (int i = 0; i < n; i++) {
		double x = 0;

		for (int k = 0; k < n; k++) {
			double dx = body[k].x - body[i].x, dy = body[k].y - body[i].y,
			       dz = body[k].z - body[i].z;

			x += body[k].w * dx / pow(dx * dx + dy * dy + dz * dz + 0.01, 1.5);
		}
		worst = fmax(worst, fabs(x - got[i].x) / (fabs(x) + 1));
	}
	CHECK(cudaStreamDestroy(stream));
	return passed(worst < 1e-4);
}
