/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/html/hardware.c -- what a GPU counted of the kernels, beside what is predicted of them.
 */
#include "plots/html/private.h"

#include <inttypes.h>
#include <string.h>

struct counted_loads {
	double requests, hit_pct; /* of loads; -1: not counted */
	size_t launches;
};

static double value_of(const struct ws_counters_launch *l, enum ws_counter counter)
{
	return l->value[counter].from ? l->value[counter].value : -1;
}

/* From hits and misses; else the profiler's own ratio. */
static double hit_pct_of(const struct ws_counters_launch *l)
{
	double hits = value_of(l, WS_COUNTER_L1_LOAD_HITS);
	double misses = value_of(l, WS_COUNTER_L1_LOAD_MISSES);

	if (hits >= 0 && misses >= 0 && hits + misses > 0)
		return 100 * hits / (hits + misses);
	return value_of(l, WS_COUNTER_L1_HIT_PCT);
}

static bool is_of(const struct ws_counters_launch *l, const char *kernel)
{
	size_t len = strcspn(kernel, "#<(");

	return strlen(l->kernel) == strlen(kernel)
		       ? strcmp(l->kernel, kernel) == 0
		       : strcspn(l->kernel, "<(") == len && strncmp(l->kernel, kernel, len) == 0;
}

/* The mean over the launches that a profiler counted. */
static struct counted_loads count_kernel(const struct ws_counters *c, const char *kernel)
{
	struct counted_loads sum = { .requests = 0 };
	double queries = 0, rated = 0;

	for (size_t i = 0; i < c->launches; i++) {
		const struct ws_counters_launch *l = &c->launch[i];
		double hit = hit_pct_of(l), asked = value_of(l, WS_COUNTER_L1_LOAD_QUERIES);

		if (!is_of(l, kernel))
			continue;
		sum.launches++;
		queries += asked >= 0 ? asked : 0;
		if (hit < 0)
			continue;
		sum.hit_pct += hit;
		rated++;
	}
	sum.hit_pct = rated > 0 ? sum.hit_pct / rated : -1;
	sum.requests = queries > 0 ? queries / (double)sum.launches : -1;
	return sum;
}

static void put_counter(struct ws_buf *html, double value, bool whole)
{
	ws_html_put(html, "<td class=\"n\">");
	if (value >= 0 && whole)
		ws_put_printf(html, "%" PRIu64, (uint64_t)(value + 0.5));
	else if (value >= 0)
		ws_html_tenths(html, value);
	ws_html_put(html, "</td>");
}

static bool put_counted(struct ws_buf *html, const struct ws_report_row *r,
		    const struct ws_counters *c)
{
	struct counted_loads seen = count_kernel(c, r->kernel);
	double predicted = 100 * (1 - r->ratio.value);

	if (!seen.launches)
		return false;
	ws_html_put(html, "<tr><th scope=\"row\">");
	ws_html_str(html, r->kernel);
	ws_html_put(html, "</th>");
	ws_html_cell(html, seen.launches);
	put_counter(html, seen.requests, true);
	ws_html_cell(html, r->counts.requests);
	put_counter(html, seen.hit_pct, false);
	put_counter(html, predicted, false);
	put_counter(html, 100 * (1 - r->ratio.high), false);
	put_counter(html, 100 * (1 - r->ratio.low), false);
	ws_html_put(html, "<td class=\"n\">");
	if (seen.hit_pct >= 0)
		ws_html_tenths(html, predicted - seen.hit_pct);
	ws_html_put(html, "</td></tr>\n");
	return true;
}

void ws_report_hardware(struct ws_buf *html, const struct ws_report_input *in,
			const struct ws_report_rows *loads)
{
	const char *gpu = NULL;
	size_t shown = 0;

	if (!in->counters)
		return;
	for (size_t i = 0; i < in->counters->launches && !gpu; i++)
		gpu = in->counters->launch[i].gpu;
	ws_html_put(html, "<section id=\"hardware\"><h2>Hardware</h2>\n<p>Loads at the L1, as ");
	ws_html_put(html, ws_gpu_profiler_titles[in->counters->profiler]);
	ws_html_put(html, " counted them");
	if (gpu) {
		ws_html_put(html, " on ");
		ws_html_str(html, gpu);
	}
	ws_html_put(html, ", in the mean of a kernel's launches, and as predicted.</p>\n"
		    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		    "aria-label=\"hardware\"><table><thead><tr><th scope=\"col\">kernel</th>"
		    "<th scope=\"col\">launches counted</th><th scope=\"col\">queries counted</th>"
		    "<th scope=\"col\">requests predicted</th>"
		    "<th scope=\"col\">hits counted, %</th><th scope=\"col\">predicted, %</th>"
		    "<th scope=\"col\">from</th><th scope=\"col\">to</th>"
		    "<th scope=\"col\">error, points</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < loads->count; i++)
		shown += put_counted(html, &loads->row[i], in->counters);
	ws_html_put(html, "</tbody></table></div>\n");
	if (!shown)
		ws_html_put(html, "<p>None of the kernels is in that file.</p>\n");
	ws_html_put(html, "<p class=\"why\">A query is what the profiler calls so: a sector on "
		    "some GPUs, a line on others. The prediction begins with empty caches. "
		    "The error is of the machine, of the order of requests and of the policy "
		    "together.</p></section>\n");
}
