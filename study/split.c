/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/split.c -- a profile in parts, by launch or by SM, of which others make the rest.
 *
 * By launch a part orders and counts a range of launches; by SM it orders all requests, and counts
 * some of the SMs'.  The cost of a launch is that of its accesses, to order and to count; SMs share
 * a launch as its CTAs are dealt out.  The split is chosen whose longest part costs less.  It
 * depends on the trace, the machine, what is measured and the number of parts, so all parts choose
 * the same.
 *
 * Ranges of launches are contiguous, as profiles are appended in order, and the longest is as short
 * as it can be.
 */
#include "base/bits.h"
#include "study/private.h"

#include <stdlib.h>

/* ---- may launches be taken apart? ---------------------------------------------------- */

/* What the simulator draws, and what organised L1s learn, goes on from launch to launch. */
static bool draws_nothing(const struct ws_machine *m)
{
	return ws_policy_as_lru(&m->l1) && ws_policy_as_lru(&m->l2) &&
	       ws_organised_plainly(&m->l1);
}

const char *ws_launches_depend(const struct ws_source *source)
{
	const struct ws_machine *m = &source->machine;
	bool simulated = source->order == WS_ORDER_CYCLES;

	if ((simulated && m->l2_start == WS_L2_KEEP) ||
	    (source->behind.filters && source->measured.l2_start == WS_L2_KEEP))
		return "l2.start = keep";
	if (simulated && ws_machine_has_front(m))
		return "sm.front keeps code";
	if (simulated && m->icnt_queues == WS_QUEUES_ROUTER)
		return "icnt.queues = router, whose turns go on";
	if (simulated && !draws_nothing(m))
		return "a policy other than LRU may draw random numbers";
	return NULL;
}

/* ---- ranges of launches ---------------------------------------------------------------- */

static uint64_t accesses_of(const struct ws_source *source, size_t launch)
{
	return ws_launch_accesses(ws_trace_launch(source->trace, launch));
}

/* The end of the range that begins there, of as many accesses as `most`. */
static size_t range_end(const struct ws_source *source, size_t begin, uint64_t most)
{
	size_t launches = ws_trace_launches(source->trace), end = begin;
	uint64_t sum = 0;

	while (end < launches && accesses_of(source, end) <= most - sum)
		sum += accesses_of(source, end++);
	return end;
}

/* Do so many ranges hold all launches? */
static bool hold(const struct ws_source *source, uint64_t parts, uint64_t most)
{
	size_t at = 0;

	for (uint64_t i = 0; i < parts && at < ws_trace_launches(source->trace); i++)
		at = range_end(source, at, most);
	return at == ws_trace_launches(source->trace);
}

