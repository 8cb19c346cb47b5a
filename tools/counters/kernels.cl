/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tools/counters/kernels.cl -- the kernels as OpenCL, for predictions: the same source.
 *
 * LOCAL_WORDS is the size of a kernel's shared memory, which others are given at launch.
 */
#define KERNEL __kernel void
#define GLOBAL __global
#define LOCAL __local
#define SHARED(type, name) __local type name[LOCAL_WORDS]
#define threadIdx ((uint3)((uint)get_local_id(0), (uint)get_local_id(1), (uint)get_local_id(2)))
#define blockIdx ((uint3)((uint)get_group_id(0), (uint)get_group_id(1), (uint)get_group_id(2)))
#define blockDim \
	((uint3)((uint)get_local_size(0), (uint)get_local_size(1), (uint)get_local_size(2)))
#define gridDim \
	((uint3)((uint)get_num_groups(0), (uint)get_num_groups(1), (uint)get_num_groups(2)))
#define __syncthreads() barrier(CLK_LOCAL_MEM_FENCE)
#define atomicAdd(p, v) atomic_add(p, v)
#ifndef LOCAL_WORDS
#define LOCAL_WORDS 2048
#endif

#include "kernels.h"
