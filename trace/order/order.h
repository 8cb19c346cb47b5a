/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/order.h -- from the steps of CTAs to the request streams of SMs.
 *
 *	steps --program.c--> per-warp lists of ops, coalesced   (struct ws_cta_program)
 *	        (large.c: sub-warps of large warps)
 *	      --supply.c---> decoded ahead, on several threads  (struct ws_supply)
 *	      --dispatch.c-> which SM takes which CTA           (struct ws_dispatch)
 *	      --engine.c, sm.c--> timed issue, one machine cycle after the other
 *	      --untimed.c--> the naive orders
 *	      --outlet.c---> the caller's sink
 *
 * An *op* is an instruction as an issue slot sees it.  Ops other than global
 * memory instructions and barriers are only counted.  Memory is O(resident
 * CTAs and those decoded ahead).
 */
#ifndef WS_TRACE_ORDER_H
#define WS_TRACE_ORDER_H

#include "trace/trace.h"

#define WS_NO_OP UINT32_MAX
#define WS_NEVER UINT64_MAX

/* ws_coalesce of the active lanes of [lane, lane + width); run: the first with any of them, or
 * end. */
size_t ws_coalesce_plane(const struct ws_machine *m, const struct ws_plane *plane,
			 const struct ws_lane_run *run, const struct ws_lane_run *end, size_t lane,
			 size_t width, uint32_t bytes, struct ws_request *out);

/* ---- programs: a CTA flattened ------------------------------------------------ */

enum ws_action { /* what an op does; the first three are enum ws_kind's */
	WS_DO_LOAD = WS_LOAD, WS_DO_STORE = WS_STORE, WS_DO_ATOMIC = WS_ATOMIC,
	WS_DO_BARRIER,
	WS_DO_NOTHING,		/* stands for its `before` alone */
};

struct ws_op {
	uint32_t before;	/* other instructions issued first */
	uint32_t next;		/* the warp's next op, or WS_NO_OP */
	uint32_t instruction;
	uint32_t first;		/* its requests: address[first ...], sectors[first ...] */
	uint32_t wait;		/* of a load or atomic: the op so many places after it, barriers
				 * aside, needs the data */
	uint16_t count;
	uint8_t action;
	bool past;		/* a load or store that goes past the L1 */
};

#define WS_WAIT_NEVER UINT32_MAX

/* Of large warps, whose instructions take several slots: when loads' data is needed. */
struct ws_awaited {
	struct ws_awaited_load {
		uint64_t instruction;	/* that needs it: its number in the warp */
		uint64_t slot;		/* the load's own, among the warp's ops */
		uint32_t warp, op;
	} *load;
	size_t loads, load_cap;
	struct ws_warp_progress {
		uint64_t instructions, slots; /* so far, barriers aside */
		uint64_t soonest;	/* instruction that needs data, or UINT64_MAX */
	} *progress;			/* [warp] */
};

struct ws_cta_program {
	uint64_t cta;
	struct ws_op *op;
	uint64_t *address;	/* requests of all ops */
	uint32_t *sectors;
	struct ws_written *written; /* of stores' requests, only if the plan says so */
	uint32_t *head;		/* [warp]: its first op, or WS_NO_OP */
	uint32_t *tail;		/* [warp]: its last op, while building */
	uint64_t *owed;		/* [warp]: other instructions since, while building */
	struct ws_awaited awaited; /* while building */
	struct ws_pace *pace;	/* [op], only if the machine asks: .chain less than its ops;
				 * .code > .code_end: unknown */
	struct ws_pace *owed_pace; /* [warp]: while building */
	/* Machine code, only if the plan says so: of each op those before it and itself,
	 * code[code_first[op] ...], as pipeline.h has them. */
	uint32_t *code;
	size_t *code_first;
	struct ws_owed_code {
		uint32_t *code;
		size_t count, cap;
	} *owed_code;		/* [warp]: while building */
	size_t codes, owed_codes, code_cap, first_cap;
	uint64_t *lane_mask;	/* [op], only if lanes are wanted */
	uint64_t *lane_address;	/* [op * width + lane], likewise */
	size_t ops, requests, warps;
	size_t op_cap, address_cap, sector_cap, written_cap, mask_cap, lane_cap, pace_cap;
	struct ws_cta_program *next; /* in the supply's lists */
};

/* Parameters of flattening; constant during a run. */
struct ws_plan {
	const struct ws_launch *launch;
	const struct ws_machine *machine;
	size_t threads, warps;	/* of a CTA; large ones, if there are */
	size_t rows;		/* warps of a large one; 1: plain warps */
	bool lanes;		/* keep lane addresses; of plain warps only */
	bool paced;		/* keep what holds up other instructions */
	bool coded;		/* keep machine code */
	bool written;		/* keep which bytes stores write */
};

