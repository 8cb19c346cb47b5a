/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/spectrum.c -- the latencies of a load, by where it hits.
 *
 * Caches: one address again and again; lines that are too many for the L1; lines that were never
 * loaded.  TLBs: one line of each of more and more pages, all of which the L1 can hold, so that
 * the L1 hits and a rise is a TLB's miss; if there is none, new lines of more and more pages, as an
 * L1 may hit without translation.  Then new lines of as many pages.
 */
#include "validate/pchase/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOADS 512u
#define PAGES_MOST 4096u
#define BEHIND_MOST 512u	/* pages of fresh lines */
#define RISE 1.1		/* of the median: another level of TLB */
#define ROOM_BYTES 384u		/* between the lines of neighbouring pages: other sets, other
				 * slices */

struct spectrum {
	const struct ws_chase_target *target;
	struct ws_chase_list program;
	double *cycles;
	size_t cap;
	uint64_t fresh;		/* offsets from here on were not loaded yet */
	uint64_t page;
};

static int by_cycles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The program; of its loads from `from` on median and quartiles. */
static enum ws_status measure(struct spectrum *s, size_t from, bool flush,
			      struct ws_chase_pattern *out, struct ws_err *err)
{
	size_t count = s->program.count - from;
	enum ws_status status;

	if (!WS_ROOM(s->cycles, s->cap, s->program.count))
		return ws_fail_memory(err, "the latencies");
	status = s->target->run(s->target->state, s->program.at, s->program.count, flush,
				s->cycles, err);
	if (status != WS_OK)
		return status;
	qsort(s->cycles + from, count, sizeof *s->cycles, by_cycles);
	out->cycles = s->cycles[from + count / 2];
	out->low = s->cycles[from + count / 20];
	out->high = s->cycles[from + count * 19 / 20];
	out->loads = count;
	s->program.count = 0;
	return WS_OK;
}

static enum ws_status add_load(struct spectrum *s, uint64_t at, struct ws_err *err)
{
	return ws_chase_list_add(&s->program, at % s->target->bytes, err);
}

static enum ws_status hits(struct spectrum *s, struct ws_chase_pattern *out, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (unsigned i = 0; i <= LOADS && status == WS_OK; i++)
		status = add_load(s, 0, err);
	return status == WS_OK ? measure(s, 1, true, out, err) : status;
}

/* Lines, fresh of all caches, of so many pages by turns. */
static enum ws_status fresh_loads(struct spectrum *s, uint64_t pages, struct ws_chase_pattern *out,
				  struct ws_err *err)
{
	uint64_t rounds = LOADS / pages + 2, step = 4 * ROOM_BYTES;
	enum ws_status status = WS_OK;

	for (uint64_t i = 0; i < rounds && status == WS_OK; i++)
		for (uint64_t p = 0; p < pages && status == WS_OK; p++)
			status = add_load(s, s->fresh + p * (s->page + ROOM_BYTES) +
					  i * step % s->page, err);
	s->fresh += pages * (s->page + ROOM_BYTES) + s->page;
	return status == WS_OK ? measure(s, (size_t)pages, true, out, err) : status;
}

/* Every load in a page that no load was in before. */
static enum ws_status fresh_pages(struct spectrum *s, struct ws_chase_pattern *out,
				  struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (uint64_t i = 0; i < LOADS && status == WS_OK; i++)
		status = add_load(s, s->fresh + i * (s->page + ROOM_BYTES), err);
	return status == WS_OK ? measure(s, 0, true, out, err) : status;
}

/* The second time that so many lines are loaded: what the L1 has not is behind it. */
static enum ws_status twice(struct spectrum *s, uint64_t lines, uint64_t stride,
			    struct ws_chase_pattern *out, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (uint64_t i = 0; i < 2 * lines && status == WS_OK; i++)
		status = add_load(s, i % lines * stride, err);
	return status == WS_OK ? measure(s, (size_t)lines, true, out, err) : status;
}

/* The first two rises of the latency of L1 hits as pages grow in number. */
static enum ws_status find_tlbs(struct spectrum *s, uint64_t most, double hit,
				struct ws_chase_pattern tlb[2], struct ws_err *err)
{
	double last = hit;
	size_t found = 0;
	enum ws_status status = WS_OK;

	for (uint64_t pages = 2; pages <= most && found < 2 && status == WS_OK; pages *= 2) {
		struct ws_chase_pattern p = { .pages = pages };

		status = twice(s, pages, s->page + ROOM_BYTES, &p, err);
		if (status != WS_OK || p.cycles <= last * RISE)
			continue;
		last = p.cycles;
		tlb[found++] = p;
	}
	return status;
}

/* The same where hits need no translation: the number of pages of which fresh lines take longer
 * than those of one page; 0: none do. */
static enum ws_status find_behind(struct spectrum *s, double miss, uint64_t *found,
				  struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*found = 0;
	for (uint64_t pages = 2; pages <= BEHIND_MOST && !*found && status == WS_OK; pages *= 2) {
		struct ws_chase_pattern p = { .pages = pages };

		status = fresh_loads(s, pages, &p, err);
		if (status == WS_OK && p.cycles > miss * RISE)
			*found = pages;
	}
	return status;
}

static enum ws_status take_patterns(struct spectrum *s, const struct ws_machine *m,
				    struct ws_chase_spectrum *out, struct ws_err *err)
{
	uint64_t step = m->l1.size_bytes ? m->l1.line_bytes : m->l2.line_bytes;
	uint64_t lines = (m->l1.size_bytes ? m->l1.size_bytes : m->l2.size_bytes) / step;
	uint64_t most = lines / 4 < PAGES_MOST ? lines / 4 : PAGES_MOST;
	struct ws_chase_pattern *p = out->pattern, tlb[2];
	enum ws_status status = hits(s, &p[WS_CHASE_P1], err);

	memset(tlb, 0, sizeof tlb);
	if (status == WS_OK && m->l1.size_bytes)
		status = twice(s, 2 * lines, step, &p[WS_CHASE_L2], err);
	if (status == WS_OK)
		status = find_tlbs(s, most, p[WS_CHASE_P1].cycles, tlb, err);
	p[WS_CHASE_P2] = tlb[0];
	p[WS_CHASE_P3] = tlb[1];
	s->fresh = s->target->bytes / 4;
	if (status == WS_OK)
		status = fresh_loads(s, 1, &p[WS_CHASE_P4], err);
	if (status == WS_OK && !tlb[0].pages)
		status = find_behind(s, p[WS_CHASE_P4].cycles, &tlb[0].pages, err);
	if (status == WS_OK && tlb[0].pages)
		status = fresh_loads(s, tlb[0].pages, &p[WS_CHASE_P5], err);
	p[WS_CHASE_P5].pages = tlb[0].pages;
	if (status == WS_OK && tlb[0].pages)
		status = fresh_pages(s, &p[WS_CHASE_P6], err);
	return status;
}

enum ws_status ws_chase_spectrum(struct ws_chase_spectrum *out,
				 const struct ws_chase_target *target, const struct ws_machine *m,
				 uint64_t page, struct ws_err *err)
{
	struct spectrum s = { .target = target, .page = page ? page : WS_CHASE_PAGE };
	enum ws_status status;

	*out = (struct ws_chase_spectrum){ .page = s.page };
	status = take_patterns(&s, m, out, err);
	ws_chase_list_clear(&s.program);
	free(s.cycles);
	return status;
}
