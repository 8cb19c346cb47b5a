/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/grain.c -- see grain.h.
 *
 * One flat array of words, each with its set, way, place, time and, decoupled, its tag; nothing
 * points anywhere.  The fully associative cache is another array; what was fetched a list of
 * addresses.
 */
#include "tests/ref/grain.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ref/must.h"

#define WORD 32u

struct word { bool valid, dirty; uint64_t address, time, tag; void *fetch; };
struct seen { uint64_t address; bool kept; };

struct ref_grain {
	struct ws_cache c;
	struct word *w, *full;	/* [set][way][place]; any order */
	uint64_t *line_time;	/* [set][way] */
	struct seen *seen;
	struct tag { uint64_t line, time; } *tag; /* decoupled: of all lines ever */
	size_t all, seen_count, tags;
	unsigned n;		/* words of a line */
	unsigned grain;		/* bytes */
	uint64_t now, period;
	uint64_t asked, missed, asked_size[3];
	unsigned quiet, restless;
	struct ref_grain_stats stats;
	uint64_t *gone;		/* in time: of MODIFIED words that a request threw out */
	size_t gones;
};

static bool is_decoupled(const struct ref_grain *g)
{
	return g->c.organised.as == WS_DECOUPLED;
}

static void begin(struct ref_grain *g)
{
	memset(g->w, 0, g->all * sizeof *g->w);
	memset(g->full, 0, g->all * sizeof *g->full);
	memset(g->line_time, 0, g->c.sets * g->c.ways * sizeof *g->line_time);
	g->seen_count = g->tags = 0;
	g->grain = g->c.organised.as == WS_ELASTIC ? g->c.organised.parameter : 128;
	g->period = g->c.grain_period;
	g->asked = g->missed = 0;
	memset(g->asked_size, 0, sizeof g->asked_size);
	g->quiet = g->restless = 0;
}

struct ref_grain *ref_grain_new(const struct ws_cache *cache)
{
	struct ref_grain *g = must(1, sizeof *g);

	g->c = *cache;
	g->n = (unsigned)(cache->line_bytes / WORD);
	g->all = cache->sets * cache->ways * g->n;
	g->w = must(g->all, sizeof *g->w);
	g->full = must(g->all, sizeof *g->full);
	g->line_time = must(cache->sets * cache->ways, sizeof *g->line_time);
	begin(g);
	return g;
}

void ref_grain_flush(struct ref_grain *g)
{
	begin(g);
}

struct ref_grain_stats ref_grain_stats(const struct ref_grain *g)
{
	return g->stats;
}

unsigned ref_grain_now(const struct ref_grain *g)
{
	return is_decoupled(g) ? 0 : g->grain;
}

void ref_grain_free(struct ref_grain *g)
{
	if (!g)
		return;
	free(g->w);
	free(g->full);
	free(g->line_time);
	free(g->seen);
	free(g->tag);
	free(g->gone);
	free(g);
}

/* ---- pieces -------------------------------------------------------------------- */

static struct word *at(struct ref_grain *g, uint64_t set, uint64_t way, unsigned place)
{
	return &g->w[(set * g->c.ways + way) * g->n + place];
}

static struct word *find(struct word *in, size_t count, uint64_t address)
{
	for (size_t i = 0; i < count; i++)
		if (in[i].valid && in[i].address == address)
			return &in[i];
	return NULL;
}

static struct seen *find_seen(struct ref_grain *g, uint64_t address)
{
	for (size_t i = 0; i < g->seen_count; i++)
		if (g->seen[i].address == address)
			return &g->seen[i];
	return NULL;
}

static void drop(struct ref_grain *g, struct word *w)
{
	g->stats.written_back += w->valid && w->dirty;
	if (w->valid && w->dirty) {
		g->gone = more(g->gone, g->gones + 1, sizeof *g->gone);
		g->gone[g->gones++] = w->address;
	}
	*w = (struct word){ .valid = false };
}

