/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/accel_sim_write.c -- a trace as Accel-Sim's, version 5.
 *
 * Accel-Sim has one launch in a file.  To NAME.g goes a list, and its kernels into
 * kernel-N-NAME.traceg beside it (kernelslist.g: kernel-N.traceg); to anything else the one
 * launch of the trace.  Warps have 32 lanes, whatever the machine says.
 *
 * Instructions are LDG, STG and ATOMG (LDS, STS and ATOMS of shared memory, LDC of constants),
 * other instructions NOP, barriers BAR.SYNC.  PCs are those that the trace was read with, or
 * else numbers of instructions in it.  A load's data are used where the trace says: the
 * instruction there reads the load's register, or, as Accel-Sim's parser takes four sources, one
 * soon after.  Names of arrays and of source files are lost, and a use if 255 registers are not
 * enough.
 *
 * Accel-Sim waits for the EXIT of each lane of each warp of each thread block.  So all blocks are
 * written, and each warp ends with an EXIT of all its lanes: its last instruction if that is no
 * access and no barrier, else one more.
 */
#include "base/bits.h"
#include "trace/import/accel_sim.h"
#include "trace/format/wst.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MEMBERS_OPEN 256u
#define REGISTERS 255u
#define PC_STEP 16u
#define SOURCES 4u		/* that Accel-Sim's parser takes of an instruction */
#define LINE_BYTES (160u + 24u * WS_SASS_LANES)

#define NO_NOP SIZE_MAX
#define NOP "0 NOP"

struct pending {	/* instruction `at` of the warp reads reg */
	uint64_t at;
	unsigned reg, count;
};

struct written_warp {
	struct ws_buf text;
	uint64_t insts, executed; /* with barriers and without */
	size_t last;		  /* where the last line begins, if it is a NOP; else NO_NOP */
	struct pending pending[REGISTERS];
	size_t waits;
	uint64_t taken[REGISTERS / 64 + 1]; /* registers */
};

struct writer {
	const struct ws_launch *launch;
	struct ws_decoder *decoder;
	struct ws_out *out;
	struct written_warp *warp;
	size_t warps;
	bool lines;
};

/* ---- text --------------------------------------------------------------------------- */

static char *copy_text(char *p, const char *text)
{
	while (*text)
		*p++ = *text++;
	return p;
}

static char *put_decimal(char *p, uint64_t v)
{
	char digits[20];
	size_t n = 0;

	do
		digits[n++] = (char)('0' + v % 10);
	while (v /= 10);
	while (n)
		*p++ = digits[--n];
	return p;
}

static char *put_hex(char *p, uint64_t v, unsigned least)
{
	unsigned n = least;

	while (n < 16 && v >> 4 * n)
		n++;
	while (n--)
		*p++ = "0123456789abcdef"[v >> 4 * n & 15];
	return p;
}

static char *put_signed(char *p, uint64_t v)
{
	if (v >> 63) {
		*p++ = '-';
		v = 0 - v;
	}
	return put_decimal(p, v);
}

static void say(struct ws_out *out, const char *format, ...) WS_PRINTF(2, 3);
static void say(struct ws_out *out, const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	ws_out_write(out, text, strlen(text));
}

/* ---- registers ---------------------------------------------------------------------- */

/* So many neighbours; REGISTERS if there are none. */
static unsigned take_registers(struct written_warp *w, unsigned count)
{
	unsigned free = 0;

	for (unsigned r = 0; r < REGISTERS; r++) {
		free = ws_bit(w->taken, r) ? 0 : free + 1;
		if (free < count)
			continue;
		for (unsigned i = 0; i < count; i++)
			ws_bit_set(w->taken, r - i);
		return r + 1 - count;
	}
	return REGISTERS;
}

/* The registers that the instruction after `executed` reads; they are free then.  What is too much
 * is left to the next one. */
