/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/fenwick.c -- LRU stack distances, textbook style (fenwick.h).
 */
#include "tests/ref/fenwick.h"

#include <stdlib.h>
#include <string.h>

struct use {
	uint64_t address;
	uint32_t time;		/* 0: free */
};

struct ref_fenwick {
	struct use *table;	/* open addressing, at most half full */
	uint32_t *tree;		/* [1 .. times] */
	uint32_t *order;	/* table index by time, 0xffffffff: none */
	size_t size, lines;
	uint32_t times, now;
};

static void *must(size_t count, size_t size)
{
	void *p = calloc(count, size);

	if (!p)
		abort();
	return p;
}

struct ref_fenwick *ref_fenwick_new(void)
{
	struct ref_fenwick *f = must(1, sizeof *f);

	f->size = 1024;
	f->times = 2048;
	f->table = must(f->size, sizeof *f->table);
	f->tree = must(f->times + 1, sizeof *f->tree);
	f->order = must(f->times + 1, sizeof *f->order);
	return f;
}

static struct use *find(const struct ref_fenwick *f, uint64_t address)
{
	size_t i = (size_t)(address * 0x9e3779b97f4a7c15u >> 20) & (f->size - 1);

	while (f->table[i].time && f->table[i].address != address)
		i = (i + 1) & (f->size - 1);
	return f->table + i;
}

static void add(struct ref_fenwick *f, uint32_t time, uint32_t n)
{
	for (; time <= f->times; time += time & -time)
		f->tree[time] += n;
}

static uint32_t sum(const struct ref_fenwick *f, uint32_t time)
{
	uint32_t n = 0;

	for (; time; time &= time - 1)
		n += f->tree[time];
	return n;
}

static void rehash(struct ref_fenwick *f)
{
	struct use *old = f->table;
	size_t size = f->size;

	f->size *= 2;
	f->table = must(f->size, sizeof *f->table);
	for (size_t i = 0; i < size; i++)
		if (old[i].time)
			*find(f, old[i].address) = old[i];
	for (size_t i = 0; i < f->size; i++)
		if (f->table[i].time)
			f->order[f->table[i].time] = (uint32_t)i;
	free(old);
}

/* Times 1, 2, ... in the old order, and four times as many as lines at least. */
static void renumber(struct ref_fenwick *f)
{
	uint32_t *order, times = f->times, now = 0;

	while (times / 4 < f->lines)
		times *= 2;
	order = must(times + 1, sizeof *order);
	for (uint32_t t = 1; t <= f->now; t++)
		if (f->order[t] != UINT32_MAX)
			order[++now] = f->order[t];
	free(f->order);
	free(f->tree);
	f->order = order;
	f->tree = must(times + 1, sizeof *f->tree);
	f->times = times;
	f->now = now;
	for (uint32_t t = 1; t <= now; t++) {
		f->table[order[t]].time = t;
		add(f, t, 1);
	}
}

static uint32_t push(struct ref_fenwick *f, uint64_t address)
{
	struct use *u;
	uint32_t distance = UINT32_MAX;

	if (f->now == f->times)
		renumber(f);
	if (2 * f->lines >= f->size)
		rehash(f);
	u = find(f, address);
	if (u->time) {
		distance = (uint32_t)f->lines - sum(f, u->time);
		add(f, u->time, UINT32_MAX);
		f->order[u->time] = UINT32_MAX;
	} else {
		u->address = address;
		f->lines++;
	}
	u->time = ++f->now;
	add(f, u->time, 1);
	f->order[u->time] = (uint32_t)(u - f->table);
	return distance;
}

void ref_fenwick_push(struct ref_fenwick *f, const struct ws_request *r, size_t count,
		      uint32_t *distance)
{
	for (size_t i = 0; i < count; i++)
		distance[i] = push(f, r[i].address);
}

size_t ref_fenwick_bytes(const struct ref_fenwick *f)
{
	return sizeof *f + f->size * sizeof *f->table +
	       (f->times + (size_t)1) * (sizeof *f->tree + sizeof *f->order);
}

void ref_fenwick_free(struct ref_fenwick *f)
{
	if (!f)
		return;
	free(f->table);
	free(f->tree);
	free(f->order);
	free(f);
}
