/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * curand_poisson.h -- its functions are in curand_kernel.h.
 */
#pragma GCC system_header
#include "curand_kernel.h"