static char *put_sources(char *p, struct written_warp *w)
{
	unsigned source[SOURCES], count = 0;

	for (size_t i = 0; i < w->waits;) {
		struct pending *wait = &w->pending[i];

		if (wait->at != w->executed + 1) {
			i++;
			continue;
		}
		if (count == SOURCES) {
			wait->at++;
			i++;
			continue;
		}
		source[count++] = wait->reg;
		for (unsigned r = wait->reg; r < wait->reg + wait->count; r++)
			ws_bit_clear(w->taken, r);
		*wait = w->pending[--w->waits];
	}
	*p++ = ' ';
	p = put_decimal(p, count);
	for (unsigned i = 0; i < count; i++) {
		p = copy_text(p, " R");
		p = put_decimal(p, source[i]);
	}
	*p++ = ' ';
	return p;
}

/* ---- instructions --------------------------------------------------------------------- */

/* Is its line a PC, as the reader has it? */
static bool has_pc(const struct ws_launch *l, const struct ws_instruction *in)
{
	return in->line && strcmp(l->file[in->file], WS_AS_PC) == 0;
}

static char *put_front(char *p, const struct writer *k, uint64_t pc, uint32_t line, uint64_t mask)
{
	if (k->lines) {
		p = put_decimal(p, line);
		*p++ = ' ';
	}
	p = put_hex(p, pc, 4);
	*p++ = ' ';
	p = put_hex(p, mask, 8);
	*p++ = ' ';
	return p;
}

static void end_line(struct written_warp *w, const char *line, char *end)
{
	end = copy_text(end, " 0 \n");
	ws_put_bytes(&w->text, line, (size_t)(end - line));
	w->insts++;
	w->last = NO_NOP;
}

/* As it was, but for its mask and its name; before it ends the line there may be sources. */
static void put_exit(const struct writer *k, struct written_warp *w, uint64_t mask)
{
	char line[LINE_BYTES + 5 * SOURCES], *end;
	size_t rest = 0, from = w->last;

	if (from != NO_NOP && !w->text.failed) {
		const char *nop = memmem(w->text.data + from, w->text.len - from, NOP,
					 sizeof NOP - 1);

		nop += sizeof NOP - 1;
		rest = w->text.len - (size_t)((const uint8_t *)nop - w->text.data);
		end = copy_text(put_front(line, k, 0, 0, mask), "0 EXIT");
		memcpy(end, nop, rest);
		w->text.len = from;
		ws_put_bytes(&w->text, line, (size_t)(end - line) + rest);
		return;
	}
	end = put_sources(copy_text(put_front(line, k, 0, 0, mask), "0 EXIT"), w);
	end_line(w, line, copy_text(end, "0"));
}

static void put_others(const struct writer *k, struct written_warp *w, uint64_t mask,
		       uint32_t count)
{
	char line[LINE_BYTES + 5 * SOURCES], *p;

	for (; count; count--) {
		size_t at = w->text.len;

		p = copy_text(put_front(line, k, 0, 0, mask), NOP);
		p = put_sources(p, w);
		end_line(w, line, copy_text(p, "0"));
		w->last = at;
		w->executed++;
	}
}

static void put_barrier(const struct writer *k, struct written_warp *w, uint64_t mask)
{
	char line[LINE_BYTES];

	end_line(w, line, copy_text(put_front(line, k, 0, 0, mask), "0 BAR.SYNC 0 0"));
}

static const char *opcode(const struct ws_instruction *in)
{
	static const char *const names[][WS_KINDS] = {
		[WS_SPACE_GLOBAL] = { "LDG.E", "STG.E", "ATOMG.E" },
		[WS_SPACE_CONSTANT] = { "LDC", "LDC", "LDC" },
		[WS_SPACE_LOCAL] = { "LDS", "STS", "ATOMS" },
	};

	return names[in->space][in->kind];
}

static const char *modifier(uint32_t bytes)
{
	return bytes == 1 ? ".U8" : bytes == 2 ? ".U16" : bytes == 8 ? ".64" :
	       bytes == 16 ? ".128" : "";
}

/* Are the active lanes neighbours, at one distance from each other that fits an int? */
static bool is_strided(uint64_t mask, const uint64_t *address)
{
	unsigned first = ws_lowest_bit(mask);
	uint64_t run = mask >> first, stride;

	if (!(run >> 1 & 1) || run & (run + 1))
		return false;
	stride = address[first + 1] - address[first];
	for (unsigned lane = first + 1; lane < 64 && mask >> lane & 1; lane++) {
		uint64_t a = address[lane], before = address[lane - 1];

		if (a - before != stride || (stride >> 63 ? a >= before : a < before))
			return false;
	}
	return stride + 0x80000000 <= 0xffffffff;
}

