/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/metadata.c -- a kernel's signature as clang left it in the
 * kernel_arg_* and reqd_work_group_size metadata.
 */
#include "trace/capture/instrument.h"

#include <stdlib.h>
#include <string.h>

/* The operands of metadata node `name` of function f; count 0 if it has none. */
static unsigned operands(struct ws_module *m, LLVMValueRef f, const char *name,
			 LLVMValueRef *operand, unsigned max)
{
	unsigned kind = LLVMGetMDKindIDInContext(m->context, name, (unsigned)strlen(name)),
		 count = 0;
	size_t entries = 0;
	LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(f, &entries);

	for (size_t i = 0; i < entries; i++) {
		LLVMValueRef node;

		if (LLVMValueMetadataEntriesGetKind(all, (unsigned)i) != kind)
			continue;
		node = LLVMMetadataAsValue(m->context,
					   LLVMValueMetadataEntriesGetMetadata(all, (unsigned)i));
		count = LLVMGetMDNodeNumOperands(node);
		if (count <= max)
			LLVMGetMDNodeOperands(node, operand);
		else
			count = 0;
	}
	LLVMDisposeValueMetadataEntries(all);
	return count;
}

static char *text_of(LLVMValueRef operand)
{
	unsigned len = 0;
	const char *text = LLVMGetMDString(operand, &len);

	return text ? strndup(text, len) : NULL;
}

static enum ws_arg_kind pointer_kind(LLVMTypeRef type)
{
	switch (LLVMGetPointerAddressSpace(type)) {
	case 1:
	case 4:
		return WS_ARG_GLOBAL;
	case 2:
		return WS_ARG_CONSTANT;
	case 3:
		return WS_ARG_LOCAL;
	default:
		return WS_ARG_OTHER;
	}
}

/* Types without a value in memory; on a CPU they look like pointers or numbers.  WS_ARG_VALUE: it
 * is none of them. */
static enum ws_arg_kind opaque(const char *type)
{
	for (unsigned i = 1; i < WS_IMAGE_SHAPES; i++) {
		if (strcmp(type, ws_image_type((enum ws_image_shape)i)) == 0)
			return WS_ARG_IMAGE;
	}
	if (strcmp(type, "sampler_t") == 0)
		return WS_ARG_SAMPLER;
	return strncmp(type, "image", 5) == 0 || strcmp(type, "queue_t") == 0 ||
			       strncmp(type, "pipe ", 5) == 0 || strcmp(type, "event_t") == 0
		       ? WS_ARG_OTHER
		       : WS_ARG_VALUE;
}

static void classify(struct ws_module *m, LLVMValueRef f, unsigned i, struct ws_kernel_arg *arg)
{
	unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
	LLVMAttributeRef by_value = LLVMGetEnumAttributeAtIndex(f, i + 1, byval);
	LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(f, i));

	arg->kind = opaque(arg->base);
	if (arg->kind != WS_ARG_VALUE) {
		arg->bytes = sizeof(void *);
	} else if (by_value) {
		arg->bytes = LLVMABISizeOfType(m->layout, LLVMGetTypeAttributeValue(by_value));
	} else if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
		arg->kind = pointer_kind(type);
		arg->bytes = sizeof(void *);
	} else if (LLVMGetTypeKind(type) == LLVMTargetExtTypeKind) {
		arg->kind = WS_ARG_OTHER;
	} else {
		arg->bytes = LLVMABISizeOfType(m->layout, type);
		arg->integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
	}
}

enum ws_status ws_module_arguments(struct ws_module *m, LLVMValueRef f, struct ws_err *err)
{
	unsigned count = LLVMCountParams(f), named, typed, based;
	LLVMValueRef name[WS_ARG_MAX], type[WS_ARG_MAX], base[WS_ARG_MAX], group[3];
	struct ws_kernel *k = m->kernel;

	if (count >= WS_ARG_MAX)
		return ws_fail(err, WS_EINPUT, "kernel %s has %u arguments, want at most %u",
			       k->name, count, WS_ARG_MAX - 1);
	named = operands(m, f, "kernel_arg_name", name, WS_ARG_MAX);
	typed = operands(m, f, "kernel_arg_type", type, WS_ARG_MAX);
	based = operands(m, f, "kernel_arg_base_type", base, WS_ARG_MAX);
	k->arg = ws_alloc_zero(count, sizeof *k->arg);
	if (!k->arg)
		return ws_fail_memory(err, "a kernel's arguments");
	k->args = count;
	for (unsigned i = 0; i < count; i++) {
		k->arg[i].name = i < named ? text_of(name[i]) : ws_strdup("?");
		k->arg[i].type = i < typed ? text_of(type[i]) : ws_strdup("?");
		k->arg[i].base = i < based ? text_of(base[i]) : ws_strdup("?");
		if (!k->arg[i].name || !k->arg[i].type || !k->arg[i].base)
			return ws_fail_memory(err, "a kernel's arguments");
		classify(m, f, i, &k->arg[i]);
		if (k->arg[i].kind == WS_ARG_OTHER)
			return ws_fail(err, WS_EINPUT,
				       "kernel %s: argument '%s' is of type %s: depth and "
				       "multi-sample images, pipes and queues are not supported",
				       k->name, k->arg[i].name, k->arg[i].type);
	}
	if (operands(m, f, "reqd_work_group_size", group, 3) == 3) {
		for (unsigned d = 0; d < 3; d++)
			k->group[d] = LLVMIsAConstantInt(group[d])
					      ? LLVMConstIntGetZExtValue(group[d])
					      : 0;
	}
	return WS_OK;
}
