/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softcache/record.c -- the histograms of a thread-private software cache, and their predictions
 * (softcache.h).
 *
 * A structure has a table with a row for each number of a call of a thread, those past the largest
 * threshold in one.  What an access adds because of the call before it in its structure is in that
 * call's row, so that the cached phase of a threshold T is the sum of the rows past T.  Levels are
 * line sizes of 2^level bytes.
 *
 * Where each thread chooses for itself (by_thread), a thread has three such rows of its own: for
 * numbers below the threshold, the threshold, and beyond.  When it has ended they say what a line
 * for each structure would do, and which rank each has; sums are kept as differences by rank, so
 * that those of N lines are the sum up to rank N.
 */
#include "base/bits.h"
#include "softcache/softcache.h"

#include <stdlib.h>
#include <string.h>

#define SIZES WS_SOFT_SIZES
#define ALL_LEVELS ((1u << SIZES) - 1)
#define WINDOW (1u << WS_SOFT_LINE_BITS)
#define ROWS (WS_SOFT_THRESHOLD_MAX + 2)

struct record_row {
	/* by the access's own number: */
	uint64_t accesses[2], store_bytes;
	uint64_t more[2][SIZES];	/* lines touched besides the first */
	uint64_t monitor[SIZES];	/* hits */
	uint64_t atomics;		/* by that of the call before, in any structure */
	/* by that of the call before in the structure: */
	uint64_t hits[2][SIZES];
	/* by that of the store before: of the line; of the byte */
	uint64_t dirty[SIZES], again[SIZES];
};

#define BINS 3u			/* by_thread: below the threshold, at it, beyond */
#define AT_THRESHOLD 1u

struct record_structure {
	struct record_row *row;	/* [number]; by_thread: [thread * BINS + bin] */
	size_t rows, cap;
	uint64_t atomics;
	bool writable;
	uint32_t *written;	/* [thread * WINDOW + byte of the largest line]: number of the last
				 * store; NULL: none yet */
};

struct record_cell {			/* a thread's line of a structure, at all levels */
	uint64_t last;		/* the last byte accessed */
	uint32_t call, store;	/* numbers of the last access, of the last store; 0: none */
	uint32_t loaded[SIZES];	/* number of the access that put the line there */
	uint16_t there;		/* bit level: it has not been emptied since */
};

struct ranked {			/* what is added if a structure has a line for its rank */
	struct ws_soft_counts counts;
	uint64_t threads;
};

struct ws_soft_record {
	struct ws_launch launch; /* a copy of the struct: the arrays and tables are the owner's */
	uint64_t threshold;	/* by_thread; 0: one choice for the launch */
	/* by_thread: ranked_at; rank 0: of no line at all.  By rank first, so that memory that is
	 * never written is in one piece: threads choose few of many structures. */
	struct ranked *ranked;
	struct ws_soft_result own; /* a thread's */
	uint64_t *left;		/* [thread]: barriers after its monitoring phase */
	uint64_t past;		/* barriers and ends, likewise, of all */
	size_t threads, structures;
	struct record_structure *structure;
	struct record_cell *cell;	/* [thread * structures + structure] */
	uint32_t *call;		/* [thread] */
	uint64_t *barriers;	/* [row]: by the thread's calls so far; ends too */
	uint64_t *ends;		/* [row] */
	uint64_t instructions;
};

/* ---- life ------------------------------------------------------------------------- */

void ws_soft_record_free(struct ws_soft_record *r)
{
	if (!r)
		return;
	for (size_t i = 0; r->structure && i < r->structures; i++) {
		free(r->structure[i].row);
		free(r->structure[i].written);
	}
	free(r->structure);
	free(r->cell);
	free(r->call);
	free(r->barriers);
	free(r->ends);
	free(r->ranked);
	free(r->left);
	ws_soft_result_clear(&r->own);
	free(r);
}

