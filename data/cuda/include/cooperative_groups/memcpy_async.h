/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cooperative_groups/memcpy_async.h -- its functions are in cooperative_groups.h.
 */
#pragma GCC system_header
#include "../cooperative_groups.h"
#include "../cuda/barrier"
