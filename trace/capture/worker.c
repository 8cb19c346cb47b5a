/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/worker.c -- what a CTA runs in: work-items, their buffers and stacks, __local
 * memory.
 *
 * To map the stacks of a group and to touch them anew takes milliseconds, so that short launches
 * want them kept (struct ws_cta_pool).  All else is in one piece of memory, which is laid out for
 * each launch.
 */
#include "trace/capture/columns.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_WORDS (1u << 18) /* of all lanes together, before the bounds below */
#define RECORD_MIN   256u
#define RECORD_MAX   2048u
#define STACK_BYTES  (64u << 10) /* beyond private arrays: calls of libm, spills */
#define STACK_SMALL  (16u << 10) /* the same where CTAs run together */
#define QUICK_STACK  (128u << 10) /* more of code that was made quickly: 16 bytes a value */
#define STACK_MAX    (64u << 20)
#define ALIGN        128u
#define KEPT_LANES   (1u << 18) /* of all that are kept: as many as run together (run.c) */
#define KEPT_STACK   (1u << 20) /* of a work-item: those of more are not kept */

/* ---- memory --------------------------------------------------------------------------- */

static size_t largest_segment(const struct ws_kernel *k)
{
	size_t most = 0;

	for (size_t s = 0; s < k->segments; s++) {
		if (k->segment[s].count > most)
			most = k->segment[s].count;
	}
	return most;
}

static size_t record_words(size_t lanes, size_t largest)
{
	size_t words = RECORD_WORDS / lanes;

	words = words < RECORD_MIN ? RECORD_MIN : words > RECORD_MAX ? RECORD_MAX : words;
	return words > 2 * (largest + 1) ? words : 2 * (largest + 1);
}

static size_t local_bytes(const struct ws_cta_config *c)
{
	const struct ws_kernel *k = c->kernel;
	size_t most = 0;

	for (size_t i = 0; i < k->args + k->locals; i++) {
		const struct ws_bound_argument *b = &c->arguments->bound[i];
		bool is_local = i >= k->args || k->arg[i].kind == WS_ARG_LOCAL;

		if (is_local && b->device + b->bytes > most)
			most = (size_t)(b->device + b->bytes);
	}
	return most;
}

/* The next part of the memory, of n items of the size; NULL while it is only measured. */
static void *part(const struct ws_cta_run *r, size_t *used, size_t n, size_t bytes)
{
	size_t at = *used;

	*used += (n * bytes + ALIGN - 1) / ALIGN * ALIGN;
	return r->memory ? r->memory + at : NULL;
}

/* Where all is; returns how much memory that is. */
static size_t lay_out(struct ws_cta_run *r)
{
	const struct ws_kernel *k = r->config->kernel;
	size_t n = r->lanes, largest = largest_segment(k), used = 0, rows = largest + 1;

	r->mask_words = (n + 63) / 64;
	r->record_words = record_words(n, largest);
	/* More words per lane than needed: buffers of neighbours fall into different cache sets,
	 * and all of WS_TURNED_WORDS may be read. */
	r->record_pitch = r->record_words + 19;
	rows = rows > WS_TURNED_WORDS ? rows : WS_TURNED_WORDS;
	r->local_bytes = local_bytes(r->config);
	r->lane = part(r, &used, n, sizeof *r->lane);
	r->meeting = part(r, &used, k->meets ? n : 0, sizeof *r->meeting);
	r->head = part(r, &used, r->mask_words * 64, sizeof *r->head);
	r->low = part(r, &used, r->mask_words, sizeof *r->low);
	r->mask = part(r, &used, r->mask_words, sizeof *r->mask);
	for (size_t i = 0; i < WS_PATHS; i++)
		r->path[i].mask = part(r, &used, r->mask_words, sizeof *r->mask);
	r->mark = part(r, &used, k->segments, sizeof *r->mark);
	r->unmet = part(r, &used, k->segments, sizeof *r->unmet);
	r->column = part(r, &used, largest + 1, sizeof *r->column);
	r->each = part(r, &used, largest + 1, sizeof *r->each);
	r->value = part(r, &used, k->args, sizeof *r->value);
	r->local_argument = part(r, &used, k->args, sizeof *r->local_argument);
	r->local_variable = part(r, &used, k->locals, sizeof *r->local_variable);
	r->signal_stack = part(r, &used, WS_SIGNAL_STACK, 1);
	r->local = part(r, &used, r->local_bytes + ALIGN, 1);
	r->frame_bytes = (n + WS_FRAME_LANES - 1) / WS_FRAME_LANES * WS_FRAME_LANES * k->frame;
	r->frame = part(r, &used, r->frame_bytes, 1);
	r->address = part(r, &used, rows * n, sizeof *r->address);
	r->record = part(r, &used, n * r->record_pitch, sizeof *r->record);
	return used;
}

static bool make_memory(struct ws_cta_run *r)
{
	uint8_t *kept = r->memory;
	size_t bytes;

	r->memory = NULL;
	bytes = lay_out(r);
	r->memory = kept;
	if (bytes > r->memory_bytes) {
		free(kept);
		r->memory = aligned_alloc(ALIGN, bytes);
		r->memory_bytes = r->memory ? bytes : 0;
	}
	if (!r->memory)
		return false;
	lay_out(r);
	return true;
}

