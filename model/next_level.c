/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/next_level.c -- predictions of the L2 behind the L1s.
 *
 * A profile with an L2 holds, for each geometry of the L1s, a profile of their miss stream as the
 * L2's slices together see it (stackdist.h).  It is queried like a profile of an L1, with any
 * policy.  Then the lines that the L2 held at the start are subtracted.  They were counted as cold
 * loads, which miss under every policy, so requests and misses shrink by the same number, and the
 * interval is that of the requests that remain.
 *
 * The stream is that of L1s with LRU.  With another policy the L1s' misses differ by an unknown
 * number.  The prediction is then that behind LRU, with low confidence, and its interval is 0 .. 1.
 */
#include "model/answers.h"

#include <inttypes.h>
#include <math.h>

#define POINTS 100.0

/* ---- can the profile answer? ------------------------------------------------------ */

/* "64 of 4 x 128 B": sets, ways and line of the L1s that the profile has. */
static void list_filters(const struct ws_profile *p, char *list, size_t size)
{
	size_t len = 0, i;

	for (i = 0; i < p->behinds && len < size - 80; i++) {
		const struct ws_filter *f = &p->behind[i].l1;

		len += (size_t)snprintf(list + len, size - len, "%s%" PRIu64 " x %" PRIu64 " of %"
					PRIu64 " B", i ? ", " : "", f->sets, f->ways,
					f->line_bytes);
	}
	if (i < p->behinds)
		snprintf(list + len, size - len, ", ...");
}

static enum ws_status no_behind(const struct ws_profile *p, const struct ws_cache *l1,
				struct ws_err *err)
{
	char list[512] = "";

	if (!p->behinds)
		return ws_fail_remedy(err, WS_REMEDY_L2, "the profile holds no L2: profile the "
				      "trace again with one");
	list_filters(p, list, sizeof list);
	return ws_fail(err, WS_EINVAL, "the profile holds no L2 behind L1s of %" PRIu64 " sets x %"
		       PRIu64 " ways of %" PRIu64 " B, but of %s: profile the trace again with "
			       "such an L1", l1->sets, l1->ways, l1->line_bytes, list);
}

/* Keys on which the L2's stream and sets depend. */
static enum ws_status check_keys(const struct ws_machine *has, const struct ws_machine *m,
				 struct ws_err *err)
{
	const struct ws_key *key = ws_key_other(has, &m->l1, m);

	if (key)
		return ws_key_other_fail(has, m, key, "'s L2 was recorded", err);
	if (m->l1.sector_bytes != ws_shape_sector(has, m->l1.line_bytes))
		return ws_fail(err, WS_EINVAL, "the profile's L2 was recorded with l1.sector = %"
			       PRIu64 " for lines of %" PRIu64 " bytes, not %" PRIu64,
			       ws_shape_sector(has, m->l1.line_bytes), m->l1.line_bytes,
			       m->l1.sector_bytes);
	return WS_OK;
}

/* For an L2 that keeps its lines between launches only distances are known. */
static enum ws_status check_kept(const struct ws_machine *m, struct ws_err *err)
{
	if (m->l2_start != WS_L2_KEEP || ws_policy_as_lru(&m->l2))
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "l2.start = keep: predicted of l2.policy = lru only, not of "
		       "%s; it can be simulated", m->l2.policy);
}

/* Errors name the L2's keys. */
static enum ws_status check_sets(const struct ws_profile *l2, size_t section,
				 const struct ws_machine *m, struct ws_err *err)
{
	char list[256] = "", size[64] = "";
	size_t len = 0;

	if (section >= l2->sections)
		return ws_fail(err, WS_EINVAL, "kernel %zu of a profile of %zu", section,
			       l2->sections);
	if (ws_section_geometry(l2->section + section, m->l2.line_bytes, m->l2.sets * m->l2_slices))
		return WS_OK;
	for (size_t i = 0; i < l2->section[section].geometries && len < sizeof list - 24; i++)
		len += (size_t)snprintf(list + len, sizeof list - len, "%s%" PRIu64,
					i ? ", " : "",
					l2->section[section].geometry[i].sets / m->l2_slices);
	if (m->l2.given & WS_GIVEN_SIZE)
		snprintf(size, sizeof size, " (of l2.size = %" PRIu64 ")", m->l2.size_bytes);
	return ws_fail(err, WS_EINVAL, "the profile's L2 has no distances for l2.sets = %" PRIu64
		       "%s, but for %s: profile the trace again with such an L2", m->l2.sets, size,
		       list);
}

