/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mpi/mpi.h -- warpstack-mpi: a command in parts, on the ranks of an MPI job.
 *
 * Rank 0 hands parts out as ranks become idle, and puts their results in order.  Each rank, 0 too,
 * has a worker beside it, a process without MPI that runs every part in a child of its own: a part
 * that crashes or runs out of memory ends that child alone.  A result is what the part wrote to
 * standard output and standard error, and its notes (struct cli_part).
 *
 *   main.c      options, the beginning and the end of MPI, the exit code
 *   worker.c    the process that runs parts
 *   farm.c      parts to ranks, results to rank 0
 *   store.c     results that came before their turn, or are kept in a checkpoint
 *   question.c  a hash of all that results depend on; the number of parts
 *   gather.c    results in order become the output
 */
#ifndef WS_MPI_H
#define WS_MPI_H

#include "cli/cli.h"

#include <sys/types.h>

struct mpi_options {
	const char *checkpoint;	/* NULL: none */
	bool resume;
	uint64_t parts;		/* 0: chosen */
	const char *files;	/* a folder for the parts' output; NULL: rank 0 writes it */
	int argc;		/* of the command, as of main */
	char **argv;
};

/* ---- results (worker.c) --------------------------------------------------------- */

enum { MPI_OUTPUT, MPI_MESSAGES, MPI_NOTES, MPI_STREAMS };

struct mpi_result {
	uint64_t part;		/* 1..parts, or parts + 1: what follows them */
	uint64_t end;		/* of the child, as of waitpid */
	struct ws_buf stream[MPI_STREAMS];
};
void mpi_result_clear(struct mpi_result *r);
/* It came to an end, whatever the answer. */
bool mpi_result_good(const struct mpi_result *r);

/* With --files (files.c).  Moves the output of a result that is good into the part's file, which is
 * there whole or not at all; nothing without --files. */
enum ws_status mpi_files_put(const struct mpi_options *o, uint64_t parts, struct mpi_result *r,
			     struct ws_err *err) WS_MUST_CHECK;
/* WS_EINVAL: there is no such folder, or it has parts already and nothing goes on. */
enum ws_status mpi_files_check(const struct mpi_options *o, struct ws_err *err) WS_MUST_CHECK;
/* Is the part's file there?  Yes without --files. */
bool mpi_files_has(const struct mpi_options *o, uint64_t parts, uint64_t part);

struct mpi_worker {
	int to, from;		/* pipes */
	int stream[MPI_STREAMS]; /* files in memory */
	pid_t pid;
	uint64_t part, parts;	/* that it runs, of how many; 0: none */
	const struct mpi_options *options;
};

/* Before MPI begins, as it forks. */
enum ws_status mpi_worker_new(struct mpi_worker *w, const struct mpi_options *o,
			      struct ws_err *err) WS_MUST_CHECK;
/* notes: of all parts, for what follows them; NULL. */
enum ws_status mpi_worker_start(struct mpi_worker *w, const struct cli_part *part,
				const struct ws_buf *notes, struct ws_err *err) WS_MUST_CHECK;
/* Waits so many milliseconds at most; has it ended?  Then *r is its result, the output of which may
 * be in its file. */
enum ws_status mpi_worker_poll(struct mpi_worker *w, int milliseconds, struct mpi_result *r,
			       bool *ended, struct ws_err *err) WS_MUST_CHECK;
void mpi_worker_end(struct mpi_worker *w);

/* ---- the job ---------------------------------------------------------------------- */

struct mpi_job {		/* of rank 0 */
	const struct mpi_options *options;
	struct cli_call call;
	uint64_t question;	/* hash */
	uint64_t parts;
	bool follows;		/* something follows the parts */
	bool profile;		/* parts are added up, not put one after another */
	uint64_t launches;	/* of a trace; WS_PARTS_MAX: not known */
};

/* Parses the command, reads what it depends on, chooses the number of parts. */
enum ws_status mpi_job_begin(struct mpi_job *job, const struct mpi_options *o, int ranks,
			     struct ws_err *err) WS_MUST_CHECK;
void mpi_job_end(struct mpi_job *job);

/* ---- a store (store.c) -------------------------------------------------------------- */

struct mpi_place;
struct mpi_store {
	int fd;
	const char *path;	/* NULL: no checkpoint */
	uint64_t parts, end;
	struct mpi_place *place; /* by part */
	uint64_t resumed;	/* parts that were there */
};

/* A checkpoint decides the number of parts: *parts. */
enum ws_status mpi_store_open(struct mpi_store *s, const struct mpi_options *o, uint64_t question,
			      uint64_t *parts, struct ws_err *err) WS_MUST_CHECK;
enum ws_status mpi_store_put(struct mpi_store *s, const struct mpi_result *r,
			     struct ws_err *err) WS_MUST_CHECK;
bool mpi_store_has(const struct mpi_store *s, uint64_t part);
/* The part, which a checkpoint had, is to be run again. */
void mpi_store_forget(struct mpi_store *s, uint64_t part);
enum ws_status mpi_store_get(const struct mpi_store *s, uint64_t part, struct mpi_result *r,
			     struct ws_err *err) WS_MUST_CHECK;
void mpi_store_close(struct mpi_store *s);
uint64_t mpi_hash(uint64_t h, const void *data, size_t len); /* h: MPI_HASH at first */
#define MPI_HASH UINT64_C(0xcbf29ce484222325)

/* ---- the output (gather.c) ------------------------------------------------------------ */

struct mpi_gather {
	struct mpi_job *job;
	struct ws_out out;
	struct ws_profile *sum;
	struct ws_buf notes;	/* of all parts */
	struct ws_buf said;	/* messages, each once */
	int code;		/* the exit code */
};

enum ws_status mpi_gather_begin(struct mpi_gather *g, struct mpi_job *job,
				struct ws_err *err) WS_MUST_CHECK;
/* The next part, in order. */
enum ws_status mpi_gather_add(struct mpi_gather *g, struct mpi_result *r,
			      struct ws_err *err) WS_MUST_CHECK;
/* Writes messages that were not written yet. */
void mpi_gather_say(struct mpi_gather *g, const struct ws_buf *messages);
/* status of the work: the output is there only if it is WS_OK. */
enum ws_status mpi_gather_end(struct mpi_gather *g, enum ws_status status,
			      struct ws_err *err) WS_MUST_CHECK;

/* ---- ranks (farm.c) --------------------------------------------------------------------- */

/* Rank 0: runs the job; the exit code.  Other ranks are told to stop in any case. */
int mpi_farm_lead(const struct mpi_options *o, struct mpi_worker *w, int ranks);
/* The others: until they are told to stop. */
void mpi_farm_serve(struct mpi_worker *w);
/* All ranks, when they have stopped. */
void mpi_farm_stopped(void);

#endif
