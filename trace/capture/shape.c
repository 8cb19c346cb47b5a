/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/shape.c -- the shapes of CTAs that a kernel is made for.
 *
 * Work-items are numbered by rows, and 32 that follow each other are a warp.  If the width is a
 * multiple of 32, or there is one row, a warp's lie in one row, whatever the width.
 */
#include "trace/capture/kernel.h"

#define WARP 32u

static struct ws_form_shape shape_of(const uint64_t block[3])
{
	const struct ws_form_shape row = { WS_FORM_LANES, WS_FORM_LANES };

	if (block[0] % WARP == 0 || (block[1] == 1 && block[2] == 1))
		return row;
	return (struct ws_form_shape){ (uint32_t)block[0],
				       block[2] == 1 ? WS_FORM_LANES : (uint32_t)block[1] };
}

static bool has(const struct ws_cta_shapes *s, struct ws_form_shape shape)
{
	size_t i = 0;

	while (i < s->count && (s->shape[i].x != shape.x || s->shape[i].y != shape.y))
		i++;
	return i < s->count;
}

void ws_cta_shapes_add(struct ws_cta_shapes *s, const uint64_t block[3])
{
	struct ws_form_shape shape = shape_of(block);

	if (s->many || has(s, shape))
		return;
	s->many = s->count == WS_SHAPES;
	if (s->many)
		s->count = 0;
	else
		s->shape[s->count++] = shape;
}

/* Those that are usual have widths that are powers of two. */
static bool is_usual(struct ws_form_shape s)
{
	return !(s.x & (s.x - 1)) && s.y == WS_FORM_LANES;
}

bool ws_cta_shapes_cover(const struct ws_cta_shapes *made, const struct ws_cta_shapes *wanted)
{
	bool cover = made->count == 0 || wanted->count > 0;

	for (size_t i = 0; i < wanted->count && cover; i++)
		cover = made->count ? has(made, wanted->shape[i]) : is_usual(wanted->shape[i]);
	return cover;
}
