/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/next_level.h -- private: the L2 behind the L1s of a profiler, for each of their
 * geometries.
 *
 * The requests of an arena go through the SMs' L1 filters (l1_filter.h) in parallel, into a queue
 * for each SM and geometry.  Then, in one thread, the queues of a geometry are merged as far as all
 * SMs have come and pushed to what records the L2 (struct ws_l2_recorder), a profiler with threads
 * of its own.
 *
 * Memory: L1 filters; what records the L2; and 32 B for each request to the L2 that waits for an
 * SM that is behind.  The order engine runs SMs in turn, each to the end of a CTA, so these are
 * about those of a CTA of each SM; but of a whole launch where it runs one SM after the other
 * (the untimed orders), and where SMs are dealt shares of CTAs that are not alike (sm.assign).
 */
#ifndef WS_STACKDIST_BEHIND_H
#define WS_STACKDIST_BEHIND_H

#include "stackdist/l1_filter.h"

struct ws_back;

/* What records the stream of an L2, a profiler of its machine (stackdist.h); one for each geometry
 * of the L1s. */
struct ws_l2_recorder {
	enum ws_status (*create)(void **out, const struct ws_machine *l2,
				 const struct ws_profile_options *options, struct ws_err *err);
	enum ws_status (*launch)(void *l2, const struct ws_launch *launch, struct ws_err *err);
	enum ws_status (*push)(void *l2, const struct ws_request *request, size_t count,
			       struct ws_err *err);
	enum ws_status (*end)(void *l2, const struct ws_order_stats *stats, struct ws_err *err);
	enum ws_status (*finish)(void *l2, struct ws_profile **out, struct ws_err *err);
	void (*free)(void *l2); /* NULL is fine */
};

/* Options as the profiler's; sms: of the machine. */
enum ws_status ws_back_new(struct ws_back **out, const struct ws_machine *m,
			   const struct ws_profile_options *options,
			   const struct ws_l2_recorder *recorder, struct ws_err *err) WS_MUST_CHECK;
void ws_back_free(struct ws_back *b);
size_t ws_back_filters(const struct ws_back *b); /* 0 of NULL */
enum ws_status ws_back_launch(struct ws_back *b, const struct ws_launch *launch,
			      struct ws_err *err) WS_MUST_CHECK;
/* Requests of an SM through its L1 of geometry number `filter`; different ones in different
 * threads. */
enum ws_status ws_back_filter(struct ws_back *b, size_t filter, size_t sm,
			     const struct ws_request *request, size_t count,
			     struct ws_err *err) WS_MUST_CHECK;
/* What is ready goes to the L2. */
enum ws_status ws_back_merge(struct ws_back *b, struct ws_err *err) WS_MUST_CHECK;
/* All does: the launch has ended. */
enum ws_status ws_back_end(struct ws_back *b, const struct ws_order_stats *stats,
			   struct ws_err *err) WS_MUST_CHECK;
/* Hands over what was recorded. */
enum ws_status ws_back_finish(struct ws_back *b, struct ws_profile *to,
			      struct ws_err *err) WS_MUST_CHECK;

#endif
