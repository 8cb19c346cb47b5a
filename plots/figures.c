/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/figures.c -- the table of figures.
 *
 * To add one: data/plot/<name>.gp, plots/<name>.c with a `const struct ws_figure
 * ws_figure_<name>`, and its row here ('_' for '-').  Those of pchase are in plots/pchase.c.
 */
#include "plots/plots.h"

#include <string.h>

#define FIGURES(X) X(reuse) X(missratio) X(access) X(missrate_time) X(softcache_lines) \
	X(request_sizes) X(bars) X(hardware) X(hardware_budget) \
	X(pchase_size) X(pchase_stride) X(pchase_access) X(pchase_map) X(pchase_sets) \
	X(pchase_victims) X(pchase_curve) X(pchase_spectrum) X(pchase_banks)

#define DECLARE(name) extern const struct ws_figure ws_figure_##name;
FIGURES(DECLARE)

#define ROW(name) &ws_figure_##name,
const struct ws_figure *const ws_figures[] = { FIGURES(ROW) NULL };

const struct ws_figure *ws_figure_find(const char *name)
{
	for (const struct ws_figure *const *f = ws_figures; *f; f++)
		if (strcmp((*f)->name, name) == 0)
			return *f;
	return NULL;
}
