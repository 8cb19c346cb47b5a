/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/value_text.c -- the value of a key as text, which value.c reads back; and compared.
 */
#include "machine/private.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#define KB 1024u

const char *ws_key_at(const struct ws_machine *m, const struct ws_key *key)
{
	return (const char *)m + key->offset;
}

uint64_t ws_key_number(const struct ws_machine *m, const struct ws_key *key)
{
	uint64_t value;

	assert(key->type == WS_KEY_U64 || key->type == WS_KEY_SIZE);
	memcpy(&value, ws_key_at(m, key), sizeof value);
	return value;
}

unsigned ws_key_choice(const struct ws_machine *m, const struct ws_key *key)
{
	unsigned value; /* enums are stored so: asserted in keys.c */

	assert(key->type == WS_KEY_CHOICE);
	memcpy(&value, ws_key_at(m, key), sizeof value);
	return value;
}

size_t ws_key_choices(const char *const *choices)
{
	size_t n = 0;

	while (choices[n])
		n++;
	return n;
}

size_t ws_key_room(const struct ws_key *key)
{
	const struct ws_machine *m = NULL;

	return key->type == WS_KEY_TEXT ? sizeof m->title : WS_NAME_MAX;
}

const char *ws_key_word(const struct ws_key *key, uint64_t value)
{
	for (uint64_t i = 0; key->type == WS_KEY_SIZE && key->choices && key->choices[i]; i++) {
		if (value == UINT64_MAX - i)
			return key->choices[i];
	}
	return NULL;
}

/* The cache that a set-index function is in. */
static const struct ws_cache *hashed_by(const char *hash)
{
	return (const void *)(hash - offsetof(struct ws_cache, hash));
}

static void get_hash(const struct ws_machine *m, const struct ws_key *key, char *buf, size_t len)
{
	const struct ws_cache *cache = hashed_by(ws_key_at(m, key));
	char parameters[WS_NAME_MAX] = "";

	if (cache->hash && cache->hash->print)
		cache->hash->print(cache, parameters, sizeof parameters);
	snprintf(buf, len, "%s%s%s", cache->hash ? cache->hash->name : "(none)",
		 *parameters ? ":" : "", parameters);
}

/* Rows of sweeps have some of these each: printf takes ten times as long. */
static void plain_number(uint64_t value, char *buf, size_t len)
{
	char digits[24];
	size_t first = sizeof digits - 1;

	digits[first] = '\0';
	do {
		digits[--first] = (char)('0' + value % 10);
	} while (value /= 10);
	if (sizeof digits - first <= len)
		memcpy(buf, digits + first, sizeof digits - first);
	else
		snprintf(buf, len, "%s", digits + first);
}

static void get_number(const struct ws_machine *m, const struct ws_key *key, char *buf, size_t len)
{
	const char *word = ws_key_word(key, ws_key_number(m, key));

	if (word)
		snprintf(buf, len, "%s", word);
	else
		plain_number(ws_key_number(m, key), buf, len);
}

static void get_sizes(const struct ws_sizes *sizes, char *buf, size_t len)
{
	size_t used = 0;

	snprintf(buf, len, "none");
	for (size_t i = 0; i < sizes->count && used < len; i++)
		used += (size_t)snprintf(buf + used, len - used, "%s%" PRIu64 "%s", i ? "," : "",
					 sizes->bytes[i] / KB, sizes->bytes[i] ? "K" : "");
}

void ws_machine_get(const struct ws_machine *m, const struct ws_key *key, char *buf, size_t len)
{
	switch (key->type) {
	case WS_KEY_U64:
	case WS_KEY_SIZE:
		get_number(m, key, buf, len);
		return;
	case WS_KEY_CHOICE:
		snprintf(buf, len, "%s", ws_key_choice(m, key) < ws_key_choices(key->choices) ?
			 key->choices[ws_key_choice(m, key)] : "(none)");
		return;
	case WS_KEY_BOOL:
		snprintf(buf, len, "%s", *(const bool *)ws_key_at(m, key) ? "yes" : "no");
		return;
	case WS_KEY_NAME:
	case WS_KEY_TEXT:
		snprintf(buf, len, "%.*s", (int)ws_key_room(key) - 1, ws_key_at(m, key));
		return;
	case WS_KEY_HASH:
		get_hash(m, key, buf, len);
		return;
	case WS_KEY_ORGANISATION:
		ws_organisation_text((const void *)ws_key_at(m, key), buf, len);
		return;
	case WS_KEY_SIZES:
		get_sizes((const void *)ws_key_at(m, key), buf, len);
		return;
	case WS_KEY_SET_WAYS:
		if (!ws_set_ways_text((const void *)ws_key_at(m, key), buf, len))
			snprintf(buf, len, "%s", key->fallback);
		return;
	}
}

