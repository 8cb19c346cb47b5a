/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/compare/text.c -- the statistics that GPGPU-Sim and Accel-Sim print after each kernel.
 *
 * A launch is from "kernel_name = " to the next; lines that are not known are passed over.
 * gpu_sim_cycle and gpu_sim_insn are of the launch, all else is cumulative; the breakdowns of the
 * caches are those of the launch's stream (kernel_stream_id; 0 if it is not said).  A file that
 * does not end in the line that the simulator exits is cut off.
 */
#include "base/map.h"
#include "validate/compare/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL "kernel_name = "
#define STREAM "kernel_stream_id = "
#define END "GPGPU-Sim: *** exit detected ***"

static const struct stat_line {
	const char *name;
	enum ws_stat stat;
} lines[] = {
	{ "gpu_sim_cycle", WS_STAT_CYCLES },
	{ "gpu_sim_insn", WS_STAT_THREAD_INSTRUCTIONS },
	{ "gpgpu_n_tot_w_icount", WS_STAT_WARP_INSTRUCTIONS },
	{ "L2_total_cache_accesses", WS_STAT_L2_ACCESSES },
	{ "L2_total_cache_misses", WS_STAT_L2_MISSES },
	{ "total dram reads", WS_STAT_DRAM_READS },
	{ "total dram writes", WS_STAT_DRAM_WRITES },
};

static const struct breakdown {
	const char *name;	/* up to the outcome */
	enum ws_stat first;
} breakdowns[] = {
	{ "Total_core_cache_stats_breakdown[GLOBAL_ACC_R][", WS_STAT_L1_LOAD },
	{ "Total_core_cache_stats_breakdown[GLOBAL_ACC_W][", WS_STAT_L1_STORE },
	{ "L2_cache_stats_breakdown[GLOBAL_ACC_R][", WS_STAT_L2_LOAD },
	{ "L2_cache_stats_breakdown[GLOBAL_ACC_W][", WS_STAT_L2_STORE },
	{ "L2_cache_stats_breakdown[L1_WRBK_ACC][", WS_STAT_L2_STORE },
};

static const struct cache_outcome {
	const char *name;
	enum ws_stat_of_cache of;
} outcomes[] = {
	{ "HIT", WS_OF_HITS }, { "HIT_RESERVED", WS_OF_PENDING }, { "MISS", WS_OF_MISSES },
	{ "SECTOR_MISS", WS_OF_MISSES }, { "RESERVATION_FAIL", WS_OF_FAILS },
};

#define CYCLES_PLACE 0 /* of the line of gpu_sim_cycle */
#define PLACES (WS_COUNT(lines) + WS_COUNT(breakdowns) * WS_COUNT(outcomes))

struct text_stream {
	uint64_t key;		/* its number */
	double sum[WS_STATS];	/* of its launches so far */
};

struct text_reader {
	struct ws_stats *s;
	const struct ws_in *in;
	uint64_t line;
	uint64_t stream;	/* of the launch at hand */
	uint64_t seen[PLACES];	/* the line that says it of the launch at hand; 0: none does */
	double sum[WS_STATS];	/* of all launches before */
	struct text_stream *streams;
	size_t stream_count, stream_cap;
	struct ws_map map;	/* of them */
	bool any[WS_STATS];	/* some launch has it */
	bool ended;
};

static enum ws_status fail_at(const struct text_reader *r, struct ws_err *err, const char *what)
{
	return ws_fail(err, WS_EFORMAT, "%s:%" PRIu64 ": %s", r->in->name, r->line, what);
}

static bool begins(const char *text, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && memcmp(text, with, n) == 0;
}

/* A line without what is blank around it. */
static const char *trimmed(const char *line, size_t *len)
{
	while (*len && strchr(" \t\r", line[*len - 1]) && line[*len - 1])
		--*len;
	while (*len && (*line == ' ' || *line == '\t'))
		line++, --*len;
	return line;
}

static size_t line_length(const char *p, const char *end)
{
	const char *feed = memchr(p, '\n', (size_t)(end - p));

	return (size_t)((feed ? feed : end) - p);
}

