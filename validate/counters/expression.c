/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/counters/expression.c -- expressions over the columns of a row, by recursive descent.
 */
#include "validate/dataset.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 64u
#define WHOLE_MAX 9007199254740992.0 /* 2^53 */

struct expression {
	const char *text, *at;
	ws_scalar_find *find;
	const void *context;
	unsigned depth;
	struct ws_err *err;
};

static enum ws_status complain(const struct expression *e, const char *what)
{
	return ws_fail(e->err, WS_EFORMAT, "'%.60s': character %zu: %s", e->text,
		       (size_t)(e->at - e->text) + 1, what);
}

static void skip_space(struct expression *e)
{
	while (isspace((unsigned char)*e->at))
		e->at++;
}

static struct ws_scalar plain_number(double number)
{
	return (struct ws_scalar){ .number = number };
}

static enum ws_status binary(struct expression *e, unsigned level, struct ws_scalar *v);

static enum ws_status quoted(struct expression *e, struct ws_scalar *v)
{
	size_t len = strcspn(++e->at, "'");

	*v = plain_number((double)NAN);
	if (!e->at[len] || len >= sizeof v->text)
		return complain(e, "want a text of at most 63 characters in quotes");
	memcpy(v->text, e->at, len);
	e->at += len + 1;
	return WS_OK;
}

static enum ws_status name(struct expression *e, struct ws_scalar *v)
{
	char word[64];
	size_t len = 0;

	while (isalnum((unsigned char)e->at[len]) || (e->at[len] && strchr("_.", e->at[len])))
		len++;
	if (!len || len >= sizeof word)
		return complain(e, "want a number, a name, a 'text' or a parenthesis");
	memcpy(word, e->at, len);
	word[len] = '\0';
	memset(v, 0, sizeof *v);
	if (!e->find(e->context, word, v))
		return ws_fail(e->err, WS_EFORMAT, "'%.60s': there is no '%s'", e->text, word);
	e->at += len;
	return WS_OK;
}

static enum ws_status inner(struct expression *e, struct ws_scalar *v)
{
	enum ws_status status;

	e->at++;
	status = binary(e, 0, v);
	if (status != WS_OK)
		return status;
	if (*e->at != ')')
		return complain(e, "want ')'");
	e->at++;
	return WS_OK;
}

static enum ws_status primary(struct expression *e, struct ws_scalar *v)
{
	enum ws_status status;
	char *end;

	skip_space(e);
	if (*e->at == '-' || *e->at == '!') {
		bool minus = *e->at++ == '-';

		if (++e->depth > DEPTH_MAX)
			return complain(e, "too deep");
		status = primary(e, v);
		*v = plain_number(minus ? -v->number : isnan(v->number) || v->number == 0);
		e->depth--;
		return status;
	}
	if (*e->at == '(')
		status = inner(e, v);
	else if (*e->at == '\'')
		status = quoted(e, v);
	else if (isdigit((unsigned char)*e->at)) {
		*v = plain_number(strtod(e->at, &end));
		e->at = end;
		status = WS_OK;
	} else
		status = name(e, v);
	skip_space(e);
	return status;
}

/* By precedence, the loosest first; of those that begin alike the longer first. */
static const struct operator {
	const char *text;
	unsigned level;
} operators[] = {
	{ "|", 0 }, { "&", 1 }, { "!=", 2 }, { "=", 2 }, { "<=", 2 }, { ">=", 2 }, { "<", 2 },
	{ ">", 2 }, { "+", 3 }, { "-", 3 }, { "*", 4 }, { "/", 4 }, { "%", 4 },
};
#define LEVELS 5u

static const struct operator *operator_at(const char *at, unsigned level)
{
	for (size_t i = 0; i < WS_COUNT(operators); i++)
		if (operators[i].level == level &&
		    strncmp(at, operators[i].text, strlen(operators[i].text)) == 0)
			return &operators[i];
	return NULL;
}

