/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-recut.c -- requests for other lines (ws_recut): equal to the reference that
 * takes them apart into sectors, and to what the coalescer makes of the lanes for those lines.
 */
#include "tests/test.h"

#include "tests/ref/recut.h"

#define LANES 64u
#define BYTES_MAX 256u
#define WARPS 6u			/* warp instructions of a batch */
#define REQUESTS_MAX (WARPS * WS_COALESCE_MAX(LANES, BYTES_MAX))
#define PIECES_MAX (REQUESTS_MAX * (WS_LINE_MAX / WS_SECTOR_BYTES))

static struct ws_request cut[PIECES_MAX], want[PIECES_MAX], anew[PIECES_MAX];

struct warp {			/* a warp instruction */
	uint64_t address[LANES], mask;
	uint32_t bytes;
};

static uint64_t some_size(struct ws_rng *rng)
{
	return (uint64_t)WS_SECTOR_BYTES << ws_rng_below(rng, 6);
}

static void random_warp(struct ws_rng *rng, struct warp *w)
{
	uint64_t reach = (uint64_t)32 << ws_rng_below(rng, 12);
	uint64_t base = ws_rng_below(rng, 1 << 14), stride = ws_rng_below(rng, 3) ? 0 : reach / 8;

	w->bytes = 1 + (uint32_t)ws_rng_below(rng, ws_rng_below(rng, 4) ? 16 : BYTES_MAX);
	w->mask = ws_rng_u64(rng) | (ws_rng_below(rng, 2) ? UINT64_MAX : 1);
	for (unsigned i = 0; i < LANES; i++)
		w->address[i] = base + (stride ? i * stride : ws_rng_below(rng, reach));
}

/* The requests of all warp instructions, with cycles of their own. */
static size_t coalesce(const struct ws_machine *m, const struct warp *w, struct ws_request *out)
{
	size_t n = 0;

	for (unsigned i = 0; i < WARPS; i++) {
		size_t count = ws_coalesce(m, w[i].address, w[i].mask, w[i].bytes, out + n);

		for (size_t k = 0; k < count; k++, n++) {
			out[n].cycle = 100 * i + k;
			out[n].instruction = 7 + i;
			out[n].cta = 3 * i;
			out[n].warp = (uint16_t)(i + 1);
			out[n].kind = (uint8_t)(i % WS_KINDS);
			out[n].follows = k > 0;
		}
	}
	return n;
}

static bool same_request(const struct ws_request *a, const struct ws_request *b)
{
	return a->address == b->address && a->cycle == b->cycle && a->sectors == b->sectors &&
	       a->instruction == b->instruction && a->cta == b->cta && a->warp == b->warp &&
	       a->kind == b->kind && a->follows == b->follows;
}

static void print_request(const char *what, const struct ws_request *r)
{
	printf("#   %s %llx sectors %x cycle %llu instruction %u cta %u warp %u kind %u follows "
	       "%u\n",
	       what, (unsigned long long)r->address, r->sectors, (unsigned long long)r->cycle,
	       r->instruction, r->cta, r->warp, r->kind, r->follows);
}

static bool same_pieces(const struct ws_request *got, size_t n, const struct ws_request *expected,
			size_t count)
{
	for (size_t i = 0; i < n && i < count; i++)
		if (!same_request(got + i, expected + i)) {
			printf("# piece %zu\n", i);
			print_request("got ", got + i);
			print_request("want", expected + i);
			return false;
		}
	if (n != count)
		printf("# got %zu pieces, want %zu\n", n, count);
	return n == count;
}

static int by_warp_line(const void *a, const void *b)
{
	const struct ws_request *x = a, *y = b;

	if (x->warp != y->warp)
		return x->warp < y->warp ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->sectors < y->sectors ? -1 : x->sectors > y->sectors;
}

/* The pieces of the warp instructions are those of the lanes coalesced for the new lines;
 * in the same order where no request was cut. */
static bool as_coalesced(struct ws_request *got, size_t n, struct ws_request *lanes, size_t count,
			 bool sorted)
{
	if (n != count) {
		printf("# got %zu pieces, the coalescer %zu\n", n, count);
		return false;
	}
	if (sorted) {
		qsort(got, n, sizeof *got, by_warp_line);
		qsort(lanes, n, sizeof *lanes, by_warp_line);
	}
	for (size_t i = 0; i < n; i++)
		if (by_warp_line(got + i, lanes + i)) {
			print_request("got  ", got + i);
			print_request("lanes", lanes + i);
			return false;
		}
	return true;
}

