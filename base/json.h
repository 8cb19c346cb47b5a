/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/json.h -- writes JSON; not installed.
 *
 * The writer knows where commas go.  name is that of a member of an object; NULL: the value is an
 * element of a list, or stands alone.  Write errors stay in the FILE.
 */
#ifndef WS_BASE_JSON_H
#define WS_BASE_JSON_H

#include "base/base.h"

struct ws_json {
	FILE *file;
	bool comma;		/* before the next value */
};

void ws_json_open(struct ws_json *j, const char *name, char bracket); /* '{' or '[' */
void ws_json_close(struct ws_json *j, char bracket);
/* What a file of trace events (Perfetto, chrome://tracing) has before its events, a microsecond a
 * cycle; "]" and "}" end it. */
void ws_json_trace_events(struct ws_json *j, const char *machine);
void ws_json_line(struct ws_json *j, const char *type); /* an object of that "type" begins */
void ws_json_line_end(struct ws_json *j);		/* it ends, and its line */

void ws_json_u64(struct ws_json *j, const char *name, uint64_t value);
void ws_json_i64(struct ws_json *j, const char *name, int64_t value);
void ws_json_fixed(struct ws_json *j, const char *name, double value); /* four decimals */
void ws_json_f64(struct ws_json *j, const char *name, double value); /* of 17 digits */
void ws_json_true(struct ws_json *j, const char *name, bool value);
void ws_json_text(struct ws_json *j, const char *name, const char *text); /* NULL: null */
void ws_json_list(struct ws_json *j, const char *name, const uint64_t *value, size_t count);

void ws_json_string(FILE *file, const char *text); /* quoted and escaped */
size_t ws_json_plain(const char *text);	/* characters before the first to be escaped */
void ws_shortest(FILE *file, double value); /* of the fewest digits that read back; finite */

#endif
