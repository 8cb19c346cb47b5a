/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/counters/set_read.c -- set.conf: sections of "key = value" lines.
 *
 * '#' begins a comment at the start of a line or after a blank.  A table says which keys a section
 * of each kind has; those that may be repeated keep their order.
 */
#include "validate/dataset.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define CONF_MAX (UINT64_C(1) << 20)
#define LINE_TEXT 1024u
#define COUNT_MAX 1000u		/* sections, and keys of one: each is searched for */

static const struct section_kind {
	const char *name;
	unsigned names;		/* how many words follow in its brackets, at most */
	const char *keys;	/* each between blanks; "*": any */
	const char *needs;
} kinds[] = {
	{ "", 0, " title licence source attribution quick ", " title licence source attribution " },
	{ "counter", 2, " unit definition counts median p10 p90 ", " unit definition median " },
	{ "gpu", 1, " names machine ", "" },
	{ "kernel", 1, " source kernel options buffer global local registers args requests "
	  "footprint streaming label ", " source kernel buffer global local args " },
	{ "leave-out", 1, " because level where ", " because where " },
	{ "limit", 1, " mean ", " mean " },
};

const char *const ws_set_level_names[WS_SET_LEVELS] = { "l1", "l2" };

struct conf_reader {
	struct ws_data_set *set;
	const char *path;
	size_t line;
	const struct section_kind *kind;
	struct ws_err *err;
};

static enum ws_status refuse_line(const struct conf_reader *r, size_t line, const char *what,
				  const char *shown)
{
	char clean[64];
	size_t n = 0;

	for (; shown[n] && n < sizeof clean - 1; n++)
		clean[n] = isprint((unsigned char)shown[n]) ? shown[n] : '?';
	clean[n] = '\0';
	return ws_fail(r->err, WS_EFORMAT, "%s:%zu: '%s': %s", r->path, line, clean, what);
}

static bool listed(const char *list, const char *word, size_t len)
{
	for (const char *at = list; *at; at++) {
		size_t n;

		at += strspn(at, " ");
		n = strcspn(at, " ");
		if (n == len && strncmp(at, word, len) == 0)
			return true;
		at += n;
		if (!*at)
			break;
	}
	return false;
}

const char *ws_set_value(const struct ws_set_section *s, const char *key)
{
	for (size_t i = 0; s && i < s->entries; i++)
		if (strcmp(s->entry[i].key, key) == 0)
			return s->entry[i].value;
	return NULL;
}

const struct ws_set_section *ws_set_section_find(const struct ws_data_set *set, const char *kind,
						 const char *name, const char *of)
{
	for (size_t i = 0; i < set->sections; i++) {
		const struct ws_set_section *s = &set->section[i];

		if (strcmp(s->kind, kind) == 0 && strcmp(s->name, name) == 0 &&
		    strcmp(s->of, of) == 0)
			return s;
	}
	return NULL;
}

/* Has the section that ends all that it needs? */
static enum ws_status end_section(const struct conf_reader *r)
{
	const struct ws_set_section *s = &r->set->section[r->set->sections - 1];
	char key[32];

	for (const char *at = r->kind->needs; *at; at += strcspn(at, " ")) {
		size_t len;

		at += strspn(at, " ");
		len = strcspn(at, " ");
		if (!len)
			break;
		snprintf(key, sizeof key, "%.*s", (int)len, at);
		/* A counter of one GPU says only what is different. */
		if (!ws_set_value(s, key) && !s->of[0])
			return *s->kind ? ws_fail(r->err, WS_EFORMAT, "%s:%zu: [%s %s] has no %s",
						  r->path, s->line, s->kind, s->name, key)
					: ws_fail(r->err, WS_EFORMAT, "%s:%zu: no %s before the "
						  "first section", r->path, s->line, key);
	}
	return WS_OK;
}

static enum ws_status new_section(struct conf_reader *r, const char *kind, const char *name,
				  const char *of)
{
	struct ws_data_set *set = r->set;
	struct ws_set_section *s;

	if (set->sections == COUNT_MAX)
		return refuse_line(r, r->line, "want at most 1000 sections", name);
	if (!WS_ROOM(set->section, set->section_cap, set->sections + 1))
		return ws_fail_memory(r->err, "set.conf");
	s = &set->section[set->sections++];
	*s = (struct ws_set_section){ .kind = ws_strdup(kind), .name = ws_strdup(name),
				      .of = ws_strdup(of), .line = r->line };
	return s->kind && s->name && s->of ? WS_OK : ws_fail_memory(r->err, "set.conf");
}

