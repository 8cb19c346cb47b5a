/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/together.c -- where the lanes of a warp have to go together.
 *
 * On a GPU the lanes of a warp that take the same path execute each instruction together.  Programs
 * rely on it to exchange values through shared memory without a barrier.  Here a lane runs until it
 * stops.  So lanes must meet (meet.c) before an access that may race (races.c) with an access that
 * another lane of the warp has made since the last meeting.
 *
 * This is a data-flow analysis: the accesses that lanes may have made since the last meeting
 * propagate along the edges of the control-flow graph.  Where a branch divides the warp, a lane
 * that skips blocks does not wait for lanes that execute them.  So the accesses of skipped blocks
 * count for it, too.
 */
#include "trace/capture/races.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

#define ACCESSES_MAX 2048u

/* ---- meetings -------------------------------------------------------------------------------- */

static bool is_volatile_access(LLVMValueRef i)
{
	return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) ||
		LLVMIsAAtomicCmpXchgInst(i)) && LLVMGetVolatile(i);
}

static void meet_before(struct ws_module *m, LLVMValueRef i)
{
	LLVMTypeRef type[2] = { m->i32, m->i64 };
	LLVMTypeRef meets = LLVMFunctionType(m->ptr, type, 2, 0);
	LLVMValueRef meet = LLVMGetNamedFunction(m->module, "__ws_warp");
	LLVMValueRef given[2] = { LLVMConstInt(m->i32, 0, 0), LLVMConstInt(m->i64, 0, 0) };

	if (!meet)
		meet = LLVMAddFunction(m->module, "__ws_warp", meets);
	LLVMPositionBuilderBefore(m->builder, i);
	LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(i));
	LLVMBuildCall2(m->builder, meets, meet, given, 2, "");
	LLVMSetCurrentDebugLocation2(m->builder, NULL);
}

/* Do all lanes that reach i meet there? */
static bool meets_all(LLVMValueRef i)
{
	LLVMValueRef mask;

	if (!ws_is_meeting(i))
		return ws_is_barrier(i);
	mask = LLVMGetOperand(i, 0);
	return LLVMIsAConstantInt(mask) &&
	       (LLVMIsNull(mask) || LLVMConstIntGetSExtValue(mask) == -1);
}

static bool is_asked_for(LLVMValueRef i)
{
	return LLVMGetFirstUse(i) &&
	       (LLVMIsAAtomicCmpXchgInst(i) ||
		(LLVMIsAAtomicRMWInst(i) &&
		 LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg));
}

/* Does the loop seem to take a lock?  Then the lock orders the lanes, and no meeting is added: the
 * lane that holds the lock must not wait for those that want it. */
static bool takes_lock(const struct ws_racer *r, const struct raced_loop *l)
{
	bool takes = false;

	for (uint32_t k = l->head; k <= l->latch; k++) {
		LLVMBasicBlockRef b = r->flow->block[r->flow->order[k]];

		LLVMValueRef i = LLVMGetFirstInstruction(b);

		for (; i; i = LLVMGetNextInstruction(i)) {
			if (ws_is_barrier(i))
				return false;
			takes |= is_asked_for(i);
		}
	}
	return takes;
}

/* Does it nothing but load, as one that waits for a lock to seem free before it tries? */
static bool only_looks(const struct ws_racer *r, const struct raced_loop *l)
{
	for (uint32_t k = l->head; k <= l->latch; k++) {
		LLVMValueRef i = LLVMGetFirstInstruction(r->flow->block[r->flow->order[k]]);

		for (; i; i = LLVMGetNextInstruction(i)) {
			if (LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) ||
			    LLVMIsAAtomicCmpXchgInst(i) || LLVMIsACallInst(i))
				return false;
		}
	}
	return true;
}

