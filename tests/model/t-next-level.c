/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/model/t-next-level.c -- the L2 behind the L1s: LRU predictions equal to the last count what
 * a slow simulation of L1s and L2 counts, whatever the geometries, write policies, batches and
 * threads.
 */
#include "tests/test.h"

#include "model/model.h"
#include "tests/ref/l2.h"
#include "tests/ref/set_ways.h"
#include "tests/ref/recut.h"
#include "tests/stackdist/memory.h"
#include "validate/validate.h"

#define SMS 4u
#define LAUNCHES 3u
#define MOST 400u		/* requests of an SM in a launch */
#define PIECES 32u
#define FILTERS 2u
#define INSTRUCTIONS 3u

static const char *const start_names[] = {
	[WS_L2_COLD] = "cold", [WS_L2_WARM] = "warm", [WS_L2_COPIES] = "copies",
	[WS_L2_KEEP] = "keep",
};

struct made {
	struct ws_machine m;
	struct ws_filter filter[FILTERS];
	struct ws_array array[LAUNCHES][3];
	struct ws_instruction instruction[LAUNCHES][INSTRUCTIONS];
	struct ws_launch launch[LAUNCHES];
	struct ws_request request[LAUNCHES][SMS][MOST];
	size_t count[LAUNCHES][SMS];
};

/* ---- machines ----------------------------------------------------------------------- */

static uint64_t power(struct ws_rng *rng, uint64_t low, uint64_t high)
{
	unsigned steps = ws_log2(high / low);

	return low << ws_rng_below(rng, steps + 1);
}

static const char *pick_hash(struct ws_rng *rng)
{
	static const char *const name[] = { "modulo", "xor", "fermi", "ipoly" };

	return name[ws_rng_below(rng, WS_COUNT(name))];
}

/* A small machine; what does not suit is drawn again. */
static bool machine(struct ws_machine *m, struct ws_rng *rng, unsigned write)
{
	static const uint64_t slices[] = { 1, 2, 3, 4, 8 };
	struct ws_err err = { 0 };

	setenv("WARPSTACK_DATA", "data", 0);
	if (ws_machine_load(m, "gtx480", &err)) {
		printf("# %s\n", err.text);
		return false;
	}
	m->sm_count = 1 + ws_rng_below(rng, SMS);
	m->coalesce_line = WS_LINE_MAX;
	m->l1.line_bytes = power(rng, 32, 256);
	m->l1.sector_bytes = power(rng, 32, m->l1.line_bytes);
	m->l1.sets = power(rng, 1, 4);
	m->l1.ways = ws_rng_below(rng, 5);
	if (m->l1.ways && !ws_rng_below(rng, 4))
		ref_draw_set_ways(&m->l1, 4, rng);
	m->l1.hash = ws_hash_find(pick_hash(rng));
	m->l1.write = (enum ws_write)write;
	m->l2.line_bytes = power(rng, 32, 512);
	m->l2.sector_bytes = power(rng, 32, m->l2.line_bytes);
	m->l2_slices = slices[ws_rng_below(rng, WS_COUNT(slices))];
	m->l2.sets = power(rng, 1, 4);
	m->l2.ways = 1 + ws_rng_below(rng, 8);
	m->l2.hash = ws_hash_find(pick_hash(rng));
	m->l2.write = (enum ws_write)(ws_rng_below(rng, 3) ? ws_rng_below(rng, 4) : 0);
	m->l2_interleave_bytes = power(rng, m->l2.line_bytes, 1024);
	m->l2_slice_hash = (unsigned)ws_rng_below(rng, 2);
	m->l2_start = (enum ws_l2_start)ws_rng_below(rng, 4);
	m->l1.given = m->l2.given = 0;
	return !ws_machine_check(m, NULL) || machine(m, rng, write);
}

/* The machine with other L1s, and another L2 of the same kind. */
static struct ws_machine other(const struct made *t, const struct ws_filter *f, uint64_t sets,
			       uint64_t ways)
{
	struct ws_machine m = t->m;

	m.l1.line_bytes = f->line_bytes;
	m.l1.sector_bytes = ws_shape_sector(&t->m, f->line_bytes);
	m.l1.sets = f->sets;
	m.l1.ways = f->ways;
	m.l1.size_bytes = f->sets * f->ways * f->line_bytes;
	m.l2.sets = sets;
	m.l2.ways = ways;
	m.l2.size_bytes = m.l2_slices * sets * ways * m.l2.line_bytes;
	return m;
}

