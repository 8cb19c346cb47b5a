/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/confine.h -- taking rights away from a child process.
 *
 * Private to trace/capture/.  Two mechanisms of Linux, each used where the kernel offers it:
 * Landlock (5.13) takes away the file system but for folders that are named, TCP and signals to
 * others; a seccomp filter (x86-64, AArch64) lets through only system calls that compute, read and
 * write what is open already: no socket, no new process, no file opened to be written.
 */
#ifndef WS_CONFINE_H
#define WS_CONFINE_H

#include "base/base.h"

/* Sanitizers need rights and memory that kernels have no use for. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WS_SANITIZED 1
#endif
#endif
#ifndef WS_SANITIZED
#define WS_SANITIZED 0
#endif

struct ws_confine {
	int landlock;	/* descriptor of the rule set; -1: none */
	int abi;	/* of Landlock; 0: there is none */
	bool program;	/* execve is allowed */
	int failed;	/* errno: there were no descriptors or memory for what was asked; 0 */
	/* Limits: bytes of private memory, seconds of CPU, bytes of a file that it writes; 0:
	 * none. */
	uint64_t memory, seconds, file;
};

/* Before the fork.  readable: files and folders that can be read, with all in them; what is not
 * there is passed over.  Opens a descriptor.  What is missing for want of descriptors shows in
 * .failed and is to be taken for an error: a child with fewer rights than it needs, or more. */
void ws_confine_new(struct ws_confine *c);
void ws_confine_readable(struct ws_confine *c, const char *path);
/* In the child: only system calls, so that it can follow a fork of a program with threads.  What
 * the kernel does not have is left out; false: it has it and refuses.  For good. */
bool ws_confine_enter(const struct ws_confine *c) WS_MUST_CHECK;
void ws_confine_clear(struct ws_confine *c);

#endif
