/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/check.c -- checks a machine as a whole.
 *
 * Derived values are set first, on a copy: the L1 and the shared memory of an SM (carveout.c), the
 * sectors that an organisation asks for (organisation.c) and the L2's size, sets and ways
 * (geometry.c).  Every key is then in its range, and keys agree.
 */
#include "machine/private.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#define HEADER 8u		/* bytes of a packet: WS_PACKET_HEADER_BYTES */

static enum ws_status check_cache(const struct ws_cache *c, const char *prefix,
				  struct ws_err *err)
{
	struct ws_err why;

	why.status = WS_OK;	/* its text is not cleared for each row */
	if (c->sector_bytes > c->line_bytes)
		return ws_fail(err, WS_EINVAL, "%s.sector = %" PRIu64 ": want a power of two 32..%"
			       PRIu64 ", the line", prefix, c->sector_bytes, c->line_bytes);
	if (!c->hash->check || c->hash->check(c, &why) == WS_OK)
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "%s.hash: %s (%s.size = %" PRIu64 ", %s.ways = %" PRIu64
		       ", %s.line = %" PRIu64 ")", prefix, why.text, prefix, c->size_bytes,
		       prefix, c->ways, prefix, c->line_bytes);
}

/* How the L2 is cut into slices, and they onto channels; values are in their ranges. */
static enum ws_status check_slices(const struct ws_machine *m, struct ws_err *err)
{
	const char *hash = ws_slice_hash_names[m->l2_slice_hash];
	const struct ws_cache blocks = {
		.sets = m->l2_slices, .line_bytes = m->l2_interleave_bytes,
		.hash = ws_slice_hashes[m->l2_slice_hash],
	};

	if (m->l2_interleave_bytes < m->l2.line_bytes)
		return ws_fail(err, WS_EINVAL,
			       "l2.interleave = %" PRIu64 ": want l2.line = %" PRIu64
			       " or more: a line is in one slice", m->l2_interleave_bytes,
			       m->l2.line_bytes);
	if (blocks.hash->check && blocks.hash->check(&blocks, NULL))
		return ws_fail(err, WS_EINVAL, "l2.slice-hash = %s is defined for %s of slices, "
			       "and l2.slices = %" PRIu64 ": want modulo, or other l2.slices", hash,
			       strncmp(hash, "ipoly", 5) == 0 ? "1..4096 times an odd number"
							  : "a power of two", m->l2_slices);
	return WS_OK;
}

/* What goes through a router at once, and how many sectors come of it. */
static enum ws_status check_router(const struct ws_machine *m, struct ws_err *err)
{
	uint64_t bytes = HEADER + m->l2.line_bytes;
	uint64_t flits = (bytes + m->icnt_width - 1) / m->icnt_width;
	uint64_t least = m->icnt_router_in < m->icnt_router_out ? m->icnt_router_in
								: m->icnt_router_out;

	if (m->icnt_queues != WS_QUEUES_ROUTER)
		return WS_OK;
	if (flits > least)
		return ws_fail(err, WS_EINVAL, "icnt.router.%s = %" PRIu64 ": want %" PRIu64
			       " flits of icnt.width = %" PRIu64 " or more, a store of an L2 line",
			       least == m->icnt_router_in ? "in" : "out", least, flits,
			       m->icnt_width);
	if (m->l2_queue >= m->l2.line_bytes / WS_SECTOR_BYTES)
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "l2.queue = %" PRIu64 ": want %" PRIu64 " or more, the "
		       "sectors of an L2 line", m->l2_queue, m->l2.line_bytes / WS_SECTOR_BYTES);
}

static enum ws_status check_rows(const struct ws_machine *m, struct ws_err *err)
{
	if (!m->dram_row || (ws_is_pow2(m->dram_row) && m->dram_row >= m->l2.line_bytes))
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "dram.row = %" PRIu64 ": want 0, or a power of two from "
		       "l2.line = %" PRIu64 " on", m->dram_row, m->l2.line_bytes);
}

/* GPGPU-Sim's masks are of 128 bytes. */
static enum ws_status check_profile(const struct ws_machine *m, struct ws_err *err)
{
	if (m->profile == WS_BEHAVES_HARDWARE)
		return WS_OK;
	if (m->coalesce_line > WS_WRITTEN_BYTES || m->coalesce_line > m->l1.line_bytes)
		return ws_fail(err, WS_EINVAL, "coalesce.line = %" PRIu64 ": want at most %u and "
			       "l1.line = %" PRIu64 " with profile = gpgpusim", m->coalesce_line,
			       WS_WRITTEN_BYTES, m->l1.line_bytes);
	if (m->sm_large_warp > 1)
		return ws_fail(err, WS_EINVAL, "sm.large-warp = %" PRIu64 ": want 1 with profile = "
			       "gpgpusim, which has none", m->sm_large_warp);
	return WS_OK;
}

static enum ws_status check_banks(const struct ws_machine *m, struct ws_err *err)
{
	uint64_t bytes = m->l1_banks_bytes;

	if (!bytes || (bytes >= WS_SECTOR_BYTES && ws_is_pow2(bytes)))
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "l1.banks.bytes = %" PRIu64 ": want 0 or a power of two "
		       "from %u on", bytes, WS_SECTOR_BYTES);
}

