/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/pipeline.c -- machine code on an SM (pipeline.h), cycle by cycle while any
 * instruction is in flight.
 */
#include "trace/order/pipeline.h"

#include <assert.h>
#include <stdlib.h>

#define REGISTER_WORDS (WS_REGISTERS / 64)
#define INSTRUCTION 16u		/* bytes of machine code */
#define AFTER_UNIT 2u		/* cycles from a unit's last to the write */

struct flight {			/* an instruction that no unit has taken yet */
	uint64_t number;	/* order of issue, from 1 on; 0: empty */
	uint32_t slot;
	uint32_t code;		/* its number, or WS_NO_CODE */
	uint32_t op;		/* of its CTA, if it accesses global memory; or WS_NO_OP */
	uint8_t unit, place;	/* enum ws_function_unit; the kind whose registers it uses */
	bool shared;
};

struct collector {
	struct flight of;
	uint64_t taken;		/* collectors in order */
	uint32_t left;		/* operands not read yet */
};

struct result {
	uint64_t due;
	uint32_t slot, code;
	uint32_t unit;		/* that computes it; NO_UNIT: memory */
	bool atomic;
	bool part;		/* part of a load's data; its registers may wait for more */
};
#define NO_UNIT UINT32_MAX

struct data_waiting { /* data that waits for the load-store unit's way to the registers */
	uint64_t from;		/* the first cycle in which it may be taken */
	uint32_t slot, code;
	struct ws_load_data of;	/* of shared memory: nobody's */
};

struct data_queue {		/* of one source, in order */
	struct data_waiting *item;
	size_t first, count, cap; /* item[first .. count - 1] wait */
};

enum { SHARED, PAST, L1, SOURCES };

struct way_back {			/* that way */
	struct data_queue wait[SOURCES];
	struct data_waiting taken;
	bool busy;		/* .taken is being written, */
	unsigned written;	/* so many of its registers are */
	unsigned turn;		/* the source that is looked at first */
};

struct ws_pipe {
	struct ws_pipeline is;
	const struct ws_launch *launch;
	uint8_t place[WS_UNITS];
	size_t width[WS_UNITS];		/* by kind, registers and units: one for each scheduler or,
					 * if they share, any number */
	size_t widest, parts;		/* parts: schedulers, or 1 if they share */
	struct flight *before, *after;	/* [place * widest + number] */
	uint64_t *busy;			/* likewise: the cycle until which the unit is busy */
	struct collector *collector;	/* [part * collectors + i] */
	uint32_t *waits;		/* [collector * banks + bank]: operands that wait */
	uint64_t *written;		/* [part * banks + bank]: 1 + the cycle of the last */
	bool has_port;
	struct way_back port;
	size_t *last;			/* [port]: the collector it served last */
	struct result *result;
	size_t results, result_cap;
	uint64_t *reserved;		/* [slot * REGISTER_WORDS ..]: with results in flight */
	uint64_t *ready;		/* [(scheduler * WS_UNITS + place) * words ..] */
	uint64_t issued, taken;
	size_t held;			/* instructions that no unit has taken yet */
	size_t schedulers, words;
};

/* ---- registers ----------------------------------------------------------------------------- */

static const struct ws_code_op *code_of(const struct ws_pipe *p, uint32_t code)
{
	return code == WS_NO_CODE ? NULL : &p->launch->code[code];
}

static uint64_t *reserved_of(const struct ws_pipe *p, size_t slot)
{
	return p->reserved + slot * REGISTER_WORDS;
}

static void reserve(struct ws_pipe *p, size_t slot, uint32_t code)
{
	const struct ws_code_op *op = code_of(p, code);

	for (unsigned i = 0; op && i < op->results; i++)
		ws_bit_set(reserved_of(p, slot), p->launch->reg[op->first + i]);
}

static void free_registers(struct ws_pipe *p, size_t slot, uint32_t code)
{
	const struct ws_code_op *op = code_of(p, code);

	for (unsigned i = 0; op && i < op->results; i++)
		ws_bit_clear(reserved_of(p, slot), p->launch->reg[op->first + i]);
}

