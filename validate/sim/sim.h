/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim/sim.h -- the simulator with a policy that is not in model/'s table.
 */
#ifndef WS_SIM_H
#define WS_SIM_H

#include "validate/validate.h"

#define WS_SIM_WAYS_MAX 65536u
#define WS_SIM_LINES_MAX (1ull << 28)	/* of the whole cache; 12 B each */

/* ws_sim_new with the hooks of *policy, without parameters, whatever cache->policy says.  *policy
 * must outlive the simulator; its predict is not called. */
enum ws_status ws_sim_new_policy(struct ws_sim **out, const struct ws_cache *cache,
				 const struct ws_policy *policy,
				 struct ws_err *err) WS_MUST_CHECK;
/* What it asks the next level for is put there; not of the organisations of words. */
struct ws_miss_stream;
enum ws_status ws_sim_pass(struct ws_sim *s, struct ws_miss_stream *to,
			   struct ws_err *err) WS_MUST_CHECK;
/* An SM's stream of a launch through an empty cache; cut or merged for its line. */
enum ws_status ws_sim_push_stream(struct ws_sim *s, const struct ws_streams *launch, size_t sm,
				  struct ws_err *err) WS_MUST_CHECK;
uint64_t ws_sim_line_bytes(const struct ws_sim *s);
/* Counts so far are these. */
void ws_sim_recount(struct ws_sim *s, const struct ws_counts kind[WS_KINDS + 1]);
bool ws_sim_offline(const struct ws_sim *s); /* is its policy one that looks ahead? */
#endif