/* But for loops that only look. */
static bool is_innermost(const struct ws_racer *r, const struct raced_loop *l)
{
	for (size_t k = 0; k < r->loops; k++) {
		const struct raced_loop *in = &r->loop[k];

		if (in != l && in->head >= l->head && in->latch <= l->latch && !only_looks(r, in))
			return false;
	}
	return true;
}

static bool is_locked(const struct ws_racer *r, uint32_t block)
{
	for (size_t k = 0; k < r->loops; k++) {
		if (ws_race_in_loop(r, &r->loop[k], block) && is_innermost(r, &r->loop[k]) &&
		    takes_lock(r, &r->loop[k]))
			return true;
	}
	return false;
}

/* ---- what flows ------------------------------------------------------------------------------ */

/* Adds a set of accesses to another; true: it grew. */
static bool join(const struct ws_racer *r, uint64_t *to, const uint64_t *from)
{
	bool more = false;

	for (size_t w = 0; w < r->words; w++) {
		more |= (from[w] & ~to[w]) != 0;
		to[w] |= from[w];
	}
	return more;
}

static void none_pending(struct ws_racer *r)
{
	for (unsigned turned = 0; turned < 2; turned++)
		memset(r->now[turned], 0, r->words * sizeof(uint64_t));
}

/* Do all lanes of a warp that reach the end of block b take the same branch? */
static bool goes_one_way(struct ws_racer *r, uint32_t b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(r->flow->block[b]);
	const struct ws_form *f;

	if (LLVMGetNumSuccessors(end) < 2)
		return true;
	f = ws_form_of(r->forms, LLVMGetOperand(end, 0));
	return f && ws_form_is_one(f);
}

/* Adds the accesses of blocks that a lane skips from block b to block `to`: others may run them. */
static bool add_passed(struct ws_racer *r, uint32_t b, uint32_t to)
{
	const struct ws_flow *f = r->flow;
	uint64_t *in[2] = { r->in[0] + to * r->words, r->in[1] + to * r->words };
	bool more = false;

	for (uint32_t i = ws_race_position(r, b) + 1; i < ws_race_position(r, to); i++)
		more |= join(r, in[0], r->own + f->order[i] * r->words);
	for (size_t k = 0; k < r->loops; k++) {
		if (!ws_race_in_loop(r, &r->loop[k], b) || ws_race_in_loop(r, &r->loop[k], to))
			continue;
		for (uint32_t i = r->loop[k].head; i <= r->loop[k].latch; i++) {
			more |= join(r, in[0], r->own + f->order[i] * r->words);
			more |= join(r, in[1], r->own + f->order[i] * r->words);
		}
	}
	return more;
}

/* Propagates what is pending at the end of block b to its successors. */
static bool go_out(struct ws_racer *r, uint32_t b)
{
	const struct ws_flow *f = r->flow;
	bool one = goes_one_way(r, b), more = false;

	for (size_t e = f->first_edge[b]; e < f->first_edge[b + 1]; e++) {
		uint32_t to = f->edge[e];
		bool round = ws_race_position(r, to) <= ws_race_position(r, b);

		more |= join(r, r->in[round] + to * r->words, r->now[0]);
		more |= join(r, r->in[1] + to * r->words, r->now[1]);
		if (!round && !one)
			more |= add_passed(r, b, to);
	}
	return more;
}

/* Handles the accesses of instruction i, from number n on; returns how many it has. */
static size_t come_to(struct ws_racer *r, size_t n, LLVMValueRef i)
{
	size_t count = 0;
	bool meet = false;

	for (; n + count < r->accesses && r->access[n + count].at == i; count++)
		meet = meet || (!r->access[n + count].locked && ws_races_any(r, n + count));
	if (meet) {
		meet_before(r->m, i);
		none_pending(r);
	}
	for (size_t k = 0; k < count; k++)
		ws_bit_set(r->now[0], n + k);
	return count;
}