static bool by_thread_new(struct ws_soft_record *r)
{
	r->ranked = ws_alloc_zero(SIZES * r->structures * r->structures, sizeof *r->ranked);
	r->left = ws_alloc_zero(r->threads, sizeof *r->left);
	r->own.part = ws_alloc_zero(r->structures, sizeof *r->own.part);
	return r->ranked && r->left && r->own.part;
}

enum ws_status ws_soft_record_new(struct ws_soft_record **out, const struct ws_launch *launch,
				  const struct ws_soft *by_thread, struct ws_err *err)
{
	enum ws_status status = by_thread ? ws_soft_check(by_thread, err) : WS_OK;
	struct ws_soft_record *r;

	*out = NULL;
	if (status != WS_OK)
		return status;
	r = ws_alloc_zero(1, sizeof *r);
	if (!r)
		return ws_fail_memory(err, "a software cache's histograms");
	r->threshold = by_thread ? by_thread->threshold : 0;
	r->launch = *launch;
	r->threads = (size_t)ws_launch_threads(launch);
	r->structures = ws_soft_structures(launch);
	r->structure = ws_alloc_zero(r->structures, sizeof *r->structure);
	r->cell = ws_alloc_zero(r->threads * r->structures, sizeof *r->cell);
	r->call = ws_alloc_zero(r->threads, sizeof *r->call);
	r->barriers = ws_alloc_zero(ROWS, sizeof *r->barriers);
	r->ends = ws_alloc_zero(ROWS, sizeof *r->ends);
	if (!r->structure || !r->cell || !r->call || !r->barriers || !r->ends ||
	    (by_thread && !by_thread_new(r))) {
		ws_soft_record_free(r);
		return ws_fail_memory(err, "a software cache's histograms");
	}
	for (size_t i = 0; i + 1 < r->structures; i++)
		r->structure[i].writable = ws_soft_stored(launch, i);
	*out = r;
	return WS_OK;
}

/* ---- one access ----------------------------------------------------------------------- */

/* Of a thread's call of that number. */
static struct record_row *row_at(const struct ws_soft_record *r, size_t thread,
				 struct record_structure *s, uint32_t number, struct ws_err *err)
{
	size_t row = number < ROWS ? number : ROWS - 1;

	if (r->threshold)
		row = thread * BINS + (number >= r->threshold) + (number > r->threshold);
	if (row < s->rows)
		return &s->row[row];
	if (!WS_ROOM(s->row, s->cap, row + 1)) {
		ws_fail_memory(err, "a software cache's histograms");
		return NULL;
	}
	memset(s->row + s->rows, 0, (row + 1 - s->rows) * sizeof *s->row);
	s->rows = row + 1;
	return &s->row[row];
}

/* Levels at which two bytes are in one line. */
static unsigned together(uint64_t a, uint64_t b)
{
	uint64_t differ = a ^ b;
	unsigned bits = differ ? ws_log2(differ) + 1 : 0;

	return bits > WS_SOFT_LINE_BITS ? 0 : ALL_LEVELS & ~((1u << bits) - 1);
}

static void add_levels(uint64_t count[SIZES], unsigned levels)
{
	for (unsigned k = 0; k < SIZES; k++)
		count[k] += levels >> k & 1;
}

/* Levels at which the line that was put there at the latest at number `since` still is. */
static unsigned kept_since(const struct record_cell *c, uint32_t since)
{
	unsigned levels = 0;

	for (unsigned k = 0; k < SIZES; k++)
		levels |= (unsigned)(c->loaded[k] <= since) << k;
	return since ? levels : 0;
}

/* Bytes that are stored into, a byte at a time: those that their line has as modified already.
 * `written` is of the largest line that `last` is in; what it held of another is older than any
 * line. */
