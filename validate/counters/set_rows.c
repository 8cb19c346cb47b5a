/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/counters/set_rows.c -- a data set's folder: its tables, and where its set.conf is.
 */
#include "validate/counters/csv.h"
#include "validate/dataset.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char project[] = "counters/set.conf"; /* of data/ */

static char *joined(const char *folder, const char *name)
{
	size_t len = strlen(folder) + strlen(name) + 2;
	char *path = ws_alloc(len, 1);

	if (path)
		snprintf(path, len, "%s/%s", folder, name);
	return path;
}

/* Pipes and devices are not waited for. */
static enum ws_status open_file(struct ws_in *in, const char *path, struct ws_err *err)
{
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return ws_fail(err, WS_EINPUT, "%s: want a regular file", path);
	return ws_in_open(in, path, err);
}

/* ---- tables ------------------------------------------------------------------------- */

static enum ws_status add_record(struct ws_set_table *t, const struct ws_csv *c, struct ws_err *err)
{
	size_t records = t->rows + (t->columns > 0);

	if (!t->columns)
		t->columns = c->cells;
	else
		t->rows++;
	if (c->cells != t->columns)
		return ws_csv_fail(c, err, "%zu cells: want %zu, as the header has", c->cells,
				   t->columns);
	if (!WS_ROOM(t->at, t->at_cap, (records + 1) * t->columns) ||
	    !WS_ROOM(t->line, t->line_cap, records + 1))
		return ws_fail_memory(err, "the counters");
	t->line[records] = (size_t)c->line;
	for (size_t i = 0; i < t->columns; i++) {
		const char *cell = ws_csv_cell(c, i);

		t->at[records * t->columns + i] = t->text.len;
		ws_put_bytes(&t->text, cell, strlen(cell) + 1);
	}
	return t->text.failed ? ws_fail_memory(err, "the counters") : WS_OK;
}

enum ws_status ws_data_set_table(struct ws_data_set *set, const char *path, const char *text,
				 size_t len, struct ws_err *err)
{
	struct ws_set_table *t;
	struct ws_csv c;
	enum ws_status status = WS_OK;

	if (!WS_ROOM(set->table, set->table_cap, set->tables + 1))
		return ws_fail_memory(err, "the tables");
	t = &set->table[set->tables++];
	*t = (struct ws_set_table){ .path = ws_strdup(path) };
	if (!t->path)
		return ws_fail_memory(err, "the tables");
	ws_csv_init(&c, (const uint8_t *)text, len, path);
	while (status == WS_OK && ws_csv_more(&c)) {
		status = ws_csv_next(&c, err);
		if (status == WS_OK)
			status = add_record(t, &c, err);
	}
	ws_csv_clear(&c);
	if (status == WS_OK && !t->columns)
		return ws_fail(err, WS_EFORMAT, "%s:1: no header: want a table of counters", path);
	return status;
}

static enum ws_status read_table(struct ws_data_set *set, const char *name, struct ws_err *err)
{
	char *path = joined(set->folder, name);
	struct ws_in in = { 0 };
	enum ws_status status = path ? open_file(&in, path, err)
				     : ws_fail_memory(err, "the tables");

	if (status == WS_OK)
		status = ws_data_set_table(set, path, (const char *)in.data, in.len, err);
	ws_in_close(&in);
	free(path);
	return status;
}

/* ---- the folder ------------------------------------------------------------------------ */

static int is_table(const struct dirent *d)
{
	size_t len = strlen(d->d_name);

	return len > 4 && strcmp(d->d_name + len - 4, ".csv") == 0 && d->d_name[0] != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static enum ws_status read_tables(struct ws_data_set *set, struct ws_err *err)
{
	struct dirent **found = NULL;
	int count = scandir(set->folder, &found, is_table, by_bytes);
	enum ws_status status = WS_OK;

	if (count < 0 && errno == ENOTDIR)
		return ws_fail(err, WS_EINPUT, "%s: is no directory, want a data set's, which has "
			       "*.csv in it", set->folder);
	if (count < 0)
		return ws_fail(err, ws_input_status(errno), "%s: %s", set->folder, strerror(errno));
	for (int i = 0; i < count; i++) {
		if (status == WS_OK)
			status = read_table(set, found[i]->d_name, err);
		free(found[i]);
	}
	free(found);
	if (status == WS_OK && !count)
		return ws_fail(err, WS_EINPUT, "%s: no *.csv in it: want a data set",
			       set->folder);
	return status;
}

static enum ws_status find_conf(struct ws_data_set *set, struct ws_err *err)
{
	char *slash;

	set->conf = joined(set->folder, "set.conf");
	if (set->conf && access(set->conf, F_OK) != 0) {
		free(set->conf);
		set->conf = ws_data_path(project);
		if (!set->conf && errno == ENOENT)
			return ws_fail(err, WS_EINPUT, "%s: no set.conf in it, and none in the "
				       "data folder", set->folder);
	}
	set->base = set->conf ? ws_strdup(set->conf) : NULL;
	if (!set->base)
		return ws_fail_memory(err, "the data set");
	slash = strrchr(set->base, '/');
	if (slash)
		*slash = '\0';
	return WS_OK;
}

enum ws_status ws_data_set_open(struct ws_data_set *set, const char *folder, struct ws_err *err)
{
	struct ws_in in = { 0 };
	enum ws_status status;

	*set = (struct ws_data_set){ .folder = ws_strdup(folder) };
	status = set->folder ? find_conf(set, err) : ws_fail_memory(err, "the data set");
	if (status == WS_OK)
		status = read_tables(set, err);
	if (status == WS_OK)
		status = open_file(&in, set->conf, err);
	if (status == WS_OK)
		status = ws_data_set_parse(set, set->conf, (const char *)in.data, in.len, err);
	ws_in_close(&in);
	return status;
}

void ws_data_set_close(struct ws_data_set *set)
{
	for (size_t i = 0; i < set->sections; i++) {
		struct ws_set_section *s = &set->section[i];

		for (size_t k = 0; k < s->entries; k++) {
			free(s->entry[k].key);
			free(s->entry[k].value);
		}
		free(s->entry);
		free(s->kind);
		free(s->name);
		free(s->of);
	}
	for (size_t i = 0; i < set->tables; i++) {
		free(set->table[i].path);
		free(set->table[i].at);
		free(set->table[i].line);
		ws_buf_clear(&set->table[i].text);
	}
	free(set->section);
	free(set->table);
	free(set->folder);
	free(set->conf);
	free(set->base);
	*set = (struct ws_data_set){ 0 };
}
