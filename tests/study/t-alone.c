/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row depends on itself alone: whatever is asked beside it, in whatever order, by however many
 * threads, and whether its keys are set or varied, a configuration's rows are the same to the last
 * bit as when it is asked for all alone.  And a product of which one configuration is refused alone
 * is refused, no other.
 *
 * Random products of two or three keys, with some of their values in any order, of launch files, of
 * foreign traces and of profiles with the orders of several L1s.  WS_TEST_ROUNDS products of each
 * input, of slow ones too; an argument names the one input to test.  Of a violation the smallest
 * product that shows it is printed, as commands.
 */
#include "tests/study/alone.h"
#include "trace/capture.h"
#include "trace/import.h"

#include <unistd.h>

#define ROUNDS 3u	/* unless more are asked for */
#define FEW 8u		/* configurations of a product, then */
#define MANY 14u

/* ---- rows as texts --------------------------------------------------------------------- */

static void put(struct ws_buf *b, const char *fmt, ...) WS_PRINTF(2, 3);

static void put(struct ws_buf *b, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	ws_put_bytes(b, text, strlen(text));
}

static void put_counts(struct ws_buf *b, const char *of, unsigned kind, const struct ws_counts *c)
{
	const uint64_t n[] = { c->requests, c->hits, c->pending, c->misses, c->cold, c->capacity,
			       c->conflict, c->uncached, c->sectors, c->sectors_missed };
	static const char *const names[] = { "requests", "hits", "pending", "misses", "cold",
					     "capacity", "conflict", "uncached", "sectors",
					     "sectors_missed" };

	for (size_t i = 0; i < WS_COUNT(n); i++)
		put(b, "%s.%u.%s=%" PRIu64 "\t", of, kind, names[i], n[i]);
}

static void put_prediction(struct ws_buf *b, const char *of, const struct ws_prediction *p)
{
	for (unsigned k = 0; k <= WS_KINDS; k++) {
		put_counts(b, of, k, &p->kind[k]);
		put(b, "%s.%u.ratio=%a\t%s.%u.low=%a\t%s.%u.high=%a\t%s.%u.error_pp=%a\t", of, k,
		    ws_miss_ratio(&p->kind[k], false), of, k, p->low[k], of, k, p->high[k], of, k,
		    p->error_pp[k]);
	}
	put(b, "%s.basis=%s\t%s.unsure=%d\t%s.instructions=%" PRIu64 "\t", of,
	    ws_basis_names[p->basis], of, p->low_confidence, of, p->instructions);
}

static void put_timing(struct ws_buf *b, const struct ws_timing *t)
{
	put_prediction(b, "timing.l1", &t->l1);
	put_prediction(b, "timing.l2", &t->l2);
	put(b, "timing.l2_assumed=%d\ttiming.fetch=%a\ttiming.access=%a\ttiming.load=%a\t"
	    "timing.mshrs=%a\ttiming.dram=%a\ttiming.cycles=%a\ttiming.anchor=%a\t"
	    "timing.binds=%s\t",
	    t->l2_assumed, t->fetch_cycles, t->access_cycles, t->load_cycles, t->mshrs,
	    t->dram_bytes, t->cycles, t->anchor_cycles, ws_bound_name(t->binds));
	for (unsigned i = 0; i < WS_BOUNDS; i++)
		put(b, "timing.bound.%s=%a\t", ws_bound_name((enum ws_bound)i), t->bound[i]);
}

static void put_machine(struct ws_buf *b, const struct ws_machine *m)
{
	for (const struct ws_key *k = ws_keys; k->name; k++) {
		char text[WS_NAME_MAX * 2];

		ws_machine_get(m, k, text, sizeof text);
		put(b, "machine.%s=%s\t", k->name, text);
	}
}

