/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/lockstep.c -- runs the work-items of a CTA and merges their
 * records into steps of group lockstep.
 *
 * Each work-item runs on a fibre until its record buffer is full, it reaches
 * a barrier, or it ends.  Once every work-item that could still run has a
 * record waiting, the lowest-numbered segment among them is the next step, of
 * all the work-items that stand at it.  Work-items at a barrier are passed
 * over until all that have not ended are there.
 *
 * A work-item whose records are given one by one, or whose kernel tallies, runs on until a barrier
 * or its end: what it computes then is what it would alone.
 *
 * Steps that the same work-items make one after the other are made from records that are turned
 * all at once (columns.h).
 *
 * Cost per step: a pass over the heads of those that moved, and one over the active lanes.
 */
#include "trace/capture/columns.h"

#include <string.h>

/* A CTA that never ends is found by what all its lanes record together, and by its barriers. */
#define CTA_BUDGET_FACTOR 4u /* times the budget of a lane: words */
#define BARRIERS_MAX      (1u << 23)
#define TALLY_POLLS       (1u << 16)
#define ROWS_PARTED	  32u /* of a CTA, before it is asked whether most do */
#define MEETINGS	  16u /* of a warp, before the next one has its turn */
#define WS_ROW_REFUSED	  UINT32_MAX

/* ---- one CTA ------------------------------------------------------------------------- */

static void set_head(struct ws_cta_run *r, size_t lane, uint32_t head)
{
	r->head[lane] = head;
	r->moved |= UINT64_C(1) << lane / 64;
}

/* What is the same of a lane in all CTAs. */
static void place_lane(struct ws_cta_run *r, struct ws_lane_ctx *x, uint32_t lane)
{
	const struct ws_cta_config *c = r->config;
	uint64_t left = lane;

	for (unsigned d = 0; d < 3; d++) {
		x->lid[d] = left % c->launch->block[d];
		left /= c->launch->block[d];
		x->lsz[d] = c->launch->block[d];
		x->ngr[d] = c->groups[d];
		x->gsz[d] = c->groups[d] * c->launch->block[d];
		x->off[d] = d < c->spec->dim ? c->spec->offset[d] : 0;
	}
	x->dim = c->spec->dim;
	x->lane = lane;
	x->clock = 0;
	x->sms = c->sms ? c->sms : 1;
	x->shared = r->local;
	x->base = r->record + lane * r->record_pitch;
	x->end = x->base + r->record_words;
	x->bound = c->arguments->bound;
	x->image = c->arguments->image;
	x->local = r->local_variable;
	x->soft_line = c->soft_line;
	x->tally = c->tally;
	x->run = r;
	ws_outside_lane(r->outside, x);
}

static void place_lanes(struct ws_cta_run *r)
{
	for (size_t i = 0; i < r->lanes; i++)
		place_lane(r, &r->lane[i], (uint32_t)i);
	for (size_t i = r->lanes; i < r->mask_words * 64; i++)
		set_head(r, i, HEAD_DONE);
	r->placed = true;
}

static void begin_lane(struct ws_cta_run *r, struct ws_lane_ctx *x)
{
	const struct ws_cta_config *c = r->config;

	for (unsigned d = 0; d < 3; d++) {
		x->grp[d] = r->group[d];
		x->gid[d] = x->off[d] + r->group[d] * x->lsz[d] + x->lid[d];
	}
	x->p = x->rd = x->base;
	x->spin = (int64_t)c->budget;
	x->phase = 0;
	x->turn = (int64_t)(c->turn ? c->turn : c->budget);
	x->state = LANE_NEW;
	x->point = 0;
	x->used = 0;
	x->sm = (uint32_t)(r->cta % x->sms);
	if (c->kernel->meets)
		r->meeting[x->lane].met = false;
}

/* Lanes begin as they are run. */
static void begin_cta(struct ws_cta_run *r, uint64_t cta)
{
	const struct ws_cta_config *c = r->config;

	r->group[0] = cta % c->groups[0];
	r->group[1] = cta / c->groups[0] % c->groups[1];
	r->group[2] = cta / c->groups[0] / c->groups[1];
	if (!r->placed)
		place_lanes(r);
	r->cta = cta;
	ws_outside_begin(r->outside, cta);
	ws_fibres_begin(r->fibres);
	r->next_lane = 0;
	r->all_used = r->barriers = 0;
	r->rows = r->parted = 0;
	r->begun = r->waits = r->apart = false;
	ws_stall_begin(r);
	memset(r->local, 0, r->local_bytes);
}

