/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/gpgpusim/keys.c -- what the options of a gpgpusim.config say in our keys.
 *
 * No option says, and so: sm.assign is dynamic, sm.active-warps 6 unless the scheduler has a
 * number, cta.threads 1024 or all of an SM, icnt.latency a quarter of l2.latency, icnt.credits
 * 64.  Latencies are core cycles on both sides.
 *
 * Slices there are channel by channel: a slice's number is that of its channel, then the lowest
 * bits of the DRAM's bank.  Here every block of l2.interleave bytes is the next slice's, so slices
 * have other numbers, but blocks that share one there share one here, where the bits of channel
 * and bank follow one another.  Where they do not, that is a remark.
 */
#include "machine/gpgpusim/gpgpusim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CTA_THREADS  1024u
#define ACTIVE_WARPS "6" /* two_level_active:6:0:1, their own example */
#define MHZ_MAX      1e9
#define CREDITS      "64" /* no source: as many requests as a slice's queue has in their presets */
#define LEAST	     "N:1:128:1,L:L:m:N:L,A:32:8,8"
#define KB	     1024u
#define INTERLEAVE   256u /* of their presets */

/* ---- values --------------------------------------------------------------------------- */

static enum ws_status number(const struct ws_gs *r, enum ws_gs_option o, uint64_t *value,
			     struct ws_err *err)
{
	if (ws_parse_u64(r->given[o].value, value))
		return WS_OK;
	return ws_gs_bad(r, o, "want a whole number", err);
}

static enum ws_status flag(const struct ws_gs *r, enum ws_gs_option o, bool *value,
			   struct ws_err *err)
{
	uint64_t n = 0;
	enum ws_status status = number(r, o, &n, err);

	*value = n != 0;
	return status;
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
		return ws_gs_bad(r, o, "want a data cache: there is no machine here without one.  "
				 "The least one is " LEAST ": one line; the last "
				 "value in the file counts", err);
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

/* Keys of an L1's organisation that no option knows. */
static enum ws_status read_organisation(struct ws_gs *r, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (const struct ws_key *key = ws_keys; key->name && !status; key++) {
		if (key->type == WS_KEY_ORGANISATION || strncmp(key->name, "l1.chunk.", 9) == 0 ||
		    strncmp(key->name, "l1.grain.", 9) == 0)
			status = ws_machine_set_key(r->m, key, key->fallback, err);
	}
	return status;
}

static enum ws_status read_alloc(struct ws_gs *r, const struct ws_cache_string *c,
				 struct ws_err *err)
{
	if (c->alloc == 's')
		ws_gs_note(r, WS_NOTE_REMARK, r->given[OPT_L1].line, ws_gs_options[OPT_L1].name,
			   "s, streaming, is on-fill here; there it is on-miss in kernels without "
			   "shared memory, if -gpgpu_adaptive_cache_config is 1");
	return set_text(r, OPT_L1, "l1.alloc", c->alloc == 'm' ? "on-miss" : "on-fill", err);
}

static enum ws_status read_banks(struct ws_gs *r, struct ws_err *err)
{
	enum ws_status status = copy(r, OPT_L1_BANKS, "l1.banks", err);

	if (!status && r->m->l1_banks > 1)
		ws_gs_note(r, WS_NOTE_REMARK, r->given[OPT_L1_BANKS].line,
			   ws_gs_options[OPT_L1_BANKS].name,
			   "consecutive lines are in consecutive banks here; blocks of 32 bytes "
			   "there, unless -gpgpu_l1_banks_byte_interleaving says otherwise");
	return status;
}

static enum ws_status read_l1(struct ws_gs *r, struct ws_cache_string *c, struct ws_err *err)
{
	enum ws_status status = read_cache(r, OPT_L1, "l1", c, err);

	if (!status)
		status = set(r, OPT_L1, "l1.mshr", c->mshr_entries, err);
	if (!status)
		status = set(r, OPT_L1, "l1.mshr.merge", c->mshr_merge, err);
	if (!status)
		status = set(r, OPT_L1, "l1.queue", c->queue, err);
	if (!status)
		status = read_alloc(r, c, err);
	if (!status)
		status = read_banks(r, err);
	if (!status)
		status = read_organisation(r, err);
	return status ? status : copy(r, OPT_L1_LATENCY, "l1.latency", err);
}

static enum ws_status read_l2(struct ws_gs *r, struct ws_err *err)
{
	struct ws_cache_string c;
	enum ws_status status = read_cache(r, OPT_L2, "l2", &c, err);

