/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/gpgpusim/keys.c -- what the options of a gpgpusim.config say in our keys, and what of
 * our keys they can say: options of the SM, of slices, of the network and of DRAM, and the table of
 * all options.
 *
 * No option says, and so: sm.assign is dynamic, sm.active-warps 6 unless the scheduler has a
 * number, cta.threads 1024 or all of an SM, icnt.latency a quarter of l2.latency.  Latencies are
 * core cycles on both sides: times.c.  icnt.credits is what an SM's buffer in front of the network
 * holds; there, what has left it waits in others, without a limit of the SM's own.
 *
 * Slices there are channel by channel: a slice's number is that of its channel, then the lowest
 * bits of the DRAM's bank.  Where these follow those of the channel, l2.slice-order = channels
 * says the same of two slices a channel.  Else every block of l2.interleave bytes is the next
 * slice's here, and that is a remark.
 *
 * Our bandwidth is per core cycle, GPGPU-Sim's follows from clocks: the core's is written as 1 GHz
 * and the DRAM's as what gives the bandwidth.
 */
#include "machine/gpgpusim/gpgpusim.h"

#include <inttypes.h>
#include <string.h>

#define CTA_THREADS  1024u
#define ACTIVE_WARPS "6" /* two_level_active:6:0:1, their own example */
#define ROUTER_IN    9u	/* flits: input_buffer_size */
#define QUEUE_MAX    4096u /* flits, of icnt.router.in and .out */
#define HEADER	     8u	/* bytes of a packet */
#define INTERLEAVE   256u /* of their presets */
#define BUS_BYTES    "4" /* of a DRAM chip, with two transfers per cycle */
#define DATA_RATIO   "2"
#define THREADS_MAX  65536u /* sm.threads */
#define ROW_BITS     11u /* a row of a DRAM bank is of 2 KB */

/* The key is the product of two options' numbers. */
static void multiply(struct ws_gs *r, enum ws_gs_option a, enum ws_gs_option b, const char *key)
{
	uint64_t x = ws_gs_number(r, a), y = ws_gs_number(r, b);

	if (y && x > UINT64_MAX / y)
		ws_gs_bad(r, a, "too many");
	ws_gs_set(r, a, key, x * y);
}

/* ---- the SM ------------------------------------------------------------------------------- */

static void to_clusters(struct ws_gs *r, enum ws_gs_option o)
{
	multiply(r, o, OPT_CORES, "sm.count");
}

static void to_pipeline(struct ws_gs *r, enum ws_gs_option o)
{
	uint64_t threads, width;
	char text[WS_GS_VALUE], *after;

	memcpy(text, r->given[o].value, sizeof text);
	after = ws_gs_cut(text);
	if (!after || !ws_parse_u64(text, &threads) || !ws_parse_u64(after, &width) || width == 0 ||
	    threads < width || threads % width) {
		ws_gs_bad(r, o, "want THREADS:WIDTH of an SM and its warps, the first a multiple "
			  "of the second");
		return;
	}
	ws_gs_set(r, o, "sm.threads", threads);
	ws_gs_set(r, o, "warp.width", width);
	ws_gs_set(r, o, "sm.warps", threads / width);
	ws_gs_set(r, o, "cta.threads", threads < CTA_THREADS ? threads : CTA_THREADS);
}

static void from_pipeline(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	uint64_t threads = m->sm_warps * m->warp_width;

	if (threads > THREADS_MAX)
		threads = THREADS_MAX - THREADS_MAX % m->warp_width;
	ws_gs_put(buf, "%s %" PRIu64 ":%" PRIu64 "\n", name, threads, m->warp_width);
}

static void to_shared(struct ws_gs *r, enum ws_gs_option o)
{
	ws_gs_set(r, o, "sm.shared", ws_gs_number(r, o));
	ws_gs_set(r, o, "sm.shared.reserved", 0);
}

static void from_shared(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	ws_gs_put(buf, "%s %" PRIu64 "\n", name, m->sm_shared_bytes);
}

