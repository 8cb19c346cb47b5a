/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim/sim.c -- one SM's cache, request by request.
 *
 * Every line ever asked for since the last flush has one record in a
 * directory (directory.h), which says where the line stands in each of three
 * caches:
 *
 *   the set-associative one   slot (its set and way, or WS_NOWHERE) and the
 *                             sectors valid there; slots point back, so that a
 *                             victim's record is found
 *   the fully associative     sectors valid, and its neighbours in the list of
 *   LRU one                   resident lines by recency
 *   the infinite one          sectors valid, sectors ever fetched
 *
 * so a request costs one directory look-up for any number of ways, plus the
 * policy's own work; victim() is asked only when the set is full.  What a policy lets go
 * past changes nothing in the first cache; the other two take every line.
 *
 * Invariants: slot[line.slot] is that line; what the set-associative or the fully associative cache
 * holds the infinite one holds too.
 *
 * Push: O(1) expected and the hooks, of which victim() is often O(ways); under
 * write-evict a fill may look at O(ways) slots for the lowest invalid one.
 * Flush: O(lines + ways of the sets touched).  Memory: 12 B per way, 24 B per
 * set, 48 B and up to 16 B of directory per distinct line.
 *
 * The three Cs: Hill and Smith, IEEE Trans. Computers 38(12), 1989.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/sectors.h"
#include "model/ways.h"
#include "validate/sim/directory.h"
#include "validate/grain/grain.h"
#include "validate/sim/miss_stream.h"
#include "validate/sim/sim.h"

struct sim_set {
	uint64_t clock;		/* accesses; 0: untouched since the flush */
	struct ws_ways ways;
};

struct ws_sim {
	struct ws_cache cache;
	struct ws_use use;
	const struct ws_policy *policy;
	struct ws_rng rng;
	enum ws_act store;
	struct ws_sectoring by;
	uint32_t line_mask;	/* the 32 B sectors a line has */

	struct sim_set *set;
	uint32_t *ways;		/* of each set; NULL: cache.ways, which is the most */
	uint32_t *slot;		/* number of a line + 1; 0: invalid */
	struct ws_policy_state state;
	uint64_t *members;	/* of policies that caches choose together: in place of
				 * state.shared, the words of each slice; else NULL */
	uint64_t seed;

	uint64_t *next;		/* offline policies: of each request pushed, when its line is
				 * asked for next */
	size_t next_cap;
	bool pushed;		/* since the flush */

	uint32_t newest, oldest; /* the fully associative cache */
	uint64_t resident, capacity;

	struct ws_miss_stream *passed; /* what goes on to the L2 goes there; NULL: nowhere */
	const struct ws_request *asked; /* at present */
	struct ws_grain *words;	/* instead of all caches here, if it is organised so; else NULL */
	struct ws_directory directory;
	struct ws_counts kind[WS_KINDS];
};

/* ---- the set-associative cache ---------------------------------------------- */

static void throw_out(struct ws_sim *s, struct ws_set *view, uint32_t first, unsigned way)
{
	struct ws_ways *ways = &s->set[view->index].ways;
	uint32_t number = ws_ways_evict(ways, s->slot + first, way, view);
	struct ws_sim_line *line = &s->directory.line[number];

	if (line->modified)
		ws_miss_stream_put(s->passed, s->asked, line->address, line->modified, WS_STORE);
	line->slot = WS_NOWHERE;
	line->valid = line->modified = 0;
}

/* *way: the lowest invalid one; in a full set the policy's victim, thrown out. */
static enum ws_status way_choose(struct ws_sim *s, struct ws_set *view, struct sim_set *set,
				 uint32_t first, unsigned *way, struct ws_err *err)
{
	if (set->ways.valid == view->ways) {
		*way = s->policy->victim(view);
		if (*way >= view->ways)
			return ws_fail(err, WS_EINVAL, "policy %s throws out way %u: want 0..%u",
				       s->policy->name, *way, view->ways - 1);
		throw_out(s, view, first, *way);
		return WS_OK;
	}
	*way = ws_ways_invalid(&set->ways, s->slot + first);
	return WS_OK;
}

