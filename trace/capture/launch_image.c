/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch_image.c -- images and samplers as launch files name them, and where an
 * image's texels lie.
 *
 *   image2d:rgba:unorm_int8 640x480	a shape, OpenCL's channel order and type, texels along axes
 *   image2d:r:float:block-linear 640x480
 *   sampler:linear:clamp:normalized	the words in any order; nearest, none, unnormalized if not said
 *
 * Rows are tight.  Block-linear is the order of NVIDIA's GPUs with blocks of one GOB ("group of
 * bytes"): 64 bytes of 8 rows, 512 bytes in all, one after the other along a row, then the rows of
 * them, then slices or layers.  In a GOB come pieces of 16 bytes: those of two rows, then the two
 * beside them, then the next two rows, then the other half of the GOB's width; so a sector of 32
 * bytes is 16 bytes of two rows, and a line of 128 is 32 bytes of four.
 */
#include "trace/capture/launch.h"

#include <stdlib.h>
#include <string.h>

#define GOB_WIDTH 64u
#define GOB_ROWS  8u
#define SIDE_MAX  65536u

/* ---- formats ----------------------------------------------------------------------------- */

static const struct order {
	const char *name;
	uint32_t number;
	unsigned channels;
} orders[] = {
	{ "r", 0x10b0, 1 },    { "a", 0x10b1, 1 },	   { "rg", 0x10b2, 2 },
	{ "ra", 0x10b3, 2 },   { "rgb", 0x10b4, 3 },	   { "rgba", 0x10b5, 4 },
	{ "bgra", 0x10b6, 4 }, { "argb", 0x10b7, 4 },	   { "intensity", 0x10b8, 1 },
	{ "luminance", 0x10b9, 1 }, { "rx", 0x10ba, 1 },   { "rgx", 0x10bb, 2 },
	{ "rgbx", 0x10bc, 3 },
};

static const struct type {
	const char *name;
	uint32_t number;
	enum ws_elem elem;
	bool packed; /* all channels in one element */
	bool number_like; /* read as floating point */
} types[] = {
	{ "snorm_int8", 0x10d0, WS_ELEM_CHAR, false, true },
	{ "snorm_int16", 0x10d1, WS_ELEM_SHORT, false, true },
	{ "unorm_int8", 0x10d2, WS_ELEM_UCHAR, false, true },
	{ "unorm_int16", 0x10d3, WS_ELEM_USHORT, false, true },
	{ "unorm_short_565", 0x10d4, WS_ELEM_USHORT, true, true },
	{ "unorm_short_555", 0x10d5, WS_ELEM_USHORT, true, true },
	{ "unorm_int_101010", 0x10d6, WS_ELEM_UINT, true, true },
	{ "signed_int8", 0x10d7, WS_ELEM_CHAR, false, false },
	{ "signed_int16", 0x10d8, WS_ELEM_SHORT, false, false },
	{ "signed_int32", 0x10d9, WS_ELEM_INT, false, false },
	{ "unsigned_int8", 0x10da, WS_ELEM_UCHAR, false, false },
	{ "unsigned_int16", 0x10db, WS_ELEM_USHORT, false, false },
	{ "unsigned_int32", 0x10dc, WS_ELEM_UINT, false, false },
	{ "half_float", 0x10dd, WS_ELEM_HALF, false, true },
	{ "float", 0x10de, WS_ELEM_FLOAT, false, true },
};

/* Which of them go together: table 5.8 of the OpenCL 1.2 specification. */
static bool go_together(const struct order *o, const struct type *t)
{
	bool rgb = o->channels == 3, grey = !strcmp(o->name, "intensity") || !strcmp(o->name, "luminance");
	bool swapped = !strcmp(o->name, "bgra") || !strcmp(o->name, "argb");

	if (rgb || t->packed)
		return rgb && t->packed;
	if (grey)
		return t->number_like;
	return !swapped || ws_elem_bytes[t->elem] == 1;
}

static const struct order *order_of(uint32_t number)
{
	return number - orders[0].number < WS_COUNT(orders) ? &orders[number - orders[0].number]
							    : NULL;
}

static const struct type *type_of(uint32_t number)
{
	return number - types[0].number < WS_COUNT(types) ? &types[number - types[0].number] : NULL;
}

uint32_t ws_texel_bytes(uint32_t order, uint32_t type)
{
	const struct order *o = order_of(order);
	const struct type *t = type_of(type);

	if (!o || !t || !go_together(o, t))
		return 0;
	return ws_elem_bytes[t->elem] * (t->packed ? 1 : o->channels);
}

