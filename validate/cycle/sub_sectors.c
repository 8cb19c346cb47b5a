/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/sub_sectors.c -- an L1 of words under tags of their own (l1.organisation
 * decoupled, elastic, dycache), in time: look-ups and fills as those of tags.c, and its MSHRs.
 *
 * Its contents are a struct ws_grain, the functional cache, in which a place also names the MSHR
 * that fetches its word.  No other record does, so evicting a word also cancels its fill.  Before
 * an allocating request changes anything, its evictions are computed, as their packets must fit in
 * the queue.
 *
 * A look-up: as validate/grain/grain.h says, and O(words thrown out * log of them).  The directory
 * keeps a record of every word asked for since the launch began.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "validate/cycle/cycle.h"
#include "validate/cycle/mshr.h"
#include "validate/grain/parts.h"

struct ws_words {
	struct ws_grain *grain;
	uint64_t line_bytes, piece_bytes; /* of a piece of a line */
	uint64_t mshr_entries, mshr_merge;
	bool allocates;		/* stores do */
	bool through;		/* stores go on to the next level */
	struct ws_mshrs mshrs;
	struct ws_thrown *thrown;	/* as many as there are places: a word each, twice (flushed
					 * too) */
	size_t first, thrown_count;	/* the first ones are thrown out by the request itself */
};

struct words_access {			/* a look-up at hand */
	struct ws_grain_ask ask;
	struct ws_answer *answer;
	uint32_t there;		/* words of its block in the set */
	uint32_t coming;	/* words that it asks for and that are RESERVED */
	uint32_t room, held;
};

/* ---- packets ------------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Of addresses in ascending order: how many pieces they lie in. */
static uint32_t pieces_of(const struct ws_words *w, const uint64_t *address, size_t count)
{
	uint32_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += i == 0 || address[i] / w->piece_bytes != address[i - 1] / w->piece_bytes;
	return n;
}

static uint32_t pieces(const struct ws_words *w, uint32_t sectors)
{
	uint64_t address[WS_LINE_WORDS];
	size_t count = 0;

	for (unsigned i = 0; i < WS_LINE_WORDS; i++)
		if (sectors >> i & 1)
			address[count++] = i * (uint64_t)WS_SECTOR_BYTES;
	return pieces_of(w, address, count);
}

static uint32_t going_pieces(const struct ws_words *w, const struct ws_grain_going *going)
{
	uint64_t address[WS_COUNT(going->slot)];
	size_t count = 0;

	for (unsigned i = 0; i < going->count; i++) {
		const struct ws_grain_place *p = &w->grain->place[going->slot[i]];

		if (p->dirty)
			address[count++] = ws_grain_word(w->grain, p->word - 1)->address;
	}
	qsort(address, count, sizeof *address, by_address);
	return pieces_of(w, address, count);
}

/* The dirty words evicted since number `from`, a line at a time. */
static void gather_thrown(struct ws_words *w, size_t from)
{
	struct ws_grain *g = w->grain;
	size_t first = w->thrown_count;

	qsort(&g->sent[from], g->sent_count - from, sizeof *g->sent, by_address);
	for (size_t i = from; i < g->sent_count; i++) {
		uint64_t line = g->sent[i] & ~(w->line_bytes - 1);
		uint64_t word = (g->sent[i] - line) / WS_SECTOR_BYTES;

		if (w->thrown_count == first || w->thrown[w->thrown_count - 1].line != line)
			w->thrown[w->thrown_count++] = (struct ws_thrown){ .line = line };
		w->thrown[w->thrown_count - 1].sectors |= 1u << word;
	}
}

/* ---- what makes a look-up fail ------------------------------------------------------------- */

static void fail(struct words_access *x, enum ws_fail cause)
{
	*x->answer = (struct ws_answer){ .outcome = WS_FAILED, .cause = (uint8_t)cause,
					 .mshr = WS_NONE };
}

static inline bool failed(const struct words_access *x)
{
	return x->answer->outcome == WS_FAILED;
}

