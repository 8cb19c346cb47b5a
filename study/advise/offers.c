/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/offers.c -- changes of a kernel that are worth a simulation.
 *
 * What is offered follows from what the scan and the first simulation found; thresholds only keep
 * the number of simulations small, and decide nothing about what is advised.
 */
#include "study/advise/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WASTED_MIN 1.25		/* sectors asked for, over those needed */
#define STRIDE_MIN 0.1		/* of the instructions: below it data sends the lanes apart */
#define SHARE_MIN 0.03		/* of the kernel's sectors, requests, lanes */
#define HITS_STREAMING 0.5	/* of the requests of an array that streams, at most */
#define ACTIVE_MAX 0.9		/* lanes of a warp */

struct ws_offer *ws_offer_add(struct ws_offers *offers, enum ws_advice_kind kind,
			      struct ws_err *err)
{
	struct ws_offer *o;

	if (!WS_ROOM(offers->offer, offers->cap, offers->count + 1)) {
		(void)ws_fail_memory(err, "offers of changes");
		return NULL;
	}
	o = &offers->offer[offers->count++];
	*o = (struct ws_offer){ .advice = { .kind = kind } };
	return o;
}

void ws_offer_name(struct ws_offer *o, const char *array, const char *source)
{
	snprintf(o->advice.array, sizeof o->advice.array, "%s", array);
	snprintf(o->advice.source, sizeof o->advice.source, "%s",
		 strcmp(source, "?") == 0 ? "" : source);
}

/* ---- uncoalesced access ---------------------------------------------------- */

static void coalescing_evidence(struct ws_offer *o, const struct ws_access_sum *sum)
{
	snprintf(o->advice.evidence, sizeof o->advice.evidence,
		 "a warp instruction asks for %.1f sectors in %.1f lines, %.1f sectors would do",
		 ws_share(sum->sectors, sum->instructions),
		 ws_share(sum->requests, sum->instructions),
		 ws_share(sum->needed, sum->instructions));
}

static enum ws_status offer_transposed(struct ws_offers *offers, const struct ws_facts *f,
				       const struct ws_array_sum *a, struct ws_err *err)
{
	uint64_t row[WS_STRIDES_TRIED], bytes = ws_scan_array_bytes(f->scan, a->name);

	ws_scan_strides(row, f->scan, a->name, 1u << WS_STRIDE_LANE, a->bytes + 1u, NULL);
	for (unsigned n = 0; n < WS_STRIDES_TRIED && row[n]; n++) {
		struct ws_offer *o;

		if (row[n] % a->bytes || row[n] >= bytes ||
		    ws_share(ws_scan_lanes_apart(f->scan, a->name, row[n]),
			     a->sum.instructions) < STRIDE_MIN)
			continue;
		o = ws_offer_add(offers, WS_ADVICE_UNCOALESCED, err);
		if (!o)
			return WS_ENOMEM;
		ws_offer_name(o, a->name, a->worst->source);
		o->rewritten = true;
		o->change.remap = (struct ws_remap){ .row = row[n], .element = a->bytes };
		snprintf(o->change.remap.array, sizeof o->change.remap.array, "%s", a->name);
		snprintf(o->advice.change, sizeof o->advice.change,
			 "store array %s transposed: elements of %" PRIu32 " bytes that are %"
			 PRIu64 " bytes apart become neighbours", a->name, a->bytes, row[n]);
		coalescing_evidence(o, &a->sum);
	}
	return WS_OK;
}

static enum ws_status offer_swapped(struct ws_offers *offers, const struct ws_facts *f,
				    const struct ws_array_sum *a, struct ws_err *err)
{
	const struct ws_launch *l = f->scan->launch;
	struct ws_offer *o;

	if (l->block[0] < 2 || l->block[1] < 2)
		return WS_OK;
	for (size_t i = 0; i < offers->count; i++)
		if (offers->offer[i].change.lanes == WS_LANES_SWAPPED)
			return WS_OK;
	o = ws_offer_add(offers, WS_ADVICE_UNCOALESCED, err);
	if (!o)
		return WS_ENOMEM;
	ws_offer_name(o, "", a->worst->source);
	o->rewritten = true;
	o->change.lanes = WS_LANES_SWAPPED;
	snprintf(o->advice.change, sizeof o->advice.change,
		 "exchange x and y of the thread and block indexes");
	coalescing_evidence(o, &f->scan->all);
	return WS_OK;
}

