/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/constants.h -- private: every number of the models that was fitted to data, in one table.
 *
 * A row is name, value, and in the comment its unit (1: none; pp: percentage points of the miss
 * ratio) and what it is.  Before the rows of a model: what they were fitted on, and the error on
 * data that was held out: the mean, and the largest where the model is sure.  Numbers that follow
 * from an argument, and tolerances and limits of solvers, are in the sources beside their use.  The
 * law of orders, of study/, is a table there (study/order.c).
 *
 * Streams: tests/streams/, 7 geometries.  dev and tried: to develop on.  report: held out, run once
 * all was settled (paper/policies.md, validate/results.csv).  trial, other, old: 27 streams
 * of the generator before that, which is not in the tree any more; unseen: old's with other
 * parameters.  Where several sets are named, choices were looked at on each.
 */
#ifndef WS_MODEL_CONSTANTS_H
#define WS_MODEL_CONSTANTS_H

/* ---- Random, prob, FIFO (solve/residency.c, random.c, fifo.c) ----------------------------
 * Fitted on dev and trial, later on tried (paper/notes-random-fifo.md).  Held out, report: Random
 * 0.27, 2.4 pp; FIFO 0.60, 2.4 pp.  prob has no row of its own there. */
#define WS_LIVES_LOCAL 0.5	/* 1; how much of V is that of the window's own time */
#define WS_LIVES_UNCERTAINTY_MOST 10.0 /* pp; what a difference of two answers counts at most */

#define WS_RANDOM_LESS 0.5	/* 1; how much of a line's own part is left out of V */
#define WS_RANDOM_RESERVED 1.003 /* 1; O / T of more with V / W of less than the next is no state  \
				  */
#define WS_RANDOM_STILL 0.01	/* 1 */
/* By least squares, but for `wide` and `low_confidence`: what an error in pp is expected from. */
#define WS_RANDOM_UNCERTAINTY                                                                      \
	{ .least = 0.04,                                                                           \
	  .lru = 0.03,                                                                             \
	  .pull = 0.28,                                                                            \
	  .chance = 0.4,                                                                           \
	  .wide = 5.5,                                                                             \
	  .low_confidence = 0.48 }
#define WS_RANDOM_STAYS_PP 5.0	/* pp; expected if a way is never a victim.  Origin not recorded */

#define WS_FIFO_FAR_OFF 0.02	/* 1; misses fewer than LRU's that are believed */
#define WS_FIFO_SHARE 0.4	/* 1; how far what is not believed goes back to LRU */
#define WS_FIFO_SHARE_SECOND 0.2 /* 1; the same where the second state was chosen */
#define WS_FIFO_LOOK 0.008	/* 1; V / W: of less there is no second state to look for, unless */
#define WS_FIFO_COIN 0.25	/* 1; V is more than this, one line that is there half the time */
#define WS_FIFO_DISORDER 0.055	/* 1; V / W: of more the second state is chosen, on few rows */
#define WS_FIFO_APART 0.02	/* 1; if it misses so much less.  Origin not recorded */
#define WS_FIFO_CLEAR 0.05	/* 1; |ln O/T| less by that: other start.  Origin not recorded */
#define WS_FIFO_UNCERTAINTY                                                                        \
	{ .least = 0.12,                                                                           \
	  .lru = 0.1,                                                                              \
	  .pull = 0.22,                                                                            \
	  .start = 0.45,                                                                           \
	  .chance = 0.3,                                                                           \
	  .wide = 4.5,                                                                             \
	  .low_confidence = 1 }

/* ---- SRRIP, NRU, PLRU (solve/epochs.c, epochs_confidence.c) ------------------------------
 * Confidence fitted on dev, margins added (paper/notes-rrip.md); hits have nothing fitted.  Held
 * out, report: SRRIP 1.02, 7.0 pp; NRU 0.33, 2.1; PLRU 0.39, 3.1. */
