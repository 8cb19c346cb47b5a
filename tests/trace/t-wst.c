/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-wst.c -- the file: what comes back of a launch's description,
 * pipes, damage of every kind at every byte, and files that lie with right
 * checksums.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/test.h"
#include "tests/trace/wstfile.h"
#include "trace/format/spool.h"
#include "trace/format/wst.h"

/* Two launches of a few CTAs and steps: one to three chunks each. */
static struct file small_file(struct ws_launch l[2])
{
	struct ws_rng rng;

	ws_rng_seed(&rng, 3);
	for (int i = 0; i < 2; i++) {
		l[i] = random_launch(&rng);
		for (int d = 0; d < 3; d++)
			l[i].block[d] = (uint64_t)d + 1, l[i].grid[d] = d == 1 ? 3 : 1;
		l[i].ctas = 3;
	}
	return write_file(l, 2, 17, 2);
}

static void clear_two(struct ws_launch l[2])
{
	ws_launch_clear(&l[0]);
	ws_launch_clear(&l[1]);
}

/* ---- what comes back ---------------------------------------------------------------- */

static bool same_tables(const struct ws_launch *a, const struct ws_launch *b)
{
	bool same = a->arrays == b->arrays && a->files == b->files &&
		    a->instructions == b->instructions && a->segments == b->segments;

	for (size_t i = 0; same && i < a->arrays; i++)
		same = a->array[i].base == b->array[i].base &&
		       a->array[i].bytes == b->array[i].bytes &&
		       strcmp(a->array[i].name, b->array[i].name) == 0;
	for (size_t i = 0; same && i < a->files; i++)
		same = strcmp(a->file[i], b->file[i]) == 0;
	for (size_t i = 0; same && i < a->instructions; i++) {
		const struct ws_instruction *x = &a->instruction[i], *y = &b->instruction[i];

		same = x->kind == y->kind && x->space == y->space && x->texture == y->texture &&
		       x->bytes == y->bytes && x->array == y->array && x->file == y->file &&
		       x->line == y->line && x->gap == y->gap && x->use == y->use &&
		       memcmp(&x->pace, &y->pace, sizeof x->pace) == 0;
	}
	for (size_t i = 0; same && i < a->segments; i++) {
		const struct ws_segment *x = &a->segment[i], *y = &b->segment[i];

		same = x->first == y->first && x->count == y->count && x->tail == y->tail &&
		       x->barrier == y->barrier &&
		       memcmp(&x->pace, &y->pace, sizeof x->pace) == 0;
	}
	return same;
}

/* Of machine code. */
static bool same_code(const struct ws_launch *a, const struct ws_launch *b)
{
	bool same = a->executed == b->executed && a->codes == b->codes && a->regs == b->regs &&
		    a->runs == b->runs && a->paths == b->paths && a->copies == b->copies;

	for (size_t i = 0; same && i < a->codes; i++) {
		const struct ws_code_op *x = &a->code[i], *y = &b->code[i];

		same = x->pc == y->pc && x->first == y->first && x->unit == y->unit &&
		       x->results == y->results && x->operands == y->operands;
	}
	for (size_t i = 0; same && i < a->regs; i++)
		same = a->reg[i] == b->reg[i];
	for (size_t i = 0; same && i < a->runs; i++)
		same = memcmp(&a->run[i], &b->run[i], sizeof a->run[i]) == 0;
	for (size_t i = 0; same && i < a->paths; i++)
		same = memcmp(&a->path[i], &b->path[i], sizeof a->path[i]) == 0;
	for (size_t i = 0; same && i < a->copies; i++)
		same = memcmp(&a->copy[i], &b->copy[i], sizeof a->copy[i]) == 0;
	for (size_t i = 0; same && i < a->instructions; i++)
		same = a->instruction[i].path == b->instruction[i].path;
	for (size_t i = 0; same && i < a->segments; i++)
		same = a->segment[i].path == b->segment[i].path;
	return same;
}

static void descriptions(void)
{
	uint64_t seed = test_seed(99), bad = 0;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (int i = 0; i < 60; i++) {
		struct ws_launch l = random_launch(&rng);
		struct file f = write_file(&l, 1, seed, 3);
		struct ws_trace *t = NULL;
		bool same = !open_bytes(&t, f.data, f.len, NULL);
		const struct ws_launch *r = same ? ws_trace_launch(t, 0) : &l;

		same = same && ws_trace_launches(t) == 1 && ws_trace_bytes(t) == f.len &&
		       strcmp(ws_trace_name(t), "memory.wst") == 0 &&
		       ws_trace_recognise(f.data, f.len) && strcmp(r->kernel, l.kernel) == 0 &&
		       r->ctas == l.ctas && memcmp(r->grid, l.grid, sizeof l.grid) == 0 &&
		       memcmp(r->block, l.block, sizeof l.block) == 0 &&
		       r->shared_bytes == l.shared_bytes && r->registers == l.registers;
		bad += !same || !same_tables(r, &l) || !same_code(r, &l);
		ws_trace_close(t);
		ws_launch_clear(&l);
		free(f.data);
	}
	test_u64(bad, 0, "descriptions come back");
}

