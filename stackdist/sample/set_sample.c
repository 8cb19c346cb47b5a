/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample/set_sample.c -- the requests of some sets, whole (struct ws_set_sample).
 *
 * A run's code has for each request a number
 *
 *   zigzag(line - line of the request before) << 5 | idle << 4 | same sectors << 3 |
 *   same instruction << 2 | kind
 *
 * where a line that was not there has the next number; for such a line, the step of its address in
 * lines from the one that came before it; sectors and instruction where they are not those of the
 * request before; how many were left out, if any (idle); if it is timed
 *
 *   zigzag(cycle - cycle of the request before) << 1 | it fetched
 *
 * and how long the fetch took.  All are varints.
 *
 * To leave sets out a run is read and written anew.  Keys decide, so it does not matter when that
 * is done: what is left is the same.
 */
#include "stackdist/sample/set_sample.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stackdist/record/pairs.h"
#include "stackdist/stack/lines.h"

#define IDLE 16u
#define SAME_SECTORS 8u
#define SAME_INSTRUCTION 4u
#define KIND 3u
#define HEAD_BITS 5u
#define REQUEST_BYTES 70u	/* of a request's code at most: seven numbers */

_Static_assert(WS_KINDS <= KIND + 1, "a kind has two bits");

uint64_t ws_set_key(uint32_t sm, uint64_t set)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, sm);
	ws_rng_seed(&rng, ws_rng_u64(&rng) ^ set);
	return ws_rng_u64(&rng);
}

/* ---- the code ------------------------------------------------------------------------- */

static inline uint64_t zigzag(int64_t x)
{
	return (uint64_t)x << 1 ^ (x < 0 ? UINT64_MAX : 0);
}

