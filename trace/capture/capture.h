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
/* Allocates and initialises the buffers and gives them device addresses: 256 B aligned, in the order of
 * declaration, from WS_DEVICE_BASE. */
#define WS_DEVICE_BASE 0x100000000ull
enum ws_status ws_program_fill(struct ws_program *p, struct ws_err *err) WS_MUST_CHECK;
/* Compares the checked buffers; *differs says whether they agree, text where they do not. */
enum ws_status ws_program_compare(const struct ws_program *p, bool *differs, char *text, size_t len,
				  struct ws_err *err) WS_MUST_CHECK;
void ws_program_clear(struct ws_program *p);

/* ---- run it (capture.c) ---- */
enum ws_status ws_capture(struct ws_program *p, const struct ws_capture_options *options,
			  struct ws_out *out, struct ws_err *err) WS_MUST_CHECK;

#endif
