/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mpi/question.c -- a job: which command in how many parts, and a hash of all that results depend
 * on: the version, the command line, and the content of every file that the command reads.
 */
#include "mpi/mpi.h"

#include "cli/hardware.h"
#include "trace/capture.h"
#include "trace/import.h"

#include <string.h>
#include <sys/stat.h>

#define PARTS_A_RANK 16u	/* so that ranks end together, though parts differ */

/* ---- what is read ------------------------------------------------------------------ */

static enum ws_status hash_file(void *context, const char *path, struct ws_err *err)
{
	uint64_t *h = context;
	struct ws_in in = { 0 };
	struct stat st;
	enum ws_status status;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return WS_OK; /* the parts say what is wrong with it */
	status = ws_in_open(&in, path, err);
	if (status == WS_OK) {
		*h = mpi_hash(*h, path, strlen(path) + 1);
		*h = mpi_hash(*h, in.data, in.len);
	}
	ws_in_close(&in);
	return status;
}

static enum ws_status visit_set(struct cli_call *call, struct ws_err *err)
{
	struct ws_data_set set = { 0 };
	enum ws_status status = ws_data_set_open(&set, call->operands.item[0], err);

	if (status == WS_OK)
		status = cli_hardware_reads(call, &set, NULL, err);
	ws_data_set_close(&set);
	return status;
}

/* What is wrong with it the parts say. */
static size_t launches_of(struct ws_in *in)
{
	struct ws_trace *t = NULL;
	struct ws_err ignored = { 0 };
	size_t launches = 0;

	if (ws_trace_open_in(&t, in, &ignored) == WS_OK)
		launches = ws_trace_launches(t);
	ws_trace_close(t);
	return launches;
}

/* The files that a launch file or a list of traces names; how many launches there are. */
static enum ws_status visit_input(struct mpi_job *job, size_t operand, struct ws_err *err)
{
	struct cli_call *call = &job->call;
	const struct ws_trace_format *format = NULL;
	struct ws_program program = { 0 };
	struct ws_in in = { 0 };
	enum ws_status status = cli_input_bytes(&in, call, operand, err);
	bool ours = status == WS_OK && (ws_trace_recognise(in.data, in.len) ||
					ws_profile_recognise(in.data, in.len));

	if (status == WS_OK && !ours)
		status = cli_foreign_find(&format, call, &in, err);
	if (status == WS_OK && format)
		status = cli_import_reads(call, format, &in, err);
	else if (status == WS_OK && !ours && cli_is_text(&in))
		status = cli_launch_parse(&program, call, &in, err);
	job->launches = program.launches;
	if (status == WS_OK && format)
		job->launches = WS_PARTS_MAX; /* not known before it is converted */
	if (status == WS_OK && job->profile && ws_trace_recognise(in.data, in.len))
		job->launches = launches_of(&in);
	ws_program_clear(&program);
	ws_in_close(&in);
	return status;
}

/* Each rank reads the operands. */
static enum ws_status check_options(const struct cli_call *call, struct ws_err *err)
{
	const struct ws_list *o = &call->operands;
	const struct cli_launches *launches = (const void *)call->options;

	if (strcmp(call->command->name, "validate") == 0 && launches->state)
		return ws_fail(err, WS_EINVAL, "--state=%s: want --checkpoint, before the command, "
			       "which keeps the results of all ranks", launches->state);
	for (size_t i = 0; i < o->count; i++)
		if (strcmp(o->item[i], "-") == 0)
			return ws_fail(err, WS_EINVAL, "ranks cannot share standard input: "
				       "want FILE");
	return o->count ? WS_OK
			: ws_fail(err, WS_EINVAL, "want FILE: ranks cannot share standard "
				  "input");
}

/* Rows that follow one after the other can be in files of their own. */
static enum ws_status check_files(const struct mpi_job *job, struct ws_err *err)
{
	if (!job->options->files)
		return WS_OK;
	if (strcmp(job->call.command->name, "sweep") != 0)
		return ws_fail(err, WS_EINVAL, "--files: want sweep, whose parts stand one after "
			       "the other");
	if (job->call.options->output)
		return ws_fail(err, WS_EINVAL, "--files and --output: want one of them");
	return mpi_files_check(job->options, err);
}

/* ---- parts --------------------------------------------------------------------------- */

