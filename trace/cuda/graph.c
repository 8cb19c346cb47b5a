/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/graph.c -- the calls that make graphs, and ask what they have.
 *
 * A kernel's node has copies of the arguments.  Memory that a node allocates is there once the node
 * is made, and stays at its address, also when it is freed.
 */
#include "trace/cuda/graph.h"

#include <stdlib.h>

/* ---- the calls ------------------------------------------------------------------------- */

WS_CUDA_CALL cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
	if (flags)
		return ws_cuda_error(cudaErrorInvalidValue);
	*graph = ws_alloc_zero(1, sizeof **graph);
	return ws_cuda_error(*graph ? cudaSuccess : cudaErrorMemoryAllocation);
}

WS_CUDA_CALL cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
	if (!graph || graph->inside)
		return ws_cuda_error(cudaErrorInvalidValue);
	ws_graph_free(graph);
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
	return ws_cuda_error(graph ? ws_graph_clone(clone, graph) : cudaErrorInvalidValue);
}

WS_CUDA_CALL cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t node,
						  cudaGraph_t clone)
{
	for (size_t i = 0; clone && i < clone->nodes; i++) {
		if (clone->node[i]->origin == node) {
			*found = clone->node[i];
			return cudaSuccess;
		}
	}
	return ws_cuda_error(cudaErrorInvalidValue);
}

/* A node that is to be made, if all is well with the graph and the edges. */
static cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph, enum cudaGraphNodeType type,
		       const cudaGraphNode_t *after, size_t afters)
{
	if (!node || !graph || (afters && !after))
		return ws_cuda_error(cudaErrorInvalidValue);
	for (size_t i = 0; i < afters; i++) {
		if (!after[i] || after[i]->graph != graph)
			return ws_cuda_error(cudaErrorInvalidValue);
	}
	*node = ws_graph_add(graph, type, after, afters);
	return ws_cuda_error(*node ? cudaSuccess : cudaErrorMemoryAllocation);
}

static cudaError_t take_back(cudaGraphNode_t *node, cudaError_t error)
{
	if (error == cudaSuccess)
		return error;
	(*node)->graph->nodes--; /* it is the last one */
	ws_graph_forget(*node);
	*node = NULL;
	return ws_cuda_error(error);
}

WS_CUDA_CALL cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
						const cudaGraphNode_t *after, size_t afters,
						const struct cudaKernelNodeParams *params)
{
	cudaError_t error = params ? add(node, graph, cudaGraphNodeTypeKernel, after, afters)
				   : ws_cuda_error(cudaErrorInvalidValue);

	return error == cudaSuccess ? take_back(node, ws_graph_kernel(*node, params)) : error;
}

WS_CUDA_CALL cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
						const cudaGraphNode_t *after, size_t afters,
						const struct cudaMemcpy3DParms *params)
{
	cudaError_t error = params ? add(node, graph, cudaGraphNodeTypeMemcpy, after, afters)
				   : ws_cuda_error(cudaErrorInvalidValue);

	if (error == cudaSuccess)
		(*node)->copy = (struct ws_graph_copy){ .box = *params };
	return error;
}

WS_CUDA_CALL cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
						  const cudaGraphNode_t *after, size_t afters,
						  void *to, const void *from, size_t bytes,
						  enum cudaMemcpyKind kind)
{
	cudaError_t error = add(node, graph, cudaGraphNodeTypeMemcpy, after, afters);

	if (error == cudaSuccess)
		(*node)->copy = (struct ws_graph_copy){ true, to, from, bytes, kind, { 0 } };
	return error;
}

static bool can_fill(const struct cudaMemsetParams *p)
{
	return p && (p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4);
}

WS_CUDA_CALL cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
						const cudaGraphNode_t *after, size_t afters,
						const struct cudaMemsetParams *params)
{
	cudaError_t error = can_fill(params) ? add(node, graph, cudaGraphNodeTypeMemset, after,
						   afters)
					     : ws_cuda_error(cudaErrorInvalidValue);

	if (error == cudaSuccess)
		(*node)->fill = *params;
	return error;
}

WS_CUDA_CALL cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
					      const cudaGraphNode_t *after, size_t afters,
					      const struct cudaHostNodeParams *params)
{
	cudaError_t error = params && params->fn
				    ? add(node, graph, cudaGraphNodeTypeHost, after, afters)
				    : ws_cuda_error(cudaErrorInvalidValue);

	if (error == cudaSuccess)
		(*node)->host = *params;
	return error;
}