static enum ws_status offer_coalescing(struct ws_offers *offers, const struct ws_facts *f,
				       struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < f->scan->count && status == WS_OK; i++) {
		struct ws_array_sum a;

		if (!ws_scan_begins_array(f->scan, i))
			continue;
		ws_scan_array(&a, f->scan, f->scan->site[i].array);
		if (ws_share(a.sum.sectors, a.sum.needed) < WASTED_MIN ||
		    ws_share(a.sum.sectors - a.sum.needed, f->scan->all.sectors) < SHARE_MIN)
			continue;
		status = offer_transposed(offers, f, &a, err);
		if (status == WS_OK)
			status = offer_swapped(offers, f, &a, err);
	}
	return status;
}

static bool is_transposed(const struct ws_offer *o)
{
	return o->change.remap.element && *o->advice.array;
}

/* Is there another offer to transpose the array that gains more, or as much and comes before? */
static bool is_outdone(const struct ws_offers *offers, size_t n)
{
	const struct ws_offer *own = &offers->offer[n];

	for (size_t i = 0; i < offers->count; i++) {
		const struct ws_offer *o = &offers->offer[i];

		if (i != n && is_transposed(o) && strcmp(o->advice.array, own->advice.array) == 0 &&
		    (o->gain[0] > own->gain[0] || (i < n && o->gain[0] >= own->gain[0])))
			return true;
	}
	return false;
}

static void name_together(struct ws_offer *o, const struct ws_offer *first)
{
	char names[WS_ADVICE_TEXT / 2];
	size_t used = (size_t)snprintf(names, sizeof names, "%.64s", o->change.remap.array);

	for (size_t i = 0; i < WS_REMAPS_MORE && o->change.others[i].row; i++)
		if (used < sizeof names)
			used += (size_t)snprintf(names + used, sizeof names - used, ", %.64s",
						 o->change.others[i].array);
	ws_offer_name(o, "", first->advice.source);
	snprintf(o->advice.change, sizeof o->advice.change,
		 "store arrays %s transposed: what neighbouring lanes access becomes neighbours",
		 names);
	snprintf(o->advice.evidence, sizeof o->advice.evidence, "%s", first->advice.evidence);
}

enum ws_status ws_offers_together(struct ws_offers *offers, struct ws_err *err)
{
	size_t best[1 + WS_REMAPS_MORE], count = 0;
	struct ws_offer *o;

	for (size_t i = 0; i < offers->count && count < WS_COUNT(best); i++)
		if (is_transposed(&offers->offer[i]) && !is_outdone(offers, i))
			best[count++] = i;
	if (count < 2)
		return WS_OK;
	o = ws_offer_add(offers, WS_ADVICE_UNCOALESCED, err);
	if (!o)
		return WS_ENOMEM;
	o->rewritten = true;
	o->change.remap = offers->offer[best[0]].change.remap;
	for (size_t i = 1; i < count; i++)
		o->change.others[i - 1] = offers->offer[best[i]].change.remap;
	name_together(o, &offers->offer[best[0]]);
	return WS_OK;
}

/* ---- CTAs on an SM ---------------------------------------------------- */

static uint64_t most_shared(const struct ws_machine *m)
{
	return m->sm_carveouts.count ? m->sm_carveouts.bytes[m->sm_carveouts.count - 1]
				     : m->sm_shared_bytes;
}

/* Shared memory of a CTA with which at most `ctas` fit on an SM. */
static enum ws_status offer_ctas(struct ws_offers *offers, const struct ws_facts *f, uint64_t ctas,
				 struct ws_err *err)
{
	const struct ws_machine *m = f->named;
	struct ws_launch l = *f->scan->launch;
	uint64_t resident = f->scan->resident, lines = f->scan->cta_lines;
	const char *limit;
	struct ws_offer *o;

