/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/epochs.h -- private: the analytic face of policies that age lines in epochs:
 * SRRIP, NRU, and pseudo-LRU by distance from it.
 */
#ifndef WS_MODEL_SOLVE_EPOCHS_H
#define WS_MODEL_SOLVE_EPOCHS_H

#include "model/reuse.h"

/* Residency in ageing epochs of a line that is not used again. */
struct ws_epochs {
	double fresh;		/* epochs after a fetch */
	double used;		/* epochs after a hit; half an epoch more or less, by its way */
	double more;		/* frequency priority: the epochs that a hit adds to those left,
				 * up to `used`.  0: a hit sets them to `used` */
};

/* The rule of SRRIP with values of so many bits. */
struct ws_epochs ws_epochs_srrip(double bits, bool frequency);

/* Hits by type, or LRU's hits if these are the best guess; expected error, interval, confidence.
 * If lines live one epoch at most: as ws_epochs_near_lru. */
enum ws_status ws_epochs_solve(const struct ws_query *query, const struct ws_epochs *rule,
			       struct ws_solution *out, struct ws_err *err) WS_MUST_CHECK;

/* LRU's hits; expected error, interval and confidence from their distance to the model of epochs.
 * For policies that are closer to LRU than the model's error. */
enum ws_status ws_epochs_near_lru(const struct ws_query *query,
				  const struct ws_epochs *rule, struct ws_solution *out,
				  struct ws_err *err) WS_MUST_CHECK;

/* The uncertainty.  Half of the 95 % interval, in points, is the sum of: least; close * the points
 * of references at distances near the ways, close_most at most; apart * the points by which the
 * guesses differ.  Confidence is low if the sum exceeds `low_confidence`. */
struct ws_epochs_uncertainty {
	double least, close, close_most, apart, low_confidence;
};

/* Sets expected error, interval and confidence.  apart: a fraction of 1. */
void ws_epochs_judge(const struct ws_query *query, const struct ws_epochs_uncertainty *uncertainty,
		     double apart, struct ws_solution *out);

#endif
