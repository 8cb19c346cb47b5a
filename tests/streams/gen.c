/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/streams/gen.c -- warps, their scheduler, and the random things of the families.
 */
#include "tests/streams/gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOAD_TURNS 24u		/* how long a greedy warp waits for a load, in issues */
#define WARPS_PER_CTA 8u

static const struct gen_family *family_find(const char *name)
{
	const struct gen_family *const all[] = { gen_dense, gen_sparse, gen_tables, gen_loops,
						 gen_steps };

	for (size_t i = 0; i < WS_COUNT(all); i++)
		for (const struct gen_family *f = all[i]; f->name; f++)
			if (!strcmp(f->name, name))
				return f;
	return NULL;
}

void *gen_alloc(struct gen *g, size_t count, size_t size)
{
	void *p = g->blocks < GEN_BLOCKS ? ws_alloc_zero(count + 1, size) : NULL;

	if (p)
		g->block[g->blocks++] = p;
	else
		g->failed = true;
	return p;
}

/* ---- one warp instruction ---------------------------------------------------------- */

static void emit(struct gen *g, enum ws_kind kind, uint64_t line, bool follows)
{
	struct gen_warp *w = g->at;

	if (!WS_ROOM(w->request, w->cap, w->count + 1)) {
		g->failed = true;
		return;
	}
	w->request[w->count++] = (struct ws_request){
		.address = line * STREAMS_LINE, .sectors = 0xf, .kind = (uint8_t)kind,
		.follows = follows, .cta = (uint32_t)(w->unit / WARPS_PER_CTA),
		.warp = (uint16_t)(w->unit % WARPS_PER_CTA),
	};
}

void gen_lanes(struct gen *g, enum ws_kind kind, const uint64_t *address, size_t lanes)
{
	uint64_t seen[LANES];
	size_t lines = 0;

	for (size_t lane = 0; lane < lanes; lane++) {
		uint64_t line = address[lane] / STREAMS_LINE;
		size_t i = 0;

		while (i < lines && seen[i] != line)
			i++;
		if (i < lines)
			continue;
		emit(g, kind, line, lines > 0);
		seen[lines++] = line;
	}
}

void gen_row(struct gen *g, enum ws_kind kind, uint64_t address, uint64_t stride, size_t lanes)
{
	uint64_t a[LANES];

	for (size_t lane = 0; lane < lanes; lane++)
		a[lane] = address + lane * stride;
	gen_lanes(g, kind, a, lanes);
}

/* ---- random things ------------------------------------------------------------------- */

uint32_t *gen_shuffle(struct gen *g, uint32_t n)
{
	uint32_t *p = gen_alloc(g, n, sizeof *p);

	for (uint32_t i = 0; p && i < n; i++) {
		uint32_t j = gen_below(g, i + 1);

		p[i] = p[j];
		p[j] = i;
	}
	return p;
}

struct gen_zipf gen_zipf(struct gen *g, uint32_t n, double skew, bool scattered)
{
	struct gen_zipf z = { gen_alloc(g, n, sizeof *z.sum), n, NULL };
	double sum = 0;

	for (uint32_t i = 0; z.sum && i < n; i++)
		z.sum[i] = sum += pow(i + 1, -skew);
	if (scattered)
		z.place = gen_shuffle(g, n);
	return z;
}

uint32_t gen_zipf_draw(struct gen *g, const struct gen_zipf *z)
{
	double u = ws_rng_double(&g->rng) * z->sum[z->n - 1];
	uint32_t low = 0, high = z->n - 1;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (z->sum[middle] < u)
			low = middle + 1;
		else
			high = middle;
	}
	return z->place ? z->place[low] : low;
}

