/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-lone.c -- traces of one thread: a list of accesses (struct ws_import_options) gives
 * the same launches, steps, requests, cycles and counts as a .wst file of them, on any machine.
 * And lines that the reader of din takes many at a time are what they are one by one.
 */
#include "tests/test.h"
#include "trace/import.h"

#include <ctype.h>
#include <inttypes.h>

static void must(bool ok, const char *what)
{
	if (!ok) {
		printf("Bail out! %s\n", what);
		exit(1);
	}
}

/* ---- random traces -------------------------------------------------------------------- */

static void put(struct ws_buf *b, const char *text)
{
	ws_put_bytes(b, text, strlen(text));
}

static uint64_t random_address(struct ws_rng *rng)
{
	uint64_t a = ws_rng_below(rng, 1u << (6 + ws_rng_below(rng, 12)));

	return ws_rng_below(rng, 50) ? 0x10000 + a : a << 40;
}

/* Instructions from a few places, some after long stretches, with accesses of any size. */
static void put_lackey(struct ws_buf *b, struct ws_rng *rng, unsigned lines)
{
	char line[64];

	for (unsigned i = 0; i < lines; i++) {
		uint64_t pc = 4 * ws_rng_below(rng, 9), size = 1 + ws_rng_below(rng, 8);

		if (ws_rng_below(rng, 20) == 0)
			size = 1 + ws_rng_below(rng, WS_ACCESS_BYTES_MAX);
		for (uint64_t n = ws_rng_below(rng, 5) * ws_rng_below(rng, 5); n > 0; n--)
			put(b, "I  1000,4\n");
		snprintf(line, sizeof line, "I  %" PRIx64 ",4\n", pc);
		put(b, line);
		if (ws_rng_below(rng, 4) == 0)
			continue;
		snprintf(line, sizeof line, " %c %" PRIx64 ",%" PRIu64 "\n",
			 "LLSM"[ws_rng_below(rng, 4)], random_address(rng), size);
		put(b, line);
	}
}

static void put_din(struct ws_buf *b, struct ws_rng *rng, unsigned lines)
{
	char line[64];

	for (unsigned i = 0; i < lines; i++) {
		unsigned label = ws_rng_below(rng, 60) ? (unsigned)ws_rng_below(rng, 4) : 4;

		snprintf(line, sizeof line, "%u %" PRIx64 "\n", label, random_address(rng));
		put(b, line);
	}
}

static void put_oracle(struct ws_buf *b, struct ws_rng *rng, unsigned lines)
{
	for (unsigned i = 0; i < lines; i++) {
		ws_put_u32(b, i);
		ws_put_u64(b, random_address(rng));
		ws_put_u32(b, 128);
		ws_put_u64(b, UINT64_MAX);
	}
}

/* ---- streams ---------------------------------------------------------------------------- */

struct got { /* of one launch */
	struct ws_request *request;
	uint64_t *l1;
	size_t count, cap, l1_cap;
	struct ws_order_stats stats;
	uint64_t ctas;
};

static enum ws_status keep(void *context, uint64_t l1, const struct ws_request *r, size_t count,
			   struct ws_err *err)
{
	struct got *g = context;

	(void)err;
	must(WS_ROOM(g->request, g->cap, g->count + count) &&
		     WS_ROOM(g->l1, g->l1_cap, g->count + count), "no memory");
	for (size_t i = 0; i < count; i++) {
		g->request[g->count] = r[i];
		g->l1[g->count++] = l1;
	}
	return WS_OK;
}

static void count_ctas(void *context, uint64_t ctas)
{
	struct got *g = context;

	g->ctas = ctas;
}

static struct got run(const struct ws_trace *t, size_t launch, const struct ws_machine *m,
		      bool untold)
{
	struct ws_order_options options = { .seed = 7, .threads = 1, .untold = untold };
	struct got g = { 0 };
	struct ws_sink sink = { .context = &g, .requests = keep, .progress = count_ctas };
	struct ws_err err = { 0 };

	must(!ws_order_run(t, launch, m, &options, &sink, &g.stats, &err), err.text);
	return g;
}

