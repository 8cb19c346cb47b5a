/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/run.c -- one launch: its tables, and its CTAs on all cores in chunks, which are
 * written in order, of a size that the launch alone decides.
 */
#include "trace/capture/child.h"
#include "trace/capture/kernel.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CHUNKS_PER_THREAD 16u /* of a wave: threads are started anew for each */
#define SM_REGISTERS	  65536u
#define LANES_MAX         16384u /* of all workers */

/* ---- a launch's static part ------------------------------------------------------------ */

static enum ws_status copy_tables(struct ws_launch *l, const struct ws_kernel *k,
				  struct ws_err *err)
{
	l->kernel = ws_strdup(k->name);
	l->instruction = ws_alloc(k->instructions, sizeof *l->instruction);
	l->segment = ws_alloc(k->segments, sizeof *l->segment);
	l->file = ws_alloc_zero(k->files, sizeof *l->file);
	l->array = ws_alloc_zero(k->args + k->constants, sizeof *l->array);
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

void ws_launch_arrays(uint32_t *array, const struct ws_kernel *k, const struct ws_arguments *a)
{
	uint32_t arrays = 0;

	for (size_t i = 0; i < k->args; i++) {
		array[i] = WS_NO_ARRAY;
		for (size_t j = 0; j < i && a->buffer[i] != SIZE_MAX; j++)
			if (a->buffer[j] == a->buffer[i])
				array[i] = array[j];
		if (array[i] == WS_NO_ARRAY && a->buffer[i] != SIZE_MAX)
			array[i] = arrays++;
	}
}

static enum ws_status add_constants(struct ws_launch *l, const struct ws_kernel *k,
				    struct ws_err *err)
{
	for (size_t i = 0; i < k->constants; i++) {
		const struct ws_constant *c = &k->constant[i];

		l->array[l->arrays] = (struct ws_array){ .name = ws_strdup(c->name),
							 .base = c->base, .bytes = c->bytes };
		if (!l->array[l->arrays++].name)
			return ws_fail_memory(err, "a launch");
	}
	return WS_OK;
}

/* The arrays of a launch are its buffers in argument order, each once, named
 * as the kernel names them, then constants of program scope; instructions then refer to those. */
static enum ws_status bind_arrays(struct ws_launch *l, const struct ws_kernel *k,
				  const struct ws_program *p, const struct ws_arguments *a,
				  struct ws_err *err)
{
	uint32_t array_of[128], buffers;

