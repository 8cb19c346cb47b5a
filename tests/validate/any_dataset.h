/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/any_dataset.h -- whatever bytes, read as a data set and asked everything.
 */
#ifndef WS_TEST_ANY_DATASET_H
#define WS_TEST_ANY_DATASET_H

#include "validate/dataset.h"

#include <stdlib.h>
#include <string.h>

/* A failure has a sentence, and nothing else has one. */
static inline bool any_says(enum ws_status status, struct ws_err *err)
{
	bool right = (status != WS_OK) == (err->text[0] != '\0');

	*err = (struct ws_err){ .status = WS_OK };
	return right;
}

static inline bool any_row(const struct ws_set_row *r)
{
	static const char *const counter[] = { "l1.hit", "l1.sectors", "l2.hit", "l2.sectors" };
	struct ws_err err = { .status = WS_OK };
	struct ws_buf text = { 0 };
	struct ws_measured m;
	const char *because;
	char *path = NULL;
	bool right = true;

	for (size_t i = 0; i < WS_COUNT(counter); i++)
		right = right && any_says(ws_set_measured(r, counter[i], &m, &err), &err);
	for (unsigned l = 0; l < WS_SET_LEVELS; l++)
		right = right && any_says(ws_set_left_out(r, (enum ws_set_level)l, &because, &err),
					  &err);
	right = right && any_says(ws_set_launch(r, &text, &err), &err);
	right = right && any_says(ws_set_label(r, &text, &err), &err);
	right = right && any_says(ws_set_machine(r, NULL, &path, &err), &err);
	free(path);
	ws_buf_clear(&text);
	return right;
}

/* "CONF\n%%\nTABLE".  *read: whether it is a set whose first row has the hit rate of an L1. */
static inline bool read_dataset(const char *data, size_t size, bool *read)
{
	struct ws_data_set set = { .base = ws_strdup("base") };
	struct ws_err err = { .status = WS_OK };
	const char *mark = memmem(data, size, "\n%%\n", 4);
	size_t conf = mark ? (size_t)(mark - data) + 1 : size;
	size_t table = mark ? conf + 3 : size;
	enum ws_status status = ws_data_set_parse(&set, "set.conf", data, conf, &err);
	bool right = any_says(status, &err);

	if (status == WS_OK && right) {
		status = ws_data_set_table(&set, "a.csv", data + table, size - table, &err);
		right = any_says(status, &err);
	}
	*read = false;
	if (status == WS_OK && right && set.table[0].rows) {
		const struct ws_set_row first = { .set = &set, .table = set.table };
		struct ws_measured m;

		*read = ws_set_measured(&first, "l1.hit", &m, NULL) == WS_OK;
	}
	for (size_t i = 0; status == WS_OK && right && i < set.table[0].rows && i < 10; i++) {
		const struct ws_set_row r = { .set = &set, .table = set.table, .row = i };

		right = any_row(&r);
	}
	ws_data_set_close(&set);
	return right;
}

static inline bool try_dataset(const char *data, size_t size)
{
	bool read;

	return read_dataset(data, size, &read);
}

#endif