static uint64_t region(const struct ref_grain *g, uint64_t address)
{
	uint64_t sets = 1;

	while (sets < g->c.sets)
		sets *= 2;
	return address / WORD / sets >> g->c.chunk_tag_bits;
}

static bool line_empty(struct ref_grain *g, uint64_t set, uint64_t way)
{
	for (unsigned p = 0; p < g->n; p++)
		if (at(g, set, way, p)->valid)
			return false;
	return true;
}

static uint64_t line_region(struct ref_grain *g, uint64_t set, uint64_t way)
{
	for (unsigned p = 0; p < g->n; p++)
		if (at(g, set, way, p)->valid)
			return region(g, at(g, set, way, p)->address);
	return UINT64_MAX;
}

/* ---- chunks ---------------------------------------------------------------------- */

static bool chunks_hit(struct ref_grain *g, uint64_t set, uint64_t from, uint64_t bytes)
{
	for (uint64_t way = 0; way < g->c.ways; way++) {
		uint64_t b = from;

		while (b < from + bytes && find(at(g, set, way, 0), 4, b))
			b += WORD;
		if (b == from + bytes)
			return true;
	}
	return false;
}

static uint64_t group_time(struct ref_grain *g, uint64_t set, uint64_t way, unsigned p, unsigned k)
{
	uint64_t t = 0;

	for (unsigned i = p; i < p + k; i++)
		if (at(g, set, way, i)->valid && at(g, set, way, i)->time > t)
			t = at(g, set, way, i)->time;
	return t;
}

static bool reserved(struct ref_grain *g, uint64_t set, uint64_t way, unsigned p, unsigned k)
{
	for (unsigned i = p; i < p + k; i++)
		if (at(g, set, way, i)->valid && at(g, set, way, i)->fetch)
			return true;
	return false;
}

static bool can_give(struct ref_grain *g, uint64_t set, uint64_t way, unsigned k)
{
	for (unsigned p = 0; p < 4; p += k)
		if (!reserved(g, set, way, p, k))
			return true;
	return false;
}

/* False: everything is reserved. */
static bool pick(struct ref_grain *g, uint64_t set, uint64_t reg, unsigned k, uint64_t *way,
		 unsigned *place)
{
	uint64_t ways = g->c.ways, best = UINT64_MAX, empty = ways, extreme = ways, oldest = ways;
	bool newest = g->c.chunk_victim == WS_CHUNK_NEWEST, any = false;

	for (uint64_t v = ways; v-- > 0;)
		if (line_empty(g, set, v))
			empty = v;
	for (uint64_t v = 0; v < ways; v++) {
		uint64_t t = g->line_time[set * ways + v];

		if (line_empty(g, set, v))
			continue;
		if (!reserved(g, set, v, 0, 4) &&
		    (oldest == ways || t < g->line_time[set * ways + oldest]))
			oldest = v;
		if (line_region(g, set, v) != reg || !can_give(g, set, v, k))
			continue;
		any = true;
		if (extreme == ways || (newest ? t > g->line_time[set * ways + extreme]
					       : t < g->line_time[set * ways + extreme]))
			extreme = v;
		for (unsigned p = 0; p < 4 && k < 4; p += k) {
			if (group_time(g, set, v, p, k) == 0) {
				*way = v;
				*place = p;
				return true;
			}
		}
	}
	*place = 0;
	if (k == 4 || !any || (empty < ways && g->c.chunk_invalid == WS_CHUNK_INVALID_FIRST)) {
		*way = empty < ways ? empty : oldest;
		return *way < ways;
	}
	for (uint64_t v = 0; v < ways; v++) {
		if (line_region(g, set, v) != reg ||
		    (g->c.chunk_victim != WS_CHUNK_ANY && v != extreme))
			continue;
		for (unsigned p = 0; p < 4; p += k) {
			if (!reserved(g, set, v, p, k) && group_time(g, set, v, p, k) < best) {
				best = group_time(g, set, v, p, k);
				*way = v;
				*place = p;
			}
		}
	}
	return true;
}

