/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/app.c -- runs a program with the OpenCL layer loaded into it, or one that warpstack-nvcc has
 * made, which has the CUDA runtime in it.
 *
 * The layer is told by environment variables what to do (trace/opencl/settings.c) and writes each
 * launch as it ends; the trace is ended here when the program is gone, however that was
 * (trace/capture.h).
 */
#include "cli/app.h"
#include "base/library.h"
#include "trace/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LAYER "libwarpstack-opencl.so"
#define RUNTIME "libwarpstack-cuda.so"

/* ---- the layer -------------------------------------------------------------------------- */

/* Programs that another linker made of objects of warpstack-nvcc may not know where its runtime is.
 * True: it is there, and they find it. */
static bool add_runtime(void)
{
	const char *others = getenv("LD_LIBRARY_PATH");
	char *path = ws_library_path(RUNTIME), *end = path ? strrchr(path, '/') : NULL, *all = NULL;
	bool good = end != NULL;

	if (good) {
		*end = '\0';
		good = asprintf(&all, "%s%s%s", path, others && *others ? ":" : "",
				others ? others : "") >= 0 &&
		       setenv("LD_LIBRARY_PATH", all, 1) == 0;
	}
	free(path);
	free(all);
	return good;
}

static enum ws_status add_layer(struct ws_err *err)
{
	const char *others = getenv("OPENCL_LAYERS");
	const char *given = getenv("WARPSTACK_LAYER");
	char *path = given ? realpath(given, NULL) : ws_library_path(LAYER), *all = NULL;
	bool cuda = add_runtime();
	int failed;

	if (!path && errno == ENOMEM)
		return ws_fail_memory(err, "the layer's name");
	if (!path && !given && cuda) /* programs that use CUDA can be run */
		return WS_OK;
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

static bool set_file(const char *name, int fd)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getpid(), fd);
	return set_text(name, path);
}

static enum ws_status tell(const struct cli_call *call, const struct app_options *o, int trace,
			   int spool, struct ws_err *err)
{
	bool good = set_file("WARPSTACK_TRACE_OPEN", trace) &&
		    set_file("WARPSTACK_SPOOL", spool) &&
		    set_text("WARPSTACK_TRACE", NULL) &&
		    (!call->options->machine || set_machine(&o->machine)) &&
		    set_text("WARPSTACK_KERNEL", o->kernel) &&
		    set_text("WARPSTACK_LAUNCHES", o->launches) &&
		    set_number("WARPSTACK_CTAS", o->ctas) &&
		    set_number("WARPSTACK_REGISTERS", o->registers) &&
		    set_number("WARPSTACK_THREADS", call->options->threads) &&
		    set_text("WARPSTACK_LOCAL", o->local ? "1" : NULL) &&
		    set_text("WARPSTACK_NO_SOURCE", o->no_source ? "1" : NULL) &&
		    set_text("WARPSTACK_IMAGES", o->images) &&
		    set_text("WARPSTACK_OUT_OF_BOUNDS", call->options->out_of_bounds) &&
		    set_text("WARPSTACK_QUIET", call->options->quiet ? "1" : NULL);

	return good ? WS_OK : ws_fail_memory(err, "the environment");
}

/* ---- running --------------------------------------------------------------------------------- */

static const int passed_on[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 };

/* Processes that have ended, ours and orphans of the program's, are taken note of. */
static void reap(struct app_end *end)
{
	pid_t pid;
	int code;

	while ((pid = waitpid(-1, &code, WNOHANG)) > 0) {
		if (pid == end->pid) {
			end->code = code;
			end->gone = true;
		}
	}
}

/* The program is gone when its first process is, and the one that is traced, if that is another. */
static bool is_gone(struct app_end *end, const struct ws_spool *s)
{
	struct ws_spool_state state;

	reap(end);
	ws_spool_read(s, &state);
	return end->gone && (end->asked || state.owner <= 0 || kill((pid_t)state.owner, 0));
}

/* Signals that would end us are the program's: what a process sends is passed on, what the terminal
 * sends it has already. */
