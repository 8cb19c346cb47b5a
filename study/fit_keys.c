/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/fit_keys.c -- the keys that are free, and their candidates.
 *
 * Without values a key has: what the start leaves open, or else the names of its choices, hashes,
 * organisations or policies, or a ladder of numbers around the start's.  Of these only what the
 * start's machine could have is taken.
 */
#include "study/fit_private.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ITEM_MAX 4096u

/* ---- default candidates ------------------------------------------------------------ */

static void put_candidate(struct ws_buf *text, const char *value)
{
	if (text->len)
		ws_put_u8(text, ',');
	ws_put_bytes(text, value, strlen(value));
}

static void put_number(struct ws_buf *text, const struct ws_key *key, uint64_t value)
{
	char number[24];

	snprintf(number, sizeof number, "%" PRIu64, value);
	if (value >= key->min && value <= key->max)
		put_candidate(text, number);
}

/* A quarter to four times the start's; of 0 cycles 10 to 80, of other things 1 to 64. */
static void put_ladder(struct ws_buf *text, const struct ws_key *key, const char *now)
{
	bool cycles = key->unit && strcmp(key->unit, "cycles") == 0;
	uint64_t value;

	if (!ws_parse_u64(now, &value))
		return; /* a word */
	if (!value)
		for (uint64_t v = cycles ? 10 : 1; v <= 80; v *= cycles ? 2 : 4)
			put_number(text, key, v);
	for (uint64_t v = 4; value && v > 1; v /= 2)
		if (value % v == 0)
			put_number(text, key, value / v);
	for (uint64_t v = 1; value && v <= 4 && value <= UINT64_MAX / 4; v *= 2)
		put_number(text, key, value * v);
}

static void put_names(struct ws_buf *text, const struct ws_key *key)
{
	static const char *const hashes[] = { "modulo", "xor", "fermi", "ipoly" };

	for (size_t i = 0; key->type == WS_KEY_CHOICE && key->choices[i]; i++)
		put_candidate(text, key->choices[i]);
	for (size_t i = 0; key->type == WS_KEY_HASH && i < WS_COUNT(hashes); i++)
		put_candidate(text, hashes[i]);
	for (size_t i = 0; key->type == WS_KEY_ORGANISATION && i < WS_ORGANISATIONS; i++)
		if (!ws_organisations[i].low || ws_organisations[i].otherwise)
			put_candidate(text, ws_organisations[i].name);
	if (key->type == WS_KEY_BOOL)
		put_candidate(text, "yes,no");
	if (ws_policies_key(key))
		put_candidate(text, "all");
}

/* What the start leaves open: "A|B|C" after KEY=. */
static bool put_open(struct ws_buf *text, const struct ws_key *key, const struct ws_machine *m)
{
	char line[WS_ALTERNATIVES_MAX];
	size_t name = strlen(key->name);

	for (size_t i = 0; ws_machine_alternatives(m, i, line, sizeof line); i++) {
		if (strncmp(line, key->name, name) != 0 || line[name] != '=')
			continue;
		for (char *bar; (bar = strchr(line, '|')) != NULL;)
			*bar = ',';
		put_candidate(text, line + name + 1);
		return true;
	}
	return false;
}

static void put_defaults(struct ws_buf *text, const struct ws_key *key, const struct ws_machine *m)
{
	char now[2 * WS_NAME_MAX];

	if (put_open(text, key, m))
		return;
	ws_machine_get(m, key, now, sizeof now);
	if (key->type == WS_KEY_U64 || key->type == WS_KEY_SIZE)
		put_ladder(text, key, now);
	else
		put_names(text, key);
}

/* ---- values ------------------------------------------------------------------------ */

static void drop_value(struct ws_vary *v, size_t i)
{
	free(v->value[i]);
	memmove(&v->value[i], &v->value[i + 1], (v->count - i - 1) * sizeof *v->value);
	v->count--;
}

static size_t find_value(const struct ws_vary *v, const char *text)
{
	size_t i = 0;

	while (i < v->count && strcmp(v->value[i], text) != 0)
		i++;
	return i;
}