WS_CUDA_CALL cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
						    const cudaGraphNode_t *after, size_t afters,
						    cudaGraph_t child)
{
	cudaError_t error = child && child != graph
				    ? add(node, graph, cudaGraphNodeTypeGraph, after, afters)
				    : ws_cuda_error(cudaErrorInvalidValue);

	return error == cudaSuccess ? take_back(node, ws_graph_clone(&(*node)->child, child))
				    : error;
}

WS_CUDA_CALL cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
					       const cudaGraphNode_t *after, size_t afters)
{
	return add(node, graph, cudaGraphNodeTypeEmpty, after, afters);
}

WS_CUDA_CALL cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
						     const cudaGraphNode_t *after, size_t afters,
						     cudaEvent_t event)
{
	cudaError_t error = add(node, graph, cudaGraphNodeTypeEventRecord, after, afters);

	if (error == cudaSuccess)
		(*node)->event.event = event;
	return error;
}

/* Work outside the graph is done before it is launched. */
WS_CUDA_CALL cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
						   const cudaGraphNode_t *after, size_t afters,
						   cudaEvent_t event)
{
	cudaError_t error = add(node, graph, cudaGraphNodeTypeWaitEvent, after, afters);

	if (error == cudaSuccess)
		(*node)->event.event = event;
	return error;
}

WS_CUDA_CALL cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
						  const cudaGraphNode_t *after, size_t afters,
						  struct cudaMemAllocNodeParams *params)
{
	cudaError_t error = params ? add(node, graph, cudaGraphNodeTypeMemAlloc, after, afters)
				   : ws_cuda_error(cudaErrorInvalidValue);

	if (error != cudaSuccess)
		return error;
	error = ws_cuda_allocate_for_graph(&params->dptr, params->bytesize);
	(*node)->memory = *params;
	return take_back(node, error);
}

WS_CUDA_CALL cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
						 const cudaGraphNode_t *after, size_t afters,
						 void *pointer)
{
	cudaError_t error = add(node, graph, cudaGraphNodeTypeMemFree, after, afters);

	if (error == cudaSuccess)
		(*node)->memory.dptr = pointer;
	return error;
}

/* ---- conditions ------------------------------------------------------------------------ */

WS_CUDA_CALL cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle,
							  cudaGraph_t graph, unsigned int value,
							  unsigned int flags)
{
	struct ws_graph_condition c = { .first = value,
					.set = (flags & cudaGraphCondAssignDefault) != 0 };
	void *memory = NULL;
	cudaError_t error = handle && graph ? ws_cuda_allocate_for_graph(&memory, sizeof *c.value)
					    : cudaErrorInvalidValue;

	if (error == cudaSuccess && !WS_ROOM(graph->condition, graph->condition_cap,
					     graph->conditions + 1))
		error = cudaErrorMemoryAllocation;
	if (error != cudaSuccess)
		return ws_cuda_error(error);
	c.value = memory;
	*c.value = value;
	graph->condition[graph->conditions++] = c;
	*handle = (cudaGraphConditionalHandle)(uintptr_t)memory;
	return cudaSuccess;
}

static cudaError_t add_conditional(cudaGraphNode_t *node, cudaGraph_t graph,
				   const cudaGraphNode_t *after, size_t afters,
				   struct cudaConditionalNodeParams *p)
{
	cudaError_t error;

