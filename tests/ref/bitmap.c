/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/bitmap.c -- LRU stack distances by bits and a Fenwick tree (bitmap.h).
 */
#include "tests/ref/bitmap.h"

#include <stdlib.h>
#include <string.h>

struct use {
	uint64_t address;
	uint32_t time;		/* + 1; 0: free */
};

struct ref_bitmap {
	struct use *table;	/* open addressing, at most half full */
	uint64_t *word;		/* bit t: time t is the last use of a line */
	uint32_t *tree;		/* [1 .. words]: bits */
	size_t size, lines;
	uint32_t words, now;
};

static void *must(size_t count, size_t size)
{
	void *p = calloc(count, size);

	if (!p)
		abort();
	return p;
}

struct ref_bitmap *ref_bitmap_new(void)
{
	struct ref_bitmap *b = must(1, sizeof *b);

	b->size = 1024;
	b->words = 32;
	b->table = must(b->size, sizeof *b->table);
	b->word = must(b->words, sizeof *b->word);
	b->tree = must(b->words + 1, sizeof *b->tree);
	return b;
}

static struct use *find(const struct ref_bitmap *b, uint64_t address)
{
	size_t i = (size_t)(address * 0x9e3779b97f4a7c15u >> 20) & (b->size - 1);

	while (b->table[i].time && b->table[i].address != address)
		i = (i + 1) & (b->size - 1);
	return b->table + i;
}

static uint32_t bits(uint64_t x)
{
	x -= x >> 1 & 0x5555555555555555u;
	x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
	x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
	return (uint32_t)(x * 0x0101010101010101u >> 56);
}

static void add(struct ref_bitmap *b, uint32_t word, uint32_t n)
{
	for (uint32_t i = word + 1; i <= b->words; i += i & -i)
		b->tree[i] += n;
}

/* Bits up to this time. */
static uint32_t sum(const struct ref_bitmap *b, uint32_t time)
{
	uint32_t n = bits(b->word[time / 64] << (63 - time % 64));

	for (uint32_t i = time / 64; i; i &= i - 1)
		n += b->tree[i];
	return n;
}

static void rehash(struct ref_bitmap *b)
{
	struct use *old = b->table;
	size_t size = b->size;

	b->size *= 2;
	b->table = must(b->size, sizeof *b->table);
	for (size_t i = 0; i < size; i++)
		if (old[i].time)
			*find(b, old[i].address) = old[i];
	free(old);
}

/* Times 0, 1, 2, ... in the old order, and four times as many as lines at least. */
static void renumber(struct ref_bitmap *b)
{
	uint32_t words = b->words;

	for (size_t i = 0; i < b->size; i++)
		if (b->table[i].time)
			b->table[i].time = sum(b, b->table[i].time - 1);
	while (words * 16 < b->lines)
		words *= 2;
	free(b->word);
	free(b->tree);
	b->words = words;
	b->word = must(words, sizeof *b->word);
	b->tree = must(words + 1, sizeof *b->tree);
	for (b->now = 0; b->now < b->lines; b->now++) {
		b->word[b->now / 64] |= (uint64_t)1 << (b->now % 64);
		add(b, b->now / 64, 1);
	}
}

static uint32_t push(struct ref_bitmap *b, uint64_t address)
{
	struct use *u;
	uint32_t distance = UINT32_MAX;

	if (b->now == b->words * 64)
		renumber(b);
	if (2 * b->lines >= b->size)
		rehash(b);
	u = find(b, address);
	if (u->time) {
		uint32_t old = u->time - 1;

		distance = (uint32_t)b->lines - sum(b, old);
		b->word[old / 64] &= ~((uint64_t)1 << (old % 64));
		add(b, old / 64, UINT32_MAX);
	} else {
		u->address = address;
		b->lines++;
	}
	b->word[b->now / 64] |= (uint64_t)1 << (b->now % 64);
	add(b, b->now / 64, 1);
	u->time = ++b->now;
	return distance;
}

void ref_bitmap_push(struct ref_bitmap *b, const struct ws_request *r, size_t count,
		     uint32_t *distance)
{
	for (size_t i = 0; i < count; i++)
		distance[i] = push(b, r[i].address);
}

size_t ref_bitmap_bytes(const struct ref_bitmap *b)
{
	return sizeof *b + b->size * sizeof *b->table + b->words * sizeof *b->word +
	       (b->words + 1) * sizeof *b->tree;
}

void ref_bitmap_free(struct ref_bitmap *b)
{
	if (!b)
		return;
	free(b->table);
	free(b->word);
	free(b->tree);
	free(b);
}
