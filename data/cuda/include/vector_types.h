/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * vector_types.h -- CUDA's vectors of two to four components, and dim3.
 *
 * Sizes and alignments are those of the CUDA C++ Programming Guide, "Built-in Vector Types".
 */
#pragma GCC system_header
#ifndef WARPSTACK_VECTOR_TYPES_H
#define WARPSTACK_VECTOR_TYPES_H
#include "cuda_letters_begin.h"
#define __VECTOR_TYPES_H__
#define __HOST_DEFINES_H__ /* whose words are below */

#ifdef __CUDA__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* The host has the same memory. */
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else /* host code of another compiler */
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif
#define __grid_constant__
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __inline_hint__ inline
#define __device_builtin__
#define __cudart_builtin__
#define __nv_pure__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define CUDARTAPI
#define CUDART_CB

#define WS_VECTORS(T, N, A1, A2, A4) \
	struct __attribute__((aligned(A1))) N##1 { T x; }; \
	struct __attribute__((aligned(A2))) N##2 { T x, y; }; \
	struct N##3 { T x, y, z; }; \
	struct __attribute__((aligned(A4))) N##4 { T x, y, z, w; }; \
	typedef struct N##1 N##1; typedef struct N##2 N##2; typedef struct N##3 N##3; \
	typedef struct N##4 N##4;

WS_VECTORS(signed char, char, 1, 2, 4)
WS_VECTORS(unsigned char, uchar, 1, 2, 4)
WS_VECTORS(short, short, 2, 4, 8)
WS_VECTORS(unsigned short, ushort, 2, 4, 8)
WS_VECTORS(int, int, 4, 8, 16)
WS_VECTORS(unsigned int, uint, 4, 8, 16)
WS_VECTORS(long, long, 8, 16, 16)
WS_VECTORS(unsigned long, ulong, 8, 16, 16)
WS_VECTORS(long long, longlong, 8, 16, 16)
WS_VECTORS(unsigned long long, ulonglong, 8, 16, 16)
WS_VECTORS(float, float, 4, 8, 16)
WS_VECTORS(double, double, 8, 16, 16)
#undef WS_VECTORS

struct dim3 {
	unsigned int x, y, z;
#ifdef __cplusplus
	__host__ __device__ constexpr dim3(unsigned int a = 1, unsigned int b = 1,
					   unsigned int c = 1) : x(a), y(b), z(c) {}
	__host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
	__host__ __device__ constexpr operator uint3() const { return uint3{ x, y, z }; }
#endif
};
typedef struct dim3 dim3;
#include "cuda_letters_end.h"

#endif
