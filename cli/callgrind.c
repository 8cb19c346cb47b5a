/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/callgrind.c -- predict --format callgrind: counts of source lines, for callgrind_annotate,
 * cg_annotate and KCachegrind.  A kernel is a function, and each line has one row of counts.  What
 * is written is Cachegrind's format, which is Callgrind's with fewer headers.
 */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char cli_callgrind_name[] = "callgrind";

static const char *const events[] = { "Requests", "Misses", "Cold", "Capacity", "Conflict",
				      "Uncached" };
#define EVENTS WS_COUNT(events)

static void put(struct ws_buf *text, const char *s)
{
	ws_put_bytes(text, s, strlen(s));
}

/* A name, in which control characters would end the line. */
static void put_name(struct ws_buf *text, const char *key, const char *name)
{
	put(text, key);
	for (; *name; name++)
		ws_put_u8(text, (uint8_t)((unsigned char)*name < ' ' ? ' ' : *name));
	ws_put_u8(text, '\n');
}

static void put_counts(struct ws_buf *text, const uint64_t count[EVENTS])
{
	char number[24];

	for (size_t i = 0; i < EVENTS; i++) {
		snprintf(number, sizeof number, " %" PRIu64, count[i]);
		put(text, number);
	}
	ws_put_u8(text, '\n');
}

enum ws_status cli_callgrind_check(struct cli_call *call, struct ws_err *err)
{
	struct cli_options *o = call->options;
	const char *other = o->columns ? "columns" : o->sort ? "sort" : o->top ? "top"
			  : o->where.count ? "where" : o->kind ? "kind" : o->runs ? "runs" : NULL;

	if (other)
		return cli_usage(call->command, err, "--format callgrind and --%s: want one of "
				 "them", other);
	if (o->by && strcmp(o->by, "line") != 0)
		return cli_usage(call->command, err, "--format callgrind and --by=%s: it is of "
				 "source lines", o->by);
	o->by = "line";
	o->kind = "all";
	return WS_OK;
}

enum ws_status cli_callgrind_put(void *context, const struct ws_row *r, struct ws_err *err)
{
	struct cli_callgrind *c = context;
	const struct ws_counts *n = &r->prediction->kind[r->kind];
	const uint64_t count[] = { n->requests, n->misses, n->cold, n->capacity, n->conflict,
				   n->uncached };
	char line[24];

	(void)err; /* memory that is out shows at the end */
	if (!r->part)
		return WS_OK;
	put_name(&c->lines, "fl=", r->part->file && *r->part->file ? r->part->file : "???");
	put_name(&c->lines, "fn=", r->kernel);
	snprintf(line, sizeof line, "%" PRIu32, r->part->line);
	put(&c->lines, line);
	put_counts(&c->lines, count);
	for (size_t i = 0; i < EVENTS; i++)
		c->total[i] += count[i];
	return WS_OK;
}

enum ws_status cli_callgrind_end(struct cli_callgrind *c, const struct ws_study_plan *plan,
				 struct ws_err *err)
{
	char *how = cli_provenance(c->call, plan);
	struct ws_buf text = { 0 };
	enum ws_status status;

	put(&text, "desc: predicted by warpstack " WS_VERSION "\n");
	put_name(&text, "cmd: ", how ? how : "");
	put(&text, "events:");
	for (size_t i = 0; i < EVENTS; i++) {
		put(&text, " ");
		put(&text, events[i]);
	}
	ws_put_u8(&text, '\n');
	ws_put_bytes(&text, c->lines.data, c->lines.len);
	put(&text, "summary:");
	put_counts(&text, c->total);
	text.failed = text.failed || c->lines.failed || !how;
	status = cli_write_text(c->call, c->call->options->output, &text, "the counts of lines",
				err);
	free(how);
	ws_buf_clear(&text);
	return status;
}
