/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-accel-sim.c -- Accel-Sim's traces: each form of a line against what it means by
 * hand, what is refused and how it is said, recorded files counted by a second, naive reader,
 * and traces that come back from the writer as they were.
 */
#include <inttypes.h>
#include <unistd.h>

#include "tests/test.h"
#include "tests/trace/foreign.h"

#define HEADER(version, more) \
	"-kernel name = k\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (40,1,1)\n" \
	"-shmem = 5\n" \
	"-nregs = 21\n-shmem base_addr = 0x00007f0002000000\n" \
	"-local mem base_addr = 0x00007f0000000000\n-some key = of later versions\n" \
	"-accelsim tracer version = " version "\n" more "\n#traces format = whatever\n\n"
#define WARP(n, lines) \
	"#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\ninsts = " n "\n" lines "\n#END_TB\n\n"

/* ---- lines ------------------------------------------------------------------------------ */

static const struct answer {
	const char *what, *text, *want;
} answers[] = {
	{ "a base and a stride, and a shifted mask; gaps; a use 3 further on",
	  HEADER("3", "") WARP("5", "0010 ffffffff 1 R1 MOV 1 R2 0 \n"
				    "0020 0000000c 1 R4 LDG.E 1 R2 4 1 0x1000 -16 \n"
				    "0030 ffffffff 0 NOP 0 0 \n0040 ffffffff 0 NOP 0 0 \n"
				    "0050 00000001 0 STG.E.64 2 R2 R4 8 2 0x2000 \n"),
	  "1.0: Lg4+1@3 2:1000,3:ff0; Sg8+2 0:2000;\n" },
	{ "a list; a list of differences; a mask of none; version 5's immediates are no "
	  "differences",
	  HEADER("5", "-enable lineinfo = 0\n")
		  WARP("3",
		       "0010 00000005 0 STG.E 1 R2 4 0 0x0000000000001000 0x0000000000000800 7 \n"
		       "0020 00000007 0 STG.E 1 R2 2 2 0x1000 -8 +\n0030 00000000 0 STG.E 1 R2 4 1 "
		       "0x0 99 0 \n"),
	  NULL },
	{ "differences are one fewer than lanes",
	  HEADER("5", "") WARP("2", "0020 80000003 0 STG.E 1 R2 2 2 0x1000 -8 16 77 78 \n"
				    "0030 00000001 0 STG.E 1 R2 4 2 0x3000 0 1\n"),
	  "1.0: Sg2 0:1000,1:ff8,31:1008; Sg4 0:3000;\n" },
	{ "a list, and a mask of none, whatever its stride",
	  HEADER("5", "") WARP("2", "0020 00000005 0 STG.E 1 R2 4 0 0x1000 0x0000000000000800 0\n"
				    "0030 00000000 0 STG.E 1 R2 4 1 0x0 junk 0 \n"),
	  "1.0: Sg4 0:1000,2:800; +1;\n" },
	{ "source lines; uniform registers; values of registers at the end (version 6)",
	  HEADER("6", "-enable lineinfo = 1\n")
		  WARP("3", "17 0010 00000001 1 UR4 LDG.E.128 2 R2 UR6 16 2 0x1000 0 0 Val 1 0x5 \n"
			    "18 0020 ffffffff 1 R5 MOV 1 UR7 0 0 0 NoVal\n18 0030 ffffffff 0 EXIT "
			    "0 0 0 0 NoVal\n"),
	  "1.0: Lg16 0:1000; +2;\n" },
	{ "thread block and warp on every line (version 1.2), also with SM and its warp",
	  HEADER("1.2", "") WARP("2", "1 0 0 0 0010 00000001 0 STG.E 1 R2 4 2 0x1000 \n"
				      "1 0 0 0 7 3 0020 00000002 0 STG.E 1 R2 4 2 0x2000 \n"),
	  "1.0: Sg4 0:1000; Sg4 1:2000;\n" },
	{ "spaces: shared, constant, generic by window, thread-local words of 80 threads",
	  HEADER("4", "") WARP(
		  "7",
		  "0010 00000001 0 STS 1 R2 4 2 0x10 \n0020 00000001 1 R3 LDC.64 1 R2 8 2 0x20 \n"
		  "0030 00000001 0 ST.E 1 R2 4 2 0x7f0002000010 \n"
		  "0040 00000001 0 ST.E 1 R2 4 2 0x7e0002000010 \n"
		  "0050 00000003 0 STL 1 R2 4 1 0x7f0000000008 0 \n"
		  "0060 00000001 0 STL.64 1 R2 8 2 0xfffff0 \n0070 00000001 1 R3 ATOMS.ADD 1 R2 4 "
		  "2 0x10\n"),
	  /* word 2, thread 40: 4 * (2 * 80 + 40) = 0x320 */
	  "1.0: Ss4 0:10; Lc8@1048576 0:20; Ss4 0:7f0002000010; Sg4 0:7e0002000010; "
	  "Sg4 0:4000000000000320,1:4000000000000324; Sg4 0:400000004ffffba0; "
	  "Sg4 0:400000004ffffce0; As4@1048576 0:10;\n" },
	{ "atomics, asynchronous copies, what is no access, a barrier",
	  HEADER("5", "") WARP("6", "0010 00000001 0 RED.E.ADD.STRONG.GPU 1 R2 4 2 0x1000 0 \n"
				    "0020 00000001 1 R3 ATOMG.E.ADD.64 1 R2 8 2 0x1008 0 \n"
				    "0030 00000001 0 LDGSTS.E.BYPASS.128 1 R2 16 2 0x1010 0 \n"
				    "0040 00000001 0 CCTL.IVALL 1 R2 4 2 0x1010 0 \n"
				    "0050 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0 \n"
				    "0060 ffffffff 0 BAR.ARV 1 R3 0 0 \n"),
	  "1.0: Ag4@1048576 0:1000; Ag8@3 0:1008; Lg16@1048576 0:1010; +1; B; +1;\n" },
	{ "bulk copies: a list and differences of any length, as many lanes at once as there are",
	  HEADER("6", "") "#BEGIN_TB\nthread block = 0,0,0\ncluster id = 0,0,0\ncluster rank = "
			  "0\nwarp = 1\n"
			  "insts = 2\n"
			  "0010 00000001 0 UTMALDG.2D 2 UR4 UR8 128 3 3 0x1000 0x2000 0x3000 0 0 \n"
			  "0020 00000001 0 UTMASTG 2 UR4 UR8 64 4 0x4000 9 64 64 64 64 64 64 64 64 "
			  "0 0 \n#END_TB\n",
	  "0.1: Lg128@1048576 0:1000,1:2000,2:3000; Sg64 0:4000,1:4040,2:4080,3:40c0,4:4100,5:4140,"
	  "6:4180,7:41c0; Sg64 0:4200;\n" },
	{ "no final newline, \\r\\n, blank lines, uses past a barrier and of a wide load's second "
	  "register",
	  "\r\n-grid dim = ( 1, 1, 1 )\r\n-block dim = (32,1,1)\r\n#traces\r\n#BEGIN_TB\r\n"
	  "thread block = 0,0,0\r\n"
	  "warp = 0\r\ninsts = 4\r\n\r\n0010 00000001 1 R4 LDG.E.64 1 R2 8 2 0x1000 \r\n"
	  "0020 ffffffff 0 BAR.SYNC 0 0\r\n"
	  "0030 ffffffff 0 NOP 0 0 \r\n\r\n0040 ffffffff 0 FADD 1 R5 0\r\n#END_TB",
	  "0.0: Lg8@2 0:1000; B; +2;\n" },
	{ "the least use of a load executed twice",
	  HEADER("3", "")
		  WARP("6",
		       "0010 00000001 1 R4 LDG.E 1 R2 4 2 0x1000 \n"
		       "0020 00000001 0 NOP 0 0\n"
		       "0030 00000001 0 NOP 1 R4 0\n"
		       "0010 00000001 1 R4 LDG.E 1 R2 4 2 0x1000 \n"
		       "0030 00000001 0 NOP 1 R4 0\n0010 00000001 1 R4 LDG.E 1 R2 4 2 0x1000 \n"),
	  "1.0: Lg4@2 0:1000; Lg4+2 0:1000; Lg4+1@1048576 0:1000;\n" },
	{ "an empty warp", HEADER("5", "") WARP("0", ""), "" },
};

