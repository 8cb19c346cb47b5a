/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/model/t-use.c -- NAME:PARAMETERS: what is taken, and what is said of the rest.
 */
#include "tests/test.h"

#include "model/model.h"

static const struct taken {
	const char *text, *name;
	unsigned params;
	double param[4];
} taken[] = {
	{ "lru", "lru", 0, { 0 } },
	{ "L", "lru", 0, { 0 } },
	{ "B", "brrip-kumar", 1, { 0.05 } },
	{ "srrip", "srrip", 2, { 2, 0 } },
	{ "srrip:1", "srrip", 2, { 1, 0 } },
	{ "srrip:16,fp", "srrip", 2, { 16, 1 } },
	{ "brrip", "brrip", 1, { 0.03125 } },
	{ "brrip:1/20", "brrip", 1, { 0.05 } },
	{ "brrip:0", "brrip", 1, { 0 } },
	{ "brrip:1", "brrip", 1, { 1 } },
	{ "bip", "bip", 1, { 0.03125 } },
	{ "bip:0.375", "bip", 1, { 0.375 } },
	{ "brrip-kumar:3/4", "brrip-kumar", 1, { 0.75 } },
	{ "drrip", "drrip", 1, { 10 } },
	{ "drrip:20", "drrip", 1, { 20 } },
	{ "dip", "dip", 1, { 10 } },
	{ "dip:1", "dip", 1, { 1 } },
	{ "lfu-age", "lfu-age", 1, { 32 } },
	{ "lfu-age:1", "lfu-age", 1, { 1 } },
	{ "lfu-age:4294967296", "lfu-age", 1, { 4294967296 } },
	{ "prob:1/6,1/2,1/6,1/6", "prob", 4, { 1.0 / 6, 0.5, 1.0 / 6, 1.0 / 6 } },
	{ "prob:0,7/2,1e-3", "prob", 3, { 0, 3.5, 0.001 } },
	{ "prob:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "prob", 32,
	  { 1, 1, 1, 1 } },
};

static void take(const struct taken *t)
{
	struct ws_use use;
	struct ws_err err = { 0 };
	bool good;

	if (ws_use_parse(&use, t->text, &err)) {
		test_ok(false, "%s: %s", t->text, err.text);
		return;
	}
	good = !strcmp(use.policy->name, t->name) && use.params == t->params;
	for (unsigned i = 0; i < t->params && i < WS_COUNT(t->param); i++)
		good = good && fabs(use.param[i] - t->param[i]) < 1e-15;
	test_ok(good, "%s: is %s with %u parameters, the first %g", t->text, use.policy->name,
		use.params, use.param[0]);
}

