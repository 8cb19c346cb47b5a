/* SPDX-License-Identifier: GPL-3.0-or-later
 * linked_host.cpp -- PTX that is read as a text, modules that the driver links, a launch step by step, calls that are asked
 * for by their names, libraries of kernels.
 */
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#define WANT(call, error) \
	do { \
		int got_ = (int)(call); \
		if (got_ != (int)(error)) { \
			printf("line %d: %d\n", __LINE__, got_); \
			return false; \
		} \
	} while (0)
#define CHECK(call) WANT(call, 0)

static std::string text_of(const char *path)
{
	std::ifstream file(path);
	std::stringstream all;

	all << file.rdbuf();
	return all.str().c_str(); /* as far as its first zero byte */
}

/* Device code that the program compiles itself, as a text. */
static std::string compiled(const char *source)
{
	nvrtcProgram p;
	size_t bytes = 0;
	std::string out;

	if (nvrtcCreateProgram(&p, source, "weight.cu", 0, nullptr, nullptr) ||
	    nvrtcCompileProgram(p, 0, nullptr) || nvrtcGetPTXSize(p, &bytes))
		return "";
	char *text = new char[bytes];
	if (nvrtcGetPTX(p, text) == NVRTC_SUCCESS && strlen(text) + 1 == bytes)
		out = text;
	delete[] text;
	nvrtcDestroyProgram(&p);
	return out;
}

static const char weight_source[] = "__device__ int weight(int i) { return 3 * i + 1; }\n";

static bool link(CUlinkState state, std::string one, std::string two)
{
	CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, &one[0], one.size() + 1, "one", 0, nullptr, nullptr));
	CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, &two[0], two.size() + 1, "two", 0, nullptr, nullptr));
	CHECK(cuLinkAddFile(state, CU_JIT_INPUT_LIBRARY, "lib/libcudadevrt.a", 0, nullptr, nullptr));
	return true;
}

static bool linked(CUmodule *module, const std::string &kernels)
{
	const std::string weight = compiled(weight_source);
	char log[300] = "none", info[300] = "none";
	CUjit_option option[] = { CU_JIT_WALL_TIME, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
				  CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES };
	void *value[] = { nullptr, log, (void *)sizeof log, info, (void *)sizeof info };
	CUlinkState state;
	void *image;
	size_t bytes;
	float ms = -1;

	CHECK(cuLinkCreate(5, option, value, &state));
	WANT(cuLinkComplete(state, &image, &bytes), CUDA_ERROR_INVALID_VALUE);
	if (*log || *info || !link(state, kernels, weight))
		return false;
	CHECK(cuLinkComplete(state, &image, &bytes));
	CHECK(cuModuleLoadData(module, image));
	memcpy(&ms, &value[0], sizeof ms);
	WANT(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)".version 7.0", 13, "other", 0, nullptr, nullptr),
	     CUDA_ERROR_INVALID_IMAGE);
	if (strncmp(log, "other cannot be linked", 22) != 0 || !(ms >= 0) || !bytes)
		return false;
	CHECK(cuLinkDestroy(state));
	/* The same function twice. */
	CHECK(cuLinkCreate(0, nullptr, nullptr, &state));
	if (!link(state, weight, weight))
		return false;
	WANT(cuLinkComplete(state, &image, &bytes), CUDA_ERROR_INVALID_IMAGE);
	CHECK(cuLinkDestroy(state));
	return true;
}

static bool right(CUdeviceptr x, int n, int factor)
{
	int out[64];

	CHECK(cuMemcpyDtoH(out, x, sizeof out));
	for (int i = 0; i < n; i++) {
		if (out[i] != (3 * i + 1) * factor + 1000)
			return printf("out[%d] = %d\n", i, out[i]) < 0;
	}
	CHECK(cuMemsetD32(x, 0, 64));
	return true;
}