static void lines(void)
{
	for (size_t i = 0; i < WS_COUNT(answers); i++) {
		struct ws_err err = { 0 };
		struct ws_trace *t;
		struct file f;
		char *got = NULL;

		if (read_text(NULL, answers[i].text, &f, &t, &err) == WS_OK)
			got = tell(t, 0, 32);
		if (answers[i].want)
			test_ok(got && strcmp(got, answers[i].want) == 0, "%s", answers[i].what);
		else
			test_ok(!got && err.status == WS_EFORMAT, "refused: %s", err.text);
		if (answers[i].want && (!got || strcmp(got, answers[i].want)))
			printf("# %s\n# got %s# want %s", err.text, got ? got : "-\n",
			       answers[i].want);
		free(got);
		ws_trace_close(t);
		free(f.data);
	}
}

static void header(void)
{
	static const char text[] = HEADER("3", "-shmem = 99999999999\n-nregs = 21955\n")
		WARP("1", "0010 00000001 1 R4 LDG.E 1 R2 4 2 0x1000 \n");
	struct ws_err err = { 0 };
	const struct ws_launch *l;
	struct ws_trace *t;
	struct file f;

	must(!read_text("accel-sim", text, &f, &t, &err), err.text);
	l = ws_trace_launch(t, 0);
	test_ok(strcmp(l->kernel, "k") == 0 && l->grid[0] == 2 && l->block[0] == 40 &&
			l->ctas == 2 && l->shared_bytes == 0 && l->registers == 0,
		"a header, and what is absurd in it");
	test_ok(l->files == 1 && strcmp(l->file[0], "pc") == 0 && l->instruction[0].line == 16 &&
		l->arrays == 1 && l->instruction[0].array == 0, "places and arrays");
	ws_trace_close(t);
	free(f.data);
}

