/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/softcache_ran.h -- what kernels that were rewritten to have the cache counted of themselves
 * (ws_soft_run), beside the model's counts.  A header, so that tests ask the same.
 */
#ifndef CLI_SOFTCACHE_RAN_H
#define CLI_SOFTCACHE_RAN_H

#include "softcache/softcache.h"
#include "trace/capture.h"

#include <stdlib.h>
#include <string.h>

/* Structures as the model numbers them: the last is what is in no array. */
static inline uint32_t softcache_array(const struct ws_soft_ran *ran, size_t structure)
{
	return structure + 1 < ran->structures ? (uint32_t)structure : WS_NO_ARRAY;
}

/* As the model has them, but for what follows from the choice. */
static inline struct ws_soft_counts softcache_counts(const struct ws_soft_tally *t)
{
	struct ws_soft_counts c = {
		.monitored = t->monitored, .monitor_hits = t->monitor_hits,
		.write_backs = t->write_backs, .write_back_bytes = t->write_back_bytes,
		.atomics = t->atomics, .emptied = t->emptied,
	};

	memcpy(c.accesses, t->accesses, sizeof c.accesses);
	memcpy(c.direct, t->direct, sizeof c.direct);
	memcpy(c.hits, t->hits, sizeof c.hits);
	memcpy(c.misses, t->misses, sizeof c.misses);
	return c;
}

/* For the hook `choose`: who gets a line, by the rule, of what the kernel counted while it
 * monitored. */
static inline enum ws_status softcache_choose(const struct ws_soft_ran *ran,
					      const struct ws_launch *launch, int32_t *line,
					      struct ws_err *err)
{
	struct ws_soft_result r = { .part = ws_alloc_zero(ran->structures, sizeof *r.part) };

	if (!r.part)
		return ws_fail_memory(err, "structures");
	for (size_t i = 0; i < ran->structures; i++)
		r.part[r.parts++] = (struct ws_soft_part){
			.array = softcache_array(ran, i),
			.writable = ws_soft_stored(launch, i) ||
				    ran->structure[i].accesses[WS_STORE],
			.counts = softcache_counts(&ran->structure[i]),
		};
	ws_soft_choose(&r, ran->cache->lines);
	for (size_t i = 0; i + 1 < r.parts; i++)
		if (r.part[i].why == WS_SOFT_CHOSEN)
			line[i] = (int32_t)r.part[i].rank - 1;
	free(r.part);
	return WS_OK;
}

/* Structures whose counts are not the model's, and one more if the barriers' is not. */
static inline uint64_t softcache_differ(const struct ws_soft_ran *ran,
					const struct ws_soft_result *model)
{
	uint64_t different = ran->left != model->barriers;

	for (size_t i = 0; i < ran->structures; i++) {
		struct ws_soft_counts is = softcache_counts(&ran->structure[i]), want = { 0 };

		for (size_t k = 0; k < model->parts; k++)
			if (model->part[k].array == softcache_array(ran, i)) {
				want = model->part[k].counts;
				is.others = model->chosen - (model->part[k].why == WS_SOFT_CHOSEN);
			}
		is.others *= is.accesses[WS_LOAD] + is.accesses[WS_STORE] - is.monitored;
		different += memcmp(&is, &want, sizeof is) != 0;
	}
	return different;
}

#endif
