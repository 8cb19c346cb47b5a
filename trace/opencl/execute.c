/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/execute.c -- a launch's buffers and arguments for our executor (trace/app/launch.c),
 * which runs it in place in the platform's buffers.
 *
 * The kernel runs on the buffers' memory itself, whose place memory.c knows.  What it may write is
 * copied first, and put back if it fails or if not all groups are run: then the platform runs the
 * kernel from where it began.
 *
 * Arrays of the trace are the ranges that the kernel's arguments name; sub-buffers of one buffer
 * that overlap are one array.
 */
#include "trace/opencl/layer.h"

#include <stdlib.h>
#include <string.h>

struct buffer_range { /* of a buffer */
	struct ws_cl_buffer *root;
	size_t from, to;
};

struct launch_run {
	const struct ws_job *job;
	struct buffer_range *range;
	size_t ranges;
	struct ws_app_launch app;
};

/* ---- arrays ---------------------------------------------------------------------------- */

/* Adds a range, and makes one of those that overlap. */
static void add_range(struct launch_run *r, const struct ws_cl_buffer *b)
{
	struct buffer_range new = { b->root, b->origin, b->origin + b->bytes };

	for (size_t i = 0; i < r->ranges;) {
		const struct buffer_range *old = &r->range[i];

		if (old->root != new.root || old->from >= new.to || new.from >= old->to) {
			i++;
			continue;
		}
		new.from = old->from < new.from ? old->from : new.from;
		new.to = old->to > new.to ? old->to : new.to;
		r->range[i] = r->range[--r->ranges];
		i = 0;
	}
	r->range[r->ranges++] = new;
}

static size_t range_of(const struct launch_run *r, const struct ws_cl_buffer *b)
{
	size_t i = 0;

	while (i < r->ranges && (r->range[i].root != b->root || r->range[i].from > b->origin ||
				 r->range[i].to <= b->origin))
		i++;
	return i < r->ranges ? i : SIZE_MAX;
}

/* The buffers of the executor's program: the ranges, then all shared virtual memory of the
 * context, since pointers to it may be anywhere.  Names are for messages. */
static enum ws_status make_program(struct launch_run *r, struct ws_err *err)
{
	const struct ws_job *j = r->job;
	struct ws_buffer *buffer;
	size_t svms;

	r->range = ws_alloc_zero(j->args, sizeof *r->range);
	if (!r->range)
		return ws_fail_memory(err, "a launch's buffers");
	for (size_t i = 0; i < j->args; i++) {
		if (j->buffer[i] && !j->buffer[i]->host)
			return ws_fail(err, WS_EINPUT,
				       "the platform does not tell where a buffer is");
		if (j->buffer[i])
			add_range(r, j->buffer[i]);
	}
	pthread_mutex_lock(&ws_layer.lock);
	svms = ws_layer.svms;
	buffer = ws_alloc_zero(r->ranges + svms, sizeof *buffer);
	r->app.program.buffer = buffer;
	for (size_t i = 0; buffer && i < svms; i++) {
		const struct ws_svm *s = &ws_layer.svm[i];

		if (s->context == j->context)
			buffer[r->ranges + r->app.program.buffers++] = (struct ws_buffer){
				.bytes = s->bytes, .host = s->host, .base = s->base };
	}
	pthread_mutex_unlock(&ws_layer.lock);
	if (!r->app.program.buffer)
		return ws_fail_memory(err, "a launch's buffers");
	for (size_t i = 0; i < r->ranges; i++)
		r->app.program.buffer[i] = (struct ws_buffer){
			.bytes = r->range[i].to - r->range[i].from,
			.host = r->range[i].root->host + r->range[i].from,
			.base = r->range[i].root->base + r->range[i].from,
			.image = r->range[i].root->image };
	r->app.program.buffers += r->ranges;
	for (size_t i = 0; i < r->app.program.buffers; i++)
		r->app.program.buffer[i].name = (char *)(uintptr_t)"of the program";
	r->app.program.source = (char *)(uintptr_t)j->unit->name;
	r->app.text = j->unit->source;
	return WS_OK;
}

/* ---- arguments ------------------------------------------------------------------------- */

static enum ws_status bind_svm(struct launch_run *r, size_t i, struct ws_err *err)
{
	uint8_t *pointer;

	memcpy(&pointer, r->job->arg[i].value, sizeof pointer);
	memcpy(r->app.arguments.store[i], &pointer, sizeof pointer);
	for (size_t b = r->ranges; pointer && b < r->app.program.buffers; b++) {
		const struct ws_buffer *s = &r->app.program.buffer[b];
		uint64_t at = (uint64_t)(uintptr_t)pointer - (uint64_t)(uintptr_t)s->host;

		if (at >= s->bytes)
			continue;
		r->app.arguments.buffer[i] = b;
		r->app.arguments.bound[i] = (struct ws_bound_argument){
			.bytes = s->bytes - at, .device = s->base + at };
		return WS_OK;
	}
	return pointer ? ws_fail(err, WS_EINPUT, "argument %s points to memory of the host",
				 r->app.kernel->arg[i].name)
		       : WS_OK;
}

