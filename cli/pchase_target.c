/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/pchase_target.c -- what pchase asks, as the options say, and the inference of it.
 */
#include "cli/pchase.h"

#include <inttypes.h>
#include <string.h>

bool cli_chase_simulated(const struct chase_call *c)
{
	return !c->o->target || strcmp(c->o->target, "machine") == 0;
}

static enum ws_status open_machine(struct chase_call *c, struct ws_err *err)
{
	struct ws_chase_noise noise = {
		.jitter = c->o->jitter, .outliers = c->o->outliers, .seed = c->call->seed,
	};

	return ws_chase_machine(&c->target, &c->machine, &noise, err);
}

static enum ws_status open_cpu(struct chase_call *c, struct ws_err *err)
{
	const char *cache = c->o->cache ? c->o->cache : "l1";
	struct ws_chase_cpu options = {
		.level = strcmp(cache, "l2") == 0 ? 2 : 1, .seed = c->call->seed,
	};

	if (strcmp(cache, "readonly") == 0)
		return ws_fail(err, WS_EINVAL, "--cache readonly is of a GPU: want l1 or l2");
	return ws_chase_cpu(&c->target, &options, err);
}

static enum ws_status open_opencl(struct chase_call *c, struct ws_err *err)
{
	struct ws_chase_opencl options = {
		.platform = (unsigned)c->o->platform, .device = (unsigned)c->o->device,
		.seed = c->call->seed,
	};

	return ws_chase_opencl(&c->target, &options, err);
}

static enum ws_status open_cuda(struct chase_call *c, struct ws_err *err)
{
	const char *cache = c->o->cache ? c->o->cache : "l1";
	struct ws_chase_cuda options = {
		.device = (unsigned)c->o->device,
		.how = strcmp(cache, "l2") == 0 ? WS_CHASE_PAST_L1 :
			strcmp(cache, "readonly") == 0 ? WS_CHASE_READ_ONLY : WS_CHASE_L1,
	};

	return ws_chase_cuda(&c->target, &options, err);
}

static const struct {
	const char *name;
	enum ws_status (*open)(struct chase_call *c, struct ws_err *err);
} targets[] = {
	{ "machine", open_machine }, { "cpu", open_cpu }, { "opencl", open_opencl },
	{ "cuda", open_cuda },
};

enum ws_status cli_chase_open(struct chase_call *c, struct ws_err *err)
{
	size_t i = 0;
	enum ws_status status;

	while (c->o->target && strcmp(targets[i].name, c->o->target) != 0)
		i++;
	status = targets[i].open(c, err);
	if (status == WS_OK && c->target.note[0])
		cli_note(c->call, "%s", c->target.note);
	return status;
}

void cli_chase_tell(const struct chase_call *c)
{
	char note[WS_CHASE_NOTE] = "";

	if (c->target.tell)
		c->target.tell(c->target.state, note, sizeof note);
	if (note[0])
		cli_note(c->call, "%s", note);
}

enum ws_status cli_chase_infer(struct chase_call *c, struct ws_err *err)
{
	struct ws_chase_options options = { .seed = c->call->seed, .loads = c->o->loads,
					    .seconds = c->o->limit };
	double begin = ws_seconds();
	enum ws_status status = cli_chase_open(c, err);

	if (status == WS_OK)
		status = ws_chase_infer(&c->found, &c->target, &options, err);
	c->seconds = ws_seconds() - begin;
	cli_chase_tell(c);
	if (status == WS_OK && c->found.exhausted)
		cli_note(c->call, "%" PRIu64 " loads did not suffice: what is not determined wants "
			 "more (--loads%s)", c->found.loads, c->o->limit > 0 ? ", --seconds" : "");
	return status;
}
