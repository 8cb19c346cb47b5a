/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/outside.c -- accesses outside their arrays: where they would go, what is said of
 * them, and how often they came, by source line.
 *
 * A kernel that is guarded for them (guard.c) calls here for each.  Loads are then made from zeros,
 * stores and atomics to a sink, which is zero before an atomic.  An access of which one byte is
 * outside is outside as a whole.
 *
 * Its device address is what the array's and the offset give, modulo 2^64.  If it is computed from
 * no array that is known, one of the launch's arrays that it is within a page of counts (buffers
 * have as much unreadable memory around them); else its own bits are its address if they are below
 * those of all arrays, as computed from NULL, or else their last twelve: whatever else there is in
 * the host's address depends on the machine, and on the run.
 *
 * Each worker counts by instruction; workers are added up by source line when a launch has ended,
 * and the first access is that of the lowest CTA: nothing depends on the number of threads.
 */
#include "trace/capture/kernel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 4096u
#define LINES_MAX  4096u /* kept; accesses of others are not told of */

static const uint8_t zeros[WS_ACCESS_BYTES_MAX] __attribute__((aligned(128)));

struct site { /* an instruction's accesses outside */
	uint64_t count, cta, gid[3], address; /* of the first, from cta on */
};

struct ws_outside_run {
	const struct ws_cta_config *config;
	const uint8_t *local;
	size_t local_bytes;
	uint64_t cta;
	struct site *site; /* of instructions, then of guards */
	uint8_t *sink;
};

struct ws_outside_line {
	char *kernel, *file, *first;
	uint32_t line;
	uint64_t count[WS_KINDS];
	uint64_t number, cta; /* launch and CTA of the first */
};

/* ---- where ------------------------------------------------------------------------------ */

const struct ws_instruction *ws_instruction_of(const struct ws_kernel *k, uint32_t number)
{
	return number & WS_GUARD ? &k->guard[number & ~WS_GUARD] : &k->instruction[number];
}

static bool is_argument(const struct ws_kernel *k, const struct ws_instruction *i)
{
	return i->array < k->args && i->space != WS_SPACE_LOCAL;
}

/* Where the array of instruction i begins on the host, if it is known. */
static uint64_t array_host(const struct ws_outside_run *o, const struct ws_instruction *i)
{
	const struct ws_arguments *a = o->config->arguments;
	uint8_t *host;

	if (!is_argument(o->config->kernel, i))
		return (uint64_t)(uintptr_t)o->local + a->bound[i->array].device;
	memcpy(&host, a->value[i->array], sizeof host);
	return (uint64_t)(uintptr_t)host - a->bound[i->array].before;
}

/* Is [address, address + bytes) within `slack` of [base, base + size)? */
static bool holds(uint64_t address, uint32_t bytes, uint64_t base, uint64_t size, uint64_t slack)
{
	base -= slack;
	size += 2 * slack;
	return size >= bytes && address - base <= size - bytes;
}

static bool find_place(const struct ws_outside_run *o, const struct ws_instruction *i,
		       uint64_t address, uint64_t slack, uint64_t *device)
{
	const struct ws_program *p = o->config->program;
	uint64_t local = (uint64_t)(uintptr_t)o->local;

	if (i->space == WS_SPACE_LOCAL) {
		*device = address - local;
		return holds(address, i->bytes, local, o->local_bytes, slack);
	}
	for (size_t b = 0; b < p->buffers; b++) {
		uint64_t base = (uint64_t)(uintptr_t)p->buffer[b].host;

		*device = p->buffer[b].base + address - base;
		if (p->buffer[b].image.tiled && address - base < p->buffer[b].bytes)
			*device = p->buffer[b].base +
				  ws_image_place(&p->buffer[b].image, address - base);
		if (holds(address, i->bytes, base, p->buffer[b].bytes, slack))
			return true;
	}
	return false;
}

bool ws_outside_resolve(const struct ws_outside_run *o, uint32_t instruction, uint64_t address,
			uint64_t *device)
{
	return find_place(o, ws_instruction_of(o->config->kernel, instruction), address, 0, device);
}

uint64_t ws_outside_device(const struct ws_outside_run *o, uint32_t instruction, uint64_t address)
{
	const struct ws_instruction *i = ws_instruction_of(o->config->kernel, instruction);
	uint64_t device;

	if (i->array != WS_NO_ARRAY)
		return address - array_host(o, i) + o->config->arguments->bound[i->array].device;
	if (find_place(o, i, address, PAGE_BYTES, &device))
		return device;
	return address < WS_DEVICE_BASE ? address : address % PAGE_BYTES;
}

/* ---- called by compiled code -------------------------------------------------------------- */

