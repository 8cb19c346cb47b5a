/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/nugteren.c -- traces of Nugteren's GPU cache model (tue-es/gpu-cache-model, .trc).
 *
 *	blocksize: x y z
 *	THREAD DIRECTION ADDRESS BYTES	decimal; direction 0 reads, 1 writes
 *
 * Threads are numbered through the grid, and come in any order; each one's accesses are in
 * its own order.  As that model does, the n-th accesses of a warp's threads are one instruction,
 * here if they agree in direction and size too, else one for each.  All is kept
 * until the end: 24 bytes an access.
 */
#include "trace/import/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LANES 32u
#define MARK "blocksize:"
#define THREADS_MAX (1ull << 24)

struct nugteren_entry {
	uint64_t address;
	uint32_t thread, number; /* of the thread's accesses */
	uint32_t bytes;
	bool store;
};

struct nugteren_reader {
	struct ws_packed *s;
	uint64_t block[3], threads, highest; /* of a CTA; highest thread + 1 */
	struct nugteren_entry *entry;
	size_t entries, entry_cap;
	uint32_t *count;	/* [thread]: accesses so far */
	size_t count_cap;
};

/* ---- reading ----------------------------------------------------------------------------- */

static enum ws_status read_block(struct nugteren_reader *r, const char *line, struct ws_err *err)
{
	const char *p = line;
	bool good = ws_text_word(&p, MARK);

	for (unsigned i = 0; good && i < 3; i++)
		good = ws_text_gap(&p) && ws_text_decimal(&p, &r->block[i]) && r->block[i] >= 1 &&
		       r->block[i] <= WS_CTA_THREADS_MAX;
	r->threads = r->block[0] * r->block[1] * r->block[2];
	if (!good || !ws_text_end(&p) || r->threads > WS_CTA_THREADS_MAX)
		return ws_packed_fail(r->s, err, "'%.60s': want blocksize: X Y Z, at most %u "
				      "threads", line, WS_CTA_THREADS_MAX);
	return WS_OK;
}

/* Counts for threads up to r->highest. */
static bool grow_counts(struct nugteren_reader *r)
{
	size_t before = r->count_cap;

	if (!WS_ROOM(r->count, r->count_cap, (size_t)r->highest))
		return false;
	if (r->count_cap > before)
		memset(r->count + before, 0, (r->count_cap - before) * sizeof *r->count);
	return true;
}

static enum ws_status add_entry(struct nugteren_reader *r, uint64_t thread,
				const struct nugteren_entry *e, struct ws_err *err)
{
	if (thread >= r->highest) {
		r->highest = thread + 1;
		if (!grow_counts(r))
			return ws_fail_memory(err, "the threads of a trace");
	}
	if (!WS_ROOM(r->entry, r->entry_cap, r->entries + 1))
		return ws_fail_memory(err, "the accesses of a trace");
	r->entry[r->entries] = *e;
	r->entry[r->entries].thread = (uint32_t)thread;
	r->entry[r->entries++].number = r->count[thread]++;
	return WS_OK;
}

static enum ws_status nugteren_line(void *reader, char *line, struct ws_err *err)
{
	struct nugteren_reader *r = reader;
	uint64_t thread, direction, bytes;
	struct nugteren_entry e = { 0 };
	const char *p = line;

	ws_text_gap(&p);
	if (ws_text_end(&p))
		return WS_OK;
	if (!r->threads)
		return read_block(r, p, err);
	if (!ws_text_decimal(&p, &thread) || !ws_text_gap(&p) || !ws_text_decimal(&p, &direction) ||
	    !ws_text_gap(&p) || !ws_text_decimal(&p, &e.address) || !ws_text_gap(&p) ||
	    !ws_text_decimal(&p, &bytes) || !ws_text_end(&p) || direction > 1)
		return ws_packed_fail(r->s, err, "'%.60s': want THREAD 0|1 ADDRESS BYTES", line);
	if (thread >= THREADS_MAX || bytes < 1 || bytes > WS_ACCESS_BYTES_MAX)
		return ws_packed_fail(r->s, err, "'%.60s': want threads below %" PRIu64
				      " and 1..%u bytes", line, (uint64_t)THREADS_MAX,
				      WS_ACCESS_BYTES_MAX);
	if (e.address > UINT64_MAX - (bytes - 1))
		return ws_packed_fail(r->s, err, "'%.60s': an access past the end of the address "
				      "space", line);
	e.bytes = (uint32_t)bytes;
	e.store = direction == 1;
	return add_entry(r, thread, &e, err);
}

