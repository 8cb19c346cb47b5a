/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/cycle_dram.c -- DRAM of banks, every tick of every channel; times since the last
 * command of each kind.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/ref/cycle_gpu.h"
#include "tests/ref/must.h"

#define LONG_AGO (-(1ll << 40))

struct asked {
	size_t slice;
	uint64_t bank, row, entered, bursts, since, due, waited;
	bool write;
	struct ref_mshr *mshr;	/* of a read */
};

struct ref_bank {
	struct asked *at;	/* that it serves */
	struct ref_list waiting;
	bool open;
	uint64_t row;
	int64_t opened, closed, read, written;
};

struct ref_dram {
	struct ref_gpu *g;
	struct ws_dram_timing of;
	size_t first, slices;	/* of the machine */
	struct ref_list *queue;
	unsigned *own, shared;
	size_t last;
	struct ref_list delayed, passed, bus, back;
	struct ref_bank *bank;
	int64_t *group_column, *group_read;
	int64_t column, opened, read, written, tick;
	uint64_t cycle;
	double begins, at;	/* sums: of cycles, and of ticks */
	double origin, origin_at;	/* the same as the launch began */
	bool begun;		/* there was a launch */
	uint64_t p;
};

struct ref_dram *ref_dram_new(struct ref_gpu *g, size_t channel)
{
	struct ref_dram *d = must(1, sizeof *d);
	struct ws_err err;

	d->g = g;
	if (ws_dram_timing_read(&g->m, &d->of, &err) != WS_OK)
		abort();
	d->slices = (size_t)(g->m.l2_slices / g->channels);
	d->first = channel * d->slices;
	d->queue = must(d->slices, sizeof *d->queue);
	d->own = must(d->slices, sizeof *d->own);
	d->bank = must(d->of.t[WS_DRAM_BANKS], sizeof *d->bank);
	d->group_column = must(d->of.t[WS_DRAM_GROUPS], sizeof *d->group_column);
	d->group_read = must(d->of.t[WS_DRAM_GROUPS], sizeof *d->group_read);
	return d;
}

/* So many cycles went by, with the ticks that were done in them. */
static void pass_time(struct ref_dram *d, uint64_t cycles)
{
	for (uint64_t i = 0; i < cycles; i++) {
		while (d->origin_at <= d->origin)
			d->origin_at += 1 / (1000.0 * (double)d->g->m.dram_ticks);
		d->origin += 1 / (1000.0 * (double)d->g->m.dram_ticks_cycles);
	}
}

void ref_dram_empty(struct ref_dram *d)
{
	bool keeps = d->g->m.l2_start == WS_L2_KEEP && d->begun;

	if (keeps)
		pass_time(d, d->g->cycles_before);
	else
		d->origin = d->origin_at = 0;

	for (size_t i = 0; i < d->slices; i++) {
		ref_list_free(&d->queue[i]);
		d->own[i] = 0;
	}
	for (size_t i = 0; i < d->of.t[WS_DRAM_BANKS]; i++) {
		ref_list_free(&d->bank[i].waiting);
		free(d->bank[i].at);
		d->bank[i] = (struct ref_bank){ .opened = LONG_AGO, .closed = LONG_AGO,
						.read = LONG_AGO, .written = LONG_AGO,
						.row = keeps ? d->bank[i].row : 0,
						.open = keeps && d->bank[i].open };
	}
	for (size_t i = 0; i < d->of.t[WS_DRAM_GROUPS]; i++)
		d->group_column[i] = d->group_read[i] = LONG_AGO;
	ref_list_free(&d->delayed);
	ref_list_free(&d->passed);
	ref_list_free(&d->bus);
	ref_list_free(&d->back);
	d->column = d->opened = d->read = d->written = LONG_AGO;
	d->tick = 0;
	d->cycle = 0;
	d->begins = d->origin;
	d->at = d->origin_at;
	d->shared = 0;
	d->p = keeps ? d->p : 0;
	d->last = keeps ? d->last : d->slices - 1;
	d->begun = true;
}

void ref_dram_free(struct ref_dram *d)
{
	ref_dram_empty(d);
	free(d->queue);
	free(d->own);
	free(d->bank);
	free(d->group_column);
	free(d->group_read);
	free(d);
}

