/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/t-conf.c -- .conf files: the round trip, every kind of error with its line,
 * bases, and machines by name and by path.
 */
#include "tests/test.h"
#include "machine/machine.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct ws_machine gtx;
static char folder[] = "/tmp/ws-machine-XXXXXX";

static char *text_of(const struct ws_machine *m)
{
	struct ws_buf buf = { .data = NULL };

	ws_machine_write(m, &buf);
	ws_put_u8(&buf, 0);
	return (char *)buf.data;
}

/* ---- round trip -------------------------------------------------------------- */

/* A random value that the key takes, or its own. */
static void randomise(struct ws_machine *m, const struct ws_key *key, struct ws_rng *rng)
{
	static const char *const organisations[] = { "line", "sector", "decoupled:3", "elastic:64",
						     "dycache:75" };
	static const char *const lists[] = { "none", "0", "0,8K,16K,32K", "7K,1048576K" };
	static const char *const unequal[] = { "equal", "17+6x8", "8x4+8x2", "1+2+3x4", "4x4",
					  "none" };
	static const char *const hashes[] = { "modulo", "xor", "fermi", "ipoly", "ipoly-skew",
					       "bits:10-40",
					       "matrix:1080/2100/104200" };
	char text[2 * WS_NAME_MAX] = "";
	uint64_t value = key->min + ws_rng_below(rng, key->max - key->min + 1);
	size_t n = 0;

	if (key->type == WS_KEY_SIZE && key->choices && ws_rng_below(rng, 2)) {
		while (key->choices[n])
			n++;
		snprintf(text, sizeof text, "%s", key->choices[ws_rng_below(rng, n)]);
	} else if (key->type == WS_KEY_SIZES) {
		snprintf(text, sizeof text, "%s", lists[ws_rng_below(rng, WS_COUNT(lists))]);
	} else if (key->type == WS_KEY_SET_WAYS) {
		snprintf(text, sizeof text, "%s", unequal[ws_rng_below(rng, WS_COUNT(unequal) -
			 1) + (strcmp(key->fallback, "none") == 0)]);
	} else if (key->type == WS_KEY_U64 || key->type == WS_KEY_SIZE) {
		if (key->pow2)
			value = 32ull << ws_rng_below(rng, 6);
		snprintf(text, sizeof text, "%" PRIu64, value);
	} else if (key->type == WS_KEY_CHOICE) {
		while (key->choices[n])
			n++;
		snprintf(text, sizeof text, "%s", key->choices[ws_rng_below(rng, n)]);
	} else if (key->type == WS_KEY_HASH) {
		snprintf(text, sizeof text, "%s", hashes[ws_rng_below(rng, WS_COUNT(hashes))]);
	} else if (key->type == WS_KEY_ORGANISATION) {
		snprintf(text, sizeof text, "%s", organisations[ws_rng_below(rng, 5)]);
	} else if (key->type == WS_KEY_BOOL) {
		snprintf(text, sizeof text, "%s", ws_rng_below(rng, 2) ? "yes" : "no");
	} else {
		for (n = 1 + ws_rng_below(rng, 60); n-- > 0;)
			text[n] = "abz019:/,._-"[ws_rng_below(rng, 12)];
	}
	if (ws_machine_set_key(m, key, text, NULL))
		printf("# %s refused %s\n", key->name, text);
}

static bool round_trip(const struct ws_machine *m)
{
	char *text = text_of(m), *again = NULL;
	struct ws_err err = { .status = WS_OK };
	struct ws_machine back;
	bool same = false;

	if (ws_machine_read(&back, text, strlen(text), "written", &err) == WS_OK) {
		again = text_of(&back);
		same = strcmp(text, again) == 0 && back.l1.given == 0 && back.l2.given == 0;
	} else {
		printf("# %s\n", err.text);
	}
	free(text);
	free(again);
	return same;
}

static void round_trips(struct ws_rng *rng)
{
	unsigned fine = 0, wrong = 0;

	test_ok(round_trip(&gtx), "the default machine comes back");
	for (unsigned i = 0; i < 6000; i++) {
		struct ws_machine m = gtx;

		for (const struct ws_key *k = ws_keys; k->name; k++) {
			/* sizes are left to follow; few random ones would fit */
			if (strcmp(k->name + 2, ".size") != 0 && ws_rng_below(rng, 4) == 0)
				randomise(&m, k, rng);
		}
		m.l1.sets = 1ull << ws_rng_below(rng, 8);
		m.l1.given |= WS_GIVEN_SETS;
		if (m.l1.set_ways.runs) /* they follow */
			m.l1.given &= ~(unsigned)(WS_GIVEN_SETS | WS_GIVEN_WAYS);
		if (ws_machine_check(&m, NULL))
			continue;
		fine++;
		wrong += !round_trip(&m);
	}
	test_ok(wrong == 0 && fine > 200, "%u random machines come back, %u do not", fine, wrong);
}

