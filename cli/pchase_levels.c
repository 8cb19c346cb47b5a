/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/pchase_levels.c -- pchase spectrum, banks and classic: latencies by where a load hits, by
 * conflicts of banks, and as means over arrays and strides.
 */
#include "cli/pchase.h"

#include <inttypes.h>
#include <stdlib.h>

#define CLASSIC_MOST (1u << 18)	/* loads of a pass */
#define CLASSIC_FIRST 1024u	/* bytes */
#define CLASSIC_STRIDE 4u

/* ---- spectrum ---------------------------------------------------------------------------- */

static const enum ws_col spectrum_columns[] = {
	WS_COL_PROPERTY, WS_COL_HIT_IN, WS_COL_TLB, WS_COL_DETERMINED, WS_COL_LATENCY,
	WS_COL_LATENCY_LOW, WS_COL_LATENCY_HIGH, WS_COL_TIMED_LOADS, WS_COL_NOTE,
};

static const struct {
	const char *name, *data, *tlb;
} patterns[WS_CHASE_PATTERNS] = {
	[WS_CHASE_P0] = { "L1", "L1", NULL }, [WS_CHASE_P1] = { "P1", "L2", "hit" },
	[WS_CHASE_P2] = { "P2", "L2", "L2 TLB" }, [WS_CHASE_P3] = { "P3", "L2", "miss" },
	[WS_CHASE_P4] = { "P4", "DRAM", "hit" }, [WS_CHASE_P5] = { "P5", "DRAM", "L2 TLB" },
	[WS_CHASE_P6] = { "P6", "DRAM", "miss" },
};

static void put_pattern(struct ws_table *t, const struct ws_machine *m, unsigned k,
			const struct ws_chase_spectrum *s)
{
	const struct ws_chase_pattern *p = &s->pattern[k];
	char note[96] = "not seen";

	if (k == WS_CHASE_P0 && !m->l1.size_bytes)
		return;
	if (p->loads && p->pages)
		snprintf(note, sizeof note, "lines of %" PRIu64 " pages of %" PRIu64 " bytes by "
			 "turns", p->pages, s->page);
	else if (p->loads)
		note[0] = '\0';
	ws_cell_str(t, WS_COL_PROPERTY, patterns[k].name);
	ws_cell_str(t, WS_COL_HIT_IN, patterns[k].data);
	ws_cell_str(t, WS_COL_TLB, patterns[k].tlb);
	ws_cell_str(t, WS_COL_DETERMINED, p->loads ? "yes" : "no");
	if (p->loads) {
		ws_cell_f64(t, WS_COL_LATENCY, p->cycles);
		ws_cell_f64(t, WS_COL_LATENCY_LOW, p->low);
		ws_cell_f64(t, WS_COL_LATENCY_HIGH, p->high);
		ws_cell_u64(t, WS_COL_TIMED_LOADS, p->loads);
	}
	ws_cell_str(t, WS_COL_NOTE, note[0] ? note : NULL);
	ws_row_end(t);
}

enum ws_status cli_chase_spectrum(struct chase_call *c, struct ws_err *err)
{
	struct cli_report report = { 0 };
	struct ws_chase_spectrum s;
	enum ws_status status = cli_chase_open(c, err);

	if (status == WS_OK)
		status = ws_chase_spectrum(&s, &c->target, &c->machine, c->o->page, err);
	if (status == WS_OK)
		status = cli_report_begin(&report, c->call, NULL, spectrum_columns,
					  WS_COUNT(spectrum_columns), err);
	for (unsigned k = 0; k < WS_CHASE_PATTERNS && status == WS_OK; k++)
		put_pattern(report.table, &c->machine, k, &s);
	return cli_report_end(&report, status, err);
}

/* ---- banks ------------------------------------------------------------------------------- */

static const enum ws_col banks_columns[] = {
	WS_COL_STRIDE_BYTES, WS_COL_TURNS, WS_COL_LATENCY,
};

enum ws_status cli_chase_banks(struct chase_call *c, struct ws_err *err)
{
	uint64_t most = c->o->stride ? c->o->stride : 2 * c->machine.shared_banks *
		c->machine.shared_width;
	struct cli_report report = { 0 };
	enum ws_status status = cli_report_begin(&report, c->call, NULL, banks_columns,
						 WS_COUNT(banks_columns), err);

	for (uint64_t stride = 0; stride <= most && status == WS_OK; stride += 4) {
		uint64_t turns = ws_chase_stride_turns(&c->machine, stride);

		ws_cell_u64(report.table, WS_COL_STRIDE_BYTES, stride);
		ws_cell_u64(report.table, WS_COL_TURNS, turns);
		ws_cell_f64(report.table, WS_COL_LATENCY, ws_chase_shared_cycles(&c->machine,
										 turns));
		ws_row_end(report.table);
	}
	return cli_report_end(&report, status, err);
}

/* ---- classic ------------------------------------------------------------------------------
 *
 * What Saavedra and Wong measured: the mean of a walk, nothing of its single loads. */

static const enum ws_col classic_columns[] = {
	WS_COL_ARRAY_BYTES, WS_COL_STRIDE_BYTES, WS_COL_TIMED_LOADS, WS_COL_LATENCY_MEAN,
	WS_COL_MISS_RATIO,
};

