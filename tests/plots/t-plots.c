/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures: what is written for gnuplot, against counts made the slow way; what gnuplot draws of
 * it, also of hostile names; and each way in which that fails.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/plots/script.h"

static char folder[] = "/tmp/t-plots-XXXXXX";

static const char *in_folder(const char *name)
{
	static char path[4][256];
	static unsigned next;
	char *p = path[next++ % 4];

	snprintf(p, sizeof path[0], "%s/%s", folder, name);
	return p;
}

/* ---- a profile made by hand ---------------------------------------------------- */

#define GEOMETRIES 10u /* sets 1, 2, 4 .. 512 */

static void fill_histogram(struct ws_histogram *h, struct ws_rng *rng, size_t len)
{
	h->len = len;
	h->distance = ws_alloc_zero(len, sizeof *h->distance);
	h->capacity = ws_alloc_zero(len, sizeof *h->capacity);
	h->cold = 37;
	h->requests = h->cold + h->uncached;
	for (size_t d = 0; d < len; d++) {
		h->distance[d] = ws_rng_below(rng, 1000) / (d + 1);
		h->capacity[d] = h->distance[d];
		h->requests += h->distance[d];
	}
	if (len && h->distance[len - 1] == 0) { /* the last is never empty */
		h->distance[len - 1] = h->capacity[len - 1] = 1;
		h->requests++;
	}
}

/* Of a histogram of so many distances. */
static size_t cells(size_t distances)
{
	return distances ? ws_cell((uint32_t)distances - 1, WS_DISTANCE_BITS) + 1 : 0;
}

/* Loads and stores with distances up to most / sets, atomics uncached. */
static struct ws_profile *make_profile(struct ws_rng *rng, const char *kernel, size_t most)
{
	struct ws_profile *p = ws_alloc_zero(1, sizeof *p);
	struct ws_section *s = ws_alloc_zero(1, sizeof *s);
	struct ws_err err = { 0 };

	test_ok(ws_machine_load(&p->machine, "gtx480", &err) == WS_OK, "machine %s", err.text);
	p->section = s;
	p->sections = 1;
	p->sample_rate = 1;
	*s = (struct ws_section){ .kernel = ws_strdup(kernel), .grid = { 8, 4, 1 },
				  .block = { 16, 8, 1 }, .launches = 1, .ctas = 32 };
	s->geometry = ws_alloc_zero(GEOMETRIES, sizeof *s->geometry);
	s->geometries = GEOMETRIES;
	for (size_t i = 0; i < GEOMETRIES; i++) {
		struct ws_geometry *g = &s->geometry[i];

		g->sets = UINT64_C(1) << i;
		g->line_bytes = g->sector_bytes = p->machine.l1.line_bytes;
		fill_histogram(&g->kind[WS_LOAD], rng, cells(most / g->sets + 1));
		g->kind[WS_STORE].uncached = 211;
		fill_histogram(&g->kind[WS_STORE], rng, cells(most / g->sets / 2));
		g->kind[WS_ATOMIC].requests = g->kind[WS_ATOMIC].uncached = 5;
	}
	return p;
}

/* ---- what is written ---------------------------------------------------------------- */

static void check_reuse(struct ws_profile *p, uint64_t ways)
{
	struct ws_machine m = p->machine;
	struct ws_figure_input in = { .profile = p, .machine = &m };
	const struct ws_geometry *g = &p->section->geometry[5]; /* 32 sets */
	uint64_t want_hits = 0, requests = 0, bar_hits = 0, total = 0, lines = 0;
	char *script, *line;
	const char *bars;

	m.l1.sets = 32;
	m.l1.ways = ways;
	for (unsigned k = 0; k < WS_KINDS; k++) {
		requests += g->kind[k].requests;
		for (size_t d = 0; d < g->kind[k].len && d < ways; d++)
			want_hits += g->kind[k].distance[d];
	}
	script = script_of("reuse", &in);
	bars = find_line(script, "$bars << EOD\n");
	for (line = strtok((char *)bars, "\n"); line && strcmp(line, "EOD");
	     line = strtok(NULL, "\n")) {
		unsigned long long at, count[WS_KINDS];
		const char *label_end = strchr(strchr(line, '"') + 1, '"');

		lines += sscanf(line, "%llu", &at) == 1 &&
			 sscanf(label_end, "\" %llu %llu %llu", &count[0], &count[1], &count[2]) ==
				 3;
		total += count[0] + count[1] + count[2];
		if (at < variable(script, "cut"))
			bar_hits += count[0] + count[1] + count[2];
	}
	test_u64(total, requests, "reuse: all bars together");
	test_u64(bar_hits, want_hits, "reuse: bars left of the cut-off");
	test_u64(variable(script, "hits"), want_hits, "reuse: hits");
	test_u64(lines, variable(script, "bars") + 2, "reuse: bars, cold and uncached");
	free(script);
}

