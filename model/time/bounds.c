/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/time/bounds.c -- one row for each bound: the cycles that the kernel would take if this were
 * its only limit.  To add one: a number in enum ws_bound, a row and a function here, a known answer
 * in tests/model/t-timing.c.
 *
 * Bounds of an SM are those of the busiest SM.  Requests of a kind are spread over the L2's slices
 * that their lines are in: few lines are served by few slices.
 */
#include "model/time/time.h"

#include <math.h>

#define HEADER_BYTES 8.0	/* of a packet: validate/cycle/cycle.h */

/* ---- the SM's front ---------------------------------------------------------------------- */

static double issue(const struct ws_bound_case *c)
{
	return (double)c->section->issued * c->busiest->fraction /
	       (double)c->machine->sm_schedulers;
}

/* Instructions come one by one, so each takes at least one look-up. */
static double lsu(const struct ws_bound_case *c)
{
	double memory = (double)c->section->warp_instructions;

	return (memory + fmax(0, c->requests - memory) / c->banks) * c->busiest->fraction;
}

/* Little's law: a warp's issue cycles and its waits for data, divided by the resident warps. */
static double latency(const struct ws_bound_case *c)
{
	const struct ws_busiest *w = c->busiest;

	return ((double)c->section->issued + (double)c->section->waits * c->wait) * w->fraction /
	       w->warps;
}

/* ---- its way to the L2 ------------------------------------------------------------------- */

static double mshr(const struct ws_bound_case *c)
{
	if (!c->machine->l1.ways) /* requests that bypass the L1 take no MSHR */
		return 0;
	return c->misses * c->busiest->fraction * c->fetch / (double)c->machine->l1.mshr_entries;
}

/* Cycles that a port takes for packets that carry so many sectors in all. */
static double port(double packets, double sectors, const struct ws_machine *m)
{
	double size = HEADER_BYTES + WS_SECTOR_BYTES * ws_per(sectors, packets);

	return packets * fmax(1, ceil(size / (double)m->icnt_width - 1e-9));
}

/* Cycles of all SMs' packets of this kind that carry data. */
static double data(const struct ws_bound_case *c, unsigned kind)
{
	return port(c->demand->requests[kind], c->demand->sectors[kind], c->machine);
}

/* A packet also takes a credit, which returns 2 N cycles after the packet is sent.  A launch ends
 * with its last warp, which does not wait for stores.  So the last stores may still be in the queue
 * then, and credits that return later are not waited for. */
static double send(const struct ws_bound_case *c)
{
	const struct ws_machine *m = c->machine;
	const struct ws_busiest *w = c->busiest;
	double loads = c->demand->requests[WS_LOAD], stores = c->demand->requests[WS_STORE];
	double atomic = c->demand->requests[WS_ATOMIC];
	double cycles = (loads + data(c, WS_STORE) + data(c, WS_ATOMIC)) * w->fraction;
	double packets = (loads + stores + atomic) * w->fraction;
	double left = fmin(stores * w->fraction, w->launches * (double)m->l1_queue);
	double go = packets - left, first = fmin(go, w->launches * (double)m->icnt_credits);
	double back = 2 * (double)ws_icnt_cycles(m) / (double)m->icnt_credits;
	double each = ws_per(cycles, packets);

	return fmax(go * each, first * each + (go - first) * back);
}

static double receive(const struct ws_bound_case *c)
{
	return (data(c, WS_LOAD) + data(c, WS_ATOMIC)) * c->busiest->fraction;
}

/* ---- the L2 and beyond ------------------------------------------------------------------- */

/* A slice does one look-up a cycle. */
static double l2(const struct ws_bound_case *c)
{
	const struct ws_l2_demand *d = c->demand;

	return d->requests[WS_LOAD] / d->spread[WS_LOAD] +
	       d->requests[WS_STORE] / d->spread[WS_STORE] +
	       d->requests[WS_ATOMIC] / d->spread[WS_ATOMIC];
}

static double reply(const struct ws_bound_case *c)
{
	return data(c, WS_LOAD) / c->demand->spread[WS_LOAD] +
	       data(c, WS_ATOMIC) / c->demand->spread[WS_ATOMIC];
}

static double dram(const struct ws_bound_case *c)
{
	double atom = (double)c->machine->dram_atom / WS_SECTOR_BYTES;

	return c->demand->dram_bytes * atom / (double)c->machine->dram_bandwidth;
}

/* ---- the table --------------------------------------------------------------------------- */

const struct ws_bound_row ws_bound_rows[WS_BOUNDS] = {
	[WS_BOUND_ISSUE] = { "issue", "issued instructions over schedulers", issue },
	[WS_BOUND_LSU] = { "lsu", "look-ups, one a cycle and bank", lsu },
	[WS_BOUND_LATENCY] = { "latency", "waits for data over resident warps", latency },
	[WS_BOUND_MSHR] = { "mshr", "misses times a fetch over MSHRs", mshr },
	[WS_BOUND_SEND] = { "send", "packets and credits of an SM's port", send },
	[WS_BOUND_RECEIVE] = { "receive", "packets of data to an SM's port", receive },
	[WS_BOUND_L2] = { "l2", "look-ups, one a cycle and slice", l2 },
	[WS_BOUND_REPLY] = { "reply", "packets of data from a slice's port", reply },
	[WS_BOUND_DRAM] = { "dram", "bytes over the bandwidth", dram },
};

const char *ws_bound_name(enum ws_bound bound)
{
	return ws_bound_rows[bound].name;
}
