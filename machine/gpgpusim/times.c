/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/gpgpusim/times.c -- how long things take: options of latencies, clocks and DRAM.
 *
 * GPGPU-Sim's latencies are of single stages; ours are of all the way.  What comes on top follows
 * from its pipeline, a cycle for each queue that an instruction or a packet enters (shader.cc,
 * gpu-cache.cc, l2cache.cc):
 *
 *   l1.latency    -gpgpu_l1_latency, and from the issue of a load to that of what needs it: the
 *                 load-store unit's register, its look-up, and three steps of the operand collector
 *                 (a collector, the reads, dispatch), of which a cycle has
 *                 -gpgpu_reg_file_port_throughput: 5 cycles, or 4 with two steps.
 *   l1.lookup     -gpgpu_l1_latency: a bank's pipeline is in front of its look-up.
 *   l2.latency    -gpgpu_l2_rop_latency, and QUEUES cycles: the L1's miss queue, the network, the
 *                 end of the rop queue, that to the L2, that from it, the network, the cluster's
 *                 responses, the SM's, and write-back.  BookSim (-network_mode 1) takes more in
 *                 each direction than the built-in crossbar, in which a flit that waits for none
 *                 takes one: ROUTER cycles for injection, routing, allocation of a channel and of
 *                 the switch, and the way out.
 *   dram.latency  -dram_latency, and a read of an open row: CL and the burst, in DRAM cycles.
 *   dram.timing   with FR-FCFS and a mapping that inserts the channel's bits; then what DRAM
 *                 takes on top of dram.wait follows from it, tick by tick.  Without, and where one
 *                 number is wanted, as in predictions:
 *   dram.row.miss RCD: the row is opened first.  All banks but one of a channel are taken to be
 *                 closed (here a channel has one row open), so that RP is not waited for.
 *
 *   sm.start      without -gpgpu_perfect_inst_const_cache a launch begins with a miss of the
 *                 instruction cache, in the L2 too.
 *
 * Micro kernels of dependent loads confirm them to the cycle but for DRAM: paper/accel-sim.md.
 */
#include "machine/gpgpusim/gpgpusim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MHZ_MAX	  1e9
#define COLLECTOR 3u		/* steps */
#define SM_STAGES 2u
#define QUEUES	  9u
#define ROUTER	  5u		/* of each direction, on top */
#define BOOKSIM	  1u		/* -network_mode */
#define CAS	  12u		/* CL, DRAM cycles, as written: of all their presets */
#define CHIP_BYTES 4u		/* of the bus, as written */
#define ROWS_MAX  (1u << 20)
#define OPS_MAX	  1024u
#define SPECIAL	  4u		/* collectors of a kind, without -..._num_units_gen */
#define BUFFER	  2u		/* instructions of a warp */
#define FETCH_MAX 64u
#define FIRST	  1u		/* cycle of a launch in which CTAs come to SMs */
#define CODE_LINE 128u
#define CODE_SETS 1u		/* numbers of -gpgpu_cache:il1 */
#define CODE_WAYS 3u
#define CODE_MSHRS 10u
#define CODE_MERGES 11u
#define CODE_QUEUE 12u
#define FRONT_MAX 64u
#define FETCH	  6u		/* three more sectors; fetch, decode, issue */
#define CLOCK_MAX 1e9		/* kHz */
#define PLACES	  999u
#define WAIT_MAX  100000u	/* SMs' cycles that times of DRAM come to, at most */
#define WIDTHS	  13u		/* of -gpgpu_pipeline_widths */
#define BEFORE_MEM 4u
#define AFTER_MEM 9u

/* CORE:NETWORK:L2:DRAM in MHz. */
bool ws_gs_clocks(const struct ws_gs *r, double mhz[WS_GS_CLOCKS])
{
	char text[WS_GS_VALUE], *at = text;

	memcpy(text, r->given[OPT_CLOCKS].value, sizeof text);
	for (size_t i = 0; i < WS_GS_CLOCKS; i++) {
		char *after = at ? ws_gs_cut(at) : NULL;

		if (!at || !ws_parse_double(at, &mhz[i]) || !(mhz[i] > 0 && mhz[i] <= MHZ_MAX))
			return false;
		at = after;
	}
	return at == NULL;
}

/* The SMs' clock is written as this. */
double ws_gs_dram_mhz(const struct ws_machine *m)
{
	double bytes = (double)(ws_dram_channels(m) * 2 * CHIP_BYTES);

	return (double)m->dram_bandwidth * WS_GS_CORE_MHZ / bytes;
}