	if (!status && c.alloc != 'm')
		ws_gs_note(r, WS_NOTE_REMARK, r->given[OPT_L2].line, ws_gs_options[OPT_L2].name,
			   "an L2 takes ways on miss here");
	if (!status)
		status = set(r, OPT_L2, "l2.mshr", c.mshr_entries, err);
	if (!status)
		status = set(r, OPT_L2, "l2.mshr.merge", c.mshr_merge, err);
	if (!status)
		status = multiply(r, OPT_CHANNELS, OPT_SLICES, "l2.slices", err);
	if (!status)
		status = copy(r, OPT_CHANNELS, "dram.channels", err);
	return status ? status : copy(r, OPT_L2_LATENCY, "l2.latency", err);
}

/* ---- slices ------------------------------------------------------------------------------ */

struct mapping { /* bits of an address, 64: none */
	unsigned channel, bank; /* the lowest of each */
	bool inserted; /* the channel's are, above the bits below `channel` */
};

/* [dramid@BIT;] and 64 letters, the highest bit first; GPGPU-Sim's addrdec.cc. */
static bool parse_mapping(char *text, struct mapping *map)
{
	char *at = text, *after;
	unsigned bit = 64;
	uint64_t channel = 64;

	*map = (struct mapping){ .channel = 64, .bank = 64 };
	if (strncmp(text, "dramid@", 7) == 0) {
		after = strchr(text, ';');
		if (!after)
			return false;
		*after = '\0';
		at = after + 1;
		map->inserted = ws_parse_u64(text + 7, &channel) && channel < 64;
		if (!map->inserted)
			return false;
	}
	map->channel = (unsigned)channel;
	for (; *at; at++) {
		if (strchr("|.", *at))
			continue;
		if (bit-- == 0 || !strchr("RBCSD0rbcsd", *at))
			return false;
		if (strchr("Bb", *at))
			map->bank = bit;
		if (strchr("Dd", *at) && !map->inserted)
			map->channel = bit;
	}
	return bit == 0 && map->channel < 64;
}

static void remark(struct ws_gs *r, enum ws_gs_option o, const char *what)
{
	ws_gs_note(r, WS_NOTE_REMARK, r->given[o].line, ws_gs_options[o].name, "%s", what);
}

/* Bytes of a block that is in one slice; parts: slices of a channel. */
static uint64_t block_bytes(struct ws_gs *r, uint64_t parts)
{
	char text[WS_GS_VALUE];
	struct mapping map;

	memcpy(text, r->given[OPT_MAPPING].value, sizeof text);
	if (!r->given[OPT_MAPPING].line) {
		remark(r, OPT_MAPPING, "left out: blocks of 256 bytes go to the slices in turn; "
		       "there -gpgpu_mem_address_mask decides");
		return INTERLEAVE;
	}
	if (!parse_mapping(text, &map)) {
		ws_gs_warn(r, OPT_MAPPING, "want dramid@BIT; and 64 of R, B, C, S, D and 0: taken "
			   "as blocks of 256 bytes");
		return INTERLEAVE;
	}
	if (parts > 1 && map.bank + ws_log2(parts) != map.channel &&
	    !(map.inserted && map.bank == map.channel))
		remark(r, OPT_MAPPING, "the slices of a channel take turns otherwise there; here "
		       "every block of l2.interleave bytes is the next slice's");
	if (parts > 1 && map.bank < map.channel)
		return (uint64_t)1 << map.bank;
	return (uint64_t)1 << map.channel;
}

static enum ws_status read_interleave(struct ws_gs *r, struct ws_err *err)
{
	const struct ws_key *key = ws_key_find("l2.interleave");
	uint64_t least = r->m->l2.line_bytes, parts = r->m->l2_slices / ws_dram_channels(r->m);
	uint64_t bytes = block_bytes(r, parts);

