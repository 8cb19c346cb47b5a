/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/encoder.c -- the steps of one CTA as bytes.
 *
 * For each instruction of a step the addresses are tried against the strides
 * its last vector had: mostly they fit, and all there is to do is to compare.
 * If not, strides are read off three active lanes and tried in turn; addresses
 * that are not affine at all become a list of differences of one fixed width,
 * which costs no unpredictable branch to write or read (zstd takes the zeros
 * out later).  All arithmetic is modulo 2^64, so any addresses will do.
 *
 * Costs: a pass over the active lanes per vector, two and a half for a list.
 * The bytes are described in warpstack-trace(5).
 */
#include "trace/format/wst.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define VAR_MAX 10u /* bytes of the longest varint */

struct tally { /* instructions of a segment that access global space */
	uint32_t count[WS_KINDS];
};

struct ws_encoder {
	const struct ws_launch *launch;
	struct ws_lanes lanes;
	struct ws_vector_state *state; /* per instruction */
	struct tally *tally;		/* per segment */
	uint64_t *delta;		/* per lane: a list on its way */
	uint64_t epoch, accesses[WS_KINDS];
	uint32_t next;	/* segment expected: the last one's successor */
	struct ws_buf buf;
	uint8_t *p;	/* where to write in buf */
};

/* ---- writing bytes ---------------------------------------------------------- */

/* Makes room for len bytes at e->p; false and .failed if there is none. */
static bool reserve(struct ws_encoder *e, size_t len)
{
	struct ws_buf *buf = &e->buf;
	size_t used = e->p ? (size_t)(e->p - buf->data) : 0;

	buf->failed |= !WS_ROOM(buf->data, buf->cap, used + len);
	if (!buf->failed)
		e->p = buf->data + used;
	return !buf->failed;
}

static uint8_t *put_var(uint8_t *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (uint8_t)(v | 0x80);
	*p++ = (uint8_t)v;
	return p;
}

/* ---- affine vectors --------------------------------------------------------- */

#define INLINE static inline __attribute__((always_inline))

/* Nonzero if a[1..len-1] is not a[0] + i*stride. */
INLINE uint64_t progression(const uint64_t *a, size_t len, uint64_t stride)
{
	uint64_t bad[8] = { 0 }, any = 0;

	if (len <= 8) { /* most runs of a mask with holes are of a few lanes */
		for (size_t i = 1; i < len; i++)
			any |= (a[i] - a[i - 1]) ^ stride;
		return any;
	}
	for (size_t i = 1; i < len; i += 8) { /* a constant inner count is made SIMD code */
		i = i < len - 8 ? i : len - 8;
		for (size_t j = 0; j < 8; j++)
			bad[j] |= (a[i + j] - a[i + j - 1]) ^ stride;
	}
	for (size_t j = 0; j < 8; j++)
		any |= bad[j];
	return any;
}

INLINE bool all_affine(const struct ws_lanes *l, const uint64_t *address,
		       const uint64_t stride[3], uint64_t base)
{
	for (const struct ws_lane_run *r = l->run, *end = r + l->runs; r < end; r++) {
		const uint64_t *a = address + r->lane;

		if (a[0] != base + ws_reach(stride, r) || progression(a, r->len, stride[0]))
			return false;
	}
	return true;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static bool affine_avx2(const struct ws_lanes *l,
							const uint64_t *address,
							const uint64_t stride[3], uint64_t base)
{
	return all_affine(l, address, stride, base);
}
#endif

static bool is_affine(const struct ws_lanes *l, const uint64_t *address,
		      const uint64_t stride[3], uint64_t base)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2"))
		return affine_avx2(l, address, stride, base);
#endif
	return all_affine(l, address, stride, base);
}

/* Of a signed difference, rounded if it is not whole. */
static uint64_t divide_rounded(uint64_t difference, uint64_t steps)
{
	return difference >> 63 ? 0 - (0 - difference) / steps : difference / steps;
}

/* The stride of one dimension, those of the dimensions below known: from the
 * first two lanes that differ in it and in none above.  Unchanged if there are
 * none such. */
static void fit_stride(const struct ws_lanes *l, const uint64_t *address, int dim,
		       uint64_t stride[3])
{
	const struct ws_lane_run *end = l->run + l->runs - 1;

	for (const struct ws_lane_run *r = l->run; r <= end; r++) {
		const uint64_t *a = address + r->lane;
		uint64_t from, to;
		int step[3];

		if (dim == 0 && r->len > 1) {
			stride[0] = a[1] - a[0];
			return;
		}
		if (r == end)
			return;
		step[0] = r[1].x - r->x;
		step[1] = r[1].y - r->y;
		step[2] = r[1].z - r->z;
		if (step[dim] && (dim > 0 || !step[1]) && (dim > 1 || !step[2])) {
			stride[dim] = 0; /* so that it does not count in the reach */
			from = a[0] - ws_reach(stride, r);
			to = address[r[1].lane] - ws_reach(stride, &r[1]);
			stride[dim] = divide_rounded(to - from, (uint64_t)step[dim]);
			return; /* a step is positive if none above it differs */
		}
	}
}

