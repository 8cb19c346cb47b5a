/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/capture.c -- streams that are captured: what is asked for in them becomes nodes of a
 * graph.  An event that is recorded in one brings those streams in that wait for it.
 */
#include "trace/cuda/graph.h"

#include <stdlib.h>
#include <string.h>

/* ---- streams ---------------------------------------------------------------------------- */

void ws_capture_clear(struct ws_capture *c)
{
	free(c->after);
	*c = (struct ws_capture){ .graph = NULL };
}

static struct {
	pthread_mutex_t lock;
	struct CUstream_st **stream;
	size_t streams, cap;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool ws_stream_list(struct CUstream_st *s)
{
	bool good;

	pthread_mutex_lock(&all.lock);
	good = WS_ROOM(all.stream, all.cap, all.streams + 1);
	if (good)
		all.stream[all.streams++] = s;
	pthread_mutex_unlock(&all.lock);
	return good;
}

void ws_stream_forget(const struct CUstream_st *s)
{
	pthread_mutex_lock(&all.lock);
	for (size_t i = 0; i < all.streams; i++) {
		if (all.stream[i] == s)
			all.stream[i] = all.stream[--all.streams];
	}
	pthread_mutex_unlock(&all.lock);
}

bool ws_capture_goes_on(const struct ws_capture *c)
{
	bool found = false;

	pthread_mutex_lock(&all.lock);
	for (size_t i = 0; i < all.streams && c->graph; i++) {
		const struct ws_capture *other = &all.stream[i]->capture;

		found |= other->graph && other->begun && other->id == c->id;
	}
	pthread_mutex_unlock(&all.lock);
	return found;
}

void ws_streams_leave(const struct CUgraph_st *graph)
{
	pthread_mutex_lock(&all.lock);
	for (size_t i = 0; i < all.streams; i++) {
		if (all.stream[i]->capture.graph == graph)
			ws_capture_clear(&all.stream[i]->capture);
	}
	pthread_mutex_unlock(&all.lock);
}

/* ---- nodes ------------------------------------------------------------------------------ */

bool ws_capture_after(struct ws_capture *c, struct CUgraphNode_st *const *after, size_t afters)
{
	bool own = after == c->after; /* as cudaStreamGetCaptureInfo gave it */

	if (!WS_ROOM(c->after, c->cap, c->afters + afters))
		return false;
	after = own ? c->after : after;
	for (size_t i = 0; i < afters; i++)
		c->after[c->afters++] = after[i];
	return true;
}

struct CUgraphNode_st *ws_capture_node(cudaStream_t stream, enum cudaGraphNodeType type)
{
	struct ws_capture *c = &stream->capture;
	struct CUgraphNode_st *n = ws_graph_add(c->graph, type, c->after, c->afters);

	c->afters = 0;
	return n && ws_capture_after(c, &n, 1) ? n : NULL;
}

/* ---- events ---------------------------------------------------------------------------- */

/* Other's place in a graph becomes c's, too; false: out of memory. */
static bool copy_place(struct ws_capture *c, const struct ws_capture *from)
{
	c->graph = from->graph;
	c->id = from->id;
	return ws_capture_after(c, from->after, from->afters);
}

cudaError_t ws_capture_record(cudaEvent_t event, cudaStream_t stream)
{
	ws_capture_clear(&event->capture);
	return copy_place(&event->capture, &stream->capture) ? cudaSuccess
							     : cudaErrorMemoryAllocation;
}

cudaError_t ws_capture_wait(cudaStream_t stream, cudaEvent_t event)
{
	struct ws_capture *c = &stream->capture;

	if (c->graph && c->graph != event->capture.graph)
		return cudaErrorStreamCaptureMerge;
	return copy_place(c, &event->capture) ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* ---- calls ----------------------------------------------------------------------------- */

cudaError_t ws_capture_kernel(cudaStream_t stream, const struct cudaKernelNodeParams *p)
{
	struct CUgraphNode_st *n = ws_capture_node(stream, cudaGraphNodeTypeKernel);

	return n ? ws_graph_kernel(n, p) : cudaErrorMemoryAllocation;
}

cudaError_t ws_capture_copy(cudaStream_t stream, const struct ws_graph_copy *copy)
{
	struct CUgraphNode_st *n = ws_capture_node(stream, cudaGraphNodeTypeMemcpy);

	if (n)
		n->copy = *copy;
	return n ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t ws_capture_fill(cudaStream_t stream, const struct cudaMemsetParams *fill)
{
	struct CUgraphNode_st *n = ws_capture_node(stream, cudaGraphNodeTypeMemset);

	if (n)
		n->fill = *fill;
	return n ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t ws_capture_host(cudaStream_t stream, cudaHostFn_t f, void *data)
{
	struct CUgraphNode_st *n = ws_capture_node(stream, cudaGraphNodeTypeHost);

	if (n)
		n->host = (struct cudaHostNodeParams){ f, data };
	return n ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t ws_capture_alloc(cudaStream_t stream, void *pointer, size_t bytes)
{
	struct CUgraphNode_st *n = ws_capture_node(stream, cudaGraphNodeTypeMemAlloc);

	if (n)
		n->memory = (struct cudaMemAllocNodeParams){ .bytesize = bytes, .dptr = pointer };
	return n ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t ws_capture_free(cudaStream_t stream, void *pointer)
{
	struct CUgraphNode_st *n = ws_capture_node(stream, cudaGraphNodeTypeMemFree);

	if (n)
		n->memory.dptr = pointer;
	return n ? cudaSuccess : cudaErrorMemoryAllocation;
}
