/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/sm.c -- one SM, simulated from event to event.
 *
 * sm.h defines a cycle.  Here a warp is *visited* (settle) only when its state changes: it becomes
 * ready for a number of other ops, ready for a memory op or a barrier, asleep until a cycle (in the
 * heap), waiting at a barrier, or ended.  A scheduler that stays with a ready warp (running) is
 * visited when the warp's run ends; one that can issue nothing, when a warp becomes ready or the
 * LSU free; others in each cycle, except in long runs of other ops, which are issued at once
 * (leap.c).  Issue slots are counted when their use changes.  Cycles without visits are skipped.
 *
 * Only the end of a barrier makes a warp of *another* scheduler ready.  It takes effect in the next
 * cycle, through the heap, so the order of schedulers within a cycle matters for the LSU alone.
 *
 * A cycle is compiled twice, for plain SMs (is_plain_sm) and for all: `plain` is a constant there.
 */
#include "base/inline.h"
#include "trace/order/front.h"
#include "trace/order/needs.h"
#include "trace/order/pipeline.h"
#include "trace/order/seats.h"

#include <assert.h>

/* ---- warps --------------------------------------------------------------------------- */

static inline const struct ws_op *op_of(const struct ws_sm *sm, const struct ws_warp *w)
{
	return &sm->cta[w->slot].program->op[w->op];
}

/* Advances to the next op, from a cycle on; false if there is none. */
static inline bool advance(struct ws_sm *sm, struct ws_warp *w, uint64_t cycle)
{
	const struct ws_cta_program *program = sm->cta[w->slot].program;
	const struct ws_op *op;

	w->op = op_of(sm, w)->next;
	if (w->op == WS_NO_OP)
		return false;
	op = &program->op[w->op];
	w->left = op->before;
	/* Its requests lie apart, and are wanted some cycles later. */
	__builtin_prefetch(&program->address[op->first]);
	__builtin_prefetch(&program->sectors[op->first]);
	if (sm->paced)
		ws_pace_enter(sm, w, cycle);
	return true;
}

/* Had its scheduler its turn in this cycle? */
static bool had_turn(const struct ws_sm *sm, size_t slot)
{
	size_t all = sm->schedulers, first = (size_t)((sm->now + sm->turns) % all);
	size_t group = sm->warp[slot].group, place = group + (group < first ? all : 0) - first;

	return place < sm->turn;
}

/* A group is about to change: counts its slots so far, with this cycle's if it has had its turn. */
static void account(struct ws_sm *sm, size_t slot)
{
	ws_sm_count(sm, &sm->group[sm->warp[slot].group], sm->now + had_turn(sm, slot));
}

static void settle_warp(struct ws_sm *sm, size_t slot, uint64_t cycle);

/* Releases the warps at a barrier in the next cycle, or with sm.front those of schedulers that did
 * not have their turn in this, unless another warp is still to come. */
static void check_barrier(struct ws_sm *sm, size_t cta, uint64_t cycle)
{
	struct ws_cta *c = &sm->cta[cta];
	size_t warps = sm->run->plan.warps;

	if (!c->waiting || c->waiting + c->ended < warps)
		return;
	c->waiting = 0;
	for (size_t slot = cta * warps; slot < (cta + 1) * warps; slot++) {
		struct ws_warp *w = &sm->warp[slot];

		if (w->op == WS_NO_OP)
			continue;
		account(sm, slot);
		ws_group_of(sm, slot)->barred--;
		if (advance(sm, w, cycle + 1)) {
			if (sm->front && !had_turn(sm, slot))
				settle_warp(sm, slot, cycle);
			else
				ws_heap_push(&sm->wake, cycle + 1, slot);
		} else {
			ws_group_of(sm, slot)->alive--;
			c->ended++;
			sm->stats.warp_cycles += cycle + 1 - c->start;
			if (sm->front)
				ws_front_leaves(sm, slot);
		}
	}
}

/* Handles warps that ended. */
static void check_end(struct ws_sm *sm, size_t cta, uint64_t cycle)
{
	struct ws_cta *c = &sm->cta[cta];

	if (c->end < cycle)
		c->end = cycle;
	if (ws_cta_over(sm, c) && c->end < sm->next_end)
		sm->next_end = c->end;
}

