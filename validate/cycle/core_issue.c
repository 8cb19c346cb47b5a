/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/core_issue.c -- a memory op enters the load-store unit of one SM (core.h).
 *
 * Compiled for plain launches, too: core.c.
 */
#include <assert.h>
#include <string.h>

#include "validate/cycle/core.h"

static enum ws_status load_take(struct ws_core *c, uint32_t *number, struct ws_err *err)
{
	if (c->loads_free) {
		*number = c->loads_free - 1;
		c->loads_free = c->loads[*number].next;
		return WS_OK;
	}
	if (!WS_ROOM(c->loads, c->loads_cap, c->loads_used + (size_t)1))
		return ws_fail_memory(err, "loads of an SM");
	*number = c->loads_used++;
	return WS_OK;
}

static inline bool is_below(const struct ws_request *a, const struct ws_request *b)
{
	return a->address < b->address || (a->address == b->address && a->sectors < b->sectors);
}

static void swap_requests(struct ws_core_op *op, size_t i, size_t k)
{
	struct ws_request r = op->request[i];

	op->request[i] = op->request[k];
	op->request[k] = r;
	if (op->known) {
		struct ws_written w = op->written[i];

		op->written[i] = op->written[k];
		op->written[k] = w;
	}
}

/* From the highest address down; most come in the other order. */
static void let_fall(struct ws_core_op *op, size_t count, bool turns)
{
	for (size_t i = 0; i < count / 2; i++)
		swap_requests(op, i, count - 1 - i);
	for (size_t i = 1; i < count; i++)
		for (size_t k = i; k && is_below(&op->request[k - 1], &op->request[k]); k--)
			swap_requests(op, k - 1, k);
	for (size_t i = 0; i < count; i++)
		op->request[i].follows = i && !turns;
}

/* What an op writes, if that is known. */
static bool keep_written(struct ws_core_op *to, const struct ws_lsu_op *op)
{
	to->known = op->written != NULL;
	if (!to->known)
		return true;
	if (!WS_ROOM(to->written, to->written_cap, op->count))
		return false;
	memcpy(to->written, op->written, op->count * sizeof *op->written);
	return true;
}

static WS_INLINE void make_requests(const struct ws_core *c, bool plain, struct ws_request *r,
				    const struct ws_lsu_op *op)
{
	uint8_t part = plain ? 0 : ws_l1_part(c->machine, op->warp);

	for (size_t i = 0; i < op->count; i++, r++) {
		r->address = op->address[i];
		r->sectors = op->sectors[i];
		r->instruction = op->instruction;
		r->cta = op->cta;
		r->warp = op->number;
		/* Requests that take turns with another op's are no neighbours in the stream. */
		r->follows = i && (plain || !c->turns);
		r->part = part & 0x1fu;
		r->fetch = 0;
		ws_request_classify(r, op->kind, op->past);
	}
}

static WS_INLINE enum ws_status issue(struct ws_core *c, bool plain, const struct ws_lsu_op *op,
				      uint64_t cycle, struct ws_err *err)
{
	struct ws_core_op *to = plain ? c->op : ws_core_nth(c, c->held);
	enum ws_status status = WS_OK;

	assert(c->held < c->ops);
	if (!WS_ROOM(to->request, to->cap, op->count) || (!plain && !keep_written(to, op)))
		return ws_fail_memory(err, "a load-store unit");
	make_requests(c, plain, to->request, op);
	if (!plain && c->machine->sm_lsu_requests == WS_REQUESTS_FALLING)
		let_fall(to, op->count, c->turns);
	to->requests = op->count;
	to->next = 0;
	to->load = WS_NONE;
	if (op->count && (op->kind != WS_STORE || (!plain && c->acknowledged))) {
		status = load_take(c, &to->load, err);
		if (status != WS_OK)
			return status;
		c->loads[to->load] = (struct ws_core_load){
			.issued = plain ? cycle : cycle > c->entry ? cycle - c->entry : 0,
			.left = (uint32_t)op->count, .warp = op->warp, .ticket = op->ticket,
			.store = op->kind == WS_STORE };
	}
	c->held++;
	c->lsu.free = plain || c->held == c->ops ? WS_LSU_BUSY : cycle + 1;
	c->lsu.due = cycle;
	return WS_OK;
}

enum ws_status ws_core_issue_plain(struct ws_lsu *u, const struct ws_lsu_op *op, uint64_t cycle,
				   struct ws_err *err)
{
	return issue((struct ws_core *)u, true, op, cycle, err);
}

enum ws_status ws_core_issue(struct ws_lsu *u, const struct ws_lsu_op *op, uint64_t cycle,
			     struct ws_err *err)
{
	return issue((struct ws_core *)u, false, op, cycle, err);
}
