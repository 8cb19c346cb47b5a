/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/pchase_target.c -- what pchase asks, as the options say, and the inference of it.
 */
#include "cli/pchase.h"

#include <inttypes.h>

enum ws_status cli_chase_open(struct chase_call *c, struct ws_err *err)
{
	struct ws_chase_noise noise = {
		.jitter = c->o->jitter, .outliers = c->o->outliers, .seed = c->call->seed,
	};

	return ws_chase_machine(&c->target, &c->machine, &noise, err);
}

enum ws_status cli_chase_infer(struct chase_call *c, struct ws_err *err)
{
	struct ws_chase_options options = { .seed = c->call->seed, .loads = c->o->loads };
	enum ws_status status = cli_chase_open(c, err);

	if (status == WS_OK)
		status = ws_chase_infer(&c->found, &c->target, &options, err);
	if (status == WS_OK && c->found.exhausted)
		cli_note(c->call, "%" PRIu64 " loads did not suffice: what is not determined wants "
			 "more (--loads)", c->found.loads);
	return status;
}
