/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-pchase.c -- pointer chasing finds caches drawn at random, in spite of noise.
 *
 * With an argument: so many of them, a line of tab-separated values each.
 */
#include "tests/ref/set_ways.h"
#include "tests/test.h"
#include "validate/pchase.h"

#include <time.h>

#define MACHINES 24u

static struct ws_rng rng;

static uint64_t pick(uint64_t low, uint64_t high)
{
	return low + ws_rng_below(&rng, high - low + 1);
}

static const char *const policies[] = {
	"lru", "fifo", "plru", "nru", "srrip", "brrip", "drrip", "lfu", "lfu-age", "mfu", "bip",
	"dip", "random", "clock",
};

static bool set_keys(struct ws_machine *m, const char *text)
{
	struct ws_err err = { 0 };
	char copy[1024], *save, *key;
	bool good = ws_machine_load(m, "gtx480", &err) == WS_OK;

	snprintf(copy, sizeof copy, "%s", text);
	for (key = strtok_r(copy, ";", &save); key && good; key = strtok_r(NULL, ";", &save))
		good = ws_machine_set(m, key, &err) == WS_OK;
	return good && ws_machine_check(m, &err) == WS_OK;
}

/* Rows of bits from the line's up, until they are independent. */
static void draw_hash(char *text, size_t len, uint64_t *sets, unsigned bit)
{
	static const char *const names[] = { "modulo", "xor", "fermi", "ipoly" };
	uint64_t which = pick(0, 5);
	size_t at;

	if (which && !(which == 3 || ws_is_pow2(*sets)))
		*sets = 1ull << ws_log2(*sets);
	if (which < 4) {
		snprintf(text, len, "%s", names[which]);
	} else if (which == 4) {
		snprintf(text, len, "bits:%u-%u", (unsigned)pick(bit, bit + 4), bit + 14);
	} else {
		at = (size_t)snprintf(text, len, "matrix:");
		for (uint64_t i = 0; i == 0 || 1ull << i < *sets; i++)
			at += (size_t)snprintf(text + at, len - at, "%s%llx", i ? "/" : "",
					       (unsigned long long)pick(1, (1u << 16) - 1) << bit);
	}
}

/* The machine's keys; draws again until it is one. */
/* "9+6x8", of so many sets: two or three runs. */
static void draw_set_ways(char *text, size_t len, uint64_t sets)
{
	uint64_t first = pick(1, sets - 1), last = pick(0, sets - first - 1);
	uint64_t ways = pick(1, 24);

	snprintf(text, len, ";l1.sets.ways=%llux%llu+%llux%llu", (unsigned long long)first,
		 (unsigned long long)ways, (unsigned long long)(sets - first - last),
		 (unsigned long long)(ways + pick(1, 8)));
	if (last)
		snprintf(text + strlen(text), len - strlen(text), "+%llux%llu",
			 (unsigned long long)last, (unsigned long long)pick(1, 32));
}

static void draw_machine(struct ws_machine *m, char *text, size_t len)
{
	do {
		uint64_t line = 32ull << pick(0, 3), sets = pick(1, 128), ways = pick(1, 32);
		uint64_t sector = pick(0, 1) ? 32 : line;
		char hash[256], ways_of[96];

		if (pick(0, 1))
			sets = 1ull << pick(0, 7);
		draw_hash(hash, sizeof hash, &sets, ws_log2(line));
		snprintf(ways_of, sizeof ways_of, ";l1.ways=%llu", (unsigned long long)ways);
		if (sets > 1 && pick(0, 3) == 0)
			draw_set_ways(ways_of, sizeof ways_of, sets);
		snprintf(text, len, "coalesce.line=%llu;l1.line=%llu;l1.sector=%llu;l1.hash=%s;"
			 "l1.sets=%llu%s;l1.policy=%s", (unsigned long long)line,
			 (unsigned long long)line, (unsigned long long)sector, hash,
			 (unsigned long long)sets, ways_of,
			 policies[pick(0, WS_COUNT(policies) - 1)]);
	} while (!set_keys(m, text));
}

/* Do both put the same lines together? */
static bool same_sets(const struct ws_cache *cache, const char *hash)
{
	struct ws_cache found = *cache;
	const char *colon = strchr(hash, ':');

	found.hash = ws_hash_find(hash);
	if (!found.hash || (found.hash->parse && !found.hash->parse(&found, colon + 1)))
		return false;
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t a = ws_rng_below(&rng, 1ull << 34), b = ws_rng_below(&rng, 1ull << 34);

		if (i % 2) /* most are of one set or of two that are near */
			b = a ^ 1ull << pick(0, 33) ^ 1ull << pick(0, 33);
		if ((ws_set_index(cache, a) == ws_set_index(cache, b)) !=
		    (ws_set_index(&found, a) == ws_set_index(&found, b)))
			return false;
	}
	return true;
}

