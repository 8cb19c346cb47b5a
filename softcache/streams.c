/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softcache/streams.c -- a launch's remaining requests behind a software cache, in a machine's
 * order.
 *
 * The order engine says which warp accesses what, and when; it does not tell of barriers.  So a CTA
 * is decoded when its first access comes, and where its warps' barriers are is noted: after the
 * n-th access of a warp, for those lanes.  It is forgotten after its last access.
 */
#include "softcache/simulate.h"

#include <stdlib.h>
#include <string.h>

struct barrier {
	size_t after;		/* so many accesses of the warp */
	uint64_t lanes;
};

struct soft_warp {
	struct barrier *barrier;
	size_t barriers, cap, passed, accesses, done;
};

struct cta {
	struct soft_threads threads;
	struct soft_warp *warp;
	size_t left;		/* accesses of all warps */
};

struct remainder {
	struct ws_softsim *sim;
	const struct ws_machine *m;
	struct ws_decoder *decoder;
	struct cta **cta;	/* [linear number]; NULL: not begun, or over */
	size_t warps;
	struct ws_streams *out;
	struct ws_request *scratch;
	uint64_t l1, cycle;	/* of the access at hand */
	uint32_t number, instruction, of_warp;
	const struct ws_profile_options *options;
};

/* ---- CTAs --------------------------------------------------------------------------- */

static void cta_free(struct cta *c, size_t warps)
{
	if (!c)
		return;
	for (size_t w = 0; c->warp && w < warps; w++)
		free(c->warp[w].barrier);
	free(c->warp);
	soft_threads_clear(&c->threads);
	free(c);
}

static bool add_barrier(struct soft_warp *w, uint64_t lanes)
{
	if (!WS_ROOM(w->barrier, w->cap, w->barriers + 1))
		return false;
	w->barrier[w->barriers++] = (struct barrier){ w->accesses, lanes };
	return true;
}

static bool note_step(const struct remainder *r, struct cta *c, const struct ws_step *step)
{
	const struct ws_launch *l = &r->sim->launch;
	const struct ws_segment *segment = &l->segment[step->segment];
	size_t width = (size_t)r->m->warp_width;

	for (size_t w = 0; w < r->warps; w++) {
		uint64_t mask = ws_step_lanes(step, w * width, width);

		for (uint32_t i = 0; mask && i < segment->count; i++) {
			const struct ws_instruction *in = &l->instruction[segment->first + i];

			if (in->space != WS_SPACE_GLOBAL || !in->bytes) /* no access to the order */
				continue;
			c->warp[w].accesses++;
			c->left++;
		}
		if (segment->barrier && mask && !add_barrier(&c->warp[w], mask))
			return false;
	}
	return true;
}

static enum ws_status cta_begin(struct remainder *r, uint64_t number, struct ws_err *err)
{
	struct cta *c = ws_alloc_zero(1, sizeof *c);
	enum ws_status status = WS_OK;
	struct ws_step step;
	bool more = true;

	r->cta[number] = c;
	if (c)
		c->warp = ws_alloc_zero(r->warps, sizeof *c->warp);
	if (!c || !c->warp)
		return ws_fail_memory(err, "a CTA's lines");
	status = soft_threads_new(&c->threads, r->sim, err);
	if (status == WS_OK)
		status = ws_decoder_seek(r->decoder, number, err);
	while (status == WS_OK) {
		status = ws_decoder_next(r->decoder, &step, &more, err);
		if (status != WS_OK || !more)
			break;
		if (!note_step(r, c, &step))
			return ws_fail_memory(err, "a CTA's barriers");
	}
	return status;
}

/* ---- requests ------------------------------------------------------------------------- */

static enum ws_status put_request(struct remainder *r, unsigned kind, const uint64_t *address,
				  uint64_t mask, uint64_t bytes, struct ws_err *err)
{
	struct ws_stream *to = &r->out->sm[r->l1];
	size_t n = mask ? ws_coalesce(r->m, address, mask, (uint32_t)bytes, r->scratch) : 0;

	if (!n)
		return WS_OK;
	if (!WS_ROOM(to->request, to->cap, to->count + n))
		return ws_fail_memory(err, "a request stream");
	for (size_t i = 0; i < n; i++)
		to->request[to->count++] = (struct ws_request){
			.address = r->scratch[i].address, .sectors = r->scratch[i].sectors,
			.cycle = r->cycle, .instruction = r->instruction, .cta = r->number,
			.warp = (uint16_t)r->of_warp, .kind = (uint8_t)kind, .follows = i > 0,
		};
	return WS_OK;
}