static bool one(struct ws_rng *rng)
{
	static struct ws_request r[REQUESTS_MAX];
	static struct warp warp[WARPS];
	uint64_t from = some_size(rng), to = some_size(rng);
	struct ws_machine m = { .coalesce_line = some_size(rng), .l1.line_bytes = from };
	size_t count, pieces, expected;
	struct ws_request *got;
	bool same;

	for (unsigned i = 0; i < WARPS; i++)
		random_warp(rng, warp + i);
	count = coalesce(&m, warp, r);
	/* No more room than it may use. */
	got = ws_alloc(count * (from > to ? from / to : 1), sizeof *got);
	if (!got)
		return false;
	pieces = ws_recut(m.coalesce_line, from, to, r, count, got);
	expected = ref_recut(m.coalesce_line, from, to, r, count, want);
	m.l1.line_bytes = to;
	same = same_pieces(got, pieces, want, expected) &&
	       as_coalesced(got, pieces, anew, coalesce(&m, warp, anew), to < from);
	free(got);
	if (same)
		return true;
	printf("# segments of %llu, lines of %llu for %llu\n",
	       (unsigned long long)m.coalesce_line, (unsigned long long)from,
	       (unsigned long long)to);
	return false;
}

static void at_random(uint64_t seed)
{
	const char *text = getenv("WS_TEST_ROUNDS");
	uint64_t rounds = 600, same = 0;
	struct ws_rng rng;

	if (text && !ws_parse_u64(text, &rounds))
		rounds = 600;
	for (; same < rounds; same++) {
		ws_rng_seed(&rng, seed + same);
		if (!one(&rng)) {
			printf("# seed %llu\n", (unsigned long long)(seed + same));
			break;
		}
	}
	test_ok(same == rounds, "%llu batches as by sectors and as by lanes",
		(unsigned long long)same);
}

/* Lines of 64 B in segments of 128: A+0, B, A+64 of one warp instruction, then A+64 of another. */
static void by_hand(void)
{
	const struct ws_request r[] = {
		{ .address = 0, .sectors = 1, .cycle = 5 },
		{ .address = 256, .sectors = 3, .cycle = 6, .follows = 1 },
		{ .address = 64, .sectors = 2, .cycle = 7, .follows = 1 },
		{ .address = 64, .sectors = 3, .cycle = 8 },
	};
	const struct ws_request longer[] = {
		{ .address = 0, .sectors = 9, .cycle = 5 },
		{ .address = 256, .sectors = 3, .cycle = 6, .follows = 1 },
		{ .address = 0, .sectors = 12, .cycle = 8 },
	};
	const struct ws_request shorter[] = {
		{ .address = 0, .sectors = 1, .cycle = 5 },
		{ .address = 256, .sectors = 1, .cycle = 6, .follows = 1 },
		{ .address = 288, .sectors = 1, .cycle = 6, .follows = 1 },
		{ .address = 96, .sectors = 1, .cycle = 7, .follows = 1 },
		{ .address = 64, .sectors = 1, .cycle = 8 },
		{ .address = 96, .sectors = 1, .cycle = 8, .follows = 1 },
	};
	const struct ws_request apart[] = { /* 512 B lines, but segments of 64 B */
		{ .address = 0, .sectors = 1, .cycle = 5 },
		{ .address = 0, .sectors = 0x300, .cycle = 6, .follows = 1 },
		{ .address = 0, .sectors = 8, .cycle = 7, .follows = 1 },
		{ .address = 0, .sectors = 12, .cycle = 8 },
	};

	test_ok(same_pieces(cut, ws_recut(128, 64, 128, r, 4, cut), longer, 3), "merged");
	test_ok(same_pieces(cut, ws_recut(128, 64, 32, r, 4, cut), shorter, 6), "cut");
	test_ok(same_pieces(cut, ws_recut(128, 64, 64, r, 4, cut), r, 4), "as they were");
	test_ok(same_pieces(cut, ws_recut(64, 64, 512, r, 4, cut), apart, 4), "kept apart");
	test_ok(ws_recut(128, 64, 128, r, 0, cut) == 0, "none");
}

int main(void)
{
	by_hand();
	at_random(test_seed(7101));
	return test_done();
}
