/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/base/t-progress.c -- the progress line: of what, how long, and what is quicker.
 */
#include "base/base.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What is written on standard error when `done` of 100 took so many seconds. */
static void line_of(struct ws_progress p, double seconds, uint64_t done, char *text, size_t size)
{
	int file = memfd_create("stderr", 0), own = dup(STDERR_FILENO);
	ssize_t len;

	if (file < 0 || own < 0 || dup2(file, STDERR_FILENO) < 0)
		exit(1);
	p.on = true; /* as on a terminal */
	p.start = ws_seconds() - seconds;
	ws_progress_step(&p, done);
	if (dup2(own, STDERR_FILENO) < 0)
		exit(1);
	len = pread(file, text, size - 1, 0);
	text[len > 0 ? len : 0] = '\0';
	close(file);
	close(own);
}

int main(void)
{
	struct ws_progress p = { .what = "profiling", .total = 100 };
	char text[256];

	line_of(p, 1, 50, text, sizeof text);
	test_str(text, "", "nothing in the first two seconds");
	line_of(p, 10, 50, text, sizeof text);
	test_str(text, "\rprofiling: 50 % of 100, 10 s left\033[K", "half of it");
	p.of = "mm\033x";
	p.hint = "--sample is quicker";
	line_of(p, 10, 50, text, sizeof text);
	test_str(text, "\rprofiling of mm x: 50 % of 100, 10 s left\033[K", "of a kernel");
	line_of(p, 10, 10, text, sizeof text);
	test_str(text, "\rprofiling of mm x: 10 % of 100, 90 s left (--sample is quicker)\033[K",
		 "long");
	return test_done();
}
