/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/steps.h -- a ref_launch as a source of steps for the engine, a
 * sink that gathers what comes, and machines to run on.
 */
#ifndef WS_TESTS_TRACE_STEPS_H
#define WS_TESTS_TRACE_STEPS_H

#include "tests/ref/order.h"
#include "trace/order/order.h"

#include <stdlib.h>
#include <string.h>

#define STEPS_THREADS 16u

struct array_steps {
	const struct ref_launch *l;
	uint64_t cta[STEPS_THREADS];
	size_t step[STEPS_THREADS];
};

static inline enum ws_status array_seek(void *context, unsigned thread, uint64_t cta,
					struct ws_err *err)
{
	struct array_steps *a = context;

	(void)err;
	a->cta[thread] = cta;
	a->step[thread] = 0;
	return WS_OK;
}

static inline enum ws_status array_next(void *context, unsigned thread, struct ws_step *step,
					bool *more, struct ws_err *err)
{
	struct array_steps *a = context;
	const struct ref_step *from;

	(void)err;
	*more = a->step[thread] < a->l->steps[a->cta[thread]];
	if (!*more)
		return WS_OK;
	from = &a->l->step[a->cta[thread]][a->step[thread]++];
	*step = (struct ws_step){ .segment = from->segment, .mask = from->mask,
				  .words = (size_t)(ws_launch_threads(&a->l->launch) + 63) / 64,
				  .address = from->address };
	return WS_OK;
}

static inline enum ws_status gather(void *context, uint64_t sm, const struct ws_request *r,
				    size_t count, struct ws_err *err)
{
	(void)err;
	for (size_t i = 0; i < count; i++) {
		const struct ref_issue item = {
			.sm = sm, .cycle = r[i].cycle, .address = r[i].address,
			.sectors = r[i].sectors, .instruction = r[i].instruction,
			.cta = r[i].cta, .warp = r[i].warp, .kind = r[i].kind,
			.fetch = r[i].fetch,
		};

		ref_stream_add(context, &item);
	}
	return WS_OK;
}

/* The engine on l; the stream sorted by SM. */
static inline enum ws_status order_array(const struct ref_launch *l, const struct ws_machine *m,
					 const struct ws_order_options *options,
					 struct ref_stream *out, struct ws_err *err)
{
	struct array_steps array = { .l = l };
	const struct ws_steps steps = { &array, array_seek, array_next };
	const struct ws_sink sink = { .context = out, .requests = gather };
	struct ws_order_stats stats = { 0 };
	enum ws_status status = ws_order_steps(&l->launch, &steps, m, options, &sink, &stats, err);

	out->cycles = stats.cycles;
	ref_stream_sort(out);
	return status;
}

/* A small machine; tests change what they are about. */
static inline struct ws_machine small_machine(void)
{
	struct ws_machine m = {
		.name = "small", .sm_count = 1, .l1_parts = 1, .tlb_page = 2u << 20,
		.sm_warps = 48, .sm_ctas = 8,
		.sm_threads = 1536,
		.cta_threads = 1024, .sm_schedulers = 1, .sm_scheduler = WS_SCHED_LRR,
		.sm_active_warps = 4, .sm_assign = WS_ASSIGN_DYNAMIC,
		.sm_shared_bytes = 49152, .sm_registers = 32768,
		.warp_width = 32, .coalesce_line = 128,
	};

	m.l1 = (struct ws_cache){ .size_bytes = 16384, .sets = 32, .ways = 4, .line_bytes = 128,
				  .sector_bytes = 128, .hash = ws_hash_find("modulo"),
				  .write = WS_WRITE_EVICT, .latency_cycles = 30 };
	m.l2.latency_cycles = 200;
	return m;
}

#endif
