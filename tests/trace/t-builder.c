/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-builder.c -- traces built from warps' accesses: the order engine delivers each
 * warp exactly what it was told, in order; the order in which warps are told of does not matter;
 * arrays are found; what cannot be is refused.
 */
#include "tests/test.h"
#include "tests/trace/foreign.h"

struct event {
	uint64_t cta, pc, lanes, address[64];
	uint32_t warp, bytes, gap;
	uint8_t kind, space;
	bool barrier;
};

struct program {
	struct ws_built_launch launch;
	uint64_t ctas;
	uint32_t warps;
	struct event *event;
	size_t events;
};

/* ---- random programs ------------------------------------------------------------------ */

static uint64_t lanes_of(const struct program *p, uint32_t warp)
{
	uint64_t threads = p->launch.block[0] * p->launch.block[1] * p->launch.block[2] -
			   (uint64_t)warp * p->launch.warp_width;
	uint64_t n = threads < p->launch.warp_width ? threads : p->launch.warp_width;

	return n < 64 ? (1ull << n) - 1 : UINT64_MAX;
}

static void random_event(struct ws_rng *rng, const struct program *p, struct event *e)
{
	uint64_t base, stride = 4 * pick(rng, 0, 40), all;

	*e = (struct event){ .cta = ws_rng_below(rng, p->ctas), .pc = 16 * pick(rng, 1, 30),
			     .warp = (uint32_t)ws_rng_below(rng, p->warps),
			     .bytes = 1u << pick(rng, 0, 4), .gap = (uint32_t)pick(rng, 0, 3) };
	e->kind = (uint8_t)(e->pc / 16 % 3);
	e->space = e->pc == 480   ? WS_SPACE_LOCAL
		   : e->pc == 464 ? WS_SPACE_CONSTANT
				  : WS_SPACE_GLOBAL;
	e->barrier = one_in(rng, 12);
	all = lanes_of(p, e->warp);
	e->lanes = one_in(rng, 2) ? all : ws_rng_u64(rng) & all;
	if (!e->lanes)
		e->lanes = 1;
	base = one_in(rng, 5) ? ws_rng_u64(rng) >> 1 : 0x7f0000000000 + pick(rng, 0, 1 << 20);
	for (unsigned i = 0; i < 64; i++)
		e->address[i] = one_in(rng, 8) && one_in(rng, 8) ? ws_rng_u64(rng) >> 1
								 : base + i * stride;
}

static struct program random_program(struct ws_rng *rng)
{
	static const uint32_t width[] = { 32, 32, 1, 7, 64, 16 };
	struct program p = { .launch = { .kernel = "k", .grid = { pick(rng, 1, 4), pick(rng, 1, 2),
			     1 },
					 .block = { pick(rng, 1, 40), pick(rng, 1, 4), pick(rng, 1,
					 2) },
					 .warp_width = width[ws_rng_below(rng,
					 WS_COUNT(width))] } };
	uint64_t threads = p.launch.block[0] * p.launch.block[1] * p.launch.block[2];

	p.ctas = p.launch.grid[0] * p.launch.grid[1];
	p.warps = (uint32_t)((threads + p.launch.warp_width - 1) / p.launch.warp_width);
	p.events = (size_t)pick(rng, 0, 2000);
	p.event = ws_alloc(p.events + 1, sizeof *p.event);
	for (size_t i = 0; i < p.events; i++)
		random_event(rng, &p, &p.event[i]);
	return p;
}

/* ---- building -------------------------------------------------------------------------- */

static void tell_event(struct ws_builder *b, const struct event *e)
{
	struct ws_built_access a = { .cta = e->cta, .warp = e->warp, .pc = e->pc, .kind = e->kind,
				     .space = e->space, .bytes = e->bytes, .lanes = e->lanes,
				     .address = e->address, .gap = e->gap };
	struct ws_err err = { 0 };

	if (e->barrier)
		must(!ws_builder_other(b, e->cta, e->warp, e->gap, &err) &&
		     !ws_builder_barrier(b, e->cta, e->warp, &err), err.text);
	else
		must(!ws_builder_access(b, &a, &err), err.text);
}

