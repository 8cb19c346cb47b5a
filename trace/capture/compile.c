/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/compile.c -- OpenCL C and CUDA to LLVM bitcode, by the clang of the LLVM we link.
 *
 * The host's target with clang's fake address spaces: global, constant, local
 * and private stay apart in the IR, and the code generator accepts them.  Our
 * built-in library, compiled when warpstack was built, is linked in by clang,
 * only what the kernel uses.  Multiplications and additions are not contracted, so
 * that results, and the addresses they decide, are the same on hosts with and without
 * fused instructions.
 *
 * CUDA's device code is compiled for NVIDIA's GPUs, with our headers (data/cuda/include) in place
 * of the toolkit's; cuda.c makes it the host's.
 *
 * clang runs with no more rights than it needs (confine.h): it reads its own files, the source and
 * the folders of headers, and writes into memory that it is given as standard output.
 */
#include "trace/capture/cache.h"
#include "trace/capture/confine.h"
#include "trace/capture/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef WS_CLANG
#define WS_CLANG "clang-19"
#endif
/* Room for the largest kernels, an end for sources that expand without one. */
#define COMPILE_SECONDS 300u
#define COMPILE_MEMORY	(UINT64_C(4) << 30)
#define COMPILE_OUTPUT	(UINT64_C(1) << 28) /* bytes of bitcode, and of complaints */
#define IDLE_SECONDS	20u /* without computing: it waits for what does not come */
#define NO_CLANG	126 /* exit status: the compiler was not started */
#define NO_LOADER	127 /* the same, of the dynamic loader */

/* The built-in library as bitcode: builtins.S. */
extern const uint8_t ws_builtins_start[], ws_builtins_end[];
extern const char ws_builtins_sum[];

static const char *const fixed[] = {
	WS_CLANG,
	"-x",
	"cl",
	"-Xclang",
	"-ffake-address-space-map",
	"-Xclang",
	"-fdeclare-opencl-builtins",
	"-Xclang",
	"-finclude-default-header",
	"-cl-kernel-arg-info",
	"-O1",
	"-Xclang",
	"-disable-llvm-passes",
	"-gline-tables-only",
	"-ffp-contract=off",
	"-fno-color-diagnostics",
	"-fno-crash-diagnostics",
	"-Wno-psabi", /* how vectors are passed to functions is nobody's concern: all are inlined */
	"-D__OPENCL_VERSION__=120",
	"-emit-llvm",
	"-c",
};

static const char *const fixed_cuda[] = {
	WS_CLANG,
	"-x",
	"cuda",
	"--cuda-gpu-arch=sm_70",
	"--cuda-device-only",
	"-nocudainc",
	"-nocudalib",
	"-Xclang",
	"-target-sdk-version=12.0",
	"-Wno-unknown-cuda-version",
	"-Xclang",
	"-fcuda-allow-variadic-functions",
	"-fdeclspec",
	"-Wno-c++11-narrowing", /* as tools/warpstack-nvcc has these four */
	"-Wno-reserved-user-defined-literal",
	"-Wno-register",
	"-fno-strict-return",
	"-fno-discard-value-names",
	"-O1",
	"-funroll-loops", /* for registers.c: else its loops would be told not to be */
	"-Xclang",
	"-disable-llvm-passes",
	"-gline-tables-only",
	"-ffp-contract=off",
	"-fcheck-new", /* where the heap is full it is NULL */
	"-fno-strict-aliasing", /* numbers are read as another type's, which nvcc has go well */
	"-fno-color-diagnostics",
	"-fno-crash-diagnostics",
	"-emit-llvm",
	"-c",
	"-include",
	"cuda_runtime.h",
};

/* Assembler is refused, as labels too, and what else gives a function another name: by it a source
 * could take the place of functions of the library.  So are the names of those that compiled code
 * calls. */
