/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/router.c -- a router of one stage, cycle by cycle.
 *
 * Packets are in a pool, flits are numbers of them.  What takes two cycles is in one of two places,
 * of even and of odd cycles: it is taken from there just before the next is put there.
 */
#include "validate/cycle/router.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define LINK 2u

struct flit {
	uint32_t packet;	/* NONE: there is no flit */
	bool head, tail;
};

struct ring {
	struct flit *flit;
	size_t first, count, cap;
};

struct input {
	struct ring sender, buffer;
	struct flit link[LINK];
	bool back[LINK];	/* a credit for the sender */
	uint64_t credits;	/* the sender's */
	uint64_t owed;		/* credits due to it */
	uint32_t holds;		/* an output, or NONE */
};

struct output {
	struct ring passed, ejected, way_out;
	struct flit link[LINK];
	bool back[LINK];
	uint64_t credits;
	uint32_t holder;	/* an input, or NONE */
	uint32_t turn, best;	/* where arbitration begins; who is first so far, or NONE */
	size_t whole;		/* packets that can be taken */
	bool late;		/* the last one passed on is of the last step */
};

struct kept {
	struct ws_packet packet;
	uint32_t output;
	uint32_t next;		/* of those that are free */
};

struct ws_router {
	struct ws_router_shape shape;
	struct input *input;
	struct output *output;
	struct flit *flits;	/* of all rings */
	struct kept *kept;
	size_t cap;
	uint32_t used, vacant;
	size_t inside;		/* packets */
	unsigned place, settled; /* of links; cycles since the last packet left */
};

static const struct flit no_flit = { .packet = NONE };

static inline bool is_flit(struct flit f)
{
	return f.packet != NONE;
}

static void put_flit(struct ring *r, struct flit f)
{
	size_t at = r->first + r->count++;

	assert(r->count <= r->cap);
	r->flit[at < r->cap ? at : at - r->cap] = f;
}

static struct flit take_flit(struct ring *r)
{
	struct flit f = r->flit[r->first];

	assert(r->count);
	r->first = r->first + 1 == r->cap ? 0 : r->first + 1;
	r->count--;
	return f;
}

/* ---- life --------------------------------------------------------------------------------- */

static struct flit *give_room(struct ring *r, struct flit *from, uint64_t cap)
{
	*r = (struct ring){ .flit = from, .cap = (size_t)cap };
	return from + cap;
}

static enum ws_status allocate(struct ws_router *r, struct ws_err *err)
{
	const struct ws_router_shape *s = &r->shape;
	uint64_t of_input = s->in + s->buffer, of_output = 2 * s->buffer + s->out;
	struct flit *at;

	r->input = ws_alloc_zero(s->inputs, sizeof *r->input);
	r->output = ws_alloc_zero(s->outputs, sizeof *r->output);
	r->flits = ws_alloc(s->inputs * (size_t)of_input + s->outputs * (size_t)of_output,
			    sizeof *r->flits);
	if (!r->input || !r->output || !r->flits)
		return ws_fail_memory(err, "a router");
	at = r->flits;
	for (size_t i = 0; i < s->inputs; i++) {
		at = give_room(&r->input[i].sender, at, s->in);
		at = give_room(&r->input[i].buffer, at, s->buffer);
	}
	for (size_t i = 0; i < s->outputs; i++) {
		at = give_room(&r->output[i].passed, at, s->buffer);
		at = give_room(&r->output[i].ejected, at, s->buffer);
		at = give_room(&r->output[i].way_out, at, s->out);
	}
	return WS_OK;
}

enum ws_status ws_router_new(struct ws_router **out, const struct ws_router_shape *shape,
			     struct ws_err *err)
{
	struct ws_router *r = ws_alloc_zero(1, sizeof *r);
	enum ws_status status;

	*out = NULL;
	if (!r)
		return ws_fail_memory(err, "a router");
	r->shape = *shape;
	status = allocate(r, err);
	if (status != WS_OK) {
		ws_router_free(r);
		return status;
	}
	ws_router_launch(r);
	*out = r;
	return WS_OK;
}

void ws_router_free(struct ws_router *r)
{
	if (!r)
		return;
	free(r->input);
	free(r->output);
	free(r->flits);
	free(r->kept);
	free(r);
}

