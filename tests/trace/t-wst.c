/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-wst.c -- the file: what comes back of a launch's description,
 * pipes, and damage of every kind at every byte.  Files that lie: t-lies.c.
 */
#include <dirent.h>
#include <fcntl.h>
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
		       x->past == y->past &&
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

/* ---- the fuzzer's seeds -------------------------------------------------------------------- */

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
	writer_refuses();
	decoder_refuses();
	seeds();
	return test_done();
}
