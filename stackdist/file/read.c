/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/read.c -- a file to a profile (file.h).
 *
 * The reader believes nothing: sizes, order and names are checked here, counts in
 * counts.c and check.c.
 */
#include "stackdist/file/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stackdist/profile.h"
#include "stackdist/record/sites.h"

#define STRING_MAX 4096u	/* bytes of a name, as in a trace */
#define CONF_MAX (1u << 20)	/* bytes of a machine's text */
#define SITE_BYTES 9u		/* no site takes less in a block */

/* NULL, or what does not hold: an error. */
static enum ws_status judge(const struct ws_profile_reader *r, const char *wrong)
{
	return wrong ? ws_reader_bad(r, wrong) : WS_OK;
}

/* ---- details --------------------------------------------------------------------- */

static enum ws_status read_counted(struct ws_profile_reader *r, struct ws_detail *d)
{
	enum ws_status status = ws_reader_open(r, WS_PCNT);
	struct ws_detail *scratch;

	if (!status)
		status = ws_reader_alloc(r, &d->counted, 1, sizeof(*d->counted));
	if (!status)
		status = ws_counted_get(r, d->counted);
	if (!status)
		status = ws_reader_close(r);
	if (status)
		return status;
	scratch = ws_alloc_zero(1, sizeof(*scratch));
	if (!scratch)
		return ws_fail_memory(r->err, "a detail");
	status = judge(r, ws_counted_check(d, scratch));
	free(scratch);
	return status;
}

static enum ws_status read_detail(struct ws_profile_reader *r, struct ws_geometry *g,
				  uint64_t follows)
{
	enum ws_status status = ws_reader_open(r, WS_PDET);

	if (!status)
		status = ws_reader_alloc(r, &g->detail, 1, sizeof(*g->detail));
	if (!status)
		status = ws_detail_get(r, g->detail);
	if (!status)
		status = ws_reader_close(r);
	if (!status)
		status = judge(r, ws_detail_check(g->detail, g, &r->profile->machine.l1));
	if (!status && follows == WS_FOLLOWS_COUNTED)
		status = read_counted(r, g->detail);
	return status;
}

/* ---- geometries -------------------------------------------------------------------- */

static enum ws_status check_shape(const struct ws_profile_reader *r, const struct ws_section *s,
				  size_t i)
{
	const struct ws_machine *m = &r->profile->machine;
	const struct ws_geometry *g = s->geometry + i;
	struct ws_shape shape = { g->line_bytes, g->sets };

	if (ws_profile_check_shape(m, &shape, NULL))
		return ws_reader_bad(r, "a line size or a number of sets that the profile's "
				     "machine cannot have");
	if (!ws_is_pow2(g->sector_bytes) || g->sector_bytes < WS_SECTOR_BYTES ||
	    g->sector_bytes > g->line_bytes)
		return ws_reader_bad(r, "a sector size that does not suit the line");
	if (i > 0 && (g->line_bytes < g[-1].line_bytes ||
		      (g->line_bytes == g[-1].line_bytes && g->sets <= g[-1].sets)))
		return ws_reader_bad(r, "the line sizes and numbers of sets do not ascend");
	return WS_OK;
}

static uint64_t what_follows(const struct ws_geometry *g)
{
	return !g->detail ? WS_FOLLOWS_NONE :
	       !g->detail->counted ? WS_FOLLOWS_DETAIL : WS_FOLLOWS_COUNTED;
}

/* A pass measures all kernels in one way. */
static enum ws_status check_first(const struct ws_profile_reader *r, const struct ws_section *s,
				  size_t i, uint64_t follows)
{
	const struct ws_geometry *g = s->geometry + i;
	const struct ws_geometry *first = r->profile->section->geometry + i;

	if (g == first)
		return WS_OK;
	if (g->line_bytes != first->line_bytes || g->sets != first->sets)
		return ws_reader_bad(r, "the line sizes and numbers of sets depend on the kernel");
	if (g->sector_bytes != first->sector_bytes)
		return ws_reader_bad(r, "the sector sizes depend on the kernel");
	if (follows != what_follows(first))
		return ws_reader_bad(r, "some kernels have details that others have not");
	return WS_OK;
}