	if (p->size != 1 || !p->handle || (unsigned)p->type > cudaGraphCondTypeWhile)
		return ws_cuda_error(cudaErrorInvalidValue);
	error = add(node, graph, cudaGraphNodeTypeConditional, after, afters);
	if (error != cudaSuccess)
		return error;
	(*node)->child = ws_alloc_zero(1, sizeof *(*node)->child);
	if (!(*node)->child)
		return take_back(node, cudaErrorMemoryAllocation);
	(*node)->child->inside = true;
	(*node)->condition = (unsigned *)(uintptr_t)p->handle;
	(*node)->again = p->type == cudaGraphCondTypeWhile;
	p->phGraph_out = &(*node)->child;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
					  const cudaGraphNode_t *after, size_t afters,
					  struct cudaGraphNodeParams *p)
{
	if (!p)
		return ws_cuda_error(cudaErrorInvalidValue);
	switch (p->type) {
	case cudaGraphNodeTypeKernel:
		return cudaGraphAddKernelNode(node, graph, after, afters, &p->kernel);
	case cudaGraphNodeTypeMemcpy:
		return cudaGraphAddMemcpyNode(node, graph, after, afters, &p->memcpy.copyParams);
	case cudaGraphNodeTypeMemset:
		return cudaGraphAddMemsetNode(node, graph, after, afters, &p->memset);
	case cudaGraphNodeTypeHost:
		return cudaGraphAddHostNode(node, graph, after, afters, &p->host);
	case cudaGraphNodeTypeGraph:
		return cudaGraphAddChildGraphNode(node, graph, after, afters, p->graph.graph);
	case cudaGraphNodeTypeEmpty:
		return cudaGraphAddEmptyNode(node, graph, after, afters);
	case cudaGraphNodeTypeWaitEvent:
		return cudaGraphAddEventWaitNode(node, graph, after, afters, p->eventWait.event);
	case cudaGraphNodeTypeEventRecord:
		return cudaGraphAddEventRecordNode(node, graph, after, afters,
						   p->eventRecord.event);
	case cudaGraphNodeTypeMemAlloc:
		return cudaGraphAddMemAllocNode(node, graph, after, afters, &p->alloc);
	case cudaGraphNodeTypeMemFree:
		return cudaGraphAddMemFreeNode(node, graph, after, afters, p->free.dptr);
	case cudaGraphNodeTypeConditional:
		return add_conditional(node, graph, after, afters, &p->conditional);
	default:
		return ws_cuda_error(cudaErrorNotSupported);
	}
}

WS_CUDA_CALL cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
						  const cudaGraphNode_t *to, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!graph || from[i]->graph != graph || to[i]->graph != graph)
			return ws_cuda_error(cudaErrorInvalidValue);
		if (!ws_graph_after(to[i], from[i]))
			return ws_cuda_error(cudaErrorMemoryAllocation);
	}
	return cudaSuccess;
}

/* ---- what there is --------------------------------------------------------------------- */

/* Up to *count of them, if there is room for any; *count: how many there are, or were given. */
static cudaError_t list(struct CUgraphNode_st *const *from, size_t total, bool roots,
			cudaGraphNode_t *to, size_t *count)
{
	size_t given = 0;

	for (size_t i = 0; i < total; i++) {
		if (roots && from[i]->afters)
			continue;
		if (to && given == *count)
			break;
		if (to)
			to[given] = from[i];
		given++;
	}
	*count = given;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
					   size_t *count)
{
	return graph && count ? list(graph->node, graph->nodes, false, nodes, count)
			      : ws_cuda_error(cudaErrorInvalidValue);
}

WS_CUDA_CALL cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
					       size_t *count)
{
	return graph && count ? list(graph->node, graph->nodes, true, nodes, count)
			      : ws_cuda_error(cudaErrorInvalidValue);
}

WS_CUDA_CALL cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *after,
						      size_t *afters)
{
	return node && afters ? list(node->after, node->afters, false, after, afters)
			      : ws_cuda_error(cudaErrorInvalidValue);
}

WS_CUDA_CALL cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
					   cudaGraphNode_t *to, size_t *count)
{
	size_t given = 0;

	if (!graph || !count || !from != !to)
		return ws_cuda_error(cudaErrorInvalidValue);
	for (size_t i = 0; i < graph->nodes; i++) {
		for (size_t j = 0; j < graph->node[i]->afters; j++) {
			if (from && given == *count)
				return cudaSuccess;
			if (from) {
				from[given] = graph->node[i]->after[j];
				to[given] = graph->node[i];
			}
			given++;
		}
	}
	*count = given;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
	if (!node)
		return ws_cuda_error(cudaErrorInvalidValue);
	*type = node->type;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
						      struct cudaKernelNodeParams *params)
{
	if (!node || node->type != cudaGraphNodeTypeKernel)
		return ws_cuda_error(cudaErrorInvalidValue);
	*params = node->kernel.params;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
						      const struct cudaKernelNodeParams *params)
{
	return ws_cuda_error(node && params && node->type == cudaGraphNodeTypeKernel
				     ? ws_graph_kernel(node, params) : cudaErrorInvalidValue);
}
