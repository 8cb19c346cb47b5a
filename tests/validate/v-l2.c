/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/v-l2.c -- which replacement policy an L2 wants: the study of Kumar,
 * Kalyanaraman and Patil ("Extending cache replacement policies of GPGPU-Sim") on our own kernels.
 *
 *   v-l2 NAME=TRACE...     writes a CSV to standard output
 *
 * GTX 480: 15 L1s of 48 KB, 32 sets, LRU, write-evict; behind them an L2 of 768 KB, 12 slices of 64
 * sets of 8 ways of 128 B, write-back, 256 bytes in turn to each slice.  Functional: what L1s miss
 * goes to the L2 in the order of the nominal cycle, then of the SM; L1s are empty at each launch,
 * the L2 at the first.  Stores and atomics are performed in the L2, and count there as requests
 * that fetch.
 *
 * For every policy of the table: the simulated miss ratio and, of those that have a model, the one
 * predicted from a profile of the slices' streams.
 */
#include <stdlib.h>

#include "tests/test.h"
#include "validate/validate.h"

#define SLICES 12u
#define CHUNK 256u		/* bytes that go to one slice */

struct stream {
	struct ws_request *request;
	size_t count, cap;
};

struct l2 {
	struct stream slice[SLICES];
	uint64_t cycles;	/* of the launches so far: time goes on */
};

static void must(enum ws_status status, const struct ws_err *err)
{
	if (status == WS_OK)
		return;
	fprintf(stderr, "v-l2: %s\n", err->text);
	exit(1);
}

static void *must_have(void *memory)
{
	struct ws_err err = { .text = "out of memory" };

	must(memory ? WS_OK : WS_ENOMEM, &err);
	return memory;
}

static void set(struct ws_machine *m, const char *const *assignment)
{
	struct ws_err err = { 0 };

	must(ws_machine_load(m, "gtx480", &err), &err);
	for (; *assignment; assignment++)
		must(ws_machine_set(m, *assignment, &err), &err);
	must(ws_machine_check(m, &err), &err);
}

/* ---- what the L1s let through ------------------------------------------------------ */

struct missed {
	struct ws_request request;
	uint32_t sm;
};

struct misses {
	struct missed *at;
	size_t count, cap;
};

static void filter(struct ws_sim *l1, const struct ws_stream *s, uint32_t sm, struct misses *out)
{
	struct ws_err err = { 0 };
	struct ws_counts kind[WS_KINDS + 1];
	uint64_t before;

	ws_sim_flush(l1);
	ws_sim_counts(l1, kind);
	before = kind[WS_KINDS].misses;
	for (size_t i = 0; i < s->count; i++) {
		must(ws_sim_push(l1, &s->request[i], 1, &err), &err);
		ws_sim_counts(l1, kind);
		if (kind[WS_KINDS].misses == before && s->request[i].kind == WS_LOAD)
			continue;
		before = kind[WS_KINDS].misses;
		must_have(WS_ROOM(out->at, out->cap, out->count + 1) ? out->at : NULL);
		out->at[out->count++] = (struct missed){ s->request[i], sm };
	}
}

static int in_time(const void *a, const void *b)
{
	const struct missed *x = a, *y = b;

	if (x->request.cycle != y->request.cycle)
		return x->request.cycle < y->request.cycle ? -1 : 1;
	return x->sm != y->sm ? (x->sm < y->sm ? -1 : 1) : 0;
}

/* Requests of one SM and cycle keep their order: the sort must be stable. */
static void sort(struct missed *at, size_t count)
{
	struct missed *spare = must_have(ws_alloc(count + 1, sizeof *spare));

	for (size_t width = 1; width < count; width *= 2) {
		for (size_t from = 0; from < count; from += 2 * width) {
			size_t middle = from + width < count ? from + width : count;
			size_t end = from + 2 * width < count ? from + 2 * width : count;
			size_t i = from, j = middle;

			for (size_t k = from; k < end; k++)
				spare[k] = j == end || (i < middle && in_time(&at[i], &at[j]) <= 0)
					? at[i++] : at[j++];
		}
		memcpy(at, spare, count * sizeof *at);
	}
	free(spare);
}

static void arrive(struct l2 *l2, const struct ws_request *from)
{
	uint64_t chunk = from->address / CHUNK;
	struct stream *s = &l2->slice[chunk % SLICES];
	struct ws_request *r;

	must_have(WS_ROOM(s->request, s->cap, s->count + 1) ? s->request : NULL);
	r = &s->request[s->count++];
	*r = *from;
	r->address = chunk / SLICES * CHUNK + from->address % CHUNK;
	r->cycle += l2->cycles;
	r->sectors = 15;
	r->follows = 0;
	if (r->kind == WS_ATOMIC)
		r->kind = WS_STORE;
}

static void run_launch(struct l2 *l2, struct ws_sim *l1, const struct ws_streams *launch)
{
	struct misses m = { 0 };
	uint64_t last = 0;

	for (size_t sm = 0; sm < launch->sms; sm++)
		filter(l1, &launch->sm[sm], (uint32_t)sm, &m);
	sort(m.at, m.count);
	for (size_t i = 0; i < m.count; i++) {
		arrive(l2, &m.at[i].request);
		last = m.at[i].request.cycle;
	}
	l2->cycles += last + 1;
	free(m.at);
}

