/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-chase-cuda.c -- the path to an NVIDIA GPU, against a driver that is none
 * (tests/cuda/stub.c).
 */
#include "tests/test.h"
#include "validate/pchase.h"

static const char *stub;

/* What goes wrong in the stub, and how that is said. */
static void fails(const char *mode, enum ws_status want, const char *why)
{
	struct ws_chase_cuda o = { .library = stub };
	struct ws_chase_target t;
	struct ws_err err = { 0 };
	uint64_t offset = 0;
	double cycles;
	enum ws_status status;

	setenv("WS_STUB_CUDA", mode, 1);
	status = ws_chase_cuda(&t, &o, &err);
	if (status == WS_OK) {
		status = t.run(t.state, &offset, 1, true, &cycles, &err);
		ws_chase_close(&t);
	}
	test_ok(status == want && strstr(err.text, why), "%s: %s", mode, err.text);
	unsetenv("WS_STUB_CUDA");
}

static void finds(enum ws_chase_how how, uint64_t line, uint64_t ways, uint64_t size)
{
	struct ws_chase_cuda o = { .library = stub, .how = how };
	struct ws_chase_target t;
	struct ws_chase *c = calloc(1, sizeof *c);
	struct ws_err err = { 0 };
	char note[WS_CHASE_NOTE] = "";
	enum ws_status status = c ? ws_chase_cuda(&t, &o, &err) : WS_ENOMEM;

	if (test_ok(status == WS_OK, "the stub is a GPU %s", err.text)) {
		test_str(t.name, "Stub GPU", "its name");
		status = ws_chase_infer(c, &t, NULL, &err);
		test_ok(status == WS_OK, "inferred %s", err.text);
		test_u64(c->line.value, line, "line");
		test_u64(c->ways.value, ways, "ways");
		test_u64(c->size.value, size, "size");
		test_ok(strncmp(c->policy, "lru", 3) == 0, "policy: %s", c->policy);
		t.tell(t.state, note, sizeof note);
		test_str(note, "", "nothing drifts");
		ws_chase_close(&t);
	}
	free(c);
}

static void drifts(void)
{
	struct ws_chase_cuda o = { .library = stub };
	struct ws_chase_target t;
	struct ws_err err = { 0 };
	uint64_t offset[3] = { 0, 128, 0 };
	double cycles[3] = { 0 };
	char note[WS_CHASE_NOTE] = "";
	bool good;

	setenv("WS_STUB_CUDA", "drift", 1);
	good = ws_chase_cuda(&t, &o, &err) == WS_OK;
	for (unsigned i = 0; i < 30 && good; i++)
		good = t.run(t.state, offset, 3, true, cycles, &err) == WS_OK;
	if (test_ok(good, "thirty programs %s", err.text)) {
		test_ok(cycles[0] > 33 && fabs(cycles[2]) > 0, "latencies are there");
		t.tell(t.state, note, sizeof note);
		test_ok(strstr(note, "latencies drift: in ") && strstr(note, "throttles"), "%s",
			note);
		ws_chase_close(&t);
	}
	unsetenv("WS_STUB_CUDA");
}

int main(int argc, char **argv)
{
	struct ws_chase_cuda o = { .library = "libno-cuda-here.so.1" };
	struct ws_chase_target t;
	struct ws_err err = { 0 };
	char path[4096];

	(void)argc;
	snprintf(path, sizeof path, "%.*s/../cuda/libcuda.so.1",
		 (int)(strrchr(argv[0], '/') ? strrchr(argv[0], '/') - argv[0] : 0), argv[0]);
	stub = path;
	test_ok(ws_chase_cuda(&t, &o, &err) == WS_EINVAL && strstr(err.text, "NVIDIA driver"),
		"%s", err.text);
	err = (struct ws_err){ 0 };
	o.library = "libm.so.6";
	test_ok(ws_chase_cuda(&t, &o, &err) == WS_EINVAL && strstr(err.text, "too old"), "%s",
		err.text);
	fails("nodevice", WS_EINVAL, "finds no GPU");
	fails("none", WS_EINVAL, "finds no GPU");
	fails("broken", WS_EIO, "does not start: CUDA error 803");
	fails("old", WS_EINVAL, "the driver is of CUDA 7.5: want 8.0 or newer");
	fails("kepler", WS_EINVAL, "compute capability 3.5: want 5.0");
	if (!ws_chase_has_ptx()) {
		test_skip("the loads", "built without a clang-19 that makes PTX");
		fails("ptx", WS_EINVAL, "built without");
		return test_done();
	}
	fails("jit", WS_EIO, "CUDA error 218 ptxas says no");
	fails("memory", WS_EIO, "the array: CUDA error 2");
	fails("launch", WS_EIO, "the launch: CUDA error 719, CUDA_ERROR_LAUNCH_FAILED");
	finds(WS_CHASE_L1, 128, 4, 16384);
	finds(WS_CHASE_READ_ONLY, 128, 4, 16384);
	finds(WS_CHASE_PAST_L1, 64, 8, 32768);
	drifts();
	return test_done();
}
