/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * foreign.c -- reads another tool's trace, profiles it once, and asks every replacement policy that
 * has a model for its miss ratio.
 *
 *	./foreign FILE
 *
 * FILE may be of any format that is known, packed or not; a trace without warps is one warp on one
 * SM.
 */
#include <warpstack/import.h>
#include <warpstack/model.h>

static enum ws_status read_trace(struct ws_trace **out, const char *path, struct ws_err *err)
{
	const struct ws_import_options options = { .arrays = true };
	struct ws_in in;
	enum ws_status status = ws_in_open(&in, path, err);

	*out = NULL;
	if (status != WS_OK)
		return status;
	status = ws_import_trace(out, &in, NULL, &options, err); /* NULL: by its first bytes */
	ws_in_close(&in);
	return status;
}

/* What the profile tells is prepared once for all of them. */
static enum ws_status ask(const struct ws_profile *p, struct ws_cache l1, struct ws_err *err)
{
	struct ws_model *answers;
	enum ws_status status = ws_model_new(&answers, p, err);

	if (status != WS_OK)
		return status;
	puts("policy\tmiss_ratio\tlow\thigh\tbasis");
	for (size_t i = 0; ws_policies[i] && status == WS_OK; i++) {
		struct ws_prediction a;

		/* A variant is another policy's with parameters; what can only be simulated has no
		 * model. */
		if (ws_policies[i]->variant || ws_policies[i]->basis == WS_SIMULATED)
			continue;
		snprintf(l1.policy, sizeof l1.policy, "%s", ws_policies[i]->name);
		status = ws_model_predict(answers, 0, &l1, &a, err);
		if (status == WS_OK)
			printf("%s\t%.6f\t%.6f\t%.6f\t%s\n", l1.policy,
			       ws_miss_ratio(&a.kind[WS_KINDS], false), a.low[WS_KINDS],
			       a.high[WS_KINDS], ws_basis_names[a.basis]);
	}
	ws_model_free(answers);
	return status;
}

int main(int argc, char **argv)
{
	const struct ws_profile_options options = { .record = WS_RECORD_DEFAULT, .seed = 1 };
	struct ws_trace *trace = NULL;
	struct ws_profile *p = NULL;
	struct ws_machine m;
	struct ws_err err = { 0 };
	enum ws_status status;

	if (argc != 2) {
		fputs("usage: foreign FILE\n", stderr);
		return 2;
	}
	status = ws_machine_load(&m, "gtx480", &err);
	if (status == WS_OK)
		status = read_trace(&trace, argv[1], &err);
	if (status == WS_OK)
		status = ws_profile_trace(&p, trace, &m, &options, &err);
	if (status == WS_OK && p->sections)
		status = ask(p, m.l1, &err);
	if (status != WS_OK)
		fprintf(stderr, "foreign: %s\n", err.text);
	ws_profile_free(p);
	ws_trace_close(trace);
	return ws_exit_code(status);
}