void ref_dram_ask(struct ref_dram *d, size_t slice, uint64_t address, uint64_t bytes,
		  struct ref_mshr *mshr, uint64_t entered)
{
	struct asked *a = must(1, sizeof *a);

	*a = (struct asked){ .slice = slice - d->first, .entered = entered, .write = !mshr,
			     .mshr = mshr };
	a->bursts = mshr ? 1 : (bytes + d->g->m.dram_atom - 1) / d->g->m.dram_atom;
	ws_dram_place(&d->g->m, &d->of, address, &a->bank, &a->row);
	ref_list_add(&d->queue[a->slice], a);
}

size_t ref_dram_waiting(const struct ref_dram *d, size_t slice)
{
	return d->queue[slice - d->first].count;
}

bool ref_dram_busy(const struct ref_dram *d)
{
	bool any = d->delayed.count || d->passed.count || d->bus.count || d->back.count;

	for (size_t i = 0; i < d->slices; i++)
		any |= d->queue[i].count > 0;
	for (size_t i = 0; i < d->of.t[WS_DRAM_BANKS]; i++)
		any |= d->bank[i].at || d->bank[i].waiting.count;
	return any;
}

static void over(struct ref_dram *d, struct asked *a)
{
	if (d->own[a->slice])
		d->own[a->slice]--;
	else
		d->shared--;
	free(a);
}

static void give_back(struct ref_dram *d)
{
	struct asked *a;

	if (d->back.count) {
		struct ref_slice *s;

		a = ref_list_take(&d->back, 0);
		s = &d->g->slice[d->first + a->slice];
		s->stats->dram_wait_sum += a->waited;
		if (--a->mshr->sectors == 0)
			ref_list_add(&s->come, a->mshr);
		over(d, a);
	}
	while (d->bus.count && (a = d->bus.item[0])->due <= (uint64_t)d->tick &&
	       d->back.count < d->of.t[WS_DRAM_RETURN]) {
		ref_list_take(&d->bus, 0);
		if (a->write)
			over(d, a);
		else
			ref_list_add(&d->back, a);
	}
}

static size_t waiting(const struct ref_dram *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->of.t[WS_DRAM_BANKS]; i++)
		n += d->bank[i].waiting.count;
	return n;
}

static void schedule(struct ref_dram *d)
{
	uint64_t banks = d->of.t[WS_DRAM_BANKS];

	while (d->passed.count) {
		struct asked *a = ref_list_take(&d->passed, 0);

		ref_list_add(&d->bank[a->bank].waiting, a);
	}
	for (uint64_t n = 0; n < banks; n++) {
		struct ref_bank *b = &d->bank[(n + d->p) % banks];
		size_t i = 0;

		if (b->at || !b->waiting.count)
			continue;
		while (i < b->waiting.count && ((struct asked *)b->waiting.item[i])->row != b->row)
			i++;
		b->at = ref_list_take(&b->waiting, i < b->waiting.count ? i : 0);
		d->p = (d->p + 1) % banks;
		return;
	}
}

/* Ticks since then are as many as a time says, or more. */
static bool since(const struct ref_dram *d, int64_t then, int64_t ticks)
{
	return d->tick - then >= ticks;
}

static int64_t time_of(const struct ref_dram *d, enum ws_dram_time t)
{
	return (int64_t)d->of.t[t];
}

static uint64_t group_of(const struct ref_dram *d, uint64_t bank)
{
	uint64_t groups = d->of.t[WS_DRAM_GROUPS], banks = d->of.t[WS_DRAM_BANKS];

	return d->of.t[WS_DRAM_LOW] ? bank % groups : bank / (banks / groups) % groups;
}

static bool column(struct ref_dram *d, uint64_t k)
{
	struct ref_bank *b = &d->bank[k];
	uint64_t group = group_of(d, k), cycle;
	int64_t cl = time_of(d, WS_DRAM_CL), wl = time_of(d, WS_DRAM_WL);
	int64_t bl = time_of(d, WS_DRAM_BL), rcd = time_of(d, WS_DRAM_RCD);
	struct asked *a = b->at;

	if (!a || !b->open || b->row != a->row || !since(d, d->column, time_of(d, WS_DRAM_CCD)) ||
	    !since(d, d->group_column[group], time_of(d, WS_DRAM_CCDL)) ||
	    !since(d, b->opened, a->write ? rcd - wl - 1 : rcd))
		return false;
	if (a->write ? !since(d, d->read, cl + bl + 2 - wl)
		     : !since(d, d->written, wl + bl + time_of(d, WS_DRAM_CDLR)))
		return false;
	d->column = d->group_column[group] = d->tick;
	if (a->write)
		d->written = b->written = d->tick;
	else
		d->read = b->read = d->group_read[group] = d->tick;
	if (--a->bursts)
		return true;
	cycle = a->entered + d->g->m.dram_wait_cycles;
	a->waited = d->g->cycle > cycle ? d->g->cycle - cycle : 0;
	a->due = (uint64_t)(d->tick + (a->write ? wl : cl));
	ref_list_add(&d->bus, a);
	b->at = NULL;
	return true;
}

