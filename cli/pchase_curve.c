/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/pchase_curve.c -- pchase curve: walks over arrays of growing size, predicted, and beside
 * them what was measured.
 */
#include "cli/pchase.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLOSE_STEPS 32u		/* sizes from half the L1 to one and a half */
#define OCTAVE_STEPS 4u
#define ARRAY_LEAST 1024u
#define LOADS_MOST (1u << 25)	/* of a measured walk */
#define WALK_MOST (1u << 21)	/* loads of a walk, if --array does not ask for more */

static const enum ws_col curve_columns[] = {
	WS_COL_ITEM, WS_COL_POLICY, WS_COL_ARRAY_BYTES, WS_COL_STRIDE_BYTES, WS_COL_TIMED_LOADS,
	WS_COL_MEASURED_MISS_RATIO, WS_COL_MISS_RATIO, WS_COL_WALK_ERROR_PP, WS_COL_LATENCY_MEAN,
	WS_COL_BASIS, WS_COL_MEAN_ABS_PP, WS_COL_LARGEST_PP,
};

struct curve_error {
	double sum, largest;
	uint64_t walks;
};

struct curve_run {
	struct chase_call *c;
	struct ws_machine machine;	/* with the policy at hand */
	struct ws_chase_file file;
	uint64_t base;
	bool measured;
	struct ws_table *table;
};

/* ---- the walks --------------------------------------------------------------------------- */

static int by_array(const void *a, const void *b)
{
	const struct ws_chase_point *p = a, *q = b;

	return (p->array > q->array) - (p->array < q->array);
}

static enum ws_status add_walk(struct curve_run *r, uint64_t array, uint64_t stride,
			       struct ws_err *err)
{
	struct ws_chase_file *f = &r->file;

	array -= array % r->machine.l1.line_bytes;
	if (!array)
		return WS_OK;
	if (!WS_ROOM(f->point, f->point_cap, f->points + 1))
		return ws_fail_memory(err, "the walks");
	f->point[f->points++] = (struct ws_chase_point){ .array = array, .stride = stride };
	return WS_OK;
}

/* Sizes close to the L1's in small steps, others by parts of an octave; each once. */
static enum ws_status choose_walks(struct curve_run *r, struct ws_err *err)
{
	const struct pchase_options *o = r->c->o;
	const struct ws_machine *m = &r->machine;
	uint64_t stride = o->stride ? o->stride : m->l1.sector_bytes;
	uint64_t most = o->array ? o->array : 2 * m->l2.size_bytes;
	struct ws_chase_file *f = &r->file;
	enum ws_status status = WS_OK;
	size_t kept = 0;

	if (!o->array && most / stride > WALK_MOST)
		most = WALK_MOST * stride;
	for (uint64_t i = 0; i <= CLOSE_STEPS && status == WS_OK; i++) {
		uint64_t array = m->l1.size_bytes / 2 + m->l1.size_bytes * i / CLOSE_STEPS;

		if (array <= most)
			status = add_walk(r, array, stride, err);
	}
	for (uint64_t low = ARRAY_LEAST; low <= most && status == WS_OK; low *= 2)
		for (uint64_t i = 0; i < OCTAVE_STEPS && status == WS_OK; i++)
			if (low + low * i / OCTAVE_STEPS <= most)
				status = add_walk(r, low + low * i / OCTAVE_STEPS, stride, err);
	if (f->points)
		qsort(f->point, f->points, sizeof *f->point, by_array);
	for (size_t i = 0; i < f->points; i++)
		if (!kept || f->point[i].array != f->point[kept - 1].array)
			f->point[kept++] = f->point[i];
	f->points = kept;
	return status;
}

static enum ws_status read_walks(struct curve_run *r, struct ws_err *err)
{
	struct ws_in in = { 0 };
	enum ws_status status = ws_in_open(&in, r->c->o->like, err);

