/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/cycle.c -- the machine of validate/cycle/cycle.h, cycle by cycle.
 *
 * SMs' warps and schedulers are those of order.c, the rest of an SM is cycle_sm.c's, caches are
 * cycle_cache.c's.  Here are slices, DRAM and launches.
 */
#include "tests/ref/cycle.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ref/cycle_gpu.h"
#include "tests/ref/front.h"
#include "tests/ref/must.h"

/* ---- slices and DRAM ------------------------------------------------------------------------- */

static uint64_t set_in_slice(const struct ref_gpu *g, uint64_t address)
{
	uint64_t local = ws_l2_local(&g->m, address);

	return g->m.l2.sets == 1 ? 0 : g->m.l2.hash->index(local, &g->m.l2);
}

static size_t channel_of(const struct ref_gpu *g, size_t slice)
{
	size_t channel = 0;

	while (slice >= (channel + 1) * (g->m.l2_slices / g->channels))
		channel++;
	return channel;
}

/* A request of banks, in the slice's queue of misses. */
struct miss {
	uint64_t address, bytes;
	struct ref_mshr *mshr;
};

static void ask(struct ref_gpu *g, size_t slice, const struct miss *of, uint64_t cycle)
{
	struct miss *m;

	if (!g->to_sms || !g->m.l2_misses) {
		ref_dram_ask(g->dram[channel_of(g, slice)], slice, of->address, of->bytes,
			     of->mshr, cycle);
		return;
	}
	m = must(1, sizeof *m);
	*m = *of;
	ref_list_add(&g->slice[slice].misses, m);
}

void ref_slice_miss(struct ref_gpu *g, size_t slice)
{
	struct ref_dram *d = g->dram ? g->dram[channel_of(g, slice)] : NULL;
	struct ref_list *misses = &g->slice[slice].misses;
	struct miss *m;

	if (!misses->count || ref_dram_waiting(d, slice) >= g->m.l2_queue)
		return;
	m = ref_list_take(misses, 0);
	ref_dram_ask(d, slice, m->address, m->bytes, m->mshr, g->cycle);
	free(m);
}

/* What a look-up that began at a cycle asks of banks: of a packet of `of` sectors. */
static void banks(struct ref_gpu *g, size_t slice, uint64_t line, uint32_t of, uint32_t sectors,
		  struct ref_mshr *mshr, uint64_t cycle)
{
	struct ws_slice_stats *stats = g->slice[slice].stats;
	unsigned n = 0;

	if (!mshr) {
		struct miss m = { line, 32 * ws_popcount(sectors), NULL };

		stats->dram_write_bytes += m.bytes;
		ask(g, slice, &m, cycle + 1);
		return;
	}
	mshr->due = UINT64_MAX;
	mshr->sectors = ws_popcount(sectors);
	stats->dram_read_bytes += 32 * mshr->sectors;
	for (unsigned i = 0; i < 32; i++) {
		struct miss m = { line + 32 * i, 32, mshr };

		if (has(sectors, i))
			ask(g, slice, &m, cycle + 1 + (g->m.l2_rate ? n / g->m.l2_rate : 0));
		n += has(of, i);
	}
}

/* Asks for the bytes at a cycle; returns when they come. */
static uint64_t dram(struct ref_gpu *g, size_t slice, uint64_t address, uint32_t sectors,
		     bool read, uint64_t cycle)
{
	uint64_t width = g->m.dram_bandwidth, bytes = 32 * ws_popcount(sectors), start, at;
	size_t channel = channel_of(g, slice);

	start = cycle * width > g->channel[channel] ? cycle * width : g->channel[channel];
	g->channel[channel] = start + bytes / 32 * g->m.dram_atom * g->channels;
	at = start / width + (start % width != 0);
	if (read)
		g->slice[slice].stats->dram_read_bytes += bytes;
	else
		g->slice[slice].stats->dram_write_bytes += bytes;
	g->slice[slice].stats->dram_wait_sum += at - cycle;
	at += g->m.dram_latency_cycles;
	if (g->m.dram_row) {
		uint64_t local = ws_l2_local(&g->m, address) / g->m.dram_row;
		uint64_t row = local * g->m.l2_slices + slice + 1;

		at += g->row[channel] == row ? 0 : g->m.dram_row_miss_cycles;
		g->row[channel] = row;
	}
	at = at > cycle ? at : cycle + 1;
	if (g->m.dram_row && read) {
		at = at > g->last[channel] ? at : g->last[channel];
		g->last[channel] = at;
	}
	return at;
}

