/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/sample.c -- a part of a kernel that is simulated in place of all of it.
 *
 * Some of the SMs, with their share of the L2 and of DRAM and with the CTAs that they would have
 * among all SMs: as many CTAs are on an SM at once, and in them the same that are together on one
 * of the whole machine.  Where that is more than is to be simulated there are fewer waves of CTAs,
 * evenly spread over the grid, and then only some of the launches.  What stands for more than its
 * share counts as often.
 */
#include "base/bits.h"
#include "study/advise/private.h"
#include "study/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PILOT_CTAS 8u		/* of a launch, whose requests are counted */
#define WAVES_MIN 4u		/* of a launch that had as many */
#define WHOLE_MAX 1.2		/* times what may be simulated, of a kernel that is not sampled */
#define KEPT_MIN 1e-6
#define OFF_LITTLE 0.05		/* of their share, that channels of DRAM may be off */
#define OFF_MOST 0.2

struct picked {			/* a launch of the kernel */
	size_t launch;
	double cost;		/* requests, in all */
	uint64_t ctas, resident; /* in all; of an SM */
	uint64_t taken;		/* CTAs that are simulated */
	bool left_out;
};

struct sampling {
	const struct ws_trace *trace;
	const struct ws_machine *machine;
	struct ws_machine small;
	struct picked *picked;
	size_t count, cap;
	double wanted;		/* requests that may be simulated */
	struct ws_sample *out;
	struct ws_trace_writer *writer;
};

/* ---- what a launch costs -------------------------------------------------------------------- */

static uint64_t count_step(const struct ws_machine *m, const struct ws_launch *l,
			   const struct ws_step *step, struct ws_request *request, uint64_t *lanes)
{
	const struct ws_segment *segment = &l->segment[step->segment];
	uint64_t width = m->warp_width, threads = ws_launch_threads(l), count = 0;

	for (uint32_t i = 0; i < segment->count; i++) {
		const struct ws_instruction *in = &l->instruction[segment->first + i];

		for (uint64_t at = 0; at < threads && in->space == WS_SPACE_GLOBAL; at += width) {
			uint64_t mask = ws_step_lanes(step, (size_t)at, width);

			*lanes += ws_popcount(mask);
			if (mask)
				count += ws_coalesce(m, step->address[i] + at, mask, in->bytes,
						     request);
		}
	}
	return count;
}

static enum ws_status count_ctas(const struct sampling *s, size_t launch,
				 struct ws_request *request, uint64_t *requests, uint64_t *lanes,
				 struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(s->trace, launch);
	uint64_t some = l->ctas < PILOT_CTAS ? l->ctas : PILOT_CTAS;
	struct ws_decoder *d = NULL;
	enum ws_status status = ws_decoder_new(&d, s->trace, launch, err);

	for (uint64_t i = 0; i < some && status == WS_OK; i++) {
		struct ws_step step;
		bool more = true;

		status = ws_decoder_seek(d, (2 * i + 1) * l->ctas / (2 * some), err);
		while (status == WS_OK && more) {
			status = ws_decoder_next(d, &step, &more, err);
			if (status == WS_OK && more)
				*requests += count_step(s->machine, l, &step, request, lanes);
		}
	}
	ws_decoder_free(d);
	return status;
}

/* Requests of a launch, from those of some CTAs and the accesses of all. */
static enum ws_status cost_of(const struct sampling *s, size_t launch, double *cost,
			      struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(s->trace, launch);
	double all = (double)ws_launch_accesses(l);
	uint64_t requests = 0, lanes = 0;
	struct ws_request *request;
	uint32_t bytes = 1;
	enum ws_status status;

	for (size_t i = 0; i < l->instructions; i++)
		bytes = l->instruction[i].bytes > bytes ? l->instruction[i].bytes : bytes;
	request = ws_alloc(WS_COALESCE_MAX(s->machine->warp_width, bytes), sizeof *request);
	if (!request)
		return ws_fail_memory(err, "the requests of a warp");
	status = count_ctas(s, launch, request, &requests, &lanes, err);
	free(request);
	*cost = lanes ? all * (double)requests / (double)lanes : all;
	return status;
}

static enum ws_status find_launches(struct sampling *s, const char *kernel, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < ws_trace_launches(s->trace) && status == WS_OK; i++) {
		const char *limit;
		struct picked *p;

		if (strcmp(ws_trace_launch(s->trace, i)->kernel, kernel) != 0)
			continue;
		if (!WS_ROOM(s->picked, s->cap, s->count + 1))
			return ws_fail_memory(err, "the launches of a kernel");
		p = &s->picked[s->count++];
		*p = (struct picked){ .launch = i, .ctas = ws_trace_launch(s->trace, i)->ctas };
		status = cost_of(s, i, &p->cost, err);
		if (status == WS_OK)
			status = ws_residency(ws_trace_launch(s->trace, i), s->machine,
					      &p->resident, &limit, err);
	}
	return status;
}