/* Is each lane's address that of the one before and a difference of 63 bits? */
static bool is_near(uint64_t mask, const uint64_t *address)
{
	uint64_t last = address[ws_lowest_bit(mask)];

	for (; mask; mask &= mask - 1) {
		uint64_t a = address[ws_lowest_bit(mask)];

		if ((a - last) >> 63 ? a > last : a < last)
			return false;
		last = a;
	}
	return true;
}

static char *put_address(char *p, uint64_t address)
{
	return put_hex(copy_text(p, " 0x"), address, 1);
}

static char *put_addresses(char *p, uint64_t mask, const uint64_t *address)
{
	unsigned first = ws_lowest_bit(mask);
	uint64_t last = address[first];

	if (is_strided(mask, address)) {
		p = put_address(copy_text(p, " 1"), address[first]);
		*p++ = ' ';
		return put_signed(p, address[first + 1] - address[first]);
	}
	if (!is_near(mask, address)) {
		for (p = copy_text(p, " 0"); mask; mask &= mask - 1)
			p = put_address(p, address[ws_lowest_bit(mask)]);
		return p;
	}
	p = put_address(copy_text(p, " 2"), last);
	for (mask &= mask - 1; mask; mask &= mask - 1) {
		*p++ = ' ';
		p = put_signed(p, address[ws_lowest_bit(mask)] - last);
		last = address[ws_lowest_bit(mask)];
	}
	return p;
}

/* Registers for a load's data; none if nothing waits for them. */
static unsigned destination(struct written_warp *w, const struct ws_instruction *in)
{
	unsigned count = (unsigned)((in->bytes < 64 ? in->bytes : 64) + 3) / 4, r;

	if (in->kind == WS_STORE || in->space != WS_SPACE_GLOBAL || in->use >= WS_GAP_MAX)
		return REGISTERS;
	r = take_registers(w, count);
	if (r < REGISTERS)
		w->pending[w->waits++] = (struct pending){ w->executed + 1 + in->use, r, count };
	return r;
}

static void put_access(const struct writer *k, struct written_warp *w, uint32_t number,
		       uint64_t mask,
		       const uint64_t *address)
{
	const struct ws_instruction *in = &k->launch->instruction[number];
	char line[LINE_BYTES + 5 * SOURCES], *p, sources[5 * SOURCES + 8], *end;
	unsigned r;

	put_others(k, w, mask, in->gap);
	end = put_sources(sources, w); /* before its own registers are taken */
	r = destination(w, in);
	p = put_front(line, k, has_pc(k->launch, in) ? in->line : ((uint64_t)number + 1) * PC_STEP,
		      in->line, mask);
	*p++ = r < REGISTERS ? '1' : '0';
	if (r < REGISTERS)
		p = put_decimal(copy_text(p, " R"), r);
	*p++ = ' ';
	p = copy_text(copy_text(p, opcode(in)), modifier(in->bytes));
	memcpy(p, sources, (size_t)(end - sources));
	p = put_decimal(p + (end - sources), in->bytes);
	end_line(w, line, put_addresses(p, mask, address));
	w->executed++;
}

/* ---- thread blocks ------------------------------------------------------------------------ */

static void put_step(struct writer *k, const struct ws_step *step)
{
	const struct ws_segment *s = &k->launch->segment[step->segment];

	for (size_t i = 0; i < k->warps; i++) {
		uint64_t mask = step->mask[i / 2] >> 32 * (i % 2) & UINT32_MAX;
		struct written_warp *w = &k->warp[i];

		if (!mask)
			continue;
		for (uint32_t a = 0; a < s->count; a++)
			put_access(k, w, s->first + a, mask, step->address[a] + i * WS_SASS_LANES);
		put_others(k, w, mask, s->tail);
		if (s->barrier)
			put_barrier(k, w, mask);
	}
}

/* The last warp may have fewer. */
static uint64_t lanes_of(const struct writer *k, size_t warp)
{
	uint64_t left = ws_launch_threads(k->launch) - warp * WS_SASS_LANES;

	return left < WS_SASS_LANES ? (1ull << left) - 1 : UINT32_MAX;
}