static void refuse(struct ws_launch *l, const char *says)
{
	struct ws_err err = { 0 };

	test_ok(ws_launch_check(l, WS_EINVAL, "launch", &err) == WS_EINVAL &&
		strstr(err.text, says), "%s", says);
}

/* What is wrong with machine code, one thing at a time. */
static void wrong_code(void)
{
	struct ws_code_op op = { .results = 1, .operands = 1 };
	struct ws_code_run run = { 0, 1 };
	struct ws_code_path path = { 0, 1, 1 };
	struct ws_copy copy = { 1, UINT64_MAX - 1 };
	uint16_t reg[] = { 0, WS_REGISTERS - 1 };
	struct ws_instruction in = { .bytes = 4, .use = 1, .array = WS_NO_ARRAY, .path = 1 };
	struct ws_launch l = { .kernel = (char *)(uintptr_t)"k", .grid = { 1, 1, 1 },
			       .block = { 1, 1, 1 }, .instruction = &in, .instructions = 1,
			       .code = &op, .codes = 1, .run = &run, .runs = 1, .path = &path,
			       .paths = 1, .reg = reg, .regs = 2, .copy = &copy, .copies = 1 };

	test_ok(!ws_launch_check(&l, WS_EINVAL, "launch", NULL), "sound code");
	op.unit = WS_UNITS;
	refuse(&l, "code 0: unit is");
	op.unit = 0;
	op.first = 1;
	refuse(&l, "code 0: 2 registers from 1");
	op.first = 0;
	reg[1]++;
	refuse(&l, "register 1 is 512");
	reg[1]--;
	run.count = 2;
	refuse(&l, "path 0: code 0 + 2");
	run.count = 1;
	path.count = 2;
	refuse(&l, "path 0: runs 0 + 2");
	path.count = 1;
	path.length = 2;
	refuse(&l, "its length is not");
	path.length = 1;
	in.gap = 1;
	refuse(&l, "instruction 0: its path has 1 instructions, want 2");
	in.gap = 0;
	in.path = 2;
	refuse(&l, "instruction 0: path is 2");
	in.path = 1;
	copy.base = 2;
	refuse(&l, "copy 0: ");
}

/* ---- texts of source files ------------------------------------------------------------ */

static size_t times_in(const struct file *f, const char *text, struct ws_trace **t)
{
	size_t times = 0;

	*t = NULL;
	must(open_bytes(t, f->data, f->len, NULL) == WS_OK, "a trace with texts");
	for (size_t i = 0; i < ws_trace_launches(*t); i++) {
		const struct ws_launch *l = ws_trace_launch(*t, i);

		for (size_t k = 0; l->text && k < l->files; k++)
			times += l->text[k] && strcmp(l->text[k], text) == 0;
	}
	return times;
}

static void name_file(struct ws_launch *l, const char *name, const char *text)
{
	for (size_t i = 0; l->file && i < l->files; i++)
		free(l->file[i]);
	free(l->file);
	l->file = ws_alloc_zero(1, sizeof *l->file);
	l->text = ws_alloc_zero(1, sizeof *l->text);
	must(l->file && l->text, "memory");
	l->files = 1;
	l->file[0] = ws_strdup(name);
	l->text[0] = text ? ws_strdup(text) : NULL;
	for (size_t i = 0; i < l->instructions; i++)
		l->instruction[i].file = 0;
}

/* Launches of a.cl, a.cl again, b.cl without text, a changed a.cl, and that again. */
static void texts(void)
{
	static const char *const file[] = { "a.cl", "a.cl", "b.cl", "a.cl", "a.cl" };
	static const char *const text[] = { "one\n\xff", "one\n\xff", NULL, "two", "two" };
	struct ws_launch l[5];
	struct ws_trace *t;
	struct ws_rng rng;
	struct file f;

	ws_rng_seed(&rng, 11);
	for (int i = 0; i < 5; i++) {
		l[i] = random_launch(&rng);
		for (int d = 0; d < 3; d++)
			l[i].block[d] = l[i].grid[d] = 1;
		l[i].ctas = 1;
		name_file(&l[i], file[i], text[i]);
	}
	f = write_file(l, 5, 17, 2);
	test_u64(times_in(&f, "one\n\xff", &t), 1, "a text of two launches is there once");
	for (size_t i = 0; i < 5; i++) {
		const char *got = ws_trace_text(t, i, file[i]);

		test_ok(text[i] ? got && strcmp(got, text[i]) == 0 : !got, "text of launch %zu", i);
	}
	test_ok(!ws_trace_text(t, 0, "b.cl") && !ws_trace_text(t, 4, ""), "no other texts");
	ws_trace_close(t);
	for (size_t len = 0; len < f.len; len++)
		if (open_bytes(&t, f.data, len, NULL) == WS_OK)
			test_ok(false, "%zu bytes of the file are a trace", len);
	for (int i = 0; i < 5; i++)
		ws_launch_clear(&l[i]);
	free(f.data);
}

