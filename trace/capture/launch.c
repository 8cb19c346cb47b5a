/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch.c -- a program to trace: buffers, launches, checks.
 *
 * It is put together line by line from a launch file (launch_read.c) or
 * argument by argument by the caller; each piece is checked when it is
 * added, and ws_program_verify checks what the pieces say together.
 */
#include "trace/capture/launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The array with room for one more, cleared, at [count]; NULL: out of memory. */
static void *one_more(void *array, size_t count, size_t size)
{
	char *grown = realloc(array, (count + 1) * size);

	if (grown)
		memset(grown + count * size, 0, size);
	return grown;
}

/* ---- buffers ----------------------------------------------------------------- */

static bool parse_type(const char *text, struct ws_buffer *b)
{
	static const struct {
		const char *suffix;
		unsigned lanes;
	} width[] = { { "", 1 }, { "2", 2 }, { "3", 3 }, { "4", 4 }, { "8", 8 }, { "16", 16 } };

	for (unsigned e = 0; e < WS_ELEM_HALF; e++) {
		size_t len = strlen(ws_elem_names[e]);

		if (strncmp(text, ws_elem_names[e], len) != 0)
			continue;
		for (size_t i = 0; i < WS_COUNT(width); i++) {
			if (strcmp(text + len, width[i].suffix) == 0) {
				b->elem = (enum ws_elem)e;
				b->lanes = width[i].lanes;
				return true;
			}
		}
	}
	return false;
}

static const struct ws_buffer *find_buffer(const struct ws_program *p, const char *name)
{
	for (size_t i = 0; i < p->buffers; i++) {
		if (strcmp(p->buffer[i].name, name) == 0)
			return &p->buffer[i];
	}
	return NULL;
}

/* What the buffers take in device memory so far. */
static uint64_t device_bytes(const struct ws_program *p)
{
	uint64_t total = 0;

	for (size_t i = 0; i < p->buffers; i++)
		total += (ws_buffer_span(&p->buffer[i]) + WS_DEVICE_ALIGN - 1) / WS_DEVICE_ALIGN *
			 WS_DEVICE_ALIGN;
	return total;
}

static enum ws_status check_size(const struct ws_program *p, struct ws_buffer *b, const char *count,
				 const struct ws_text_place *at, struct ws_err *err)
{
	uint64_t size = (uint64_t)ws_elem_bytes[b->elem] * ws_buffer_stride(b);

	if (!ws_parse_size(count, &b->count) || b->count == 0)
		return ws_place_fail(at, err, "count '%.40s' of buffer %.60s: want a number of "
				     "elements, at least 1", count, b->name);
	if (b->count > WS_PROGRAM_BYTES_MAX / size ||
	    b->count * size > WS_PROGRAM_BYTES_MAX - device_bytes(p))
		return ws_place_fail(at, err, "buffer %.60s of %.40s elements of %u bytes: want "
				     "at most %llu bytes for all buffers together", b->name, count,
				     (unsigned)size, WS_PROGRAM_BYTES_MAX);
	b->bytes = b->count * size;
	return WS_OK;
}

/* What a declaration says of elements and their number. */
static enum ws_status parse_elements(const struct ws_program *p, struct ws_buffer *b,
				     const struct ws_declaration *d, const struct ws_text_place *at,
				     struct ws_err *err)
{
	enum ws_status status;

	if (ws_is_image(d->type)) {
		status = ws_image_parse(b, d->type, d->count, at, err);
		if (status == WS_OK && ws_buffer_span(b) > WS_PROGRAM_BYTES_MAX - device_bytes(p))
			status = ws_place_fail(at, err, "image %.60s: want at most %llu bytes for "
					       "all buffers together", d->name,
						       WS_PROGRAM_BYTES_MAX);
		return status;
	}
	if (!parse_type(d->type, b))
		return ws_place_fail(at, err, "type '%.40s' of buffer %.60s: want char, uchar, "
				     "short, ushort, int, uint, long, ulong, float or double, "
				     "with 2, 3, 4, 8 or 16 behind it for a vector, or an image, "
				     "as image2d:rgba:float", d->type, d->name);
	return check_size(p, b, d->count, at, err);
}

