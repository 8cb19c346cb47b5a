/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/kernel.h -- a compiled, instrumented kernel and how it is run.
 *
 * Private to trace/capture/.  Stages, one file each:
 *   compile.c     OpenCL C to LLVM bitcode (clang is spawned)
 *   cfg.c         a loop-contiguous order of basic blocks (no LLVM)
 *   module.c      bitcode to one function that holds the whole kernel
 *   metadata.c    its signature
 *   cuda.c, generic.c   the same of CUDA's, and which space each of its accesses goes to
 *   access.c, provenance.c   its memory accesses, and the arrays they go to
 *   texture.c     its images and samplers
 *   softcache.c   it rewritten to have a software cache
 *   waits.c       its loops that wait for other work-items
 *   instrument.c  the function made to record them by segments
 *   guard.c       the checks of its accesses
 *   entry.c       what the host calls
 *   cut.c         it cut at barriers, so that work-items need no stacks
 *   parts.c, shapes.c, wide.c   what is cut; the same for several work-items at once
 *   signature.c   values of arguments from text
 *   variables.c   buffers for variables of a CUDA source that are not given
 *   jit.c         module to machine code (ORC)
 *   fibre.c       work-items as fibres
 *   worker.c      what a CTA runs in
 *   lockstep.c    a CTA's lanes run and merged into steps
 *   faults.c      errors of a CTA that cannot go on
 *   crash.c       signals of a kernel that crashes, as faults
 *   meet.c        lanes of a warp that wait for each other
 *   outside.c     accesses outside their arrays
 *   paths.c       work-items that recorded the same, merged as one
 *   run.c         a launch: its tables, its CTAs on all cores
 *   shape.c       which work-items are a warp
 *   stalls.c      a CTA that seems to wait for others
 *   unmet.c       barriers that not all work-items reach
 *   resident.c    its CTAs in turns, if they wait for each other
 *   capture.c     the launches of a program over the same buffers
 *   soft_run.c    the same, without and with a software cache
 */
#ifndef WS_KERNEL_H
#define WS_KERNEL_H

#include "trace/capture/launch.h"
#include "trace/capture/soft_slots.h"

/* ---- what compiled code sees ------------------------------------------------ */

/* Of kernel argument i, or of static __local variable (i - arguments). */
struct ws_bound_argument {
	uint64_t bytes, device;
	uint64_t before;	/* bytes of the array before what an argument points to */
};

/* One work-item.  The first fields are those of data/opencl/builtins.cl and of
 * data/cuda/include/cuda_device.h, and of data/cuda/ptx.c; p, end,
 * bound, local, spin and those of tallies are read and written by instrumented code:
 * instrument.c has their offsets from here.  What each stop at a barrier touches is in one cache
 * line, `hot`. */
struct ws_lane_ctx {
	uint64_t gid[3], lid[3], grp[3], lsz[3], gsz[3], ngr[3], off[3];
	uint32_t dim, lane;
	uint64_t clock;			/* of data/cuda/include/cuda_device.h */
	uint8_t *shared;		/* where the CTA's local memory begins */
	const struct ws_bound_argument *bound;
	const struct ws_image *image;	/* by argument */
	uint8_t *const *local;		/* static __local variables of this CTA */
	/* hot: */
	_Alignas(64) uint64_t *p;	/* record buffer: next word, */
	uint64_t *end;			/* one past the last, */
	uint64_t *base, *rd;		/* start, next to merge: not for compiled code */
	void *sp;			/* saved stack pointer, nor this and those below */
	struct ws_cta_run *run;
	uint64_t used;			/* words recorded */
	int state;			/* enum lane_state of lockstep.c */
	uint32_t waiting;		/* where: a segment, or which loop waits */
	uint32_t stack;			/* which: fibre.c */
	uint32_t point;			/* of a kernel in parts: the stop that it is at */
	/* of some kernels: */
	_Alignas(64) int64_t spin;	/* turns of unrecorded loops left */
	const int32_t *soft_line;	/* of each structure, -1: it has none */
	uint64_t *tally;		/* WS_TALLY_... of a launch */
	uint64_t phase;			/* 1: it has passed monitoring */
	int64_t turn;			/* segments left until others have their turn */
	const uint8_t *zeros;		/* what loads outside their arrays load */
	uint8_t *sink;			/* where stores and atomics outside go */
	uint64_t place;			/* what ws_lane_find found: a device address */
	uint64_t timed;			/* turns of the loop that waits until a time */
	uint32_t sm, sms;		/* where its CTA is; how many there are */
	struct ws_outside_run *outside;	/* not for compiled code */
};