/* Handles block b, whose first access is n; true: a successor's set grew. */
static bool go_through(struct ws_racer *r, uint32_t b, size_t n)
{
	LLVMValueRef i = LLVMGetFirstInstruction(r->flow->block[b]);

	for (unsigned turned = 0; turned < 2; turned++)
		memcpy(r->now[turned], r->in[turned] + b * r->words, r->words * sizeof(uint64_t));
	for (; i; i = LLVMGetNextInstruction(i)) {
		if (meets_all(i))
			none_pending(r);
		n += come_to(r, n, i);
	}
	return go_out(r, b);
}

/* Repeats until no set grows.  Accesses are numbered in the order of their blocks. */
static void flow(struct ws_racer *r)
{
	bool more = true;

	while (more) {
		size_t n = 0;

		more = false;
		for (size_t k = 0; k < r->flow->blocks; k++) {
			uint32_t b = r->flow->order[k];

			more |= go_through(r, b, n);
			while (n < r->accesses && r->access[n].block == b)
				n++;
		}
	}
}

/* ---- turns of loops -------------------------------------------------------------------------- */

static bool dominates(const struct ws_racer *r, uint32_t a, uint32_t b)
{
	while (ws_race_position(r, b) > ws_race_position(r, a) && r->dominator[b] != WS_NO_BLOCK)
		b = r->dominator[b];
	return a == b;
}

static bool loop_goes_one_way(struct ws_racer *r, const struct raced_loop *l)
{
	bool one = true;

	for (uint32_t k = l->head; k <= l->latch && one; k++)
		one = goes_one_way(r, r->flow->order[k]);
	return one;
}

/* Is the block in a loop inside l? */
static bool is_deeper(const struct ws_racer *r, const struct raced_loop *l, uint32_t block)
{
	for (size_t k = 0; k < r->loops; k++) {
		if (&r->loop[k] != l && r->loop[k].head >= l->head &&
		    r->loop[k].latch <= l->latch && ws_race_in_loop(r, &r->loop[k], block))
			return true;
	}
	return false;
}

static bool has_meeting_of_some(LLVMBasicBlockRef b)
{
	LLVMValueRef i = LLVMGetFirstInstruction(b);

	while (i && !(ws_is_meeting(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)) &&
		      LLVMIsNull(LLVMGetOperand(i, 0))))
		i = LLVMGetNextInstruction(i);
	return i != NULL;
}

/* May a lane begin the next iteration before others have met in this one? */
static bool may_be_ahead(struct ws_racer *r, const struct raced_loop *l)
{
	uint32_t latch = r->flow->order[l->latch];
	bool may = false;

	for (uint32_t k = l->head; k <= l->latch && !may; k++) {
		uint32_t b = r->flow->order[k];

		may = has_meeting_of_some(r->flow->block[b]) &&
		      (!dominates(r, b, latch) || is_deeper(r, l, b));
	}
	return may && !takes_lock(r, l) && !loop_goes_one_way(r, l);
}

/* Of waiting lanes, those at the lowest place in the code continue first.  A lane that began the
 * next iteration is at a low place and would continue too early.  So lanes meet at the end of each
 * iteration. */
static void meet_each_turn(struct ws_racer *r)
{
	for (size_t k = 0; k < r->loops; k++) { /* the innermost first */
		LLVMBasicBlockRef latch = r->flow->block[r->flow->order[r->loop[k].latch]];
		LLVMValueRef end = LLVMGetBasicBlockTerminator(latch);
		LLVMValueRef before = LLVMGetPreviousInstruction(end);

		if ((!before || !ws_is_meeting(before)) && may_be_ahead(r, &r->loop[k]))
			meet_before(r->m, end);
	}
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* *shared: the access is to shared memory, or may be; else it is to global memory. */
static bool is_looked_at(const struct ws_racer *r, const struct ws_kernel_access *a, int *root,
			 bool *shared)
{
	enum ws_space space;

	*shared = true;
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(a->pointer)) == 0) {
		*root = ws_provenance(r->m, a->pointer);
		return *root == WS_ROOT_UNKNOWN;
	}
	if (!ws_access_traced(r->m, a->pointer, root, &space))
		return false;
	*shared = space == WS_SPACE_LOCAL;
	return *shared || (space == WS_SPACE_GLOBAL && *root >= 0);
}