static bool chunks_fill(struct ref_grain *g, uint64_t set, uint64_t from, uint64_t bytes,
			uint64_t need, uint64_t need_bytes, bool dirty)
{
	unsigned k = (unsigned)(bytes / WORD), place, dropped = 0, out;
	uint64_t way = 0;

	for (uint64_t b = from; b < from + bytes; b += WORD) {
		struct word *w = find(at(g, set, 0, 0), g->c.ways * 4, b);

		if (w) {
			drop(g, w);
			dropped++;
		}
	}
	g->stats.partial += dropped > 0;
	g->stats.invalidated += dropped;
	if (!pick(g, set, region(g, from), k, &way, &place))
		return false;
	out = line_region(g, set, way) == region(g, from) && k < 4 ? k : 4;
	for (unsigned i = 0; i < out; i++)
		drop(g, at(g, set, way, place + i));
	for (unsigned i = 0; i < k; i++) {
		uint64_t b = from + i * WORD;

		*at(g, set, way, place + i) = (struct word){
			.valid = true, .address = b, .time = g->now,
			.dirty = dirty && b >= need && b < need + need_bytes };
	}
	g->line_time[set * g->c.ways + way] = g->now;
	return true;
}

static void chunks_use(struct ref_grain *g, uint64_t set, uint64_t from, uint64_t bytes,
		       uint64_t need, uint64_t need_bytes, bool dirty)
{
	for (uint64_t way = 0; way < g->c.ways; way++) {
		for (unsigned p = 0; p < 4; p++) {
			struct word *w = at(g, set, way, p);

			if (!w->valid || w->address < from || w->address >= from + bytes)
				continue;
			w->time = g->line_time[set * g->c.ways + way] = g->now;
			if (dirty && w->address >= need && w->address < need + need_bytes)
				w->dirty = true;
		}
	}
}

static void larger(struct ref_grain *g)
{
	unsigned k = g->grain / WORD;

	for (size_t i = 0; i < g->all; i += k) {
		bool keep = g->c.grain_retain && g->w[i].valid && g->w[i].address % g->grain == 0;

		for (unsigned j = 0; j < k; j++)
			keep = keep && g->w[i + j].valid &&
			       g->w[i + j].address == g->w[i].address + j * WORD;
		for (unsigned j = 0; j < k && !keep; j++) {
			g->stats.flushed += g->w[i + j].valid;
			drop(g, &g->w[i + j]);
		}
	}
}

static void control(struct ref_grain *g, uint64_t bytes, bool miss)
{
	unsigned before = g->grain, bar = g->c.organised.parameter;
	double misses, fine;

	g->asked++;
	g->missed += miss;
	g->asked_size[bytes == 32 ? 0 : bytes == 64 ? 1 : 2]++;
	g->stats.size[bytes == 32 ? 0 : bytes == 64 ? 1 : 2]++;
	if (g->c.organised.as != WS_DYCACHE || g->asked < g->period)
		return;
	misses = 100.0 * (double)g->missed;
	fine = 100.0 * (double)(g->asked_size[0] + g->asked_size[1]);
	if (misses > bar * (double)g->asked && fine <= bar * (double)g->asked)
		g->grain = 128;
	if (misses > bar * (double)g->asked && fine > bar * (double)g->asked &&
	    (before == 128 || g->c.grain_fine == WS_GRAIN_CHOOSE))
		g->grain = g->asked_size[0] > g->asked_size[1] ? 32 : 64;
	g->asked = g->missed = 0;
	memset(g->asked_size, 0, sizeof g->asked_size);
	if (g->grain == before) {
		g->restless = 0;
		if (++g->quiet == 8) {
			g->quiet = 0;
			if (g->period > g->c.grain_period)
				g->period /= 2;
			if (g->period < g->c.grain_period)
				g->period = g->c.grain_period;
		}
		return;
	}
	g->stats.changes++;
	g->stats.finer += g->grain < before;
	g->stats.coarser += g->grain > before;
	g->quiet = 0;
	if (++g->restless == 2) {
		g->restless = 0;
		if (g->period < g->c.grain_period_max)
			g->period *= 2;
		if (g->period > g->c.grain_period_max && g->c.grain_period_max > g->c.grain_period)
			g->period = g->c.grain_period_max;
	}
	if (g->grain > before)
		larger(g);
}