/* Not more than this: what it touches is declared in guard.c. */
uint64_t ws_lane_outside(struct ws_lane_ctx *ctx, uint32_t instruction, uint64_t address,
			 uint8_t *elsewhere)
{
	struct ws_outside_run *o = ctx->outside;
	const struct ws_kernel *k = o->config->kernel;
	const struct ws_instruction *i = ws_instruction_of(k, instruction);
	struct site *s = &o->site[instruction & WS_GUARD
					  ? k->instructions + (instruction & ~WS_GUARD)
					  : instruction];

	if (!s->count++ || o->cta < s->cta) {
		s->cta = o->cta;
		memcpy(s->gid, ctx->gid, sizeof s->gid);
		s->address = i->space == WS_SPACE_LOCAL ? address - (uint64_t)(uintptr_t)o->local
							: address;
	}
	if (i->kind == WS_ATOMIC)
		memset(elsewhere, 0, i->bytes);
	return ws_outside_device(o, instruction, address);
}

/* Where a byte of a tiled image's rows is on the device; outside of them, how far. */
uint64_t ws_lane_tile(struct ws_lane_ctx *ctx, uint32_t argument, uint64_t offset)
{
	return ctx->bound[argument].device +
	       (offset < ctx->bound[argument].bytes
			? ws_image_place(&ctx->image[argument], offset) : offset);
}

void *ws_lane_find(struct ws_lane_ctx *ctx, uint32_t instruction, void *pointer)
{
	const struct ws_instruction *i = ws_instruction_of(ctx->outside->config->kernel,
							   instruction);
	uint64_t address = (uint64_t)(uintptr_t)pointer;

	if (find_place(ctx->outside, i, address, 0, &ctx->place))
		return pointer;
	ctx->place = ws_lane_outside(ctx, instruction, address, ctx->sink);
	return i->kind == WS_LOAD ? (void *)(uintptr_t)ctx->zeros : ctx->sink;
}

/* ---- a worker ----------------------------------------------------------------------------- */

enum ws_status ws_outside_new(struct ws_outside_run **out, const struct ws_cta_config *config,
			      const uint8_t *local, size_t local_bytes, struct ws_err *err)
{
	struct ws_outside_run *o = *out = ws_alloc_zero(1, sizeof *o);
	size_t sites = config->kernel->instructions + config->kernel->guards;

	if (!o)
		return ws_fail_memory(err, "checks of accesses");
	o->config = config;
	o->local = local;
	o->local_bytes = local_bytes;
	o->site = ws_alloc_zero(sites, sizeof *o->site);
	o->sink = aligned_alloc(128, WS_ACCESS_BYTES_MAX);
	return o->site && o->sink ? WS_OK : ws_fail_memory(err, "checks of accesses");
}

void ws_outside_free(struct ws_outside_run *o)
{
	if (!o)
		return;
	free(o->site);
	free(o->sink);
	free(o);
}

void ws_outside_begin(struct ws_outside_run *o, uint64_t cta)
{
	o->cta = cta;
}

void ws_outside_lane(struct ws_outside_run *o, struct ws_lane_ctx *ctx)
{
	ctx->outside = o;
	ctx->zeros = zeros;
	ctx->sink = o->sink;
}

/* ---- what is said of them ------------------------------------------------------------------- */

static const char *const verb[WS_KINDS] = { "a load", "a store", "an atomic" };

const char *ws_file_of(const struct ws_cta_config *c, const struct ws_instruction *i)
{
	const char *source = c->program->source, *slash = strrchr(source, '/');
	const char *file = c->kernel->file[i->file];

	return i->line == 0 || strcmp(file, slash ? slash + 1 : source) == 0 ? source : file;
}

/* Of a __local argument, or of a variable ("mm.tile" in the module). */
static const char *local_name(const struct ws_kernel *k, uint32_t array)
{
	const char *name = array < k->args ? k->arg[array].name : k->local[array - k->args].name;
	const char *dot = strrchr(name, '.');

	return dot ? dot + 1 : name;
}

/* "byte 128 of buffer a (argument p), which has 128" */
static void place_text(const struct ws_outside_run *o, const struct ws_instruction *i,
		       uint64_t address, char *text, size_t len)
{
	const struct ws_arguments *a = o->config->arguments;
	const struct ws_kernel *k = o->config->kernel;
	int64_t offset = i->array == WS_NO_ARRAY ? 0 : (int64_t)(address - array_host(o, i));

	if (i->array == WS_NO_ARRAY && i->space == WS_SPACE_LOCAL)
		snprintf(text, len, "an address outside the group's __local memory");
	else if (i->array == WS_NO_ARRAY)
		snprintf(text, len, "an address in no buffer");
	else if (!is_argument(k, i))
		snprintf(text, len, "byte %" PRId64 " of __local memory %s, which has %" PRIu64,
			 offset, local_name(k, i->array), a->bound[i->array].bytes);
	else if (a->buffer[i->array] == SIZE_MAX)
		snprintf(text, len, "byte %" PRId64 " of argument %s, which is NULL", offset,
			 k->arg[i->array].name);
	else
		snprintf(text, len,
			 "byte %" PRId64 " of buffer %s (argument %s), which has %" PRIu64, offset,
			 o->config->program->buffer[a->buffer[i->array]].name,
			 k->arg[i->array].name, a->bound[i->array].bytes);
}

