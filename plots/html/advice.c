/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/html/advice.c -- what would help most, first; then all of it.
 */
#include "plots/html/private.h"

#include <inttypes.h>
#include <stdlib.h>

#define FIRST 3u

/* Cycles saved, over all kernels: what a user gains. */
static int by_saved(const void *a, const void *b)
{
	const struct ws_advice *x = *(const struct ws_advice *const *)a,
			       *y = *(const struct ws_advice *const *)b;
	uint64_t sx = x->before.cycles - x->after.cycles, sy = y->before.cycles - y->after.cycles;

	if (x->of_machine != y->of_machine)
		return x->of_machine ? 1 : -1;
	if (sx != sy)
		return sx > sy ? -1 : 1;
	return (x > y) - (x < y);
}

static void put_item(struct ws_buf *html, const struct ws_advice *a)
{
	ws_html_put(html, "<li><strong>");
	ws_html_str(html, a->change);
	ws_html_put(html, "</strong>: saves ");
	ws_html_tenths(html, a->gain);
	ws_html_put(html, " ± ");
	ws_html_tenths(html, a->error);
	ws_html_put(html, " % of the cycles of <code>");
	ws_html_str(html, a->kernel);
	ws_html_put(html, "</code>.<br/><span class=\"why\">");
	ws_html_str(html, ws_advice_rows[a->kind].meaning);
	if (*a->source) {
		ws_html_put(html, ", ");
		ws_html_str(html, a->source);
	}
	ws_html_put(html, ": ");
	ws_html_str(html, a->evidence);
	ws_html_put(html, ".</span></li>\n");
}

static void put_all(struct ws_buf *html, const struct ws_advice **a, size_t count)
{
	ws_html_put(html, "<details><summary>All advice</summary><div class=\"scroll\" "
		    "tabindex=\"0\" role=\"region\" aria-label=\"all advice\"><table><thead><tr>"
		    "<th scope=\"col\">kernel</th><th scope=\"col\">advice</th>"
		    "<th scope=\"col\">change</th><th scope=\"col\">gain, %</th>"
		    "<th scope=\"col\">error</th><th scope=\"col\">cycles</th>"
		    "<th scope=\"col\">with it</th><th scope=\"col\">misses</th>"
		    "<th scope=\"col\">with it</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < count; i++) {
		ws_html_put(html, "<tr><th scope=\"row\">");
		ws_html_str(html, a[i]->kernel);
		ws_put_printf(html, "</th><td>%s</td><td>", ws_advice_rows[a[i]->kind].name);
		ws_html_str(html, a[i]->change);
		ws_html_put(html, "</td><td class=\"n\">");
		ws_html_tenths(html, a[i]->gain);
		ws_html_put(html, "</td><td class=\"n\">");
		ws_html_tenths(html, a[i]->error);
		ws_html_put(html, "</td>");
		ws_html_cell(html, a[i]->before.cycles);
		ws_html_cell(html, a[i]->after.cycles);
		ws_html_cell(html, a[i]->before.misses);
		ws_html_cell(html, a[i]->after.misses);
		ws_html_put(html, "</tr>\n");
	}
	ws_html_put(html, "</tbody></table></div></details>\n");
}

void ws_report_advice(struct ws_buf *html, const struct ws_report_input *in)
{
	const struct ws_advice **a;
	size_t count = in->advice ? in->advice->count : 0;

	if (!in->advice)
		return;
	ws_html_put(html, "<section id=\"advice\"><h2>What would help most</h2>\n");
	a = ws_alloc(count, sizeof *a);
	html->failed |= !a;
	for (size_t i = 0; i < count && a; i++)
		a[i] = &in->advice->advice[i];
	if (count && a) {
		qsort(a, count, sizeof *a, by_saved);
		ws_html_put(html, "<ol>\n");
		for (size_t i = 0; i < count && i < FIRST; i++)
			put_item(html, a[i]);
		ws_html_put(html, "</ol>\n");
		put_all(html, a, count);
	} else {
		ws_put_printf(html, "<p>None of %" PRIu64 " changes that were simulated saves "
			      "more cycles than its error.</p>\n", in->advice->tried);
	}
	free(a);
	if (in->advice->sampled)
		ws_put_printf(html, "<p>Of %" PRIu64 " kernel%s a sample of CTAs was simulated; "
			      "its error is part of the errors.</p>\n", in->advice->sampled,
			      in->advice->sampled == 1 ? "" : "s");
	ws_html_put(html, "<p class=\"why\">Each change was made in the trace, or in the cache, "
		    "and simulated cycle by cycle. The error is how far the gain moves when arrays "
		    "lie elsewhere, and when accesses with another index take two more "
		    "instructions (four, if work-items change places; eight, with a software "
		    "cache), and some for what else a changed program does otherwise. Gains do not "
		    "add up."
		    "</p></section>\n");
}