static bool is_among(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = list; at; at = strchr(at, ' ')) {
		at += *at == ' ';
		if (strncmp(at, name, len) == 0 && (at[len] == ' ' || !at[len]))
			return true;
	}
	return false;
}

/* Do sets hold as many lines as was found, whatever their numbers are? */
static bool same_ways(const struct ws_cache *cache, const struct ws_chase *c)
{
	struct ws_cache found = *cache;
	const char *colon = strchr(c->hash, ':');

	found.hash = ws_hash_find(c->hash);
	if (c->unequal != (cache->set_ways.runs > 1) || !found.hash ||
	    (found.hash->parse && !found.hash->parse(&found, colon + 1)))
		return false;
	for (unsigned i = 0; i < 20000 && c->unequal; i++) {
		uint64_t a = ws_rng_below(&rng, 1ull << 34);

		if (ref_set_ways(cache, ws_set_index(cache, a)) !=
		    c->set_ways[ws_set_index(&found, a)])
			return false;
	}
	return c->unequal || c->ways.value == cache->ways;
}

/* The machine's file, read again: does it miss at the same loads, in walks about the cache's size?
 * Of a hash that numbers sets anew there may be too many runs to be written. */
static bool same_curve(const struct ws_machine *m, const struct ws_chase *c)
{
	static uint64_t offset[1 << 15];
	static double one[1 << 15], other[1 << 15];
	struct ws_chase_target target[2] = { { 0 }, { 0 } };
	struct ws_machine base, again;
	struct ws_buf text = { 0 };
	struct ws_err err = { 0 };
	bool same = set_keys(&base, "l1.hash=modulo") && !ws_chase_apply(c, &base, &err);

	if (same)
		ws_machine_write(&base, &text);
	same = same && !ws_machine_read(&again, (const char *)text.data, text.len, "", &err) &&
	       !ws_chase_machine(&target[0], m, NULL, &err) &&
	       !ws_chase_machine(&target[1], &again, NULL, &err);
	for (unsigned i = 2; i < 7 && same; i++) {
		size_t lines = (size_t)(m->l1.size_bytes / m->l1.line_bytes * i / 4), n = 3 * lines;

		if (n > WS_COUNT(offset))
			break;
		for (size_t k = 0; k < n; k++)
			offset[k] = k % lines * m->l1.line_bytes;
		same = !target[0].run(target[0].state, offset, n, true, one, &err) &&
		       !target[1].run(target[1].state, offset, n, true, other, &err);
		for (size_t k = 0; k < n && same; k++)
			same = (one[k] > 60) == (other[k] > 60);
	}
	ws_chase_close(&target[0]);
	ws_chase_close(&target[1]);
	ws_buf_clear(&text);
	if (!same && err.text[0])
		printf("# %s\n", err.text);
	return same || strstr(err.text, "in more runs");
}

struct score {
	uint64_t machines, geometry, index, policy, wrong;
	uint64_t unequal, curves, curved; /* of sets that differ */
};

static void judge(struct score *s, const struct ws_machine *m, const struct ws_chase *c,
		  const char *text, double seconds, bool list)
{
	const struct ws_cache *l1 = &m->l1;
	bool geometry = c->sector.value == l1->sector_bytes && c->line.value == l1->line_bytes &&
		same_ways(l1, c) && c->size.value == l1->size_bytes;
	bool index = geometry && same_sets(l1, c->hash), policy = is_among(c->policy, l1->policy);

	s->machines++;
	s->geometry += geometry;
	s->index += index;
	s->policy += policy;
	s->unequal += l1->set_ways.runs > 1;
	if (l1->set_ways.runs > 1 && index && !c->random &&
	    strcmp(c->policy, l1->policy) == 0) {
		s->curves++;
		if (same_curve(m, c))
			s->curved++;
		else
			printf("# another curve: %s: hash %s\n", text, c->hash);
	}
	/* Said with confidence, and yet not so. */
	s->wrong += !geometry && c->size.confidence > 0.9;
	if (list)
		printf("%d\t%d\t%d\t%llu\t%.3f\t%s\t%s\t%s\n", geometry, index, policy,
		       (unsigned long long)c->loads, seconds, text, c->hash, c->policy);
	else if (!geometry || !index || !policy)
		printf("# %s: size %llu sector %llu line %llu ways %llu hash %s policy %s\n", text,
		       (unsigned long long)c->size.value, (unsigned long long)c->sector.value,
		       (unsigned long long)c->line.value, (unsigned long long)c->ways.value,
		       c->hash, c->policy);
}