static bool compares(const char *op, double order)
{
	bool equal = order == 0;

	if (op[0] == '=' || op[0] == '!')
		return equal == (op[0] == '=');
	return (op[0] == '<' ? order < 0 : order > 0) || (op[1] == '=' && equal);
}

static double apply(const char *op, const struct ws_scalar *a, const struct ws_scalar *b)
{
	double x = a->number, y = b->number;

	switch (op[0]) {
	case '|': return (!isnan(x) && x != 0) || (!isnan(y) && y != 0);
	case '&': return !isnan(x) && x != 0 && !isnan(y) && y != 0;
	case '+': return x + y;
	case '-': return x - y;
	case '*': return x * y;
	case '/': return y == 0 ? (double)NAN : x / y;
	case '%': return y == 0 ? (double)NAN : fmod(x, y);
	default: break;
	}
	if (a->text[0] || b->text[0])
		return compares(op, strcmp(a->text, b->text));
	return !isnan(x) && !isnan(y) && compares(op, x - y);
}

static enum ws_status binary(struct expression *e, unsigned level, struct ws_scalar *v)
{
	const struct operator *op;
	enum ws_status status;

	if (level == LEVELS)
		return primary(e, v);
	if (level == 0 && ++e->depth > DEPTH_MAX)
		return complain(e, "too deep");
	status = binary(e, level + 1, v);
	while (status == WS_OK && (op = operator_at(e->at, level)) != NULL) {
		struct ws_scalar right = { 0 };

		e->at += strlen(op->text);
		status = binary(e, level + 1, &right);
		*v = plain_number(apply(op->text, v, &right));
	}
	e->depth -= level == 0;
	return status;
}

enum ws_status ws_expression(const char *text, ws_scalar_find *find, const void *context,
			     struct ws_scalar *value, struct ws_err *err)
{
	struct expression e = { text, text, find, context, 0, err };
	enum ws_status status = binary(&e, 0, value);

	if (status == WS_OK && *e.at)
		return complain(&e, "want an operator");
	return status;
}

static enum ws_status fill_one(const char *from, size_t len, ws_scalar_find *find,
			       const void *context, struct ws_buf *buf, struct ws_err *err)
{
	char text[256];
	struct ws_scalar v;
	enum ws_status status;

	if (len >= sizeof text)
		return ws_fail(err, WS_EFORMAT, "'%.60s': want at most %zu characters", from,
			       sizeof text - 1);
	memcpy(text, from, len);
	text[len] = '\0';
	status = ws_expression(text, find, context, &v, err);
	if (status != WS_OK)
		return status;
	if (!v.text[0] && !(v.number == floor(v.number) && fabs(v.number) < WHOLE_MAX))
		return ws_fail(err, WS_EFORMAT, "{%s}: want a whole number", text);
	for (const char *c = v.text; *c; c++) /* of a quoted cell: it would be a line of its own */
		if (iscntrl((unsigned char)*c))
			return ws_fail(err, WS_EFORMAT, "{%s}: want a text of one line", text);
	if (v.text[0])
		snprintf(text, sizeof text, "%s", v.text);
	else
		snprintf(text, sizeof text, "%" PRId64, (int64_t)v.number);
	ws_put_bytes(buf, text, strlen(text));
	return WS_OK;
}

enum ws_status ws_expression_fill(const char *text, ws_scalar_find *find, const void *context,
				  struct ws_buf *buf, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	while (*text && status == WS_OK) {
		size_t plain = strcspn(text, "{"), len;

		ws_put_bytes(buf, text, plain);
		text += plain;
		if (!*text)
			break;
		len = strcspn(text + 1, "}");
		if (!text[1 + len])
			return ws_fail(err, WS_EFORMAT, "'%.60s': want '}'", text);
		status = fill_one(text + 1, len, find, context, buf, err);
		text += len + 2;
	}
	return status;
}
