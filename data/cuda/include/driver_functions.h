/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * driver_functions.h -- its functions are in texture_types.h.
 */
#pragma GCC system_header
#include "cuda_runtime_api.h"
