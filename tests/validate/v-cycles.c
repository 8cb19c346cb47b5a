/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/v-cycles.c -- the model beside the cycle simulator, on our own kernels.
 *
 *   v-cycles [--threads N] DEV... [--report LAUNCH...]
 *
 * writes a CSV to standard output, a summary to standard error.  The model's form was drawn from
 * launch files before --report, of set dev (mm-16x4, mm-16x8, cp, divergent, stencil, histogram,
 * mt; of what makes the LSU stand still all of them), and its constant ALIKE was chosen with all of
 * them in sight.  Those after it, of set report, had no part in that, but for one thing: their
 * first report told that cycles were too long where many requests share a fetch, and the law of how
 * many do, which dev had bent, was then taken as it is, which dev bears as well.  Of credits, first
 * waits, last stores and the anchor (model/time/timing.c) the form, NORM and FRONT_MOST were chosen
 * on dev; set report was looked at three times: (each of them on and off) without last stores,
 * whose lack shows in dev's bfs_begin; with them; and with the time that the first credits' packets
 * take.  Of miss ratios nothing was fitted.
 *
 * Two tables in one, by the column `table`:
 *
 *   machine GTX 480 and V100 with L1s of 16 KB and 48 KB, the profile of just that machine: miss
 *   ratios of
 *            loads and shares of pending hits in L1 and L2, cycles, latencies of load instructions
 *   sweep GTX 480, L1s of 4 sizes x 3 ways x 3 policies, all from one profile (l1.hash = xor, as
 *   that of
 *            Fermi wants 32 or 64 sets): cycles, and those of the same machine with one cycle more
 *            of dram.latency (cycles_perturbed)
 *
 * In both, cycles_anchored is what a profile in the order of cycles predicts, which knows what one
 * machine took: for 16 KB that of 48 KB and the other way round; in the sweep that of 16 KB, 4 ways
 * and LRU.
 *
 * The summary says, of the first table, mean and largest errors; of the second, Spearman's rank
 * correlation of predicted and simulated cycles over the 36 configurations, and what a
 * configuration costs: 1000 of them by the model, 20 by the simulator.  Beside each correlation
 * stand that of simulated misses, and that of the simulator with itself, perturbed: schedules
 * of warps are chaotic, and an order that one cycle of latency turns over, nothing can predict.
 * Means are taken twice: over the kernels of launch files, where mm and mt come in fifteen sizes
 * each, and over kernels, where all launch files of a kernel count as one.
 */
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "tests/test.h"
#include "tests/validate/captured.h"
#include "validate/validate.h"

#define SIZES 4u
#define WAYS 3u
#define POLICIES 3u
#define SWEEP (SIZES * WAYS * POLICIES)
#define SECTIONS_MAX 8u		/* kernels of a launch file */
#define KERNELS_MAX 256u	/* of all */
#define MODEL_CONFIGS 1000u
#define SIM_CONFIGS 20u

static const char *const sizes[SIZES] = { "8K", "16K", "32K", "64K" };
static const char *const ways[WAYS] = { "2", "4", "8" };
static const char *const policies[POLICIES] = { "lru", "fifo", "srrip" };

struct simulated {		/* of one kernel: its launches added up */
	struct ws_cycle_counts l1[WS_KINDS + 1], l2[WS_KINDS + 1];
	double cycles, loads, latency;
};

struct job {
	struct ws_machine machine;
	struct simulated kernel[SECTIONS_MAX];
	double seconds;
};

struct jobs {
	const struct ws_trace *trace;
	const struct ws_profile *profile; /* says which kernels there are */
	struct job *job;
	size_t count, next;
	unsigned threads;
	pthread_mutex_t lock;
};

static void must(enum ws_status status, const struct ws_err *err)
{
	if (status == WS_OK)
		return;
	fprintf(stderr, "v-cycles: %s\n", err->text);
	exit(1);
}

static struct ws_machine machine(const char *name, const char *const *set, size_t count)
{
	struct ws_err err = { 0 };
	struct ws_machine m;

	must(ws_machine_load(&m, name, &err), &err);
	for (size_t i = 0; i < count; i++)
		must(ws_machine_set(&m, set[i], &err), &err);
	must(ws_machine_check(&m, &err), &err);
	return m;
}

/* ---- simulations, several at once ---------------------------------------------------- */

