/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/pool.c -- threads that stay, and ws_parallel.
 *
 * One word has the number of the call (upper half) and the items left (lower half).  A thread that
 * leaves n items gets item count - 1 - n; the call ends when all items are done.  So nobody waits
 * for a thread that took nothing: with more threads than cores, the others do its work.  Who finds
 * nothing to take, or to wait for, looks again for a while, then sleeps.
 */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#define THREADS_MAX 256u
#define LOOKS_MAX 4000u	/* looks before a thread sleeps */

struct worker {
	struct ws_pool *pool;
	unsigned thread;
	pthread_t id;
};

struct ws_pool {
	pthread_mutex_t lock;
	pthread_cond_t more, ended;
	_Atomic uint64_t left;		/* call << 32 | items not yet taken */
	atomic_size_t done;		/* or never to be taken */
	atomic_uint asleep;
	atomic_bool over, waiting;	/* waiting: the caller sleeps until all is done */
	ws_work *work;			/* these do not change while items are under way */
	void *context;
	size_t count;
	unsigned threads;		/* besides the caller's */
	bool alone;			/* the call is one for the caller */
	struct worker *worker;
	size_t failed;			/* under lock: the lowest item, SIZE_MAX: none */
	enum ws_status status;
	struct ws_err err;
};

/* Between two looks.  No sched_yield: where there is other work it takes a whole time slice. */
static inline void pause_briefly(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb");
#endif
}

/* So many more need nothing done. */
static void count_done(struct ws_pool *p, size_t items)
{
	size_t count = p->count; /* the next call's once all are done */

	if (atomic_fetch_add(&p->done, items) + items < count || !atomic_load(&p->waiting))
		return;
	pthread_mutex_lock(&p->lock);
	pthread_cond_signal(&p->ended);
	pthread_mutex_unlock(&p->lock);
}

static void report(struct ws_pool *p, size_t item, enum ws_status status, const struct ws_err *err)
{
	uint32_t rest = (uint32_t)atomic_fetch_and(&p->left, ~(uint64_t)UINT32_MAX);

	pthread_mutex_lock(&p->lock);
	if (item < p->failed) {
		p->failed = item;
		p->status = status;
		p->err = *err;
	}
	pthread_mutex_unlock(&p->lock);
	if (rest)
		count_done(p, rest);
}

static bool take(struct ws_pool *p, size_t *item)
{
	uint64_t left = atomic_load(&p->left);

	while ((uint32_t)left) {
		if (atomic_compare_exchange_weak(&p->left, &left, left - 1)) {
			*item = p->count - (uint32_t)left;
			return true;
		}
	}
	return false;
}

static void work(struct ws_pool *p, unsigned thread)
{
	size_t item;

	while (take(p, &item)) {
		struct ws_err err;
		enum ws_status status;

		err.status = WS_OK;
		status = p->work(p->context, item, thread, &err);
		if (status != WS_OK)
			report(p, item, status, &err);
		count_done(p, 1);
	}
}

static bool idle(struct ws_pool *p)
{
	return !(uint32_t)atomic_load(&p->left) && !atomic_load(&p->over);
}

static void sleep_until_more(struct ws_pool *p)
{
	pthread_mutex_lock(&p->lock);
	atomic_fetch_add(&p->asleep, 1);
	while (idle(p))
		pthread_cond_wait(&p->more, &p->lock);
	atomic_fetch_sub(&p->asleep, 1);
	pthread_mutex_unlock(&p->lock);
}

static void *labour(void *argument)
{
	struct worker *me = argument;
	struct ws_pool *p = me->pool;

	while (!atomic_load(&p->over)) {
		unsigned looks = 0;

		work(p, me->thread);
		while (idle(p) && ++looks < LOOKS_MAX)
			pause_briefly();
		if (looks == LOOKS_MAX)
			sleep_until_more(p);
	}
	return NULL;
}

static void wake(struct ws_pool *p)
{
	if (!atomic_load(&p->asleep))
		return;
	pthread_mutex_lock(&p->lock);
	pthread_cond_broadcast(&p->more);
	pthread_mutex_unlock(&p->lock);
}