static void reply(struct ref_gpu *g, struct ref_slice *s, struct ref_packet *p, uint64_t cycle)
{
	p->ready = cycle + (g->to_sms ? 1 : ws_l2_cycles(&g->m));
	ref_list_add(&s->ready, p);
}

static void packet_served(void *context, struct ref_waiter *w)
{
	struct ref_gpu *g = context;

	if (!w->left)
		ref_list_add(&g->at_slice->served, w->owner);
}

void ref_slice_fill(struct ref_gpu *g, struct ref_slice *s, struct ref_mshr *m)
{
	struct ref_answer a = { .waits = false };

	g->at_slice = s;
	ref_fill(&s->l2, set_in_slice(g, m->line), m, &a, packet_served, g);
}

static void slice_fill(struct ref_gpu *g, struct ref_slice *s)
{
	size_t i = 0;

	while (s->come.count)
		ref_slice_fill(g, s, ref_list_take(&s->come, 0));
	while (i < s->l2.mshr.count) { /* the list is in the order in which they asked */
		struct ref_mshr *m = s->l2.mshr.item[i];

		if (m->due == g->cycle)
			ref_slice_fill(g, s, m);
		else
			i++;
	}
	while (s->served.count) { /* whoever began to wait first, whatever fill it waited for */
		size_t first = 0;

		for (size_t k = 1; k < s->served.count; k++) {
			const struct ref_packet *p = s->served.item[k], *q = s->served.item[first];

			first = p->number < q->number ? k : first;
		}
		reply(g, s, ref_list_take(&s->served, first), g->cycle + (g->dram ? 1 : 0));
	}
}

static void credit_back(struct ref_gpu *g, struct ref_timed_sm *sm, uint64_t cycle)
{
	uint64_t *arrival = must(1, sizeof *arrival);

	*arrival = cycle + ws_icnt_cycles(&g->m);
	ref_list_add(&sm->credit, arrival);
}

/* With profile = gpgpusim a sectored L2 counts sectors. */
static void count(const struct ref_gpu *g, struct ws_cycle_counts *c, const struct ref_answer *a,
		  uint32_t sectors)
{
	struct ref_answer one = *a;

	if (g->m.profile == WS_BEHAVES_HARDWARE || g->m.l2.sector_bytes == g->m.l2.line_bytes ||
	    a->outcome == WS_FAILED) {
		ref_count(c, a, sectors);
		return;
	}
	for (unsigned s = 0; s < SECTORS; s++) {
		if (!has(sectors, s))
			continue;
		one.outcome = has(a->hits, s) ? WS_HIT : has(a->pending, s) ? WS_PENDING
			: one.outcome == WS_MISS ? WS_MISS : WS_SECTOR_MISS;
		ref_count(c, &one, (uint32_t)1 << s);
		one.outcome = WS_SECTOR_MISS; /* the line is there now */
	}
}

