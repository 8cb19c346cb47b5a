/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/html/pictures.c -- a kernel in time: how many loads miss when, and which addresses its
 * warps access in which order.
 *
 * The timeline is the cycle simulator's, launches one after another.  The picture of accesses is of
 * one SM, in the order of its warps: a grid of COLUMNS x ROWS cells, of which those that hold an
 * access are drawn.
 */
#include "plots/html/private.h"
#include "plots/regions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- timeline ------------------------------------------------------------------------------- */

#define BINS 100u

struct time_bin {
	uint64_t to, requests, misses, pending, stalled, cycles;
};

struct timeline {
	struct time_bin bin[2 * BINS];
	size_t count;
	uint64_t width, start;	/* of a bin, in cycles; of the launch */
};

/* Two neighbours become one. */
static void halve_bins(struct timeline *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->count; i += 2, kept++) {
		struct time_bin *to = &t->bin[kept];

		*to = t->bin[i];
		if (i + 1 == t->count)
			continue;
		to->to = t->bin[i + 1].to;
		to->requests += t->bin[i + 1].requests;
		to->misses += t->bin[i + 1].misses;
		to->pending += t->bin[i + 1].pending;
		to->stalled += t->bin[i + 1].stalled;
		to->cycles += t->bin[i + 1].cycles;
	}
	t->count = kept;
	t->width *= 2;
}

static void take_sample(void *context, const struct ws_cycle_sample *s)
{
	struct timeline *t = context;
	struct time_bin *bin;
	size_t at;

	t->width = t->width ? t->width : s->to - s->from;
	while ((at = (size_t)((t->start + s->from) / t->width)) >= 2 * BINS)
		halve_bins(t);
	for (; t->count <= at; t->count++)
		t->bin[t->count] = (struct time_bin){ .to = (t->count + 1) * t->width };
	bin = &t->bin[at];
	bin->requests += s->requests;
	bin->misses += s->misses;
	bin->pending += s->pending;
	bin->cycles += s->to - s->from;
	bin->stalled += s->to - s->from > s->issued ? s->to - s->from - s->issued : 0;
}

static enum ws_status end_of_launch(void *context, const struct ws_cycle_result *r,
				 struct ws_err *err)
{
	struct timeline *t = context;

	(void)err;
	t->start += r->cycles;
	return WS_OK;
}

