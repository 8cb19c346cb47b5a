/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softcache/structures.c -- a software cache in shared memory: structures, which of them get a
 * line, the resources of an SM that this takes, and the instructions it adds.  softcache.h says
 * what is modelled.
 *
 * Instructions of a thread, added to the kernel's own: WS_SOFT_DO_*.  The design's text gives the
 * three of an access that is not cached, and that a line that can be written takes twice as many as
 * one that cannot, write-backs included; the others are counted on its pseudo-code, an operator
 * each:
 *
 *	a call while monitoring		5: shift, compare, branch, add one, count the call
 *	an access not cached		3
 *	a look-up of a line		5: shift, compare, branch, offset,
	 address; twice if read-write
 *	a miss besides			4: load the line, store it, its tag,
	 branch; twice if read-write
 *	an atomic of a chosen structure	3: shift, compare, branch
 *	a barrier or end, each line	1: empty it; twice if read-write
 *	aliased, each other line	2: compare, branch
 *
 * Where a thread has no line (CLN 0), the kernel runs as it is, and nothing is added.
 */
#include "softcache/softcache.h"

#include <inttypes.h>
#include <stdlib.h>

#define REGISTERS_MONITOR 2u	/* of a structure: address, hits */
#define REGISTERS_READ_ONLY 2u	/* address, number of the line */
#define REGISTERS_READ_WRITE 3u	/* and the mask */

const char *const ws_soft_why_names[] = {
	"chosen", "no array", "no line", "no hit", "fewer hits", "not twice the hits",
	"no thread's choice",
};

enum ws_status ws_soft_check(const struct ws_soft *soft, struct ws_err *err)
{
	if (!ws_is_pow2(soft->line_bytes) || soft->line_bytes > 1u << WS_SOFT_LINE_BITS)
		return ws_fail(err, WS_EINVAL, "a line of %" PRIu64 " bytes: want a power of two "
			       "1..%u", soft->line_bytes, 1u << WS_SOFT_LINE_BITS);
	if (soft->threshold < 1 || soft->threshold > WS_SOFT_THRESHOLD_MAX)
		return ws_fail(err, WS_EINVAL, "a threshold of %" PRIu64 ": want 1..%u",
			       soft->threshold, WS_SOFT_THRESHOLD_MAX);
	return WS_OK;
}

/* ---- structures ------------------------------------------------------------------- */

size_t ws_soft_structures(const struct ws_launch *launch)
{
	return 1 + (launch->arrays < WS_SOFT_STRUCTURES_MAX ? launch->arrays
							    : WS_SOFT_STRUCTURES_MAX);
}

size_t ws_soft_structure(const struct ws_launch *launch, uint32_t instruction, uint64_t address)
{
	size_t count = ws_soft_structures(launch) - 1;
	uint32_t named = launch->instruction[instruction].array;

	if (named != WS_NO_ARRAY)
		return named < count ? named : count;
	for (size_t i = 0; i < count; i++)
		if (address - launch->array[i].base < launch->array[i].bytes)
			return i;
	return count;
}

bool ws_soft_stored(const struct ws_launch *launch, size_t structure)
{
	for (size_t i = 0; i < launch->instructions; i++)
		if (launch->instruction[i].kind == WS_STORE &&
		    launch->instruction[i].space == WS_SPACE_GLOBAL &&
		    launch->instruction[i].array == structure)
			return true;
	return false;
}

/* ---- results ------------------------------------------------------------------------ */

void ws_soft_result_clear(struct ws_soft_result *r)
{
	free(r->part);
	*r = (struct ws_soft_result){ 0 };
}

struct ws_soft_counts ws_soft_sum(const struct ws_soft_result *r)
{
	struct ws_soft_counts sum = { 0 };

	for (size_t i = 0; i < r->parts; i++) {
		const struct ws_soft_counts *c = &r->part[i].counts;

		for (unsigned k = 0; k < WS_KINDS; k++) {
			sum.accesses[k] += c->accesses[k];
			sum.direct[k] += c->direct[k];
		}
		for (unsigned k = 0; k < 2; k++) {
			sum.hits[k] += c->hits[k];
			sum.misses[k] += c->misses[k];
		}
		sum.monitored += c->monitored;
		sum.monitor_hits += c->monitor_hits;
		sum.write_backs += c->write_backs;
		sum.write_back_bytes += c->write_back_bytes;
		sum.atomics += c->atomics;
		sum.emptied += c->emptied;
		sum.others += c->others;
	}
	return sum;
}

/* ---- the choice --------------------------------------------------------------------- */

/* a before b: of two of one sort, the one with more hits; a read-write one with at least twice
 * those of a read-only one.  That is an order: by hits, those of read-only ones twice. */
static bool before(const struct ws_soft_part *a, const struct ws_soft_part *b)
{
	uint64_t x = a->counts.monitor_hits * (a->writable ? 1 : 2);
	uint64_t y = b->counts.monitor_hits * (b->writable ? 1 : 2);

	if (x != y)
		return x > y;
	if (a->writable != b->writable)
		return a->writable;
	return a->array < b->array;
}

static bool ranked(const struct ws_soft_part *p)
{
	return p->array != WS_NO_ARRAY && p->counts.monitor_hits;
}

/* Is a read-only one with fewer hits chosen? */
static bool outdone(const struct ws_soft_result *r, const struct ws_soft_part *p)
{
	for (size_t i = 0; i < r->parts; i++)
		if (r->part[i].why == WS_SOFT_CHOSEN && !r->part[i].writable &&
		    r->part[i].counts.monitor_hits < p->counts.monitor_hits)
			return true;
	return false;
}

