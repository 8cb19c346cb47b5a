/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/alternatives.c -- what a vendor does not say: values of which a key has one, nobody knows
 * which.
 *
 * The machine itself has the first of them; the list stays beside it, as text, until the key is
 * set to one value.
 */
#include "machine/private.h"

#include <string.h>

/* The line of the key, or NULL; *len is what it takes, with its newline. */
static char *line_of(struct ws_machine *m, const struct ws_key *key, size_t *len)
{
	size_t name = strlen(key->name);

	for (char *at = m->alternatives; *at; at += *len) {
		*len = strcspn(at, "\n") + 1;
		if (strncmp(at, key->name, name) == 0 && at[name] == '=')
			return at;
	}
	return NULL;
}

void ws_alternatives_forget(struct ws_machine *m, const struct ws_key *key)
{
	size_t len = 0, tail;
	char *line = m->alternatives[0] ? line_of(m, key, &len) : NULL;

	if (!line)
		return;
	tail = strlen(line + len);
	memmove(line, line + len, tail);
	/* Machines are compared as bytes. */
	memset(line + tail, 0, sizeof m->alternatives - (size_t)(line - m->alternatives) - tail);
}

enum ws_status ws_alternatives_keep(struct ws_machine *m, const struct ws_key *key,
				    const char *text, struct ws_err *err)
{
	size_t used = strlen(m->alternatives), room = sizeof m->alternatives - used;
	size_t need = strlen(key->name) + strlen(text) + 2;

	if (need >= room)
		return ws_fail(err, WS_EINVAL, "%s: too many alternatives: want at most %zu "
			       "characters of them in a machine", key->name,
			       sizeof m->alternatives - 1);
	snprintf(m->alternatives + used, room, "%s=%s\n", key->name, text);
	return WS_OK;
}

bool ws_machine_alternatives(const struct ws_machine *m, size_t i, char *text, size_t len)
{
	const char *at = m->alternatives;
	size_t line = strcspn(at, "\n");

	for (; i && *at; i--) {
		at += line + 1;
		line = strcspn(at, "\n");
	}
	if (!*at || line >= len)
		return false;
	memcpy(text, at, line);
	text[line] = '\0';
	return true;
}

enum ws_status ws_machine_single(const struct ws_machine *m, struct ws_err *err)
{
	char text[WS_ALTERNATIVES_MAX];

	if (!ws_machine_alternatives(m, 0, text, sizeof text))
		return WS_OK;
	return ws_fail_remedy(err, WS_REMEDY_CHOOSE, "machine %s has alternatives, %s: want one of "
			      "them", m->name, text);
}
