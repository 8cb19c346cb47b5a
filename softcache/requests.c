/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softcache/requests.c -- requests of warps behind a software cache, for every threshold and line
 * size from one pass, for one choice of the launch (softcache.h).
 *
 * Whether a lane sends something at a point of the program is a matter of the threshold T alone,
 * given the line size: it fetches a line if T is in [0, c), c being the number of its call, or,
 * where the line is there for good, in [p, c), p being that of the call before in the structure;
 * writes one back that was stored to last at s if T is in [0, s); and accesses as it is,
 * monitoring, if T is in [c, ...).  A warp's request is of one block, whoever of its lanes wants
 * it: so it is there for the union of their intervals.  Sums over T are kept as differences.
 */
#include "base/bits.h"
#include "softcache/softcache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SIZES WS_SOFT_SIZES
#define ALL_LEVELS ((1u << SIZES) - 1)
#define TOP (WS_SOFT_THRESHOLD_MAX + 1u) /* no threshold is so large */
#define MONITORING SIZES	/* the level of accesses as they are: any */

struct request_cell {			/* a thread's line of a structure */
	uint64_t last;
	uint32_t call, store, loaded[SIZES]; /* numbers; 0: none */
	uint16_t there;		/* bit level */
};

struct structure_sums {			/* of a structure */
	uint64_t plain[WS_KINDS]; /* requests without a line */
	uint64_t *change[2];	/* [WS_LOAD], [WS_STORE]: [level * (TOP + 1) + threshold]; NULL:
				 * none */
};

struct block_piece {			/* of a warp's accesses at one point */
	uint64_t block;
	uint32_t from, to;	/* thresholds */
};

struct request_lane {
	struct request_cell *cell;
	size_t structure;
	uint64_t first, last;
	uint32_t call;
	unsigned hits, dirty;	/* levels: of the first line; of the line that was there */
};

struct ws_soft_requests {
	struct ws_launch launch; /* a copy of the struct */
	size_t threads, structures, width;
	unsigned block_bits;
	struct request_cell *cell;	/* [thread * structures + structure] */
	uint32_t *call;		/* [thread] */
	struct structure_sums *sums;	/* [structure] */
	struct block_piece *piece;
	size_t pieces, cap;
	bool failed;		/* for want of memory */
};

void ws_soft_requests_free(struct ws_soft_requests *r)
{
	if (!r)
		return;
	for (size_t i = 0; r->sums && i < r->structures; i++) {
		free(r->sums[i].change[WS_LOAD]);
		free(r->sums[i].change[WS_STORE]);
	}
	free(r->cell);
	free(r->call);
	free(r->sums);
	free(r->piece);
	free(r);
}

/* ---- one point of a warp -------------------------------------------------------------- */

static uint32_t clip(uint32_t number)
{
	return number < TOP ? number : TOP;
}

static void add_piece(struct ws_soft_requests *r, uint64_t first, uint64_t last, uint32_t from,
		      uint32_t to)
{
	uint64_t blocks = (last >> r->block_bits) - (first >> r->block_bits) + 1;

	from = clip(from);
	to = clip(to);
	if (from >= to || r->failed)
		return;
	r->failed = !WS_ROOM(r->piece, r->cap, r->pieces + (size_t)blocks);
	if (r->failed)
		return;
	for (uint64_t i = 0; i < blocks; i++)
		r->piece[r->pieces++] = (struct block_piece){
			(first >> r->block_bits) + i, from, to
		};
}

static void add_line(struct ws_soft_requests *r, unsigned k, uint64_t line, uint32_t from,
		     uint32_t to)
{
	add_piece(r, line << k, (line << k) + ((UINT64_C(1) << k) - 1), from, to);
}

static bool after(const struct block_piece *a, const struct block_piece *b)
{
	return a->block != b->block ? a->block > b->block : a->from > b->from;
}

/* By block, then by the first threshold; mostly they are so already. */
static void sort(struct ws_soft_requests *r)
{
	for (size_t i = 1; i < r->pieces; i++) {
		struct block_piece p = r->piece[i];
		size_t j = i;

		for (; j && after(&r->piece[j - 1], &p); j--)
			r->piece[j] = r->piece[j - 1];
		r->piece[j] = p;
	}
}

