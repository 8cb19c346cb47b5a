/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/profile.c -- a whole profile to a file, and back (file.h).
 *
 * A written profile is kept in memory until it has been read again: what the reader refuses, as a
 * profile that is larger in memory than a file of its size may be, is not written at all.
 */
#include "stackdist/file/file.h"
#include "stackdist/promises.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CONF_MAX (1u << 20)	/* bytes of a machine's text */
#define SMS (64u * WS_SM_WORDS)

bool ws_profile_recognise(const void *data, size_t len)
{
	return len >= sizeof WS_PROFILE_MAGIC &&
	       !memcmp(data, WS_PROFILE_MAGIC, sizeof WS_PROFILE_MAGIC);
}

/* ---- versions ----------------------------------------------------------------------- */

static bool reserved(const struct ws_section *s)
{
	for (size_t i = 0; i < s->geometries; i++)
		if (s->geometry[i].detail && ws_detail_reserved(s->geometry[i].detail))
			return true;
	return false;
}

static bool simulated(const struct ws_profile *p)
{
	for (size_t i = 0; i < p->sections; i++)
		for (unsigned j = 0; j < 2 * WS_KINDS; j++)
			if (p->section[i].simulated[j / WS_KINDS][j % WS_KINDS].requests)
				return true;
	return false;
}

static bool timed(const struct ws_set_sample *s)
{
	for (size_t i = 0; i < s->runs; i++)
		if (s->run[i].timed)
			return true;
	return false;
}

/* Samples of sets, with times or without; of the sections alone.  0: there are none. */
static uint32_t samples_since(const struct ws_profile *p)
{
	uint32_t since = 0;

	for (size_t i = 0; i < p->sections; i++)
		for (size_t j = 0; j < p->section[i].geometries; j++) {
			const struct ws_set_sample *s = p->section[i].geometry[j].sample;

			if (s && timed(s))
				return WS_PROFILE_VERSION_NEWEST;
			since = s ? WS_PROFILE_VERSION_SETS : since;
		}
	return since;
}

/* The oldest that holds all that is there. */
static uint32_t version_of(const struct ws_profile *p)
{
	uint32_t samples = samples_since(p);
	bool issues = false, chunks = false;

	for (size_t i = 0; i < p->behinds; i++) {
		uint32_t since = samples_since(p->behind[i].l2);

		samples = since > samples ? since : samples;
	}
	if (samples)
		return samples;
	if (ws_machine_adapts(&p->machine) || p->others || simulated(p))
		return WS_PROFILE_VERSION_DEMAND;
	for (size_t i = 0; i < p->sections; i++) {
		issues |= p->section[i].issued || p->section[i].waits;
		chunks |= p->section[i].chunkeds > 0 || reserved(p->section + i);
	}
	if (chunks || p->order != WS_ORDER_NOMINAL)
		return WS_PROFILE_VERSION_CHUNKS;
	return issues || p->behinds ? WS_PROFILE_VERSION_L2 : WS_PROFILE_VERSION;
}

/* ---- the machine, and how it was measured ---------------------------------------------- */

static bool has_sm(const struct ws_profile *p, uint64_t sm)
{
	return p->sm[sm / 64] >> (sm % 64) & 1;
}

/* The first SM from this one on that is counted, or is not. */
static uint64_t next_sm(const struct ws_profile *p, uint64_t sm, bool counted)
{
	while (sm < SMS && has_sm(p, sm) != counted)
		sm++;
	return sm;
}