#define WS_CLOCK_MASK ((UINT64_C(1) << 48) - 1) /* the time; above it, how often it was asked for */
#define WS_TIMED_MOST 1024u /* turns in which a loop until a time may still end by itself */

/* A record: one word with the segment, then one device address per instruction. */

#define WS_FRAME_LANES 8u

/* A tally: instructions of both phases, then the counters of soft_slots.h. */
#define WS_TALLY_SLOTS 2u

enum ws_arg_kind {
	WS_ARG_VALUE, WS_ARG_GLOBAL, WS_ARG_CONSTANT, WS_ARG_LOCAL, WS_ARG_IMAGE, WS_ARG_SAMPLER,
	WS_ARG_OTHER, /* which is not supported */
};

/* Compile-time parameters of an argument that is an image or a sampler.  Other parameters make
 * another kernel. */
struct ws_opaque {
	uint32_t bits;	/* an image's order | type << 16; a sampler's */
	bool tiled;	/* an image */
};

struct ws_kernel_arg {
	char *name, *type;	/* as in the source */
	char *base;		/* the type without typedefs */
	enum ws_arg_kind kind;
	bool integer;		/* a value that is one integer: an enumeration is */
	size_t bytes, align;	/* of a value; align: of CUDA's */
	char *symbol;		/* of CUDA: a variable of the module, and its size; NULL: none */
	uint64_t extent;
};

struct ws_local { /* a static __local variable */
	char *name;	/* "kernel.variable" */
	uint64_t bytes;
};

struct ws_stop { /* where a part of a kernel ends */
	uint32_t segment;
	bool meets; /* it waits for its warp; else at a barrier */
	bool alone; /* it does not wait: those who came together go on one by one */
};

struct ws_wait { /* a load or atomic in a loop that only waits (waits.c), or one before which others
		  * have their turn */
	uint32_t file, line;
	bool timed; /* until a time at most */
};

typedef uint32_t ws_part(struct ws_lane_ctx *ctx, void **args, uint8_t *frame, uint32_t point);

/* ---- shape.c ---- */
#define WS_FORM_LANES 1024u /* of the largest CTA */
/* A CTA's extent in x and y, as far as it says which work-items are a warp.  WS_FORM_LANES in x:
 * all whose warps are in one row, blockDim.x is unknown. */
struct ws_form_shape {
	uint32_t x, y;
};
#define WS_SHAPES 4u
struct ws_cta_shapes { /* none: all that are usual */
	struct ws_form_shape shape[WS_SHAPES];
	size_t count;
	bool many; /* there were more */
};
/* Adds that of a CTA of so many work-items, unless it is among them. */
void ws_cta_shapes_add(struct ws_cta_shapes *s, const uint64_t block[3]);
/* Is what was made for some right for others? */
bool ws_cta_shapes_cover(const struct ws_cta_shapes *made, const struct ws_cta_shapes *wanted);