/* by_warp: one warp after the other instead of as they come. */
static struct file build(const struct program *p, bool by_warp)
{
	struct file f = { NULL, 0 };
	struct ws_out out = { .file = open_memstream(&f.data, &f.len) };
	struct ws_builder *b;
	struct ws_err err = { 0 };

	must(!ws_builder_new(&b, &out, true, &err) && !ws_builder_launch(b, &p->launch, &err),
	     err.text);
	for (uint64_t w = by_warp ? p->ctas * p->warps : 1; w-- > 0;)
		for (size_t i = 0; i < p->events; i++)
			if (!by_warp || p->event[i].cta * p->warps + p->event[i].warp == w)
				tell_event(b, &p->event[i]);
	must(!ws_builder_end(b, &err), err.text);
	ws_builder_free(b);
	fclose(out.file);
	return f;
}

/* ---- what the engine delivers ------------------------------------------------------------ */

struct check {
	const struct program *p;
	const struct ws_launch *l;
	size_t *at;		/* [cta * warps + warp]: events seen of it */
	size_t wrong, seen;
};

static enum ws_status see(void *context, uint64_t sm, const struct ws_warp_access *a,
			  struct ws_err *err)
{
	struct check *c = context;
	const struct ws_instruction *in = &c->l->instruction[a->instruction];
	size_t *at = &c->at[a->cta * c->p->warps + a->warp];
	const struct event *e;

	(void)sm;
	(void)err;
	for (;; ++*at) {
		if (*at == c->p->events) {
			c->wrong++;
			return WS_OK;
		}
		e = &c->p->event[*at];
		if (e->cta == a->cta && e->warp == a->warp && !e->barrier &&
		    e->space == WS_SPACE_GLOBAL)
			break;
	}
	++*at;
	c->seen++;
	c->wrong += in->kind != e->kind || in->bytes != e->bytes || a->mask != e->lanes;
	for (unsigned i = 0; i < 64; i++)
		c->wrong += e->lanes >> i & 1 && a->address[i] != e->address[i];
	return WS_OK;
}

static struct ws_machine machine(uint64_t width, const char *scheduler)
{
	struct ws_machine m;
	struct ws_err err = { 0 };
	char text[3][64];

	snprintf(text[0], sizeof text[0], "warp.width=%u", (unsigned)width);
	snprintf(text[1], sizeof text[1], "sm.scheduler=%s", scheduler);
	snprintf(text[2], sizeof text[2], "sm.warps=%u", 1024);
	must(!ws_machine_load(&m, "gtx480", &err), err.text);
	for (int i = 0; i < 3; i++)
		must(!ws_machine_set(&m, text[i], &err), err.text);
	return m;
}

/* Other instructions of all warps: they are issued, too. */
static size_t wrong_stream(const struct program *p, const struct file *f, const char *scheduler)
{
	struct ws_machine m = machine(p->launch.warp_width, scheduler);
	struct ws_order_options options = { .seed = 1, .threads = 1 };
	struct ws_order_stats stats;
	struct ws_err err = { 0 };
	struct check c = { .p = p };
	struct ws_sink sink = { .context = &c, .lanes = see };
	struct ws_trace *t;
	size_t want = 0;

	must(!open_bytes(&t, f->data, f->len, &err), err.text);
	c.l = ws_trace_launch(t, 0);
	c.at = ws_alloc_zero((size_t)(p->ctas * p->warps), sizeof *c.at);
	must(!ws_order_run(t, 0, &m, &options, &sink, &stats, &err), err.text);
	for (size_t i = 0; i < p->events; i++)
		want += !p->event[i].barrier && p->event[i].space == WS_SPACE_GLOBAL;
	ws_trace_close(t);
	free(c.at);
	return c.wrong + (c.seen != want);
}

