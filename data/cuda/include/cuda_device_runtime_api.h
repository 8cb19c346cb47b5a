/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_device_runtime_api.h -- its names are in cuda_runtime.h.
 */
#pragma GCC system_header
#include "cuda_runtime.h"
