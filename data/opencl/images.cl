/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * images.cl -- sections 6.12.14 and 8.2 of the OpenCL C 1.2 specification: images and samplers.
 * Part of builtins.cl.
 *
 * An image is the address of its texels; ws_image_of says where they lie.  Its channels' order and
 * type (ws_format_of) and a sampler's bits (ws_sampler_of) are constants when a kernel is made
 * ready, so that of all that is below one load of a texel's bytes remains for each texel that a
 * read takes.
 *
 * What a texture unit computes is in functions whose symbols begin with "ws.tex.", as none of a
 * program's can.  They stay calls until the kernel's accesses are recorded, and take no issue
 * slots: where a texel lies, its weight, its channels as numbers.  A place of -1 is outside the
 * image: nothing is loaded, and the texel is the border's colour; nothing is stored.  So is, where
 * the specification leaves it open, what CLK_ADDRESS_NONE reads out there.
 *
 * Filtering is in single precision.  Not here: depth and multi-sample images, sRGB, mip-maps.
 */
struct ws_image { /* the first fields of the engine's */
	uint width, height, depth, texel; /* depth: or layers; bytes of a texel */
	ulong row, slice;		  /* bytes from one to the next */
};

__private const struct ws_image *ws_image_of(__global const uchar *texels)
	__asm__("ws.ask.image") __attribute__((const));
uint ws_format_of(__global const uchar *texels) /* order, type << 16 */
	__asm__("ws.ask.format") __attribute__((const));
uint ws_sampler_of(sampler_t s) __asm__("ws.ask.sampler") __attribute__((const));

