/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/counters/set_launch.c -- a row of a data set: its counters, its machine, its launch.
 */
#include "validate/dataset.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *ws_set_cell(const struct ws_set_row *r, const char *column)
{
	const struct ws_set_table *t = r->table;
	const char *text = (const char *)t->text.data;

	for (size_t i = 0; i < t->columns; i++)
		if (strcmp(text + t->at[i], column) == 0)
			return text + t->at[(r->row + 1) * t->columns + i];
	return "";
}

size_t ws_set_line(const struct ws_set_row *r)
{
	return r->table->line[r->row + 1];
}

static bool has_column(const struct ws_set_table *t, const char *column)
{
	for (size_t i = 0; i < t->columns; i++)
		if (strcmp((const char *)t->text.data + t->at[i], column) == 0)
			return true;
	return false;
}

const struct ws_set_section *ws_set_kernel(const struct ws_set_row *r)
{
	return ws_set_section_find(r->set, "kernel", ws_set_cell(r, "kernel"), "");
}

/* Letters and digits alone count, in either case: "GTX-680" is "gtx680". */
static bool alike(const char *a, size_t len, const char *b)
{
	const char *end = a + len;

	for (;;) {
		while (a < end && !isalnum((unsigned char)*a))
			a++;
		while (*b && !isalnum((unsigned char)*b))
			b++;
		if (a == end || !*b)
			return a == end && !*b;
		if (tolower((unsigned char)*a++) != tolower((unsigned char)*b++))
			return false;
	}
}

static bool among(const char *names, const char *name)
{
	for (; names && *names; names += strspn(names, " ")) {
		size_t len = strcspn(names, " ");

		if (alike(names, len, name))
			return true;
		names += len;
	}
	return false;
}

static const struct ws_set_section *gpu_of(const struct ws_set_row *r)
{
	const char *gpu = ws_set_cell(r, "gpu");

	for (size_t i = 0; *gpu && i < r->set->sections; i++) {
		const struct ws_set_section *s = &r->set->section[i];

		if (strcmp(s->kind, "gpu") == 0 && (alike(s->name, strlen(s->name), gpu) ||
						    among(ws_set_value(s, "names"), gpu)))
			return s;
	}
	return NULL;
}

enum ws_status ws_set_machine(const struct ws_set_row *r, const char *folder, char **path,
			      struct ws_err *err)
{
	const struct ws_set_section *gpu = gpu_of(r);
	const char *value, *base;
	char key[80];
	size_t len;

	*path = NULL;
	snprintf(key, sizeof key, "machine.%s", ws_set_cell(r, "l1"));
	value = ws_set_value(gpu, key);
	value = value ? value : ws_set_value(gpu, "machine");
	if (!value)
		return WS_OK;
	base = strrchr(value, '/');
	value = folder && base ? base + 1 : value;
	folder = folder ? folder : r->set->base;
	len = strlen(folder) + strlen(value) + 2;
	*path = ws_alloc(len, 1);
	if (!*path)
		return ws_fail_memory(err, "a machine's path");
	snprintf(*path, len, "%s/%s", folder, value);
	return WS_OK;
}

/* ---- expressions ------------------------------------------------------------------------ */

struct row_names {
	const struct ws_set_row *row;
	bool within;		/* what the kernel says: its own text has no such names */
};

static bool find_name(const void *context, const char *name, struct ws_scalar *v);

static bool find_key(const struct ws_set_row *r, const char *key, struct ws_scalar *v)
{
	const struct row_names names = { r, true };
	const char *text = ws_set_value(ws_set_kernel(r), key);

	v->number = (double)NAN;
	return !text || ws_expression(text, find_name, &names, v, NULL) == WS_OK;
}

static bool find_name(const void *context, const char *name, struct ws_scalar *v)
{
	const struct row_names *names = context;
	const struct ws_set_row *r = names->row;

	if (has_column(r->table, name)) {
		const char *cell = ws_set_cell(r, name);

		if (!ws_parse_double(cell, &v->number)) {
			v->number = (double)NAN;
			snprintf(v->text, sizeof v->text, "%s", cell);
		}
		return true;
	}
	if (strcmp(name, "l1_bytes") == 0)
		v->number = (double)r->l1_bytes;
	else if (strcmp(name, "l2_bytes") == 0)
		v->number = (double)r->l2_bytes;
	else if (strcmp(name, "asked_sectors") == 0)
		v->number = r->asked_sectors;
	else if (names->within || (strcmp(name, "footprint") != 0 &&
				   strcmp(name, "requests") != 0 &&
				   strcmp(name, "streaming") != 0))
		return false;
	else
		return find_key(r, name, v);
	return true;
}

/* What is said of a row of the table and a line of set.conf. */
static enum ws_status at_row(const struct ws_set_row *r, const char *where,
			     const struct ws_err *why, struct ws_err *err)
{
	return ws_fail(err, why->status, "%s:%zu: %s of %s: %s", r->table->path, ws_set_line(r),
		       where, r->set->conf ? r->set->conf : "set.conf", why->text);
}

enum ws_status ws_set_evaluate(const struct ws_set_row *r, const char *where, const char *text,
			       struct ws_scalar *value, struct ws_err *err)
{
	const struct row_names names = { r, false };
	struct ws_err why = { .status = WS_OK };

	if (ws_expression(text, find_name, &names, value, &why) == WS_OK)
		return WS_OK;
	return at_row(r, where, &why, err);
}

