/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/b-windows.c -- what the recorder of windows costs: 2M requests each of
 * three streams at 64 sets and 1 set, the end of the launch included; the median of several runs,
 * processor time.  Positions are found before, by the textbook tree of each set, and turned into
 * types in a run of its own.
 */
#include <time.h>

#include "tests/ref/fenwick.h"
#include "tests/stackdist/bench.h"

#include "stackdist/record/detail.h"

#define ACCESSES 2000000u
#define PIECE 1024u
#define RUNS 5
#define LINES (1u << 20)

struct stream {
	struct ws_request *request;
	uint32_t *id, *set, *position;
	uint8_t *type;
};

static bool allocate(struct stream *s)
{
	s->request = ws_alloc_zero(ACCESSES, sizeof *s->request);
	s->id = ws_alloc_zero(ACCESSES, sizeof *s->id);
	s->set = ws_alloc_zero(ACCESSES, sizeof *s->set);
	s->position = ws_alloc_zero(ACCESSES, sizeof *s->position);
	s->type = ws_alloc_zero(ACCESSES, sizeof *s->type);
	return s->request && s->id && s->set && s->position && s->type;
}

static void free_stream(struct stream *s)
{
	free(s->request);
	free(s->id);
	free(s->set);
	free(s->position);
	free(s->type);
}

static bool number(struct stream *s)
{
	uint32_t *of = ws_alloc(LINES, sizeof *of), ids = 0;

	if (!of)
		return false;
	memset(of, 0xff, LINES * sizeof *of);
	for (size_t i = 0; i < ACCESSES; i++) {
		uint32_t *id = of + s->request[i].address / 128 % LINES;

		*id = *id == UINT32_MAX ? ids++ : *id;
		s->id[i] = *id;
	}
	free(of);
	return true;
}

/* Write-back, so all are loads. */
static bool locate(struct stream *s, uint32_t sets)
{
	struct ref_fenwick **tree = ws_alloc_zero(sets, sizeof(struct ref_fenwick *));

	for (size_t i = 0; tree && i < ACCESSES; i++) {
		uint32_t set = (uint32_t)(s->request[i].address / 128 % sets);

		tree[set] = tree[set] ? tree[set] : ref_fenwick_new();
		ref_fenwick_push(tree[set], s->request + i, 1, s->position + i);
		s->set[i] = set;
	}
	for (size_t i = 0; tree && i < sets; i++)
		ref_fenwick_free(tree[i]);
	free(tree);
	return tree;
}

/* ---- runs: seconds, negative: no memory ------------------------------------------------ */

static double seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static double types(const struct stream *s, uint64_t sets)
{
	double start = seconds();

	(void)sets;
	for (size_t i = 0; i < ACCESSES; i += PIECE)
		ws_types(WS_WRITE_BACK, s->request + i, s->id + i, s->position + i,
			 ACCESSES - i < PIECE ? ACCESSES - i : PIECE, s->type + i);
	return seconds() - start;
}

static double record(const struct stream *s, uint64_t sets)
{
	struct ws_detail *to = ws_alloc_zero(1, sizeof *to);
	struct ws_windows *w = NULL;
	double start = seconds();
	bool ok = to && !ws_windows_new(&w, sets, NULL);

	for (size_t i = 0; ok && i < ACCESSES; i += PIECE) {
		struct ws_batch b = {
			.count = ACCESSES - i < PIECE ? ACCESSES - i : PIECE,
			.request = s->request + i, .id = s->id + i, .set = s->set + i,
			.position = s->position + i, .type = s->type + i,
		};

		ok = !ws_windows_push(w, &b, to, NULL);
	}
	if (ok)
		ws_windows_end(w, to);
	start = seconds() - start;
	ws_windows_free(w);
	free(to);
	return ok ? start : -1;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool measure(const char *what, const char *stream, uint32_t sets, const struct stream *s,
		    double (*run)(const struct stream *s, uint64_t sets))
{
	double took[RUNS];

	for (int i = 0; i < RUNS; i++)
		took[i] = run(s, sets);
	qsort(took, RUNS, sizeof *took, ascending);
	printf("{\"name\": \"windows/%s/%s/%u\", \"ns_per_access\": %.2f, \"accesses\": %u}\n",
	       what, stream, sets, took[RUNS / 2] * 1e9 / ACCESSES, ACCESSES);
	fflush(stdout);
	return took[0] >= 0;
}

static bool bench(enum bench_stream b)
{
	static const uint32_t sets[] = { 64, 1 };
	struct stream s = { .request = NULL };
	bool ok = allocate(&s);

	if (ok)
		bench_fill(b, s.request, ACCESSES);
	ok = ok && number(&s);
	for (size_t i = 0; ok && i < WS_COUNT(sets); i++)
		ok = locate(&s, sets[i]) && measure("types", bench_names[b], sets[i], &s, types) &&
		     measure("plain", bench_names[b], sets[i], &s, record);
	free_stream(&s);
	return ok;
}

int main(void)
{
	bool ok = true;

	for (unsigned i = 0; i < BENCH_STREAMS; i++)
		ok = ok && bench((enum bench_stream)i);
	return !ok;
}
