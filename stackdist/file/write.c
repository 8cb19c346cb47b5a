/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/write.c -- a profile to a file (file.h).
 *
 * What is written is what is there, and nothing is written twice.  It is kept in memory until it has
 * been read again: what the reader refuses, as a profile that is larger in memory than
 * a file of its size may be, is not written at all.
 */
#include "stackdist/file/file.h"

#include <stdlib.h>
#include <string.h>

bool ws_profile_recognise(const void *data, size_t len)
{
	return len >= sizeof(WS_PROFILE_MAGIC) &&
	       !memcmp(data, WS_PROFILE_MAGIC, sizeof(WS_PROFILE_MAGIC));
}

static enum ws_status put_block(struct ws_out *out, uint32_t type, struct ws_buf *raw,
				struct ws_err *err)
{
	struct ws_buf packed = { 0 };
	enum ws_status status;

	if (raw->failed)
		status = ws_fail_memory(err, "a block of the profile");
	else
		status = ws_block_pack(&packed, type, raw->data, raw->len, err);
	if (!status)
		ws_out_write(out, packed.data, packed.len);
	ws_buf_clear(&packed);
	ws_buf_clear(raw);
	return status;
}

/* ---- PMAC --------------------------------------------------------------------- */

static bool has_sm(const struct ws_profile *p, size_t sm)
{
	return p->sm[sm / 64] >> (sm % 64) & 1;
}

/* Ranges of SMs that follow each other: the others before each, and its length. */
static void put_sms(struct ws_buf *raw, const struct ws_profile *p)
{
	const size_t all = 64 * WS_SM_WORDS;
	size_t ranges = 0, from = 0, end;

	for (size_t sm = 0; sm < all; sm++)
		ranges += has_sm(p, sm) && (sm == 0 || !has_sm(p, sm - 1));
	ws_put_var(raw, ranges);
	for (size_t sm = 0; sm < all; sm = end + 1) {
		for (end = sm; end < all && has_sm(p, end);)
			end++;
		if (end == sm)
			continue;
		ws_put_var(raw, sm - from);
		ws_put_var(raw, end - sm);
		from = end;
	}
}

static enum ws_status put_machine(struct ws_out *out, const struct ws_profile *p,
				  struct ws_err *err)
{
	struct ws_buf raw = { 0 }, conf = { 0 };
	uint64_t rate;

	memcpy(&rate, &p->sample_rate, sizeof(rate));
	ws_machine_write(&p->machine, &conf);
	ws_put_var(&raw, p->seed);
	put_sms(&raw, p);
	ws_put_u64(&raw, rate);
	ws_put_var(&raw, p->sample_lines);
	ws_put_var(&raw, p->sections);
	ws_put_var(&raw, conf.len);
	ws_put_bytes(&raw, conf.data, conf.len);
	if (p->order != WS_ORDER_NOMINAL)
		ws_put_var(&raw, p->order);
	raw.failed |= conf.failed;
	ws_buf_clear(&conf);
	return put_block(out, WS_PMAC, &raw, err);
}

/* ---- sections ------------------------------------------------------------------- */

static enum ws_status put_sites(struct ws_out *out, const struct ws_section *s,
				struct ws_err *err)
{
	struct ws_buf raw = { 0 };

	for (size_t i = 0; i < s->sites; i++) {
		const struct ws_site *site = s->site + i;

		ws_put_str(&raw, site->array);
		ws_put_str(&raw, site->file);
		ws_put_var(&raw, site->line);
		ws_put_var(&raw, site->kind);
		ws_histogram_put(&raw, &site->count, false, false);
	}
	return put_block(out, WS_PSIT, &raw, err);
}

static enum ws_status put_geometry(struct ws_out *out, const struct ws_geometry *g, bool sampled,
				   struct ws_err *err)
{
	const struct ws_counted *counted = g->detail ? g->detail->counted : NULL;
	struct ws_buf raw = { 0 };
	enum ws_status status;

	ws_put_var(&raw, g->line_bytes);
	ws_put_var(&raw, g->sector_bytes);
	ws_put_var(&raw, g->sets);
	ws_put_var(&raw, !g->detail ? WS_FOLLOWS_NONE :
		   counted ? WS_FOLLOWS_COUNTED : WS_FOLLOWS_DETAIL);
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		ws_histogram_put(&raw, g->kind + kind, ws_geometry_sectored(g), sampled);
	status = put_block(out, WS_PGEO, &raw, err);
	if (status || !g->detail)
		return status;
	ws_detail_put(&raw, g->detail);
	status = put_block(out, WS_PDET, &raw, err);
	if (status || !counted)
		return status;
	ws_counted_put(&raw, counted);
	return put_block(out, WS_PCNT, &raw, err);
}

static void put_demand(struct ws_buf *raw, const struct ws_demand *d)
{
	ws_put_var(raw, d->shared_bytes);
	ws_put_var(raw, d->threads);
	ws_put_var(raw, d->registers);
	ws_put_var(raw, d->ctas);
}