/* ---- the machine ---------------------------------------------------------------------------- */

static uint64_t part_of(uint64_t whole, double share)
{
	uint64_t part = (uint64_t)llround((double)whole * share);

	return part ? part : 1;
}

/* As many SMs with what they have of the rest; false: it cannot be cut so.  off: of their share,
 * that channels may be off. */
static bool cut_machine(struct ws_machine *out, const struct ws_machine *m, uint64_t sms,
			double off)
{
	double share = (double)sms / (double)m->sm_count;
	uint64_t channels = ws_dram_channels(m), some = part_of(channels, share);

	*out = *m;
	out->sm_count = sms;
	if (fabs((double)some / ((double)channels * share) - 1) > off)
		return false;
	out->dram_channels = some;
	out->l2_slices = m->l2_slices / channels * some;
	out->l2.ways = part_of(m->l2.ways * m->l2_slices, share / (double)out->l2_slices);
	out->l2.size_bytes = out->l2_slices * out->l2.sets * out->l2.ways * out->l2.line_bytes;
	out->dram_bandwidth = part_of(m->dram_bandwidth, share);
	return ws_machine_check(out, NULL) == WS_OK && ws_cycles_check(out, NULL) == WS_OK;
}

/* ---- the CTAs ------------------------------------------------------------------------------- */

/* CTAs of the sample's SMs, if each SM has every so manieth. */
static uint64_t share_of(const struct sampling *s, uint64_t ctas)
{
	uint64_t of = s->machine->sm_count, sms = s->small.sm_count, rest = ctas % of;

	return ctas / of * sms + (rest < sms ? rest : sms);
}

/* All of its share, or a part in whole waves. */
static uint64_t ctas_left(const struct sampling *s, const struct picked *p, double kept)
{
	uint64_t share = share_of(s, p->ctas), wave = p->resident * s->small.sm_count;
	uint64_t waves = (uint64_t)ceil((double)share * kept / (double)wave);

	waves = waves > WAVES_MIN ? waves : WAVES_MIN;
	return waves * wave < share ? waves * wave : share;
}

/* Requests, if so much of each launch is kept. */
static double cost_with(const struct sampling *s, double kept)
{
	double sum = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct picked *p = &s->picked[i];

		if (!p->left_out)
			sum += p->cost * (double)ctas_left(s, p, kept) / (double)p->ctas;
	}
	return sum;
}

/* The most SMs whose waves, all or enough of them, are not too many, and the fewest SMs where all
 * are; false: no number of SMs will do. */
static bool choose_sms(struct sampling *s, double off)
{
	struct ws_machine least = *s->machine;

	for (uint64_t sms = s->machine->sm_count - 1; sms; sms--) {
		if (!cut_machine(&s->small, s->machine, sms, off))
			continue;
		if (cost_with(s, 0) <= s->wanted)
			return true;
		least = s->small;
	}
	s->small = least;
	return false;
}

/* Of launches that are too many every so manieth is left. */
static void leave_out(struct sampling *s)
{
	for (size_t step = 2; cost_with(s, 0) > s->wanted && step < s->count; step++)
		for (size_t i = 0; i < s->count; i++)
			s->picked[i].left_out = i % step != step / 2;
}

static void choose_ctas(struct sampling *s)
{
	double kept = 1;

	if (!choose_sms(s, OFF_LITTLE))
		(void)choose_sms(s, OFF_MOST);
	leave_out(s);
	while (cost_with(s, kept) > s->wanted && kept > KEPT_MIN)
		kept *= 0.9;
	for (size_t i = 0; i < s->count; i++)
		s->picked[i].taken = ctas_left(s, &s->picked[i], kept);
}

/* ---- the trace ------------------------------------------------------------------------------ */

struct copying {
	struct ws_launch to;
	struct ws_decoder *decoder;
	struct ws_encoder *encoder;
	struct ws_cta_chunks chunks;
};

/* SMs get CTAs in turn: the sample's have those that they would have among all SMs.  Waves that are
 * kept lie evenly in the grid. */
static uint64_t cta_of(const struct sampling *s, const struct picked *p, uint64_t i)
{
	uint64_t of = s->machine->sm_count, sms = s->small.sm_count, wave = p->resident * sms;
	uint64_t waves = p->taken / wave, all = p->ctas / (p->resident * of);
	uint64_t at = i / wave;

	if (p->taken < share_of(s, p->ctas))
		at = at * all / waves;
	return at * p->resident * of + i % wave / sms * of + i % sms;
}