static const struct refused {
	const char *text, *says;
} refused[] = {
	{ "", "no policy \"\"; there are: lru, " },
	{ "zzzz", "no policy \"zzzz\"; there are: lru, " },
	{ "srrp:2", "no policy \"srrp\"; did you mean \"srrip\"?" },
	{ "LRU", "no policy \"LRU\"" },
	{ ":3", "no policy \"\"" },
	{ "lru:3", "policy \"lru:3\": lru takes no parameters" },
	{ "L:3", "policy \"L:3\": lru takes no parameters" },
	{ "fifo:", "fifo takes no parameters" },
	{ "lfu-kumar:1", "lfu-kumar takes no parameters" },
	{ "srrip:", "policy \"srrip:\": nothing after the colon; want srrip:M[,fp]" },
	{ "srrip:0", "policy \"srrip:0\": \"0\" is not a whole number from 1 to 16; want "
		     "srrip:M[,fp]" },
	{ "srrip:17", "\"17\" is not a whole number from 1 to 16" },
	{ "srrip:-1", "\"-1\" is not a whole number" },
	{ "srrip:2.0", "\"2.0\" is not a whole number" },
	{ "srrip:2,", "\"\" is not fp" },
	{ "srrip:2,hp", "\"hp\" is not fp" },
	{ "srrip:2,fp,fp", "\"fp,fp\" is not fp" },
	{ "srrip:,fp", "\"\" is not a whole number" },
	{ "srrip:fp", "\"fp\" is not a whole number" },
	{ "srrip:0000000000000000000000000000000000000000000000000000000000000021,fp",
	  "is not a whole number" },
	{ "brrip:2", "\"2\" is not a fraction from 0 to 1, such as 1/32 or 0.05; want brrip:EPS" },
	{ "brrip:-0.5", "is not a fraction" },
	{ "brrip:1/0", "\"1/0\" is not a fraction" },
	{ "brrip:3/2", "\"3/2\" is not a fraction" },
	{ "brrip:1/2/3", "is not a fraction" },
	{ "brrip:nan", "is not a fraction" },
	{ "brrip:inf", "is not a fraction" },
	{ "brrip:5%", "is not a fraction" },
	{ "brrip:0.00000000000000000000000000000000000000000000000000000000000000000x",
	  "is not a fraction" },
	{ "brrip-kumar:2", "want brrip-kumar:EPS" },
	{ "bip:x", "\"x\" is not a fraction" },
	{ "drrip:0", "\"0\" is not a whole number from 1 to 20; want drrip:BITS" },
	{ "drrip:21", "\"21\" is not a whole number from 1 to 20" },
	{ "dip:0", "want dip:BITS" },
	{ "lfu-age:0", "\"0\" is not a whole number from 1 to 4294967296; want lfu-age:P" },
	{ "lfu-age:4294967297", "\"4294967297\" is not a whole number" },
	{ "prob", "policy \"prob\": \"\" is not a weight: want a number from 0, such as 1/6, 0.5 "
		  "or 2; want prob:W0,W1,..." },
	{ "prob:", "is not a weight" },
	{ "prob:0,0", "weights whose sum is 0" },
	{ "prob:1,-1", "\"-1\" is not a weight" },
	{ "prob:1,,1", "\"\" is not a weight" },
	{ "prob:1,1,", "\"\" is not a weight" },
	{ "prob:1/0,1", "\"1/0\" is not a weight" },
	{ "prob:1/-2,1", "\"1/-2\" is not a weight" },
	{ "prob:1/2/3,1", "\"1/2/3\" is not a weight" },
	{ "prob:1e308/1e-9", "\"1e308/1e-9\" is not a weight" },
	{ "prob:nan", "\"nan\" is not a weight" },
	{ "prob:1e308,1e308", "weights whose sum is inf" },
	{ "prob:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
	  "more than 32 weights" },
	{ "prob:0000000000000000000000000000000000000000000000000000000000000021",
	  "a weight of more than 63 characters" },
};

static void refuse(const struct refused *r)
{
	struct ws_use use;
	struct ws_err err = { 0 };

	test_ok(ws_use_parse(&use, r->text, &err) == WS_EINVAL && strstr(err.text, r->says),
		"\"%s\": %s", r->text, err.text);
}

/* A parameter that does not suit the cache. */
static void suits(void)
{
	struct ws_cache cache = { .ways = 4 };
	struct ws_use use;
	struct ws_err err = { 0 };

	if (!test_ok(!ws_use_parse(&use, "prob:1,2,1,1", &err), "four weights") ||
	    !test_ok(use.policy->check != NULL, "are looked at"))
		return;
	test_ok(!use.policy->check(&use, &cache, &err), "four weights suit four ways");
	cache.ways = 6;
	test_ok(use.policy->check(&use, &cache, &err) == WS_EINVAL, "not six: %s", err.text);
	test_ok(strstr(err.text, "4 weights for 6 ways") != NULL, "says so");
}

int main(void)
{
	for (size_t i = 0; i < WS_COUNT(taken); i++)
		take(taken + i);
	for (size_t i = 0; i < WS_COUNT(refused); i++)
		refuse(refused + i);
	suits();
	return test_done();
}
