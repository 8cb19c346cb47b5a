/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_pipeline_primitives.h -- they are in cuda_pipeline.h.
 */
#pragma GCC system_header
#include "cuda_pipeline.h"
