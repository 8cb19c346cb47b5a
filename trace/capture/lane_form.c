/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/lane_form.c -- forms of values, from the instructions that make them.
 *
 * Sums, differences and products with a constant are forms again.  Instructions whose operands are
 * all known are evaluated for each work-item.  A value that a loop increases by a constant is a
 * multiple of the iteration's number, which is unknown, but the same for all lanes that are in the
 * loop together.  Anything else is an unknown value.  It is the same for all lanes of a warp if all
 * its operands are.
 */
#include "trace/capture/lane_form.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

#define DEEPEST 200u /* of recursion; deeper values count as unknown */
#define TABLES_MAX 4096u
#define FIELDS	(offsetof(struct ws_lane_ctx, clock) / sizeof(uint64_t))

struct known {
	uint64_t key; /* the LLVMValueRef */
	struct ws_form *form;
};

/* A phi of a loop's head.  PHI_OPEN: while it is analysed, its form is itself. */
enum phi_is { PHI_OPEN, PHI_KNOWN, PHI_APART };
struct carried_phi {
	LLVMValueRef value;
	enum phi_is is;
	struct ws_form form;
};

struct ws_forms {
	struct ws_module *m;
	const struct ws_flow *flow;
	struct ws_form_shape shape;
	LLVMValueRef fixed;
	int64_t fixed_is;
	struct known *known;
	size_t count, cap;
	struct ws_map map;
	LLVMValueRef field[FIELDS]; /* by field of the context: its first load */
	struct carried_phi *phi;
	size_t phis, phi_cap;
	void **memory;
	size_t pieces, piece_cap, tables;
	unsigned depth;
	bool failed;
};

