/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/gpgpusim/caches.c -- options of the caches and of their load-store units, to keys and
 * from keys.
 */
#include "machine/gpgpusim/gpgpusim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LEAST	 "N:1:128:1,L:L:m:N:L,A:32:8,8"
#define KB	 1024u
#define L2_QUEUE 32u		/* l2.misses of one that has no end */

/* ---- values --------------------------------------------------------------------------- */

uint64_t ws_gs_number(struct ws_gs *r, enum ws_gs_option o)
{
	uint64_t value = 0;

	if (!ws_parse_u64(r->given[o].value, &value))
		ws_gs_bad(r, o, "want a whole number");
	return value;
}

void ws_gs_set_text(struct ws_gs *r, enum ws_gs_option o, const char *key, const char *value)
{
	struct ws_err why = { .status = WS_OK };

	if (!r->status && ws_machine_set_key(r->m, ws_key_find(key), value, &why))
		ws_gs_bad(r, o, why.text);
}

void ws_gs_set(struct ws_gs *r, enum ws_gs_option o, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, value);
	ws_gs_set_text(r, o, key, text);
}

char *ws_gs_cut(char *text)
{
	char *colon = strchr(text, ':');

	if (colon)
		*colon++ = '\0';
	return colon;
}

static bool sectored(const struct ws_cache *c)
{
	return c->sector_bytes < c->line_bytes;
}

/* ---- the coalescer --------------------------------------------------------------------- */

/* 32-byte segments from 40 (Maxwell) on; before it 128 bytes, but for what bypasses the L1.
 * GPGPU-Sim 4, warp_inst_t::memory_coalescing_arch. */
void ws_gs_to_coalesce(struct ws_gs *r, enum ws_gs_option o)
{
	uint64_t arch = ws_gs_number(r, o), skip = ws_gs_number(r, OPT_L1_SKIP);

	ws_gs_set(r, o, "coalesce.line",
		  arch >= 40 || (skip && arch >= 20 && arch <= 38) ? 32 : 128);
}

/* A sectored L1 there takes requests of one sector only. */
void ws_gs_from_coalesce(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	bool segments = m->coalesce_line == WS_SECTOR_BYTES || sectored(&m->l1);

	ws_gs_put(buf, "%s %d\n", name, segments ? 70 : 20);
}

/* ---- strings of caches ------------------------------------------------------------------- */

static const char *write_policy(struct ws_gs *r, enum ws_gs_option o,
				const struct ws_cache_string *c)
{
	bool allocates = c->write_alloc != 'N';

	if (c->write == 'T')
		return ws_write_name(allocates ? WS_ACT_FETCH : WS_ACT_TOUCH, true);
	if (c->write == 'B' && allocates)
		return ws_write_name(WS_ACT_FETCH, false);
	if (c->write == 'B') {
		ws_gs_remark(r, o, "writes back and does not allocate: what it holds is what "
			     "write-through holds");
		return ws_write_name(WS_ACT_TOUCH, true);
	}
	if (allocates)
		ws_gs_remark(r, o, "stores that miss allocate there; write-evict does not");
	return ws_write_name(WS_ACT_EVICT, true);
}

static const char *hash_name(char letter)
{
	for (size_t i = 0; ws_hashes[i]; i++) {
		if (ws_hashes[i]->gpgpusim == letter)
			return ws_hashes[i]->name;
	}
	return NULL;
}

static void set_cache(struct ws_gs *r, enum ws_gs_option o, const char *level,
		      const struct ws_cache_string *c)
{
	const struct {
		const char *key, *text; /* NULL: the number */
		uint64_t value;
	} parts[] = {
		{ "line", NULL, c->line_bytes },
		{ "sets", NULL, c->sets },
		{ "ways", NULL, c->ways },
		{ "sector", NULL, c->type == 'S' ? WS_SECTOR_BYTES : c->line_bytes },
		{ "hash", hash_name(c->index), 0 },
		{ "policy", ws_gpgpusim_policy(c->replacement), 0 },
		{ "write", write_policy(r, o, c), 0 },
		{ "mshr", NULL, c->mshr_entries },
		{ "mshr.merge", NULL, c->mshr_merge },
	};
	char key[32];

	for (size_t i = 0; i < WS_COUNT(parts); i++) {
		snprintf(key, sizeof key, "%s.%s", level, parts[i].key);
		if (parts[i].text)
			ws_gs_set_text(r, o, key, parts[i].text);
		else
			ws_gs_set(r, o, key, parts[i].value);
	}
}

