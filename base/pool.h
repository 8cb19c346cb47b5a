/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/pool.h -- a thread pool, for work that comes in small portions; not installed.
 *
 * ws_parallel makes a pool for one call, which is dear where a call is worth 50 microseconds, as a
 * window of the cycle simulator is.
 */
#ifndef WS_BASE_POOL_H
#define WS_BASE_POOL_H

#include "base/base.h"

struct ws_pool;

/* threads: the caller's included; 1: no other is made.  Fewer than asked for do as well. */
enum ws_status ws_pool_new(struct ws_pool **out, unsigned threads,
			   struct ws_err *err) WS_MUST_CHECK;
void ws_pool_free(struct ws_pool *p); /* NULL is fine */
/* work(context, i, thread) for every i in 0..count-1, which are taken in order; thread is
 * 0..threads-1, 0 the caller's.  The first failure by i is returned and stops taking new ones.
 * Nothing is under way when it returns.  One call at a time. */
enum ws_status ws_pool_run(struct ws_pool *p, size_t count, ws_work *work, void *context,
			   struct ws_err *err) WS_MUST_CHECK;
/* The same in two steps, between which the caller does something else; the other threads are at
 * work meanwhile, and from ws_pool_end on the caller is, too.  work and context stay until then. */
void ws_pool_begin(struct ws_pool *p, size_t count, ws_work *work, void *context);
enum ws_status ws_pool_end(struct ws_pool *p, struct ws_err *err) WS_MUST_CHECK;

#endif
