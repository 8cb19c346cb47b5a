/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/sm_ctas.c -- an SM's memory, and CTAs placed on it and removed.
 */

#include "trace/order/front.h"
#include "trace/order/pipeline.h"

#include <stdlib.h>
#include <string.h>

/* ---- set-up ---------------------------------------------------------------------- */

/* Precomputes divisions that every issue needs. */
static void set_numbers(struct ws_sm *sm, size_t warps)
{
	size_t all = sm->schedulers, each = sm->run->plan.warps;

	for (size_t i = 0; i < warps; i++) {
		sm->warp[i].group = (uint32_t)(i % all);
		sm->warp[i].index = (uint32_t)(i / all);
	}
	for (size_t c = 0; c <= sm->slots; c++) {
		for (size_t g = 0; g < all; g++) /* slot s of group g is its number (s - g) / all */
			sm->first[c * all + g] = c * each <= g ? 0 : (c * each - g + all - 1) / all;
	}
	for (size_t i = 0; i < warps; i++) {
		if (sm->warp[i].index < 64)
			sm->own[i / each * all + i % all] |= 1ull << sm->warp[i].index;
	}
}

static void set_groups(struct ws_sm *sm)
{
	for (size_t g = 0; g < sm->schedulers; g++) {
		sm->group[g].other = sm->bits + 3 * g * sm->words;
		sm->group[g].memory = sm->group[g].other + sm->words;
		sm->group[g].pending = sm->group[g].memory + sm->words;
		sm->group[g].last = sm->group[g].late = WS_NO_WARP;
	}
}

enum ws_status ws_sm_init(struct ws_sm *sm, struct ws_run *run, uint64_t id, struct ws_err *err)
{
	const struct ws_machine *m = run->plan.machine;
	size_t slots = (size_t)run->resident, warps = slots * run->plan.warps;

	*sm = (struct ws_sm){
		.run = run, .id = id, .next_end = WS_NEVER, .slots = slots,
		.scheduler = ws_scheduler_rows[m->sm_scheduler],
		.schedulers = (size_t)m->sm_schedulers, .outlet = { .machine = m },
	};
	sm->paced = run->plan.paced;
	sm->steps = sm->scheduler->rotates || sm->paced || run->plan.coded;
	sm->fetches = m->sm_fetch && m->sm_buffer;
	sm->leaps = sm->scheduler->rotates && m->sm_alu_interval <= 1 && !sm->fetches &&
		    !run->plan.coded;
	sm->seats = sm->scheduler->seats ? (size_t)m->sm_active_warps : SIZE_MAX;
	sm->words = (warps + sm->schedulers - 1) / sm->schedulers;
	sm->words = (sm->words + 63) / 64;
	sm->warp = ws_alloc_zero(warps, sizeof *sm->warp);
	sm->cta = ws_alloc_zero(slots, sizeof *sm->cta);
	sm->oldest = ws_alloc(slots, sizeof *sm->oldest);
	sm->group = ws_alloc_zero(sm->schedulers, sizeof *sm->group);
	sm->first = ws_alloc((slots + 1) * sm->schedulers, sizeof *sm->first);
	sm->own = ws_alloc_zero(slots * sm->schedulers, sizeof *sm->own);
	sm->bits = ws_alloc_zero(3 * sm->schedulers * sm->words, sizeof *sm->bits);
	sm->hungry = ws_alloc_zero(warps / 64 + 1, sizeof *sm->hungry);
	sm->line = ws_alloc(run->code.lines + 1, sizeof *sm->line);
	for (size_t i = 0; sm->line && i < run->code.lines; i++)
		sm->line[i] = i ? WS_NEVER : 0;
	sm->start = ws_code_begun(&run->code, id, m->sm_count) ? 0 : run->code.start;
	if (!sm->hungry || !sm->line || !sm->warp || !ws_heap_room(&sm->wake, warps) ||
	    !sm->cta || !sm->oldest || !sm->group || !sm->first || !sm->own || !sm->bits)
		return ws_fail_memory(err, "an SM");
	set_numbers(sm, warps);
	set_groups(sm);
	if (ws_front_new(&sm->front, sm, err) != WS_OK)
		return WS_ENOMEM;
	if (sm->front) {
		sm->start = 0;
		sm->turns = sm->schedulers - 1;
	}
	return ws_pipe_new(&sm->pipe, sm, err);
}