static void to_cache(struct ws_gs *r, enum ws_gs_option o, const char *text, const char *level,
		     struct ws_cache_string *c)
{
	struct ws_err why = { .status = WS_OK };

	if (ws_cache_string_parse(c, text, &why))
		ws_gs_bad(r, o, why.text);
	else if (c->none)
		ws_gs_bad(r, o, "want a data cache: the least one is " LEAST ": one line; the last "
			  "value in the file counts");
	else if (c->write == 'R')
		ws_gs_bad(r, o, "R, read only, is no data cache's: want B, T, E or L");
	else if (!hash_name(c->index))
		ws_gs_bad(r, o, "C puts every line into set 0: want L, X, P or H");
	else if (c->mshr == 'F' || c->mshr == 'T')
		ws_gs_bad(r, o, "F and T are texture caches': want A or S");
	if (r->status)
		return;
	for (unsigned i = 0; i < c->uncertainties; i++)
		ws_gs_warn(r, o, c->uncertainty[i]);
	set_cache(r, o, level, c);
}

/* Sectors are those of four to a line of 128 there, sets a power of two. */
static void from_cache(struct ws_buf *buf, const char *option, const struct ws_cache *c,
		       const char *queues)
{
	bool sectors = sectored(c) && c->line_bytes == 4 * WS_SECTOR_BYTES;
	char letter = ws_gpgpusim_letter(c->policy), text[160];
	struct ws_cache_string parsed;

	snprintf(text, sizeof text, "%c:%" PRIu64 ":%" PRIu64 ":%" PRIu64 ",%c:%s:%c,%s",
		 sectors ? 'S' : 'N', (uint64_t)1 << ws_log2(c->sets), c->line_bytes, c->ways,
		 letter ? letter : 'L', ws_write_policies[c->write].gpgpusim[c->alloc],
		 c->hash->gpgpusim ? c->hash->gpgpusim : 'L', queues);
	if (ws_cache_string_parse(&parsed, text, NULL) == WS_OK) {
		for (unsigned i = 0; i < parsed.uncertainties; i++)
			ws_gs_put(buf, "# %s\n", parsed.uncertainty[i]);
	}
	ws_gs_put(buf, "%s %s\n", option, text);
}

/* ---- the L1 ------------------------------------------------------------------------------ */

/* Keys of what GPGPU-Sim has not: the L1's organisations; TLBs; sets that differ;
 * several L1s; warps of a CTA that do not start together;
 * large warps. */
static void to_absent(struct ws_gs *r, enum ws_gs_option o)
{
	for (const struct ws_key *key = ws_keys; key->name; key++) {
		if (key->type == WS_KEY_ORGANISATION || strncmp(key->name, "l1.chunk.", 9) == 0 ||
		    strncmp(key->name, "shared.", 7) == 0 ||
		    strncmp(key->name, "l1.grain.", 9) == 0 ||
		    strcmp(key->name, "sm.launch") == 0 || strcmp(key->name, "l1.parts") == 0 ||
		    strcmp(key->name, "sm.large-warp") == 0 || key->type == WS_KEY_SET_WAYS ||
		    strncmp(key->name, "tlb.", 4) == 0)
			ws_gs_set_text(r, o, key->name, key->fallback);
	}
}

/* Segments lie in lines with profile = gpgpusim. */
static void to_profile(struct ws_gs *r, enum ws_gs_option o)
{
	bool within = r->m->coalesce_line <= r->m->l1.line_bytes;

	ws_gs_set_text(r, o, "profile", within ? "gpgpusim" : "hardware");
}

