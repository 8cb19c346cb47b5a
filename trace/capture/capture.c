/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/capture.c -- the launches of a program, one after another over
 * the same buffers, their CTAs on all cores, into a trace.
 *
 * The trace must not depend on the number of threads.  CTAs are therefore traced in
 * chunks of a size that the launch alone decides, written in order; and CTAs run
 * side by side only where nobody can see in which order: a kernel that loads from
 * a buffer that it also writes, whose atomics do not commute, or that stores to a buffer
 * which a later launch loads from, runs its CTAs in order on one thread.
 */
#include "trace/capture/kernel.h"

#include <stdlib.h>
#include <string.h>

#define BUDGET            (UINT64_C(1) << 28)
#define CHUNKS_PER_THREAD 4u
#define LANES_MAX         16384u /* of all workers */

struct kernel_cache {
	struct ws_kernel **item;
	size_t count, cap;
};

struct prepared { /* a launch, before it runs */
	struct ws_kernel *kernel;
	struct ws_arguments arguments;
	struct ws_launch launch;
};

struct session {
	struct ws_program *program;
	const struct ws_capture_options *options;
	struct ws_bitcode code;
	struct kernel_cache kernels;
	struct prepared *prepared; /* program->launches of them */
	struct ws_trace_writer *writer;
	uint64_t number; /* of the launch in the trace */
};

bool ws_capture_available(void)
{
	return true;
}

const char *ws_capture_missing(void)
{
	return "nothing";
}

/* ---- kernels ------------------------------------------------------------------------- */

static enum ws_status get_kernel(struct session *s, const char *name, struct ws_kernel **out,
				 struct ws_err *err)
{
	struct ws_instrument_options options = {
		.local = s->options->local,
		.every_block = s->options->every_block,
	};
	struct kernel_cache *c = &s->kernels;
	struct ws_kernel **grown;
	enum ws_status status;

	for (size_t i = 0; i < c->count; i++) {
		if (strcmp(c->item[i]->name, name) == 0) {
			*out = c->item[i];
			return WS_OK;
		}
	}
	grown = ws_grow(c->item, &c->cap, c->count + 1, sizeof *grown);
	if (!grown)
		return ws_fail_memory(err, "a kernel");
	c->item = grown;
	status = ws_kernel_make(out, &s->code, name, &options, err);
	if (status == WS_OK)
		c->item[c->count++] = *out;
	return status;
}

/* ---- a launch's static part ------------------------------------------------------------ */

static enum ws_status copy_tables(struct ws_launch *l, const struct ws_kernel *k,
				  struct ws_err *err)
{
	l->kernel = ws_strdup(k->name);
	l->instruction = ws_alloc(k->instructions, sizeof *l->instruction);
	l->segment = ws_alloc(k->segments, sizeof *l->segment);
	l->file = ws_alloc_zero(k->files, sizeof *l->file);
	l->array = ws_alloc_zero(k->args, sizeof *l->array);
	if (!l->kernel || !l->instruction || !l->segment || !l->file || !l->array)
		return ws_fail_memory(err, "a launch");
	if (k->instructions)
		memcpy(l->instruction, k->instruction, k->instructions * sizeof *l->instruction);
	if (k->segments)
		memcpy(l->segment, k->segment, k->segments * sizeof *l->segment);
	l->instructions = k->instructions;
	l->segments = k->segments;
	for (; l->files < k->files; l->files++) {
		if (!(l->file[l->files] = ws_strdup(k->file[l->files])))
			return ws_fail_memory(err, "a launch");
	}
	return WS_OK;
}

/* The arrays of a launch are its buffers in argument order, each once, named
 * as the kernel names them; instructions then refer to those. */
static enum ws_status bind_arrays(struct ws_launch *l, const struct ws_kernel *k,
				  const struct ws_program *p, const struct ws_arguments *a,
				  struct ws_err *err)
{
	uint32_t array_of[128];

