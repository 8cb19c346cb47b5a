/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/t-keys.c -- the key table: every row is sound, takes the ends of its
 * range, refuses what is beyond them, and gives back what it took.
 */
#include "tests/test.h"
#include "machine/machine.h"

#include <stdlib.h>

static struct ws_machine machine;

static void load(void)
{
	struct ws_err err = { .status = WS_OK };

	test_ok(ws_machine_load(&machine, WS_MACHINE_DEFAULT, &err) == WS_OK,
		"the default machine loads: %s", err.text);
}

static bool takes(const struct ws_key *key, const char *value, const char *back)
{
	struct ws_machine m = machine;
	char text[2 * WS_NAME_MAX];

	if (ws_machine_set_key(&m, key, value, NULL))
		return false;
	ws_machine_get(&m, key, text, sizeof text);
	if (strcmp(text, back) != 0)
		printf("# %s = %s came back as %s\n", key->name, value, text);
	return strcmp(text, back) == 0;
}

static bool refuses(const struct ws_key *key, const char *value)
{
	struct ws_machine m = machine;
	struct ws_err err = { .status = WS_OK };
	char before[2 * WS_NAME_MAX], after[2 * WS_NAME_MAX];

	ws_machine_get(&m, key, before, sizeof before);
	if (ws_machine_set_key(&m, key, value, &err) != WS_EINVAL ||
	    strncmp(err.text, key->name, strlen(key->name)) != 0 || !strstr(err.text, "want "))
		return false;
	ws_machine_get(&m, key, after, sizeof after);
	return strcmp(before, after) == 0;
}

static void rows(void)
{
	for (const struct ws_key *k = ws_keys; k->name; k++) {
		char own[2 * WS_NAME_MAX];

		test_ok(ws_key_find(k->name) == k, "%s is found", k->name);
		test_ok(k->help && k->help[0] && k->offset < sizeof machine, "%s is complete",
			k->name);
		ws_machine_get(&machine, k, own, sizeof own);
		test_ok(takes(k, own, own), "%s takes its own value %s", k->name, own);
		test_ok(k->type == WS_KEY_TEXT || (refuses(k, "") && refuses(k, " \t")),
			"%s refuses nothing", k->name);
		test_ok(refuses(k, "no#thing") && refuses(k, "caf\xc3\xa9") &&
				refuses(k, "\033[1m"),
			"%s refuses garbage", k->name);
		for (const struct ws_key *other = ws_keys; other < k; other++) {
			if (strcmp(other->name, k->name) == 0 || other->offset == k->offset)
				test_ok(false, "%s and %s are two keys", other->name, k->name);
		}
	}
	test_ok(!ws_key_find("l1") && !ws_key_find(""), "no such keys");
}

static void numbers(void)
{
	static const char *const beyond[] = {
		"18446744073709551615", "18446744073709551616", "9223372036854775808", "-1",
		"4294967296x", "1.5", "1e3", "0x", "++1", "99999999999999999999999999999999999999",
	};

	for (const struct ws_key *k = ws_keys; k->name; k++) {
		char low[32], high[24], text[32];
		bool ok = true;

		if (k->type != WS_KEY_U64 && k->type != WS_KEY_SIZE)
			continue;
		snprintf(low, sizeof low, "%" PRIu64, k->min);
		snprintf(high, sizeof high, "%" PRIu64, k->max);
		test_ok(takes(k, low, low) && takes(k, high, high), "%s takes %s and %s", k->name,
			low, high);
		snprintf(text, sizeof text, "%" PRIu64, k->max + 1);
		test_ok(refuses(k, text), "%s refuses %s", k->name, text);
		snprintf(text, sizeof text, "%" PRIu64, k->min - 1);
		test_ok(refuses(k, text), "%s refuses %s", k->name, text);
		for (size_t i = 0; i < WS_COUNT(beyond); i++)
			ok = ok && refuses(k, beyond[i]);
		test_ok(ok, "%s refuses numbers that are none or too large", k->name);
		snprintf(low, sizeof low, "%" PRIu64, 3 * k->min);
		snprintf(high, sizeof high, "%" PRIu64, 2 * k->min);
		snprintf(text, sizeof text, " %s\t", high);
		if (k->pow2)
			test_ok(refuses(k, low) && takes(k, text, high), "%s: powers of two",
				k->name);
	}
	test_ok(takes(ws_key_find("l1.size"), "48K", "49152") &&
		takes(ws_key_find("l2.size"), "6MiB", "6291456") &&
		refuses(ws_key_find("l1.ways"), "4K"), "sizes have suffixes, counts have none");
}