/* The next work-item, on the stack of one that has ended. */
static struct ws_lane_ctx *follow(struct ws_cta_run *r, struct ws_lane_ctx *ended)
{
	struct ws_lane_ctx *x = &r->lane[r->next_lane++];

	ended->state = LANE_DONE;
	set_head(r, ended->lane, HEAD_DONE);
	begin_lane(r, x);
	x->stack = ended->stack;
	r->running = r->fibres->current = x;
	return x;
}

/* What a bare kernel's work-items have to say is in memory when they end: those that have not
 * begun follow at once. */
static void work_item(struct ws_lane_ctx *ctx)
{
	struct ws_cta_run *r = ctx->run;

	r->config->kernel->entry(ctx, r->value, NULL, 0);
	while (r->config->kernel->bare && r->next_lane < r->lanes) {
		ctx = follow(r, ctx);
		r->config->kernel->entry(ctx, r->value, NULL, 0);
	}
	ws_lane_yield(ctx, LANE_DONE); /* and then this fibre has another to run */
}

/* What the lane's head is now that its buffer holds what it holds. */
static uint32_t head_of(const struct ws_lane_ctx *x)
{
	if (x->rd < x->p)
		return (uint32_t)*x->rd;
	return x->state == LANE_DONE ? HEAD_DONE : HEAD_BLOCKED;
}

/* Of lanes that are resumed in order, one that comes soon: its stack and its buffer are far from
 * the others'. */
static void fetch_ahead(const struct ws_cta_run *r, size_t i)
{
	if (i + 4 >= r->lanes)
		return;
	__builtin_prefetch(r->lane[i + 4].sp);
	__builtin_prefetch((const char *)r->lane[i + 4].sp + 160);
	__builtin_prefetch(r->lane[i + 4].base, 1);
}

/* What a lane has recorded, each record a step of it alone. */
static void give_each(struct ws_cta_run *r, struct ws_lane_ctx *x)
{
	const struct ws_cta_config *c = r->config;
	struct ws_step step = { .mask = r->mask, .words = r->mask_words, .address = r->each };

	memset(r->mask, 0, r->mask_words * sizeof *r->mask);
	r->mask[x->lane / 64] = UINT64_C(1) << x->lane % 64;
	while (x->rd < x->p && r->each_status == WS_OK) {
		step.segment = (uint32_t)*x->rd++;
		for (size_t a = 0; a < c->kernel->segment[step.segment].count; a++)
			r->each[a][x->lane] = *x->rd++;
		r->each_status = c->each(c->context, &step, &r->each_err);
	}
	if (r->each_status != WS_OK && r->fault == FAULT_NONE)
		r->fault = FAULT_EACH;
}

/* ---- kernels in parts ------------------------------------------------------------------- */

static uint8_t *frame_of(const struct ws_cta_run *r, const struct ws_lane_ctx *x)
{
	return r->frame + x->lane / WS_FRAME_LANES * WS_FRAME_LANES * r->config->kernel->frame;
}

static void stopped(const struct ws_cta_run *r, struct ws_lane_ctx *x, uint32_t point)
{
	const struct ws_stop *stop = &r->config->kernel->stop[point];

	x->point = point;
	x->waiting = stop->segment;
	x->state = !point ? LANE_DONE : stop->meets ? LANE_MEET : LANE_BARRIER;
}

/* A lane, to its next stop. */
static void run_part(struct ws_cta_run *r, struct ws_lane_ctx *x)
{
	const struct ws_kernel *k = r->config->kernel;

	stopped(r, x, (r->wide ? k->alone : k->entry)(x, r->value, frame_of(r, x), x->point));
}

/* Resumes a lane that has nothing recorded until it stops, or one that follows it.  Returns the one
 * that has stopped. */
static inline __attribute__((always_inline)) struct ws_lane_ctx *resume(struct ws_cta_run *r,
									struct ws_lane_ctx *x)
{
	bool fresh = x->state == LANE_NEW, parts = r->config->kernel->parts;