/* The last op of a warp is issued, at `cycle`. */
static void end_warp(struct ws_sm *sm, size_t slot, uint64_t cycle)
{
	size_t cta = sm->warp[slot].slot;

	sm->warp[slot].op = WS_NO_OP;
	sm->cta[cta].ended++;
	sm->stats.warp_cycles += cycle + 1 - sm->cta[cta].start;
	ws_group_of(sm, slot)->alive--;
	if (sm->front)
		ws_front_leaves(sm, slot);
	ws_seats_leave(sm, slot);
	check_barrier(sm, cta, cycle);
	check_end(sm, cta, cycle);
}

static void arrive(struct ws_sm *sm, size_t slot, uint64_t cycle)
{
	size_t cta = sm->warp[slot].slot;

	sm->warp[slot].arriving = false;
	sm->cta[cta].waiting++;
	ws_group_of(sm, slot)->barred++;
	ws_seats_leave(sm, slot);
	check_barrier(sm, cta, cycle);
	check_end(sm, cta, cycle);
}

/* A warp whose current op needs data that is not back. */
static void wait_for_data(struct ws_sm *sm, size_t slot)
{
	struct ws_warp *w = &sm->warp[slot];
	uint64_t back = 0;
	size_t last = 0;

	if (sm->lsu) {
		back = ws_needs_back(w);
	} else {
		while (last + 1 < w->needs && w->need[last + 1].at <= w->at)
			last++;
		back = w->need[last].back;
	}
	w->data = true;
	sm->waits++;
	ws_group_of(sm, slot)->data++;
	w->parked = back == WS_NEVER;
	if (!w->parked)
		ws_heap_push(&sm->wake, back, slot);
	if (w->parked && w->seated && sm->seats != SIZE_MAX)
		ws_group_of(sm, slot)->late = slot; /* the data may be there in the next cycle */
	else
		ws_seats_leave(sm, slot);
}

/* One cycle later: warps that were parked and still have no data. */
static void unseat_late(struct ws_sm *sm, uint64_t cycle)
{
	for (size_t g = 0; g < sm->schedulers; g++) {
		size_t slot = sm->group[g].late;

		sm->group[g].late = WS_NO_WARP;
		if (slot == WS_NO_WARP || ws_needs_back(&sm->warp[slot]) <= cycle)
			continue;
		ws_sm_count(sm, &sm->group[g], cycle);
		ws_seats_leave(sm, slot);
	}
}

/* True if the warp's next op is held up at a cycle: it sleeps until it is not. */
static bool pause(struct ws_sm *sm, size_t slot, uint64_t cycle)
{
	uint64_t ready = ws_pace_ready(sm, &sm->warp[slot]);

	if (ready <= cycle)
		return false;
	if (ready == WS_NEVER)
		sm->warp[slot].starved = true;
	else
		ws_heap_push(&sm->wake, ready, slot);
	ws_seats_leave(sm, slot);
	return true;
}

/* The same of machine code: it may wait for registers, too. */
static void settle_code(struct ws_sm *sm, size_t slot, uint64_t cycle)
{
	struct ws_warp *w = &sm->warp[slot];

	if (ws_pipe_blocks(sm, slot)) {
		w->data = w->blocked = true;
		sm->waits++;
		ws_group_of(sm, slot)->data++;
		ws_seats_leave(sm, slot);
	} else if (!sm->paced || !pause(sm, slot, cycle)) {
		ws_seats_admit(sm, slot, cycle);
	}
}

/* Sets the state of a warp that has another op, from `cycle` on.  It is in no mask. */
static void settle_warp(struct ws_sm *sm, size_t slot, uint64_t cycle)
{
	struct ws_warp *w = &sm->warp[slot];

	if (sm->pipe) {
		settle_code(sm, slot, cycle);
		return;
	}
	if (w->needs && sm->lsu)
		ws_needs_drop_met(w, cycle);
	else if (w->needs)
		ws_needs_drop(w, cycle);
	if (w->needs && w->need[0].at <= w->at) {
		wait_for_data(sm, slot);
		return;
	}
	if (sm->paced && pause(sm, slot, cycle))
		return;
	w->memory = false;
	if (w->left) {
		w->run = w->left;
		if (w->needs && w->need[0].at - w->at < w->run)
			w->run = w->need[0].at - w->at;
		if (sm->paced && ws_pace_free(sm, w) < w->run)
			w->run = ws_pace_free(sm, w);
		w->taken = w->run;
	} else if (op_of(sm, w)->action == WS_DO_BARRIER) {
		w->arriving = true;
		w->run = 1;
	} else {
		w->memory = true;
	}
	ws_seats_admit(sm, slot, cycle);
}

