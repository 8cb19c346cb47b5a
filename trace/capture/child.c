/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/child.c -- a separate process that compiles and runs kernels (child.h).
 *
 * A message is its type and length, 16 bytes, and what it says.  The child writes into one pipe and
 * reads answers from another; it has no other descriptors but standard error, to which kernels
 * print.
 */
#include "trace/capture/child.h"
#include "trace/capture/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HEADER	    16u
#define MESSAGE_MAX (WS_BLOCK_MAX + (1u << 24))
#define SEND_BYTES  (64u << 10) /* of small messages together */
#define READ_BYTES  (256u << 10)
#define POLL_MS	    200
#define PIPES_FROM  64
#define LEAVE_SECONDS 3.0 /* that a child may take to be gone, when it has ended or closed its
			   * pipe */

/* ---- in the child --------------------------------------------------------------------------- */

struct ws_port {
	int to, from;
	struct ws_buf waiting;
};

void ws_where_step(struct ws_where *w, size_t launch, bool running)
{
	if (!w)
		return;
	atomic_store(&w->launch, (uint32_t)launch);
	atomic_store(&w->running, running);
	atomic_fetch_add(&w->turn, 1);
}

static bool write_all(int fd, const uint8_t *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		len -= (size_t)n;
	}
	return true;
}

static enum ws_status gone(struct ws_err *err)
{
	return ws_fail(err, WS_EIO, "the process that wants the trace is gone");
}

enum ws_status ws_port_flush(struct ws_port *p, struct ws_err *err)
{
	bool good = write_all(p->to, p->waiting.data, p->waiting.len);

	p->waiting.len = 0;
	return good ? WS_OK : gone(err);
}

enum ws_status ws_port_send(struct ws_port *p, enum ws_message type, const struct ws_buf *message,
			    struct ws_err *err)
{
	size_t whole = p->waiting.len;

	ws_put_u64(&p->waiting, type);
	ws_put_u64(&p->waiting, message->len);
	if (message->len < SEND_BYTES)
		ws_put_bytes(&p->waiting, message->data, message->len);
	if (p->waiting.failed || message->failed) {
		p->waiting.len = whole; /* the last message is still to be read */
		return ws_fail_memory(err, "a message");
	}
	if (message->len < SEND_BYTES)
		return p->waiting.len < SEND_BYTES ? WS_OK : ws_port_flush(p, err);
	if (ws_port_flush(p, err) != WS_OK || !write_all(p->to, message->data, message->len))
		return gone(err);
	return WS_OK;
}

enum ws_status ws_port_ask(struct ws_port *p, void *answer, size_t len, struct ws_err *err)
{
	enum ws_status status = ws_port_flush(p, err);

	for (size_t done = 0; done < len && status == WS_OK;) {
		ssize_t n = read(p->from, (uint8_t *)answer + done, len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			status = gone(err);
		else
			done += (size_t)n;
	}
	return status;
}

/* Without an allocation: that may be what failed. */
static void send_end(struct ws_port *p, enum ws_status status, const struct ws_err *err)
{
	uint8_t room[2][sizeof err->text + 64];
	struct ws_buf head = { .data = room[0], .cap = sizeof room[0] };
	struct ws_buf message = { .data = room[1], .cap = sizeof room[1] };
	struct ws_err inner = { 0 };

	ws_put_u32(&message, status);
	ws_put_u32(&message, status != WS_OK ? err->remedy : WS_REMEDY_NONE);
	ws_put_str(&message, status != WS_OK ? err->text : "");
	ws_put_u64(&head, WS_MSG_END);
	ws_put_u64(&head, message.len);
	ws_put_bytes(&head, message.data, message.len);
	if (ws_port_flush(p, &inner) == WS_OK)
		(void)!write_all(p->to, head.data, head.len);
}

#ifdef SYS_close_range
static void close_between(int low, int top)
{
	if (low + 1 < top)
		syscall(SYS_close_range, (unsigned)low + 1, (unsigned)top - 1, 0u);
}
#endif

/* The same open file, at a number that is high if there may be as many. */
static int high(int fd)
{
	int copy = fcntl(fd, F_DUPFD, PIPES_FROM);

	return copy < 0 ? fcntl(fd, F_DUPFD, STDERR_FILENO + 1) : copy;
}

/* A terminal is not to be read from. */
static void only_write_error(void)
{
	int again = isatty(STDERR_FILENO) ? open("/proc/self/fd/2", O_WRONLY | O_NOCTTY) : -1;

	if (again >= 0)
		dup2(again, STDERR_FILENO);
	if (again >= 0)
		close(again);
}

/* Leaves standard error and the two pipes, out of the way of descriptors that others may think are
 * theirs. */
static bool keep_pipes(struct ws_port *p)
{
	int null = open("/dev/null", O_RDWR), to = high(p->to), from = high(p->from);

	if (null < 0 || to < 0 || from < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(null, STDOUT_FILENO) < 0 ||
	    (fcntl(STDERR_FILENO, F_GETFD) < 0 && dup2(null, STDERR_FILENO) < 0))
		return false;
	only_write_error();
	p->to = to;
	p->from = from;
#ifdef SYS_close_range
	close_between(STDERR_FILENO, to < from ? to : from);
	close_between(to < from ? to : from, to < from ? from : to);
	syscall(SYS_close_range, (unsigned)(to < from ? from : to) + 1, ~0u, 0u);
#endif
	return true;
}

#if WS_SANITIZED
static enum ws_status confine(const struct ws_child *c, struct ws_err *err)
{
	(void)c;
	(void)err;
	return WS_OK;
}
#else
static uint64_t machine_memory(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);

