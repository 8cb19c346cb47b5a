/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hip/hip_cooperative_groups.h -- as cooperative_groups.h.
 */
#pragma GCC system_header
#include "hip_runtime.h"
#include "../cooperative_groups.h"