	x->p = x->rd = x->base;
	if (fresh && !parts)
		ws_fibre_start(r->fibres, x, work_item);
	r->running = x;
	if (parts)
		run_part(r, x);
	else
		ws_fibre_resume(r->fibres, x);
	x = r->running;
	r->running = NULL;
	if (x->state == LANE_DONE && !parts)
		ws_fibre_end(r->fibres, x);
	x->used += (uint64_t)(x->p - x->base);
	r->all_used += (uint64_t)(x->p - x->base);
	if ((x->used > r->config->budget ||
	     r->all_used / CTA_BUDGET_FACTOR > r->config->budget) &&
	    r->fault == FAULT_NONE) {
		r->fault = FAULT_BUDGET;
		r->fault_lane = x->lane;
	}
	return x;
}

/* Runs a lane until it stops; beyond full buffers if its records are given one by one.  Inline, so
 * that one lane's return is not predicted from another's call. */
static inline __attribute__((always_inline)) bool run_lane(struct ws_cta_run *r,
							   struct ws_lane_ctx *x)
{
	bool each = r->config->each != NULL;

	do {
		x = resume(r, x);
		if (each)
			give_each(r, x);
	} while (each && x->state == LANE_FULL && r->fault == FAULT_NONE);
	set_head(r, x->lane, head_of(x));
	return r->fault == FAULT_NONE;
}

/* Are lane i and those that follow it at the same place, in the same state, to go on together?  If
 * most have parted in this CTA, the others do not try. */
static bool begins_row(const struct ws_cta_run *r, size_t i)
{
	const struct ws_lane_ctx *x = &r->lane[i];
	bool same = r->wide && i % WS_FRAME_LANES == 0 &&
		    (r->parted < ROWS_PARTED || r->parted * 2 < r->rows);

	for (size_t k = 1; k < WS_FRAME_LANES && same; k++)
		same = x[k].point == x->point && x[k].state == x->state;
	return same;
}

/* Those of a row, to their next stop. */
static bool run_row(struct ws_cta_run *r, struct ws_lane_ctx *x)
{
	const struct ws_kernel *k = r->config->kernel;
	uint32_t point;
	bool good = true;

	r->rows++;
	r->running = x;
	point = k->wide(x, r->value, frame_of(r, x), x->point);
	r->running = NULL;
	if (point != WS_ROW_REFUSED && !k->stop[point].alone) {
		for (size_t i = 0; i < WS_FRAME_LANES; i++) {
			stopped(r, &x[i], point);
			set_head(r, x[i].lane, point ? HEAD_BLOCKED : HEAD_DONE);
		}
		return true;
	}
	r->parted++;
	for (size_t i = 0; i < WS_FRAME_LANES && good; i++) {
		x[i].point = point == WS_ROW_REFUSED ? x[i].point : point;
		good = run_lane(r, &x[i]);
	}
	return good;
}

static bool run_all(struct ws_cta_run *r)
{
	bool good = true;

	for (size_t i = 0; i < r->lanes && r->config->kernel->parts; i++)
		begin_lane(r, &r->lane[i]);
	while (r->next_lane < r->lanes && good) {
		struct ws_lane_ctx *x = &r->lane[r->next_lane++];

		if (begins_row(r, x->lane)) {
			r->next_lane += WS_FRAME_LANES - 1;
			good = run_row(r, x);
			continue;
		}
		if (!r->config->kernel->parts)
			begin_lane(r, x);
		good = run_lane(r, x);
	}
	return good;
}

/* Lanes that stopped for others to have their turn go on; false: there are none. */
static bool next_turn(struct ws_cta_run *r)
{
	bool any = false;

	for (size_t i = 0; i < r->lanes && r->fault == FAULT_NONE; i++) {
		if (r->head[i] != HEAD_BLOCKED || r->lane[i].state != LANE_FULL)
			continue;
		any = true;
		run_lane(r, &r->lane[i]);
	}
	/* Of a bare kernel nothing tells whether what took a whole turn waits: other CTAs have
	 * theirs. */
	if (any && r->config->kernel->bare && r->config->stalled)
		r->stalls = r->novel = true;
	return any;
}

static bool all_met(const struct ws_cta_run *r, size_t lane)
{
	bool met = true;

	for (size_t k = 0; k < WS_FRAME_LANES; k++)
		met &= r->meeting[lane + k].met;
	return met;
}

