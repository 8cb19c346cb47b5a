/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_texture_types.h -- its types are in texture_types.h.
 */
#pragma GCC system_header
#include "cuda_runtime.h"
