/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/plain.c -- the format of scripts: `R|W address [bytes]` a line.
 *
 *	R 4096			a load of the word of 4 bytes there
 *	W 0x1040 8		a store of 8
 *	# a comment
 *
 * Numbers are decimal, or hexadecimal after 0x.  Dinero's xdin looks much the same but is
 * always hexadecimal and always has sizes: three fields after a small letter are
 * taken for xdin (xdin.c), capital letters are this format's.
 */
#include "trace/import/text.h"

#include <string.h>

/* *sized: the line says it. */
static bool plain_parse(const char *line, char *what, uint64_t *address, uint64_t *bytes,
			bool *sized)
{
	const char *p = line;

	ws_text_gap(&p);
	if (!ws_text_letter(&p, "RWrw", what) || !ws_text_gap(&p) || !ws_text_number(&p, address))
		return false;
	*sized = ws_text_gap(&p) && ws_text_number(&p, bytes);
	if (!*sized) {
		*address = WS_TEXT_WORD(*address);
		*bytes = WS_TEXT_BYTES;
	}
	ws_text_gap(&p);
	return *p == '\0' || *p == '#';
}

static bool is_remark(const char *line)
{
	return *line == '#' || ws_text_end(&line);
}

static enum ws_line_kind plain_kind(const char *line)
{
	uint64_t address, bytes;
	bool sized;
	char what;

	if (is_remark(line))
		return WS_LINE_NEUTRAL;
	if (!plain_parse(line, &what, &address, &bytes, &sized) || (sized && strchr("rw", what)))
		return WS_LINE_OTHER;
	return WS_LINE_MINE;
}

static bool plain_recognise(const uint8_t *data, size_t len)
{
	return ws_text_begins(data, len, plain_kind);
}

static enum ws_status plain_line(struct ws_single *one, const char *line, struct ws_err *err)
{
	uint64_t address, bytes;
	bool sized;
	char what;

	if (is_remark(line))
		return WS_OK;
	if (!plain_parse(line, &what, &address, &bytes, &sized))
		return ws_packed_fail(one->s, err, "'%.60s': want 'R|W ADDRESS [BYTES]', decimal "
				      "or 0x", line);
	return ws_single_access(one, strchr("Rr", what) ? WS_LOAD : WS_STORE, address, bytes, err);
}

static enum ws_status read_plain(struct ws_packed *s, const char *path, struct ws_builder *b,
				 struct ws_err *err)
{
	(void)path;
	return ws_single_read(s, b, NULL, plain_line, err);
}

const struct ws_trace_format ws_trace_format_plain = {
	.name = "plain",
	.summary = "lines of R or W, address and perhaps size, decimal or 0x",
	.recognise = plain_recognise,
	.read = read_plain,
	.single = true,
};