	l.shared_bytes = most_shared(m) / ctas / 128 * 128;
	l.shared_bytes -= l.shared_bytes > m->sm_shared_reserved ? m->sm_shared_reserved : 0;
	if (ws_residency(&l, m, &ctas, &limit, NULL) != WS_OK || ctas >= resident)
		return WS_OK;
	o = ws_offer_add(offers, WS_ADVICE_RESIDENCY, err);
	if (!o)
		return WS_ENOMEM;
	o->rewritten = true;
	o->change.shared_bytes = l.shared_bytes;
	snprintf(o->advice.change, sizeof o->advice.change,
		 "let %" PRIu64 " in place of %" PRIu64 " CTAs be on an SM, by %" PRIu64
		 " bytes of shared memory each", ctas, resident, l.shared_bytes);
	snprintf(o->advice.evidence, sizeof o->advice.evidence,
		 "a CTA touches %.1f KB and %" PRIu64 " are on an SM, the L1 holds %.1f KB; "
		 "%.1f %% of the requests miss for its size",
		 ws_share(lines, f->scan->ctas_scanned) * (double)m->l1.line_bytes / 1024, resident,
		 (double)f->machine->l1.size_bytes / 1024,
		 100 * ws_share(f->capacity, f->measure->counts.requests));
	return WS_OK;
}

static enum ws_status offer_fewer_ctas(struct ws_offers *offers, const struct ws_facts *f,
				       struct ws_err *err)
{
	uint64_t resident = f->scan->resident;
	const uint64_t tried[] = { resident * 3 / 4, resident / 2, resident / 3, resident / 4, 1 };
	enum ws_status status = WS_OK;

	if (ws_share(f->capacity + f->conflict, f->measure->counts.requests) < SHARE_MIN)
		return WS_OK;
	for (size_t i = 0; i < WS_COUNT(tried) && status == WS_OK; i++)
		if (tried[i] && tried[i] < resident && (!i || tried[i] < tried[i - 1]))
			status = offer_ctas(offers, f, tried[i], err);
	return status;
}

/* ---- streams ---------------------------------------------------- */

static enum ws_status offer_past(struct ws_offers *offers, const struct ws_facts *f,
				 const struct ws_array_counts *a, struct ws_err *err)
{
	struct ws_offer *o = ws_offer_add(offers, WS_ADVICE_STREAMING, err);
	const char *source = "";

	if (!o)
		return WS_ENOMEM;
	for (size_t i = 0; i < f->scan->count; i++)
		if (strcmp(f->scan->site[i].array, a->array) == 0)
			source = f->scan->site[i].source;
	ws_offer_name(o, a->array, source);
	snprintf(o->past, sizeof o->past, "%s", a->array);
	snprintf(o->advice.change, sizeof o->advice.change,
		 "%s array %s past the L1: cache operator cg (%s)", a->loads ? "read" : "write",
		 a->array, a->loads ? "__ldcg, ld.global.cg" : "__stcg, st.global.cg");
	snprintf(o->advice.evidence, sizeof o->advice.evidence,
		 "array %s makes %.1f %% of the L1's requests and %.1f %% of these hit, %.1f %% of "
		 "all do",
		 a->array, 100 * ws_share(a->requests, f->measure->counts.requests),
		 100 * ws_share(a->hits, a->requests),
		 100 * (1 - ws_share(f->measure->counts.misses, f->measure->counts.requests)));
	return WS_OK;
}

/* Each of several arrays that are read would replace what is used again as well. */
static enum ws_status offer_loads_past(struct ws_offers *offers, size_t first, struct ws_err *err)
{
	struct ws_offer *o = ws_offer_add(offers, WS_ADVICE_STREAMING, err);
	size_t names = 0, texts = 0, arrays = 0;
	char text[WS_ADVICE_TEXT / 2] = "";

	if (!o)
		return WS_ENOMEM;
	ws_offer_name(o, "", "");
	for (size_t i = first; i + 1 < offers->count; i++) {
		const struct ws_offer *one = &offers->offer[i];
		size_t len = strlen(one->past);

		if (names + len + 2 > sizeof o->past || texts + len + 4 > sizeof text)
			break;
		names += (size_t)snprintf(o->past + names, sizeof o->past - names, "%s%s",
					  arrays ? "\n" : "", one->past);
		texts += (size_t)snprintf(text + texts, sizeof text - texts, "%s%s",
					  arrays ? ", " : "", one->past);
		arrays++;
	}
	snprintf(o->advice.change, sizeof o->advice.change,
		 "read arrays %s past the L1: cache operator cg (__ldcg, ld.global.cg)", text);
	snprintf(o->advice.evidence, sizeof o->advice.evidence,
		 "%zu arrays are read that make requests and hardly hit", arrays);
	return WS_OK;
}

