/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * nvtx3/nvToolsExtCudaRt.h -- as nvToolsExt.h.
 */
#pragma GCC system_header
#include "../nvToolsExt.h"