#define WS_EPOCHS_MIXED 0.5	/* 1; what the distance of guess G counts, A and LRU being 1, */
#define WS_EPOCHS_EMPTY 0.1	/* 1; and of guess B, */
#define WS_EPOCHS_EMPTY_MOST 0.2 /* 1; of so much miss ratio at most */
#define WS_EPOCHS_REACH 4.0	/* 1; distances so many times the ways either way are near them */
#define WS_EPOCHS_EXPECTED 0.27	/* 1; mean error, of half the interval */
/* SRRIP of two bits; of more but `least` and `close_most` grow. */
#define WS_EPOCHS_UNCERTAINTY                                                                      \
	{ .least = 0.2, .close = 0.12, .close_most = 30, .apart = 0.3, .low_confidence = 4 }
/* NRU and PLRU, whose hits are LRU's. */
#define WS_EPOCHS_UNCERTAINTY_LRU { .least = 0.2, .close = 0.15, .close_most = 8, .apart = 0.3, \
			      .low_confidence = 2.5 }
#define WS_BRRIP_KUMAR_LOOPS_PP 55.0 /* pp of loops_pp: of more nothing is sure.  Not held out */

/* ---- BRRIP, BIP (solve/bimodal.c, latents.c, kept.c) -------------------------------------
 * Hits fitted on dev and old, with windows by count types, which are no longer recorded
 * (paper/notes-bimodal.md); on what confidence was, is not recorded.  As it is, dev: BRRIP 3.52,
 * 15.4 pp; BIP 3.50, 15.3.  Held out, the third report: 4.23, 14.9; 3.97, 15.0. */
#define WS_BIMODAL_USED 4.0	/* R; a used line lives, for 1/32 */
#define WS_BIMODAL_INITIAL 0.7	/* 1; of lines that found room, how many live as initial ones, if
				 * eps */
#define WS_BIMODAL_INITIAL_KEPT (1.0 / 32) /* 1; is no less than that; all if it is 0 */
#define WS_BIMODAL_TOGETHER 0.15 /* 1; lines that come back: how many come in groups */
#define WS_BIMODAL_TOGETHER_MORE 0.4 /* 1; the same, to see how much it matters */
#define WS_LATENTS_SELDOM 0.002	/* 1; of previous references, the own aside: less is left out */

#define WS_KEPT_HALF_PP 10.5	/* pp; half the interval where 10 to 90 % miss; near none or all */
#define WS_KEPT_EDGE_FROM 5.0	/* pp; as much of it as these and the distance */
#define WS_KEPT_EDGE_TO 15.0	/* pp; are of these */
#define WS_KEPT_HALF_RESTLESS 0.6 /* 1; for each pp of restless */
#define WS_KEPT_HALF_RETAINED 0.6	/* 1; for each pp that a set which never forgets is off; */
#define WS_KEPT_FAR 0.3		/* 1; so much of that, of more misses, where LRU is far */
#define WS_KEPT_HALF_SHORT 225.0 /* pp; over references per way */
#define WS_KEPT_EXPECTED 0.27	/* 1; mean error, of half the interval */
#define WS_KEPT_LOW_CONFIDENCE_RESTLESS 8.0 /* pp */
#define WS_KEPT_LOW_CONFIDENCE_RETAINED 13.0 /* pp that a set which never forgets is off */
#define WS_KEPT_LOW_CONFIDENCE_LESS 7.0	/* pp fewer, if LRU misses about as many: */
#define WS_KEPT_NEAR_LRU 15.0	/* pp */
#define WS_KEPT_LOW_CONFIDENCE_SHORT 16.0 /* references per way */
#define WS_KEPT_YOUNG 90.0	/* references per way: what was retained first still counts */
#define WS_KEPT_LOW_CONFIDENCE_YOUNG 11.0 /* pp */
#define WS_KEPT_FEW 4u		/* ways; with fewer it was not developed, and errs more */
#define WS_KEPT_FEW_WIDER 1.5	/* 1 */