/* ---- issue ------------------------------------------------------------------------------ */

/* The warp's run of other ops (or its barrier) was used up in this cycle. */
static void run_out(struct ws_sm *sm, size_t slot, uint64_t cycle)
{
	struct ws_warp *w = &sm->warp[slot];

	ws_bit_clear(ws_group_of(sm, slot)->other, sm->warp[slot].index);
	if (sm->paced)
		ws_pace_issued(sm, w, w->arriving ? 1 : w->taken, cycle);
	if (w->arriving) {
		arrive(sm, slot, cycle);
		return;
	}
	w->at += w->taken;
	w->left -= (uint32_t)w->taken;
	if (!w->left && op_of(sm, w)->action == WS_DO_NOTHING && !advance(sm, w, cycle + 1))
		end_warp(sm, slot, cycle);
	else
		settle_warp(sm, slot, cycle + 1);
}

/* Passes an op's requests to the unit; the `at`-th of the warp, or of machine code that number,
 * waits for its data. */
static WS_INLINE enum ws_status hand_over(struct ws_sm *sm, size_t slot, const struct ws_op *op,
					  uint64_t at, uint64_t cycle, struct ws_err *err)
{
	struct ws_warp *w = &sm->warp[slot];
	const struct ws_cta_program *program = sm->cta[w->slot].program;
	uint32_t ticket = w->tickets;
	const struct ws_lsu_op issued = {
		.address = program->address + op->first, .sectors = program->sectors + op->first,
		.written = op->action == WS_DO_STORE && program->written
			 ? program->written + op->first : NULL,
		.count = op->count, .instruction = op->instruction, .warp = (uint32_t)slot,
		.ticket = ticket, .cta = (uint32_t)program->cta, .number = (uint16_t)w->number,
		.kind = op->action, .past = op->past,
	};

	bool store = op->action == WS_DO_STORE;

	if (!store || (op->count && sm->run->machine.sm_stores == WS_STORES_ACKNOWLEDGED)) {
		w->tickets++;
		sm->cta[w->slot].outstanding++;
		w->outstanding++;
		if (!store && !ws_need_open(w, at, ticket))
			return ws_fail_memory(err, "loads in flight");
	}
	sm->stats.memory_instructions++;
	sm->lsu_free = WS_LSU_BUSY;
	return sm->lsu->issue(sm->lsu, &issued, cycle, err);
}

/* One of machine code, whose results are there. */
static void instruction_left(struct ws_sm *sm, size_t slot, uint64_t cycle)
{
	struct ws_warp *w = &sm->warp[slot];

	assert(sm->cta[w->slot].outstanding);
	sm->cta[w->slot].outstanding--;
	w->outstanding--;
	check_end(sm, w->slot, cycle);
	if (!w->blocked || ws_pipe_blocks(sm, slot))
		return;
	ws_sm_count(sm, ws_group_of(sm, slot), cycle);
	w->data = w->blocked = false;
	ws_group_of(sm, slot)->data--;
	settle_warp(sm, slot, cycle);
}

static enum ws_status hand_code_over(struct ws_sm *sm, size_t slot, uint32_t op, uint32_t code,
				     uint64_t cycle, struct ws_err *err)
{
	const struct ws_op *o = &sm->cta[sm->warp[slot].slot].program->op[op];
	bool atomic = o->action == WS_DO_ATOMIC;
	enum ws_status status = hand_over(sm, slot, o, (uint64_t)atomic << 32 | code, cycle, err);

	/* Until all of it is back it is the unit's. */
	if (o->action == WS_DO_STORE)
		instruction_left(sm, slot, sm->now);
	if (o->action != WS_DO_STORE) {
		sm->cta[sm->warp[slot].slot].outstanding--;
		sm->warp[slot].outstanding--;
	}
	return status;
}

