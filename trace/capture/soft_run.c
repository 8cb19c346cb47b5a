/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/soft_run.c -- the launches of a program, without and with a software cache, and
 * what is not the same of the two (capture.h).
 *
 * Rewritten kernels are kept: launches differ by the structures of their arguments and the size of
 * a CTA, but most programs repeat few.  Everything runs on one thread, in order.
 */
#include "trace/capture/kernel.h"
#include "trace/capture/soft_remote.h"
#include "trace/format/handover.h"

#include <stdlib.h>
#include <string.h>

#define BUDGET (UINT64_C(1) << 28)
#define STRUCTURES_MAX 128u	/* arguments of a kernel */

struct rewritten {
	struct ws_soft_pass pass;
	uint32_t structure[STRUCTURES_MAX];
	bool tally;
	struct ws_kernel *kernel;
};

struct image {			/* contents of the buffers */
	uint8_t **buffer;
	size_t buffers;
};

struct soft_session {
	struct ws_program *program;
	const struct ws_soft_run_options *options;
	const struct ws_soft_hooks *hooks;
	struct ws_bitcode code;
	struct ws_kernels plain;
	struct ws_variables variables;
	struct rewritten **rewritten;
	size_t rewrittens, rewritten_cap;
	struct image before, after; /* the launch as it is */
	struct ws_trace_writer *writer;
	struct ws_port *port;	    /* in the process that runs kernels; NULL: it is the caller's */
	struct ws_where *where;
	struct ws_soft_taker *taker; /* in the caller */
	size_t current;		    /* launch of the program */
	uint64_t number;	    /* of the launch in the trace */
};

struct prepared_kernel {		/* a kernel ready to run */
	struct ws_kernel *kernel;
	struct ws_arguments arguments;
	struct ws_launch launch;
};

struct counts {			/* of one run with a cache */
	uint64_t *tally;
	struct ws_soft_tally *structure;
	int32_t *line;
	size_t structures;
};

/* ---- buffers ------------------------------------------------------------------------ */

static enum ws_status image_new(struct image *m, const struct ws_program *p, struct ws_err *err)
{
	m->buffer = ws_alloc_zero(p->buffers + 1, sizeof *m->buffer);
	if (!m->buffer)
		return ws_fail_memory(err, "buffers");
	for (; m->buffers < p->buffers; m->buffers++) {
		m->buffer[m->buffers] = ws_alloc((size_t)p->buffer[m->buffers].bytes, 1);
		if (!m->buffer[m->buffers])
			return ws_fail_memory(err, "buffers");
	}
	return WS_OK;
}

static void image_clear(struct image *m)
{
	for (size_t i = 0; i < m->buffers; i++)
		free(m->buffer[i]);
	free(m->buffer);
}

static void keep_image(struct image *m, const struct ws_program *p)
{
	for (size_t i = 0; i < p->buffers; i++)
		memcpy(m->buffer[i], p->buffer[i].host, (size_t)p->buffer[i].bytes);
}

static void restore(const struct image *m, const struct ws_program *p)
{
	for (size_t i = 0; i < p->buffers; i++)
		memcpy(p->buffer[i].host, m->buffer[i], (size_t)p->buffer[i].bytes);
}

static void compare_image(const struct image *m, const struct ws_program *p,
			  struct ws_soft_ran *ran)
{
	for (size_t i = 0; i < p->buffers; i++) {
		const uint8_t *want = m->buffer[i], *is = p->buffer[i].host;

		if (memcmp(want, is, (size_t)p->buffer[i].bytes) == 0)
			continue;
		for (uint64_t b = 0; b < p->buffer[i].bytes; b++) {
			if (want[b] == is[b])
				continue;
			if (!ran->wrong++) {
				ran->buffer = p->buffer[i].name;
				ran->byte = b;
			}
		}
	}
}

/* ---- kernels ------------------------------------------------------------------------- */

static bool same_rewritten(const struct rewritten *a, const struct rewritten *b, const char *name,
			   size_t args)
{
	const struct ws_soft_pass *p = &a->pass, *q = &b->pass;

	return a->tally == b->tally && p->line_bits == q->line_bits &&
	       p->threshold == q->threshold && p->aliased == q->aliased && p->lines == q->lines &&
	       p->threads == q->threads && p->structures == q->structures &&
	       strcmp(a->kernel->name, name) == 0 &&
	       memcmp(a->structure, b->structure, args * sizeof *a->structure) == 0;
}

