/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/geometry.c -- size, sets, ways and line of a cache: what follows from those that
 * were given.
 *
 * size = slices * sets * ways * line, slices being 1 for an L1.  What was given
 * since the file was read stays, and of the rest this follows:
 *
 *   given of size, sets, ways      follows
 *   nothing, nor the line          size
 *   nothing, but the line          sets, of the size and ways there are
 *   size                           sets; or ways, where no whole number of sets that
 *                                  the hash takes would do, or, of an L1 that shares its
 *                                  memory (carveout.c), wherever whole ways would do
 *   size and ways                  sets
 *   size and sets                  ways
 *   sets, ways, or both            size
 *   all three                      nothing: they must agree with the line
 *
 * A size of 0, which an L1 may have, is 0 ways of the sets that there are: it holds nothing.
 *
 * A line that nobody gave is the machine's own; it never follows from the others.
 * Settling twice changes nothing.
 * The ranges of ws_keys refuse absurd factors; products saturate, so that what is
 * said of them is true.
 */
#include "base/bits.h"
#include "machine/private.h"

#include <inttypes.h>
#include <string.h>

/* A cache that is not sectored stays so when its line changes, and one that is keeps its
 * sector, as far as the line has room for it; unless the sector was given. */
void ws_geometry_set_line(struct ws_cache *cache, uint64_t line_bytes)
{
	if (!(cache->given & WS_GIVEN_LINE) && cache->sector_bytes == cache->line_bytes)
		cache->given |= WS_GIVEN_UNSECTORED;
	if (!(cache->given & WS_GIVEN_SECTOR) &&
	    (cache->given & WS_GIVEN_UNSECTORED || cache->sector_bytes > line_bytes))
		cache->sector_bytes = line_bytes;
	cache->line_bytes = line_bytes;
}

/* " in 12 slices" of an L2, nothing of an L1. */
static void say_slices(uint64_t slices, const char *prefix, char *out, size_t len)
{
	out[0] = '\0';
	if (strcmp(prefix, "l2") == 0)
		snprintf(out, len, " in l2.slices = %" PRIu64, slices);
}

/* *unknown = size / (slices * known * line), a whole number of at least one. */
static enum ws_status divide_size(const struct ws_cache *c, uint64_t slices, uint64_t known,
				  const char *known_name, uint64_t *unknown,
					  const char *unknown_name,
				  const char *prefix, struct ws_err *err)
{
	uint64_t unit = ws_mul_sat(ws_mul_sat(slices, known), c->line_bytes);
	char in[48];

	if (unit && unit < UINT64_MAX && c->size_bytes >= unit && c->size_bytes % unit == 0) {
		*unknown = c->size_bytes / unit;
		return WS_OK;
	}
	say_slices(slices, prefix, in, sizeof in);
	return ws_fail(err, WS_EINVAL, "%s.size = %" PRIu64 "%s, %s.%s = %" PRIu64
		       " and %s.line = %" PRIu64 " leave no whole number of %s.%s: want a size "
		       "that is a multiple of %" PRIu64 " (or give other %s.%s)", prefix,
		       c->size_bytes, in, prefix, known_name, known, prefix, c->line_bytes,
		       prefix, unknown_name, unit, prefix, known_name);
}

static enum ws_status agree(const struct ws_cache *c, uint64_t slices, const char *prefix,
			    struct ws_err *err)
{
	uint64_t lines = ws_mul_sat(ws_mul_sat(slices, c->sets), c->ways);
	uint64_t product = ws_mul_sat(lines, c->line_bytes);
	char in[48];

	if (product == c->size_bytes)
		return WS_OK;
	say_slices(slices, prefix, in, sizeof in);
	return ws_fail(err, WS_EINVAL, "%s.size = %" PRIu64 "%s, %s.sets = %" PRIu64
		       ", %s.ways = %" PRIu64 " and %s.line = %" PRIu64 " contradict each other: "
		       "want size = sets * ways * line, which is %" PRIu64, prefix, c->size_bytes,
		       in, prefix, c->sets, prefix, c->ways, prefix, c->line_bytes, product);
}

/* Do the sets that follow from the size suit it and the hash? */
static bool sets_follow(const struct ws_cache *c, uint64_t slices)
{
	uint64_t unit = ws_mul_sat(ws_mul_sat(slices, c->ways), c->line_bytes);
	struct ws_cache changed = *c;

	if (unit == 0 || unit == UINT64_MAX || c->size_bytes < unit || c->size_bytes % unit)
		return false;
	changed.sets = c->size_bytes / unit;
	return !c->hash->check || c->hash->check(&changed, NULL) == WS_OK;
}

bool ws_geometry_ways(struct ws_cache *c, uint64_t slices)
{
	uint64_t unit = ws_mul_sat(ws_mul_sat(slices, c->sets), c->line_bytes);
	bool whole = unit && unit < UINT64_MAX && c->size_bytes >= unit &&
		     c->size_bytes % unit == 0;

	if (whole)
		c->ways = c->size_bytes / unit;
	return whole;
}

static enum ws_status settle_none(struct ws_cache *c, const char *prefix, struct ws_err *err)
{
	if (c->given & WS_GIVEN_WAYS && c->ways)
		return ws_fail(err, WS_EINVAL, "%s.size = 0 is none at all, and %s.ways = %" PRIu64
			       " contradicts it: want one of them", prefix, prefix, c->ways);
	c->ways = 0;
	if (!c->sets)
		c->sets = 1;
	return WS_OK;
}

enum ws_status ws_geometry_settle(struct ws_cache *c, uint64_t slices, const char *prefix,
				  struct ws_err *err)
{
	unsigned given = c->given & (WS_GIVEN_SIZE | WS_GIVEN_SETS | WS_GIVEN_WAYS);

	if (!c->size_bytes && (given & WS_GIVEN_SIZE || (!given && !c->ways)))
		return settle_none(c, prefix, err);
	if (given & WS_GIVEN_WAYS && !c->ways)
		return ws_fail(err, WS_EINVAL, "%s.ways = 0: want one or more; %s.size = 0 is "
			       "none at all", prefix, prefix);
	if (given ? !(given & WS_GIVEN_SIZE) : !(c->given & WS_GIVEN_LINE)) {
		c->size_bytes = ws_mul_sat(ws_mul_sat(ws_mul_sat(slices, c->sets), c->ways),
					   c->line_bytes);
		return WS_OK;
	}
	if (given == WS_GIVEN_SIZE && !sets_follow(c, slices) && ws_geometry_ways(c, slices))
		return WS_OK;
	if (!(given & WS_GIVEN_SETS) && c->ways)
		return divide_size(c, slices, c->ways, "ways", &c->sets, "sets", prefix, err);
	if (!(given & WS_GIVEN_WAYS))
		return divide_size(c, slices, c->sets, "sets", &c->ways, "ways", prefix, err);
	return agree(c, slices, prefix, err);
}

