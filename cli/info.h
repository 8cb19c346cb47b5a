/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/info.h -- what cmd_info.c shares with info_trace.c, info_profile.c and info_tables.c.
 */
#ifndef WS_CLI_INFO_H
#define WS_CLI_INFO_H

#include "base/json.h"
#include "cli/cli.h"
#include "trace/capture.h"

struct info {
	struct cli_report report;
	struct ws_json json;	/* .file NULL: rows are wanted */
};

/* A row: item, property, value. */
void info_text(struct info *i, const char *item, const char *property, const char *fmt, ...)
	WS_PRINTF(4, 5);
void info_number(struct info *i, const char *item, const char *property, uint64_t value);
void info_triple(struct info *i, const char *item, const char *property, const uint64_t v[3]);

/* (*constants)[launches]: reads of constants by lanes, which pass the L1; free(). */
enum ws_status info_constants(const struct ws_trace *t, uint64_t **constants,
			      struct ws_err *err) WS_MUST_CHECK;
void info_trace(struct info *i, const struct ws_trace *t, const uint64_t *constants);
void info_trace_json(struct ws_json *j, const struct ws_trace *t, const uint64_t *constants);
#define INFO_VALUE (2 * WS_NAME_MAX) /* bytes of a machine key's value */

extern const char *const info_forms[WS_FORMS];
void info_profile(struct info *i, const struct ws_profile *p, const char *name);
/* The first run of counted SMs at or after `from`; false if there is none. */
bool info_sm_range(const struct ws_profile *p, uint64_t from, uint64_t *first, uint64_t *last);
void info_profile_json(struct ws_json *j, const struct ws_profile *p, const char *name);

#endif
