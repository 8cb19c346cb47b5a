/* SPDX-License-Identifier: GPL-3.0-or-later
 * driver_host.cpp -- a program of the driver's calls alone, compiled by the host's compiler.
 */
#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#define WANT(call, error) \
	do { \
		CUresult got_ = (call); \
		const char *name_ = "?"; \
		if (got_ != (error)) { \
			cuGetErrorName(got_, &name_); \
			printf("line %d: %s\n", __LINE__, name_); \
			return 1; \
		} \
	} while (0)
#define CHECK(call) WANT(call, CUDA_SUCCESS)

struct triple { int a, b, c; };

static int scale(CUfunction f, CUdeviceptr x, int n, float factor)
{
	char skip = 'n';
	triple t = { 1, 2, 3 };
	double add = 0.5;
	void *arguments[] = { &x, &skip, &n, &t, &add };
	char packed[64] = { 0 };
	size_t bytes = 40;
	void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, packed, CU_LAUNCH_PARAM_BUFFER_SIZE,
			  &bytes, CU_LAUNCH_PARAM_END };
	std::vector<float> host((size_t)n);

	for (int i = 0; i < n; i++)
		host[(size_t)i] = (float)i;
	CHECK(cuMemcpyHtoD(x, host.data(), host.size() * sizeof(float)));
	CHECK(cuLaunchKernel(f, (unsigned)(n + 63) / 64, 1, 1, 64, 1, 1, 0, nullptr, arguments,
			     nullptr));
	memcpy(packed, &x, 8);
	packed[8] = 'n';
	memcpy(packed + 12, &n, 4);
	memcpy(packed + 16, &t, 12);
	memcpy(packed + 32, &add, 8);
	CHECK(cuLaunchKernel(f, (unsigned)(n + 63) / 64, 1, 1, 64, 1, 1, 0, nullptr, nullptr,
			     extra));
	bytes = 39;
	WANT(cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra),
	     CUDA_ERROR_INVALID_VALUE);
	CHECK(cuCtxSynchronize());
	CHECK(cuMemcpyDtoH(host.data(), x, host.size() * sizeof(float)));
	for (int i = 0; i < n; i++) {
		float once = (float)i * factor + 321.5f;

		if (host[(size_t)i] != once * factor + 321.5f) {
			printf("x[%d] = %g\n", i, (double)host[(size_t)i]);
			return 1;
		}
	}
	return 0;
}

static int fill(CUmodule module, CUdeviceptr x)
{
	CUfunction f;
	CUdeviceptr begun;
	size_t bytes;
	int v = 40, out[8], changed = 9;
	void *arguments[] = { &x, &v };

	CHECK(cuModuleGetFunction(&f, module, "_Z4fillIiEvPT_S0_"));
	CHECK(cuModuleGetGlobal(&begun, &bytes, module, "begun"));
	if (bytes != 16)
		return 1;
	CHECK(cuMemcpyHtoD(begun + 4, &changed, 4));
	CHECK(cuLaunchKernel(f, 1, 1, 1, 8, 1, 1, 32, nullptr, arguments, nullptr));
	CHECK(cuMemcpyDtoH(out, x, sizeof out));
	for (int i = 0; i < 8; i++) {
		if (out[i] != 40 + (i % 4 == 1 ? 9 : 5 + i % 4))
			return 1;
	}
	CHECK(cuMemsetD32(x, 0x01020304u, 8));
	CHECK(cuMemcpyDtoH(out, x, sizeof out));
	return out[7] != 0x01020304;
}

static int errors(CUmodule module, CUdeviceptr x)
{
	CUfunction f;
	CUmodule other;
	CUdeviceptr p;
	size_t bytes;
	int v;
	const char *text;

	WANT(cuModuleLoad(&other, "no-such.cubin"), CUDA_ERROR_FILE_NOT_FOUND);
	WANT(cuModuleLoadData(&other, "nonsense"), CUDA_ERROR_INVALID_IMAGE);
	WANT(cuModuleGetFunction(&f, module, "no_such"), CUDA_ERROR_NOT_FOUND);
	WANT(cuModuleGetGlobal(&p, &bytes, module, "no_such"), CUDA_ERROR_NOT_FOUND);
	WANT(cuMemFree(x + 4), CUDA_ERROR_INVALID_VALUE);
	WANT(cuMemcpyDtoH(&v, 4096, 4), CUDA_ERROR_INVALID_VALUE);
	WANT(cuDeviceGet(&v, 7), CUDA_ERROR_INVALID_DEVICE);
	CHECK(cuGetErrorString(CUDA_ERROR_NOT_FOUND, &text));
	return strcmp(text, "named symbol not found") != 0;
}