static void put_row(struct ws_buf *b, const struct ws_row *r)
{
	put(b, "kernel=%s\tl2=%d\tkind=%u\torder=%s\t", r->kernel, r->l2, r->kind,
	    r->order ? r->order : "none");
	if (r->prediction)
		put_prediction(b, "row", r->prediction);
	if (r->part) {
		put(b, "array=%s\tfile=%s\tline=%u\t", r->part->array ? r->part->array : "any",
		    r->part->file ? r->part->file : "any", r->part->line);
		put_prediction(b, "part", &r->part->prediction);
	}
	if (r->spread)
		put(b, "runs=%" PRIu64 "\tmedian=%a\tsd=%a\tmin=%a\tmax=%a\t", r->spread->runs,
		    r->spread->median, r->spread->sd, r->spread->min, r->spread->max);
	if (r->timing)
		put_timing(b, r->timing);
	if (r->check) {
		put_prediction(b, "check", &r->check->model);
		for (unsigned k = 0; k <= WS_KINDS; k++)
			put_counts(b, "exact", k, &r->check->exact[k]);
		put(b, "check.other=%d\tcheck.agree=%d\tcheck.error=%a\tcheck.within=%d\t",
		    r->check->other_stream, r->check->agree, r->check->error_pp,
		    r->check->within_bound);
	}
	put_machine(b, r->machine);
	put(b, "\n");
}

/* ---- answers --------------------------------------------------------------------------- */

struct answer {
	enum ws_status status;
	struct ws_err err;
	struct ws_buf *rows;	/* [count]: of each configuration */
	uint64_t count, next;
	bool ascending;
};

static void answer_clear(struct answer *a)
{
	for (uint64_t i = 0; i < a->count; i++)
		ws_buf_clear(&a->rows[i]);
	free(a->rows);
	*a = (struct answer){ 0 };
}

static enum ws_status take(void *context, const struct ws_row *row, struct ws_err *err)
{
	struct answer *a = context;

	if (row->config >= a->count)
		return ws_fail(err, WS_EINVAL, "a row of a configuration that was not asked for");
	a->ascending &= row->config >= a->next;
	a->next = row->config;
	put_row(&a->rows[row->config], row);
	return WS_OK;
}

static enum ws_status study(const struct ws_study_options *o, enum verb verb,
			    const struct input *in, struct answer *a, struct ws_err *err)
{
	const struct ws_study_input input = { in->of_profile ? NULL : in->trace, in->profile };
	struct ws_study_plan plan = { 0 };
	enum ws_status status = ws_study_plan_init(&plan, o, input.profile, input.trace, err);

	if (status == WS_OK) {
		a->count = plan.count;
		a->rows = ws_alloc_zero(plan.count + 1, sizeof *a->rows);
		if (!a->rows)
			status = ws_fail_memory(err, "rows");
	}
	if (status == WS_OK && verb == PREDICT)
		status = ws_study_predict(o, &plan, &input, take, a, err);
	else if (status == WS_OK && verb == SIMULATE)
		status = ws_study_simulate(o, &plan, &input, take, a, err);
	else if (status == WS_OK)
		status = ws_study_crosscheck(o, &plan, &input, -1, take, a, err);
	ws_study_plan_clear(&plan);
	return status;
}

static struct answer ask(const struct input *in, const struct query *q)
{
	bool own = q->order && strcmp(q->order, "own") == 0;
	struct ws_study_options o = {
		.machine = q->machine, .order = own ? "cycles" : q->order, .own = own,
		.levels = q->levels, .latency = q->latency, .seed = WS_SEED_DEFAULT,
		.runs = q->runs,
		.by = q->by, .verify = q->verify, .threads = q->threads, .sample = q->sample,
	};
	char vary[KEYS][TEXT * 4];
	struct answer a = { .ascending = true };

	for (size_t i = 0; i < q->sets; i++)
		ws_list_add(&o.set, q->set[i]);
	for (size_t v = 0; v < q->varies; v++) {
		size_t len = (size_t)snprintf(vary[v], sizeof vary[v],
					      "%s=", pools[q->vary[v]].key);

		for (size_t i = 0; i < q->count[v]; i++)
			len += (size_t)snprintf(vary[v] + len, sizeof vary[v] - len, "%s%s",
						i ? "," : "",
						pools[q->vary[v]].value[q->list[v][i]]);
		ws_list_add(&o.vary, vary[v]);
	}
	a.status = study(&o, q->verb, in, &a, &a.err);
	ws_list_clear(&o.set);
	ws_list_clear(&o.vary);
	return a;
}

