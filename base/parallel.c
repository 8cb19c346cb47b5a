/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/parallel.c -- items handed out in order to a few threads.  Threads are
 * made per call: a call is worth milliseconds, a thread costs microseconds.
 */
#include "base/base.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_MAX 256u

struct crew {
	pthread_mutex_t lock;
	ws_work *work;
	void *context;
	size_t next, count;
	size_t failed_item; /* the lowest one, count if none */
	enum ws_status status;
	struct ws_err err;
};

struct member {
	struct crew *crew;
	unsigned thread;
	pthread_t id;
};

static bool take(struct crew *crew, size_t *item)
{
	bool got;

	pthread_mutex_lock(&crew->lock);
	got = crew->next < crew->count && crew->failed_item == crew->count;
	*item = crew->next;
	crew->next += got;
	pthread_mutex_unlock(&crew->lock);
	return got;
}

static void report(struct crew *crew, size_t item, enum ws_status status, const struct ws_err *err)
{
	pthread_mutex_lock(&crew->lock);
	if (item < crew->failed_item) {
		crew->failed_item = item;
		crew->status = status;
		crew->err = *err;
	}
	pthread_mutex_unlock(&crew->lock);
}

static void *labour(void *argument)
{
	struct member *me = argument;
	struct ws_err err = { 0 };
	size_t item;

	while (take(me->crew, &item)) {
		enum ws_status status = me->crew->work(me->crew->context, item, me->thread, &err);

		if (status != WS_OK)
			report(me->crew, item, status, &err);
	}
	return NULL;
}

unsigned ws_threads(unsigned asked)
{
	cpu_set_t set;
	int cores;

	if (asked)
		return asked < THREADS_MAX ? asked : THREADS_MAX;
	cores = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
	return cores < 1 ? 1 : (unsigned)cores < THREADS_MAX ? (unsigned)cores : THREADS_MAX;
}

enum ws_status ws_parallel(unsigned threads, size_t count, ws_work *work, void *context,
			   struct ws_err *err)
{
	struct crew crew = {
		.work = work, .context = context, .count = count, .failed_item = count
	};
	struct member member[THREADS_MAX];
	unsigned made = 1;

	threads = ws_threads(threads);
	if (threads > count)
		threads = count ? (unsigned)count : 1;
	pthread_mutex_init(&crew.lock, NULL);
	member[0] = (struct member){ .crew = &crew };
	for (; made < threads; made++) {
		member[made] = (struct member){ .crew = &crew, .thread = made };
		if (pthread_create(&member[made].id, NULL, labour, &member[made]))
			break; /* fewer hands: the same result */
	}
	labour(&member[0]);
	for (unsigned i = 1; i < made; i++)
		pthread_join(member[i].id, NULL);
	pthread_mutex_destroy(&crew.lock);
	if (crew.status != WS_OK)
		ws_fail_as(err, &crew.err);
	return crew.status;
}