static void test_reuse(uint64_t seed)
{
	static const size_t most[] = { 32, 200, 3000, 1000000 };
	static const uint64_t ways[] = { 1, 4, 7, 23, 48, 5000 };
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (size_t i = 0; i < WS_COUNT(most); i++) {
		struct ws_profile *p = make_profile(&rng, "k", most[i]);

		for (size_t w = 0; w < WS_COUNT(ways); w++)
			check_reuse(p, ways[w]);
		ws_profile_free(p);
	}
}

/* Misses of an LRU cache by the definition: distance >= ways, cold, uncached. */
static uint64_t lru_misses(const struct ws_section *s, uint64_t sets, uint64_t ways)
{
	const struct ws_geometry *g = ws_section_geometry(s, 128, sets);
	uint64_t n = 0;

	for (unsigned k = 0; k < WS_KINDS; k++) {
		n += g->kind[k].cold + g->kind[k].uncached;
		for (uint64_t d = ways; d < g->kind[k].len; d++)
			n += g->kind[k].distance[d];
	}
	return n;
}

static void check_curve(const struct ws_profile *p, const char *script, uint64_t ways)
{
	uint64_t line_bytes = p->machine.l1.line_bytes, points = 0, wrong = 0;
	unsigned long long size, misses, requests;
	const char *line;
	char start[64];

	snprintf(start, sizeof start, "$ways%" PRIu64 " << EOD\n", ways);
	line = find_line(script, start);
	for (; sscanf(line, "%llu %llu %llu", &size, &misses, &requests) == 3;
	     line = strchr(line, '\n') + 1) {
		uint64_t lines = size / line_bytes;

		points++;
		wrong += misses != lru_misses(p->section, ways ? lines / ways : 1,
					      ways ? ways : lines);
	}
	test_ok(points >= 4 && wrong == 0, "missratio: %" PRIu64 " ways: %" PRIu64 " points, %"
		PRIu64 " wrong", ways, points, wrong);
}

static void test_missratio(uint64_t seed)
{
	static const uint64_t ways[] = { 1, 2, 4, 8, 16, 0 };
	struct ws_figure_input in = { 0 };
	struct ws_profile *p;
	struct ws_rng rng;
	char *script;

	ws_rng_seed(&rng, seed);
	in.profile = p = make_profile(&rng, "k", 700);
	script = script_of("missratio", &in);
	for (size_t i = 0; i < WS_COUNT(ways); i++)
		check_curve(p, script, ways[i]);
	test_u64(variable(script, "own_misses"), lru_misses(p->section, 32, 4),
		 "missratio: own point");
	test_u64(variable(script, "own_floor"), 37 + 37 + 211 + 5, "missratio: floor");
	free(script);
	ws_profile_free(p);
}

/* ---- a trace made by hand --------------------------------------------------------------- */

#define CTAS 6u
#define MANY_CTAS 3000u
#define LANES 48u /* 16 x 3 */
#define OUT_AT(ctas) (0x10000 + ((ctas) > CTAS ? 0x100000 : 0x400))

