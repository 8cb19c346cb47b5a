/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/cycle_router.c -- slices behind a router (icnt.queues = router), as
 * validate/cycle/cycle.h has them: every phase of every slice in every cycle.
 */
#include "tests/ref/cycle_gpu.h"

#include <stdlib.h>

#include "tests/ref/must.h"

static void deliver(struct ref_gpu *g)
{
	for (size_t i = 0; i < g->m.sm_count; i++) {
		struct ref_packet *p = ref_router_take(g->to_sms, ref_router_port(g, i));

		if (!p)
			continue;
		p->arrival = g->cycle + 1;
		ref_list_add(&g->sm[i].replies, p);
	}
}

static void send_reply(struct ref_gpu *g, struct ref_slice *s)
{
	struct ref_packet *p = s->ready.count ? s->ready.item[0] : NULL;
	uint64_t flits = p ? ref_port_cycles(g, ref_reply_size(p)) : 0;

	if (!p || p->ready > g->cycle || flits > ref_router_room(g->to_sms, p->slice))
		return;
	ref_list_take(&s->ready, 0);
	ref_router_add(g->to_sms, p->slice, ref_router_port(g, p->sm), flits, p);
}

/* A packet's sectors, each as one of its own. */
static void take(struct ref_gpu *g, size_t slice)
{
	struct ref_slice *s = &g->slice[slice];
	struct ref_packet *p;

	if (s->queue.count + g->m.l2.line_bytes / 32 > g->m.l2_queue)
		return;
	p = ref_router_take(g->to_slices, slice);
	for (unsigned i = 0; p && i < SECTORS; i++) {
		struct ref_packet *one;

		if (!has(p->sectors, i))
			continue;
		one = must(1, sizeof *one);
		*one = *p;
		one->sectors = (uint32_t)1 << i;
		one->ready = g->cycle + ws_router_wait_cycles(&g->m) - 1;
		ref_list_add(&s->delayed, one);
	}
	free(p);
}

static void answer(struct ref_gpu *g, struct ref_slice *s)
{
	struct ref_packet *p = s->served.count ? s->served.item[0] : NULL;

	if (!p || p->ready >= g->cycle || s->ready.count >= g->m.l2_queue)
		return;
	ref_list_take(&s->served, 0);
	s->l2.held -= p->last;
	p->last = false;
	p->ready = g->cycle + 1;
	ref_list_add(&s->ready, p);
}

/* Of what has come that which was asked for first. */
static void fill(struct ref_gpu *g, struct ref_slice *s)
{
	struct ref_mshr *m = s->come.count ? ref_list_take(&s->come, 0) : NULL;
	size_t before = s->served.count;

	for (size_t i = 0; i < s->l2.mshr.count && !m; i++) {
		struct ref_mshr *one = s->l2.mshr.item[i];

		m = one->due <= g->cycle ? one : NULL;
	}
	if (!m)
		return;
	ref_slice_fill(g, s, m);
	for (size_t i = before; i < s->served.count; i++)
		((struct ref_packet *)s->served.item[i])->ready = g->cycle;
	if (s->served.count > before && g->m.profile == WS_BEHAVES_GPGPUSIM) {
		((struct ref_packet *)s->served.item[s->served.count - 1])->last = true;
		s->l2.held++;
	}
}

static bool has_room(const struct ref_gpu *g, size_t slice)
{
	size_t channel = slice / (size_t)(g->m.l2_slices / g->channels);

	return g->slice[slice].ready.count < g->m.l2_queue &&
	       (!g->dram || ref_dram_waiting(g->dram[channel], slice) < g->m.l2_queue);
}

static void delay(struct ref_gpu *g, struct ref_slice *s)
{
	struct ref_packet *p = s->delayed.count ? s->delayed.item[0] : NULL;

	if (p && p->ready <= g->cycle && s->queue.count < g->m.l2_queue)
		ref_list_add(&s->queue, ref_list_take(&s->delayed, 0));
}

void ref_behind_router(struct ref_gpu *g, uint64_t cycle)
{
	g->cycle = cycle;
	if (cycle)
		ref_meet(g, true, cycle);
	deliver(g);
	for (size_t i = 0; i < g->m.l2_slices; i++)
		send_reply(g, &g->slice[i]);
	for (size_t i = 0; g->dram && i < g->channels; i++)
		ref_dram_cycle(g->dram[i]);
	for (size_t i = 0; i < g->m.l2_slices; i++) {
		struct ref_slice *s = &g->slice[i];

		take(g, i);
		answer(g, s);
		fill(g, s);
		ref_slice_miss(g, i);
		if (has_room(g, i))
			ref_slice_look_up(g, i);
		delay(g, s);
		s->stats->mshrs_sum += s->l2.mshr.count;
	}
	if (!cycle) /* it is called late: what SMs sent in cycle 0 is there */
		return;
	ref_router_cycle(g->to_slices);
	ref_router_cycle(g->to_sms);
}
