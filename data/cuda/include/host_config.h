/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * host_config.h -- nothing of it is needed here.
 */
#pragma GCC system_header
#include "cuda_runtime_api.h"