static enum ws_status write_block(struct writer *k, uint64_t cta, struct ws_err *err)
{
	const uint64_t *g = k->launch->grid;
	enum ws_status status = ws_decoder_seek(k->decoder, cta, err);
	bool more = true;

	for (size_t i = 0; i < k->warps; i++) {
		struct written_warp *w = &k->warp[i];

		w->text.len = 0;
		w->insts = w->executed = w->waits = 0;
		w->last = NO_NOP;
		memset(w->taken, 0, sizeof w->taken);
	}
	while (status == WS_OK && more) {
		struct ws_step step;

		status = ws_decoder_next(k->decoder, &step, &more, err);
		if (status == WS_OK && more)
			put_step(k, &step);
	}
	if (status != WS_OK)
		return status;
	say(k->out, "#BEGIN_TB\n\nthread block = %" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n\n",
	    cta % g[0], cta / g[0] % g[1], cta / g[0] / g[1]);
	for (size_t i = 0; i < k->warps; i++) {
		put_exit(k, &k->warp[i], lanes_of(k, i));
		if (k->warp[i].text.failed)
			return ws_fail_memory(err, "the text of a warp");
		say(k->out, "warp = %zu\ninsts = %" PRIu64 "\n", i, k->warp[i].insts);
		ws_out_write(k->out, k->warp[i].text.data, k->warp[i].text.len);
		say(k->out, "\n");
	}
	say(k->out, "#END_TB\n\n");
	return WS_OK;
}

/* ---- kernels ------------------------------------------------------------------------------ */

/* A name that is one line. */
static void put_name(struct ws_out *out, const char *name)
{
	for (; *name; name++)
		ws_out_write(out, (unsigned char)*name < ' ' ? "_" : name, 1);
}

static void put_header(struct writer *k, size_t number)
{
	const struct ws_launch *l = k->launch;

	say(k->out, "-kernel name = ");
	put_name(k->out, l->kernel);
	say(k->out, "\n-kernel id = %zu\n-grid dim = (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")\n"
	    "-block dim = (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")\n", number, l->grid[0], l->grid[1],
	    l->grid[2], l->block[0], l->block[1], l->block[2]);
	say(k->out, "-shmem = %" PRIu64 "\n-nregs = %" PRIu64 "\n-binary version = 70\n"
	    "-cuda stream id = 0\n-shmem base_addr = 0x0000000000000000\n"
	    "-local mem base_addr = 0x0000000000000000\n-nvbit version = 1.7\n"
	    "-accelsim tracer version = 5\n-enable lineinfo = %d\n\n", l->shared_bytes,
	    l->registers, k->lines);
	say(k->out, "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num "
	    "[reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate\n\n\n\n");
}

static enum ws_status write_kernel(const struct ws_trace *t, size_t launch, struct ws_out *out,
				   struct ws_err *err)
{
	struct writer k = { .launch = ws_trace_launch(t, launch), .out = out };
	enum ws_status status = ws_decoder_new(&k.decoder, t, launch, err);

	if (status != WS_OK)
		return status;
	k.warps = (size_t)(ws_launch_threads(k.launch) + WS_SASS_LANES - 1) / WS_SASS_LANES;
	k.warp = ws_alloc_zero(k.warps, sizeof *k.warp);
	if (!k.warp)
		status = ws_fail_memory(err, "the text of warps");
	for (size_t i = 0; i < k.launch->instructions; i++)
		k.lines |= k.launch->instruction[i].line > 0 &&
			   !has_pc(k.launch, &k.launch->instruction[i]);
	if (status == WS_OK)
		put_header(&k, launch + 1);
	for (uint64_t cta = 0; status == WS_OK && cta < k.launch->ctas && !out->failed; cta++)
		status = write_block(&k, cta, err);
	for (size_t i = 0; k.warp && i < k.warps; i++)
		ws_buf_clear(&k.warp[i].text);
	free(k.warp);
	ws_decoder_free(k.decoder);
	return status;
}

/* ---- the list ------------------------------------------------------------------------------ */

