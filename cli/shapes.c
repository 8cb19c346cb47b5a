/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/shapes.c -- the line sizes and set counts that configurations need of a profile.
 *
 * A list is kept with duplicates while it grows, and sorted without them whenever it is full, so
 * it takes memory for its distinct members only, however many configurations there are.
 */
#include "cli/cli.h"

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

void cli_shapes_sort(struct cli_shapes *s)
{
	size_t kept = 0;

	if (s->count)
		qsort(s->shape, s->count, sizeof *s->shape, compare_shapes);
	for (size_t i = 0; i < s->count; i++)
		if (i == 0 || compare_shapes(&s->shape[i], &s->shape[kept - 1]))
			s->shape[kept++] = s->shape[i];
	s->count = kept;
}

enum ws_status cli_shapes_add(struct cli_shapes *s, uint64_t line_bytes, uint64_t sets,
			      struct ws_err *err)
{
	struct ws_shape *last = s->count ? &s->shape[s->count - 1] : NULL;
	struct ws_shape *grown;

	if (last && last->line_bytes == line_bytes && last->sets == sets)
		return WS_OK;
	if (s->count == s->cap) {
		cli_shapes_sort(s);
		grown = ws_grow(s->shape, &s->cap, 2 * s->count + 1, sizeof *grown);
		if (!grown)
			return ws_fail_memory(err, "the set counts");
		s->shape = grown;
	}
	s->shape[s->count++] = (struct ws_shape){ line_bytes, sets };
	return WS_OK;
}

void cli_shapes_clear(struct cli_shapes *s)
{
	free(s->shape);
	*s = (struct cli_shapes){ 0 };
}

/* ---- memory -------------------------------------------------------------------- */

/* As measured with 64 set counts of up to 8192 on 16 to 64 SMs, write-back; with write-through
 * and write-evict sets take 40 and 24 bytes more. */
#define SET_BYTES 64.0		/* the stack of a set */
#define SET_DETAIL 65.0		/* and what else is recorded of it */
#define STACKS_DETAIL 100e3	/* of an SM at a line and set count, besides its sets */
#define SET_COUNTED 5e3		/* the same of count types, at most: with 1024 to 8192 sets */
#define STACKS_COUNTED 1.6e6
#define SET_CHUNKS 36e3		/* of three grains, at most */
#define STACKS_CHUNKS 0.5e6	/* windows at hand; what they leave is less than the trace */

static double memory_for(const struct cli_shapes *s, uint64_t sms, size_t kernels, unsigned record)
{
	bool counted = record & WS_RECORD_COUNTED, detail = counted || record & WS_RECORD_DETAIL;
	double set = SET_BYTES + (detail ? SET_DETAIL : 0) + (counted ? SET_COUNTED : 0);
	double stacks = (detail ? STACKS_DETAIL : 0) + (counted ? STACKS_COUNTED : 0);
	bool chunks = record & WS_RECORD_CHUNKS;
	double tables = (detail ? (double)sizeof(struct ws_detail) : 0) +
			(counted ? (double)sizeof(struct ws_counted) : 0);
	double bytes = 0;

	for (size_t i = 0; i < s->count; i++) {
		bytes += set * (double)s->shape[i].sets + stacks;
		if (chunks && s->shape[i].line_bytes == WS_GRAIN_LINE)
			bytes += SET_CHUNKS * (double)s->shape[i].sets + STACKS_CHUNKS;
	}
	return bytes * (double)sms + tables * (double)s->count * (double)kernels;
}