static enum ws_status store_bytes(const struct ws_soft_record *r, size_t thread,
				  struct record_structure *s, const struct record_cell *c,
				  uint64_t first, uint64_t last, struct ws_err *err)
{
	uint32_t *written = s->written + thread * WINDOW, call = r->call[thread];
	uint64_t window = last & ~(uint64_t)(WINDOW - 1);
	struct record_row *row;

	for (uint64_t b = first; b <= last; b++) {
		uint32_t *at = &written[b & (WINDOW - 1)];
		unsigned levels = together(first, b);

		levels = levels ? levels & kept_since(c, *at) : 0;

		if (levels) {
			row = row_at(r, thread, s, *at, err);
			if (!row)
				return WS_ENOMEM;
			add_levels(row->again, levels);
		}
		if (b >= window)
			*at = call;
		if (b == UINT64_MAX)
			break;
	}
	return WS_OK;
}

static enum ws_status store_cell(struct ws_soft_record *r, size_t thread, size_t structure,
				 const struct record_cell *c, uint64_t first, uint64_t last,
				 struct ws_err *err)
{
	struct record_structure *s = &r->structure[structure];
	struct record_row *row;

	s->writable = true;
	if (!s->written)
		s->written = ws_alloc_zero(r->threads * WINDOW, sizeof *s->written);
	if (!s->written)
		return ws_fail_memory(err, "a software cache's bytes");
	row = row_at(r, thread, s, c->store, err);
	if (!row)
		return WS_ENOMEM;
	add_levels(row->dirty, kept_since(c, c->store));
	return store_bytes(r, thread, s, c, first, last, err);
}

static enum ws_status access_line(struct ws_soft_record *r, size_t thread, size_t structure,
				  unsigned kind, uint64_t first, uint64_t last, struct ws_err *err)
{
	struct record_structure *s = &r->structure[structure];
	struct record_cell *c = &r->cell[thread * r->structures + structure];
	uint32_t call = ++r->call[thread];
	unsigned hits = c->call ? together(c->last, first) & c->there : 0;
	struct record_row *before, *own = row_at(r, thread, s, call, err);
	enum ws_status status = WS_OK;

	if (!own)
		return WS_ENOMEM;
	own->accesses[kind]++;
	own->store_bytes += kind == WS_STORE ? last - first + 1 : 0;
	add_levels(own->monitor, hits);
	for (unsigned k = 0; k < SIZES; k++)
		own->more[kind][k] += (last >> k) - (first >> k);
	before = row_at(r, thread, s, c->call, err); /* it is there: an earlier row */
	add_levels(before->hits[kind], hits);
	for (unsigned k = 0; k < SIZES; k++)
		if (!(hits >> k & 1))
			c->loaded[k] = call;
	if (kind == WS_STORE)
		status = store_cell(r, thread, structure, c, first, last, err);
	for (unsigned k = 0, one = together(first, last); k < SIZES; k++)
		if (!(one >> k & 1))
			c->loaded[k] = call;
	c->last = last;
	c->call = call;
	c->store = kind == WS_STORE ? call : c->store;
	c->there = ALL_LEVELS;
	return status;
}

/* The line is emptied at the levels at which it holds a byte of the atomic's. */
static enum ws_status atomic_line(struct ws_soft_record *r, size_t thread, size_t structure,
				  uint64_t first, uint64_t last, struct ws_err *err)
{
	struct record_structure *s = &r->structure[structure];
	struct record_cell *c = &r->cell[thread * r->structures + structure];
	struct record_row *row = row_at(r, thread, s, r->call[thread], err);

	if (!row)
		return WS_ENOMEM;
	s->atomics++;
	row->atomics++;
	for (unsigned k = 0; c->call && k < SIZES; k++)
		if (first >> k <= c->last >> k && c->last >> k <= last >> k)
			c->there &= (uint16_t)~(1u << k);
	return WS_OK;
}

/* ---- sums of rows ------------------------------------------------------------------------- */