/* The line is there. */
static void found(struct ws_sim *s, struct ws_set *view, struct ws_sim_line *line,
		  uint32_t sectors, enum ws_act action)
{
	uint32_t first = line->set * (uint32_t)s->cache.ways;

	if (action == WS_ACT_EVICT) {
		throw_out(s, view, first, line->slot - first);
		return;
	}
	if (action == WS_ACT_FETCH)
		line->valid |= sectors;
	if (s->policy->on_hit)
		s->policy->on_hit(view, line->slot - first);
}

/* The line is to be brought in. */
static enum ws_status bring(struct ws_sim *s, struct ws_set *view, struct sim_set *set,
			    uint32_t number, uint32_t sectors, struct ws_err *err)
{
	struct ws_sim_line *line = &s->directory.line[number];
	uint32_t first = line->set * (uint32_t)s->cache.ways;
	enum ws_status status;
	unsigned way;

	if (ws_ways_bypassed(view)) {
		if (s->policy->on_bypass)
			s->policy->on_bypass(view);
		return WS_OK;
	}
	status = way_choose(s, view, set, first, &way, err);
	if (status != WS_OK)
		return status;
	line->slot = first + way;
	line->valid = sectors;
	ws_ways_fill(&set->ways, s->slot + first, way, number, view);
	return WS_OK;
}

static uint64_t *members_of(const struct ws_sim *s, uint64_t set)
{
	return s->members + (s->cache.slices ? set / (s->cache.sets / s->cache.slices) : 0) *
				    s->policy->cache_words;
}

static enum ws_status set_access(struct ws_sim *s, uint32_t number, uint32_t sectors,
				 enum ws_act action, uint64_t next, struct ws_err *err)
{
	struct ws_sim_line *line = &s->directory.line[number];
	const struct ws_policy_state *state = &s->state;
	const struct ws_request *r = s->asked;
	struct sim_set *set = &s->set[line->set];
	const struct ws_access access = {
		.address = r->address, .instruction = r->instruction, .sectors = r->sectors,
		.cta = r->cta, .warp = r->warp, .kind = r->kind,
	};
	struct ws_set view = {
		.meta = &state->meta[line->set * state->set_meta],
		.own = &state->own[line->set * state->set_own],
		.shared = s->members ? members_of(s, line->set) : state->shared,
		.table = state->table,
		.ways = s->ways ? s->ways[line->set] : (unsigned)s->cache.ways,
		.clock = ++set->clock,
		.index = line->set, .sets = s->cache.sets, .next = next, .access = &access,
		.rng = &s->rng, .use = &s->use,
	};

	if (line->slot != WS_NOWHERE) {
		found(s, &view, line, sectors, action);
		return WS_OK;
	}
	if (!s->cache.ways)
		return WS_OK;
	return action == WS_ACT_FETCH ? bring(s, &view, set, number, sectors, err) : WS_OK;
}

/* ---- the fully associative LRU cache ------------------------------------------
 * It has no ways and no hash table: its list runs through the directory's records, which a request
 * has looked up anyhow.  So it is none of the other LRU caches. */

static void list_remove(struct ws_sim *s, uint32_t number)
{
	struct ws_sim_line *all = s->directory.line, *line = &all[number];

	*(line->newer == WS_NOWHERE ? &s->newest : &all[line->newer].older) = line->older;
	*(line->older == WS_NOWHERE ? &s->oldest : &all[line->older].newer) = line->newer;
	line->newer = line->older = WS_NOWHERE;
}

static void list_put_newest(struct ws_sim *s, uint32_t number)
{
	s->directory.line[number].older = s->newest;
	*(s->newest == WS_NOWHERE ? &s->oldest : &s->directory.line[s->newest].newer) = number;
	s->newest = number;
}

static void full_remove(struct ws_sim *s, uint32_t number)
{
	list_remove(s, number);
	s->directory.line[number].full_valid = 0;
	s->resident--;
}