static void layout(void)
{
	char *text = text_of(&gtx), odd[16384] = "\t \r\n# all odd\n\n", *line, *rest;
	struct ws_machine m;
	char *again;

	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *equals = strchr(line, '=');

		*equals = '\0';
		snprintf(odd + strlen(odd), sizeof odd - strlen(odd), " \t%s\t=%s # = x\r\n \n",
			 line, equals + 1);
	}
	free(text);
	odd[strlen(odd) - 3] = '\0'; /* no newline at the end */
	test_ok(ws_machine_read(&m, odd, strlen(odd), "odd", NULL) == WS_OK,
		"space, comments, carriage returns");
	text = text_of(&gtx);
	again = text_of(&m);
	test_ok(strcmp(again, text) == 0, "mean nothing");
	free(text);
	free(again);
}

/* ---- errors ---------------------------------------------------------------------- */

static void refused(const char *text, size_t len, const char *says)
{
	struct ws_machine m = gtx;
	struct ws_err err = { .status = WS_OK };

	test_ok(ws_machine_read(&m, text, len, "f", &err) == WS_EFORMAT &&
		memcmp(&m, &gtx, sizeof m) == 0, "refused");
	test_str(err.text, says, "with");
}

/* Drops the line of a key. */
static void drop(char *text, const char *key)
{
	char name[WS_NAME_MAX + 4];

	snprintf(name, sizeof name, "%s = ", key);
	while (strncmp(text, name, strlen(name)) != 0)
		text = strchr(text, '\n') + 1;
	memmove(text, strchr(text, '\n') + 1, strlen(strchr(text, '\n') + 1) + 1);
}

/* gtx480 without the lines of a key, or two; says NULL: that is fine. */
static void without(const char *key, const char *other, const char *says)
{
	struct ws_err err = { .status = WS_OK };
	char *text = text_of(&gtx);
	struct ws_machine m;
	enum ws_status status;

	drop(text, key);
	if (other)
		drop(text, other);
	status = ws_machine_read(&m, text, strlen(text), "f", &err);
	if (says)
		test_str(err.text, says, key);
	else
		test_ok(status == WS_OK && m.l1.size_bytes == 16384 && m.l1.sets == 32 &&
			m.l1.ways == 4 && m.l1.sector_bytes == 128 && m.l2.ways == 8,
			"%s may be left out %s", key, err.text);
	free(text);
}

static void errors(void)
{
	static const char zero[] = "l1.ways = 4\nl1.sets\0 = 4\n";
	char wide[700] = "", *text;

	refused("", 0, "f: no sm.count, and no base to take it from");
	refused("\n\nl1.ways 4\n", 11, "f:3: 'l1.ways 4': want KEY = VALUE");
	refused("l2.ways = 0", 11, "f:1: l2.ways = 0: want 1..65536");
	refused("#\nl1.wasy = 1", 13, "f:2: unknown key 'l1.wasy': did you mean l1.ways?");
	refused("l1.ways = 1\nl1.ways = 1\n", 24, "f:2: l1.ways was given in line 1 already");
	refused(zero, sizeof zero - 1, "f:2: a zero byte: want text");
	refused("= 4", 3, "f:1: unknown key '': want one of the machine's");
	refused("base = gtx480\n", 14, "f:1: base: want all keys of a machine here instead");
	memset(wide, 'a', 600);
	refused(wide, 600, "f:1: a line of 600 bytes: want 511 at most");
	memcpy(wide, "title=", 6);
	refused(wide, 400, "f:1: title = "
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...: want at most 127 "
		"printable ASCII characters without '#'");
	text = calloc(1, (1 << 20) + 1);
	refused(text, (1 << 20) + 1, "f: 1048577 bytes: want a machine of at most 1048576");
	free(text);

	without("sm.count", NULL, "f: no sm.count, and no base to take it from");
	without("l2.policy", NULL, "f: no l2.policy, and no base to take it from");
	without("l1.line", NULL, "f: no l1.line, and no base to take it from");
	without("l1.sets", "l1.ways", "f: no l1.sets, and no base to take it from");
	without("l2.size", "l2.ways", "f: no l2.size, and no base to take it from");
	without("l1.sets", "l2.ways", NULL);
	without("l1.size", NULL, NULL);
	without("l1.ways", NULL, NULL);
	without("l1.sector", NULL, NULL);
	without("count_pending", NULL, NULL);
	without("title", "name", NULL);
}

