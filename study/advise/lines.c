/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/lines.c -- what the warp instructions of each source line ask for.
 */
#include "study/advise/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum ws_status add_site(struct ws_line_sums *out, const struct ws_scan_site *site,
			       struct ws_err *err)
{
	struct ws_line_sum *sum = NULL;

	for (size_t i = 0; i < out->count && !sum; i++)
		if (strcmp(out->line[i].source, site->source) == 0)
			sum = &out->line[i];
	if (!sum) {
		if (!WS_ROOM(out->line, out->cap, out->count + 1))
			return ws_fail_memory(err, "the lines of a kernel");
		sum = &out->line[out->count++];
		*sum = (struct ws_line_sum){ .instructions = 0 };
		snprintf(sum->source, sizeof sum->source, "%s", site->source);
	}
	sum->instructions += site->sum.instructions;
	sum->sectors += site->sum.sectors;
	sum->needed += site->sum.needed;
	return WS_OK;
}

enum ws_status ws_line_sums_make(struct ws_line_sums *out, const struct ws_trace *t,
				 const struct ws_machine *m, const char *kernel, struct ws_err *err)
{
	struct ws_scan scan = { .count = 0 };
	enum ws_status status = ws_scan_kernel(&scan, t, kernel, m, err);

	*out = (struct ws_line_sums){ .count = 0 };
	for (size_t i = 0; i < scan.count && status == WS_OK; i++)
		status = add_site(out, &scan.site[i], err);
	ws_scan_clear(&scan);
	if (status != WS_OK)
		ws_line_sums_clear(out);
	return status;
}

const struct ws_line_sum *ws_line_sums_of(const struct ws_line_sums *sums, const char *file,
					  uint32_t line)
{
	const char *slash = strrchr(file, '/');
	char source[sizeof sums->line->source];

	snprintf(source, sizeof source, "%.80s:%" PRIu32, slash ? slash + 1 : file, line);
	for (size_t i = 0; i < sums->count; i++)
		if (strcmp(sums->line[i].source, line ? source : "?") == 0)
			return &sums->line[i];
	return NULL;
}

void ws_line_sums_clear(struct ws_line_sums *sums)
{
	free(sums->line);
	*sums = (struct ws_line_sums){ .count = 0 };
}