static void organisations(void)
{
	static const char *const good[] = { "line", "sector", "decoupled:1", "decoupled:32",
					    "elastic:32", "elastic:64", "dycache:0", "dycache:25",
					    "dycache:100" };
	static const char *const bad[] = { "lines", "line:", "line:0", "sector:32", "decoupled:",
					   "decoupled:0", "decoupled:33", "elastic", "elastic:",
					   "elastic:48", "elastic:128", "elastic:64:1", "dycache",
					   "dycache:101", "dycache:-1", "dycache:50%", ":", "el" };
	const struct ws_key *k = ws_key_find("l1.organisation");
	struct ws_machine m = machine;
	struct ws_err err = { .status = WS_OK };

	for (size_t i = 0; i < WS_COUNT(good); i++)
		test_ok(takes(k, good[i], good[i]), "%s", good[i]);
	for (size_t i = 0; i < WS_COUNT(bad); i++)
		test_ok(refuses(k, bad[i]), "not %s", bad[i]);
	test_ok(takes(k, "decoupled", "decoupled:2"), "two tags a line unless said");
	test_ok(!ws_machine_set(&m, "l1.organisation=elastic:32", &err) &&
		!ws_machine_check(&m, &err), "elastic suits the preset: %s", err.text);
	test_ok(!ws_machine_set(&m, "l1.line=64", &err) &&
			ws_machine_check(&m, &err) == WS_EINVAL && strstr(err.text, "want 128"),
		"but not other lines: %s", err.text);
	err = (struct ws_err){ .status = WS_OK };
	test_ok(!ws_machine_set(&m, "l1.organisation=decoupled", &err) &&
		!ws_machine_check(&m, &err), "which a decoupled cache may have %s", err.text);
}

/* A machine that differs in one byte of one key differs in that key alone. */
static void same(void)
{
	const size_t l1 = offsetof(struct ws_machine, l1), end = l1 + sizeof machine.l1;

	for (const struct ws_key *key = ws_keys; key->name; key++) {
		struct ws_machine other = machine;
		bool empty = key->type == WS_KEY_SIZES && !machine.sm_carveouts.count, good = true;

		((unsigned char *)&other)[key->offset] ^= 1;
		for (const struct ws_key *k = ws_keys; k->name; k++) {
			bool expected = k != key || empty;

			good &= ws_key_same(&machine, &other, k) == expected;
			if (k->offset >= l1 && k->offset < end)
				good &= ws_key_same_l1(&machine.l1, &other.l1, k) == expected;
		}
		test_ok(good, "%s alone differs", key->name);
	}
}

static void forms(void)
{
	static const char *const form[] = { "line", "sector", "decoupled[:1..32]",
					    "elastic:32, elastic:64", "dycache:0..100" };
	char text[WS_NAME_MAX];

	for (size_t i = 0; i < WS_COUNT(form); i++) {
		const struct ws_organisation *o = &ws_organisations[i];

		ws_organisation_form(o, text, sizeof text);
		test_ok(strcmp(text, form[i]) == 0 && ws_organisation_find(o->name) == o, "%s",
			text);
	}
	test_ok(!ws_organisation_find("lin") && !ws_organisation_find("liner") &&
		ws_organisation_find("elastic:48") == ws_organisation_find("elastic"),
		"found by whole names, whatever the parameter");
}

