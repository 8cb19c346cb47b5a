/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/process.c -- what programs do with themselves around their launches: process HOW.
 * It prints "ready" before it waits for signals.
 */
#include "tests/opencl/host.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 512

static const char source[] = "kernel void add(global uint *a) { a[get_global_id(0)] += 3; }\n";

static void close_all(void)
{
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
}

/* Some launches. */
static void work(int times)
{
	cl_uint a[N] = { 0 };
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, "");
	cl_kernel k = host_kernel(p, "add");
	cl_mem m = host_buffer(&h, CL_MEM_READ_WRITE, sizeof a, a);

	host_arg(k, 0, sizeof m, &m);
	for (int i = 0; i < times; i++)
		host_run(&h, k, N, 64);
	host_read(&h, m, sizeof a, a);
	host_check(a[0] == 3u * (unsigned)times && a[N - 1] == a[0], "work");
	clReleaseMemObject(m);
	clReleaseKernel(k);
	clReleaseProgram(p);
	host_close(&h);
}

/* Files of its own get the numbers of what it closed. */
static void closes(void)
{
	char text[8] = "";
	FILE *own[8];
	bool good = true;

	work(2);
	close_all();
	for (int i = 0; i < 8; i++)
		own[i] = tmpfile();
	work(2);
	for (int i = 0; i < 8; i++) {
		good &= own[i] && fgets(text, sizeof text, own[i]) == NULL;
		if (own[i])
			fclose(own[i]);
	}
	host_check(good, "its own files are empty");
}

static void forks(void)
{
	int code = 1;
	pid_t child;

	work(2);
	child = fork();
	if (child == 0)
		exit(0);
	waitpid(child, &code, 0);
	host_check(code == 0, "a child");
	work(1);
}

/* The parent is gone while the child works. */
static void orphan(void)
{
	int pipes[2];
	char c;

	if (pipe(pipes) || fork() != 0) {
		if (read(pipes[0], &c, 1) != 1)
			printf("no child\n");
		return;
	}
	work(1);
	if (write(pipes[1], "", 1) != 1)
		_exit(1);
	usleep(300000);
	work(2);
}

static void counts_lines(void)
{
	int lines = 0, c;

	while ((c = getchar()) != EOF)
		lines += c == '\n';
	printf("%d lines\n", lines);
	work(1);
}

static void caught(int number)
{
	(void)number;
	_exit(5);
}

static void waits(void)
{
	work(3);
	printf("ready\n");
	for (int i = 0; i < 1000; i++)
		usleep(200000);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (strcmp(how, "closed") == 0)
		close_all();
	if (strcmp(how, "elsewhere") == 0 && chdir("/"))
		return 1;
	if (strcmp(how, "exec") == 0)
		execl(argv[0], argv[0], "plain", (char *)NULL);
	if (strcmp(how, "catch") == 0)
		signal(SIGTERM, caught);
	if (strcmp(how, "closes") == 0)
		closes();
	else if (strcmp(how, "forks") == 0)
		forks();
	else if (strcmp(how, "orphan") == 0)
		orphan();
	else if (strcmp(how, "lines") == 0)
		counts_lines();
	else if (strcmp(how, "wait") == 0 || strcmp(how, "catch") == 0)
		waits();
	else
		work(3);
	if (strcmp(how, "_exit") == 0)
		_exit(0);
	if (strcmp(how, "quick") == 0)
		quick_exit(0);
	if (strcmp(how, "code") == 0)
		return 42;
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "kill") == 0)
		raise(SIGKILL);
	if (strcmp(how, "execs") == 0)
		execl(argv[0], argv[0], "plain", (char *)NULL);
	return host_wrong > 0;
}