/* ---- warps --------------------------------------------------------------------------------- */

/* The warp's next instruction, with WS_CODE_SHARED. */
static uint32_t next_of(const struct ws_sm *sm, const struct ws_warp *w)
{
	const struct ws_cta_program *p = sm->cta[w->slot].program;

	return p->code[p->code_first[w->op] + p->op[w->op].before - w->left];
}

static uint8_t unit_of(const struct ws_sm *sm, const struct ws_warp *w)
{
	const struct ws_op *op = &sm->cta[w->slot].program->op[w->op];
	uint32_t code = next_of(sm, w);

	if (!w->left && op->action <= WS_DO_ATOMIC)
		return WS_UNIT_MEMORY;
	return code == WS_NO_CODE ? (uint8_t)WS_UNIT_INT
				  : sm->run->plan.launch->code[code & ~WS_CODE_SHARED].unit;
}

bool ws_pipe_blocks(const struct ws_sm *sm, size_t slot)
{
	const struct ws_warp *w = &sm->warp[slot];
	const struct ws_pipe *p = sm->pipe;
	uint32_t code = next_of(sm, w);
	const struct ws_code_op *op;

	if (w->atomics)
		return true;
	op = code_of(p, code == WS_NO_CODE ? code : code & ~WS_CODE_SHARED);
	for (unsigned i = 0; op && i < (unsigned)op->results + op->operands; i++)
		if (ws_bit(reserved_of(p, slot), p->launch->reg[op->first + i]))
			return true;
	return false;
}

bool ws_pipe_pc(const struct ws_sm *sm, size_t slot, uint64_t *pc)
{
	const struct ws_warp *w = &sm->warp[slot];
	bool first = w->last == WS_NEVER;
	uint32_t code = first ? next_of(sm, w) : w->issued_code;

	if (code == WS_NO_CODE)
		return false;
	*pc = (uint64_t)sm->pipe->launch->code[code & ~WS_CODE_SHARED].pc +
	      (first ? 0 : INSTRUCTION);
	return true;
}

/* A free register of the kind that may hold a scheduler's instruction; NULL: there is none. */
static struct flight *find_free(const struct ws_pipe *p, struct flight *at, size_t place,
				size_t group)
{
	struct flight *of = at + place * p->widest;

	if (p->parts > 1)
		return of[group].number ? NULL : &of[group];
	for (size_t i = 0; i < p->width[place]; i++)
		if (!of[i].number)
			return &of[i];
	return NULL;
}

/* The instruction of a kind that was issued first; NULL: there is none. */
static struct flight *find_first(const struct ws_pipe *p, struct flight *at, size_t place)
{
	struct flight *first = NULL, *of = at + place * p->widest;

	for (size_t i = 0; i < p->width[place]; i++)
		if (of[i].number && (!first || of[i].number < first->number))
			first = &of[i];
	return first;
}

static size_t part_of(const struct ws_pipe *p, uint32_t slot)
{
	return p->parts > 1 ? slot % p->parts : 0;
}

static uint64_t *ready_of(const struct ws_pipe *p, size_t group, size_t place)
{
	return p->ready + (group * WS_UNITS + place) * p->words;
}

void ws_pipe_show(struct ws_sm *sm, size_t slot)
{
	const struct ws_warp *w = &sm->warp[slot];

	ws_bit_set(ready_of(sm->pipe, w->group, sm->pipe->place[unit_of(sm, w)]), w->index);
}

bool ws_pipe_offer(struct ws_sm *sm, size_t group)
{
	const struct ws_pipe *p = sm->pipe;
	struct ws_warp_group *g = &sm->group[group];

	for (size_t i = 0; i < p->words; i++) {
		g->other[i] = 0;
		g->memory[i] = ready_of(p, group, WS_UNIT_MEMORY)[i];
	}
	for (size_t place = 0; place < WS_UNIT_MEMORY; place++) {
		const uint64_t *ready = ready_of(p, group, place);

		if (!find_free(p, p->before, place, group))
			continue;
		for (size_t i = 0; i < p->words; i++)
			g->other[i] |= ready[i];
	}
	return find_free(p, p->before, WS_UNIT_MEMORY, group) != NULL;
}

