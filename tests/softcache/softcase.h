/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/softcache/softcase.h -- random launches for the software cache, with barriers, atomics,
 * wide and unaligned accesses, as steps and as what each thread does.
 */
#ifndef WS_TESTS_SOFTCACHE_SOFTCASE_H
#define WS_TESTS_SOFTCACHE_SOFTCASE_H

#include "tests/ref/soft.h"
#include "tests/test.h"
#include "softcache/softcache.h"

#define ARRAYS 4u
#define ARRAY_BYTES 1024u
#define THREADS_MAX 70u
#define SEGMENTS 4u
#define INSTRUCTIONS 9u
#define STEPS 40u
#define MEMORY (8u * ARRAY_BYTES)

static inline void must(bool ok)
{
	if (!ok)
		abort();
}

/* ---- random launches ---------------------------------------------------------------- */

struct fixture {
	struct ws_launch launch;
	struct ws_array array[ARRAYS];
	struct ws_instruction instruction[INSTRUCTIONS];
	struct ws_segment segment[SEGMENTS];
	size_t threads, ctas, steps;
	bool plain;		/* neither barriers nor atomics, all aligned */
	struct ws_step *step;	/* [cta * steps + step] */
	uint64_t *mask;		/* [.. * 2] */
	uint64_t *address;	/* [.. * INSTRUCTIONS * THREADS_MAX] */
	uint64_t **vector;
	struct ref_soft_thread *thread; /* [cta * threads + thread] */
};

static inline void random_code(struct fixture *f, struct ws_rng *rng)
{
	static const uint32_t bytes[] = { 1, 2, 4, 4, 4, 8, 16, 3, 40 };

	static char array_name[ARRAYS][2] = { "a", "b", "c", "d" };

	for (uint32_t i = 0; i < INSTRUCTIONS; i++) {
		uint64_t kind = ws_rng_below(rng, f->plain ? 4 : 5);

		f->instruction[i] = (struct ws_instruction){
			.kind = kind < 2 ? WS_LOAD : kind < 4 ? WS_STORE : WS_ATOMIC,
			.space = ws_rng_below(rng, 12) ? WS_SPACE_GLOBAL : WS_SPACE_LOCAL,
			.bytes = bytes[ws_rng_below(rng, f->plain ? 7 : WS_COUNT(bytes))],
			.array = ws_rng_below(rng, 4) ? (uint32_t)ws_rng_below(rng, ARRAYS)
						      : WS_NO_ARRAY,
			.gap = (uint32_t)ws_rng_below(rng, 5), .use = 1,
		};
		if (f->instruction[i].kind == WS_STORE && ws_rng_below(rng, 2))
			f->instruction[i].array %= ARRAYS / 2;
	}
	for (uint32_t i = 0; i < SEGMENTS; i++)
		f->segment[i] = (struct ws_segment){
			.first = 2 * i, .count = 2 + (i + 1 == SEGMENTS), .tail = i,
			.barrier = !f->plain && i == 2,
		};
	for (uint32_t i = 0; i < ARRAYS; i++)
		f->array[i] = (struct ws_array){ .name = array_name[i],
						 .base = (2 * i + 1) * ARRAY_BYTES,
						 .bytes = ARRAY_BYTES };
}

/* Near where the thread was, mostly. */
static inline uint64_t random_address(struct fixture *f, struct ws_rng *rng, uint32_t instruction,
			       uint64_t was)
{
	const struct ws_instruction *in = &f->instruction[instruction];
	uint32_t array = in->array == WS_NO_ARRAY ? (uint32_t)ws_rng_below(rng, ARRAYS)
						  : in->array;
	uint64_t offset = ws_rng_below(rng, 12) ? was + ws_rng_below(rng, 24) : ws_rng_u64(rng);

	offset %= ARRAY_BYTES - 64;
	offset -= f->plain ? offset % in->bytes : 0;
	if (in->array == WS_NO_ARRAY && !ws_rng_below(rng, 5))
		return offset; /* in no array */
	return f->array[array].base + offset;
}

