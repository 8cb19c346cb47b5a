/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small trace, written here, as request streams in memory: every request is
 * there, in the order the engine gives, whatever the number of threads; and
 * what is simulated on them is what LRU stack distances of the same run say.
 */
#include "tests/validate/stream.h"
#include "tests/validate/written.h"

#define CTAS 40u
#define LANES 96u	/* of a CTA: 3 warps of 32 */
#define STEPS 6u
#define LAUNCHES 3u

static struct ws_instruction instructions[2] = {
	{ .kind = WS_LOAD, .bytes = 4, .array = WS_NO_ARRAY, .use = 1 },
	{ .kind = WS_STORE, .bytes = 4, .array = WS_NO_ARRAY, .gap = 3 },
};
static struct ws_segment segments[1] = { { .first = 0, .count = 2, .tail = 1 } };
static char kernels[2][6] = { "first", "other" };

static struct ws_launch launch_make(size_t number)
{
	struct ws_launch l = {
		.kernel = kernels[number % 2], .grid = { CTAS, 1, 1 }, .block = { LANES, 1, 1 },
		.instruction = instructions, .segment = segments, .instructions = 2, .segments = 1,
		.ctas = CTAS,
	};

	return l;
}

/* Loads walk over lines that CTAs share, stores go to a place of their own or back. */
static void steps(struct ws_encoder *e, uint64_t cta, struct ws_rng *rng)
{
	static uint64_t load[LANES], store[LANES];
	const uint64_t *address[2] = { load, store };
	const uint64_t mask[2] = { UINT64_MAX, UINT32_MAX };

	for (uint64_t s = 0; s < STEPS; s++) {
		uint64_t stride = 4u << ws_rng_below(rng, 4);

		for (uint64_t lane = 0; lane < LANES; lane++) {
			load[lane] = 0x10000 + (cta % 7 * 1024 + lane * stride + s * 512);
			store[lane] = s % 2 ? load[lane] : 0x80000 + (cta * LANES + lane) * 4;
		}
		ws_encoder_step(e, 0, mask, address);
	}
}

static const struct written trace = { launch_make, steps, LAUNCHES };

struct seen {
	uint64_t calls, last, total;
	bool falls;
};

static void progress(void *context, uint64_t done, uint64_t total)
{
	struct seen *seen = context;

	seen->calls++;
	seen->falls |= done < seen->last;
	seen->last = done;
	seen->total = total;
}

static bool streams_same(const struct ws_streams *a, const struct ws_streams *b)
{
	for (size_t i = 0; i < LAUNCHES; i++) {
		if (a[i].sms != b[i].sms || strcmp(a[i].kernel, b[i].kernel))
			return false;
		for (size_t sm = 0; sm < a[i].sms; sm++) {
			const struct ws_stream *x = &a[i].sm[sm], *y = &b[i].sm[sm];

			if (x->count != y->count
			    || (x->count && memcmp(x->request, y->request,
						   x->count * sizeof *x->request)))
				return false;
		}
	}
	return true;
}

static void contents(const struct ws_streams *s, const struct ws_machine *m)
{
	bool sums = true, valid = true, names = true;

	for (size_t i = 0; i < LAUNCHES; i++) {
		uint64_t total = 0;

		names &= !strcmp(s[i].kernel, kernels[i % 2]) && s[i].sms == m->sm_count;
		for (size_t sm = 0; sm < s[i].sms; sm++) {
			const struct ws_stream *stream = &s[i].sm[sm];

			total += stream->count;
			for (size_t n = 0; n < stream->count; n++) {
				const struct ws_request *r = &stream->request[n];

				valid &= r->cta < CTAS && r->warp < 3 && r->sectors
					&& r->address % m->l1.line_bytes == 0
					&& r->kind == instructions[r->instruction].kind
					&& (!n || r->cycle >= r[-1].cycle);
			}
		}
		sums &= total == s[i].stats.requests && total >= CTAS * STEPS * 3 * 2;
	}
	test_ok(names, "launches in order, a stream per SM");
	test_ok(sums, "every request is there");
	test_ok(valid, "requests are whole and in order of issue");
}

