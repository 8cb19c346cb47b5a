/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/confine.c -- taking rights away from a child process (confine.h).
 *
 * Numbers of Landlock's interface are given here: headers of older systems lack some.  See
 * landlock(7) and seccomp(2).
 */
#include "trace/capture/confine.h"
#include "trace/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- Landlock ----------------------------------------------------------------------------- */

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

enum {
	VERSION = 1,		/* a flag: tells the interface's version */
	PATH_BENEATH = 1,	/* a kind of rule */
	EXECUTE = 1 << 0, READ_FILE = 1 << 2, READ_DIR = 1 << 3,
	TCP = 3,		/* bind, connect */
	SCOPES = 3,		/* abstract Unix sockets, signals */
};

struct rule_set {
	uint64_t files, net, scoped;
};

struct path_rule {
	uint64_t allowed;
	int32_t folder;
} __attribute__((packed));

/* What each version can take away of the file system: 13 rights in the first, then REFER,
 * TRUNCATE (third), IOCTL_DEV (fifth). */
static uint64_t file_rights(int abi)
{
	int rights = 13 + (abi >= 2) + (abi >= 3) + (abi >= 5);

	return (UINT64_C(1) << rights) - 1;
}

static int landlock_version(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, VERSION);

	return abi > 0 ? (int)abi : 0;
}

/* A kernel that refuses is one thing, a process with too little another. */
static void note_failure(struct ws_confine *c)
{
	if (!c->failed && ws_input_status(errno) == WS_EIO)
		c->failed = errno;
}

void ws_confine_new(struct ws_confine *c)
{
	struct rule_set set = { 0 };
	size_t len;

	*c = (struct ws_confine){ .landlock = -1, .abi = landlock_version() };
	if (!c->abi)
		return;
	set.files = file_rights(c->abi);
	set.net = c->abi >= 4 ? TCP : 0;
	set.scoped = c->abi >= 6 ? SCOPES : 0;
	len = c->abi >= 6 ? sizeof set : c->abi >= 4 ? 2 * sizeof set.files : sizeof set.files;
	c->landlock = (int)syscall(SYS_landlock_create_ruleset, &set, len, 0);
	if (c->landlock < 0)
		note_failure(c);
}

void ws_confine_readable(struct ws_confine *c, const char *path)
{
	struct path_rule rule = { .allowed = READ_FILE };
	struct stat st;

	if (c->landlock < 0)
		return;
	rule.folder = open(path, O_PATH | O_CLOEXEC);
	if (rule.folder < 0) {
		note_failure(c);
		return;
	}
	if (fstat(rule.folder, &st) == 0 && S_ISDIR(st.st_mode))
		rule.allowed |= READ_DIR;
	if (c->program)
		rule.allowed |= EXECUTE;
	if (syscall(SYS_landlock_add_rule, c->landlock, PATH_BENEATH, &rule, 0))
		note_failure(c);
	close(rule.folder);
}

void ws_confine_clear(struct ws_confine *c)
{
	if (c->landlock >= 0)
		close(c->landlock);
	c->landlock = -1;
}

/* ---- seccomp -------------------------------------------------------------------------------- */

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef ARCH

/* Calls that are let through whatever their arguments. */
static const uint16_t allowed[] = {
	/* what is open already */
	SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_lseek, SYS_close,
	SYS_close_range, SYS_fstat, SYS_dup, SYS_dup3, SYS_ppoll, SYS_getdents64,
	/* names of files */
	SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getcwd,
	/* memory */
	SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk, SYS_membarrier,
	/* threads */
	SYS_futex, SYS_set_robust_list, SYS_get_robust_list, SYS_rseq, SYS_set_tid_address,
	SYS_sched_yield, SYS_sched_getaffinity, SYS_exit, SYS_exit_group,
	/* signals to itself */
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
		SYS_rt_sigtimedwait,
	SYS_restart_syscall,
	/* what it is */
	SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
	SYS_uname, SYS_sysinfo, SYS_getrusage, SYS_times, SYS_getcpu, SYS_umask, SYS_getrandom,
	SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
#ifdef __x86_64__
	SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_dup2, SYS_poll, SYS_getdents, SYS_time,
	SYS_arch_prctl, SYS_getrlimit,
#endif
};

/* What opens a file otherwise than to read it. */
#define OPEN_WRITES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY))
#define TCGETS_CALL 0x5401u /* what isatty() asks */
/* Threads, but not with a namespace of their own. */
#define CLONE_SPACES (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | \
		      CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
/* Not who gets signals of a descriptor, which may be any process, nor flags of what others have
 * open too. */
static const uint32_t descriptor_calls[] = { F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL };
#define X32_BIT     0x40000000u

enum { FILTER_MAX = 2 * WS_COUNT(allowed) + 80 };

struct call_filter {
	struct sock_filter code[FILTER_MAX];
	unsigned short len;
};

static void put_instruction(struct call_filter *f, unsigned code, unsigned yes, unsigned no,
			    uint32_t k)
{
	f->code[f->len++] = (struct sock_filter){ (uint16_t)code, (uint8_t)yes, (uint8_t)no, k };
}

static void answer(struct call_filter *f, uint32_t action)
{
	put_instruction(f, BPF_RET | BPF_K, 0, 0, action);
}

