/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/info_trace.c -- a trace's contents.
 */
#include "cli/info.h"

#include <inttypes.h>

static const char *const space_names[] = {
	[WS_SPACE_GLOBAL] = "global", [WS_SPACE_CONSTANT] = "constant", [WS_SPACE_LOCAL] = "local",
};

static uint64_t accesses(const struct ws_launch *l)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < WS_KINDS; k++)
		sum += l->accesses[k];
	return sum;
}

static uint64_t all_accesses(const struct ws_trace *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < ws_trace_launches(t); i++)
		sum += accesses(ws_trace_launch(t, i));
	return sum;
}

static const char *array_name(const struct ws_launch *l, uint32_t array)
{
	return array < l->arrays ? l->array[array].name : NULL;
}

static const char *file_name(const struct ws_launch *l, const struct ws_instruction *in)
{
	return in->line && in->file < l->files ? l->file[in->file] : NULL;
}

/* ---- rows ---------------------------------------------------------------- */

static void instruction_row(struct info *i, const struct ws_launch *l, const char *item,
			    const struct ws_instruction *in)
{
	const char *array = array_name(l, in->array), *file = file_name(l, in);
	char place[256] = "-";

	if (file)
		snprintf(place, sizeof place, "%s:%" PRIu32, file, in->line);
	info_text(i, item, ws_kind_names[in->kind], "%s %" PRIu32 " bytes, array %s, at %s%s",
		  in->texture ? "texture" : space_names[in->space], in->bytes,
		  array ? array : "-", place, in->past ? ", past the L1" : "");
}

/* ---- reads of constants -------------------------------------------------- */

static uint64_t step_constants(const struct ws_launch *l, const struct ws_step *step)
{
	const struct ws_segment *s = &l->segment[step->segment];
	uint64_t lanes = 0, instructions = 0;

	for (size_t w = 0; w < step->words; w++)
		lanes += ws_popcount(step->mask[w]);
	for (uint32_t n = 0; n < s->count; n++)
		instructions += l->instruction[s->first + n].space == WS_SPACE_CONSTANT;
	return lanes * instructions;
}

static enum ws_status launch_constants(const struct ws_trace *t, size_t launch, uint64_t *sum,
				       struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(t, launch);
	struct ws_decoder *d = NULL;
	enum ws_status status = ws_decoder_new(&d, t, launch, err);

	for (uint64_t cta = 0; cta < l->ctas && status == WS_OK; cta++) {
		bool more = true;

		status = ws_decoder_seek(d, cta, err);
		while (status == WS_OK && more) {
			struct ws_step step;

			status = ws_decoder_next(d, &step, &more, err);
			if (status == WS_OK && more)
				*sum += step_constants(l, &step);
		}
	}
	ws_decoder_free(d);
	return status;
}

/* The index has no counts of them; launches without such instructions are not read. */
enum ws_status info_constants(const struct ws_trace *t, uint64_t **constants, struct ws_err *err)
{
	size_t launches = ws_trace_launches(t);
	uint64_t *sum = *constants = ws_alloc_zero(launches + 1, sizeof *sum);
	enum ws_status status = sum ? WS_OK : ws_fail_memory(err, "the counts of launches");

	for (size_t i = 0; i < launches && status == WS_OK; i++) {
		const struct ws_launch *l = ws_trace_launch(t, i);
		bool any = false;

		for (size_t n = 0; n < l->instructions; n++)
			any = any || l->instruction[n].space == WS_SPACE_CONSTANT;
		if (any)
			status = launch_constants(t, i, &sum[i], err);
	}
	return status;
}

/* ---- rows ------------------------------------------------------------------ */

static void launch_rows(struct info *i, const struct ws_launch *l, size_t number,
			uint64_t constants)
{
	char launch[48], item[128];

	snprintf(launch, sizeof launch, "launch %zu", number);
	info_text(i, launch, "kernel", "%s", l->kernel);
	info_triple(i, launch, "grid", l->grid);
	info_triple(i, launch, "block", l->block);
	info_number(i, launch, "ctas", l->ctas);
	info_number(i, launch, "shared_bytes", l->shared_bytes);
	info_number(i, launch, "registers", l->registers);
	for (size_t k = 0; k < WS_KINDS; k++) {
		snprintf(item, sizeof item, "%s_accesses", ws_kind_names[k]);
		info_number(i, launch, item, l->accesses[k]);
	}
	if (constants)
		info_number(i, launch, "constant_accesses", constants);
	for (size_t u = 0; u < l->unmets; u++) {
		const struct ws_unmet *b = &l->unmet[u];

		snprintf(item, sizeof item, "%s barrier %.64s:%" PRIu32, launch,
			 b->file < l->files ? l->file[b->file] : "?", b->line);
		info_number(i, item, "ctas_not_all_reach", b->ctas);
		info_number(i, item, "first_cta", b->cta);
		info_number(i, item, "threads_ended_before", b->threads);
	}
	for (size_t a = 0; a < l->arrays; a++) {
		snprintf(item, sizeof item, "%s array %.64s", launch, l->array[a].name);
		info_text(i, item, "base", "0x%" PRIx64, l->array[a].base);
		info_number(i, item, "bytes", l->array[a].bytes);
	}
	for (size_t n = 0; n < l->instructions; n++) {
		snprintf(item, sizeof item, "%s instruction %zu", launch, n);
		instruction_row(i, l, item, &l->instruction[n]);
	}
}

