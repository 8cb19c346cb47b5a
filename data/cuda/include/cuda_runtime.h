/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_runtime.h -- the header that every CUDA source has, included or not.
 */
#ifndef WARPSTACK_CUDA_RUNTIME_H
#define WARPSTACK_CUDA_RUNTIME_H

#include "vector_types.h"
#include "vector_functions.h"
#include "cuda_runtime_api.h"
#ifdef __cplusplus
#include "cuda_device.h"
#endif

#endif