/* The warp's memory op is issued. */
static inline void go_on(struct ws_sm *sm, size_t slot, uint64_t cycle)
{
	struct ws_warp *w = &sm->warp[slot];

	w->at++;
	if (sm->paced)
		ws_pace_issued(sm, w, 1, cycle);
	sm->lsu_queue--;
	ws_bit_clear(ws_group_of(sm, slot)->memory, w->index);
	if (advance(sm, w, cycle + 1))
		settle_warp(sm, slot, cycle + 1);
	else
		end_warp(sm, slot, cycle);
}

/* Without a unit: the memory says at once when the data is back. */
static enum ws_status access_memory(struct ws_sm *sm, size_t slot, uint64_t cycle,
				    struct ws_err *err)
{
	struct ws_warp *w = &sm->warp[slot];
	struct ws_cta *cta = &sm->cta[w->slot];
	const struct ws_op *op = op_of(sm, w);
	struct ws_run *run = sm->run;
	const struct ws_asker by = { (uint16_t)w->number, ws_l1_part(&run->machine, slot) };
	const struct ws_request *request = NULL;
	enum ws_status status = ws_outlet_put(&sm->outlet, &run->sink, sm->id, cta->program, w->op,
					      by, cycle, &request, err);
	uint64_t back;

	if (status == WS_OK && run->sink.lanes)
		status = ws_outlet_lanes(&run->plan, &run->sink, sm->id, cta->program, w->op,
					 w->number, cycle, err);
	if (status != WS_OK)
		return status;
	back = run->memory->access(run->memory, sm->id, request, op->count, cycle);
	sm->lsu_free = cycle + op->count;
	if (op->action == WS_DO_STORE)
		return WS_OK;
	if (cta->end < back)
		cta->end = back;
	return ws_need_add(w, w->at + op->wait, back) ? WS_OK
						      : ws_fail_memory(err, "loads in flight");
}

static enum ws_status issue_memory(struct ws_sm *sm, size_t slot, uint64_t cycle,
				   struct ws_err *err)
{
	struct ws_warp *w = &sm->warp[slot];
	const struct ws_op *op = op_of(sm, w);
	enum ws_status status;

	if (sm->lsu) {
		status = hand_over(sm, slot, op, w->at + op->wait, cycle, err);
		sm->lsu_free = sm->lsu->free;
	} else {
		status = access_memory(sm, slot, cycle, err);
	}
	if (status == WS_OK)
		go_on(sm, slot, cycle);
	return status;
}

/* The last warp of a group continues with other ops from a cycle on. */
static void start_run(const struct ws_sm *sm, struct ws_warp_group *g, const struct ws_warp *w,
		      uint64_t cycle)
{
	g->running = true;
	g->leads = w->run == w->left && op_of(sm, w)->action <= WS_DO_ATOMIC &&
		   !(w->needs && w->need[0].at <= w->at + w->run);
	g->next = cycle + w->run - !g->leads;
}

/* The run of a group's last warp is over, in this cycle or, if it leads to a memory op, before. */
static void end_run(struct ws_sm *sm, struct ws_warp_group *g, size_t slot, uint64_t cycle)
{
	struct ws_warp *w = &sm->warp[slot];

	g->running = false;
	if (!g->leads) {
		g->counted = cycle + 1;
		sm->stats.issued++;
		run_out(sm, slot, cycle);
		return;
	}
	w->at += w->run;
	w->left = 0;
	w->memory = true;
	ws_bit_clear(g->other, w->index);
	ws_bit_set(g->memory, w->index);
	sm->lsu_queue++;
}

/* Sets what a group does from the next cycle on. */
static inline void look_ahead(const struct ws_sm *sm, struct ws_warp_group *g, uint64_t cycle)
{
	size_t group = (size_t)(g - sm->group);

	if (!sm->steps && g->last != WS_NO_WARP && ws_bit(g->other, g->last)) {
		start_run(sm, g, &sm->warp[g->last * sm->schedulers + group], cycle + 1);
		return;
	}
	g->next = WS_NEVER;
	if (ws_any(sm, g->other)) {
		uint64_t unit = sm->paced ? ws_pace_unit(sm, g) : 0;

		g->next = unit > cycle + 1 ? unit : cycle + 1;
	}
	if (ws_any(sm, g->memory))
		ws_seats_await_unit(sm, g, cycle + 1);
}

