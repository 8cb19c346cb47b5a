/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/hash.c -- from a byte address to a set.
 *
 * Below, line is the address divided by the line size, k is log2(sets), and
 * "high" is what stands above the k lowest bits of line.  Tags are whole line
 * addresses, so any function of the address is safe.
 *
 *   modulo  line mod sets, for any number of sets
 *   xor     the k lowest bits of line ^ the k lowest of high
 *   fermi   bits 0-4 of line ^ its bits 6, 7, 8, 10, 12; the rest unchanged.
 *           Published for 32 and 64 sets and 128-byte lines, where it is this
 *           very function (of address bits 13, 14, 15, 17, 19); other powers
 *           of two take the k lowest bits of the result
 *   ipoly   the remainder of line, as a polynomial over GF(2), modulo a fixed
 *           polynomial of degree k.  16, 32 and 64 sets have the published
 *           polynomials and their reach, the number of bits of high that take
 *           part: 13, 15, 19.  The others are ours: the primitive polynomial
 *           of degree k with the lowest second term, over the 25 lowest bits
 *           of line, which is as far as the published one for 64 sets reaches.
 *           2^k * m sets with m odd, which are no power of two, are m groups of
 *           2^k: line / 2^k mod m names the group, the remainder the set in it
 *   ipoly-skew  as ipoly; of 2^k * m sets the group is (q + p) mod m, q being line / 2^k and p
 *           the remainder of q / m as ipoly of 4096 sets has it: from one aligned block of sets to
 *           the next the groups turn, so that a stride of m * 2^k lines reaches all of them
 *   bits    the address bits LOW..HIGH, the lowest log2(sets) of them
 *   matrix  a matrix over GF(2): bit i of a number is the parity of the address bits in row i, and
 *           the set is that number modulo the number of sets.  modulo, xor, fermi and ipoly of a
 *           power of two are matrices; so is any function of XORs that a measurement finds
 *
 * All but bits and matrix map an aligned block of `sets` lines one to one onto the sets.
 * Cost: a few instructions; ipoly one step per k - d bits of line, where d is the
 * degree of the polynomial's second term.  Sources: GPGPU-Sim 4, gpu-cache.cc
 * (cache_config::hash_function) and hashing.cc.
 */
#include "machine/private.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HEX_DIGITS "0123456789abcdefABCDEF"

static inline uint64_t modulo(uint64_t line, uint64_t sets)
{
	return ws_is_pow2(sets) ? line & (sets - 1) : line % sets;
}

static inline uint64_t xor_high(uint64_t line, uint64_t sets)
{
	return (line ^ line >> ws_exponent(sets)) & (sets - 1);
}

static inline uint64_t fermi(uint64_t line, uint64_t sets)
{
	uint64_t upper = (line >> 6 & 7) | (line >> 10 & 1) << 3 | (line >> 12 & 1) << 4;

	return (line ^ upper) & (sets - 1);
}

/* ---- ipoly ---------------------------------------------------------------
 * tail is the polynomial without its leading term: x^k is tail, modulo it.
 */
struct ipoly {
	uint16_t tail;
	uint8_t reach;	/* bits of the line number that take part: k + J */
};

#define IPOLY_DEGREE_MAX 12u
#define IPOLY_REACH 25u /* ours; that of 64 sets */

static const struct ipoly polynomials[IPOLY_DEGREE_MAX + 1] = {
	[0] = { 0x0, 0 },		/* one set */
	[1] = { 0x1, IPOLY_REACH },	/* x + 1 */
	[2] = { 0x3, IPOLY_REACH },	/* x^2 + x + 1 */
	[3] = { 0x3, IPOLY_REACH },	/* x^3 + x + 1 */
	[4] = { 0x3, 4 + 13 },		/* x^4 + x + 1, published */
	[5] = { 0x5, 5 + 15 },		/* x^5 + x^2 + 1, published */
	[6] = { 0x3, 6 + 19 },		/* x^6 + x + 1, published */
	[7] = { 0x3, IPOLY_REACH },	/* x^7 + x + 1 */
	[8] = { 0x1d, IPOLY_REACH },	/* x^8 + x^4 + x^3 + x^2 + 1 */
	[9] = { 0x11, IPOLY_REACH },	/* x^9 + x^4 + 1 */
	[10] = { 0x9, IPOLY_REACH },	/* x^10 + x^3 + 1 */
	[11] = { 0x5, IPOLY_REACH },	/* x^11 + x^2 + 1 */
	[12] = { 0x53, IPOLY_REACH },	/* x^12 + x^6 + x^4 + x + 1 */
};