/* Those of a warp that have met go on. */
static void go_on(struct ws_cta_run *r, size_t warp)
{
	size_t end = warp + WS_MEETING_LANES < r->lanes ? warp + WS_MEETING_LANES : r->lanes;

	for (size_t i = warp; i < end && r->fault == FAULT_NONE; i++) {
		if (r->lane[i].state != LANE_MEET || !r->meeting[i].met)
			continue;
		if (begins_row(r, i) && all_met(r, i)) {
			for (size_t k = 0; k < WS_FRAME_LANES; k++)
				r->meeting[i + k].met = false;
			run_row(r, &r->lane[i]);
			i += WS_FRAME_LANES - 1;
			continue;
		}
		r->meeting[i].met = false;
		run_lane(r, &r->lane[i]);
	}
}

/* Lanes of warps that can meet go on, those of a bare kernel from some meetings, one warp's after
 * the other's; false: there are none. */
static bool go_on_together(struct ws_cta_run *r)
{
	bool others = r->waits || r->apart, any = false, meets = r->config->kernel->meets;
	unsigned most = r->config->kernel->bare ? MEETINGS : 1;

	for (size_t warp = 0; warp < r->lanes && meets; warp += WS_MEETING_LANES) {
		for (unsigned k = 0; k < most && r->fault == FAULT_NONE &&
				     ws_warp_meets(r, warp); k++) {
			go_on(r, warp);
			any = true;
		}
	}
	r->apart = false;
	if (any)
		ws_stall_stop(r, most);
	if (any || others || !meets || !ws_meeting_stuck(r))
		return any;
	if (r->fault == FAULT_NONE)
		r->fault = FAULT_MEET;
	return true;
}

/* Words of 64 heads are looked at again if a lane of theirs has moved.  What pads head[] is
 * HEAD_DONE. */
static uint32_t lowest_head(struct ws_cta_run *r)
{
	uint32_t low = HEAD_DONE;

	for (; r->moved; r->moved &= r->moved - 1) {
		size_t w = (size_t)__builtin_ctzll(r->moved);

		r->low[w] = r->columns->least(&r->head[w * 64]);
	}
	for (size_t w = 0; w < r->mask_words; w++)
		low = r->low[w] < low ? r->low[w] : low;
	return low;
}

/* Of the lanes at a segment that is the lowest; returns the lowest of the others. */
static uint32_t set_mask(struct ws_cta_run *r, uint32_t segment)
{
	uint32_t other = HEAD_DONE;

	for (size_t w = 0; w < r->mask_words; w++) {
		r->mask[w] = 0;
		if (r->low[w] == segment)
			r->mask[w] = r->columns->at_segment(&r->head[w * 64], segment, &other);
		else
			other = r->low[w] < other ? r->low[w] : other;
	}
	return other;
}

/* Moves one record of a lane into the columns.  True if the lane must run to have more. */
static bool take_record(struct ws_cta_run *r, size_t lane, size_t count)
{
	struct ws_lane_ctx *x = &r->lane[lane];

	for (size_t a = 0; a < count; a++)
		r->address[a * r->lanes + lane] = x->rd[1 + a];
	x->rd += 1 + count;
	set_head(r, lane, head_of(x));
	return x->rd == x->p && x->state == LANE_FULL;
}

/* Addresses of a segment begin at this row. */
static void set_columns(struct ws_cta_run *r, size_t row, size_t count)
{
	for (size_t a = 0; a < count; a++)
		r->column[a] = r->address + (row + a) * r->lanes;
}

static void put_step(struct ws_cta_run *r, uint32_t segment, struct ws_encoder *e)
{
	const struct ws_segment *s = &r->config->kernel->segment[segment];

	if (s->count || s->barrier || s->tail)
		ws_encoder_step(e, segment, r->mask, r->column);
	if (ws_encoder_full(e) && r->fault == FAULT_NONE)
		r->fault = FAULT_SIZE;
}

static void end_step(struct ws_cta_run *r, uint32_t segment, struct ws_encoder *e)
{
	put_step(r, segment, e);
	if (r->patience != UINT64_MAX)
		ws_stall_step(r, segment);
}

