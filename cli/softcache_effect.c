/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/softcache_effect.c -- launches with a software cache in their kernels: written as a trace,
 * profiled and simulated.
 *
 * The launches of a row's group are rewritten into one temporary trace, which is profiled in one
 * pass as `predict` would profile it; the kernels as they are go the same way, without lines.
 */
#include "cli/softcache.h"

#include "cli/cycles.h"

#include <stdlib.h>
#include <string.h>

const enum ws_col softcache_traffic_columns[] = {
	WS_COL_MACHINE, WS_COL_KERNEL, WS_COL_CACHE, WS_COL_SOFT_LINE_BYTES, WS_COL_THRESHOLD,
	WS_COL_LINES, WS_COL_CHOSEN, WS_COL_SHARED_BYTES, WS_COL_REGISTERS, WS_COL_CTAS,
	WS_COL_SM_THREADS, WS_COL_LIMIT, WS_COL_THREAD_INSTRUCTIONS, WS_COL_ISSUED_INSTRUCTIONS,
	WS_COL_ACCESSES, WS_COL_L1_REQUESTS, WS_COL_L1_MISSES, WS_COL_L1_LOAD_MISSES,
	WS_COL_L2_REQUESTS, WS_COL_L2_MISSES, WS_COL_DRAM_BYTES, WS_COL_CYCLES, WS_COL_BOUND,
	WS_COL_BASIS, WS_COL_SIMULATED_CYCLES, WS_COL_DRAM_READ_BYTES, WS_COL_DRAM_WRITE_BYTES,
	WS_COL_ORDER,
};
const size_t softcache_traffic_count = WS_COUNT(softcache_traffic_columns);

struct effect_row {
	struct ws_launch launch; /* as it became; what it points to is the trace's */
	struct ws_soft_result result;
	uint64_t ctas;		/* of an SM at once; 0: the machine holds none */
	const char *limit;
	struct ws_prediction l1, l2;
	struct ws_timing timing;
	uint64_t warp_instructions;
	struct cycles_kernel cycles;
};

struct effect_group {
	const struct softcache_job *job;
	char order[WS_ORDER_TEXT];
	struct effect_row *row;	/* [job->launches] */
	struct ws_trace *trace;
	struct ws_source source;
};

/* ---- rewriting ---------------------------------------------------------------------------- */

static struct ws_soft_kernel kernel_of(const struct softcache_job *job, size_t i)
{
	const struct softcache_launch *s = &job->launch[i];
	const struct ws_launch *l = ws_trace_launch(job->trace, s->launch);
	static const struct ws_soft plain = WS_SOFT_INIT;
	bool cached = s->soft.lines > 0;

	return (struct ws_soft_kernel){
		.soft = s->soft.line_bytes ? s->soft : plain,
		.shared_bytes = l->shared_bytes + ws_soft_lines_used(&s->soft, s->chosen) *
				s->soft.line_bytes * ws_launch_threads(l),
		.registers = s->registers ? s->registers + (cached ? s->added : 0) : 0,
	};
}

static enum ws_status write_launch(const struct softcache_job *job, size_t i,
				   struct ws_trace_writer *w, bool plain,
				   struct ws_soft_result *result, struct ws_err *err)
{
	struct ws_soft_kernel kernel = kernel_of(job, i);
	size_t launch = job->launch[i].launch;
	enum ws_status status;

	if (plain) {
		const char *name = ws_trace_launch(job->trace, launch)->kernel;

		kernel.name = strndup(name, ws_kernel_length(name));
		if (!kernel.name)
			return ws_fail_memory(err, "the names of launches");
	}
	status = ws_soft_rewrite(w, job->trace, launch, &kernel, result, err);
	free(kernel.name);
	return status;
}

enum ws_status softcache_trace(const struct softcache_job *job, const struct cli_call *call,
			       const char *path, struct ws_out *out, struct ws_err *err)
{
	struct ws_trace_writer *w = NULL;
	enum ws_status status = cli_out_open(out, call, path, err);

	if (status == WS_OK)
		status = ws_trace_writer_new(&w, out, err);
	for (size_t i = 0; i < job->launches && status == WS_OK; i++) {
		struct ws_soft_result result = { .parts = 0 };

		status = write_launch(job, i, w, true, &result, err);
		ws_soft_result_clear(&result);
	}
	if (status == WS_OK)
		status = ws_trace_writer_end(w, err);
	ws_trace_writer_free(w);
	return status == WS_OK ? ws_out_settle(out, err) : status;
}

/* ---- a group's trace ------------------------------------------------------------------------ */

/* What of a launch decides how many CTAs an SM holds. */
static void place_group(const struct effect_group *g, size_t i)
{
	const struct ws_soft_kernel kernel = kernel_of(g->job, i);
	struct effect_row *r = &g->row[i];

	r->launch = *ws_trace_launch(g->job->trace, g->job->launch[i].launch);
	r->launch.shared_bytes = kernel.shared_bytes;
	r->launch.registers = kernel.registers;
	if (ws_residency(&r->launch, &g->source.machine, &r->ctas, &r->limit, NULL) != WS_OK)
		r->ctas = 0;
}