/* Everything above degree k is folded down at once: high * x^k = high * tail. */
static inline uint64_t ipoly_pow2(uint64_t line, unsigned degree)
{
	struct ipoly p = polynomials[degree];
	uint64_t sets = 1ull << degree, rest = line & ((1ull << p.reach) - 1);

	while (rest >= sets) {
		uint64_t high = rest >> degree;

		rest &= sets - 1;
		for (uint64_t tail = p.tail; tail; tail >>= 1, high <<= 1)
			rest ^= high & (0 - (tail & 1));
	}
	return rest;
}

static inline uint64_t ipoly(uint64_t line, uint64_t sets)
{
	unsigned degree = ws_exponent(sets);

	if (ws_is_pow2(sets))
		return ipoly_pow2(line, degree);
	return ((line >> degree) % (sets >> degree)) << degree | ipoly_pow2(line, degree);
}

static inline uint64_t ipoly_skew(uint64_t line, uint64_t sets)
{
	unsigned degree = ws_exponent(sets);
	uint64_t groups = sets >> degree, high = line >> degree;

	if (ws_is_pow2(sets))
		return ipoly_pow2(line, degree);
	high += ipoly_pow2(high / groups, IPOLY_DEGREE_MAX);
	return high % groups << degree | ipoly_pow2(line, degree);
}

/* ---- of a cache ------------------------------------------------------------------ */

static inline uint64_t line_number(uint64_t addr, const struct ws_cache *cache)
{
	return addr >> ws_exponent(cache->line_bytes);
}

static uint64_t modulo_index(uint64_t addr, const struct ws_cache *cache)
{
	return modulo(line_number(addr, cache), cache->sets);
}

static uint64_t xor_index(uint64_t addr, const struct ws_cache *cache)
{
	return xor_high(line_number(addr, cache), cache->sets);
}

static uint64_t fermi_index(uint64_t addr, const struct ws_cache *cache)
{
	return fermi(line_number(addr, cache), cache->sets);
}

static uint64_t ipoly_index(uint64_t addr, const struct ws_cache *cache)
{
	return ipoly(line_number(addr, cache), cache->sets);
}

static uint64_t ipoly_skew_index(uint64_t addr, const struct ws_cache *cache)
{
	return ipoly_skew(line_number(addr, cache), cache->sets);
}

static uint64_t bits_index(uint64_t addr, const struct ws_cache *cache)
{
	return addr >> cache->hash_low & (cache->sets - 1);
}

static inline uint64_t matrix_of(const struct ws_cache *cache, uint64_t addr)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < cache->hash_rows; i++)
		number |= (uint64_t)(ws_popcount(addr & cache->hash_row[i]) & 1) << i;
	return number;
}

static uint64_t matrix_index(uint64_t addr, const struct ws_cache *cache)
{
	return modulo(matrix_of(cache, addr), cache->sets);
}

/* ---- the geometries they are defined for ------------------------------------ */

static enum ws_status check_pow2(const struct ws_cache *cache, struct ws_err *err)
{
	if (ws_is_pow2(cache->sets))
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "%s is defined for a power of two of sets, not %" PRIu64,
		       cache->hash->name, cache->sets);
}

bool ws_has_ipoly(uint64_t sets)
{
	return sets && ws_exponent(sets) <= IPOLY_DEGREE_MAX;
}

static enum ws_status check_ipoly(const struct ws_cache *cache, struct ws_err *err)
{
	if (ws_has_ipoly(cache->sets))
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "%s is defined for 1..4096 times an odd number of sets, not "
		       "%" PRIu64, cache->hash->name, cache->sets);
}

/* ---- bits: LOW and HIGH -------------------------------------------------------------- */

/* "LOW-HIGH" in decimal, nothing else. */
static bool parse_bits(struct ws_cache *cache, const char *text)
{
	const char *dash = strchr(text, '-');
	uint64_t lo, hi;
	char first[4];

	if (!dash || dash - text > 2)
		return false;
	memcpy(first, text, (size_t)(dash - text));
	first[dash - text] = '\0';
	if (!ws_parse_u64(first, &lo) || !ws_parse_u64(dash + 1, &hi) || lo > hi || hi > 63)
		return false;
	cache->hash_low = (unsigned)lo;
	cache->hash_high = (unsigned)hi;
	return true;
}

