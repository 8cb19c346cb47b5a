/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cufftXt.h -- what there is of it is in cufft.h.
 */
#pragma GCC system_header
#include "cufft.h"
