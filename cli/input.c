/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/input.c -- opens FILE as a trace or a profile.
 *
 * The first bytes of a file tell its type: a trace, a profile, another tool's trace, or else text,
 * which is a launch file.  Kernels of a launch file are captured, and other tools' traces
 * converted, into an unnamed temporary file.
 */
#include "cli/cli.h"
#include "trace/capture.h"
#include "trace/import.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- bytes --------------------------------------------------------------- */

static bool is_ours(const void *data, size_t len)
{
	return ws_trace_recognise(data, len) || ws_profile_recognise(data, len);
}

/* A launch file of the data folders, if there is no file of that name: "mm-16x8", or with .launch.
 * Allocated; NULL: none. */
static char *installed_kernel(const char *path)
{
	const char *endings[] = { "", ".launch" };
	char relative[WS_NAME_MAX + 24], *found = NULL;

	if (!path || !*path || strchr(path, '/') || access(path, F_OK) == 0)
		return NULL;
	for (size_t i = 0; i < WS_COUNT(endings) && !found; i++) {
		int n = snprintf(relative, sizeof relative, "kernel/%s%s", path, endings[i]);

		if (n > 0 && (size_t)n < sizeof relative &&
		    strcmp(relative + n - 7, ".launch") == 0)
			found = ws_data_path(relative);
	}
	return found;
}

enum ws_status cli_input_bytes(struct ws_in *in, struct cli_call *call, size_t operand,
			       struct ws_err *err)
{
	const char *path = operand < call->operands.count ? call->operands.item[operand] : NULL;
	const struct ws_trace_format *from;
	char *named;
	enum ws_status status = cli_format_find(call, "from", call->options->from, &from, err);

	*in = (struct ws_in){ 0 };
	if (status != WS_OK)
		return status;
	if (!path && isatty(STDIN_FILENO))
		return cli_usage(call->command, err, "no FILE given, and standard input is a "
						     "terminal");
	if (!path || strcmp(path, "-") == 0)
		status = cli_reads(call, NULL, err);
	named = installed_kernel(path);
	if (status == WS_OK && named)
		status = cli_reads(call, named, err);
	if (status == WS_OK)
		status = ws_in_open(in, named ? named : path, err);
	free(named);
	if (status == WS_OK)
		status = ws_in_unpack(in, is_ours, err);
	if (status != WS_OK)
		ws_in_close(in);
	return status;
}

/* ---- capture ------------------------------------------------------------- */

#define NOTES_MAX 16u	/* of source lines that access what is out of bounds; of barriers */

struct capture { /* one that runs */
	struct ws_progress progress;
	char note[NOTES_MAX][WS_OUTSIDE_TEXT];
	char barrier[NOTES_MAX][WS_UNMET_TEXT];
	size_t notes, barriers; /* more may be asked for than are kept */
};

static void report_capture(void *context, const char *kernel, uint64_t done, uint64_t total)
{
	struct capture *c = context;

	c->progress.what = kernel;
	c->progress.total = total;
	ws_progress_step(&c->progress, done);
}

/* Kept until the progress line is gone. */
static void outside(void *context, const struct ws_outside *o)
{
	struct capture *c = context;

	if (c->notes++ < NOTES_MAX)
		ws_outside_text(o, c->note[c->notes - 1]);
}

/* The same of another launch is told once. */
static void unmet(void *context, const struct ws_unmet_barrier *b)
{
	struct capture *c = context;
	char text[WS_UNMET_TEXT];
	size_t same;

	ws_unmet_text(b, text);
	same = strcspn(text, "(");
	for (size_t i = 0; i < c->barriers && i < NOTES_MAX; i++) {
		if (strncmp(c->barrier[i], text, same) == 0)
			return;
	}
	if (c->barriers++ < NOTES_MAX)
		memcpy(c->barrier[c->barriers - 1], text, sizeof text);
}

static void tell_outside(const struct cli_call *call, const struct capture *c)
{
	for (size_t i = 0; i < c->notes && i < NOTES_MAX; i++)
		cli_note(call, "%s", c->note[i]);
	if (c->notes > NOTES_MAX)
		cli_note(call, "%zu more lines have accesses out of bounds", c->notes - NOTES_MAX);
	for (size_t i = 0; i < c->barriers && i < NOTES_MAX; i++)
		cli_note(call, "%s", c->barrier[i]);
}

