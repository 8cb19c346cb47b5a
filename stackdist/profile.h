/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/profile.h -- private: what a profile may hold.
 */
#ifndef WS_STACKDIST_PROFILE_H
#define WS_STACKDIST_PROFILE_H

#include "stackdist/stackdist.h"

/* WS_EINVAL unless the machine's L1 could have that many sets. */
enum ws_status ws_profile_check_sets(const struct ws_machine *m, uint64_t sets,
				     struct ws_err *err) WS_MUST_CHECK;

#endif
