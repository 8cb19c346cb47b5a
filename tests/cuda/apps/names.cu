/* SPDX-License-Identifier: GPL-3.0-or-later
 * names.cu -- headers and calls that few programs have: nvstd::function, marks for profilers, what a
 * graph's nodes do, asked and changed, calls as CUDA 13 has them.
 */
#include <cuda.h>
#include <cuda/std/atomic>
#include <cuda/std/functional>
#include <nvToolsExt.h>
#include <nvToolsExtCudaRt.h>
#include <nvfunctional>
#include <nvtx3/nvtx3.hpp>
#include "common.h"
#include <cstring>

__device__ int table[4];
__device__ int twice(int x) { return 2 * x; }

__global__ void call(int *out, int a)
{
	nvstd::function<int(int)> f = twice, g;
	struct {
		int v[20];
	} large = {};

	large.v[19] = a;
	out[0] = f(3);
	f = [=](int x) { return x + a; };
	out[1] = f(4);
	g = f;
	f = [=](int x) { return x * large.v[19]; };
	nvstd::function<int(int)> h(f);
	f = nullptr;
	out[2] = g(1) + h(5);
	out[3] = h && !f;
}

__global__ void add(int *to, const int *from) { to[threadIdx.x] += from[threadIdx.x] + table[threadIdx.x]; }

static bool marks()
{
	nvtxEventAttributes_t e = {};
	nvtx3::scoped_range range{ "marks" };

	e.version = NVTX_VERSION;
	e.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	e.colorType = NVTX_COLOR_ARGB;
	e.messageType = NVTX_MESSAGE_TYPE_ASCII;
	e.message.ascii = "event";
	REQUIRE(nvtxRangePushEx(&e) == NVTX_NO_PUSH_POP_TRACKING);
	nvtxMark("mark");
	nvtxRangeEnd(nvtxRangeStart("range"));
	return nvtxRangePop() == NVTX_NO_PUSH_POP_TRACKING;
}

static int called;
static void host_call(void *data) { called += *(int *)data; }

