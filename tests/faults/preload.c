/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/faults/preload.c -- a shared object to be preloaded: the n-th request of a program for
 * memory, a thread or a descriptor fails (tests/faults/faults.c).
 *
 * Counted is what the program itself asks for, and what the C library, GSL, zstd, liblzma and
 * zlib ask for on its behalf; not what LLVM, the C++ library, what they stand on and the loader ask
 * for, which would abort.  Children have the count in common with their parent; programs that are
 * run are left alone.
 *
 *   WS_FAIL_KIND  memory: malloc, mmap and their like, and threads; files: descriptors
 *   WS_FAIL_AT    N: the N-th fails; N+: so do all after it; 0: none
 *   WS_FAIL_LOG   a file for "site N" of each first request from a place, and "all N" at the end
 *   WS_FAIL_TRAP  if set, SIGTRAP before it fails, for a debugger
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define RANGES 16
#define SITES (1u << 16)
#define FRAMES 8

enum kind { NONE, MEMORY, FILES };

static struct range {
	uintptr_t begin, end;
} ranges[RANGES];
static size_t range_count;
static enum kind kind;
static uint64_t fail_at;
static bool fail_on, trap;
static bool logs;
static pid_t first;
static struct shared {
	atomic_uint_fast64_t count;
	atomic_uint_fast32_t sites[SITES]; /* a hash table */
	atomic_uint_fast64_t first_of[SITES]; /* the first request of each, 0 after the last */
	atomic_uint_fast32_t found;
} *shared;
static __thread bool inside;

/* ---- the next of each name: looked up at the first call ------------------------------ */

#define NEXT(name)                                                                                 \
	static __typeof__(&name) next;                                                             \
	if (!next)                                                                                 \
	next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

/* ---- who asks --------------------------------------------------------------------------- */

static int add_ranges(struct dl_phdr_info *info, size_t size, void *context)
{
	static const char *const counted[] = { "/libc.so", "/libgsl.so", "/libzstd.so",
					       "/liblzma.so", "/libz.so",
					       "/libwarpstack-capture.so" };
	bool ours = !*info->dlpi_name;

	(void)size;
	(void)context;
	for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
		ours |= strstr(info->dlpi_name, counted[i]) != NULL;
	for (int i = 0; ours && i < info->dlpi_phnum && range_count < RANGES; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && (p->p_flags & PF_X))
			ranges[range_count++] = (struct range){
				info->dlpi_addr + p->p_vaddr,
				info->dlpi_addr + p->p_vaddr + p->p_memsz };
	}
	return 0;
}

static bool ours(const void *caller)
{
	for (size_t i = 0; i < range_count; i++)
		if ((uintptr_t)caller >= ranges[i].begin && (uintptr_t)caller < ranges[i].end)
			return true;
	return false;
}

/* The program's plug-in, with which LLVM comes, is of the program. */
void *dlopen(const char *path, int mode)
{
	static void *(*next)(const char *, int);
	void *library;

	if (!next)
		next = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
	inside = true;
	library = next(path, mode);
	range_count = 0;
	dl_iterate_phdr(add_ranges, NULL);
	inside = false;
	return library;
}

/* ---- counting --------------------------------------------------------------------------- */

/* Kept in memory until the end: children may have other files under our descriptors. */
static void note_site(uint64_t n)
{
	void *frame[FRAMES + 3];
	int count = backtrace(frame, FRAMES + 3);
	uint32_t hash = 2166136261u, at;

	for (int i = 3; i < count; i++)
		hash = (hash ^ (uint32_t)(uintptr_t)frame[i]) * 16777619u;
	hash |= 1;
	for (at = hash % SITES; shared->sites[at] && shared->sites[at] != hash;)
		at = (at + 1) % SITES;
	if (shared->sites[at] == hash)
		return;
	shared->sites[at] = hash;
	shared->first_of[shared->found++ % SITES] = n;
}

static bool fails(enum kind of, const void *caller)
{
	uint64_t n;

	if (kind != of || inside || !ours(caller))
		return false;
	n = ++shared->count;
	if (logs) {
		inside = true;
		note_site(n);
		inside = false;
	}
	if (n == fail_at && trap)
		raise(SIGTRAP);
	return fail_at && (n == fail_at || (fail_on && n > fail_at));
}

