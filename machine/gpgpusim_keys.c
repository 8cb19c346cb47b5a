/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/gpgpusim_keys.c -- what the options of a gpgpusim.config say in our keys.
 *
 * No option says, and so: sm.assign is dynamic, sm.active-warps 6 unless the scheduler has a
 * number, cta.threads 1024 or all of an SM.  Latencies are core cycles on both sides.  Other
 * splits of an L1 that is resized for each kernel are remarks.
 */
#include "machine/gpgpusim.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define CTA_THREADS  1024u
#define ACTIVE_WARPS "6" /* two_level_active:6:0:1, their own example */
#define MHZ_MAX      1e9

/* ---- values --------------------------------------------------------------------------- */

static enum ws_status number(const struct ws_gs *r, enum ws_gs_option o, uint64_t *value,
			     struct ws_err *err)
{
	if (ws_parse_u64(r->given[o].value, value))
		return WS_OK;
	return ws_gs_bad(r, o, "want a whole number", err);
}

static enum ws_status set_text(struct ws_gs *r, enum ws_gs_option o, const char *name,
			       const char *value, struct ws_err *err)
{
	struct ws_err why = { .status = WS_OK };

	if (ws_machine_set_key(r->m, ws_key_find(name), value, &why) == WS_OK)
		return WS_OK;
	return ws_gs_bad(r, o, why.text, err);
}

static enum ws_status set(struct ws_gs *r, enum ws_gs_option o, const char *name, uint64_t value,
			  struct ws_err *err)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, value);
	return set_text(r, o, name, text, err);
}

/* The key is the option's number. */
static enum ws_status copy(struct ws_gs *r, enum ws_gs_option o, const char *name,
			   struct ws_err *err)
{
	uint64_t value = 0;
	enum ws_status status = number(r, o, &value, err);

	return status ? status : set(r, o, name, value, err);
}

/* The key is the product of two options' numbers. */
static enum ws_status multiply(struct ws_gs *r, enum ws_gs_option a, enum ws_gs_option b,
			       const char *name, struct ws_err *err)
{
	uint64_t x = 0, y = 0;
	enum ws_status status = number(r, a, &x, err);

	if (!status)
		status = number(r, b, &y, err);
	if (!status && y && x > UINT64_MAX / y)
		return ws_gs_bad(r, a, "too many", err);
	return status ? status : set(r, a, name, x * y, err);
}

/* Cuts text at the first colon; what comes after it, or NULL. */
static char *cut(char *text)
{
	char *colon = strchr(text, ':');

	if (colon)
		*colon++ = '\0';
	return colon;
}

static enum ws_status read_pipeline(struct ws_gs *r, struct ws_err *err)
{
	uint64_t threads, width;
	char text[WS_GS_VALUE], *after;
	enum ws_status status;

	memcpy(text, r->given[OPT_PIPELINE].value, sizeof text);
	after = cut(text);
	if (!after || !ws_parse_u64(text, &threads) || !ws_parse_u64(after, &width) || width == 0 ||
	    threads < width || threads % width)
		return ws_gs_bad(r, OPT_PIPELINE,
				 "want THREADS:WIDTH of an SM and its warps, the first a multiple "
				 "of the second",
				 err);
	status = set(r, OPT_PIPELINE, "sm.threads", threads, err);
	if (!status)
		status = set(r, OPT_PIPELINE, "warp.width", width, err);
	if (!status)
		status = set(r, OPT_PIPELINE, "sm.warps", threads / width, err);
	if (!status)
		status = set(r, OPT_PIPELINE, "cta.threads",
			     threads < CTA_THREADS ? threads : CTA_THREADS, err);
	return status;
}

/* In the order in which GPGPU-Sim looks for them, as it does, anywhere in the value. */
static enum ws_status read_scheduler(struct ws_gs *r, struct ws_err *err)
{
	static const struct {
		const char *name, *value, *doubt;
	} known[] = {
		{ "lrr", "lrr", NULL },
		{ "two_level_active", "two-level", NULL },
		{ "gto", "gto", NULL },
		{ "rrr", "lrr", "not modelled: taken as lrr" },
		{ "old", "gto", "not modelled: taken as gto" },
		{ "warp_limiting", "gto", "not modelled: taken as gto, with all warps" },
	};
	const char *value = r->given[OPT_SCHEDULER].value, *at = NULL;
	char text[WS_GS_VALUE], *active;
	size_t i = 0;
	enum ws_status status;

