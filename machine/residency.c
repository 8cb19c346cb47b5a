/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/residency.c -- the number of a launch's CTAs resident on an SM.
 *
 * The least of the SM's limits on CTAs, warps, threads (whole warps), shared
 * memory and registers (whole warps; only if the launch says how many a thread
 * has).  Not modelled: allocation granularity of registers and shared memory.
 */
#include "base/bits.h"
#include "machine/private.h"

#include <inttypes.h>
#include <string.h>

struct bound {
	const char *limit, *key;
	uint64_t have, need;	/* need 0: no bound */
	const char *what;	/* of one CTA */
};

/* The key that says how much shared memory there is. */
static const char *shared_key(const struct ws_machine *m)
{
	if (!m->sm_unified_bytes || m->sm_carveout == WS_APART)
		return "sm.shared";
	return m->sm_carveout == WS_AUTO ? "sm.carveouts" : "sm.carveout";
}

enum ws_status ws_machine_residency(const struct ws_machine *m, const struct ws_demand *d,
				    uint64_t *ctas, const char **limit, struct ws_err *err)
{
	uint64_t warps = (d->threads + m->warp_width - 1) / m->warp_width;
	uint64_t padded = warps * m->warp_width;
	const struct bound bounds[] = {
		{ "threads", "cta.threads", m->cta_threads, d->threads, "threads" },
		{ "CTAs", "sm.ctas", m->sm_ctas, 1, "CTA" },
		{ "warps", "sm.warps", m->sm_warps, warps, "warps" },
		{ "threads", "sm.threads", m->sm_threads, padded, "threads in whole warps" },
		{ "shared memory", shared_key(m), m->sm_shared_bytes,
		  ws_add_sat(d->shared_bytes, m->sm_shared_reserved), "bytes of shared memory" },
		{ "registers", "sm.registers", m->sm_registers, ws_mul_sat(d->registers, padded),
		  "registers" },
	};

	*ctas = UINT64_MAX;
	for (size_t i = 0; i < WS_COUNT(bounds); i++) {
		const struct bound *b = &bounds[i];

		if (b->need > b->have) {
			*ctas = 0;
			*limit = b->limit;
			return ws_fail(err, WS_EINVAL, "a CTA of %" PRIu64 " %s: %s allows %" PRIu64
				       " (%s)", b->need, b->what, m->name, b->have, b->key);
		}
		/* How large a CTA may be does not say how many there may be. */
		if (i && b->need && b->have / b->need < *ctas) {
			*ctas = b->have / b->need;
			*limit = b->limit;
		}
	}
	return WS_OK;
}
