/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/html/report.c -- a report, section by section (plots/report.h).
 */
#include "plots/html/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SETS_MOST 4096u
#define SIZE_MOST 16u		/* of a curve, times the machine's own */

struct report {
	const struct ws_report_input *in;
	struct ws_buf *html;
	struct ws_report_rows kernels, loads, parts, curves, policies, organisations;
	const struct ws_report_row **shown; /* kernels, by requests */
	size_t count;
	bool no_parts;		/* why there are none: */
	struct ws_err why;
};

enum ws_status ws_report_shapes(const struct ws_machine *m, struct ws_shapes *shapes,
				struct ws_err *err)
{
	struct ws_cache cache = m->l1;
	enum ws_status status = ws_shapes_add(shapes, cache.line_bytes, cache.sets, err);

	for (cache.sets = 1; cache.sets <= SETS_MOST && status == WS_OK; cache.sets *= 2)
		if (cache.sets == 1 || !cache.hash->check || !cache.hash->check(&cache, NULL))
			status = ws_shapes_add(shapes, cache.line_bytes, cache.sets, err);
	return status;
}

/* ---- what is asked -------------------------------------------------------------------------- */

void ws_report_sets(const struct ws_profile *profile, const struct ws_machine *m, char *text,
		    size_t len)
{
	const struct ws_section *s = &profile->section[0];
	uint64_t own = m->l1.sets;
	size_t used = (size_t)snprintf(text, len, "l1.sets=%" PRIu64, own), count = 0;

	for (size_t i = 0; i < s->geometries && used < len && count < 6; i++) {
		uint64_t sets = s->geometry[i].sets;

		if (s->geometry[i].line_bytes != m->l1.line_bytes || sets == own ||
		    (sets > 1 && (sets > 8 * own || own > 8 * sets)))
			continue;
		used += (size_t)snprintf(text + used, len - used, ",%" PRIu64, sets);
		count++;
	}
}

static enum ws_status ask_curves(struct report *r, struct ws_err *err)
{
	struct ws_report_query q = { .search = true };
	char sets[200];
	enum ws_status status = WS_OK;

	q.budget = SIZE_MOST * r->in->machine->l1.size_bytes;
	ws_report_sets(r->in->profile, r->in->machine, sets, sizeof sets);
	if (!ws_list_add(&q.vary, sets) ||
	    !ws_list_add(&q.vary, "l1.ways=1,2,3,4,6,8,12,16,24,32,48,64,96,128,192,256,384,512,"
			 "768,1024,1536,2048"))
		status = ws_fail_memory(err, "curves");
	if (status == WS_OK)
		status = ws_report_ask(&r->curves, r->in, &q, err);
	ws_list_clear(&q.vary);
	return status;
}

/* What a profile does not hold is left out, and so is the table if nothing is left. */
static void ask_choices(struct report *r, struct ws_report_rows *rows, const char *vary)
{
	struct ws_report_query q = { .search = true };
	struct ws_err none = { 0 };

	if (ws_list_add(&q.vary, vary) && ws_report_ask(rows, r->in, &q, &none) != WS_OK)
		ws_report_rows_clear(rows);
	ws_list_clear(&q.vary);
}

static void organisations_text(char *text, size_t len)
{
	size_t used = (size_t)snprintf(text, len, "l1.organisation=");
	bool first = true;

	for (size_t i = 0; i < WS_ORGANISATIONS && used < len; i++) {
		const struct ws_organisation *o = &ws_organisations[i];

		if (!o->predicted || (o->low && !o->otherwise))
			continue;
		used += (size_t)snprintf(text + used, len - used, "%s%s", first ? "" : ",",
					 o->name);
		first = false;
	}
}

static int by_requests(const void *a, const void *b)
{
	const struct ws_report_row *x = *(const struct ws_report_row *const *)a,
				   *y = *(const struct ws_report_row *const *)b;

	if (x->counts.requests != y->counts.requests)
		return x->counts.requests > y->counts.requests ? -1 : 1;
	return (x > y) - (x < y);
}

static enum ws_status choose_kernels(struct report *r, struct ws_err *err)
{
	r->shown = ws_alloc(r->kernels.count, sizeof *r->shown);
	if (!r->shown)
		return ws_fail_memory(err, "kernels");
	for (size_t i = 0; i < r->kernels.count; i++)
		r->shown[i] = &r->kernels.row[i];
	if (r->kernels.count)
		qsort(r->shown, r->kernels.count, sizeof *r->shown, by_requests);
	r->count = r->kernels.count < WS_REPORT_KERNELS ? r->kernels.count : WS_REPORT_KERNELS;
	return WS_OK;
}

