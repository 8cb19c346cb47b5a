/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/app/app.h -- a program whose kernels are run and traced inside it: what the OpenCL layer
 * and the CUDA runtime share.  One file each:
 *   settings.c  the environment: what to trace, where to
 *   session.c   the trace, which another process may end; messages; what it cost
 *   launch.c    a launch into the trace
 *   state.c     what is known
 *
 * Private to trace/app/, trace/opencl/ and trace/cuda/.
 */
#ifndef WS_APP_H
#define WS_APP_H

#include <pthread.h>

#include "trace/capture/kernel.h"
#include "trace/format/spool.h"

/* ---- settings.c ---- */
struct ws_settings {
	struct ws_machine machine;
	const char *kernel;	/* only this one; NULL: all */
	uint64_t first, last;	/* launches of it, from 1 */
	uint64_t registers;	/* of a thread; 0: as the kernel has them */
	uint64_t ctas;		/* of a launch at most, the others are not traced; 0: all */
	uint64_t threads;
	bool local, quiet;
	bool no_source;		/* texts of sources are left out of the trace */
	bool fibres;		/* bare kernels are on fibres, for tests */
	bool tiled;		/* images are block-linear */
	enum ws_out_of_bounds out_of_bounds;
	const char *path;	/* the trace; NULL: none */
	const char *spool;	/* then another process ends it; NULL: we do */
};
enum ws_status ws_settings_read(struct ws_settings *s, struct ws_err *err) WS_MUST_CHECK;

/* ---- session.c ---- */
struct ws_app_said { /* of a kernel: what has been told of its source lines */
	struct ws_said {
		char *file;
		uint32_t line;
		bool barrier;
	} *line;
	size_t lines, line_cap;
	bool traced;	/* a launch of it was */
};
void ws_say(const char *fmt, ...) WS_PRINTF(1, 2);
/* Once per kernel and source line, of the first launch that has some: accesses out of bounds, and
 * barriers that not all reach.  said: struct ws_app_said.  The run lock is held. */
void ws_say_outside(void *said, const struct ws_outside *o);
void ws_say_unmet(void *said, const struct ws_unmet_barrier *b);

/* Reads the settings and opens the trace, if there is to be one; messages tell why there is none.
 * False: the settings make no sense. */
bool ws_app_begin(void);
/* Before a launch is compiled: is this process traced?  The run lock is held. */
bool ws_trace_ours(void);
/* Around a launch that is written.  The run lock is held.  Between launches no file is open that
 * has not been written to the end. */
enum ws_status ws_trace_launch_begin(struct ws_err *err) WS_MUST_CHECK;
/* good: it is in the trace. */
enum ws_status ws_trace_launch_end(bool good, struct ws_err *err) WS_MUST_CHECK;
/* A launch was traced, whole or not; or one was not. */
void ws_tally_traced(struct ws_app_said *said, bool whole);
void ws_tally_left(void);
/* The launch of a kernel that begun at that ws_seconds() has run, traced or not.  Says once that
 * tracing takes long, and what would take less. */
void ws_tally_ran(double begun, const char *kernel);
/* Ends the trace and reports; at the program's exit. */
void ws_trace_finish(void);

/* ---- launch.c ---- */
#define WS_APP_BUDGET (UINT64_C(1) << 28) /* records of a lane, as for launch files */
#define WS_APP_TURNS  (UINT64_C(1) << 32) /* of a lane's loops, where nothing is recorded */
#define WS_APP_TURN   (UINT64_C(1) << 20) /* of those, before other lanes have their turn */

struct ws_app_launch { /* up to .text they are the caller's to make and to free */
	const struct ws_kernel *kernel;
	const struct ws_kernel *bare;	/* the same, that records nothing; NULL: there is none */
	struct ws_program program;	/* its buffers and source */
	struct ws_launch_spec spec;
	struct ws_arguments arguments;
	struct ws_app_said *said;
	const char *text;	/* of program.source; NULL: it is read, if it can be */
	struct ws_launch launch;
	uint8_t *use;			/* by buffer: enum ws_kind, a bit each */
	uint8_t **before;		/* copies of those that may be written; NULL: of others */
};
/* Its tables, and copies of what it may write. */
enum ws_status ws_app_launch_make(struct ws_app_launch *l, bool copies,
				  struct ws_err *err) WS_MUST_CHECK;
/* Runs it into the trace.  *whole: the buffers hold the results; if not, or if it fails, they are
 * as before, if there are copies.  The run lock is held. */
enum ws_status ws_app_launch_trace(struct ws_app_launch *l, bool *whole,
				   struct ws_err *err) WS_MUST_CHECK;
/* Runs all of it, for its results alone. */
enum ws_status ws_app_launch_run(struct ws_app_launch *l, struct ws_err *err) WS_MUST_CHECK;
void ws_app_launch_clear(struct ws_app_launch *l);

/* ---- state.c ---- */
struct ws_app {
	struct ws_settings settings;
	pthread_mutex_t run;	/* held while something is compiled or run */
	/* Under it: */
	bool tracing;
	struct ws_out out;
	struct ws_spool *spool; /* NULL: we end the trace ourselves */
	struct ws_trace_writer *writer;
	struct ws_cta_pool *pool; /* stacks and more, from launch to launch */
	uint64_t number;	/* launches in the trace */
	long process;		/* the one that is traced; 0: none yet */
	struct ws_tally *tally, own_tally;
};
extern struct ws_app ws_app;

#endif
