/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/din.c -- Dinero's traditional format: `label address` a line, the address in
 * hexadecimal; what follows on the line is a comment.
 *
 *	0 1000	read		2 400a10	instruction fetch
 *	1 1040	write		3 1000		miscellaneous: taken for a read
 *	4 0	the cache is flushed: another launch begins
 *	5 1000	invalidate: no access
 *
 * An access is one of 4 bytes at the multiple of 4 below its address, as Dinero has it.
 * Dinero III flushes at 4; Dinero IV copies a block back, which changes no miss.  Reads and
 * writes after an instruction are that instruction's.
 *
 * Written are requests in the order of ordered.h, at the first 32 bytes that they ask for;
 * atomics as writes, launches with a flush between them, and no instructions.
 */
#include "trace/import/ordered.h"
#include "trace/import/text.h"

#include <inttypes.h>

static bool din_parse(const char *line, char *label, uint64_t *address)
{
	const char *p = line;

	ws_text_gap(&p);
	return ws_text_letter(&p, "012345", label) && ws_text_gap(&p) && ws_text_hex(&p, address) &&
	       (ws_text_end(&p) || ws_text_gap(&p));
}

static enum ws_line_kind din_kind(const char *line)
{
	uint64_t address;
	char label;

	if (ws_text_end(&line))
		return WS_LINE_NEUTRAL;
	return din_parse(line, &label, &address) ? WS_LINE_MINE : WS_LINE_OTHER;
}

static bool din_recognise(const uint8_t *data, size_t len)
{
	return ws_text_begins(data, len, din_kind);
}

static enum ws_status next_launch(struct ws_single *one, struct ws_err *err)
{
	enum ws_status status = ws_single_end(one, err);

	return status == WS_OK ? ws_single_begin(one, one->s, one->b, err) : status;
}

static enum ws_status din_line(struct ws_single *one, const char *line, struct ws_err *err)
{
	uint64_t address;
	char label;

	if (ws_text_end(&line))
		return WS_OK;
	if (!din_parse(line, &label, &address))
		return ws_packed_fail(one->s, err, "'%.60s' is no line of din: want a label of "
				      "0..5 and an address, hexadecimal", line);
	switch (label) {
	case '0':
	case '3':
		return ws_single_access(one, WS_LOAD, WS_TEXT_WORD(address), WS_TEXT_BYTES, err);
	case '1':
		return ws_single_access(one, WS_STORE, WS_TEXT_WORD(address), WS_TEXT_BYTES, err);
	case '2':
		ws_single_instruction(one, address);
		return WS_OK;
	case '4':
		return next_launch(one, err);
	default:
		return WS_OK;
	}
}

#define PLAIN_MAX 32u		/* bytes of a plain line and a few more */

/* Plain lines, most of a file, where they are: a label of 0 to 3, a blank, digits, and the end.  It
 * stops at any other, and near the end of what is there. */
static enum ws_status plain_lines(struct ws_single *one, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t len, lines = 0;
	const char *from = ws_packed_there(one->s, &len), *p = from, *end = from + len;

	while (end - p >= PLAIN_MAX && status == WS_OK) {
		enum ws_kind kind = *p == '1' ? WS_STORE : WS_LOAD;
		const char *q = p + 2;
		uint64_t address;
		char label = *p;

		if (label < '0' || label > '3' || p[1] != ' ' ||
		    !ws_text_hex_digits(&q, &address) || *q != '\n')
			break;
		p = q + 1;
		lines++;
		if (label == '2') {
			ws_single_instruction(one, address);
		} else if (!ws_single_again(one, kind, WS_TEXT_WORD(address), WS_TEXT_BYTES)) {
			ws_packed_took(one->s, (size_t)(p - from), lines); /* for errors' places */
			from = p;
			lines = 0;
			status = ws_single_other(one, kind, WS_TEXT_WORD(address), WS_TEXT_BYTES,
						 err);
		}
	}
	ws_packed_took(one->s, (size_t)(p - from), lines);
	return status;
}

static enum ws_status read_din(struct ws_packed *s, const char *path, struct ws_builder *b,
			       struct ws_err *err)
{
	(void)path;
	return ws_single_read(s, b, plain_lines, din_line, err);
}

/* ---- writing --------------------------------------------------------------------- */

struct din_writing {
	const struct ws_cache *l1;
	struct ws_out *out;
};

static enum ws_status din_put_launch(void *context, const struct ws_launch *launch, size_t number,
				     struct ws_err *err)
{
	const struct din_writing *w = context;

	(void)launch;
	(void)err;
	if (number)
		ws_out_write(w->out, "4 0\n", 4);
	return WS_OK;
}

static enum ws_status put_request(void *context, uint64_t l1, const struct ws_request *r,
				  struct ws_err *err)
{
	const struct din_writing *w = context;
	uint64_t at = 0, first;
	char line[32];

	(void)l1;
	(void)err;
	while (ws_ordered_part(w->l1, r, &at, &first)) {
		int n = snprintf(line, sizeof line, "%c %" PRIx64 "\n",
				 ws_request_below(r) == WS_LOAD ? '0' : '1', first);

		ws_out_write(w->out, line, (size_t)n);
	}
	return WS_OK;
}

static enum ws_status write_din(const struct ws_trace *t, const struct ws_writing *how,
				struct ws_out *out, struct ws_err *err)
{
	struct din_writing w = { how->l1, out };
	struct ws_ordered to = { .context = &w, .launch = din_put_launch, .request = put_request };

	return ws_ordered_run(t, how, &to, err);
}

const struct ws_trace_format ws_trace_format_din = {
	.name = "din",
	.summary = "Dinero's traditional format: label, address",
	.recognise = din_recognise,
	.read = read_din,
	.write = write_din,
	.streams = true,
	.single = true,
};
