/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/means.c -- size, sets and ways as the mean latencies of walks have them.
 *
 * The array grows by a line at a time.  The mean latency of a pass rises from the size of the cache
 * on, with each set that overflows, until all do (Wong et al., ISPASS 2010; Saavedra and Smith,
 * IEEE TC 1995): so many steps, so many sets.  That wants sets of one size, and LRU.
 */
#include "validate/pchase.h"

#include <stdlib.h>

#define PASSES 3u
#define RISES 1.005		/* a mean that is this times the last one */
#define FLAT 6u			/* means in a row that do not rise: the end */
#define LINES_MOST (1u << 17)
#define LOADS_MOST (1u << 24)	/* of all walks */

struct mean_walks {
	const struct ws_chase_target *target;
	uint64_t line, loads;
	uint64_t *offset;
	double *cycles;
	size_t offset_cap, cycles_cap;
};

static enum ws_status mean_of(struct mean_walks *w, uint64_t lines, double *mean,
			      struct ws_err *err)
{
	size_t count = (size_t)(PASSES * lines);
	double sum = 0;
	enum ws_status status;

	if (!WS_ROOM(w->offset, w->offset_cap, count) || !WS_ROOM(w->cycles, w->cycles_cap, count))
		return ws_fail_memory(err, "the loads");
	for (size_t i = 0; i < count; i++)
		w->offset[i] = i % lines * w->line;
	status = w->target->run(w->target->state, w->offset, count, true, w->cycles, err);
	for (size_t i = count - (size_t)lines; i < count && status == WS_OK; i++)
		sum += w->cycles[i];
	*mean = sum / (double)lines;
	w->loads += count;
	return status;
}

/* The most lines, of powers of two and then one by one, whose mean is that of hits. */
static enum ws_status lines_that_hit(struct mean_walks *w, double hit, uint64_t *lines,
				     struct ws_err *err)
{
	uint64_t fits = 1, more = 2;
	double mean = hit;
	enum ws_status status = WS_OK;

	while (status == WS_OK && mean <= hit * RISES && more <= LINES_MOST) {
		status = mean_of(w, more, &mean, err);
		if (mean <= hit * RISES) {
			fits = more;
			more *= 2;
		}
	}
	while (status == WS_OK && more - fits > 1 && more <= LINES_MOST) {
		uint64_t middle = fits + (more - fits) / 2;

		status = mean_of(w, middle, &mean, err);
		*(mean <= hit * RISES ? &fits : &more) = middle;
	}
	*lines = more <= LINES_MOST ? fits : 0;
	return status;
}

enum ws_status ws_chase_means(struct ws_chase_means *out, const struct ws_chase_target *target,
			      uint64_t line, struct ws_err *err)
{
	struct mean_walks w = { .target = target, .line = line };
	double hit, last, mean;
	unsigned flat = 0;
	enum ws_status status = mean_of(&w, 1, &hit, err);

	*out = (struct ws_chase_means){ .line = line };
	last = hit;
	if (status == WS_OK)
		status = lines_that_hit(&w, hit, &out->lines, err);
	for (uint64_t n = out->lines + 1; out->lines && flat < FLAT && w.loads < LOADS_MOST &&
	     status == WS_OK; n++) {
		status = mean_of(&w, n, &mean, err);
		flat = mean > last * RISES ? 0 : flat + 1;
		if (flat)
			continue;
		out->sets++;
		out->flat = n;
		last = mean;
	}
	out->ways = out->sets ? (double)out->lines / (double)out->sets : 0;
	free(w.offset);
	free(w.cycles);
	return status;
}