/* A loop of two turns, an exit of no lane, and one. */
static void machine_code(void)
{
	static const char text[] = HEADER("5", "")
		WARP("7", "0000 ffffffff 1 R1 MOV 0 0 0\n"
			  "0010 ffffffff 1 R2 FFMA 2 R1 R255 0\n"
			  "0020 0000000f 1 R4 LDG.E 1 R2 4 1 0x1000 4\n"
			  "0010 ffffffff 1 R2 FFMA 2 R1 R255 0\n"
			  "0020 0000000f 1 R4 LDG.E 1 R2 4 1 0x1000 4\n"
			  "0030 00000000 0 EXIT 0 0 0\n"
			  "0040 ffffffff 0 EXIT 0 0 0\n");
	struct ws_err err = { 0 };
	const struct ws_launch *l;
	const struct ws_code_run *r;
	struct ws_trace *t;
	struct file f;

	must(!read_text("accel-sim", text, &f, &t, &err), err.text);
	l = ws_trace_launch(t, 0);
	test_u64(l->executed, 32 + 32 + 4 + 32 + 4 + 32, "lanes of the masks");
	test_ok(l->codes == 5 && l->code[1].pc == 0x10 && l->code[0].unit == WS_UNIT_INT &&
		l->code[1].unit == WS_UNIT_SINGLE && l->code[2].unit == WS_UNIT_MEMORY &&
		l->code[4].unit == WS_UNIT_CONTROL, "instructions and their units");
	test_ok(l->code[1].results == 1 && l->code[1].operands == 2 &&
		l->reg[l->code[1].first] == 2 && l->reg[l->code[1].first + 1] == 1 &&
		l->reg[l->code[1].first + 2] == 255, "registers, zero too");
	test_ok(l->paths == 3 && l->instructions == 2 && l->segments == 3, "three paths");
	r = &l->run[l->path[l->instruction[0].path - 1].first];
	test_ok(r->op == 0 && r->count == 3, "to the first load");
	r = &l->run[l->path[l->instruction[1].path - 1].first];
	test_ok(r->op == 1 && r->count == 2, "to the second");
	r = &l->run[l->path[l->segment[2].path - 1].first];
	test_ok(r->op == 3 && r->count == 2, "to the end");
	ws_trace_close(t);
	free(f.data);
}

