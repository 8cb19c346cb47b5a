/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tools/counters/run.cu -- launches one of the kernels once, for a profiler to look at.
 *
 *   run --list [--quick]                    what there is to run, a line each: KERNEL N TILE WHAT
 *   run --gpu                               what the runtime says of the GPU
 *   run [--check] KERNEL N TILE WHAT        runs it; --check compares with a plain loop
 *   run --facts FOLDER KERNEL N TILE WHAT   "GRID_X GRID_Y BLOCK_X BLOCK_Y MATRIX ENTRIES LEVEL",
 *                                           the last three of spmv and bfs, else 0, whose rows, columns
 *                                           and depths it writes to FOLDER/N-MATRIX.row, ...
 *
 * WHAT is the grid of dotProd and histogram, the matrix of spmv and bfs, - of all others.  Buffers
 * are allocated one after the other and inputs copied in just before the launch.
 */
#include "kernels.h"

#include <algorithm>
#include <cmath>
#include <string>

struct job {
	std::string kernel, what;
	int n, tile;
	bool check;
};

/* ---- inputs: the same on every machine ---------------------------------------------- */

static unsigned long long state;

static unsigned draw(void)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)(state >> 33);
}

static std::vector<float> reals(size_t count)
{
	std::vector<float> v(count);

	for (float &x : v)
		x = (float)(draw() % 1024) / 1024 - 0.5f;
	return v;
}

struct graph {			/* rows of a sparse matrix; neighbours of a node */
	std::vector<int> row, column;
};

/* How many columns row i has, and which: band, random, power (a few rows have most). */
static graph make_graph(const std::string &what, int n)
{
	graph g;

	g.row.push_back(0);
	for (int i = 0; i < n; i++) {
		int count = what == "power" ? std::min(n / 2, 4 + 64 * (n / 64) / (1 + i)) : 8;

		for (int k = 0; k < count; k++)
			g.column.push_back(what == "band" ? std::min(n - 1, std::max(0, i + k - 4))
							  : (int)(draw() % (unsigned)n));
		g.row.push_back((int)g.column.size());
	}
	return g;
}

/* ---- launch and check ------------------------------------------------------------------ */

static void compare(const job &j, const std::vector<float> &got, const std::vector<float> &want)
{
	for (size_t i = 0; i < want.size(); i++)
		if (!(std::fabs((double)got[i] - (double)want[i]) <=
		      1e-4 * (1 + std::fabs((double)want[i])))) {
			fprintf(stderr, "run: %s %d %d %s: [%zu] is %g, not %g\n", j.kernel.c_str(),
				j.n, j.tile, j.what.c_str(), i, (double)got[i], (double)want[i]);
			exit(1);
		}
}

static void compare(const job &j, const std::vector<int> &got, const std::vector<int> &want)
{
	for (size_t i = 0; i < want.size(); i++)
		if (got[i] != want[i]) {
			fprintf(stderr, "run: %s %d %d %s: [%zu] is %d, not %d\n", j.kernel.c_str(),
				j.n, j.tile, j.what.c_str(), i, got[i], want[i]);
			exit(1);
		}
}

template <class T> static T *buffer(const std::vector<T> &v)
{
	return gpu_new<T>(std::max<size_t>(v.size(), 1));
}

static dim3 plane(const job &j) /* blocks of T x T over n x n */
{
	unsigned blocks = (unsigned)((j.n + j.tile - 1) / j.tile);

	return dim3(blocks, blocks);
}

static dim3 line(const job &j) /* blocks of T * T over n */
{
	return dim3((unsigned)((j.n + j.tile * j.tile - 1) / (j.tile * j.tile)));
}

static void product(const job &j)
{
	size_t W = (size_t)j.n, T = (size_t)j.tile;
	std::vector<float> m = reals(W * W), n = reals(W * W), p(W * W), want(W * W);
	float *M = buffer(m), *N = buffer(n), *P = buffer(p);
	dim3 block((unsigned)T, (unsigned)T);

	if (W % T)
		gpu_fail(j.kernel.c_str(), "n is no multiple of the tile");
	gpu_in(M, m);
	gpu_in(N, n);
	if (j.kernel == "matMul_gpu")
		LAUNCH(matMul_gpu, plane(j), block, 0, M, N, P, j.n);
	else if (j.kernel == "matMul_gpu_uncoalesced")
		LAUNCH(matMul_gpu_uncoalesced, plane(j), block, 0, M, N, P, j.n);
	else if (j.kernel == "matMul_gpu_sharedmem")
		LAUNCH(matMul_gpu_sharedmem, plane(j), block, 8 * T * T, M, N, P, j.n);
	else
		LAUNCH(matMul_gpu_sharedmem_uncoalesced, plane(j), block, 8 * T * T, M, N, P, j.n);
	if (!j.check)
		return;
	gpu_out(p, P);
	for (size_t a = 0; a < W; a++)
		for (size_t b = 0; b < W; b++)
			for (size_t k = 0; k < W; k++)
				want[a * W + b] += m[a * W + k] * n[k * W + b];
	compare(j, p, want);
}

