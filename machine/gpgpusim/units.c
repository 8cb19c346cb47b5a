/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/gpgpusim/units.c -- how machine code is executed: sm.pipeline.
 *
 * With -gpgpu_sub_core_model each scheduler has a register before and behind its collectors for
 * each kind of instruction, its share of the collectors and of the banks of registers, and a unit
 * of each kind (shader.cc).  Without it schedulers share all that, and sm.pipeline is none.  Code
 * that wants a unit that -specialized_unit_N does not enable ends GPGPU-Sim; here it is there, with
 * its times.
 */
#include "machine/gpgpusim/gpgpusim.h"

#include <inttypes.h>
#include <string.h>

#define WRITE_BACK 10u		/* of the widths */
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
	char text[2 * sizeof r->m->sm_pipeline] = "";

	ws_gs_set_text(r, o, "sm.pipeline", "none");
	if (!ws_gs_number(r, o) || ws_gs_number(r, OPT_SPECIAL) || !each || !all || all % each ||
	    !banks || banks % each || !ws_gs_number(r, OPT_UNITS_INT) ||
	    !ws_gs_number(r, OPT_UNITS_DP))
		return;
	say(text, sizeof text, "col", all / each);
	say(text, sizeof text, "bank", banks / each);
	say(text, sizeof text, "step", ws_gs_number(r, OPT_COLLECTOR));
	say(text, sizeof text, "in", ws_gs_number(r, OPT_PORTS_IN));
	say(text, sizeof text, "out", ws_gs_number(r, OPT_PORTS_OUT));
	say(text, sizeof text, "wb", ws_gs_nth(r, OPT_WIDTHS, WRITE_BACK));
	say(text, sizeof text, "smem", ws_gs_number(r, OPT_SHARED_LATENCY));
	say_units(r, text, sizeof text);
	if (strlen(text) < sizeof r->m->sm_pipeline)
		ws_gs_set_text(r, o, "sm.pipeline", text);
}
