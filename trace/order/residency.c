/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/residency.c -- a launch's demand on an SM.
 */
#include "trace/order/order.h"

struct ws_demand ws_launch_demand(const struct ws_launch *l)
{
	uint64_t ctas = l->grid[0] * l->grid[1] * l->grid[2];

	return (struct ws_demand){
		.shared_bytes = l->shared_bytes, .threads = ws_launch_threads(l),
		.registers = l->registers, .ctas = ctas,
	};
}

enum ws_status ws_launch_machine(const struct ws_launch *launch, const struct ws_machine *m,
				 struct ws_machine *out, struct ws_err *err)
{
	const struct ws_demand d = ws_launch_demand(launch);

	return ws_machine_adapt(m, &d, out, err);
}

enum ws_status ws_residency(const struct ws_launch *launch, const struct ws_machine *m,
			    uint64_t *ctas, const char **limit, struct ws_err *err)
{
	const struct ws_demand d = ws_launch_demand(launch);

	return ws_machine_residency(m, &d, ctas, limit, err);
}
