/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/gpgpusim/gpgpusim.h -- private: options of GPGPU-Sim and keys of a machine, both ways.
 *
 *   options.c  the options that have no key, and why
 *   notes.c    what there is to say of a file
 *   caches.c   the options of caches, to keys and from them
 *   times.c    latencies, clocks and DRAM
 *   units.c    how machine code is executed
 *   keys.c     those of all else, and the table of options
 *   read.c     the words of a gpgpusim.config; a machine of them, by the table
 *   write.c    a machine as options, by the table
 */
#ifndef WS_MACHINE_GPGPUSIM_H
#define WS_MACHINE_GPGPUSIM_H

#include "machine/private.h"

/* The options that count, in the order in which they are written. */
enum ws_gs_option {
	OPT_CLUSTERS,
	OPT_CORES,
	OPT_PIPELINE,
	OPT_CTAS,
	OPT_REGISTERS,
	OPT_SHARED,
	OPT_SCHEDULERS,
	OPT_SCHEDULER,
	OPT_COALESCE,
	OPT_L1,
	OPT_L1_LATENCY,
	OPT_COLLECTOR,
	OPT_WIDTHS,
	OPT_TRACE_INT,
	OPT_LATENCY_INT,
	OPT_INITIATION_INT,
	OPT_UNITS_INT,
	OPT_UNITS_SP,
	OPT_UNITS_SFU,
	OPT_FETCH,
	OPT_CODE,
	OPT_SPECIAL,
	OPT_UNITS_MEM,
	OPT_UNITS,
	OPT_SUB_CORE,
	OPT_REGISTER_BANKS,
	OPT_PORTS_IN,
	OPT_PORTS_OUT,
	OPT_SHARED_LATENCY,
	OPT_TRACE_SP,
	OPT_LATENCY_FP,
	OPT_INITIATION_FP,
	OPT_UNITS_DP,
	OPT_TRACE_DP,
	OPT_LATENCY_DP,
	OPT_INITIATION_DP,
	OPT_TRACE_SFU,
	OPT_LATENCY_SFU,
	OPT_INITIATION_SFU,
	OPT_TRACE_OWN_1,
	OPT_TRACE_OWN_2,
	OPT_TRACE_OWN_3,
	OPT_TRACE_OWN_4,
	OPT_L1_BANKS,
	OPT_BANK_BYTES,
	OPT_L1_SKIP,
	OPT_ADAPTIVE,
	OPT_UNIFIED,
	OPT_SPLITS,
	OPT_L2,
	OPT_L2_TEXTURE,
	OPT_PERFECT,
	OPT_L2_IDEAL,
	OPT_CHANNELS,
	OPT_SLICES,
	OPT_INDEXING,
	OPT_MAPPING,
	OPT_L2_LATENCY,
	OPT_FLUSH_L2,
	OPT_MEMCPY,
	OPT_NETWORK,
	OPT_FLIT,
	OPT_IN_BUFFER,
	OPT_OUT_BUFFER,
	OPT_DRAM_LATENCY,
	OPT_TIMING,
	OPT_SIMPLE,
	OPT_DUAL,
	OPT_BANKS,
	OPT_GROUPS,
	OPT_SCHEDULED,
	OPT_RETURNED,
	OPT_DRAM_SCHEDULER,
	OPT_BURST,
	OPT_INSTRUCTIONS,
	OPT_CHIPS,
	OPT_BUS,
	OPT_RATIO,
	OPT_CLOCKS,
	WS_GS_OPTIONS
};

struct ws_gs;

/* An option, and what of a machine it says. */
struct ws_gs_row {
	const char *name;
	const char *value;	/* GPGPU-Sim's default */
	const char *key;	/* the key whose number it is; NULL: .to and .from say */
	void (*to)(struct ws_gs *r, enum ws_gs_option o); /* to keys.  NULL: with another
							   * option's */
	/* As lines of a configuration.  NULL: the key's number, or what is always written. */
	void (*from)(struct ws_buf *buf, const struct ws_machine *m, const char *name);
	const char *written;	/* always; NULL, without a key and .from: it is not written */
	const char *ignored;	/* a flag that no key stands for: a warning, if it is set */
	bool section;		/* written after an empty line */
	bool quiet;		/* that it was left out is not worth a remark */
};

extern const struct ws_gs_row ws_gs_rows[WS_GS_OPTIONS]; /* keys.c */

/* An option that has no key. */
struct ws_gs_unmodelled {
	const char *name, *why;
};

extern const struct ws_gs_unmodelled ws_gs_unmodelled[]; /* options.c, sorted by name */
extern const size_t ws_gs_unmodelled_count;

#define WS_GS_VALUE    256u /* bytes of a value that counts, with its NUL */
#define WS_GS_WARNINGS 64u  /* unknown options and stray words that are said */

struct ws_gs_word {
	const char *at; /* without its quotes */
	size_t len, line;
	bool quoted;
};

#define WS_GS_FILES 16u /* that -config may name, in all */
#define WS_GS_DEPTH 4u

