/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a confined process can still do, and what not: each attempt in a fork of its own.
 */
#include "tests/test.h"
#include "trace/capture.h"

#include "trace/capture/confine.h"

#if !WS_SANITIZED
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/warpstack-confine.XXXXXX";
static char file[64], inner[64];

/* Attempts: 0 if it could. */
static int write_new(void) { return open(inner, O_WRONLY | O_CREAT, 0600) < 0; }
static int write_old(void) { return open(file, O_WRONLY) < 0; }
static int truncate_old(void) { return open(file, O_RDONLY | O_TRUNC) < 0; }
static int unnamed(void) { return open(folder, O_TMPFILE | O_RDWR, 0600) < 0; }
static int read_old(void) { return open(file, O_RDONLY) < 0; }
static int read_passwd(void) { return open("/etc/passwd", O_RDONLY) < 0; }
static int remove_old(void) { return unlink(file) < 0; }
static int rename_old(void) { return rename(file, inner) < 0; }
static int link_old(void) { return link(file, inner) < 0; }
static int make_folder(void) { return mkdir(inner, 0700) < 0; }
static int mode(void) { return chmod(file, 0777) < 0; }
static int network(void) { return socket(AF_INET, SOCK_STREAM, 0) < 0; }
static int local_socket(void) { return socket(AF_UNIX, SOCK_STREAM, 0) < 0; }
static int pair(void) { int fd[2]; return socketpair(AF_UNIX, SOCK_STREAM, 0, fd) < 0; }
static int process(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return pid < 0;
}
static int program(void)
{
	execl("/bin/true", "true", (char *)NULL);
	return 1;
}
static int signal_parent(void) { return kill(getppid(), 0) < 0; }
/* Signals of a descriptor, of any number, to any process. */
static int signal_by_owner(void) { return fcntl(STDOUT_FILENO, F_SETOWN, getppid()) < 0; }
static int status_flags(void) { return fcntl(STDERR_FILENO, F_SETFL, O_NONBLOCK) < 0; }
static int parents_cores(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) ||
	       sched_setaffinity(getppid(), sizeof set, &set);
}
/* An address whose low half is 0 is none either. */
static int parents_limits(void)
{
	struct rlimit *r = mmap((void *)(uintptr_t)(UINT64_C(1) << 32), 4096,
				PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (r == MAP_FAILED || getrlimit(RLIMIT_CORE, r))
		return 2;
	return syscall(SYS_prlimit64, getppid(), RLIMIT_CORE, r, NULL) < 0;
}
static int name_space(void)
{
	return syscall(SYS_clone, CLONE_THREAD | CLONE_SIGHAND | CLONE_VM | CLONE_NEWNET, NULL,
		       NULL, NULL, NULL) < 0;
}
static int more_rights(void)
{
	struct rlimit r = { 1000, 1000 };
	return setrlimit(RLIMIT_CORE, &r) < 0;
}
static int memory(void)
{
	void *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED || mprotect(p, 1 << 20, PROT_READ | PROT_EXEC);
}
static int too_much(void)
{
	return mmap(NULL, (size_t)1 << 31, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0) == MAP_FAILED;
}
static void *nothing(void *context) { return context; }
static int thread(void)
{
	pthread_t t;

	return pthread_create(&t, NULL, nothing, NULL) || pthread_join(t, NULL);
}
static int memory_file = -1;
static int write_little(void) { return pwrite(memory_file, "x", 1, 100) != 1; }
static int write_much(void)
{
	signal(SIGXFSZ, SIG_IGN);
	return pwrite(memory_file, "x", 1, 1 << 20) != 1;
}
static int say(void) { return write(STDOUT_FILENO, "", 0) < 0; }

struct attempt {
	const char *what;
	int (*make)(void);
	bool allowed, by_landlock; /* only Landlock takes it away */
};

static const struct attempt attempts[] = {
	{ "to write a new file", write_new, false, false },
	{ "to write a file", write_old, false, false },
	{ "to truncate a file", truncate_old, false, false },
	{ "to make a file without a name", unnamed, false, false },
	{ "to read a file", read_old, false, true },
	{ "to read /etc/passwd", read_passwd, false, true },
	{ "to remove a file", remove_old, false, false },
	{ "to rename a file", rename_old, false, false },
	{ "to link a file", link_old, false, false },
	{ "to make a folder", make_folder, false, false },
	{ "to change a mode", mode, false, false },
	{ "to open a socket", network, false, false },
	{ "to open a local socket", local_socket, false, false },
	{ "to open a pair of sockets", pair, false, false },
	{ "to fork", process, false, false },
	{ "to start a program", program, false, false },
	{ "to signal its parent", signal_parent, false, false },
	{ "to have a descriptor signal its parent", signal_by_owner, false, false },
	{ "to change flags of what others have open", status_flags, false, false },
	{ "to say where its parent runs", parents_cores, false, false },
	{ "to set its parent's limits", parents_limits, false, false },
	{ "to have a thread in a namespace", name_space, false, false },
	{ "to raise a limit", more_rights, false, false },
	{ "to take more memory than it may have", too_much, false, false },
	{ "to write more than a file may hold", write_much, false, false },
	{ "to write less", write_little, true, false },
	{ "to take memory, and to run it", memory, true, false },
	{ "to start a thread", thread, true, false },
	{ "to write to what is open", say, true, false },
};

/* 0: it could; 1: not. */
static int outcome(const struct attempt *a, const char *readable)
{
	struct ws_confine c;
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		ws_confine_new(&c);
		c.memory = (uint64_t)1 << 30;
		c.file = 1 << 20;
		if (readable)
			ws_confine_readable(&c, readable);
		_exit(ws_confine_enter(&c) ? a->make() : 2);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static void make_files(void)
{
	FILE *f;

	if (!mkdtemp(folder))
		exit(1);
	snprintf(file, sizeof file, "%s/old", folder);
	snprintf(inner, sizeof inner, "%s/new", folder);
	f = fopen(file, "w");
	if (!f || fputs("kept", f) < 0 || fclose(f))
		exit(1);
}

int main(void)
{
	const struct attempt open_it = { "to read a file that it is given", read_old, true, false };
	char text[WS_CONFINEMENT_TEXT];
	bool landlock, seccomp;

	ws_capture_confinement(text);
	landlock = strstr(text, "Landlock (") != NULL;
	seccomp = strstr(text, ", seccomp") || strncmp(text, "seccomp", 7) == 0;
	printf("# %s\n", text);
	make_files();
	memory_file = memfd_create("file", 0);
	for (size_t i = 0; i < WS_COUNT(attempts); i++) {
		const struct attempt *a = &attempts[i];

		if (!a->allowed && (a->by_landlock ? !landlock : !seccomp))
			test_skip(a->what, text);
		else
			test_ok(outcome(a, NULL) == !a->allowed, "%s %s", a->allowed ? "allowed" :
				"not allowed", a->what);
	}
	test_ok(outcome(&open_it, file) == 0, "allowed %s", open_it.what);
	test_ok(outcome(&open_it, folder) == 0, "allowed %s, by its folder", open_it.what);
	test_ok(access(file, R_OK) == 0 && access(inner, F_OK) != 0, "the files are as they were");
	unlink(file);
	rmdir(folder);
	return test_done();
}
#else
int main(void)
{
	test_skip("confinement", "a sanitizer is in the way");
	return test_done();
}
#endif