static void contradiction(void)
{
	char *text = text_of(&gtx), *size = strstr(text, "l1.size = 16384");
	struct ws_err err = { .status = WS_OK };
	struct ws_machine m;

	memcpy(size, "l1.size = 16385", 15);
	test_ok(ws_machine_read(&m, text, strlen(text), "f", &err) == WS_EFORMAT, "contradiction");
	test_str(err.text, "f: l1.size = 16385, l1.sets = 32, l1.ways = 4 and l1.line = 128 "
		 "contradict each other: want size = sets * ways * line, which is 16384", "says");
	free(text);
}

/* ---- files of earlier versions ------------------------------------------------------ */

/* GTX 480 as earlier profiles hold it: before the L2's slices, the network and the cycle
 * simulator's queues had keys. */
static const char earlier[] =
	"name = gtx480\n"
	"title = GeForce GTX 480 (Fermi), 16 KB L1\n"
	"sm.count = 15\nsm.warps = 48\nsm.ctas = 8\nsm.threads = 1536\nsm.schedulers = 2\n"
	"sm.scheduler = gto\nsm.active-warps = 6\nsm.assign = dynamic\nsm.shared = 49152\n"
	"sm.registers = 32768\ncta.threads = 1024\nwarp.width = 32\ncoalesce.line = 128\n"
	"l1.size = 16384\nl1.sets = 32\nl1.ways = 4\nl1.line = 128\nl1.sector = 128\n"
	"l1.hash = fermi\nl1.policy = lru\nl1.write = write-evict\nl1.latency = 35\n"
	"l1.mshr = 64\nl1.mshr.merge = 8\n"
	"l2.size = 786432\nl2.sets = 64\nl2.ways = 8\nl2.line = 128\nl2.sector = 32\n"
	"l2.hash = modulo\nl2.policy = lru\nl2.write = write-back\nl2.latency = 120\n"
	"l2.slices = 12\ndram.latency = 100\ndram.bandwidth = 253\ncount_pending = no\n";

static const char *const later[][2] = { /* keys that it has not, and what they are then */
	{ "l1.alloc", "on-miss" }, { "l1.banks", "1" }, { "l1.queue", "16" },
	{ "sm.lsu", "1" }, { "l1.parts", "1" }, { "sm.launch", "0" },
	{ "sm.large-warp", "1" }, { "sm.lsu.order", "turns" }, { "sm.lsu.requests", "lanes" },
	{ "sm.stores", "sent" }, { "sm.start", "0" }, { "sm.alu", "0" },
	{ "sm.alu.interval", "0" }, { "sm.alu.queue", "0" }, { "sm.buffer", "0" },
	{ "sm.code.line", "0" }, { "sm.code", "0" },
	{ "l1.banks.bytes", "0" }, { "l1.lookup", "0" },
	{ "sm.fetch", "0" }, { "sm.pipeline", "none" }, { "sm.front", "none" }, { "l2.rate", "0" },
	{ "dram.atom", "32" },
	{ "l2.mshr", "256" }, { "l2.mshr.merge", "4" }, { "l2.interleave", "256" },
	{ "l2.slice-hash", "modulo" }, { "l2.start", "cold" }, { "icnt.latency", "0" },
	{ "icnt.width", "32" }, { "icnt.credits", "64" }, { "dram.channels", "0" },
	{ "icnt.queues", "output" }, { "profile", "hardware" },
	{ "l1.organisation", "line" }, { "l1.chunk.tag", "16" }, { "l1.chunk.victim", "any" },
	{ "l1.chunk.invalid", "first" }, { "l1.grain.period", "1000" },
	{ "l1.grain.period.max", "0" }, { "l1.grain.retain", "no" }, { "l1.grain.fine", "keep" },
	{ "sm.shared.reserved", "0" }, { "sm.unified", "0" }, { "sm.carveouts", "none" },
	{ "sm.carveout", "none" }, { "l1.sets.ways", "equal" },
	{ "shared.banks", "32" }, { "shared.width", "4" }, { "shared.latency", "28" },
	{ "shared.conflict", "2" },
	{ "tlb.page", "2097152" }, { "tlb.l1", "none" }, { "tlb.l1.miss", "0" },
	{ "tlb.l2", "none" }, { "tlb.l2.miss", "0" }, { "dram.row", "0" },
	{ "l2.misses", "0" }, { "l2.queue", "64" },
	{ "icnt.router.in", "9" }, { "icnt.router.buffer", "64" },
	{ "icnt.router.out", "16" }, { "icnt.router.speedup", "2" },
	{ "l1.mshr.rate", "0" }, { "l1.mshr.latency", "0" }, { "dram.row.miss", "0" },
	{ "l2.slice-order", "slices" }, { "dram.timing", "none" },
	{ "dram.mapping", "none" }, { "dram.ticks", "1" }, { "dram.ticks.cycles", "1" },
	{ "dram.wait", "0" },
};