	while (i < WS_COUNT(known) && !(at = strstr(value, known[i].name)))
		i++;
	if (!at)
		return ws_gs_bad(r, OPT_SCHEDULER, "want lrr, gto or two_level_active:N:0:1", err);
	if (known[i].doubt)
		ws_gs_warn(r, OPT_SCHEDULER, known[i].doubt);
	status = set_text(r, OPT_SCHEDULER, "sm.scheduler", known[i].value, err);
	if (!status)
		status = set_text(r, OPT_SCHEDULER, "sm.active-warps", ACTIVE_WARPS, err);
	if (status || strcmp(known[i].name, "two_level_active") != 0)
		return status;
	snprintf(text, sizeof text, "%s", at);
	active = cut(text);
	if (!active)
		return ws_gs_bad(r, OPT_SCHEDULER, "want two_level_active:N:0:1, N active warps",
				 err);
	cut(active);
	return set_text(r, OPT_SCHEDULER, "sm.active-warps", active, err);
}

/* 32-byte segments from 40 (Maxwell) on; before it 128 bytes, but for what bypasses the L1.
 * GPGPU-Sim 4, warp_inst_t::memory_coalescing_arch. */
static enum ws_status read_coalescer(struct ws_gs *r, struct ws_err *err)
{
	uint64_t arch = 0, skip = 0;
	enum ws_status status = number(r, OPT_COALESCE, &arch, err);

	if (!status)
		status = number(r, OPT_L1_SKIP, &skip, err);
	if (status)
		return status;
	return set(r, OPT_COALESCE, "coalesce.line",
		   arch >= 40 || (skip && arch >= 20 && arch <= 38) ? 32 : 128, err);
}

/* ---- caches ------------------------------------------------------------------------------ */

static const char *write_policy(struct ws_gs *r, enum ws_gs_option o,
				const struct ws_cache_string *c)
{
	bool allocates = c->write_alloc != 'N';

	if (c->write == 'T')
		return allocates ? "write-through-allocate" : "write-through";
	if (c->write == 'B' && allocates)
		return "write-back";
	if (c->write == 'B') {
		ws_gs_note(r, WS_NOTE_REMARK, r->given[o].line, ws_gs_options[o].name,
			   "writes back and does not allocate: what it holds is what write-through "
			   "holds");
		return "write-through";
	}
	if (allocates)
		ws_gs_note(r, WS_NOTE_REMARK, r->given[o].line, ws_gs_options[o].name,
			   "stores that miss allocate there; write-evict does not");
	return "write-evict";
}

static const char *hash_name(char letter)
{
	for (size_t i = 0; ws_hashes[i]; i++) {
		if (ws_hashes[i]->gpgpusim == letter)
			return ws_hashes[i]->name;
	}
	return NULL;
}

/* level.key */
static const char *key_of(char *out, size_t len, const char *level, const char *key)
{
	snprintf(out, len, "%s.%s", level, key);
	return out;
}

static enum ws_status set_cache(struct ws_gs *r, enum ws_gs_option o, const char *level,
				const struct ws_cache_string *c, struct ws_err *err)
{
	const struct {
		const char *key;
		uint64_t value;
	} numbers[] = {
		{ "line", c->line_bytes },
		{ "sets", c->sets },
		{ "ways", c->ways },
		{ "sector", c->type == 'S' ? WS_SECTOR_BYTES : c->line_bytes },
	};
	const struct {
		const char *key, *value;
	} texts[] = {
		{ "hash", hash_name(c->index) },
		{ "policy", ws_gpgpusim_policy(c->replacement) },
		{ "write", write_policy(r, o, c) },
	};
	char key[32];
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < WS_COUNT(numbers) && !status; i++)
		status = set(r, o, key_of(key, sizeof key, level, numbers[i].key), numbers[i].value,
			     err);
	for (size_t i = 0; i < WS_COUNT(texts) && !status; i++)
		status = set_text(r, o, key_of(key, sizeof key, level, texts[i].key),
				  texts[i].value, err);
	return status;
}

static enum ws_status read_cache(struct ws_gs *r, enum ws_gs_option o, const char *level,
				 struct ws_cache_string *c, struct ws_err *err)
{
	struct ws_err why = { .status = WS_OK };