/* Fails unless there are places for its block and queue space for its packets and those of evicted
 * words. */
static void room_check(struct ws_words *w, struct words_access *x, uint32_t packets)
{
	struct ws_grain_going going;
	bool fits = ws_grain_decoupled(w->grain) ? ws_decoupled_room(w->grain, &x->ask, &going)
						 : ws_chunks_room(w->grain, &x->ask, &going);

	if (!fits)
		fail(x, WS_FAIL_LINE);
	else if (x->room < packets + going_pieces(w, &going))
		fail(x, WS_FAIL_QUEUE);
}

static struct ws_grain_place *place_of_word(struct ws_words *w, const struct words_access *x,
				      unsigned word)
{
	uint32_t slot = ws_grain_word(w->grain, x->ask.number[word])->slot;

	return slot == WS_NOWHERE ? NULL : &w->grain->place[slot];
}

/* The MSHR of the lowest of some RESERVED words that it asks for; what it brings of them is taken
 * out of them.  (Words it once brought may by now be another's.) */
static uint32_t mshr_next(struct ws_words *w, const struct words_access *x, uint32_t *words)
{
	uint32_t fetch = place_of_word(w, x, ws_log2(*words & -*words))->fetch;

	for (uint32_t left = *words; left; left &= left - 1)
		if (place_of_word(w, x, ws_log2(left & -left))->fetch == fetch)
			*words &= ~(left & -left);
	return fetch - 1;
}

static bool merge_full(struct ws_words *w, const struct words_access *x)
{
	uint32_t words = x->coming;

	while (words)
		if (w->mshrs.mshr[mshr_next(w, x, &words)].requests >= w->mshr_merge)
			return true;
	return false;
}

/* ---- loads --------------------------------------------------------------------------------- */

static enum ws_status wait(struct ws_words *w, struct words_access *x, uint32_t name,
			   struct ws_err *err)
{
	uint32_t words = x->coming;
	enum ws_status status = WS_OK;

	while (words && status == WS_OK) {
		x->answer->waits++;
		status = ws_mshrs_wait(&w->mshrs, mshr_next(w, x, &words), name, err);
	}
	return status;
}

static void reserve(struct ws_words *w, struct words_access *x)
{
	for (uint32_t left = x->answer->fetch; left; left &= left - 1) {
		struct ws_grain_place *p = place_of_word(w, x, ws_log2(left & -left));

		p->fetch = x->answer->mshr + 1;
		ws_place_line(w->grain, (size_t)(p - w->grain->place))->reserved++;
	}
}

static enum ws_status load_miss(struct ws_words *w, struct words_access *x, uint32_t name,
				struct ws_err *err)
{
	bool decoupled = ws_grain_decoupled(w->grain);
	uint32_t fetch = decoupled ? x->ask.need & ~x->there : x->ask.block;
	enum ws_status status;

	if (!decoupled)
		x->coming = 0;	/* they are thrown out */
	room_check(w, x, pieces(w, fetch));
	if (!failed(x) && w->mshrs.live + (uint64_t)x->held >= w->mshr_entries)
		fail(x, WS_FAIL_MSHR);
	else if (!failed(x) && merge_full(w, x))
		fail(x, WS_FAIL_MERGE);
	if (failed(x))
		return WS_OK;
	status = ws_mshrs_add(&w->mshrs, x->ask.address, fetch, &x->answer->mshr, err);
	if (status != WS_OK)
		return status;
	ws_grain_access(w->grain, &x->ask);
	status = wait(w, x, name, err);
	x->answer->fetch = fetch;
	x->answer->waits++;
	reserve(w, x);
	return status != WS_OK ? status : ws_mshrs_wait(&w->mshrs, x->answer->mshr, name, err);
}