static void random_programs(uint64_t seed)
{
	static const char *const schedulers[] = { "lrr", "gto", "sequential", "round-robin" };
	size_t wrong = 0, unlike = 0, rounds = 60;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (size_t i = 0; i < rounds; i++) {
		struct program p = random_program(&rng);
		struct file f = build(&p, false), g = build(&p, true);

		wrong += wrong_stream(&p, &f, schedulers[i % WS_COUNT(schedulers)]) > 0;
		/* Items are numbered as they come; the rest is the same. */
		unlike += wrong_stream(&p, &g, schedulers[i % WS_COUNT(schedulers)]) > 0;
		free(f.data);
		free(g.data);
		free(p.event);
	}
	test_ok(!wrong && !unlike, "%zu programs of random warps: %zu differ in the engine's "
		"stream, %zu when told warp by warp", rounds, wrong, unlike);
}

/* ---- merging, gaps, arrays ------------------------------------------------------------------ */

static struct file build_with(void (*tell_all)(struct ws_builder *b), bool arrays)
{
	struct file f = { NULL, 0 };
	struct ws_out out = { .file = open_memstream(&f.data, &f.len) };
	struct ws_builder *b;
	struct ws_err err = { 0 };

	must(!ws_builder_new(&b, &out, arrays, &err), err.text);
	tell_all(b);
	must(!ws_builder_end(b, &err), err.text);
	ws_builder_free(b);
	fclose(out.file);
	return f;
}

static void put(struct ws_builder *b, uint32_t warp, uint64_t pc, uint64_t at, uint32_t gap)
{
	uint64_t address[32];
	struct ws_built_access a = { .warp = warp, .pc = pc, .bytes = 4, .lanes = UINT32_MAX,
				     .address = address, .gap = gap };
	struct ws_err err = { 0 };

	for (unsigned i = 0; i < 32; i++)
		address[i] = at + 4 * i;
	must(!ws_builder_access(b, &a, &err), err.text);
}

static const struct ws_built_launch two_warps = { .kernel = "k", .grid = { 1, 1, 1 },
						  .block = { 64, 1, 1 }, .warp_width = 32 };

/* Two warps of one loop, told one after the other, and others here and there. */
static void tell_loop(struct ws_builder *b)
{
	must(!ws_builder_launch(b, &two_warps, NULL), "ws_builder_launch");
	for (uint32_t w = 0; w < 2; w++) {
		for (uint64_t i = 0; i < 3 + w; i++) {
			put(b, w, 32, 0x10000 + 256 * i + 128 * w, 5);
			put(b, w, 48, 0x20000 + 256 * i + 128 * w, 0);
		}
		must(!ws_builder_other(b, 0, w, 2, NULL) && !ws_builder_other(b, 0, w, 3, NULL) &&
		     !ws_builder_barrier(b, 0, w, NULL), "barrier");
		put(b, w, 16, 0x30000, 1);
		must(!ws_builder_other(b, 0, w, 9, NULL), "other");
	}
}

static void merging(void)
{
	struct file f = build_with(tell_loop, false);
	struct ws_err err = { 0 };
	struct ws_decoder *d = NULL;
	struct ws_trace *t;
	struct ws_step step;
	bool more = true;
	size_t steps = 0;
	char *text;

	must(!open_bytes(&t, f.data, f.len, &err) && !ws_decoder_new(&d, t, 0, &err) &&
	     !ws_decoder_seek(d, 0, &err), err.text);
	while (!ws_decoder_next(d, &step, &more, NULL) && more)
		steps++;
	/* 4 turns of 2 of them, of which the last is of warp 1 alone; then the lower pc of
	 * warp 0 comes first, so the ends are not in common */
	test_ok(steps >= 8 && steps <= 14, "warps of a loop share steps: %zu", steps);
	text = tell(t, 0, 64);
	test_ok(strstr(text, "0:10000,1:10004") != NULL, "both at once, seen 64 lanes wide");
	free(text);
	text = tell(t, 0, 32);
	test_ok(strstr(text, " +5; B; Lg4+1 0:30000") != NULL && strstr(text, "; +9;\n") != NULL,
		"others before a barrier, before an access and at the end");
	free(text);
	test_ok(ws_trace_launch(t, 0)->arrays == 0, "no arrays if none are asked for");
	ws_decoder_free(d);
	ws_trace_close(t);
	free(f.data);
}

