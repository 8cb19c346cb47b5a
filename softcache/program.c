/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softcache/program.c -- the static part of a launch that a software cache was put into.
 *
 * Which lanes take which way, the steps decide (rewrite.c); here is what they may be made of:
 * each instruction alone, lines fetched and written back in its place, barriers alone, and runs of
 * other instructions of every number that may be wanted.
 */
#include "softcache/simulate.h"

#include <stdlib.h>
#include <string.h>

void soft_program_clear(struct soft_program *p)
{
	free(p->launch.instruction);
	free(p->launch.segment);
	free(p->single);
	free(p->back);
	free(p->fetch);
	free(p->empty);
	free(p->run);
	*p = (struct soft_program){ 0 };
}

static bool add_segment(struct soft_program *p, const struct ws_segment *s, uint32_t *number)
{
	struct ws_launch *l = &p->launch;

	if (!WS_ROOM(l->segment, p->segment_cap, l->segments + 1))
		return false;
	*number = (uint32_t)l->segments;
	l->segment[l->segments++] = *s;
	return true;
}

/* A segment of that instruction and `tail` others. */
static bool add_access(struct soft_program *p, const struct ws_instruction *in, uint32_t tail,
		       uint32_t *number)
{
	struct ws_launch *l = &p->launch;
	struct ws_segment s = { .first = (uint32_t)l->instructions, .count = 1, .tail = tail };

	if (!WS_ROOM(l->instruction, p->instruction_cap, l->instructions + 1))
		return false;
	l->instruction[l->instructions++] = *in;
	return add_segment(p, &s, number);
}

static bool add_run(struct soft_program *p, uint64_t instructions)
{
	if (!instructions)
		return true;
	if (!WS_ROOM(p->run, p->run_cap, p->runs + 1))
		return false;
	p->run[p->runs++] = (struct soft_run){ .instructions = (uint32_t)instructions };
	return true;
}

static int by_number(const void *a, const void *b)
{
	const struct soft_run *x = a, *y = b;

	return (x->instructions > y->instructions) - (x->instructions < y->instructions);
}

uint32_t soft_program_run(const struct soft_program *p, uint64_t instructions)
{
	const struct soft_run key = { .instructions = (uint32_t)instructions };
	const struct soft_run *found = bsearch(&key, p->run, p->runs, sizeof key, by_number);

	return found->segment; /* all that are asked for were added */
}

/* Each number once, with its segment. */
static bool make_runs(struct soft_program *p)
{
	size_t kept = 0;

	qsort(p->run, p->runs, sizeof *p->run, by_number);
	for (size_t i = 0; i < p->runs; i++) {
		const struct ws_segment s = { .tail = p->run[i].instructions };

		if (kept && p->run[kept - 1].instructions == p->run[i].instructions)
			continue;
		p->run[kept] = p->run[i];
		if (!add_segment(p, &s, &p->run[kept].segment))
			return false;
		kept++;
	}
	p->runs = kept;
	return true;
}

static bool add_runs(struct soft_program *p, const struct ws_launch *l, const struct ws_soft *soft)
{
	static const uint32_t fixed[] = { WS_SOFT_DO_MONITOR, WS_SOFT_DO_ATOMIC, WS_SOFT_DO_EMPTY,
					  SOFT_TAKEN_OUT, SOFT_SHARED };
	static const uint32_t way[] = { WS_SOFT_DO_DIRECT, WS_SOFT_DO_LOOK_UP,
					2 * WS_SOFT_DO_LOOK_UP };
	uint64_t arrays = ws_soft_structures(l) - 1;
	uint64_t lines = soft->lines < arrays ? soft->lines : arrays;
	uint64_t others = soft->aliased ? lines : 0; /* no more are ever in use */
	bool good = true;

	for (size_t i = 0; i < WS_COUNT(fixed); i++)
		good = good && add_run(p, fixed[i]);
	for (size_t i = 0; i < WS_COUNT(way); i++)
		for (uint64_t n = 0; n <= others; n++)
			good = good && add_run(p, way[i] + n * WS_SOFT_DO_OTHER_LINE);
	for (size_t i = 0; i < l->instructions; i++)
		good = good && add_run(p, l->instruction[i].gap);
	for (size_t i = 0; i < l->segments; i++)
		good = good && add_run(p, l->segment[i].tail);
	return good && make_runs(p);
}

