/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/perfetto.c -- what happens when, as Chrome trace events, which Perfetto
 * (ui.perfetto.dev) and chrome://tracing draw; written only.  One microsecond is one cycle.
 *
 *	launches	a span for each
 *	SM i		a process, with two kinds of tracks:
 *	  CTA slot s	a span for each CTA, from its first look-up to its last data
 *	  s, warp w	a span for the warp, and in it one for each of its memory instructions
 *
 * A CTA gets the lowest slot that is free at its first look-up.  A viewer needs spans of a track
 * that do not overlap, so an instruction's ends where the warp's next one begins; its argument
 * `data after` has the whole time.
 *
 * The warp instructions of a launch are kept until it ends, 48 bytes each.
 */
#include "base/json.h"
#include "base/map.h"
#include "trace/import/ordered.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct perfetto_span {		/* a warp instruction, in cycles */
	uint64_t begin, end;	/* its first look-up; its last data, or a cycle after the last
				 * look-up */
	uint32_t sm, cta, instruction;
	uint16_t warp;
	uint32_t requests, sectors, fetched;
};

struct perfetto_cta {
	uint64_t begin, end;
	size_t first, count;	/* its spans */
	uint32_t sm, cta, slot;
};

struct perfetto_writing {
	struct ws_json json;
	bool begun, failed;		/* failed: no memory for names */
	const struct ws_launch *launch;	/* the one at hand */
	size_t number;
	uint64_t parts;			/* L1s of an SM */
	struct perfetto_span *span;
	size_t spans, span_cap;
	struct perfetto_cta *cta;
	size_t ctas, cta_cap;
	uint64_t *busy;			/* [slot]: taken up to that cycle */
	size_t slots, slot_cap;
	struct ws_keys named;		/* processes and tracks */
};

/* ---- events -------------------------------------------------------------------------------- */

static void begin_event(struct perfetto_writing *w, const char *name, const char *phase,
			uint64_t process, uint64_t track)
{
	struct ws_json *j = &w->json;

	fputs(w->begun ? ",\n" : "\n", j->file);
	w->begun = true;
	j->comma = false;
	ws_json_open(j, NULL, '{');
	ws_json_text(j, "name", name);
	ws_json_text(j, "ph", phase);
	ws_json_u64(j, "pid", process);
	ws_json_u64(j, "tid", track);
}

static void end_event(struct perfetto_writing *w)
{
	ws_json_close(&w->json, '}');
	ws_json_close(&w->json, '}');
}

static void begin_span(struct perfetto_writing *w, const char *name, uint64_t process,
		       uint64_t track, uint64_t begin, uint64_t end)
{
	begin_event(w, name, "X", process, track);
	ws_json_u64(&w->json, "ts", begin);
	ws_json_u64(&w->json, "dur", end - begin);
	ws_json_open(&w->json, "args", '{');
}

static void put_name(struct perfetto_writing *w, const char *what, uint64_t process,
		     uint64_t track, const char *name)
{
	begin_event(w, what, "M", process, track);
	ws_json_open(&w->json, "args", '{');
	ws_json_text(&w->json, "name", name);
	end_event(w);
}

static void put_order(struct perfetto_writing *w, const char *what, uint64_t process,
		      uint64_t track, uint64_t index)
{
	begin_event(w, what, "M", process, track);
	ws_json_open(&w->json, "args", '{');
	ws_json_u64(&w->json, "sort_index", index);
	end_event(w);
}

/* Is it the first event of this track?  Tracks of an SM have numbers below 2^44. */
static bool is_new(struct perfetto_writing *w, uint64_t process, uint64_t track)
{
	size_t before = w->named.count;

	if (ws_keys_add(&w->named, process << 44 | track) == WS_MAP_NONE)
		w->failed = true;
	return w->named.count > before;
}

static void name_track(struct perfetto_writing *w, uint64_t process, uint64_t track,
		       const char *of_process, const char *name)
{
	if (is_new(w, process, 0)) {
		put_name(w, "process_name", process, 0, of_process);
		put_order(w, "process_sort_index", process, 0, process);
	}
	if (is_new(w, process, track + 1)) {
		put_name(w, "thread_name", process, track, name);
		put_order(w, "thread_sort_index", process, track, track);
	}
}

/* ---- a launch's CTAs ----------------------------------------------------------------------- */

static int by_warp(const void *a, const void *b)
{
	const struct perfetto_span *x = a, *y = b;

	if (x->sm != y->sm)
		return x->sm < y->sm ? -1 : 1;
	if (x->cta != y->cta)
		return x->cta < y->cta ? -1 : 1;
	if (x->warp != y->warp)
		return x->warp < y->warp ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return (x->instruction > y->instruction) - (x->instruction < y->instruction);
}

