/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/organisation.c -- what l1.organisation says, from text and to text.
 */
#include "machine/private.h"

#include <inttypes.h>
#include <string.h>

#define TAGS_MAX 32u		/* of a way */
#define PERCENT 100u
#define LINE_WORDS 4u		/* of a line of chunks */
#define WORD_BITS 5u		/* log2 WS_SECTOR_BYTES */

const char *const ws_organisation_names[] = {
	[WS_LINES] = "line", [WS_SECTORS] = "sector", [WS_DECOUPLED] = "decoupled",
	[WS_ELASTIC] = "elastic", [WS_DYCACHE] = "dycache", NULL,
};

/* The parameter's least and most, and what it is if left out (0: it may not be). */
static const struct { uint32_t low, high, otherwise; } parameters[] = {
	[WS_LINES] = { 0, 0, 0 },
	[WS_SECTORS] = { 0, 0, 0 },
	[WS_DECOUPLED] = { 1, TAGS_MAX, 2 },
	[WS_ELASTIC] = { WS_SECTOR_BYTES, 2 * WS_SECTOR_BYTES, 0 },
	[WS_DYCACHE] = { 0, PERCENT, 0 },
};

bool ws_organisation_parse(struct ws_organised *out, const char *text)
{
	const char *colon = strchr(text, ':');
	size_t len = colon ? (size_t)(colon - text) : strlen(text);
	uint64_t value;

	for (unsigned i = 0; ws_organisation_names[i]; i++) {
		const char *name = ws_organisation_names[i];

		if (strlen(name) != len || memcmp(name, text, len) != 0)
			continue;
		value = parameters[i].otherwise;
		if (colon ? !parameters[i].high || !ws_parse_u64(colon + 1, &value)
			  : parameters[i].high && !value)
			return false;
		if (value < parameters[i].low || value > parameters[i].high ||
		    (i == WS_ELASTIC && !ws_is_pow2(value)))
			return false;
		*out = (struct ws_organised){ .as = (enum ws_organisation)i,
					      .parameter = (uint32_t)value };
		return true;
	}
	return false;
}

void ws_organisation_text(const struct ws_organised *o, char *buf, size_t len)
{
	if (parameters[o->as].high)
		snprintf(buf, len, "%s:%" PRIu32, ws_organisation_names[o->as], o->parameter);
	else
		snprintf(buf, len, "%s", ws_organisation_names[o->as]);
}

void ws_organisation_settle(struct ws_cache *c)
{
	if (c->organised.as == WS_SECTORS) {
		if (c->sector_bytes != WS_SECTOR_BYTES)
			c->sector_else = c->sector_bytes;
		c->sector_bytes = WS_SECTOR_BYTES;
		return;
	}
	if (c->sector_else && !(c->given & WS_GIVEN_SECTOR))
		c->sector_bytes = c->sector_else < c->line_bytes ? c->sector_else : c->line_bytes;
	c->sector_else = 0;
}

/* What these organisations are defined for; the rest of the cache has been checked. */
enum ws_status ws_organisation_check(const struct ws_cache *c, struct ws_err *err)
{
	char text[WS_NAME_MAX];

	if (c->organised.as < WS_ELASTIC || c->line_bytes == WS_GRAIN_LINE)
		return WS_OK;
	ws_organisation_text(&c->organised, text, sizeof text);
	return ws_fail(err, WS_EINVAL, "l1.organisation = %s is of lines of %u bytes, and "
		       "l1.line = %" PRIu64 ": want %u", text, WS_GRAIN_LINE, c->line_bytes,
			       WS_GRAIN_LINE);
}

/* ---- addresses of chunks -------------------------------------------------------------- */

unsigned ws_region_shift(const struct ws_cache *cache)
{
	unsigned set_bits = ws_log2(cache->sets) + !ws_is_pow2(cache->sets);

	return WORD_BITS + (unsigned)cache->chunk_tag_bits + set_bits;
}

uint32_t ws_request_block(uint32_t sectors)
{
	for (unsigned size = 1; size < LINE_WORDS; size *= 2) {
		for (unsigned first = 0; first < LINE_WORDS; first += size) {
			uint32_t block = ((1u << size) - 1) << first;

			if (!(sectors & ~block))
				return block;
		}
	}
	return (1u << LINE_WORDS) - 1;
}