/* The next instruction of a warp, of machine code. */
static void issue_code(struct ws_sm *sm, struct ws_warp_group *g, size_t slot, uint64_t cycle)
{
	struct ws_warp *w = &sm->warp[slot];
	enum ws_action action = w->left ? WS_DO_NOTHING : (enum ws_action)op_of(sm, w)->action;
	bool more = true;

	g->counted = cycle + 1;
	sm->stats.issued++;
	ws_pipe_issue(sm, slot, action <= WS_DO_ATOMIC ? w->op : WS_NO_OP);
	if (sm->paced)
		ws_pace_issued(sm, w, 1, cycle);
	if (action == WS_DO_BARRIER) {
		arrive(sm, slot, cycle);
		return;
	}
	w->at++;
	w->left -= w->left > 0;
	if (action <= WS_DO_ATOMIC || (!w->left && op_of(sm, w)->action == WS_DO_NOTHING))
		more = advance(sm, w, cycle + 1);
	if (more)
		settle_warp(sm, slot, cycle + 1);
	else
		end_warp(sm, slot, cycle);
}

/* An op of the warp that the scheduler picked. */
static enum ws_status issue(struct ws_sm *sm, struct ws_warp_group *g, size_t slot, uint64_t cycle,
			    struct ws_err *err)
{
	struct ws_warp *w = &sm->warp[slot];

	if (!w->memory && !sm->steps) {
		start_run(sm, g, w, cycle);
		if (g->next == cycle)
			end_run(sm, g, slot, cycle);
		return WS_OK;
	}
	g->counted = cycle + 1;
	sm->stats.issued++;
	if (w->memory)
		return issue_memory(sm, slot, cycle, err);
	if (sm->paced)
		ws_pace_take(sm, g, cycle);
	if (--w->run == 0)
		run_out(sm, slot, cycle);
	return WS_OK;
}

static enum ws_status look_at_code(struct ws_sm *sm, size_t group, uint64_t cycle)
{
	struct ws_warp_group *g = &sm->group[group];
	bool memory = ws_pipe_offer(sm, group);
	size_t warp = sm->scheduler->pick(sm, group, true, memory);

	if (warp != WS_NO_WARP) {
		g->last = warp;
		issue_code(sm, g, warp * sm->schedulers + group, cycle);
	}
	g->next = ws_pipe_any(sm, group) ? cycle + 1 : WS_NEVER;
	return WS_OK;
}

/* A group in a cycle in which its state may change. */
static enum ws_status look_at(struct ws_sm *sm, size_t group, uint64_t cycle, struct ws_err *err)
{
	struct ws_warp_group *g = &sm->group[group];
	enum ws_status status = WS_OK;

	ws_sm_count(sm, g, cycle);
	if (g->running)
		end_run(sm, g, g->last * sm->schedulers + group, cycle);
	if (sm->pipe)
		return look_at_code(sm, group, cycle);
	if (g->counted == cycle) {
		bool other = !sm->paced || ws_pace_unit(sm, g) <= cycle;
		size_t warp = sm->scheduler->pick(sm, group, other, sm->lsu_free <= cycle);

		if (warp != WS_NO_WARP) {
			g->last = warp;
			status = issue(sm, g, warp * sm->schedulers + group, cycle, err);
		}
	}
	if (!g->running)
		look_ahead(sm, g, cycle);
	return status;
}

static inline enum ws_status step_cycle(struct ws_sm *sm, uint64_t cycle, struct ws_err *err)
{
	const struct ws_warp_group *group = sm->group;
	size_t all = sm->schedulers;
	uint64_t first = cycle + sm->turns;
	size_t g = (size_t)(ws_is_pow2(all) ? first & (all - 1) : first % all);

	for (size_t turn = 1; turn <= all; turn++, g = g + 1 == all ? 0 : g + 1) {
		enum ws_status status;

		if (group[g].next > cycle)
			continue;
		sm->turn = turn;
		status = look_at(sm, g, cycle, err);
		if (status != WS_OK)
			return status;
	}
	sm->turn = 0;
	return WS_OK;
}

/* ---- time ---------------------------------------------------------------------------------- */

