/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/execute.c -- a launch in our executor, in place in the platform's buffers.
 *
 * The kernel runs on the buffers' memory itself, whose place memory.c knows.  What it may write is
 * copied first, and put back if it fails or if not all groups are run: then the platform runs the
 * kernel from where it began.
 *
 * Groups run side by side if none sees what another does.  What later launches see is not known
 * here: a program whose groups race to store different values has another result each time, as it
 * has on a GPU.
 *
 * Arrays of the trace are the ranges that the kernel's arguments name; sub-buffers of one buffer
 * that overlap are one array.
 */
#include "trace/opencl/layer.h"

#include <stdlib.h>
#include <string.h>

#define BUDGET (UINT64_C(1) << 28) /* records of a lane, as for launch files */

struct buffer_range { /* of a buffer */
	struct ws_cl_buffer *root;
	size_t from, to;
};

struct launch_run {
	const struct ws_job *job;
	const struct ws_kernel *kernel;
	struct buffer_range *range;
	size_t ranges;
	struct ws_program program;
	struct ws_launch_spec spec;
	struct ws_arguments arguments;
	struct ws_launch launch;
	uint8_t *use;	   /* by buffer of the program */
	uint8_t **before; /* copies of those that may be written; NULL: of others */
};

/* ---- arrays ------------------------------------------------------------------------------- */

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
	r->program.buffer = ws_alloc_zero(r->ranges + svms, sizeof *r->program.buffer);
	for (size_t i = 0; r->program.buffer && i < svms; i++) {
		const struct ws_svm *s = &ws_layer.svm[i];

		if (s->context == j->context)
			r->program.buffer[r->ranges + r->program.buffers++] = (struct ws_buffer){
				.bytes = s->bytes, .host = s->host, .base = s->base };
	}
	pthread_mutex_unlock(&ws_layer.lock);
	if (!r->program.buffer)
		return ws_fail_memory(err, "a launch's buffers");
	for (size_t i = 0; i < r->ranges; i++)
		r->program.buffer[i] = (struct ws_buffer){
			.bytes = r->range[i].to - r->range[i].from,
			.host = r->range[i].root->host + r->range[i].from,
			.base = r->range[i].root->base + r->range[i].from,
			.image = r->range[i].root->image };
	r->program.buffers += r->ranges;
	for (size_t i = 0; i < r->program.buffers; i++)
		r->program.buffer[i].name = (char *)(uintptr_t)"of the program";
	r->program.source = (char *)(uintptr_t)j->unit->name;
	return WS_OK;
}

/* ---- arguments ----------------------------------------------------------------------------- */

static enum ws_status bind_svm(struct launch_run *r, size_t i, struct ws_err *err)
{
	uint8_t *pointer;

	memcpy(&pointer, r->job->arg[i].value, sizeof pointer);
	memcpy(r->arguments.store[i], &pointer, sizeof pointer);
	for (size_t b = r->ranges; pointer && b < r->program.buffers; b++) {
		const struct ws_buffer *s = &r->program.buffer[b];
		uint64_t at = (uint64_t)(uintptr_t)pointer - (uint64_t)(uintptr_t)s->host;

		if (at >= s->bytes)
			continue;
		r->arguments.buffer[i] = b;
		r->arguments.bound[i] = (struct ws_bound_argument){ s->bytes - at, s->base + at };
		return WS_OK;
	}
	return pointer ? ws_fail(err, WS_EINPUT, "argument %s points to memory of the host",
				 r->kernel->arg[i].name)
		       : WS_OK;
}

static void bind_buffer(struct launch_run *r, size_t i)
{
	const struct ws_cl_buffer *b = r->job->buffer[i];
	uint8_t *host = b ? b->host : NULL;

	memcpy(r->arguments.store[i], &host, sizeof host);
	if (!b)
		return;
	r->arguments.buffer[i] = range_of(r, b);
	r->arguments.bound[i] = (struct ws_bound_argument){ b->bytes, b->root->base + b->origin };
}

