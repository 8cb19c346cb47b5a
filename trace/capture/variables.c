/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/variables.c -- variables of a CUDA source that a launch is not given: buffers that
 * hold what the source says that they begin with, the same ones in all launches.
 */
#include "trace/capture/kernel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- their buffers ---------------------------------------------------------------------- */

static uint64_t next_base(const struct ws_program *p)
{
	const struct ws_buffer *last = p->buffers ? &p->buffer[p->buffers - 1] : NULL;
	uint64_t align = p->device_align ? p->device_align : WS_DEVICE_ALIGN;
	uint64_t base = p->device_base ? p->device_base : WS_DEVICE_BASE;

	if (last)
		base = last->base + ws_buffer_span(last);
	return (base + align - 1) / align * align;
}

static enum ws_status add_buffer(struct ws_variables *v, const struct ws_kernel_arg *arg,
				 struct ws_err *err)
{
	struct ws_program *p = v->program;
	struct ws_buffer b = { .elem = ws_argument_element(arg), .lanes = 1, .bytes = arg->extent,
			       .base = next_base(p) };
	struct ws_buffer *grown;
	enum ws_status status;

	if (!arg->extent || arg->extent > WS_PROGRAM_BYTES_MAX ||
	    p->buffers >= WS_PROGRAM_BUFFERS_MAX)
		return ws_fail(err, WS_EINPUT, "variable %.200s has %" PRIu64 " bytes: want 1 to "
			       "%" PRIu64 ", and at most %u buffers and variables", arg->name,
			       arg->extent, (uint64_t)WS_PROGRAM_BYTES_MAX, WS_PROGRAM_BUFFERS_MAX);
	if (!WS_ROOM(v->item, v->cap, v->count + 1))
		return ws_fail_memory(err, "variables");
	grown = realloc(p->buffer, (p->buffers + 1) * sizeof *grown);
	if (!grown)
		return ws_fail_memory(err, "variables");
	p->buffer = grown;
	b.count = b.bytes / ws_elem_bytes[b.elem];
	status = ws_buffer_map(&b, err);
	if (status != WS_OK)
		return status;
	b.name = ws_strdup(arg->name);
	v->item[v->count] = (struct ws_variable){ ws_strdup(arg->symbol), p->buffers };
	v->added++;
	p->buffer[p->buffers++] = b;
	return v->item[v->count++].symbol && b.name ? WS_OK : ws_fail_memory(err, "variables");
}

/* One that was an address before it was an argument has its symbol's name, and bytes. */
static enum ws_status name_buffer(struct ws_buffer *b, const struct ws_kernel_arg *arg,
				  struct ws_err *err)
{
	char *name = ws_strdup(arg->name);

	if (!name)
		return ws_fail_memory(err, "variables");
	free(b->name);
	b->name = name;
	b->elem = ws_argument_element(arg);
	b->count = b->bytes / ws_elem_bytes[b->elem];
	return WS_OK;
}

static struct ws_variable *find(const struct ws_variables *v, const char *symbol)
{
	for (size_t i = 0; i < v->count; i++)
		if (strcmp(v->item[i].symbol, symbol) == 0)
			return &v->item[i];
	return NULL;
}

static enum ws_status get_buffer(struct ws_variables *v, const struct ws_kernel_arg *arg,
				 size_t *buffer, struct ws_err *err);

/* What one begins with may be another's address. */
static uint64_t place_of(void *data, const char *symbol, uint64_t bytes, bool own)
{
	char name[] = "uchar*";
	struct ws_variables *v = data;
	const struct ws_variable *known = find(v, symbol);
	char *copy = ws_strdup(symbol);
	const struct ws_kernel_arg arg = { .name = copy, .base = name, .symbol = copy,
					   .extent = bytes };
	struct ws_err err = { 0 };
	size_t buffer = known ? known->buffer : 0;
	bool good = known || (copy && get_buffer(v, &arg, &buffer, &err) == WS_OK);

	(void)own;
	free(copy);
	return good ? (uint64_t)(uintptr_t)v->program->buffer[buffer].host : 0;
}

/* It is there before it is filled: what it begins with may point back to it. */
static enum ws_status get_buffer(struct ws_variables *v, const struct ws_kernel_arg *arg,
				 size_t *buffer, struct ws_err *err)
{
	const struct ws_cuda_places places = { .place = place_of, .data = v };
	const struct ws_variable *known = find(v, arg->symbol);
	enum ws_status status;

	*buffer = known ? known->buffer : v->program->buffers;
	if (known)
		return known->buffer < v->program->buffers - v->added
			       ? WS_OK
			       : name_buffer(&v->program->buffer[*buffer], arg, err);
	status = add_buffer(v, arg, err);
	return status == WS_OK ? ws_cuda_initial(v->code, arg->symbol, &places,
						 v->program->buffer[*buffer].host, arg->extent, err)
			       : status;
}

/* ---- a launch's arguments ---------------------------------------------------------------- */