static void add_counts(struct ws_cycle_counts *to, const struct ws_cycle_counts *from)
{
	to->requests += from->requests;
	to->hits += from->hits;
	to->pending += from->pending;
	to->misses += from->misses;
}

static void add(struct simulated *to, const struct ws_cycle_result *r)
{
	struct ws_cycle_counts kind[WS_KINDS + 1];
	struct ws_core_stats sm;

	ws_cycle_l1(r, kind);
	for (unsigned i = 0; i <= WS_KINDS; i++)
		add_counts(to->l1 + i, kind + i);
	ws_cycle_l2(r, kind);
	for (unsigned i = 0; i <= WS_KINDS; i++)
		add_counts(to->l2 + i, kind + i);
	ws_cycle_sm(r, &sm);
	to->cycles += (double)r->cycles;
	to->loads += (double)sm.loads;
	to->latency += (double)sm.latency_sum;
}

static void simulate(const struct jobs *jobs, struct job *job)
{
	const struct ws_cycle_options options = { .seed = 1, .threads = 1 };
	struct ws_cycle_result *r;
	struct ws_err err = { 0 };
	double start = ws_seconds();
	size_t launches;

	must(ws_cycles_run(&r, &launches, jobs->trace, &job->machine, &options, &err), &err);
	for (size_t i = 0; i < launches; i++)
		for (size_t s = 0; s < jobs->profile->sections; s++)
			if (strcmp(r[i].kernel, jobs->profile->section[s].kernel) == 0)
				add(job->kernel + s, r + i);
	ws_cycle_results_free(r, launches);
	job->seconds = ws_seconds() - start;
}

static void *work(void *context)
{
	struct jobs *jobs = context;
	size_t i;

	for (;;) {
		pthread_mutex_lock(&jobs->lock);
		i = jobs->next++;
		pthread_mutex_unlock(&jobs->lock);
		if (i >= jobs->count)
			return NULL;
		simulate(jobs, jobs->job + i);
	}
}

static void simulate_all(struct jobs *jobs)
{
	pthread_t thread[64];
	unsigned n = 0;

	pthread_mutex_init(&jobs->lock, NULL);
	while (n + 1 < jobs->threads && n < 64 && !pthread_create(&thread[n], NULL, work, jobs))
		n++;
	work(jobs);
	while (n > 0)
		pthread_join(thread[--n], NULL);
	pthread_mutex_destroy(&jobs->lock);
}

/* ---- profiles ------------------------------------------------------------------------ */

struct making {
	struct ws_profiler *profiler;
	struct ws_orderer *orderer;
};

static enum ws_status take(void *context, uint64_t sm, const struct ws_request *r, size_t count,
			   struct ws_err *err)
{
	const struct making *m = context;

	return ws_profiler_push(m->profiler, sm, r, count, err);
}

/* As ws_profile_trace, in any order. */
static struct ws_profile *made(const struct ws_trace *t, const struct ws_machine *own,
			       const struct ws_profile_options *options)
{
	const struct ws_order_options order = { options->seed, options->threads, NULL };
	struct making m = { .profiler = NULL };
	const struct ws_sink sink = { .context = &m, .requests = take };
	struct ws_err err = { 0 };
	struct ws_profile *p;

	must(ws_orderer_new(&m.orderer, options->order, t, own, &order, &err), &err);
	must(ws_profiler_new(&m.profiler, own, options, &err), &err);
	for (size_t i = 0; i < ws_trace_launches(t); i++) {
		struct ws_order_stats stats = { 0 };

		must(ws_profiler_launch(m.profiler, ws_trace_launch(t, i), &err), &err);
		must(ws_orderer_run(m.orderer, i, &sink, &stats, &err), &err);
		must(ws_profiler_end(m.profiler, &stats, &err), &err);
	}
	must(ws_profiler_finish(m.profiler, &p, &err), &err);
	ws_profiler_free(m.profiler);
	ws_orderer_free(m.orderer);
	return p;
}

