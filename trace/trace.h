/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/trace.h -- kernel traces and the request streams made of them.
 *
 * A trace is warp-width free.  It holds launches; a launch has a static part (arrays, instructions,
 * segments) and, for each CTA, a list of *steps* in group lockstep: at each step, the threads of
 * the CTA at the lowest-numbered segment execute it.  For any warp width w the lockstep of a warp
 * alone is the subsequence of steps with one of its lanes active.
 *
 * Lanes are the CTA's threads in linear order, x fastest: lane = x + X*(y + Y*z).
 * A warp of width w is lanes [k*w, (k+1)*w).
 */
#ifndef WS_TRACE_H
#define WS_TRACE_H

#include "machine/machine.h"

WS_API_BEGIN

enum ws_kind { WS_LOAD, WS_STORE, WS_ATOMIC, WS_KINDS };
extern const char *const ws_kind_names[WS_KINDS + 1]; /* [WS_KINDS] is "all" */

enum ws_space {
	WS_SPACE_GLOBAL,	/* through L1 */
	WS_SPACE_CONSTANT,	/* the constant cache: recorded, not in the streams */
	WS_SPACE_LOCAL,		/* shared memory: only with --local, not in the streams */
};

#define WS_NO_ARRAY UINT32_MAX
#define WS_CTA_THREADS_MAX 4096u
#define WS_ACCESS_BYTES_MAX 4096u
#define WS_GAP_MAX (1u << 20)	/* other instructions in one place: they are issued one by one */

struct ws_array {		/* a buffer, as a kernel argument names it */
	char *name;
	uint64_t base, bytes;	/* device address, 256 B aligned */
};

#define WS_CODE_MAX (1u << 20)	/* PCs that are told */
struct ws_pace {	/* of the other instructions in one place, and of what comes after them */
	uint32_t chain;		/* the longest chain of them in which each needs the result of the
				 * one before: its steps; 0: none, or unknown */
	uint32_t code, code_end; /* their lowest and highest PC, from the kernel's first
				 * instruction on; 0, 0: unknown */
};

#define WS_REGISTERS 512u	/* R0 .. R255, which is zero; those of the warp, from 256 on */
struct ws_code_op {		/* an instruction of machine code */
	uint32_t pc;		/* as the trace has it */
	uint32_t first;		/* its registers: launch->reg[first ...], results, then operands */
	uint8_t unit;		/* enum ws_function_unit */
	uint8_t results, operands;
};

struct ws_code_run {		/* neighbours in launch->code */
	uint32_t op, count;
};

struct ws_code_path {		/* what a warp executes one after the other */
	uint32_t first, count;	/* launch->run[first ...] */
	uint32_t length;	/* instructions in those */
};

struct ws_copy {		/* from the host to the device */
	uint64_t base, bytes;
};

struct ws_instruction {		/* one static memory instruction */
	uint8_t kind, space;	/* enum ws_kind, enum ws_space */
	bool texture;		/* of an image: through the texture path */
	bool past;		/* a load or store that goes past the L1: see struct ws_request */
	uint32_t bytes;		/* per lane */
	uint32_t array;		/* index, or WS_NO_ARRAY if several or unknown */
	uint32_t file, line;	/* index in .file; line 0: unknown */
	uint32_t gap;		/* other instructions since the one before in its segment,
				 * at most WS_GAP_MAX */
	uint32_t use;		/* loads: instructions (memory ones too) until the first
				 * use, at least 1; up to the end of its block */
	struct ws_pace pace;	/* of its gap and itself: .chain is at most gap */
	uint32_t path;		/* likewise: 1 + index of those gap + 1 instructions; 0: unknown */
};

struct ws_segment {		/* part of a basic block, executed as one */
	uint32_t first, count;	/* its instructions: launch->instruction[first ...] */
	uint32_t tail;		/* other instructions after the last, at most WS_GAP_MAX */
	bool barrier;		/* a CTA barrier follows */
	struct ws_pace pace;	/* of the tail and the barrier: .chain is at most tail */
	uint32_t path;		/* likewise: 1 + index; 0: unknown */
};