bool ws_pipe_any(const struct ws_sm *sm, size_t group)
{
	const uint64_t *ready = ready_of(sm->pipe, group, 0);

	for (size_t i = 0; i < WS_UNITS * sm->pipe->words; i++)
		if (ready[i])
			return true;
	return false;
}

void ws_pipe_issue(struct ws_sm *sm, size_t slot, uint32_t memory)
{
	struct ws_pipe *p = sm->pipe;
	struct ws_warp *w = &sm->warp[slot];
	uint8_t unit = unit_of(sm, w), place = p->place[unit];
	uint32_t code = next_of(sm, w);
	bool shared = code != WS_NO_CODE && code & WS_CODE_SHARED;

	assert(find_free(p, p->before, place, w->group));
	code = shared ? code & ~WS_CODE_SHARED : code;
	ws_bit_clear(ready_of(p, w->group, place), w->index);
	ws_bit_clear(sm->group[w->group].memory, w->index);
	*find_free(p, p->before, place, w->group) = (struct flight){
		.number = ++p->issued, .slot = (uint32_t)slot, .code = code, .op = memory,
		.unit = unit, .place = place, .shared = shared };
	p->held++;
	reserve(p, slot, code);
	sm->cta[w->slot].outstanding++;
	w->outstanding++;
	w->issued_code = code;
	if (memory != WS_NO_OP && sm->cta[w->slot].program->op[memory].action == WS_DO_ATOMIC)
		w->atomics++;
}

/* ---- results ------------------------------------------------------------------------------- */

static enum ws_status add_result(struct ws_pipe *p, const struct result *r, struct ws_err *err)
{
	if (!WS_ROOM(p->result, p->result_cap, p->results + 1))
		return ws_fail_memory(err, "results of instructions");
	p->result[p->results++] = *r;
	return WS_OK;
}

enum ws_status ws_pipe_back(struct ws_sm *sm, size_t slot, uint32_t code, bool atomic,
			    uint64_t cycle, struct ws_err *err)
{
	const struct result r = { .due = cycle, .slot = (uint32_t)slot, .code = code,
				  .unit = NO_UNIT, .atomic = atomic };

	return add_result(sm->pipe, &r, err);
}

enum ws_status ws_pipe_part_back(struct ws_sm *sm, size_t slot, uint32_t code, uint64_t cycle,
				 struct ws_err *err)
{
	const struct result r = { .due = cycle, .slot = (uint32_t)slot, .code = code,
				  .unit = NO_UNIT, .part = true };

	return add_result(sm->pipe, &r, err);
}

void ws_sm_part_back(struct ws_sm *sm, uint32_t warp, uint32_t ticket, uint64_t back)
{
	struct ws_warp *w = &sm->warp[warp];

	for (size_t i = 0; sm->pipe && i < w->needs; i++)
		if (w->need[i].ticket == ticket &&
		    ws_pipe_part_back(sm, warp, (uint32_t)w->need[i].at, back, NULL))
			sm->lost = WS_ENOMEM;
}

/* When the bank of an instruction's i-th result was written last. */
static uint64_t *bank_of(const struct ws_pipe *p, const struct ws_code_op *op, unsigned i,
			 size_t slot)
{
	return &p->written[part_of(p, (uint32_t)slot) * p->is.banks +
			   (p->launch->reg[op->first + i] + slot) % p->is.banks];
}

static void take_banks(struct ws_pipe *p, const struct result *r, uint64_t cycle)
{
	const struct ws_code_op *op = code_of(p, r->code);

	for (unsigned i = 0; op && i < op->results; i++)
		*bank_of(p, op, i, r->slot) = cycle + 1;
}

static void write_result(struct ws_sm *sm, const struct ws_pipe_use *use, const struct result *r,
			 uint64_t cycle)
{
	struct ws_pipe *p = sm->pipe;

	if (r->unit != NO_UNIT || r->part)
		take_banks(p, r, cycle);
	if (r->part)
		return;
	free_registers(p, r->slot, r->code);
	assert(!r->atomic || sm->warp[r->slot].atomics);
	sm->warp[r->slot].atomics -= r->atomic;
	use->released(sm, r->slot, cycle);
}

