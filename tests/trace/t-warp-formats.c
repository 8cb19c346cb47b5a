/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-warp-formats.c -- NVBit's mem_trace, Nugteren's traces, PPT-GPU's: small files
 * against what they mean by hand, and what is refused.
 */
#include <unistd.h>

#include "tests/test.h"
#include "tests/trace/foreign.h"

#define ZEROS4 " 0x0000000000000000 0x0000000000000000 0x0000000000000000 0x0000000000000000"
#define ZEROS8 ZEROS4 ZEROS4
#define ZEROS31 ZEROS8 ZEROS8 ZEROS8 ZEROS4 \
	" 0x0000000000000000 0x0000000000000000 0x0000000000000000"
#define ZEROS29 ZEROS8 ZEROS8 ZEROS8 ZEROS4 " 0x0000000000000000"
#define CTX "MEMTRACE: CTX 0x00005581d8a3c5a0 - "
#define LAUNCH(id, name) \
	CTX "LAUNCH - Kernel pc 0x00007f0000000b00 - Kernel name " name " - grid launch id " id \
	" - grid size 2,1,1 - block size 64,1,1 - nregs 12 - shmem 300 - cuda stream id 0\n"
#define ACCESS(id, cta, warp, opcode) \
	CTX "grid_launch_id " id " - CTA " cta ",0,0 - warp " warp " - " opcode " -"

static const struct answer {
	const char *format, *what, *text, *want;
} answers[] = {
	{ "nvbit", "widths and spaces by opcode, inactive lanes are 0, a name with dashes",
	  "------------- NVBit (NVidia Binary Instrumentation Tool v1.5.5) Loaded --------------\n"
	  LAUNCH("0", "k(int) - grid launch id x") "the program speaks\n"
	  ACCESS("0", "1", "0", "LDG.E.64.CONSTANT") " 0x0000000000001000 0x0000000000000000 "
	  "0x0000000000001010"
	  ZEROS29 " \n" ACCESS("0", "1", "1", "STS.U8") " 0x0000000000000010" ZEROS31 "\n"
	  ACCESS("0", "1", "0", "RED.E.ADD") " 0x0000000000002000" ZEROS31 " \n"
	  ACCESS("0", "1", "0", "STG.E") " 0x0000000000000000" ZEROS31 " \n"
	  ACCESS("0", "0", "0", "STG.E.128") " 0x0000000000003000" ZEROS31 " \n"
	  LAUNCH("1", "l") ACCESS("1", "0", "1", "LDS.S16") " 0x0000000000000002" ZEROS31 "\n",
	  "0.0: Sg16 0:3000;\n1.0: Lg8 0:1000,2:1010; Ag4 0:2000; +1;\n1.1: Ss1 0:10;\n--\n"
	  "0.1: Ls2 0:2;\n" },
	{ "nvbit", "warps as the hardware numbers them, and one whose number is taken by then",
	  LAUNCH("0", "k") ACCESS("0", "0", "37", "STG.E") " 0x0000000000001000" ZEROS31 "\n"
	  ACCESS("0", "0", "0", "STG.E") " 0x0000000000002000" ZEROS31 "\n"
	  ACCESS("0", "0", "37", "STG.E") " 0x0000000000003000" ZEROS31 "\n"
	  ACCESS("0", "1", "1", "STG.E") " 0x0000000000004000" ZEROS31 "\n"
	  ACCESS("0", "1", "64", "STG.E") " 0x0000000000005000" ZEROS31 "\n",
	  "0.0: Sg4 0:1000; Sg4 0:3000;\n0.1: Sg4 0:2000;\n1.0: Sg4 0:5000;\n1.1: Sg4 0:4000;\n" },
	{ "nugteren", "threads in any order; the n-th accesses of a warp together if they are "
		"alike",
	  "blocksize: 40 1 1\n41 0 4096 4\n0 0 256 4\n40 0 4092 4\n33 1 512 8\n1 0 260 4\n"
	  "0 1 16 4\n1 1 20 8\n"
	  "1 0 24 4\n",
	  "0.0: Lg4 0:100,1:104; Sg4 0:10; Sg8 1:14; Lg4 1:18;\n0.1: Sg8 1:200;\n"
	  "1.0: Lg4 0:ffc,1:1000;\n" },
	{ "ppt-gpu", "records of one block: the first lanes",
	  "\n=====\nLDG.E.SYS 0x1000 0x1010 \n\n=====\nSTG.E.U16.SYS 0x2000 \n=====\nTEX\n=====\n"
	  "ATOMS.ADD 0x8 \n",
	  "0.0: Lg4 0:1000,1:1010; Sg2 0:2000; As4+1 0:8;\n" },
};

/* tell() of all launches, "--" between them. */
static char *tell_all(const struct ws_trace *t)
{
	size_t len;
	char *text;
	FILE *to = open_memstream(&text, &len);

	for (size_t l = 0; l < ws_trace_launches(t); l++) {
		char *launch = tell(t, l, 32);

		fprintf(to, "%s%s", l ? "--\n" : "", launch);
		free(launch);
	}
	fclose(to);
	return text;
}