/* Ranges of SMs that follow each other: the others before each, and its length. */
static void code_sms(struct ws_codec *c, struct ws_profile *p)
{
	uint64_t ranges = 0, sm = 0;

	for (uint64_t i = 0; c->putting && i < SMS; i++)
		ranges += has_sm(p, i) && (i == 0 || !has_sm(p, i - 1));
	ws_code(c, &ranges, 1, SMS, "ranges of SMs");
	for (uint64_t i = 0; i < ranges && !c->status; i++) {
		uint64_t from = c->putting ? next_sm(p, sm, true) : sm, gap = from - sm;
		uint64_t count = c->putting ? next_sm(p, from, false) - from : 0;

		ws_code(c, &gap, i > 0, SMS - sm, "SMs between ranges");
		sm += gap;
		ws_code(c, &count, 1, SMS - sm, "SMs of a range");
		for (; count; count--, sm++)
			if (!c->putting)
				p->sm[sm / 64] |= 1ull << (sm % 64);
	}
}

static void code_rate(struct ws_codec *c, double *rate)
{
	uint64_t bits;

	memcpy(&bits, rate, sizeof bits);
	if (c->putting) {
		ws_put_u64(&c->raw, bits);
		return;
	}
	bits = ws_get_u64(&c->c);
	memcpy(rate, &bits, sizeof bits);
	if (!(*rate > 0 && *rate <= 1))
		ws_codec_bad(c, "a share of sampled lines of %g, want more than 0 and at most 1",
			     *rate);
}

/* The machine as a .conf text. */
static void code_conf(struct ws_codec *c, struct ws_machine *m)
{
	struct ws_buf conf = { 0 };
	char *text = NULL;

	if (c->putting) {
		ws_machine_write(m, &conf);
		ws_put_u8(&conf, 0);
		if (conf.failed)
			ws_codec_fail(c, ws_fail_memory(c->err, "a block of the profile"));
		text = (char *)conf.data;
	}
	ws_code_text(c, &text, CONF_MAX, "machine");
	if (ws_codec_got(c))
		ws_codec_fail(c, ws_machine_read(m, text, strlen(text), c->in->name, c->err));
	if (!c->putting)
		free(text);
	ws_buf_clear(&conf);
}

/* Said if it is not the nominal one. */
static void code_order(struct ws_codec *c, struct ws_profile *p)
{
	uint64_t order = p->order;

	if (!ws_codec_more(c, WS_PROFILE_VERSION_CHUNKS, order != WS_ORDER_NOMINAL))
		return;
	ws_code(c, &order, WS_ORDER_NOMINAL + 1, WS_ORDERS - 1, "order");
	if (!c->putting)
		p->order = (enum ws_order)order;
}

static uint64_t code_machine(struct ws_codec *c, struct ws_profile *p)
{
	uint64_t sections = p->sections;

	ws_codec_open(c, WS_PMAC);
	ws_code_any(c, &p->seed, "seed");
	code_sms(c, p);
	code_rate(c, &p->sample_rate);
	ws_code_any(c, &p->sample_lines, "sampled lines");
	ws_code(c, &sections, 0, ws_codec_blocks(c), "sections");
	code_conf(c, &p->machine);
	code_order(c, p);
	ws_codec_close(c);
	ws_codec_want(c, next_sm(p, ws_l1s(&p->machine), true) == SMS,
		      "an SM was counted that the machine does not have");
	return sections;
}

/* ---- sections ------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_kernels(struct ws_codec *c, const struct ws_profile *p)
{
	const char **name = ws_codec_got(c) ? ws_alloc(p->sections, sizeof *name) : NULL;

	if (!name && ws_codec_got(c))
		ws_codec_fail(c, ws_fail_memory(c->err, "the kernels' names"));
	if (!name)
		return;
	for (size_t i = 0; i < p->sections; i++)
		name[i] = p->section[i].kernel;
	qsort(name, p->sections, sizeof *name, by_name);
	for (size_t i = 1; i < p->sections; i++)
		if (!strcmp(name[i - 1], name[i]))
			ws_codec_bad(c, "two sections of kernel %.64s", name[i]);
	free(name);
}

static bool any_requests(const struct ws_section *s)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		if (s->geometry->kind[kind].requests)
			return true;
	return false;
}

/* Every request has a site, if there are sites. */
static void check_all_sites(struct ws_codec *c, const struct ws_profile *p)
{
	bool with = false, without = false;

	for (size_t i = 0; i < p->sections && ws_codec_got(c); i++) {
		with |= p->section[i].sites > 0;
		without |= p->section[i].sites == 0 && any_requests(p->section + i);
	}
	ws_codec_want(c, !with || !without, "some kernels have sites, others have none");
}

