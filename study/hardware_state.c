/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/hardware_state.c -- results that are kept, in memory and in a file: a line of a key, how
 * many numbers follow, and the numbers.  A last line that is cut off is as if it were not there.
 */
#include "study/hardware_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- in memory ------------------------------------------------------------------------ */

static enum ws_status store(struct hardware_state *s, uint64_t key, const uint64_t *value,
			    size_t count, struct ws_err *err)
{
	uint64_t *copy = ws_alloc(count, sizeof *copy);
	uint32_t *slot;

	if (!copy || !WS_ROOM(s->result, s->cap, s->results + 1) ||
	    !ws_map_room(&s->map, s->result, sizeof *s->result, s->results + 1)) {
		free(copy);
		return ws_fail_memory(err, "the results");
	}
	memcpy(copy, value, count * sizeof *copy);
	slot = ws_map_slot(&s->map, s->result, sizeof *s->result, key);
	if (!*slot)
		*slot = (uint32_t)++s->results;
	else
		free(s->result[*slot - 1].value);
	s->result[*slot - 1] = (struct hardware_result){ key, count, copy };
	return WS_OK;
}

const uint64_t *ws_hardware_state_find(struct hardware_state *s, uint64_t key, size_t count)
{
	const uint64_t *value = NULL;
	uint32_t number;

	pthread_mutex_lock(&s->lock);
	number = ws_map_find(&s->map, s->result, sizeof *s->result, key);
	if (number != WS_MAP_NONE && s->result[number].count == count)
		value = s->result[number].value;
	pthread_mutex_unlock(&s->lock);
	return value;
}

/* ---- in a file -------------------------------------------------------------------------- */

static enum ws_status bad_line(const char *path, size_t line, struct ws_err *err)
{
	return ws_fail(err, WS_EFORMAT, "%s:%zu: want a key and its numbers, as they were "
		       "written", path, line);
}

static bool next_number(const char **at, const char *end, int base, uint64_t *value)
{
	char word[32], *stop;
	size_t len = 0;

	while (*at < end && **at == ' ')
		++*at;
	while (*at + len < end && (*at)[len] != ' ')
		len++;
	if (!len || len >= sizeof word)
		return false;
	memcpy(word, *at, len);
	word[len] = '\0';
	*at += len;
	errno = 0;
	*value = strtoull(word, &stop, base);
	return !*stop && !errno && word[0] != '-' && word[0] != '+';
}

static enum ws_status read_result(struct hardware_state *s, size_t line, const char *at,
				  const char *end, struct ws_err *err)
{
	uint64_t key, count, *value;
	enum ws_status status = WS_OK;

	if (!next_number(&at, end, 16, &key) || !next_number(&at, end, 10, &count) ||
	    count > (uint64_t)(end - at))
		return bad_line(s->path, line, err);
	value = ws_alloc((size_t)count, sizeof *value);
	if (!value)
		return ws_fail_memory(err, "the results");
	for (size_t i = 0; i < count && status == WS_OK; i++)
		if (!next_number(&at, end, 10, &value[i]))
			status = bad_line(s->path, line, err);
	if (status == WS_OK && at != end)
		status = bad_line(s->path, line, err);
	if (status == WS_OK)
		status = store(s, key, value, (size_t)count, err);
	free(value);
	return status;
}

static enum ws_status read_state(struct hardware_state *s, size_t *whole, struct ws_err *err)
{
	struct ws_in in = { 0 };
	enum ws_status status = ws_in_open(&in, s->path, err);
	const char *at = (const char *)in.data, *newline;
	size_t line = 1, left = in.len;

	*whole = 0;
	for (; status == WS_OK && left && (newline = memchr(at, '\n', left)) != NULL; line++) {
		status = read_result(s, line, at, newline, err);
		left -= (size_t)(newline + 1 - at);
		*whole += (size_t)(newline + 1 - at);
		at = newline + 1;
	}
	ws_in_close(&in);
	return status;
}

enum ws_status ws_hardware_state_open(struct hardware_state *s, const char *path,
				      struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t whole = 0;
	struct stat st;

	*s = (struct hardware_state){ .path = path, .open = true };
	pthread_mutex_init(&s->lock, NULL);
	if (!path)
		return WS_OK;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return ws_fail(err, WS_EINVAL, "%s: want a regular file", path);
	if (access(path, F_OK) == 0)
		status = read_state(s, &whole, err);
	if (status != WS_OK)
		return status;
	s->file = fopen(path, "ae");
	if (!s->file || ftruncate(fileno(s->file), (off_t)whole) != 0)
		return ws_fail(err, WS_EIO, "%s: %s", path, strerror(errno));
	return WS_OK;
}

static enum ws_status write_result(const struct hardware_state *s, uint64_t key,
				   const uint64_t *value, size_t count, struct ws_err *err)
{
	if (!s->file)
		return WS_OK;
	fprintf(s->file, "%016" PRIx64 " %zu", key, count);
	for (size_t i = 0; i < count; i++)
		fprintf(s->file, " %" PRIu64, value[i]);
	fputc('\n', s->file);
	return fflush(s->file) ? ws_fail(err, WS_EIO, "%s: %s", s->path, strerror(errno)) : WS_OK;
}

enum ws_status ws_hardware_state_add(struct hardware_state *s, uint64_t key,
				     const uint64_t *value, size_t count, struct ws_err *err)
{
	enum ws_status status;

	pthread_mutex_lock(&s->lock);
	status = store(s, key, value, count, err);
	if (status == WS_OK)
		status = write_result(s, key, value, count, err);
	s->added += status == WS_OK;
	pthread_mutex_unlock(&s->lock);
	return status;
}

void ws_hardware_state_close(struct hardware_state *s)
{
	if (!s->open)
		return;
	for (size_t i = 0; i < s->results; i++)
		free(s->result[i].value);
	free(s->result);
	ws_map_clear(&s->map);
	if (s->file)
		fclose(s->file);
	pthread_mutex_destroy(&s->lock);
	*s = (struct hardware_state){ 0 };
}
