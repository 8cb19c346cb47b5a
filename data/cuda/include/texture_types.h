/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * texture_types.h -- arrays of texels, textures and surfaces, as the host knows them.
 */
#pragma GCC system_header
#ifndef WARPSTACK_TEXTURE_TYPES_H
#define WARPSTACK_TEXTURE_TYPES_H

#include <stddef.h>

enum cudaChannelFormatKind {
	cudaChannelFormatKindSigned = 0, cudaChannelFormatKindUnsigned = 1,
	cudaChannelFormatKindFloat = 2, cudaChannelFormatKindNone = 3,
};
struct cudaChannelFormatDesc {
	int x, y, z, w;		/* bits of each channel */
	enum cudaChannelFormatKind f;
};
typedef struct cudaChannelFormatDesc cudaChannelFormatDesc;

typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
struct cudaPitchedPtr {
	void *ptr;
	size_t pitch, xsize, ysize;
};
struct cudaExtent {
	size_t width, height, depth;
};
struct cudaPos {
	size_t x, y, z;
};
typedef struct cudaPitchedPtr cudaPitchedPtr;
typedef struct cudaExtent cudaExtent;
typedef struct cudaPos cudaPos;
struct cudaMemcpy3DParms {
	cudaArray_t srcArray;
	struct cudaPos srcPos;
	struct cudaPitchedPtr srcPtr;
	cudaArray_t dstArray;
	struct cudaPos dstPos;
	struct cudaPitchedPtr dstPtr;
	struct cudaExtent extent;
	enum cudaMemcpyKind kind;
};
typedef struct cudaMemcpy3DParms cudaMemcpy3DParms;
#define cudaArrayDefault 0
#define cudaArrayLayered 1
#define cudaArraySurfaceLoadStore 2
#define cudaArrayCubemap 4
#define cudaArrayTextureGather 8

static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t xsize,
							size_t ysize)
{
	struct cudaPitchedPtr p = { pointer, pitch, xsize, ysize };
	return p;
}
static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
	struct cudaExtent e = { width, height, depth };
	return e;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
	struct cudaPos p = { x, y, z };
	return p;
}

enum cudaTextureAddressMode {
	cudaAddressModeWrap = 0, cudaAddressModeClamp = 1, cudaAddressModeMirror = 2,
	cudaAddressModeBorder = 3,
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaResourceType {
	cudaResourceTypeArray = 0, cudaResourceTypeMipmappedArray = 1,
	cudaResourceTypeLinear = 2, cudaResourceTypePitch2D = 3,
};
enum cudaResourceViewFormat { cudaResViewFormatNone = 0 };
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

struct cudaResourceDesc {
	enum cudaResourceType resType;
	union {
		struct { cudaArray_t array; } array;
		struct { void *mipmap; } mipmap;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t sizeInBytes;
		} linear;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t width, height, pitchInBytes;
		} pitch2D;
	} res;
};
typedef struct cudaResourceDesc cudaResourceDesc;
struct cudaTextureDesc {
	enum cudaTextureAddressMode addressMode[3];
	enum cudaTextureFilterMode filterMode;
	enum cudaTextureReadMode readMode;
	int sRGB;
	float borderColor[4];
	int normalizedCoords;
	unsigned int maxAnisotropy;
	enum cudaTextureFilterMode mipmapFilterMode;
	float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
	int disableTrilinearOptimization, seamlessCubemap;
};
typedef struct cudaTextureDesc cudaTextureDesc;
struct cudaResourceViewDesc {
	enum cudaResourceViewFormat format;
	size_t width, height, depth;
	unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};
typedef struct cudaResourceViewDesc cudaResourceViewDesc;

/* A texture of a variable's own, as programs before CUDA 12 have it.  `object` is what it is bound
 * to; device code looks there. */
struct textureReference {
	cudaTextureObject_t object;
	int normalized;
	enum cudaTextureFilterMode filterMode;
	enum cudaTextureAddressMode addressMode[3];
	struct cudaChannelFormatDesc channelDesc;
	enum cudaTextureReadMode readMode;
};
typedef struct textureReference textureReference;
/* The same of a surface. */
struct surfaceReference {
	cudaSurfaceObject_t object;
	struct cudaChannelFormatDesc channelDesc;
};
typedef struct surfaceReference surfaceReference;

/* What a texture object or a surface is to the texture unit. */
struct __ws_texture {
	unsigned char *data;
	unsigned long long pitch, slice;	/* bytes from a row, or slice, to the next */
	unsigned int extent[3];			/* texels; at least 1 */
	unsigned int texel;			/* bytes */
	unsigned int channels, bits;		/* of each channel */
	int kind;				/* enum cudaChannelFormatKind */
	int mode[3];				/* enum cudaTextureAddressMode */
	int linear, normalized;			/* filtered; coordinates from 0 to 1 */
	int real;				/* channels are read as parts of one */
};

#endif
