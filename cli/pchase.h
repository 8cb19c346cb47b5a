/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/pchase.h -- what the files of the command pchase share.
 */
#ifndef CLI_PCHASE_H
#define CLI_PCHASE_H

#include "cli/cli.h"
#include "validate/pchase.h"

struct pchase_options {
	struct cli_options common;
	double jitter, outliers, limit;
	uint64_t loads, array, stride, passes, base, page, platform, device;
	const char *like, *policies, *target, *cache;
	bool nearest;
};

struct chase_call;
struct chase_verb {
	const char *name;
	enum ws_status (*run)(struct chase_call *c, struct ws_err *err);
	bool measured;		/* takes any target */
};

struct chase_call {
	const struct chase_verb *verbs;
	struct cli_call *call;
	const struct pchase_options *o;
	struct ws_machine machine;
	struct ws_chase_target target;
	struct ws_chase found;
	double seconds;		/* that finding it took */
};

#define CLI_CHASE_TARGETS "machine cpu opencl cuda"

/* Whether the target is the machine. */
bool cli_chase_simulated(const struct chase_call *c);
/* c->target, as the options say. */
enum ws_status cli_chase_open(struct chase_call *c, struct ws_err *err) WS_MUST_CHECK;
/* What is to be said of the loads that it has answered. */
void cli_chase_tell(const struct chase_call *c);
/* c->found, of that target. */
enum ws_status cli_chase_infer(struct chase_call *c, struct ws_err *err) WS_MUST_CHECK;

/* The verbs that have files of their own. */
enum ws_status cli_chase_curve(struct chase_call *c, struct ws_err *err) WS_MUST_CHECK;
enum ws_status cli_chase_classic(struct chase_call *c, struct ws_err *err) WS_MUST_CHECK;
enum ws_status cli_chase_means(struct chase_call *c, struct ws_err *err) WS_MUST_CHECK;
enum ws_status cli_chase_map(struct chase_call *c, struct ws_err *err) WS_MUST_CHECK;
enum ws_status cli_chase_structure(struct chase_call *c, struct ws_err *err) WS_MUST_CHECK;
enum ws_status cli_chase_spectrum(struct chase_call *c, struct ws_err *err) WS_MUST_CHECK;
enum ws_status cli_chase_report(struct chase_call *c, struct ws_err *err) WS_MUST_CHECK;
enum ws_status cli_chase_banks(struct chase_call *c, struct ws_err *err) WS_MUST_CHECK;

#endif
