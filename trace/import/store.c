/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/store.c -- memory for the records of a launch.
 *
 * Segments are filled one after another and used again for the next launch.  Past
 * IN_MEMORY bytes they are pieces of an unnamed temporary file mapped into memory, so
 * that a launch larger than memory becomes slow and not impossible.
 */
#include "trace/import/builder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define SEGMENT_BYTES (4u << 20)
#define FIRST_BYTES (64u << 10)	/* of the first, for small files */
#define IN_MEMORY (512ull << 20)
#define ALIGN 8u

struct ws_store_segment {
	struct ws_store_segment *next;
	size_t size;
	bool mapped;
	uint8_t data[] __attribute__((aligned(ALIGN)));
};

static struct ws_store_segment *map_segment(struct ws_store *s)
{
	struct ws_store_segment *segment;

	if (!s->spill) {
		int fd;

		s->spill = ws_temporary_fd(&fd, NULL) == WS_OK ? fd : -1;
	}
	/* Not ftruncate: what is written to a hole of a full disk is lost by a signal. */
	if (s->spill < 0 || posix_fallocate(s->spill, (off_t)s->spilled, SEGMENT_BYTES))
		return NULL;
	segment = mmap(NULL, SEGMENT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, s->spill,
		       (off_t)s->spilled);
	if (segment == MAP_FAILED)
		return NULL;
	s->spilled += SEGMENT_BYTES;
	segment->mapped = true;
	segment->size = SEGMENT_BYTES;
	return segment;
}

static struct ws_store_segment *new_segment(struct ws_store *s)
{
	size_t size = s->first ? SEGMENT_BYTES : FIRST_BYTES;
	struct ws_store_segment *segment;

	if (s->bytes >= IN_MEMORY) {
		segment = map_segment(s);
	} else {
		segment = malloc(size);
		if (segment) {
			segment->mapped = false;
			segment->size = size;
		}
	}
	if (!segment)
		return NULL;
	segment->next = NULL;
	s->bytes += segment->size;
	return segment;
}

/* The segment after the one in use, made if there is none. */
static bool next_segment(struct ws_store *s)
{
	struct ws_store_segment *next = s->now ? s->now->next : s->first;

	if (!next) {
		next = new_segment(s);
		if (!next)
			return false;
		if (s->now)
			s->now->next = next;
		else
			s->first = next;
	}
	s->now = next;
	s->used = 0;
	return true;
}

struct ws_store_block *ws_store_block(struct ws_store *s, uint32_t cap)
{
	size_t want = (sizeof(struct ws_store_block) + cap + ALIGN - 1) / ALIGN * ALIGN;
	struct ws_store_block *block;

	if ((!s->now || s->now->size - sizeof *s->now - s->used < want) && !next_segment(s))
		return NULL;
	block = (struct ws_store_block *)(void *)(s->now->data + s->used);
	s->used += want;
	*block = (struct ws_store_block){ .cap = (uint32_t)(want - sizeof *block) };
	return block;
}

void ws_store_reset(struct ws_store *s)
{
	s->now = NULL;
	s->used = 0;
}

void ws_store_clear(struct ws_store *s)
{
	for (struct ws_store_segment *segment = s->first, *next; segment; segment = next) {
		next = segment->next;
		if (segment->mapped)
			munmap(segment, segment->size);
		else
			free(segment);
	}
	if (s->spill > 0)
		close(s->spill);
	*s = (struct ws_store){ 0 };
}
