/* SPDX-License-Identifier: GPL-3.0-or-later
 * cutil_math.h -- see helper_math.h. */
#pragma GCC system_header
#include "helper_math.h"
