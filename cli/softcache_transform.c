/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/softcache_transform.c -- `softcache --transform`: a launch file's kernels rewritten by LLVM
 * to have the cache, run, and compared with the kernels as they are and with the model's counts.
 */
#include "cli/softcache.h"
#include "cli/softcache_ran.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const enum ws_col columns[] = {
	WS_COL_KERNEL, WS_COL_SOFT_LINE_BYTES, WS_COL_THRESHOLD, WS_COL_LINES, WS_COL_CHOSEN,
	WS_COL_MONITORED, WS_COL_MONITOR_HITS, WS_COL_SOFT_HITS, WS_COL_SOFT_MISSES,
	WS_COL_WRITE_BACKS, WS_COL_WRITE_BACK_BYTES, WS_COL_THREAD_INSTRUCTIONS,
	WS_COL_MONITORING_INSTRUCTIONS, WS_COL_CACHED_INSTRUCTIONS, WS_COL_RUN_EXTRA_INSTRUCTIONS,
	WS_COL_RUN_EXTRA_RATIO, WS_COL_EXTRA_INSTRUCTIONS, WS_COL_DIFFERENT_COUNTS,
	WS_COL_WRONG_BYTES,
};

struct transform_work {
	const struct softcache_transform *t;
	struct ws_machine m;
	struct cli_report report;
	struct ws_soft_record *record;
	const struct ws_launch *launch;
	size_t next;		/* the next of the launch's caches */
	uint64_t wrong, different, fenced; /* launches */
};

static struct ws_soft soft_of(const struct ws_soft_cache *cache)
{
	return (struct ws_soft){ .line_bytes = cache->line_bytes, .threshold = cache->threshold,
				 .lines = cache->lines, .aliased = cache->aliased };
}

/* ---- a launch as it is ------------------------------------------------------------------- */

static enum ws_status begin_launch(void *context, const struct ws_launch *l, struct ws_err *err)
{
	struct transform_work *w = context;

	ws_soft_record_free(w->record);
	w->record = NULL;
	w->launch = l;
	w->next = 0;
	return ws_soft_record_new(&w->record, l, NULL, err);
}

static void cta(void *context)
{
	ws_soft_record_cta(((struct transform_work *)context)->record);
}

static enum ws_status take_step(void *context, const struct ws_step *s, struct ws_err *err)
{
	return ws_soft_record_step(((struct transform_work *)context)->record, s, err);
}

/* ---- a cache, and its choice ---------------------------------------------------------------- */

/* Which structures there are decides how many lines there is room for. */
static enum ws_status find_room(const struct transform_work *w, struct ws_soft_cache *cache,
				struct ws_err *err)
{
	struct ws_soft soft = soft_of(cache);
	struct ws_soft_result result;
	struct ws_soft_room room;
	enum ws_status status = ws_soft_predict(w->record, &soft, &result, err);

	if (status == WS_OK)
		status = ws_soft_fit(&room, w->launch, &w->m, w->t->registers, soft.line_bytes,
				     &result, err);
	if (status == WS_OK)
		cache->lines = room.lines < WS_SOFT_STRUCTURES_MAX ? room.lines
								   : WS_SOFT_STRUCTURES_MAX;
	ws_soft_result_clear(&result);
	return status;
}

static enum ws_status next_cache(void *context, struct ws_soft_cache *cache, bool *more,
				 struct ws_err *err)
{
	struct transform_work *w = context;
	const struct softcache_transform *t = w->t;
	size_t i = w->next++;
	struct ws_soft soft;

	*more = i < softcache_lists_points(t->lists);
	if (!*more)
		return WS_OK;
	soft = softcache_lists_at(t->lists, i);
	*cache = (struct ws_soft_cache){
		.line_bytes = (uint32_t)soft.line_bytes, .threshold = (uint32_t)soft.threshold,
		.lines = soft.lines, .aliased = t->aliased,
	};
	return t->lists->lines.count ? WS_OK : find_room(w, cache, err);
}