/* A text that was taken back is written with the next launch. */
static void dropped_texts(void)
{
	struct ws_texts known = { .count = 0 };
	char *file[] = { (char *)(uintptr_t)"a.cl" }, *text[] = { (char *)(uintptr_t)"one" };
	struct ws_launch l[3];

	for (size_t i = 0; i < 3; i++) {
		l[i] = (struct ws_launch){ .file = file, .text = text, .files = 1 };
		must(ws_texts_new(&known, i, &l[i], NULL) == WS_OK, "texts");
		if (i == 1)
			ws_texts_drop(&known, 0);
	}
	test_ok(l[0].text[0] && !l[1].text[0] && l[2].text[0],
		"a dropped launch's text comes again");
	ws_texts_drop(&known, 0);
	for (size_t i = 0; i < 3; i++)
		free(l[i].text);
}

/* A trace without launches is a trace. */
static void empty_trace(void)
{
	struct file f = write_file(NULL, 0, 1, 1);
	struct ws_trace *t = NULL;

	test_ok(open_bytes(&t, f.data, f.len, NULL) == WS_OK && ws_trace_launches(t) == 0,
		"no launch");
	test_ok(!ws_trace_recognise(f.data, 7) && !ws_trace_recognise("WSPROFIL", 8), "recognised");
	ws_trace_close(t);
	free(f.data);
}

/* Written to a pipe and read from a pipe: the same bytes, all of them. */
static void pipes(void)
{
	struct ws_launch l[2];
	struct file f = small_file(l);
	struct ws_trace *t = NULL;
	struct ws_err err = { 0 };
	struct ws_out out;
	char path[64];
	int end[2];

	must(pipe(end) == 0, "pipe");
	fcntl(end[1], F_SETPIPE_SZ, 1 << 16);
	must(f.len < 1 << 16, "the file does not fit into a pipe");
	snprintf(path, sizeof path, "/dev/fd/%d", end[1]);
	must(!ws_out_open(&out, path, NULL), path);
	write_trace(&out, l, 2, 17, 2);
	test_ok(ws_out_commit(&out, &err) == WS_OK, "written to a pipe %s", err.text);
	close(end[1]);
	snprintf(path, sizeof path, "/dev/fd/%d", end[0]);
	test_ok(ws_trace_open(&t, path, &err) == WS_OK, "read from a pipe %s", err.text);
	test_ok(t && ws_trace_bytes(t) == f.len && decode_all(t, 99, &err) == WS_OK, "all of it %s",
		err.text);
	ws_trace_close(t);
	close(end[0]);
	test_ok(ws_trace_open(&t, "/nowhere/x.wst", NULL) == WS_EINPUT && !t, "no such file");
	clear_two(l);
	free(f.data);
}

/* ---- several decoders -------------------------------------------------------------------- */

struct many {
	const struct ws_trace *t;
	uint64_t sum[8];
};

static enum ws_status sum_ctas(void *context, size_t i, unsigned thread, struct ws_err *err)
{
	struct many *m = context;
	uint64_t ctas = ws_trace_launch(m->t, 0)->ctas;
	struct ws_decoder *d;
	struct ws_step step;
	enum ws_status status = ws_decoder_new(&d, m->t, 0, err);

	(void)thread;
	for (uint64_t n = 0; status == WS_OK && n < ctas; n++) {
		bool more = true;

		status = ws_decoder_seek(d, i % 2 ? n : ctas - 1 - n, err);
		while (status == WS_OK && more) {
			status = ws_decoder_next(d, &step, &more, err);
			for (size_t w = 0; status == WS_OK && more && w < step.words; w++)
				m->sum[i] += step.mask[w] * (2 * w + 1) + step.segment;
		}
	}
	ws_decoder_free(d);
	return status;
}

static void in_parallel(void)
{
	struct ws_rng rng;
	struct ws_launch l;
	struct file f;
	struct many m = { NULL, { 0 } };
	struct ws_trace *t;
	bool same = true;

	ws_rng_seed(&rng, 5);
	l = random_launch(&rng);
	l.grid[0] = 7, l.grid[1] = 5, l.grid[2] = 2, l.ctas = 70;
	f = write_file(&l, 1, 23, 6);
	must(!open_bytes(&t, f.data, f.len, NULL), "open_bytes");
	m.t = t;
	must(!ws_parallel(4, 8, sum_ctas, &m, NULL), "ws_parallel");
	for (int i = 1; i < 8; i++)
		same = same && m.sum[i] == m.sum[0];
	test_ok(same && m.sum[0], "eight decoders of one trace, forwards and backwards, agree");
	ws_trace_close(t);
	ws_launch_clear(&l);
	free(f.data);
}

