/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/access.c -- the figure `access`: addresses that a launch reads and writes, in execution
 * order.
 *
 * Horizontally the number of the access in execution order on one SM, vertically the address
 * (stacked arrays, regions.h), coloured by the thread's global id in the first dimension.  Accesses
 * are those of single lanes, before coalescing.  Order "warp" is the machine's scheduler over all
 * its warps, up to RESIDENT CTAs at once; sequential, round-robin and random let each thread go
 * alone (warp width 1).
 *
 * Above POINTS_MAX accesses every k-th is kept, k prime so that no power-of-two pattern of lanes is
 * missed systematically; the template says so.  Up to LARGE points are drawn one by one.  More
 * are sorted into COLOURS classes and onto a grid of CELLS_X x CELLS_Y, about the pixels of a
 * picture, where one access of each cell is drawn, by lot: were it the last one, or were they drawn
 * over each other, one end of the colours would hide the rest.  Neighbours in a row become one
 * mark.
 */
#include "plots/regions.h"
#include "plots/script.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX 200000u
#define LARGE 4000u
#define COLOURS 32u
#define CELLS_X 800u
#define CELLS_Y 450u
#define RESIDENT 1024u		/* CTAs */
#define LABELS_MAX 24u		/* regions that are named */

struct point {
	uint64_t order, address, thread;
};

struct access_gather {
	const struct ws_launch *launch;
	uint64_t width;		/* of a warp */
	uint64_t step, seen;	/* every step-th is kept */
	struct point *point;
	size_t count, cap;
};

static const struct access_order {
	const char *name;
	enum ws_scheduler scheduler;
	bool alone;		/* each thread by itself, by that scheduler */
} orders[] = {
	{ "warp", WS_SCHED_LRR, false }, /* the machine's scheduler, whatever it is */
	{ "sequential", WS_SCHED_SEQUENTIAL, true },
	{ "round-robin", WS_SCHED_ROUND_ROBIN, true },
	{ "random", WS_SCHED_RANDOM, true },
};

static enum ws_status find_order(const char *name, const struct access_order **out,
				 struct ws_err *err)
{
	*out = NULL;
	for (size_t i = 0; i < WS_COUNT(orders); i++) {
		if (strcmp(orders[i].name, name ? name : "warp") == 0) {
			*out = &orders[i];
			return WS_OK;
		}
	}
	return ws_fail(err, WS_EINVAL,
		       "order %s: want warp, sequential, round-robin or random", name);
}

static enum ws_status find_launch(const struct ws_figure_input *in, size_t *launch,
				  struct ws_err *err)
{
	size_t count = ws_trace_launches(in->trace);

	*launch = 0;
	for (size_t i = 0; i < count; i++) {
		*launch = i;
		if (!in->kernel || strcmp(ws_trace_launch(in->trace, i)->kernel, in->kernel) == 0)
			return WS_OK;
	}
	if (count == 0)
		return ws_fail(err, WS_EINVAL, "%s: holds no launch, want at least 1",
			       ws_trace_name(in->trace));
	return ws_fail(err, WS_EINVAL, "kernel %s is not in %s, whose first is %s", in->kernel,
		       ws_trace_name(in->trace), ws_trace_launch(in->trace, 0)->kernel);
}

/* ---- gathering ------------------------------------------------------------------ */

static uint64_t next_prime(uint64_t n)
{
	for (;; n++) {
		uint64_t d = 2;

		while (d * d <= n && n % d)
			d++;
		if (n >= 2 && d * d > n)
			return n;
	}
}

/* 1, or the least prime that leaves at most POINTS_MAX of so many accesses. */
static uint64_t thinning(uint64_t accesses)
{
	return accesses <= POINTS_MAX ? 1 : next_prime((accesses + POINTS_MAX - 1) / POINTS_MAX);
}

/* The thread's global id in the first dimension. */
static uint64_t thread_of(const struct ws_launch *l, uint64_t cta, uint64_t lane)
{
	return cta % l->grid[0] * l->block[0] + lane % l->block[0];
}

static enum ws_status take_access(void *context, uint64_t sm, const struct ws_warp_access *a,
				  struct ws_err *err)
{
	struct access_gather *g = context;

