/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/t-vary.c -- --vary: lists and ranges, their product, and what is refused.
 */
#include "tests/test.h"
#include "machine/machine.h"

#include <stdlib.h>

static struct ws_machine gtx;

static void gives(const char *spec, const char *want)
{
	struct ws_err err = { .status = WS_OK };
	struct ws_vary v;
	char all[512] = "";

	if (ws_vary_parse(&v, spec, &err)) {
		test_str(err.text, "no error", spec);
		return;
	}
	for (size_t i = 0; i < v.count; i++) {
		strcat(all, i ? " " : "");
		strcat(all, v.value[i]);
	}
	test_str(all, want, spec);
	ws_vary_clear(&v);
	ws_vary_clear(&v);
}

static void refused(const char *spec, const char *want)
{
	struct ws_err err = { .status = WS_OK };
	struct ws_vary v;

	test_ok(ws_vary_parse(&v, spec, &err) == WS_EINVAL && !v.value && v.count == 0,
		"%s is refused", spec);
	test_str(err.text, want, "and says");
	ws_vary_clear(&v);
}

static void specs(void)
{
	gives("l1.size=8K:128K:x2", "8192 16384 32768 65536 131072");
	gives("l1.size=16K:48K:+16K", "16384 32768 49152");
	gives("l1.ways=3:20:+7", "3 10 17");
	gives("l1.ways=3:100:x3", "3 9 27 81");
	gives("l1.ways=5:5:+1", "5");
	gives("l1.ways=8,0x10,3,3", "8 16 3 3");
	gives("l1.size=1K, 2K", "1024 2048");
	gives("l1.policy=lru,fifo,random", "lru fifo random");
	gives("l1.policy=srrip:3", "srrip:3"); /* no range */
	gives("l1.policy=lru,brrip:1/20,lfu-age:.5:x2", "lru brrip:1/20 lfu-age:.5:x2");
	gives("l1.policy=prob:1/6,1/2,.5,fp", "prob:1/6 1/2 .5 fp"); /* cut at every comma */
	gives("l1.hash=xor,bits:7-12", "xor bits:7-12");
	gives("sm.scheduler=gto,lrr", "gto lrr");
	gives("count_pending=on,no", "yes no");
	gives("l1.line=32:1K:x2", "32 64 128 256 512 1024");
	gives("l1.latency=0:2:+1", "0 1 2");
	gives("sm.shared=0", "0");
	/* one more step would wrap round */
	gives("l1.size=32:1G:x1152921504606846976", "32");
	gives("l1.size=32:18446744073709551615:+18446744073709551600", "32");
}

#define RANGES " want LOW:HIGH:+STEP or LOW:HIGH:xFACTOR with LOW <= HIGH, STEP 1 or more, " \
	       "FACTOR 2 or more"

