/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim.h -- the simulator with a policy that is not in model/'s table.
 */
#ifndef WS_SIM_H
#define WS_SIM_H

#include "validate/validate.h"

#define WS_SIM_WAYS_MAX 65536u
#define WS_SIM_LINES_MAX (1ull << 28)	/* of the whole cache; 12 B each */

/* ws_sim_new with the hooks of *policy, without parameters, whatever cache->policy says.  *policy must
 * outlive the simulator; its predict is not called. */
enum ws_status ws_sim_new_policy(struct ws_sim **out, const struct ws_cache *cache,
				 const struct ws_policy *policy,
				 struct ws_err *err) WS_MUST_CHECK;
bool ws_sim_offline(const struct ws_sim *s); /* is its policy one that looks ahead? */
#endif
