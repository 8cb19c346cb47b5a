/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/fifo.c -- first in, first out.
 *
 * Exact face: a way's word is the set's clock at its fill.
 *
 * Analytic face: model/solve/fifo.c.
 */
#include "model/policy/order.h"
#include "model/solve/solve.h"

static unsigned fifo_victim(struct ws_set *set)
{
	return ws_order_least(set);
}

extern const struct ws_policy ws_policy_fifo;
const struct ws_policy ws_policy_fifo = {
	.name = "fifo",
	.summary = "first in, first out: the line fetched earliest goes",
	.source = "Belady: A study of replacement algorithms for a virtual-storage computer, IBM "
		  "Systems Journal 5(2), 1966; ages through reuse windows, Hajek's correction",
	.gpgpusim = 'F',
	.basis = WS_APPROX,
	.mean_pp = 0.02, .max_pp = 2.19,
	.way_words = 1,
	.on_fill = ws_order_last,
	.victim = fifo_victim,
	.settle = ws_order_settle, .ways_alike = true,
	.needs = WS_RECORD_DETAIL,
	.solve = ws_solve_fifo,
};
