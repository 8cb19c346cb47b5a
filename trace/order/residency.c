/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/residency.c -- how many CTAs of a launch an SM holds at once.
 *
 * The least of the SM's limits on CTAs, warps, threads (whole warps), shared
 * memory and registers (whole warps; only if the launch says how many a thread
 * has).  Not modelled: allocation granularity of registers and shared memory.
 */
#include "trace/order/order.h"

struct bound {
	const char *limit, *key;
	uint64_t have, need;	/* need 0: no bound */
	const char *what;	/* of one CTA */
};

static uint64_t product(uint64_t a, uint64_t b) /* saturates */
{
	return a && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

static enum ws_status too_large(const struct ws_machine *m, uint64_t need, const char *what,
				uint64_t have, const char *key, struct ws_err *err)
{
	return ws_fail(err, WS_EINVAL, "a CTA of %llu %s: %s allows %llu (%s)",
		       (unsigned long long)need, what, m->name, (unsigned long long)have, key);
}

enum ws_status ws_residency(const struct ws_launch *launch, const struct ws_machine *m,
			    uint64_t *ctas, const char **limit, struct ws_err *err)
{
	uint64_t threads = ws_launch_threads(launch);
	uint64_t warps = (threads + m->warp_width - 1) / m->warp_width;
	uint64_t padded = warps * m->warp_width;
	const struct bound bounds[] = {
		{ "CTAs", "sm.ctas", m->sm_ctas, 1, "CTA" },
		{ "warps", "sm.warps", m->sm_warps, warps, "warps" },
		{ "threads", "sm.threads", m->sm_threads, padded, "threads in whole warps" },
		{ "shared memory", "sm.shared", m->sm_shared_bytes, launch->shared_bytes,
		  "bytes of shared memory" },
		{ "registers", "sm.registers", m->sm_registers,
		  product(launch->registers, padded), "registers" },
	};

	*ctas = 0;
	*limit = "threads";
	if (threads > m->cta_threads)
		return too_large(m, threads, "threads", m->cta_threads, "cta.threads", err);
	*ctas = UINT64_MAX;
	for (size_t i = 0; i < WS_COUNT(bounds); i++) {
		const struct bound *b = &bounds[i];

		if (b->need > b->have) {
			*ctas = 0;
			*limit = b->limit;
			return too_large(m, b->need, b->what, b->have, b->key, err);
		}
		if (b->need && b->have / b->need < *ctas) {
			*ctas = b->have / b->need;
			*limit = b->limit;
		}
	}
	return WS_OK;
}
