/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * builtin_types.h -- its types are in vector_types.h.
 */
#pragma GCC system_header
#include "cuda_runtime.h"
