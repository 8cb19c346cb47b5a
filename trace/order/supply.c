/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/supply.c -- programs of CTAs, decoded and coalesced ahead of the
 * engine on all threads.
 *
 * A request for a CTA that is not ready decodes it together with those likely to be requested next.
 * Neighbours go to one thread, so that each thread unpacks few chunks of the trace.  A batch has
 * about WORTH lane accesses a thread, so that starting threads costs little.  A program does not
 * depend on the thread or time of its decoding.
 */
#include "trace/order/order.h"

#include <stdlib.h>

#define WORTH (1u << 19)
#define AHEAD_MAX 64u	/* CTAs a thread */

static size_t batch_size(const struct ws_launch *launch, unsigned threads)
{
	uint64_t accesses = 0, each, ctas;

	if (threads == 1)
		return 1;
	for (size_t kind = 0; kind < WS_KINDS; kind++)
		accesses += launch->accesses[kind];
	each = accesses / (launch->ctas ? launch->ctas : 1) + 1;
	ctas = WORTH / each + 1;
	return (size_t)(ctas < AHEAD_MAX ? ctas : AHEAD_MAX) * threads;
}

static uint32_t largest_access(const struct ws_launch *launch)
{
	uint32_t bytes = 0;

	for (size_t i = 0; i < launch->instructions; i++) {
		const struct ws_instruction *in = &launch->instruction[i];

		if (in->space == WS_SPACE_GLOBAL && in->bytes > bytes)
			bytes = in->bytes;
	}
	return bytes;
}

enum ws_status ws_supply_init(struct ws_supply *s, const struct ws_plan *plan,
			      const struct ws_steps *steps, unsigned threads, struct ws_err *err)
{
	size_t width = (size_t)plan->machine->warp_width;
	size_t room = WS_COALESCE_MAX(width, largest_access(plan->launch));

	*s = (struct ws_supply){ .plan = *plan, .steps = *steps, .threads = threads };
	s->batch = batch_size(plan->launch, threads);
	s->scratch = ws_alloc_zero(threads, sizeof *s->scratch);
	s->job = ws_alloc(s->batch, sizeof(struct ws_cta_program *));
	s->ahead = ws_alloc(s->batch, sizeof *s->ahead);
	for (unsigned t = 0; s->scratch && t < threads; t++) {
		s->scratch[t] = ws_alloc(room, sizeof **s->scratch);
		if (!s->scratch[t])
			return ws_fail_memory(err, "coalescing");
	}
	if (!s->scratch || !s->job || !s->ahead)
		return ws_fail_memory(err, "decoding CTAs ahead");
	return WS_OK;
}

static void free_list(struct ws_cta_program *p)
{
	while (p) {
		struct ws_cta_program *next = p->next;

		ws_program_free(p);
		p = next;
	}
}

void ws_supply_clear(struct ws_supply *s)
{
	for (unsigned t = 0; s->scratch && t < s->threads; t++)
		free(s->scratch[t]);
	free(s->scratch);
	free(s->job);
	free(s->ahead);
	free_list(s->spare);
	free_list(s->ready);
	*s = (struct ws_supply){ 0 };
}

void ws_supply_give_back(struct ws_supply *s, struct ws_cta_program *p)
{
	p->next = s->spare;
	s->spare = p;
}

static struct ws_cta_program **find_program(struct ws_supply *s, uint64_t cta)
{
	struct ws_cta_program **at = &s->ready;

	while (*at && (*at)->cta != cta)
		at = &(*at)->next;
	return at;
}

/* ---- making a batch ---------------------------------------------------------- */

struct cta_batch {
	struct ws_supply *supply;
	size_t count, shares;
};

static enum ws_status make_share(void *context, size_t share, unsigned thread, struct ws_err *err)
{
	struct cta_batch *b = context;
	struct ws_supply *s = b->supply;
	enum ws_status status = WS_OK;

	for (size_t i = share * b->count / b->shares;
	     i < (share + 1) * b->count / b->shares && status == WS_OK; i++)
		status = ws_program_build(s->job[i], &s->plan, &s->steps, thread, s->job[i]->cta,
					  s->scratch[thread], err);
	return status;
}

static enum ws_status make_programs(struct ws_supply *s, size_t count, struct ws_err *err)
{
	struct cta_batch b = { s, count, count < s->threads ? count : s->threads };
	enum ws_status status;

	if (b.shares > 1)
		status = ws_parallel(s->threads, b.shares, make_share, &b, err);
	else
		status = make_share(&b, 0, 0, err);
	for (size_t i = count; i-- > 0;) {
		s->job[i]->next = s->ready;
		s->ready = s->job[i];
	}
	return status;
}

static struct ws_cta_program *blank(struct ws_supply *s, uint64_t cta)
{
	struct ws_cta_program *p = s->spare;

	if (p)
		s->spare = p->next;
	else
		p = ws_program_new(s->plan.warps);
	if (p)
		p->cta = cta;
	return p;
}

/* Decodes cta and those after it. */
static enum ws_status stock(struct ws_supply *s, const struct ws_dispatch *d, uint64_t sm,
			    uint64_t cta, struct ws_err *err)
{
	size_t ahead = ws_dispatch_ahead(d, sm, s->ahead, s->batch - 1), count = 0;
	enum ws_status status;

	s->job[count] = blank(s, cta);
	count += s->job[count] != NULL;
	for (size_t i = 0; i < ahead && count; i++) {
		if (*find_program(s, s->ahead[i]))
			continue;
		s->job[count] = blank(s, s->ahead[i]);
		if (!s->job[count])
			break; /* less ahead: the same result */
		count++;
	}
	if (!count)
		return ws_fail_memory(err, "a CTA's instructions");
	status = make_programs(s, count, err);
	return status;
}

enum ws_status ws_supply_take(struct ws_supply *s, struct ws_dispatch *d, uint64_t sm,
			      struct ws_cta_program **out, struct ws_err *err)
{
	struct ws_cta_program **at;
	uint64_t cta;

	*out = NULL;
	if (!ws_dispatch_next(d, sm, &cta))
		return WS_OK;
	at = find_program(s, cta);
	if (!*at) {
		enum ws_status status = stock(s, d, sm, cta, err);

		if (status != WS_OK)
			return status;
		at = find_program(s, cta);
	}
	*out = *at;
	*at = (*at)->next;
	return WS_OK;
}