/* The rewritten kernel that `want` describes, made if it is not there. */
static enum ws_status rewritten_kernel(struct soft_session *s, const struct rewritten *want,
				       const struct ws_kernel *plain, struct ws_kernel **out,
				       struct ws_err *err)
{
	struct ws_instrument_options options = { .tally = want->tally,
						 .printf = WS_PRINTF_NOWHERE,
						 .quick = plain->quick,
						 .opaque = plain->opaque,
						 .opaques = plain->opaques };
	struct rewritten *made;
	enum ws_status status;

	for (size_t i = 0; i < s->rewrittens; i++)
		if (same_rewritten(s->rewritten[i], want, plain->name, plain->args) &&
		    ws_kernel_made_for(s->rewritten[i]->kernel, &options)) {
			*out = s->rewritten[i]->kernel;
			return WS_OK;
		}
	made = ws_alloc(1, sizeof *made);
	if (!made || !WS_ROOM(s->rewritten, s->rewritten_cap, s->rewrittens + 1)) {
		free(made);
		return ws_fail_memory(err, "a kernel");
	}
	*made = *want;
	made->pass.structure = made->structure;
	options.soft = &made->pass;
	ws_where_step(s->where, s->current, false);
	status = ws_kernel_make(&made->kernel, &s->code, plain->name, &options, err);
	if (status != WS_OK) {
		free(made);
		return status;
	}
	s->rewritten[s->rewrittens++] = made;
	*out = made->kernel;
	return WS_OK;
}

static void prepared_clear(struct prepared_kernel *q)
{
	ws_arguments_clear(&q->arguments);
	ws_launch_clear(&q->launch);
}

static enum ws_status bind(struct soft_session *s, struct prepared_kernel *q,
			   const struct ws_launch_spec *spec, struct ws_err *err)
{
	return ws_launch_bind(&q->launch, &q->arguments, q->kernel, spec, &s->variables, err);
}

static unsigned log2_of(uint64_t power)
{
	unsigned bits = 0;

	while (power >> bits > 1)
		bits++;
	return bits;
}

static enum ws_status prepare_rewritten(struct soft_session *s, struct prepared_kernel *q,
					const struct prepared_kernel *plain,
					const struct ws_launch_spec *spec,
					const struct ws_soft_cache *cache, bool tally,
					struct ws_err *err)
{
	struct rewritten want = {
		.pass = { .line_bits = log2_of(cache->line_bytes), .threshold = cache->threshold,
			  .aliased = cache->aliased, .lines = cache->lines,
			  .threads = ws_launch_threads(&plain->launch),
			  .structures = plain->launch.arrays,
			  .omit = s->options->test ? s->options->test->omit : 0,
			  .ir = tally ? s->options->ir : NULL },
		.tally = tally,
	};
	enum ws_status status;

	*q = (struct prepared_kernel){ 0 };
	ws_launch_arrays(want.structure, plain->kernel, &plain->arguments);
	status = rewritten_kernel(s, &want, plain->kernel, &q->kernel, err);
	if (status == WS_OK)
		status = bind(s, q, spec, err);
	/* Lines are whole ones at the end of a buffer, too: its memory is there up to the next
	 * page. */
	for (size_t i = 0; status == WS_OK && i < q->kernel->args; i++)
		if (q->kernel->arg[i].kind == WS_ARG_GLOBAL)
			q->arguments.bound[i].bytes =
				(q->arguments.bound[i].bytes + 255) & ~UINT64_C(255);
	return status;
}

/* ---- running --------------------------------------------------------------------------- */

static enum ws_status run_ctas(struct soft_session *s, const struct ws_cta_config *config,
			       struct ws_err *err)
{
	struct ws_cta_run *run = NULL;
	enum ws_status status = ws_cta_run_new(&run, config, err);

