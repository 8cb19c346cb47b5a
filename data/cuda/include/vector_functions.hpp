/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * vector_functions.hpp -- its functions are in vector_functions.h.
 */
#pragma GCC system_header
#include "vector_functions.h"
