/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/section.c -- a kernel in a profile file: its launches, sites and geometries.
 */
#include "stackdist/file/file.h"

#include "stackdist/record/sites.h"

#define SITE_BYTES 9u		/* no site takes less in a block */

/* ---- geometries -------------------------------------------------------------------- */

/* COUNTED: a block PCNT, which older programs wrote, comes after the detail. */
enum { FOLLOWS_NONE, FOLLOWS_DETAIL, FOLLOWS_COUNTED };

static uint64_t what_follows(const struct ws_geometry *g)
{
	return g->detail ? FOLLOWS_DETAIL : FOLLOWS_NONE;
}

static void check_shape(struct ws_codec *c, const struct ws_section *s,
			const struct ws_geometry *g)
{
	struct ws_shape shape = { g->line_bytes, g->sets };
	struct ws_err why = { 0 };

	if (!ws_codec_got(c))
		return;
	if (ws_profile_check_shape(&c->profile->machine, &shape, &why))
		ws_codec_bad(c, "%s", why.text);
	ws_codec_want(c, ws_is_pow2(g->sector_bytes) && g->sector_bytes >= WS_SECTOR_BYTES &&
		      g->sector_bytes <= g->line_bytes,
			      "a sector size that does not suit the line");
	ws_codec_want(c, g == s->geometry || g->line_bytes > g[-1].line_bytes ||
		      (g->line_bytes == g[-1].line_bytes && g->sets > g[-1].sets),
		      "the line sizes and numbers of sets do not ascend");
}

/* A pass measures all kernels in one way. */
static void check_first(struct ws_codec *c, const struct ws_section *s,
			const struct ws_geometry *g, uint64_t follows)
{
	const struct ws_geometry *first = c->profile->section->geometry + (g - s->geometry);

	if (g == first || !ws_codec_got(c))
		return;
	ws_codec_want(c, g->line_bytes == first->line_bytes && g->sets == first->sets,
		      "the line sizes and numbers of sets depend on the kernel");
	ws_codec_want(c, g->sector_bytes == first->sector_bytes,
		      "the sector sizes depend on the kernel");
	ws_codec_want(c, follows == what_follows(first),
		      "some kernels have details that others have not");
}

static void code_geometry(struct ws_codec *c, const struct ws_section *s, struct ws_geometry *g)
{
	bool sampled = ws_profile_sampled(c->profile);
	uint64_t follows = what_follows(g);
	unsigned with;

	ws_codec_open(c, WS_PGEO);
	ws_code_any(c, &g->line_bytes, "line");
	ws_code_any(c, &g->sector_bytes, "sector");
	ws_code_any(c, &g->sets, "sets");
	ws_code(c, &follows, FOLLOWS_NONE, sampled ? FOLLOWS_NONE : FOLLOWS_COUNTED,
		sampled ? "the kind of details of a sample" : "the kind of details");
	ws_codec_want(c, follows != FOLLOWS_COUNTED, "the profile has count types, which this "
		      "version does not read any more: profile the trace again");
	check_shape(c, s, g);
	check_first(c, s, g, follows);
	with = (g->sector_bytes < g->line_bytes ? WS_WITH_SECTORS : 0) |
	       (sampled ? WS_WITH_VARIANCE : 0);
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		ws_code_histogram(c, g->kind + kind, with);
	ws_codec_close(c);
	ws_codec_check_histograms(c, s, g);
	if (follows != FOLLOWS_NONE)
		ws_code_detail(c, g);
	ws_code_sets(c, s, g);
}

void ws_code_geometries(struct ws_codec *c, struct ws_section *s, uint64_t count)
{
	const struct ws_section *first = c->profile->section;

	ws_codec_want(c, s == first || count == first->geometries,
		      "the number of geometries depends on the kernel");
	ws_codec_array(c, &s->geometry, &s->geometries, count, sizeof *s->geometry);
	for (size_t i = 0; i < s->geometries && !c->status; i++)
		code_geometry(c, s, s->geometry + i);
}