/* The profile of another run of the same trace agrees in every count. */
static void crosscheck(const struct ws_trace *t, const struct ws_machine *m,
		       const struct ws_profile_options *o, const struct ws_streams *s)
{
	struct ws_profile *p;
	struct ws_check c;
	bool good = true;

	if (ws_profile_trace(&p, t, m, o, NULL)) {
		test_ok(false, "a profile");
		return;
	}
	for (size_t i = 0; i < LAUNCHES; i++)
		good &= s[i].line_bytes == m->l1.line_bytes &&
			s[i].coalesce_line == m->coalesce_line;
	for (size_t section = 0; section < p->sections; section++) {
		struct ws_cache shorter = m->l1;

		good &= !ws_crosscheck(p, section, s, LAUNCHES, &m->l1, 0, &c, NULL)
			&& c.within_bound && c.exact[WS_LOAD].hits && c.exact[WS_STORE].requests;
		shorter.line_bytes = shorter.sector_bytes = 32;
		shorter.sets *= 4;
		good &= !ws_crosscheck(p, section, s, LAUNCHES, &shorter, 0, &c, NULL)
			&& c.within_bound && c.exact[WS_LOAD].hits;
	}
	test_ok(good && p->sections == 2, "trace to profile, trace to simulator: the same counts");
	ws_profile_free(p);
}

static void run(const struct ws_trace *t, enum ws_scheduler scheduler)
{
	struct ws_machine m;
	struct seen seen = { 0 };
	struct ws_profile_options one = { .seed = 5, .threads = 1, .progress = progress,
					  .context = &seen };
	struct ws_profile_options many = { .seed = 5, .threads = 3 };
	struct ws_streams *s, *other;
	struct ws_err err = { 0 };
	size_t n, n_other;

	if (ws_machine_load(&m, WS_MACHINE_DEFAULT, NULL)) {
		test_ok(false, "a machine");
		return;
	}
	m.sm_scheduler = scheduler;
	if (!test_ok(!ws_streams_make(&s, &n, t, &m, &one, &err) && n == LAUNCHES,
		     "streams, scheduler %d %s", (int)scheduler, err.text))
		return;
	contents(s, &m);
	test_ok(seen.calls && !seen.falls && seen.last == LAUNCHES * CTAS
		&& seen.total == LAUNCHES * CTAS, "progress over all launches");
	if (test_ok(!ws_streams_make(&other, &n_other, t, &m, &many, NULL), "and with 3 threads")) {
		test_ok(streams_same(s, other), "the same streams");
		ws_streams_free(other, n_other);
	}
	crosscheck(t, &m, &many, s);
	ws_streams_free(s, n);
}

/* A CTA that the machine cannot hold: an error, nothing left behind. */
static void refused(const struct ws_trace *t)
{
	struct ws_profile_options o = { .seed = 1, .threads = 1 };
	struct ws_streams *s;
	struct ws_machine m;
	struct ws_err err = { 0 };
	size_t n = 7;

	if (ws_machine_load(&m, WS_MACHINE_DEFAULT, NULL)) {
		test_ok(false, "a machine");
		return;
	}
	m.sm_threads = m.cta_threads = LANES / 2;
	test_ok(ws_streams_make(&s, &n, t, &m, &o, &err) && !s && !n && err.text[0],
		"passes the engine's error on: %s", err.text);
	ws_streams_free(NULL, 0);
}

int main(void)
{
	struct ws_rng rng;
	struct ws_trace *t;

	setenv("WARPSTACK_DATA", "data", 1);
	ws_rng_seed(&rng, test_seed(4242));
	t = written(&trace, &rng);
	if (test_ok(t, "a trace")) {
		run(t, WS_SCHED_GTO);
		run(t, WS_SCHED_ROUND_ROBIN);
		refused(t);
		ws_trace_close(t);
	}
	return test_done();
}
