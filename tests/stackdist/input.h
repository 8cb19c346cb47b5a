/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/input.h -- small random machines, shapes and launches for profiles, and what went
 * wrong in them.
 */
#ifndef WS_TEST_INPUT_H
#define WS_TEST_INPUT_H

#include "stackdist/stackdist.h"

#define SMS 3u
#define LAUNCHES 3u
#define REQUESTS_MAX 160u		/* of an SM in a launch */
#define SHAPES_MAX 4u
#define LINES_MAX 28u

static const char *const writes[] = {
	"write-back", "write-through", "write-through-allocate", "write-evict",
};

struct stream {			/* of one SM in one launch */
	struct ws_request *r;
	size_t count;
};

struct input {
	struct ws_machine machine;
	struct ws_profile_options options;
	struct ws_shape shape[SHAPES_MAX];
	struct ws_launch launch[LAUNCHES];
	struct ws_order_stats stats[LAUNCHES];
	struct stream stream[LAUNCHES][SMS];
	size_t launches;
	uint64_t batches;	/* seed of how they are cut */
};

static inline unsigned below(struct ws_rng *rng, unsigned bound)
{
	return (unsigned)ws_rng_below(rng, bound);
}

static inline bool one_in(struct ws_rng *rng, unsigned n)
{
	return below(rng, n) == 0;
}

/* ---- machines ------------------------------------------------------------------- */

static inline bool takes(const struct ws_machine *m, uint64_t line, uint64_t sets)
{
	struct ws_cache c = m->l1;

	c.line_bytes = line;
	c.sector_bytes = ws_shape_sector(m, line);
	c.sets = sets;
	return !c.hash->check || !c.hash->check(&c, NULL);
}

/* Few sets more often than many: then lines meet. */
static inline uint64_t some_sets(struct ws_rng *rng)
{
	return one_in(rng, 2) ? 1 + below(rng, 4) :
	       one_in(rng, 2) ? (uint64_t)1 << below(rng, 7) : 1 + below(rng, 64);
}

static inline struct ws_machine some_machine(struct ws_rng *rng)
{
	static const uint64_t lines[] = { 32, 64, 128, 128, 128, 256, 512, 1024 };
	struct ws_machine m = { .name = "test", .sm_count = SMS, .l1_parts = 1, .warp_width = 32 };
	unsigned hashes = 0;

	while (ws_hashes[hashes])
		hashes++;
	m.coalesce_line = (uint64_t)32 << below(rng, 4);
	m.l1.ways = 4;
	m.l1.hash = ws_hashes[below(rng, hashes)];
	m.l1.hash_low = 7 + below(rng, 3);
	m.l1.hash_high = m.l1.hash_low + 5;
	m.l1.write = (enum ws_write)below(rng, WS_COUNT(writes));
	do {
		m.l1.line_bytes = lines[below(rng, WS_COUNT(lines))];
		m.l1.sector_bytes = one_in(rng, 2) ? m.l1.line_bytes
						   : (uint64_t)32 << below(rng, 4);
		m.l1.sets = some_sets(rng);
	} while (m.l1.sector_bytes > m.l1.line_bytes ||
		 !takes(&m, m.l1.line_bytes, m.l1.sets));
	m.l1.size_bytes = m.l1.sets * m.l1.ways * m.l1.line_bytes;
	return m;
}

static inline void some_options(struct ws_rng *rng, struct input *in)
{
	struct ws_profile_options *o = &in->options;
	struct ws_machine *m = &in->machine;
	bool own = !one_in(rng, 5);

	o->shape = in->shape;
	o->shapes = 1 + below(rng, SHAPES_MAX);
	for (size_t i = 0; i < o->shapes; i++) {
		struct ws_shape *s = in->shape + i;

		*s = (struct ws_shape){ m->l1.line_bytes, m->l1.sets };
		if (i == 0 && own)
			continue;
		do {
			s->line_bytes = one_in(rng, 3) ? m->l1.line_bytes :
				(uint64_t)32 << below(rng, 4);
			s->sets = some_sets(rng);
		} while (!takes(m, s->line_bytes, s->sets));
	}
	if (one_in(rng, 40)) { /* the default */
		o->shape = NULL;
		o->shapes = 0;
	}
	o->record = one_in(rng, 12) ? 0 : WS_RECORD_DETAIL;
	if (!one_in(rng, 3))
		o->record |= WS_RECORD_SITES;
	o->seed = ws_rng_u64(rng);
	o->threads = 1 + below(rng, 4);
	if (one_in(rng, 4))
		o->sm[0] = 1 + below(rng, (1u << SMS) - 1);
}