bool ws_stats_is_text(const struct ws_in *in)
{
	const char *p = (const char *)in->data, *end = p + in->len;
	size_t n;

	for (; p < end; p += n + (p + n < end)) {
		size_t len = n = line_length(p, end);
		const char *line = trimmed(p, &len);

		if (begins(line, len, KERNEL) || begins(line, len, "gpu_sim_cycle ="))
			return true;
	}
	return false;
}

/* ---- launches -------------------------------------------------------------------------------- */

static struct text_stream *stream_of(struct text_reader *r)
{
	uint32_t *slot;

	if (!WS_ROOM(r->streams, r->stream_cap, r->stream_count + 1) ||
	    !ws_map_room(&r->map, r->streams, sizeof *r->streams, r->stream_count + 1))
		return NULL;
	slot = ws_map_slot(&r->map, r->streams, sizeof *r->streams, r->stream);
	if (!*slot) {
		r->streams[r->stream_count] = (struct text_stream){ .key = r->stream };
		*slot = (uint32_t)++r->stream_count;
	}
	return &r->streams[*slot - 1];
}

/* What is cumulative becomes the launch's. */
static enum ws_status end_launch(struct text_reader *r, struct ws_err *err)
{
	struct ws_stats_launch *l = r->s->launches ? &r->s->launch[r->s->launches - 1] : NULL;
	struct text_stream *stream;

	if (!l)
		return WS_OK;
	if (!r->seen[CYCLES_PLACE])
		return fail_at(r, err, "the launch before has no gpu_sim_cycle");
	stream = stream_of(r);
	if (!stream)
		return ws_fail_memory(err, "the streams");
	for (unsigned i = WS_STAT_WARP_INSTRUCTIONS; i < WS_STATS; i++) {
		bool by_stream = i >= WS_STAT_L1_LOAD && i < WS_STAT_L2_ACCESSES;
		double *before = by_stream ? &stream->sum[i] : &r->sum[i];
		double sum = isnan(l->value[i]) ? 0 : l->value[i];

		if (sum < *before)
			return ws_fail(err, WS_EFORMAT, "%s:%" PRIu64 ": %s falls from %.0f to "
				       "%.0f, but it is cumulative", r->in->name, l->line,
				       ws_stat_rows[i].name, *before, sum);
		l->value[i] = sum - *before;
		*before = sum;
	}
	return WS_OK;
}

static enum ws_status new_launch(struct text_reader *r, const char *name, size_t len,
				   struct ws_err *err)
{
	enum ws_status status = end_launch(r, err);

	if (status != WS_OK)
		return status;
	memset(r->seen, 0, sizeof r->seen);
	r->stream = 0;
	if (memchr(name, '\0', len))
		return fail_at(r, err, "a zero byte");
	return ws_stats_launch_new(r->s, name, len, r->line) ? WS_OK
							     : ws_fail_memory(err, "a launch");
}

/* ---- lines ----------------------------------------------------------------------------- */

/* A count of len characters. */
static bool count_of(const char *text, size_t len, uint64_t *count)
{
	char digits[24];

	if (len == 0 || len >= sizeof digits)
		return false;
	memcpy(digits, text, len);
	digits[len] = '\0';
	return strspn(digits, "0123456789") == len && ws_parse_u64(digits, count) &&
	       (double)*count <= WS_STAT_MOST;
}

/* "NAME = COUNT" of a statistic; place: of its line among all. */
static enum ws_status take_count(struct text_reader *r, unsigned place, unsigned stat,
				 const char *rest, size_t len, struct ws_err *err)
{
	struct ws_stats_launch *l;
	uint64_t count;

	rest = trimmed(rest, &len);
	if (len == 0 || *rest != '=')
		return WS_OK; /* another name that begins alike */
	len--;
	rest = trimmed(rest + 1, &len);
	if (!count_of(rest, len, &count))
		return ws_fail(err, WS_EFORMAT, "%s:%" PRIu64 ": %s is '%.*s', want a count up to "
			       "2^53", r->in->name, r->line, ws_stat_rows[stat].name,
			       (int)(len < 40 ? len : 40), rest);
	if (!r->s->launches)
		return fail_at(r, err, "a statistic before the first kernel_name");
	if (r->seen[place])
		return ws_fail(err, WS_EFORMAT, "%s:%" PRIu64 ": %s is given on line %" PRIu64
			       " already", r->in->name, r->line, ws_stat_rows[stat].name,
			       r->seen[place]);
	r->seen[place] = r->line;
	r->any[stat] = true;
	l = &r->s->launch[r->s->launches - 1];
	l->value[stat] = (double)count + (isnan(l->value[stat]) ? 0 : l->value[stat]);
	return WS_OK;
}

