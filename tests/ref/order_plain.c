/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/order_plain.c -- the machine of order.c with units that look up a request a cycle, of a
 * latency each.
 */
#include "tests/ref/order.h"

#include <stdlib.h>

#include "tests/ref/own_kind.h"

struct ref_plain {
	uint64_t *lsu_free;	/* [sm] */
	uint64_t span;
	struct ref_stream *out;
};

static void plain_nothing(void *context, size_t sm, uint64_t cycle)
{
	(void)context;
	(void)sm;
	(void)cycle;
}

static void plain_rest(void *context, uint64_t cycle)
{
	(void)context;
	(void)cycle;
}

static void plain_slot(void *context, size_t sm, enum ref_slot slot)
{
	(void)context;
	(void)sm;
	(void)slot;
}

static bool plain_free(void *context, size_t sm, uint64_t cycle)
{
	const struct ref_plain *p = context;

	return p->lsu_free[sm] <= cycle;
}

static void plain_issue(void *context, size_t sm, const struct ws_request *r, size_t count,
			uint64_t *back, struct ref_parts *parts, uint64_t cycle)
{
	struct ref_plain *p = context;
	uint64_t last = 0;

	(void)parts;
	for (size_t i = 0; i < count; i++) {
		const struct ref_issue item = {
			.sm = sm, .cycle = r[i].cycle, .address = r[i].address,
			.sectors = r[i].sectors, .instruction = r[i].instruction,
			.cta = r[i].cta, .warp = r[i].warp, .kind = r[i].kind,
			.part = r[i].part,
		};
		uint64_t is = item.cycle + ref_latency(&r[i], p->span);

		last = is > last ? is : last;
		ref_stream_add(p->out, &item);
	}
	if (back) /* a store has nobody who would acknowledge it */
		*back = count && ref_own_kind(r) == WS_STORE ? 0 : last;
	p->lsu_free[sm] = cycle + count;
}

static bool plain_busy(void *context)
{
	(void)context;
	return false;
}

void ref_order(const struct ref_launch *l, const struct ws_machine *m, uint64_t seed,
	       uint64_t span, struct ref_stream *out)
{
	struct ref_plain plain = { .span = span, .out = out };
	const struct ref_unit unit = { &plain, plain_nothing, plain_free, plain_issue,
				       plain_nothing, plain_rest, plain_slot, plain_busy, false,
				       NULL };
	uint64_t *end = ws_alloc_zero((size_t)m->sm_count, sizeof *end);

	plain.lsu_free = ws_alloc_zero((size_t)m->sm_count, sizeof *plain.lsu_free);
	ref_machine_run(l, m, seed, &unit, end);
	for (size_t i = 0; i < m->sm_count; i++)
		out->cycles = end[i] > out->cycles ? end[i] : out->cycles;
	free(plain.lsu_free);
	free(end);
}