/* "[kind name of]" */
static enum ws_status read_section(struct conf_reader *r, char *text)
{
	char *word[4] = { NULL }, *save = NULL, *end = strchr(text, ']');
	unsigned words = 0;
	enum ws_status status = end_section(r);

	if (status != WS_OK)
		return status;
	if (!end || end[1])
		return refuse_line(r, r->line, "want [KIND NAME]", text);
	*end = '\0';
	for (char *w = strtok_r(text + 1, " \t", &save); w && words < 4;
	     w = strtok_r(NULL, " \t", &save))
		word[words++] = w;
	r->kind = NULL;
	for (size_t i = 1; i < WS_COUNT(kinds) && words; i++)
		if (strcmp(kinds[i].name, word[0]) == 0)
			r->kind = &kinds[i];
	if (!r->kind || words < 2 || words > 1 + r->kind->names)
		return refuse_line(r, r->line, "want [counter NAME], [counter NAME GPU], [gpu "
				   "NAME], [kernel NAME], [leave-out NAME] or [limit LEVEL]",
				   words ? word[0] : "");
	if (ws_set_section_find(r->set, word[0], word[1], word[2] ? word[2] : ""))
		return refuse_line(r, r->line, "there is one already", word[1]);
	return new_section(r, word[0], word[1], word[2] ? word[2] : "");
}

/* "machine.ca" is the key machine for rows whose l1 is ca. */
static bool known(const struct section_kind *kind, const char *key)
{
	size_t len = strcspn(key, ".");

	return listed(kind->keys, key, strlen(key)) ||
	       (key[len] && strcmp(kind->name, "gpu") == 0 && listed(" machine ", key, len));
}

static enum ws_status read_entry(struct conf_reader *r, char *text)
{
	struct ws_set_section *s = &r->set->section[r->set->sections - 1];
	char *equals = strchr(text, '='), *value = equals ? equals + 1 : NULL, *end = equals;
	struct ws_set_entry *e;

	if (!equals)
		return refuse_line(r, r->line, "want KEY = VALUE", text);
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	value += strspn(value, " \t");
	if (!known(r->kind, text))
		return refuse_line(r, r->line, "there is no such key here", text);
	if (ws_set_value(s, text) && strcmp(text, "buffer") != 0)
		return refuse_line(r, r->line, "was given already", text);
	if (s->entries == COUNT_MAX)
		return refuse_line(r, r->line, "want at most 1000 keys in a section", text);
	if (!WS_ROOM(s->entry, s->cap, s->entries + 1))
		return ws_fail_memory(r->err, "set.conf");
	e = &s->entry[s->entries++];
	*e = (struct ws_set_entry){ ws_strdup(text), ws_strdup(value), r->line };
	return e->key && e->value ? WS_OK : ws_fail_memory(r->err, "set.conf");
}

/* text[len] without comment and outer space; false: too long, or no text. */
static bool clean(const char *text, size_t len, char line[LINE_TEXT])
{
	size_t from = 0, to = 0;

	if (len >= LINE_TEXT || memchr(text, '\0', len))
		return false;
	while (from < len && isspace((unsigned char)text[from]))
		from++;
	for (to = from; to < len; to++)
		if (text[to] == '#' && (to == from || isspace((unsigned char)text[to - 1])))
			break;
	while (to > from && isspace((unsigned char)text[to - 1]))
		to--;
	memcpy(line, text + from, to - from);
	line[to - from] = '\0';
	return true;
}

enum ws_status ws_data_set_parse(struct ws_data_set *set, const char *path, const char *text,
				 size_t len, struct ws_err *err)
{
	struct conf_reader r = { .set = set, .path = path, .line = 1, .kind = kinds, .err = err };
	enum ws_status status = len > CONF_MAX ? refuse_line(&r, 1, "want at most 1 MB", path)
					       : new_section(&r, "", "", "");
	char line[LINE_TEXT];

	for (; len > 0 && status == WS_OK; r.line++) {
		const char *newline = memchr(text, '\n', len);
		size_t n = newline ? (size_t)(newline - text) : len;

		if (!clean(text, n, line))
			status = refuse_line(&r, r.line, "want a line of text of less than 1 KB",
					     "");
		else if (line[0] == '[')
			status = read_section(&r, line);
		else if (line[0])
			status = read_entry(&r, line);
		n += newline != NULL;
		text += n;
		len -= n;
	}
	return status == WS_OK ? end_section(&r) : status;
}