/* With what all of these machines need. */
static struct ws_profile *profile(const struct ws_trace *t, enum ws_order order,
				  const struct ws_machine *own, const struct job *job,
				  size_t count)
{
	struct ws_shape shape[SWEEP];
	struct ws_filter filter[SWEEP];
	struct ws_profile_options options = {
		.shape = shape, .shapes = count, .filter = filter, .filters = count, .seed = 1,
		.order = order, .threads = order == WS_ORDER_NOMINAL ? 2 : 1,
		.record = WS_RECORD_DETAIL | WS_RECORD_SETS,
		.l2_sets = &own->l2.sets, .l2_set_counts = 1,
	};
	struct ws_profile *p;

	for (size_t i = 0; i < count; i++) {
		const struct ws_cache *l1 = &job[i].machine.l1;

		shape[i] = (struct ws_shape){ l1->line_bytes, l1->sets };
		filter[i] = (struct ws_filter){ l1->line_bytes, l1->sets, l1->ways };
	}
	p = made(t, own, &options);
	if (p->sections > SECTIONS_MAX)
		must(WS_EINVAL, &(struct ws_err){ .text = "too many kernels" });
	return p;
}

/* ---- figures ------------------------------------------------------------------------- */

struct figures {		/* |model - simulated| over rows */
	double sum, most;
	size_t count;
	char where[192];
};

enum { L1, L1_PENDING, L2, L2_PENDING, CYCLES, ANCHORED, SWEPT, LATENCY, FIGURES };

static const char *const figure_names[FIGURES] = {
	"L1 load miss ratio, points (bars 2, 8)", "L1 load pending ratio, points",
	"L2 load miss ratio, points (bars 4, 12)", "L2 load pending ratio, points",
	"cycles, %", "cycles from an anchor, %", "cycles of the sweep from an anchor, %",
	"latency of load instructions, %",
};

enum { MODEL, ANCHOR, MISSES, SELF, RANKS }; /* who ranks */

struct ranked {			/* a kernel of one launch file or of more */
	char kernel[64];
	bool report;
	double rho[RANKS];	/* sums */
	size_t files;
};

struct all {
	struct figures figure[2][FIGURES]; /* of dev, of report */
	struct ranked kernel[KERNELS_MAX];
	size_t kernels, flat;
	bool report;		/* what comes now */
};

static void note(struct figures *f, double error, const char *where)
{
	error = fabs(error);
	f->sum += error;
	f->count++;
	if (error <= f->most)
		return;
	f->most = error;
	snprintf(f->where, sizeof f->where, "%s", where);
}

static double ratio(uint64_t part, uint64_t of)
{
	return of ? (double)part / (double)of : 0;
}

static double percent(double model, double exact)
{
	return exact > 0 ? 100 * (model / exact - 1) : 0;
}

/* Of a level's loads, in columns: simulated and predicted miss ratio, pending ratio. */
static void level(const struct ws_cycle_counts *exact, const struct ws_counts *model,
		  struct figures *miss, struct figures *pending, const char *where)
{
	double m[2] = { ratio(exact->misses, exact->requests),
			ratio(model->misses, model->requests) };
	double p[2] = { ratio(exact->pending, exact->requests),
			ratio(model->pending, model->requests) };

	printf(",%llu,%llu,%.6f,%.6f,%.6f,%.6f", (unsigned long long)exact->requests,
	       (unsigned long long)model->requests, m[0], m[1], p[0], p[1]);
	if (!exact->requests)
		return;
	note(miss, 100 * (m[1] - m[0]), where);
	note(pending, 100 * (p[1] - p[0]), where);
}

static void row(const char *table, const struct ws_machine *m, const char *file,
		const char *kernel, const struct simulated *s, double perturbed,
		const struct ws_timing *t, const struct ws_timing *anchored, struct all *all)
{
	bool machines = strcmp(table, "machine") == 0;
	struct figures none = { 0 }, *f = machines ? all->figure[all->report] : NULL;
	double latency = s->loads > 0 ? s->latency / s->loads : 0;
	char where[192];

	snprintf(where, sizeof(where), "%s %s %llu KB %s %s", file, kernel,
		 (unsigned long long)m->l1.size_bytes / 1024, m->name, m->l1.policy);
	printf("%s,%s,%s,%s,%s,%s,%llu,%llu", table, all->report ? "report" : "dev", m->name, file,
	       kernel, m->l1.policy, (unsigned long long)m->l1.size_bytes,
	       (unsigned long long)m->l1.ways);
	level(s->l1 + WS_LOAD, t->l1.kind + WS_LOAD, f ? f + L1 : &none,
	      f ? f + L1_PENDING : &none, where);
	level(s->l2 + WS_LOAD, t->l2.kind + WS_LOAD, f ? f + L2 : &none,
	      f ? f + L2_PENDING : &none, where);
	printf(",%.0f", s->cycles);
	printf(",");
	if (!machines)
		printf("%.0f", perturbed);
	printf(",%.0f,%.0f,%s,%.1f,%.1f,%.1f", t->cycles, anchored->cycles,
	       ws_bound_name(t->binds), latency, t->load_cycles, t->access_cycles);
	for (unsigned i = 0; i < WS_BOUNDS; i++)
		printf(",%.0f", t->bound[i]);
	printf("\n");
	if (f || m->l1.size_bytes != 16384 || m->l1.ways != 4 ||
	    strcmp(m->l1.policy, policies[0]) != 0) /* not the anchor itself */
		note(all->figure[all->report] + (f ? ANCHORED : SWEPT),
		     percent(anchored->cycles, s->cycles), where);
	if (!f)
		return;
	note(f + CYCLES, percent(t->cycles, s->cycles), where);
	if (latency > 0)
		note(f + LATENCY, percent(t->load_cycles, latency), where);
}