static void wait_for(struct app_end *end, const struct ws_spool *s, const sigset_t *watched)
{
	const struct timespec patience = { .tv_nsec = 200000000 }; /* others' children send none */
	siginfo_t info;

	while (!is_gone(end, s)) {
		if (sigtimedwait(watched, &info, &patience) < 0 || info.si_signo == SIGCHLD)
			continue;
		end->asked = info.si_signo;
		if (info.si_code != SI_KERNEL && !end->gone)
			kill(end->pid, info.si_signo);
	}
}

/* In the new process.  It ends when we do, however that is: the signal is sent when the thread ends
 * that made it, which is our first.  If we were gone before it was asked for, nobody waits for an
 * answer. */
static void become(char **argv, pid_t parent, const sigset_t *mask, int answer)
{
	int why;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	why = errno;
	(void)!write(answer, &why, sizeof why);
	_exit(127);
}

/* 0, or errno.  The pipe is closed by the exec; what comes before that is why there was none. */
static int start_app(char **argv, const sigset_t *mask, pid_t *pid)
{
	pid_t parent = getpid();
	int answer[2], why = 0;

	if (pipe2(answer, O_CLOEXEC))
		return errno;
	*pid = fork();
	if (*pid == 0)
		become(argv, parent, mask, answer[1]);
	if (*pid < 0)
		why = errno;
	close(answer[1]);
	while (*pid > 0 && read(answer[0], &why, sizeof why) < 0 && errno == EINTR)
		continue;
	close(answer[0]);
	if (*pid > 0 && why)
		waitpid(*pid, NULL, 0);
	return why;
}

static enum ws_status spawn(char **argv, const struct ws_spool *s, struct app_end *end,
			    struct ws_err *err)
{
	struct sigaction child = { .sa_handler = SIG_DFL };
	sigset_t watched, before;
	int rc;

	sigemptyset(&watched);
	sigaddset(&watched, SIGCHLD);
	for (size_t i = 0; i < WS_COUNT(passed_on); i++)
		sigaddset(&watched, passed_on[i]);
	sigaction(SIGCHLD, &child, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigprocmask(SIG_BLOCK, &watched, &before);
	rc = start_app(argv, &before, &end->pid);
	if (rc == 0)
		wait_for(end, s, &watched);
	/* The signals stay blocked: what is left to do is the trace's end. */
	return rc ? ws_fail(err, ws_input_status(rc), "%s: %s", argv[0], strerror(rc)) : WS_OK;
}

static enum ws_status run_app(const struct cli_call *call, const struct ws_spool *s,
			      struct app_end *end, struct ws_err *err)
{
	char **argv = ws_alloc_zero(call->operands.count + 1, sizeof(char *));
	enum ws_status status;

