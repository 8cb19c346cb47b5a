/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/model/oneset.h -- profiles of streams whose requests all fall into one set.
 */
#ifndef WS_TEST_ONESET_H
#define WS_TEST_ONESET_H

#include "tests/stackdist/made.h"
#include "tests/test.h"

#define ONE_SET_BATCH 4000u

/* Loads of these lines, one a cycle; record as in ws_profile_options.  NULL, and a failed test, if
 * there is none. */
static inline struct ws_profile *one_set_profile(const uint32_t *line, size_t count,
						 unsigned record)
{
	static const struct ws_shape shape[] = { { 128, 1 } };
	struct ws_profile_options options = { .shape = shape, .shapes = 1, .threads = 1,
					      .record = record };
	struct ws_launch launch = { .kernel = (char[]){ "k" }, .ctas = 1, .grid = { 1, 1, 1 },
				    .block = { 1, 1, 1 } };
	struct ws_order_stats stats = { .cycles = count };
	struct ws_request r[ONE_SET_BATCH];
	struct ws_profiler *p = NULL;
	struct ws_profile *out = NULL;
	struct ws_machine m;
	bool ok = memory_machine(&m, NULL) && !ws_machine_set(&m, "l1.write=write-back", NULL) &&
		  !ws_profiler_new(&p, &m, &options, NULL) &&
		  !ws_profiler_launch(p, &launch, NULL);

	for (size_t i = 0, n = 0; i < count && ok; i += n) {
		for (n = 0; n < ONE_SET_BATCH && i + n < count; n++)
			r[n] = (struct ws_request){ .address = (uint64_t)line[i + n] * 128,
						    .cycle = i + n, .sectors = 15 };
		ok = !ws_profiler_push(p, 0, r, n, NULL);
	}
	ok = ok && !ws_profiler_end(p, &stats, NULL) && !ws_profiler_finish(p, &out, NULL);
	ws_profiler_free(p);
	test_ok(ok, "profile");
	return ok ? out : NULL;
}

/* The same of a rule: line(i, n) is request i's. */
static inline struct ws_profile *one_set_rule(uint32_t (*line)(uint32_t i, uint32_t n), uint32_t n,
					      uint32_t count, unsigned record)
{
	uint32_t *all = ws_alloc(count, sizeof *all);
	struct ws_profile *p;

	if (!all)
		abort();
	for (uint32_t i = 0; i < count; i++)
		all[i] = line(i, n);
	p = one_set_profile(all, count, record);
	free(all);
	return p;
}

#endif
