/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/organisation.c -- the one list of values of l1.organisation; parses and prints them.  To
 * add one: a constant in enum ws_organised_as, and its row here.
 */
#include "machine/private.h"

#include <inttypes.h>
#include <string.h>

#define TAGS_MAX 32u		/* of a way */
#define PERCENT 100u
#define LINE_WORDS 4u		/* of a line of chunks */
#define WORD_BITS 5u		/* log2 WS_SECTOR_BYTES */

const struct ws_organisation ws_organisations[WS_ORGANISATIONS] = {
	[WS_LINES] = {
		.name = "line",
		.summary = "under one tag each",
		.predicted = true,
	},
	[WS_SECTORS] = {
		.name = "sector",
		.summary = "of 32 bytes, those of a line under one tag",
		.source = "Liptay, IBM Systems Journal 7(1), 1968",
		.sectors = true, .predicted = true,
	},
	[WS_DECOUPLED] = {
		.name = "decoupled",
		.summary = "so many tags per line (2 if left out), of which each sector has one",
		.source = "Seznec, ISCA 1994",
		.low = 1, .high = TAGS_MAX, .otherwise = 2,
		.sub_sectors = true,
	},
	[WS_ELASTIC] = {
		.name = "elastic",
		.summary = "chunks of a line from anywhere in one region",
		.source = "Elastic-Cache: Li, Sun, Annavaram and Kim, IPDPS 2017",
		.low = WS_SECTOR_BYTES, .high = 2 * WS_SECTOR_BYTES, .pow2 = true,
		.sub_sectors = true, .chunks = true, .predicted = true,
	},
	[WS_DYCACHE] = {
		.name = "dycache",
		.summary = "chunks of 32, 64 or 128 bytes as the requests want it, by a threshold "
			   "in percent",
		.source = "DyCache: Guo, Huang, Lu, Ma and Wang, IEEE Access 6, 2018",
		.high = PERCENT,
		.sub_sectors = true, .chunks = true, .dynamic = true, .predicted = true,
	},
};

/* ---- text ------------------------------------------------------------------------------ */

const struct ws_organisation *ws_organisation_find(const char *text)
{
	size_t len = strcspn(text, ":");

	for (size_t i = 0; i < WS_ORGANISATIONS; i++) {
		const char *name = ws_organisations[i].name;

		if (strlen(name) == len && memcmp(name, text, len) == 0)
			return &ws_organisations[i];
	}
	return NULL;
}

bool ws_organisation_parse(struct ws_organised *out, const char *text)
{
	const struct ws_organisation *o = ws_organisation_find(text);
	const char *colon = strchr(text, ':');
	uint64_t value;

	if (!o)
		return false;
	value = o->otherwise;
	if (colon ? !o->high || !ws_parse_u64(colon + 1, &value) : o->high && !value)
		return false;
	if (value < o->low || value > o->high || (o->pow2 && !ws_is_pow2(value)))
		return false;
	*out = (struct ws_organised){ .as = (enum ws_organised_as)(o - ws_organisations),
				      .parameter = (uint32_t)value };
	return true;
}

void ws_organisation_text(const struct ws_organised *o, char *buf, size_t len)
{
	if (o->as >= WS_ORGANISATIONS)
		snprintf(buf, len, "(none)");
	else if (ws_organisations[o->as].high)
		snprintf(buf, len, "%s:%" PRIu32, ws_organisations[o->as].name, o->parameter);
	else
		snprintf(buf, len, "%s", ws_organisations[o->as].name);
}

void ws_organisation_form(const struct ws_organisation *o, char *buf, size_t len)
{
	size_t used = 0;

	if (!o->high)
		snprintf(buf, len, "%s", o->name);
	else if (!o->pow2)
		snprintf(buf, len, o->otherwise ? "%s[:%" PRIu32 "..%" PRIu32 "]"
						: "%s:%" PRIu32 "..%" PRIu32,
			 o->name, o->low, o->high);
	for (uint32_t n = o->low; o->pow2 && n <= o->high && used < len; n *= 2)
		used += (size_t)snprintf(buf + used, len - used, "%s%s:%" PRIu32, used ? ", " : "",
					 o->name, n);
}

/* ---- what a cache has to be ------------------------------------------------------------- */

void ws_organisation_settle(struct ws_cache *c)
{
	if (c->organised.as < WS_ORGANISATIONS && ws_organisation_of(c)->sectors) {
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

	if (!ws_organisation_of(c)->chunks || c->line_bytes == WS_GRAIN_LINE)
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