/* What the kernel counted while it monitored, ranked by the rule. */
static enum ws_status choose_lines(void *context, const struct ws_soft_ran *ran, int32_t *line,
				   struct ws_err *err)
{
	const struct transform_work *w = context;

	return softcache_choose(ran, w->launch, line, err);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void count_cells(struct ws_table *t, const struct ws_soft_ran *ran)
{
	uint64_t sum[6] = { 0 };

	for (size_t i = 0; i < ran->structures; i++) {
		const struct ws_soft_tally *s = &ran->structure[i];

		sum[0] += s->monitored;
		sum[1] += s->monitor_hits;
		sum[2] += s->hits[WS_LOAD] + s->hits[WS_STORE];
		sum[3] += s->misses[WS_LOAD] + s->misses[WS_STORE];
		sum[4] += s->write_backs;
		sum[5] += s->write_back_bytes;
	}
	ws_cell_u64(t, WS_COL_MONITORED, sum[0]);
	ws_cell_u64(t, WS_COL_MONITOR_HITS, sum[1]);
	ws_cell_u64(t, WS_COL_SOFT_HITS, sum[2]);
	ws_cell_u64(t, WS_COL_SOFT_MISSES, sum[3]);
	ws_cell_u64(t, WS_COL_WRITE_BACKS, sum[4]);
	ws_cell_u64(t, WS_COL_WRITE_BACK_BYTES, sum[5]);
}

static void row(struct transform_work *w, const struct ws_soft_ran *ran,
		const struct ws_soft_result *model,
		uint64_t different)
{
	uint64_t all = ran->instructions[0] + ran->instructions[1];
	int64_t extra = (int64_t)(all - model->instructions);
	struct ws_table *t = w->report.table;

	ws_cell_str(t, WS_COL_KERNEL, w->launch->kernel);
	ws_cell_u64(t, WS_COL_SOFT_LINE_BYTES, ran->cache->line_bytes);
	ws_cell_u64(t, WS_COL_THRESHOLD, ran->cache->threshold);
	ws_cell_u64(t, WS_COL_LINES, ran->cache->lines);
	ws_cell_u64(t, WS_COL_CHOSEN, model->chosen);
	count_cells(t, ran);
	ws_cell_u64(t, WS_COL_THREAD_INSTRUCTIONS, model->instructions);
	ws_cell_u64(t, WS_COL_MONITORING_INSTRUCTIONS, ran->instructions[0]);
	ws_cell_u64(t, WS_COL_CACHED_INSTRUCTIONS, ran->instructions[1]);
	ws_cell_f64(t, WS_COL_RUN_EXTRA_INSTRUCTIONS, (double)extra);
	ws_cell_ratio(t, WS_COL_RUN_EXTRA_RATIO, (double)extra, (double)model->instructions);
	ws_cell_u64(t, WS_COL_EXTRA_INSTRUCTIONS, model->extra);
	if (!ran->fences)
		ws_cell_u64(t, WS_COL_DIFFERENT_COUNTS, different);
	ws_cell_u64(t, WS_COL_WRONG_BYTES, ran->wrong);
	ws_row_end(t);
}

static enum ws_status ran(void *context, const struct ws_soft_ran *run, struct ws_err *err)
{
	struct ws_soft soft = soft_of(run->cache);
	struct ws_soft_result model;
	struct transform_work *w = context;
	enum ws_status status = ws_soft_predict(w->record, &soft, &model, err);
	uint64_t different;

