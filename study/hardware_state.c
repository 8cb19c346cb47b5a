/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/hardware_state.c -- results that are kept: a line of a key, how many numbers follow, and
 * the numbers.  A last line that is cut off is as if it were not there.
 */
#include "study/hardware_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNTS (sizeof(struct hardware_counts) / sizeof(uint64_t))

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

static enum ws_status take_counts(struct hardware_row *row, const uint64_t *value, size_t count,
				  struct ws_err *err)
{
	if (row->counts)
		return WS_OK;
	row->counts = ws_alloc(count, sizeof *value);
	if (!row->counts)
		return ws_fail_memory(err, "the results");
	memcpy(row->counts, value, count * sizeof *value);
	return WS_OK;
}

static enum ws_status read_result(struct ws_hardware *h, const char *path, size_t line,
				  const char *at, const char *end, struct ws_err *err)
{
	uint64_t key, count, *value;
	enum ws_status status = WS_OK;

	if (!next_number(&at, end, 16, &key) || !next_number(&at, end, 10, &count) ||
	    count > (uint64_t)(end - at))
		return bad_line(path, line, err);
	value = ws_alloc((size_t)count, sizeof *value);
	if (!value)
		return ws_fail_memory(err, "the results");
	for (size_t i = 0; i < count && status == WS_OK; i++)
		if (!next_number(&at, end, 10, &value[i]))
			status = bad_line(path, line, err);
	if (status == WS_OK && at != end)
		status = bad_line(path, line, err);
	for (size_t i = 0; i < h->row_count && status == WS_OK; i++)
		if (h->row[i].key == key && hardware_numbers(&h->row[i]) * COUNTS == count)
			status = take_counts(&h->row[i], value, (size_t)count, err);
	free(value);
	return status;
}

static enum ws_status read_state(struct ws_hardware *h, const char *path, size_t *whole,
				 struct ws_err *err)
{
	struct ws_in in = { 0 };
	enum ws_status status = ws_in_open(&in, path, err);
	const char *at = (const char *)in.data, *newline;
	size_t line = 1, left = in.len;

	*whole = 0;
	for (; status == WS_OK && left && (newline = memchr(at, '\n', left)) != NULL; line++) {
		status = read_result(h, path, line, at, newline, err);
		left -= (size_t)(newline + 1 - at);
		*whole += (size_t)(newline + 1 - at);
		at = newline + 1;
	}
	ws_in_close(&in);
	return status;
}

enum ws_status ws_hardware_state_open(struct hardware_state *s, const char *path,
				      struct ws_hardware *h, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t whole = 0;

	*s = (struct hardware_state){ .path = path };
	if (!path)
		return WS_OK;
	if (access(path, F_OK) == 0)
		status = read_state(h, path, &whole, err);
	if (status != WS_OK)
		return status;
	s->file = fopen(path, "ae");
	if (!s->file || ftruncate(fileno(s->file), (off_t)whole) != 0)
		return ws_fail(err, WS_EIO, "%s: %s", path, strerror(errno));
	return WS_OK;
}

enum ws_status ws_hardware_state_add(struct hardware_state *s, const struct hardware_row *row,
				     struct ws_err *err)
{
	const uint64_t *value = &row->counts->requests;
	size_t count = hardware_numbers(row) * COUNTS;

	if (!s->file)
		return WS_OK;
	fprintf(s->file, "%016" PRIx64 " %zu", row->key, count);
	for (size_t i = 0; i < count; i++)
		fprintf(s->file, " %" PRIu64, value[i]);
	fputc('\n', s->file);
	return fflush(s->file) ? ws_fail(err, WS_EIO, "%s: %s", s->path, strerror(errno)) : WS_OK;
}

void ws_hardware_state_close(struct hardware_state *s)
{
	if (s->file)
		fclose(s->file);
	s->file = NULL;
}