static void chase_machine(struct score *s, bool list)
{
	struct ws_machine m;
	struct ws_chase_target target;
	struct ws_chase found;
	struct ws_chase_options options = { .seed = pick(1, 1u << 30) };
	struct ws_chase_noise noise = {
		.jitter = 0.08 * ws_rng_double(&rng), .outliers = 0.005 * ws_rng_double(&rng),
		.seed = pick(1, 1u << 30),
	};
	struct ws_err err = { 0 };
	char text[512];
	clock_t begin;

	draw_machine(&m, text, sizeof text);
	begin = clock();
	if (!test_ok(ws_chase_machine(&target, &m, &noise, &err) == WS_OK &&
		     ws_chase_infer(&found, &target, &options, &err) == WS_OK, "%s %s", text,
		     err.text))
		return;
	ws_chase_close(&target);
	judge(s, &m, &found, text, (double)(clock() - begin) / CLOCKS_PER_SEC, list);
}

/* Fermi's L1 (Mei and Chu, TPDS 2017): ways are replaced with probabilities 1/6 1/2 1/6 1/6. */
static void chase_fermi(void)
{
	static const double part[] = { 1 / 6.0, 1 / 2.0, 1 / 6.0, 1 / 6.0 };
	struct ws_chase_noise noise = { .jitter = 0.05, .outliers = 0.002, .seed = 7 };
	struct ws_chase_target target;
	struct ws_chase found;
	struct ws_machine m;
	struct ws_err err = { 0 };
	uint64_t sum = 0;

	if (!test_ok(set_keys(&m, "l1.hash=fermi;l1.sets=32;l1.ways=4;"
			      "l1.policy=prob:1/6,1/2,1/6,1/6") &&
		     ws_chase_machine(&target, &m, &noise, &err) == WS_OK &&
		     ws_chase_infer(&found, &target, NULL, &err) == WS_OK, "Fermi %s", err.text))
		return;
	ws_chase_close(&target);
	test_u64(found.victim_ways, 4, "ways whose victims are counted");
	for (size_t i = 0; i < 4; i++)
		sum += found.victims[i];
	for (size_t i = 0; i < 4; i++)
		test_abs((double)found.victims[i] / (double)sum, part[i], 0.03, "victims of a way");
	test_ok(found.random && is_among(found.policy, "prob:1,3,1,1"), "weights: %s",
		found.policy);
	test_str(found.hash, "fermi", "hash");
}

/* ---- sets of unequal size, under LRU: one of 17 ways and six of 8 ------------------------- */

#define UNEQUAL_SETS 7u
static const size_t unequal_ways[UNEQUAL_SETS] = { 8, 8, 17, 8, 8, 8, 8 };

struct unequal {
	uint64_t line[UNEQUAL_SETS][17]; /* the latest first; 0: none */
};

static enum ws_status run_unequal(void *state, const uint64_t *offset, size_t count, bool flush,
				  double *cycles, struct ws_err *err)
{
	struct unequal *u = state;

	(void)err;
	if (flush)
		memset(u, 0, sizeof *u);
	for (size_t i = 0; i < count; i++) {
		uint64_t line = offset[i] / 64 + 1;
		size_t set = (size_t)(line % UNEQUAL_SETS), at = 0;

		while (at < unequal_ways[set] && u->line[set][at] != line)
			at++;
		cycles[i] = at < unequal_ways[set] ? 40 : 200;
		at -= at == unequal_ways[set];
		memmove(u->line[set] + 1, u->line[set], at * sizeof(uint64_t));
		u->line[set][0] = line;
	}
	return WS_OK;
}

static void chase_unequal(void)
{
	struct unequal u = { 0 };
	struct ws_chase_target target = { .bytes = 1u << 30, .state = &u, .run = run_unequal };
	struct ws_chase found;
	struct ws_machine m;
	char text[64];
	struct ws_err err = { 0 };
	uint64_t larger = 0, others = 0;

	if (!test_ok(ws_chase_infer(&found, &target, NULL, &err) == WS_OK, "unequal sets"))
		return;
	test_ok(found.unequal, "sets are unequal");
	test_u64(found.sets.value, UNEQUAL_SETS, "unequal sets");
	test_u64(found.size.value, (17 + 6 * 8) * 64, "their size");
	for (size_t i = 0; i < UNEQUAL_SETS; i++) {
		larger += found.set_ways[i] == 17;
		others += found.set_ways[i] == 8;
	}
	test_ok(larger == 1 && others == 6, "one of 17 ways, six of 8");
	test_ok(is_among(found.policy, "lru"), "policy: %s", found.policy);
	test_ok(set_keys(&m, "l1.hash=modulo") && ws_chase_apply(&found, &m, &err) == WS_OK,
		"as a machine %s", err.text);
	ws_set_ways_text(&m.l1.set_ways, text, sizeof text);
	test_str(text, "8+17+5x8", "its sets");
}