static enum ws_out_of_bounds out_of_bounds(const struct cli_call *call)
{
	const char *name = call->options->out_of_bounds;
	int i = WS_OUT_OF_BOUNDS_FAIL;

	while (name && strcmp(ws_out_of_bounds_names[i], name) != 0)
		i++;
	return (enum ws_out_of_bounds)i;
}

uint64_t cli_kernel_seconds(const struct cli_call *call)
{
	uint64_t seconds = call->options->kernel_timeout;

	return seconds ? seconds : CLI_KERNEL_TIMEOUT;
}

enum ws_status cli_capture(struct cli_call *call, struct ws_program *program,
			   const struct ws_machine *m, unsigned what, struct ws_out *out,
			   struct ws_err *err)
{
	struct capture capture = { .notes = 0 };
	struct ws_capture_options options = {
		.threads = (unsigned)call->options->threads,
		.local = what & CLI_CAPTURE_LOCAL,
		.no_source = what & CLI_CAPTURE_NO_SOURCE,
		.max_threads = m->cta_threads,
		.machine = m,
		.seconds = cli_kernel_seconds(call),
		.progress = report_capture,
		.out_of_bounds = out_of_bounds(call),
		.outside = outside,
		.unmet = unmet,
		.context = &capture,
	};
	char *cache;
	enum ws_status status = ws_program_verify(program, m->cta_threads, err);

	if (status != WS_OK)
		return status;
	status = ws_capture_load(err); /* not under the progress line */
	if (status != WS_OK)
		return status;
	options.cache = cache = ws_capture_cache();
	ws_progress_begin(&capture.progress, "running CTAs", 0, call->options->quiet);
	status = ws_capture(program, &options, out, err);
	free(cache);
	ws_progress_end(&capture.progress);
	tell_outside(call, &capture);
	if (status == WS_OK)
		cli_say(call, "%s: captured in %.3f s",
			program->name ? program->name : program->source,
			ws_seconds() - capture.progress.start);
	return status;
}

#define LINE_SHOWN 60u

/* The first line that is neither empty nor a comment, its first bytes; its number. */
static size_t first_line(const struct ws_in *in, char line[LINE_SHOWN + 1])
{
	const char *at = (const char *)in->data, *end = at + in->len, *stop;
	size_t number = 0, len;

	for (line[0] = '\0'; at < end && (!*line || *line == '#'); at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		if (!stop)
			stop = end;
		while (at < stop && strchr(" \t\r", *at))
			at++;
		len = (size_t)(stop - at) < LINE_SHOWN ? (size_t)(stop - at) : LINE_SHOWN;
		memcpy(line, at, len);
		line[len] = '\0';
		number++;
	}
	return number;
}

/* No control characters, and none but UTF-8; its last character may be cut off. */
static bool is_text(const char *line)
{
	for (const unsigned char *at = (const unsigned char *)line; *at;) {
		unsigned more = *at < 0x80 ? 0 : *at < 0xc2 ? 4 : *at < 0xe0 ? 1 : *at < 0xf0 ? 2
			      : *at < 0xf5 ? 3 : 4;

		if (more == 4 || (*at < ' ' && *at != '\t') || *at == 0x7f)
			return false;
		for (at++; more && *at; more--, at++)
			if ((*at & 0xc0) != 0x80)
				return false;
	}
	return true;
}

enum ws_status cli_program_parse(struct ws_program *p, struct cli_call *call,
				 const struct ws_in *in, struct ws_err *err)
{
	enum ws_status status = ws_program_parse(p, in->name, in->data, in->len, err);

	return status == WS_OK ? cli_program_reads(call, p, err) : status;
}

bool cli_is_source(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (strcmp(dot, ".cl") == 0 || strcmp(dot, ".cu") == 0);
}

enum ws_status cli_untraced(const struct ws_in *in, struct ws_err *err)
{
	static const char elf[] = "\177ELF";

	if (in->len > sizeof elf && memcmp(in->data, elf, sizeof elf - 1) == 0)
		return ws_fail(err, WS_EINVAL, "%s is a program: `warpstack trace --app -o TRACE "
			       "-- %s` traces its kernels", in->name, in->name);
	if (cli_is_source(in->name))
		return ws_fail(err, WS_EINVAL, "%s is a kernel's source: `warpstack trace` makes a "
			       "trace of it", in->name);
	return WS_OK;
}

