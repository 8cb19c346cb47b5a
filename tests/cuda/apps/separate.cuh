/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one file defines and another one uses.
 */
#ifndef SEPARATE_CUH
#define SEPARATE_CUH

extern __constant__ float table[4];
extern __device__ int calls;
__device__ float twice(float x);
__device__ float more(float x);
template <class T> __device__ T square(T x) { return x * x; }
void set_up();
int count();

#endif