void ref_slice_look_up(struct ref_gpu *g, size_t number)
{
	struct ref_slice *s = &g->slice[number];
	struct ref_packet *p = s->queue.count ? s->queue.item[0] : NULL;
	struct ws_access by;
	struct ref_waiter *w;
	struct ref_answer a;
	struct ws_cycle_site *site;
	uint64_t cycle = g->cycle; /* in which the look-up ends */

	if (!p || (!g->to_sms && (p->arrival > cycle || s->looking > cycle)) || s->port > cycle)
		return;
	w = must(1, sizeof *w);
	w->owner = p;
	by = (struct ws_access){ .address = p->address, .instruction = p->instruction,
				 .sectors = p->sectors, .cta = p->cta, .warp = p->warp,
				 .kind = p->kind };
	s->l2.full = s->misses.count && (p->kind == WS_STORE
		   ? s->misses.count >= g->m.l2_misses : s->misses.count + 1 >= g->m.l2_misses);
	a = ref_look_up(&s->l2, set_in_slice(g, p->address), &by, p->written, w, UINT64_MAX);
	if (!a.waits)
		free(w);
	site = ref_site(g, p->instruction, ref_first_sector(p->address, p->sectors));
	if (!p->fetch || !p->fetch->code)
		count(g, &s->stats->l2[p->kind], &a, p->sectors);
	count(g, &site->l2, &a, p->sectors);
	if (a.outcome == WS_FAILED)
		return;
	ref_list_take(&s->queue, 0);
	p->number = s->accepted++;
	for (uint64_t n = g->m.l2_rate; n && n < ws_popcount(p->sectors); n += g->m.l2_rate)
		cycle++;
	s->looking = cycle + 1;
	for (uint64_t n = g->m.l2_rate; g->to_sms && g->m.profile == WS_BEHAVES_GPGPUSIM && n &&
	     p->kind == WS_STORE && n <= ws_popcount(a.victim_sectors); n += g->m.l2_rate)
		s->port = n == g->m.l2_rate ? g->cycle + 1 : s->port + 1;
	if (!g->to_sms)
		credit_back(g, &g->sm[p->sm], cycle);
	if (g->dram && a.mshr && g->to_sms && g->m.l2_misses)
		banks(g, number, p->address, p->sectors, a.mshr->fetch, a.mshr, g->cycle);
	if (g->dram && a.victim_sectors)
		banks(g, number, a.victim, 0, a.victim_sectors, NULL, g->cycle);
	if (g->dram && a.mshr && !(g->to_sms && g->m.l2_misses))
		banks(g, number, p->address, p->sectors, a.mshr->fetch, a.mshr, g->cycle);
	if (g->dram && a.send)
		banks(g, number, p->address, 0, a.send, NULL, g->cycle);
	if (!g->dram && a.victim_sectors)
		dram(g, number, a.victim, a.victim_sectors, false, cycle);
	if (!g->dram && a.mshr)
		a.mshr->due = dram(g, number, p->address, a.mshr->fetch, true, cycle);
	if (!g->dram && a.send)
		dram(g, number, p->address, a.send, false, cycle);
	if (!p->fetch)
		free(p);
	else if (!a.waits)
		reply(g, s, p, cycle);
}

static void slice_send(struct ref_gpu *g, struct ref_slice *s)
{
	struct ref_packet *p = s->ready.count ? s->ready.item[0] : NULL;

	if (!p || p->ready > g->cycle || s->sending > g->cycle)
		return;
	ref_list_take(&s->ready, 0);
	s->sending = g->cycle + ref_port_cycles(g, ref_reply_size(p));
	p->arrival = g->cycle + ws_icnt_cycles(&g->m);
	if (g->m.icnt_queues == WS_QUEUES_INPUT)
		ref_list_add(&g->back.sent[p->slice], p);
	else
		ref_list_add(&g->sm[p->sm].replies, p);
}

/* Of the first packets of all senders the oldest that could cross; NULL: none. */
static struct ref_packet *can_cross(const struct ref_crossbar *x, size_t senders, bool back,
				    uint64_t cycle, size_t *from)
{
	struct ref_packet *found = NULL;

	for (size_t i = 0; i < senders; i++) {
		struct ref_packet *p = x->sent[i].count ? x->sent[i].item[0] : NULL;

		if (!p || p->arrival > cycle || x->sender[i] > cycle ||
		    x->receiver[back ? p->sm : p->slice] > cycle)
			continue;
		if (!found || p->arrival < found->arrival) {
			found = p;
			*from = i;
		}
	}
	return found;
}

