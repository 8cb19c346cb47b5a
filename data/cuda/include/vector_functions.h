/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * vector_functions.h -- make_float4 and its like.
 */
#pragma GCC system_header
#ifndef WARPSTACK_VECTOR_FUNCTIONS_H
#define WARPSTACK_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#ifdef __cplusplus

#define WS_MAKE(T, N) \
	static __host__ __device__ inline N##1 make_##N##1(T x) { return N##1{ x }; } \
	static __host__ __device__ inline N##2 make_##N##2(T x, T y) { return N##2{ x, y }; } \
	static __host__ __device__ inline N##3 make_##N##3(T x, T y, T z) \
	{ return N##3{ x, y, z }; } \
	static __host__ __device__ inline N##4 make_##N##4(T x, T y, T z, T w) \
	{ return N##4{ x, y, z, w }; }

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

#endif

#endif
