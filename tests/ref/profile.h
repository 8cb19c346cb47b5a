/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/profile.h -- all that a profile records, counted straight from its definitions in
 * stackdist/stackdist.h: the requests of a set are kept as a list, and each number is
 * taken from that list by scanning it back and forth.  O(requests^2) and worse.
 */
#ifndef WS_REF_PROFILE_H
#define WS_REF_PROFILE_H

#include "stackdist/stackdist.h"

struct ref_launch {		/* of one kernel */
	const struct ws_launch *launch;
	struct ws_order_stats stats;
	const struct ws_request *const *request; /* [sm]: in order */
	const size_t *count;	/* [sm] */
};

/* retain: ws_retained_ways.  All of the lines are counted (options->sample_* are not read), in
 * options->shape, which must be there. */
struct ws_profile *ref_profile(const struct ws_machine *m,
			       const struct ws_profile_options *options, const uint32_t *retention,
			       const struct ref_launch *launch, size_t launches);
void ref_profile_free(struct ws_profile *p);
/* True if all of it is equal but the machine; else where[len] names the first field that is not. */
bool ref_profile_same(const struct ws_profile *got, const struct ws_profile *want, char *where,
		      size_t len);

#endif