/* ---- refusals ------------------------------------------------------------------------------ */

#define LINE(line) HEADER("5", "") WARP("1", line "\n")

static const char *const refused[][2] = {
	{ "-kernel name = k\n-kernel id = 1\n-grid di", "without thread blocks" },
	{ "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0",
	  "without thread blocks" },
	{ HEADER("5", ""), "none of the grid's thread blocks is there" },
	{ LINE("0010 00000003 0 STG.E 1 R2 4 2 0x1000"),
	  "x:20: not as many addresses as active lanes" },
	{ LINE("0010 00000003 0 STG.E 1 R2 4 0 0x1000"), "not as many addresses" },
	{ LINE("0010 00000003 0 STG.E 1 R2 4 1 0x1000"), "not as many addresses" },
	{ LINE("0010 00000005 0 STG.E 1 R2 4 1 0x1000 4"), "lanes that are not neighbours" },
	{ LINE("0010 00000003 0 STG.E 1 R2 4 1 0xfffffffffffffff0 32"),
	  "pass an end of the address" },
	{ LINE("0010 00000003 0 STG.E 1 R2 4 2 0x10 -32"), "pass an end of the address" },
	{ LINE("0010 00000001 0 STG.E 1 R2 4 2 0xfffffffffffffffe"),
	  "4 bytes from 0xfffffffffffffffe pass" },
	{ LINE("0010 00000001 0 STG.E 1 R2 4 2 0x1ffffffffffffffff"), "or no numbers" },
	{ LINE("0010 00000003 0 STG.E 1 R2 4 1 0x0 99999999999999999999"), "or no numbers" },
	{ LINE("0010 00000001 0 STG.E 1 R2 4 5 0x0"), "an unknown form of addresses" },
	{ LINE("0010 00000001 0 STG.E 1 R2 5000 2 0x0"), "5000 bytes a lane, want 1..4096" },
	{ LINE("0010 00000001 0 STG.E 1 R2 18446744073709551615 2 0x0"),
	  "18446744073709551615 bytes" },
	{ LINE("0010 00000001 0 UBLKCP 1 R2 4 3 99999999999 0x0"), "fewer addresses than it says" },
	{ LINE("0010 00000001 0 STG.E 9 R2"), "not as many source registers" },
	{ LINE("0010 00000001 9 R1 STG.E"), "" },
	{ LINE("0010 1ffffffff 0 NOP 0 0 0"), "mask of at most 32 lanes" },
	{ LINE("0010 zz 0 NOP 0 0 0"), "no line, PC and mask" },
	{ LINE("0010 00000001 0 NOP 0"), "no width" },
	{ HEADER("5", "") WARP("2", "0010 00000001 0 NOP 0 0 0\n"),
	  "x:22: warp 0 of thread block 1,0,0 has 1 instructions, but insts = 2" },
	{ HEADER("5", "") WARP("0", "0010 00000001 0 NOP 0 0 0\n"),
	  "has 1 instructions, but insts = 0" },
	{ HEADER("5", "") WARP("0", "") WARP("0", ""),
	  "x:25: thread block 1,0,0 for a second time" },
	{ HEADER("5", "") "#BEGIN_TB\nthread block = 0,0,0\nthread block = 1,0,0\n#END_TB\n",
	  "x:16: a second thread block = before #END_TB" },
	{ HEADER("5", "") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 1\ninsts = 0\nwarp = 0\n"
		"insts = 0\n"
	  "warp = 1\ninsts = 0\n#END_TB\n", "x:20: warp 1 of thread block 0,0,0 for a second "
	  "time" },
	{ HEADER("5", "") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n#END_TB\n",
	  "warp 0 of thread block 0,0,0 has no insts" },
	{ HEADER("5", "") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 2\ninsts = 0\n",
	  "warp = 2, but thread" },
	{ HEADER("5", "") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 1152921504606846976\n",
	  "warp = 115" },
	{ HEADER("5", "") "#BEGIN_TB\nthread block = 0,1,0\n",
	  "thread block = 0,1,0, but the grid is 2,1,1" },
	{ HEADER("5", "") "#BEGIN_TB\nwarp = 0\n", "a warp before its thread block" },
	{ HEADER("5", "") "#BEGIN_TB\nthread block = 0,0,0\n0010 0 0 NOP\n",
	  "an instruction before its warp" },
	{ HEADER("5", "") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n",
	  "ends within a thread block" },
	{ HEADER("5", "") "#END_TB\n", "#END_TB without #BEGIN_TB" },
	{ HEADER("5", "") "#BEGIN_TB\n#BEGIN_TB\n", "#BEGIN_TB within a thread block" },
	{ HEADER("5", "") "nonsense\n", "'nonsense': want #BEGIN_TB" },
	{ HEADER("5", "") WARP("1", "0010 00000100 0 STG.E 1 R2 4 2 0x0\n\nwarp = 1\ninsts = 1\n"
				   "0010 00000100 0 STG.E 1 R2 4 2 0x0\n"), "warp 1 has 8 lanes" },
	{ HEADER("1.2", "") WARP("1", "0 0 0 0 0010 00000001 0 NOP 0 0\n"),
	  "another thread block or warp" },
	{ "-kernel name = k\n-grid dim = (1,1,1)\n#\n", "without -grid dim or -block dim" },
	{ "-grid dim = (1152921504606846976,1,1)\n-block dim = (1,1,1)\n#\n",
	  "launch 0: a grid of" },
	{ "-grid dim = (16777217,1,1)\n-block dim = (1,1,1)\n#\n#BEGIN_TB\nthread block = 0,0,0\n"
		"#END_TB\n",
	  "x:6: launch 0 of 16777217 CTAs: " },
	{ "-grid dim = (1,1,1)\n-block dim = (4097,1,1)\n#\n", "block[0] is 4097" },
	{ "-grid dim = (1,1)\n-block dim = (1,1,1)\n#\n", "x:1: want -grid dim = (x,y,z)" },
	{ "kernel-1.traceg\nnonsense\n", "kernel-1.traceg: No such file" },
	{ "MemcpyHtoD,0x00007f0000000000,64\nnonsense\n",
	  "x:2: 'nonsense': want the name of a .traceg" },
	{ "kernel-1.trace\n", "post-traces-processing" },
};

