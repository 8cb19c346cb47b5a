/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/t-hash.c -- the set-index functions: published vectors, ipoly
 * beside polynomial division, ranges, one-to-one on blocks, where defined.
 */
#include "tests/test.h"
#include "machine/machine.h"

static struct ws_cache cache(const char *hash, uint64_t sets, uint64_t line)
{
	struct ws_cache c = { .sets = sets, .line_bytes = line, .ways = 3 };

	c.hash = ws_hash_find(hash);
	if (strncmp(hash, "bits:", 5) == 0 &&
	    sscanf(hash, "bits:%u-%u", &c.hash_low, &c.hash_high) != 2)
		c.hash = NULL;
	return c;
}

static uint64_t index_of(const char *hash, uint64_t sets, uint64_t line, uint64_t addr)
{
	struct ws_cache c = cache(hash, sets, line);

	return ws_set_index(&c, addr);
}

/* Computed with GPGPU-Sim 4's own source (gpu-cache.cc, hashing.cc), 128-byte lines. */
static void vectors(void)
{
	static const struct {
		uint64_t addr;
		unsigned modulo, xor, ipoly16, ipoly32, ipoly64, fermi32, fermi64;
	} v[] = {
		{ 0x80, 1, 1, 1, 1, 1, 1, 1 },
		{ 0x1000, 0, 1, 6, 5, 32, 0, 32 },
		{ 0x2000, 0, 2, 12, 10, 3, 1, 1 },
		{ 0x12345680, 13, 8, 10, 25, 34, 15, 47 },
		{ 0x7fc841520000, 0, 0, 11, 1, 29, 8, 8 },
		{ 0x7fc8415229eb, 19, 17, 7, 24, 13, 26, 26 },
		{ 0x7fb0fc430e00, 28, 12, 3, 14, 8, 20, 20 },
		{ 0xdeadbeef00, 30, 16, 15, 26, 44, 1, 1 },
	};

	for (size_t i = 0; i < WS_COUNT(v); i++) {
		printf("# address %#" PRIx64 "\n", v[i].addr);
		test_u64(index_of("modulo", 32, 128, v[i].addr), v[i].modulo, "modulo 32");
		test_u64(index_of("xor", 32, 128, v[i].addr), v[i].xor, "xor 32");
		test_u64(index_of("ipoly", 16, 128, v[i].addr), v[i].ipoly16, "ipoly 16");
		test_u64(index_of("ipoly", 32, 128, v[i].addr), v[i].ipoly32, "ipoly 32");
		test_u64(index_of("ipoly", 64, 128, v[i].addr), v[i].ipoly64, "ipoly 64");
		test_u64(index_of("fermi", 32, 128, v[i].addr), v[i].fermi32, "fermi 32");
		test_u64(index_of("fermi", 64, 128, v[i].addr), v[i].fermi64, "fermi 64");
	}
}

/* ---- ipoly by schoolbook division -------------------------------------------- */

static const struct {
	uint64_t polynomial;	/* with its leading term */
	unsigned reach;		/* bits of the line number */
} ipoly[] = {
	{ 0, 0 },	   { 0x3, 25 },	  { 0x7, 25 },	 { 0xb, 25 },	{ 0x13, 17 },
	{ 0x25, 20 },	   { 0x43, 25 },  { 0x83, 25 },	 { 0x11d, 25 }, { 0x211, 25 },
	{ 0x409, 25 },	   { 0x805, 25 }, { 0x1053, 25 },
};

static uint64_t remainder_gf2(uint64_t dividend, uint64_t polynomial, unsigned degree)
{
	for (unsigned bit = 63; bit >= degree; bit--) {
		if (dividend >> bit & 1)
			dividend ^= polynomial << (bit - degree);
	}
	return dividend;
}

static void ipoly_division(struct ws_rng *rng)
{
	for (unsigned degree = 1; degree < WS_COUNT(ipoly); degree++) {
		unsigned wrong = 0;

		for (unsigned i = 0; i < 2000; i++) {
			uint64_t addr = ws_rng_u64(rng) >> ws_rng_below(rng, 40);
			unsigned shift = 5 + (unsigned)ws_rng_below(rng, 6);
			uint64_t line = addr >> shift & ((1ull << ipoly[degree].reach) - 1);

			wrong += index_of("ipoly", 1ull << degree, 1ull << shift, addr) !=
				 remainder_gf2(line, ipoly[degree].polynomial, degree);
		}
		test_ok(wrong == 0, "ipoly of %u sets is the remainder: %u of 2000 differ",
			1u << degree, wrong);
	}
}

