/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/state.c -- what the runtime knows.
 */
#include "trace/cuda/runtime.h"

#include <stdlib.h>

struct ws_cuda ws_cuda = { .next = WS_DEVICE_BASE };

bool ws_cuda_enter(void)
{
	pthread_mutex_lock(&ws_app.run);
	if (!ws_cuda.begun) {
		ws_cuda.begun = true;
		ws_cuda.useless = !ws_app_begin();
		if (!getenv("WARPSTACK_OUT_OF_BOUNDS")) /* nobody else could run it */
			ws_app.settings.out_of_bounds = WS_OUT_OF_BOUNDS_FAIL;
		if (ws_app.tracing)
			atexit(ws_trace_finish);
	}
	return !ws_cuda.useless;
}

void ws_cuda_leave(void)
{
	pthread_mutex_unlock(&ws_app.run);
}
