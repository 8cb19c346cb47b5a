/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/crash.c -- signals that a crashing kernel raises, which become faults of its CTA.
 */
#include "trace/capture/lockstep.h"

#include <signal.h>
#include <stdlib.h>

static const int crash_signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP };

struct ws_crashes {
	struct sigaction before[WS_COUNT(crash_signals)];
};

/* The CTA that this thread runs; a handler has no other way to know. */
static _Thread_local struct ws_cta_run *current;

/* These signals are raised by the instruction that is executed, so that nothing of the
 * library is interrupted if it is the kernel's. */
static void crashed(int number)
{
	struct ws_cta_run *r = current;

	if (!r || !r->running) {
		signal(number, SIG_DFL);
		return; /* the instruction is executed again, and ends the program */
	}
	r->fault = FAULT_CRASH;
	r->fault_lane = r->running->lane;
	r->crash_signal = number;
	siglongjmp(r->crash, 1);
}

void ws_crash_watch(struct ws_cta_run *r)
{
	current = r;
}

enum ws_status ws_crashes_begin(struct ws_crashes **out, struct ws_err *err)
{
	struct ws_crashes *c = ws_alloc_zero(1, sizeof *c);
	struct sigaction action = { .sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER };

	*out = c;
	if (!c)
		return ws_fail_memory(err, "signal handlers");
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < WS_COUNT(crash_signals); i++)
		sigaction(crash_signals[i], &action, &c->before[i]);
	return WS_OK;
}

void ws_crashes_end(struct ws_crashes *c)
{
	for (size_t i = 0; c && i < WS_COUNT(crash_signals); i++)
		sigaction(crash_signals[i], &c->before[i], NULL);
	free(c);
}

void ws_cta_thread_begin(struct ws_cta_run *r)
{
	stack_t own = { .ss_sp = r->signal_stack, .ss_size = WS_SIGNAL_STACK };

	sigaltstack(&own, &r->signal_before); /* the kernel's stack may be what overflowed */
	r->on_thread = true;
}

void ws_cta_thread_end(struct ws_cta_run *r)
{
	if (!r || !r->on_thread)
		return;
	sigaltstack(&r->signal_before, NULL);
	r->on_thread = false;
}