static void errors(void)
{
	refused("l1.ways=8:4:+1", "l1.ways=8:4:+1:" RANGES);
	refused("l1.ways=1:4:+0", "l1.ways=1:4:+0:" RANGES);
	refused("l1.ways=1:4:x1", "l1.ways=1:4:x1:" RANGES);
	refused("l1.ways=1:4:x0", "l1.ways=1:4:x0:" RANGES);
	refused("l1.latency=0:4:x2", "l1.latency=0:4:x2:" RANGES);
	refused("l1.ways=1:4", "l1.ways=1:4:" RANGES);
	refused("l1.ways=1:4:2", "l1.ways=1:4:2:" RANGES);
	refused("l1.ways=1:4:+1:+1", "l1.ways=1:4:+1:+1:" RANGES);
	refused("l1.ways=:4:+1", "l1.ways=:4:+1:" RANGES);
	refused("l1.ways=1:18446744073709551616:+1", "l1.ways=1:18446744073709551616:+1:" RANGES);
	refused("l2.ways=0:4:+1", "l2.ways = 0: want 1..65536");
	refused("l1.ways=65535:65537:+1", "l1.ways = 65537: want 0..65536");
	refused("l1.line=32:128:+32", "l1.line = 96: want a power of two 32..1024 bytes");
	refused("l1.ways=1,,2", "l1.ways = : want 0..65536");
	refused("l1.ways=1,", "l1.ways = : want 0..65536");
	refused("l1.ways=", "'l1.ways=': want KEY=A,B,C, KEY=LOW:HIGH:+STEP or "
		"KEY=LOW:HIGH:xFACTOR");
	refused("l1.ways", "'l1.ways': want KEY=A,B,C, KEY=LOW:HIGH:+STEP or KEY=LOW:HIGH:xFACTOR");
	refused("l1.wasy=1", "unknown key 'l1.wasy': did you mean l1.ways?");
	refused("l1.size=32:18446744073709551615:+1",
		"l1.size has more values than can be varied: want at most 1000000");
	refused("l1.policy=lru,", "l1.policy = : want 1..63 of the characters a-z 0-9 : / , . _ -");
	refused("l1.policy=lru:1:+2", "l1.policy = lru:1:+2: want 1..63 of the characters "
		"a-z 0-9 : / , . _ -");
	refused("sm.scheduler=gto:lrr:+1", "sm.scheduler = gto:lrr:+1: want lrr, gto, two-level, "
		"sequential, round-robin or random");
	refused("l2.size=1:18446744073709551615:x4294967296", "l2.size = 1: want 32..68719476736 "
		"bytes");
	refused("l1.size=32:18446744073709551615:x4294967296",
		"l1.size = 137438953472: want 0..1073741824 bytes");
}

static void product(void)
{
	struct ws_vary v[3];
	struct ws_machine m;
	unsigned wrong = 0;

	test_ok(ws_vary_parse(&v[0], "l1.size=16K,32K", NULL) == WS_OK &&
		ws_vary_parse(&v[1], "l1.ways=1,2,4", NULL) == WS_OK &&
		ws_vary_parse(&v[2], "l1.policy=lru,fifo", NULL) == WS_OK, "three ranges");
	test_u64(ws_vary_product(v, 3), 12, "product");
	test_u64(ws_vary_product(v, 0), 1, "product of none");
	for (uint64_t i = 0; i < 12; i++) {
		uint64_t size = i < 6 ? 16384 : 32768, ways = 1ull << i / 2 % 3;

		wrong += ws_vary_machine(&gtx, v, 3, i, &m, NULL) != WS_OK ||
			 m.l1.size_bytes != size || m.l1.ways != ways ||
			 m.l1.sets != size / ways / 128 ||
			 strcmp(m.l1.policy, i % 2 ? "fifo" : "lru") != 0;
	}
	test_ok(wrong == 0, "the last varies fastest: %u of 12 wrong", wrong);
	test_ok(ws_vary_machine(&gtx, v, 0, 0, &m, NULL) == WS_OK &&
		memcmp(&m, &gtx, sizeof m) == 0, "no range: the machine itself");
	for (size_t i = 0; i < 3; i++)
		ws_vary_clear(&v[i]);
}

/* Beside one that has passed, the same machines and the same errors. */
static void like_another(void)
{
	struct ws_machine first, m[2];
	struct ws_err err[2];
	struct ws_vary v[3];
	unsigned wrong = 0, refused_some = 0;

	test_ok(ws_vary_parse(&v[0], "l1.size=16K,1000,1G", NULL) == WS_OK &&
		ws_vary_parse(&v[1], "l1.ways=4,3,1", NULL) == WS_OK &&
		ws_vary_parse(&v[2], "l2.slices=6,5,12", NULL) == WS_OK &&
		ws_vary_machine(&gtx, v, 3, 0, &first, NULL) == WS_OK, "the first passes");
	for (uint64_t i = 0; i < 27; i++) {
		enum ws_status status;

		memset(err, 0, sizeof err);
		memset(m, 0, sizeof m);
		status = ws_vary_machine(&gtx, v, 3, i, &m[0], &err[0]);
		wrong += ws_vary_machine_like(&gtx, &first, v, 3, i, &m[1], &err[1]) != status ||
			 memcmp(&m[0], &m[1], sizeof m[0]) != 0 ||
			 strcmp(err[0].text, err[1].text) != 0;
		refused_some += status != WS_OK;
		wrong += status == WS_OK && (ws_vary_set(&gtx, v, 3, i, &m[1], NULL) != WS_OK ||
					     ws_machine_settle(&m[1], NULL) != WS_OK ||
					     memcmp(&m[0], &m[1], sizeof m[0]) != 0);
	}
	test_ok(wrong == 0 && refused_some > 5 && refused_some < 25,
		"27 machines, %u of them refused: %u otherwise", refused_some, wrong);
	for (size_t i = 0; i < 3; i++)
		ws_vary_clear(&v[i]);
}

