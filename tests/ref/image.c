/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/image.c -- see image.h.  Each rule is written as the specification has it, one after
 * the other; which texels are read is decided in float, as it says there.
 */
#include "tests/ref/image.h"

#include <math.h>
#include <string.h>

static bool is(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

static bool starts(const char *a, const char *b)
{
	return strncmp(a, b, strlen(b)) == 0;
}

/* ---- texels as numbers: 8.3 -------------------------------------------------------------- */

int ref_channels(const char *order)
{
	if (is(order, "RG") || is(order, "RA") || is(order, "RGx"))
		return 2;
	if (is(order, "RGB") || is(order, "RGBx"))
		return 3;
	return is(order, "RGBA") || is(order, "BGRA") || is(order, "ARGB") ? 4 : 1;
}

static bool packed(const char *type)
{
	return is(type, "UNORM_SHORT_565") || is(type, "UNORM_SHORT_555") ||
	       is(type, "UNORM_INT_101010");
}

static int channel_bytes(const char *type)
{
	if (strstr(type, "INT8"))
		return 1;
	return strstr(type, "INT32") || is(type, "FLOAT") || is(type, "UNORM_INT_101010") ? 4 : 2;
}

int ref_texel_bytes(const struct ref_image *m)
{
	return channel_bytes(m->type) * (packed(m->type) ? 1 : ref_channels(m->order));
}

static double half_of(unsigned bits)
{
	unsigned sign = bits >> 15, exponent = bits >> 10 & 31, fraction = bits & 1023;
	double v = exponent == 0    ? fraction / 1024.0 / 16384.0
		   : exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
				    : (1 + fraction / 1024.0) * pow(2, (int)exponent - 15);

	return sign ? -v : v;
}

static int64_t integer_of(const char *type, const uint8_t *p)
{
	int bytes = channel_bytes(type);
	uint64_t v = 0;

	for (int i = 0; i < bytes; i++)
		v |= (uint64_t)p[i] << 8 * i;
	if ((starts(type, "SIGNED") || starts(type, "SNORM")) && v >> (8 * bytes - 1))
		return (int64_t)v - (INT64_C(1) << 8 * bytes);
	return (int64_t)v;
}

static double number_of(const char *type, const uint8_t *p)
{
	double v = (double)integer_of(type, p);
	float f;

	if (is(type, "UNORM_INT8"))
		return v / 255;
	if (is(type, "UNORM_INT16"))
		return v / 65535;
	if (is(type, "SNORM_INT8"))
		return v / 127 < -1 ? -1 : v / 127;
	if (is(type, "SNORM_INT16"))
		return v / 32767 < -1 ? -1 : v / 32767;
	if (is(type, "HALF_FLOAT"))
		return half_of((unsigned)v);
	if (!is(type, "FLOAT"))
		return v;
	memcpy(&f, p, sizeof f);
	return (double)f;
}

/* The places of R, G, B and A among the channels: '0' and '1' are constants. */
static const char *places(const char *order)
{
	static const char *const table[][2] = {
		{ "R", "a001" },    { "Rx", "a001" },	{ "A", "000a" },	 { "RG", "ab01" },
		{ "RGx", "ab01" },  { "RA", "a00b" },	{ "RGB", "abc1" },	 { "RGBx", "abc1" },
		{ "RGBA", "abcd" }, { "BGRA", "cbad" }, { "ARGB", "bcda" },	 
		{ "INTENSITY", "aaaa" },
		{ "LUMINANCE", "aaa1" },
	};

	for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
		if (is(table[i][0], order))
			return table[i][1];
	}
	return "0000";
}

static void packed_channels(const char *type, unsigned v, double channel[4])
{
	if (is(type, "UNORM_SHORT_565")) {
		channel[0] = (v >> 11) / 31.0;
		channel[1] = (v >> 5 & 63) / 63.0;
		channel[2] = (v & 31) / 31.0;
	} else if (is(type, "UNORM_SHORT_555")) {
		channel[0] = (v >> 10 & 31) / 31.0;
		channel[1] = (v >> 5 & 31) / 31.0;
		channel[2] = (v & 31) / 31.0;
	} else {
		channel[0] = (v >> 20 & 1023) / 1023.0;
		channel[1] = (v >> 10 & 1023) / 1023.0;
		channel[2] = (v & 1023) / 1023.0;
	}
}

void ref_texel(struct ref_read *out, const struct ref_image *m, const uint8_t *texel)
{
	double channel[4] = { 0 };
	int64_t whole[4] = { 0 };
	const char *place = places(m->order);

	if (packed(m->type))
		packed_channels(m->type, (unsigned)integer_of(m->type, texel), channel);
	for (int i = 0; i < ref_channels(m->order) && !packed(m->type); i++) {
		channel[i] = number_of(m->type, texel + i * channel_bytes(m->type));
		whole[i] = integer_of(m->type, texel + i * channel_bytes(m->type));
	}
	for (int i = 0; i < 4; i++) {
		out->number[i] = place[i] < 'a' ? place[i] - '0' : channel[place[i] - 'a'];
		out->integer[i] = place[i] < 'a' ? place[i] - '0' : whole[place[i] - 'a'];
	}
}

static void border(struct ref_read *out, const char *order)
{
	bool opaque = is(order, "R") || is(order, "RG") || is(order, "RGB") ||
		      is(order, "LUMINANCE");

	for (int i = 0; i < 4; i++) {
		out->number[i] = i == 3 && opaque;
		out->integer[i] = i == 3 && opaque;
	}
}