void ws_gs_to_l1(struct ws_gs *r, enum ws_gs_option o)
{
	/* A file without the option is one that is not complete. */
	bool none = r->given[o].line && strcmp(r->given[o].value, "none") == 0;

	to_cache(r, o, none ? LEAST : r->given[o].value, "l1", &r->l1);
	if (r->status)
		return;
	if (none) {
		r->l1.none = true;
		ws_gs_set(r, o, "l1.ways", 0);
		ws_gs_set(r, o, "l1.size", 0);
	}
	ws_gs_set(r, o, "l1.mshr.rate", 1); /* mshr_table::next_access */
	/* ldst_unit::writeback takes it from there in the next cycle, and is done in that after. */
	ws_gs_set(r, o, "l1.mshr.latency", 2);
	/* A load's miss wants room for two there (baseline_cache::miss_queue_full(1)). */
	ws_gs_set(r, o, "l1.queue", r->l1.queue - (r->l1.queue > 1 && !none));
	if (r->l1.alloc == 's')
		ws_gs_remark(r, o, "s, streaming, is on-fill here; there it is on-miss in kernels "
			     "without shared memory, if -gpgpu_adaptive_cache_config is 1");
	ws_gs_set_text(r, o, "l1.alloc", r->l1.alloc == 'm' ? "on-miss" : "on-fill");
	to_profile(r, o);
	to_absent(r, o);
}

/* The string is of the whole array, or of what a fixed carve-out leaves. */
void ws_gs_from_l1(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	uint64_t most = ws_key_find("l1.queue")->max;
	struct ws_cache l1 = m->l1;
	char queues[64];

	if (!l1.ways) {
		ws_gs_put(buf, "%s none\n", name);
		return;
	}
	if (ws_machine_adapts(m))
		l1.ways = m->sm_unified_bytes / (l1.sets * l1.line_bytes);
	snprintf(queues, sizeof queues, "%c:%" PRIu64 ":%" PRIu64 ",%" PRIu64 ":0,32",
		 !sectored(&m->l1) && sectored(&m->l2) ? 'S' : 'A', m->l1.mshr_entries,
		 m->l1.mshr_merge, m->l1_queue < most ? m->l1_queue + 1 : most);
	from_cache(buf, name, &l1, queues);
}

void ws_gs_to_bank_bytes(struct ws_gs *r, enum ws_gs_option o)
{
	uint64_t bytes = ws_gs_number(r, o);

	if (bytes < WS_SECTOR_BYTES || bytes > WS_LINE_MAX || !ws_is_pow2(bytes)) {
		ws_gs_remark(r, o, "no power of two from 32 to 1024: taken as 32");
		bytes = WS_SECTOR_BYTES;
	}
	bytes = r->m->l1_banks == 1 || bytes == r->m->l1.line_bytes ? 0 : bytes; /* of a line */
	ws_gs_set(r, o, "l1.banks.bytes", bytes);
}

void ws_gs_from_bank_bytes(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	ws_gs_put(buf, "%s %" PRIu64 "\n", name,
		  m->l1_banks_bytes ? m->l1_banks_bytes : m->l1.line_bytes);
}

/* ---- L1 and shared memory in one array --------------------------------------------------------
 *
 * -gpgpu_adaptive_cache_config 1: the L1 is what a kernel leaves of -gpgpu_unified_l1d_size KB,
 * four times the L1 of the string if that is 0; -gpgpu_shmem_option lists what shared memory may
 * have, in KB, in any order.  GPGPU-Sim 4, shader.cc and gpu-sim.cc. */

#define UNIFIED_L1S 4u

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The list, ascending; false if it is none. */
static bool parse_splits(const struct ws_gs *r, uint64_t kb[WS_CARVEOUTS_MAX], size_t *count)
{
	char list[WS_GS_VALUE], *at = list, *after;

	*count = 0;
	memcpy(list, r->given[OPT_SPLITS].value, sizeof list);
	for (; at; at = after) {
		after = strchr(at, ',');
		if (after)
			*after++ = '\0';
		if (*count == WS_CARVEOUTS_MAX || !ws_parse_u64(at, &kb[*count]) ||
		    kb[*count] > UINT32_MAX)
			return false;
		++*count;
	}
	qsort(kb, *count, sizeof *kb, by_size);
	for (size_t i = 1; i < *count; i++)
		if (kb[i] == kb[i - 1])
			return false;
	return true;
}