static const char preamble[] = "#pragma GCC poison asm __asm __asm__ weakref __weakref__ "
			       "redefine_extname __ws_ctx __ws_barrier __ws_printf "
			       "__ws_soft_count __ws_soft_bits __ws_soft_past __ws_soft_phase\n";

/* The system's headers have assembler as names; what is made of it is refused in the module. */
static const char preamble_cuda[] = "#pragma GCC poison __ws_ctx __ws_barrier __ws_printf "
				    "__ws_warp __ws_bad_call __ws_atomic_inc "
				    "__ws_atomic_dec\n";

struct command {
	const char *argv[WS_COUNT(fixed) + WS_COUNT(fixed_cuda) + WS_BUILD_WORDS_MAX + 20];
	size_t argc;
};

static void add_word(struct command *c, const char *word)
{
	c->argv[c->argc++] = word;
	c->argv[c->argc] = NULL;
}

static void add_clang(struct command *c, const char *word)
{
	add_word(c, "-Xclang");
	add_word(c, word);
}

/* A file without a name that a child can open through /proc; its descriptor is none of the standard
 * ones. */
static int memory_file(const char *name, const void *data, size_t len, char path[32])
{
	int made = memfd_create(name, 0), fd = made < 0 ? -1 : fcntl(made, F_DUPFD, 3);

	if (made >= 0)
		close(made);
	if (fd < 0)
		return -1;
	for (size_t done = 0; done < len;) {
		ssize_t n = write(fd, (const char *)data + done, len - done);

		if (n <= 0) {
			close(fd);
			return -1;
		}
		done += (size_t)n;
	}
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

static enum ws_status slurp(int fd, struct ws_buf *buf, struct ws_err *err)
{
	char block[1 << 15];
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return ws_fail(err, WS_EIO, "reading what clang wrote: %s", strerror(errno));
	while ((n = read(fd, block, sizeof block)) > 0)
		ws_put_bytes(buf, block, (size_t)n);
	if (n < 0)
		return ws_fail(err, WS_EIO, "reading what clang wrote: %s", strerror(errno));
	return buf->failed ? ws_fail_memory(err, "a compiled kernel") : WS_OK;
}

/* May the compiler take less memory than we allow it: is a want of it not the source's fault? */
static bool starved(void)
{
	struct rlimit all, data;

	return getrlimit(RLIMIT_AS, &all) == 0 && getrlimit(RLIMIT_DATA, &data) == 0 &&
	       (all.rlim_cur < COMPILE_MEMORY || data.rlim_cur < COMPILE_MEMORY);
}

static enum ws_status no_memory(const char *source, struct ws_err *err)
{
	if (starved())
		return ws_fail_memory(err, WS_CLANG);
	return ws_fail(err, WS_EFORMAT, "%s: %s needs more than %u GiB: want a smaller source",
		       source, WS_CLANG, (unsigned)(COMPILE_MEMORY >> 30));
}

/* ---- what clang complains of ----------------------------------------------------------------- */

#define LINE_MOST 160 /* bytes of a line of the source that are shown */

struct complaints {
	char *first;	/* the first line that speaks of an error */
	size_t errors, left_out;
	size_t len;	/* of err->more */
};

/* A line of the source below a complaint: "   12 |  x = y;", "      |      ^". */
static bool is_excerpt(const char *line)
{
	line += strspn(line, " ");
	line += strspn(line, "0123456789");
	return line[strspn(line, " ")] == '|';
}

static bool is_error(const char *line)
{
	return !is_excerpt(line) && (strstr(line, "error: ") || strstr(line, "LLVM ERROR: "));
}

static size_t shown(const char *line)
{
	size_t len = strnlen(line, LINE_MOST);

	while (len == LINE_MOST && len && ((unsigned char)line[len] & 0xc0) == 0x80)
		len--; /* not within a character */
	return len;
}

/* Errors of which all lines fit are shown. */
static void show(struct complaints *c, char *more, size_t size, char *const *line, size_t lines)
{
	size_t first = line[0] == c->first, len = 0;

	for (size_t i = first; i < lines; i++)
		len += shown(line[i]) + 1;
	if (c->left_out || c->len + len >= size) {
		c->left_out += !first;
		return;
	}
	for (size_t i = first; i < lines; i++) {
		memcpy(more + c->len, line[i], shown(line[i]));
		c->len += shown(line[i]);
		more[c->len++] = '\n';
	}
	more[c->len] = '\0';
}

/* The line that follows *line in clang's output, NULL at its end. */
static char *next_line(char **rest)
{
	char *line = *rest, *end = line ? strchr(line, '\n') : NULL;

	*rest = end ? end + 1 : NULL;
	if (end)
		*end = '\0';
	return line;
}

/* Errors one after the other, each with its excerpt; notes and warnings are left out. */
static void find_errors(struct complaints *c, char *rest, char *more, size_t size)
{
	char *block[4], *line = next_line(&rest);

	while (line) {
		size_t lines = 0;

		if (!is_error(line)) {
			line = next_line(&rest);
			continue;
		}
		if (c->errors++ == 0)
			c->first = line;
		do {
			if (lines < WS_COUNT(block))
				block[lines++] = line;
			line = next_line(&rest);
		} while (line && is_excerpt(line));
		show(c, more, size, block, lines);
	}
}

/* The first line of clang's that speaks of an error is the message; the others are below it. */
static enum ws_status diagnose(const char *source, struct ws_buf *log, struct ws_err *err)
{
	struct complaints c = { 0 };
	char more[sizeof err->more] = "", *at;
	enum ws_status status;

	ws_put_u8(log, 0);
	if (log->failed)
		return ws_fail_memory(err, "clang's messages");
	find_errors(&c, (char *)log->data, more, sizeof more);
	if (c.first && (at = strstr(c.first, "attempt to use a poisoned")))
		return ws_fail(err, WS_EFORMAT, "%.*sassembler, other names for functions, and "
			       "names that begin with __ws_, are not supported",
				       (int)(at - c.first), c.first);
	if (c.first && strstr(c.first, ": cannot open file") &&
	    strstr(c.first, "Permission denied"))
		return ws_fail(err, WS_EFORMAT, "%s: want files below the source's or the launch "
			       "file's folder, or below one that -I names", c.first);
	if (c.first && (strstr(c.first, "LLVM ERROR: out of memory") ||
			(starved() && strstr(c.first, "Cannot allocate memory"))))
		return no_memory(source, err);
	if (!c.first)
		return ws_fail(err, WS_EFORMAT,
			       "%s: clang could not compile it and did not say why", source);
	status = c.left_out ? ws_fail(err, WS_EFORMAT, "%s (and %zu more, some of them below)",
				      c.first, c.errors - 1)
			    : ws_fail(err, WS_EFORMAT, "%s", c.first);
	if (err)
		memcpy(err->more, more, sizeof more);
	return status;
}

struct compile_files {
	int builtins, preamble, object, log;
	int source; /* not 0: is open already */
	char builtins_path[32], preamble_path[32], object_path[32], log_path[32];
};

/* ---- the compiler as a process ------------------------------------------------------------- */

/* The file of a program that is looked for as a shell would; NULL: there is none (errno is ENOENT),
 * or memory is out. */
/* ccache and its like stand in PATH under the compilers' names, and want a home and a cache. */
static bool is_clang(const char *file)
{
	char *real = realpath(file, NULL), *slash = real ? strrchr(real, '/') : NULL;
	bool good = slash && strncmp(slash + 1, "clang", 5) == 0;

	free(real);
	return good;
}

/* The first in PATH that is no other program's link. */
static char *find_clang(const char *name)
{
	const char *path = getenv("PATH"), *end;

	for (path = path && *path ? path : "/usr/bin:/bin"; *path; path = *end ? end + 1 : end) {
		char *file = NULL;

		end = strchrnul(path, ':');
		if (asprintf(&file, "%.*s/%s", (int)(end - path), path, name) < 0) {
			errno = ENOMEM;
			return NULL;
		}
		if (end > path && access(file, X_OK) == 0 && is_clang(file))
			return file;
		free(file);
	}
	errno = ENOENT;
	return NULL;
}

/* Allows the folder that `levels` of the path's last names are in. */
static void allow_folder(struct ws_confine *c, const char *path, unsigned levels)
{
	char *real = realpath(path, NULL), *slash;

	if (!real && errno == ENOMEM)
		c->failed = ENOMEM;
	while (real && levels-- && (slash = strrchr(real, '/')))
		slash[slash == real] = '\0';
	if (real)
		ws_confine_readable(c, real);
	free(real);
}

static uint64_t seconds_of(const struct ws_compile *from)
{
	return from->seconds ? from->seconds : COMPILE_SECONDS;
}

/* What clang reads: itself and its headers, the source and its folder, the folders of -I. */
static void allow(struct ws_confine *c, const char *clang, const struct ws_compile *from)
{
	static const char *const system[] = { "/usr", "/lib", "/lib64", "/etc/ld.so.cache",
					      "/nix/store", "/gnu/store", "/dev/null" };

	ws_confine_new(c);
	c->program = true;
	c->memory = COMPILE_MEMORY;
	c->seconds = seconds_of(from);
	c->file = COMPILE_OUTPUT;
	for (size_t i = 0; i < WS_COUNT(system); i++)
		ws_confine_readable(c, system[i]);
	allow_folder(c, clang, 2);
	if (from->trusted) {
		ws_confine_readable(c, "/");
		return;
	}
	allow_folder(c, from->source, 1);
	if (from->headers)
		allow_folder(c, from->headers, 0);
	if (from->file)
		allow_folder(c, from->file, 1);
	for (size_t i = 0; i < from->build->words; i++) {
		if (strncmp(from->build->word[i], "-I", 2) == 0)
			ws_confine_readable(c, from->build->word[i] + 2);
	}
}

/* Nothing of the caller's but what clang is to open by its descriptor. */
static bool keep_files(const struct compile_files *f)
{
#if defined SYS_close_range && defined CLOSE_RANGE_CLOEXEC
	syscall(SYS_close_range, STDERR_FILENO + 1u, ~0u, CLOSE_RANGE_CLOEXEC);
#endif
	return fcntl(f->builtins, F_SETFD, 0) == 0 && fcntl(f->preamble, F_SETFD, 0) == 0 &&
	       (!f->source || fcntl(f->source, F_SETFD, 0) == 0);
}

/* After a fork, of a program that may have threads: system calls only. */
static void become_clang(const struct command *c, const char *clang, const struct compile_files *f,
			 const struct ws_confine *confine)
{
	static const char *const environment[] = { "LC_ALL=C", "PATH=/usr/bin:/bin",
						  "CLANG_NO_DEFAULT_CONFIG=1", NULL };
	int null = open("/dev/null", O_RDONLY);

	/* Descriptors 0 to 2 may be closed, and then be among ours. */
	if (null < 0 || dup2(f->object, STDOUT_FILENO) < 0 || dup2(f->log, STDERR_FILENO) < 0 ||
	    dup2(null, STDIN_FILENO) < 0 || !keep_files(f))
		_exit(NO_CLANG);
	if (!ws_confine_enter(confine))
		_exit(NO_CLANG);
	execve(clang, (char *const *)(uintptr_t)c->argv, (char *const *)(uintptr_t)environment);
	_exit(NO_CLANG);
}

/* How it ended.  WS_EFORMAT without a message: it has complained. */
static enum ws_status ended(const struct ws_compile *from, int status, struct ws_err *err)
{
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (number == SIGXCPU || number == SIGKILL) {
		ws_fail_remedy(err, WS_REMEDY_KERNEL_TIME, "%s: %s took more than %" PRIu64
			       " s, or was killed", from->source, WS_CLANG, seconds_of(from));
		return err->status = WS_EFORMAT;
	}
	if (number == SIGXFSZ)
		return ws_fail(err, WS_EFORMAT, "%s: %s writes more than %u MiB: want a smaller "
			       "source",
			       from->source, WS_CLANG, (unsigned)(COMPILE_OUTPUT >> 20));
	if (number && starved())
		return ws_fail(err, WS_EIO, "%s crashed (%s): too little memory (ulimit -v, -d)?",
			       WS_CLANG, strsignal(number));
	if (number)
		return ws_fail(err, WS_EFORMAT, "%s: %s crashed (%s)", from->source, WS_CLANG,
			       strsignal(number));
	if (WEXITSTATUS(status) == NO_CLANG || WEXITSTATUS(status) == NO_LOADER)
		return ws_fail(err, WS_EIO, "%s could not be started: too little memory, or not "
			       "installed whole", WS_CLANG);
	return WEXITSTATUS(status) == 0 ? WS_OK : WS_EFORMAT;
}

/* Waits as long as it computes: false, it has not for a while.  A header may be a pipe. */
static bool wait_while_busy(pid_t pid, const struct ws_compile *from)
{
	uint64_t most = seconds_of(from) < IDLE_SECONDS ? seconds_of(from) : IDLE_SECONDS, idle = 0;
	struct timespec before = { 0 }, now;
	clockid_t clock;
	struct pollfd end = { .fd = -1, .events = POLLIN };

#ifdef SYS_pidfd_open
	end.fd = (int)syscall(SYS_pidfd_open, pid, 0);
#endif
	if (end.fd < 0 || clock_getcpuclockid(pid, &clock))
		most = 0; /* old kernels: there is no telling */
	while (idle < most && poll(&end, 1, 1000) <= 0) {
		bool same = clock_gettime(clock, &now) == 0 && now.tv_sec == before.tv_sec &&
			    now.tv_nsec == before.tv_nsec;

		idle = same ? idle + 1 : 0;
		before = now;
	}
	if (end.fd >= 0)
		close(end.fd);
	return !most || idle < most;
}

static enum ws_status run_clang(const struct command *c, const char *clang,
				const struct compile_files *f,
				const struct ws_confine *confine, const struct ws_compile *from,
				struct ws_err *err)
{
	pid_t pid = fork();
	bool busy;
	int status;

	if (pid < 0)
		return ws_fail(err, WS_EIO, "%s: %s", WS_CLANG, strerror(errno));
	if (pid == 0)
		become_clang(c, clang, f, confine);
	busy = wait_while_busy(pid, from);
	if (!busy)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return ws_fail(err, WS_EIO, "waiting for %s: %s", WS_CLANG,
				       strerror(errno));
	}
	return busy ? ended(from, status, err)
		    : ws_fail(err, WS_EFORMAT, "%s: %s waits for a file that it includes: want no "
			      "pipes", from->source, WS_CLANG);
}