/* The source of steps: ws_decoder, or arrays in tests. */
struct ws_steps {
	void *context;
	enum ws_status (*seek)(void *context, unsigned thread, uint64_t cta, struct ws_err *err);
	enum ws_status (*next)(void *context, unsigned thread, struct ws_step *step, bool *more,
			       struct ws_err *err);
};

struct ws_cta_program *ws_program_new(size_t warps); /* NULL: out of memory */
void ws_program_free(struct ws_cta_program *p);
/* scratch: room for WS_COALESCE_MAX(warp width, largest access) requests. */
enum ws_status ws_program_build(struct ws_cta_program *p, const struct ws_plan *plan,
				const struct ws_steps *steps, unsigned thread, uint64_t cta,
				struct ws_request *scratch, struct ws_err *err) WS_MUST_CHECK;

/* ---- bytes: bytes.c, of profile = gpgpusim ------------------------------------------- */

/* Atomics of the lanes, of at most WS_SECTOR_BYTES each: each of their 32-byte sectors, in order of
 * the lanes, joins the first request of that sector that has none of its bytes, or is a new one.
 * out as for ws_coalesce. */
size_t ws_coalesce_atomics(const struct ws_machine *m, const uint64_t *address, uint64_t mask,
			   uint32_t bytes, struct ws_request *out);
/* What the lanes write, for each of their requests by ws_coalesce. */
void ws_written_find(const struct ws_machine *m, const uint64_t *address, uint64_t mask,
		     uint32_t bytes, const struct ws_request *r, size_t count,
		     struct ws_written *out);

/* ---- large warps: large.c ---------------------------------------------------------- */

struct ws_sub_warps {		/* of a step */
	size_t count;
	uint64_t mask[WS_LARGE_WARP_MAX];
	uint16_t lane[WS_LARGE_WARP_MAX][64]; /* of the CTA, in each column of the mask */
};

/* Of the lanes [first, first + rows * width); count 0: none is active. */
void ws_sub_warps_form(struct ws_sub_warps *s, const struct ws_step *step, size_t first,
		       size_t width, size_t rows);
/* address: of the CTA's lanes. */
size_t ws_sub_warp_coalesce(const struct ws_plan *plan, const struct ws_sub_warps *s, size_t which,
			    const uint64_t *address, uint32_t bytes, struct ws_request *out);
/* The load `op` is at a slot of the warp; the instruction of that number, still to come, needs its
 * data.  False: out of memory. */
bool ws_await(struct ws_awaited *a, size_t warp, uint32_t op, uint64_t slot, uint64_t instruction);
/* The warp goes on by so many instructions of `each` slots. */
void ws_warp_goes_on(struct ws_awaited *a, struct ws_op *op, size_t warp, uint64_t count,
		     uint64_t each);

/* ---- dispatch --------------------------------------------------------------- */

struct ws_dispatch {
	uint64_t ctas, sms;
	uint64_t next;		/* one queue for all: its head */
	uint64_t *taken;	/* [sm] a queue each: how many it has taken; else NULL */
	uint32_t *deal;		/* what is dealt out; NULL: CTAs in linear order */
	bool by_sm;		/* one SM is run to its end before the next */
};

/* Static assignments and untimed orders have a queue per SM. */
enum ws_status ws_dispatch_init(struct ws_dispatch *d, const struct ws_launch *launch,
				const struct ws_machine *m, bool untimed, uint64_t seed,
				struct ws_err *err) WS_MUST_CHECK;
void ws_dispatch_clear(struct ws_dispatch *d);
bool ws_dispatch_next(struct ws_dispatch *d, uint64_t sm, uint64_t *cta);
bool ws_dispatch_empty(const struct ws_dispatch *d, uint64_t sm); /* nothing left for sm */
/* CTAs likely to be requested next, after one for sm; at most max. */
size_t ws_dispatch_ahead(const struct ws_dispatch *d, uint64_t sm, uint64_t *cta, size_t max);

/* ---- supply: programs, decoded ahead ------------------------------------------- */

struct ws_supply {
	struct ws_plan plan;
	struct ws_steps steps;
	unsigned threads;
	size_t batch;			/* CTAs decoded at a time */
	struct ws_request **scratch;	/* [thread] */
	struct ws_cta_program *spare, *ready;
	struct ws_cta_program **job;	/* [batch] */
	uint64_t *ahead;		/* [batch] */
};

enum ws_status ws_supply_init(struct ws_supply *s, const struct ws_plan *plan,
			      const struct ws_steps *steps, unsigned threads,
			      struct ws_err *err) WS_MUST_CHECK;
void ws_supply_clear(struct ws_supply *s);
/* The next CTA of sm, if there is one (else *out is NULL). */
enum ws_status ws_supply_take(struct ws_supply *s, struct ws_dispatch *d, uint64_t sm,
			      struct ws_cta_program **out, struct ws_err *err) WS_MUST_CHECK;
void ws_supply_give_back(struct ws_supply *s, struct ws_cta_program *p);