/* ---- launches ------------------------------------------------------------------------- */

/* A coalescer asks for a line once: does r[i]'s instruction, that of r[i - 1], have it already? */
static bool asked(const struct ws_request *r, size_t i)
{
	uint64_t line = r[i].address;

	while (i-- > 0) {
		if (r[i].address == line)
			return true;
		if (!r[i].follows)
			return false;
	}
	return false;
}

/* coarse: at first a few addresses only, multiples of more than a line. */
static void stream(struct made *t, struct ws_rng *rng, unsigned launch, unsigned sm, bool coarse)
{
	struct ws_request *r = t->request[launch][sm];
	size_t count = t->count[launch][sm] = ws_rng_below(rng, MOST);
	uint64_t cycle = ws_rng_below(rng, 20);

	stream_fill(rng, &t->m.l1, 40, 5, 2, r, count);
	for (size_t i = 0; coarse && i < count * 3 / 4; i++)
		r[i].address = r[i].address / t->m.l1.line_bytes * 1024;
	for (size_t i = 0; i < count; i++) {
		r[i].follows = i > 0 && ws_rng_below(rng, 3) == 0 && r[i].kind == r[i - 1].kind &&
			       !asked(r, i);
		r[i].instruction = r[i].follows ? r[i - 1].instruction : (uint32_t)i;
		cycle += r[i].follows ? 1 : ws_rng_below(rng, 4);
		r[i].cycle = cycle;
	}
}

static void make(struct made *t, struct ws_rng *rng)
{
	static char name[] = "kernel", other_name[] = "other", array[] = "A";

	t->filter[0] = (struct ws_filter){ t->m.l1.line_bytes, t->m.l1.sets, t->m.l1.ways };
	t->filter[1] = (struct ws_filter){ power(rng, 32, 256), 1, ws_rng_below(rng, 10) };
	if (t->m.l1.set_ways.runs)
		t->filter[1] = t->filter[0];
	for (unsigned i = 0; i < LAUNCHES; i++) {
		bool coarse = ws_rng_below(rng, 4) == 0;

		for (unsigned j = 0; j < 3; j++)
			t->array[i][j] = (struct ws_array){ array, 4096 + ws_rng_below(rng, 4096),
							    ws_rng_below(rng, 2000) };
		for (unsigned j = 0; j < INSTRUCTIONS; j++)
			t->instruction[i][j] = (struct ws_instruction){
				.kind = (uint8_t)ws_rng_below(rng, WS_KINDS),
				.array = ws_rng_below(rng, 9) ? (uint32_t)ws_rng_below(rng, 3)
							      : WS_NO_ARRAY,
				.space = (uint8_t)ws_rng_below(rng, 3), .use = 1,
			};
		t->launch[i] = (struct ws_launch){ .kernel = ws_rng_below(rng,
						   2) ? name : other_name,
						   .grid = { SMS, 1, 1 }, .block = { 32, 1, 1 },
						   .ctas = SMS, .array = t->array[i], .arrays = 3,
						   .instruction = t->instruction[i],
						   .instructions = INSTRUCTIONS };
		for (unsigned sm = 0; sm < t->m.sm_count; sm++)
			stream(t, rng, i, sm, coarse);
	}
}

/* Batches of whole warp instructions, SMs in any order. */
static enum ws_status push(struct ws_profiler *p, const struct made *t, struct ws_rng *rng,
			   unsigned launch, struct ws_err *err)
{
	size_t done[SMS] = { 0 }, left = 0;
	enum ws_status status = WS_OK;

	for (unsigned sm = 0; sm < t->m.sm_count; sm++)
		left += t->count[launch][sm];
	while (left && !status) {
		size_t sm = ws_rng_below(rng, t->m.sm_count), at = done[sm];
		size_t n = ws_rng_below(rng, t->count[launch][sm] - at + 1);

		while (n && at + n < t->count[launch][sm] && t->request[launch][sm][at + n].follows)
			n++;
		status = ws_profiler_push(p, sm, t->request[launch][sm] + at, n, err);
		done[sm] += n;
		left -= n;
	}
	return status;
}