uint32_t ws_flow_block(LLVMValueRef v)
{
	LLVMBasicBlockRef b = LLVMGetInstructionParent(v);

	return (uint32_t)strtoul(LLVMGetBasicBlockName(b) + 1, NULL, 10);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void *piece(struct ws_forms *f, size_t bytes)
{
	void *p = WS_ROOM(f->memory, f->piece_cap, f->pieces + 1) ? ws_alloc_zero(1, bytes) : NULL;

	if (p)
		f->memory[f->pieces++] = p;
	f->failed |= !p;
	return p;
}

/* One number a work-item.  NULL: out of memory, or too many tables; the value is unknown then. */
static int64_t *numbers(struct ws_forms *f)
{
	if (f->tables == TABLES_MAX)
		return NULL;
	f->tables++;
	return piece(f, WS_FORM_LANES * sizeof(int64_t));
}

static struct ws_form *remember(struct ws_forms *f, LLVMValueRef v, const struct ws_form *is)
{
	uint64_t key = (uint64_t)(uintptr_t)v;
	struct ws_form *form = piece(f, sizeof *form);
	uint32_t *slot;

	if (!form || !WS_ROOM(f->known, f->cap, f->count + 1) ||
	    !ws_map_room(&f->map, f->known, sizeof *f->known, f->count + 1)) {
		f->failed = true;
		return NULL;
	}
	*form = *is;
	slot = ws_map_slot(&f->map, f->known, sizeof *f->known, key);
	if (*slot) {
		f->known[*slot - 1].form = form;
	} else {
		f->known[f->count++] = (struct known){ key, form };
		*slot = (uint32_t)f->count;
	}
	return form;
}

static void forget_all(struct ws_forms *f)
{
	ws_map_flush(&f->map, f->count);
	f->count = 0;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static int64_t at_lane(const struct ws_form *a, size_t i)
{
	return a->constant + (a->lane ? a->lane[i] : 0);
}

static int64_t sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t product(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* Adds by * t; false: too many terms. */
static bool add_term(struct ws_form *to, const struct ws_form_term *t, int64_t by)
{
	size_t k = 0;

	while (k < to->terms && to->term[k].value != t->value)
		k++;
	if (k == WS_FORM_TERMS)
		return false;
	if (k == to->terms)
		to->term[to->terms++] = (struct ws_form_term){ t->value, 0, t->one };
	to->term[k].by = sum(to->term[k].by, product(t->by, by));
	if (!to->term[k].by)
		to->term[k] = to->term[--to->terms];
	return true;
}

/* Adds by * a. */
static bool add_form(struct ws_forms *f, struct ws_form *to, const struct ws_form *a, int64_t by)
{
	int64_t *lane;

	to->constant = sum(to->constant, product(a->constant, by));
	for (size_t k = 0; k < a->terms; k++) {
		if (!add_term(to, &a->term[k], by))
			return false;
	}
	if (!a->lane)
		return true;
	lane = numbers(f);
	if (!lane)
		return false;
	for (size_t i = 0; i < WS_FORM_LANES; i++)
		lane[i] = sum(to->lane ? to->lane[i] : 0, product(a->lane[i], by));
	to->lane = lane;
	return true;
}

static bool is_number(const struct ws_form *a)
{
	return !a->lane && !a->terms;
}

bool ws_form_is_one(const struct ws_form *f)
{
	bool one = true;

	for (size_t k = 0; k < f->terms; k++)
		one &= f->term[k].one;
	for (size_t i = 0; f->lane && i < WS_FORM_LANES && one; i++)
		one = f->lane[i] == f->lane[i / 32 * 32];
	return one;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static unsigned bits_of(LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);

	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 64;
}

/* v's low bits, sign-extended, as all numbers are kept. */
static int64_t with_sign(int64_t v, unsigned bits)
{
	return bits >= 64 ? v : (int64_t)((uint64_t)v << (64 - bits)) >> (64 - bits);
}

static uint64_t without_sign(int64_t v, unsigned bits)
{
	return bits >= 64 ? (uint64_t)v : (uint64_t)v & ((UINT64_C(1) << bits) - 1);
}

bool ws_form_compare(LLVMIntPredicate p, int64_t a, int64_t b, unsigned bits)
{
	uint64_t x = without_sign(a, bits), y = without_sign(b, bits);

	switch (p) {
	case LLVMIntEQ: return a == b;
	case LLVMIntNE: return a != b;
	case LLVMIntUGT: return x > y;
	case LLVMIntUGE: return x >= y;
	case LLVMIntULT: return x < y;
	case LLVMIntULE: return x <= y;
	case LLVMIntSGT: return a > b;
	case LLVMIntSGE: return a >= b;
	case LLVMIntSLT: return a < b;
	case LLVMIntSLE: return a <= b;
	}
	return false;
}

struct operation {
	LLVMOpcode op;
	LLVMIntPredicate predicate;
	unsigned from, to; /* width of its first operand and of its result */
};

static struct operation operation_of(LLVMValueRef v)
{
	return (struct operation){
		LLVMGetInstructionOpcode(v),
		LLVMIsAICmpInst(v) ? LLVMGetICmpPredicate(v) : LLVMIntEQ,
		bits_of(LLVMGetOperand(v, 0)), bits_of(v),
	};
}

/* Evaluates the operation; false: the result is unknown. */
static bool compute_one(const struct operation *o, int64_t a, int64_t b, int64_t *out)
{
	uint64_t x = without_sign(a, o->from), y = without_sign(b, o->from);
	LLVMOpcode op = o->op;

	if (((op == LLVMUDiv || op == LLVMURem || op == LLVMSDiv || op == LLVMSRem) &&
	     (y == 0 || b == -1)) ||
	    ((op == LLVMShl || op == LLVMLShr || op == LLVMAShr) && y >= o->from))
		return false;
	switch (op) {
	case LLVMAdd: *out = sum(a, b); break;
	case LLVMSub: *out = sum(a, product(b, -1)); break;
	case LLVMMul: *out = product(a, b); break;
	case LLVMAnd: *out = a & b; break;
	case LLVMOr: *out = a | b; break;
	case LLVMXor: *out = a ^ b; break;
	case LLVMShl: *out = (int64_t)((uint64_t)a << y); break;
	case LLVMLShr: *out = (int64_t)(x >> y); break;
	case LLVMAShr: *out = a >> y; break;
	case LLVMUDiv: *out = (int64_t)(x / y); break;
	case LLVMURem: *out = (int64_t)(x % y); break;
	case LLVMSDiv: *out = a / b; break;
	case LLVMSRem: *out = a % b; break;
	case LLVMICmp: *out = ws_form_compare(o->predicate, a, b, o->from) ? -1 : 0; break;
	case LLVMZExt: *out = (int64_t)x; break;
	case LLVMSExt:
	case LLVMTrunc: *out = a; break;
	default: return false;
	}
	*out = with_sign(*out, o->to);
	return true;
}

/* Evaluates an instruction of known operands for each work-item. */
static bool compute_each(struct ws_forms *f, LLVMValueRef v, const struct ws_form *a,
			 const struct ws_form *b, struct ws_form *out)
{
	struct operation o = operation_of(v);
	int64_t *lane;

	*out = (struct ws_form){ 0 };
	if (!a->lane && !b->lane)
		return compute_one(&o, a->constant, b->constant, &out->constant);
	lane = numbers(f);
	for (size_t i = 0; lane && i < WS_FORM_LANES; i++) {
		if (!compute_one(&o, at_lane(a, i), at_lane(b, i), &lane[i]))
			return false;
	}
	out->lane = lane;
	return lane != NULL;
}

static bool choose_each(struct ws_forms *f, LLVMValueRef v, struct ws_form *out)
{
	const struct ws_form *c = ws_form_of(f, LLVMGetOperand(v, 0));
	const struct ws_form *a = ws_form_of(f, LLVMGetOperand(v, 1));
	const struct ws_form *b = ws_form_of(f, LLVMGetOperand(v, 2));
	int64_t *lane;

	*out = (struct ws_form){ 0 };
	if (!a || !b || !c || a->terms || b->terms || c->terms || !(lane = numbers(f)))
		return false;
	for (size_t i = 0; i < WS_FORM_LANES; i++)
		lane[i] = at_lane(c, i) ? at_lane(a, i) : at_lane(b, i);
	out->lane = lane;
	return true;
}

/* ---- what work-items are told ---------------------------------------------------------------- */

/* The form of a load of the context's field at this offset. */
static bool field_of(struct ws_forms *f, LLVMValueRef v, uint64_t at, struct ws_form *out)
{
	const size_t lid = offsetof(struct ws_lane_ctx, lid), lsz = offsetof(struct ws_lane_ctx,
									     lsz);
	bool own = at >= lid && at < lid + 24, lane = at == offsetof(struct ws_lane_ctx, lane);
	uint32_t x = f->shape.x, y = f->shape.y;
	int64_t *number;

	*out = (struct ws_form){ 0 };
	if (x < WS_FORM_LANES && at >= lsz && at < lsz + (y < WS_FORM_LANES ? 16 : 8)) {
		out->constant = at == lsz ? x : y;
		return true;
	}
	if (!own && !lane) {
		LLVMValueRef *first = at / 8 < FIELDS ? &f->field[at / 8] : NULL;

		if (!first || at % 8)
			return false;
		*first = *first ? *first : v;
		out->term[out->terms++] = (struct ws_form_term){ *first, 1, true };
		return true;
	}
	number = numbers(f);
	for (uint32_t i = 0; number && i < WS_FORM_LANES; i++)
		number[i] = lane ? i : at == lid ? i % x : at == lid + 8 ? i / x % y : i / x / y;
	out->lane = number;
	return number != NULL;
}

uint64_t ws_form_field(struct ws_forms *f, LLVMValueRef load)
{
	const struct ws_form *p = ws_form_of(f, LLVMGetOperand(load, 0));

	return p && !p->lane && p->terms == 1 && p->term[0].by == 1 && p->constant >= 0 &&
	       p->term[0].value == LLVMGetParam(f->m->body, 0)
		       ? (uint64_t)p->constant : UINT64_MAX;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static bool address(struct ws_forms *f, LLVMValueRef v, struct ws_form *out)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(v);
	const struct ws_form *index = ws_form_of(f, LLVMGetOperand(v, 0));
	bool good;

	*out = (struct ws_form){ 0 };
	good = index && add_form(f, out, index, 1);
	for (int k = 1; k < LLVMGetNumOperands(v) && good; k++) {
		index = ws_form_of(f, LLVMGetOperand(v, (unsigned)k));
		if (!index)
			return false;
		if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			unsigned member = (unsigned)index->constant;

			out->constant += (int64_t)LLVMOffsetOfElement(f->m->layout, type, member);
			type = LLVMStructGetTypeAtIndex(type, member);
			continue;
		}
		if (k > 1)
			type = LLVMGetElementType(type);
		good = add_form(f, out, index, (int64_t)LLVMABISizeOfType(f->m->layout, type));
	}
	return good;
}

/* ---- values that change from turn to turn ---------------------------------------------------- */

static bool comes_from_before(const struct ws_forms *f, LLVMValueRef phi, unsigned k)
{
	uint32_t from = (uint32_t)strtoul(
		LLVMGetBasicBlockName(LLVMGetIncomingBlock(phi, k)) + 1, NULL, 10);

	return f->flow->position[from] < f->flow->position[ws_flow_block(phi)];
}

/* A phi's value in the first iteration and in the next; false: it is no phi of a loop. */
static bool of_loop(const struct ws_forms *f, LLVMValueRef phi, LLVMValueRef *first,
		    LLVMValueRef *next)
{
	if (LLVMCountIncoming(phi) != 2)
		return false;
	for (unsigned k = 0; k < 2; k++) {
		if (comes_from_before(f, phi, k) && !comes_from_before(f, phi, 1 - k)) {
			*first = LLVMGetIncomingValue(phi, k);
			*next = LLVMGetIncomingValue(phi, 1 - k);
			return true;
		}
	}
	return false;
}

static struct carried_phi *find_phi(const struct ws_forms *f, LLVMValueRef phi)
{
	for (size_t k = 0; k < f->phis; k++) {
		if (f->phi[k].value == phi)
			return &f->phi[k];
	}
	return NULL;
}

/* Forgets the phis from `first` on that were settled: what they were derived from has changed. */
static void drop_known(struct ws_forms *f, size_t first)
{
	size_t kept = first;

	for (size_t k = first; k < f->phis; k++) {
		if (f->phi[k].is != PHI_KNOWN)
			f->phi[kept++] = f->phi[k];
	}
	f->phis = kept;
	forget_all(f);
}

/* The phi differs between lanes.  Forms that took it to be uniform are dropped. */
static bool set_apart(struct ws_forms *f, LLVMValueRef phi)
{
	find_phi(f, phi)->is = PHI_APART;
	drop_known(f, 0);
	return false;
}

/* Phis analysed after it were derived while its form was itself, and are dropped. */
static bool settle_phi(struct ws_forms *f, LLVMValueRef phi, const struct ws_form *is)
{
	struct carried_phi *p = find_phi(f, phi);

	p->is = PHI_KNOWN;
	p->form = *is;
	drop_known(f, (size_t)(p - f->phi) + 1);
	return true;
}

/* What one iteration adds; false: the phi is no sum. */
static bool step_of(struct ws_forms *f, LLVMValueRef phi, const struct ws_form *next,
		    struct ws_form *step)
{
	const struct ws_form_term self = { phi, 1, true };

	*step = (struct ws_form){ 0 };
	return add_form(f, step, next, 1) && add_term(step, &self, -1) && is_number(step);
}

static bool begin_phi(struct ws_forms *f, LLVMValueRef phi)
{
	const struct ws_form self = { .terms = 1, .term = { { phi, 1, true } } };

	if (!WS_ROOM(f->phi, f->phi_cap, f->phis + 1)) {
		f->failed = true;
		return false;
	}
	f->phi[f->phis++] = (struct carried_phi){ phi, PHI_OPEN, self };
	return true;
}

static bool carry(struct ws_forms *f, LLVMValueRef phi, struct ws_form *out)
{
	const struct carried_phi *p = find_phi(f, phi);
	LLVMValueRef before, after;
	const struct ws_form *first, *next;
	struct ws_form step;

	if (p) {
		*out = p->form;
		return p->is != PHI_APART;
	}
	if (!of_loop(f, phi, &before, &after) || !begin_phi(f, phi))
		return false;
	*out = find_phi(f, phi)->form;
	first = ws_form_of(f, before);
	next = ws_form_of(f, after);
	if (!first || !next)
		return false;
	if (step_of(f, phi, next, &step)) {
		struct ws_form_term turn = { phi, step.constant, true };

		*out = *first;
		return add_term(out, &turn, 1) ? settle_phi(f, phi, out) : set_apart(f, phi);
	}
	if (!ws_form_is_one(first) || !ws_form_is_one(next))
		return set_apart(f, phi);
	return settle_phi(f, phi, out);
}

static bool is_power(LLVMValueRef v)
{
	int64_t n = LLVMIsAConstantInt(v) ? LLVMConstIntGetSExtValue(v) : 0;

	return n > 0 && !(n & (n - 1));
}

/* Does the instruction make a power of two, or 0, of one that its first operand is? */
static bool keeps_power(LLVMValueRef v)
{
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
		return LLVMIsAConstantInt(LLVMGetOperand(v, 1));
	case LLVMMul:
	case LLVMUDiv:
	case LLVMSDiv:
		return is_power(LLVMGetOperand(v, 1));
	case LLVMZExt:
	case LLVMTrunc:
		return true;
	default:
		return false;
	}
}

/* What v is made of in such a way alone. */
static LLVMValueRef power_of(LLVMValueRef v)
{
	while (LLVMIsAInstruction(v) && !LLVMIsAPHINode(v) && keeps_power(v))
		v = LLVMGetOperand(v, 0);
	return v;
}

bool ws_form_is_power(const struct ws_forms *f, LLVMValueRef phi)
{
	LLVMValueRef first, next;

	for (unsigned deep = 0; deep < 4; deep++) {
		if (!LLVMIsAPHINode(phi) || !of_loop(f, phi, &first, &next) || next == phi ||
		    power_of(next) != phi)
			return false;
		first = power_of(first);
		if (is_power(first))
			return true;
		phi = first;
	}
	return false;
}

/* ---- all values ------------------------------------------------------------------------------ */

static bool is_pure_call(LLVMValueRef v)
{
	LLVMValueRef f = LLVMGetCalledValue(v);

	return LLVMIsAFunction(f) &&
	       (ws_is_named(f, "llvm.u") || ws_is_named(f, "llvm.s") ||
		ws_is_named(f, "llvm.f") || ws_is_named(f, "llvm.abs") ||
		ws_is_named(f, "llvm.ct") || ws_is_named(f, "llvm.b"));
}

/* Is its value at one time a function of its operands alone? */
static bool follows(LLVMValueRef v)
{
	return LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || LLVMIsACmpInst(v) ||
	       LLVMIsASelectInst(v) || LLVMIsAGetElementPtrInst(v) || LLVMIsAFreezeInst(v) ||
	       LLVMIsALoadInst(v) || (LLVMIsACallInst(v) && is_pure_call(v));
}

static bool operands_are_one(struct ws_forms *f, LLVMValueRef v)
{
	bool one = follows(v) &&
		   !(LLVMIsALoadInst(v) && ws_form_field(f, v) != UINT64_MAX);
	int count = LLVMIsACallInst(v) ? (int)LLVMGetNumArgOperands(v) : LLVMGetNumOperands(v);

	for (int k = 0; k < count && one; k++) {
		const struct ws_form *o = ws_form_of(f, LLVMGetOperand(v, (unsigned)k));

		one = o && ws_form_is_one(o);
	}
	return one;
}

/* A sum or a product that has unknown terms. */
static bool combine(struct ws_forms *f, LLVMValueRef v, const struct ws_form *a,
		    const struct ws_form *b, struct ws_form *out)
{
	*out = (struct ws_form){ 0 };
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMOr:
		if (!LLVMGetIsDisjoint(v))
			return false;
		/* fall through */
	case LLVMAdd:
		return add_form(f, out, a, 1) && add_form(f, out, b, 1);
	case LLVMSub:
		return add_form(f, out, a, 1) && add_form(f, out, b, -1);
	case LLVMMul:
		if (is_number(a))
			return add_form(f, out, b, a->constant);
		return is_number(b) && add_form(f, out, a, b->constant);
	case LLVMShl:
		return is_number(b) && b->constant >= 0 && b->constant < 63 &&
		       add_form(f, out, a, INT64_C(1) << b->constant);
	case LLVMSExt:
	case LLVMZExt:
	case LLVMTrunc:
		*out = *a;
		return bits_of(v) >= 32 && bits_of(LLVMGetOperand(v, 0)) >= 32;
	default:
		return false;
	}
}

