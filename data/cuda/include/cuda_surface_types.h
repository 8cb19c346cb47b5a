/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_surface_types.h -- its types are in cuda_texture.h.
 */
#pragma GCC system_header
#include "cuda_runtime.h"