/* In the order in which GPGPU-Sim looks for them, as it does, anywhere in the value. */
static void to_scheduler(struct ws_gs *r, enum ws_gs_option o)
{
	static const struct {
		const char *name, *value, *uncertainty;
	} known[] = {
		{ "lrr", "lrr", NULL },
		{ "two_level_active", "two-level", NULL },
		{ "gto", "gto", NULL },
		{ "rrr", "lrr", "not modelled: taken as lrr" },
		{ "old", "gto", "not modelled: taken as gto" },
		{ "warp_limiting", "gto", "not modelled: taken as gto, with all warps" },
	};
	const char *at = NULL;
	char text[WS_GS_VALUE], *active;
	size_t i = 0;

	while (i < WS_COUNT(known) && !(at = strstr(r->given[o].value, known[i].name)))
		i++;
	if (!at) {
		ws_gs_bad(r, o, "want lrr, gto or two_level_active:N:0:1");
		return;
	}
	if (known[i].uncertainty)
		ws_gs_warn(r, o, known[i].uncertainty);
	ws_gs_set_text(r, o, "sm.scheduler", known[i].value);
	ws_gs_set_text(r, o, "sm.active-warps", ACTIVE_WARPS);
	if (strcmp(known[i].name, "two_level_active") != 0)
		return;
	snprintf(text, sizeof text, "%s", at);
	active = ws_gs_cut(text);
	if (active)
		ws_gs_cut(active);
	else
		ws_gs_bad(r, o, "want two_level_active:N:0:1, N active warps");
	ws_gs_set_text(r, o, "sm.active-warps", active);
}