static uint64_t *changes(struct ws_soft_requests *r, size_t structure, unsigned kind,
			 unsigned level)
{
	uint64_t **change = &r->sums[structure].change[kind];

	if (!*change)
		*change = ws_alloc_zero((SIZES + 1) * (TOP + 1), sizeof **change);
	r->failed = r->failed || !*change;
	return *change ? *change + level * (TOP + 1) : NULL;
}

/* The requests of what was added: one of each block, while any lane wants it. */
static void count_requests(struct ws_soft_requests *r, size_t structure, unsigned kind,
			   unsigned level)
{
	uint64_t *change = r->pieces ? changes(r, structure, kind, level) : NULL;

	sort(r);
	for (size_t i = 0, next; change && i < r->pieces; i = next) {
		uint32_t to = r->piece[i].to;

		for (next = i + 1; next < r->pieces && r->piece[next].block == r->piece[i].block &&
				   r->piece[next].from <= to; next++)
			to = r->piece[next].to > to ? r->piece[next].to : to;
		change[r->piece[i].from]++;
		change[to]--;
	}
	r->pieces = 0;
}

static void count_plain(struct ws_soft_requests *r, size_t structure, unsigned kind)
{
	sort(r);
	for (size_t i = 0; i < r->pieces; i++)
		r->sums[structure].plain[kind] += !i || r->piece[i].block != r->piece[i - 1].block;
	r->pieces = 0;
}

/* ---- accesses -------------------------------------------------------------------------- */

static unsigned together(uint64_t a, uint64_t b)
{
	uint64_t differ = a ^ b;
	unsigned bits = differ ? ws_log2(differ) + 1 : 0;

	return bits > WS_SOFT_LINE_BITS ? 0 : ALL_LEVELS & ~((1u << bits) - 1);
}

static unsigned dirty(const struct request_cell *c)
{
	unsigned levels = 0;

	for (unsigned k = 0; c->store && k < SIZES; k++)
		levels |= (unsigned)(c->loaded[k] <= c->store) << k;
	return levels & c->there;
}

/* The n-th line that a lane's access touches takes the place of another, which goes out. */
static void add_back(struct ws_soft_requests *r, const struct request_lane *l, unsigned kind,
		     unsigned k, uint64_t n)
{
	uint64_t line = l->first >> k;
	bool hit = l->hits >> k & 1, was_dirty = l->dirty >> k & 1;

	if (n && kind == WS_STORE)
		add_line(r, k, line + n - 1, 0, l->call);
	else if (n == hit && was_dirty)
		add_line(r, k, l->cell->last >> k, 0, l->cell->store);
}

static void lines(struct ws_soft_requests *r, const struct request_lane *lane, size_t lanes,
		  unsigned kind, unsigned k)
{
	bool more = true;

	for (uint64_t n = 0; more && !r->failed; n++) {
		more = false;
		for (size_t i = 0; i < lanes; i++)
			if ((lane[i].last >> k) - (lane[i].first >> k) >= n)
				add_back(r, &lane[i], kind, k, n);
		count_requests(r, lane->structure, WS_STORE, k);
		for (size_t i = 0; i < lanes; i++) {
			const struct request_lane *l = &lane[i];
			uint64_t most = (l->last >> k) - (l->first >> k);
			bool hit = !n && (l->hits >> k & 1);

			if (most < n)
				continue;
			add_line(r, k, (l->first >> k) + n, hit ? l->cell->call : 0, l->call);
			more = more || most > n;
		}
		count_requests(r, lane->structure, WS_LOAD, k);
	}
}

static void leave_behind(const struct request_lane *l, unsigned kind)
{
	unsigned one = together(l->first, l->last);

	for (unsigned k = 0; k < SIZES; k++)
		if (!(l->hits & one & 1u << k))
			l->cell->loaded[k] = l->call;
	l->cell->last = l->last;
	l->cell->call = l->call;
	l->cell->store = kind == WS_STORE ? l->call : l->cell->store;
	l->cell->there = ALL_LEVELS;
}

