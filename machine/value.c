/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/value.c -- parses and checks the value of a key.
 *
 * All functions here follow the key's row of ws_keys.  Values come from command lines and files, so
 * messages show them cut and cleaned.
 */
#include "machine/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_MAX (2 * WS_NAME_MAX) /* of a value's text, with its NUL */

/* In the C locale. */
static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static char *at(struct ws_machine *m, const struct ws_key *key)
{
	return (char *)m + key->offset;
}

/* ---- which cache a key belongs to ------------------------------------------ */

static struct ws_cache *cache_of(struct ws_machine *m, const struct ws_key *key, size_t *member)
{
	size_t l1 = offsetof(struct ws_machine, l1), l2 = offsetof(struct ws_machine, l2);

	if (key->offset >= l1 && key->offset < l1 + sizeof m->l1) {
		*member = key->offset - l1;
		return &m->l1;
	}
	if (key->offset >= l2 && key->offset < l2 + sizeof m->l2) {
		*member = key->offset - l2;
		return &m->l2;
	}
	return NULL;
}

unsigned ws_key_given(struct ws_machine *m, const struct ws_key *key, struct ws_cache **cache)
{
	static const struct {
		size_t member;
		unsigned flag;
	} geometry[] = {
		{ offsetof(struct ws_cache, size_bytes), WS_GIVEN_SIZE },
		{ offsetof(struct ws_cache, sets), WS_GIVEN_SETS },
		{ offsetof(struct ws_cache, ways), WS_GIVEN_WAYS },
		{ offsetof(struct ws_cache, line_bytes), WS_GIVEN_LINE },
		{ offsetof(struct ws_cache, sector_bytes), WS_GIVEN_SECTOR },
	};
	size_t member = 0;

	*cache = cache_of(m, key, &member);
	for (size_t i = 0; *cache && i < WS_COUNT(geometry); i++) {
		if (geometry[i].member == member)
			return geometry[i].flag;
	}
	return 0;
}

/* ---- what is a legal value --------------------------------------------------- */

static bool number_fits(const struct ws_key *key, uint64_t value)
{
	if (ws_key_word(key, value))
		return true;
	return value >= key->min && value <= key->max && (!key->pow2 || ws_is_pow2(value));
}

static bool text_fits(const struct ws_key *key, const char *text, size_t len)
{
	bool name = key->type == WS_KEY_NAME;

	if (len >= ws_key_room(key) || (name && len == 0))
		return false;
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (name && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') &&
		    !strchr(":/,._-", c))
			return false;
		if (c < ' ' || c > '~' || c == '#')
			return false;
	}
	return true;
}

static bool set_hash(struct ws_cache *cache, const char *text)
{
	const struct ws_hash *hash = ws_hash_find(text);
	const char *argument = strchr(text, ':');

	if (!hash || (hash->parse && (!argument || !hash->parse(cache, argument + 1))))
		return false;
	cache->hash = hash;
	return true;
}

static bool set_bool(bool *value, const char *text)
{
	static const char *const words[] = { "no", "yes", "false", "true", "0", "1", "off", "on" };

	for (size_t i = 0; i < WS_COUNT(words); i++) {
		if (strcmp(words[i], text) == 0) {
			*value = i % 2 == 1;
			return true;
		}
	}
	return false;
}

static bool set_choice(struct ws_machine *m, const struct ws_key *key, const char *text)
{
	for (unsigned i = 0; key->choices[i]; i++) {
		if (strcmp(key->choices[i], text) == 0) {
			memcpy(at(m, key), &i, sizeof i);
			return true;
		}
	}
	return false;
}

/* A number, or one of the key's words. */
static bool parse_number(const struct ws_key *key, const char *text, uint64_t *value)
{
	for (uint64_t i = 0; key->type == WS_KEY_SIZE && key->choices && key->choices[i]; i++) {
		if (strcmp(key->choices[i], text) == 0) {
			*value = UINT64_MAX - i;
			return true;
		}
	}
	if (!(key->type == WS_KEY_SIZE ? ws_parse_size(text, value) : ws_parse_u64(text, value)))
		return false;
	return !ws_key_word(key, *value);
}

static bool set_number(struct ws_machine *m, const struct ws_key *key, const char *text)
{
	struct ws_cache *cache;
	unsigned given = ws_key_given(m, key, &cache);
	uint64_t value;

	if (!parse_number(key, text, &value) || !number_fits(key, value))
		return false;
	if (key->offset == offsetof(struct ws_machine, sm_carveout))
		m->given |= WS_GIVEN_CARVEOUT;
	if (key->offset == offsetof(struct ws_machine, sm_shared_asked))
		m->given |= WS_GIVEN_SHARED;
	if (given == WS_GIVEN_LINE)
		ws_geometry_set_line(cache, value);
	else
		memcpy(at(m, key), &value, sizeof value);
	if (given)
		cache->given |= given;
	return true;
}

#define KB 1024u

/* "0,8K,16K" or "none". */
static bool set_sizes(struct ws_sizes *sizes, const struct ws_key *key, const char *text)
{
	struct ws_sizes all = { .count = 0 };
	char one[VALUE_MAX];

	for (const char *at = text; strcmp(text, "none") != 0; at++) {
		size_t len = strcspn(at, ",");
		uint64_t *value = &all.bytes[all.count];

		if (len >= sizeof one || all.count == WS_CARVEOUTS_MAX)
			return false;
		memcpy(one, at, len);
		one[len] = '\0';
		if (!ws_parse_size(one, value) || *value % KB || *value > key->max ||
		    (all.count && *value <= value[-1]))
			return false;
		all.count++;
		at += len;
		if (!*at)
			break;
	}
	*sizes = all;
	return true;
}