/* About as many as configurations, at most. */
static uint64_t count_configurations(const struct cli_call *call)
{
	uint64_t count = 1;

	for (size_t i = 0; i < call->options->vary.count; i++) {
		struct ws_vary v = { 0 };
		struct ws_err ignored = { 0 };
		uint64_t values = 1;

		if (ws_vary_parse(&v, call->options->vary.item[i], &ignored) == WS_OK && v.count)
			values = v.count;
		for (const char *c = call->options->vary.item[i]; !v.count && *c; c++)
			values += *c == ',';
		if (strstr(call->options->vary.item[i], "policy="))
			values = values > 16 ? values : 16; /* all */
		count = count > WS_PARTS_MAX / values ? WS_PARTS_MAX : count * values;
		ws_vary_clear(&v);
	}
	return count;
}

/* At most, of a profile: how it is split is decided where a part is run (study/split.c), and those
 * that are too many have nothing to do.  A rate that is still to be chosen is one for all. */
static enum ws_status most_of_profile(struct mpi_job *job, uint64_t *most,
				      struct ws_err *err)
{
	struct ws_machine m;
	enum ws_status status = cli_machine(&job->call, &m, err);

	*most = status == WS_OK ? ws_l1s(&m) : 0;
	if (job->launches > *most)
		*most = job->launches;
	if (job->call.options->sample < 0)
		*most = 1;
	return status;
}

static enum ws_status choose_parts(struct mpi_job *job, int ranks, struct ws_err *err)
{
	uint64_t wanted = job->options->parts ? job->options->parts
					      : PARTS_A_RANK * (uint64_t)ranks;
	const char *name = job->call.command->name;
	uint64_t most = WS_PARTS_MAX;
	enum ws_status status = WS_OK;

	if (job->profile) {
		status = most_of_profile(job, &most, err);
		/* Each part may have to order the requests of all SMs. */
		wanted = job->options->parts ? wanted : (uint64_t)ranks;
	} else if (strcmp(name, "validate") != 0) {
		most = count_configurations(&job->call);
	}
	job->parts = wanted < most ? wanted : most;
	return status;
}

/* ---- a job ----------------------------------------------------------------------------- */

static enum ws_status hash_question(struct mpi_job *job, struct ws_err *err)
{
	struct cli_call *call = &job->call;
	enum ws_status status = WS_OK;

	job->question = mpi_hash(job->question, WS_VERSION, sizeof WS_VERSION);
	if (job->options->files) /* then a checkpoint has no rows */
		job->question = mpi_hash(job->question, "files", sizeof "files");
	for (int i = 0; i < call->argc; i++)
		job->question = mpi_hash(job->question, call->argv[i], strlen(call->argv[i]) + 1);
	if (strcmp(call->command->name, "validate") == 0)
		return visit_set(call, err);
	for (size_t i = 0; i < call->operands.count && status == WS_OK; i++)
		status = visit_input(job, i, err);
	return status;
}

enum ws_status mpi_job_begin(struct mpi_job *job, const struct mpi_options *o, int ranks,
			     struct ws_err *err)
{
	static const char *const commands[] = { "profile", "sweep", "crosscheck", "validate" };
	const char *name = o->argc > 1 ? o->argv[1] : NULL;
	bool known = false;
	enum ws_status status;

	*job = (struct mpi_job){ .options = o, .question = MPI_HASH };
	job->call.visit = hash_file;
	job->call.visitor = &job->question;
	for (size_t i = 0; i < WS_COUNT(commands); i++)
		known = known || (name && strcmp(name, commands[i]) == 0);
	if (!known)
		return ws_fail(err, WS_EINVAL, "%s%.64s%s: want profile, sweep, crosscheck or "
			       "validate; others run on one processor, as `warpstack`",
			       name ? "'" : "no command", name ? name : "", name ? "'" : "");
	job->profile = strcmp(name, "profile") == 0;
	job->follows = strcmp(name, "crosscheck") == 0 || strcmp(name, "validate") == 0;
	status = cli_begin(&job->call, NULL, o->argc, o->argv, err);
	if (status != WS_OK || job->call.options->help || job->call.options->usage)
		return status;
	status = check_options(&job->call, err);
	if (status == WS_OK)
		status = check_files(job, err);
	if (status == WS_OK)
		status = hash_question(job, err);
	return status == WS_OK ? choose_parts(job, ranks, err) : status;
}

void mpi_job_end(struct mpi_job *job)
{
	cli_end(&job->call);
}