static bool is_for(const struct ws_arg *given, const struct ws_kernel_arg *arg)
{
	if (!arg->symbol) /* shared memory without a size */
		return strncmp(given->text, "local:", 6) == 0;
	return strcmp(given->name ? given->name : given->text, arg->name) == 0;
}

/* Parameters are given in order; a variable is, if an argument behind them is called so, or is the
 * buffer of that name. */
static const struct ws_arg *given_for(const struct ws_kernel_arg *arg,
				      const struct ws_launch_spec *l, size_t params, size_t i)
{
	if (i < params)
		return i < l->args ? &l->arg[i] : NULL;
	for (size_t n = params; n < l->args; n++)
		if (is_for(&l->arg[n], arg))
			return &l->arg[n];
	return NULL;
}

static size_t params_of(const struct ws_kernel *k)
{
	size_t i = 0;

	while (i < k->args && !k->arg[i].symbol)
		i++;
	return i;
}

/* The buffer that it is given is its memory, also where others begin with its address. */
static enum ws_status give(struct ws_variables *v, const struct ws_kernel_arg *arg,
			   const struct ws_arg *given, struct ws_err *err)
{
	const struct ws_program *p = v->program;
	struct ws_variable *known = find(v, arg->symbol);
	size_t n = 0;

	while (n < p->buffers && strcmp(p->buffer[n].name, given->text) != 0)
		n++;
	if (n == p->buffers || p->buffer[n].bytes < arg->extent) /* it is told when it is bound */
		return WS_OK;
	if (!known) {
		if (!WS_ROOM(v->item, v->cap, v->count + 1))
			return ws_fail_memory(err, "variables");
		known = &v->item[v->count];
		*known = (struct ws_variable){ .symbol = ws_strdup(arg->symbol) };
		if (!known->symbol)
			return ws_fail_memory(err, "variables");
		v->count++;
	}
	known->buffer = n;
	return WS_OK;
}

static enum ws_status give_all(struct ws_variables *v, const struct ws_kernel *k,
			       const struct ws_launch_spec *l, struct ws_err *err)
{
	size_t params = params_of(k);
	enum ws_status status = WS_OK;

	for (size_t i = params; i < k->args && status == WS_OK; i++) {
		const struct ws_arg *given = given_for(&k->arg[i], l, params, i);

		if (given && k->arg[i].symbol)
			status = give(v, &k->arg[i], given, err);
	}
	return status;
}

static enum ws_status complete(struct ws_variables *v, const struct ws_kernel *k,
			       const struct ws_launch_spec *l, struct ws_arg *to, size_t *known,
			       struct ws_err *err)
{
	size_t params = params_of(k), used = 0, buffer;
	enum ws_status status = give_all(v, k, l, err);

	for (size_t i = 0; i < k->args && status == WS_OK; i++) {
		const struct ws_kernel_arg *arg = &k->arg[i];
		const struct ws_arg *given = given_for(arg, l, params, i);

		used += given != NULL;
		if (given) {
			to[i] = *given;
		} else if (arg->symbol) {
			status = get_buffer(v, arg, &buffer, err);
			to[i] = (struct ws_arg){ .name = arg->name };
			if (status == WS_OK)
				to[i].text = v->program->buffer[buffer].name;
		} else {
			return WS_OK; /* it is told that there are too few */
		}
	}
	*known = used == l->args ? k->args : 0;
	return status;
}

enum ws_status ws_variables_complete(struct ws_variables *v, const struct ws_kernel *k,
				     const struct ws_launch_spec *given,
				     struct ws_launch_spec *whole, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	struct ws_arg *arg;
	size_t known = 0;

	*whole = *given;
	whole->arg = NULL;
	arg = ws_alloc_zero(k->args + given->args, sizeof *arg);
	if (!arg)
		return ws_fail_memory(err, "a launch");
	if (given->args < k->args)
		status = complete(v, k, given, arg, &known, err);
	if (known)
		whole->args = known;
	else if (given->args)
		memcpy(arg, given->arg, given->args * sizeof *arg);
	whole->arg = arg;
	return status;
}

enum ws_status ws_launch_bind(struct ws_launch *launch, struct ws_arguments *arguments,
			      const struct ws_kernel *k, const struct ws_launch_spec *given,
			      struct ws_variables *v, struct ws_err *err)
{
	struct ws_launch_spec whole;
	enum ws_status status = ws_variables_complete(v, k, given, &whole, err);

	if (status == WS_OK)
		status = ws_arguments_make(arguments, k, v->program, &whole, err);
	if (status == WS_OK)
		status = ws_launch_make(launch, k, v->program, &whole, arguments, err);
	free(whole.arg);
	return status;
}

void ws_variables_clear(struct ws_variables *v)
{
	for (size_t i = 0; i < v->added; i++) {
		struct ws_buffer *b = &v->program->buffer[--v->program->buffers];

		ws_buffer_unmap(b);
		free(b->name);
	}
	for (size_t i = 0; i < v->count; i++)
		free(v->item[i].symbol);
	free(v->item);
	*v = (struct ws_variables){ 0 };
}