static void clear_got(struct got *g)
{
	free(g->request);
	free(g->l1);
}

static bool same_request(const struct ws_request *a, const struct ws_request *b, bool untold)
{
	return a->address == b->address && (untold || a->cycle == b->cycle) &&
	       a->sectors == b->sectors && a->instruction == b->instruction && a->cta == b->cta &&
	       a->warp == b->warp && a->kind == b->kind && a->follows == b->follows &&
	       a->part == b->part && a->fetch == b->fetch;
}

static bool same_stats(const struct ws_order_stats *a, const struct ws_order_stats *b, bool untold)
{
	return a->warp_instructions == b->warp_instructions && a->requests == b->requests &&
	       a->resident_ctas == b->resident_ctas && strcmp(a->limit, b->limit) == 0 &&
	       (untold || (a->cycles == b->cycles && a->issued == b->issued &&
			   a->waits == b->waits));
}

static size_t unlike(const struct got *a, const struct got *b, bool untold)
{
	size_t wrong = a->count != b->count || a->ctas != b->ctas ||
		       !same_stats(&a->stats, &b->stats, untold);

	for (size_t i = 0; i < a->count && !wrong; i++)
		wrong += a->l1[i] != b->l1[i] ||
			 !same_request(&a->request[i], &b->request[i], untold);
	return wrong;
}

/* ---- launches --------------------------------------------------------------------------- */

static size_t unlike_launches(const struct ws_launch *a, const struct ws_launch *b)
{
	size_t wrong = strcmp(a->kernel, b->kernel) != 0 || a->ctas != b->ctas ||
		       a->instructions != b->instructions || a->segments != b->segments ||
		       a->arrays != b->arrays ||
		       memcmp(a->accesses, b->accesses, sizeof a->accesses);

	for (size_t i = 0; i < a->instructions && !wrong; i++) {
		const struct ws_instruction *x = &a->instruction[i], *y = &b->instruction[i];

		wrong += x->kind != y->kind || x->bytes != y->bytes || x->array != y->array ||
			 x->gap != y->gap || x->use != y->use;
	}
	for (size_t i = 0; i < a->arrays && !wrong; i++)
		wrong += a->array[i].base != b->array[i].base ||
			 a->array[i].bytes != b->array[i].bytes;
	return wrong;
}

/* Steps by two decoders, lanes' addresses too. */
static size_t unlike_steps(const struct ws_trace *a, const struct ws_trace *b, size_t launch)
{
	const struct ws_launch *l = ws_trace_launch(a, launch);
	struct ws_decoder *x, *y;
	struct ws_err err = { 0 };
	struct ws_step p, q;
	bool more = true, also = true;
	size_t wrong = 0;

	must(!ws_decoder_new(&x, a, launch, &err) && !ws_decoder_new(&y, b, launch, &err) &&
	     !ws_decoder_seek(x, 0, &err) && !ws_decoder_seek(y, 0, &err), err.text);
	while (more && also && !wrong) {
		must(!ws_decoder_next(x, &p, &more, &err) && !ws_decoder_next(y, &q, &also, &err),
		     err.text);
		wrong += more != also;
		if (!more || !also)
			break;
		wrong += p.segment != q.segment || p.mask[0] != q.mask[0] ||
			 (l->segment[p.segment].count && p.address[0][0] != q.address[0][0]);
	}
	ws_decoder_free(x);
	ws_decoder_free(y);
	return wrong;
}

/* ---- machines --------------------------------------------------------------------------- */

static const char *const choices[][4] = {
	{ "sm.scheduler=lrr", "sm.scheduler=gto", "sm.scheduler=two-level",
	  "sm.scheduler=sequential" },
	{ "l1.line=128", "l1.line=64", "l1.line=32", "l1.line=128" },
	{ "sm.schedulers=1", "sm.schedulers=2", "sm.schedulers=4", "sm.schedulers=2" },
	{ "sm.buffer=0", "sm.buffer=2", "sm.buffer=0", "sm.buffer=0" },
	{ "sm.start=0", "sm.start=17", "sm.start=400", "sm.start=0" },
	{ "l1.latency=1", "l1.latency=30", "l1.latency=200", "l1.latency=30" },
	{ "coalesce.line=128", "coalesce.line=64", "coalesce.line=32", "coalesce.line=128" },
	{ "sm.count=1", "sm.count=3", "sm.count=15", "sm.count=2" },
};