static enum ws_status ask_all(struct report *r, struct ws_err *err)
{
	const struct ws_report_query whole = { .by = NULL }, loads = { .kind = "load" },
				     site = { .by = "site" };
	char text[256];
	enum ws_status status = ws_report_ask(&r->kernels, r->in, &whole, err);

	if (status != WS_OK)
		return status;
	if (r->in->counters)
		status = ws_report_ask(&r->loads, r->in, &loads, err);
	if (status != WS_OK)
		return status;
	r->no_parts = ws_report_ask(&r->parts, r->in, &site, &r->why) != WS_OK;
	if (r->no_parts)
		ws_report_rows_clear(&r->parts);
	status = ask_curves(r, err);
	ask_choices(r, &r->policies, "l1.policy=all");
	organisations_text(text, sizeof text);
	ask_choices(r, &r->organisations, text);
	return status == WS_OK ? choose_kernels(r, err) : status;
}

/* ---- what is written ------------------------------------------------------------------------ */

static void put_head(const struct report *r)
{
	struct ws_buf *html = r->html;

	ws_html_put(html, "<!DOCTYPE html>\n<html lang=\"en\" "
		    "xmlns=\"http://www.w3.org/1999/xhtml\"><head>"
		    "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
		    "content=\"width=device-width,initial-scale=1\"/>\n<title>");
	ws_html_str(html, r->in->name);
	ws_html_put(html, ": cache report</title>\n<style>\n");
	ws_html_put(html, ws_html_style);
	ws_html_put(html, "</style></head>\n<body><main>\n<h1>Caches of ");
	ws_html_str(html, r->in->name);
	ws_html_put(html, "</h1>\n<nav aria-label=\"sections\"><ul>");
	if (r->in->advice)
		ws_html_put(html, "<li><a href=\"#advice\">What would help most</a></li>");
	ws_html_put(html, "<li><a href=\"#kernels\">Kernels</a></li>");
	if (r->in->counters)
		ws_html_put(html, "<li><a href=\"#hardware\">Hardware</a></li>");
	for (size_t i = 0; i < r->count; i++) {
		ws_put_printf(html, "<li><a href=\"#k%zu\">", i);
		ws_html_str(html, r->shown[i]->kernel);
		ws_html_put(html, "</a></li>");
	}
	ws_html_put(html, "<li><a href=\"#how\">How this was made</a></li></ul></nav>\n");
}

static void put_machine(const struct report *r)
{
	const struct ws_machine *m = r->in->machine;
	struct ws_buf *html = r->html;

	ws_html_put(html, "<p>");
	ws_html_str(html, *m->title ? m->title : m->name);
	ws_html_put(html, ". L1 of an SM: ");
	ws_html_size(html, m->l1.size_bytes);
	ws_put_printf(html, ", %" PRIu64 " sets of %" PRIu64 " ways, lines of %" PRIu64
		      " bytes, ", m->l1.sets, m->l1.ways, m->l1.line_bytes);
	ws_html_str(html, m->l1.policy);
	ws_put_printf(html, ", stores %s.</p>\n", ws_write_names[m->l1.write]);
}

static void put_kernels(const struct report *r)
{
	struct ws_buf *html = r->html;

	ws_html_put(html, "<section id=\"kernels\"><h2>Kernels</h2>\n");
	put_machine(r);
	ws_html_put(html, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		    "aria-label=\"kernels\"><table><thead><tr><th scope=\"col\">kernel</th>"
		    "<th scope=\"col\">requests</th><th scope=\"col\">misses</th>"
		    "<th scope=\"col\">misses, %</th><th scope=\"col\">at least</th>"
		    "<th scope=\"col\">at most</th><th scope=\"col\">cold</th>"
		    "<th scope=\"col\">capacity</th><th scope=\"col\">conflict</th>"
		    "<th scope=\"col\">uncached</th></tr></thead>"
		    "<tbody>\n");
	for (size_t i = 0; i < r->kernels.count; i++) {
		const struct ws_report_row *k = r->shown[i];

		ws_html_put(html, "<tr><th scope=\"row\">");
		ws_html_str(html, k->kernel);
		ws_html_put(html, "</th>");
		ws_html_cell(html, k->counts.requests);
		ws_html_cell(html, k->counts.misses);
		ws_html_percent(html, k->ratio.value);
		ws_html_percent(html, k->ratio.low);
		ws_html_percent(html, k->ratio.high);
		ws_html_cell(html, k->counts.cold);
		ws_html_cell(html, k->counts.capacity);
		ws_html_cell(html, k->counts.conflict);
		ws_html_cell(html, k->counts.uncached);
		ws_html_put(html, "</tr>\n");
	}
	ws_html_put(html, "</tbody></table></div><p class=\"why\">A request is one cache line that "
		    "one warp instruction asks for. Cold misses are first uses; capacity misses a "
		    "fully associative cache of the size would have, too; conflict misses it "
		    "would not; uncached ones are stores and atomics that the cache does not "
		    "keep. At least and at most are the ends of a 95 % interval of the "
		    "percentage.</p></section>\n");
}

