/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/lines.c -- numbers for the lines of a stream (lines.h).
 */
#include "stackdist/stack/lines.h"

#include <stdlib.h>
#include <string.h>

#include "stackdist/stack/cpu.h"

#define BATCH 256u	/* requests looked up side by side */
#define AHEAD 512u	/* requests between what is read and what is fetched */
#define BITS_MIN 6u
#define SHIFT_MAX 12u

/* The four neighbours of a page stay together; of what is above them all bits
 * count (Knuth 1973, 6.4: multiplication by the golden ratio). */
static inline size_t slot_of_page(const struct ws_lines *l, uint64_t page)
{
	uint64_t four = page >> 2;

	four = (four ^ four >> 32) * 0x9e3779b97f4a7c15u >> (66 - l->bits);
	return (size_t)(four << 2 | (page & 3));
}

/* From a place on: where the page is, or the free place where it belongs. */
static inline size_t walk(const struct ws_lines *l, size_t place, uint64_t page)
{
	while (l->table[place].key != page && l->table[place].page)
		place = (place + 1) & (l->size - 1);
	return place;
}

/* ---- growth ------------------------------------------------------------------- */

static bool enlarge_table(struct ws_lines *l)
{
	struct ws_lines new = *l;

	new.bits = l->size ? l->bits + 1 : BITS_MIN;
	new.size = (size_t)1 << new.bits;
	new.table = ws_alloc_zero(new.size, sizeof *new.table);
	if (!new.table)
		return false;
	for (size_t i = 0; i < l->size; i++) {
		const struct ws_page *p = l->table + i;

		if (p->page)
			new.table[walk(&new, slot_of_page(&new, p->key), p->key)] = *p;
	}
	free(l->table);
	*l = new;
	return true;
}

/* A page of lines without numbers; false: out of memory. */
static bool add_page(struct ws_lines *l)
{
	size_t from = l->pages * WS_PAGE_LINES;

	if (!WS_ROOM(l->number, l->cap, from + WS_PAGE_LINES))
		return false;
	memset(l->number + from, 0xff, WS_PAGE_LINES * sizeof *l->number);
	l->pages++;
	return true;
}

static bool begin_lines(struct ws_lines *l)
{
	return enlarge_table(l) && add_page(l);
}

/* The number of a line, which may be set; NULL: out of memory. */
static uint32_t *entry(struct ws_lines *l, uint64_t key)
{
	uint64_t page = key / WS_PAGE_LINES;
	struct ws_page *p;

	if (l->pages >= l->size / 2 && !enlarge_table(l))
		return NULL;
	p = l->table + walk(l, slot_of_page(l, page), page);
	if (!p->page) {
		if (!add_page(l))
			return NULL;
		*p = (struct ws_page){ page, (uint32_t)l->pages - 1 };
	}
	return l->number + p->page * WS_PAGE_LINES + key % WS_PAGE_LINES;
}

/* ---- what a line is -------------------------------------------------------------- */

/* Takes the numbers of a page over into a table of smaller lines. */
static bool move(struct ws_lines *to, const struct ws_lines *from, const struct ws_page *p)
{
	for (unsigned j = 0; p->page && j < WS_PAGE_LINES; j++) {
		uint32_t *number, id = from->number[p->page * WS_PAGE_LINES + j];

		if (id == WS_LINE_NONE)
			continue;
		number = entry(to, (p->key * WS_PAGE_LINES + j) << (from->shift - to->shift));
		if (!number)
			return false;
		*number = id;
	}
	return true;
}

/* The lowest bit set below SHIFT_MAX, or that. */
static unsigned shift_of(uint64_t any_address)
{
	unsigned shift = 0;

	while (shift < SHIFT_MAX && !(any_address >> shift & 1))
		shift++;
	return shift;
}

/* Makes the table anew for addresses that are multiples of 2^shift only. */
static bool refine(struct ws_lines *l, unsigned shift)
{
	struct ws_lines new = { .shift = shift, .count = l->count, .atomics = l->atomics };
	bool ok = begin_lines(&new);

	for (size_t i = 0; i < l->size && ok; i++)
		ok = move(&new, l, l->table + i);
	ws_lines_clear(ok ? l : &new);
	if (ok)
		*l = new;
	return ok;
}

/* A table for addresses that have these bits between them; false: out of memory. */
static bool suit(struct ws_lines *l, uint64_t any_address)
{
	if (l->size)
		return refine(l, shift_of(any_address));
	l->shift = shift_of(any_address);
	return begin_lines(l);
}

/* ---- a batch -------------------------------------------------------------------- */

struct line_batch {
	const struct ws_request *request;
	const uint32_t *index;	/* its requests are request[index[i]]; NULL: request[i] */
	size_t count;
	uint64_t key[BATCH];	/* of the line */
	uint32_t place[BATCH];	/* in the table; then of the number */
};

/* index: that of the batch, where the compiler knows whether there is one. */
static WS_INLINE const struct ws_request *request_of(const struct line_batch *b,
						     const uint32_t *index, size_t i)
{
	return b->request + (index ? index[i] : i);
}

