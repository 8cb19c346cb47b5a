/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/offers_conflict.c -- arrays whose lines map to other sets: rows padded, space
 * between arrays.
 *
 * Rows are padded by one line at first.  Where that leaves conflicts, the best row of each array
 * is padded by more: wide rows that are in use together need more room than a line.
 */
#include "study/advise/private.h"

#include <inttypes.h>
#include <string.h>

#define SHARE_MIN 0.03		/* conflict misses, of the kernel's requests */
#define LEFT_MAX 0.1		/* of the conflict misses, where no wider padding is tried */
#define ROWS_MIN 3u		/* of an array, or there is little to pad */
#define NEARLY 0.8
#define ARRAY_ALIGN 256u

static void conflict_evidence(struct ws_offer *o, const struct ws_facts *f)
{
	uint64_t requests = f->measure->counts.requests;

	snprintf(o->advice.evidence, sizeof o->advice.evidence,
		 "%.1f %% of the requests miss that would hit in a fully associative L1; %.1f %% "
		 "miss for its size", 100 * ws_share(f->conflict, requests),
		 100 * ws_share(f->capacity, requests));
}

/* array "": all. */
static enum ws_status offer_padding(struct ws_offers *offers, const struct ws_facts *f,
				    const char *array, const char *source, uint64_t row,
				    uint64_t pad, struct ws_err *err)
{
	struct ws_offer *o = ws_offer_add(offers, WS_ADVICE_CONFLICT, err);

	if (!o)
		return WS_ENOMEM;
	ws_offer_name(o, array, source);
	o->rewritten = true;
	o->change.remap = (struct ws_remap){ .row = row, .pad = pad };
	snprintf(o->change.remap.array, sizeof o->change.remap.array, "%s", array);
	snprintf(o->advice.change, sizeof o->advice.change,
		 "pad the rows of %s%s: %" PRIu64 " bytes become %" PRIu64,
		 *array ? "array " : "all arrays", array, row, row + pad);
	conflict_evidence(o, f);
	return WS_OK;
}

static uint64_t largest_array(const struct ws_scan *scan)
{
	uint64_t most = 0;

	for (size_t i = 0; i < scan->launch->arrays; i++)
		if (scan->launch->array[i].bytes > most)
			most = scan->launch->array[i].bytes;
	return most;
}

static enum ws_status offer_padded(struct ws_offers *offers, const struct ws_facts *f,
				   const char *array, const char *source, struct ws_err *err)
{
	uint64_t row[WS_STRIDES_TRIED], line = f->machine->l1.line_bytes,
		 bytes = *array ? ws_scan_array_bytes(f->scan, array) : largest_array(f->scan);
	enum ws_status status = WS_OK;

	ws_scan_strides(row, f->scan, *array ? array : NULL, (1u << WS_STRIDE_KINDS) - 1, line,
			&f->machine->l1);
	for (unsigned n = 0; n < WS_STRIDES_TRIED && row[n] && status == WS_OK; n++)
		if (row[n] <= bytes / ROWS_MIN)
			status = offer_padding(offers, f, array, source, row[n], line, err);
	return status;
}

static enum ws_status offer_apart(struct ws_offers *offers, const struct ws_facts *f,
				  uint64_t bytes, struct ws_err *err)
{
	struct ws_offer *o = ws_offer_add(offers, WS_ADVICE_CONFLICT, err);

	if (!o)
		return WS_ENOMEM;
	o->rewritten = true;
	o->change.stagger = bytes;
	snprintf(o->advice.change, sizeof o->advice.change,
		 "leave %" PRIu64 " bytes between each array and the next", bytes);
	conflict_evidence(o, f);
	return WS_OK;
}

