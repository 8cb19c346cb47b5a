/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mpi/gather.c -- the results of parts, in order, become what the command would have written.
 */
#include "mpi/mpi.h"

#include <string.h>
#include <sys/wait.h>

enum ws_status mpi_gather_begin(struct mpi_gather *g, struct mpi_job *job, struct ws_err *err)
{
	const char *path = job->call.options->output;

	*g = (struct mpi_gather){ .job = job };
	/* Standard output may look like a terminal: mpirun gives rank 0 one. */
	return cli_out_open(&g->out, &job->call, path, err);
}

static bool was_said(const struct ws_buf *said, const uint8_t *line, size_t len)
{
	for (const uint8_t *at = said->data, *end = at + said->len; at < end;) {
		const uint8_t *stop = memchr(at, '\n', (size_t)(end - at));
		size_t have = stop ? (size_t)(stop - at) : (size_t)(end - at);

		if (have == len && memcmp(at, line, len) == 0)
			return true;
		at += have + 1;
	}
	return false;
}

void mpi_gather_say(struct mpi_gather *g, const struct ws_buf *messages)
{
	size_t at = 0;

	while (at < messages->len) {
		const uint8_t *line = messages->data + at;
		const uint8_t *stop = memchr(line, '\n', messages->len - at);
		size_t len = stop ? (size_t)(stop - line) : messages->len - at;

		if (!was_said(&g->said, line, len)) {
			fwrite(line, 1, len, stderr);
			fputc('\n', stderr);
			ws_put_bytes(&g->said, line, len);
			ws_put_u8(&g->said, '\n');
		}
		at += len + 1;
	}
}

enum ws_status mpi_gather_add(struct mpi_gather *g, struct mpi_result *r, struct ws_err *err)
{
	const struct ws_buf *out = &r->stream[MPI_OUTPUT], *notes = &r->stream[MPI_NOTES];

	mpi_gather_say(g, &r->stream[MPI_MESSAGES]);
	ws_put_bytes(&g->notes, notes->data, notes->len);
	if (g->notes.failed)
		return ws_fail_memory(err, "the parts' notes");
	if (WIFEXITED((int)r->end) && WEXITSTATUS((int)r->end) > g->code)
		g->code = WEXITSTATUS((int)r->end);
	if (g->job->profile)
		return cli_profile_add(&g->sum, out, notes, err);
	ws_out_write(&g->out, out->data, out->len);
	return WS_OK;
}

enum ws_status mpi_gather_end(struct mpi_gather *g, enum ws_status status, struct ws_err *err)
{
	if (status == WS_OK && g->job->profile)
		status = ws_profile_settle(g->sum, err);
	if (status == WS_OK && g->job->profile)
		status = cli_profile_end(&g->job->call, g->sum, &g->out, err);
	if (status == WS_OK)
		status = ws_out_commit(&g->out, err);
	ws_out_abort(&g->out);
	ws_profile_free(g->sum);
	ws_buf_clear(&g->notes);
	ws_buf_clear(&g->said);
	return status;
}