static bool make_sum(struct ws_forms *f, LLVMValueRef v, struct ws_form *out)
{
	bool two = LLVMGetNumOperands(v) == 2;
	const struct ws_form *a = ws_form_of(f, LLVMGetOperand(v, 0));
	const struct ws_form *b = two ? ws_form_of(f, LLVMGetOperand(v, 1)) : a;

	if (!a || !b)
		return false;
	if (!a->terms && !b->terms)
		return compute_each(f, v, a, b, out);
	return combine(f, v, a, b, out);
}

/* False: the value is unknown. */
static bool make_form(struct ws_forms *f, LLVMValueRef v, struct ws_form *out)
{
	const struct ws_form *same;

	if (LLVMIsAConstantInt(v) && bits_of(v) <= 64) {
		*out = (struct ws_form){ .constant = LLVMConstIntGetSExtValue(v) };
		return true;
	}
	if (!LLVMIsAInstruction(v))
		return false;
	if (LLVMIsAPHINode(v))
		return carry(f, v, out);
	if (LLVMIsAGetElementPtrInst(v))
		return address(f, v, out);
	if (LLVMIsALoadInst(v))
		return field_of(f, v, ws_form_field(f, v), out);
	if (LLVMIsASelectInst(v))
		return choose_each(f, v, out);
	if (LLVMIsAFreezeInst(v) || LLVMIsAAddrSpaceCastInst(v) || LLVMIsABitCastInst(v)) {
		same = ws_form_of(f, LLVMGetOperand(v, 0));
		*out = same ? *same : (struct ws_form){ 0 };
		return same != NULL;
	}
	return (LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || LLVMIsAICmpInst(v)) &&
	       LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind && bits_of(v) <= 64 &&
	       make_sum(f, v, out);
}