/* What does not depend on the choice, and what the monitoring phase saw. */
static struct ws_soft_counts monitored(const struct record_structure *s, unsigned k,
				       uint64_t threshold)
{
	struct ws_soft_counts c = { .accesses[WS_ATOMIC] = s->atomics };

	for (size_t i = 0; i < s->rows; i++) {
		const struct record_row *row = &s->row[i];

		for (unsigned kind = 0; kind < 2; kind++)
			c.accesses[kind] += row->accesses[kind];
		if (i <= threshold) {
			c.monitored += row->accesses[WS_LOAD] + row->accesses[WS_STORE];
			c.monitor_hits += row->monitor[k];
			for (unsigned kind = 0; kind < 2; kind++)
				c.direct[kind] += row->accesses[kind];
		}
		c.atomics += i >= threshold ? row->atomics : 0;
	}
	c.direct[WS_ATOMIC] = s->atomics;
	return c;
}

static void cached(struct ws_soft_counts *c, const struct record_structure *s, unsigned k,
		   uint64_t threshold)
{
	uint64_t look_ups[2] = { 0, 0 }, dirty = 0, again = 0;

	for (size_t i = (size_t)threshold + 1; i < s->rows; i++) {
		const struct record_row *row = &s->row[i];

		for (unsigned kind = 0; kind < 2; kind++) {
			look_ups[kind] += row->accesses[kind] + row->more[kind][k];
			c->hits[kind] += row->hits[kind][k];
		}
		c->write_back_bytes += row->store_bytes;
		dirty += row->dirty[k];
		again += row->again[k];
	}
	for (unsigned kind = 0; kind < 2; kind++)
		c->misses[kind] = look_ups[kind] - c->hits[kind];
	c->write_backs = look_ups[WS_STORE] - dirty;
	c->write_back_bytes -= again;
}

static void uncached(struct ws_soft_counts *c)
{
	c->atomics = 0;
	for (unsigned kind = 0; kind < 2; kind++)
		c->direct[kind] = c->accesses[kind];
}

/* ---- threads that choose for themselves ---------------------------------------------------- */

/* A thread's three rows of a structure. */
static struct record_structure rows_of(const struct ws_soft_record *r, size_t structure,
				       size_t thread)
{
	const struct record_structure *s = &r->structure[structure];

	size_t first = thread * BINS, rows = s->rows > first ? s->rows - first : 0;

	return (struct record_structure){ .row = rows ? s->row + first : NULL,
				   .rows = rows < BINS ? rows : BINS };
}

static uint64_t calls_past(const struct ws_soft_counts *c)
{
	return c->accesses[WS_LOAD] + c->accesses[WS_STORE] - c->monitored;
}

/* a - b, and a + b; modulo 2^64, as sums of differences are. */
static void counts_add(struct ws_soft_counts *to, const struct ws_soft_counts *c, bool less)
{
	uint64_t *a = (uint64_t *)(void *)to;
	const uint64_t *b = (const uint64_t *)(const void *)c;

	for (size_t i = 0; i < sizeof *to / sizeof *a; i++)
		a[i] += less ? 0 - b[i] : b[i];
}

static struct ranked *ranked_at(const struct ws_soft_record *r, unsigned k, size_t structure,
				uint64_t rank)
{
	return &r->ranked[(rank * SIZES + k) * r->structures + structure];
}

/* Its counts of a structure: without a line, and what a line makes of them. */
static void add_structure(struct ws_soft_record *r, unsigned k, size_t thread, size_t structure,
			  uint64_t ranks)
{
	const struct record_structure s = rows_of(r, structure, thread);
	const struct ws_soft_part *p = &r->own.part[structure];
	struct ranked *to = ranked_at(r, k, structure, p->rank);
	struct ws_soft_counts with = p->counts, without = p->counts;

	uncached(&without);
	counts_add(&ranked_at(r, k, structure, 0)->counts, &without, false);
	if (!r->left[thread])
		return; /* still monitoring: it chose nothing */
	for (uint64_t rank = 1; rank <= ranks; rank++)
		if (rank != p->rank)
			ranked_at(r, k, structure, rank)->counts.others += calls_past(&with);
	if (!p->rank)
		return;
	cached(&with, &s, k, AT_THRESHOLD);
	with.emptied = r->left[thread];
	counts_add(&to->counts, &with, false);
	counts_add(&to->counts, &without, true);
	to->threads++;
}