/* ---- a kernel ---- */
#define WS_IS_CONSTANT 0x80000000u
struct ws_constant {
	char *name;
	uint64_t base, bytes;	/* device address */
};
struct ws_kernel {
	char *name;
	struct ws_kernel_arg *arg;
	size_t args;
	struct ws_opaque *opaque; /* what it was made for */
	size_t opaques;
	struct ws_instruction *instruction; /* .array: argument index, WS_NO_ARRAY unknown;
					     * of local space: index as in struct
					     * ws_bound_argument; WS_IS_CONSTANT | index of
					     * .constant */
	struct ws_segment *segment;
	char **file;
	size_t instructions, instruction_cap, segments, segment_cap, files, file_cap;
	uint32_t *barrier_line;	/* by segment: the line of its barrier, 0 if it has none */
	size_t barrier_line_cap;
	uint32_t *barrier_file;
	size_t barrier_file_cap;
	bool *polls;		/* by segment: is it in a loop that only waits? */
	size_t polls_cap;
	struct ws_wait *wait;	/* those loops' ends: what they wait for */
	size_t waits, wait_cap;
	struct ws_instruction *guard; /* __local accesses checked, not recorded */
	size_t guards, guard_cap;
	struct ws_local *local;
	size_t locals;
	struct ws_constant *constant; /* of program scope, that it reads */
	size_t constants, constant_cap;
	uint64_t group[3];	/* reqd_work_group_size, 0: none */
	size_t frame_bytes;	/* private arrays of a work-item */
	unsigned registers;	/* of a work-item, an estimate: registers.c; 0: not known */
	unsigned cta_most;	/* work-items, which __launch_bounds__ promises; 0: nothing */
	bool ordered_atomics;	/* atomics whose order between CTAs matters: their old
				 * value is used, or they do not commute */
	bool fences;		/* a rewritten one: it flushes at fences too */
	bool bare;		/* it records nothing; it is run without an encoder, its
				 * work-items in turns */
	bool meets;		/* lanes of a warp wait for each other */
	bool inside;		/* arguments may point into arrays (struct ws_bound_argument) */
	unsigned atomic_operators; /* one bit per operator that commutes with itself */
	bool turns;		/* a bare one: of some loops others have to have their turn */
	bool parts;		/* of a bare one: it returns at its stops */
	bool quick;		/* made for few work-items */
	struct ws_cta_shapes shapes; /* that it was made for */
	struct ws_stop *stop;	/* of those, from 1 on */
	size_t frame;		/* bytes that a work-item keeps while it is at one */
	/* Runs a work-item from where it is at, 0: its beginning, to its end, 0, or to its next
	 * stop.  frame: of WS_FRAME_LANES work-items that follow each other. */
	ws_part *entry;
	/* WS_FRAME_LANES of them that follow each other in x, at the same stop.  If they do not
	 * stop together, `alone` goes on with each; where there is `wide`, so it does from a stop,
	 * too.  NULL: there are none. */
	ws_part *wide, *alone;
	bool widened;
	void *jit;
};

void ws_kernel_free(struct ws_kernel *k);

/* ---- compile.c ---- */
struct ws_bitcode {
	struct ws_buf data;
	char *source; /* for messages */
	bool cuda;    /* of CUDA, not OpenCL C */
	const struct ws_bitcode *const *other; /* other modules of the program */
	size_t others;
};
struct ws_compile {
	const char *source;	/* path */
	const char *file;	/* the launch file that names it; NULL: none */
	const struct ws_build *build;
	bool trusted;		/* the source's includes may be anywhere */
	int open;		/* not 0: the descriptor that source is the path of, in /proc */
	uint64_t seconds;	/* of CPU; 0: five minutes */
	const char *cache;	/* a folder (cache.h); NULL: none */
	const char *headers;	/* CUDA's, a folder; NULL: the source is OpenCL C */
};
enum ws_status ws_compile(struct ws_bitcode *out, const struct ws_compile *from,
			  struct ws_err *err) WS_MUST_CHECK;
/* A program's source with its options. */
enum ws_status ws_compile_program(struct ws_bitcode *out, const struct ws_program *p,
				  uint64_t seconds, const char *cache,
				  struct ws_err *err) WS_MUST_CHECK;

/* ---- softcache.c ---- */
struct ws_soft_pass {
	unsigned line_bits;
	uint32_t threshold;
	bool aliased;
	uint64_t lines, threads;	/* of a thread; of a CTA */
	size_t structures;
	const uint32_t *structure;	/* of each argument; structures and more: none */
	unsigned omit;			/* bits of enum ws_soft_omit, for tests */
	struct ws_buf *ir;		/* the rewritten body as text; NULL: not asked for */
};

