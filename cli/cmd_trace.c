/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_trace.c -- runs OpenCL and CUDA kernels on the CPU and writes their trace.
 */
#include "cli/app.h"
#include "trace/capture.h"

#include <stdlib.h>
#include <string.h>

struct trace_options {
	struct cli_options common;
	const char *kernel, *global, *local, *grid, *block, *offset, *build, *launches, *images;
	struct ws_list arg, check;
	uint64_t ctas, registers;
	bool local_accesses, no_source, app;
};

#define AT(member) offsetof(struct trace_options, member)

static const struct ws_option table[] = {
	{ .name = "kernel", .type = WS_OPT_STRING, .offset = AT(kernel), .arg = "NAME",
	  .brief = "the kernel to run or, with --app, to trace",
	  .help = "FILE is OpenCL C or CUDA (.cu), and this the kernel in it to run, a template's "
		  "as in 'mm<float, 16>'; without it the file's kernels are named; with --app: "
		  "only launches of kernels of this name are traced" },
	{ .name = "global", .type = WS_OPT_STRING, .offset = AT(global), .arg = "X[,Y[,Z]]",
	  .brief = "work-items in each dimension, in place of --grid",
	  .help = "with --kernel: work-items in each dimension" },
	{ .name = "local", .type = WS_OPT_STRING, .offset = AT(local), .arg = "X[,Y[,Z]]",
	  .brief = "work-items of a work-group",
	  .help = "with --kernel: work-items of a work-group (threads of a CTA)" },
	{ .name = "grid", .type = WS_OPT_STRING, .offset = AT(grid), .arg = "X[,Y[,Z]]",
	  .brief = "CTAs in each dimension",
	  .help = "with --kernel and --block, in place of --global: CTAs in each dimension" },
	{ .name = "block", .type = WS_OPT_STRING, .offset = AT(block), .arg = "X[,Y[,Z]]",
	  .brief = "threads of a CTA in each dimension",
	  .help = "with --kernel: threads of a CTA, as --local" },
	{ .name = "offset", .type = WS_OPT_STRING, .offset = AT(offset), .arg = "X[,Y[,Z]]",
	  .help = "with --kernel: where global identifiers begin; 0 if left out" },
	{ .name = "arg", .type = WS_OPT_LIST, .offset = AT(arg), .arg = "NAME=VALUE",
	  .brief = "the next argument: A=buffer:float:4096:random, n=64",
	  .help = "with --kernel: the next argument, by the parameter's name: a number, 1,2,3,4 "
		  "for a vector, or one number for all of it, local:BYTES, another argument's "
		  "buffer, or buffer:TYPE:COUNT[:INITIALISER], where the initialiser is zero, "
		  "iota, constant:V, random[:LO:HI][:seed=S] or file:PATH; an image, as "
		  "image2d:rgba:float:64x48[:INITIALISER], or sampler:linear:clamp:normalized "
		  "(warpstack-launch(5))" },
	{ .name = "build", .type = WS_OPT_STRING, .offset = AT(build), .arg = "OPTIONS",
	  .help = "with --kernel: options of the compiler, as in '-DTILE=16': -D -U -I "
		  "-cl-... -W... -w -O... -std=..." },
	{ .name = "registers", .type = WS_OPT_U64, .offset = AT(registers), .arg = "N", .min = 1,
	  .max = UINT64_C(65536),
	  .help = "registers of a thread, of all launches, which limit how many CTAs an SM runs; "
		  "if left out, what the launch file says, or of a CUDA kernel an estimate" },
	{ .name = "check", .type = WS_OPT_LIST, .offset = AT(check), .arg = "BUFFER=FILE[:TOL]",
	  .complete = "file",
	  .help = "compares a buffer with a file of raw elements after the run, to a relative "
		  "tolerance; if it differs, no trace is written and the exit code is 1" },
	{ .name = "local-accesses", .type = WS_OPT_FLAG, .offset = AT(local_accesses),
	  .help = "records accesses to local (shared) memory too; no cache sees them" },
	CLI_OPT_OUT_OF_BOUNDS("fail if left out, with --app record for OpenCL"),
	CLI_OPT_KERNEL_TIMEOUT("; with --app kernels run as long as they do"),
	{ .name = "app", .type = WS_OPT_FLAG, .offset = AT(app),
	  .brief = "traces a program: --app -o app.wst -- ./program 512",
	  .help = "what follows -- is a program that uses OpenCL, or CUDA and was compiled by "
		  "warpstack-nvcc, and its arguments: it is run, and the kernels that it launches "
		  "are traced; wants -o" },
	{ .name = "launches", .type = WS_OPT_STRING, .offset = AT(launches), .arg = "N|A:B",
	  .brief = "with --app: the first N launches, or A:B",
	  .help = "with --app: traces the first N launches, or the A-th to the B-th, of the "
		  "kernels that are asked for; the platform runs the others" },
	{ .name = "ctas", .type = WS_OPT_U64, .offset = AT(ctas), .arg = "N", .min = 1,
	  .max = UINT64_MAX,
	  .brief = "with --app: the first N CTAs of each launch",
	  .help = "with --app: traces the first N CTAs of each launch, as a launch of N; the "
		  "platform then runs the launch from its beginning" },
	{ .name = "no-source", .type = WS_OPT_FLAG, .offset = AT(no_source),
	  .help = "leaves the sources of the kernels out of the trace; else they are in it, "
		  "without what they include, and `warpstack report` shows them" },
	{ .name = "images", .type = WS_OPT_STRING, .offset = AT(images),
	  .arg = "row-major|block-linear",
	  .help = "with --app: at which addresses the texels of images with two axes or more lie "
		  "(warpstack-launch(5)); row-major if left out" },
	{ .name = "machine", .letter = 'm', .type = WS_OPT_STRING, .offset = CLI_AT(machine),
	  .arg = "NAME|FILE", .complete = "machine",
	  .help = "the machine whose cta.threads limits the work-group, and whose SMs tell how "
		  "many groups that wait for each other run together; nothing else about it "
		  "matters to a trace, but with --app it is what the program finds as its GPU" },
	CLI_OPT_OUTPUT("the trace; standard output if left out, unless that is a terminal"),
	CLI_OPT_THREADS, { 0 },
};