static void refusals(void)
{
	for (size_t i = 0; i < WS_COUNT(refused); i++) {
		struct ws_err err = { 0 };
		struct ws_trace *t;
		struct file f;
		enum ws_status status = read_text("accel-sim", refused[i][0], &f, &t, &err);

		test_ok((status == WS_EFORMAT || status == WS_EINPUT) &&
				strstr(err.text, refused[i][1]),
			"%s", err.text[0] ? err.text : refused[i][1]);
		ws_trace_close(t);
		free(f.data);
	}
}

/* ---- recorded files -------------------------------------------------------------------------- */

#define FOLDER "../shared/data/accel-sim/"

struct counts {
	uint64_t insts, memory, kinds[WS_KINDS];
};

/* By scanf and its friends, from the grammar alone: insts = of all warps, warp memory instructions
 * with a lane, and lanes. */
static void count_naively(const char *path, struct counts *c)
{
	FILE *file = fopen(path, "r");
	char line[4096];

	must(file != NULL, path);
	while (fgets(line, sizeof line, file)) {
		unsigned long n, mask, dst, src, width;
		char opcode[64];
		int at = 0, more;

		if (sscanf(line, "insts = %lu", &n) == 1)
			c->insts += n;
		if (sscanf(line, "%*x %8lx %lu %n", &mask, &dst, &at) < 2 || strchr(line, '='))
			continue;
		for (; dst--; at += more)
			must(sscanf(line + at, "%*s %n", &more) == 0, line);
		must(sscanf(line + at, "%63s %lu %n", opcode, &src, &more) == 2, line);
		for (at += more; src--; at += more)
			must(sscanf(line + at, "%*s %n", &more) == 0, line);
		must(sscanf(line + at, "%lu", &width) == 1, line);
		if (!width || !mask)
			continue;
		c->memory++;
		for (; mask; mask &= mask - 1)
			c->kinds[opcode[0] == 'S' ? WS_STORE : WS_LOAD]++;
	}
	fclose(file);
}

