/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_texture.h -- textures and surfaces in device code.
 *
 * Rules are those of the CUDA C++ Programming Guide, "Texture Fetching".  A fetch is one load for
 * each texel that it takes.  What the texture unit computes is in functions whose symbols begin with
 * "ws.tex.", which are not recorded (trace/capture/texture.c).
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_TEXTURE_H
#define WARPSTACK_CUDA_TEXTURE_H

#include "cuda_device.h"
#include "channel_descriptor.h"
#include "cuda_letters_begin.h"

#define WS_TEX(R, NAME, ...) \
	static __device__ R __ws_tex_##NAME(__VA_ARGS__) __asm__("ws.tex." #NAME) \
		__attribute__((pure)); \
	static __device__ R __ws_tex_##NAME(__VA_ARGS__)
#define WS_OF(OBJECT) ((const __ws_texture *)(OBJECT))

typedef const __attribute__((address_space(1))) unsigned char __ws_texels;

/* ---- what the unit computes --------------------------------------------------------------------- */

/* The index along an axis; -1: past the border. */
WS_DEVICE long long __ws_along(const __ws_texture *t, int axis, long long i)
{
	long long n = t->extent[axis], m;
	int mode = t->mode[axis];

	if (!t->normalized && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror))
		mode = cudaAddressModeClamp;
	switch (mode) {
	case cudaAddressModeWrap:
		return i >= 0 && i < n ? i : (i % n + n) % n;
	case cudaAddressModeMirror:
		if (i >= 0 && i < n)
			return i;
		m = (i % (2 * n) + 2 * n) % (2 * n);
		return m < n ? m : 2 * n - 1 - m;
	case cudaAddressModeBorder:
		return i < 0 || i >= n ? -1 : i;
	default:
		return i < 0 ? 0 : i >= n ? n - 1 : i;
	}
}

/* Where a coordinate lies, in texels. */
WS_DEVICE float __ws_scaled(const __ws_texture *t, int axis, float c)
{
	if (t->normalized)
		c *= (float)t->extent[axis];
	return t->linear ? c - 0.5f : c;
}

/* The texel before a place, or the next one. */
WS_DEVICE long long __ws_beside(const __ws_texture *t, int axis, float c, int next)
{
	return __ws_along(t, axis, (long long)floorf(__ws_scaled(t, axis, c)) +
			  (t->linear ? next & 1 : 0));
}
/* Its part of the result along an axis: fractions have 8 bits. */
WS_DEVICE float __ws_part(const __ws_texture *t, int axis, float c, int next)
{
	float s = __ws_scaled(t, axis, c);
	float f = floorf((s - floorf(s)) * 256 + 0.5f) * (1.0f / 256);

	return next & 1 ? f : 1 - f;
}