static enum ws_status check_name(const struct ws_program *p, const char *name,
				 const struct ws_text_place *at, struct ws_err *err)
{
	if (!ws_is_name(name))
		return ws_place_fail(at, err, "'%.60s' as a name: want letters, digits and _, "
				     "no digit first", name);
	if (find_buffer(p, name))
		return ws_place_fail(at, err, "buffer %.60s was declared before: want each name "
				     "once", name);
	if (p->buffers >= WS_PROGRAM_BUFFERS_MAX)
		return ws_place_fail(at, err, "buffer %.60s: want at most %u buffers", name,
				     WS_PROGRAM_BUFFERS_MAX);
	return WS_OK;
}

/* The initialiser as kept: "file" gets its path resolved. */
static char *init_text(const char *base, const char *text)
{
	char *path, *kept;
	size_t len;

	if (strncmp(text, "file ", 5) != 0)
		return ws_strdup(*text ? text : "zero");
	path = ws_path_beside(base, text + 5 + strspn(text + 5, WS_BLANK));
	if (!path)
		return NULL;
	len = strlen(path) + sizeof "file ";
	kept = malloc(len);
	if (kept)
		snprintf(kept, len, "file %s", path);
	free(path);
	return kept;
}

enum ws_status ws_program_add_buffer(struct ws_program *p, const struct ws_declaration *d,
				 const struct ws_text_place *at, struct ws_err *err)
{
	struct ws_buffer b = { .line = d->line }, *grown;
	struct ws_init init;
	enum ws_status status = check_name(p, d->name, at, err);

	if (status != WS_OK)
		return status;
	b.name = ws_strdup(d->name);
	b.init = init_text(d->base, d->init);
	status = b.name && b.init ? parse_elements(p, &b, d, at, err)
				  : ws_fail_memory(err, "a buffer");
	if (status == WS_OK)
		status = ws_init_parse(&init, &b, p->buffers, at, err);
	grown = status == WS_OK ? one_more(p->buffer, p->buffers, sizeof *grown) : NULL;
	if (!grown) {
		free(b.name);
		free(b.init);
		return status != WS_OK ? status : ws_fail_memory(err, "a buffer");
	}
	p->buffer = grown;
	p->buffer[p->buffers++] = b;
	return WS_OK;
}

/* ---- arguments and checks ------------------------------------------------------ */

static bool is_number(const char *text)
{
	uint64_t u;
	int64_t i;
	double f;

	return ws_parse_u64(text, &u) || ws_parse_i64(text, &i) || ws_parse_double(text, &f);
}

/* One number, or 2, 3, 4, 8 or 16 with commas between. */
static bool is_scalar_or_vector(const char *text)
{
	unsigned parts = 0;
	char part[64];

	for (;;) {
		size_t len = strcspn(text, ",");

		if (len >= sizeof part || ++parts > 16)
			return false;
		memcpy(part, text, len);
		part[len] = '\0';
		if (!is_number(part))
			return false;
		if (!text[len])
			return parts == 3 || ws_is_pow2(parts);
		text += len + 1;
	}
}

/* A struct's bytes: "hex:" and an even number of digits. */
static bool is_hex(const char *text)
{
	size_t digits;

	if (strncmp(text, "hex:", 4) != 0)
		return false;
	digits = strspn(text + 4, "0123456789abcdefABCDEF");
	return digits && digits % 2 == 0 && text[4 + digits] == '\0';
}

/* Numbers and local memory are checked here, names when all buffers are known. */
static enum ws_status check_arg(const char *text, const struct ws_text_place *at,
				struct ws_err *err)
{
	uint64_t bytes;
	uint32_t sampler;

	if (strncmp(text, "local:", 6) == 0) {
		if (ws_parse_size(text + 6, &bytes) && bytes >= 1 && bytes <= WS_LOCAL_MAX)
			return WS_OK;
		return ws_place_fail(at, err, "argument '%.60s': want local:BYTES with 1 to %u "
				     "bytes", text, WS_LOCAL_MAX);
	}
	if (strncmp(text, "sampler:", 8) == 0) {
		if (ws_sampler_parse(text, &sampler))
			return WS_OK;
		return ws_place_fail(at, err, "argument '%.80s': want sampler:nearest or linear, "
				     "none, clamp, clamp_to_edge, repeat or mirrored_repeat, "
				     "normalized (as what repeats wants) or unnormalized", text);
	}
	if (ws_is_name(text) || is_scalar_or_vector(text) || is_hex(text))
		return WS_OK;
	return ws_place_fail(at, err, "argument '%.60s': want a buffer's name (on a command "
			     "line buffer:TYPE:COUNT), a number, a vector "
			     "such as 1,2,3,4, hex:DIGITS for a struct, local:BYTES, or "
			     "sampler:linear:clamp", text);
}