/* ---- outlet: one SM's way to the sink ------------------------------------------- */

struct ws_outlet {
	const struct ws_machine *machine;
	struct ws_request *batch;
	size_t count, cap;
	uint64_t warp_instructions, requests;
};

struct ws_asker {
	uint16_t warp;		/* in its CTA */
	uint8_t part;		/* of the L1s */
};

/* Appends an op's requests, the first looked up at `cycle`; *out: where they are
 * until the next call. */
enum ws_status ws_outlet_put(struct ws_outlet *o, const struct ws_sink *sink, uint64_t sm,
			     const struct ws_cta_program *p, uint32_t op, struct ws_asker by,
			     uint64_t cycle, const struct ws_request **out,
			     struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_outlet_lanes(const struct ws_plan *plan, const struct ws_sink *sink, uint64_t sm,
			       const struct ws_cta_program *p, uint32_t op, size_t warp,
			       uint64_t cycle, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_outlet_flush(struct ws_outlet *o, const struct ws_sink *sink, uint64_t sm,
			       struct ws_err *err) WS_MUST_CHECK;
void ws_outlet_clear(struct ws_outlet *o);

/* ---- code: pace.c ------------------------------------------------------------------ */

struct ws_code {		/* lines of the launch's instructions */
	size_t lines;		/* 0: all are there */
	bool *kept;		/* [lines]: the L2 has it of an earlier launch */
	uint64_t start;		/* sm.start, or sm.code if line 0 is kept */
	const struct ws_trace *trace; /* whose launches before this one left code; or NULL */
	size_t launch;
};

/* Does the machine ask for more than the counts of other instructions? */
bool ws_machine_paces(const struct ws_machine *m);
/* t: NULL, or the trace whose launches before `number` ran before. */
enum ws_status ws_code_init(struct ws_code *c, const struct ws_launch *launch,
			    const struct ws_trace *t, size_t number, const struct ws_machine *m,
			    struct ws_err *err) WS_MUST_CHECK;
void ws_code_clear(struct ws_code *c);
/* Did an SM run an earlier launch's code? */
bool ws_code_begun(const struct ws_code *c, uint64_t sm, uint64_t sms);

/* ---- running a launch ------------------------------------------------------------- */

struct ws_run {			/* stays where it is: the plan points into it */
	struct ws_machine machine; /* while this launch runs */
	struct ws_plan plan;
	struct ws_supply supply;
	struct ws_dispatch dispatch;
	struct ws_memory *memory;
	bool shared;		/* SMs meet in the memory: keep them in step */
	bool asynchronous;	/* no memory: each SM has a unit (struct ws_lsu) */
	uint64_t seed, resident;
	struct ws_sink sink;
	struct ws_order_stats stats;
	uint64_t done;		/* CTAs */
	struct ws_code code;
};

/* ws_order_run of any steps. */
enum ws_status ws_order_steps(const struct ws_launch *launch, const struct ws_steps *steps,
			      const struct ws_machine *m, const struct ws_order_options *options,
			      const struct ws_sink *sink, struct ws_order_stats *stats,
			      struct ws_err *err) WS_MUST_CHECK;
/* The stages of ws_order_steps.  *out: the steps of a launch of a trace; planes: for users that
 * need no lane's own address. */
struct ws_launch_steps;
/* The same as ws_order_run, of a list of one thread's accesses (trace/format/lone.h), under a timed
 * scheduler and without lanes: in constant memory. */
bool ws_lone_ordered(const struct ws_trace *t, size_t launch, const struct ws_machine *m,
		     const struct ws_order_options *options, const struct ws_sink *sink);
enum ws_status ws_lone_order(const struct ws_trace *t, size_t launch, const struct ws_machine *m,
			     const struct ws_order_options *options, const struct ws_sink *sink,
			     struct ws_order_stats *stats, struct ws_err *err) WS_MUST_CHECK;

/* Does nothing ask for the address of each lane? */
static inline bool ws_needs_no_lanes(const struct ws_machine *m)
{
	return m->sm_large_warp <= 1 && m->profile == WS_BEHAVES_HARDWARE;
}

enum ws_status ws_launch_steps_new(struct ws_launch_steps **out, const struct ws_trace *t,
				   size_t launch,
			     unsigned threads, bool planes, struct ws_steps *steps,
			     struct ws_err *err) WS_MUST_CHECK;
void ws_launch_steps_free(struct ws_launch_steps *r);
enum ws_status ws_run_init(struct ws_run *run, const struct ws_launch *launch,
			   const struct ws_steps *steps, const struct ws_machine *m,
			   const struct ws_order_options *options, const struct ws_sink *sink,
			   bool asynchronous, struct ws_err *err) WS_MUST_CHECK;
void ws_run_clear(struct ws_run *run, const struct ws_order_options *options);
enum ws_status ws_timed_run(struct ws_run *run, struct ws_err *err) WS_MUST_CHECK;

#endif