static void access(struct ws_soft_requests *r, struct request_lane *lane, size_t lanes,
		   unsigned kind)
{
	for (size_t i = 0; i < lanes; i++)
		add_piece(r, lane[i].first, lane[i].last, lane[i].call, TOP);
	count_requests(r, lane->structure, kind, MONITORING);
	for (unsigned k = 0; k < SIZES; k++)
		lines(r, lane, lanes, kind, k);
	for (size_t i = 0; i < lanes; i++)
		leave_behind(&lane[i], kind);
}

static void atomic(struct ws_soft_requests *r, const struct request_lane *lane, size_t lanes)
{
	for (unsigned k = 0; k < SIZES; k++) {
		for (size_t i = 0; i < lanes; i++) {
			struct request_cell *c = lane[i].cell;
			uint64_t line = c->last >> k;

			if (!(c->there >> k & 1) || line < lane[i].first >> k ||
			    line > lane[i].last >> k)
				continue;
			if (lane[i].dirty >> k & 1)
				add_line(r, k, line, 0, c->store);
			c->there &= (uint16_t)~(1u << k);
		}
		count_requests(r, lane->structure, WS_STORE, k);
	}
}

/* Lanes of one structure. */
static void same_structure(struct ws_soft_requests *r, struct request_lane *lane, size_t lanes,
			   unsigned kind)
{
	for (size_t i = 0; i < lanes; i++)
		add_piece(r, lane[i].first, lane[i].last, 0, TOP);
	count_plain(r, lane->structure, kind);
	if (lane->structure + 1 == r->structures)
		for (size_t i = 0; i < lanes; i++)
			leave_behind(&lane[i], kind); /* it never has a line */
	else if (kind == WS_ATOMIC)
		atomic(r, lane, lanes);
	else
		access(r, lane, lanes, kind);
}

/* ---- steps ------------------------------------------------------------------------------ */

static struct request_lane lane_of(struct ws_soft_requests *r, uint32_t number, size_t thread,
				   uint64_t address)
{
	const struct ws_instruction *in = &r->launch.instruction[number];
	struct request_lane l = { .structure = ws_soft_structure(&r->launch, number, address),
			  .first = address, .last = address + in->bytes - 1 };

	if (l.last < l.first)
		l.last = UINT64_MAX;
	l.cell = &r->cell[thread * r->structures + l.structure];
	if (in->kind != WS_ATOMIC)
		l.call = ++r->call[thread];
	l.hits = l.cell->call ? together(l.cell->last, l.first) & l.cell->there : 0;
	l.dirty = dirty(l.cell);
	return l;
}

static void instruction(struct ws_soft_requests *r, uint32_t number, const struct ws_step *step,
			const uint64_t *address, size_t first)
{
	struct request_lane lane[64], same[64];
	size_t lanes = 0;

	for (size_t t = first; t < first + r->width && t < r->threads; t++)
		if (ws_bit(step->mask, t))
			lane[lanes++] = lane_of(r, number, t, address[t]);
	while (lanes) {
		size_t left = 0, count_same = 0, structure = lane[0].structure;

		for (size_t i = 0; i < lanes; i++) {
			if (lane[i].structure == structure)
				same[count_same++] = lane[i];
			else
				lane[left++] = lane[i];
		}
		same_structure(r, same, count_same, r->launch.instruction[number].kind);
		lanes = left;
	}
}

/* A barrier of those in the mask (NULL: all), or their end. */
static void flush_lanes(struct ws_soft_requests *r, const uint64_t *mask, size_t first)
{
	size_t end = first + r->width < r->threads ? first + r->width : r->threads;

	for (size_t s = 0; s + 1 < r->structures; s++) {
		for (unsigned k = 0; k < SIZES; k++) {
			for (size_t t = first; t < end; t++) {
				const struct request_cell *c = &r->cell[t * r->structures + s];

				if ((!mask || ws_bit(mask, t)) && dirty(c) >> k & 1)
					add_line(r, k, c->last >> k, 0, c->store);
			}
			count_requests(r, s, WS_STORE, k);
		}
		for (size_t t = first; t < end; t++)
			if (!mask || ws_bit(mask, t))
				r->cell[t * r->structures + s].there = 0;
	}
}