	if (ws_cache_string_parse(c, r->given[o].value, &why))
		return ws_gs_bad(r, o, why.text, err);
	if (c->none)
		return ws_gs_bad(r, o, "want a data cache: without one there is nothing to model",
				 err);
	if (c->write == 'R')
		return ws_gs_bad(r, o, "R, read only, is no data cache's: want B, T, E or L", err);
	if (!hash_name(c->index))
		return ws_gs_bad(r, o, "C puts every line into set 0: want L, X, P or H", err);
	if (c->mshr == 'F' || c->mshr == 'T')
		return ws_gs_bad(r, o, "F and T are texture caches': want A or S", err);
	for (unsigned i = 0; i < c->doubts; i++)
		ws_gs_warn(r, o, c->doubt[i]);
	return set_cache(r, o, level, c, err);
}

static enum ws_status read_l1(struct ws_gs *r, struct ws_cache_string *c, struct ws_err *err)
{
	enum ws_status status = read_cache(r, OPT_L1, "l1", c, err);

	if (!status)
		status = set(r, OPT_L1, "l1.mshr", c->mshr_entries, err);
	if (!status)
		status = set(r, OPT_L1, "l1.mshr.merge", c->mshr_merge, err);
	return status ? status : copy(r, OPT_L1_LATENCY, "l1.latency", err);
}

static enum ws_status read_l2(struct ws_gs *r, struct ws_err *err)
{
	struct ws_cache_string c;
	enum ws_status status = read_cache(r, OPT_L2, "l2", &c, err);

	if (!status)
		status = multiply(r, OPT_CHANNELS, OPT_SLICES, "l2.slices", err);
	return status ? status : copy(r, OPT_L2_LATENCY, "l2.latency", err);
}

/* ---- DRAM ---------------------------------------------------------------------------------- */

/* *core and *dram of CORE:NETWORK:L2:DRAM in MHz. */
static bool read_clocks(const struct ws_gs *r, double *core, double *dram)
{
	char text[WS_GS_VALUE], *at = text;
	double mhz[4];

	memcpy(text, r->given[OPT_CLOCKS].value, sizeof text);
	for (size_t i = 0; i < WS_COUNT(mhz); i++) {
		char *after = at ? cut(at) : NULL;

		if (!at || !ws_parse_double(at, &mhz[i]) || !(mhz[i] > 0 && mhz[i] <= MHZ_MAX))
			return false;
		at = after;
	}
	*core = mhz[0];
	*dram = mhz[3];
	return at == NULL;
}

/* Bytes per core cycle: channels * chips * bytes of the bus * transfers per DRAM cycle. */
static enum ws_status read_dram(struct ws_gs *r, struct ws_err *err)
{
	static const enum ws_gs_option factors[] = { OPT_CHANNELS, OPT_CHIPS, OPT_BUS, OPT_RATIO };
	double core = 1, dram = 1, bytes;
	enum ws_status status = copy(r, OPT_DRAM_LATENCY, "dram.latency", err);

	if (!status && !read_clocks(r, &core, &dram))
		return ws_gs_bad(r, OPT_CLOCKS, "want CORE:NETWORK:L2:DRAM in MHz, all above 0",
				 err);
	bytes = dram / core;
	for (size_t i = 0; i < WS_COUNT(factors) && !status; i++) {
		uint64_t value = 0;

		status = number(r, factors[i], &value, err);
		if (!status && value == 0)
			return ws_gs_bad(r, factors[i], "want 1 or more", err);
		bytes *= (double)value;
	}
	if (status)
		return status;
	if (bytes > 1e18)
		return ws_gs_bad(r, OPT_BUS, "more bytes a cycle than there are", err);
	return set(r, OPT_BUS, "dram.bandwidth", bytes < 1 ? 1 : (uint64_t)(bytes + 0.5), err);
}

/* ---- what changes the meaning of the rest --------------------------------------------------- */

static enum ws_status flag(const struct ws_gs *r, enum ws_gs_option o, bool *value,
			   struct ws_err *err)
{
	uint64_t n = 0;
	enum ws_status status = number(r, o, &n, err);

	*value = n != 0;
	return status;
}

static enum ws_status warn_if(struct ws_gs *r, enum ws_gs_option o, const char *what,
			      struct ws_err *err)
{
	bool on = false;
	enum ws_status status = flag(r, o, &on, err);

