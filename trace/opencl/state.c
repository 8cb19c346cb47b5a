/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/state.c -- what the layer knows, below all of its files: the loader gives a call no
 * place to keep anything.
 */
#include "trace/opencl/layer.h"

struct ws_layer ws_layer = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};