static void sum(const job &j)
{
	bool matrix = j.kernel != "vectorAdd";
	size_t count = (size_t)j.n * (matrix ? (size_t)j.n : 1);
	std::vector<float> a = reals(count), b = reals(count), s(count), want(count);
	float *A = buffer(a), *B = buffer(b), *S = buffer(s);
	dim3 block((unsigned)j.tile, (unsigned)j.tile), row((unsigned)(j.tile * j.tile));

	gpu_in(A, a);
	gpu_in(B, b);
	if (j.kernel == "matrix_sum_coalesced")
		LAUNCH(matrix_sum_coalesced, plane(j), block, 0, A, B, S, j.n);
	else if (matrix)
		LAUNCH(matrix_sum_normal, plane(j), block, 0, A, B, S, j.n);
	else
		LAUNCH(vectorAdd, line(j), row, 0, A, B, S, j.n);
	if (!j.check)
		return;
	gpu_out(s, S);
	for (size_t i = 0; i < count; i++)
		want[i] = a[i] + b[i];
	compare(j, s, want);
}

static void dot(const job &j)
{
	unsigned grid = (unsigned)atoi(j.what.c_str()), T = (unsigned)(j.tile * j.tile);
	std::vector<float> a = reals((size_t)j.n), b = reals((size_t)j.n), p(grid), got(1), want(1);
	float *A = buffer(a), *B = buffer(b), *P = buffer(p);

	gpu_in(A, a);
	gpu_in(B, b);
	LAUNCH(dotProd, dim3(grid), dim3(T), T * sizeof(float), A, B, P, j.n);
	if (!j.check)
		return;
	gpu_out(p, P);
	double all = 0, right = 0;

	for (float x : p)
		all += (double)x;
	for (size_t i = 0; i < a.size(); i++)
		right += (double)a[i] * (double)b[i];
	got[0] = (float)all;
	want[0] = (float)right;
	compare(j, got, want);
}

static void sparse(const job &j)
{
	graph g = make_graph(j.what, j.n);
	std::vector<float> v = reals(g.column.size()), x = reals((size_t)j.n), y((size_t)j.n),
			   want((size_t)j.n);
	int *R = buffer(g.row), *C = buffer(g.column);
	float *V = buffer(v), *X = buffer(x), *Y = buffer(y);

	gpu_in(R, g.row);
	gpu_in(C, g.column);
	gpu_in(V, v);
	gpu_in(X, x);
	LAUNCH(spmv, line(j), dim3((unsigned)(j.tile * j.tile)), 0, R, C, V, X, Y, j.n);
	if (!j.check)
		return;
	gpu_out(y, Y);
	for (int i = 0; i < j.n; i++)
		for (int k = g.row[(size_t)i]; k < g.row[(size_t)i + 1]; k++)
			want[(size_t)i] += v[(size_t)k] * x[(size_t)g.column[(size_t)k]];
	compare(j, y, want);
}

static std::vector<int> next_level(const graph &g, std::vector<int> depth, int level)
{
	std::vector<int> next = depth;

	for (size_t i = 0; i < depth.size(); i++)
		for (int k = g.row[i]; depth[i] == level && k < g.row[i + 1]; k++)
			if (depth[(size_t)g.column[(size_t)k]] < 0)
				next[(size_t)g.column[(size_t)k]] = level + 1;
	return next;
}

/* The depths before the level that most nodes have, which is *level. */
static std::vector<int> widest_level(const graph &g, int n, int *level)
{
	std::vector<int> depth((size_t)n, -1), before;
	long most = -1;

	depth[(size_t)n / 2] = 0;
	for (int l = 0;; l++) {
		std::vector<int> next = next_level(g, depth, l);
		long count = (long)std::count(depth.begin(), depth.end(), l);

		if (count > most) {
			most = count;
			before = depth;
			*level = l;
		}
		if (next == depth)
			return before;
		depth = next;
	}
}