	return pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes : 0;
}

static enum ws_status confine(const struct ws_child *c, struct ws_err *err)
{
	struct ws_confine confine;

	ws_confine_new(&confine);
	if (confine.failed)
		return ws_fail(err, WS_EIO, "confining a kernel's process: %s",
			       strerror(confine.failed));
	confine.memory = c->memory ? c->memory : machine_memory();
	if (!ws_confine_enter(&confine))
		return ws_fail(err, WS_EIO, "confining a kernel's process: %s", strerror(errno));
	ws_confine_clear(&confine);
	return WS_OK;
}
#endif

static void be_child(const struct ws_child *c, struct ws_port *p, struct ws_where *where,
		     pid_t parent)
{
	struct ws_err err = { 0 };
	enum ws_status status;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_IGN);
	if (getppid() != parent || !keep_pipes(p))
		_exit(1);
	status = confine(c, &err);
	if (status == WS_OK)
		status = c->run(c->context, p, where, &err);
	send_end(p, status, &err);
	_exit(0);
}

/* ---- in the caller -------------------------------------------------------------------------- */

struct child_watch {
	const struct ws_child *child;
	struct ws_where *where;
	pid_t pid;
	int from, to;
	struct ws_buf in, answer;
	size_t taken;		/* bytes of in that are done with */
	uint32_t turn;		/* the step that is being timed */
	double since;
	bool ended;		/* it has said how */
};

/* "FILE: kernel NAME"; the child may have written anything. */
static void place_of_child(const struct child_watch *w, char text[512])
{
	const struct ws_program *p = w->child->program;
	size_t launch = atomic_load(&w->where->launch);

	snprintf(text, 512, "%.300s: kernel %.160s", p->source,
		 p->launch[launch < p->launches ? launch : 0].kernel);
}

/* The first group that has begun and not ended, + 1; 0: none. */
static uint64_t group_of(const struct child_watch *w)
{
	uint64_t first = 0;

	for (size_t i = 0; i < WS_CHILD_THREADS; i++) {
		uint64_t cta = atomic_load(&w->where->cta[i]);

		if (cta && (!first || cta < first))
			first = cta;
	}
	return first;
}

static enum ws_status too_long(const struct child_watch *w, struct ws_err *err)
{
	uint64_t cta = atomic_load(&w->where->running) ? group_of(w) : 0;
	char where[512], group[64] = "";

	place_of_child(w, where);
	if (cta)
		snprintf(group, sizeof group, ", in group %" PRIu64 " at last", cta - 1);
	ws_fail_remedy(err, WS_REMEDY_KERNEL_TIME, "%s: %s took more than %" PRIu64 " s%s", where,
		       atomic_load(&w->where->running) ? "the launch" : "compiling it",
		       w->child->seconds, group);
	err->status = WS_EINPUT;
	return WS_EINPUT;
}