enum ws_status ws_launch_add_arg(struct ws_launch_spec *l, const char *name, const char *text,
				 const struct ws_text_place *at, struct ws_err *err)
{
	enum ws_status status = check_arg(text, at, err);
	struct ws_arg *grown;

	if (status != WS_OK)
		return status;
	grown = one_more(l->arg, l->args, sizeof *grown);
	if (!grown)
		return ws_fail_memory(err, "a kernel's arguments");
	l->arg = grown;
	l->arg[l->args].text = ws_strdup(text);
	l->arg[l->args].name = name ? ws_strdup(name) : NULL;
	if (l->arg[l->args++].text && (!name || l->arg[l->args - 1].name))
		return WS_OK;
	free(l->arg[--l->args].text);
	free(l->arg[l->args].name);
	return ws_fail_memory(err, "a kernel's arguments");
}

struct ws_launch_spec *ws_program_add_launch(struct ws_program *p, int line)
{
	struct ws_launch_spec *grown = one_more(p->launch, p->launches, sizeof *grown), *l;

	if (!grown)
		return NULL;
	p->launch = grown;
	l = &p->launch[p->launches++];
	l->line = line;
	l->repeat = 1;
	for (unsigned i = 0; i < 3; i++)
		l->global[i] = l->local[i] = 1;
	return l;
}

enum ws_status ws_program_add_check(struct ws_program *p, const struct ws_check_text *c,
				    const struct ws_text_place *at, struct ws_err *err)
{
	struct ws_output_check check = { .line = c->line }, *grown;
	char *last = strrchr(c->value, c->separator), *path;

	if (last && last[1] && ws_parse_double(last + 1, &check.tolerance)) {
		if (check.tolerance < 0)
			return ws_place_fail(at, err, "tolerance %.40s: want 0 or more", last + 1);
		*last = '\0';
	}
	path = ws_trim(c->value);
	if (!ws_is_name(c->buffer) || !*path)
		return ws_place_fail(at, err, "check of '%.60s': want BUFFER = FILE and perhaps a "
				     "relative tolerance", c->buffer);
	grown = one_more(p->check, p->checks, sizeof *grown);
	if (!grown)
		return ws_fail_memory(err, "a check");
	p->check = grown;
	check.buffer = ws_strdup(c->buffer);
	check.path = ws_path_beside(c->base, path);
	p->check[p->checks++] = check;
	return check.buffer && check.path ? WS_OK : ws_fail_memory(err, "a check");
}

/* ---- what the pieces say together --------------------------------------------------- */

static enum ws_status verify_sizes(const struct ws_launch_spec *l, uint64_t max_threads,
				   const struct ws_text_place *at, struct ws_err *err)
{
	uint64_t threads = 1, ctas = 1;

	for (unsigned i = 0; i < 3; i++) {
		if (l->global[i] < 1 || l->local[i] < 1 || l->global[i] % l->local[i])
			return ws_place_fail(at, err, "global size %" PRIu64 " with local size "
					     "%" PRIu64 " in dimension %u: want a multiple of "
					     "the local size",
					     l->global[i], l->local[i], i);
		if (l->local[i] > max_threads / threads)
			return ws_place_fail(at, err, "a group of %" PRIu64 " x %" PRIu64
					     " x %" PRIu64 " threads: want at most %" PRIu64,
					     l->local[0], l->local[1], l->local[2], max_threads);
		threads *= l->local[i];
		if (l->global[i] / l->local[i] > UINT32_MAX / ctas)
			return ws_place_fail(at, err, "more than %u groups: want fewer",
					     UINT32_MAX);
		ctas *= l->global[i] / l->local[i];
		if (l->offset[i] > UINT64_MAX - l->global[i])
			return ws_place_fail(at, err, "offset %" PRIu64 " in dimension %u: want "
					     "global ids below 2^64", l->offset[i], i);
	}
	return WS_OK;
}

bool ws_is_cuda(const char *source)
{
	const char *dot = strrchr(source, '.');

	return dot && strcmp(dot, ".cu") == 0;
}

bool ws_launch_grid(struct ws_launch_spec *l)
{
	bool good = true;

	for (unsigned d = 0; d < 3; d++)
		good &= !__builtin_mul_overflow(l->global[d], l->local[d], &l->global[d]);
	return good;
}

