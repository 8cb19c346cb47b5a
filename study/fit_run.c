/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/fit_run.c -- what combinations make of the launches.
 *
 * A launch is asked about a box of combinations at once, as a sweep: so configurations of it that
 * differ in what leaves the order alone share its simulation.
 */
#include "study/fit_private.h"

#include <stdlib.h>
#include <string.h>

#define NUMBERS (WS_SET_LEVELS * HARDWARE_COUNTS)

struct fit_ask {
	struct fit_run *f;
	const struct fit_box *box;
	uint64_t *number;	/* [numbers]: of the product, in the order of the box */
	size_t numbers;
};

/* ---- results by key ---------------------------------------------------------------- */

static bool is_machine(const struct fit_run *f, const struct hardware_row *row, uint64_t number,
		       struct ws_machine *m)
{
	struct ws_err ignored = { 0 };

	return ws_vary_machine(&row->m, f->fit->vary, f->fit->keys, number, m, &ignored) == WS_OK &&
	       ws_policy_check(m, &ignored) == WS_OK && ws_policy_check_l2(m, &ignored) == WS_OK &&
	       ws_cycles_check(m, &ignored) == WS_OK;
}

/* Of the launch, the start, the combination and the way of asking. */
static bool fit_key(const struct fit_run *f, const struct hardware_row *row, uint64_t number,
		    bool own, uint64_t *key)
{
	struct ws_buf text = { 0 };
	struct ws_machine m;
	bool ok = is_machine(f, row, number, &m);

	ws_put_str(&text, "fit");
	ws_put_u8(&text, (uint8_t)(own + 2 * f->o->predicted + 4 * f->o->level[WS_SET_L2]));
	ws_put_u64(&text, f->o->hardware->study->seed);
	ws_machine_write(&row->m, &text);
	if (ok)
		ws_machine_write(&m, &text);
	ok = ok && !text.failed;
	if (ok)
		*key = ws_hardware_hash(row->launch_key, text.data, text.len);
	ws_buf_clear(&text);
	return ok;
}

const struct hardware_counts *ws_fit_counts(struct fit_run *f, const struct hardware_row *row,
					    uint64_t number, bool own)
{
	uint64_t key;

	return fit_key(f, row, number, own, &key)
		? (const struct hardware_counts *)(const void *)ws_hardware_state_find(&f->state,
										       key, NUMBERS)
		: NULL;
}

/* Is all of the box known that the row can have? */
static bool all_known(const struct fit_ask *a, const struct hardware_row *row)
{
	struct ws_machine m;

	for (size_t i = 0; i < a->numbers; i++)
		if (is_machine(a->f, row, a->number[i], &m) &&
		    !ws_fit_counts(a->f, row, a->number[i], a->box->own))
			return false;
	return true;
}

/* ---- one launch -------------------------------------------------------------------- */

struct fit_sink {
	const struct fit_ask *a;
	struct hardware_counts *counts; /* [numbers][levels] */
};

static struct hardware_counts counts_of(const struct ws_counts *c)
{
	return (struct hardware_counts){ c->requests, c->misses, c->sectors, c->sectors_missed };
}

static enum ws_status take_counts(void *context, const struct ws_row *r, struct ws_err *err)
{
	const struct fit_sink *s = context;
	uint64_t element = r->plan->element ? r->plan->element[r->config] : r->config;
	struct hardware_counts *to = &s->counts[element * WS_SET_LEVELS + r->l2];

	(void)err;
	if (!r->check) {
		*to = counts_of(&r->prediction->kind[WS_LOAD]);
		return WS_OK;
	}
	*to = counts_of(&r->check->model.kind[WS_LOAD]);
	if (!to->sectors) { /* the model may know none */
		to->sectors = r->check->exact[WS_LOAD].sectors;
		to->sectors_missed = r->check->exact[WS_LOAD].sectors_missed;
	}
	return WS_OK;
}

/* "KEY=A,B" of each key's values in the box. */
static bool spell_box(const struct fit_ask *a, struct ws_buf *text, struct ws_list *vary)
{
	const struct ws_fit *fit = a->f->fit;
	size_t *at = ws_alloc(fit->keys, sizeof *at);
	bool ok = at != NULL;

	for (size_t k = 0; k < fit->keys && ok; k++) {
		const struct ws_vary *v = &fit->vary[k];
		char between = '=';

		at[k] = text->len;
		ws_put_bytes(text, v->key->name, strlen(v->key->name));
		for (size_t i = 0; i < v->count; i++) {
			if (!a->box->take[k][i])
				continue;
			ws_put_u8(text, (uint8_t)between);
			ws_put_bytes(text, v->value[i], strlen(v->value[i]));
			between = ',';
		}
		ws_put_u8(text, 0);
	}
	for (size_t k = 0; k < fit->keys && ok; k++)
		ok = !text->failed && ws_list_add(vary, (const char *)text->data + at[k]);
	free(at);
	return ok;
}

static enum ws_status ask_box(const struct fit_ask *a, const struct ws_study_options *ask,
			      const struct ws_trace *trace, struct hardware_counts *counts,
			      struct ws_err *err)
{
	const struct ws_study_input in = { trace, NULL };
	struct fit_sink sink = { a, counts };
	struct ws_study_plan plan = { 0 };
	enum ws_status status = ws_study_plan_init(&plan, ask, NULL, trace, err);

