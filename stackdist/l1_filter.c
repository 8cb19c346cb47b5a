/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/l1_filter.c -- see l1_filter.h.
 *
 * The ways of a set are a ring: `newest` is the way used last, and the one before it in the ring is
 * the victim: an empty way if there is one.
 *
 * An L1 here may have any number of ways, up to all of its lines; trace/order/nominal.c, which has
 * sets as arrays, is faster below some 16 ways and 4 times slower at 256.
 */
#include "stackdist/l1_filter.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/map.h"
#include "machine/sectors.h"
#include "stackdist/stack/lines.h"

struct filter_way {
	uint64_t line;		/* address */
	uint32_t sectors;	/* of 32 B that are there; 0: empty */
	uint32_t modified;
	uint32_t older, newer;	/* in the ring: older of the oldest is the newest */
};

struct ws_l1_filter {
	struct ws_cache l1;
	uint64_t out_line;
	struct ws_sectoring by;
	struct filter_way *way;	/* [set][way] */
	uint32_t *newest;	/* [set] */
	uint32_t *ways;		/* of each set; NULL: l1.ways, which is the most */
	struct ws_map map;	/* of ways by line, those that are in use */
};

/* ---- life --------------------------------------------------------------------- */

static void make_rings(struct ws_l1_filter *f)
{
	for (uint32_t set = 0; set < f->l1.sets; set++) {
		uint32_t first = set * (uint32_t)f->l1.ways;
		uint32_t ways = f->ways ? f->ways[set] : (uint32_t)f->l1.ways;

		f->newest[set] = first;
		for (uint32_t i = 0; i < ways; i++) {
			f->way[first + i].older = first + (i + 1) % ways;
			f->way[first + i].newer = first + (i + ways - 1) % ways;
		}
	}
}

enum ws_status ws_l1_filter_new(struct ws_l1_filter **out, const struct ws_cache *l1,
				uint64_t out_line, struct ws_err *err)
{
	struct ws_l1_filter *f = ws_alloc_zero(1, sizeof *f);
	uint64_t lines = l1->sets * l1->ways;

	*out = f;
	if (!f || lines > UINT32_MAX / 4)
		return f ? ws_fail(err, WS_EINVAL, "an L1 of %" PRIu64 " lines before an L2: "
				   "expected at most %u", lines, UINT32_MAX / 4)
			 : ws_fail_memory(err, "an L1 before an L2");
	f->l1 = *l1;
	f->out_line = out_line;
	if (!lines)
		return WS_OK;
	f->by = ws_sectoring_of(l1->line_bytes, l1->sector_bytes);
	f->way = ws_alloc_zero((size_t)lines, sizeof *f->way);
	f->newest = ws_alloc((size_t)l1->sets, sizeof *f->newest);
	if (!f->way || !f->newest || !ws_cache_set_ways(l1, &f->ways) ||
	    !ws_map_room(&f->map, f->way, sizeof *f->way, (size_t)lines))
		return ws_fail_memory(err, "an L1 before an L2");
	make_rings(f);
	return WS_OK;
}

void ws_l1_filter_free(struct ws_l1_filter *f)
{
	if (!f)
		return;
	free(f->way);
	free(f->newest);
	free(f->ways);
	ws_map_clear(&f->map);
	free(f);
}

/* ---- the table ------------------------------------------------------------------ */

/* Where the line's way is, or the free slot where it would be. */
static uint32_t *slot_of(const struct ws_l1_filter *f, uint64_t line)
{
	return ws_map_slot(&f->map, f->way, sizeof *f->way, line);
}

static void forget_line(struct ws_l1_filter *f, uint32_t at)
{
	ws_map_remove(&f->map, f->way, sizeof *f->way, at);
}

/* ---- sets ------------------------------------------------------------------------ */

static uint32_t set_of(const struct ws_l1_filter *f, uint64_t line)
{
	return (uint32_t)ws_set_index(&f->l1, line);
}

static void take_out(struct ws_l1_filter *f, uint32_t at)
{
	struct filter_way *w = f->way + at;

	f->way[w->older].newer = w->newer;
	f->way[w->newer].older = w->older;
}

/* Between the oldest and the newest; the caller says which of them it is. */
static void put_in(struct ws_l1_filter *f, uint32_t at, uint32_t newest)
{
	uint32_t oldest = f->way[newest].newer;

	f->way[at].older = newest;
	f->way[at].newer = oldest;
	f->way[newest].newer = at;
	f->way[oldest].older = at;
}

static void to_front(struct ws_l1_filter *f, uint32_t set, uint32_t at)
{
	uint32_t newest = f->newest[set];

	if (at == newest)
		return;
	if (f->way[newest].newer != at) {
		take_out(f, at);
		put_in(f, at, newest);
	}
	f->newest[set] = at;
}

