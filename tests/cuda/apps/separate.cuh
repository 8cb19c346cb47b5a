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
/* Made by one file, called by another. */
struct Rule {
	__device__ virtual float apply(float x) const = 0;
};
typedef float (*function)(float);
extern __device__ function known;
void make_rule(Rule **rule);
void set_up();
int count();

#endif