static enum ws_status bind_image(struct launch_run *r, size_t i, struct ws_err *err)
{
	const struct ws_kernel_arg *arg = &r->kernel->arg[i];
	const struct ws_cl_buffer *b = r->job->buffer[i];

	if (!b || strcmp(ws_image_type((enum ws_image_shape)b->image.shape), arg->base) != 0)
		return ws_fail(err, WS_EINPUT, "argument %s is no %s", arg->name, arg->base);
	bind_buffer(r, i);
	r->arguments.image[i] = b->image;
	return WS_OK;
}

static enum ws_status bind(struct launch_run *r, size_t i, struct ws_err *err)
{
	const struct ws_kernel_arg *arg = &r->kernel->arg[i];
	const struct ws_cl_arg *given = &r->job->arg[i];

	switch (arg->kind) {
	case WS_ARG_LOCAL:
		r->arguments.local_bytes[i] = r->arguments.bound[i].bytes = given->size;
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
	r->arguments.value[i] = given->value;
	return WS_OK;
}

/* The largest group along x, then y, then z that divides what is to be run. */
#define GROUP_USUAL 256u
static void choose_group(const struct launch_run *r, uint64_t local[3])
{
	const struct ws_job *j = r->job;
	uint64_t left = ws_layer.settings.machine.cta_threads;

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
	struct ws_launch_spec *s = &r->spec;

	*s = (struct ws_launch_spec){ .kernel = j->compiled->name, .dim = j->dim, .repeat = 1 };
	for (cl_uint d = 0; d < j->dim; d++) {
		s->global[d] = j->global[d];
		s->offset[d] = j->offset[d];
		s->local[d] = j->local_given ? j->local[d] : r->kernel->group[d];
	}
	if (!j->local_given && !r->kernel->group[0])
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

	if (r->kernel->args != r->job->args)
		return ws_fail(err, WS_EINPUT, "%zu arguments, and %zu are given", r->kernel->args,
			       r->job->args);
	status = ws_arguments_init(&r->arguments, r->kernel, err);
	for (size_t i = 0; i < r->kernel->args && status == WS_OK; i++)
		status = bind(r, i, err);
	if (status == WS_OK)
		ws_arguments_place(&r->arguments, r->kernel);
	return status;
}

/* ---- what it may write ----------------------------------------------------------------------- */

static enum ws_status save(struct launch_run *r, struct ws_err *err)
{
	size_t n = r->program.buffers;

	r->use = ws_alloc_zero(2, n + 1);
	r->before = ws_alloc_zero(n, sizeof(uint8_t *));
	if (!r->use || !r->before)
		return ws_fail_memory(err, "copies of buffers");
	ws_launch_use(r->kernel, &r->arguments, r->use, n);
	for (size_t i = 0; i < n; i++) {
		const struct ws_buffer *b = &r->program.buffer[i];

		if (!(r->use[i] & (1u << WS_STORE | 1u << WS_ATOMIC)))
			continue;
		r->before[i] = malloc((size_t)b->bytes + 1);
		if (!r->before[i])
			return ws_fail_memory(err, "copies of buffers");
		memcpy(r->before[i], b->host, (size_t)b->bytes);
	}
	return WS_OK;
}

static void put_back(const struct launch_run *r)
{
	for (size_t i = 0; r->before && i < r->program.buffers; i++) {
		if (r->before[i])
			memcpy(r->program.buffer[i].host, r->before[i],
			       (size_t)r->program.buffer[i].bytes);
	}
}

/* ---- running --------------------------------------------------------------------------------- */

/* The first groups alone; they still see the whole grid. */
static bool cut_grid(struct launch_run *r)
{
	uint64_t most = ws_layer.settings.ctas;

	if (!most || r->launch.ctas <= most)
		return false;
	r->launch.grid[0] = r->launch.ctas = most;
	r->launch.grid[1] = r->launch.grid[2] = 1;
	return true;
}

static enum ws_status trace(struct launch_run *r, bool *whole, struct ws_err *err)
{
	struct ws_capture_options options = { .local = ws_layer.settings.local,
					      .unmet = ws_say_unmet,
					      .context = r->job->compiled };
	struct ws_cta_config config = {
		.kernel = r->kernel, .arguments = &r->arguments, .program = &r->program,
		.spec = &r->spec, .launch = &r->launch, .budget = BUDGET, .pool = ws_layer.pool,
	};
	struct ws_launch_run run = { .writer = ws_layer.writer, .options = &options,
				     .number = ws_layer.number };
	struct ws_outside_lines outside = { 0 };
	size_t n = r->program.buffers;
	bool free_order = ws_launch_independent(r->kernel, r->use, r->use + n + 1, n);
	struct ws_crashes *crashes = NULL;
	enum ws_status status;

