/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/grain_hardware.h -- addresses and tag masks as hardware of chunks would have them (Guo,
 * Huang, Lu, Ma and Wang, IEEE Access 6, 2018, Figures 4 to 6).  validate/grain/grain.h, which
 * compares whole addresses, has neither.
 */
#ifndef WS_REF_GRAIN_HARDWARE_H
#define WS_REF_GRAIN_HARDWARE_H

#include "validate/validate.h"

/* What is added to a request's chunk tag to get those compared; REF_TAG_VOID: none there. */
#define REF_TAG_VOID (-1)
/* By log2 of the words of grain (at most 2 words) and request. */
extern const int8_t ref_tag_masks[WS_GRAIN_SIZES - 1][WS_GRAIN_SIZES][WS_GRAIN_WORDS];

struct ref_address {		/* of a cache of 2^n sets, modulo */
	uint64_t common, chunk, set, byte;
};

struct ref_address ref_address_split(const struct ws_cache *cache, uint64_t address);

#endif
