/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/banks.h -- the DRAM of one channel, as banks (dram.timing).
 */
#ifndef WS_CYCLE_BANKS_H
#define WS_CYCLE_BANKS_H

#include "validate/cycle/cycle.h"

struct ws_banks;

struct ws_bank_request {
	uint64_t address;
	uint64_t entered;	/* cycle in which it entered its slice's queue */
	uint32_t ticket;	/* of a read: comes back with its data */
	uint32_t bursts;
	uint16_t slice;		/* of the channel, from 0 */
	bool write;
};

struct ws_bank_data {		/* data that has arrived */
	uint16_t slice;
	uint32_t ticket;
	uint64_t waited;	/* cycles before its column command */
};

enum ws_status ws_banks_new(struct ws_banks **out, const struct ws_machine *m, size_t slices,
			    struct ws_err *err) WS_MUST_CHECK;
void ws_banks_free(struct ws_banks *b);
/* Closes all rows, unless l2.start = keep.  clock: as the launch begins. */
void ws_banks_launch(struct ws_banks *b, const struct ws_dram_clock *clock);
/* A slice's requests come in order of .entered, none before the last cycle that was run. */
enum ws_status ws_banks_add(struct ws_banks *b, const struct ws_bank_request *r,
			    struct ws_err *err) WS_MUST_CHECK;
/* Requests of a slice that no tick of DRAM's clock has taken yet. */
size_t ws_banks_waiting(const struct ws_banks *b, size_t slice);
/* The next cycle with a tick that has work; UINT64_MAX: none has. */
uint64_t ws_banks_due(const struct ws_banks *b);
/* Runs a cycle's ticks; no earlier cycle may be due.  *data, *count: the data that arrives in it,
 * valid until the next call. */
enum ws_status ws_banks_run(struct ws_banks *b, uint64_t cycle, const struct ws_bank_data **data,
			    size_t *count, struct ws_err *err) WS_MUST_CHECK;

#endif