/* The thread has ended. */
static void add_thread(struct ws_soft_record *r, size_t thread)
{
	uint64_t most = r->structures;

	for (unsigned k = 0; k < SIZES; k++) {
		r->own.parts = r->structures;
		for (size_t i = 0; i < r->structures; i++) {
			const struct record_structure s = rows_of(r, i, thread);

			r->own.part[i] = (struct ws_soft_part){
				.array = i + 1 < r->structures ? (uint32_t)i : WS_NO_ARRAY,
				.writable = r->structure[i].writable,
				.counts = monitored(&s, k, AT_THRESHOLD),
			};
		}
		ws_soft_choose(&r->own, most);
		for (size_t i = 0; i < r->structures; i++)
			add_structure(r, k, thread, i, r->own.chosen);
	}
}

static void add_threads(struct ws_soft_record *r)
{
	for (size_t t = 0; t < r->threads; t++) {
		r->left[t] += r->call[t] >= r->threshold;
		r->past += r->left[t];
		add_thread(r, t);
		r->left[t] = 0;
	}
	for (size_t i = 0; i < r->structures; i++)
		if (r->structure[i].rows)
			memset(r->structure[i].row, 0,
			       r->structure[i].rows * sizeof *r->structure[i].row);
}

/* ---- steps ------------------------------------------------------------------------------ */

/* No more steps will come: the histograms are all that is needed. */
static void forget_threads(struct ws_soft_record *r)
{
	for (size_t i = 0; i < r->structures; i++) {
		free(r->structure[i].written);
		r->structure[i].written = NULL;
	}
	free(r->cell);
	free(r->call);
	r->cell = NULL;
	r->call = NULL;
}

/* A thread's end writes all its lines back: every store that found a clean line has been
 * counted. */
static void end_threads(struct ws_soft_record *r)
{
	for (size_t t = 0; t < r->threads; t++) {
		size_t row = r->call[t] < ROWS ? r->call[t] : ROWS - 1;

		r->barriers[row] += row > 0;
		r->ends[row] += row > 0;
	}
}

void ws_soft_record_cta(struct ws_soft_record *r)
{
	end_threads(r);
	if (r->threshold)
		add_threads(r);
	memset(r->call, 0, r->threads * sizeof *r->call);
	memset(r->cell, 0, r->threads * r->structures * sizeof *r->cell);
	for (size_t i = 0; i < r->structures; i++)
		if (r->structure[i].written)
			memset(r->structure[i].written, 0,
			       r->threads * WINDOW * sizeof *r->structure[i].written);
}

static void barrier(struct ws_soft_record *r, size_t thread)
{
	uint32_t call = r->call[thread];

	r->barriers[call < ROWS ? call : ROWS - 1]++;
	if (r->threshold)
		r->left[thread] += call >= r->threshold;
	for (size_t i = 0; i < r->structures; i++)
		r->cell[thread * r->structures + i].there = 0;
}

static enum ws_status instruction(struct ws_soft_record *r, uint32_t number, size_t thread,
				  uint64_t address, struct ws_err *err)
{
	const struct ws_instruction *in = &r->launch.instruction[number];
	uint64_t last = address + in->bytes - 1;
	size_t structure;

	if (in->space != WS_SPACE_GLOBAL || !in->bytes)
		return WS_OK;
	if (last < address)
		last = UINT64_MAX;
	structure = ws_soft_structure(&r->launch, number, address);
	if (in->kind == WS_ATOMIC)
		return atomic_line(r, thread, structure, address, last, err);
	return access_line(r, thread, structure, in->kind, address, last, err);
}

static enum ws_status lane(struct ws_soft_record *r, const struct ws_step *step, size_t thread,
			   struct ws_err *err)
{
	const struct ws_segment *segment = &r->launch.segment[step->segment];
	enum ws_status status = WS_OK;

