/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/gpgpusim/units.c -- how machine code is executed: sm.pipeline.
 *
 * With -gpgpu_sub_core_model each scheduler has a register before and behind its collectors for
 * each kind of instruction, its share of the collectors and of the banks of registers, and a unit
 * of each kind (shader.cc).  Code that wants a unit that -specialized_unit_N does not enable ends
 * GPGPU-Sim; here it is there, with its times.  Without that option schedulers share all that; of a
 * kind there must be as many registers before and behind the collectors as units, and of memory
 * instructions one each, else sm.pipeline is none.
 */
#include "machine/gpgpusim/gpgpusim.h"

#include <inttypes.h>
#include <string.h>

#define WRITE_BACK 10u		/* of the widths */
#define BEFORE_MEM 4u
#define AFTER_MEM  9u
#define TIME_MAX   1024u

static uint64_t clamp(uint64_t v)
{
	return v < 1 ? 1 : v < TIME_MAX ? v : TIME_MAX;
}

static void say(char *text, size_t len, const char *name, uint64_t value)
{
	size_t n = strlen(text);

	snprintf(text + n, len - n, "%s%s=%" PRIu64, n ? ":" : "", name, clamp(value));
}

static void say_unit(char *text, size_t len, const char *name, uint64_t cycles, uint64_t interval)
{
	size_t n = strlen(text);

	cycles = clamp(cycles);
	interval = clamp(interval);
	snprintf(text + n, len - n, ":%s=%" PRIu64 "/%" PRIu64, name, cycles,
		 interval < cycles ? interval : cycles);
}

/* ---- of schedulers that share ---------------------------------------------------------------- */

static const struct {
	const char *name;
	enum ws_gs_option units, times;
	size_t before, after;	/* of the widths */
} kinds[] = {
	{ "int", OPT_UNITS_INT, OPT_TRACE_INT, 2, 7 },
	{ "sp", OPT_UNITS_SP, OPT_TRACE_SP, 0, 5 },
	{ "dp", OPT_UNITS_DP, OPT_TRACE_DP, 1, 6 },
	{ "sfu", OPT_UNITS_SFU, OPT_TRACE_SFU, 3, 8 },
};

static bool are_alike(struct ws_gs *r)
{
	for (size_t i = 0; i < WS_COUNT(kinds); i++) {
		uint64_t units = ws_gs_number(r, kinds[i].units);

		if (!units || units > TIME_MAX || units != ws_gs_nth(r, OPT_WIDTHS, kinds[i].before)
		    || units != ws_gs_nth(r, OPT_WIDTHS, kinds[i].after))
			return false;
	}
	return ws_gs_nth(r, OPT_WIDTHS, BEFORE_MEM) == 1 &&
	       ws_gs_nth(r, OPT_WIDTHS, AFTER_MEM) == 1;
}

/* Traces of machine code have Accel-Sim's times, not PTX's. */
static void say_shared(struct ws_gs *r, char *text, size_t len)
{
	for (size_t i = 0; i < WS_COUNT(kinds); i++) {
		size_t n;

		say_unit(text, len, kinds[i].name, ws_gs_nth(r, kinds[i].times, 0),
			 ws_gs_nth(r, kinds[i].times, 1));
		n = strlen(text);
		snprintf(text + n, len - n, "x%" PRIu64, ws_gs_number(r, kinds[i].units));
	}
	say_unit(text, len, "hp", ws_gs_nth(r, OPT_TRACE_SP, 0), ws_gs_nth(r, OPT_TRACE_SP, 1) / 2);
}

/* ---- of schedulers with their own ------------------------------------------------------------ */

/* Of trace.config, LATENCY,INITIATION, if it is there, else of an addition. */
static void say_times(const struct ws_gs *r, char *text, size_t len, const char *name,
		      enum ws_gs_option trace, enum ws_gs_option latency,
		      enum ws_gs_option initiation)
{
	bool own = r->given[trace].line != 0;
	uint64_t cycles = ws_gs_nth(r, own ? trace : latency, 0);
	uint64_t interval = ws_gs_nth(r, own ? trace : initiation, own);

	say_unit(text, len, name, cycles, interval);
	if (strcmp(name, "sp") == 0) /* two of half precision in the time of one */
		say_unit(text, len, "hp", cycles, interval / 2);
}

static void say_units(const struct ws_gs *r, char *text, size_t len)
{
	static const char *const own[] = { "bra", "tex", "mma", "uni" };

	say_times(r, text, len, "int", OPT_TRACE_INT, OPT_LATENCY_INT, OPT_INITIATION_INT);
	say_times(r, text, len, "sp", OPT_TRACE_SP, OPT_LATENCY_FP, OPT_INITIATION_FP);
	say_times(r, text, len, "dp", OPT_TRACE_DP, OPT_LATENCY_DP, OPT_INITIATION_DP);
	say_times(r, text, len, "sfu", OPT_TRACE_SFU, OPT_LATENCY_SFU, OPT_INITIATION_SFU);
	for (unsigned i = 0; i < WS_COUNT(own); i++) {
		enum ws_gs_option times = (enum ws_gs_option)(OPT_TRACE_OWN_1 + i);

		say_unit(text, len, own[i], ws_gs_nth(r, times, 0), ws_gs_nth(r, times, 1));
	}
}

void ws_gs_to_pipeline(struct ws_gs *r, enum ws_gs_option o)
{
	uint64_t each = r->m->sm_schedulers, all = ws_gs_number(r, OPT_UNITS);
	uint64_t banks = ws_gs_number(r, OPT_REGISTER_BANKS);
	bool own = ws_gs_number(r, o) != 0;
	char text[2 * sizeof r->m->sm_pipeline] = "";

	ws_gs_set_text(r, o, "sm.pipeline", "none");
	each = own ? each : 1;
	if (ws_gs_number(r, OPT_SPECIAL) || !each || !all || all % each ||
	    !banks || banks % each || !ws_gs_number(r, OPT_UNITS_INT) ||
	    !ws_gs_number(r, OPT_UNITS_DP) || (!own && !are_alike(r)))
		return;
	if (!own)
		say(text, sizeof text, "share", 1);
	say(text, sizeof text, "col", all / each);
	say(text, sizeof text, "bank", banks / each);
	say(text, sizeof text, "step", ws_gs_number(r, OPT_COLLECTOR));
	say(text, sizeof text, "in", ws_gs_number(r, OPT_PORTS_IN));
	say(text, sizeof text, "out", ws_gs_number(r, OPT_PORTS_OUT));
	say(text, sizeof text, "wb", ws_gs_nth(r, OPT_WIDTHS, WRITE_BACK));
	say(text, sizeof text, "smem", ws_gs_number(r, OPT_SHARED_LATENCY));
	if (own)
		say_units(r, text, sizeof text);
	else
		say_shared(r, text, sizeof text);
	if (strlen(text) < sizeof r->m->sm_pipeline)
		ws_gs_set_text(r, o, "sm.pipeline", text);
}
