/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * device_double_functions.h -- its functions are in cuda_device.h.
 */
#pragma GCC system_header
#include "cuda_runtime.h"
