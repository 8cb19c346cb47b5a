/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/capture_calls.c -- the calls that begin and end a stream's capture, and ask of it.
 */
#include "trace/cuda/graph.h"

static cudaError_t begin(cudaStream_t stream, struct CUgraph_st *graph)
{
	static _Atomic uint64_t captures;

	stream->capture.graph = graph;
	stream->capture.begun = true;
	stream->capture.id = ++captures;
	return cudaSuccess;
}

static cudaError_t can_begin(cudaStream_t stream)
{
	return ws_stream_is_usual(stream) ? cudaErrorStreamCaptureUnsupported
	       : stream->capture.graph	  ? cudaErrorIllegalState : cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
						enum cudaStreamCaptureMode mode)
{
	cudaError_t error = can_begin(stream);
	struct CUgraph_st *graph = NULL;

	(void)mode;
	if (error == cudaSuccess)
		error = cudaGraphCreate(&graph, 0);
	return ws_cuda_error(error == cudaSuccess ? begin(stream, graph) : error);
}

WS_CUDA_CALL cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
						       const cudaGraphNode_t *after,
						       const void *edges, size_t afters,
						       enum cudaStreamCaptureMode mode)
{
	cudaError_t error = graph ? can_begin(stream) : cudaErrorInvalidValue;

	(void)mode;
	if (error == cudaSuccess && edges)
		error = cudaErrorNotSupported;
	if (error == cudaSuccess && !ws_capture_after(&stream->capture, after, afters))
		error = cudaErrorMemoryAllocation;
	return ws_cuda_error(error == cudaSuccess ? begin(stream, graph) : error);
}

/* Streams that came in meanwhile leave with it. */
WS_CUDA_CALL cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
	if (!ws_captures(stream))
		return ws_cuda_error(cudaErrorIllegalState);
	if (!stream->capture.begun)
		return ws_cuda_error(cudaErrorStreamCaptureUnmatched);
	if (graph)
		*graph = stream->capture.graph;
	ws_streams_leave(stream->capture.graph);
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
					       enum cudaStreamCaptureStatus *status)
{
	*status = ws_captures(stream) ? cudaStreamCaptureStatusActive
				      : cudaStreamCaptureStatusNone;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
						  enum cudaStreamCaptureStatus *status,
						  unsigned long long *id, cudaGraph_t *graph,
						  const cudaGraphNode_t **after, size_t *afters)
{
	const struct ws_capture none = { .graph = NULL };
	const struct ws_capture *c = ws_captures(stream) ? &stream->capture : &none;

	(void)cudaStreamIsCapturing(stream, status);
	if (id)
		*id = c->id;
	if (graph)
		*graph = c->graph;
	if (after)
		*after = c->after;
	if (afters)
		*afters = c->afters;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
							     cudaGraphNode_t *after, size_t afters,
							     unsigned int flags)
{
	if (!ws_captures(stream))
		return ws_cuda_error(cudaErrorIllegalState);
	if (flags == cudaStreamSetCaptureDependencies)
		stream->capture.afters = 0;
	return ws_cuda_error(ws_capture_after(&stream->capture, after, afters) ? cudaSuccess
								     : cudaErrorMemoryAllocation);
}

WS_CUDA_CALL cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
	static _Thread_local enum cudaStreamCaptureMode current;
	enum cudaStreamCaptureMode before = current;

	current = *mode;
	*mode = before;
	return cudaSuccess;
}