static enum ws_status read_geometry(struct ws_profile_reader *r, const struct ws_section *s,
				    size_t i)
{
	bool sampled = ws_profile_sampled(r->profile);
	struct ws_geometry *g = s->geometry + i;
	enum ws_status status = ws_reader_open(r, WS_PGEO);
	uint64_t follows;

	if (status)
		return status;
	g->line_bytes = ws_get_var(&r->c);
	g->sector_bytes = ws_get_var(&r->c);
	g->sets = ws_get_var(&r->c);
	follows = ws_get_var(&r->c);
	status = check_shape(r, s, i);
	if (!status && follows >= (sampled ? WS_FOLLOWS_DETAIL : WS_FOLLOWS_KINDS))
		status = ws_reader_bad(r, "details of a kind that is not known, or of a sample");
	if (!status)
		status = check_first(r, s, i, follows);
	for (unsigned kind = 0; kind < WS_KINDS && !status; kind++)
		status = ws_histogram_get(r, g->kind + kind, ws_geometry_sectored(g), sampled);
	if (!status)
		status = ws_reader_close(r);
	if (!status)
		status = judge(r, ws_histograms_check(r->profile, s, g));
	if (!status && follows)
		status = read_detail(r, g, follows);
	return status;
}

static enum ws_status read_geometries(struct ws_profile_reader *r, struct ws_section *s,
				      uint64_t count)
{
	enum ws_status status;

	/* Each is a block, so the file bounds them. */
	if (count == 0 || count > (r->in->len - r->next) / WS_BLOCK_HEADER)
		return ws_reader_bad(r, "a section without geometries, or with more than the file "
				     "holds");
	if (s > r->profile->section && count != r->profile->section->geometries)
		return ws_reader_bad(r, "the number of geometries depends on the kernel");
	status = ws_reader_alloc(r, &s->geometry, (size_t)count, sizeof(*s->geometry));
	if (status)
		return status;
	s->geometries = (size_t)count;
	for (size_t i = 0; i < count && !status; i++)
		status = read_geometry(r, s, i);
	return status;
}

/* ---- sites ---------------------------------------------------------------------------- */

/* A text, and room for it. */
static char *get_text(struct ws_profile_reader *r)
{
	char *text = ws_get_str(&r->c, STRING_MAX);
	size_t len = text ? strlen(text) + 1 : 0;

	r->room = len > r->room ? 0 : r->room - len;
	return text;
}

static enum ws_status read_site(struct ws_profile_reader *r, struct ws_site *site)
{
	uint64_t line, kind;

	site->array = get_text(r);
	site->file = get_text(r);
	line = ws_get_var(&r->c);
	kind = ws_get_var(&r->c);
	if (!site->array || !site->file || r->c.bad)
		return ws_reader_bad(r, "a malformed site");
	if (line > UINT32_MAX || kind >= WS_KINDS)
		return ws_reader_bad(r, "a site of a line or a kind that there is not");
	site->line = (uint32_t)line;
	site->kind = (enum ws_kind)kind;
	return ws_histogram_get(r, &site->count, false, false);
}

static enum ws_status read_sites(struct ws_profile_reader *r, struct ws_section *s, uint64_t count)
{
	enum ws_status status = ws_reader_open(r, WS_PSIT);

	if (status)
		return status;
	if (count > r->raw.len / SITE_BYTES)
		return ws_reader_bad(r, "more sites than the block holds");
	status = ws_reader_alloc(r, &s->site, (size_t)count, sizeof(*s->site));
	for (; s->sites < count && !status; s->sites++) {
		struct ws_site *site = s->site + s->sites;

		status = read_site(r, site);
		if (!status && s->sites && ws_site_compare(site - 1, site) >= 0)
			status = ws_reader_bad(r, "the sites do not ascend");
	}
	return status ? status : ws_reader_close(r);
}

static bool any_requests(const struct ws_section *s)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		if (s->geometry->kind[kind].requests)
			return true;
	return false;
}

/* Every request has a site, if there are sites. */
static enum ws_status check_all_sites(const struct ws_profile_reader *r)
{
	const struct ws_profile *p = r->profile;
	bool with = false, without = false;

	for (size_t i = 0; i < p->sections; i++) {
		with |= p->section[i].sites > 0;
		without |= p->section[i].sites == 0 && any_requests(p->section + i);
	}
	return with && without ? ws_reader_bad(r, "some kernels have sites, others have none")
			       : WS_OK;
}

static enum ws_status next_is(struct ws_profile_reader *r, uint32_t type, bool *is)
{
	struct ws_block block = { 0 };
	enum ws_status status = ws_block_at(r->in, r->next, &block, r->err);

	*is = !status && block.type == type;
	return status;
}

