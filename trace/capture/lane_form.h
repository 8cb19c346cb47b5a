/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/lane_form.h -- what a value is for each work-item of a CTA, as far as code tells.
 * Private to trace/capture/.
 *
 * A form is a sum: a number of each work-item, a constant, and values that are not known, each
 * times a number.  Numbers of work-items follow from threadIdx, for a CTA of a given shape.  Sums
 * are taken not to wrap round where they have values that are not known.
 */
#ifndef WS_LANE_FORM_H
#define WS_LANE_FORM_H

#include "trace/capture/instrument.h"

#define WS_FORM_LANES 1024u /* of the largest CTA */
#define WS_FORM_TERMS 6u

struct ws_form_term {
	LLVMValueRef value;
	int64_t by;
	bool one; /* it is the same for those of a warp that come to it together */
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

/* Of a CTA so wide in x and y.  As wide as it can be, blockDim.x is not known. */
struct ws_form_shape {
	uint32_t x, y;
};

/* ---- together.c ------------------------------------------------------------------------------ */
/* Adds meetings to the body, before anything else is. */
enum ws_status ws_keep_together(struct ws_module *m, const struct ws_flow *flow,
			     struct ws_err *err) WS_MUST_CHECK;

/* ---- lane_form.c ----------------------------------------------------------------------------- */
struct ws_forms;
struct ws_forms *ws_forms_new(struct ws_module *m, const struct ws_flow *flow,
			      struct ws_form_shape shape); /* NULL: out of memory */
void ws_forms_free(struct ws_forms *f);
/* Of a value of the body, an integer or a pointer; of others it is a term.  It stays what it is
 * until f is freed.  NULL: out of memory. */
const struct ws_form *ws_form_of(struct ws_forms *f, LLVMValueRef v);
/* Is it the same for those of a warp that come to it together? */
bool ws_form_is_one(const struct ws_form *f);
/* Which field of the context a load is of: its offset there; UINT64_MAX: it is none. */
uint64_t ws_form_field(struct ws_forms *f, LLVMValueRef load);
/* Of numbers of so many bits. */
bool ws_form_compare(LLVMIntPredicate p, int64_t a, int64_t b, unsigned bits);
/* The number of the block that v is in. */
uint32_t ws_flow_block(LLVMValueRef v);

#endif
