/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/b-cycle.c -- the cycle simulator: warp memory instructions a second, on one SM and
 * on a whole GTX 480 (15 SMs, 12 slices of L2), in one thread; the whole one in two threads too.
 *
 * The kernels are those of data/kernel/, captured here.  The best of three runs counts: the
 * machine may have other work.
 */
#include <stdlib.h>

#include "tests/test.h"
#include "tests/validate/captured.h"
#include "validate/validate.h"

#define RUNS 3

static bool capture(struct ws_trace **out, const char *kernel, struct ws_err *err)
{
	char relative[64], *launch;
	bool good = false;

	snprintf(relative, sizeof relative, "kernel/%s.launch", kernel);
	launch = ws_data_path(relative);
	if (launch)
		good = captured(out, launch, err) == WS_OK;
	else
		fprintf(stderr, "b-cycle: no data/%s\n", relative);
	free(launch);
	return good;
}

static bool bench(const struct ws_trace *t, const char *kernel, const char *sms, unsigned threads,
		  struct ws_err *err)
{
	const struct ws_cycle_options options = { .seed = 1, .threads = threads };
	uint64_t instructions = 0, cycles = 0;
	struct ws_machine m;
	double best = 1e9;

	if (ws_machine_load(&m, "gtx480", err) || ws_machine_set(&m, sms, err) ||
	    ws_machine_check(&m, err))
		return false;
	for (int i = 0; i < RUNS; i++) {
		double start = ws_seconds(), took;
		struct ws_cycle_result *r;
		size_t launches;

		if (ws_cycles_run(&r, &launches, t, &m, &options, err))
			return false;
		took = ws_seconds() - start;
		best = took < best ? took : best;
		instructions = cycles = 0;
		for (size_t k = 0; k < launches; k++) {
			struct ws_core_stats sum;

			ws_cycle_sm(&r[k], &sum);
			instructions += sum.memory_instructions;
			cycles += r[k].cycles;
		}
		ws_cycle_results_free(r, launches);
	}
	printf("{\"bench\": \"cycle\", \"kernel\": \"%s\", \"machine\": \"gtx480 %s\", "
	       "\"run\": \"%u thread%s\", \"seconds\": %.3f, \"minstructions_per_s\": %.2f, "
	       "\"instructions\": %" PRIu64 ", \"cycles\": %" PRIu64 "}\n", kernel, sms, threads,
	       threads == 1 ? "" : "s", best, (double)instructions / best / 1e6, instructions,
	       cycles);
	fflush(stdout);
	return true;
}

int main(void)
{
	static const char *const kernels[] = { "mm-256", "stencil", "bfs" };

	setenv("WARPSTACK_DATA", "data", 0); /* as `make bench` is run */
	for (size_t i = 0; i < WS_COUNT(kernels) && ws_capture_load(NULL) == WS_OK; i++) {
		struct ws_err err = { 0 };
		struct ws_trace *t = NULL;
		bool good = capture(&t, kernels[i], &err) &&
			    bench(t, kernels[i], "sm.count=1", 1, &err) &&
			    bench(t, kernels[i], "sm.count=15", 1, &err) &&
			    bench(t, kernels[i], "sm.count=15", 2, &err);

		ws_trace_close(t);
		if (!good) {
			fprintf(stderr, "b-cycle: %s: %s\n", kernels[i], err.text);
			return 1;
		}
	}
	return 0;
}
