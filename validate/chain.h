/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/chain.h -- the long-run miss ratio of one set, exactly: a Markov chain.
 *
 * A state is what the set's ways hold, what its policy remembers and, in a loop, the line to come.
 * The chain is built by the policy's own hooks, from the empty set on; what a hook would draw at
 * random is followed every way, with its probability as a fraction.  States that act alike are
 * joined.  The share of references that miss in the long run is then the solution of linear
 * equations, in rational numbers: no model, and no simulation.
 *
 * References are independent, line i with probability weight[i] / sum (the independent reference
 * model), or a loop over the lines.  Reads only; one set; a line is fetched when it misses, the
 * lowest invalid way first.  What is not in it: time, other sets, sectors, writes.
 *
 * A policy has a chain if it has settle() (model.h).
 */
#ifndef WS_CHAIN_H
#define WS_CHAIN_H

#include "validate/validate.h"

#define WS_CHAIN_WAYS WS_SETTLE_WAYS
#define WS_CHAIN_LINES 64u
#define WS_CHAIN_STATES (1u << 17)	/* of the chain as built */
#define WS_CHAIN_SOLVED 2048u	/* joined states that are solved in rationals; else in doubles */
#define WS_CHAIN_ENTRIES (1u << 23) /* steps between states */

struct ws_line_law {			/* which line a reference is to */
	unsigned lines;
	bool loop;		/* 0, 1, ... lines - 1, 0, ...; weights are not read */
	bool rounded;		/* weights are not those asked for: they are no fractions */
	uint64_t weight[WS_CHAIN_LINES];
};

#define WS_LAWS "zipf:A|uniform|loop|weights:W1,W2,..."
/* zipf:A: line i as 1 / i^A, i from 1; A is 0 to 8.  Exact if A is whole and the weights' common
 * denominator is below 2^31, else to a millionth of the first.  Weights are whole, 1 to 10^6, one
 * each line.  WS_EINVAL. */
enum ws_status ws_line_law_parse(struct ws_line_law *out, const char *text, unsigned lines,
			    struct ws_err *err) WS_MUST_CHECK;

struct ws_chain_result {
	size_t states, joined;	/* as built; after those that act alike are joined */
	size_t classes;		/* sets of states that are never left, of the joined */
	char *fraction;		/* "5/7"; NULL: too many states, low and high alone are known */
	double ratio, low, high; /* low = ratio = high, to rounding, where there is a fraction */
};

/* policy: as l1.policy says it.  WS_EINVAL: no such policy, one without a chain or that cannot
 * manage the ways; too many ways, lines or states.  *out: clear it.  Time: some seconds for a
 * fraction, up to some minutes at the limit of states.  GMP aborts if memory is out. */
enum ws_status ws_chain_solve(struct ws_chain_result *out, const char *policy, unsigned ways,
			      const struct ws_line_law *law, struct ws_err *err) WS_MUST_CHECK;
void ws_chain_result_clear(struct ws_chain_result *r);

/* The same by model and by simulation: a stream that the law draws, from a seed. */
struct ws_chain_beside {
	uint64_t requests;	/* of the stream */
	bool modelled;		/* the policy has a model of distances */
	/* Of the profile of the whole stream, so of its cold misses too; no sets are sampled, as
	 * the one set would be simulated again. */
	struct ws_prediction model;
	double simulated;	/* miss ratio, but for the first sixteenth of the stream */
	double standard_error;	/* of that, from the means of batches */
};

#define WS_CHAIN_REQUESTS (1u << 19)
enum ws_status ws_chain_beside(struct ws_chain_beside *out, const char *policy, unsigned ways,
			       const struct ws_line_law *law, uint64_t seed,
			       struct ws_err *err) WS_MUST_CHECK;

#endif
