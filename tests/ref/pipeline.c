/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/pipeline.c -- written from trace/order/pipeline.h: each phase looks at all instructions
 * under way.
 */
#include "tests/ref/pipeline.h"

#include <stdlib.h>

enum where { IN_FRONT, COLLECTED, BEHIND, IN_UNIT, IN_MEMORY };

struct under_way {
	enum where where;
	uint64_t number, taken;	/* in order of issue; of collectors taken */
	size_t slot, scheduler, collector;
	struct ref_code *code;
	void *op;
	size_t kind;		/* whose registers and unit it takes */
	uint64_t operand[UINT8_MAX]; /* banks, of those not read */
	size_t operands;
	uint64_t due;
	const uint64_t *back;	/* instead, of a load, */
	const struct ref_parts *parts; /* and of parts of its data */
	size_t unit;		/* of its kind: the number of that which it is in */
	bool of_unit;
	uint64_t from;		/* of shared memory, in due's place: it may be taken from then on */
};

enum { SHARED, PAST, L1, SOURCES };

struct ref_port {			/* the load-store unit's way to the registers */
	bool busy;
	uint64_t number;	/* the instruction's whose data it has, */
	struct ref_part *part;	/* which are these; NULL: of shared memory */
	unsigned written;	/* registers */
	unsigned last;		/* the source that was taken from last */
};

struct ref_pipe {
	struct ws_pipeline is;
	const struct ws_launch *l;
	size_t schedulers;
	struct under_way *item;
	size_t count, cap;
	uint64_t issued, taken;
	uint64_t (*next)[WS_UNITS];	/* [unit]: takes one from then on */
	size_t *last;			/* [way] */
	bool *written;			/* [part * banks + bank] */
	size_t parts;			/* schedulers, or 1 if they share */
	bool has_port;
	struct ref_port port;
};

static bool has(const struct ref_pipe *p, size_t unit)
{
	return p->is.unit[unit].cycles != 0;
}

static size_t kind_of(const struct ref_pipe *p, size_t unit)
{
	if (unit == WS_UNIT_MEMORY)
		return unit;
	if (unit == WS_UNIT_HALF)
		unit = WS_UNIT_SINGLE;
	return unit == WS_UNIT_CONTROL || !has(p, unit) ? WS_UNIT_INT : unit;
}

struct ref_pipe *ref_pipe_new(const struct ws_machine *m, const struct ws_launch *l)
{
	struct ref_pipe *p = ws_alloc_zero(1, sizeof *p);

	if (ws_pipeline_read(m, &p->is, NULL))
		abort();
	p->l = l;
	p->has_port = m->l1_mshr_rate == 1 && m->l1_mshr_cycles > 1;
	p->port.last = L1;
	p->schedulers = (size_t)m->sm_schedulers;
	p->parts = p->is.shared ? 1 : p->schedulers;
	p->next = ws_alloc_zero(1024, sizeof *p->next);
	p->last = ws_alloc_zero(p->is.dispatches, sizeof *p->last);
	p->written = ws_alloc_zero(p->parts * p->is.banks, sizeof *p->written);
	return p;
}

void ref_pipe_free(struct ref_pipe *p)
{
	if (!p)
		return;
	free(p->item);
	free(p->next);
	free(p->last);
	free(p->written);
	free(p);
}

/* The first issued of a kind, of a scheduler (SIZE_MAX: any), somewhere. */
static struct under_way *first_of(const struct ref_pipe *p, enum where where, size_t kind,
				  size_t scheduler)
{
	struct under_way *first = NULL;

	for (size_t i = 0; i < p->count; i++) {
		struct under_way *u = &p->item[i];

		if (u->where == where && u->kind == kind &&
		    (scheduler == SIZE_MAX || u->scheduler == scheduler) &&
		    (!first || u->number < first->number))
			first = u;
	}
	return first;
}