static void full_access(struct ws_sim *s, uint32_t number, uint32_t sectors, enum ws_act action)
{
	struct ws_sim_line *line = &s->directory.line[number];

	if (!line->full_valid) {
		if (action != WS_ACT_FETCH || !s->capacity)
			return;
		if (s->resident == s->capacity)
			full_remove(s, s->oldest);
		s->resident++;
	} else if (action == WS_ACT_EVICT) {
		full_remove(s, number);
		return;
	} else {
		list_remove(s, number);
	}
	list_put_newest(s, number);
	if (action == WS_ACT_FETCH)
		line->full_valid |= sectors;
}

/* ---- a request -------------------------------------------------------------------- */

/* After the request, whose missing sectors were `missing`. */
static void pass_on(struct ws_sim *s, const struct ws_request *r, struct ws_sim_line *line,
		    uint32_t missing)
{
	if (r->kind == WS_LOAD) {
		if (missing)
			ws_miss_stream_put(s->passed, r, r->address,
					   s->cache.ways ? ws_sectors_whole(s->by, missing)
							 : r->sectors, WS_LOAD);
	} else if (!ws_writes_through(s->cache.write) && line->slot != WS_NOWHERE) {
		line->modified |= ws_sectors_fetched(s->by, r->sectors);
	} else {
		ws_miss_stream_put(s->passed, r, r->address, r->sectors, WS_STORE);
	}
}

/* Counts the request by what the caches hold before it. */
static void count_request(struct ws_counts *c, const struct ws_sim_line *line, uint32_t sectors,
			  enum ws_act action)
{
	if (!(sectors & ~line->valid)) {
		c->hits++;
		return;
	}
	c->misses++;
	if (sectors & ~line->kept) {
		if (action == WS_ACT_FETCH && sectors & ~line->ever)
			c->cold++;
		else
			c->uncached++;
	} else if (sectors & ~line->full_valid) {
		c->capacity++;
	} else {
		c->conflict++;
	}
}

static void infinite_access(struct ws_sim_line *line, uint32_t sectors, enum ws_act action)
{
	if (action == WS_ACT_FETCH) {
		line->kept |= sectors;
		line->ever |= sectors;
	} else if (action == WS_ACT_EVICT) {
		line->kept = 0;
	}
}

static enum ws_status request_check(const struct ws_sim *s, const struct ws_request *r,
				    struct ws_err *err)
{
	if (r->kind >= WS_KINDS)
		return ws_fail(err, WS_EINVAL, "request of kind %u: want 0..%d",
			       r->kind, WS_KINDS - 1);
	if (!r->sectors || r->sectors & ~s->line_mask)
		return ws_fail(err, WS_EINVAL, "request of sectors 0x%x: want some of 0x%x, those "
			       "of a line of %" PRIu64 " bytes", r->sectors, s->line_mask,
			       s->cache.line_bytes);
	if (r->address & (s->cache.line_bytes - 1))
		return ws_fail(err, WS_EINVAL, "request address 0x%" PRIx64 ": want a multiple of "
			       "the line size %" PRIu64, r->address, s->cache.line_bytes);
	return WS_OK;
}

/* *number: of the line's record, which knows its set. */
static enum ws_status line_find(struct ws_sim *s, uint64_t address, uint32_t *number,
				struct ws_err *err)
{
	bool fresh;
	enum ws_status status = ws_directory_find(&s->directory, address, number, &fresh, err);
	uint64_t set;

	if (status != WS_OK || !fresh)
		return status;
	set = ws_set_index(&s->cache, address);
	if (set >= s->cache.sets)
		return ws_fail(err, WS_EINVAL, "set-index function %s gives set %" PRIu64
			       " of address 0x%" PRIx64 ": want 0..%" PRIu64, s->cache.hash->name,
			       set, address, s->cache.sets - 1);
	s->directory.line[*number].set = (uint32_t)set;
	return WS_OK;
}

static enum ws_status request(struct ws_sim *s, const struct ws_request *r, uint64_t next,
			      struct ws_err *err)
{
	enum ws_act action = r->kind == WS_STORE ? s->store : WS_ACT_FETCH;
	uint32_t number, missing, sectors = ws_sectors_asked(s->by, r->sectors);
	struct ws_counts *c;
	enum ws_status status = request_check(s, r, err);

