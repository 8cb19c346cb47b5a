/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/lackey.c -- the log of valgrind --tool=lackey --trace-mem=yes.
 *
 *	I  0023C790,2		an instruction: address (hex), bytes (decimal)
 *	 S BE80199C,4		a store, of the instruction before
 *	 L BE801950,8		a load
 *	 M 0025747C,1		a load, and a store to the same place
 *	==1234== ...		valgrind speaks; so do lines of "--1234--"
 *
 * Anything else is an error: a program that writes to the same file may have cut a line in
 * two; --log-file keeps them apart.
 */
#include "trace/import/text.h"

#include <string.h>

static bool is_remark(const char *line)
{
	return strncmp(line, "==", 2) == 0 || strncmp(line, "--", 2) == 0 || ws_text_end(&line);
}

static bool lackey_parse(const char *line, char *what, uint64_t *address, uint64_t *bytes)
{
	const char *p = line;

	if (!(*p == ' ' ? (p++, ws_text_letter(&p, "LSM", what)) : ws_text_letter(&p, "I", what)))
		return false;
	return ws_text_gap(&p) && ws_text_hex(&p, address) && ws_text_word(&p, ",") &&
	       ws_text_decimal(&p, bytes) && ws_text_end(&p);
}

static enum ws_line_kind lackey_kind(const char *line)
{
	uint64_t address, bytes;
	char what;

	if (is_remark(line))
		return WS_LINE_NEUTRAL;
	return lackey_parse(line, &what, &address, &bytes) ? WS_LINE_MINE : WS_LINE_OTHER;
}

static bool lackey_recognise(const uint8_t *data, size_t len)
{
	return ws_text_begins(data, len, lackey_kind);
}

static enum ws_status lackey_line(struct ws_single *one, const char *line, struct ws_err *err)
{
	uint64_t address, bytes;
	enum ws_status status;
	char what;

	if (is_remark(line))
		return WS_OK;
	if (!lackey_parse(line, &what, &address, &bytes))
		return ws_packed_fail(one->s, err, "'%.60s' is no line of lackey: want "
				      "'I  ADDRESS,BYTES', or L, S or M after a blank "
				      "(Valgrind's log-file keeps the program's output apart)",
					      line);
	if (what == 'I') {
		ws_single_instruction(one, address);
		return WS_OK;
	}
	status = ws_single_access(one, what == 'S' ? WS_STORE : WS_LOAD, address, bytes, err);
	if (status == WS_OK && what == 'M')
		status = ws_single_access(one, WS_STORE, address, bytes, err);
	return status;
}

static enum ws_status read_lackey(struct ws_packed *s, const char *path, struct ws_builder *b,
				  struct ws_err *err)
{
	(void)path;
	return ws_single_read(s, b, NULL, lackey_line, err);
}

const struct ws_trace_format ws_trace_format_lackey = {
	.name = "lackey",
	.summary = "log of Valgrind's lackey with memory traces",
	.recognise = lackey_recognise,
	.read = read_lackey,
	.single = true,
};
