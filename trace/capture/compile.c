/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/compile.c -- OpenCL C to LLVM bitcode, by the clang of the LLVM we link.
 *
 * The host's target with clang's fake address spaces: global, constant, local
 * and private stay apart in the IR, and the code generator accepts them.  Our
 * built-in library, compiled when warpstack was built, is linked in by clang,
 * only what the kernel uses.  Multiplications and additions are not contracted, so
 * that results, and the addresses they decide, are the same on hosts with and without
 * fused instructions.
 */
#include "trace/capture/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef WS_CLANG
#define WS_CLANG "clang-19"
#endif
#define OPTIONS_MAX 256

extern char **environ;
/* The built-in library as bitcode: builtins.S. */
extern const uint8_t ws_builtins_start[], ws_builtins_end[];

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
	"-fno-caret-diagnostics",
	"-fno-crash-diagnostics",
	"-Wno-psabi", /* how vectors are passed to functions is nobody's concern: all are inlined */
	"-D__OPENCL_VERSION__=120",
	"-emit-llvm",
	"-c",
};

struct command {
	const char *argv[WS_COUNT(fixed) + OPTIONS_MAX + 16];
	size_t argc;
	char *words; /* the options, cut into words in place */
};

static void add(struct command *c, const char *word)
{
	c->argv[c->argc++] = word;
	c->argv[c->argc] = NULL;
}

/* Cuts at blanks; single and double quotes keep blanks, as a shell would. */
static bool next_word(char **text, char **word)
{
	char *in = *text, *out, quote = 0;

	while (*in == ' ' || *in == '\t' || *in == '\n')
		in++;
	if (!*in)
		return false;
	*word = out = in;
	for (; *in && (quote || (*in != ' ' && *in != '\t' && *in != '\n')); in++) {
		if (quote ? *in == quote : *in == '"' || *in == '\'')
			quote = quote ? 0 : *in;
		else
			*out++ = *in;
	}
	*text = *in ? in + 1 : in;
	*out = '\0';
	return true;
}

/* Options of other compilers that mean nothing here. */
static bool ignored(const char *word)
{
	return strncmp(word, "-cl-nv-", 7) == 0 || strcmp(word, "-cl-kernel-arg-info") == 0;
}

/* Options that OpenCL C compilers take.  Others could make clang write something else
 * than bitcode, or for another machine. */
static bool accepted(const char *word)
{
	static const char *const prefix[] = { "-D", "-U", "-I", "-cl-",     "-w",      "-W",
					      "-O", "-f", "-g", "-include", "-isystem" };

	if (strcmp(word, "-fsyntax-only") == 0 || strncmp(word, "-fplugin", 8) == 0)
		return false;
	for (size_t i = 0; i < WS_COUNT(prefix); i++) {
		if (strncmp(word, prefix[i], strlen(prefix[i])) == 0)
			return true;
	}
	return false;
}

/* Is the option's value the next word? */
static bool takes_word(const char *word)
{
	return strcmp(word, "-D") == 0 || strcmp(word, "-U") == 0 || strcmp(word, "-I") == 0 ||
	       strcmp(word, "-include") == 0 || strcmp(word, "-isystem") == 0;
}

static enum ws_status add_options(struct command *c, const char *options, struct ws_err *err)
{
	bool standard = false, value = false;
	char *rest, *word;

	c->words = ws_strdup(options ? options : "");
	if (!c->words)
		return ws_fail_memory(err, "build options");
	for (rest = c->words; next_word(&rest, &word);) {
		if (c->argc >= WS_COUNT(fixed) + OPTIONS_MAX)
			return ws_fail(err, WS_EINVAL, "more than %d build options", OPTIONS_MAX);
		if (!value && !accepted(word))
			return ws_fail(err, WS_EINVAL,
				       "build option '%s': want one of -D -U -I -cl-… -W… -w -O… "
				       "-f… -g -include -isystem",
				       word);
		value = !value && takes_word(word);
		standard |= strncmp(word, "-cl-std=", 8) == 0;
		if (!ignored(word))
			add(c, word);
	}
	if (!standard)
		add(c, "-cl-std=CL1.2");
	return WS_OK;
}

