/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cudaProfiler.h -- its calls are in cuda_runtime_api.h.
 */
#pragma GCC system_header
#include "cuda_runtime.h"