/* A line or two, a part of a way, and an even share of it. */
static enum ws_status offer_staggered(struct ws_offers *offers, const struct ws_facts *f,
				      struct ws_err *err)
{
	const struct ws_cache *l1 = &f->machine->l1;
	uint64_t arrays = f->scan->launch->arrays, way = l1->sets * l1->line_bytes;
	const uint64_t wanted[] = { ARRAY_ALIGN, way / 8, way / 4,
				    way / (arrays ? arrays : 1) / ARRAY_ALIGN * ARRAY_ALIGN +
				    ARRAY_ALIGN };
	enum ws_status status = WS_OK;

	if (arrays < 2)
		return WS_OK;
	for (size_t i = 0; i < WS_COUNT(wanted) && status == WS_OK; i++) {
		uint64_t bytes = (wanted[i] + ARRAY_ALIGN - 1) / ARRAY_ALIGN * ARRAY_ALIGN;
		bool again = !bytes;

		for (size_t j = 0; j < offers->count; j++)
			again |= offers->offer[j].change.stagger == bytes;
		if (!again)
			status = offer_apart(offers, f, bytes, err);
	}
	return status;
}

enum ws_status ws_offers_conflict(struct ws_offers *offers, const struct ws_facts *f,
				  struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t arrays = 0;

	if (ws_share(f->conflict, f->measure->counts.requests) < SHARE_MIN)
		return WS_OK;
	for (size_t i = 0; i < f->scan->count && status == WS_OK; i++) {
		struct ws_array_sum a;

		if (!ws_scan_begins_array(f->scan, i))
			continue;
		arrays++;
		ws_scan_array(&a, f->scan, f->scan->site[i].array);
		status = offer_padded(offers, f, a.name, a.worst->source, err);
	}
	if (status == WS_OK && arrays > 1)
		status = offer_padded(offers, f, "", "", err);
	return status == WS_OK ? offer_staggered(offers, f, err) : status;
}

/* ---- wider paddings ------------------------------------------------------------------------- */

static bool pads(const struct ws_offer *o, const char *array)
{
	return o->change.remap.pad && strcmp(o->change.remap.array, array) == 0;
}

/* Is this the first offer to pad the array (or all)?  Then the one with the shortest rows of those
 * that gain nearly as much as the best. */
static const struct ws_offer *best_padding(const struct ws_offers *offers, size_t first)
{
	const char *array = offers->offer[first].change.remap.array;
	const struct ws_offer *best = &offers->offer[first];
	double most = best->gain[0];

	for (size_t i = 0; i < offers->count; i++) {
		const struct ws_offer *o = &offers->offer[i];

		if (i < first && pads(o, array))
			return NULL;
		most = pads(o, array) && o->gain[0] > most ? o->gain[0] : most;
	}
	for (size_t i = first; i < offers->count; i++) {
		const struct ws_offer *o = &offers->offer[i];

		if (pads(o, array) && o->gain[0] >= NEARLY * most &&
		    (best->gain[0] < NEARLY * most || o->change.remap.row < best->change.remap.row))
			best = o;
	}
	return best;
}

static bool leaves_conflicts(const struct ws_offer *o, const struct ws_facts *f)
{
	uint64_t before = f->measure->counts.misses, after = o->advice.after.misses,
		 saved = before > after ? before - after : 0;

	return (double)saved < (1 - LEFT_MAX) * (double)f->conflict;
}

enum ws_status ws_offers_wider(struct ws_offers *offers, const struct ws_facts *f,
			       struct ws_err *err)
{
	const struct ws_cache *l1 = &f->machine->l1;
	size_t count = offers->count;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < count; i++) {
		const struct ws_offer *best =
			offers->offer[i].change.remap.pad ? best_padding(offers, i) : NULL;
		struct ws_offer own;

		if (!best || !leaves_conflicts(best, f))
			continue;
		own = *best;	/* offers move as they grow */
		for (uint64_t lines = 2; lines < l1->sets && status == WS_OK; lines *= 2)
			status = offer_padding(offers, f, own.advice.array, own.advice.source,
					       own.change.remap.row, lines * l1->line_bytes, err);
	}
	return status;
}
