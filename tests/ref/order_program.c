/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/order_program.c -- coalescing byte by byte, and the programs of warps.
 */
#include "tests/ref/order_program.h"

#include <stdlib.h>
#include <string.h>

/* ---- coalescing ---------------------------------------------------------------------- */

size_t ref_coalesce(const struct ws_machine *m, const uint64_t *address, uint64_t mask,
		    uint32_t bytes, struct ws_request *out)
{
	static uint64_t segment[WS_COALESCE_MAX(64, WS_ACCESS_BYTES_MAX)];
	uint64_t most = m->coalesce_line;
	size_t n = 0;

	if (m->profile == WS_BEHAVES_GPGPUSIM && bytes == 1)
		most = 32;
	if (m->profile == WS_BEHAVES_GPGPUSIM && bytes == 2 && most > 64)
		most = 64;

	for (unsigned lane = 0; lane < 64; lane++) {
		for (uint32_t b = 0; b < bytes && (mask >> lane & 1); b++) {
			uint64_t at = address[lane] + b, line, offset;
			size_t i = 0;

			if (at < address[lane])
				break; /* past the end of memory */
			line = at / m->l1.line_bytes * m->l1.line_bytes;
			offset = at - line;
			while (i < n && (out[i].address != line ||
					 segment[i] != at / most))
				i++;
			if (i == n) {
				out[n].address = line;
				out[n].sectors = 0;
				segment[n++] = at / most;
			}
			out[i].sectors |= (uint32_t)1 << offset / 32;
		}
	}
	return n;
}

/* Each lane's sectors go to the first request that has no byte of it. */
static size_t coalesce_atomics(const struct ws_machine *m, const uint64_t *address, uint64_t mask,
			       uint32_t bytes, struct ws_request *out)
{
	static bool taken[WS_COALESCE_MAX(64, 32)][32];
	size_t n = 0;

	memset(taken, 0, sizeof taken);
	for (unsigned lane = 0; lane < 64; lane++) {
		for (uint32_t b = 0; b < bytes && (mask >> lane & 1);) {
			uint64_t at = address[lane] + b, line = at - at % m->l1.line_bytes;
			uint32_t sector = (uint32_t)1 << (at - line) / 32, end = b;
			size_t i = 0;
			bool fits = false;

			while (end < bytes && (address[lane] + end) / 32 == at / 32)
				end++;
			for (; i < n && !fits; i += !fits) {
				fits = out[i].address == line && out[i].sectors == sector;
				for (uint32_t k = b; k < end; k++)
					fits = fits && !taken[i][(address[lane] + k) % 32];
			}
			if (i == n) {
				out[n].address = line;
				out[n++].sectors = sector;
			}
			for (; b < end; b++)
				taken[i][(address[lane] + b) % 32] = true;
		}
	}
	return n;
}

/* What the lanes write, to where the requests' .fetch say. */
static void find_written(const struct ws_machine *m, const uint64_t *address, uint64_t mask,
			 uint32_t bytes, struct ws_request *r, size_t n, struct ws_written *out)
{
	for (size_t i = 0; i < n; i++)
		r[i].fetch = (uint64_t)(uintptr_t)&out[i];
	for (unsigned lane = 0; lane < 64; lane++) {
		for (uint32_t b = 0; b < bytes && (mask >> lane & 1); b++) {
			uint64_t at = address[lane] + b, line = at - at % m->l1.line_bytes;
			size_t i = 0;

			while (r[i].address != line || !(r[i].sectors >> (at - line) / 32 & 1))
				i++;
			out[i].byte[at / 32 % 4] |= (uint32_t)1 << at % 32;
		}
	}
}

/* ---- programs ------------------------------------------------------------------------- */

/* again: of the same instruction as the op before. */
static struct ref_op *add_op(struct ref_warp *w, enum ref_what what, bool again)
{
	struct ref_op *op;