WS_TEX(__ws_texels *, data, unsigned long long object)
{
	return object ? (__ws_texels *)WS_OF(object)->data : (__ws_texels *)0;
}
/* Texels of a filtered fetch. */
WS_TEX(int, corners, unsigned long long object, int axes)
{
	return object && WS_OF(object)->linear ? 1 << axes : 1;
}
/* Bytes of a texel whose channels are read as parts of one, or are halves; 0: as they are. */
WS_TEX(int, narrow, unsigned long long object)
{
	const __ws_texture *t = WS_OF(object);

	return object && (t->real || (t->kind == cudaChannelFormatKindFloat && t->bits == 16))
		       ? (int)t->texel : 0;
}
/* Where a texel is behind the first one, in bytes; -1: past the border. */
WS_TEX(long long, at, unsigned long long object, float x, float y, float z, int axes, int layer,
       int corner)
{
	const __ws_texture *t = WS_OF(object);
	long long i, j = 0, k = 0;

	if (!object)
		return 0;
	i = __ws_beside(t, 0, x, corner);
	if (axes > 1)
		j = __ws_beside(t, 1, y, corner >> 1);
	if (axes > 2)
		k = __ws_beside(t, 2, z, corner >> 2);
	if ((i | j | k) < 0)
		return -1;
	if (layer >= 0)
		k = layer < (int)t->extent[2] ? layer : (int)t->extent[2] - 1;
	return i * t->texel + j * (long long)t->pitch + k * (long long)t->slice;
}
/* The same of an index into linear memory. */
WS_TEX(long long, index, unsigned long long object, int i)
{
	const __ws_texture *t = WS_OF(object);

	if (!object)
		return 0;
	return i < 0 || (unsigned int)i >= t->extent[0] ? -1 : (long long)i * t->texel;
}
/* A texel's part of the result. */
WS_TEX(float, weight, unsigned long long object, float x, float y, float z, int axes, int corner)
{
	const __ws_texture *t = WS_OF(object);
	float w = __ws_part(t, 0, x, corner);

	if (axes > 1)
		w *= __ws_part(t, 1, y, corner >> 1);
	if (axes > 2)
		w *= __ws_part(t, 2, z, corner >> 2);
	return w;
}
/* Where a direction meets a cube: 0 and 1: coordinates on that face, from 0 to 1; 2: the face. */
WS_TEX(float, cube, float x, float y, float z, int what)
{
	const float a[3] = { fabsf(x), fabsf(y), fabsf(z) }, c[3] = { x, y, z };
	int axis = a[0] >= a[1] && a[0] >= a[2] ? 0 : a[1] >= a[2] ? 1 : 2;
	bool back = c[axis] < 0;
	float s = axis == 0 ? (back ? z : -z) : axis == 1 ? x : back ? -x : x;
	float t = axis == 1 ? (back ? -z : z) : -y;

	if (what == 2)
		return (float)(2 * axis + back);
	return ((what ? t : s) / a[axis] + 1) / 2;
}
/* A half: its exponent is moved by a product, which is exact for small ones, too. */
WS_DEVICE float __ws_half(unsigned int v)
{
	unsigned int bits = (v & 0x7fff) << 13;
	float f;

	__builtin_memcpy(&f, &bits, sizeof f);
	f *= 0x1p112f;
	if ((v & 0x7c00) == 0x7c00) { /* infinite, or not a number */
		bits |= 0x7f800000;
		__builtin_memcpy(&f, &bits, sizeof f);
	}
	return v & 0x8000 ? -f : f;
}
/* Channel n of a texel as a part of its largest value, or a half as it is. */
WS_TEX(float, channel, unsigned long long object, unsigned long long texel, int n)
{
	const __ws_texture *t = WS_OF(object);
	unsigned int bits = t->bits, ones = (1u << bits) - 1;
	unsigned int v = (unsigned int)(texel >> bits * (unsigned int)n) & ones;
	int s = (int)(v << (32 - bits)) >> (32 - bits);
	float f = (float)s / (float)(ones >> 1);

	if (n >= (int)t->channels)
		return 0;
	if (t->kind == cudaChannelFormatKindFloat)
		return __ws_half(v);
	return t->kind == cudaChannelFormatKindSigned ? (f < -1 ? -1.0f : f)
						      : (float)v / (float)ones;
}
/* Where texel `corner` is of the four around a place, which a gather takes one channel of. */
WS_TEX(long long, around, unsigned long long object, float x, float y, int corner)
{
	const __ws_texture *t = WS_OF(object);
	float n = t && t->normalized ? 1.0f : 0.0f;
	long long i, j;

	if (!object)
		return 0;
	i = (long long)floorf((n != 0 ? x * (float)t->extent[0] : x) - 0.5f) + (corner & 1);
	j = (long long)floorf((n != 0 ? y * (float)t->extent[1] : y) - 0.5f) + (corner >> 1);
	i = __ws_along(t, 0, i);
	j = __ws_along(t, 1, j);
	return (i | j) < 0 ? -1 : i * t->texel + j * (long long)t->pitch;
}
/* Where a surface's byte x of row y of slice z is; before the first one if it is not there. */
WS_TEX(long long, surface, unsigned long long object, int x, int y, int z, int bytes, int mode)
{
	const __ws_texture *t = WS_OF(object);
	long long row = (long long)t->extent[0] * t->texel;

	if (mode == 1) { /* clamp */
		x = x < 0 ? 0 : x > row - bytes ? (int)(row - bytes) : x;
		y = y < 0 ? 0 : y >= (int)t->extent[1] ? (int)t->extent[1] - 1 : y;
		z = z < 0 ? 0 : z >= (int)t->extent[2] ? (int)t->extent[2] - 1 : z;
	}
	if (x < 0 || x > row - bytes || y < 0 || y >= (int)t->extent[1] || z < 0 ||
	    z >= (int)t->extent[2])
		return mode == 0 ? -1 : -bytes; /* zero; trap */
	return x + y * (long long)t->pitch + z * (long long)t->slice;
}

