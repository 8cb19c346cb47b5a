/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/lines.c -- sector, ways and line.
 *
 * Ways: the shortest walk in steps of STEP that overflows has ways + 1 lines of one set, its last
 * one among them.  Those that missed are tried first; then parts that are not needed are left out,
 * smaller and smaller ones.
 *
 * Line: two offsets are of one line if they share a set, and yet take one way of it.
 */
#include "validate/pchase/probe.h"

#include <stdlib.h>
#include <string.h>

#define STEP 1024u		/* bytes; no line is longer */
#define WORD 4u
#define ORIGIN 64u
#define SECTOR_WORDS 2048u
#define LINES_MOST (1u << 18)
#define REPEATS 7u
#define TRIES 3u		/* of what is asked of a processor */
#define LINES_FEW 64u		/* no processor has so many ways */

/* ---- sector --------------------------------------------------------------------------- */

/* Fresh words in order: the distance of most misses from the ones before. */
static uint64_t common_distance(const struct ws_probe *p, uint64_t *votes)
{
	size_t last = SECTOR_WORDS, best = 0;
	size_t count[SECTOR_WORDS] = { 0 };

	for (size_t i = 0; i < SECTOR_WORDS; i++) {
		if (ws_probe_read(p, p->cycles[i]) != WS_PROBE_MISS)
			continue;
		if (last < i)
			count[i - last]++;
		last = i;
	}
	for (size_t d = 1; d < SECTOR_WORDS; d++)
		if (count[d] > count[best])
			best = d;
	*votes += count[best];
	return best * WORD;
}

enum ws_status ws_chase_sector(struct ws_probe *p, struct ws_err *err)
{
	uint64_t distance[REPEATS], votes = 0, agree = 0;
	enum ws_status status = WS_OK;

	for (size_t k = 0; k < REPEATS && status == WS_OK; k++) {
		uint64_t from = ws_rng_below(&p->rng, p->target->bytes / STEP - 16) * STEP;

		p->program.count = 0;
		for (uint64_t i = 0; i < SECTOR_WORDS && status == WS_OK; i++)
			status = ws_chase_list_add(&p->program, from + i * WORD, err);
		if (status == WS_OK)
			status = ws_probe_run(p, err);
		if (status == WS_OK)
			distance[k] = common_distance(p, &votes);
	}
	if (status != WS_OK || p->found->exhausted)
		return status;
	for (size_t k = 0; k < REPEATS; k++)
		agree += distance[k] == distance[0];
	if (votes == 0 || agree * 2 <= REPEATS || !ws_is_pow2(distance[0]))
		return WS_OK;
	p->found->sector = (struct ws_chase_value){
		distance[0], agree == REPEATS ? 1 - 1e-6 : (double)agree / REPEATS,
	};
	return WS_OK;
}

/* ---- ways ------------------------------------------------------------------------------ */

static enum ws_status steps_overflow(struct ws_probe *p, size_t count, bool *yes,
				     struct ws_err *err)
{
	enum ws_status status = WS_OK;

	p->trial.count = 0;
	for (uint64_t i = 0; i < count && status == WS_OK; i++)
		status = ws_chase_list_add(&p->trial, p->origin + i * STEP, err);
	return status == WS_OK
		? ws_probe_overflows(p, p->trial.at, p->trial.count, yes, err) : status;
}

/* The fewest steps that overflow; 0: none do. */
static enum ws_status fewest_steps(struct ws_probe *p, size_t *fewest, struct ws_err *err)
{
	size_t fits = 1, most = LINES_MOST;
	enum ws_status status = WS_OK;
	bool yes = false;

	if (p->target->bytes / STEP < most)
		most = p->target->bytes / STEP;
	while (status == WS_OK && !yes && fits < most && !p->found->exhausted) {
		status = steps_overflow(p, 2 * fits, &yes, err);
		if (!yes)
			fits *= 2;
	}
	*fewest = 2 * fits;
	while (status == WS_OK && yes && *fewest - fits > 1) {
		size_t middle = fits + (*fewest - fits) / 2;
		bool over;

		status = steps_overflow(p, middle, &over, err);
		*(over ? fewest : &fits) = middle;
	}
	if (!yes)
		*fewest = 0;
	return status;
}

/* Of the lines those that miss in four passes, if they overflow by themselves. */
static enum ws_status keep_missers(struct ws_probe *p, struct ws_chase_list *l, struct ws_err *err)
{
	size_t count = l->count;
	enum ws_status status = WS_OK;
	bool yes = false;