static void from_scheduler(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	if (m->sm_scheduler == WS_SCHED_TWO_LEVEL)
		ws_gs_put(buf, "%s two_level_active:%" PRIu64 ":0:1\n", name, m->sm_active_warps);
	else
		ws_gs_put(buf, "%s %s\n", name, m->sm_scheduler == WS_SCHED_LRR ? "lrr" : "gto");
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

/* Bytes of a block that is in one slice; parts: slices of a channel. */
static uint64_t block_bytes(struct ws_gs *r, enum ws_gs_option o, uint64_t parts)
{
	char text[WS_GS_VALUE];
	struct mapping map;

	memcpy(text, r->given[o].value, sizeof text);
	if (!r->given[o].line) {
		ws_gs_remark(r, o, "left out: blocks of 256 bytes go to the slices in turn; there "
			     "-gpgpu_mem_address_mask decides");
		return INTERLEAVE;
	}
	if (!parse_mapping(text, &map)) {
		ws_gs_warn(r, o, "want dramid@BIT; and 64 of R, B, C, S, D and 0: taken as blocks "
			   "of 256 bytes");
		return INTERLEAVE;
	}
	if (parts == 2 && map.inserted && map.bank == map.channel)
		ws_gs_set_text(r, o, "l2.slice-order", "channels");
	if (parts > 1 && map.bank + ws_log2(parts) != map.channel &&
	    !(map.inserted && map.bank == map.channel))
		ws_gs_remark(r, o, "the slices of a channel take turns otherwise there; here every "
			     "block of l2.interleave bytes is the next slice's");
	if (parts > 1 && map.bank < map.channel)
		return (uint64_t)1 << map.bank;
	return (uint64_t)1 << map.channel;
}

static void to_interleave(struct ws_gs *r, enum ws_gs_option o)
{
	const struct ws_key *key = ws_key_find("l2.interleave");
	uint64_t least = r->m->l2.line_bytes, parts = r->m->l2_slices / ws_dram_channels(r->m);
	uint64_t bytes = block_bytes(r, o, parts);

	if (bytes < least || bytes > key->max) {
		ws_gs_note(r, WS_NOTE_REMARK, r->given[o].line, r->row[o].name,
			   "blocks of %" PRIu64 " bytes: here they have from a line of the L2 to 1 "
			   "MB", bytes);
		bytes = bytes < least ? least : key->max;
	}
	ws_gs_set(r, o, key->name, bytes);
}

static void to_slice_hash(struct ws_gs *r, enum ws_gs_option o)
{
	static const char *const says[] = {
		[1] = "xor of a channel's bits there, of a slice's here",
		[3] = "GPGPU-Sim has nothing behind 3: taken as modulo",
		[4] = "slices by a table of random numbers there; here modulo",
		[5] = "slices by a function of one's own there; here modulo",
	};
	uint64_t n = ws_gs_number(r, o), slices = r->m->l2_slices;
	const char *name = "modulo";

	if (n > 6)
		ws_gs_warn(r, o, "want 0 to 6: taken as 0, modulo");
	else if ((n == 1 || n == 2) && !ws_is_pow2(slices))
		ws_gs_remark(r, o, "of slices that are no power of two: here modulo");
	else if ((n == 2 || n == 6) && ws_has_ipoly(slices))
		name = "ipoly";
	else if (n == 2 || n == 6)
		ws_gs_remark(r, o, "ipoly of more than 4096 slices: here modulo");
	else if (n == 1)
		name = "xor";
	if (n < WS_COUNT(says) && says[n] && (n != 1 || ws_is_pow2(slices)))
		ws_gs_remark(r, o, says[n]);
	ws_gs_set_text(r, o, "l2.slice-hash", name);
}

static void from_slice_hash(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	/* modulo, xor, ipoly, ipoly-skew: 6 turns no groups */
	static const unsigned indexing[] = { 0, 1, 2, 2 };
	unsigned n = indexing[m->l2_slice_hash];

	/* 2 of a number that is no power of two favours some slices there; 6 does what ipoly
	 * does. */
	if (n == 2 && !ws_is_pow2(m->l2_slices))
		n = 6;
	if (n == 6)
		ws_gs_put(buf, "# GPGPU-Sim itself has 6 since 2025; 4.2 ends with an error\n");
	else if (n == 2 && (m->l2_slices < 16 || m->l2_slices > 64))
		ws_gs_put(buf, "# GPGPU-Sim itself has 2 for 16, 32 and 64 slices only\n");
	ws_gs_put(buf, "%s %u\n", name, n);
}

/* The mapping first: what is said of it comes before what is said of the hash. */
static void to_mapping(struct ws_gs *r, enum ws_gs_option o)
{
	ws_gs_set_text(r, o, "l2.slice-order", "slices");
	to_interleave(r, o);
	to_slice_hash(r, OPT_INDEXING);
}

/* Channels above the bits of a block, the lowest bit of the bank above them: every block is the
 * next slice's.  Of DRAM it says what their presets say: 13 bits of rows, 4 of banks, 6 of
 * columns. */
static void from_mapping(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	unsigned low = ws_log2(m->l2_interleave_bytes);
	unsigned columns = low < ROW_BITS ? ROW_BITS - low : 0;

	ws_gs_put(buf, "%s dramid@%u;", name, low);
	for (unsigned bit = 64; bit-- > 0;) {
		char letter = '0';

		if (bit < low + 1 + columns)
			letter = bit == low ? 'B' : bit < 5 ? 'S' : 'C';
		else if (bit < low + columns + 17)
			letter = bit < low + columns + 4 ? 'B' : 'R';
		ws_gs_put(buf, "%c%s", letter, bit && bit % 8 == 0 ? "." : "");
	}
	ws_gs_put(buf, "\n");
}

static void to_channels(struct ws_gs *r, enum ws_gs_option o)
{
	multiply(r, o, OPT_SLICES, "l2.slices");
	ws_gs_set(r, o, "dram.channels", ws_gs_number(r, o));
}

static void from_channels(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	ws_gs_put(buf, "%s %" PRIu64 "\n", name, ws_dram_channels(m));
}

static void from_slices(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	ws_gs_put(buf, "%s %" PRIu64 "\n", name, m->l2_slices / ws_dram_channels(m));
}

/* Whatever is copied, an L2 keeps its lines between launches unless it is flushed. */
static void to_start(struct ws_gs *r, enum ws_gs_option o)
{
	bool copies = ws_gs_number(r, o) != 0, flushed = ws_gs_number(r, OPT_FLUSH_L2) != 0;

	if (copies && flushed)
		ws_gs_remark(r, o, "what the program copied is in the L2 there; here all arrays of "
			     "the kernel are");
	else if (copies)
		ws_gs_remark(r, o, "what the program copied to addresses of 32 bits is in the L2 "
			     "there; here it starts empty: l2.start = warm or copies fills it");
	ws_gs_set_text(r, o, "l2.start", !flushed ? "keep" : copies ? "warm" : "cold");
}

static void from_start(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	ws_gs_put(buf, "%s %d\n", name, ws_l2_filled(m->l2_start));
}

static void from_flush(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	ws_gs_put(buf, "%s %d\n", name, m->l2_start != WS_L2_KEEP);
}

/* ---- the network, and DRAM ---------------------------------------------------------------- */

/* Bytes a core cycle, at least 1. */
static void set_width(struct ws_gs *r, enum ws_gs_option o, const char *key, double bytes)
{
	if (bytes > 1e18)
		ws_gs_bad(r, o, "more bytes a cycle than there are");
	else
		ws_gs_set(r, o, key, bytes < 1 ? 1 : (uint64_t)(bytes + 0.5));
}

/* input_buffer_size, vc_buf_size, boundary_buffer_size, internal_speedup, and
 * -gpgpu_dram_partition_queues. */
static const char *const of_router[][2] = {
	{ "icnt.router.in", "9" }, { "icnt.router.buffer", "64" }, { "icnt.router.out", "16" },
	{ "icnt.router.speedup", "2" }, { "l2.queue", "64" },
};

/* Has all of the network the SMs' clock, and does a store of a line fit into a queue? */
static bool may_have_router(struct ws_gs *r, const double mhz[WS_GS_CLOCKS], uint64_t in)
{
	double most = mhz[WS_GS_CORE], least = most;

	for (size_t i = 0; i < WS_GS_DRAM; i++) {
		most = mhz[i] > most ? mhz[i] : most;
		least = mhz[i] < least ? mhz[i] : least;
	}
	return most <= least && ws_gs_number(r, OPT_FLIT) >=
				(r->m->l2.line_bytes + HEADER) / in + 1;
}

/* GPGPU-Sim's own network is a crossbar, if the file says how long its queues are. */
static void set_crossbar(struct ws_gs *r, const double mhz[WS_GS_CLOCKS])
{
	uint64_t in = ws_gs_number(r, OPT_IN_BUFFER), out = ws_gs_number(r, OPT_OUT_BUFFER);
	uint64_t least = in < out ? in : out;

	if (ws_gs_number(r, OPT_NETWORK) != 2 || !r->given[OPT_OUT_BUFFER].line || !least ||
	    in > QUEUE_MAX || out > QUEUE_MAX || !may_have_router(r, mhz, least))
		return;
	ws_gs_set_text(r, OPT_NETWORK, "icnt.queues", "router");
	ws_gs_set(r, OPT_IN_BUFFER, "icnt.router.in", in);
	ws_gs_set(r, OPT_OUT_BUFFER, "icnt.router.out", out);
	ws_gs_set(r, OPT_NETWORK, "icnt.router.speedup", 0);
}

/* BookSim has a router, of which a file says more that is not read: keys have what those of their
 * presets say.  It is here where all of it has the SMs' clock. */
static void set_network(struct ws_gs *r, const double mhz[WS_GS_CLOCKS])
{
	bool router = ws_gs_number(r, OPT_NETWORK) == 1 && may_have_router(r, mhz, ROUTER_IN);

	ws_gs_set_text(r, OPT_NETWORK, "icnt.queues", router ? "router" : "input");
	for (size_t i = 0; i < WS_COUNT(of_router); i++)
		ws_gs_set_text(r, OPT_NETWORK, of_router[i][0], of_router[i][1]);
	set_crossbar(r, mhz);
}

/* A flit is what a port takes in a cycle of the network. */
static void to_flit(struct ws_gs *r, enum ws_gs_option o)
{
	double mhz[WS_GS_CLOCKS] = { 1, 1, 1, 1 };
	uint64_t flit = ws_gs_number(r, o);

	if (!ws_gs_clocks(r, mhz))
		ws_gs_bad(r, OPT_CLOCKS, "want CORE:NETWORK:L2:DRAM in MHz, all above 0");
	ws_gs_set(r, o, "icnt.latency", 0);
	set_network(r, mhz);
	if (flit == 0)
		ws_gs_bad(r, o, "want 1 or more");
	set_width(r, o, "icnt.width", (double)flit * mhz[WS_GS_NETWORK] / mhz[WS_GS_CORE]);
}

/* Bytes per core cycle: channels * chips * bytes of the bus * transfers per DRAM cycle. */
static void to_clocks(struct ws_gs *r, enum ws_gs_option o)
{
	static const enum ws_gs_option factors[] = { OPT_CHANNELS, OPT_CHIPS, OPT_BUS, OPT_RATIO };
	double mhz[WS_GS_CLOCKS] = { 1, 1, 1, 1 }, bytes;

	(void)o; /* to_flit, before, has checked the clocks */
	ws_gs_clocks(r, mhz);
	bytes = mhz[WS_GS_DRAM] / mhz[WS_GS_CORE];
	for (size_t i = 0; i < WS_COUNT(factors); i++) {
		uint64_t value = ws_gs_number(r, factors[i]);

		if (value == 0)
			ws_gs_bad(r, factors[i], "want 1 or more");
		bytes *= (double)value;
	}
	set_width(r, OPT_BUS, "dram.bandwidth", bytes);
}

static void from_clocks(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	ws_gs_put(buf, "# no clock is known: 1 GHz stands for the core's, and the DRAM's follows "
		  "from its\n# bandwidth, %" PRIu64 " bytes a core cycle\n"
		  "%s %.1f:%.1f:%.1f:%.9g\n", m->dram_bandwidth, name, WS_GS_CORE_MHZ,
		  WS_GS_CORE_MHZ, WS_GS_CORE_MHZ, ws_gs_dram_mhz(m));
}

/* ---- the table ----------------------------------------------------------------------------- */

const struct ws_gs_row ws_gs_rows[WS_GS_OPTIONS] = {
	[OPT_CLUSTERS] = { "-gpgpu_n_clusters", "10", .key = "sm.count", .to = to_clusters,
			   .section = true },
	[OPT_CORES] = { "-gpgpu_n_cores_per_cluster", "3", .written = "1" },
	[OPT_PIPELINE] = { "-gpgpu_shader_core_pipeline", "1024:32", .to = to_pipeline,
			   .from = from_pipeline },
	[OPT_CTAS] = { "-gpgpu_shader_cta", "32", .key = "sm.ctas" },
	[OPT_REGISTERS] = { "-gpgpu_shader_registers", "8192", .key = "sm.registers" },
	[OPT_SHARED] = { "-gpgpu_shmem_size", "16384", .to = to_shared, .from = from_shared },
	[OPT_SCHEDULERS] = { "-gpgpu_num_sched_per_core", "1", .key = "sm.schedulers" },
	[OPT_SCHEDULER] = { "-gpgpu_scheduler", "gto", .to = to_scheduler,
			    .from = from_scheduler },

	[OPT_COALESCE] = { "-gpgpu_coalesce_arch", "13", .to = ws_gs_to_coalesce,
			   .from = ws_gs_from_coalesce, .section = true },
	[OPT_L1] = { "-gpgpu_cache:dl1", "none", .to = ws_gs_to_l1, .from = ws_gs_from_l1,
		     .quiet = true },
	[OPT_L1_LATENCY] = { "-gpgpu_l1_latency", "1", .to = ws_gs_to_l1_latency,
			     .from = ws_gs_from_l1_latency },
	[OPT_COLLECTOR] = { "-gpgpu_reg_file_port_throughput", "1", .from = ws_gs_from_collector,
			    .quiet = true },
	[OPT_WIDTHS] = { "-gpgpu_pipeline_widths", "1,1,1,1,1,1,1,1,1,1,1,1,1",
			 .to = ws_gs_to_widths, .quiet = true },
	[OPT_TRACE_INT] = { "-trace_opcode_latency_initiation_int", "4,1", .to = ws_gs_to_alu,
			    .from = ws_gs_from_alu, .quiet = true },
	[OPT_LATENCY_INT] = { "-ptx_opcode_latency_int", "1,1,19,25,145,32", .quiet = true },
	[OPT_INITIATION_INT] = { "-ptx_opcode_initiation_int", "1,1,4,4,32,4", .quiet = true },
	[OPT_UNITS_INT] = { "-gpgpu_num_int_units", "0", .from = ws_gs_from_units, .quiet = true },
	[OPT_UNITS_SP] = { "-gpgpu_num_sp_units", "1", .quiet = true },
	[OPT_UNITS_SFU] = { "-gpgpu_num_sfu_units", "1", .quiet = true },
	[OPT_FETCH] = { "-gpgpu_inst_fetch_throughput", "1", .to = ws_gs_to_fetch,
			.from = ws_gs_from_fetch, .quiet = true },
	[OPT_CODE] = { "-gpgpu_cache:il1", "N:4:128:4,L:R:f:N:L,S:2:32,4", .quiet = true },
	[OPT_SPECIAL] = { "-gpgpu_enable_specialized_operand_collector", "1", .quiet = true },
	[OPT_UNITS_MEM] = { "-gpgpu_operand_collector_num_units_mem", "2", .quiet = true },
	[OPT_UNITS] = { "-gpgpu_operand_collector_num_units_gen", "0", .quiet = true },
	[OPT_SUB_CORE] = { "-gpgpu_sub_core_model", "0", .to = ws_gs_to_pipeline, .quiet = true },
	[OPT_REGISTER_BANKS] = { "-gpgpu_num_reg_banks", "8", .quiet = true },
	[OPT_PORTS_IN] = { "-gpgpu_operand_collector_num_in_ports_gen", "0", .quiet = true },
	[OPT_PORTS_OUT] = { "-gpgpu_operand_collector_num_out_ports_gen", "0", .quiet = true },
	[OPT_SHARED_LATENCY] = { "-gpgpu_smem_latency", "3", .quiet = true },
	[OPT_TRACE_SP] = { "-trace_opcode_latency_initiation_sp", "4,1", .quiet = true },
	[OPT_LATENCY_FP] = { "-ptx_opcode_latency_fp", "1,1,1,1,30", .quiet = true },
	[OPT_INITIATION_FP] = { "-ptx_opcode_initiation_fp", "1,1,1,1,5", .quiet = true },
	[OPT_UNITS_DP] = { "-gpgpu_num_dp_units", "0", .quiet = true },
	[OPT_TRACE_DP] = { "-trace_opcode_latency_initiation_dp", "4,1", .quiet = true },
	[OPT_LATENCY_DP] = { "-ptx_opcode_latency_dp", "8,8,8,8,335", .quiet = true },
	[OPT_INITIATION_DP] = { "-ptx_opcode_initiation_dp", "8,8,8,8,130", .quiet = true },
	[OPT_TRACE_SFU] = { "-trace_opcode_latency_initiation_sfu", "4,1", .quiet = true },
	[OPT_LATENCY_SFU] = { "-ptx_opcode_latency_sfu", "8", .quiet = true },
	[OPT_INITIATION_SFU] = { "-ptx_opcode_initiation_sfu", "8", .quiet = true },
	[OPT_TRACE_OWN_1] = { "-trace_opcode_latency_initiation_spec_op_1", "4,4", .quiet = true },
	[OPT_TRACE_OWN_2] = { "-trace_opcode_latency_initiation_spec_op_2", "4,4", .quiet = true },
	[OPT_TRACE_OWN_3] = { "-trace_opcode_latency_initiation_spec_op_3", "4,4", .quiet = true },
	[OPT_TRACE_OWN_4] = { "-trace_opcode_latency_initiation_spec_op_4", "4,4", .quiet = true },
	[OPT_L1_BANKS] = { "-gpgpu_l1_banks", "1", .key = "l1.banks" },
	[OPT_BANK_BYTES] = { "-gpgpu_l1_banks_byte_interleaving", "32", .to = ws_gs_to_bank_bytes,
			     .from = ws_gs_from_bank_bytes, .quiet = true },
	[OPT_L1_SKIP] = { "-gpgpu_gmem_skip_L1D", "0", .written = "0", .quiet = true,
			  .ignored = "global accesses bypass the L1 there; here they do not, but "
				     "with l1.size = 0" },
	[OPT_ADAPTIVE] = { "-gpgpu_adaptive_cache_config", "0", .to = ws_gs_to_adaptive,
			   .from = ws_gs_from_adaptive, .quiet = true },
	[OPT_UNIFIED] = { "-gpgpu_unified_l1d_size", "0", .from = ws_gs_from_unified,
			  .quiet = true },
	[OPT_SPLITS] = { "-gpgpu_shmem_option", "0", .from = ws_gs_from_splits, .quiet = true },

	[OPT_L2] = { "-gpgpu_cache:dl2", "S:32:128:24,L:B:m:L:P,A:192:4,32:0,32",
		     .to = ws_gs_to_l2, .from = ws_gs_from_l2, .section = true },
	[OPT_L2_TEXTURE] = { "-gpgpu_cache:dl2_texture_only", "1", .written = "0",
			     .ignored = "only textures use the L2 there; here all accesses do" },
	[OPT_PERFECT] = { "-gpgpu_perfect_mem", "0", .quiet = true,
			  .ignored = "no access misses there; here some do" },
	[OPT_L2_IDEAL] = { "-l2_ideal", "0", .quiet = true,
			   .ignored = "no access misses the L2 there; here some do" },
	[OPT_CHANNELS] = { "-gpgpu_n_mem", "8", .to = to_channels, .from = from_channels },
	[OPT_SLICES] = { "-gpgpu_n_sub_partition_per_mchannel", "1", .from = from_slices },
	[OPT_INDEXING] = { "-gpgpu_memory_partition_indexing", "0", .from = from_slice_hash },
	[OPT_MAPPING] = { "-gpgpu_mem_addr_mapping", "", .to = to_mapping, .from = from_mapping,
			  .quiet = true },
	[OPT_L2_LATENCY] = { "-gpgpu_l2_rop_latency", "85", .to = ws_gs_to_l2_latency,
			     .from = ws_gs_from_l2_latency },
	[OPT_FLUSH_L2] = { "-gpgpu_flush_l2_cache", "0", .from = from_flush, .quiet = true },
	[OPT_MEMCPY] = { "-gpgpu_perf_sim_memcpy", "1", .to = to_start, .from = from_start },

	[OPT_NETWORK] = { "-network_mode", "1", .written = "2", .section = true, .quiet = true },
	[OPT_FLIT] = { "-icnt_flit_size", "32", .key = "icnt.width", .to = to_flit },
	[OPT_IN_BUFFER] = { "-icnt_in_buffer_limit", "64", .key = "icnt.credits" },
	[OPT_OUT_BUFFER] = { "-icnt_out_buffer_limit", "64", .quiet = true },
	[OPT_DRAM_LATENCY] = { "-dram_latency", "30", .to = ws_gs_to_dram_latency,
			       .from = ws_gs_from_dram_latency, .section = true },
	[OPT_TIMING] = { "-gpgpu_dram_timing_opt", "4:2:8:12:21:13:34:9:4:5:13:1:0:0",
			 .from = ws_gs_from_timing, .quiet = true },
	[OPT_SIMPLE] = { "-gpgpu_simple_dram_model", "0", .written = "0", .quiet = true },
	[OPT_BANKS] = { "-dram_bnk_indexing_policy", "0", .quiet = true },
	[OPT_GROUPS] = { "-dram_bnkgrp_indexing_policy", "0", .quiet = true },
	[OPT_DUAL] = { "-dram_dual_bus_interface", "0", .quiet = true },
	[OPT_SCHEDULED] = { "-gpgpu_frfcfs_dram_sched_queue_size", "0", .quiet = true },
	[OPT_RETURNED] = { "-gpgpu_dram_return_queue_size", "0", .quiet = true },
	[OPT_DRAM_SCHEDULER] = { "-gpgpu_dram_scheduler", "1", .quiet = true },
	[OPT_BURST] = { "-gpgpu_dram_burst_length", "4", .from = ws_gs_from_burst, .quiet = true },
	[OPT_INSTRUCTIONS] = { "-gpgpu_perfect_inst_const_cache", "0",
			       .to = ws_gs_to_instructions, .from = ws_gs_from_instructions,
			       .quiet = true },
	[OPT_CHIPS] = { "-gpgpu_n_mem_per_ctrlr", "1", .written = "1" },
	[OPT_BUS] = { "-gpgpu_dram_buswidth", "4", .written = BUS_BYTES },
	[OPT_RATIO] = { "-dram_data_command_freq_ratio", "2", .written = DATA_RATIO },
	[OPT_CLOCKS] = { "-gpgpu_clock_domains", "500.0:2000.0:2000.0:2000.0", .to = to_clocks,
			 .from = from_clocks },
};
