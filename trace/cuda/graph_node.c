/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/graph_node.c -- a graph's nodes and edges, and copies of them.
 */
#include "trace/cuda/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- nodes ----------------------------------------------------------------------------- */

static void forget_arguments(struct ws_graph_kernel *k)
{
	for (size_t i = 0; i < k->count; i++)
		free(k->params.kernelParams[i]);
	free(k->params.kernelParams);
	*k = (struct ws_graph_kernel){ .count = 0 };
}

void ws_graph_forget(struct CUgraphNode_st *n)
{
	if (n->type == cudaGraphNodeTypeKernel)
		forget_arguments(&n->kernel);
	if (n->type == cudaGraphNodeTypeGraph || n->type == cudaGraphNodeTypeConditional)
		ws_graph_free(n->child);
	free(n->after);
	free(n);
}

void ws_graph_free(struct CUgraph_st *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->nodes; i++)
		ws_graph_forget(g->node[i]);
	ws_graph_let_go(g);
	free(g->node);
	free(g->condition);
	free(g);
}

bool ws_graph_after(struct CUgraphNode_st *node, struct CUgraphNode_st *before)
{
	if (!WS_ROOM(node->after, node->after_cap, node->afters + 1))
		return false;
	node->after[node->afters++] = before;
	return true;
}

struct CUgraphNode_st *ws_graph_add(struct CUgraph_st *g, enum cudaGraphNodeType type,
				    struct CUgraphNode_st *const *after, size_t afters)
{
	struct CUgraphNode_st *n = ws_alloc_zero(1, sizeof *n);
	bool good = n && WS_ROOM(g->node, g->cap, g->nodes + 1);

	for (size_t i = 0; i < afters && good; i++) {
		assert(after[i]->graph == g);
		good = ws_graph_after(n, after[i]);
	}
	if (!good) {
		free(n ? n->after : NULL);
		free(n);
		return NULL;
	}
	n->type = type;
	n->graph = g;
	n->place = g->nodes;
	g->node[g->nodes++] = n;
	return n;
}

/* The kernel's own parameters: what a launch is given. */
static size_t given_parameters(const struct ws_kernel *k)
{
	size_t count = 0;

	while (count < k->args && !k->arg[count].symbol && k->arg[count].kind != WS_ARG_LOCAL)
		count++;
	return count;
}

static cudaError_t copy_arguments(struct ws_graph_kernel *to, const struct cudaKernelNodeParams *p,
				  const struct ws_kernel *k)
{
	size_t count = given_parameters(k);

	if (count && !p->kernelParams)
		return cudaErrorInvalidValue;
	to->params = *p;
	to->params.kernelParams = ws_alloc_zero(count + 1, sizeof(void *));
	if (!to->params.kernelParams)
		return cudaErrorMemoryAllocation;
	for (; to->count < count; to->count++) {
		size_t bytes = k->arg[to->count].bytes;
		void *copy = ws_alloc(bytes + 1, 1);

		if (!copy)
			return cudaErrorMemoryAllocation;
		memcpy(copy, p->kernelParams[to->count], bytes);
		to->params.kernelParams[to->count] = copy;
	}
	return cudaSuccess;
}

cudaError_t ws_graph_kernel(struct CUgraphNode_st *node, const struct cudaKernelNodeParams *p)
{
	struct ws_graph_kernel made = { .count = 0 };
	cudaError_t error = cudaErrorInitializationError;
	struct ws_cuda_kernel *k;

	if (ws_cuda_enter() && (error = ws_cuda_stays()) == cudaSuccess) {
		k = ws_cuda_kernel(p->func);
		error = k ? ws_cuda_compile(k) : cudaErrorInvalidDeviceFunction;
		if (error == cudaSuccess)
			error = copy_arguments(&made, p, k->kernel);
	}
	ws_cuda_leave();
	if (error != cudaSuccess) {
		forget_arguments(&made);
		return error;
	}
	forget_arguments(&node->kernel);
	node->kernel = made;
	return cudaSuccess;
}

cudaError_t ws_graph_take(struct CUgraphNode_st *node, const struct CUgraphNode_st *of)
{
	struct CUgraph_st *child = NULL;
	cudaError_t error;

	switch (of->type) {
	case cudaGraphNodeTypeKernel:
		return ws_graph_kernel(node, &of->kernel.params);
	case cudaGraphNodeTypeGraph:
	case cudaGraphNodeTypeConditional:
		error = ws_graph_clone(&child, of->child);
		if (error != cudaSuccess)
			return error;
		ws_graph_free(node->child);
		node->child = child;
		node->condition = of->condition;
		node->again = of->again;
		return cudaSuccess;
	default:
		memcpy(&node->kernel, &of->kernel,
		       sizeof *of - offsetof(struct CUgraphNode_st, kernel));
		return cudaSuccess;
	}
}

static bool copy_edges(struct CUgraph_st *to, const struct CUgraph_st *from)
{
	bool good = true;

	for (size_t i = 0; i < from->nodes && good; i++) {
		for (size_t j = 0; j < from->node[i]->afters && good; j++)
			good = ws_graph_after(to->node[i],
					      to->node[from->node[i]->after[j]->place]);
	}
	return good;
}

static bool copy_conditions(struct CUgraph_st *to, const struct CUgraph_st *from)
{
	if (!WS_ROOM(to->condition, to->condition_cap, from->conditions))
		return false;
	if (from->conditions)
		memcpy(to->condition, from->condition,
		       from->conditions * sizeof *from->condition);
	to->conditions = from->conditions;
	return true;
}

cudaError_t ws_graph_clone(struct CUgraph_st **out, const struct CUgraph_st *g)
{
	struct CUgraph_st *made = ws_alloc_zero(1, sizeof *made);
	cudaError_t error = made && copy_conditions(made, g) ? cudaSuccess
							     : cudaErrorMemoryAllocation;

	for (size_t i = 0; i < g->nodes && error == cudaSuccess; i++) {
		struct CUgraphNode_st *n = ws_graph_add(made, g->node[i]->type, NULL, 0);

		error = n ? ws_graph_take(n, g->node[i]) : cudaErrorMemoryAllocation;
		if (n)
			n->origin = g->node[i];
	}
	if (error == cudaSuccess && (!copy_edges(made, g) || !ws_graph_hold_all(made, g)))
		error = cudaErrorMemoryAllocation;
	if (error != cudaSuccess) {
		ws_graph_free(made);
		made = NULL;
	}
	*out = made;
	return error;
}