/* table = host; fill to; to += from + table; to host; a call. */
static bool params(int *to, int *from)
{
	int four[4] = { 1, 2, 3, 4 }, eight[4] = { 8, 8, 8, 8 }, back[4] = {}, one = 1, five = 5;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphNode_t symbol, fill, kernel, copy, host, list[4];
	cudaMemsetParams m = { to, 0, 0, 4, 4, 1 }, m2 = {};
	void *arguments[] = { &to, &from };
	cudaKernelNodeParams k = { (void *)add, dim3(1), dim3(4), 0, arguments, nullptr };
	cudaHostNodeParams h = { host_call, &one }, h2 = {};
	cudaGraphInstantiateParams p = {};
	cudaMemcpy3DParms box = {};
	size_t count = 4;
	unsigned on = 7;
	char line[64] = "";

	CHECK(cudaMemset(from, 0, 16));
	CHECK(cudaGraphCreate(&graph, 0));
	CHECK(cudaGraphAddMemcpyNodeToSymbol(&symbol, graph, nullptr, 0, table, four, 16, 0, cudaMemcpyHostToDevice));
	CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &m));
	CHECK(cudaGraphAddKernelNode(&kernel, graph, &symbol, 1, &k));
	CHECK(cudaGraphAddDependencies(graph, &fill, &kernel, 1));
	CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, back, to, 16, cudaMemcpyDeviceToHost));
	CHECK(cudaGraphAddHostNode(&host, graph, &kernel, 1, &h));
	REQUIRE(cudaGraphAddMemcpyNodeToSymbol(list, graph, nullptr, 0, table, four, 16, 4, cudaMemcpyHostToDevice) ==
		cudaErrorInvalidValue); /* it does not fit */
	CHECK(cudaGraphNodeGetDependentNodes(kernel, list, &count));
	REQUIRE(count == 2 && list[0] == copy && list[1] == host);
	CHECK(cudaGraphMemcpyNodeGetParams(copy, &box));
	REQUIRE(box.dstPtr.ptr == back && box.extent.width == 16 && box.kind == cudaMemcpyDeviceToHost);
	CHECK(cudaGraphMemsetNodeGetParams(fill, &m2));
	REQUIRE(m2.dst == to && m2.width == 4 && cudaGraphMemsetNodeGetParams(copy, &m2) == cudaErrorInvalidValue);
	CHECK(cudaGraphHostNodeGetParams(host, &h2));
	h2.userData = &five;
	CHECK(cudaGraphHostNodeSetParams(host, &h2));
	m.value = 10;
	CHECK(cudaGraphMemsetNodeSetParams(fill, &m));
	CHECK(cudaGraphInstantiateWithParams(&exec, graph, &p));
	REQUIRE(p.result_out == cudaGraphInstantiateSuccess);
	CHECK(cudaGraphLaunch(exec, 0));
	REQUIRE(called == 5 && back[0] == 11 && back[3] == 14);
	CHECK(cudaGraphNodeSetEnabled(exec, fill, 0));
	CHECK(cudaGraphNodeGetEnabled(exec, fill, &on));
	REQUIRE(on == 0 && cudaGraphNodeSetEnabled(exec, host, 0) == cudaErrorInvalidValue);
	CHECK(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, symbol, table, eight, 16, 0, cudaMemcpyHostToDevice));
	CHECK(cudaGraphLaunch(exec, 0));
	REQUIRE(back[0] == 19 && back[3] == 22);
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphRemoveDependencies(graph, &fill, &kernel, 1));
	REQUIRE(cudaGraphRemoveDependencies(graph, &fill, &kernel, 1) == cudaErrorInvalidValue);
	CHECK(cudaGraphDestroyNode(fill));
	CHECK(cudaGraphGetNodes(graph, nullptr, &count));
	REQUIRE(count == 4);
	CHECK(cudaGraphDebugDotPrint(graph, "graph.dot", 0));
	FILE *f = fopen("graph.dot", "r");
	REQUIRE(f && fgets(line, sizeof line, f) && strcmp(line, "digraph dot {\n") == 0);
	fclose(f);
	CHECK(cudaGraphDestroy(graph));
	return true;
}

static bool later(int *p)
{
	cudaMemLocation here = { cudaMemLocationTypeDevice, 0 }, host = { cudaMemLocationTypeHost, 0 };
	CUctxCreateParams none = {};
	CUcontext context;
	int device = 3;

	CHECK(cudaMemPrefetchAsync(p, 16, here, 0));
	CHECK(cudaMemAdvise(p, 16, cudaMemAdviseSetPreferredLocation, host));
	CHECK(cudaStreamGetDevice(0, &device));
	return device == 0 && cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, &none, 0, 0) == CUDA_SUCCESS;
}

__global__ void __launch_bounds__(96, 2) bounded(int *p) { p[threadIdx.x] = 0; }

/* What a kernel's launch bounds promise is asked for. */
static bool bounds()
{
	cudaFuncAttributes a;
	int grid = 0, block = 0;

	CHECK(cudaFuncGetAttributes(&a, bounded));
	CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded));
	return a.maxThreadsPerBlock == 96 && block <= 96 && block > 0;
}

int main()
{
	nvstd::function<int(int)> same = [](int x) { return x; };
	int *p, *q;
	bool good;

	CHECK(cudaMallocManaged(&p, 16));
	CHECK(cudaMallocManaged(&q, 16));
	call<<<1, 1>>>(p, 7);
	CHECK(cudaDeviceSynchronize());
	good = p[0] == 6 && p[1] == 11 && p[2] == 43 && p[3] == 1 && same(4) == 4;
	good = marks() && bounds() && params(p, q) && later(p) && good;
	return passed(good);
}
