/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/soft_record.c -- the histograms of a thread-private software cache, and what they answer;
 * model.h says how.
 *
 * A structure has a table with a row for each number of a call of a thread, those past the largest
 * threshold in one.  What an access adds because of the call before it in its structure is in that
 * call's row, so that the cached phase of a threshold T is the sum of the rows past T.  Levels are line
 * sizes of 2^level bytes.
 */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#define SIZES WS_SOFT_SIZES
#define ALL_LEVELS ((1u << SIZES) - 1)
#define WINDOW (1u << WS_SOFT_LINE_BITS)
#define ROWS (WS_SOFT_THRESHOLD_MAX + 2)

struct row {
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

struct structure {
	struct row *row;
	size_t rows, cap;
	uint64_t atomics;
	bool writable;
	uint32_t *written;	/* [thread * WINDOW + byte of the largest line]: number of the last store;
				 * NULL: none yet */
};

struct cell {			/* a thread's line of a structure, at all levels */
	uint64_t last;		/* the last byte accessed */
	uint32_t call, store;	/* numbers of the last access, of the last store; 0: none */
	uint32_t loaded[SIZES];	/* number of the access that put the line there */
	uint16_t there;		/* bit level: it has not been emptied since */
};

struct ws_soft_record {
	struct ws_launch launch; /* a copy of the struct: the arrays and tables are the owner's */
	size_t threads, structures;
	struct structure *structure;
	struct cell *cell;	/* [thread * structures + structure] */
	uint32_t *call;		/* [thread] */
	uint64_t *barriers;	/* [row]: by the thread's calls so far */
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
	free(r);
}

enum ws_status ws_soft_record_new(struct ws_soft_record **out, const struct ws_launch *launch,
				  struct ws_err *err)
{
	struct ws_soft_record *r = ws_alloc_zero(1, sizeof *r);

	*out = NULL;
	if (!r)
		return ws_fail_memory(err, "a software cache's histograms");
	r->launch = *launch;
	r->threads = (size_t)ws_launch_threads(launch);
	r->structures = ws_soft_structures(launch);
	r->structure = ws_alloc_zero(r->structures, sizeof *r->structure);
	r->cell = ws_alloc_zero(r->threads * r->structures, sizeof *r->cell);
	r->call = ws_alloc_zero(r->threads, sizeof *r->call);
	r->barriers = ws_alloc_zero(ROWS, sizeof *r->barriers);
	if (!r->structure || !r->cell || !r->call || !r->barriers) {
		ws_soft_record_free(r);
		return ws_fail_memory(err, "a software cache's histograms");
	}
	for (size_t i = 0; i + 1 < r->structures; i++)
		r->structure[i].writable = ws_soft_stored(launch, i);
	*out = r;
	return WS_OK;
}

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

/* A thread's end writes all its lines back: every store that found a clean line has been counted. */
static void end_threads(struct ws_soft_record *r)
{
	for (size_t t = 0; t < r->threads; t++) {
		if (r->call[t])
			r->barriers[r->call[t] < ROWS ? r->call[t] : ROWS - 1]++;
	}
}

void ws_soft_record_cta(struct ws_soft_record *r)
{
	end_threads(r);
	memset(r->call, 0, r->threads * sizeof *r->call);
	memset(r->cell, 0, r->threads * r->structures * sizeof *r->cell);
	for (size_t i = 0; i < r->structures; i++)
		if (r->structure[i].written)
			memset(r->structure[i].written, 0,
			       r->threads * WINDOW * sizeof *r->structure[i].written);
}

/* ---- one access ----------------------------------------------------------------------- */

static struct row *row_at(struct structure *s, uint32_t number, struct ws_err *err)
{
	size_t row = number < ROWS ? number : ROWS - 1;
	struct row *grown;