/* ---- instrument.c, jit.c ---- */
enum ws_printf { WS_PRINTF_STDERR, WS_PRINTF_STDOUT, WS_PRINTF_NOWHERE };
struct ws_instrument_options {
	bool local;	 /* record __local accesses */
	bool skip_silent; /* no records of blocks that access nothing (for tests) */
	bool tally;	 /* instructions are counted in struct ws_lane_ctx, nothing is recorded */
	bool bare;	 /* nothing is recorded or counted: for what a launch computes alone */
	bool fibres;	 /* a bare one is on fibres, whatever it is like (for tests) */
	bool quick;	 /* code is made in half the time and runs for twice as long: for few
			  * work-items, WS_QUICK_ITEMS; it records the same */
	enum ws_out_of_bounds out_of_bounds; /* FAIL, or another */
	const struct ws_soft_pass *soft; /* with a software cache; NULL: as it is */
	enum ws_printf printf; /* where the kernel's own goes */
	const struct ws_opaque *opaque; /* [opaques] by argument; those without one: zero */
	size_t opaques;
	struct ws_cta_shapes shapes; /* of CUDA's */
};
enum ws_status ws_kernel_make(struct ws_kernel **out, const struct ws_bitcode *code,
			      const char *name, const struct ws_instrument_options *options,
			      struct ws_err *err) WS_MUST_CHECK;

/* More work-items of one kernel take longer to run than code takes to be made well. */
#define WS_QUICK_ITEMS 8192u
/* Those of a launch, with those counted before: at most WS_QUICK_ITEMS + 1. */
uint64_t ws_quick_items(uint64_t before, const struct ws_launch_spec *spec);
/* Whether all launches of a program together have few. */
bool ws_quick_program(const struct ws_program *p);

/* Whether it was compiled for these images and samplers, and not for fewer work-items. */
bool ws_kernel_made_for(const struct ws_kernel *k, const struct ws_instrument_options *options);

/* Kernels of one program, each compiled on first use, with the same options except for images and
 * samplers. */
struct ws_kernels {
	struct ws_kernel **item;
	size_t count, cap;
};
/* A launch's kernel; *out stays the kernels'.  If there is none of that name: WS_EFORMAT with the
 * launch's place in its file, else WS_EINVAL. */
enum ws_status ws_kernels_get(struct ws_kernels *k, const struct ws_bitcode *code,
			      const struct ws_program *p, const struct ws_launch_spec *l,
				      const struct ws_instrument_options *options,
			      struct ws_kernel **out, struct ws_err *err) WS_MUST_CHECK;
void ws_kernels_clear(struct ws_kernels *k);

/* ---- cuda.c, initial.c, separate.c ---- */
/* Whether a kernel called mm<float, 16> is asked for: by that, blanks apart, or by mm. */
/* In signature.c, of both languages.  Fails: the source has no such kernel, or is asked for them
 * (WS_WHICH_KERNEL), and these are there. */
enum ws_status ws_no_kernel(const char *source, const char *name, const char *list,
			    struct ws_err *err);
bool ws_cuda_is_named(const char *name, const char *asked);
/* Bytes of variable `symbol`; false: the module has none. */
bool ws_cuda_extent(const struct ws_bitcode *code, const char *symbol, uint64_t *bytes);
/* Where variables of a module of CUDA lie, for those that begin with pointers to others. */
struct ws_cuda_places {
	/* The address of variable `symbol`, of so many bytes; 0: none.  own: it is this module's
	 * alone, whatever others call theirs, as a string is. */
	uint64_t (*place)(void *data, const char *symbol, uint64_t bytes, bool own);
	void *data;
};
/* What variable `symbol` of a module of CUDA begins with: its first `bytes`.  `places` may be NULL.
 * WS_EINPUT: there is no such variable, or it is not one that bytes tell of, or it begins with a
 * pointer to what has no place. */
enum ws_status ws_cuda_initial(const struct ws_bitcode *code, const char *symbol,
			       const struct ws_cuda_places *places, uint8_t *to, uint64_t bytes,
			       struct ws_err *err) WS_MUST_CHECK;

/* The name of the function whose address variable `symbol` begins with; the caller's to free.
 * WS_EINPUT: it is none.  Variables whose names begin with WS_CUDA_POINTED are there for that
 * alone, and are of no kernel. */
#define WS_CUDA_POINTED "__ws_name_"
enum ws_status ws_cuda_pointed(const struct ws_bitcode *code, const char *symbol, char **name,
			       struct ws_err *err) WS_MUST_CHECK;

/* ---- merge.c ---- */
/* Modules of bitcode linked into one, put behind what out has.  count: at least 1.  WS_EFORMAT: one
 * cannot be read, or two define the same name. */
enum ws_status ws_bitcode_merge(struct ws_buf *out, const struct ws_bitcode *code, size_t count,
				struct ws_err *err) WS_MUST_CHECK;

