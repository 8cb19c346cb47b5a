/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/hardware.c -- which rows of a data set are asked for, and on what machines.
 */
#include "study/hardware_private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct hardware_asking {
	struct ws_hardware *h;
	const struct ws_data_set *set;
	const struct ws_hardware_options *o;
	uint64_t sources;	/* of the kernels' sources */
};

/* ---- what a result depends on ------------------------------------------------------ */

uint64_t ws_hardware_hash(uint64_t key, const void *data, size_t len)
{
	const uint8_t *at = data;

	for (size_t i = 0; i < len; i++) /* FNV-1a */
		key = (key ^ at[i]) * UINT64_C(0x100000001b3);
	return key;
}

static enum ws_status hash_sources(struct hardware_asking *a, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	a->sources = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < a->set->sections && status == WS_OK; i++) {
		const char *source = ws_set_value(&a->set->section[i], "source");
		char path[4096];
		struct ws_in in = { 0 };

		if (strcmp(a->set->section[i].kind, "kernel") != 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", a->set->base, source);
		status = ws_in_open(&in, path, err);
		if (status == WS_OK)
			a->sources = ws_hardware_hash(a->sources, in.data, in.len);
		ws_in_close(&in);
	}
	return status;
}

static enum ws_status find_result_key(const struct hardware_asking *a, struct hardware_row *row,
				      struct ws_err *err)
{
	struct ws_buf text = { 0 };
	uint64_t h = ws_hardware_hash(a->sources, WS_VERSION, strlen(WS_VERSION));

	ws_machine_write(&row->m, &text);
	ws_put_u64(&text, a->o->study->seed);
	row->launch_key = ws_hardware_hash(h, row->launch.data, row->launch.len);
	row->key = ws_hardware_hash(row->launch_key, text.data, text.len);
	ws_buf_clear(&text);
	return text.failed ? ws_fail_memory(err, "a machine") : WS_OK;
}

/* ---- rows ----------------------------------------------------------------------------- */

/* Is the file there that set.conf names for the row? */
static enum ws_status check_machine(const struct hardware_row *row, struct ws_err *err)
{
	const char *wrong = NULL;
	struct stat st;

	if (stat(row->machine, &st) != 0)
		wrong = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		wrong = "want a regular file";
	return wrong ? ws_fail(err, WS_EINPUT, "%s:%zu: machine %s: %s", row->r.table->path,
			       ws_set_line(&row->r), row->machine, wrong)
		     : WS_OK;
}

static enum ws_status load_machine(const struct hardware_asking *a, struct hardware_row *row,
				   struct ws_err *err)
{
	const struct ws_study_options *s = a->o->study;
	char text[WS_ALTERNATIVES_MAX];
	enum ws_status status = a->o->machine ? WS_OK : check_machine(row, err);

	if (status == WS_OK)
		status = ws_study_load(s, row->machine, false, &row->m, err);
	for (size_t i = 0; i < s->set.count && status == WS_OK; i++)
		status = ws_machine_set(&row->m, s->set.item[i], err);
	if (status == WS_OK)
		status = ws_machine_check(&row->m, err);
	row->configurations = 1;
	for (size_t i = 0; status == WS_OK &&
	     ws_machine_alternatives(&row->m, i, text, sizeof text); i++) {
		uint64_t count = 1;

		for (const char *at = text; *at; at++)
			count += *at == '|';
		row->configurations *= count;
		if (row->configurations > WS_ALTERNATIVES_COUNT_MAX)
			return ws_fail(err, WS_EINVAL, "%s: its alternatives make over %u "
				       "machines", row->machine, WS_ALTERNATIVES_COUNT_MAX);
	}
	row->r.l1_bytes = row->m.l1.size_bytes;
	row->r.l2_bytes = row->m.l2.size_bytes;
	return status;
}

/* A condition over the row that an option or set.conf names; NULL holds. */
static enum ws_status holds(const struct ws_set_row *r, const char *where, const char *text,
			    bool *yes, struct ws_err *err)
{
	struct ws_scalar v = { .number = 1 };
	enum ws_status status = text ? ws_set_evaluate(r, where, text, &v, err) : WS_OK;

	*yes = *yes && !isnan(v.number) && v.number != 0;
	return status;
}

static bool same_word(const char *asked, const char *is)
{
	return !asked || strcmp(asked, is) == 0;
}