static void count_trace(const struct ws_trace *t, struct counts *c)
{
	for (size_t l = 0; l < ws_trace_launches(t); l++) {
		const struct ws_launch *launch = ws_trace_launch(t, l);
		struct ws_decoder *d;

		must(!ws_decoder_new(&d, t, l, NULL), "ws_decoder_new");
		for (int k = 0; k < WS_KINDS; k++)
			c->kinds[k] += launch->accesses[k];
		for (uint64_t cta = 0; cta < launch->ctas; cta++) {
			struct ws_step step;
			bool more = true;

			must(!ws_decoder_seek(d, cta, NULL), "ws_decoder_seek");
			while (!ws_decoder_next(d, &step, &more, NULL) && more) {
				const struct ws_segment *s = &launch->segment[step.segment];
				uint64_t warps = 0;

				for (size_t w = 0; w < step.words; w++)
					warps += (uint64_t)((uint32_t)step.mask[w] != 0) +
						 (step.mask[w] >> 32 != 0);
				c->memory += warps * s->count;
				c->insts += warps * (s->tail + s->barrier);
				if (s->count)
					c->insts += warps * (1 + launch->instruction[s->first].gap);
			}
		}
		ws_decoder_free(d);
	}
}

static void recorded(const char *name, const char *const *files, size_t count)
{
	struct counts want = { 0 }, got = { 0 };
	struct ws_err err = { 0 };
	struct ws_trace *t;
	struct ws_in in;
	struct file f;
	char path[256];

	for (size_t i = 0; i < count; i++) {
		snprintf(path, sizeof path, FOLDER "%s", files[i]);
		count_naively(path, &want);
	}
	snprintf(path, sizeof path, FOLDER "%s", name);
	must(!ws_in_open(&in, path, &err), err.text);
	must(!read_named(NULL, path, in.data, in.len, &f, &t, &err), err.text);
	count_trace(t, &got);
	test_ok(ws_trace_launches(t) == count && got.insts == want.insts &&
			got.memory == want.memory &&
			memcmp(got.kinds, want.kinds, sizeof got.kinds) == 0 && got.insts > 0 &&
			got.memory > 0,
		"%s: %" PRIu64 " warp instructions, %" PRIu64
		" of them with addresses, want %" PRIu64 " and %" PRIu64,
		name, got.insts, got.memory, want.insts, want.memory);
	ws_trace_close(t);
	ws_in_close(&in);
	free(f.data);
}

static void recordings(void)
{
	static const char *const bfs[] = { "bfs-kernel-1.traceg", "bfs-kernel-2.traceg",
					   "bfs-kernel-3.traceg", "bfs-kernel-4.traceg" };
	static const char *const add[] = { "vectoradd-kernel-1.traceg" };

	if (access(FOLDER "bfs-kernelslist.g", R_OK)) {
		test_skip("recorded traces", "no " FOLDER);
		return;
	}
	recorded("bfs-kernelslist.g", bfs, WS_COUNT(bfs));
	recorded(add[0], add, WS_COUNT(add));
}

/* ---- the writer
 * ------------------------------------------------------------------------------- */

/* Lanes in order of threads: what was before merging and after. */
static char *tell_all(const struct ws_trace *t)
{
	size_t len;
	char *text;
	FILE *to = open_memstream(&text, &len);

	for (size_t l = 0; l < ws_trace_launches(t); l++) {
		char *launch = tell(t, l, 32);

		fprintf(to, "%s\n%s", ws_trace_launch(t, l)->kernel, launch);
		free(launch);
	}
	fclose(to);
	return text;
}

/* Random steps, as warps of 32 have them, in one or two launches. */
static struct file random_trace(struct ws_rng *rng, size_t launches)
{
	struct ws_launch l[2];
	struct file f;

	for (size_t i = 0; i < launches; i++) {
		l[i] = random_launch(rng);
		for (size_t s = 0; s < l[i].segments; s++) { /* no steps that say nothing */
			l[i].segment[s].tail %= 6;
			l[i].segment[s].pace = (struct ws_pace){ 0 };
		}
		for (size_t n = 0; n < l[i].instructions; n++) {
			struct ws_instruction *in = &l[i].instruction[n];

			in->gap %= 5;
			in->pace = (struct ws_pace){ 0 }; /* it is not written */
			in->use = in->kind == WS_STORE ? 1 : 1 + in->use % 9;
			in->bytes = in->bytes % 16 + 1;
		}
	}
	f = write_file(l, launches, ws_rng_u64(rng), 3);
	for (size_t i = 0; i < launches; i++)
		ws_launch_clear(&l[i]);
	return f;
}

