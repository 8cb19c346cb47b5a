/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_info.c -- prints the contents of a trace, a profile or a launch file.
 *
 * tsv and csv are one table, a property a row.  json has one object for the
 * file and one for each launch, kernel, geometry and site, with all there is.
 */
#include "cli/cli.h"
#include "cli/info.h"
#include "trace/import.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const enum ws_col columns[] = { WS_COL_ITEM, WS_COL_PROPERTY, WS_COL_VALUE };

/* ---- launch files -------------------------------------------------------- */

static void buffer_rows(struct info *i, const struct ws_buffer *b)
{
	char item[64], type[WS_IMAGE_TEXT];

	snprintf(item, sizeof item, "buffer %.48s", b->name);
	if (b->image.shape)
		ws_image_text(&b->image, type, sizeof type);
	else if (b->lanes > 1)
		snprintf(type, sizeof type, "%s%u", ws_elem_names[b->elem], b->lanes);
	else
		snprintf(type, sizeof type, "%s", ws_elem_names[b->elem]);
	info_text(i, item, "type", "%s", type);
	if (b->image.shape)
		info_text(i, item, "size", "%" PRIu32 " %" PRIu32 " %" PRIu32, b->image.width,
			  b->image.height, b->image.depth);
	info_number(i, item, "elements", b->count);
	info_number(i, item, "bytes", b->bytes);
	info_text(i, item, "initialiser", "%s", b->init);
}

static void program_table(struct info *i, const struct ws_program *p)
{
	char item[64];

	info_text(i, "launch file", "source", "%s", p->source ? p->source : "");
	info_text(i, "launch file", "options", "%s", p->options ? p->options : "");
	for (size_t b = 0; b < p->buffers; b++)
		buffer_rows(i, &p->buffer[b]);
	for (size_t n = 0; n < p->launches; n++) {
		const struct ws_launch_spec *l = &p->launch[n];

		snprintf(item, sizeof item, "launch %zu", n + 1);
		info_text(i, item, "kernel", "%s", l->kernel ? l->kernel : "");
		info_triple(i, item, "global", l->global);
		info_triple(i, item, "local", l->local);
		info_triple(i, item, "offset", l->offset);
		info_number(i, item, "repeat", l->repeat);
		for (size_t a = 0; a < l->args; a++)
			info_text(i, item, "argument", "%s", l->arg[a].text);
	}
	for (size_t c = 0; c < p->checks; c++)
		info_text(i, "check", p->check[c].buffer, "%s", p->check[c].path);
}

static void launch_json(struct ws_json *j, const struct ws_launch_spec *l, size_t number)
{
	ws_json_line(j, "launch");
	ws_json_u64(j, "launch", number);
	ws_json_text(j, "kernel", l->kernel);
	ws_json_list(j, "global", l->global, 3);
	ws_json_list(j, "local", l->local, 3);
	ws_json_list(j, "offset", l->offset, 3);
	ws_json_u64(j, "repeat", l->repeat);
	ws_json_open(j, "args", '[');
	for (size_t a = 0; a < l->args; a++) {
		ws_json_text(j, NULL, l->arg[a].text);
	}
	ws_json_close(j, ']');
	ws_json_line_end(j);
}

static void buffer_json(struct ws_json *j, const struct ws_buffer *b)
{
	const uint64_t size[] = { b->image.width, b->image.height, b->image.depth };
	char type[WS_IMAGE_TEXT];

	ws_json_text(j, "name", b->name);
	ws_json_text(j, "type", ws_elem_names[b->elem]);
	ws_json_u64(j, "lanes", b->lanes);
	if (b->image.shape) {
		ws_image_text(&b->image, type, sizeof type);
		ws_json_text(j, "image", type);
		ws_json_list(j, "size", size, 3);
	}
	ws_json_u64(j, "elements", b->count);
	ws_json_u64(j, "bytes", b->bytes);
	ws_json_text(j, "initialiser", b->init);
}

static void program_json(struct ws_json *j, const struct ws_program *p)
{
	ws_json_line(j, "launch file");
	ws_json_text(j, "file", p->name);
	ws_json_text(j, "source", p->source);
	ws_json_text(j, "options", p->options);
	ws_json_open(j, "buffers", '[');
	for (size_t b = 0; b < p->buffers; b++) {
		ws_json_open(j, NULL, '{');
		buffer_json(j, &p->buffer[b]);
		ws_json_close(j, '}');
	}
	ws_json_close(j, ']');
	ws_json_open(j, "checks", '[');
	for (size_t c = 0; c < p->checks; c++) {
		ws_json_open(j, NULL, '{');
		ws_json_text(j, "buffer", p->check[c].buffer);
		ws_json_text(j, "file", p->check[c].path);
		ws_json_close(j, '}');
	}
	ws_json_close(j, ']');
	ws_json_line_end(j);
	for (size_t n = 0; n < p->launches; n++)
		launch_json(j, &p->launch[n], n + 1);
}

