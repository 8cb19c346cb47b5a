/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/html/source.c -- the source of a kernel, with what each line of it asks for and misses.
 *
 * A trace may name any file.  Only files that end as sources of kernels do are read, and of them
 * only lines near one that accesses memory are shown.
 */
#include "plots/html/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define AROUND 3u		/* lines shown before and after */
#define SOURCE_MAX (4u << 20)	/* bytes of a file */
#define FILES_MAX 64u

struct listing {
	const struct ws_report_rows *parts;
	const char *kernel, *file;
	struct ws_in in;	/* the file, if it is read */
	const char *text;	/* what is in it; NULL: unknown */
	size_t len;
	uint64_t misses;	/* of the kernel */
	struct ws_line_sums asked; /* empty: unknown */
};

static bool is_part(const struct listing *l, const struct ws_report_row *r)
{
	return r->file && strcmp(r->kernel, l->kernel) == 0 && strcmp(r->file, l->file) == 0;
}

static bool is_source(const char *file)
{
	static const char *const end[] = { ".cl", ".cu", ".cuh", ".h", ".hpp", ".cpp", ".hip" };
	size_t len = strlen(file);

	for (size_t i = 0; i < WS_COUNT(end); i++)
		if (len > strlen(end[i]) && strcmp(file + len - strlen(end[i]), end[i]) == 0)
			return true;
	return false;
}

static bool open_at(struct ws_in *in, const char *path)
{
	if (ws_in_open(in, path, NULL) != WS_OK)
		return false;
	if (in->len <= SOURCE_MAX)
		return true;
	ws_in_close(in);
	return false;
}

/* What the trace has of it. */
static const char *traced_text(const struct listing *l, const struct ws_trace *t)
{
	for (size_t i = 0; t && i < ws_trace_launches(t); i++) {
		const char *text = strcmp(ws_trace_launch(t, i)->kernel, l->kernel) == 0
					   ? ws_trace_text(t, i, l->file) : NULL;

		if (text)
			return text;
	}
	return NULL;
}

/* Of that name in the folder of sources, or where the trace says it is. */
static bool open_file(struct listing *l, const char *folder)
{
	const char *slash = strrchr(l->file, '/');
	char path[4096];

	if (!is_source(l->file))
		return false;
	if (folder) {
		snprintf(path, sizeof path, "%s/%s", folder, slash ? slash + 1 : l->file);
		if (open_at(&l->in, path))
			return true;
	}
	return open_at(&l->in, l->file);
}

static void open_source(struct listing *l, const struct ws_report_input *in)
{
	l->in = (struct ws_in){ .data = NULL };
	l->text = traced_text(l, in->trace);
	l->len = l->text ? strlen(l->text) : 0;
	if (l->text)
		return;
	if (!open_file(l, in->sources)) {
		l->in = (struct ws_in){ .data = NULL };
		return;
	}
	l->text = (const char *)l->in.data;
	l->len = l->in.len;
}

/* ---- rows ----------------------------------------------------------------------------------- */

struct sums {
	struct ws_counts c;
	bool any;
};

static struct sums sums_of(const struct listing *l, uint32_t line)
{
	struct sums s = { .any = false };

	for (size_t i = 0; i < l->parts->count; i++) {
		const struct ws_counts *c = &l->parts->row[i].counts;

		if (!is_part(l, &l->parts->row[i]) || l->parts->row[i].line != line)
			continue;
		s.any = true;
		s.c.requests += c->requests;
		s.c.hits += c->hits + c->pending;
		s.c.misses += c->misses;
		s.c.cold += c->cold;
		s.c.capacity += c->capacity;
		s.c.conflict += c->conflict;
		s.c.uncached += c->uncached;
	}
	return s;
}