	if (!argv)
		return ws_fail_memory(err, "a command");
	for (size_t i = 0; i < call->operands.count; i++)
		argv[i] = (char *)(uintptr_t)call->operands.item[i];
	fflush(NULL);
	status = spawn(argv, s, end, err);
	free(argv);
	return status;
}

/* ---- what is in the trace -------------------------------------------------------------------- */

/* "exit code 3", "killed: Segmentation fault". */
static const char *how_ended(const struct app_end *end, char text[80])
{
	if (WIFSIGNALED(end->code))
		snprintf(text, 80, "killed by signal %d (%s)", WTERMSIG(end->code),
			 strsignal(WTERMSIG(end->code)));
	else
		snprintf(text, 80, "exit code %d", WEXITSTATUS(end->code));
	return text;
}

/* A program that launched nothing has done nothing wrong: its exit code is passed on, a shell's for
 * one that was killed. */
static enum ws_status launched_nothing(struct cli_call *call, const struct ws_spool_state *s,
				       const struct app_end *end, struct ws_out *out)
{
	char ended[80], text[400];

	snprintf(text, sizeof text, "%.200s: no trace: %s (%s)", call->operands.item[0],
		 s->loaded ? "it launched nothing"
			   : "it did not come to use OpenCL, or CUDA by way of warpstack-nvcc, or "
			     "its OpenCL loader takes no layers (want ocl-icd 2.3 or Khronos')",
		 how_ended(end, ended));
	cli_complain(text);
	call->code = WIFSIGNALED(end->code) ? 128 + WTERMSIG(end->code) : WEXITSTATUS(end->code);
	ws_out_abort(out);
	return WS_OK;
}

/* some: not all launches are asked for. */
static enum ws_status nothing(struct cli_call *call, const struct ws_spool_state *s, bool some,
			      const struct app_end *end, struct ws_out *out, struct ws_err *err)
{
	const char *program = call->operands.item[0];
	char text[80];

	how_ended(end, text);
	if (s->loaded && s->running)
		return ws_fail(err, WS_EINPUT, "%s: no trace (%s): no launch had ended", program,
			       text);
	if (s->loaded && s->tally.left)
		return ws_fail(err, WS_EINPUT, "%s: no launch was traced (%s): %" PRIu64
			       " were left to the platform", program, text, s->tally.left);
	if (s->loaded && some)
		return ws_fail(err, WS_EINPUT, "%s: no launch was traced (%s): none is one that "
			       "--kernel and --launches ask for", program, text);
	return launched_nothing(call, s, end, out);
}

/* Is it a whole trace?  The program could have written to it. */
static enum ws_status check_trace(int fd, struct ws_err *err)
{
	struct ws_trace *t = NULL;
	enum ws_status status;
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	status = ws_trace_open(&t, path, err);
	ws_trace_close(t);
	return status;
}

/* fd: the trace. */
static void report(const struct cli_call *call, const struct ws_spool_state *s,
		   const struct app_end *end, int fd)
{
	char launches[WS_TALLY_TEXT], overhead[WS_TALLY_TEXT], ended[80], text[400];
	uint64_t traced = s->launches;
	struct stat st;

	ws_tally_text(&s->tally, fstat(fd, &st) == 0 ? (uint64_t)st.st_size : s->bytes,
		      ws_seconds(), launches, overhead);
	if (!call->options->quiet) {
		cli_complain(launches);
		cli_complain(overhead);
	}
	if (WIFEXITED(end->code) && WEXITSTATUS(end->code) == 0)
		return;
	snprintf(text, sizeof text, "%.200s: %s; the trace has the %" PRIu64
		 " launch%s that had ended%s", call->operands.item[0], how_ended(end, ended),
		 traced, traced == 1 ? "" : "es",
		 s->running ? ", not the one that was running" : "");
	cli_complain(text);
}

static enum ws_status finish(struct cli_call *call, struct ws_spool *s, int spool, bool some,
			     const struct app_end *end, struct ws_out *out, struct ws_err *err)
{
	bool nobody = ws_spool_claim(s); /* so that nobody writes any more */
	struct ws_spool_state state;
	enum ws_status status;

	ws_spool_read(s, &state);
	if (!nobody && state.failed)
		return ws_fail(err, WS_EIO, "%s: %s", out->path, strerror(state.failed));
	if (nobody || !state.launches)
		return nothing(call, &state, some, end, out, err);
	status = ws_spool_finish(s, spool, out, err);
	if (status == WS_OK)
		status = check_trace(fileno(out->file), err);
	if (status == WS_OK)
		report(call, &state, end, fileno(out->file));
	return status;
}

enum ws_status app_trace(struct cli_call *call, const struct app_options *o, struct ws_out *out,
			 struct app_end *end, struct ws_err *err)
{
	struct ws_spool *s = NULL;
	enum ws_status status;
	struct stat st;
	int spool = -1;

	if (fstat(fileno(out->file), &st) || !S_ISREG(st.st_mode))
		return cli_usage(call->command, err,
				 "--output=%s is no regular file: --app wants one",
				 call->options->output);
	status = add_layer(err);
	if (status == WS_OK)
		status = ws_spool_new(&s, &spool, err);
	if (status == WS_OK)
		status = tell(call, o, fileno(out->file), spool, err);
	if (status == WS_OK)
		status = run_app(call, s, end, err);
	if (status == WS_OK)
		status = finish(call, s, spool, o->kernel || o->launches, end, out, err);
	call->no = status == WS_OK && out->file &&
		   !(WIFEXITED(end->code) && WEXITSTATUS(end->code) == 0);
	ws_spool_close(s);
	if (spool >= 0)
		close(spool);
	return status;
}

void app_end_alike(const struct app_end *end)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t one;

	if (!end->asked || !WIFSIGNALED(end->code) || WTERMSIG(end->code) != end->asked)
		return;
	sigemptyset(&one);
	sigaddset(&one, end->asked);
	sigaction(end->asked, &usual, NULL);
	raise(end->asked);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
}
