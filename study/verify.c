/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/verify.c -- exact counts where the model has low confidence or there is none.
 *
 * The thread of the first row that needs the streams makes them; others wait.  They are kept as
 * long as the configurations' streams are the same.
 */
#include "study/private.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

struct ws_verify {
	const struct ws_study_options *options;
	const struct ws_trace *trace;
	const struct ws_study_plan *plan;
	uint64_t config, seed;	/* whose streams are wanted */
	pthread_mutex_t lock;	/* of what follows */
	bool made;		/* or failed, as err says */
	struct ws_streams *streams;
	size_t launches;
	struct ws_err err;
	uint64_t rows;		/* simulated, in all */
};

enum ws_status ws_verify_new(struct ws_verify **out, const struct ws_study_options *o,
			      const struct ws_trace *trace, const struct ws_study_plan *plan,
			      struct ws_err *err)
{
	struct ws_verify *v = ws_alloc_zero(1, sizeof *v);

	*out = v;
	if (!v)
		return ws_fail_memory(err, "what verifies");
	v->options = o;
	v->trace = trace;
	v->plan = plan;
	pthread_mutex_init(&v->lock, NULL);
	return WS_OK;
}

static void forget_streams(struct ws_verify *v)
{
	ws_streams_free(v->streams, v->launches);
	v->streams = NULL;
	v->launches = 0;
	v->made = false;
}

void ws_verify_free(struct ws_verify *v)
{
	if (!v)
		return;
	if (v->rows)
		ws_study_detail(v->options, "simulated %" PRIu64 " of the predictions", v->rows);
	forget_streams(v);
	pthread_mutex_destroy(&v->lock);
	free(v);
}

void ws_verify_turn(struct ws_verify *v, uint64_t config, uint64_t seed)
{
	if (seed != v->seed || ws_partition_group(&v->plan->streams, config) !=
				       ws_partition_group(&v->plan->streams, v->config))
		forget_streams(v);
	v->config = config;
	v->seed = seed;
}

static enum ws_status make_streams(struct ws_verify *v)
{
	struct ws_source source = { .options = v->options, .trace = v->trace, .seed = v->seed,
				     .order = ws_study_plan_order(v->plan, v->config) };
	enum ws_status status = ws_study_plan_anchor(v->plan, v->config, &source.machine, &v->err);

	if (status == WS_OK)
		status = ws_source_streams(&source, &v->streams, &v->launches, &v->err);
	v->made = true;
	v->err.status = status;
	return status;
}

enum ws_status ws_verify_kernel(struct ws_verify *v, const char *kernel,
				 const struct ws_cache *cache, struct ws_prediction *out,
				 struct ws_err *err)
{
	enum ws_status status;

	pthread_mutex_lock(&v->lock);
	status = v->made ? v->err.status : make_streams(v);
	v->rows++;
	pthread_mutex_unlock(&v->lock);
	if (status != WS_OK)
		return ws_fail(err, status, "%s", v->err.text);
	*out = (struct ws_prediction){ .basis = WS_SIMULATED };
	out->instructions = ws_streams_instructions(v->streams, v->launches, kernel);
	status = ws_simulate(v->streams, v->launches, kernel, cache, v->seed, out->kind, err);
	ws_prediction_close(out);
	return status;
}
