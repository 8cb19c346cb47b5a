/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/load.c -- machines by name or by file.
 *
 * A name without '/' is a preset if there is one, wherever the command runs;
 * else, and with a '/', it is a path.  Presets are the files machine/NAME.conf
 * of the data directories; the first directory that has one wins.  A file whose first
 * word is an option is a gpgpusim.config.
 */
#include "machine/private.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIRS_MAX 8
#define PRESETS_MAX 10000u
#define SUFFIX ".conf"

/* ---- names ------------------------------------------------------------------ */

struct preset_names {
	char **name;
	size_t count, cap;
};

static void names_clear(struct preset_names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->name[i]);
	free(n->name);
	*n = (struct preset_names){ .name = NULL };
}

static bool names_add(struct preset_names *n, const char *file, size_t len)
{
	char *copy = malloc(len + 1);

	if (!copy || !WS_ROOM(n->name, n->cap, n->count + 1)) {
		free(copy);
		return false;
	}
	memcpy(copy, file, len);
	copy[len] = '\0';
	n->name[n->count++] = copy;
	return true;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts and drops the second of two equal names: another directory's. */
static void names_sort(struct preset_names *n)
{
	size_t kept = 0;

	if (n->count)
		qsort(n->name, n->count, sizeof *n->name, by_name);
	for (size_t i = 0; i < n->count; i++) {
		if (kept && strcmp(n->name[kept - 1], n->name[i]) == 0)
			free(n->name[i]);
		else
			n->name[kept++] = n->name[i];
	}
	n->count = kept;
}

static char *join_path(const char *a, const char *b, const char *c)
{
	size_t len = strlen(a) + strlen(b) + strlen(c) + 1;
	char *text = malloc(len);

	if (text)
		snprintf(text, len, "%s%s%s", a, b, c);
	return text;
}

/* A directory that cannot be read has no presets. */
static bool list_folder(const char *data, struct preset_names *names)
{
	char *path = join_path(data, "/machine", "");
	DIR *folder = path ? opendir(path) : NULL;
	bool ok = path && (folder || errno != ENOMEM);
	struct dirent *entry;

	while (ok && folder && names->count < PRESETS_MAX && (entry = readdir(folder))) {
		size_t len = strlen(entry->d_name), tail = strlen(SUFFIX);

		if (len > tail && entry->d_name[0] != '.' &&
		    strcmp(entry->d_name + len - tail, SUFFIX) == 0)
			ok = names_add(names, entry->d_name, len - tail);
	}
	if (folder)
		closedir(folder);
	free(path);
	return ok;
}

enum ws_status ws_machine_list(char ***names, size_t *count, struct ws_err *err)
{
	struct preset_names found = { .name = NULL };
	char *dirs[DIRS_MAX];
	size_t n = ws_data_dirs(dirs, DIRS_MAX);
	bool ok = true;

	*names = NULL;
	*count = 0;
	for (size_t i = 0; i < n; i++) {
		ok = ok && dirs[i] && list_folder(dirs[i], &found);
		free(dirs[i]);
	}
	if (!ok) {
		names_clear(&found);
		return ws_fail_memory(err, "the list of machines");
	}
	names_sort(&found);
	*names = found.name;
	*count = found.count;
	return WS_OK;
}

/* ---- the error for a name that is none ---------------------------------------- */

static const char *name_at(size_t i, const void *context)
{
	return ((char *const *)context)[i];
}

static enum ws_status unknown_machine(const char *name, struct ws_err *err)
{
	char **names, shown[48], all[512] = "";
	enum ws_status status;
	size_t count, used = 0;
	int nearest;

	status = ws_machine_list(&names, &count, err);
	if (status != WS_OK)
		return status;
	for (size_t i = 0; i < count && used < sizeof all; i++)
		used += (size_t)snprintf(all + used, sizeof all - used, " %s", names[i]);
	nearest = ws_nearest_name(name, count, name_at, names);
	ws_shown(name, shown, sizeof shown);
	if (count == 0)
		ws_fail(err, WS_EINVAL, "unknown machine '%s': no presets were found; want "
			"WARPSTACK_DATA to name the data directory, or a path to a .conf file",
			shown);
	else if (nearest >= 0)
		ws_fail(err, WS_EINVAL, "unknown machine '%s': did you mean %s? There are:%s; "
			"or want a path to a .conf file", shown, names[nearest], all);
	else
		ws_fail(err, WS_EINVAL, "unknown machine '%s': want a path to a .conf file or "
			"one of:%s", shown, all);
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
	return WS_EINVAL;
}

/* ---- files ------------------------------------------------------------------------ */

static ws_base_load preset_load;

static enum ws_status load_file(struct ws_machine *m, const char *path, unsigned depth,
				struct ws_notes *notes, struct ws_err *err)
{
	enum ws_status status;
	size_t len = 0;
	char *text = NULL;

	status = ws_machine_file(path, &text, &len, err);
	if (status != WS_OK)
		return status;
	if (ws_gpgpusim_recognise(text, len))
		status = ws_gpgpusim_load(m, text, len, path, notes, err);
	else
		status = ws_conf_read(m, text, len, path, depth, preset_load, err);
	free(text);
	return status;
}

/* *path: the file in a data directory, allocated, or NULL if it has none.  False: no memory. */
static bool find_in(const char *data, const char *file, char **path)
{
	char *there = join_path(data, "/machine/", file);

	if (there && access(there, R_OK) == 0) {
		*path = there;
		return true;
	}
	free(there);
	return there != NULL;
}

/* *path: of a preset, allocated, or NULL if there is none: no '/' lets a name out of the folder. */
static enum ws_status preset_path(const char *name, char **path, struct ws_err *err)
{
	char *dirs[DIRS_MAX], *file;
	size_t count;
	bool ok;

	*path = NULL;
	if (!name[0] || name[0] == '.' || strchr(name, '/'))
		return WS_OK;
	file = join_path(name, SUFFIX, "");
	count = ws_data_dirs(dirs, DIRS_MAX);
	ok = file != NULL;
	for (size_t i = 0; i < count; i++) {
		ok = ok && dirs[i] && (*path || find_in(dirs[i], file, path));
		free(dirs[i]);
	}
	free(file);
	if (ok)
		return WS_OK;
	free(*path);
	*path = NULL;
	return ws_fail_memory(err, "the path of a machine");
}

/* A ws_base_load. */
static enum ws_status preset_load(struct ws_machine *m, const char *name, unsigned depth,
				  struct ws_err *err)
{
	enum ws_status status;
	char *path;

	status = preset_path(name, &path, err);
	if (status != WS_OK)
		return status;
	status = path ? load_file(m, path, depth, NULL, err) : unknown_machine(name, err);
	free(path);
	return status;
}

enum ws_status ws_machine_path(const char *name_or_path, char **path, struct ws_err *err)
{
	enum ws_status status = preset_path(name_or_path, path, err);

	if (status != WS_OK || *path ||
	    (!strchr(name_or_path, '/') && access(name_or_path, F_OK) != 0))
		return status;
	*path = ws_strdup(name_or_path);
	return *path ? WS_OK : ws_fail_memory(err, "the path of a machine");
}

enum ws_status ws_machine_load_notes(struct ws_machine *m, const char *name_or_path,
				     struct ws_notes *notes, struct ws_err *err)
{
	char *path;
	enum ws_status status = ws_machine_path(name_or_path, &path, err);

	if (status != WS_OK)
		return status;
	status = path ? load_file(m, path, 0, notes, err) : unknown_machine(name_or_path, err);
	free(path);
	return status;
}

enum ws_status ws_machine_load(struct ws_machine *m, const char *name_or_path,
			       struct ws_err *err)
{
	return ws_machine_load_notes(m, name_or_path, NULL, err);
}