/* Sizes, each argument at its offset, then the launch. */
static bool by_steps(CUfunction f, CUdeviceptr x)
{
	CHECK(cuFuncSetBlockShape(f, 16, 1, 1));
	CHECK(cuFuncSetSharedSize(f, 64));
	CHECK(cuParamSetv(f, 0, &x, sizeof x));
	CHECK(cuParamSetv(f, 8, (void *)"s", 1));
	CHECK(cuParamSeti(f, 12, 60));
	CHECK(cuParamSetf(f, 16, 2));
	CHECK(cuParamSetSize(f, 20));
	CHECK(cuLaunchGrid(f, 2, 2));
	if (!right(x, 60, 2))
		return false;
	CHECK(cuParamSetSize(f, 16));
	WANT(cuLaunchGrid(f, 2, 2), CUDA_ERROR_INVALID_VALUE);
	WANT(cuParamSetv(f, 4090, &x, sizeof x), CUDA_ERROR_INVALID_VALUE);
	WANT(cuFuncSetBlockShape((CUfunction)&x, 1, 1, 1), CUDA_ERROR_INVALID_HANDLE);
	return true;
}

static bool by_name(CUfunction f, CUdeviceptr x)
{
	decltype(&cuLaunchKernel) launch;
	decltype(&cuMemAlloc) allocate;
	CUdriverProcAddressQueryResult found;
	cudaDriverEntryPointQueryResult status;
	CUdeviceptr more;
	char skip = 's';
	int n = 64;
	float factor = 3;
	void *arguments[] = { &x, &skip, &n, &factor };

	CHECK(cuGetProcAddress("cuLaunchKernel", (void **)&launch, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
	CHECK(cudaGetDriverEntryPoint("cuMemAlloc_v2", (void **)&allocate, cudaEnableDefault, &status));
	CHECK(launch(f, 4, 1, 1, 16, 1, 1, 64, nullptr, arguments, nullptr));
	CHECK(allocate(&more, 64));
	CHECK(cuMemFree(more));
	if (found != CU_GET_PROC_ADDRESS_SUCCESS || status != cudaDriverEntryPointSuccess)
		return false;
	WANT(cuGetProcAddress("cuNoSuchCall", (void **)&launch, 12000, 0, &found), CUDA_ERROR_NOT_FOUND);
	WANT(cudaGetDriverEntryPoint("cuNoSuchCall", (void **)&launch, 0), cudaErrorSymbolNotFound);
	return right(x, n, 3);
}

static bool libraries(CUdeviceptr x, const char *image)
{
	cudaLibrary_t library;
	cudaKernel_t kernel;
	CUlibrary same;
	CUkernel other;
	CUfunction f;
	int *p;
	size_t bytes;
	void *arguments[] = { &x };

	CHECK(cudaLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
	CHECK(cudaLibraryGetKernel(&kernel, library, "put"));
	CHECK(cudaLibraryGetGlobal((void **)&p, &bytes, library, "seven"));
	CHECK(cudaLaunchKernel((const void *)kernel, 1, 8, arguments, 0, 0));
	CHECK(cuLibraryLoadData(&same, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
	CHECK(cuLibraryGetKernel(&other, same, "put"));
	CHECK(cuKernelGetFunction(&f, other));
	CHECK(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
	WANT(cudaLibraryGetKernel(&kernel, library, "none"), cudaErrorSymbolNotFound);
	(void)cudaGetLastError();
	CHECK(cudaLibraryUnload(library));
	CHECK(cuLibraryUnload(same));
	int out[8];
	CHECK(cuMemcpyDtoH(out, x, sizeof out));
	return bytes == 4 && out[0] == 14 && out[3] == 14 && out[4] == 7 && out[7] == 7;
}

int main()
{
	const std::string kernels = text_of("linked_kernels.ptx");
	CUcontext context;
	CUdevice device;
	CUmodule module;
	CUfunction f;
	CUdeviceptr x;

	if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate(&context, 0, device) || cuMemAlloc(&x, 256) ||
	    cuMemsetD32(x, 0, 64) || !linked(&module, kernels) || cuModuleGetFunction(&f, module, "weigh") ||
	    !by_steps(f, x) || !by_name(f, x) ||
	    !libraries(x, compiled("__device__ int seven = 7;\nextern \"C\" __global__ void put(int *x)\n"
				   "{ x[threadIdx.x] += seven; }\n").c_str()))
		return puts("FAILED"), 1;
	puts("PASSED");
	return 0;
}