static double share_of(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static void put_time_table(struct ws_buf *html, const struct timeline *t)
{
	ws_html_put(html, "<details><summary>Table of the timeline</summary><table><thead><tr>"
		    "<th scope=\"col\">until cycle</th><th scope=\"col\">loads</th>"
		    "<th scope=\"col\">misses, %</th><th scope=\"col\">pending hits, %</th>"
		    "<th scope=\"col\">no issue, %</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < t->count; i++) {
		const struct time_bin *b = &t->bin[i];

		ws_put_printf(html, "<tr><th scope=\"row\" class=\"n\">%" PRIu64 "</th>", b->to);
		ws_html_cell(html, b->requests);
		ws_html_percent(html, share_of(b->misses, b->requests));
		ws_html_percent(html, share_of(b->pending, b->requests));
		ws_html_percent(html, share_of(b->stalled, b->cycles));
		ws_html_put(html, "</tr>\n");
	}
	ws_html_put(html, "</tbody></table></details>");
}

static void put_timeline(struct ws_buf *html, const struct timeline *t)
{
	struct ws_chart_point point[3][2 * BINS];
	struct ws_chart_line line[3] = {
		{ "loads that miss", point[0], 0, true },
		{ "loads of lines on their way", point[1], 0, false },
		{ "cycles of SMs without an instruction issued", point[2], 0, false },
	};
	const struct ws_chart chart = {
		.title = "Loads that miss, and cycles without an instruction, against time",
		.x = "cycle", .y = "share, %", .linear = true, .line = line, .lines = 3,
	};

	for (size_t i = 0; i < t->count; i++) {
		const struct time_bin *b = &t->bin[i];
		const double y[3] = { share_of(b->misses, b->requests),
				      share_of(b->pending, b->requests),
				      share_of(b->stalled, b->cycles) };
		double middle = (double)b->to - (double)t->width / 2;

		/* Where nothing is looked up there is no ratio. */
		for (unsigned k = 0; k < 3; k++)
			if (k == 2 ? b->cycles : b->requests)
				point[k][line[k].points++] = (struct ws_chart_point){
					middle, y[k], y[k], y[k] };
	}
	ws_html_put(html, "<h3>Timeline</h3>\n<figure>");
	ws_chart_lines(html, &chart);
	ws_html_put(html, "<figcaption>Of the cycle simulator, all SMs together; launches follow "
		    "one another.</figcaption>");
	put_time_table(html, t);
	ws_html_put(html, "</figure>\n");
}

/* A warp's memory instruction takes its SM a cycle. */
static uint64_t sample_period(const struct ws_report_input *in, const char *kernel)
{
	uint64_t most = 0;

	for (size_t i = 0; i < ws_trace_launches(in->trace); i++) {
		const struct ws_launch *l = ws_trace_launch(in->trace, i);
		uint64_t sum = l->accesses[WS_LOAD] + l->accesses[WS_STORE] +
			       l->accesses[WS_ATOMIC];

		most = strcmp(l->kernel, kernel) == 0 && sum > most ? sum : most;
	}
	return most / in->machine->warp_width / in->machine->sm_count / (2 * BINS) + 1;
}

enum ws_status ws_report_timeline(struct ws_buf *html, const struct ws_report_input *in,
				  const char *kernel, struct ws_err *err)
{
	struct timeline t = { .count = 0 };
	struct ws_cycle_options options = {
		.seed = in->study->seed, .threads = in->study->threads, .kernel = kernel,
		.sample = take_sample, .launched = end_of_launch, .context = &t,
	};
	struct ws_cycle_result *none = NULL;
	size_t launches = 0;
	enum ws_status status;

	if (!in->trace || ws_cycles_check(in->machine, NULL) != WS_OK)
		return WS_OK;
	options.period = sample_period(in, kernel);
	status = ws_cycles_run(&none, &launches, in->trace, in->machine, &options, err);
	ws_cycle_results_free(none, launches);
	if (status == WS_OK && t.count)
		put_timeline(html, &t);
	return status;
}

/* ---- accesses ------------------------------------------------------------------------------- */

#define COLUMNS 160u
#define ROWS 72u
#define POINTS 131072u		/* kept at once; then every other one goes */
#define NAMED 8u		/* regions with a colour and a row of the table */
#define CELL 4			/* units of the picture */

struct drawn_access {
	uint64_t order, address;
};

struct access_picture {
	const struct ws_launch *launch;
	struct drawn_access *point;
	uint64_t seen, step;	/* every step-th is kept */
	size_t count;
	struct regions regions;
	uint8_t cell[ROWS][COLUMNS]; /* 1 + region; 0: none */
	uint64_t of[NAMED];	/* accesses of the regions that are drawn */
};

static enum ws_status take_lanes(void *context, uint64_t sm, const struct ws_warp_access *a,
				 struct ws_err *err)
{
	struct access_picture *p = context;

	(void)err;
	if (sm || p->launch->instruction[a->instruction].space != WS_SPACE_GLOBAL)
		return WS_OK;
	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(a->mask >> bit & 1) || p->seen++ % p->step)
			continue;
		if (p->count == POINTS) {
			for (size_t i = 0; i < POINTS / 2; i++)
				p->point[i] = p->point[2 * i];
			p->count = POINTS / 2;
			p->step *= 2;
			if ((p->seen - 1) % p->step)
				continue;
		}
		p->point[p->count++] = (struct drawn_access){ p->seen - 1, a->address[bit] };
	}
	return WS_OK;
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static enum ws_status find_regions(struct access_picture *p, struct ws_err *err)
{
	uint64_t *address = ws_alloc(p->count, sizeof *address);
	enum ws_status status;

	if (!address)
		return ws_fail_memory(err, "a picture's addresses");
	for (size_t i = 0; i < p->count; i++)
		address[i] = p->point[i].address;
	qsort(address, p->count, sizeof *address, by_address);
	status = regions_make(&p->regions, p->launch, address, p->count, err);
	free(address);
	return status;
}