struct classic {
	struct chase_call *c;
	struct ws_table *table;
	uint64_t *offset;
	double *cycles;
};

static enum ws_status classic_walk(struct classic *w, uint64_t array, uint64_t stride,
				   struct ws_err *err)
{
	const struct ws_chase_target *target = &w->c->target;
	size_t pass = (size_t)((array - 1) / stride + 1);
	double sum = 0, misses = 0, hit = (double)(w->c->machine.l1.size_bytes
		? w->c->machine.l1.latency_cycles
		: w->c->machine.l1.latency_cycles + w->c->machine.l2.latency_cycles);
	enum ws_status status;

	for (size_t i = 0; i < 2 * pass; i++)
		w->offset[i] = i % pass * stride;
	status = target->run(target->state, w->offset, 2 * pass, true, w->cycles, err);
	if (status != WS_OK)
		return status;
	for (size_t i = pass; i < 2 * pass; i++) {
		sum += w->cycles[i];
		misses += w->cycles[i] > hit * 1.5;
	}
	ws_cell_u64(w->table, WS_COL_ARRAY_BYTES, array);
	ws_cell_u64(w->table, WS_COL_STRIDE_BYTES, stride);
	ws_cell_u64(w->table, WS_COL_TIMED_LOADS, pass);
	ws_cell_f64(w->table, WS_COL_LATENCY_MEAN, sum / (double)pass);
	ws_cell_f64(w->table, WS_COL_MISS_RATIO, misses / (double)pass);
	ws_row_end(w->table);
	return WS_OK;
}

static enum ws_status classic_walks(struct classic *w, struct ws_err *err)
{
	const struct pchase_options *o = w->c->o;
	uint64_t most = o->array ? o->array : 4 * (w->c->machine.l1.size_bytes
		? w->c->machine.l1.size_bytes : w->c->machine.l2.size_bytes);
	enum ws_status status = WS_OK;

	for (uint64_t low = CLASSIC_FIRST; low <= most && status == WS_OK; low *= 2)
		for (uint64_t part = 2; part <= 3 && status == WS_OK; part++)
			for (uint64_t stride = CLASSIC_STRIDE; stride <= low / 2 &&
			     status == WS_OK; stride *= 2)
				if (low * part / 2 <= most && (!o->stride || stride == o->stride) &&
				    low * part / 2 / stride <= CLASSIC_MOST)
					status = classic_walk(w, low * part / 2, stride, err);
	return status;
}

enum ws_status cli_chase_classic(struct chase_call *c, struct ws_err *err)
{
	struct classic w = { .c = c };
	struct cli_report report = { 0 };
	enum ws_status status = cli_chase_open(c, err);

	w.offset = ws_alloc(2 * CLASSIC_MOST + 2, sizeof *w.offset);
	w.cycles = ws_alloc(2 * CLASSIC_MOST + 2, sizeof *w.cycles);
	if (status == WS_OK && (!w.offset || !w.cycles))
		status = ws_fail_memory(err, "the loads");
	if (status == WS_OK)
		status = cli_report_begin(&report, c->call, NULL, classic_columns,
					  WS_COUNT(classic_columns), err);
	w.table = report.table;
	if (status == WS_OK)
		status = classic_walks(&w, err);
	free(w.offset);
	free(w.cycles);
	return cli_report_end(&report, status, err);
}

/* ---- means ------------------------------------------------------------------------------- */

static const enum ws_col means_columns[] = {
	WS_COL_PROPERTY, WS_COL_BY_MEANS, WS_COL_INFERRED, WS_COL_UNIT,
};

static void put_both(struct ws_table *t, const char *property, double means,
		     struct ws_chase_value v, const char *unit)
{
	ws_cell_str(t, WS_COL_PROPERTY, property);
	if (means > 0)
		ws_cell_f64(t, WS_COL_BY_MEANS, means);
	if (v.confidence > 0)
		ws_cell_f64(t, WS_COL_INFERRED, (double)v.value);
	ws_cell_str(t, WS_COL_UNIT, unit);
	ws_row_end(t);
}

/* The line is the one inferred, or the machine's. */
enum ws_status cli_chase_means(struct chase_call *c, struct ws_err *err)
{
	const struct ws_chase *f = &c->found;
	struct cli_report report = { 0 };
	struct ws_chase_means m;
	enum ws_status status = cli_chase_infer(c, err);

	if (status == WS_OK)
		status = ws_chase_means(&m, &c->target, f->line.confidence > 0 ? f->line.value
					: c->machine.l1.line_bytes, err);
	if (status == WS_OK)
		status = cli_report_begin(&report, c->call, NULL, means_columns,
					  WS_COUNT(means_columns), err);
	if (status == WS_OK) {
		put_both(report.table, "size", (double)(m.lines * m.line), f->size, "bytes");
		put_both(report.table, "sets", (double)m.sets, f->sets, NULL);
		put_both(report.table, "ways", m.ways, f->ways, "lines");
		put_both(report.table, "flat", (double)(m.flat * m.line),
			 (struct ws_chase_value){ 0 }, "bytes");
	}
	return cli_report_end(&report, status, err);
}
