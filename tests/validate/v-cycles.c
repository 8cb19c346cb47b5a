/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/v-cycles.c -- the model beside the cycle simulator, on our own kernels.
 *
 *   v-cycles [--threads N] LAUNCH...     writes a CSV to standard output, a summary to standard error
 *
 * Two tables in one, by the column `table`:
 *
 *   machine  GTX 480 and V100 with L1s of 16 KB and 48 KB, the profile of just that machine: miss ratios of
 *            loads and shares of pending hits in L1 and L2, cycles, latencies of load instructions
 *   sweep    GTX 480, L1s of 4 sizes x 3 ways x 3 policies, all from one profile (l1.hash = xor, as that of
 *            Fermi wants 32 or 64 sets): cycles
 *
 * The model's form was drawn from some of these rows (mm-16x4, mm-16x8, cp, divergent, stencil,
 * histogram, mt), and two of its constants (BURST_SHARE, ALIKE) were chosen with all of them in
 * sight: the errors of cycles are not those of kernels never seen.  Of miss ratios nothing was
 * fitted.
 *
 * The summary says, of the first table, mean and largest errors; of the second, Spearman's rank
 * correlation of predicted and simulated cycles over the 36 configurations, by kernel; and what a
 * configuration costs: 1000 of them by the model, 20 by the simulator.
 */
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/test.h"
#include "trace/capture/capture.h"
#include "validate/validate.h"

#define SIZES 4u
#define WAYS 3u
#define POLICIES 3u
#define SWEEP (SIZES * WAYS * POLICIES)
#define SECTIONS_MAX 8u		/* kernels of a launch file */
#define FLAT 0.005		/* simulated cycles that differ by less over a sweep say nothing of ranks */
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

/* ---- traces -------------------------------------------------------------------------- */

static struct ws_trace *capture(const char *launch)
{
	const struct ws_capture_options options = { .threads = 0 };
	char path[] = "/tmp/ws-v-cycles-XXXXXX";
	struct ws_program p = { 0 };
	struct ws_out file = { 0 };
	struct ws_trace *t = NULL;
	struct ws_err err = { 0 };
	int fd = mkstemp(path);