/* ---- the command line as a program --------------------------------------- */

/* One to three numbers separated by commas; *dim is set or must agree with that of option `of`. */
static enum ws_status sizes(struct cli_call *call, const char *name, const char *text,
			    uint64_t size[3], unsigned *dim, const char *of, struct ws_err *err)
{
	char number[32];
	unsigned count = 0;
	const char *p = text;

	for (;; p++) {
		size_t len = strcspn(p, ",");

		if (count == 3 || len >= sizeof number)
			break;
		memcpy(number, p, len);
		number[len] = '\0';
		if (!ws_parse_size(number, &size[count]))
			break;
		count++;
		p += len;
		if (*p == '\0' && *dim && *dim != count)
			return cli_usage(call->command, err, "--%s=%s has %u number%s: want %u, "
					 "as --%s has", name, text, count, count == 1 ? "" : "s",
					 *dim, of);
		if (*p == '\0') {
			*dim = count;
			return WS_OK;
		}
	}
	return cli_usage(call->command, err, "--%s=%s: want one to three numbers, as in 128,128",
			 name, text);
}

static enum ws_status launch_sizes(struct cli_call *call, const struct trace_options *o,
				   struct ws_launch_spec *l, struct ws_err *err)
{
	const char *first = o->grid ? o->grid : o->global, *second = o->block ? o->block : o->local,
		   *of = o->grid ? "grid" : "global";
	unsigned dim = 0;
	enum ws_status status;

	if (!first || !second || (o->grid && o->global) || (o->block && o->local))
		return cli_usage(call->command, err, "--kernel wants --grid and --block, or "
				 "--global and --local, too");
	status = sizes(call, o->grid ? "grid" : "global", first, l->global, &dim, of,
		       err);
	if (status == WS_OK)
		status = sizes(call, o->block ? "block" : "local", second, l->local, &dim, of,
			       err);
	if (status == WS_OK && o->grid && !ws_launch_grid(l))
		return cli_usage(call->command, err, "--grid=%s: want less than 2^64 threads in "
				 "each dimension", o->grid);
	if (status == WS_OK && o->offset)
		status = sizes(call, "offset", o->offset, l->offset, &dim, of, err);
	l->dim = dim;
	return status;
}

static enum ws_status from_options(struct ws_program *p, struct cli_call *call,
				   const struct trace_options *o, struct ws_err *err)
{
	struct ws_launch_spec *l;
	enum ws_status status = WS_OK;

	if (call->operands.count == 0)
		return cli_usage(call->command, err, "--kernel wants a FILE of OpenCL C or "
				 "CUDA");
	p->source = ws_strdup(call->operands.item[0]);
	p->options = ws_strdup(o->build ? o->build : "");
	l = ws_program_add_launch(p, 0);
	if (!p->source || !p->options || !l || !(l->kernel = ws_strdup(o->kernel)))
		return ws_fail_memory(err, "the launch");
	status = launch_sizes(call, o, l, err);
	for (size_t i = 0; i < o->arg.count && status == WS_OK; i++)
		status = ws_program_arg(p, o->arg.item[i], err);
	return status;
}