static int ascending(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint32_t degree_draw(struct gen *g, uint32_t mean)
{
	const double shape = 1.6;
	double d = mean * (shape - 1) / shape * pow(1 - ws_rng_double(&g->rng), -1 / shape);

	return (uint32_t)fmin(fmax(d, 1), 40.0 * mean);
}

struct gen_graph gen_graph(struct gen *g, uint32_t rows, uint32_t degree, double skew,
			   double local, uint32_t reach)
{
	struct gen_graph m = { rows, gen_alloc(g, rows + 1, sizeof *m.first), NULL };
	struct gen_zipf z = gen_zipf(g, rows, skew, true);

	for (uint32_t r = 0; !g->failed && r < rows; r++)
		m.first[r + 1] = m.first[r] + degree_draw(g, degree);
	if (!g->failed)
		m.column = gen_alloc(g, m.first[rows], sizeof *m.column);
	for (uint32_t r = 0; !g->failed && r < rows; r++) {
		for (uint32_t e = m.first[r]; e < m.first[r + 1]; e++)
			m.column[e] = gen_chance(g, local)
				? (r + rows - reach + gen_below(g, 2 * reach)) % rows
				: gen_zipf_draw(g, &z);
		qsort(m.column + m.first[r], m.first[r + 1] - m.first[r], sizeof *m.column,
		      ascending);
	}
	return m;
}

/* ---- the scheduler --------------------------------------------------------------------- */

struct phase {
	const struct gen_family *family;
	size_t number, units, next, live;
};

/* Gives the warp its next unit that has instructions; none left: the warp is done. */
static void refill(struct gen *g, struct phase *p, struct gen_warp *w)
{
	w->count = w->next = 0;
	while (!w->count && p->next < p->units && !g->failed) {
		w->unit = p->next++;
		g->at = w;
		p->family->work(g, p->number, w->unit);
	}
	if (w->live && !w->count)
		p->live--;
	w->live = w->count > 0;
}

static bool issue(struct gen *g, struct phase *p, struct gen_warp *w)
{
	struct streams_stream *s = g->out;

	do {
		if (!WS_ROOM(s->request, s->cap, s->count + 1)) {
			g->failed = true;
			return false;
		}
		w->request[w->next].cycle = s->count;
		s->request[s->count++] = w->request[w->next++];
	} while (w->next < w->count && w->request[w->next].follows);
	if (w->next == w->count)
		refill(g, p, w);
	return !g->failed && s->count < g->limit;
}

static bool turns_round(struct gen *g, struct phase *p)
{
	bool sit_out = g->spec->scheduler == STREAMS_JITTER;

	while (p->live)
		for (unsigned i = 0; i < g->spec->warps; i++) {
			if (!g->warp[i].live || (sit_out && gen_below(g, 4) == 0))
				continue;
			if (!issue(g, p, g->warp + i))
				return false;
		}
	return true;
}

/* The oldest of those that are ready, else the one that is ready first. */
static struct gen_warp *oldest(struct gen *g, uint64_t turn)
{
	struct gen_warp *best = NULL;

	for (unsigned i = 0; i < g->spec->warps; i++) {
		struct gen_warp *w = g->warp + i;
		bool ready = w->ready <= turn;

		if (!w->live)
			continue;
		if (!best || (ready && best->ready > turn) ||
		    (ready ? w->unit < best->unit : best->ready > turn && w->ready < best->ready))
			best = w;
	}
	return best;
}

static bool turns_greedy(struct gen *g, struct phase *p)
{
	struct gen_warp *w = NULL;
	uint64_t turn = 0;

	for (unsigned i = 0; i < g->spec->warps; i++)
		g->warp[i].ready = 0;
	while (p->live) {
		bool load;

		if (!w || !w->live || w->ready > turn)
			w = oldest(g, turn);
		turn = w->ready > turn ? w->ready : turn;
		load = w->request[w->next].kind == WS_LOAD;
		if (!issue(g, p, w))
			return false;
		turn++;
		/* Some loads are needed at once, others only later. */
		if (load && gen_below(g, 2))
			w->ready = turn + LOAD_TURNS / 2 + gen_below(g, LOAD_TURNS);
	}
	return true;
}

static void run(struct gen *g, const struct gen_family *f)
{
	struct phase p = { .family = f };
	bool more = true;

	for (; more && !g->failed && (p.units = f->units(g, p.number)) > 0; p.number++) {
		p.next = p.live = 0;
		for (unsigned i = 0; i < g->spec->warps; i++) {
			g->warp[i].live = false;
			refill(g, &p, g->warp + i);
			p.live += g->warp[i].live;
		}
		more = g->spec->scheduler == STREAMS_GREEDY ? turns_greedy(g, &p)
							     : turns_round(g, &p);
	}
}

/* ---- streams ----------------------------------------------------------------------------- */

static enum ws_status one(struct streams_stream *out, const struct streams_spec *spec,
			  size_t limit, struct ws_err *err)
{
	struct gen g = { .spec = spec, .n = spec->n, .out = out };
	const struct gen_family *f = family_find(spec->family);

	if (!f)
		return ws_fail(err, WS_EINVAL, "no stream family \"%s\"", spec->family);
	g.limit = limit;
	ws_rng_seed(&g.rng, spec->seed);
	g.warp = gen_alloc(&g, spec->warps, sizeof *g.warp);
	if (f->setup && !g.failed)
		f->setup(&g);
	if (!g.failed)
		run(&g, f);
	for (unsigned i = 0; g.warp && i < spec->warps; i++)
		free(g.warp[i].request);
	while (g.blocks)
		free(g.block[--g.blocks]);
	return g.failed ? ws_fail_memory(err, "a stream of requests") : WS_OK;
}

static size_t limit_of(const struct streams_spec *spec)
{
	return spec->limit ? spec->limit : STREAMS_LIMIT;
}

enum ws_status streams_make(struct streams_stream *out, const struct streams_spec *spec,
			    struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t limit = limit_of(spec);

	*out = (struct streams_stream){ .spec = spec };
	streams_name(spec, out->name);
	if (!spec->part)
		status = one(out, spec, limit, err);
	for (const struct streams_spec *p = spec->part; p && p->family && !status; p++)
		if (out->count < limit)
			status = one(out, p, out->count + limit_of(p) < limit
				     ? out->count + limit_of(p) : limit, err);
	if (out->count > limit) /* the last instruction's further lines */
		out->count = limit;
	if (status)
		streams_free(out);
	return status;
}

void streams_free(struct streams_stream *s)
{
	free(s->request);
	s->request = NULL;
	s->count = s->cap = 0;
}

static void append(char name[STREAMS_NAME_MAX], const char *fmt, ...) WS_PRINTF(2, 3);
static void append(char name[STREAMS_NAME_MAX], const char *fmt, ...)
{
	size_t len = strlen(name);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name + len, STREAMS_NAME_MAX - len, fmt, ap);
	va_end(ap);
}