/* ---- damage -------------------------------------------------------------------------------- */

static void damage(void)
{
	static const uint8_t flip[] = { 1, 0x80, 0xff };
	struct ws_launch l[2];
	struct file f = small_file(l);
	uint64_t bad = 0, unnamed = 0;
	struct ws_err err = { 0 };

	test_ok(try_bytes(f.data, f.len, &err) == WS_OK, "%zu bytes, sound %s", f.len, err.text);
	for (size_t len = 0; len < f.len; len++) {
		err = (struct ws_err){ 0 };
		bad += try_bytes(f.data, len, &err) != WS_EFORMAT;
		unnamed += !strstr(err.text, "memory.wst: offset ");
	}
	test_u64(bad, 0, "truncations not found");
	for (size_t i = bad = 0; i < 3 * f.len; i++) {
		err = (struct ws_err){ 0 };
		f.data[i / 3] = (char)(f.data[i / 3] ^ flip[i % 3]);
		bad += try_bytes(f.data, f.len, &err) != WS_EFORMAT;
		unnamed += !strstr(err.text, "memory.wst: offset ");
		f.data[i / 3] = (char)(f.data[i / 3] ^ flip[i % 3]);
	}
	test_u64(bad, 0, "flips not found");
	test_u64(unnamed, 0, "messages without file and offset");
	f.data = realloc(f.data, f.len + 1);
	f.data[f.len] = 0;
	test_ok(try_bytes(f.data, f.len + 1, NULL) == WS_EFORMAT, "a byte too many");
	clear_two(l);
	free(f.data);
}

/* ---- lies
 * -------------------------------------------------------------------------------------- */

/* A sound file of two launches of 4 CTAs of 2 threads in 2 chunks each, but
 * for what is set otherwise.  All numbers as written. */
struct lie {
	const char *what, *says;
	uint64_t grid, block, files, arrays, instructions, segments;	/* counts and sizes */
	uint64_t kind, space, bytes, array, file, gap, use, first, count, tail, barrier, base;
	uint64_t pace, chain, code;
	uint64_t number, kernel;		/* of the launch; bytes of its name */
	uint64_t chunk_launch, chunk_first, chunk_count, cta_len;	/* in the second chunk */
	uint64_t index_launches, index_ctas, index_accesses, index_chunks, index_count, index_len;
	uint64_t header_len, spare, zeros, raw_zeros, index_at, file_len, chunk_type;
};

#define SOUND .grid = 4, .block = 2, .files = 1, .arrays = 1, .instructions = 1, .segments = 1, \
	.bytes = 4, .array = 1, .use = 1, .count = 1, .number = 1, .kernel = 1, .chunk_launch = 1, \
	.chunk_first = 2, .chunk_count = 2, .cta_len = 1, .index_launches = 2, .index_ctas = 4, \
	.index_chunks = 2, .index_count = 2

static void put_launch(struct ws_buf *raw, const struct lie *l, uint64_t number)
{
	ws_put_var(raw, number);
	ws_put_var(raw, l->kernel);
	for (uint64_t i = 0; i < l->kernel && i < 5000; i++)
		ws_put_u8(raw, 'k');
	for (int i = 0; i < 3; i++)
		ws_put_var(raw, i ? 1 : l->grid);
	for (int i = 0; i < 3; i++)
		ws_put_var(raw, i == 1 ? l->block : 1);
	ws_put_var(raw, 0);
	ws_put_var(raw, 0);
	ws_put_var(raw, l->files);
	ws_put_str(raw, "f");
	ws_put_var(raw, l->arrays);
	ws_put_str(raw, "A");
	ws_put_var(raw, l->base);
	ws_put_var(raw, 64);
	ws_put_var(raw, l->instructions);
	ws_put_u8(raw, (uint8_t)l->kind);
	ws_put_u8(raw, (uint8_t)(l->space | (l->pace ? 0x40 : 0)));
	ws_put_var(raw, l->bytes);
	ws_put_var(raw, l->array);
	ws_put_var(raw, l->file);
	ws_put_var(raw, 7);
	ws_put_var(raw, l->gap);
	ws_put_var(raw, l->use);
	if (l->pace) {
		ws_put_var(raw, l->chain);
		ws_put_var(raw, l->code);
		ws_put_var(raw, 0);
	}
	ws_put_var(raw, l->segments);
	ws_put_var(raw, l->first);
	ws_put_var(raw, l->count);
	ws_put_var(raw, l->tail);
	ws_put_u8(raw, (uint8_t)l->barrier);
	for (uint64_t i = 0; i < l->raw_zeros; i++)
		ws_put_u8(raw, 0);
}