static enum ws_status compile(struct command *c, const struct compile_files *f,
			      const struct ws_compile *from,
			      struct ws_err *err)
{
	char *clang = find_clang(WS_CLANG);
	struct ws_confine confine;
	enum ws_status status;

	if (!clang && errno == ENOMEM)
		return ws_fail_memory(err, "the compiler's name");
	if (!clang)
		return ws_fail(err, WS_EIO, "%s: %s: install the package %s", WS_CLANG,
			       strerror(ENOENT), WS_CLANG);
	allow(&confine, clang, from);
	status = confine.failed ? ws_fail(err, WS_EIO, "confining %s: %s", WS_CLANG,
					  strerror(confine.failed))
				: run_clang(c, clang, f, &confine, from, err);
	ws_confine_clear(&confine);
	free(clang);
	return status;
}

static void close_files(const struct compile_files *f)
{
	const int fd[] = { f->builtins, f->preamble, f->object, f->log };

	for (size_t i = 0; i < WS_COUNT(fd); i++) {
		if (fd[i] >= 0)
			close(fd[i]);
	}
}

static enum ws_status open_files(struct compile_files *f, bool cuda, struct ws_err *err)
{
	size_t len = (size_t)(ws_builtins_end - ws_builtins_start);
	const char *first = cuda ? preamble_cuda : preamble;

