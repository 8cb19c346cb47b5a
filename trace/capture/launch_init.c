/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch_init.c -- reads what a buffer holds at first.
 *
 *   zero                        the default
 *   iota                        0, 1, 2, ... through all components, modulo the type
 *   constant V                  V a number, or one per component: 1,2,3,4
 *   random [LO HI] [seed=S]     floats in [LO, HI), default [0, 1); integers in
 *                               LO..HI, default the type's whole range; seed: default
 *                               the buffer's position, from 1, so that two differ
 *   file PATH                   raw, little-endian, exactly the buffer's bytes
 *   csr-rows N D [seed=S]       N+1 row offsets of a graph of N nodes and N*D edges
 *   csr-columns N D [seed=S]    its N*D column indices; seed: default 1
 *     with the word symmetric after D each edge is in both rows; N*D is even; with the
 *     word uniform both nodes of an edge are drawn evenly, else degrees have a power law
 *   road-rows W H M [seed=S]    the same of a grid of W x H nodes without M of its edges,
 *   road-columns W H M [seed=S] the others in both rows: 2*((W-1)*H + W*(H-1) - M) entries
 */
#include "trace/capture/launch.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const kind_names[WS_INIT_KINDS] = {
	"zero", "iota", "constant", "random", "file", "csr-rows", "csr-columns",
	"road-rows", "road-columns",
};

#define WORDS_MAX 8u
#define HALF_MAX  65504.0

struct words {
	char text[384];
	const char *word[WORDS_MAX];
	size_t count;
};

/* False if there is more than any initialiser has. */
static bool split(struct words *w, const char *text)
{
	char *rest = w->text;
	size_t len = strlen(text);

	w->count = 0;
	if (len >= sizeof w->text)
		return false;
	memcpy(w->text, text, len + 1);
	for (;;) {
		rest += strspn(rest, WS_BLANK);
		if (!*rest)
			return true;
		if (w->count == WORDS_MAX)
			return false;
		w->word[w->count++] = rest;
		rest += strcspn(rest, WS_BLANK);
		if (*rest)
			*rest++ = '\0';
	}
}

/* An integer of the type as two's complement in 64 bits. */
static bool parse_int(const char *text, enum ws_elem e, uint64_t *bits)
{
	int64_t i;

	if (!ws_elem_is_signed(e))
		return ws_parse_u64(text, bits) && *bits <= ws_elem_max(e);
	if (!ws_parse_i64(text, &i) || i > (int64_t)ws_elem_max(e) ||
	    i < -(int64_t)ws_elem_max(e) - 1)
		return false;
	*bits = (uint64_t)i;
	return true;
}

static bool parse_float(const char *text, enum ws_elem e, double *value)
{
	return ws_parse_double(text, value) &&
	       (e == WS_ELEM_DOUBLE ||
		fabs(*value) <= (e == WS_ELEM_HALF ? HALF_MAX : (double)FLT_MAX));
}

static bool parse_component(const char *text, enum ws_elem e, uint8_t *to)
{
	uint64_t bits;
	double value;

	if (ws_elem_is_float(e)) {
		if (!parse_float(text, e, &value))
			return false;
		ws_elem_store_float(to, e, value);
	} else {
		if (!parse_int(text, e, &bits))
			return false;
		ws_elem_store_int(to, e, bits);
	}
	return true;
}

/* One number for all components, or as many as there are. */
static bool parse_constant(struct ws_init *init, const struct ws_buffer *b, const char *text)
{
	unsigned size = ws_elem_bytes[b->elem], lanes = 0;
	char part[64];

	for (bool more = true; more; lanes++) {
		size_t len = strcspn(text, ",");

		if (lanes == b->lanes || len >= sizeof part)
			return false;
		memcpy(part, text, len);
		part[len] = '\0';
		if (!parse_component(part, b->elem, init->value + lanes * size))
			return false;
		more = text[len] == ',';
		text += len + more;
	}
	for (unsigned i = 1; lanes == 1 && i < b->lanes; i++)
		memcpy(init->value + i * size, init->value, size);
	return lanes == 1 || lanes == b->lanes;
}