static struct ws_machine random_machine(struct ws_rng *rng)
{
	struct ws_err err = { 0 };
	struct ws_machine m;

	must(!ws_machine_load(&m, "gtx480", &err), err.text);
	for (size_t i = 0; i < WS_COUNT(choices); i++)
		must(!ws_machine_set(&m, choices[i][ws_rng_below(rng, 4)], &err), err.text);
	must(!ws_machine_check(&m, &err), err.text);
	return m;
}

/* ---- the tests ---------------------------------------------------------------------------- */

static struct ws_trace *open_text(const struct ws_buf *text, const char *format, bool listed)
{
	static char name[] = "text";
	struct ws_in in = { .data = text->data ? text->data : (const uint8_t *)"",
			    .len = text->len, .name = name };
	const struct ws_import_options options = { .arrays = true, .listed = listed };
	struct ws_err err = { 0 };
	struct ws_trace *t;

	must(!ws_import_trace(&t, &in, ws_trace_format_find(format), &options, &err), err.text);
	return t;
}

static size_t compare(const struct ws_buf *text, const char *format, struct ws_rng *rng)
{
	struct ws_trace *list = open_text(text, format, true);
	struct ws_trace *file = open_text(text, format, false);
	struct ws_machine m = random_machine(rng);
	size_t launches = ws_trace_launches(file), wrong = launches != ws_trace_launches(list);

	for (size_t i = 0; i < launches && !wrong; i++) {
		wrong += unlike_launches(ws_trace_launch(file, i), ws_trace_launch(list, i));
		wrong += unlike_steps(file, list, i);
		for (int untold = 0; untold < 2; untold++) {
			struct got a = run(file, i, &m, false), b = run(list, i, &m, untold);

			wrong += unlike(&a, &b, untold);
			clear_got(&a);
			clear_got(&b);
		}
	}
	ws_trace_close(list);
	ws_trace_close(file);
	return wrong;
}

static void check_format(const char *format, uint64_t seed, unsigned most, size_t rounds,
			 void (*fill)(struct ws_buf *b, struct ws_rng *rng, unsigned lines))
{
	struct ws_rng rng;
	size_t wrong = 0;

	ws_rng_seed(&rng, seed);
	for (size_t i = 0; i < rounds; i++) {
		struct ws_buf text = { 0 };

		fill(&text, &rng, (unsigned)ws_rng_below(&rng, most));
		wrong += compare(&text, format, &rng) > 0;
		ws_buf_clear(&text);
	}
	test_ok(wrong == 0, "%s: %zu random traces as lists and as files, seed %" PRIu64
		": %zu differ", format, rounds, seed, wrong);
}

/* ---- plain lines of din ------------------------------------------------------------------- */

/* Addresses of 1 to 16 digits in either case, now and then a line with more to it. */
static void put_plain(struct ws_buf *b, struct ws_rng *rng, unsigned lines)
{
	static const char *const ends[] = { "\n", " call\n", "\r\n", "\t\n", "\n\n" };
	char line[64];

	for (unsigned i = 0; i < lines; i++) {
		unsigned label = ws_rng_below(rng, 50) ? (unsigned)ws_rng_below(rng, 4)
						       : 4 + (unsigned)ws_rng_below(rng, 2);
		uint64_t address = ws_rng_u64(rng) >> 4 * ws_rng_below(rng, 16);

		if (ws_rng_below(rng, 3))
			address = 0x10000 + address % 64;
		if (ws_rng_below(rng, 3))
			label = 0;
		snprintf(line, sizeof line, ws_rng_below(rng, 2) ? "%u %" PRIx64 : "%u %" PRIX64,
			 label, address);
		put(b, line);
		put(b, ends[ws_rng_below(rng, 20) ? 0 : ws_rng_below(rng, WS_COUNT(ends))]);
	}
}