static enum ws_status take_outcome(struct text_reader *r, unsigned b, const char *line, size_t len,
				   struct ws_err *err)
{
	for (unsigned o = 0; o < WS_COUNT(outcomes); o++) {
		size_t n = strlen(outcomes[o].name);

		if (len > n && line[n] == ']' && begins(line, len, outcomes[o].name))
			return take_count(r, (unsigned)WS_COUNT(lines) +
					  b * (unsigned)WS_COUNT(outcomes) + o,
					  (unsigned)breakdowns[b].first + (unsigned)outcomes[o].of,
					  line + n + 1,
					  len - n - 1, err);
	}
	return WS_OK;
}

static enum ws_status take_line(struct text_reader *r, const char *line, size_t len,
				struct ws_err *err)
{
	uint64_t stream;

	line = trimmed(line, &len);
	if (begins(line, len, KERNEL))
		return new_launch(r, line + strlen(KERNEL), len - strlen(KERNEL), err);
	if (begins(line, len, END))
		r->ended = true;
	if (begins(line, len, STREAM) &&
	    count_of(line + strlen(STREAM), len - strlen(STREAM), &stream))
		r->stream = stream;
	for (unsigned i = 0; i < WS_COUNT(lines); i++) {
		size_t n = strlen(lines[i].name);

		if (begins(line, len, lines[i].name))
			return take_count(r, i, lines[i].stat, line + n, len - n, err);
	}
	for (unsigned b = 0; b < WS_COUNT(breakdowns); b++) {
		size_t n = strlen(breakdowns[b].name);

		if (begins(line, len, breakdowns[b].name))
			return take_outcome(r, b, line + n, len - n, err);
	}
	return WS_OK;
}

/* What no launch has is not known; of a cache and kind, if none of its counts is there. */
static void forget_unknown(struct text_reader *r)
{
	for (unsigned first = WS_STAT_L1_LOAD; first < WS_STAT_L2_ACCESSES; first += WS_OF_CACHE) {
		bool any = false;

		for (unsigned i = 0; i < WS_OF_CACHE; i++)
			any = any || r->any[first + i];
		for (unsigned i = 0; i < WS_OF_CACHE; i++)
			r->any[first + i] = any && i != WS_OF_ACCESSES && i != WS_OF_MISS_RATIO;
	}
	for (size_t i = 0; i < r->s->launches; i++)
		for (unsigned k = 0; k < WS_STATS; k++)
			if (!r->any[k])
				r->s->launch[i].value[k] = (double)NAN;
}

enum ws_status ws_stats_text(struct ws_stats *s, const struct ws_in *in, struct ws_err *err)
{
	struct text_reader r = { .s = s, .in = in };
	const char *p = (const char *)in->data, *end = p + in->len;
	enum ws_status status = WS_OK;

	s->kind = "statistics";
	while (p < end && status == WS_OK) {
		size_t len = line_length(p, end);

		r.line++;
		status = take_line(&r, p, len, err);
		p += len + (p + len < end);
	}
	if (status == WS_OK && !r.ended)
		status = fail_at(&r, err, "the file is cut off: want '" END "' after the last "
				 "launch");
	if (status == WS_OK)
		status = end_launch(&r, err);
	if (status == WS_OK)
		forget_unknown(&r);
	for (size_t i = 0; i < s->launches; i++)
		ws_stats_ratios(&s->launch[i]);
	ws_map_clear(&r.map);
	free(r.streams);
	return status;
}