static enum ws_status load_words(struct ws_words *w, struct words_access *x, uint32_t name,
				 struct ws_err *err)
{
	if (!x->ask.hit)
		return load_miss(w, x, name, err);
	if (merge_full(w, x)) {
		fail(x, WS_FAIL_MERGE);
		return WS_OK;
	}
	ws_grain_access(w->grain, &x->ask);
	return wait(w, x, name, err);
}

/* ---- stores -------------------------------------------------------------------------------- */

static void store_words(struct ws_words *w, struct words_access *x, uint32_t sectors)
{
	uint32_t packets = w->through ? pieces(w, sectors) : 0;

	if (w->allocates && !x->ask.hit)
		room_check(w, x, packets);
	else if (x->room < packets)
		fail(x, WS_FAIL_QUEUE);
	if (failed(x))
		return;
	ws_grain_access(w->grain, &x->ask);
	x->answer->send = w->through ? sectors : 0;
}

/* ---- the interface ------------------------------------------------------------------------- */

static enum ws_status begin_access(struct ws_words *w, struct words_access *x,
				   const struct ws_lookup *l,
				   struct ws_err *err)
{
	const struct ws_request r = { .address = l->access.address, .sectors = l->access.sectors,
				      .kind = l->access.kind };
	enum ws_status status = ws_grain_look_up(w->grain, &x->ask, &r, err);

	if (status != WS_OK)
		return status;
	for (unsigned i = 0; i < w->grain->line_words; i++) {
		const struct ws_grain_place *p =
			x->ask.block >> i & 1 ? place_of_word(w, x, i) : NULL;

		if (!p)
			continue;
		x->there |= 1u << i;
		if (p->fetch && x->ask.need >> i & 1)
			x->coming |= 1u << i;
	}
	x->room = l->room;
	x->held = l->held;
	if (x->ask.hit)
		x->answer->outcome = x->coming ? WS_PENDING : WS_HIT;
	else if (ws_grain_decoupled(w->grain))
		x->answer->outcome = x->ask.tag != WS_NO_TAG ? WS_SECTOR_MISS : WS_MISS;
	else
		x->answer->outcome = x->there ? WS_SECTOR_MISS : WS_MISS;
	return WS_OK;
}

enum ws_status ws_words_lookup(struct ws_words *w, const struct ws_lookup *l, struct ws_answer *a,
			       struct ws_err *err)
{
	const struct ws_access *r = &l->access;
	struct words_access x = { .answer = a };
	enum ws_status status;
	size_t own;

	if (!r->sectors || r->sectors & ~(UINT32_MAX >> (32 - w->grain->line_words)) ||
	    r->kind == WS_ATOMIC)
		return ws_fail(err, WS_EINVAL, "look-up of kind %u and sectors 0x%x: want a load or"
			       " store of a line of %u", r->kind, r->sectors, w->grain->line_words);
	*a = (struct ws_answer){ .mshr = WS_NONE };
	w->grain->sent_count = w->first = w->thrown_count = 0;
	status = begin_access(w, &x, l, err);
	if (status == WS_OK && r->kind == WS_STORE)
		store_words(w, &x, r->sectors);
	else if (status == WS_OK)
		status = load_words(w, &x, l->waiter, err);
	if (status != WS_OK || failed(&x))
		return status;
	own = w->grain->sent_count;
	gather_thrown(w, 0);
	w->first = w->thrown_count;
	ws_grain_account(w->grain, &x.ask);
	gather_thrown(w, own);
	return WS_OK;
}

/* Its words that were not evicted. */
static enum ws_status arrive(struct ws_words *w, uint32_t mshr, struct ws_err *err)
{
	const struct ws_mshr *m = &w->mshrs.mshr[mshr];
	struct ws_grain *g = w->grain;

	for (uint32_t left = m->fetch; left; left &= left - 1) {
		uint64_t word = ws_log2(left & -left);
		uint32_t number, slot;
		bool fresh;
		enum ws_status status = ws_directory_find(&g->directory, m->address +
							  word * WS_SECTOR_BYTES, &number,
							  &fresh, err);

		if (status != WS_OK)
			return status;
		slot = ws_grain_word(g, number)->slot;
		if (slot == WS_NOWHERE || g->place[slot].fetch != mshr + 1)
			continue;
		g->place[slot].fetch = 0;
		ws_place_line(g, slot)->reserved--;
	}
	return WS_OK;
}