/* The machine and the sections of c->profile. */
static void code_sections(struct ws_codec *c)
{
	struct ws_profile *p = c->profile;
	uint64_t sections = code_machine(c, p);

	ws_codec_array(c, &p->section, &p->sections, sections, sizeof *p->section);
	for (size_t i = 0; i < p->sections && !c->status; i++)
		ws_code_section(c, p->section + i);
	check_kernels(c, p);
	check_all_sites(c, p);
}

/* ---- L2s ------------------------------------------------------------------------------ */

/* Predictions take the lines off that were there at the start, whatever the geometry. */
static bool warm_fits(const struct ws_codec *c, const struct ws_section *s)
{
	for (size_t g = 0; g < s->geometries; g++)
		if (s->warm > s->geometry[g].kind[WS_LOAD].cold)
			return false;
	return s->warm == 0 || ws_l2_filled(c->profile->machine.l2_start);
}

/* All of a section but what was recorded. */
static void copy_launches(struct ws_codec *c, struct ws_section *s, const struct ws_section *from)
{
	*s = (struct ws_section){
		.kernel = ws_strdup(from->kernel), .launches = from->launches,
		.ctas = from->ctas, .warp_instructions = from->warp_instructions,
		.cycles = from->cycles, .issued = from->issued, .waits = from->waits,
		.resident_ctas = from->resident_ctas, .demand = from->demand,
	};
	memcpy(s->grid, from->grid, sizeof s->grid);
	memcpy(s->block, from->block, sizeof s->block);
	if (!s->kernel)
		ws_codec_fail(c, ws_fail_memory(c->err, "a section of the profile"));
}

static void code_level_section(struct ws_codec *c, struct ws_section *s,
			       const struct ws_section *from)
{
	uint64_t geometries = s->geometries;

	if (!c->putting)
		copy_launches(c, s, from);
	ws_codec_open(c, WS_PL2S);
	ws_code_any(c, &s->warm, "lines at the start");
	ws_code(c, &geometries, 1, ws_codec_blocks(c), "geometries");
	ws_codec_close(c);
	ws_code_geometries(c, s, geometries);
	if (ws_codec_got(c))
		ws_codec_want(c, warm_fits(c, s), "more lines that an L2 held at the start than "
			      "cold loads, or some of one that started empty");
}

static void code_level(struct ws_codec *c, struct ws_profile *l2, const struct ws_profile *all)
{
	if (!c->putting) {
		l2->machine = ws_l2_machine(&all->machine);
		l2->seed = all->seed;
		l2->order = all->order;
		l2->sample_rate = 1;
		l2->sm[0] = 1;
	}
	ws_codec_array(c, &l2->section, &l2->sections, all->sections, sizeof *l2->section);
	c->profile = l2;
	for (size_t i = 0; i < l2->sections && !c->status; i++)
		code_level_section(c, l2->section + i, all->section + i);
}

static void check_level(struct ws_codec *c, const struct ws_profile *p)
{
	const struct ws_next_level *b = p->behind + p->behinds - 1;
	struct ws_err why = { 0 };

	if (!ws_codec_got(c))
		return;
	ws_codec_want(c, !ws_profile_sampled(p), "an L2 of a sample");
	ws_codec_want(c, next_sm(p, 0, false) >= ws_l1s(&p->machine), "an L2 of some of the SMs");
	if (ws_filter_check(&p->machine, &b->l1, &why))
		ws_codec_bad(c, "an L2 behind L1s that the profile's machine cannot have: %s",
			     why.text);
	ws_codec_want(c, p->behinds == 1 || ws_filter_compare(&b[-1].l1, &b->l1) < 0,
		      "the L1s before L2s do not ascend");
}

