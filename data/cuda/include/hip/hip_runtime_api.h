/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hip/hip_runtime_api.h -- its names are in hip_runtime.h.
 */
#pragma GCC system_header
#include "hip_runtime.h"