/* spmv-vector-20000-8-w32j-s7: parameters up to the last that is not 0, warps, scheduler. */
void streams_name(const struct streams_spec *spec, char name[STREAMS_NAME_MAX])
{
	static const char scheduler[] = { '\0', 'j', 'g' };
	static const char *const write[] = { "", "-through", "-allocate", "-evict" };
	unsigned params = STREAMS_PARAMS;

	while (params && !spec->n[params - 1])
		params--;
	snprintf(name, STREAMS_NAME_MAX, "%s", spec->family);
	for (const struct streams_spec *p = spec->part; p && p->family; p++)
		append(name, "%c%s", p == spec->part ? ':' : '+', p->family);
	for (unsigned i = 0; i < params; i++)
		append(name, "-%u", spec->n[i]);
	if (spec->skew > 0)
		append(name, "-z%g", spec->skew);
	if (!spec->part)
		append(name, "-w%u", spec->warps);
	if (scheduler[spec->scheduler])
		append(name, "%c", scheduler[spec->scheduler]);
	append(name, "-s%llu%s", (unsigned long long)spec->seed, write[spec->write]);
}

uint64_t streams_checksum(const struct streams_stream *s)
{
	uint64_t sum = 14695981039346656037u + (uint64_t)s->spec->write;

	for (size_t i = 0; i < s->count; i++) {
		sum = (sum ^ s->request[i].address / STREAMS_LINE) * 1099511628211u;
		sum = (sum ^ s->request[i].kind) * 1099511628211u;
		sum ^= sum >> 32;
	}
	return sum;
}