	if (!WS_ROOM(w->op, w->cap, w->ops + 1))
		abort();
	op = &w->op[w->ops];
	*op = (struct ref_op){ .what = what, .code.unit = what == REF_OP_MEMORY ? WS_UNIT_MEMORY
										 : WS_UNIT_INT };
	if (w->ops)
		op->number = op[-1].number + (op[-1].what != REF_OP_BARRIER && !again);
	w->ops++;
	return op;
}

/* More of the run at hand. */
static void add_pace(struct ref_warp *w, const struct ws_pace *p, bool large)
{
	w->chain += large ? 0 : p->chain;
	if (p->code_end) {
		w->low = p->code < w->low ? p->code : w->low;
		w->high = p->code_end > w->high ? p->code_end : w->high;
	}
}

/* The run at hand ends with the op added last: its chain is spread over it. */
static void end_run(struct ref_warp *w)
{
	uint64_t n = w->ops - w->run, c = w->chain;

	c = n && c > n - 1 ? n - 1 : c;
	for (uint64_t j = 1; j <= n; j++) {
		struct ref_op *op = &w->op[w->run + j - 1];

		op->run = w->run;
		op->link = j > 1 && (j - 1) * c / (n - 1) > (j - 2) * c / (n - 1);
		op->low = w->low;
		op->high = w->high;
	}
	w->run = w->ops;
	w->chain = w->high = 0;
	w->low = UINT64_MAX;
}

struct ref_sub_warps {		/* which lane of the CTA is in which column */
	size_t count, lane[64][64];
	uint64_t mask[64];
};

/* Columns hand out their lanes from the top, one for each sub-warp, until none is left. */
static void deal_lanes(struct ref_sub_warps *s, const struct ref_step *step, size_t first,
		       size_t width, size_t rows, size_t threads)
{
	bool left[WS_CTA_THREADS_MAX] = { false }, any = true;

	for (size_t lane = first; lane < first + width * rows && lane < threads; lane++)
		left[lane] = step->mask[lane / 64] >> lane % 64 & 1;
	for (s->count = 0; any; s->count += any) {
		any = false;
		s->mask[s->count] = 0;
		for (size_t column = 0; column < width; column++) {
			size_t lane = first + column;

			while (lane < first + width * rows && lane < threads && !left[lane])
				lane += width;
			if (lane >= first + width * rows || lane >= threads)
				continue;
			left[lane] = false;
			any = true;
			s->mask[s->count] |= 1ull << column;
			s->lane[s->count][column] = lane;
		}
	}
}

size_t ref_warp_rows(const struct ws_machine *m)
{
	return m->sm_large_warp ? (size_t)m->sm_large_warp : 1;
}

static void add_others(struct ref_warp *w, uint32_t count, size_t sub_warps)
{
	for (uint32_t i = 0; i < count; i++)
		for (size_t k = 0; k < sub_warps; k++)
			add_op(w, REF_OP_OTHER, k > 0);
}

static void add_instruction(struct ref_warp *w, const struct ref_launch *l,
			    const struct ws_machine *m, uint32_t instruction,
			    const uint64_t *address, const struct ref_sub_warps *s)
{
	const struct ws_instruction *in = &l->launch.instruction[instruction];

	add_others(w, in->gap, s->count);
	add_pace(w, &in->pace, ref_warp_rows(m) > 1);
	for (size_t k = 0; k < s->count; k++) {
		bool memory = in->space == WS_SPACE_GLOBAL;
		struct ref_op *op = add_op(w, memory ? REF_OP_MEMORY : REF_OP_OTHER, k > 0);
		uint64_t own[64] = { 0 };

		if (!memory)
			continue;
		for (size_t column = 0; column < 64; column++)
			if (s->mask[k] >> column & 1)
				own[column] = address[s->lane[k][column]];
		op->instruction = instruction;
		op->request = ws_alloc_zero(WS_COALESCE_MAX(64, in->bytes), sizeof *op->request);
		op->count = m->profile == WS_BEHAVES_GPGPUSIM && in->kind == WS_ATOMIC &&
			in->bytes <= 32
			? coalesce_atomics(m, own, s->mask[k], in->bytes, op->request)
			: ref_coalesce(m, own, s->mask[k], in->bytes, op->request);
		if (m->profile == WS_BEHAVES_GPGPUSIM && in->kind == WS_STORE) {
			op->written = ws_alloc_zero(op->count + 1, sizeof *op->written);
			find_written(m, own, s->mask[k], in->bytes, op->request, op->count,
				     op->written);
		}
		end_run(w);
	}
}