void ws_router_launch(struct ws_router *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->shape.inputs; i++) {
		struct input *in = &r->input[i];

		in->sender.count = in->buffer.count = 0;
		in->link[0] = in->link[1] = no_flit;
		in->back[0] = in->back[1] = false;
		in->credits = r->shape.buffer;
		in->owed = 0;
		in->holds = NONE;
	}
	for (size_t i = 0; i < r->shape.outputs; i++) {
		struct output *out = &r->output[i];

		out->passed.count = out->ejected.count = out->way_out.count = 0;
		out->link[0] = out->link[1] = no_flit;
		out->back[0] = out->back[1] = false;
		out->credits = r->shape.buffer;
		out->holder = out->best = NONE;
		out->whole = 0;
		out->late = false;
	}
	r->used = 0;
	r->vacant = NONE;
	r->inside = 0;
	r->place = r->settled = 0;
}

/* ---- both ends ---------------------------------------------------------------------------- */

uint64_t ws_router_room(const struct ws_router *r, size_t input)
{
	return r->shape.in - r->input[input].sender.count;
}

enum ws_status ws_router_add(struct ws_router *r, size_t input, size_t output, uint64_t flits,
			     const struct ws_packet *p, struct ws_err *err)
{
	uint32_t number = r->vacant;

	assert(flits && flits <= ws_router_room(r, input) && flits <= r->shape.out);
	if (number != NONE) {
		r->vacant = r->kept[number].next;
	} else {
		if (!WS_ROOM(r->kept, r->cap, r->used + (size_t)1))
			return ws_fail_memory(err, "packets on their way");
		number = r->used++;
	}
	r->kept[number] = (struct kept){ .packet = *p, .output = (uint32_t)output };
	for (uint64_t i = 0; i < flits; i++)
		put_flit(&r->input[input].sender,
		    (struct flit){ .packet = number, .head = i == 0, .tail = i + 1 == flits });
	r->inside++;
	r->settled = 0;
	return WS_OK;
}

const struct ws_packet *ws_router_take(struct ws_router *r, size_t output)
{
	struct output *out = &r->output[output];
	struct flit f;

	if (!out->whole)
		return NULL;
	assert(out->way_out.flit[out->way_out.first].head);
	do {
		f = take_flit(&out->way_out);
	} while (!f.tail);
	out->whole--;
	r->inside--;
	r->kept[f.packet].next = r->vacant;
	r->vacant = f.packet;
	return &r->kept[f.packet].packet;
}

/* A packet's last credits are back some cycles after it was taken: those of the way out after two,
 * and a sender's, of which one goes a cycle, before that but for those that are owed. */
bool ws_router_idle(const struct ws_router *r)
{
	return !r->inside && r->settled > r->shape.buffer + LINK;
}

/* ---- a cycle ------------------------------------------------------------------------------ */

static void eject(struct ws_router *r, struct output *out)
{
	struct flit f = out->link[r->place];

	if (is_flit(f))
		put_flit(&out->ejected, f);
	out->link[r->place] = no_flit;
	out->credits += out->back[r->place];
	assert(out->credits <= r->shape.buffer);
	out->back[r->place] = false;
	if (!out->ejected.count || out->way_out.count == out->way_out.cap)
		return;
	f = take_flit(&out->ejected);
	put_flit(&out->way_out, f);
	out->whole += f.tail;
	out->back[r->place] = true;
}

static void inject(struct ws_router *r, struct input *in)
{
	if (is_flit(in->link[r->place]))
		put_flit(&in->buffer, in->link[r->place]);
	in->link[r->place] = no_flit;
	in->credits += in->back[r->place];
	assert(in->credits + in->owed + in->buffer.count <= r->shape.buffer);
	in->back[r->place] = false;
	if (!in->sender.count || !in->credits)
		return;
	in->link[r->place] = take_flit(&in->sender);
	in->credits--;
}

/* In turn from the output's pointer on, a comes before b. */
static bool comes_before(const struct output *out, uint32_t a, uint32_t b)
{
	return (a >= out->turn) == (b >= out->turn) ? a < b : a >= out->turn;
}

