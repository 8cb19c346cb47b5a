/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/crossbar.c -- a switch with queues at its inputs.
 *
 * A heap has an item for each input with packets: a cycle before which its first packet does not
 * cross, and whose packet it is, so that of one cycle the oldest comes first.  The cycle is made
 * exact when the item is on top.
 */
#include "validate/cycle/crossbar.h"

#include "base/heap.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct ws_crossbar {
	bool replies;
	uint64_t width;
	size_t inputs, outputs;
	struct ws_packets *queue;	/* [inputs] */
	uint64_t *input_free, *output_free;
	struct ws_heap heap;
	struct ws_packet crossed;
};

void ws_crossbar_free(struct ws_crossbar *x)
{
	if (!x)
		return;
	for (size_t i = 0; x->queue && i < x->inputs; i++)
		ws_packets_clear(&x->queue[i]);
	free(x->queue);
	free(x->input_free);
	free(x->output_free);
	ws_heap_clear(&x->heap);
	free(x);
}

enum ws_status ws_crossbar_new(struct ws_crossbar **out, const struct ws_machine *m, bool replies,
			       struct ws_err *err)
{
	struct ws_crossbar *x = ws_alloc_zero(1, sizeof *x);
	size_t sms = (size_t)m->sm_count, slices = (size_t)m->l2_slices;

	*out = NULL;
	if (!x)
		return ws_fail_memory(err, "the crossbar");
	x->replies = replies;
	x->width = m->icnt_width;
	x->inputs = replies ? slices : sms;
	x->outputs = replies ? sms : slices;
	x->queue = ws_alloc_zero(x->inputs, sizeof *x->queue);
	x->input_free = ws_alloc_zero(x->inputs, sizeof *x->input_free);
	x->output_free = ws_alloc_zero(x->outputs, sizeof *x->output_free);
	if (!x->queue || !x->input_free || !x->output_free || !ws_heap_room(&x->heap, x->inputs)) {
		ws_crossbar_free(x);
		return ws_fail_memory(err, "the crossbar");
	}
	*out = x;
	return WS_OK;
}

void ws_crossbar_launch(struct ws_crossbar *x)
{
	if (!x)
		return;
	for (size_t i = 0; i < x->inputs; i++)
		ws_packets_empty(&x->queue[i]);
	memset(x->input_free, 0, x->inputs * sizeof *x->input_free);
	memset(x->output_free, 0, x->outputs * sizeof *x->output_free);
	x->heap.count = 0;
}

static size_t output_of(const struct ws_crossbar *x, const struct ws_packet *p)
{
	return x->replies ? p->sm : p->slice;
}

/* Orders packets: by arrival, and those of one cycle by their input. */
static size_t age_of(const struct ws_crossbar *x, const struct ws_packet *p, size_t input)
{
	return (size_t)p->arrival * x->inputs + input;
}

/* The cycle in which the first packet of an input crosses, if no other takes its output. */
static uint64_t crossing(const struct ws_crossbar *x, size_t input)
{
	const struct ws_packet *p = &x->queue[input].packet[x->queue[input].head];
	uint64_t cycle = p->arrival, there = x->output_free[output_of(x, p)];

	cycle = cycle > there ? cycle : there;
	return cycle > x->input_free[input] ? cycle : x->input_free[input];
}

enum ws_status ws_crossbar_add(struct ws_crossbar *x, const struct ws_packet *p,
			       struct ws_err *err)
{
	size_t input = x->replies ? p->slice : p->sm;
	struct ws_packets *q = &x->queue[input];
	bool first = q->head == q->count;
	enum ws_status status;

	assert(first || q->packet[q->count - 1].arrival <= p->arrival);
	status = ws_packets_add(q, p, err);
	if (status == WS_OK && first)
		ws_heap_push(&x->heap, crossing(x, input), age_of(x, p, input));
	return status;
}

uint64_t ws_crossbar_next(const struct ws_crossbar *x)
{
	return x && x->heap.count ? x->heap.item[0].key : UINT64_MAX;
}

const struct ws_packet *ws_crossbar_take(struct ws_crossbar *x, uint64_t until)
{
	while (x->heap.count && x->heap.item[0].key < until) {
		size_t input = x->heap.item[0].id % x->inputs;
		struct ws_packets *q = &x->queue[input];
		uint64_t cycle = crossing(x, input), bytes;

		assert(q->head < q->count && cycle >= x->heap.item[0].key);
		if (cycle > x->heap.item[0].key) {
			ws_heap_change_top(&x->heap, cycle);
			continue;
		}
		x->crossed = q->packet[q->head++];
		x->crossed.arrival = cycle;
		bytes = x->replies ? ws_reply_bytes(&x->crossed)
				   : ws_request_bytes(x->crossed.kind, x->crossed.sectors);
		cycle += ws_packet_cycles(bytes, x->width);
		x->input_free[input] = x->output_free[output_of(x, &x->crossed)] = cycle;
		if (q->head == q->count)
			ws_heap_pop(&x->heap);
		else
			ws_heap_replace_top(&x->heap, (struct ws_heap_item){
				crossing(x, input), age_of(x, &q->packet[q->head], input) });
		return &x->crossed;
	}
	return NULL;
}