/* ---- what was asked alone before ------------------------------------------------------ */

static struct known {
	char *text;
	struct answer answer;
} *known;
static size_t knowns, known_cap;

static const struct answer *asked_alone(const struct input *in, const struct query *q)
{
	char text[2048] = "";

	words(in, q, text, sizeof text);
	for (size_t i = 0; i < knowns; i++)
		if (strcmp(known[i].text, text) == 0)
			return &known[i].answer;
	if (!WS_ROOM(known, known_cap, knowns + 1))
		exit(1);
	known[knowns] = (struct known){ ws_strdup(text), ask(in, q) };
	return &known[knowns++].answer;
}

static void forget(void)
{
	while (knowns) {
		free(known[--knowns].text);
		answer_clear(&known[knowns].answer);
	}
	free(known);
	known = NULL;
	known_cap = 0;
}

/* ---- the property ------------------------------------------------------------------------- */

static bool same_rows(const struct ws_buf *a, const struct ws_buf *b)
{
	return a->len == b->len && (!a->len || memcmp(a->data, b->data, a->len) == 0);
}

/* The first few fields that differ, of the first row that does. */
static void print_difference(const struct ws_buf *a, const struct ws_buf *b)
{
	size_t i = 0, j = 0, row = 0, shown = 0;

	while (i < a->len && j < b->len && shown < 8) {
		size_t x = i, y = j;

		while (x < a->len && a->data[x] != '\t' && a->data[x] != '\n')
			x++;
		while (y < b->len && b->data[y] != '\t' && b->data[y] != '\n')
			y++;
		if (x - i != y - j || memcmp(a->data + i, b->data + j, x - i)) {
			printf("#   row %zu: %.*s, alone %.*s\n", row, (int)(x - i),
			       (const char *)a->data + i, (int)(y - j), (const char *)b->data + j);
			shown++;
		}
		if (x < a->len && a->data[x] == '\n') {
			if (shown)
				return;
			row++;
		}
		i = x + 1;
		j = y + 1;
	}
	if (!shown)
		printf("#   %zu bytes of rows, alone %zu\n", a->len, b->len);
}

enum { FINE, OTHERWISE, REFUSED, TAKEN }; /* of a product */

/* Which configuration is not as it is alone, if any. */
static int violated(const struct input *in, const struct query *q, uint64_t *config)
{
	struct answer together = ask(in, q);
	uint64_t n = product(q);
	int result = together.status == WS_OK && !together.ascending ? OTHERWISE : FINE;
	bool refused = false;

	for (*config = 0; *config < n && result == FINE; ++*config) {
		struct query one = alone(q, *config);
		const struct answer *a = asked_alone(in, &one);

		refused |= a->status != WS_OK;
		if (together.status != WS_OK)
			continue;
		if (a->status != WS_OK)
			result = TAKEN;
		else if (together.count != n || !same_rows(&together.rows[*config], &a->rows[0]))
			result = OTHERWISE;
		if (result != FINE)
			break;
	}
	/* Who misses is told of one l1.sets at a time. */
	if (together.status != WS_OK && !refused && result == FINE && !q->by) {
		result = REFUSED;
		*config = 0;
	}
	answer_clear(&together);
	return result;
}

static void without(struct query *q, size_t v, size_t i)
{
	q->count[v]--;
	memmove(&q->list[v][i], &q->list[v][i + 1], (q->count[v] - i) * sizeof q->list[v][0]);
}

/* A key with one value left is set. */
static void settle(struct query *q, size_t v)
{
	add_set(q, q->vary[v], q->list[v][0]);
	q->varies--;
	for (; v < q->varies; v++) {
		q->vary[v] = q->vary[v + 1];
		memcpy(q->list[v], q->list[v + 1], sizeof q->list[v]);
		q->count[v] = q->count[v + 1];
	}
}

