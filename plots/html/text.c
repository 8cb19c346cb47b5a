/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/html/text.c -- markup and escaped texts onto a growing file.
 */
#include "plots/html/private.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void ws_html_put(struct ws_buf *html, const char *markup)
{
	ws_put_bytes(html, markup, strlen(markup));
}

/* Bytes of the UTF-8 character at text that XML may hold; 0: there is none. */
static size_t character(const unsigned char *text, size_t len)
{
	static const unsigned char from[] = { 0, 0, 0xc2, 0xe0, 0xf0 };
	size_t want = *text < 0x80 ? 1 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : 4;
	uint32_t code = *text & (want == 1 ? 0x7fu : 0x7fu >> want);

	if (want > len || *text < from[want] || *text > 0xf4)
		return 0;
	for (size_t i = 1; i < want; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3fu);
	}
	if ((want == 3 && code < 0x800) || (want == 4 && (code < 0x10000 || code > 0x10ffff)) ||
	    (code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff)
		return 0;
	return code >= ' ' || code == '\t' || code == '\n' ? want : 0;
}

void ws_html_text(struct ws_buf *html, const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *)text;

	while (len) {
		size_t n = character(p, len);

		if (!n)
			ws_html_put(html, "&#xfffd;");
		else if (*p == '&' || *p == '<' || *p == '>' || *p == '"' || *p == '\'')
			ws_put_printf(html, "&#%u;", (unsigned)*p);
		else
			ws_put_bytes(html, p, n);
		n = n ? n : 1;
		p += n;
		len -= n;
	}
}

void ws_html_str(struct ws_buf *html, const char *text)
{
	ws_html_text(html, text, strlen(text));
}

void ws_html_tenths(struct ws_buf *html, double value)
{
	long tenths = lround(value * 10);

	ws_put_printf(html, "%s%ld.%ld", tenths < 0 ? "-" : "", labs(tenths) / 10,
		      labs(tenths) % 10);
}

void ws_html_size(struct ws_buf *html, uint64_t bytes)
{
	static const char *const unit[] = { "bytes", "KB", "MB", "GB" };
	unsigned u = 0;

	while (u < 3 && bytes >= 1024 && bytes % 1024 == 0) {
		bytes /= 1024;
		u++;
	}
	ws_put_printf(html, "%" PRIu64 " %s", bytes, unit[u]);
}

void ws_html_cell(struct ws_buf *html, uint64_t count)
{
	ws_put_printf(html, "<td class=\"n\">%" PRIu64 "</td>", count);
}

void ws_html_percent(struct ws_buf *html, double ratio)
{
	long tenths = (long)(ratio * 1000 + 0.5);

	ws_put_printf(html, "<td class=\"n\">%ld.%ld</td>", tenths / 10, tenths % 10);
}
