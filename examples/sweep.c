/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sweep.c -- runs an OpenCL kernel on the CPU, profiles what it asks of a GPU's L1s, and predicts the
 * miss ratio for some sizes of them.
 *
 *	./sweep FILE.launch
 */
#include <warpstack/capture.h>
#include <warpstack/validate.h>

/* The requests of one SM, as a schedule brings them about, go into the profile. */
static enum ws_status take(void *profiler, uint64_t sm, const struct ws_request *r, size_t count,
			   struct ws_err *err)
{
	return ws_profiler_push(profiler, sm, r, count, err);
}

/* Launch by launch: the cycle simulator says in what order requests come, the profiler counts how many
 * other lines come between two uses of a line.  *out is to be freed by ws_profile_free. */
static enum ws_status profile(struct ws_profile **out, const struct ws_trace *t,
			      const struct ws_machine *m, struct ws_err *err)
{
	const struct ws_profile_options options = { .record = WS_RECORD_DEFAULT,
						    .order = WS_ORDER_CYCLES, .seed = 1 };
	const struct ws_order_options order = { .seed = 1 };
	struct ws_profiler *profiler = NULL;
	struct ws_orderer *orderer = NULL;
	enum ws_status status = ws_profiler_new(&profiler, m, &options, err);

	if (status == WS_OK)
		status = ws_orderer_new(&orderer, options.order, t, m, &order, err);
	for (size_t i = 0; i < ws_trace_launches(t) && status == WS_OK; i++) {
		const struct ws_sink sink = { .context = profiler, .requests = take };
		struct ws_order_stats stats;

		status = ws_profiler_launch(profiler, ws_trace_launch(t, i), err);
		if (status == WS_OK)
			status = ws_orderer_run(orderer, i, &sink, &stats, err);
		if (status == WS_OK)
			status = ws_profiler_end(profiler, &stats, err);
	}
	if (status == WS_OK)
		status = ws_profiler_finish(profiler, out, err);
	ws_orderer_free(orderer);
	ws_profiler_free(profiler);
	return status;
}

/* One profile answers for all sizes: ways are free, sets are those that were counted, which without a
 * list of one's own are a quarter of the machine's to four times as many.  Of the first kernel. */
static enum ws_status sweep(const struct ws_profile *p, struct ws_cache l1, struct ws_err *err)
{
	const uint64_t own = l1.sets;
	enum ws_status status = WS_OK;
	struct ws_prediction answer;

	puts("l1_bytes\tmiss_ratio");
	for (l1.sets = own / 4; l1.sets <= own * 4 && status == WS_OK; l1.sets *= 2) {
		l1.size_bytes = l1.sets * l1.ways * l1.line_bytes;
		status = ws_predict(p, 0, &l1, &answer, err);
		if (status == WS_OK)
			printf("%llu\t%.6f\n", (unsigned long long)l1.size_bytes,
			       ws_miss_ratio(&answer.kind[WS_KINDS], false));
	}
	return status;
}

int main(int argc, char **argv)
{
	const struct ws_capture_options options = { 0 };
	struct ws_program program = { 0 };
	struct ws_trace *trace = NULL;
	struct ws_profile *p = NULL;
	struct ws_machine m;
	struct ws_err err = { 0 };
	enum ws_status status = ws_machine_load(&m, "gtx480", &err);

	if (status == WS_OK)
		status = ws_program_read(&program, argc > 1 ? argv[1] : "-", &err);
	if (status == WS_OK)
		status = ws_capture_trace(&trace, &program, &options, &err);
	if (status == WS_OK)
		status = profile(&p, trace, &m, &err);
	if (status == WS_OK)
		status = sweep(p, m.l1, &err);
	if (status != WS_OK)
		fprintf(stderr, "sweep: %s\n", err.text);
	ws_profile_free(p);
	ws_trace_close(trace);
	ws_program_clear(&program);
	return ws_exit_code(status);
}