	if (status == WS_OK)
		status = ws_chase_read(&r->file, &in, err);
	ws_in_close(&in);
	for (size_t i = 0; i < r->file.points && status == WS_OK; i++)
		if (r->file.point[i].array / r->file.point[i].stride > LOADS_MOST ||
		    r->file.point[i].loads > LOADS_MOST)
			status = ws_fail(err, WS_EFORMAT, "%s: walk %zu has over %u loads, want "
					 "fewer", r->c->o->like, i + 1, LOADS_MOST);
	if (status == WS_OK && !r->file.points)
		return ws_fail(err, WS_EFORMAT, "%s: loads, want a curve: array_bytes, "
			       "stride_bytes and miss_ratio", r->c->o->like);
	r->measured = true;
	return status;
}

/* The cache that explains the file best as the L1 of the machine. */
static enum ws_status use_nearest(struct curve_run *r, struct ws_err *err)
{
	struct ws_chase_nearest nearest;
	enum ws_status status = ws_chase_explain(&r->c->found, &nearest, &r->file, err);
	struct ws_cache *l1 = &r->machine.l1;
	const struct ws_cache *n = &nearest.cache;

	if (status != WS_OK)
		return status;
	if (!n->ways)
		return ws_fail(err, WS_EINVAL, "%s: its curve has no array that misses: there "
			       "is no nearest cache", r->c->o->like);
	l1->set_ways = (struct ws_set_ways){ 0 };
	l1->sets = n->sets;
	l1->ways = n->ways;
	l1->line_bytes = n->line_bytes;
	l1->sector_bytes = n->sector_bytes;
	l1->size_bytes = n->size_bytes;
	l1->hash = n->hash;
	ws_policy_set_lru(l1);
	r->base = r->c->o->base ? r->base : nearest.base;
	cli_note(r->c->call, "the L1 has %" PRIu64 " sets by %s, %" PRIu64 " ways, lines of "
		 "%" PRIu64 " and sectors of %" PRIu64 " bytes, under %s; the array lies at "
		 "%" PRIu64, l1->sets, l1->hash->name, l1->ways, l1->line_bytes, l1->sector_bytes,
		 l1->policy, r->base);
	return WS_OK;
}

/* ---- rows ------------------------------------------------------------------------------ */

/* Of a curve whose stride is less than 32 bytes the ratio is bytes fetched by bytes loaded. */
static enum ws_status answer_walk(const struct curve_run *r, const struct ws_chase_point *p,
				  struct ws_chase_answer *a, struct ws_err *err)
{
	struct ws_chase_point walk = *p;
	bool bytes = r->measured && p->array && p->stride < WS_SECTOR_BYTES;
	enum ws_status status;

	walk.base = r->base;
	if (bytes)
		walk.stride = WS_SECTOR_BYTES;
	status = ws_chase_answer(a, &r->machine, &walk, r->c->call->seed, err);
	if (bytes)
		a->miss_ratio *= (double)r->machine.l1.sector_bytes / WS_SECTOR_BYTES;
	return status;
}

static void put_walk(const struct curve_run *r, const struct ws_chase_point *p,
		     const struct ws_chase_answer *a, struct curve_error *e)
{
	double error = 100 * fabs(a->miss_ratio - p->miss_ratio);
	struct ws_table *t = r->table;

	ws_cell_str(t, WS_COL_ITEM, "walk");
	ws_cell_str(t, WS_COL_POLICY, r->machine.l1.policy);
	if (p->array)
		ws_cell_u64(t, WS_COL_ARRAY_BYTES, p->array);
	ws_cell_u64(t, WS_COL_STRIDE_BYTES, p->stride);
	ws_cell_u64(t, WS_COL_TIMED_LOADS, p->loads ? p->loads
		    : p->array ? (p->array - 1) / p->stride + 1 : 1);
	ws_cell_f64(t, WS_COL_MISS_RATIO, a->miss_ratio);
	ws_cell_f64(t, WS_COL_LATENCY_MEAN, a->cycles);
	ws_cell_str(t, WS_COL_BASIS, ws_basis_names[a->basis]);
	if (r->measured) {
		ws_cell_f64(t, WS_COL_MEASURED_MISS_RATIO, p->miss_ratio);
		ws_cell_f64(t, WS_COL_WALK_ERROR_PP, error);
	}
	ws_row_end(t);
	e->sum += error;
	e->largest = fmax(e->largest, error);
	e->walks++;
}

