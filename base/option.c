/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/option.c -- parses command lines by tables.
 *
 * Forms: --name, --name value, --name=value, -n, -n value, -nvalue, and flags bundled (-qv).  No
 * abbreviations: a script must not change its meaning when an option is added.  Options other than
 * lists and flags are given once.  "-" is an operand, "--" ends the options.
 */
#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MAX 256u

struct parser {
	const struct ws_option *const *tables;
	size_t ntables;
	char *base;
	int argc, at;		/* at: the argument being read */
	char **argv;
	bool seen[OPTIONS_MAX];	/* by number over all tables */
	struct ws_err *err;
};

/* ---- lists --------------------------------------------------------------- */

void ws_list_clear(struct ws_list *list)
{
	free(list->item);
	*list = (struct ws_list){ 0 };
}

bool ws_list_add(struct ws_list *list, const char *item)
{
	if (!WS_ROOM(list->item, list->cap, list->count + 1))
		return false;
	list->item[list->count++] = item;
	return true;
}

/* ---- looking options up -------------------------------------------------- */

/* The i-th option over all tables, NULL past the end. */
static const struct ws_option *option_at(const struct parser *p, size_t i)
{
	for (size_t t = 0; t < p->ntables; t++)
		for (const struct ws_option *o = p->tables[t]; o->name; o++)
			if (i-- == 0)
				return o;
	return NULL;
}

static const struct ws_option *find_option(const struct parser *p, const char *name, size_t len,
					   char letter)
{
	const struct ws_option *o;

	for (size_t i = 0; (o = option_at(p, i)); i++)
		if (name ? strlen(o->name) == len && memcmp(o->name, name, len) == 0
			 : o->letter == letter)
			return o;
	return NULL;
}

static const char *name_at(size_t i, const void *context)
{
	return option_at(context, i)->name;
}

static enum ws_status unknown_long(const struct parser *p, const char *name, size_t len)
{
	char word[64];
	size_t count = 0;
	int nearest;

	while (option_at(p, count))
		count++;
	snprintf(word, sizeof word, "%.*s", (int)(len < sizeof word ? len : sizeof word - 1), name);
	nearest = ws_nearest_name(word, count, name_at, p);
	if (nearest < 0)
		return ws_fail(p->err, WS_EINVAL, "unknown option '--%s'", word);
	return ws_fail(p->err, WS_EINVAL, "unknown option '--%s', did you mean '--%s'?", word,
		       option_at(p, (size_t)nearest)->name);
}

/* ---- values -------------------------------------------------------------- */

static enum ws_status store_u64(const struct parser *p, const struct ws_option *o, uint64_t *to,
				const char *text)
{
	bool bounded = o->min || o->max;
	uint64_t value;

	if (!ws_parse_size(text, &value))
		return ws_fail(p->err, WS_EINVAL,
			       "--%s=%s: want a whole number, K, M and G allowed", o->name, text);
	if (bounded && (value < o->min || value > o->max))
		return ws_fail(p->err, WS_EINVAL, "--%s=%s: want %" PRIu64 "..%" PRIu64, o->name,
			       text, o->min, o->max);
	*to = value;
	return WS_OK;
}

static bool is_choice(const char *choices, const char *text)
{
	size_t len = strlen(text);

	while (*choices) {
		size_t word = strcspn(choices, " ");

		if (word == len && word && memcmp(choices, text, len) == 0)
			return true;
		choices += word;
		choices += strspn(choices, " ");
	}
	return false;
}

static enum ws_status store_real(const struct parser *p, const struct ws_option *o, double *to,
				 const char *text)
{
	bool bounded = o->above < 0 || o->above > 0 || o->most < 0 || o->most > 0;
	double value;

	if (o->choices && is_choice(o->choices, text)) {
		*to = WS_OPT_WORD;
		return WS_OK;
	}
	if (!ws_parse_double(text, &value))
		return ws_fail(p->err, WS_EINVAL, "--%s=%s: want a number%s%s", o->name, text,
			       o->choices ? " or " : "", o->choices ? o->choices : "");
	if (bounded && (value <= o->above || value > o->most))
		return ws_fail(p->err, WS_EINVAL, "--%s=%s: want more than %g and at most %g",
			       o->name, text, o->above, o->most);
	*to = value;
	return WS_OK;
}