#define WS_UNMET_MAX 8u
struct ws_unmet {	/* a barrier that a CTA passed after some of its threads had ended */
	uint32_t file, line;	/* 0 of files where there are none */
	uint64_t ctas;		/* in how many */
	uint64_t cta, threads;	/* the first of those, and how many threads of it had ended */
};


struct ws_launch {
	char *kernel;
	uint64_t grid[3], block[3];	/* in CTAs; in threads */
	uint64_t shared_bytes, registers; /* per CTA; per thread, 0: unknown */
	struct ws_array *array;
	struct ws_instruction *instruction;
	struct ws_segment *segment;
	char **file;
	char **text;			/* [files]: what is in them, NULL: unknown; or NULL */
	size_t arrays, instructions, segments, files;
	/* Of traces of machine code: */
	uint64_t executed;		/* instructions, counted for each thread; 0: unknown */
	struct ws_code_op *code;	/* none: unknown */
	uint16_t *reg;
	struct ws_code_run *run;
	struct ws_code_path *path;
	struct ws_copy *copy;		/* since the launch before, in order */
	size_t codes, regs, runs, paths, copies;
	struct ws_unmet *unmet;		/* in the file's index */
	size_t unmets;			/* at most WS_UNMET_MAX */
	/* Set by the writer when the launch ends, in the file's index: */
	uint64_t ctas;			/* = grid[0]*grid[1]*grid[2] */
	uint64_t accesses[WS_KINDS];	/* lane accesses, global space */
};

void ws_launch_clear(struct ws_launch *launch);
/* For a launch whose instructions are changed, which are its own, as are its segments: what is
 * known of its machine code no longer holds.  Frees nothing. */
void ws_launch_drop_code(struct ws_launch *launch);
static inline uint64_t ws_launch_threads(const struct ws_launch *l)
{
	return l->block[0] * l->block[1] * l->block[2];
}

/* What the host copied before the launch, in order: with `all` its arrays; else the copies that the
 * trace has, with profile = gpgpusim only what is below 4 GB, or where it has none the arrays that
 * a load or an atomic may be of; all, if one may be of several.  *out: of *count, the caller's,
 * without those of no bytes. */
enum ws_status ws_launch_copied(const struct ws_launch *l, const struct ws_machine *m, bool all,
				struct ws_copy **out, size_t *count,
				struct ws_err *err) WS_MUST_CHECK;

/* ---- writing ---------------------------------------------------------------
 * ws_encoder turns the steps of one CTA into bytes; one per worker thread.
 * Address vectors that are affine in the lane's (x, y, z) are one small record.
 */
struct ws_encoder;

/* The launch must stay alive and unchanged while it is encoded. */
enum ws_status ws_encoder_new(struct ws_encoder **out, const struct ws_launch *launch,
			      struct ws_err *err) WS_MUST_CHECK;
void ws_encoder_begin(struct ws_encoder *e); /* a new CTA */
/* mask: bit lane of word lane/64, at least one set, none past the CTA.
 * address[a][lane]: device address of the segment's a-th instruction, read for
 * active lanes only.  A step without instructions may be left out, unless its
 * segment has a barrier or a tail that matters for timing. */
void ws_encoder_step(struct ws_encoder *e, uint32_t segment, const uint64_t *mask,
		     const uint64_t *const *address);
/* True once the CTA is larger than a chunk may be; it cannot be written then. */
bool ws_encoder_full(const struct ws_encoder *e);
/* Appends the CTA's bytes to *out, adds its lane accesses to accesses. */
enum ws_status ws_encoder_end(struct ws_encoder *e, struct ws_buf *out,
			      uint64_t accesses[WS_KINDS], struct ws_err *err) WS_MUST_CHECK;
void ws_encoder_free(struct ws_encoder *e);

/* The file (warpstack-trace(5)) is written front to back, so it may be a pipe. */
struct ws_trace_writer;

enum ws_status ws_trace_writer_new(struct ws_trace_writer **out, struct ws_out *file,
				   struct ws_err *err) WS_MUST_CHECK;
/* A text that a launch before had under the same name is not written again. */
enum ws_status ws_trace_writer_launch(struct ws_trace_writer *w, const struct ws_launch *launch,
				      struct ws_err *err) WS_MUST_CHECK;
