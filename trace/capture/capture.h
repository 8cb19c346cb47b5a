/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/capture.h -- OpenCL kernels run and traced on the CPU.
 *
 * Private to trace/ and cli/cmd_trace.c.  A launch file (or the command line) is
 * read into a struct ws_program; ws_capture compiles it, allocates the
 * buffers, runs the launches in order over the same buffers and writes the trace.
 */
#ifndef WS_CAPTURE_H
#define WS_CAPTURE_H

#include "trace/trace.h"

enum ws_elem { /* element types of buffers and scalars */
	WS_ELEM_CHAR, WS_ELEM_UCHAR, WS_ELEM_SHORT, WS_ELEM_USHORT, WS_ELEM_INT, WS_ELEM_UINT,
	WS_ELEM_LONG, WS_ELEM_ULONG, WS_ELEM_FLOAT, WS_ELEM_DOUBLE, WS_ELEMS,
};
extern const char *const ws_elem_names[WS_ELEMS];
extern const unsigned ws_elem_bytes[WS_ELEMS];

struct ws_buffer {
	char *name;
	enum ws_elem elem;
	unsigned lanes;		/* vector width: "float4" is 4; 1, 2, 3 (takes 4), 4, 8, 16 */
	uint64_t count;		/* elements */
	uint64_t bytes;
	uint8_t *host;		/* contents; filled by ws_program_fill, allocated with guard pages around */
	uint64_t base;		/* device address */
	char *init;		/* "random 0 1 seed=3", for messages */
	int line;		/* in the launch file, 0: command line */
};

struct ws_arg { /* one kernel argument as written */
	char *text;		/* a buffer's name, a number, a vector "1,2,3,4", "local:BYTES" */
};

struct ws_launch_spec {
	char *kernel;
	unsigned dim;
	uint64_t global[3], local[3], offset[3];
	uint64_t registers;	/* 0: unknown */
	uint64_t repeat;	/* run so many times, at least 1 */
	struct ws_arg *arg;
	size_t args;
	int line;
};

struct ws_output_check { /* after all launches: buffer equals reference */
	char *buffer, *path;
	double tolerance;	/* relative, 0: bytes */
	int line;
};

struct ws_program {
	char *name;		/* launch file or source, for messages */
	char *source;		/* path of the .cl file */
	char *options;		/* build options, may be empty */
	struct ws_buffer *buffer;
	size_t buffers;
	struct ws_launch_spec *launch;
	size_t launches;
	struct ws_output_check *check;
	size_t checks;
};

/* ---- launch files (launch.c) ---- */
enum ws_status ws_program_read(struct ws_program *p, const char *path, struct ws_err *err) WS_MUST_CHECK;
/* The same of a launch file's text; name is for messages and tells the folder that
 * paths are relative to.  On failure *p is cleared. */
enum ws_status ws_program_parse(struct ws_program *p, const char *name, const void *text,
				size_t len, struct ws_err *err) WS_MUST_CHECK;
/* A launch of one thread, once; NULL: out of memory. */
struct ws_launch_spec *ws_program_add_launch(struct ws_program *p, int line);
/* Command line: "NAME=buffer:float:16384:random", "NAME=128": the arguments, in order. */
enum ws_status ws_program_arg(struct ws_program *p, const char *spec, struct ws_err *err) WS_MUST_CHECK;
/* "N", the first N, or "A:B", the A-th to the B-th, from 1; false if it is neither. */
bool ws_launches_parse(const char *text, uint64_t *first, uint64_t *last);
/* "out=FILE[:TOLERANCE]" */
enum ws_status ws_program_check(struct ws_program *p, const char *spec, struct ws_err *err) WS_MUST_CHECK;
/* Sizes that divide, groups within max_threads, known buffers in args; before any work. */
enum ws_status ws_program_verify(const struct ws_program *p, uint64_t max_threads,
				 struct ws_err *err) WS_MUST_CHECK;
/* Allocates and initialises the buffers and gives them device addresses: 256 B aligned, in the
 * order of declaration, from WS_DEVICE_BASE. */