static void put_error(const struct curve_run *r, const struct ws_chase_point *p,
		      const struct curve_error *e)
{
	ws_cell_str(r->table, WS_COL_ITEM, p->array ? "curve" : "fresh");
	ws_cell_str(r->table, WS_COL_POLICY, r->machine.l1.policy);
	if (p->array)
		ws_cell_u64(r->table, WS_COL_STRIDE_BYTES, p->stride);
	ws_cell_f64(r->table, WS_COL_MEAN_ABS_PP, e->sum / (double)e->walks);
	ws_cell_f64(r->table, WS_COL_LARGEST_PP, e->largest);
	ws_row_end(r->table);
}

/* Walks of fresh memory are one curve, those over arrays one for each stride. */
static bool same_curve(const struct ws_chase_point *a, const struct ws_chase_point *b)
{
	return a->array && b->array ? a->stride == b->stride : !a->array && !b->array;
}

static enum ws_status put_curves(const struct curve_run *r, struct ws_err *err)
{
	const struct ws_chase_file *f = &r->file;
	struct curve_error e = { 0 };
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < f->points && status == WS_OK; i++) {
		struct ws_chase_answer a;

		status = answer_walk(r, &f->point[i], &a, err);
		if (status != WS_OK)
			break;
		put_walk(r, &f->point[i], &a, &e);
		if (i + 1 < f->points && same_curve(&f->point[i], &f->point[i + 1]))
			continue;
		if (r->measured)
			put_error(r, &f->point[i], &e);
		e = (struct curve_error){ 0 };
	}
	return status;
}

static enum ws_status put_policies(struct curve_run *r, struct ws_err *err)
{
	char *list = ws_strdup(r->c->o->policies), *at = list, *name;
	enum ws_status status = list ? WS_OK : ws_fail_memory(err, "the policies");

	while (status == WS_OK && (name = strsep(&at, ","))) {
		char text[WS_NAME_MAX + 16];

		snprintf(text, sizeof text, "l1.policy=%.*s", WS_NAME_MAX - 1, name);
		status = ws_machine_set(&r->machine, text, err);
		if (status == WS_OK)
			status = ws_machine_check(&r->machine, err);
		if (status == WS_OK)
			status = put_curves(r, err);
	}
	free(list);
	return status;
}

enum ws_status cli_chase_curve(struct chase_call *c, struct ws_err *err)
{
	struct curve_run r = { .c = c, .machine = c->machine, .base = c->o->base };
	struct cli_report report = { 0 };
	enum ws_status status;

	if (c->o->nearest && !c->o->like)
		return cli_usage(c->call->command, err, "--nearest goes with --like FILE");
	if (c->o->like && (c->o->array || c->o->stride))
		return cli_usage(c->call->command, err, "--like says which walks: want no --array "
				 "and no --stride");
	status = c->o->like ? read_walks(&r, err) : choose_walks(&r, err);
	if (status == WS_OK && c->o->nearest)
		status = use_nearest(&r, err);
	if (status == WS_OK)
		status = cli_report_begin(&report, c->call, NULL, curve_columns,
					  WS_COUNT(curve_columns), err);
	r.table = report.table;
	if (status == WS_OK)
		status = c->o->policies ? put_policies(&r, err) : put_curves(&r, err);
	ws_chase_file_clear(&r.file);
	return cli_report_end(&report, status, err);
}