static void cross(struct ref_gpu *g, bool back, uint64_t cycle)
{
	struct ref_crossbar *x = back ? &g->back : &g->out;
	size_t senders = (size_t)(back ? g->m.l2_slices : g->m.sm_count), from = 0;
	struct ref_packet *p;

	if (g->m.icnt_queues != WS_QUEUES_INPUT)
		return;
	while ((p = can_cross(x, senders, back, cycle, &from)) != NULL) {
		uint64_t size = back ? ref_reply_size(p) : ref_request_size(p);

		ref_list_take(&x->sent[from], 0);
		p->arrival = cycle;
		x->sender[from] = cycle + ref_port_cycles(g, size);
		x->receiver[back ? p->sm : p->slice] = x->sender[from];
		ref_list_add(back ? &g->sm[p->sm].replies : &g->slice[p->slice].queue, p);
	}
}

/* The L1s, or the slices: is this cycle one in which they meet?  Every meeting is looked at. */
void ref_meet(struct ref_gpu *g, bool l2, uint64_t cycle)
{
	const struct ws_use *use = l2 ? &g->slice->l2.use : &g->sm->l1->use;
	uint64_t parts = g->m.l1_parts, caches = l2 ? g->m.l2_slices : g->m.sm_count * parts;
	uint64_t *n = &g->meetings[l2], **shared;

	if (!use->policy->meet || (!l2 && !g->m.l1.ways))
		return;
	if (!cycle)
		*n = 0;
	while (use->policy->meeting(use, *n) < cycle)
		++*n;
	if (use->policy->meeting(use, *n) > cycle)
		return;
	shared = must((size_t)caches, sizeof *shared);
	for (uint64_t i = 0; i < caches; i++)
		shared[i] = l2 ? g->slice[i].l2.shared : g->sm[i / parts].l1[i % parts].shared;
	for (; use->policy->meeting(use, *n) == cycle; ++*n)
		use->policy->meet(use, *n, shared, (size_t)caches);
	free(shared);
}

static void rest(void *context, uint64_t cycle)
{
	struct ref_gpu *g = context;

	if (g->to_sms) {
		if (!cycle)
			ref_behind_router(g, cycle);
		ref_behind_router(g, cycle + 1);
		ref_meet(g, false, cycle + 1);
		return;
	}
	g->cycle = cycle;
	if (cycle)
		ref_meet(g, true, cycle);
	cross(g, false, cycle);
	for (size_t i = 0; g->dram && i < g->channels; i++)
		ref_dram_cycle(g->dram[i]);
	for (size_t i = 0; i < g->m.l2_slices; i++) {
		slice_fill(g, &g->slice[i]);
		ref_slice_look_up(g, i);
		slice_send(g, &g->slice[i]);
		g->slice[i].stats->mshrs_sum += g->slice[i].l2.mshr.count;
	}
	cross(g, true, cycle + 1); /* before the SMs' next cycle; what is sent now comes later */
	ref_meet(g, false, cycle + 1);
}

static bool busy(void *context)
{
	const struct ref_gpu *g = context;
	bool any = g->to_sms && (ref_router_busy(g->to_sms) || ref_router_busy(g->to_slices));

	for (size_t i = 0; i < g->m.sm_count; i++) {
		const struct ref_timed_sm *sm = &g->sm[i];

		any |= sm->op.count || sm->to_l2.count || sm->replies.count ||
		       sm->walking.count || g->out.sent[i].count;
		for (size_t b = 0; b < g->m.l1_banks; b++)
			any |= sm->bank[b].count > 0;
	}
	for (size_t i = 0; g->dram && i < g->channels; i++)
		any |= ref_dram_busy(g->dram[i]);
	for (size_t i = 0; i < g->m.l2_slices; i++) {
		const struct ref_slice *s = &g->slice[i];

		any |= s->queue.count || s->ready.count || s->l2.mshr.count ||
		       s->delayed.count || s->served.count || s->misses.count ||
		       g->back.sent[i].count;
	}
	return any;
}

/* ---- launches -------------------------------------------------------------------------------- */