static struct file write_one(const struct ws_trace *t, struct ws_err *err)
{
	struct file f = { NULL, 0 };
	struct ws_out out = { .file = open_memstream(&f.data, &f.len) };

	if (ws_trace_format_find("accel-sim")->write(t, NULL, &out, err) != WS_OK)
		f.len = 0;
	fclose(out.file);
	return f;
}

/* What the writer has to do with each warp: its last instruction is an EXIT, one more if the last
 * one is an access or a barrier, or there is none. */
static char *with_exits(const struct ws_trace *t)
{
	const struct ws_launch *l = ws_trace_launch(t, 0);
	size_t warps = (size_t)(ws_launch_threads(l) + 31) / 32, len;
	char *told = tell(t, 0, 32), *at = told, *text;
	FILE *to = open_memstream(&text, &len);

	fprintf(to, "%s\n", l->kernel);
	for (uint64_t i = 0; i < l->ctas * warps; i++) {
		char name[48], *end, *last;
		size_t n = (size_t)snprintf(name, sizeof name, "%" PRIu64 ".%" PRIu64 ":",
					    i / warps, i % warps);

		if (strncmp(at, name, n)) {
			fprintf(to, "%s +1;\n", name);
			continue;
		}
		end = strchr(at, '\n');
		*end = '\0';
		last = strrchr(at, ' ');
		fprintf(to, "%s%s\n", at, last && last[1] == '+' ? "" : " +1;");
		at = end + 1;
	}
	fclose(to);
	free(told);
	return text;
}

/* A trace read from Accel-Sim's form, written and read again, says the same, and that its warps
 * end. */
static void round_trips(void)
{
	size_t unlike = 0, done = 0;

	for (size_t i = 0; i < WS_COUNT(answers); i++) {
		struct ws_err err = { 0 };
		struct ws_trace *t, *u = NULL;
		struct file f, g = { NULL, 0 }, h = { NULL, 0 };

		if (!answers[i].want || read_text(NULL, answers[i].text, &f, &t, &err))
			continue;
		g = write_one(t, &err);
		if (g.len && !read_named(NULL, "y", g.data, g.len, &h, &u, &err)) {
			char *a = with_exits(t), *b = tell_all(u);

			/* uses of what is not global are not kept */
			unlike += strcmp(a, b) != 0 && !strstr(a, "Lc8@1048576");
			done++;
			free(a);
			free(b);
		}
		ws_trace_close(t);
		ws_trace_close(u);
		free(f.data);
		free(g.data);
		free(h.data);
	}
	test_ok(done == WS_COUNT(answers) - 1 && !unlike, "%zu traces written and read again, %zu "
		"differ", done, unlike);
}

/* Steps as others make them: what the second reading says is what the first did. */
static void stable(uint64_t seed)
{
	size_t unlike = 0, refuse = 0;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (unsigned i = 0; i < 60; i++) {
		struct ws_err err = { 0 };
		struct file f = random_trace(&rng, 1), g, h = { NULL, 0 }, g2, h2 = { NULL, 0 };
		struct ws_trace *t, *u = NULL, *v = NULL;

		must(!open_bytes(&t, f.data, f.len, &err), err.text);
		g = write_one(t, &err);
		must(g.len > 0, err.text);
		/* random addresses may pass the end of the address space, which is refused */
		if (read_named("accel-sim", "y", g.data, g.len, &h, &u, &err)) {
			refuse += strstr(err.text, "end of the address space") != NULL;
		} else {
			g2 = write_one(u, &err);
			must(!read_named("accel-sim", "z", g2.data, g2.len, &h2, &v, &err),
			     err.text);
			char *a = tell_all(u), *b = tell_all(v);

			unlike += strcmp(a, b) != 0;
			free(a);
			free(b);
			free(g2.data);
			free(h2.data);
			ws_trace_close(v);
		}
		ws_trace_close(t);
		ws_trace_close(u);
		free(f.data);
		free(g.data);
		free(h.data);
	}
	test_ok(!unlike && refuse < 50,
		"random traces written twice: %zu differ (%zu past the end)", unlike, refuse);
}