/* ---- streams -------------------------------------------------------------------- */

static char *const array_names[] = { (char[]){ "a" }, (char[]){ "b" }, (char[]){ "out" },
				    (char[]){ "b" } };
static char *file_names[] = { (char[]){ "k.cl" }, (char[]){ "h.cl" } };
static char *const kernel_names[] = { (char[]){ "first" }, (char[]){ "second" } };

#define ARRAYS WS_COUNT(array_names)
#define INSTRUCTIONS 9u
#define BASE 0x10000u
#define ARRAY_BYTES 0x1000u		/* with a gap as large behind each */

struct some {			/* what lines there are, and how they are asked for */
	unsigned lines, again;	/* again: one in so many is one of the first few */
	uint64_t stride, jump;	/* jump: one gap of cycles in so many is wide */
};

/* slot: of its tables. */
static inline void some_launch(struct ws_rng *rng, size_t slot, struct ws_launch *l,
			       struct ws_order_stats *stats)
{
	static struct ws_array array[LAUNCHES][ARRAYS];
	static struct ws_instruction instruction[LAUNCHES][INSTRUCTIONS];

	*l = (struct ws_launch){ .kernel = kernel_names[below(rng, 2)], .array = array[slot],
				 .arrays = ARRAYS, .instruction = instruction[slot],
				 .instructions = INSTRUCTIONS, .file = file_names, .files = 2 };
	for (unsigned i = 0; i < ARRAYS; i++)
		array[slot][i] = (struct ws_array){ array_names[i], BASE + 2 * i * ARRAY_BYTES,
						    ARRAY_BYTES - 64 * below(rng, 2) };
	for (unsigned i = 0; i < INSTRUCTIONS; i++)
		instruction[slot][i] = (struct ws_instruction){
			.kind = (uint8_t)(i < 5 ? WS_LOAD : i < 8 ? WS_STORE : WS_ATOMIC),
			.bytes = 4, .array = one_in(rng, 2) ? WS_NO_ARRAY : below(rng, ARRAYS),
			.file = below(rng, 2), .line = below(rng, 4), .use = 1,
		};
	for (unsigned i = 0; i < 3; i++) {
		l->grid[i] = 1 + below(rng, 5);
		l->block[i] = 1 + below(rng, 4);
	}
	l->ctas = l->grid[0] * l->grid[1] * l->grid[2];
	stats->cycles = below(rng, 10000);
	stats->warp_instructions = below(rng, 10000);
	stats->issued = below(rng, 20000);
	stats->waits = below(rng, 10000);
	stats->resident_ctas = 1 + below(rng, 8);
	stats->requests = below(rng, 10000);
}

static inline struct some some_pattern(struct ws_rng *rng, unsigned most_lines)
{
	return (struct some){ .lines = 1 + below(rng, most_lines), .again = 1 + below(rng, 5),
			      .stride = one_in(rng, 2) ? 1 : 1 + below(rng, 70),
			      .jump = 2 + below(rng, 60) };
}

/* Some sectors of one unit: what a line and a segment have in common. */
static inline void some_request(struct ws_rng *rng, const struct ws_machine *m,
				const struct some *s, struct ws_request *r)
{
	uint64_t unit = m->l1.line_bytes < m->coalesce_line ? m->l1.line_bytes : m->coalesce_line;
	uint64_t number = below(rng, one_in(rng, s->again) ? 1 + s->lines / 4 : s->lines);
	uint64_t at = BASE + number * s->stride * unit;
	uint32_t all = unit == WS_LINE_MAX ? UINT32_MAX :
		((uint32_t)1 << unit / WS_SECTOR_BYTES) - 1;
	uint32_t sectors = (uint32_t)ws_rng_u64(rng) & all;

	sectors &= one_in(rng, 2) ? (uint32_t)ws_rng_u64(rng) : UINT32_MAX;
	r->address = at - at % m->l1.line_bytes;
	r->sectors = (sectors ? sectors : 1) << (at - r->address) / WS_SECTOR_BYTES;
}

static inline bool same_unit(const struct ws_machine *m, const struct ws_request *a,
			     const struct ws_request *b)
{
	return a->address == b->address &&
	       (a->address + ws_log2(a->sectors) * WS_SECTOR_BYTES) / m->coalesce_line ==
	       (b->address + ws_log2(b->sectors) * WS_SECTOR_BYTES) / m->coalesce_line;
}