static inline int64_t unzigzag(uint64_t v)
{
	return (int64_t)(v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

/* False: it ends too soon, or is too large. */
static inline bool take(struct ws_run_reader *r, uint64_t *x)
{
	struct ws_cursor c = { .p = r->p, .end = r->end };

	if (r->p < r->end && *r->p < 0x80) {
		*x = *r->p++;
		return true;
	}
	if (r->end - r->p >= 2 && r->p[1] < 0x80) {
		*x = (r->p[0] & 0x7fu) | (uint64_t)r->p[1] << 7;
		r->p += 2;
		return *x >= 0x80;
	}
	if (r->end - r->p >= 3 && r->p[2] < 0x80) {
		*x = (r->p[0] & 0x7fu) | (r->p[1] & 0x7fu) << 7 | (uint64_t)r->p[2] << 14;
		r->p += 3;
		return *x >= 0x4000;
	}
	*x = ws_get_var(&c);
	r->p = c.p;
	return !c.bad;
}

struct ws_run_reader ws_run_read(const struct ws_sampled_run *run, uint64_t line_bytes,
				 bool sectored, uint64_t *address)
{
	return (struct ws_run_reader){
		.p = run->code, .end = run->code ? run->code + run->bytes : NULL,
		.left = run->requests, .address = address, .most = run->lines,
		.line_bytes = line_bytes, .sectored = sectored, .timed = run->timed,
		.before = { .sectors = UINT32_MAX >> (32 - line_bytes / WS_SECTOR_BYTES) },
	};
}

static bool take_address(struct ws_run_reader *r)
{
	uint64_t step;

	if (r->lines == r->most || !take(r, &step))
		return false;
	r->last += (uint64_t)unzigzag(step) * r->line_bytes;
	r->address[r->lines++] = r->last;
	return true;
}

static inline bool take_sectors(struct ws_run_reader *r, struct ws_sampled_request *out)
{
	uint32_t all = UINT32_MAX >> (32 - r->line_bytes / WS_SECTOR_BYTES);
	uint64_t x;

	if (!r->sectored || !take(r, &x) || !x || x & ~(uint64_t)all)
		return false;
	out->sectors = (uint32_t)x;
	return true;
}

static bool take_time(struct ws_run_reader *r, struct ws_sampled_request *out)
{
	uint64_t x;

	if (!take(r, &x))
		return false;
	out->cycle += (uint64_t)unzigzag(x >> 1);
	return !(x & 1) || (take(r, &out->fetch) && out->fetch);
}

bool ws_run_next(struct ws_run_reader *r, struct ws_sampled_request *out)
{
	uint64_t head, x, line;

	if (!r->left || !take(r, &head))
		return false;
	/* Field by field: a copy of the whole would have to wait until all of it was stored. */
	out->sectors = r->before.sectors;
	out->instruction = r->before.instruction;
	out->cycle = r->before.cycle;
	out->fetch = 0;
	line = r->before.line + (uint64_t)unzigzag(head >> HEAD_BITS);
	if (line > r->lines || (line == r->lines && !take_address(r)))
		return false;
	out->kind = head & KIND;
	out->line = (uint32_t)line;
	out->address = r->address[line];
	if (out->kind >= WS_KINDS || (!(head & SAME_SECTORS) && !take_sectors(r, out)))
		return false;
	if (!(head & SAME_INSTRUCTION)) {
		if (!take(r, &x))
			return false;
		out->instruction = (uint32_t)(out->instruction + (uint64_t)unzigzag(x));
	}
	out->idle = 0;
	if (head & IDLE) {
		if (!take(r, &x) || !x || x > UINT32_MAX)
			return false;
		out->idle = (uint32_t)x;
	}
	if (r->timed && !take_time(r, out))
		return false;
	r->before.line = out->line;
	r->before.sectors = out->sectors;
	r->before.instruction = out->instruction;
	r->before.cycle = out->cycle;
	r->left--;
	return true;
}

struct run_writer {			/* of a run */
	struct ws_sampled_run *run;
	struct ws_buf code;
	struct ws_sampled_request before;
	uint64_t last, line_bytes;
	bool sectored;
};

static void writer_begin(struct run_writer *w, struct ws_sampled_run *run,
			 const struct ws_cache *cache)
{
	*w = (struct run_writer){
		.run = run, .line_bytes = cache->line_bytes,
		.sectored = cache->sector_bytes < cache->line_bytes,
		.before = { .sectors = UINT32_MAX >> (32 - cache->line_bytes / WS_SECTOR_BYTES) },
	};
	run->requests = run->lines = run->sets = 0;
	run->code = NULL;
	run->bytes = 0;
}

static inline uint8_t *put_number(uint8_t *p, uint64_t x)
{
	for (; x >= 0x80; x >>= 7)
		*p++ = (uint8_t)(x | 0x80);
	*p++ = (uint8_t)x;
	return p;
}

static uint8_t *put_time(uint8_t *p, const struct run_writer *w, const struct ws_sampled_request *r)
{
	p = put_number(p, zigzag((int64_t)(r->cycle - w->before.cycle)) << 1 | (r->fetch > 0));
	return r->fetch ? put_number(p, r->fetch) : p;
}

/* line: run->lines if it is new. */
static inline void writer_put(struct run_writer *w, const struct ws_sampled_request *r)
{
	uint64_t head = zigzag((int64_t)r->line - (int64_t)w->before.line) << HEAD_BITS | r->kind;
	bool same = !w->sectored || r->sectors == w->before.sectors;
	uint8_t *p;

	head |= (same ? SAME_SECTORS : 0) |
		(r->instruction == w->before.instruction ? SAME_INSTRUCTION : 0) |
		(r->idle ? IDLE : 0);
	if (!WS_ROOM(w->code.data, w->code.cap, w->code.len + REQUEST_BYTES)) {
		w->code.failed = true;
		return;
	}
	p = put_number(w->code.data + w->code.len, head);
	if (r->line == w->run->lines) {
		int64_t step = (int64_t)(r->address - w->last) / (int64_t)w->line_bytes;

		p = put_number(p, zigzag(step));
		w->last = r->address;
		w->run->lines++;
	}
	if (!same)
		p = put_number(p, r->sectors);
	if (!(head & SAME_INSTRUCTION))
		p = put_number(p, zigzag((int64_t)r->instruction -
					 (int64_t)w->before.instruction));
	if (r->idle)
		p = put_number(p, r->idle);
	if (w->run->timed)
		p = put_time(p, w, r);
	w->code.len = (size_t)(p - w->code.data);
	w->before.line = r->line;
	w->before.sectors = r->sectors;
	w->before.instruction = r->instruction;
	w->before.cycle = r->cycle;
	w->run->requests++;
}

static bool writer_end(struct run_writer *w)
{
	w->run->code = w->code.data;
	w->run->bytes = w->code.len;
	return !w->code.failed;
}

/* Writes what of the run is in sets of so many halvings.  number: [lines], becomes the number there
 * of each line, or WS_LINE_NONE.  False: no memory. */
static bool write_some(const struct ws_sampled_run *run, const struct ws_cache *cache,
		       unsigned halvings, uint32_t *number, struct run_writer *w)
{
	bool sectored = cache->sector_bytes < cache->line_bytes, ok;
	uint64_t *address = ws_alloc((size_t)run->lines, sizeof *address);
	bool *seen = ws_alloc_zero((size_t)cache->sets, sizeof *seen);
	struct ws_run_reader reader = ws_run_read(run, cache->line_bytes, sectored, address);
	struct ws_sampled_request r;
	uint64_t lines = 0;

	while (address && seen && ws_run_next(&reader, &r)) {
		if (r.line == lines) {
			uint64_t set = ws_set_index(cache, r.address);
			bool in = ws_set_sampled(run->sm, set, halvings);

			number[lines++] = in ? (uint32_t)w->run->lines : WS_LINE_NONE;
			w->run->sets += in && !seen[set];
			seen[set] = true;
		}
		if (number[r.line] == WS_LINE_NONE)
			continue;
		r.line = number[r.line];
		writer_put(w, &r);
	}
	ok = address && seen && !reader.left && !w->code.failed;
	free(address);
	free(seen);
	return ok;
}

/* Writes the run anew, its sets of so many halvings; false: no memory, and nothing is changed. */
static bool write_anew(struct ws_sampled_run *run, const struct ws_cache *cache, unsigned halvings,
		       bool timed)
{
	uint32_t *number = ws_alloc((size_t)run->lines, sizeof *number);
	struct ws_sampled_run less = *run;
	struct run_writer w;
	bool ok;

	less.halvings = halvings;
	less.timed = timed;
	writer_begin(&w, &less, cache);
	ok = number && write_some(run, cache, halvings, number, &w) && writer_end(&w);
	free(number);
	free(ok ? run->code : w.code.data);
	if (ok)
		*run = less;
	return ok;
}

/* ---- recording ------------------------------------------------------------------------ */

struct ws_set_recorder {
	struct ws_cache cache;
	struct ws_sampled_run run;
	struct run_writer writer;
	unsigned halvings;
	bool *in;		/* [sets]: the sample has it */
	bool any;		/* it has some set */
	uint64_t *kept;		/* [sets]: requests of it that were recorded */
	uint32_t *idle;		/* [sets]: requests left out since its last one */
	uint32_t *number;	/* [cap]: of a line that the profiler numbered, + 1; 0: none */
	size_t cap;
};

static void choose(struct ws_set_recorder *r)
{
	r->any = false;
	for (uint64_t set = 0; set < r->cache.sets; set++) {
		r->in[set] = ws_set_sampled(r->run.sm, set, r->halvings);
		r->any = r->any || r->in[set];
	}
}

enum ws_status ws_set_recorder_new(struct ws_set_recorder **out, const struct ws_cache *cache,
				   const struct ws_set_recording *of, unsigned halvings,
				   struct ws_err *err)
{
	struct ws_set_recorder *r = ws_alloc_zero(1, sizeof *r);

	*out = r;
	if (!r)
		return ws_fail_memory(err, "a sample of sets");
	r->cache = *cache;
	r->run = (struct ws_sampled_run){ .launch = of->launch, .sm = of->sm, .timed = of->timed };
	r->halvings = halvings;
	r->in = ws_alloc((size_t)cache->sets, sizeof *r->in);
	r->kept = ws_alloc_zero((size_t)cache->sets, sizeof *r->kept);
	r->idle = ws_alloc_zero((size_t)cache->sets, sizeof *r->idle);
	if (!r->in || !r->kept || !r->idle)
		return ws_fail_memory(err, "a sample of sets");
	choose(r);
	writer_begin(&r->writer, &r->run, cache);
	return WS_OK;
}

void ws_set_recorder_free(struct ws_set_recorder *r)
{
	if (!r)
		return;
	ws_buf_clear(&r->writer.code);
	free(r->in);
	free(r->kept);
	free(r->idle);
	free(r->number);
	free(r);
}

void ws_set_recorder_left(const struct ws_set_recorder *r, unsigned halvings,
			  struct ws_sets_left *to)
{
	assert(halvings >= r->halvings);
	if (halvings == r->halvings) {
		to->requests += r->run.requests;
		to->sets += r->run.sets;
		return;
	}
	for (uint64_t set = 0; set < r->cache.sets; set++) {
		bool in = r->in[set] && r->kept[set] &&
			  ws_set_sampled(r->run.sm, set, halvings);

		to->requests += in ? r->kept[set] : 0;
		to->sets += in;
	}
}

/* The writer goes on behind what it has written anew. */
static bool leave_out(struct ws_set_recorder *r)
{
	uint32_t *number = ws_alloc((size_t)r->run.lines, sizeof *number);
	struct ws_sampled_run old = r->run;
	struct run_writer w;
	bool ok;

	old.code = r->writer.code.data;
	old.bytes = r->writer.code.len;
	writer_begin(&w, &r->run, &r->cache);
	ok = number && write_some(&old, &r->cache, r->halvings, number, &w);
	for (size_t i = 0; ok && i < r->cap; i++)
		r->number[i] = r->number[i] ? number[r->number[i] - 1] + 1 : 0;
	free(number);
	free(r->writer.code.data);
	r->writer = w;
	return ok;
}

enum ws_status ws_set_recorder_thin_out(struct ws_set_recorder *r, unsigned halvings,
					struct ws_err *err)
{
	struct ws_sets_left left = { 0, 0 };

	ws_set_recorder_left(r, halvings, &left);
	if (halvings == r->halvings)
		return WS_OK;
	r->halvings = halvings;
	choose(r);
	/* Of few sets most halvings leave out none. */
	return left.requests == r->run.requests || leave_out(r)
		? WS_OK : ws_fail_memory(err, "a sample of sets");
}

static bool grow(struct ws_set_recorder *r, size_t lines)
{
	size_t old = r->cap;

	if (!WS_ROOM(r->number, r->cap, lines))
		return false;
	memset(r->number + old, 0, (r->cap - old) * sizeof *r->number);
	return true;
}

static inline bool put(struct ws_set_recorder *r, const struct ws_request *request, uint32_t id,
		       uint32_t set)
{
	struct ws_sampled_request out = {
		.address = request->address, .sectors = request->sectors,
		.instruction = request->instruction, .kind = request->kind,
		.idle = r->idle[set], .cycle = request->cycle, .fetch = request->fetch,
	};

	r->idle[set] = 0;
	if (WS_RARELY(id >= r->cap) && !grow(r, (size_t)id + 1))
		return false;
	if (!r->number[id]) {
		r->number[id] = (uint32_t)r->run.lines + 1;
		r->run.sets += !r->kept[set];
	}
	r->kept[set]++;
	out.line = r->number[id] - 1;
	writer_put(&r->writer, &out);
	return true;
}

#define CHUNK 256u		/* requests that are looked at, then recorded */

/* Those of [from, upto) that are of the sample's sets, or of no line.  Which they are is hard to
 * foresee, so no branch. */
static size_t choose_requests(const struct ws_set_recorder *r, const struct ws_batch *b,
			      size_t from, size_t upto, size_t *chosen)
{
	size_t count = 0;

	for (size_t i = from; i < upto; i++) {
		bool none = b->id[i] == WS_LINE_NONE; /* then it has no set */

		chosen[count] = i;
		count += none | r->in[none ? 0 : b->set[i]];
	}
	return count;
}

static bool push_chunk(struct ws_set_recorder *r, const struct ws_batch *b, size_t from,
		       size_t upto)
{
	size_t chosen[CHUNK], count = choose_requests(r, b, from, upto, chosen);
	bool ok = true;

	for (size_t k = 0; k < count && ok; k++) {
		size_t i = chosen[k];

		if (b->id[i] != WS_LINE_NONE)
			ok = put(r, b->request + i, b->id[i], b->set[i]);
		else if (b->request[i].kind != WS_ATOMIC)
			r->idle[ws_set_index(&r->cache, b->request[i].address)]++;
	}
	return ok;
}

enum ws_status ws_set_recorder_push(struct ws_set_recorder *r, const struct ws_batch *b,
				    struct ws_err *err)
{
	bool ok = true;

	for (size_t i = 0, upto; r->any && i < b->count && ok; i = upto) {
		upto = b->count - i < CHUNK ? b->count : i + CHUNK;
		ok = push_chunk(r, b, i, upto);
	}
	return ok ? WS_OK : ws_fail_memory(err, "a sample of sets");
}

/* ---- samples --------------------------------------------------------------------------- */

void ws_set_sample_free(struct ws_set_sample *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->runs; i++)
		free(s->run[i].code);
	free(s->run);
	free(s);
}

static struct ws_sampled_run *new_run(struct ws_set_sample *s)
{
	size_t cap = s->runs;

	return WS_ROOM(s->run, cap, s->runs + 1) ? s->run + s->runs : NULL;
}

enum ws_status ws_set_sample_put(struct ws_set_sample *to, struct ws_set_recorder *from,
				 struct ws_err *err)
{
	struct ws_sampled_run *run;

	if (from->halvings > to->halvings)
		to->halvings = from->halvings;
	if (!from->run.requests)
		return WS_OK;
	run = new_run(to);
	if (!run || !writer_end(&from->writer))
		return ws_fail_memory(err, "a sample of sets");
	*run = from->run;
	run->halvings = from->halvings;
	to->runs++;
	to->requests += run->requests;
	from->writer.code = (struct ws_buf){ 0 };
	from->run = (struct ws_sampled_run){ .launch = run->launch, .sm = run->sm,
					     .timed = run->timed };
	return WS_OK;
}

/* All of its halvings; false: no memory. */
static bool thin_out_all(struct ws_set_sample *s, const struct ws_cache *cache)
{
	bool ok = true;

	for (size_t i = 0; i < s->runs && ok; i++) {
		uint64_t before = s->run[i].requests;

		if (s->run[i].halvings < s->halvings && before)
			ok = write_anew(s->run + i, cache, s->halvings, s->run[i].timed);
		s->requests -= before - s->run[i].requests;
	}
	return ok;
}

bool ws_set_sample_over(uint64_t requests, uint64_t sets, uint64_t most)
{
	return requests > most &&
	       (sets > WS_SET_SAMPLE_FEW || requests / WS_SET_SAMPLE_LONG > most);
}

enum ws_status ws_set_sample_forget_times(struct ws_set_sample *s, const struct ws_cache *cache,
					  struct ws_err *err)
{
	bool ok = true;

	for (size_t i = 0; i < s->runs && ok; i++)
		if (s->run[i].timed)
			ok = write_anew(s->run + i, cache, s->halvings, false);
	return ok ? WS_OK : ws_fail_memory(err, "a sample of sets");
}

static uint64_t sets_of(const struct ws_set_sample *s)
{
	uint64_t sets = 0;

	for (size_t i = 0; i < s->runs; i++)
		sets += s->run[i].requests ? s->run[i].sets : 0;
	return sets;
}

static void drop_empty(struct ws_set_sample *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->runs; i++) {
		if (s->run[i].requests)
			s->run[kept++] = s->run[i];
		else
			free(s->run[i].code);
	}
	s->runs = kept;
}