enum ws_status cli_launch_parse(struct ws_program *p, struct cli_call *call,
				const struct ws_in *in, struct ws_err *err)
{
	static const char *const first[] = { "source", "options", "[" };
	char line[LINE_SHOWN + 1];
	size_t number = first_line(in, line);
	bool launch = !*line || *line == '#';
	enum ws_status status = cli_untraced(in, err);

	if (status != WS_OK)
		return status;
	if (in->len > 3 && memcmp(in->data, "\xef\xbb\xbf", 3) == 0)
		return ws_fail(err, WS_EFORMAT, "%s: begins with a byte order mark: want a text "
			       "without one", in->name);
	for (size_t i = 0; i < WS_COUNT(first); i++)
		launch = launch || strncmp(line, first[i], strlen(first[i])) == 0;
	if (launch)
		return cli_program_parse(p, call, in, err);
	if (!is_text(line))
		return ws_fail(err, WS_EFORMAT, "%s:%zu: not text, thus no launch file, nor a "
			       "trace or profile that is known; --from names a trace's format",
			       in->name, number);
	return ws_fail(err, WS_EFORMAT, "%s:%zu: '%s': no launch file, which begins with source, "
		       "options or a section, nor a trace or profile that is known; --from names a "
		       "trace's format (`warpstack help formats`)", in->name, number, line);
}

static enum ws_status capture_program(struct ws_trace **t, struct cli_call *call,
				      struct ws_program *program, struct ws_err *err)
{
	struct ws_machine m;
	struct ws_out out = { 0 };
	enum ws_status status = cli_machine(call, &m, err);

	if (status == WS_OK)
		status = ws_out_temporary(&out, err);
	if (status == WS_OK)
		status = cli_capture(call, program, &m, 0, &out, err);
	if (status == WS_OK)
		status = ws_trace_open_written(t, &out, program->name, err);
	ws_out_abort(&out);
	return status;
}

/* A launch file's text becomes a trace. */
static enum ws_status open_launch(struct cli_input *input, struct cli_call *call,
				  const struct ws_in *in, struct ws_err *err)
{
	struct ws_program program = { 0 };
	enum ws_status status = cli_launch_parse(&program, call, in, err);

	if (status == WS_OK)
		status = capture_program(&input->trace, call, &program, err);
	ws_program_clear(&program);
	input->captured = true;
	return status;
}

/* ---- other tools' traces --------------------------------------------------- */

struct partial {			/* launches whose files lack CTAs */
	uint64_t launches, has, grid;	/* CTAs: of the first */
	char text[256];
};

static void partial_launch(void *context, const char *kernel, uint64_t has, uint64_t grid)
{
	struct partial *p = context;

	if (!p->launches++)
		snprintf(p->text, sizeof p->text, "; %.100s has %" PRIu64 " of its %" PRIu64
			 " CTAs there", kernel, has, grid);
}

/* What is said of them in a note. */
static const char *partial_text(struct partial *p)
{
	size_t len = strlen(p->text);

	if (p->launches > 1)
		snprintf(p->text + len, sizeof p->text - len, ", and so %" PRIu64 " more launch%s",
			 p->launches - 1, p->launches == 2 ? "" : "es");
	return p->text;
}

static void tell_foreign(const struct cli_call *call, const char *name,
			 const struct ws_trace_format *format, const struct ws_trace *t,
			 uint64_t width, struct partial *partial)
{
	uint64_t warps = 0, accesses = 0;

	if (ws_trace_launches(t) == 0) {
		cli_note(call, "%s: read as %s: no kernel is in it: there is nothing to count",
			 name,
			 format->name);
		return;
	}
	for (size_t i = 0; i < ws_trace_launches(t); i++) {
		const struct ws_launch *l = ws_trace_launch(t, i);

		warps += l->ctas * ((ws_launch_threads(l) + width - 1) / width);
		for (int k = 0; k < WS_KINDS; k++)
			accesses += l->accesses[k];
	}
	cli_note(call, "%s: read as %s: %zu launch%s, %" PRIu64 " warp%s, %" PRIu64
		 " lane access%s%s", name, format->name, ws_trace_launches(t),
		 ws_trace_launches(t) == 1 ? "" : "es", warps, warps == 1 ? "" : "s", accesses,
		 accesses == 1 ? "" : "es", partial_text(partial));
}

enum ws_status cli_foreign_open(struct ws_trace **t, struct cli_call *call, const struct ws_in *in,
				const struct ws_trace_format *format, bool arrays, bool listed,
				struct ws_err *err)
{
	struct partial partial = { 0 };
	const struct ws_import_options options = { .arrays = arrays, .partial = partial_launch,
						   .context = &partial, .listed = listed };
	struct ws_machine m;
	enum ws_status status = cli_machine(call, &m, err);

