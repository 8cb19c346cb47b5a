/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/front.c -- what fetches machine code: sm.front.
 */
#include "machine/private.h"

#include <inttypes.h>
#include <string.h>

#define NONE "none"
#define ALL  "all"
#define NUMBER_MAX 64u

static const struct {
	const char *name;
	size_t offset;
} numbers[] = {
	{ "sets", offsetof(struct ws_front_is, sets) },
	{ "ways", offsetof(struct ws_front_is, ways) },
	{ "mshr", offsetof(struct ws_front_is, mshrs) },
	{ "merge", offsetof(struct ws_front_is, merges) },
	{ "queue", offsetof(struct ws_front_is, queue) },
};

bool ws_machine_has_front(const struct ws_machine *m)
{
	return *m->sm_front && strcmp(m->sm_front, NONE) != 0 && m->sm_buffer && m->sm_fetch &&
	       m->sm_scheduler != WS_SCHED_TWO_LEVEL &&
	       (strcmp(m->sm_front, ALL) == 0 || m->icnt_queues == WS_QUEUES_ROUTER);
}

/* "NAME=NUMBER", 1 to NUMBER_MAX */
static bool read_item(const char *at, size_t len, struct ws_front_is *out)
{
	char text[16], *equals;
	uint64_t value;

	if (len >= sizeof text)
		return false;
	memcpy(text, at, len);
	text[len] = '\0';
	equals = strchr(text, '=');
	if (!equals)
		return false;
	*equals++ = '\0';
	for (size_t i = 0; i < WS_COUNT(numbers); i++) {
		if (strcmp(text, numbers[i].name) != 0)
			continue;
		if (!ws_parse_u64(equals, &value) || value < 1 || value > NUMBER_MAX)
			return false;
		memcpy((char *)out + numbers[i].offset, &value, sizeof value);
		return true;
	}
	return false;
}

enum ws_status ws_front_read(const struct ws_machine *m, struct ws_front_is *out,
			     struct ws_err *err)
{
	*out = (struct ws_front_is){ .sets = 1, .ways = 1, .mshrs = 1, .merges = 1, .queue = 1 };
	out->all = strcmp(m->sm_front, ALL) == 0;
	for (const char *at = m->sm_front, *end; !out->all; at = end + 1) {
		size_t len = strcspn(at, ":");

		end = at + len;
		if (!read_item(at, len, out))
			return ws_fail(err, WS_EINVAL, "sm.front: '%.*s': want none, all, or "
				       "NAME=NUMBER:..., 1 to %u, as sets=4:ways=4:mshr=2:merge=32"
				       ":queue=4", (int)len, at, NUMBER_MAX);
		if (!*end)
			break;
	}
	if (!out->all && (!ws_is_pow2(m->sm_code_line) || m->sm_code_line < WS_SECTOR_BYTES ||
			  m->sm_code_line > m->l2.line_bytes))
		return ws_fail(err, WS_EINVAL, "sm.front = %s: sm.code.line = %" PRIu64 ": want a "
			       "power of two, from %u to l2.line", m->sm_front, m->sm_code_line,
			       WS_SECTOR_BYTES);
	return WS_OK;
}

enum ws_status ws_front_check(const struct ws_machine *m, struct ws_err *err)
{
	struct ws_front_is ignored;

	return *m->sm_front && strcmp(m->sm_front, NONE) != 0 ? ws_front_read(m, &ignored, err)
							      : WS_OK;
}
