/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/lane_form.h -- a value as a function of the work-item in its CTA, as far as the
 * code determines it.  Private to trace/capture/.
 *
 * A form is a sum: a number for each work-item, a constant, and unknown values, each times a
 * constant.  The numbers follow from threadIdx, for a CTA of a given shape.  Sums with unknown
 * values are assumed not to overflow.
 */
#ifndef WS_LANE_FORM_H
#define WS_LANE_FORM_H

#include "trace/capture/instrument.h"

#define WS_FORM_TERMS 6u

struct ws_form_term {
	LLVMValueRef value;
	int64_t by;
	bool one; /* it is the same for all lanes of a warp that compute it together */
};

struct ws_form {
	const int64_t *lane; /* [WS_FORM_LANES]; NULL: zero */
	int64_t constant;
	size_t terms;
	struct ws_form_term term[WS_FORM_TERMS];
};

/* A kernel's blocks. */
struct ws_flow {
	size_t blocks;
	const LLVMBasicBlockRef *block; /* by number, which is in their names: "b7" */
	const size_t *first_edge;	/* as ws_block_order has them */
	const uint32_t *edge, *order, *position;
};

/* ---- together.c ------------------------------------------------------------------------------ */
/* Adds meetings to the kernel's body.  Must run before other code is added to it. */
enum ws_status ws_keep_together(struct ws_module *m, const struct ws_flow *flow,
			     struct ws_err *err) WS_MUST_CHECK;

/* ---- lane_form.c ----------------------------------------------------------------------------- */
struct ws_forms;
/* While value `fixed` is `is`; NULL: whatever values are.  Returns NULL: out of memory. */
struct ws_forms *ws_forms_new(struct ws_module *m, const struct ws_flow *flow,
			      struct ws_form_shape shape, LLVMValueRef fixed, int64_t is);
void ws_forms_free(struct ws_forms *f);
/* The form of a value of the body.  A value that is neither an integer nor a pointer is one unknown
 * term.  Valid until f is freed.  NULL: out of memory. */
const struct ws_form *ws_form_of(struct ws_forms *f, LLVMValueRef v);
/* Is it the same for all lanes of a warp that compute it together? */
bool ws_form_is_one(const struct ws_form *f);
/* Is it, in all turns of the loop that carries it, a power of two or 0? */
bool ws_form_is_power(const struct ws_forms *f, LLVMValueRef phi);
/* The offset in the context that a load reads; UINT64_MAX: it does not read the context. */
uint64_t ws_form_field(struct ws_forms *f, LLVMValueRef load);
/* Compares numbers of so many bits. */
bool ws_form_compare(LLVMIntPredicate p, int64_t a, int64_t b, unsigned bits);
/* The number of the block that v is in. */
uint32_t ws_flow_block(LLVMValueRef v);

#endif