static void write_results(struct ws_sm *sm, const struct ws_pipe_use *use, uint64_t cycle)
{
	struct ws_pipe *p = sm->pipe;
	size_t kept = 0;

	for (size_t i = 0; i < p->results; i++) {
		struct result r = p->result[i];

		if (r.due <= cycle)
			write_result(sm, use, &r, cycle);
		else
			p->result[kept++] = r;
	}
	p->results = kept;
}

/* ---- the load-store unit's way to the registers ---------------------------------------------- */

static enum ws_status add_answer(struct data_queue *to, const struct data_waiting *a,
				 struct ws_err *err)
{
	if (to->first == to->count)
		to->first = to->count = 0;
	if (!WS_ROOM(to->item, to->cap, to->count + 1))
		return ws_fail_memory(err, "data of loads");
	to->item[to->count++] = *a;
	return WS_OK;
}

void ws_sm_data(struct ws_sm *sm, uint32_t warp, uint32_t ticket, const struct ws_load_data *data,
		bool past, uint64_t from)
{
	const struct ws_warp *w = &sm->warp[warp];
	struct data_waiting a = { .from = from, .slot = warp, .of = *data };

	for (size_t i = 0; i < w->needs; i++)
		if (w->need[i].ticket == ticket)
			a.code = (uint32_t)w->need[i].at;
	if (add_answer(&sm->pipe->port.wait[past ? PAST : L1], &a, NULL) != WS_OK)
		sm->lost = WS_ENOMEM;
}

bool ws_sm_port_takes(const struct ws_sm *sm)
{
	const struct data_queue *past = &sm->pipe->port.wait[PAST];

	return past->first == past->count;
}

uint64_t ws_sm_port_due(const struct ws_sm *sm)
{
	const struct way_back *port = &sm->pipe->port;
	uint64_t due = port->busy ? 0 : WS_NEVER;

	for (unsigned i = 0; i < SOURCES; i++) {
		const struct data_queue *a = &port->wait[i];

		if (a->first < a->count && a->item[a->first].from < due)
			due = a->item[a->first].from;
	}
	return due;
}

/* Writes registers whose banks are free; true: it has written all. */
static bool write_answer(struct ws_pipe *p, uint64_t cycle)
{
	struct way_back *port = &p->port;
	const struct ws_code_op *op = code_of(p, port->taken.code);

	for (size_t i = 0; i < p->results; i++)
		if (p->result[i].due <= cycle && p->result[i].unit != NO_UNIT)
			take_banks(p, &p->result[i], cycle);
	for (; op && port->written < op->results; port->written++) {
		uint64_t *bank = bank_of(p, op, port->written, port->taken.slot);

		if (*bank == cycle + 1)
			return false;
		*bank = cycle + 1;
	}
	return true;
}

static bool take_answer(struct way_back *port, uint64_t cycle)
{
	for (unsigned n = 0; n < SOURCES; n++) {
		unsigned source = (port->turn + n) % SOURCES;
		struct data_queue *a = &port->wait[source];

		if (a->first == a->count || a->item[a->first].from > cycle)
			continue;
		port->taken = a->item[a->first++];
		port->busy = true;
		port->written = 0;
		port->turn = (source + 1) % SOURCES;
		return true;
	}
	return false;
}

struct ws_port_cycle ws_sm_port(struct ws_sm *sm, uint64_t cycle)
{
	struct way_back *port = &sm->pipe->port;
	struct ws_port_cycle did = { .written = { .load = WS_NO_LOAD } };

	if (port->busy && write_answer(sm->pipe, cycle)) {
		did.written = port->taken.of;
		port->busy = false;
		if (port->taken.of.load == WS_NO_LOAD) {
			const struct result r = { .due = cycle, .slot = port->taken.slot,
						  .code = port->taken.code, .unit = NO_UNIT };

			if (add_result(sm->pipe, &r, NULL) != WS_OK)
				sm->lost = WS_ENOMEM;
		}
	}
	if (!port->busy && take_answer(port, cycle) && port->taken.of.last) {
		did.freed = true;
		did.part = port->taken.of.part;
	}
	return did;
}