	if (status == WS_OK)
		status = cli_import_reads(call, format, in, err);
	if (status == WS_OK)
		status = ws_import_trace(t, in, format, &options, err);
	if (status == WS_OK)
		tell_foreign(call, in->name, format, *t, m.warp_width, &partial);
	return status;
}

/* ---- recognition --------------------------------------------------------- */

#define MAGIC_BYTES 8u /* warpstack-trace(5), warpstack-profile(5) */

/* What fewer bytes than a magic number are, if they begin like one. */
static const char *cut_short(const struct ws_in *in)
{
	bool trace, profile;

	if (in->len == 0 || in->len >= MAGIC_BYTES)
		return NULL;
	trace = memcmp(in->data, "WSTRACE", in->len) == 0;
	profile = memcmp(in->data, "WSPROF\0", in->len) == 0;
	return trace && profile ? "trace or profile" : trace ? "trace" : profile ? "profile" : NULL;
}

bool cli_is_text(const struct ws_in *in)
{
	size_t len = in->len < 4096 ? in->len : 4096;

	return len > 0 && !memchr(in->data, '\0', len) && !cut_short(in);
}

/* "accel-sim, lackey, ..." */
static void known_formats(char *text, size_t len)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; ws_trace_formats[i] && used < len; i++) {
		if (!ws_trace_formats[i]->recognise)
			continue;
		used += (size_t)snprintf(text + used, len - used, "%s%s", i ? ", " : "",
					 ws_trace_formats[i]->name);
	}
}

enum ws_status cli_want_text(const struct ws_in *in, const char *want, struct ws_err *err)
{
	if (ws_trace_recognise(in->data, in->len))
		return ws_fail(err, WS_EINVAL, "%s is a trace: %s", in->name, want);
	if (ws_profile_recognise(in->data, in->len))
		return ws_fail(err, WS_EINVAL, "%s is a profile: %s", in->name, want);
	return WS_OK;
}

enum ws_status cli_unknown_file(const struct ws_in *in, struct ws_err *err)
{
	const char *what = cut_short(in);
	enum ws_status status = cli_untraced(in, err);
	char known[256];

	if (status != WS_OK)
		return status;
	if (what)
		return ws_fail(err, WS_EFORMAT, "%s: a %s that is cut off after %zu byte%s",
			       in->name, what, in->len, in->len == 1 ? "" : "s");
	known_formats(known, sizeof known);
	return ws_fail(err, WS_EFORMAT, "%s: %s: want a trace, a profile or a launch file, or "
		       "one of %s", in->name, in->len ? "an unknown kind of file" : "an empty file",
			       known);
}

static enum ws_status unfit(const struct cli_call *call, const struct ws_in *in, const char *what,
			    struct ws_err *err)
{
	return ws_fail(err, WS_EINVAL, "%s is %s: %s wants %s", in->name, what, call->command->name,
		       strcmp(what, "a profile") == 0 ? "a trace or a launch file" : "a profile");
}

enum ws_status cli_foreign_find(const struct ws_trace_format **format, const struct cli_call *call,
				const struct ws_in *in, struct ws_err *err)
{
	const char *from = call->options->from;
	enum ws_status status = cli_format_find(call, "from", from, format, err);

	if (status != WS_OK)
		return status;
	if (from && !*format)
		return ws_fail(err, WS_EFORMAT, "%s: no trace of the format %s", in->name, from);
	return *format || cut_short(in) ? WS_OK : ws_trace_format_recognise(in, format, err);
}

enum ws_status cli_own_check(const struct cli_call *call, const struct ws_in *in,
			     struct ws_err *err)
{
	const struct ws_trace_format *format;
	const char *from = call->options->from;
	bool profile = ws_profile_recognise(in->data, in->len);
	enum ws_status status = cli_format_find(call, "from", from, &format, err);

	if (status != WS_OK || !from || (!format && !profile))
		return status;
	return ws_fail(err, WS_EINVAL, "--from=%s: %s is a %s of warpstack's own", from, in->name,
		       profile ? "profile" : "trace");
}

static enum ws_status recognise_input(struct cli_input *input, struct cli_call *call,
				      struct ws_in *in,
				      unsigned accept, bool arrays, bool listed,
				      struct ws_err *err)
{
	const struct ws_trace_format *format = NULL;
	bool own = is_ours(in->data, in->len);
	enum ws_status status = own ? cli_own_check(call, in, err)
				    : cli_foreign_find(&format, call, in, err);