static uint64_t any_address(const struct line_batch *b)
{
	uint64_t any = 0;

	for (size_t i = 0; i < b->count; i++)
		any |= request_of(b, b->index, i)->address;
	return any;
}

/* Stages of a look-up: the place in the table; the place of the number; (below) the
 * number.  Returns the addresses or'ed. */
static WS_INLINE uint64_t look_up(const struct ws_lines *l, struct line_batch *b,
				  const uint32_t *index)
{
	uint64_t any = 0;

	for (size_t i = 0; i < b->count; i++) {
		const struct ws_request *r = request_of(b, index, i);

		WS_FETCH_AHEAD(r, AHEAD);
		any |= r->address;
		b->key[i] = r->address >> l->shift;
		b->place[i] = (uint32_t)slot_of_page(l, b->key[i] / WS_PAGE_LINES);
		WS_FETCH(l->table + b->place[i]);
	}
	for (size_t i = 0; i < b->count; i++) {
		uint64_t key = b->key[i];
		size_t place = walk(l, b->place[i], key / WS_PAGE_LINES);

		b->place[i] = l->table[place].page * WS_PAGE_LINES + key % WS_PAGE_LINES;
		WS_FETCH(l->number + b->place[i]);
	}
	return any;
}

static uint64_t look_up_batch(const struct ws_lines *l, struct line_batch *b)
{
	return b->index ? look_up(l, b, b->index) : look_up(l, b, NULL);
}

/* Looks up in a table that suits the addresses; false: out of memory. */
static bool look_up_all(struct ws_lines *l, struct line_batch *b)
{
	uint64_t any = l->size ? look_up_batch(l, b) : any_address(b);

	if (l->size && !(any & (((uint64_t)1 << l->shift) - 1)))
		return true;
	if (!suit(l, any))
		return false;
	look_up_batch(l, b);
	return true;
}

/* A line that had no number when the batch began. */
static enum ws_status number_new(struct ws_lines *l, uint64_t key, uint32_t *id,
				 struct ws_err *err)
{
	uint32_t *to = entry(l, key);

	if (!to)
		return ws_fail_memory(err, "the table of cache lines");
	if (*to == WS_LINE_NONE) {
		if (l->count >= WS_LINES_MAX)
			return ws_fail(err, WS_EINVAL, "more than %u distinct cache lines on one "
				       "SM in one launch; a profile holds no more", WS_LINES_MAX);
		*to = l->count++;
	}
	*id = *to;
	return WS_OK;
}

/* A line that has no number yet, or a request that may not give it one. */
static enum ws_status number_rare(struct ws_lines *l, bool stores, unsigned kind, uint64_t key,
				  uint32_t *id, struct ws_err *err)
{
	if (kind >= WS_KINDS)
		return ws_fail(err, WS_EINVAL, "a request of kind %u: expected 0 to %u", kind,
			       WS_KINDS - 1);
	if (kind == WS_LOAD || (kind == WS_STORE ? stores : l->atomics))
		return number_new(l, key, id, err);
	*id = WS_LINE_NONE;
	if (kind == WS_STORE) {
		uint64_t page = key / WS_PAGE_LINES;

		page = l->table[walk(l, slot_of_page(l, page), page)].page;
		*id = l->number[page * WS_PAGE_LINES + key % WS_PAGE_LINES];
	}
	return WS_OK;
}

static enum ws_status number_lines(struct ws_lines *l, bool stores, struct line_batch *b,
				   uint32_t *id, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (!look_up_all(l, b))
		return ws_fail_memory(err, "the table of cache lines");
	for (size_t i = 0; i < b->count && status == WS_OK; i++) {
		unsigned kind = request_of(b, b->index, i)->kind;

		id[i] = l->number[b->place[i]];
		if (id[i] == WS_LINE_NONE || kind >= WS_ATOMIC)
			status = number_rare(l, stores, kind, b->key[i], id + i, err);
	}
	return status;
}

enum ws_status ws_lines_number_some(struct ws_lines *l, enum ws_write write,
				    const struct ws_request *request, const uint32_t *index,
				    size_t count, uint32_t *id, struct ws_err *err)
{
	bool stores = ws_store_allocates(write);
	enum ws_status status = WS_OK;
	struct line_batch b;

	for (size_t i = 0; i < count && status == WS_OK; i += BATCH) {
		b.request = index ? request : request + i;
		b.index = index ? index + i : NULL;
		b.count = count - i < BATCH ? count - i : BATCH;
		status = number_lines(l, stores, &b, id + i, err);
	}
	return status;
}

enum ws_status ws_lines_number(struct ws_lines *l, enum ws_write write,
			       const struct ws_request *request, size_t count,
			       uint32_t *id, struct ws_err *err)
{
	return ws_lines_number_some(l, write, request, NULL, count, id, err);
}

void ws_lines_clear(struct ws_lines *l)
{
	free(l->table);
	free(l->number);
	memset(l, 0, sizeof *l);
}