/* ---- decoupled --------------------------------------------------------------------- */

static uint64_t *tag_time(struct ref_grain *g, uint64_t line)
{
	for (size_t i = 0; i < g->tags; i++)
		if (g->tag[i].line == line)
			return &g->tag[i].time;
	g->tag = more(g->tag, g->tags + 1, sizeof *g->tag);
	g->tag[g->tags] = (struct tag){ line, 0 };
	return &g->tag[g->tags++].time;
}

static bool has_tag(struct ref_grain *g, uint64_t set, uint64_t line)
{
	for (uint64_t i = 0; i < g->c.ways * g->n; i++)
		if (at(g, set, 0, 0)[i].valid && at(g, set, 0, 0)[i].tag == line)
			return true;
	return false;
}

static bool tag_reserved(struct ref_grain *g, uint64_t set, uint64_t line)
{
	for (uint64_t i = 0; i < g->c.ways * g->n; i++) {
		const struct word *w = &at(g, set, 0, 0)[i];

		if (w->valid && w->tag == line && w->fetch)
			return true;
	}
	return false;
}

/* A word's tag is the address of its line; a set has the tags of its words.  *oldest: of those that
 * can go, or untouched. */
static uint64_t tags_in(struct ref_grain *g, uint64_t set, uint64_t *oldest)
{
	struct word *w = at(g, set, 0, 0);
	uint64_t count = g->c.ways * g->n, tags = 0, least = UINT64_MAX;

	for (uint64_t i = 0; i < count; i++) {
		bool first = w[i].valid;
		uint64_t t;

		for (uint64_t j = 0; j < i && first; j++)
			first = !w[j].valid || w[j].tag != w[i].tag;
		if (!first)
			continue;
		tags++;
		t = *tag_time(g, w[i].tag);
		if (t < least && !tag_reserved(g, set, w[i].tag)) {
			least = t;
			*oldest = w[i].tag;
		}
	}
	return tags;
}

/* False: everything is reserved that it could take. */
static bool decoupled_fetch(struct ref_grain *g, uint64_t set, uint64_t line, uint32_t need,
			    bool dirty)
{
	uint64_t oldest = UINT64_MAX, most = g->c.ways * g->c.organised.parameter;
	bool tagged = has_tag(g, set, line);

	g->stats.partial += tagged;
	if (!tagged && tags_in(g, set, &oldest) == most && oldest == UINT64_MAX)
		return false;
	if (!tagged && tags_in(g, set, &oldest) == most)
		for (uint64_t i = 0; i < g->c.ways * g->n; i++)
			if (at(g, set, 0, 0)[i].valid && at(g, set, 0, 0)[i].tag == oldest)
				drop(g, &at(g, set, 0, 0)[i]);
	for (unsigned p = 0; p < g->n; p++) {
		struct word *victim = NULL;

		if (!(need >> p & 1) || find(at(g, set, 0, 0), g->c.ways * g->n, line + p * WORD))
			continue;
		for (uint64_t way = 0; way < g->c.ways; way++) {
			struct word *w = at(g, set, way, p);

			if (w->valid && w->fetch)
				continue;
			if (!victim || (victim->valid && (!w->valid || w->time < victim->time)))
				victim = w;
		}
		if (!victim)
			return false;
		drop(g, victim);
		*victim = (struct word){ .valid = true, .address = line + p * WORD,
					 .time = g->now, .tag = line, .dirty = dirty };
	}
	return true;
}

