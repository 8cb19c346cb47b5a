/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda.h -- names of the driver's that programs of the runtime use.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_H
#define WARPSTACK_CUDA_H

#include "cuda_runtime.h"

typedef enum cudaError CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
#define CUDA_SUCCESS cudaSuccess

#endif
