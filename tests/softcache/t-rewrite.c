/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traces with a software cache put in, of random launches: what each thread sends to memory is what
 * a slow reference sends, one access after the other; the counts are those of the simulation;
 * instructions are those that softcache.h says; each warp's requests are those of ws_soft_streams,
 * which leaves the trace as it is; and without a line the trace is the same, step by step.
 */
#include <unistd.h>

#include "tests/softcache/softcase.h"

/* ---- traces in files -------------------------------------------------------------------- */

static struct ws_trace *trace_open(char *path)
{
	struct ws_trace *t;

	must(ws_trace_open(&t, path, NULL) == WS_OK);
	unlink(path);
	return t;
}

static bool active(const struct ws_step *step)
{
	return step->mask[0] || step->mask[1];
}

static void write_cta(const struct fixture *f, struct ws_encoder *e, size_t cta)
{
	ws_encoder_begin(e);
	for (size_t i = cta * f->steps; i < (cta + 1) * f->steps; i++)
		if (active(&f->step[i]))
			ws_encoder_step(e, f->step[i].segment, f->step[i].mask,
					(const uint64_t *const *)f->step[i].address);
}

struct file {
	char path[32];
	struct ws_out out;
	struct ws_trace_writer *w;
};

static void file_begin(struct file *f)
{
	int fd;

	strcpy(f->path, "/tmp/t-soft-rewrite.XXXXXX");
	fd = mkstemp(f->path);
	must(fd >= 0);
	close(fd);
	must(ws_out_open(&f->out, f->path, NULL) == WS_OK);
	must(ws_trace_writer_new(&f->w, &f->out, NULL) == WS_OK);
}

static struct ws_trace *file_end(struct file *f)
{
	must(ws_trace_writer_end(f->w, NULL) == WS_OK);
	ws_trace_writer_free(f->w);
	must(ws_out_commit(&f->out, NULL) == WS_OK);
	return trace_open(f->path);
}

static struct ws_trace *original(const struct fixture *f)
{
	struct ws_buf bytes = { 0 }, packed = { 0 };
	uint64_t lens[8], accesses[WS_KINDS] = { 0 };
	struct ws_encoder *e;
	struct file file;

	file_begin(&file);
	must(ws_trace_writer_launch(file.w, &f->launch, NULL) == WS_OK);
	must(ws_encoder_new(&e, &f->launch, NULL) == WS_OK);
	for (size_t cta = 0; cta < f->ctas; cta++) {
		size_t before = bytes.len;

		write_cta(f, e, cta);
		must(ws_encoder_end(e, &bytes, accesses, NULL) == WS_OK);
		lens[cta] = bytes.len - before;
	}
	must(ws_chunk_pack(&packed, 0, 0, &bytes, lens, f->ctas, NULL) == WS_OK);
	must(ws_trace_writer_chunk(file.w, &packed, 0, f->ctas, accesses, NULL) == WS_OK);
	ws_encoder_free(e);
	ws_buf_clear(&bytes);
	ws_buf_clear(&packed);
	return file_end(&file);
}

static struct ws_trace *rewritten(const struct ws_trace *t, const struct ws_soft *soft,
				  struct ws_soft_result *out)
{
	const struct ws_soft_kernel kernel = { .soft = *soft, .shared_bytes = 77, .registers = 9 };
	struct file file;

	file_begin(&file);
	must(ws_soft_rewrite(file.w, t, 0, &kernel, out, NULL) == WS_OK);
	return file_end(&file);
}

/* ---- what is in a trace ------------------------------------------------------------------- */

struct content {
	struct ref_soft_thread *thread;	/* accesses of global memory */
	uint64_t instructions;		/* of threads */
};