/* The ops of a warp from `first` on are those of a path. */
static void set_code(struct ref_warp *w, size_t first, const struct ws_launch *l, uint32_t path)
{
	const struct ws_code_path *p = path ? &l->path[path - 1] : NULL;

	for (uint32_t k = 0; p && k < p->count; k++) {
		const struct ws_code_run *r = &l->run[p->first + k];

		for (uint32_t i = 0; i < r->count; i++) {
			struct ref_op *op = &w->op[first++];

			op->code.op = &l->code[r->op + i];
			if (op->what != REF_OP_MEMORY)
				op->code.unit = op->code.op->unit;
		}
	}
}

/* The code of an instruction of the launch, whose op was added last. */
static void set_instruction_code(struct ref_warp *w, size_t first, const struct ws_launch *l,
				 const struct ws_instruction *in)
{
	struct ref_op *op = &w->op[w->ops - 1];

	set_code(w, first, l, in->path);
	op->code.shared = in->path && in->space == WS_SPACE_LOCAL;
	op->code.atomic = op->what == REF_OP_MEMORY && in->kind == WS_ATOMIC;
}

void ref_cta_build(struct ref_cta *c, const struct ref_launch *l, uint64_t cta,
		   const struct ws_machine *m, size_t warps)
{
	size_t threads = (size_t)ws_launch_threads(&l->launch);
	size_t width = (size_t)m->warp_width, rows = ref_warp_rows(m);
	struct ref_sub_warps s;

	c->warp = ws_alloc_zero(warps, sizeof *c->warp);
	for (size_t w = 0; w < warps; w++)
		c->warp[w].low = UINT64_MAX;
	for (size_t k = 0; k < l->steps[cta]; k++) {
		const struct ref_step *step = &l->step[cta][k];
		const struct ws_segment *segment = &l->launch.segment[step->segment];

		for (size_t w = 0; w < warps; w++) {
			size_t first = c->warp[w].ops;

			deal_lanes(&s, step, w * width * rows, width, rows, threads);
			for (uint32_t a = 0; s.count && a < segment->count; a++) {
				uint32_t number = segment->first + a;

				add_instruction(&c->warp[w], l, m, number, step->address[a], &s);
				if (rows == 1)
					set_instruction_code(&c->warp[w], first, &l->launch,
							     &l->launch.instruction[number]);
				first = c->warp[w].ops;
			}
			if (!s.count)
				continue;
			add_others(&c->warp[w], segment->tail, s.count);
			add_pace(&c->warp[w], &segment->pace, rows > 1);
			if (segment->barrier)
				add_op(&c->warp[w], REF_OP_BARRIER, false);
			if (rows == 1)
				set_code(&c->warp[w], first, &l->launch, segment->path);
			if (segment->barrier)
				end_run(&c->warp[w]);
		}
	}
	for (size_t w = 0; w < warps; w++)
		end_run(&c->warp[w]);
}

static void ref_parts_free(struct ref_parts *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->part[i]);
	free(p->part);
}

void ref_cta_clear(struct ref_cta *c, size_t warps)
{
	for (size_t w = 0; w < warps; w++) {
		for (size_t i = 0; i < c->warp[w].ops; i++) {
			free(c->warp[w].op[i].request);
			free(c->warp[w].op[i].written);
			ref_parts_free(&c->warp[w].op[i].parts);
		}
		free(c->warp[w].op);
	}
	free(c->warp);
	*c = (struct ref_cta){ 0 };
}