/* Each thread loads in[global x] and stores out[48 * cta + lane], and the load has a stray. */
static void encode_cta(struct ws_encoder *e, uint64_t cta, uint64_t in, uint64_t out)
{
	uint64_t mask = (UINT64_C(1) << LANES) - 1, load[LANES], store[LANES];
	const uint64_t *address[] = { load, store };

	for (uint64_t lane = 0; lane < LANES; lane++) {
		load[lane] = in + 4 * (cta * 16 + lane % 16);
		store[lane] = out + 4 * (cta * LANES + lane);
	}
	ws_encoder_begin(e);
	ws_encoder_step(e, 0, &mask, address);
}

static struct ws_trace *make_trace(const char *path, const char *kernel, uint64_t ctas)
{
	struct ws_instruction instruction[] = {
		{ .kind = WS_LOAD, .bytes = 4, .array = 0, .use = 1 },
		{ .kind = WS_STORE, .bytes = 4, .array = 1 },
	};
	struct ws_segment segment = { .first = 0, .count = 2 };
	struct ws_array array[] = { { (char *)"in", 0x10000, 4 * 16 * ctas },
				    { (char *)"out", OUT_AT(ctas), 4 * LANES * ctas } };
	struct ws_launch launch = {
		.kernel = (char *)kernel, .grid = { ctas, 1, 1 }, .block = { 16, 3, 1 },
		.array = array, .arrays = 2, .instruction = instruction, .instructions = 2,
		.segment = &segment, .segments = 1, .ctas = ctas,
	};
	uint64_t accesses[WS_KINDS] = { 0 }, lens[MANY_CTAS];
	struct ws_buf data = { 0 }, packed = { 0 };
	struct ws_trace_writer *w = NULL;
	struct ws_encoder *e = NULL;
	struct ws_trace *t = NULL;
	struct ws_err err = { 0 };
	struct ws_out out;
	bool ok;

	ok = ws_out_open(&out, path, &err) == WS_OK &&
	     ws_trace_writer_new(&w, &out, &err) == WS_OK &&
	     ws_trace_writer_launch(w, &launch, &err) == WS_OK &&
	     ws_encoder_new(&e, &launch, &err) == WS_OK;
	for (uint64_t cta = 0; ok && cta < ctas; cta++) {
		size_t before = data.len;

		encode_cta(e, cta, array[0].base, array[1].base);
		ok = ws_encoder_end(e, &data, accesses, &err) == WS_OK;
		lens[cta] = data.len - before;
	}
	ok = ok && ws_chunk_pack(&packed, 0, 0, &data, lens, ctas, &err) == WS_OK &&
	     ws_trace_writer_chunk(w, &packed, 0, ctas, accesses, &err) == WS_OK &&
	     ws_trace_writer_end(w, &err) == WS_OK && ws_out_commit(&out, &err) == WS_OK &&
	     ws_trace_open(&t, path, &err) == WS_OK;
	test_ok(ok, "a trace: %s", err.text);
	ws_encoder_free(e);
	ws_trace_writer_free(w);
	ws_buf_clear(&data);
	ws_buf_clear(&packed);
	return t;
}

/* Counts the marks, and those that are where thread-at-a-time execution puts them. */
static void count_marks(const char *script, uint64_t *marks, uint64_t *in_sequence)
{
	const char *line = find_line(script, "$marks << EOD\n");

	*marks = *in_sequence = 0;
	for (; line && strncmp(line, "EOD", 3) != 0; line = strchr(line, '\n') + 1) {
		unsigned long long order, offset, length;
		uint64_t thread, cta;

		if (*line == '\n' ||
		    sscanf(line, "%llu %llu %llu", &order, &offset, &length) != 3)
			continue;
		thread = order / 2;
		cta = thread / LANES;
		++*marks;
		*in_sequence += offset == (order % 2 ? 0x400 + 4 * thread
						     : 4 * (cta * 16 + thread % 16));
	}
}

