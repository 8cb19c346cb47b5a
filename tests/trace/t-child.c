/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processes that run kernels, and do what none should: crash, hang, send what is no message.  Each
 * is one error in bounded time, and leaves no descriptor and no process.  Their messages, damaged:
 * t-messages.c.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/test.h"
#include "trace/capture/child.h"

#define BOUND_SECONDS 20.0 /* of machines that are busy, too; the limits are 1 and 3 */

static uint64_t child_seed;

/* ---- in the child --------------------------------------------------------------------------- */

/* The pipe's end to write to, or (reads) the other. */
static int pipe_end(int mode)
{
	struct stat st;

	for (int fd = STDERR_FILENO + 1; fd < 1024; fd++) {
		if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) &&
		    (fcntl(fd, F_GETFL) & O_ACCMODE) == mode)
			return fd;
	}
	_exit(99);
}

static void send_raw(const void *data, size_t len)
{
	const char *at = data;
	int fd = pipe_end(O_WRONLY);

	while (len) {
		ssize_t n = write(fd, at, len);

		if (n <= 0)
			_exit(98);
		at += n;
		len -= (size_t)n;
	}
}

static void send_header(uint64_t type, uint64_t len)
{
	const uint64_t header[2] = { type, len };

	send_raw(header, sizeof header);
}

static void send_end(uint32_t status, uint32_t remedy, const char *text)
{
	struct ws_buf b = { 0 };

	ws_put_u32(&b, status);
	ws_put_u32(&b, remedy);
	ws_put_str(&b, text);
	send_header(WS_MSG_END, b.len);
	send_raw(b.data, b.len);
}

static void hang(void)
{
	for (;;)
		pause();
}

static void die(int number)
{
	signal(number, SIG_DFL);
	raise(number);
	hang();
}

static void does_crash(void) { die(SIGSEGV); }
static void does_abort(void) { die(SIGABRT); }
static void is_killed(void) { die(SIGKILL); }
static void exits(void) { _exit(7); }
static void exits_well(void) { _exit(0); }
static void hangs(void) { hang(); }

static void spins(void)
{
	static volatile unsigned i;

	for (;;)
		i++;
}

static void sends_garbage(void)
{
	uint8_t bytes[4096];
	struct ws_rng rng;

	ws_rng_seed(&rng, child_seed);
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)ws_rng_u64(&rng);
	send_raw(bytes, 1 + ws_rng_below(&rng, sizeof bytes));
}

/* Headers that are whole, of what is none. */
static void sends_types(void)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, child_seed);
	for (int i = 0; i < 100; i++) {
		uint64_t words[32], len = ws_rng_below(&rng, sizeof words);

		for (size_t k = 0; k < WS_COUNT(words); k++)
			words[k] = ws_rng_u64(&rng) >> ws_rng_below(&rng, 64);
		send_header(ws_rng_below(&rng, 2) ? 100 + ws_rng_below(&rng, 16) : ws_rng_u64(&rng),
			    len);
		send_raw(words, len);
	}
}

static void claims_most(void) { send_header(WS_MSG_PROGRESS, UINT64_MAX); }
static void claims_negative(void) { send_header(WS_MSG_PROGRESS, UINT64_C(1) << 63); }
static void claims_gibibytes(void) { send_header(WS_MSG_PROGRESS, UINT64_C(3) << 30); }

static void stops_in_header(void) { send_raw("warpstac", 8); }

static void stops_in_message(void)
{
	send_header(WS_MSG_PROGRESS, UINT64_C(1) << 30);
	send_raw("warpstack", 9);
}

static void waits_in_message(void)
{
	stops_in_message();
	hang();
}

static void sends_for_ever(void)
{
	uint64_t progress[5] = { WS_MSG_PROGRESS, 24 };

	for (;;)
		send_raw(progress, sizeof progress);
}

static void goes_on_behind_end(void)
{
	send_end(WS_OK, 0, "");
	send_header(WS_MSG_PROGRESS, 0);
}

static void ends_twice(void)
{
	send_end(WS_OK, 0, "");
	send_end(WS_OK, 0, "");
}

static void fails_and_hangs(void)
{
	send_end(WS_EINPUT, 0, "what it says");
	hang();
}

static void ends_with_odd_status(void) { send_end(1000, 0, "text"); }
static void ends_with_odd_remedy(void) { send_end(WS_EINPUT, 1000, "text"); }

