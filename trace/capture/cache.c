/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/cache.c -- compiled kernels in a folder (cache.h).
 */
#include "trace/capture/cache.h"
#include "trace/capture.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "WSKERNEL"
#define VERSION 1
#define KEY WS_BLOCK_TYPE('K', 'E', 'Y', ' ')
#define CODE WS_BLOCK_TYPE('C', 'O', 'D', 'E')
#define SUFFIX ".kernel"
#define UNNAMED ".warpstack-" /* what a killed writer may leave */
#define UNNAMED_SECONDS 3600

char *ws_capture_cache(void)
{
	const char *given = getenv("WARPSTACK_CACHE"), *xdg = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	char *folder = NULL;

	if (given)
		return *given ? ws_strdup(given) : NULL;
	if (xdg && *xdg == '/') /* relative ones are to be ignored */
		return asprintf(&folder, "%s/warpstack", xdg) < 0 ? NULL : folder;
	if (home && *home == '/')
		return asprintf(&folder, "%s/.cache/warpstack", home) < 0 ? NULL : folder;
	return NULL;
}

/* ---- what can be kept --------------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r' || c == '\n';
}

/* The text without continued lines, which may part any word.  NULL: memory. */
static char *joined(const char *text, size_t len)
{
	char *out = malloc(len + 1);
	size_t n = 0;

	for (size_t i = 0; out && i < len; i++) {
		size_t end = i + 1;

		while (text[i] == '\\' && end < len && is_blank(text[end]) && text[end] != '\n')
			end++;
		if (text[i] == '\\' && end < len && text[end] == '\n')
			i = end;
		else
			out[n++] = text[i] ? text[i] : ' ';
	}
	if (out)
		out[n] = '\0';
	return out;
}

/* Is the word at `at` a directive (of "#include", "%:include", or a comment between), or part of
 * __has_include? */
static bool is_directive(const char *text, const char *at)
{
	while (at > text && is_blank(at[-1]))
		at--;
	return at > text && strchr("#:/_", at[-1]);
}

bool ws_cache_closed(const void *text, size_t len)
{
	static const char *const directives[] = { "include", "import", "embed" };
	static const char *const never[] = { "__DATE__", "__TIME__", "__TIMESTAMP__",
					     "?\?" /* other spellings of # and \ */ };
	char *all = joined(text, len);
	bool closed = all != NULL;

	for (size_t i = 0; closed && i < WS_COUNT(never); i++)
		closed = !strstr(all, never[i]);
	for (size_t i = 0; closed && i < WS_COUNT(directives); i++) {
		const char *at = all;

		for (; closed && (at = strstr(at, directives[i])); at++)
			closed = !is_directive(all, at);
	}
	free(all);
	return closed;
}

/* ---- entries -------------------------------------------------------------------------------- */

/* NULL: memory. */
static char *path_of(const char *folder, const struct ws_buf *key)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
	char *path = NULL;

	for (size_t i = 0; i < key->len; i++)
		hash = (hash ^ key->data[i]) * UINT64_C(0x100000001b3);
	return asprintf(&path, "%s/%016" PRIx64 SUFFIX, folder, hash) < 0 ? NULL : path;
}

