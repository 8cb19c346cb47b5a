/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/soft.c -- a software cache the slow way (soft.h).
 *
 * A thread after the other, each with the memory to itself: the line that simulateCache()
 * would hold, then, from the start again, accessThroughCache() and flush() on real bytes.
 */
#include "tests/ref/soft.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ref/must.h"

struct segment {		/* of the text: a thread's line of a structure */
	bool mapped;
	uint64_t address;	/* of its first byte */
	unsigned char *data, *modified;
};

struct run {
	uint64_t line, threshold, memory;
	size_t structures;
	unsigned char *plain, *cached; /* memory without and with the cache */
	struct segment *segment;
	struct ref_soft_counts *count;
	struct ref_soft_thread *log; /* of the thread at hand; NULL: not wanted */
	bool right;
};

void ref_soft_add(struct ref_soft_thread *t, struct ref_soft_event e)
{
	if (t->events == t->cap) {
		t->cap = 2 * t->cap + 8;
		t->event = more(t->event, t->cap, sizeof e);
	}
	t->event[t->events++] = e;
}

static struct ref_soft_counts *count_of(struct run *r, const struct ref_soft_event *e)
{
	return &r->count[e->structure < 0 ? r->structures : (size_t)e->structure];
}

static void sends(struct run *r, enum ref_soft_kind kind, uint64_t address, uint64_t bytes)
{
	if (r->log)
		ref_soft_add(r->log, (struct ref_soft_event){ kind, -1, address, bytes });
}

static uint64_t start(const struct run *r, uint64_t address)
{
	return address - address % r->line;
}

/* ---- the monitoring phase ----------------------------------------------------------- */

static void simulate(struct run *r, const struct ref_soft_thread *t)
{
	uint64_t *address = must(r->structures + 1, sizeof *address), calls = 0;
	bool *mapped = must(r->structures + 1, sizeof *mapped);

	for (size_t i = 0; i < t->events && calls < r->threshold; i++) {
		const struct ref_soft_event *e = &t->event[i];
		size_t s = e->structure < 0 ? r->structures : (size_t)e->structure;

		if (e->kind == REF_SOFT_BARRIER) {
			memset(mapped, 0, (r->structures + 1) * sizeof *mapped);
			continue;
		}
		if (e->kind == REF_SOFT_ATOMIC) {
			for (uint64_t b = 0; b < e->bytes; b++)
				if (mapped[s] && start(r, e->address + b) == address[s])
					mapped[s] = false;
			continue;
		}
		calls++;
		count_of(r, e)->monitored++;
		if (mapped[s] && address[s] == start(r, e->address))
			count_of(r, e)->monitor_hits++;
		mapped[s] = true;
		address[s] = start(r, e->address + e->bytes - 1);
	}
	free(address);
	free(mapped);
}

/* ---- calculateWhatDataToCache() ------------------------------------------------------- */

/* "we select a read-write data structure over a read-only one only if its hits are twice as
 * many" */
static bool goes_before(const struct ref_soft_counts *a, const struct ref_soft_counts *b,
			bool first)
{
	if (a->stored == b->stored)
		return a->monitor_hits > b->monitor_hits ||
		       (a->monitor_hits == b->monitor_hits && first);
	if (a->stored)
		return a->monitor_hits >= 2 * b->monitor_hits;
	return !(b->monitor_hits >= 2 * a->monitor_hits);
}

static void choose(struct run *r, uint64_t lines)
{
	for (; lines; lines--) {
		size_t best = r->structures;

		for (size_t i = 0; i < r->structures; i++)
			if (!r->count[i].chosen && r->count[i].monitor_hits &&
			    (best == r->structures ||
			     goes_before(&r->count[i], &r->count[best], i < best)))
				best = i;
		if (best == r->structures)
			return;
		r->count[best].chosen = true;
	}
}

/* ---- the cached phase ------------------------------------------------------------------- */

static void dump(struct run *r, struct segment *s, struct ref_soft_counts *c)
{
	bool dirty = false;

	for (uint64_t b = 0; s->mapped && b < r->line; b++)
		if (s->modified[b]) {
			r->cached[s->address + b] = s->data[b];
			c->write_back_bytes++;
			dirty = true;
		}
	c->write_backs += dirty;
	if (dirty)
		sends(r, REF_SOFT_STORE, s->address, r->line);
	memset(s->modified, 0, r->line);
	s->mapped = false;
}

static void load(struct run *r, struct segment *s, uint64_t address)
{
	sends(r, REF_SOFT_LOAD, address, r->line);
	memcpy(s->data, r->cached + address, r->line);
	s->address = address;
	s->mapped = true;
}

static unsigned char *through(struct run *r, const struct ref_soft_event *e, uint64_t address)
{
	struct segment *s = &r->segment[e->structure];
	struct ref_soft_counts *c = count_of(r, e);
	bool again = address > e->address && address % r->line; /* of a piece that was looked up */

	if (s->mapped && s->address == start(r, address)) {
		c->hits[e->kind] += !again;
	} else {
		c->misses[e->kind]++;
		dump(r, s, c);
		load(r, s, start(r, address));
	}
	if (e->kind == REF_SOFT_STORE)
		s->modified[address % r->line] = 1;
	return &s->data[address % r->line];
}

