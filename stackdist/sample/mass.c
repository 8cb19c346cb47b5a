/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample/mass.c -- weights by distance, and bins of distances.
 */
#include "stackdist/sample/part.h"

#include <assert.h>
#include <math.h>

/* As ws_bin, without its end. */
unsigned ws_sample_bin(double q)
{
	uint64_t x = q < 4e9 ? (uint64_t)q : 4000000000u;
	unsigned o;

	if (x < 8)
		return (unsigned)x;
	o = ws_log2(x);
	return 8 + 4 * (o - 3) + (x >> (o - 2) & 3);
}

double ws_sample_bin_first(unsigned bin)
{
	return bin < 8 ? bin : ldexp(4 + (bin - 8) % 4, (int)((bin - 8) / 4 + 1));
}

static bool grow_to_cell(struct ws_mass *m, uint32_t cell)
{
	assert(cell >= m->len);
	if (!WS_ROOM(m->at, m->cap, (size_t)cell + 1))
		return false;
	for (size_t i = m->len; i <= cell; i++)
		m->at[i] = 0;
	m->len = (size_t)cell + 1;
	return true;
}

bool ws_mass_sum(struct ws_mass *to, const struct ws_mass *from, double scale)
{
	if (from->len > to->len && !grow_to_cell(to, (uint32_t)from->len - 1))
		return false;
	assert(to->len >= from->len);
	for (size_t i = 0; i < from->len; i++)
		to->at[i] += scale * from->at[i];
	return true;
}

bool ws_mass_add(struct ws_mass *m, uint32_t d, double weight)
{
	uint32_t cell = d >> WS_DISTANCE_BITS ? ws_cell(d, WS_DISTANCE_BITS) : d;

	if (cell >= m->len && !grow_to_cell(m, cell))
		return false;
	m->at[cell] += weight;
	return true;
}

bool ws_mass_reach(struct ws_mass *m, size_t len)
{
	return len <= m->len || grow_to_cell(m, (uint32_t)len - 1);
}

bool ws_mass_spread(struct ws_mass *mass, double low, double high, double weight)
{
	double density;
	uint32_t cell, last;

	low = low < 0 ? 0 : low > WS_SAMPLE_END - 1 ? WS_SAMPLE_END - 1 : low;
	high = high > WS_SAMPLE_END ? WS_SAMPLE_END : high;
	last = ws_cell((uint32_t)high, WS_DISTANCE_BITS);
	if (!ws_mass_reach(mass, (size_t)last + 1))
		return false;
	assert(low < high);
	density = weight / (high - low);
	for (cell = ws_cell((uint32_t)low, WS_DISTANCE_BITS); low < high; cell++) {
		double end = cell < last ? ws_cell_first(cell + 1, WS_DISTANCE_BITS) : high;

		end = end < high ? end : high;
		mass->at[cell] += density * (end - low);
		low = end;
	}
	return true;
}

static bool spread_stack(struct ws_mass *before, struct ws_mass *placed, double rate)
{
	bool ok = true;

	for (uint32_t cell = 0; cell < placed->len && ok; cell++)
		if (placed->at[cell] > 0)
			ok = ws_mass_spread(before, ws_cell_first(cell, WS_DISTANCE_BITS) / rate,
					    ws_cell_first(cell + 1, WS_DISTANCE_BITS) / rate,
					    placed->at[cell]);
	placed->len = 0;
	return ok;
}

bool ws_old_spread(struct ws_old *o, size_t stacks, const struct ws_level *l)
{
	bool ok = true;

	for (size_t i = 0; i < stacks && ok; i++)
		ok = spread_stack(o->before + i, o->placed + i, l->rate);
	return ok;
}
