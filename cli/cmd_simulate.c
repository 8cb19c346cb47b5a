/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_simulate.c -- exact counts of a simulated L1.
 */
#include "cli/cli.h"

#include <stdlib.h>

static const struct ws_option table[] = {
	CLI_OPT_MACHINE, CLI_OPT_SET, CLI_OPT_VARY, CLI_OPT_PER, CLI_OPT_RUNS, CLI_OPT_SEED,
	CLI_OPT_THREADS, CLI_OPT_FROM, { 0 },
};

struct simulation {
	struct cli_call *call;
	struct cli_input input;
	struct cli_plan plan;
	struct cli_rows rows;
	struct ws_streams *streams;
	size_t launches;
	uint64_t seed;		/* of the run at hand */
};

static enum ws_status prepare(void *context, uint64_t group, uint64_t run, struct ws_err *err)
{
	struct simulation *s = context;
	uint64_t first = cli_plan_member(&s->plan, WS_STAGE_ORDER, group, 0);
	struct cli_source source = {
		.call = s->call, .trace = s->input.trace, .seed = s->call->seed + run,
	};
	enum ws_status status = cli_plan_stream(&s->plan, first, &source.machine, err);

	if (status != WS_OK)
		return status;
	ws_streams_free(s->streams, s->launches);
	s->streams = NULL;
	s->launches = 0;
	s->seed = source.seed;
	return cli_streams_make(&source, &s->streams, &s->launches, err);
}

static enum ws_status compute(void *context, uint64_t config, const struct ws_machine *m,
			      void *result, struct ws_err *err)
{
	const struct simulation *s = context;
	struct ws_prediction *p = result;
	enum ws_status status = WS_OK;

	(void)config;
	for (size_t k = 0; k < s->rows.kernels.count && status == WS_OK; k++) {
		p[k].basis = WS_SIMULATED;
		status = ws_simulate(s->streams, s->launches, s->rows.kernels.name[k], &m->l1,
				     s->seed, p[k].kind, err);
		ws_prediction_close(&p[k]);
	}
	return status;
}

static enum ws_status print(void *context, uint64_t config, const struct ws_machine *m,
			    const void *result, struct ws_err *err)
{
	struct simulation *s = context;

	return cli_rows_print(&s->rows, config, m, result, err);
}

static enum ws_status work(struct simulation *s, struct ws_err *err)
{
	uint64_t runs = s->call->options->runs;
	struct cli_engine engine = {
		.call = s->call, .plan = &s->plan, .depth = WS_STAGE_ORDER, .runs = runs ? runs : 1,
		.context = s, .prepare = prepare, .compute = compute, .print = print,
	};
	enum ws_status status = cli_kernels_find(&s->rows.kernels, &s->input, err);

	if (status != WS_OK)
		return status;
	engine.size = s->rows.kernels.count * sizeof(struct ws_prediction);
	s->rows.call = s->call;
	s->rows.plan = &s->plan;
	s->rows.runs = engine.runs;
	s->rows.spread = runs != 0;
	s->rows.each = true;
	return cli_engine_run(&engine, err);
}

static enum ws_status run(struct cli_call *call, struct ws_err *err)
{
	struct simulation s = { .call = call };
	enum ws_status status = cli_input_open(&s.input, call, 0, CLI_TRACE, err);

	if (status == WS_OK)
		status = cli_plan_init(&s.plan, call, NULL, err);
	if (status == WS_OK)
		status = work(&s, err);
	status = cli_rows_end(&s.rows, status, err);
	ws_streams_free(s.streams, s.launches);
	cli_plan_clear(&s.plan);
	cli_input_close(&s.input);
	return status;
}

const struct cli_command cli_cmd_simulate = {
	.name = "simulate",
	.summary = "miss rates of one machine, by simulating its L1",
	.usage = "[options] [FILE]",
	.description =
		"Reads a trace or a launch file, orders its requests as the machine would, and "
		"runs "
		"them through a simulated L1 on each SM.  The columns are those of `warpstack "
		"predict`, with basis simulated; with --vary, the varied keys come first.\n"
		"\n"
		"The request stream is that of the machine's own l1.line; for another it is cut or "
		"merged as for the model.\n"
		"\n"
		"Every policy of `warpstack policies` can be simulated; what it draws at random "
		"follows from --seed.\n"
		"\n"
		"The simulation is functional: tags, replacement, sectors and write policy, but "
		"neither time nor MSHRs, so pending is 0.  It keeps the request streams in "
		"memory, 32 "
		"bytes a request.",
	.examples =
		"warpstack simulate mm.wst -m gtx480\n"
		"warpstack simulate mm.wst --set l1.hash=xor\n"
		"warpstack simulate mm.wst --vary l1.policy=lru,srrip:2,fp,opt\n"
		"warpstack simulate data/kernel/mm-16x8.launch --vary l1.size=16K,64K",
	.table = { table, cli_report, cli_general },
	.size = sizeof(struct cli_options),
	.operands_max = 1,
	.complete = "file",
	.run = run,
};