	ws_where_step(s->where, s->current, true);
	for (uint64_t c = 0; c < config->launch->ctas && status == WS_OK; c++) {
		if (config->each)
			s->hooks->cta(s->hooks->context);
		ws_where_cta(s->where, 0, c);
		status = ws_cta_run(run, c, NULL, err);
	}
	ws_where_done(s->where, 0);
	if (config->each && status == WS_OK)
		s->hooks->cta(s->hooks->context);
	ws_cta_run_free(run);
	return status;
}

static struct ws_cta_config config_of(const struct soft_session *s, const struct prepared_kernel *q,
				      const struct ws_launch_spec *spec)
{
	return (struct ws_cta_config){
		.kernel = q->kernel, .arguments = &q->arguments, .program = s->program,
		.spec = spec, .launch = &q->launch,
		.groups = { q->launch.grid[0], q->launch.grid[1], q->launch.grid[2] },
		.budget = s->options->budget ? s->options->budget : BUDGET,
	};
}

static enum ws_status run_plain(struct soft_session *s, const struct prepared_kernel *q,
				const struct ws_launch_spec *spec, struct ws_err *err)
{
	struct ws_cta_config config = config_of(s, q, spec);
	enum ws_status status;

	config.each = s->hooks->step;
	config.context = s->hooks->context;
	keep_image(&s->before, s->program);
	status = s->hooks->begin(s->hooks->context, &q->launch, err);
	if (status == WS_OK)
		status = run_ctas(s, &config, err);
	if (status == WS_OK)
		keep_image(&s->after, s->program);
	return status;
}

static void tally_of(const uint64_t *slot, struct ws_soft_tally *t)
{
	memcpy(t->accesses, slot + WS_SLOT_ACCESSES, sizeof t->accesses);
	memcpy(t->direct, slot + WS_SLOT_DIRECT, sizeof t->direct);
	memcpy(t->hits, slot + WS_SLOT_HITS, sizeof t->hits);
	memcpy(t->misses, slot + WS_SLOT_MISSES, sizeof t->misses);
	t->monitored = slot[WS_SLOT_MONITORED];
	t->monitor_hits = slot[WS_SLOT_MONITOR_HITS];
	t->write_backs = slot[WS_SLOT_WRITE_BACKS];
	t->write_back_bytes = slot[WS_SLOT_WRITE_BACK_BYTES];
	t->atomics = slot[WS_SLOT_ATOMICS];
	t->emptied = slot[WS_SLOT_EMPTIED];
}

/* Once from where the launch began, with the lines of c->line. */
static enum ws_status run_once(struct soft_session *s, const struct prepared_kernel *q,
			       const struct ws_launch_spec *spec, struct counts *c,
			       struct ws_soft_ran *ran, struct ws_err *err)
{
	struct ws_cta_config config = config_of(s, q, spec);
	size_t slots = WS_TALLY_SLOTS + WS_SLOT_FIRST + c->structures * WS_SLOTS;
	enum ws_status status;

	config.soft_line = c->line;
	config.tally = c->tally;
	config.turn = s->options->test ? s->options->test->turn : 0;
	memset(c->tally, 0, slots * sizeof *c->tally);
	restore(&s->before, s->program);
	status = run_ctas(s, &config, err);
	ran->left = c->tally[WS_TALLY_SLOTS + WS_SLOT_LEFT];
	memcpy(ran->instructions, c->tally, sizeof ran->instructions);
	for (size_t i = 0; i < c->structures; i++)
		tally_of(c->tally + WS_TALLY_SLOTS + WS_SLOT_FIRST + i * WS_SLOTS,
			 &c->structure[i]);
	ran->wrong = 0;
	compare_image(&s->after, s->program, ran);
	return status;
}

/* Into the trace, in the order of warps. */
static enum ws_status trace_it(struct soft_session *s, const struct prepared_kernel *plain,
			       const struct ws_launch_spec *spec, const struct ws_soft_cache *cache,
			       const struct counts *c, struct ws_err *err)
{
	const struct ws_capture_options options = { .threads = 1 };
	struct prepared_kernel q;
	enum ws_status status = prepare_rewritten(s, &q, plain, spec, cache, false, err);
	struct ws_cta_config config;

	if (status == WS_OK) {
		const struct ws_launch_run run = {
			.writer = s->writer, .port = s->port, .where = s->where,
			.options = &options, .number = s->number++, .threads = 1,
		};

		config = config_of(s, &q, spec);
		config.soft_line = c->line;
		restore(&s->before, s->program);
		ws_where_step(s->where, s->current, true);
		status = ws_launch_run(&run, &config, err);
	}
	prepared_clear(&q);
	return status;
}

