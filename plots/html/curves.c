/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/html/curves.c -- misses against size, reuse distances, and what is chosen among policies
 * and organisations: a figure and its table each.
 */
#include "plots/html/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX 8u
#define SIZE_LEAST 16u		/* the machine's own size, over that of the smallest */
#define DISTANCES_MAX 72u

/* ---- misses against size -------------------------------------------------------------------- */

struct size_curve {
	uint64_t sets;
	struct ws_chart_point *point;
	size_t count, cap;
	char name[40];
};

static int by_size(const void *a, const void *b)
{
	const struct ws_chart_point *x = a, *y = b;

	return (x->x > y->x) - (x->x < y->x);
}

static struct size_curve *curve_of(struct size_curve *curve, size_t *curves, uint64_t sets)
{
	for (size_t i = 0; i < *curves; i++)
		if (curve[i].sets == sets)
			return &curve[i];
	if (*curves == LINES_MAX)
		return NULL;
	curve[*curves] = (struct size_curve){ .sets = sets };
	snprintf(curve[*curves].name, sizeof curve->name, sets == 1 ? "fully associative"
		 : "%" PRIu64 " sets", sets);
	return &curve[(*curves)++];
}

static enum ws_status gather_curves(struct size_curve *curve, size_t *curves,
				    const struct ws_report_rows *rows, const char *kernel,
				    uint64_t own, struct ws_err *err)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct ws_report_row *r = &rows->row[i];
		struct size_curve *c;

		if (strcmp(r->kernel, kernel) != 0 || r->size_bytes * SIZE_LEAST < own)
			continue;
		c = curve_of(curve, curves, r->sets);
		if (!c)
			continue;
		if (!WS_ROOM(c->point, c->cap, c->count + 1))
			return ws_fail_memory(err, "a curve");
		c->point[c->count++] = (struct ws_chart_point){ (double)r->size_bytes,
			r->ratio.value, r->ratio.low, r->ratio.high };
	}
	for (size_t i = 0; i < *curves; i++)
		qsort(curve[i].point, curve[i].count, sizeof *curve[i].point, by_size);
	return WS_OK;
}