static inline void add_event(struct fixture *f, struct ref_soft_thread *t, uint32_t instruction,
		      uint64_t address)
{
	static const enum ref_soft_kind kind[] = { REF_SOFT_LOAD, REF_SOFT_STORE, REF_SOFT_ATOMIC };
	const struct ws_instruction *in = &f->instruction[instruction];
	int structure = (int)in->array;

	if (in->space != WS_SPACE_GLOBAL)
		return;
	if (in->array == WS_NO_ARRAY) {
		structure = -1;
		for (int i = 0; i < (int)ARRAYS; i++)
			if (address >= f->array[i].base && address < f->array[i].base + ARRAY_BYTES)
				structure = i;
	}
	ref_soft_add(t, (struct ref_soft_event){ kind[in->kind], structure, address, in->bytes });
}

static inline void random_step(struct fixture *f, struct ws_rng *rng, size_t number, size_t cta)
{
	struct ws_step *step = &f->step[number];
	uint64_t *mask = &f->mask[2 * number], density = 1 + ws_rng_below(rng, 4);
	const struct ws_segment *segment;

	step->segment = (uint32_t)ws_rng_below(rng, SEGMENTS);
	step->mask = mask;
	step->words = 2;
	step->address = &f->vector[number * INSTRUCTIONS];
	segment = &f->segment[step->segment];
	for (size_t t = 0; t < f->threads; t++) {
		struct ref_soft_thread *thread = &f->thread[cta * f->threads + t];

		if (ws_rng_below(rng, density))
			continue;
		mask[t / 64] |= UINT64_C(1) << t % 64;
		for (uint32_t i = 0; i < segment->count; i++) {
			uint64_t *at = &f->address[(number * INSTRUCTIONS + i) * THREADS_MAX];

			at[t] = random_address(f, rng, segment->first + i, number * 3);
			f->vector[number * INSTRUCTIONS + i] = at;
			add_event(f, thread, segment->first + i, at[t]);
		}
		if (segment->barrier)
			ref_soft_add(thread, (struct ref_soft_event){ REF_SOFT_BARRIER, -1, 0, 0 });
	}
}

static inline void fixture_init(struct fixture *f, struct ws_rng *rng)
{
	static char kernel[] = "random";
	size_t all;

	*f = (struct fixture){ .threads = 1 + (size_t)ws_rng_below(rng, THREADS_MAX),
			       .ctas = 1 + (size_t)ws_rng_below(rng, 3),
			       .steps = 1 + (size_t)ws_rng_below(rng, STEPS),
			       .plain = ws_rng_below(rng, 3) == 0 };
	all = f->ctas * f->steps;
	random_code(f, rng);
	f->launch = (struct ws_launch){
		.kernel = kernel, .grid = { f->ctas, 1, 1 }, .block = { f->threads, 1, 1 },
		.array = f->array,
		.instruction = f->instruction, .segment = f->segment, .arrays = ARRAYS,
		.instructions = INSTRUCTIONS, .segments = SEGMENTS, .ctas = f->ctas,
	};
	f->step = calloc(all, sizeof *f->step);
	f->mask = calloc(2 * all, sizeof *f->mask);
	f->address = calloc(all * INSTRUCTIONS * THREADS_MAX, sizeof *f->address);
	f->vector = calloc(all * INSTRUCTIONS, sizeof *f->vector);
	f->thread = calloc(f->ctas * f->threads, sizeof *f->thread);
	must(f->step && f->mask && f->address && f->vector && f->thread);
	for (size_t i = 0; i < all; i++)
		random_step(f, rng, i, i / f->steps);
}

static inline void fixture_clear(struct fixture *f)
{
	for (size_t i = 0; i < f->ctas * f->threads; i++)
		free(f->thread[i].event);
	free(f->step);
	free(f->mask);
	free(f->address);
	free(f->vector);
	free(f->thread);
}

#endif