static void print_bits(const struct ws_cache *cache, char *text, size_t len)
{
	snprintf(text, len, "%u-%u", cache->hash_low, cache->hash_high);
}

static bool same_bits(const struct ws_cache *a, const struct ws_cache *b)
{
	return a->hash_low == b->hash_low && a->hash_high == b->hash_high;
}

/* A bit below the line's offset would spread one line over several sets. */
static enum ws_status check_bits(const struct ws_cache *cache, struct ws_err *err)
{
	unsigned low = cache->hash_low, high = cache->hash_high;
	enum ws_status status = check_pow2(cache, err);

	if (status != WS_OK)
		return status;
	if (low > high || high > 63)
		return ws_fail(err, WS_EINVAL, "bits:%u-%u is no range of address bits: "
			       "want 0 <= LOW <= HIGH <= 63", low, high);
	if (cache->sets > 1 && high - low + 1 < ws_log2(cache->sets))
		return ws_fail(err, WS_EINVAL, "bits:%u-%u has too few bits for %" PRIu64
			       " sets: want %u", low, high, cache->sets, ws_log2(cache->sets));
	if (low < ws_log2(cache->line_bytes))
		return ws_fail(err, WS_EINVAL, "bits:%u-%u begins inside a line of %" PRIu64
			       " bytes: want LOW %u or more", low, high, cache->line_bytes,
			       ws_log2(cache->line_bytes));
	return WS_OK;
}

/* ---- matrix: its rows ------------------------------------------------------------------ */

/* "1080/2100/4200": hexadecimal masks of address bits, that of the set's lowest bit first. */
static bool parse_matrix(struct ws_cache *cache, const char *text)
{
	uint64_t row[WS_HASH_ROWS];
	unsigned rows = 0;

	if (strlen(text) >= 2 * WS_NAME_MAX - sizeof "matrix:")
		return false;	/* ws_machine_get could not say it */
	do {
		char *end;

		if (rows == WS_HASH_ROWS || !isxdigit((unsigned char)*text) ||
		    (text[0] == '0' && text[1]) || strspn(text, HEX_DIGITS) > 16)
			return false;
		row[rows++] = strtoull(text, &end, 16);
		if (*end && (*end != '/' || !end[1]))
			return false;
		text = *end ? end + 1 : end;
	} while (*text);
	memset(cache->hash_row, 0, sizeof cache->hash_row);
	memcpy(cache->hash_row, row, rows * sizeof *row);
	cache->hash_rows = rows;
	return true;
}

static void print_matrix(const struct ws_cache *cache, char *text, size_t len)
{
	size_t at = 0;

	for (unsigned i = 0; i < cache->hash_rows && at < len; i++)
		at += (size_t)snprintf(text + at, len - at, "%s%" PRIx64, i ? "/" : "",
				       cache->hash_row[i]);
}

static bool same_matrix(const struct ws_cache *a, const struct ws_cache *b)
{
	return a->hash_rows == b->hash_rows &&
	       memcmp(a->hash_row, b->hash_row, sizeof a->hash_row) == 0;
}

/* A bit below the line's offset would spread one line over several sets; rows that add up to
 * nothing would leave sets unused. */
static enum ws_status check_matrix(const struct ws_cache *cache, struct ws_err *err)
{
	uint64_t row[WS_HASH_ROWS], offset = cache->line_bytes - 1;

	if (cache->hash_rows < 64 && (uint64_t)1 << cache->hash_rows < cache->sets)
		return ws_fail(err, WS_EINVAL, "matrix has %u rows: %" PRIu64 " sets want %u or "
			       "more", cache->hash_rows, cache->sets, ws_log2(cache->sets - 1) + 1);
	for (unsigned i = 0; i < cache->hash_rows; i++) {
		row[i] = cache->hash_row[i];
		if (row[i] & offset)
			return ws_fail(err, WS_EINVAL, "row %" PRIx64 " of matrix has bits inside "
				       "a line of %" PRIu64 " bytes", row[i], cache->line_bytes);
		for (unsigned k = 0; k < i; k++)
			row[i] = row[i] & (row[k] & -row[k]) ? row[i] ^ row[k] : row[i];
		if (!row[i])
			return ws_fail(err, WS_EINVAL, "row %" PRIx64 " of matrix is a sum of rows "
				       "before it: some sets would never be used",
				       cache->hash_row[i]);
	}
	return WS_OK;
}