#define WS_DEVICE_BASE 0x100000000ull
enum ws_status ws_program_fill(struct ws_program *p, struct ws_err *err) WS_MUST_CHECK;
/* Compares the checked buffers; *differs says whether they agree, text where they do not. */
enum ws_status ws_program_compare(const struct ws_program *p, bool *differs, char *text, size_t len,
				  struct ws_err *err) WS_MUST_CHECK;
void ws_program_clear(struct ws_program *p);

/* ---- run it (capture.c) ---- */
enum ws_status ws_capture(struct ws_program *p, const struct ws_capture_options *options,
			  struct ws_out *out, struct ws_err *err) WS_MUST_CHECK;

/* ---- without and with a software cache (soft_run.c) ----
 *
 * Each launch is run as it is, then, for each cache that is asked for, twice more over the same
 * buffers: rewritten to have the cache (softcache.c), first with no structure chosen, so that all
 * threads monitor, then with those that the first told to choose.  In all of them a work-item runs
 * until a barrier or its end before the next one does, and the groups run in order: what depends on
 * an order depends on the same one.  Structures are the launch's arrays, and one more, the last:
 * what is in none.
 */
struct ws_soft_cache {
	uint32_t line_bytes;	/* 1, 2, 4 ... 256 */
	uint32_t threshold;	/* loads and stores of a thread that it monitors */
	uint64_t lines;		/* of a thread */
	bool aliased;
};

struct ws_soft_tally {		/* of a structure; model.h's struct ws_soft_counts says of what */
	uint64_t accesses[WS_KINDS], direct[WS_KINDS], hits[2], misses[2];
	uint64_t monitored, monitor_hits, write_backs, write_back_bytes, atomics, emptied;
};

struct ws_soft_ran {		/* a launch with a cache */
	const struct ws_soft_cache *cache;
	const struct ws_soft_tally *structure;
	size_t structures;
	uint64_t left;		/* threads that came to barriers and their end past monitoring */
	uint64_t instructions[2]; /* before a thread's first call past monitoring; from it on */
	uint64_t wrong;		/* bytes of buffers that are not those of the launch as it is */
	const char *buffer;	/* the first of those */
	uint64_t byte;
	bool fences;		/* it flushes at fences too, which traces do not hold */
};

struct ws_soft_hooks {
	void *context;
	/* A launch as it is: its tables, then the steps of each CTA, of one thread at a time. */
	enum ws_status (*begin)(void *context, const struct ws_launch *l, struct ws_err *err);
	void (*cta)(void *context); /* before each CTA's steps, and after the last's */
	enum ws_status (*step)(void *context, const struct ws_step *step, struct ws_err *err);
	/* The next cache to run it with; *more false: there is none. */
	enum ws_status (*next)(void *context, struct ws_soft_cache *cache, bool *more,
			       struct ws_err *err);
	/* Of all threads' monitoring; line[structure] is to be 0 .. lines - 1, or stays -1. */
	enum ws_status (*choose)(void *context, const struct ws_soft_ran *monitored, int32_t *line,
				 struct ws_err *err);
	enum ws_status (*ran)(void *context, const struct ws_soft_ran *ran, struct ws_err *err);
};

struct ws_soft_run_options {
	uint64_t max_threads, budget; /* as in struct ws_capture_options */
	struct ws_out *trace;	/* a trace of the launches with their caches; NULL: none */
	struct ws_buf *ir;	/* the rewritten kernels as text; NULL: not asked for */
	/* For tests: after so many segments other work-items of the CTA have their turn (0: never),
	 * when the cache runs; what is left out of it (bits of enum ws_soft_omit). */
	uint64_t turn;
	unsigned omit;
};

enum ws_soft_omit { WS_SOFT_OMIT_BARRIER = 1, WS_SOFT_OMIT_ATOMIC = 2, WS_SOFT_OMIT_END = 4 };

enum ws_status ws_soft_run(struct ws_program *p, const struct ws_soft_run_options *options,
			   const struct ws_soft_hooks *hooks, struct ws_err *err) WS_MUST_CHECK;

#endif