/* ---- a request --------------------------------------------------------------------- */

static char why(struct ref_grain *g, uint64_t line, uint32_t need, bool fetch)
{
	bool kept = true, ever = true, full = true;

	for (unsigned p = 0; p < g->n; p++) {
		const struct seen *s;

		if (!(need >> p & 1))
			continue;
		s = find_seen(g, line + p * WORD);
		ever = ever && s;
		kept = kept && s && s->kept;
		full = full && find(g->full, g->all, line + p * WORD);
	}
	return !ever && fetch ? 'o' : !kept ? 'u' : !full ? 'a' : 'f';
}

static void see(struct ref_grain *g, uint64_t line, uint32_t block, bool fetched, bool evicted)
{
	for (unsigned p = 0; p < g->n; p++) {
		struct seen *s;

		if (!(block >> p & 1))
			continue;
		s = find_seen(g, line + p * WORD);
		if (fetched && !s) {
			g->seen = more(g->seen, g->seen_count + 1, sizeof *g->seen);
			s = &g->seen[g->seen_count++];
			s->address = line + p * WORD;
		}
		if (s && (fetched || evicted))
			s->kept = fetched;
	}
}

static void full_put(struct ref_grain *g, uint64_t address, uint64_t time)
{
	struct word *w = find(g->full, g->all, address);

	for (size_t i = 0; i < g->all && !w; i++)
		if (!g->full[i].valid)
			w = &g->full[i];
	if (!w) {
		w = g->full;
		for (size_t i = 1; i < g->all; i++)
			if (g->full[i].time < w->time)
				w = &g->full[i];
	}
	*w = (struct word){ .valid = true, .address = address, .time = time };
}

static void full_request(struct ref_grain *g, uint64_t line, uint32_t need, uint32_t block,
			 bool fetch, bool evict)
{
	bool miss = false;

	for (unsigned p = 0; p < g->n; p++)
		miss |= need >> p & 1 && !find(g->full, g->all, line + p * WORD);
	for (unsigned p = 0; p < g->n; p++) {
		struct word *w = find(g->full, g->all, line + p * WORD);

		if (!(block >> p & 1))
			continue;
		if (evict && w)
			w->valid = false;
		else if (!evict && (w || (miss && fetch)))
			full_put(g, line + p * WORD, g->now * 64 + p);
	}
}

static uint32_t mask(const struct ref_grain *g, uint64_t line, uint64_t from, uint64_t bytes)
{
	uint32_t m = 0;

	for (unsigned p = 0; p < g->n; p++)
		if (line + p * WORD >= from && line + p * WORD < from + bytes)
			m |= 1u << p;
	return m;
}

/* What a request asks for of a line, and the block of it. */
struct asked { uint64_t need, bytes, from, block; };

static struct asked asked_of(const struct ref_grain *g, const struct ws_request *r)
{
	struct asked a = { .need = r->address };

	for (a.bytes = 32; a.bytes <= 128; a.bytes *= 2) {
		for (a.need = r->address; a.need < r->address + 128; a.need += a.bytes)
			if (!(r->sectors & ~mask(g, r->address, a.need, a.bytes)))
				break;
		if (a.need < r->address + 128)
			break;
	}
	a.block = a.bytes < g->grain ? g->grain : a.bytes;
	a.from = a.need / a.block * a.block;
	return a;
}

/* False: no room. */
static bool chunks_change(struct ref_grain *g, uint64_t set, const struct asked *a, bool hit,
			  bool fetch, bool evict, bool dirty)
{
	if (evict) {
		for (uint64_t b = a->from; b < a->from + a->block; b += WORD) {
			struct word *w = find(at(g, set, 0, 0), g->c.ways * 4, b);

			if (w)
				drop(g, w);
		}
		return true;
	}
	if (!hit && fetch)
		return chunks_fill(g, set, a->from, a->block, a->need, a->bytes, dirty);
	chunks_use(g, set, a->from, a->block, a->need, a->bytes, dirty);
	return true;
}

