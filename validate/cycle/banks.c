/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/banks.c -- the DRAM of one channel, as banks, tick by tick.
 *
 * A request is in one list at a time: its slice's queue, those that wait for dram.wait, those that
 * wait for their bank, a bank's own, data on the bus, data for a slice.  Times are absolute, in
 * ticks, so that ticks without a request need not be looked at.
 */
#include "validate/cycle/banks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define NEVER UINT64_MAX

struct request {
	struct ws_bank_request r;
	uint64_t row, bank;
	uint64_t due;		/* cycle, tick */
	uint64_t waited;
	uint32_t next;		/* in its list; free ones: the next */
};

struct list {
	uint32_t first, last;
	size_t count;
};

struct bank {
	struct list waiting;	/* oldest first */
	uint32_t served;	/* or NONE */
	uint64_t row;
	bool active;
	/* The first tick of: */
	uint64_t read, write, precharge, idle, activate;
	uint64_t read_precharge;
};

struct group {
	uint64_t column, precharge;
};

struct ws_banks {
	const struct ws_machine *machine;
	struct ws_dram_timing timing;
	struct ws_dram_clock clock, start; /* start: as the launch began */
	struct request *request;
	size_t cap;
	uint32_t used, vacant;
	size_t slices, waiting;	/* requests that wait for their bank */
	struct list *queue;	/* [slices] */
	size_t *own;		/* [slices]: of its requests, beyond the queue, on its own place */
	size_t shared;		/* likewise, on those of all */
	size_t last;		/* slice that was served last */
	struct list delayed, arrived, bus, back;
	struct bank *bank;
	struct group *group;
	uint64_t column, activate, read, write; /* first ticks of the channel's commands */
	uint64_t first_bank;	/* that is asked first */
	size_t busy;		/* requests beyond .delayed */
	bool begun;		/* there was a launch */
	struct ws_bank_data *data;
	size_t data_cap, data_count;
};

/* ---- lists ------------------------------------------------------------------------------ */

static const struct list empty = { NONE, NONE, 0 };

static void append(struct ws_banks *b, struct list *l, uint32_t i)
{
	b->request[i].next = NONE;
	if (l->count++)
		b->request[l->last].next = i;
	else
		l->first = i;
	l->last = i;
}

static uint32_t take(struct ws_banks *b, struct list *l)
{
	uint32_t i = l->first;

	assert(l->count && i < b->used);
	l->first = b->request[i].next;
	l->count--;
	return i;
}

/* The one after `before`, or the first. */
static void take_after(struct ws_banks *b, struct list *l, uint32_t before)
{
	uint32_t i;

	if (before == NONE) {
		take(b, l);
		return;
	}
	i = b->request[before].next;
	b->request[before].next = b->request[i].next;
	l->last = l->last == i ? before : l->last;
	l->count--;
}

/* ---- life ------------------------------------------------------------------------------- */

enum ws_status ws_banks_new(struct ws_banks **out, const struct ws_machine *m, size_t slices,
			    struct ws_err *err)
{
	struct ws_banks *b = ws_alloc_zero(1, sizeof *b);
	enum ws_status status;

	*out = NULL;
	if (!b)
		return ws_fail_memory(err, "DRAM");
	b->machine = m;
	b->slices = slices;
	status = ws_dram_timing_read(m, &b->timing, err);
	if (status == WS_OK) {
		b->queue = ws_alloc_zero(slices, sizeof *b->queue);
		b->own = ws_alloc_zero(slices, sizeof *b->own);
		b->bank = ws_alloc_zero((size_t)b->timing.t[WS_DRAM_BANKS], sizeof *b->bank);
		b->group = ws_alloc_zero((size_t)b->timing.t[WS_DRAM_GROUPS], sizeof *b->group);
		if (!b->queue || !b->own || !b->bank || !b->group)
			status = ws_fail_memory(err, "DRAM");
	}
	if (status != WS_OK) {
		ws_banks_free(b);
		return status;
	}
	*out = b;
	return WS_OK;
}

void ws_banks_free(struct ws_banks *b)
{
	if (!b)
		return;
	free(b->request);
	free(b->queue);
	free(b->own);
	free(b->bank);
	free(b->group);
	free(b->data);
	free(b);
}

