/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch_image.c -- images and samplers as launch files name them, and where an
 * image's texels lie.
 *
 *   image2d:rgba:unorm_int8 640x480	a shape, OpenCL's channel order and type, texels along axes
 *   image2d:r:float:block-linear 640x480
 *   sampler:linear:clamp:normalized	in any order; nearest, none, unnormalized if not said
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
#define LINE_MAX  (1u << 27) /* texels of an image of a buffer */

/* ---- formats ----------------------------------------------------------------------------- */

/* The types that an order goes with: table 5.8 of the OpenCL 1.2 specification. */
enum rule { ANY, REAL, BYTES, PACKED };

static const struct channel_order {
	const char *name;
	uint32_t number;
	unsigned channels;
	enum rule rule;
} orders[] = {
	{ "r", 0x10b0, 1, ANY },	  { "a", 0x10b1, 1, ANY },
	{ "rg", 0x10b2, 2, ANY },	  { "ra", 0x10b3, 2, ANY },
	{ "rgb", 0x10b4, 3, PACKED },	  { "rgba", 0x10b5, 4, ANY },
	{ "bgra", 0x10b6, 4, BYTES },	  { "argb", 0x10b7, 4, BYTES },
	{ "intensity", 0x10b8, 1, REAL }, { "luminance", 0x10b9, 1, REAL },
	{ "rx", 0x10ba, 1, ANY },	  { "rgx", 0x10bb, 2, ANY },
	{ "rgbx", 0x10bc, 3, PACKED },
};

static const struct type {
	const char *name;
	uint32_t number;
	enum ws_elem elem;
	bool packed; /* all channels in one element */
	bool real;   /* read as floating point */
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

static bool go_together(const struct channel_order *o, const struct type *t)
{
	switch (o->rule) {
	case PACKED:
		return t->packed;
	case REAL:
		return !t->packed && t->real;
	case BYTES:
		return !t->packed && ws_elem_bytes[t->elem] == 1;
	case ANY:
		break;
	}
	return !t->packed;
}

static const struct channel_order *order_of(uint32_t number)
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
	const struct channel_order *o = order_of(order);
	const struct type *t = type_of(type);

	if (!o || !t || !go_together(o, t))
		return 0;
	return ws_elem_bytes[t->elem] * (t->packed ? 1 : o->channels);
}

/* ---- images ------------------------------------------------------------------------------ */

static const struct shape {
	const char *name, *type, *size;
	unsigned axes; /* numbers of its size */
	bool tiles;
} shapes[WS_IMAGE_SHAPES] = {
	[WS_IMAGE_NONE] = { "", "", "", 0, false },
	[WS_IMAGE_1D] = { "image1d", "image1d_t", "WIDTH", 1, false },
	[WS_IMAGE_BUFFER] = { "image1d_buffer", "image1d_buffer_t", "WIDTH", 1, false },
	[WS_IMAGE_1D_ARRAY] = { "image1d_array", "image1d_array_t", "WIDTHxLAYERS", 2, false },
	[WS_IMAGE_2D] = { "image2d", "image2d_t", "WIDTHxHEIGHT", 2, true },
	[WS_IMAGE_2D_ARRAY] = { "image2d_array", "image2d_array_t", "WIDTHxHEIGHTxLAYERS", 3,
				true },
	[WS_IMAGE_3D] = { "image3d", "image3d_t", "WIDTHxHEIGHTxDEPTH", 3, true },
};

const char *ws_image_type(enum ws_image_shape shape)
{
	return shapes[shape].type;
}