static bool parse_range(struct ws_init *init, enum ws_elem e, const char *low, const char *high)
{
	uint64_t last;

	if (ws_elem_is_float(e))
		return parse_float(low, e, &init->from) && parse_float(high, e, &init->to) &&
		       init->from <= init->to && isfinite(init->to - init->from);
	if (!parse_int(low, e, &init->low) || !parse_int(high, e, &last))
		return false;
	init->span = last - init->low + 1;
	return ws_elem_is_signed(e) ? (int64_t)init->low <= (int64_t)last : init->low <= last;
}

static enum ws_status parse_random(struct ws_init *init, const struct ws_buffer *b,
				   const struct words *w, const struct ws_text_place *at,
				   struct ws_err *err)
{
	init->low = ws_elem_is_signed(b->elem) ? 0 - ws_elem_max(b->elem) - 1 : 0;
	init->span = ws_elem_is_float(b->elem) ? 0 : ws_elem_max(b->elem) - init->low + 1;
	init->to = 1;
	if (w->count == 1)
		return WS_OK;
	if (w->count == 3 && parse_range(init, b->elem, w->word[1], w->word[2]))
		return WS_OK;
	return ws_place_fail(at, err, "'%.60s' of buffer %.60s: want random, or random LO HI with "
			     "LO <= HI of its type, and perhaps seed=S", b->init, b->name);
}

/* Has the buffer the type and the number of elements? */
static enum ws_status check_graph(struct ws_init *init, const struct ws_buffer *b,
				  const struct words *w, const struct ws_text_place *at,
				  struct ws_err *err)
{
	uint64_t count, largest;

	init->columns = init->kind == WS_INIT_CSR_COLUMNS || init->kind == WS_INIT_ROAD_COLUMNS;
	count = init->columns ? init->edges : init->nodes + 1;
	largest = init->columns ? init->nodes - 1 : init->edges;
	if (b->lanes != 1 || ws_elem_is_float(b->elem) || largest > ws_elem_max(b->elem))
		return ws_place_fail(at, err, "%s in buffer %.60s: want an integer type that holds "
				     "%" PRIu64, w->word[0], b->name, largest);
	if (b->count != count)
		return ws_place_fail(at, err, "%s in buffer %.60s of %" PRIu64 " elements: want "
				     "%" PRIu64, w->word[0], b->name, b->count, count);
	return WS_OK;
}

/* The words after the degree, each once. */
static bool parse_graph_words(struct ws_init *init, const struct words *w)
{
	for (size_t i = 3; i < w->count; i++) {
		bool *flag = strcmp(w->word[i], "symmetric") == 0 ? &init->symmetric
			   : strcmp(w->word[i], "uniform") == 0 ? &init->uniform : NULL;

		if (!flag || *flag)
			return false;
		*flag = true;
	}
	return w->count >= 3;
}

static enum ws_status parse_graph(struct ws_init *init, const struct ws_buffer *b,
				  const struct words *w, const struct ws_text_place *at,
				  struct ws_err *err)
{
	uint64_t degree;

	if (!parse_graph_words(init, w) || !ws_parse_size(w->word[1], &init->nodes) ||
	    init->nodes < 1 || !ws_parse_size(w->word[2], &degree) || degree < 1 ||
	    init->nodes > WS_PROGRAM_EDGES_MAX / degree)
		return ws_place_fail(at, err, "'%.60s' of buffer %.60s: want %s NODES DEGREE and "
				     "perhaps symmetric, uniform and seed=S, with NODES x DEGREE "
				     "from 1 to %llu", b->init, b->name, w->word[0],
					     WS_PROGRAM_EDGES_MAX);
	init->edges = init->nodes * degree;
	if (init->symmetric && init->edges % 2)
		return ws_place_fail(at, err, "'%.60s' of buffer %.60s: want NODES x DEGREE even, "
				     "as each edge is in two rows", b->init, b->name);
	return check_graph(init, b, w, at, err);
}

static enum ws_status parse_road(struct ws_init *init, const struct ws_buffer *b,
				 const struct words *w, const struct ws_text_place *at,
				 struct ws_err *err)
{
	uint64_t height, missing;

