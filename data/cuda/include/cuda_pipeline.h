/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_pipeline.h -- copies of a thread into shared memory, as primitives.  They are done when they
 * return.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_PIPELINE_H
#define WARPSTACK_CUDA_PIPELINE_H

#include "cuda_runtime.h"

#ifdef __CUDA__
/* The last `zeros` of the bytes are not copied, but 0. */
static __device__ inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes,
						      size_t zeros = 0)
{
	if (zeros == 0 && bytes == 16) {
		*(uint4 *)to = *(const uint4 *)from;
	} else if (zeros == 0 && bytes == 8) {
		*(uint2 *)to = *(const uint2 *)from;
	} else if (zeros == 0 && bytes == 4) {
		*(unsigned int *)to = *(const unsigned int *)from;
	} else {
		for (size_t i = 0; i < bytes; i++)
			((unsigned char *)to)[i] = i < bytes - zeros
							   ? ((const unsigned char *)from)[i] : 0;
	}
}
static __device__ inline void __pipeline_commit() {}
static __device__ inline void __pipeline_wait_prior(size_t) {}
#endif

#endif
