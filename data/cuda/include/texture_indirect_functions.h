/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * texture_indirect_functions.h -- its functions are in cuda_texture.h.
 */
#pragma GCC system_header
#include "cuda_runtime.h"