	for (uint32_t i = 0; i < segment->count && status == WS_OK; i++) {
		r->instructions += 1 + r->launch.instruction[segment->first + i].gap;
		status = instruction(r, segment->first + i, thread, step->address[i][thread], err);
	}
	r->instructions += segment->tail + segment->barrier;
	if (segment->barrier)
		barrier(r, thread);
	return status;
}

enum ws_status ws_soft_record_step(struct ws_soft_record *r, const struct ws_step *step,
				   struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t w = 0; w < (r->threads + 63) / 64; w++)
		for (uint64_t bits = step->mask[w]; bits && status == WS_OK; bits &= bits - 1)
			status = lane(r, step, w * 64 + (size_t)__builtin_ctzll(bits), err);
	return status;
}

void ws_soft_record_stores(struct ws_soft_record *r, const struct ws_step *step)
{
	const struct ws_segment *segment = &r->launch.segment[step->segment];

	for (uint32_t i = 0; i < segment->count; i++) {
		uint32_t number = segment->first + i;
		const struct ws_instruction *in = &r->launch.instruction[number];
		size_t at;

		if (in->space != WS_SPACE_GLOBAL || in->kind != WS_STORE)
			continue;
		for (size_t t = 0; t < r->threads; t++) {
			if (!ws_bit(step->mask, t))
				continue;
			at = ws_soft_structure(&r->launch, number, step->address[i][t]);
			r->structure[at].writable = true;
		}
	}
}

/* All steps of a CTA; stores: only what is stored to. */
static enum ws_status record_cta(struct ws_soft_record *r, struct ws_decoder *d, uint64_t cta,
				 bool stores, struct ws_err *err)
{
	enum ws_status status = ws_decoder_seek(d, cta, err);
	struct ws_step step;
	bool more = true;

	if (!stores)
		ws_soft_record_cta(r);
	while (status == WS_OK) {
		status = ws_decoder_next(d, &step, &more, err);
		if (status != WS_OK || !more)
			break;
		if (stores)
			ws_soft_record_stores(r, &step);
		else
			status = ws_soft_record_step(r, &step, err);
	}
	return status;
}

/* Are there stores of which the instruction does not say to what? */
static bool stores_unnamed(const struct ws_launch *l)
{
	for (size_t i = 0; i < l->instructions; i++)
		if (l->instruction[i].kind == WS_STORE && l->instruction[i].array == WS_NO_ARRAY)
			return true;
	return false;
}

enum ws_status ws_soft_record_make(struct ws_soft_record **out, const struct ws_trace *t,
				   size_t launch, const struct ws_soft *by_thread,
				   struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(t, launch);
	bool stores = by_thread && stores_unnamed(l);
	struct ws_decoder *d = NULL;
	enum ws_status status = ws_soft_record_new(out, l, by_thread, err);

	if (status == WS_OK)
		status = ws_decoder_new(&d, t, launch, err);
	for (uint64_t cta = 0; stores && cta < l->ctas && status == WS_OK; cta++)
		status = record_cta(*out, d, cta, true, err);
	for (uint64_t cta = 0; cta < l->ctas && status == WS_OK; cta++)
		status = record_cta(*out, d, cta, false, err);
	ws_decoder_free(d);
	if (status == WS_OK) {
		ws_soft_record_cta(*out);
		forget_threads(*out);
		return WS_OK;
	}
	ws_soft_record_free(*out);
	*out = NULL;
	return status;
}

/* ---- answers ---------------------------------------------------------------------------- */

void ws_soft_lines(const struct ws_soft_record *r, size_t structure, uint64_t hits[SIZES],
		   uint64_t look_ups[SIZES])
{
	const struct record_structure *s = &r->structure[structure];

	memset(hits, 0, SIZES * sizeof *hits);
	memset(look_ups, 0, SIZES * sizeof *look_ups);
	for (size_t i = 0; i < s->rows; i++)
		for (unsigned k = 0; k < SIZES; k++) {
			hits[k] += s->row[i].monitor[k];
			for (unsigned kind = 0; kind < 2; kind++)
				look_ups[k] += s->row[i].accesses[kind] + s->row[i].more[kind][k];
		}
}

