/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/front.c -- instructions fetched for warps (front.h).
 */
#include "trace/order/front.h"

#include <stdlib.h>
#include <string.h>

#include "trace/order/pipeline.h"

#define CODE_BASE UINT64_C(0xf0000000)	/* of addresses of code, below those of data */
#define NONE SIZE_MAX

struct miss {
	uint64_t line;		/* the line's number + 1; 0: empty */
	uint64_t left;		/* sectors that have not arrived */
	uint64_t came;		/* order of arrival; 0: it has not arrived */
	uint64_t asked;		/* order of requests that are not sent; 0: it is sent */
	size_t waiting, first;
	size_t *slot;		/* [merges]: slots that wait, from .first on */
};

struct code_way {
	uint64_t line, used;	/* line: its number + 1; used: order of last uses */
};

struct ws_front {
	struct ws_front_is is;
	uint64_t bytes;		/* of a line */
	struct code_way *way;	/* [set * ways + i] */
	struct miss *miss;	/* [mshrs] */
	size_t *slots;		/* theirs */
	uint64_t *waits, *leaves; /* bits of slots: wait for a line; wait to end */
	size_t waiters, leavers;
	size_t fetched;		/* a slot, or NONE */
	uint64_t clock;
	bool again;		/* some slots were not looked at */
};

/* ---- the cache ----------------------------------------------------------------------------- */

static struct code_way *find_way(const struct ws_front *f, uint64_t line)
{
	struct code_way *set = &f->way[line % f->is.sets * f->is.ways];

	for (size_t i = 0; i < f->is.ways; i++)
		if (set[i].line == line + 1)
			return &set[i];
	return NULL;
}

static void keep_line(struct ws_front *f, uint64_t line)
{
	struct code_way *set = &f->way[line % f->is.sets * f->is.ways], *to = set;

	for (size_t i = 1; i < f->is.ways; i++)
		if (to->line && (!set[i].line || set[i].used < to->used))
			to = &set[i];
	*to = (struct code_way){ line + 1, ++f->clock };
}

static struct miss *find_miss(const struct ws_front *f, uint64_t line)
{
	for (size_t i = 0; i < f->is.mshrs; i++)
		if (f->miss[i].line == line + 1)
			return &f->miss[i];
	return NULL;
}

/* The line that arrived first, or the first that is not sent. */
static struct miss *find_next(const struct ws_front *f, bool came)
{
	struct miss *next = NULL;

	for (size_t i = 0; i < f->is.mshrs; i++) {
		struct miss *m = &f->miss[i];
		uint64_t at = came ? m->came : m->asked;

		if (m->line && at && (!next || at < (came ? next->came : next->asked)))
			next = m;
	}
	return next;
}

static size_t not_sent(const struct ws_front *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->is.mshrs; i++)
		n += f->miss[i].line && f->miss[i].asked;
	return n;
}

void ws_sm_code(struct ws_sm *sm, uint32_t number)
{
	struct ws_front *f = sm->front;
	struct miss *m = &f->miss[number];

	if (--m->left)
		return;
	keep_line(f, m->line - 1);
	m->came = ++f->clock;
}

/* ---- fetch --------------------------------------------------------------------------------- */

static void await(struct ws_front *f, struct miss *m, size_t slot)
{
	m->slot[m->waiting++] = slot;
	ws_bit_set(f->waits, slot);
	f->waiters++;
}

/* The line of the warp's PC is not in the cache. */
static void miss_line(struct ws_front *f, size_t slot, uint64_t line)
{
	struct miss *m = find_miss(f, line);

	if (m && m->waiting < f->is.merges && not_sent(f) < f->is.queue) {
		await(f, m, slot);
	} else if (!m && not_sent(f) < f->is.queue) {
		for (size_t i = 0; !m && i < f->is.mshrs; i++)
			m = f->miss[i].line ? NULL : &f->miss[i];
		if (!m)
			return;
		*m = (struct miss){ .line = line + 1, .asked = ++f->clock, .slot = m->slot,
				    .left = f->bytes / WS_SECTOR_BYTES };
		await(f, m, slot);
	}
}

