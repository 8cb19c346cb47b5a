/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/banks.c -- shared memory: the turns that a warp's load takes at its banks.
 *
 * Each bank gives one row of shared.width bytes a turn.  Threads that want bytes of the same row
 * share it (broadcast); a bank that is asked for several rows takes as many turns, and the load as
 * many as its slowest bank.
 */
#include "validate/pchase.h"

#include <assert.h>

#define THREADS_MOST 64u

uint64_t ws_chase_turns(const struct ws_machine *m, const uint64_t *address, size_t threads)
{
	uint64_t most = 0;

	assert(threads <= THREADS_MOST);
	for (size_t i = 0; i < threads; i++) {
		uint64_t row = address[i] / m->shared_width, turns = 0;

		for (size_t k = 0; k < threads; k++) {
			uint64_t other = address[k] / m->shared_width;
			bool first = other % m->shared_banks == row % m->shared_banks;

			for (size_t j = 0; j < k && first; j++)
				first = address[j] / m->shared_width != other;
			turns += first;
		}
		most = turns > most ? turns : most;
	}
	return most;
}

uint64_t ws_chase_stride_turns(const struct ws_machine *m, uint64_t stride)
{
	uint64_t address[THREADS_MOST];
	size_t threads = m->warp_width < THREADS_MOST ? (size_t)m->warp_width : THREADS_MOST;

	for (size_t t = 0; t < threads; t++)
		address[t] = t * stride;
	return ws_chase_turns(m, address, threads);
}

double ws_chase_shared_cycles(const struct ws_machine *m, uint64_t turns)
{
	return (double)m->shared_latency_cycles +
		(double)((turns ? turns - 1 : 0) * m->shared_conflict_cycles);
}