/* 2^degree * odd sets: line / 2^degree mod odd is the group, the remainder the set in it. */
static void ipoly_groups(struct ws_rng *rng)
{
	for (unsigned degree = 0; degree < WS_COUNT(ipoly); degree++) {
		unsigned wrong = 0;

		for (unsigned i = 0; i < 2000; i++) {
			uint64_t odd = 3 + 2 * ws_rng_below(rng, 100);
			uint64_t line = ws_rng_u64(rng) >> 7, in = 0, turn;

			if (degree)
				in = remainder_gf2(line & ((1ull << ipoly[degree].reach) - 1),
						   ipoly[degree].polynomial, degree);
			wrong += index_of("ipoly", odd << degree, 128, line << 7) !=
				 ((line >> degree) % odd) * (1ull << degree) + in;
			turn = (line >> degree) / odd & ((1u << 25) - 1);
			turn = remainder_gf2(turn, 0x1053, 12);
			wrong += index_of("ipoly-skew", odd << degree, 128, line << 7) !=
				 (((line >> degree) + turn) % odd) * (1ull << degree) + in;
		}
		test_ok(wrong == 0, "ipoly of groups of %u sets: %u of 2000 differ", 1u << degree,
			wrong);
	}
}

/* Primitive: the powers of x are all the non-zero remainders. */
static void ipoly_primitive(void)
{
	for (unsigned degree = 1; degree < WS_COUNT(ipoly); degree++) {
		uint64_t power = 1, order = 0;

		do {
			power = remainder_gf2(power << 1, ipoly[degree].polynomial, degree);
			order++;
		} while (power != 1 && order < 1u << degree);
		test_ok(order == (1u << degree) - 1, "the polynomial of degree %u is primitive",
			degree);
	}
}

/* Fermi and xor as their authors write them, on address bits. */
static void fermi_and_xor(struct ws_rng *rng)
{
	unsigned wrong_fermi = 0, wrong_xor = 0;

	for (unsigned i = 0; i < 5000; i++) {
		uint64_t a = ws_rng_u64(rng) >> ws_rng_below(rng, 40);
		uint64_t sets = 1ull << (1 + ws_rng_below(rng, 16));
		uint64_t lower = a >> 7 & 31, upper = 0, fermi;

		upper |= (a >> 13 & 1) | (a >> 14 & 1) << 1 | (a >> 15 & 1) << 2;
		upper |= (a >> 17 & 1) << 3 | (a >> 19 & 1) << 4;
		fermi = (lower ^ upper) | (a >> 12) << 5;
		wrong_fermi += index_of("fermi", sets, 128, a) != fermi % sets;
		wrong_xor += index_of("xor", sets, 128, a) !=
			     (a / 128 % sets ^ a / 128 / sets % sets);
	}
	test_ok(wrong_fermi == 0, "fermi on address bits: %u of 5000 differ", wrong_fermi);
	test_ok(wrong_xor == 0, "xor by division: %u of 5000 differ", wrong_xor);
}

/* ---- properties of them all ----------------------------------------------------- */

/* Every aligned block of `sets` lines goes to every set once. */
static bool one_to_one(const struct ws_cache *c, uint64_t block)
{
	static unsigned char seen[65536];

	memset(seen, 0, sizeof seen);
	for (uint64_t i = 0; i < c->sets; i++) {
		uint64_t set = ws_set_index(c, (block * c->sets + i) * c->line_bytes);

		if (set >= c->sets || seen[set]++)
			return false;
	}
	return true;
}

static void blocks(struct ws_rng *rng)
{
	static const char *const names[] = { "modulo", "xor", "fermi", "ipoly", "ipoly-skew" };

	for (size_t n = 0; n < WS_COUNT(names); n++) {
		bool ok = true;

		for (unsigned k = 0; k <= 12; k++) {
			struct ws_cache c = cache(names[n], 1ull << k, 32ull << k % 6);

			ok = ok && (!c.hash->check || c.hash->check(&c, NULL) == WS_OK);
			for (unsigned i = 0; ok && i < 4; i++)
				ok = one_to_one(&c, ws_rng_u64(rng) >> 30);
		}
		test_ok(ok, "%s maps a block of 1..4096 lines one to one", names[n]);
	}
	for (uint64_t sets = 3; sets < 1000; sets += 97) {
		struct ws_cache c = cache("modulo", sets, 64);

		test_ok(one_to_one(&c, ws_rng_u64(rng) >> 30), "modulo of %" PRIu64 " sets",
			sets);
		c.hash = ws_hash_find("ipoly");
		test_ok(one_to_one(&c, ws_rng_u64(rng) >> 30), "ipoly of %" PRIu64 " sets", sets);
	}
}

static void whole_line_in_one_set(struct ws_rng *rng)
{
	static const char *const names[] = { "modulo", "xor", "fermi", "ipoly", "ipoly-skew",
					     "bits:10-21" };

	for (size_t n = 0; n < WS_COUNT(names); n++) {
		bool same = true, inside = true;

		for (unsigned i = 0; i < 2000; i++) {
			uint64_t line = 32ull << ws_rng_below(rng, 6), addr = ws_rng_u64(rng);
			struct ws_cache c = cache(names[n], 1ull << ws_rng_below(rng, 13), line);
			uint64_t set = ws_set_index(&c, addr);

			same = same && set == ws_set_index(&c, addr & ~(line - 1)) &&
			       set == ws_set_index(&c, addr | (line - 1));
			inside = inside && set < c.sets;
		}
		test_ok(same, "%s: a line has one set", names[n]);
		test_ok(inside, "%s: a set is below the number of sets", names[n]);
	}
}