/* A smaller question that is violated in the same way; false: none. */
static bool smaller(const struct input *in, struct query *q, int how)
{
	struct query less;
	uint64_t config;

	for (size_t v = 0; v < q->varies; v++)
		for (size_t i = 0; q->count[v] > 1 && i < q->count[v]; i++) {
			less = *q;
			without(&less, v, i);
			if (violated(in, &less, &config) == how) {
				*q = less;
				return true;
			}
		}
	for (size_t v = 0; v < q->varies && q->sets < SETS + KEYS; v++) {
		less = *q;
		if (q->count[v] > 1)
			continue;
		settle(&less, v);
		if (less.varies && violated(in, &less, &config) == how) {
			*q = less;
			return true;
		}
	}
	for (size_t i = 0; i < q->sets; i++) {
		less = *q;
		less.sets--;
		memmove(less.set[i], less.set[i + 1], (less.sets - i) * TEXT);
		if (violated(in, &less, &config) == how) {
			*q = less;
			return true;
		}
	}
	for (unsigned i = 0; i < 5; i++) {
		less = *q;
		less.threads = i == 0 ? 1 : q->threads;
		less.latency &= i != 1;
		less.verify &= i != 2;
		less.levels = i == 3 ? WS_STUDY_L1 : q->levels;
		if (i == 4)
			less.runs = 0;
		if (memcmp(&less, q, sizeof less) && violated(in, &less, &config) == how) {
			*q = less;
			return true;
		}
	}
	return false;
}

static void report(const struct input *in, struct query *q, int how, uint64_t seed)
{
	char text[2048] = "";
	struct query one;
	const struct answer *a;
	struct answer together;
	uint64_t config;

	while (smaller(in, q, how))
		;
	if (violated(in, q, &config) != how) {
		printf("# it comes and goes\n");
		config = 0;
	}
	words(in, q, text, sizeof text);
	test_ok(false, "%s: WS_TEST_SEED=%" PRIu64 ": %s", how == OTHERWISE ?
		"other rows than alone" : how == TAKEN ? "one is refused alone" :
		"refused, though each is taken alone", seed, text);
	one = alone(q, config);
	together = ask(in, q);
	a = asked_alone(in, &one);
	words(in, &one, text, sizeof text);
	printf("#   alone: %s\n", text);
	if (a->status != WS_OK || together.status != WS_OK)
		printf("#   together: %s; alone: %s\n", together.err.text, a->err.text);
	else
		print_difference(&together.rows[config], &a->rows[0]);
	answer_clear(&together);
}

/* ---- questions at random --------------------------------------------------------------- */

static bool one_in(struct ws_rng *rng, uint64_t n)
{
	return ws_rng_below(rng, n) == 0;
}

static bool named(const struct query *q, size_t pool)
{
	size_t len = strlen(pools[pool].key);

	for (size_t v = 0; v < q->varies; v++)
		if (strcmp(pools[q->vary[v]].key, pools[pool].key) == 0)
			return true;
	for (size_t i = 0; i < q->sets; i++)
		if (strncmp(q->set[i], pools[pool].key, len) == 0 && q->set[i][len] == '=')
			return true;
	return false;
}

static size_t draw_pool(const struct query *q, const struct input *in, struct ws_rng *rng)
{
	size_t pool;

	do
		pool = ws_rng_below(rng, POOLS);
	while (named(q, pool) || (in->of_profile && !pools[pool].profile));
	return pool;
}

/* Some of its values, in any order. */
static void draw_list(struct query *q, size_t v, uint64_t most, struct ws_rng *rng)
{
	size_t n = 0;

	while (n < VALUES && pools[q->vary[v]].value[n])
		n++;
	for (size_t i = 0; i < n; i++)
		q->list[v][i] = i;
	for (size_t i = n; i > 1; i--) {
		size_t j = ws_rng_below(rng, i), other = q->list[v][i - 1];

		q->list[v][i - 1] = q->list[v][j];
		q->list[v][j] = other;
	}
	q->count[v] = 1 + ws_rng_below(rng, most < n ? most : n);
}

