/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/signature.c -- a launch's argument texts as bytes of the
 * kernel's parameter types, or an error that shows the signature.
 */
#include "trace/capture/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *space_of(enum ws_arg_kind kind)
{
	switch (kind) {
	case WS_ARG_GLOBAL:
		return "global ";
	case WS_ARG_CONSTANT:
		return "constant ";
	case WS_ARG_LOCAL:
		return "local ";
	case WS_ARG_VALUE:
	case WS_ARG_IMAGE:
	case WS_ARG_SAMPLER:
	case WS_ARG_OTHER:
		break;
	}
	return "";
}

/* "mm(global float *A, uint width)" */
static void write_signature(const struct ws_kernel *k, char *text, size_t len)
{
	size_t used = (size_t)snprintf(text, len, "%s(", k->name);

	for (size_t i = 0; i < k->args && used < len; i++)
		used += (size_t)snprintf(text + used, len - used, "%s%s%s %s", i ? ", " : "",
					 space_of(k->arg[i].kind), k->arg[i].type, k->arg[i].name);
	if (used < len)
		snprintf(text + used, len - used, ")");
}

/* The lanes of what follows an element type's name in "float4*", or in "float
 * __attribute__((ext_vector_type(4)))*", which clang makes of it without typedefs; 0 if it is
 * none that we know. */
static unsigned lanes_of(const char *rest)
{
	static const char vector[] = " __attribute__((ext_vector_type(";
	bool spelt = strncmp(rest, vector, sizeof vector - 1) == 0;
	size_t count;
	uint64_t n;
	char digits[8];

	if (spelt)
		rest += sizeof vector - 1;
	count = strspn(rest, "0123456789");
	if (!count)
		return !spelt && (!*rest || strchr("* ", *rest)) ? 1 : 0;
	if (count >= sizeof digits)
		return 0;
	memcpy(digits, rest, count);
	digits[count] = '\0';
	return ws_parse_u64(digits, &n) && n <= WS_LANES_MAX ? (unsigned)n : 0;
}

/* The element type and the lanes of a number, a vector or a pointer to one; false if it is
 * none we know (a struct, void). */
static bool scalar_type(const char *type, enum ws_elem *elem, unsigned *lanes)
{
	size_t len = strcspn(type, "0123456789* ");

	if (strncmp(type, "unsigned ", 9) == 0)
		return false;
	for (int e = 0; e < WS_ELEM_HALF; e++) {
		if (strlen(ws_elem_names[e]) == len && strncmp(type, ws_elem_names[e], len) == 0) {
			*elem = (enum ws_elem)e;
			*lanes = lanes_of(type + len);
			return *lanes > 0;
		}
	}
	return false;
}

enum ws_elem ws_argument_element(const struct ws_kernel_arg *arg)
{
	enum ws_elem elem;
	unsigned lanes;

	return scalar_type(arg->base, &elem, &lanes) ? elem : WS_ELEM_UCHAR;
}

/* Enumerations are integers of their size. */
static bool value_type(const struct ws_kernel_arg *arg, enum ws_elem *elem, unsigned *lanes)
{
	if (scalar_type(arg->base, elem, lanes))
		return true;
	*elem = arg->bytes == 8 ? WS_ELEM_LONG : WS_ELEM_INT;
	*lanes = 1;
	return arg->integer && (arg->bytes == 8 || arg->bytes == 4);
}

/* ---- values ---------------------------------------------------------------------- */

static bool put_integer(uint8_t *to, enum ws_elem elem, const char *text)
{
	unsigned bits = 8 * ws_elem_bytes[elem];
	bool is_signed = elem == WS_ELEM_CHAR || elem == WS_ELEM_SHORT || elem == WS_ELEM_INT ||
			 elem == WS_ELEM_LONG;
	uint64_t value, top = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
	int64_t number;

	if (!is_signed) {
		if (!ws_parse_u64(text, &value) || value > top)
			return false;
	} else {
		if (!ws_parse_i64(text, &number) || number > (int64_t)(top >> 1) ||
		    number < -(int64_t)(top >> 1) - 1)
			return false;
		value = (uint64_t)number;
	}
	memcpy(to, &value, bits / 8); /* little-endian hosts only, as the JIT is x86-64 */
	return true;
}

static bool put_scalar(uint8_t *to, enum ws_elem elem, const char *text)
{
	double value;
	float single;

	if (elem != WS_ELEM_FLOAT && elem != WS_ELEM_DOUBLE)
		return put_integer(to, elem, text);
	if (!ws_parse_double(text, &value))
		return false;
	single = (float)value;
	if (elem == WS_ELEM_FLOAT && isinf(single))
		return false;
	if (elem == WS_ELEM_FLOAT)
		memcpy(to, &single, sizeof single);
	else
		memcpy(to, &value, sizeof value);
	return true;
}