/* CTAs without steps: one byte each. */
static uint64_t put_chunk(struct ws_buf *file, uint32_t type, uint64_t launch, uint64_t first,
			  uint64_t count, uint64_t len)
{
	struct ws_buf raw = { 0 };
	uint64_t bytes;

	ws_put_var(&raw, launch);
	ws_put_var(&raw, first);
	ws_put_var(&raw, count);
	ws_put_var(&raw, len);
	ws_put_var(&raw, 1);
	ws_put_u8(&raw, 0);
	ws_put_u8(&raw, 0);
	bytes = hand_block(file, type, &raw);
	ws_buf_clear(&raw);
	return bytes;
}

/* Launch number (0: as it should be) and its part of the index. */
static void put_section(struct ws_buf *file, struct ws_buf *index, const struct lie *lie,
			uint64_t number)
{
	static const struct lie truth = { SOUND };
	const struct lie *l = number ? lie : &truth;
	struct ws_buf raw = { 0 };

	put_launch(&raw, l, number ? l->number : 0);
	ws_put_var(index, hand_block(file, FILE_LAUNCH, &raw) + l->header_len);
	ws_put_var(index, l->index_ctas);
	ws_put_var(index, l->index_accesses);
	ws_put_var(index, 0);
	ws_put_var(index, 0);
	ws_put_var(index, l->index_chunks);
	ws_put_var(index, 2);
	ws_put_var(index, put_chunk(file, FILE_CHUNK, number, 0, 2, 1));
	ws_put_var(index, l->index_count);
	ws_put_var(index, put_chunk(file, l->chunk_type ? (uint32_t)l->chunk_type : FILE_CHUNK,
				    number ? l->chunk_launch : 0, l->chunk_first, l->chunk_count,
				    l->cta_len) + l->index_len);
	ws_buf_clear(&raw);
}

static void try_lie(const struct lie *l)
{
	struct ws_buf file = { 0 }, sections = { 0 }, index = { 0 };
	struct ws_err err = { 0 };
	struct rusage before, after;
	enum ws_status status;
	uint64_t at;

	hand_begin(&file);
	put_section(&file, &sections, l, 0);
	put_section(&file, &sections, l, 1);
	if (l->spare)
		put_chunk(&file, FILE_CHUNK, 0, 0, 2, 1); /* of which the index knows nothing */
	ws_put_var(&index, l->index_launches);
	ws_put_bytes(&index, sections.data, sections.len);
	for (uint64_t i = 0; i < l->zeros; i++)
		ws_put_u8(&index, 0);
	at = file.len;
	hand_block(&file, FILE_INDEX, &index);
	hand_end(&file, at + l->index_at, file.len + 24 + l->file_len);
	getrusage(RUSAGE_SELF, &before);
	status = try_bytes(file.data, file.len, &err);
	getrusage(RUSAGE_SELF, &after);
	if (l->says)
		test_ok(status == WS_EFORMAT && strstr(err.text, "memory.wst: offset ") &&
			strstr(err.text, l->says), "%s: %s", l->what, err.text);
	else
		test_ok(status == WS_OK, "%s %s", l->what, err.text);
	if (after.ru_maxrss - before.ru_maxrss > 1 << 15) /* KiB */
		test_ok(false, "%s: %ld KiB of memory", l->what,
			after.ru_maxrss - before.ru_maxrss);
	ws_buf_clear(&file);
	ws_buf_clear(&sections);
	ws_buf_clear(&index);
}

#define LIE(what, says, ...) { what, says, SOUND, __VA_ARGS__ }
#define HUGE_COUNT (UINT64_MAX - 1)

