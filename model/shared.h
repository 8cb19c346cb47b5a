/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/shared.h -- private: what queries of one profile share, so that nothing is made or solved
 * twice: the windows of each geometry and the solutions of policies.
 *
 * A place is a geometry: they are numbered through the sections.  Any number of threads may ask at
 * once; a thread waits for what another one is solving.
 */
#ifndef WS_MODEL_SHARED_H
#define WS_MODEL_SHARED_H

#include "model/replay/replay.h"
#include "model/reuse.h"

/* places: geometries of all sections. */
enum ws_status ws_shared_new(struct ws_shared **out, size_t places,
			     struct ws_err *err) WS_MUST_CHECK;
/* NULL is fine; nobody may be asking. */
void ws_shared_free(struct ws_shared *s);

/* The windows of the place's geometry, made when first asked for; ws_shared_free frees them.
 * Others wait meanwhile, some milliseconds at most. */
enum ws_status ws_shared_reuse(struct ws_shared *s, size_t place, const struct ws_geometry *g,
			       const struct ws_reuse **out, struct ws_err *err) WS_MUST_CHECK;

/* The solution of a policy for the query's geometry and ways: by its own hooks where there is a
 * sample of sets for it, else by its solve(), with a query of its own, whose asker is this one.  If
 * nobody asked before; failures are kept too.  Locks are not held meanwhile.  Some 2 KB for each,
 * until ws_shared_free.  Errors: WS_EIO if it asks for itself, directly or not; WS_EINVAL if it has
 * no solve(); those of solve(). */
enum ws_status ws_shared_solve(const struct ws_query *query, const struct ws_use *use,
			       struct ws_solution *out, struct ws_err *err) WS_MUST_CHECK;
/* The same, with default parameters. */
enum ws_status ws_shared_solve_default(const struct ws_query *query, const struct ws_policy *policy,
				       struct ws_solution *out, struct ws_err *err) WS_MUST_CHECK;

#endif
