/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * helper_functions.h -- all of the helpers that need no device.
 */
#pragma GCC system_header
#ifndef WARPSTACK_SAMPLES_HELPER_FUNCTIONS_H
#define WARPSTACK_SAMPLES_HELPER_FUNCTIONS_H

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
#include "exception.h"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"

#endif
