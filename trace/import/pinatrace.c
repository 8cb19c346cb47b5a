/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/pinatrace.c -- the output of Pin's example pinatrace:
 *
 *	0x7f00deadbee0: R 0x7ffd10203040
 *	0x7f00deadbee4: W 0x7ffd10203048 8 0x1
 *	#eof
 *
 * Instruction and address in hexadecimal; some versions add the size in bytes, in decimal,
 * and the value.  Without a size it is the word of 4 bytes.  Lines of # are comments.
 */
#include "trace/import/text.h"

static bool pinatrace_parse(const char *line, uint64_t *pc, char *what, uint64_t *address,
			    uint64_t *bytes)
{
	const char *p = line;

	ws_text_gap(&p);
	if (!ws_text_hex(&p, pc) || !ws_text_word(&p, ":") || !ws_text_gap(&p) ||
	    !ws_text_letter(&p, "RW", what) || !ws_text_gap(&p) || !ws_text_hex(&p, address))
		return false;
	if (ws_text_end(&p)) {
		*address = WS_TEXT_WORD(*address);
		*bytes = WS_TEXT_BYTES;
		return true;
	}
	return ws_text_gap(&p) && ws_text_decimal(&p, bytes) &&
	       (ws_text_end(&p) || ws_text_gap(&p)); /* a value may follow */
}

static bool is_remark(const char *line)
{
	return *line == '#' || ws_text_end(&line);
}

static enum ws_line_kind pinatrace_kind(const char *line)
{
	uint64_t pc, address, bytes;
	char what;

	if (is_remark(line))
		return WS_LINE_NEUTRAL;
	return pinatrace_parse(line, &pc, &what, &address, &bytes) ? WS_LINE_MINE : WS_LINE_OTHER;
}

static bool pinatrace_recognise(const uint8_t *data, size_t len)
{
	return ws_text_begins(data, len, pinatrace_kind);
}

static enum ws_status pinatrace_line(struct ws_single *one, const char *line, struct ws_err *err)
{
	uint64_t pc, address, bytes;
	char what;

	if (is_remark(line))
		return WS_OK;
	if (!pinatrace_parse(line, &pc, &what, &address, &bytes))
		return ws_packed_fail(one->s, err, "'%.60s' is no line of pinatrace: want "
				      "'INSTRUCTION: R|W ADDRESS [BYTES]'", line);
	one->pc = pc;
	return ws_single_access(one, what == 'R' ? WS_LOAD : WS_STORE, address, bytes, err);
}

static enum ws_status read_pinatrace(struct ws_packed *s, const char *path, struct ws_builder *b,
				     struct ws_err *err)
{
	(void)path;
	return ws_single_read(s, b, NULL, pinatrace_line, err);
}

const struct ws_trace_format ws_trace_format_pinatrace = {
	.name = "pinatrace",
	.summary = "output of Pin's pinatrace: instruction, R or W, address",
	.recognise = pinatrace_recognise,
	.read = read_pinatrace,
	.single = true,
};
