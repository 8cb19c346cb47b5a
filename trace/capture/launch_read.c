/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch_read.c -- reads launch files: which kernel runs on what.
 *
 *   source  = mm.cl                    relative to the launch file
 *   options = -DTILE=16                of the OpenCL compiler
 *   [buffers]
 *   A = float 16384 random 0 1 seed=3  NAME = TYPE COUNT [INITIALISER ...]
 *   [launch]                           several run in order on the same buffers
 *   kernel = mm
 *   global = 128 128                   one to three sizes; or grid and block, in CTAs
 *   local  = 16 16
 *   offset = 0 0                       optional
 *   args   = A B 128 local:1024 1,2    buffers, numbers, vectors, __local bytes
 *   repeat = 1                         optional
 *   registers = 20                     per thread, optional
 *   [check]
 *   A = expected.bin 1e-5              BUFFER = FILE [relative tolerance]
 *
 * '#' at the start of a line or after a blank begins a comment.  Types are
 * OpenCL's scalars (but half) and their vectors; initialisers are in fill.c.
 * Counts and sizes take K, M, G.  Reading checks the form of each line;
 * ws_program_verify checks what lines say together.
 */
#include "trace/capture/launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX (1u << 20)
#define REGISTERS_MAX 65536u

/* Cuts the next word off *rest; NULL at the end. */
static char *word(char **rest, const char *separators)
{
	char *start = *rest + strspn(*rest, separators);
	size_t len = strcspn(start, separators);

	if (!len)
		return NULL;
	*rest = start + len;
	if (**rest)
		*(*rest)++ = '\0';
	return start;
}

static enum ws_status set_text(char **field, const char *value, struct ws_err *err)
{
	char *copy = ws_strdup(value);

	if (!copy)
		return ws_fail_memory(err, "a launch file");
	free(*field);
	*field = copy;
	return WS_OK;
}

/* ---- the file -------------------------------------------------------------------- */

enum file_section { TOP, BUFFERS, LAUNCH, CHECK, SECTIONS };
static const char *const section_names[SECTIONS] = { "", "buffers", "launch", "check" };

struct launch_reader {
	struct ws_program *p;
	struct ws_text_place at;
	struct ws_err *err;
	enum file_section section;
	unsigned seen; /* bit i: key i was set in this section */
	bool grid;     /* the launch's sizes are CTAs */
	int line;
};

static struct ws_launch_spec *this_launch(struct launch_reader *r)
{
	return &r->p->launch[r->p->launches - 1];
}

static enum ws_status set_source(struct launch_reader *r, char *value)
{
	free(r->p->source);
	r->p->source = ws_path_beside(r->p->name, value);
	return r->p->source ? WS_OK : ws_fail_memory(r->err, "a launch file");
}

static enum ws_status set_options(struct launch_reader *r, char *value)
{
	const struct ws_build_source from = {
		.file = r->p->name, .cuda = r->p->source && ws_is_cuda(r->p->source),
	};
	struct ws_build build;
	struct ws_err err = { 0 };
	enum ws_status status = ws_build_parse(&build, value, &from, &err);

	ws_build_clear(&build);
	if (status == WS_EINVAL)
		return ws_place_fail(&r->at, r->err, "%s", err.text);
	if (status != WS_OK) {
		*r->err = err;
		return status;
	}
	r->p->options_line = r->line;
	return set_text(&r->p->options, value, r->err);
}

static enum ws_status set_base(struct launch_reader *r, char *value)
{
	uint64_t v;

	if (!ws_parse_size(value, &v) || v < WS_DEVICE_BASE || v > WS_DEVICE_BASE_MAX ||
	    v % WS_DEVICE_ALIGN)
		return ws_place_fail(&r->at, r->err, "base '%.40s': want a multiple of %u from "
				     "0x%llx to 0x%llx", value, WS_DEVICE_ALIGN, WS_DEVICE_BASE,
				     WS_DEVICE_BASE_MAX);
	r->p->device_base = v;
	return WS_OK;
}

static enum ws_status set_align(struct launch_reader *r, char *value)
{
	uint64_t v;

	if (!ws_parse_size(value, &v) || v < WS_DEVICE_ALIGN || v > WS_DEVICE_ALIGN_MAX ||
	    v & (v - 1))
		return ws_place_fail(&r->at, r->err, "align '%.40s': want a power of two from %u "
				     "to 1G", value, WS_DEVICE_ALIGN);
	r->p->device_align = v;
	return WS_OK;
}

static enum ws_status set_kernel(struct launch_reader *r, char *value)
{
	if (!ws_is_kernel_name(value))
		return ws_place_fail(&r->at, r->err, "kernel '%.60s': want a function's name",
				     value);
	return set_text(&this_launch(r)->kernel, value, r->err);
}