/* May a result of the unit be due in that cycle? */
static bool has_time(const struct ws_pipe *p, uint32_t unit, uint64_t due)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->results; i++) {
		if (p->result[i].due != due || p->result[i].unit == NO_UNIT)
			continue;
		n++;
		if (p->result[i].unit == unit)
			return false;
	}
	return n < p->is.results;
}

/* ---- units --------------------------------------------------------------------------------- */

static enum ws_status take_unit(struct ws_pipe *p, size_t place, size_t number, uint64_t cycle,
				struct ws_err *err)
{
	struct flight *f = p->parts > 1 ? &p->after[place * p->widest + number]
					: find_first(p, p->after, place);
	size_t at = place * p->widest + number, unit;
	struct result r;

	if (!f || !f->number || p->busy[at] > cycle)
		return WS_OK;
	unit = p->is.unit[f->unit].cycles ? f->unit : place;
	r = (struct result){ .due = cycle + p->is.unit[unit].cycles + AFTER_UNIT,
			     .slot = f->slot, .code = f->code, .unit = (uint32_t)at };
	if (!has_time(p, r.unit, r.due))
		return WS_OK;
	p->busy[at] = cycle + p->is.unit[unit].interval;
	assert(p->held);
	f->number = 0;
	p->held--;
	return add_result(p, &r, err);
}

static bool is_store(const struct ws_sm *sm, const struct flight *f)
{
	const struct ws_cta_program *p = sm->cta[sm->warp[f->slot].slot].program;

	return p->op[f->op].action == WS_DO_STORE;
}

static enum ws_status take_memory(struct ws_sm *sm, const struct ws_pipe_use *use, uint64_t cycle,
				  struct ws_err *err)
{
	struct ws_pipe *p = sm->pipe;
	struct flight *first = find_first(p, p->after, WS_UNIT_MEMORY);
	struct result r;

	if (!first || sm->lsu->free > cycle + 1)
		return WS_OK;
	assert(p->held);
	first->number = 0;
	p->held--;
	if (first->op != WS_NO_OP && is_store(sm, first))
		free_registers(p, first->slot, first->code);
	if (first->op != WS_NO_OP)
		return use->hand_over(sm, first->slot, first->op, first->code, cycle + 1, err);
	r = (struct result){ .due = cycle + 1, .slot = first->slot, .code = first->code,
			     .unit = NO_UNIT };
	if (!first->shared || !code_of(p, first->code)->results)
		return add_result(p, &r, err);
	r.due = cycle + p->is.shared_cycles + AFTER_UNIT;
	if (!p->has_port)
		return add_result(p, &r, err);
	if (r.due - 1 < sm->lsu->due)
		sm->lsu->due = r.due - 1;
	return add_answer(&p->port.wait[SHARED], &(struct data_waiting){
		.from = r.due - 1, .slot = r.slot, .code = r.code,
		.of = { .load = WS_NO_LOAD } }, err);
}

static enum ws_status execute(struct ws_sm *sm, const struct ws_pipe_use *use, uint64_t cycle,
			      struct ws_err *err)
{
	static const uint8_t order[] = {
		WS_UNIT_SINGLE, WS_UNIT_DOUBLE, WS_UNIT_INT, WS_UNIT_SPECIAL, WS_UNIT_BRANCH,
		WS_UNIT_TEXTURE, WS_UNIT_MATRIX, WS_UNIT_UNIFORM,
	};
	struct ws_pipe *p = sm->pipe;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < WS_COUNT(order); i++)
		for (size_t k = 0; k < p->width[order[i]] && status == WS_OK; k++)
			status = take_unit(p, order[i], k, cycle, err);
	return status == WS_OK ? take_memory(sm, use, cycle, err) : status;
}

/* ---- collectors ---------------------------------------------------------------------------- */

