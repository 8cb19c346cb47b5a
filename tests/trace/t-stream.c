/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-stream.c -- from a trace file to streams: what the engine makes
 * of a file is what it makes of the steps, with any number of threads; and of
 * any warp width each warp executes exactly the steps in which one of its
 * lanes is active (architecture, invariant 1).
 */
#include "tests/test.h"
#include "tests/trace/steps.h"
#include "tests/trace/wstfile.h"
#include "trace/order/sm.h"

/* A trace of the launch, in chunks of three CTAs. */
static struct file write_ref(struct ref_launch *l)
{
	struct file f = { NULL, 0 };
	struct ws_out out = { .file = open_memstream(&f.data, &f.len) };
	struct ws_buf data = { 0 }, packed = { 0 };
	struct ws_trace_writer *w;
	struct ws_err err = { 0 };
	struct ws_encoder *e;

	must(!ws_trace_writer_new(&w, &out, &err) &&
	     !ws_trace_writer_launch(w, &l->launch, &err) &&
	     !ws_encoder_new(&e, &l->launch, &err), err.text);
	for (uint64_t cta = 0, count; cta < l->launch.ctas; cta += count) {
		uint64_t lens[3], accesses[WS_KINDS] = { 0 };

		count = l->launch.ctas - cta < 3 ? l->launch.ctas - cta : 3;
		data.len = packed.len = 0;
		for (uint64_t i = 0; i < count; i++) {
			size_t before = data.len;

			ws_encoder_begin(e);
			for (size_t s = 0; s < l->steps[cta + i]; s++) {
				struct ref_step *step = &l->step[cta + i][s];

				ws_encoder_step(e, step->segment, step->mask,
						(const uint64_t *const *)step->address);
			}
			must(!ws_encoder_end(e, &data, accesses, &err), err.text);
			lens[i] = data.len - before;
		}
		must(!ws_chunk_pack(&packed, 0, cta, &data, lens, (size_t)count, &err) &&
			     !ws_trace_writer_chunk(w, &packed, cta, (size_t)count, accesses, &err),
		     err.text);
	}
	must(!ws_trace_writer_end(w, &err), err.text);
	ws_trace_writer_free(w);
	ws_encoder_free(e);
	ws_buf_clear(&data);
	ws_buf_clear(&packed);
	must(!fclose(out.file) && !out.failed, "fclose");
	return f;
}

static void random_case(struct ref_launch *l, struct ws_machine *m, struct ws_rng *rng)
{
	const struct ref_shape shape = {
		1 + ws_rng_below(rng, 20), 1 + ws_rng_below(rng, 300), 7, 4, 1u << 15,
		ws_rng_below(rng, 2), false
	};

	ref_launch_random(l, rng, &shape);
	*m = small_machine();
	m->sm_count = 1 + ws_rng_below(rng, 3);
	m->sm_schedulers = 1 + ws_rng_below(rng, 3);
	m->sm_scheduler = (enum ws_scheduler)ws_rng_below(rng, WS_SCHED_RANDOM + 1);
	m->sm_assign = (enum ws_assign)ws_rng_below(rng, 3);
	m->sm_warps = 512;
}

/* ---- the same streams ------------------------------------------------------------ */

static bool same_stream(const struct ws_trace *t, const struct ws_machine *m, unsigned threads,
			const struct ref_stream *want)
{
	const struct ws_order_options options = { .seed = 9, .threads = threads };
	struct ref_stream got = { 0 };
	const struct ws_sink sink = { .context = &got, .requests = gather };
	struct ws_order_stats stats = { 0 };
	struct ws_err err = { 0 };
	bool same;

	if (ws_order_run(t, 0, m, &options, &sink, &stats, &err) != WS_OK)
		printf("# %s\n", err.text);
	ref_stream_sort(&got);
	same = got.count == want->count && stats.requests == want->count &&
	       stats.cycles == want->cycles &&
	       (!got.count || !memcmp(got.item, want->item, got.count * sizeof *got.item));
	ref_stream_clear(&got);
	return same;
}

