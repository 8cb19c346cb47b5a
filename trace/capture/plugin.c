/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/plugin.c -- what the plug-in offers.
 */
#include "trace/capture/plugin.h"

const struct ws_capture_plugin ws_capture_plugin = {
	.version = WS_PLUGIN_VERSION,
	.capture = ws_capture,
	.soft_run = ws_soft_run,
};
