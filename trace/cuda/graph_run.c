/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/graph_run.c -- graphs that are launched: a copy, whose nodes lie in an order that its
 * edges allow, done one after the other.
 */
#include "trace/cuda/graph.h"

#include <assert.h>
#include <cuda.h>
#include <stdlib.h>
#include <string.h>

enum { UNSEEN, OPEN, CLOSED };

/* ---- an order -------------------------------------------------------------------------- */

/* What comes before a node, then the node; false: it comes before itself.  A graph may be one long
 * chain, so that no function calls itself here: a node is looked at again while it is OPEN. */
static bool visit(struct CUgraphNode_st *root, struct CUgraphNode_st **stack,
		  struct CUgraphNode_st **order, size_t *ordered)
{
	size_t depth = 1;

	stack[0] = root;
	while (depth) {
		struct CUgraphNode_st *n = stack[depth - 1], *next = NULL;

		n->mark = OPEN;
		for (size_t i = 0; i < n->afters && !next; i++) {
			if (n->after[i]->mark == OPEN)
				return false;
			next = n->after[i]->mark == UNSEEN ? n->after[i] : NULL;
		}
		if (next) {
			stack[depth++] = next;
			continue;
		}
		n->mark = CLOSED;
		order[(*ordered)++] = n;
		depth--;
	}
	return true;
}

static cudaError_t put_in_order(struct CUgraph_st *g)
{
	struct CUgraphNode_st **order = ws_alloc_zero(g->nodes + 1, sizeof *order);
	struct CUgraphNode_st **stack = ws_alloc_zero(g->nodes + 1, sizeof *stack);
	size_t ordered = 0;
	bool good = order && stack;

	for (size_t i = 0; i < g->nodes; i++)
		g->node[i]->mark = UNSEEN;
	for (size_t i = 0; i < g->nodes && good; i++)
		good = g->node[i]->mark == CLOSED || visit(g->node[i], stack, order, &ordered);
	assert(!good || ordered == g->nodes);
	for (size_t i = 0; i < g->nodes && good; i++) {
		g->node[i] = order[i];
		g->node[i]->place = i;
		for (size_t k = 0; k < order[i]->afters; k++)
			assert(order[i]->after[k]->place < i);
		if (g->node[i]->type == cudaGraphNodeTypeGraph ||
		    g->node[i]->type == cudaGraphNodeTypeConditional)
			good = put_in_order(g->node[i]->child) == cudaSuccess;
	}
	free(order);
	free(stack);
	return good ? cudaSuccess : cudaErrorInvalidValue;
}

WS_CUDA_CALL cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
						       unsigned long long flags)
{
	struct CUgraphExec_st *e = graph ? ws_alloc_zero(1, sizeof *e) : NULL;
	cudaError_t error = !graph ? cudaErrorInvalidValue
			    : flags & cudaGraphInstantiateFlagDeviceLaunch ? cudaErrorNotSupported
			    : !e ? cudaErrorMemoryAllocation : ws_graph_clone(&e->graph, graph);

	if (error == cudaSuccess)
		error = put_in_order(e->graph);
	if (error != cudaSuccess && e) {
		ws_graph_free(e->graph);
		free(e);
		e = NULL;
	}
	*exec = e;
	return ws_cuda_error(error);
}