static void set_cycles(struct ws_gs *r, enum ws_gs_option o, const char *key, uint64_t more)
{
	uint64_t value = ws_gs_number(r, o);

	ws_gs_set(r, o, key, value > UINT64_MAX - more ? value : value + more);
}

/* ---- the L1 ------------------------------------------------------------------------------- */

static uint64_t stages(uint64_t steps)
{
	return SM_STAGES + (steps < COLLECTOR ? (COLLECTOR + steps - 1) / steps : 1);
}

void ws_gs_to_l1_latency(struct ws_gs *r, enum ws_gs_option o)
{
	uint64_t steps = ws_gs_number(r, OPT_COLLECTOR);

	if (!steps)
		ws_gs_bad(r, OPT_COLLECTOR, "want 1 or more");
	else
		set_cycles(r, o, "l1.latency", stages(steps));
	ws_gs_set(r, o, "l1.lookup",
		  ws_gs_number(r, o) < OPS_MAX ? ws_gs_number(r, o) : OPS_MAX);
}

/* Steps as in presets: two of Volta and what came later. */
static uint64_t steps_of(const struct ws_machine *m)
{
	return m->l1.sector_bytes < m->l1.line_bytes ? 2 : 1;
}

void ws_gs_from_l1_latency(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	uint64_t all = m->l1.latency_cycles, own = stages(steps_of(m));

	ws_gs_put(buf, "%s %" PRIu64 "\n", name, all > own ? all - own : 1);
}

void ws_gs_from_collector(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	ws_gs_put(buf, "%s %" PRIu64 "\n", name, steps_of(m));
}

/* Memory ops issued that the load-store unit has not begun with: in the registers before and after
 * the operand collectors (fifth and tenth of the widths), in collectors, and the one at hand.  They
 * stay in order, and an op's requests come from the highest address down. */
void ws_gs_to_widths(struct ws_gs *r, enum ws_gs_option o)
{
	char text[WS_GS_VALUE], *at = text, *after;
	uint64_t ops = 1, width, mem = ws_gs_number(r, OPT_UNITS_MEM);
	uint64_t gen = ws_gs_number(r, OPT_UNITS);

	memcpy(text, r->given[o].value, sizeof text);
	for (size_t i = 0; at && i < WIDTHS; at = after, i++) {
		after = strchr(at, ',');
		if (after)
			*after++ = '\0';
		if (!ws_parse_u64(at, &width) || width > OPS_MAX) {
			ws_gs_warn(r, o, "want numbers with commas between them: taken as 1");
			width = 1;
		}
		ops += i == BEFORE_MEM || i == AFTER_MEM ? width : 0;
	}
	mem = ws_gs_number(r, OPT_SPECIAL) ? mem : 0;
	ops += (mem < OPS_MAX ? mem : OPS_MAX) + (gen < OPS_MAX ? gen : OPS_MAX);
	ws_gs_set(r, o, "sm.lsu", ops < OPS_MAX ? ops : OPS_MAX);
	ws_gs_set_text(r, o, "sm.lsu.order", "fifo");
	ws_gs_set_text(r, o, "sm.lsu.requests", "falling");
	ws_gs_set_text(r, o, "sm.stores", "acknowledged"); /* shd_warp_t::stores_done */
}

/* ---- other instructions --------------------------------------------------------------------- */

uint64_t ws_gs_nth(const struct ws_gs *r, enum ws_gs_option o, size_t n)
{
	char text[WS_GS_VALUE], *at = text, *after;
	uint64_t value = 0;

	memcpy(text, r->given[o].value, sizeof text);
	for (; at; at = after, n--) {
		after = strchr(at, ',');
		if (after)
			*after++ = '\0';
		if (!n)
			return ws_parse_u64(at, &value) && value <= OPS_MAX ? value : 0;
	}
	return 0;
}

/* All go to the integer units, or where there are none to those of floating point: registers before
 * and after the collectors, and collectors, hold those that wait for one. */
