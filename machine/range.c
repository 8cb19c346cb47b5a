/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/range.c -- a key's range in words.
 */
#include "machine/private.h"

#include <inttypes.h>
#include <string.h>

const char *ws_shown(const char *text, char *out, size_t len)
{
	size_t n = 0;

	for (; text[n] && n + 1 < len; n++)
		out[n] = text[n] >= ' ' && text[n] <= '~' ? text[n] : '?';
	out[n] = '\0';
	if (text[n] && n >= 3)
		memcpy(out + n - 3, "...", 3);
	return out;
}

/* "lrr, gto or random" */
static void list_choices(const char *const *choices, char *out, size_t len)
{
	size_t n = ws_key_choices(choices), used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < n && used < len; i++) {
		const char *gap = i == 0 ? "" : i + 1 == n ? " or " : ", ";

		used += (size_t)snprintf(out + used, len - used, "%s%s", gap, choices[i]);
	}
}

static const char *choice_name(size_t i, const void *context)
{
	const struct ws_key *key = context;

	return key->type == WS_KEY_HASH ? ws_hashes[i]->name : key->choices[i];
}

static const char *nearest_choice(const struct ws_key *key, const char *value)
{
	size_t n = 0;
	int nearest;

	if (key->type == WS_KEY_HASH) {
		while (ws_hashes[n])
			n++;
	} else if (key->choices) {
		n = ws_key_choices(key->choices);
	}
	nearest = ws_nearest_name(value, n, choice_name, key);
	return nearest < 0 ? NULL : choice_name((size_t)nearest, key);
}

static void describe_numbers(const struct ws_key *key, char *out, size_t len)
{
	size_t used = 0;

	for (size_t i = 0; key->choices && key->choices[i] && used < len; i++)
		used += (size_t)snprintf(out + used, len - used, "%s or ", key->choices[i]);
	if (used < len)
		snprintf(out + used, len - used, "%s%" PRIu64 "..%" PRIu64 "%s",
			 key->pow2 ? "a power of two " : "", key->min, key->max,
			 key->type == WS_KEY_SIZE ? " bytes" : "");
}

static void list_organisations(char *out, size_t len)
{
	char form[WS_NAME_MAX];
	size_t used = 0;

	for (size_t i = 0; i < WS_ORGANISATIONS && used < len; i++) {
		ws_organisation_form(&ws_organisations[i], form, sizeof form);
		used += (size_t)snprintf(out + used, len - used, "%s%s", i == 0 ? ""
					 : i + 1 < WS_ORGANISATIONS ? ", " : " or ", form);
	}
}

static void describe_range(const struct ws_key *key, char *out, size_t len)
{
	switch (key->type) {
	case WS_KEY_U64:
	case WS_KEY_SIZE:
		describe_numbers(key, out, len);
		return;
	case WS_KEY_SIZES:
		snprintf(out, len, "none or up to %u sizes in whole KB, ascending, as 0,8K,16K",
			 WS_CARVEOUTS_MAX);
		return;
	case WS_KEY_SET_WAYS:
		snprintf(out, len, "%s, or up to %u runs of sets, as 17+6x8: a set of 17 ways "
			 "and six of 8", key->fallback, WS_SET_RUNS);
		return;
	case WS_KEY_CHOICE:
		list_choices(key->choices, out, len);
		return;
	case WS_KEY_BOOL:
		snprintf(out, len, "yes or no");
		return;
	case WS_KEY_NAME:
		snprintf(out, len, "1..%d of the characters a-z 0-9 : / , . _ -", WS_NAME_MAX - 1);
		return;
	case WS_KEY_HASH:
		snprintf(out, len, "modulo, xor, fermi, ipoly, bits:LOW-HIGH or "
			 "matrix:HEX/HEX...");
		return;
	case WS_KEY_ORGANISATION:
		list_organisations(out, len);
		return;
	case WS_KEY_TEXT:
		snprintf(out, len, "at most %zu printable ASCII characters without '#'",
			 ws_key_room(key) - 1);
		return;
	}
}

/* The name in small letters; NULL: it is. */
static const char *lowered(const char *name, char *out, size_t len)
{
	size_t i = 0;
	bool any = false;

	for (; name[i] && i + 1 < len; i++) {
		bool capital = name[i] >= 'A' && name[i] <= 'Z';

		out[i] = (char)(capital ? name[i] - 'A' + 'a' : name[i]);
		any |= capital;
	}
	out[i] = '\0';
	return any ? out : NULL;
}

/* What is no number may have been meant as a size, or as a range. */
static const char *how_written(const struct ws_key *key, const char *value)
{
	uint64_t number;

	if ((key->type != WS_KEY_U64 && key->type != WS_KEY_SIZE) || *value < '0' || *value > '9' ||
	    ws_parse_size(value, &number))
		return "";
	if (strpbrk(value, ":-") || strstr(value, ".."))
		return "; a range is LOW:HIGH:+STEP or LOW:HIGH:xFACTOR";
	return ", a whole number, K, M and G allowed";
}

enum ws_status ws_key_refuse(const struct ws_machine *m, const struct ws_key *key,
			     const char *value, struct ws_err *err)
{
	char own[2 * WS_NAME_MAX], shown[64], range[160], lower[WS_NAME_MAX];
	const char *nearest;
	bool too_long;

	if (!value) {
		ws_machine_get(m, key, own, sizeof own);
		value = own;
	}
	too_long = key->type == WS_KEY_NAME && strlen(value) >= WS_NAME_MAX;
	nearest = key->type == WS_KEY_NAME && !too_long ? lowered(value, lower, sizeof lower)
							: nearest_choice(key, value);
	describe_range(key, range, sizeof range);
	return ws_fail(err, WS_EINVAL, "%s = %s: %swant %s%s%s%s%s", key->name,
		       ws_shown(value, shown, sizeof shown),
		       too_long ? "too long: " : "", range, how_written(key, value),
		       nearest ? "; did you mean " : "", nearest ? nearest : "",
		       nearest ? "?" : "");
}
