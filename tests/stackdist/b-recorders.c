/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/b-recorders.c -- what the recorders of lifetimes and of
 * fill-to-reuse times cost: 2M requests each of three streams, one a cycle, per
 * set count, the median of several runs.  The end of the launch and the
 * handing over of the counts are part of it; positions are found before, by the
 * textbook tree of each set.
 */
#include "tests/ref/fenwick.h"
#include "tests/stackdist/bench.h"

#include "stackdist/record/detail.h"
#include "stackdist/stack/lines.h"

#define ACCESSES 2000000u
#define PIECE 1024u
#define RUNS 5

/* ---- what the stacks would say ------------------------------------------------- */

struct stream {
	struct ws_request *request;
	uint32_t *id, *set, *position, *sector;
	uint8_t *type;
};

static void free_stream(struct stream *s)
{
	free(s->request);
	free(s->id);
	free(s->set);
	free(s->position);
	free(s->sector);
	free(s->type);
}

static bool allocate(struct stream *s)
{
	s->request = ws_alloc_zero(ACCESSES, sizeof *s->request);
	s->id = ws_alloc_zero(ACCESSES, sizeof *s->id);
	s->set = ws_alloc_zero(ACCESSES, sizeof *s->set);
	s->position = ws_alloc_zero(ACCESSES, sizeof *s->position);
	s->sector = ws_alloc_zero(4 * (size_t)ACCESSES, sizeof *s->sector);
	s->type = ws_alloc_zero(ACCESSES, sizeof *s->type);
	return s->request && s->id && s->set && s->position && s->sector && s->type;
}

/* Write-back, so all are loads; all four sectors of a line are asked for. */
static bool locate(struct stream *s, uint32_t sets)
{
	struct ref_fenwick **tree = ws_alloc_zero(sets, sizeof(struct ref_fenwick *));
	struct ws_lines lines = { .table = NULL };
	bool ok = tree && !ws_lines_number(&lines, WS_WRITE_BACK, s->request, ACCESSES, s->id,
					   NULL);

	for (size_t i = 0; ok && i < ACCESSES; i++) {
		uint32_t set = (uint32_t)(s->request[i].address / 128 % sets);
		struct ref_fenwick **t = tree + set;
		uint32_t p;

		s->set[i] = set;
		*t = *t ? *t : ref_fenwick_new();
		ref_fenwick_push(*t, s->request + i, 1, &p);
		s->position[i] = p;
		s->type[i] = p == WS_DISTANCE_COLD ? WS_TYPE_COLD : (uint8_t)ws_bin(p);
		for (size_t j = 0; j < 4; j++)
			s->sector[4 * i + j] = p;
	}
	for (size_t i = 0; tree && i < sets; i++)
		ref_fenwick_free(tree[i]);
	free(tree);
	ws_lines_clear(&lines);
	return ok;
}

static struct ws_batch piece(const struct stream *s, size_t i)
{
	return (struct ws_batch){ ACCESSES - i < PIECE ? ACCESSES - i : PIECE, s->request + i,
				  s->id + i, s->set + i, s->position + i, s->position + i,
				  s->type + i, s->sector + 4 * i };
}

/* ---- the recorders; seconds, negative: no memory --------------------------------- */

static double lifetimes(const struct stream *s, uint64_t sets, uint64_t sector)
{
	struct ws_detail *to = ws_alloc_zero(1, sizeof *to);
	struct ws_lifetimes *l = NULL;
	double start = ws_seconds();
	bool ok = to && !ws_lifetimes_new(&l, sets, NULL);

	(void)sector;
	for (size_t i = 0; ok && i < ACCESSES; i += PIECE) {
		struct ws_batch b = piece(s, i);

		ok = !ws_lifetimes_push(l, &b, to, NULL);
	}
	ok = ok && !ws_lifetimes_end(l, to, NULL);
	start = ws_seconds() - start;
	ws_lifetimes_free(l);
	free(to);
	return ok ? start : -1;
}

static double fill_recorder(const struct stream *s, uint64_t sets, uint64_t sector)
{
	struct ws_cache cache = { .sets = sets, .line_bytes = 128, .sector_bytes = sector };
	struct ws_fill_reuses fill_reuse[WS_KINDS] = { { NULL, 0 } };
	struct ws_fill_recorder *f = NULL;
	struct ws_changes *c = NULL;
	double start = ws_seconds();
	bool ok = !ws_fill_recorder_new(&f, &cache, NULL) && !ws_changes_new(&c, NULL);

	for (size_t i = 0; ok && i < ACCESSES; i += PIECE) {
		struct ws_batch b = piece(s, i);

		ok = !ws_fill_recorder_push(f, &b, c, NULL);
	}
	ok = ok && !ws_changes_take(c, fill_reuse, NULL);
	start = ws_seconds() - start;
	ws_fill_recorder_free(f);
	ws_changes_free(c);
	for (size_t kind = 0; kind < WS_KINDS; kind++)
		free(fill_reuse[kind].entry);
	return ok ? start : -1;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool measure(const char *name, const struct stream *s, uint64_t sets, uint64_t sector,
		    double (*run)(const struct stream *s, uint64_t sets, uint64_t sector))
{
	double seconds[RUNS];

	for (int i = 0; i < RUNS; i++)
		seconds[i] = run(s, sets, sector);
	qsort(seconds, RUNS, sizeof *seconds, ascending);
	printf("{\"name\": \"recorders/%s\", \"ns_per_access\": %.2f, \"accesses\": %u}\n", name,
	       seconds[RUNS / 2] * 1e9 / ACCESSES, ACCESSES);
	fflush(stdout);
	return seconds[0] >= 0;
}

static bool stream(enum bench_stream stream)
{
	static const uint32_t sets[] = { 64, 1 };
	struct stream s = { .request = NULL };
	bool ok = allocate(&s);
	char text[80];

	if (ok)
		bench_fill(stream, s.request, ACCESSES);
	for (size_t i = 0; ok && i < WS_COUNT(sets); i++) {
		ok = locate(&s, sets[i]);
		snprintf(text, sizeof(text), "%s/%u-sets/lifetimes", bench_names[stream], sets[i]);
		ok = ok && measure(text, &s, sets[i], 128, lifetimes);
		snprintf(text, sizeof(text), "%s/%u-sets/inflight", bench_names[stream], sets[i]);
		ok = ok && measure(text, &s, sets[i], 128, fill_recorder);
		snprintf(text, sizeof(text), "%s/%u-sets/inflight-sectored", bench_names[stream],
			 sets[i]);
		ok = ok && measure(text, &s, sets[i], 32, fill_recorder);
	}
	free_stream(&s);
	return ok;
}

int main(void)
{
	bool ok = true;

	for (unsigned i = 0; i < BENCH_STREAMS && ok; i++)
		ok = stream((enum bench_stream)i);
	return !ok;
}
