/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * driver_types.h -- its types are in cuda_runtime_api.h.
 */
#pragma GCC system_header
#include "cuda_runtime.h"
