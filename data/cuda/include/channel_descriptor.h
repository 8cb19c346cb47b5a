/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * channel_descriptor.h -- cudaCreateChannelDesc<float4>() and its like.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CHANNEL_DESCRIPTOR_H
#define WARPSTACK_CHANNEL_DESCRIPTOR_H
#include "cuda_letters_begin.h"

#ifdef __cplusplus
#include "cuda_runtime_api.h"

template <class T> struct __ws_channels;
#define WS_CHANNELS(T, KIND, N1, N2, N4) \
	template <> struct __ws_channels<T> { \
		enum { bits = 8 * sizeof(T), channels = 1, kind = cudaChannelFormatKind##KIND }; \
	}; \
	template <> struct __ws_channels<N1> { \
		enum { bits = 8 * sizeof(T), channels = 1, kind = cudaChannelFormatKind##KIND }; \
	}; \
	template <> struct __ws_channels<N2> { \
		enum { bits = 8 * sizeof(T), channels = 2, kind = cudaChannelFormatKind##KIND }; \
	}; \
	template <> struct __ws_channels<N4> { \
		enum { bits = 8 * sizeof(T), channels = 4, kind = cudaChannelFormatKind##KIND }; \
	};
template <> struct __ws_channels<char> {
	enum { bits = 8, channels = 1, kind = cudaChannelFormatKindSigned };
};
WS_CHANNELS(signed char, Signed, char1, char2, char4)
WS_CHANNELS(unsigned char, Unsigned, uchar1, uchar2, uchar4)
WS_CHANNELS(short, Signed, short1, short2, short4)
WS_CHANNELS(unsigned short, Unsigned, ushort1, ushort2, ushort4)
WS_CHANNELS(int, Signed, int1, int2, int4)
WS_CHANNELS(unsigned int, Unsigned, uint1, uint2, uint4)
WS_CHANNELS(float, Float, float1, float2, float4)
#undef WS_CHANNELS

template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
	typedef __ws_channels<T> c;
	cudaChannelFormatDesc d = { c::bits, c::channels > 1 ? (int)c::bits : 0,
				    c::channels > 2 ? (int)c::bits : 0,
				    c::channels > 2 ? (int)c::bits : 0,
				    (cudaChannelFormatKind)c::kind };
	return d;
}
#define WS_HALVES(NAME, X, Y, ZW) \
	static inline cudaChannelFormatDesc NAME() \
	{ return { X, Y, ZW, ZW, cudaChannelFormatKindFloat }; }
WS_HALVES(cudaCreateChannelDescHalf, 16, 0, 0)
WS_HALVES(cudaCreateChannelDescHalf1, 16, 0, 0)
WS_HALVES(cudaCreateChannelDescHalf2, 16, 16, 0)
WS_HALVES(cudaCreateChannelDescHalf4, 16, 16, 16)
#undef WS_HALVES
#endif
#include "cuda_letters_end.h"

#endif
