/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/launch.c -- small random launches (order.h).
 */
#include "tests/ref/order.h"

#include <stdlib.h>

static struct ws_pace random_pace(struct ws_rng *rng, uint32_t others)
{
	uint32_t code = (uint32_t)ws_rng_below(rng, 2048);

	if (ws_rng_below(rng, 5) == 0) /* unknown */
		return (struct ws_pace){ .chain = (uint32_t)ws_rng_below(rng, others + 1) };
	return (struct ws_pace){ .chain = (uint32_t)ws_rng_below(rng, others + 1), .code = code,
				 .code_end = code + (uint32_t)ws_rng_below(rng, 300) };
}

static void random_past(struct ws_instruction *i, struct ws_rng *rng)
{
	i->past = i->space == WS_SPACE_GLOBAL && i->kind != WS_ATOMIC && ws_rng_below(rng, 6) == 0;
}

static void random_statics(struct ws_launch *l, struct ws_rng *rng, const struct ref_shape *shape)
{
	l->segments = 1 + (size_t)ws_rng_below(rng, 5);
	l->segment = ws_alloc_zero(l->segments, sizeof *l->segment);
	l->instruction = ws_alloc_zero(l->segments * 3, sizeof *l->instruction);
	for (size_t s = 0; s < l->segments; s++) {
		struct ws_segment *segment = &l->segment[s];

		segment->first = (uint32_t)l->instructions;
		segment->count = (uint32_t)ws_rng_below(rng, 4);
		segment->tail = (uint32_t)ws_rng_below(rng, shape->gap + 1);
		if (ws_rng_below(rng, 8) == 0)
			segment->tail *= 100;
		if (shape->paced)
			segment->pace = random_pace(rng, segment->tail);
		segment->barrier = shape->barriers && ws_rng_below(rng, 3) == 0;
		for (uint32_t i = 0; i < segment->count; i++) {
			uint64_t kind = ws_rng_below(rng, 8);

			l->instruction[l->instructions++] = (struct ws_instruction){
				.kind = kind < 5 ? WS_LOAD : kind < 7 ? WS_STORE : WS_ATOMIC,
				.space = ws_rng_below(rng, 8) == 0 ? WS_SPACE_CONSTANT
								   : WS_SPACE_GLOBAL,
				.bytes = 1u << ws_rng_below(rng, 5),
				.array = WS_NO_ARRAY,
				.gap = (uint32_t)ws_rng_below(rng, shape->gap + 1),
				.use = 1 + (uint32_t)ws_rng_below(rng, 2 * shape->gap + 3),
			};
			random_past(&l->instruction[l->instructions - 1], rng);
			if (shape->paced)
				l->instruction[l->instructions - 1].pace = random_pace(
					rng, l->instruction[l->instructions - 1].gap);
		}
	}
}

static void random_step(struct ref_step *step, const struct ws_launch *l, struct ws_rng *rng,
			const struct ref_shape *shape)
{
	const struct ws_segment *segment;
	uint64_t some = ws_rng_below(rng, 3);

	step->segment = (uint32_t)ws_rng_below(rng, l->segments);
	segment = &l->segment[step->segment];
	for (uint64_t lane = 0; lane < shape->threads; lane++) {
		/* all of them, a random half, or a run of them */
		bool on = some == 0 || (some == 1 ? ws_rng_below(rng, 2) == 0
						  : lane / 8 % 2 == step->segment % 2);

		if (on || lane == 0)
			step->mask[lane / 64] |= 1ull << lane % 64;
	}
	step->address = ws_alloc_zero(segment->count, sizeof *step->address);
	for (uint32_t a = 0; a < segment->count; a++) {
		uint64_t base = ws_rng_below(rng, shape->bytes), stride = ws_rng_below(rng, 9);
		uint32_t bytes = l->instruction[segment->first + a].bytes;

		step->address[a] = ws_alloc_zero((size_t)shape->threads, sizeof **step->address);
		for (uint64_t lane = 0; lane < shape->threads; lane++) {
			uint64_t at = stride == 8 ? ws_rng_below(rng, shape->bytes)
						  : base + lane * stride * bytes;

			step->address[a][lane] = 4096 + at / bytes * bytes;
		}
	}
}

void ref_launch_random(struct ref_launch *l, struct ws_rng *rng, const struct ref_shape *shape)
{
	*l = (struct ref_launch){ .launch = {
		.kernel = ws_strdup("random"),
		.grid = { shape->ctas, 1, 1 }, .block = { shape->threads, 1, 1 },
		.ctas = shape->ctas, .files = 1, .file = ws_alloc_zero(1, sizeof *l->launch.file),
	} };
	l->launch.file[0] = ws_strdup("random.cl");
	random_statics(&l->launch, rng, shape);
	l->step = ws_alloc_zero((size_t)shape->ctas, sizeof *l->step);
	l->steps = ws_alloc_zero((size_t)shape->ctas, sizeof *l->steps);
	for (uint64_t cta = 0; cta < shape->ctas; cta++) {
		l->steps[cta] = (size_t)ws_rng_below(rng, shape->steps + 1);
		l->step[cta] = ws_alloc_zero(l->steps[cta], sizeof **l->step);
		for (size_t s = 0; s < l->steps[cta]; s++)
			random_step(&l->step[cta][s], &l->launch, rng, shape);
	}
}

void ref_launch_clear(struct ref_launch *l)
{
	for (uint64_t cta = 0; cta < l->launch.ctas; cta++) {
		for (size_t s = 0; s < l->steps[cta]; s++) {
			struct ref_step *step = &l->step[cta][s];

			for (uint32_t a = 0; a < l->launch.segment[step->segment].count; a++)
				free(step->address[a]);
			free(step->address);
		}
		free(l->step[cta]);
	}
	free(l->step);
	free(l->steps);
	ws_launch_clear(&l->launch);
	*l = (struct ref_launch){ 0 };
}