/* Getting: one more. */
static bool add_behind(struct ws_codec *c, struct ws_profile *p)
{
	struct ws_next_level *grown = realloc(p->behind, (p->behinds + 1) * sizeof *grown);

	if (!grown) {
		ws_codec_fail(c, ws_fail_memory(c->err, "a profile"));
		return false;
	}
	p->behind = grown;
	p->behind[p->behinds] = (struct ws_next_level){ .l2 = NULL };
	ws_codec_alloc(c, &p->behind[p->behinds++].l2, 1, sizeof *grown->l2);
	return !c->status;
}

static void code_behind(struct ws_codec *c, struct ws_profile *p, size_t i)
{
	struct ws_next_level *b;

	if (!c->putting && !add_behind(c, p))
		return;
	b = p->behind + i;
	ws_codec_open(c, WS_PL2H);
	ws_code_any(c, &b->l1.line_bytes, "line of the L1s before an L2");
	ws_code_any(c, &b->l1.sets, "sets of the L1s before an L2");
	ws_code_any(c, &b->l1.ways, "ways of the L1s before an L2");
	ws_codec_close(c);
	check_level(c, p);
	code_level(c, b->l2, p);
	c->profile = p;
}

/* ---- orders ---------------------------------------------------------------------------- */

static void code_simulated(struct ws_codec *c)
{
	struct ws_profile *p = c->profile;
	bool any = c->putting && simulated(p);

	if (!ws_codec_next_is(c, WS_PSIM, WS_PROFILE_VERSION_DEMAND, any))
		return;
	ws_codec_open(c, WS_PSIM);
	for (size_t i = 0; i < p->sections; i++)
		for (unsigned j = 0; j < 2 * WS_KINDS; j++) {
			struct ws_missed *m = &p->section[i].simulated[j / WS_KINDS][j % WS_KINDS];

			ws_code_any(c, &m->requests, "simulated requests");
			ws_code(c, &m->misses, 0, m->requests, "simulated misses");
		}
	ws_codec_close(c);
	ws_codec_want(c, p->order == WS_ORDER_CYCLES && simulated(p),
		      "simulated counts of no simulation, or none");
}

/* Is it of the same launches, in the order of another machine? */
static bool matches(const struct ws_profile *p, const struct ws_profile *other)
{
	bool same = other->sections == p->sections && other->order == WS_ORDER_CYCLES &&
		    p->order == WS_ORDER_CYCLES && other->seed == p->seed &&
		    !memcmp(other->sm, p->sm, sizeof p->sm) && !ws_profile_sampled(other);

	for (size_t i = 0; i < p->sections && same; i++)
		same = !strcmp(p->section[i].kernel, other->section[i].kernel) &&
		       p->section[i].launches == other->section[i].launches &&
		       p->section[i].ctas == other->section[i].ctas;
	return same;
}

static void code_other(struct ws_codec *c, struct ws_profile *p, struct ws_profile **other)
{
	ws_codec_alloc(c, other, 1, sizeof **other);
	if (c->status)
		return;
	c->profile = *other;
	code_sections(c);
	code_simulated(c);
	c->profile = p;
	if (ws_codec_got(c))
		ws_codec_want(c, matches(p, *other), "an order that is not of the same launches");
}

static void code_others(struct ws_codec *c)
{
	struct ws_profile *p = c->profile;
	uint64_t count = p->others;

	if (!ws_codec_next_is(c, WS_PORD, WS_PROFILE_VERSION_DEMAND, count > 0))
		return;
	ws_codec_open(c, WS_PORD);
	ws_code(c, &count, 1, ws_codec_blocks(c), "orders");
	ws_codec_close(c);
	ws_codec_array(c, &p->other, &p->others, count, sizeof *p->other);
	for (size_t i = 0; i < p->others && !c->status; i++)
		code_other(c, p, p->other + i);
}