/* Warps that begin are fetched for in the same cycle. */
static void enter_warps(struct ws_sm *sm, uint64_t cycle)
{
	for (size_t i = 0; i < sm->wake.count; i++) {
		struct ws_warp *w = &sm->warp[sm->wake.item[i].id];

		if (sm->wake.item[i].key > cycle || w->entered || w->op == WS_NO_OP)
			continue;
		ws_pace_enter(sm, w, cycle);
		ws_pace_ask(sm, w);
	}
}

static void wake_up(struct ws_sm *sm, uint64_t cycle)
{
	while (sm->wake.count && sm->wake.item[0].key <= cycle) {
		size_t slot = ws_heap_pop(&sm->wake);
		struct ws_warp *w = &sm->warp[slot];

		ws_sm_count(sm, ws_group_of(sm, slot), cycle);
		ws_group_of(sm, slot)->data -= w->data;
		w->data = false;
		if (sm->paced && !w->entered && w->op != WS_NO_OP)
			ws_pace_enter(sm, w, cycle);
		if (w->op == WS_NO_OP)
			end_warp(sm, slot, cycle); /* had nothing to do from the start */
		else
			settle_warp(sm, slot, cycle);
	}
}

/* The unit at the end of a cycle.  If it becomes free, groups that wait for it are visited. */
static WS_INLINE enum ws_status advance_unit(struct ws_sm *sm, uint64_t cycle, struct ws_err *err)
{
	enum ws_status status = sm->lsu->advance(sm->lsu, cycle, err);

	if (sm->lsu->free == sm->lsu_free)
		return status;
	sm->lsu_free = sm->lsu->free;
	for (size_t g = 0; g < sm->schedulers && sm->lsu_queue; g++) {
		if (!sm->group[g].running && ws_any(sm, sm->group[g].memory))
			ws_seats_await_unit(sm, &sm->group[g], cycle + 1);
	}
	return status;
}

/* Does a warp keep its seat until the next cycle? */
static bool is_any_late(const struct ws_sm *sm)
{
	for (size_t g = 0; g < sm->schedulers && sm->seats != SIZE_MAX; g++)
		if (sm->group[g].late != WS_NO_WARP)
			return true;
	return false;
}

/* Before `next`, or then, the next cycle with something that few SMs have. */
static uint64_t next_of_few(const struct ws_sm *sm, uint64_t cycle, uint64_t next)
{
	if (is_any_late(sm) || (sm->front && ws_front_due(sm)))
		return cycle + 1;
	if (sm->hungries && !sm->front) {
		uint64_t fetch = ws_pace_next_fetch(sm, cycle);

		next = fetch < next ? fetch : next;
	}
	if (sm->pipe && ws_pipe_due(sm, cycle + 1) < next)
		next = ws_pipe_due(sm, cycle + 1);
	return next;
}

/* The next cycle with a visit. */
static WS_INLINE uint64_t next_cycle(const struct ws_sm *sm, bool plain, uint64_t cycle)
{
	const struct ws_warp_group *group = sm->group, *end = group + sm->schedulers;
	uint64_t next = sm->wake.count ? sm->wake.item[0].key : WS_NEVER;

	for (; group < end; group++)
		next = group->next < next ? group->next : next;
	if (!plain)
		next = next_of_few(sm, cycle, next);
	if (sm->next_end < next)
		next = sm->next_end + 1;
	if ((plain || sm->lsu) && sm->lsu->due < next)
		next = sm->lsu->due;
	return next;
}

/* What comes before the schedulers' turn. */
static enum ws_status run_pipe(struct ws_sm *sm, uint64_t cycle, struct ws_err *err)
{
	static const struct ws_pipe_use use = { hand_code_over, instruction_left };
	enum ws_status status = WS_OK;

	if (sm->lsu->due <= cycle)
		status = advance_unit(sm, cycle, err);
	if (sm->lost)
		return ws_fail_memory(err, "results of instructions");
	return status == WS_OK && ws_pipe_due(sm, cycle) <= cycle
		? ws_pipe_cycle(sm, &use, cycle, err) : status;
}

/* What few SMs have to do in a cycle before warps wake up. */
static enum ws_status begin_cycle(struct ws_sm *sm, uint64_t cycle, struct ws_err *err)
{
	enum ws_status status = sm->pipe ? run_pipe(sm, cycle, err) : WS_OK;