	if (w->count != 4 || !ws_parse_size(w->word[1], &init->width) || init->width < 1 ||
	    !ws_parse_size(w->word[2], &height) || height < 1 ||
	    init->width > WS_PROGRAM_EDGES_MAX / 4 / height ||
	    !ws_parse_size(w->word[3], &missing))
		return ws_place_fail(at, err, "'%.60s' of buffer %.60s: want %s WIDTH HEIGHT "
				     "MISSING and perhaps seed=S, with WIDTH x HEIGHT from 1 to "
				     "%llu",
				     b->init, b->name, w->word[0], WS_PROGRAM_EDGES_MAX / 4);
	init->nodes = init->width * height;
	init->grid_edges = (init->width - 1) * height + init->width * (height - 1);
	if (missing >= init->grid_edges)
		return ws_place_fail(at, err, "'%.60s' of buffer %.60s: want fewer edges missing "
				     "than the grid's %" PRIu64, b->init, b->name,
					     init->grid_edges);
	init->symmetric = true;
	init->edges = 2 * (init->grid_edges - missing);
	return check_graph(init, b, w, at, err);
}

static enum ws_status parse_arguments(struct ws_init *init, const struct ws_buffer *b,
				      const struct words *w, const struct ws_text_place *at,
				      struct ws_err *err)
{
	switch (init->kind) {
	case WS_INIT_RANDOM:
		return parse_random(init, b, w, at, err);
	case WS_INIT_CSR_ROWS:
	case WS_INIT_CSR_COLUMNS:
		return parse_graph(init, b, w, at, err);
	case WS_INIT_ROAD_ROWS:
	case WS_INIT_ROAD_COLUMNS:
		return parse_road(init, b, w, at, err);
	case WS_INIT_CONSTANT:
		if (w->count == 2 && parse_constant(init, b, w->word[1]))
			return WS_OK;
		return ws_place_fail(at, err, "'%.60s' of buffer %.60s: want constant V with V a "
				     "%s, or %u with commas between", b->init, b->name,
				     ws_elem_names[b->elem], b->lanes);
	default:
		if (w->count == 1)
			return WS_OK;
		return ws_place_fail(at, err, "'%.60s' of buffer %.60s: want nothing after %s",
				     b->init, b->name, w->word[0]);
	}
}

/* Takes "seed=S" off the end. */
static enum ws_status parse_seed(struct ws_init *init, struct words *w,
				 const struct ws_text_place *at, struct ws_err *err)
{
	const char *last = w->word[w->count - 1];

	if (init->kind < WS_INIT_RANDOM || strncmp(last, "seed=", 5) != 0)
		return WS_OK;
	if (!ws_parse_u64(last + 5, &init->seed))
		return ws_place_fail(at, err, "'%.60s': want seed=S with S a number below 2^64",
				     last);
	w->count--;
	return WS_OK;
}

enum ws_status ws_init_parse(struct ws_init *init, const struct ws_buffer *b, size_t number,
				 const struct ws_text_place *at, struct ws_err *err)
{
	enum ws_status status;
	struct words w;

	*init = (struct ws_init){ .seed = 1 };
	if (strncmp(b->init, "file ", 5) == 0 && b->init[5]) {
		init->kind = WS_INIT_PATH;
		init->path = b->init + 5;
		return WS_OK;
	}
	if (!split(&w, b->init))
		return ws_place_fail(at, err, "initialiser of buffer %.60s: want at most %u words",
				     b->name, WORDS_MAX);
	while (init->kind < WS_INIT_KINDS &&
	       (!w.count || init->kind == WS_INIT_PATH ||
		strcmp(w.word[0], kind_names[init->kind]) != 0))
		init->kind++;
	if (init->kind == WS_INIT_KINDS)
		return ws_place_fail(at, err, "initialiser '%.60s' of buffer %.60s: want zero, "
				     "iota, constant V, random, file PATH, csr-rows, "
				     "csr-columns, road-rows or road-columns", b->init, b->name);
	if (init->kind == WS_INIT_RANDOM)
		init->seed = number + 1;
	status = parse_seed(init, &w, at, err);
	return status == WS_OK ? parse_arguments(init, b, &w, at, err) : status;
}
