/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx_operation.c -- instructions of PTX that are a function of data/cuda/ptx.c, by
 * their opcode.
 */
#include "trace/capture/ptx_block.h"
#include <string.h>

/* ---- the table -------------------------------------------------------------------------- */

#define NONE (-1)
/* Words that make no difference here are left out: .rn, .approx, .ftz, .noftz. */
static const struct ptx_operation {
	const char *opcode, *function;
	unsigned args;	/* operands besides the result; what more the function takes is 0 */
	int last;	/* its last argument, if that is not one of these */
} operations[] = {
	{ "bfe.s32", "ws_ptx_bfe_s32", 3, NONE },
	{ "bfe.u64", "ws_ptx_bfe_u64", 3, NONE },
	{ "bfi.b64", "ws_ptx_bfi_b64", 4, NONE },
	{ "bfind.s32", "ws_ptx_bfind_s32", 1, NONE },
	{ "bfind.u64", "ws_ptx_bfind_u64", 1, NONE },
	{ "bfind.shiftamt.u32", "ws_ptx_bfind_shift", 1, NONE },
	{ "fns.b32", "ws_ptx_fns", 3, NONE },
	{ "clz.b64", "ws_ptx_clz_b64", 1, NONE },
	{ "mad.lo.u64", "ws_ptx_mad_64", 3, NONE },
	{ "mad.lo.s64", "ws_ptx_mad_64", 3, NONE },
	{ "mul24.lo.u32", "ws_ptx_mul24_u32", 2, NONE },
	{ "mul24.lo.s32", "ws_ptx_mul24_s32", 2, NONE },
	{ "mad24.lo.u32", "ws_ptx_mad24_u32", 3, NONE },
	{ "mad24.lo.s32", "ws_ptx_mad24_s32", 3, NONE },
	{ "add.sat.s32", "ws_ptx_add_sat", 2, NONE },
	{ "sub.sat.s32", "ws_ptx_sub_sat", 2, NONE },
	{ "shf.l.clamp.b32", "ws_ptx_shl_clamp", 3, NONE },
	{ "shf.r.clamp.b32", "ws_ptx_shr_clamp", 3, NONE },
	{ "slct.u32.s32", "ws_ptx_slct", 3, NONE },
	{ "slct.s32.s32", "ws_ptx_slct", 3, NONE },
	{ "slct.b32.s32", "ws_ptx_slct", 3, NONE },
	{ "slct.f32.s32", "ws_ptx_slct", 3, NONE },
	{ "slct.u32.f32", "ws_ptx_slct_f32", 3, NONE },
	{ "slct.f32.f32", "ws_ptx_slct_f32", 3, NONE },
	{ "cnot.b32", "ws_ptx_cnot", 1, NONE },
	{ "copysign.f32", "ws_ptx_copysign", 2, NONE },
	{ "copysign.f64", "ws_ptx_copysign_f64", 2, NONE },
	{ "rcp.f32", "ws_ptx_rcp", 1, NONE },
	{ "rcp.f64", "ws_ptx_rcp_f64", 1, NONE },
	{ "rsqrt.f64", "ws_ptx_rsqrt_f64", 1, NONE },
	{ "mad.f32", "ws_ptx_mad_f32", 3, NONE },
	{ "dp4a.s32.s32", "ws_ptx_dp4a_ss", 3, NONE },
	{ "dp4a.s32.u32", "ws_ptx_dp4a_su", 3, NONE },
	{ "dp4a.u32.s32", "ws_ptx_dp4a_us", 3, NONE },
	{ "dp4a.u32.u32", "ws_ptx_dp4a_uu", 3, NONE },
	{ "dp2a.lo.s32.s32", "ws_ptx_dp2a_lo_ss", 3, NONE },
	{ "dp2a.lo.u32.u32", "ws_ptx_dp2a_lo_uu", 3, NONE },
	{ "dp2a.hi.s32.s32", "ws_ptx_dp2a_hi_ss", 3, NONE },
	{ "dp2a.hi.u32.u32", "ws_ptx_dp2a_hi_uu", 3, NONE },
	{ "add.rz.f32", "ws_ptx_add_to", 2, 0 },
	{ "add.rm.f32", "ws_ptx_add_to", 2, 1 },
	{ "add.rp.f32", "ws_ptx_add_to", 2, 2 },
	{ "mul.rz.f32", "ws_ptx_mul_to", 2, 0 },
	{ "mul.rm.f32", "ws_ptx_mul_to", 2, 1 },
	{ "mul.rp.f32", "ws_ptx_mul_to", 2, 2 },
	{ "fma.rz.f32", "ws_ptx_fma_to", 3, 0 },
	{ "fma.rm.f32", "ws_ptx_fma_to", 3, 1 },
	{ "fma.rp.f32", "ws_ptx_fma_to", 3, 2 },
	{ "cvt.rz.f32.f64", "ws_ptx_float_to", 1, 0 },
	{ "cvt.rm.f32.f64", "ws_ptx_float_to", 1, 1 },
	{ "cvt.rp.f32.f64", "ws_ptx_float_to", 1, 2 },
	{ "cvt.bf16.f32", "ws_ptx_to_bf16", 1, NONE },
	{ "cvt.f32.bf16", "ws_ptx_from_bf16", 1, NONE },
	{ "cvt.f16.f32", "ws_ptx_to_f16", 1, NONE },
	{ "cvt.f32.f16", "ws_ptx_from_f16", 1, NONE },
	{ "cvt.f16x2.f32", "ws_ptx_halves", 2, NONE },
	{ "cvt.bf16x2.f32", "ws_ptx_to_bf16x2", 2, NONE },
	{ "cvt.rna.tf32.f32", "ws_ptx_to_tf32", 1, NONE },
	{ "vadd2.u32.u32.u32", "ws_ptx_vadd2_u", 3, NONE },
	{ "vadd4.u32.u32.u32", "ws_ptx_vadd4_u", 3, NONE },
	{ "vsub2.u32.u32.u32", "ws_ptx_vsub2_u", 3, NONE },
	{ "vsub4.u32.u32.u32", "ws_ptx_vsub4_u", 3, NONE },
	{ "vmin2.u32.u32.u32", "ws_ptx_vmin2_u", 3, NONE },
	{ "vmin4.u32.u32.u32", "ws_ptx_vmin4_u", 3, NONE },
	{ "vmax2.u32.u32.u32", "ws_ptx_vmax2_u", 3, NONE },
	{ "vmax4.u32.u32.u32", "ws_ptx_vmax4_u", 3, NONE },
	{ "vmin2.s32.s32.s32", "ws_ptx_vmin2_s", 3, NONE },
	{ "vmin4.s32.s32.s32", "ws_ptx_vmin4_s", 3, NONE },
	{ "vmax2.s32.s32.s32", "ws_ptx_vmax2_s", 3, NONE },
	{ "vmax4.s32.s32.s32", "ws_ptx_vmax4_s", 3, NONE },
	{ "vabsdiff2.u32.u32.u32", "ws_ptx_vabsdiff2_u", 3, NONE },
	{ "vabsdiff4.u32.u32.u32", "ws_ptx_vabsdiff4_u", 3, NONE },
};