static enum ws_status check_time(struct child_watch *w, struct ws_err *err)
{
	uint32_t turn = atomic_load(&w->where->turn);

	if (turn != w->turn) {
		w->turn = turn;
		w->since = ws_seconds();
	}
	if (w->child->steps && turn > w->child->steps)
		return ws_fail(err, WS_EINPUT, "a kernel's process counts more steps than its "
			       "program has");
	if (w->child->seconds && ws_seconds() - w->since > (double)w->child->seconds)
		return too_long(w, err);
	return WS_OK;
}

/* How it ended, if it did not say. */
static enum ws_status ended_badly(const struct child_watch *w, int status, struct ws_err *err)
{
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	char where[512];

	place_of_child(w, where);
	if (number == SIGKILL)
		return ws_fail(err, WS_ENOMEM, "%s: its process was killed: too little memory?",
			       where);
	if (number)
		return ws_fail(err, WS_EINPUT, "%s: %s (%s)", where,
			       atomic_load(&w->where->running) ? "its process crashed"
							       : "the compiler crashed at it",
			       strsignal(number));
	return ws_fail(err, WS_EIO, "%s: its process ended with %d before the kernel did", where,
		       WIFEXITED(status) ? WEXITSTATUS(status) : 0);
}

static enum ws_status take_end(struct child_watch *w, const uint8_t *data, size_t len,
			       struct ws_err *err)
{
	struct ws_cursor c = { .p = data, .end = data + len };
	uint32_t status = ws_get_u32(&c), remedy = ws_get_u32(&c);
	uint64_t text = ws_get_var(&c);
	const uint8_t *bytes = text < sizeof err->text ? ws_get_bytes(&c, (size_t)text) : NULL;

	w->ended = true;
	w->since = ws_seconds();
	if (status == WS_OK && !c.bad)
		return WS_OK;
	if (c.bad || status > WS_ENOCONV || remedy >= WS_REMEDIES || !bytes)
		return ws_fail(err, WS_EINPUT, "a kernel's process ended without a reason");
	ws_fail(err, (enum ws_status)status, "%.*s", (int)text, (const char *)bytes);
	err->remedy = (enum ws_remedy)remedy;
	return (enum ws_status)status;
}

