/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/stream.c -- streams and events.  All work is done when the call that asks for it
 * returns, so that a stream is a name, and an event the time at which it was recorded: that of this
 * processor, which ran the kernels, not a GPU's.
 */
#include "trace/cuda/graph.h"

#include <stdlib.h>

WS_CUDA_CALL cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
	*stream = ws_alloc_zero(1, sizeof **stream);
	if (*stream && !ws_stream_list(*stream)) {
		free(*stream);
		*stream = NULL;
	}
	if (*stream)
		(*stream)->flags = flags;
	return ws_cuda_error(*stream ? cudaSuccess : cudaErrorMemoryAllocation);
}

WS_CUDA_CALL cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
	return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

WS_CUDA_CALL cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags,
						      int priority)
{
	(void)priority;
	return cudaStreamCreateWithFlags(stream, flags);
}

/* There is one priority. */
WS_CUDA_CALL cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	if (least)
		*least = 0;
	if (greatest)
		*greatest = 0;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
	(void)stream;
	*priority = 0;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
	*flags = ws_stream_is_usual(stream) ? cudaStreamDefault : stream->flags;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
						const cudaStreamAttrValue *value)
{
	if (!value || (attribute != cudaStreamAttributeAccessPolicyWindow &&
		       attribute != cudaStreamAttributePriority))
		return ws_cuda_error(cudaErrorInvalidValue);
	if (!ws_stream_is_usual(stream) && attribute == cudaStreamAttributeAccessPolicyWindow)
		stream->window = value->accessPolicyWindow;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
						cudaStreamAttrValue *value)
{
	if (!value || (attribute != cudaStreamAttributeAccessPolicyWindow &&
		       attribute != cudaStreamAttributePriority))
		return ws_cuda_error(cudaErrorInvalidValue);
	*value = (cudaStreamAttrValue){ 0 };
	if (!ws_stream_is_usual(stream) && attribute == cudaStreamAttributeAccessPolicyWindow)
		value->accessPolicyWindow = stream->window;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
	cudaStreamAttrValue window;
	cudaError_t error =
		cudaStreamGetAttribute(from, cudaStreamAttributeAccessPolicyWindow, &window);

	return error == cudaSuccess
		       ? cudaStreamSetAttribute(to, cudaStreamAttributeAccessPolicyWindow, &window)
		       : error;
}

WS_CUDA_CALL cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
	*id = (uintptr_t)stream;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
	(void)stream;
	*device = 0;
	return cudaSuccess;
}

/* What it waits for has been done. */
WS_CUDA_CALL cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t f,
					       void *data, unsigned int flags)
{
	if (!f || flags)
		return ws_cuda_error(cudaErrorInvalidValue);
	if (ws_captures(stream))
		return ws_cuda_error(cudaErrorStreamCaptureUnsupported);
	f(stream, ws_cuda_stays(), data);
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t f, void *data)
{
	if (!f)
		return ws_cuda_error(cudaErrorInvalidValue);
	if (ws_captures(stream))
		return ws_cuda_error(ws_capture_host(stream, f, data));
	f(data);
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes,
						  unsigned int flags)
{
	(void)stream;
	(void)pointer;
	(void)bytes;
	(void)flags;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
	if (ws_stream_is_usual(stream))
		return ws_cuda_error(cudaErrorInvalidResourceHandle);
	ws_stream_forget(stream);
	ws_capture_clear(&stream->capture);
	free(stream);
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
	if (ws_captures(stream))
		return ws_cuda_error(cudaErrorStreamCaptureUnsupported);
	return cudaDeviceSynchronize();
}

WS_CUDA_CALL cudaError_t cudaStreamQuery(cudaStream_t stream)
{
	(void)stream;
	return cudaDeviceSynchronize();
}

WS_CUDA_CALL cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
					     unsigned int flags)
{
	(void)flags;
	if (event && ws_capture_goes_on(&event->capture) && !ws_stream_is_usual(stream))
		return ws_cuda_error(ws_capture_wait(stream, event));
	return ws_captures(stream) ? ws_cuda_error(cudaErrorStreamCaptureIsolation) : cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
	(void)flags;
	*event = ws_alloc_zero(1, sizeof **event);
	return ws_cuda_error(*event ? cudaSuccess : cudaErrorMemoryAllocation);
}

WS_CUDA_CALL cudaError_t cudaEventCreate(cudaEvent_t *event)
{
	return cudaEventCreateWithFlags(event, cudaEventDefault);
}

WS_CUDA_CALL cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	if (event)
		ws_capture_clear(&event->capture);
	free(event);
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	if (!event)
		return ws_cuda_error(cudaErrorInvalidResourceHandle);
	if (ws_captures(stream))
		return ws_cuda_error(ws_capture_record(event, stream));
	ws_capture_clear(&event->capture);
	event->seconds = ws_seconds();
	event->recorded = true;
	return ws_cuda_error(ws_cuda_stays());
}

WS_CUDA_CALL cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
						  unsigned int flags)
{
	(void)flags;
	return cudaEventRecord(event, stream);
}

WS_CUDA_CALL cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
	(void)event;
	return cudaDeviceSynchronize();
}

WS_CUDA_CALL cudaError_t cudaEventQuery(cudaEvent_t event)
{
	(void)event;
	return cudaDeviceSynchronize();
}

WS_CUDA_CALL cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
	if (!from || !to || !from->recorded || !to->recorded)
		return ws_cuda_error(cudaErrorInvalidResourceHandle);
	*milliseconds = (float)((to->seconds - from->seconds) * 1000);
	return cudaSuccess;
}