static void wait_until_done(struct ws_pool *p)
{
	for (unsigned looks = 0; looks < LOOKS_MAX; looks++) {
		if (atomic_load(&p->done) == p->count)
			return;
		pause_briefly();
	}
	pthread_mutex_lock(&p->lock);
	atomic_store(&p->waiting, true);
	while (atomic_load(&p->done) < p->count)
		pthread_cond_wait(&p->ended, &p->lock);
	atomic_store(&p->waiting, false);
	pthread_mutex_unlock(&p->lock);
}

enum ws_status ws_pool_new(struct ws_pool **out, unsigned threads, struct ws_err *err)
{
	struct ws_pool *p = ws_alloc_zero(1, sizeof *p);

	if (p)
		p->worker = ws_alloc_zero(threads, sizeof *p->worker);
	if (!p || !p->worker) {
		free(p);
		return ws_fail_memory(err, "threads");
	}
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->more, NULL);
	pthread_cond_init(&p->ended, NULL);
	for (; p->threads + 1 < threads; p->threads++) {
		struct worker *w = &p->worker[p->threads];

		*w = (struct worker){ .pool = p, .thread = p->threads + 1 };
		if (pthread_create(&w->id, NULL, labour, w))
			break; /* fewer hands: the same result */
	}
	*out = p;
	return WS_OK;
}

void ws_pool_free(struct ws_pool *p)
{
	if (!p)
		return;
	atomic_store(&p->over, true);
	wake(p);
	for (unsigned i = 0; i < p->threads; i++)
		pthread_join(p->worker[i].id, NULL);
	pthread_cond_destroy(&p->ended);
	pthread_cond_destroy(&p->more);
	pthread_mutex_destroy(&p->lock);
	free(p->worker);
	free(p);
}

static enum ws_status run_alone(size_t count, ws_work *item, void *context, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < count && status == WS_OK; i++)
		status = item(context, i, 0, err);
	return status;
}

void ws_pool_begin(struct ws_pool *p, size_t count, ws_work *item, void *context)
{
	uint64_t call = (atomic_load(&p->left) >> 32) + 1;

	p->work = item;
	p->context = context;
	p->count = count;
	p->alone = !p->threads || !count || count > UINT32_MAX;
	if (p->alone)
		return;
	p->failed = SIZE_MAX;
	p->status = WS_OK;
	atomic_store(&p->done, 0);
	atomic_store(&p->left, call << 32 | count);
	wake(p);
}

enum ws_status ws_pool_end(struct ws_pool *p, struct ws_err *err)
{
	if (p->alone)
		return run_alone(p->count, p->work, p->context, err);
	work(p, 0);
	wait_until_done(p);
	if (p->status != WS_OK)
		ws_fail_as(err, &p->err);
	return p->status;
}

enum ws_status ws_pool_run(struct ws_pool *p, size_t count, ws_work *item, void *context,
			   struct ws_err *err)
{
	if (count < 2)		/* nobody is woken for it */
		return run_alone(count, item, context, err);
	ws_pool_begin(p, count, item, context);
	return ws_pool_end(p, err);
}

/* ---- a pool for one call --------------------------------------------------------------------- */

unsigned ws_threads(unsigned asked)
{
	cpu_set_t set;
	int cores;

	if (asked)
		return asked < THREADS_MAX ? asked : THREADS_MAX;
	cores = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
	return cores < 1 ? 1 : (unsigned)cores < THREADS_MAX ? (unsigned)cores : THREADS_MAX;
}

enum ws_status ws_parallel(unsigned threads, size_t count, ws_work *item, void *context,
			   struct ws_err *err)
{
	struct ws_pool *pool;
	enum ws_status status;

	threads = ws_threads(threads);
	if (threads > count)
		threads = (unsigned)count;
	if (threads < 2 || ws_pool_new(&pool, threads, NULL) != WS_OK)
		return run_alone(count, item, context, err);
	status = ws_pool_run(pool, count, item, context, err);
	ws_pool_free(pool);
	return status;
}