static void test_access(const struct ws_trace *t, const struct ws_machine *m)
{
	static const char *const order[] = { "sequential", "round-robin", "random", "warp" };
	struct ws_figure_input in = { .trace = t, .machine = m, .seed = 7 };
	uint64_t marks, in_sequence;

	for (size_t i = 0; i < WS_COUNT(order); i++) {
		char *script;

		in.order = order[i];
		script = script_of("access", &in);
		count_marks(script, &marks, &in_sequence);
		test_u64(marks, 2 * CTAS * LANES, order[i]);
		if (i == 0)
			test_u64(in_sequence, marks, "sequential: each thread in turn");
		else
			test_ok(in_sequence < marks, "%s: not in sequence", order[i]);
		test_u64(variable(script, "regions"), 2, "access: arrays");
		test_u64(variable(script, "height"), 0x400 + 4 * LANES * CTAS, "access: height");
		free(script);
	}
}

/* Bins follow one another from 0 to the end, at either end of each; their sums are the cycle
 * simulator's. */
static void test_missrate_time(const struct ws_trace *t, const struct ws_machine *m)
{
	struct ws_figure_input in = { .trace = t, .machine = m, .seed = 7 };
	char *script = script_of("missrate-time", &in);
	uint64_t sum[3] = { 0 }, end = 0, wrong = 0, bins = 0;
	const char *line = find_line(script, "$bins << EOD\n");

	for (; line && *line != '\n'; bins++) {
		unsigned long long from, to, a[3], b[3];

		if (sscanf(line, "%llu %llu %llu %llu\n%llu %llu %llu %llu", &from, &a[0], &a[1],
			   &a[2], &to, &b[0], &b[1], &b[2]) != 8)
			break;
		wrong += from != end || to <= from || memcmp(a, b, sizeof a) != 0;
		for (int i = 0; i < 3; i++)
			sum[i] += a[i];
		end = to;
		line = strchr(strchr(line, '\n') + 1, '\n') + 1;
	}
	test_ok(bins > 1 && wrong == 0, "missrate-time: %" PRIu64 " bins, %" PRIu64 " wrong", bins,
		wrong);
	test_ok(end == variable(script, "cycles") && variable(script, "launches") == 1,
		"missrate-time: up to the end");
	test_ok(sum[0] == variable(script, "misses") && sum[1] == variable(script, "pending") &&
		sum[2] == variable(script, "requests") && sum[2] > 0, "missrate-time: sums");
	free(script);
}

/* log2 of the sectors of the smallest aligned block, at most 2, by trying. */
static unsigned block_of(uint32_t sectors)
{
	for (unsigned size = 0; size < 2; size++)
		for (unsigned first = 0; first < 32; first += 1u << size)
			if (!(sectors & ~(((1u << (1u << size)) - 1) << first)))
				return size;
	return 2;
}

/* The next `width` requests of each SM from `at` on, loads and stores; their number. */
static uint64_t next_round(const struct ws_streams *s, uint64_t at, uint64_t width,
			   uint64_t size[3])
{
	uint64_t n = 0;

	for (size_t sm = 0; sm < s->sms; sm++)
		for (uint64_t i = at; i < at + width && i < s->sm[sm].count; i++, n++)
			size[block_of(s->sm[sm].request[i].sectors)]++;
	return n;
}

/* A step of the figure, if it is the one at *line: both its ends. */
static bool same_step(const char **line, uint64_t from, uint64_t to, const uint64_t size[3])
{
	char want[256];
	int len = 0;

	for (int end = 0; end < 2; end++)
		len += snprintf(want + len, sizeof want - (size_t)len,
				"%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
				end ? to : from, size[0], size[1], size[2]);
	if (strncmp(*line, want, (size_t)len) != 0)
		return false;
	*line += len;
	return true;
}

