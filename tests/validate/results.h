/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/results.h -- models beside the simulator, on the streams of tests/streams/:
 * what v-results tabulates and t-validate takes samples of.
 */
#ifndef TESTS_VALIDATE_RESULTS_H
#define TESTS_VALIDATE_RESULTS_H

#include "tests/streams/streams.h"

#include "validate/validate.h"

#define RESULTS_GEOMETRIES 7u
#define RESULTS_SEEDS 3u	/* exact results of a policy that draws are a mean over so many */
#define RESULTS_TEXT 24u	/* "128x16" */

struct results_geometry {
	unsigned sets, ways;
};

extern const struct results_geometry results_geometries[RESULTS_GEOMETRIES];
/* With sectored lines a stream has a quarter of the lines. */
extern const struct results_geometry results_sectored[RESULTS_GEOMETRIES];
void results_geometry_text(struct results_geometry g, char text[RESULTS_TEXT]);

/* ---- exact results, kept in a file ------------------------------------------------------ */

/* Keyed by stream, a checksum of its requests, policy and geometry; not by the simulator or the
 * policy's rule: after a change to those the file is to be removed.  Several processes may
 * append to one file. */
struct exact;

/* path NULL: nothing is kept. */
enum ws_status exact_new(struct exact **out, const char *path, struct ws_err *err) WS_MUST_CHECK;
void exact_free(struct exact *e);
/* Miss ratio of all requests, from the file or simulated.  Any thread. */
enum ws_status exact_ratio(struct exact *e, const struct streams_stream *s, uint64_t checksum,
			   const struct ws_cache *cache, bool draws, double *ratio,
			   struct ws_err *err) WS_MUST_CHECK;

/* ---- rows -------------------------------------------------------------------------------- */

struct results_policy {
	char name[WS_NAME_MAX];	/* with parameters */
	const struct ws_policy *policy;
	bool draws;		/* random numbers */
};

/* WS_EINVAL: no such policy or parameters. */
enum ws_status results_policy(struct results_policy *out, const char *name,
			      struct ws_err *err) WS_MUST_CHECK;

struct results_plan {
	const struct results_policy *policy;
	size_t policies;
	const struct results_geometry *geometry;
	size_t geometries;
	bool model, exact;	/* what to find out */
	uint64_t set_sample;	/* requests of a sample of sets; 0: models alone */
	bool sectored;		/* each line of a stream is a sector of 32 B of a line of 128 B */
	struct exact *cache;
};

struct results_row {
	const struct results_policy *policy;
	struct results_geometry geometry;
	bool failed;		/* refused or not solved: the rest is not there */
	uint64_t requests;
	double model, exact, lru; /* miss ratios */
	double expected_pp, low, high;
	bool low_confidence;
	double seconds;		/* of the prediction, processor time */
};

struct results {		/* of one stream */
	char stream[STREAMS_NAME_MAX];
	const char *family;
	struct results_row *row; /* plan->policies * plan->geometries, by policy, then geometry */
	char failure[256];	/* the first; "" if there is none */
};

enum ws_status results_make(struct results *out, const struct results_plan *plan,
			    const struct streams_spec *spec, struct ws_err *err) WS_MUST_CHECK;
void results_free(struct results *r);

/* ---- all streams ------------------------------------------------------------------------- */

struct results_table {
	const struct results_plan *plan;
	struct results *result;	/* of each stream */
	size_t streams;
};

double results_error_pp(const struct results_row *r); /* model - exact, points */
/* by: "geometry", "family", "stream" or NULL. */
enum ws_status results_print_summary(const struct results_table *t, const char *by,
				     struct ws_err *err) WS_MUST_CHECK;
enum ws_status results_print_worst(const struct results_table *t, size_t most, bool sure,
				   struct ws_err *err) WS_MUST_CHECK;
void results_print_failures(const struct results_table *t); /* on standard error */

/* Columns of validate/results.csv. */
enum csv_column {
	STREAM, FAMILY, POLICY, GEOMETRY, REQUESTS, MODEL, EXACT, ERROR, EXPECTED, LOW, HIGH,
	LOW_CONFIDENCE, COLUMNS
};

#endif