static void lies(void)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winitializer-overrides"
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
#endif
	static const struct lie lie[] = {
		LIE("the truth", NULL, .spare = 0),
		LIE("edges", NULL, .bytes = 4096, .array = 0, .base = UINT64_MAX - 64,
		    .block = 4096, .use = 1),
		LIE("a name of 4096", NULL, .kernel = 4096),
		/* the launch */
		LIE("no CTA", "CTAs, want 1", .grid = 0),
		LIE("a grid past 2^40", "CTAs, want 1", .grid = (1ull << 40) + 1),
		LIE("a grid of 2^64 - 1", "CTAs, want 1", .grid = UINT64_MAX),
		LIE("no thread", "block[1] is 0", .block = 0),
		LIE("4097 threads", "block[1] is 4097", .block = 4097),
		LIE("2^63 threads", "want 1..4096", .block = 1ull << 63),
		LIE("2^64 - 2 files", "malformed", .files = HUGE_COUNT),
		LIE("2^64 - 2 arrays", "malformed", .arrays = HUGE_COUNT),
		LIE("2^64 - 2 instructions", "malformed", .instructions = HUGE_COUNT),
		LIE("2^64 - 2 segments", "malformed", .segments = HUGE_COUNT),
		LIE("2^28 files", "malformed", .files = 1 << 28),
		LIE("one file more than there are", "malformed", .files = 2),
		LIE("one segment fewer", "malformed", .segments = 0),
		LIE("kind 3", "kind is 3", .kind = 3),
		LIE("space 3", "space is 3", .space = 3),
		LIE("a texture of shared memory", "a texture access of kind 0 in space 2",
		    .space = 0x82),
		LIE("a flag that is none", "space is 16", .space = 0x10),
		LIE("shared memory past the L1", "past the L1 one of kind 0 in", .space = 0x22),
		LIE("a store past the L1", "past the L1 one of kind 1", .kind = 1, .space = 0x20),
		LIE("0 bytes", "bytes is 0", .bytes = 0),
		LIE("4097 bytes", "bytes is 4097", .bytes = 4097),
		LIE("2^32 + 4 bytes", "malformed", .bytes = (1ull << 32) + 4),
		LIE("array 1 of 1", "array is 1", .array = 2),
		LIE("array 2^32", "malformed", .array = 1ull << 32),
		LIE("file 1 of 1", "file is 1", .file = 1),
		LIE("a long gap", "gap is", .gap = WS_GAP_MAX + 1),
		LIE("a chain longer than its gap", "chain is", .gap = 3, .pace = 1,
		    .chain = 4),
		LIE("code past the end", "code from", .pace = 1, .code = WS_CODE_MAX),
		LIE("a long tail", "tail is", .tail = WS_GAP_MAX + 1),
		LIE("use 0", "use of a load is 0", .use = 0),
		LIE("a segment past the instructions", "instructions 1 + 1", .first = 1),
		LIE("a segment of 2^32 - 1", "want them within", .count = UINT32_MAX),
		LIE("barrier 2", "malformed", .barrier = 2),
		LIE("an array past 2^64", "address space", .base = UINT64_MAX - 63),
		LIE("a name of 4097", "malformed", .kernel = 4097),
		LIE("a name of 2^64 - 2", "malformed", .kernel = HUGE_COUNT),
		LIE("launch 0 twice", "want launch 1", .number = 0),
		LIE("bytes after a launch", "malformed", .raw_zeros = 1),
		/* the chunk */
		LIE("a chunk of launch 0", "want 2 from 2 of launch 1", .chunk_launch = 0),
		LIE("a chunk that overlaps", "want 2 from 2 of launch 1", .chunk_first = 1),
		LIE("a chunk of one more", "want 2 from 2", .chunk_count = 3),
		LIE("a chunk of 2^64 - 2", "want 2 from 2", .chunk_count = HUGE_COUNT),
		LIE("a CTA of 2 bytes", "do not add up", .cta_len = 2),
		LIE("a CTA of none", "do not add up", .cta_len = 0),
		LIE("a CTA of 2^64 - 2", "do not add up", .cta_len = HUGE_COUNT),
		LIE("a chunk of another type", "not the chunk", .chunk_type = FILE_INDEX),
		/* the index */
		LIE("three launches", "does not fit", .index_launches = 3, .zeros = 9),
		LIE("one launch", "follow the last launch", .index_launches = 1),
		LIE("2^64 - 2 launches", "more launches than", .index_launches = HUGE_COUNT),
		LIE("5 CTAs", "but its grid has 4", .index_ctas = 5),
		LIE("2^62 accesses", "accesses of a kind", .index_accesses = 1ull << 62),
		LIE("one chunk", "hold 2 of 4", .index_chunks = 1),
		LIE("three chunks", "corrupt", .index_chunks = 3, .zeros = 2),
		LIE("2^64 - 2 chunks", "more chunks than", .index_chunks = HUGE_COUNT),
		LIE("a chunk of 1 CTA", "hold 3 of 4", .index_count = 1),
		LIE("a chunk of 3 CTAs", "3 CTAs from 2 of 4", .index_count = 3),
		LIE("a chunk of none", "0 CTAs from 2", .index_count = 0),
		LIE("a grid no chunk covers", "hold 4 of 1099511627776", .grid = 1ull << 40,
		    .index_ctas = 1ull << 40),
		LIE("a chunk that is longer", "corrupt", .index_len = 1),
		LIE("a chunk that is shorter", "before the index are of no launch",
		    .index_len = UINT64_MAX),
		LIE("a launch that is longer", "up to", .header_len = 1),
		LIE("a launch of 2^63 bytes", "does not fit", .header_len = 1ull << 63),
		LIE("a chunk of no launch", "of no launch", .spare = 1),
		LIE("bytes after the index", "follow the last launch", .zeros = 1),
		LIE("an index that unpacks to much", "want at most", .zeros = 1 << 24),
		/* the end */
		LIE("a longer file", "should have", .file_len = 1),
		LIE("an index at 0", "the index is said to be at", .index_at = 1ull << 63),
		LIE("an index further on", "offset", .index_at = 1),
	};
