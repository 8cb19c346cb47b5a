/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hip/hip_texture_types.h -- as texture_types.h.
 */
#pragma GCC system_header
#include "hip_runtime.h"
#include "../texture_types.h"