/* One to three numbers; the number of them is the launch's, whichever key came first. */
static enum ws_status set_sizes(struct launch_reader *r, char *value, const char *key,
				uint64_t *size,
				uint64_t least)
{
	struct ws_launch_spec *l = this_launch(r);
	unsigned count = 0;
	char *item;

	while ((item = word(&value, WS_BLANK ","))) {
		if (count == 3 || !ws_parse_size(item, &size[count]) || size[count] < least)
			return ws_place_fail(&r->at, r->err, "'%.40s' in %s: want one to three "
					     "numbers, each at least %" PRIu64, item, key, least);
		count++;
	}
	if (l->dim && l->dim != count)
		return ws_place_fail(&r->at, r->err, "%s has %u numbers: want %u, as in the lines "
				     "before", key, count, l->dim);
	l->dim = count;
	return WS_OK;
}

static enum ws_status set_global(struct launch_reader *r, char *value)
{
	return set_sizes(r, value, "global", this_launch(r)->global, 1);
}

static enum ws_status set_local(struct launch_reader *r, char *value)
{
	return set_sizes(r, value, "local", this_launch(r)->local, 1);
}

/* CTAs in place of work-items: multiplied when the launch's section ends. */
static enum ws_status set_grid(struct launch_reader *r, char *value)
{
	r->grid = true;
	return set_sizes(r, value, "grid", this_launch(r)->global, 1);
}

static enum ws_status set_block(struct launch_reader *r, char *value)
{
	return set_sizes(r, value, "block", this_launch(r)->local, 1);
}

static enum ws_status set_offset(struct launch_reader *r, char *value)
{
	return set_sizes(r, value, "offset", this_launch(r)->offset, 0);
}

static enum ws_status set_args(struct launch_reader *r, char *value)
{
	enum ws_status status = WS_OK;
	char *item;

	while (status == WS_OK && (item = word(&value, WS_BLANK)))
		status = ws_launch_add_arg(this_launch(r), NULL, item, &r->at, r->err);
	return status;
}

static enum ws_status set_number(struct launch_reader *r, const char *value, uint64_t max,
				 uint64_t *out)
{
	uint64_t v;

	if (!ws_parse_u64(value, &v) || v < 1 || v > max)
		return ws_place_fail(&r->at, r->err, "'%.40s': want a number from 1 to %" PRIu64,
				     value, max);
	*out = v;
	return WS_OK;
}

static enum ws_status set_repeat(struct launch_reader *r, char *value)
{
	return set_number(r, value, WS_PROGRAM_RUNS_MAX, &this_launch(r)->repeat);
}

static enum ws_status set_registers(struct launch_reader *r, char *value)
{
	return set_number(r, value, REGISTERS_MAX, &this_launch(r)->registers);
}

static const struct key {
	enum file_section section;
	const char *name;
	enum ws_status (*set)(struct launch_reader *r, char *value);
	bool needed, empty; /* in each launch, it or the next but one; may have no value */
} keys[] = {
	{ TOP, "source", set_source, false, false },
	{ TOP, "options", set_options, false, true },
	{ TOP, "base", set_base, false, false },
	{ TOP, "align", set_align, false, false },
	{ LAUNCH, "kernel", set_kernel, true, false },
	{ LAUNCH, "global", set_global, true, false },
	{ LAUNCH, "local", set_local, true, false },
	{ LAUNCH, "grid", set_grid, false, false },
	{ LAUNCH, "block", set_block, false, false },
	{ LAUNCH, "offset", set_offset, false, false },
	{ LAUNCH, "args", set_args, false, true },
	{ LAUNCH, "repeat", set_repeat, false, false },
	{ LAUNCH, "registers", set_registers, false, false },
};

static enum ws_status set_key(struct launch_reader *r, const char *name, char *value)
{
	for (size_t i = 0; i < WS_COUNT(keys); i++) {
		if (keys[i].section != r->section || strcmp(keys[i].name, name) != 0)
			continue;
		if (r->seen & 1u << i)
			return ws_place_fail(&r->at, r->err, "%s again: want it once", name);
		r->seen |= 1u << i;
		if (!*value && !keys[i].empty)
			return ws_place_fail(&r->at, r->err, "%s without a value", name);
		return keys[i].set(r, value);
	}
	return ws_place_fail(&r->at, r->err, "unknown key '%.60s': want %s", name,
			     r->section == TOP ? "source, options, base or align, or a section" :
			     "kernel, global, local, grid, block, offset, args, repeat or "
			     "registers");
}

static enum ws_status set_buffer(struct launch_reader *r, const char *name, char *value)
{
	struct ws_declaration d = { .name = name, .base = r->p->name, .line = r->line };

	d.type = word(&value, WS_BLANK);
	d.count = d.type ? word(&value, WS_BLANK) : NULL;
	if (!d.count)
		return ws_place_fail(&r->at, r->err, "buffer %.60s: want NAME = TYPE COUNT and an "
				     "initialiser", name);
	d.init = ws_trim(value);
	return ws_program_add_buffer(r->p, &d, &r->at, r->err);
}

static enum ws_status set_check(struct launch_reader *r, const char *name, char *value)
{
	struct ws_check_text c = { .buffer = name, .value = value, .separator = ' ',
				   .base = r->p->name, .line = r->line };

	return ws_program_add_check(r->p, &c, &r->at, r->err);
}

/* A launch must say what it runs on; sizes of 1 by omission would be a trap. */
static enum ws_status end_section(struct launch_reader *r)
{
	struct ws_text_place at;