static void bind_buffer(struct launch_run *r, size_t i)
{
	const struct ws_cl_buffer *b = r->job->buffer[i];
	uint8_t *host = b ? b->host : NULL;

	memcpy(r->app.arguments.store[i], &host, sizeof host);
	if (!b)
		return;
	r->app.arguments.buffer[i] = range_of(r, b);
	r->app.arguments.bound[i] = (struct ws_bound_argument){
		.bytes = b->bytes, .device = b->root->base + b->origin };
}

static enum ws_status bind_image(struct launch_run *r, size_t i, struct ws_err *err)
{
	const struct ws_kernel_arg *arg = &r->app.kernel->arg[i];
	const struct ws_cl_buffer *b = r->job->buffer[i];

	if (!b || strcmp(ws_image_type((enum ws_image_shape)b->image.shape), arg->base) != 0)
		return ws_fail(err, WS_EINPUT, "argument %s is no %s", arg->name, arg->base);
	bind_buffer(r, i);
	r->app.arguments.image[i] = b->image;
	return WS_OK;
}

static enum ws_status bind(struct launch_run *r, size_t i, struct ws_err *err)
{
	const struct ws_kernel_arg *arg = &r->app.kernel->arg[i];
	const struct ws_cl_arg *given = &r->job->arg[i];

	switch (arg->kind) {
	case WS_ARG_LOCAL:
		r->app.arguments.local_bytes[i] = r->app.arguments.bound[i].bytes = given->size;
		return WS_OK;
	case WS_ARG_GLOBAL:
	case WS_ARG_CONSTANT:
		if (given->svm)
			return bind_svm(r, i, err);
		bind_buffer(r, i);
		return WS_OK;
	case WS_ARG_IMAGE:
		return bind_image(r, i, err);
	case WS_ARG_SAMPLER: /* a constant of the kernel's */
		return WS_OK;
	case WS_ARG_VALUE:
	case WS_ARG_OTHER: /* refused when the kernel was made */
		break;
	}
	if (!given->value || given->size != arg->bytes)
		return ws_fail(err, WS_EINPUT, "argument %s has %zu bytes, and %zu are given",
			       arg->name, arg->bytes, given->size);
	r->app.arguments.value[i] = given->value;
	return WS_OK;
}

/* The largest group along x, then y, then z that divides what is to be run. */
#define GROUP_USUAL 256u
static void choose_group(const struct launch_run *r, uint64_t local[3])
{
	const struct ws_job *j = r->job;
	uint64_t left = ws_app.settings.machine.cta_threads;

	left = left < GROUP_USUAL ? left : GROUP_USUAL;
	for (cl_uint d = 0; d < j->dim; d++) {
		uint64_t n = j->global[d] < left ? j->global[d] : left;

		while (j->global[d] % n)
			n--;
		local[d] = n;
		left /= n;
	}
}

static enum ws_status make_spec(struct launch_run *r, struct ws_err *err)
{
	const struct ws_job *j = r->job;
	struct ws_launch_spec *s = &r->app.spec;

	*s = (struct ws_launch_spec){ .kernel = j->compiled->name, .dim = j->dim, .repeat = 1 };
	for (cl_uint d = 0; d < j->dim; d++) {
		s->global[d] = j->global[d];
		s->offset[d] = j->offset[d];
		s->local[d] = j->local_given ? j->local[d] : r->app.kernel->group[d];
	}
	if (!j->local_given && !r->app.kernel->group[0])
		choose_group(r, s->local);
	for (cl_uint d = 0; d < j->dim; d++) {
		if (s->global[d] % s->local[d])
			return ws_fail(err, WS_EINPUT, "the last group is smaller than the others");
	}
	return WS_OK;
}

static enum ws_status make_arguments(struct launch_run *r, struct ws_err *err)
{
	enum ws_status status;

	if (r->app.kernel->args != r->job->args)
		return ws_fail(err, WS_EINPUT, "%zu arguments, and %zu are given",
			       r->app.kernel->args, r->job->args);
	status = ws_arguments_init(&r->app.arguments, r->app.kernel, err);
	for (size_t i = 0; i < r->app.kernel->args && status == WS_OK; i++)
		status = bind(r, i, err);
	if (status == WS_OK)
		ws_arguments_place(&r->app.arguments, r->app.kernel);
	return status;
}

/* ---- running --------------------------------------------------------------------------- */

static enum ws_status execute(struct launch_run *r, bool *whole, struct ws_err *err)
{
	enum ws_status status = make_program(r, err);

	if (status == WS_OK)
		status = make_spec(r, err);
	if (status == WS_OK)
		status = make_arguments(r, err);
	if (status == WS_OK)
		status = ws_app_launch_make(&r->app, true, err);
	return status == WS_OK ? ws_app_launch_trace(&r->app, whole, err) : status;
}

enum ws_status ws_job_execute(const struct ws_job *job, bool *whole, struct ws_err *err)
{
	struct launch_run r = { .job = job, .app = { .kernel = job->compiled->kernel,
						     .said = &job->compiled->said } };
	enum ws_status status;

	*whole = false;
	status = execute(&r, whole, err);
	ws_app_launch_clear(&r.app);
	ws_arguments_clear(&r.app.arguments);
	free(r.app.program.buffer);
	free(r.range);
	return status;
}
