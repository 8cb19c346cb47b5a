/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/capture.c -- the launches of a program, one after another over
 * the same buffers, their CTAs on all cores, into a trace.
 *
 * The trace must not depend on the number of threads.  CTAs are therefore traced in
 * chunks of a size that the launch alone decides, written in order; and CTAs run
 * side by side only where nobody can see in which order: a kernel that loads from
 * a buffer that it also writes, whose atomics do not commute, or that stores to a buffer
 * which a later launch loads from, runs its CTAs in order on one thread, or in turns if they wait
 * for each other (resident.c).
 */
#include "trace/capture/child.h"
#include "trace/capture/kernel.h"
#include "trace/format/handover.h"

#include <stdlib.h>
#include <string.h>

#define BUDGET (UINT64_C(1) << 28)

struct prepared_launch { /* a launch, before it runs */
	struct ws_kernel *kernel;
	struct ws_arguments arguments;
	struct ws_launch launch;
};

struct capture_session {
	struct ws_program *program;
	const struct ws_capture_options *options;
	struct ws_bitcode code;
	struct ws_kernels kernels;
	struct ws_variables variables;
	struct prepared_launch *prepared; /* program->launches of them */
	struct ws_out *out;
	struct ws_trace_writer *writer; /* once there is something to write */
	struct ws_port *port;	/* in the process that runs kernels; NULL: it is the caller's */
	struct ws_where *where;
	size_t current;		/* the launch that runs */
	struct ws_buf message;
	struct ws_cta_pool *pool;
	uint64_t number; /* of the launch in the trace */
	struct ws_outside_lines outside;
	char *text;	/* of the source; NULL: it is not kept */
};

enum ws_status ws_capture_load(struct ws_err *err)
{
	(void)err;
	return WS_OK;
}

/* May the CTAs of launch i run side by side: does none see what another does, nor any later
 * launch in what order they did it? */
static bool independent(const struct capture_session *s, size_t i)
{
	size_t buffers = s->program->buffers, repeats = s->program->launch[i].repeat > 1;
	uint8_t *use = ws_alloc_zero(2, buffers + 1), *later = use + buffers;
	const struct prepared_launch *q = &s->prepared[i];
	bool good;

	if (!use)
		return false;
	ws_launch_use(q->kernel, &q->arguments, use, buffers);
	for (size_t j = repeats ? i : i + 1; j < s->program->launches; j++)
		ws_launch_use(s->prepared[j].kernel, &s->prepared[j].arguments, later, buffers);
	good = ws_launch_independent(q->kernel, use, later, buffers);
	free(use);
	return good;
}

/* ---- running --------------------------------------------------------------------------- */

static enum ws_status prepare_launch(struct capture_session *s, size_t i, struct ws_err *err)
{
	const struct ws_launch_spec *spec = &s->program->launch[i];
	struct prepared_launch *q = &s->prepared[i];
	struct ws_opaque *opaque = ws_alloc_zero(spec->args, sizeof *opaque);
	const struct ws_instrument_options options = {
		.local = s->options->local,
		.skip_silent = s->options->test && s->options->test->skip_silent,
		.out_of_bounds = s->options->out_of_bounds,
		.quick = ws_quick_program(s->program) &&
			 !(s->options->test && s->options->test->thorough),
		.opaque = opaque,
		.opaques = spec->args,
	};
	enum ws_status status;

	ws_where_step(s->where, i, false);
	if (!opaque)
		return ws_fail_memory(err, "a launch");
	ws_launch_opaque(s->program, spec, opaque);
	status = ws_kernels_get(&s->kernels, &s->code, s->program, spec, &options, &q->kernel, err);
	free(opaque);
	if (status == WS_OK)
		status = ws_launch_bind(&q->launch, &q->arguments, q->kernel, spec, &s->variables,
					err);
	return status == WS_OK ? ws_launch_keep_text(&q->launch, s->program->source, s->text, err)
			       : status;
}