	if (status == WS_OK && !w->report.begun) /* not before a kernel is refused */
		status = cli_report_begin(&w->report, w->t->call, NULL, columns, WS_COUNT(columns),
					  err);
	if (status != WS_OK) {
		ws_soft_result_clear(&model);
		return status;
	}
	different = softcache_differ(run, &model);
	row(w, run, &model, different);
	w->wrong += run->wrong > 0;
	w->different += different && !run->fences;
	w->fenced += run->fences;
	if (run->wrong)
		cli_note(w->t->call, "%s: byte %" PRIu64 " of %s is not what the kernel as it is "
			 "computes", w->launch->kernel, run->byte, run->buffer);
	ws_soft_result_clear(&model);
	return WS_OK;
}

/* ---- all of it --------------------------------------------------------------------------- */

static enum ws_status read_program(struct ws_program *p, struct cli_call *call, struct ws_err *err)
{
	struct ws_in in = { 0 };
	enum ws_status status = cli_input_bytes(&in, call, 0, err);

	if (status == WS_OK && !cli_is_text(&in))
		status = ws_fail(err, WS_EINVAL, "%s is no launch file: --transform runs kernels",
				 in.name);
	if (status == WS_OK)
		status = cli_program_parse(p, call, &in, err);
	ws_in_close(&in);
	return status;
}

struct transform_files {			/* opened before anything runs */
	struct ws_out trace, llvm;
	struct ws_buf ir;
};

static enum ws_status run_all(struct transform_work *w, struct ws_program *p,
			      struct transform_files *f,
			      struct ws_err *err)
{
	const struct softcache_transform *t = w->t;
	const struct ws_soft_hooks hooks = { w, begin_launch, cta, take_step, next_cache,
					     choose_lines, ran };
	char *cache = ws_capture_cache();
	const struct ws_soft_run_options options = {
		.max_threads = w->m.cta_threads, .seconds = cli_kernel_seconds(t->call),
		.cache = cache, .trace = t->trace ? &f->trace : NULL,
		.ir = t->ir ? &f->ir : NULL,
	};
	enum ws_status status = WS_OK;

	if (t->trace)
		status = cli_out_open(&f->trace, t->call, t->trace, err);
	if (status == WS_OK && t->ir)
		status = cli_out_open(&f->llvm, t->call, t->ir, err);
	if (status == WS_OK)
		status = ws_soft_run(p, &options, &hooks, err);
	free(cache);
	if (status == WS_OK && t->ir) {
		ws_out_write(&f->llvm, f->ir.data, f->ir.len);
		status = ws_out_settle(&f->llvm, err);
	}
	if (status == WS_OK && t->trace)
		status = ws_out_settle(&f->trace, err);
	status = cli_report_end(&w->report, status, err);
	if (status == WS_OK && t->ir)
		status = ws_out_commit(&f->llvm, err);
	if (status == WS_OK && t->trace)
		status = ws_out_commit(&f->trace, err);
	return status;
}

static void tell(const struct transform_work *w)
{
	const struct cli_call *call = w->t->call;

	if (w->wrong)
		cli_note(call, "%" PRIu64 " of the launches do not compute the same bytes",
			 w->wrong);
	if (w->different)
		cli_note(call, "%" PRIu64 " of the launches do not count what the model derives",
			 w->different);
	if (w->fenced)
		cli_note(call, "%" PRIu64 " of the launches flush at fences, which the model does "
			 "not know", w->fenced);
	w->t->call->no |= w->wrong || w->different;
}

enum ws_status softcache_transform(const struct softcache_transform *t, struct ws_err *err)
{
	struct transform_work w = { .t = t };
	struct ws_program p = { 0 };
	struct transform_files f = { .ir = { 0 } };
	enum ws_status status = cli_machine(t->call, &w.m, err);

	if (status == WS_OK)
		status = read_program(&p, t->call, err);
	if (status == WS_OK)
		status = run_all(&w, &p, &f, err);
	if (status == WS_OK)
		tell(&w);
	ws_out_abort(&f.trace);
	ws_out_abort(&f.llvm);
	ws_buf_clear(&f.ir);
	ws_soft_record_free(w.record);
	ws_program_clear(&p);
	return status;
}