/* Can the start have the value?  A policy that nothing can have is an error in `why`. */
static bool can_have(const struct ws_machine *start, const struct ws_vary *v, size_t i,
		     struct ws_err *why)
{
	struct ws_machine m = *start;
	struct ws_err ignored = { 0 };

	*why = (struct ws_err){ .status = WS_OK };
	if (ws_machine_set_key(&m, v->key, v->value[i], &ignored) != WS_OK ||
	    ws_machine_check(&m, &ignored) != WS_OK)
		return false;
	return ws_policy_check(&m, why) == WS_OK && ws_policy_check_l2(&m, why) == WS_OK &&
	       ws_cycles_check(&m, why) == WS_OK;
}

/* Each once, without those of the default that cannot be; one that is named and cannot be is an
 * error. */
static enum ws_status weed_values(const struct ws_machine *start, struct ws_vary *v, bool named,
				  struct ws_err *err)
{
	struct ws_err why;

	for (size_t i = v->count; i-- > 0;)
		if (find_value(v, v->value[i]) < i || (!can_have(start, v, i, &why) && !named))
			drop_value(v, i);
	for (size_t i = 0; i < v->count; i++)
		if (!can_have(start, v, i, &why) && why.status != WS_OK)
			return ws_fail_as(err, &why);
	return WS_OK;
}

/* The start's value is among them: the first, if nobody named it. */
static enum ws_status add_start(struct ws_vary *v, const struct ws_machine *start, size_t *at,
				struct ws_err *err)
{
	char now[2 * WS_NAME_MAX];
	size_t cap = v->count;
	char *copy;

	ws_machine_get(start, v->key, now, sizeof now);
	*at = find_value(v, now);
	if (*at < v->count)
		return WS_OK;
	copy = WS_ROOM(v->value, cap, v->count + 1) ? ws_strdup(now) : NULL;
	if (!copy)
		return ws_fail_memory(err, "the candidates");
	memmove(&v->value[1], &v->value[0], v->count++ * sizeof *v->value);
	v->value[0] = copy;
	*at = 0;
	return WS_OK;
}

/* ---- one free key ------------------------------------------------------------------ */

static enum ws_status refuse_key(const struct ws_fit *fit, const struct ws_key *key,
				 struct ws_err *err)
{
	if (key->stage == WS_STAGE_LABEL)
		return ws_fail(err, WS_EINVAL, "%s is a label, and changes nothing: want a key of "
			       "the machine", key->name);
	if (key->type == WS_KEY_SIZES || key->type == WS_KEY_SET_WAYS)
		return ws_fail(err, WS_EINVAL, "%s is a list: want a key that has one value",
			       key->name);
	for (size_t i = 0; i < fit->keys; i++)
		if (fit->vary[i].key == key)
			return ws_fail(err, WS_EINVAL, "%s is free twice: want it once",
				       key->name);
	return WS_OK;
}

/* "KEY=A,B,C" of the item's values, or of the defaults. */
static enum ws_status spell_key(const struct fit_run *f, const char *item,
				const struct ws_key *key, struct ws_buf *spec, struct ws_err *err)
{
	const char *values = strchr(item, '=');
	struct ws_buf text = { 0 };
	enum ws_status status = WS_OK;

	for (const char *at = values ? values + 1 : ""; *at; at++)
		ws_put_u8(&text, *at == '|' ? ',' : (uint8_t)*at);
	if (!values)
		put_defaults(&text, key, &f->fit->start);
	ws_put_bytes(spec, key->name, strlen(key->name));
	ws_put_u8(spec, '=');
	if (text.len)
		ws_put_bytes(spec, text.data, text.len);
	ws_put_u8(spec, 0);
	spec->failed = spec->failed || text.failed;
	if (!spec->failed && !text.len)
		status = ws_fail(err, WS_EINVAL, values ? "%s has no value: want KEY or KEY=A|B|C"
					: "%s has no usual candidates: want KEY=A|B|C", key->name);
	else if (spec->failed)
		status = ws_fail_memory(err, "the candidates");
	ws_buf_clear(&text);
	return status;
}