static bool add_access(struct ws_racer *r, LLVMValueRef i, uint32_t block,
		       const struct ws_kernel_access *a)
{
	struct raced *to;
	bool shared;
	int root;

	if (!is_looked_at(r, a, &root, &shared))
		return true;
	if (!WS_ROOM(r->access, r->access_cap, r->accesses + 1))
		return false;
	to = &r->access[r->accesses++];
	*to = (struct raced){
		.at = i, .block = block, .root = root, .shared = shared,
		.bytes = a->bytes < WS_LOCAL_MAX ? (int64_t)a->bytes : -1,
		.reads = a->kind != WS_STORE, .writes = a->kind != WS_LOAD,
		.locked = is_locked(r, block), .is_volatile = is_volatile_access(i),
		.pointer = a->pointer,
	};
	return true;
}

static bool find_accesses(struct ws_racer *r)
{
	struct ws_kernel_access access[2];
	bool good = true;

	for (size_t k = 0; k < r->flow->blocks && good; k++) {
		uint32_t b = r->flow->order[k];
		LLVMValueRef i = LLVMGetFirstInstruction(r->flow->block[b]);

		for (; i && good; i = LLVMGetNextInstruction(i)) {
			bool reached = r->dominator[b] != WS_NO_BLOCK;
			size_t n = reached ? ws_accesses_of(r->m, i, access) : 0;

			for (size_t j = 0; j < n && good; j++)
				good = add_access(r, i, b, &access[j]);
		}
	}
	return good;
}

static bool may_meet(const struct raced *a, const struct raced *b)
{
	return a->shared == b->shared && (a->writes || b->writes) &&
	       (a->root == b->root || (a->shared && (a->root < 0 || b->root < 0)));
}

/* Keeps the accesses that another access may race with. */
static void keep_those_that_may(struct ws_racer *r)
{
	size_t kept = 0;
	uint8_t *may = r->pair[0]; /* not in use yet */

	for (size_t n = 0; n < r->accesses; n++) {
		may[n] = 0;
		for (size_t k = 0; k < r->accesses && !may[n]; k++)
			may[n] = k != n && may_meet(&r->access[k], &r->access[n]);
	}
	for (size_t n = 0; n < r->accesses; n++) {
		if (may[n])
			r->access[kept++] = r->access[n];
	}
	r->accesses = kept;
}

/* ---- CTAs of one shape ----------------------------------------------------------------------- */

/* Do those of a warp that go round the loop together leave it together? */
static bool leave_together(struct ws_racer *r, const struct raced_loop *l)
{
	const struct ws_flow *f = r->flow;
	bool together = true;

	for (uint32_t k = l->head; k <= l->latch && together; k++) {
		uint32_t b = f->order[k];
		bool leaves = false;

		for (size_t e = f->first_edge[b]; e < f->first_edge[b + 1]; e++)
			leaves |= !ws_race_in_loop(r, l, f->edge[e]);
		together = !leaves || goes_one_way(r, b);
	}
	return together;
}

static void find_strays(struct ws_racer *r)
{
	for (size_t n = 0; n < r->accesses; n++)
		r->access[n].strays = false;
	for (size_t k = 0; k < r->loops; k++) {
		bool together = leave_together(r, &r->loop[k]);

		for (size_t n = 0; n < r->accesses; n++)
			r->access[n].strays |= !together && ws_race_in_loop(r, &r->loop[k],
									    r->access[n].block);
	}
}

static enum ws_status look_at_shape(struct ws_racer *r, struct ws_form_shape shape,
				    struct ws_err *err)
{
	size_t bytes = r->flow->blocks * r->words * sizeof(uint64_t);

