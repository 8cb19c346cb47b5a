/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * crt/device_functions.h -- its functions are in cuda_device.h.
 */
#pragma GCC system_header
#include "../cuda_runtime.h"
