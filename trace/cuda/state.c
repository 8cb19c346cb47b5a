/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/state.c -- what the runtime knows.
 */
#include "trace/cuda/runtime.h"

#include <stdlib.h>

struct ws_cuda ws_cuda = { .next = WS_DEVICE_BASE };

/* Programs look for what their device code is made for, as a V100 has it. */
static bool set_machine(void)
{
	struct ws_err err = { 0 };
	enum ws_status status = WS_OK;

	if (!getenv("WARPSTACK_MACHINE") && !getenv("WARPSTACK_MACHINE_CONF"))
		status = ws_machine_load(&ws_app.settings.machine, "v100", &err);
	if (status != WS_OK)
		ws_say("%s", err.text);
	return status == WS_OK;
}

bool ws_cuda_enter(void)
{
	pthread_mutex_lock(&ws_app.run);
	if (!ws_cuda.begun) {
		ws_cuda.begun = true;
		ws_cuda.useless = !ws_app_begin() || !set_machine();
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