	if (status == WS_OK && a->f->o->predicted)
		status = ws_study_crosscheck(ask, &plan, &in, -1, take_counts, &sink, err);
	else if (status == WS_OK)
		status = ws_study_simulate(ask, &plan, &in, take_counts, &sink, err);
	ws_study_plan_clear(&plan);
	return status;
}

static enum ws_status keep_counts(const struct fit_ask *a, const struct hardware_row *row,
				  const struct hardware_counts *counts, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < a->numbers && status == WS_OK; i++) {
		uint64_t key;

		if (fit_key(a->f, row, a->number[i], a->box->own, &key) &&
		    !ws_hardware_state_find(&a->f->state, key, NUMBERS))
			status = ws_hardware_state_add(&a->f->state, key,
						       &counts[i * WS_SET_LEVELS].requests,
						       NUMBERS, err);
	}
	return status;
}

/* The study of a row: the free keys as a sweep, what else the machine leaves open at the first. */
static bool fill_study(const struct fit_ask *a, const struct hardware_row *row,
		       struct ws_study_options *ask, struct ws_buf *text, char **room)
{
	struct ws_list open = { 0 };
	bool ok = spell_box(a, text, &ask->vary);

	for (size_t i = 0; i < a->f->set_keys.count; i++)
		ok = ok && ws_list_add(&ask->set, a->f->set_keys.item[i]);
	ok = ws_hardware_open_keys(&row->m, false, &open, room) && ok;
	for (size_t i = 0; i < open.count; i++) {
		const struct ws_key *key = ws_assigned_key(open.item[i]);
		bool free_key = false;

		for (size_t k = 0; k < a->f->fit->keys; k++)
			free_key = free_key || a->f->fit->vary[k].key == key;
		ok = ok && (free_key || ws_list_add(&ask->set, open.item[i]));
	}
	ws_list_clear(&open);
	ask->machine = row->machine;
	ask->order = ws_order_names[WS_ORDER_CYCLES];
	ask->l2_what_if = !a->box->own;
	ask->own = a->box->own;
	ask->levels = a->f->o->level[WS_SET_L2] ? WS_STUDY_L1 | WS_STUDY_L2 : WS_STUDY_L1;
	ask->kind = "all";
	ask->search = true;
	ask->threads = 1;
	ask->progress = false;
	return ok;
}

static enum ws_status take_fitted(void *context, struct hardware_row *row,
				  const struct ws_trace *trace, struct ws_err *err)
{
	const struct fit_ask *a = context;
	struct ws_study_options ask = *a->f->o->hardware->study;
	struct hardware_counts *counts;
	struct ws_buf text = { 0 };
	char *room = NULL;
	enum ws_status status = WS_OK;

	if (all_known(a, row)) /* of a row with the same launch and machine */
		return WS_OK;
	ask.set = ask.vary = (struct ws_list){ 0 };
	counts = ws_alloc_zero(a->numbers * WS_SET_LEVELS, sizeof *counts);
	if (!counts || !fill_study(a, row, &ask, &text, &room))
		status = ws_fail_memory(err, "a launch's results");
	if (status == WS_OK)
		status = ask_box(a, &ask, trace, counts, err);
	if (status == WS_OK)
		status = keep_counts(a, row, counts, err);
	ws_list_clear(&ask.set);
	ws_list_clear(&ask.vary);
	ws_buf_clear(&text);
	free(room);
	free(counts);
	return status;
}

/* ---- a box of combinations --------------------------------------------------------- */

/* Each number with each value of the next key. */
static size_t extend_numbers(const struct fit_ask *a, size_t key, uint64_t *to)
{
	size_t values = a->f->fit->vary[key].count, count = 0;

	for (size_t n = 0; n < a->numbers; n++)
		for (size_t i = 0; i < values; i++)
			if (a->box->take[key][i])
				to[count++] = a->number[n] * values + i;
	return count;
}

/* The numbers of the box's combinations, the last key's values fastest. */
static enum ws_status list_numbers(struct fit_ask *a, struct ws_err *err)
{
	const struct ws_fit *fit = a->f->fit;

	a->number = ws_alloc_zero(1, sizeof *a->number);
	a->numbers = 1;
	for (size_t k = 0; k < fit->keys && a->number; k++) {
		uint64_t *next = ws_alloc(a->numbers * fit->vary[k].count, sizeof *next);

		if (next)
			a->numbers = extend_numbers(a, k, next);
		free(a->number);
		a->number = next;
	}
	return a->number ? WS_OK : ws_fail_memory(err, "the combinations");
}

enum ws_status ws_fit_ask(struct fit_run *f, const struct fit_box *box, struct ws_err *err)
{
	struct fit_ask a = { .f = f, .box = box };
	bool *asked = ws_alloc(f->fit->h.row_count + 1, sizeof *asked);
	const struct hardware_pass pass = {
		.h = &f->fit->h, .o = f->o->hardware, .what = "fitting launches", .asked = asked,
		.take = take_fitted, .context = &a,
	};
	enum ws_status status = asked ? list_numbers(&a, err)
				      : ws_fail_memory(err, "the launches");
	bool any = false;

	for (size_t i = 0; i < f->fit->h.row_count && status == WS_OK; i++) {
		asked[i] = f->asked[i] && !all_known(&a, &f->fit->h.row[i]);
		any = any || asked[i];
	}
	if (status == WS_OK && any)
		status = ws_hardware_launches(&pass, err);
	free(a.number);
	free(asked);
	return status;
}