/* ---- texels ------------------------------------------------------------------------------------- */

template <unsigned long N> struct __ws_raw;
template <> struct __ws_raw<1> { typedef unsigned char type; };
template <> struct __ws_raw<2> { typedef unsigned short type; };
template <> struct __ws_raw<4> { typedef unsigned int type; };
template <> struct __ws_raw<8> { typedef unsigned int type __attribute__((ext_vector_type(2))); };
template <> struct __ws_raw<16> { typedef unsigned int type __attribute__((ext_vector_type(4))); };

template <class T> WS_DEVICE T __ws_texel(__ws_texels *p)
{
	typedef typename __ws_raw<sizeof(T)>::type raw;
	raw bits = *(const __attribute__((address_space(1))) raw *)p;
	T value;
	__builtin_memcpy(&value, &bits, sizeof value);
	return value;
}

/* T is of integers: texels as they are. */
template <class T, bool Real> struct __ws_fetch {
	static __device__ __forceinline__ T at(unsigned long long object, __ws_texels *p)
	{
		return __ws_texel<T>(p);
	}
	static __device__ __forceinline__ void add(T *sum, T texel, float) { *sum = texel; }
};
/* T is of floats: perhaps of channels that are parts of one, perhaps filtered. */
template <class T> struct __ws_fetch<T, true> {
	enum { channels = sizeof(T) / sizeof(float) };
	static __device__ __forceinline__ T parts(unsigned long long object, unsigned long long bits)
	{
		float v[channels];
		T value;
		for (int n = 0; n < channels; n++)
			v[n] = __ws_tex_channel(object, bits, n);
		__builtin_memcpy(&value, v, sizeof value);
		return value;
	}
	static __device__ __forceinline__ T at(unsigned long long object, __ws_texels *p)
	{
		switch (__ws_tex_narrow(object)) {
		case 1:
			return parts(object, __ws_texel<unsigned char>(p));
		case 2:
			return parts(object, __ws_texel<unsigned short>(p));
		case 4:
			return parts(object, __ws_texel<unsigned int>(p));
		case 8:
			return parts(object, __ws_bits_of(__ws_texel<uint2>(p)));
		default:
			return __ws_texel<T>(p);
		}
	}
	static __device__ __forceinline__ void add(T *sum, T texel, float weight)
	{
		float s[channels], v[channels];
		__builtin_memcpy(s, sum, sizeof s);
		__builtin_memcpy(v, &texel, sizeof v);
		for (int n = 0; n < channels; n++)
			s[n] += weight * v[n];
		__builtin_memcpy(sum, s, sizeof s);
	}
};
template <class T> struct __ws_fetch_of
	: __ws_fetch<T, (int)__ws_channels<T>::kind == (int)cudaChannelFormatKindFloat> {};