enum ws_status cli_shapes_fit(const struct cli_shapes *s, const struct cli_command *command,
			      const struct ws_machine *m, uint64_t sms, size_t kernels,
			      unsigned record, struct ws_err *err)
{
	bool can = record & WS_RECORD_DETAIL && cli_has_option(command, "distances");
	const double gib = 1u << 30;
	double need = memory_for(s, sms, kernels, record);
	double have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
	char of[48] = "";

	if (have <= 0 || need <= have) /* have < 0: not known */
		return WS_OK;
	if (kernels > 1)
		snprintf(of, sizeof of, " of %zu kernels or launches", kernels);
	return ws_fail(err, WS_EINVAL, "%zu set counts%s on %" PRIu64 " SMs of %s want some %.0f "
		       "GiB of memory, and there are %.0f: want fewer set counts or line sizes%s%s",
		       s->count, of, sms, m->name, need / gib, have / gib,
		       kernels > 1 ? ", --per kernel" : "", can ? ", fewer SMs (--sm), or --distances" : "");
}

/* ---- what a profile does not hold -------------------------------------------- */

static void put_list(struct ws_buf *text, const uint64_t *value, size_t count)
{
	char number[24];

	for (size_t i = 0; i < count; i++) {
		int n = snprintf(number, sizeof number, "%s%" PRIu64, i ? "," : "", value[i]);

		ws_put_bytes(text, number, (size_t)n);
	}
}

/* Puts value into the ascending list, once. */
static void insert(uint64_t *list, size_t *count, uint64_t value)
{
	size_t at = *count;

	while (at && list[at - 1] > value)
		at--;
	if (at && list[at - 1] == value)
		return;
	memmove(list + at + 1, list + at, (*count - at) * sizeof *list);
	list[at] = value;
	++*count;
}

#define HINT_MAX 64u /* set counts that are worth typing */

/* " --lines 64 --sets 8,16" for `warpstack profile`; false if that cannot say it shortly. */
static bool put_hint(struct ws_buf *text, const struct cli_shapes *needed, uint64_t own)
{
	uint64_t lines[HINT_MAX + 1], sets[HINT_MAX + 1];
	size_t line_count = 0, set_count = 0;
	bool listed = false;

	for (size_t i = 0; i < needed->count; i++) {
		const struct ws_shape *s = &needed->shape[i];
		uint64_t bytes = s->sets * s->line_bytes;

		if (set_count == HINT_MAX || (s->sets > 1 && bytes % own))
			return false;
		insert(lines, &line_count, s->line_bytes);
		listed |= s->line_bytes != own && s->line_bytes != 32 && s->line_bytes != 128;
		insert(sets, &set_count, s->sets > 1 ? bytes / own : 1);
	}
	if (listed) {
		ws_put_bytes(text, " --lines ", strlen(" --lines "));
		put_list(text, lines, line_count);
	}
	ws_put_bytes(text, " --sets ", strlen(" --sets "));
	put_list(text, sets, set_count);
	return true;
}

static enum ws_status not_held(const struct ws_profile *profile, const struct ws_shape *missing,
			       const struct cli_shapes *needed, struct ws_err *err)
{
	struct ws_buf hint = { 0 };
	bool can = put_hint(&hint, needed, profile->machine.l1.line_bytes);
	enum ws_status status;

	ws_put_u8(&hint, 0);
	status = can && !hint.failed
		? ws_fail(err, WS_EINVAL, "the profile holds no distances for l1.sets=%" PRIu64
			  " of l1.line=%" PRIu64 ": `warpstack profile%s` measures all that is "
			  "asked for; or give the trace instead of the profile", missing->sets,
			  missing->line_bytes, (const char *)hint.data)
		: ws_fail(err, WS_EINVAL, "the profile holds no distances for l1.sets=%" PRIu64
			  " of l1.line=%" PRIu64 ": give the trace instead of the profile",
			  missing->sets, missing->line_bytes);
	ws_buf_clear(&hint);
	return status;
}

enum ws_status cli_shapes_check(const struct cli_shapes *needed, const struct ws_profile *profile,
				struct ws_err *err)
{
	for (size_t i = 0; profile->sections && i < needed->count; i++)
		if (!ws_section_geometry(&profile->section[0], needed->shape[i].line_bytes,
					 needed->shape[i].sets))
			return not_held(profile, &needed->shape[i], needed, err);
	return WS_OK;
}
