/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/slice_life.c -- the slices of one DRAM channel: made, filled, set up for a launch.
 */
#include "validate/cycle/slice.h"

#include <stdlib.h>

#define NEVER UINT64_MAX
#define WARM_MAX (1ull << 36) /* bytes */

/* ---- life ------------------------------------------------------------------------------ */

static enum ws_status make_slices(struct ws_channel *c, const struct ws_use *use, uint64_t seed,
				  struct ws_err *err)
{
	enum ws_status status = WS_OK;

	c->slice = ws_alloc_zero(c->slices, sizeof *c->slice);
	c->due = ws_alloc_zero(c->slices, sizeof *c->due);
	if (!c->slice || !c->due)
		return ws_fail_memory(err, "slices of the L2");
	for (size_t i = 0; i < c->slices && status == WS_OK; i++) {
		c->slice[i].vacant = WS_SLICE_NOBODY;
		status = ws_tags_new(&c->slice[i].tags, &c->cache, use, c->cache.sets,
				     c->cache.line_bytes, seed + c->first + i, err);
	}
	return status;
}

enum ws_status ws_channel_new(struct ws_channel **out, const struct ws_machine *m,
			      const struct ws_use *use, uint64_t channel, uint64_t seed,
			      struct ws_err *err)
{
	struct ws_channel *c = ws_alloc_zero(1, sizeof *c);
	enum ws_status status;

	if (!c)
		return ws_fail_memory(err, "a channel");
	c->machine = m;
	c->cache = m->l2;
	c->cache.alloc = WS_ALLOC_ON_MISS;
	c->channels = ws_dram_channels(m);
	c->first = channel * m->l2_slices / c->channels;
	c->slices = (size_t)((channel + 1) * m->l2_slices / c->channels - c->first);
	c->icnt = ws_icnt_cycles(m);
	c->atom = m->dram_atom / WS_SECTOR_BYTES;
	c->turns = m->icnt_queues == WS_QUEUES_ROUTER;
	c->wait = ws_router_wait_cycles(m);
	c->misses = c->turns && ws_dram_has_banks(m) ? m->l2_misses : 0;
	c->holds = c->turns && m->profile == WS_BEHAVES_GPGPUSIM;
	c->hit = c->turns ? 1 : ws_l2_cycles(m);
	c->each = m->profile == WS_BEHAVES_GPGPUSIM && m->l2.sector_bytes < m->l2.line_bytes;
	c->work = c->channels * c->atom;
	c->plain = m->profile == WS_BEHAVES_HARDWARE && !c->turns && !m->l2_rate &&
		   !ws_dram_has_banks(m);
	status = make_slices(c, use, seed, err);
	if (status == WS_OK && ws_dram_has_banks(m))
		status = ws_banks_new(&c->banks, m, c->slices, err);
	if (status != WS_OK) {
		ws_channel_free(c);
		return status;
	}
	*out = c;
	return WS_OK;
}

void ws_channel_free(struct ws_channel *c)
{
	if (!c)
		return;
	for (size_t i = 0; c->slice && i < c->slices; i++) {
		struct ws_slice *s = &c->slice[i];

		ws_tags_free(s->tags);
		ws_packets_clear(&s->in);
		ws_packets_clear(&s->dram);
		ws_packets_clear(&s->out);
		ws_packets_clear(&s->answers);
		free(s->waiting);
		free(s->served);
		free(s->left);
		free(s->miss);
	}
	ws_packets_clear(&c->replies);
	ws_banks_free(c->banks);
	free(c->credits.credit);
	free(c->slice);
	free(c->due);
	free(c);
}

size_t ws_channel_shared(const struct ws_channel *c, uint64_t **shared)
{
	for (size_t i = 0; i < c->slices; i++)
		shared[i] = ws_tags_shared(c->slice[i].tags);
	return c->slices;
}

/* ---- l2.start = warm, copies ----------------------------------------------------------------- */

/* The lines of [from, last], in one slice. */
static enum ws_status warm_block(struct ws_channel *c, uint64_t slice, uint64_t from, uint64_t last,
				 struct ws_err *err)
{
	uint32_t all = UINT32_MAX >> (32 - c->cache.line_bytes / WS_SECTOR_BYTES);
	enum ws_status status = WS_OK;

	for (uint64_t line = from; status == WS_OK; line += c->cache.line_bytes) {
		status = ws_tags_warm(c->slice[slice].tags, line, ws_slice_set(c, line), all, err);
		if (last - line < c->cache.line_bytes)
			break;
	}
	return status;
}

/* The lines of this channel in [from, last]: a slice has whole blocks of l2.interleave bytes. */
static enum ws_status warm_lines(struct ws_channel *c, uint64_t from, uint64_t last,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;
	uint64_t block = c->machine->l2_interleave_bytes;

	while (status == WS_OK) {
		uint64_t end = from | (block - 1);
		uint64_t slice = ws_l2_slice(c->machine, from) - c->first; /* wraps for lower
									    * channels */

		end = end < last ? end : last;
		if (slice < c->slices)
			status = warm_block(c, slice, from, end, err);
		if (end == last)
			break;
		from = end + 1;
	}
	return status;
}

static enum ws_status warm(struct ws_channel *c, const struct ws_launch *launch,
			   struct ws_err *err)
{
	bool all = c->machine->l2_start == WS_L2_WARM;
	struct ws_copy *copy;
	uint64_t bytes = 0;
	size_t copies;
	enum ws_status status = ws_launch_copied(launch, c->machine, all, &copy, &copies, err);

	for (size_t i = 0; i < copies && status == WS_OK; i++) {
		uint64_t last = copy[i].base + copy[i].bytes - 1;

		bytes += copy[i].bytes <= WARM_MAX ? copy[i].bytes : WARM_MAX + 1;
		if (bytes > WARM_MAX || last < copy[i].base)
			status = ws_fail(err, WS_EINVAL, "kernel %s: l2.start, but its arrays have "
					 "more than %llu bytes", launch->kernel, WARM_MAX);
		else
			status = warm_lines(c, copy[i].base - copy[i].base % c->cache.line_bytes,
					    last, err);
	}
	free(copy);
	return status;
}

enum ws_status ws_channel_launch(struct ws_channel *c, const struct ws_launch *launch,
				 const struct ws_dram_clock *clock, struct ws_slice_stats *stats,
				 struct ws_site_table *sites, struct ws_err *err)
{
	c->sites = sites;
	c->free = c->row = c->last = 0;
	if (c->banks)
		ws_banks_launch(c->banks, clock);
	ws_packets_empty(&c->replies);
	c->credits.count = 0;
	for (size_t i = 0; i < c->slices; i++) {
		struct ws_slice *s = &c->slice[i];

		if (c->machine->l2_start != WS_L2_KEEP)
			ws_tags_flush(s->tags);
		ws_packets_empty(&s->in);
		ws_packets_empty(&s->dram);
		ws_packets_empty(&s->out);
		ws_packets_empty(&s->answers);
		s->queued = s->misses = s->miss_first = 0;
		s->held = 0;
		s->vacant = WS_SLICE_NOBODY;
		for (size_t k = s->cap; k-- > 0; s->vacant = (uint32_t)k)
			s->waiting[k].next = s->vacant;
		s->stats = &stats[i];
		s->numbers = s->port = s->looked = s->in_flight = s->counted = 0;
		s->blocked = false;
		c->due[i] = NEVER;
	}
	return ws_l2_filled(c->machine->l2_start) ? warm(c, launch, err) : WS_OK;
}