static void throw_out(struct ws_l1_filter *f, uint32_t set, uint32_t at)
{
	forget_line(f, at);
	f->way[at].sectors = f->way[at].modified = 0;
	if (at == f->newest[set]) {
		f->newest[set] = f->way[at].older;
	} else {
		take_out(f, at);
		put_in(f, at, f->newest[set]);
	}
}

/* ---- what comes out --------------------------------------------------------------- */

static bool put_request(struct ws_queue *to, const struct ws_request *from, uint64_t address,
			uint32_t sectors, unsigned kind)
{
	struct ws_request *r;

	if (!WS_ROOM(to->request, to->cap, to->count + 1))
		return false;
	r = to->request + to->count++;
	*r = *from;
	r->address = address;
	r->sectors = sectors;
	r->kind = (uint8_t)kind;
	r->follows = 0;
	return true;
}

/* Sectors of a line of the L1, as pieces of lines of the L2. */
static bool send(const struct ws_l1_filter *f, struct ws_queue *to, const struct ws_request *from,
		 uint64_t line, uint32_t sectors, unsigned kind)
{
	unsigned each = (unsigned)(f->out_line / WS_SECTOR_BYTES);
	uint64_t first = line & ~(f->out_line - 1);
	bool ok = true;

	if (f->l1.line_bytes <= f->out_line)
		return put_request(to, from, first,
				   sectors << (line - first) / WS_SECTOR_BYTES, kind);
	for (unsigned at = 0; at < f->l1.line_bytes / WS_SECTOR_BYTES && ok; at += each) {
		uint32_t piece = sectors >> at & ((1u << each) - 1);

		if (piece)
			ok = put_request(to, from, line + at * WS_SECTOR_BYTES, piece, kind);
	}
	return ok;
}

/* The line's way, made the newest; it takes one if it is not there.  false: out of memory. */
static bool bring_in(struct ws_l1_filter *f, const struct ws_request *r, uint32_t *at,
		     struct ws_queue *to)
{
	uint32_t *slot = slot_of(f, r->address);
	uint32_t set = set_of(f, r->address);
	struct filter_way *w;
	bool ok = true;

	if (*slot) {
		*at = *slot - 1;
		to_front(f, set, *at);
		return true;
	}
	*at = f->way[f->newest[set]].newer;
	w = f->way + *at;
	if (w->sectors) {
		if (w->modified)
			ok = send(f, to, r, w->line, w->modified, WS_STORE);
		forget_line(f, *at);
		slot = slot_of(f, r->address);
	}
	w->line = r->address;
	w->sectors = w->modified = 0;
	*slot = *at + 1;
	f->newest[set] = *at;
	return ok;
}

static bool load_line(struct ws_l1_filter *f, const struct ws_request *r, struct ws_queue *to)
{
	uint32_t at, missing;

	if (!bring_in(f, r, &at, to))
		return false;
	missing = ws_sectors_fetched(f->by, r->sectors) & ~f->way[at].sectors;
	f->way[at].sectors |= missing;
	return !missing || send(f, to, r, r->address, missing, WS_LOAD);
}

/* A store that does not allocate. */
static bool pass(struct ws_l1_filter *f, const struct ws_request *r, struct ws_queue *to)
{
	uint32_t at = *slot_of(f, r->address);

	if (at && ws_store_act(f->l1.write) == WS_ACT_EVICT)
		throw_out(f, set_of(f, r->address), at - 1);
	else if (at)
		to_front(f, set_of(f, r->address), at - 1);
	return send(f, to, r, r->address, r->sectors, WS_STORE);
}

static bool store_line(struct ws_l1_filter *f, const struct ws_request *r, struct ws_queue *to)
{
	uint32_t at, sectors = ws_sectors_fetched(f->by, r->sectors);

	if (!ws_store_allocates(f->l1.write))
		return pass(f, r, to);
	if (!bring_in(f, r, &at, to))
		return false;
	f->way[at].sectors |= sectors;
	if (ws_writes_through(f->l1.write))
		return send(f, to, r, r->address, r->sectors, WS_STORE);
	f->way[at].modified |= sectors;
	return true;
}

enum ws_status ws_l1_filter_push(struct ws_l1_filter *f, const struct ws_request *request,
				 size_t count, struct ws_queue *to, struct ws_err *err)
{
	bool ok = true;

	for (size_t i = 0; i < count && ok; i++) {
		const struct ws_request *r = request + i;

		if (!f->l1.ways)
			ok = send(f, to, r, r->address, r->sectors, ws_request_below(r));
		else if (r->kind == WS_LOAD)
			ok = load_line(f, r, to);
		else if (r->kind == WS_STORE)
			ok = store_line(f, r, to);
		else
			ok = send(f, to, r, r->address, r->sectors, ws_request_below(r));
	}
	return ok ? WS_OK : ws_fail_memory(err, "requests to an L2");
}