/* ---- sites ---------------------------------------------------------------------------- */

static void code_site(struct ws_codec *c, struct ws_site *site)
{
	uint64_t kind = site->kind;

	ws_code_text(c, &site->array, WS_PROFILE_TEXT_MAX, "a site's array");
	ws_code_text(c, &site->file, WS_PROFILE_TEXT_MAX, "a site's file");
	ws_code_u32(c, &site->line, 0, UINT32_MAX, "a site's line");
	ws_code(c, &kind, 0, WS_KINDS - 1, "a site's kind");
	if (!c->putting)
		site->kind = (enum ws_kind)kind;
	ws_code_histogram(c, &site->count, 0);
}

static void code_sites(struct ws_codec *c, struct ws_section *s, uint64_t count)
{
	ws_codec_open(c, WS_PSIT);
	ws_codec_want(c, count <= c->raw.len / SITE_BYTES, "more sites than the block holds");
	ws_codec_array(c, &s->site, &s->sites, count, sizeof *s->site);
	for (size_t i = 0; i < s->sites && !c->status; i++) {
		struct ws_site *site = s->site + i;

		code_site(c, site);
		if (i > 0 && ws_codec_got(c))
			ws_codec_want(c, ws_site_compare(site - 1, site) < 0,
				      "the sites do not ascend");
	}
	ws_codec_close(c);
}

/* ---- sections ------------------------------------------------------------------------- */

/* Of a version before the newest if they are not 0. */
static void code_issue(struct ws_codec *c, struct ws_section *s)
{
	bool always = c->version >= WS_PROFILE_VERSION_DEMAND;

	if (!always && !ws_codec_more(c, WS_PROFILE_VERSION_L2, s->issued || s->waits))
		return;
	ws_code_any(c, &s->issued, "ops issued");
	ws_code_any(c, &s->waits, "waits");
	ws_codec_want(c, always || s->issued || s->waits,
		      "no ops issued, and no waits, are not to be said");
}

/* What the launch that stands for all wants. */
static void code_demand(struct ws_codec *c, struct ws_demand *d)
{
	ws_code_any(c, &d->shared_bytes, "bytes of shared memory of a CTA");
	ws_code(c, &d->threads, 1, WS_CTA_THREADS_MAX, "threads of a CTA");
	ws_code_any(c, &d->registers, "registers of a thread");
	ws_code(c, &d->ctas, 1, UINT64_MAX, "CTAs of a launch");
}

void ws_code_section(struct ws_codec *c, struct ws_section *s)
{
	uint64_t geometries = s->geometries, sites = s->sites;

	ws_codec_open(c, WS_PSEC);
	ws_code_text(c, &s->kernel, WS_PROFILE_TEXT_MAX, "kernel");
	for (int i = 0; i < 3; i++)
		ws_code(c, s->grid + i, 1, UINT64_MAX, "grid");
	for (int i = 0; i < 3; i++)
		ws_code(c, s->block + i, 1, UINT64_MAX, "block");
	ws_code(c, &s->launches, 1, UINT64_MAX, "launches");
	ws_code_any(c, &s->ctas, "CTAs");
	ws_code_any(c, &s->warp_instructions, "warp instructions");
	ws_code_any(c, &s->cycles, "cycles");
	ws_code_any(c, &s->resident_ctas, "resident CTAs");
	ws_code(c, &geometries, 1, ws_codec_blocks(c), "geometries");
	ws_code_any(c, &sites, "sites");
	code_issue(c, s);
	if (c->version >= WS_PROFILE_VERSION_DEMAND)
		code_demand(c, &s->demand);
	ws_codec_close(c);
	if (sites)
		code_sites(c, s, sites);
	ws_code_geometries(c, s, geometries);
	ws_code_chunks(c, s);
	if (ws_codec_got(c))
		ws_codec_check_sites(c, s);
}
