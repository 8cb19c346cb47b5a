/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_occupancy.h -- questions of occupancy are in cuda_runtime_api.h.
 */
#pragma GCC system_header
#include "cuda_runtime.h"