static void check_request_sizes(const struct ws_streams *s, const char *script, uint64_t period)
{
	const char *line = find_line(script, "$bins << EOD\n");
	uint64_t most = 0, width = 1, from = 0, to = 0, all = 0, wrong = 0, steps = 0,
		 size[3] = { 0 };

	for (size_t sm = 0; sm < s->sms; sm++) {
		most = s->sm[sm].count > most ? s->sm[sm].count : most;
		all += s->sm[sm].count;
	}
	while ((most + width - 1) / width > 4096)
		width *= 2;
	period = period ? period : all / 250 + 1;
	for (uint64_t at = 0; at < most; at += width) {
		to += next_round(s, at, width, size);
		if (to - from < period && at + width < most)
			continue;
		wrong += !same_step(&line, from, to, size);
		steps++;
		from = to;
		memset(size, 0, sizeof size);
	}
	test_ok(wrong == 0 && strncmp(line, "EOD\n", 4) == 0,
		"request-sizes, %" PRIu64 " requests, "
		"rounds of %" PRIu64 ": %" PRIu64 " steps, %" PRIu64 " wrong",
		all, width, steps, wrong);
	test_ok(variable(script, "requests") == all && variable(script, "period") == period &&
			variable(script, "of_32") + variable(script, "of_64") +
					variable(script, "of_128") ==
				all &&
			variable(script, "of_64") > 0 && variable(script, "launches") == 1,
		"request-sizes: sums");
}

static void test_request_sizes(const struct ws_trace *t, const struct ws_machine *m,
			       uint64_t period)
{
	struct ws_figure_input in = { .trace = t, .machine = m, .seed = 7, .period = period };
	struct ws_profile_options options = { .seed = 7 };
	struct ws_streams *s;
	struct ws_err err = { 0 };
	size_t launches;
	char *script;

	if (!test_ok(ws_streams_make(&s, &launches, t, m, &options, &err) == WS_OK, "streams"))
		return;
	script = script_of("request-sizes", &in);
	check_request_sizes(s, script, period);
	free(script);
	ws_streams_free(s, launches);
}

/* One SM with a stream so long that rounds are put together. */
static void test_long_stream(const struct ws_machine *machine)
{
	struct ws_trace *t = make_trace(in_folder("t.wst"), "k", MANY_CTAS);
	struct ws_machine m = *machine;

	m.sm_count = 1;
	if (t) {
		test_request_sizes(t, &m, 0);
		test_request_sizes(t, &m, 1000);
	}
	ws_trace_close(t);
}

/* Seven line sizes; the whole's loads and stores are all structures'. */
static void test_softcache_lines(const struct ws_trace *t, const struct ws_machine *m)
{
	struct ws_figure_input in = { .trace = t, .machine = m, .seed = 7 };
	const struct ws_launch *l = ws_trace_launch(t, 0);
	char *script = script_of("softcache-lines", &in);
	const char *line = find_line(script, "$whole << EOD\n");
	unsigned long long bytes, lines, hits, all, chosen;
	uint64_t size = 4, wrong = 0;

	for (; line && sscanf(line, "%llu %llu %llu %llu %llu", &bytes, &lines, &hits, &all,
			      &chosen) == 5; size *= 2) {
		wrong += bytes != size || hits > all || chosen > lines ||
			 all != l->accesses[WS_LOAD] + l->accesses[WS_STORE];
		line = strchr(line, '\n') + 1;
	}
	test_ok(size == 512 && wrong == 0, "softcache-lines: up to %" PRIu64 " bytes, %" PRIu64
		" wrong", size / 2, wrong);
	test_ok(variable(script, "curves") == variable(script, "structures") &&
		variable(script, "curves") > 0 && variable(script, "threshold") == 300,
		"softcache-lines: %" PRIu64 " structures", variable(script, "structures"));
	free(script);
}

/* ---- what is drawn -------------------------------------------------------------------------- */

static char *slurp(const char *path, size_t *len)
{
	struct ws_in in;
	char *text;

	*len = 0;
	if (ws_in_open(&in, path, NULL) != WS_OK)
		return NULL;
	text = malloc(in.len + 1);
	memcpy(text, in.data, in.len);
	text[in.len] = '\0';
	*len = in.len;
	ws_in_close(&in);
	return text;
}

static void draw(const char *figure, const struct ws_figure_input *in, const char *name,
		 const char *magic)
{
	const char *path = in_folder(name);
	struct ws_err err = { 0 };
	size_t len;
	char *text;

	test_ok(ws_plot(ws_figure_find(figure), in, path, 0, &err) == WS_OK, "%s to %s %s", figure,
		name, err.text);
	text = slurp(path, &len);
	test_ok(text && len > 1000 && memmem(text, 64, magic, strlen(magic)), "%s is a picture: "
		"%zu bytes", name, len);
	free(text);
}