/* Device code that the program compiles itself: a template, a header beside it, an option. */
static const char twice_source[] = "#include \"inc/twice.h\"\n"
	"static __constant__ int more[2];\n"
	"template <class T, int N> __global__ void add(T *x)\n"
	"{ x[threadIdx.x] = twice(x[threadIdx.x]) + (T)(N * K) + more[1]; }\n";
static const char twice_header[] = "template <class T> __device__ T twice(T v) { return v + v; }";

static int run_compiled(nvrtcProgram p, const char *expression, CUdeviceptr x)
{
	CUmodule module;
	CUfunction f;
	CUdeviceptr more;
	const char *name;
	char *code;
	size_t bytes;
	int out[8];
	void *arguments[] = { &x };

	if (nvrtcGetLoweredName(p, expression, &name) || nvrtcGetCUBINSize(p, &bytes))
		return 1;
	code = new char[bytes];
	if (nvrtcGetCUBIN(p, code))
		return 1;
	CHECK(cuModuleLoadData(&module, code));
	delete[] code;
	CHECK(cuModuleGetFunction(&f, module, name));
	CHECK(cuModuleGetGlobal(&more, &bytes, module, "more"));
	CHECK(cuMemsetD32(more, 100, bytes / 4));
	CHECK(cuMemsetD32(x, 5, 8));
	CHECK(cuLaunchKernel(f, 1, 1, 1, 8, 1, 1, 0, nullptr, arguments, nullptr));
	CHECK(cuMemcpyDtoH(out, x, sizeof out));
	return out[7] != 10 + 3 * 4 + 100 || bytes != 8;
}

static int compiled(CUdeviceptr x)
{
	const char *names[] = { "inc/twice.h" }, *headers[] = { twice_header };
	const std::string k = "-DK=" + std::string(5000, '0') + "4"; /* octal */
	const char *options[] = { "--gpu-architecture=compute_70", k.c_str() };
	const char *expression = "add<int, 3>", *name;
	char log[500];
	nvrtcProgram p;
	size_t bytes;
	int bad;

	if (nvrtcCreateProgram(&p, twice_source, "twice.cu", 1, headers, names) ||
	    nvrtcAddNameExpression(p, expression) ||
	    nvrtcGetLoweredName(p, expression, &name) !=
		    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION ||
	    nvrtcCompileProgram(p, 1, options) != NVRTC_ERROR_COMPILATION ||
	    nvrtcGetProgramLogSize(p, &bytes) || bytes > sizeof log || nvrtcGetProgramLog(p, log) ||
	    strncmp(log, "twice.cu:4:52: error: use of undeclared identifier 'K'", 54) != 0)
		return 1;
	bad = nvrtcCompileProgram(p, 2, options) || nvrtcGetProgramLog(p, log) || *log ||
	      run_compiled(p, expression, x);
	return nvrtcDestroyProgram(&p) || p || bad;
}

