/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/shared.c -- offers to keep in shared memory what a CTA reads of an array.
 *
 * Of the CTAs of the largest launch: the sectors of each array that a CTA reads, and how
 * often.  An array that the kernel only reads, whose sectors a CTA reads more than once and that
 * fit beside its shared memory, is worth a try.
 */
#include "base/bits.h"
#include "base/map.h"
#include "study/advise/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ARRAYS_TRIED 4u
#define USES_MIN 2		/* of a sector, by a CTA */
#define SHARE_MIN 0.05		/* of the requests */
#define GATHERED ", which it has to list and gather first, as data says which they are"
#define SCATTERED 2		/* times its sectors: the span of those that a CTA reads */

struct staged {			/* an array of the launch */
	struct ws_keys sector;	/* of the CTA at hand */
	uint64_t uses, distinct, most; /* sums over CTAs; sectors of one CTA */
	uint64_t span;		/* sectors from the first to the last, summed over CTAs */
	bool written, uneven;	/* uneven: addresses do not follow from the lanes' numbers */
};

struct staging {
	const struct ws_machine *machine;
	const struct ws_launch *launch;
	struct staged *array;
	struct ws_request *request;
};

/* ---- what CTAs read ---------------------------------------------------------------- */

static enum ws_status look_at_warp(struct staging *s, struct staged *a, const uint64_t *address,
				   uint64_t mask, uint32_t bytes, struct ws_err *err)
{
	size_t count = ws_coalesce(s->machine, address, mask, bytes, s->request);

	for (size_t i = 0; i < count; i++)
		for (uint32_t left = s->request[i].sectors; left; left &= left - 1) {
			uint64_t at = s->request[i].address +
				      (uint64_t)ws_lowest_bit(left) * WS_SECTOR_BYTES;

			if (ws_keys_add(&a->sector, at) == WS_MAP_NONE)
				return ws_fail_memory(err, "the sectors of a CTA");
			a->uses++;
		}
	return WS_OK;
}

/* Do neighbours in a row of the block lie at different distances? */
static bool is_uneven(const struct ws_launch *l, const uint64_t *address, uint64_t mask,
		      uint64_t first)
{
	uint64_t distance = 0;
	bool known = false;

	for (uint64_t both = mask & mask << 1; both; both &= both - 1) {
		unsigned lane = ws_lowest_bit(both);
		uint64_t own = address[lane] - address[lane - 1];

		if ((first + lane) % l->block[0] == 0)
			continue;
		if (known && own != distance)
			return true;
		known = true;
		distance = own;
	}
	return false;
}

static enum ws_status look_at_step(struct staging *s, const struct ws_step *step,
				   struct ws_err *err)
{
	const struct ws_segment *segment = &s->launch->segment[step->segment];
	uint64_t width = s->machine->warp_width, threads = ws_launch_threads(s->launch);
	enum ws_status status = WS_OK;

	for (uint32_t i = 0; i < segment->count; i++) {
		const struct ws_instruction *in = &s->launch->instruction[segment->first + i];

		if (in->space != WS_SPACE_GLOBAL || in->texture || in->array >= s->launch->arrays ||
		    in->kind != WS_LOAD)
			continue;
		for (uint64_t at = 0; at < threads && status == WS_OK; at += width) {
			uint64_t mask = ws_step_lanes(step, (size_t)at, width);

			if (mask)
				s->array[in->array].uneven |=
					is_uneven(s->launch, step->address[i] + at, mask, at);
			if (mask)
				status = look_at_warp(s, &s->array[in->array],
						      step->address[i] + at, mask, in->bytes, err);
		}
	}
	return status;
}

static uint64_t span_of(const struct ws_keys *sectors)
{
	uint64_t low = UINT64_MAX, high = 0;

	for (size_t i = 0; i < sectors->count; i++) {
		low = sectors->key[i] < low ? sectors->key[i] : low;
		high = sectors->key[i] > high ? sectors->key[i] : high;
	}
	return sectors->count ? (high - low) / WS_SECTOR_BYTES + 1 : 0;
}

static enum ws_status look_at_cta(struct staging *s, struct ws_decoder *d, uint64_t cta,
				  struct ws_err *err)
{
	struct ws_step step;
	bool more = true;
	enum ws_status status = ws_decoder_seek(d, cta, err);

	while (status == WS_OK && more) {
		status = ws_decoder_next(d, &step, &more, err);
		if (status == WS_OK && more)
			status = look_at_step(s, &step, err);
	}
	for (size_t i = 0; i < s->launch->arrays; i++) {
		struct staged *a = &s->array[i];

		a->distinct += a->sector.count;
		a->span += span_of(&a->sector);
		a->most = a->sector.count > a->most ? a->sector.count : a->most;
		ws_keys_flush(&a->sector);
	}
	return status;
}

static enum ws_status look_at_launch(struct staging *s, const struct ws_trace *t, size_t number,
				     struct ws_err *err)
{
	const struct ws_launch *l = s->launch;
	struct ws_decoder *d = NULL;
	uint32_t bytes = 1;
	enum ws_status status = ws_decoder_new(&d, t, number, err);

