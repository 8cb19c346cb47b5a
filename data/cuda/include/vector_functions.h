/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * vector_functions.h -- make_float4 and its like.
 */
#pragma GCC system_header
#ifndef WARPSTACK_VECTOR_FUNCTIONS_H
#define WARPSTACK_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"
#include "cuda_letters_begin.h"

#define WS_MAKE(T, N) \
	static __host__ __device__ inline N##1 make_##N##1(T x) { N##1 v = { x }; return v; } \
	static __host__ __device__ inline N##2 make_##N##2(T x, T y) { N##2 v = { x, y }; return v; } \
	static __host__ __device__ inline N##3 make_##N##3(T x, T y, T z) \
	{ N##3 v = { x, y, z }; return v; } \
	static __host__ __device__ inline N##4 make_##N##4(T x, T y, T z, T w) \
	{ N##4 v = { x, y, z, w }; return v; }

WS_MAKE(signed char, char)
WS_MAKE(unsigned char, uchar)
WS_MAKE(short, short)
WS_MAKE(unsigned short, ushort)
WS_MAKE(int, int)
WS_MAKE(unsigned int, uint)
WS_MAKE(long, long)
WS_MAKE(unsigned long, ulong)
WS_MAKE(long long, longlong)
WS_MAKE(unsigned long long, ulonglong)
WS_MAKE(float, float)
WS_MAKE(double, double)
#undef WS_MAKE
#include "cuda_letters_end.h"

#endif
