/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/sobol.h -- Sobol's sequences.  Private to trace/cuda/.
 */
#ifndef WS_CUDA_SOBOL_H
#define WS_CUDA_SOBOL_H

#include "trace/cuda/runtime.h"

#include <curand.h>

#define WS_SOBOL_DIMENSIONS 10u

/* A dimension's number from 0 on: 64 bits, of which the first say most. */
uint64_t ws_sobol(unsigned dimension, uint64_t number);

#endif