static void make_crossbar(struct ref_crossbar *x, uint64_t senders, uint64_t receivers)
{
	x->sent = must((size_t)senders, sizeof *x->sent);
	x->sender = must((size_t)senders, sizeof *x->sender);
	x->receiver = must((size_t)receivers, sizeof *x->receiver);
}

static void empty_crossbar(struct ref_crossbar *x, uint64_t senders, uint64_t receivers)
{
	for (uint64_t i = 0; i < senders; i++)
		ref_list_free(&x->sent[i]);
	memset(x->sender, 0, (size_t)senders * sizeof *x->sender);
	memset(x->receiver, 0, (size_t)receivers * sizeof *x->receiver);
}

static void free_crossbar(struct ref_crossbar *x)
{
	free(x->sent);
	free(x->sender);
	free(x->receiver);
}

static void make_routers(struct ref_gpu *g)
{
	struct ws_router_shape shape = {
		(size_t)g->m.sm_count, (size_t)g->m.l2_slices, g->m.icnt_router_in,
		g->m.icnt_router_buffer, g->m.icnt_router_out, g->m.icnt_router_speedup };

	if (g->m.icnt_queues != WS_QUEUES_ROUTER)
		return;
	g->to_slices = ref_router_new(&shape);
	shape.inputs = (size_t)g->m.l2_slices;
	shape.outputs = (size_t)g->m.sm_count;
	g->to_sms = ref_router_new(&shape);
}

static size_t tlb_room(const struct ws_machine *m, unsigned level)
{
	return (size_t)(ws_set_ways_sum(&m->tlb[level]) * ws_set_ways_sets(&m->tlb[level]) + 1);
}

struct ref_gpu *ref_gpu_new(const struct ws_machine *m, uint64_t seed)
{
	struct ref_gpu *g = must(1, sizeof *g);

	*g = (struct ref_gpu){ .m = *m, .seed = seed };
	g->channels = ws_dram_channels(m);
	g->sm = must((size_t)m->sm_count, sizeof *g->sm);
	g->slice = must((size_t)m->l2_slices, sizeof *g->slice);
	g->channel = must((size_t)g->channels, sizeof *g->channel);
	g->row = must((size_t)g->channels, sizeof *g->row);
	g->last = must((size_t)g->channels, sizeof *g->last);
	if (ws_dram_has_banks(m))
		g->dram = must((size_t)g->channels, sizeof(struct ref_dram *));
	for (size_t i = 0; g->dram && i < g->channels; i++)
		g->dram[i] = ref_dram_new(g, i);
	if (ws_machine_has_front(m)) {
		g->code = must((size_t)m->sm_count, sizeof(struct ref_front *));
		g->turned = must((size_t)m->sm_count, sizeof(struct ref_front *));
		for (size_t i = 0; i < m->sm_count; i++)
			g->code[i] = ref_front_new(m);
	}
	make_crossbar(&g->out, m->sm_count, m->l2_slices);
	make_crossbar(&g->back, m->l2_slices, m->sm_count);
	make_routers(g);
	for (size_t i = 0; i < m->sm_count; i++) {
		g->sm[i].l1 = must((size_t)m->l1_parts, sizeof *g->sm[i].l1);
		for (uint64_t p = 0; p < m->l1_parts; p++)
			ref_timed_begin(&g->sm[i].l1[p], &m->l1, m->l2.line_bytes, seed);
		g->sm[i].tlb = must((size_t)m->l1_parts, sizeof *g->sm[i].tlb);
		for (uint64_t p = 0; p < 2 * m->l1_parts; p++)
			g->sm[i].tlb[p / 2][p % 2].entry = must(tlb_room(m, p % 2),
								sizeof(struct ref_page));
	}
	for (size_t i = 0; i < m->l2_slices; i++) {
		struct ws_cache l2 = m->l2;

		l2.alloc = WS_ALLOC_ON_MISS;
		ref_timed_begin(&g->slice[i].l2, &l2, l2.line_bytes, seed + i);
	}
	return g;
}

