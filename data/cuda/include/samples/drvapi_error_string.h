/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * drvapi_error_string.h -- the text of a driver's error.
 */
#pragma GCC system_header
#ifndef WARPSTACK_SAMPLES_DRVAPI_ERROR_STRING_H
#define WARPSTACK_SAMPLES_DRVAPI_ERROR_STRING_H

#include <cuda.h>

inline const char *getCudaDrvErrorString(CUresult error)
{
	const char *text = "CUDA_ERROR not found!";

	cuGetErrorString(error, &text);
	return text;
}

#endif