static void ends_with_long_text(void)
{
	struct ws_buf b = { 0 };

	ws_put_u32(&b, WS_EINPUT);
	ws_put_u32(&b, 0);
	ws_put_var(&b, UINT64_MAX);
	send_header(WS_MSG_END, b.len);
	send_raw(b.data, b.len);
}

static void ends_with_nothing(void) { send_header(WS_MSG_END, 0); }

static void closes_its_pipe(void)
{
	close(pipe_end(O_WRONLY));
	hang();
}

/* The caller answers each of these. */
static void does_not_read(void)
{
	for (int i = 0; i < 100000; i++)
		send_header(WS_MSG_LAUNCH, 0);
	hang();
}

static void closes_answers(void)
{
	close(pipe_end(O_RDONLY));
	for (int i = 0; i < 10; i++)
		send_header(WS_MSG_LAUNCH, 0);
	hang();
}

static void changes_where(void); /* need what only run() has */
static void winds_clock_back(void);

static const struct deed {
	const char *what;
	void (*act)(void);
	const char *want; /* in the message */
} deeds[] = {
	{ "crashes", does_crash, "k.cl: kernel k: the compiler crashed at it (" },
	{ "aborts", does_abort, "the compiler crashed at it (" },
	{ "is killed", is_killed, "was killed" },
	{ "exits with 7", exits, "ended with 7" },
	{ "exits with 0", exits_well, "ended with 0" },
	{ "hangs", hangs, "took more than 1 s" },
	{ "computes without end", spins, "took more than 1 s" },
	{ "says that it is elsewhere, and crashes", changes_where,
	  "k.cl: kernel k: its process crashed (" },
	{ "begins steps without end", winds_clock_back, "more steps than its program has" },
	{ "claims 2^64 - 1 bytes", claims_most, "a message of 18446744073709551615 bytes" },
	{ "claims 2^63 bytes", claims_negative, "a message of 9223372036854775808 bytes" },
	{ "claims 3 GiB", claims_gibibytes, "a message of 3221225472 bytes" },
	{ "stops in a header", stops_in_header, "ended with 0" },
	{ "stops in a message", stops_in_message, "ended with 0" },
	{ "waits in a message", waits_in_message, "took more than 1 s" },
	{ "sends without end", sends_for_ever, "took more than 1 s" },
	{ "sends unknown messages", sends_types, "" },
	{ "goes on behind its end", goes_on_behind_end, "behind its end" },
	{ "ends twice", ends_twice, "behind its end" },
	{ "fails and hangs", fails_and_hangs, "what it says" },
	{ "ends with a status that there is not", ends_with_odd_status, "without a reason" },
	{ "ends with a remedy that there is not", ends_with_odd_remedy, "without a reason" },
	{ "ends with a text that is not there", ends_with_long_text, "without a reason" },
	{ "ends with nothing", ends_with_nothing, "without a reason" },
	{ "closes its pipe and goes on", closes_its_pipe, "closed its pipe" },
	{ "does not read answers", does_not_read, "does not read answers" },
	{ "closes the pipe of answers", closes_answers, "does not read answers" },
};

static struct ws_where *shared;

static void changes_where(void)
{
	atomic_store(&shared->launch, UINT32_MAX);
	atomic_store(&shared->running, UINT32_MAX);
	for (size_t i = 0; i < WS_CHILD_THREADS; i++)
		atomic_store(&shared->cta[i], UINT64_MAX);
	die(SIGSEGV);
}

static void winds_clock_back(void)
{
	for (;; usleep(10000))
		ws_where_step(shared, 0, true);
}

/* ---- in the caller -------------------------------------------------------------------------- */

static enum ws_status run(void *context, struct ws_port *port, struct ws_where *where,
			  struct ws_err *err)
{
	void (*const *act)(void) = context;

	(void)port;
	(void)err;
	shared = where;
	(*act)();
	_exit(0);
}

/* Takes what a program would send, answers to one kind. */
static enum ws_status take(void *context, enum ws_message type, const uint8_t *data, size_t len,
			   struct ws_buf *answer, struct ws_err *err)
{
	(void)context;
	(void)data;
	(void)len;
	if (type == WS_MSG_LAUNCH) {
		ws_put_u64(answer, 0);
		ws_put_u64(answer, 0);
	}
	return type <= WS_MSG_SOFT_IR ? WS_OK : ws_fail(err, WS_EINPUT, "an unknown message");
}

