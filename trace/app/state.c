/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/app/state.c -- what is known of the program that this is loaded into, below all other
 * files: its calls have no place to keep anything.
 */
#include "trace/app/app.h"

struct ws_app ws_app = { .run = PTHREAD_MUTEX_INITIALIZER };
