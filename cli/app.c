/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/app.c -- runs a program with the OpenCL layer loaded into it.
 *
 * The layer is told by environment variables what to do (trace/opencl/settings.c), and is given
 * the trace as an open file.  A program that ends early leaves an incomplete trace, which is then
 * an error: nothing is written.
 */
#include "cli/app.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LAYER "libwarpstack-opencl.so"
#ifndef WS_LIBDIR
#define WS_LIBDIR "/usr/local/lib"
#endif

extern char **environ;

/* ---- the layer -------------------------------------------------------------------------- */

/* Beside the executable, in ../lib of it, where it is installed; or $WARPSTACK_LAYER. */
static char *find_layer(void)
{
	static const char *const beside[] = { "", "../lib/" };
	const char *given = getenv("WARPSTACK_LAYER");
	char folder[4096] = "", *path = NULL;
	ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
	char *slash = n > 0 ? strrchr(folder, '/') : NULL;

	if (given)
		return realpath(given, NULL);
	for (size_t i = 0; slash && i < WS_COUNT(beside); i++) {
		char name[4200];

		snprintf(name, sizeof name, "%.*s/%s%s", (int)(slash - folder), folder, beside[i],
			 LAYER);
		if ((path = realpath(name, NULL)))
			return path;
	}
	return realpath(WS_LIBDIR "/" LAYER, NULL);
}

static enum ws_status add_layer(struct ws_err *err)
{
	const char *others = getenv("OPENCL_LAYERS");
	char *path = find_layer(), *all = NULL;
	int failed;

	if (!path)
		return ws_fail(err, WS_EINVAL,
			       "%s is not there: it is built where LLVM and OpenCL's headers are "
			       "(clang-19, llvm-19-dev, ocl-icd-opencl-dev)", LAYER);
	failed = asprintf(&all, "%s%s%s", path, others && *others ? ":" : "",
			  others ? others : "") < 0 || setenv("OPENCL_LAYERS", all, 1);
	free(path);
	free(all);
	return failed ? ws_fail_memory(err, "the environment") : WS_OK;
}

/* ---- what it is to do ---------------------------------------------------------------------- */

static bool set_text(const char *name, const char *value)
{
	return (value ? setenv(name, value, 1) : unsetenv(name)) == 0;
}

static bool set_number(const char *name, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof text, "%" PRIu64, value);
	return set_text(name, value ? text : NULL);
}

static bool set_machine(const struct ws_machine *m)
{
	struct ws_buf conf = { 0 };
	bool good;

	ws_machine_write(m, &conf);
	ws_put_u8(&conf, 0);
	good = !conf.failed && set_text("WARPSTACK_MACHINE_CONF", (const char *)conf.data);
	ws_buf_clear(&conf);
	return good;
}

static enum ws_status tell(const struct cli_call *call, const struct app_options *o, int fd,
			   struct ws_err *err)
{
	bool good = set_number("WARPSTACK_TRACE_FD", (uint64_t)fd) &&
		    set_text("WARPSTACK_TRACE", NULL) && set_machine(&o->machine) &&
		    set_text("WARPSTACK_KERNEL", o->kernel) &&
		    set_text("WARPSTACK_LAUNCHES", o->launches) &&
		    set_number("WARPSTACK_CTAS", o->ctas) &&
		    set_number("WARPSTACK_THREADS", call->options->threads) &&
		    set_text("WARPSTACK_LOCAL", o->local ? "1" : NULL) &&
		    set_text("WARPSTACK_QUIET", call->options->quiet ? "1" : NULL);

	return good ? WS_OK : ws_fail_memory(err, "the environment");
}

/* ---- running --------------------------------------------------------------------------------- */

/* Signals from the terminal are the program's; we wait for it. */
static enum ws_status run(const struct cli_call *call, int *code, struct ws_err *err)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before[2];
	char **argv = ws_alloc_zero(call->operands.count + 1, sizeof(char *));
	posix_spawnattr_t attributes;
	sigset_t defaults;
	pid_t pid;
	int rc;

	if (!argv)
		return ws_fail_memory(err, "a command");
	for (size_t i = 0; i < call->operands.count; i++)
		argv[i] = (char *)(uintptr_t)call->operands.item[i];
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGINT);
	sigaddset(&defaults, SIGQUIT);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	sigaction(SIGINT, &ignore, &before[0]);
	sigaction(SIGQUIT, &ignore, &before[1]);
	rc = posix_spawnp(&pid, argv[0], NULL, &attributes, argv, environ);
	while (rc == 0 && waitpid(pid, code, 0) < 0 && errno == EINTR)
		;
	sigaction(SIGINT, &before[0], NULL);
	sigaction(SIGQUIT, &before[1], NULL);
	posix_spawnattr_destroy(&attributes);
	if (rc)
		ws_fail(err, WS_EINPUT, "%s: %s", argv[0], strerror(rc));
	free(argv);
	return rc ? WS_EINPUT : WS_OK;
}

/* Is what the layer wrote a whole trace? */
static enum ws_status check(const struct cli_call *call, int fd, int code, struct ws_err *err)
{
	const char *program = call->operands.item[0];
	struct ws_trace *t = NULL;
	char path[64];
	struct stat st;
	size_t launches;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (fstat(fd, &st) || st.st_size == 0)
		return ws_fail(err, WS_EINPUT,
			       "%s: no trace%s: it did not come to use OpenCL, or its OpenCL loader "
			       "takes no layers (want ocl-icd 2.3 or Khronos')", program,
			       WIFSIGNALED(code) ? " (it was killed)" : "");
	if (ws_trace_open(&t, path, NULL) != WS_OK)
		return ws_fail(err, WS_EINPUT,
			       "%s: the trace is not complete: the program %s%s", program,
			       WIFSIGNALED(code) ? "was killed: " : "did not leave by exit()",
			       WIFSIGNALED(code) ? strsignal(WTERMSIG(code)) : "");
	launches = ws_trace_launches(t);
	ws_trace_close(t);
	return launches ? WS_OK
			: ws_fail(err, WS_EINPUT, "%s: no launch was traced", program);
}

enum ws_status app_trace(struct cli_call *call, const struct app_options *o, struct ws_out *out,
			 struct ws_err *err)
{
	int fd = fileno(out->file), code = 0;
	char text[300];
	struct stat st;
	enum ws_status status;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return cli_usage(call->command, err,
				 "--output=%s is no regular file: --app wants one",
				 call->options->output);
	status = add_layer(err);
	if (status == WS_OK && fcntl(fd, F_SETFD, 0))
		status = ws_fail(err, WS_EIO, "the trace's file: %s", strerror(errno));
	if (status == WS_OK)
		status = tell(call, o, fd, err);
	if (status == WS_OK)
		status = run(call, &code, err);
	if (status == WS_OK)
		status = check(call, fd, code, err);
	if (status != WS_OK || (WIFEXITED(code) && WEXITSTATUS(code) == 0))
		return status;
	snprintf(text, sizeof text, "%.200s: exit code %d; the trace is complete",
		 call->operands.item[0], WIFEXITED(code) ? WEXITSTATUS(code) : 128 + WTERMSIG(code));
	cli_complain(text);
	call->no = true;
	return WS_OK;
}