static void test_streams(uint64_t seed)
{
	unsigned good = 0, trials = 24;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (unsigned i = 0; i < trials; i++) {
		const struct ws_order_options options = { .seed = 9, .threads = 1 };
		struct ref_stream want = { 0 };
		struct ws_err err = { 0 };
		struct ws_trace *t = NULL;
		struct ref_launch l;
		struct ws_machine m;
		struct file f;

		random_case(&l, &m, &rng);
		f = write_ref(&l);
		must(order_array(&l, &m, &options, &want, &err) == WS_OK, err.text);
		must(open_bytes(&t, f.data, f.len, &err) == WS_OK, err.text);
		good += same_stream(t, &m, 1, &want) && same_stream(t, &m, 2, &want) &&
			same_stream(t, &m, 5, &want);
		ws_trace_close(t);
		free(f.data);
		ref_stream_clear(&want);
		ref_launch_clear(&l);
	}
	test_ok(good == trials, "%u of %u files give the streams of their steps, on 1, 2 and 5 "
		"threads", good, trials);
}

/* ---- each warp executes its part of the steps ---------------------------------------- */

struct place {		/* of a warp in its CTA's steps: before instruction a of step s */
	size_t s;
	uint32_t a;
};

struct follow {
	const struct ref_launch *l;
	size_t width, warps;
	struct place *place;	/* [cta][warp] */
	uint64_t seen;
	bool ok;
};

static uint64_t active(const struct ref_step *step, size_t warp, size_t width)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < width; i++) {
		size_t lane = warp * width + i;

		if (lane < WS_CTA_THREADS_MAX && (step->mask[lane / 64] >> lane % 64 & 1))
			mask |= 1ull << i;
	}
	return mask;
}

/* The warp's next global instruction, or NULL at its end; moves the place behind it. */
static const struct ref_step *next_access(const struct follow *f, uint64_t cta, size_t warp,
					  uint32_t *a)
{
	struct place *p = &f->place[cta * f->warps + warp];

	for (; p->s < f->l->steps[cta]; p->s++, p->a = 0) {
		const struct ref_step *step = &f->l->step[cta][p->s];
		const struct ws_segment *segment = &f->l->launch.segment[step->segment];

		if (!active(step, warp, f->width))
			continue;
		while (p->a < segment->count) {
			*a = p->a++;
			if (f->l->launch.instruction[segment->first + *a].space == WS_SPACE_GLOBAL)
				return step;
		}
	}
	return NULL;
}

static enum ws_status check_access(void *context, uint64_t sm, const struct ws_warp_access *w,
				   struct ws_err *err)
{
	struct follow *f = context;
	uint32_t a = 0;
	const struct ref_step *step = next_access(f, w->cta, w->warp, &a);

	(void)sm;
	(void)err;
	f->seen++;
	f->ok &= step && w->mask == active(step, w->warp, f->width) &&
		 w->instruction == f->l->launch.segment[step->segment].first + a;
	for (size_t i = 0; i < f->width && f->ok; i++) {
		if (w->mask >> i & 1)
			f->ok = w->address[i] == step->address[a][w->warp * f->width + i];
	}
	return WS_OK;
}

static bool warps_follow(const struct ref_launch *l, struct ws_machine *m, size_t width,
			 uint64_t *seen)
{
	struct array_steps array = { .l = l };
	const struct ws_steps steps = { &array, array_seek, array_next };
	size_t warps = (size_t)(ws_launch_threads(&l->launch) + width - 1) / width;
	struct follow f = { l, width, warps, ws_alloc_zero((size_t)l->launch.ctas * warps,
							   sizeof *f.place), 0, true };
	const struct ws_sink sink = { .context = &f, .lanes = check_access };
	const struct ws_order_options options = { .seed = 2, .threads = 2 };
	struct ws_order_stats stats = { 0 };
	uint32_t a;

	m->warp_width = width;
	f.ok = ws_order_steps(&l->launch, &steps, m, &options, &sink, &stats, NULL) == WS_OK &&
	       f.ok;
	f.ok &= stats.warp_instructions == f.seen;
	for (uint64_t cta = 0; cta < l->launch.ctas; cta++) {
		for (size_t w = 0; w < warps; w++)
			f.ok &= !next_access(&f, cta, w, &a); /* nothing was left out */
	}
	*seen += f.seen;
	free(f.place);
	return f.ok;
}