/* Arguments, and __local memory at the device addresses of struct ws_bound_argument. */
static void bind(struct ws_cta_run *r)
{
	const struct ws_kernel *k = r->config->kernel;
	const struct ws_bound_argument *bound = r->config->arguments->bound;
	size_t largest = largest_segment(k);

	if (k->segments) {
		memset(r->unmet, 0, k->segments * sizeof *r->unmet);
		memset(r->mark, 0, k->segments * sizeof *r->mark);
	}
	for (size_t i = 0; i < k->args; i++) {
		bool is_local = k->arg[i].kind == WS_ARG_LOCAL;

		r->local_argument[i] = is_local ? r->local + bound[i].device : NULL;
		r->value[i] = is_local ? (void *)&r->local_argument[i]
				       : r->config->arguments->value[i];
	}
	for (size_t i = 0; i < k->locals; i++)
		r->local_variable[i] = r->local + bound[k->args + i].device;
	for (size_t a = 0; a < largest; a++)
		r->column[a] = r->each[a] = r->address + a * r->lanes;
	r->wide = k->wide && r->config->launch->block[0] % WS_FRAME_LANES == 0;
	r->columns = ws_columns_for(true);
	r->reach = WS_TURNED_WORDS;
}

/* ---- those that are kept -------------------------------------------------------------- */

struct ws_cta_pool {
	pthread_mutex_t lock;
	struct ws_cta_run *idle;
	size_t lanes; /* of those */
};

enum ws_status ws_cta_pool_new(struct ws_cta_pool **out, struct ws_err *err)
{
	struct ws_cta_pool *p = ws_alloc_zero(1, sizeof *p);

	*out = p;
	if (!p)
		return ws_fail_memory(err, "stacks that are kept");
	pthread_mutex_init(&p->lock, NULL);
	return WS_OK;
}

static void run_free(struct ws_cta_run *r)
{
	ws_outside_free(r->outside);
	ws_fibres_free(r->fibres);
	ws_packer_free(r->packer);
	free(r->memory);
	free(r);
}

void ws_cta_pool_free(struct ws_cta_pool *p)
{
	if (!p)
		return;
	while (p->idle) {
		struct ws_cta_run *r = p->idle;

		p->idle = r->next;
		run_free(r);
	}
	pthread_mutex_destroy(&p->lock);
	free(p);
}

/* One whose stacks are enough, or any; NULL: there is none. */
static struct ws_cta_run *take_idle(struct ws_cta_pool *p, size_t lanes, size_t stack)
{
	struct ws_cta_run **at, *r;

	if (!p)
		return NULL;
	pthread_mutex_lock(&p->lock);
	at = &p->idle;
	while (*at && !ws_fibres_hold((*at)->fibres, lanes, stack))
		at = &(*at)->next;
	if (!*at)
		at = &p->idle;
	if ((r = *at)) {
		*at = r->next;
		p->lanes -= r->fibres->lanes;
	}
	pthread_mutex_unlock(&p->lock);
	return r;
}

/* False: it is not kept. */
static bool keep_run(struct ws_cta_pool *p, struct ws_cta_run *r)
{
	size_t lanes = r->fibres ? r->fibres->lanes : 0;
	bool good;

	if (!p || !lanes || r->config->kernel->frame_bytes > KEPT_STACK)
		return false;
	pthread_mutex_lock(&p->lock);
	good = lanes <= KEPT_LANES && p->lanes <= KEPT_LANES - lanes;
	if (good) {
		r->next = p->idle;
		p->idle = r;
		p->lanes += lanes;
	}
	pthread_mutex_unlock(&p->lock);
	return good;
}

/* ---- making them ------------------------------------------------------------------------ */

static enum ws_status make_stacks(struct ws_cta_run *r, size_t stack, struct ws_err *err)
{
	if (ws_fibres_hold(r->fibres, r->lanes, stack))
		return WS_OK;
	ws_fibres_free(r->fibres);
	return ws_fibres_new(&r->fibres, r->lanes, stack, r->config->together, err);
}

enum ws_status ws_cta_run_new(struct ws_cta_run **out, const struct ws_cta_config *config,
			      struct ws_err *err)
{
	size_t lanes = (size_t)ws_launch_threads(config->launch);
	size_t stack = (config->together ? STACK_SMALL : STACK_BYTES) +
		       config->kernel->frame_bytes * 2 + (config->kernel->quick ? QUICK_STACK : 0);
	struct ws_cta_run *r;
	enum ws_status status;

	*out = NULL;
	if (config->kernel->frame_bytes > STACK_MAX / 2)
		return ws_fail(
			err, WS_EINPUT,
			"kernel %s: %zu bytes of private arrays per work-item, want at most %u",
			config->kernel->name, config->kernel->frame_bytes, STACK_MAX / 2);
	r = take_idle(config->pool, lanes, stack);
	if (!r && !(r = ws_alloc_zero(1, sizeof *r)))
		return ws_fail_memory(err, "a group of work-items");
	*r = (struct ws_cta_run){ .config = config, .lanes = lanes, .fibres = r->fibres,
				  .packer = r->packer, .memory = r->memory,
				  .memory_bytes = r->memory_bytes };
	status = make_stacks(r, stack, err);
	if (status == WS_OK && !r->packer)
		status = ws_packer_new(&r->packer, err);
	if (status == WS_OK && !make_memory(r))
		status = ws_fail_memory(err, "a group of work-items");
	if (status == WS_OK)
		status = ws_outside_new(&r->outside, config, r->local, r->local_bytes, err);
	if (status != WS_OK) {
		run_free(r);
		return status;
	}
	bind(r);
	*out = r;
	return WS_OK;
}

enum ws_status ws_cta_run_outside(const struct ws_cta_run *r, struct ws_outside_lines *l,
				  uint64_t number, struct ws_err *err)
{
	return r ? ws_outside_add(l, r->outside, number, err) : WS_OK;
}

void ws_cta_run_free(struct ws_cta_run *r)
{
	if (!r)
		return;
	ws_outside_free(r->outside);
	r->outside = NULL;
	if (!keep_run(r->config->pool, r))
		run_free(r);
}

struct ws_packer *ws_cta_run_packer(const struct ws_cta_run *r)
{
	return r->packer;
}