/* A launch of no kernel, which fails with the names of those that there are. */
static enum ws_status ask_for_kernel(struct ws_program *p, const char *source, struct ws_err *err)
{
	struct ws_launch_spec *l = ws_program_add_launch(p, 0);

	p->source = ws_strdup(source);
	p->options = ws_strdup("");
	if (!p->source || !p->options || !l || !(l->kernel = ws_strdup(WS_WHICH_KERNEL)))
		return ws_fail_memory(err, "the launch");
	l->dim = 1;
	l->global[0] = l->local[0] = 1;
	return WS_OK;
}

static enum ws_status parse_launches(struct ws_program *p, const struct ws_in *in,
				     struct ws_err *err)
{
	enum ws_status status = cli_untraced(in, err);

	return status == WS_OK ? ws_program_parse(p, in->name, in->data, in->len, err) : status;
}

static enum ws_status from_file(struct ws_program *p, struct cli_call *call,
				const struct trace_options *o, struct ws_err *err)
{
	const char *stray = o->global ? "global" : o->local ? "local" : o->grid ? "grid"
			  : o->block ? "block" : o->offset ? "offset"
			  : o->build ? "build" : o->arg.count ? "arg" : NULL;
	struct ws_in in = { 0 };
	enum ws_status status;

	if (stray)
		return cli_usage(call->command, err, "--%s wants --kernel too; a launch file says "
				 "it itself", stray);
	status = cli_input_bytes(&in, call, 0, err);
	if (status == WS_OK && ws_trace_recognise(in.data, in.len))
		status = ws_fail(err, WS_EINVAL, "%s is a trace already: want a launch file, or "
				 "a kernel's source and --kernel", in.name);
	if (status == WS_OK && cli_is_source(in.name))
		status = ask_for_kernel(p, in.name, err);
	else if (status == WS_OK)
		status = parse_launches(p, &in, err);
	ws_in_close(&in);
	return status;
}

static enum ws_status make_program(struct ws_program *p, struct cli_call *call,
				   const struct trace_options *o, struct ws_err *err)
{
	enum ws_status status = o->kernel ? from_options(p, call, o, err)
					  : from_file(p, call, o, err);

	for (size_t i = 0; i < p->launches && o->registers && status == WS_OK; i++)
		p->launch[i].registers = o->registers;
	for (size_t i = 0; i < o->check.count && status == WS_OK; i++)
		status = ws_program_check(p, o->check.item[i], err);
	/* Those of options too. */
	return status == WS_OK ? cli_program_reads(call, p, err) : status;
}

/* ---- running it ---------------------------------------------------------- */

/* Standard output has been written by now; a file is kept only if the checks hold. */
static enum ws_status compare_outputs(struct cli_call *call, const struct ws_program *p,
				      struct ws_out *out, struct ws_err *err)
{
	bool differs = false;
	char text[512] = "";
	enum ws_status status = ws_program_compare(p, &differs, text, sizeof text, err);

	if (status != WS_OK || !differs)
		return status;
	call->no = true;
	cli_complain(text);
	ws_out_abort(out);
	return WS_OK;
}

static enum ws_status capture(struct cli_call *call, struct ws_program *p,
			      const struct trace_options *o, struct ws_err *err)
{
	struct ws_machine m;
	struct ws_out out = { 0 };
	enum ws_status status = cli_machine(call, &m, err);

	if (status == WS_OK)
		status = cli_binary_open(&out, call, "trace", err);
	if (status == WS_OK)
		status = cli_capture(call, p, &m,
				     (o->local_accesses ? CLI_CAPTURE_LOCAL : 0u) |
				     (o->no_source ? CLI_CAPTURE_NO_SOURCE : 0u), &out, err);
	if (status == WS_OK && p->checks)
		status = compare_outputs(call, p, &out, err);
	if (status == WS_OK && out.file)
		status = ws_out_commit(&out, err);
	ws_out_abort(&out);
	return status;
}

/* ---- somebody's program ---------------------------------------------------- */