static void search(const job &j)
{
	graph g = make_graph(j.what, j.n);
	int level = 0;
	std::vector<int> before = widest_level(g, j.n, &level), after;
	int *R = buffer(g.row), *C = buffer(g.column), *D = buffer(before);

	gpu_in(R, g.row);
	gpu_in(C, g.column);
	gpu_in(D, before);
	LAUNCH(bfs, line(j), dim3((unsigned)(j.tile * j.tile)), 0, R, C, D, level, j.n);
	if (!j.check)
		return;
	after = before;
	gpu_out(after, D);
	compare(j, after, next_level(g, before, level));
}

static void count(const job &j)
{
	unsigned grid = (unsigned)atoi(j.what.c_str());
	std::vector<int> data((size_t)j.n), bins(BINS), want(BINS);

	for (int &d : data)
		d = (int)(draw() % BINS & draw() % BINS); /* some more than others */
	int *D = buffer(data), *B = buffer(bins);

	gpu_in(D, data);
	gpu_in(B, bins);
	LAUNCH(histogram, dim3(grid), dim3((unsigned)(j.tile * j.tile)), BINS * sizeof(int), D, B,
	       j.n);
	if (!j.check)
		return;
	gpu_out(bins, B);
	for (int d : data)
		want[(size_t)d]++;
	compare(j, bins, want);
}

static float at(const std::vector<float> &v, int W, int y, int x)
{
	return y >= 0 && y < W && x >= 0 && x < W ? v[(size_t)y * (size_t)W + (size_t)x] : 0;
}

static float wanted(const job &j, const std::vector<float> &a, const std::vector<float> &w, int y,
		    int x)
{
	int W = j.n, side = 2 * RADIUS + 1;
	float s = 0;

	if (j.kernel == "transpose")
		return at(a, W, x, y);
	if (j.kernel == "stencil")
		return x == 0 || y == 0 || x == W - 1 || y == W - 1 ? at(a, W, y, x)
			: 0.5f * at(a, W, y, x) + 0.125f * (at(a, W, y, x - 1) + at(a, W, y, x + 1) +
							    at(a, W, y - 1, x) + at(a, W, y + 1, x));
	for (int k = 0; k < side * side; k++)
		s += w[(size_t)k] * at(a, W, y + k / side - RADIUS, x + k % side - RADIUS);
	return s;
}

static void image(const job &j)
{
	size_t W = (size_t)j.n, T = (size_t)j.tile, S = T + 2 * RADIUS;
	std::vector<float> a = reals(W * W), w = reals((2 * RADIUS + 1) * (2 * RADIUS + 1)), b(W * W),
			   want(W * W);
	float *A = buffer(a), *K = buffer(w), *B = buffer(b);
	dim3 block((unsigned)T, (unsigned)T);

	gpu_in(A, a);
	gpu_in(K, w);
	if (j.kernel == "stencil")
		LAUNCH(stencil, plane(j), block, 0, A, B, j.n);
	else if (j.kernel == "transpose")
		LAUNCH(transpose, plane(j), block, T * (T + 1) * sizeof(float), A, B, j.n);
	else
		LAUNCH(convolution, plane(j), block, S * S * sizeof(float), A, K, B, j.n);
	if (!j.check)
		return;
	gpu_out(b, B);
	for (int y = 0; y < j.n; y++)
		for (int x = 0; x < j.n; x++)
			want[(size_t)y * W + (size_t)x] = wanted(j, a, w, y, x);
	compare(j, b, want);
}

/* ---- what there is to run ----------------------------------------------------------------- */

static const struct kind {
	const char *kernel;
	void (*run)(const job &j);
	int least, most;	/* n, doubled from one to the next */
	const char *what;	/* separated by blanks; N/TT: n / tile^2 */
} kinds[] = {
	{ "matMul_gpu", product, 128, 2048, "-" },
	{ "matMul_gpu_uncoalesced", product, 128, 2048, "-" },
	{ "matMul_gpu_sharedmem", product, 128, 2048, "-" },
	{ "matMul_gpu_sharedmem_uncoalesced", product, 128, 2048, "-" },
	{ "matrix_sum_coalesced", sum, 256, 4096, "-" },
	{ "matrix_sum_normal", sum, 256, 4096, "-" },
	{ "vectorAdd", sum, 1 << 16, 1 << 22, "-" },
	{ "dotProd", dot, 1 << 16, 1 << 22, "32 N/TT" },
	{ "spmv", sparse, 1 << 12, 1 << 18, "band random power" },
	{ "stencil", image, 256, 4096, "-" },
	{ "bfs", search, 1 << 12, 1 << 18, "band random power" },
	{ "histogram", count, 1 << 16, 1 << 22, "32 256" },
	{ "transpose", image, 256, 4096, "-" },
	{ "convolution", image, 256, 4096, "-" },
};