/* A load's first use is farther off by what the accesses before it take more, at least. */
static void move_uses(struct ws_launch *l, const struct ws_segment *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		struct ws_instruction *load = &l->instruction[s->first + i];
		uint64_t use = load->use, at = 0;

		for (uint32_t j = i + 1; j < s->count; j++) {
			const struct ws_instruction *in = &l->instruction[s->first + j];

			at += 1 + (uint64_t)in->gap;
			if (at >= load->use)
				break;
			if (in->space == WS_SPACE_GLOBAL && in->kind != WS_ATOMIC)
				use += WS_SOFT_DO_DIRECT;
		}
		load->use = use < WS_GAP_MAX ? (uint32_t)use : load->use;
	}
}

static bool add_cache(struct soft_program *p, const struct ws_launch *l, const struct ws_soft *soft)
{
	const struct ws_segment barrier = { .barrier = true };
	bool good = add_segment(p, &barrier, &p->barrier);

	for (size_t i = 0; i < l->instructions && good; i++) {
		const struct ws_segment alone = { .first = (uint32_t)i, .count = 1 };
		struct ws_instruction line = l->instruction[i];

		line.bytes = (uint32_t)soft->line_bytes;
		line.gap = 0;
		line.use = 1; /* it is stored in shared memory */
		good = add_segment(p, &alone, &p->single[i]);
		if (line.space != WS_SPACE_GLOBAL)
			continue;
		line.kind = WS_STORE;
		good = good && add_access(p, &line, 0, &p->back[i]);
		if (l->instruction[i].kind == WS_ATOMIC)
			continue;
		line.kind = WS_LOAD;
		good = good && add_access(p, &line, SOFT_FETCHED, &p->fetch[i]);
	}
	for (size_t i = 0; i + 1 < ws_soft_structures(l) && good; i++) {
		const struct ws_instruction line = { .kind = WS_STORE, .array = (uint32_t)i,
						     .bytes = (uint32_t)soft->line_bytes,
						     .use = 1 };

		good = add_access(p, &line, 0, &p->empty[i]);
	}
	return good && add_runs(p, l, soft);
}

static bool copy(struct soft_program *p, const struct ws_launch *l)
{
	p->launch = *l;
	p->instruction_cap = l->instructions + 1;
	p->segment_cap = l->segments + 1;
	p->launch.instruction = ws_alloc(p->instruction_cap, sizeof *l->instruction);
	p->launch.segment = ws_alloc(p->segment_cap, sizeof *l->segment);
	p->single = ws_alloc_zero(l->instructions + 1, sizeof *p->single);
	p->back = ws_alloc_zero(l->instructions + 1, sizeof *p->back);
	p->fetch = ws_alloc_zero(l->instructions + 1, sizeof *p->fetch);
	p->empty = ws_alloc_zero(ws_soft_structures(l), sizeof *p->empty);
	if (!p->launch.instruction || !p->launch.segment || !p->single || !p->back || !p->fetch ||
	    !p->empty)
		return false;
	if (l->instructions)
		memcpy(p->launch.instruction, l->instruction,
		       l->instructions * sizeof *l->instruction);
	if (l->segments)
		memcpy(p->launch.segment, l->segment, l->segments * sizeof *l->segment);
	ws_launch_drop_code(&p->launch);
	return true;
}

enum ws_status soft_program_new(struct soft_program *p, const struct ws_launch *l,
				const struct ws_soft *soft, struct ws_err *err)
{
	*p = (struct soft_program){ 0 };
	if (!copy(p, l) || (soft->lines && !add_cache(p, l, soft))) {
		soft_program_clear(p);
		return ws_fail_memory(err, "a launch with a software cache");
	}
	for (size_t i = 0; soft->lines && i < l->segments; i++)
		move_uses(&p->launch, &l->segment[i]);
	return WS_OK;
}