static void set_splits(struct ws_gs *r, const uint64_t *kb, size_t count)
{
	char text[WS_GS_VALUE];
	size_t used = 0;

	for (size_t i = 0; i < count && used < sizeof text; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRIu64 "K",
					 i ? "," : "", kb[i]);
	if (kb[count - 1] * KB != r->m->sm_shared_asked)
		ws_gs_remark(r, OPT_SHARED, "an SM has the largest of -gpgpu_shmem_option here");
	ws_gs_set_text(r, OPT_SPLITS, "sm.carveouts", text);
}

/* KB of the array; 0: not one that GPGPU-Sim would go on with. */
static uint64_t unified_kb(const struct ws_gs *r)
{
	uint64_t kb, size = ws_cache_string_size(&r->l1);

	if (!ws_parse_u64(r->given[OPT_UNIFIED].value, &kb) || kb > UINT64_MAX / KB || !size)
		return 0;
	if (!kb)
		kb = UNIFIED_L1S * size / KB;
	return kb * KB >= size && kb * KB % size == 0 ? kb : 0;
}

/* The L1's ways follow from the array. */
void ws_gs_to_adaptive(struct ws_gs *r, enum ws_gs_option o)
{
	uint64_t kb[WS_CARVEOUTS_MAX], unified = unified_kb(r);
	bool adaptive = ws_gs_number(r, o) != 0;
	size_t count;

	ws_gs_set_text(r, o, "sm.carveout", "none");
	if (!adaptive || r->status)
		return;
	if (!unified || !parse_splits(r, kb, &count)) {
		ws_gs_warn(r, unified ? OPT_SPLITS : OPT_UNIFIED, unified
			   ? "want up to 12 sizes in KB, with commas between them: taken as "
			     "-gpgpu_adaptive_cache_config 0"
			   : "want a multiple of the L1 of -gpgpu_cache:dl1: taken as "
			     "-gpgpu_adaptive_cache_config 0");
		return;
	}
	r->m->l1.given = 0;
	ws_gs_set(r, OPT_UNIFIED, "sm.unified", unified * KB);
	set_splits(r, kb, count);
	ws_gs_set_text(r, o, "sm.carveout", "auto");
	ws_gs_set_text(r, OPT_SHARED, "sm.shared", "auto");
}

void ws_gs_from_adaptive(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	ws_gs_put(buf, "%s %d\n", name, ws_machine_adapts(m));
}

/* A configuration that this goes after may have an array and carve-outs of its own.  GPGPU-Sim
 * wants the array to be a multiple of the L1, in KB, also where nothing is chosen. */
void ws_gs_from_unified(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	uint64_t bytes = m->sm_unified_bytes;

	if (!ws_machine_adapts(m))
		bytes = ((uint64_t)1 << ws_log2(m->l1.sets)) * m->l1.line_bytes * m->l1.ways;
	ws_gs_put(buf, "%s %" PRIu64 "\n", name, bytes / KB);
}

void ws_gs_from_splits(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	if (!ws_machine_adapts(m)) {
		ws_gs_put(buf, "%s 0\n", name);
		return;
	}
	for (size_t i = 0; i < m->sm_carveouts.count; i++)
		ws_gs_put(buf, "%s%s%" PRIu64, i ? "" : name, i ? "," : " ",
			  m->sm_carveouts.bytes[i] / KB);
	ws_gs_put(buf, "\n");
}

/* ---- the L2 ------------------------------------------------------------------------------ */

void ws_gs_to_l2(struct ws_gs *r, enum ws_gs_option o)
{
	struct ws_cache_string c;

	to_cache(r, o, r->given[o].value, "l2", &c);
	if (!r->status)
		ws_gs_set(r, o, "l2.misses", c.queue);
	if (!r->status && c.alloc != 'm')
		ws_gs_remark(r, o, "an L2 takes ways on miss here");
}

void ws_gs_from_l2(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	char queues[64];

	snprintf(queues, sizeof queues, "A:%" PRIu64 ":%" PRIu64 ",%" PRIu64 ":0,32",
		 m->l2.mshr_entries, m->l2.mshr_merge, m->l2_misses ? m->l2_misses : L2_QUEUE);
	ws_gs_put(buf, "# of one slice; there are %" PRIu64 "\n", m->l2_slices);
	from_cache(buf, name, &m->l2, queues);
}