static void nobody(void *context, struct ref_waiter *w)
{
	(void)context;
	(void)w;
}

static void warm_up(struct ref_gpu *g, uint64_t line)
{
	struct ref_slice *s = &g->slice[ws_l2_slice(&g->m, line)];
	struct ref_waiter *w = must(1, sizeof *w);
	uint32_t all = UINT32_MAX >> (32 - g->m.l2.line_bytes / 32);
	const struct ws_access by = { .address = line, .instruction = UINT32_MAX, .sectors = all,
				      .kind = WS_LOAD };
	uint64_t set = set_in_slice(g, line);
	struct ref_answer a = ref_look_up(&s->l2, set, &by, NULL, w, UINT64_MAX);

	if (a.mshr)
		ref_fill(&s->l2, set, a.mshr, &a, nobody, NULL);
	else
		free(w);
}

static bool reads(const struct ws_launch *l, size_t array)
{
	for (size_t i = 0; i < l->instructions; i++)
		if (l->instruction[i].kind != WS_STORE &&
		    l->instruction[i].space != WS_SPACE_LOCAL &&
		    (l->instruction[i].array == array || l->instruction[i].array == WS_NO_ARRAY))
			return true;
	return false;
}

static void fill_copies(struct ref_gpu *g)
{
	uint64_t size = g->m.l2.line_bytes;

	for (size_t i = 0; i < g->launch->copies; i++) {
		const struct ws_copy *c = &g->launch->copy[i];
		uint64_t end = c->base + c->bytes;

		if (g->m.profile == WS_BEHAVES_GPGPUSIM && end > UINT64_C(1) << 32)
			end = UINT64_C(1) << 32;
		for (uint64_t line = c->base / size * size; c->bytes && line < end; line += size)
			warm_up(g, line);
	}
}

static void fill_l2(struct ref_gpu *g)
{
	if (g->m.l2_start == WS_L2_COPIES && g->launch->copies) {
		fill_copies(g);
		return;
	}
	for (size_t i = 0; i < g->launch->arrays; i++) {
		uint64_t base = g->launch->array[i].base, size = g->m.l2.line_bytes;

		if (g->m.l2_start == WS_L2_COPIES && !reads(g->launch, i))
			continue;
		for (uint64_t line = base - base % size; line < base + g->launch->array[i].bytes;
		     line += size)
			warm_up(g, line);
	}
}

/* What is on its way is dropped, and what was there is gone. */
static void empty(struct ref_gpu *g)
{
	for (size_t i = 0; i < g->m.sm_count; i++) {
		struct ref_timed_sm *sm = &g->sm[i];

		for (uint64_t p = 0; p < g->m.l1_parts; p++) {
			ref_timed_flush(&sm->l1[p]);
			ref_list_free(&sm->l1[p].freed);
		}
		for (uint64_t p = 0; p < 2 * g->m.l1_parts; p++)
			memset(sm->tlb[p / 2][p % 2].entry, 0, tlb_room(&g->m, p % 2) *
			       sizeof(struct ref_page));
		ref_list_free(&sm->op);
		for (size_t b = 0; b < WS_COUNT(sm->bank); b++)
			ref_list_free(&sm->bank[b]);
		ref_list_free(&sm->to_l2);
		ref_list_free(&sm->walking);
		ref_list_free(&sm->replies);
		ref_list_free(&sm->credit);
		sm->coming.count = 0;
		sm->issued = 0;
		sm->served_in = sm->served = 0;
		sm->sending = sm->receiving = 0;
		sm->credits = g->m.icnt_credits;
	}
	for (size_t i = 0; i < g->m.l2_slices; i++) {
		struct ref_list *mshr = &g->slice[i].l2.mshr;

		for (size_t k = 0; k < mshr->count; k++) { /* packets that wait there */
			struct ref_mshr *m = mshr->item[k];

			for (size_t n = 0; n < m->waiter.count; n++) {
				struct ref_waiter *w = m->waiter.item[n];

				free(w->owner);
				w->owner = NULL;
			}
		}
		if (g->m.l2_start != WS_L2_KEEP)
			ref_timed_flush(&g->slice[i].l2);
		ref_list_free(&g->slice[i].queue);
		ref_list_free(&g->slice[i].ready);
		ref_list_free(&g->slice[i].served);
		ref_list_free(&g->slice[i].delayed);
		ref_list_free(&g->slice[i].misses);
		g->slice[i].l2.held = g->slice[i].port = 0;
		g->slice[i].come.count = 0;
		g->slice[i].sending = g->slice[i].looking = 0;
	}
	for (size_t i = 0; g->dram && i < g->channels; i++)
		ref_dram_empty(g->dram[i]);
	memset(g->channel, 0, (size_t)g->channels * sizeof *g->channel);
	memset(g->row, 0, (size_t)g->channels * sizeof *g->row);
	memset(g->last, 0, (size_t)g->channels * sizeof *g->last);
	empty_crossbar(&g->out, g->m.sm_count, g->m.l2_slices);
	empty_crossbar(&g->back, g->m.l2_slices, g->m.sm_count);
	if (g->to_sms) {
		ref_router_empty(g->to_slices);
		ref_router_empty(g->to_sms);
	}
	ref_list_free(&g->fetches);
	ref_list_free(&g->loads);
	ref_list_free(&g->written);
}