enum ws_status ws_words_fill(struct ws_words *w, uint32_t mshr, const uint32_t **waiter,
			     size_t *count, struct ws_err *err)
{
	enum ws_status status = ws_mshrs_wake(&w->mshrs, mshr, waiter, count, err);

	if (status == WS_OK)
		status = arrive(w, mshr, err);
	if (status == WS_OK)
		ws_mshrs_remove(&w->mshrs, mshr);
	return status;
}

const struct ws_thrown *ws_words_thrown(const struct ws_words *w, size_t *first, size_t *count)
{
	*first = w->first;
	*count = w->thrown_count;
	return w->thrown;
}

uint64_t ws_words_in_flight(const struct ws_words *w)
{
	return w->mshrs.live;
}

/* ---- life ---------------------------------------------------------------------------------- */

static enum ws_status check_cache(const struct ws_cache *c, const struct ws_use *use,
				  struct ws_err *err)
{
	if (!use->policy->of_words)
		return ws_fail(err, WS_EINVAL, "l1.organisation = %s replaces by LRU alone, and "
			       "l1.policy = %s: want lru",
			       ws_organisation_of(c)->name, use->policy->name);
	if (c->alloc != WS_ALLOC_ON_MISS)
		return ws_fail(err, WS_EINVAL, "l1.organisation = %s takes places on a miss, and "
			       "l1.alloc = on-fill: want on-miss",
			       ws_organisation_of(c)->name);
	if (c->mshr_entries < 1 || c->mshr_merge < 1)
		return ws_fail(err, WS_EINVAL, "a cache of %" PRIu64 " MSHRs of %" PRIu64
			       " requests: want 1 or more", c->mshr_entries, c->mshr_merge);
	return WS_OK;
}

enum ws_status ws_words_new(struct ws_words **out, const struct ws_cache *cache,
			    const struct ws_use *use, uint64_t piece_bytes, struct ws_err *err)
{
	enum ws_status status = check_cache(cache, use, err);
	struct ws_words *w;

	*out = NULL;
	if (status != WS_OK)
		return status;
	w = ws_alloc_zero(1, sizeof *w);
	if (!w)
		return ws_fail_memory(err, "a cache of words");
	w->line_bytes = cache->line_bytes;
	w->piece_bytes = piece_bytes < cache->line_bytes ? piece_bytes : cache->line_bytes;
	w->mshr_entries = cache->mshr_entries;
	w->mshr_merge = cache->mshr_merge;
	w->allocates = ws_store_allocates(cache->write);
	w->through = ws_writes_through(cache->write);
	status = ws_grain_new(&w->grain, cache, err);
	if (status == WS_OK) {
		w->grain->sent = ws_alloc(2 * w->grain->places, sizeof *w->grain->sent);
		w->thrown = ws_alloc(2 * w->grain->places, sizeof *w->thrown);
		if (!w->grain->sent || !w->thrown)
			status = ws_fail_memory(err, "a cache of words");
	}
	if (status != WS_OK)
		ws_words_free(w);
	else
		*out = w;
	return status;
}

void ws_words_launch(struct ws_words *w)
{
	ws_grain_flush(w->grain);
	w->grain->stats = (struct ws_grain_stats){ 0 };
	ws_mshrs_flush(&w->mshrs);
}

void ws_words_stats(const struct ws_words *w, struct ws_grain_stats *stats)
{
	ws_grain_stats(w->grain, stats);
}

void ws_words_free(struct ws_words *w)
{
	if (!w)
		return;
	if (w->grain)
		free(w->grain->sent);
	ws_grain_free(w->grain);
	free(w->thrown);
	ws_mshrs_clear(&w->mshrs);
	free(w);
}