static void same_bytes(const char *a, const char *b)
{
	size_t na, nb;
	char *x = slurp(in_folder(a), &na), *y = slurp(in_folder(b), &nb);

	test_ok(x && y && na == nb && memcmp(x, y, na) == 0, "%s and %s: same bytes", a, b);
	free(x);
	free(y);
}

/* A kernel without accesses to global memory, and one that only misses. */
static void test_empty(const struct ws_figure_input *good)
{
	struct ws_rng rng;
	struct ws_profile *p;
	struct ws_figure_input in = *good;

	ws_rng_seed(&rng, 1);
	in.profile = p = make_profile(&rng, "none", 0);
	for (size_t i = 0; i < GEOMETRIES; i++) {
		for (unsigned k = 0; k < WS_KINDS; k++) {
			struct ws_histogram *h = &p->section->geometry[i].kind[k];

			h->requests = h->cold = h->uncached = 0;
			h->len = 0;
		}
	}
	draw("reuse", &in, "reuse.svg", "<?xml");
	draw("missratio", &in, "again.svg", "<?xml");
	for (size_t i = 0; i < GEOMETRIES; i++)
		p->section->geometry[i].kind[WS_STORE].requests =
			p->section->geometry[i].kind[WS_STORE].uncached = 99;
	draw("reuse", &in, "reuse.svg", "<?xml");
	draw("missratio", &in, "again.svg", "<?xml");
	ws_profile_free(p);
}

static void test_drawing(const struct ws_figure_input *in)
{
	size_t len;
	char *text;

	test_empty(in);
	draw("reuse", in, "reuse.svg", "<?xml");
	draw("reuse", in, "again.svg", "<?xml");
	same_bytes("reuse.svg", "again.svg");
	draw("missratio", in, "missratio.pdf", "%PDF");
	draw("access", in, "access.png", "\x89PNG");
	draw("access", in, "access.svg", "<?xml");
	draw("missrate-time", in, "time.svg", "<?xml");
	draw("softcache-lines", in, "lines.svg", "<?xml");
	draw("request-sizes", in, "sizes.svg", "<?xml");
	text = slurp(in_folder("reuse.svg"), &len);
	test_ok(text && strstr(text, "it's `touch"), "a hostile name is shown as it is");
	free(text);
}

/* ---- failures -------------------------------------------------------------------- */

static void refused(const struct ws_figure_input *in, const char *figure, const char *path,
		    unsigned width, enum ws_status want, const char *text)
{
	struct ws_err err = { 0 };
	enum ws_status got = ws_plot(ws_figure_find(figure), in, path, width, &err);

	test_ok(got == want && strstr(err.text, text), "refused: %s (%d)", err.text, got);
}

static void test_refusals(const struct ws_figure_input *good)
{
	const char *svg = in_folder("refused.svg");
	struct ws_figure_input in = *good;
	struct ws_machine m = *good->machine;

	refused(&in, "reuse", in_folder("x.jpg"), 0, WS_EINVAL, ".svg, .png, .pdf, .eps or .tex");
	refused(&in, "reuse", "-", 0, WS_EINVAL, ".svg, .png, .pdf, .eps or .tex");
	refused(&in, "reuse", svg, 100000, WS_EINVAL, "240..1200");
	refused(&in, "reuse", "/nowhere/x.svg", 0, WS_EIO, "/nowhere/x.svg");
	in.kernel = "nil";
	refused(&in, "reuse", svg, 0, WS_EINVAL, "kernel nil is not in the profile");
	refused(&in, "access", svg, 0, WS_EINVAL, "kernel nil is not in");
	refused(&in, "missrate-time", svg, 0, WS_EINVAL, "kernel nil is not in");
	refused(&in, "softcache-lines", svg, 0, WS_EINVAL, "kernel nil is not in");
	refused(&in, "request-sizes", svg, 0, WS_EINVAL, "kernel nil is not in");
	in.kernel = NULL;
	in.order = "warped";
	refused(&in, "access", svg, 0, WS_EINVAL, "order warped: want warp, sequential");
	in.machine = &m;
	m.l1.sets = 31;
	refused(&in, "reuse", svg, 0, WS_EINVAL, "l1.sets=31: of lines of 128 B the profile holds "
		"1 2 4");
	in.profile = NULL;
	in.trace = NULL;
	refused(&in, "missratio", svg, 0, WS_EINVAL, "made of a profile");
	refused(&in, "access", svg, 0, WS_EINVAL, "made of a trace");
	refused(&in, "bars", svg, 0, WS_EINVAL, "made of a table");
	test_ok(access(svg, F_OK) != 0, "nothing was written");
	test_ok(ws_figure_find("nil") == NULL, "no figure nil");
}