static void set_units(struct ws_gs *r, enum ws_gs_option o, uint64_t initiation)
{
	bool own = ws_gs_number(r, OPT_UNITS_INT) != 0;
	enum ws_gs_option units = own ? OPT_UNITS_INT : OPT_UNITS_SP;
	uint64_t n = ws_gs_number(r, units), each = r->m->sm_schedulers;
	uint64_t held = ws_gs_nth(r, OPT_WIDTHS, own ? 2 : 0) +
			ws_gs_nth(r, OPT_WIDTHS, own ? 7 : 5);

	held += ws_gs_number(r, OPT_SPECIAL) ? SPECIAL : ws_gs_number(r, OPT_UNITS);
	held = each && held < OPS_MAX * each ? held / each : OPS_MAX;
	n = n ? n : 1;
	if (each > OPS_MAX || initiation * each > n * OPS_MAX)
		initiation = each = 1;
	n = (initiation * each + n - 1) / n;
	ws_gs_set(r, o, "sm.alu.interval", n > 1 ? n : 0);
	ws_gs_set(r, o, "sm.alu.queue", n > 1 ? held : 0);
}

/* -trace_opcode_latency_initiation_int LATENCY,INITIATION, or the first numbers of
 * -ptx_opcode_latency_int and -ptx_opcode_initiation_int: those of an addition. */
void ws_gs_to_alu(struct ws_gs *r, enum ws_gs_option o)
{
	bool ptx = !r->given[OPT_TRACE_INT].line;
	uint64_t latency = ws_gs_nth(r, ptx ? OPT_LATENCY_INT : OPT_TRACE_INT, 0);
	uint64_t initiation = ws_gs_nth(r, ptx ? OPT_INITIATION_INT : OPT_TRACE_INT, !ptx);
	uint64_t steps = ws_gs_number(r, OPT_COLLECTOR);

	if (!latency || !initiation)
		ws_gs_warn(r, ptx ? OPT_LATENCY_INT : o,
			   "want numbers from 1 to 1024 with commas between them: taken as 1");
	latency = latency ? latency : 1;
	latency += stages(steps ? steps : 1) + 1;
	ws_gs_set(r, o, "sm.alu", latency < OPS_MAX ? latency : OPS_MAX);
	set_units(r, o, initiation ? initiation : 1);
}

void ws_gs_from_alu(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	uint64_t all = m->sm_alu_cycles, own = stages(steps_of(m)) + 1;

	ws_gs_put(buf, "%s %" PRIu64 ",%" PRIu64 "\n", name, all > own ? all - own : 1,
		  m->sm_alu_interval > 1 ? m->sm_alu_interval : 1);
}

/* One for each scheduler. */
void ws_gs_from_units(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	ws_gs_put(buf, "%s %" PRIu64 "\n", name, m->sm_schedulers);
}

/* Two instructions of a warp are fetched once its buffer is empty, of so many warps a cycle.  Of
 * several, where no sm.pipeline tells cycles apart, they are taken to be there in the next one. */
void ws_gs_to_fetch(struct ws_gs *r, enum ws_gs_option o)
{
	uint64_t warps = ws_gs_number(r, o);

	if (warps > 1 && !ws_gs_number(r, OPT_SUB_CORE))
		warps = 0;
	else if (!warps)
		warps = 1;
	ws_gs_set(r, o, "sm.buffer", warps ? BUFFER : 0);
	ws_gs_set(r, o, "sm.fetch", warps < FETCH_MAX ? warps : FETCH_MAX);
}

void ws_gs_from_fetch(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	ws_gs_put(buf, "%s %d\n", name, m->sm_buffer ? 1 : 4);
}

/* ---- the L2 ------------------------------------------------------------------------------- */

void ws_gs_to_l2_latency(struct ws_gs *r, enum ws_gs_option o)
{
	bool booksim = ws_gs_number(r, OPT_NETWORK) == BOOKSIM;

	set_cycles(r, o, "l2.latency", QUEUES + (booksim ? 2 * ROUTER : 0));
	ws_gs_set(r, o, "l2.rate", 1);
}

void ws_gs_from_l2_latency(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	uint64_t all = m->l2.latency_cycles;

	ws_gs_put(buf, "%s %" PRIu64 "\n", name, all > QUEUES ? all - QUEUES : 0);
}

/* ---- DRAM --------------------------------------------------------------------------------- */

/* A time of -gpgpu_dram_timing_opt, which has names ("nbk=16:CCD=2:...") or, in this order,
 * numbers.  0 if it is not there. */
static uint64_t timing(const struct ws_gs *r, const char *name, size_t place)
{
	char text[WS_GS_VALUE], *at = text, *after, *equals;
	uint64_t value = 0;

	memcpy(text, r->given[OPT_TIMING].value, sizeof text);
	for (size_t i = 0; at; at = after, i++) {
		after = ws_gs_cut(at);
		equals = strchr(at, '=');
		if (equals)
			*equals++ = '\0';
		if ((equals ? strcmp(at, name) == 0 : i == place) &&
		    ws_parse_u64(equals ? equals : at, &value))
			return value < UINT32_MAX ? value : 0;
	}
	return 0;
}

