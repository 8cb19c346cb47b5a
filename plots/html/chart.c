/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/html/chart.c -- figures as SVG inside the page.
 *
 * A figure says what it is in its <title>; the table behind it, which the caller writes, has its
 * numbers.  Colours and dashes are classes s0 to s7 of the page's style.
 */
#include "plots/html/private.h"

#include <math.h>
#include <stdlib.h>

#define WIDTH 640
#define LEFT 60
#define RIGHT 32
#define TOP 12
#define HEIGHT 306
#define BOTTOM 50
#define SERIES 8u
#define BAR 24

static void put_attribute(struct ws_buf *html, const char *name, double value)
{
	ws_put_printf(html, " %s=\"", name);
	ws_html_tenths(html, value);
	ws_html_put(html, "\"");
}

static void put_line(struct ws_buf *html, const char *class, double x1, double y1, double x2,
		     double y2)
{
	ws_put_printf(html, "<line class=\"%s\"", class);
	put_attribute(html, "x1", x1);
	put_attribute(html, "y1", y1);
	put_attribute(html, "x2", x2);
	put_attribute(html, "y2", y2);
	ws_html_put(html, "/>");
}

static void begin_figure(struct ws_buf *html, const char *title, int height)
{
	ws_put_printf(html, "<svg viewBox=\"0 0 %d %d\" role=\"img\"><title>", WIDTH, height);
	ws_html_str(html, title);
	ws_html_put(html, "</title>");
}

/* ---- lines ---------------------------------------------------------------------------------- */

struct axes {
	const struct ws_chart *chart;
	double low, high;	/* log2 x, or x */
	double top;		/* y of the upper edge */
};

static double scaled(const struct axes *a, double x)
{
	return a->chart->linear ? x : log2(x);
}

static double x_of(const struct axes *a, double x)
{
	double width = a->high > a->low ? a->high - a->low : 1;

	return LEFT + (scaled(a, x) - a->low) / width * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct axes *a, double y)
{
	return TOP + (1 - y / a->top) * (HEIGHT - TOP - BOTTOM);
}

static struct axes axes_of(const struct ws_chart *chart)
{
	struct axes a = { .chart = chart, .low = chart->linear ? 0 : 64 };
	const struct ws_chart_line *line = chart->line;
	size_t lines = chart->lines;

	for (size_t i = 0; i < lines; i++)
		for (size_t j = 0; j < line[i].points; j++) {
			const struct ws_chart_point *p = &line[i].point[j];

			a.low = fmin(a.low, scaled(&a, p->x));
			a.high = fmax(a.high, scaled(&a, p->x));
			a.top = fmax(a.top, fmax(p->y, p->high));
		}
	a.top = a.top > 0.5 ? 1 : a.top > 0.2 ? 0.5 : a.top > 0.1 ? 0.2 : 0.1;
	return a;
}

/* A vertical line and its number; a narrow page has room for every other one. */
static void put_tick(struct ws_buf *html, const struct axes *a, double x, bool odd)
{
	put_line(html, "grid", x_of(a, x), TOP, x_of(a, x), HEIGHT - BOTTOM);
	ws_put_printf(html, "<text class=\"%s\"", odd ? "m o" : "m");
	put_attribute(html, "x", x_of(a, x));
	put_attribute(html, "y", HEIGHT - BOTTOM + 21);
	ws_html_put(html, ">");
	if (a->chart->linear)
		ws_put_printf(html, "%ld", lround(x));
	else
		ws_html_size(html, (uint64_t)x);
	ws_html_put(html, "</text>");
}

/* 1, 2 or 5 times a power of ten, so that there are at most six steps. */
static double linear_step(double high)
{
	double step = 1;

	while (high / step > 6) {
		if (high / (2 * step) <= 6)
			return 2 * step;
		if (high / (5 * step) <= 6)
			return 5 * step;
		step *= 10;
	}
	return step;
}

static void put_ticks(struct ws_buf *html, const struct axes *a)
{
	double step = a->chart->linear ? linear_step(a->high) : a->high - a->low > 9 ? 2 : 1;
	bool odd = false;

	for (double e = ceil(a->low); e <= a->high; e += step) {
		put_tick(html, a, a->chart->linear ? e : exp2(e), odd);
		odd = !odd;
	}
}

