/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/set_ways.c -- the ways of each set, where sets differ.
 *
 * Written as runs of sets from set 0 on: "17+6x8" is a set of 17 ways and six of 8.  Neighbouring
 * runs of equal ways are one.
 */
#include "machine/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST 65536u		/* sets of a run, ways of a set */
#define TLB_MOST 65536u		/* entries */

/* "6x8" or "17", up to '+' or the end. */
static bool parse_run(const char *text, size_t len, uint64_t *sets, uint64_t *ways)
{
	char copy[32], *x;

	if (len >= sizeof copy)
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	x = strchr(copy, 'x');
	if (x)
		*x++ = '\0';
	*sets = 1;
	if ((x && !ws_parse_u64(copy, sets)) || !ws_parse_u64(x ? x : copy, ways))
		return false;
	return *sets >= 1 && *sets <= MOST && *ways >= 1 && *ways <= MOST;
}

bool ws_set_ways_add(struct ws_set_ways *w, uint64_t sets, uint64_t ways)
{
	if (w->runs && w->run[w->runs - 1].ways == ways) {
		w->run[w->runs - 1].sets += (uint32_t)sets;
		return true;
	}
	if (w->runs == WS_SET_RUNS)
		return false;
	w->run[w->runs].sets = (uint32_t)sets;
	w->run[w->runs++].ways = (uint32_t)ways;
	return true;
}

bool ws_set_ways_parse(struct ws_set_ways *out, const char *text, const char *none)
{
	struct ws_set_ways all = { .runs = 0 };
	uint64_t sets, ways;

	for (const char *at = text; strcmp(text, none) != 0; at++) {
		size_t len = strcspn(at, "+");

		if (!parse_run(at, len, &sets, &ways) || !ws_set_ways_add(&all, sets, ways) ||
		    ws_set_ways_sets(&all) > MOST)
			return false;
		at += len;
		if (!*at)
			break;
	}
	*out = all;
	return true;
}

size_t ws_set_ways_text(const struct ws_set_ways *w, char *buf, size_t len)
{
	size_t used = 0;

	if (len)
		buf[0] = '\0';
	for (uint32_t i = 0; i < w->runs; i++) {
		char run[32];

		if (w->run[i].sets > 1)
			snprintf(run, sizeof run, "%s%" PRIu32 "x%" PRIu32, i ? "+" : "",
				 w->run[i].sets, w->run[i].ways);
		else
			snprintf(run, sizeof run, "%s%" PRIu32, i ? "+" : "", w->run[i].ways);
		if (used < len)
			snprintf(buf + used, len - used, "%s", run);
		used += strlen(run);
	}
	return used;
}

uint64_t ws_set_ways_sets(const struct ws_set_ways *w)
{
	uint64_t sets = 0;

	for (uint32_t i = 0; i < w->runs; i++)
		sets += w->run[i].sets;
	return sets;
}

uint64_t ws_set_ways_most(const struct ws_set_ways *w)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < w->runs; i++)
		if (w->run[i].ways > most)
			most = w->run[i].ways;
	return most;
}

uint64_t ws_set_ways_sum(const struct ws_set_ways *w)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < w->runs; i++)
		sum += (uint64_t)w->run[i].sets * w->run[i].ways;
	return sum;
}

uint32_t *ws_set_ways_list(const struct ws_set_ways *w)
{
	uint32_t *ways = ws_alloc((size_t)ws_set_ways_sets(w), sizeof *ways);
	size_t set = 0;

	for (uint32_t i = 0; ways && i < w->runs; i++)
		for (uint32_t k = 0; k < w->run[i].sets; k++)
			ways[set++] = w->run[i].ways;
	return ways;
}

uint64_t ws_cache_lines(const struct ws_cache *cache)
{
	return cache->set_ways.runs ? ws_set_ways_sum(&cache->set_ways)
				    : cache->sets * cache->ways;
}

bool ws_cache_set_ways(const struct ws_cache *cache, uint32_t **out)
{
	*out = NULL;
	if (!cache->set_ways.runs)
		return true;
	*out = ws_set_ways_list(&cache->set_ways);
	return *out != NULL;
}

/* ---- agreement with size, sets and ways --------------------------------------------------- */

static enum ws_status disagree(const struct ws_cache *c, const char *key, uint64_t value,
			       uint64_t want, struct ws_err *err)
{
	char text[2 * WS_NAME_MAX];

	ws_set_ways_text(&c->set_ways, text, sizeof text);
	return ws_fail(err, WS_EINVAL, "l1.%s = %" PRIu64 " contradicts l1.sets.ways = %s, by "
		       "which it is %" PRIu64 ": want one of them, or l1.sets.ways = equal", key,
		       value, text, want);
}

/* A caller's may hold anything. */
static bool sane(const struct ws_set_ways *w)
{
	if (w->runs > WS_SET_RUNS)
		return false;
	for (uint32_t i = 0; i < w->runs; i++)
		if (!w->run[i].sets || w->run[i].sets > MOST || !w->run[i].ways ||
		    w->run[i].ways > MOST)
			return false;
	return ws_set_ways_sets(w) <= MOST;
}

enum ws_status ws_set_ways_settle(struct ws_cache *c, struct ws_err *err)
{
	uint64_t sets, most, size;

	if (!c->set_ways.runs)
		return WS_OK;
	if (!sane(&c->set_ways))
		return ws_fail(err, WS_EINVAL, "l1.sets.ways: want up to %u runs of 1 to %u sets "
			       "1 to %u ways", WS_SET_RUNS, MOST, MOST);
	sets = ws_set_ways_sets(&c->set_ways);
	most = ws_set_ways_most(&c->set_ways);
	size = ws_cache_lines(c) * c->line_bytes;
	if (c->given & WS_GIVEN_SETS && c->sets != sets)
		return disagree(c, "sets", c->sets, sets, err);
	if (c->given & WS_GIVEN_WAYS && c->ways != most)
		return disagree(c, "ways", c->ways, most, err);
	if (c->given & WS_GIVEN_SIZE && c->size_bytes != size)
		return disagree(c, "size", c->size_bytes, size, err);
	c->sets = sets;
	c->ways = most;
	c->size_bytes = size;
	return WS_OK;
}

/* ---- TLBs ------------------------------------------------------------------------------ */

enum ws_status ws_tlb_check(const struct ws_machine *m, struct ws_err *err)
{
	for (unsigned i = 0; i < 2; i++)
		if (!sane(&m->tlb[i]) || ws_set_ways_sum(&m->tlb[i]) > TLB_MOST)
			return ws_fail(err, WS_EINVAL, "tlb.l%u: want at most %u entries", i + 1,
				       TLB_MOST);
	if (m->tlb[1].runs && !m->tlb[0].runs)
		return ws_fail(err, WS_EINVAL, "tlb.l2: want a tlb.l1 before it");
	return WS_OK;
}
