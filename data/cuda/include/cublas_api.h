/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cublas_api.h -- its calls are in cublas_v2.h.
 */
#pragma GCC system_header
#include "cublas_v2.h"