static void put_curve_table(struct ws_buf *html, const struct size_curve *curve, size_t curves,
			    uint64_t line_bytes)
{
	ws_html_put(html, "<details><summary>Table of these curves</summary><table class=\"curve\">"
		    "<thead><tr><th scope=\"col\">sets</th><th scope=\"col\">ways</th>"
		    "<th scope=\"col\">bytes</th><th scope=\"col\">misses, %</th>"
		    "<th scope=\"col\">from</th><th scope=\"col\">to</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < curves; i++)
		for (size_t j = 0; j < curve[i].count; j++) {
			const struct ws_chart_point *p = &curve[i].point[j];

			ws_put_printf(html, "<tr><th scope=\"row\">%" PRIu64 "</th>",
				      curve[i].sets);
			ws_html_cell(html, (uint64_t)p->x / curve[i].sets / line_bytes);
			ws_html_cell(html, (uint64_t)p->x);
			ws_html_percent(html, p->y);
			ws_html_percent(html, p->low);
			ws_html_percent(html, p->high);
			ws_html_put(html, "</tr>\n");
		}
	ws_html_put(html, "</tbody></table></details>\n");
}

enum ws_status ws_report_curves(struct ws_buf *html, const struct ws_report_input *in,
				const struct ws_report_rows *rows, const char *kernel,
				struct ws_err *err)
{
	struct size_curve curve[LINES_MAX];
	struct ws_chart_line line[LINES_MAX];
	struct ws_chart chart = {
		.title = "Share of requests that miss against the size of the L1, a line for each "
			 "number of sets",
		.x = "size of the L1", .y = "requests that miss, %",
		.mark = (double)in->machine->l1.size_bytes,
	};
	size_t curves = 0;
	enum ws_status status = gather_curves(curve, &curves, rows, kernel,
					      in->machine->l1.size_bytes, err);

	for (size_t i = 0; i < curves; i++)
		line[i] = (struct ws_chart_line){ curve[i].name, curve[i].point, curve[i].count,
						  curve[i].sets == in->machine->l1.sets };
	if (status == WS_OK && curves) {
		ws_html_put(html, "<h3>Misses against size and ways</h3>\n<figure>");
		chart.line = line;
		chart.lines = curves;
		ws_chart_lines(html, &chart);
		ws_html_put(html, "<label>Cursor <input type=\"range\" min=\"0\" max=\"1000\" "
			    "value=\"500\" class=\"cursor\"/></label> "
			    "<output class=\"cursor\"></output><figcaption>");
		ws_html_put(html, "The vertical line is the machine's own size, the bold curve has "
			    "its sets, and the band is its 95 % interval. More ways of as many "
			    "sets are further right on the same curve.</figcaption>");
		put_curve_table(html, curve, curves, in->machine->l1.line_bytes);
		ws_html_put(html, "</figure>\n");
	}
	for (size_t i = 0; i < curves; i++)
		free(curve[i].point);
	return status;
}

/* ---- reuse distances ------------------------------------------------------------------------ */

struct distances {
	uint64_t from[DISTANCES_MAX], count[DISTANCES_MAX];
	size_t bins;
	uint64_t cold, uncached, requests;
};

static void add_histogram(struct distances *d, const struct ws_histogram *h)
{
	d->cold += h->cold;
	d->uncached += h->uncached;
	d->requests += h->requests;
	for (size_t i = 0; i < d->bins; i++) {
		uint64_t end = i + 1 < d->bins ? ws_cell((uint32_t)d->from[i + 1], WS_DISTANCE_BITS)
					       : h->len;

		for (uint64_t c = ws_cell((uint32_t)d->from[i], WS_DISTANCE_BITS);
		     c < end && c < h->len; c++)
			d->count[i] += h->distance[c];
	}
}

/* Distances 0, 1, 2, 3, 4 to 7, 8 to 15, ...; and one that begins with the ways. */
static void make_distances(struct distances *d, const struct ws_geometry *g, uint64_t ways)
{
	uint64_t from = 0;

	*d = (struct distances){ .bins = 0 };
	while (from < 1u << 20) {
		uint64_t next = from < 4 ? from + 1 : 2 * from;

		d->from[d->bins++] = from;
		if (from < ways && ways < next)
			d->from[d->bins++] = ways;
		from = next;
	}
	for (unsigned k = 0; k < WS_KINDS; k++)
		add_histogram(d, &g->kind[k]);
	while (d->bins > 1 && !d->count[d->bins - 1] && d->from[d->bins - 1] > ways)
		d->bins--;
}

static void put_distance(struct ws_buf *html, const char *what, uint64_t count, uint64_t requests,
			 bool hit)
{
	double share = requests ? (double)count / (double)requests : 0;

	ws_put_printf(html, "<tr><th scope=\"row\">%s</th>", what);
	ws_html_cell(html, count);
	ws_html_percent(html, share);
	ws_put_printf(html, "<td>%s</td><td class=\"meter\"><span style=\"width:%ld.%ld%%\" "
		      "class=\"%s\"></span></td></tr>\n", hit ? "hit" : "miss",
		      (long)(share * 1000) / 10, (long)(share * 1000) % 10, hit ? "hit" : "miss");
}

enum ws_status ws_report_reuse(struct ws_buf *html, const struct ws_report_input *in,
			       const char *kernel, struct ws_err *err)
{
	const struct ws_section *s = NULL;
	const struct ws_geometry *g;
	struct distances d;
	char text[64];

	(void)err;
	for (size_t i = 0; i < in->profile->sections && !s; i++)
		if (strcmp(in->profile->section[i].kernel, kernel) == 0)
			s = &in->profile->section[i];
	g = s ? ws_section_geometry(s, in->machine->l1.line_bytes, in->machine->l1.sets) : NULL;
	if (!g)
		return WS_OK;
	make_distances(&d, g, in->machine->l1.ways);
	ws_html_put(html, "<h3>Reuse distances</h3>\n<div class=\"scroll\" tabindex=\"0\" "
		    "role=\"region\" aria-label=\"reuse distances\"><table><caption>Other lines of "
		    "the same set that were used since the last use, under LRU</caption><thead>"
		    "<tr><th scope=\"col\">distance</th><th scope=\"col\">requests</th>"
		    "<th scope=\"col\">%</th><th scope=\"col\">here</th>"
		    "<th scope=\"col\">share</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < d.bins; i++) {
		uint64_t end = i + 1 < d.bins ? d.from[i + 1] : 0;

		if (end == d.from[i] + 1)
			snprintf(text, sizeof text, "%" PRIu64, d.from[i]);
		else if (end)
			snprintf(text, sizeof text, "%" PRIu64 " to %" PRIu64, d.from[i], end - 1);
		else
			snprintf(text, sizeof text, "%" PRIu64 " or more", d.from[i]);
		put_distance(html, text, d.count[i], d.requests, d.from[i] < in->machine->l1.ways);
	}
	put_distance(html, "first use", d.cold, d.requests, false);
	put_distance(html, "stores and atomics not kept", d.uncached, d.requests, false);
	ws_html_put(html, "</tbody></table></div>\n");
	return WS_OK;
}

/* ---- choices -------------------------------------------------------------------------------- */

static int by_ratio(const void *a, const void *b)
{
	const struct ws_report_row *x = *(const struct ws_report_row *const *)a,
				   *y = *(const struct ws_report_row *const *)b;

	if (x->ratio.value > y->ratio.value || x->ratio.value < y->ratio.value)
		return x->ratio.value > y->ratio.value ? 1 : -1;
	return strcmp(x->label, y->label);
}

static bool are_alike(char text[][48], size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (strcmp(text[i], text[0]) != 0)
			return false;
	return true;
}

static void put_choices(struct ws_buf *html, const struct ws_report_row **row, size_t count,
			const char *key, const char *own)
{
	struct ws_chart_bar bar[64];
	char text[64][48], title[160];
	double top = 0;

	for (size_t i = 0; i < count; i++)
		top = row[i]->ratio.high > top ? row[i]->ratio.high : top;
	for (size_t i = 0; i < count; i++) {
		const struct ws_interval *r = &row[i]->ratio;
		long tenths = (long)(r->value * 1000 + 0.5);

		snprintf(text[i], sizeof text[i], "%ld.%ld %%", tenths / 10, tenths % 10);
		bar[i] = (struct ws_chart_bar){ row[i]->label, top > 0 ? r->value / top : 0,
			top > 0 ? r->low / top : 0, top > 0 ? r->high / top : 0,
			strcmp(row[i]->label, own) == 0, r->stated, text[i] };
	}
	snprintf(title, sizeof title, "Share of requests that miss for each %s, with intervals",
		 key);
	ws_html_put(html, "<figure>");
	if (are_alike(text, count)) {
		ws_put_printf(html, "<figcaption>With all %zu of them %s of the requests miss."
			      "</figcaption>", count, text[0]);
	} else {
		ws_chart_bars(html, title, bar, count);
		ws_html_put(html, "<figcaption>Bars are predictions, whiskers their 95 % "
			    "intervals; the machine's own is filled.</figcaption>");
	}
	ws_put_printf(html, "<details><summary>Table</summary><table><thead><tr>"
		      "<th scope=\"col\">%s</th><th scope=\"col\">misses</th>"
		      "<th scope=\"col\">%%</th><th scope=\"col\">from</th>"
		      "<th scope=\"col\">to</th></tr></thead><tbody>\n", key);
	for (size_t i = 0; i < count; i++) {
		ws_html_put(html, "<tr><th scope=\"row\">");
		ws_html_str(html, row[i]->label);
		ws_html_put(html, "</th>");
		ws_html_cell(html, row[i]->counts.misses);
		ws_html_percent(html, row[i]->ratio.value);
		ws_html_percent(html, row[i]->ratio.low);
		ws_html_percent(html, row[i]->ratio.high);
		ws_html_put(html, "</tr>\n");
	}
	ws_html_put(html, "</tbody></table></details></figure>\n");
}

enum ws_status ws_report_choices(struct ws_buf *html, const struct ws_report_rows *rows,
				 const char *kernel, const char *key, const char *own,
				 struct ws_err *err)
{
	const struct ws_report_row *row[64];
	size_t count = 0;

	(void)err;
	for (size_t i = 0; i < rows->count && count < WS_COUNT(row); i++)
		if (strcmp(rows->row[i].kernel, kernel) == 0)
			row[count++] = &rows->row[i];
	if (count < 2)
		return WS_OK;
	qsort(row, count, sizeof *row, by_ratio);
	ws_put_printf(html, "<h3>%s side by side</h3>\n", key);
	put_choices(html, row, count, key, own);
	return WS_OK;
}
