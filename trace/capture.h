/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture.h -- OpenCL kernels run and traced on the CPU.
 *
 * A *program* is a source, buffers, launches in order, and the expected contents of buffers at the
 * end.  It is read from a launch file (warpstack-launch(5)) or built by calls.  ws_capture compiles
 * the source, fills the buffers, runs the launches and writes the trace:
 *
 *	struct ws_program p;
 *	const struct ws_capture_options options = { 0 };
 *
 *	status = ws_program_read(&p, "mm.launch", &err);
 *	if (status == WS_OK)
 *		status = ws_capture_trace(&trace, &p, &options, &err);
 *	ws_program_clear(&p);
 *
 * Needs no GPU and no OpenCL platform, but LLVM (ws_capture_load).
 * Kernels run as native code inside the calling process: while they do, SIGSEGV, SIGBUS, SIGILL,
 * SIGFPE and SIGTRAP are handled here, and what they print goes to standard error.  A kernel that
 * accesses memory outside its buffers (out_of_bounds), misaligns a vector, crashes or does not end
 * (budget) ends the capture with WS_EINPUT; the message names the place.
 *
 * Costs: time in proportion to what the kernels execute, 10^8 memory accesses a second on a core
 * (data/kernel/mm-256.launch); memory for the buffers, and for the records of a chunk of CTAs on
 * each thread.
 */
#ifndef WS_CAPTURE_H
#define WS_CAPTURE_H

#include "trace/trace.h"

WS_API_BEGIN

/* ---- programs: plain data, zero is empty ----------------------------------------------- */

enum ws_elem { /* element types of buffers and scalars */
	WS_ELEM_CHAR, WS_ELEM_UCHAR, WS_ELEM_SHORT, WS_ELEM_USHORT, WS_ELEM_INT, WS_ELEM_UINT,
	WS_ELEM_LONG, WS_ELEM_ULONG, WS_ELEM_FLOAT, WS_ELEM_DOUBLE,
	WS_ELEM_HALF,		/* of images alone */
	WS_ELEMS,
};
extern const char *const ws_elem_names[WS_ELEMS]; /* OpenCL's */
extern const unsigned ws_elem_bytes[WS_ELEMS];

enum ws_image_shape {
	WS_IMAGE_NONE, WS_IMAGE_1D, WS_IMAGE_BUFFER, WS_IMAGE_1D_ARRAY, WS_IMAGE_2D,
	WS_IMAGE_2D_ARRAY, WS_IMAGE_3D, WS_IMAGE_SHAPES,
};

/* How an image's texels lie.  Kernels compute on rows in host memory; if it is tiled, the device
 * addresses of the trace are those of the same texels block-linear (warpstack-launch(5)). */
struct ws_image {
	uint32_t width, height, depth;	/* texels, at least 1; depth: or layers */
	uint32_t texel;			/* bytes */
	uint64_t row, slice;		/* bytes from one to the next, in host memory */
	uint32_t order, type;		/* of its channels, OpenCL's numbers */
	uint8_t shape;			/* enum ws_image_shape */
	bool tiled;
};

struct ws_buffer {
	char *name;
	enum ws_elem elem;
	unsigned lanes;		/* vector width: "float4" is 4; 1, 2, 3 (takes 4), 4, 8, 16 */
	uint64_t count;		/* elements */
	uint64_t bytes;
	uint8_t *host;		/* [bytes], the contents: NULL before the program has run */
	uint64_t base;		/* device address, likewise */
	struct ws_image image;	/* of a buffer that is one; lanes are its channels then */
	char *init;		/* what it is filled with: "random 0 1 seed=3" */
	int line;		/* in the launch file; 0: not from one */
};

/* Its type as in a launch file: "image2d:rgba:float:block-linear". */
#define WS_IMAGE_TEXT 80
void ws_image_text(const struct ws_image *m, char *text, size_t len);

struct ws_arg {			/* one kernel argument as written */
	char *text;		/* a buffer's name, a number, a vector "1,2,3,4" (or one number
				 * for all), "hex:DIGITS" for a struct, "local:BYTES",
				 * "sampler:linear:clamp:normalized" */
	char *name;		/* the parameter's name; NULL: not given */
};

/* The kernel of a launch that fails with WS_EINVAL and the names of those that the source has. */
#define WS_WHICH_KERNEL "?"

struct ws_launch_spec {
	char *kernel;
	unsigned dim;		/* 1 to 3; sizes past it are 1 */
	uint64_t global[3], local[3], offset[3]; /* work-items */
	uint64_t registers;	/* of a thread; 0: unknown, of CUDA's estimated */
	uint64_t repeat;	/* run so many times, at least 1 */
	struct ws_arg *arg;
	size_t args;
	int line;
};

