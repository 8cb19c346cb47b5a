/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/app/settings.c -- the environment, as trace/capture.h has it.
 */
#include "trace/app/app.h"

#include <stdlib.h>
#include <string.h>

static enum ws_status machine(struct ws_machine *m, struct ws_err *err)
{
	const char *conf = getenv("WARPSTACK_MACHINE_CONF"), *name = getenv("WARPSTACK_MACHINE");

	if (conf)
		return ws_machine_read(m, conf, strlen(conf), "WARPSTACK_MACHINE_CONF", err);
	return ws_machine_load(m, name ? name : WS_MACHINE_DEFAULT, err);
}

static enum ws_status read_number(const char *name, uint64_t *value, struct ws_err *err)
{
	const char *text = getenv(name);

	if (text && !ws_parse_size(text, value))
		return ws_fail(err, WS_EINVAL, "%s=%s: want a number", name, text);
	return WS_OK;
}

static enum ws_status launches(struct ws_settings *s, struct ws_err *err)
{
	const char *text = getenv("WARPSTACK_LAUNCHES");

	s->first = 1;
	s->last = UINT64_MAX;
	if (text && !ws_launches_parse(text, &s->first, &s->last))
		return ws_fail(err, WS_EINVAL,
			       "WARPSTACK_LAUNCHES=%s: want N, or A:B with 1 <= A <= B", text);
	return WS_OK;
}

static enum ws_status out_of_bounds(struct ws_settings *s, struct ws_err *err)
{
	const char *text = getenv("WARPSTACK_OUT_OF_BOUNDS");

	s->out_of_bounds = WS_OUT_OF_BOUNDS_RECORD;
	for (int i = 0; text; i++) {
		if (!ws_out_of_bounds_names[i])
			return ws_fail(err, WS_EINVAL, "WARPSTACK_OUT_OF_BOUNDS=%s: want fail, "
				       "record or ignore", text);
		s->out_of_bounds = (enum ws_out_of_bounds)i;
		if (strcmp(ws_out_of_bounds_names[i], text) == 0)
			break;
	}
	return WS_OK;
}

static enum ws_status images(struct ws_settings *s, struct ws_err *err)
{
	const char *text = getenv("WARPSTACK_IMAGES");

	s->tiled = text && strcmp(text, "block-linear") == 0;
	if (text && !s->tiled && strcmp(text, "row-major") != 0)
		return ws_fail(err, WS_EINVAL,
			       "WARPSTACK_IMAGES=%s: want row-major or block-linear", text);
	return WS_OK;
}

enum ws_status ws_settings_read(struct ws_settings *s, struct ws_err *err)
{
	enum ws_status status = machine(&s->machine, err);

	if (status == WS_OK)
		status = read_number("WARPSTACK_CTAS", &s->ctas, err);
	if (status == WS_OK)
		status = read_number("WARPSTACK_REGISTERS", &s->registers, err);
	if (status == WS_OK)
		status = read_number("WARPSTACK_THREADS", &s->threads, err);
	if (status == WS_OK)
		status = launches(s, err);
	if (status == WS_OK)
		status = out_of_bounds(s, err);
	if (status == WS_OK)
		status = images(s, err);
	s->path = getenv("WARPSTACK_TRACE");
	s->spool = s->path ? NULL : getenv("WARPSTACK_SPOOL");
	if (s->spool)
		s->path = getenv("WARPSTACK_TRACE_OPEN");
	s->kernel = getenv("WARPSTACK_KERNEL");
	s->local = getenv("WARPSTACK_LOCAL") != NULL;
	s->no_source = getenv("WARPSTACK_NO_SOURCE") != NULL;
	s->fibres = getenv("WARPSTACK_FIBRES") != NULL;
	s->quiet = getenv("WARPSTACK_QUIET") != NULL;
	return status;
}