static struct query draw(const struct input *in, uint64_t most, struct ws_rng *rng)
{
	static const char *const orders[] = { NULL, NULL, "nominal", "own", "cycles" };
	static const unsigned threads[] = { 1, 2, 5 }, levels[] = { WS_STUDY_L1, WS_STUDY_L1,
		WS_STUDY_L2, WS_STUDY_L1 | WS_STUDY_L2 };
	static const char *const by[] = { "array", "line", "site" };
	struct query q;

	memset(&q, 0, sizeof q); /* smaller() compares its bytes */
	q.verb = in->of_profile || !one_in(rng, 3) ? PREDICT
		 : one_in(rng, 3)                  ? CROSSCHECK
						   : SIMULATE;
	q.machine = in->of_profile ? NULL : one_in(rng, 3) ? "v100" : "gtx480";
	q.order = in->of_profile ? NULL : orders[ws_rng_below(rng, WS_COUNT(orders))];
	q.levels = levels[ws_rng_below(rng, WS_COUNT(levels))];
	q.threads = threads[ws_rng_below(rng, WS_COUNT(threads))];
	q.latency = q.verb == PREDICT && one_in(rng, 3);
	q.verify = q.verb == PREDICT && !in->of_profile && one_in(rng, 6);
	q.by = q.verb == PREDICT && one_in(rng, 12) ? by[ws_rng_below(rng, 3)] : NULL;
	q.runs = q.verb == SIMULATE && one_in(rng, 6) ? 3 : 0;
	q.sample = q.verb == PREDICT && !in->of_profile && one_in(rng, 12) ? 0.1 : 0;
	for (size_t n = one_in(rng, 2) ? ws_rng_below(rng, SETS) : 0; n; n--) {
		size_t pool = draw_pool(&q, in, rng), values = 0;

		while (values < VALUES && pools[pool].value[values])
			values++;
		add_set(&q, pool, ws_rng_below(rng, values));
	}
	for (size_t n = 2 + ws_rng_below(rng, 2); n; n--) {
		q.vary[q.varies] = draw_pool(&q, in, rng);
		if (strcmp(pools[q.vary[q.varies]].key, "machine") == 0)
			q.machine = NULL;
		draw_list(&q, q.varies++, most / 2, rng);
	}
	while (product(&q) > most) {
		size_t v = ws_rng_below(rng, q.varies);

		if (q.count[v] > 1)
			q.count[v]--;
	}
	return q;
}

/* Values that are refused alone are left out; false: nothing remains. */
static bool prune(const struct input *in, struct query *q)
{
	for (uint64_t config = 0; config < product(q); config++) {
		struct query one = alone(q, config);
		size_t v = 0;

		if (asked_alone(in, &one)->status == WS_OK)
			continue;
		for (size_t w = 0; w < q->varies; w++)
			if (q->count[w] > q->count[v])
				v = w;
		if (q->count[v] < 2)
			return false;
		for (size_t i = 0; i < q->count[v]; i++)
			if (q->list[v][i] == chosen(q, config, v)) {
				without(q, v, i);
				break;
			}
		config = UINT64_MAX; /* from 0 */
	}
	return product(q) > 1;
}

struct tally {
	uint64_t products, rows, refused, bad;
};

static uint64_t of_name(const struct input *in)
{
	uint64_t sum = in->of_profile;

	for (const char *c = in->name; *c; c++)
		sum = sum * 31 + (unsigned char)*c;
	return sum;
}

static void round_of(const struct input *in, uint64_t seed, uint64_t most, struct tally *t)
{
	struct query q;
	struct ws_rng rng;
	uint64_t config;
	int how;

	ws_rng_seed(&rng, seed + 1000003 * of_name(in)); /* other products of each input */
	for (unsigned tries = 0; tries < 20; tries++) {
		q = draw(in, most, &rng);
		how = violated(in, &q, &config);
		if (how == FINE && prune(in, &q)) {
			how = violated(in, &q, &config);
			t->products++;
			t->rows += product(&q);
			tries = 20;
		} else if (how == FINE)
			t->refused++;
		if (how == FINE)
			continue;
		t->bad++;
		report(in, &q, how, seed);
		return;
	}
}