	f->builtins = memory_file("builtins", ws_builtins_start, len, f->builtins_path);
	f->preamble = memory_file("preamble", first, strlen(first), f->preamble_path);
	f->object = memory_file("kernel", "", 0, f->object_path);
	f->log = memory_file("log", "", 0, f->log_path);
	if (f->builtins >= 0 && f->preamble >= 0 && f->object >= 0 && f->log >= 0)
		return WS_OK;
	return ws_fail(err, WS_EIO, "memory files for clang: %s", strerror(errno));
}

static void put_together(struct command *c, const struct compile_files *f,
			 const struct ws_compile *from)
{
	bool cuda = from->headers != NULL;

	for (size_t i = 0; !cuda && i < WS_COUNT(fixed); i++)
		add_word(c, fixed[i]);
	for (size_t i = 0; cuda && i < WS_COUNT(fixed_cuda); i++)
		add_word(c, fixed_cuda[i]);
	for (size_t i = 0; i < from->build->words; i++)
		add_word(c, from->build->word[i]);
	add_word(c, "-include");
	add_word(c, f->preamble_path);
	if (cuda) {
		add_word(c, "-isystem");
		add_word(c, from->headers);
	} else {
		add_clang(c, "-mlink-builtin-bitcode");
		add_clang(c, f->builtins_path);
	}
	add_word(c, "-o");
	add_word(c, "-");
	add_word(c, "--"); /* a source may be called -x.cl */
	add_word(c, from->source);
}