/* Is a register of the kind free, of a scheduler's or of all? */
static bool is_room(const struct ref_pipe *p, enum where where, size_t kind, size_t scheduler)
{
	size_t n = 0;

	for (size_t i = 0; i < p->count; i++)
		n += p->item[i].where == where && p->item[i].kind == kind &&
		     (p->is.shared || p->item[i].scheduler == scheduler);
	return n < (p->is.shared ? p->is.unit[kind].count : 1);
}

bool ref_pipe_takes(const struct ref_pipe *p, size_t scheduler, const struct ref_code *code)
{
	return is_room(p, IN_FRONT, kind_of(p, code->unit), scheduler);
}

void ref_pipe_issue(struct ref_pipe *p, size_t slot, struct ref_code *code, void *op)
{
	if (!WS_ROOM(p->item, p->cap, p->count + 1))
		abort();
	code->issued = true;
	p->item[p->count++] = (struct under_way){
		.where = IN_FRONT, .number = p->issued++, .slot = slot,
		.scheduler = slot % p->schedulers, .code = code, .op = op,
		.kind = kind_of(p, code->unit),
	};
}

bool ref_pipe_needs(const struct ws_launch *l, const struct ref_code *code,
		    const struct ref_code *of)
{
	if (!of->issued || of->done)
		return false;
	if (of->atomic)
		return true;
	for (unsigned i = 0; code->op && i < (unsigned)code->op->results + code->op->operands; i++)
		for (unsigned k = 0; of->op && k < of->op->results; k++)
			if (l->reg[code->op->first + i] == l->reg[of->op->first + k])
				return true;
	return false;
}

/* ---- 2: results ---------------------------------------------------------------------------- */

static uint64_t bank_of(const struct ref_pipe *p, const struct under_way *u, size_t reg)
{
	return (p->l->reg[reg] + u->slot) % p->is.banks;
}

static size_t part_of(const struct ref_pipe *p, const struct under_way *u)
{
	return p->is.shared ? 0 : u->scheduler;
}

static void write_results(struct ref_pipe *p, uint64_t cycle)
{
	for (size_t i = 0; i < p->count; i++) {
		struct under_way *u = &p->item[i];
		const struct ws_code_op *op = u->code->op;

		for (size_t k = 0; u->parts && k < u->parts->count; k++)
			for (unsigned r = 0; !p->has_port && u->parts->part[k]->from == cycle &&
					     op && r < op->results; r++)
				p->written[part_of(p, u) * p->is.banks +
					   bank_of(p, u, op->first + r)] = true;
	}
	for (size_t i = 0; i < p->count;) {
		struct under_way *u = &p->item[i];
		const struct ws_code_op *op = u->code->op;

		if ((u->where != IN_UNIT && u->where != IN_MEMORY) ||
		    (u->back ? *u->back : u->due) > cycle) {
			i++;
			continue;
		}
		for (unsigned r = 0; u->of_unit && op && r < op->results; r++)
			p->written[part_of(p, u) * p->is.banks +
				   bank_of(p, u, op->first + r)] = true;
		u->code->done = true;
		p->item[i] = p->item[--p->count];
	}
}

/* ---- the load-store unit's way to the registers ---------------------------------------------- */

static bool unit_writes(const struct ref_pipe *p, size_t part, uint64_t bank, uint64_t cycle)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct under_way *u = &p->item[i];
		const struct ws_code_op *op = u->code->op;

		for (unsigned r = 0; u->where == IN_UNIT && u->due == cycle && op &&
				     r < op->results; r++)
			if (part_of(p, u) == part && bank_of(p, u, op->first + r) == bank)
				return true;
	}
	return false;
}

static struct under_way *find_number(struct ref_pipe *p, uint64_t number)
{
	size_t i = 0;

	while (p->item[i].number != number)
		i++;
	return &p->item[i];
}

static void port_writes(struct ref_pipe *p, uint64_t cycle)
{
	struct under_way *u = find_number(p, p->port.number);
	const struct ws_code_op *op = u->code->op;

	for (; op && p->port.written < op->results; p->port.written++) {
		uint64_t bank = bank_of(p, u, op->first + p->port.written);
		size_t part = part_of(p, u);

		if (p->written[part * p->is.banks + bank] || unit_writes(p, part, bank, cycle))
			return;
		p->written[part * p->is.banks + bank] = true;
	}
	p->port.busy = false;
	if (p->port.part)
		p->port.part->written = true;
	else
		u->due = cycle;
}

