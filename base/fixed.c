/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/fixed.c -- numbers as decimals: what printf writes, to the byte, in a tenth of its time.
 * Tables of many rows are mostly numbers.
 *
 * A double is m / 2^s.  m * 10^decimals has fewer than 128 bits where the number is below 10^9, and
 * is divided without a rest that is lost; halves go to the even number, as printf's do.  What is
 * larger, or negative, is left to printf.  The fewest digits that read back are found in the same
 * way: a decimal reads back as the double to which it is nearest.
 */
#include "base/table.h"

#include <math.h>
#include <string.h>

#define BELOW 1e9		/* 30 bits, so that s is at least 23 */
#define DECIMALS_MOST 9
#define SHORTEST_FROM 1e-3	/* with 17 digits fewer than 128 bits */
#define SHORTEST_BELOW 1e9
#define MANTISSA 52		/* bits of a double's that are stored */

static size_t put_digits(char *text, uint64_t value, size_t digits)
{
	for (size_t i = digits; i-- > 0; value /= 10)
		text[i] = (char)('0' + value % 10);
	return digits;
}

size_t ws_count_text(char text[WS_NUMBER_TEXT], uint64_t count)
{
	size_t digits = 1;

	for (uint64_t rest = count / 10; rest; rest /= 10)
		digits++;
	return put_digits(text, count, digits);
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

struct binary {			/* a number that is mantissa / 2^shift */
	uint64_t mantissa;
	unsigned shift;
};

static struct binary binary_of(double value)
{
	uint64_t bits, exponent, lead = UINT64_C(1) << MANTISSA;

	memcpy(&bits, &value, sizeof bits);
	exponent = bits >> MANTISSA;
	return (struct binary){ (bits & (lead - 1)) | (exponent ? lead : 0),
				1075 - (unsigned)(exponent ? exponent : 1) };
}

static wide power_of_ten(int exponent)
{
	wide power = 1;

	for (; exponent > 0; exponent--)
		power *= 10;
	return power;
}

/* product / 2^shift, rounded. */
static uint64_t round_off(wide product, unsigned shift)
{
	wide half = (wide)1 << (shift - 1), rest = product & (half + half - 1);

	product >>= shift;
	return (uint64_t)product + (rest > half || (rest == half && (product & 1)));
}

/* value * 10^decimals, rounded. */
static uint64_t scaled(double value, int decimals)
{
	struct binary b = binary_of(value);

	if (b.shift > 100)	/* below 2^-47, and with 9 decimals below a half */
		return 0;
	return round_off(b.mantissa * power_of_ten(decimals), b.shift);
}

size_t ws_fixed_text(char text[WS_NUMBER_TEXT], double value, int decimals)
{
	uint64_t number, whole, power = 1;
	size_t len;

	if (signbit(value) || !(value < BELOW) || decimals < 0 || decimals > DECIMALS_MOST)
		return 0;
	for (int i = 0; i < decimals; i++)
		power *= 10;
	number = scaled(value, decimals);
	whole = number / power;
	len = ws_count_text(text, whole);
	if (!decimals)
		return len;
	text[len++] = '.';
	return len + put_digits(text + len, number - whole * power, (size_t)decimals);
}

/* Does number / power read back as b?  It does if it is nearer than half the way to b's neighbour
 * on that side, or half of it and b is even.  Below a power of two the neighbour is half as far. */
static bool reads_back(struct binary b, uint64_t number, wide power)
{
	wide is = (wide)number << b.shift, wanted = b.mantissa * power;
	wide off = 2 * (is > wanted ? is - wanted : wanted - is);
	bool lowest = b.mantissa == UINT64_C(1) << MANTISSA;
	wide most = is < wanted && lowest ? power / 2 : power;

	return off < most || (off == most && b.mantissa % 2 == 0);
}

/* The point goes behind digit `whole`, which may be none of them; zeros at the end are left out. */
static size_t put_point(char text[WS_NUMBER_TEXT], uint64_t number, int digits, int whole)
{
	size_t len = 0;

	while (number % 10 == 0 && digits > whole) {
		number /= 10;
		digits--;
	}
	if (whole > 0) {
		uint64_t power = (uint64_t)power_of_ten(digits - whole);

		len = put_digits(text, number / power, (size_t)whole);
		number %= power;
		digits -= whole;
		whole = 0;
	} else {
		text[len++] = '0';
	}
	if (digits)
		text[len++] = '.';
	for (; whole < 0; whole++)
		text[len++] = '0';
	return len + put_digits(text + len, number, (size_t)digits);
}

size_t ws_shortest_text(char text[WS_NUMBER_TEXT], double value)
{
	struct binary b = binary_of(value);
	int whole = -3;		/* digits before the point; of 0.01, -1 */
	double ten = 1e-3;

	if (value == 0 && !signbit(value))
		return ws_count_text(text, 0);
	if (!(value >= SHORTEST_FROM && value < SHORTEST_BELOW))
		return 0;
	if (value == floor(value))
		return ws_count_text(text, (uint64_t)value);
	for (; value >= ten; ten *= 10)
		whole++;
	for (int digits = 15; digits <= 17; digits++) {
		wide power = power_of_ten(digits - whole);
		uint64_t number = round_off(b.mantissa * power, b.shift);
		uint64_t end = (uint64_t)power_of_ten(digits);

		if (number >= end || number < end / 10)
			return 0;	/* next to a power of ten */
		if (reads_back(b, number, power))
			return put_point(text, number, digits, whole);
	}
	return 0;
}
#else
size_t ws_shortest_text(char text[WS_NUMBER_TEXT], double value)
{
	(void)text;
	(void)value;
	return 0;
}

size_t ws_fixed_text(char text[WS_NUMBER_TEXT], double value, int decimals)
{
	(void)text;
	(void)value;
	(void)decimals;
	return 0;
}
#endif