static enum ws_status write_group(const struct effect_group *g, struct ws_out *out,
				  struct ws_err *err)
{
	struct ws_trace_writer *w;
	enum ws_status status = ws_trace_writer_new(&w, out, err);

	for (size_t i = 0; i < g->job->launches && status == WS_OK; i++)
		if (g->row[i].ctas)
			status = write_launch(g->job, i, w, false, &g->row[i].result, err);
	if (status == WS_OK)
		status = ws_trace_writer_end(w, err);
	ws_trace_writer_free(w);
	return status;
}

static enum ws_status make_trace(struct effect_group *g, struct ws_err *err)
{
	struct ws_out out;
	enum ws_status status = ws_out_temporary(&out, err);

	if (status == WS_OK)
		status = write_group(g, &out, err);
	if (status == WS_OK)
		status = ws_trace_open_written(&g->trace, &out, ws_trace_name(g->job->trace), err);
	ws_out_abort(&out);
	return status;
}

/* ---- its profile ---------------------------------------------------------------------------- */

static enum ws_status predict_row(struct effect_row *r, const struct ws_model *a,
				  const struct ws_profile *p, const struct ws_machine *m,
				  struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t s = 0; s < p->sections && status == WS_OK; s++) {
		if (strcmp(p->section[s].kernel, r->launch.kernel) != 0)
			continue;
		r->warp_instructions = p->section[s].issued;
		status = ws_model_predict(a, s, &m->l1, &r->l1, err);
		if (status == WS_OK)
			status = ws_model_predict_l2(a, s, m, &r->l2, err);
		if (status == WS_OK)
			status = ws_model_timing(a, s, m, &r->timing, err);
	}
	return status;
}

static enum ws_status profile(struct effect_group *g, const struct ws_machine *m,
			      struct ws_err *err)
{
	struct ws_profile *p = NULL;
	struct ws_model *a = NULL;
	enum ws_status status;

	g->source.trace = g->source.behind.trace = g->trace;
	status = ws_shapes_add(&g->source.shapes, m->l1.line_bytes, m->l1.sets, err);
	if (status == WS_OK)
		status = ws_l2_wanted_add(&g->source.behind, m, err);
	if (status == WS_OK)
		status = ws_source_profile(&g->source, &p, err);
	if (status == WS_OK)
		status = ws_model_new(&a, p, err);
	for (size_t i = 0; i < g->job->launches && status == WS_OK; i++)
		if (g->row[i].ctas)
			status = predict_row(&g->row[i], a, p, m, err);
	ws_model_free(a);
	ws_profile_free(p);
	ws_shapes_clear(&g->source.shapes);
	ws_l2_wanted_clear(&g->source.behind);
	return status;
}

static enum ws_status launched(void *context, const struct ws_cycle_result *c, struct ws_err *err)
{
	struct effect_group *g = context;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < g->job->launches && status == WS_OK; i++)
		if (strcmp(g->row[i].launch.kernel, c->kernel) == 0)
			status = cycles_add(&g->row[i].cycles, CYCLES_WHOLE, g->trace, c, err);
	return status;
}

static enum ws_status simulate_group(struct effect_group *g, const struct ws_machine *m,
				     struct ws_err *err)
{
	const struct cycles_job job = {
		.call = g->job->call, .trace = g->trace, .machine = m, .seed = g->job->call->seed,
		.threads = cycles_threads(g->job->call, g->job->plan), .progress = true,
		.launched = launched, .context = g,
	};

