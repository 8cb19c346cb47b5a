/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/resident.c -- a launch whose CTAs wait for each other: as many as a device holds at
 * once run together, in turns.
 *
 * A CTA has its turn until its work-items have ended or wait (ws_cta_turn); then the next one has.
 * Turns go round in the order of places.  A place that becomes free takes the next CTA at once, and
 * a further place is opened when all that are open have had their turn.  So CTAs that do not wait
 * run one after the other in one place, and what a trace holds does not depend on threads: all is
 * on one.  A work-item that waits polls once a turn, and that is what the trace has of it.
 *
 * If no CTA has done more than poll for WS_POLLS rounds, and there is no place for another, none
 * ever will: the error says where the first of them waits.  A CTA that only seems to wait
 * (stalls.c) goes on alone before that is said.
 *
 * CTAs end in any order and are written in theirs: what has ended is kept, encoded, until those
 * before it have.
 */
#include "trace/capture/kernel.h"

#include "trace/capture/child.h"

#include <stdlib.h>
#include <string.h>

struct cta_place {
	struct ws_cta_run *run;
	struct ws_encoder *encoder;
	uint64_t cta;
	bool taken;
};

struct ended { /* a CTA that has, or is to */
	struct ws_buf data;
	uint64_t accesses[WS_KINDS];
	bool done;
};

struct cta_round {
	const struct ws_launch_run *run;
	const struct ws_cta_config *config;
	struct ws_cta_config first, further; /* places */
	struct cta_place *place;
	size_t places, place_cap, most;
	struct ended *ended; /* of CTAs from `written` on */
	size_t kept, ended_cap;
	uint64_t next, written, done;
};

static enum ws_status open_place(struct cta_round *r, struct ws_err *err)
{
	enum ws_status status;

	if (!WS_ROOM(r->place, r->place_cap, r->places + 1))
		return ws_fail_memory(err, "CTAs that run together");
	r->place[r->places] = (struct cta_place){ .run = NULL };
	status = ws_cta_run_new(&r->place[r->places].run, r->places ? &r->further : &r->first,
				err);
	if (status == WS_OK && !r->config->kernel->bare)
		status = ws_encoder_new(&r->place[r->places].encoder, r->config->launch, err);
	r->places++;
	return status;
}

/* The next CTA into a place. */
static enum ws_status take_cta(struct cta_round *r, struct cta_place *p, struct ws_err *err)
{
	if (!WS_ROOM(r->ended, r->ended_cap, r->kept + 1))
		return ws_fail_memory(err, "CTAs that run together");
	r->ended[r->kept++] = (struct ended){ .done = false };
	p->cta = r->next++;
	p->taken = true;
	ws_cta_begin(p->run, p->cta, p->encoder);
	return WS_OK;
}

/* ---- what has ended ----------------------------------------------------------------------- */

static enum ws_status write_chunk(struct cta_round *r, size_t count, struct ws_err *err)
{
	struct ws_launch_chunk c = { .first = r->written, .count = count };
	uint64_t *lens = ws_alloc(count, sizeof *lens);
	struct ws_buf data = { 0 };
	enum ws_status status = lens ? WS_OK : ws_fail_memory(err, "a chunk");

	for (size_t i = 0; i < count && status == WS_OK; i++) {
		lens[i] = r->ended[i].data.len;
		ws_put_bytes(&data, r->ended[i].data.data, r->ended[i].data.len);
		ws_buf_clear(&r->ended[i].data);
		for (int k = 0; k < WS_KINDS; k++)
			c.accesses[k] += r->ended[i].accesses[k];
	}
	if (status == WS_OK)
		status = ws_launch_pack(r->run, &c, ws_cta_run_packer(r->place[0].run), &data, lens,
					err);
	if (status == WS_OK)
		status = ws_launch_put_chunk(r->run, &c, err);
	ws_buf_clear(&c.packed);
	ws_buf_clear(&data);
	free(lens);
	r->kept -= count;
	memmove(r->ended, r->ended + count, r->kept * sizeof *r->ended);
	r->written += count;
	return status;
}

/* Whole chunks from the first CTA that is not written. */
static enum ws_status write_ended(struct cta_round *r, struct ws_err *err)
{
	uint64_t ctas = r->config->launch->ctas, size = ws_launch_chunk_ctas(ctas);
	enum ws_status status = WS_OK;

	while (status == WS_OK && r->written < ctas) {
		uint64_t left = ctas - r->written, want = left < size ? left : size;
		size_t have = 0;

		while (have < r->kept && have < want && r->ended[have].done)
			have++;
		if (have < want)
			return WS_OK;
		status = write_chunk(r, have, err);
		if (r->run->options->progress)
			r->run->options->progress(r->run->options->context,
						  r->config->launch->kernel, r->written, ctas);
	}
	return status;
}