/* Times are added up, as GPGPU-Sim adds them (next_clock_domain): where a tick and a cycle would be
 * at once, which is first depends on how sums are rounded. */
void ws_dram_clock_start(struct ws_dram_clock *c, const struct ws_machine *m)
{
	*c = (struct ws_dram_clock){ .tick_takes = 1 / (1e3 * (double)m->dram_ticks),
				     .cycle_takes = 1 / (1e3 * (double)m->dram_ticks_cycles) };
}

static void next_tick(struct ws_dram_clock *c)
{
	c->tick++;
	c->at += c->tick_takes;
	while (c->begins < c->at) {
		c->cycle++;
		c->begins += c->cycle_takes;
	}
}

void ws_dram_clock_go_on(struct ws_dram_clock *c, uint64_t cycles)
{
	while (c->cycle < cycles)
		next_tick(c);
	c->cycle -= cycles;
	c->tick = 0;
}

/* Rows that are open stay so, of a memory that is kept; all else is long ago. */
static void launch_banks(struct ws_banks *b, bool keeps)
{
	for (size_t i = 0; i < b->timing.t[WS_DRAM_BANKS]; i++) {
		struct bank *k = &b->bank[i];

		*k = (struct bank){ .waiting = empty, .served = NONE,
				    .row = keeps ? k->row : 0, .active = keeps && k->active };
	}
	if (!keeps) {
		b->first_bank = 0;
		b->last = b->slices - 1;
	}
}

void ws_banks_launch(struct ws_banks *b, const struct ws_dram_clock *clock)
{
	bool keeps = b->begun && b->machine->l2_start == WS_L2_KEEP;

	launch_banks(b, keeps);
	b->clock = b->start = *clock;
	b->begun = true;
	memset(b->group, 0, (size_t)b->timing.t[WS_DRAM_GROUPS] * sizeof *b->group);
	memset(b->own, 0, b->slices * sizeof *b->own);
	for (size_t i = 0; i < b->slices; i++)
		b->queue[i] = empty;
	b->delayed = b->arrived = b->bus = b->back = empty;
	b->column = b->activate = b->read = b->write = 0;
	b->shared = b->busy = b->waiting = 0;
	b->used = 0;
	b->vacant = NONE;
}

/* ---- time ------------------------------------------------------------------------------- */

/* The cycle of the first tick after the phases of one. */
static uint64_t cycle_after(const struct ws_banks *b, uint64_t cycle)
{
	struct ws_dram_clock c = b->clock;

	while (c.cycle <= cycle)
		next_tick(&c);
	return c.cycle;
}

enum ws_status ws_banks_add(struct ws_banks *b, const struct ws_bank_request *r,
			    struct ws_err *err)
{
	uint32_t i = b->vacant;
	struct request *to;

	assert(r->slice < b->slices && r->bursts);
	if (i == NONE) {
		if (!WS_ROOM(b->request, b->cap, b->used + (size_t)1))
			return ws_fail_memory(err, "requests of DRAM");
		i = b->used++;
	} else {
		b->vacant = b->request[i].next;
	}
	to = &b->request[i];
	*to = (struct request){ .r = *r };
	ws_dram_place(b->machine, &b->timing, r->address, &to->bank, &to->row);
	assert(to->bank < b->timing.t[WS_DRAM_BANKS]);
	append(b, &b->queue[r->slice], i);
	return WS_OK;
}

size_t ws_banks_waiting(const struct ws_banks *b, size_t slice)
{
	return b->queue[slice].count;
}

uint64_t ws_banks_due(const struct ws_banks *b)
{
	uint64_t first = NEVER;

	if (b->busy)
		return b->clock.cycle;
	if (b->delayed.count)
		first = b->request[b->delayed.first].due;
	for (size_t i = 0; i < b->slices; i++)
		if (b->queue[i].count) {
			uint64_t entered = b->request[b->queue[i].first].r.entered;
			uint64_t cycle = cycle_after(b, entered);

			first = cycle < first ? cycle : first;
		}
	if (first == NEVER)
		return NEVER;
	return first > b->clock.cycle ? first : b->clock.cycle;
}

/* ---- a tick ----------------------------------------------------------------------------- */

