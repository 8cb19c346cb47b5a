/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/crew.c -- threads that stay.
 *
 * One word says which call it is (upper half) and how many items are left to be taken (lower half).
 * Who takes the last but n gets item n; a call has ended when as many were done.  So nobody waits
 * for a thread that took nothing: with more threads than cores the others do its share.  Who finds
 * nothing to take looks again for a while, then sleeps.
 */
#include "validate/cycle/crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#define PATIENCE 4000u	/* looks before a thread sleeps */

/* Between two looks.  No sched_yield: where there is other work it takes a whole time slice. */
static inline void pause_briefly(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb");
#endif
}

struct ws_crew {
	pthread_mutex_t lock;
	pthread_cond_t more;
	_Atomic uint64_t left;		/* call << 32 | items not yet taken */
	atomic_size_t done;
	atomic_uint asleep;
	atomic_bool over;
	ws_portion *work;		/* these do not change while items are under way */
	void *context;
	pthread_t *thread;
	unsigned threads;		/* besides the caller's */
	size_t failed;			/* under lock: the lowest item, SIZE_MAX: none */
	enum ws_status status;
	struct ws_err err;
};

static void report(struct ws_crew *c, size_t item, enum ws_status status, const struct ws_err *err)
{
	pthread_mutex_lock(&c->lock);
	if (item < c->failed) {
		c->failed = item;
		c->status = status;
		c->err = *err;
	}
	pthread_mutex_unlock(&c->lock);
}

static bool take(struct ws_crew *c, size_t *item)
{
	uint64_t left = atomic_load(&c->left);

	while ((uint32_t)left) {
		if (atomic_compare_exchange_weak(&c->left, &left, left - 1)) {
			*item = (uint32_t)left - 1;
			return true;
		}
	}
	return false;
}

static void work(struct ws_crew *c)
{
	size_t item;

	while (take(c, &item)) {
		struct ws_err err;
		enum ws_status status;

		err.status = WS_OK;
		status = c->work(c->context, item, &err);
		if (status != WS_OK)
			report(c, item, status, &err);
		atomic_fetch_add(&c->done, 1);
	}
}

static void sleep_until_more(struct ws_crew *c)
{
	pthread_mutex_lock(&c->lock);
	atomic_fetch_add(&c->asleep, 1);
	while (!(uint32_t)atomic_load(&c->left) && !atomic_load(&c->over))
		pthread_cond_wait(&c->more, &c->lock);
	atomic_fetch_sub(&c->asleep, 1);
	pthread_mutex_unlock(&c->lock);
}

static void *labour(void *argument)
{
	struct ws_crew *c = argument;

	while (!atomic_load(&c->over)) {
		unsigned looks = 0;

		work(c);
		while (!(uint32_t)atomic_load(&c->left) && !atomic_load(&c->over) &&
		       ++looks < PATIENCE)
			pause_briefly();
		if (looks == PATIENCE)
			sleep_until_more(c);
	}
	return NULL;
}

static void wake(struct ws_crew *c)
{
	if (!atomic_load(&c->asleep))
		return;
	pthread_mutex_lock(&c->lock);
	pthread_cond_broadcast(&c->more);
	pthread_mutex_unlock(&c->lock);
}

enum ws_status ws_crew_new(struct ws_crew **out, unsigned threads, struct ws_err *err)
{
	struct ws_crew *c = ws_alloc_zero(1, sizeof *c);

	if (c)
		c->thread = ws_alloc_zero(threads, sizeof(*c->thread));
	if (!c || !c->thread) {
		free(c);
		return ws_fail_memory(err, "threads");
	}
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->more, NULL);
	for (; c->threads + 1 < threads; c->threads++) {
		if (pthread_create(&c->thread[c->threads], NULL, labour, c))
			break; /* fewer hands: the same result */
	}
	*out = c;
	return WS_OK;
}

void ws_crew_free(struct ws_crew *c)
{
	if (!c)
		return;
	atomic_store(&c->over, true);
	wake(c);
	for (unsigned i = 0; i < c->threads; i++)
		pthread_join(c->thread[i], NULL);
	pthread_cond_destroy(&c->more);
	pthread_mutex_destroy(&c->lock);
	free(c->thread);
	free(c);
}

static enum ws_status run_alone(size_t count, ws_portion *portion, void *context,
				struct ws_err *err)
{
	enum ws_status first = WS_OK;

	for (size_t i = 0; i < count; i++) {
		enum ws_status status = portion(context, i, err);

		first = first != WS_OK ? first : status;
	}
	return first;
}

enum ws_status ws_crew_run(struct ws_crew *c, size_t count, ws_portion *portion, void *context,
			   struct ws_err *err)
{
	uint64_t call = (atomic_load(&c->left) >> 32) + 1;

	if (!c->threads || count < 2 || count > UINT32_MAX)
		return run_alone(count, portion, context, err);
	c->work = portion;
	c->context = context;
	c->failed = SIZE_MAX;
	c->status = WS_OK;
	atomic_store(&c->done, 0);
	atomic_store(&c->left, call << 32 | count);
	wake(c);
	work(c);
	for (unsigned looks = 0; atomic_load(&c->done) < count; looks++) {
		if (looks < PATIENCE)
			pause_briefly();
		else
			sched_yield();
	}
	if (c->status != WS_OK)
		ws_fail_as(err, &c->err);
	return c->status;
}