/* Monitors, chooses, caches. */
static enum ws_status run_cached(struct soft_session *s, const struct prepared_kernel *plain,
				 const struct ws_launch_spec *spec,
				 const struct ws_soft_cache *cache, struct counts *c,
				 struct ws_err *err)
{
	const struct ws_soft_hooks *h = s->hooks;
	struct ws_soft_ran ran = { .cache = cache, .structure = c->structure,
				   .structures = c->structures };
	struct prepared_kernel q;
	enum ws_status status = prepare_rewritten(s, &q, plain, spec, cache, true, err);

	memset(c->line, 0xff, c->structures * sizeof *c->line);
	if (status == WS_OK) {
		ran.fences = q.kernel->fences;
		status = run_once(s, &q, spec, c, &ran, err);
	}
	if (status == WS_OK && !ran.wrong) {
		status = h->choose(h->context, &ran, c->line, err);
		if (status == WS_OK)
			status = run_once(s, &q, spec, c, &ran, err);
	}
	if (status == WS_OK)
		status = h->ran(h->context, &ran, err);
	if (status == WS_OK && s->options->trace)
		status = trace_it(s, plain, spec, cache, c, err);
	prepared_clear(&q);
	return status;
}

static enum ws_status counts_new(struct counts *c, const struct ws_launch *l, struct ws_err *err)
{
	*c = (struct counts){ .structures = l->arrays + 1 };
	c->tally = ws_alloc_zero(WS_TALLY_SLOTS + WS_SLOT_FIRST + c->structures * WS_SLOTS,
				 sizeof *c->tally);
	c->structure = ws_alloc_zero(c->structures, sizeof *c->structure);
	c->line = ws_alloc_zero(c->structures, sizeof *c->line);
	return c->tally && c->structure && c->line ? WS_OK : ws_fail_memory(err, "counters");
}

static void counts_clear(struct counts *c)
{
	free(c->tally);
	free(c->structure);
	free(c->line);
}

static enum ws_status run_launch(struct soft_session *s, const struct prepared_kernel *q,
				 const struct ws_launch_spec *spec, struct ws_err *err)
{
	struct counts counts;
	enum ws_status status = counts_new(&counts, &q->launch, err);
	bool more = true;

	if (status == WS_OK)
		status = run_plain(s, q, spec, err);
	while (status == WS_OK) {
		struct ws_soft_cache cache;

		status = s->hooks->next(s->hooks->context, &cache, &more, err);
		if (status != WS_OK || !more)
			break;
		status = run_cached(s, q, spec, &cache, &counts, err);
	}
	if (status == WS_OK)
		restore(&s->after, s->program);
	counts_clear(&counts);
	return status;
}

static enum ws_status get_plain(struct soft_session *s, const struct ws_launch_spec *spec,
				struct ws_kernel **out, struct ws_err *err)
{
	struct ws_opaque *opaque = ws_alloc_zero(spec->args, sizeof *opaque);
	const struct ws_instrument_options options = {
		.opaque = opaque,
		.opaques = spec->args,
		.quick = ws_quick_program(s->program),
	};
	enum ws_status status;

	if (!opaque)
		return ws_fail_memory(err, "a launch");
	ws_launch_opaque(s->program, spec, opaque);
	status = ws_kernels_get(&s->plain, &s->code, s->program, spec, &options, out, err);
	free(opaque);
	return status;
}

/* All buffers are there before the first launch: its variables', too. */
static enum ws_status add_variables(struct soft_session *s, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < s->program->launches && status == WS_OK; i++) {
		const struct ws_launch_spec *spec = &s->program->launch[i];
		struct ws_launch_spec whole = { .arg = NULL };
		struct ws_kernel *kernel;

		s->current = i;
		ws_where_step(s->where, i, false);
		status = get_plain(s, spec, &kernel, err);
		if (status == WS_OK)
			status = ws_variables_complete(&s->variables, kernel, spec, &whole, err);
		free(whole.arg);
	}
	return status;
}

