/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/hardware_points.c -- counts made into hit rates and sectors, beside what was measured.
 */
#include "study/hardware_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRIVIAL_LOW 2.0		/* percent */
#define TRIVIAL_HIGH 98.0

double ws_hardware_hit(const struct hardware_counts *c, bool sectors)
{
	double all = (double)(sectors ? c->sectors : c->requests);
	double missed = (double)(sectors ? c->sectors_missed : c->misses);

	return all > 0 ? 100 * (1 - missed / all) : (double)NAN;
}

/* Of the L1 what it asks the L2 for; of the L2 what misses. */
static double sectors_of(const struct hardware_row *row, uint64_t config, enum ws_set_level level)
{
	const struct hardware_counts *c = hardware_at(row, config, WS_SET_L2, HARDWARE_MODEL);

	/* The model may know no sectors; the simulation of the same requests does. */
	if (!c->sectors)
		c = hardware_at(row, config, WS_SET_L2, HARDWARE_SIMULATED);
	return (double)(level == WS_SET_L1 ? c->sectors : c->sectors_missed);
}

static void widen(struct ws_hardware_band *b, double value, bool first)
{
	if (first)
		b->central = b->low = b->high = value;
	b->low = fmin(b->low, value);
	b->high = fmax(b->high, value);
}

static void predict_point(struct ws_hardware_point *p, const struct hardware_row *row)
{
	bool sectors = p->hit.sectors;

	for (uint64_t c = 0; c < row->configurations; c++) {
		const struct hardware_counts *model = hardware_at(row, c, p->level,
								  HARDWARE_MODEL);

		if (sectors && !model->sectors)
			model = hardware_at(row, c, p->level, HARDWARE_SIMULATED);
		widen(&p->hit_predicted, ws_hardware_hit(model, sectors), c == 0);
		widen(&p->sectors_predicted, sectors_of(row, c, p->level), c == 0);
	}
	p->simulated = ws_hardware_hit(hardware_at(row, 0, p->level, HARDWARE_SIMULATED), sectors);
	p->nominal = ws_hardware_hit(hardware_at(row, row->configurations, p->level,
					     HARDWARE_SIMULATED), sectors);
}

/* Values of the open key "KEY=A|B|C"; step: configurations from one to the next. */
static enum ws_status add_choices(struct ws_hardware_point *p, const struct hardware_row *row,
				  const char *text, uint64_t step, struct ws_err *err)
{
	size_t name = strcspn(text, "=") + 1, cap = p->choices;
	const char *at = text + name;

	for (uint64_t digit = 0; *at; digit++) {
		size_t len = strcspn(at, "|");

		if (digit) {
			struct ws_hardware_choice *c;

			if (!WS_ROOM(p->choice, cap, p->choices + 1))
				return ws_fail_memory(err, "the alternatives");
			c = &p->choice[p->choices++];
			snprintf(c->text, sizeof c->text, "%.*s%.*s", (int)name, text,
				 (int)len, at);
			c->hit = ws_hardware_hit(hardware_at(row, digit * step, p->level,
							 HARDWARE_SIMULATED), p->hit.sectors);
		}
		at += len;
		at += *at == '|';
	}
	return WS_OK;
}

static uint64_t alternatives_in(const char *text)
{
	uint64_t count = 1;

	for (; *text; text++)
		count += *text == '|';
	return count;
}

static enum ws_status find_choices(struct ws_hardware_point *p, const struct hardware_row *row,
				   struct ws_err *err)
{
	uint64_t step = row->configurations;
	char text[WS_ALTERNATIVES_MAX];
	enum ws_status status = WS_OK;

	for (size_t i = 0; status == WS_OK &&
	     ws_machine_alternatives(&row->m, i, text, sizeof text); i++) {
		step /= alternatives_in(text);
		status = add_choices(p, row, text, step, err);
	}
	return status;
}

enum ws_status ws_hardware_measure(struct ws_hardware_point *p, struct ws_err *err)
{
	char name[16];
	double streaming = 0;
	enum ws_status status;

	snprintf(name, sizeof name, "%s.hit", ws_set_level_names[p->level]);
	status = ws_set_measured(&p->row, name, &p->hit, err);
	snprintf(name, sizeof name, "%s.sectors", ws_set_level_names[p->level]);
	if (status == WS_OK)
		status = ws_set_measured(&p->row, name, &p->sectors, err);
	if (status == WS_OK)
		status = ws_set_left_out(&p->row, p->level, &p->left_out, err);
	if (status == WS_OK)
		status = ws_set_number(&p->row, ws_set_kernel(&p->row), "streaming", 0, &streaming,
				       err);
	p->trivial = streaming > 0 || p->hit.median < TRIVIAL_LOW || p->hit.median > TRIVIAL_HIGH;
	return status;
}

static enum ws_status make_point(struct ws_hardware *h, struct hardware_row *row,
				 enum ws_set_level level, struct ws_err *err)
{
	struct ws_hardware_point *p = &h->point[h->points];
	enum ws_status status;

	*p = (struct ws_hardware_point){ .row = row->r, .level = level, .machine = row->m.name,
					 .label = (const char *)row->label.data };
	status = ws_hardware_measure(p, err);
	if (status != WS_OK || !isfinite(p->hit.median))
		return status; /* of a level that was not measured there is no point */
	h->points++;
	predict_point(p, row);
	return find_choices(p, row, err);
}

enum ws_status ws_hardware_points(struct ws_hardware *h, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	h->point = ws_alloc_zero(h->row_count * WS_SET_LEVELS + 1, sizeof *h->point);
	if (!h->point)
		return ws_fail_memory(err, "the rows");
	for (size_t i = 0; i < h->row_count && status == WS_OK; i++) {
		struct hardware_row *row = &h->row[i];

		row->r.asked_sectors = (double)hardware_at(row, 0, WS_SET_L1,
							   HARDWARE_SIMULATED)->sectors;
		for (unsigned level = 0; level < WS_SET_LEVELS && status == WS_OK; level++)
			status = make_point(h, row, (enum ws_set_level)level, err);
	}
	return status;
}
