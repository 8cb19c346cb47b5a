/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/graph_params.c -- what nodes do, asked and changed, in graphs and what is launched.
 */
#include "trace/cuda/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(const struct CUgraphNode_st *n, enum cudaGraphNodeType type)
{
	return n && n->type == type;
}

static cudaError_t wrong(void)
{
	return ws_cuda_error(cudaErrorInvalidValue);
}

/* ---- copies ---------------------------------------------------------------------------- */

/* A copy of bytes as one row. */
static struct cudaMemcpy3DParms as_box(const struct ws_graph_copy *c)
{
	struct cudaMemcpy3DParms box = c->box;

	if (!c->flat)
		return box;
	memset(&box, 0, sizeof box);
	box.srcPtr = (struct cudaPitchedPtr){ (void *)(uintptr_t)c->from, c->bytes, c->bytes, 1 };
	box.dstPtr = (struct cudaPitchedPtr){ c->to, c->bytes, c->bytes, 1 };
	box.extent = (struct cudaExtent){ c->bytes, 1, 1 };
	box.kind = c->kind;
	return box;
}

/* A variable's byte at that offset, NULL: there is none. */
static void *in_symbol(const void *symbol, size_t bytes, size_t offset)
{
	size_t has = 0;
	void *pointer = NULL;

	if (cudaGetSymbolAddress(&pointer, symbol) != cudaSuccess ||
	    cudaGetSymbolSize(&has, symbol) != cudaSuccess || offset > has || bytes > has - offset)
		return NULL;
	return (uint8_t *)pointer + offset;
}

static cudaError_t set_copy(struct CUgraphNode_st *n, void *to, const void *from, size_t bytes,
			    enum cudaMemcpyKind kind)
{
	if (!is(n, cudaGraphNodeTypeMemcpy) || !to || !from)
		return wrong();
	n->copy = (struct ws_graph_copy){ true, to, from, bytes, kind, { 0 } };
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
							const cudaGraphNode_t *after, size_t afters,
							const void *symbol, const void *from,
							size_t bytes, size_t offset,
							enum cudaMemcpyKind kind)
{
	void *to = in_symbol(symbol, bytes, offset);

	return to ? cudaGraphAddMemcpyNode1D(node, graph, after, afters, to, from, bytes, kind)
		  : wrong();
}

WS_CUDA_CALL cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
							  const cudaGraphNode_t *after,
							  size_t afters, void *to,
							  const void *symbol, size_t bytes,
							  size_t offset, enum cudaMemcpyKind kind)
{
	void *from = in_symbol(symbol, bytes, offset);

	return from ? cudaGraphAddMemcpyNode1D(node, graph, after, afters, to, from, bytes, kind)
		    : wrong();
}

WS_CUDA_CALL cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
						      struct cudaMemcpy3DParms *params)
{
	if (!is(node, cudaGraphNodeTypeMemcpy) || !params)
		return wrong();
	*params = as_box(&node->copy);
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
						      const struct cudaMemcpy3DParms *params)
{
	if (!is(node, cudaGraphNodeTypeMemcpy) || !params)
		return wrong();
	node->copy = (struct ws_graph_copy){ .box = *params };
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to,
							const void *from, size_t bytes,
							enum cudaMemcpyKind kind)
{
	return set_copy(node, to, from, bytes, kind);
}

WS_CUDA_CALL cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node,
							      const void *symbol, const void *from,
							      size_t bytes, size_t offset,
							      enum cudaMemcpyKind kind)
{
	return set_copy(node, in_symbol(symbol, bytes, offset), from, bytes, kind);
}

WS_CUDA_CALL cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to,
								const void *symbol, size_t bytes,
								size_t offset,
								enum cudaMemcpyKind kind)
{
	return set_copy(node, to, in_symbol(symbol, bytes, offset), bytes, kind);
}

WS_CUDA_CALL cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec,
								  cudaGraphNode_t node,
								  const void *symbol,
								  const void *from, size_t bytes,
								  size_t offset,
								  enum cudaMemcpyKind kind)
{
	return set_copy(ws_graph_changed(exec, node), in_symbol(symbol, bytes, offset), from, bytes,
			kind);
}

