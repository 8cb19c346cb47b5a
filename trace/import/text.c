/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/text.c -- fields, first lines, single threads: see text.h.
 */
#include "trace/import/builder.h"
#include "trace/import/text.h"

#include <inttypes.h>
#include <string.h>

/* ---- fields -------------------------------------------------------------------- */

/* 1 + what a character stands for; 0: it is no digit. */
static const uint8_t digit_of[256] = {
	['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
	['A'] = 11, 12, 13, 14, 15, 16,
	['a'] = 11, 12, 13, 14, 15, 16,
};

/* UINT64_MAX: none. */
static inline uint64_t digit(char c)
{
	return (uint64_t)digit_of[(uint8_t)c] - 1;
}

/* Digits of a base from q on. */
static inline bool digits(const char **p, const char *q, uint64_t base, uint64_t *v)
{
	uint64_t value = 0, d = digit(*q);

	if (d >= base)
		return false;
	for (; d < base; d = digit(*++q)) {
		if (value >> 59 && value > (UINT64_MAX - d) / base)
			return false;
		value = value * base + d;
	}
	*p = q;
	*v = value;
	return true;
}

static bool has_prefix(const char *q)
{
	return q[0] == '0' && (q[1] == 'x' || q[1] == 'X');
}

bool ws_text_hex(const char **p, uint64_t *v)
{
	return digits(p, has_prefix(*p) ? *p + 2 : *p, 16, v);
}

/* The value of the hexadecimal digits that eight characters begin with, and how many they are.  The
 * characters are bytes of a word, the first one lowest; sums of two bytes below 0x80 carry into no
 * other. */
static inline unsigned eight_digits(uint64_t word, uint64_t *v)
{
	const uint64_t each = 0x0101010101010101, top = 0x80 * each;
	uint64_t c = word & ~top, small = c | 0x20 * each, n, digit, letter, none;
	unsigned count;

	digit = (c + 0x50 * each) & ~(c + 0x46 * each);		/* '0' to '9' */
	letter = (small + 0x1f * each) & ~(small + 0x19 * each);	/* 'a' to 'f' */
	none = (~(digit | letter) | word) & top;
	count = none ? ws_lowest_bit(none) / 8 : 8;
	if (count == 0)
		return 0;
	n = word << 8 * (8 - count);
	n = (n & 0x0f * each) + 9 * (n >> 6 & each);
	n = ((n << 4) + (n >> 8)) & 0x00ff00ff00ff00ff;
	n = ((n << 8) + (n >> 16)) & 0x0000ffff0000ffff;
	*v = (n << 16 | n >> 32) & UINT32_MAX;
	return count;
}

bool ws_text_hex_digits(const char **p, uint64_t *v)
{
	const uint8_t *q = (const uint8_t *)*p;
	uint64_t low;
	unsigned count = eight_digits(ws_word_get(q, 8), v);

	if (count == 0)
		return false;
	*p += count;
	if (count < 8)
		return true;
	count = eight_digits(ws_word_get(q + 8, 8), &low);
	if (count)
		*v = *v << 4 * count | low;
	*p += count;
	return count < 8 || digit(**p) >= 16;
}

bool ws_text_decimal(const char **p, uint64_t *v)
{
	return digits(p, *p, 10, v);
}

bool ws_text_number(const char **p, uint64_t *v)
{
	return has_prefix(*p) ? ws_text_hex(p, v) : ws_text_decimal(p, v);
}

bool ws_text_letter(const char **p, const char *choices, char *c)
{
	if (!**p || !strchr(choices, **p))
		return false;
	*c = *(*p)++;
	return true;
}

bool ws_text_word(const char **p, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*p, word, len) != 0)
		return false;
	*p += len;
	return true;
}

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool ws_text_gap(const char **p)
{
	const char *q = *p;

	while (is_blank(*q))
		q++;
	if (q == *p)
		return false;
	*p = q;
	return true;
}

bool ws_text_end(const char **p)
{
	const char *q = *p;

	while (is_blank(*q))
		q++;
	return *q == '\0';
}

/* ---- recognition ---------------------------------------------------------------- */

#define LINES 24u		/* looked at */
#define LINE_BYTES 512u		/* no line of these formats is longer */

