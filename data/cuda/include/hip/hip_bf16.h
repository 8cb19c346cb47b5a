/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hip/hip_bf16.h -- HIP's names of bfloat16.
 */
#pragma GCC system_header
#ifndef WARPSTACK_HIP_BF16_H
#define WARPSTACK_HIP_BF16_H

#include "../cuda_bf16.h"

#define __hip_bfloat16 __nv_bfloat16
#define __hip_bfloat162 __nv_bfloat162

#endif