static enum ws_status put_section(struct ws_out *out, const struct ws_profile *p, bool newest,
				  const struct ws_section *s, struct ws_err *err)
{
	bool sampled = ws_profile_sampled(p);
	struct ws_buf raw = { 0 };
	enum ws_status status;

	ws_put_str(&raw, s->kernel);
	for (int i = 0; i < 3; i++)
		ws_put_var(&raw, s->grid[i]);
	for (int i = 0; i < 3; i++)
		ws_put_var(&raw, s->block[i]);
	ws_put_var(&raw, s->launches);
	ws_put_var(&raw, s->ctas);
	ws_put_var(&raw, s->warp_instructions);
	ws_put_var(&raw, s->cycles);
	ws_put_var(&raw, s->resident_ctas);
	ws_put_var(&raw, s->geometries);
	ws_put_var(&raw, s->sites);
	if (s->issued || s->waits || newest) {
		ws_put_var(&raw, s->issued);
		ws_put_var(&raw, s->waits);
	}
	if (newest)
		put_demand(&raw, &s->demand);
	status = put_block(out, WS_PSEC, &raw, err);
	if (!status && s->sites)
		status = put_sites(out, s, err);
	for (size_t i = 0; i < s->geometries && !status; i++)
		status = put_geometry(out, s->geometry + i, sampled, err);
	if (status || !s->chunkeds)
		return status;
	ws_chunked_put(&raw, s);
	return put_block(out, WS_PCHK, &raw, err);
}

/* The L2 behind L1s of one geometry: what its sections are besides is in those before. */
static enum ws_status put_behind(struct ws_out *out, const struct ws_behind *b, struct ws_err *err)
{
	struct ws_buf raw = { 0 };
	enum ws_status status;

	ws_put_var(&raw, b->l1.line_bytes);
	ws_put_var(&raw, b->l1.sets);
	ws_put_var(&raw, b->l1.ways);
	status = put_block(out, WS_PL2H, &raw, err);
	for (size_t i = 0; i < b->l2->sections && !status; i++) {
		const struct ws_section *s = b->l2->section + i;

		ws_put_var(&raw, s->warm);
		ws_put_var(&raw, s->geometries);
		status = put_block(out, WS_PL2S, &raw, err);
		for (size_t j = 0; j < s->geometries && !status; j++)
			status = put_geometry(out, s->geometry + j, false, err);
	}
	return status;
}

/* ---- orders -------------------------------------------------------------------- */

static enum ws_status put_simulated(struct ws_out *out, const struct ws_profile *p,
				    struct ws_err *err)
{
	struct ws_buf raw = { 0 };

	if (!ws_profile_simulated(p))
		return WS_OK;
	for (size_t i = 0; i < p->sections; i++)
		for (unsigned j = 0; j < 2 * WS_KINDS; j++) {
			const struct ws_missed *m =
				&p->section[i].simulated[j / WS_KINDS][j % WS_KINDS];

			ws_put_var(&raw, m->requests);
			ws_put_var(&raw, m->misses);
		}
	return put_block(out, WS_PSIM, &raw, err);
}

static enum ws_status put_sections(struct ws_out *out, const struct ws_profile *p, bool newest,
				   struct ws_err *err)
{
	enum ws_status status = put_machine(out, p, err);

	for (size_t i = 0; i < p->sections && !status; i++)
		status = put_section(out, p, newest, p->section + i, err);
	return status;
}

static enum ws_status put_others(struct ws_out *out, const struct ws_profile *p,
				 struct ws_err *err)
{
	struct ws_buf raw = { 0 };
	enum ws_status status;

	if (!p->others)
		return WS_OK;
	ws_put_var(&raw, p->others);
	status = put_block(out, WS_PORD, &raw, err);
	for (size_t i = 0; i < p->others && !status; i++) {
		status = put_sections(out, p->other[i], true, err);
		if (!status)
			status = put_simulated(out, p->other[i], err);
	}
	return status;
}

enum ws_status ws_profile_put(const struct ws_profile *p, struct ws_out *out, struct ws_err *err)
{
	uint32_t version = ws_profile_version(p);
	struct ws_buf none = { 0 };
	enum ws_status status;

	ws_blocks_begin(out, WS_PROFILE_MAGIC, version);
	status = put_sections(out, p, version >= WS_PROFILE_VERSION_NEWEST, err);
	for (size_t i = 0; i < p->behinds && !status; i++)
		status = put_behind(out, p->behind + i, err);
	if (!status)
		status = put_simulated(out, p, err);
	if (!status)
		status = put_others(out, p, err);
	return status ? status : put_block(out, WS_PEND, &none, err);
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
	if (!status || status == WS_ENOMEM)
		return status ? ws_fail_as(err, &why) : WS_OK;
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
	if ((fclose(memory.file) || memory.failed) && !status)
		status = ws_fail_memory(err, "a profile");
	if (!status)
		status = check_readable(data, len, err);
	if (!status)
		ws_out_write(out, data, len);
	free(data);
	return status;
}