	ws_launch_arrays(array_of, k, a);
	for (size_t i = 0; i < k->args; i++) {
		if (array_of[i] != l->arrays)
			continue;
		assert(l->arrays < k->args);
		l->array[l->arrays] = (struct ws_array){
			.name = ws_strdup(k->arg[i].name),
			.base = p->buffer[a->buffer[i]].base,
			.bytes = ws_buffer_span(&p->buffer[a->buffer[i]]),
		};
		if (!l->array[l->arrays++].name)
			return ws_fail_memory(err, "a launch");
	}
	buffers = (uint32_t)l->arrays;
	for (size_t i = 0; i < l->instructions; i++) {
		uint32_t number = l->instruction[i].array, constant = number & ~WS_IS_CONSTANT;

		l->instruction[i].array = number < k->args	   ? array_of[number]
					  : constant < k->constants && number != constant
						  ? buffers + constant
						  : WS_NO_ARRAY;
	}
	return add_constants(l, k, err);
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

/* As they are said, or else estimated: no more than an SM has for one group. */
static uint64_t registers_of(const struct ws_kernel *k, const struct ws_launch_spec *spec)
{
	uint64_t threads = 1, most;

	if (spec->registers || !k->registers)
		return spec->registers;
	for (unsigned d = 0; d < spec->dim; d++)
		threads *= spec->local[d];
	most = threads <= SM_REGISTERS / 8 ? SM_REGISTERS / threads / 8 * 8 : 8;
	return k->registers < most ? k->registers : most;
}

enum ws_status ws_launch_make(struct ws_launch *l, const struct ws_kernel *k,
			      const struct ws_program *p, const struct ws_launch_spec *spec,
			      const struct ws_arguments *a, struct ws_err *err)
{
	enum ws_status status;

	*l = (struct ws_launch){ .registers = registers_of(k, spec),
				 .shared_bytes = shared_bytes(k, a),
				 .ctas = 1 };
	for (unsigned d = 0; d < 3; d++) {
		l->block[d] = d < spec->dim ? spec->local[d] : 1;
		l->grid[d] = d < spec->dim ? spec->global[d] / spec->local[d] : 1;
		l->ctas *= l->grid[d];
		if (k->group[d] && k->group[d] != l->block[d])
			return ws_fail(
				err, p->name ? WS_EFORMAT : WS_EINVAL,
				"%s: kernel %s requires groups of %" PRIu64
				" x %" PRIu64 " x %" PRIu64 " work-items", p->source, k->name,
				k->group[0], k->group[1], k->group[2]);
	}
	status = copy_tables(l, k, err);
	return status == WS_OK ? bind_arrays(l, k, p, a, err) : status;
}

/* ---- what it does to buffers -------------------------------------------------------------- */

void ws_launch_use(const struct ws_kernel *k, const struct ws_arguments *a, uint8_t *use,
		   size_t buffers)
{
	for (size_t i = 0; i < k->instructions; i++) {
		const struct ws_instruction *in = &k->instruction[i];
		size_t buffer = in->array < k->args ? a->buffer[in->array] : SIZE_MAX;

		if (in->space == WS_SPACE_LOCAL ||
		    (in->space == WS_SPACE_CONSTANT && buffer == SIZE_MAX))
			continue;
		for (size_t b = 0; b < buffers; b++) { /* of an unknown one: any */
			if (buffer == SIZE_MAX || b == buffer)
				use[b] |= (uint8_t)(1u << in->kind);
		}
	}
}

bool ws_launch_independent(const struct ws_kernel *k, const uint8_t *use, const uint8_t *later,
			   size_t buffers)
{
	bool good = !k->ordered_atomics;

	for (size_t b = 0; good && b < buffers; b++) {
		bool loaded = use[b] & 1u << WS_LOAD, stored = use[b] & 1u << WS_STORE,
		     atomic = use[b] & 1u << WS_ATOMIC;

		good = !(loaded && (stored || atomic)) && !(stored && atomic) &&
		       !(stored && later[b] & (1u << WS_LOAD | 1u << WS_ATOMIC));
	}
	return good;
}

unsigned ws_launch_workers(const struct ws_launch *l, unsigned asked)
{
	uint64_t most = LANES_MAX / ws_launch_threads(l);
	unsigned threads = ws_threads(asked);

	return threads < most ? threads : most ? (unsigned)most : 1;
}

/* ---- running --------------------------------------------------------------------------- */

struct chunk_worker {
	struct ws_cta_run *run;
	struct ws_encoder *encoder;
};

struct wave {
	const struct ws_cta_config *config;
	const struct ws_launch_run *run;
	struct chunk_worker *worker;
	struct ws_launch_chunk *chunk;
};

static enum ws_status prepare_worker(struct wave *w, struct chunk_worker *me, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (!me->run)
		status = ws_cta_run_new(&me->run, w->config, err);
	if (status == WS_OK && !me->encoder && !w->config->kernel->bare)
		status = ws_encoder_new(&me->encoder, w->config->launch, err);
	return status;
}

static enum ws_status trace_chunk(void *context, size_t item, unsigned thread, struct ws_err *err)
{
	struct wave *w = context;
	struct chunk_worker *me = &w->worker[thread];
	struct ws_launch_chunk *c = &w->chunk[item];
	uint64_t *lens = ws_alloc(c->count, sizeof *lens);
	enum ws_status status = lens ? prepare_worker(w, me, err) : ws_fail_memory(err, "a chunk");
	struct ws_buf data = { 0 };

	if (status == WS_OK)
		ws_cta_thread_begin(me->run);
	for (size_t i = 0; i < c->count && status == WS_OK; i++) {
		size_t before = data.len;

		ws_where_cta(w->run->where, thread, c->first + i);
		status = ws_cta_run(me->run, c->first + i, me->encoder, err);
		if (status == WS_OK && me->encoder)
			status = ws_encoder_end(me->encoder, &data, c->accesses, err);
		lens[i] = data.len - before;
	}
	ws_cta_thread_end(me->run);
	if (status == WS_OK)
		status = ws_launch_pack(w->run, c, ws_cta_run_packer(me->run), &data, lens, err);
	ws_where_done(w->run->where, thread);
	ws_buf_clear(&data);
	free(lens);
	return status;
}

static enum ws_status write_wave(struct wave *w, size_t chunks, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < chunks; i++) {
		struct ws_launch_chunk *c = &w->chunk[i];

