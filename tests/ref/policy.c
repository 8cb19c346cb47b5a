/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/policy.c -- replacement policies, slow and obvious (policy.h); the cache that they
 * work in is policy_cache.c.
 */
#include "tests/ref/policy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ref/policy_sets.h"

/* ---- parameters ------------------------------------------------------------------ */

static bool none(struct ref_cache *c, const char *text)
{
	(void)c;
	return !text;
}

/* "3", "0.25" or "1/4" at *text, which is moved behind it. */
static double number(const char **text)
{
	char *end;
	double value = strtod(*text, &end);

	if (*end == '/')
		value /= strtod(end + 1, &end);
	*text = end;
	return value;
}

static bool m_bits(struct ref_cache *c, const char *text)
{
	char *end;

	c->bits = 2;
	if (!text)
		return true;
	c->bits = (unsigned)strtoul(text, &end, 10);
	c->frequency = !strcmp(end, ",fp");
	return c->frequency || !*end;
}

static bool epsilon_32(struct ref_cache *c, const char *text)
{
	c->bits = 2;
	c->epsilon = text ? number(&text) : 1.0 / 32.0;
	return !text || !*text;
}

static bool epsilon_20(struct ref_cache *c, const char *text)
{
	c->epsilon = text ? number(&text) : 0.05;
	return !text || !*text;
}

/* Of two RRIPs or two LRUs that duel. */
static bool psel_bits(struct ref_cache *c, const char *text)
{
	c->bits = text ? (unsigned)strtoul(text, NULL, 10) : 10;
	c->epsilon = 1.0 / 32.0;
	return true;
}

static bool every(struct ref_cache *c, const char *text)
{
	c->period = text ? strtoull(text, NULL, 10) : 32;
	return true;
}

static bool every_one(struct ref_cache *c, const char *text)
{
	c->period = 1;
	return !text;
}

static bool weights(struct ref_cache *c, const char *text)
{
	while (text && *text && c->weights < WEIGHTS) {
		c->weight[c->weights++] = number(&text);
		text += *text == ',';
	}
	return c->weights == c->ways;
}

/* ---- by recency, by fill, by chance ---------------------------------------------- */

static unsigned least_recent(struct ref_cache *c, struct set *s)
{
	(void)c;
	return list_last(&s->recent);
}

static unsigned earliest_fill(struct ref_cache *c, struct set *s)
{
	(void)c;
	return list_last(&s->filled);
}

static unsigned any(struct ref_cache *c, struct set *s)
{
	(void)s;
	return (unsigned)ws_rng_below(&c->rng, c->ways);
}

static unsigned weighted(struct ref_cache *c, struct set *s)
{
	double sum = 0, below = 0, u;
	unsigned last = 0;

	(void)s;
	for (unsigned way = 0; way < c->ways; way++)
		sum += c->weight[way];
	u = ws_rng_double(&c->rng) * sum;
	for (unsigned way = 0; way < c->ways; way++) {
		below += c->weight[way];
		if (u < below)
			return way;
		if (c->weight[way] > 0)
			last = way;
	}
	return last;
}

/* ---- tree PLRU ------------------------------------------------------------------- */

/* Ways are divided into as few trees as are of equal size and complete; the tree that was not used
 * for longest gives the victim.  right[tree * size + node]: does the node point right? */
static unsigned tree_size(unsigned ways)
{
	unsigned size = 1;

	while (ways % (2 * size) == 0)
		size *= 2;
	return size;
}

static void tree_use(struct ref_cache *c, struct set *s, unsigned way)
{
	unsigned size = tree_size(c->ways), low = way / size * size, node = 1;

	for (unsigned half = size / 2; half; half /= 2) {
		bool is_right = way >= low + half;

		s->right[way / size * size + node] = !is_right;
		node = 2 * node + is_right;
		low += is_right ? half : 0;
	}
}

static unsigned tree_victim(struct ref_cache *c, struct set *s)
{
	unsigned size = tree_size(c->ways), low = 0, root, node = 1, trees = 0;
	bool seen[256] = { false };

	/* From the most recent way on: the tree that is met last. */
	for (unsigned i = 0; i < s->recent.count; i++) {
		unsigned tree = s->recent.way[i] / size;

		if (seen[tree])
			continue;
		seen[tree] = true;
		trees++;
		low = tree * size;
	}
	assert(trees == c->ways / size);
	root = low;
	for (unsigned half = size / 2; half; half /= 2) {
		bool to_right = s->right[root + node];

		node = 2 * node + to_right;
		low += to_right ? half : 0;
	}
	return low;
}

