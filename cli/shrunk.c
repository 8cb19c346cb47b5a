/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/shrunk.c -- an input that another program cuts off while it is read.
 *
 * Inputs are mapped into memory, and a page that the file has no longer is SIGBUS.  That is an
 * error of the input, and is said as one; what was written is left as in any other failure, since
 * it has no name yet.  The name of the file is that of the mapping, so that nothing must be kept
 * for a handler to find.  Kernels that run here have handlers of their own (trace/capture/).
 */
#include "cli/cli.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_BYTES 8192u /* of /proc/self/maps: longer paths are cut */

/* Lower-case hexadecimal digits; *p behind them. */
static uintptr_t hexadecimal(const char **p)
{
	static const char digits[] = "0123456789abcdef";
	uintptr_t value = 0;
	const char *digit;

	while (**p && (digit = strchr(digits, **p))) {
		value = value << 4 | (uintptr_t)(digit - digits);
		++*p;
	}
	return value;
}

/* "FROM-TO rwxp OFFSET DEVICE INODE    /PATH": the path, if address is in that range. */
static const char *path_in(const char *line, uintptr_t address)
{
	uintptr_t from = hexadecimal(&line), to;

	if (*line++ != '-')
		return NULL;
	to = hexadecimal(&line);
	return address >= from && address < to ? strchr(line, '/') : NULL;
}

/* Calls of the system alone: it runs in a handler. */
static const char *find_path(char line[LINE_MAX_BYTES], uintptr_t address)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	const char *path = NULL;
	size_t len = 0;
	char c;

	while (fd >= 0 && !path && read(fd, &c, 1) == 1) {
		if (c != '\n') {
			line[len] = c;
			len += len < LINE_MAX_BYTES - 1;
			continue;
		}
		line[len] = '\0';
		len = 0;
		path = path_in(line, address);
	}
	if (fd >= 0)
		close(fd);
	return path;
}

static void say(const char *text)
{
	(void)!write(STDERR_FILENO, text, strlen(text));
}

static void shrunk(int number, siginfo_t *info, void *context)
{
	char line[LINE_MAX_BYTES];
	const char *path = info->si_code == BUS_ADRERR
				   ? find_path(line, (uintptr_t)info->si_addr) : NULL;

	(void)context;
	if (!path) { /* something else: it comes again, and ends us */
		signal(number, SIG_DFL);
		return;
	}
	say("warpstack: ");
	say(path);
	say(": became shorter while it was read, or cannot be read any more\n");
	_exit(ws_exit_code(WS_EINPUT));
}

void cli_catch_shrunk(void)
{
	struct sigaction action = { .sa_sigaction = shrunk, .sa_flags = SA_SIGINFO };

	sigaction(SIGBUS, &action, NULL);
}