static void header(void)
{
	printf("table,set,machine,file,kernel,policy,size_bytes,ways,l1_requests,l1_requests_model,"
	       "l1_miss,l1_miss_model,l1_pending,l1_pending_model,l2_requests,"
	       "l2_requests_model,l2_miss,l2_miss_model,l2_pending,l2_pending_model,"
	       "cycles,cycles_perturbed,cycles_model,cycles_anchored,bound,latency,"
	       "latency_model,access_cycles");
	for (unsigned i = 0; i < WS_BOUNDS; i++)
		printf(",bound_%s", ws_bound_name((enum ws_bound)i));
	printf("\n");
}

/* ---- the tables ---------------------------------------------------------------------- */

struct asked {			/* a profile and its answers */
	struct ws_profile *profile;
	struct ws_model *answers;
};

static struct asked prepare(const struct ws_trace *t, enum ws_order order,
			    const struct ws_machine *own, const struct job *job, size_t count)
{
	struct asked a = { .profile = profile(t, order, own, job, count) };
	struct ws_err err = { 0 };

	must(ws_model_new(&a.answers, a.profile, &err), &err);
	return a;
}

static struct ws_timing ask(const struct asked *a, size_t section, const struct ws_machine *m)
{
	struct ws_timing timing;
	struct ws_err err = { 0 };

	must(ws_model_timing(a->answers, section, m, &timing, &err), &err);
	return timing;
}

static void forget(struct asked *a)
{
	ws_model_free(a->answers);
	ws_profile_free(a->profile);
}

/* anchor: profiled in the order of cycles, for another size. */
static void one_machine(const struct ws_trace *t, const char *file, unsigned threads,
			struct job *job, const struct asked *anchor, struct all *all)
{
	struct asked own = prepare(t, WS_ORDER_NOMINAL, &job->machine, job, 1);
	struct jobs jobs = { .trace = t, .profile = own.profile, .job = job, .count = 1,
			     .threads = threads };

	simulate_all(&jobs);
	for (size_t s = 0; s < own.profile->sections; s++) {
		const struct ws_timing timing = ask(&own, s, &job->machine);
		const struct ws_timing anchored = ask(anchor, s, &job->machine);

		row("machine", &job->machine, file, own.profile->section[s].kernel,
		    job->kernel + s, 0, &timing, &anchored, all);
	}
	forget(&own);
}

static void machines(const struct ws_trace *t, const char *file, unsigned threads,
		     struct all *all)
{
	static const char *const names[] = { "gtx480", "v100" };
	static const char *const size[] = { "l1.size=16K", "l1.size=48K" };

	for (unsigned i = 0; i < 2; i++) {
		struct job job[2] = { { .machine = machine(names[i], size, 1) },
				      { .machine = machine(names[i], size + 1, 1) } };

		for (unsigned k = 0; k < 2; k++) {
			struct asked other = prepare(t, WS_ORDER_CYCLES, &job[1 - k].machine, job,
						     2);

			one_machine(t, file, threads, job + k, &other, all);
			forget(&other);
		}
	}
}

/* SWEEP: the one that is profiled. */
static struct ws_machine sweep_machine(unsigned i)
{
	char set[3][32];
	const char *const keys[] = { "l1.sets=32", "l1.hash=xor", set[0], set[1], set[2] };

	snprintf(set[0], sizeof set[0], "l1.size=%s", sizes[i / (WAYS * POLICIES)]);
	snprintf(set[1], sizeof set[1], "l1.ways=%s", ways[i / POLICIES % WAYS]);
	snprintf(set[2], sizeof set[2], "l1.policy=%s", policies[i % POLICIES]);
	return i < SWEEP ? machine("gtx480", keys + 1, 4) : machine("gtx480", keys, 2);
}