static unsigned numbers_in(const char *text)
{
	unsigned n = 1;

	for (; *text; text++)
		n += *text == ',';
	return n;
}

/* "1.5" or, for vectors, "1,2,3,4"; one number fills all lanes.  As many as there are lanes, or
 * one. */
static bool put_vector(uint8_t *to, enum ws_elem elem, unsigned lanes, const char *text)
{
	bool same = !strchr(text, ',');
	char number[64];

	for (unsigned i = 0; i < lanes; i++) {
		size_t len = strcspn(text, ",");

		if (len >= sizeof number)
			return false;
		memcpy(number, text, len);
		number[len] = '\0';
		if (!put_scalar(to + (size_t)i * ws_elem_bytes[elem], elem, number))
			return false;
		if (!same)
			text += len + 1; /* past the end after the last */
	}
	return true;
}

static int nibble(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : -1;
}

/* "hex:00ff…", two digits a byte: structs. */
static bool put_hex(uint8_t *to, size_t bytes, const char *text)
{
	if (strncmp(text, "hex:", 4) != 0 || strlen(text + 4) != 2 * bytes)
		return false;
	for (size_t i = 0; i < bytes; i++) {
		int high = nibble(text[4 + 2 * i]), low = nibble(text[5 + 2 * i]);

		if (high < 0 || low < 0)
			return false;
		to[i] = (uint8_t)(high << 4 | low);
	}
	return true;
}

/* ---- arguments --------------------------------------------------------------------- */

struct binding {
	struct ws_arguments *a;
	const struct ws_kernel *k;
	const struct ws_program *p;
	const struct ws_launch_spec *l;
	char signature[600];
	char place[300];
	enum ws_status status; /* of mistakes: a launch file's or the caller's */
};

static enum ws_status wrong(const struct binding *b, size_t i, const char *expected,
			    struct ws_err *err)
{
	return ws_fail(err, b->status, "%s: argument %zu is '%s', want %s for %s%s %s of %s",
		       b->place, i + 1, b->l->arg[i].text, expected, space_of(b->k->arg[i].kind),
		       b->k->arg[i].type, b->k->arg[i].name, b->signature);
}

static bool is_real(enum ws_elem e)
{
	return e == WS_ELEM_FLOAT || e == WS_ELEM_DOUBLE;
}

/* Signed for unsigned passes, as in C; float for int, or another width, is a mistake.
 * Structs and void take any buffer. */
static bool suits(const char *type, const struct ws_buffer *buffer)
{
	enum ws_elem elem;
	unsigned lanes;

	return !scalar_type(type, &elem, &lanes) ||
	       (ws_elem_bytes[elem] == ws_elem_bytes[buffer->elem] &&
		is_real(elem) == is_real(buffer->elem));
}

/* The buffer that argument i names; *out SIZE_MAX: none. */
static const struct ws_buffer *named(const struct binding *b, size_t i, size_t *out)
{
	for (size_t n = 0; n < b->p->buffers; n++) {
		if (strcmp(b->p->buffer[n].name, b->l->arg[i].text) != 0)
			continue;
		*out = n;
		return &b->p->buffer[n];
	}
	return NULL;
}

static void bind_memory(const struct binding *b, size_t i, size_t n)
{
	const struct ws_buffer *buffer = &b->p->buffer[n];

	memcpy(b->a->store[i], &buffer->host, sizeof buffer->host);
	b->a->bound[i] = (struct ws_bound_argument){ .bytes = buffer->bytes,
							 .device = buffer->base };
	b->a->buffer[i] = n;
	b->a->image[i] = buffer->image;
}

static enum ws_status bind_buffer(const struct binding *b, size_t i, struct ws_err *err)
{
	size_t n;
	const struct ws_buffer *buffer = named(b, i, &n);

	if (!buffer || buffer->image.shape)
		return wrong(b, i, b->p->name ? "the name of a buffer" :
			     "buffer:TYPE:COUNT or the name of a buffer", err);
	if (!suits(b->k->arg[i].base, buffer))
		return ws_fail(err, b->status,
			       "%s: argument %zu is %s, a buffer of %s, want one for %s%s "
			       "%s of %s",
			       b->place, i + 1, b->l->arg[i].text, ws_elem_names[buffer->elem],
			       space_of(b->k->arg[i].kind), b->k->arg[i].type, b->k->arg[i].name,
			       b->signature);
	bind_memory(b, i, n);
	return WS_OK;
}

static enum ws_status bind_image(const struct binding *b, size_t i, struct ws_err *err)
{
	size_t n;
	const struct ws_buffer *buffer = named(b, i, &n);

