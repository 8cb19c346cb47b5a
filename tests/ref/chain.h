/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/chain.h -- the miss ratio of one full set, exactly: a Markov chain whose states are
 * what the set holds and what its policy remembers, solved in rational numbers (GMP).
 *
 * Two streams: independent references, line i with probability weight[i] / sum; and a loop over
 * n lines.  Chances (of random victims, of bimodal insertions) are branches of the chain.
 */
#ifndef WS_REF_CHAIN_H
#define WS_REF_CHAIN_H

#include <gmp.h>
#include <stddef.h>

#define REF_CHAIN_WAYS 4u
#define REF_CHAIN_LINES 8u

enum ref_chain_policy {
	REF_CHAIN_LRU, REF_CHAIN_FIFO, REF_CHAIN_RANDOM, REF_CHAIN_PLRU, REF_CHAIN_RRIP,
	REF_CHAIN_BIP,
};

struct ref_chain_question {
	enum ref_chain_policy policy;
	unsigned ways, lines;
	unsigned bits;		/* RRIP: M; 1 is NRU */
	unsigned near, of;	/* RRIP, BIP: a fill is near (top - 1; most recent) with chance
				 * near / of, else far (top; below all) */
	unsigned weight[REF_CHAIN_LINES]; /* independent references; all 0: a loop */
};

struct ref_chain_step {
	size_t from, to;
	mpq_t chance;
};

struct ref_chain {
	size_t states, steps;
	struct ref_chain_step *step;
	mpq_t *miss;		/* [states]: the chance that the next reference misses */
};

/* All states that can be reached; aborts past `most` of them. */
void ref_chain_build(struct ref_chain *c, const struct ref_chain_question *q, size_t most);
/* The share of references that miss, in the long run. */
void ref_chain_solve(const struct ref_chain *c, mpq_t ratio);
void ref_chain_clear(struct ref_chain *c);

#endif