/* A range of addresses whose second half gets memory later; a kernel goes over both. */
static int virtual_memory(CUfunction f)
{
	CUmemAllocationProp prop = {};
	CUmemGenericAllocationHandle memory[2];
	CUmemAccessDesc access = {};
	CUdeviceptr range;
	size_t each;
	int n;

	prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
	prop.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	CHECK(cuMemGetAllocationGranularity(&each, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	WANT(cuMemAddressReserve(&range, 0 - each, 0, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
	CHECK(cuMemAddressReserve(&range, 2 * each, 0, 0, 0));
	for (int i = 0; i < 2; i++) {
		CHECK(cuMemCreate(&memory[i], each, &prop, 0));
		CHECK(cuMemMap(range + i * each, each, 0, memory[i], 0));
		CHECK(cuMemSetAccess(range + i * each, each, &access, 1));
		CHECK(cuMemRelease(memory[i]));
		n = 100 * (i + 1); /* from the first half's end on into the second one */
		if (scale(f, range + (i ? each - 400 : 0), n, 3))
			return 1;
	}
	WANT(cuMemMap(range, each, 0, memory[0], 1), CUDA_ERROR_INVALID_VALUE);
	WANT(cuMemAddressFree(range, 2 * each), CUDA_ERROR_INVALID_VALUE);
	CHECK(cuMemUnmap(range, 2 * each));
	WANT(cuMemUnmap(range, 2 * each), CUDA_ERROR_INVALID_VALUE);
	CHECK(cuMemAddressFree(range, 2 * each));
	return 0;
}

/* Bytes in arrays, read as parts of one, and copies of a box. */
static int pictures(CUmodule module, CUdeviceptr x)
{
	enum { WIDTH = 24, HEIGHT = 5, PITCH = 40 };
	unsigned char host[HEIGHT * PITCH], back[HEIGHT][WIDTH];
	const CUDA_ARRAY_DESCRIPTOR bytes = { WIDTH, HEIGHT, CU_AD_FORMAT_UNSIGNED_INT8, 1 };
	const CUDA_ARRAY3D_DESCRIPTOR target = { WIDTH, HEIGHT, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1,
						 CUDA_ARRAY3D_SURFACE_LDST };
	CUDA_ARRAY_DESCRIPTOR got;
	CUDA_MEMCPY2D copy = {};
	CUDA_MEMCPY3D box = {};
	CUDA_RESOURCE_DESC resource = {};
	CUDA_TEXTURE_DESC how = {};
	CUarray from, to;
	CUtexObject texture;
	CUsurfObject surface;
	CUfunction f;
	float sums[HEIGHT] = { 0 };
	void *arguments[] = { &texture, &surface, &x };

	for (int i = 0; i < HEIGHT * PITCH; i++)
		host[i] = (unsigned char)(7 * i);
	CHECK(cuModuleGetFunction(&f, module, "turn"));
	CHECK(cuArrayCreate(&from, &bytes));
	CHECK(cuArray3DCreate(&to, &target));
	CHECK(cuArrayGetDescriptor(&got, to));
	copy.srcMemoryType = CU_MEMORYTYPE_HOST;
	copy.srcHost = host;
	copy.srcPitch = PITCH;
	copy.srcXInBytes = 3;
	copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
	copy.dstArray = from;
	copy.WidthInBytes = WIDTH;
	copy.Height = HEIGHT;
	CHECK(cuMemcpy2D(&copy));
	copy.dstY = 1;
	WANT(cuMemcpy2D(&copy), CUDA_ERROR_INVALID_VALUE);
	CHECK(cuMemcpyHtoD(x, sums, sizeof sums));
	resource.resType = CU_RESOURCE_TYPE_ARRAY;
	resource.res.array.hArray = from;
	how.flags = CU_TRSF_NORMALIZED_COORDINATES;
	CHECK(cuTexObjectCreate(&texture, &resource, &how, NULL));
	resource.res.array.hArray = to;
	CHECK(cuSurfObjectCreate(&surface, &resource));
	CHECK(cuLaunchKernel(f, HEIGHT, 1, 1, WIDTH, 1, 1, 0, nullptr, arguments, nullptr));
	box.srcMemoryType = CU_MEMORYTYPE_ARRAY;
	box.srcArray = to;
	box.dstMemoryType = CU_MEMORYTYPE_HOST;
	box.dstHost = back;
	box.dstPitch = WIDTH;
	box.WidthInBytes = WIDTH;
	box.Height = HEIGHT;
	box.Depth = 1;
	CHECK(cuMemcpy3D(&box));
	CHECK(cuMemcpyDtoH(sums, x, sizeof sums));
	for (int i = 0; i < HEIGHT; i++) {
		float sum = 0;

		for (int j = 0; j < WIDTH; j++) {
			sum += host[i * PITCH + 3 + j];
			if (back[HEIGHT - 1 - i][WIDTH - 1 - j] != host[i * PITCH + 3 + j])
				return printf("picture: row %d, column %d\n", i, j);
		}
		if (sums[i] < sum - 0.01f || sums[i] > sum + 0.01f)
			return printf("picture: the sum of row %d\n", i);
	}
	CHECK(cuTexObjectDestroy(texture));
	CHECK(cuSurfObjectDestroy(surface));
	CHECK(cuArrayDestroy(from));
	CHECK(cuArrayDestroy(to));
	return got.Width != WIDTH || got.NumChannels != 1 || got.Format != bytes.Format;
}

static void count(CUstream, CUresult status, void *n)
{
	*(int *)n += status == CUDA_SUCCESS;
}

/* Calls that are the runtime's under another name. */
static int others(CUfunction f)
{
	const int n = 64;
	CUmemPoolProps properties = {};
	CUmemoryPool pool;
	CUdeviceptr x, from_pool;
	CUstream stream;
	CUgraph graph;
	CUgraphExec exec;
	CUstreamCaptureStatus status;
	size_t pitch, limit;
	unsigned type = 0, managed = 1, flags;
	int least, greatest, priority, counted = 0, row[2][16];
	static float own[64];
	char skip = 'n';
	triple t = { 0, 0, 0 };
	double add = 0;

	CHECK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 20));
	CHECK(cuCtxGetLimit(&limit, CU_LIMIT_MALLOC_HEAP_SIZE));
	CHECK(cuCtxGetStreamPriorityRange(&least, &greatest));
	CHECK(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, greatest));
	CHECK(cuStreamGetPriority(stream, &priority));
	CHECK(cuStreamGetFlags(stream, &flags));
	if (limit < 1 << 20 || priority != greatest || flags != CU_STREAM_NON_BLOCKING)
		return printf("limits and priorities\n");
	/* The first four numbers of two rows. */
	CHECK(cuMemAllocPitch(&x, &pitch, sizeof row[0], 2, 4));
	CHECK(cuMemsetD2D8(x, pitch, 0, sizeof row[0], 2));
	CHECK(cuMemsetD2D32(x, pitch, 7, 4, 2));
	CHECK(cuMemsetD2D16Async(x + 4, pitch, 9, 2, 1, stream));
	for (unsigned i = 0; i < 2; i++)
		CHECK(cuMemcpyDtoH(row[i], x + i * pitch, sizeof row[i]));
	if (row[0][0] != 7 || row[0][1] != 0x90009 || row[1][1] != 7 || row[1][3] != 7 || row[1][4])
		return printf("fills of rectangles\n");
	CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, x + 4));
	CHECK(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, x));
	WANT(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, 16), CUDA_ERROR_INVALID_VALUE);
	if (type != CU_MEMORYTYPE_DEVICE || managed)
		return printf("attributes of a pointer\n");
	CHECK(cuMemFree(x));
	properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
	properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	CHECK(cuMemPoolCreate(&pool, &properties));
	CHECK(cuMemAllocFromPoolAsync(&from_pool, 256, pool, stream));
	CHECK(cuMemFreeAsync(from_pool, stream));
	CHECK(cuMemPoolDestroy(pool));
	/* The program's own memory, by a kernel that is captured: doubled by each launch of the graph. */
	own[5] = 3;
	CHECK(cuMemHostRegister(own, sizeof own, CU_MEMHOSTREGISTER_DEVICEMAP));
	CHECK(cuMemHostGetDevicePointer(&x, own, 0));
	void *arguments[] = { &x, &skip, (void *)&n, &t, &add };
	CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CHECK(cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
	CHECK(cuStreamIsCapturing(stream, &status));
	CHECK(cuStreamEndCapture(stream, &graph));
	CHECK(cuGraphInstantiate(&exec, graph, 0));
	CHECK(cuGraphLaunch(exec, stream));
	CHECK(cuGraphLaunch(exec, stream));
	CHECK(cuStreamAddCallback(stream, count, &counted, 0));
	CHECK(cuStreamSynchronize(stream));
	CHECK(cuGraphExecDestroy(exec));
	CHECK(cuGraphDestroy(graph));
	CHECK(cuMemHostUnregister(own));
	CHECK(cuStreamDestroy(stream));
	printf("own %g\n", (double)own[5]);
	return status != CU_STREAM_CAPTURE_STATUS_ACTIVE || own[5] != 27 || counted != 1;
}