/* m: the machine while the section's launches run. */
static enum ws_status check_section(const struct ws_profile *p, size_t section,
				    const struct ws_machine *m,
				    struct ws_err *err)
{
	const struct ws_next_level *b = ws_profile_behind(p, &m->l1);
	const struct ws_cache whole = ws_l2_whole(m);
	enum ws_status status;

	status = ws_plain_check(&m->l1, "the L2 behind it is", err);
	if (status != WS_OK)
		return status;
	if (!p->behinds)
		return no_behind(p, &m->l1, err);
	status = check_keys(&p->machine, m, err);
	if (status != WS_OK)
		return status;
	if (!b)
		return no_behind(p, &m->l1, err);
	status = check_kept(m, err);
	if (status == WS_OK)
		status = check_sets(b->l2, section, m, err);
	return status != WS_OK ? status : ws_predict_check(b->l2, section, &whole, err);
}

enum ws_status ws_predict_l2_check(const struct ws_profile *p, size_t section,
				   const struct ws_machine *m, struct ws_err *err)
{
	struct ws_machine own;
	enum ws_status status = ws_section_machine(p->section + section, m, &own, err);

	return status != WS_OK ? status : check_section(p, section, &own, err);
}

/* ---- answers ------------------------------------------------------------------------- */

static double without(double ratio, double warm, double all)
{
	return all > warm ? fmin(1, fmax(0, (ratio * all - warm) / (all - warm))) : 0;
}

/* Subtracts misses of whole lines from a kind, and adapts its ratios. */
static void take_off(struct ws_prediction *p, unsigned kind, uint64_t warm, uint64_t line_bytes)
{
	struct ws_counts *c = p->kind + kind;
	double all = (double)c->requests;
	uint64_t sectors = c->sectors ? warm * (line_bytes / WS_SECTOR_BYTES) : 0;

	p->low[kind] = without(p->low[kind], (double)warm, all);
	p->high[kind] = without(p->high[kind], (double)warm, all);
	c->sectors -= sectors;
	c->sectors_missed -= sectors;
	c->requests -= warm;
	c->misses -= warm;
	c->cold -= warm;
	p->error_pp[kind] = c->requests
		? fmin(POINTS, p->error_pp[kind] * all / (double)c->requests) : 0;
}

/* The stream is another one: any ratio is possible. */
static void open_up(struct ws_prediction *p)
{
	p->basis = WS_APPROX;
	p->low_confidence = true;
	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		double ratio = ws_miss_ratio(p->kind + kind, false);

		if (!p->kind[kind].requests)
			continue;
		p->low[kind] = 0;
		p->high[kind] = 1;
		p->error_pp[kind] = POINTS * fmax(ratio, 1 - ratio);
	}
}

/* An exact ratio is its own interval, without a rounding error. */
static void finish(struct ws_prediction *p, uint64_t warm, const struct ws_machine *m)
{
	if (warm) {
		take_off(p, WS_LOAD, warm, m->l2.line_bytes);
		take_off(p, WS_KINDS, warm, m->l2.line_bytes);
	}
	if (warm && p->basis == WS_EXACT)
		ws_prediction_close(p);
	if (!ws_policy_as_lru(&m->l1))
		open_up(p);
}

static enum ws_status predict_l2(const struct ws_profile *p, struct ws_model *const *answers,
				 size_t section, const struct ws_machine *m,
					 struct ws_prediction *out,
				 struct ws_err *err)
{
	const struct ws_cache whole = ws_l2_whole(m);
	const struct ws_next_level *b;
	struct ws_machine own;
	enum ws_status status = ws_section_machine(p->section + section, m, &own, err);

	if (status == WS_OK)
		status = check_section(p, section, &own, err);
	if (status != WS_OK)
		return status;
	b = ws_profile_behind(p, &own.l1);
	status = answers ? ws_model_predict(answers[b - p->behind], section, &whole, out, err)
			 : ws_predict(b->l2, section, &whole, out, err);
	if (status == WS_OK)
		finish(out, b->l2->section[section].warm, &own);
	return status;
}

enum ws_status ws_predict_l2(const struct ws_profile *p, size_t section, const struct ws_machine *m,
			     struct ws_prediction *out, struct ws_err *err)
{
	return predict_l2(p, NULL, section, m, out, err);
}

enum ws_status ws_model_predict_l2(const struct ws_model *a, size_t section,
				     const struct ws_machine *m, struct ws_prediction *out,
				     struct ws_err *err)
{
	return predict_l2(a->profile, a->behind, section, m, out, err);
}