static bool set_text(struct ws_machine *m, const struct ws_key *key, const char *text)
{
	size_t len = strlen(text);

	if (!text_fits(key, text, len))
		return false;
	memset(at(m, key), 0, ws_key_room(key));
	memcpy(at(m, key), text, len);
	return true;
}

static bool set_value(struct ws_machine *m, const struct ws_key *key, const char *text)
{
	size_t member = 0;

	switch (key->type) {
	case WS_KEY_U64:
	case WS_KEY_SIZE:
		return set_number(m, key, text);
	case WS_KEY_CHOICE:
		return set_choice(m, key, text);
	case WS_KEY_BOOL:
		return set_bool((bool *)at(m, key), text);
	case WS_KEY_NAME:
	case WS_KEY_TEXT:
		return set_text(m, key, text);
	case WS_KEY_HASH:
		return set_hash(cache_of(m, key, &member), text);
	case WS_KEY_ORGANISATION:
		return ws_organisation_parse(&cache_of(m, key, &member)->organised, text);
	case WS_KEY_SIZES:
		return set_sizes((struct ws_sizes *)(void *)at(m, key), key, text);
	case WS_KEY_SET_WAYS:
		return ws_set_ways_parse((void *)at(m, key), text, key->fallback);
	}
	return false;
}

/* Copies text without the space around it; false if it does not fit. */
static bool trim(const char *text, char *out, size_t len)
{
	size_t n;

	while (is_space(*text))
		text++;
	n = strlen(text);
	while (n > 0 && is_space(text[n - 1]))
		n--;
	if (n >= len)
		return false;
	memcpy(out, text, n);
	out[n] = '\0';
	return true;
}

static enum ws_status set_one(struct ws_machine *m, const struct ws_key *key, const char *value,
			      struct ws_err *err)
{
	char text[VALUE_MAX];

	if (!trim(value, text, sizeof text))
		return ws_key_refuse(m, key, value, err);
	if (!set_value(m, key, text))
		return ws_key_refuse(m, key, text, err);
	ws_alternatives_forget(m, key);
	return WS_OK;
}

/* "A|B|C": the first becomes the machine's, if all are values of the key. */
static enum ws_status set_alternatives(struct ws_machine *m, const struct ws_key *key,
				       const char *text, struct ws_err *err)
{
	struct ws_machine first = *m, tried;
	char one[WS_ALTERNATIVES_MAX];
	enum ws_status status = WS_OK;
	const char *at = text;

	for (bool begun = false; status == WS_OK; begun = true, at++) {
		size_t len = strcspn(at, "|");

		if (len >= sizeof one)
			return ws_key_refuse(m, key, text, err);
		memcpy(one, at, len);
		one[len] = '\0';
		tried = *m;
		status = set_one(begun ? &tried : &first, key, one, err);
		at += len;
		if (!*at)
			break;
	}
	if (status == WS_OK)
		status = ws_alternatives_keep(&first, key, text, err);
	if (status == WS_OK)
		*m = first;
	return status;
}

enum ws_status ws_machine_set_key(struct ws_machine *m, const struct ws_key *key,
				  const char *value, struct ws_err *err)
{
	bool several = strchr(value, '|') && key->type != WS_KEY_TEXT;

	return several ? set_alternatives(m, key, value, err) : set_one(m, key, value, err);
}

enum ws_status ws_machine_set(struct ws_machine *m, const char *assignment, struct ws_err *err)
{
	const char *equals = strchr(assignment, '=');
	const struct ws_key *key;
	char name[WS_NAME_MAX] = "", untrimmed[WS_NAME_MAX], shown[48];
	size_t len;

	if (!equals)
		return ws_fail(err, WS_EINVAL, "'%s': want KEY=VALUE",
			       ws_shown(assignment, shown, sizeof shown));
	len = (size_t)(equals - assignment);
	if (len >= sizeof untrimmed)
		return ws_key_unknown(assignment, err);
	memcpy(untrimmed, assignment, len);
	untrimmed[len] = '\0';
	if (!trim(untrimmed, name, sizeof name) || !(key = ws_key_find(name)))
		return ws_key_unknown(name, err);
	return ws_machine_set_key(m, key, equals + 1, err);
}

enum ws_status ws_key_check(const struct ws_machine *m, const struct ws_key *key,
			    struct ws_err *err)
{
	const struct ws_hash *hash;
	const char *text = ws_key_at(m, key);
	bool ok = true;

	switch (key->type) {
	case WS_KEY_U64:
	case WS_KEY_SIZE:
		ok = number_fits(key, ws_key_number(m, key));
		break;
	case WS_KEY_CHOICE:
		ok = ws_key_choice(m, key) < ws_key_choices(key->choices);
		break;
	case WS_KEY_NAME:
	case WS_KEY_TEXT:
		ok = text_fits(key, text, strnlen(text, ws_key_room(key)));
		break;
	case WS_KEY_HASH:
		memcpy(&hash, text, sizeof hash);
		ok = hash != NULL;
		break;
	case WS_KEY_BOOL:
	case WS_KEY_SIZES:
	case WS_KEY_SET_WAYS:
		break;
	case WS_KEY_ORGANISATION:
		ok = ((const struct ws_organised *)(const void *)text)->as < WS_ORGANISATIONS;
		break;
	}
	return ok ? WS_OK : ws_key_refuse(m, key, NULL, err);
}