	if (!status && on)
		ws_gs_warn(r, o, what);
	return status;
}

/* GPGPU-Sim gives the L1 what a kernel leaves of the shared memory: sets stay, and
 * ways = max * (1 - shared / unified), rounded; shader.cc, shader_core_config::max_cta.  Nothing
 * where it would stop: an L1 that does not divide what there is. */
static void list_splits(const struct ws_gs *r, const struct ws_cache_string *l1, char *out,
			size_t len)
{
	uint64_t unified = 0, shared, size = ws_cache_string_size(l1) / 1024;
	char list[WS_GS_VALUE], *at = list, *after;
	size_t used = 0;

	out[0] = '\0';
	if (!ws_parse_u64(r->given[OPT_UNIFIED].value, &unified) || size == 0)
		return;
	if (unified == 0)
		unified = 4 * size;
	if (unified < size || unified % size)
		return;
	memcpy(list, r->given[OPT_SPLITS].value, sizeof list);
	for (; at && used < len; at = after) {
		double max = (double)l1->ways * (double)(unified / size);

		after = strchr(at, ',');
		if (after)
			*after++ = '\0';
		if (ws_parse_u64(at, &shared) && shared <= unified)
			used += (size_t)snprintf(
				out + used, len - used, "%s %" PRIu64 ":%.0f",
				used ? "" : "; KB shared:l1.ways", shared,
				floor(max * (1 - (double)shared / (double)unified) + 0.5));
	}
}

static void remark_splits(struct ws_gs *r, const struct ws_cache_string *l1)
{
	char splits[400];

	list_splits(r, l1, splits, sizeof splits);
	ws_gs_note(r, WS_NOTE_REMARK, r->given[OPT_ADAPTIVE].line, ws_gs_options[OPT_ADAPTIVE].name,
		   "the L1 is resized for each kernel there; here it is as its string says%s",
		   splits);
}

static enum ws_status read_flags(struct ws_gs *r, const struct ws_cache_string *l1,
				 struct ws_err *err)
{
	bool adaptive = false;
	enum ws_status status = flag(r, OPT_ADAPTIVE, &adaptive, err);

	if (!status && adaptive)
		remark_splits(r, l1);
	if (!status)
		status = warn_if(r, OPT_L1_SKIP,
				 "global accesses bypass the L1 there; here they do not", err);
	if (!status)
		status = warn_if(r, OPT_L2_TEXTURE,
				 "only textures use the L2 there; here all accesses do", err);
	if (!status)
		status = warn_if(r, OPT_PERFECT, "no access misses there; here some do", err);
	if (!status)
		status = warn_if(r, OPT_L2_IDEAL, "no access misses the L2 there; here some do",
				 err);
	return status;
}

/* ---- all of it --------------------------------------------------------------- */

static enum ws_status settle(struct ws_gs *r, struct ws_err *err)
{
	struct ws_err why = { .status = WS_OK };

	if (ws_machine_check(r->m, &why) == WS_OK)
		return WS_OK;
	return ws_gs_bad(r, strncmp(why.text, "l2", 2) == 0 ? OPT_L2 : OPT_L1, why.text, err);
}

enum ws_status ws_gs_keys(struct ws_gs *r, struct ws_err *err)
{
	struct ws_cache_string l1;
	enum ws_status status = multiply(r, OPT_CLUSTERS, OPT_CORES, "sm.count", err);

	r->m->sm_assign = WS_ASSIGN_DYNAMIC;
	if (!status)
		status = read_pipeline(r, err);
	if (!status)
		status = copy(r, OPT_CTAS, "sm.ctas", err);
	if (!status)
		status = copy(r, OPT_REGISTERS, "sm.registers", err);
	if (!status)
		status = copy(r, OPT_SHARED, "sm.shared", err);
	if (!status)
		status = copy(r, OPT_SCHEDULERS, "sm.schedulers", err);
	if (!status)
		status = read_scheduler(r, err);
	if (!status)
		status = read_coalescer(r, err);
	if (!status)
		status = read_l1(r, &l1, err);
	if (!status)
		status = read_l2(r, err);
	if (!status)
		status = read_dram(r, err);
	if (!status)
		status = read_flags(r, &l1, err);
	return status ? status : settle(r, err);
}