/* ---- all of it ------------------------------------------------------------------------ */

static void code_profile(struct ws_codec *c)
{
	struct ws_profile *p = c->profile;
	size_t i = 0;

	code_sections(c);
	for (; ws_codec_next_is(c, WS_PL2H, WS_PROFILE_VERSION_L2, i < p->behinds); i++)
		code_behind(c, p, i);
	code_simulated(c);
	code_others(c);
	ws_codec_open(c, WS_PEND);
	ws_codec_close(c);
}

enum ws_status ws_profile_put(const struct ws_profile *p, struct ws_out *out, struct ws_err *err)
{
	/* Nothing of a profile is written to when it is put. */
	struct ws_codec c = { .putting = true, .profile = (struct ws_profile *)p, .out = out,
			      .version = version_of(p), .err = err };

	ws_blocks_begin(out, WS_PROFILE_MAGIC, c.version);
	code_profile(&c);
	ws_codec_clear(&c);
	return c.status;
}

static void get_version(struct ws_codec *c, const struct ws_in *in)
{
	struct ws_cursor version = { .p = in->data + 8, .end = in->data + in->len };
	uint64_t first = 0;

	ws_codec_fail(c, ws_blocks_check(in, WS_PROFILE_MAGIC, WS_PROFILE_VERSION_NEWEST, &first,
					 c->err));
	ws_codec_getter(c, in, first);
	if (c->status)
		return;
	c->version = ws_get_u32(&version);
	if (c->version < WS_PROFILE_VERSION)
		ws_codec_fail(c, ws_fail(c->err, WS_EFORMAT, "%s: offset 8: a profile of version %"
					 PRIu32 ", this program reads version %u: profile the "
						 "trace again", in->name, c->version,
							 WS_PROFILE_VERSION));
}

enum ws_status ws_profile_read(struct ws_profile **out, const struct ws_in *in,
			       struct ws_err *err)
{
	struct ws_codec c = { .profile = ws_alloc_zero(1, sizeof **out), .err = err };

	*out = c.profile;
	if (!*out)
		return ws_fail_memory(err, "a profile");
	get_version(&c, in);
	code_profile(&c);
	ws_codec_want(&c, c.next == in->len, "there is more after the last block");
	if (ws_codec_got(&c))
		ws_codec_want(&c, c.version == version_of(*out),
			      "nothing in it is of its version, but all of an older one");
	ws_codec_clear(&c);
	if (c.status) {
		ws_profile_free(*out);
		*out = NULL;
		return c.status;
	}
	ws_promise_profile(*out);
	return WS_OK;
}

/* ---- what can be read again ------------------------------------------------------ */

static enum ws_status check_readable(const void *data, size_t len, struct ws_err *err)
{
	char name[] = "the profile";
	const struct ws_in in = { .data = data, .len = len, .name = name };
	struct ws_profile *again;
	struct ws_err why = { 0 };
	enum ws_status status = ws_profile_read(&again, &in, &why);

	ws_profile_free(again);
	if (status == WS_OK || status == WS_ENOMEM)
		return status != WS_OK ? ws_fail_as(err, &why) : WS_OK;
	return ws_fail(err, WS_ENOMEM, "a profile that could not be read again is not written: %s",
		       why.text);
}

enum ws_status ws_profile_write(const struct ws_profile *p, struct ws_out *out,
				struct ws_err *err)
{
	char *data = NULL;
	size_t len = 0;
	struct ws_out memory = { .file = open_memstream(&data, &len) };
	enum ws_status status;

	if (!memory.file)
		return ws_fail_memory(err, "a profile");
	status = ws_profile_put(p, &memory, err);
	if ((fclose(memory.file) || memory.failed) && status == WS_OK)
		status = ws_fail_memory(err, "a profile");
	if (status == WS_OK)
		status = check_readable(data, len, err);
	if (status == WS_OK)
		ws_out_write(out, data, len);
	free(data);
	return status;
}
