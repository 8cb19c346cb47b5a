/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/pieces.c -- a CTA that goes through an array by pieces: all passes over one piece,
 * then those over the next; and offers of it.
 *
 * Between two barriers, what the CTA reads of the array is cut into pieces of equal bytes.  Steps
 * that read it go to their piece and keep their order there; other steps go with the next step that
 * reads it.  Those that stand between two passes (a loop around the passes) are executed once here
 * and once a piece in a program that does the same, unless the compiler keeps what they do.
 */
#include "base/bits.h"
#include "study/advise/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BARRIERS_MAX 16u	/* of a CTA that is put in pieces: it is read once for each piece */
#define ARRAYS_TRIED 2u
#define PIECES_MAX 16u
#define REST_MAX 0.02		/* of a loop's turns, that its last pieces may lack */
#define SHARE_MIN 0.05		/* of the kernel's requests */
#define MISSES_MIN 0.03		/* for the cache's size, of the requests */

/* ---- the order of steps ---------------------------------------------------------------- */

static bool reads(const struct ws_launch *l, const struct ws_instruction *in, const char *array)
{
	return in->kind == WS_LOAD && in->space != WS_SPACE_LOCAL && in->array < l->arrays &&
	       strcmp(l->array[in->array].name, array) == 0;
}

/* The least address of the array that the step reads; UINT64_MAX: it reads none. */
static uint64_t least_read(const struct ws_launch *l, const struct ws_step *s, const char *array)
{
	const struct ws_segment *segment = &l->segment[s->segment];
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < segment->count; i++) {
		if (!reads(l, &l->instruction[segment->first + i], array))
			continue;
		for (size_t word = 0; word < s->words; word++)
			for (uint64_t left = s->mask[word]; left; left &= left - 1) {
				size_t lane = word * 64 + ws_lowest_bit(left);

				if (s->address[i][lane] < least)
					least = s->address[i][lane];
			}
	}
	return least;
}

static enum ws_status read_steps(struct ws_pieces *p, struct ws_decoder *steps,
				 const struct ws_launch *l, const char *array, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	bool more = true;

	p->steps = 0;
	while (status == WS_OK && more) {
		struct ws_step s;

		status = ws_decoder_next(steps, &s, &more, err);
		if (status != WS_OK || !more)
			continue;
		if (!WS_ROOM(p->step, p->cap, p->steps + 1))
			return ws_fail_memory(err, "the steps of a CTA");
		p->step[p->steps++] = (struct ws_piece_step){
			.least = least_read(l, &s, array), .barrier = l->segment[s.segment].barrier,
			.segment = s.segment,
		};
	}
	return status;
}

/* Steps [first, end) have no barrier but the last one. */
static void cut(struct ws_pieces *p, size_t first, size_t end)
{
	uint64_t low = UINT64_MAX, high = 0;
	uint32_t last = p->count - 1, next = last, none = p->count;

	for (size_t i = first; i < end; i++) {
		uint64_t at = p->step[i].least;

		low = at < low ? at : low;
		high = at != UINT64_MAX && at > high ? at : high;
	}
	for (size_t i = end; i-- > first;) { /* backwards: what follows says where a step goes */
		struct ws_piece_step *s = &p->step[i];

		if (s->least != UINT64_MAX)
			next = (uint32_t)((s->least - low) / ((high - low) / p->count + 1));
		s->piece = s->barrier ? last : next;
	}
	for (size_t i = first, before = none; i < end; i++) {
		struct ws_piece_step *s = &p->step[i];

		s->between = s->least == UINT64_MAX && !s->barrier && before != none &&
			     s->piece < before;
		if (s->least == UINT64_MAX)
			continue;
		p->passes += before != none && s->piece < before;
		before = s->piece;
	}
}

enum ws_status ws_pieces_cut(struct ws_pieces *p, struct ws_decoder *steps,
			     const struct ws_launch *l, const char *array, uint32_t count,
			     struct ws_err *err)
{
	enum ws_status status = read_steps(p, steps, l, array, err);
	size_t first = 0;

	p->count = count;
	p->barriers = 0;
	p->passes = 0;
	for (size_t i = 0; i < p->steps && status == WS_OK; i++) {
		p->step[i].part = p->barriers;
		if (!p->step[i].barrier && i + 1 < p->steps)
			continue;
		cut(p, first, i + 1);
		first = i + 1;
		p->barriers += p->step[i].barrier;
	}
	p->turns = p->passes && p->barriers <= BARRIERS_MAX ? (p->barriers + 1) * count : 1;
	return status;
}

bool ws_pieces_has(const struct ws_pieces *p, size_t step, uint32_t turn, bool again)
{
	const struct ws_piece_step *s = &p->step[step];

	if (p->turns == 1)
		return true;
	if (s->part != turn / p->count)
		return false;
	return s->piece == turn % p->count || (again && s->between && s->piece < turn % p->count);
}

void ws_pieces_clear(struct ws_pieces *p)
{
	free(p->step);
	*p = (struct ws_pieces){ .steps = 0 };
}

/* ---- offers ---------------------------------------------------------------- */

static bool is_only_read(const struct ws_scan *scan, const char *array)
{
	for (size_t i = 0; i < scan->count; i++)
		if (scan->site[i].kind != WS_LOAD && strcmp(scan->site[i].array, array) == 0)
			return false;
	return true;
}