/* Of a list beside those files. */
static void copies(const char *path)
{
	static const char list[] = "MemcpyHtoD,0x1000,64\nMemcpyDtoH,0x1,2\nm.traceg\n"
		"MemcpyHtoD,2000,3\nMemcpyHtoD,0x3000,4\nm.traceg\n",
		wrong[] = "MemcpyHtoD,0x1000\nm.traceg\n";
	char member[160];
	FILE *file;
	struct ws_err err = { 0 };
	const struct ws_launch *l;
	struct ws_trace *t;
	struct file f;

	snprintf(member, sizeof member, "%.*s/m.traceg", (int)(strrchr(path, '/') - path), path);
	file = fopen(member, "w");
	must(file && fputs(HEADER("5", "") WARP("1", "0010 00000001 1 R4 LDG.E 1 R2 4 2 0x1000"),
			   file) >= 0 && !fclose(file), member);
	must(!read_named(NULL, path, list, sizeof list - 1, &f, &t, &err), err.text);
	l = ws_trace_launch(t, 0);
	test_ok(l->copies == 1 && l->copy[0].base == 0x1000 && l->copy[0].bytes == 64, "a copy");
	l = ws_trace_launch(t, 1);
	test_ok(l->copies == 2 && l->copy[0].base == 0x2000 && l->copy[0].bytes == 3 &&
		l->copy[1].base == 0x3000 && l->copy[1].bytes == 4, "two before the next launch");
	ws_trace_close(t);
	free(f.data);
	test_ok(read_named("accel-sim", path, wrong, sizeof wrong - 1, &f, &t, &err) &&
		strstr(err.text, "want MemcpyHtoD,ADDRESS,BYTES"), "half a copy: %s", err.text);
	unlink(member);
	free(f.data);
}

static void lists(void)
{
	char folder[] = "/tmp/accel-sim.XXXXXX", path[128], member[160];
	struct ws_err err = { 0 };
	struct ws_rng rng;
	struct file f, g;
	struct ws_trace *t, *u;
	struct ws_out out;
	struct ws_in in;

	ws_rng_seed(&rng, 8);
	f = random_trace(&rng, 2);
	must(!open_bytes(&t, f.data, f.len, &err) && mkdtemp(folder), "a folder");
	g = write_one(t, &err);
	test_ok(g.len == 0 && err.status == WS_EINVAL && strstr(err.text, "called NAME.g"),
		"two launches into one file: %s", err.text);
	free(g.data);
	snprintf(path, sizeof path, "%s/all.g", folder);
	must(!ws_out_open(&out, path, NULL) &&
	     !ws_trace_format_find("accel-sim")->write(t, NULL, &out, NULL) &&
	     !ws_out_commit(&out, NULL), "write");
	must(!ws_in_open(&in, path, NULL), path);
	test_ok(in.len == 40 &&
			memcmp(in.data, "kernel-1-all.traceg\nkernel-2-all.traceg\n", 40) == 0,
		"a list of two, %zu bytes", in.len);
	ws_in_close(&in);
	snprintf(member, sizeof member, "%s/kernel-2-all.traceg", folder);
	test_ok(access(member, R_OK) == 0, "its files are beside it");
	copies(path);
	unlink(member);
	must(!ws_in_open(&in, path, NULL), path);
	err = (struct ws_err){ 0 };
	test_ok(read_named(NULL, path, in.data, in.len, &g, &u, &err) != WS_OK && err.text[0],
		"one of them is not there: %s", err.text);
	ws_in_close(&in);
	snprintf(member, sizeof member, "%s/kernel-1-all.traceg", folder);
	unlink(member);
	unlink(path);
	rmdir(folder);
	ws_trace_close(t);
	free(f.data);
	free(g.data);
}

int main(void)
{
	lines();
	header();
	machine_code();
	refusals();
	recordings();
	round_trips();
	stable(test_seed(1));
	lists();
	return test_done();
}
