/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hip/hip_vector_types.h -- as vector_types.h.
 */
#pragma GCC system_header
#include "../vector_types.h"
