/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/layer.c -- the OpenCL loader's entry points: OPENCL_LAYERS=libwarpstack-opencl.so.
 *
 * Calls that we do not take go straight to the platform.  The device is the machine whether or not
 * there is a trace to write, so that a program does the same.
 */
#include "trace/opencl/layer.h"

#include <stdlib.h>
#include <string.h>

__attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL
clGetLayerInfo(cl_layer_info what, size_t room, void *to, size_t *size)
{
	static const char name[] = "warpstack";
	cl_layer_api_version version = CL_LAYER_API_VERSION_100;

	switch (what) {
	case CL_LAYER_API_VERSION:
		return ws_answer(&version, sizeof version, room, to, size);
	case CL_LAYER_NAME:
		return ws_answer(name, sizeof name, room, to, size);
	default:
		return CL_INVALID_VALUE;
	}
}

/* Without settings that make sense the layer does nothing. */
static bool begin_layer(void)
{
	if (!ws_app_begin())
		return false;
	if (!ws_app.settings.path)
		ws_say("nothing is traced: want WARPSTACK_TRACE=FILE");
	return true;
}

__attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL
clInitLayer(cl_uint entries, const cl_icd_dispatch *next, cl_uint *own_entries,
	    const cl_icd_dispatch **own)
{
	size_t room = sizeof ws_layer.own, given = entries * sizeof(void *);

	if (!next || !own_entries || !own)
		return CL_INVALID_VALUE;
	ws_layer.next = next;
	memcpy(&ws_layer.own, next, given < room ? given : room);
	if (given >= room && begin_layer()) {
		ws_device_take(&ws_layer.own);
		ws_memory_take(&ws_layer.own);
		ws_image_take(&ws_layer.own);
		ws_program_take(&ws_layer.own);
		ws_kernel_take(&ws_layer.own);
		ws_event_take(&ws_layer.own);
		ws_enqueue_take(&ws_layer.own);
		atexit(ws_trace_finish);
	}
	*own_entries = (cl_uint)(room / sizeof(void *));
	*own = &ws_layer.own;
	return CL_SUCCESS;
}