static enum ws_status run_launches(struct soft_session *s, struct ws_err *err)
{
	struct ws_crashes *crashes = NULL;
	enum ws_status status = add_variables(s, err);

	if (status == WS_OK)
		status = image_new(&s->before, s->program, err);
	if (status == WS_OK)
		status = image_new(&s->after, s->program, err);
	if (status == WS_OK)
		status = ws_crashes_begin(&crashes, err);
	for (size_t i = 0; i < s->program->launches && status == WS_OK; i++) {
		const struct ws_launch_spec *spec = &s->program->launch[i];
		struct prepared_kernel q = { 0 };

		s->current = i;
		ws_where_step(s->where, i, false);
		status = get_plain(s, spec, &q.kernel, err);
		if (status == WS_OK)
			status = bind(s, &q, spec, err);
		for (uint64_t k = 0; k < spec->repeat && status == WS_OK; k++)
			status = run_launch(s, &q, spec, err);
		prepared_clear(&q);
	}
	ws_crashes_end(crashes);
	return status;
}

static void session_clear(struct soft_session *s)
{
	ws_kernels_clear(&s->plain);
	for (size_t i = 0; i < s->rewrittens; i++) {
		ws_kernel_free(s->rewritten[i]->kernel);
		free(s->rewritten[i]);
	}
	free(s->rewritten);
	image_clear(&s->before);
	image_clear(&s->after);
	ws_variables_clear(&s->variables);
	ws_trace_writer_free(s->writer);
	ws_buf_clear(&s->code.data);
	free(s->code.source);
}

/* ---- in a process of its own --------------------------------------------------------------- */

static enum ws_status run_child(void *context, struct ws_port *port, struct ws_where *where,
				struct ws_err *err)
{
	struct soft_session *s = context;
	struct ws_soft_sender sender = { .port = port, .program = s->program };
	const struct ws_soft_hooks hooks = ws_soft_sending(&sender);
	enum ws_status status;

	s->hooks = &hooks;
	s->port = port;
	s->where = where;
	status = run_launches(s, err);
	if (status == WS_OK && s->options->ir)
		status = ws_soft_send_ir(&sender, s->options->ir, err);
	ws_soft_sender_clear(&sender);
	return status;
}

static enum ws_status take_message(void *context, enum ws_message type, const uint8_t *data,
				   size_t len, struct ws_buf *answer, struct ws_err *err)
{
	const struct soft_session *s = context;

	if (type == WS_MSG_LAUNCH && s->writer)
		return ws_handover_take_launch(s->writer, data, len, err);
	if (type == WS_MSG_CHUNK && s->writer)
		return ws_handover_take_chunk(s->writer, data, len, err);
	return ws_soft_take(s->taker, type, data, len, answer, err);
}

static enum ws_status run_it(struct soft_session *s, struct ws_err *err)
{
	const struct ws_child child = {
		.run = run_child, .take = take_message, .context = s, .program = s->program,
		.seconds = s->options->seconds,
	};
	enum ws_status status;

	if (s->options->test && s->options->test->in_process)
		return run_launches(s, err);
	status = ws_soft_taker_new(&s->taker, s->program, s->hooks, s->options->ir, err);
	if (status == WS_OK)
		status = ws_child_run(&child, err);
	ws_soft_taker_free(s->taker);
	return status;
}

enum ws_status ws_soft_run(struct ws_program *p, const struct ws_soft_run_options *options,
			   const struct ws_soft_hooks *hooks, struct ws_err *err)
{
	struct soft_session s = { .program = p, .options = options, .hooks = hooks };
	uint64_t most = options->max_threads ? options->max_threads : WS_CTA_THREADS_MAX;
	enum ws_status status = ws_program_verify(p, most, err);

	s.variables = (struct ws_variables){ .program = p, .code = &s.code };
	if (status == WS_OK)
		status = ws_compile_program(&s.code, p, options->seconds, options->cache,
					    err);
	if (status == WS_OK)
		status = ws_program_fill(p, err);
	if (status == WS_OK && options->trace)
		status = ws_trace_writer_new(&s.writer, options->trace, err);
	if (status == WS_OK)
		status = run_it(&s, err);
	if (status == WS_OK && s.writer)
		status = ws_trace_writer_end(s.writer, err);
	session_clear(&s);
	return status;
}
