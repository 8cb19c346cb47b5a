/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/shared.c -- see shared.h.  Each place has a list of solutions, searched by ways and
 * policy: a sweep asks a place for some hundred of them.
 */
#include "model/shared.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct solved {
	struct solved *next;
	uint64_t ways;
	bool late;
	enum ws_alloc_when alloc; /* if late */
	struct ws_use use;
	enum { RUNNING, DONE } state;
	enum ws_status status;
	struct ws_err err;
	struct ws_solution solution;
};

struct solutions {
	struct ws_reuse *windows;
	struct ws_replay *replay;
	struct solved *solved;
};

struct ws_shared {
	pthread_mutex_t lock;
	pthread_cond_t done;
	size_t places;
	struct solutions place[];
};

enum ws_status ws_shared_new(struct ws_shared **out, size_t places, struct ws_err *err)
{
	struct ws_shared *s = ws_alloc_zero(1, sizeof *s + places * sizeof *s->place);

	*out = s;
	if (!s)
		return ws_fail_memory(err, "the solutions of a profile");
	s->places = places;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->done, NULL);
	return WS_OK;
}

void ws_shared_free(struct ws_shared *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->places; i++) {
		ws_reuse_free(s->place[i].windows);
		ws_replay_free(s->place[i].replay);
		for (struct solved *e = s->place[i].solved, *next; e; e = next) {
			next = e->next;
			free(e);
		}
	}
	pthread_cond_destroy(&s->done);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

enum ws_status ws_shared_reuse(struct ws_shared *s, size_t place, const struct ws_geometry *g,
			       const struct ws_reuse **out, struct ws_err *err)
{
	struct ws_reuse **at = &s->place[place].windows;
	enum ws_status status = WS_OK;

	assert(place < s->places);
	*out = NULL;
	pthread_mutex_lock(&s->lock);
	if (!*at)
		status = ws_reuse_new(at, g, err);
	*out = *at;
	pthread_mutex_unlock(&s->lock);
	return status;
}

/* The place's sample of sets, prepared at the first call; ws_shared_free frees it. */
static enum ws_status prepared_replay(const struct ws_query *query, const struct ws_replay **out,
				      struct ws_err *err)
{
	struct ws_shared *s = query->shared;
	struct ws_replay **at = &s->place[query->place].replay;
	enum ws_status status = WS_OK;

	assert(query->place < s->places);
	pthread_mutex_lock(&s->lock);
	if (!*at)
		status = ws_replay_new(at, query->geometry, query->cache, err);
	*out = *at;
	pthread_mutex_unlock(&s->lock);
	return status;
}

static bool same_use(const struct ws_use *a, const struct ws_use *b)
{
	return a->policy == b->policy && a->params == b->params &&
	       memcmp(a->param, b->param, a->params * sizeof *a->param) == 0;
}

static struct solved *find_solved(const struct ws_shared *s, const struct ws_query *q,
				  const struct ws_use *use)
{
	struct solved *e = s->place[q->place].solved;

	while (e && (e->ways != q->cache->ways || e->late != q->late ||
		     (q->late && e->alloc != q->cache->alloc) || !same_use(&e->use, use)))
		e = e->next;
	return e;
}

/* A new entry.  The thread that makes it solves it. */
static struct solved *enter(struct ws_shared *s, const struct ws_query *q, const struct ws_use *use)
{
	struct solved *e = ws_alloc_zero(1, sizeof *e);

	if (!e)
		return NULL;
	e->ways = q->cache->ways;
	e->late = q->late;
	e->alloc = q->cache->alloc;
	e->use = *use;
	e->next = s->place[q->place].solved;
	s->place[q->place].solved = e;
	return e;
}

/* Would waiting for the entry never end, because it waits for this query itself? */
static bool asks_itself(const struct ws_query *query, const struct ws_use *use)
{
	uint64_t ways = query->cache->ways;
	size_t place = query->place;

	for (; query->asker; query = query->asker)
		if (query->place == place && query->cache->ways == ways &&
		    same_use(query->use, use))
			return true;
	return false;
}

static enum ws_status solve(const struct ws_query *query, const struct ws_use *use,
			    struct ws_solution *out, struct ws_err *err)
{
	struct ws_query q = *query;
	const struct ws_replay *replay;
	enum ws_status status;

	q.use = use;
	q.asker = query;
	if (ws_replay_suits(q.geometry, use->policy)) {
		status = prepared_replay(&q, &replay, err);
		return status == WS_OK ? ws_replay_solve(replay, &q, out, err) : status;
	}
	if (!use->policy->solve)
		return ws_fail(err, WS_EINVAL, "policy %s has no solution of its own",
			       use->policy->name);
	return use->policy->solve(&q, out, err);
}

enum ws_status ws_shared_solve(const struct ws_query *query, const struct ws_use *use,
			       struct ws_solution *out, struct ws_err *err)
{
	struct ws_shared *s = query->shared;
	struct solved *e;

	assert(query->place < s->places);
	memset(out, 0, sizeof *out);
	if (asks_itself(query, use))
		return ws_fail(err, WS_EIO, "internal error: the solution of policy %s asks for "
			       "itself", use->policy->name);
	pthread_mutex_lock(&s->lock);
	e = find_solved(s, query, use);
	if (e) {
		while (e->state == RUNNING)
			pthread_cond_wait(&s->done, &s->lock);
		pthread_mutex_unlock(&s->lock);
	} else {
		e = enter(s, query, use);
		pthread_mutex_unlock(&s->lock);
		if (!e)
			return ws_fail_memory(err, "a solution");
		e->status = solve(query, &e->use, &e->solution, &e->err);
		pthread_mutex_lock(&s->lock);
		e->state = DONE;
		pthread_cond_broadcast(&s->done);
		pthread_mutex_unlock(&s->lock);
	}
	assert(e->state == DONE);
	*out = e->solution;
	return e->status != WS_OK ? ws_fail_as(err, &e->err) : WS_OK;
}

enum ws_status ws_shared_solve_default(const struct ws_query *query, const struct ws_policy *policy,
				       struct ws_solution *out, struct ws_err *err)
{
	struct ws_use use;
	enum ws_status status = ws_use_default(&use, policy, query->use->among, err);

	return status == WS_OK ? ws_shared_solve(query, &use, out, err) : status;
}
