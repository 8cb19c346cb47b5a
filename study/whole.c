/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/whole.c -- a whole study in one call, its answer as text.
 */
#include "study/study.h"

#include <stdlib.h>

/* ---- rows -------------------------------------------------------------------- */

static enum ws_status take_row(void *context, const struct ws_row *row, struct ws_err *err)
{
	(void)err;
	ws_cells_row(context, row);
	ws_row_end(context);
	return WS_OK;
}

/* The varied keys, then the columns in the schema's order; keys is theirs. */
static enum ws_status find_fields(const struct ws_study_options *o,
				  const struct ws_study_plan *plan, bool simulate,
				  struct ws_column **keys, struct ws_field **field, size_t *fields,
				  struct ws_err *err)
{
	enum ws_col column[WS_COLS];
	bool has[WS_COLS] = { false }, tlb = false;
	enum ws_status status = simulate ? ws_study_plan_translates(plan, &tlb, err) : WS_OK;
	size_t columns = ws_row_columns(o, plan, tlb, column);

	*keys = ws_alloc(plan->shown, sizeof **keys);
	*field = ws_alloc(plan->shown + columns, sizeof **field);
	*fields = 0;
	if (!*keys || !*field)
		return ws_fail_memory(err, "the columns");
	for (size_t v = 0; v < plan->shown; v++) {
		(*keys)[v] = ws_column_of_key(plan->vary[v].key);
		(*field)[(*fields)++] = (struct ws_field){ WS_COL_VARIED(v), &(*keys)[v] };
	}
	for (size_t i = 0; i < columns; i++)
		has[column[i]] = true;
	if (plan->machine_vary < plan->varies) /* it is a varied key already */
		has[WS_COL_MACHINE] = false;
	for (unsigned i = 0; i < WS_COLS; i++)
		if (has[i])
			(*field)[(*fields)++] = (struct ws_field){ i, &ws_columns[i] };
	return status;
}

static enum ws_status write_rows(const struct ws_study_options *o,
				 const struct ws_study_plan *plan,
				 const struct ws_study_input *input, bool simulate, FILE *file,
				 struct ws_err *err)
{
	const struct ws_table_options as = { .format = WS_JSON, .columns = "all" };
	struct ws_column *keys = NULL;
	struct ws_field *field = NULL;
	struct ws_table *t = NULL;
	size_t fields = 0;
	enum ws_status status = find_fields(o, plan, simulate, &keys, &field, &fields, err);

	if (status == WS_OK)
		status = ws_table_new(&t, file, field, fields, &as, err);
	if (status == WS_OK)
		status = simulate ? ws_study_simulate(o, plan, input, take_row, t, err)
				  : ws_study_predict(o, plan, input, take_row, t, err);
	if (status == WS_OK)
		status = ws_table_end(t, err);
	ws_table_free(t);
	free(field);
	free(keys);
	return status;
}

enum ws_status ws_study_json(const struct ws_study_options *o, const struct ws_study_input *input,
			     bool simulate, struct ws_buf *out, struct ws_err *err)
{
	struct ws_study_plan plan = { 0 };
	char *text = NULL;
	size_t len = 0;
	FILE *file;
	enum ws_status status;

	if (simulate && !input->trace)
		return ws_fail(err, WS_EINVAL, "a profile cannot be simulated: want the trace");
	status = ws_study_plan_init(&plan, o, input->profile, input->trace, err);
	if (status == WS_OK && !simulate && !o->verify)
		status = ws_study_plan_modelled(&plan, "simulate it", err);
	file = status == WS_OK ? open_memstream(&text, &len) : NULL;
	if (file) {
		status = write_rows(o, &plan, input, simulate, file, err);
		if (fclose(file) != 0 && status == WS_OK)
			status = ws_fail_memory(err, "the rows");
		ws_put_bytes(out, text, len);
	} else if (status == WS_OK) {
		status = ws_fail_memory(err, "the rows");
	}
	free(text);
	ws_study_plan_clear(&plan);
	return status == WS_OK && out->failed ? ws_fail_memory(err, "the rows") : status;
}

/* ---- profiles ------------------------------------------------------------------ */

static enum ws_status add_shapes(struct ws_shapes *to, const struct ws_machine *m,
				 enum ws_status (*find)(const struct ws_machine *m,
							struct ws_shape **shape, size_t *shapes,
							struct ws_err *err),
				 struct ws_err *err)
{
	struct ws_shape *all = NULL;
	size_t count = 0;
	enum ws_status status = find(m, &all, &count, err);

