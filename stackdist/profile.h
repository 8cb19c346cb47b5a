/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/profile.h -- private: what a profile may hold.
 */
#ifndef WS_STACKDIST_PROFILE_H
#define WS_STACKDIST_PROFILE_H

#include "stackdist/stackdist.h"

/* WS_EINVAL unless the machine's L1 could have such lines and so many sets. */
enum ws_status ws_profile_check_shape(const struct ws_machine *m, const struct ws_shape *shape,
				      struct ws_err *err) WS_MUST_CHECK;
/* The same of what the L1s before an L2 may be. */
enum ws_status ws_filter_check(const struct ws_machine *m, const struct ws_filter *f,
			       struct ws_err *err) WS_MUST_CHECK;
/* Sampled profiles are estimates: less is certain of them. */
static inline bool ws_profile_sampled(const struct ws_profile *p)
{
	return p->sample_rate < 1 || p->sample_lines > 0;
}
/* Of an L2 that keeps what a launch left in it. */
static inline bool ws_profile_keeps(const struct ws_profile *p)
{
	return p->machine.l1.slices && p->machine.l2_start == WS_L2_KEEP;
}
/* The machine's L1, at that geometry. */
struct ws_cache ws_geometry_cache(const struct ws_machine *m, uint64_t line_bytes,
				  uint64_t sector_bytes, uint64_t sets);
void ws_histogram_clear(struct ws_histogram *h); /* frees what it holds, zeroes it */
void ws_section_clear(struct ws_section *s);

#endif