/* ---- NRU, RRIP ------------------------------------------------------------------- */

static void value_zero(struct ref_cache *c, struct set *s, unsigned way)
{
	(void)c;
	s->line[way].value = 0;
}

static unsigned nru_victim(struct ref_cache *c, struct set *s)
{
	for (unsigned way = 0; way < c->ways; way++)
		if (s->line[way].value == 1)
			return way;
	for (unsigned way = 0; way < c->ways; way++)
		s->line[way].value = 1;
	return 0;
}

static uint64_t rrip_top(const struct ref_cache *c)
{
	return ((uint64_t)1 << c->bits) - 1;
}

static void rrip_hit(struct ref_cache *c, struct set *s, unsigned way)
{
	if (!c->frequency)
		s->line[way].value = 0;
	else if (s->line[way].value > 0)
		s->line[way].value--;
}

static void srrip_fill(struct ref_cache *c, struct set *s, unsigned way)
{
	s->line[way].value = rrip_top(c) - 1;
}

static void brrip_fill(struct ref_cache *c, struct set *s, unsigned way)
{
	bool rare = ws_rng_double(&c->rng) < c->epsilon;

	s->line[way].value = rare ? 2 : 3;
}

/* The first line at the top, to which all rise together if none is there. */
static unsigned rrip_find(struct ref_cache *c, struct set *s, uint64_t top)
{
	uint64_t largest = 0;
	unsigned victim = 0;

	for (unsigned way = 0; way < c->ways; way++)
		if (s->line[way].value > largest)
			largest = s->line[way].value;
	for (unsigned way = 0; way < c->ways; way++)
		s->line[way].value += top - largest;
	while (s->line[victim].value != top)
		victim++;
	return victim;
}

static unsigned rrip_victim(struct ref_cache *c, struct set *s)
{
	return rrip_find(c, s, rrip_top(c));
}

/* ---- BIP, duels ------------------------------------------------------------------ */

static void bip_fill(struct ref_cache *c, struct set *s, unsigned way)
{
	if (!(ws_rng_double(&c->rng) < c->epsilon))
		list_to_back(&s->recent, way);
}

/* Counts the fill; true if the set takes its line in as the second of the duelling policies. */
static bool second_wins(struct ref_cache *c, const struct set *s)
{
	uint64_t index = (uint64_t)(s - c->set), sets = c->cache.sets;
	uint64_t period = sets >= 16 ? 8 : sets >= 4 ? 4 : 2;
	uint64_t half = (uint64_t)1 << (c->bits - 1);

	if (index % period == 0) {
		if (c->psel < 2 * half - 1)
			c->psel++;
		return false;
	}
	if (index % period == period / 2) {
		if (c->psel > 0)
			c->psel--;
		return true;
	}
	return c->psel >= half;
}

static void drrip_fill(struct ref_cache *c, struct set *s, unsigned way)
{
	if (second_wins(c, s))
		brrip_fill(c, s, way);
	else
		s->line[way].value = 2;
}

static unsigned drrip_victim(struct ref_cache *c, struct set *s)
{
	return rrip_find(c, s, 3);
}

static void dip_fill(struct ref_cache *c, struct set *s, unsigned way)
{
	if (second_wins(c, s))
		bip_fill(c, s, way);
}

/* ---- SHiP ------------------------------------------------------------------------ */

/* Of 14 bits, from the low end: bits 0..13, 14..27 and 28..31 of the program counter, XORed. */
static unsigned ship_signature(uint32_t pc)
{
	unsigned out = 0;

	for (unsigned bit = 0; bit < 32; bit++)
		if (pc >> bit & 1)
			out ^= 1u << bit % 14;
	return out;
}

static void ship_hit(struct ref_cache *c, struct set *s, unsigned way)
{
	struct line *line = &s->line[way];

	line->outcome = true;
	if (c->shct[line->signature] < 7)
		c->shct[line->signature]++;
	line->value = 0;
}

static void ship_leave(struct ref_cache *c, struct set *s, unsigned way)
{
	struct line *line = &s->line[way];

	if (!line->outcome && c->shct[line->signature] > 0)
		c->shct[line->signature]--;
}