static void atomic(struct run *r, const struct ref_soft_event *e, unsigned char value)
{
	for (uint64_t b = 0; b < e->bytes; b++) {
		struct segment *s = e->structure < 0 ? NULL : &r->segment[e->structure];

		if (s && s->mapped && s->address == start(r, e->address + b))
			dump(r, s, count_of(r, e));
	}
	sends(r, REF_SOFT_ATOMIC, e->address, e->bytes);
	for (uint64_t b = 0; b < e->bytes; b++) {
		r->plain[e->address + b] = (unsigned char)(r->plain[e->address + b] + value);
		r->cached[e->address + b] = (unsigned char)(r->cached[e->address + b] + value);
	}
	count_of(r, e)->direct[REF_SOFT_ATOMIC]++;
}

static void access(struct run *r, const struct ref_soft_event *e, bool late, unsigned char value)
{
	bool direct = !late || e->structure < 0 || !count_of(r, e)->chosen;

	count_of(r, e)->direct[e->kind] += direct;
	if (direct)
		sends(r, e->kind, e->address, e->bytes);
	for (uint64_t b = 0; b < e->bytes; b++) {
		uint64_t at = e->address + b;
		unsigned char *here = direct ? &r->cached[at] : through(r, e, at);

		if (e->kind == REF_SOFT_STORE)
			*here = r->plain[at] = (unsigned char)(value + b);
		else if (*here != r->plain[at])
			r->right = false;
	}
}

static void flush(struct run *r)
{
	for (size_t i = 0; i < r->structures; i++)
		dump(r, &r->segment[i], &r->count[i]);
}

static void compute(struct run *r, const struct ref_soft_thread *t)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < t->events; i++) {
		const struct ref_soft_event *e = &t->event[i];

		if (e->kind == REF_SOFT_BARRIER)
			flush(r);
		else if (e->kind == REF_SOFT_ATOMIC)
			atomic(r, e, (unsigned char)(i + 7));
		else
			access(r, e, ++calls > r->threshold, (unsigned char)(3 * i + 1));
	}
	flush(r);
	if (memcmp(r->plain, r->cached, r->memory) != 0)
		r->right = false;
}

static uint64_t calls_of(const struct ref_soft_thread *t)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < t->events; i++)
		calls += t->event[i].kind == REF_SOFT_LOAD || t->event[i].kind == REF_SOFT_STORE;
	return calls;
}

static void add(struct ref_soft_counts *to, const struct ref_soft_counts *c)
{
	to->monitored += c->monitored;
	to->monitor_hits += c->monitor_hits;
	to->write_backs += c->write_backs;
	to->write_back_bytes += c->write_back_bytes;
	for (int k = 0; k < 2; k++) {
		to->hits[k] += c->hits[k];
		to->misses[k] += c->misses[k];
	}
	for (int k = 0; k < 3; k++)
		to->direct[k] += c->direct[k];
	to->chosen = to->chosen || c->chosen;
}

/* A thread with hits and a choice of its own. */
static void alone(struct run *r, const struct ref_soft_thread *t, uint64_t lines)
{
	struct ref_soft_counts *all = r->count;
	struct ref_soft_counts *own = must(r->structures + 1, sizeof *own);

	for (size_t i = 0; i <= r->structures; i++)
		own[i].stored = all[i].stored;
	r->count = own;
	simulate(r, t);
	if (calls_of(t) >= r->threshold)
		choose(r, lines);
	compute(r, t);
	r->count = all;
	for (size_t i = 0; i <= r->structures; i++)
		add(&all[i], &own[i]);
	free(own);
}

bool ref_soft(const struct ref_soft_thread *thread, size_t threads, size_t structures,
	      uint64_t memory, uint64_t line_bytes, uint64_t threshold, uint64_t lines,
	      bool by_thread, struct ref_soft_counts *count, struct ref_soft_thread *log)
{
	uint64_t whole = memory + line_bytes; /* the last line may end past it */
	struct run r = {
		.line = line_bytes, .threshold = threshold, .memory = whole,
		.structures = structures, .count = count, .right = true,
		.plain = must(whole, 1), .cached = must(whole, 1),
		.segment = must(structures, sizeof *r.segment),
	};

	for (size_t i = 0; i < threads; i++) {
		if (!by_thread)
			simulate(&r, &thread[i]);
		for (size_t e = 0; e < thread[i].events; e++)
			if (thread[i].event[e].kind == REF_SOFT_STORE)
				count_of(&r, &thread[i].event[e])->stored = true;
	}
	if (!by_thread)
		choose(&r, lines);
	for (size_t i = 0; i < structures; i++) {
		r.segment[i].data = must(line_bytes, 1);
		r.segment[i].modified = must(line_bytes, 1);
	}
	for (size_t i = 0; i < threads; i++) {
		r.log = log ? &log[i] : NULL;
		if (by_thread)
			alone(&r, &thread[i], lines);
		else
			compute(&r, &thread[i]);
	}
	for (size_t i = 0; i < structures; i++) {
		free(r.segment[i].data);
		free(r.segment[i].modified);
	}
	free(r.segment);
	free(r.plain);
	free(r.cached);
	return r.right;
}
