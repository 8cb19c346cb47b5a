/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/plots/script.h -- what a figure writes for gnuplot, read back.
 */
#ifndef WS_TEST_SCRIPT_H
#define WS_TEST_SCRIPT_H

#include "plots/plots.h"
#include "tests/test.h"

static inline const char *find_line(const char *script, const char *start)
{
	for (const char *p = script; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL)
		if (strncmp(p, start, strlen(start)) == 0)
			return p + strlen(start);
	return NULL;
}

static inline uint64_t variable(const char *script, const char *name)
{
	char start[64];
	const char *text;

	snprintf(start, sizeof start, "%s = ", name);
	text = find_line(script, start);
	return text ? strtoull(text, NULL, 10) : UINT64_MAX;
}

static inline char *script_of(const char *figure, const struct ws_figure_input *in)
{
	struct ws_buf script = { 0 };
	struct ws_err err = { 0 };
	enum ws_status status = ws_figure_find(figure)->data(in, &script, &err);

	test_ok(status == WS_OK && !script.failed, "%s: %s", figure, err.text);
	ws_put_u8(&script, '\0');
	return (char *)script.data;
}

#endif