/* 0 if one of them does not vary. */
static double spearman(const double *a, const double *b)
{
	double work[2 * SWEEP], rho = gsl_stats_spearman(a, 1, b, 1, SWEEP, work);

	return isnan(rho) ? 0 : rho;
}

static struct ranked *ranked(struct all *all, const char *kernel)
{
	size_t i = 0;

	while (i < all->kernels && strcmp(all->kernel[i].kernel, kernel) != 0)
		i++;
	if (i == KERNELS_MAX)
		must(WS_EINVAL, &(struct ws_err){ .text = "too many kernels" });
	if (i == all->kernels) {
		all->kernels++;
		snprintf(all->kernel[i].kernel, sizeof all->kernel[i].kernel, "%s", kernel);
		all->kernel[i].report = all->report;
	}
	return all->kernel + i;
}

/* by[]: what ranks the configurations. */
static void rank(const char *file, const char *kernel, const double *exact,
		 double by[RANKS][SWEEP], struct all *all)
{
	double low, high, rho[RANKS];
	struct ranked *k;

	gsl_stats_minmax(&low, &high, exact, 1, SWEEP);
	if (high <= low) {
		all->flat++;
		return;
	}
	k = ranked(all, kernel);
	for (unsigned i = 0; i < RANKS; i++) {
		rho[i] = spearman(exact, by[i]);
		k->rho[i] += rho[i];
	}
	k->files++;
	fprintf(stderr,
		"# %-14s %-20s rank correlation of cycles %6.3f (from an anchor %6.3f, "
		"of simulated misses %6.3f, of the simulator, perturbed, %6.3f), cycles %.0f to "
		"%.0f\n",
		file, kernel, rho[MODEL], rho[ANCHOR], rho[MISSES], rho[SELF], low, high);
}

static void sweep(const struct ws_trace *t, const char *file, unsigned threads, struct all *all)
{
	static struct job job[2 * SWEEP]; /* then perturbed */
	struct ws_machine own = sweep_machine(SWEEP);
	struct jobs jobs = { .trace = t, .job = job, .count = 2 * SWEEP, .threads = threads };
	struct asked nominal, cycles;

	memset(job, 0, sizeof(job));
	for (unsigned i = 0; i < SWEEP; i++) {
		job[i].machine = job[SWEEP + i].machine = sweep_machine(i);
		job[SWEEP + i].machine.dram_latency_cycles++;
	}
	nominal = prepare(t, WS_ORDER_NOMINAL, &own, job, SWEEP);
	cycles = prepare(t, WS_ORDER_CYCLES, &own, job, SWEEP);
	jobs.profile = nominal.profile;
	simulate_all(&jobs);
	for (size_t s = 0; s < nominal.profile->sections; s++) {
		const char *kernel = nominal.profile->section[s].kernel;
		double exact[SWEEP], by[RANKS][SWEEP];

		for (unsigned i = 0; i < SWEEP; i++) {
			const struct simulated *is = job[i].kernel + s;
			const struct ws_timing timing = ask(&nominal, s, &job[i].machine);
			const struct ws_timing anchored = ask(&cycles, s, &job[i].machine);

			exact[i] = is->cycles;
			by[MODEL][i] = round(timing.cycles); /* whole, as simulated ones are */
			by[ANCHOR][i] = round(anchored.cycles);
			by[MISSES][i] = (double)is->l1[WS_LOAD].misses;
			by[SELF][i] = job[SWEEP + i].kernel[s].cycles;
			row("sweep", &job[i].machine, file, kernel, is, by[SELF][i], &timing,
			    &anchored, all);
		}
		rank(file, kernel, exact, by, all);
	}
	forget(&nominal);
	forget(&cycles);
}

/* ---- what a configuration costs ------------------------------------------------------ */

