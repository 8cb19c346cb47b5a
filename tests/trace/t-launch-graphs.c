/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Graphs that a launch file asks for: random, uniform, symmetric, of roads; the random one against
 * a generator of its own.
 */
#include "tests/test.h"
#include "trace/capture/launch.h"

static enum ws_status parse(struct ws_program *p, const char *text, struct ws_err *err)
{
	return ws_program_parse(p, "dir/graph.launch", text, strlen(text), err);
}

static void check_graph(uint64_t nodes, uint64_t degree, uint64_t seed)
{
	uint64_t edges = nodes * degree, most = 0, bad = 0;
	struct ws_err err = { 0 };
	const uint32_t *row, *col;
	struct ws_program p;
	char text[200];

	snprintf(text, sizeof text, "[buffers]\nR = uint %" PRIu64 " csr-rows %" PRIu64 " %" PRIu64
		 " seed=%" PRIu64 "\nC = uint %" PRIu64 " csr-columns %" PRIu64 " %" PRIu64
		 " seed=%" PRIu64 "\n", nodes + 1, nodes, degree, seed, edges, nodes, degree, seed);
	if (parse(&p, text, &err) != WS_OK || ws_program_fill(&p, &err) != WS_OK) {
		test_ok(false, "graph: %s", err.text);
		return;
	}
	row = (const uint32_t *)(const void *)p.buffer[0].host;
	col = (const uint32_t *)(const void *)p.buffer[1].host;
	bad += row[0] != 0 || row[nodes] != edges;
	for (uint64_t i = 0; i < nodes && !bad; i++) {
		bad += row[i + 1] < row[i];
		most = row[i + 1] - row[i] > most ? row[i + 1] - row[i] : most;
		for (uint64_t e = row[i]; e < row[i + 1]; e++)
			bad += col[e] >= nodes || (e > row[i] && col[e] < col[e - 1]);
	}
	test_ok(bad == 0, "graph of %" PRIu64 " nodes x %" PRIu64 ": rows and columns agree", nodes,
		degree);
	if (nodes >= 1000)
		test_ok(most > 10 * degree, "its largest degree %" PRIu64 " is far above the mean",
			most);
	ws_program_clear(&p);
}

/* Of N nodes and N*D edges, as the comment of launch_graph.c describes it: a list
 * of edges, sorted. */