/* SMs' cycles of so many of DRAM, rounded. */
static uint64_t core_cycles(double dram_cycles, double core_mhz, double dram_mhz)
{
	double cycles = dram_cycles * core_mhz / dram_mhz + 0.5;

	return cycles < WAIT_MAX ? (uint64_t)cycles : WAIT_MAX;
}

/* Bytes of a slice in one row: the bits below the row's that are columns. */
static uint64_t row_bytes(const struct ws_gs *r)
{
	const char *text = r->given[OPT_MAPPING].value, *cut = strchr(text, ';');
	unsigned bits = 0;

	if (!r->given[OPT_MAPPING].line)
		return 0;
	for (text = cut ? cut + 1 : text; *text; text++)
		bits += strchr("CScs", *text) != NULL;
	return bits < 63 && (1ull << bits) >= r->m->l2.line_bytes && (1ull << bits) <= ROWS_MAX
		? 1ull << bits : 0;
}

/* What a sector of 32 bytes takes: whole bursts. */
static void set_atom(struct ws_gs *r, enum ws_gs_option o)
{
	uint64_t burst = ws_gs_number(r, OPT_BURST), bus = ws_gs_number(r, OPT_BUS);
	uint64_t chips = ws_gs_number(r, OPT_CHIPS), bytes = WS_SECTOR_BYTES;

	if (!burst || !bus || !chips || burst > 1024 || bus > 1024 || chips > 1024)
		return;		/* OPT_BUS and OPT_CHIPS complain where it is 0 */
	burst *= bus * chips;
	while (bytes < burst && bytes < WS_LINE_MAX)
		bytes *= 2;
	if (burst > bytes || (burst > WS_SECTOR_BYTES && burst != bytes))
		ws_gs_remark(r, o, "what a burst has is a power of two here, 1 KB at most");
	ws_gs_set(r, o, "dram.atom", bytes);
}

/* Letters of the bank and of the row, of an address without its channel: of a mapping that inserts
 * the channel. */
static bool read_mapping(const struct ws_gs *r, char letters[sizeof r->m->dram_mapping])
{
	const char *text = r->given[OPT_MAPPING].value, *cut = strchr(text, ';');
	size_t n = 0;

	if (!cut || strncmp(text, "dramid@", 7) != 0)
		return false;
	for (const char *at = cut + 1; *at; at++) {
		char letter = *at == '|' ? '.' : *at;

		if (n + 1 == sizeof r->m->dram_mapping)
			return false;
		if (n || (letter != '0' && letter != '.'))
			letters[n++] = letter == 'b' ? 'B' : letter == 'r' ? 'R' : letter;
	}
	letters[n] = '\0';
	return true;
}

/* Of a queue; 0 there: any number. */
static uint64_t places(struct ws_gs *r, enum ws_gs_option o)
{
	uint64_t n = ws_gs_number(r, o);

	return n && n < PLACES ? n : PLACES;
}

/* "NAME=NUMBER" behind what is there; a number of 0 is not said.  False: it does not fit. */
static bool say_time(char *text, size_t len, const char *name, uint64_t value)
{
	size_t n = strlen(text);

	if (!value)
		return true;
	return (size_t)snprintf(text + n, len - n, "%s%s=%" PRIu64, n ? ":" : "", name, value) <
	       len - n;
}

static bool say_banks(struct ws_gs *r, char *text, size_t len, uint64_t burst)
{
	static const struct {
		const char *name;
		size_t place;
	} times[] = {
		{ "CCD", 1 }, { "RRD", 2 }, { "RCD", 3 }, { "RAS", 4 }, { "RP", 5 }, { "RC", 6 },
		{ "CL", 7 }, { "WL", 8 }, { "CDLR", 9 }, { "WR", 10 }, { "CCDL", 12 },
		{ "RTPL", 13 }, { "nbk", 0 }, { "nbkgrp", 11 },
	};
	bool fits = true;

	*text = '\0';
	for (size_t i = 0; i < WS_COUNT(times); i++)
		fits = fits && say_time(text, len, i + 1 < WS_COUNT(times) ? times[i].name : "grp",
					timing(r, times[i].name, times[i].place));
	return fits && say_time(text, len, "BL", burst) &&
	       say_time(text, len, "low", ws_gs_number(r, OPT_GROUPS) == 1) &&
	       say_time(text, len, "bus", ws_gs_number(r, OPT_DUAL) ? 2 : 0) &&
	       say_time(text, len, "in", places(r, OPT_SCHEDULED)) &&
	       say_time(text, len, "out", places(r, OPT_RETURNED));
}