/* One step, of the lanes of r->mask; false after a fault. */
static bool step_segment(struct ws_cta_run *r, uint32_t segment, struct ws_encoder *e)
{
	const struct ws_segment *s = &r->config->kernel->segment[segment];
	bool good = true;

	for (size_t w = 0; w < r->mask_words; w++) {
		for (uint64_t bits = r->mask[w]; bits && good; bits &= bits - 1) {
			size_t lane = w * 64 + (size_t)__builtin_ctzll(bits);

			if (take_record(r, lane, s->count))
				good = run_lane(r, &r->lane[lane]);
		}
	}
	set_columns(r, 0, s->count);
	end_step(r, segment, e);
	return good;
}

/* ---- several steps of the same lanes ------------------------------------------------ */

static struct ws_lane_ctx *first_lane(const struct ws_cta_run *r)
{
	size_t w = 0;

	while (!r->mask[w])
		w++;
	return &r->lane[w * 64 + (size_t)__builtin_ctzll(r->mask[w])];
}

/* How many words of x, of at most `most`, are whole records that come before `other`. */
static size_t words_before(const struct ws_cta_run *r, const struct ws_lane_ctx *x, uint32_t other,
			   size_t most)
{
	const struct ws_segment *segment = r->config->kernel->segment;
	size_t left = (size_t)(x->p - x->rd), at = 0;

	most = left < most ? left : most;
	while (at < most && x->rd[at] < other && at + 1 + segment[x->rd[at]].count <= most)
		at += 1 + segment[x->rd[at]].count;
	return at;
}

/* Lanes move on by so many words, none of which has to be resumed. */
static void skip_words(struct ws_cta_run *r, size_t words)
{
	for (size_t w = 0; w < r->mask_words; w++) {
		for (uint64_t bits = r->mask[w]; bits; bits &= bits - 1) {
			struct ws_lane_ctx *x = &r->lane[w * 64 + (size_t)__builtin_ctzll(bits)];

			x->rd += words;
			set_head(r, x->lane, head_of(x));
		}
	}
}

/* The steps that the lanes of r->mask make while all of them are at the same segment, and those at
 * `other` and beyond wait; as many as are recorded, and no lane has to be resumed for.  False:
 * there is none. */
static bool step_together(struct ws_cta_run *r, uint32_t other, struct ws_encoder *e)
{
	const struct ws_segment *segment = r->config->kernel->segment;
	const uint64_t *like = first_lane(r)->rd;
	struct ws_turned t = { .to = r->address };
	size_t at = 0, most;

	t.words = words_before(r, first_lane(r), other, r->reach);
	if (t.words <= 1 + segment[*like].count) {
		r->reach = WS_TURNED_WORDS;
		return false;
	}
	most = r->columns->turn(r->lane, r->lanes, r->mask, like, &t);
	while (at < most && !t.differ[at] && at + 1 + segment[like[at]].count <= most &&
	       r->fault == FAULT_NONE && !r->stalls) {
		uint32_t now = (uint32_t)like[at];

		set_columns(r, at + 1, segment[now].count);
		end_step(r, now, e);
		at += 1 + segment[now].count;
	}
	r->reach = at < t.words && at > 4 ? at : WS_TURNED_WORDS;
	skip_words(r, at);
	return at > 0;
}

/* A step, or some. */
static void take_steps(struct ws_cta_run *r, uint32_t segment, struct ws_encoder *e)
{
	uint32_t other = set_mask(r, segment);

	if (!step_together(r, other, e))
		step_segment(r, segment, e);
}

/* All work-items that have not ended are at a barrier: is it the same one? */
static enum ws_status check_barrier(const struct ws_cta_run *r, struct ws_err *err)
{
	uint32_t first = UINT32_MAX;

	for (uint32_t i = 0; i < r->lanes; i++) {
		if (r->head[i] == HEAD_DONE)
			continue;
		if (first == UINT32_MAX)
			first = i;
		if (r->lane[i].waiting != r->lane[first].waiting)
			return ws_fault_divergent(r, first, i, err);
	}
	return WS_OK;
}

/* Those of a bare kernel that have stopped are at a barrier or their end; *same: at one barrier. */
static bool stopped_alike(const struct ws_cta_run *r, bool *same)
{
	uint32_t barrier = UINT32_MAX;
	bool alike = true;

	*same = true;
	for (uint32_t i = 0; i < r->lanes; i++) {
		const struct ws_lane_ctx *x = &r->lane[i];

		alike &= x->state == LANE_BARRIER || x->state == LANE_DONE;
		if (x->state != LANE_BARRIER)
			continue;
		*same &= barrier == UINT32_MAX || barrier == x->waiting;
		barrier = x->waiting;
	}
	return alike;
}

