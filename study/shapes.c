/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/shapes.c -- the line sizes and set counts that configurations need in a profile.
 *
 * A list is kept with duplicates while it grows, and sorted without them whenever it is full, so
 * it takes memory for its distinct members only, however many configurations there are.
 */
#include "study/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare_shapes(const void *a, const void *b)
{
	const struct ws_shape *x = a, *y = b;

	if (x->line_bytes != y->line_bytes)
		return x->line_bytes < y->line_bytes ? -1 : 1;
	return (x->sets > y->sets) - (x->sets < y->sets);
}

void ws_shapes_sort(struct ws_shapes *s)
{
	size_t kept = 0;

	if (s->count)
		qsort(s->shape, s->count, sizeof *s->shape, compare_shapes);
	for (size_t i = 0; i < s->count; i++)
		if (i == 0 || compare_shapes(&s->shape[i], &s->shape[kept - 1]))
			s->shape[kept++] = s->shape[i];
	s->count = kept;
}

enum ws_status ws_shapes_add(struct ws_shapes *s, uint64_t line_bytes, uint64_t sets,
			      struct ws_err *err)
{
	struct ws_shape *last = s->count ? &s->shape[s->count - 1] : NULL;

	if (last && last->line_bytes == line_bytes && last->sets == sets)
		return WS_OK;
	if (s->count == s->cap) {
		ws_shapes_sort(s);
		if (!WS_ROOM(s->shape, s->cap, 2 * s->count + 1))
			return ws_fail_memory(err, "the set counts");
	}
	s->shape[s->count++] = (struct ws_shape){ line_bytes, sets };
	return WS_OK;
}

void ws_shapes_clear(struct ws_shapes *s)
{
	free(s->shape);
	*s = (struct ws_shapes){ 0 };
}

/* ---- memory -------------------------------------------------------------------- */

/* As measured with 64 set counts of up to 8192 on 16 to 64 SMs, write-back; with write-through
 * and write-evict sets take 40 and 24 bytes more. */
#define SET_BYTES 64.0		/* the stack of a set */
#define SET_DETAIL 65.0		/* and what else is recorded of it */
#define STACKS_DETAIL 100e3	/* of an SM at a line and set count, besides its sets */
#define SET_CHUNKS 36e3		/* of three grains, at most */
#define STACKS_CHUNKS 0.5e6	/* windows at hand; what they leave is less than the trace */

static double memory_for(const struct ws_shapes *s, uint64_t sms, size_t kernels, unsigned record)
{
	bool detail = record & WS_RECORD_DETAIL, chunks = record & WS_RECORD_CHUNKS;
	double set = SET_BYTES + (detail ? SET_DETAIL : 0);
	double stacks = detail ? STACKS_DETAIL : 0;
	double tables = detail ? (double)sizeof(struct ws_detail) : 0;
	double bytes = 0;

	for (size_t i = 0; i < s->count; i++) {
		bytes += set * (double)s->shape[i].sets + stacks;
		if (chunks && s->shape[i].line_bytes == WS_GRAIN_LINE)
			bytes += SET_CHUNKS * (double)s->shape[i].sets + STACKS_CHUNKS;
	}
	return bytes * (double)sms + tables * (double)s->count * (double)kernels;
}

enum ws_status ws_shapes_fit(const struct ws_shapes *s, const struct ws_machine *m, uint64_t sms,
			     size_t kernels, unsigned record, unsigned at_once,
			     struct ws_err *err)
{
	const double gib = 1u << 30;
	double need = at_once * memory_for(s, sms, kernels, record);
	double have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
	char of[48] = "";

	if (have <= 0 || need <= have) /* have < 0: not known */
		return WS_OK;
	if (kernels > 1)
		snprintf(of, sizeof of, " of %zu kernels or launches", kernels);
	return ws_fail(err, WS_EINVAL, "%zu set counts%s on %" PRIu64 " SMs of %s want some %.0f "
		       "GiB of memory, and there are %.0f: want fewer set counts or line sizes%s%s",
		       s->count, of, sms, m->name, need / gib, have / gib,
		       kernels > 1 ? ", launches counted by kernel" : "",
		       record & WS_RECORD_DETAIL ? ", fewer SMs, or distances alone" : "");
}

/* ---- what a profile does not hold -------------------------------------------- */

enum ws_status ws_shapes_check(const struct ws_shapes *needed, const struct ws_profile *profile,
			       struct ws_err *err)
{
	for (size_t i = 0; profile->sections && i < needed->count; i++) {
		const struct ws_shape *s = &needed->shape[i];

		if (!ws_section_geometry(&profile->section[0], s->line_bytes, s->sets))
			return ws_fail(err, WS_EINVAL, "the profile holds no distances for "
				       "l1.sets=%" PRIu64 " of l1.line=%" PRIu64,
				       s->sets, s->line_bytes);
	}
	return WS_OK;
}
