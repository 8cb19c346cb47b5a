/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/gpgpusim/write.c -- a machine as options of GPGPU-Sim 4.
 *
 * A fragment: it says what our keys say, and goes after a complete configuration of a like GPU,
 * whose values it overrides.  What no option can say is found by reading the fragment back, so
 * the comment that lists it is right by construction.
 *
 * Our bandwidth is per core cycle, GPGPU-Sim's follows from clocks: the core's is set to 1 GHz
 * and the DRAM's to what gives the bandwidth.
 */
#include "machine/private.h"

#include <inttypes.h>
#include <string.h>

#define CORE_MHZ 1000.0
#define KB 1024u
#define BUS_BYTES 4u		/* of a DRAM chip, with two transfers per cycle */
#define DATA_RATIO 2u
#define THREADS_MAX 65536u	/* sm.threads */
#define L2_QUEUE 32u		/* requests that wait for DRAM: ours has no end */
#define ROW_BITS 11u		/* a row of a DRAM bank is of 2 KB */

WS_PRINTF(2, 3)
static void put(struct ws_buf *buf, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	ws_put_bytes(buf, text, strlen(text));
}

static bool sectored(const struct ws_cache *c)
{
	return c->sector_bytes < c->line_bytes;
}

static const char *write_letters(const struct ws_cache *c)
{
	static const char *const on_miss[] = {
		[WS_WRITE_BACK] = "B:m:L",
		[WS_WRITE_THROUGH] = "T:m:N",
		[WS_WRITE_THROUGH_ALLOCATE] = "T:m:L",
		[WS_WRITE_EVICT] = "L:m:N",
	};
	static const char *const on_fill[] = {
		[WS_WRITE_BACK] = "B:m:L", /* f with B deadlocks there */
		[WS_WRITE_THROUGH] = "T:f:N",
		[WS_WRITE_THROUGH_ALLOCATE] = "T:f:W",
		[WS_WRITE_EVICT] = "L:f:N",
	};

	return (c->alloc == WS_ALLOC_ON_FILL ? on_fill : on_miss)[c->write];
}

/* Sectors are those of four to a line of 128 there, sets a power of two. */
static void put_cache(struct ws_buf *buf, const char *option, const struct ws_cache *c,
		      const char *queues)
{
	bool sectors = sectored(c) && c->line_bytes == 4 * WS_SECTOR_BYTES;
	char letter = ws_gpgpusim_letter(c->policy), text[160];
	struct ws_cache_string parsed;

	snprintf(text, sizeof text, "%c:%" PRIu64 ":%" PRIu64 ":%" PRIu64 ",%c:%s:%c,%s",
		 sectors ? 'S' : 'N', (uint64_t)1 << ws_log2(c->sets), c->line_bytes, c->ways,
		 letter ? letter : 'L', write_letters(c),
		 c->hash->gpgpusim ? c->hash->gpgpusim : 'L', queues);
	if (ws_cache_string_parse(&parsed, text, NULL) == WS_OK) {
		for (unsigned i = 0; i < parsed.doubts; i++)
			put(buf, "# %s\n", parsed.doubt[i]);
	}
	put(buf, "%s %s\n", option, text);
}

static void put_core(struct ws_buf *buf, const struct ws_machine *m)
{
	uint64_t threads = m->sm_warps * m->warp_width;

	if (threads > THREADS_MAX)
		threads = THREADS_MAX - THREADS_MAX % m->warp_width;
	put(buf, "\n-gpgpu_n_clusters %" PRIu64 "\n-gpgpu_n_cores_per_cluster 1\n", m->sm_count);
	put(buf, "-gpgpu_shader_core_pipeline %" PRIu64 ":%" PRIu64 "\n", threads, m->warp_width);
	put(buf, "-gpgpu_shader_cta %" PRIu64 "\n", m->sm_ctas);
	put(buf, "-gpgpu_shader_registers %" PRIu64 "\n", m->sm_registers);
	put(buf, "-gpgpu_shmem_size %" PRIu64 "\n", m->sm_shared_bytes);
	put(buf, "-gpgpu_num_sched_per_core %" PRIu64 "\n", m->sm_schedulers);
	if (m->sm_scheduler == WS_SCHED_TWO_LEVEL)
		put(buf, "-gpgpu_scheduler two_level_active:%" PRIu64 ":0:1\n",
		    m->sm_active_warps);
	else
		put(buf, "-gpgpu_scheduler %s\n", m->sm_scheduler == WS_SCHED_LRR ? "lrr" : "gto");
}

/* The string is of the whole array, or of what a fixed carve-out leaves. */
static void put_adaptive(struct ws_buf *buf, const struct ws_machine *m)
{
	put(buf, "-gpgpu_adaptive_cache_config %d\n", ws_machine_adapts(m));
	if (!ws_machine_adapts(m))
		return;
	put(buf, "-gpgpu_unified_l1d_size %" PRIu64 "\n-gpgpu_shmem_option ",
	    m->sm_unified_bytes / KB);
	for (size_t i = 0; i < m->sm_carveouts.count; i++)
		put(buf, "%s%" PRIu64, i ? "," : "", m->sm_carveouts.bytes[i] / KB);
	put(buf, "\n");
}