/* ---- sections ------------------------------------------------------------------------- */

/* Ops issued and waits, if they are there: not in a file of the version before, and always with
 * what a launch wants. */
static enum ws_status read_issue(struct ws_profile_reader *r, struct ws_section *s)
{
	if (r->version < WS_PROFILE_VERSION_L2 || r->version >= WS_PROFILE_VERSION_NEWEST ||
	    r->c.p == r->c.end)
		return WS_OK;
	s->issued = ws_get_var(&r->c);
	s->waits = ws_get_var(&r->c);
	return s->issued || s->waits ? WS_OK : ws_reader_bad(r, "no ops issued, and no waits, are "
							     "not to be said");
}

/* What the launch that stands for all wants. */
static enum ws_status read_demand(struct ws_profile_reader *r, struct ws_section *s)
{
	struct ws_demand *d = &s->demand;

	if (r->version < WS_PROFILE_VERSION_NEWEST)
		return WS_OK;
	s->issued = ws_get_var(&r->c);
	s->waits = ws_get_var(&r->c);
	d->shared_bytes = ws_get_var(&r->c);
	d->threads = ws_get_var(&r->c);
	d->registers = ws_get_var(&r->c);
	d->ctas = ws_get_var(&r->c);
	return d->threads && d->threads <= WS_CTA_THREADS_MAX && d->ctas
		? WS_OK : ws_reader_bad(r, "what a launch wants: no threads, too many, or no CTAs");
}

/* If they are there, as in the first section. */
static enum ws_status read_chunks(struct ws_profile_reader *r, struct ws_section *s)
{
	bool any = r->version >= WS_PROFILE_VERSION_CHUNKS;
	enum ws_status status = any ? next_is(r, WS_PCHK, &any) : WS_OK;

	if (status)
		return status;
	if (s > r->profile->section && any != (r->profile->section->chunkeds > 0))
		return ws_reader_bad(r, "some kernels have chunks that others have not");
	if (!any)
		return WS_OK;
	if (ws_profile_sampled(r->profile))
		return ws_reader_bad(r, "chunks of a sample");
	status = ws_reader_open(r, WS_PCHK);
	if (!status)
		status = ws_chunked_get(r, s);
	return status ? status : ws_reader_close(r);
}

static enum ws_status read_section(struct ws_profile_reader *r, struct ws_section *s)
{
	enum ws_status status = ws_reader_open(r, WS_PSEC);
	uint64_t geometries, sites;
	bool empty = false;

	if (status)
		return status;
	s->kernel = get_text(r);
	for (int i = 0; i < 3; i++)
		empty |= !(s->grid[i] = ws_get_var(&r->c));
	for (int i = 0; i < 3; i++)
		empty |= !(s->block[i] = ws_get_var(&r->c));
	s->launches = ws_get_var(&r->c);
	s->ctas = ws_get_var(&r->c);
	s->warp_instructions = ws_get_var(&r->c);
	s->cycles = ws_get_var(&r->c);
	s->resident_ctas = ws_get_var(&r->c);
	geometries = ws_get_var(&r->c);
	sites = ws_get_var(&r->c);
	status = read_issue(r, s);
	if (!status)
		status = read_demand(r, s);
	if (!status)
		status = ws_reader_close(r);
	if (!status && (empty || s->launches == 0))
		status = ws_reader_bad(r, "a section without launches, or of an empty grid");
	if (!status && sites)
		status = read_sites(r, s, sites);
	if (!status)
		status = read_geometries(r, s, geometries);
	if (!status)
		status = read_chunks(r, s);
	return status ? status : judge(r, ws_sites_check(r->profile, s));
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static enum ws_status check_kernels(const struct ws_profile_reader *r)
{
	const struct ws_profile *p = r->profile;
	const char **name = ws_alloc(p->sections, sizeof(*name));
	bool twice = false;

	if (!name)
		return ws_fail_memory(r->err, "the kernels' names");
	for (size_t i = 0; i < p->sections; i++)
		name[i] = p->section[i].kernel;
	qsort(name, p->sections, sizeof(*name), by_name);
	for (size_t i = 1; i < p->sections; i++)
		twice |= !strcmp(name[i - 1], name[i]);
	free(name);
	return twice ? ws_reader_bad(r, "two sections of one kernel") : WS_OK;
}

/* ---- the machine, and how it was measured ------------------------------------------------ */

static bool get_sms(struct ws_cursor *c, struct ws_profile *p)
{
	uint64_t ranges = ws_get_var(c), sm = 0;

	if (ranges == 0)
		return false;
	for (uint64_t i = 0; i < ranges; i++) {
		uint64_t gap = ws_get_var(c), count = ws_get_var(c);

		if (c->bad || gap >= 64 * WS_SM_WORDS - sm || (i > 0 && gap == 0) || count == 0 ||
		    count > 64 * WS_SM_WORDS - sm - gap)
			return false;
		for (sm += gap; count; count--, sm++)
			p->sm[sm / 64] |= 1ull << (sm % 64);
	}
	return true;
}

static enum ws_status check_measured(const struct ws_profile_reader *r)
{
	const struct ws_profile *p = r->profile;
	uint64_t all = p->machine.sm_count;