/* A file without a name that a child can open through /proc. */
static int memory_file(const char *name, const void *data, size_t len, char path[32])
{
	int fd = memfd_create(name, 0);

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

/* The first line of clang's that speaks of an error, and how many more there are. */
static enum ws_status diagnose(const char *source, struct ws_buf *log, struct ws_err *err)
{
	char *first = NULL, *line, *save = NULL;
	size_t errors = 0;

	ws_put_u8(log, 0);
	if (log->failed)
		return ws_fail_memory(err, "clang's messages");
	for (line = strtok_r((char *)log->data, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (!strstr(line, ": error: ") && !strstr(line, ": fatal error: "))
			continue;
		if (errors++ == 0)
			first = line;
	}
	if (!first)
		return ws_fail(err, WS_EFORMAT,
			       "%s: clang could not compile it and did not say why", source);
	if (errors > 1)
		return ws_fail(err, WS_EFORMAT, "%s (and %zu more)", first, errors - 1);
	return ws_fail(err, WS_EFORMAT, "%s", first);
}

static enum ws_status run(const struct command *c, int log, struct ws_err *err)
{
	posix_spawn_file_actions_t actions;
	int status, rc;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	rc = posix_spawnp(&pid, WS_CLANG, &actions, NULL, (char *const *)(uintptr_t)c->argv,
			  environ);
	posix_spawn_file_actions_destroy(&actions);
	if (rc)
		return ws_fail(err, WS_EIO, "%s: %s: install the package %s", WS_CLANG,
			       strerror(rc), WS_CLANG);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		return ws_fail(err, WS_EIO, "%s was killed by signal %d", WS_CLANG,
			       WTERMSIG(status));
	return status == 0 ? WS_OK : WS_EFORMAT;
}

struct files {
	int builtins, object, log;
	char builtins_path[32], object_path[32], log_path[32];
};

static void close_files(const struct files *f)
{
	if (f->builtins >= 0)
		close(f->builtins);
	if (f->object >= 0)
		close(f->object);
	if (f->log >= 0)
		close(f->log);
}

enum ws_status ws_compile(struct ws_bitcode *out, const char *source, const char *options,
			  struct ws_err *err)
{
	size_t len = (size_t)(ws_builtins_end - ws_builtins_start);
	struct command command = { .argc = 0 };
	struct ws_buf log = { 0 };
	enum ws_status status;
	struct files f;

	*out = (struct ws_bitcode){ 0 };
	if (access(source, R_OK))
		return ws_fail(err, WS_EINPUT, "%s: %s", source, strerror(errno));
	f.builtins = memory_file("builtins", ws_builtins_start, len, f.builtins_path);
	f.object = memory_file("kernel", "", 0, f.object_path);
	f.log = memory_file("log", "", 0, f.log_path);
	for (size_t i = 0; i < WS_COUNT(fixed); i++)
		add(&command, fixed[i]);
	status = f.builtins < 0 || f.object < 0 || f.log < 0
			 ? ws_fail(err, WS_EIO, "memory files for clang: %s", strerror(errno))
			 : add_options(&command, options, err);
	if (status == WS_OK) {
		add(&command, "-Xclang");
		add(&command, "-mlink-builtin-bitcode");
		add(&command, "-Xclang");
		add(&command, f.builtins_path);
		add(&command, "-o");
		add(&command, f.object_path);
		add(&command, "--"); /* a source may be called -x.cl */
		add(&command, source);
		status = run(&command, f.log, err);
	}
	if (status == WS_EFORMAT && slurp(f.log, &log, err) == WS_OK)
		status = diagnose(source, &log, err);
	if (status == WS_OK)
		status = slurp(f.object, &out->data, err);
	if (status == WS_OK && !(out->source = ws_strdup(source)))
		status = ws_fail_memory(err, "a file name");
	ws_buf_clear(&log);
	free(command.words);
	close_files(&f);
	return status;
}