/* ---- warps --------------------------------------------------------------------------------- */


static uint64_t warp_of(const struct nugteren_entry *e, uint64_t threads)
{
	return e->thread / threads * WS_CTA_THREADS_MAX + e->thread % threads / LANES;
}

static int compare_entries(const void *a, const void *b, void *context)
{
	const struct nugteren_entry *x = a, *y = b;
	uint64_t threads = *(const uint64_t *)context;
	const uint64_t key[][2] = {
		{ warp_of(x, threads), warp_of(y, threads) }, { x->number, y->number },
		{ x->store, y->store }, { x->bytes, y->bytes }, { x->thread, y->thread },
	};

	for (size_t i = 0; i < WS_COUNT(key); i++)
		if (key[i][0] != key[i][1])
			return key[i][0] < key[i][1] ? -1 : 1;
	return 0;
}

static bool together(const struct nugteren_reader *r, const struct nugteren_entry *x,
		     const struct nugteren_entry *y)
{
	return warp_of(x, r->threads) == warp_of(y, r->threads) && x->number == y->number &&
	       x->store == y->store && x->bytes == y->bytes;
}

static enum ws_status build(struct nugteren_reader *r, struct ws_builder *b, struct ws_err *err)
{
	struct ws_built_launch launch = {
		.kernel = WS_TEXT_KERNEL,
		.grid = { (r->highest + r->threads - 1) / r->threads, 1, 1 },
		.block = { r->block[0], r->block[1], r->block[2] }, .warp_width = LANES,
	};
	uint64_t address[LANES];
	enum ws_status status = ws_builder_launch(b, &launch, err);

	for (size_t i = 0, n; i < r->entries && status == WS_OK; i += n) {
		const struct nugteren_entry *e = &r->entry[i];
		struct ws_built_access a = {
			.cta = e->thread / r->threads,
			.warp = (uint32_t)(e->thread % r->threads / LANES),
			.kind = e->store ? WS_STORE : WS_LOAD, .bytes = e->bytes,
			.address = address,
		};

		for (n = 0; i + n < r->entries && together(r, e, e + n); n++) {
			unsigned lane = (unsigned)(e[n].thread % r->threads % LANES);

			a.lanes |= 1ull << lane;
			address[lane] = e[n].address;
		}
		status = ws_builder_access(b, &a, err);
	}
	return status;
}

/* ---- the row ---------------------------------------------------------------------------- */

static enum ws_status finish(struct nugteren_reader *r, struct ws_builder *b, struct ws_err *err)
{
	struct ws_err why = { 0 };
	enum ws_status status;

	if (!r->highest)
		return ws_packed_fail(r->s, err, "no blocksize:, or no access after it");
	qsort_r(r->entry, r->entries, sizeof *r->entry, compare_entries, &r->threads);
	status = build(r, b, &why);
	return status == WS_OK ? WS_OK : ws_text_blame(r->s, status, &why, err);
}

static enum ws_status read_nugteren(struct ws_packed *s, const char *path, struct ws_builder *b,
				    struct ws_err *err)
{
	struct nugteren_reader r = { .s = s };
	enum ws_status status = ws_packed_lines(s, nugteren_line, &r, err);

	(void)path;
	if (status == WS_OK)
		status = finish(&r, b, err);
	free(r.entry);
	free(r.count);
	return status;
}

static enum ws_line_kind nugteren_kind(const char *line)
{
	return strncmp(line, MARK, sizeof MARK - 1) == 0 ? WS_LINE_MINE :
	       ws_text_end(&line) ? WS_LINE_NEUTRAL : WS_LINE_OTHER;
}

static bool nugteren_recognise(const uint8_t *data, size_t len)
{
	const uint8_t *end = len ? memchr(data, '\n', len) : NULL;

	return ws_text_begins(data, end ? (size_t)(end - data) : len, nugteren_kind);
}

const struct ws_trace_format ws_trace_format_nugteren = {
	.name = "nugteren",
	.summary = "threads' accesses for Nugteren's GPU cache model (.trc)",
	.recognise = nugteren_recognise,
	.read = read_nugteren,
};