void info_trace(struct info *i, const struct ws_trace *t, const uint64_t *constants)
{
	uint64_t count = all_accesses(t);

	info_text(i, "trace", "file", "%s", ws_trace_name(t));
	info_number(i, "trace", "bytes", ws_trace_bytes(t));
	info_number(i, "trace", "launches", ws_trace_launches(t));
	info_number(i, "trace", "accesses", count);
	if (count)
		info_text(i, "trace", "bytes_per_access", "%.4f",
			  (double)ws_trace_bytes(t) / (double)count);
	for (size_t n = 0; n < ws_trace_launches(t); n++)
		launch_rows(i, ws_trace_launch(t, n), n + 1, constants[n]);
}

/* ---- json ---------------------------------------------------------------- */

/* What is known of other instructions in a place. */
static void pace_json(struct ws_json *j, const struct ws_pace *p)
{
	if (p->chain)
		ws_json_u64(j, "chain", p->chain);
	if (!p->code_end)
		return;
	ws_json_u64(j, "code", p->code);
	ws_json_u64(j, "code_end", p->code_end);
}

static void instruction_json(struct ws_json *j, const struct ws_launch *l,
			     const struct ws_instruction *in)
{
	ws_json_open(j, NULL, '{');
	ws_json_text(j, "kind", ws_kind_names[in->kind]);
	ws_json_text(j, "space", space_names[in->space]);
	if (in->texture)
		ws_json_true(j, "texture", true);
	if (in->past)
		ws_json_true(j, "past", true);
	ws_json_u64(j, "bytes", in->bytes);
	ws_json_text(j, "array", array_name(l, in->array));
	ws_json_text(j, "file", file_name(l, in));
	ws_json_u64(j, "line", in->line);
	ws_json_u64(j, "gap", in->gap);
	ws_json_u64(j, "use", in->use);
	pace_json(j, &in->pace);
	ws_json_close(j, '}');
}

static void static_json(struct ws_json *j, const struct ws_launch *l)
{
	ws_json_open(j, "arrays", '[');
	for (size_t a = 0; a < l->arrays; a++) {
		ws_json_open(j, NULL, '{');
		ws_json_text(j, "name", l->array[a].name);
		ws_json_u64(j, "base", l->array[a].base);
		ws_json_u64(j, "bytes", l->array[a].bytes);
		ws_json_close(j, '}');
	}
	ws_json_close(j, ']');
	ws_json_open(j, "instructions", '[');
	for (size_t n = 0; n < l->instructions; n++) {
		instruction_json(j, l, &l->instruction[n]);
	}
	ws_json_close(j, ']');
	ws_json_open(j, "segments", '[');
	for (size_t s = 0; s < l->segments; s++) {
		ws_json_open(j, NULL, '{');
		ws_json_u64(j, "first", l->segment[s].first);
		ws_json_u64(j, "count", l->segment[s].count);
		ws_json_u64(j, "tail", l->segment[s].tail);
		pace_json(j, &l->segment[s].pace);
		ws_json_true(j, "barrier", l->segment[s].barrier);
		ws_json_close(j, '}');
	}
	ws_json_close(j, ']');
}

static void unmet_json(struct ws_json *j, const struct ws_launch *l)
{
	if (!l->unmets)
		return;
	ws_json_open(j, "barriers", '[');
	for (size_t u = 0; u < l->unmets; u++) {
		const struct ws_unmet *b = &l->unmet[u];

		ws_json_open(j, NULL, '{');
		ws_json_text(j, "file", b->file < l->files ? l->file[b->file] : NULL);
		ws_json_u64(j, "line", b->line);
		ws_json_u64(j, "ctas_not_all_reach", b->ctas);
		ws_json_u64(j, "first_cta", b->cta);
		ws_json_u64(j, "threads_ended_before", b->threads);
		ws_json_close(j, '}');
	}
	ws_json_close(j, ']');
}

static void launch_json(struct ws_json *j, const struct ws_launch *l, size_t number,
			uint64_t constants)
{
	ws_json_line(j, "launch");
	ws_json_u64(j, "launch", number);
	ws_json_text(j, "kernel", l->kernel);
	ws_json_list(j, "grid", l->grid, 3);
	ws_json_list(j, "block", l->block, 3);
	ws_json_u64(j, "ctas", l->ctas);
	ws_json_u64(j, "shared_bytes", l->shared_bytes);
	ws_json_u64(j, "registers", l->registers);
	ws_json_open(j, "accesses", '{');
	for (size_t k = 0; k < WS_KINDS; k++)
		ws_json_u64(j, ws_kind_names[k], l->accesses[k]);
	if (constants)
		ws_json_u64(j, "constant", constants);
	ws_json_close(j, '}');
	unmet_json(j, l);
	static_json(j, l);
	ws_json_line_end(j);
}

void info_trace_json(struct ws_json *j, const struct ws_trace *t, const uint64_t *constants)
{
	ws_json_line(j, "trace");
	ws_json_text(j, "file", ws_trace_name(t));
	ws_json_u64(j, "bytes", ws_trace_bytes(t));
	ws_json_u64(j, "launches", ws_trace_launches(t));
	ws_json_u64(j, "accesses", all_accesses(t));
	ws_json_line_end(j);
	for (size_t n = 0; n < ws_trace_launches(t); n++)
		launch_json(j, ws_trace_launch(t, n), n + 1, constants[n]);
}