bool ws_text_begins(const uint8_t *data, size_t len, enum ws_line_kind (*kind)(const char *line))
{
	const uint8_t *end = data + len;
	bool mine = false;

	for (unsigned i = 0; i < LINES && data < end; i++) {
		const uint8_t *next = memchr(data, '\n', (size_t)(end - data));
		size_t n = (size_t)((next ? next : end) - data);
		char line[LINE_BYTES];
		enum ws_line_kind k;

		if (!next && mine)
			break;
		if (n >= sizeof line || memchr(data, '\0', n))
			break;
		memcpy(line, data, n);
		n -= n && line[n - 1] == '\r';
		line[n] = '\0';
		k = kind(line);
		if (k == WS_LINE_OTHER)
			break;
		mine |= k == WS_LINE_MINE;
		data = next ? next + 1 : end;
	}
	return mine;
}

/* ---- one thread ------------------------------------------------------------------ */

enum ws_status ws_text_blame(const struct ws_packed *s, enum ws_status status,
			     const struct ws_err *why, struct ws_err *err)
{
	if (status == WS_EFORMAT)
		return ws_packed_fail(s, err, "%s", why->text);
	return ws_fail(err, status, "%s", why->text);
}

enum ws_status ws_single_begin(struct ws_single *one, struct ws_packed *s, struct ws_builder *b,
			       struct ws_err *err)
{
	static const struct ws_built_launch launch = {
		.kernel = WS_TEXT_KERNEL, .grid = { 1, 1, 1 }, .block = { 1, 1, 1 },
		.warp_width = 1,
	};

	*one = (struct ws_single){ .s = s, .b = b,
				   .access = { .space = WS_SPACE_GLOBAL, .lanes = 1 } };
	return ws_builder_launch(b, &launch, err);
}

/* The builder gets what waits. */
static enum ws_status tell(struct ws_single *one, struct ws_err *err)
{
	size_t count = one->waiting;

	one->waiting = 0;
	return count ? ws_builder_again(one->b, &one->access, one->alike, count, err) : WS_OK;
}

enum ws_status ws_single_other(struct ws_single *one, enum ws_kind kind, uint64_t address,
			       uint64_t bytes, struct ws_err *err)
{
	/* The last instruction is the one that accesses. */
	uint64_t gap = one->fetched ? one->fetched - 1 : 0;
	struct ws_built_access *a = &one->access;
	enum ws_status status = tell(one, err);
	struct ws_err why;

	if (status != WS_OK)
		return status;
	if (bytes < 1 || bytes > WS_ACCESS_BYTES_MAX)
		return ws_packed_fail(one->s, err, "an access of %" PRIu64 " bytes, want 1..%u",
				      bytes, WS_ACCESS_BYTES_MAX);
	one->fetched = 0;
	one->repeats = gap == 0;
	a->pc = one->pc;
	if (a->kind != kind) /* compilers compare it and .space at once, which a store stalls */
		a->kind = (uint8_t)kind;
	a->bytes = (uint32_t)bytes;
	a->address = &address;
	a->gap = (uint32_t)(gap < WS_GAP_MAX ? gap : WS_GAP_MAX);
	why.status = WS_OK; /* of each access: its text is not cleared */
	status = ws_builder_single(one->b, a, &why);
	return status == WS_OK ? WS_OK : ws_text_blame(one->s, status, &why, err);
}

enum ws_status ws_single_end(struct ws_single *one, struct ws_err *err)
{
	uint64_t fetched = one->fetched;
	enum ws_status status = tell(one, err);

	one->fetched = 0;
	return status == WS_OK && fetched ? ws_builder_other(one->b, 0, 0, fetched, err) : status;
}

enum ws_status ws_single_read(struct ws_packed *s, struct ws_builder *b,
			      enum ws_status (*some)(struct ws_single *one, struct ws_err *err),
			      enum ws_status (*take)(struct ws_single *one, const char *line,
						     struct ws_err *err),
			      struct ws_err *err)
{
	struct ws_single one;
	enum ws_status status = ws_single_begin(&one, s, b, err);

	while (status == WS_OK) {
		size_t len;
		char *line = NULL;

		status = some ? some(&one, err) : WS_OK;
		if (status == WS_OK)
			status = ws_packed_line(s, &line, &len, err);
		if (status != WS_OK || !line)
			break;
		status = take(&one, line, err);
	}
	return status == WS_OK ? ws_single_end(&one, err) : status;
}