/* An instruction leaves a collector through a port (phase 4a); false: none can. */
static bool dispatch(struct ws_pipe *p, size_t way)
{
	size_t each = p->is.collectors, all = each * p->parts;
	size_t first = p->is.shared ? p->last[way] + 1 : p->last[way] - p->last[way] % each + each;

	for (size_t i = 0; i < all; i++) {
		size_t at = (first + i) % all;
		struct collector *c = &p->collector[at];
		struct flight *to;

		if (!c->of.number || c->left)
			continue;
		to = find_free(p, p->after, c->of.place, at / each);
		if (!to)
			continue;
		p->last[way] = at;
		*to = c->of;
		c->of.number = 0;
		return true;
	}
	return false;
}

/* Each bank reads the operand that has waited longest (phase 4b). */
static void read_banks(struct ws_pipe *p, size_t part, uint64_t stamp)
{
	struct collector *c = p->collector + part * p->is.collectors;

	for (size_t bank = 0; bank < p->is.banks; bank++) {
		size_t best = p->is.collectors;

		for (size_t i = 0; i < p->is.collectors; i++)
			if (p->waits[(part * p->is.collectors + i) * p->is.banks + bank] &&
			    (best == p->is.collectors || c[i].taken < c[best].taken))
				best = i;
		if (best == p->is.collectors || p->written[part * p->is.banks + bank] == stamp)
			continue;
		assert(c[best].of.number && c[best].left);
		p->waits[(part * p->is.collectors + best) * p->is.banks + bank]--;
		c[best].left--;
	}
}

/* Does an instruction read the register of its i-th operand as an earlier one, too? */
static bool reads_before(const struct ws_pipe *p, const struct ws_code_op *op, unsigned i)
{
	const uint16_t *reg = &p->launch->reg[op->first + op->results];

	for (unsigned k = 0; k < i; k++)
		if (reg[k] == reg[i])
			return true;
	return false;
}

static void collect(struct ws_pipe *p, size_t at, struct flight *f)
{
	const struct ws_code_op *op = code_of(p, f->code);
	struct collector *c = &p->collector[at];

	assert(!c->of.number && !c->left && f->number);
	*c = (struct collector){ .of = *f, .taken = ++p->taken };
	for (unsigned i = 0; op && i < op->operands; i++) {
		uint64_t reg = p->launch->reg[op->first + op->results + i];

		if (reads_before(p, op, i))
			continue;
		p->waits[at * p->is.banks + (reg + f->slot) % p->is.banks]++;
		c->left++;
	}
	f->number = 0;
}

/* The first issued instruction of a kind takes a collector (phase 4c); false: there is none, or it
 * cannot. */
static bool allocate(struct ws_pipe *p, size_t place)
{
	struct flight *first = find_first(p, p->before, place);
	size_t of = first ? part_of(p, first->slot) : 0;

	for (size_t i = 0; first && i < p->is.collectors; i++) {
		size_t at = of * p->is.collectors + i;

		if (!p->collector[at].of.number) {
			collect(p, at, first);
			return true;
		}
	}
	return false;
}

static void step(struct ws_pipe *p, uint64_t stamp)
{
	static const uint8_t order[] = {
		WS_UNIT_SINGLE, WS_UNIT_SPECIAL, WS_UNIT_MEMORY, WS_UNIT_DOUBLE, WS_UNIT_INT,
		WS_UNIT_BRANCH, WS_UNIT_TEXTURE, WS_UNIT_MATRIX, WS_UNIT_UNIFORM,
	};
	bool any = true;

	for (size_t way = 0; way < p->is.dispatches && dispatch(p, way); way++)
		continue;
	for (size_t part = 0; part < p->parts; part++)
		read_banks(p, part, stamp);
	for (size_t port = 0; port < p->is.ports && any; port++) {
		any = false;
		for (size_t i = 0; i < WS_COUNT(order); i++)
			any |= allocate(p, order[i]);
	}
}

/* ---- a cycle ------------------------------------------------------------------------------- */

enum ws_status ws_pipe_cycle(struct ws_sm *sm, const struct ws_pipe_use *use, uint64_t cycle,
			     struct ws_err *err)
{
	enum ws_status status;