#if defined(__clang__)
#pragma clang diagnostic pop
#else
#pragma GCC diagnostic pop
#endif

	for (size_t i = 0; i < WS_COUNT(lie); i++)
		try_lie(&lie[i]);
}

/* A launch block of zeros by the GiB would be small when packed. */
static void bomb(void)
{
	struct ws_buf file = { 0 }, index = { 0 }, raw = { 0 };
	struct ws_err err = { 0 };
	uint64_t at, len;

	hand_begin(&file);
	ws_put_u8(&raw, 0);
	len = hand_block(&file, FILE_LAUNCH, &raw);
	file.data[16 + 16 + 3] = 0x11; /* raw_len: 0x11000001 */
	ws_put_var(&index, 1);
	ws_put_var(&index, len);
	for (int i = 0; i < 5; i++)
		ws_put_u8(&index, 0);
	at = file.len;
	hand_block(&file, FILE_INDEX, &index);
	hand_end(&file, at, file.len + 24);
	test_ok(try_bytes(file.data, file.len, &err) == WS_EFORMAT &&
			strstr(err.text, "want at most"),
		"%s", err.text);
	ws_buf_clear(&file);
	ws_buf_clear(&index);
	ws_buf_clear(&raw);
}

/* ---- the writer's side ----------------------------------------------------------------------- */

static void writer_refuses(void)
{
	char *text = NULL;
	size_t len = 0;
	struct ws_out out = { .file = open_memstream(&text, &len) };
	struct ws_buf data = { 0 }, packed = { 0 }, wrong = { 0 };
	const uint64_t accesses[WS_KINDS] = { 1, 0, 0 }, many[WS_KINDS] = { UINT64_MAX, 0, 0 };
	const uint64_t lens[2] = { 1, 1 }, zero[2] = { 2, 0 }, far[2] = { 1, UINT64_MAX };
	struct ws_launch l = { .kernel = ws_strdup("k"), .grid = { 4, 1, 1 }, .block = { 32, 1,
			       1 } };
	struct ws_launch none = l;
	struct ws_trace_writer *w;
	struct ws_encoder *e;

	ws_put_bytes(&data, "\0\0", 2);
	must(!ws_trace_writer_new(&w, &out, NULL), "ws_trace_writer_new");
	test_ok(ws_chunk_pack(&packed, 0, 0, &data, lens, 2, NULL) == WS_OK, "a chunk");
	test_ok(ws_chunk_pack(&wrong, 0, 0, &data, lens, 1, NULL) == WS_EINVAL,
		"lengths too short");
	test_ok(ws_chunk_pack(&wrong, 0, 0, &data, zero, 2, NULL) == WS_EINVAL, "a length of 0");
	test_ok(ws_chunk_pack(&wrong, 0, 0, &data, far, 2, NULL) == WS_EINVAL, "a length of 2^64 - "
		"1");
	test_ok(ws_chunk_pack(&wrong, 0, 0, &data, lens, 0, NULL) == WS_EINVAL, "no CTA");
	test_ok(ws_trace_writer_chunk(w, &packed, 0, 2, accesses, NULL) == WS_EINVAL,
		"no launch yet");
	none.block[1] = 129;
	test_ok(ws_trace_writer_launch(w, &none, NULL) == WS_EINVAL, "too many threads");
	test_ok(ws_encoder_new(&e, &none, NULL) == WS_EINVAL && !e, "nor an encoder");
	test_ok(ws_trace_writer_launch(w, &l, NULL) == WS_OK, "a launch");
	test_ok(ws_trace_writer_chunk(w, &data, 0, 2, accesses, NULL) == WS_EINVAL, "not packed");
	test_ok(ws_trace_writer_chunk(w, &packed, 2, 2, accesses, NULL) == WS_EINVAL,
		"not the first CTAs");
	test_ok(ws_trace_writer_chunk(w, &packed, 0, 5, accesses, NULL) == WS_EINVAL,
		"past the grid");
	test_ok(ws_trace_writer_chunk(w, &packed, 0, 2, many, NULL) == WS_EINVAL,
		"too many accesses");
	test_ok(ws_trace_writer_chunk(w, &packed, 0, 2, accesses, NULL) == WS_OK,
		"half the launch");
	test_ok(ws_trace_writer_launch(w, &l, NULL) == WS_EINVAL, "the next launch too early");
	test_ok(ws_trace_writer_end(w, NULL) == WS_EINVAL, "the end too early");
	ws_trace_writer_free(w);
	fclose(out.file);
	free(text);
	ws_buf_clear(&data);
	ws_buf_clear(&packed);
	ws_buf_clear(&wrong);
	ws_launch_clear(&l);
}