WS_CUDA_CALL cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
					      unsigned long long flags)
{
	return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

WS_CUDA_CALL cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
	if (!exec)
		return ws_cuda_error(cudaErrorInvalidValue);
	ws_graph_free(exec->graph);
	free(exec);
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
	(void)stream;
	return ws_cuda_error(exec ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- a launch -------------------------------------------------------------------------- */

static cudaError_t fill(const struct cudaMemsetParams *p)
{
	CUresult result = CUDA_SUCCESS;

	if (p->elementSize == 1)
		return cudaMemset2D(p->dst, p->height > 1 ? p->pitch : p->width, (int)p->value,
				    p->width, p->height);
	if (cuInit(0) != CUDA_SUCCESS)
		return cudaErrorInitializationError;
	for (size_t y = 0; y < p->height && result == CUDA_SUCCESS; y++) {
		CUdeviceptr row = (CUdeviceptr)(uintptr_t)p->dst + y * p->pitch;

		result = p->elementSize == 2
				 ? cuMemsetD16(row, (unsigned short)p->value, p->width)
				 : cuMemsetD32(row, p->value, p->width);
	}
	return (cudaError_t)result;
}

static cudaError_t run_graph(struct CUgraph_st *g);

static cudaError_t run_conditional(const struct CUgraphNode_st *n)
{
	cudaError_t error = cudaSuccess;

	while (error == cudaSuccess && *(volatile unsigned *)n->condition) {
		error = run_graph(n->child);
		if (!n->again)
			break;
	}
	return error;
}

static cudaError_t run_node(const struct CUgraphNode_st *n)
{
	const struct cudaKernelNodeParams *k = &n->kernel.params;

	if (n->off)
		return cudaSuccess;
	switch (n->type) {
	case cudaGraphNodeTypeKernel:
		return cudaLaunchKernel(k->func, k->gridDim, k->blockDim, k->kernelParams,
					k->sharedMemBytes, NULL);
	case cudaGraphNodeTypeMemcpy:
		return n->copy.flat ? cudaMemcpy(n->copy.to, n->copy.from, n->copy.bytes,
						 n->copy.kind)
				    : cudaMemcpy3D(&n->copy.box);
	case cudaGraphNodeTypeMemset:
		return fill(&n->fill);
	case cudaGraphNodeTypeHost:
		n->host.fn(n->host.userData);
		return cudaSuccess;
	case cudaGraphNodeTypeGraph:
		return run_graph(n->child);
	case cudaGraphNodeTypeConditional:
		return run_conditional(n);
	case cudaGraphNodeTypeEventRecord:
		return cudaEventRecord(n->event.event, NULL);
	default: /* done, or nothing to do */
		return cudaSuccess;
	}
}

static cudaError_t run_graph(struct CUgraph_st *g)
{
	cudaError_t error = cudaSuccess;

	for (size_t i = 0; i < g->conditions; i++) {
		if (g->condition[i].set)
			*g->condition[i].value = g->condition[i].first;
	}
	for (size_t i = 0; i < g->nodes && error == cudaSuccess; i++)
		error = run_node(g->node[i]);
	return error;
}

WS_CUDA_CALL cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
	struct CUgraphNode_st *n;

	if (!exec)
		return ws_cuda_error(cudaErrorInvalidValue);
	if (!ws_captures(stream))
		return ws_cuda_error(run_graph(exec->graph));
	n = ws_capture_node(stream, cudaGraphNodeTypeGraph);
	return ws_cuda_error(n ? ws_graph_clone(&n->child, exec->graph)
			       : cudaErrorMemoryAllocation);
}

/* ---- changes to it --------------------------------------------------------------------- */

static struct CUgraphNode_st *copy_of(struct CUgraph_st *g, const struct CUgraphNode_st *node)
{
	for (size_t i = 0; i < g->nodes; i++) {
		if (g->node[i]->origin == node)
			return g->node[i];
		if (g->node[i]->type == cudaGraphNodeTypeGraph ||
		    g->node[i]->type == cudaGraphNodeTypeConditional) {
			struct CUgraphNode_st *n = copy_of(g->node[i]->child, node);

			if (n)
				return n;
		}
	}
	return NULL;
}

struct CUgraphNode_st *ws_graph_changed(cudaGraphExec_t exec, cudaGraphNode_t node)
{
	return exec && node ? copy_of(exec->graph, node) : NULL;
}

/* The same of that type. */
static struct CUgraphNode_st *changed(cudaGraphExec_t exec, cudaGraphNode_t node,
				      enum cudaGraphNodeType type)
{
	struct CUgraphNode_st *n = ws_graph_changed(exec, node);

	return n && n->type == type ? n : NULL;
}

WS_CUDA_CALL cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec,
							  cudaGraphNode_t node,
							  const struct cudaKernelNodeParams *p)
{
	struct CUgraphNode_st *n = changed(exec, node, cudaGraphNodeTypeKernel);

	return ws_cuda_error(n && p ? ws_graph_kernel(n, p) : cudaErrorInvalidValue);
}

WS_CUDA_CALL cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec,
							  cudaGraphNode_t node,
							  const struct cudaMemcpy3DParms *params)
{
	struct CUgraphNode_st *n = changed(exec, node, cudaGraphNodeTypeMemcpy);

	if (!n || !params)
		return ws_cuda_error(cudaErrorInvalidValue);
	n->copy = (struct ws_graph_copy){ .box = *params };
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec,
							    cudaGraphNode_t node, void *to,
							    const void *from, size_t bytes,
							    enum cudaMemcpyKind kind)
{
	struct CUgraphNode_st *n = changed(exec, node, cudaGraphNodeTypeMemcpy);

