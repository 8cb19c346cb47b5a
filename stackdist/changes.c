/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/changes.c -- counting of interval changes (changes.h).
 *
 * Keys are ordered as the entries of struct ws_flights are, kind first; sums are
 * sorted by them in three passes of a radix sort.
 */
#include "stackdist/changes.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN 256u
#define AHEAD 12u		/* changes between prefetch and use */
#define DIGIT 9u		/* bits; three of them hold a key */

#define COUNTERS ((size_t)(WS_FLIGHT_ROWS + 1) * WS_CHANGES_NEAR)
#define BLOCKS (COUNTERS / WS_CHANGES_BLOCK)

_Static_assert(((uint64_t)WS_FLIGHT_ROWS << 16) + WS_FLIGHT_WAYS < 1u << 3 * DIGIT,
	       "a key has three digits");
_Static_assert(WS_FLIGHT_WAYS == 1u << 16, "a key less 1 is row << 16 | (ways - 1)");

enum ws_status ws_changes_new(struct ws_changes **out, struct ws_err *err)
{
	struct ws_changes *c = ws_alloc_zero(1, sizeof(*c));

	if (c) {
		c->near = ws_alloc_zero(COUNTERS, sizeof(*c->near));
		c->used = ws_alloc_zero(BLOCKS, sizeof(*c->used));
	}
	if (!c || !c->near || !c->used) {
		ws_changes_free(c);
		return ws_fail_memory(err, "in-flight intervals");
	}
	for (uint32_t i = 0; i <= WS_FLIGHT_MAX; i++)
		c->cell[i] = (uint16_t)ws_flight_cell(i);
	*out = c;
	return WS_OK;
}

void ws_changes_free(struct ws_changes *c)
{
	if (!c)
		return;
	free(c->near);
	free(c->used);
	free(c->slot);
	free(c->sum);
	free(c);
}

/* ---- many ways: the hash table --------------------------------------------------- */

/* By the highest bits of a product with 2^32 / golden ratio (Knuth, vol. 3, 6.4). */
static inline size_t home(size_t slots, uint32_t key)
{
	return (size_t)((uint64_t)(key * 0x9e3779b1u) * slots >> 32);
}

/* The key's slot, or the free one where it belongs. */
static inline struct ws_slot *find(struct ws_slot *slot, size_t slots, uint32_t key)
{
	size_t i = home(slots, key);

	while (slot[i].key != key && slot[i].key)
		i = (i + 1) & (slots - 1);
	return slot + i;
}

static bool enlarge(struct ws_changes *c)
{
	size_t slots = c->slots ? 2 * c->slots : SLOTS_MIN;
	struct ws_slot *slot = ws_alloc_zero(slots, sizeof(*slot));

	if (!slot)
		return false;
	for (size_t i = 0; i < c->slots; i++)
		if (c->slot[i].key)
			*find(slot, slots, c->slot[i].key) = c->slot[i];
	free(c->slot);
	c->slot = slot;
	c->slots = slots;
	return true;
}

static inline void prefetch(const struct ws_changes *c, size_t i)
{
#if defined(__GNUC__)
	if (c->slots && i < c->waits)
		__builtin_prefetch(c->slot + home(c->slots, c->waiting[i] >> 1), 1);
#else
	(void)c;
	(void)i;
#endif
}

static inline bool add(struct ws_changes *c, uint32_t key, uint32_t less)
{
	struct ws_slot *slot;

	if (c->taken >= c->slots / 4 * 3 && !enlarge(c))
		return false;
	slot = find(c->slot, c->slots, key);
	c->taken += !slot->key;
	slot->key = key;
	slot->sum += 1 - 2 * less;
	return true;
}

void ws_changes_work(struct ws_changes *c)
{
	for (size_t i = 0; i < c->waits && !c->failed; i++) {
		prefetch(c, i + AHEAD);
		c->failed = !add(c, c->waiting[i] >> 1, c->waiting[i] & 1);
	}
	c->waits = 0;
}

/* ---- sums ------------------------------------------------------------------------- */

/* Of a short one; WS_TURNS_MAX and the turns of one request are less than 2^31. */
static inline int64_t wide(uint32_t sum)
{
	return sum < 1u << 31 ? (int64_t)sum : (int64_t)sum - ((int64_t)1 << 32);
}

/* Appends the counters of a block to sum and clears them; how many. */
static size_t take_block(struct ws_changes *c, size_t block, struct ws_sum *sum)
{
	size_t first = block * WS_CHANGES_BLOCK, count = 0;

	for (size_t i = first; i < first + WS_CHANGES_BLOCK; i++) {
		uint32_t row = (uint32_t)(i / WS_CHANGES_NEAR);

		if (c->near[i] && row != WS_ROW_NONE)
			sum[count++] = (struct ws_sum){
				(row << 16) + (uint32_t)(i % WS_CHANGES_NEAR) + 1,
				wide(c->near[i]) };
		c->near[i] = 0;
	}
	c->used[block] = false;
	return count;
}