	for (size_t i = 0; i < k->args; i++) {
		array_of[i] = WS_NO_ARRAY;
		if (a->buffer[i] == SIZE_MAX)
			continue;
		for (size_t j = 0; j < i; j++) {
			if (a->buffer[j] == a->buffer[i])
				array_of[i] = array_of[j];
		}
		if (array_of[i] != WS_NO_ARRAY)
			continue;
		array_of[i] = (uint32_t)l->arrays;
		l->array[l->arrays] = (struct ws_array){
			.name = ws_strdup(k->arg[i].name),
			.base = p->buffer[a->buffer[i]].base,
			.bytes = p->buffer[a->buffer[i]].bytes,
		};
		if (!l->array[l->arrays++].name)
			return ws_fail_memory(err, "a launch");
	}
	for (size_t i = 0; i < l->instructions; i++) {
		uint32_t argument = l->instruction[i].array;

		l->instruction[i].array = argument < k->args ? array_of[argument] : WS_NO_ARRAY;
	}
	return WS_OK;
}

static uint64_t shared_bytes(const struct ws_kernel *k, const struct ws_arguments *a)
{
	uint64_t end = 0;

	for (size_t i = 0; i < k->args + k->locals; i++) {
		if (i >= k->args || k->arg[i].kind == WS_ARG_LOCAL)
			end = a->bound[i].device + a->bound[i].bytes;
	}
	return end;
}

static enum ws_status make_launch(struct ws_launch *l, const struct ws_kernel *k,
				  const struct session *s, const struct ws_launch_spec *spec,
				  const struct ws_arguments *a, struct ws_err *err)
{
	enum ws_status status;

	*l = (struct ws_launch){ .registers = spec->registers,
				 .shared_bytes = shared_bytes(k, a),
				 .ctas = 1 };
	for (unsigned d = 0; d < 3; d++) {
		l->block[d] = d < spec->dim ? spec->local[d] : 1;
		l->grid[d] = d < spec->dim ? spec->global[d] / spec->local[d] : 1;
		l->ctas *= l->grid[d];
		if (k->group[d] && k->group[d] != l->block[d])
			return ws_fail(
				err, s->program->name ? WS_EFORMAT : WS_EINVAL,
				"%s: kernel %s requires groups of %llu x %llu x %llu work-items",
				s->program->source, k->name, (unsigned long long)k->group[0],
				(unsigned long long)k->group[1], (unsigned long long)k->group[2]);
	}
	status = copy_tables(l, k, err);
	return status == WS_OK ? bind_arrays(l, k, s->program, a, err) : status;
}

/* What a launch does to the program's buffers: a bit per kind of access, by buffer. */
enum { USE_LOAD = 1 << WS_LOAD, USE_STORE = 1 << WS_STORE, USE_ATOMIC = 1 << WS_ATOMIC };

static void add_use(const struct prepared *q, uint8_t *use, size_t buffers)
{
	const struct ws_kernel *k = q->kernel;

	for (size_t i = 0; i < k->instructions; i++) {
		const struct ws_instruction *in = &k->instruction[i];
		size_t buffer = in->array < k->args ? q->arguments.buffer[in->array] : SIZE_MAX;

		if (in->space == WS_SPACE_LOCAL)
			continue;
		for (size_t b = 0; b < buffers; b++) { /* of an unknown one: any */
			if (buffer == SIZE_MAX || b == buffer)
				use[b] |= (uint8_t)(1u << in->kind);
		}
	}
}

/* May the CTAs of launch i run side by side: does none see what another does, nor any later
 * launch in what order they did it? */
static bool independent(const struct session *s, size_t i)
{
	size_t buffers = s->program->buffers;
	uint8_t *use = ws_alloc_zero(2, buffers + 1), *later = use + buffers;
	bool good = use != NULL && !s->prepared[i].kernel->ordered_atomics;

	if (good) {
		size_t repeats = s->program->launch[i].repeat > 1;

		add_use(&s->prepared[i], use, buffers);
		for (size_t j = repeats ? i : i + 1; j < s->program->launches; j++)
			add_use(&s->prepared[j], later, buffers);
	}
	for (size_t b = 0; good && b < buffers; b++) {
		bool loaded = use[b] & USE_LOAD, stored = use[b] & USE_STORE,
		     atomic = use[b] & USE_ATOMIC;

		good = !(loaded && (stored || atomic)) && !(stored && atomic) &&
		       !(stored && later[b] & (USE_LOAD | USE_ATOMIC));
	}
	free(use);
	return good;
}