static char chunks_request(struct ref_grain *g, const struct ws_request *r, bool fetch, bool evict,
			   bool dirty)
{
	uint64_t set = ws_set_index(&g->c, r->address);
	struct asked a = asked_of(g, r);
	uint32_t need = mask(g, r->address, a.need, a.bytes);
	uint32_t block = mask(g, r->address, a.from, a.block);
	bool hit = chunks_hit(g, set, a.need, a.bytes);
	char found = hit ? 'h' : why(g, r->address, need, fetch);

	see(g, r->address, block, fetch && !hit, evict);
	full_request(g, r->address, need, block, fetch, evict);
	chunks_change(g, set, &a, hit, fetch, evict, dirty);
	control(g, a.bytes, !hit);
	return found;
}

static bool decoupled_hit(struct ref_grain *g, uint64_t set, const struct ws_request *r)
{
	for (unsigned p = 0; p < g->n; p++)
		if (r->sectors >> p & 1 &&
		    !find(at(g, set, 0, 0), g->c.ways * g->n, r->address + p * WORD))
			return false;
	return true;
}

/* False: no room. */
static bool decoupled_change(struct ref_grain *g, uint64_t set, const struct ws_request *r,
			     bool hit, bool fetch, bool evict, bool dirty)
{
	struct word *w = at(g, set, 0, 0);

	if (fetch && !hit && !decoupled_fetch(g, set, r->address, r->sectors, dirty))
		return false;
	if (has_tag(g, set, r->address))
		*tag_time(g, r->address) = g->now;
	for (uint64_t i = 0; i < g->c.ways * g->n; i++) {
		if (!w[i].valid || w[i].tag != r->address)
			continue;
		if (evict) {
			drop(g, &w[i]);
		} else if (r->sectors >> (w[i].address - r->address) / WORD & 1) {
			w[i].time = g->now;
			w[i].dirty |= dirty;
		}
	}
	return true;
}

static char decoupled_request(struct ref_grain *g, const struct ws_request *r, bool fetch,
			      bool evict, bool dirty)
{
	uint64_t set = ws_set_index(&g->c, r->address);
	bool hit = decoupled_hit(g, set, r);
	char found = hit ? 'h' : why(g, r->address, r->sectors, fetch);

	see(g, r->address, evict ? UINT32_MAX : r->sectors, fetch && !hit, evict);
	full_request(g, r->address, r->sectors, evict ? UINT32_MAX : r->sectors, fetch, evict);
	decoupled_change(g, set, r, hit, fetch, evict, dirty);
	return found;
}

static bool evicts(const struct ref_grain *g, const struct ws_request *r)
{
	return r->kind == WS_STORE && g->c.write == WS_WRITE_EVICT;
}

static bool fetches(const struct ref_grain *g, const struct ws_request *r)
{
	return r->kind != WS_STORE || (g->c.write != WS_WRITE_THROUGH && !evicts(g, r));
}

static bool dirties(const struct ref_grain *g, const struct ws_request *r)
{
	return r->kind == WS_STORE && g->c.write == WS_WRITE_BACK;
}

char ref_grain_request(struct ref_grain *g, const struct ws_request *r)
{
	g->now++;
	g->gones = 0;
	return is_decoupled(g)
		? decoupled_request(g, r, fetches(g, r), evicts(g, r), dirties(g, r))
		: chunks_request(g, r, fetches(g, r), evicts(g, r), dirties(g, r));
}

/* ---- in time ----------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void tell_gone(struct ref_grain *g, struct ref_grain_timed *out)
{
	if (g->gones)
		qsort(g->gone, g->gones, sizeof *g->gone, ascending);
	out->gone = g->gone;
	out->gones = g->gones;
}

/* The fetches that bring words of the line. */
static void waits_for(struct ref_grain *g, uint64_t set, uint64_t line, uint32_t words,
		      struct ref_grain_timed *out)
{
	for (unsigned p = 0; p < g->n; p++) {
		const struct word *w = find(at(g, set, 0, 0), g->c.ways * g->n, line + p * WORD);
		bool known = false;

		if (!(words >> p & 1) || !w || !w->fetch)
			continue;
		for (size_t i = 0; i < out->waits; i++)
			known |= out->wait[i] == w->fetch;
		if (!known)
			out->wait[out->waits++] = w->fetch;
	}
}

