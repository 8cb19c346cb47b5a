/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/study/t-fit.c -- a fit finds the machine whose own counts are the counters, tells what it
 * cannot know, and errs as sums by hand say.
 */
#include "study/fit.h"
#include "tests/test.h"

#include <unistd.h>

#define ROWS 6u

static const char *const conf_text =
	"title = Counts of the tool\nlicence = none\nsource = a simulation\nattribution = nobody\n"
	"[counter l1.hit]\nunit = percent\ndefinition = hits of loads\ncounts = requests\n"
	"median = hit\n"
	"[gpu A]\nmachine = start.conf\n[gpu B]\nmachine = start.conf\n"
	"[kernel rows]\nsource = k.cl\nkernel = rows\nbuffer = X = float {n * n} random seed=1\n"
	"buffer = Z = float {n}\nglobal = {n}\nlocal = 16\nargs = Z X {n}\nlabel = n={n}\n"
	"[kernel mm]\nsource = k.cl\nkernel = mm\nbuffer = X = float {n * n} random seed=1\n"
	"buffer = Z = float {n * n}\nglobal = {n} {n}\nlocal = 16 16\nargs = Z X {n}\n"
	"label = n={n}\n";

static const char *const kernel_text =
	"__kernel void rows(__global float *Z, __global const float *X, int n)\n"
	"{ int r = get_global_id(0); float s = 0; for (int k = 0; k < n; k++) s += X[r * n + k];\n"
	"  Z[r] = s; }\n"
	"__kernel void mm(__global float *Z, __global const float *X, int n)\n"
	"{ int c = get_global_id(0), r = get_global_id(1); float s = 0;\n"
	"  for (int k = 0; k < n; k++) s += X[c * n + k] * X[k * n + r]; Z[r * n + c] = s; }\n";

static const char *const start_text =
	"base = gtx480\nsm.count = 1\nl1.sets = 16\nl1.ways = 2\nl1.hash = modulo\n"
	"l1.policy = lru\n";
static const char *const truth_text =
	"base = gtx480\nsm.count = 1\nl1.sets = 16\nl1.ways = 4\nl1.hash = xor\n";
static const char *const other_text =
	"base = gtx480\nsm.count = 1\nl1.sets = 16\nl1.ways = 2\nl1.policy = fifo\n"
	"l1.hash = modulo\n";

static char folder[] = "/tmp/warpstack-fit-XXXXXX";
static char truth_path[sizeof folder + 16], other_path[sizeof folder + 16];
static char state_path[sizeof folder + 16];

/* ---- the data set ------------------------------------------------------------------------ */

static void put_file(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "w");
	test_ok(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s is written", name);
}

static void put_table(const double hit[ROWS])
{
	static const struct { const char *gpu, *kernel; unsigned n; } row[ROWS] = {
		{ "A", "rows", 48 }, { "A", "rows", 96 }, { "A", "mm", 48 },
		{ "B", "rows", 80 }, { "B", "mm", 48 }, { "B", "mm", 64 },
	};
	char text[2048];
	size_t used = (size_t)snprintf(text, sizeof text, "gpu,kernel,n,hit\n");

	for (unsigned i = 0; i < ROWS; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s,%s,%u,%.9f\n",
					 row[i].gpu, row[i].kernel, row[i].n, hit[i]);
	put_file("counts.csv", text);
}