/* Texts are longer than a block, and may differ anywhere. */
static void long_text(unsigned *wrong)
{
	const struct ws_key *key = ws_key_find("title");
	struct ws_machine one = gtx, other;

	memset(one.title, 'x', sizeof one.title - 1);
	other = one;
	other.title[sizeof one.title - 2] = 'y';
	*wrong += ws_key_elsewhere(key, ws_machine_blocks(&one, &other)) ||
		  ws_key_same(&one, &other, key);
}

/* A machine differs from itself in one number only: its key is looked at. */
static void blocks(void)
{
	unsigned wrong = 0, numbers = 0;

	for (const struct ws_key *key = ws_keys; key->name; key++) {
		struct ws_machine other = gtx;
		uint64_t differ;

		*((char *)&other + key->offset) ^= 1;
		differ = ws_machine_blocks(&gtx, &other);
		for (const struct ws_key *k = ws_keys; k->name; k++)
			wrong += ws_key_elsewhere(k, differ) && !ws_key_same(&gtx, &other, k);
		numbers += differ != 0 && !ws_key_elsewhere(key, differ);
		wrong += !ws_key_elsewhere(key, ws_machine_blocks(&gtx, &gtx)) &&
			 key->type <= WS_KEY_BOOL;
	}
	long_text(&wrong);
	test_ok(wrong == 0 && numbers > 80, "%u keys are found by their bytes", numbers);
}

/* What --set gave holds under --vary: size and sets given, so ways follow. */
static void set_and_vary(void)
{
	struct ws_err err = { .status = WS_OK };
	struct ws_machine base = gtx, m;
	struct ws_vary v[2];

	test_ok(ws_machine_set(&base, "l1.sets=64", NULL) == WS_OK &&
		ws_machine_check(&base, NULL) == WS_OK &&
		ws_vary_parse(&v[0], "l1.size=48K", NULL) == WS_OK &&
		ws_vary_parse(&v[1], "l1.size=8K", NULL) == WS_OK, "a set and a range");
	test_ok(ws_vary_machine(&base, v, 1, 0, &m, NULL) == WS_OK, "go together");
	test_u64(m.l1.ways, 6, "ways");
	test_ok(ws_vary_machine(&base, v, 2, 0, &m, &err) == WS_EINVAL, "%s", err.text);
	ws_vary_clear(&v[0]);
	ws_vary_clear(&v[1]);
}

static void saturation(void)
{
	struct ws_vary v[5];

	for (size_t i = 0; i < WS_COUNT(v); i++)
		v[i] = (struct ws_vary){ .count = 1000000 };
	test_u64(ws_vary_product(v, 3), 1000000000000000000, "10^18");
	test_u64(ws_vary_product(v, 4), UINT64_MAX, "10^24");
	test_u64(ws_vary_product(v, 5), UINT64_MAX, "10^30");
}

int main(void)
{
	setenv("WARPSTACK_DATA", "data", 1);
	test_ok(ws_machine_load(&gtx, "gtx480", NULL) == WS_OK, "gtx480 loads");
	specs();
	errors();
	product();
	set_and_vary();
	like_another();
	blocks();
	saturation();
	return test_done();
}