int main()
{
	CUdevice device;
	CUcontext context, current;
	CUmodule module, again;
	CUfunction f;
	CUdeviceptr x, factor;
	CUevent begin, end;
	char name[64];
	int n = 300, major, threads;
	size_t bytes;
	float ms, three = 3;

	WANT(cuDeviceGet(&device, 0), CUDA_ERROR_NOT_INITIALIZED);
	WANT(cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE), CUDA_ERROR_NOT_INITIALIZED);
	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&device, 0));
	CHECK(cuDeviceGetName(name, sizeof name, device));
	CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
	CHECK(cuCtxCreate(&context, 0, device));
	CHECK(cuCtxGetCurrent(&current));
	CHECK(cuModuleLoad(&module, "driver_kernels.cubin"));
	CHECK(cuModuleGetFunction(&f, module, "scale"));
	CHECK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
	CHECK(cuMemAlloc(&x, 4096));
	CHECK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
	CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
	CHECK(cuEventRecord(begin, nullptr));
	if (scale(f, x, n, 2) || current != context || major < 7 || threads < 512 || !name[0])
		return 1;
	CHECK(cuEventRecord(end, nullptr));
	CHECK(cuEventElapsedTime(&ms, begin, end));
	/* Another copy of the module has variables of its own. */
	CHECK(cuModuleLoad(&again, "driver_kernels.cubin"));
	CHECK(cuModuleGetGlobal(&factor, &bytes, again, "factor"));
	CHECK(cuMemcpyHtoD(factor, &three, sizeof three));
	if (scale(f, x, n, 2))
		return 1;
	CHECK(cuModuleGetFunction(&f, again, "scale"));
	if (scale(f, x, n, 3) || fill(module, x) || errors(module, x) || compiled(x) ||
	    virtual_memory(f) || pictures(module, x) || others(f))
		return 1;
	CHECK(cuMemFree(x));
	WANT(cuMemFree(x), CUDA_ERROR_INVALID_VALUE);
	CHECK(cuModuleUnload(module));
	CHECK(cuCtxDestroy(context));
	puts("PASSED");
	return 0;
}