static void lane(struct content *c, const struct ws_launch *l, const struct ws_step *step,
		 size_t lane_number, size_t thread)
{
	static const enum ref_soft_kind kind[] = { REF_SOFT_LOAD, REF_SOFT_STORE, REF_SOFT_ATOMIC };
	const struct ws_segment *segment = &l->segment[step->segment];

	c->instructions += segment->tail + segment->barrier;
	for (uint32_t i = 0; i < segment->count; i++) {
		const struct ws_instruction *in = &l->instruction[segment->first + i];

		c->instructions += 1 + in->gap;
		if (in->space == WS_SPACE_GLOBAL)
			ref_soft_add(&c->thread[thread],
				     (struct ref_soft_event){ kind[in->kind], -1,
							      step->address[i][lane_number],
							      in->bytes });
	}
}

static void read_trace(const struct ws_trace *t, struct content *c)
{
	const struct ws_launch *l = ws_trace_launch(t, 0);
	size_t threads = (size_t)ws_launch_threads(l);
	struct ws_decoder *d;
	struct ws_step step;
	bool more;

	*c = (struct content){ .thread = calloc(threads * l->ctas, sizeof *c->thread) };
	must(c->thread && ws_decoder_new(&d, t, 0, NULL) == WS_OK);
	for (uint64_t cta = 0; cta < l->ctas; cta++) {
		must(ws_decoder_seek(d, cta, NULL) == WS_OK);
		while (ws_decoder_next(d, &step, &more, NULL) == WS_OK && more)
			for (size_t i = 0; i < threads; i++)
				if (step.mask[i / 64] >> i % 64 & 1)
					lane(c, l, &step, i, cta * threads + i);
	}
	ws_decoder_free(d);
}

static void threads_free(struct ref_soft_thread *thread, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(thread[i].event);
	free(thread);
}

static bool same_accesses(const struct ref_soft_thread *a, const struct ref_soft_thread *b,
			  size_t threads)
{
	for (size_t i = 0; i < threads; i++) {
		if (a[i].events != b[i].events)
			return false;
		for (size_t e = 0; e < a[i].events; e++)
			if (a[i].event[e].kind != b[i].event[e].kind ||
			    a[i].event[e].address != b[i].event[e].address ||
			    a[i].event[e].bytes != b[i].event[e].bytes)
				return false;
	}
	return true;
}

/* ---- steps and requests --------------------------------------------------------------------- */

static bool same_step(const struct ws_launch *l, const struct ws_step *a, const struct ws_step *b)
{
	if (a->segment != b->segment || memcmp(a->mask, b->mask, a->words * 8) != 0)
		return false;
	for (uint32_t i = 0; i < l->segment[a->segment].count; i++)
		for (size_t t = 0; t < 64 * a->words; t++)
			if (a->mask[t / 64] >> t % 64 & 1 && a->address[i][t] != b->address[i][t])
				return false;
	return true;
}

static bool same_steps(const struct ws_trace *a, const struct ws_trace *b)
{
	const struct ws_launch *l = ws_trace_launch(a, 0), *k = ws_trace_launch(b, 0);
	struct ws_decoder *d, *e;
	struct ws_step step, other;
	bool more = true, others = true, same = l->segments == k->segments &&
						l->instructions == k->instructions;

	must(ws_decoder_new(&d, a, 0, NULL) == WS_OK && ws_decoder_new(&e, b, 0, NULL) == WS_OK);
	for (uint64_t cta = 0; cta < l->ctas && same; cta++) {
		must(ws_decoder_seek(d, cta, NULL) == WS_OK);
		must(ws_decoder_seek(e, cta, NULL) == WS_OK);
		for (more = true; more && same;) {
			must(ws_decoder_next(d, &step, &more, NULL) == WS_OK);
			must(ws_decoder_next(e, &other, &others, NULL) == WS_OK);
			same = more == others && (!more || same_step(l, &step, &other));
		}
	}
	ws_decoder_free(d);
	ws_decoder_free(e);
	return same;
}

/* By warp, each warp's in its order. */
static int by_warp(const void *a, const void *b)
{
	const struct ws_request *x = *(const struct ws_request *const *)a;
	const struct ws_request *y = *(const struct ws_request *const *)b;

	if (x->cta != y->cta)
		return x->cta < y->cta ? -1 : 1;
	if (x->warp != y->warp)
		return x->warp < y->warp ? -1 : 1;
	return x < y ? -1 : x > y;
}