template <class T> WS_DEVICE T __ws_none()
{
	T value;
	__builtin_memset(&value, 0, sizeof value);
	return value;
}
template <class T> WS_DEVICE T
__ws_sample(unsigned long long object, float x, float y, float z, int axes, int layer)
{
	typedef __ws_fetch_of<T> fetch;
	__ws_texels *data = __ws_tex_data(object);
	T value = __ws_none<T>();

	if (__ws_tex_corners(object, axes) == 1) {
		long long at = __ws_tex_at(object, x, y, z, axes, layer, 0);
		if (at >= 0)
			value = fetch::at(object, data + at);
		return value;
	}
	for (int corner = 0; corner < 1 << axes; corner++) {
		long long at = __ws_tex_at(object, x, y, z, axes, layer, corner);
		if (at >= 0)
			fetch::add(&value, fetch::at(object, data + at),
				   __ws_tex_weight(object, x, y, z, axes, corner));
	}
	return value;
}
template <class T> WS_DEVICE T
__ws_sample_cube(unsigned long long object, float x, float y, float z, int layer)
{
	return __ws_sample<T>(object, __ws_tex_cube(x, y, z, 0), __ws_tex_cube(x, y, z, 1), 0, 2,
			      6 * layer + (int)__ws_tex_cube(x, y, z, 2));
}
template <class T> WS_DEVICE T __ws_at(unsigned long long object, int i)
{
	long long at = __ws_tex_index(object, i);
	return at < 0 ? __ws_none<T>()
		      : __ws_fetch_of<T>::at(object, __ws_tex_data(object) + at);
}

/* One channel of a texel. */
template <class E, bool Real> struct __ws_channel {
	static __device__ __forceinline__ E at(unsigned long long, __ws_texels *p, int channel)
	{
		return __ws_texel<E>(p + channel * sizeof(E));
	}
};
template <class E> struct __ws_channel<E, true> {
	static __device__ __forceinline__ E at(unsigned long long object, __ws_texels *p, int channel)
	{
		switch (__ws_tex_narrow(object)) {
		case 1:
			return __ws_tex_channel(object, __ws_texel<unsigned char>(p), channel);
		case 2:
			return __ws_tex_channel(object, __ws_texel<unsigned short>(p), channel);
		case 4:
			return __ws_tex_channel(object, __ws_texel<unsigned int>(p), channel);
		case 8:
			return __ws_tex_channel(object, __ws_bits_of(__ws_texel<uint2>(p)), channel);
		default:
			return __ws_texel<E>(p + channel * sizeof(E));
		}
	}
};
/* Of four texels: the lower left one first, and round against the clock. */
template <class T> WS_DEVICE T
__ws_gather(unsigned long long object, float x, float y, int channel)
{
	typedef decltype(T().x) E;
	typedef __ws_channel<E, (int)__ws_channels<E>::kind == (int)cudaChannelFormatKindFloat> of;
	const int corner[4] = { 2, 3, 1, 0 };
	__ws_texels *data = __ws_tex_data(object);
	E v[4] = { 0, 0, 0, 0 };

	for (int n = 0; n < 4; n++) {
		long long at = __ws_tex_around(object, x, y, corner[n]);
		if (at >= 0)
			v[n] = of::at(object, data + at, channel);
	}
	return T{ v[0], v[1], v[2], v[3] };
}

/* ---- texture objects -------------------------------------------------------------------------------- */

/* Each as a function, and with a pointer to the result in front. */
#define WS_FETCH(NAME, PARAMETERS, NAMES, ...) \
	template <class T> WS_DEVICE T NAME(cudaTextureObject_t object, WS_LIST PARAMETERS) \
	{ return __VA_ARGS__; } \
	template <class T> WS_DEVICE void NAME(T *to, cudaTextureObject_t object, WS_LIST PARAMETERS) \
	{ *to = NAME<T>(object, WS_LIST NAMES); }
#define WS_LIST(...) __VA_ARGS__
WS_FETCH(tex1Dfetch, (int x), (x), __ws_at<T>(object, x))
WS_FETCH(tex1D, (float x), (x), __ws_sample<T>(object, x, 0, 0, 1, -1))
WS_FETCH(tex2D, (float x, float y), (x, y), __ws_sample<T>(object, x, y, 0, 2, -1))
WS_FETCH(tex3D, (float x, float y, float z), (x, y, z), __ws_sample<T>(object, x, y, z, 3, -1))
WS_FETCH(tex1DLayered, (float x, int layer), (x, layer), __ws_sample<T>(object, x, 0, 0, 1, layer))
WS_FETCH(tex2DLayered, (float x, float y, int layer), (x, y, layer),
	 __ws_sample<T>(object, x, y, 0, 2, layer))