/* ---- images ------------------------------------------------------------------------------ */

static const struct shape {
	const char *name, *type;
	unsigned axes;
	bool tiles;
} shapes[WS_IMAGE_SHAPES] = {
	[WS_IMAGE_NONE] = { "", "", 0, false },
	[WS_IMAGE_1D] = { "image1d", "image1d_t", 1, false },
	[WS_IMAGE_BUFFER] = { "image1d_buffer", "image1d_buffer_t", 1, false },
	[WS_IMAGE_1D_ARRAY] = { "image1d_array", "image1d_array_t", 2, false },
	[WS_IMAGE_2D] = { "image2d", "image2d_t", 2, true },
	[WS_IMAGE_2D_ARRAY] = { "image2d_array", "image2d_array_t", 3, true },
	[WS_IMAGE_3D] = { "image3d", "image3d_t", 3, true },
};

const char *ws_image_type(enum ws_image_shape shape)
{
	return shapes[shape].type;
}

bool ws_is_image(const char *type)
{
	return strncmp(type, "image", 5) == 0;
}

/* The next word of the text, up to a colon; false at its end or if it is too long. */
static bool next_word(const char **text, char word[32])
{
	size_t len = strcspn(*text, ":");

	if (!len || len >= 32)
		return false;
	memcpy(word, *text, len);
	word[len] = '\0';
	*text += len + ((*text)[len] == ':');
	return true;
}

static enum ws_status parse_kind(struct ws_buffer *b, const char *text, const struct order **o,
				 const struct type **t, const struct ws_place *at,
				 struct ws_err *err)
{
	char shape[32], order[32], type[32], layout[32] = "row-major";
	const char *rest = text;
	bool good = next_word(&rest, shape) && next_word(&rest, order) && next_word(&rest, type);

	if (good && *rest)
		good = next_word(&rest, layout) && !*rest;
	if (!good)
		return ws_place_fail(at, err, "type '%.60s': want SHAPE:ORDER:CHANNEL and perhaps "
				     ":block-linear, as in image2d:rgba:float", text);
	for (unsigned i = 1; i < WS_IMAGE_SHAPES; i++) {
		if (strcmp(shape, shapes[i].name) == 0)
			b->image.shape = (uint8_t)i;
	}
	for (size_t i = 0; i < WS_COUNT(orders); i++) {
		if (strcmp(order, orders[i].name) == 0)
			*o = &orders[i];
	}
	for (size_t i = 0; i < WS_COUNT(types); i++) {
		if (strcmp(type, types[i].name) == 0)
			*t = &types[i];
	}
	if (!b->image.shape)
		return ws_place_fail(at, err, "image '%s': want image1d, image1d_buffer, "
				     "image1d_array, image2d, image2d_array or image3d", shape);
	if (!*o || !*t || !go_together(*o, *t))
		return ws_place_fail(at, err, "image of '%s:%s': want a channel order and a type that "
				     "OpenCL has together, as rgba:unorm_int8 or r:float", order, type);
	b->image.tiled = strcmp(layout, "block-linear") == 0;
	if (!b->image.tiled && strcmp(layout, "row-major") != 0)
		return ws_place_fail(at, err, "layout '%s': want row-major or block-linear", layout);
	if (b->image.tiled && !shapes[b->image.shape].tiles)
		return ws_place_fail(at, err, "%s as block-linear: want two axes", shape);
	return WS_OK;
}

/* "640x480": one number for each axis of the shape. */
static bool parse_size(const char *text, unsigned axes, uint64_t side[3])
{
	char number[24];

	for (unsigned i = 0; i < axes; i++) {
		size_t len = strcspn(text, "x");

		if (len >= sizeof number || (text[len] == 'x') != (i + 1 < axes))
			return false;
		memcpy(number, text, len);
		number[len] = '\0';
		if (!ws_parse_size(number, &side[i]) || side[i] < 1)
			return false;
		text += len + 1;
	}
	return true;
}

