/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/softcache_lists.c -- `softcache`: lists of line sizes, thresholds and numbers of lines.
 */
#include "cli/softcache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool list_add(struct softcache_list *l, uint64_t value)
{
	if (l->count == SOFTCACHE_VALUES_MAX)
		return false;
	l->value[l->count++] = value;
	return true;
}

/* LO:HI:+STEP or LO:HI:xFACTOR, or one number. */
static bool add_item(struct softcache_list *l, char *item)
{
	char *high = strchr(item, ':'), *step = high ? strchr(high + 1, ':') : NULL;
	uint64_t lo, hi, by;

	if (!high)
		return ws_parse_size(item, &lo) && list_add(l, lo);
	if (!step)
		return false;
	*high++ = *step++ = '\0';
	if (!ws_parse_size(item, &lo) || !ws_parse_size(high, &hi) || hi < lo || hi > 1u << 20 ||
	    (!lo && *step == 'x') || (*step != '+' && *step != 'x') ||
	    !ws_parse_u64(step + 1, &by) || !by || by > 1u << 20 || (*step == 'x' && by < 2))
		return false;
	for (; lo <= hi; lo = *step == 'x' ? lo * by : lo + by)
		if (!list_add(l, lo))
			return false;
	return true;
}

static enum ws_status read(struct softcache_list *l, const struct cli_call *call,
			   const char *option,
			   const char *text, struct ws_err *err)
{
	char *copy = ws_strdup(text), *item = copy, *end;
	bool good = true;

	if (!copy)
		return ws_fail_memory(err, "a list");
	for (; item && good; item = end) {
		end = strchr(item, ',');
		if (end)
			*end++ = '\0';
		good = add_item(l, item);
	}
	free(copy);
	return good ? WS_OK
		: cli_usage(call->command, err, "--%s %.64s: want a,b,c, LO:HI:+STEP or "
			    "LO:HI:xFACTOR, at most %u values", option, text, SOFTCACHE_VALUES_MAX);
}

/* Each by itself: what is wrong with one has nothing to do with another. */
static enum ws_status check_lists(const struct softcache_lists *l, const struct cli_call *call,
				  struct ws_err *err)
{
	struct ws_soft soft = WS_SOFT_INIT, usual = WS_SOFT_INIT;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < l->lines.count; i++)
		if (l->lines.value[i] > WS_SOFT_STRUCTURES_MAX)
			return cli_usage(call->command, err, "--lines %" PRIu64 ": want 0..%u",
					 l->lines.value[i], WS_SOFT_STRUCTURES_MAX);
	for (size_t i = 0; i < l->line.count && status == WS_OK; i++) {
		soft.line_bytes = l->line.value[i];
		status = ws_soft_check(&soft, err);
	}
	for (size_t i = 0; i < l->threshold.count && status == WS_OK; i++) {
		usual.threshold = l->threshold.value[i];
		status = ws_soft_check(&usual, err);
	}
	return status;
}

enum ws_status softcache_lists_read(struct softcache_lists *l, const struct cli_call *call,
				    const char *line, const char *threshold, const char *lines,
				    struct ws_err *err)
{
	const struct ws_soft usual = WS_SOFT_INIT;
	enum ws_status status = WS_OK;

	*l = (struct softcache_lists){ 0 };
	if (!line)
		list_add(&l->line, usual.line_bytes);
	else
		status = read(&l->line, call, "line", line, err);
	if (!threshold)
		list_add(&l->threshold, usual.threshold);
	else if (status == WS_OK)
		status = read(&l->threshold, call, "threshold", threshold, err);
	if (lines && status == WS_OK)
		status = read(&l->lines, call, "lines", lines, err);
	return status == WS_OK ? check_lists(l, call, err) : status;
}

/* Numbers of lines, of which what there is room for is one. */
static size_t counts(const struct softcache_lists *l)
{
	return l->lines.count ? l->lines.count : 1;
}

size_t softcache_lists_points(const struct softcache_lists *l)
{
	return l->line.count * l->threshold.count * counts(l);
}

struct ws_soft softcache_lists_at(const struct softcache_lists *l, size_t i)
{
	size_t each = counts(l);

	return (struct ws_soft){
		.line_bytes = l->line.value[i / each % l->line.count],
		.threshold = l->threshold.value[i / each / l->line.count],
		.lines = l->lines.value[i % each],
	};
}