/* A sectored L1 there takes requests of one sector only. */
static void put_l1(struct ws_buf *buf, const struct ws_machine *m)
{
	bool segments = m->coalesce_line == WS_SECTOR_BYTES || sectored(&m->l1);
	struct ws_cache l1 = m->l1;
	char queues[64];

	if (ws_machine_adapts(m))
		l1.ways = m->sm_unified_bytes / (l1.sets * l1.line_bytes);
	snprintf(queues, sizeof queues, "%c:%" PRIu64 ":%" PRIu64 ",%" PRIu64 ":0,32",
		 !sectored(&m->l1) && sectored(&m->l2) ? 'S' : 'A', m->l1.mshr_entries,
		 m->l1.mshr_merge, m->l1_queue);
	put(buf, "\n-gpgpu_coalesce_arch %d\n", segments ? 70 : 20);
	put_cache(buf, "-gpgpu_cache:dl1", &l1, queues);
	put(buf, "-gpgpu_l1_latency %" PRIu64 "\n-gpgpu_l1_banks %" PRIu64 "\n"
	    "-gpgpu_gmem_skip_L1D 0\n", m->l1.latency_cycles, m->l1_banks);
	put_adaptive(buf, m);
}

/* Channels above the bits of a block, the lowest bit of the bank above them: every block is the
 * next slice's.  Of DRAM it says what their presets say: 13 bits of rows, 4 of banks, 6 of
 * columns. */
static void put_mapping(struct ws_buf *buf, const struct ws_machine *m)
{
	unsigned low = ws_log2(m->l2_interleave_bytes);
	unsigned columns = low < ROW_BITS ? ROW_BITS - low : 0;

	put(buf, "-gpgpu_mem_addr_mapping dramid@%u;", low);
	for (unsigned bit = 64; bit-- > 0;) {
		char letter = '0';

		if (bit < low + 1 + columns)
			letter = bit == low ? 'B' : bit < 5 ? 'S' : 'C';
		else if (bit < low + columns + 17)
			letter = bit < low + columns + 4 ? 'B' : 'R';
		put(buf, "%c%s", letter, bit && bit % 8 == 0 ? "." : "");
	}
	put(buf, "\n");
}

static void put_l2(struct ws_buf *buf, const struct ws_machine *m)
{
	static const unsigned indexing[] = { 0, 1, 2 }; /* by l2.slice-hash: modulo, xor, ipoly */
	char queues[64];

	snprintf(queues, sizeof queues, "A:%" PRIu64 ":%" PRIu64 ",%u:0,32", m->l2.mshr_entries,
		 m->l2.mshr_merge, L2_QUEUE);
	put(buf, "\n# of one slice; there are %" PRIu64 "\n", m->l2_slices);
	put_cache(buf, "-gpgpu_cache:dl2", &m->l2, queues);
	put(buf, "-gpgpu_cache:dl2_texture_only 0\n-gpgpu_n_mem %" PRIu64 "\n"
	    "-gpgpu_n_sub_partition_per_mchannel %" PRIu64 "\n"
	    "-gpgpu_memory_partition_indexing %u\n", ws_dram_channels(m),
	    m->l2_slices / ws_dram_channels(m), indexing[m->l2_slice_hash]);
	put_mapping(buf, m);
	put(buf, "-gpgpu_l2_rop_latency %" PRIu64 "\n-gpgpu_perf_sim_memcpy %d\n"
	    "\n-icnt_flit_size %" PRIu64 "\n", m->l2.latency_cycles, m->l2_start == WS_L2_WARM,
	    m->icnt_width);
}

static void put_memory(struct ws_buf *buf, const struct ws_machine *m)
{
	double bytes = (double)(ws_dram_channels(m) * BUS_BYTES * DATA_RATIO);

	put(buf, "\n-dram_latency %" PRIu64 "\n-gpgpu_n_mem_per_ctrlr 1\n"
	    "-gpgpu_dram_buswidth %u\n-dram_data_command_freq_ratio %u\n"
	    "# no clock is known: 1 GHz stands for the core's, and the DRAM's follows from its\n"
	    "# bandwidth, %" PRIu64 " bytes a core cycle\n"
	    "-gpgpu_clock_domains %.1f:%.1f:%.1f:%.9g\n", m->dram_latency_cycles, BUS_BYTES,
	    DATA_RATIO, m->dram_bandwidth, CORE_MHZ, CORE_MHZ, CORE_MHZ,
	    (double)m->dram_bandwidth * CORE_MHZ / bytes);
}

/* The keys that what was written reads back otherwise. */
static enum ws_status put_rest(struct ws_buf *buf, size_t from, const struct ws_machine *m,
			       struct ws_err *err)
{
	char mine[2 * WS_NAME_MAX], theirs[2 * WS_NAME_MAX];
	struct ws_machine back;
	unsigned count = 0;
	enum ws_status status;

	if (buf->failed)
		return ws_fail_memory(err, "a configuration");
	status = ws_gpgpusim_read(&back, (const char *)buf->data + from, buf->len - from,
				  "what was written", NULL, err);
	for (const struct ws_key *key = ws_keys; key->name && !status; key++) {
		if (key->stage == WS_STAGE_LABEL)
			continue;
		ws_machine_get(m, key, mine, sizeof mine);
		ws_machine_get(&back, key, theirs, sizeof theirs);
		if (strcmp(mine, theirs) == 0)
			continue;
		if (count++ == 0)
			put(buf, "\n# What no option says, and what the options above say "
			    "instead:\n");
		put(buf, "#   %s = %s, not %s\n", key->name, mine, theirs);
	}
	if (!status && buf->failed)
		return ws_fail_memory(err, "a configuration");
	return status;
}

enum ws_status ws_gpgpusim_write(const struct ws_machine *m, struct ws_buf *buf,
				 struct ws_err *err)
{
	size_t from = buf->len;

	put(buf, "# %s: %s\n# Options of GPGPU-Sim 4, written by warpstack.  They go after a "
	    "complete configuration of\n# a like GPU: the last value of an option counts.\n",
	    m->name, m->title);
	put_core(buf, m);
	put_l1(buf, m);
	put_l2(buf, m);
	put_memory(buf, m);
	return put_rest(buf, from, m, err);
}