/* Banks, where all of it is said and is of the kind that is modelled. */
static void set_banks(struct ws_gs *r, uint64_t burst, const double mhz[WS_GS_CLOCKS])
{
	char text[sizeof r->m->dram_timing];
	struct ws_machine tried = *r->m;
	struct ws_dram_timing ignored;
	double dram = mhz[WS_GS_DRAM] * 1e3, core = mhz[WS_GS_CORE] * 1e3;

	ws_gs_set_text(r, OPT_TIMING, "dram.timing", "none");
	ws_gs_set_text(r, OPT_MAPPING, "dram.mapping", "none");
	ws_gs_set(r, OPT_CLOCKS, "dram.ticks", 1);
	ws_gs_set(r, OPT_CLOCKS, "dram.ticks.cycles", 1);
	ws_gs_set(r, OPT_DRAM_LATENCY, "dram.wait", 0);
	if (!burst || ws_gs_number(r, OPT_DRAM_SCHEDULER) != 1 || ws_gs_number(r, OPT_BANKS) != 0 ||
	    dram > CLOCK_MAX || core > CLOCK_MAX || dram < 1 || core < 1 ||
	    !say_banks(r, text, sizeof text, burst))
		return;
	memcpy(tried.dram_timing, text, sizeof text);
	tried.dram_ticks = (uint64_t)(dram + 0.5);
	tried.dram_ticks_cycles = (uint64_t)(core + 0.5);
	if (!read_mapping(r, tried.dram_mapping) || ws_dram_timing_read(&tried, &ignored, NULL))
		return;
	ws_gs_set_text(r, OPT_MAPPING, "dram.mapping", tried.dram_mapping);
	ws_gs_set_text(r, OPT_TIMING, "dram.timing", text);
	ws_gs_set(r, OPT_CLOCKS, "dram.ticks", tried.dram_ticks);
	ws_gs_set(r, OPT_CLOCKS, "dram.ticks.cycles", tried.dram_ticks_cycles);
	ws_gs_set(r, OPT_DRAM_LATENCY, "dram.wait", ws_gs_number(r, OPT_DRAM_LATENCY));
}

void ws_gs_to_dram_latency(struct ws_gs *r, enum ws_gs_option o)
{
	double mhz[WS_GS_CLOCKS] = { 1, 1, 1, 1 }, ratio = (double)ws_gs_number(r, OPT_RATIO);
	double burst = (double)ws_gs_number(r, OPT_BURST);
	bool simple = ws_gs_number(r, OPT_SIMPLE) != 0;
	uint64_t open = 0, row = row_bytes(r), opens = 0;

	ws_gs_set(r, OPT_BURST, "dram.atom", WS_SECTOR_BYTES);
	set_atom(r, OPT_BURST);
	ws_gs_clocks(r, mhz);	/* checked with the network's options */
	if (!simple && ratio > 0)
		open = core_cycles((double)timing(r, "CL", 7) + burst / ratio, mhz[WS_GS_CORE],
				   mhz[WS_GS_DRAM]);
	set_cycles(r, o, "dram.latency", open);
	if (!simple && row)
		opens = core_cycles((double)timing(r, "RCD", 3), mhz[WS_GS_CORE],
				    mhz[WS_GS_DRAM]);
	ws_gs_set(r, OPT_TIMING, "dram.row", opens ? row : 0);
	ws_gs_set(r, OPT_TIMING, "dram.row.miss", opens);
	set_banks(r, opens && ratio > 0 ? (uint64_t)(burst / ratio) : 0, mhz);
}

void ws_gs_from_dram_latency(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	double bursts = (double)m->dram_atom / (2 * CHIP_BYTES);
	uint64_t all = m->dram_latency_cycles;
	uint64_t open = core_cycles(CAS + bursts, WS_GS_CORE_MHZ, ws_gs_dram_mhz(m));

	ws_gs_put(buf, "%s %" PRIu64 "\n", name, all > open ? all - open : 0);
}

void ws_gs_from_burst(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	ws_gs_put(buf, "%s %" PRIu64 "\n", name, m->dram_atom / CHIP_BYTES);
}