static void ask(struct ws_router *r, uint32_t number)
{
	const struct ring *buffer = &r->input[number].buffer;
	struct output *out = &r->output[r->kept[buffer->flit[buffer->first].packet].output];

	if (out->holder == NONE && (out->best == NONE || comes_before(out, number, out->best)))
		out->best = number;
}

/* Returns whether the output is free after the step. */
static bool pass_on(struct ws_router *r, struct input *in)
{
	struct output *out = &r->output[in->holds];
	struct flit f;

	assert(&r->input[out->holder] == in);
	if (!out->credits)
		return false;
	f = take_flit(&in->buffer);
	put_flit(&out->passed, f);
	out->late = true;
	out->credits--;
	in->owed++;
	return f.tail;
}

static void step(struct ws_router *r)
{
	for (size_t i = 0; i < r->shape.outputs; i++)
		r->output[i].late = false;
	for (uint32_t i = 0; i < r->shape.inputs; i++)
		if (r->input[i].buffer.count && r->input[i].holds == NONE)
			ask(r, i);
	for (uint32_t i = 0; i < r->shape.inputs; i++) {
		struct input *in = &r->input[i];

		if (in->buffer.count && in->holds != NONE && pass_on(r, in)) {
			r->output[in->holds].holder = NONE;
			in->holds = NONE;
		}
	}
	for (uint32_t i = 0; i < r->shape.outputs; i++) {
		struct output *out = &r->output[i];

		if (out->best == NONE)
			continue;
		out->holder = out->best;
		out->turn = out->best + 1 == r->shape.inputs ? 0 : out->best + 1;
		r->input[out->best].holds = i;
		out->best = NONE;
	}
}

static void send(struct ws_router *r)
{
	for (size_t i = 0; i < r->shape.outputs; i++) {
		struct output *out = &r->output[i];

		if (out->passed.count > out->late)
			out->link[r->place] = take_flit(&out->passed);
	}
	for (size_t i = 0; i < r->shape.inputs; i++) {
		struct input *in = &r->input[i];

		if (!in->owed)
			continue;
		in->owed--;
		in->back[r->place] = true;
	}
}

/* ---- a crossbar ----------------------------------------------------------------------------- */

/* A sender's first packet may be the first in turn for its output. */
static void bid(struct ws_router *r, uint32_t number)
{
	const struct ring *sender = &r->input[number].sender;
	struct output *out;

	if (!sender->count)
		return;
	out = &r->output[r->kept[sender->flit[sender->first].packet].output];
	if (out->best == NONE || comes_before(out, number, out->best))
		out->best = number;
}

static bool has_room_for_first(const struct output *out, const struct ring *sender)
{
	size_t flits = 1;

	for (size_t at = sender->first; !sender->flit[at].tail; flits++)
		at = at + 1 == sender->cap ? 0 : at + 1;
	return out->way_out.count + flits <= out->way_out.cap;
}

static void cross(struct ws_router *r, struct output *out)
{
	uint32_t number = out->best;
	struct flit f;

	do {
		f = take_flit(&r->input[number].sender);
		put_flit(&out->way_out, f);
	} while (!f.tail);
	out->whole++;
	out->turn = number + 1 == r->shape.inputs ? 0 : number + 1;
	bid(r, number);
}

static void cross_packets(struct ws_router *r)
{
	for (size_t i = 0; i < r->shape.outputs; i++)
		r->output[i].best = NONE;
	for (uint32_t i = 0; i < r->shape.inputs; i++)
		bid(r, i);
	for (size_t i = 0; i < r->shape.outputs; i++) {
		struct output *out = &r->output[i];

		if (out->best != NONE && has_room_for_first(out, &r->input[out->best].sender))
			cross(r, out);
	}
}

static void pass_flits(struct ws_router *r)
{
	for (size_t i = 0; i < r->shape.outputs; i++)
		eject(r, &r->output[i]);
	for (size_t i = 0; i < r->shape.inputs; i++)
		inject(r, &r->input[i]);
	for (uint64_t i = 0; i < r->shape.speedup; i++)
		step(r);
	send(r);
	r->place = (r->place + 1) % LINK;
}

void ws_router_step(struct ws_router *r)
{
	if (r->shape.speedup)
		pass_flits(r);
	else
		cross_packets(r);
	r->settled += !r->inside;
}