/* "kernel-N-NAME.traceg" of NAME.g; *folder: how much of the list's path comes before it. */
static char *member_name(const char *list, size_t number, size_t *folder)
{
	const char *slash = strrchr(list, '/'), *stem = slash ? slash + 1 : list;
	size_t len = strlen(stem) - 2, room = len + 64;
	char *name = malloc(room);

	*folder = (size_t)(stem - list);
	if (!name)
		return NULL;
	if (len == 11 && memcmp(stem, "kernelslist", len) == 0)
		snprintf(name, room, "kernel-%zu.traceg", number);
	else
		snprintf(name, room, "kernel-%zu-%.*s.traceg", number, (int)len, stem);
	return name;
}

static char *member_path(const char *list, size_t number)
{
	size_t folder;
	char *name = member_name(list, number, &folder);
	char *path = name ? malloc(folder + strlen(name) + 1) : NULL;

	if (path) {
		memcpy(path, list, folder);
		memcpy(path + folder, name, strlen(name) + 1);
	}
	free(name);
	return path;
}

/* Of many members the first are open until the end, so that they have no name until then; the
 * others are closed, so that descriptors do not run out: each takes two, and half of all are
 * left. */
static size_t members_open(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur / 4 > MEMBERS_OPEN)
		return MEMBERS_OPEN;
	return (size_t)limit.rlim_cur / 4;
}

static enum ws_status open_member(struct ws_out *out, const struct ws_writing *how,
				  const struct ws_out *list, size_t number, struct ws_err *err)
{
	char *path = member_path(list->path, number);
	enum ws_status status = path ? WS_OK : ws_fail_memory(err, "a file name");

	if (status == WS_OK && how && how->check)
		status = how->check(how->check_context, path, err);
	if (status == WS_OK)
		status = ws_out_open(out, path, err);
	out->no_sync = list->no_sync;
	free(path);
	return status;
}

static enum ws_status write_member(const struct ws_trace *t, size_t launch, struct ws_out *out,
				   struct ws_out *list, struct ws_err *err)
{
	const char *slash = strrchr(out->path, '/'), *name = slash ? slash + 1 : out->path;
	enum ws_status status = write_kernel(t, launch, out, err);

	ws_out_write(list, name, strlen(name));
	ws_out_write(list, "\n", 1);
	if (status == WS_OK)
		status = launch < members_open() ? ws_out_settle(out, err)
						 : ws_out_park(out, err);
	return status;
}

/* Members take their names when all are complete: a failure leaves an older list's as they were. */
static enum ws_status write_members(const struct ws_trace *t, const struct ws_writing *how,
				    struct ws_out *list, struct ws_err *err)
{
	size_t launches = ws_trace_launches(t);
	struct ws_out *out = ws_alloc_zero(launches, sizeof *out);
	enum ws_status status = out ? WS_OK : ws_fail_memory(err, "the files of a list");

	for (size_t i = 0; i < launches && status == WS_OK; i++) {
		status = open_member(&out[i], how, list, i + 1, err);
		if (status == WS_OK)
			status = write_member(t, i, &out[i], list, err);
	}
	for (size_t i = 0; i < launches && status == WS_OK; i++) {
		/* The last one has the folder written for all. */
		out[i].no_sync |= i + 1 < launches;
		status = ws_out_commit(&out[i], err);
	}
	for (size_t i = 0; i < launches && out; i++)
		ws_out_abort(&out[i]);
	free(out);
	return status;
}

static bool is_list(const char *path)
{
	size_t len = path ? strlen(path) : 0;

	return len > 2 && strcmp(path + len - 2, ".g") == 0 && path[len - 3] != '/';
}

enum ws_status ws_as_write(const struct ws_trace *t, const struct ws_writing *how,
			   struct ws_out *out, struct ws_err *err)
{
	size_t launches = ws_trace_launches(t);

	if (!is_list(out->path) && launches != 1)
		return ws_fail(err, WS_EINVAL, "%s has %zu launches, and accel-sim has one in a "
			       "file: want an output called NAME.g, a list of files beside it",
				       ws_trace_name(t),
			       launches);
	if (!is_list(out->path))
		return write_kernel(t, 0, out, err);
	return write_members(t, how, out, err);
}
