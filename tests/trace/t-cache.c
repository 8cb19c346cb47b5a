/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compiled kernels that are kept: what may be, damaged files, the folder's bound, several writers.
 */
#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/test.h"
#include "trace/capture.h"
#include "trace/capture/cache.h"

static char folder[64] = "/tmp/warpstack-cache-XXXXXX", cache[80];

static void closed(const char *text, bool want)
{
	test_ok(ws_cache_closed(text, strlen(text)) == want, "%s: %.*s", want ? "kept" : "not kept",
		(int)strcspn(text, "\n"), text);
}

static void test_closed(void)
{
	closed("", true);
	closed("kernel void k(global int *a) { a[0] = __LINE__; }", true);
	closed("/* this may include, import or embed what it likes */\n", true);
	closed("int included; a.import(b);", true);
	closed("\\", true);
	closed("#include \"a.h\"", false);
	closed("int a;\n # \t include <a.h>", false);
	closed("#/* here */include \"a.h\"", false);
	closed("#\\\ninc\\ \t\nlude \"a.h\"", false);
	closed("#in\\\r\nclude \"a.h\"", false);
	closed("%:include \"a.h\"", false);
	closed("?\?=include \"a.h\"", false);
	closed("#inc?\?/\nlude \"a.h\"", false);
	closed("#import \"a.h\"", false);
	closed("#embed \"a.h\"", false);
	closed("#if __has_include(\"a.h\")", false);
	closed("char t[] = __TIME__;", false);
	closed("-DNOW=__DATE__", false);
	test_ok(!ws_cache_closed("a\0#include <b>", 14), "a zero byte ends nothing");
}

/* An entry of its own bytes. */
static void make(struct ws_buf *b, unsigned number, size_t len)
{
	uint64_t state = number * 2654435761u + 1;

	*b = (struct ws_buf){ 0 };
	for (size_t i = 0; i < len; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		ws_put_u8(b, (uint8_t)(state >> 56));
	}
}

static bool has(unsigned number, size_t len)
{
	struct ws_buf key, code, got = { 0 };
	bool good;

	make(&key, number, 100);
	make(&code, number + 1000, len);
	good = ws_cache_get(cache, &key, &got);
	if (good && (got.len != len || (len && memcmp(got.data, code.data, len) != 0)))
		test_ok(false, "entry %u has other code", number);
	ws_buf_clear(&key);
	ws_buf_clear(&code);
	ws_buf_clear(&got);
	return good;
}

static void put(unsigned number, size_t len, uint64_t most)
{
	struct ws_buf key, code;

	make(&key, number, 100);
	make(&code, number + 1000, len);
	ws_cache_put(cache, &key, &code, most);
	ws_buf_clear(&key);
	ws_buf_clear(&code);
}

/* Files of the folder, and their bytes; the path of the last; they go if clear is set. */
static unsigned files(uint64_t *bytes, char path[400], bool clear)
{
	DIR *dir = opendir(cache);
	struct dirent *entry;
	unsigned count = 0;
	struct stat info;

	*bytes = 0;
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' && strchr("./", entry->d_name[1]))
			continue;
		snprintf(path, 400, "%s/%s", cache, entry->d_name);
		count++;
		if (stat(path, &info) == 0)
			*bytes += (uint64_t)info.st_size;
		if (clear)
			unlink(path);
	}
	if (dir)
		closedir(dir);
	return count;
}

static void test_entries(void)
{
	char path[400];
	uint64_t bytes;

	test_ok(!has(1, 300), "nothing is there, not even the folder");
	put(1, 300, WS_CACHE_MOST);
	put(2, 0, WS_CACHE_MOST);
	test_ok(has(1, 300) && has(2, 0) && !has(3, 300), "two entries");
	test_u64(files(&bytes, path, false), 2, "files");
	test_ok(chmod(cache, 0777) == 0 && !has(1, 300), "anyone may write there: not believed");
	put(3, 300, WS_CACHE_MOST);
	test_u64(files(&bytes, path, false), 2, "nor written to");
	test_ok(chmod(cache, 0700) == 0 && has(1, 300), "ours again");
	files(&bytes, path, true);
}