static void put_arrays(struct ws_buf *html, const struct listing *l, uint32_t line)
{
	size_t shown = 0;

	ws_html_put(html, "<td>");
	for (size_t i = 0; i < l->parts->count; i++) {
		const struct ws_report_row *r = &l->parts->row[i];

		if (!is_part(l, r) || r->line != line || !r->array || !*r->array)
			continue;
		ws_html_put(html, shown++ ? ", " : "");
		ws_html_str(html, r->array);
	}
	ws_html_put(html, "</td>");
}

/* s NULL: nothing. */
static void put_asked(struct ws_buf *html, const struct ws_line_sum *s)
{
	ws_html_put(html, "<td class=\"n\">");
	if (s) {
		ws_html_tenths(html, (double)s->sectors / (double)s->instructions);
		ws_html_put(html, " (");
		ws_html_tenths(html, (double)s->needed / (double)s->instructions);
		ws_html_put(html, ")");
	}
	ws_html_put(html, "</td>");
}

/* What matters most first: a narrow window shows it without scrolling. */
static void put_counts(struct ws_buf *html, const struct listing *l, uint32_t line,
		       const struct sums *s)
{
	double share = l->misses ? (double)s->c.misses / (double)l->misses : 0;
	long tenths = (long)(share * 1000 + 0.5);

	ws_html_cell(html, s->c.requests);
	ws_html_cell(html, s->c.misses);
	ws_put_printf(html, "<td class=\"meter\"><span style=\"width:%ld.%03ldrem\" "
		      "class=\"miss\"></span><span class=\"v\">%ld.%ld</span></td>",
		      tenths * 4 / 1000, tenths * 4 % 1000, tenths / 10, tenths % 10);
	put_arrays(html, l, line);
	if (l->asked.count)
		put_asked(html, ws_line_sums_of(&l->asked, l->file, line));
	ws_html_cell(html, s->c.hits);
	ws_html_cell(html, s->c.cold);
	ws_html_cell(html, s->c.capacity);
	ws_html_cell(html, s->c.conflict);
	ws_html_cell(html, s->c.uncached);
}

static void put_row(struct ws_buf *html, const struct listing *l, uint32_t line, const char *text,
		    size_t len)
{
	struct sums s = sums_of(l, line);

	ws_put_printf(html, "<tr%s><th scope=\"row\" class=\"n\">", s.any ? " class=\"hot\"" : "");
	if (line)
		ws_put_printf(html, is_source(l->file) ? "%" PRIu32 "</th>" : "0x%" PRIx32 "</th>",
			      line);
	else
		ws_html_put(html, "?</th>");
	if (l->text) {
		ws_html_put(html, "<td><code>");
		ws_html_text(html, text, len);
		ws_html_put(html, "</code></td>");
	}
	if (s.any)
		put_counts(html, l, line, &s);
	else
		ws_put_printf(html, "<td colspan=\"%d\"></td>", l->asked.count ? 10 : 9);
	ws_html_put(html, "</tr>\n");
}

/* ---- files ---------------------------------------------------------------------------------- */

static bool is_near(const struct listing *l, uint32_t line)
{
	for (size_t i = 0; i < l->parts->count; i++) {
		const struct ws_report_row *r = &l->parts->row[i];

		if (is_part(l, r) && r->line && r->line <= line + AROUND &&
		    line <= r->line + AROUND)
			return true;
	}
	return false;
}

static void put_text_lines(struct ws_buf *html, const struct listing *l)
{
	const char *at = l->text, *end = at + l->len;
	bool left_out = false;

	for (uint32_t line = 1; at < end; line++) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		stop = stop ? stop : end;
		if (is_near(l, line)) {
			if (left_out)
				ws_put_printf(html, "<tr class=\"gap\"><td colspan=\"%d\">…</td>"
					      "</tr>\n", l->asked.count ? 12 : 11);
			put_row(html, l, line, at, (size_t)(stop - at));
			left_out = false;
		} else {
			left_out = true;
		}
		at = stop + 1;
	}
}