/* ---- running --------------------------------------------------------------------------- */

struct worker {
	struct ws_cta_run *run;
	struct ws_encoder *encoder;
};

struct chunk {
	struct ws_buf packed;
	uint64_t first, accesses[WS_KINDS];
	size_t count;
};

struct wave {
	const struct ws_cta_config *config;
	uint64_t number;
	struct worker *worker;
	struct chunk *chunk;
};

static enum ws_status prepare(struct wave *w, struct worker *me, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (!me->run)
		status = ws_cta_run_new(&me->run, w->config, err);
	if (status == WS_OK && !me->encoder)
		status = ws_encoder_new(&me->encoder, w->config->launch, err);
	return status;
}

static enum ws_status trace_chunk(void *context, size_t item, unsigned thread, struct ws_err *err)
{
	struct wave *w = context;
	struct worker *me = &w->worker[thread];
	struct chunk *c = &w->chunk[item];
	uint64_t *lens = ws_alloc(c->count, sizeof *lens);
	enum ws_status status = lens ? prepare(w, me, err) : ws_fail_memory(err, "a chunk");
	struct ws_buf data = { 0 };

	for (size_t i = 0; i < c->count && status == WS_OK; i++) {
		size_t before = data.len;

		status = ws_cta_run(me->run, c->first + i, me->encoder, err);
		if (status == WS_OK)
			status = ws_encoder_end(me->encoder, &data, c->accesses, err);
		lens[i] = data.len - before;
	}
	if (status == WS_OK)
		status = ws_chunk_pack(&c->packed, w->number, c->first, &data, lens, c->count, err);
	ws_buf_clear(&data);
	free(lens);
	return status;
}

/* CTAs per chunk: enough to pack well, few enough to share out. */
static uint64_t chunk_size(uint64_t ctas)
{
	uint64_t size = ctas / 64;

	return size < 1 ? 1 : size > 64 ? 64 : size;
}

static enum ws_status write_wave(struct session *s, struct wave *w, size_t chunks,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < chunks; i++) {
		struct chunk *c = &w->chunk[i];

		if (status == WS_OK)
			status = ws_trace_writer_chunk(s->writer, &c->packed, c->first, c->count,
						       c->accesses, err);
		ws_buf_clear(&c->packed);
	}
	return status;
}

static enum ws_status run_waves(struct session *s, struct wave *w, unsigned threads,
				struct ws_err *err)
{
	const struct ws_launch *l = w->config->launch;
	uint64_t size = chunk_size(l->ctas), done = 0;
	enum ws_status status = WS_OK;

	while (done < l->ctas && status == WS_OK) {
		size_t chunks = 0;

		for (; chunks < (size_t)threads * CHUNKS_PER_THREAD && done < l->ctas; chunks++) {
			uint64_t left = l->ctas - done;

			w->chunk[chunks] =
				(struct chunk){ .first = done,
						.count = (size_t)(left < size ? left : size) };
			done += w->chunk[chunks].count;
		}
		status = ws_parallel(threads, chunks, trace_chunk, w, err);
		if (status == WS_OK)
			status = write_wave(s, w, chunks, err);
		else
			for (size_t i = 0; i < chunks; i++)
				ws_buf_clear(&w->chunk[i].packed);
		if (s->options->progress)
			s->options->progress(s->options->context, l->kernel, done, l->ctas);
	}
	return status;
}

static enum ws_status run_launch(struct session *s, const struct ws_cta_config *config,
				 unsigned threads, struct ws_err *err)
{
	struct wave w = { .config = config, .number = s->number++ };
	enum ws_status status = ws_trace_writer_launch(s->writer, config->launch, err);

	w.worker = ws_alloc_zero(threads, sizeof *w.worker);
	w.chunk = ws_alloc_zero(threads * CHUNKS_PER_THREAD, sizeof *w.chunk);
	if (status == WS_OK)
		status = w.worker && w.chunk ? run_waves(s, &w, threads, err)
					     : ws_fail_memory(err, "chunks of a trace");
	for (unsigned t = 0; w.worker && t < threads; t++) {
		ws_cta_run_free(w.worker[t].run);
		ws_encoder_free(w.worker[t].encoder);
	}
	free(w.worker);
	free(w.chunk);
	return status;
}