static void gather_parts(struct ref_gpu *g, struct ws_cycle_result *out)
{
	size_t row = g->launch->arrays + 1;

	out->site = must(g->launch->instructions * row, sizeof *out->site);
	for (size_t i = 0; i < g->launch->instructions * row; i++) {
		if (!g->site[i].l1.requests && !g->site[i].l2.requests)
			continue;
		out->site[out->sites] = g->site[i];
		out->site[out->sites].instruction = (uint32_t)(i / row);
		out->site[out->sites++].array = i % row == row - 1 ? WS_NO_ARRAY
								   : (uint32_t)(i % row);
	}
}

static void grain_add(struct ws_grain_stats *to, const struct ref_grain *words)
{
	struct ref_grain_stats s = ref_grain_stats(words);

	for (size_t i = 0; i < 3; i++)
		to->size[i] += s.size[i];
	to->partial += s.partial;
	to->invalidated += s.invalidated;
	to->written_back += s.written_back;
	to->finer += s.finer;
	to->coarser += s.coarser;
	to->flushed += s.flushed;
}

static void keep_lines(struct ref_gpu *g, const struct ws_pace *p)
{
	for (uint64_t i = p->code / g->m.sm_code_line;
	     p->code_end && i <= p->code_end / g->m.sm_code_line; i++)
		g->kept[i] = true;
}

/* The lines of code that the L2 has after the launch, and SMs that have some. */
static void keep_code(struct ref_gpu *g, const struct ws_launch *l)
{
	if (!g->m.sm_code_line || g->m.l2_start != WS_L2_KEEP)
		return;
	if (!g->kept) {
		g->kept_lines = (size_t)(WS_CODE_MAX / g->m.sm_code_line + 1);
		g->kept = must(g->kept_lines, sizeof *g->kept);
		g->held = must((size_t)g->m.sm_count, sizeof *g->held);
	}
	g->kept[0] = true;
	for (size_t i = 0; i < l->instructions; i++)
		keep_lines(g, &l->instruction[i].pace);
	for (size_t i = 0; i < l->segments; i++)
		keep_lines(g, &l->segment[i].pace);
	for (uint64_t i = 0; i < l->ctas && i < g->m.sm_count; i++)
		g->held[(g->ctas + i) % g->m.sm_count] = true;
	g->ctas += l->ctas;
}

/* Two registers, and three steps of the collectors. */
static uint64_t front(const struct ws_launch *l, const struct ws_machine *m)
{
	struct ws_pipeline p;

	if (!ws_launch_has_pipeline(l, m) || ws_pipeline_read(m, &p, NULL))
		return 0;
	return 2 + (p.steps == 1 ? 3 : p.steps == 2 ? 2 : 1);
}

