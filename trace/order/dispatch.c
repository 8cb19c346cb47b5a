/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/dispatch.c -- which SM takes which CTA.
 *
 *	dynamic		one queue in linear order (x fastest): whoever asks takes
 *			its head.  Asked breadth-first at the start this is the
 *			placement of GPGPU-Sim (gpgpu-sim/shader.cc, issue_block2core).
 *	round-robin	CTA i waits in the queue of SM i mod sms
 *	random		the same after a seeded shuffle (Fisher and Yates)
 *
 * The untimed orders hold all CTAs of an SM at once; breadth-first without
 * limits is round-robin, so that is what dynamic means there.
 */
#include "trace/order/order.h"

#include <stdlib.h>

static enum ws_status shuffle(struct ws_dispatch *d, uint64_t seed, struct ws_err *err)
{
	struct ws_rng rng;

	d->deal = ws_alloc((size_t)d->ctas, sizeof *d->deal);
	if (!d->deal)
		return ws_fail_memory(err, "the order of CTAs");
	ws_rng_seed(&rng, seed);
	for (uint64_t i = 0; i < d->ctas; i++) {
		uint64_t j = ws_rng_below(&rng, i + 1);

		d->deal[i] = d->deal[j];
		d->deal[j] = (uint32_t)i;
	}
	return WS_OK;
}

enum ws_status ws_dispatch_init(struct ws_dispatch *d, const struct ws_launch *launch,
				const struct ws_machine *m, bool untimed, uint64_t seed,
				struct ws_err *err)
{
	*d = (struct ws_dispatch){ .ctas = launch->ctas, .sms = m->sm_count, .by_sm = untimed };
	if (m->sm_assign == WS_ASSIGN_DYNAMIC && !untimed)
		return WS_OK;
	d->taken = ws_alloc_zero((size_t)d->sms, sizeof *d->taken);
	if (!d->taken)
		return ws_fail_memory(err, "the queues of CTAs");
	return m->sm_assign == WS_ASSIGN_RANDOM ? shuffle(d, seed, err) : WS_OK;
}

void ws_dispatch_clear(struct ws_dispatch *d)
{
	free(d->taken);
	free(d->deal);
	*d = (struct ws_dispatch){ 0 };
}

/* The CTA that sm gets after `after` others; false if its queue ends before. */
static bool peek(const struct ws_dispatch *d, uint64_t sm, uint64_t after, uint64_t *cta)
{
	uint64_t i = d->taken ? sm + (d->taken[sm] + after) * d->sms : d->next + after;

	if (i >= d->ctas)
		return false;
	*cta = d->deal ? d->deal[i] : i;
	return true;
}

bool ws_dispatch_empty(const struct ws_dispatch *d, uint64_t sm)
{
	uint64_t cta;

	return !peek(d, sm, 0, &cta);
}

bool ws_dispatch_next(struct ws_dispatch *d, uint64_t sm, uint64_t *cta)
{
	if (!peek(d, sm, 0, cta))
		return false;
	if (d->taken)
		d->taken[sm]++;
	else
		d->next++;
	return true;
}

size_t ws_dispatch_ahead(const struct ws_dispatch *d, uint64_t sm, uint64_t *cta, size_t max)
{
	size_t n = 0;

	if (!d->taken || d->by_sm) {
		while (n < max && peek(d, sm, n, &cta[n]))
			n++;
		return n;
	}
	for (uint64_t i = 1; i < d->sms && n < max; i++)
		n += peek(d, (sm + i) % d->sms, 0, &cta[n]);
	return n;
}
