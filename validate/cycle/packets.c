/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/packets.c -- queues of packets, and many of them merged into one by arrival.
 */
#include "validate/cycle/run.h"

#include <stdlib.h>
#include <string.h>

#define FEW 24u	/* packets that are sorted by insertion */

enum ws_status ws_packets_room(struct ws_packets *p, struct ws_err *err)
{
	if (p->head >= p->cap / 2 && p->head) {
		memmove(p->packet, &p->packet[p->head],
			(p->count - p->head) * sizeof *p->packet);
		p->count -= p->head;
		p->head = 0;
		return WS_OK;
	}
	if (!WS_ROOM(p->packet, p->cap, p->count + 1))
		return ws_fail_memory(err, "a queue of packets");
	return WS_OK;
}

void ws_packets_clear(struct ws_packets *p)
{
	free(p->packet);
	*p = (struct ws_packets){ 0 };
}

/* ---- merging --------------------------------------------------------------------------- */

static enum ws_status make_room_for_packets(struct ws_merger *g, size_t count, uint64_t span,
					    struct ws_err *err)
{
	if (!WS_ROOM(g->order, g->cap, count))
		return ws_fail_memory(err, "packets on their way");
	if (!WS_ROOM(g->place, g->places, (size_t)span + 1))
		return ws_fail_memory(err, "packets on their way");
	return WS_OK;
}

/* By counting: a window has few cycles. */
static void sort_many(struct ws_merger *g, struct ws_packets *const *list, size_t lists,
		      uint64_t first, uint64_t span)
{
	memset(g->place, 0, ((size_t)span + 1) * sizeof *g->place);
	for (size_t i = 0; i < lists; i++) {
		for (size_t k = list[i]->head; k < list[i]->count; k++)
			g->place[list[i]->packet[k].arrival - first + 1]++;
	}
	for (uint64_t c = 1; c < span; c++)
		g->place[c] += g->place[c - 1];
	for (size_t i = 0; i < lists; i++) {
		for (size_t k = list[i]->head; k < list[i]->count; k++) {
			const struct ws_packet *p = &list[i]->packet[k];

			g->order[g->place[p->arrival - first]++] = p;
		}
	}
}

static void sort_few(struct ws_merger *g, struct ws_packets *const *list, size_t lists)
{
	size_t n = 0;

	for (size_t i = 0; i < lists; i++) {
		for (size_t k = list[i]->head; k < list[i]->count; k++) {
			const struct ws_packet *p = &list[i]->packet[k];
			size_t at = n++;

			for (; at && g->order[at - 1]->arrival > p->arrival; at--)
				g->order[at] = g->order[at - 1];
			g->order[at] = p;
		}
	}
}

enum ws_status ws_merge(struct ws_merger *g, struct ws_packets *const *list, size_t lists,
			uint64_t first, uint64_t span, struct ws_err *err)
{
	size_t count = 0;
	enum ws_status status;

	g->count = 0;
	for (size_t i = 0; i < lists; i++)
		count += list[i]->count - list[i]->head;
	if (!count)
		return WS_OK;
	status = make_room_for_packets(g, count, span, err);
	if (status != WS_OK)
		return status;
	g->count = count;
	if (lists > 1 && count > FEW)
		sort_many(g, list, lists, first, span);
	else
		sort_few(g, list, lists);
	for (size_t i = 0; i < lists; i++)
		list[i]->head = list[i]->count = 0; /* what is there stays for now */
	return WS_OK;
}

void ws_merger_clear(struct ws_merger *g)
{
	free(g->order);
	free(g->place);
	*g = (struct ws_merger){ 0 };
}