WS_FETCH(texCubemap, (float x, float y, float z), (x, y, z),
	 __ws_sample_cube<T>(object, x, y, z, 0))
WS_FETCH(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer),
	 __ws_sample_cube<T>(object, x, y, z, layer))
/* T has four channels, however many a texel has. */
WS_FETCH(tex2Dgather, (float x, float y, int channel = 0), (x, y, channel),
	 __ws_gather<T>(object, x, y, channel))
/* An object has one level of detail, whichever is asked for. */
WS_FETCH(tex1DLod, (float x, float), (x, 0), __ws_sample<T>(object, x, 0, 0, 1, -1))
WS_FETCH(tex2DLod, (float x, float y, float), (x, y, 0), __ws_sample<T>(object, x, y, 0, 2, -1))
WS_FETCH(tex3DLod, (float x, float y, float z, float), (x, y, z, 0),
	 __ws_sample<T>(object, x, y, z, 3, -1))
WS_FETCH(tex1DGrad, (float x, float, float), (x, 0, 0), __ws_sample<T>(object, x, 0, 0, 1, -1))
WS_FETCH(tex2DGrad, (float x, float y, float2, float2), (x, y, float2(), float2()),
	 __ws_sample<T>(object, x, y, 0, 2, -1))
#undef WS_FETCH

/* ---- texture references ------------------------------------------------------------------------------- */

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0c
#define cudaTextureType1DLayered 0xf1
#define cudaTextureType2DLayered 0xf2

template <class T, int Type = cudaTextureType1D,
	  enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
	__host__ texture(int norm = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
			 enum cudaTextureAddressMode mode = cudaAddressModeClamp)
	{
		*(textureReference *)this = textureReference();
		normalized = norm;
		filterMode = filter;
		addressMode[0] = addressMode[1] = addressMode[2] = mode;
		channelDesc = cudaCreateChannelDesc<T>();
		readMode = Mode;
	}
};

/* To device code it is the eight bytes of its object. */
template <class R> WS_DEVICE cudaTextureObject_t __ws_object_of(const R &reference)
{
	return *(const cudaTextureObject_t *)(const void *)&reference;
}

template <class T> struct __ws_parts;
#define WS_PARTS(N) \
	template <> struct __ws_parts<N> { typedef float type; }; \
	template <> struct __ws_parts<N##1> { typedef float1 type; }; \
	template <> struct __ws_parts<N##2> { typedef float2 type; }; \
	template <> struct __ws_parts<N##4> { typedef float4 type; };
template <> struct __ws_parts<signed char> { typedef float type; };
template <> struct __ws_parts<unsigned char> { typedef float type; };
template <> struct __ws_parts<unsigned short> { typedef float type; };
template <> struct __ws_parts<uchar1> { typedef float1 type; };
template <> struct __ws_parts<uchar2> { typedef float2 type; };
template <> struct __ws_parts<uchar4> { typedef float4 type; };
template <> struct __ws_parts<ushort1> { typedef float1 type; };
template <> struct __ws_parts<ushort2> { typedef float2 type; };
template <> struct __ws_parts<ushort4> { typedef float4 type; };
WS_PARTS(char)
WS_PARTS(short)
#undef WS_PARTS
template <class T, enum cudaTextureReadMode M> struct __ws_result { typedef T type; };
template <class T> struct __ws_result<T, cudaReadModeNormalizedFloat> : __ws_parts<T> {};