struct ws_output_check {	/* after all launches: buffer equals reference */
	char *buffer, *path;
	double tolerance;	/* relative; 0: the same bytes */
	int line;
};

struct ws_program {		/* texts and arrays are its own, from malloc */
	char *name;		/* the launch file's, for messages; NULL: put together by hand */
	char *source;		/* path of the .cl file */
	char *options;		/* of the OpenCL compiler; may be empty, not NULL */
	int options_line;	/* where in the launch file; 0: they are not of one */
	uint64_t device_base;	/* address of the first buffer; 0: 4 GiB */
	uint64_t device_align;	/* of each buffer's address, a power of two; 0: 256 */
	struct ws_buffer *buffer;
	size_t buffers;
	struct ws_launch_spec *launch;
	size_t launches;
	struct ws_output_check *check;
	size_t checks;
};

/* A launch file.  WS_EFORMAT names file and line; WS_EINPUT.  On failure *p is empty. */
enum ws_status ws_program_read(struct ws_program *p, const char *path,
			       struct ws_err *err) WS_MUST_CHECK;
/* The same of its text; name is for messages and tells the folder that paths are relative to. */
enum ws_status ws_program_parse(struct ws_program *p, const char *name, const void *text,
				size_t len, struct ws_err *err) WS_MUST_CHECK;
/* Frees what the program holds, the contents of its buffers too. */
void ws_program_clear(struct ws_program *p);

/* Adds a launch of one work-item; the caller sets kernel (from malloc) and sizes.  line: 0.  NULL:
 * out of memory.  Valid until the next launch is added. */
struct ws_launch_spec *ws_program_add_launch(struct ws_program *p, int line);
/* Makes work-items of global[], which are CTAs; false: that many are none.  */
bool ws_launch_grid(struct ws_launch_spec *l) WS_MUST_CHECK;
/* The next argument of the last launch, which is made if there is none.  The name is the
 * parameter's: a run of the kernel checks it.
 *	"width=128"  "tile=local:1024"  "from=1,2,3,4"
 *	"A=buffer:float:16384:random:0:1:seed=3"	declares A and passes it
 *	"in=image2d:rgba:float:64x48:random:0:1"	declares an image and passes it
 *	"again=A"					passes it again
 * WS_EINVAL begins with "argument", and quotes it. */
enum ws_status ws_program_arg(struct ws_program *p, const char *spec,
			      struct ws_err *err) WS_MUST_CHECK;
/* "BUFFER=FILE" or "BUFFER=FILE:TOLERANCE", a check.  WS_EINVAL begins with "check", and quotes
 * it. */
enum ws_status ws_program_check(struct ws_program *p, const char *spec,
				struct ws_err *err) WS_MUST_CHECK;

/* Visits the program's files: source, data of buffers, references, and files that the source
 * includes. */
enum ws_status ws_program_files(const struct ws_program *p, ws_file_visit *visit, void *context,
				struct ws_err *err) WS_MUST_CHECK;

/* Checks the parts against each other: sizes divide, groups have at most max_threads work-items,
 * arguments are declared.  Reads no file.  ws_capture does the same. */
enum ws_status ws_program_verify(const struct ws_program *p, uint64_t max_threads,
				 struct ws_err *err) WS_MUST_CHECK;

/* ---- running them ------------------------------------------------------------------------ */

struct ws_capture_test;		/* private */

/* What happens to accesses partly or wholly outside their arrays. */
enum ws_out_of_bounds {
	WS_OUT_OF_BOUNDS_FAIL,		/* the first ends the capture: WS_EINPUT */
	WS_OUT_OF_BOUNDS_RECORD,	/* traced at the address they would have, and reported;
					 * loads and atomics give 0, stores and atomics change
					 * nothing */
	WS_OUT_OF_BOUNDS_IGNORE,	/* the same, not reported */
};
extern const char *const ws_out_of_bounds_names[]; /* "fail", "record", "ignore", NULL */

struct ws_outside {		/* of a source line in a kernel, in all launches */
	const char *kernel, *file; /* as errors name it */
	uint32_t line;
	uint64_t count[WS_KINDS];
	const char *first;	/* "work-item (32,0,0) makes a load of 4 bytes at byte 128 of buffer
				 * a (argument p), which has 128" */
};
#define WS_OUTSIDE_TEXT 640
/* "k.cl:2: out of bounds in kernel k: 32 loads, first work-item (32,0,0) makes ..." */
void ws_outside_text(const struct ws_outside *o, char text[WS_OUTSIDE_TEXT]);

struct ws_unmet_barrier { /* a barrier that not all work-items of a CTA reach, in a launch */
	const char *kernel, *file; /* as errors name it */
	struct ws_unmet at;
	uint64_t ctas, threads;	/* of the launch; of a CTA */
};
#define WS_UNMET_TEXT 480
/* "k.cl:7: kernel k: not all work-items of a group reach this barrier (undefined in OpenCL):
 * ..." */
