/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/model/t-policy.c -- every policy of the table: complete, its names as they
 * should be, and its hooks give the known answer below.
 */
#include "tests/test.h"

#include "model/model.h"

#define WAYS 3u

/* One set of three ways, lines as letters: which accesses hit, worked by hand. */
static const struct known {
	const char *policy, *stream, *hits;
} known[] = {
	/* fill A B C; A again; D puts out B (oldest), so A and C stay, B misses and
	 * puts out the oldest of D, A, C, which is D. */
	{ "lru", "ABCADACBD", "---+-++--" },
};

static const struct known *known_find(const char *policy)
{
	for (size_t i = 0; i < WS_COUNT(known); i++)
		if (!strcmp(known[i].policy, policy))
			return known + i;
	return NULL;
}

static bool access(const struct ws_policy *p, struct ws_set *set, char *line, char letter)
{
	unsigned way = 0;
	bool hit;

	set->clock++;
	while (way < WAYS && line[way] && line[way] != letter)
		way++;
	hit = way < WAYS && line[way] == letter;
	if (way == WAYS)
		way = p->victim(set);
	line[way] = letter;
	if (hit && p->on_hit)
		p->on_hit(set, way);
	if (!hit && p->on_fill)
		p->on_fill(set, way);
	return hit;
}

static void answer(const struct ws_policy *p)
{
	const struct known *k = known_find(p->name);
	uint64_t meta[WAYS] = { 0 };
	struct ws_set set = { .meta = meta, .ways = WAYS };
	char line[WAYS] = { 0 }, got[32] = "";

	if (!test_ok(k != NULL, "%s has a known answer here", p->name))
		return;
	for (size_t i = 0; k->stream[i]; i++)
		got[i] = access(p, &set, line, k->stream[i]) ? '+' : '-';
	test_str(got, k->hits, p->name);
}

static void complete(const struct ws_policy *p)
{
	test_ok(p->name && p->name[0] && strlen(p->name) < WS_NAME_MAX &&
		strspn(p->name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(p->name),
		"name \"%s\"", p->name);
	test_ok(p->summary && p->summary[0] && !strchr(p->summary, '\n'), "%s: summary", p->name);
	test_ok(p->source && p->source[0], "%s: source", p->name);
	test_ok(p->victim && p->predict, "%s: both faces", p->name);
	test_ok(p->basis == WS_EXACT || p->basis == WS_APPROX, "%s: basis", p->name);
	test_ok(ws_policy_find(p->name) == p, "%s: found by its name, which is its own", p->name);
}

int main(void)
{
	size_t count = 0;

	for (; ws_policies[count]; count++) {
		complete(ws_policies[count]);
		answer(ws_policies[count]);
		for (size_t i = 0; ws_policies[count]->gpgpusim && i < count; i++)
			test_ok(ws_policies[i]->gpgpusim != ws_policies[count]->gpgpusim,
				"%s and %s: letters differ", ws_policies[i]->name,
				ws_policies[count]->name);
	}
	for (size_t i = 0; i < WS_COUNT(known); i++)
		test_ok(ws_policy_find(known[i].policy) != NULL, "\"%s\" is a policy",
			known[i].policy);
	test_ok(count > 0 && !ws_policy_find("") && !ws_policy_find("LRU"), "%zu policies", count);
	test_str(ws_basis_names[WS_EXACT], "exact", "basis");
	test_str(ws_basis_names[WS_SIMULATED], "simulated", "basis");
	return test_done();
}