	r->shape = shape;
	r->forms = ws_forms_new(r->m, r->flow, shape, NULL, 0);
	if (!r->forms)
		return ws_fail_memory(err, "values of lanes");
	r->tried = 0;
	for (unsigned turned = 0; turned < 2; turned++) {
		memset(r->in[turned], 0, bytes);
		memset(r->pair[turned], 0, r->accesses * r->accesses);
	}
	for (size_t n = 0; n < r->accesses; n++) {
		struct raced *a = &r->access[n];

		a->form = ws_form_of(r->forms, a->pointer);
		ws_race_guards(r, a);
	}
	find_strays(r);
	ws_race_powers(r);
	flow(r);
	meet_each_turn(r);
	ws_race_forget_powers(r);
	ws_forms_free(r->forms);
	return WS_OK;
}

/* Those of the fewest axes first.  A CTA whose x is a multiple of the warp acts as one row. */
static const struct ws_form_shape shape_of[] = {
	{ WS_FORM_LANES, WS_FORM_LANES },
	{ 32, WS_FORM_LANES }, { 16, WS_FORM_LANES }, { 8, WS_FORM_LANES }, { 4, WS_FORM_LANES },
	{ 2, WS_FORM_LANES }, { 1, WS_FORM_LANES },
	{ 8, 2 }, { 4, 4 }, { 4, 2 }, { 2, 8 }, { 2, 4 }, { 2, 2 },
};
/* By number of axes: how many of them to look at. */
static const size_t shapes_of[] = { 1, 1, 7, WS_COUNT(shape_of) };

/* How many axes of threadIdx the kernel reads. */
static enum ws_status count_axes(struct ws_racer *r, unsigned *axes, struct ws_err *err)
{
	struct ws_forms *f = ws_forms_new(r->m, r->flow, shape_of[0], NULL, 0);

	*axes = 1;
	for (size_t b = 0; f && b < r->flow->blocks; b++) {
		LLVMValueRef i = LLVMGetFirstInstruction(r->flow->block[b]);

		for (; i; i = LLVMGetNextInstruction(i)) {
			uint64_t at = LLVMIsALoadInst(i) ? ws_form_field(f, i) : UINT64_MAX;

			for (unsigned d = *axes; d < 3; d++) {
				if (at == offsetof(struct ws_lane_ctx, lid) + d * sizeof(uint64_t))
					*axes = d + 1;
			}
		}
	}
	ws_forms_free(f);
	return f ? WS_OK : ws_fail_memory(err, "values of lanes");
}

static bool racer_alloc(struct ws_racer *r)
{
	size_t blocks = r->flow->blocks, most = r->accesses * r->accesses;

	r->words = r->accesses / 64 + 1;
	r->own = ws_alloc_zero(blocks * r->words, sizeof *r->own);
	for (unsigned turned = 0; turned < 2; turned++) {
		r->pair[turned] = ws_alloc_zero(most + 1, 1);
		r->in[turned] = ws_alloc_zero(blocks * r->words, sizeof(uint64_t));
		r->now[turned] = ws_alloc_zero(r->words, sizeof(uint64_t));
		if (!r->pair[turned] || !r->in[turned] || !r->now[turned])
			return false;
	}
	return r->own != NULL;
}