void ws_image_text(const struct ws_image *m, char *text, size_t len)
{
	snprintf(text, len, "%s:%s:%s%s", shapes[m->shape].name, order_of(m->order)->name,
		 type_of(m->type)->name, m->tiled ? ":block-linear" : "");
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

struct kind { /* the words of a type */
	char shape[32], order[32], type[32], layout[32];
};

static bool parse_words(struct kind *k, const char *text)
{
	*k = (struct kind){ .layout = "row-major" };
	if (!next_word(&text, k->shape) || !next_word(&text, k->order) ||
	    !next_word(&text, k->type))
		return false;
	return !*text || (next_word(&text, k->layout) && !*text);
}

static const struct channel_order *order_named(const char *name)
{
	for (size_t i = 0; i < WS_COUNT(orders); i++) {
		if (strcmp(name, orders[i].name) == 0)
			return &orders[i];
	}
	return NULL;
}

static const struct type *type_named(const char *name)
{
	for (size_t i = 0; i < WS_COUNT(types); i++) {
		if (strcmp(name, types[i].name) == 0)
			return &types[i];
	}
	return NULL;
}

/* Sets shape, layout and format. */
static enum ws_status parse_kind(struct ws_image *m, const struct kind *k,
				 const struct ws_text_place *at, struct ws_err *err)
{
	const struct channel_order *o = order_named(k->order);
	const struct type *t = type_named(k->type);

	for (unsigned i = 1; i < WS_IMAGE_SHAPES; i++) {
		if (strcmp(k->shape, shapes[i].name) == 0)
			m->shape = (uint8_t)i;
	}
	if (!m->shape)
		return ws_place_fail(at, err, "image '%s': want image1d, image1d_buffer, "
				     "image1d_array, image2d, image2d_array or image3d", k->shape);
	if (!o || !t || !go_together(o, t))
		return ws_place_fail(at, err, "image of '%s:%s': want a channel order and a type "
				     "that OpenCL has together, as rgba:unorm_int8 or r:float",
				     k->order, k->type);
	m->order = o->number;
	m->type = t->number;
	m->texel = ws_texel_bytes(m->order, m->type);
	m->tiled = strcmp(k->layout, "block-linear") == 0;
	if (!m->tiled && strcmp(k->layout, "row-major") != 0)
		return ws_place_fail(at, err, "layout '%s': want row-major or block-linear",
				     k->layout);
	if (m->tiled && !shapes[m->shape].tiles)
		return ws_place_fail(at, err, "%s as block-linear: want two axes", k->shape);
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

/* Sets the sizes and what follows from them. */
static enum ws_status set_size(struct ws_image *m, const char *size, const struct ws_text_place *at,
			       struct ws_err *err)
{
	const struct shape *shape = &shapes[m->shape];
	uint64_t side[3] = { 1, 1, 1 }, most = m->shape == WS_IMAGE_BUFFER ? LINE_MAX : SIDE_MAX;

	if (!parse_size(size, shape->axes, side) || side[0] > most || side[1] > most ||
	    side[2] > most)
		return ws_place_fail(at, err, "size '%.40s' of an %s: want %s, each at least 1 and "
				     "at most %u", size, shape->name, shape->size, (unsigned)most);
	m->width = (uint32_t)side[0];
	m->height = m->shape == WS_IMAGE_1D_ARRAY ? 1 : (uint32_t)side[1];
	m->depth = (uint32_t)(m->shape == WS_IMAGE_1D_ARRAY ? side[1] : side[2]);
	m->row = (uint64_t)m->width * m->texel;
	m->slice = m->row * m->height;
	return WS_OK;
}

enum ws_status ws_image_parse(struct ws_buffer *b, const char *text, const char *size,
			      const struct ws_text_place *at, struct ws_err *err)
{
	struct ws_image *m = &b->image;
	enum ws_status status;
	struct kind kind;

	if (!parse_words(&kind, text))
		return ws_place_fail(at, err, "type '%.60s': want SHAPE:ORDER:CHANNEL and perhaps "
				     ":block-linear, as in image2d:rgba:float", text);
	status = parse_kind(m, &kind, at, err);
	if (status == WS_OK)
		status = set_size(m, size, at, err);
	if (status != WS_OK)
		return status;
	b->elem = type_of(m->type)->elem;
	b->lanes = type_of(m->type)->packed ? 1 : order_of(m->order)->channels;
	b->count = (uint64_t)m->width * m->height * m->depth;
	b->bytes = m->slice * m->depth;
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
