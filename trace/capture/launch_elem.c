/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch_elem.c -- elements of buffers in host memory.
 *
 * Buffers are in the host's byte order, which capture's kernels compute in;
 * files are little-endian, as every host is that capture runs on.
 */
#include "trace/capture/launch.h"

#include <math.h>
#include <string.h>

const char *const ws_elem_names[WS_ELEMS] = {
	"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double",
	"half",
};
const unsigned ws_elem_bytes[WS_ELEMS] = { 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 2 };

bool ws_elem_is_float(enum ws_elem e)
{
	return e == WS_ELEM_FLOAT || e == WS_ELEM_DOUBLE || e == WS_ELEM_HALF;
}

/* 10 bits behind the point; the least exponent is -14, and below it are no leading ones. */
uint16_t ws_half_bits(double value)
{
	unsigned sign = signbit(value) ? 0x8000u : 0, exponent;
	double size = fabs(value);

	if (isnan(value))
		return 0x7e00;
	if (size >= 65520)
		return (uint16_t)(sign | 0x7c00);
	if (size < 0x1p-14)
		return (uint16_t)(sign | (unsigned)rint(size * 0x1p24));
	exponent = (unsigned)(ilogb(size) + 15); /* a carry goes into it, as it should */
	return (uint16_t)(sign | ((exponent << 10) +
				  (unsigned)rint(ldexp(size, 25 - (int)exponent)) - 1024));
}

double ws_half_of(uint16_t bits)
{
	int exponent = bits >> 10 & 31;
	double part = bits & 1023, size;

	if (exponent == 31)
		size = part > 0 ? (double)NAN : (double)INFINITY;
	else
		size = exponent ? ldexp(1024 + part, exponent - 25) : part * 0x1p-24;
	return bits & 0x8000 ? -size : size;
}

bool ws_elem_is_signed(enum ws_elem e)
{
	return e == WS_ELEM_CHAR || e == WS_ELEM_SHORT || e == WS_ELEM_INT || e == WS_ELEM_LONG;
}

/* Largest value of an integer type; the smallest is 0 or -max-1. */
uint64_t ws_elem_max(enum ws_elem e)
{
	return UINT64_MAX >> (64 - 8 * ws_elem_bytes[e] + ws_elem_is_signed(e));
}

/* The low bytes of value (two's complement), as the host keeps them. */
void ws_elem_store_int(uint8_t *to, enum ws_elem e, uint64_t value)
{
	switch (ws_elem_bytes[e]) {
	case 1:
		*to = (uint8_t)value;
		break;
	case 2:
		memcpy(to, &(uint16_t){ (uint16_t)value }, 2);
		break;
	case 4:
		memcpy(to, &(uint32_t){ (uint32_t)value }, 4);
		break;
	default:
		memcpy(to, &value, 8);
	}
}

void ws_elem_store_float(uint8_t *to, enum ws_elem e, double value)
{
	if (e == WS_ELEM_FLOAT)
		memcpy(to, &(float){ (float)value }, sizeof(float));
	else if (e == WS_ELEM_HALF)
		memcpy(to, &(uint16_t){ ws_half_bits(value) }, sizeof(uint16_t));
	else
		memcpy(to, &value, sizeof value);
}

uint64_t ws_elem_load_int(const uint8_t *from, enum ws_elem e)
{
	uint64_t v = 0;
	unsigned bits = 8 * ws_elem_bytes[e];

	for (unsigned i = 0; i < bits; i += 8)
		v |= (uint64_t)from[i / 8] << i;
	if (ws_elem_is_signed(e) && bits < 64 && v >> (bits - 1))
		v |= UINT64_MAX << bits;
	return v;
}

double ws_elem_load_double(const uint8_t *from, enum ws_elem e)
{
	uint16_t half;
	double d;
	float f;

	if (e == WS_ELEM_DOUBLE) {
		memcpy(&d, from, sizeof d);
		return d;
	}
	if (e == WS_ELEM_FLOAT) {
		memcpy(&f, from, sizeof f);
		return (double)f;
	}
	if (e == WS_ELEM_HALF) {
		memcpy(&half, from, sizeof half);
		return ws_half_of(half);
	}
	if (ws_elem_is_signed(e))
		return (double)(int64_t)ws_elem_load_int(from, e);
	return (double)ws_elem_load_int(from, e);
}