const struct ws_form *ws_form_of(struct ws_forms *f, LLVMValueRef v)
{
	uint32_t k = ws_map_find(&f->map, f->known, sizeof *f->known, (uint64_t)(uintptr_t)v);
	struct ws_form form = { 0 };
	bool known;

	if (k != WS_MAP_NONE)
		return f->known[k].form;
	f->depth++;
	known = f->depth < DEEPEST && make_form(f, v, &form);
	if (v == f->fixed) {
		form = (struct ws_form){ .constant = f->fixed_is };
	} else if (!known) {
		bool one = !LLVMIsAInstruction(v) || (f->depth < DEEPEST && operands_are_one(f, v));

		form = (struct ws_form){ .terms = 1, .term = { { v, 1, one } } };
	}
	f->depth--;
	return f->failed ? NULL : remember(f, v, &form);
}

/* Analyses all phis before other values are derived from them. */
static void look_at_phis(struct ws_forms *f)
{
	for (size_t b = 0; b < f->flow->blocks; b++) {
		LLVMValueRef i = LLVMGetFirstInstruction(f->flow->block[f->flow->order[b]]);

		for (; i && LLVMIsAPHINode(i) && !f->failed; i = LLVMGetNextInstruction(i))
			ws_form_of(f, i);
	}
}

struct ws_forms *ws_forms_new(struct ws_module *m, const struct ws_flow *flow,
			      struct ws_form_shape shape, LLVMValueRef fixed, int64_t is)
{
	struct ws_forms *f = ws_alloc_zero(1, sizeof *f);

	if (f) {
		f->fixed = fixed;
		f->fixed_is = is;
		f->m = m;
		f->flow = flow;
		f->shape = shape;
		look_at_phis(f);
	}
	return f;
}

void ws_forms_free(struct ws_forms *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->pieces; i++)
		free(f->memory[i]);
	free(f->memory);
	free(f->known);
	free(f->phi);
	ws_map_clear(&f->map);
	free(f);
}