static struct ws_launch_spec launch;
static struct ws_program program = { .launch = &launch, .launches = 1 };

static int descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

static bool no_children(void)
{
	return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}

static enum ws_status run_child(void (*act)(void), double *seconds, struct ws_err *err)
{
	const struct ws_child child = { .run = run, .take = take, .context = &act,
					.program = &program, .seconds = 1, .steps = 10 };
	double begin = ws_seconds();
	enum ws_status status = ws_child_run(&child, err);

	*seconds = ws_seconds() - begin;
	return status;
}

static void one_deed(const struct deed *d)
{
	int before = descriptors();
	struct ws_err err = { 0 };
	double seconds;
	enum ws_status status = run_child(d->act, &seconds, &err);

	test_ok(status != WS_OK && status == err.status && strstr(err.text, d->want),
		"one that %s: got '%s' want '%s'", d->what, err.text, d->want);
	test_ok(seconds < BOUND_SECONDS, "one that %s: %.1f s", d->what, seconds);
	test_ok(descriptors() == before && no_children(), "one that %s leaves nothing", d->what);
}

static void garbage(uint64_t seed)
{
	int before = descriptors(), failed = 0;
	double longest = 0;

	for (int i = 0; i < 100; i++) {
		struct ws_err err = { 0 };
		double seconds;

		child_seed = seed + (uint64_t)i;
		failed += run_child(sends_garbage, &seconds, &err) != WS_OK && err.text[0];
		longest = seconds > longest ? seconds : longest;
	}
	test_ok(failed == 100, "garbage: %d errors of 100", failed);
	test_ok(longest < BOUND_SECONDS && descriptors() == before && no_children(),
		"garbage: %.1f s at most, nothing left", longest);
}

static enum ws_status behaves(void *context, struct ws_port *port, struct ws_where *where,
			      struct ws_err *err)
{
	struct ws_buf empty = { 0 };
	uint64_t answer[2] = { 1, 1 };
	enum ws_status status = ws_port_send(port, WS_MSG_LAUNCH, &empty, err);

	(void)context;
	ws_where_step(where, 0, true);
	if (status == WS_OK)
		status = ws_port_ask(port, answer, sizeof answer, err);
	return status == WS_OK && (answer[0] || answer[1]) ? ws_fail(err, WS_EINPUT, "no answer")
							    : status;
}

static void well_behaved(void)
{
	const struct ws_child child = { .run = behaves, .take = take, .program = &program,
					.seconds = 60 };
	int before = descriptors();
	struct ws_err err = { 0 };
	enum ws_status status = ws_child_run(&child, &err);

	test_ok(status == WS_OK, "one that behaves: %s", err.text);
	test_ok(descriptors() == before && no_children(), "one that behaves leaves nothing");
}

static enum ws_status looks_at_error(void *context, struct ws_port *port, struct ws_where *where,
				     struct ws_err *err)
{
	(void)context;
	(void)port;
	(void)where;
	return (fcntl(STDERR_FILENO, F_GETFL) & O_ACCMODE) == O_WRONLY
		       ? WS_OK : ws_fail(err, WS_EINPUT, "standard error can be read");
}

/* A terminal that is standard error, as most are open, to be read as well. */
static void terminal(void)
{
	const struct ws_child child = { .run = looks_at_error, .take = take, .program = &program };
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave = -1, kept = dup(STDERR_FILENO);
	struct ws_err err = { 0 };
	enum ws_status status;

	if (master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0)
		slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (slave < 0) {
		test_skip("a terminal is not read from", "there are no terminals");
	} else {
		dup2(slave, STDERR_FILENO);
		status = ws_child_run(&child, &err);
		dup2(kept, STDERR_FILENO);
		test_ok(status == WS_OK, "a terminal is not read from: %s", err.text);
		close(slave);
	}
	close(kept);
	if (master >= 0)
		close(master);
}

int main(void)
{
	uint64_t seed = test_seed(1);

	launch.kernel = (char[]){ "k" };
	program.source = (char[]){ "k.cl" };
	child_seed = seed;
	well_behaved();
	for (size_t i = 0; i < WS_COUNT(deeds); i++)
		one_deed(&deeds[i]);
	garbage(seed);
	terminal();
	return test_done();
}
