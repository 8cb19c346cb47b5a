/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * surface_types.h -- its names are in cuda_runtime.h.
 */
#pragma GCC system_header
#include "cuda_runtime.h"
