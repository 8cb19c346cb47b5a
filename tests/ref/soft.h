/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/soft.h -- a thread-private software cache, as its text has it in pseudo-code: with
 * data, and a byte of mask for every byte of a line.
 */
#ifndef WS_TESTS_REF_SOFT_H
#define WS_TESTS_REF_SOFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ref_soft_kind { REF_SOFT_LOAD, REF_SOFT_STORE, REF_SOFT_ATOMIC, REF_SOFT_BARRIER };

struct ref_soft_event {		/* of a thread */
	enum ref_soft_kind kind;
	int structure;		/* < 0: none that could be cached */
	uint64_t address, bytes;
};

struct ref_soft_thread {
	struct ref_soft_event *event;
	size_t events, cap;
};

struct ref_soft_counts {
	uint64_t monitored, monitor_hits, hits[2], misses[2], write_backs, write_back_bytes;
	uint64_t direct[3];
	bool stored, chosen;	/* stored: set it where that is known beforehand.  by_thread: by
				 * any */
};

/* memory: bytes there are; all addresses lie below.  count[structures]; count[structures] is of
 * what is none.  False: a load through the cache read another value than without, or the memory is
 * another at the end.  by_thread: each thread chooses for itself.  log: NULL or [threads], empty:
 * what each sends to memory, in order, with neither structure nor barriers. */
bool ref_soft(const struct ref_soft_thread *thread, size_t threads, size_t structures,
	      uint64_t memory, uint64_t line_bytes, uint64_t threshold, uint64_t lines,
	      bool by_thread, struct ref_soft_counts *count, struct ref_soft_thread *log);
void ref_soft_add(struct ref_soft_thread *t, struct ref_soft_event e);

#endif
