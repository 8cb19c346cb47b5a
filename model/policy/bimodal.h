/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/bimodal.h -- for policies that insert a line at a better position with probability
 * param[0].
 */
#ifndef WS_POLICY_BIMODAL_H
#define WS_POLICY_BIMODAL_H

#include "model/policy/draw.h"

#define WS_BIMODAL (1.0 / 32)	/* as in the papers */

static inline enum ws_status ws_bimodal_parse(const char *text, double fallback, struct ws_use *use,
					      struct ws_err *err)
{
	use->params = 1;
	use->param[0] = fallback;
	return *text ? ws_param_fraction(text, use->param, err) : WS_OK;
}

/* Draws once. */
static inline bool ws_bimodal_high(struct ws_set *set, double probability)
{
	return ws_draw_chance(set, probability);
}

#endif