/* The first that a source has to be taken; false: none. */
static bool port_takes(struct ref_pipe *p, unsigned source, uint64_t cycle)
{
	struct under_way *of = NULL;
	struct ref_part *first = NULL;

	for (size_t i = 0; i < p->count; i++) {
		struct under_way *u = &p->item[i];

		if (source == SHARED && u->from && u->from <= cycle &&
		    (!of || u->from < of->from))
			of = u;
		for (size_t k = 0; source != SHARED && u->parts && k < u->parts->count; k++) {
			struct ref_part *part = u->parts->part[k];

			if (part->past != (source == PAST) || part->taken || part->from > cycle ||
			    (first && first->number < part->number))
				continue;
			first = part;
			of = u;
		}
	}
	if (!of)
		return false;
	p->port = (struct ref_port){ .busy = true, .number = of->number, .part = first,
				 .last = source };
	if (first)
		first->taken = true;
	else
		of->from = 0;
	return true;
}

void ref_pipe_port(struct ref_pipe *p, uint64_t cycle)
{
	bool took = false;
	unsigned last = p->port.last;

	if (p->port.busy)
		port_writes(p, cycle);
	for (unsigned n = 1; p->has_port && !p->port.busy && n <= SOURCES && !took; n++)
		took = port_takes(p, (last + n) % SOURCES, cycle);
}

/* ---- 3: units ------------------------------------------------------------------------------ */

static void take_unit(struct ref_pipe *p, size_t kind, size_t number, uint64_t cycle)
{
	struct under_way *u = first_of(p, BEHIND, kind, p->is.shared ? SIZE_MAX : number);
	size_t unit = u && has(p, u->code->unit) ? u->code->unit : kind, same = 0;
	uint64_t due = cycle + p->is.unit[unit].cycles + 2;

	for (size_t i = 0; i < p->count; i++) {
		const struct under_way *other = &p->item[i];

		same += other->where == IN_UNIT && other->due == due;
		if (other->where == IN_UNIT && other->due == due && other->kind == kind &&
		    other->unit == number)
			return;
	}
	if (!u || p->next[number][kind] > cycle || same >= p->is.results)
		return;
	u->unit = number;
	p->next[number][kind] = cycle + p->is.unit[unit].interval;
	u->where = IN_UNIT;
	u->of_unit = true;
	u->due = due;
}

static void take_memory(struct ref_pipe *p, const struct ref_pipe_unit *lsu, uint64_t cycle)
{
	struct under_way *u = first_of(p, BEHIND, WS_UNIT_MEMORY, SIZE_MAX);
	bool results = u && u->code->op && u->code->op->results;

	if (!u || !lsu->free(lsu->context, cycle + 1))
		return;
	u->where = IN_MEMORY;
	u->due = u->code->shared && results ? cycle + p->is.shared_cycles + 2 : cycle + 1;
	if (p->has_port && u->code->shared && results) {
		u->from = u->due - 1;
		u->due = UINT64_MAX;
	}
	if (!u->op)
		return;
	u->back = lsu->hand_over(lsu->context, u->slot, u->op, &u->parts, cycle + 1);
	if (u->back)
		return;
	u->code->done = true;
	*u = p->item[--p->count];
}

/* ---- 4: collectors ------------------------------------------------------------------------- */

static struct under_way *in_collector(const struct ref_pipe *p, size_t part, size_t collector)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->item[i].where == COLLECTED && part_of(p, &p->item[i]) == part &&
		    p->item[i].collector == collector)
			return &p->item[i];
	return NULL;
}

static void leave_shared(struct ref_pipe *p, size_t way)
{
	for (size_t n = 1; n <= p->is.collectors; n++) {
		size_t c = (p->last[way] + n) % p->is.collectors;
		struct under_way *u = in_collector(p, 0, c);

		if (!u || u->operands || !is_room(p, BEHIND, u->kind, 0))
			continue;
		u->where = BEHIND;
		p->last[way] = c;
		return;
	}
}