/* Each byte of a file changed, and each length of it. */
static void test_damaged(void)
{
	uint64_t bytes, believed = 0, cut = 0;
	uint8_t data[1000];
	char path[400];
	FILE *f;

	put(7, 300, WS_CACHE_MOST);
	files(&bytes, path, false);
	f = fopen(path, "r+b");
	if (!f || bytes > sizeof data || fread(data, 1, bytes, f) != bytes)
		abort();
	for (uint64_t i = 0; i < bytes; i++) {
		data[i] ^= 0x10;
		rewind(f);
		if (fwrite(data, 1, bytes, f) != bytes || fflush(f))
			abort();
		believed += has(7, 300);
		data[i] ^= 0x10;
	}
	rewind(f);
	if (fwrite(data, 1, bytes, f) != bytes || fflush(f))
		abort();
	test_ok(has(7, 300), "whole again");
	for (uint64_t len = bytes; len-- > 0;)
		cut += ftruncate(fileno(f), (off_t)len) == 0 && has(7, 300);
	/* bytes 12 to 15 of the file mean nothing yet */
	test_ok(believed <= 4, "%" PRIu64 " of %" PRIu64 " changed bytes were not seen", believed,
		bytes);
	test_u64(cut, 0, "shorter files that were believed");
	fclose(f);
	put(7, 300, WS_CACHE_MOST);
	test_ok(has(7, 300), "a damaged file is replaced");
	files(&bytes, path, true);
}

/* Those used last stay. */
static void test_bound(void)
{
	const uint64_t most = 20000;
	bool within = true, first = true;
	uint64_t bytes;
	char path[400];

	put(0, 1000, most);
	for (unsigned i = 1; i < 100; i++) {
		put(i, 1000, most);
		files(&bytes, path, false);
		within &= bytes <= most;
		first &= has(0, 1000) && has(i, 1000);
		usleep(1000);
	}
	test_ok(within, "at most %" PRIu64 " bytes: %" PRIu64, most, bytes);
	test_ok(first, "what is used stays");
	test_ok(!has(50, 1000), "what is not goes");
	put(200, 6000, most);
	test_ok(!has(200, 6000), "one as large as a quarter is not kept");
	files(&bytes, path, true);
}

#define WRITERS 4
static void test_writers(void)
{
	unsigned wrong = 0;
	uint64_t bytes;
	char path[400];

	fflush(stdout);
	for (unsigned w = 0; w < WRITERS; w++) {
		if (fork())
			continue;
		for (unsigned i = 0; i < 200; i++) {
			put(i % 5, 1000 + i % 5, 5000); /* too little room: they also remove */
			has((i + w) % 5, 1000 + (i + w) % 5);
		}
		fflush(stdout);
		_exit(0);
	}
	for (unsigned w = 0; w < WRITERS; w++) {
		int status = 0;

		wrong += wait(&status) < 0 || status;
	}
	test_u64(wrong, 0, "writers that failed");
	test_ok(files(&bytes, path, true) <= 5, "no other files are left");
}

static void test_folder(void)
{
	char *at;

	setenv("WARPSTACK_CACHE", "here", 1);
	test_str(at = ws_capture_cache(), "here", "WARPSTACK_CACHE");
	free(at);
	setenv("WARPSTACK_CACHE", "", 1);
	test_ok(!ws_capture_cache(), "none, if it is empty");
	unsetenv("WARPSTACK_CACHE");
	setenv("HOME", "/home/a", 1);
	setenv("XDG_CACHE_HOME", "relative", 1);
	test_str(at = ws_capture_cache(), "/home/a/.cache/warpstack", "at home");
	free(at);
	setenv("XDG_CACHE_HOME", "/x", 1);
	test_str(at = ws_capture_cache(), "/x/warpstack", "XDG_CACHE_HOME");
	free(at);
	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	test_ok(!ws_capture_cache(), "none without a home");
}

int main(void)
{
	if (!mkdtemp(folder))
		return 1;
	snprintf(cache, sizeof cache, "%s/a/b", folder);
	test_closed();
	test_entries();
	test_damaged();
	test_bound();
	test_writers();
	test_folder();
	rmdir(cache);
	snprintf(cache, sizeof cache, "%s/a", folder);
	rmdir(cache);
	test_ok(rmdir(folder) == 0, "nothing else is left");
	return test_done();
}