static int by_least(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The turns of a pass's loop: how many places the first code that reads the array begins to read
 * at, up to the next barrier. */
static enum ws_status count_turns(const struct ws_pieces *p, size_t *turns, struct ws_err *err)
{
	uint64_t *least = ws_alloc(p->steps, sizeof *least);
	size_t first = 0, n = 0;

	*turns = 0;
	if (!least)
		return ws_fail_memory(err, "the places that a CTA reads");
	while (first < p->steps && p->step[first].least == UINT64_MAX)
		first++;
	for (size_t i = first; i < p->steps && p->step[i].part == p->step[first].part; i++)
		if (p->step[i].segment == p->step[first].segment)
			least[n++] = p->step[i].least;
	qsort(least, n, sizeof *least, by_least);
	for (size_t i = 0; i < n; i++)
		*turns += !i || least[i] != least[i - 1];
	free(least);
	return WS_OK;
}

/* Does the first CTA go through what it reads of the array more than once, between barriers? */
static enum ws_status find_passes(const struct ws_facts *f, const char *array, uint32_t *passes,
				  size_t *turns, struct ws_err *err)
{
	struct ws_pieces p = { .steps = 0 };
	struct ws_decoder *decoder = NULL;
	size_t launch = 0;
	enum ws_status status;

	while (ws_trace_launch(f->base, launch)->ctas < f->scan->launch->ctas &&
	       launch + 1 < ws_trace_launches(f->base))
		launch++;
	status = ws_decoder_new(&decoder, f->base, launch, err);
	if (status == WS_OK)
		status = ws_decoder_seek(decoder, 0, err);
	if (status == WS_OK)
		status = ws_pieces_cut(&p, decoder, ws_trace_launch(f->base, launch), array, 2,
				       err);
	*passes = p.turns > 1 ? p.passes : 0;
	if (status == WS_OK && *passes)
		status = count_turns(&p, turns, err);
	ws_decoder_free(decoder);
	ws_pieces_clear(&p);
	return status;
}

static enum ws_status offer_pieces(struct ws_offers *offers, const struct ws_facts *f,
				   const struct ws_array_counts *a, const char *source,
				   uint32_t count, struct ws_err *err)
{
	struct ws_offer *o = ws_offer_add(offers, WS_ADVICE_TILE, err);

	if (!o)
		return WS_ENOMEM;
	ws_offer_name(o, a->array, source);
	o->rewritten = true;
	o->change.pieces = count;
	snprintf(o->change.pieced, sizeof o->change.pieced, "%s", a->array);
	snprintf(o->advice.change, sizeof o->advice.change,
		 "let a CTA go through its part of array %s in %" PRIu32 " pieces, all passes over "
		 "one before the next, if what it computes allows", a->array, count);
	snprintf(o->advice.evidence, sizeof o->advice.evidence,
		 "a CTA touches %.1f KB and %" PRIu64 " are on an SM, the L1 holds %.1f KB; "
		 "%.1f %% of the requests to array %s hit",
		 ws_share(f->scan->cta_lines, f->scan->ctas_scanned) *
		 (double)f->named->l1.line_bytes / 1024, f->scan->resident,
		 (double)f->machine->l1.size_bytes / 1024, 100 * ws_share(a->hits, a->requests),
		 a->array);
	return WS_OK;
}

static const char *source_of(const struct ws_scan *scan, const char *array)
{
	for (size_t i = 0; i < scan->count; i++)
		if (strcmp(scan->site[i].array, array) == 0)
			return scan->site[i].source;
	return "";
}

/* As many pieces, or the next number below twice as many that cuts the loop's turns without much
 * of a rest: a piece that ends within a turn of all work-items takes a turn in which some idle. 0:
 * there is none. */
static uint32_t even_pieces(uint32_t count, size_t turns)
{
	for (uint32_t n = count; n < 2 * count && n <= turns && n <= PIECES_MAX; n++) {
		size_t each = (turns + n - 1) / n;

		if ((double)(each * n - turns) <= REST_MAX * (double)turns)
			return n;
	}
	return 0;
}

enum ws_status ws_offers_pieces(struct ws_offers *offers, const struct ws_facts *f,
				struct ws_err *err)
{
	enum ws_status status = WS_OK;
	unsigned arrays = 0;

	if (ws_share(f->capacity, f->measure->counts.requests) < MISSES_MIN)
		return WS_OK;
	for (size_t i = 0; i < f->measure->arrays && arrays < ARRAYS_TRIED && status == WS_OK;
	     i++) {
		const struct ws_array_counts *a = &f->measure->array[i];
		uint32_t passes = 0;
		size_t turns = 0;

		if (!a->loads || !is_only_read(f->scan, a->array) ||
		    ws_share(a->requests, f->measure->counts.requests) < SHARE_MIN)
			continue;
		status = find_passes(f, a->array, &passes, &turns, err);
		arrays += passes > 0;
		for (uint32_t n = 2; n <= PIECES_MAX && passes && status == WS_OK; n *= 2) {
			uint32_t even = even_pieces(n, turns);

			if (even)
				status = offer_pieces(offers, f, a, source_of(f->scan, a->array),
						      even, err);
		}
	}
	return status;
}
