/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch_arg.c -- a kernel's arguments and checks, one by one.
 *
 *   A=buffer:float4:16384:random:0:1:seed=3	a buffer and its argument
 *   width=128   tile=local:1024			the name is the parameter's
 *   again=A					a buffer declared before
 *   A=expected.bin:1e-5			a check
 *
 * Arguments are in the kernel's order, which their names are checked against when it is known,
 * and belong to the last launch;
 * if there is none yet, one is made and its kernel and sizes are the caller's to
 * set.  Paths are relative to the current folder.
 */
#include "trace/capture/launch.h"

#include <stdlib.h>
#include <string.h>

/* An initialiser's words apart; a path keeps its colons. */
static char *blanks_for_colons(char *init)
{
	for (char *colon = init; (colon = strchr(colon, ':'));) {
		*colon++ = ' ';
		if (strncmp(init, "file ", 5) == 0)
			break;
	}
	return init;
}

/* "float:16384:random:0:1" after "buffer:"; the text is cut up. */
static enum ws_status add_spec_buffer(struct ws_program *p, const char *name, char *value,
				      const struct ws_text_place *at, struct ws_err *err)
{
	struct ws_declaration d = { .name = name, .type = value };
	char *count = strchr(value, ':'), *init;

	if (!count)
		return ws_place_fail(at, err, "want NAME=buffer:TYPE:COUNT and perhaps "
				     ":INITIALISER");
	*count++ = '\0';
	init = strchr(count, ':');
	if (init)
		*init++ = '\0';
	d.count = count;
	d.init = init ? blanks_for_colons(init) : "";
	return ws_program_add_buffer(p, &d, at, err);
}

/* "image2d:rgba:float[:LAYOUT]:64x48[:INITIALISER]": the size is the first word that begins with a
 * digit. */
static enum ws_status add_spec_image(struct ws_program *p, const char *name, char *value,
				     const struct ws_text_place *at, struct ws_err *err)
{
	struct ws_declaration d = { .name = name, .type = value, .init = "" };
	char *size = strchr(value, ':'), *rest;

	while (size && strchr("0123456789", size[1]) == NULL)
		size = strchr(size + 1, ':');
	if (!size || !size[1])
		return ws_place_fail(at, err, "want NAME=image2d:ORDER:CHANNEL:WIDTHxHEIGHT and "
				     "perhaps :INITIALISER");
	*size++ = '\0';
	d.count = size;
	rest = strchr(size, ':');
	if (rest) {
		*rest++ = '\0';
		d.init = blanks_for_colons(rest);
	}
	return ws_program_add_buffer(p, &d, at, err);
}

enum ws_status ws_program_arg(struct ws_program *p, const char *spec, struct ws_err *err)
{
	struct ws_text_place at;
	char *copy, *value, what[400];
	enum ws_status status;

	snprintf(what, sizeof what, "argument %s", spec);
	at = ws_place_of(p, 0, what);
	value = strchr(spec, '=');
	if (!value)
		return ws_place_fail(&at, err, "want NAME=VALUE or "
				     "NAME=buffer:TYPE:COUNT:INITIALISER");
	copy = ws_strdup(spec);
	if (!copy || (!p->launches && !ws_program_add_launch(p, 0))) {
		free(copy);
		return ws_fail_memory(err, "a kernel's arguments");
	}
	value = copy + (value - spec);
	*value++ = '\0';
	if (!ws_is_name(copy)) {
		status = ws_place_fail(&at, err, "'%.60s' as a name: want letters, digits and _, "
				       "no digit first", copy);
	} else if (strncmp(value, "buffer:", 7) == 0) {
		status = add_spec_buffer(p, copy, value + 7, &at, err);
		value = copy;
	} else if (ws_is_image(value) && strchr(value, ':')) {
		status = add_spec_image(p, copy, value, &at, err);
		value = copy;
	} else {
		status = WS_OK;
	}
	if (status == WS_OK)
		status = ws_launch_add_arg(&p->launch[p->launches - 1], copy, value, &at, err);
	free(copy);
	return status;
}

enum ws_status ws_program_check(struct ws_program *p, const char *spec, struct ws_err *err)
{
	char *copy = ws_strdup(spec), *value = copy ? strchr(copy, '=') : NULL, what[400];
	enum ws_status status;
	struct ws_text_place at;

	snprintf(what, sizeof what, "check %s", spec);
	at = ws_place_of(p, 0, what);
	if (!copy) {
		status = ws_fail_memory(err, "a check");
	} else if (!value) {
		status = ws_place_fail(&at, err, "want BUFFER=FILE and perhaps :TOLERANCE");
	} else {
		*value++ = '\0';
		status = ws_program_add_check(p, &(struct ws_check_text){
			.buffer = copy, .value = value, .separator = ':' }, &at, err);
	}
	free(copy);
	return status;
}

bool ws_launches_parse(const char *text, uint64_t *first, uint64_t *last)
{
	const char *colon = strchr(text, ':');
	char before[32] = "1";

	if (colon) {
		size_t len = (size_t)(colon - text);

		if (len >= sizeof before)
			return false;
		memcpy(before, text, len);
		before[len] = '\0';
	}
	return ws_parse_u64(before, first) && ws_parse_u64(colon ? colon + 1 : text, last) &&
	       *first >= 1 && *first <= *last;
}