static enum ws_status copy_cta(const struct sampling *s, struct copying *c, uint64_t cta,
			       struct ws_err *err)
{
	struct ws_step step;
	bool more = true;
	enum ws_status status = ws_decoder_seek(c->decoder, cta, err);

	ws_encoder_begin(c->encoder);
	while (status == WS_OK && more) {
		status = ws_decoder_next(c->decoder, &step, &more, err);
		if (status == WS_OK && more)
			ws_encoder_step(c->encoder, step.segment, step.mask,
					(const uint64_t *const *)step.address);
	}
	return status == WS_OK ? ws_cta_chunks_put(&c->chunks, s->writer, c->encoder, err) : status;
}

static enum ws_status copy_launch(struct sampling *s, const struct picked *p, struct copying *c,
				  struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(s->trace, p->launch);
	enum ws_status status;

	c->to = *l;
	c->to.grid[0] = p->taken;
	c->to.grid[1] = c->to.grid[2] = 1;
	c->to.ctas = p->taken;
	c->to.unmet = NULL;
	c->to.unmets = 0;
	status = ws_trace_writer_launch(s->writer, &c->to, err);
	if (status == WS_OK)
		status = ws_decoder_new(&c->decoder, s->trace, p->launch, err);
	if (status == WS_OK)
		status = ws_encoder_new(&c->encoder, &c->to, err);
	for (uint64_t i = 0; i < p->taken && status == WS_OK; i++)
		status = copy_cta(s, c, cta_of(s, p, i), err);
	return status == WS_OK ? ws_cta_chunks_flush(&c->chunks, s->writer, err) : status;
}

static enum ws_status put_launch(struct sampling *s, const struct picked *p, struct ws_err *err)
{
	struct copying *c = ws_alloc_zero(1, sizeof *c);
	enum ws_status status;

	if (!c)
		return ws_fail_memory(err, "a sample of CTAs");
	status = copy_launch(s, p, c, err);
	ws_decoder_free(c->decoder);
	ws_encoder_free(c->encoder);
	ws_cta_chunks_clear(&c->chunks);
	free(c);
	return status;
}

/* A launch's weight: CTAs of the sample's SMs, over those simulated, of the launches for which it
 * stands. */
static enum ws_status put_launches(struct sampling *s, struct ws_err *err)
{
	struct ws_sample *out = s->out;
	double share = (double)s->small.sm_count / (double)s->machine->sm_count, all = 0, had = 0;
	enum ws_status status = WS_OK;

	out->weight = ws_alloc(s->count, sizeof *out->weight);
	if (!out->weight)
		return ws_fail_memory(err, "a sample's launches");
	for (size_t i = 0; i < s->count; i++) {
		all += s->picked[i].cost;
		had += s->picked[i].left_out ? 0 : s->picked[i].cost;
	}
	for (size_t i = 0, n = 0; i < s->count && status == WS_OK; i++) {
		const struct picked *p = &s->picked[i];

		if (p->left_out)
			continue;
		status = put_launch(s, p, err);
		out->weight[n++] = (double)p->ctas * share / (double)p->taken * all / had;
		out->share += p->cost * (double)p->taken / (double)p->ctas / all;
	}
	return status;
}

static enum ws_status write_sample(struct sampling *s, struct ws_err *err)
{
	struct ws_out file = { 0 };
	enum ws_status status = ws_out_temporary(&file, err);

	if (status == WS_OK)
		status = ws_trace_writer_new(&s->writer, &file, err);
	if (status == WS_OK)
		status = put_launches(s, err);
	if (status == WS_OK)
		status = ws_trace_writer_end(s->writer, err);
	if (status == WS_OK)
		status = ws_trace_open_written(&s->out->trace, &file, ws_trace_name(s->trace), err);
	ws_trace_writer_free(s->writer);
	ws_out_abort(&file);
	return status;
}

enum ws_status ws_sample_make(struct ws_sample *out, const struct ws_trace *t, const char *kernel,
			      const struct ws_machine *m, double requests, struct ws_err *err)
{
	struct sampling s = { .trace = t, .machine = m, .wanted = requests, .out = out };
	double all = 0;
	enum ws_status status = find_launches(&s, kernel, err);

	*out = (struct ws_sample){ .share = 0 };
	for (size_t i = 0; i < s.count; i++)
		all += s.picked[i].cost;
	if (status == WS_OK && all > WHOLE_MAX * requests) {
		choose_ctas(&s);
		out->machine = s.small;
		out->times = (double)m->sm_count / (double)s.small.sm_count;
		status = write_sample(&s, err);
	}
	free(s.picked);
	return status;
}

void ws_sample_clear(struct ws_sample *s)
{
	if (s->trace)
		ws_trace_close(s->trace);
	free(s->weight);
	*s = (struct ws_sample){ .share = 0 };
}