	for (size_t i = 0; i < l->instructions; i++) {
		const struct ws_instruction *in = &l->instruction[i];

		bytes = in->bytes > bytes ? in->bytes : bytes;
		if (in->kind != WS_LOAD && in->array < l->arrays)
			s->array[in->array].written = true;
	}
	s->request = ws_alloc(WS_COALESCE_MAX(s->machine->warp_width, bytes), sizeof *s->request);
	if (status == WS_OK && !s->request)
		status = ws_fail_memory(err, "the requests of a warp");
	for (uint64_t cta = 0; cta < l->ctas && status == WS_OK; cta++)
		status = look_at_cta(s, d, cta, err);
	free(s->request);
	ws_decoder_free(d);
	return status;
}

/* ---- offers ------------------------------------------------------------------------- */

static double requests_of(const struct ws_facts *f, const char *array)
{
	uint64_t all = f->measure->counts.requests;

	for (size_t i = 0; i < f->measure->arrays && all; i++)
		if (strcmp(f->measure->array[i].array, array) == 0)
			return (double)f->measure->array[i].requests / (double)all;
	return 0;
}

/* A carve-out that follows the launch has little, or none, for one that uses none. */
static uint64_t most_shared(const struct ws_facts *f)
{
	uint64_t own = f->machine->sm_shared_bytes, named = f->named->sm_shared_bytes;

	return own > named ? own : named;
}

static bool is_worth_it(const struct staging *s, const struct ws_facts *f, size_t i)
{
	const struct staged *a = &s->array[i];
	uint64_t bytes = a->most * WS_SECTOR_BYTES + s->launch->shared_bytes +
			 s->machine->sm_shared_reserved;

	return !a->written && a->distinct && a->uses >= USES_MIN * a->distinct &&
	       bytes <= most_shared(f) &&
	       requests_of(f, s->launch->array[i].name) >= SHARE_MIN;
}

/* The line that reads it most. */
static const char *source_of(const struct ws_facts *f, const char *array)
{
	const char *source = "";
	uint64_t most = 0;

	for (size_t i = 0; i < f->scan->count; i++) {
		const struct ws_scan_site *site = &f->scan->site[i];

		if (strcmp(site->array, array) == 0 && site->sum.requests > most) {
			most = site->sum.requests;
			source = site->source;
		}
	}
	return source;
}

/* Rows of a tile lie apart, too, but at one distance: their addresses follow from the lanes'. */
static bool is_scattered(const struct staged *a)
{
	return a->span > SCATTERED * a->distinct && a->uneven;
}

static enum ws_status offer_staged(struct ws_offers *offers, const struct staging *s,
				   const struct ws_facts *f, size_t i, struct ws_err *err)
{
	const struct staged *a = &s->array[i];
	const char *name = s->launch->array[i].name;
	uint64_t bytes = a->most * WS_SECTOR_BYTES;
	struct ws_offer *o = ws_offer_add(offers, WS_ADVICE_SHARED, err);

	if (!o)
		return WS_ENOMEM;
	ws_offer_name(o, name, source_of(f, name));
	o->rewritten = true;
	o->gathered = is_scattered(a);
	snprintf(o->change.staged, sizeof o->change.staged, "%s", name);
	o->change.shared_bytes = s->launch->shared_bytes + bytes;
	snprintf(o->advice.change, sizeof o->advice.change,
		 "keep what a CTA reads of array %.64s in shared memory: %" PRIu64 " bytes%s", name,
		 bytes, o->gathered ? GATHERED : "");
	snprintf(o->advice.evidence, sizeof o->advice.evidence,
		 "a CTA asks %.1f times for each of its %" PRIu64 " sector%s of array %.64s",
		 (double)a->uses / (double)a->distinct, a->most, a->most == 1 ? "" : "s", name);
	return WS_OK;
}

/* Those that save most accesses first. */
static enum ws_status offer_arrays(struct ws_offers *offers, const struct staging *s,
				   const struct ws_facts *f, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (unsigned tried = 0; tried < ARRAYS_TRIED && status == WS_OK; tried++) {
		size_t best = s->launch->arrays;
		uint64_t most = 0;

		for (size_t i = 0; i < s->launch->arrays; i++)
			if (is_worth_it(s, f, i) &&
			    s->array[i].uses - s->array[i].distinct > most) {
				best = i;
				most = s->array[i].uses - s->array[i].distinct;
			}
		if (best == s->launch->arrays)
			break;
		status = offer_staged(offers, s, f, best, err);
		s->array[best].written = true; /* not again */
	}
	return status;
}

enum ws_status ws_offers_shared(struct ws_offers *offers, const struct ws_facts *f,
				const struct ws_trace *t, struct ws_err *err)
{
	struct staging s = { .machine = f->machine, .launch = f->scan->launch };
	size_t number = 0;
	enum ws_status status;

	while (number < ws_trace_launches(t) && ws_trace_launch(t, number) != s.launch)
		number++;
	if (number == ws_trace_launches(t))
		return WS_OK;
	s.array = ws_alloc_zero(s.launch->arrays + 1, sizeof *s.array);
	if (!s.array)
		return ws_fail_memory(err, "the arrays of a launch");
	status = look_at_launch(&s, t, number, err);
	if (status == WS_OK)
		status = offer_arrays(offers, &s, f, err);
	for (size_t i = 0; i < s.launch->arrays; i++)
		ws_keys_clear(&s.array[i].sector);
	free(s.array);
	return status;
}