static size_t region_of(const struct regions *r, uint64_t offset)
{
	size_t low = 0, high = r->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (r->at[middle].offset <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void fill_cells(struct access_picture *p)
{
	for (size_t i = 0; i < p->count; i++) {
		uint64_t offset = regions_offset(&p->regions, p->point[i].address);
		double y = (double)offset / (double)p->regions.total * ROWS;
		double x = (double)p->point[i].order / (double)p->seen * COLUMNS;
		size_t region = region_of(&p->regions, offset);
		unsigned row = y < ROWS - 1 ? (unsigned)y : ROWS - 1;

		region = region < NAMED ? region : NAMED - 1;
		p->of[region]++;
		p->cell[ROWS - 1 - row][x < COLUMNS - 1 ? (unsigned)x : COLUMNS - 1] =
			(uint8_t)(region + 1);
	}
}

/* One path a region: neighbours in a row are one stroke. */
static void put_cells(struct ws_buf *html, const struct access_picture *p, unsigned region)
{
	ws_put_printf(html, "<path class=\"cells s%u\" d=\"", region);
	for (unsigned row = 0; row < ROWS; row++)
		for (unsigned x = 0; x < COLUMNS;) {
			unsigned end = x;

			while (end < COLUMNS && p->cell[row][end] == region + 1)
				end++;
			if (end > x)
				ws_put_printf(html, "M%u %uh%u", x * CELL, row * CELL + CELL / 2,
					      (end - x) * CELL);
			x = end > x ? end : x + 1;
		}
	ws_html_put(html, "\"/>");
}

static void put_region_name(struct ws_buf *html, const struct access_picture *p, unsigned i)
{
	if (i == NAMED - 1 && p->regions.count > NAMED)
		ws_put_printf(html, "%zu others", p->regions.count - NAMED + 1);
	else if (p->regions.at[i].name)
		ws_html_str(html, p->regions.at[i].name);
	else
		ws_put_printf(html, "0x%" PRIx64, p->regions.at[i].base);
}

static void put_region_table(struct ws_buf *html, const struct access_picture *p, unsigned shown)
{
	ws_html_put(html, "<details><summary>Table of what is accessed</summary><table><thead><tr>"
		    "<th scope=\"col\">array</th><th scope=\"col\">address</th>"
		    "<th scope=\"col\">bytes</th><th scope=\"col\">accesses, %</th></tr></thead>"
		    "<tbody>\n");
	for (unsigned i = 0; i < shown; i++) {
		ws_html_put(html, "<tr><th scope=\"row\">");
		put_region_name(html, p, i);
		ws_put_printf(html, "</th><td class=\"n\">0x%" PRIx64 "</td>",
			      p->regions.at[i].base);
		ws_html_cell(html, p->regions.at[i].bytes);
		ws_html_percent(html, share_of(p->of[i], p->count));
		ws_html_put(html, "</tr>\n");
	}
	ws_html_put(html, "</tbody></table></details>");
}

static void put_accesses(struct ws_buf *html, const struct access_picture *p)
{
	unsigned shown = p->regions.count < NAMED ? (unsigned)p->regions.count : NAMED;

	ws_put_printf(html, "<h3>Accesses</h3>\n<figure><svg class=\"picture\" "
		      "viewBox=\"0 0 %u %u\" role=\"img\"><title>Addresses against the order of "
		      "accesses</title>", COLUMNS * CELL, ROWS * CELL);
	for (unsigned i = 0; i < shown; i++)
		put_cells(html, p, i);
	ws_html_put(html, "</svg>\n<ul class=\"legend\">");
	for (unsigned i = 0; i < shown; i++) {
		ws_put_printf(html, "<li><svg viewBox=\"0 0 28 8\" width=\"28\" height=\"8\" "
			      "aria-hidden=\"true\"><path class=\"cells s%u\" d=\"M0 4h28\"/>"
			      "</svg> ", i);
		put_region_name(html, p, i);
		ws_html_put(html, "</li>");
	}
	ws_put_printf(html, "</ul>\n<figcaption>The %" PRIu64 " accesses of lanes on SM 0, in its "
		      "order from left to right, lowest addresses at the bottom; memory that is "
		      "not touched is left out%s.</figcaption>", p->seen,
		      p->step > 1 ? ". Not all accesses are drawn" : "");
	put_region_table(html, p, shown);
	ws_html_put(html, "</figure>\n");
}

enum ws_status ws_report_accesses(struct ws_buf *html, const struct ws_report_input *in,
				  const char *kernel, struct ws_err *err)
{
	struct access_picture *p = NULL;
	struct ws_order_options options = { .seed = in->study->seed };
	struct ws_sink sink = { .lanes = take_lanes };
	struct ws_order_stats stats;
	enum ws_status status = WS_OK;
	size_t launch = 0;

	while (in->trace && launch < ws_trace_launches(in->trace) &&
	       strcmp(ws_trace_launch(in->trace, launch)->kernel, kernel) != 0)
		launch++;
	if (!in->trace || launch == ws_trace_launches(in->trace))
		return WS_OK;
	p = ws_alloc_zero(1, sizeof *p);
	if (!p || !(p->point = ws_alloc(POINTS, sizeof *p->point)))
		status = ws_fail_memory(err, "a picture");
	if (status == WS_OK) {
		p->launch = ws_trace_launch(in->trace, launch);
		p->step = 1;
		sink.context = p;
		status = ws_order_run(in->trace, launch, in->machine, &options, &sink, &stats, err);
	}
	if (status == WS_OK && p->count)
		status = find_regions(p, err);
	if (status == WS_OK && p->count) {
		fill_cells(p);
		put_accesses(html, p);
	}
	if (p) {
		regions_clear(&p->regions);
		free(p->point);
	}
	free(p);
	return status;
}
