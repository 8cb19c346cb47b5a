/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/crew.h -- threads that stay, for work that comes in small portions.
 *
 * ws_parallel makes threads per call, which is dear where a call is worth 50 microseconds, as a
 * window of the cycle simulator is.
 */
#ifndef WS_VALIDATE_CYCLE_CREW_H
#define WS_VALIDATE_CYCLE_CREW_H

#include "base/base.h"

struct ws_crew;

typedef enum ws_status ws_portion(void *context, size_t item, struct ws_err *err);

/* threads: the caller's included; 1: no other is made.  Fewer than asked for do as well. */
enum ws_status ws_crew_new(struct ws_crew **out, unsigned threads,
			   struct ws_err *err) WS_MUST_CHECK;
void ws_crew_free(struct ws_crew *c);
/* work(context, i) for every i in 0 .. count - 1, in any order, in any thread; the first failure by
 * i is returned.  All are done when it returns. */
enum ws_status ws_crew_run(struct ws_crew *c, size_t count, ws_portion *work, void *context,
			   struct ws_err *err) WS_MUST_CHECK;

#endif
