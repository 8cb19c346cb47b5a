/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/front.c -- written from trace/order/front.h.
 */
#include "tests/ref/front.h"

#include <stdlib.h>

#define LINES 4096u		/* asked for, in order, of which most are done with */
#define WAIT 64u

struct asked {			/* of a line on its way */
	uint64_t line, sectors, came;
	bool sent, done;
	size_t waits[WAIT], count;
};

struct held {			/* by the cache */
	uint64_t line, used;
	bool is;
};

struct ref_front {
	struct ws_front_is is;
	uint64_t bytes, times;
	struct held held[64 * 64];
	struct asked asked[LINES];
	size_t asks;
	size_t last, fetched;	/* slots; fetched: SIZE_MAX: none */
	uint64_t clock, turns;
};

struct ref_front *ref_front_new(const struct ws_machine *m)
{
	struct ref_front *f = ws_alloc_zero(1, sizeof *f);

	if (ws_front_read(m, &f->is, NULL))
		abort();
	f->bytes = m->sm_code_line;
	f->times = m->sm_fetch;
	return f;
}

void ref_front_free(struct ref_front *f)
{
	free(f);
}

void ref_front_begin(struct ref_front *f, size_t slots)
{
	f->asks = 0;
	f->fetched = SIZE_MAX;
	f->last = f->last < slots ? f->last : 0;
}

uint64_t ref_front_turn(const struct ref_front *f)
{
	return f->turns;
}

void ref_front_turns(struct ref_front *f)
{
	f->turns++;
}

static struct held *holds(struct ref_front *f, uint64_t line)
{
	for (uint64_t i = 0; i < f->is.sets * f->is.ways; i++)
		if (f->held[i].is && f->held[i].line == line)
			return &f->held[i];
	return NULL;
}

static void hold(struct ref_front *f, uint64_t line)
{
	struct held *to = NULL;

	for (uint64_t i = 0; i < f->is.sets * f->is.ways; i++) {
		struct held *h = &f->held[i];

		if (i / f->is.ways != line % f->is.sets)
			continue;
		if (!h->is) {
			to = h;
			break;
		}
		to = !to || h->used < to->used ? h : to;
	}
	*to = (struct held){ line, ++f->clock, true };
}

void ref_front_sector(struct ref_front *f, size_t number)
{
	struct asked *a = &f->asked[number];

	if (++a->sectors < f->bytes / 32)
		return;
	hold(f, a->line);
	a->came = ++f->clock;
}

static bool waits(const struct ref_front *f, size_t slot)
{
	for (size_t i = 0; i < f->asks; i++)
		for (size_t k = 0; k < f->asked[i].count; k++)
			if (f->asked[i].waits[k] == slot)
				return true;
	return false;
}

static void look_up(struct ref_front *f, size_t slot, uint64_t line)
{
	struct held *h = holds(f, line);
	struct asked *same = NULL;
	uint64_t unsent = 0, on_way = 0;

	for (size_t i = 0; i < f->asks; i++) {
		struct asked *a = &f->asked[i];

		unsent += !a->done && !a->sent;
		on_way += !a->done;
		same = !a->done && a->line == line ? a : same;
	}
	if (h) {
		h->used = ++f->clock;
		f->fetched = slot;
	} else if (unsent < f->is.queue && same && same->count < f->is.merges) {
		same->waits[same->count++] = slot;
	} else if (unsent < f->is.queue && !same && on_way < f->is.mshrs) {
		if (f->asks == LINES)
			abort();
		f->asked[f->asks++] = (struct asked){ .line = line, .waits = { slot }, .count = 1 };
	}
}

/* For the first that waits for the line that came first; false: there is none. */
static bool serve(struct ref_front *f)
{
	struct asked *first = NULL;

	for (size_t i = 0; i < f->asks; i++)
		if (!f->asked[i].done && f->asked[i].came &&
		    (!first || f->asked[i].came < first->came))
			first = &f->asked[i];
	if (!first)
		return false;
	f->fetched = first->waits[0];
	first->count--;
	for (size_t k = 0; k < first->count; k++)
		first->waits[k] = first->waits[k + 1];
	first->done = !first->count;
	return true;
}

static void look_at_slots(struct ref_front *f, const struct ref_front_unit *u)
{
	size_t behind = f->last + 1;

	for (size_t i = 0; i < u->slots; i++) {
		size_t slot = (behind + i) % u->slots;
		uint64_t pc = 0;
		bool known = false;

		if (u->leaves(u->context, slot))
			u->end(u->context, slot);
		if (!u->hungry(u->context, slot, &pc, &known) || waits(f, slot))
			continue;
		f->last = slot;
		if (f->is.all || !known)
			f->fetched = slot;
		else
			look_up(f, slot, pc / f->bytes);
		return;
	}
}

static void send(struct ref_front *f, const struct ref_front_unit *u)
{
	for (size_t i = 0; i < f->asks; i++) {
		struct asked *a = &f->asked[i];

		if (a->done || a->sent)
			continue;
		a->sent = u->ask(u->context, 0xf0000000u + a->line * f->bytes, f->bytes, i);
		return;
	}
}

void ref_front_cycle(struct ref_front *f, const struct ref_front_unit *u)
{
	for (uint64_t i = 0; i < f->times; i++) {
		if (f->fetched != SIZE_MAX)
			u->decode(u->context, f->fetched);
		f->fetched = SIZE_MAX;
		if (!serve(f))
			look_at_slots(f, u);
		send(f, u);
	}
}