static size_t most_sums(const struct ws_changes *c)
{
	size_t count = c->sums + c->taken;

	for (size_t i = 0; i < BLOCKS; i++)
		count += c->used[i] * (size_t)WS_CHANGES_BLOCK;
	return count;
}

/* All that was counted, in any order; how many.  The tables are empty then. */
static size_t gather(struct ws_changes *c, struct ws_sum *sum)
{
	size_t count = c->sums;

	if (count)
		memcpy(sum, c->sum, count * sizeof(*sum));
	for (size_t i = 0; i < BLOCKS; i++)
		if (c->used[i])
			count += take_block(c, i, sum + count);
	for (size_t i = 0; i < c->slots; i++)
		if (c->slot[i].key)
			sum[count++] = (struct ws_sum){ c->slot[i].key, wide(c->slot[i].sum) };
	free(c->slot);
	c->slot = NULL;
	c->slots = c->taken = 0;
	return count;
}

/* One pass of the sort. */
static void deal(const struct ws_sum *from, size_t count, unsigned shift, struct ws_sum *to)
{
	size_t start[(1u << DIGIT) + 1] = { 0 };
	uint32_t mask = (1u << DIGIT) - 1;

	for (size_t i = 0; i < count; i++)
		start[(from[i].key >> shift & mask) + 1]++;
	for (size_t i = 1; i < WS_COUNT(start); i++)
		start[i] += start[i - 1];
	for (size_t i = 0; i < count; i++)
		to[start[from[i].key >> shift & mask]++] = from[i];
}

/* Adds up neighbours of the same key and drops zeros; how many are left. */
static size_t add_up(struct ws_sum *sum, size_t count)
{
	size_t left = 0;

	for (size_t i = 0; i < count; ) {
		struct ws_sum total = { sum[i].key, 0 };

		for (; i < count && sum[i].key == total.key; i++)
			total.sum += sum[i].sum;
		if (total.sum)
			sum[left++] = total;
	}
	return left;
}

void ws_changes_settle(struct ws_changes *c)
{
	struct ws_sum *sum, *other;
	size_t most, count;

	ws_changes_work(c);
	most = most_sums(c);
	sum = ws_alloc(most + 1, sizeof(*sum));
	other = ws_alloc(most + 1, sizeof(*other));
	c->turns = 0;
	if (!sum || !other) {
		c->failed = true;
		free(sum);
		free(other);
		return;
	}
	count = gather(c, sum);
	deal(sum, count, 0, other);
	deal(other, count, DIGIT, sum);
	deal(sum, count, 2 * DIGIT, other);
	free(sum);
	free(c->sum);
	c->sum = other;
	c->sums = add_up(other, count);
}

/* ---- handing over ------------------------------------------------------------------ */

/* Adds the sums from *at on that are of the kind, and moves past them.  room: for all of them. */
static enum ws_status add_kind(const struct ws_changes *c, size_t *at, unsigned kind,
			       struct ws_flight *room, struct ws_flights *to, struct ws_err *err)
{
	struct ws_flights from = { .entry = room };
	uint32_t end = (kind + 1) * WS_FLIGHT_CELLS;

	for (; *at < c->sums && (c->sum[*at].key - 1) >> 16 < end; ++*at) {
		uint32_t key = c->sum[*at].key - 1;

		room[from.count++] = (struct ws_flight){
			(key >> 16) - kind * WS_FLIGHT_CELLS, (key & 0xffff) + 1,
			c->sum[*at].sum };
	}
	return from.count ? ws_flights_add(to, &from, err) : WS_OK;
}

static void empty(struct ws_changes *c)
{
	free(c->sum);
	c->sum = NULL;
	c->sums = 0;
	c->failed = false;
}

enum ws_status ws_changes_take(struct ws_changes *c, struct ws_flights *flight,
			       struct ws_err *err)
{
	struct ws_flight *room;
	enum ws_status status = WS_OK;
	size_t at = 0;

	ws_changes_settle(c);
	room = ws_alloc(c->sums + 1, sizeof(*room));
	if (c->failed || !room)
		status = ws_fail_memory(err, "in-flight intervals");
	for (unsigned kind = 0; kind < WS_KINDS && !status; kind++)
		status = add_kind(c, &at, kind, room, flight + kind, err);
	free(room);
	empty(c);
	return status;
}