static enum ws_status capture_launch(struct capture_session *s, size_t i, struct ws_err *err)
{
	const struct prepared_launch *q = &s->prepared[i];
	struct ws_cta_config config = {
		.kernel = q->kernel,
		.arguments = &q->arguments,
		.program = s->program,
		.spec = &s->program->launch[i],
		.launch = &q->launch,
		.groups = { q->launch.grid[0], q->launch.grid[1], q->launch.grid[2] },
		.budget = s->options->budget ? s->options->budget : BUDGET,
		.sms = s->options->machine ? (uint32_t)s->options->machine->sm_count : 1,
		.pool = s->pool,
	};
	struct ws_launch_run run = {
		.writer = s->writer,
		.port = s->port,
		.where = s->where,
		.options = s->options,
		.outside = s->options->out_of_bounds == WS_OUT_OF_BOUNDS_RECORD ? &s->outside
										: NULL,
		.threads = 1,
	};
	enum ws_status status = WS_OK;

	if (independent(s, i))
		run.threads = ws_launch_workers(&q->launch, s->options->threads);
	else
		run.resident = ws_launch_resident(&q->launch, s->options->machine);

	for (uint64_t k = 0; k < config.spec->repeat && status == WS_OK; k++) {
		run.number = s->number++;
		s->current = i;
		ws_where_step(s->where, i, true);
		status = ws_launch_run(&run, &config, err);
	}
	return status;
}

static enum ws_status begin_trace(struct capture_session *s, struct ws_err *err)
{
	return s->writer ? WS_OK : ws_trace_writer_new(&s->writer, s->out, err);
}

/* All launches are prepared before the first runs or a byte is written: mistakes show at once. */
static enum ws_status capture_all(struct capture_session *s, struct ws_err *err)
{
	size_t launches = s->program->launches;
	enum ws_status status = WS_OK;
	struct ws_crashes *crashes = NULL;

	s->prepared = ws_alloc_zero(launches, sizeof *s->prepared);
	if (!s->prepared)
		return ws_fail_memory(err, "launches");
	for (size_t i = 0; i < launches && status == WS_OK; i++)
		status = prepare_launch(s, i, err);
	if (status == WS_OK && !s->port)
		status = begin_trace(s, err);
	if (status == WS_OK)
		status = ws_cta_pool_new(&s->pool, err);
	if (status == WS_OK)
		status = ws_crashes_begin(&crashes, err);
	for (size_t i = 0; i < launches && status == WS_OK; i++)
		status = capture_launch(s, i, err);
	ws_crashes_end(crashes);
	return status;
}

static void session_clear(struct capture_session *s)
{
	for (size_t i = 0; s->prepared && i < s->program->launches; i++) {
		ws_arguments_clear(&s->prepared[i].arguments);
		ws_launch_clear(&s->prepared[i].launch);
	}
	free(s->prepared);
	ws_variables_clear(&s->variables);
	ws_outside_clear(&s->outside);
	ws_trace_writer_free(s->writer);
	ws_buf_clear(&s->message);
	ws_cta_pool_free(s->pool);
	ws_kernels_clear(&s->kernels);
	ws_buf_clear(&s->code.data);
	free(s->code.source);
	free(s->text);
}

/* ---- in a process of its own --------------------------------------------------------------- */

static void send_progress(void *context, const char *kernel, uint64_t done, uint64_t total)
{
	struct capture_session *s = context;
	struct ws_err err = { 0 };

	(void)kernel;
	s->message.len = 0;
	ws_put_u64(&s->message, s->current);
	ws_put_u64(&s->message, done);
	ws_put_u64(&s->message, total);
	/* If the caller is gone, what comes next fails. */
	if (ws_port_send(s->port, WS_MSG_PROGRESS, &s->message, &err) == WS_OK)
		(void)!ws_port_flush(s->port, &err);
}

static void send_outside(void *context, const struct ws_outside *o)
{
	const char *const text[] = { o->kernel, o->file, o->first };
	struct capture_session *s = context;
	struct ws_err err = { 0 };

	s->message.len = 0;
	ws_put_u64(&s->message, o->line);
	for (unsigned k = 0; k < WS_KINDS; k++)
		ws_put_u64(&s->message, o->count[k]);
	for (size_t i = 0; i < WS_COUNT(text); i++)
		ws_put_bytes(&s->message, text[i], strlen(text[i]) + 1);
	(void)!ws_port_send(s->port, WS_MSG_OUTSIDE, &s->message, &err);
}

static enum ws_status run_child(void *context, struct ws_port *port, struct ws_where *where,
				struct ws_err *err)
{
	struct capture_session *s = context;
	struct ws_capture_options options = *s->options;
	enum ws_status status;