		if (status == WS_OK)
			status = ws_launch_put_chunk(w->run, c, err);
		ws_buf_clear(&c->packed);
	}
	return status;
}

static enum ws_status run_waves(struct wave *w, struct ws_err *err)
{
	const struct ws_capture_options *options = w->run->options;
	unsigned threads = w->run->threads;
	const struct ws_launch *l = w->config->launch;
	uint64_t size = ws_launch_chunk_ctas(l->ctas), done = 0;
	enum ws_status status = WS_OK;

	while (done < l->ctas && status == WS_OK) {
		size_t chunks = 0;

		for (; chunks < (size_t)threads * CHUNKS_PER_THREAD && done < l->ctas; chunks++) {
			uint64_t left = l->ctas - done;

			w->chunk[chunks] =
				(struct ws_launch_chunk){ .first = done,
						.count = (size_t)(left < size ? left : size) };
			done += w->chunk[chunks].count;
		}
		assert(done <= l->ctas && chunks <= (size_t)threads * CHUNKS_PER_THREAD);
		status = ws_parallel(threads, chunks, trace_chunk, w, err);
		if (status == WS_OK)
			status = write_wave(w, chunks, err);
		else
			for (size_t i = 0; i < chunks; i++)
				ws_buf_clear(&w->chunk[i].packed);
		if (options->progress)
			options->progress(options->context, l->kernel, done, l->ctas);
	}
	return status;
}

/* CTAs that see nothing of each other, or one after the other. */
static enum ws_status run_apart(const struct ws_launch_run *run, const struct ws_cta_config *config,
				struct ws_unmet *unmet, struct ws_err *err)
{
	struct wave w = { .config = config, .run = run };
	enum ws_status status;
	unsigned threads = run->threads;

	w.worker = ws_alloc_zero(threads, sizeof *w.worker);
	w.chunk = ws_alloc_zero(threads * CHUNKS_PER_THREAD, sizeof *w.chunk);
	status = w.worker && w.chunk ? run_waves(&w, err)
				     : ws_fail_memory(err, "chunks of a trace");
	for (unsigned t = 0; w.worker && t < threads; t++) {
		if (run->outside && ws_cta_run_outside(w.worker[t].run, run->outside, run->number,
						       status == WS_OK ? err : NULL) != WS_OK &&
		    status == WS_OK)
			status = WS_ENOMEM;
		ws_cta_run_unmet(w.worker[t].run, unmet);
		ws_cta_run_free(w.worker[t].run);
		ws_encoder_free(w.worker[t].encoder);
	}
	free(w.worker);
	free(w.chunk);
	return status;
}

/* On how many CTAs work-items may be alive at once; a stack takes 10 KiB of memory. */
#define RESIDENT_LANES_MAX (UINT64_C(1) << 18)

uint64_t ws_launch_resident(const struct ws_launch *l, const struct ws_machine *m)
{
	uint64_t most = RESIDENT_LANES_MAX / ws_launch_threads(l), ctas = 0;
	struct ws_machine adapted;
	const char *limit;

	if (m && ws_launch_machine(l, m, &adapted, NULL) == WS_OK &&
	    ws_residency(l, &adapted, &ctas, &limit, NULL) == WS_OK && ctas)
		ctas = ctas < UINT64_MAX / m->sm_count ? ctas * m->sm_count : most;
	else
		ctas = m ? 1 : most;
	ctas = ctas < most ? ctas : most;
	return ctas ? ctas : 1;
}

enum ws_status ws_launch_run(const struct ws_launch_run *run, const struct ws_cta_config *config,
			     struct ws_err *err)
{
	struct ws_unmet *unmet = ws_alloc_zero(config->kernel->segments, sizeof *unmet);
	enum ws_status status = unmet ? ws_launch_put_tables(run, config->launch, err)
				      : ws_fail_memory(err, "barriers of a launch");

	if (status == WS_OK && run->resident > 1)
		status = ws_resident_run(run, config, unmet, err);
	else if (status == WS_OK)
		status = run_apart(run, config, unmet, err);
	if (status == WS_OK)
		status = ws_unmet_put(run, config, unmet, err);
	free(unmet);
	return status;
}