/* Bytes of a line of the instruction cache: "N:SETS:BYTES:WAYS,...". */
static uint64_t code_line(const struct ws_gs *r)
{
	const char *at = r->given[OPT_CODE].value;
	char text[WS_GS_VALUE], *after;
	uint64_t bytes = 0;

	for (unsigned i = 0; i < 2 && at; i++) {
		at = strchr(at, ':');
		at = at ? at + 1 : NULL;
	}
	if (!at)
		return CODE_LINE;
	memcpy(text, at, strlen(at) + 1);
	after = ws_gs_cut(text);
	return after && ws_parse_u64(text, &bytes) && bytes >= 32 && bytes <= 4096 ? bytes
										   : CODE_LINE;
}

/* A number behind a letter and colon, or a comma or colon, of "N:SETS:BYTES:WAYS,L:R:f:N:L,
 * S:MSHRS:MERGES,QUEUE"; 0: it is not there. */
static uint64_t code_number(const struct ws_gs *r, unsigned place)
{
	const char *at = r->given[OPT_CODE].value;
	char text[8] = "";
	uint64_t value = 0;

	for (; place && at; place--) {
		at = strpbrk(at, ":,");
		at = at ? at + 1 : NULL;
	}
	if (at && strcspn(at, ":,") < sizeof text)
		memcpy(text, at, strcspn(at, ":,"));
	return ws_parse_u64(text, &value) ? value : 0;
}

static bool fits(uint64_t n)
{
	return n && n <= FRONT_MAX;
}

/* Of configurations that say how code is executed. */
static void set_front(struct ws_gs *r, enum ws_gs_option o, bool perfect)
{
	bool executed = ws_machine_has_pipeline(r->m);
	uint64_t sets = code_number(r, CODE_SETS), ways = code_number(r, CODE_WAYS);
	uint64_t mshrs = code_number(r, CODE_MSHRS), merges = code_number(r, CODE_MERGES);
	uint64_t queue = code_number(r, CODE_QUEUE), line = code_line(r);
	char text[sizeof r->m->sm_front] = "none";

	if (executed && perfect)
		snprintf(text, sizeof text, "all");
	else if (executed && ws_is_pow2(line) && line <= r->m->l2.line_bytes && ws_is_pow2(sets) &&
		 fits(sets) && fits(ways) && fits(mshrs) && fits(merges) && fits(queue))
		snprintf(text, sizeof text, "sets=%" PRIu64 ":ways=%" PRIu64 ":mshr=%" PRIu64
			 ":merge=%" PRIu64 ":queue=%" PRIu64, sets, ways, mshrs, merges, queue);
	ws_gs_set_text(r, o, "sm.front", text);
}

/* A line of instructions comes from DRAM or, in later launches, the L2, a sector a cycle, is
 * decoded and issued. */
void ws_gs_to_instructions(struct ws_gs *r, enum ws_gs_option o)
{
	const struct ws_machine *m = r->m;
	uint64_t cycles = m->l2.latency_cycles + m->dram_latency_cycles + m->dram_row_miss_cycles;

	bool perfect = ws_gs_number(r, o) != 0;
	uint64_t near = perfect ? 0 : m->l2.latency_cycles + FETCH;

	cycles = perfect ? (ws_gs_number(r, OPT_SUB_CORE) ? FIRST : 0) : cycles + FETCH;
	set_front(r, o, perfect);
	ws_gs_set(r, o, "sm.code.line", perfect ? 0 : code_line(r));
	ws_gs_set(r, o, "sm.code", near < WAIT_MAX ? near : WAIT_MAX);
	ws_gs_set(r, o, "sm.start", cycles < WAIT_MAX ? cycles : WAIT_MAX);
}

void ws_gs_from_instructions(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	ws_gs_put(buf, "%s %d\n", name, m->sm_start_cycles <= FIRST);
}

/* Of their presets, but for what a key says. */
void ws_gs_from_timing(struct ws_buf *buf, const struct ws_machine *m, const char *name)
{
	uint64_t opens = core_cycles((double)m->dram_row_miss_cycles, ws_gs_dram_mhz(m),
				     WS_GS_CORE_MHZ);

	ws_gs_put(buf, "%s nbk=16:CCD=%" PRIu64 ":RRD=3:RCD=%" PRIu64 ":RAS=28:RP=12:RC=40:CL=%u:"
		  "WL=2:CDLR=3:WR=10:nbkgrp=1:CCDL=0:RTPL=0\n", name,
		  m->dram_atom / CHIP_BYTES / 2, opens, CAS);
}
