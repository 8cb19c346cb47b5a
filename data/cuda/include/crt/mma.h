/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * crt/mma.h -- what the toolkit has here is in mma.h.
 */
#pragma GCC system_header
#include "../mma.h"
