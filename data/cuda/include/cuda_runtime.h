/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_runtime.h -- the header that every CUDA source has, included or not.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_RUNTIME_H
#define WARPSTACK_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__

#if defined(__CUDA__) && !defined(__CUDACC__)
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 76
#define __CUDA_API_VER_MAJOR__ 12
#define __CUDA_API_VER_MINOR__ 0
#define __CUDA_ARCH_LIST__ 700
#endif

#include "vector_types.h"
#include "vector_functions.h"
#include "cuda_runtime_api.h"
#ifdef __CUDA__
#include "cuda_device.h"
#include "cuda_texture.h"
#include "cuda_device_runtime_api.h"
#endif
/* What nvcc includes by itself; a kernel alone does without. */
#if __has_include(<stdlib.h>)
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif
#if defined(__cplusplus) && __has_include(<cmath>)
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>
#endif
#include "cuda_letters_begin.h"

/* clang takes no alignas behind __shared__, nvcc does; so it becomes an attribute.  What it is given
 * is a number or types: unsigned(8) is a number, unsigned(T) the type of a function. */
#if defined(__CUDA__) && defined(__cplusplus)
template <class F> struct __ws_alignment;
template <> struct __ws_alignment<unsigned()> {
	enum : unsigned long { most = 1 };
};
template <class T, class... More> struct __ws_alignment<unsigned(T, More...)> {
	enum : unsigned long {
		rest = __ws_alignment<unsigned(More...)>::most,
		most = alignof(T) > rest ? alignof(T) : rest
	};
};
template <class F> constexpr unsigned long __ws_aligned() { return __ws_alignment<F>::most; }
template <unsigned N> constexpr unsigned long __ws_aligned() { return N ? N : 1; }
#define alignas(...) __attribute__((aligned(__ws_aligned<unsigned(__VA_ARGS__)>())))
#endif
#include "cuda_letters_end.h"

#endif