/* Each of several arrays that are written would leave the others where they are. */
static enum ws_status offer_stores_past(struct ws_offers *offers, unsigned arrays,
					struct ws_err *err)
{
	struct ws_offer *o = ws_offer_add(offers, WS_ADVICE_STREAMING, err);

	if (!o)
		return WS_ENOMEM;
	ws_offer_name(o, "", "");
	snprintf(o->past, sizeof o->past, "%s", WS_PAST_STORES);
	snprintf(o->advice.change, sizeof o->advice.change,
		 "write all arrays past the L1: cache operator cg (__stcg, st.global.cg)");
	snprintf(o->advice.evidence, sizeof o->advice.evidence,
		 "%u arrays are written that make requests and hardly hit", arrays);
	return WS_OK;
}

static enum ws_status offer_streams(struct ws_offers *offers, const struct ws_facts *f,
				    struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t first = offers->count;
	unsigned written = 0, read = 0;

	for (size_t i = 0; i < f->measure->arrays && status == WS_OK; i++) {
		const struct ws_array_counts *a = &f->measure->array[i];

		if (ws_share(a->requests, f->measure->counts.requests) < SHARE_MIN ||
		    ws_share(a->hits, a->requests) > HITS_STREAMING ||
		    (!a->loads && !ws_store_allocates(f->machine->l1.write)))
			continue;
		status = offer_past(offers, f, a, err);
		written += !a->loads;
		read += a->loads;
	}
	if (status == WS_OK && read > 1 && !written)
		status = offer_loads_past(offers, first, err);
	return status == WS_OK && written > 1 ? offer_stores_past(offers, written, err) : status;
}

/* ---- divergence ---------------------------------------------------- */

static enum ws_status offer_sorted(struct ws_offers *offers, const struct ws_facts *f,
				   struct ws_err *err)
{
	const struct ws_scan *scan = f->scan;
	uint64_t width = f->machine->warp_width, most = 0;
	const char *source = "";
	struct ws_offer *o;

	if (ws_launch_threads(scan->launch) <= width ||
	    ws_share(scan->all.lanes, scan->all.instructions * width) > ACTIVE_MAX)
		return WS_OK;
	for (size_t i = 0; i < scan->count; i++) {
		const struct ws_access_sum *s = &scan->site[i].sum;
		uint64_t idle = s->instructions * width - s->lanes;

		source = idle > most ? scan->site[i].source : source;
		most = idle > most ? idle : most;
	}
	o = ws_offer_add(offers, WS_ADVICE_DIVERGENCE, err);
	if (!o)
		return WS_ENOMEM;
	ws_offer_name(o, "", source);
	o->rewritten = true;
	o->change.lanes = WS_LANES_SORTED;
	snprintf(o->advice.change, sizeof o->advice.change,
		 "let work-items of a CTA that take the same branches be neighbours");
	snprintf(o->advice.evidence, sizeof o->advice.evidence,
		 "%.1f of the %" PRIu64 " lanes of a warp are active in a memory instruction",
		 ws_share(scan->all.lanes, scan->all.instructions), width);
	return WS_OK;
}

static enum ws_status offer_regrouped(struct ws_offers *offers, size_t sorted, struct ws_err *err)
{
	struct ws_offer *o;

	if (offers->count == sorted)
		return WS_OK;
	o = ws_offer_add(offers, WS_ADVICE_DIVERGENCE, err);
	if (!o)
		return WS_ENOMEM;
	o->advice = offers->offer[sorted].advice;
	o->regrouped = true;
	snprintf(o->advice.change, sizeof o->advice.change,
		 "sort the work-items of the whole grid, and the data that they index, by the "
		 "branches they take: the host or a kernel before has to, which is not counted");
	return WS_OK;
}

enum ws_status ws_offers_make(struct ws_offers *offers, const struct ws_facts *facts,
			      struct ws_err *err)
{
	enum ws_status status = offer_coalescing(offers, facts, err);
	size_t sorted;

	if (status == WS_OK)
		status = offer_fewer_ctas(offers, facts, err);
	if (status == WS_OK)
		status = offer_streams(offers, facts, err);
	sorted = offers->count;
	if (status == WS_OK)
		status = offer_sorted(offers, facts, err);
	return status == WS_OK ? offer_regrouped(offers, sorted, err) : status;
}
