/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/fixed.c -- numbers as decimals: what printf writes, to the byte, in a tenth of its time.
 * Tables of many rows are mostly numbers.
 *
 * A double is m / 2^s.  m * 10^decimals has fewer than 128 bits where the number is below 10^9, and
 * is divided without a rest that is lost; halves go to the even number, as printf's do.  What is
 * larger, or negative, is left to printf.
 */
#include "base/table.h"

#include <math.h>
#include <string.h>

#define BELOW 1e9		/* 30 bits, so that s is at least 23 */
#define DECIMALS_MOST 9
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

/* value * 10^decimals, rounded. */
static uint64_t scaled(double value, int decimals)
{
	uint64_t bits, mantissa, power = 1, exponent;
	unsigned shift;
	wide product, rest, half;

	memcpy(&bits, &value, sizeof bits);
	exponent = bits >> MANTISSA;
	mantissa = bits & ((UINT64_C(1) << MANTISSA) - 1);
	if (exponent)
		mantissa |= UINT64_C(1) << MANTISSA;
	shift = 1075 - (unsigned)(exponent ? exponent : 1);
	if (shift > 100)	/* below 2^-47, and with 9 decimals below a half */
		return 0;
	for (int i = 0; i < decimals; i++)
		power *= 10;
	product = (wide)mantissa * power;
	half = (wide)1 << (shift - 1);
	rest = product & (half + half - 1);
	product >>= shift;
	return (uint64_t)product + (rest > half || (rest == half && (product & 1)));
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
#else
size_t ws_fixed_text(char text[WS_NUMBER_TEXT], double value, int decimals)
{
	(void)text;
	(void)value;
	(void)decimals;
	return 0;
}
#endif
