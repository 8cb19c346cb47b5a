/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-residency.c -- how many CTAs an SM holds, what bounds it, and
 * what a launch that does not fit is told.
 */
#include "tests/trace/steps.h"
#include "tests/test.h"

static enum ws_status none(void *context, unsigned thread, uint64_t cta, struct ws_err *err)
{
	(void)context;
	(void)thread;
	(void)cta;
	(void)err;
	return WS_OK;
}

static enum ws_status no_more(void *context, unsigned thread, struct ws_step *step, bool *more,
			      struct ws_err *err)
{
	(void)step;
	*more = false;
	return none(context, thread, 0, err);
}

static const struct ws_steps empty = { NULL, none, no_more };

struct row {
	uint64_t threads, shared, registers;
	uint64_t ctas;		/* 0: an error */
	const char *text;	/* the limit, or the message */
};

static const struct row rows[] = {
	/* 8 CTAs, 48 warps, 1536 threads, 48 KiB, 32768 registers, CTAs up to 1024 threads */
	{ 64, 0, 0, 8, "CTAs" },
	{ 224, 0, 0, 6, "warps" },	/* 7 of 48 warps; 1536 / 224 = 6.9 as well: warps first */
	{ 193, 0, 0, 6, "warps" },	/* 7 warps: the last has one thread */
	{ 256, 9000, 0, 5, "shared memory" },
	{ 256, 0, 33, 3, "registers" },	/* 32768 / 8448 = 3.9 */
	{ 200, 0, 33, 4, "registers" },	/* in whole warps 224: 32768 / 7392 = 4.4 */
	{ 1024, 49152, 32, 1, "warps" },
	{ 1056, 0, 0, 0, "a CTA of 1056 threads: small allows 1024 (cta.threads)" },
	{ 32, 49153, 0, 0,
	  "a CTA of 49153 bytes of shared memory: small allows 49152 (sm.shared)" },
	{ 1000, 0, 33, 0, "a CTA of 33792 registers: small allows 32768 (sm.registers)" },
	{ 32, 0, UINT64_MAX, 0,
	  "a CTA of 18446744073709551615 registers: small allows 32768 (sm.registers)" },
};

static void run(const struct row *row, const struct ws_machine *m)
{
	const struct ws_launch l = { .kernel = (char[]){ "k" }, .grid = { 30, 1, 1 }, .ctas = 30,
				     .block = { row->threads, 1, 1 }, .shared_bytes = row->shared,
				     .registers = row->registers };
	struct ws_order_stats stats = { 0 };
	struct ws_err err = { 0 };
	enum ws_status status = ws_order_steps(&l, &empty, m, NULL, NULL, &stats, &err);

	if (row->ctas)
		test_ok(status == WS_OK && stats.resident_ctas == row->ctas &&
			strcmp(stats.limit, row->text) == 0, "%" PRIu64 " CTAs, bounded by %s; got "
			"%"
			PRIu64 " by %s%s", row->ctas, row->text, stats.resident_ctas,
			stats.limit ? stats.limit : "none", err.text);
	else
		test_ok(status == WS_EINVAL && strcmp(err.text, row->text) == 0, "%s, got %s",
			row->text, err.text);
}

static void test_other_limits(void)
{
	struct ws_machine m = small_machine();
	const struct row threads = { 200, 0, 0, 6, "threads" }; /* 1536 / 224 = 6.9 */
	const struct row warps = { 32, 0, 0, 0, "a CTA of 32 warps: small allows 31 (sm.warps)" };
	const struct row padded = {
		65, 0, 0, 0, "a CTA of 96 threads in whole warps: small allows 80 (sm.threads)"
	};

	m.sm_ctas = 32;
	m.sm_warps = 64;
	run(&threads, &m);
	m.sm_threads = 80;
	run(&padded, &m);
	m.sm_threads = 1536;
	m.sm_warps = 31;
	m.warp_width = 1;
	run(&warps, &m);
}

/* What no trace file would say. */
static void test_absurd(void)
{
	struct ws_machine m = small_machine();
	struct ws_launch l = { .kernel = (char[]){ "k" }, .ctas = 1, .block = { 1, 1, 1 } };
	struct ws_instruction in = { .kind = WS_LOAD, .bytes = 5000 };
	struct ws_err err = { 0 };

	l.block[0] = l.block[1] = 1ull << 32;
	test_ok(ws_order_steps(&l, &empty, &m, NULL, NULL, NULL, &err) == WS_EINVAL &&
		strstr(err.text, "4294967296 threads along one dimension"), "%s", err.text);
	err.status = WS_OK;
	l.block[0] = 4096;
	l.block[1] = 2;
	test_ok(ws_order_steps(&l, &empty, &m, NULL, NULL, NULL, &err) == WS_EINVAL &&
		strstr(err.text, "a CTA of 8192 threads"), "%s", err.text);
	err.status = WS_OK;
	l.block[0] = l.block[1] = 1;
	l.ctas = 1ull << 40;
	test_ok(ws_order_steps(&l, &empty, &m, NULL, NULL, NULL, &err) == WS_EINVAL &&
		strstr(err.text, "a grid of 1099511627776 CTAs"), "%s", err.text);
	err.status = WS_OK;
	l.ctas = 1;
	l.instruction = &in;
	l.instructions = 1;
	test_ok(ws_order_steps(&l, &empty, &m, NULL, NULL, NULL, &err) == WS_EINVAL &&
		strstr(err.text, "5000 bytes, want"), "%s", err.text);
}

int main(void)
{
	struct ws_machine m = small_machine();

	for (size_t i = 0; i < WS_COUNT(rows); i++)
		run(&rows[i], &m);
	test_other_limits();
	test_absurd();
	return test_done();
}
