/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/deferred.c -- the pinned lines of a set, by position (deferred.h).
 */
#include "stackdist/stack/deferred.h"

#include <stdlib.h>
#include <string.h>

bool ws_deferred_grow(struct ws_deferred *p)
{
	return WS_ROOM(p->pin, p->cap, p->count + 1);
}

uint32_t ws_deferred_position(const struct ws_deferred *p, uint32_t newer)
{
	size_t low = 0, high = p->count;

	/* position - index, the flowing positions above a pin, never falls. */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (p->pin[mid].position - mid <= newer)
			low = mid + 1;
		else
			high = mid;
	}
	return newer + (uint32_t)low;
}

/* The first pin at position or below. */
static size_t find_pin(const struct ws_deferred *p, uint32_t position)
{
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (p->pin[mid].position < position)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void ws_deferred_add(struct ws_deferred *p, uint32_t position, uint32_t id)
{
	size_t i = find_pin(p, position);
	uint64_t due = p->uses + position - i;

	memmove(p->pin + i + 1, p->pin + i, (p->count - i) * sizeof *p->pin);
	p->pin[i] = (struct ws_pin){ position, id, due };
	if (p->count++ == 0 || due < p->due)
		p->due = due;
}

void ws_deferred_remove(struct ws_deferred *p, uint32_t position)
{
	size_t i = find_pin(p, position);

	p->count--;
	memmove(p->pin + i, p->pin + i + 1, (p->count - i) * sizeof *p->pin);
}

void ws_deferred_clear(struct ws_deferred *p)
{
	free(p->pin);
	memset(p, 0, sizeof *p);
}