/* What the lanes of a warp send at one point of the program. */
struct lane_batch {
	uint64_t store[64], load[64], stores, loads;
};

static void gather_lanes(const struct remainder *r, struct lane_batch *b, unsigned lane,
			 const struct soft_out *out)
{
	b->stores |= (uint64_t)out->store << lane;
	b->loads |= (uint64_t)out->load << lane;
	b->store[lane] = out->stored * r->sim->soft.line_bytes;
	b->load[lane] = out->loaded * r->sim->soft.line_bytes;
}

static enum ws_status send(struct remainder *r, const struct lane_batch *b, struct ws_err *err)
{
	uint64_t line = r->sim->soft.line_bytes;
	enum ws_status status = put_request(r, WS_STORE, b->store, b->stores, line, err);

	return status == WS_OK ? put_request(r, WS_LOAD, b->load, b->loads, line, err) : status;
}

static enum ws_status flush_lanes(struct remainder *r, struct cta *c, uint64_t mask,
				  struct ws_err *err)
{
	size_t first = r->of_warp * (size_t)r->m->warp_width;
	enum ws_status status = WS_OK;

	for (size_t s = 0; mask && s < r->sim->structures && status == WS_OK; s++) {
		struct lane_batch b = { .stores = 0 };
		struct soft_out out = { false, false, 0, 0 };

		for (unsigned lane = 0; lane < r->m->warp_width; lane++) {
			if (!(mask >> lane & 1) || first + lane >= r->sim->threads)
				continue;
			soft_leave(r->sim, &c->threads, first + lane, s, &out);
			gather_lanes(r, &b, lane, &out);
		}
		status = send(r, &b, err);
	}
	return status;
}

/* Lanes that look up lines: the first of each, then the second, ... */
static enum ws_status through(struct remainder *r, struct cta *c, const struct soft_access *a,
			      uint64_t mask, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	uint64_t line = r->sim->soft.line_bytes, more = mask;

	for (uint64_t n = 0; more && status == WS_OK; n++) {
		struct lane_batch b = { .stores = 0 };

		for (unsigned lane = 0; lane < r->m->warp_width; lane++) {
			struct soft_out out;

			if (!(more >> lane & 1))
				continue;
			soft_look_up(r->sim, &c->threads, &a[lane], a[lane].first / line + n, &out);
			gather_lanes(r, &b, lane, &out);
			if (a[lane].first / line + n == a[lane].last / line)
				more &= ~(UINT64_C(1) << lane);
		}
		status = send(r, &b, err);
	}
	return status;
}

static enum ws_status access_warp(struct remainder *r, struct cta *c,
				  const struct ws_warp_access *w, struct ws_err *err)
{
	const struct ws_instruction *in = &r->sim->launch.instruction[w->instruction];
	size_t first = w->warp * (size_t)r->m->warp_width;
	struct soft_access a[64];
	struct lane_batch b = { .stores = 0 };
	uint64_t look = 0, direct = 0;
	enum ws_status status;

	for (unsigned lane = 0; lane < r->m->warp_width; lane++) {
		struct soft_out out;

		if (!(w->mask >> lane & 1) ||
		    !soft_begin(r->sim, &c->threads, first + lane, w->instruction,
				w->address[lane], &a[lane], &out))
			continue;
		gather_lanes(r, &b, lane, &out);
		*(a[lane].through ? &look : &direct) |= UINT64_C(1) << lane;
	}
	status = send(r, &b, err); /* before atomics */
	if (status == WS_OK)
		status = through(r, c, a, look, err);
	return status == WS_OK ? put_request(r, in->kind, w->address, direct, in->bytes, err)
			       : status;
}

/* Those between the warp's last access and its next. */
static enum ws_status pass_barriers(struct remainder *r, struct cta *c, struct soft_warp *w,
				    struct ws_err *err)
{
	enum ws_status status = WS_OK;

	while (status == WS_OK && w->passed < w->barriers &&
	       w->barrier[w->passed].after == w->done)
		status = flush_lanes(r, c, w->barrier[w->passed++].lanes, err);
	return status;
}

static enum ws_status take_access(void *context, uint64_t sm, const struct ws_warp_access *w,
				  struct ws_err *err)
{
	struct remainder *r = context;
	enum ws_status status = WS_OK;
	struct soft_warp *warp;
	struct cta *c;

