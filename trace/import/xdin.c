/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/xdin.c -- Dinero IV's extended format: `type address size` a line, hexadecimal, with
 * or without 0x; what follows on the line is a comment.
 *
 *	r 1000 4	read		w 1040 8	write
 *	i 400a10 3	instruction	m 1000 4	miscellaneous: taken for a read
 *	c 1000 4	copy back	v 1000 4	invalidate: neither is an access
 *
 * Reads and writes after an instruction are that instruction's.
 */
#include "trace/import/text.h"

#include <ctype.h>

static bool xdin_parse(const char *line, char *what, uint64_t *address, uint64_t *bytes)
{
	const char *p = line;

	ws_text_gap(&p);
	return ws_text_letter(&p, "rwimcvRWIMCV", what) && ws_text_gap(&p) &&
	       ws_text_hex(&p, address) && ws_text_gap(&p) && ws_text_hex(&p, bytes) &&
	       (ws_text_end(&p) || ws_text_gap(&p));
}

/* "R 1000 4" may be of the format plain, which is decimal (plain.c). */
static bool is_plain(const char *line)
{
	uint64_t number;
	char what;

	ws_text_gap(&line);
	return ws_text_letter(&line, "RW", &what) && ws_text_gap(&line) &&
	       ws_text_number(&line, &number) && ws_text_gap(&line) &&
	       ws_text_number(&line, &number) && ws_text_end(&line);
}

static enum ws_line_kind xdin_kind(const char *line)
{
	uint64_t address, bytes;
	char what;

	if (ws_text_end(&line) || is_plain(line))
		return WS_LINE_NEUTRAL;
	return xdin_parse(line, &what, &address, &bytes) ? WS_LINE_MINE : WS_LINE_OTHER;
}

static bool xdin_recognise(const uint8_t *data, size_t len)
{
	return ws_text_begins(data, len, xdin_kind);
}

static enum ws_status xdin_line(struct ws_single *one, const char *line, struct ws_err *err)
{
	uint64_t address, bytes;
	char what;

	if (ws_text_end(&line))
		return WS_OK;
	if (!xdin_parse(line, &what, &address, &bytes))
		return ws_packed_fail(one->s, err, "'%.60s' is no line of xdin: want "
				      "'r|w|i|m|c|v ADDRESS BYTES', hexadecimal", line);
	switch (tolower((unsigned char)what)) {
	case 'i':
		ws_single_instruction(one, address);
		return WS_OK;
	case 'r':
	case 'm':
		return ws_single_access(one, WS_LOAD, address, bytes, err);
	case 'w':
		return ws_single_access(one, WS_STORE, address, bytes, err);
	default:
		return WS_OK;
	}
}

static enum ws_status read_xdin(struct ws_packed *s, const char *path, struct ws_builder *b,
				struct ws_err *err)
{
	(void)path;
	return ws_single_read(s, b, NULL, xdin_line, err);
}

const struct ws_trace_format ws_trace_format_xdin = {
	.name = "xdin",
	.summary = "Dinero IV's extended format: type, address, size",
	.recognise = xdin_recognise,
	.read = read_xdin,
	.single = true,
};