/* A work-item's stack takes two mappings, of which a process has 65530. */
static unsigned worker_count(const struct session *s, size_t i)
{
	uint64_t most = LANES_MAX / ws_launch_threads(&s->prepared[i].launch);
	unsigned threads = independent(s, i) ? ws_threads(s->options->threads) : 1;

	return threads < most ? threads : most ? (unsigned)most : 1;
}

static enum ws_status prepare_launch(struct session *s, size_t i, struct ws_err *err)
{
	const struct ws_launch_spec *spec = &s->program->launch[i];
	struct prepared *q = &s->prepared[i];
	enum ws_status status = get_kernel(s, spec->kernel, &q->kernel, err);

	if (status == WS_OK)
		status = ws_arguments_make(&q->arguments, q->kernel, s->program, spec, err);
	if (status == WS_OK)
		status = make_launch(&q->launch, q->kernel, s, spec, &q->arguments, err);
	return status;
}

static enum ws_status capture_launch(struct session *s, size_t i, struct ws_err *err)
{
	const struct prepared *q = &s->prepared[i];
	struct ws_cta_config config = {
		.kernel = q->kernel,
		.arguments = &q->arguments,
		.program = s->program,
		.spec = &s->program->launch[i],
		.launch = &q->launch,
		.groups = { q->launch.grid[0], q->launch.grid[1], q->launch.grid[2] },
		.budget = s->options->budget ? s->options->budget : BUDGET,
	};
	unsigned threads = worker_count(s, i);
	enum ws_status status = WS_OK;

	for (uint64_t k = 0; k < config.spec->repeat && status == WS_OK; k++)
		status = run_launch(s, &config, threads, err);
	return status;
}

/* All launches are prepared before the first runs or a byte is written: mistakes show at once. */
static enum ws_status capture_all(struct session *s, struct ws_out *out, struct ws_err *err)
{
	size_t launches = s->program->launches;
	enum ws_status status = WS_OK;
	struct ws_crashes *crashes = NULL;

	s->prepared = ws_alloc_zero(launches, sizeof *s->prepared);
	if (!s->prepared)
		return ws_fail_memory(err, "launches");
	for (size_t i = 0; i < launches && status == WS_OK; i++)
		status = prepare_launch(s, i, err);
	if (status == WS_OK)
		status = ws_trace_writer_new(&s->writer, out, err);
	if (status == WS_OK)
		status = ws_crashes_begin(&crashes, err);
	for (size_t i = 0; i < launches && status == WS_OK; i++)
		status = capture_launch(s, i, err);
	ws_crashes_end(crashes);
	return status;
}

static void session_clear(struct session *s)
{
	for (size_t i = 0; s->prepared && i < s->program->launches; i++) {
		ws_arguments_clear(&s->prepared[i].arguments);
		ws_launch_clear(&s->prepared[i].launch);
	}
	free(s->prepared);
	ws_trace_writer_free(s->writer);
	for (size_t i = 0; i < s->kernels.count; i++)
		ws_kernel_free(s->kernels.item[i]);
	free(s->kernels.item);
	ws_buf_clear(&s->code.data);
	free(s->code.source);
}

enum ws_status ws_capture(struct ws_program *p, const struct ws_capture_options *options,
			  struct ws_out *out, struct ws_err *err)
{
	struct session s = { .program = p, .options = options };
	uint64_t most = options->max_threads ? options->max_threads : WS_CTA_THREADS_MAX;
	enum ws_status status = ws_program_verify(p, most, err);

	if (status == WS_OK)
		status = ws_compile(&s.code, p->source, p->options, err);
	if (status == WS_OK)
		status = ws_program_fill(p, err);
	if (status == WS_OK)
		status = capture_all(&s, out, err);
	if (status == WS_OK)
		status = ws_trace_writer_end(s.writer, err);
	session_clear(&s);
	return status;
}
