/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-lies.c -- traces put together by hand that lie with right checksums.
 */
#include <sys/resource.h>

#include "tests/test.h"
#include "tests/trace/wstfile.h"
#include "trace/format/wst.h"

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
	/* of machine code, if there is any: all the numbers of one instruction */
	uint64_t coded, copies, copy_base, copy_bytes, regs, codes, pc, unit, results, operands,
		reg, runs, paths, path_runs, run_op, run_count, path, tail_path, cut;
};

#define SOUND .grid = 4, .block = 2, .files = 1, .arrays = 1, .instructions = 1, .segments = 1, \
	.bytes = 4, .array = 1, .use = 1, .count = 1, .number = 1, .kernel = 1, .chunk_launch = 1, \
	.chunk_first = 2, .chunk_count = 2, .cta_len = 1, .index_launches = 2, .index_ctas = 4, \
	.index_chunks = 2, .index_count = 2
#define CODED .coded = 1, .copies = 1, .copy_bytes = 64, .regs = 2, .codes = 1, .pc = 16, \
	.results = 1, .operands = 1, .reg = WS_REGISTERS - 1, .runs = 1, .paths = 1, \
	.path_runs = 1, .run_count = 1, .path = 1

/* A path of one run, of one instruction of code; signed numbers as they are in zigzag form. */
static void put_code(struct ws_buf *raw, const struct lie *l)
{
	ws_put_var(raw, 0); /* texts */
	ws_put_var(raw, 1); /* executed */
	ws_put_var(raw, l->copies);
	ws_put_var(raw, l->copy_base);
	ws_put_var(raw, l->copy_bytes);
	ws_put_var(raw, l->regs);
	ws_put_var(raw, l->codes);
	ws_put_var(raw, l->pc);
	ws_put_u8(raw, (uint8_t)l->unit);
	ws_put_u8(raw, (uint8_t)l->results);
	ws_put_u8(raw, (uint8_t)l->operands);
	ws_put_var(raw, 0);
	ws_put_var(raw, l->reg);
	ws_put_var(raw, l->runs);
	ws_put_var(raw, l->paths);
	ws_put_var(raw, l->path_runs);
	ws_put_var(raw, l->run_op);
	ws_put_var(raw, l->run_count);
	ws_put_var(raw, l->path);
	ws_put_var(raw, l->tail_path);
	raw->len -= l->cut;
}

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
	if (l->coded)
		put_code(raw, l);
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
	LIE("an atomic past the L1", "past the L1 one of kind 2", .kind = 2, .space = 0x20),
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
	/* machine code */
	LIE("true code", NULL, CODED),
	LIE("edges of code", NULL, CODED, .pc = 2ull * UINT32_MAX, .unit = WS_UNITS - 1,
	    .copy_base = UINT64_MAX, .copy_bytes = 0, .barrier = 1),
	LIE("2^64 - 2 copies", "malformed", CODED, .copies = HUGE_COUNT),
	LIE("a copy past 2^64", "copy 0: 64 bytes", CODED, .copy_base = UINT64_MAX - 63),
	LIE("2^64 - 2 registers", "malformed", CODED, .regs = HUGE_COUNT),
	LIE("a register more", "malformed", CODED, .regs = 3),
	LIE("a register fewer", "malformed", CODED, .regs = 1),
	LIE("2^64 - 2 of code", "malformed", CODED, .codes = HUGE_COUNT),
	LIE("no code", "malformed", CODED, .codes = 0),
	LIE("a PC of 2^32", "malformed", CODED, .pc = 1ull << 33),
	LIE("a PC below 0", "malformed", CODED, .pc = 1),
	LIE("unit 11", "code 0: unit is 11", CODED, .unit = WS_UNITS),
	LIE("255 results", "malformed", CODED, .results = 255),
	LIE("255 operands", "malformed", CODED, .operands = 255),
	LIE("register 512", "malformed", CODED, .reg = WS_REGISTERS),
	LIE("register 2^64 - 2", "malformed", CODED, .reg = HUGE_COUNT),
	LIE("2^64 - 2 runs", "malformed", CODED, .runs = HUGE_COUNT),
	LIE("a run more", "malformed", CODED, .runs = 2),
	LIE("2^64 - 2 paths", "malformed", CODED, .paths = HUGE_COUNT),
	LIE("a path of 2 runs", "malformed", CODED, .path_runs = 2),
	LIE("a path of 2^64 - 2 runs", "malformed", CODED, .path_runs = HUGE_COUNT),
	LIE("a run past the code", "path 0: code 1 + 1", CODED, .run_op = 2),
	LIE("a run before the code", "malformed", CODED, .run_op = 1),
	LIE("a run of two", "path 0: code 0 + 2", CODED, .run_count = 2),
	LIE("a run of 2^32 - 1", "want it within 1", CODED, .run_count = UINT32_MAX),
	LIE("a run of 2^32", "malformed", CODED, .run_count = 1ull << 32),
	LIE("an empty path", "its path has 0 instructions", CODED, .run_count = 0),
	LIE("path 2 of 1", "path is 2", CODED, .path = 2),
	LIE("path 2^32", "malformed", CODED, .path = 1ull << 32),
	LIE("a path shorter than its gap", "its path has 1 instructions, want 3", CODED,
	    .gap = 2),
	LIE("a path of no tail", "segment 0: its path has 1 instructions, want 0", CODED,
	    .tail_path = 1),
	LIE("a tail's path that is not there", "malformed", CODED, .cut = 1),
	LIE("bytes after the code", "malformed", CODED, .raw_zeros = 1),
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

static void lies(void)
{
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

int main(void)
{
	lies();
	bomb();
	return test_done();
}