static bool same_sizes(const struct ws_sizes *a, const struct ws_sizes *b)
{
	return a->count == b->count &&
	       memcmp(a->bytes, b->bytes, a->count * sizeof *a->bytes) == 0;
}

static bool same_set_ways(const struct ws_set_ways *a, const struct ws_set_ways *b)
{
	return a->runs == b->runs && memcmp(a->run, b->run, a->runs * sizeof *a->run) == 0;
}

static bool same_value(const char *x, const char *y, const struct ws_key *key)
{
	switch (key->type) {
	case WS_KEY_U64:
	case WS_KEY_SIZE:
		return memcmp(x, y, sizeof(uint64_t)) == 0;
	case WS_KEY_CHOICE:
		return memcmp(x, y, sizeof(unsigned)) == 0;
	case WS_KEY_BOOL:
		return *x == *y;
	case WS_KEY_NAME:
	case WS_KEY_TEXT:
		return strcmp(x, y) == 0;
	case WS_KEY_HASH:
		return ws_hash_same(hashed_by(x), hashed_by(y));
	case WS_KEY_ORGANISATION:
		return memcmp(x, y, sizeof(struct ws_organised)) == 0;
	case WS_KEY_SIZES:
		return same_sizes((const void *)x, (const void *)y);
	case WS_KEY_SET_WAYS:
		return same_set_ways((const void *)x, (const void *)y);
	}
	return false;
}

bool ws_key_same(const struct ws_machine *a, const struct ws_machine *b, const struct ws_key *key)
{
	return same_value(ws_key_at(a, key), ws_key_at(b, key), key);
}

#define STRIDE 8u		/* blocks that are compared together */

/* Two blocks.  Sweeps ask for it some times a row: without a branch, and a length that the compiler
 * knows, so that it takes vectors. */
static inline bool differ(const char *a, const char *b)
{
	uint64_t any = 0, x, y;

	for (size_t k = 0; k < WS_MACHINE_BLOCK; k += sizeof x) {
		memcpy(&x, a + k, sizeof x);
		memcpy(&y, b + k, sizeof y);
		any |= x ^ y;
	}
	return any != 0;
}

uint64_t ws_machine_blocks(const struct ws_machine *a, const struct ws_machine *b)
{
	const char *at = (const char *)a, *beside = (const char *)b;
	const size_t whole = sizeof *a / WS_MACHINE_BLOCK, rest = sizeof *a % WS_MACHINE_BLOCK;
	const size_t stride = STRIDE * WS_MACHINE_BLOCK;
	uint64_t blocks = 0;

	static_assert(sizeof *a <= 64 * WS_MACHINE_BLOCK, "a bit for each block");
	static_assert(sizeof a->title <= WS_MACHINE_BLOCK && WS_NAME_MAX <= WS_MACHINE_BLOCK,
		      "texts are no longer than a block (ws_key_elsewhere)");
	for (size_t i = 0; i < whole; i++) {
		size_t from = i * WS_MACHINE_BLOCK;

		/* Most of two machines is alike. */
		if (from % stride == 0 && i + STRIDE <= whole &&
		    memcmp(at + from, beside + from, stride) == 0) {
			i += STRIDE - 1;
			continue;
		}
		blocks |= (uint64_t)differ(at + from, beside + from) << i;
	}
	if (rest)
		blocks |= (uint64_t)(memcmp(at + sizeof *a - rest, beside + sizeof *a - rest,
					    rest) != 0) << whole;
	return blocks;
}

bool ws_key_same_l1(const struct ws_cache *a, const struct ws_cache *b, const struct ws_key *key)
{
	size_t offset = key->offset - offsetof(struct ws_machine, l1);

	assert(offset < sizeof *a);
	return same_value((const char *)a + offset, (const char *)b + offset, key);
}