/* ---- inputs --------------------------------------------------------------------------------- */

static enum ws_status capture(struct input *in, struct ws_err *err)
{
	const struct ws_capture_options options = { .threads = 1 };
	const char *data = getenv("WARPSTACK_DATA");
	struct ws_program p = { 0 };
	char path[4096];
	enum ws_status status;

	snprintf(path, sizeof path, "%s/%s", data ? data : "data", in->name);
	status = ws_program_read(&p, path, err);
	if (status == WS_OK)
		status = ws_capture_trace(&in->trace, &p, &options, err);
	ws_program_clear(&p);
	return status;
}

/* One thread: some passes over an array, some steps back, some at random. */
static void write_din(FILE *to)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, 5);
	for (unsigned i = 0; i < 5000; i++) {
		uint64_t at = i % 3 == 0   ? 0x100000 + i % 900 * 40
			      : i % 3 == 1 ? 0x200000 + ws_rng_below(&rng, 40000)
					   : 0x100000 + (i - i % 7) % 500 * 64;

		fprintf(to, "%d %" PRIx64 "\n", i % 11 == 0, at);
		if (i % 1800 == 1799)
			fputs("4 0\n", to);
	}
}

/* Twelve groups of four warps, some lanes of which go elsewhere. */
static void write_groups(FILE *to)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, 6);
	fputs("32 12\n", to);
	for (unsigned i = 0; i < 24; i++)
		for (unsigned group = 0; group < 12; group++)
			for (unsigned warp = 0; warp < 4; warp++)
				for (unsigned lane = 0; lane < 32; lane++) {
					uint64_t at = 0x100000 +
						      (i % 6 * 48 + group * 4 + warp) % 200 * 128 +
						      lane * 4;

					if (i % 3 == 2 && lane % 4 == 0)
						at = 0x200000 + ws_rng_below(&rng, 20000) * 4;
					fprintf(to, "0x%" PRIx64 " %c %u %u %u\n", at,
						i % 6 == 5 ? 'W' : 'R', group, warp, i % 6);
				}
}

static enum ws_status import(struct input *in, const char *format, void (*write)(FILE *to),
			     struct ws_err *err)
{
	const struct ws_import_options options = { .arrays = true };
	char *text = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&text, &len);
	struct ws_in from = { .name = (char *)(uintptr_t)in->name };
	enum ws_status status;

	if (!to)
		return ws_fail_memory(err, in->name);
	write(to);
	fclose(to);
	from.data = (const uint8_t *)text;
	from.len = len;
	status = ws_import_trace(&in->trace, &from, ws_trace_format_find(format), &options, err);
	free(text);
	return status;
}

/* As `warpstack profile --grains 32 --l2` makes it. */
static enum ws_status measure(struct input *in, struct ws_err *err)
{
	const struct ws_study_options o = { .machine = "gtx480", .own = true,
					    .levels = WS_STUDY_L1 | WS_STUDY_L2,
					    .seed = WS_SEED_DEFAULT, .threads = 1 };
	const uint64_t sizes[] = { 4096, 8192, 32768, 65536 };
	struct ws_source source = { .options = &o, .trace = in->trace, .seed = o.seed,
				    .record = WS_RECORD_DEFAULT | WS_RECORD_CHUNKS,
				    .grain_period = 32, .behind = { .trace = in->trace } };
	struct ws_shape *plain = NULL;
	size_t plains = 0;
	struct ws_study_plan plan = { 0 };
	enum ws_status status = ws_study_plan_init(&plan, &o, NULL, in->trace, err);

	if (status == WS_OK)
		status = ws_source_machines(&source, &plan, 0, err);
	if (status == WS_OK)
		status = ws_profile_plain(&source.measured, &plain, &plains, err);
	if (status == WS_OK)
		status = ws_l2_wanted_add(&source.behind, &source.measured, err);
	source.behind.set_counts = 0; /* the default */
	for (size_t i = 0; i < plains && status == WS_OK; i++)
		status = ws_shapes_add(&source.plain, plain[i].line_bytes, plain[i].sets, err);
	if (status == WS_OK)
		status = ws_source_profile(&source, &in->profile, err);
	if (status == WS_OK)
		status = ws_source_orders(&source, sizes, WS_COUNT(sizes), in->profile, err);
	free(plain);
	ws_shapes_clear(&source.plain);
	ws_l2_wanted_clear(&source.behind);
	ws_study_plan_clear(&plan);
	return status;
}