#define INLINE static __attribute__((always_inline))
#define TEX(R, NAME, ...) \
	R NAME(__VA_ARGS__) __asm__("ws.tex." #NAME) __attribute__((pure)); \
	R NAME(__VA_ARGS__)

/* A shape: the axes that are filtered, and perhaps layers in the component behind them. */
#define AXES(shape) ((shape) & 3)
#define LAYERS      4

#define ADDRESS(sampler) ((sampler) & 14)
#define NORMALIZED(sampler) ((sampler) & CLK_NORMALIZED_COORDS_TRUE)
#define LINEAR(sampler) (((sampler) & 0x30) == CLK_FILTER_LINEAR)
#define MAY_MISS(sampler) \
	(ADDRESS(sampler) != CLK_ADDRESS_CLAMP_TO_EDGE && \
	 ADDRESS(sampler) != CLK_ADDRESS_REPEAT && ADDRESS(sampler) != CLK_ADDRESS_MIRRORED_REPEAT)

/* ---- formats --------------------------------------------------------------------------- */

#define ORDER(format) ((format) & 0xffff)
#define TYPE(format)  ((format) >> 16)

/* Of a channel; of packed ones, the texel's. */
INLINE uint ws_channel_bytes(uint format)
{
	switch (TYPE(format)) {
	case CLK_SNORM_INT8:
	case CLK_UNORM_INT8:
	case CLK_SIGNED_INT8:
	case CLK_UNSIGNED_INT8:
		return 1;
	case CLK_FLOAT:
	case CLK_SIGNED_INT32:
	case CLK_UNSIGNED_INT32:
	case CLK_UNORM_INT_101010:
		return 4;
	default:
		return 2;
	}
}

INLINE uint ws_texel_bytes(uint format)
{
	switch (ORDER(format)) {
	case CLK_RG:
	case CLK_RGx:
	case CLK_RA:
		return 2 * ws_channel_bytes(format);
	case CLK_RGBA:
	case CLK_BGRA:
	case CLK_ARGB:
		return 4 * ws_channel_bytes(format);
	default:
		return ws_channel_bytes(format);
	}
}

/* Channel n of a texel's bytes, which begin in the low ones of w.x. */
INLINE uint ws_bits(uint4 w, uint n, uint bytes)
{
	uint per = 4 / bytes, word = n / per, shift = n % per * 8 * bytes;
	uint v = word == 0 ? w.x : word == 1 ? w.y : word == 2 ? w.z : w.w;

	return bytes == 4 ? v : v >> shift & ((1u << 8 * bytes) - 1);
}

INLINE float ws_packed_f(uint v, uint n, uint type)
{
	switch (type) {
	case CLK_UNORM_SHORT_565:
		return n == 0 ? (v >> 11 & 31) / 31.0f : n == 1 ? (v >> 5 & 63) / 63.0f
								: (v & 31) / 31.0f;
	case CLK_UNORM_SHORT_555:
		return (v >> (10 - 5 * n) & 31) / 31.0f;
	default:
		return (v >> (20 - 10 * n) & 1023) / 1023.0f;
	}
}

INLINE float ws_channel_f(uint4 w, uint n, uint format)
{
	uint v = ws_bits(w, n, ws_channel_bytes(format));
	ushort bits = (ushort)v;

	switch (TYPE(format)) {
	case CLK_SNORM_INT8:
		return fmax((char)v / 127.0f, -1.0f);
	case CLK_SNORM_INT16:
		return fmax((short)v / 32767.0f, -1.0f);
	case CLK_UNORM_INT8:
		return (uchar)v / 255.0f;
	case CLK_UNORM_INT16:
		return (ushort)v / 65535.0f;
	case CLK_HALF_FLOAT:
		return vload_half(0, (__private const half *)&bits);
	case CLK_FLOAT:
		return as_float(v);
	case CLK_UNORM_SHORT_565:
	case CLK_UNORM_SHORT_555:
	case CLK_UNORM_INT_101010:
		return ws_packed_f(w.x, n, TYPE(format));
	default: /* of integers a float is undefined */
		return v;
	}
}

INLINE uint ws_channel_ui(uint4 w, uint n, uint format)
{
	return ws_bits(w, n, ws_channel_bytes(format));
}

INLINE int ws_channel_i(uint4 w, uint n, uint format)
{
	uint unused = 32 - 8 * ws_channel_bytes(format);

	return (int)(ws_channel_ui(w, n, format) << unused) >> unused;
}

/* A texel as the vector of its channels: T(w, n, format) is one. */
#define ARRANGE(KIND, V) \
	INLINE V##4 ws_arrange_##KIND(uint4 w, uint f) \
	{ \
		V a = ws_channel_##KIND(w, 0, f), b, c, d; \
		switch (ORDER(f)) { \
		case CLK_R: \
		case CLK_Rx: \
			return (V##4)(a, 0, 0, 1); \
		case CLK_A: \
			return (V##4)(0, 0, 0, a); \
		case CLK_INTENSITY: \
			return (V##4)(a, a, a, a); \
		case CLK_LUMINANCE: \
			return (V##4)(a, a, a, 1); \
		default: \
			break; \
		} \
		b = ws_channel_##KIND(w, 1, f); \
		switch (ORDER(f)) { \
		case CLK_RG: \
		case CLK_RGx: \
			return (V##4)(a, b, 0, 1); \
		case CLK_RA: \
			return (V##4)(a, 0, 0, b); \
		default: \
			break; \
		} \
		c = ws_channel_##KIND(w, 2, f); \
		if (ORDER(f) == CLK_RGB || ORDER(f) == CLK_RGBx) \
			return (V##4)(a, b, c, 1); \
		d = ws_channel_##KIND(w, 3, f); \
		return ORDER(f) == CLK_BGRA   ? (V##4)(c, b, a, d) \
		       : ORDER(f) == CLK_ARGB ? (V##4)(b, c, d, a) \
					      : (V##4)(a, b, c, d); \
	} \
	INLINE V##4 ws_border_##KIND(uint f) \
	{ \
		uint o = ORDER(f); \
		return (V##4)(0, 0, 0, o == CLK_R || o == CLK_RG || o == CLK_RGB || \
					       o == CLK_LUMINANCE); \
	}
ARRANGE(f, float)
ARRANGE(i, int)
ARRANGE(ui, uint)

/* The channel of a colour that is stored n-th. */
#define CHOOSE(KIND, V) \
	INLINE V ws_choose_##KIND(V##4 c, uint n, uint f) \
	{ \
		switch (ORDER(f)) { \
		case CLK_A: \
			return c.w; \
		case CLK_RA: \
			return n == 0 ? c.x : c.w; \
		case CLK_BGRA: \
			return n == 0 ? c.z : n == 1 ? c.y : n == 2 ? c.x : c.w; \
		case CLK_ARGB: \
			return n == 0 ? c.w : n == 1 ? c.x : n == 2 ? c.y : c.z; \
		default: \
			return n == 0 ? c.x : n == 1 ? c.y : n == 2 ? c.z : c.w; \
		} \
	}
CHOOSE(f, float)
CHOOSE(i, int)
CHOOSE(ui, uint)

INLINE uint ws_unorm(float v, uint most)
{
	return min(convert_uint_sat_rte(v * most), most);
}

INLINE uint ws_store_f(float4 c, uint n, uint format)
{
	float v = ws_choose_f(c, n, format);
	ushort bits;

	switch (TYPE(format)) {
	case CLK_SNORM_INT8:
		return (uchar)convert_char_sat_rte(v * 127.0f);
	case CLK_SNORM_INT16:
		return (ushort)convert_short_sat_rte(v * 32767.0f);
	case CLK_UNORM_INT8:
		return ws_unorm(v, 255);
	case CLK_UNORM_INT16:
		return ws_unorm(v, 65535);
	case CLK_UNORM_SHORT_565:
		return n ? 0 : ws_unorm(c.x, 31) << 11 | ws_unorm(c.y, 63) << 5 | ws_unorm(c.z, 31);
	case CLK_UNORM_SHORT_555:
		return n ? 0 : ws_unorm(c.x, 31) << 10 | ws_unorm(c.y, 31) << 5 | ws_unorm(c.z, 31);
	case CLK_UNORM_INT_101010:
		return n ? 0 : ws_unorm(c.x, 1023) << 20 | ws_unorm(c.y, 1023) << 10 |
				       ws_unorm(c.z, 1023);
	case CLK_HALF_FLOAT:
		vstore_half_rte(v, 0, (__private half *)&bits);
		return bits;
	case CLK_FLOAT:
		return as_uint(v);
	default:
		return convert_uint_sat(v);
	}
}

INLINE uint ws_store_i(int4 c, uint n, uint format)
{
	int v = ws_choose_i(c, n, format);
	uint bytes = ws_channel_bytes(format);

	return bytes == 1   ? (uchar)convert_char_sat(v)
	       : bytes == 2 ? (ushort)convert_short_sat(v)
			    : v;
}

INLINE uint ws_store_ui(uint4 c, uint n, uint format)
{
	uint v = ws_choose_ui(c, n, format), bytes = ws_channel_bytes(format);

	return bytes == 1 ? min(v, 0xffu) : bytes == 2 ? min(v, 0xffffu) : v;
}

/* Channels as a texel's bytes. */
INLINE uint4 ws_words(uint a, uint b, uint c, uint d, uint bytes)
{
	return bytes == 1   ? (uint4)(a | b << 8 | c << 16 | d << 24, 0, 0, 0)
	       : bytes == 2 ? (uint4)(a | b << 16, c | d << 16, 0, 0)
			    : (uint4)(a, b, c, d);
}

/* ---- places ------------------------------------------------------------------------------ */

INLINE int ws_edge(uint sampler, int i, int size)
{
	if (ADDRESS(sampler) == CLK_ADDRESS_CLAMP_TO_EDGE)
		return clamp(i, 0, size - 1);
	return i >= 0 && i < size ? i : -1;
}

/* u of section 8.2, from which texels follow. */
INLINE float ws_u(uint sampler, float s, int size)
{
	switch (ADDRESS(sampler)) {
	case CLK_ADDRESS_REPEAT:
		return (s - floor(s)) * size;
	case CLK_ADDRESS_MIRRORED_REPEAT:
		return fabs(s - 2.0f * rint(0.5f * s)) * size;
	default:
		return NORMALIZED(sampler) ? s * size : s;
	}
}

/* Texel of an axis; upper: the second of a filter's two. */
INLINE int ws_pick(uint sampler, float s, int size, bool upper)
{
	float u = ws_u(sampler, s, size);
	int i = convert_int_sat(floor(LINEAR(sampler) ? u - 0.5f : u));

	if (upper)
		i = add_sat(i, 1);
	switch (ADDRESS(sampler)) {
	case CLK_ADDRESS_REPEAT:
		return i < 0 ? size + i : i > size - 1 ? i - size : i;
	case CLK_ADDRESS_MIRRORED_REPEAT:
		return clamp(i, 0, size - 1);
	default:
		return ws_edge(sampler, i, size);
	}
}

INLINE int ws_pick_i(uint sampler, int i, int size, bool upper)
{
	return ws_edge(sampler, i, size);
}

INLINE int ws_layer(float s, int layers)
{
	return clamp(convert_int_sat(rint(s)), 0, layers - 1);
}

INLINE int ws_layer_i(int i, int layers)
{
	return clamp(i, 0, layers - 1);
}

/* The upper one along axis d, if bit d of the corner is set. */
#define UPPER(d) (corner >> (d) & 1)
INLINE long ws_at(__private const struct ws_image *m, int x, int y, int z)
{
	return (x | y | z) < 0 ? -1 : (long)x * m->texel + (long)y * m->row + (long)z * m->slice;
}

#define LOOKUP(C) __private const struct ws_image *m, uint sampler, uint shape, C c, uint corner

/* C is the coordinates' type, K of their components: _i or nothing. */
#define PLACE1(K, C) \
	TEX(long, ws_tex_at1##K, LOOKUP(C)) \
	{ return ws_at(m, ws_pick##K(sampler, c, m->width, UPPER(0)), 0, 0); }
#define PLACE2(K, C) \
	TEX(long, ws_tex_at2##K, LOOKUP(C)) \
	{ \
		int x = ws_pick##K(sampler, c.x, m->width, UPPER(0)); \
		if (shape & LAYERS) \
			return ws_at(m, x, 0, ws_layer##K(c.y, m->depth)); \
		return ws_at(m, x, ws_pick##K(sampler, c.y, m->height, UPPER(1)), 0); \
	}
#define PLACE4(K, C) \
	TEX(long, ws_tex_at4##K, LOOKUP(C)) \
	{ \
		int x = ws_pick##K(sampler, c.x, m->width, UPPER(0)); \
		int y = ws_pick##K(sampler, c.y, m->height, UPPER(1)); \
		if (shape & LAYERS) \
			return ws_at(m, x, y, ws_layer##K(c.z, m->depth)); \
		return ws_at(m, x, y, ws_pick##K(sampler, c.z, m->depth, UPPER(2))); \
	}
PLACE1(, float) PLACE2(, float2) PLACE4(, float4)
PLACE1(_i, int) PLACE2(_i, int2) PLACE4(_i, int4)

/* A texel's part in a filtered value: the product of that along each axis. */
INLINE float ws_part(uint sampler, float s, int size, bool upper)
{
	float u = ws_u(sampler, s, size) - 0.5f, a = u - floor(u);

	return upper ? a : 1.0f - a;
}

TEX(float, ws_tex_weight1, LOOKUP(float))
{
	return ws_part(sampler, c, m->width, UPPER(0));
}

TEX(float, ws_tex_weight2, LOOKUP(float2))
{
	float x = ws_part(sampler, c.x, m->width, UPPER(0));

	return AXES(shape) == 1 ? x : x * ws_part(sampler, c.y, m->height, UPPER(1));
}

TEX(float, ws_tex_weight4, LOOKUP(float4))
{
	float xy = ws_part(sampler, c.x, m->width, UPPER(0)) *
		   ws_part(sampler, c.y, m->height, UPPER(1));

	return AXES(shape) == 2 ? xy : xy * ws_part(sampler, c.z, m->depth, UPPER(2));
}

/* sum and weight * texel */
TEX(float4, ws_tex_add, float4 sum, float weight, float4 texel)
{
	return sum + weight * texel;
}

/* ---- texels ------------------------------------------------------------------------------ */

/* M(bytes of a texel, their type, as four words, from four words w) */
#define EACH_TEXEL(M) \
	M(1, uchar, (uint4)(raw, 0, 0, 0), (uchar)w.x) \
	M(2, ushort, (uint4)(raw, 0, 0, 0), (ushort)w.x) \
	M(4, uint, (uint4)(raw, 0, 0, 0), w.x) \
	M(8, uint2, (uint4)(raw, 0, 0), w.xy) \
	M(16, uint4, raw, w)

#define TO_NUMBERS(KIND, V, BYTES, R, WORDS) \
	TEX(V##4, ws_tex_##KIND##BYTES, R raw, long at, uint format) \
	{ return at < 0 ? ws_border_##KIND(format) : ws_arrange_##KIND(WORDS, format); }
#define TO_BYTES(KIND, V, BYTES, R, PART) \
	TEX(R, ws_tex_put_##KIND##BYTES, V##4 c, uint f) \
	{ \
		uint4 w = ws_words(ws_store_##KIND(c, 0, f), ws_store_##KIND(c, 1, f), \
				   ws_store_##KIND(c, 2, f), ws_store_##KIND(c, 3, f), \
				   ws_channel_bytes(f)); \
		return PART; \
	}
/* Rows of images may begin anywhere a channel may. */
#define TEXEL(BYTES, R, WORDS, PART) \
	typedef R ws_raw##BYTES __attribute__((aligned(1))); \
	TO_NUMBERS(f, float, BYTES, R, WORDS) \
	TO_NUMBERS(i, int, BYTES, R, WORDS) \
	TO_NUMBERS(ui, uint, BYTES, R, WORDS) \
	TO_BYTES(f, float, BYTES, R, PART) \
	TO_BYTES(i, int, BYTES, R, PART) \
	TO_BYTES(ui, uint, BYTES, R, PART)
EACH_TEXEL(TEXEL)

#define LOAD(BYTES, R, KIND) \
	case BYTES: { \
		R raw = 0; \
		if (!MAY_MISS(sampler) || at >= 0) \
			raw = *(__global const ws_raw##BYTES *)(texels + at); \
		return ws_tex_##KIND##BYTES(raw, at, format); \
	}
#define STORE(BYTES, KIND) \
	case BYTES: \
		*(__global ws_raw##BYTES *)(texels + at) = ws_tex_put_##KIND##BYTES(c, format); \
		break;
#define TEXELS(KIND, V) \
	INLINE V##4 ws_load_##KIND(__global const uchar *texels, uint sampler, long at) \
	{ \
		uint format = ws_format_of(texels); \
		switch (ws_texel_bytes(format)) { \
		LOAD(1, uchar, KIND) LOAD(2, ushort, KIND) LOAD(4, uint, KIND) \
		LOAD(8, uint2, KIND) LOAD(16, uint4, KIND) \
		} \
		return 0; \
	} \
	INLINE void ws_save_##KIND(__global uchar *texels, long at, V##4 c) \
	{ \
		uint format = ws_format_of(texels); \
		if (at < 0) \
			return; \
		switch (ws_texel_bytes(format)) { \
		STORE(1, KIND) STORE(2, KIND) STORE(4, KIND) STORE(8, KIND) STORE(16, KIND) \
		} \
	}
TEXELS(f, float)
TEXELS(i, int)
TEXELS(ui, uint)

/* ---- reads ------------------------------------------------------------------------------- */

#define CORNER(W, n) \
	sum = ws_tex_add(sum, ws_tex_weight##W(m, sampler, shape, c, n), \
			   ws_load_f(texels, sampler, ws_tex_at##W(m, sampler, shape, c, n)));
#define FILTERED(W, C) \
	INLINE float4 ws_filtered##W(__global const uchar *texels, uint sampler, uint shape, C c) \
	{ \
		__private const struct ws_image *m = ws_image_of(texels); \
		float4 sum = 0; \
		CORNER(W, 0) CORNER(W, 1) \
		if (AXES(shape) >= 2) { \
			CORNER(W, 2) CORNER(W, 3) \
		} \
		if (AXES(shape) == 3) { \
			CORNER(W, 4) CORNER(W, 5) CORNER(W, 6) CORNER(W, 7) \
		} \
		return sum; \
	}
FILTERED(1, float) FILTERED(2, float2) FILTERED(4, float4)

/* Integers are not filtered. */
#define NEAREST(sampler) ((sampler) & ~(uint)CLK_FILTER_LINEAR)
#define READ(KIND, V, W, C) \
	INLINE V##4 ws_read_##KIND##W(__global const uchar *texels, uint sampler, uint shape, \
				      C##W c) \
	{ \
		return ws_load_##KIND(texels, sampler, \
				      ws_tex_at##W(ws_image_of(texels), NEAREST(sampler), shape, \
						     c, 0)); \
	} \
	INLINE V##4 ws_read_##KIND##W##_i(__global const uchar *texels, uint sampler, uint shape, \
					  int##W c) \
	{ \
		return ws_load_##KIND(texels, sampler, \
				      ws_tex_at##W##_i(ws_image_of(texels), sampler, shape, c, \
						       0)); \
	}
#define READS(KIND, V) READ(KIND, V, 1, float) READ(KIND, V, 2, float) READ(KIND, V, 4, float)
typedef int int1;
typedef float float1;
READS(f, float)
READS(i, int)
READS(ui, uint)

#define SAMPLE(W) \
	INLINE float4 ws_sample_f##W(__global const uchar *texels, uint sampler, uint shape, \
				     float##W c) \
	{ \
		return LINEAR(sampler) ? ws_filtered##W(texels, sampler, shape, c) \
				       : ws_read_f##W(texels, sampler, shape, c); \
	}
SAMPLE(1) SAMPLE(2) SAMPLE(4)
#define ws_sample_i1  ws_read_i1
#define ws_sample_i2  ws_read_i2
#define ws_sample_i4  ws_read_i4
#define ws_sample_ui1 ws_read_ui1
#define ws_sample_ui2 ws_read_ui2
#define ws_sample_ui4 ws_read_ui4

#define TEXELS_OF(image) __builtin_astype(image, __global uchar *)
#define READ_OF(KIND, V, IMAGE, SHAPE, W) \
	FN V##4 read_image##KIND(read_only IMAGE i, int##W c) \
	{ return ws_read_##KIND##W##_i(TEXELS_OF(i), 0, SHAPE, c); }
#define SAMPLE_OF(KIND, V, IMAGE, SHAPE, W) \
	FN V##4 read_image##KIND(read_only IMAGE i, sampler_t s, int##W c) \
	{ return ws_read_##KIND##W##_i(TEXELS_OF(i), ws_sampler_of(s), SHAPE, c); } \
	FN V##4 read_image##KIND(read_only IMAGE i, sampler_t s, float##W c) \
	{ \
		return ws_sample_##KIND##W(TEXELS_OF(i), ws_sampler_of(s), SHAPE, c); \
	}
#define WRITE_OF(KIND, V, IMAGE, SHAPE, W) \
	FN void write_image##KIND(write_only IMAGE i, int##W p, V##4 c) \
	{ \
		ws_save_##KIND(TEXELS_OF(i), \
			       ws_tex_at##W##_i(ws_image_of(TEXELS_OF(i)), 0, SHAPE, p, 0), c); \
	}

/* ---- each kind of image ------------------------------------------------------------------ */

/* M(..., image, shape, width of its coordinates) */
#define EACH_SAMPLED(M, ...) \
	M(__VA_ARGS__, image1d_t, 1, 1) M(__VA_ARGS__, image1d_array_t, 1 | LAYERS, 2) \
	M(__VA_ARGS__, image2d_t, 2, 2) M(__VA_ARGS__, image2d_array_t, 2 | LAYERS, 4) \
	M(__VA_ARGS__, image3d_t, 3, 4)
#define EACH_IMAGE(M, ...) EACH_SAMPLED(M, __VA_ARGS__) M(__VA_ARGS__, image1d_buffer_t, 1, 1)
#define EACH_KIND(EACH, M) EACH(M, f, float) EACH(M, i, int) EACH(M, ui, uint)
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
EACH_KIND(EACH_SAMPLED, SAMPLE_OF)
EACH_KIND(EACH_IMAGE, READ_OF)
EACH_KIND(EACH_IMAGE, WRITE_OF)

#define SIZE(F, FIELD, ACCESS, IMAGE) \
	PURE int F(ACCESS IMAGE i) { return ws_image_of(TEXELS_OF(i))->FIELD; }
#define QUERY(ACCESS, IMAGE, SHAPE, W) \
	SIZE(get_image_width, width, ACCESS, IMAGE) \
	PURE int get_image_channel_data_type(ACCESS IMAGE i) \
	{ return TYPE(ws_format_of(TEXELS_OF(i))); } \
	PURE int get_image_channel_order(ACCESS IMAGE i) \
	{ return ORDER(ws_format_of(TEXELS_OF(i))); }
#define DIM(ACCESS, IMAGE) \
	SIZE(get_image_height, height, ACCESS, IMAGE) \
	PURE int2 get_image_dim(ACCESS IMAGE i) \
	{ return (int2)(get_image_width(i), get_image_height(i)); }
#define LAYERED(ACCESS, IMAGE) \
	PURE size_t get_image_array_size(ACCESS IMAGE i) \
	{ return ws_image_of(TEXELS_OF(i))->depth; }
#define QUERIES(ACCESS) \
	EACH_IMAGE(QUERY, ACCESS) \
	DIM(ACCESS, image2d_t) DIM(ACCESS, image2d_array_t) \
	SIZE(get_image_height, height, ACCESS, image3d_t) \
	SIZE(get_image_depth, depth, ACCESS, image3d_t) \
	PURE int4 get_image_dim(ACCESS image3d_t i) \
	{ return (int4)(get_image_width(i), get_image_height(i), get_image_depth(i), 0); } \
	LAYERED(ACCESS, image1d_array_t) LAYERED(ACCESS, image2d_array_t)
QUERIES(read_only)
QUERIES(write_only)

/* ---- images that are read and written: OpenCL C 2.0, which has the word for them ------------- */

#define CALLED(R, F, SYMBOL, ...) \
	R F(__VA_ARGS__) __asm__(SYMBOL); \
	__attribute__((always_inline)) R F(__VA_ARGS__)
/* SYMBOL: of the image's type in names; C: of its coordinates' there. */
#define BOTH(KIND, V, READ, WRITE, CHANNEL, NAME, SYMBOL, SHAPE, W, C) \
	CALLED(V##4, ws_read_##KIND##_##NAME, READ SYMBOL C, __global uchar *i, int##W c) \
	{ return ws_read_##KIND##W##_i(i, 0, SHAPE, c); } \
	CALLED(void, ws_write_##KIND##_##NAME, WRITE SYMBOL C CHANNEL, __global uchar *i, \
	       int##W p, V##4 c) \
	{ ws_save_##KIND(i, ws_tex_at##W##_i(ws_image_of(i), 0, SHAPE, p, 0), c); }
#define SIZE_BOTH(R, F, SYMBOL, NAME, VALUE) \
	CALLED(R, ws_##F##_##NAME, SYMBOL, __global uchar *i) { return VALUE; }
/* I: of a colour of integers, behind coordinates that may be of the same type. */
#define ALL_BOTH(NAME, SYMBOL, SHAPE, W, C, I) \
	BOTH(f, float, "_Z11read_imagef", "_Z12write_imagef", "Dv4_f", NAME, SYMBOL, SHAPE, W, C) \
	BOTH(i, int, "_Z11read_imagei", "_Z12write_imagei", I, NAME, SYMBOL, SHAPE, W, C) \
	BOTH(ui, uint, "_Z12read_imageui", "_Z13write_imageui", "Dv4_j", NAME, SYMBOL, SHAPE, W, \
	     C) \
	SIZE_BOTH(int, width, "_Z15get_image_width" SYMBOL, NAME, ws_image_of(i)->width) \
	SIZE_BOTH(int, type, "_Z27get_image_channel_data_type" SYMBOL, NAME, \
		  TYPE(ws_format_of(i))) \
	SIZE_BOTH(int, order, "_Z23get_image_channel_order" SYMBOL, NAME, ORDER(ws_format_of(i)))
#define HEIGHT_BOTH(NAME, SYMBOL) \
	SIZE_BOTH(int, height, "_Z16get_image_height" SYMBOL, NAME, ws_image_of(i)->height)
#define DIM_BOTH(NAME, SYMBOL) \
	SIZE_BOTH(int2, dim, "_Z13get_image_dim" SYMBOL, NAME, \
		  (int2)(ws_image_of(i)->width, ws_image_of(i)->height))
#define LAYERED_BOTH(NAME, SYMBOL) \
	SIZE_BOTH(size_t, layers, "_Z20get_image_array_size" SYMBOL, NAME, ws_image_of(i)->depth)

ALL_BOTH(1d, "14ocl_image1d_rw", 1, 1, "i", "Dv4_i")
ALL_BOTH(buffer, "21ocl_image1d_buffer_rw", 1, 1, "i", "Dv4_i")
ALL_BOTH(1d_array, "20ocl_image1d_array_rw", 1 | LAYERS, 2, "Dv2_i", "Dv4_i")
ALL_BOTH(2d, "14ocl_image2d_rw", 2, 2, "Dv2_i", "Dv4_i")
ALL_BOTH(2d_array, "20ocl_image2d_array_rw", 2 | LAYERS, 4, "Dv4_i", "S0_")
ALL_BOTH(3d, "14ocl_image3d_rw", 3, 4, "Dv4_i", "S0_")
HEIGHT_BOTH(2d, "14ocl_image2d_rw")
HEIGHT_BOTH(2d_array, "20ocl_image2d_array_rw")
HEIGHT_BOTH(3d, "14ocl_image3d_rw")
DIM_BOTH(2d, "14ocl_image2d_rw")
DIM_BOTH(2d_array, "20ocl_image2d_array_rw")
LAYERED_BOTH(1d_array, "20ocl_image1d_array_rw")
LAYERED_BOTH(2d_array, "20ocl_image2d_array_rw")
SIZE_BOTH(int, depth, "_Z15get_image_depth14ocl_image3d_rw", 3d, ws_image_of(i)->depth)
SIZE_BOTH(int4, dim, "_Z13get_image_dim14ocl_image3d_rw", 3d,
	  (int4)(ws_image_of(i)->width, ws_image_of(i)->height, ws_image_of(i)->depth, 0))