WS_CUDA_CALL cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec,
								    cudaGraphNode_t node, void *to,
								    const void *symbol,
								    size_t bytes, size_t offset,
								    enum cudaMemcpyKind kind)
{
	return set_copy(ws_graph_changed(exec, node), to, in_symbol(symbol, bytes, offset), bytes,
			kind);
}

/* ---- fills, calls, graphs, memory ---------------------------------------------------------- */

WS_CUDA_CALL cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
						      struct cudaMemsetParams *params)
{
	if (!is(node, cudaGraphNodeTypeMemset) || !params)
		return wrong();
	*params = node->fill;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
						      const struct cudaMemsetParams *p)
{
	if (!is(node, cudaGraphNodeTypeMemset) || !p ||
	    (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
		return wrong();
	node->fill = *p;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
						    struct cudaHostNodeParams *params)
{
	if (!is(node, cudaGraphNodeTypeHost) || !params)
		return wrong();
	*params = node->host;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
						    const struct cudaHostNodeParams *params)
{
	if (!is(node, cudaGraphNodeTypeHost) || !params || !params->fn)
		return wrong();
	node->host = *params;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph)
{
	if (!is(node, cudaGraphNodeTypeGraph) || !graph)
		return wrong();
	*graph = node->child;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec,
							      cudaGraphNode_t node,
							      cudaGraph_t child)
{
	struct CUgraphNode_st *n = ws_graph_changed(exec, node);
	struct CUgraphNode_st of = { .type = cudaGraphNodeTypeGraph, .child = child };

	return is(n, cudaGraphNodeTypeGraph) && child ? ws_cuda_error(ws_graph_take(n, &of))
						      : wrong();
}

WS_CUDA_CALL cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
							struct cudaMemAllocNodeParams *params)
{
	if (!is(node, cudaGraphNodeTypeMemAlloc) || !params)
		return wrong();
	*params = node->memory;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *pointer)
{
	if (!is(node, cudaGraphNodeTypeMemFree) || !pointer)
		return wrong();
	memcpy(pointer, &node->memory.dptr, sizeof node->memory.dptr);
	return cudaSuccess;
}

/* ---- events ---------------------------------------------------------------------------- */

static cudaError_t get_event(const struct CUgraphNode_st *n, enum cudaGraphNodeType type,
			     cudaEvent_t *event)
{
	if (!is(n, type) || !event)
		return wrong();
	*event = n->event.event;
	return cudaSuccess;
}

static cudaError_t set_event(struct CUgraphNode_st *n, enum cudaGraphNodeType type,
			     cudaEvent_t event)
{
	if (!is(n, type) || !event)
		return wrong();
	n->event.event = event;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
	return get_event(node, cudaGraphNodeTypeEventRecord, event);
}

WS_CUDA_CALL cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
	return set_event(node, cudaGraphNodeTypeEventRecord, event);
}

WS_CUDA_CALL cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
	return get_event(node, cudaGraphNodeTypeWaitEvent, event);
}

WS_CUDA_CALL cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
	return set_event(node, cudaGraphNodeTypeWaitEvent, event);
}

WS_CUDA_CALL cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec,
							      cudaGraphNode_t node,
							      cudaEvent_t event)
{
	return set_event(ws_graph_changed(exec, node), cudaGraphNodeTypeEventRecord, event);
}

WS_CUDA_CALL cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec,
							    cudaGraphNode_t node, cudaEvent_t event)
{
	return set_event(ws_graph_changed(exec, node), cudaGraphNodeTypeWaitEvent, event);
}

/* ---- nodes and edges ---------------------------------------------------------------------- */

static bool comes_after(const struct CUgraphNode_st *n, const struct CUgraphNode_st *before)
{
	for (size_t i = 0; i < n->afters; i++) {
		if (n->after[i] == before)
			return true;
	}
	return false;
}