	for (size_t i = 0; i < count && status == WS_OK; i++)
		status = ws_shapes_add(to, all[i].line_bytes, all[i].sets, err);
	free(all);
	return status;
}

static enum ws_status add_own(struct ws_shapes *to, const struct ws_machine *m, struct ws_err *err)
{
	return ws_shapes_add(to, m->l1.line_bytes, m->l1.sets, err);
}

static enum ws_status find_source(struct ws_source *source, const struct ws_study_plan *plan,
				  bool sampled, struct ws_err *err)
{
	enum ws_status status = ws_source_machines(source, plan, 0, err);

	source->record = sampled ? 0 : WS_RECORD_DEFAULT;
	source->timed = source->record & WS_RECORD_SETS;
	if (status == WS_OK)
		status = add_shapes(&source->shapes, &source->measured, ws_profile_shapes, err);
	if (status == WS_OK)
		status = add_own(&source->shapes, &source->measured, err);
	if (status == WS_OK)
		status = add_own(&source->shapes, &plan->machine, err);
	if (status == WS_OK)
		status = add_shapes(&source->plain, &source->measured, ws_profile_plain, err);
	return status == WS_OK && plan->l2 ? ws_source_behind(source, &plan->machine, err) : status;
}

bool ws_study_measured_l1(struct ws_cache *l1, const struct ws_cache *measured)
{
	if (l1->line_bytes == measured->line_bytes && l1->sets == measured->sets)
		return false;
	l1->size_bytes = measured->size_bytes;
	l1->sets = measured->sets;
	l1->ways = measured->ways;
	l1->line_bytes = measured->line_bytes;
	l1->sector_bytes = measured->sector_bytes;
	return true;
}

/* The machine that predictions start from: as it was set, with lines and sets as measured.  It is
 * written and read, so that it no longer says which keys were given. */
static enum ws_status keep_machine(struct ws_profile *p, const struct ws_machine *what,
				   struct ws_err *err)
{
	struct ws_machine m = *what;
	struct ws_buf text = { 0 };
	enum ws_status status;

	ws_study_measured_l1(&m.l1, &p->machine.l1);
	ws_machine_write(&m, &text);
	status = text.failed ? ws_fail_memory(err, "the machine's text")
			     : ws_machine_read(&p->machine, (const char *)text.data, text.len,
					       m.name, err);
	ws_buf_clear(&text);
	return status;
}

enum ws_status ws_study_profile(const struct ws_study_options *o, const struct ws_trace *t,
				struct ws_profile **out, struct ws_err *err)
{
	struct ws_study_options ask = *o;
	struct ws_source source = { .options = &ask, .trace = t, .seed = o->seed };
	struct ws_study_plan plan = { 0 };
	bool sampled = o->sample > 0 || o->sample_lines;
	uint64_t size;
	enum ws_status status;

	*out = NULL;
	ask.own = true;
	ask.levels |= o->levels & WS_STUDY_L2 ? WS_STUDY_L1 : 0u;
	ask.vary = (struct ws_list){ 0 };
	status = ws_study_plan_init(&plan, &ask, NULL, t, err);
	if (status == WS_OK)
		status = find_source(&source, &plan, sampled, err);
	if (status == WS_OK)
		status = ws_source_profile(&source, out, err);
	size = source.machine.l1.size_bytes;
	if (status == WS_OK && !sampled && (*out)->order == WS_ORDER_CYCLES)
		status = ws_source_orders(&source, (uint64_t[]){ size / 4, size / 2, 2 * size,
								  4 * size }, 4, *out, err);
	if (status == WS_OK)
		status = keep_machine(*out, &plan.machine, err);
	ws_shapes_clear(&source.shapes);
	ws_shapes_clear(&source.plain);
	ws_l2_wanted_clear(&source.behind);
	ws_study_plan_clear(&plan);
	if (status != WS_OK) {
		ws_profile_free(*out);
		*out = NULL;
	}
	return status;
}

/* ---- machines ------------------------------------------------------------------ */

enum ws_status ws_study_conf(const struct ws_study_options *o, struct ws_buf *out,
			     struct ws_err *err)
{
	struct ws_machine m;
	enum ws_status status = ws_study_machine(o, &m, err);

	if (status == WS_OK)
		ws_machine_write(&m, out);
	return status == WS_OK && out->failed ? ws_fail_memory(err, "the machine's text") : status;
}
