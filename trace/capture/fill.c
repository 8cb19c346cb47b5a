/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/fill.c -- buffers: memory, contents, device addresses.
 *
 * Contents are launch_init.c's; a 3-vector takes the room of four and its
 * fourth component is zero.  Linear in the bytes.
 */
#include "trace/capture/launch.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void fill_iota(struct ws_buffer *b)
{
	uint64_t i = 0;

	WS_EACH_COMPONENT(b, to) {
		if (ws_elem_is_float(b->elem))
			ws_elem_store_float(to, b->elem, (double)i);
		else
			ws_elem_store_int(to, b->elem, i);
		i++;
	}
}

static void fill_constant(struct ws_buffer *b, const struct ws_init *init)
{
	size_t stride = (size_t)ws_buffer_stride(b) * ws_elem_bytes[b->elem];

	for (uint64_t i = 0; i < b->count; i++)
		memcpy(b->host + i * stride, init->value, stride);
}

/* [from, to): rounding to the type may not reach the upper end. */
static double random_float(struct ws_rng *rng, const struct ws_init *init, enum ws_elem e)
{
	double v = init->from + (init->to - init->from) * ws_rng_double(rng);

	assert(init->from <= init->to);
	if (e == WS_ELEM_FLOAT && (float)v >= (float)init->to)
		return (double)nextafterf((float)init->to, (float)init->from);
	if (e == WS_ELEM_HALF && ws_half_of(ws_half_bits(v)) >= init->to)
		return init->from;
	return v >= init->to ? nextafter(init->to, init->from) : v;
}

#define DRAWN 256u /* floats at once */

/* The same of floats without padding, without a test for each. */
static void fill_floats(struct ws_buffer *b, const struct ws_init *init, struct ws_rng *rng)
{
	float *to = (float *)(void *)b->host, high = (float)init->to;
	float below = nextafterf(high, (float)init->from);
	double from = init->from, span = init->to - init->from, drawn[DRAWN];
	uint64_t left = b->count * b->lanes;

	for (size_t n; left; left -= n, to += n) {
		n = left < DRAWN ? left : DRAWN;
		ws_rng_doubles(rng, drawn, n);
		for (size_t i = 0; i < n; i++) {
			float v = (float)(from + span * drawn[i]);

			to[i] = v < high ? v : below;
		}
	}
}

static void fill_random(struct ws_buffer *b, const struct ws_init *init)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, init->seed);
	if (b->elem == WS_ELEM_FLOAT && b->lanes == ws_buffer_stride(b)) {
		fill_floats(b, init, &rng);
		return;
	}
	WS_EACH_COMPONENT(b, to) {
		if (ws_elem_is_float(b->elem))
			ws_elem_store_float(to, b->elem, random_float(&rng, init, b->elem));
		else
			ws_elem_store_int(to, b->elem, init->low +
				  (init->span ? ws_rng_below(&rng, init->span)
					      : ws_rng_u64(&rng)));
	}
}

static enum ws_status fill_file(struct ws_buffer *b, const char *path,
				const struct ws_text_place *at, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	struct ws_in in;
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return ws_place_fail(at, err, "%.200s: want a regular file", path);
	status = ws_in_open(&in, path, err);
	if (status != WS_OK)
		return status;
	if (in.len == b->bytes)
		memcpy(b->host, in.data, in.len);
	else
		status = ws_place_fail(at, err, "%.200s has %zu bytes: want %" PRIu64 ", as buffer "
				       "%.60s has", path, in.len, b->bytes, b->name);
	ws_in_close(&in);
	return status;
}

/* ---- memory ------------------------------------------------------------------------------ */

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t mapped_bytes(const struct ws_buffer *b)
{
	size_t page = page_bytes();

	return ((size_t)b->bytes + page - 1) / page * page + 2 * page;
}

enum ws_status ws_buffer_map(struct ws_buffer *b, struct ws_err *err)
{
	size_t page = page_bytes(), len = mapped_bytes(b);
	/* Kernels run in a process of their own (child.h). */
	uint8_t *map = mmap(NULL, len, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			    0);

	if (map == MAP_FAILED)
		return ws_fail_memory(err, "a buffer");
	if (mprotect(map + page, len - 2 * page, PROT_READ | PROT_WRITE)) {
		munmap(map, len);
		return ws_fail_memory(err, "a buffer");
	}
	b->host = map + page;
	return WS_OK;
}

void ws_buffer_unmap(struct ws_buffer *b)
{
	if (b->host)
		munmap(b->host - page_bytes(), mapped_bytes(b));
	b->host = NULL;
}

static enum ws_status fill_buffer(struct ws_buffer *b, const struct ws_init *init,
				  const struct ws_text_place *at, struct ws_edges *edges,
				  struct ws_err *err)
{
	switch (init->kind) {
	case WS_INIT_IOTA:
		fill_iota(b);
		return WS_OK;
	case WS_INIT_CONSTANT:
		fill_constant(b, init);
		return WS_OK;
	case WS_INIT_RANDOM:
		fill_random(b, init);
		return WS_OK;
	case WS_INIT_PATH:
		return fill_file(b, init->path, at, err);
	case WS_INIT_CSR_ROWS:
	case WS_INIT_CSR_COLUMNS:
	case WS_INIT_ROAD_ROWS:
	case WS_INIT_ROAD_COLUMNS:
		return ws_graph_fill(b, init, edges, err);
	default: /* zero: fresh memory is */
		return WS_OK;
	}
}

static enum ws_status map_and_fill(struct ws_program *p, size_t number, struct ws_edges *edges,
				   struct ws_err *err)
{
	struct ws_buffer *b = &p->buffer[number];
	struct ws_text_place at = ws_place_of(p, b->line, b->name);
	struct ws_init init;
	enum ws_status status = ws_init_parse(&init, b, number, &at, err);

	if (status != WS_OK)
		return status;
	ws_buffer_unmap(b);
	status = ws_buffer_map(b, err);
	return status == WS_OK ? fill_buffer(b, &init, &at, edges, err) : status;
}

enum ws_status ws_program_fill(struct ws_program *p, struct ws_err *err)
{
	uint64_t align = p->device_align ? p->device_align : WS_DEVICE_ALIGN;
	uint64_t base = p->device_base ? p->device_base : WS_DEVICE_BASE;
	enum ws_status status = WS_OK;
	struct ws_edges edges = { 0 };

	base = (base + align - 1) / align * align;
	for (size_t i = 0; i < p->buffers && status == WS_OK; i++) {
		status = map_and_fill(p, i, &edges, err);
		p->buffer[i].base = base;
		base += (ws_buffer_span(&p->buffer[i]) + align - 1) / align * align;
	}
	free(edges.edge);
	return status;
}