static void known(void)
{
	for (size_t i = 0; i < WS_COUNT(answers); i++) {
		struct ws_err err = { 0 };
		struct ws_trace *t;
		struct file f;
		char *got = NULL;
		struct ws_in in = { .data = (const uint8_t *)answers[i].text,
				    .len = strlen(answers[i].text),
				    .name = (char *)(uintptr_t)"x" };
		const struct ws_trace_format *row;

		must(!ws_trace_format_recognise(&in, &row, &err), err.text);
		if (read_text(NULL, answers[i].text, &f, &t, &err) == WS_OK)
			got = tell_all(t);
		test_ok(got && row && strcmp(row->name, answers[i].format) == 0 &&
				strcmp(got, answers[i].want) == 0,
			"%s: %s", answers[i].format, answers[i].what);
		if (!got || strcmp(got, answers[i].want))
			printf("# %s\n# got %s# want %s", err.text, got ? got : "-\n",
			       answers[i].want);
		free(got);
		ws_trace_close(t);
		free(f.data);
	}
}

static const char *const refused[][3] = {
	{ "nvbit", ACCESS("0", "0", "0", "STG.E") " 0x0000000000001000" ZEROS31 "\n",
	  "x:1: an access of launch 0, which is not the one" },
	{ "nvbit", LAUNCH("0", "k") LAUNCH("1", "k") ACCESS("0", "0", "0",
	  "STG.E") " 0x1" ZEROS31 "\n",
	  "x:3: an access of launch 0" },
	{ "nvbit", LAUNCH("0", "k") ACCESS("0", "0", "0",
	  "STG.E") " 0x0000000000001000" ZEROS29 "\n",
	  "want 32 addresses" },
	{ "nvbit", LAUNCH("0", "k") ACCESS("0", "2", "0", "STG.E") " 0x1" ZEROS31 "\n",
	  "CTA 2,0,0, warp 0: the grid is 2,1,1" },
	{ "nvbit", LAUNCH("0", "k") ACCESS("0", "0", "5", "STG.E") " 0x1" ZEROS31 "\n"
	  ACCESS("0", "0", "6", "STG.E") " 0x1" ZEROS31 "\n" ACCESS("0", "0", "7",
		 "STG.E") " 0x1" ZEROS31 "\n",
	  "x:4: warp 7: CTA 0 has 2 warps, and that many others were there" },
	{ "nvbit", CTX "LAUNCH - Kernel pc 0x0 - grid launch id 0\n", "x:1: want LAUNCH" },
	{ "nvbit", "MEMTRACE: CTX 0xzz\n", "want a context" },
	{ "nugteren", "blocksize: 4097 1 1\n", "x:1: 'blocksize: 4097 1 1': want" },
	{ "nugteren", "blocksize: 64 64 2\n", "at most 4096 threads" },
	{ "nugteren", "blocksize: 64 1 1\n0 2 16 4\n", "x:2: '0 2 16 4': want THREAD 0|1" },
	{ "nugteren", "blocksize: 64 1 1\n99999999999 0 16 4\n", "want threads below" },
	{ "nugteren", "blocksize: 64 1 1\n0 0 18446744073709551615 4\n",
	  "past the end of the address space" },
	{ "nugteren", "blocksize: 64 1 1\n\n", "no access after it" },
	{ "ppt-gpu", "=====\nLDG 0x0 0x0 zz\n", "x:2: 'LDG 0x0 0x0 zz': want an opcode" },
	{ "ppt-gpu", "=====\nLDG 0xffffffffffffffff\n", "pass the end of the address space" },
};

static void refusals(void)
{
	for (size_t i = 0; i < WS_COUNT(refused); i++) {
		struct ws_err err = { 0 };
		struct ws_trace *t;
		struct file f;
		enum ws_status status = read_text(refused[i][0], refused[i][1], &f, &t, &err);

		test_ok(status == WS_EFORMAT && strstr(err.text, refused[i][2]), "%s: %s",
			refused[i][0], err.text[0] ? err.text : refused[i][2]);
		ws_trace_close(t);
		free(f.data);
	}
}

/* Blocks of a launch in files side by side. */
static void blocks(void)
{
	char folder[] = "/tmp/ppt.XXXXXX", path[3][128];
	struct ws_err err = { 0 };
	struct ws_trace *t;
	struct ws_in in;
	struct file f;
	char *got;

	must(mkdtemp(folder) != NULL, folder);
	for (int i = 0; i < 3; i++) {
		FILE *file;

		snprintf(path[i], sizeof path[i], "%s/kernel_7_block_%d.mem", folder,
			 i == 2 ? 3 : i);
		file = fopen(path[i], "w");
		must(file && fprintf(file, "\n=====\nLDG.E 0x%d000 \n", i + 1) > 0 && !fclose(file),
		     path[i]);
	}
	must(!ws_in_open(&in, path[0], &err), path[0]);
	must(!read_named(NULL, path[0], in.data, in.len, &f, &t, &err), err.text);
	got = tell(t, 0, 32);
	test_str(got, "0.0: Lg4 0:1000;\n1.0: Lg4 0:2000;\n", "two blocks, of which the second is "
		 "beside");
	test_str(ws_trace_launch(t, 0)->kernel, "kernel_7", "a kernel's name");
	ws_in_close(&in);
	for (int i = 0; i < 3; i++)
		unlink(path[i]);
	rmdir(folder);
	free(got);
	ws_trace_close(t);
	free(f.data);
}

int main(void)
{
	known();
	refusals();
	blocks();
	return test_done();
}