	if (!r->cta[w->cta])
		status = cta_begin(r, w->cta, err);
	if (status != WS_OK)
		return status;
	c = r->cta[w->cta];
	warp = &c->warp[w->warp];
	/* The slot is not known: as if the CTA had the first ones. */
	r->l1 = sm * r->m->l1_parts + ws_l1_part(r->m, w->warp);
	r->cycle = w->cycle;
	r->number = (uint32_t)w->cta;
	r->instruction = w->instruction;
	r->of_warp = w->warp;
	status = pass_barriers(r, c, warp, err);
	if (status == WS_OK)
		status = access_warp(r, c, w, err);
	if (status == WS_OK && ++warp->done == warp->accesses) {
		status = pass_barriers(r, c, warp, err);
		status = status == WS_OK ? flush_lanes(r, c, UINT64_MAX, err) : status;
	}
	if (status == WS_OK && --c->left == 0) {
		cta_free(c, r->warps);
		r->cta[w->cta] = NULL;
	}
	return status;
}

/* ---- a launch ----------------------------------------------------------------------------- */

static void progress(void *context, uint64_t ctas)
{
	const struct remainder *r = context;

	r->options->progress(r->options->context, ctas, r->sim->launch.ctas);
}

static uint32_t widest(const struct ws_launch *l)
{
	uint32_t bytes = 1u << WS_SOFT_LINE_BITS;

	for (size_t i = 0; i < l->instructions; i++)
		if (l->instruction[i].bytes > bytes)
			bytes = l->instruction[i].bytes;
	return bytes;
}

static enum ws_status prepare_remainder(struct remainder *r, const struct ws_trace *t,
					size_t launch, const struct ws_soft *soft,
					struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(t, launch);
	enum ws_status status = ws_softsim_new(&r->sim, l, soft, err);

	if (status == WS_OK)
		status = ws_decoder_new(&r->decoder, t, launch, err);
	if (status == WS_OK)
		status = soft_monitor(r->sim, r->decoder, err);
	if (status != WS_OK)
		return status;
	r->warps = (r->sim->threads + (size_t)r->m->warp_width - 1) / (size_t)r->m->warp_width;
	r->cta = ws_alloc_zero((size_t)l->ctas + 1, sizeof(struct cta *));
	r->scratch = ws_alloc(WS_COALESCE_MAX(r->m->warp_width, widest(l)), sizeof *r->scratch);
	r->out = ws_alloc_zero(1, sizeof *r->out);
	if (!r->cta || !r->scratch || !r->out)
		return ws_fail_memory(err, "the request streams of a launch");
	r->out->launch = l;
	r->out->kernel = ws_strdup(l->kernel);
	r->out->sm = ws_alloc_zero((size_t)ws_l1s(r->m), sizeof *r->out->sm);
	if (!r->out->kernel || !r->out->sm)
		return ws_fail_memory(err, "the request streams of a launch");
	r->out->sms = (size_t)ws_l1s(r->m);
	r->out->line_bytes = r->m->l1.line_bytes;
	r->out->coalesce_line = r->m->coalesce_line;
	return WS_OK;
}

enum ws_status ws_soft_streams(struct ws_streams **out, const struct ws_trace *t, size_t launch,
			       const struct ws_machine *m, uint64_t ctas,
			       const struct ws_soft *soft, const struct ws_profile_options *options,
			       struct ws_err *err)
{
	struct ws_machine own = *m;
	struct remainder r = { .m = &own, .options = options };
	struct ws_order_options order = { .seed = options->seed, .threads = options->threads };
	struct ws_sink sink = { .context = &r, .lanes = take_access,
				.progress = options->progress ? progress : NULL };
	enum ws_status status;

	*out = NULL;
	if (ctas && ctas < own.sm_ctas)
		own.sm_ctas = ctas;
	status = prepare_remainder(&r, t, launch, soft, err);
	if (status == WS_OK)
		status = ws_order_run(t, launch, &own, &order, &sink, &r.out->stats, err);
	for (uint64_t i = 0; r.cta && i < r.sim->launch.ctas; i++)
		cta_free(r.cta[i], r.warps);
	free(r.cta);
	free(r.scratch);
	ws_decoder_free(r.decoder);
	ws_softsim_free(r.sim);
	if (status == WS_OK)
		*out = r.out;
	else
		ws_streams_free(r.out, r.out != NULL);
	return status;
}