enum ws_status ws_set_number(const struct ws_set_row *r, const struct ws_set_section *s,
			     const char *key, double usual, double *number, struct ws_err *err)
{
	const char *text = ws_set_value(s, key);
	struct ws_scalar v = { .number = usual };
	enum ws_status status = text ? ws_set_evaluate(r, key, text, &v, err) : WS_OK;

	*number = v.number;
	return status;
}

enum ws_status ws_set_measured(const struct ws_set_row *r, const char *counter,
			       struct ws_measured *m, struct ws_err *err)
{
	const struct ws_set_section *all = ws_set_section_find(r->set, "counter", counter, "");
	const struct ws_set_section *gpu = gpu_of(r);
	const struct ws_set_section *own =
		gpu ? ws_set_section_find(r->set, "counter", counter, gpu->name) : NULL;
	const char *counts;
	const double none = (double)NAN;
	enum ws_status status;

	own = own ? own : all;
	counts = ws_set_value(own, "counts");
	m->sectors = counts && strcmp(counts, "sectors") == 0;
	status = ws_set_number(r, own, "median", none, &m->median, err);
	if (status == WS_OK)
		status = ws_set_number(r, own, "p10", none, &m->p10, err);
	return status == WS_OK ? ws_set_number(r, own, "p90", none, &m->p90, err) : status;
}

enum ws_status ws_set_left_out(const struct ws_set_row *r, enum ws_set_level level,
			       const char **because, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*because = NULL;
	for (size_t i = 0; i < r->set->sections && status == WS_OK && !*because; i++) {
		const struct ws_set_section *s = &r->set->section[i];
		const char *of = ws_set_value(s, "level");
		double yes = 0;

		if (strcmp(s->kind, "leave-out") != 0 ||
		    (of && strcmp(of, ws_set_level_names[level]) != 0))
			continue;
		status = ws_set_number(r, s, "where", 0, &yes, err);
		if (!isnan(yes) && yes != 0)
			*because = ws_set_value(s, "because");
	}
	return status;
}

/* ---- the launch ---------------------------------------------------------------------------- */

static void put_line(struct ws_buf *buf, const char *before)
{
	ws_put_bytes(buf, before, strlen(before));
}

static enum ws_status fill_key(const struct ws_set_row *r, const char *before, const char *key,
			       struct ws_buf *buf, struct ws_err *err)
{
	const char *value = ws_set_value(ws_set_kernel(r), key);
	const struct row_names names = { r, false };
	struct ws_err why = { .status = WS_OK };

	if (!value)
		return WS_OK;
	put_line(buf, before);
	if (ws_expression_fill(value, find_name, &names, buf, &why) != WS_OK)
		return at_row(r, key, &why, err);
	put_line(buf, "\n");
	return WS_OK;
}

static enum ws_status fill_buffers(const struct ws_set_row *r, struct ws_buf *buf,
				   struct ws_err *err)
{
	const struct ws_set_section *s = ws_set_kernel(r);
	const struct row_names names = { r, false };
	struct ws_err why = { .status = WS_OK };

	put_line(buf, "[buffers]\n");
	for (size_t i = 0; i < s->entries; i++) {
		if (strcmp(s->entry[i].key, "buffer") != 0)
			continue;
		if (ws_expression_fill(s->entry[i].value, find_name, &names, buf, &why) != WS_OK)
			return at_row(r, "buffer", &why, err);
		put_line(buf, "\n");
	}
	put_line(buf, "[launch]\n");
	return WS_OK;
}

enum ws_status ws_set_launch(const struct ws_set_row *r, struct ws_buf *text, struct ws_err *err)
{
	static const struct {
		const char *before, *key;
	} line[] = {
		{ "kernel = ", "kernel" }, { "global = ", "global" }, { "local = ", "local" },
		{ "registers = ", "registers" }, { "args = ", "args" },
	};
	enum ws_status status;

	if (!ws_set_kernel(r))
		return ws_fail(err, WS_EINVAL, "no such kernel in the data set");
	status = fill_key(r, "source = ", "source", text, err);
	if (status == WS_OK)
		status = fill_key(r, "options = ", "options", text, err);
	if (status == WS_OK)
		status = fill_buffers(r, text, err);
	for (size_t i = 0; i < WS_COUNT(line) && status == WS_OK; i++)
		status = fill_key(r, line[i].before, line[i].key, text, err);
	return status == WS_OK && text->failed ? ws_fail_memory(err, "a launch") : status;
}

size_t ws_set_launch_line(const struct ws_set_row *r, size_t line)
{
	static const char *const from[] = { /* as above; NULL: the head of a section */
		"source", "options", NULL, "buffer", NULL, "kernel", "global", "local",
		"registers", "args",
	};
	const struct ws_set_section *s = ws_set_kernel(r);

	for (size_t k = 0; k < WS_COUNT(from); k++) {
		if (!from[k] && --line == 0)
			break;
		for (size_t i = 0; from[k] && i < s->entries; i++)
			if (strcmp(s->entry[i].key, from[k]) == 0 && --line == 0)
				return s->entry[i].line;
	}
	return s->line;
}

enum ws_status ws_set_label(const struct ws_set_row *r, struct ws_buf *text, struct ws_err *err)
{
	const char *value = ws_set_value(ws_set_kernel(r), "label");
	const struct row_names names = { r, false };
	struct ws_err why = { .status = WS_OK };

	if (value && ws_expression_fill(value, find_name, &names, text, &why) != WS_OK)
		return at_row(r, "label", &why, err);
	ws_put_u8(text, 0);
	return text->failed ? ws_fail_memory(err, "a launch") : WS_OK;
}