static enum ws_status store_option(const struct parser *p, const struct ws_option *o,
				   const char *text)
{
	char *to = p->base + o->offset;

	switch (o->type) {
	case WS_OPT_FLAG:
		*(bool *)(void *)to = true;
		return WS_OK;
	case WS_OPT_STRING:
		*(const char **)(void *)to = text;
		return WS_OK;
	case WS_OPT_U64:
		return store_u64(p, o, (uint64_t *)(void *)to, text);
	case WS_OPT_REAL:
		return store_real(p, o, (double *)(void *)to, text);
	case WS_OPT_LIST:
		if (!ws_list_add((struct ws_list *)(void *)to, text))
			return ws_fail_memory(p->err, "the command line");
		return WS_OK;
	case WS_OPT_CHOICE:
		if (!is_choice(o->choices, text))
			return ws_fail(p->err, WS_EINVAL, "--%s=%s: want one of %s", o->name, text,
				       o->choices);
		*(const char **)(void *)to = text;
		return WS_OK;
	}
	return WS_OK;
}

/* Of two values one would be passed over, without a word. */
static enum ws_status once(struct parser *p, const struct ws_option *o)
{
	size_t i = 0;

	if (o->type == WS_OPT_FLAG || o->type == WS_OPT_LIST)
		return WS_OK;
	while (option_at(p, i) != o)
		i++;
	if (i < OPTIONS_MAX && p->seen[i])
		return ws_fail(p->err, WS_EINVAL, "--%s is given twice: want one", o->name);
	if (i < OPTIONS_MAX)
		p->seen[i] = true;
	return WS_OK;
}

static enum ws_status take_value(struct parser *p, const struct ws_option *o, const char *text)
{
	enum ws_status status = once(p, o);

	return status == WS_OK ? store_option(p, o, text) : status;
}

/* The value in the same argument, or the next one; NULL if there is none. */
static const char *value_of(struct parser *p, const char *attached)
{
	if (attached)
		return attached;
	return p->at + 1 < p->argc ? p->argv[++p->at] : NULL;
}

static enum ws_status no_value(const struct parser *p, const struct ws_option *o, bool letter)
{
	if (letter)
		return ws_fail(p->err, WS_EINVAL, "option '-%c' wants a value, %s", o->letter,
			       o->arg ? o->arg : "VALUE");
	return ws_fail(p->err, WS_EINVAL, "option '--%s' wants a value, %s", o->name,
		       o->arg ? o->arg : "VALUE");
}

/* ---- arguments ----------------------------------------------------------- */

static enum ws_status parse_long(struct parser *p, const char *name)
{
	size_t len = strcspn(name, "=");
	const char *attached = name[len] ? name + len + 1 : NULL, *value;
	const struct ws_option *o = find_option(p, name, len, 0);

	if (!o)
		return unknown_long(p, name, len);
	if (o->type == WS_OPT_FLAG && attached)
		return ws_fail(p->err, WS_EINVAL, "option '--%s' takes no value", o->name);
	value = o->type == WS_OPT_FLAG ? NULL : value_of(p, attached);
	if (o->type != WS_OPT_FLAG && !value)
		return no_value(p, o, false);
	return take_value(p, o, value);
}

static enum ws_status parse_letters(struct parser *p, const char *letters)
{
	enum ws_status status = WS_OK;

	for (; *letters && status == WS_OK; letters++) {
		const struct ws_option *o = find_option(p, NULL, 0, *letters);
		const char *value;

		if (!o)
			return ws_fail(p->err, WS_EINVAL, "unknown option '-%c'", *letters);
		if (o->type == WS_OPT_FLAG) {
			status = take_value(p, o, NULL);
			continue;
		}
		value = value_of(p, letters[1] ? letters + 1 : NULL);
		return value ? take_value(p, o, value) : no_value(p, o, true);
	}
	return status;
}

enum ws_status ws_options_parse(const struct ws_option *const tables[], size_t ntables,
				void *base, int argc, char **argv, struct ws_list *operands,
				struct ws_err *err)
{
	struct parser p = { .tables = tables, .ntables = ntables, .base = base, .argc = argc,
			    .at = 1, .argv = argv, .err = err };
	enum ws_status status = WS_OK;
	bool ended = false;

	for (; p.at < argc && status == WS_OK; p.at++) {
		const char *text = argv[p.at];

		if (ended || text[0] != '-' || text[1] == '\0')
			status = ws_list_add(operands, text)
					 ? WS_OK : ws_fail_memory(err, "the command line");
		else if (strcmp(text, "--") == 0)
			ended = true;
		else if (text[1] == '-')
			status = parse_long(&p, text + 2);
		else
			status = parse_letters(&p, text + 1);
	}
	return status;
}