static enum ws_status check_parts(const struct ws_machine *m, struct ws_err *err)
{
	if (ws_l1s(m) > WS_L1S_MAX)
		return ws_fail(err, WS_EINVAL, "l1.parts = %" PRIu64 ": want at most %u L1s, and "
			       "sm.count is %" PRIu64, m->l1_parts, WS_L1S_MAX, m->sm_count);
	if (m->l1_parts > 1 && m->sm_unified_bytes)
		return ws_fail(err, WS_EINVAL, "l1.parts = %" PRIu64 ": want 1, as the L1 shares "
			       "sm.unified", m->l1_parts);
	return WS_OK;
}

static enum ws_status check_none(const struct ws_machine *m, struct ws_err *err)
{
	if (m->l1.ways || !ws_organisation_of(&m->l1)->sub_sectors)
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "l1.organisation = %s: want an L1, and l1.size is 0",
		       ws_organisation_of(&m->l1)->name);
}

/* An L1 whose sets differ is what they say: no carve-out changes it. */
static enum ws_status settle_l1(struct ws_machine *m, struct ws_err *err)
{
	struct ws_cache *l1 = &m->l1, unequal;
	enum ws_status status;

	if (!l1->set_ways.runs)
		return ws_carveout_settle(m, err);
	status = ws_set_ways_settle(l1, err);
	unequal = *l1;
	l1->given &= ~(unsigned)WS_GIVEN_SIZE;
	l1->given |= WS_GIVEN_SETS | WS_GIVEN_WAYS;
	if (status == WS_OK)
		status = ws_carveout_settle(m, err);
	if (status == WS_OK && (m->sm_carveout != WS_APART || l1->ways != unequal.ways))
		status = ws_fail(err, WS_EINVAL, "l1.sets.ways: want sm.carveout = none, which "
				 "changes the ways of all sets");
	if (status == WS_OK && !ws_organised_plainly(l1) && !ws_organisation_of(l1)->sectors)
		status = ws_fail(err, WS_EINVAL, "l1.sets.ways: want equal where l1.organisation "
				 "= %s", ws_organisation_of(l1)->name);
	*l1 = unequal;
	return status;
}

static void list_keys(struct ws_beside *b, uint64_t blocks)
{
	b->blocks = blocks;
	b->keys = 0;
	for (const struct ws_key *key = ws_keys; key->name; key++)
		if (!ws_key_elsewhere(key, blocks))
			b->key[b->keys++] = key;
}

static enum ws_status check_keys(const struct ws_machine *m, struct ws_beside *b,
				 struct ws_err *err)
{
	uint64_t blocks = b->like ? ws_machine_blocks(m, b->like) : UINT64_MAX;
	enum ws_status status = WS_OK;

	if (!b->keys || blocks != b->blocks)
		list_keys(b, blocks);
	for (size_t i = 0; i < b->keys && status == WS_OK; i++)
		status = ws_key_check(m, b->key[i], err);
	return status;
}

/* How keys agree, once all are settled and in their ranges. */
static enum ws_status (*const agreements[])(const struct ws_machine *m, struct ws_err *err) = {
	check_none, ws_tlb_check, check_router, check_rows, ws_dram_check, ws_pipeline_check,
	ws_front_check, check_banks, check_profile, check_parts, check_slices,
};

enum ws_status ws_machine_check(struct ws_machine *m, struct ws_err *err)
{
	struct ws_machine settled = *m;
	enum ws_status status = ws_machine_check_like(&settled, NULL, err);

	if (status == WS_OK)
		*m = settled;
	return status;
}

enum ws_status ws_machine_settle(struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status = settle_l1(m, err);

	ws_organisation_settle(&m->l1);
	return status == WS_OK ? ws_geometry_settle(&m->l2, m->l2_slices, "l2", err) : status;
}

enum ws_status ws_machine_check_like(struct ws_machine *m, const struct ws_machine *like,
				     struct ws_err *err)
{
	struct ws_beside beside;

	beside.like = like;
	beside.keys = 0;
	return ws_machine_check_beside(m, &beside, err);
}

enum ws_status ws_machine_check_beside(struct ws_machine *m, struct ws_beside *beside,
				       struct ws_err *err)
{
	enum ws_status status = ws_machine_settle(m, err);

	if (status == WS_OK)
		status = check_keys(m, beside, err);
	if (status == WS_OK)
		status = check_cache(&m->l1, "l1", err);
	if (status == WS_OK)
		status = check_cache(&m->l2, "l2", err);
	if (status == WS_OK)
		status = ws_organisation_check(&m->l1, err);
	for (size_t i = 0; i < WS_COUNT(agreements) && status == WS_OK; i++)
		status = agreements[i](m, err);
	/* What geometry.c and carveout.c promise. */
	assert(status != WS_OK || ws_cache_lines(&m->l1) * m->l1.line_bytes == m->l1.size_bytes);
	assert(status != WS_OK || m->l2_slices * m->l2.sets * m->l2.ways * m->l2.line_bytes ==
			 m->l2.size_bytes);
	return status;
}
