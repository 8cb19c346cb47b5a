/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/script.c -- gnuplot text, and the common parts of titles.
 *
 * Names come from kernels' sources and trace files.  gnuplot expands backquotes, macros and
 * backslashes in double quotes, but nothing in single quotes, where '' stands for '.
 */
#include "plots/script.h"

#include <inttypes.h>
#include <string.h>

void ws_script_quote(struct ws_buf *script, const char *text)
{
	ws_put_u8(script, '\'');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '\'')
			ws_put_u8(script, '\'');
		ws_put_u8(script, c < ' ' || c == 127 ? ' ' : c);
	}
	ws_put_u8(script, '\'');
}

void ws_script_string(struct ws_buf *script, const char *name, const char *text)
{
	ws_put_printf(script, "%s = ", name);
	ws_script_quote(script, text);
	ws_put_u8(script, '\n');
}

void ws_script_u64(struct ws_buf *script, const char *name, uint64_t value)
{
	ws_put_printf(script, "%s = %" PRIu64 "\n", name, value);
}

enum ws_status ws_script_section(const struct ws_figure_input *in, size_t *section,
				 struct ws_err *err)
{
	const struct ws_profile *p = in->profile;
	char known[512] = "";

	*section = 0;
	if (p->sections == 0)
		return ws_fail(err, WS_EINVAL, "the profile holds no kernel, want at least 1");
	if (!in->kernel)
		return WS_OK;
	for (size_t i = 0; i < p->sections; i++) {
		size_t len = strlen(known);

		if (strcmp(p->section[i].kernel, in->kernel) == 0) {
			*section = i;
			return WS_OK;
		}
		snprintf(known + len, sizeof known - len, "%s%s", i ? ", " : "",
			 p->section[i].kernel);
	}
	return ws_fail(err, WS_EINVAL, "kernel %s is not in the profile, which has %s",
		       in->kernel, known);
}

/* "128x128", "64x1x4": as many dimensions as are not 1 at the end. */
static void extent(char *text, size_t len, const uint64_t n[3])
{
	if (n[2] != 1)
		snprintf(text, len, "%" PRIu64 "x%" PRIu64 "x%" PRIu64, n[0], n[1], n[2]);
	else if (n[1] != 1)
		snprintf(text, len, "%" PRIu64 "x%" PRIu64, n[0], n[1]);
	else
		snprintf(text, len, "%" PRIu64, n[0]);
}

uint64_t ws_script_distances(size_t cells)
{
	uint64_t first;

	if (cells <= 1u << WS_DISTANCE_BITS)
		return cells;
	first = ws_cell_first((uint32_t)(cells - 1), WS_DISTANCE_BITS);
	return first + (UINT64_C(1) << (ws_log2(first) - 4));
}

void ws_script_bytes(char text[32], uint64_t bytes)
{
	static const char *const unit[] = { "B", "KB", "MB", "GB" };
	unsigned u = 0;

	while (u + 1 < WS_COUNT(unit) && bytes && bytes % 1024 == 0) {
		bytes /= 1024;
		u++;
	}
	snprintf(text, 32, "%" PRIu64 " %s", bytes, unit[u]);
}

void ws_script_source(struct ws_buf *script, const struct ws_figure_input *in)
{
	const char *name = in->source ? in->source : in->table->name;
	const char *slash = in->source ? NULL : strrchr(name, '/');

	ws_script_string(script, "source", slash ? slash + 1 : name);
}

void ws_script_title(struct ws_buf *script, const char *kernel, const uint64_t grid[3],
		     const uint64_t block[3], const struct ws_machine *m)
{
	char ctas[80], threads[80], launch[200], size[32], line[32], cache[160];

	extent(ctas, sizeof ctas, grid);
	extent(threads, sizeof threads, block);
	snprintf(launch, sizeof launch, "%s CTA%s of %s", ctas, strcmp(ctas, "1") ? "s" : "",
		 threads);
	ws_script_bytes(size, m->l1.size_bytes);
	ws_script_bytes(line, m->l1.line_bytes);
	snprintf(cache, sizeof cache, "L1 %s = %" PRIu64 " set%s x %" PRIu64 " way%s x %s", size,
		 m->l1.sets, m->l1.sets == 1 ? "" : "s", m->l1.ways, m->l1.ways == 1 ? "" : "s",
		 line);
	ws_script_string(script, "kernel", kernel);
	ws_script_string(script, "launch", launch);
	ws_script_string(script, "machine", m->title[0] ? m->title : m->name);
	ws_script_string(script, "cache", cache);
}

void ws_script_launch(struct ws_buf *script, const struct ws_launch *l, const struct ws_machine *m)
{
	struct ws_machine own = *m;
	struct ws_err ignored = { 0 };

	/* What does not fit is said by who runs it. */
	if (ws_launch_machine(l, m, &own, &ignored) != WS_OK)
		own = *m;
	ws_script_title(script, l->kernel, l->grid, l->block, &own);
}
