/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/shared.h -- private: what all queries of a profile share, so that it is computed once: the
 * windows of each geometry and the solutions of policies.
 *
 * A place is the number of a geometry, counted through all sections.  Any number of threads may ask
 * at once.  A thread waits for a solution that another one is computing.
 */
#ifndef WS_MODEL_SHARED_H
#define WS_MODEL_SHARED_H

#include "model/replay/replay.h"
#include "model/reuse.h"

/* places: geometries of all sections. */
enum ws_status ws_shared_new(struct ws_shared **out, size_t places,
			     struct ws_err *err) WS_MUST_CHECK;
/* shared may be NULL.  No query may be running. */
void ws_shared_free(struct ws_shared *s);

/* The windows of the place's geometry, computed at the first call (some milliseconds, while other
 * threads wait); ws_shared_free frees them. */
enum ws_status ws_shared_reuse(struct ws_shared *s, size_t place, const struct ws_geometry *g,
			       const struct ws_reuse **out, struct ws_err *err) WS_MUST_CHECK;

/* The solution of a policy for the query's geometry and ways, computed at the first call: with the
 * policy's own hooks if there is a sample of sets for it, else with its solve(), which gets a query
 * of its own that names this one as its asker.  Failures are kept, too.  No lock is held while
 * solving.  Some 2 KB each, until ws_shared_free.  Errors: WS_EIO if a solution needs itself,
 * directly or not; WS_EINVAL if the policy has no solve(); those of solve(). */
enum ws_status ws_shared_solve(const struct ws_query *query, const struct ws_use *use,
			       struct ws_solution *out, struct ws_err *err) WS_MUST_CHECK;
/* The same, with default parameters. */
enum ws_status ws_shared_solve_default(const struct ws_query *query, const struct ws_policy *policy,
				       struct ws_solution *out, struct ws_err *err) WS_MUST_CHECK;

#endif