void ws_unmet_text(const struct ws_unmet_barrier *b, char text[WS_UNMET_TEXT]);

struct ws_capture_options {
	unsigned threads;	/* 0: all cores; the trace does not depend on it */
	bool local;		/* record __local accesses too */
	bool no_source;		/* leave the source's text out of the trace */
	uint64_t max_threads;	/* work-items of the largest CTA allowed (the machine's); 0: any */
	uint64_t budget;	/* records and silent loop turns of a lane; a CTA four
				 * times that in all its lanes; 0: 2^28 */
	uint64_t seconds;	/* that a launch, or compiling a kernel, may take; 0: any */
	/* CTAs that wait for each other run together, as many as this machine holds at once, but at
	 * most 2^18 work-items; NULL: as many as that. */
	const struct ws_machine *machine;
	/* progress in CTAs, may be NULL */
	void (*progress)(void *context, const char *kernel, uint64_t done, uint64_t total);
	void *context;
	enum ws_out_of_bounds out_of_bounds;
	/* With WS_OUT_OF_BOUNDS_RECORD, after the run, once a source line.  May be NULL. */
	void (*outside)(void *context, const struct ws_outside *o);
	/* After each launch with such barriers, once a source line.  May be NULL. */
	void (*unmet)(void *context, const struct ws_unmet_barrier *b);
	const char *cache;	/* a folder that keeps compiled kernels (ws_capture_cache); NULL:
				 * none are kept */
	const struct ws_capture_test *test; /* NULL; else of the library's own tests */
};

/* The folder for compiled kernels that warpstack's commands use: $WARPSTACK_CACHE, else
 * $XDG_CACHE_HOME/warpstack, else ~/.cache/warpstack.  Allocated; NULL: none, since the first is
 * empty or there is no home, or memory is out. */
char *ws_capture_cache(void);

/* Loads what runs kernels, libwarpstack-capture.so, and LLVM with it, which stay loaded; the first
 * run does it by itself.  It is looked for at $WARPSTACK_CAPTURE, else where warpstack is
 * installed.  WS_EINVAL: it is not there, since LLVM was not when the library was built, or it is
 * of another version; WS_EIO: it cannot be loaded.  Without it, programs can be read and
 * verified. */
enum ws_status ws_capture_load(struct ws_err *err) WS_MUST_CHECK;
/* The Linux features that keep compilers and kernels from files, network and other processes:
 * "Landlock (version 7), seccomp". */
#define WS_CONFINEMENT_TEXT 100
void ws_capture_confinement(char text[WS_CONFINEMENT_TEXT]);

/* Kernels are compiled and run in a process of their own, a fork of the caller, which can only
 * compute and hand back what it records (ws_capture_confinement); a crash or an end of it is an
 * error of the kernel's.  Other threads of the caller may hold no lock that a fork would leave
 * locked in LLVM, GSL or the C library's streams.
 *
 * Runs the program and writes the trace to *out, which the caller commits.  Buffers then have
 * their contents; each run fills them anew.  Errors: WS_EFORMAT for a source that does not compile
 * or arguments that do not suit it (of a program by hand, WS_EINVAL), WS_EINPUT for what kernels
 * do. */
enum ws_status ws_capture(struct ws_program *p, const struct ws_capture_options *options,
			  struct ws_out *out, struct ws_err *err) WS_MUST_CHECK;
/* The same into an unnamed temporary file, which is opened as a trace; ws_trace_close closes it.
 * Messages call it by the program's or its source's name. */
enum ws_status ws_capture_trace(struct ws_trace **trace, struct ws_program *p,
				const struct ws_capture_options *options,
				struct ws_err *err) WS_MUST_CHECK;
/* After a run: compares checked buffers with their files.  *differs: one differs; text[len] says
 * which and where. */
enum ws_status ws_program_compare(const struct ws_program *p, bool *differs, char *text, size_t len,
				  struct ws_err *err) WS_MUST_CHECK;

/* ---- without and with a software cache (softcache.h) -----------------------------------------
 *
 * Each launch is run as it is, then, for each cache that is asked for, twice more over the same
 * buffers: rewritten to have the cache, first with no structure chosen, so that all threads
 * monitor, then with those that the first told to choose.  In all of them a work-item runs until a
 * barrier or its end before the next one does, and the groups run in order: what depends on an
 * order depends on the same one.  Structures are the launch's arrays, and one more, the last: what
 * is in none.  All on one thread.
 */
struct ws_soft_cache {
	uint32_t line_bytes;	/* 1, 2, 4 ... 256 */
	uint32_t threshold;	/* loads and stores of a thread that it monitors */
	uint64_t lines;		/* of a thread */
	bool aliased;
};