/* Without SIGPIPE, should the child be gone. */
static bool write_quietly(int fd, const struct ws_buf *b)
{
	const struct timespec now = { 0 };
	sigset_t pipe_signal, before;
	bool good;

	sigemptyset(&pipe_signal);
	sigaddset(&pipe_signal, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
	good = write_all(fd, b->data, b->len);
	if (!good && !sigismember(&before, SIGPIPE))
		sigtimedwait(&pipe_signal, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return good;
}

static enum ws_status take_message(struct child_watch *w, uint64_t type, const uint8_t *data,
				   size_t len,
				   struct ws_err *err)
{
	enum ws_status status;

	if (w->ended)
		return ws_fail(err, WS_EINPUT, "a kernel's process went on behind its end");
	if (type == WS_MSG_END)
		return take_end(w, data, len, err);
	w->answer.len = 0;
	status = w->child->take(w->child->context, (enum ws_message)type, data, len, &w->answer,
				err);
	if (status == WS_OK && w->answer.failed)
		status = ws_fail_memory(err, "a message");
	if (status == WS_OK && w->answer.len && !write_quietly(w->to, &w->answer))
		status = ws_fail(err, WS_EINPUT, "a kernel's process does not read answers");
	return status;
}

/* All messages that are there. */
static enum ws_status take_all(struct child_watch *w, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	while (status == WS_OK && w->in.len - w->taken >= HEADER) {
		struct ws_cursor c = { .p = w->in.data + w->taken, .end = w->in.data + w->in.len };
		uint64_t type = ws_get_u64(&c), len = ws_get_u64(&c);

		if (len > MESSAGE_MAX)
			return ws_fail(err, WS_EINPUT,
				       "a kernel's process sent a message of %" PRIu64
				       " bytes", len);
		if (len > (uint64_t)(c.end - c.p))
			break;
		w->taken += HEADER + (size_t)len;
		status = take_message(w, type, c.p, (size_t)len, err);
	}
	if (w->taken) {
		w->in.len -= w->taken;
		memmove(w->in.data, w->in.data + w->taken, w->in.len);
		w->taken = 0;
	}
	return status;
}

/* Some of what the child has written; *more false: it is gone. */
static enum ws_status receive(struct child_watch *w, uint8_t *block, bool *more, struct ws_err *err)
{
	struct pollfd poll_from = { .fd = w->from, .events = POLLIN };
	int ready = poll(&poll_from, 1, POLL_MS);
	ssize_t n = ready > 0 ? read(w->from, block, READ_BYTES) : -1;
	int reason = errno;

	if (ready > 0 && n >= 0)
		*more = n > 0;
	else if (ready && reason != EINTR && reason != EAGAIN)
		return ws_fail(err, WS_EIO, "a kernel's process: %s", strerror(reason));
	if (n > 0)
		ws_put_bytes(&w->in, block, (size_t)n);
	return w->in.failed ? ws_fail_memory(err, "a message") : WS_OK;
}

static enum ws_status follow_child(struct child_watch *w, struct ws_err *err)
{
	uint8_t *block = malloc(READ_BYTES);
	enum ws_status status = block ? WS_OK : ws_fail_memory(err, "messages");
	bool more = true;

	w->since = ws_seconds();
	while (more && status == WS_OK) {
		status = receive(w, block, &more, err);
		if (status == WS_OK)
			status = take_all(w, err);
		if (status == WS_OK && !w->ended)
			status = check_time(w, err);
		if (w->ended && ws_seconds() - w->since > LEAVE_SECONDS)
			more = false;
	}
	free(block);
	return status;
}

/* How the child ended.  False: it did not until then, and is killed. */
static bool reap(const struct child_watch *w, double until, int *how)
{
	pid_t got;

	while ((got = waitpid(w->pid, how, WNOHANG)) == 0 && ws_seconds() < until)
		nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
	if (got == w->pid)
		return true;
	kill(w->pid, SIGKILL);
	while (waitpid(w->pid, how, 0) < 0 && errno == EINTR)
		;
	return false;
}

static enum ws_status watch_child(struct child_watch *w, struct ws_err *err)
{
	enum ws_status status = follow_child(w, err);
	double until = w->ended ? w->since + LEAVE_SECONDS :
		       status == WS_OK ? ws_seconds() + LEAVE_SECONDS : 0;
	int how = 0;
	bool left = reap(w, until, &how);

	ws_buf_clear(&w->in);
	ws_buf_clear(&w->answer);
	if (status != WS_OK || w->ended)
		return status;
	return left ? ended_badly(w, how, err)
		    : ws_fail(err, WS_EINPUT, "a kernel's process closed its pipe and went on");
}

static void close_pipe(const int fd[2])
{
	for (unsigned i = 0; i < 2; i++) {
		if (fd[i] >= 0)
			close(fd[i]);
	}
}

enum ws_status ws_child_run(const struct ws_child *c, struct ws_err *err)
{
	int up[2] = { -1, -1 }, down[2] = { -1, -1 };
	struct ws_where *where = mmap(NULL, sizeof *where, PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	enum ws_status status = WS_OK;
	pid_t parent = getpid(), pid = -1;

	if (where == MAP_FAILED)
		return ws_fail_memory(err, "a kernel's process");
	if (pipe2(up, O_CLOEXEC) == 0 && pipe2(down, O_CLOEXEC) == 0 &&
	    fcntl(down[1], F_SETFL, O_NONBLOCK) == 0)
		pid = fork();
	if (pid < 0)
		status = ws_fail(err, WS_EIO, "a kernel's process: %s", strerror(errno));
	if (pid == 0)
		be_child(c, &(struct ws_port){ .to = up[1], .from = down[0] }, where, parent);
	if (pid > 0) {
		struct child_watch w = { .child = c, .where = where, .pid = pid, .from = up[0],
					 .to = down[1] };

		close(up[1]);
		close(down[0]);
		up[1] = down[0] = -1;
		status = watch_child(&w, err);
	}
	close_pipe(up);
	close_pipe(down);
	munmap(where, sizeof *where);
	return status;
}