static void test_warps(uint64_t seed)
{
	static const size_t width[] = { 1, 8, 16, 24, 32, 64 };
	unsigned good = 0, trials = 20;
	uint64_t seen = 0;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (unsigned i = 0; i < trials; i++) {
		struct ref_launch l;
		struct ws_machine m;

		random_case(&l, &m, &rng);
		for (size_t k = 0; k < WS_COUNT(width); k++)
			good += warps_follow(&l, &m, width[k], &seen);
		ref_launch_clear(&l);
	}
	test_ok(good == trials * WS_COUNT(width), "%u of %zu launches and widths: all %" PRIu64
		" warp instructions are those of the steps", good, trials * WS_COUNT(width), seen);
}

/* ---- failures ---------------------------------------------------------------------------- */

static enum ws_status full(void *context, uint64_t sm, const struct ws_request *r, size_t count,
			   struct ws_err *err)
{
	unsigned *calls = context;

	(void)sm;
	(void)r;
	(void)count;
	return ++*calls == 2 ? ws_fail(err, WS_EIO, "the sink is full") : WS_OK;
}

static enum ws_status broken(void *context, unsigned thread, uint64_t cta, struct ws_err *err)
{
	return cta == 3 ? ws_fail(err, WS_EFORMAT, "CTA 3 is broken")
			: array_seek(context, thread, cta, err);
}

static void test_failures(uint64_t seed)
{
	static const struct ref_shape shape = { 9, 700, 9, 3, 1u << 15, true, false };
	struct array_steps array;
	struct ws_steps steps = { &array, array_seek, array_next };
	struct ws_order_options options = { .seed = 1, .threads = 1 };
	struct ws_machine m = small_machine();
	struct ref_launch l;
	struct ws_trace *t = NULL;
	struct ws_err err = { 0 };
	struct file f;
	struct ws_rng rng;
	bool ok = true;

	ws_rng_seed(&rng, seed);
	ref_launch_random(&l, &rng, &shape);
	while (l.launch.instructions < 6) {
		ref_launch_clear(&l);
		ref_launch_random(&l, &rng, &shape);
	}
	array = (struct array_steps){ .l = &l };
	m.warp_width = 1;
	m.sm_warps = 4096;
	for (unsigned s = 0; s <= WS_SCHED_RANDOM; s++) {
		unsigned calls = 0;
		const struct ws_sink sink = { .context = &calls, .requests = full };

		m.sm_scheduler = (enum ws_scheduler)s;
		err.status = WS_OK;
		ok &= ws_order_steps(&l.launch, &steps, &m, &options, &sink, NULL, &err) ==
			      WS_EIO &&
		      calls == 2 && strcmp(err.text, "the sink is full") == 0;
	}
	test_ok(ok, "a sink's failure ends the run, under every scheduler");
	steps.seek = broken;
	for (options.threads = 1; options.threads < 5; options.threads++) {
		err.status = WS_OK;
		ok &= ws_order_steps(&l.launch, &steps, &m, &options, NULL, NULL, &err) ==
		      WS_EFORMAT;
	}
	test_ok(ok, "a CTA that cannot be read ends it too");
	f = write_ref(&l);
	err.status = WS_OK;
	must(open_bytes(&t, f.data, f.len, &err) == WS_OK, err.text);
	test_ok(ws_order_run(t, 1, &m, NULL, NULL, NULL, &err) == WS_EINVAL, "%s", err.text);
	ws_trace_close(t);
	free(f.data);
	ref_launch_clear(&l);
}

int main(void)
{
	uint64_t seed = test_seed(13);

	test_streams(seed);
	test_warps(seed + 1);
	test_failures(seed + 2);
	return test_done();
}