/* The same lines after a blank, which makes them no plain ones. */
static void put_indented(struct ws_buf *b, const struct ws_buf *text)
{
	for (size_t i = 0; i < text->len; i++) {
		if ((i == 0 || text->data[i - 1] == '\n') && isdigit(text->data[i]))
			put(b, " ");
		ws_put_bytes(b, text->data + i, 1);
	}
}

static size_t unlike_plain(const struct ws_buf *text)
{
	struct ws_buf indented = { 0 };
	struct ws_trace *a, *b;
	size_t wrong;

	put_indented(&indented, text);
	a = open_text(text, "din", true);
	b = open_text(&indented, "din", true);
	wrong = ws_trace_launches(a) != ws_trace_launches(b);
	for (size_t i = 0; i < ws_trace_launches(a) && !wrong; i++)
		wrong += unlike_launches(ws_trace_launch(a, i), ws_trace_launch(b, i)) +
			 unlike_steps(a, b, i);
	ws_trace_close(a);
	ws_trace_close(b);
	ws_buf_clear(&indented);
	return wrong;
}

static void check_plain(uint64_t seed)
{
	static const unsigned most[] = { 3, 60, 1000, 30000 };
	static const unsigned rounds[] = { 50, 60, 5, 2 };
	struct ws_rng rng;
	size_t wrong = 0;

	ws_rng_seed(&rng, seed);
	for (size_t i = 0; i < WS_COUNT(most); i++)
		for (unsigned k = 0; k < rounds[i]; k++) {
			struct ws_buf text = { 0 };

			put_plain(&text, &rng, 1 + (unsigned)ws_rng_below(&rng, most[i]));
			wrong += unlike_plain(&text) > 0;
			ws_buf_clear(&text);
		}
	test_ok(wrong == 0, "din: plain lines and the same after a blank, seed %" PRIu64
		": %zu differ", seed, wrong);
}

/* A line that is none among plain ones: its number is told. */
static void check_places(uint64_t seed)
{
	static const char *const bad[] = { "0 fg\n", "6 10\n", "0 11111111111111111\n", "0  \n",
					   "0 \x80\n", "1:2\n", "0 123456789abcdefg\n" };
	static char name[] = "text";
	const struct ws_import_options options = { .listed = true };
	struct ws_rng rng;
	size_t wrong = 0;

	ws_rng_seed(&rng, seed);
	for (size_t i = 0; i < 10 * WS_COUNT(bad); i++) {
		struct ws_buf text = { 0 };
		struct ws_err err = { 0 };
		struct ws_trace *t = NULL;
		struct ws_in in = { .name = name };
		unsigned before = (unsigned)ws_rng_below(&rng, i % 10 ? 40 : 30000), lines = 1;
		char want[32];

		put_plain(&text, &rng, before);
		for (size_t k = 0; k < text.len; k++)
			lines += text.data[k] == '\n';
		put(&text, bad[i % WS_COUNT(bad)]);
		put_plain(&text, &rng, 5);
		in.data = text.data;
		in.len = text.len;
		snprintf(want, sizeof want, "text:%u: ", lines);
		wrong += ws_import_trace(&t, &in, ws_trace_format_find("din"), &options, &err) !=
				 WS_EFORMAT || strncmp(err.text, want, strlen(want)) != 0;
		ws_buf_clear(&text);
	}
	test_ok(wrong == 0, "din: lines that are none among plain ones, seed %" PRIu64
		": %zu are told of wrongly", seed, wrong);
}

int main(void)
{
	uint64_t seed = test_seed(22);

	check_format("lackey", seed, 400, 200, put_lackey);
	check_format("din", seed, 400, 200, put_din);
	check_format("oracle-general", seed, 400, 100, put_oracle);
	/* Longer than a block of the list. */
	check_format("oracle-general", seed + 1, 300000, 3, put_oracle);
	check_plain(seed);
	check_places(seed);
	return test_done();
}