static void look_code_up(struct ws_sm *sm, size_t slot)
{
	struct ws_front *f = sm->front;
	uint64_t pc, line;
	struct code_way *way;

	sm->last_fetched = slot;
	if (f->is.all || !ws_pipe_pc(sm, slot, &pc)) {
		f->fetched = slot;
		return;
	}
	line = pc / f->bytes;
	way = find_way(f, line);
	if (way) {
		way->used = ++f->clock;
		f->fetched = slot;
	} else {
		miss_line(f, slot, line);
	}
}

static void end_warp(struct ws_sm *sm, size_t slot, uint64_t cycle)
{
	struct ws_cta *c = &sm->cta[sm->warp[slot].slot];

	ws_bit_clear(sm->front->leaves, slot);
	sm->front->leavers--;
	if (++c->left < sm->run->plan.warps)
		return;
	c->end = cycle;
	sm->next_end = cycle;
}

/* Looks at slots [from, to); true: one did a look-up. */
static bool look_at(struct ws_sm *sm, size_t from, size_t to, uint64_t cycle)
{
	struct ws_front *f = sm->front;

	for (size_t word = from / 64; word * 64 < to; word++) {
		uint64_t hungry = sm->hungry[word] & ~f->waits[word];
		uint64_t bits = hungry | f->leaves[word];

		if (word == from / 64)
			bits &= UINT64_MAX << from % 64;
		for (; bits; bits &= bits - 1) {
			unsigned bit = ws_lowest_bit(bits);
			size_t slot = word * 64 + bit;

			if (slot >= to)
				return false;
			if (hungry >> bit & 1) {
				look_code_up(sm, slot);
				return true;
			}
			if (!sm->warp[slot].outstanding)
				end_warp(sm, slot, cycle);
		}
	}
	return false;
}

static void fetch_code(struct ws_sm *sm, uint64_t cycle)
{
	struct ws_front *f = sm->front;
	struct miss *m = f->waiters ? find_next(f, true) : NULL;
	size_t slots = sm->slots * sm->run->plan.warps, first = sm->last_fetched + 1;

	f->again = true;
	if (!m) {
		first = first < slots ? first : 0;
		f->again = look_at(sm, first, slots, cycle) || look_at(sm, 0, first, cycle);
		return;
	}
	f->fetched = m->slot[m->first++];
	ws_bit_clear(f->waits, f->fetched);
	f->waiters--;
	if (m->first == m->waiting)
		m->line = 0;
}

static void decode(struct ws_sm *sm, uint64_t cycle)
{
	if (sm->front->fetched == NONE)
		return;
	ws_pace_feed(sm, sm->front->fetched, cycle + 1);
	sm->front->fetched = NONE;
}

static enum ws_status send_miss(struct ws_sm *sm, uint64_t cycle, struct ws_err *err)
{
	struct ws_front *f = sm->front;
	struct miss *m = f->waiters ? find_next(f, false) : NULL;
	bool sent = false;
	enum ws_status status;

	if (!m)
		return WS_OK;
	status = sm->lsu->code(sm->lsu, CODE_BASE + (m->line - 1) * f->bytes, f->bytes,
			       (uint32_t)(m - f->miss), cycle, &sent, err);
	m->asked = sent ? 0 : m->asked;
	f->again |= !sent;
	return status;
}

enum ws_status ws_front_cycle(struct ws_sm *sm, uint64_t cycle, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (uint64_t i = 0; i < sm->run->machine.sm_fetch && status == WS_OK; i++) {
		decode(sm, cycle);
		fetch_code(sm, cycle);
		status = send_miss(sm, cycle, err);
	}
	return status;
}

