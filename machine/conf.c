/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/conf.c -- reads and writes a machine as text.
 *
 * Lines of "key = value", space and empty lines anywhere, '#' to the end of a
 * line a comment.  `base = NAME` as the first key starts from the preset NAME
 * and makes every other key optional; without it all are mandatory but name,
 * title, count_pending, the sectors (the line, then), one of size, sets and ways of each cache
 * (all where l1.sets.ways is there),
 * and what has a fallback in the table of keys.  l2.interleave, if left out, is no less than
 * l2.line.  A key may be given once.  Errors name file and line.
 */
#include "machine/private.h"

#include <assert.h>
#include <string.h>

#define SPACE " \t\r\v\f"
#define LINE_MAX_TEXT 512u /* bytes of a line, comment aside: no value is that long */

struct conf {
	struct ws_machine *m;
	const char *name;
	unsigned depth;
	ws_base_load *base;		/* NULL: none is followed */
	size_t line;			/* being read, from 1 */
	size_t seen[WS_KEYS_MAX];	/* line of the key, or 0 */
	size_t keys;			/* lines with a key so far */
	bool has_base;
};

/* Passes on what `why` says, with file and line. */
static enum ws_status at_line(const struct conf *c, const struct ws_err *why,
			      struct ws_err *err)
{
	struct ws_err at = { 0 };

	if (why->status == WS_ENOMEM)
		return ws_fail_as(err, why);
	ws_fail(&at, WS_EFORMAT, "%s:%zu: %s", c->name, c->line, why->text);
	at.remedy = why->remedy;
	return ws_fail_as(err, &at);
}

static enum ws_status read_base(struct conf *c, const char *value, struct ws_err *err)
{
	struct ws_err why = { .status = WS_OK };
	char shown[48];

	if (c->keys > 1)
		return ws_fail(err, WS_EFORMAT, "%s:%zu: base comes after other keys: "
			       "want it before them, once", c->name, c->line);
	c->has_base = true;
	if (!c->base)
		ws_fail(&why, WS_EINVAL, "base: want all keys of a machine here instead");
	else if (c->depth == WS_BASE_DEPTH)
		ws_fail(&why, WS_EINVAL, "base = %s: want bases at most %u deep; does it lead back "
			"to itself?", ws_shown(value, shown, sizeof shown), WS_BASE_DEPTH);
	else
		c->base(c->m, value, c->depth + 1, &why);
	if (why.status == WS_EINVAL)
		return at_line(c, &why, err);
	if (why.status) /* in the base itself: it says where */
		return ws_fail_as(err, &why);
	c->m->l1.policy_line = c->m->l2.policy_line = 0;
	return WS_OK;
}

/* One line, comment and outer space gone. */
static enum ws_status read_line(struct conf *c, char *text, struct ws_err *err)
{
	struct ws_err why = { .status = WS_OK };
	char *equals = strchr(text, '='), *value = equals ? equals + 1 : NULL;
	const struct ws_key *key;
	char shown[64];
	size_t i;

	if (!equals)
		return ws_fail(err, WS_EFORMAT, "%s:%zu: '%s': want KEY = VALUE", c->name,
			       c->line, ws_shown(text, shown, sizeof shown));
	while (equals > text && strchr(SPACE, equals[-1]))
		equals--;
	*equals = '\0';
	value += strspn(value, SPACE);
	c->keys++;
	if (strcmp(text, "base") == 0)
		return read_base(c, value, err);
	key = ws_key_find(text);
	if (!key) {
		ws_key_unknown(text, &why);
		return at_line(c, &why, err);
	}
	i = (size_t)(key - ws_keys);
	assert(i < WS_KEYS_MAX);
	if (c->seen[i])
		return ws_fail(err, WS_EFORMAT, "%s:%zu: %s was given in line %zu already",
			       c->name, c->line, key->name, c->seen[i]);
	c->seen[i] = c->line;
	if (ws_machine_set_key(c->m, key, value, &why))
		return at_line(c, &why, err);
	/* For those who know policies. */
	if (strcmp(key->name, "l1.policy") == 0)
		c->m->l1.policy_line = (uint32_t)c->line;
	else if (strcmp(key->name, "l2.policy") == 0)
		c->m->l2.policy_line = (uint32_t)c->line;
	return WS_OK;
}

/* Cuts text[len], one line without its newline, to what counts; *out[size] holds it. */
static enum ws_status clean_line(const struct conf *c, const char *text, size_t len, char *out,
				 size_t size, struct ws_err *err)
{
	const char *comment = memchr(text, '#', len);

	if (comment)
		len = (size_t)(comment - text);
	if (memchr(text, '\0', len))
		return ws_fail(err, WS_EFORMAT, "%s:%zu: a zero byte: want text", c->name,
			       c->line);
	while (len > 0 && strchr(SPACE, *text)) {
		text++;
		len--;
	}
	while (len > 0 && strchr(SPACE, text[len - 1]))
		len--;
	if (len >= size)
		return ws_fail(err, WS_EFORMAT, "%s:%zu: a line of %zu bytes: want %zu at most",
			       c->name, c->line, len, size - 1);
	memcpy(out, text, len);
	out[len] = '\0';
	return WS_OK;
}

static enum ws_status read_lines(struct conf *c, const char *text, size_t len,
				 struct ws_err *err)
{
	char line[LINE_MAX_TEXT];
	enum ws_status status = WS_OK;