	if (row < s->rows)
		return &s->row[row];
	grown = ws_grow(s->row, &s->cap, row + 1, sizeof *grown);
	if (!grown) {
		ws_fail_memory(err, "a software cache's histograms");
		return NULL;
	}
	memset(grown + s->rows, 0, (row + 1 - s->rows) * sizeof *grown);
	s->row = grown;
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
static unsigned kept_since(const struct cell *c, uint32_t since)
{
	unsigned levels = 0;

	for (unsigned k = 0; k < SIZES; k++)
		levels |= (unsigned)(c->loaded[k] <= since) << k;
	return since ? levels : 0;
}

/* Bytes that are stored into, a byte at a time: those that their line has as modified already.
 * `written` is of the largest line that `last` is in; what it held of another is older than any line. */
static enum ws_status store_bytes(struct structure *s, const struct cell *c, uint32_t *written,
				  uint64_t first, uint64_t last, uint32_t call, struct ws_err *err)
{
	uint64_t window = last & ~(uint64_t)(WINDOW - 1);
	struct row *row;

	for (uint64_t b = first; b <= last; b++) {
		uint32_t *at = &written[b & (WINDOW - 1)];
		unsigned levels = together(first, b);

		levels = levels ? levels & kept_since(c, *at) : 0;

		if (levels) {
			row = row_at(s, *at, err);
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

static enum ws_status store(struct ws_soft_record *r, size_t thread, size_t structure,
			    const struct cell *c, uint64_t first, uint64_t last, struct ws_err *err)
{
	struct structure *s = &r->structure[structure];
	struct row *row;

	s->writable = true;
	if (!s->written)
		s->written = ws_alloc_zero(r->threads * WINDOW, sizeof *s->written);
	if (!s->written)
		return ws_fail_memory(err, "a software cache's bytes");
	row = row_at(s, c->store, err);
	if (!row)
		return WS_ENOMEM;
	add_levels(row->dirty, kept_since(c, c->store));
	return store_bytes(s, c, s->written + thread * WINDOW, first, last, r->call[thread], err);
}

static enum ws_status access_line(struct ws_soft_record *r, size_t thread, size_t structure,
				  unsigned kind, uint64_t first, uint64_t last, struct ws_err *err)
{
	struct structure *s = &r->structure[structure];
	struct cell *c = &r->cell[thread * r->structures + structure];
	uint32_t call = ++r->call[thread];
	unsigned hits = c->call ? together(c->last, first) & c->there : 0;
	struct row *own = row_at(s, call, err);
	enum ws_status status = WS_OK;

	if (!own)
		return WS_ENOMEM;
	own->accesses[kind]++;
	own->store_bytes += kind == WS_STORE ? last - first + 1 : 0;
	add_levels(own->monitor, hits);
	for (unsigned k = 0; k < SIZES; k++)
		own->more[kind][k] += (last >> k) - (first >> k);
	add_levels(row_at(s, c->call, err)->hits[kind], hits); /* it is there: an earlier row */
	for (unsigned k = 0; k < SIZES; k++)
		if (!(hits >> k & 1))
			c->loaded[k] = call;
	if (kind == WS_STORE)
		status = store(r, thread, structure, c, first, last, err);
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
	struct structure *s = &r->structure[structure];
	struct cell *c = &r->cell[thread * r->structures + structure];
	struct row *row = row_at(s, r->call[thread], err);

	if (!row)
		return WS_ENOMEM;
	s->atomics++;
	row->atomics++;
	for (unsigned k = 0; c->call && k < SIZES; k++)
		if (first >> k <= c->last >> k && c->last >> k <= last >> k)
			c->there &= (uint16_t)~(1u << k);
	return WS_OK;
}

/* ---- steps ------------------------------------------------------------------------------ */

static void barrier(struct ws_soft_record *r, size_t thread)
{
	uint32_t call = r->call[thread];

	r->barriers[call < ROWS ? call : ROWS - 1]++;
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

	for (size_t t = 0; t < r->threads && status == WS_OK; t++)
		if (step->mask[t / 64] >> t % 64 & 1)
			status = lane(r, step, t, err);
	return status;
}

static enum ws_status record_cta(struct ws_soft_record *r, struct ws_decoder *d, uint64_t cta,
				 struct ws_err *err)
{
	enum ws_status status = ws_decoder_seek(d, cta, err);
	struct ws_step step;
	bool more = true;

	ws_soft_record_cta(r);
	while (status == WS_OK) {
		status = ws_decoder_next(d, &step, &more, err);
		if (status != WS_OK || !more)
			break;
		status = ws_soft_record_step(r, &step, err);
	}
	return status;
}

enum ws_status ws_soft_record_make(struct ws_soft_record **out, const struct ws_trace *t,
				   size_t launch, struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(t, launch);
	struct ws_decoder *d = NULL;
	enum ws_status status = ws_soft_record_new(out, l, err);

	if (status == WS_OK)
		status = ws_decoder_new(&d, t, launch, err);
	for (uint64_t cta = 0; cta < l->ctas && status == WS_OK; cta++)
		status = record_cta(*out, d, cta, err);
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

/* What does not depend on the choice, and what the monitoring phase saw. */
static struct ws_soft_counts monitored(const struct structure *s, unsigned k, uint64_t threshold)
{
	struct ws_soft_counts c = { .accesses[WS_ATOMIC] = s->atomics };

	for (size_t i = 0; i < s->rows; i++) {
		const struct row *row = &s->row[i];

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

static void cached(struct ws_soft_counts *c, const struct structure *s, unsigned k,
		   uint64_t threshold)
{
	uint64_t look_ups[2] = { 0, 0 }, dirty = 0, again = 0;

	for (size_t i = (size_t)threshold + 1; i < s->rows; i++) {
		const struct row *row = &s->row[i];

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
	for (unsigned kind = 0; kind < 2; kind++)
		c->direct[kind] = c->accesses[kind];
}

void ws_soft_lines(const struct ws_soft_record *r, size_t structure, uint64_t hits[SIZES],
		   uint64_t look_ups[SIZES])
{
	const struct structure *s = &r->structure[structure];

	memset(hits, 0, SIZES * sizeof *hits);
	memset(look_ups, 0, SIZES * sizeof *look_ups);
	for (size_t i = 0; i < s->rows; i++)
		for (unsigned k = 0; k < SIZES; k++) {
			hits[k] += s->row[i].monitor[k];
			for (unsigned kind = 0; kind < 2; kind++)
				look_ups[k] += s->row[i].accesses[kind] + s->row[i].more[kind][k];
		}
}

static void fill(struct ws_soft_result *out, const struct ws_soft_record *r,
		 const struct ws_soft *soft)
{
	unsigned k = ws_log2(soft->line_bytes);

	for (size_t i = 0; i < r->structures; i++) {
		const struct structure *s = &r->structure[i];

		if (!s->rows)
			continue;
		out->part[out->parts++] = (struct ws_soft_part){
			.array = i + 1 < r->structures ? (uint32_t)i : WS_NO_ARRAY,
			.writable = s->writable, .counts = monitored(s, k, soft->threshold),
		};
	}
	ws_soft_choose(out, soft->lines);
	for (size_t i = 0; i < out->parts; i++) {
		struct ws_soft_part *p = &out->part[i];
		size_t number = p->array == WS_NO_ARRAY ? r->structures - 1 : p->array;

		out->past += p->counts.accesses[WS_LOAD] + p->counts.accesses[WS_STORE] -
			     p->counts.monitored;
		if (p->why == WS_SOFT_CHOSEN)
			cached(&p->counts, &r->structure[number], k, soft->threshold);
		else
			uncached(&p->counts);
	}
}

enum ws_status ws_soft_predict(const struct ws_soft_record *r, const struct ws_soft *soft,
			       struct ws_soft_result *out, struct ws_err *err)
{
	enum ws_status status = ws_soft_check(soft, err);

	*out = (struct ws_soft_result){ .instructions = r->instructions };
	if (status != WS_OK)
		return status;
	out->part = ws_alloc_zero(r->structures, sizeof *out->part);
	if (!out->part)
		return ws_fail_memory(err, "a software cache's structures");
	fill(out, r, soft);
	for (size_t i = (size_t)soft->threshold; i < ROWS; i++)
		out->barriers += r->barriers[i];
	ws_soft_instructions(out, soft);
	return WS_OK;
}