	return cycles_simulate(&job, err);
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Of threads: softcache.h. */
static uint64_t instructions(const struct ws_soft_result *r)
{
	uint64_t sum = r->instructions + r->extra;

	for (size_t i = 0; i < r->parts; i++) {
		const struct ws_soft_counts *c = &r->part[i].counts;

		if (r->part[i].why == WS_SOFT_CHOSEN && r->part[i].writable)
			sum += c->write_backs -
			       (c->misses[WS_LOAD] + c->misses[WS_STORE] + c->emptied);
	}
	return sum;
}

static uint64_t accesses(const struct ws_soft_result *r)
{
	struct ws_soft_counts c = ws_soft_sum(r);

	return c.direct[WS_LOAD] + c.direct[WS_STORE] + c.direct[WS_ATOMIC] + c.misses[WS_LOAD] +
	       c.misses[WS_STORE] + c.write_backs;
}

static void first_cells(const struct effect_group *g, size_t i, struct ws_table *t)
{
	const struct softcache_launch *s = &g->job->launch[i];
	const struct effect_row *r = &g->row[i];
	const struct ws_machine *m = &g->source.machine;
	uint64_t share = (r->launch.ctas + m->sm_count - 1) / m->sm_count;

	ws_cell_str(t, WS_COL_MACHINE, m->name);
	ws_cell_str(t, WS_COL_KERNEL, r->launch.kernel);
	ws_cell_str(t, WS_COL_CACHE, s->soft.line_bytes ? "software" : "none");
	if (s->soft.line_bytes) {
		ws_cell_u64(t, WS_COL_SOFT_LINE_BYTES, s->soft.line_bytes);
		ws_cell_u64(t, WS_COL_THRESHOLD, s->soft.threshold);
		ws_cell_u64(t, WS_COL_LINES, s->soft.lines);
		ws_cell_u64(t, WS_COL_CHOSEN, s->chosen);
	}
	ws_cell_u64(t, WS_COL_SHARED_BYTES, r->launch.shared_bytes);
	if (r->launch.registers)
		ws_cell_u64(t, WS_COL_REGISTERS, r->launch.registers);
	ws_cell_u64(t, WS_COL_CTAS, r->ctas);
	ws_cell_u64(t, WS_COL_SM_THREADS,
		    (r->ctas < share ? r->ctas : share) * ws_launch_threads(&r->launch));
	ws_cell_str(t, WS_COL_LIMIT, r->limit ? r->limit : "?");
	ws_cell_str(t, WS_COL_ORDER, g->order);
}

static void traffic_cells(const struct effect_row *r, struct ws_table *t)
{
	ws_cell_u64(t, WS_COL_THREAD_INSTRUCTIONS, instructions(&r->result));
	ws_cell_u64(t, WS_COL_ISSUED_INSTRUCTIONS, r->warp_instructions);
	ws_cell_u64(t, WS_COL_ACCESSES, accesses(&r->result));
	ws_cell_u64(t, WS_COL_L1_REQUESTS, r->l1.kind[WS_KINDS].requests);
	ws_cell_u64(t, WS_COL_L1_MISSES, r->l1.kind[WS_KINDS].misses);
	ws_cell_u64(t, WS_COL_L1_LOAD_MISSES, r->l1.kind[WS_LOAD].misses);
	ws_cell_u64(t, WS_COL_L2_REQUESTS, r->l2.kind[WS_KINDS].requests);
	ws_cell_u64(t, WS_COL_L2_MISSES, r->l2.kind[WS_KINDS].misses);
	ws_cell_f64(t, WS_COL_DRAM_BYTES, r->timing.dram_bytes);
	ws_cell_u64(t, WS_COL_CYCLES, (uint64_t)(r->timing.cycles + 0.5));
	ws_cell_str(t, WS_COL_BOUND, ws_bound_name(r->timing.binds));
	ws_cell_str(t, WS_COL_BASIS,
		    ws_basis_names[r->l1.basis == WS_EXACT ? r->l2.basis : r->l1.basis]);
}

static void row(const struct effect_group *g, size_t i, struct ws_table *t)
{
	const struct effect_row *r = &g->row[i];

	ws_cells_varied(t, g->job->plan, g->job->config);
	first_cells(g, i, t);
	if (r->ctas)
		traffic_cells(r, t);
	if (r->ctas && g->job->call->options->cycles) {
		ws_cell_u64(t, WS_COL_SIMULATED_CYCLES, r->cycles.cycles);
		ws_cell_u64(t, WS_COL_DRAM_READ_BYTES, r->cycles.dram_read_bytes);
		ws_cell_u64(t, WS_COL_DRAM_WRITE_BYTES, r->cycles.dram_write_bytes);
	}
	ws_row_end(t);
}

static void group_clear(struct effect_group *g)
{
	for (size_t i = 0; i < g->job->launches; i++) {
		ws_soft_result_clear(&g->row[i].result);
		cycles_kernel_clear(&g->row[i].cycles);
	}
	free(g->row);
	ws_trace_close(g->trace);
}

enum ws_status softcache_traffic(const struct softcache_job *job, struct ws_table *t,
				 struct ws_err *err)
{
	struct effect_group g = { .job = job,
				  .row = ws_alloc_zero(job->launches + 1, sizeof *g.row),
			   .source = { .options = cli_ask(job->call), .seed = job->call->seed,
				       .record = ws_study_plan_needs(job->plan) |
						 WS_RECORD_DETAIL | WS_RECORD_SETS } };
	struct ws_machine m;
	enum ws_status status;

	if (!g.row)
		return ws_fail_memory(err, "rows");
	status = ws_study_plan_machine(job->plan, job->config, &m, err);
	if (status == WS_OK)
		status = ws_source_machines(&g.source, job->plan, job->config, err);
	if (status == WS_OK)
		status = ws_study_plan_order_text(job->plan, job->config, g.order, err);
	for (size_t i = 0; i < job->launches && status == WS_OK; i++)
		place_group(&g, i);
	if (status == WS_OK)
		status = make_trace(&g, err);
	if (status == WS_OK && ws_trace_launches(g.trace))
		status = profile(&g, &m, err);
	if (status == WS_OK && ws_trace_launches(g.trace) && job->call->options->cycles)
		status = simulate_group(&g, &m, err);
	for (size_t i = 0; i < job->launches && status == WS_OK; i++)
		row(&g, i, t);
	group_clear(&g);
	return status;
}