static void take_step(struct ws_soft_requests *r, const struct ws_step *step)
{
	const struct ws_segment *segment = &r->launch.segment[step->segment];

	for (size_t first = 0; first < r->threads; first += r->width) {
		for (uint32_t i = 0; i < segment->count; i++)
			if (r->launch.instruction[segment->first + i].space == WS_SPACE_GLOBAL)
				instruction(r, segment->first + i, step, step->address[i], first);
		if (segment->barrier)
			flush_lanes(r, step->mask, first);
	}
}

static enum ws_status take_cta(struct ws_soft_requests *r, struct ws_decoder *d, uint64_t cta,
			       struct ws_err *err)
{
	enum ws_status status = ws_decoder_seek(d, cta, err);
	struct ws_step step;
	bool more = true;

	memset(r->call, 0, r->threads * sizeof *r->call);
	memset(r->cell, 0, r->threads * r->structures * sizeof *r->cell);
	while (status == WS_OK && !r->failed) {
		status = ws_decoder_next(d, &step, &more, err);
		if (status != WS_OK || !more)
			break;
		take_step(r, &step);
	}
	for (size_t first = 0; first < r->threads; first += r->width)
		flush_lanes(r, NULL, first);
	return status == WS_OK && r->failed ? ws_fail_memory(err, "a software cache's requests")
					    : status;
}

enum ws_status ws_soft_requests_make(struct ws_soft_requests **out, const struct ws_trace *t,
				     size_t launch, const struct ws_machine *m, struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(t, launch);
	struct ws_soft_requests *r;
	struct ws_decoder *d = NULL;
	enum ws_status status = WS_OK;

	*out = NULL;
	if (m->sm_large_warp > 1)
		return ws_fail(err, WS_EINVAL, "sm.large-warp = %" PRIu64 ": a software cache's "
			       "requests are known of plain warps: want 1", m->sm_large_warp);
	r = ws_alloc_zero(1, sizeof *r);
	if (!r)
		return ws_fail_memory(err, "a software cache's requests");
	r->launch = *l;
	r->threads = (size_t)ws_launch_threads(l);
	r->structures = ws_soft_structures(l);
	r->width = (size_t)m->warp_width;
	r->block_bits = ws_log2(m->l1.line_bytes < m->coalesce_line ? m->l1.line_bytes
								    : m->coalesce_line);
	r->cell = ws_alloc_zero(r->threads * r->structures, sizeof *r->cell);
	r->call = ws_alloc_zero(r->threads, sizeof *r->call);
	r->sums = ws_alloc_zero(r->structures, sizeof *r->sums);
	if (!r->cell || !r->call || !r->sums)
		status = ws_fail_memory(err, "a software cache's requests");
	if (status == WS_OK)
		status = ws_decoder_new(&d, t, launch, err);
	for (uint64_t cta = 0; cta < l->ctas && status == WS_OK; cta++)
		status = take_cta(r, d, cta, err);
	ws_decoder_free(d);
	if (status == WS_OK)
		*out = r;
	else
		ws_soft_requests_free(r);
	return status;
}

/* ---- answers ------------------------------------------------------------------------------ */

static uint64_t up_to(const uint64_t *change, unsigned level, uint64_t threshold)
{
	uint64_t sum = 0;

	for (uint64_t t = 0; change && t <= threshold; t++)
		sum += change[level * (TOP + 1) + t];
	return sum;
}

static bool is_chosen(const struct ws_soft_result *choice, size_t structure)
{
	for (size_t p = 0; p < choice->parts; p++)
		if (choice->part[p].array == structure)
			return choice->part[p].why == WS_SOFT_CHOSEN;
	return false;
}

void ws_soft_requests_left(const struct ws_soft_requests *r, const struct ws_soft *soft,
			   const struct ws_soft_result *choice, uint64_t kind[WS_KINDS])
{
	unsigned level = ws_log2(soft->line_bytes);

	for (unsigned i = 0; i < WS_KINDS; i++)
		kind[i] = 0;
	for (size_t i = 0; i < r->structures; i++) {
		const struct structure_sums *s = &r->sums[i];
		bool use = choice && is_chosen(choice, i);

		kind[WS_ATOMIC] += s->plain[WS_ATOMIC];
		for (unsigned k = 0; k < 2; k++)
			kind[k] += use ? up_to(s->change[k], level, soft->threshold) +
						 up_to(s->change[k], MONITORING, soft->threshold)
				       : s->plain[k];
	}
}