	if (status != WS_OK)
		return status;
	c = &s->kind[r->kind];
	if (r->kind == WS_ATOMIC && !s->cache.slices) { /* the L2 performs it */
		c->requests++;
		c->misses++;
		c->uncached++;
		c->sectors += ws_popcount(r->sectors);
		c->sectors_missed += ws_popcount(r->sectors);
		if (s->passed)
			ws_miss_stream_put(s->passed, r, r->address, r->sectors,
					   ws_request_below(r));
		return WS_OK;
	}
	if (s->words)
		return ws_grain_request(s->words, r, c, err);
	status = line_find(s, r->address, &number, err);
	if (status != WS_OK)
		return status;
	c->requests++;
	count_request(c, &s->directory.line[number], sectors, action);
	infinite_access(&s->directory.line[number], sectors, action);
	full_access(s, number, sectors, action);
	missing = sectors & ~s->directory.line[number].valid;
	c->sectors += ws_popcount(r->sectors);
	c->sectors_missed += ws_popcount(r->sectors & ws_sectors_whole(s->by, missing));
	s->asked = r;
	status = set_access(s, number, sectors, action, next, err);
	if (status == WS_OK && s->passed)
		pass_on(s, r, &s->directory.line[number], missing);
	return status;
}

/* s->next of n requests, from the last to the first. */
static enum ws_status look_ahead(struct ws_sim *s, const struct ws_request *r, size_t n,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;
	uint64_t *last = NULL;
	size_t lines = 0;

	if (s->pushed)
		return ws_fail(err, WS_EINVAL, "policy %s needs to know what comes: want all "
			       "requests of a launch in one push", s->policy->name);
	if (!WS_ROOM(s->next, s->next_cap, n))
		return ws_fail_memory(err, "what comes in a stream");
	for (size_t i = n; i-- > 0 && status == WS_OK;) {
		uint32_t number;

		s->next[i] = UINT64_MAX;
		if (r[i].kind == WS_ATOMIC && !s->cache.slices)
			continue;
		status = line_find(s, r[i].address, &number, err);
		if (status != WS_OK)
			break;
		if (!WS_ROOM(last, lines, (size_t)number + 1)) {
			status = ws_fail_memory(err, "what comes in a stream");
			break;
		}
		/* Lines are numbered as they are met: one after the other. */
		s->next[i] = s->directory.line[number].full_valid ? last[number] : UINT64_MAX;
		s->directory.line[number].full_valid = 1;
		last[number] = i;
	}
	for (size_t i = 0; i < s->directory.lines; i++)
		s->directory.line[i].full_valid = 0;
	free(last);
	return status;
}

void ws_sim_seed(struct ws_sim *s, uint64_t seed)
{
	s->seed = seed;
	ws_rng_seed(&s->rng, seed);
}

void ws_sim_reseed(struct ws_sim *s, uint64_t more)
{
	ws_rng_seed(&s->rng, s->seed + more);
}

uint64_t *ws_sim_members(const struct ws_sim *s, size_t *caches)
{
	*caches = s->cache.slices ? (size_t)s->cache.slices : 1;
	return s->members;
}

bool ws_sim_slices(const struct ws_sim *s)
{
	return s->cache.slices > 0;
}

const struct ws_use *ws_sim_use(const struct ws_sim *s)
{
	return &s->use;
}

enum ws_status ws_sim_another(struct ws_sim **out, const struct ws_sim *s, struct ws_err *err)
{
	enum ws_status status = ws_sim_new(out, &s->cache, err);

	if (status == WS_OK)
		ws_sim_seed(*out, s->seed);
	return status;
}

enum ws_status ws_sim_pass(struct ws_sim *s, struct ws_miss_stream *to, struct ws_err *err)
{
	if (s->words)
		return ws_fail(err, WS_EINVAL, "l1.organisation = %s: an L2 behind it is simulated "
			       "in cycles only",
			       ws_organisation_of(&s->cache)->name);
	s->passed = to;
	return WS_OK;
}

