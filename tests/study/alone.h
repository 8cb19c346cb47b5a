/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/study/alone.h -- what t-alone asks: keys with their values, a product of some of them, one
 * configuration of it, and both as the words of a command.
 */
#ifndef TEST_ALONE_H
#define TEST_ALONE_H

#include "tests/test.h"
#include "study/study.h"

#define KEYS 3u		/* varied, at most */
#define SETS 3u		/* and set besides */
#define VALUES 24u
#define TEXT 120u	/* KEY=VALUE */

#define CONFS 4u
static const char *const confs[CONFS] = {
	"base = gtx480\nname = brrip\nl1.policy = brrip\nl2.policy = srrip\n",
	"base = gtx480\nname = sector\nl1.organisation = sector\nl1.policy = fifo\n",
	"base = gtx480\nname = elastic\nl1.organisation = elastic:32\nl1.size = 8K\n",
	("base = v100\nname = dycache\nl1.organisation = dycache:50\nl1.grain.period = 96\n"
	 "l1.size = 16K\nl1.write = write-evict\n"),
};
static char conf_path[CONFS][64];

static const struct pool {
	const char *key;
	bool profile;		/* a profile is asked, too */
	const char *value[VALUES];
} pools[] = {
	{ "machine", false, { "gtx480", "v100", conf_path[0], conf_path[1], conf_path[2],
	  conf_path[3] } },
	{ "machine", false, { "gtx480", conf_path[0], conf_path[1], conf_path[2], conf_path[3] } },
	{ "sm.scheduler", false, { "lrr", "gto", "two-level", "sequential", "round-robin",
				  "random" } },
	{ "sm.carveout", false, { "auto", "none" } },
	{ "l1.size", true, { "512", "1K", "2K", "4K", "8K", "16K", "20K", "24K", "28K", "32K",
			     "40K", "48K", "64K", "96K", "100K", "128K" } },
	{ "l1.ways", true, { "1", "2", "3", "4", "5", "6", "8", "12", "16", "32" } },
	{ "l1.sets", true, { "1", "2", "8", "16", "32", "48", "64" } },
	{ "l1.line", true, { "32", "64", "128", "256" } },
	{ "l1.sector", false, { "32", "64", "128" } },
	{ "l1.hash", false, { "modulo", "xor", "fermi", "ipoly", "bits:7-11",
			     "matrix:1080/2100/4200/8400/10800" } },
	{ "l1.policy", true, { "lru", "fifo", "random", "plru", "nru", "srrip", "srrip:1",
			       "srrip:3,fp", "brrip", "brrip:1/3", "drrip", "bip", "bip:1/4",
			       "dip:3", "lfu", "lfu-age:7", "mfu", "prob:1/6,1/2,1/6,1/6",
			       "clock", "opt" } },
	{ "l1.policy", true, { "lru", "fifo", "random", "srrip", "brrip", "plru" } },
	{ "l1.write", false, { "write-back", "write-through", "write-through-allocate",
			       "write-evict" } },
	{ "l1.organisation", true, { "line", "sector", "elastic:32", "elastic:64", "dycache:50",
				     "dycache:20", "decoupled:2" } },
	{ "l1.organisation", false, { "line", "sector", "elastic:32", "dycache:50" } },
	{ "l1.grain.period", true, { "64", "96", "128", "1000", "1024" } },
	{ "l1.chunk.victim", true, { "any", "newest", "oldest" } },
	{ "l1.mshr", true, { "1", "8", "32", "128" } },
	{ "l1.alloc", false, { "on-miss", "on-fill" } },
	{ "l1.latency", true, { "1", "18", "80" } },
	{ "dram.latency", true, { "1", "100", "400" } },
	{ "l2.size", true, { "24K", "96K", "192K", "384K", "768K", "1536K" } },
	{ "l2.ways", true, { "2", "8", "16" } },
	{ "l2.policy", true, { "lru", "fifo", "srrip", "brrip" } },
	{ "l2.latency", false, { "40", "200" } },
	{ "count_pending", true, { "true", "false" } },
};
#define POOLS WS_COUNT(pools)

enum verb { PREDICT, SIMULATE, CROSSCHECK };
static const char *const verbs[] = { "sweep", "simulate", "crosscheck" };

struct query {
	enum verb verb;
	const char *machine;	/* NULL: the profile's */
	const char *order;	/* NULL, "nominal", "cycles", "own" */
	unsigned levels, threads;
	bool latency, verify;
	const char *by;
	uint64_t runs;
	double sample;
	char set[SETS + KEYS][TEXT]; /* KEY=VALUE */
	size_t sets;
	size_t vary[KEYS];	/* of pools */
	size_t list[KEYS][VALUES]; /* of its values */
	size_t count[KEYS];
	size_t varies;
};

struct input {
	const char *name;	/* of a launch file, or what it is */
	bool slow;
	bool captured, of_profile;
	struct ws_trace *trace;
	struct ws_profile *profile;
};

static inline uint64_t product(const struct query *q)
{
	uint64_t n = 1;

	for (size_t v = 0; v < q->varies; v++)
		n *= q->count[v];
	return n;
}

/* The v-th varied key's value in a configuration; the last varies fastest. */
static inline size_t chosen(const struct query *q, uint64_t config, size_t v)
{
	for (size_t w = q->varies; --w > v;)
		config /= q->count[w];
	return q->list[v][config % q->count[v]];
}

static inline void add_set(struct query *q, size_t pool, size_t value)
{
	if (strcmp(pools[pool].key, "machine") == 0)
		q->machine = pools[pool].value[value];
	else
		snprintf(q->set[q->sets++], TEXT, "%s=%s", pools[pool].key,
			 pools[pool].value[value]);
}

static inline int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* One configuration with all that is varied set; in an order of keys that does not depend on the
 * product's. */
static inline struct query alone(const struct query *q, uint64_t config)
{
	struct query one = *q;

	one.varies = 0;
	one.threads = 1;
	for (size_t v = 0; v < q->varies; v++)
		add_set(&one, q->vary[v], chosen(q, config, v));
	qsort(one.set, one.sets, TEXT, by_text);
	return one;
}

/* As a command's words; with its threads if they are more than one. */
static inline void words(const struct input *in, const struct query *q, char *text, size_t len)
{
	FILE *to = fmemopen(text, len, "w");

	if (!to)
		return;
	fprintf(to, "warpstack %s %s",
		q->verb == PREDICT && !q->varies ? "predict" : verbs[q->verb], in->name);
	if (q->machine)
		fprintf(to, " -m %s", q->machine);
	if (q->order)
		fprintf(to, " --order %s", q->order);
	fprintf(to, " --level %s --kind each%s%s%s%s", q->levels == WS_STUDY_L1 ? "l1"
		: q->levels == WS_STUDY_L2 ? "l2" : "all", q->latency ? " --latency" : "",
		q->verify ? " --verify" : "", q->by ? " --by " : "", q->by ? q->by : "");
	if (q->runs)
		fprintf(to, " --runs %" PRIu64, q->runs);
	if (q->sample > 0)
		fprintf(to, " --sample %g", q->sample);
	if (q->threads > 1)
		fprintf(to, " --threads %u", q->threads);
	for (size_t i = 0; i < q->sets; i++)
		fprintf(to, " --set %s", q->set[i]);
	for (size_t v = 0; v < q->varies; v++) {
		fprintf(to, " --vary %s=", pools[q->vary[v]].key);
		for (size_t i = 0; i < q->count[v]; i++)
			fprintf(to, "%s%s", i ? "," : "", pools[q->vary[v]].value[q->list[v][i]]);
	}
	fclose(to);
}

#endif
