/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * crt/host_defines.h -- its words are in vector_types.h.
 */
#pragma GCC system_header
#include "../cuda_runtime.h"
