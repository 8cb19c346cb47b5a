/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hip/hip_fp16.h -- as cuda_fp16.h.
 */
#pragma GCC system_header
#include "../cuda_fp16.h"
