/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mpi/farm.c -- rank 0 hands parts out to ranks that are idle, itself among them.
 *
 * Ranks poll and sleep: MPI's blocking receive would keep a processor busy that parts could use.
 */
#include "mpi/mpi.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ATTEMPTS 3u	/* of a part whose child was killed, or had no memory or disk */
#define NAP 1		/* ms */
#define PROGRESS 10.0	/* s between lines of progress */
#define PIECE (1u << 30) /* of a message: MPI counts in int */

enum { TAG_TASK, TAG_RESULT, TAG_BYTES };

struct mpi_task {		/* 0: stop */
	uint64_t part, parts, threads;
};

struct mpi_head {		/* of a result; part 0: the rank is there */
	uint64_t part, end, len[MPI_STREAMS];
};

/* ---- messages ------------------------------------------------------------------------- */

static void send_result(const struct mpi_result *r)
{
	struct mpi_head h = { .part = r->part, .end = r->end };

	for (unsigned i = 0; i < MPI_STREAMS; i++)
		h.len[i] = r->stream[i].len;
	MPI_Send(&h, (int)(sizeof h / sizeof(uint64_t)), MPI_UINT64_T, 0, TAG_RESULT,
		 MPI_COMM_WORLD);
	for (unsigned i = 0; i < MPI_STREAMS; i++)
		for (uint64_t at = 0; at < h.len[i]; at += PIECE)
			MPI_Send(r->stream[i].data + at,
				 (int)(h.len[i] - at < PIECE ? h.len[i] - at : PIECE), MPI_BYTE, 0,
				 TAG_BYTES, MPI_COMM_WORLD);
}

/* A message of that tag is there, from *rank. */
static bool arrived(int tag, int *rank)
{
	MPI_Status s;
	int flag = 0;

	MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &flag, &s);
	if (flag)
		*rank = s.MPI_SOURCE;
	return flag;
}

static enum ws_status receive_result(int rank, struct mpi_result *r, struct ws_err *err)
{
	struct mpi_head h;

