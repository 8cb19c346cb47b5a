/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/include/scale.h -- what the kernels of build.c include.
 */
#define SCALE(x) ((x) * FACTOR)