struct ws_gs {
	const struct ws_gs_row *row; /* [WS_GS_OPTIONS] */
	const char *file;
	bool follow;	/* -config is read; else it is warned of */
	unsigned depth;
	struct {
		char *path, *text;
	} other[WS_GS_FILES]; /* kept until the end: words point into them */
	size_t others;
	const char *at, *end;
	size_t line;
	struct ws_machine *m;
	struct ws_cache_string l1; /* of OPT_L1, once that is read */
	struct ws_notes *notes; /* may be NULL */
	bool no_memory;
	struct ws_gs_word warned[WS_GS_WARNINGS];
	size_t warnings;
	struct {
		char value[WS_GS_VALUE];
		size_t line; /* 0: left out */
		const char *file;
	} given[WS_GS_OPTIONS];
	/* The first failure of an option's value: from then on no key is set and nothing is
	 * said. */
	enum ws_status status;
	struct ws_err *err;
};

/* ---- notes.c: something to say ---------------------------------------------------- */

/* What was noted, until the next; NULL: nothing was. */
struct ws_note *ws_gs_note(struct ws_gs *r, enum ws_note_kind kind, size_t line, const char *option,
			   const char *fmt, ...) WS_PRINTF(5, 6);
/* A remark, a warning, and an error, at an option and its value. */
void ws_gs_remark(struct ws_gs *r, enum ws_gs_option o, const char *what);
void ws_gs_warn(struct ws_gs *r, enum ws_gs_option o, const char *what);
void ws_gs_bad(struct ws_gs *r, enum ws_gs_option o, const char *what);
/* Text of a configuration. */
void ws_gs_put(struct ws_buf *buf, const char *fmt, ...) WS_PRINTF(2, 3);

/* ---- caches.c ----------------------------------------------------------------------- */

uint64_t ws_gs_number(struct ws_gs *r, enum ws_gs_option o); /* WS_EFORMAT: it is none */
void ws_gs_set(struct ws_gs *r, enum ws_gs_option o, const char *key, uint64_t value);
void ws_gs_set_text(struct ws_gs *r, enum ws_gs_option o, const char *key, const char *value);
char *ws_gs_cut(char *text); /* at the first colon; what comes after it, or NULL */

void ws_gs_to_coalesce(struct ws_gs *r, enum ws_gs_option o);
void ws_gs_to_l1(struct ws_gs *r, enum ws_gs_option o);
void ws_gs_to_bank_bytes(struct ws_gs *r, enum ws_gs_option o);
void ws_gs_to_adaptive(struct ws_gs *r, enum ws_gs_option o);
void ws_gs_to_l2(struct ws_gs *r, enum ws_gs_option o);
void ws_gs_from_coalesce(struct ws_buf *buf, const struct ws_machine *m, const char *name);
void ws_gs_from_l1(struct ws_buf *buf, const struct ws_machine *m, const char *name);
void ws_gs_from_adaptive(struct ws_buf *buf, const struct ws_machine *m, const char *name);
void ws_gs_from_unified(struct ws_buf *buf, const struct ws_machine *m, const char *name);
void ws_gs_from_splits(struct ws_buf *buf, const struct ws_machine *m, const char *name);
void ws_gs_from_l2(struct ws_buf *buf, const struct ws_machine *m, const char *name);
void ws_gs_from_bank_bytes(struct ws_buf *buf, const struct ws_machine *m, const char *name);

/* ---- times.c ------------------------------------------------------------------------ */

enum { WS_GS_CORE, WS_GS_NETWORK, WS_GS_L2, WS_GS_DRAM, WS_GS_CLOCKS };
#define WS_GS_CORE_MHZ 1000.0	/* as written */

bool ws_gs_clocks(const struct ws_gs *r, double mhz[WS_GS_CLOCKS]);
double ws_gs_dram_mhz(const struct ws_machine *m); /* as written */
void ws_gs_to_l1_latency(struct ws_gs *r, enum ws_gs_option o);
void ws_gs_to_widths(struct ws_gs *r, enum ws_gs_option o);
void ws_gs_to_alu(struct ws_gs *r, enum ws_gs_option o);
void ws_gs_from_alu(struct ws_buf *buf, const struct ws_machine *m, const char *name);
void ws_gs_from_units(struct ws_buf *buf, const struct ws_machine *m, const char *name);
void ws_gs_to_fetch(struct ws_gs *r, enum ws_gs_option o);
void ws_gs_from_fetch(struct ws_buf *buf, const struct ws_machine *m, const char *name);
/* The n-th number of a list, from 0; 0 if it is not there. */
uint64_t ws_gs_nth(const struct ws_gs *r, enum ws_gs_option o, size_t n);
void ws_gs_to_pipeline(struct ws_gs *r, enum ws_gs_option o); /* units.c */
void ws_gs_to_l2_latency(struct ws_gs *r, enum ws_gs_option o);
void ws_gs_to_dram_latency(struct ws_gs *r, enum ws_gs_option o);
void ws_gs_from_l1_latency(struct ws_buf *buf, const struct ws_machine *m, const char *name);
void ws_gs_from_collector(struct ws_buf *buf, const struct ws_machine *m, const char *name);
void ws_gs_from_l2_latency(struct ws_buf *buf, const struct ws_machine *m, const char *name);
void ws_gs_from_dram_latency(struct ws_buf *buf, const struct ws_machine *m, const char *name);
void ws_gs_from_burst(struct ws_buf *buf, const struct ws_machine *m, const char *name);
void ws_gs_from_instructions(struct ws_buf *buf, const struct ws_machine *m, const char *name);
void ws_gs_to_instructions(struct ws_gs *r, enum ws_gs_option o);
void ws_gs_from_timing(struct ws_buf *buf, const struct ws_machine *m, const char *name);

#endif
