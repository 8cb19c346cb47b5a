/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/progress.c -- a progress line on a terminal.
 *
 * Nothing is written before DELAY seconds, and at most every INTERVAL seconds
 * after; the line is wiped at the end, so a log never holds one.
 */
#include "base/base.h"

#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#define DELAY 2.0
#define INTERVAL 0.2
#define LONG 30.0 /* seconds that are left, for a hint */
#define OF_MOST 40u /* bytes of the part's name */

double ws_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void ws_progress_begin(struct ws_progress *p, const char *what, uint64_t total, bool quiet)
{
	*p = (struct ws_progress){ .what = what, .total = total };
	p->on = !quiet && isatty(STDERR_FILENO);
	p->start = ws_seconds();
}

/* A name may be a stranger's. */
static void show_part(const char *of)
{
	if (of)
		fputs(" of ", stderr);
	for (size_t i = 0; of && of[i] && i < OF_MOST; i++)
		fputc((unsigned char)of[i] < ' ' || of[i] == 0x7f ? ' ' : of[i], stderr);
}

static void show(struct ws_progress *p, double now)
{
	double part = (double)p->done / (double)p->total;
	double left = part > 0 ? (now - p->start) * (1 - part) / part : 0;

	fprintf(stderr, "\r%s", p->what);
	show_part(p->of);
	fprintf(stderr, ": %.0f %% of %" PRIu64 ", %.0f s left", 100 * part, p->total, left);
	if (p->hint && left >= LONG)
		fprintf(stderr, " (%s)", p->hint);
	fputs("\033[K", stderr);
	fflush(stderr);
	p->shown = now;
}

void ws_progress_step(struct ws_progress *p, uint64_t done)
{
	double now;

	p->done = done;
	if (!p->on || p->total == 0)
		return;
	now = ws_seconds();
	if (now - p->start >= DELAY && now - p->shown >= INTERVAL)
		show(p, now);
}

void ws_progress_end(struct ws_progress *p)
{
	if (p->on && p->shown > 0)
		fputs("\r\033[K", stderr);
	p->on = false;
}
