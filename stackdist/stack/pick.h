/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/pick.h -- private: which of a row of bytes have a value.
 */
#ifndef WS_STACKDIST_PICK_H
#define WS_STACKDIST_PICK_H

#include <stddef.h>
#include <stdint.h>

#include "stackdist/stack/cpu.h"

#define WS_PICK_SPARE 16u	/* entries of index written beyond those returned, at most */

/* The places of value in byte[0 .. count - 1], ascending; returns how many there are.  simd: what
 * may be used of what this processor has. */
size_t ws_pick(const uint8_t *byte, size_t count, uint8_t value, uint32_t *index,
	       enum ws_simd simd);

#endif