static enum ws_status put_kernel(struct report *r, size_t i, struct ws_err *err)
{
	const char *kernel = r->shown[i]->kernel;
	char own[WS_NAME_MAX * 2];
	enum ws_status status;

	ws_put_printf(r->html, "<section id=\"k%zu\"><h2><code>", i);
	ws_html_str(r->html, kernel);
	ws_html_put(r->html, "</code></h2>\n");
	if (r->no_parts) {
		ws_html_put(r->html, "<p>Misses by line are not known: ");
		ws_html_str(r->html, r->why.text);
		ws_html_put(r->html, ".</p>\n");
	}
	status = ws_report_source(r->html, r->in, &r->parts, kernel, err);
	if (status == WS_OK)
		status = ws_report_curves(r->html, r->in, &r->curves, kernel, err);
	if (status == WS_OK)
		status = ws_report_choices(r->html, &r->policies, kernel, "Replacement policies",
					   r->in->machine->l1.policy, err);
	ws_organisation_text(&r->in->machine->l1.organised, own, sizeof own);
	if (status == WS_OK)
		status = ws_report_choices(r->html, &r->organisations, kernel, "Organisations",
					   own, err);
	if (status == WS_OK)
		status = ws_report_reuse(r->html, r->in, kernel, err);
	if (status == WS_OK)
		status = ws_report_timeline(r->html, r->in, kernel, err);
	if (status == WS_OK)
		status = ws_report_accesses(r->html, r->in, kernel, err);
	ws_html_put(r->html, "</section>\n");
	return status;
}

static void put_how(const struct report *r)
{
	struct ws_buf *html = r->html;

	ws_html_put(html, "<section id=\"how\"><h2>How this was made</h2>\n<pre><code>");
	ws_html_str(html, r->in->made);
	ws_html_put(html, "</code></pre>\n<p>Everything but advice, "
		    "timelines and accesses is predicted from one profile, "
		    "whose order of requests is the machine's own. The same numbers come from "
		    "these commands; FILE is the input, with the options above:</p>\n<pre><code>");
	ws_html_str(html, r->in->commands);
	ws_html_put(html, "</code></pre></section>\n</main><script>\n//<![CDATA[\n");
	ws_html_put(html, ws_html_script);
	ws_html_put(html, "//]]>\n</script></body></html>\n");
}

static enum ws_status put_all(struct report *r, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	put_head(r);
	ws_report_advice(r->html, r->in);
	put_kernels(r);
	ws_report_hardware(r->html, r->in, &r->loads);
	for (size_t i = 0; i < r->count && status == WS_OK; i++)
		status = put_kernel(r, i, err);
	if (r->count < r->kernels.count)
		ws_put_printf(r->html, "<p>%zu more kernels with fewer requests are in the table "
			      "alone.</p>\n", r->kernels.count - r->count);
	put_how(r);
	return status;
}

enum ws_status ws_report_make(const struct ws_report_input *in, struct ws_buf *html,
			      struct ws_err *err)
{
	struct report r = { .in = in, .html = html };
	enum ws_status status = ask_all(&r, err);

	if (status == WS_OK)
		status = put_all(&r, err);
	if (status == WS_OK && html->failed)
		status = ws_fail_memory(err, "a report");
	ws_report_rows_clear(&r.kernels);
	ws_report_rows_clear(&r.loads);
	ws_report_rows_clear(&r.parts);
	ws_report_rows_clear(&r.curves);
	ws_report_rows_clear(&r.policies);
	ws_report_rows_clear(&r.organisations);
	free(r.shown);
	return status;
}