static enum ws_status check_app(struct cli_call *call, const struct trace_options *o,
				struct ws_err *err)
{
	const char *stray = o->global ? "global" : o->local ? "local" : o->grid ? "grid"
			  : o->block ? "block" : o->offset ? "offset"
			  : o->build ? "build" : o->arg.count ? "arg"
			  : o->check.count ? "check"
			  : o->common.kernel_timeout ? "kernel-timeout" : NULL;
	uint64_t first, last;

	if (stray)
		return cli_usage(call->command, err, "--%s does not go with --app", stray);
	if (o->launches && !ws_launches_parse(o->launches, &first, &last))
		return cli_usage(call->command, err, "--launches=%s: want N, or A:B with "
				 "1 <= A <= B", o->launches);
	if (o->images && strcmp(o->images, "row-major") != 0 &&
	    strcmp(o->images, "block-linear") != 0)
		return cli_usage(call->command, err, "--images=%s: want row-major or block-linear",
				 o->images);
	if (!call->operands.count)
		return cli_usage(call->command, err, "--app wants a program: "
				 "--app -- PROGRAM [ARGUMENT]...");
	if (!call->options->output || strcmp(call->options->output, "-") == 0)
		return cli_usage(call->command, err, "--app wants -o FILE: standard output is the "
				 "program's");
	return WS_OK;
}

static enum ws_status run_app(struct cli_call *call, const struct trace_options *o,
			      struct ws_err *err)
{
	struct app_options app = {
		.kernel = o->kernel,
		.launches = o->launches,
		.ctas = o->ctas,
		.registers = o->registers,
		.local = o->local_accesses,
		.images = o->images,
		.no_source = o->no_source,
	};
	struct ws_out out = { 0 };
	struct app_end end = { 0 };
	enum ws_status status = check_app(call, o, err);

	if (status == WS_OK)
		status = cli_machine(call, &app.machine, err);
	if (status == WS_OK)
		status = cli_binary_open(&out, call, "trace", err);
	if (status == WS_OK)
		status = app_trace(call, &app, &out, &end, err);
	if (status == WS_OK && out.file)
		status = ws_out_commit(&out, err);
	ws_out_abort(&out);
	app_end_alike(&end);
	return status;
}

static enum ws_status run_kernels(struct cli_call *call, const struct trace_options *o,
				  struct ws_err *err)
{
	struct ws_program p = { 0 };
	enum ws_status status;

	if (o->launches || o->ctas || o->images)
		return cli_usage(call->command, err, "--%s wants --app too",
				 o->launches ? "launches" : o->ctas ? "ctas" : "images");
	if (call->operands.count > 1)
		return cli_usage(call->command, err, "one operand too many, '%s': warpstack %s %s",
				 call->operands.item[1], call->command->name, call->command->usage);
	status = make_program(&p, call, o, err);
	if (status == WS_OK)
		status = capture(call, &p, o, err);
	ws_program_clear(&p);
	return status;
}

static enum ws_status run_trace(struct cli_call *call, struct ws_err *err)
{
	struct trace_options *o = (struct trace_options *)(void *)call->options;

	return o->app ? run_app(call, o, err) : run_kernels(call, o, err);
}

