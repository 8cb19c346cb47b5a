/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch_compare.c -- did the kernels compute the right thing?
 *
 * A buffer equals its reference file byte by byte, or within a relative
 * tolerance, component by component; two NaN are equal then, and the padding of
 * 3-vectors is never looked at.
 */
#include "trace/capture/launch.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

static bool same_element(const uint8_t *got, const uint8_t *want, enum ws_elem e, double tolerance)
{
	double a, b;

	if (memcmp(got, want, ws_elem_bytes[e]) == 0)
		return true;
	if (tolerance <= 0)
		return false;
	a = ws_elem_load_double(got, e);
	b = ws_elem_load_double(want, e);
	return a == b || (isnan(a) && isnan(b)) ||
	       fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

/* Counts the components that differ; *first, *lane: where the first one is. */
static uint64_t count_differences(const struct ws_buffer *b, const uint8_t *want,
				  double tolerance, uint64_t *first)
{
	uint64_t bad = 0;

	WS_EACH_COMPONENT(b, got) {
		size_t at = (size_t)(got - b->host);

		if (!same_element(got, want + at, b->elem, tolerance) && bad++ == 0)
			*first = at;
	}
	return bad;
}

static void print_difference(const struct ws_buffer *b, const uint8_t *want, uint64_t first,
			     uint64_t bad, char *text, size_t len)
{
	uint64_t component = first / ws_elem_bytes[b->elem];
	char got_text[32], want_text[32];
	const uint8_t *value[2] = { b->host + first, want + first };
	char *out[2] = { got_text, want_text };

	for (unsigned i = 0; i < 2; i++) {
		if (ws_elem_is_float(b->elem))
			snprintf(out[i], 32, "%.*g", b->elem == WS_ELEM_FLOAT ? 9 : 17,
				 ws_elem_load_double(value[i], b->elem));
		else if (ws_elem_is_signed(b->elem))
			snprintf(out[i], 32, "%" PRId64,
				 (int64_t)ws_elem_load_int(value[i], b->elem));
		else
			snprintf(out[i], 32, "%" PRIu64, ws_elem_load_int(value[i], b->elem));
	}
	snprintf(text, len, "%s[%" PRIu64 "]%s: got %s, want %s (%" PRIu64 " of %" PRIu64
		 " components differ)", b->name, component / ws_buffer_stride(b),
		 b->lanes == 1 ? "" : (const char *[]){ ".s0", ".s1", ".s2", ".s3", ".s4", ".s5",
		 ".s6", ".s7", ".s8", ".s9", ".sa", ".sb", ".sc", ".sd", ".se", ".sf" }
		 [component % ws_buffer_stride(b)], got_text, want_text, bad,
		 b->count * b->lanes);
}

static enum ws_status compare_buffer(const struct ws_program *p, const struct ws_output_check *c,
				     bool *differs, char *text, size_t len, struct ws_err *err)
{
	struct ws_text_place at = ws_place_of(p, c->line, "check");
	const struct ws_buffer *b = NULL;
	enum ws_status status;
	struct stat st;
	struct ws_in in;

	for (size_t i = 0; i < p->buffers && !b; i++)
		b = strcmp(p->buffer[i].name, c->buffer) == 0 ? &p->buffer[i] : NULL;
	if (!b || !b->host)
		return ws_place_fail(&at, err, "check of '%.60s': want a buffer that is declared "
				     "and filled", c->buffer);
	if (stat(c->path, &st) == 0 && !S_ISREG(st.st_mode))
		return ws_place_fail(&at, err, "%.200s: want a regular file", c->path);
	status = ws_in_open(&in, c->path, err);
	if (status != WS_OK)
		return status;
	if (in.len != b->bytes) {
		status = ws_place_fail(&at, err,
				       "%.200s has %zu bytes: want %" PRIu64 ", as buffer "
				       "%.60s has", c->path, in.len, b->bytes, b->name);
	} else {
		uint64_t first = 0, bad = count_differences(b, in.data, c->tolerance, &first);

		*differs = bad > 0;
		if (bad)
			print_difference(b, in.data, first, bad, text, len);
	}
	ws_in_close(&in);
	return status;
}

enum ws_status ws_program_compare(const struct ws_program *p, bool *differs, char *text, size_t len,
				  struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*differs = false;
	if (len)
		text[0] = '\0';
	for (size_t i = 0; i < p->checks && status == WS_OK && !*differs; i++)
		status = compare_buffer(p, &p->check[i], differs, text, len, err);
	return status;
}
