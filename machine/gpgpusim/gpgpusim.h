/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/gpgpusim/gpgpusim.h -- private: a gpgpusim.config as it is read (read.c), and as it is made
 * a machine (keys.c).
 */
#ifndef WS_MACHINE_GPGPUSIM_H
#define WS_MACHINE_GPGPUSIM_H

#include "machine/private.h"

/* The options that count. */
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
	OPT_L1_BANKS,
	OPT_L1_SKIP,
	OPT_ADAPTIVE,
	OPT_SPLITS,
	OPT_UNIFIED,
	OPT_PERFECT,
	OPT_L2,
	OPT_L2_TEXTURE,
	OPT_L2_IDEAL,
	OPT_CHANNELS,
	OPT_SLICES,
	OPT_INDEXING,
	OPT_MAPPING,
	OPT_MEMCPY,
	OPT_FLIT,
	OPT_L2_LATENCY,
	OPT_DRAM_LATENCY,
	OPT_CHIPS,
	OPT_BUS,
	OPT_RATIO,
	OPT_CLOCKS,
	WS_GS_OPTIONS
};

extern const struct ws_gs_name {
	const char *name, *value; /* value: GPGPU-Sim's default */
} ws_gs_options[WS_GS_OPTIONS];

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
	struct ws_notes *notes; /* may be NULL */
	bool no_memory;
	struct ws_gs_word warned[WS_GS_WARNINGS];
	size_t warnings;
	struct {
		char value[WS_GS_VALUE];
		size_t line; /* 0: left out */
		const char *file;
	} given[WS_GS_OPTIONS];
};

/* read.c: something to say besides errors. */
void ws_gs_note(struct ws_gs *r, enum ws_note_kind kind, size_t line, const char *option,
		const char *fmt, ...) WS_PRINTF(5, 6);
/* A warning, and an error, at an option and its value. */
void ws_gs_warn(struct ws_gs *r, enum ws_gs_option o, const char *what);
enum ws_status ws_gs_bad(const struct ws_gs *r, enum ws_gs_option o, const char *what,
			 struct ws_err *err);

/* keys.c: the options as keys of r->m, checked; it has a name already. */
enum ws_status ws_gs_keys(struct ws_gs *r, struct ws_err *err);

#endif