/* Accesses of the longest of the shortest ranges. */
static uint64_t longest_range(const struct ws_source *source, uint64_t parts)
{
	uint64_t low = 0, high = UINT64_MAX;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (hold(source, parts, middle))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* ---- shares of SMs ------------------------------------------------------------------------ */

static uint64_t first_l1(const struct ws_machine *m, uint64_t part, uint64_t parts)
{
	return ws_l1s(m) * (part - 1) / parts;
}

/* *all: accesses of all launches.  work[sm]: those of an SM. */
static void share_out(const struct ws_source *source, double *all, double *work)
{
	uint64_t sms = source->machine.sm_count;
	double each = 0, more = 0;

	for (size_t i = 0; i < ws_trace_launches(source->trace); i++) {
		uint64_t ctas = ws_trace_launch(source->trace, i)->ctas;
		double of_cta = (double)accesses_of(source, i) / (double)(ctas ? ctas : 1);

		*all += (double)accesses_of(source, i);
		each += of_cta * (double)(ctas / sms);
		if (ctas % sms) /* the first SMs have one more */
			work[ctas % sms - 1] += of_cta;
	}
	for (uint64_t sm = sms; sm-- > 0; work[sm] = each + more)
		more += work[sm];
}

static double largest_share(const struct ws_machine *m, const double *work, uint64_t parts)
{
	double largest = 0;

	for (uint64_t part = 1; part <= parts; part++) {
		double sum = 0;

		for (uint64_t i = first_l1(m, part, parts); i < first_l1(m, part + 1, parts); i++)
			sum += work[i / m->l1_parts] / (double)m->l1_parts;
		largest = sum > largest ? sum : largest;
	}
	return largest;
}

/* ---- which --------------------------------------------------------------------------------- */

/* Of an access, about: user times of bfs and mm-256 on a gtx480, with one SM counted and all. */
#define ORDER 1.0
#define SIMULATE 3.0
#define COUNT 8.0
#define COUNT_DISTANCES 2.0

static double cost(const struct ws_source *source, double ordered, double counted)
{
	double others = (double)source->others;
	double order = source->order == WS_ORDER_CYCLES ? SIMULATE * (1 + others) : ORDER;
	double count = (source->record ? COUNT : COUNT_DISTANCES) + COUNT_DISTANCES * others;

	return ordered * order + counted * count;
}

/* An L2 is behind all SMs; samples of lines are told apart by launch alone. */
static bool by_sms(const struct ws_source *source)
{
	bool some = false;

	for (size_t i = 0; i < WS_SM_WORDS; i++)
		some = some || source->sm[i];
	return !some && !source->behind.filters && !source->options->sample_lines &&
	       !(source->options->sample > 0 && source->options->sample < 1);
}

struct costs {			/* of the longest part, the whole being 1; 0: cannot be */
	double sms, launches;
};

static enum ws_status weigh(const struct ws_source *source, uint64_t parts, struct costs *out,
			    struct ws_err *err)
{
	uint64_t l1s = ws_l1s(&source->machine), of_sms = parts < l1s ? parts : l1s;
	double *work = ws_alloc_zero((size_t)source->machine.sm_count, sizeof *work);
	double all = 0, longest;

	*out = (struct costs){ 0 };
	if (!work)
		return ws_fail_memory(err, "the parts of a profile");
	share_out(source, &all, work);
	all = all > 0 ? all : 1;
	if (by_sms(source))
		out->sms = cost(source, all, largest_share(&source->machine, work, of_sms)) /
			   cost(source, all, all);
	longest = (double)longest_range(source, parts);
	if (!ws_launches_depend(source))
		out->launches = longest > 0 ? longest / all : 1;
	free(work);
	return WS_OK;
}

static void say_split(const struct ws_source *source, enum ws_split how, const struct costs *c)
{
	static const char *const names[] = { "one", "of SMs", "of launches" };
	const char *depend = ws_launches_depend(source);

	if (depend)
		ws_study_detail(source->options, "parts are %s: launches depend on those before "
				"(%s)", names[how], depend);
	else
		ws_study_detail(source->options, "parts are %s: the longest is %.0f %% of the "
				"whole; of %s %.0f %%", names[how],
				100 * (how == WS_SPLIT_SMS ? c->sms : c->launches),
				how == WS_SPLIT_SMS ? "launches" : "SMs",
				100 * (how == WS_SPLIT_SMS ? c->launches
				       : c->sms > 0 ? c->sms : 1));
}

static void take_launches(struct ws_source *source, uint64_t part, uint64_t parts)
{
	uint64_t most = longest_range(source, parts);

	for (; part > 0; part--) {
		source->begin = source->end;
		source->end = range_end(source, source->begin, most);
	}
}

static void take_sms(struct ws_source *source, uint64_t part, uint64_t parts)
{
	const struct ws_machine *m = &source->machine;
	uint64_t end;

	parts = parts < ws_l1s(m) ? parts : ws_l1s(m);
	end = part <= parts ? first_l1(m, part + 1, parts) : 0;
	for (uint64_t i = first_l1(m, part, parts); i < end; i++)
		ws_bit_set(source->sm, i);
}

enum ws_status ws_source_part(struct ws_source *source, uint64_t part, uint64_t parts,
			      enum ws_split *how, bool *any, struct ws_err *err)
{
	struct costs c;
	enum ws_status status = weigh(source, parts, &c, err);

	if (status != WS_OK)
		return status;
	*how = WS_SPLIT_NONE;
	if (c.launches > 0 && !(c.sms > 0 && c.sms < c.launches))
		*how = WS_SPLIT_LAUNCHES;
	else if (c.sms > 0)
		*how = WS_SPLIT_SMS;
	say_split(source, *how, &c);
	source->partial = *how != WS_SPLIT_NONE;
	*any = part == 1;
	if (*how == WS_SPLIT_LAUNCHES) {
		take_launches(source, part, parts);
		*any = *any || source->begin < source->end;
	} else if (*how == WS_SPLIT_SMS) {
		take_sms(source, part, parts);
		*any = part <= ws_l1s(&source->machine);
	}
	return WS_OK;
}