/* What is said of the loads of a walk over a machine's L1 and a line more is so. */
static void chase_file(void)
{
	static uint64_t offset[1 << 16];
	static double latency[1 << 16];
	struct ws_chase_file f = { .offset = offset, .latency = latency };
	struct ws_chase_nearest nearest;
	struct ws_chase_target target;
	struct ws_chase found;
	struct ws_machine m;
	struct ws_err err = { 0 };
	uint64_t pass;

	do
		draw_machine(&m, (char[512]){ 0 }, 512);
	while (m.l1.size_bytes > 65536 || m.l1.set_ways.runs || m.l1.hash->parse ||
	       !ws_is_pow2(m.l1.sets));
	ws_policy_set_lru(&m.l1);
	pass = m.l1.size_bytes / m.l1.sector_bytes + 1;
	for (f.loads = 0; f.loads < 8; f.loads++) /* hits, for certain */
		offset[f.loads] = 0;
	for (; f.loads < 8 + 3 * pass; f.loads++)
		offset[f.loads] = (f.loads - 8) % pass * m.l1.sector_bytes;
	if (!test_ok(ws_chase_machine(&target, &m, NULL, &err) == WS_OK &&
		     target.run(target.state, offset, f.loads, true, latency, &err) == WS_OK &&
		     ws_chase_explain(&found, &nearest, &f, &err) == WS_OK, "a file %s", err.text))
		return;
	ws_chase_close(&target);
	test_ok((found.line.confidence == 0 || found.line.value == m.l1.line_bytes) &&
		(found.sector.confidence == 0 || found.sector.value == m.l1.sector_bytes) &&
		(found.sets.confidence == 0 || found.sets.value == m.l1.sets) &&
		(found.ways.confidence == 0 || found.ways.value == m.l1.ways) &&
		(found.policy_confidence == 0 || is_among(found.policy, "lru")),
		"%llu sets, %llu ways, line %llu, %s: said are %llu %llu %llu %s, off %.2f",
		(unsigned long long)m.l1.sets, (unsigned long long)m.l1.ways,
		(unsigned long long)m.l1.line_bytes, m.l1.hash->name,
		(unsigned long long)found.sets.value, (unsigned long long)found.ways.value,
		(unsigned long long)found.line.value, found.hash, nearest.best_pp);
}

/* A budget that ends the inference leaves what is not known undetermined. */
static void chase_poor(void)
{
	struct ws_chase_options options = { .seed = 1 };
	struct ws_chase_target target;
	struct ws_chase found;
	struct ws_machine m;
	struct ws_err err = { 0 };
	bool sane = set_keys(&m, "l1.hash=modulo");

	for (options.loads = 1; options.loads < 200000 && sane; options.loads *= 3) {
		sane = ws_chase_machine(&target, &m, NULL, &err) == WS_OK &&
			ws_chase_infer(&found, &target, &options, &err) == WS_OK &&
			found.loads <= options.loads &&
			(found.sector.confidence == 0 || found.sector.value == m.l1.sector_bytes) &&
			(found.ways.confidence == 0 || found.ways.value == m.l1.ways) &&
			(found.line.confidence == 0 || found.line.value == m.l1.line_bytes) &&
			(found.sets.confidence == 0 || found.sets.value == m.l1.sets) &&
			(found.size.confidence == 0 || found.size.value == m.l1.size_bytes);
		ws_chase_close(&target);
	}
	test_ok(sane, "budgets of 1 to %llu loads", (unsigned long long)options.loads);
}

int main(int argc, char **argv)
{
	struct score s = { 0 };
	uint64_t machines = MACHINES;

	ws_rng_seed(&rng, test_seed(1));
	if (argc > 1 && !ws_parse_u64(argv[1], &machines))
		return 2;
	for (uint64_t i = 0; i < machines; i++)
		chase_machine(&s, argc > 1);
	chase_fermi();
	chase_unequal();
	chase_poor();
	for (unsigned i = 0; i < 6; i++)
		chase_file();
	printf("# %llu machines: geometry %llu index %llu policy %llu, wrong but sure %llu\n",
	       (unsigned long long)s.machines, (unsigned long long)s.geometry,
	       (unsigned long long)s.index, (unsigned long long)s.policy,
	       (unsigned long long)s.wrong);
	printf("# sets that differ: %llu; the file of %llu of %llu has the same misses\n",
	       (unsigned long long)s.unequal, (unsigned long long)s.curved,
	       (unsigned long long)s.curves);
	test_ok(s.curved == s.curves, "files of machines of unequal sets");
	test_ok(s.geometry * 100 >= s.machines * 95, "size, line, sector and ways");
	test_ok(s.index * 100 >= s.machines * 95, "set index");
	test_ok(s.policy * 100 >= s.machines * 90, "policy");
	return test_done();
}