	write_results(sm, use, cycle);
	status = execute(sm, use, cycle, err);
	for (uint64_t i = 0; i < sm->pipe->is.steps; i++)
		step(sm->pipe, i ? WS_NEVER : cycle + 1);
	return status;
}

uint64_t ws_pipe_due(const struct ws_sm *sm, uint64_t cycle)
{
	uint64_t due = WS_NEVER;

	if (sm->pipe->held)
		return cycle;
	for (size_t i = 0; i < sm->pipe->results; i++)
		due = sm->pipe->result[i].due < due ? sm->pipe->result[i].due : due;
	return due > cycle ? due : cycle;
}

/* ---- life ---------------------------------------------------------------------------------- */

static bool make_tables(struct ws_pipe *p, size_t warps)
{
	size_t kinds = WS_UNITS * p->widest, collectors = p->parts * p->is.collectors;

	p->before = ws_alloc_zero(kinds, sizeof *p->before);
	p->after = ws_alloc_zero(kinds, sizeof *p->after);
	p->busy = ws_alloc_zero(kinds, sizeof *p->busy);
	p->collector = ws_alloc_zero(collectors, sizeof *p->collector);
	p->waits = ws_alloc_zero(collectors, p->is.banks * sizeof *p->waits);
	p->written = ws_alloc_zero(p->parts, p->is.banks * sizeof *p->written);
	p->last = ws_alloc_zero(p->is.dispatches, sizeof *p->last);
	p->reserved = ws_alloc_zero(warps, REGISTER_WORDS * sizeof *p->reserved);
	p->ready = ws_alloc_zero(WS_UNITS * p->schedulers, p->words * sizeof *p->ready);
	return p->before && p->after && p->busy && p->collector && p->waits && p->written &&
	       p->last && p->reserved && p->ready;
}

/* Sets the number of registers and units of each kind, and who has them. */
static void set_widths(struct ws_pipe *p)
{
	p->parts = p->is.shared ? 1 : p->schedulers;
	for (size_t i = 0; i < WS_UNITS; i++) {
		p->width[i] = p->is.shared ? (size_t)p->is.unit[i].count : p->schedulers;
		p->widest = p->width[i] > p->widest ? p->width[i] : p->widest;
	}
}

enum ws_status ws_pipe_new(struct ws_pipe **out, const struct ws_sm *sm, struct ws_err *err)
{
	const struct ws_machine *m = sm->run->plan.machine;
	struct ws_pipe *p;
	enum ws_status status;

	*out = NULL;
	if (!sm->run->plan.coded)
		return WS_OK;
	p = ws_alloc_zero(1, sizeof *p);
	if (!p)
		return ws_fail_memory(err, "an SM");
	status = ws_pipeline_read(m, &p->is, err);
	p->launch = sm->run->plan.launch;
	p->has_port = ws_pipeline_has_port(m);
	p->schedulers = sm->schedulers;
	p->words = sm->words;
	set_widths(p);
	for (size_t i = 0; i < WS_UNITS; i++)
		p->place[i] = (uint8_t)(p->is.unit[i].cycles ? i : WS_UNIT_INT);
	p->place[WS_UNIT_CONTROL] = WS_UNIT_INT;
	p->place[WS_UNIT_HALF] = p->place[WS_UNIT_SINGLE];
	p->place[WS_UNIT_MEMORY] = WS_UNIT_MEMORY;
	if (status == WS_OK && !make_tables(p, sm->slots * sm->run->plan.warps))
		status = ws_fail_memory(err, "an SM");
	if (status != WS_OK)
		ws_pipe_free(p);
	else
		*out = p;
	return status;
}

void ws_pipe_free(struct ws_pipe *p)
{
	if (!p)
		return;
	free(p->before);
	free(p->after);
	free(p->busy);
	free(p->collector);
	free(p->waits);
	free(p->written);
	free(p->last);
	free(p->result);
	for (unsigned i = 0; i < SOURCES; i++)
		free(p->port.wait[i].item);
	free(p->reserved);
	free(p->ready);
	free(p);
}
