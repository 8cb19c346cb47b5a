/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/study/t-columns.c -- the list of columns: each is described, each name is there once and
 * can be typed, groups follow each other.
 */
#include "study/study.h"

#include "tests/test.h"

static bool is_name(const char *text)
{
	return *text && text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

int main(void)
{
	size_t named = 0, described = 0, twice = 0, keys = 0;
	bool ascend = true;

	for (size_t i = 0; i < WS_COLS; i++) {
		const struct ws_column *c = &ws_columns[i];

		named += c->name && is_name(c->name);
		/* What two outputs say are counts or ratios, row by row. */
		described += c->meaning && *c->meaning &&
			     (c->type != WS_COLUMN_ANY || i == WS_COL_A || i == WS_COL_B);
		for (size_t k = 0; k < i; k++)
			twice += strcmp(c->name, ws_columns[k].name) == 0;
		keys += ws_key_find(c->name) != NULL && strchr(c->name, '.') != NULL;
	}
	test_u64(named, WS_COLS, "columns that have a name");
	test_u64(described, WS_COLS, "columns that are described");
	test_u64(twice, 0, "names that are there twice");
	test_u64(keys, 0, "columns that are named like keys that vary");
	for (const struct ws_column_group *g = ws_column_groups; g->title; g++)
		ascend = ascend && g[0].first < g[1].first;
	test_ok(ascend && ws_column_groups[0].first == 0, "groups cover all of them");
	test_u64(ws_column_of_key(ws_key_find("l1.size")).type, WS_COLUMN_COUNT,
		 "l1.size is a count");
	test_u64(ws_column_of_key(ws_key_find("l1.policy")).type, WS_COLUMN_TEXT,
		 "l1.policy is a text");
	return test_done();
}
