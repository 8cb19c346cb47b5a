/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/b-accel-sim.c -- what reading an Accel-Sim trace costs, in MB of text a second on one
 * core, up to the complete .wst file.  A JSON line each for instructions as compilers make them
 * (one in six accesses memory), and for accesses alone with a list of 32 differences each.
 */
#include <time.h>

#include "tests/test.h"
#include "tests/trace/foreign.h"

#define CTAS 800u
#define TURNS 5 /* the best of them counts */

static void put_header(FILE *to)
{
	fprintf(to, "-kernel name = k\n-grid dim = (%u,1,1)\n-block dim = (256,1,1)\n"
		"-accelsim tracer version = 5\n\n#traces format = x\n", CTAS);
}

static void put_mixed(FILE *to, struct ws_rng *rng, unsigned k)
{
	(void)rng;
	for (unsigned pc = 0; pc < 24; pc++)
		if (pc % 6 == 4)
			fprintf(to, "%04x ffffffff 1 R4 LDG.E 1 R%u 4 1 0x7fb0fc%06x 4 0 \n",
				16 * pc, pc, (k * 4 + pc / 6) * 128 & 0xffffff);
		else
			fprintf(to, "%04x ffffffff 1 R%u IMAD.WIDE 2 R6 R7 0 0 \n", 16 * pc,
				pc + 1);
}

static void put_lists(FILE *to, struct ws_rng *rng, unsigned k)
{
	(void)k;
	for (unsigned pc = 0; pc < 24; pc++) {
		fprintf(to, "%04x ffffffff 1 R4 LDG.E 1 R2 4 2 0x7fb0fc%06x", 16 * pc,
			(unsigned)pick(rng, 0, 0xffff) * 128);
		for (unsigned lane = 1; lane < 32; lane++)
			fprintf(to, " %d", ((int)pick(rng, 0, 8191) - 4096) * 4);
		fputs(" 0 \n", to);
	}
}

static struct file make(void (*put)(FILE *to, struct ws_rng *rng, unsigned k), unsigned ctas)
{
	struct file f = { NULL, 0 };
	FILE *to = open_memstream(&f.data, &f.len);
	struct ws_rng rng;

	ws_rng_seed(&rng, 1);
	put_header(to);
	for (unsigned cta = 0; cta < ctas; cta++) {
		fprintf(to, "#BEGIN_TB\n\nthread block = %u,0,0\n\n", cta);
		for (unsigned w = 0; w < 8; w++) {
			fprintf(to, "warp = %u\ninsts = 24\n", w);
			put(to, &rng, cta * 8 + w);
		}
		fputs("\n#END_TB\n\n", to);
	}
	fclose(to);
	return f;
}

static void measure(const char *name, void (*put)(FILE *to, struct ws_rng *rng, unsigned k),
		    unsigned ctas)
{
	struct file text = make(put, ctas), f = { NULL, 0 };
	double best = 1e9;

	for (int turn = 0; turn < TURNS; turn++) {
		clock_t start = clock(); /* of this process: other load does not count */
		struct ws_err err = { 0 };
		struct ws_trace *t;

		free(f.data);
		must(!read_named("accel-sim", "x", text.data, text.len, &f, &t, &err), err.text);
		best = fmin(best, (double)(clock() - start) / CLOCKS_PER_SEC);
		ws_trace_close(t);
	}
	printf("{\"name\": \"accel-sim/%s\", \"mb_per_s\": %.1f, \"file_ratio\": %.4f}\n", name,
	       (double)text.len / best / 1e6, (double)f.len / (double)text.len);
	free(text.data);
	free(f.data);
}

int main(void)
{
	measure("mixed", put_mixed, CTAS);
	measure("lists", put_lists, CTAS / 8);
	return 0;
}
