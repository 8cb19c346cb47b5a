/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import.h -- other tools' traces.
 *
 * A format is a row of ws_trace_formats.  Which one an input is, its first bytes say:
 *
 *	struct ws_in in;
 *	const struct ws_import_options options = { .arrays = true };
 *
 *	status = ws_in_open(&in, "lackey.out.xz", &err);
 *	if (status == WS_OK)
 *		status = ws_import_trace(&trace, &in, NULL, &options, &err);
 *	ws_in_close(&in);
 *
 * Inputs may be packed by gzip, xz or zstd.  warpstack-formats(5) says what each format keeps, and
 * what is lost.  For a format that is not among them, or for a tool of one's own that traces,
 * there is the *builder*: it is told what warps did, finds the static instructions, encodes CTAs
 * and writes a .wst file, so all else reads one kind of trace.
 *
 * To add a format to the library: trace/import/<name>.c with a `const struct ws_trace_format
 * ws_trace_format_<name>`, its row in trace/import/formats.c, seeds in tests/fuzz/corpus-<name>/
 * and a section in the manual: CONTRIBUTING.md.
 *
 * Costs: time in proportion to the input, 75 MB of din or 400 MB of Accel-Sim a second (written of
 * data/kernel/mm-256.launch, one core); memory for the accesses of one launch (3 to 8 bytes an
 * affine access of a warp; on disk past 512 MiB), however many launches there are.
 */
#ifndef WS_IMPORT_H
#define WS_IMPORT_H

#include "trace/trace.h"

WS_API_BEGIN

/* ---- the table of formats ---------------------------------------------------------------- */

struct ws_packed;		/* private: an input as a reader gets it */
struct ws_builder;

struct ws_import_options {
	bool arrays;		/* of a trace that names none: takes each range of addresses that is
				 * used without a large gap for one; else accesses have no array */
	/* Told of each launch with fewer CTAs in its file than its grid has; the others make no
	 * requests.  NULL: nobody is.  The name lives as long as the call. */
	void (*partial)(void *context, const char *kernel, uint64_t has, uint64_t grid);
	void *context;
	/* Of ws_import_trace: accesses of a format of single threads are kept as a list that is
	 * read front to back, in constant memory.  The trace has no .wst file: no ws_trace_copy. */
	bool listed;
};

struct ws_writing {		/* what a stream of requests is made with */
	const struct ws_machine *machine; /* decides the order; requests are of its lines */
	const struct ws_cache *l1;	/* whose lines and sectors they are made into */
	/* Launches one after the other, warp instructions of all SMs by cycle, then by SM
	 * (validate.h: ws_orderer_merged); NULL: by ws_order_run.  What holds lanes does not ask
	 * it. */
	enum ws_status (*run)(void *context, size_t launch, const struct ws_sink *sink,
			      struct ws_order_stats *stats, struct ws_err *err);
	void *context;
	/* May this file be replaced?  Asked of those that are written beside the output; NULL:
	 * any. */
	ws_file_visit *check;
	void *check_context;
};

struct ws_trace_format {
	const char *name;	/* [a-z0-9-]+: accel-sim, din, ... */
	const char *summary;	/* one line */
	/* Does it begin like one?  Rows are asked in order, strict formats first.  NULL: no. */
	bool (*recognise)(const uint8_t *data, size_t len);
	/* Asked by ws_import alone.  path: for formats that name other files, relative to it;
	 * NULL from a pipe.  NULL: the format is written only. */
	enum ws_status (*read)(struct ws_packed *s, const char *path, struct ws_builder *b,
			       struct ws_err *err);
	/* The files that `read` reads besides; NULL: none. */
	enum ws_status (*files)(struct ws_packed *s, const char *path, ws_file_visit *visit,
				void *context, struct ws_err *err);
	/* NULL: cannot be written.  Else onto *out, which the caller commits.  What the format
	 * cannot say is lost. */
	enum ws_status (*write)(const struct ws_trace *t, const struct ws_writing *how,
				struct ws_out *out, struct ws_err *err);
	bool streams;		/* what is written is one stream of requests */
	bool single;		/* what is read are launches of one thread */
};

extern const struct ws_trace_format *const ws_trace_formats[]; /* NULL-terminated */
const struct ws_trace_format *ws_trace_format_find(const char *name); /* NULL if none */
/* By the input's first bytes; *out NULL: none of them.  Errors: a packing that is damaged. */
enum ws_status ws_trace_format_recognise(const struct ws_in *in, const struct ws_trace_format **out,
					 struct ws_err *err) WS_MUST_CHECK;

/* ---- reading ------------------------------------------------------------------------------- */

/* Converts an input to a .wst file, which the caller commits.  f NULL: as recognised, and
 * WS_EFORMAT if it is none of them.  Else WS_EFORMAT names file and line (or byte). */
enum ws_status ws_import(const struct ws_trace_format *f, const struct ws_in *in,
			 const struct ws_import_options *options, struct ws_out *file,
			 struct ws_err *err) WS_MUST_CHECK;
/* The same into a temporary file without a name, which is opened: *out is closed by ws_trace_close.
 * *in may be closed. */