void ws_sm_clear(struct ws_sm *sm)
{
	for (size_t w = 0; sm->warp && w < sm->slots * sm->run->plan.warps; w++)
		free(sm->warp[w].need);
	for (size_t c = 0; sm->cta && c < sm->slots; c++)
		ws_program_free(sm->cta[c].program);
	free(sm->warp);
	ws_heap_clear(&sm->wake);
	free(sm->cta);
	free(sm->oldest);
	free(sm->group);
	free(sm->first);
	free(sm->own);
	free(sm->bits);
	ws_pipe_free(sm->pipe);
	ws_front_free(sm->front);
	free(sm->line);
	free(sm->hungry);
	ws_outlet_clear(&sm->outlet);
	*sm = (struct ws_sm){ 0 };
}

/* ---- what comes and goes -------------------------------------------------------------- */

void ws_sm_place(struct ws_sm *sm, struct ws_cta_program *program, uint64_t start)
{
	size_t warps = sm->run->plan.warps, cta = 0;
	uint64_t apart = sm->run->machine.sm_launch_cycles;
	uint64_t earliest = sm->start;
	bool late = ws_fetches_at_once(sm);

	start = sm->front && start < sm->given ? sm->given : start;
	sm->given = start + 1;
	if (sm->fetches && earliest && !late)
		earliest--;	/* to be fetched for */
	while (sm->cta[cta].program)
		cta++;
	sm->cta[cta] = (struct ws_cta){ .program = program, .start = start,
					.end = start };
	sm->oldest[sm->resident++] = cta;
	for (size_t k = 0; k < warps; k++) {
		struct ws_warp *w = &sm->warp[cta * warps + k];
		uint64_t from = start + k * apart;

		from = (from < earliest ? earliest : from) + late;
		*w = (struct ws_warp){ .group = w->group, .index = w->index,
				       .need = w->need, .need_cap = w->need_cap,
				       .last = WS_NEVER,
				       .number = (uint32_t)k, .slot = (uint32_t)cta,
				       .op = program->head[k] };
		if (w->op != WS_NO_OP)
			w->left = program->op[w->op].before;
		ws_group_of(sm, cta * warps + k)->alive++;
		ws_heap_push(&sm->wake, w->op == WS_NO_OP ? start : from,
			     cta * warps + k);
		/* A slot's next warp is not the one that was issued last. */
		if (!sm->scheduler->rotates && !sm->front &&
		    ws_group_of(sm, cta * warps + k)->last == w->index)
			ws_group_of(sm, cta * warps + k)->last = WS_NO_WARP;
	}
}

struct ws_cta_program *ws_sm_remove(struct ws_sm *sm)
{
	struct ws_cta_program *program = NULL;
	size_t found = SIZE_MAX, at = 0;

	if (sm->next_end >= sm->cycle)
		return NULL;
	sm->end = sm->next_end;
	for (size_t c = sm->slots; c-- > 0;) {
		if (ws_cta_over(sm, &sm->cta[c]) && sm->cta[c].end == sm->next_end)
			found = c;
	}
	program = sm->cta[found].program;
	sm->cta[found] = (struct ws_cta){ 0 };
	while (sm->oldest[at] != found)
		at++;
	memmove(&sm->oldest[at], &sm->oldest[at + 1], (--sm->resident - at) * sizeof *sm->oldest);
	sm->next_end = WS_NEVER;
	for (size_t c = 0; c < sm->slots; c++) {
		if (ws_cta_over(sm, &sm->cta[c]) && sm->cta[c].end < sm->next_end)
			sm->next_end = sm->cta[c].end;
	}
	return program;
}
