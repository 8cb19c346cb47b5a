/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/epochs.h -- private: the analytic face of policies that age lines in epochs:
 * SRRIP, NRU, and pseudo-LRU by distance from it.
 */
#ifndef WS_MODEL_SOLVE_ROUNDS_H
#define WS_MODEL_SOLVE_ROUNDS_H

#include "model/reuse.h"

/* Residency in ageing epochs of a line that is not used again. */
struct ws_epochs {
	double fresh;		/* after it was fetched */
	double used;		/* after a hit; half an epoch more or less, by its place */
	double more;		/* frequency priority: a hit adds so many epochs to those left,
				 * up to `used`.  0: a hit makes them `used` */
};

/* SRRIP of so many bits of value. */
struct ws_epochs ws_epochs_srrip(double bits, bool frequency);

/* Hits by type, or LRU's where that is the best guess; expected error, interval, flag.
 * Lines that live one epoch at most: as ws_epochs_near_lru. */
enum ws_status ws_epochs_solve(const struct ws_query *query, const struct ws_epochs *rule,
			       struct ws_solution *out, struct ws_err *err) WS_MUST_CHECK;

/* LRU's hits; expected error, interval and flag from the distance to the model of epochs.  For
 * policies nearer to LRU than that model can resolve. */
enum ws_status ws_epochs_near_lru(const struct ws_query *query,
				  const struct ws_epochs *rule, struct ws_solution *out,
				  struct ws_err *err) WS_MUST_CHECK;

/* The uncertainty: half the 95 % interval, in points, is least + close * points of references at
 * distances near the ways (close_most at most) + apart * points by which guesses differ.
 * Confidence is low if it exceeds `low_confidence`. */
struct ws_epochs_uncertainty {
	double least, close, close_most, apart, low_confidence;
};

/* Sets the expected error, interval and flag.  apart: of 1. */
void ws_epochs_judge(const struct ws_query *query, const struct ws_epochs_uncertainty *uncertainty,
		     double apart, struct ws_solution *out);

#endif