static void racer_clear(struct ws_racer *r)
{
	free(r->access);
	free(r->dominator);
	free(r->forward);
	free(r->loop);
	free(r->own);
	for (unsigned turned = 0; turned < 2; turned++) {
		free(r->pair[turned]);
		free(r->in[turned]);
		free(r->now[turned]);
	}
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Does the loop store something in each turn?  Then it does more than wait. */
static bool always_stores(const struct ws_racer *r, const struct raced_loop *l)
{
	bool stores = false;

	for (size_t n = 0; n < r->accesses && !stores; n++) {
		const struct raced *a = &r->access[n];

		stores = a->writes && !a->reads && ws_race_in_loop(r, l, a->block) &&
			 dominates(r, a->block, r->flow->order[l->latch]);
	}
	return stores;
}

/* Is there a loop whose end another thread may decide, by what the kernel writes? */
static enum ws_status find_waiting(struct ws_racer *r, struct ws_err *err)
{
	const struct ws_flow *f = r->flow;
	size_t roots = r->m->kernel->args + r->m->kernel->locals;
	bool *written = ws_alloc_zero(roots + 1, sizeof *written);
	struct ws_waits w = { .m = r->m, .block = f->block, .first_edge = f->first_edge,
			      .edge = f->edge, .written = written };
	enum ws_status status = WS_ENOMEM;

	for (size_t n = 0; written && n < r->accesses; n++) {
		if (r->access[n].writes && r->access[n].root >= 0)
			written[r->access[n].root] = true;
	}
	if (written)
		status = ws_waits_find(&w, f->blocks, f->position, err);
	/* Who waits for others does not wait for its warp as well. */
	for (size_t n = 0; status == WS_OK && n < r->accesses; n++)
		r->access[n].locked |= w.polls[r->access[n].block];
	for (size_t k = 0; status == WS_OK && k < r->loops; k++)
		r->waits |= w.turns[f->order[r->loop[k].latch]] == WS_TURNS_GIVEN &&
			    !always_stores(r, &r->loop[k]);
	ws_waits_clear(&w);
	free(written);
	return written ? status : ws_fail_memory(err, "what a kernel writes");
}

/* Of shared memory, if there are too many accesses to look at. */
static void meet_at_each(struct ws_racer *r)
{
	struct ws_kernel_access access[2];
	bool shared;
	int root;

	for (size_t b = 0; b < r->flow->blocks; b++) {
		LLVMValueRef i = LLVMGetFirstInstruction(r->flow->block[b]);

		for (; i; i = LLVMGetNextInstruction(i)) {
			if (ws_accesses_of(r->m, i, access) &&
			    is_looked_at(r, &access[0], &root, &shared) && shared)
				meet_before(r->m, i);
		}
	}
}

static enum ws_status look_at_accesses(struct ws_racer *r, struct ws_err *err)
{
	const struct ws_cta_shapes *given = &r->m->options->shapes;
	enum ws_status status;
	unsigned axes = 1;
	size_t shapes;

	if (!racer_alloc(r))
		return ws_fail_memory(err, "accesses of lanes");
	keep_those_that_may(r);
	for (size_t n = 0; n < r->accesses; n++)
		ws_bit_set(r->own + r->access[n].block * r->words, n);
	status = r->accesses ? count_axes(r, &axes, err) : WS_OK;
	shapes = given->count ? given->count : shapes_of[axes];
	for (size_t s = 0; status == WS_OK && r->accesses && s < shapes; s++)
		status = look_at_shape(r, given->count ? given->shape[s] : shape_of[s], err);
	return status;
}

enum ws_status ws_keep_together(struct ws_module *m, const struct ws_flow *flow, struct ws_err *err)
{
	struct ws_racer r = { .m = m, .flow = flow };
	enum ws_status status = WS_OK;

	r.dominator = ws_alloc_zero(flow->blocks, sizeof *r.dominator);
	r.forward = ws_alloc_zero(flow->blocks, sizeof *r.forward);
	if (!r.dominator || !r.forward || !ws_race_loops(&r)) {
		racer_clear(&r);
		return ws_fail_memory(err, "a kernel's control flow");
	}
	ws_race_dominators(&r);
	if (!m->options->soft && !find_accesses(&r))
		status = ws_fail_memory(err, "accesses of lanes");
	if (r.accesses > ACCESSES_MAX)
		meet_at_each(&r);
	else if (status == WS_OK && (status = find_waiting(&r, err)) == WS_OK)
		status = look_at_accesses(&r, err);
	racer_clear(&r);
	return status;
}
