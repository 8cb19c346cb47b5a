/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/front.h -- trace/order/front.h, slowly: every slot is looked at in every cycle.
 */
#ifndef WS_TESTS_REF_FRONT_H
#define WS_TESTS_REF_FRONT_H

#include "trace/trace.h"

struct ref_front;		/* of one SM, from launch to launch */

struct ref_front_unit {
	void *context;
	size_t slots;
	/* Has the slot's warp ops left, and none fetched?  *known: *pc is its PC. */
	bool (*hungry)(void *context, size_t slot, uint64_t *pc, bool *known);
	/* Has it issued everything, is all that it began done, and has it not ended? */
	bool (*leaves)(void *context, size_t slot);
	void (*end)(void *context, size_t slot);
	void (*decode)(void *context, size_t slot);
	/* Asks for a line; false: there is no room. */
	bool (*ask)(void *context, uint64_t address, uint64_t bytes, size_t number);
};

struct ref_front *ref_front_new(const struct ws_machine *m);
void ref_front_free(struct ref_front *f);
/* A launch begins. */
void ref_front_begin(struct ref_front *f, size_t slots);
void ref_front_cycle(struct ref_front *f, const struct ref_front_unit *u);
/* A sector of the line asked for by that number has come. */
void ref_front_sector(struct ref_front *f, size_t number);
/* Which scheduler is first in the SM's next cycle; it has one with a CTA. */
uint64_t ref_front_turn(const struct ref_front *f);
void ref_front_turns(struct ref_front *f);

#endif