static void drop_edge(struct CUgraphNode_st *n, const struct CUgraphNode_st *before)
{
	size_t left = 0;

	for (size_t i = 0; i < n->afters; i++) {
		if (n->after[i] != before)
			n->after[left++] = n->after[i];
	}
	n->afters = left;
}

WS_CUDA_CALL cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
							cudaGraphNode_t *nodes, size_t *count)
{
	size_t given = 0;

	if (!node || !count)
		return wrong();
	for (size_t i = 0; i < node->graph->nodes; i++) {
		if (!comes_after(node->graph->node[i], node) || (nodes && given == *count))
			continue;
		if (nodes)
			nodes[given] = node->graph->node[i];
		given++;
	}
	*count = given;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
						     const cudaGraphNode_t *to, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!graph || from[i]->graph != graph || to[i]->graph != graph ||
		    !comes_after(to[i], from[i]))
			return wrong();
	}
	for (size_t i = 0; i < count; i++)
		drop_edge(to[i], from[i]);
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
	struct CUgraph_st *g = node ? node->graph : NULL;
	size_t left = 0;

	if (!g)
		return wrong();
	for (size_t i = 0; i < g->nodes; i++) {
		if (g->node[i] == node)
			continue;
		drop_edge(g->node[i], node);
		g->node[i]->place = left;
		g->node[left++] = g->node[i];
	}
	g->nodes = left;
	ws_graph_forget(node);
	return cudaSuccess;
}

static void print_nodes(FILE *f, const struct CUgraph_st *g)
{
	static const char *const names[] = {
		"kernel", "memcpy", "memset", "host", "graph", "empty", "event wait",
		"event record", "signal", "wait", "allocate", "free", "", "conditional",
	};

	fputs("digraph dot {\n", f);
	for (size_t i = 0; i < g->nodes; i++) {
		const struct CUgraphNode_st *n = g->node[i];

		fprintf(f, "\t\"node_%zu\" [label=\"%zu %s\"];\n", i, i,
			(size_t)n->type < WS_COUNT(names) ? names[n->type] : "");
		for (size_t j = 0; j < n->afters; j++)
			fprintf(f, "\t\"node_%zu\" -> \"node_%zu\";\n",
				n->after[j]->place, i);
	}
	fputs("}\n", f);
}

WS_CUDA_CALL cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path,
						unsigned int flags)
{
	FILE *f = graph && path ? fopen(path, "w") : NULL;
	bool good = f != NULL;

	(void)flags;
	if (f) {
		print_nodes(f, graph);
		good = !ferror(f);
		good = fclose(f) == 0 && good;
	}
	return good ? cudaSuccess : ws_cuda_error(f ? cudaErrorOperatingSystem
						    : cudaErrorInvalidValue);
}

/* ---- of what is launched ------------------------------------------------------------------ */

/* NULL: it cannot be left out. */
static struct CUgraphNode_st *optional(cudaGraphExec_t exec, cudaGraphNode_t node)
{
	struct CUgraphNode_st *n = ws_graph_changed(exec, node);

	return is(n, cudaGraphNodeTypeKernel) || is(n, cudaGraphNodeTypeMemcpy) ||
	       is(n, cudaGraphNodeTypeMemset) ? n : NULL;
}

WS_CUDA_CALL cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
						 unsigned int enabled)
{
	struct CUgraphNode_st *n = optional(exec, node);

	if (!n)
		return wrong();
	n->off = !enabled;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
						 unsigned int *enabled)
{
	const struct CUgraphNode_st *n = optional(exec, node);

	if (!n || !enabled)
		return wrong();
	*enabled = !n->off;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
							cudaGraphInstantiateParams *params)
{
	cudaError_t error = params ? cudaGraphInstantiateWithFlags(exec, graph, params->flags)
				   : wrong();

	if (!params)
		return error;
	params->errNode_out = NULL;
	params->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess
			     : error == cudaErrorInvalidValue ? cudaGraphInstantiateInvalidStructure
			     : error == cudaErrorNotSupported
				     ? cudaGraphInstantiateNodeOperationNotSupported
				     : cudaGraphInstantiateError;
	return error;
}