const struct cli_command cli_cmd_trace = {
	.name = "trace",
	.summary = "traces the memory accesses of CUDA and OpenCL kernels",
	.usage = "[options] [FILE.launch] | --kernel NAME --grid N --block N [options] FILE.cl|"
		 "FILE.cu | "
		 "--app -o FILE [options] -- PROGRAM [ARGUMENT]...",
	.description =
		"Compiles OpenCL C or CUDA, runs it on the CPU over the buffers it is given, and "
		"writes every "
		"access to global memory: the trace, from which `warpstack profile`, predict, "
		"simulate and crosscheck start.  No GPU and no OpenCL platform are needed, but "
		"LLVM is.\n"
		"\n"
		"A launch file says what to run: the source, the buffers and what is in them, "
		"and one "
		"or more launches in sequence over the same buffers.  With --kernel, one "
		"launch can be "
		"given on the command line instead.  Arguments are checked against the kernel's "
		"signature.\n"
		"\n"
		"A source called .cu is CUDA: its kernels are compiled by clang with headers of "
		"warpstack, and no toolkit is needed.  Its __device__ and __constant__ variables "
		"begin with what the source says, and keep what a launch leaves in them; to begin "
		"with something else they follow the parameters as further arguments, by name, as "
		"buffers.  The last argument is shared memory without a size, as local:BYTES.  "
		"Warps that exchange values are of 32 threads.  docs/cuda.md says what is "
		"supported.\n"
		"\n"
		"Sources and kernels may come from strangers: compiler and kernels run in "
		"processes of their own that reach no file, network or process (`warpstack "
		"version -v` says by what means), within the machine's memory and "
		"--kernel-timeout.  A program of --app runs with all the rights of the user, and "
		"its kernels in it.\n"
		"\n"
		"With --app, a program that uses OpenCL is run as it is, with a layer "
		"(OPENCL_LAYERS) between it and its OpenCL platform; a platform for the CPU, "
		"such as PoCL, is enough.  The program finds the machine of -m as a GPU.  Kernels "
		"that come from source are run here, in its buffers, and each launch is a section "
		"of the trace; a kernel that cannot be (unknown built-ins, programs without "
		"source, errors) is left to the platform, with a message.  Work-groups that the "
		"program leaves to OpenCL are as large as divides the work along x, then y, then "
		"z, up to 256 work-items.  Profiling queries tell how long the traced run took.  "
		"At the end the overhead is printed.\n"
		"\n"
		"A CUDA program is compiled by `warpstack-nvcc` in nvcc's place (make "
		"NVCC=warpstack-nvcc), and then runs with --app or alone, without a GPU: its "
		"kernels run here, and the memory that it allocates is its own.  An access out of "
		"bounds is reported with its line, and cudaErrorIllegalAddress, as on a GPU; with "
		"--out-of-bounds record it is traced.\n"
		"\n"
		"Each launch is written as it ends: a program that is killed, or leaves by _exit "
		"or abort, leaves the trace of the launches that had ended.  Of several processes "
		"the first that launches something is traced.  SIGINT, SIGQUIT, SIGTERM, SIGHUP, "
		"SIGUSR1 and SIGUSR2 are passed on to the program; if it is ended by one of them, "
		"the trace is completed and warpstack ends by the same signal.  If warpstack is "
		"killed, the program is, too.  Otherwise "
		"the exit code is 1 if the program's is not 0, or if it was killed.  Of a program "
		"that launches nothing there is no trace; its exit code is passed on, 128 and the "
		"signal's number if it was killed.\n"
		"\n"
		"An access is out of bounds if one of its bytes is outside the buffer, or the "
		"local variable or argument, that its address is computed from; all of it then "
		"counts as outside.  --out-of-bounds record traces it at that array's address and "
		"the offset, modulo 2^64.  An address computed from no array that is known is "
		"traced at that of the buffer that it is within 4 KiB of, else, below 4 GiB, as "
		"it is, else as its last 12 bits.  Work-items go on with the zeros that such "
		"loads give: a loop that waits for what it reads there does not end.  A vector "
		"that is not at a multiple of its size ends the run in any case, as do pointers "
		"to generic memory that are to no buffer.\n"
		"\n"
		"Work-items that wait for other work-groups (a barrier over the grid, a queue, a "
		"lock) go round a loop that does nothing but load, or repeat an atomic that "
		"changes nothing.  Groups of such kernels run together, as many as the machine of "
		"-m holds at once, in turns; a work-item that waits polls once a turn, and the "
		"trace has that.  If none of them can go on, the run ends with the line where the "
		"first one waits; with --app the launch is left to the platform.  Loops that wait "
		"otherwise (that count their turns, or have a barrier in them) are not known as "
		"such: one that loads the same for long is taken for one, and polls more than "
		"once a turn.\n"
		"\n"
		"A trace does not depend on the machine: not on the warp width, nor on the "
		"number of "
		"SMs or threads; but for how many groups that wait for each other run together.",
	.examples =
		"warpstack trace data/kernel/mm-16x8.launch -o mm.wst\n"
		"warpstack trace data/kernel/reduce.cu --kernel reduce --grid 64 --block 256 "
		"--arg in=buffer:float:262144:random --arg out=buffer:float:1 --arg count=262144 "
		"-o reduce.wst\n"
		"warpstack trace data/kernel/mm.cl --kernel mm --global 128,128 --local 16,16 "
		"--arg A=buffer:float:16384:random --arg B=buffer:float:16384:random "
		"--arg C=buffer:float:16384:zero --arg width=128 --arg height=128 -o mm.wst\n"
		"# a program as it is: the first 100 launches of its kernel `stencil`\n"
		"warpstack trace --app --kernel stencil --launches 100 -o app.wst -- ./program 512",
	.table = { table, cli_general },
	.size = sizeof(struct trace_options),
	.operands_max = SIZE_MAX, /* with --app */
	.complete = "file",
	.run = run_trace,
};
