/* SPDX-License-Identifier: GPL-3.0-or-later
 * older.cu -- launches said step by step, as up to CUDA 9; kernels' names; objects that graphs hold.
 */
#include "common.h"

struct triple { int a, b, c; };

__global__ void mix(int *out, char kind, triple t, double add)
{
	extern __shared__ int room[];
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	room[threadIdx.x] = i;
	__syncthreads();
	out[i] = room[threadIdx.x] * t.b + (int)add + (kind == 'k');
}

static bool by_steps(int *x)
{
	const triple t = { 1, 2, 3 };
	int out[64];

	CHECK(cudaConfigureCall(dim3(4), dim3(16), 64, 0));
	CHECK(cudaSetupArgument(x, 0));
	CHECK(cudaSetupArgument('k', 8));
	CHECK(cudaSetupArgument(&t, sizeof t, 12));
	CHECK(cudaSetupArgument(5.5, 24));
	CHECK(cudaLaunch(mix));
	CHECK(cudaMemcpy(out, x, sizeof out, cudaMemcpyDeviceToHost));
	for (int i = 0; i < 64; i++)
		REQUIRE(out[i] == 2 * i + 6);
	REQUIRE(cudaLaunch(mix) == cudaErrorMissingConfiguration);
	CHECK(cudaConfigureCall(dim3(4), dim3(16)));
	CHECK(cudaSetupArgument(x, 0));
	REQUIRE(cudaLaunch(mix) == cudaErrorInvalidValue);
	REQUIRE(cudaSetupArgument(x, 4090) == cudaErrorInvalidValue);
	(void)cudaGetLastError();
	return true;
}

static bool names(int *x)
{
	const char *name = "";
	cudaFunction_t f;
	char kind = 'k';
	triple t = { 0, 1, 0 };
	double add = 0;
	void *arguments[] = { &x, &kind, &t, &add };
	int out[16];

	CHECK(cudaFuncGetName(&name, mix));
	REQUIRE(strcmp(name, "_Z3mixPic6tripled") == 0);
	CHECK(cudaGetFuncBySymbol(&f, mix));
	CHECK(cudaLaunchKernel((const void *)f, 1, 16, arguments, 64, 0));
	CHECK(cudaMemcpy(out, x, sizeof out, cudaMemcpyDeviceToHost));
	REQUIRE(out[3] == 4);
	return true;
}

static void add_one(void *n)
{
	++*(int *)n;
}

static bool held()
{
	int gone = 0;
	cudaUserObject_t object;
	cudaGraph_t graph, copy;

	CHECK(cudaUserObjectCreate(&object, &gone, add_one, 2, cudaUserObjectNoDestructorSync));
	CHECK(cudaGraphCreate(&graph, 0));
	CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
	CHECK(cudaGraphRetainUserObject(graph, object, 2));
	CHECK(cudaGraphClone(&copy, graph));
	CHECK(cudaGraphReleaseUserObject(copy, object, 2));
	REQUIRE(cudaGraphReleaseUserObject(copy, object, 2) == cudaErrorInvalidValue);
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaUserObjectRelease(object));
	REQUIRE(gone == 0);
	CHECK(cudaGraphDestroy(copy));
	REQUIRE(gone == 1);
	(void)cudaGetLastError();
	return true;
}

int main()
{
	int *x;

	CHECK(cudaMalloc(&x, 64 * sizeof *x));
	return passed(by_steps(x) && names(x) && held());
}