	if (!(p->sample_rate > 0 && p->sample_rate <= 1))
		return ws_reader_bad(r, "a share of sampled lines that is not above 0 and at most "
				     "1");
	for (uint64_t sm = all; sm < 64 * WS_SM_WORDS; sm++)
		if (p->sm[sm / 64] >> (sm % 64) & 1)
			return ws_reader_bad(r, "an SM was counted that the machine does not have");
	return WS_OK;
}

static enum ws_status read_machine(struct ws_profile_reader *r, uint64_t *sections)
{
	enum ws_status status = ws_reader_open(r, WS_PMAC);
	struct ws_profile *p = r->profile;
	uint64_t rate, order;
	char *text;
	bool sms, said;

	if (status)
		return status;
	p->seed = ws_get_var(&r->c);
	sms = get_sms(&r->c, p);
	rate = ws_get_u64(&r->c);
	memcpy(&p->sample_rate, &rate, sizeof(rate));
	p->sample_lines = ws_get_var(&r->c);
	*sections = ws_get_var(&r->c);
	text = ws_get_str(&r->c, CONF_MAX);
	said = r->version >= WS_PROFILE_VERSION_CHUNKS && r->c.p != r->c.end;
	order = said ? ws_get_var(&r->c) : WS_ORDER_NOMINAL;
	p->order = order < WS_ORDERS ? (enum ws_order)order : WS_ORDER_NOMINAL;
	status = sms ? ws_reader_close(r) : ws_reader_bad(r, "a malformed set of SMs");
	if (!status)
		status = ws_machine_read(&p->machine, text, strlen(text), r->in->name, r->err);
	free(text);
	if (!status && (order >= WS_ORDERS || (said && order == WS_ORDER_NOMINAL)))
		status = ws_reader_bad(r, "an order that is not known, or not to be said");
	if (!status)
		status = check_measured(r);
	if (!status && *sections > (r->in->len - r->next) / WS_BLOCK_HEADER)
		status = ws_reader_bad(r, "more sections than the file holds");
	return status;
}

/* ---- L2s ------------------------------------------------------------------------------ */

/* What the L2 has of a section, of which `from` says the rest. */
/* Predictions take the lines off that were there at the start, whatever the geometry. */
static bool warm_fits(const struct ws_section *s)
{
	for (size_t g = 0; g < s->geometries; g++) {
		if (s->warm > s->geometry[g].kind[WS_LOAD].cold)
			return false;
	}
	return true;
}

static enum ws_status read_level_section(struct ws_profile_reader *r, struct ws_section *s,
					 const struct ws_section *from)
{
	enum ws_status status = ws_reader_open(r, WS_PL2S);
	uint64_t geometries;

	if (status)
		return status;
	*s = (struct ws_section){ .kernel = ws_strdup(from->kernel) };
	if (!s->kernel)
		return ws_fail_memory(r->err, "a section of the profile");
	memcpy(s->grid, from->grid, sizeof(s->grid));
	memcpy(s->block, from->block, sizeof(s->block));
	s->launches = from->launches;
	s->ctas = from->ctas;
	s->warp_instructions = from->warp_instructions;
	s->cycles = from->cycles;
	s->issued = from->issued;
	s->waits = from->waits;
	s->resident_ctas = from->resident_ctas;
	s->demand = from->demand;
	s->warm = ws_get_var(&r->c);
	geometries = ws_get_var(&r->c);
	status = ws_reader_close(r);
	if (!status)
		status = read_geometries(r, s, geometries);
	if (!status && (!warm_fits(s) ||
			(s->warm && r->profile->machine.l2_start != WS_L2_WARM)))
		status = ws_reader_bad(r, "more lines that an L2 held at the start than cold "
				       "loads, or some of one that started empty");
	return status;
}

static enum ws_status read_level(struct ws_profile_reader *r, struct ws_behind *b,
				 const struct ws_profile *all)
{
	struct ws_profile *l2 = b->l2;
	enum ws_status status;

	l2->machine = ws_l2_machine(&all->machine);
	l2->seed = all->seed;
	l2->order = all->order;
	l2->sample_rate = 1;
	l2->sm[0] = 1;
	status = ws_reader_alloc(r, &l2->section, all->sections + 1, sizeof(*l2->section));
	for (; l2->sections < all->sections && !status; l2->sections++)
		status = read_level_section(r, l2->section + l2->sections,
					    all->section + l2->sections);
	return status;
}

static enum ws_status check_level(const struct ws_profile_reader *r)
{
	const struct ws_profile *p = r->profile;
	const struct ws_behind *b = p->behind + p->behinds - 1;