static void list_kind(const kind &k, bool quick)
{
	for (int n = k.least; n <= (quick ? k.least : k.most); n *= 2)
		for (int tile = quick ? 16 : 8; tile <= (quick ? 16 : 32); tile *= 2)
			for (const char *w = k.what; *w; w += strspn(w, " ")) {
				std::string what(w, strcspn(w, " "));

				w += what.size();
				if (what == "N/TT")
					what = std::to_string(n / (tile * tile));
				printf("%s %d %d %s\n", k.kernel, n, tile, what.c_str());
			}
}

/* ---- graphs as files, for predictions -------------------------------------------------------- */

static void save(const std::string &path, const std::vector<int> &v)
{
	FILE *f = fopen(path.c_str(), "wb");

	if (!f || fwrite(v.data(), sizeof(int), v.size(), f) != v.size() || fclose(f))
		gpu_fail(path.c_str(), "cannot be written");
}

static bool is_flat(const job &j) /* else its blocks are squares */
{
	return j.kernel == "vectorAdd" || j.kernel == "dotProd" || j.kernel == "spmv" ||
	       j.kernel == "bfs" || j.kernel == "histogram";
}

static int tell_facts(const std::string &folder, const job &j)
{
	static const char *const matrices[] = { "band", "random", "power" };
	dim3 grid = is_flat(j) ? line(j) : plane(j);
	unsigned T = (unsigned)j.tile;
	int matrix = 0, level = 0;
	size_t entries = 0;

	if (atoi(j.what.c_str()) > 0)
		grid = dim3((unsigned)atoi(j.what.c_str()));
	if (j.kernel == "spmv" || j.kernel == "bfs") {
		graph g = make_graph(j.what, j.n);
		std::vector<int> depth = widest_level(g, j.n, &level);

		while (j.what != matrices[matrix])
			matrix++;
		std::string base = folder + "/" + std::to_string(j.n) + "-" + std::to_string(matrix);

		entries = g.column.size();
		save(base + ".row", g.row);
		save(base + ".column", g.column);
		save(base + ".depth", depth);
	}
	printf("%u %u %u %u %d %zu %d\n", grid.x, grid.y, is_flat(j) ? T * T : T, is_flat(j) ? 1 : T,
	       matrix, entries, level);
	return 0;
}

static int run_job(const job &j)
{
	for (const kind &k : kinds)
		if (j.kernel == k.kernel) {
			k.run(j);
			return 0;
		}
	gpu_fail(j.kernel.c_str(), "no such kernel");
	return 1;
}

static bool is_choice(const char *word, const char *choices)
{
	const char *p = strstr(choices, word);

	return p && *word && (p == choices || p[-1] == ' ') && strchr(" ", p[strlen(word)]);
}

/* Is WHAT one that the kernel takes? */
static bool right(const job &j)
{
	for (const kind &k : kinds)
		if (j.kernel == k.kernel)
			return k.what[0] >= '0' && k.what[0] <= '9' ? atoi(j.what.c_str()) > 0
								    : is_choice(j.what.c_str(), k.what);
	return true;
}

int main(int argc, char **argv)
{
	std::vector<std::string> word(argv + 1, argv + argc);
	bool quick = word.size() == 2 && word[1] == "--quick";
	std::string folder;
	job j = {};

	if (!word.empty() && word[0] == "--list" && (word.size() == 1 || quick)) {
		for (const kind &k : kinds)
			list_kind(k, quick);
		return 0;
	}
	if (word.size() == 1 && word[0] == "--gpu") {
		gpu_describe();
		return 0;
	}
	j.check = !word.empty() && word[0] == "--check";
	word.erase(word.begin(), word.begin() + j.check);
	if (word.size() == 6 && word[0] == "--facts") {
		folder = word[1];
		word.erase(word.begin(), word.begin() + 2);
	}
	if (word.size() != 4)
		gpu_fail("usage", "run --list [--quick] | --gpu | [--check | --facts FOLDER] KERNEL N TILE WHAT");
	j.kernel = word[0];
	j.n = atoi(word[1].c_str());
	j.tile = atoi(word[2].c_str());
	j.what = word[3];
	if (j.n < 1 || j.n > 1 << 24 || (j.tile & (j.tile - 1)) || j.tile < 1 || j.tile > 32 ||
	    !right(j))
		gpu_fail(j.kernel.c_str(), "want N of 1 to 2^24, TILE a power of two up to 32, and "
			 "WHAT as --list has it");
	state = 20260401;
	return folder.empty() ? run_job(j) : tell_facts(folder, j);
}
