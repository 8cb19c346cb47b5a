/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * nvToolsExtCuda.h -- as nvToolsExt.h.
 */
#pragma GCC system_header
#include "nvToolsExt.h"