static struct ws_profile *profile(const struct made *t, struct ws_rng *rng, unsigned threads,
				  bool detail)
{
	const struct ws_shape shape = { t->m.l1.line_bytes, t->m.l1.sets };
	const struct ws_profile_options options = {
		.shape = &shape, .shapes = 1, .record = detail ? WS_RECORD_DEFAULT : 0, .seed = 1,
		.threads = threads, .filter = t->filter, .filters = FILTERS,
	};
	const struct ws_order_stats stats = { .cycles = 1000, .resident_ctas = 1 };
	struct ws_profiler *p = NULL;
	struct ws_profile *out = NULL;
	struct ws_err err = { 0 };
	enum ws_status status = ws_profiler_new(&p, &t->m, &options, &err);

	for (unsigned i = 0; i < LAUNCHES && !status; i++) {
		status = ws_profiler_launch(p, t->launch + i, &err);
		if (!status)
			status = push(p, t, rng, i, &err);
		if (!status)
			status = ws_profiler_end(p, &stats, &err);
	}
	if (!status)
		status = ws_profiler_finish(p, &out, &err);
	ws_profiler_free(p);
	if (status)
		printf("# %s\n", err.text);
	return out;
}

/* ---- against the reference -------------------------------------------------------------- */

static void refer(const struct made *t, const struct ws_machine *m, const char *kernel,
		  struct ref_l2_counts *kind)
{
	static struct ws_request cut[SMS][MOST * PIECES];
	struct ref_l2 *l2 = ref_l2_new(m);
	struct ref_stream sm[SMS];

	memset(kind, 0, WS_KINDS * sizeof *kind);
	for (unsigned i = 0; i < LAUNCHES; i++) {
		for (unsigned j = 0; j < m->sm_count; j++) {
			if (m->l1.line_bytes == t->m.l1.line_bytes) {
				sm[j] = (struct ref_stream){ t->request[i][j], t->count[i][j] };
				continue;
			}
			sm[j].request = cut[j];
			sm[j].count = ref_recut(m->coalesce_line, t->m.l1.line_bytes,
						m->l1.line_bytes, t->request[i][j],
						t->count[i][j], cut[j]);
		}
		ref_l2_launch(l2, t->launch + i, sm,
			      strcmp(t->launch[i].kernel, kernel) ? NULL : kind);
	}
	ref_l2_free(l2);
}

static bool same(const struct ws_counts *got, const struct ref_l2_counts *want)
{
	return got->requests == want->requests && got->hits == want->hits &&
	       got->misses == want->misses && got->cold == want->cold && ws_counts_check(got);
}

/* ---- functional ------------------------------------------------------------------------ */

/* The launches' L2 by the simulator, behind its L1s. */
static bool simulated(const struct made *t, const struct ws_machine *m, const char *kernel,
		      struct ws_counts kind[WS_KINDS + 1])
{
	static struct ws_stream sm[LAUNCHES][SMS];
	static struct ws_streams l1[LAUNCHES];
	const struct ws_cache whole = ws_l2_whole(m);
	struct ws_streams *l2 = NULL;
	struct ws_err err = { 0 };
	enum ws_status status;

	for (unsigned i = 0; i < LAUNCHES; i++) {
		for (unsigned j = 0; j < SMS; j++)
			sm[i][j] = (struct ws_stream){ (struct ws_request *)t->request[i][j],
						       t->count[i][j], t->count[i][j] };
		l1[i] = (struct ws_streams){
			.sm = sm[i], .sms = t->m.sm_count, .kernel = t->launch[i].kernel,
			.launch = &t->launch[i], .line_bytes = t->m.l1.line_bytes,
			.coalesce_line = t->m.coalesce_line,
		};
	}
	status = ws_streams_behind(&l2, l1, LAUNCHES, m, 1, &err);
	if (!status)
		status = ws_simulate(l2, LAUNCHES, kernel, &whole, 1, kind, &err);
	if (status)
		printf("# %s\n", err.text);
	ws_streams_free(l2, LAUNCHES);
	return !status;
}

static bool functional(const struct made *t, const struct ws_machine *m, const char *kernel,
		       const struct ws_prediction *model)
{
	struct ws_counts kind[WS_KINDS + 1];
	bool ok = simulated(t, m, kernel, kind);

	for (unsigned k = 0; ok && k <= WS_KINDS; k++)
		ok = ws_counts_equal(&kind[k], &model->kind[k], 1);
	return ok;
}

/* Behind L1s of any policy, whose lines are the L2's and are not sectored: loads are those that
 * miss. */
