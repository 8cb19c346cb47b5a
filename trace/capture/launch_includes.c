/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch_includes.c -- the files that a program's source includes.
 *
 * Lines of #include "NAME" and <NAME> are looked for, whatever they stand in, from the including
 * file's folder and then from those of -I, as compilers do.  It is asked which files may not be
 * replaced, so one too many does no harm; a name that a macro makes is not found.
 */
#include "trace/capture/launch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH_MAX 32u
#define FILES_MAX 1024u		 /* opened in all, so that what includes itself ends */
#define FILE_MAX_BYTES (4u << 20)

struct include_walk {
	const struct ws_program *p;
	ws_file_visit *visit;
	void *context;
	struct ws_err *err;
	unsigned files;
};

static enum ws_status look_into(struct include_walk *w, const char *path, unsigned depth);

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* "FOLDER/name" as seen from the launch file; of the word "-IFOLDER", which ends at a blank. */
static char *below_folder(const struct ws_program *p, const char *word, const char *name)
{
	size_t len = strcspn(word, WS_BLANK), room = len + strlen(name) + 2;
	char *relative = malloc(room), *path = NULL;

	if (relative) {
		snprintf(relative, room, "%.*s/%s", (int)len, word, name);
		path = ws_path_beside(p->name, relative);
	}
	free(relative);
	return path;
}

/* The first that is there: beside the file, or below a folder of -I.  *path NULL: none. */
static enum ws_status find_include(const struct include_walk *w, const char *by, const char *name,
				   char **path)
{
	const char *word = w->p->options ? w->p->options : "";

	*path = ws_path_beside(by, name);
	while (*path && !is_file(*path)) {
		free(*path);
		*path = NULL;
		word = strstr(word, "-I");
		if (!word)
			return WS_OK;
		word += 2 + strspn(word + 2, WS_BLANK);
		*path = below_folder(w->p, word, name);
	}
	return *path ? WS_OK : ws_fail_memory(w->err, "a path");
}

/* The name in a line of #include; false: it is none. */
static bool included(const char *line, size_t len, char name[4096])
{
	const char *end = line + len, *stop;

	while (line < end && strchr(WS_BLANK, *line))
		line++;
	if (line == end || *line++ != '#')
		return false;
	while (line < end && strchr(WS_BLANK, *line))
		line++;
	if ((size_t)(end - line) < sizeof "include" || memcmp(line, "include", 7) != 0)
		return false;
	for (line += 7; line < end && strchr(WS_BLANK, *line);)
		line++;
	if (line == end || (*line != '"' && *line != '<'))
		return false;
	stop = memchr(line + 1, *line == '<' ? '>' : '"', (size_t)(end - line - 1));
	line++;
	if (!stop || stop == line || stop - line >= 4096 || memchr(line, 0, (size_t)(stop - line)))
		return false;
	memcpy(name, line, (size_t)(stop - line));
	name[stop - line] = '\0';
	return true;
}

static enum ws_status take_line(struct include_walk *w, const char *by, const char *line,
				size_t len,
				unsigned depth)
{
	enum ws_status status;
	char name[4096], *path;

	if (!included(line, len, name))
		return WS_OK;
	status = find_include(w, by, name, &path);
	if (status != WS_OK || !path)
		return status;
	status = w->visit(w->context, path, w->err);
	if (status == WS_OK)
		status = look_into(w, path, depth + 1);
	free(path);
	return status;
}

/* What cannot be read is said by the compiler. */
static enum ws_status look_into(struct include_walk *w, const char *path, unsigned depth)
{
	enum ws_status status = WS_OK;
	const char *at, *end, *stop;
	struct ws_in in;

	if (depth == DEPTH_MAX || w->files == FILES_MAX || !is_file(path))
		return WS_OK;
	w->files++;
	if (ws_in_open(&in, path, NULL) != WS_OK)
		return WS_OK;
	at = (const char *)in.data;
	end = at + (in.len < FILE_MAX_BYTES ? in.len : FILE_MAX_BYTES);
	for (; at < end && status == WS_OK; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		if (!stop)
			stop = end;
		status = take_line(w, path, at, (size_t)(stop - at), depth);
	}
	ws_in_close(&in);
	return status;
}

enum ws_status ws_program_includes(const struct ws_program *p, ws_file_visit *visit, void *context,
				   struct ws_err *err)
{
	struct include_walk w = { .p = p, .visit = visit, .context = context, .err = err };

	return p->source ? look_into(&w, p->source, 0) : WS_OK;
}