static void load_word(struct call_filter *f, size_t offset)
{
	put_instruction(f, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

/* Half an argument, 0 the low one; the machines here are little-endian. */
static void load_half(struct call_filter *f, unsigned i, unsigned half)
{
	load_word(f, offsetof(struct seccomp_data,
			      args) + i * sizeof(uint64_t) + half * sizeof(uint32_t));
}

/* A call is answered thus. */
static void rule(struct call_filter *f, long call, uint32_t action)
{
	put_instruction(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (uint32_t)call);
	answer(f, action);
}

/* A call is let through if argument i, of which `mask` is looked at, is `value`. */
static void rule_if(struct call_filter *f, long call, unsigned i, uint32_t mask, uint32_t value,
		    int fails)
{
	put_instruction(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, (uint32_t)call);
	load_half(f, i, 0);
	put_instruction(f, BPF_ALU | BPF_AND | BPF_K, 0, 0, mask);
	put_instruction(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
	answer(f, SECCOMP_RET_ALLOW);
	answer(f, SECCOMP_RET_ERRNO | (uint32_t)fails);
}

/* A call is let through if argument i is one of some values. */
static void rule_among(struct call_filter *f, long call, unsigned i, const uint32_t *value,
		       unsigned values,
		       int fails)
{
	put_instruction(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 2 * values + 2, (uint32_t)call);
	load_half(f, i, 0);
	for (unsigned k = 0; k < values; k++)
		rule(f, value[k], SECCOMP_RET_ALLOW);
	answer(f, SECCOMP_RET_ERRNO | (uint32_t)fails);
}

/* A call is let through if argument i, a pointer, is NULL. */
static void rule_null(struct call_filter *f, long call, unsigned i, int fails)
{
	put_instruction(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 6, (uint32_t)call);
	load_half(f, i, 0);
	put_instruction(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 0);
	load_half(f, i, 1);
	put_instruction(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
	answer(f, SECCOMP_RET_ALLOW);
	answer(f, SECCOMP_RET_ERRNO | (uint32_t)fails);
}

static void build(struct call_filter *f, const struct ws_confine *c)
{
	load_word(f, offsetof(struct seccomp_data, arch));
	put_instruction(f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCH);
	answer(f, SECCOMP_RET_KILL_PROCESS);
	load_word(f, offsetof(struct seccomp_data, nr));
	put_instruction(f, BPF_JMP | BPF_JGE | BPF_K, 0, 1, X32_BIT);
	answer(f, SECCOMP_RET_KILL_PROCESS);
	for (size_t i = 0; i < WS_COUNT(allowed); i++)
		rule(f, allowed[i], SECCOMP_RET_ALLOW);
	if (c->program)
		rule(f, SYS_execve, SECCOMP_RET_ALLOW);
	/* Its flags are in memory, which a filter cannot see: glibc then calls clone. */
	rule(f, SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
	rule_if(f, SYS_clone, 0, CLONE_THREAD | CLONE_SPACES, CLONE_THREAD, EPERM);
	rule_among(f, SYS_fcntl, 1, descriptor_calls, WS_COUNT(descriptor_calls), EPERM);
	rule_if(f, SYS_openat, 2, OPEN_WRITES, 0, EACCES);
#ifdef __x86_64__
	rule_if(f, SYS_open, 1, OPEN_WRITES, 0, EACCES);
#endif
	rule_if(f, SYS_ioctl, 1, UINT32_MAX, TCGETS_CALL, ENOTTY);
	rule_if(f, SYS_prctl, 0, UINT32_MAX, PR_SET_NAME, EPERM);
	rule_null(f, SYS_prlimit64, 2, EPERM);
	rule_if(f, SYS_tgkill, 0, UINT32_MAX, (uint32_t)getpid(), EPERM);
	answer(f, SECCOMP_RET_ERRNO | EPERM);
}

static bool has_filters(void)
{
	/* Without a filter it is a bad address if the kernel knows it, else a bad argument. */
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) < 0 && errno == EFAULT;
}

static bool enter_filter(const struct ws_confine *c)
{
	struct call_filter f = { .len = 0 };
	struct sock_fprog program = { .filter = f.code };

	if (!has_filters())
		return true;
	build(&f, c);
	program.len = f.len;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

#else

static bool enter_filter(const struct ws_confine *c)
{
	(void)c;
	return true;
}

static bool has_filters(void)
{
	return false;
}

#endif

/* ---- both ----------------------------------------------------------------------------------- */

static void limit(int resource, uint64_t most)
{
	struct rlimit now, r = { .rlim_cur = most, .rlim_max = most };

	if (getrlimit((__rlimit_resource_t)resource, &now) == 0 && now.rlim_max > most)
		setrlimit((__rlimit_resource_t)resource, &r);
}

bool ws_confine_enter(const struct ws_confine *c)
{
	limit(RLIMIT_CORE, 0);
	if (c->memory)
		limit(RLIMIT_DATA, c->memory);
	if (c->seconds)
		limit(RLIMIT_CPU, c->seconds);
	if (c->file)
		limit(RLIMIT_FSIZE, c->file);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return false;
	if (c->landlock >= 0 && syscall(SYS_landlock_restrict_self, c->landlock, 0))
		return false;
	return enter_filter(c);
}

void ws_capture_confinement(char text[WS_CONFINEMENT_TEXT])
{
	int abi = landlock_version();
	bool filters = has_filters();

	if (abi)
		snprintf(text, WS_CONFINEMENT_TEXT, "Landlock (version %d)%s", abi,
			 filters ? ", seccomp" : "; no seccomp");
	else
		snprintf(text, WS_CONFINEMENT_TEXT, "%s", filters ? "seccomp; no Landlock"
								  : "none: the kernel has neither "
									  "Landlock nor seccomp");
}