static void costs(const struct ws_trace *t, const char *file)
{
	static struct job job[SWEEP];
	struct ws_machine own = sweep_machine(SWEEP);
	struct jobs jobs = { .trace = t };
	struct asked a;
	double start, profiled, model, exact = 0;

	memset(job, 0, sizeof(job));
	for (unsigned i = 0; i < SWEEP; i++)
		job[i].machine = sweep_machine(i);
	start = ws_seconds();
	a = prepare(t, WS_ORDER_NOMINAL, &own, job, SWEEP);
	profiled = ws_seconds() - start;
	start = ws_seconds();
	for (unsigned i = 0; i < MODEL_CONFIGS; i++) {
		struct ws_machine m = job[i % SWEEP].machine;

		m.l1.mshr_entries = 8 + i / SWEEP * 8;
		for (size_t s = 0; s < a.profile->sections; s++)
			ask(&a, s, &m);
	}
	model = (ws_seconds() - start) / MODEL_CONFIGS;
	jobs.profile = a.profile;
	for (unsigned i = 0; i < SIM_CONFIGS; i++) {
		simulate(&jobs, &job[i * SWEEP / SIM_CONFIGS]);
		exact += job[i * SWEEP / SIM_CONFIGS].seconds / SIM_CONFIGS;
	}
	fprintf(stderr, "# a configuration of %s: model %.1f us (after %.2f s of profiling), "
		"simulator %.1f ms: 1 to %.0f (bar 1000)\n", file, 1e6 * model, profiled,
		1e3 * exact,
		exact / model);
	forget(&a);
}

/* ---- the program --------------------------------------------------------------------- */

static void sum_errors(const char *set, const struct figures figure[FIGURES])
{
	for (unsigned i = 0; i < FIGURES; i++) {
		const struct figures *f = figure + i;

		fprintf(stderr, "# %s: %s: mean %.2f, largest %.2f (%s), of %zu rows\n", set,
			figure_names[i], f->count ? f->sum / (double)f->count : 0, f->most,
			f->where, f->count);
	}
}

/* Of one set, or of both.  each: kernels, else those of launch files. */
static void sum_ranks(const struct all *all, const char *set, bool dev, bool report, bool each)
{
	double sum[RANKS] = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < all->kernels; i++) {
		const struct ranked *k = all->kernel + i;

		if (!(k->report ? report : dev))
			continue;
		n += each ? 1 : k->files;
		for (unsigned j = 0; j < RANKS; j++)
			sum[j] += k->rho[j] / (each ? (double)k->files : 1);
	}
	if (n)
		fprintf(stderr,
			"# %s: rank correlation of cycles, mean over %zu %s: %.3f (bar "
			"0.9; from an anchor %.3f; simulated misses %.3f; the simulator, "
			"perturbed, %.3f)\n",
			set, n, each ? "kernels" : "kernels of launch files",
			sum[MODEL] / (double)n, sum[ANCHOR] / (double)n, sum[MISSES] / (double)n,
			sum[SELF] / (double)n);
}

static void summary(const struct all *all)
{
	static const char *const sets[] = { "dev", "report", "all" };

	sum_errors(sets[0], all->figure[0]);
	sum_errors(sets[1], all->figure[1]);
	for (unsigned i = 0; i < 3; i++) {
		sum_ranks(all, sets[i], i != 1, i != 0, false);
		sum_ranks(all, sets[i], i != 1, i != 0, true);
	}
	fprintf(stderr, "# of %zu kernels of launch files cycles do not vary: no rank\n",
		all->flat);
}

/* "data/kernel/bfs.launch" is bfs. */
static void base_name(const char *path, char *name, size_t size)
{
	const char *slash = strrchr(path, '/');
	char *dot;

	snprintf(name, size, "%s", slash ? slash + 1 : path);
	dot = strrchr(name, '.');
	if (dot)
		*dot = '\0';
}

int main(int argc, char **argv)
{
	static struct all all;
	unsigned threads = 2;
	int first = 1;

	setenv("WARPSTACK_DATA", "data", 0);
	if (argc > 2 && strcmp(argv[1], "--threads") == 0) {
		threads = (unsigned)strtoul(argv[2], NULL, 10);
		first = 3;
	}
	header();
	for (int i = first; i < argc; i++) {
		struct ws_err err = { 0 };
		struct ws_trace *t;
		char file[64];

		if (strcmp(argv[i], "--report") == 0) {
			all.report = true;
			continue;
		}
		must(captured(&t, argv[i], &err), &err);
		base_name(argv[i], file, sizeof(file));
		machines(t, file, threads, &all);
		sweep(t, file, threads, &all);
		if (strcmp(file, "mm-16x16") == 0 || strcmp(file, "bfs") == 0)
			costs(t, file);
		fflush(stdout);
		ws_trace_close(t);
	}
	summary(&all);
	return 0;
}