struct ws_soft_tally {		/* of a structure; softcache.h's struct ws_soft_counts says of
				 * what */
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

struct ws_soft_hooks {		/* arguments are valid during the call */
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
	uint64_t max_threads, budget, seconds; /* as in struct ws_capture_options */
	const char *cache;	/* likewise */
	struct ws_out *trace;	/* a trace of the launches with their caches; NULL: none */
	struct ws_buf *ir;	/* the rewritten kernels as text; NULL: not asked for */
	const struct ws_capture_test *test; /* NULL */
};

/* Errors: as ws_capture, and what the hooks say. */
enum ws_status ws_soft_run(struct ws_program *p, const struct ws_soft_run_options *options,
			   const struct ws_soft_hooks *hooks, struct ws_err *err) WS_MUST_CHECK;

/* ---- programs that use OpenCL themselves ---------------------------------------------------
 *
 * libwarpstack-opencl.so, named in OPENCL_LAYERS, is loaded into such a program by its OpenCL
 * loader and traces what it launches.  By itself it writes the trace $WARPSTACK_TRACE when the
 * program exits.  A program that starts the other one can have the launches written as they end,
 * so that they are there however the other ends: it opens the trace and makes a *spool*, passes
 * the paths of both descriptors, /proc/PID/fd/N, in WARPSTACK_TRACE_OPEN and WARPSTACK_SPOOL, and
 * when the other is gone it calls ws_spool_finish.  Besides, the layer reads
 *
 *	WARPSTACK_MACHINE	what the program finds as its GPU: a preset, or a .conf file's path;
 *	WARPSTACK_MACHINE_CONF	or the text of one
 *	WARPSTACK_KERNEL	only kernels of this name
 *	WARPSTACK_LAUNCHES	N, the first N, or A:B, the A-th to the B-th, from 1
 *	WARPSTACK_CTAS		the first N CTAs of each launch
 *	WARPSTACK_REGISTERS	of a thread, of all launches
 *	WARPSTACK_THREADS, WARPSTACK_LOCAL=1	as in struct ws_capture_options
 *	WARPSTACK_IMAGES	row-major or block-linear: where texels lie; row-major if not set
 *	WARPSTACK_OUT_OF_BOUNDS	a name of ws_out_of_bounds_names; record if not set
 *	WARPSTACK_NO_SOURCE=1	texts of sources are left out of the trace
 *	WARPSTACK_FIBRES=1	launches that are not traced have a stack for each thread, as
 *				traced ones have (for tests)
 *	WARPSTACK_QUIET=1	no messages on standard error
 *	WARPSTACK_CACHE, XDG_CACHE_HOME, HOME	as ws_capture_cache
 */
struct ws_spool;

struct ws_tally {		/* launches traced, and the cost of tracing */
	uint64_t traced, cut, kernels; /* cut: those not whole; kernels: different ones */
	uint64_t left;		/* to the platform */
	double begun;		/* when OpenCL or CUDA was called first, as ws_seconds() */
	double compile_seconds, run_seconds;
};

struct ws_spool_state {
	long owner;		/* the process that is traced; 0: none yet */
	uint64_t loaded;	/* processes in which the layer is */
	bool running;		/* a launch has begun, and not ended */
	int failed;		/* errno of a write to the trace; 0: none */
	uint64_t launches, bytes; /* in the trace and whole; of it up to their end */
	struct ws_tally tally;
};

/* *fd: the caller's to close; *s: freed by ws_spool_close.  Needs Linux (memfd_create). */
enum ws_status ws_spool_new(struct ws_spool **s, int *fd, struct ws_err *err) WS_MUST_CHECK;
void ws_spool_read(const struct ws_spool *s, struct ws_spool_state *out); /* any time */
/* Makes the calling process the only writer; false if another is, or was.  The parent calls it
 * after the program's end, to lock late processes out. */
bool ws_spool_claim(struct ws_spool *s);
/* Completes the file with the launches that had ended; the caller commits it.  WS_EINPUT: the
 * program has damaged the trace. */
enum ws_status ws_spool_finish(const struct ws_spool *s, int fd, struct ws_out *trace,
			       struct ws_err *err) WS_MUST_CHECK;
void ws_spool_close(struct ws_spool *s); /* NULL: nothing */

#define WS_TALLY_TEXT 200
/* The two lines of the report: launches and bytes traced, and the part of the program's time that
 * it took up to now, a ws_seconds(). */
void ws_tally_text(const struct ws_tally *t, uint64_t bytes, double now,
		   char launches[WS_TALLY_TEXT], char overhead[WS_TALLY_TEXT]);

/* As WARPSTACK_LAUNCHES: "N" is 1 to N, "A:B" A to B; false if it is neither. */
bool ws_launches_parse(const char *text, uint64_t *first, uint64_t *last);

WS_API_END
#endif