	if (bytes < least || bytes > key->max) {
		ws_gs_note(r, WS_NOTE_REMARK, r->given[OPT_MAPPING].line,
			   ws_gs_options[OPT_MAPPING].name, "blocks of %" PRIu64 " bytes: here "
			   "they have from a line of the L2 to 1 MB", bytes);
		bytes = bytes < least ? least : key->max;
	}
	return set(r, OPT_MAPPING, key->name, bytes, err);
}

static enum ws_status read_slice_hash(struct ws_gs *r, struct ws_err *err)
{
	static const char *const says[] = {
		[1] = "xor of a channel's bits there, of a slice's here",
		[3] = "GPGPU-Sim has nothing behind 3: taken as modulo",
		[4] = "slices by a table of random numbers there; here modulo",
		[5] = "slices by a function of one's own there; here modulo",
		[6] = "ipoly among some of the slices, modulo among the rest; here modulo",
	};
	uint64_t n = 0, slices = r->m->l2_slices;
	const char *name = "modulo";
	enum ws_status status = number(r, OPT_INDEXING, &n, err);

	if (status)
		return status;
	if (n > 6)
		ws_gs_warn(r, OPT_INDEXING, "want 0 to 6: taken as 0, modulo");
	else if ((n == 1 || n == 2) && !ws_is_pow2(slices))
		remark(r, OPT_INDEXING, "of slices that are no power of two: here modulo");
	else if ((n == 2 || n == 6) && ws_is_pow2(slices) && slices <= 4096)
		name = "ipoly";
	else if (n == 2)
		remark(r, OPT_INDEXING, "ipoly of more than 4096 slices: here modulo");
	else if (n == 1)
		name = "xor";
	if (n <= 6 && says[n] && strcmp(name, "ipoly") != 0 && (n != 1 || ws_is_pow2(slices)))
		remark(r, OPT_INDEXING, says[n]);
	return set_text(r, OPT_INDEXING, "l2.slice-hash", name, err);
}

static enum ws_status read_start(struct ws_gs *r, struct ws_err *err)
{
	bool warm = false;
	enum ws_status status = flag(r, OPT_MEMCPY, &warm, err);

	if (!status && warm)
		remark(r, OPT_MEMCPY, "what the program copied is in the L2 there; here all arrays "
		       "of the kernel are");
	return status ? status : set_text(r, OPT_MEMCPY, "l2.start", warm ? "warm" : "cold", err);
}

/* ---- DRAM ---------------------------------------------------------------------------------- */

enum { CORE, NETWORK, L2, DRAM, CLOCKS };

/* CORE:NETWORK:L2:DRAM in MHz. */
static bool read_clocks(const struct ws_gs *r, double mhz[CLOCKS])
{
	char text[WS_GS_VALUE], *at = text;

	memcpy(text, r->given[OPT_CLOCKS].value, sizeof text);
	for (size_t i = 0; i < CLOCKS; i++) {
		char *after = at ? cut(at) : NULL;

		if (!at || !ws_parse_double(at, &mhz[i]) || !(mhz[i] > 0 && mhz[i] <= MHZ_MAX))
			return false;
		at = after;
	}
	return at == NULL;
}

/* A flit is what a port takes in a cycle of the network. */
static enum ws_status read_network(struct ws_gs *r, const double mhz[CLOCKS], struct ws_err *err)
{
	uint64_t flit = 0;
	double bytes;
	enum ws_status status = number(r, OPT_FLIT, &flit, err);

	if (!status)
		status = set(r, OPT_FLIT, "icnt.latency", 0, err);
	if (!status)
		status = set_text(r, OPT_FLIT, "icnt.credits", CREDITS, err);
	if (status)
		return status;
	bytes = (double)flit * mhz[NETWORK] / mhz[CORE];
	if (flit == 0)
		return ws_gs_bad(r, OPT_FLIT, "want 1 or more", err);
	if (bytes > 1e18)
		return ws_gs_bad(r, OPT_FLIT, "more bytes a cycle than there are", err);
	return set(r, OPT_FLIT, "icnt.width", bytes < 1 ? 1 : (uint64_t)(bytes + 0.5), err);
}

/* Bytes per core cycle: channels * chips * bytes of the bus * transfers per DRAM cycle. */
static enum ws_status read_dram(struct ws_gs *r, struct ws_err *err)
{
	static const enum ws_gs_option factors[] = { OPT_CHANNELS, OPT_CHIPS, OPT_BUS, OPT_RATIO };
	double mhz[CLOCKS] = { 1, 1, 1, 1 }, bytes;
	enum ws_status status = copy(r, OPT_DRAM_LATENCY, "dram.latency", err);

