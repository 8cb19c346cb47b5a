/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/foreign.h -- other tools' traces.
 *
 * A format is a row of ws_trace_formats: a function that recognises it by content, one that reads
 * it and, for some, one that writes it.  A reader tells a *builder* what warps did, in the order
 * the file has it; the builder finds the static instructions, encodes CTAs and writes a .wst file,
 * so all else reads one kind of trace.
 *
 * To add a format: trace/format/<name>.c with a `const struct ws_trace_format
 * ws_trace_format_<name>`, its row in trace/format/formats.c, a fuzz target of its name with seeds,
 * tests.
 */
#ifndef WS_FORMAT_FOREIGN_H
#define WS_FORMAT_FOREIGN_H

#include "trace/trace.h"

/* ---- bytes, whatever they are packed with -------------------------------------------
 *
 * A stream yields the content of an input that is plain or packed by gzip, xz or zstd (told by its
 * first bytes), piece by piece: memory is bounded whatever it unpacks to.  Errors name the
 * file and, in text, the line.
 */
struct ws_packed;

/* *in must outlive the stream. */
enum ws_status ws_packed_open(struct ws_packed **out, const struct ws_in *in,
			      struct ws_err *err) WS_MUST_CHECK;
/* The first bytes, at most 64 KiB, without consuming them. */
enum ws_status ws_packed_peek(struct ws_packed *s, const uint8_t **data, size_t *len,
			      struct ws_err *err) WS_MUST_CHECK;
/* The next line without its end (\n or \r\n; the last may lack it), NUL-terminated; it points into
 * the stream until the next call.  *line NULL: the end.  A line of more than 16 MiB is an
 * error, as is a NUL byte inside one. */
enum ws_status ws_packed_line(struct ws_packed *s, char **line, size_t *len,
			      struct ws_err *err) WS_MUST_CHECK;
/* The next `want` bytes; *got less only at the end. */
enum ws_status ws_packed_read(struct ws_packed *s, void *to, size_t want, size_t *got,
			      struct ws_err *err) WS_MUST_CHECK;
uint64_t ws_packed_at(const struct ws_packed *s); /* text: lines so far; else bytes */
/* WS_EFORMAT with "NAME:LINE: " before the message. */
enum ws_status ws_packed_fail(const struct ws_packed *s, struct ws_err *err, const char *format,
			      ...) __attribute__((format(printf, 3, 4)));
void ws_packed_close(struct ws_packed *s);

/* ---- building a trace ----------------------------------------------------------------- */

struct ws_builder;

/* Writes to *file, which is committed by its owner.  arrays: find ranges of addresses (ws_ranges
 * below) and name them; else accesses have no array. */
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

struct ws_built_access {	/* one memory instruction of one warp */
	uint64_t cta;		/* linear, x fastest */
	uint32_t warp;		/* of the CTA */
	uint64_t pc;		/* tells instructions apart, with kind, space and bytes; any number */
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
enum ws_status ws_builder_barrier(struct ws_builder *b, uint64_t cta, uint32_t warp,
				  struct ws_err *err) WS_MUST_CHECK;
/* The last launch ends, the index is written. */
enum ws_status ws_builder_end(struct ws_builder *b, struct ws_err *err) WS_MUST_CHECK;
void ws_builder_free(struct ws_builder *b);

/* ---- the table of formats ---------------------------------------------------------------- */

struct ws_read_options {
	bool arrays;		/* infer arrays */
};

struct ws_writing {		/* what a stream of requests is made with */
	const struct ws_machine *machine; /* decides the order, as in a profile; requests are of its lines */
	const struct ws_cache *l1;	/* whose lines and sectors they are made into */
	/* Launches one after the other, warp instructions of all SMs by cycle, then by SM (validate.h:
	 * ws_orderer_merged); NULL: by ws_order_run.  What holds lanes does not ask it. */
	enum ws_status (*run)(void *context, size_t launch, const struct ws_sink *sink,
			      struct ws_order_stats *stats, struct ws_err *err);
	void *context;
};

struct ws_trace_format {
	const char *name;	/* as `warpstack convert --to` takes it: accel-sim, din, ... */
	const char *summary;
	/* Does it begin like one?  Rows are asked in order, strict formats first. */
	bool (*recognise)(const uint8_t *data, size_t len);
	/* path: for formats that name other files, relative to it; NULL from a pipe. */
	enum ws_status (*read)(struct ws_packed *s, const char *path, struct ws_builder *b,
			       struct ws_err *err);
	/* NULL: cannot be written.  What the format cannot say is lost, and the man page says so. */
	enum ws_status (*write)(const struct ws_trace *t, const struct ws_writing *how,
				struct ws_out *out, struct ws_err *err);
	bool streams;		/* what is written is one stream of requests */
};

extern const struct ws_trace_format *const ws_trace_formats[]; /* NULL-terminated */
const struct ws_trace_format *ws_trace_format_find(const char *name);
/* By the input's first bytes; *out NULL: none of them. */
enum ws_status ws_trace_format_recognise(const struct ws_in *in, const struct ws_trace_format **out,
				   struct ws_err *err) WS_MUST_CHECK;
/* Converts an input to a .wst file. */
enum ws_status ws_trace_format_read(const struct ws_trace_format *f, const struct ws_in *in,
			      const struct ws_read_options *options, struct ws_out *file,
			      struct ws_err *err) WS_MUST_CHECK;

#endif
