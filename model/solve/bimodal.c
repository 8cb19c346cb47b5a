/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/bimodal.c -- BRRIP and BIP as two clocks: evictions and admissions.
 *
 * A line that was just fetched is *fresh*: the next eviction of its set takes it.  A line that is
 * hit before that becomes *used*.  Used lines are safe as long as the set has a fresh line.  So
 * their clock counts not evictions but *admissions*, after which the set has no fresh line: hits of
 * fresh lines, and the fraction eps of fetches that are inserted higher (*kept*).  The first W
 * lines of a set are *initial*: nothing is evicted until the set is full, then admissions evict
 * them one by one.
 *
 *   fresh    survives its window with P0, the probability that nothing in the window evicts
 *   kept     lives R admissions
 *   used     lives (4 - eps) R: its value has three steps to the top.  But lines rise together, the
 *            longer the rarer kept lines are (3 is SRRIP's factor; 4 was measured best for 1/32)
 *   initial  lives 0 .. 2 R, uniformly
 *
 * f_i is the fraction of references of type i that find their line, for each latent kind of line
 * (latents.h).  It is a sum over the states in which the previous reference left the line: fresh or
 * kept if it missed, used if it hit.  The number of admissions in a window is a sum over the
 * references inside of a_j: how often a reference of type j admits its line.  BIP differs only in
 * how long lines live, which the closure determines.  So the model of BRRIP serves for it, too.
 *
 * The closure: the mean number of resident lines, O, equals what fits, T.  It determines R.
 *
 * P0.  If references inside a window were independent, P0 would be q = product of (1 - x)^c with x
 * = 1 - f.  They are not.  A line that is fresh now was evicted before, by a neighbouring line that
 * is probably fresh, too, and will evict it again, and so on: a few lines referenced in turn thrash
 * one way while W - 1 others are dead.  So for near lines (latents.h), which were in the previous
 * window, too:
 *
 *   near lines did not evict then,   near lines do not evict now if the new ones do not
 *   but far ones did
 *   near lines evicted then          they evict now, too, unless all fresh ones have been kept: eps
 *                                    if there was one
 *
 * This holds if the previous window was like this one.  If it was longer (the line comes back), or
 * there was none, P0 is q less a little, since lines that come back come in groups.
 *
 * The iteration starts from no hits.  It leads to the least fixed point, which a cold cache
 * reaches.
 *
 * Not modelled: differences between sets; phases (the whole launch is one mixture); how many lines
 * are at the top at a time.  O(sweeps * entries of windows), some 120 sweeps.
 */
#include "model/solve/bimodal.h"
#include "model/constants.h"
#include "model/solve/latents.h"
#include "model/solve/law.h"
#include "model/solve/solver.h"

#include <math.h>

#define INITIAL 2.0

#define COUNTED_MOST 30.0	/* mean admissions beyond which the law is normal */
#define POISSON 0.02		/* binomials of smaller probability are taken as Poisson's */
#define SD_LEAST 0.3

#define LIFE_LEAST 0.15
#define LIFE_MOST 64.0		/* times W, and 4 */
#define FEW 0.25		/* kept lines per way, in all */
#define CUTS 16u		/* of the bracket of ln R */
#define BRACKET_NARROW 0.004
#define OCCUPIED_NEAR 0.003	/* of T */
#define OCCUPIED_OVER 1.3	/* of T: it is exceeded already, and O only grows */
#define SWEEPS 60u		/* at one R */
#define SWEEPS_LEAST 5u
#define SETTLED 1e-3

struct view {			/* of a type, as the windows around it see it */
	double x, log_clean;	/* evictions; ln(1 - x) */
	double admits, square;	/* a, a^2 */
};

struct model_state {
	double hit[WS_TYPES][WS_LATENTS]; /* by row, of each kind's fraction */
	double found[WS_TYPES];	/* f, over all kinds */
	double admits[WS_TYPES];
	double clean_near[WS_TYPES], clean_far[WS_TYPES]; /* q of the lines in its window */
	double resident;	/* O */
	double missing;
};

struct model {
	const struct ws_reuse *windows;
	const struct ws_latents *latents;
	double eps, used, evicting, fits; /* evicting: kappa; fits: T */
	double initial_lines;	/* of those that found room */
	double life;		/* R */
	double together;	/* lines that come back: how much smaller P0 is */
	struct view view[WS_TYPES];
	struct model_state now, low, high; /* low, high: of the ends of the bracket */
	struct ws_law law;	/* of the current window */
};

/* ---- one window ---------------------------------------------------------------------------- */

struct window {
	double mean, square;	/* of admissions: sums of c a, c a^2 */
	double evictions;
	double near, far;	/* q of near lines, far lines */
	double alone;		/* P(exactly one near line is fresh, if any is) */
};

struct inside_sums {			/* over the references inside */
	double x, log_clean, admits, square, evictions;
};

static struct inside_sums add_up(const struct model *m, const struct ws_inside *in, size_t count)
{
	struct inside_sums s = { 0 };

	for (size_t i = 0; i < count; i++) {
		const struct view *v = m->view + in[i].row;
		double n = in[i].count, lines = in[i].lines;

		s.x += lines * v->x;
		s.log_clean += lines * v->log_clean;
		s.admits += n * v->admits;
		s.square += n * v->square;
		s.evictions += n * v->x;
	}
	return s;
}

static void look(const struct model *m, const struct ws_latent_row *r, struct window *w)
{
	struct inside_sums far = add_up(m, m->latents->far + r->far, r[1].far - r->far);
	struct inside_sums near = add_up(m, m->latents->near + r->near, r[1].near - r->near);
	double parts = fmax(1, r->near_lines), x = fmin(0.999999, near.x / parts), all;

	w->mean = far.admits + near.admits;
	w->square = far.square + near.square;
	w->evictions = far.evictions + near.evictions;
	/* A window of one reference has one of them: 1 - sum c x, not a product. */
	all = fmax(exp(far.log_clean + near.log_clean), 1 - far.x - near.x);
	w->far = fmax(exp(far.log_clean), 1 - far.x);
	w->near = fmin(1, all / fmax(w->far, 1e-12));
	w->alone = w->near < 1 - 1e-9
		? fmin(1, parts * x / (1 - x) * w->near / (1 - w->near)) : 1;
}

/* P0 of a line whose previous reference, of a finite type, missed. */
static double undisturbed(const struct model *m, const struct window *w, const struct ws_prior *p,
			  bool ends)
{
	double near = m->now.clean_near[p->row], far = m->now.clean_far[p->row];
	double all = near * far, same, new = w->near * w->far;

	if (ends)
		return new;
	if (p->arrived > 0)
		same = near * (p->arrived < 1 ? pow(far, p->arrived) : far);
	else
		same = near;
	far = all / fmax(same, 1e-12);
	new *= 1 - m->together;
	if (all > 1 - 1e-9)
		return (1 - p->again) * new;
	same = w->far * ((1 - same) * m->eps * w->alone +
			 same * (1 - far) * fmin(1, w->near / fmax(same, 1e-12))) / (1 - all);
	return p->again * same + (1 - p->again) * new;
}

struct start {			/* by kind: states in which lines were left, fractions of all */
	double fresh[WS_LATENTS], used[WS_LATENTS], initial[WS_LATENTS];
	double stays[WS_LATENTS]; /* fresh, and nothing evicts */
	const struct ws_prior *same; /* the type itself, not counted above; or NULL */
	double same_clean;	/* its P0 */
};

static void left(struct start *s, const struct ws_prior *p, const double *hit, double room,
		 double clean)
{
	for (unsigned k = 0; k < WS_LATENTS; k++) {
		double used = p->latent[k] * hit[k];
		double fresh = (p->latent[k] - used) * (1 - room);

		s->used[k] += used;
		s->initial[k] += p->latent[k] * room;
		s->fresh[k] += fresh;
		s->stays[k] += fresh * clean;
	}
}

static void begin_window(const struct model *m, size_t row, const struct window *w,
			 struct start *out)
{
	const struct ws_latents *l = m->latents;
	bool ends = row >= m->windows->types;
	struct start s = { 0 };

	for (size_t i = l->row[row].prior; i < l->row[row + 1].prior; i++) {
		const struct ws_prior *p = l->prior + i;
		enum ws_row_sort sort = m->windows->row[p->row].sort;
		bool finite = sort == WS_ROW_FINITE, first = sort == WS_ROW_COLD;
		double room = first ? m->initial_lines * (1 - m->evicting) : 0;
		double clean = finite ? undisturbed(m, w, p, ends) : w->near * w->far;

		if (p->row == row) {
			s.same = p;
			s.same_clean = clean;
		} else { /* hits of rows that are not finite are 0 */
			left(&s, p, m->now.hit[p->row], room, clean);
		}
	}
	*out = s;
}

/* By state: the fraction of lines resident at the window's end, and the mean over the window. */
struct live {
	double kept, used, initial;
	double fresh_stays, kept_stays, used_stays, initial_stays;
};

#define INITIAL_POINTS 4u

static void live(struct model *m, const struct window *w, struct live *l)
{
	double longest = fmax(m->used, INITIAL) * m->life, per = 1 / fmax(w->mean, 1e-9);
	bool counted = w->mean < COUNTED_MOST && longest < WS_LAW_MAX;

	ws_law_make(&m->law, w->mean, w->square, counted ? (int)longest + 1 : -1, POISSON);
	*l = (struct live){
		.kept = ws_law_below(&m->law, m->life, SD_LEAST),
		.used = ws_law_below(&m->law, m->used * m->life, SD_LEAST),
		.fresh_stays = w->evictions > 1e-9
			? fmin(1, (1 - exp(-w->evictions)) / w->evictions) : 1,
		.kept_stays = fmin(1, m->life * per),
		.used_stays = fmin(1, m->used * m->life * per),
	};
	for (unsigned i = 0; i < INITIAL_POINTS; i++) {
		double lives = (i + 0.5) / INITIAL_POINTS * INITIAL * m->life;

		l->initial += ws_law_below(&m->law, lives, SD_LEAST) / INITIAL_POINTS;
		l->initial_stays += fmin(1, lives * per) / INITIAL_POINTS;
	}
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* The fraction of fetches that do not find an invalid way left by an EVICT. */
static double reserved(const struct model *m)
{
	const struct ws_reuse *w = m->windows;
	double fetches = 0, invalid_ways = 0;

	for (size_t i = 0; i < w->types; i++) {
		enum ws_row_sort sort = w->row[i].sort;
		double n = w->row[i].count, found = m->now.found[i];

		fetches += sort == WS_ROW_FINITE ? n * (1 - found) : sort != WS_ROW_EVICT ? n : 0;
		invalid_ways += sort == WS_ROW_EVICT ? n * found : 0;
	}
	return fetches > invalid_ways ? 1 - invalid_ways / fetches : 0;
}

static void set_admits(struct model *m, size_t i, double admits)
{
	m->now.admits[i] = admits;
	m->view[i].admits = admits;
	m->view[i].square = admits * admits;
}

static void view_all(struct model *m)
{
	const struct ws_reuse *w = m->windows;
	double fraction = reserved(m);

	for (size_t i = 0; i < w->types; i++) {
		double x = w->row[i].sort == WS_ROW_FINITE ? 1 - m->now.found[i]
			: w->row[i].sort == WS_ROW_COLD ? m->evicting
			: w->row[i].sort == WS_ROW_RELOAD;

		x *= fraction;
		m->view[i].x = x;
		m->view[i].log_clean = log(1 - fmin(x, 0.999999));
		set_admits(m, i, m->now.admits[i]);
	}
}

/* Hits of each kind; adds to *s what the type itself left.  This is solved for directly, since long
 * runs of one type would take many sweeps: h = (rest + same (used h + fresh (1 - h))) / all. */
static void solve_same(const struct model *m, size_t i, struct start *s, const struct live *l,
		       double *hit)
{
	double fresh = (1 - m->eps) * s->same_clean + m->eps * l->kept;

	for (unsigned k = 0; k < WS_LATENTS; k++) {
		double same = s->same ? s->same->latent[k] : 0;
		double rest = (1 - m->eps) * s->stays[k] + m->eps * s->fresh[k] * l->kept +
			s->used[k] * l->used + s->initial[k] * l->initial;
		double all = m->latents->row[i].latent[k] - same * (l->used - fresh);

		hit[k] = fmin(1, (rest + same * fresh) / fmax(all, 1e-15));
	}
	if (s->same)
		left(s, s->same, hit, 0, s->same_clean);
}

/* Returns the change of the type's hits, scaled down if it is rare. */
static double renew(struct model *m, size_t i, struct start *s, const struct live *l)
{
	const struct ws_reuse_row *r = m->windows->row + i;
	double hit[WS_LATENTS], stays = 0, found = 0, change;

	solve_same(m, i, s, l, hit);
	for (unsigned k = 0; k < WS_LATENTS; k++) {
		stays += s->stays[k];
		found += hit[k] * m->latents->row[i].latent[k];
		m->now.hit[i][k] = hit[k];
	}
	found = fmin(1, found);
	if (r->sort == WS_ROW_FINITE)
		set_admits(m, i, (1 - m->eps) * stays + m->eps * (1 - found));
	change = found - m->now.found[i];
	m->now.found[i] = found;
	return fabs(change) * fmin(1, 1000 * r->count / m->windows->references);
}

static double stay(const struct model *m, const struct start *s, const struct live *l)
{
	double fresh = 0, used = 0, initial = 0;

	for (unsigned k = 0; k < WS_LATENTS; k++) {
		fresh += s->fresh[k];
		used += s->used[k];
		initial += s->initial[k];
	}
	return fresh * ((1 - m->eps) * l->fresh_stays + m->eps * l->kept_stays) +
		used * l->used_stays + initial * l->initial_stays;
}

/* Updates all rows once; returns the largest change. */
static double sweep(void *context, unsigned number)
{
	struct model *m = context;
	const struct ws_reuse *all = m->windows;
	double most = 0, resident = 0, missing = 0;

	(void)number;
	view_all(m);
	for (size_t i = 0; i < all->rows; i++) {
		const struct ws_reuse_row *r = all->row + i;
		struct window w;
		struct start s;
		struct live l;

		if (r->sort == WS_ROW_COLD || r->sort == WS_ROW_RELOAD) {
			set_admits(m, i, m->eps * m->view[i].x);
			missing += r->count;
			continue;
		}
		look(m, m->latents->row + i, &w);
		if (i < all->types) {
			m->now.clean_near[i] = w.near;
			m->now.clean_far[i] = w.far;
		}
		begin_window(m, i, &w, &s);
		live(m, &w, &l);
		if (i < all->types) {
			most = fmax(most, renew(m, i, &s, &l));
			missing += r->count * (1 - m->now.found[i]);
		}
		resident += r->count * r->time * stay(m, &s, &l);
	}
	m->now.resident = resident / all->references;
	m->now.missing = missing / all->references;
	return most;
}

static bool overfull(const void *context)
{
	const struct model *m = context;

	return m->now.resident > OCCUPIED_OVER * m->fits;
}

static void settle_model(struct model *m)
{
	const struct ws_sweeping sweeps = { .sweep = sweep, .enough = overfull, .context = m,
					    .settled = SETTLED, .least = SWEEPS_LEAST,
					    .most = SWEEPS };

	(void)ws_sweep(&sweeps);
}

/* ---- the closure --------------------------------------------------------------------- */

static void from_nothing(struct model *m)
{
	const struct ws_reuse *w = m->windows;

	for (size_t i = 0; i < w->types; i++) {
		bool repeat = w->row[i].sort == WS_ROW_FINITE && w->row[i].type == 0;

		for (unsigned k = 0; k < WS_LATENTS; k++)
			m->low.hit[i][k] = repeat;
		m->low.found[i] = repeat;
		m->low.admits[i] = m->eps * (!repeat && w->row[i].sort != WS_ROW_EVICT);
	}
}

/* If hardly any line is ever kept, nothing evicts used lines, and O hardly depends on R.  Do they
 * fill all ways but the last? */
static bool immortal(struct model *m, double ways, double sets)
{
	if (m->eps * m->windows->references > FEW * ways * sets)
		return false;
	m->life = LIFE_MOST * ways + 4;
	m->now = m->low;
	settle_model(m);
	m->high = m->now;
	return m->now.resident < m->fits + 1.5;
}

/* Always starts from the lower end, which has fewer hits. */
static double resident_at(void *context, double log_life)
{
	struct model *m = context;

	m->now = m->low;
	m->life = exp(log_life);
	settle_model(m);
	return m->now.resident;
}

static void keep(void *context, bool upper)
{
	struct model *m = context;

	*(upper ? &m->high : &m->low) = m->now;
}

/* Cuts the bracket on ln R; returns the answer's position in it: 0 at the low end, 1 at the high.
 * */
static double close(struct model *m, double ways, double sets)
{
	const struct ws_cutting cutting = {
		.measure = resident_at, .keep = keep, .context = m, .rule = WS_CUT_THIRDS,
		.target = m->fits, .near = OCCUPIED_NEAR, .narrow = BRACKET_NARROW, .most = CUTS,
	};
	struct ws_bracket b = { .low = log(LIFE_LEAST), .high = log(LIFE_MOST * ways + 4) };

	from_nothing(m);
	if (immortal(m, ways, sets))
		return 1;
	b.at_low = m->low.resident;
	b.at_high = m->high.resident;
	ws_bracket_cut(&cutting, &b);
	if (b.near)
		return m->now.resident >= m->fits;
	if (!b.under)
		return 1;
	return !b.over ? 0 : fmin(1, fmax(0, (m->fits - m->low.resident) /
					     (m->high.resident - m->low.resident)));
}

/* above: the position between the low end of the bracket and the high one. */
static void answer(struct ws_bimodal *out, const struct model *m, double above)
{
	for (size_t i = 0; i < m->windows->types; i++) {
		double low = m->low.found[i], high = m->high.found[i];

		out->hit[i] = fmin(1, fmax(0, low + above * (high - low)));
	}
	out->missing = ws_reuse_missing(m->windows, out->hit);
}

/* With the same R. */
static double restless(struct model *m)
{
	double before;

	settle_model(m);
	before = m->now.missing;
	m->together = WS_BIMODAL_TOGETHER_MORE;
	settle_model(m);
	return fabs(m->now.missing - before);
}

enum ws_status ws_bimodal_hits(struct ws_bimodal *out, const struct ws_reuse *windows,
			       uint64_t ways, double kept, struct ws_err *err)
{
	struct model m = { .windows = windows, .eps = kept, .together = WS_BIMODAL_TOGETHER,
			   .initial_lines = 1 - (1 - WS_BIMODAL_INITIAL) *
				       fmin(1, kept / WS_BIMODAL_INITIAL_KEPT),
			   .used = WS_BIMODAL_USED - kept,
			   .evicting = ws_evicting(windows->detail, ways),
			   .fits = ws_resident(windows, ways) };
	struct ws_latents *latents;
	enum ws_status status = ws_latents_new(&latents, windows, err);

	if (status != WS_OK)
		return status;
	m.latents = latents;
	ws_law_init(&m.law);
	answer(out, &m, close(&m, (double)ways, windows->sets));
	out->restless = restless(&m);
	ws_latents_free(latents);
	return WS_OK;
}