bool ws_front_due(const struct ws_sm *sm)
{
	return sm->front->again || sm->front->fetched != NONE;
}

void ws_front_leaves(struct ws_sm *sm, size_t slot)
{
	ws_bit_set(sm->front->leaves, slot);
	sm->front->leavers++;
}

/* ---- from launch to launch ----------------------------------------------------------------- */

struct ws_front_kept {
	size_t ways, last_fetched;
	uint64_t turns, clock;
	struct code_way way[];
};

void ws_front_forget(struct ws_front_kept *kept)
{
	free(kept);
}

static size_t ways_of(const struct ws_front *f)
{
	return (size_t)(f->is.sets * f->is.ways);
}

void ws_front_resume(struct ws_sm *sm, const struct ws_front_kept *kept)
{
	struct ws_front *f = sm->front;

	if (!f || !kept || kept->ways != ways_of(f))
		return;
	memcpy(f->way, kept->way, kept->ways * sizeof *kept->way);
	f->clock = kept->clock;
	if (kept->last_fetched < sm->slots * sm->run->plan.warps)
		sm->last_fetched = kept->last_fetched;
	sm->turns = kept->turns;
}

/* Schedulers took turns from the SM's first cycle, 1, to its last, and the next launch continues.
 * */
enum ws_status ws_front_keep(const struct ws_sm *sm, struct ws_front_kept **kept,
			     struct ws_err *err)
{
	const struct ws_front *f = sm->front;
	size_t ways = ways_of(f);
	struct ws_front_kept *k = ws_alloc(1, sizeof *k + ways * sizeof *k->way);

	if (!k)
		return ws_fail_memory(err, "lines of code");
	*k = (struct ws_front_kept){ .ways = ways, .last_fetched = sm->last_fetched,
				     .turns = sm->turns + sm->end, .clock = f->clock };
	memcpy(k->way, f->way, ways * sizeof *k->way);
	ws_front_forget(*kept);
	*kept = k;
	return WS_OK;
}

/* ---- life ---------------------------------------------------------------------------------- */

static bool make_tables(struct ws_front *f, size_t warps)
{
	size_t words = warps / 64 + 1;

	f->way = ws_alloc_zero((size_t)f->is.sets, (size_t)f->is.ways * sizeof *f->way);
	f->miss = ws_alloc_zero((size_t)f->is.mshrs, sizeof *f->miss);
	f->slots = ws_alloc((size_t)f->is.mshrs, (size_t)f->is.merges * sizeof *f->slots);
	f->waits = ws_alloc_zero(words, sizeof *f->waits);
	f->leaves = ws_alloc_zero(words, sizeof *f->leaves);
	if (!f->way || !f->miss || !f->slots || !f->waits || !f->leaves)
		return false;
	for (size_t i = 0; i < f->is.mshrs; i++)
		f->miss[i].slot = f->slots + i * f->is.merges;
	return true;
}

enum ws_status ws_front_new(struct ws_front **out, const struct ws_sm *sm, struct ws_err *err)
{
	const struct ws_machine *m = sm->run->plan.machine;
	struct ws_front *f;
	enum ws_status status;

	*out = NULL;
	if (!sm->run->plan.coded || !ws_machine_has_front(m))
		return WS_OK;
	f = ws_alloc_zero(1, sizeof *f);
	if (!f)
		return ws_fail_memory(err, "an SM");
	status = ws_front_read(m, &f->is, err);
	f->bytes = m->sm_code_line;
	f->fetched = NONE;
	if (status == WS_OK && !make_tables(f, sm->slots * sm->run->plan.warps))
		status = ws_fail_memory(err, "an SM");
	if (status != WS_OK)
		ws_front_free(f);
	else
		*out = f;
	return status;
}

void ws_front_free(struct ws_front *f)
{
	if (!f)
		return;
	free(f->way);
	free(f->miss);
	free(f->slots);
	free(f->waits);
	free(f->leaves);
	free(f);
}