#define WS_FETCH(NAME, TYPE, PARAMETERS, NAMES) \
	template <class T, enum cudaTextureReadMode M> WS_DEVICE typename __ws_result<T, M>::type \
	NAME(texture<T, TYPE, M> reference, WS_LIST PARAMETERS) \
	{ \
		return NAME<typename __ws_result<T, M>::type>(__ws_object_of(reference), \
							      WS_LIST NAMES); \
	}
WS_FETCH(tex1Dfetch, cudaTextureType1D, (int x), (x))
WS_FETCH(tex1D, cudaTextureType1D, (float x), (x))
WS_FETCH(tex2D, cudaTextureType2D, (float x, float y), (x, y))
WS_FETCH(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z))
WS_FETCH(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer))
WS_FETCH(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, layer))
#undef WS_FETCH

/* Binding, as the host does it. */
template <class T, int D, enum cudaTextureReadMode M> static inline cudaError_t
cudaBindTexture(size_t *offset, const texture<T, D, M> &t, const void *pointer,
		const cudaChannelFormatDesc &format, size_t bytes = 0xffffffffu)
{
	return cudaBindTexture(offset, (const textureReference *)&t, pointer, &format, bytes);
}
template <class T, int D, enum cudaTextureReadMode M> static inline cudaError_t
cudaBindTexture(size_t *offset, const texture<T, D, M> &t, const void *pointer,
		size_t bytes = 0xffffffffu)
{
	return cudaBindTexture(offset, t, pointer, t.channelDesc, bytes);
}
template <class T, int D, enum cudaTextureReadMode M> static inline cudaError_t
cudaBindTexture2D(size_t *offset, const texture<T, D, M> &t, const void *pointer,
		  const cudaChannelFormatDesc &format, size_t width, size_t height, size_t pitch)
{
	return cudaBindTexture2D(offset, (const textureReference *)&t, pointer, &format, width,
				 height, pitch);
}
template <class T, int D, enum cudaTextureReadMode M> static inline cudaError_t
cudaBindTexture2D(size_t *offset, const texture<T, D, M> &t, const void *pointer, size_t width,
		  size_t height, size_t pitch)
{
	return cudaBindTexture2D(offset, t, pointer, t.channelDesc, width, height, pitch);
}
template <class T, int D, enum cudaTextureReadMode M> static inline cudaError_t
cudaBindTextureToArray(const texture<T, D, M> &t, cudaArray_const_t array,
		       const cudaChannelFormatDesc &format)
{
	return cudaBindTextureToArray((const textureReference *)&t, array, &format);
}
template <class T, int D, enum cudaTextureReadMode M> static inline cudaError_t
cudaBindTextureToArray(const texture<T, D, M> &t, cudaArray_const_t array)
{
	return cudaBindTextureToArray(t, array, t.channelDesc);
}
template <class T, int D, enum cudaTextureReadMode M> static inline cudaError_t
cudaUnbindTexture(const texture<T, D, M> &t)
{
	return cudaUnbindTexture((const textureReference *)&t);
}

/* ---- surfaces: x is in bytes ---------------------------------------------------------------------------- */

enum cudaSurfaceBoundaryMode {
	cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2,
};
template <class T> WS_DEVICE T
__ws_surface_read(cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode)
{
	long long at = __ws_tex_surface(object, x, y, z, (int)sizeof(T), mode);
	return mode == cudaBoundaryModeZero && at < 0 ? __ws_none<T>()
						      : __ws_texel<T>(__ws_tex_data(object) + at);
}
template <class T> WS_DEVICE void
__ws_surface_write(T value, cudaSurfaceObject_t object, int x, int y, int z,
		   cudaSurfaceBoundaryMode mode)
{
	typedef typename __ws_raw<sizeof(T)>::type raw;
	long long at = __ws_tex_surface(object, x, y, z, (int)sizeof(T), mode);
	raw bits;

	if (mode == cudaBoundaryModeZero && at < 0)
		return;
	__builtin_memcpy(&bits, &value, sizeof bits);
	*(__attribute__((address_space(1))) raw *)(__ws_tex_data(object) + at) = bits;
}
#define WS_SURFACE_OBJECT(NAME, PARAMETERS, X, Y, Z) \
	template <class T> WS_DEVICE T \
	surf##NAME##read(cudaSurfaceObject_t object, WS_LIST PARAMETERS, \
			 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
	{ return __ws_surface_read<T>(object, X, Y, Z, mode); } \
	template <class T> WS_DEVICE void \
	surf##NAME##read(T *to, cudaSurfaceObject_t object, WS_LIST PARAMETERS, \
			 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
	{ *to = __ws_surface_read<T>(object, X, Y, Z, mode); } \
	template <class T> WS_DEVICE void \
	surf##NAME##write(T value, cudaSurfaceObject_t object, WS_LIST PARAMETERS, \
			  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
	{ __ws_surface_write(value, object, X, Y, Z, mode); }