/* 3: re-reference in the distant future; 2: intermediate. */
static void ship_fill(struct ref_cache *c, struct set *s, unsigned way)
{
	struct line *line = &s->line[way];

	line->outcome = false;
	line->signature = ship_signature(c->r[c->now].instruction);
	line->value = c->shct[line->signature] == 0 ? 3 : 2;
}

/* ---- bypass by program counters ------------------------------------------------------ */

static unsigned pc_7_bits(const struct ref_cache *c)
{
	unsigned out = 0;

	for (unsigned bit = 0; bit < 32; bit++)
		if (c->r[c->now].instruction >> bit & 1)
			out ^= 1u << bit % 7;
	return out;
}

static void used_again(struct ref_cache *c, struct set *s, unsigned way)
{
	unsigned *dead = &c->dead[s->line[way].last_pc];

	if (*dead > 0)
		--*dead;
	s->line[way].last_pc = pc_7_bits(c);
}

static void not_used_again(struct ref_cache *c, struct set *s, unsigned way)
{
	unsigned *dead = &c->dead[s->line[way].last_pc];

	if (*dead < 15)
		++*dead;
}

static void brought(struct ref_cache *c, struct set *s, unsigned way)
{
	s->line[way].last_pc = pc_7_bits(c);
	c->passed[pc_7_bits(c)] = 0;
}

/* Of sixteen in succession, the last is brought in. */
static bool past_dead(struct ref_cache *c)
{
	unsigned pc = pc_7_bits(c);

	if (c->r[c->now].instruction == UINT32_MAX || c->dead[pc] < 8 || c->passed[pc] == 15)
		return false;
	c->passed[pc]++;
	return true;
}

/* ---- LFU, MFU -------------------------------------------------------------------- */

static void count_hit(struct ref_cache *c, struct set *s, unsigned way)
{
	(void)c;
	s->line[way].count++;
}

static void count_fill(struct ref_cache *c, struct set *s, unsigned way)
{
	(void)c;
	s->line[way].count = 0;
}

static void halve(struct ref_cache *c, struct set *s)
{
	if (s->clock % c->period != 0)
		return;
	for (unsigned way = 0; way < c->ways; way++)
		s->line[way].count /= 2;
}

static unsigned least_frequent(struct ref_cache *c, struct set *s)
{
	unsigned victim = list_last(&s->recent);

	(void)c;
	for (unsigned i = s->recent.count; i-- > 0;)
		if (s->line[s->recent.way[i]].count < s->line[victim].count)
			victim = s->recent.way[i];
	return victim;
}

static unsigned most_frequent(struct ref_cache *c, struct set *s)
{
	unsigned victim = list_last(&s->recent);

	(void)c;
	for (unsigned i = s->recent.count; i-- > 0;)
		if (s->line[s->recent.way[i]].count > s->line[victim].count)
			victim = s->recent.way[i];
	return victim;
}

/* ---- OPT ------------------------------------------------------------------------- */

/* The next request for the line that comes to the cache; count: none. */
static size_t next_use(const struct ref_cache *c, uint64_t address)
{
	size_t i = c->now + 1;

	while (i < c->count && (c->r[i].kind == WS_ATOMIC || c->r[i].address != address))
		i++;
	return i;
}

static unsigned farthest(struct ref_cache *c, struct set *s)
{
	size_t far = 0;
	unsigned victim = 0;

	for (unsigned way = 0; way < c->ways; way++) {
		size_t next = next_use(c, s->line[way].address);

		if (next > far) {
			far = next;
			victim = way;
		}
	}
	return victim;
}

/* ---- second chance ----------------------------------------------------------------- */

static void value_one(struct ref_cache *c, struct set *s, unsigned way)
{
	(void)c;
	s->line[way].value = 1;
}

/* The hand passes lines that were used, which then count as unused, and stops behind its victim. */
static unsigned clock_victim(struct ref_cache *c, struct set *s)
{
	unsigned way;

	while (s->line[s->hand].value == 1) {
		s->line[s->hand].value = 0;
		s->hand = (s->hand + 1) % c->ways;
	}
	way = s->hand;
	s->hand = (way + 1) % c->ways;
	return way;
}

/* ---- variants -------------------------------------------------------------------- */

static unsigned kumar_n(const struct ref_cache *c)
{
	return c->ways < 62 ? c->ways : 62;
}

