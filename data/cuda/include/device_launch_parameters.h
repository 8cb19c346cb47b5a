/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * device_launch_parameters.h -- what it declares is in cuda_runtime.h.
 */
#pragma GCC system_header
#include "cuda_runtime.h"
