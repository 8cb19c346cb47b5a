/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/streams/streams.h -- line requests as one SM of a GPU issues them, made from what
 * kernels do: warps of 32 lanes, each warp instruction coalesced into lines of 128 B,
 * 8 to 48 warps interleaved by a scheduler.
 *
 * A family is a kind of kernel; a spec is a family with parameters and a seed.  Three sets of
 * specs, whose families are the same and whose parameters, warps, skews and seeds are not: models
 * are developed on `dev` and on `tried`, and reported on `report`, which is not to be looked at
 * while a model is changed.  A report set whose results were looked at, and models changed then,
 * is no measure any more: that is what `tried` is, and the next report set must be a new one.
 *
 * The same spec makes the same requests everywhere.  To add a family: its functions and its row in
 * one of the family files, specs in all sets (sets.c).
 */
#ifndef TESTS_STREAMS_H
#define TESTS_STREAMS_H

#include "trace/trace.h"

#define STREAMS_LINE 128u
#define STREAMS_NAME_MAX 96u
#define STREAMS_PARAMS 6u

enum streams_scheduler {
	STREAMS_ROUND,		/* loose round robin: a warp instruction each in turn */
	STREAMS_JITTER,		/* the same, each sits out a fourth of the rounds at random */
	STREAMS_GREEDY,		/* one warp until it waits for a load, then the oldest ready one */
};

struct streams_spec {
	const char *family;	/* NULL: end of a table */
	unsigned n[STREAMS_PARAMS]; /* what they mean is the family's */
	double skew;
	unsigned warps;
	enum streams_scheduler scheduler;
	enum ws_write write;	/* the cache's; 0 is write-back */
	uint64_t seed;
	size_t limit;		/* requests at most; 0: STREAMS_LIMIT */
	/* Other specs, one after the other on the same arrays, ends with family NULL; family
	 * is then the name of the mixture, and n and skew are not read. */
	const struct streams_spec *part;
};

#define STREAMS_LIMIT 150000u

enum streams_set { STREAMS_DEV, STREAMS_TRIED, STREAMS_REPORT, STREAMS_SETS };
extern const char *const streams_set_names[STREAMS_SETS];
extern const struct streams_spec *const streams_sets[STREAMS_SETS];

struct streams_stream {
	char name[STREAMS_NAME_MAX]; /* of all that the spec says, but for the limit */
	const struct streams_spec *spec;
	struct ws_request *request; /* loads and stores, few atomics; cycle counts issues */
	size_t count, cap;
};

void streams_name(const struct streams_spec *spec, char name[STREAMS_NAME_MAX]);
enum ws_status streams_make(struct streams_stream *out, const struct streams_spec *spec,
			    struct ws_err *err) WS_MUST_CHECK;
void streams_free(struct streams_stream *s);
/* Of lines, kinds and the write policy. */
uint64_t streams_checksum(const struct streams_stream *s);

#endif