	if (r->section != LAUNCH)
		return WS_OK;
	at = ws_place_of(r->p, this_launch(r)->line, "");
	for (size_t i = 0; i < WS_COUNT(keys); i++) {
		bool other = keys[i].set == set_global || keys[i].set == set_local;

		if (keys[i].needed && !(r->seen & 1u << i) &&
		    !(other && r->seen & 1u << (i + 2)))
			return ws_place_fail(&at, r->err, "launch without %s: want kernel, global "
					     "and local, or kernel, grid and block", keys[i].name);
		if (other && r->seen & 1u << i && r->seen & 1u << (i + 2))
			return ws_place_fail(&at, r->err, "%s and %s: want one of them",
					     keys[i].name, keys[i + 2].name);
	}
	if (r->grid && !ws_launch_grid(this_launch(r)))
		return ws_place_fail(&at, r->err, "grid and block: want less than 2^64 threads in "
				     "each dimension");
	return WS_OK;
}

static enum ws_status begin_section(struct launch_reader *r, char *line)
{
	size_t len = strlen(line);
	enum ws_status status = end_section(r);

	if (status != WS_OK)
		return status;
	if (line[len - 1] == ']') {
		line[len - 1] = '\0';
		for (unsigned s = BUFFERS; s < SECTIONS; s++) {
			if (strcmp(ws_trim(line + 1), section_names[s]) != 0)
				continue;
			r->section = (enum file_section)s;
			r->seen = 0;
			r->grid = false;
			if (s == LAUNCH && !ws_program_add_launch(r->p, r->line))
				return ws_fail_memory(r->err, "a launch");
			return WS_OK;
		}
	}
	return ws_place_fail(&r->at, r->err, "section '%.60s': want [buffers], [launch] or "
			     "[check]", line);
}

static enum ws_status read_line(struct launch_reader *r, char *line)
{
	char *equals, *value;

	for (char *hash = strchr(line, '#'); hash; hash = strchr(hash + 1, '#')) {
		if (hash == line || strchr(WS_BLANK, hash[-1])) {
			*hash = '\0';
			break;
		}
	}
	line = ws_trim(line);
	if (!*line)
		return WS_OK;
	if (*line == '[')
		return begin_section(r, line);
	equals = strchr(line, '=');
	if (!equals)
		return ws_place_fail(&r->at, r->err, "'%.60s': want NAME = VALUE or a section",
				     line);
	*equals = '\0';
	line = ws_trim(line);
	value = ws_trim(equals + 1);
	if (r->section == BUFFERS)
		return set_buffer(r, line, value);
	if (r->section == CHECK)
		return set_check(r, line, value);
	return set_key(r, line, value);
}

static enum ws_status read_lines(struct launch_reader *r, char *text)
{
	enum ws_status status = WS_OK;

	while (text && status == WS_OK) {
		char *line = text, *end = strchr(text, '\n');

		if (end)
			*end = '\0';
		text = end ? end + 1 : NULL;
		r->at = ws_place_of(r->p, ++r->line, "");
		for (char *c = line; *c && status == WS_OK; c++) {
			if ((unsigned char)*c < 0x20 && !strchr(WS_BLANK, *c))
				status = ws_place_fail(&r->at, r->err, "byte 0x%02x: want text",
						       (unsigned)*c);
			else if (*c == '\t' || *c == '\r')
				*c = ' ';
		}
		if (status == WS_OK)
			status = read_line(r, line);
	}
	return status == WS_OK ? end_section(r) : status;
}

enum ws_status ws_program_parse(struct ws_program *p, const char *name, const void *text,
				size_t len, struct ws_err *err)
{
	struct launch_reader r = { .p = p, .err = err };
	enum ws_status status = WS_OK;
	char *copy;

	*p = (struct ws_program){ 0 };
	if (len > TEXT_MAX)
		return ws_fail(err, WS_EFORMAT, "%s: %zu bytes: want a launch file of at most %u "
			       "bytes", name, len, TEXT_MAX);
	if (memchr(text, 0, len))
		return ws_fail(err, WS_EFORMAT, "%s: a zero byte at offset %zu: want a launch file",
			       name, (size_t)((const char *)memchr(text, 0, len) -
					      (const char *)text));
	copy = malloc(len + 1);
	p->name = ws_strdup(name);
	if (!copy || !p->name) {
		status = ws_fail_memory(err, "a launch file");
	} else {
		memcpy(copy, text, len);
		copy[len] = '\0';
		status = read_lines(&r, copy);
	}
	if (status == WS_OK && !p->options)
		status = set_text(&p->options, "", err);
	free(copy);
	if (status != WS_OK)
		ws_program_clear(p);
	return status;
}

enum ws_status ws_program_read(struct ws_program *p, const char *path, struct ws_err *err)
{
	enum ws_status status;
	struct ws_in in;

	*p = (struct ws_program){ 0 };
	status = ws_in_open(&in, path, err);
	if (status != WS_OK)
		return status;
	status = ws_program_parse(p, in.name, in.data, in.len, err);
	ws_in_close(&in);
	return status;
}
