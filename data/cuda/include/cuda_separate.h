/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_separate.h -- included by force with -dc and -rdc=true: a file without kernels and variables
 * registers its device code for one.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_SEPARATE_H
#define WARPSTACK_CUDA_SEPARATE_H

static __device__ char __ws_is_here __attribute__((used));

#endif