/* The request is over: its place among those of its slice, or of all, is free. */
static void end_request(struct ws_banks *b, uint32_t i)
{
	size_t slice = b->request[i].r.slice;

	assert(b->busy && (b->own[slice] || b->shared));
	if (b->own[slice])
		b->own[slice]--;
	else
		b->shared--;
	b->request[i].next = b->vacant;
	b->vacant = i;
	b->busy--;
}

/* Data of a tick before goes to its slice; what leaves the bus waits for that. */
static enum ws_status give_back(struct ws_banks *b, struct ws_err *err)
{
	if (b->back.count) {
		uint32_t i = take(b, &b->back);
		const struct request *r = &b->request[i];

		if (!WS_ROOM(b->data, b->data_cap, b->data_count + 1))
			return ws_fail_memory(err, "DRAM");
		b->data[b->data_count++] =
			(struct ws_bank_data){ r->r.slice, r->r.ticket, r->waited };
		end_request(b, i);
	}
	while (b->bus.count && b->request[b->bus.first].due <= b->clock.tick &&
	       b->back.count < b->timing.t[WS_DRAM_RETURN]) {
		uint32_t i = take(b, &b->bus);

		if (b->request[i].r.write)
			end_request(b, i);
		else
			append(b, &b->back, i);
	}
	return WS_OK;
}

/* The oldest that waits for the row that the bank had last, or the oldest. */
static uint32_t choose(struct ws_banks *b, struct bank *k)
{
	uint32_t before = NONE;

	for (uint32_t i = k->waiting.first; i != NONE; before = i, i = b->request[i].next)
		if (b->request[i].row == k->row) {
			take_after(b, &k->waiting, before);
			return i;
		}
	return take(b, &k->waiting);
}

/* A bank that serves none is given one of its requests. */
static void schedule(struct ws_banks *b)
{
	uint64_t banks = b->timing.t[WS_DRAM_BANKS];

	while (b->arrived.count) {
		uint32_t i = take(b, &b->arrived);

		append(b, &b->bank[b->request[i].bank].waiting, i);
		b->waiting++;
	}
	for (uint64_t n = 0; n < banks && b->waiting; n++) {
		struct bank *k = &b->bank[(n + b->first_bank) % banks];

		if (k->served != NONE || !k->waiting.count)
			continue;
		k->served = choose(b, k);
		b->waiting--;
		b->first_bank = (b->first_bank + 1) % banks;
		break;
	}
}

static struct group *group_of(struct ws_banks *b, const struct bank *k)
{
	return &b->group[ws_dram_group(&b->timing, (uint64_t)(k - b->bank))];
}

static void begin_column(struct ws_banks *b, struct bank *k, const struct request *r)
{
	const uint64_t *t = b->timing.t;
	struct group *g = group_of(b, k);
	uint64_t now = b->clock.tick;

	b->column = now + t[WS_DRAM_CCD];
	g->column = now + t[WS_DRAM_CCDL];
	if (r->r.write) {
		b->read = now + t[WS_DRAM_WL] + t[WS_DRAM_BL] + t[WS_DRAM_CDLR];
		now += t[WS_DRAM_WL] + t[WS_DRAM_BL] + t[WS_DRAM_WR];
		k->precharge = k->precharge > now ? k->precharge : now;
		return;
	}
	now += t[WS_DRAM_CL] + t[WS_DRAM_BL] + 2;
	b->write = now > t[WS_DRAM_WL] ? now - t[WS_DRAM_WL] : 0;
	k->read_precharge = b->clock.tick + t[WS_DRAM_BL];
	g->precharge = b->clock.tick + t[WS_DRAM_RTPL];
}

/* A burst; true if it could be asked for. */
static bool column_command(struct ws_banks *b, struct bank *k)
{
	struct request *r = k->served == NONE ? NULL : &b->request[k->served];
	uint64_t now = b->clock.tick, waits, entered;

	if (!r || !k->active || k->row != r->row || b->column > now ||
	    group_of(b, k)->column > now || (r->r.write ? k->write : k->read) > now ||
	    (r->r.write ? b->write : b->read) > now)
		return false;
	assert(r->r.bursts);
	begin_column(b, k, r);
	if (--r->r.bursts)
		return true;
	entered = r->r.entered + b->machine->dram_wait_cycles;
	waits = b->clock.cycle;
	r->waited = waits > entered ? waits - entered : 0;
	r->due = now + b->timing.t[r->r.write ? WS_DRAM_WL : WS_DRAM_CL];
	append(b, &b->bus, k->served);
	k->served = NONE;
	return true;
}