static void leave(struct ref_pipe *p, size_t way)
{
	size_t each = p->is.collectors, scheduler = p->last[way] / each;

	for (size_t n = 1; n <= p->schedulers; n++) {
		size_t of = (scheduler + n) % p->schedulers;

		for (size_t c = 0; c < each; c++) {
			struct under_way *u = in_collector(p, of, c);

			if (!u || u->operands || first_of(p, BEHIND, u->kind, of))
				continue;
			u->where = BEHIND;
			p->last[way] = of * each + c;
			return;
		}
	}
}

static void read_bank(struct ref_pipe *p, size_t part, uint64_t bank)
{
	struct under_way *first = NULL;
	size_t at = 0;

	for (size_t i = 0; i < p->count; i++) {
		struct under_way *u = &p->item[i];

		for (size_t o = 0; u->where == COLLECTED && part_of(p, u) == part &&
				   o < u->operands; o++)
			if (u->operand[o] == bank && (!first || u->taken < first->taken)) {
				first = u;
				at = o;
			}
	}
	if (first && !p->written[part * p->is.banks + bank])
		first->operand[at] = first->operand[--first->operands];
}

static bool is_new(const struct ref_pipe *p, const struct ws_code_op *op, unsigned i)
{
	const uint16_t *operand = p->l->reg + op->first + op->results;

	for (unsigned k = 0; k < op->operands; k++)
		if (operand[k] == operand[i])
			return k == i;
	return true;
}

static void collect(struct ref_pipe *p, size_t kind)
{
	struct under_way *u = first_of(p, IN_FRONT, kind, SIZE_MAX);
	const struct ws_code_op *op = u ? u->code->op : NULL;
	size_t c = 0;

	while (u && c < p->is.collectors && in_collector(p, part_of(p, u), c))
		c++;
	if (!u || c == p->is.collectors)
		return;
	u->where = COLLECTED;
	u->collector = c;
	u->taken = p->taken++;
	for (unsigned i = 0; op && i < op->operands; i++)
		if (is_new(p, op, i))
			u->operand[u->operands++] =
				bank_of(p, u, (size_t)op->first + op->results + i);
}

void ref_pipe_cycle(struct ref_pipe *p, const struct ref_pipe_unit *lsu, uint64_t cycle)
{
	static const size_t units[] = {
		WS_UNIT_SINGLE, WS_UNIT_DOUBLE, WS_UNIT_INT, WS_UNIT_SPECIAL, WS_UNIT_BRANCH,
		WS_UNIT_TEXTURE, WS_UNIT_MATRIX, WS_UNIT_UNIFORM,
	}, kinds[] = {
		WS_UNIT_SINGLE, WS_UNIT_SPECIAL, WS_UNIT_MEMORY, WS_UNIT_DOUBLE, WS_UNIT_INT,
		WS_UNIT_BRANCH, WS_UNIT_TEXTURE, WS_UNIT_MATRIX, WS_UNIT_UNIFORM,
	};

	write_results(p, cycle);
	for (size_t i = 0; i < WS_COUNT(units); i++)
		for (size_t n = 0; n < (p->is.shared ? p->is.unit[units[i]].count : p->schedulers);
		     n++)
			take_unit(p, units[i], n, cycle);
	take_memory(p, lsu, cycle);
	for (uint64_t step = 0; step < p->is.steps; step++) {
		for (size_t way = 0; way < p->is.dispatches; way++)
			(p->is.shared ? leave_shared : leave)(p, way);
		for (size_t part = 0; part < p->parts; part++)
			for (uint64_t bank = 0; bank < p->is.banks; bank++)
				read_bank(p, part, bank);
		for (uint64_t port = 0; port < p->is.ports; port++)
			for (size_t i = 0; i < WS_COUNT(kinds); i++)
				collect(p, kinds[i]);
		for (size_t i = 0; i < p->parts * p->is.banks; i++)
			p->written[i] = false;
	}
}