/* ---- signature.c ---- */
/* Values of a launch: where each argument's bytes are.  value[i] points to a
 * pointer (buffers, __local) or to the value. */
struct ws_arguments {
	void **value;
	uint8_t (*store)[128];		/* what value[i] points to */
	struct ws_bound_argument *bound;		/* args, then static locals */
	size_t *buffer;			/* index in the program, or SIZE_MAX */
	struct ws_image *image;		/* by argument */
	uint64_t *local_bytes;		/* of __local pointers */
};
enum ws_status ws_arguments_make(struct ws_arguments *a, const struct ws_kernel *k,
				 const struct ws_program *p, const struct ws_launch_spec *l,
				 struct ws_err *err) WS_MUST_CHECK;
void ws_arguments_clear(struct ws_arguments *a);
/* Of a buffer that suits the argument; bytes, of a structure. */
enum ws_elem ws_argument_element(const struct ws_kernel_arg *arg);
/* For other sources of values: all zero, except that value[i] points to store[i] and buffer[i] is
 * SIZE_MAX.  Then, once bound[i].bytes of __local pointers is set, lays out local memory. */
enum ws_status ws_arguments_init(struct ws_arguments *a, const struct ws_kernel *k,
				 struct ws_err *err) WS_MUST_CHECK;
void ws_arguments_place(struct ws_arguments *a, const struct ws_kernel *k);

/* The compile-time parameters that the launch's arguments need; out has room for l->args of
 * them. */
void ws_launch_opaque(const struct ws_program *p, const struct ws_launch_spec *l,
		      struct ws_opaque *out);

/* ---- variables.c ---- */
struct ws_variable {
	char *symbol;
	size_t buffer;		/* in the program: one that it is given, or an added one */
};
/* Of a program's launches; zero but for the program and its code. */
struct ws_variables {
	struct ws_program *program;
	const struct ws_bitcode *code;
	struct ws_variable *item;
	size_t count, cap;
	size_t added;		/* buffers, the program's last */
};
/* The launch with all of the kernel's arguments: variables of a CUDA source that it is not given
 * are buffers that are added to the program, and hold what the source says.  If what is given does
 * not suit, *whole has just that.  whole->arg is the caller's to free, what it points to is not.
 * WS_EINPUT: what a variable begins with is not supported. */
enum ws_status ws_variables_complete(struct ws_variables *v, const struct ws_kernel *k,
				     const struct ws_launch_spec *given,
				     struct ws_launch_spec *whole,
				     struct ws_err *err) WS_MUST_CHECK;
/* A launch and its arguments, with those variables. */
enum ws_status ws_launch_bind(struct ws_launch *launch, struct ws_arguments *arguments,
			      const struct ws_kernel *k, const struct ws_launch_spec *given,
			      struct ws_variables *v, struct ws_err *err) WS_MUST_CHECK;
/* Takes the buffers out of the program again. */
void ws_variables_clear(struct ws_variables *v);

/* ---- cfg.c ---- */
/* order[position] = block: a topological order but for loops, each of which
 * is contiguous with its entry first (Bourdoncle 1993, weak topological order).
 * succ[first[b] .. first[b+1]-1] are the successors of b; block 0 is the
 * entry; unreachable blocks come last. */
enum ws_status ws_block_order(size_t blocks, const size_t *first, const uint32_t *succ,
			      uint32_t *order, struct ws_err *err) WS_MUST_CHECK;
/* Marks in keep the source of every backward edge around a kept block, until
 * nothing changes; position is the inverse of order. */
void ws_keep_latches(size_t blocks, const size_t *first, const uint32_t *succ,
		     const uint32_t *position, bool *keep);

/* ---- outside.c ---- */
struct ws_cta_config;
struct ws_outside_run; /* of a worker: what its accesses outside their arrays were */
/* local: __local memory of its CTAs. */
enum ws_status ws_outside_new(struct ws_outside_run **out, const struct ws_cta_config *config,
			      const uint8_t *local, size_t local_bytes,
			      struct ws_err *err) WS_MUST_CHECK;