/* Guesses strides from a few lanes; is_affine decides whether all agree. */
static void fit(const struct ws_lanes *l, const uint64_t *address, uint64_t stride[3])
{
	for (int dim = 0; dim < 3; dim++)
		if (l->extent[dim] > 1)
			fit_stride(l, address, dim, stride);
}

/* ---- lists ------------------------------------------------------------------ */

/* Differences of neighbours among the active lanes; the bits set in any of
 * them, as they are and in zigzag form. */
static size_t differences(struct ws_encoder *e, const uint64_t *address, uint64_t *bits,
			  uint64_t *zigzag)
{
	const struct ws_lane_run *r = e->lanes.run, *end = r + e->lanes.runs;
	uint64_t last = address[r->lane], any = 0, all = 0;
	size_t n = 0;

	for (; r < end; r++) {
		for (size_t i = 0; i < r->len; i++) {
			uint64_t d = address[r->lane + i] - last;

			last = address[r->lane + i];
			any |= d;
			all |= ws_zigzag(d);
			e->delta[n++] = d;
		}
	}
	*bits = any;
	*zigzag = all;
	return n;
}

/* (differences >> shift) in zigzag form, bytes each; d[0] is no difference. */
static inline uint8_t *put_words(uint8_t *p, const uint64_t *d, size_t n, unsigned shift,
				 unsigned bytes)
{
	for (size_t i = 1; i < n; i++, p += bytes) {
		uint64_t sign = d[i] >> 63 ? UINT64_MAX : 0;

		/* the arithmetic shift; the low bits are zero */
		ws_word_put(p, ws_zigzag((d[i] ^ sign) >> shift ^ sign), bytes);
	}
	return p;
}

static void put_list(struct ws_encoder *e, const uint64_t *address)
{
	uint64_t bits, zigzag;
	size_t n = differences(e, address, &bits, &zigzag);
	unsigned shift = bits ? ws_lowest_bit(bits) : 0, log = 0;

	for (zigzag >>= shift; log < 3 && zigzag >> (8u << log); log++)
		;
	*e->p++ = (uint8_t)(log | shift << 2);
	if (log == 0)
		e->p = put_words(e->p, e->delta, n, shift, 1);
	else if (log == 1)
		e->p = put_words(e->p, e->delta, n, shift, 2);
	else if (log == 2)
		e->p = put_words(e->p, e->delta, n, shift, 4);
	else
		e->p = put_words(e->p, e->delta, n, shift, 8);
}

/* ---- steps -------------------------------------------------------------------- */

static void put_vector(struct ws_encoder *e, struct ws_vector_state *s, const uint64_t *address)
{
	const struct ws_lanes *l = &e->lanes;
	uint64_t stride[3], base = address[l->run->lane];
	unsigned code = 0;
	uint8_t *head;

	if (s->epoch != e->epoch)
		*s = (struct ws_vector_state){ .epoch = e->epoch };
	if (is_affine(l, address, s->stride, base - ws_reach(s->stride, l->run))) {
		base -= ws_reach(s->stride, l->run);
	} else {
		memcpy(stride, s->stride, sizeof stride);
		code = WST_LIST;
		fit(l, address, stride);
		if (is_affine(l, address, stride, base - ws_reach(stride, l->run))) {
			memcpy(s->stride, stride, sizeof stride);
			base -= ws_reach(stride, l->run);
			code = WST_STRIDES;
		}
	}
	if (!reserve(e, 2 + 4 * VAR_MAX + (code & WST_LIST ? 8 * l->active : 0)))
		return;
	head = e->p++;
	if (base - s->base != s->delta) {
		s->delta = base - s->base;
		code |= WST_DELTA;
		e->p = put_var(e->p, ws_zigzag(s->delta));
	}
	s->base = base;
	*head = (uint8_t)code;
	for (int i = 0; code & WST_STRIDES && i < 3; i++)
		e->p = put_var(e->p, ws_zigzag(s->stride[i]));
	if (code & WST_LIST)
		put_list(e, address);
}

/* Stores the mask; returns its encoding. */
static enum ws_mask_code take_mask(struct ws_lanes *l, const uint64_t *mask)
{
	size_t bytes = l->words * sizeof *mask;
	const struct ws_lane_run *last;