/* ---- DRRIP, DIP (solve/duel.c) -----------------------------------------------------------
 * Chosen with dev, old and unseen in sight (paper/notes-bimodal.md), with the sides told from
 * windows by count types.  As it is, dev: DRRIP 1.65, 7.5 pp; DIP 1.30, 7.3.  Held out, the third
 * report: 1.43, 12.4; 1.03, 11.8. */
#define WS_DUELING_SLOW 0.02	/* 1; how far followers stay on the worse side */
#define WS_DUELING_LOW_CONFIDENCE_PP                                                               \
	20.0			/* pp between the two, times the fraction of followers: `apart` */
#define WS_DUELING_ABOVE 0.3	/* 1; of that, in the interval: leaders are no fair sample */
#define WS_DUELING_BELOW 0.15	/* 1 */
#define WS_DUELING_FEW 16u	/* sets; of fewer a single one leads, or two, and then */
#define WS_DUELING_FEW_LOW_CONFIDENCE_PP 14.0 /* pp */
#define WS_DUELING_FEW_ABOVE 0.5 /* 1 */
#define WS_DUELING_UNCERTAIN_PP 12.0 /* pp; low confidence of a side matters if wider */
#define WS_DUELING_PHASES_PP 2.5 /* pp; besides */
#define WS_DUELING_IN_TIME 0.15	/* 1; of that, in the interval, where both are told from samples */
#define WS_DUELING_IN_TIME_PP 1.0 /* pp; besides */
#define WS_DUELING_IN_TIME_LOW_PP 8.0 /* pp of `apart`; of more nothing is sure */
#define WS_DUELING_EXPECTED 0.06 /* 1; of `apart`: mean error */

/* ---- LFU, LFU with ageing, MFU (solve/frequency.c, ageing.c, most_used.c) ----------------
 * Fitted on dev and trial together (paper/notes-frequency.md); LFU's hits have nothing fitted.
 * Held out, report: LFU 1.26, 20.0 pp; LFU with ageing 1.15, 16.2; MFU 3.72, 16.0. */
#define WS_LFU_LOW_CONFIDENCE 12.7	/* pp of gap and WS_LFU_CHURN_COUNTS churn */
#define WS_LFU_CHURN_COUNTS 2.0	/* 1 */
#define WS_LFU_LOW_CONFIDENCE_DEAD 15.0	/* pp */
#define WS_LFU_NEARLY_FITS 0.05	/* 1; LRU's misses below which all but fits */
#define WS_LFU_SHORT 1000.0	/* references of a set, for lines to be retained in good time */
#define WS_LFU_LEAST 0.3	/* pp; expected at least */
#define WS_LFU_GAP 0.08		/* 1; for each pp of gap, */
#define WS_LFU_CHURN 0.6	/* 1; of churn, */
#define WS_LFU_DEAD 0.15	/* 1; of dead */
#define WS_LFU_BEGIN 3.0	/* pp; of a launch that is next to nothing */
#define WS_LFU_WIDE 4.5		/* 1; half the interval, of the expected error */

#define WS_LFU_AGE_LRU_UP_TO 0.5 /* 1; P / ways */
#define WS_LFU_AGE_HALF_WAY 12.0 /* 1; P / ways at which LFU's weight is 1/2 */
#define WS_LFU_AGE_PROTECTED 0.8 /* 1; the first estimate's weight at its greatest */
#define WS_LFU_AGE_FADES 16.0	/* 1; P / ways at which it is half that */
#define WS_LFU_AGE_LRU_ERROR 0.02 /* pp; up to WS_LFU_AGE_LRU_UP_TO */
#define WS_LFU_AGE_LRU_BOUND 1.0 /* pp */
#define WS_LFU_AGE_LEAST 0.1	/* pp; expected at least */
#define WS_LFU_AGE_RANGE 0.2	/* 1; for each pp of the range of estimates, */
#define WS_LFU_AGE_RANGE_COUNTS 15.0 /* pp; a wider range is no worse */
#define WS_LFU_AGE_APART 0.3	/* 1; for each pp that the first is from the mixture */
#define WS_LFU_AGE_HALF 0.3	/* pp; half the interval at least, and */
#define WS_LFU_AGE_WIDE 4.0	/* 1; of the expected error */
#define WS_LFU_AGE_LOW_CONFIDENCE 3.3	/* pp expected */