	while (len > 0 && status == WS_OK) {
		const char *newline = memchr(text, '\n', len);
		size_t n = newline ? (size_t)(newline - text) : len;

		c->line++;
		status = clean_line(c, text, n, line, sizeof line, err);
		if (status == WS_OK && line[0])
			status = read_line(c, line, err);
		n += newline != NULL;
		text += n;
		len -= n;
	}
	return status;
}

/* True if a file without base may leave the key out. */
static bool optional(struct ws_machine *m, const struct ws_key *key)
{
	struct ws_cache *cache;
	unsigned flag = ws_key_given(m, key, &cache);
	const unsigned three = WS_GIVEN_SIZE | WS_GIVEN_SETS | WS_GIVEN_WAYS;

	if (flag & three) {
		unsigned missing = three & ~cache->given;

		return missing == flag || cache->set_ways.runs; /* the others are there */
	}
	return key->stage == WS_STAGE_LABEL || key->type == WS_KEY_BOOL ||
	       flag == WS_GIVEN_SECTOR;
}

static enum ws_status check_complete(struct conf *c, struct ws_err *err)
{
	for (size_t i = 0; ws_keys[i].name && !c->has_base; i++) {
		const struct ws_key *key = &ws_keys[i];
		enum ws_status status = WS_OK;

		if (!c->seen[i] && key->fallback)
			status = ws_machine_set_key(c->m, key, key->fallback, err);
		else if (!c->seen[i] && !optional(c->m, &ws_keys[i]))
			status = ws_fail(err, WS_EFORMAT, "%s: no %s, and no base to take it from",
					 c->name, key->name);
		if (status != WS_OK)
			return status;
	}
	return WS_OK;
}

/* A line is in one slice: files that say nothing of slices may have longer lines. */
static void widen_interleave(struct conf *c)
{
	if (!c->seen[ws_key_find("l2.interleave") - ws_keys] &&
	    c->m->l2_interleave_bytes < c->m->l2.line_bytes)
		c->m->l2_interleave_bytes = c->m->l2.line_bytes;
}

/* Cuts the ending off a name of n bytes, unless nothing would be left. */
static size_t without(const char *ending, const char *name, size_t n)
{
	size_t len = strlen(ending);

	return n > len && memcmp(name + n - len, ending, len) == 0 ? n - len : n;
}

void ws_machine_name(struct ws_machine *m, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t n = 0;

	for (path = slash ? slash + 1 : path; path[n] && n < sizeof m->name - 1; n++) {
		char c = path[n];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		m->name[n] = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
			     strchr("._-", c) ? c : '-';
	}
	n = without(".config", m->name, without(".conf", m->name, n));
	memset(m->name + n, 0, sizeof m->name - n);
	if (n == 0)
		memcpy(m->name, "machine", 8);
}

static void name_it(struct conf *c)
{
	const struct ws_key *name = ws_key_find("name"), *title = ws_key_find("title");

	assert(name && title);
	if (!c->seen[name - ws_keys])
		ws_machine_name(c->m, c->name);
	if (!c->seen[title - ws_keys]) {
		memset(c->m->title, 0, sizeof c->m->title);
		memcpy(c->m->title, c->m->name, sizeof c->m->name);
	}
}

enum ws_status ws_conf_read(struct ws_machine *m, const char *text, size_t len,
			    const char *name, unsigned depth, ws_base_load *base,
			    struct ws_err *err)
{
	struct ws_machine fresh;
	struct conf c = { .m = &fresh, .name = name, .depth = depth, .base = base };
	struct ws_err why = { .status = WS_OK };
	enum ws_status status;

	memset(&fresh, 0, sizeof fresh);
	if (len > WS_CONF_MAX)
		return ws_fail(err, WS_EFORMAT, "%s: %zu bytes: want a machine of at most %u",
			       name, len, WS_CONF_MAX);
	status = read_lines(&c, text, len, err);
	if (status == WS_OK)
		status = check_complete(&c, err);
	if (status != WS_OK)
		return status;
	name_it(&c);
	widen_interleave(&c);
	if (ws_machine_check(&fresh, &why))
		return ws_fail(err, WS_EFORMAT, "%s: %s", name, why.text);
	fresh.l1.given = fresh.l2.given = fresh.given = 0;
	*m = fresh;
	return WS_OK;
}

/* What ws_machine_write wrote has no base: none is followed. */
enum ws_status ws_machine_read(struct ws_machine *m, const char *text, size_t len,
			       const char *name, struct ws_err *err)
{
	return ws_conf_read(m, text, len, name, 0, NULL, err);
}

/* The alternatives of a key, "A|B|C"; false: it has one value. */
static bool alternatives_of(const struct ws_machine *m, const struct ws_key *key, char *value,
			    size_t len)
{
	size_t name = strlen(key->name);
	char text[WS_ALTERNATIVES_MAX];

	for (size_t i = 0; ws_machine_alternatives(m, i, text, sizeof text); i++) {
		if (strncmp(text, key->name, name) == 0 && text[name] == '=') {
			snprintf(value, len, "%s", text + name + 1);
			return true;
		}
	}
	return false;
}

void ws_machine_write(const struct ws_machine *m, struct ws_buf *buf)
{
	char value[WS_ALTERNATIVES_MAX], line[64 + sizeof value];

	for (const struct ws_key *key = ws_keys; key->name; key++) {
		if (!alternatives_of(m, key, value, sizeof value))
			ws_machine_get(m, key, value, sizeof value);
		snprintf(line, sizeof line, "%s = %s\n", key->name, value);
		ws_put_bytes(buf, line, strlen(line));
	}
}