static uint32_t there(struct ref_grain *g, uint64_t set, uint64_t line, uint32_t words)
{
	uint32_t found = 0;

	for (unsigned p = 0; p < g->n; p++)
		if (words >> p & 1 && find(at(g, set, 0, 0), g->c.ways * g->n, line + p * WORD))
			found |= 1u << p;
	return found;
}

static void chunks_timed(struct ref_grain *g, const struct ws_request *r,
			 struct ref_grain_timed *out)
{
	uint64_t set = ws_set_index(&g->c, r->address);
	struct asked a = asked_of(g, r);

	out->block = mask(g, r->address, a.from, a.block);
	out->hit = chunks_hit(g, set, a.need, a.bytes);
	out->there = there(g, set, r->address, out->block);
	if (out->hit)
		waits_for(g, set, r->address, mask(g, r->address, a.need, a.bytes), out);
	out->room = chunks_change(g, set, &a, out->hit, fetches(g, r), evicts(g, r), dirties(g, r));
}

static void decoupled_timed(struct ref_grain *g, const struct ws_request *r,
			    struct ref_grain_timed *out)
{
	uint64_t set = ws_set_index(&g->c, r->address);

	out->block = r->sectors & ~there(g, set, r->address, r->sectors);
	out->hit = decoupled_hit(g, set, r);
	out->there = has_tag(g, set, r->address);
	waits_for(g, set, r->address, r->sectors, out);
	out->room = decoupled_change(g, set, r, out->hit, fetches(g, r), evicts(g, r),
				     dirties(g, r));
}

void ref_grain_timed(struct ref_grain *g, const struct ws_request *r, void *fetch,
		     struct ref_grain_timed *out)
{
	*out = (struct ref_grain_timed){ .hit = false };
	g->now++;
	g->gones = 0;
	if (is_decoupled(g))
		decoupled_timed(g, r, out);
	else
		chunks_timed(g, r, out);
	tell_gone(g, out);
	for (unsigned p = 0; p < g->n && r->kind == WS_LOAD && !out->hit && out->room; p++) {
		if (out->block >> p & 1)
			find(g->w, g->all, r->address + p * WORD)->fetch = fetch;
	}
}

void ref_grain_control(struct ref_grain *g, const struct ws_request *r, bool hit,
		       struct ref_grain_timed *out)
{
	g->gones = 0;
	if (!is_decoupled(g))
		control(g, asked_of(g, r).bytes, !hit);
	tell_gone(g, out);
}

void ref_grain_arrive(struct ref_grain *g, const void *fetch)
{
	for (size_t i = 0; i < g->all; i++)
		if (g->w[i].valid && g->w[i].fetch == fetch)
			g->w[i].fetch = NULL;
}

struct ref_grain *ref_grain_copy(const struct ref_grain *g)
{
	struct ref_grain *c = ref_grain_new(&g->c);
	struct ref_grain own = *c;

	*c = *g;
	c->w = own.w;
	c->full = own.full;
	c->line_time = own.line_time;
	c->seen = NULL;
	c->seen_count = 0;
	c->gone = NULL;
	c->gones = 0;
	c->tag = more(NULL, g->tags + 1, sizeof *c->tag);
	memcpy(c->w, g->w, g->all * sizeof *g->w);
	memcpy(c->line_time, g->line_time, g->c.sets * g->c.ways * sizeof *g->line_time);
	if (g->tags)
		memcpy(c->tag, g->tag, g->tags * sizeof *g->tag);
	return c;
}