static bool is_later(const char *key)
{
	for (size_t i = 0; i < WS_COUNT(later); i++) {
		if (strcmp(later[i][0], key) == 0)
			return true;
	}
	return false;
}

static void earlier_files(void)
{
	struct ws_err err = { .status = WS_OK };
	char value[2 * WS_NAME_MAX], own[2 * WS_NAME_MAX], wide[sizeof earlier + 8], *line;
	struct ws_machine m;

	test_ok(ws_machine_read(&m, earlier, sizeof earlier - 1, "earlier", &err) == WS_OK,
		"a machine of an earlier version is read %s", err.text);
	for (size_t i = 0; i < WS_COUNT(later); i++) {
		ws_machine_get(&m, ws_key_find(later[i][0]), value, sizeof value);
		test_str(value, later[i][1], later[i][0]);
	}
	for (const struct ws_key *k = ws_keys; k->name; k++) {
		ws_machine_get(&m, k, value, sizeof value);
		ws_machine_get(&gtx, k, own, sizeof own);
		test_ok(is_later(k->name) || strcmp(value, own) == 0, "%s is the preset's",
			k->name);
		test_ok(is_later(k->name) == (k->fallback != NULL), "%s has a row of later[] if it "
			"has a fallback (%s)", k->name, k->fallback ? k->fallback : "none");
	}
	/* One whose L2 has longer lines than blocks are by default. */
	snprintf(wide, sizeof wide, "%s", earlier);
	line = strstr(wide, "l2.line = 128");
	memmove(line + 14, line + 13, strlen(line + 13) + 1);
	memcpy(line, "l2.line = 1024", 14);
	line = strstr(wide, "l2.size = 786432");
	memmove(line, line + 17, strlen(line + 17) + 1);
	test_ok(ws_machine_read(&m, wide, strlen(wide), "wide", &err) == WS_OK &&
		m.l2_interleave_bytes == 1024, "blocks are no less than a line: %s", err.text);
}

/* ---- files --------------------------------------------------------------------------- */