	(void)sm;
	if (g->launch->instruction[a->instruction].space != WS_SPACE_GLOBAL)
		return WS_OK;
	if (!WS_ROOM(g->point, g->cap, g->count + 64))
		return ws_fail_memory(err, "a figure's points");
	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(a->mask >> bit & 1))
			continue;
		if (g->seen++ % g->step == 0)
			g->point[g->count++] = (struct point){
				.order = g->seen - 1,
				.address = a->address[bit],
				.thread = thread_of(g->launch, a->cta,
						    a->warp * g->width + bit),
			};
	}
	return WS_OK;
}

/* One SM that holds as many CTAs at once as RESIDENT, whatever their size. */
static void one_large_sm(struct ws_machine *m, const struct ws_launch *l)
{
	uint64_t ctas = l->ctas < RESIDENT ? l->ctas : RESIDENT;
	uint64_t threads = ws_launch_threads(l), warps = threads / m->warp_width + 1;

	m->sm_count = m->l1_parts = 1;
	m->sm_ctas = ctas;
	m->cta_threads = threads > m->cta_threads ? threads : m->cta_threads;
	m->sm_threads = ctas * warps * m->warp_width;
	m->sm_warps = ctas * warps;
	m->sm_carveout = WS_APART;
	m->sm_shared_bytes = UINT64_C(1) << 50;
	m->sm_registers = UINT64_C(1) << 50;
}

static enum ws_status gather_accesses(struct access_gather *g, const struct ws_figure_input *in,
				      size_t launch, const struct access_order *order,
				      struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(in->trace, launch);
	struct ws_order_options options = { .seed = in->seed };
	struct ws_sink sink = { .context = g, .lanes = take_access };
	struct ws_machine m = *in->machine;
	struct ws_order_stats stats;
	enum ws_status status;

	if (order->alone) {
		m.warp_width = 1;
		m.sm_scheduler = order->scheduler;
	}
	one_large_sm(&m, l);
	*g = (struct access_gather){ .launch = l, .width = m.warp_width };
	g->step = thinning(l->accesses[WS_LOAD] + l->accesses[WS_STORE] + l->accesses[WS_ATOMIC]);
	status = ws_order_run(in->trace, launch, &m, &options, &sink, &stats, err);
	if (status == WS_OK && g->count == 0)
		status = ws_fail(err, WS_EINVAL, "kernel %s makes no access to global memory: "
				 "there is nothing to draw", l->kernel);
	return status;
}

/* ---- marks ------------------------------------------------------------------------- */