/* Ours, and nobody else can put files there. */
static bool is_own(const char *folder)
{
	struct stat info;

	return stat(folder, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
	       !(info.st_mode & S_IWOTH);
}

static bool next_block(const struct ws_in *in, uint64_t *offset, uint32_t type, struct ws_buf *raw)
{
	struct ws_block block;

	if (ws_block_at(in, *offset, &block, NULL) != WS_OK || block.type != type ||
	    ws_block_unpack(in, &block, raw, NULL) != WS_OK)
		return false;
	*offset = block.next;
	return true;
}

static bool read_entry(const struct ws_in *in, const struct ws_buf *key, struct ws_buf *code)
{
	struct ws_buf raw = { 0 };
	uint64_t offset;
	bool good = ws_blocks_check(in, MAGIC, VERSION, &offset, NULL) == WS_OK &&
		    next_block(in, &offset, KEY, &raw) && raw.len == key->len &&
		    memcmp(raw.data, key->data, key->len) == 0 &&
		    next_block(in, &offset, CODE, &raw) && offset == in->len;

	if (good)
		ws_put_bytes(code, raw.data, raw.len);
	ws_buf_clear(&raw);
	return good && !code->failed;
}

bool ws_cache_get(const char *folder, const struct ws_buf *key, struct ws_buf *code)
{
	char *path = is_own(folder) ? path_of(folder, key) : NULL;
	struct ws_in in = { 0 };
	struct stat info;
	bool good = path && lstat(path, &info) == 0 && S_ISREG(info.st_mode) &&
		    info.st_uid == geteuid() && ws_in_open(&in, path, NULL) == WS_OK;

	if (good) {
		good = read_entry(&in, key, code);
		ws_in_close(&in);
	}
	if (good)
		(void)!utimensat(AT_FDCWD, path, NULL, 0); /* used now */
	free(path);
	return good;
}

/* ---- room for them ----------------------------------------------------------------------- */

struct cache_file {
	char name[32];
	uint64_t bytes;
	struct timespec used;
};

struct cache_files {
	struct cache_file *file;
	size_t count, cap;
	uint64_t bytes;
};

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), ends = strlen(end);

	return len >= ends && strcmp(name + len - ends, end) == 0;
}

static void add_file(struct cache_files *f, int dir, const char *name)
{
	struct cache_file *file;
	struct stat info;

	if (fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) || !S_ISREG(info.st_mode))
		return;
	if (strncmp(name, UNNAMED, strlen(UNNAMED)) == 0 &&
	    info.st_mtime < time(NULL) - UNNAMED_SECONDS)
		unlinkat(dir, name, 0);
	if (!ends_with(name, SUFFIX) || strlen(name) >= sizeof file->name ||
	    !WS_ROOM(f->file, f->cap, f->count + 1))
		return;
	file = &f->file[f->count++];
	*file = (struct cache_file){ .bytes = (uint64_t)info.st_size, .used = info.st_mtim };
	strcpy(file->name, name);
	f->bytes += file->bytes;
}

static int by_use(const void *a, const void *b)
{
	const struct cache_file *x = a, *y = b;

	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
	if (x->used.tv_nsec != y->used.tv_nsec)
		return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Leaves a quarter free once it is too much, so that not each entry is at the cost of another. */
static void make_room(const char *folder, uint64_t need, uint64_t most)
{
	struct cache_files f = { 0 };
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		add_file(&f, dirfd(dir), entry->d_name);
	if (f.count && f.bytes + need > most) {
		qsort(f.file, f.count, sizeof *f.file, by_use);
		for (size_t i = 0; i < f.count && f.bytes + need > most - most / 4; i++) {
			if (unlinkat(dirfd(dir), f.file[i].name, 0) == 0)
				f.bytes -= f.file[i].bytes;
		}
	}
	if (dir)
		closedir(dir);
	free(f.file);
}

static void make_folder(const char *folder)
{
	const char *slash = strrchr(folder, '/');
	char *above = slash && slash > folder ? strndup(folder, (size_t)(slash - folder)) : NULL;

	if (mkdir(folder, 0700) && above && mkdir(above, 0700) == 0)
		(void)!mkdir(folder, 0700);
	free(above);
}

void ws_cache_put(const char *folder, const struct ws_buf *key, const struct ws_buf *code,
		  uint64_t most)
{
	struct ws_buf packed = { 0 };
	struct ws_out out = { 0 };
	char *path = NULL;

	if (ws_block_pack(&packed, KEY, key->data, key->len, NULL) != WS_OK ||
	    ws_block_pack(&packed, CODE, code->data, code->len, NULL) != WS_OK ||
	    packed.len > most / 4)
		goto done;
	make_folder(folder);
	path = is_own(folder) ? path_of(folder, key) : NULL;
	if (!path)
		goto done;
	make_room(folder, packed.len, most);
	if (ws_out_open(&out, path, NULL) == WS_OK) {
		out.no_sync = true; /* an empty file is no entry */
		ws_blocks_begin(&out, MAGIC, VERSION);
		ws_out_write(&out, packed.data, packed.len);
		(void)!ws_out_commit(&out, NULL);
	}
done:
	ws_buf_clear(&packed);
	free(path);
}