static void words(void)
{
	const struct ws_key *hash = ws_key_find("l1.hash"), *name = ws_key_find("name"),
			    *title = ws_key_find("title"), *pending = ws_key_find("count_pending");
	char text[200];

	organisations();
	forms();
	same();
	for (const struct ws_key *k = ws_keys; k->name; k++) {
		for (size_t i = 0; k->type == WS_KEY_CHOICE && k->choices[i]; i++)
			test_ok(takes(k, k->choices[i], k->choices[i]), "%s = %s", k->name,
				k->choices[i]);
	}
	test_ok(takes(hash, "bits:7-8", "bits:7-8") && takes(hash, "bits:0-63", "bits:0-63"),
		"bits take a range");
	test_ok(refuses(hash, "bits") && refuses(hash, "bits:") && refuses(hash, "bits:8-7") &&
		refuses(hash, "bits:7-64") && refuses(hash, "bits:7") && refuses(hash, "bits:-") &&
		refuses(hash, "bits:1-2-3") && refuses(hash, "bits:000000000001-2") &&
		refuses(hash, "xor:1") && refuses(hash, "bits:1-18446744073709551616"),
		"and nothing else");
	test_ok(takes(hash, "matrix:80", "matrix:80") &&
		takes(hash, "matrix:1080/2100/4200/8400/10800",
		      "matrix:1080/2100/4200/8400/10800") &&
		takes(hash, "matrix:80/FF00", "matrix:80/ff00"), "matrix takes masks");
	test_ok(refuses(hash, "matrix") && refuses(hash, "matrix:") && refuses(hash, "matrix:/") &&
		refuses(hash, "matrix:80/") && refuses(hash, "matrix:80//100") &&
		refuses(hash, "matrix:0x80") && refuses(hash, "matrix:080") &&
		refuses(hash, "matrix:-1") && refuses(hash, "matrix:10000000000000000") &&
		refuses(hash, "matrix:1/2/4/8/10/20/40/80/100/200/400/800/1000") &&
		refuses(hash, "matrix:8000000000000000/4000000000000000/2000000000000000/"
			"1000000000000000/8000000000000001/4000000000000001/2000000000000001/1"),
		"and nothing else, nor more than can be said");
	test_ok(takes(pending, "yes", "yes") && takes(pending, "off", "no") &&
		takes(pending, "1", "yes") && refuses(pending, "2"), "yes and no");
	test_ok(takes(ws_key_find("l1.policy"), "prob:1/6,1/2,1/6,1/6", "prob:1/6,1/2,1/6,1/6") &&
		refuses(ws_key_find("l1.policy"), "LRU"), "a policy is any name");
	memset(text, 'x', sizeof text);
	text[63] = '\0';
	test_ok(takes(name, text, text), "a name of 63");
	text[63] = 'x', text[64] = '\0';
	test_ok(refuses(name, text), "not of 64");
	text[64] = 'x', text[127] = '\0';
	test_ok(takes(title, text, text), "a title of 127");
	text[127] = 'x', text[199] = '\0';
	test_ok(refuses(title, text), "not of 199");
	test_ok(takes(title, "  a = b, \"c\"  ", "a = b, \"c\""), "a title has any sign");
}

static void says(const char *assignment, const char *want)
{
	struct ws_machine m = machine;
	struct ws_err err = { .status = WS_OK };

	test_ok(ws_machine_set(&m, assignment, &err) == WS_EINVAL, "%s is refused", assignment);
	test_str(err.text, want, "and says");
}

