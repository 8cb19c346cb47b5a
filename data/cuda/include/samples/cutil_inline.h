/* SPDX-License-Identifier: GPL-3.0-or-later
 * cutil_inline.h -- see cutil.h. */
#pragma GCC system_header
#include "cutil.h"