enum ws_status ws_set_sample_bound(struct ws_set_sample *s, const struct ws_cache *cache,
				   struct ws_err *err)
{
	bool ok = thin_out_all(s, cache);

	while (ok && ws_set_sample_over(s->requests, sets_of(s), s->most) &&
	       s->halvings < WS_SET_HALVINGS_MAX) {
		s->halvings++;
		ok = thin_out_all(s, cache);
	}
	drop_empty(s);
	return ok ? WS_OK : ws_fail_memory(err, "a sample of sets");
}

static int by_launch(const void *a, const void *b)
{
	const struct ws_sampled_run *x = a, *y = b;

	if (x->launch != y->launch)
		return x->launch < y->launch ? -1 : 1;
	return x->sm < y->sm ? -1 : x->sm > y->sm;
}

enum ws_status ws_set_sample_add(struct ws_set_sample *to, const struct ws_set_sample *from,
				 uint64_t after, struct ws_err *err)
{
	if (from->halvings > to->halvings)
		to->halvings = from->halvings;
	if (from->most > to->most)
		to->most = from->most;
	for (size_t i = 0; i < from->runs; i++) {
		struct ws_sampled_run *run = new_run(to);

		if (!run)
			return ws_fail_memory(err, "a sample of sets");
		*run = from->run[i];
		run->launch += after;
		run->code = ws_alloc(run->bytes, 1);
		if (!run->code)
			return ws_fail_memory(err, "a sample of sets");
		memcpy(run->code, from->run[i].code, run->bytes);
		to->runs++;
		to->requests += run->requests;
	}
	if (to->runs)
		qsort(to->run, to->runs, sizeof *to->run, by_launch);
	return WS_OK;
}