/* Without the text: a row for each line that has counts, by number. */
static void put_bare_lines(struct ws_buf *html, const struct listing *l)
{
	for (uint64_t last = 0, next;; last = next) {
		next = UINT64_MAX;
		for (size_t i = 0; i < l->parts->count; i++) {
			uint64_t line = (uint64_t)l->parts->row[i].line + 1;

			if (is_part(l, &l->parts->row[i]) && line > last && line < next)
				next = line;
		}
		if (next == UINT64_MAX)
			return;
		put_row(html, l, (uint32_t)(next - 1), "", 0);
	}
}

static void put_file(struct ws_buf *html, const struct listing *l)
{
	ws_html_put(html, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		    "aria-label=\"source with misses\"><table class=\"source\"><caption>");
	ws_html_str(html, !*l->file ? "Of no known source line"
			  : is_source(l->file) ? l->file : "Instructions by address");
	if (!l->text && *l->file)
		ws_html_put(html, is_source(l->file) ? ": its text was not found; "
						       "the report takes a folder of sources"
						     : ": the trace names no source lines");
	ws_html_put(html, "</caption><thead><tr><th scope=\"col\">");
	ws_html_put(html, !*l->file || is_source(l->file) ? "line</th>" : "instruction</th>");
	ws_html_put(html, l->text ? "<th scope=\"col\">source</th>" : "");
	ws_html_put(html, "<th scope=\"col\" class=\"n\">requests</th>"
		    "<th scope=\"col\" class=\"n\">misses</th>"
		    "<th scope=\"col\">% of the misses</th><th scope=\"col\">arrays</th>");
	if (l->asked.count)
		ws_html_put(html, "<th scope=\"col\" class=\"n\">sectors (would do)</th>");
	ws_html_put(html, "<th scope=\"col\" class=\"n\">hits</th>"
		    "<th scope=\"col\" class=\"n\">cold</th>"
		    "<th scope=\"col\" class=\"n\">capacity</th>"
		    "<th scope=\"col\" class=\"n\">conflict</th>"
		    "<th scope=\"col\" class=\"n\">uncached</th></tr></thead><tbody>\n");
	if (l->text)
		put_text_lines(html, l);
	else
		put_bare_lines(html, l);
	ws_html_put(html, "</tbody></table></div>\n");
}

static void put_files(struct ws_buf *html, struct listing *l, const struct ws_report_input *in)
{
	const char *seen[FILES_MAX];
	size_t files = 0;

	for (size_t i = 0; i < l->parts->count && files < FILES_MAX; i++) {
		const struct ws_report_row *r = &l->parts->row[i];
		size_t j = 0;

		if (!r->file || strcmp(r->kernel, l->kernel) != 0)
			continue;
		while (j < files && strcmp(seen[j], r->file) != 0)
			j++;
		if (j < files)
			continue;
		l->file = seen[files++] = r->file;
		if (files == 1)
			ws_html_put(html, "<h3>Source</h3>\n");
		open_source(l, in);
		put_file(html, l);
		if (l->in.data)
			ws_in_close(&l->in);
	}
	if (files && l->asked.count)
		ws_html_put(html, "<p class=\"why\">Sectors are those of 32 bytes that an "
			    "instruction of a warp asks for, in the mean; and in brackets how "
			    "many would do if its lanes accessed neighbouring elements.</p>\n");
}

enum ws_status ws_report_source(struct ws_buf *html, const struct ws_report_input *in,
				const struct ws_report_rows *parts, const char *kernel,
				struct ws_err *err)
{
	struct listing l = { .parts = parts, .kernel = kernel };
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < parts->count; i++)
		if (strcmp(parts->row[i].kernel, kernel) == 0)
			l.misses += parts->row[i].counts.misses;
	if (in->trace && parts->count)
		status = ws_line_sums_make(&l.asked, in->trace, in->machine, kernel, err);
	if (status == WS_OK)
		put_files(html, &l, in);
	ws_line_sums_clear(&l.asked);
	return status;
}