uint64_t ws_sim_line_bytes(const struct ws_sim *s)
{
	return s->cache.line_bytes;
}

bool ws_sim_offline(const struct ws_sim *s)
{
	return s->policy->offline;
}

enum ws_status ws_sim_push(struct ws_sim *s, const struct ws_request *r, size_t n,
			   struct ws_err *err)
{
	if (s->policy->offline && n) {
		enum ws_status status = look_ahead(s, r, n, err);

		if (status != WS_OK)
			return status;
	}
	s->pushed = n > 0 || s->pushed;
	for (size_t i = 0; i < n; i++) {
		enum ws_status status = request(s, &r[i], s->policy->offline ? s->next[i] : 0, err);

		if (status != WS_OK)
			return status;
	}
	return WS_OK;
}

/* ---- life -------------------------------------------------------------------------- */

static enum ws_status geometry_check(const struct ws_cache *c, struct ws_err *err)
{
	struct ws_cache one = *c;

	uint64_t ways = c->ways ? c->ways : 1;

	if (ways > WS_SIM_WAYS_MAX)
		return ws_fail(err, WS_EINVAL, "a cache of %" PRIu64 " ways: want at most %u",
			       c->ways, WS_SIM_WAYS_MAX);
	if (c->sets < 1 || c->sets > WS_SIM_LINES_MAX / ways)
		return ws_fail(err, WS_EINVAL, "a cache of %" PRIu64 " sets of %" PRIu64
			       " ways: want 1..%llu sets", c->sets, c->ways,
			       WS_SIM_LINES_MAX / ways);
	if (c->line_bytes < WS_SECTOR_BYTES || c->line_bytes > WS_LINE_MAX
	    || !ws_is_pow2(c->line_bytes))
		return ws_fail(err, WS_EINVAL, "a line of %" PRIu64 " bytes: want a power of two "
			       "%u..%u", c->line_bytes, WS_SECTOR_BYTES, WS_LINE_MAX);
	if (!c->sector_bytes || c->sector_bytes % WS_SECTOR_BYTES
	    || c->line_bytes % c->sector_bytes)
		return ws_fail(err, WS_EINVAL, "a sector of %" PRIu64 " bytes: want a multiple of "
			       "%u that divides the line of %" PRIu64, c->sector_bytes,
			       WS_SECTOR_BYTES, c->line_bytes);
	if (c->sets > 1 && !c->hash)
		return ws_fail(err, WS_EINVAL, "a cache of %" PRIu64 " sets: want a set-index "
			       "function", c->sets);
	if (c->slices) { /* the function is of those of a slice */
		one.sets /= c->slices;
		one.size_bytes /= c->slices;
	}
	return one.sets > 1 && c->hash->check ? c->hash->check(&one, err) : WS_OK;
}

static enum ws_status setup(struct ws_sim *s, struct ws_err *err)
{
	const struct ws_cache *c = &s->cache;

	if (c->write >= WS_WRITES)
		return ws_fail(err, WS_EINVAL, "write policy %d: want 0..%d", (int)c->write,
			       WS_WRITES - 1);
	s->store = ws_store_act(c->write);
	s->line_mask = UINT32_MAX >> (32 - c->line_bytes / WS_SECTOR_BYTES);
	ws_sim_seed(s, 1);
	if (ws_organisation_of(c)->sub_sectors)
		return ws_grain_new(&s->words, c, err);
	s->by = ws_sectoring_of(c->line_bytes, c->sector_bytes);
	s->capacity = ws_cache_lines(c);
	s->newest = s->oldest = WS_NOWHERE;
	s->set = ws_alloc_zero((size_t)c->sets, sizeof *s->set);
	s->slot = ws_alloc_zero((size_t)(c->sets * c->ways), sizeof *s->slot);
	if (s->policy->meet)
		s->members = ws_alloc_zero((size_t)(c->slices ? c->slices : 1) *
					   s->policy->cache_words, sizeof *s->members);
	if (!s->set || !s->slot || !ws_cache_set_ways(c, &s->ways) ||
	    (s->policy->meet && !s->members))
		return ws_fail_memory(err, "a simulated cache");
	return ws_policy_state_new(&s->state, s->policy, c->sets, c->ways, err);
}