static void tell_ranges(struct ws_builder *b)
{
	must(!ws_builder_launch(b, &two_warps, NULL), "ws_builder_launch");
	put(b, 0, 16, 0x7f0000010ff0, 0); /* ends in the page after */
	put(b, 0, 16, 0x7f0000012000 + 0xf000, 0);  /* 60 KiB on: the same range */
	put(b, 1, 48, 0x7f0000022000 + 0x10000, 0); /* 64 KiB on: another */
	put(b, 1, 48, 0x1000, 0);
	must(!ws_builder_launch(b, &two_warps, NULL), "ws_builder_launch");
	put(b, 0, 16, UINT64_MAX - 127, 0);
	/* vectors of 8 000 B one after the other, each with an instruction, and two small things */
	must(!ws_builder_launch(b, &two_warps, NULL), "ws_builder_launch");
	for (uint64_t i = 0; i < 63; i++)
		for (uint64_t v = 0; v < 3; v++)
			put(b, 0, 16 + 16 * v, 0x10000 + v * 0x2000 + 128 * i, 0);
	put(b, 0, 64, 0x16100, 0);
	put(b, 0, 80, 0x16300, 0);
}

static void ranges(void)
{
	struct file f = build_with(tell_ranges, true);
	const struct ws_launch *l;
	struct ws_err err = { 0 };
	struct ws_trace *t;

	must(!open_bytes(&t, f.data, f.len, &err), err.text);
	l = ws_trace_launch(t, 0);
	test_ok(l->arrays == 3 && strcmp(l->array[0].name, "range0") == 0 &&
			l->array[0].base == 0x1000 && l->array[0].bytes == 4096 &&
			l->array[1].base == 0x7f0000010000 && l->array[1].bytes == 0x12000 &&
			l->array[2].base == 0x7f0000032000 &&
			strcmp(l->array[2].name, "range2") == 0,
		"ranges of pages, cut at gaps of 64 KiB");
	test_ok(l->instruction[0].array == 1 && l->instruction[1].array == WS_NO_ARRAY,
		"instructions of one range, and of two");
	l = ws_trace_launch(t, 1);
	test_ok(l->arrays == 1 && l->array[0].base == UINT64_MAX - 255 && l->array[0].bytes == 255,
		"the last page of all");
	l = ws_trace_launch(t, 2);
	test_ok(l->arrays == 3 && l->array[0].base == 0x10000 && l->array[0].bytes == 0x2000 &&
		l->array[1].base == 0x12000 && l->array[1].bytes == 0x2000 &&
		l->array[2].base == 0x14000 && l->array[2].bytes == 0x3000,
		"ranges of different instructions, small ones with their neighbour");
	ws_trace_close(t);
	free(f.data);
}

static void tell_scattered(struct ws_builder *b)
{
	must(!ws_builder_launch(b, &two_warps, NULL), "ws_builder_launch");
	for (uint64_t i = 0; i < 1000; i++)
		put(b, 0, 16, (i + 1) << 20, 0);
	put(b, 0, 16, 1ull << 40, 0);
}

static void many_ranges(void)
{
	struct file f = build_with(tell_scattered, true);
	struct ws_err err = { 0 };
	struct ws_trace *t;

	must(!open_bytes(&t, f.data, f.len, &err), err.text);
	test_u64(ws_trace_launch(t, 0)->arrays, 2, "a thousand ranges: the gap is doubled");
	ws_trace_close(t);
	free(f.data);
}

/* ---- refusals
 * --------------------------------------------------------------------------------- */