static void other_policies(uint64_t seed)
{
	static const char *const policy[] = { "fifo", "random", "srrip", "plru" };
	static struct made t;
	struct ws_rng rng;
	bool ok = true;

	ws_rng_seed(&rng, seed);
	for (unsigned i = 0; ok && i < 40; i++) {
		struct ws_counts kind[WS_KINDS + 1], l1[WS_KINDS + 1] = { { 0 } };
		enum ws_write write = ws_rng_below(&rng, 2) ? WS_WRITE_EVICT : WS_WRITE_THROUGH;

		ok = machine(&t.m, &rng, write);
		t.m.l1.sector_bytes = t.m.l2.line_bytes = t.m.l2.sector_bytes = t.m.l1.line_bytes;
		if (ws_machine_check(&t.m, NULL))
			continue;
		strcpy(t.m.l1.policy, policy[i % WS_COUNT(policy)]);
		make(&t, &rng);
		for (unsigned j = 0; ok && j < LAUNCHES * SMS; j++) {
			struct ws_stream one = { t.request[j / SMS][j % SMS],
						 t.count[j / SMS][j % SMS], 0 };
			struct ws_streams s = { .sm = &one, .sms = j % SMS < t.m.sm_count,
						.kernel = t.launch->kernel,
						.line_bytes = t.m.l1.line_bytes,
						.coalesce_line = t.m.coalesce_line };
			struct ws_counts add[WS_KINDS + 1];

			ok = !ws_simulate(&s, 1, NULL, &t.m.l1, 1, add, NULL);
			for (unsigned k = 0; k < WS_KINDS; k++)
				ws_counts_add(&l1[k], &add[k]);
		}
		ok = ok && simulated(&t, &t.m, NULL, kind) &&
		     kind[WS_STORE].requests == l1[WS_STORE].requests &&
		     kind[WS_ATOMIC].requests == l1[WS_ATOMIC].requests &&
		     (i % WS_COUNT(policy) == 1 || /* draws from one stream for all SMs */
		      kind[WS_LOAD].requests == l1[WS_LOAD].misses);
	}
	test_ok(ok, "behind other policies: the L2's loads are the L1's misses");
}

static bool compare_one(const struct made *t, const struct ws_model *a, const char *kernel,
			size_t section, const struct ws_machine *m)
{
	struct ref_l2_counts want[WS_KINDS];
	struct ws_prediction got;
	struct ws_err err = { 0 };

	refer(t, m, kernel, want);
	if (ws_model_predict_l2(a, section, m, &got, &err)) {
		printf("# %s\n", err.text);
		return false;
	}
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		if (same(got.kind + kind, want + kind))
			continue;
		printf("# L1 %" PRIu64 " x %" PRIu64 " of %" PRIu64 " sector %" PRIu64
		       " %s; L2 %" PRIu64 " x %" PRIu64 " x %" PRIu64 " of %" PRIu64
		       " sector %" PRIu64 " %s, %s\n",
		       m->l1.sets, m->l1.ways, m->l1.line_bytes, m->l1.sector_bytes,
		       stream_write_names[m->l1.write], m->l2_slices, m->l2.sets, m->l2.ways,
		       m->l2.line_bytes, m->l2.sector_bytes, stream_write_names[m->l2.write],
		       start_names[m->l2_start]);
		printf("# %s: requests %" PRIu64 " (%" PRIu64 "), hits %" PRIu64 " (%" PRIu64
		       "), cold %" PRIu64 " (%" PRIu64 ")\n", ws_kind_names[kind],
		       got.kind[kind].requests, want[kind].requests, got.kind[kind].hits,
		       want[kind].hits, got.kind[kind].cold, want[kind].cold);
		return false;
	}
	return got.basis == WS_EXACT && !got.low_confidence && functional(t, m, kernel, &got);
}

static bool compare(const struct made *t, const struct ws_profile *p, struct ws_rng *rng)
{
	struct ws_model *a = NULL;
	bool ok = !ws_model_new(&a, p, NULL) && p->behinds >= 1;

	for (size_t s = 0; ok && s < p->sections; s++)
		for (unsigned f = 0; ok && f < FILTERS; f++) {
			const struct ws_section *l2 = p->behind[0].l2->section + s;

			for (size_t g = 0; ok && g < l2->geometries; g++) {
				uint64_t sets = l2->geometry[g].sets / t->m.l2_slices;
				struct ws_machine m = other(t, t->filter + f, sets,
							    1 + ws_rng_below(rng, 10));

				ok = compare_one(t, a, p->section[s].kernel, s, &m);
			}
		}
	ws_model_free(a);
	return ok;
}