/* The same of a bare kernel: there is nothing to merge. */
static bool pass_bare(struct ws_cta_run *r, bool *same)
{
	uint32_t opened = UINT32_MAX;
	uint64_t ended = 0;

	for (uint32_t i = 0; i < r->lanes; i++) {
		struct ws_lane_ctx *x = &r->lane[i];
		bool good;

		if (i + 4 < r->lanes)
			__builtin_prefetch(r->lane[i + 4].sp);
		if (r->head[i] == HEAD_DONE) {
			ended++;
			continue;
		}
		opened = x->waiting;
		if (begins_row(r, i)) {
			good = run_row(r, x);
			i += WS_FRAME_LANES - 1;
		} else {
			good = run_lane(r, x);
		}
		if (!good)
			return false;
	}
	ws_unmet_note(r, opened, ended);
	return stopped_alike(r, same);
}

/* Those at a barrier go on to where they stop next.  True: they are there, or at their end, and
 * merged; *same: it is the same barrier. */
static bool pass_barrier(struct ws_cta_run *r, struct ws_encoder *e, bool *same)
{
	uint32_t segment, barrier = UINT32_MAX, opened = UINT32_MAX;
	bool alike = !r->config->each;
	uint64_t ended = 0;

	*same = true;
	ws_paths_begin(r);
	for (uint32_t i = 0; i < r->lanes; i++) {
		struct ws_lane_ctx *x = &r->lane[i];

		fetch_ahead(r, i);
		if (r->head[i] == HEAD_DONE) {
			ended++;
			continue;
		}
		opened = x->waiting;
		if (!run_lane(r, x))
			return false;
		alike = alike && ws_paths_add(r, x);
		if (alike && x->state == LANE_BARRIER) {
			*same &= barrier == UINT32_MAX || barrier == x->waiting;
			barrier = x->waiting;
		}
	}
	ws_unmet_note(r, opened, ended);
	if (!alike)
		return false;
	for (uint32_t i = 0; i < r->lanes; i++)
		set_head(r, i, r->lane[i].state == LANE_DONE ? HEAD_DONE : HEAD_BLOCKED);
	while (r->fault == FAULT_NONE && ws_paths_step(r, &segment))
		put_step(r, segment, e);
	return r->fault == FAULT_NONE;
}

/* Barriers, as long as all merge at once what they did in between. */
static enum ws_status open_barriers(struct ws_cta_run *r, struct ws_encoder *e,
				    struct ws_err *err)
{
	bool same = false, good = true;

	while (good && lowest_head(r) == HEAD_BLOCKED && !r->stalls) {
		enum ws_status status = same ? WS_OK : check_barrier(r, err);

		if (status != WS_OK)
			return status;
		if (++r->barriers > BARRIERS_MAX && r->fault == FAULT_NONE) {
			r->fault = FAULT_BUDGET;
			for (r->fault_lane = 0; r->head[r->fault_lane] == HEAD_DONE;)
				r->fault_lane++;
		}
		ws_stall_stop(r, 1);
		good = r->config->kernel->bare ? pass_bare(r, &same)
					       : pass_barrier(r, e, &same);
	}
	return WS_OK;
}

/* ---- the whole -------------------------------------------------------------------------- */

static bool any_waits(const struct ws_cta_run *r)
{
	size_t i = r->config->kernel->waits ? 0 : r->lanes;

	while (i < r->lanes && !ws_lane_waits(r, i))
		i++;
	return i < r->lanes;
}

/* Has a lane recorded nothing but turns of loops that only wait? */
static bool only_polled(const struct ws_cta_run *r, const struct ws_lane_ctx *x)
{
	const struct ws_kernel *k = r->config->kernel;

	for (const uint64_t *word = x->base; word < x->p; word += 1 + k->segment[*word].count) {
		if (!k->polls[*word])
			return false;
	}
	return true;
}