static enum ws_status end_cta(struct cta_round *r, struct cta_place *p, struct ws_err *err)
{
	struct ended *e = &r->ended[p->cta - r->written];
	enum ws_status status = WS_OK;

	if (p->encoder)
		status = ws_encoder_end(p->encoder, &e->data, e->accesses, err);
	e->done = true;
	p->taken = false;
	r->done++;
	return status == WS_OK ? write_ended(r, err) : status;
}

/* ---- turns ---------------------------------------------------------------------------------- */

/* A place's turn: until its CTA waits, or there is none for it.  *more: it did more than poll. */
static enum ws_status have_turn(struct cta_round *r, size_t i, bool *more, struct ws_err *err)
{
	enum ws_cta_turn turn = WS_CTA_ENDED;
	enum ws_status status = WS_OK;

	while (status == WS_OK && turn == WS_CTA_ENDED) {
		struct cta_place *p = &r->place[i];

		if (!p->taken && r->next == r->config->launch->ctas)
			return WS_OK;
		if (!p->taken)
			status = take_cta(r, p, err);
		ws_where_cta(r->run->where, (unsigned)i, p->cta);
		if (status == WS_OK)
			status = ws_cta_turn(p->run, p->encoder, &turn, err);
		*more |= turn != WS_CTA_POLLED;
		if (status == WS_OK && turn == WS_CTA_ENDED)
			status = end_cta(r, p, err);
	}
	return status;
}

/* The CTA of place `first` is; r->places: the first that waits. */
static enum ws_status stuck(const struct cta_round *r, size_t first, struct ws_err *err)
{
	const struct ws_stuck s = { r->config->launch->ctas, r->done, r->most };
	bool given = first < r->places;

	for (size_t i = 0; !given && i < r->places; i++) {
		if (r->place[i].taken &&
		    (first == r->places || r->place[i].cta < r->place[first].cta))
			first = i;
	}
	return ws_cta_stuck(r->place[first].run, &s, err);
}

/* None did more than poll: one that only seems to wait goes on alone, as long as it does. */
static enum ws_status have_patience(struct cta_round *r, bool *more, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	bool for_ever = false;
	size_t i = 0;

	*more = false;
	for (size_t k = 0; k < r->places; k++)
		*more |= r->place[k].taken && ws_cta_part(r->place[k].run);
	if (*more)
		return WS_OK;
	while (i < r->places &&
	       (!r->place[i].taken || !ws_cta_stalls(r->place[i].run, &for_ever)))
		i++;
	if (i == r->places)
		return stuck(r, r->places, err);
	for (;;) {
		status = have_turn(r, i, more, err);
		if (status != WS_OK || *more || !ws_cta_stalls(r->place[i].run, &for_ever))
			break; /* or it waits now, as another round will tell */
		if (for_ever)
			return stuck(r, i, err);
	}
	return status;
}

static enum ws_status go_round(struct cta_round *r, struct ws_err *err)
{
	uint64_t ctas = r->config->launch->ctas;
	enum ws_status status = WS_OK;
	unsigned polled = 0;

	while (status == WS_OK && r->written < ctas) {
		bool more = false;

		for (size_t i = 0; status == WS_OK && r->written < ctas; i++) {
			if (i == r->places && (r->next == ctas || r->places == r->most))
				break;
			if (i == r->places)
				status = open_place(r, err);
			if (status == WS_OK)
				status = have_turn(r, i, &more, err);
		}
		polled = more ? 0 : polled + 1;
		if (status == WS_OK && polled == WS_POLLS) {
			status = have_patience(r, &more, err);
			polled = 0;
		}
	}
	return status;
}

enum ws_status ws_resident_run(const struct ws_launch_run *run, const struct ws_cta_config *config,
			       struct ws_unmet *unmet, struct ws_err *err)
{
	struct cta_round r = { .run = run, .config = config, .first = *config, .further = *config,
			   .most = (size_t)run->resident };
	enum ws_status status;
	bool stalled = false;

	r.first.stalled = r.further.stalled = &stalled;
	r.further.together = true;
	status = go_round(&r, err);

	for (size_t i = 0; i < r.places; i++) {
		if (run->outside && ws_cta_run_outside(r.place[i].run, run->outside, run->number,
						       status == WS_OK ? err : NULL) != WS_OK &&
		    status == WS_OK)
			status = WS_ENOMEM;
		ws_where_done(run->where, (unsigned)i);
		ws_cta_run_unmet(r.place[i].run, unmet);
		ws_cta_run_free(r.place[i].run);
		ws_encoder_free(r.place[i].encoder);
	}
	for (size_t i = 0; i < r.kept; i++)
		ws_buf_clear(&r.ended[i].data);
	free(r.place);
	free(r.ended);
	return status;
}