	if (fd < 0)
		must(WS_EIO, &(struct ws_err){ .text = "no temporary file" });
	close(fd);
	must(ws_program_read(&p, launch, &err), &err);
	must(ws_out_open(&file, path, &err), &err);
	must(ws_capture(&p, &options, &file, &err), &err);
	must(ws_out_commit(&file, &err), &err);
	must(ws_trace_open(&t, path, &err), &err);
	unlink(path);
	ws_program_clear(&p);
	return t;
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

/* With what all of these machines need. */
static struct ws_profile *profile(const struct ws_trace *t, const struct ws_machine *own,
				  const struct job *job, size_t count)
{
	struct ws_shape shape[SWEEP];
	struct ws_filter filter[SWEEP];
	struct ws_profile_options options = {
		.shape = shape, .shapes = count, .filter = filter, .filters = count, .seed = 1,
		.threads = 2, .record = WS_RECORD_DETAIL, .l2_sets = &own->l2.sets, .l2_set_counts = 1,
	};
	struct ws_err err = { 0 };
	struct ws_profile *p;

	for (size_t i = 0; i < count; i++) {
		const struct ws_cache *l1 = &job[i].machine.l1;

		shape[i] = (struct ws_shape){ l1->line_bytes, l1->sets };
		filter[i] = (struct ws_filter){ l1->line_bytes, l1->sets, l1->ways };
	}
	must(ws_profile_trace(&p, t, own, &options, &err), &err);
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

enum { L1, L1_PENDING, L2, L2_PENDING, CYCLES, LATENCY, FIGURES };

static const char *const figure_names[FIGURES] = {
	"L1 load miss ratio, points (bars 2, 8)", "L1 load pending ratio, points",
	"L2 load miss ratio, points (bars 4, 12)", "L2 load pending ratio, points",
	"cycles, %", "latency of load instructions, %",
};

struct all {
	struct figures figure[FIGURES];
	double rank_sum, steep_sum, misses_sum;
	size_t ranks, steeps, flat;
};

static void note(struct figures *f, double error, const char *where)
{
	error = fabs(error);
	f->sum += error;
	f->count++;
	if (error <= f->most)
		return;
	f->most = error;
	snprintf(f->where, sizeof(f->where), "%s", where);
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
		const char *kernel, const struct simulated *s, const struct ws_timing *t,
		struct all *all)
{
	struct figures none = { 0 }, *f = all ? all->figure : NULL;
	double latency = s->loads > 0 ? s->latency / s->loads : 0;
	char where[192];

	snprintf(where, sizeof(where), "%s %s %llu KB %s %s", file, kernel,
		 (unsigned long long)m->l1.size_bytes / 1024, m->name, m->l1.policy);
	printf("%s,%s,%s,%s,%s,%llu,%llu", table, m->name, file, kernel, m->l1.policy,
	       (unsigned long long)m->l1.size_bytes, (unsigned long long)m->l1.ways);
	level(s->l1 + WS_LOAD, t->l1.kind + WS_LOAD, f ? f + L1 : &none,
	      f ? f + L1_PENDING : &none, where);
	level(s->l2 + WS_LOAD, t->l2.kind + WS_LOAD, f ? f + L2 : &none,
	      f ? f + L2_PENDING : &none, where);
	printf(",%.0f,%.0f,%s,%.1f,%.1f,%.1f", s->cycles, t->cycles, ws_bound_names[t->binds],
	       latency, t->load_cycles, t->access_cycles);
	for (unsigned i = 0; i < WS_BOUNDS; i++)
		printf(",%.0f", t->bound[i]);
	printf("\n");
	if (!f)
		return;
	note(f + CYCLES, percent(t->cycles, s->cycles), where);
	if (latency > 0)
		note(f + LATENCY, percent(t->load_cycles, latency), where);
}

static void header(void)
{
	printf("table,machine,file,kernel,policy,size_bytes,ways,l1_requests,l1_requests_model,"
	       "l1_miss,l1_miss_model,l1_pending,l1_pending_model,l2_requests,"
	       "l2_requests_model,l2_miss,l2_miss_model,l2_pending,l2_pending_model,"
	       "cycles,cycles_model,bound,latency,latency_model,access_cycles");
	for (unsigned i = 0; i < WS_BOUNDS; i++)
		printf(",bound_%s", ws_bound_names[i]);
	printf("\n");
}

/* ---- the tables ---------------------------------------------------------------------- */

static void machines(const struct ws_trace *t, const char *file, unsigned threads,
		     struct all *all)
{
	static const char *const names[] = { "gtx480", "v100" };
	static const char *const size[] = { "l1.size=16K", "l1.size=48K" };

	for (unsigned i = 0; i < 4; i++) {
		struct job job = { .machine = machine(names[i / 2], size + i % 2, 1) };
		struct ws_profile *p = profile(t, &job.machine, &job, 1);
		struct jobs jobs = { .trace = t, .profile = p, .job = &job, .count = 1,
				     .threads = threads };
		struct ws_answers *a;
		struct ws_err err = { 0 };

		simulate_all(&jobs);
		must(ws_answers_new(&a, p, &err), &err);
		for (size_t s = 0; s < p->sections; s++) {
			struct ws_timing timing;

			must(ws_answers_timing(a, s, &job.machine, &timing, &err), &err);
			row("machine", &job.machine, file, p->section[s].kernel, job.kernel + s,
			    &timing, all);
		}
		ws_answers_free(a);
		ws_profile_free(p);
	}
}

static struct ws_machine sweep_machine(unsigned i)
{
	char set[3][32];
	const char *const keys[] = { "l1.sets=32", "l1.hash=xor", set[0], set[1], set[2] };

	snprintf(set[0], sizeof(set[0]), "l1.size=%s", sizes[i / (WAYS * POLICIES)]);
	snprintf(set[1], sizeof(set[1]), "l1.ways=%s", ways[i / POLICIES % WAYS]);
	snprintf(set[2], sizeof(set[2]), "l1.policy=%s", policies[i % POLICIES]);
	return i < SWEEP ? machine("gtx480", keys + 1, 4) : machine("gtx480", keys, 2);
}

/* 0 if one of them does not vary. */
static double spearman(const double *a, const double *b)
{
	double work[2 * SWEEP], rho = gsl_stats_spearman(a, 1, b, 1, SWEEP, work);

	return isnan(rho) ? 0 : rho;
}

/* misses: simulated.  Where these alone rank no better, it is not the model's misses that fail. */
static void rank(const char *file, const char *kernel, const double *exact, const double *model,
		 const double *misses, struct all *all)
{
	double low, high, rho, by_misses;

	gsl_stats_minmax(&low, &high, exact, 1, SWEEP);
	if (high <= low) {
		all->flat++;
		return;
	}
	rho = spearman(exact, model);
	by_misses = spearman(exact, misses);
	fprintf(stderr, "# %-10s %-16s rank correlation of cycles %6.3f (of simulated misses %6.3f), cycles "
		"%.0f to %.0f\n", file, kernel, rho, by_misses, low, high);
	all->rank_sum += rho;
	all->misses_sum += by_misses;
	all->ranks++;
	if (high / low - 1 < FLAT)
		return;
	all->steep_sum += rho;
	all->steeps++;
}

static void sweep(const struct ws_trace *t, const char *file, unsigned threads, struct all *all)
{
	static struct job job[SWEEP];
	struct ws_machine own = sweep_machine(SWEEP);
	struct jobs jobs = { .trace = t, .job = job, .count = SWEEP, .threads = threads };
	struct ws_err err = { 0 };
	struct ws_profile *p;
	struct ws_answers *a;

	memset(job, 0, sizeof(job));
	for (unsigned i = 0; i < SWEEP; i++)
		job[i].machine = sweep_machine(i);
	p = profile(t, &own, job, SWEEP);
	jobs.profile = p;
	simulate_all(&jobs);
	must(ws_answers_new(&a, p, &err), &err);
	for (size_t s = 0; s < p->sections; s++) {
		double exact[SWEEP], model[SWEEP], misses[SWEEP];

		for (unsigned i = 0; i < SWEEP; i++) {
			struct ws_timing timing;

			must(ws_answers_timing(a, s, &job[i].machine, &timing, &err), &err);
			row("sweep", &job[i].machine, file, p->section[s].kernel,
			    job[i].kernel + s, &timing, NULL);
			exact[i] = job[i].kernel[s].cycles;
			model[i] = timing.cycles;
			misses[i] = (double)job[i].kernel[s].l1[WS_LOAD].misses;
		}
		rank(file, p->section[s].kernel, exact, model, misses, all);
	}
	ws_answers_free(a);
	ws_profile_free(p);
}

/* ---- what a configuration costs ------------------------------------------------------ */

static void costs(const struct ws_trace *t, const char *file)
{
	static struct job job[SWEEP];
	struct ws_machine own = sweep_machine(SWEEP);
	struct jobs jobs = { .trace = t };
	struct ws_err err = { 0 };
	struct ws_profile *p;
	struct ws_answers *a;
	double start, profiled, model, exact = 0;

	memset(job, 0, sizeof(job));
	for (unsigned i = 0; i < SWEEP; i++)
		job[i].machine = sweep_machine(i);
	start = ws_seconds();
	p = profile(t, &own, job, SWEEP);
	profiled = ws_seconds() - start;
	start = ws_seconds();
	must(ws_answers_new(&a, p, &err), &err);
	for (unsigned i = 0; i < MODEL_CONFIGS; i++) {
		struct ws_machine m = job[i % SWEEP].machine;
		struct ws_timing timing;

		m.l1.mshr_entries = 8 + i / SWEEP * 8;
		for (size_t s = 0; s < p->sections; s++)
			must(ws_answers_timing(a, s, &m, &timing, &err), &err);
	}
	model = (ws_seconds() - start) / MODEL_CONFIGS;
	jobs.profile = p;
	for (unsigned i = 0; i < SIM_CONFIGS; i++) {
		simulate(&jobs, &job[i * SWEEP / SIM_CONFIGS]);
		exact += job[i * SWEEP / SIM_CONFIGS].seconds / SIM_CONFIGS;
	}
	fprintf(stderr, "# a configuration of %s: model %.1f us (after %.2f s of profiling), simulator "
		"%.1f ms: 1 to %.0f (bar 1000)\n", file, 1e6 * model, profiled, 1e3 * exact,
		exact / model);
	ws_answers_free(a);
	ws_profile_free(p);
}

/* ---- the program --------------------------------------------------------------------- */

static void summary(const struct all *all)
{
	for (unsigned i = 0; i < FIGURES; i++) {
		const struct figures *f = all->figure + i;

		fprintf(stderr, "# %s: mean %.2f, largest %.2f (%s), of %zu rows\n", figure_names[i],
			f->count ? f->sum / (double)f->count : 0, f->most, f->where, f->count);
	}
	fprintf(stderr, "# rank correlation of cycles, mean over kernels: %.3f of %zu whose cycles differ "
		"(bar 0.9; simulated misses alone: %.3f); %.3f of %zu whose cycles differ by %.1f %% and "
		"more; %zu whose cycles do not\n",
		all->ranks ? all->rank_sum / (double)all->ranks : 0, all->ranks,
		all->ranks ? all->misses_sum / (double)all->ranks : 0,
		all->steeps ? all->steep_sum / (double)all->steeps : 0, all->steeps, 100 * FLAT,
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
	struct all all = { 0 };
	unsigned threads = 2;
	int first = 1;

	setenv("WARPSTACK_DATA", "data", 0);
	if (argc > 2 && strcmp(argv[1], "--threads") == 0) {
		threads = (unsigned)strtoul(argv[2], NULL, 10);
		first = 3;
	}
	header();
	for (int i = first; i < argc; i++) {
		struct ws_trace *t = capture(argv[i]);
		char file[64];

		base_name(argv[i], file, sizeof(file));
		machines(t, file, threads, &all);
		sweep(t, file, threads, &all);
		if (strcmp(file, "mm-256") == 0 || strcmp(file, "bfs") == 0)
			costs(t, file);
		fflush(stdout);
		ws_trace_close(t);
	}
	summary(&all);
	return 0;
}