void ws_outside_begin(struct ws_outside_run *o, uint64_t cta);
void ws_outside_lane(struct ws_outside_run *o, struct ws_lane_ctx *ctx); /* a work-item of it */
/* The device address of the host's `address`; false if it is in no array. */
bool ws_outside_resolve(const struct ws_outside_run *o, uint32_t instruction, uint64_t address,
			uint64_t *device);
/* Where it would be in the device. */
uint64_t ws_outside_device(const struct ws_outside_run *o, uint32_t instruction, uint64_t address);
/* "a load of 4 bytes at byte 128 of buffer a (argument p), which has 128" */
void ws_access_text(const struct ws_outside_run *o, uint32_t instruction, uint64_t address,
		    char *text, size_t len);
const struct ws_instruction *ws_instruction_of(const struct ws_kernel *k, uint32_t number);
/* The file of a message: the source's path as it was given; of an included file its name alone. */
const char *ws_file_of(const struct ws_cta_config *c, const struct ws_instruction *i);
void ws_outside_free(struct ws_outside_run *o);

/* Those of some launches, by source line. */
struct ws_outside_lines {
	struct ws_outside_line *line;
	size_t lines, cap;
};
enum ws_status ws_outside_add(struct ws_outside_lines *all, const struct ws_outside_run *o,
			      uint64_t number, struct ws_err *err) WS_MUST_CHECK;
/* In the order of launches, then of files and lines. */
void ws_outside_tell(struct ws_outside_lines *all,
		     void (*outside)(void *context, const struct ws_outside *o), void *context);
void ws_outside_clear(struct ws_outside_lines *all);

/* ---- worker.c ---- */
/* Keeps what CTAs ran in for later launches.  Any thread may use it. */
struct ws_cta_pool;
enum ws_status ws_cta_pool_new(struct ws_cta_pool **out, struct ws_err *err) WS_MUST_CHECK;
void ws_cta_pool_free(struct ws_cta_pool *p);

/* ---- lockstep.c, crash.c, faults.c ---- */
struct ws_cta_config {
	const struct ws_kernel *kernel;
	const struct ws_arguments *arguments;
	const struct ws_program *program;
	const struct ws_launch_spec *spec;
	const struct ws_launch *launch;
	uint64_t groups[3], budget;
	uint32_t sms;		/* SMs that CTAs are given to in turns; 0: one */
	/* Each work-item runs as far as it can, and each record is a step of that work-item alone;
	 * without an encoder.  NULL: lockstep, as above. */
	enum ws_status (*each)(void *context, const struct ws_step *step, struct ws_err *err);
	void *context;
	/* For kernels that tally.  Work-items run as far as they can, or take turns of `turn`
	 * segments. */
	const int32_t *soft_line;
	uint64_t *tally, turn;
	struct ws_cta_pool *pool; /* where workers are kept; NULL: made anew */
	bool together;		  /* many at a time: with small stacks */
	bool *stalled;		  /* not NULL: a CTA that stalls lets others have their turn
				   * (stalls.c); true once one has */
};
struct ws_cta_run; /* a worker: lanes, buffers, stacks, __local memory (worker.c) */
enum ws_status ws_cta_run_new(struct ws_cta_run **out, const struct ws_cta_config *config,
			      struct ws_err *err) WS_MUST_CHECK;
/* Installs handlers for the signals of a crashing kernel, which end the CTA with an error;
 * ws_crashes_end restores the previous ones. */
struct ws_crashes;
enum ws_status ws_crashes_begin(struct ws_crashes **out, struct ws_err *err) WS_MUST_CHECK;
void ws_crashes_end(struct ws_crashes *c);
enum ws_status ws_cta_run(struct ws_cta_run *r, uint64_t cta, struct ws_encoder *e,
			  struct ws_err *err) WS_MUST_CHECK;
/* Around CTAs that one thread runs, to set up a stack for crashes once; may be left out.  The end
 * of NULL, or of what has not begun, is nothing. */
void ws_cta_thread_begin(struct ws_cta_run *r);
void ws_cta_thread_end(struct ws_cta_run *r);
/* The same in turns, for CTAs that wait for each other.  In a turn, each waiting work-item
 * (waits.c) polls once; then all run until only waiting ones are left. */