void ref_gpu_launch(struct ref_gpu *g, const struct ref_launch *l, size_t number,
		    struct ws_cycle_result *out, struct ref_stream *stream)
{
	const struct ref_unit unit = { g, ref_sm_receive, ref_sm_free, ref_sm_issue,
		ref_sm_advance, rest, ref_sm_slot,
				       busy, true, ref_sm_code };
	uint64_t *end = must((size_t)g->m.sm_count, sizeof *end);
	size_t last = (size_t)g->m.sm_count - 1;
	struct ref_launch own = *l;

	own.kept = g->kept;
	own.kept_lines = g->kept_lines;
	own.held = g->held;
	own.before = g->ctas;
	for (size_t i = 0; g->code && i < g->m.sm_count; i++)
		g->turned[i] = g->code[(i + g->first) % g->m.sm_count];
	own.front = g->turned;
	own.last = &last;
	*out = (struct ws_cycle_result){ .kernel = ws_strdup(l->launch.kernel), .launch = number,
					 .sms = (size_t)g->m.sm_count,
					 .slices = (size_t)g->m.l2_slices };
	out->sm = must(out->sms, sizeof *out->sm);
	out->slice = must(out->slices, sizeof *out->slice);
	g->launch = &l->launch;
	g->front = front(&l->launch, &g->m);
	g->stream = stream;
	g->site = must(l->launch.instructions * (l->launch.arrays + 1) + 1, sizeof *g->site);
	empty(g);
	if (g->m.l2_start == WS_L2_WARM || g->m.l2_start == WS_L2_COPIES)
		fill_l2(g);
	for (size_t i = 0; i < out->sms; i++)
		g->sm[i].stats = &out->sm[i];
	for (size_t i = 0; i < out->slices; i++)
		g->slice[i].stats = &out->slice[i];
	ref_meet(g, true, 0);
	ref_meet(g, false, 0);
	out->resident_ctas = ref_machine_run(&own, &g->m, g->seed, &unit, end);
	keep_code(g, &l->launch);
	g->first = (g->first + last + 1) % (size_t)g->m.sm_count;
	for (size_t i = 0; i < out->sms; i++) {
		out->sm[i].cycles = end[i];
		out->cycles = end[i] > out->cycles ? end[i] : out->cycles;
	}
	for (size_t i = 0; i < out->sms && g->sm[i].l1->words; i++)
		for (uint64_t p = 0; p < g->m.l1_parts; p++)
			grain_add(&out->sm[i].grain, g->sm[i].l1[p].words);
	stream->cycles = g->cycles_before = out->cycles;
	gather_parts(g, out);
	free(g->site);
	free(end);
}

void ref_gpu_free(struct ref_gpu *g)
{
	empty(g);
	for (size_t i = 0; i < g->m.sm_count; i++) {
		for (uint64_t p = 0; p < g->m.l1_parts; p++)
			ref_timed_end(&g->sm[i].l1[p]);
		for (uint64_t p = 0; p < 2 * g->m.l1_parts; p++)
			free(g->sm[i].tlb[p / 2][p % 2].entry);
		free(g->sm[i].coming.item);
		free(g->sm[i].tlb);
		free(g->sm[i].l1);
	}
	for (size_t i = 0; i < g->m.l2_slices; i++) {
		free(g->slice[i].come.item);
		ref_timed_end(&g->slice[i].l2);
	}
	for (size_t i = 0; g->dram && i < g->channels; i++)
		ref_dram_free(g->dram[i]);
	free(g->dram);
	free_crossbar(&g->out);
	free_crossbar(&g->back);
	if (g->to_sms) {
		ref_router_free(g->to_slices);
		ref_router_free(g->to_sms);
	}
	for (size_t i = 0; g->code && i < g->m.sm_count; i++)
		ref_front_free(g->code[i]);
	free(g->code);
	free(g->turned);
	free(g->kept);
	free(g->held);
	free(g->sm);
	free(g->slice);
	free(g->channel);
	free(g->row);
	free(g->last);
	free(g);
}