/* ---- the table ---------------------------------------------------------------- */

static const struct ws_hash hash_modulo = {
	.name = "modulo", .gpgpusim = 'L',
	.summary = "line number modulo the number of sets",
	.source = "GPGPU-Sim 4, gpu-cache.cc, LINEAR_SET_FUNCTION",
	.index = modulo_index,
};

static const struct ws_hash hash_xor = {
	.name = "xor", .gpgpusim = 'X',
	.summary = "set bits of the line number xor the bits above them",
	.source = "GPGPU-Sim 4, hashing.cc, bitwise_hash_function",
	.index = xor_index, .check = check_pow2,
};

static const struct ws_hash hash_fermi = {
	.name = "fermi", .gpgpusim = 'H',
	.summary = "the five lowest set bits xor line bits 6, 7, 8, 10, 12",
	.source = "Nugteren et al., HPCA 2014; GPGPU-Sim 4, gpu-cache.cc, FERMI_HASH_SET_FUNCTION",
	.index = fermi_index, .check = check_pow2,
};

static const struct ws_hash hash_ipoly = {
	.name = "ipoly", .gpgpusim = 'P',
	.summary = "remainder of the line number modulo a polynomial over GF(2)",
	.source = "Rau, ISCA 1991; GPGPU-Sim 4, hashing.cc, ipoly_hash_function",
	.index = ipoly_index, .check = check_ipoly,
};

static const struct ws_hash hash_ipoly_skew = {
	.name = "ipoly-skew",
	.summary = "as ipoly; groups of a power of two of sets turn from block to block",
	.source = "ipoly, and Harper and Jump, IEEE Trans. Computers 1987: skewed interleaving",
	.index = ipoly_skew_index, .check = check_ipoly,
};

static const struct ws_hash hash_bits = {
	.name = "bits",
	.summary = "the address bits LOW..HIGH, as in bits:7-8",
	.source = "Mei and Chu, TPDS 2017: texture caches take address bits 7-8",
	.index = bits_index, .check = check_bits,
	.parse = parse_bits, .print = print_bits, .same = same_bits,
};

static const struct ws_hash hash_matrix = {
	.name = "matrix",
	.summary = "set bits that are XORs of address bits: hexadecimal masks, the lowest first",
	.source = "any linear function over GF(2); Rau, ISCA 1991",
	.index = matrix_index, .check = check_matrix,
	.parse = parse_matrix, .print = print_matrix, .same = same_matrix,
};

const struct ws_hash *const ws_hashes[] = {
	&hash_modulo, &hash_xor, &hash_fermi, &hash_ipoly, &hash_ipoly_skew, &hash_bits,
	&hash_matrix, NULL,
};

const struct ws_hash *const ws_slice_hashes[] = { &hash_modulo, &hash_xor, &hash_ipoly,
						  &hash_ipoly_skew, NULL };

uint64_t ws_hash_line(const struct ws_hash *hash, uint64_t line, uint64_t sets)
{
	if (hash == &hash_modulo)
		return modulo(line, sets);
	if (hash == &hash_ipoly)
		return ipoly(line, sets);
	if (hash == &hash_ipoly_skew)
		return ipoly_skew(line, sets);
	return hash == &hash_xor ? xor_high(line, sets) : fermi(line, sets);
}

uint64_t ws_hash_local(const struct ws_cache *cache, uint64_t local, uint64_t sets)
{
	if (cache->hash == &hash_bits)
		return local >> cache->hash_low & (sets - 1);
	if (cache->hash == &hash_matrix)
		return modulo(matrix_of(cache, local), sets);
	return ws_hash_line(cache->hash, local >> ws_exponent(cache->line_bytes), sets);
}

const struct ws_hash *ws_hash_find(const char *name)
{
	size_t len = strcspn(name, ":");

	for (size_t i = 0; ws_hashes[i]; i++) {
		const struct ws_hash *h = ws_hashes[i];

		if (strlen(h->name) == len && memcmp(h->name, name, len) == 0)
			return name[len] && !h->parse ? NULL : h;
	}
	return NULL;
}

bool ws_hash_same(const struct ws_cache *a, const struct ws_cache *b)
{
	return a->hash == b->hash && (!a->hash || !a->hash->same || a->hash->same(a, b));
}