static void test_input(struct input *in, uint64_t seed, uint64_t rounds, uint64_t most)
{
	struct tally t = { 0 };

	for (uint64_t i = 0; i < rounds; i++)
		round_of(in, seed + i, most, &t);
	test_ok(!t.bad, "%s%s: %" PRIu64 " products, %" PRIu64 " configurations in them, %" PRIu64
		" other than alone", in->name, in->of_profile ? ", its profile" : "", t.products,
		t.rows,
		t.bad);
	forget();
}

static enum ws_status open_input(struct input *in, struct ws_err *err)
{
	if (in->captured)
		return capture(in, err);
	return strcmp(in->name, "groups") == 0 ? import(in, "crawford-order", write_groups, err)
					      : import(in, "din", write_din, err);
}

static bool write_confs(void)
{
	bool good = true;

	for (size_t i = 0; i < CONFS; i++) {
		FILE *to;
		int fd;

		snprintf(conf_path[i], sizeof conf_path[i], "/tmp/ws-alone-%zu-XXXXXX", i);
		fd = mkstemp(conf_path[i]);
		to = fd < 0 ? NULL : fdopen(fd, "w");
		good &= to && fputs(confs[i], to) >= 0 && !fclose(to);
	}
	return good;
}

int main(int argc, char **argv)
{
	static struct input inputs[] = {
		{ .name = "din" }, { .name = "groups" },
		{ .name = "kernel/mt-8.launch", .captured = true },
		{ .name = "kernel/mm-16x2.launch", .captured = true },
		{ .name = "kernel/mt-16x3.launch", .captured = true },
		{ .name = "kernel/histogram.launch", .captured = true },
		{ .name = "kernel/mt-32x4.launch", .captured = true, .slow = true },
		{ .name = "kernel/mt-16x8.launch", .captured = true, .slow = true },
		{ .name = "kernel/mm-32x3.launch", .captured = true, .slow = true },
		{ .name = "kernel/mm-tiled.launch", .captured = true, .slow = true },
		{ .name = "kernel/degree-4k.launch", .captured = true, .slow = true },
		{ .name = "kernel/backprop.launch", .captured = true, .slow = true },
		{ .name = "kernel/btree.launch", .captured = true, .slow = true },
		{ .name = "kernel/heartwall.launch", .captured = true, .slow = true },
	};
	const char *text = getenv("WS_TEST_ROUNDS");
	uint64_t seed = test_seed(20261122), rounds = ROUNDS;
	bool lengthy = text && ws_parse_u64(text, &rounds);

	if (!write_confs()) {
		printf("Bail out! no temporary files\n");
		return 1;
	}
	for (size_t i = 0; i < WS_COUNT(inputs); i++) {
		struct input *in = &inputs[i];
		struct ws_err err = { 0 };

		if (argc > 1 ? !strstr(in->name, argv[1]) : in->slow && !lengthy)
			continue;
		if (in->captured && ws_capture_load(&err) != WS_OK) {
			test_skip(in->name, err.text);
			continue;
		}
		if (open_input(in, &err) != WS_OK) {
			test_ok(false, "%s", err.text);
			continue;
		}
		test_input(in, seed, rounds, lengthy ? MANY : FEW);
		if (measure(in, &err) != WS_OK)
			test_ok(false, "%s: %s", in->name, err.text);
		in->of_profile = true;
		if (in->profile)
			test_input(in, seed, rounds, lengthy ? MANY : FEW);
		ws_profile_free(in->profile);
		ws_trace_close(in->trace);
	}
	for (size_t i = 0; i < CONFS; i++)
		unlink(conf_path[i]);
	return test_done();
}