	if (!buffer || strcmp(ws_image_type(buffer->image.shape), b->k->arg[i].base) != 0)
		return wrong(b, i, "the name of an image", err);
	bind_memory(b, i, n);
	return WS_OK;
}

static enum ws_status bind_sampler(const struct binding *b, size_t i, struct ws_err *err)
{
	uint32_t bits;

	return ws_sampler_parse(b->l->arg[i].text, &bits)
		       ? WS_OK
		       : wrong(b, i, "a sampler, as sampler:linear:clamp:normalized", err);
}

void ws_launch_opaque(const struct ws_program *p, const struct ws_launch_spec *l,
		      struct ws_opaque *out)
{
	struct binding b = { .p = p, .l = l };
	size_t n;

	for (size_t i = 0; i < l->args; i++) {
		const struct ws_buffer *buffer = named(&b, i, &n);

		out[i] = (struct ws_opaque){ 0 };
		if (buffer && buffer->image.shape)
			out[i] = (struct ws_opaque){ buffer->image.order | buffer->image.type << 16,
						     buffer->image.tiled };
		else if (!buffer && !ws_sampler_parse(l->arg[i].text, &out[i].bits))
			out[i].bits = 0;
	}
}

/* An argument given by name is the parameter of that name.  Parameters without one take any. */
static enum ws_status check_names(const struct binding *b, struct ws_err *err)
{
	for (size_t i = 0; i < b->k->args; i++) {
		const char *given = b->l->arg[i].name, *name = b->k->arg[i].name;

		if (given && ws_is_name(name) && strcmp(given, name) != 0)
			return ws_fail(err, b->status, "%s: argument %zu is given as %s, want %s: "
				       "%s",
				       b->place, i + 1, given, name, b->signature);
	}
	return WS_OK;
}

static enum ws_status bind_local(const struct binding *b, size_t i, struct ws_err *err)
{
	const char *text = b->l->arg[i].text;
	uint64_t bytes;

	if (strncmp(text, "local:", 6) != 0 || !ws_parse_size(text + 6, &bytes) || bytes == 0 ||
	    bytes > 1u << 24)
		return wrong(b, i, "local:BYTES (1 to 16M)", err);
	b->a->local_bytes[i] = bytes;
	b->a->bound[i].bytes = bytes;
	return WS_OK;
}

static enum ws_status bind_value(const struct binding *b, size_t i, struct ws_err *err)
{
	const struct ws_kernel_arg *arg = &b->k->arg[i];
	const char *text = b->l->arg[i].text;
	enum ws_elem elem;
	unsigned lanes;
	char want[64];

	if (arg->bytes > sizeof b->a->store[i])
		return ws_fail(
			err, b->status,
			"%s: argument %s of kernel %s takes %zu bytes: at most %zu are supported",
			b->place, arg->name, b->k->name, arg->bytes, sizeof b->a->store[i]);
	if (strncmp(text, "hex:", 4) == 0)
		return put_hex(b->a->store[i], arg->bytes, text)
			       ? WS_OK
			       : wrong(b, i, "two hex digits a byte", err);
	if (!value_type(arg, &elem, &lanes))
		return wrong(b, i, "hex: and two digits a byte (a struct)", err);
	if (numbers_in(text) != 1 && numbers_in(text) != lanes) {
		if (lanes == 1)
			snprintf(want, sizeof want, "one number, not %u,", numbers_in(text));
		else
			snprintf(want, sizeof want, "%u numbers, or one for all, not %u,", lanes,
				 numbers_in(text));
		return wrong(b, i, want, err);
	}
	if (!put_vector(b->a->store[i], elem, lanes, text))
		return wrong(b, i, lanes == 1 ? "a number in its range" : "numbers in their range",
			     err);
	return WS_OK;
}

enum ws_status ws_arguments_init(struct ws_arguments *a, const struct ws_kernel *k,
				 struct ws_err *err)
{
	*a = (struct ws_arguments){ 0 };
	a->value = ws_alloc_zero(k->args, sizeof *a->value);
	a->store = ws_alloc_zero(k->args, sizeof *a->store);
	a->bound = ws_alloc_zero(k->args + k->locals, sizeof *a->bound);
	a->buffer = ws_alloc_zero(k->args, sizeof *a->buffer);
	a->image = ws_alloc_zero(k->args, sizeof *a->image);
	a->local_bytes = ws_alloc_zero(k->args, sizeof *a->local_bytes);
	if (!a->image || !a->value || !a->store || !a->bound || !a->buffer || !a->local_bytes)
		return ws_fail_memory(err, "kernel arguments");
	for (size_t i = 0; i < k->args; i++) {
		a->value[i] = a->store[i];
		a->buffer[i] = SIZE_MAX;
	}
	return WS_OK;
}