	if (memcmp(mask, l->mask, bytes) == 0)
		return l->active == l->threads ? WST_MASK_FULL : WST_MASK_SAME;
	if (memcmp(mask, l->all, bytes) == 0) {
		ws_lanes_full(l);
		return WST_MASK_FULL;
	}
	memcpy(l->mask, mask, bytes);
	ws_lanes_update(l);
	assert(l->active > 0 && !(mask[l->words - 1] & ~l->all[l->words - 1]));
	last = &l->run[l->runs - 1];
	return (size_t)last->lane + last->len - l->run->lane == l->active ? WST_MASK_RANGE :
									     WST_MASK_BITS;
}

static void put_mask(struct ws_encoder *e, enum ws_mask_code how)
{
	const struct ws_lanes *l = &e->lanes;

	if (how == WST_MASK_RANGE) {
		e->p = put_var(e->p, l->run->lane);
		e->p = put_var(e->p, l->active - 1);
	} else if (how == WST_MASK_BITS) {
		for (size_t i = 0; i < (l->threads + 7) / 8; i++)
			*e->p++ = (uint8_t)(l->mask[i / 8] >> i % 8 * 8);
	}
}

void ws_encoder_step(struct ws_encoder *e, uint32_t segment, const uint64_t *mask,
		     const uint64_t *const *address)
{
	const struct ws_segment *s = &e->launch->segment[segment];
	enum ws_mask_code how;

	assert(segment < e->launch->segments);
	how = take_mask(&e->lanes, mask);
	if (!reserve(e, 3 * VAR_MAX + WS_CTA_THREADS_MAX / 8))
		return;
	e->p = put_var(e->p, 1 + (ws_zigzag((uint64_t)segment - e->next) << 2 | how));
	e->next = segment + 1;
	put_mask(e, how);
	for (uint32_t i = 0; i < s->count; i++)
		put_vector(e, &e->state[s->first + i], address[i]);
	for (int k = 0; k < WS_KINDS; k++)
		e->accesses[k] += e->tally[segment].count[k] * e->lanes.active;
}

void ws_encoder_begin(struct ws_encoder *e)
{
	e->epoch++;
	e->next = 0;
	e->buf.failed = false;
	e->p = e->buf.data;
	memset(e->accesses, 0, sizeof e->accesses);
	ws_lanes_full(&e->lanes);
}

bool ws_encoder_full(const struct ws_encoder *e)
{
	return e->p && (uint64_t)(e->p - e->buf.data) >= WS_BLOCK_MAX;
}

enum ws_status ws_encoder_end(struct ws_encoder *e, struct ws_buf *out,
			      uint64_t accesses[WS_KINDS], struct ws_err *err)
{
	size_t before = out->len;

	if (reserve(e, 1)) {
		*e->p++ = 0;
		ws_put_bytes(out, e->buf.data, (size_t)(e->p - e->buf.data));
	}
	if (e->buf.failed || out->failed) {
		out->len = before;
		return ws_fail_memory(err, "the bytes of a CTA");
	}
	for (int k = 0; k < WS_KINDS; k++)
		accesses[k] += e->accesses[k];
	return WS_OK;
}

/* ---- life --------------------------------------------------------------------- */

static void count_kinds(struct ws_encoder *e)
{
	const struct ws_launch *l = e->launch;

	for (size_t i = 0; i < l->segments; i++) {
		const struct ws_instruction *in = l->instruction + l->segment[i].first;

		for (uint32_t a = 0; a < l->segment[i].count; a++)
			e->tally[i].count[in[a].kind] += in[a].space == WS_SPACE_GLOBAL;
	}
}

enum ws_status ws_encoder_new(struct ws_encoder **out, const struct ws_launch *launch,
			      struct ws_err *err)
{
	struct ws_encoder *e;
	enum ws_status status;

	*out = NULL;
	status = ws_launch_check(launch, WS_EINVAL, "launch", err);
	if (status != WS_OK)
		return status;
	e = ws_alloc_zero(1, sizeof *e);
	if (!e)
		return ws_fail_memory(err, "an encoder");
	e->launch = launch;
	status = ws_lanes_init(&e->lanes, launch->block, err);
	if (status == WS_OK) {
		e->state = ws_alloc_zero(launch->instructions, sizeof *e->state);
		e->tally = ws_alloc_zero(launch->segments, sizeof *e->tally);
		e->delta = ws_alloc(e->lanes.threads, sizeof *e->delta);
		if (!e->state || !e->tally || !e->delta)
			status = ws_fail_memory(err, "an encoder");
	}
	if (status != WS_OK) {
		ws_encoder_free(e);
		return status;
	}
	count_kinds(e);
	ws_encoder_begin(e);
	*out = e;
	return WS_OK;
}

void ws_encoder_free(struct ws_encoder *e)
{
	if (!e)
		return;
	ws_lanes_clear(&e->lanes);
	free(e->state);
	free(e->tally);
	free(e->delta);
	ws_buf_clear(&e->buf);
	free(e);
}