static void gather(struct l2 *l2, const char *path)
{
	static const char *const keys[] = { "l1.size=48K", "l1.sets=32", "l1.ways=12",
					    "l1.hash=modulo", NULL };
	struct ws_err err = { 0 };
	struct ws_profile_options options = { .seed = 1, .threads = 1 };
	struct ws_machine m;
	struct ws_streams *s;
	struct ws_trace *t;
	struct ws_sim *l1;
	size_t launches;

	set(&m, keys);
	must(ws_trace_open(&t, path, &err), &err);
	must(ws_streams_make(&s, &launches, t, &m, &options, &err), &err);
	must(ws_sim_new(&l1, &m.l1, &err), &err);
	for (size_t i = 0; i < launches; i++)
		run_launch(l2, l1, &s[i]);
	ws_sim_free(l1);
	ws_streams_free(s, launches);
	ws_trace_close(t);
}

/* ---- the L2 ---------------------------------------------------------------------------- */

static struct ws_profile *profile(const struct l2 *l2, const struct ws_machine *m)
{
	struct ws_err err = { 0 };
	struct ws_shape shape = { m->l1.line_bytes, m->l1.sets };
	struct ws_profile_options options = {
		.shape = &shape, .shapes = 1, .seed = 1, .threads = 1,
		.record = WS_RECORD_DETAIL | WS_RECORD_SETS,
	};
	char kernel[] = "l2";
	struct ws_launch launch = { .kernel = kernel, .grid = { 1, 1, 1 }, .block = { 32, 1, 1 } };
	struct ws_order_stats stats = { .cycles = l2->cycles };
	struct ws_profiler *p;
	struct ws_profile *out;

	must(ws_profiler_new(&p, m, &options, &err), &err);
	must(ws_profiler_launch(p, &launch, &err), &err);
	for (size_t i = 0; i < SLICES; i++)
		must(ws_profiler_push(p, i, l2->slice[i].request, l2->slice[i].count, &err), &err);
	must(ws_profiler_end(p, &stats, &err), &err);
	must(ws_profiler_finish(p, &out, &err), &err);
	ws_profiler_free(p);
	return out;
}

/* Slices side by side, as SMs' L1s are. */
static struct ws_counts simulate(const struct l2 *l2, const struct ws_cache *cache)
{
	struct ws_err err = { 0 };
	struct ws_counts kind[WS_KINDS + 1];
	struct ws_stream slice[SLICES];
	char kernel[] = "l2";
	struct ws_streams all = { .sm = slice, .sms = SLICES, .kernel = kernel,
				  .line_bytes = cache->line_bytes,
				  .coalesce_line = cache->line_bytes };

	for (size_t i = 0; i < SLICES; i++)
		slice[i] = (struct ws_stream){ l2->slice[i].request, l2->slice[i].count,
					       l2->slice[i].cap };
	must(ws_simulate(&all, 1, NULL, cache, 1, kind, &err), &err);
	return kind[WS_KINDS];
}

static void row(const char *kernel, const struct l2 *l2, const struct ws_profile *p,
		struct ws_cache *cache, const char *policy)
{
	struct ws_err err = { 0 };
	struct ws_prediction model;
	struct ws_counts exact;
	enum ws_status status;

	snprintf(cache->policy, sizeof cache->policy, "%s", policy);
	exact = simulate(l2, cache);
	printf("%s,%s,%llu,%llu,%.6f,", kernel, policy, (unsigned long long)exact.requests,
	       (unsigned long long)exact.misses, ws_miss_ratio(&exact, false));
	status = ws_predict(p, 0, cache, &model, &err);
	if (status == WS_OK)
		printf("%.6f,%.6f,%s\n", ws_miss_ratio(&model.kind[WS_KINDS], false),
		       model.error_pp[WS_KINDS], model.low_confidence ? "low" : "high");
	else if (status == WS_EINVAL) /* no model */
		printf(",,\n");
	else
		must(status, &err);
}

static void study(const char *kernel, const char *path)
{
	static const char *const keys[] = { "sm.count=12", "l1.size=64K", "l1.sets=64", "l1.ways=8",
		"l1.hash=modulo", "l1.write=write-back", NULL };
	static const char *const more[] = {
		"lfu-age:1", "select:lru/srrip/lfu/8192", "select:lru/srrip/lfu/131072",
		"select:lru/brrip", "select:lru/srrip/brrip/lfu",
	};
	struct l2 l2 = { 0 };
	struct ws_machine m;
	struct ws_profile *p;

	gather(&l2, path);
	set(&m, keys);
	p = profile(&l2, &m);
	for (size_t i = 0; ws_policies[i]; i++)
		if (strcmp(ws_policies[i]->name, "prob") != 0)
			row(kernel, &l2, p, &m.l1, ws_policies[i]->name);
	for (size_t i = 0; i < WS_COUNT(more); i++)
		row(kernel, &l2, p, &m.l1, more[i]);
	ws_profile_free(p);
	for (size_t i = 0; i < SLICES; i++)
		free(l2.slice[i].request);
}

int main(int argc, char **argv)
{
	printf("kernel,policy,requests,misses,exact,model,expected_pp,confidence\n");
	for (int i = 1; i < argc; i++) {
		char *path = strchr(argv[i], '=');

		if (!path) {
			fprintf(stderr, "v-l2: want NAME=TRACE, not %s\n", argv[i]);
			return 2;
		}
		*path++ = '\0';
		study(argv[i], path);
	}
	return 0;
}