enum ws_cta_turn {
	WS_CTA_ENDED,
	WS_CTA_WAITS,	/* for other CTAs; but this turn it did more than poll */
	WS_CTA_POLLED,	/* it did nothing else */
};
void ws_cta_begin(struct ws_cta_run *r, uint64_t cta, struct ws_encoder *e);
enum ws_status ws_cta_turn(struct ws_cta_run *r, struct ws_encoder *e, enum ws_cta_turn *turn,
			   struct ws_err *err) WS_MUST_CHECK;
/* After a turn: whether it seems to wait in a loop that is not known to wait.  *for_ever: for
 * seconds. */
bool ws_cta_stalls(const struct ws_cta_run *r, bool *for_ever);
/* Whether lanes wait for their warp while others wait for what they may write: in its next turn
 * they go on without these, as independent threads do. */
bool ws_cta_part(struct ws_cta_run *r);
#define WS_POLLS 3u /* turns in which CTAs only poll, after which none ever will do more */
struct ws_stuck { /* CTAs of a launch that wait for each other in vain */
	uint64_t ctas, ended, resident;
};
/* The error of a waiting CTA: what it waits for, and where. */
enum ws_status ws_cta_stuck(const struct ws_cta_run *r, const struct ws_stuck *s,
			    struct ws_err *err) WS_MUST_CHECK;
/* Adds its accesses outside arrays to l, as of launch `number`. */
enum ws_status ws_cta_run_outside(const struct ws_cta_run *r, struct ws_outside_lines *l,
				  uint64_t number, struct ws_err *err) WS_MUST_CHECK;
void ws_cta_run_free(struct ws_cta_run *r);
/* Adds to unmet[], by segment, the barriers that not all work-items of its CTAs reached; 0 CTAs: of
 * others.  r NULL: nothing. */
void ws_cta_run_unmet(const struct ws_cta_run *r, struct ws_unmet *unmet);
struct ws_packer *ws_cta_run_packer(const struct ws_cta_run *r); /* for the thread it is of */

/* ---- chunk.c ---- */
struct ws_port;
struct ws_where;
struct ws_launch_run {
	struct ws_trace_writer *writer; /* or, in a process of its own: */
	struct ws_port *port;	/* neither: the launch leaves no trace */
	struct ws_where *where;	/* NULL: nobody looks */
	const struct ws_capture_options *options; /* for its progress */
	uint64_t number; /* of the launch in the trace */
	unsigned threads;
	uint64_t resident; /* CTAs that run together if they wait for each other; 0: none do */
	struct ws_outside_lines *outside; /* NULL: they are not told of */
};
struct ws_launch_chunk {
	struct ws_buf packed;
	uint64_t first, accesses[WS_KINDS];
	size_t count;
};
/* CTAs per chunk: enough to pack well, few enough to spread over threads. */
uint64_t ws_launch_chunk_ctas(uint64_t ctas);
enum ws_status ws_launch_pack(const struct ws_launch_run *run, struct ws_launch_chunk *c,
			      struct ws_packer *packer, const struct ws_buf *data,
			      const uint64_t *lens, struct ws_err *err) WS_MUST_CHECK;
