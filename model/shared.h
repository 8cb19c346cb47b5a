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

/* The solution of a policy given as text, by its solve(); what it asks for on the way is asked
 * through the question.  Errors: WS_EINVAL if it is unknown or has no solve(). */
typedef enum ws_status ws_solve(const struct ws_query *query, const char *policy,
				struct ws_solution *out, struct ws_err *err);

/* places: geometries of all sections; solve: what solves, ws_use_solve. */
enum ws_status ws_shared_new(struct ws_shared **out, size_t places, ws_solve *solve,
			     struct ws_err *err) WS_MUST_CHECK;
/* NULL is fine; nobody may be asking. */
void ws_shared_free(struct ws_shared *s);

/* The windows of the place's geometry, made when first asked for; ws_shared_free frees them.
 * Others wait meanwhile, some milliseconds at most. */
enum ws_status ws_shared_reuse(struct ws_shared *s, size_t place, const struct ws_geometry *g,
			       const struct ws_reuse **out, struct ws_err *err) WS_MUST_CHECK;

/* The place's sample of sets, prepared when first asked for; ws_shared_free frees it. */
enum ws_status ws_shared_replay(const struct ws_query *query, const struct ws_replay **out,
				struct ws_err *err) WS_MUST_CHECK;

/* The solution of policy `text` (NAME or NAME:PARAMETERS) for the question's geometry and ways,
 * by ws_shared_new's solve if nobody asked before, failures included: they are kept too.  Locks are
 * not held meanwhile.  Some 2 KB for each, until ws_shared_free.  Errors: WS_EIO if it asks for
 * itself, directly or not, and those of solve. */
enum ws_status ws_shared_solve(const struct ws_query *query, const char *text,
			       struct ws_solution *out, struct ws_err *err) WS_MUST_CHECK;

/* use.c: the ws_solve of the table of policies. */
ws_solve ws_use_solve;

#endif
