/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/spectrum.c -- the latencies of a load, by where it hits.
 *
 * One address again and again hits in the L1.  Lines that are too many for it hit in the L2: of
 * one page, then of more and more, so that a rise is a TLB's miss.  New lines of as many pages hit
 * nowhere.
 */
#include "validate/pchase/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOADS 512u
#define PAGES_MOST 4096u
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
	uint64_t lines, step;	/* too many for the L1, and their distance */
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

/* Lines, fresh of all caches, of so many pages by turns; of others when those are used up. */
static enum ws_status fresh_loads(struct spectrum *s, uint64_t pages, struct ws_chase_pattern *out,
				  struct ws_err *err)
{
	uint64_t rounds = LOADS / pages + 2, step = 4 * ROOM_BYTES, apart = s->page + ROOM_BYTES;
	enum ws_status status = WS_OK;

	for (uint64_t i = 0; i < rounds && status == WS_OK; i++)
		for (uint64_t p = 0; p < pages && status == WS_OK; p++)
			status = add_load(s, s->fresh + i * step % s->page +
					  (p + i * step / s->page * pages) * apart, err);
	s->fresh += (rounds * step / s->page + 1) * pages * apart + s->page;
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

/* The second time that lines are loaded which are too many for the L1, of so many pages by turns:
 * the L2 has them. */
static enum ws_status l2_hits(struct spectrum *s, uint64_t pages, struct ws_chase_pattern *out,
			      struct ws_err *err)
{
	uint64_t lines = s->lines > pages ? s->lines : pages;
	enum ws_status status = WS_OK;

	for (uint64_t i = 0; i < 2 * lines && status == WS_OK; i++) {
		uint64_t line = i % lines;

		status = add_load(s, line % pages * (s->page + ROOM_BYTES) +
				  line / pages * s->step % s->page, err);
	}
	return status == WS_OK ? measure(s, (size_t)lines, true, out, err) : status;
}

/* The first two rises of the latency of L2 hits as pages grow in number. */
static enum ws_status find_tlbs(struct spectrum *s, double hit, struct ws_chase_pattern tlb[2],
				struct ws_err *err)
{
	double last = hit;
	size_t found = 0;
	enum ws_status status = WS_OK;

	for (uint64_t pages = 2; pages <= PAGES_MOST && found < 2 && status == WS_OK; pages *= 2) {
		struct ws_chase_pattern p = { .pages = pages };

		if (pages * (s->page + ROOM_BYTES) > s->target->bytes / 4)
			break;
		status = l2_hits(s, pages, &p, err);
		if (status != WS_OK || p.cycles <= last * RISE)
			continue;
		last = p.cycles;
		tlb[found++] = p;
	}
	return status;
}

static enum ws_status take_patterns(struct spectrum *s, bool l1, struct ws_chase_spectrum *out,
				    struct ws_err *err)
{
	struct ws_chase_pattern *p = out->pattern;
	enum ws_status status = l1 ? hits(s, &p[WS_CHASE_P0], err) : WS_OK;

	if (status == WS_OK)
		status = l2_hits(s, 1, &p[WS_CHASE_P1], err);
	if (status == WS_OK)
		status = find_tlbs(s, p[WS_CHASE_P1].cycles, &p[WS_CHASE_P2], err);
	s->fresh = s->target->bytes / 4;
	if (status == WS_OK)
		status = fresh_loads(s, 1, &p[WS_CHASE_P4], err);
	if (status != WS_OK || !p[WS_CHASE_P2].pages)
		return status;
	p[WS_CHASE_P5].pages = p[WS_CHASE_P2].pages;
	status = fresh_loads(s, p[WS_CHASE_P5].pages, &p[WS_CHASE_P5], err);
	return status == WS_OK ? fresh_pages(s, &p[WS_CHASE_P6], err) : status;
}

enum ws_status ws_chase_spectrum(struct ws_chase_spectrum *out,
				 const struct ws_chase_target *target, const struct ws_machine *m,
				 uint64_t page, struct ws_err *err)
{
	struct spectrum s = {
		.target = target, .page = page ? page : m->tlb[0].runs ? m->tlb_page
			: WS_CHASE_PAGE,
		.step = m->l1.size_bytes ? m->l1.line_bytes : m->l2.line_bytes,
	};
	enum ws_status status;

	*out = (struct ws_chase_spectrum){ .page = s.page };
	s.lines = 2 * (m->l1.size_bytes ? m->l1.size_bytes / s.step : LOADS);
	status = take_patterns(&s, m->l1.size_bytes > 0, out, err);
	ws_chase_list_clear(&s.program);
	free(s.cycles);
	return status;
}