static void begin(void) __attribute__((constructor));
static void begin(void)
{
	const char *at = getenv("WS_FAIL_AT"), *log = getenv("WS_FAIL_LOG");
	const char *what = getenv("WS_FAIL_KIND");
	void *warm[4];
	char *end;

	unsetenv("LD_PRELOAD");
	if (!at || !what)
		return;
	fail_at = strtoull(at, &end, 10);
	fail_on = *end == '+';
	trap = getenv("WS_FAIL_TRAP") != NULL;
	logs = log != NULL;
	backtrace(warm, 4); /* it loads a library at first */
	dl_iterate_phdr(add_ranges, NULL);
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		_exit(125);
	first = getpid();
	kind = strcmp(what, "files") == 0 ? FILES : MEMORY;
}

static void end(void) __attribute__((destructor));
static void end(void)
{
	FILE *f;

	if (!logs || getpid() != first)
		return;
	inside = true;
	f = fopen(getenv("WS_FAIL_LOG"), "w");
	for (uint32_t i = 0; f && i < SITES && shared->first_of[i]; i++)
		fprintf(f, "site %llu\n", (unsigned long long)shared->first_of[i]);
	if (f && fprintf(f, "all %llu\n", (unsigned long long)shared->count) > 0)
		fclose(f);
}

/* ---- memory ------------------------------------------------------------------------------- */

#define CALLER __builtin_return_address(0)
#define FAIL_IF(of, error, result)                                                                 \
	do {                                                                                       \
		if (fails(of, CALLER)) {                                                           \
			errno = error;                                                             \
			return result;                                                             \
		}                                                                                  \
	} while (0)

void *malloc(size_t size)
{
	FAIL_IF(MEMORY, ENOMEM, NULL);
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	FAIL_IF(MEMORY, ENOMEM, NULL);
	return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	FAIL_IF(MEMORY, ENOMEM, NULL);
	return __libc_realloc(old, size);
}

void *aligned_alloc(size_t align, size_t size)
{
	FAIL_IF(MEMORY, ENOMEM, NULL);
	return __libc_memalign(align, size);
}

int posix_memalign(void **at, size_t align, size_t size)
{
	if (fails(MEMORY, CALLER))
		return ENOMEM;
	*at = __libc_memalign(align, size);
	return *at ? 0 : ENOMEM;
}

/* The C library's own would hide who asks. */
char *strndup(const char *text, size_t max)
{
	size_t len = strnlen(text, max);
	char *copy;

	FAIL_IF(MEMORY, ENOMEM, NULL);
	copy = __libc_malloc(len + 1);
	if (copy) {
		memcpy(copy, text, len);
		copy[len] = '\0';
	}
	return copy;
}

char *strdup(const char *text)
{
	size_t len = strlen(text) + 1;
	char *copy;

	FAIL_IF(MEMORY, ENOMEM, NULL);
	copy = __libc_malloc(len);
	return copy ? memcpy(copy, text, len) : NULL;
}

void *mmap(void *at, size_t len, int protection, int flags, int fd, off_t offset)
{
	NEXT(mmap);
	FAIL_IF(MEMORY, ENOMEM, MAP_FAILED);
	return next(at, len, protection, flags, fd, offset);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
		   void *context)
{
	NEXT(pthread_create);
	if (fails(MEMORY, CALLER))
		return EAGAIN;
	return next(thread, attributes, work, context);
}

/* ---- descriptors ---------------------------------------------------------------------------- */

int open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;
	NEXT(open);

	va_start(ap, flags);
	mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	FAIL_IF(FILES, EMFILE, -1);
	return next(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
	NEXT(fopen);
	FAIL_IF(FILES, EMFILE, NULL);
	return next(path, mode);
}

FILE *tmpfile(void)
{
	NEXT(tmpfile);
	FAIL_IF(FILES, EMFILE, NULL);
	return next();
}

int mkstemp(char *path)
{
	NEXT(mkstemp);
	FAIL_IF(FILES, EMFILE, -1);
	return next(path);
}

int memfd_create(const char *name, unsigned flags)
{
	NEXT(memfd_create);
	FAIL_IF(FILES, EMFILE, -1);
	return next(name, flags);
}

int dup(int fd)
{
	NEXT(dup);
	FAIL_IF(FILES, EMFILE, -1);
	return next(fd);
}

int pipe(int fd[2])
{
	NEXT(pipe);
	FAIL_IF(FILES, EMFILE, -1);
	return next(fd);
}

int pipe2(int fd[2], int flags)
{
	NEXT(pipe2);
	FAIL_IF(FILES, EMFILE, -1);
	return next(fd, flags);
}