/* Those of numbers of 16 bits, alone or as pairs: "fma.rn.f16x2". */
static const struct {
	const char *name;
	unsigned args;
} halves[] = {
	{ "add", 2 }, { "sub", 2 }, { "mul", 2 }, { "fma", 3 }, { "min", 2 },
	{ "max", 2 }, { "neg", 1 }, { "abs", 1 }, { "ex2", 1 }, { "tanh", 1 },
};

static void without(char *text, const char *word)
{
	size_t len = strlen(word);

	for (char *at = text; (at = strstr(at, word));) {
		if (at[len] == '.')
			memmove(at, at + len, strlen(at + len) + 1);
		else
			at++;
	}
}

static bool find_half(const char *opcode, struct ptx_operation *found, char *function)
{
	static const char *const format[] = { "f16", "f16x2", "bf16", "bf16x2" };

	for (size_t i = 0; i < WS_COUNT(halves); i++) {
		size_t len = strlen(halves[i].name);

		for (size_t k = 0; k < WS_COUNT(format); k++) {
			if (strncmp(opcode, halves[i].name, len) != 0 || opcode[len] != '.' ||
			    strcmp(opcode + len + 1, format[k]) != 0)
				continue;
			snprintf(function, WS_PTX_WORD, "ws_ptx_%s_%s", halves[i].name, format[k]);
			*found = (struct ptx_operation){ opcode, function, halves[i].args, NONE };
			return true;
		}
	}
	return false;
}

static bool find_operation(const char *text, struct ptx_operation *found, char *function)
{
	static const char *const same[] = { ".rn", ".approx", ".ftz", ".noftz" };
	char opcode[WS_PTX_WORD];

	snprintf(opcode, sizeof opcode, "%s", text);
	for (size_t i = 0; i < WS_COUNT(same); i++)
		without(opcode, same[i]);
	for (size_t i = 0; i < WS_COUNT(operations); i++) {
		*found = operations[i];
		if (strcmp(opcode, found->opcode) == 0)
			return true;
	}
	return find_half(opcode, found, function);
}

bool ws_ptx_operation(struct ptx_block *b, const struct ptx_statement *s)
{
	struct ptx_operation o;
	char name[WS_PTX_WORD];
	LLVMValueRef argument[WS_PTX_OPERANDS];
	LLVMTypeRef type, param[WS_PTX_OPERANDS];
	unsigned params;

	if (!find_operation(s->opcode, &o, name))
		return false;
	b->bad |= s->operands != o.args + 1;
	if (!ws_ptx_called(b, o.function, &type))
		return true;
	params = LLVMCountParamTypes(type);
	LLVMGetParamTypes(type, param);
	for (unsigned i = 0; i < params; i++) {
		bool given = i < o.args;
		int constant = i + 1 == params && o.last != NONE ? o.last : 0;

		argument[i] = given ? ws_ptx_value(b, &s->operand[i + 1], 0, param[i])
				    : LLVMConstInt(param[i], (unsigned long long)constant, 0);
	}
	ws_ptx_assign(b, &s->operand[0], 0, ws_ptx_call(b, o.function, argument));
	return true;
}