static void bits(void)
{
	/* Mei and Chu's texture cache: 4 sets by address bits 7-8, 32-byte lines. */
	test_u64(index_of("bits:7-8", 4, 32, 0x080), 1, "bits 7-8 of 0x80");
	test_u64(index_of("bits:7-8", 4, 32, 0x1ff), 3, "bits 7-8 of 0x1ff");
	test_u64(index_of("bits:7-8", 4, 32, 0x260), 0, "bits 7-8 of 0x260");
	test_u64(index_of("bits:62-63", 4, 32, 3ull << 62), 3, "bits 62-63");
	test_u64(index_of("modulo", 1, 32, UINT64_MAX), 0, "one set");
}

/* The hash as a matrix: row i has the address bits that, alone, set bit i of the set. */
static struct ws_cache as_matrix(const struct ws_cache *c, unsigned rows)
{
	struct ws_cache m = *c;

	m.hash = ws_hash_find("matrix");
	m.hash_rows = rows;
	for (unsigned i = 0; i < rows; i++) {
		m.hash_row[i] = 0;
		for (unsigned b = 0; b < 64; b++)
			m.hash_row[i] |= (ws_set_index(c, 1ull << b) >> i & 1) << b;
	}
	return m;
}

static void matrices(struct ws_rng *rng)
{
	static const char *const names[] = { "modulo", "xor", "fermi", "ipoly", "ipoly-skew" };

	for (size_t n = 0; n < WS_COUNT(names); n++) {
		unsigned wrong = 0;

		for (unsigned i = 0; i < 2000; i++) {
			unsigned rows = 1 + (unsigned)ws_rng_below(rng, 12);
			uint64_t addr = ws_rng_u64(rng);
			struct ws_cache c = cache(names[n], 1ull << rows,
						  32ull << ws_rng_below(rng, 6));
			struct ws_cache m = as_matrix(&c, rows);

			wrong += m.hash->check(&m, NULL) != WS_OK ||
				 ws_set_index(&m, addr) != ws_set_index(&c, addr);
			m.sets = 1 + ws_rng_below(rng, c.sets);
			wrong += ws_set_index(&m, addr) != ws_set_index(&c, addr) % m.sets;
		}
		test_ok(wrong == 0, "%s is a matrix: %u of 4000 differ", names[n], wrong);
	}
}

static void matrix_refused(unsigned rows, uint64_t last, uint64_t sets, const char *says)
{
	struct ws_cache c = cache("matrix", sets, 128);
	struct ws_err err = { .status = WS_OK };

	c.hash_rows = rows;
	for (unsigned i = 0; i < rows; i++)
		c.hash_row[i] = 1ull << (7 + i);
	c.hash_row[rows - 1] = last;
	test_ok(c.hash->check(&c, &err) == WS_EINVAL, "a matrix is refused");
	test_str(err.text, says, "and why");
}

/* ---- where they are defined -------------------------------------------------------- */

static void refused(const char *hash, uint64_t sets, uint64_t line, const char *says)
{
	struct ws_cache c = cache(hash, sets, line);
	struct ws_err err = { .status = WS_OK };

	test_ok(c.hash->check(&c, &err) == WS_EINVAL, "%s is refused", hash);
	test_str(err.text, says, "and says why");
}

static void defined(void)
{
	struct ws_cache c = cache("bits:7-8", 4, 128);

	refused("xor", 48, 128, "xor is defined for a power of two of sets, not 48");
	refused("fermi", 96, 128, "fermi is defined for a power of two of sets, not 96");
	refused("ipoly", 8192, 128, "ipoly is defined for 1..4096 times an odd number of sets, not "
		"8192");
	refused("ipoly", 24576, 128, "ipoly is defined for 1..4096 times an odd number of sets, "
		"not 24576");
	refused("ipoly", 0, 128, "ipoly is defined for 1..4096 times an odd number of sets, not 0");
	refused("bits:7-8", 8, 32, "bits:7-8 has too few bits for 8 sets: want 3");
	refused("bits:7-8", 3, 32, "bits is defined for a power of two of sets, not 3");
	refused("bits:6-9", 4, 128,
		"bits:6-9 begins inside a line of 128 bytes: want LOW 7 or more");
	test_ok(c.hash->check(&c, NULL) == WS_OK, "bits:7-8 of 4 sets");
	matrix_refused(4, 0x400, 17, "matrix has 4 rows: 17 sets want 5 or more");
	matrix_refused(3, 0x440, 8, "row 440 of matrix has bits inside a line of 128 bytes");
	matrix_refused(3, 0x180, 8, "row 180 of matrix is a sum of rows before it: some sets "
		       "would never be used");
	test_ok(ws_hash_find("bits:7-8") && ws_hash_find("bits"), "bits is found");
	test_ok(!ws_hash_find("xor:3") && !ws_hash_find("") && !ws_hash_find("fermix"),
		"others are not");
}

int main(void)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(20240607));
	vectors();
	ipoly_division(&rng);
	ipoly_groups(&rng);
	ipoly_primitive();
	fermi_and_xor(&rng);
	blocks(&rng);
	whole_line_in_one_set(&rng);
	matrices(&rng);
	bits();
	defined();
	return test_done();
}