static enum ws_soft_why why(const struct ws_soft_part *p, uint64_t lines)
{
	if (p->array == WS_NO_ARRAY)
		return WS_SOFT_NO_ARRAY;
	if (!p->counts.monitor_hits)
		return WS_SOFT_NO_HIT;
	if (!lines)
		return WS_SOFT_NO_LINE;
	return p->rank && p->rank <= lines ? WS_SOFT_CHOSEN : WS_SOFT_FEWER_HITS;
}

void ws_soft_choose(struct ws_soft_result *r, uint64_t lines)
{
	r->chosen = 0;
	for (size_t i = 0; i < r->parts; i++) {
		struct ws_soft_part *p = &r->part[i];

		p->rank = ranked(p);
		for (size_t j = 0; p->rank && j < r->parts; j++)
			p->rank += j != i && ranked(&r->part[j]) && before(&r->part[j], p);
		p->why = why(p, lines);
		r->chosen += p->why == WS_SOFT_CHOSEN;
	}
	for (size_t i = 0; i < r->parts; i++)
		if (r->part[i].why == WS_SOFT_FEWER_HITS && r->part[i].writable &&
		    outdone(r, &r->part[i]))
			r->part[i].why = WS_SOFT_NOT_TWICE;
}

void ws_soft_chosen_by(struct ws_soft_result *r, uint64_t lines)
{
	r->chosen = 0;
	for (size_t i = 0; i < r->parts; i++) {
		struct ws_soft_part *p = &r->part[i];

		p->rank = 0;
		p->why = p->threads ? WS_SOFT_CHOSEN : why(p, lines);
		if (p->why == WS_SOFT_FEWER_HITS)
			p->why = WS_SOFT_BY_NONE;
		r->chosen += p->threads > 0;
	}
}

/* ---- instructions ------------------------------------------------------------------- */

static uint64_t part_instructions(const struct ws_soft_part *p, bool aliased)
{
	const struct ws_soft_counts *c = &p->counts;
	uint64_t misses = c->misses[WS_LOAD] + c->misses[WS_STORE];
	uint64_t look_ups = c->hits[WS_LOAD] + c->hits[WS_STORE] + misses;
	uint64_t line = WS_SOFT_DO_LOOK_UP * look_ups + WS_SOFT_DO_FETCH * misses +
			WS_SOFT_DO_EMPTY * c->emptied;
	uint64_t direct = c->direct[WS_LOAD] + c->direct[WS_STORE] - c->monitored;

	return WS_SOFT_DO_MONITOR * c->monitored + WS_SOFT_DO_DIRECT * direct +
	       line * (p->writable ? 2 : 1) + WS_SOFT_DO_ATOMIC * c->atomics +
	       (aliased ? WS_SOFT_DO_OTHER_LINE * c->others : 0);
}

void ws_soft_instructions(struct ws_soft_result *r, const struct ws_soft *soft)
{
	r->extra = 0;
	for (size_t i = 0; soft->lines && i < r->parts; i++)
		r->extra += part_instructions(&r->part[i], soft->aliased);
}

/* ---- room ------------------------------------------------------------------------- */

/* As ws_residency; no CTA at all is an answer. */
static uint64_t resident(const struct ws_launch *launch, const struct ws_machine *m,
			 uint64_t registers, const char **limit)
{
	struct ws_launch copy = *launch;
	uint64_t ctas;

	copy.registers = registers;
	return ws_residency(&copy, m, &ctas, limit, NULL) == WS_OK ? ctas : 0;
}

static void count_registers(struct ws_soft_room *out, const struct ws_soft_result *r)
{
	for (size_t i = 0; i < r->parts; i++) {
		const struct ws_soft_part *p = &r->part[i];
		unsigned own = p->writable ? REGISTERS_READ_WRITE : REGISTERS_READ_ONLY;

		if (p->array == WS_NO_ARRAY)
			continue;
		out->monitor_registers += REGISTERS_MONITOR;
		out->cache_registers += own;
		out->spilled_registers += p->why == WS_SOFT_CHOSEN ? own : 1;
	}
}

enum ws_status ws_soft_fit(struct ws_soft_room *out, const struct ws_launch *launch,
			    const struct ws_machine *m, uint64_t registers, uint64_t line_bytes,
			    const struct ws_soft_result *r, struct ws_err *err)
{
	uint64_t threads = ws_launch_threads(launch), share, added;
	const char *limit;
	enum ws_status status;

	*out = (struct ws_soft_room){ .limit = "registers" };
	status = ws_residency(launch, m, &out->ctas_before, &limit, err);
	if (status != WS_OK)
		return status;
	count_registers(out, r);
	added = ws_soft_added(out);
	if (!registers)
		registers = launch->registers;
	out->ctas_before = resident(launch, m, registers, &limit);
	out->ctas = resident(launch, m, registers ? registers + added : 0, &out->limit);
	share = launch->ctas / m->sm_count + (launch->ctas % m->sm_count != 0);
	out->threads = (out->ctas < share ? out->ctas : share) * threads;
	if (!out->threads)
		return WS_OK;
	out->shared_free = m->sm_shared_bytes - out->threads / threads *
			   (launch->shared_bytes + m->sm_shared_reserved);
	out->thread_bytes = out->shared_free / out->threads;
	out->lines = out->thread_bytes / line_bytes;
	out->shared_used = out->lines * line_bytes * out->threads;
	return WS_OK;
}