static int by_begin(const void *a, const void *b)
{
	const struct perfetto_cta *x = a, *y = b;

	if (x->sm != y->sm)
		return x->sm < y->sm ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return (x->cta > y->cta) - (x->cta < y->cta);
}

static enum ws_status gather_ctas(struct perfetto_writing *w, struct ws_err *err)
{
	w->ctas = 0;
	for (size_t i = 0; i < w->spans; i++) {
		const struct perfetto_span *s = &w->span[i];
		struct perfetto_cta *c = w->ctas ? &w->cta[w->ctas - 1] : NULL;

		if (!c || c->sm != s->sm || c->cta != s->cta) {
			if (!WS_ROOM(w->cta, w->cta_cap, w->ctas + 1))
				return ws_fail_memory(err, "the CTAs of a launch");
			c = &w->cta[w->ctas++];
			*c = (struct perfetto_cta){ .begin = s->begin, .first = i, .sm = s->sm,
						    .cta = s->cta };
		}
		c->begin = s->begin < c->begin ? s->begin : c->begin;
		c->end = s->end > c->end ? s->end : c->end;
		c->count++;
	}
	return WS_OK;
}

/* In order of their begins, each SM's with slots of its own. */
static enum ws_status place_ctas(struct perfetto_writing *w, struct ws_err *err)
{
	for (size_t i = 0; i < w->ctas; i++) {
		struct perfetto_cta *c = &w->cta[i];

		if (i == 0 || c->sm != w->cta[i - 1].sm)
			w->slots = 0;
		while (c->slot < w->slots && w->busy[c->slot] > c->begin)
			c->slot++;
		if (c->slot == w->slots && !WS_ROOM(w->busy, w->slot_cap, ++w->slots))
			return ws_fail_memory(err, "the CTAs of an SM");
		w->busy[c->slot] = c->end;
	}
	return WS_OK;
}

/* ---- a launch's events ----------------------------------------------------------------------- */

static const char *kind_and_array(const struct ws_launch *l, const struct ws_instruction *at,
				  char *text, size_t len)
{
	bool known = at->array < l->arrays;

	snprintf(text, len, "%s%s%s", ws_kind_names[at->kind], known ? " " : "",
		 known ? l->array[at->array].name : "");
	return text;
}

static void put_instruction(struct perfetto_writing *w, const struct perfetto_span *s,
			    uint64_t end, uint64_t track)
{
	const struct ws_instruction *at = &w->launch->instruction[s->instruction];
	struct ws_json *j = &w->json;
	char text[256];

	begin_span(w, kind_and_array(w->launch, at, text, sizeof text), s->sm + UINT64_C(1),
		   track, s->begin, end);
	if (at->line && at->file < w->launch->files) {
		snprintf(text, sizeof text, "%s:%" PRIu32, w->launch->file[at->file], at->line);
		ws_json_text(j, "source", text);
	}
	ws_json_u64(j, "requests", s->requests);
	ws_json_u64(j, "sectors", s->sectors);
	if (s->fetched) {
		ws_json_u64(j, "requests that fetched", s->fetched);
		ws_json_u64(j, "data after", s->end - s->begin);
	}
	end_event(w);
}

/* Those of one warp, s[count]. */
static void put_warp(struct perfetto_writing *w, const struct perfetto_cta *c,
		     const struct perfetto_span *s, size_t count)
{
	uint64_t process = c->sm + UINT64_C(1), track = (uint64_t)c->slot << 17 | (s->warp + 1u);
	uint64_t end = 0;
	char text[80], sm[32];

	for (size_t i = 0; i < count; i++)
		end = s[i].end > end ? s[i].end : end;
	snprintf(sm, sizeof sm, "SM %" PRIu32, c->sm);
	snprintf(text, sizeof text, "CTA slot %" PRIu32 ", warp %u", c->slot, s->warp);
	name_track(w, process, track, sm, text);
	snprintf(text, sizeof text, "warp %u of CTA %" PRIu32, s->warp, c->cta);
	begin_span(w, text, process, track, s->begin, end);
	ws_json_u64(&w->json, "memory instructions", count);
	end_event(w);
	for (size_t i = 0; i < count; i++)
		put_instruction(w, &s[i], i + 1 < count && s[i + 1].begin < s[i].end
					  ? s[i + 1].begin : s[i].end, track);
}