	if (!status && !read_clocks(r, mhz))
		return ws_gs_bad(r, OPT_CLOCKS, "want CORE:NETWORK:L2:DRAM in MHz, all above 0",
				 err);
	if (!status)
		status = read_network(r, mhz, err);
	bytes = mhz[DRAM] / mhz[CORE];
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

static enum ws_status set_splits(struct ws_gs *r, const uint64_t *kb, size_t count,
				 struct ws_err *err)
{
	char text[WS_GS_VALUE];
	size_t used = 0;

	for (size_t i = 0; i < count && used < sizeof text; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRIu64 "K",
					 i ? "," : "", kb[i]);
	if (kb[count - 1] * KB != r->m->sm_shared_asked)
		remark(r, OPT_SHARED, "an SM has the largest of -gpgpu_shmem_option here");
	return set_text(r, OPT_SPLITS, "sm.carveouts", text, err);
}

/* KB of the array; 0: not one that GPGPU-Sim would go on with. */
static uint64_t unified_kb(const struct ws_gs *r, const struct ws_cache_string *l1)
{
	uint64_t kb, size = ws_cache_string_size(l1);

	if (!ws_parse_u64(r->given[OPT_UNIFIED].value, &kb) || kb > UINT64_MAX / KB || !size)
		return 0;
	if (!kb)
		kb = UNIFIED_L1S * size / KB;
	return kb * KB >= size && kb * KB % size == 0 ? kb : 0;
}

/* The L1's ways follow from the array. */
static enum ws_status read_adaptive(struct ws_gs *r, const struct ws_cache_string *l1,
				    struct ws_err *err)
{
	uint64_t kb[WS_CARVEOUTS_MAX], unified = unified_kb(r, l1);
	size_t count;
	enum ws_status status;

	if (!unified || !parse_splits(r, kb, &count)) {
		ws_gs_warn(r, unified ? OPT_SPLITS : OPT_UNIFIED, unified
			   ? "want up to 12 sizes in KB, with commas between them: taken as "
			     "-gpgpu_adaptive_cache_config 0"
			   : "want a multiple of the L1 of -gpgpu_cache:dl1: taken as "
			     "-gpgpu_adaptive_cache_config 0");
		return WS_OK;
	}
	r->m->l1.given = 0;
	status = set(r, OPT_UNIFIED, "sm.unified", unified * KB, err);
	if (!status)
		status = set_splits(r, kb, count, err);
	if (!status)
		status = set_text(r, OPT_ADAPTIVE, "sm.carveout", "auto", err);
	return status ? status : set_text(r, OPT_SHARED, "sm.shared", "auto", err);
}

static enum ws_status read_shared(struct ws_gs *r, const struct ws_cache_string *l1,
				  struct ws_err *err)
{
	bool adaptive = false;
	enum ws_status status = flag(r, OPT_ADAPTIVE, &adaptive, err);

	if (!status)
		status = copy(r, OPT_SHARED, "sm.shared", err);
	if (!status)
		status = set(r, OPT_SHARED, "sm.shared.reserved", 0, err);
	if (!status)
		status = set_text(r, OPT_ADAPTIVE, "sm.carveout", "none", err);
	return status || !adaptive ? status : read_adaptive(r, l1, err);
}

/* ---- what changes the meaning of the rest --------------------------------------------------- */

static enum ws_status warn_if(struct ws_gs *r, enum ws_gs_option o, const char *what,
			      struct ws_err *err)
{
	bool on = false;
	enum ws_status status = flag(r, o, &on, err);

	if (!status && on)
		ws_gs_warn(r, o, what);
	return status;
}

static enum ws_status read_flags(struct ws_gs *r, struct ws_err *err)
{
	enum ws_status status = warn_if(r, OPT_L1_SKIP, "global accesses bypass the L1 there; here "
					"they do not", err);

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
		status = copy(r, OPT_SCHEDULERS, "sm.schedulers", err);
	if (!status)
		status = read_scheduler(r, err);
	if (!status)
		status = read_coalescer(r, err);
	if (!status)
		status = read_l1(r, &l1, err);
	if (!status)
		status = read_shared(r, &l1, err);
	if (!status)
		status = read_l2(r, err);
	if (!status)
		status = read_interleave(r, err);
	if (!status)
		status = read_slice_hash(r, err);
	if (!status)
		status = read_start(r, err);
	if (!status)
		status = read_dram(r, err);
	if (!status)
		status = read_flags(r, err);
	return status ? status : settle(r, err);
}