static const struct ws_request **sorted(const struct ws_streams *s)
{
	const struct ws_request **at = calloc(s->sm[0].count + 1, sizeof *at);

	must(at != NULL);
	for (size_t i = 0; i < s->sm[0].count; i++)
		at[i] = &s->sm[0].request[i];
	qsort(at, s->sm[0].count, sizeof *at, by_warp);
	return at;
}

static bool same_requests(const struct ws_streams *a, const struct ws_streams *b)
{
	const struct ws_request **x = sorted(a), **y = sorted(b);
	bool same = a->sm[0].count == b->sm[0].count;

	for (size_t i = 0; i < a->sm[0].count && same; i++)
		same = x[i]->address == y[i]->address && x[i]->sectors == y[i]->sectors &&
		       x[i]->kind == y[i]->kind && x[i]->cta == y[i]->cta &&
		       x[i]->warp == y[i]->warp && x[i]->follows == y[i]->follows;
	free(x);
	free(y);
	return same;
}

/* The number of each kind. */
static bool derived_agree(const struct ws_trace *t, const struct ws_streams *got,
			  const struct ws_machine *m, const struct ws_soft *soft)
{
	struct ws_soft_requests *r;
	struct ws_soft_record *record;
	struct ws_soft_result choice;
	uint64_t left[WS_KINDS], seen[WS_KINDS] = { 0 };

	must(ws_soft_requests_make(&r, t, 0, m, NULL) == WS_OK);
	must(ws_soft_record_make(&record, t, 0, NULL, NULL) == WS_OK);
	must(ws_soft_predict(record, soft, &choice, NULL) == WS_OK);
	ws_soft_requests_left(r, soft, &choice, left);
	ws_soft_requests_free(r);
	ws_soft_record_free(record);
	ws_soft_result_clear(&choice);
	for (size_t i = 0; i < got->sm[0].count; i++)
		seen[got->sm[0].request[i].kind]++;
	return memcmp(left, seen, sizeof left) == 0;
}

static bool warps_agree(const struct ws_trace *t, const struct ws_trace *with,
			const struct ws_soft *soft, struct ws_rng *rng)
{
	static const uint64_t width[] = { 1, 8, 32, 64 };
	const struct ws_profile_options options = { .seed = 1, .threads = 1 };
	struct ws_streams *want, *got;
	struct ws_machine m;
	size_t launches;
	bool same;

	must(ws_machine_load(&m, "gtx480", NULL) == WS_OK);
	m.warp_width = width[ws_rng_below(rng, WS_COUNT(width))];
	m.sm_count = 1;
	m.sm_warps = 1024;
	must(ws_soft_streams(&want, t, 0, &m, 0, soft, &options, NULL) == WS_OK);
	must(ws_streams_make(&got, &launches, with, &m, &options, NULL) == WS_OK);
	same = same_requests(want, got) && (soft->by_thread || derived_agree(t, got, &m, soft));
	ws_streams_free(want, 1);
	ws_streams_free(got, launches);
	return same;
}

/* ---- rounds --------------------------------------------------------------------------------- */

static uint64_t instructions_of(const struct ws_soft_result *r, const struct ws_soft *soft)
{
	uint64_t sum = r->instructions + r->extra;

	for (size_t i = 0; i < r->parts && soft->lines; i++) {
		const struct ws_soft_counts *c = &r->part[i].counts;

		if (r->part[i].why == WS_SOFT_CHOSEN && r->part[i].writable)
			sum += c->write_backs -
			       (c->misses[0] + c->misses[1] + c->emptied);
	}
	return sum;
}

static bool same_result(const struct ws_soft_result *a, const struct ws_soft_result *b)
{
	bool same = a->parts == b->parts && a->chosen == b->chosen && a->barriers == b->barriers &&
		    a->past == b->past && a->instructions == b->instructions &&
		    a->extra == b->extra;

	for (size_t i = 0; i < a->parts && same; i++)
		same = a->part[i].why == b->part[i].why &&
		       memcmp(&a->part[i].counts, &b->part[i].counts, sizeof a->part[i].counts) ==
			       0;
	return same;
}