/* One warp instruction of up to most requests, each of a unit of its own. */
static inline size_t some_warp(struct ws_rng *rng, const struct ws_machine *m,
			       const struct some *s, const struct ws_launch *l, uint64_t *cycle,
			       struct ws_request *r, size_t most)
{
	size_t want = one_in(rng, 2) ? 1 : 1 + below(rng, 5), n = 0;
	uint32_t instruction = below(rng, INSTRUCTIONS);

	*cycle += one_in(rng, (unsigned)s->jump) ? below(rng, 30000) : below(rng, 20);
	for (size_t tries = 0; tries < want && n < most; tries++) {
		bool taken = false;

		r[n] = (struct ws_request){
			.cycle = *cycle, .instruction = instruction, .cta = below(rng, 9),
			.warp = (uint16_t)below(rng, 4), .kind = l->instruction[instruction].kind,
			.follows = n > 0,
		};
		some_request(rng, m, s, r + n);
		for (size_t i = 0; i < n; i++)
			taken = taken || same_unit(m, r + i, r + n);
		n += !taken;
		*cycle += one_in(rng, 2);
	}
	return n;
}

static inline void some_stream(struct ws_rng *rng, const struct ws_machine *m,
			       const struct ws_launch *l, const struct some *s,
			       struct stream *stream, size_t most)
{
	uint64_t cycle = below(rng, 100);

	stream->r = ws_alloc_zero(most + 1, sizeof *stream->r);
	stream->count = 0;
	while (stream->r && stream->count < most)
		stream->count += some_warp(rng, m, s, l, &cycle, stream->r + stream->count,
					   most - stream->count);
}

/* large: many times as many. */
static inline void some_input(struct ws_rng *rng, struct input *in, unsigned large)
{
	struct some pattern;

	memset(in, 0, sizeof *in);
	in->machine = some_machine(rng);
	some_options(rng, in);
	in->launches = 1 + below(rng, LAUNCHES);
	in->batches = ws_rng_u64(rng);
	pattern = some_pattern(rng, large * LINES_MAX);
	for (size_t l = 0; l < in->launches; l++) {
		some_launch(rng, l, in->launch + l, in->stats + l);
		if (one_in(rng, 2))
			pattern = some_pattern(rng, large * LINES_MAX);
		for (unsigned sm = 0; sm < SMS; sm++)
			some_stream(rng, &in->machine, in->launch + l, &pattern,
				    &in->stream[l][sm], one_in(rng, 4) ? 0 :
				    large * below(rng, one_in(rng, 2) ? 24 : REQUESTS_MAX));
	}
}

static inline void input_clear(struct input *in)
{
	for (size_t l = 0; l < LAUNCHES; l++)
		for (unsigned sm = 0; sm < SMS; sm++)
			free(in->stream[l][sm].r);
}

static inline void print_request(const struct ws_launch *l, const struct ws_request *r)
{
	static const char *const kinds[] = { "load", "store", "atomic" };
	const struct ws_instruction *i = l->instruction + r->instruction;

	printf("#   %s%s %llx sectors %x cycle %llu, array %d file %u line %u\n",
	       r->follows ? "  " : "", kinds[r->kind], (unsigned long long)r->address, r->sectors,
	       (unsigned long long)r->cycle, (int)i->array, i->file, i->line);
}

static inline void print_input(const struct input *in)
{
	const struct ws_cache *c = &in->machine.l1;

	printf("# segments %llu, line %llu, sector %llu, %llu sets, %s (bits %u-%u), %s\n",
	       (unsigned long long)in->machine.coalesce_line, (unsigned long long)c->line_bytes,
	       (unsigned long long)c->sector_bytes, (unsigned long long)c->sets, c->hash->name,
	       c->hash_low, c->hash_high, writes[c->write]);
	printf("# record %u, threads %u, SMs %llx, shapes", in->options.record,
	       in->options.threads, (unsigned long long)in->options.sm[0]);
	for (size_t i = 0; i < in->options.shapes; i++)
		printf(" %llu x %llu", (unsigned long long)in->options.shape[i].line_bytes,
		       (unsigned long long)in->options.shape[i].sets);
	putchar('\n');
	for (size_t l = 0; l < in->launches; l++)
		for (unsigned sm = 0; sm < SMS; sm++) {
			if (in->stream[l][sm].count)
				printf("# launch %zu (%s), SM %u\n", l, in->launch[l].kernel, sm);
			for (size_t i = 0; i < in->stream[l][sm].count; i++)
				print_request(in->launch + l, in->stream[l][sm].r + i);
		}
}

#endif
