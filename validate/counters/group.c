/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/counters/group.c -- launches alike, together.
 */
#include "base/map.h"
#include "validate/counters.h"

#include <math.h>
#include <stdlib.h>

struct ws_launch_class {	/* launches of the same GPU, kernel and shape */
	uint64_t key;		/* as ws_map has it */
	const struct ws_counters_launch *first;
	const struct ws_counters_launch **launch;
	size_t launches, cap;
};

struct ws_launch_classes {
	struct ws_launch_class *item;
	size_t count, cap;
	struct ws_map map;
};

/* ---- classes ------------------------------------------------------------ */

static uint64_t mix_text(uint64_t h, const char *text)
{
	for (; text && *text; text++)
		h = ws_map_mix(h, (uint8_t)*text);
	return ws_map_mix(h, 0x100);
}

static uint64_t class_key(const struct ws_counters_launch *l)
{
	uint64_t h = mix_text(mix_text(0, l->gpu), l->kernel);

	for (unsigned i = 0; i < 3; i++)
		h = ws_map_mix(ws_map_mix(h, l->grid[i]), l->block[i]);
	return ws_map_mix(ws_map_mix(h, l->registers), l->shared_bytes);
}

static bool same_class(const struct ws_counters_launch *a, const struct ws_counters_launch *b)
{
	return strcmp(a->gpu ? a->gpu : "", b->gpu ? b->gpu : "") == 0 &&
	       strcmp(a->kernel, b->kernel) == 0 &&
	       memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
	       memcmp(a->block, b->block, sizeof a->block) == 0 &&
	       a->registers == b->registers && a->shared_bytes == b->shared_bytes;
}

static struct ws_launch_class *class_of(struct ws_launch_classes *c,
					const struct ws_counters_launch *l)
{
	uint64_t key = class_key(l);
	uint32_t *slot;

	if (!WS_ROOM(c->item, c->cap, c->count + 1) ||
	    !ws_map_room(&c->map, c->item, sizeof *c->item, c->count + 1))
		return NULL;
	for (;; key++) {
		slot = ws_map_slot(&c->map, c->item, sizeof *c->item, key);
		if (*slot == 0)
			break;
		if (same_class(c->item[*slot - 1].first, l))
			return &c->item[*slot - 1];
	}
	c->item[c->count] = (struct ws_launch_class){ .key = key, .first = l };
	*slot = (uint32_t)++c->count;
	return &c->item[c->count - 1];
}

static bool add_launch(struct ws_launch_classes *c, const struct ws_counters_launch *l)
{
	struct ws_launch_class *class = class_of(c, l);

	if (!class || !WS_ROOM(class->launch, class->cap, class->launches + 1))
		return false;
	class->launch[class->launches++] = l;
	return true;
}

static void classes_clear(struct ws_launch_classes *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->item[i].launch);
	free(c->item);
	ws_map_clear(&c->map);
}

/* ---- spreads ------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
	double x, y;

	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	return (x > y) - (x < y);
}

/* Linear between the values, the first 0 and the last 1. */
static double percentile(const double *value, size_t count, double share)
{
	double at = share * (double)(count - 1), below = floor(at);
	size_t i = (size_t)below;

	return i + 1 < count ? value[i] + (at - below) * (value[i + 1] - value[i]) : value[i];
}

/* Of the names under which launches have the counter, the one that the table has first: what others
 * count may be something else. */
static const struct ws_counters_name *first_name(const struct ws_launch_class *class,
						 enum ws_counter counter)
{
	const struct ws_counters_name *first = NULL;

	for (size_t i = 0; i < class->launches; i++) {
		const struct ws_counters_name *from = class->launch[i]->value[counter].from;

		if (from && (!first || from < first))
			first = from;
	}
	return first;
}

static struct ws_counters_spread spread_of(const struct ws_launch_class *class,
					   enum ws_counter counter, double *scratch)
{
	struct ws_counters_spread s = { .from = first_name(class, counter) };
	const struct ws_counter_value *last = NULL;
	size_t count = 0;

	for (size_t i = 0; i < class->launches; i++) {
		const struct ws_counter_value *v = &class->launch[i]->value[counter];

		if (!v->from || v->from != s.from)
			continue;
		scratch[count++] = v->value;
		s.runs += class->launch[i]->samples;
		s.told = v->told;
		last = v;
	}
	if (count == 0)
		return s;
	qsort(scratch, count, sizeof *scratch, by_value);
	s.median = percentile(scratch, count, 0.5);
	s.p10 = count == 1 ? last->min : percentile(scratch, count, 0.1);
	s.p90 = count == 1 ? last->max : percentile(scratch, count, 0.9);
	return s;
}

static enum ws_status all_spreads(struct ws_counters_group **out, const struct ws_launch_classes *c,
				  struct ws_err *err)
{
	size_t most = 0;
	double *scratch;

	for (size_t i = 0; i < c->count; i++)
		most = c->item[i].launches > most ? c->item[i].launches : most;
	scratch = ws_alloc(most, sizeof *scratch);
	*out = ws_alloc(c->count, sizeof **out);
	if (!scratch || !*out) {
		free(scratch);
		free(*out);
		*out = NULL;
		return ws_fail_memory(err, "spreads of counters");
	}
	for (size_t i = 0; i < c->count; i++) {
		(*out)[i].launch = c->item[i].first;
		for (unsigned k = 0; k < WS_COUNTERS; k++)
			(*out)[i].value[k] = spread_of(&c->item[i], (enum ws_counter)k, scratch);
	}
	free(scratch);
	return WS_OK;
}

enum ws_status ws_counters_gather(struct ws_counters_group **out, size_t *groups,
				 struct ws_counters *const *file, size_t files, struct ws_err *err)
{
	struct ws_launch_classes c = { .item = NULL };
	enum ws_status status = WS_OK;

	*out = NULL;
	*groups = 0;
	for (size_t i = 0; i < files && status == WS_OK; i++)
		for (size_t k = 0; k < file[i]->launches && status == WS_OK; k++)
			if (!add_launch(&c, &file[i]->launch[k]))
				status = ws_fail_memory(err, "launches alike");
	if (status == WS_OK)
		status = all_spreads(out, &c, err);
	if (status == WS_OK)
		*groups = c.count;
	classes_clear(&c);
	return status;
}
