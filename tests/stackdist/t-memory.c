/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-memory.c -- when memory is out, readers say so, and not that the input is
 * malformed or a machine unknown: each of their allocations fails once, alone and with all that
 * follow, and what they took until then is given back.
 *
 * The program's own malloc stands before the C library's, which only glibc has a second name
 * for; sanitizers have their own, so there nothing is tested.
 */
#include "tests/test.h"

#include <errno.h>

#include "tests/stackdist/made.h"
#include "tests/trace/wstfile.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
	!defined(SANITIZED)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

static struct {
	bool on, all;		/* all: those after `at` too */
	long at, taken, held;	/* the allocation that fails; those so far; not given back */
} heap;

static bool fails(void)
{
	long n = heap.on ? heap.taken++ : -1;

	return heap.on && (n == heap.at || (heap.all && n > heap.at));
}

static void *held(void *memory)
{
	heap.held += heap.on && memory;
	if (!memory)
		errno = ENOMEM;
	return memory;
}

void *malloc(size_t size)
{
	return held(fails() ? NULL : __libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
	return held(fails() ? NULL : __libc_calloc(count, size));
}

void *realloc(void *memory, size_t size)
{
	void *moved = fails() ? NULL : __libc_realloc(memory, size);

	return memory ? moved : held(moved);
}

void free(void *memory)
{
	heap.held -= heap.on && memory;
	__libc_free(memory);
}

/* ---- what is read ---------------------------------------------------------------------- */

struct input {
	void *data;
	size_t len;
};

typedef enum ws_status reader(const struct input *in, struct ws_err *err);

static enum ws_status profile(const struct input *in, struct ws_err *err)
{
	struct ws_in file = { .data = in->data, .len = in->len, .name = (char[]){ "memory" } };
	struct ws_profile *p;
	enum ws_status status = ws_profile_read(&p, &file, err);

	ws_profile_free(p);
	return status;
}

static enum ws_status trace(const struct input *in, struct ws_err *err)
{
	struct ws_in file = { .data = in->data, .len = in->len, .name = ws_strdup("memory") };
	struct ws_trace *t = NULL;
	enum ws_status status;

	if (!file.name)
		return ws_fail_memory(err, "a name");
	status = ws_trace_open_in(&t, &file, err);
	if (!status)
		status = decode_all(t, 20, err);
	ws_trace_close(t);
	ws_in_close(&file);
	return status;
}

static enum ws_status machine(const struct input *in, struct ws_err *err)
{
	struct ws_machine m;

	return ws_machine_load(&m, in->data, err);
}

/* What is said of a name that is none has all names in it. */
static enum ws_status unknown(const struct input *in, struct ws_err *err)
{
	enum ws_status status = machine(in, err);

	if (status != WS_EINVAL || !strstr(err->text, " gtx480"))
		return status;
	*err = (struct ws_err){ 0 };
	return WS_OK;
}

/* ---- the tests --------------------------------------------------------------------------- */

/* True if allocation `at` was there; *bad: the reader says something else than that memory is
 * out, or keeps some.  (The C library can do without some.) */
static bool without(reader *read, const struct input *in, long at, bool all, long *bad,
		    struct ws_err *err)
{
	enum ws_status status;
	bool was, ok;

	*err = (struct ws_err){ 0 };
	heap.at = at;
	heap.all = all;
	heap.taken = heap.held = 0;
	heap.on = true;
	status = read(in, err);
	heap.on = false;
	was = heap.taken > at;
	ok = status == err->status && heap.held == 0 &&
	     (status == WS_OK || (was && status == WS_ENOMEM));
	*bad += !ok;
	return was;
}

/* Of many allocations the later ones by steps. */
static void each_fails(const char *what, reader *read, const struct input *in, bool all)
{
	struct ws_err err, wrong = { 0 };
	long bad = 0, count = 0, step = 1, before;

	while (before = bad, without(read, in, count, all, &bad, &err)) {
		if (bad > before && !wrong.status)
			wrong = err;
		count += step;
		step = 1 + count / 200;
	}
	test_ok(count > 1 && bad == 0, "%s, %s of %ld allocations: %ld bad%s%s", what,
		all ? "without all after one" : "without one", count, bad,
		wrong.status ? ": " : "", wrong.text);
}

static void both(const char *what, reader *read, const struct input *in)
{
	each_fails(what, read, in, false);
	each_fails(what, read, in, true);
}

static void profiles(void)
{
	struct memory m = { NULL, 0 };
	struct ws_profile *p;
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(7011));
	for (p = made_profile(&rng, NULL);
	     p && (p->sections < 2 || !p->section->sites || !p->section->geometry->detail);
	     p = made_profile(&rng, NULL))
		ws_profile_free(p);
	if (p)
		m = memory_write(p);
	if (test_ok(m.data, "a profile"))
		both("a profile", profile, &(struct input){ m.data, m.len });
	ws_profile_free(p);
	free(m.data);
}

static void traces(void)
{
	struct ws_launch l[2];
	struct ws_rng rng;
	struct file f;

	ws_rng_seed(&rng, test_seed(7012));
	l[0] = random_launch(&rng);
	l[1] = random_launch(&rng);
	f = write_file(l, WS_COUNT(l), 5, 3);
	both("a trace", trace, &(struct input){ f.data, f.len });
	ws_launch_clear(l);
	ws_launch_clear(l + 1);
	free(f.data);
}

static void machines(void)
{
	struct ws_machine m;

	unsetenv("WARPSTACK_DATA");
	if (!ws_machine_load(&m, "gtx480", NULL))
		both("a machine beside the program", machine,
		     &(struct input){ (char[]){ "gtx480" }, 0 });
	setenv("WARPSTACK_DATA", "data", 0);
	both("a machine", machine, &(struct input){ (char[]){ "gtx480-48k" }, 0 });
	both("no machine", unknown, &(struct input){ (char[]){ "gtx481" }, 0 });
}

int main(void)
{
	puts("# each allocation fails");	/* and takes standard output's buffer before */
	profiles();
	traces();
	machines();
	return test_done();
}

#else

int main(void)
{
	test_skip("memory that is out", "glibc's malloc alone, without a sanitizer");
	return test_done();
}
#endif
