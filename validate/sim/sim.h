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
/* The streams of a launch, each SM's through an empty cache, cut or merged for its line; those that
 * keep what the stream before left, on.  Where caches choose together, each does as if all had run
 * side by side.  pushed: after each SM's; NULL: nothing. */
typedef enum ws_status ws_sm_pushed(void *context, size_t sm, struct ws_err *err);
enum ws_status ws_sim_push_launch(struct ws_sim *s, const struct ws_streams *launch,
				  ws_sm_pushed *pushed, void *context,
				  struct ws_err *err) WS_MUST_CHECK;
uint64_t ws_sim_line_bytes(const struct ws_sim *s);
/* Counts so far are these. */
void ws_sim_recount(struct ws_sim *s, const struct ws_counts kind[WS_KINDS + 1]);
/* Of a policy that caches choose together (struct ws_policy, meet): the words of the L1, or of the
 * slices one after the other; NULL: of another. */
uint64_t *ws_sim_members(const struct ws_sim *s, size_t *caches);
bool ws_sim_slices(const struct ws_sim *s); /* is it an L2? */
const struct ws_use *ws_sim_use(const struct ws_sim *s);
/* Another one of the same cache and seed. */
enum ws_status ws_sim_another(struct ws_sim **out, const struct ws_sim *s,
			      struct ws_err *err) WS_MUST_CHECK;
void ws_sim_reseed(struct ws_sim *s, uint64_t more); /* by its seed plus so much */
bool ws_sim_offline(const struct ws_sim *s); /* is its policy one that looks ahead? */
#endif