static enum ws_status new_use(struct ws_sim **out, const struct ws_cache *cache,
			      const struct ws_use *use, struct ws_err *err)
{
	const struct ws_policy *policy = use->policy;
	enum ws_status status = geometry_check(cache, err);
	struct ws_sim *s;

	if (status == WS_OK && policy->check)
		status = policy->check(use, cache, err);
	if (status != WS_OK)
		return status;
	if (!policy->victim)
		return ws_fail(err, WS_EINVAL, "policy %s cannot be simulated: it has no victim "
			       "rule", policy->name);
	if (ws_organisation_of(cache)->sub_sectors && !policy->of_words)
		return ws_fail(err, WS_EINVAL, "l1.organisation = %s replaces by LRU alone, not "
			       "by policy %s: want l1.policy = lru",
			       ws_organisation_of(cache)->name, policy->name);
	s = ws_alloc_zero(1, sizeof *s);
	if (!s)
		return ws_fail_memory(err, "a simulated cache");
	s->cache = *cache;
	if (ws_organisation_of(cache)->sectors)
		s->cache.sector_bytes = WS_SECTOR_BYTES;
	s->use = *use;
	s->policy = policy;
	status = setup(s, err);
	if (status != WS_OK)
		ws_sim_free(s);
	else
		*out = s;
	return status;
}

enum ws_status ws_sim_new_policy(struct ws_sim **out, const struct ws_cache *cache,
				 const struct ws_policy *policy, struct ws_err *err)
{
	struct ws_use use;
	enum ws_status status = ws_use_default(&use, policy, ws_policies, err);

	*out = NULL;
	return status != WS_OK ? status : new_use(out, cache, &use, err);
}

enum ws_status ws_sim_new(struct ws_sim **out, const struct ws_cache *cache, struct ws_err *err)
{
	struct ws_use use;
	enum ws_status status = ws_use_of(&use, cache, err);

	*out = NULL;
	return status != WS_OK ? status : new_use(out, cache, &use, err);
}

void ws_sim_flush(struct ws_sim *s)
{
	size_t ways = (size_t)s->cache.ways;

	if (s->words) {
		ws_grain_flush(s->words);
		return;
	}
	for (size_t i = 0; i < s->directory.lines; i++) {
		size_t n = s->directory.line[i].set;

		if (!s->set[n].clock)
			continue;
		memset(&s->slot[n * ways], 0, ways * sizeof *s->slot);
		ws_policy_state_flush_set(&s->state, n);
		s->set[n] = (struct sim_set){ 0 };
	}
	ws_directory_flush(&s->directory);
	ws_policy_state_flush_shared(&s->state);
	if (s->members)
		memset(s->members, 0, (size_t)(s->cache.slices ? s->cache.slices : 1) *
				      s->policy->cache_words * sizeof *s->members);
	s->pushed = false;
	s->resident = 0;
	s->newest = s->oldest = WS_NOWHERE;
}

void ws_sim_counts(const struct ws_sim *s, struct ws_counts kind[WS_KINDS + 1])
{
	kind[WS_KINDS] = (struct ws_counts){ 0 };
	for (int k = 0; k < WS_KINDS; k++) {
		kind[k] = s->kind[k];
		assert(ws_counts_check(&kind[k]));
		ws_counts_add(&kind[WS_KINDS], &kind[k]);
	}
}

void ws_sim_recount(struct ws_sim *s, const struct ws_counts kind[WS_KINDS + 1])
{
	memcpy(s->kind, kind, sizeof s->kind);
}

void ws_sim_free(struct ws_sim *s)
{
	if (!s)
		return;
	free(s->set);
	free(s->slot);
	free(s->ways);
	ws_policy_state_clear(&s->state);
	free(s->members);
	free(s->next);
	ws_grain_free(s->words);
	ws_directory_clear(&s->directory);
	free(s);
}