static void put_cta(struct perfetto_writing *w, const struct perfetto_cta *c)
{
	const struct perfetto_span *s = w->span + c->first;
	uint64_t process = c->sm + UINT64_C(1), track = (uint64_t)c->slot << 17;
	char text[80], sm[32];

	snprintf(sm, sizeof sm, "SM %" PRIu32, c->sm);
	snprintf(text, sizeof text, "CTA slot %" PRIu32, c->slot);
	name_track(w, process, track, sm, text);
	snprintf(text, sizeof text, "CTA %" PRIu32, c->cta);
	begin_span(w, text, process, track, c->begin, c->end);
	ws_json_text(&w->json, "kernel", w->launch->kernel);
	ws_json_u64(&w->json, "launch", w->number + 1);
	end_event(w);
	for (size_t i = 0, n; i < c->count; i += n) {
		for (n = 1; i + n < c->count && s[i + n].warp == s[i].warp;)
			n++;
		put_warp(w, c, s + i, n);
	}
}

static void put_launch(struct perfetto_writing *w)
{
	uint64_t begin = UINT64_MAX, end = 0;

	for (size_t i = 0; i < w->ctas; i++) {
		begin = w->cta[i].begin < begin ? w->cta[i].begin : begin;
		end = w->cta[i].end > end ? w->cta[i].end : end;
	}
	if (!w->ctas)
		return;
	name_track(w, 0, 0, "launches", "launches");
	begin_span(w, w->launch->kernel, 0, 0, begin, end);
	ws_json_u64(&w->json, "launch", w->number + 1);
	ws_json_u64(&w->json, "ctas", w->launch->ctas);
	end_event(w);
}

static enum ws_status draw_launch(struct perfetto_writing *w, struct ws_err *err)
{
	enum ws_status status;

	if (w->spans)
		qsort(w->span, w->spans, sizeof *w->span, by_warp);
	status = gather_ctas(w, err);
	if (status == WS_OK && w->ctas)
		qsort(w->cta, w->ctas, sizeof *w->cta, by_begin);
	if (status == WS_OK)
		status = place_ctas(w, err);
	if (status != WS_OK)
		return status;
	put_launch(w);
	for (size_t i = 0; i < w->ctas; i++)
		put_cta(w, &w->cta[i]);
	w->spans = 0;
	return w->failed ? ws_fail_memory(err, "tracks") : WS_OK;
}

/* ---- what is told by the order --------------------------------------------------------------- */

static enum ws_status next_launch(void *context, const struct ws_launch *launch, size_t number,
				   struct ws_err *err)
{
	struct perfetto_writing *w = context;
	enum ws_status status = number ? draw_launch(w, err) : WS_OK;

	w->launch = launch;
	w->number = number;
	return status;
}

static enum ws_status put_request(void *context, uint64_t l1, const struct ws_request *r,
				  struct ws_err *err)
{
	struct perfetto_writing *w = context;
	uint64_t end = r->cycle + (r->fetch ? r->fetch : 1);
	struct perfetto_span *s;

	if (!r->follows || !w->spans) {
		if (!WS_ROOM(w->span, w->span_cap, w->spans + 1))
			return ws_fail_memory(err, "the warp instructions of a launch");
		w->span[w->spans++] = (struct perfetto_span){
			.begin = r->cycle, .sm = (uint32_t)(l1 / w->parts), .cta = r->cta,
			.instruction = r->instruction, .warp = r->warp,
		};
	}
	s = &w->span[w->spans - 1];
	s->end = end > s->end ? end : s->end;
	s->requests++;
	s->sectors += (uint32_t)__builtin_popcount(r->sectors);
	s->fetched += r->fetch != 0;
	return WS_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

static enum ws_status write_perfetto(const struct ws_trace *t, const struct ws_writing *how,
				     struct ws_out *out, struct ws_err *err)
{
	struct perfetto_writing w = { .json = { .file = out->file },
				      .parts = how->machine->l1_parts };
	struct ws_ordered to = { .context = &w, .launch = next_launch, .request = put_request };
	enum ws_status status;

	ws_json_trace_events(&w.json, how->machine->name);
	status = ws_ordered_run(t, how, &to, err);
	if (status == WS_OK && w.launch)
		status = draw_launch(&w, err);
	fputs("\n]}\n", out->file);
	free(w.span);
	free(w.cta);
	free(w.busy);
	ws_keys_clear(&w.named);
	return status;
}

const struct ws_trace_format ws_trace_format_perfetto = {
	.name = "perfetto",
	.summary = "Chrome trace events, for Perfetto; written only",
	.write = write_perfetto,
	.streams = true,
};