enum ws_status ws_image_parse(struct ws_buffer *b, const char *text, const char *size,
			      const struct ws_place *at, struct ws_err *err)
{
	uint64_t side[3] = { 1, 1, 1 }, most = SIDE_MAX;
	struct ws_image *m = &b->image;
	const struct order *o = NULL;
	const struct type *t = NULL;
	enum ws_status status = parse_kind(b, text, &o, &t, at, err);

	if (status != WS_OK)
		return status;
	if (m->shape == WS_IMAGE_BUFFER)
		most = 1u << 27;
	if (!parse_size(size, shapes[m->shape].axes, side) || side[0] > most ||
	    side[1] > SIDE_MAX || side[2] > SIDE_MAX)
		return ws_place_fail(at, err, "size '%.40s' of an %s: want %s, each at least 1 and at "
				     "most %u", size, shapes[m->shape].name,
				     shapes[m->shape].axes == 1 ? "WIDTH" :
				     m->shape == WS_IMAGE_1D_ARRAY ? "WIDTHxLAYERS" :
				     m->shape == WS_IMAGE_2D ? "WIDTHxHEIGHT" :
				     m->shape == WS_IMAGE_3D ? "WIDTHxHEIGHTxDEPTH" :
				     "WIDTHxHEIGHTxLAYERS", (unsigned)most);
	if (m->shape == WS_IMAGE_1D_ARRAY) {
		side[2] = side[1];
		side[1] = 1;
	}
	b->elem = t->elem;
	b->lanes = t->packed ? 1 : o->channels;
	b->count = side[0] * side[1] * side[2];
	m->width = (uint32_t)side[0];
	m->height = (uint32_t)side[1];
	m->depth = (uint32_t)side[2];
	m->order = o->number;
	m->type = t->number;
	m->texel = ws_texel_bytes(o->number, t->number);
	m->row = side[0] * m->texel;
	m->slice = m->row * side[1];
	b->bytes = m->slice * side[2];
	return WS_OK;
}

/* ---- places ------------------------------------------------------------------------------ */

static uint64_t gobs_across(const struct ws_image *m)
{
	return ((uint64_t)m->width * m->texel + GOB_WIDTH - 1) / GOB_WIDTH;
}

static uint64_t gob_rows(const struct ws_image *m)
{
	return ((uint64_t)m->height + GOB_ROWS - 1) / GOB_ROWS;
}

uint64_t ws_image_bytes(const struct ws_image *m)
{
	if (!m->tiled)
		return m->slice * m->depth;
	return gobs_across(m) * gob_rows(m) * m->depth * GOB_WIDTH * GOB_ROWS;
}

uint64_t ws_image_place(const struct ws_image *m, uint64_t offset)
{
	uint64_t x, y, z, gob;

	if (!m->tiled)
		return offset;
	z = offset / m->slice;
	y = offset % m->slice / m->row;
	x = offset % m->slice % m->row;
	gob = (z * gob_rows(m) + y / GOB_ROWS) * gobs_across(m) + x / GOB_WIDTH;
	return gob * GOB_WIDTH * GOB_ROWS + x % 64 / 32 * 256 + y % 8 / 2 * 64 + x % 32 / 16 * 32 +
	       y % 2 * 16 + x % 16;
}

uint64_t ws_buffer_span(const struct ws_buffer *b)
{
	return b->image.tiled ? ws_image_bytes(&b->image) : b->bytes;
}

/* ---- samplers ---------------------------------------------------------------------------- */

bool ws_sampler_parse(const char *text, uint32_t *bits)
{
	static const struct {
		const char *name;
		uint32_t mask, bits; /* as in clang's opencl-c-base.h */
	} words[] = {
		{ "nearest", 0x30, 0x10 },	 { "linear", 0x30, 0x20 },
		{ "none", 0x0e, 0 },		 { "clamp_to_edge", 0x0e, 2 },
		{ "clamp", 0x0e, 4 },		 { "repeat", 0x0e, 6 },
		{ "mirrored_repeat", 0x0e, 8 },	 { "unnormalized", 1, 0 },
		{ "normalized", 1, 1 },
	};
	uint32_t seen = 0;
	char word[32];
	bool good = next_word(&text, word) && strcmp(word, "sampler") == 0 && *text;

	*bits = 0x10;
	while (good && *text) {
		size_t i = 0;

		good = next_word(&text, word);
		while (good && i < WS_COUNT(words) && strcmp(words[i].name, word) != 0)
			i++;
		good = good && i < WS_COUNT(words) && !(seen & words[i].mask);
		if (good) {
			seen |= words[i].mask;
			*bits = (*bits & ~words[i].mask) | words[i].bits;
		}
	}
	return good && ((*bits & 0x0e) < 6 || (*bits & 1)); /* those that repeat want normalized */
}