static bool same_bytes(const struct ws_profile *a, const struct ws_profile *b)
{
	struct memory x = memory_write(a), y = memory_write(b);
	bool same = x.data && y.data && x.len == y.len && !memcmp(x.data, y.data, x.len);

	free(x.data);
	free(y.data);
	return same;
}

/* Twice the launches are twice the counts. */
static bool doubles(struct ws_profile *p, const struct ws_machine *m)
{
	struct ws_prediction once, twice;
	struct ws_profile *same_again = NULL;
	struct memory bytes = memory_write(p);
	bool ok = bytes.data && !memory_read(&same_again, bytes.data, bytes.len, NULL) &&
		  !ws_predict_l2(p, 0, m, &once, NULL) && !ws_profile_merge(p, same_again, NULL) &&
		  !ws_predict_l2(p, 0, m, &twice, NULL) && memory_comes_back(p);

	free(bytes.data);
	ws_profile_free(same_again);
	return ok && twice.kind[WS_KINDS].requests == 2 * once.kind[WS_KINDS].requests &&
	       twice.kind[WS_KINDS].misses == 2 * once.kind[WS_KINDS].misses;
}

/* Behind an L1 of another policy: what LRU's lets through, with nothing known of its error. */
static bool open(const struct ws_prediction *got, const struct ws_prediction *lru)
{
	bool ok = got->basis == WS_APPROX && got->low_confidence;

	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		double ratio = ws_miss_ratio(got->kind + kind, false);

		ok = ok && got->kind[kind].misses == lru->kind[kind].misses &&
		     (!got->kind[kind].requests ||
		      (got->low[kind] <= 0 && got->high[kind] >= 1 &&
		       got->error_pp[kind] >= 100 * ratio - 1e-9 &&
		       got->error_pp[kind] >= 100 * (1 - ratio) - 1e-9));
	}
	return ok;
}

/* Other policies are asked as of an L1: counts that add up. */
static bool policies(const struct ws_profile *p, struct ws_machine m)
{
	struct ws_prediction got, lru;
	struct ws_err err = { 0 };

	for (size_t i = 0; ws_policies[i]; i++) {
		struct ws_use use;

		if (m.l2_start == WS_L2_KEEP ||
		    (!ws_policies[i]->predict && !ws_policies[i]->solve) ||
		    ws_use_parse(&use, ws_policies[i]->name, NULL))
			continue;
		snprintf(m.l2.policy, sizeof m.l2.policy, "%s", ws_policies[i]->name);
		if (ws_policies[i]->check && ws_policies[i]->check(&use, &m.l2, NULL))
			continue;
		if (ws_predict_l2(p, 0, &m, &got, &err) || !ws_counts_check(got.kind + WS_KINDS)) {
			printf("# %s: %s\n", ws_policies[i]->name, err.text);
			return false;
		}
	}
	snprintf(m.l2.policy, sizeof m.l2.policy, "lru");
	if (ws_predict_l2(p, 0, &m, &lru, &err))
		return false;
	snprintf(m.l1.policy, sizeof m.l1.policy, "fifo");
	return !ws_predict_l2(p, 0, &m, &got, &err) && (m.l1.ways <= 1 || open(&got, &lru));
}

static bool one(struct ws_rng *rng, unsigned write)
{
	static struct made t;
	struct ws_profile *p, *again;
	bool detail = ws_rng_below(rng, 2), ok;

	if (!machine(&t.m, rng, write))
		return false;
	make(&t, rng);
	p = profile(&t, rng, 1, detail);
	again = profile(&t, rng, 2, detail);
	ok = p && again && same_bytes(p, again) && memory_comes_back(p) && compare(&t, p, rng) &&
	     (!detail || policies(p, t.m)) && doubles(p, &t.m);
	ws_profile_free(p);
	ws_profile_free(again);
	return ok;
}

static void equal(uint64_t seed)
{
	const char *rounds = getenv("WS_TEST_ROUNDS");
	const int times = rounds ? atoi(rounds) : 20;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (unsigned write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++) {
		int done = 0;

		while (done < times && one(&rng, write))
			done++;
		test_ok(done == times, "L1s of %s: %d L2s as counted", stream_write_names[write],
			done);
	}
}

/* ---- a long launch -------------------------------------------------------------------------- */

#define LONG 100000u		/* requests of an SM: several arenas */

