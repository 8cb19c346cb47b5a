/* SPDX-License-Identifier: GPL-3.0-or-later
 * graphs.cu -- graphs made by hand, captured from two streams, changed, with a loop of their own.
 */
#include <cstring>

#include "common.h"

#define N 300

__global__ void scale_add(float *y, const float *x, float a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = a * y[i] + x[i];
}

__global__ void count_down(int *left, cudaGraphConditionalHandle handle)
{
	cudaGraphSetConditional(handle, --*left > 0);
}

static int calls;
static void called(void *data) { calls += *(int *)data; }

static bool all_are(const float *device, float want)
{
	float host[N];

	CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
	for (int i = 0; i < N; i++) {
		if (host[i] != want) {
			printf("[%d]: %g, want %g\n", i, host[i], want);
			return false;
		}
	}
	return true;
}

/* y = 0; y = 2 y + x, and a call of the host.  Edges are added against the order of nodes. */
static bool by_hand(float *x, float *y)
{
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphNode_t kernel, fill, host, nodes[3];
	float a = 2;
	int n = N, three = 3;
	void *arguments[] = { &y, &x, &a, &n };
	cudaKernelNodeParams k = {};
	cudaMemsetParams m = {};
	cudaHostNodeParams h = { called, &three };
	size_t count = 3;

	k.func = (void *)scale_add;
	k.gridDim = dim3(3);
	k.blockDim = dim3(128);
	k.kernelParams = arguments;
	m.dst = y;
	m.elementSize = 4;
	m.width = N;
	m.height = 1;
	CHECK(cudaGraphCreate(&graph, 0));
	CHECK(cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &k));
	CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &m));
	CHECK(cudaGraphAddDependencies(graph, &fill, &kernel, 1));
	CHECK(cudaGraphAddHostNode(&host, graph, &kernel, 1, &h));
	CHECK(cudaGraphGetRootNodes(graph, nodes, &count));
	if (count != 1 || nodes[0] != fill)
		return false;
	a = 77; /* what the node has is a copy */
	CHECK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
	for (int i = 0; i < 2; i++)
		CHECK(cudaGraphLaunch(exec, 0));
	if (calls != 6 || !all_are(y, 1))
		return false;
	m.value = 0x3f800000; /* 1.0f */
	CHECK(cudaGraphExecMemsetNodeSetParams(exec, fill, &m));
	CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &k));
	CHECK(cudaGraphLaunch(exec, 0));
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphAddDependencies(graph, &host, &fill, 1));
	if (cudaGraphInstantiate(&exec, graph, 0) != cudaErrorInvalidValue)
		return false; /* a circle */
	CHECK(cudaGraphDestroy(graph));
	return cudaGetLastError() == cudaErrorInvalidValue && all_are(y, 78);
}

/* Two streams, the second one brought in by an event; memory of the graph. */
static bool captured(float *x, float *y)
{
	cudaStream_t one, two;
	cudaEvent_t fork, join;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaStreamCaptureStatus status;
	cudaGraphExecUpdateResultInfo info;
	float *z;
	size_t nodes = 0, edges = 0;

	CHECK(cudaStreamCreate(&one));
	CHECK(cudaStreamCreate(&two));
	CHECK(cudaEventCreate(&fork));
	CHECK(cudaEventCreate(&join));
	CHECK(cudaMemset(y, 0, N * sizeof *y));
	for (int turn = 0; turn < 2; turn++) {
		CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
		CHECK(cudaMallocAsync(&z, N * sizeof *z, one));
		CHECK(cudaMemcpyAsync(z, x, N * sizeof *z, cudaMemcpyDeviceToDevice, one));
		CHECK(cudaEventRecord(fork, one));
		CHECK(cudaStreamWaitEvent(two, fork, 0));
		scale_add<<<3, 128, 0, two>>>(z, x, turn ? 9 : 4, N);
		CHECK(cudaEventRecord(join, two));
		CHECK(cudaStreamWaitEvent(one, join, 0));
		scale_add<<<3, 128, 0, one>>>(y, z, 10, N);
		CHECK(cudaFreeAsync(z, one));
		CHECK(cudaStreamIsCapturing(two, &status));
		if (status != cudaStreamCaptureStatusActive || !all_are(y, turn ? 55 : 0))
			return false; /* nothing has been done yet */
		CHECK(cudaStreamEndCapture(one, &graph));
		CHECK(cudaStreamIsCapturing(two, &status));
		CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
		CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
		if (status != cudaStreamCaptureStatusNone || nodes != 5 || edges != 5)
			return false;
		if (!turn)
			CHECK(cudaGraphInstantiate(&exec, graph, 0));
		else
			CHECK(cudaGraphExecUpdate(exec, graph, &info));
		CHECK(cudaGraphDestroy(graph));
		CHECK(cudaGraphLaunch(exec, one)); /* z = 4 x + x; y = 10 y + z */
		CHECK(cudaGraphLaunch(exec, one));
	}
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaStreamDestroy(two));
	return all_are(y, 5610); /* ((55) 10 + 10) 10 + 10 */
}

/* A body that is done while the condition holds. */
static bool looped(float *x, float *y)
{
	cudaGraph_t graph, body;
	cudaGraphExec_t exec;
	cudaGraphNode_t loop;
	cudaGraphConditionalHandle handle;
	cudaGraphNodeParams p = {};
	cudaStream_t stream;
	int *left;

	CHECK(cudaMallocManaged(&left, sizeof *left));
	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaGraphCreate(&graph, 0));
	CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
	p.type = cudaGraphNodeTypeConditional;
	p.conditional.handle = handle;
	p.conditional.type = cudaGraphCondTypeWhile;
	p.conditional.size = 1;
	CHECK(cudaGraphAddNode(&loop, graph, nullptr, 0, &p));
	body = p.conditional.phGraph_out[0];
	CHECK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
					    cudaStreamCaptureModeGlobal));
	scale_add<<<3, 128, 0, stream>>>(y, x, 1, N);
	count_down<<<1, 1, 0, stream>>>(left, handle);
	CHECK(cudaStreamEndCapture(stream, nullptr));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	CHECK(cudaMemset(y, 0, N * sizeof *y));
	for (int i = 0; i < 2; i++) {
		*left = 3;
		CHECK(cudaGraphLaunch(exec, stream));
	}
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	return all_are(y, 6);
}

int main()
{
	float *x, *y, ones[N];
	int driver, runtime;
	bool good;

	for (int i = 0; i < N; i++)
		ones[i] = 1;
	CHECK(cudaMalloc(&x, sizeof ones));
	CHECK(cudaMalloc(&y, sizeof ones));
	CHECK(cudaMemcpy(x, ones, sizeof ones, cudaMemcpyHostToDevice));
	CHECK(cudaDriverGetVersion(&driver));
	CHECK(cudaRuntimeGetVersion(&runtime));
	if (driver < 12030 || driver < runtime) /* or it has no conditions */
		return passed(false);
	good = by_hand(x, y) && captured(x, y) && looped(x, y);
	return passed(good && cudaGetLastError() == cudaSuccess);
}