#define WS_MFU_LOW_CONFIDENCE_APART 3.0	/* pp from LRU */
#define WS_MFU_LEAST 1.0	/* pp; expected at least */
#define WS_MFU_APART 0.25	/* 1; for each pp from LRU */
#define WS_MFU_STEEP 0.05	/* 1; for each pp that LRU misses more with half the ways, */
#define WS_MFU_STEEP_COUNTS 40.0 /* pp; of so many at most */
#define WS_MFU_HALF 3.0		/* pp; half the interval at least, and */
#define WS_MFU_WIDE 4.0		/* 1; of the expected error */

/* ---- sectors under other policies than LRU (finish.c) ------------------------------------
 * Of the development streams with four sectors to a line (v-results --sectored, caches 8x4, 16x6,
 * 4x16, 2x6): ERROR is what Random errs by more than without sectors, HALF makes the intervals of
 * all policies together hold 95 % of the results.  Nothing was held out. */
#define WS_FINISH_SECTOR_ERROR 0.8 /* pp; what the rule adds to the expected error, */
#define WS_FINISH_SECTOR_HALF 4.2 /* pp; and to half the interval */

/* ---- samples of sets (replay.c) ----------------------------------------------------------
 * WIDER was chosen on random streams with hot lines, of which samples of 40 to 60 sets have a few
 * (t-replay: 89 % of ratios in their interval without it); on dev 97 to 100 % are. */
#define WS_REPLAY_WIDER 1.5	/* 1; intervals of some sets */
#define WS_REPLAY_NORMAL 1.959963984540054 /* 1; 95 % of a normal law lie within so many s.d. */
#define WS_REPLAY_EXPECTED 0.407 /* 1; mean |x| of a normal law, of 1.96 s.d. */
#define WS_REPLAY_LEAST_PP 0.1	/* pp; half an interval of what is not in the sample, at least:
				 * rare sets may have escaped it */
#define WS_REPLAY_SHARED_PP 2.0	/* pp; more, of policies whose sets share state that only those of
				 * the sample train */
#define WS_REPLAY_FREEDOM_LEAST 2.0 /* 1; degrees of freedom of an interval */
#define WS_REPLAY_SETS_FEW 12u	/* sets; of fewer nothing is sure */
#define WS_REPLAY_WIDE_PP 5.0	/* pp; half an interval that is not sure */

/* ---- chunks of lines (chunks.c) ----------------------------------------------------------
 * Measured against the simulator (validate/grains.csv).  Nothing was held out. */
#define WS_CHUNKS_ELASTIC_ERROR 0.15 /* pp; mean error, */
#define WS_CHUNKS_ELASTIC_HALF 1.0 /* pp; of 95 % of cases at most */
#define WS_CHUNKS_DYCACHE_ERROR 0.2 /* pp */
#define WS_CHUNKS_DYCACHE_HALF 1.5 /* pp */

/* ---- time (time/timing.c) ----------------------------------------------------------------
 * Chosen on the set dev of validate/cycles.csv (paper/notes-cycles.md).  Held out, its set report,
 * 19 applications: cycles off by 12.0 % in the mean on a GTX 480 and 20.9 % on a V100, rank 0.855;
 * from an anchor by 3.5 and 4.9 %. */
#define WS_TIME_ALIKE 0.2	/* 1; n requests miss as if n^ALIKE were independent; by cycles */
#define WS_TIME_NORM 4.0	/* 1; p of the norm of bounds; by rank and cycles */
#define WS_TIME_FRONT_MOST 4.0	/* 1; an anchored front is scaled by this at most, or its inverse */
#define WS_TIME_MEMORY_MOST 1.25 /* 1; the other bounds likewise; by cycles, of 1 1.25 1.5 */

#endif