	MPI_Recv(&h, (int)(sizeof h / sizeof(uint64_t)), MPI_UINT64_T, rank, TAG_RESULT,
		 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	*r = (struct mpi_result){ .part = h.part, .end = h.end };
	for (unsigned i = 0; i < MPI_STREAMS; i++) {
		struct ws_buf *to = &r->stream[i];

		to->data = ws_alloc((size_t)h.len[i] + 1, 1);
		if (!to->data)
			return ws_fail_memory(err, "a part's output");
		to->cap = (size_t)h.len[i] + 1;
		to->len = (size_t)h.len[i];
		for (uint64_t at = 0; at < h.len[i]; at += PIECE)
			MPI_Recv(to->data + at,
				 (int)(h.len[i] - at < PIECE ? h.len[i] - at : PIECE), MPI_BYTE,
				 rank, TAG_BYTES, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	return WS_OK;
}

/* Processors of this node for each of its ranks, if they are not bound to theirs. */
static unsigned threads_here(void)
{
	long all = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned mine = ws_threads(0);
	MPI_Comm node;
	int here = 1;

	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
	MPI_Comm_size(node, &here);
	MPI_Comm_free(&node);
	if ((long)mine < all)
		return mine;
	return mine / (unsigned)here ? mine / (unsigned)here : 1;
}

/* ---- ranks other than 0 ------------------------------------------------------------------ */

static void nap(void)
{
	const struct timespec t = { .tv_nsec = NAP * 1000000 };

	nanosleep(&t, NULL);
}

/* A result that says what went wrong here. */
static void fail_part(uint64_t part, const struct ws_err *err)
{
	struct mpi_result r = { .part = part, .end = 4 << 8 };
	struct ws_buf *said = &r.stream[MPI_MESSAGES];

	ws_put_bytes(said, "warpstack: ", 11);
	ws_put_bytes(said, err->text, strlen(err->text));
	ws_put_u8(said, '\n');
	send_result(&r);
	mpi_result_clear(&r);
}

/* The one message that may arrive meanwhile is to stop. */
static void serve_part(struct mpi_worker *w, const struct mpi_task *task, unsigned threads)
{
	const struct cli_part part = { .part = task->part, .parts = task->parts,
				       .threads = threads };
	struct mpi_result r = { .part = 0 };
	struct ws_err err = { 0 };
	bool ended = false;
	int rank;
	enum ws_status status = mpi_worker_start(w, &part, NULL, &err);

	while (status == WS_OK && !ended && !arrived(TAG_TASK, &rank))
		status = mpi_worker_poll(w, 5 * NAP, &r, &ended, &err);
	if (status != WS_OK)
		fail_part(task->part, &err);
	else if (ended)
		send_result(&r);
	mpi_result_clear(&r);
}

void mpi_farm_serve(struct mpi_worker *w)
{
	const struct mpi_result there = { .part = 0 };
	unsigned threads = threads_here();
	struct mpi_task task = { 0 };
	int rank;

	send_result(&there);
	do {
		while (!arrived(TAG_TASK, &rank))
			nap();
		MPI_Recv(&task, (int)(sizeof task / sizeof(uint64_t)), MPI_UINT64_T, 0, TAG_TASK,
			 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (task.part)
			serve_part(w, &task, threads);
	} while (task.part);
}

/* ---- rank 0 -------------------------------------------------------------------------------- */

struct mpi_lead {
	struct mpi_job job;
	struct mpi_store store;
	struct mpi_gather gather;
	struct mpi_worker *worker; /* its own */
	int ranks;
	unsigned threads;
	bool *idle;		/* by rank */
	uint8_t *state;		/* by part: attempts so far, and: */
	uint64_t next;		/* the first that may not be handed out yet */
	uint64_t again;		/* parts that failed and wait */
	uint64_t given;		/* parts whose results are in the output */
	uint64_t done;		/* whose results are there */
	double start, told;
	int code;		/* of a part that failed for good */
};

#define STATE_OUT 0x40u		/* somebody runs it */
#define STATE_TRIES 0x3fu

/* The next part that nobody has; 0: none. */
static uint64_t take_part(struct mpi_lead *l)
{
	for (uint64_t k = 1; l->again && k < l->next; k++) {
		if (!(l->state[k - 1] & STATE_OUT) && !mpi_store_has(&l->store, k)) {
			l->again--;
			return k;
		}
	}
	while (l->next <= l->job.parts && mpi_store_has(&l->store, l->next))
		l->next++;
	return l->next <= l->job.parts ? l->next++ : 0;
}

static enum ws_status hand_out(struct mpi_lead *l, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (int r = l->ranks - 1; r >= 0 && status == WS_OK; r--) {
		uint64_t k = l->idle[r] ? take_part(l) : 0;
		const struct mpi_task task = { k, l->job.parts, 0 };
		const struct cli_part part = { .part = k, .parts = l->job.parts,
					       .threads = l->threads };

		if (!k)
			continue;
		l->idle[r] = false;
		l->state[k - 1] = (uint8_t)((l->state[k - 1] + 1) | STATE_OUT);
		if (r) {
			MPI_Send(&task, (int)(sizeof task / sizeof(uint64_t)), MPI_UINT64_T, r,
				 TAG_TASK, MPI_COMM_WORLD);
		} else {
			status = mpi_worker_start(l->worker, &part, NULL, err);
		}
	}
	return status;
}

static void tell_progress(struct mpi_lead *l)
{
	double now = ws_seconds();
	uint64_t fresh = l->done - l->store.resumed;

	if (l->job.call.options->quiet || now - l->told < PROGRESS)
		return;
	l->told = now;
	fprintf(stderr, "warpstack: %" PRIu64 " of %" PRIu64 " parts on %d ranks", l->done,
		l->job.parts, l->ranks);
	if (fresh)
		fprintf(stderr, ", %.0f s left",
			(now - l->start) / (double)fresh * (double)(l->job.parts - l->done));
	fputc('\n', stderr);
}

static const char *how_it_ended(int end, char text[64])
{
	if (WIFSIGNALED(end))
		snprintf(text, 64, "killed by signal %d (%s)", WTERMSIG(end),
			 strsignal(WTERMSIG(end)));
	else
		snprintf(text, 64, "exit code %d", WEXITSTATUS(end));
	return text;
}

/* An error of the command fails every part: it is printed once, and all stop.  An error of a node
 * does not: an idle rank takes the part. */
static void part_failed(struct mpi_lead *l, int rank, struct mpi_result *r)
{
	int end = (int)r->end;
	uint8_t *state = &l->state[r->part - 1];
	char how[64];

	*state &= (uint8_t)~STATE_OUT;
	if ((WIFSIGNALED(end) || WEXITSTATUS(end) >= 4) && (*state & STATE_TRIES) < ATTEMPTS) {
		l->again++;
		fprintf(stderr, "warpstack: note: part %" PRIu64 " of %" PRIu64 " failed on rank "
			"%d (%s): it is run again\n", r->part, l->job.parts, rank,
			how_it_ended(end, how));
		return;
	}
	l->code = WIFSIGNALED(end) ? 4 : WEXITSTATUS(end);
	if (r->stream[MPI_MESSAGES].len)
		mpi_gather_say(&l->gather, &r->stream[MPI_MESSAGES]);
	else
		fprintf(stderr, "warpstack: part %" PRIu64 " of %" PRIu64 " failed %u times (%s)\n",
			r->part, l->job.parts, ATTEMPTS, how_it_ended(end, how));
}

/* Stores a result, or outputs it if it is the next one and there is no checkpoint. */
static enum ws_status take_result(struct mpi_lead *l, int rank, struct mpi_result *r,
				  struct ws_err *err)
{
	enum ws_status status = WS_OK;

	l->idle[rank] = true;
	if (r->part && !mpi_result_good(r)) {
		part_failed(l, rank, r);
	} else if (r->part) {
		l->done++;
		status = mpi_store_put(&l->store, r, err);
	}
	mpi_result_clear(r);
	return status;
}

static enum ws_status give_out(struct mpi_lead *l, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	while (l->given < l->job.parts && mpi_store_has(&l->store, l->given + 1) &&
	       status == WS_OK) {
		struct mpi_result r = { .part = 0 };

		status = mpi_store_get(&l->store, ++l->given, &r, err);
		if (status == WS_OK)
			status = mpi_gather_add(&l->gather, &r, err);
		mpi_result_clear(&r);
	}
	return status;
}

/* Waits for a result a moment. */
static enum ws_status look(struct mpi_lead *l, struct ws_err *err)
{
	struct mpi_result r = { .part = 0 };
	enum ws_status status = WS_OK;
	bool ended = false;
	int rank;

	while (status == WS_OK && arrived(TAG_RESULT, &rank)) {
		status = receive_result(rank, &r, err);
		if (status == WS_OK)
			status = take_result(l, rank, &r, err);
	}
	if (status == WS_OK && !l->idle[0])
		status = mpi_worker_poll(l->worker, NAP, &r, &ended, err);
	else
		nap();
	if (status == WS_OK && ended)
		status = take_result(l, 0, &r, err);
	return status;
}

/* What follows the parts, by rank 0's worker, which is idle. */
static enum ws_status follow(struct mpi_lead *l, struct ws_err *err)
{
	const struct cli_part part = { .part = l->job.parts + 1, .parts = l->job.parts,
				       .threads = l->threads };
	struct mpi_result r = { .part = 0 };
	bool ended = false;
	enum ws_status status = mpi_worker_start(l->worker, &part, &l->gather.notes, err);

	while (status == WS_OK && !ended)
		status = mpi_worker_poll(l->worker, 1000, &r, &ended, err);
	if (status == WS_OK && !mpi_result_good(&r)) {
		l->code = WIFSIGNALED((int)r.end) ? 4 : WEXITSTATUS((int)r.end);
		mpi_gather_say(&l->gather, &r.stream[MPI_MESSAGES]);
	} else if (status == WS_OK) {
		status = mpi_gather_add(&l->gather, &r, err);
	}
	mpi_result_clear(&r);
	return status;
}

static enum ws_status run_parts(struct mpi_lead *l, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	l->start = l->told = ws_seconds();
	l->next = 1;
	l->idle[0] = true;
	l->done = l->store.resumed;
	if (l->done && !l->job.call.options->quiet)
		fprintf(stderr, "warpstack: note: %" PRIu64 " of %" PRIu64 " parts are in the "
			"checkpoint\n", l->done, l->job.parts);
	while (status == WS_OK && !l->code && l->given < l->job.parts) {
		status = hand_out(l, err);
		if (status == WS_OK && l->done < l->job.parts)
			status = look(l, err);
		if (status == WS_OK)
			status = give_out(l, err);
		tell_progress(l);
	}
	if (status == WS_OK && !l->code && l->job.follows)
		status = follow(l, err);
	return status;
}

static enum ws_status lead(struct mpi_lead *l, struct ws_err *err)
{
	enum ws_status status = mpi_gather_begin(&l->gather, &l->job, err);

	if (status == WS_OK)
		status = mpi_store_open(&l->store, l->job.options, l->job.question, &l->job.parts,
					err);
	for (uint64_t k = 1; status == WS_OK && k <= l->job.parts; k++)
		if (mpi_store_has(&l->store, k) &&
		    !mpi_files_has(l->job.options, l->job.parts, k))
			mpi_store_forget(&l->store, k);
	l->idle = ws_alloc_zero((size_t)l->ranks, sizeof *l->idle);
	l->state = ws_alloc_zero((size_t)l->job.parts, sizeof *l->state);
	if (status == WS_OK && (!l->idle || !l->state))
		status = ws_fail_memory(err, "the parts");
	if (status == WS_OK)
		status = run_parts(l, err);
	if (status == WS_OK && l->code) /* which is told already */
		status = mpi_gather_end(&l->gather, WS_EIO, err) == WS_EIO ? WS_OK : WS_EIO;
	else
		status = mpi_gather_end(&l->gather, status, err);
	mpi_store_close(&l->store);
	free(l->idle);
	free(l->state);
	return status;
}

static void stop_ranks(int ranks)
{
	const struct mpi_task stop = { 0 };

	for (int i = 1; i < ranks; i++)
		MPI_Send(&stop, (int)(sizeof stop / sizeof(uint64_t)), MPI_UINT64_T, i, TAG_TASK,
			 MPI_COMM_WORLD);
}

/* Takes results that are on their way, so that their senders get here, too. */
void mpi_farm_stopped(void)
{
	struct mpi_result r = { .part = 0 };
	struct ws_err err = { 0 };
	MPI_Request all;
	int over = 0, rank;

	MPI_Ibarrier(MPI_COMM_WORLD, &all);
	while (!over) {
		while (arrived(TAG_RESULT, &rank)) {
			if (receive_result(rank, &r, &err) != WS_OK)
				MPI_Abort(MPI_COMM_WORLD, 4);
			mpi_result_clear(&r);
		}
		nap();
		MPI_Test(&all, &over, MPI_STATUS_IGNORE);
	}
}

int mpi_farm_lead(const struct mpi_options *o, struct mpi_worker *w, int ranks)
{
	struct mpi_lead l = { .worker = w, .ranks = ranks, .store = { .fd = -1 } };
	struct ws_err err = { 0 };
	enum ws_status status;
	bool help;
	int code;

	l.threads = threads_here();
	status = mpi_job_begin(&l.job, o, ranks, &err);
	help = status == WS_OK && (l.job.call.options->help || l.job.call.options->usage);
	if (help)
		cli_help_of(stdout, l.job.call.command, l.job.call.options->help);
	else if (status == WS_OK)
		status = lead(&l, &err);
	code = l.code ? l.code : l.gather.code;
	mpi_job_end(&l.job);
	stop_ranks(ranks);
	if (status == WS_OK)
		return code;
	cli_complain_of(&err);
	return ws_exit_code(status);
}