/* True if any did more than that. */
static bool poll(struct ws_cta_run *r)
{
	bool more = false;

	for (size_t i = 0; i < r->lanes && r->fault == FAULT_NONE; i++) {
		struct ws_lane_ctx *x = &r->lane[i];
		uint32_t wait = x->waiting;
		int64_t turn = x->turn; /* a bare kernel's loops that do more than wait count it */

		if (!ws_lane_waits(r, i))
			continue;
		run_lane(r, x);
		more |= r->config->kernel->wait[wait].timed && x->timed < WS_TIMED_MOST;
		more |= r->config->kernel->bare && x->turn != turn;
		more |= x->state != LANE_WAIT || x->waiting != wait || !only_polled(r, x);
	}
	return more;
}

/* Steps until all have ended, those that can go on wait for other CTAs, or a fault. */
static enum ws_status merge(struct ws_cta_run *r, struct ws_encoder *e, bool *more,
			    struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*more = r->begun ? poll(r) : run_all(r);
	r->begun = true;
	if (r->apart && !r->waits)
		go_on_together(r);
	while (status == WS_OK && r->fault == FAULT_NONE && !r->stalls) {
		uint32_t low = lowest_head(r);

		r->waits = low == HEAD_BLOCKED && any_waits(r);
		if (low == HEAD_DONE ||
		    (r->waits && !next_turn(r) && !go_on_together(r)))
			return WS_OK;
		if (low == HEAD_BLOCKED && !r->waits)
			status = next_turn(r) || go_on_together(r) ? WS_OK
								   : open_barriers(r, e, err);
		else if (low != HEAD_BLOCKED)
			take_steps(r, low, e);
	}
	return status;
}

bool ws_cta_part(struct ws_cta_run *r)
{
	for (size_t i = 0; i < r->lanes && (r->waits || r->stalls) && !r->apart; i++)
		r->apart = r->lane[i].state == LANE_MEET && !r->meeting[i].mask;
	return r->apart;
}

/* A crash comes back here, as a fault.  The handler leaves the mask of signals as it is. */
static enum ws_status merge_or_crash(struct ws_cta_run *r, struct ws_encoder *e, bool *more,
				     struct ws_err *err)
{
	return sigsetjmp(r->crash, 0) ? WS_OK : merge(r, e, more, err);
}

void ws_cta_begin(struct ws_cta_run *r, uint64_t cta, struct ws_encoder *e)
{
	r->fault = FAULT_NONE;
	begin_cta(r, cta);
	if (e)
		ws_encoder_begin(e);
}

enum ws_status ws_cta_turn(struct ws_cta_run *r, struct ws_encoder *e, enum ws_cta_turn *turn,
			   struct ws_err *err)
{
	bool more = true, alone = !r->on_thread;
	enum ws_status status;

	ws_stall_turn(r);
	if (alone)
		ws_cta_thread_begin(r);
	ws_crash_watch(r);
	status = merge_or_crash(r, e, &more, err);
	r->running = NULL;
	ws_crash_watch(NULL);
	if (alone)
		ws_cta_thread_end(r);
	if (r->stalls)
		more = r->novel;
	*turn = !r->waits && !r->stalls ? WS_CTA_ENDED : more ? WS_CTA_WAITS : WS_CTA_POLLED;
	return status == WS_OK && r->fault != FAULT_NONE ? ws_fault_report(r, err) : status;
}

/* Alone, only its own work-items can write what one waits for.  A kernel that tallies records
 * nothing that would tell whether it did more. */
enum ws_status ws_cta_run(struct ws_cta_run *r, uint64_t cta, struct ws_encoder *e,
			  struct ws_err *err)
{
	const struct ws_stuck alone = { r->config->launch->ctas, cta, 1 };
	uint64_t polls = 0, most = r->config->tally ? TALLY_POLLS : WS_POLLS;
	enum ws_cta_turn turn = WS_CTA_WAITS;
	enum ws_status status = WS_OK;

	ws_cta_begin(r, cta, e);
	while (status == WS_OK && turn != WS_CTA_ENDED && polls < most) {
		status = ws_cta_turn(r, e, &turn, err);
		polls = turn == WS_CTA_POLLED ? polls + 1 : 0;
		if (polls == most && ws_cta_part(r))
			polls = 0;
	}
	return status == WS_OK && turn != WS_CTA_ENDED ? ws_cta_stuck(r, &alone, err) : status;
}