static void messages(void)
{
	struct ws_machine m = machine;

	says("l2.ways=0", "l2.ways = 0: want 1..65536");
	says("l1.line = 96", "l1.line = 96: want a power of two 32..1024 bytes");
	says("warp.width=65", "warp.width = 65: want 1..64");
	says("l1.wasy=4", "unknown key 'l1.wasy': did you mean l1.ways?");
	says("colour=red", "unknown key 'colour': want one of the machine's");
	says("l1.ways", "'l1.ways': want KEY=VALUE");
	says("=4", "unknown key '': want one of the machine's");
	says("sm.assign=randon", "sm.assign = randon: want dynamic, random or round-robin; "
	     "did you mean random?");
	says("l1.hash=ipol", "l1.hash = ipol: want modulo, xor, fermi, ipoly, bits:LOW-HIGH or "
	     "matrix:HEX/HEX...; "
	     "did you mean ipoly?");
	says("count_pending=maybe", "count_pending = maybe: want yes or no");
	says("l1.size=\033[31m", "l1.size = ?[31m: want 0..1073741824 bytes");
	test_ok(ws_machine_set(&m, " l1.latency = 7 ", NULL) == WS_OK &&
		m.l1.latency_cycles == 7, "space around is no matter");
}

static void stages(void)
{
	static const struct {
		const char *key;
		enum ws_stage stage;
	} some[] = {
		{ "sm.count", WS_STAGE_ORDER },	      { "sm.registers", WS_STAGE_ORDER },
		{ "warp.width", WS_STAGE_ORDER },     { "coalesce.line", WS_STAGE_ORDER },
		{ "l1.line", WS_STAGE_PREDICT },      { "l1.latency", WS_STAGE_ORDER },
		{ "l2.latency", WS_STAGE_ORDER },     { "l1.sector", WS_STAGE_PROFILE },
		{ "l1.hash", WS_STAGE_PROFILE },      { "l1.write", WS_STAGE_PROFILE },
		{ "l1.size", WS_STAGE_PREDICT },      { "l1.sets", WS_STAGE_PREDICT },
		{ "l1.ways", WS_STAGE_PREDICT },      { "l1.policy", WS_STAGE_PREDICT },
		{ "count_pending", WS_STAGE_CYCLES }, { "l2.size", WS_STAGE_L2_PREDICT },
		{ "l2.slices", WS_STAGE_L2_PROFILE },     { "l1.mshr", WS_STAGE_CYCLES },
		{ "dram.latency", WS_STAGE_CYCLES },  { "name", WS_STAGE_LABEL },
	};

	for (size_t i = 0; i < WS_COUNT(some); i++)
		test_u64(ws_key_find(some[i].key)->stage, some[i].stage, some[i].key);
}

/* Values that no setter let in: a struct filled by hand. */
static void by_hand(void)
{
	struct ws_err err = { .status = WS_OK };
	struct ws_machine m = machine;

	m.sm_scheduler = (enum ws_scheduler)99;
	test_ok(ws_machine_check(&m, NULL) == WS_EINVAL, "a scheduler that is none");
	m = machine;
	m.l1.hash = NULL;
	test_ok(ws_machine_check(&m, NULL) == WS_EINVAL, "no hash");
	m = machine;
	memset(m.title, 'x', sizeof m.title);
	test_ok(ws_machine_check(&m, NULL) == WS_EINVAL, "a title without end");
	m = machine;
	m.l1.line_bytes = 0;
	test_ok(ws_machine_check(&m, NULL) == WS_EINVAL, "no line");
	m = machine;
	m.warp_width = UINT64_MAX;
	test_ok(ws_machine_check(&m, &err) == WS_EINVAL, "%s", err.text);
	memset(&m, 0, sizeof m);
	test_ok(ws_machine_check(&m, NULL) == WS_EINVAL, "nothing at all");
	memset(&m, 0xff, sizeof m);
	m.count_pending = true;
	test_ok(ws_machine_check(&m, NULL) == WS_EINVAL, "ones all over");
}

int main(void)
{
	setenv("WARPSTACK_DATA", "data", 1);
	load();
	rows();
	numbers();
	words();
	messages();
	stages();
	by_hand();
	return test_done();
}
