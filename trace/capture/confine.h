/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/confine.h -- drops a child process's rights.
 *
 * Private to trace/capture/.  Two mechanisms of Linux, each used where the kernel offers it:
 * Landlock (5.13) denies TCP, signals to other processes and the file system except for named
 * folders.  A seccomp filter (x86-64, AArch64) allows only system calls that compute and use open
 * descriptors: no socket, no new process, no file opened for writing.
 */
#ifndef WS_CONFINE_H
#define WS_CONFINE_H

#include "base/base.h"

/* Sanitizers need more rights and memory than kernels. */
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

/* Before the fork.  readable: files and folders, with their contents, that can be read; missing
 * ones are skipped.  Opens a descriptor.  If descriptors run out, .failed is set; treat it as an
 * error, as the child would have the wrong rights. */
void ws_confine_new(struct ws_confine *c);
void ws_confine_readable(struct ws_confine *c, const char *path);
/* In the child: only system calls, so that it is safe after a fork of a program with threads.
 * Features that the kernel lacks are skipped; false: the kernel refuses one that it has.
 * Irreversible. */
bool ws_confine_enter(const struct ws_confine *c) WS_MUST_CHECK;
void ws_confine_clear(struct ws_confine *c);

#endif
