/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/cpu.h -- private: hints to compiler and processor, and what this
 * processor can do.  Without GNU C all of them are nothing.
 */
#ifndef WS_STACKDIST_CPU_H
#define WS_STACKDIST_CPU_H

#include "base/inline.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__GNUC__)
#define WS_FETCH(address) __builtin_prefetch(address)
/* What stands `count` elements further on, be it past the end. */
#define WS_FETCH_AHEAD(p, count) \
	__builtin_prefetch((const void *)((uintptr_t)(p) + (count) * sizeof(*(p))))
#define WS_UNROLL _Pragma("GCC unroll 8") /* the loop that follows */
#define WS_RARELY(x) __builtin_expect(!!(x), 0)
#else
#define WS_FETCH(address) ((void)(address))
#define WS_FETCH_AHEAD(p, count) ((void)(p))
#define WS_UNROLL
#define WS_RARELY(x) (x)
#endif

/* Functions marked with these may be called only where ws_cpu_has says so. */
#if defined(__x86_64__) && defined(__GNUC__)
#define WS_X86 1
#define WS_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define WS_TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq," \
					       "avx2,bmi,bmi2,popcnt")))
#else
#define WS_X86 0
#define WS_TARGET_AVX2
#define WS_TARGET_AVX512
#endif

enum ws_simd { WS_SIMD_NONE, WS_SIMD_AVX2, WS_SIMD_AVX512 };

/* The most this processor and this build have. */
static inline enum ws_simd ws_cpu_simd(void)
{
#if WS_X86
	bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
		    __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");

	if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
		return WS_SIMD_AVX512;
	if (avx2)
		return WS_SIMD_AVX2;
#endif
	return WS_SIMD_NONE;
}

#endif