struct verdict {
	unsigned rounds, accesses, counts, instructions, warps, steps, copies;
	uint64_t hits, write_backs;
};

static void one_soft(const struct fixture *f, const struct ws_trace *t, const struct ws_soft *soft,
		     struct ws_rng *rng, struct verdict *v)
{
	size_t threads = f->ctas * f->threads;
	struct ref_soft_thread *log = calloc(threads, sizeof *log);
	struct ref_soft_counts want[ARRAYS + 1] = { 0 };
	struct ws_soft_result result, exactly, derived;
	struct ws_soft_record *record;
	struct content content;
	struct ws_trace *with = rewritten(t, soft, &result);
	const struct ws_launch *l = ws_trace_launch(with, 0);

	for (size_t i = 0; i < ARRAYS; i++)
		want[i].stored = ws_soft_stored(&f->launch, i);
	must(log && ref_soft(f->thread, threads, ARRAYS, MEMORY, soft->line_bytes, soft->threshold,
			     soft->lines, soft->by_thread, want, log));
	must(ws_soft_simulate(&exactly, t, 0, soft, NULL) == WS_OK);
	must(ws_soft_record_make(&record, t, 0, soft->by_thread ? soft : NULL, NULL) == WS_OK);
	must(ws_soft_predict(record, soft, &derived, NULL) == WS_OK);
	ws_soft_record_free(record);
	read_trace(with, &content);
	v->rounds++;
	v->accesses += same_accesses(content.thread, log, threads);
	v->counts += same_result(&result, &exactly) &&
		     same_result(&derived, &exactly) && l->shared_bytes == 77 && l->registers == 9;
	v->instructions += content.instructions == instructions_of(&result, soft);
	v->warps += warps_agree(t, with, soft, rng);
	v->hits += ws_soft_sum(&exactly).hits[0] + ws_soft_sum(&exactly).hits[1];
	v->write_backs += ws_soft_sum(&exactly).write_backs;
	v->copies += !soft->lines;
	v->steps += !soft->lines && same_steps(t, with);
	threads_free(content.thread, threads);
	threads_free(log, threads);
	ws_soft_result_clear(&result);
	ws_soft_result_clear(&exactly);
	ws_soft_result_clear(&derived);
	ws_trace_close(with);
}

static void test_random(void)
{
	struct verdict v = { 0 };
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(11));
	for (unsigned i = 0; i < 60; i++) {
		struct fixture f;
		struct ws_trace *t;

		fixture_init(&f, &rng);
		t = original(&f);
		for (unsigned k = 0; k < 4; k++) {
			const struct ws_soft soft = {
				.line_bytes = UINT64_C(1) << ws_rng_below(&rng, WS_SOFT_SIZES),
				.threshold = 1 + ws_rng_below(&rng, 20),
				.lines = ws_rng_below(&rng, ARRAYS + 1),
				.aliased = ws_rng_below(&rng, 2),
				.by_thread = ws_rng_below(&rng, 2),
			};

			one_soft(&f, t, &soft, &rng, &v);
		}
		ws_trace_close(t);
		fixture_clear(&f);
	}
	test_u64(v.accesses, v.rounds, "each thread's accesses, in order, are the reference's");
	test_u64(v.counts, v.rounds, "counts are the simulation's, and the derived ones");
	test_u64(v.instructions, v.rounds, "instructions of threads");
	test_u64(v.warps, v.rounds, "each warp's requests, in order, are the streams', and as many "
		 "as derived");
	test_u64(v.steps, v.copies, "without a line: the same steps");
	test_ok(v.copies > 10 && v.hits > 1000 && v.write_backs > 300, "%u without a line, %" PRIu64
		" hits, %" PRIu64 " write-backs", v.copies, v.hits, v.write_backs);
}

int main(void)
{
	test_random();
	return test_done();
}
