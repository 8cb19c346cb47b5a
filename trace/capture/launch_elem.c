/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch_elem.c -- elements of buffers in host memory.
 *
 * Buffers are in the host's byte order, which capture's kernels compute in;
 * files are little-endian, as every host is that capture runs on.
 */
#include "trace/capture/launch.h"

#include <string.h>

const char *const ws_elem_names[WS_ELEMS] = {
	"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double",
};
const unsigned ws_elem_bytes[WS_ELEMS] = { 1, 1, 2, 2, 4, 4, 8, 8, 4, 8 };

bool ws_elem_is_float(enum ws_elem e)
{
	return e == WS_ELEM_FLOAT || e == WS_ELEM_DOUBLE;
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
	if (ws_elem_is_signed(e))
		return (double)(int64_t)ws_elem_load_int(from, e);
	return (double)ws_elem_load_int(from, e);
}