	p->program.count = p->trial.count = 0;
	for (size_t i = 0; i < 5 * count && status == WS_OK; i++)
		status = ws_chase_list_add(&p->program, l->at[i % count], err);
	if (status == WS_OK)
		status = ws_probe_run(p, err);
	for (size_t i = 0; i < count && status == WS_OK; i++) {
		bool missed = false;

		for (size_t k = 1; k < 5; k++)
			missed |= ws_probe_read(p, p->cycles[k * count + i]) == WS_PROBE_MISS;
		if (missed)
			status = ws_chase_list_add(&p->trial, l->at[i], err);
	}
	if (status == WS_OK)
		status = ws_probe_overflows(p, p->trial.at, p->trial.count, &yes, err);
	if (status == WS_OK && yes)
		status = ws_chase_list_copy(l, p->trial.at, p->trial.count, err);
	return status;
}

/* Leaves out `part` lines at a time wherever the others overflow without them. */
static enum ws_status leave_out(struct ws_probe *p, struct ws_chase_list *l, size_t part,
				struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < l->count && status == WS_OK;) {
		size_t end = i + part < l->count ? i + part : l->count;
		bool yes = false;

		status = ws_chase_list_copy(&p->trial, l->at, i, err);
		for (size_t k = end; k < l->count && status == WS_OK; k++)
			status = ws_chase_list_add(&p->trial, l->at[k], err);
		if (status == WS_OK)
			status = ws_probe_overflows(p, p->trial.at, p->trial.count, &yes, err);
		if (status == WS_OK && yes)
			status = ws_chase_list_copy(l, p->trial.at, p->trial.count, err);
		else
			i = end;
	}
	return status;
}

static enum ws_status smallest_overflow(struct ws_probe *p, struct ws_chase_list *l,
					struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0, before = 0; i < 4 && before != l->count && status == WS_OK; i++) {
		before = l->count;
		status = keep_missers(p, l, err);
	}
	for (size_t part = l->count / 2; part && status == WS_OK; part /= 2) {
		if (part > l->count / 2)
			continue;
		if (p->target->orders && part == 1 && l->count > LINES_FEW)
			return WS_OK;	/* too noisy to go on */
		status = leave_out(p, l, part, err);
	}
	/* Of a processor's lines one that is not needed may have been kept. */
	for (unsigned k = 1; p->target->orders && k < TRIES && status == WS_OK; k++)
		status = leave_out(p, l, 1, err);
	return status;
}

enum ws_status ws_chase_ways(struct ws_probe *p, struct ws_err *err)
{
	size_t fewest;
	struct ws_chase_list l = { 0 };
	enum ws_status status;

	if (p->target->orders)	/* other sets in each attempt: some are not left alone */
		p->origin = ws_rng_below(&p->rng, STEP / ORIGIN) * ORIGIN;
	status = fewest_steps(p, &fewest, err);

	for (uint64_t i = 0; i < fewest && status == WS_OK; i++)
		status = ws_chase_list_add(&l, p->origin + i * STEP, err);
	if (status == WS_OK && fewest)
		status = smallest_overflow(p, &l, err);
	if (p->target->orders && l.count > LINES_FEW)
		fewest = 0;
	if (status == WS_OK && fewest && !p->found->exhausted) {
		p->other = l.at[l.count - 1];
		status = ws_chase_list_copy(&p->full, l.at, l.count - 1, err);
		p->found->ways = (struct ws_chase_value){ l.count - 1, ws_probe_confidence(p) };
	}
	ws_chase_list_clear(&l);
	return status;
}

/* ---- line ------------------------------------------------------------------------------- */

static enum ws_status one_line(struct ws_probe *p, uint64_t a, uint64_t b, bool *yes,
			       struct ws_err *err)
{
	enum ws_status status = ws_probe_same_set(p, &b, 1, yes, err);
	bool two;

	if (status != WS_OK || !*yes)
		return status;
	status = ws_chase_list_copy(&p->trial, p->full.at, p->full.count - 1, err);
	if (status == WS_OK)
		status = ws_chase_list_add(&p->trial, a, err);
	if (status == WS_OK)
		status = ws_chase_list_add(&p->trial, b, err);
	if (status == WS_OK)
		status = ws_probe_overflows(p, p->trial.at, p->trial.count, &two, err);
	*yes = status == WS_OK && !two;
	return status;
}

enum ws_status ws_chase_line(struct ws_probe *p, struct ws_err *err)
{
	uint64_t line = p->found->sector.confidence > 0 ? p->found->sector.value : WORD;
	enum ws_status status = WS_OK;
	unsigned tries = p->target->orders ? TRIES : 1;
	bool same = true;

	while (status == WS_OK && same && line < STEP) {
		same = false;
		for (unsigned k = 0; k < tries && !same && status == WS_OK; k++)
			status = one_line(p, p->other, p->other ^ line, &same, err);
		if (same)
			line *= 2;
	}
	if (status == WS_OK && !p->found->exhausted)
		p->found->line = (struct ws_chase_value){ line, ws_probe_confidence(p) };
	return status;
}