	if (!n)
		return ws_cuda_error(cudaErrorInvalidValue);
	n->copy = (struct ws_graph_copy){ true, to, from, bytes, kind, { 0 } };
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec,
							  cudaGraphNode_t node,
							  const struct cudaMemsetParams *params)
{
	struct CUgraphNode_st *n = changed(exec, node, cudaGraphNodeTypeMemset);

	if (!n || !params)
		return ws_cuda_error(cudaErrorInvalidValue);
	n->fill = *params;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
							const struct cudaHostNodeParams *params)
{
	struct CUgraphNode_st *n = changed(exec, node, cudaGraphNodeTypeHost);

	if (!n || !params || !params->fn)
		return ws_cuda_error(cudaErrorInvalidValue);
	n->host = *params;
	return cudaSuccess;
}

/* The same nodes in the same order, with as many edges to them. */
static enum cudaGraphExecUpdateResult compare(const struct CUgraph_st *a,
					      const struct CUgraph_st *b, size_t *where)
{
	if (a->nodes != b->nodes)
		return cudaGraphExecUpdateErrorTopologyChanged;
	for (size_t i = 0; i < a->nodes; i++) {
		*where = i;
		if (a->node[i]->type != b->node[i]->type)
			return cudaGraphExecUpdateErrorNodeTypeChanged;
		if (a->node[i]->afters != b->node[i]->afters)
			return cudaGraphExecUpdateErrorTopologyChanged;
	}
	return cudaGraphExecUpdateSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
					     cudaGraphExecUpdateResultInfo *info)
{
	cudaGraphExecUpdateResultInfo result = { 0 };
	struct CUgraph_st *copy = NULL;
	size_t where = SIZE_MAX;
	cudaError_t error;

	if (!exec || !graph)
		return ws_cuda_error(cudaErrorInvalidValue);
	error = ws_graph_clone(&copy, graph);
	if (error == cudaSuccess)
		error = put_in_order(copy);
	if (error == cudaSuccess)
		result.result = compare(exec->graph, copy, &where);
	if (error == cudaSuccess && result.result != cudaGraphExecUpdateSuccess) {
		error = cudaErrorGraphExecUpdateFailure;
		result.errorNode = where < copy->nodes ? copy->node[where]->origin : NULL;
	}
	for (size_t i = 0; error == cudaSuccess && i < copy->nodes; i++)
		error = ws_graph_take(exec->graph->node[i], copy->node[i]);
	ws_graph_free(copy);
	if (error != cudaSuccess && result.result == cudaGraphExecUpdateSuccess)
		result.result = cudaGraphExecUpdateError;
	if (info)
		*info = result;
	return ws_cuda_error(error);
}

/* ---- memory of graphs ------------------------------------------------------------------ */

/* It stays where it is. */
WS_CUDA_CALL cudaError_t cudaDeviceGraphMemTrim(int device)
{
	return ws_cuda_error(device ? cudaErrorInvalidDevice : cudaSuccess);
}

WS_CUDA_CALL cudaError_t cudaDeviceGetGraphMemAttribute(int device,
							enum cudaGraphMemAttributeType attribute,
							void *value)
{
	uint64_t bytes = 0;

	if (device || !value || (unsigned)attribute > cudaGraphMemAttrReservedMemHigh)
		return ws_cuda_error(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
	if (ws_cuda_enter()) {
		for (size_t i = 0; i < ws_cuda.arrays; i++)
			bytes += ws_cuda.array[i].graphs ? ws_cuda.array[i].bytes : 0;
	}
	ws_cuda_leave();
	memcpy(value, &bytes, sizeof bytes);
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaDeviceSetGraphMemAttribute(int device,
							enum cudaGraphMemAttributeType attribute,
							void *value)
{
	(void)value;
	return ws_cuda_error(device ? cudaErrorInvalidDevice
			     : attribute == cudaGraphMemAttrUsedMemHigh ||
				       attribute == cudaGraphMemAttrReservedMemHigh
				     ? cudaSuccess : cudaErrorInvalidValue);
}