/* Is the row asked for, and can it be run?  What cannot is counted. */
static enum ws_status choose_row(const struct hardware_asking *a, struct hardware_row *row,
				 bool *yes, struct ws_err *err)
{
	const struct ws_set_section *all = &a->set->section[0];
	const struct ws_hardware_options *o = a->o;
	double requests = 0;
	enum ws_status status;

	*yes = same_word(o->gpu, ws_set_cell(&row->r, "gpu")) &&
	       same_word(o->kernel, ws_set_cell(&row->r, "kernel"));
	if (!*yes)
		return WS_OK;
	status = holds(&row->r, "the condition", o->rows, yes, err);
	if (status == WS_OK && o->quick)
		status = holds(&row->r, "quick", ws_set_value(all, "quick"), yes, err);
	if (status != WS_OK || !*yes)
		return status;
	a->h->rows++;
	if (!ws_set_kernel(&row->r)) {
		a->h->no_kernel++;
		*yes = false;
		return WS_OK;
	}
	if (o->machine)
		row->machine = ws_strdup(o->machine);
	if (o->machine && !row->machine)
		return ws_fail_memory(err, "a machine's name");
	if (!o->machine)
		status = ws_set_machine(&row->r, o->machines, &row->machine, err);
	if (status == WS_OK)
		status = ws_set_number(&row->r, ws_set_kernel(&row->r), "requests", 0, &requests,
				       err);
	*yes = status == WS_OK && row->machine && !(requests > o->budget);
	a->h->no_machine += status == WS_OK && !row->machine;
	a->h->too_large += status == WS_OK && row->machine && !*yes;
	return status;
}

/* Is it in some level's means? */
static enum ws_status scored_row(const struct hardware_asking *a, const struct hardware_row *row,
				 bool *yes, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	bool scored = a->o->all;

	for (unsigned l = 0; l < WS_SET_LEVELS && status == WS_OK && !scored; l++) {
		const char *because;

		status = ws_set_left_out(&row->r, (enum ws_set_level)l, &because, err);
		scored = !because;
	}
	a->h->not_scored += status == WS_OK && !scored;
	*yes = scored;
	return status;
}

static void clear_row(struct hardware_row *row)
{
	ws_buf_clear(&row->label);
	ws_buf_clear(&row->launch);
	free(row->machine);
	free(row->counts);
}

/* What an L2 keeps is known of a launch that is made twice: the second one counts. */
static void make_twice(struct hardware_row *row)
{
	bool keeps = row->m.l2_start == WS_L2_KEEP;
	char text[WS_ALTERNATIVES_MAX];

	for (size_t i = 0; ws_machine_alternatives(&row->m, i, text, sizeof text); i++)
		keeps = keeps || (strncmp(text, "l2.start=", 9) == 0 && strstr(text, "keep"));
	if (keeps)
		ws_put_bytes(&row->launch, "repeat = 2\n", 11);
}

static enum ws_status add_row(const struct hardware_asking *a, const struct ws_set_table *t,
			      size_t number, struct ws_err *err)
{
	struct ws_hardware *h = a->h;
	struct hardware_row *row;
	bool yes;
	enum ws_status status;

	if (!WS_ROOM(h->row, h->row_cap, h->row_count + 1))
		return ws_fail_memory(err, "the rows");
	row = &h->row[h->row_count];
	*row = (struct hardware_row){
		.r = { .set = a->set, .table = t, .row = number, .asked_sectors = (double)NAN },
	};
	status = choose_row(a, row, &yes, err);
	if (status == WS_OK && yes)
		status = load_machine(a, row, err);
	if (status == WS_OK && yes)
		status = scored_row(a, row, &yes, err);
	if (status == WS_OK && yes)
		status = ws_set_launch(&row->r, &row->launch, err);
	if (status == WS_OK && yes)
		make_twice(row);
	if (status == WS_OK && yes)
		status = ws_set_label(&row->r, &row->label, err);
	if (status == WS_OK && yes)
		status = find_result_key(a, row, err);
	if (status == WS_OK && yes)
		h->row_count++;
	else
		clear_row(row);
	return status;
}

enum ws_status ws_hardware_rows(struct ws_hardware *h, const struct ws_data_set *set,
				const struct ws_hardware_options *o, struct ws_err *err)
{
	struct hardware_asking a = { .h = h, .set = set, .o = o };
	enum ws_status status;

	*h = (struct ws_hardware){ 0 };
	status = hash_sources(&a, err);
	for (size_t t = 0; t < set->tables; t++)
		for (size_t i = 0; i < set->table[t].rows && status == WS_OK; i++)
			status = add_row(&a, &set->table[t], i, err);
	return status;
}

enum ws_status ws_hardware_judge(struct ws_hardware *out, const struct ws_data_set *set,
				 const struct ws_hardware_options *o, struct ws_err *err)
{
	struct hardware_state state = { 0 };
	enum ws_status status = ws_hardware_rows(out, set, o, err);

	if (status == WS_OK)
		status = ws_hardware_state_open(&state, o->state, err);
	for (size_t i = 0; i < out->row_count && status == WS_OK; i++)
		out->kept += ws_hardware_kept(&out->row[i], &state);
	if (status == WS_OK)
		status = ws_hardware_run(out, o, &state, err);
	ws_hardware_state_close(&state);
	return status == WS_OK && !o->parts ? ws_hardware_points(out, err) : status;
}

void ws_hardware_clear(struct ws_hardware *h)
{
	for (size_t i = 0; i < h->points; i++)
		free(h->point[i].choice);
	for (size_t i = 0; i < h->row_count; i++)
		clear_row(&h->row[i]);
	free(h->point);
	free(h->row);
	*h = (struct ws_hardware){ 0 };
}