struct mark {
	uint32_t colour, row, column, columns;
	uint64_t order, offset, lot;
};

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Within a cell, by lot. */
static int by_cell(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	if (x->lot != y->lot)
		return x->lot < y->lot ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int by_colour(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;

	return x->colour != y->colour ? (x->colour < y->colour ? -1 : 1) : by_cell(a, b);
}

static uint32_t cell(uint64_t value, uint64_t total, uint32_t cells)
{
	uint32_t c = (uint32_t)((double)value / (double)total * cells);

	return c < cells ? c : cells - 1;
}

static void place_mark(struct mark *mark, const struct access_gather *g, const struct regions *r)
{
	uint64_t threads = g->launch->grid[0] * g->launch->block[0];
	struct ws_rng rng;

	ws_rng_seed(&rng, g->seen);
	for (size_t i = 0; i < g->count; i++) {
		const struct point *p = &g->point[i];
		uint64_t offset = regions_offset(r, p->address);

		mark[i] = (struct mark){
			.colour = cell(p->thread, threads, COLOURS),
			.row = cell(offset, r->total, CELLS_Y),
			.column = cell(p->order, g->seen, CELLS_X),
			.columns = 1,
			.order = p->order,
			.offset = offset,
			.lot = ws_rng_u64(&rng),
		};
	}
}

/* Keeps one mark of each cell, then joins those of one colour side by side; returns how many
 * are left. */
static size_t join_marks(struct mark *mark, size_t count)
{
	size_t cells = 0, kept = 0;

	qsort(mark, count, sizeof *mark, by_cell);
	for (size_t i = 0; i < count; i++)
		if (!i || mark[i].row != mark[cells - 1].row ||
		    mark[i].column != mark[cells - 1].column)
			mark[cells++] = mark[i];
	qsort(mark, cells, sizeof *mark, by_colour);
	for (size_t i = 0; i < cells; i++) {
		struct mark *last = kept ? &mark[kept - 1] : NULL;

		if (last && last->colour == mark[i].colour && last->row == mark[i].row &&
		    mark[i].column == last->column + last->columns)
			last->columns++;
		else
			mark[kept++] = mark[i];
	}
	return kept;
}

/* A data block, one index per colour: order, offset, length in accesses. */
static void put_marks(struct ws_buf *script, const struct mark *mark, size_t count, uint64_t seen)
{
	uint64_t width = seen / CELLS_X + 1;
	uint32_t colour = 0;

	ws_put_printf(script, "$marks << EOD\n");
	for (size_t i = 0; i < count; i++) {
		while (colour < mark[i].colour) {
			/* an index must have a line, or gnuplot does not count it */
			ws_put_printf(script, "NaN NaN NaN\n\n\n");
			colour++;
		}
		ws_put_printf(script, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", mark[i].order,
			      mark[i].offset, mark[i].columns * width);
	}
	ws_put_printf(script, "EOD\n");
}

/* ---- axes ------------------------------------------------------------------------------- */

static void put_regions(struct ws_buf *script, const struct regions *r, const struct ws_launch *l)
{
	char hexadecimal[32];
	uint64_t tick = 1;
	size_t named = r->count <= LABELS_MAX ? r->count : 0;

	ws_script_u64(script, "height", r->total);
	while (r->total / tick > 8)
		tick *= 2;
	ws_script_u64(script, "tick", tick);
	ws_script_u64(script, "gaps_cut", r->cut);
	ws_script_u64(script, "regions", named);
	for (size_t i = 0; i < named; i++) {
		const struct region *at = &r->at[i];
		const char *name = at->name;

		if (!name) {
			snprintf(hexadecimal, sizeof hexadecimal, "0x%" PRIx64, at->base);
			name = hexadecimal;
		}
		ws_put_printf(script, "low_%zu = %" PRIu64 "; high_%zu = %" PRIu64 "\n", i,
			      at->offset, i, at->offset + at->bytes);
		ws_put_printf(script, "name_%zu = ", i);
		ws_script_quote(script, name);
		ws_put_u8(script, '\n');
	}
	ws_script_u64(script, "threads", l->grid[0] * l->block[0]);
	ws_script_u64(script, "colours", COLOURS);
}

static enum ws_status put_script(const struct access_gather *g, struct ws_buf *script,
				 struct ws_err *err)
{
	uint64_t *address = ws_alloc(g->count, sizeof *address);
	struct mark *mark = ws_alloc(g->count, sizeof *mark);
	enum ws_status status = WS_OK;
	struct regions r = { 0 };
	size_t marks = g->count;

	if (!address || !mark) {
		status = ws_fail_memory(err, "a figure's marks");
	} else {
		for (size_t i = 0; i < g->count; i++)
			address[i] = g->point[i].address;
		qsort(address, g->count, sizeof *address, by_address);
		status = regions_make(&r, g->launch, address, g->count, err);
	}
	if (status == WS_OK) {
		place_mark(mark, g, &r);
		if (g->count > LARGE)
			marks = join_marks(mark, g->count);
		else
			qsort(mark, g->count, sizeof *mark, by_colour);
		put_regions(script, &r, g->launch);
		put_marks(script, mark, marks, g->seen);
	}
	regions_clear(&r);
	free(address);
	free(mark);
	return status;
}

static enum ws_status access_data(const struct ws_figure_input *in, struct ws_buf *script,
				  struct ws_err *err)
{
	struct access_gather g = { 0 };
	const struct access_order *order;
	const struct ws_launch *l;
	enum ws_status status;
	size_t launch;

	if (!in->machine)
		return ws_fail(err, WS_EINVAL, "figure access wants a machine, for its warps");
	status = find_order(in->order, &order, err);
	if (status == WS_OK)
		status = find_launch(in, &launch, err);
	if (status != WS_OK)
		return status;
	l = ws_trace_launch(in->trace, launch);
	status = gather_accesses(&g, in, launch, order, err);
	if (status == WS_OK) {
		ws_script_launch(script, l, in->machine);
		ws_script_string(script, "order", order->name);
		ws_script_u64(script, "alone", order->alone);
		ws_script_u64(script, "warp_width", g.width);
		ws_script_u64(script, "accesses", g.seen);
		ws_script_u64(script, "step", g.step);
		ws_script_u64(script, "large", g.count > LARGE);
		status = put_script(&g, script, err);
	}
	free(g.point);
	return status;
}

const struct ws_figure ws_figure_access = {
	.name = "access",
	.summary = "addresses against execution order, coloured by thread, for the machine's warps "
		   "or a naive order",
	.needs = WS_FIGURE_TRACE,
	.data = access_data,
};
