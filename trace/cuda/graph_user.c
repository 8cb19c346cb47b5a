/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/graph_user.c -- objects of the program that graphs hold, until the last of them is
 * gone.
 */
#include "trace/cuda/graph.h"

#include <stdlib.h>

struct cudaUserObject_st {
	void *object;
	cudaHostFn_t destroy;
	_Atomic unsigned int count;
};

WS_CUDA_CALL cudaError_t cudaUserObjectCreate(cudaUserObject_t *out, void *object,
					      cudaHostFn_t destroy, unsigned int count,
					      unsigned int flags)
{
	cudaUserObject_t made;

	if (!out || !destroy || !count || flags != cudaUserObjectNoDestructorSync)
		return ws_cuda_error(cudaErrorInvalidValue);
	made = *out = ws_alloc_zero(1, sizeof *made);
	if (!made)
		return ws_cuda_error(cudaErrorMemoryAllocation);
	made->object = object;
	made->destroy = destroy;
	made->count = count;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count)
{
	if (!object || !count)
		return ws_cuda_error(cudaErrorInvalidValue);
	object->count += count;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count)
{
	if (!object || !count || count > object->count)
		return ws_cuda_error(cudaErrorInvalidValue);
	object->count -= count;
	if (!object->count) {
		object->destroy(object->object);
		free(object);
	}
	return cudaSuccess;
}

bool ws_graph_hold(struct CUgraph_st *g, struct cudaUserObject_st *object)
{
	if (!WS_ROOM(g->user, g->user_cap, g->users + 1))
		return false;
	g->user[g->users++] = object;
	return true;
}

bool ws_graph_hold_all(struct CUgraph_st *to, const struct CUgraph_st *from)
{
	for (size_t i = 0; i < from->users; i++) {
		if (!ws_graph_hold(to, from->user[i]))
			return false;
		from->user[i]->count++;
	}
	return true;
}

void ws_graph_let_go(struct CUgraph_st *g)
{
	for (size_t i = 0; i < g->users; i++)
		(void)cudaUserObjectRelease(g->user[i], 1);
	free(g->user);
	g->user = NULL;
	g->users = g->user_cap = 0;
}

WS_CUDA_CALL cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
						   unsigned int count, unsigned int flags)
{
	cudaError_t error = graph && object && count ? cudaSuccess : cudaErrorInvalidValue;

	for (unsigned int i = 0; i < count && error == cudaSuccess; i++) {
		if (!ws_graph_hold(graph, object))
			error = cudaErrorMemoryAllocation;
		else if (flags != cudaGraphUserObjectMove)
			object->count++;
	}
	return ws_cuda_error(error);
}

WS_CUDA_CALL cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
						    unsigned int count)
{
	size_t kept = 0, left = 0;

	if (!graph || !object || !count)
		return ws_cuda_error(cudaErrorInvalidValue);
	for (size_t i = 0; i < graph->users; i++)
		left += graph->user[i] == object;
	if (left < count)
		return ws_cuda_error(cudaErrorInvalidValue);
	left = count;
	for (size_t i = 0; i < graph->users; i++) {
		if (graph->user[i] == object && left)
			left--;
		else
			graph->user[kept++] = graph->user[i];
	}
	graph->users = kept;
	return cudaUserObjectRelease(object, count);
}