/* __local memory begins at 0 of each CTA's own: arguments, then variables. */
void ws_arguments_place(struct ws_arguments *a, const struct ws_kernel *k)
{
	uint64_t at = 0;

	for (size_t i = 0; i < k->args + k->locals; i++) {
		if (i < k->args && k->arg[i].kind != WS_ARG_LOCAL)
			continue;
		if (i >= k->args)
			a->bound[i].bytes = k->local[i - k->args].bytes;
		a->bound[i].device = at;
		at += (a->bound[i].bytes + 127) & ~UINT64_C(127);
	}
}

enum ws_status ws_no_kernel(const char *source, const char *name, const char *list,
			    struct ws_err *err)
{
	if (strcmp(name, WS_WHICH_KERNEL) != 0)
		return ws_fail(err, WS_EINVAL, "%s: no kernel '%s': want one of %s", source, name,
			       list);
	return ws_fail_remedy(err, WS_REMEDY_KERNEL, "%s is a kernel's source: want the kernel to "
			      "run, one of %s", source, list);
}

/* The first parameter that is not given, as ws_program_arg wants it; "": of a launch file. */
static void write_example(const struct binding *b, char *text, size_t room)
{
	const struct ws_kernel_arg *arg = b->k->arg;
	size_t i = 0;

	while (i < b->k->args && i < b->l->args && b->l->arg[i].name &&
	       strcmp(b->l->arg[i].name, arg[i].name) == 0)
		i++;
	*text = '\0';
	if (b->p->name || i == b->k->args || arg[i].symbol)
		return;
	if (arg[i].kind == WS_ARG_GLOBAL || arg[i].kind == WS_ARG_CONSTANT)
		snprintf(text, room, "%s=buffer:%s:COUNT", arg[i].name,
			 ws_elem_names[ws_argument_element(&arg[i])]);
	else
		snprintf(text, room, "%s=%s", arg[i].name,
			 arg[i].kind == WS_ARG_LOCAL ? "local:BYTES" : "VALUE");
}

static enum ws_status wrong_count(const struct binding *b, struct ws_err *err)
{
	size_t variables = 0;
	char few[32] = "", example[160];
	const char *plural = b->l->args == 1 ? "" : "s";

	for (size_t i = 0; i < b->k->args; i++)
		variables += b->k->arg[i].symbol != NULL;
	if (variables)
		snprintf(few, sizeof few, "%zu to ", b->k->args - variables);
	write_example(b, example, sizeof example);
	if (!*example)
		return ws_fail(err, b->status, "%s: %zu argument%s, want %s%zu: %s", b->place,
			       b->l->args, plural, few, b->k->args, b->signature);
	return ws_fail_remedy(err, WS_REMEDY_ARGUMENT, "%s: %zu argument%s, want %s%zu: %s; the "
			      "next is %s", b->place, b->l->args, plural, few, b->k->args,
			      b->signature, example);
}

enum ws_status ws_arguments_make(struct ws_arguments *a, const struct ws_kernel *k,
				 const struct ws_program *p, const struct ws_launch_spec *l,
				 struct ws_err *err)
{
	struct binding b = { .a = a, .k = k, .p = p, .l = l };
	enum ws_status status = WS_OK;

	*a = (struct ws_arguments){ 0 };
	write_signature(k, b.signature, sizeof b.signature);
	b.status = l->line ? WS_EFORMAT : WS_EINVAL;
	if (l->line)
		snprintf(b.place, sizeof b.place, "%s:%d", p->name, l->line);
	else
		snprintf(b.place, sizeof b.place, "%s", p->name ? p->name : p->source);
	if (l->args != k->args)
		return wrong_count(&b, err);
	status = check_names(&b, err);
	if (status == WS_OK)
		status = ws_arguments_init(a, k, err);
	for (size_t i = 0; i < k->args && status == WS_OK; i++) {
		switch (k->arg[i].kind) {
		case WS_ARG_GLOBAL:
		case WS_ARG_CONSTANT:
			status = bind_buffer(&b, i, err);
			break;
		case WS_ARG_LOCAL:
			status = bind_local(&b, i, err);
			break;
		case WS_ARG_IMAGE:
			status = bind_image(&b, i, err);
			break;
		case WS_ARG_SAMPLER:
			status = bind_sampler(&b, i, err);
			break;
		case WS_ARG_VALUE:
		case WS_ARG_OTHER: /* refused when the kernel was made */
			status = bind_value(&b, i, err);
			break;
		}
	}
	if (status == WS_OK)
		ws_arguments_place(a, k);
	return status;
}

void ws_arguments_clear(struct ws_arguments *a)
{
	free(a->value);
	free(a->store);
	free(a->bound);
	free(a->buffer);
	free(a->image);
	free(a->local_bytes);
	*a = (struct ws_arguments){ 0 };
}