/* With SMs in turn requests are merged as they come, with one SM after the other at the end. */
static struct ws_profile *long_profile(const struct made *t, struct ws_request *const *r,
				       size_t step)
{
	const struct ws_shape shape = { t->m.l1.line_bytes, t->m.l1.sets };
	const struct ws_profile_options options = {
		.shape = &shape, .shapes = 1, .seed = 1, .threads = 2,
		.filter = t->filter, .filters = 1,
	};
	const struct ws_order_stats stats = { .cycles = 1000, .resident_ctas = 1 };
	struct ws_profiler *p = NULL;
	struct ws_profile *out = NULL;
	struct ws_err err = { 0 };
	enum ws_status status = ws_profiler_new(&p, &t->m, &options, &err);

	if (!status)
		status = ws_profiler_launch(p, t->launch, &err);
	for (size_t at = 0; at < LONG && !status; at += step)
		for (size_t sm = 0; sm < t->m.sm_count && !status; sm++)
			status = ws_profiler_push(p, sm, r[sm] + at, step, &err);
	if (!status)
		status = ws_profiler_end(p, &stats, &err);
	if (!status)
		status = ws_profiler_finish(p, &out, &err);
	ws_profiler_free(p);
	if (status)
		printf("# %s\n", err.text);
	return out;
}

static void long_launch(uint64_t seed)
{
	static struct made t;
	struct ws_request *r[SMS] = { NULL };
	struct ws_profile *turns = NULL, *whole = NULL;
	struct ws_rng rng;
	bool ok;

	ws_rng_seed(&rng, seed);
	ok = machine(&t.m, &rng, WS_WRITE_BACK);
	t.m.sm_count = 3;
	make(&t, &rng);
	for (size_t sm = 0; ok && sm < t.m.sm_count; sm++) {
		r[sm] = ws_alloc_zero(LONG, sizeof **r);
		ok = r[sm] != NULL;
		if (ok)
			stream_fill(&rng, &t.m.l1, 3000, 4, 1, r[sm], LONG);
		for (size_t i = 0; ok && i < LONG; i++)
			r[sm][i].cycle = (i ? r[sm][i - 1].cycle : 0) + ws_rng_below(&rng, 2 + sm);
	}
	if (ok) {
		turns = long_profile(&t, r, 500);
		whole = long_profile(&t, r, LONG);
	}
	test_ok(turns && whole && same_bytes(turns, whole), "SMs in turn or one by one: the same "
		"L2");
	ws_profile_free(turns);
	ws_profile_free(whole);
	for (size_t sm = 0; sm < SMS; sm++)
		free(r[sm]);
}

/* ---- refusals ----------------------------------------------------------------------------- */

static void refused(const char *what, enum ws_status status, struct ws_err *err, const char *text)
{
	test_ok(status == WS_EINVAL && strstr(err->text, text), "%s: %s", what, err->text);
	*err = (struct ws_err){ .status = WS_OK };
}

static void refusals(uint64_t seed)
{
	static struct made t;
	struct ws_prediction out;
	struct ws_profile *p;
	struct ws_machine m;
	struct ws_err err = { 0 };
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	if (!machine(&t.m, &rng, WS_WRITE_EVICT))
		return;
	make(&t, &rng);
	p = profile(&t, &rng, 1, false);
	if (!p)
		return;
	m = t.m;
	m.l1.ways = 77;
	refused("other L1s", ws_predict_l2(p, 0, &m, &out, &err), &err, "behind L1s of");
	m = t.m;
	m.l2_slices *= 2;
	refused("other slices", ws_predict_l2(p, 0, &m, &out, &err), &err, "l2.slices");
	m = t.m;
	m.l2.sets = 12345;
	refused("other sets", ws_predict_l2(p, 0, &m, &out, &err), &err, "l2.sets = 12345");
	m = t.m;
	m.l1.write = WS_WRITE_BACK;
	refused("another write policy", ws_predict_l2(p, 0, &m, &out, &err), &err, "l1.write");
	ws_profile_free(p->behind[0].l2);
	if (p->behinds > 1)
		ws_profile_free(p->behind[1].l2);
	p->behinds = 0;
	refused("no L2", ws_predict_l2(p, 0, &t.m, &out, &err), &err, "holds no L2");
	ws_profile_free(p);
}

int main(void)
{
	uint64_t seed = test_seed(20261122);

	equal(seed);
	other_policies(seed);
	long_launch(seed);
	refusals(seed);
	return test_done();
}
