/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/random_code.h -- machine code and copies for a launch of random instructions.
 */
#ifndef WS_TESTS_RANDOM_CODE_H
#define WS_TESTS_RANDOM_CODE_H

#include <stdlib.h>

#include "trace/trace.h"

#define RANDOM_PATH_MAX 1000u

/* A path of so many instructions: runs through the code.  1 + its number. */
static inline uint32_t random_path(struct ws_launch *l, struct ws_rng *rng, uint64_t length)
{
	struct ws_code_path *p;

	if (length > RANDOM_PATH_MAX || ws_rng_below(rng, 6) == 0)
		return 0;
	p = &l->path[l->paths++];
	*p = (struct ws_code_path){ .first = (uint32_t)l->runs, .length = (uint32_t)length };
	while (length) {
		uint32_t op = (uint32_t)ws_rng_below(rng, l->codes);
		uint64_t most = l->codes - op < length ? l->codes - op : length;

		l->run = realloc(l->run, (l->runs + 1) * sizeof *l->run);
		if (!l->run)
			abort();
		l->run[l->runs] = (struct ws_code_run){
			op, 1 + (uint32_t)ws_rng_below(rng, most) };
		length -= l->run[l->runs++].count;
		p->count++;
	}
	return (uint32_t)l->paths;
}

/* Of few registers, so that instructions wait for each other. */
static inline void random_code(struct ws_launch *l, struct ws_rng *rng)
{
	uint64_t registers = 1 + ws_rng_below(rng, 12);

	l->codes = 1 + (size_t)ws_rng_below(rng, 20);
	l->code = ws_alloc_zero(l->codes, sizeof *l->code);
	l->reg = ws_alloc_zero(l->codes * 6, sizeof *l->reg);
	l->path = ws_alloc_zero(l->instructions + l->segments, sizeof *l->path);
	for (size_t i = 0; i < l->codes; i++) {
		struct ws_code_op *op = &l->code[i];

		*op = (struct ws_code_op){ .pc = (uint32_t)ws_rng_below(rng, 1 << 16),
					   .first = (uint32_t)l->regs,
					   .unit = (uint8_t)ws_rng_below(rng, WS_UNITS),
					   .results = (uint8_t)ws_rng_below(rng, 3),
					   .operands = (uint8_t)ws_rng_below(rng, 4) };
		for (unsigned r = 0; r < (unsigned)op->results + op->operands; r++)
			l->reg[l->regs++] = (uint16_t)ws_rng_below(rng, registers);
	}
	for (size_t i = 0; i < l->instructions; i++)
		l->instruction[i].path = random_path(l, rng, l->instruction[i].gap + 1ull);
	for (size_t i = 0; i < l->segments; i++)
		l->segment[i].path = random_path(l, rng, l->segment[i].tail +
							 (uint64_t)l->segment[i].barrier);
}

/* To addresses from `first` on. */
static inline void random_copies(struct ws_launch *l, struct ws_rng *rng, uint64_t first,
				 uint64_t bytes)
{
	l->copies = 1 + (size_t)ws_rng_below(rng, 4);
	l->copy = ws_alloc_zero(l->copies, sizeof *l->copy);
	for (size_t i = 0; i < l->copies; i++)
		l->copy[i] = (struct ws_copy){ first + ws_rng_below(rng, bytes),
					       ws_rng_below(rng, bytes / 2) };
}

#endif
