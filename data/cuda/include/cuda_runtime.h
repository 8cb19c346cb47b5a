/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_runtime.h -- the header that every CUDA source has, included or not.
 */
#ifndef WARPSTACK_CUDA_RUNTIME_H
#define WARPSTACK_CUDA_RUNTIME_H

#ifndef __CUDACC__
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#endif

#include "vector_types.h"
#include "vector_functions.h"
#include "cuda_runtime_api.h"
#ifdef __cplusplus
#include "cuda_device.h"
#endif

#endif