static void remove_all(void)
{
	static const char *const names[] = { "set.conf", "k.cl", "start.conf", "truth.conf",
					     "other.conf", "counts.csv", "state" };
	char path[256];

	for (size_t i = 0; i < WS_COUNT(names); i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}

/* What the launches hit on a machine; false: it failed. */
static bool judge(const char *machine, double hit[ROWS])
{
	const struct ws_study_options study = { .seed = 1, .threads = 1 };
	const struct ws_hardware_options o = { .study = &study, .machine = machine,
					       .budget = 1e9 };
	struct ws_data_set set = { 0 };
	struct ws_hardware h = { 0 };
	struct ws_err err = { .status = WS_OK };
	enum ws_status status = ws_data_set_open(&set, folder, &err);

	if (status == WS_OK)
		status = ws_hardware_judge(&h, &set, &o, &err);
	test_ok(status == WS_OK && h.points == ROWS, "the launches run: %s", err.text);
	for (size_t i = 0; i < h.points && i < ROWS; i++)
		hit[i] = h.point[i].simulated;
	ws_hardware_clear(&h);
	ws_data_set_close(&set);
	return status == WS_OK;
}

/* ---- fits ---------------------------------------------------------------------------------- */

struct asked {
	const char *free_keys, *state;
	uint64_t most;
	unsigned threads;
	bool predicted;
};

static bool fit(const struct asked *q, struct ws_fit *out, struct ws_data_set *set)
{
	const struct ws_study_options study = { .seed = 1, .threads = q->threads };
	const struct ws_hardware_options hardware = { .study = &study, .budget = 1e9,
						      .state = q->state };
	struct ws_fit_options o = { .hardware = &hardware, .level = { true, false },
				    .most = q->most, .predicted = q->predicted,
				    .one_machine = true };
	struct ws_err err = { .status = WS_OK };
	enum ws_status status;

	*set = (struct ws_data_set){ 0 };
	if (!ws_list_add(&o.free, q->free_keys))
		return false;
	status = ws_data_set_open(set, folder, &err);
	if (status == WS_OK)
		status = ws_fit_run(out, set, &o, &err);
	ws_list_clear(&o.free);
	return test_ok(status == WS_OK, "%s is fitted, at most %" PRIu64 ": %s", q->free_keys,
		       q->most, err.text);
}

static const char *fitted_value(const struct ws_fit *f, size_t k)
{
	return f->vary[k].value[f->key[k].fitted];
}

static double error_of(const struct ws_fit *f, enum ws_fit_way way, const char *gpu)
{
	struct ws_agreement a;

	return ws_fit_errors(f, way, gpu, &a, NULL) == WS_OK && a.count ? a.mean_abs
								     : (double)NAN;
}

#define FREE "l1.hash=modulo|xor|ipoly,l1.ways=2|4|8,l1.policy=lru|fifo,l2.policy=lru|fifo"

static void finds(const double start[ROWS], const double truth[ROWS])
{
	const struct asked q = { FREE, state_path, 64, 1, false };
	struct ws_data_set set;
	struct ws_fit f = { 0 };
	struct ws_buf text = { 0 };
	struct ws_err err = { .status = WS_OK };
	struct ws_machine m;
	double by_hand = 0;

	for (unsigned i = 0; i < ROWS; i++)
		by_hand += fabs(start[i] - truth[i]) / ROWS;
	if (!fit(&q, &f, &set))
		return;
	test_str(fitted_value(&f, 0), "xor", "the hash");
	test_str(fitted_value(&f, 1), "4", "the ways");
	test_str(fitted_value(&f, 2), "lru", "the policy");
	test_str(fitted_value(&f, 3), "lru", "what is not told stays");
	test_u64(f.key[0].determined, WS_DETERMINED_YES, "the hash is determined");
	test_u64(f.key[1].determined, WS_DETERMINED_YES, "so are the ways");
	test_u64(f.key[2].determined, WS_DETERMINED_YES, "and the policy");
	test_u64(f.key[3].determined, WS_DETERMINED_NO, "the L2's policy is not");
	test_u64(f.tried, 36, "combinations");
	test_u64(f.launches, ROWS, "launches");
	test_abs(error_of(&f, WS_FIT_START, NULL), by_hand, 1e-6, "the start errs as by hand");
	test_abs(error_of(&f, WS_FIT_OWN, NULL), 0, 1e-6, "in its own order it is the truth");
	test_abs(error_of(&f, WS_FIT_FITTED, NULL), 0, 1e-6, "in the sweep's, too");
	test_abs(error_of(&f, WS_FIT_NO_KERNEL, NULL), 0, 1e-6, "a kernel left out is met");
	test_abs(error_of(&f, WS_FIT_NO_GPU, "B"), 0, 1e-6, "and a GPU");
	test_ok(ws_fit_conf(&f, &set, &text, &err) == WS_OK &&
		ws_machine_read(&m, (const char *)text.data, text.len, "fitted.conf", &err) ==
		WS_OK, "the machine is written and read: %s", err.text);
	test_str(m.name, "fitted", "its name is the file's");
	test_u64(m.l1.ways, 4, "with the ways");
	test_str(m.l1.hash->name, "xor", "and the hash");
	ws_buf_clear(&text);
	ws_fit_clear(&f);
	ws_data_set_close(&set);
}

/* Nothing depends on threads, or on what is kept. */
static void same(void)
{
	const struct asked how[] = { { FREE, NULL, 64, 3, false },
				     { FREE, state_path, 64, 1, false } };
	struct ws_fit f[WS_COUNT(how)] = { 0 };
	struct ws_data_set set[WS_COUNT(how)];

	for (unsigned i = 0; i < WS_COUNT(how); i++) {
		if (!fit(&how[i], &f[i], &set[i]))
			return;
		for (size_t k = 0; k < f[i].keys; k++)
			test_ok(memcmp(f[i].key[k].value, f[0].key[k].value,
				       f[0].vary[k].count * sizeof *f[0].key[k].value) == 0,
				"way %u: the profile of key %zu is the same", i, k);
	}
	test_u64(f[1].h.computed, 0, "all was kept");
	for (unsigned i = 0; i < WS_COUNT(how); i++) {
		ws_fit_clear(&f[i]);
		ws_data_set_close(&set[i]);
	}
}

static void descends(void)
{
	const struct asked q = { FREE, state_path, 20, 1, false };
	struct ws_data_set set;
	struct ws_fit f = { 0 };

	if (!fit(&q, &f, &set))
		return;
	test_u64(f.descents, 3, "descents");
	test_ok(f.agreed >= 1, "the best is one's end");
	test_str(fitted_value(&f, 0), "xor", "the hash");
	test_str(fitted_value(&f, 1), "4", "the ways");
	test_str(fitted_value(&f, 3), "lru", "what is not told stays");
	ws_fit_clear(&f);
	ws_data_set_close(&set);
}

/* Policies share the start's order: the fitted one is run in its own, too. */
static void own_order(void)
{
	const struct asked q = { "l1.policy=lru|fifo", NULL, 64, 1, false };
	struct ws_data_set set;
	struct ws_fit f = { 0 };

	if (!fit(&q, &f, &set))
		return;
	test_str(fitted_value(&f, 0), "fifo", "the policy");
	test_abs(error_of(&f, WS_FIT_OWN, NULL), 0, 1e-6, "in its own order it is the truth");
	test_ok(error_of(&f, WS_FIT_FITTED, NULL) < error_of(&f, WS_FIT_START, NULL),
		"in the start's order it is nearer");
	ws_fit_clear(&f);
	ws_data_set_close(&set);
}

/* The counters are those of the start: it stays, and nothing is found. */
static void stays(void)
{
	const struct asked q = { "l1.hash,l1.ways,l1.latency=10|18", NULL, 64, 2, true };
	struct ws_data_set set;
	struct ws_fit f = { 0 };

	if (!fit(&q, &f, &set))
		return;
	for (size_t k = 0; k < f.keys; k++)
		test_ok(f.key[k].fitted == f.key[k].start, "%s stays", f.vary[k].key->name);
	test_abs(error_of(&f, WS_FIT_FITTED, NULL), 0, 1e-6, "nothing is off");
	test_u64(f.vary[0].count, 4, "hashes");
	test_u64(f.vary[1].count, 4, "ways, one of them not a quarter");
	ws_fit_clear(&f);
	ws_data_set_close(&set);
}

int main(void)
{
	struct ws_err why = { 0 };
	double start[ROWS] = { 0 }, truth[ROWS] = { 0 }, other[ROWS] = { 0 };

	if (ws_capture_load(&why) != WS_OK) {
		test_skip("fits", why.text);
		return test_done();
	}
	test_ok(mkdtemp(folder) != NULL, "a folder");
	snprintf(truth_path, sizeof truth_path, "%s/truth.conf", folder);
	snprintf(other_path, sizeof other_path, "%s/other.conf", folder);
	snprintf(state_path, sizeof state_path, "%s/state", folder);
	put_file("set.conf", conf_text);
	put_file("k.cl", kernel_text);
	put_file("start.conf", start_text);
	put_file("truth.conf", truth_text);
	put_file("other.conf", other_text);
	for (unsigned i = 0; i < ROWS; i++)
		truth[i] = 50;
	put_table(truth);
	if (judge(NULL, start) && judge(truth_path, truth) && judge(other_path, other)) {
		put_table(truth);
		finds(start, truth);
		same();
		descends();
		put_table(other);
		own_order();
		put_table(start);
		stays();
	}
	remove_all();
	return test_done();
}
