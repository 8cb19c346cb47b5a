/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-public.c -- what programs ask of trace/capture.h and trace/import.h: open traces of
 * inputs, of programs put together by hand, and of what a tool of one's own tells the builder.
 */
#include "tests/test.h"
#include "trace/capture.h"
#include "trace/import.h"

static struct ws_in bytes(const char *text)
{
	return (struct ws_in){ .data = (const uint8_t *)text, .len = strlen(text),
			       .name = (char *)(uintptr_t)"x" };
}

static void imports(void)
{
	const struct ws_import_options options = { .arrays = true };
	struct ws_in din = bytes("0 1000\n1 1080\n0 1000\n"), prose = bytes("no trace at all\n");
	struct ws_trace *t = NULL;
	struct ws_err err = { 0 };

	if (test_ok(ws_import_trace(&t, &din, NULL, &options, &err) == WS_OK, "din is known: %s",
		    err.text)) {
		test_u64(ws_trace_launch(t, 0)->accesses[WS_LOAD], 2, "its loads");
		test_u64(ws_trace_launch(t, 0)->accesses[WS_STORE], 1, "its stores");
		test_str(ws_trace_name(t), "x", "its name");
	}
	ws_trace_close(t);
	test_ok(ws_import_trace(&t, &prose, NULL, &options, &err) == WS_EFORMAT && !t,
		"prose is not: %s", err.text);
	err = (struct ws_err){ 0 };
	test_ok(ws_import_trace(&t, &prose, ws_trace_format_find("lackey"), &options, &err) ==
		WS_EFORMAT && !t && strstr(err.text, "lackey"), "nor is it lackey's: %s", err.text);
}

/* Two warps of 7 lanes; the second stores past a barrier. */
static enum ws_status tell(struct ws_builder *b, struct ws_err *err)
{
	static const uint64_t address[7] = { 4096, 4100, 4104, 4108, 4112, 4116, 4120 };
	const struct ws_built_launch launch = { .kernel = "mine", .grid = { 1, 1, 1 },
						.block = { 14, 1, 1 }, .warp_width = 7 };
	struct ws_built_access a = { .pc = 8, .kind = WS_LOAD, .space = WS_SPACE_GLOBAL, .bytes = 4,
				     .lanes = 0x7f, .address = address };
	enum ws_status status = ws_builder_launch(b, &launch, err);

	for (; a.warp < 2 && status == WS_OK; a.warp++) {
		status = ws_builder_access(b, &a, err);
		if (status == WS_OK)
			status = ws_builder_barrier(b, 0, a.warp, err);
	}
	a.warp = 1;
	a.kind = WS_STORE;
	if (status == WS_OK)
		status = ws_builder_access(b, &a, err);
	return status == WS_OK ? ws_builder_end(b, err) : status;
}

static void builds(void)
{
	struct ws_builder *b = NULL;
	struct ws_trace *t = NULL;
	struct ws_err err = { 0 };
	struct ws_out out;
	enum ws_status status = ws_out_temporary(&out, &err);

	if (status == WS_OK)
		status = ws_builder_new(&b, &out, true, &err);
	if (status == WS_OK)
		status = tell(b, &err);
	if (status == WS_OK)
		status = ws_trace_open_written(&t, &out, "mine", &err);
	ws_builder_free(b);
	ws_out_abort(&out);
	if (test_ok(status == WS_OK, "a trace of one's own: %s", err.text)) {
		test_str(ws_trace_launch(t, 0)->kernel, "mine", "its kernel");
		test_u64(ws_trace_launch(t, 0)->accesses[WS_LOAD], 14, "its loads");
		test_u64(ws_trace_launch(t, 0)->accesses[WS_STORE], 7, "its stores");
	}
	ws_trace_close(t);
}

static void captures(void)
{
	const struct ws_capture_options options = { .threads = 1 };
	struct ws_program p = { .source = ws_data_path("kernel/mm.cl"), .options = ws_strdup("") };
	struct ws_launch_spec *l = ws_program_add_launch(&p, 0);
	struct ws_trace *t = NULL;
	struct ws_err err = { 0 };
	static const char *const args[] = { "A=buffer:float:1024:iota", "B=buffer:float:1024:iota",
					    "C=buffer:float:1024", "width=32", "height=32" };
	enum ws_status status = WS_OK;

	if (!p.source || !p.options || !l)
		abort();
	l->kernel = ws_strdup("mm");
	l->dim = 2;
	l->global[0] = l->global[1] = 32;
	l->local[0] = l->local[1] = 16;
	for (size_t i = 0; i < WS_COUNT(args) && status == WS_OK; i++)
		status = ws_program_arg(&p, args[i], &err);
	if (status == WS_OK)
		status = ws_capture_trace(&t, &p, &options, &err);
	if (ws_capture_load(NULL) != WS_OK)
		test_ok(status == WS_EINVAL && !t, "without LLVM: %s", err.text);
	else if (test_ok(status == WS_OK, "a program by hand: %s", err.text))
		test_u64(ws_trace_launch(t, 0)->accesses[WS_STORE], 1024, "its stores");
	ws_trace_close(t);
	ws_program_clear(&p);
}

static void remedies(void)
{
	struct ws_err err = { 0 }, copy = { 0 };
	struct ws_machine m;

	test_ok(ws_machine_load(&m, "gtx480", &err) == WS_OK, "a machine: %s", err.text);
	test_ok(ws_machine_set(&m, "colour=red", &err) == WS_EINVAL &&
		err.remedy == WS_REMEDY_KEYS, "a key is wanted: %s", err.text);
	test_ok(ws_fail_as(&copy, &err) == WS_EINVAL && copy.remedy == WS_REMEDY_KEYS &&
		strcmp(copy.text, err.text) == 0, "passed on");
	test_str(ws_version(), WS_VERSION, "the version");
}

int main(void)
{
	imports();
	builds();
	captures();
	remedies();
	return test_done();
}