/* The structures that were accessed. */
static void list_parts(struct ws_soft_result *out, const struct ws_soft_record *r)
{
	for (size_t i = 0; i < r->structures; i++)
		if (r->structure[i].rows)
			out->part[out->parts++] = (struct ws_soft_part){
				.array = i + 1 < r->structures ? (uint32_t)i : WS_NO_ARRAY,
				.writable = r->structure[i].writable,
			};
}

static size_t structure_of(const struct ws_soft_record *r, const struct ws_soft_part *p)
{
	return p->array == WS_NO_ARRAY ? r->structures - 1 : p->array;
}

static void fill_result(struct ws_soft_result *out, const struct ws_soft_record *r,
			const struct ws_soft *soft)
{
	unsigned k = ws_log2(soft->line_bytes);
	uint64_t ends = 0;

	for (size_t i = (size_t)soft->threshold; i < ROWS; i++) {
		out->barriers += r->barriers[i];
		ends += r->ends[i];
	}
	for (size_t i = 0; i < out->parts; i++)
		out->part[i].counts = monitored(&r->structure[structure_of(r, &out->part[i])], k,
						soft->threshold);
	ws_soft_choose(out, soft->lines);
	for (size_t i = 0; i < out->parts; i++) {
		struct ws_soft_part *p = &out->part[i];
		bool use = p->why == WS_SOFT_CHOSEN;

		p->counts.others = (out->chosen - use) * calls_past(&p->counts);
		if (!use) {
			uncached(&p->counts);
			continue;
		}
		p->threads = ends;
		p->counts.emptied = out->barriers;
		cached(&p->counts, &r->structure[structure_of(r, p)], k, soft->threshold);
	}
}

/* The same of threads that each chose. */
static void fill_by_thread(struct ws_soft_result *out, const struct ws_soft_record *r,
			   const struct ws_soft *soft)
{
	out->barriers = r->past;
	for (size_t i = 0; i < out->parts; i++) {
		struct ws_soft_part *p = &out->part[i];
		size_t structure = structure_of(r, p);
		unsigned k = ws_log2(soft->line_bytes);

		for (uint64_t rank = 0; rank < r->structures && rank <= soft->lines; rank++) {
			const struct ranked *from = ranked_at(r, k, structure, rank);

			counts_add(&p->counts, &from->counts, false);
			p->threads += from->threads;
		}
		p->counts.accesses[WS_ATOMIC] = r->structure[structure].atomics;
		p->counts.direct[WS_ATOMIC] = r->structure[structure].atomics;
	}
	ws_soft_chosen_by(out, soft->lines);
}

enum ws_status ws_soft_predict(const struct ws_soft_record *r, const struct ws_soft *soft,
			       struct ws_soft_result *out, struct ws_err *err)
{
	enum ws_status status = ws_soft_check(soft, err);

	*out = (struct ws_soft_result){ .instructions = r->instructions };
	if (status != WS_OK)
		return status;
	if (soft->by_thread != (r->threshold > 0) ||
	    (r->threshold && r->threshold != soft->threshold))
		return ws_fail(err, WS_EINVAL, "histograms of another choice or threshold");
	out->part = ws_alloc_zero(r->structures, sizeof *out->part);
	if (!out->part)
		return ws_fail_memory(err, "a software cache's structures");
	list_parts(out, r);
	if (soft->by_thread)
		fill_by_thread(out, r, soft);
	else
		fill_result(out, r, soft);
	for (size_t i = 0; i < out->parts; i++)
		out->past += calls_past(&out->part[i].counts);
	ws_soft_instructions(out, soft);
	return WS_OK;
}