size_t ws_trace_writer_launches(const struct ws_trace_writer *w); /* begun so far */
/* Removes the last launch, complete or not, from a regular file. */
enum ws_status ws_trace_writer_drop(struct ws_trace_writer *w, struct ws_err *err) WS_MUST_CHECK;
/* A chunk: CTAs first .. first+count-1 of the current launch, lens[i] bytes each in
 * data, as ws_encoder_end made them.  ws_chunk_pack may run in any thread;
 * chunks are then added in CTA order. */
enum ws_status ws_chunk_pack(struct ws_buf *packed, uint64_t launch_number, uint64_t first,
			     const struct ws_buf *data, const uint64_t *lens, size_t count,
			     struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_trace_writer_chunk(struct ws_trace_writer *w, const struct ws_buf *packed,
				     uint64_t first, size_t count,
				     const uint64_t accesses[WS_KINDS],
				     struct ws_err *err) WS_MUST_CHECK;
/* Of the launch whose chunks are all there; in order of lines, n <= WS_UNMET_MAX. */
enum ws_status ws_trace_writer_unmet(struct ws_trace_writer *w, const struct ws_unmet *unmet,
				     size_t n, struct ws_err *err) WS_MUST_CHECK;
/* Writes the index.  The file is committed by its owner. */
enum ws_status ws_trace_writer_end(struct ws_trace_writer *w, struct ws_err *err) WS_MUST_CHECK;
void ws_trace_writer_free(struct ws_trace_writer *w);

/* ---- reading ------------------------------------------------------------- */

struct ws_trace;	/* immutable once open: any number of threads may read */

/* True if the bytes begin like a .wst file. */
bool ws_trace_recognise(const void *data, size_t len);
/* Reads and checks header and index; CTAs are read on demand.  path as in ws_in_open. */
enum ws_status ws_trace_open(struct ws_trace **out, const char *path,
			     struct ws_err *err) WS_MUST_CHECK;
/* The same from an open input; *in is taken over on success. */
enum ws_status ws_trace_open_in(struct ws_trace **out, struct ws_in *in,
				struct ws_err *err) WS_MUST_CHECK;
/* The same from a temporary file (ws_out_temporary), which the caller may end with ws_out_abort at
 * any time.  name is for messages. */
enum ws_status ws_trace_open_written(struct ws_trace **out, struct ws_out *file, const char *name,
				     struct ws_err *err) WS_MUST_CHECK;
void ws_trace_close(struct ws_trace *t);
const char *ws_trace_name(const struct ws_trace *t); /* for messages */
size_t ws_trace_launches(const struct ws_trace *t);
const struct ws_launch *ws_trace_launch(const struct ws_trace *t, size_t launch);
/* What is in that source file of a launch's; NULL: the trace does not have it. */
const char *ws_trace_text(const struct ws_trace *t, size_t launch, const char *file);
/* Makes each launch a kernel of its own: if several launches run one kernel, launch N of the file,
 * from 1, is called KERNEL#N.  The file does not change. */
enum ws_status ws_trace_part(struct ws_trace *t, struct ws_err *err) WS_MUST_CHECK;
/* Of such a name: of KERNEL alone; of any other all of it. */
size_t ws_kernel_length(const char *name);
uint64_t ws_trace_bytes(const struct ws_trace *t); /* of the file */
/* The file as it is; errors show at ws_out_commit. */
void ws_trace_copy(const struct ws_trace *t, struct ws_out *out);

/* One per thread; keeps the last chunk unpacked, so CTAs in order are cheap. */
struct ws_decoder;

/* Active lanes lane .. lane+len-1 in one row of the block; x, y, z of the first. */
struct ws_lane_run {
	uint16_t lane, len, x, y, z;
};

struct ws_plane {		/* addresses linear in x, y and z; all zero: others */
	bool even;
	uint64_t base, stride[3];	/* at (0, 0, 0); from one to the next, modulo 2^64 */
};

/* Address of (x, y, z) less that of (0, 0, 0). */
static inline uint64_t ws_reach(const uint64_t stride[3], const struct ws_lane_run *r)
{
	return stride[0] * r->x + stride[1] * r->y + stride[2] * r->z;
}

struct ws_step {
	uint32_t segment;
	const uint64_t *mask;		/* words of 64 lanes */
	size_t words;
	uint64_t *const *address;	/* [instruction of the segment][lane] */
	/* Only after ws_decoder_planes: addresses of even planes are not in .address. */
	const struct ws_plane *plane;	/* [instruction of the segment], or NULL */
	const struct ws_lane_run *run;	/* [runs]: the mask */
	size_t runs;
};

/* The lanes [first, first + count) that are active, from bit 0 on; count at most 64: a warp's. */
static inline uint64_t ws_step_lanes(const struct ws_step *step, size_t first, uint64_t count)
{
	size_t word = first / 64, shift = first % 64;
	uint64_t lanes = step->mask[word] >> shift;

	if (shift && word + 1 < step->words)
		lanes |= step->mask[word + 1] << (64 - shift);
	return count < 64 ? lanes & ((UINT64_C(1) << count) - 1) : lanes;
}

enum ws_status ws_decoder_new(struct ws_decoder **out, const struct ws_trace *t,
			      size_t launch, struct ws_err *err) WS_MUST_CHECK;
/* cta: linear, x fastest. */
enum ws_status ws_decoder_seek(struct ws_decoder *d, uint64_t cta,
			       struct ws_err *err) WS_MUST_CHECK;
/* *more false at the end of the CTA.  step points into d until the next call. */
enum ws_status ws_decoder_next(struct ws_decoder *d, struct ws_step *step, bool *more,
			       struct ws_err *err) WS_MUST_CHECK;
void ws_decoder_free(struct ws_decoder *d);
/* Steps have planes from the next one on. */
enum ws_status ws_decoder_planes(struct ws_decoder *d, struct ws_err *err) WS_MUST_CHECK;

/* ---- request streams -------------------------------------------------------- */

struct ws_request {
	uint64_t address;	/* of the line: a multiple of l1.line */
	uint64_t cycle;		/* of its look-up on its SM, by enum ws_order */
	uint32_t sectors;	/* bit s: 32 B sector s of the line is asked for */
	uint32_t instruction;	/* in the launch's table */
	uint32_t cta;		/* linear */
	uint16_t warp;		/* in its CTA */
	uint8_t kind;		/* enum ws_kind */
	uint8_t follows : 1;	/* of the same warp instruction as the request before it */
	uint8_t past : 2;	/* of kind WS_ATOMIC: 1 + its own kind, of a load or store that goes
				 * past the L1; 0: an atomic */
	uint8_t part : 5;	/* of its SM's L1s (ws_l1_part) */
	uint64_t fetch;		/* cycles from then until the data that it had fetched was there;
				 * 0: it fetched nothing, or that is not known */
};

/* To an L1, what goes past it is all one kind; this is what comes to the L2. */
static inline uint8_t ws_request_below(const struct ws_request *r)
{
	return r->past ? (uint8_t)(r->past - 1) : r->kind;
}

/* Sets what a request of an instruction is to an L1 and below it. */
static inline void ws_request_classify(struct ws_request *r, uint8_t kind, bool past)
{
	r->kind = past ? (uint8_t)WS_ATOMIC : kind;
	r->past = past ? (kind + 1u) & 3u : 0;
}

/* What a store's request writes of the WS_WRITTEN_BYTES around its first sector, aligned: bit b of
 * byte[s] stands for byte b of 32-byte sector s. */
struct ws_written {
	uint32_t byte[WS_WRITTEN_BYTES / WS_SECTOR_BYTES];
};

/* Where the order of a stream, and its cycles, come from. */
enum ws_order {
	WS_ORDER_NOMINAL,	/* ws_order_run: latencies are fixed, a look-up is never refused */
	WS_ORDER_CYCLES,	/* the cycle simulator (validate/validate.h) */
	WS_ORDERS,
};
extern const char *const ws_order_names[WS_ORDERS + 1]; /* NULL-terminated */

/* Cuts the active lanes' accesses into requests: the sectors [addr, addr+bytes)
 * touched, one request per distinct pair of coalesce.line segment and l1.line
 * line, in order of the first lane that needs it.  Caller's `out` has room for
 * WS_COALESCE_MAX(lanes, bytes); only address and sectors are set.
 * Returns the number of requests. */
#define WS_COALESCE_MAX(lanes, bytes) ((size_t)(lanes) * ((size_t)(bytes) / WS_SECTOR_BYTES + 2))
size_t ws_coalesce(const struct ws_machine *m, const uint64_t *address, uint64_t mask,
		   uint32_t bytes, struct ws_request *out);

/* The same requests for a cache of another line size.  Requests of a warp instruction that share a
 * segment of coalesce_line and a new line are merged into the first of them; longer requests are
 * cut, by ascending address.  Pieces keep the cycle of their request, and
 * its fetch; merged ones have the longest.  r holds whole warp
 * instructions.  out has room for count * max(1, from_line / to_line).  Returns their number.  The
 * coalescer would have made the same pieces, except for the order within one request. */
size_t ws_recut(uint64_t coalesce_line, uint64_t from_line, uint64_t to_line,
		const struct ws_request *r, size_t count, struct ws_request *out);

/* The memory model of the scheduler engine: when a warp instruction's data is back. */
struct ws_memory {
	/* cycle: when the first request is looked up; returns the cycle at which
	 * the last one's data is back (loads, atomics; stores: cycle + count). */
	uint64_t (*access)(struct ws_memory *self, uint64_t sm, const struct ws_request *request,
			   size_t count, uint64_t cycle);
	void (*flush)(struct ws_memory *self); /* before each launch, by ws_order_run; may be
						* NULL */
	void (*free)(struct ws_memory *self);
};

/* Fixed latencies: l1.latency for a hit, l1.latency + l2.latency for a miss, by an LRU cache of the
 * L1's geometry per SM, whatever l1.policy is.  Atomics bypass it.  O(ways) a request.  Freed by
 * its own free(). */
enum ws_status ws_nominal_new(struct ws_memory **out, const struct ws_machine *m,
			      struct ws_err *err) WS_MUST_CHECK;

/* The engine's output, in issue order per SM. */
struct ws_warp_access {		/* one warp instruction, before coalescing */
	uint64_t cycle, cta;
	uint32_t instruction, warp;
	uint64_t mask;		/* bit i: lane warp*width + i */
	const uint64_t *address; /* address[i] of lane i; only those in mask are set */
};

struct ws_sink {
	void *context;
	/* requests: batches of one L1, those of a warp instruction in one; NULL: not wanted.
	 * l1: its number (ws_l1s), the SM's where each has one.  One call at a time, L1s in any
	 * order. */
	enum ws_status (*requests)(void *context, uint64_t l1, const struct ws_request *r,
				   size_t count, struct ws_err *err);
	/* every warp instruction with its lanes' addresses; NULL: not wanted (slower). */
	enum ws_status (*lanes)(void *context, uint64_t sm, const struct ws_warp_access *a,
				struct ws_err *err);
	/* CTAs done so far, for progress; may be NULL. */
	void (*progress)(void *context, uint64_t ctas);
};

/* An SM's requests to the sink, those of each of its L1s apart. */
enum ws_status ws_sink_put(const struct ws_sink *sink, const struct ws_machine *m, uint64_t sm,
			   const struct ws_request *r, size_t count,
			   struct ws_err *err) WS_MUST_CHECK;

struct ws_order_options {
	uint64_t seed;
	unsigned threads;	/* 0: all cores; the result does not depend on it */
	struct ws_memory *memory; /* stays the caller's; NULL: a nominal one is made */
	bool untold;		/* nobody reads cycles: those of a stream that has no order to find
				 * may be 0, and struct ws_order_stats's, too */
};

struct ws_order_stats {
	uint64_t cycles;	/* of the SM that ends last */
	uint64_t warp_instructions, requests;
	uint64_t issued;	/* ops of all kinds; 0 of an untimed order */
	uint64_t waits;		/* how often a warp had to wait for data; likewise */
	uint64_t resident_ctas;	/* per SM, by the machine's limits */
	const char *limit;	/* what bounds it: "CTAs", "warps", "threads", "shared memory",
				 * "registers" */
};

/* CTAs are dispatched to SMs up to the residency limits, the next one when one ends (sm.assign),
 * and warps are scheduled (sm.scheduler).  sequential, round-robin and random are untimed and
 * ignore the limits.  options NULL: seed 1, all cores; stats NULL: not wanted.  Errors: a CTA too
 * large for an SM (names the limit), a corrupt trace, the sink's errors. */
enum ws_status ws_order_run(const struct ws_trace *t, size_t launch, const struct ws_machine *m,
			    const struct ws_order_options *options, const struct ws_sink *sink,
			    struct ws_order_stats *stats, struct ws_err *err) WS_MUST_CHECK;

/* In the cycle simulator: is the launch's machine code executed by the machine's sm.pipeline? */
bool ws_launch_has_pipeline(const struct ws_launch *launch, const struct ws_machine *m);
struct ws_demand ws_launch_demand(const struct ws_launch *launch);
/* ws_machine_adapt to a launch, which ws_order_run does by itself; and ws_machine_residency. */
enum ws_status ws_launch_machine(const struct ws_launch *launch, const struct ws_machine *m,
				 struct ws_machine *out, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_residency(const struct ws_launch *launch, const struct ws_machine *m,
			    uint64_t *ctas, const char **limit, struct ws_err *err) WS_MUST_CHECK;

/* ---- the same engine, with a memory that answers later ---------------------------------
 *
 * The cycle simulator's entry (validate/cycle/): each SM has a unit, its load-store unit and all
 * behind it.  In each visited cycle c: receive(c) if due <= c; then the schedulers issue; then
 * advance(c) if due <= c.  Effects of other units arrive in the next window.
 */
struct ws_sm;

struct ws_lsu_op {
	const uint64_t *address;	/* [count]: as in struct ws_request */
	const uint32_t *sectors;	/* [count] */
	const struct ws_written *written; /* [count], of a store with profile = gpgpusim; else
					   * NULL */
	size_t count;
	uint32_t instruction;
	uint32_t warp;			/* a slot of the SM */
	uint32_t ticket;		/* for ws_sm_back, once */
	uint32_t cta;			/* linear */
	uint16_t number;		/* of the warp in its CTA */
	uint8_t kind;			/* enum ws_kind: the instruction's own, */
	bool past;			/* which goes past the L1 */
};

struct ws_lsu {
	uint64_t due;		/* the first cycle with work for receive or advance; the unit
				 * updates it (issue may lower it), and others lower it between
				 * windows */
	uint64_t free;		/* the next memory op may be issued from this cycle on; WS_LSU_BUSY:
				 * unknown */
	/* Phase 1.  Says what is back with ws_sm_back. */
	enum ws_status (*receive)(struct ws_lsu *u, uint64_t cycle, struct ws_err *err);
	/* A memory op is issued in this cycle, free <= cycle; requests are to be copied. */
	enum ws_status (*issue)(struct ws_lsu *u, const struct ws_lsu_op *op, uint64_t cycle,
				struct ws_err *err);
	/* Phase 3 and 4. */
	enum ws_status (*advance)(struct ws_lsu *u, uint64_t cycle, struct ws_err *err);
	/* With sm.front: a line of code is asked for, so many bytes; *sent: the network took it.
	 * ws_sm_code says when it has come. */
	enum ws_status (*code)(struct ws_lsu *u, uint64_t address, uint64_t bytes, uint32_t number,
			       uint64_t cycle, bool *sent, struct ws_err *err);
	struct ws_sm *sm;	/* set by ws_engine_new */
	/* What the engine keeps of an SM's launches for the next, NULL at first; its owner frees it
	 * with ws_front_forget. */
	struct ws_front_kept *kept;
};
#define WS_LSU_BUSY UINT64_MAX

/* The data of a load is back at cycle `back`, not before the cycle at hand; or, with sm.stores =
 * acknowledged, all of a store with requests is. */
void ws_sm_back(struct ws_sm *sm, uint32_t warp, uint32_t ticket, uint64_t back);

/* A part of the data of such a load is back from below the L1; said before ws_sm_back.  Without
 * ws_pipeline_has_port. */
void ws_sm_part_back(struct ws_sm *sm, uint32_t warp, uint32_t ticket, uint64_t back);

/* With ws_pipeline_has_port data from below the L1 is written to registers one after the other,
 * when their banks are free: the unit says what came, and is told when it is written. */
struct ws_load_data {		/* of a request */
	uint32_t load;		/* the unit's own number of it */
	uint32_t part;		/* the L1 that had the MSHR, if it is */
	bool last;		/* the last that waited for one */
};
#define WS_NO_LOAD UINT32_MAX

struct ws_port_cycle {		/* what happened in a cycle */
	struct ws_load_data written; /* all of it; .load = WS_NO_LOAD: nothing */
	bool freed;		/* an MSHR is free, */
	uint32_t part;		/* of that L1 */
};

/* It may be taken from cycle `from` on.  past: it went past the L1. */
void ws_sm_data(struct ws_sm *sm, uint32_t warp, uint32_t ticket, const struct ws_load_data *data,
		bool past, uint64_t from);
/* Is there a place for data that went past the L1? */
bool ws_sm_port_takes(const struct ws_sm *sm);
/* The first cycle with something to do, possibly one that is over; UINT64_MAX: none. */
uint64_t ws_sm_port_due(const struct ws_sm *sm);
/* At the beginning of a cycle. */
struct ws_port_cycle ws_sm_port(struct ws_sm *sm, uint64_t cycle);
void ws_front_forget(struct ws_front_kept *kept);
/* A sector of a line of code, of that number, is there. */
void ws_sm_code(struct ws_sm *sm, uint32_t number);

struct ws_sm_stats {		/* so far; issue slots = schedulers * cycles looked at or skipped */
	uint64_t cycle;		/* up to which they count */
	uint64_t issued, memory_instructions, waits; /* waits: of warps, for data */
	uint64_t empty, lsu, data, barrier, other; /* slots in which nothing was issued, by reason:
				 * the scheduler has no warp; a warp was ready for a memory op, but
				 * the unit was not free; else at least one waits for data; else all
				 * wait at barriers; else */
	uint64_t warps;		/* resident now, not ended */
	uint64_t warp_cycles;	/* of warps that ended: from their CTA's start to their own end */
	uint64_t end;		/* of the last CTA that ended */
};

struct ws_engine;

/* lsu[sm.count], all there as long as the engine. */
enum ws_status ws_engine_new(struct ws_engine **out, const struct ws_trace *t, size_t launch,
			     const struct ws_machine *m, const struct ws_order_options *options,
			     struct ws_lsu *const *lsu, struct ws_err *err) WS_MUST_CHECK;
size_t ws_engine_sms(const struct ws_engine *e); /* those that get a CTA; the others do nothing */
/* Simulates an SM up to cycle end - 1; it stops earlier if a CTA ended and others wait for SMs.
 * Different SMs in different threads. */
enum ws_status ws_engine_sm(struct ws_engine *e, size_t sm, uint64_t end,
			    struct ws_err *err) WS_MUST_CHECK;
/* Dispatches CTAs to SMs that stopped, and simulates all SMs up to end - 1.  One thread. */
enum ws_status ws_engine_settle(struct ws_engine *e, uint64_t end,
				struct ws_err *err) WS_MUST_CHECK;
/* The first cycle in which an SM or its unit has work; UINT64_MAX: none.  After ws_engine_settle.
 * Skipped cycles change nothing. */
uint64_t ws_engine_next(const struct ws_engine *e);
bool ws_engine_done(const struct ws_engine *e); /* all CTAs have ended */
uint64_t ws_engine_ctas(const struct ws_engine *e); /* that have ended */
/* cycle: the first that is not to be counted; not before the window's end or, once all CTAs have
 * ended, the launch's. */
void ws_engine_stats(struct ws_engine *e, size_t sm, uint64_t cycle, struct ws_sm_stats *out);
uint64_t ws_engine_resident(const struct ws_engine *e); /* CTAs of an SM at once */
/* All CTAs have ended: what is kept of the launch (struct ws_lsu, kept), and the SM that got the
 * last CTA. */
enum ws_status ws_engine_keep(struct ws_engine *e, size_t *last, struct ws_err *err) WS_MUST_CHECK;
void ws_engine_free(struct ws_engine *e);

WS_API_END
#endif
