/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/app/launch.c -- a launch of a program's, run in place in the program's memory.
 *
 * Groups run side by side if none sees what another does.  What later launches see is not known
 * here: a program whose groups race to store different values has another result each time, as it
 * has on a GPU.
 */
#include "trace/app/app.h"

#include <stdlib.h>
#include <string.h>

static enum ws_status copy_written(struct ws_app_launch *l, struct ws_err *err)
{
	size_t n = l->program.buffers;

	l->before = ws_alloc_zero(n, sizeof(uint8_t *));
	if (!l->before)
		return ws_fail_memory(err, "copies of buffers");
	for (size_t i = 0; i < n; i++) {
		const struct ws_buffer *b = &l->program.buffer[i];

		if (!(l->use[i] & (1u << WS_STORE | 1u << WS_ATOMIC)))
			continue;
		l->before[i] = malloc((size_t)b->bytes + 1);
		if (!l->before[i])
			return ws_fail_memory(err, "copies of buffers");
		memcpy(l->before[i], b->host, (size_t)b->bytes);
	}
	return WS_OK;
}

static void put_back(const struct ws_app_launch *l)
{
	for (size_t i = 0; l->before && i < l->program.buffers; i++) {
		if (l->before[i])
			memcpy(l->program.buffer[i].host, l->before[i],
			       (size_t)l->program.buffer[i].bytes);
	}
}

/* The text of the program's own source; those of files that it includes are not kept. */
static enum ws_status keep_source(struct ws_app_launch *l, struct ws_err *err)
{
	const char *path = l->program.source;
	char *read = path && !l->text ? ws_source_text(path) : NULL;
	enum ws_status status = WS_OK;

	if (path)
		status = ws_launch_keep_text(&l->launch, path, l->text ? l->text : read, err);
	free(read);
	return status;
}

enum ws_status ws_app_launch_make(struct ws_app_launch *l, bool copies, struct ws_err *err)
{
	size_t n = l->program.buffers;
	enum ws_status status;

	l->spec.registers = ws_app.settings.registers;
	status = ws_launch_make(&l->launch, l->kernel, &l->program, &l->spec, &l->arguments, err);
	if (status == WS_OK && ws_app.tracing && !ws_app.settings.no_source)
		status = keep_source(l, err);
	if (status != WS_OK)
		return status;
	l->use = ws_alloc_zero(2, n + 1);
	if (!l->use)
		return ws_fail_memory(err, "a launch's buffers");
	ws_launch_use(l->kernel, &l->arguments, l->use, n);
	return copies ? copy_written(l, err) : WS_OK;
}

void ws_app_launch_clear(struct ws_app_launch *l)
{
	for (size_t i = 0; l->before && i < l->program.buffers; i++)
		free(l->before[i]);
	free(l->before);
	free(l->use);
	ws_launch_clear(&l->launch);
}

/* writer NULL: it leaves no trace. */
static enum ws_status run(struct ws_app_launch *l, struct ws_trace_writer *writer,
			  struct ws_err *err)
{
	struct ws_capture_options options = { .local = ws_app.settings.local,
					      .unmet = ws_say_unmet, .context = l->said };
	struct ws_cta_config config = {
		.arguments = &l->arguments, .program = &l->program,
		.spec = &l->spec, .launch = &l->launch, .budget = WS_APP_BUDGET,
		.sms = (uint32_t)ws_app.settings.machine.sm_count, .pool = ws_app.pool,
	};
	const struct ws_kernel *kernel = !writer && l->bare ? l->bare : l->kernel;
	struct ws_launch_run run = { .writer = writer, .options = &options,
				     .number = ws_app.number };
	struct ws_outside_lines outside = { 0 };
	size_t n = l->program.buffers;
	bool free_order = ws_launch_independent(l->kernel, l->use, l->use + n + 1, n);
	struct ws_crashes *crashes = NULL;
	enum ws_status status;

	config.kernel = kernel;
	if (kernel->bare) {
		config.budget = WS_APP_TURNS;
		config.turn = WS_APP_TURN;
	}
	for (unsigned d = 0; d < 3; d++)
		config.groups[d] = d < l->spec.dim ? l->spec.global[d] / l->spec.local[d] : 1;
	run.threads = ws_launch_workers(&l->launch,
					free_order ? (unsigned)ws_app.settings.threads : 1);
	if (ws_app.settings.out_of_bounds == WS_OUT_OF_BOUNDS_RECORD)
		run.outside = &outside;
	if (!free_order)
		run.resident = ws_launch_resident(&l->launch, &ws_app.settings.machine);
	status = ws_crashes_begin(&crashes, err);
	if (status == WS_OK)
		status = ws_launch_run(&run, &config, err);
	ws_crashes_end(crashes);
	ws_outside_tell(&outside, ws_say_outside, l->said);
	ws_outside_clear(&outside);
	return status;
}

/* A launch that fails is taken back out of the trace. */
static enum ws_status write_trace(struct ws_app_launch *l, struct ws_err *err)
{
	enum ws_status status = ws_trace_launch_begin(err);
	uint64_t launches;

	if (status != WS_OK)
		return status;
	launches = ws_trace_writer_launches(ws_app.writer);
	status = run(l, ws_app.writer, err);
	if (status != WS_OK && ws_trace_writer_launches(ws_app.writer) > launches &&
	    ws_trace_writer_drop(ws_app.writer, NULL) != WS_OK) {
		ws_say("the trace ends here: a launch cannot be taken back out of it");
		ws_app.tracing = false;
	}
	if (status != WS_OK)
		return ws_trace_launch_end(false, NULL) == WS_OK ? status : WS_EIO;
	return ws_trace_launch_end(true, err);
}

/* The first groups alone; they still see the whole grid. */
static bool cut_grid(struct ws_launch *l)
{
	uint64_t most = ws_app.settings.ctas;

	if (!most || l->ctas <= most)
		return false;
	l->grid[0] = l->ctas = most;
	l->grid[1] = l->grid[2] = 1;
	return true;
}

enum ws_status ws_app_launch_trace(struct ws_app_launch *l, bool *whole, struct ws_err *err)
{
	uint64_t grid[3] = { l->launch.grid[0], l->launch.grid[1], l->launch.grid[2] };
	uint64_t ctas = l->launch.ctas;
	enum ws_status status;

	*whole = !cut_grid(&l->launch);
	status = write_trace(l, err);
	memcpy(l->launch.grid, grid, sizeof grid);
	l->launch.ctas = ctas;
	if (status != WS_OK || !*whole)
		put_back(l);
	if (status == WS_OK)
		ws_app.number++;
	return status;
}

enum ws_status ws_app_launch_run(struct ws_app_launch *l, struct ws_err *err)
{
	return run(l, NULL, err);
}
