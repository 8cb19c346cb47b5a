/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/plugin.h -- libwarpstack-capture.so: all of capture that needs LLVM, which takes
 * long to load.
 *
 * capture.h's ws_capture and ws_soft_run are defined twice.  Programs and libwarpstack have those
 * of load.c, which load the plug-in and pass the call on; the plug-in, the OpenCL layer and tests
 * have the real ones.  The plug-in has its own copy of what it uses of the other rooms, and shows
 * one symbol.
 */
#ifndef WS_CAPTURE_PLUGIN_H
#define WS_CAPTURE_PLUGIN_H

#include "trace/capture.h"

/* The sum of the headers that both sides see arguments through. */
#ifndef WS_HEADERS
#define WS_HEADERS "?"
#endif
#define WS_PLUGIN_VERSION WS_VERSION " (headers " WS_HEADERS ")"
#define WS_PLUGIN_SYMBOL "ws_capture_plugin"

struct ws_capture_plugin {
	const char *version;	/* WS_PLUGIN_VERSION; the first member in all versions */
	enum ws_status (*capture)(struct ws_program *p, const struct ws_capture_options *options,
				  struct ws_out *out, struct ws_err *err);
	enum ws_status (*soft_run)(struct ws_program *p,
				   const struct ws_soft_run_options *options,
				   const struct ws_soft_hooks *hooks, struct ws_err *err);
};

WS_API_BEGIN
extern const struct ws_capture_plugin ws_capture_plugin;
WS_API_END

#endif
