/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/faults.c -- errors of a CTA that cannot go on: what went wrong, and in which
 * work-item.
 */
#include "base/bits.h"
#include "trace/capture/lockstep.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void coordinates(const struct ws_cta_run *r, uint32_t lane, char text[96])
{
	const uint64_t *g = r->lane[lane].gid;

	snprintf(text, 96, "(%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")", g[0], g[1], g[2]);
}

enum ws_status ws_fault_divergent(const struct ws_cta_run *r, uint32_t lane, uint32_t other_lane,
				  struct ws_err *err)
{
	const struct ws_kernel *k = r->config->kernel;
	char one[96], other[96];

	coordinates(r, lane, one);
	coordinates(r, other_lane, other);
	return ws_fail(err, WS_EINPUT, "%s: divergent barrier in kernel %s: work-item %s waits at "
		       "line %" PRIu32 ", %s at line %" PRIu32, r->config->program->source,
		       k->name, one, k->barrier_line[r->lane[lane].waiting], other,
		       k->barrier_line[r->lane[other_lane].waiting]);
}

/* An access that is out of bounds, or misaligned. */
static enum ws_status bad_access(const struct ws_cta_run *r, struct ws_err *err)
{
	const struct ws_kernel *k = r->config->kernel;
	const struct ws_instruction *i = ws_instruction_of(k, r->fault_instruction);
	char who[96], what[400], more[80] = "";

	coordinates(r, r->fault_lane, who);
	ws_access_text(r->outside, r->fault_instruction, r->fault_address, what, sizeof what);
	if (r->fault == FAULT_ALIGN)
		snprintf(more, sizeof more, ", address 0x%" PRIx64 ": want a multiple of %" PRIu32,
			 ws_outside_device(r->outside, r->fault_instruction, r->fault_address),
			 r->wanted_alignment);
	else if (i->array == WS_NO_ARRAY && i->space != WS_SPACE_LOCAL)
		snprintf(more, sizeof more, " (generic pointers to local or private memory are not "
			 "supported)");
	return ws_fail(err, WS_EINPUT, "%s:%" PRIu32 ": %s in kernel %s: work-item %s makes %s%s",
		       ws_file_of(r->config, i), i->line,
		       r->fault == FAULT_ALIGN ? "misaligned access" : "out of bounds", k->name,
		       who, what, more);
}

static enum ws_status stuck_meeting(const struct ws_cta_run *r, struct ws_err *err)
{
	const struct ws_kernel *k = r->config->kernel;
	uint32_t segment = r->lane[r->fault_lane].waiting;
	char who[96];

	coordinates(r, r->fault_lane, who);
	return ws_fail(err, WS_EINPUT, "%s:%" PRIu32 ": kernel %s: thread %s waits here for lanes "
		       "of its warp (mask 0x%08" PRIx32 ") that do not come with the same mask",
		       r->config->program->source, k->barrier_line[segment], k->name, who,
		       r->meeting[r->fault_lane].mask);
}

enum ws_status ws_fault_report(const struct ws_cta_run *r, struct ws_err *err)
{
	const char *source = r->config->program->source, *kernel = r->config->kernel->name;
	char who[96];

	coordinates(r, r->fault_lane, who);
	switch (r->fault) {
	case FAULT_BOUNDS:
	case FAULT_ALIGN:
		return bad_access(r, err);
	case FAULT_MEET:
		return stuck_meeting(r, err);
	case FAULT_CALL:
		return ws_fail(err, WS_EINPUT, "%s:%" PRIu64 ": kernel %s: work-item %s calls %s",
			       source, r->fault_address, kernel, who,
			       r->fault_instruction ? "a function that calls itself, too deep"
						    : "through a pointer to no function of that "
						      "type");
	case FAULT_SIZE:
		return ws_fail(err, WS_EINPUT,
			       "%s: kernel %s: the trace of group %" PRIu64
			       " passes 2 GiB: does it never end?",
			       source, kernel, r->cta);
	case FAULT_CRASH:
		if (r->crash_signal == SIGTRAP)
			return ws_fail(err, WS_EINPUT, "%s: kernel %s: an assertion failed in "
				       "work-item %s", source, kernel, who);
		return ws_fail(err, WS_EINPUT,
			       "%s: kernel %s: work-item %s crashed (%s): a private array or a "
			       "constant table read or written out of bounds, or a misaligned "
			       "vector in one?",
			       source, kernel, who, strsignal(r->crash_signal));
	case FAULT_EACH:
		*err = r->each_err;
		return r->each_status;
	case FAULT_NONE:
	case FAULT_BUDGET:
		break;
	}
	return ws_fail(
		err, WS_EINPUT,
		"%s: kernel %s: work-item %s goes on for too long (its group recorded %" PRIu64
		" words and passed %" PRIu64
		" barriers): does it wait for another group, or never end?",
		source, kernel, who, r->all_used, r->barriers);
}

enum ws_status ws_cta_stuck(const struct ws_cta_run *r, const struct ws_stuck *s,
			    struct ws_err *err)
{
	const struct ws_kernel *k = r->config->kernel;
	struct ws_instruction at;
	char who[96];
	size_t lane = 0;

	if (r->stalls) {
		at = k->instruction[k->segment[r->stale_segment].first];
		while (!ws_bit(r->mask, lane))
			lane++;
	} else {
		while (!ws_lane_waits(r, lane))
			lane++;
		at = (struct ws_instruction){ .file = k->wait[r->lane[lane].waiting].file,
					      .line = k->wait[r->lane[lane].waiting].line };
	}
	coordinates(r, (uint32_t)lane, who);
	return ws_fail(err, WS_EINPUT,
		       "%s:%" PRIu32 ": kernel %s: work-item %s waits here for ever: nothing that "
		       "runs beside it writes what it waits for (of %" PRIu64 " groups %" PRIu64
		       " have ended; at most %" PRIu64 " run together)",
		       ws_file_of(r->config, &at), at.line, k->name, who, s->ctas, s->ended,
		       s->resident);
}
