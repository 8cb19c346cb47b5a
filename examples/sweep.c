/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sweep.c -- runs an OpenCL kernel on the CPU, profiles what it asks of a GPU's L1s, and predicts
 * the miss ratio for some sizes of them.
 *
 *	./sweep FILE.launch
 */
#include <warpstack/capture.h>
#include <warpstack/study.h>

#define SIZES "l1.size=8K:64K:x2"

/* A row of the sweep: one configuration, kernel and kind of request. */
static enum ws_status print(void *context, const struct ws_row *row, struct ws_err *err)
{
	const struct ws_prediction *p = row->prediction;

	(void)context;
	(void)err;
	printf("%s\t%llu\t%.6f\t%.6f\t%.6f\t%s\n", row->kernel,
	       (unsigned long long)row->machine->l1.size_bytes,
	       ws_miss_ratio(&p->kind[row->kind], false), p->low[row->kind], p->high[row->kind],
	       row->order);
	return WS_OK;
}

/* Everything that the trace is asked for is in the options. */
static enum ws_status sweep(const struct ws_trace *trace, struct ws_err *err)
{
	struct ws_study_options ask = { .machine = "gtx480", .kind = "all", .seed = 1 };
	const struct ws_study_input input = { .trace = trace };
	struct ws_study_plan plan = { 0 };
	enum ws_status status = WS_OK;

	if (!ws_list_add(&ask.vary, SIZES))
		return ws_fail_memory(err, "the sizes");
	status = ws_study_plan_init(&plan, &ask, NULL, trace, err);
	puts("kernel\tl1_bytes\tmiss_ratio\tlow\thigh\torder");
	if (status == WS_OK)
		status = ws_study_predict(&ask, &plan, &input, print, NULL, err);
	ws_study_plan_clear(&plan);
	ws_list_clear(&ask.vary);
	return status;
}

int main(int argc, char **argv)
{
	const struct ws_capture_options options = { 0 };
	struct ws_program program = { 0 };
	struct ws_trace *trace = NULL;
	struct ws_err err = { 0 };
	enum ws_status status = ws_program_read(&program, argc > 1 ? argv[1] : "-", &err);

	if (status == WS_OK)
		status = ws_capture_trace(&trace, &program, &options, &err);
	if (status == WS_OK)
		status = sweep(trace, &err);
	if (status != WS_OK)
		fprintf(stderr, "sweep: %s\n", err.text);
	ws_trace_close(trace);
	ws_program_clear(&program);
	return ws_exit_code(status);
}