	if (ws_profile_sampled(p))
		return ws_reader_bad(r, "an L2 of a sample");
	for (uint64_t sm = 0; sm < p->machine.sm_count; sm++)
		if (!(p->sm[sm / 64] >> (sm % 64) & 1))
			return ws_reader_bad(r, "an L2 of some of the SMs");
	if (ws_filter_check(&p->machine, &b->l1, NULL))
		return ws_reader_bad(r, "an L2 behind L1s that the profile's machine cannot have");
	if (p->behinds > 1 && ws_filter_compare(&b[-1].l1, &b->l1) >= 0)
		return ws_reader_bad(r, "the L1s before L2s do not ascend");
	return WS_OK;
}

static enum ws_status read_behind(struct ws_profile_reader *r)
{
	struct ws_profile *p = r->profile;
	struct ws_behind *b = realloc(p->behind, (p->behinds + 1) * sizeof(*b));
	enum ws_status status;

	if (!b)
		return ws_fail_memory(r->err, "a profile");
	p->behind = b;
	b += p->behinds;
	*b = (struct ws_behind){ .l2 = NULL };
	status = ws_reader_open(r, WS_PL2H);
	if (status)
		return status;
	b->l1.line_bytes = ws_get_var(&r->c);
	b->l1.sets = ws_get_var(&r->c);
	b->l1.ways = ws_get_var(&r->c);
	status = ws_reader_close(r);
	if (!status)
		status = ws_reader_alloc(r, &b->l2, 1, sizeof(*b->l2));
	if (status)
		return status;
	p->behinds++;
	status = check_level(r);
	r->profile = b->l2;
	if (!status)
		status = read_level(r, b, p);
	r->profile = p;
	return status;
}

/* Up to the last block. */
static enum ws_status read_behinds(struct ws_profile_reader *r)
{
	bool any = r->version >= WS_PROFILE_VERSION_L2;
	enum ws_status status = any ? next_is(r, WS_PL2H, &any) : WS_OK;

	while (any && !status) {
		status = read_behind(r);
		if (!status)
			status = next_is(r, WS_PL2H, &any);
	}
	return status;
}

/* ---- all of it ------------------------------------------------------------------------ */

static enum ws_status begin(struct ws_profile_reader *r)
{
	enum ws_status status = ws_blocks_check(r->in, WS_PROFILE_MAGIC, WS_PROFILE_VERSION_NEWEST,
						&r->next, r->err);
	struct ws_cursor c = { .p = r->in->data + 8, .end = r->in->data + r->in->len };
	uint32_t version;

	if (status)
		return status;
	version = ws_get_u32(&c);
	if (version < WS_PROFILE_VERSION)
		return ws_fail(r->err, WS_EFORMAT, "%s: offset 8: a profile of version %" PRIu32
			       ", this program reads version %u: profile the trace again",
			       r->in->name, version, WS_PROFILE_VERSION);
	r->version = version;
	ws_reader_begin(r);
	return WS_OK;
}

/* The machine and the sections of r->profile. */
static enum ws_status read_sections(struct ws_profile_reader *r)
{
	struct ws_profile *p = r->profile;
	uint64_t sections = 0;
	enum ws_status status = read_machine(r, &sections);

