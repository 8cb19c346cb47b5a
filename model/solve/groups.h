/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/groups.h -- private: reuse windows by count type, compressed, and the kinds of lines
 * behind them.
 *
 * Groups: neighbouring classes of one bin are added up until they are not rare.  As in reuse.h,
 * groups 0 .. types - 1 are references, the rest end windows.
 *
 * Near and far: a reference inside the window of another is *near* if its own window is no longer,
 * that is, if its line is as busy now as the window's.  Near references are to few lines, again and
 * again: of c such references with windows of t' in one of t, c t' / t are the first of their
 * lines.  Far references (COLD, RELOAD among them) each are a line's own.
 *
 * Latents: of two references of one type, one may be to a hot line and the other to a cold one, and
 * a line stays hot or cold from one reference to the next.  Pairs of consecutive references are a
 * mixture of LATENTS kinds of lines,
 *
 *   P(bin, bin') = sum over k of pi_k(class) u_k(bin) u_k(bin'),
 *
 * fitted by expectation-maximization (probabilistic latent semantic analysis, Hofmann 1999), the
 * kinds begun as near to far ones.
 */
#ifndef WS_MODEL_SOLVE_GROUPS_H
#define WS_MODEL_SOLVE_GROUPS_H

#include "model/reuse.h"

#define WS_LATENTS 4u

struct ws_group {
	enum ws_row_sort sort;
	unsigned type, class;	/* the first's class */
	double count, time;	/* as of ws_row */
	size_t far, near, prior; /* its first in far[] ...; the next group's end them */
	double far_lines, near_lines; /* in the window */
};

struct ws_inside {		/* of a window */
	uint32_t group;
	double count;		/* mean number of references */
	double lines;		/* of them, the first of their lines; far: all */
};

struct ws_prior {		/* of a group, as type of the line's previous reference */
	uint32_t group;
	double fraction;
	double latent[WS_LATENTS]; /* of the fraction, how much each kind of line has */
	double again;		/* how much the previous window is like this one: 0 .. 1 */
	double arrived;		/* fraction of its far lines that are near ones now */
};

struct ws_groups {
	size_t types, groups;
	double references;
	struct ws_group *group;	/* [groups + 1] */
	struct ws_inside *far, *near;
	struct ws_prior *prior;
	double (*latent)[WS_LATENTS]; /* [groups]: fractions of the kinds in it */
	uint32_t *of;		/* [rows of the windows]: the group */
};

enum ws_status ws_groups_new(struct ws_groups **out, const struct ws_reuse *windows,
			     struct ws_err *err) WS_MUST_CHECK;
void ws_groups_free(struct ws_groups *g);

#endif
