/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mpi/main.c -- warpstack-mpi: its own options stand before the command.
 */
#include "mpi/mpi.h"

#include <mpi.h>
#include <string.h>

static const char usage[] =
	"usage: mpirun warpstack-mpi [options] profile|sweep|crosscheck|validate ...\n"
	"\n"
	"Runs a command of warpstack in parts, on all ranks, and writes the same bytes.\n"
	"\n"
	"  --checkpoint FILE  keeps the results of parts that are done there\n"
	"  --resume           goes on with that file, if it is there\n"
	"  --parts N          how many; by the number of ranks if left out\n"
	"  --files DIR        of sweep: each part is a file there, written by its rank\n"
	"  --help, --version\n"
	"\n"
	"All else is the command's: warpstack COMMAND --help.  Each rank reads FILE itself.\n"
	"A profile is split by launch or by SM, whichever balances better; -v says which.\n"
	"A rank that is killed ends the job, as MPI has it: --resume goes on.\n";

/* The value of "--name VALUE" or "--name=VALUE" at *i; NULL: it is not that. */
static const char *value_of(const char *name, int argc, char **argv, int *i)
{
	size_t len = strlen(name);

	if (strncmp(argv[*i], name, len) != 0)
		return NULL;
	if (argv[*i][len] == '=')
		return argv[*i] + len + 1;
	return argv[*i][len] || *i + 1 >= argc ? NULL : argv[++*i];
}

/* What stands before the command. */
static enum ws_status parse_own(struct mpi_options *o, int argc, char **argv, const char **say,
				struct ws_err *err)
{
	const char *value;
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "--resume") == 0) {
			o->resume = true;
		} else if ((value = value_of("--checkpoint", argc, argv, &i)) && *value) {
			o->checkpoint = value;
		} else if ((value = value_of("--files", argc, argv, &i)) && *value) {
			o->files = value;
		} else if ((value = value_of("--parts", argc, argv, &i))) {
			if (!ws_parse_u64(value, &o->parts) || !o->parts ||
			    o->parts > WS_PARTS_MAX)
				return ws_fail(err, WS_EINVAL, "--parts=%.64s: want 1..%u", value,
					       WS_PARTS_MAX);
		} else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "--version") == 0) {
			*say = argv[i][2] == 'h' ? usage : "warpstack-mpi " WS_VERSION "\n";
			return WS_OK;
		} else {
			return ws_fail(err, WS_EINVAL, "option '%.64s' before the command: want "
				       "--checkpoint FILE, --resume, --parts N or --files DIR",
				       argv[i]);
		}
	}
	o->argc = argc - i + 1;
	o->argv = argv + i - 1;
	if (o->resume && !o->checkpoint)
		return ws_fail(err, WS_EINVAL, "--resume: want --checkpoint FILE too");
	return WS_OK;
}

/* Rank 0 alone prints messages. */
static int run_rank(const struct mpi_options *o, struct mpi_worker *w, const char *say,
		    enum ws_status status, const struct ws_err *err)
{
	int rank = 0, ranks = 1, code = 0;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (status != WS_OK || say) {
		if (rank == 0 && say)
			fputs(say, stdout);
		else if (rank == 0)
			cli_complain_of(err);
		return rank == 0 ? ws_exit_code(status) : 0;
	}
	if (rank == 0)
		code = mpi_farm_lead(o, w, ranks);
	else
		mpi_farm_serve(w);
	mpi_farm_stopped();
	return code;
}

int main(int argc, char **argv)
{
	struct mpi_options o = { 0 };
	struct mpi_worker w = { 0 };
	struct ws_err err = { 0 };
	const char *say = NULL;
	int code;
	enum ws_status status = parse_own(&o, argc, argv, &say, &err);

	if (status == WS_OK && !say)
		status = mpi_worker_new(&w, &o, &err);
	MPI_Init(NULL, NULL);
	code = run_rank(&o, &w, say, status, &err);
	mpi_worker_end(&w);
	if (fclose(stdout) && !code)
		code = 4;
	MPI_Finalize();
	return code;
}