static int by_pair(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static uint64_t draw(struct ws_rng *rng, unsigned levels, uint64_t nodes, uint64_t *to)
{
	uint64_t from = nodes, bytes = 0;

	*to = nodes;
	while (from >= nodes || *to >= nodes) {
		from = *to = 0;
		for (unsigned i = 0; i < levels; i++, bytes /= 256) {
			if (i % 8 == 0)
				bytes = ws_rng_u64(rng);
			from = 2 * from + (bytes % 256 >= 146 + 49);
			*to = 2 * *to + (bytes % 256 >= 146 &&
					 (bytes % 256 < 146 + 49 || bytes % 256 >= 146 + 49 + 49));
		}
	}
	return from;
}

#define NODES 300u /* more than a byte's */
#define EDGES 1500u

static void reference_graph(uint64_t seed, uint64_t edge[EDGES][2])
{
	uint64_t label[NODES], to;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (unsigned i = 0; i < NODES; i++)
		label[i] = i;
	for (unsigned i = NODES; i > 1; i--) {
		uint64_t j = ws_rng_below(&rng, i), last = label[i - 1];

		label[i - 1] = label[j];
		label[j] = last;
	}
	for (unsigned e = 0; e < EDGES; e++) {
		edge[e][0] = label[draw(&rng, 9, NODES, &to)];
		edge[e][1] = label[to];
	}
	qsort(edge, EDGES, sizeof edge[0], by_pair);
}

static const uint32_t *u32(const struct ws_program *p, size_t buffer)
{
	return (const uint32_t *)(const void *)p->buffer[buffer].host;
}

static void test_graph_reference(void)
{
	static const char rows[] = "uint 301 csr-rows 300 5";
	static const char columns[] = "uint 1500 csr-columns 300 5";
	struct ws_err err = { 0 };
	uint64_t edge[EDGES][2];
	struct ws_program p;
	unsigned bad = 0;
	char text[300];

	snprintf(text, sizeof text, "[buffers]\nR = %s\nC = %s seed=1\nS = %s\nD = %s seed=2\n"
		 "E = %s\n", rows, columns, rows, columns, columns);
	if (parse(&p, text, &err) != WS_OK || ws_program_fill(&p, &err) != WS_OK) {
		test_ok(false, "%s", err.text);
		return;
	}
	reference_graph(1, edge);
	for (unsigned e = 0; e < EDGES; e++)
		bad += u32(&p, 1)[e] != edge[e][1] || u32(&p, 0)[edge[e][0]] > e ||
		       u32(&p, 0)[edge[e][0] + 1] <= e;
	test_u64(bad, 0, "a graph equals a sorted list of its edges; the default seed is 1");
	test_ok(!memcmp(u32(&p, 0), u32(&p, 2), 301 * 4) && !memcmp(u32(&p, 1), u32(&p, 4), 6000),
		"what is drawn once, or again after another, is the same");
	reference_graph(2, edge);
	for (unsigned e = 0; e < EDGES; e++)
		bad += u32(&p, 3)[e] != edge[e][1];
	test_u64(bad, 0, "another seed is another graph");
	ws_program_clear(&p);
}

/* How often is the edge there? */
static unsigned edges_of(const struct ws_program *p, uint64_t from, uint64_t to)
{
	const uint32_t *row = u32(p, 0), *column = u32(p, 1);
	unsigned n = 0;

	for (uint32_t e = row[from]; e < row[from + 1]; e++)
		n += column[e] == to;
	return n;
}

static void test_symmetric(const char *text)
{
	struct ws_err err = { 0 };
	struct ws_program p;
	unsigned bad = 0, loops = 0;

	if (parse(&p, text, &err) != WS_OK || ws_program_fill(&p, &err) != WS_OK) {
		test_ok(false, "%s", err.text);
		return;
	}
	bad += u32(&p, 0)[40] != 400;
	for (uint64_t a = 0; a < 40 && !bad; a++) {
		loops += edges_of(&p, a, a);
		bad += edges_of(&p, a, a) % 2;
		for (uint64_t b = 0; b < a; b++)
			bad += edges_of(&p, a, b) != edges_of(&p, b, a);
	}
	test_ok(!bad && loops, "a symmetric graph has each edge in both rows, %u loops", loops);
	ws_program_clear(&p);
}

/* Both ends of the 16 edges a node: their numbers vary as Poisson's, of variance 16. */
static void test_uniform(void)
{
	struct ws_err err = { 0 };
	struct ws_program p;
	double out = 0, in = 0;
	uint32_t *to;

	if (parse(&p, "[buffers]\nR = uint 4001 csr-rows 4000 16 uniform\n"
		  "C = uint 64000 csr-columns 4000 16 uniform\n", &err) != WS_OK ||
	    ws_program_fill(&p, &err) != WS_OK) {
		test_ok(false, "%s", err.text);
		return;
	}
	to = calloc(4000, sizeof *to);
	for (uint32_t e = 0; e < 64000; e++)
		to[u32(&p, 1)[e] % 4000]++;
	for (uint32_t i = 0; i < 4000; i++) {
		double n = u32(&p, 0)[i + 1] - u32(&p, 0)[i];

		out += (n - 16) * (n - 16) / 4000;
		in += (to[i] - 16.0) * (to[i] - 16.0) / 4000;
	}
	/* The variance's own standard deviation is 16 * sqrt(2 / 4000). */
	test_abs(out, 16, 2.2, "uniform: variance of the edges out of a node");
	test_abs(in, 16, 2.2, "uniform: variance of the edges into a node");
	free(to);
	ws_program_clear(&p);
}

/* Every edge joins neighbours, is there once and both ways, and as many are missing as should
 * be. */
static void test_road(void)
{
	enum { WIDTH = 13, HEIGHT = 7, MISSING = 31, NODES_ = WIDTH * HEIGHT };
	unsigned bad = 0, edges = 0, right = 0;
	struct ws_err err = { 0 };
	struct ws_program p;

	if (parse(&p, "[buffers]\nR = uint 92 road-rows 13 7 31 seed=5\n"
		  "C = uint 262 road-columns 13 7 31 seed=5\n", &err) != WS_OK ||
	    ws_program_fill(&p, &err) != WS_OK) {
		test_ok(false, "%s", err.text);
		return;
	}
	for (uint64_t a = 0; a < NODES_; a++) {
		for (uint64_t b = 0; b < NODES_; b++) {
			bool beside = a / WIDTH == b / WIDTH && (a + 1 == b || b + 1 == a);
			bool below = a + WIDTH == b || b + WIDTH == a;
			unsigned n = edges_of(&p, a, b);

			bad += n > 1 || (n && !beside && !below) || n != edges_of(&p, b, a);
			edges += n;
			right += n && a + 1 == b;
		}
	}
	test_u64(bad, 0, "a road joins neighbours, both ways");
	test_u64(edges, 2 * (12 * 7 + 13 * 6 - MISSING), "and has its missing edges");
	test_ok(right > 50 && right < 12 * 7, "some of either direction: %u to the right", right);
	ws_program_clear(&p);
	if (parse(&p, "[buffers]\nR = uchar 4 road-rows 3 1 0\nC = uchar 4 road-columns 3 1 0\n",
		  &err) == WS_OK && ws_program_fill(&p, &err) == WS_OK) {
		test_ok(memcmp(p.buffer[0].host, (const uint8_t[]){ 0, 1, 3, 4 }, 4) == 0 &&
			memcmp(p.buffer[1].host, (const uint8_t[]){ 1, 0, 2, 1 }, 4) == 0,
			"a road of three junctions");
		ws_program_clear(&p);
	} else {
		test_ok(false, "%s", err.text);
	}
}

int main(void)
{
	test_symmetric("[buffers]\nR = uint 41 csr-rows 40 10 symmetric\n"
		       "C = uint 400 csr-columns 40 10 symmetric\n");
	test_symmetric("[buffers]\nR = uint 41 csr-rows 40 10 uniform symmetric\n"
		       "C = uint 400 csr-columns 40 10 symmetric uniform\n");
	test_uniform();
	test_road();
	check_graph(1, 1, 3);
	check_graph(2, 5, 4);
	check_graph(7, 3, 5);
	check_graph(1000, 8, 6);
	check_graph(4096, 4, 7);
	test_graph_reference();
	return test_done();
}