	if (!status)
		status = ws_reader_alloc(r, &p->section, (size_t)sections + 1, sizeof(*p->section));
	for (; p->sections < sections && !status; p->sections++)
		status = read_section(r, p->section + p->sections);
	if (!status)
		status = check_kernels(r);
	return status ? status : check_all_sites(r);
}

/* ---- orders ---------------------------------------------------------------------------- */

static enum ws_status read_simulated(struct ws_profile_reader *r)
{
	struct ws_profile *p = r->profile;
	bool any = r->version >= WS_PROFILE_VERSION_NEWEST, wrong = p->order != WS_ORDER_CYCLES;
	enum ws_status status = any ? next_is(r, WS_PSIM, &any) : WS_OK;

	if (status || !any)
		return status;
	status = ws_reader_open(r, WS_PSIM);
	for (size_t i = 0; i < p->sections && !status; i++)
		for (unsigned j = 0; j < 2 * WS_KINDS; j++) {
			struct ws_missed *m = &p->section[i].simulated[j / WS_KINDS][j % WS_KINDS];

			m->requests = ws_get_var(&r->c);
			m->misses = ws_get_var(&r->c);
			wrong |= m->misses > m->requests;
		}
	if (!status)
		status = ws_reader_close(r);
	if (!status && (wrong || !ws_profile_simulated(p)))
		status = ws_reader_bad(r, "simulated counts of no simulation, or more misses than "
				       "requests");
	return status;
}

/* Is it of the same launches, in the order of another machine? */
static bool matches(const struct ws_profile *p, const struct ws_profile *other)
{
	bool same = other->sections == p->sections && other->order == WS_ORDER_CYCLES &&
		    p->order == WS_ORDER_CYCLES && other->seed == p->seed &&
		    !memcmp(other->sm, p->sm, sizeof(p->sm)) && !ws_profile_sampled(other);

	for (size_t i = 0; i < p->sections && same; i++)
		same = !strcmp(p->section[i].kernel, other->section[i].kernel) &&
		       p->section[i].launches == other->section[i].launches &&
		       p->section[i].ctas == other->section[i].ctas;
	return same;
}

static enum ws_status read_other(struct ws_profile_reader *r)
{
	struct ws_profile *p = r->profile, *other;
	enum ws_status status = ws_reader_alloc(r, &p->other[p->others], 1, sizeof(*p));

	if (status)
		return status;
	other = p->other[p->others++];
	r->profile = other;
	status = read_sections(r);
	if (!status)
		status = read_simulated(r);
	r->profile = p;
	return status || matches(p, other)
		? status : ws_reader_bad(r, "an order that is not of the same launches");
}

static enum ws_status read_others(struct ws_profile_reader *r)
{
	struct ws_profile *p = r->profile;
	bool any = r->version >= WS_PROFILE_VERSION_NEWEST;
	enum ws_status status = any ? next_is(r, WS_PORD, &any) : WS_OK;
	uint64_t count = 0;

	if (status || !any)
		return status;
	status = ws_reader_open(r, WS_PORD);
	if (!status) {
		count = ws_get_var(&r->c);
		status = ws_reader_close(r);
	}
	if (!status && (count == 0 || count > (r->in->len - r->next) / WS_BLOCK_HEADER))
		status = ws_reader_bad(r, "no orders, or more than the file holds");
	if (!status)
		status = ws_reader_alloc(r, &p->other, (size_t)count, sizeof(*p->other));
	while (p->others < count && !status)
		status = read_other(r);
	return status;
}

static enum ws_status read_all(struct ws_profile_reader *r)
{
	enum ws_status status = begin(r);

	if (!status)
		status = read_sections(r);
	if (!status)
		status = read_behinds(r);
	if (!status)
		status = read_simulated(r);
	if (!status)
		status = read_others(r);
	if (!status)
		status = ws_reader_open(r, WS_PEND);
	if (!status)
		status = ws_reader_close(r);
	if (!status && r->next != r->in->len)
		status = ws_reader_bad(r, "there is more after the last block");
	if (!status && r->version != ws_profile_version(r->profile))
		status = ws_reader_bad(r, "nothing in it is of its version, but all of an older "
				       "one");
	return status;
}

enum ws_status ws_profile_read(struct ws_profile **out, const struct ws_in *in,
			       struct ws_err *err)
{
	struct ws_profile_reader r = { .in = in, .err = err };
	enum ws_status status;

	*out = NULL;
	r.profile = ws_alloc_zero(1, sizeof(*r.profile));
	if (!r.profile)
		return ws_fail_memory(err, "a profile");
	status = read_all(&r);
	ws_buf_clear(&r.raw);
	if (status)
		ws_profile_free(r.profile);
	else
		*out = r.profile;
	return status;
}