	memcpy(config.groups, r->launch.grid, sizeof config.groups);
	*whole = !cut_grid(r);
	run.threads = ws_launch_workers(&r->launch,
					free_order ? (unsigned)ws_layer.settings.threads : 1);
	if (ws_layer.settings.out_of_bounds == WS_OUT_OF_BOUNDS_RECORD)
		run.outside = &outside;
	if (!free_order)
		run.resident = ws_launch_resident(&r->launch, &ws_layer.settings.machine);
	status = ws_crashes_begin(&crashes, err);
	if (status == WS_OK)
		status = ws_launch_run(&run, &config, err);
	ws_crashes_end(crashes);
	ws_outside_tell(&outside, ws_say_outside, r->job->compiled);
	ws_outside_clear(&outside);
	return status;
}

/* A launch that fails is taken back out of the trace. */
static enum ws_status write_trace(struct launch_run *r, bool *whole, struct ws_err *err)
{
	enum ws_status status = ws_trace_launch_begin(err);
	uint64_t launches;

	if (status != WS_OK)
		return status;
	launches = ws_trace_writer_launches(ws_layer.writer);
	status = trace(r, whole, err);
	if (status != WS_OK && ws_trace_writer_launches(ws_layer.writer) > launches &&
	    ws_trace_writer_drop(ws_layer.writer, NULL) != WS_OK) {
		ws_say("the trace ends here: a launch cannot be taken back out of it");
		ws_layer.tracing = false;
	}
	if (status != WS_OK)
		return ws_trace_launch_end(false, NULL) == WS_OK ? status : WS_EIO;
	return ws_trace_launch_end(true, err);
}

static enum ws_status execute(struct launch_run *r, bool *whole, struct ws_err *err)
{
	enum ws_status status = make_program(r, err);

	if (status == WS_OK)
		status = make_spec(r, err);
	if (status == WS_OK)
		status = make_arguments(r, err);
	if (status == WS_OK)
		status = ws_launch_make(&r->launch, r->kernel, &r->program, &r->spec,
					&r->arguments, err);
	if (status == WS_OK)
		status = save(r, err);
	if (status != WS_OK)
		return status;
	status = write_trace(r, whole, err);
	if (status != WS_OK || !*whole)
		put_back(r);
	if (status == WS_OK)
		ws_layer.number++;
	return status;
}

enum ws_status ws_job_execute(const struct ws_job *job, bool *whole, struct ws_err *err)
{
	struct launch_run r = { .job = job, .kernel = job->compiled->kernel };
	enum ws_status status;

	*whole = false;
	status = execute(&r, whole, err);
	for (size_t i = 0; r.before && i < r.program.buffers; i++)
		free(r.before[i]);
	free(r.before);
	free(r.use);
	ws_launch_clear(&r.launch);
	ws_arguments_clear(&r.arguments);
	free(r.program.buffer);
	free(r.range);
	return status;
}