/* Writes a launch's tables, or its next chunk, to the trace or to the process that has it. */
enum ws_status ws_launch_put_tables(const struct ws_launch_run *run, const struct ws_launch *l,
				    struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_launch_put_chunk(const struct ws_launch_run *run, const struct ws_launch_chunk *c,
				   struct ws_err *err) WS_MUST_CHECK;

/* ---- source_text.c ---- */
/* NULL: it cannot be read, has zero bytes, is too long for a trace, or memory is out. */
char *ws_source_text(const char *path);
/* The launch has the text for the source at path, if any of its instructions is of that; NULL:
 * there is none. */
enum ws_status ws_launch_keep_text(struct ws_launch *l, const char *path, const char *text,
				   struct ws_err *err) WS_MUST_CHECK;

/* ---- run.c ---- */
/* The tables of a launch: its arrays are its buffers in argument order, each once, then
 * program-scope constants. */
enum ws_status ws_launch_make(struct ws_launch *l, const struct ws_kernel *k,
			      const struct ws_program *p, const struct ws_launch_spec *spec,
			      const struct ws_arguments *a, struct ws_err *err) WS_MUST_CHECK;
/* Adds to use[], by buffer of the program, a bit 1 << enum ws_kind for what the kernel may do. */
void ws_launch_use(const struct ws_kernel *k, const struct ws_arguments *a, uint8_t *use,
		   size_t buffers);
/* Whether CTAs may run in parallel: none sees what another does, nor does anything later see their
 * order. */
bool ws_launch_independent(const struct ws_kernel *k, const uint8_t *use, const uint8_t *later,
			   size_t buffers);
/* Threads that can be used: a work-item's stack takes two mappings, of which a process has
 * 65530. */
unsigned ws_launch_workers(const struct ws_launch *l, unsigned asked);
/* CTAs that run together on the machine, as far as there is memory; NULL: as many as that. */
uint64_t ws_launch_resident(const struct ws_launch *l, const struct ws_machine *m);
/* Runs and writes it.  Between ws_crashes_begin and ws_crashes_end. */
enum ws_status ws_launch_run(const struct ws_launch_run *run, const struct ws_cta_config *config,
			     struct ws_err *err) WS_MUST_CHECK;

/* ---- resident.c ---- */
/* One whose CTAs wait for each other, once its tables are written. */
enum ws_status ws_resident_run(const struct ws_launch_run *run, const struct ws_cta_config *config,
			       struct ws_unmet *unmet, struct ws_err *err) WS_MUST_CHECK;

/* ---- unmet.c ---- */
/* unmet[] by segment, after the launch's last chunk: into the trace and to the caller, or to the
 * process that has them. */
enum ws_status ws_unmet_put(const struct ws_launch_run *run, const struct ws_cta_config *config,
			    const struct ws_unmet *unmet, struct ws_err *err) WS_MUST_CHECK;
/* The outcome of that run. */
enum ws_status ws_unmet_take(struct ws_trace_writer *w, const struct ws_capture_options *options,
			     const void *data, size_t len, struct ws_err *err) WS_MUST_CHECK;

/* The arrays of a launch that its arguments are, WS_NO_ARRAY for others. */
void ws_launch_arrays(uint32_t *array, const struct ws_kernel *k, const struct ws_arguments *a);

/* Called by compiled code.  Instruction numbers from WS_GUARD on are of guards. */
#define WS_GUARD 0x80000000u
void ws_lane_refill(struct ws_lane_ctx *ctx, uint64_t words);
void ws_lane_barrier(struct ws_lane_ctx *ctx, uint32_t segment);
struct ws_meeting;
const struct ws_meeting *ws_lane_meet(struct ws_lane_ctx *ctx, uint32_t segment, uint32_t mask,
				      uint64_t value);
/* The same of a kernel in parts: before it stops, and when it goes on. */
void ws_lane_meets(struct ws_lane_ctx *ctx, uint32_t segment, uint32_t mask, uint64_t value);
const struct ws_meeting *ws_lane_met(struct ws_lane_ctx *ctx);
/* Whether the pointer is neither to shared memory nor to a thread's own. */
uint32_t ws_lane_is_global(struct ws_lane_ctx *ctx, const void *pointer);
void ws_lane_fault(struct ws_lane_ctx *ctx, uint32_t instruction, uint64_t address);
/* what: enum ws_bad_call */
void ws_lane_bad_call(struct ws_lane_ctx *ctx, uint32_t what, uint32_t line);
void ws_lane_spin(struct ws_lane_ctx *ctx);
void ws_lane_wait(struct ws_lane_ctx *ctx, uint32_t wait);
void ws_lane_turn(struct ws_lane_ctx *ctx);
void ws_lane_misaligned(struct ws_lane_ctx *ctx, uint32_t instruction, uint64_t address,
			uint32_t wanted);
uint64_t ws_lane_tile(struct ws_lane_ctx *ctx, uint32_t argument, uint64_t offset);
uint64_t ws_lane_resolve(struct ws_lane_ctx *ctx, uint64_t address, uint32_t instruction);
/* Of outside.c.  An access outside its array, at `address`, is made at `elsewhere` instead: its
 * device address. */
uint64_t ws_lane_outside(struct ws_lane_ctx *ctx, uint32_t instruction, uint64_t address,
			 uint8_t *elsewhere);
/* The host address for an access whose array is unknown; ctx->place: its device address. */
void *ws_lane_find(struct ws_lane_ctx *ctx, uint32_t instruction, void *pointer);

#endif