static void put_axes(struct ws_buf *html, const struct axes *a)
{
	for (int i = 0; i <= 5; i++) {
		double y = a->top * i / 5;

		put_line(html, "grid", LEFT, y_of(a, y), WIDTH - RIGHT, y_of(a, y));
		ws_html_put(html, "<text class=\"e\"");
		put_attribute(html, "x", LEFT - 6);
		put_attribute(html, "y", y_of(a, y) + 4);
		ws_html_put(html, ">");
		ws_put_printf(html, "%ld</text>", lround(100 * y));
	}
	put_ticks(html, a);
	ws_put_printf(html, "<text class=\"m\" x=\"%d\" y=\"%d\">%s</text>",
		      (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 5, a->chart->x);
	ws_put_printf(html, "<text class=\"m\" x=\"%d\" y=\"%d\" transform=\"rotate(-90 12 %d)\">"
		      "%s</text>", 12, (TOP + HEIGHT - BOTTOM) / 2, (TOP + HEIGHT - BOTTOM) / 2,
		      a->chart->y);
}

static void put_point(struct ws_buf *html, const struct axes *a, double x, double y)
{
	ws_html_tenths(html, x_of(a, x));
	ws_html_put(html, ",");
	ws_html_tenths(html, y_of(a, y));
	ws_html_put(html, " ");
}

/* Where the error is known, a band behind all lines. */
static void put_band(struct ws_buf *html, const struct axes *a, const struct ws_chart_line *l,
		     size_t number)
{
	ws_put_printf(html, "<polygon class=\"band s%zu\" points=\"", number % SERIES);
	for (size_t i = 0; i < l->points; i++)
		put_point(html, a, l->point[i].x, l->point[i].high);
	for (size_t i = l->points; i > 0; i--)
		put_point(html, a, l->point[i - 1].x, l->point[i - 1].low);
	ws_html_put(html, "\"/>");
}

static void put_series(struct ws_buf *html, const struct axes *a, const struct ws_chart_line *l,
		       size_t number)
{
	ws_put_printf(html, "<polyline class=\"s%zu%s\" points=\"", number % SERIES,
		      l->own ? " ours" : "");
	for (size_t i = 0; i < l->points; i++)
		put_point(html, a, l->point[i].x, l->point[i].y);
	ws_html_put(html, "\"/>");
}

static void put_legend(struct ws_buf *html, const struct ws_chart_line *line, size_t lines)
{
	ws_html_put(html, "<ul class=\"legend\">");
	for (size_t i = 0; i < lines; i++) {
		ws_put_printf(html, "<li><svg viewBox=\"0 0 28 8\" width=\"28\" height=\"8\" "
			      "aria-hidden=\"true\"><polyline class=\"s%zu\" points=\"0,4 28,4\"/>"
			      "</svg> ", i % SERIES);
		ws_html_str(html, line[i].name);
		ws_html_put(html, "</li>");
	}
	ws_html_put(html, "</ul>\n");
}

static void put_cursor(struct ws_buf *html, const struct axes *a)
{
	ws_put_printf(html, "<line class=\"cursor\" x1=\"0\" x2=\"0\" y1=\"%d\" y2=\"%d\" "
		      "data-left=\"", TOP, HEIGHT - BOTTOM);
	ws_html_tenths(html, LEFT);
	ws_html_put(html, "\" data-right=\"");
	ws_html_tenths(html, WIDTH - RIGHT);
	ws_html_put(html, "\" data-low=\"");
	ws_html_tenths(html, a->low * 100);
	ws_html_put(html, "\" data-high=\"");
	ws_html_tenths(html, a->high * 100);
	ws_html_put(html, "\"/>");
}

void ws_chart_lines(struct ws_buf *html, const struct ws_chart *chart)
{
	const struct ws_chart_line *line = chart->line;
	struct axes a = axes_of(chart);
	size_t lines = chart->lines;

	begin_figure(html, chart->title, HEIGHT);
	put_axes(html, &a);
	if (chart->mark > 0 && log2(chart->mark) >= a.low && log2(chart->mark) <= a.high)
		put_line(html, "own", x_of(&a, chart->mark), TOP, x_of(&a, chart->mark),
			 HEIGHT - BOTTOM);
	for (size_t i = 0; i < lines; i++)
		if (line[i].own)
			put_band(html, &a, &line[i], i);
	for (size_t i = 0; i < lines; i++)
		put_series(html, &a, &line[i], i);
	if (!chart->linear)
		put_cursor(html, &a);
	ws_html_put(html, "</svg>\n");
	put_legend(html, line, lines);
}

/* ---- bars ----------------------------------------------------------------------------------- */

static void put_bar(struct ws_buf *html, const struct ws_chart_bar *b, size_t i)
{
	const int left = 150, right = 80;
	double width = WIDTH - left - right, y = (double)i * BAR + 4;

	ws_html_put(html, "<text class=\"e\"");
	put_attribute(html, "x", left - 8);
	put_attribute(html, "y", y + 13);
	ws_html_put(html, ">");
	ws_html_str(html, b->name);
	ws_put_printf(html, "</text><rect class=\"%s\"", b->own ? "bar here" : "bar");
	put_attribute(html, "x", left);
	put_attribute(html, "y", y);
	put_attribute(html, "width", width * b->value);
	ws_html_put(html, " height=\"16\"/>");
	if (b->stated && b->high > b->low) {
		put_line(html, "whisker", left + width * b->low, y + 8, left + width * b->high,
			 y + 8);
		put_line(html, "whisker", left + width * b->low, y + 3, left + width * b->low,
			 y + 13);
		put_line(html, "whisker", left + width * b->high, y + 3, left + width * b->high,
			 y + 13);
	}
	ws_html_put(html, "<text");
	put_attribute(html, "x", left + width * fmax(b->value, b->stated ? b->high : 0) + 6);
	put_attribute(html, "y", y + 13);
	ws_html_put(html, ">");
	ws_html_str(html, b->text);
	ws_html_put(html, "</text>");
}

void ws_chart_bars(struct ws_buf *html, const char *title, const struct ws_chart_bar *bar,
		   size_t bars)
{
	begin_figure(html, title, (int)bars * BAR + 8);
	for (size_t i = 0; i < bars; i++)
		put_bar(html, &bar[i], i);
	ws_html_put(html, "</svg>\n");
}