double ref_quantised(const char *type, int channel, float c)
{
	double most = is(type, "UNORM_INT8") ? 255 : is(type, "UNORM_INT16") ? 65535
		      : is(type, "SNORM_INT8") ? 127 : is(type, "SNORM_INT16") ? 32767
		      : is(type, "UNORM_INT_101010") ? 1023
		      : is(type, "UNORM_SHORT_565") && channel == 1 ? 63 : 31;
	double least = starts(type, "SNORM") ? -most - 1 : 0;
	double v = rint((double)(c * (float)most));

	return v > most ? most : v < least ? least : v;
}

/* ---- which texels: 8.2 ------------------------------------------------------------------- */

static int clamp(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

static int with_mode(enum ref_address mode, int i, int size)
{
	return mode == REF_EDGE    ? clamp(i, 0, size - 1)
	       : mode == REF_CLAMP ? clamp(i, -1, size)
				   : i;
}

/* Indices of one axis: one or, filtered, two with the second's weight. */
static void axis(const struct ref_sampler *s, float c, int size, int index[2], double *weight)
{
	float w = (float)size, u = s->normalized ? c * w : c, mirrored;

	if (s->address == REF_REPEAT) {
		u = (c - floorf(c)) * w;
	} else if (s->address == REF_MIRROR) {
		mirrored = 2.0f * rintf(0.5f * c);
		mirrored = fabsf(c - mirrored);
		u = mirrored * w;
	}
	if (!s->linear) {
		index[0] = (int)floorf(u);
		if (s->address == REF_REPEAT && index[0] > size - 1)
			index[0] -= size;
		else if (s->address == REF_MIRROR)
			index[0] = index[0] < size - 1 ? index[0] : size - 1;
		else if (s->address != REF_REPEAT)
			index[0] = with_mode(s->address, index[0], size);
		return;
	}
	index[0] = (int)floorf(u - 0.5f);
	index[1] = index[0] + 1;
	*weight = (double)(u - 0.5f) - floor((double)(u - 0.5f));
	if (s->address == REF_REPEAT) {
		index[0] = index[0] < 0 ? size + index[0] : index[0];
		index[1] = index[1] > size - 1 ? index[1] - size : index[1];
	} else if (s->address == REF_MIRROR) {
		index[0] = index[0] > 0 ? index[0] : 0;
		index[1] = index[1] < size - 1 ? index[1] : size - 1;
	} else {
		index[0] = with_mode(s->address, index[0], size);
		index[1] = with_mode(s->address, index[1], size);
	}
}

/* One texel, or the border. */
static void fetch(struct ref_read *out, const struct ref_image *m, const int index[3], int layer)
{
	uint64_t offset = 0, stride = (uint64_t)ref_texel_bytes(m);

	for (unsigned d = 0; d < m->axes; d++) {
		if (index[d] < 0 || index[d] >= m->size[d]) {
			border(out, m->order);
			return;
		}
		offset += (uint64_t)index[d] * stride;
		stride *= (uint64_t)m->size[d];
	}
	offset += (uint64_t)layer * stride;
	ref_texel(out, m, m->data + offset);
	out->offset[out->texels++] = offset;
}

static void filter(struct ref_read *out, const struct ref_image *m, int index[3][2],
		   const double weight[3], int layer)
{
	double sum[4] = { 0 };

	for (unsigned corner = 0; corner < 1u << m->axes; corner++) {
		double w = 1;
		int at[3] = { 0 };

		for (unsigned d = 0; d < m->axes; d++) {
			at[d] = index[d][corner >> d & 1];
			w *= corner >> d & 1 ? weight[d] : 1 - weight[d];
		}
		fetch(out, m, at, layer);
		for (int i = 0; i < 4; i++) {
			sum[i] += w * out->number[i];
			out->largest = fmax(out->largest, fabs(out->number[i]));
		}
	}
	memcpy(out->number, sum, sizeof sum);
}

void ref_read(struct ref_read *out, const struct ref_image *m, const struct ref_sampler *s,
	      const float c[4])
{
	int index[3][2] = { { 0 } }, at[3], layer = 0;
	double weight[3] = { 0 };

	*out = (struct ref_read){ .texels = 0 };
	for (unsigned d = 0; d < m->axes; d++) {
		axis(s, c[d], m->size[d], index[d], &weight[d]);
		at[d] = index[d][0];
	}
	if (m->layers)
		layer = clamp((int)rintf(c[m->axes]), 0, m->layer_count - 1);
	if (s->linear)
		filter(out, m, index, weight, layer);
	else
		fetch(out, m, at, layer);
}

void ref_read_at(struct ref_read *out, const struct ref_image *m, const struct ref_sampler *s,
		 const int c[4])
{
	int at[3] = { 0 };

	*out = (struct ref_read){ .texels = 0 };
	for (unsigned d = 0; d < m->axes; d++)
		at[d] = with_mode(s->address, c[d], m->size[d]);
	fetch(out, m, at, m->layers ? clamp(c[m->axes], 0, m->layer_count - 1) : 0);
}

/* From the highest bit down: the GOB, then x5 y2 y1 x4 y0 x3 x2 x1 x0. */
uint64_t ref_block_linear(uint64_t x, uint64_t y, uint64_t z, uint64_t row_bytes, uint64_t rows)
{
	uint64_t across = (row_bytes + 63) / 64, down = (rows + 7) / 8;
	uint64_t at = (z * down + (y >> 3)) * across + (x >> 6);

	at = at << 1 | (x >> 5 & 1);
	at = at << 1 | (y >> 2 & 1);
	at = at << 1 | (y >> 1 & 1);
	at = at << 1 | (x >> 4 & 1);
	at = at << 1 | (y & 1);
	return at << 4 | (x & 15);
}