static bool row(struct ref_dram *d, uint64_t k)
{
	struct ref_bank *b = &d->bank[k];
	int64_t written = time_of(d, WS_DRAM_WL) + time_of(d, WS_DRAM_BL) + time_of(d, WS_DRAM_WR);

	if (!b->at)
		return false;
	if (!b->open) {
		if (!since(d, d->opened, time_of(d, WS_DRAM_RRD)) ||
		    !since(d, b->closed, time_of(d, WS_DRAM_RP)) ||
		    !since(d, b->opened, time_of(d, WS_DRAM_RC)))
			return false;
		b->open = true;
		b->row = b->at->row;
		d->opened = b->opened = d->tick;
	} else {
		if (b->row == b->at->row || !since(d, b->opened, time_of(d, WS_DRAM_RAS)) ||
		    !since(d, b->written, written) || !since(d, b->read, time_of(d, WS_DRAM_BL)) ||
		    !since(d, d->group_read[group_of(d, k)],
			   time_of(d, WS_DRAM_RTPL)))
			return false;
		b->open = false;
		b->closed = d->tick;
	}
	d->p = (k + 1) % d->of.t[WS_DRAM_BANKS];
	return true;
}

static void command(struct ref_dram *d)
{
	uint64_t banks = d->of.t[WS_DRAM_BANKS];
	bool columns = false, rows = false;

	if (d->of.t[WS_DRAM_BUS] == 2) {
		for (uint64_t n = 0; n < banks && !columns; n++)
			columns = column(d, (n + d->p) % banks);
		for (uint64_t n = 0; n < banks && !rows; n++)
			rows = row(d, (n + d->p) % banks);
		return;
	}
	for (uint64_t n = 0; n < banks && !columns; n++) {
		uint64_t k = (n + d->p) % banks;

		columns = column(d, k);
		rows = rows || (!columns && row(d, k));
	}
}

static void admit(struct ref_dram *d)
{
	uint64_t places = d->of.t[WS_DRAM_QUEUE] + d->of.t[WS_DRAM_RETURN] - (d->slices - 1);
	uint64_t all = d->of.t[WS_DRAM_QUEUE] + d->of.t[WS_DRAM_RETURN] + 1;

	places = all > d->slices ? places : 0;
	for (size_t n = 0; n < d->slices; n++) {
		size_t s = (d->last + 1 + n) % d->slices;
		struct asked *a = d->queue[s].count ? d->queue[s].item[0] : NULL;

		if (!a || a->entered >= d->g->cycle || (d->own[s] && d->shared >= places))
			continue;
		if (waiting(d) >= d->of.t[WS_DRAM_QUEUE])
			return;
		ref_list_take(&d->queue[s], 0);
		if (d->own[s])
			d->shared++;
		else
			d->own[s] = 1;
		a->since = d->g->cycle;
		ref_list_add(&d->delayed, a);
		d->last = s;
		return;
	}
}

void ref_dram_cycle(struct ref_dram *d)
{
	for (; d->cycle < d->g->cycle; d->cycle++)
		d->begins += 1 / (1000.0 * (double)d->g->m.dram_ticks_cycles);
	for (; d->at <= d->begins; d->at += 1 / (1000.0 * (double)d->g->m.dram_ticks)) {
		give_back(d);
		schedule(d);
		command(d);
		admit(d);
		if (d->delayed.count && waiting(d) < d->of.t[WS_DRAM_QUEUE] &&
		    ((struct asked *)d->delayed.item[0])->since + d->g->m.dram_wait_cycles <=
		    d->g->cycle)
			ref_list_add(&d->passed, ref_list_take(&d->delayed, 0));
		d->tick++;
	}
}