/* clang takes a word that begins with '@' for a file of options, even behind "--", and it hands a
 * source's last name on as a word. */
static bool is_options_file(const char *source)
{
	const char *slash = strrchr(source, '/');

	return source[0] == '@' || (slash && slash[1] == '@');
}

static enum ws_status check_source(const char *source, struct ws_err *err)
{
	struct stat st;

	if (stat(source, &st) || access(source, R_OK))
		return ws_fail(err, ws_input_status(errno), "%s: %s", source, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return ws_fail(err, WS_EINPUT, "%s: want a regular file of OpenCL C or "
			       "CUDA", source);
	if (is_options_file(source))
		return ws_fail(err, WS_EINPUT, "%s: want a source whose name does not begin with @",
			       source);
	return WS_OK;
}

/* ---- what has been compiled before --------------------------------------------------------- */

static void put_word(struct ws_buf *key, const char *word)
{
	ws_put_bytes(key, word, strlen(word) + 1);
}

/* The compiler, changed by an update. */
static bool put_compiler(struct ws_buf *key)
{
	char *clang = find_clang(WS_CLANG), *real = clang ? realpath(clang, NULL) : NULL;
	struct stat info;
	bool good = real && stat(real, &info) == 0;

	if (good) {
		put_word(key, real);
		ws_put_u64(key, (uint64_t)info.st_size);
		ws_put_u64(key, (uint64_t)info.st_mtim.tv_sec);
		ws_put_u64(key, (uint64_t)info.st_mtim.tv_nsec);
		put_word(key, preamble);
		put_word(key, ws_builtins_sum);
	}
	free(real);
	free(clang);
	return good;
}

/* All that the code depends on; false if that is not known, or none is to be kept. */
static bool make_key(struct ws_buf *key, const struct ws_compile *from)
{
	const struct compile_files names = { .builtins_path = "builtins",
					     .preamble_path = "preamble" };
	struct command command = { .argc = 0 };
	struct ws_in source = { 0 };
	bool good;

	*key = (struct ws_buf){ 0 };
	if (!from->cache || from->headers || ws_in_open(&source, from->source, NULL) != WS_OK)
		return false;
	put_together(&command, &names, from);
	good = ws_cache_closed(source.data, source.len) && put_compiler(key);
	if (from->open) /* under any number */
		command.argc--;
	for (size_t i = 0; i < command.argc; i++)
		put_word(key, command.argv[i]);
	for (size_t i = 0; i < from->build->words; i++)
		good &= ws_cache_closed(from->build->word[i], strlen(from->build->word[i]));
	ws_put_bytes(key, source.data, source.len);
	ws_in_close(&source);
	return good && !key->failed;
}

/* If the source is still what the key was made of. */
static void keep(const struct ws_buf *key, const struct ws_compile *from,
		 const struct ws_buf *code)
{
	struct ws_buf now;

	if (make_key(&now, from) && now.len == key->len &&
	    memcmp(now.data, key->data, now.len) == 0)
		ws_cache_put(from->cache, key, code, WS_CACHE_MOST);
	ws_buf_clear(&now);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static enum ws_status compile_source(struct ws_buf *code, const struct ws_compile *from,
				     struct ws_err *err)
{
	struct command command = { .argc = 0 };
	struct ws_buf log = { 0 };
	struct compile_files f;
	enum ws_status status = open_files(&f, from->headers != NULL, err);

	f.source = from->open;
	if (status == WS_OK) {
		put_together(&command, &f, from);
		status = compile(&command, &f, from, err);
	}
	if (status == WS_EFORMAT && err->status == WS_OK) {
		status = slurp(f.log, &log, err);
		if (status == WS_OK)
			status = diagnose(from->source, &log, err);
	}
	if (status == WS_OK)
		status = slurp(f.object, code, err);
	ws_buf_clear(&log);
	close_files(&f);
	return status;
}

enum ws_status ws_compile(struct ws_bitcode *out, const struct ws_compile *from, struct ws_err *err)
{
	enum ws_status status = check_source(from->source, err);
	struct ws_buf key;
	bool kept;

	*out = (struct ws_bitcode){ .cuda = from->headers != NULL };
	if (status != WS_OK)
		return status;
	kept = make_key(&key, from);
	if (!kept || !ws_cache_get(from->cache, &key, &out->data)) {
		status = compile_source(&out->data, from, err);
		if (kept && status == WS_OK)
			keep(&key, from, &out->data);
	}
	ws_buf_clear(&key);
	if (status == WS_OK && !(out->source = ws_strdup(from->source)))
		status = ws_fail_memory(err, "a file name");
	return status;
}

/* clang names no file where it complains of an option. */
static enum ws_status complaint(const struct ws_program *p, const struct ws_err *why,
				struct ws_err *err)
{
	static const char begin[] = "error: ";
	const struct ws_text_place at = ws_place_of(p, p->options_line, "build options");

	if (why->status == WS_EFORMAT && strncmp(why->text, begin, sizeof begin - 1) == 0)
		return ws_place_fail(&at, err, "%s", why->text + sizeof begin - 1);
	return ws_fail_as(err, why);
}

enum ws_status ws_compile_program(struct ws_bitcode *out, const struct ws_program *p,
				  uint64_t seconds, const char *cache, struct ws_err *err)
{
	bool cuda = ws_is_cuda(p->source);
	const struct ws_build_source from = { .file = p->name, .cuda = cuda };
	char *headers = cuda ? ws_data_path("cuda/include") : NULL;
	struct ws_build build;
	struct ws_compile compile = { .source = p->source, .file = p->name, .build = &build,
				      .seconds = seconds, .cache = cache, .headers = headers };
	enum ws_status status = ws_build_parse(&build, p->options, &from, err);
	struct ws_err why = { 0 };

	*out = (struct ws_bitcode){ 0 };
	if (status == WS_OK && cuda && !headers)
		status = ws_fail(err, WS_EIO, "%s: the headers of CUDA are not there: want "
				 "WARPSTACK_DATA to name the data directory", p->source);
	if (status == WS_OK && ws_compile(out, &compile, &why) != WS_OK)
		status = complaint(p, &why, err);
	free(headers);
	ws_build_clear(&build);
	return status;
}