/* An activate or a precharge. */
static bool row_command(struct ws_banks *b, struct bank *k)
{
	const uint64_t *t = b->timing.t;
	uint64_t now = b->clock.tick, row = k->served == NONE ? 0 : b->request[k->served].row;

	if (k->served == NONE)
		return false;
	if (!k->active && b->activate <= now && k->idle <= now && k->activate <= now) {
		k->row = row;
		k->active = true;
		b->activate = now + t[WS_DRAM_RRD];
		k->read = now + t[WS_DRAM_RCD];
		k->write = k->read > t[WS_DRAM_WL] + 1 ? k->read - t[WS_DRAM_WL] - 1 : 0;
		k->precharge = k->precharge > now + t[WS_DRAM_RAS] ? k->precharge
								   : now + t[WS_DRAM_RAS];
		k->activate = now + t[WS_DRAM_RC];
	} else if (k->active && k->row != row && k->precharge <= now &&
		   k->read_precharge <= now && group_of(b, k)->precharge <= now) {
		k->active = false;
		k->idle = now + t[WS_DRAM_RP];
	} else {
		return false;
	}
	b->first_bank = (uint64_t)(k - b->bank + 1) % t[WS_DRAM_BANKS];
	return true;
}

/* Which bank is asked next follows from the last row command, of this tick, too. */
static void command(struct ws_banks *b)
{
	uint64_t banks = b->timing.t[WS_DRAM_BANKS];
	bool twice = b->timing.t[WS_DRAM_BUS] == 2, column = false, row = false;

	for (uint64_t n = 0; n < banks && !column; n++) {
		struct bank *k = &b->bank[(n + b->first_bank) % banks];

		column = column_command(b, k);
		if (!twice && !column && !row)
			row = row_command(b, k);
	}
	for (uint64_t n = 0; n < banks && twice && !row; n++)
		row = row_command(b, &b->bank[(n + b->first_bank) % banks]);
}

static bool has_place(const struct ws_banks *b, size_t slice)
{
	const uint64_t *t = b->timing.t;

	return !b->own[slice] ||
	       b->shared + b->slices < t[WS_DRAM_QUEUE] + t[WS_DRAM_RETURN] + 1;
}

static bool full(const struct ws_banks *b)
{
	return b->waiting >= b->timing.t[WS_DRAM_QUEUE];
}

/* One request of the slices, that after the last in turn, begins to wait. */
static void admit(struct ws_banks *b, uint64_t cycle)
{
	for (size_t n = 0; n < b->slices; n++) {
		size_t slice = (n + b->last + 1) % b->slices;
		struct list *q = &b->queue[slice];
		uint32_t i = q->first;

		if (!q->count || b->request[i].r.entered >= cycle || !has_place(b, slice))
			continue;
		if (full(b))
			return;
		take(b, q);
		if (!b->own[slice])
			b->own[slice]++;
		else
			b->shared++;
		b->request[i].due = cycle + b->machine->dram_wait_cycles;
		append(b, &b->delayed, i);
		b->last = slice;
		return;
	}
}

static enum ws_status run_tick(struct ws_banks *b, uint64_t cycle, struct ws_err *err)
{
	enum ws_status status = give_back(b, err);

	if (status != WS_OK)
		return status;
	if (b->busy) {
		schedule(b);
		command(b);
	}
	admit(b, cycle);
	if (b->delayed.count && b->request[b->delayed.first].due <= cycle && !full(b)) {
		append(b, &b->arrived, take(b, &b->delayed));
		b->busy++;
	}
	next_tick(&b->clock);
	return WS_OK;
}

enum ws_status ws_banks_run(struct ws_banks *b, uint64_t cycle, const struct ws_bank_data **data,
			    size_t *count, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	while (b->clock.cycle < cycle)
		next_tick(&b->clock);
	b->data_count = 0;
	while (status == WS_OK && b->clock.cycle == cycle)
		status = run_tick(b, cycle, err);
	*data = b->data;
	*count = b->data_count;
	return status;
}