	if (status != WS_OK)
		return status;
	if (ws_profile_recognise(in->data, in->len)) {
		if (!(accept & CLI_PROFILE))
			return unfit(call, in, "a profile", err);
		return ws_profile_read(&input->profile, in, err);
	}
	if (ws_trace_recognise(in->data, in->len)) {
		if (!(accept & CLI_TRACE))
			return unfit(call, in, "a trace", err);
		return ws_trace_open_in(&input->trace, in, err);
	}
	if (format && !(accept & CLI_TRACE))
		return unfit(call, in, "a trace", err);
	input->foreign = format != NULL;
	if (format)
		return cli_foreign_open(&input->trace, call, in, format, arrays, listed, err);
	if (!cli_is_text(in))
		return cli_unknown_file(in, err);
	return open_launch(input, call, in, err);
}

/* A profile was made with one seed; another cannot be asked for. */
static enum ws_status settle_seed(struct cli_call *call, const struct ws_profile *profile,
				  struct ws_err *err)
{
	uint64_t asked = call->options->seed;

	if (asked != CLI_SEED_NONE && asked != profile->seed)
		return ws_fail(err, WS_EINVAL, "--seed=%" PRIu64 ": the profile was made with seed "
			       "%" PRIu64 "; profile the trace again", asked, profile->seed);
	call->seed = profile->seed;
	return WS_OK;
}

/* Launches apart or together (CLI_OPT_PER). */
static enum ws_status settle_per(struct cli_input *input, const struct cli_call *call,
				 struct ws_err *err)
{
	const struct cli_options *o = call->options;
	const char *per = o->per ? o->per : o->per_usual;
	size_t launches;

	if (!cli_has_option(call->command, "per"))
		return WS_OK;
	if (o->per && input->profile)
		return cli_usage(call->command, err, "--per=%s: a profile was made per kernel or "
				 "per launch: want the trace", o->per);
	if (input->profile || (per && strcmp(per, "kernel") == 0))
		return WS_OK;
	launches = ws_trace_launches(input->trace);
	if (per || (input->foreign && launches <= CLI_LAUNCHES_MAX))
		return ws_trace_part(input->trace, err);
	if (input->foreign)
		cli_note(call, "%zu launches, counted together by kernel: --per launch counts each "
			 "by itself", launches);
	return WS_OK;
}

static enum ws_status open_input(struct cli_input *input, struct cli_call *call, size_t operand,
				 unsigned accept, bool arrays, bool listed, struct ws_err *err)
{
	struct ws_in in = { 0 };
	enum ws_status status = cli_input_bytes(&in, call, operand, err);

	*input = (struct cli_input){ 0 };
	if (status == WS_OK)
		status = recognise_input(input, call, &in, accept, arrays, listed, err);
	/* An open trace has taken the bytes over; all else is a copy. */
	ws_in_close(&in);
	if (status == WS_OK && !input->captured &&
	    (call->options->out_of_bounds || call->options->kernel_timeout))
		status = cli_usage(call->command, err, "--%s wants a launch file: what FILE is of "
				   "has run", call->options->out_of_bounds ? "out-of-bounds"
								       : "kernel-timeout");
	if (status == WS_OK && input->profile)
		status = settle_seed(call, input->profile, err);
	if (status == WS_OK)
		status = settle_per(input, call, err);
	if (status != WS_OK)
		cli_input_close(input);
	return status;
}

enum ws_status cli_input_open(struct cli_input *input, struct cli_call *call, size_t operand,
			      unsigned accept, struct ws_err *err)
{
	/* Commands that tell sites apart only if asked to need no arrays else. */
	bool arrays = !cli_has_option(call->command, "by") || call->options->by;

	return open_input(input, call, operand, accept, arrays, true, err);
}

enum ws_status cli_trace_open(struct ws_trace **out, struct cli_call *call, size_t operand,
			      bool arrays, struct ws_err *err)
{
	struct cli_input input;
	enum ws_status status = open_input(&input, call, operand, CLI_TRACE, arrays, false, err);

	*out = input.trace;
	return status;
}

void cli_input_close(struct cli_input *input)
{
	if (input->trace)
		ws_trace_close(input->trace);
	if (input->profile)
		ws_profile_free(input->profile);
	*input = (struct cli_input){ 0 };
}