enum ws_status ws_import_trace(struct ws_trace **out, const struct ws_in *in,
			       const struct ws_trace_format *f,
			       const struct ws_import_options *options,
			       struct ws_err *err) WS_MUST_CHECK;

/* If *in is packed and `ours` says of the first bytes of what it holds that this is a file of ours
 * (a trace, a profile), *in becomes that, in a temporary file; all else stays as it is.
 * WS_EFORMAT if it is damaged, or the same byte over and over. */
enum ws_status ws_in_unpack(struct ws_in *in, bool (*ours)(const void *data, size_t len),
			    struct ws_err *err) WS_MUST_CHECK;

/* The files besides *in that ws_import will read, in order. */
enum ws_status ws_import_files(const struct ws_trace_format *f, const struct ws_in *in,
			       ws_file_visit *visit, void *context,
			       struct ws_err *err) WS_MUST_CHECK;

/* ---- building a trace ------------------------------------------------------------------------
 *
 * ws_builder_new, then for each launch ws_builder_launch and what its warps did, each warp's in
 * its own order, warps and CTAs in any; ws_builder_end.  One thread.
 */

/* Writes to *file, which is committed by its owner.  arrays: as in struct ws_import_options.
 * Freed by ws_builder_free. */
enum ws_status ws_builder_new(struct ws_builder **out, struct ws_out *file, bool arrays,
			      struct ws_err *err) WS_MUST_CHECK;

struct ws_built_launch {
	const char *kernel;
	uint64_t grid[3], block[3];
	uint64_t shared_bytes, registers;
	uint32_t warp_width;	/* of the warps below, 1..64 */
};

/* A new launch; the one before ends. */
enum ws_status ws_builder_launch(struct ws_builder *b, const struct ws_built_launch *launch,
				 struct ws_err *err) WS_MUST_CHECK;

/* Copied to the device before the next launch. */
enum ws_status ws_builder_copy(struct ws_builder *b, uint64_t base, uint64_t bytes,
			       struct ws_err *err) WS_MUST_CHECK;

struct ws_built_op {		/* an instruction of machine code, as struct ws_code_op */
	uint64_t pc;
	uint8_t unit;
	uint8_t results, operands;
	const uint16_t *reg;	/* [results + operands] */
};

/* Optional: each instruction of a warp, before the access or barrier that it is, or before
 * ws_builder_others counts it; of one warp at a time. */
enum ws_status ws_builder_op(struct ws_builder *b, const struct ws_built_op *op,
			     struct ws_err *err) WS_MUST_CHECK;
/* Optional: threads that executed instructions of the launch, added up. */
void ws_builder_executed(struct ws_builder *b, uint64_t threads);

struct ws_built_access {	/* one memory instruction of one warp */
	uint64_t cta;		/* linear, x fastest */
	uint32_t warp;		/* of the CTA */
	uint64_t pc;		/* tells instructions apart, with kind, space and bytes */
	uint8_t kind, space;
	uint32_t bytes;		/* per lane, 1 .. WS_ACCESS_BYTES_MAX */
	uint64_t lanes;		/* bit per lane, not 0 */
	const uint64_t *address; /* [lane], of the set lanes */
	uint32_t gap;		/* other instructions of the warp since its last access (more than
				 * WS_GAP_MAX count as that many) */
	const char *file;	/* NULL: unknown */
	uint32_t line;
	bool used;		/* ws_builder_use will tell where its data is used first, or it
				 * never is; else by the warp's next instruction */
	struct ws_pace pace;	/* of the gap, and of itself */
};

/* Errors: WS_EFORMAT without a place (the reader adds it) for a CTA, warp, lane or size out of
 * range, or a range of addresses that wraps. */
enum ws_status ws_builder_access(struct ws_builder *b, const struct ws_built_access *a,
				 struct ws_err *err) WS_MUST_CHECK;
/* The instruction that the last access was one of; of the launch. */
uint32_t ws_builder_last(const struct ws_builder *b);
/* Data of this load were used first by the distance-th instruction of the warp after it, barriers
 * not counted.  Of all times that the instruction was executed the least distance counts. */
void ws_builder_use(struct ws_builder *b, uint32_t load, uint64_t distance);
/* After the warp's last access: other instructions (they add up), a CTA barrier. */
enum ws_status ws_builder_other(struct ws_builder *b, uint64_t cta, uint32_t warp, uint64_t count,
				struct ws_err *err) WS_MUST_CHECK;
/* The same, and what is known of them (.chain less than count). */
enum ws_status ws_builder_others(struct ws_builder *b, uint64_t cta, uint32_t warp, uint64_t count,
				 const struct ws_pace *pace, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_builder_barrier(struct ws_builder *b, uint64_t cta, uint32_t warp,
				  struct ws_err *err) WS_MUST_CHECK;
/* The last launch ends, the index is written. */
enum ws_status ws_builder_end(struct ws_builder *b, struct ws_err *err) WS_MUST_CHECK;
void ws_builder_free(struct ws_builder *b);

WS_API_END
#endif