static void refuse_launch(const struct ws_built_launch *launch, const char *what)
{
	char *data;
	size_t len;
	struct ws_out out = { .file = open_memstream(&data, &len) };
	struct ws_err err = { 0 };
	struct ws_builder *b;

	must(!ws_builder_new(&b, &out, true, &err), err.text);
	test_ok(ws_builder_launch(b, launch, &err) == WS_EFORMAT && strstr(err.text, what), "%s",
		err.text);
	ws_builder_free(b);
	fclose(out.file);
	free(data);
}

static void refuse_access(const struct ws_built_access *a, const char *what)
{
	char *data;
	size_t len;
	struct ws_out out = { .file = open_memstream(&data, &len) };
	struct ws_err err = { 0 };
	struct ws_builder *b;

	must(!ws_builder_new(&b, &out, true, &err) && !ws_builder_launch(b, &two_warps, &err),
	     err.text);
	test_ok(ws_builder_access(b, a, &err) == WS_EFORMAT && strstr(err.text, what), "%s",
		err.text);
	ws_builder_free(b);
	fclose(out.file);
	free(data);
}

static void refusals(void)
{
	static const uint64_t zero[64] = { 0 }, high[64] = { UINT64_MAX - 2 };
	static const struct { struct ws_built_access a; const char *what; } access[] = {
		{ { .cta = 1, .bytes = 4, .lanes = 1, .address = zero }, "CTA 1 of a launch of 1" },
		{ { .warp = 2, .bytes = 4, .lanes = 1, .address = zero }, "warp 2 of a CTA of 2" },
		{ { .bytes = 4, .address = zero }, "active lanes 0x0" },
		{ { .bytes = 4, .lanes = 1ull << 32, .address = zero }, "warp 0 has 32 lanes" },
		{ { .lanes = 1, .address = zero }, "0 bytes a lane, want 1..4096" },
		{ { .bytes = 4097, .lanes = 1, .address = zero }, "4097 bytes a lane" },
		{ { .bytes = 4, .lanes = 1, .address = high },
		  "pass the end of the address space" },
		{ { .bytes = 4, .kind = 3, .lanes = 1, .address = zero }, "kind 3" },
	};
	struct ws_built_launch l = two_warps;

	for (size_t i = 0; i < WS_COUNT(access); i++)
		refuse_access(&access[i].a, access[i].what);
	l.warp_width = 65;
	refuse_launch(&l, "warps of 65 lanes");
	l = two_warps;
	l.block[2] = 1ull << 60;
	refuse_launch(&l, "block[2]");
	l = two_warps;
	l.grid[0] = l.grid[1] = 1ull << 60;
	refuse_launch(&l, "grid");
}

/* Grids of which nothing is told: 2^18 CTAs are written, and 2^10 for each that is told of; one
 * more is not. */
static void silence(void)
{
	static const uint64_t zero[64] = { 0 };
	const struct ws_built_access a = { .cta = 5, .bytes = 4, .lanes = 1, .address = zero };
	struct ws_built_launch l = two_warps;
	struct ws_out out = { .file = fopen("/dev/null", "wb") };
	struct ws_err err = { 0 };
	struct ws_builder *b;

	must(!ws_builder_new(&b, &out, true, &err), err.text);
	l.grid[0] = (1 << 18) + (1 << 10) + 1;
	must(!ws_builder_launch(b, &l, &err) && !ws_builder_access(b, &a, &err), err.text);
	l.grid[0] = (1 << 10) - 1;
	must(!ws_builder_launch(b, &l, &err) && !ws_builder_access(b, &a, &err), err.text);
	l.grid[0] = 2;
	must(!ws_builder_launch(b, &l, &err), err.text);
	l.grid[0] = 1;
	must(!ws_builder_launch(b, &l, &err), err.text);
	test_ok(ws_builder_end(b, &err) == WS_EFORMAT &&
		strstr(err.text, "launch 3 of 1 CTAs: 1 of them do nothing"), "%s", err.text);
	ws_builder_free(b);
	fclose(out.file);
}

int main(void)
{
	silence();
	random_programs(test_seed(1));
	merging();
	ranges();
	many_ranges();
	refusals();
	return test_done();
}