	if (sm->lsu && sm->seats != SIZE_MAX)
		unseat_late(sm, cycle);
	if (sm->fetches && sm->wake.count && sm->wake.item[0].key <= cycle)
		enter_warps(sm, cycle);
	if (sm->fetches && !sm->front)
		ws_pace_fetch(sm, cycle);
	return status;
}

/* Simulates the current cycle and finds the next. */
static WS_INLINE enum ws_status simulate_cycle(struct ws_sm *sm, bool plain, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	uint64_t cycle = sm->cycle;

	sm->now = cycle;
	if ((plain || sm->lsu) && sm->lsu->due <= cycle)
		status = sm->lsu->receive(sm->lsu, cycle, err);
	if (!plain && status == WS_OK)
		status = begin_cycle(sm, cycle, err);
	if (sm->wake.count && sm->wake.item[0].key <= cycle)
		wake_up(sm, cycle);
	if (!plain && status == WS_OK && sm->leaps && ++sm->plain >= WS_LEAP_EVERY &&
	    ws_sm_leap(sm))
		return status;
	if (status == WS_OK)
		status = step_cycle(sm, cycle, err);
	if (!plain && status == WS_OK && sm->front)
		status = ws_front_cycle(sm, cycle, err);
	sm->now = cycle + 1;
	if (status == WS_OK && (plain || (sm->lsu && !sm->pipe)) && sm->lsu->due <= cycle)
		status = advance_unit(sm, cycle, err);
	sm->cycle = next_cycle(sm, plain, cycle);
	return status;
}

static WS_INLINE enum ws_status simulate_cycles(struct ws_sm *sm, bool plain, uint64_t limit,
						struct ws_err *err)
{
	enum ws_status status = WS_OK;

	while (sm->next_end >= sm->cycle && sm->cycle <= limit && sm->cycle != WS_NEVER &&
	       status == WS_OK)
		status = simulate_cycle(sm, plain, err);
	return status;
}

/* One with a unit, whose ready warps all have seats, and without what few machines ask for. */
static bool is_plain_sm(const struct ws_sm *sm)
{
	return sm->lsu && sm->seats == SIZE_MAX && !sm->pipe && !sm->front && !sm->fetches &&
	       !sm->leaps;
}

enum ws_status ws_sm_run(struct ws_sm *sm, uint64_t limit, struct ws_err *err)
{
	if (sm->lsu) {
		sm->limit = limit;
		if (sm->lsu->due < sm->cycle) /* something came in since */
			sm->cycle = sm->lsu->due < sm->now ? sm->now : sm->lsu->due;
	}
	return is_plain_sm(sm) ? simulate_cycles(sm, true, limit, err)
			    : simulate_cycles(sm, false, limit, err);
}

/* ---- what a unit has to say --------------------------------------------------------------- */

/* Data of machine code is written when it is there; false: it is a store's. */
static bool data_back(struct ws_sm *sm, struct ws_warp *w, uint32_t ticket, uint64_t back)
{
	size_t i = 0;
	uint64_t at;

	while (i < w->needs && w->need[i].ticket != ticket)
		i++;
	if (i == w->needs)
		return false;
	at = w->need[i].at;
	w->need[i] = w->need[--w->needs];
	if (ws_pipe_back(sm, (size_t)(w - sm->warp), (uint32_t)at, at >> 32, back, NULL))
		sm->lost = WS_ENOMEM;
	return true;
}

void ws_sm_back(struct ws_sm *sm, uint32_t warp, uint32_t ticket, uint64_t back)
{
	struct ws_warp *w = &sm->warp[warp];
	struct ws_cta *cta = &sm->cta[w->slot];
	uint64_t all;

	if (sm->pipe && data_back(sm, w, ticket, back))
		return;
	for (size_t i = 0; i < w->needs; i++) {
		if (w->need[i].ticket == ticket)
			w->need[i].back = back;
	}
	assert(cta->outstanding);
	cta->outstanding--;
	w->outstanding--;
	check_end(sm, w->slot, back);
	all = w->parked ? ws_needs_back(w) : WS_NEVER;
	if (all == WS_NEVER)
		return;
	w->parked = false;
	ws_heap_push(&sm->wake, all > sm->now ? all : sm->now, warp); /* this cycle, or the next */
}