static void decoder_refuses(void)
{
	struct ws_launch l[2];
	struct file f = small_file(l);
	struct ws_decoder *d;
	struct ws_step step;
	struct ws_trace *t;
	bool more = true;

	must(!open_bytes(&t, f.data, f.len, NULL), "open_bytes");
	test_ok(ws_decoder_new(&d, t, 2, NULL) == WS_EINVAL && !d, "launch 2 of 2");
	must(!ws_decoder_new(&d, t, 1, NULL), "ws_decoder_new");
	test_ok(ws_decoder_next(d, &step, &more, NULL) == WS_OK && !more, "no CTA yet");
	test_ok(ws_decoder_seek(d, 3, NULL) == WS_EINVAL, "CTA 3 of 3");
	test_ok(ws_decoder_seek(d, UINT64_MAX, NULL) == WS_EINVAL, "CTA 2^64 - 1");
	test_ok(ws_decoder_seek(d, 2, NULL) == WS_OK, "CTA 2 after all");
	ws_decoder_free(d);
	ws_trace_close(t);
	clear_two(l);
	free(f.data);
}

/* ---- the fuzzer's seeds
 * ------------------------------------------------------------------------ */

/* Those called ok-... decode, the others do not. */
static bool try_seed(const char *folder, const char *name)
{
	struct ws_err err = { 0 };
	enum ws_status status;
	struct ws_in in;
	char path[512];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	must(!ws_in_open(&in, path, NULL), path);
	status = try_input(in.data, in.len, &err);
	ws_in_close(&in);
	if (status == (strncmp(name, "ok-", 3) ? WS_EFORMAT : WS_OK))
		return true;
	printf("# %s: %s\n", name, err.text);
	return false;
}

static void seeds(void)
{
	static const char folder[] = "tests/fuzz/corpus-wst";
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	uint64_t count = 0, bad = 0;

	if (!dir) {
		test_skip("the fuzzer's seeds", "not run from the source tree");
		return;
	}
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		count++;
		bad += !try_seed(folder, entry->d_name);
	}
	closedir(dir);
	test_ok(count > 0 && !bad, "%" PRIu64 " of the fuzzer's seeds, %" PRIu64 " wrong", count,
		bad);
}

/* CTAs that do nothing take next to no bytes: 2^25 of them are neither written nor read. */
static void idle(void)
{
	static uint64_t lens[1 << 20];
	static uint8_t ends[1 << 20]; /* of each CTA */
	static const uint64_t none[WS_KINDS];
	const size_t chunks = 32;
	struct ws_launch l = { .kernel = ws_strdup("idle"),
			       .grid = { chunks << 20, 1, 1 }, .block = { 1, 1, 1 },
			       .ctas = chunks << 20 };
	struct ws_buf data = { .data = ends, .len = sizeof ends }, packed = { 0 }, entry = { 0 };
	struct ws_trace_writer *w = NULL;
	struct ws_trace *t = NULL;
	struct ws_err err = { 0 };
	char *bytes = NULL;
	size_t len = 0;
	struct ws_out out = { .file = open_memstream(&bytes, &len) };

	must(!ws_trace_writer_new(&w, &out, NULL) && !ws_trace_writer_launch(w, &l, NULL), "begin");
	for (size_t i = 0; i < WS_COUNT(lens); i++)
		lens[i] = 1;
	for (size_t i = 0; i < chunks; i++) {
		packed.len = 0;
		must(!ws_chunk_pack(&packed, 0, (uint64_t)i << 20, &data, lens, 1 << 20, &err) &&
		     !ws_trace_writer_chunk(w, &packed, (uint64_t)i << 20, 1 << 20, none, &err),
		     err.text);
	}
	test_ok(ws_trace_writer_end(w, &err) == WS_EINVAL &&
		strstr(err.text, "33554432 CTAs, of which hardly any does something"), "%s",
		err.text);
	ws_trace_writer_entry(w, &entry);
	must(!ws_trace_end(&out, 1, entry.data, entry.len, NULL) && !fclose(out.file), "end");
	err = (struct ws_err){ 0 };
	test_ok(len < 9000 && open_bytes(&t, bytes, len, &err) == WS_EFORMAT &&
		strstr(err.text, "launch 0: 33554432 CTAs so far, want at most"),
		"%zu bytes: %s", len, err.text);
	ws_trace_close(t);
	ws_trace_writer_free(w);
	ws_buf_clear(&packed);
	ws_buf_clear(&entry);
	ws_launch_clear(&l);
	free(bytes);
}

int main(void)
{
	idle();
	descriptions();
	wrong_code();
	texts();
	dropped_texts();
	empty_trace();
	pipes();
	in_parallel();
	damage();
	lies();
	bomb();
	writer_refuses();
	decoder_refuses();
	seeds();
	return test_done();
}