void ws_access_text(const struct ws_outside_run *o, uint32_t instruction, uint64_t address,
		    char *text, size_t len)
{
	const struct ws_instruction *i = ws_instruction_of(o->config->kernel, instruction);
	char place[320];

	place_text(o, i, address, place, sizeof place);
	snprintf(text, len, "%s of %" PRIu32 " bytes at %s", verb[i->kind], i->bytes, place);
}

/* ---- by source line ------------------------------------------------------------------------- */

/* NULL: no memory, or no room. */
static struct ws_outside_line *line_of(struct ws_outside_lines *all, const char *kernel,
				       const char *file, uint32_t line)
{
	struct ws_outside_line *l;

	for (size_t i = 0; i < all->lines; i++) {
		l = &all->line[i];
		if (l->line == line && strcmp(l->file, file) == 0 && strcmp(l->kernel, kernel) == 0)
			return l;
	}
	if (all->lines >= LINES_MAX || !WS_ROOM(all->line, all->cap, all->lines + 1))
		return NULL;
	l = &all->line[all->lines];
	*l = (struct ws_outside_line){ .kernel = ws_strdup(kernel), .file = ws_strdup(file),
				       .line = line, .number = UINT64_MAX };
	if (l->kernel && l->file) {
		all->lines++;
		return l;
	}
	free(l->kernel);
	free(l->file);
	return NULL;
}

/* The accesses of one instruction.  False: out of memory. */
static bool add_site(struct ws_outside_lines *all, const struct ws_outside_run *o,
		     uint32_t instruction, const struct site *s, uint64_t number)
{
	const struct ws_instruction *i = ws_instruction_of(o->config->kernel, instruction);
	struct ws_outside_line *l = line_of(all, o->config->kernel->name,
					    ws_file_of(o->config, i), i->line);
	char what[400], text[512];

	if (!l)
		return all->lines == LINES_MAX;
	l->count[i->kind] += s->count;
	if (l->number < number || (l->number == number && l->cta <= s->cta))
		return true;
	ws_access_text(o, instruction,
		       i->space == WS_SPACE_LOCAL ? s->address + (uint64_t)(uintptr_t)o->local
						  : s->address,
		       what, sizeof what);
	snprintf(text, sizeof text, "work-item (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ") makes %s",
		 s->gid[0], s->gid[1], s->gid[2], what);
	free(l->first);
	l->first = ws_strdup(text);
	l->number = number;
	l->cta = s->cta;
	return l->first != NULL;
}

enum ws_status ws_outside_add(struct ws_outside_lines *all, const struct ws_outside_run *o,
			      uint64_t number, struct ws_err *err)
{
	const struct ws_kernel *k = o->config->kernel;
	bool good = true;

	for (size_t i = 0; i < k->instructions + k->guards && good; i++) {
		uint32_t id = i < k->instructions ? (uint32_t)i
						  : WS_GUARD | (uint32_t)(i - k->instructions);

		if (o->site[i].count)
			good = add_site(all, o, id, &o->site[i], number);
	}
	return good ? WS_OK : ws_fail_memory(err, "what is out of bounds");
}

static int by_place(const void *one, const void *other)
{
	const struct ws_outside_line *a = one, *b = other;
	int files = strcmp(a->file, b->file);

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return files ? files : (a->line > b->line) - (a->line < b->line);
}

void ws_outside_tell(struct ws_outside_lines *all,
		     void (*outside)(void *context, const struct ws_outside *r), void *context)
{
	if (all->lines)
		qsort(all->line, all->lines, sizeof *all->line, by_place);
	for (size_t i = 0; i < all->lines; i++) {
		const struct ws_outside_line *l = &all->line[i];
		struct ws_outside r = { .kernel = l->kernel, .file = l->file, .line = l->line,
					.first = l->first ? l->first : "unknown" };

		memcpy(r.count, l->count, sizeof r.count);
		outside(context, &r);
	}
}

void ws_outside_clear(struct ws_outside_lines *all)
{
	for (size_t i = 0; i < all->lines; i++) {
		free(all->line[i].kernel);
		free(all->line[i].file);
		free(all->line[i].first);
	}
	free(all->line);
	*all = (struct ws_outside_lines){ 0 };
}