/* ---- the command --------------------------------------------------------- */

static enum ws_status begin_info(struct info *i, struct cli_call *call, struct ws_err *err)
{
	enum ws_status status = cli_report_begin(&i->report, call, NULL, columns,
						 WS_COUNT(columns), err);

	if (status == WS_OK && strcmp(call->options->format, "json") == 0)
		i->json.file = i->report.out.file;
	return status;
}

static enum ws_status show_trace(struct info *i, struct cli_call *call, struct ws_in *in,
				 const struct ws_trace_format *format, struct ws_err *err)
{
	struct ws_trace *t = NULL;
	enum ws_status status = format ? cli_foreign_open(&t, call, in, format, true, false, err)
				       : ws_trace_open_in(&t, in, err);

	uint64_t *constants = NULL;

	if (status != WS_OK)
		return status;
	status = info_constants(t, &constants, err);
	if (status == WS_OK)
		status = begin_info(i, call, err);
	if (status == WS_OK && i->json.file)
		info_trace_json(&i->json, t, constants);
	else if (status == WS_OK)
		info_trace(i, t, constants);
	free(constants);
	ws_trace_close(t);
	return status;
}

static enum ws_status show_profile(struct info *i, struct cli_call *call, const struct ws_in *in,
				   struct ws_err *err)
{
	struct ws_profile *p = NULL;
	enum ws_status status = ws_profile_read(&p, in, err);

	if (status != WS_OK)
		return status;
	call->seed = p->seed;
	status = begin_info(i, call, err);
	if (status == WS_OK && i->json.file)
		info_profile_json(&i->json, p, in->name);
	else if (status == WS_OK)
		info_profile(i, p, in->name);
	ws_profile_free(p);
	return status;
}

static enum ws_status show_program(struct info *i, struct cli_call *call, const struct ws_in *in,
				   struct ws_err *err)
{
	struct ws_program p = { 0 };
	enum ws_status status = cli_launch_parse(&p, call, in, err);

	if (status == WS_OK)
		status = ws_program_verify(&p, WS_CTA_THREADS_MAX, err);
	if (status == WS_OK)
		status = begin_info(i, call, err);
	if (status == WS_OK && i->json.file)
		program_json(&i->json, &p);
	else if (status == WS_OK)
		program_table(i, &p);
	ws_program_clear(&p);
	return status;
}

static enum ws_status show(struct info *i, struct cli_call *call, struct ws_in *in,
			   struct ws_err *err)
{
	const struct ws_trace_format *format;
	bool trace = ws_trace_recognise(in->data, in->len);
	enum ws_status status;

	if (trace || ws_profile_recognise(in->data, in->len)) {
		status = cli_own_check(call, in, err);
		return status != WS_OK ? status : trace ? show_trace(i, call, in, NULL, err)
							: show_profile(i, call, in, err);
	}
	status = cli_foreign_find(&format, call, in, err);
	if (status != WS_OK)
		return status;
	if (format)
		return show_trace(i, call, in, format, err);
	return cli_is_text(in) ? show_program(i, call, in, err) : cli_unknown_file(in, err);
}

static enum ws_status run_info(struct cli_call *call, struct ws_err *err)
{
	struct info i = { 0 };
	struct ws_in in = { 0 };
	enum ws_status status = cli_input_bytes(&in, call, 0, err);

	if (status != WS_OK)
		return status;
	status = show(&i, call, &in, err);
	status = cli_report_end(&i.report, status, err);
	ws_in_close(&in);
	return status;
}

static const struct ws_option table[] = { CLI_OPT_FROM, { 0 } };

const struct cli_command cli_cmd_info = {
	.name = "info",
	.summary = "shows what is in a trace, a profile or a launch file",
	.usage = "[options] [FILE]",
	.description =
		"Of a trace: its launches with grid, block, arrays, the table of memory "
		"instructions with their source lines, CTAs, accesses of each kind, and reads of "
		"constants (__constant, __constant__) by work-items, which ask the constant cache "
		"and not the L1.  Of a profile: its "
		"machine, for each kernel, line size and set count the requests of each kind, and "
		"for each array and source line the misses with the machine's l1.ways.  Of a "
		"launch file: what it would run.\n"
		"\n"
		"tsv and csv have one property a row.  json has everything, all tables of a "
		"profile included: one object for the file, and one for each launch, or each "
		"kernel, geometry and site, each with its type; warpstack-profile(5) says what "
		"they mean.  A trace of another tool's (warpstack-formats(5)) is shown as it is "
		"read; the bytes are then those of ours.",
	.examples = "warpstack info mm.wst\nwarpstack info mm.wsp --format json",
	.table = { table, cli_report, cli_general },
	.size = sizeof(struct cli_options),
	.operands_max = 1,
	.complete = "file",
	.run = run_info,
};
