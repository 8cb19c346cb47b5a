/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/pipeline.c -- what executes machine code: sm.pipeline.
 */
#include "machine/private.h"

#include <inttypes.h>
#include <string.h>

#define NONE "none"
#define NUMBER_MAX 1024u
#define SM_STAGES 2u		/* the registers before and after the collectors */
#define COLLECTOR 3u		/* steps: a collector is taken, its operands are read, it is left */

static const struct {
	const char *name;
	size_t offset;
} numbers[] = {
	{ "col", offsetof(struct ws_pipeline, collectors) },
	{ "bank", offsetof(struct ws_pipeline, banks) },
	{ "step", offsetof(struct ws_pipeline, steps) },
	{ "in", offsetof(struct ws_pipeline, ports) },
	{ "out", offsetof(struct ws_pipeline, dispatches) },
	{ "wb", offsetof(struct ws_pipeline, results) },
	{ "smem", offsetof(struct ws_pipeline, shared_cycles) },
	{ "share", offsetof(struct ws_pipeline, shared) },
};

static const char *const units[WS_UNITS] = {
	[WS_UNIT_INT] = "int", [WS_UNIT_SINGLE] = "sp", [WS_UNIT_HALF] = "hp",
	[WS_UNIT_DOUBLE] = "dp", [WS_UNIT_SPECIAL] = "sfu", [WS_UNIT_BRANCH] = "bra",
	[WS_UNIT_TEXTURE] = "tex", [WS_UNIT_MATRIX] = "mma", [WS_UNIT_UNIFORM] = "uni",
};

bool ws_machine_has_pipeline(const struct ws_machine *m)
{
	return *m->sm_pipeline && strcmp(m->sm_pipeline, NONE) != 0;
}

static bool is(const char *at, size_t len, const char *name)
{
	return name && strlen(name) == len && memcmp(name, at, len) == 0;
}

/* 1 to NUMBER_MAX. */
static bool read_number(const char *at, size_t len, uint64_t *out)
{
	char text[8];

	if (len >= sizeof text)
		return false;
	memcpy(text, at, len);
	text[len] = '\0';
	return ws_parse_u64(text, out) && *out >= 1 && *out <= NUMBER_MAX;
}

/* "CYCLES/INTERVAL", or with "xCOUNT" behind it */
static bool read_times(const char *at, size_t len, struct ws_pipeline *out, size_t unit)
{
	const char *slash = memchr(at, '/', len), *times = memchr(at, 'x', len);
	size_t first = slash ? (size_t)(slash - at) : 0;
	uint64_t *cycles = &out->unit[unit].cycles, *interval = &out->unit[unit].interval;

	out->unit[unit].count = 1;
	if (times && !read_number(times + 1, len - (size_t)(times + 1 - at),
				  &out->unit[unit].count))
		return false;
	len = times ? (size_t)(times - at) : len;
	return slash && first < len && read_number(at, first, cycles) &&
	       read_number(slash + 1, len - first - 1, interval) && *interval <= *cycles;
}

/* "NAME=NUMBER" or "UNIT=CYCLES/INTERVAL" */
static bool read_item(const char *at, size_t len, struct ws_pipeline *out)
{
	const char *equals = memchr(at, '=', len);
	size_t name = equals ? (size_t)(equals - at) : 0;

	if (!equals)
		return false;
	for (size_t i = 0; i < WS_COUNT(numbers); i++)
		if (is(at, name, numbers[i].name))
			return read_number(equals + 1, len - name - 1,
					   (uint64_t *)(void *)((char *)out + numbers[i].offset));
	for (size_t i = 0; i < WS_UNITS; i++)
		if (is(at, name, units[i]))
			return read_times(equals + 1, len - name - 1, out, i);
	return false;
}

enum ws_status ws_pipeline_read(const struct ws_machine *m, struct ws_pipeline *out,
				struct ws_err *err)
{
	*out = (struct ws_pipeline){ .collectors = 1, .banks = 1, .steps = 1, .ports = 1,
				     .dispatches = 1, .results = NUMBER_MAX, .shared_cycles = 1 };
	for (const char *at = m->sm_pipeline, *end;; at = end + 1) {
		size_t len = strcspn(at, ":");

		end = at + len;
		if (!read_item(at, len, out))
			return ws_fail(err, WS_EINVAL, "sm.pipeline: '%.*s': want none, or "
				       "NAME=NUMBER:UNIT=CYCLES/INTERVAL:..., as col=2:int=4/2",
				       (int)len, at);
		if (!*end)
			break;
	}
	if (!out->unit[WS_UNIT_INT].cycles)
		return ws_fail(err, WS_EINVAL, "sm.pipeline: want int=CYCLES/INTERVAL among it");
	out->unit[WS_UNIT_CONTROL].cycles = out->unit[WS_UNIT_CONTROL].interval = 1;
	out->unit[WS_UNIT_MEMORY].count = 1;
	return WS_OK;
}

enum ws_status ws_pipeline_check(const struct ws_machine *m, struct ws_err *err)
{
	struct ws_pipeline p;

	return ws_machine_has_pipeline(m) ? ws_pipeline_read(m, &p, err) : WS_OK;
}

bool ws_pipeline_has_port(const struct ws_machine *m)
{
	return m->l1_mshr_rate == 1 && m->l1_mshr_cycles > 1;
}

uint64_t ws_pipeline_front(const struct ws_pipeline *p)
{
	return SM_STAGES + (p->steps < COLLECTOR ? (COLLECTOR + p->steps - 1) / p->steps : 1);
}