static void kumar_near(struct ref_cache *c, struct set *s, unsigned way)
{
	unsigned n = kumar_n(c);

	s->line[way].value = n < 2 ? 1 : (uint64_t)1 << (n - 2);
}

static void kumar_rare(struct ref_cache *c, struct set *s, unsigned way)
{
	if (ws_rng_double(&c->rng) < c->epsilon)
		kumar_near(c, s, way);
	else
		s->line[way].value = (uint64_t)1 << (kumar_n(c) - 1);
}

static unsigned kumar_victim(struct ref_cache *c, struct set *s)
{
	uint64_t top = ((uint64_t)1 << kumar_n(c)) - 1, more;
	unsigned victim = 0;

	for (unsigned way = 1; way < c->ways; way++)
		if (s->line[way].value > s->line[victim].value)
			victim = way;
	more = top - s->line[victim].value;
	for (unsigned way = 0; way < c->ways; way++)
		if (way != victim)
			s->line[way].value += more;
	return victim;
}

/* ---- the table ------------------------------------------------------------------- */

static const struct rule rules[] = {
	{ .name = "lru", .letter = 'L', .parse = none, .victim = least_recent },
	{ .name = "fifo", .letter = 'F', .parse = none, .victim = earliest_fill },
	{ .name = "random", .parse = none, .victim = any },
	{ .name = "plru", .parse = none, .hit = tree_use, .fill = tree_use, .victim = tree_victim },
	{ .name = "nru", .parse = none,
	  .hit = value_zero, .fill = value_zero, .victim = nru_victim },
	{ .name = "srrip", .parse = m_bits,
	  .hit = rrip_hit, .fill = srrip_fill, .victim = rrip_victim },
	{ .name = "brrip", .parse = epsilon_32,
	  .hit = rrip_hit, .fill = brrip_fill, .victim = rrip_victim },
	{ .name = "drrip", .parse = psel_bits,
	  .hit = rrip_hit, .fill = drrip_fill, .victim = drrip_victim },
	{ .name = "ship-pc", .parse = none,
	  .hit = ship_hit, .fill = ship_fill, .victim = drrip_victim, .leave = ship_leave },
	{ .name = "pc-bypass", .parse = none, .hit = used_again, .fill = brought,
	  .victim = least_recent, .leave = not_used_again, .past = past_dead },
	{ .name = "bip", .parse = epsilon_32, .fill = bip_fill, .victim = least_recent },
	{ .name = "dip", .parse = psel_bits, .fill = dip_fill, .victim = least_recent },
	{ .name = "lfu", .parse = none,
	  .hit = count_hit, .fill = count_fill, .victim = least_frequent },
	{ .name = "lfu-age", .parse = every,
	  .begin = halve, .hit = count_hit, .fill = count_fill, .victim = least_frequent },
	{ .name = "mfu", .parse = none,
	  .hit = count_hit, .fill = count_fill, .victim = most_frequent },
	{ .name = "opt", .parse = none, .victim = farthest },
	{ .name = "clock", .parse = none,
	  .hit = value_one, .fill = value_one, .victim = clock_victim },
	{ .name = "prob", .parse = weights, .victim = weighted },
	{ .name = "srrip-kumar", .letter = 'S', .parse = none,
	  .hit = value_zero, .fill = kumar_near, .victim = kumar_victim },
	{ .name = "brrip-kumar", .letter = 'B', .parse = epsilon_20,
	  .hit = value_zero, .fill = kumar_rare, .victim = kumar_victim },
	{ .name = "lfu-kumar", .letter = 'H', .parse = every_one,
	  .begin = halve, .hit = count_hit, .fill = count_fill, .victim = least_frequent },
	{ .name = "select", .parse = ref_select_parse, .begin = ref_select_begin,
	  .hit = ref_select_hit, .fill = ref_select_fill, .victim = ref_select_victim,
	  .leave = ref_select_leave },
};

const char *ref_policy_name(size_t i)
{
	return i < WS_COUNT(rules) ? rules[i].name : NULL;
}

const struct rule *ref_rule_find(const char *text)
{
	size_t len = strcspn(text, ":");

	for (size_t i = 0; i < WS_COUNT(rules); i++) {
		const struct rule *rule = &rules[i];

		if (strlen(rule->name) == len && !strncmp(rule->name, text, len))
			return rule;
		if (len == 1 && rule->letter == text[0])
			return rule;
	}
	return NULL;
}
