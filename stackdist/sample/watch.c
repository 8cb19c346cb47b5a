/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample/watch.c -- exact stacks, and ages, of a part of the stream: of a burst, or of
 * chosen lines (sample.h).
 */
#include "stackdist/sample/part.h"

#include <stdlib.h>
#include <string.h>

enum ws_status ws_watch_new(struct ws_watch **out, const struct ws_cache *cache,
			    const uint64_t *sets, size_t stacks, struct ws_err *err)
{
	struct ws_watch *w = ws_alloc_zero(1, sizeof *w);
	struct ws_cache c = *cache;
	enum ws_status status = WS_OK;

	if (!w)
		return ws_fail_memory(err, "a sampler");
	w->sets = ws_alloc_zero(stacks, sizeof(struct ws_sets *));
	if (!w->sets)
		status = ws_fail_memory(err, "a sampler");
	w->stacks = stacks;
	w->write = cache->write;
	w->by = ws_sectoring_of(cache->line_bytes, cache->sector_bytes);
	for (size_t i = 0; i < stacks && status == WS_OK; i++) {
		c.sets = sets[i];
		status = ws_sets_new(w->sets + i, &c, err);
	}
	if (status != WS_OK) {
		ws_watch_free(w);
		return status;
	}
	*out = w;
	return WS_OK;
}

void ws_watch_free(struct ws_watch *w)
{
	if (!w)
		return;
	for (size_t i = 0; w->sets && i < w->stacks; i++)
		ws_sets_free(w->sets[i]);
	free(w->sets);
	ws_lines_clear(&w->lines);
	free(w->last);
	free(w);
}

uint32_t ws_watch_mask(const struct ws_watch *w, uint32_t sectors)
{
	return ws_sectors_asked(w->by, sectors);
}

static bool know(struct ws_watch *w)
{
	size_t from = w->known * w->by.count, to = w->lines.count * (size_t)w->by.count;

	if (from == to)
		return true;
	if (!WS_ROOM(w->last, w->last_cap, to))
		return false;
	for (size_t i = from; i < to; i++)
		w->last[i] = WS_SAMPLE_NEVER;
	w->known = w->lines.count;
	return true;
}

static inline uint64_t look(uint64_t *last, uint64_t when, bool fetch)
{
	uint64_t age = *last == WS_SAMPLE_NEVER ? WS_SAMPLE_NEVER : when - *last;

	if (fetch)
		*last = when;
	return age;
}

/* The oldest of the sectors asked for. */
static uint64_t look_sectors(const struct ws_watch *w, uint64_t *last, uint32_t mask, uint64_t when,
			     bool fetch, struct ws_watched *to)
{
	uint64_t oldest = 0;

	for (unsigned i = 0; i < w->by.count; i++) {
		uint64_t age = WS_SAMPLE_NEVER;

		if (!(mask >> i & 1))
			continue;
		if (last)
			age = look(last + i, when, fetch);
		to->sector_age[to->sectors++] = age;
		oldest = age > oldest ? age : oldest;
	}
	return last ? oldest : WS_SAMPLE_NEVER;
}

static void ages(struct ws_watch *w, const struct ws_request *request, const uint64_t *when,
		 size_t count, struct ws_watched *to)
{
	bool stores = ws_store_allocates(w->write);

	to->sectors = 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t id = to->id[i];
		uint64_t *last = id == WS_LINE_NONE ? NULL : w->last + id * (size_t)w->by.count;
		bool fetch = request[i].kind == WS_LOAD || stores;

		if (w->by.count > 1)
			to->age[i] = look_sectors(w, last, ws_watch_mask(w, request[i].sectors),
						  when[i], fetch, to);
		else
			to->age[i] = last ? look(last, when[i], fetch) : WS_SAMPLE_NEVER;
	}
}

enum ws_status ws_watch_push(struct ws_watch *w, const struct ws_request *request,
			     const uint64_t *when, size_t count, struct ws_watched *to,
			     struct ws_err *err)
{
	enum ws_status status;

	status = ws_lines_number(&w->lines, w->write, request, count, to->id, err);
	if (status == WS_OK && !know(w))
		status = ws_fail_memory(err, "the lines of a sampler");
	for (size_t i = 0; i < w->stacks && status == WS_OK; i++) {
		struct ws_set_places at = { .distance = to->distance + i * WS_SAMPLE_BATCH };

		if (w->by.count > 1)
			at.sector = to->sector + i * WS_SAMPLE_BATCH * w->by.count;
		status = ws_sets_push(w->sets[i], request, to->id, count, &at, err);
	}
	if (status == WS_OK)
		ages(w, request, when, count, to);
	return status;
}
