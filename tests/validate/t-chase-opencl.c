/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-chase-opencl.c -- an OpenCL device as a target of pointer chasing.
 */
#include "tests/test.h"
#include "validate/pchase.h"

static void fails(const struct ws_chase_opencl *o, const char *why)
{
	struct ws_chase_target t;
	struct ws_err err = { 0 };
	enum ws_status status = ws_chase_opencl(&t, o, &err);

	test_ok(status == WS_EINVAL && strstr(err.text, why), "%s", err.text);
	test_ok(!t.state, "nothing is left open");
}

/* Loads of one line hit; the latencies of 64 new lines are no less. */
static void ask(struct ws_chase_target *t)
{
	struct ws_err err = { 0 };
	uint64_t offset[128], past = t->bytes;
	double cycles[128], hits = 0, others = 0;

	for (size_t i = 0; i < 128; i++)
		offset[i] = i < 64 ? i * 1024 : 0;
	test_ok(t->run(t->state, offset, 128, true, cycles, &err) == WS_OK, "128 loads %s",
		err.text);
	for (size_t i = 0; i < 64; i++) {
		others += cycles[i];
		hits += cycles[64 + i];
	}
	test_ok(t->note[0] || hits <= others, "hits take no longer: %.0f and %.0f cycles", hits,
		others);
	test_ok(t->run(t->state, &past, 1, true, cycles, &err) == WS_EINVAL, "%s", err.text);
}

/* Whatever is found, it is no failure. */
static void infer(const struct ws_chase_opencl *o)
{
	struct ws_chase_options few = { .seed = 1, .loads = 50000 };
	struct ws_chase_target t;
	struct ws_chase *c = calloc(1, sizeof *c);
	struct ws_err err = { 0 };
	enum ws_status status = c ? ws_chase_opencl(&t, o, &err) : WS_ENOMEM;

	if (status == WS_EINVAL) {
		test_skip("a device", err.text);
	} else if (test_ok(status == WS_OK, "a device %s", err.text)) {
		printf("# %s; %s\n", t.name, t.note);
		test_ok(t.name[0] && t.bytes >= 128u << 10, "its name and array");
		ask(&t);
		status = ws_chase_infer(c, &t, &few, &err);
		test_ok(status == WS_OK, "inferred %s", err.text);
		test_ok(t.note[0] ? !(c->size.confidence > 0) : c->levels > 0,
			"%zu levels; a size without a clock is none", c->levels);
		ws_chase_close(&t);
	}
	free(c);
}

int main(void)
{
	struct ws_chase_opencl o = { 0 };

	o.library = "libno-opencl-here.so.1";
	fails(&o, "no OpenCL: libno-opencl-here.so.1 is not found");
	o.library = "libm.so.6";
	fails(&o, "libm.so.6 has no clGetPlatformIDs");
	o.library = NULL;
	infer(&o);
	o.counter = true;
	infer(&o);
	return test_done();
}