#define WS_SURFACE_REFERENCE(NAME, TYPE, PARAMETERS, NAMES) \
	template <class T> WS_DEVICE T \
	surf##NAME##read(surface<void, TYPE> s, WS_LIST PARAMETERS, \
			 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
	{ return surf##NAME##read<T>(__ws_object_of(s), WS_LIST NAMES, mode); } \
	template <class T> WS_DEVICE void \
	surf##NAME##read(T *to, surface<void, TYPE> s, WS_LIST PARAMETERS, \
			 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
	{ *to = surf##NAME##read<T>(__ws_object_of(s), WS_LIST NAMES, mode); } \
	template <class T> WS_DEVICE void \
	surf##NAME##write(T value, surface<void, TYPE> s, WS_LIST PARAMETERS, \
			  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
	{ surf##NAME##write(value, __ws_object_of(s), WS_LIST NAMES, mode); }
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceType1DLayered 0xf1
#define cudaSurfaceType2DLayered 0xf2
#define cudaSurfaceTypeCubemap 0x0c
#define cudaSurfaceTypeCubemapLayered 0xfc
template <class T, int Type = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {};
template <int Type>
struct __attribute__((device_builtin_surface_type)) surface<void, Type> : public surfaceReference {
	__host__ surface()
	{
		object = 0;
		channelDesc = cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
	}
};
template <class T, int Type> static inline cudaError_t
cudaBindSurfaceToArray(const surface<T, Type> &s, cudaArray_const_t array,
		       const cudaChannelFormatDesc &format)
{
	return cudaBindSurfaceToArray((const surfaceReference *)&s, array, &format);
}
template <class T, int Type> static inline cudaError_t
cudaBindSurfaceToArray(const surface<T, Type> &s, cudaArray_const_t array)
{
	cudaChannelFormatDesc format;
	cudaError_t error = cudaGetChannelDesc(&format, array);

	return error == cudaSuccess ? cudaBindSurfaceToArray(s, array, format) : error;
}
/* By objects, and by surfaces of a variable's own. */
#define WS_SURFACE(NAME, PARAMETERS, NAMES, ...) \
	WS_SURFACE_OBJECT(NAME, PARAMETERS, __VA_ARGS__) \
	WS_SURFACE_REFERENCE(NAME, cudaSurfaceType##NAME, PARAMETERS, NAMES)
WS_SURFACE(1D, (int x), (x), x, 0, 0)
WS_SURFACE(2D, (int x, int y), (x, y), x, y, 0)
WS_SURFACE(3D, (int x, int y, int z), (x, y, z), x, y, z)
WS_SURFACE(1DLayered, (int x, int layer), (x, layer), x, 0, layer)
WS_SURFACE(2DLayered, (int x, int y, int layer), (x, y, layer), x, y, layer)
WS_SURFACE(Cubemap, (int x, int y, int face), (x, y, face), x, y, face)
WS_SURFACE(CubemapLayered, (int x, int y, int face), (x, y, face), x, y, face)
#undef WS_SURFACE
#undef WS_SURFACE_OBJECT
#undef WS_SURFACE_REFERENCE
#undef WS_LIST
#undef WS_TEX
#undef WS_OF
#include "cuda_letters_end.h"

#endif