static enum ws_status verify_launch(const struct ws_program *p, const struct ws_launch_spec *l,
				    uint64_t max_threads, struct ws_err *err)
{
	struct ws_text_place at = ws_place_of(p, l->line, p->name ? p->name : p->source);
	enum ws_status status;

	if (!l->kernel || (!ws_is_kernel_name(l->kernel) && strcmp(l->kernel, WS_WHICH_KERNEL)))
		return ws_place_fail(&at, err, "no kernel: want the name of the function to run");
	if (l->dim < 1 || l->dim > 3)
		return ws_place_fail(&at, err, "no global and local size: want one to three "
				     "numbers each");
	status = verify_sizes(l, max_threads, &at, err);
	if (status != WS_OK)
		return status;
	if (l->repeat < 1)
		return ws_place_fail(&at, err, "repeat 0: want at least 1");
	for (size_t i = 0; i < l->args; i++) {
		const char *text = l->arg[i].text;

		status = check_arg(text, &at, err);
		if (status != WS_OK)
			return status;
		if (ws_is_name(text) && !find_buffer(p, text))
			return ws_place_fail(&at, err, "argument %zu, '%.60s': want a buffer that "
					     "is declared, or a number", i + 1, text);
	}
	return WS_OK;
}

enum ws_status ws_program_verify(const struct ws_program *p, uint64_t max_threads,
				 struct ws_err *err)
{
	const char *name = p->name ? p->name : "program";
	struct ws_text_place whole = ws_place_of(p, 0, name);
	enum ws_status status = WS_OK;
	uint64_t runs = 0;

	if (p->name)
		whole.status = WS_EFORMAT;
	if (max_threads > WS_CTA_THREADS_MAX)
		max_threads = WS_CTA_THREADS_MAX;
	if (!p->source)
		return ws_place_fail(&whole, err,
				     "no source: want the OpenCL C file of the kernel");
	if (!p->launches)
		return ws_place_fail(&whole, err, "no launch: want at least one [launch]");
	for (size_t i = 0; i < p->launches && status == WS_OK; i++) {
		struct ws_text_place at = ws_place_of(p, p->launch[i].line, "launch");

		status = verify_launch(p, &p->launch[i], max_threads, err);
		runs += p->launch[i].repeat;
		if (status == WS_OK && runs > WS_PROGRAM_RUNS_MAX)
			status = ws_place_fail(&at, err, "%" PRIu64 " launches so far, repeated "
					       "ones counted: want at most %u", runs,
						       WS_PROGRAM_RUNS_MAX);
	}
	for (size_t i = 0; i < p->checks && status == WS_OK; i++) {
		const struct ws_output_check *c = &p->check[i];
		struct ws_text_place at = ws_place_of(p, c->line, "check");

		if (!find_buffer(p, c->buffer))
			status = ws_place_fail(&at, err, "check of '%.60s': want a buffer that is "
					       "declared", c->buffer);
	}
	return status;
}

void ws_program_clear(struct ws_program *p)
{
	for (size_t i = 0; i < p->buffers; i++) {
		ws_buffer_unmap(&p->buffer[i]);
		free(p->buffer[i].name);
		free(p->buffer[i].init);
	}
	for (size_t i = 0; i < p->launches; i++) {
		for (size_t a = 0; a < p->launch[i].args; a++) {
			free(p->launch[i].arg[a].text);
			free(p->launch[i].arg[a].name);
		}
		free(p->launch[i].arg);
		free(p->launch[i].kernel);
	}
	for (size_t i = 0; i < p->checks; i++) {
		free(p->check[i].buffer);
		free(p->check[i].path);
	}
	free(p->buffer);
	free(p->launch);
	free(p->check);
	free(p->name);
	free(p->source);
	free(p->options);
	*p = (struct ws_program){ 0 };
}

enum ws_status ws_program_files(const struct ws_program *p, ws_file_visit *visit, void *context,
				struct ws_err *err)
{
	enum ws_status status = p->source ? visit(context, p->source, err) : WS_OK;

	for (size_t i = 0; i < p->buffers && status == WS_OK; i++) {
		struct ws_text_place at = ws_place_of(p, p->buffer[i].line, p->buffer[i].name);
		struct ws_init init;

		/* What is wrong with another initialiser is said when it is filled. */
		if (ws_init_parse(&init, &p->buffer[i], i, &at, NULL) == WS_OK &&
		    init.kind == WS_INIT_PATH)
			status = visit(context, init.path, err);
	}
	for (size_t i = 0; i < p->checks && status == WS_OK; i++)
		status = visit(context, p->check[i].path, err);
	return status == WS_OK ? ws_program_includes(p, visit, context, err) : status;
}
