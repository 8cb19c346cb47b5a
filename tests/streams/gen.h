/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/streams/gen.h -- what the families are written with.
 *
 * A family cuts its kernel into phases, between which all warps wait for each other, and a
 * phase into units of work, which warps take in turn: work() says all memory instructions of one
 * unit.
 */
#ifndef TESTS_STREAMS_GEN_H
#define TESTS_STREAMS_GEN_H

#include "tests/streams/streams.h"

#define LANES 32u
#define GEN_BLOCKS 24u

struct gen_warp {
	struct ws_request *request; /* of its unit; follows = 0 begins an instruction */
	size_t count, cap, next;
	uint64_t unit;		/* the lower, the older */
	uint64_t ready;		/* the turn at which its last load is back (greedy) */
	bool live;
};

struct gen {
	const struct streams_spec *spec;
	const unsigned *n;	/* the spec's */
	struct ws_rng rng;
	struct gen_warp *at;	/* the one that work() speaks for */
	struct gen_warp *warp;
	void *data;		/* the family's, of gen_alloc */
	void *block[GEN_BLOCKS]; /* freed in the end */
	size_t blocks;
	bool failed;		/* out of memory */
	struct streams_stream *out;
	size_t limit;		/* of out->count */
};

struct gen_family {
	const char *name;
	void (*setup)(struct gen *g);			/* may be NULL */
	size_t (*units)(struct gen *g, size_t phase);	/* 0: the kernel is over */
	void (*work)(struct gen *g, size_t phase, size_t unit);
};

extern const struct gen_family gen_dense[], gen_sparse[], gen_tables[], gen_loops[], gen_steps[];

/* Address of the k-th array; arrays do not overlap if they are below 64 MB. */
static inline uint64_t gen_array(unsigned k)
{
	return ((uint64_t)k + 1) * ((1u << 26) + 34 * STREAMS_LINE);
}

/* Cleared; NULL and g->failed if there is no memory. */
void *gen_alloc(struct gen *g, size_t count, size_t size);

/* ---- one warp instruction ---------------------------------------------------------- */

/* Lanes' addresses, coalesced; no lanes: no instruction. */
void gen_lanes(struct gen *g, enum ws_kind kind, const uint64_t *address, size_t lanes);
/* Lane i at address + i * stride. */
void gen_row(struct gen *g, enum ws_kind kind, uint64_t address, uint64_t stride, size_t lanes);
static inline void gen_load(struct gen *g, uint64_t address) /* the same in all lanes */
{
	gen_lanes(g, WS_LOAD, &address, 1);
}

/* ---- random things ------------------------------------------------------------------- */

static inline uint32_t gen_below(struct gen *g, uint32_t bound)
{
	return (uint32_t)ws_rng_below(&g->rng, bound);
}
static inline bool gen_chance(struct gen *g, double p)
{
	return ws_rng_double(&g->rng) < p;
}

uint32_t *gen_shuffle(struct gen *g, uint32_t n); /* a permutation of 0 .. n - 1 */

struct gen_zipf {		/* ranks by Zipf's law */
	double *sum;
	uint32_t n;
	const uint32_t *place;	/* of a rank; NULL: ranks */
};

struct gen_zipf gen_zipf(struct gen *g, uint32_t n, double skew, bool scattered);
uint32_t gen_zipf_draw(struct gen *g, const struct gen_zipf *z);

struct gen_graph {		/* compressed sparse rows */
	uint32_t rows, *first, *column;
};

/* Degrees by a power law with the given mean; of columns the share `local` is drawn from within
 * reach of the row, the others by Zipf's law; ascending in each row. */
struct gen_graph gen_graph(struct gen *g, uint32_t rows, uint32_t degree, double skew,
			   double local, uint32_t reach);

#endif