	options.progress = options.progress ? send_progress : NULL;
	options.context = s;
	s->options = &options;
	s->port = port;
	s->where = where;
	status = capture_all(s, err);
	if (options.outside)
		ws_outside_tell(&s->outside, send_outside, s);
	return status;
}

static enum ws_status unknown(struct ws_err *err)
{
	return ws_fail(err, WS_EINPUT, "a kernel's process sent an unknown message");
}

static const char *get_text(struct ws_cursor *c)
{
	const uint8_t *text = c->p, *end = memchr(c->p, 0, (size_t)(c->end - c->p));

	c->bad |= !end;
	c->p = end ? end + 1 : c->end;
	return (const char *)text;
}

static enum ws_status take_outside(const struct capture_session *s, const uint8_t *data, size_t len,
				   struct ws_err *err)
{
	struct ws_cursor c = { .p = data, .end = data + len };
	struct ws_outside o = { .line = (uint32_t)ws_get_u64(&c) };

	for (unsigned k = 0; k < WS_KINDS; k++)
		o.count[k] = ws_get_u64(&c);
	o.kernel = get_text(&c);
	o.file = get_text(&c);
	o.first = get_text(&c);
	if (c.bad || !s->options->outside)
		return unknown(err);
	s->options->outside(s->options->context, &o);
	return WS_OK;
}

static enum ws_status take_progress(const struct capture_session *s, const uint8_t *data,
				    size_t len,
				    struct ws_err *err)
{
	struct ws_cursor c = { .p = data, .end = data + len };
	uint64_t launch = ws_get_u64(&c), done = ws_get_u64(&c), total = ws_get_u64(&c);

	if (c.bad || launch >= s->program->launches || !s->options->progress)
		return unknown(err);
	s->options->progress(s->options->context, s->program->launch[launch].kernel, done, total);
	return WS_OK;
}

/* Launches of the program, each as often as it is repeated. */
static uint64_t launches_of(const struct ws_program *p)
{
	uint64_t launches = 0;

	for (size_t i = 0; i < p->launches; i++)
		launches += p->launch[i].repeat;
	return launches;
}

static enum ws_status take_message(void *context, enum ws_message type, const uint8_t *data,
				   size_t len, struct ws_buf *answer, struct ws_err *err)
{
	struct capture_session *s = context;
	enum ws_status status;

	(void)answer;
	if (type == WS_MSG_PROGRESS)
		return take_progress(s, data, len, err);
	if (type == WS_MSG_OUTSIDE)
		return take_outside(s, data, len, err);
	status = begin_trace(s, err);
	if (status == WS_OK && type == WS_MSG_LAUNCH &&
	    ws_trace_writer_launches(s->writer) < launches_of(s->program))
		return ws_handover_take_launch(s->writer, data, len, err);
	if (status == WS_OK && type == WS_MSG_CHUNK)
		return ws_handover_take_chunk(s->writer, data, len, err);
	if (status == WS_OK && type == WS_MSG_UNMET)
		return ws_unmet_take(s->writer, s->options, data, len, err);
	return status == WS_OK ? unknown(err) : status;
}

static enum ws_status run_it(struct capture_session *s, struct ws_err *err)
{
	const struct ws_child child = {
		.run = run_child, .take = take_message, .context = s, .program = s->program,
		.seconds = s->options->seconds,
		.steps = s->program->launches + launches_of(s->program),
	};

	if (s->options->test && s->options->test->in_process)
		return capture_all(s, err);
	return ws_child_run(&child, err);
}

enum ws_status ws_capture(struct ws_program *p, const struct ws_capture_options *options,
			  struct ws_out *out, struct ws_err *err)
{
	struct capture_session s = { .program = p, .options = options, .out = out };
	uint64_t most = options->max_threads ? options->max_threads : WS_CTA_THREADS_MAX;
	enum ws_status status = ws_program_verify(p, most, err);

	s.variables = (struct ws_variables){ .program = p, .code = &s.code };
	if (status == WS_OK)
		status = ws_compile_program(&s.code, p, options->seconds, options->cache,
					    err);
	if (status == WS_OK && !options->no_source)
		s.text = ws_source_text(p->source);
	if (status == WS_OK)
		status = ws_program_fill(p, err);
	if (status == WS_OK)
		status = run_it(&s, err);
	if (status == WS_OK)
		status = ws_trace_writer_end(s.writer, err);
	if (options->outside)
		ws_outside_tell(&s.outside, options->outside, options->context);
	session_clear(&s);
	return status;
}