static enum ws_status add_free(struct fit_run *f, const char *item, struct ws_err *err)
{
	struct ws_fit *fit = f->fit;
	struct ws_vary *v = &fit->vary[fit->keys];
	char name[WS_NAME_MAX];
	struct ws_buf spec = { 0 };
	const struct ws_key *key;
	enum ws_status status;

	snprintf(name, sizeof name, "%.*s", (int)strcspn(item, "="), item);
	key = ws_key_find(name);
	if (!key) { /* it says which is nearest */
		struct ws_machine ignored = fit->start;
		char text[WS_NAME_MAX + 2];

		snprintf(text, sizeof text, "%s=0", name);
		return ws_machine_set(&ignored, text, err);
	}
	status = refuse_key(fit, key, err);
	if (status == WS_OK)
		status = spell_key(f, item, key, &spec, err);
	if (status == WS_OK)
		status = ws_vary_parse(v, (const char *)spec.data, err);
	if (status == WS_OK && ws_policies_key(v->key))
		status = ws_policies_list(v, err);
	ws_buf_clear(&spec);
	if (status != WS_OK)
		return status;
	status = weed_values(&fit->start, v, strchr(item, '=') != NULL, err);
	if (status == WS_OK)
		status = add_start(v, &fit->start, &fit->key[fit->keys].start, err);
	fit->keys++;
	if (status == WS_OK && v->count < 2)
		status = ws_fail(err, WS_EINVAL, "%s has one candidate, %s, where it starts: want "
				 "KEY=A|B|C", key->name, v->value[0]);
	return status;
}

/* ---- all of them ------------------------------------------------------------------- */

/* Does a new key begin here?  Else what stands after the comma is a policy's parameter. */
static bool begins_key(const char *text)
{
	size_t len = strcspn(text, ",=|");

	return text[len] == '=' || (memchr(text, '.', len) && !isdigit((unsigned char)text[0])) ||
	       len == 0;
}

static size_t item_length(const char *text)
{
	size_t len = strcspn(text, ",");

	while (text[len] && !begins_key(text + len + 1))
		len += 1 + strcspn(text + len + 1, ",");
	return len;
}

static enum ws_status add_list(struct fit_run *f, const char *text, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	char item[ITEM_MAX];

	for (;; text++) {
		size_t len = item_length(text);

		if (!len || len >= sizeof item)
			return ws_fail(err, WS_EINVAL, "an empty key: want KEY or KEY=A|B|C, "
				       "separated by commas");
		memcpy(item, text, len);
		item[len] = '\0';
		status = add_free(f, item, err);
		text += len;
		if (status != WS_OK || !*text)
			return status;
	}
}

static size_t count_items(const struct ws_list *list)
{
	size_t count = list->count;

	for (size_t i = 0; i < list->count; i++)
		for (const char *at = list->item[i]; *at; at++)
			count += *at == ',';
	return count;
}

enum ws_status ws_fit_keys(struct fit_run *f, struct ws_err *err)
{
	const struct ws_list *list = &f->o->free;
	size_t most = count_items(list);
	struct ws_fit *fit = f->fit;
	enum ws_status status = WS_OK;

	fit->vary = ws_alloc_zero(most, sizeof *fit->vary);
	fit->key = ws_alloc_zero(most, sizeof *fit->key);
	if (!fit->vary || !fit->key)
		return ws_fail_memory(err, "the free keys");
	for (size_t i = 0; i < list->count && status == WS_OK; i++)
		status = add_list(f, list->item[i], err);
	if (status == WS_OK && !fit->keys)
		status = ws_fail(err, WS_EINVAL, "no key is free: want one at least");
	for (size_t i = 0; i < fit->keys && status == WS_OK; i++) {
		fit->key[i].value = ws_alloc_zero(fit->vary[i].count, sizeof *fit->key[i].value);
		if (!fit->key[i].value)
			status = ws_fail_memory(err, "the free keys");
	}
	fit->combinations = ws_vary_product(fit->vary, fit->keys);
	if (status == WS_OK && fit->combinations > WS_CONFIGURATIONS_MAX)
		status = ws_fail(err, WS_EINVAL, "the free keys make over %u combinations: want "
				 "fewer values", WS_CONFIGURATIONS_MAX);
	return status;
}