static void put(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s/machine/%s", folder, name);
	f = fopen(path, "w");
	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

static void take(const char *name)
{
	char path[256];

	snprintf(path, sizeof path, "%s/machine/%s", folder, name);
	unlink(path);
}

static enum ws_status load(const char *name, struct ws_machine *m, struct ws_err *err)
{
	*err = (struct ws_err){ .status = WS_OK };
	return ws_machine_load(m, name, err);
}

static void bases(void)
{
	struct ws_machine m;
	struct ws_err err;
	char name[24], text[48];

	put("small.conf", "base = gtx480\nl1.size = 8K\ntitle = Small\n");
	test_ok(load("small", &m, &err) == WS_OK, "a preset with a base: %s", err.text);
	test_ok(m.l1.size_bytes == 8192 && m.l1.sets == 16 && m.l1.ways == 4 &&
		strcmp(m.name, "small") == 0 && strcmp(m.title, "Small") == 0,
		"has its own values");
	test_ok(m.sm_count == 15 && m.l2.size_bytes == 786432, "and the base's");

	put("loop.conf", "base = loop\n");
	test_ok(load("loop", &m, &err) == WS_EFORMAT &&
		strstr(err.text, "loop.conf:1: base = loop: want bases at most 8 deep") != NULL &&
		!strstr(err.text, "conf:1: /"), "%s", err.text);
	put("late.conf", "l1.ways = 8\nbase = gtx480\n");
	test_ok(load("late", &m, &err) == WS_EFORMAT &&
		strstr(err.text, "late.conf:2: base comes after other keys") != NULL, "%s",
		err.text);
	put("twice.conf", "base = gtx480\nbase = gtx480\n");
	test_ok(load("twice", &m, &err) == WS_EFORMAT, "%s", err.text);
	put("lost.conf", "base = gtx48\n");
	test_ok(load("lost", &m, &err) == WS_EFORMAT &&
		strstr(err.text, "lost.conf:1: unknown machine 'gtx48': did you mean gtx480?"),
		"%s", err.text);
	put("out.conf", "base = ../machine/gtx480\n");
	test_ok(load("out", &m, &err) == WS_EFORMAT, "%s", err.text);
	for (unsigned i = 0; i < 10; i++) {
		snprintf(name, sizeof name, "deep%u.conf", i);
		snprintf(text, sizeof text, "base = deep%u\n", i + 1);
		put(name, i < 9 ? text : "base = gtx480\n");
	}
	test_ok(load("deep2", &m, &err) == WS_OK, "eight bases deep: %s", err.text);
	test_ok(load("deep1", &m, &err) == WS_EFORMAT, "not nine");
	for (unsigned i = 0; i < 10; i++) {
		snprintf(name, sizeof name, "deep%u.conf", i);
		take(name);
	}
	take("loop.conf"), take("late.conf"), take("twice.conf"), take("lost.conf");
	take("out.conf");
}

static void paths(void)
{
	char path[256], endless[] = "/dev/zero";
	struct ws_machine m;
	struct ws_err err;

	snprintf(path, sizeof path, "%s/machine/Odd Name.conf", folder);
	put("Odd Name.conf", "base = gtx480\nl1.ways = 7\n");
	test_ok(load(path, &m, &err) == WS_OK && m.l1.ways == 7, "a file by its path: %s",
		err.text);
	test_str(m.name, "odd-name", "its name");
	test_str(m.title, "odd-name", "its title");
	take("Odd Name.conf");
	test_ok(load(path, &m, &err) == WS_EINPUT && strstr(err.text, "No such file"), "%s",
		err.text);
	test_ok(load(folder, &m, &err) == WS_EINPUT, "%s", err.text);
	test_ok(load(endless, &m, &err) == WS_EFORMAT, "%s", err.text);
	test_ok(load("", &m, &err) == WS_EINVAL && load(".", &m, &err) != WS_OK &&
		load("..", &m, &err) != WS_OK, "%s", err.text);
	test_ok(load("gtx481", &m, &err) == WS_EINVAL &&
		strstr(err.text, "unknown machine 'gtx481': did you mean gtx480? There are: ") &&
		strstr(err.text, " small"), "%s", err.text);
	test_ok(load("voodoo", &m, &err) == WS_EINVAL &&
			strstr(err.text,
			       "unknown machine 'voodoo': want a path to a .conf file or one of: "),
		"%s", err.text);
}

static void list(void)
{
	struct ws_err err = { .status = WS_OK };
	char **names;
	size_t count;
	bool sorted = true, small = false, hidden = false;

	put(".hidden.conf", "");
	put("gtx480.txt", "");
	test_ok(ws_machine_list(&names, &count, &err) == WS_OK, "presets are listed");
	for (size_t i = 0; i < count; i++) {
		sorted = sorted && (i == 0 || strcmp(names[i - 1], names[i]) < 0);
		small = small || strcmp(names[i], "small") == 0;
		hidden = hidden || names[i][0] == '.' || strchr(names[i], '.');
	}
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
	test_ok(sorted && small && !hidden, "sorted, each once, the files *.conf");
	take(".hidden.conf"), take("gtx480.txt");
}

/* A data directory of our own: a copy of gtx480 and what the tests put there. */
static bool make_folder(void)
{
	char path[256], *text = text_of(&gtx);
	bool ok = mkdtemp(folder) != NULL;

	snprintf(path, sizeof path, "%s/machine", folder);
	ok = ok && mkdir(path, 0700) == 0;
	put("gtx480.conf", text);
	free(text);
	setenv("WARPSTACK_DATA", folder, 1);
	return ok;
}

static void drop_folder(void)
{
	char path[256];

	take("small.conf"), take("gtx480.conf");
	snprintf(path, sizeof path, "%s/machine", folder);
	test_ok(rmdir(path) == 0 && rmdir(folder) == 0, "nothing is left");
}

int main(void)
{
	struct ws_rng rng;

	setenv("WARPSTACK_DATA", "data", 1);
	ws_rng_seed(&rng, test_seed(99));
	test_ok(ws_machine_load(&gtx, "gtx480", NULL) == WS_OK, "gtx480 loads");
	round_trips(&rng);
	layout();
	errors();
	contradiction();
	earlier_files();
	if (test_ok(make_folder(), "a data directory")) {
		bases();
		paths();
		list();
		drop_folder();
	}
	return test_done();
}