/* Something else of that name on the PATH. */
static void test_gnuplot_fails(const struct ws_figure_input *in, const char *body, const char *want)
{
	const char *fake = in_folder("gnuplot"), *svg = in_folder("reuse.svg");
	size_t before, after;

	free(slurp(svg, &before));
	unlink(fake);
	if (body) {
		FILE *f = fopen(fake, "w");

		fprintf(f, "#!/bin/sh\n%s\n", body);
		fclose(f);
		chmod(fake, 0755);
	}
	refused(in, "reuse", svg, 0, WS_EIO, want);
	free(slurp(svg, &after));
	test_u64(after, before, "the old picture is left");
}

static void test_failures(const struct ws_figure_input *in)
{
	char *path = ws_strdup(getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");

	setenv("PATH", folder, 1);
	test_gnuplot_fails(in, NULL, "apt-get install gnuplot-nox");
	test_gnuplot_fails(in, "echo 'line 3: no such thing' >&2; exit 5",
			   "exited with 5: line 3: no such thing");
	test_gnuplot_fails(in, "kill -9 $$", "signal 9");
	test_gnuplot_fails(in, "exit 0", "incomplete picture");
	setenv("PATH", path, 1);
	free(path);
}

static void clean(void)
{
	static const char *const name[] = { "reuse.svg", "again.svg", "missratio.pdf", "access.png",
					    "access.svg", "time.svg", "lines.svg",
					    "sizes.svg", "gnuplot", "t.wst" };

	for (size_t i = 0; i < WS_COUNT(name); i++)
		unlink(in_folder(name[i]));
	test_ok(rmdir(folder) == 0, "no other file is left behind");
}

int main(void)
{
	static const char hostile[] = "it's `touch x` \"$HOME\\n @a <&>\n\t%s {/:Bold}";
	struct ws_figure_input in = { .seed = 1 };
	struct ws_profile *p;
	struct ws_trace *t;
	uint64_t seed = test_seed(11);
	struct ws_rng rng;

	setenv("WARPSTACK_DATA", "data", 0);
	if (!mkdtemp(folder))
		return 1;
	for (size_t i = 0; ws_figures[i]; i++)
		test_ok(ws_figure_find(ws_figures[i]->name) == ws_figures[i] &&
				ws_figures[i]->summary && ws_figures[i]->data,
			"figure %s", ws_figures[i]->name);
	test_reuse(seed);
	test_missratio(seed);
	ws_rng_seed(&rng, seed);
	in.profile = p = make_profile(&rng, hostile, 3000);
	in.machine = &p->machine;
	in.trace = t = make_trace(in_folder("t.wst"), hostile, CTAS);
	if (t) {
		test_access(t, in.machine);
		test_missrate_time(t, in.machine);
		test_softcache_lines(t, in.machine);
		test_request_sizes(t, in.machine, 0);
		test_request_sizes(t, in.machine, 7);
		test_refusals(&in);
		if (system("command -v gnuplot >/dev/null") == 0) {
			test_drawing(&in);
			test_failures(&in);
		} else {
			test_skip("pictures", "gnuplot is not installed");
		}
	}
	ws_trace_close(t);
	test_long_stream(&p->machine);
	ws_profile_free(p);
	clean();
	return test_done();
}
