/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/image.h -- reads and writes of images as sections 8.2 and 8.3 of the OpenCL C
 * specification have them, texel by texel, in double precision where it does not say which texel.
 */
#ifndef REF_IMAGE_H
#define REF_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

enum ref_address { REF_NONE, REF_EDGE, REF_CLAMP, REF_REPEAT, REF_MIRROR, REF_ADDRESSES };

struct ref_sampler {
	enum ref_address address;
	bool linear, normalized;
};

struct ref_image {
	unsigned axes;		/* that are looked up and filtered: 1, 2, 3 */
	bool layers;		/* in the component behind them */
	int size[3];		/* along the axes */
	int layer_count;
	const char *order, *type; /* "RGBA", "UNORM_INT8" */
	const uint8_t *data;	/* rows, slices or layers without gaps */
};

struct ref_read {
	double number[4];	/* of read_imagef */
	double largest;		/* absolute value that went into a filter's sum, for tolerances */
	int64_t integer[4];	/* of read_imagei and read_imageui */
	uint64_t offset[8];	/* of the texels that were read, in order */
	unsigned texels;
};

int ref_channels(const char *order);
int ref_texel_bytes(const struct ref_image *m);
/* At floating-point coordinates, and at integer ones. */
void ref_read(struct ref_read *out, const struct ref_image *m, const struct ref_sampler *s,
	      const float c[4]);
void ref_read_at(struct ref_read *out, const struct ref_image *m, const struct ref_sampler *s,
		 const int c[4]);
/* The numbers that a texel's bytes are. */
void ref_texel(struct ref_read *out, const struct ref_image *m, const uint8_t *texel);
/* What a write of c leaves in a channel of a normalized type, before it is stored. */
double ref_quantised(const char *type, int channel, float c);
/* Block-linear: bit by bit. */
uint64_t ref_block_linear(uint64_t x_bytes, uint64_t y, uint64_t z, uint64_t row_bytes,
			  uint64_t rows);

#endif
