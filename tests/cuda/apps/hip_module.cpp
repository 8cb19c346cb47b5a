/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program of HIP that loads a module, itself compiled by hipcc --genco, launches it by a graph, too, and asks for
 * its device.
 */
#include <hip/hip_bf16.h>
#include <hip/hip_complex.h>
#include <hip/hip_runtime.h>
#include <cstdio>

#define CHECK(call) \
	do { \
		hipError_t error_ = (call); \
		if (error_ != hipSuccess) { \
			fprintf(stderr, "%d: %s\n", __LINE__, hipGetErrorString(error_)); \
			return 1; \
		} \
	} while (0)

__device__ int step = 2;

extern "C" __global__ void turn(hipFloatComplex *x, int n, float scale)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		x[i] = hipCmulf(x[i], make_hipFloatComplex(0, scale * step * __bfloat162float(__hip_bfloat16(1.0f))));
}

int main(int, char **argv)
{
	const int n = 100;
	hipModule_t module;
	hipFunction_t f;
	hipDeviceptr_t x, global;
	hipStream_t stream;
	hipGraph_t graph;
	hipGraphExec_t exec;
	hipEvent_t from, to;
	hipFloatComplex host[n];
	size_t bytes, all;
	char name[64];
	int three = 3, count = n;
	float scale = 1, ms = -1;
	void *arguments[] = { &x, &count, &scale };

	CHECK(hipInit(0));
	CHECK(hipDeviceGetName(name, sizeof name, 0));
	CHECK(hipDeviceTotalMem(&all, 0));
	CHECK(hipModuleLoad(&module, argv[1]));
	CHECK(hipModuleGetFunction(&f, module, "turn"));
	CHECK(hipModuleGetGlobal(&global, &bytes, module, "step"));
	CHECK(hipMemcpyHtoD(global, &three, bytes));
	for (int i = 0; i < n; i++)
		host[i] = make_hipFloatComplex((float)i, 1);
	CHECK(hipExtMallocWithFlags(&x, sizeof host, hipDeviceMallocFinegrained));
	CHECK(hipMemcpyHtoD(x, host, sizeof host));
	CHECK(hipStreamCreate(&stream));
	CHECK(hipEventCreate(&from));
	CHECK(hipEventCreate(&to));
	/* Four times: by the module, twice by a graph of it, by its own. */
	CHECK(hipModuleLaunchKernel(f, 2, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
	CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
	CHECK(hipModuleLaunchKernel(f, 2, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
	CHECK(hipStreamEndCapture(stream, &graph));
	CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
	CHECK(hipGraphLaunch(exec, stream));
	CHECK(hipGraphLaunch(exec, stream));
	hipExtLaunchKernelGGL(turn, dim3(2), dim3(64), 0, stream, from, to, 0, (hipFloatComplex *)x, n, scale);
	CHECK(hipEventElapsedTime(&ms, from, to));
	CHECK(hipMemcpyWithStream(host, x, sizeof host, hipMemcpyDeviceToHost, stream));
	for (int i = 0; i < n; i++) {
		/* i to the fourth is 1; the program's own step is 2 */
		if (hipCrealf(host[i]) != 54.0f * (float)i || hipCimagf(host[i]) != 54)
			return printf("%d: %g %g\n", i, hipCrealf(host[i]), hipCimagf(host[i]));
	}
	CHECK(hipModuleUnload(module));
	puts(ms >= 0 && all > 0 && name[0] && bytes == 4 ? "PASSED" : "FAILED");
	return 0;
}
