/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/accel_sim.c -- Accel-Sim's traces of NVIDIA machine code: a kernel's file
 * (.traceg, versions 1.2 to 6) or the list of a program's (kernelslist.g).
 *
 *	-key = value		of the kernel, in any order; unknown keys are passed over
 *	#traces format = ...	the header ends
 *	#BEGIN_TB
 *	thread block = x,y,z
 *	warp = w
 *	insts = n
 *	n instructions		accel_sim_line.c
 *	#END_TB
 *
 * Blank lines are anywhere.  Headers are known to lie about shared memory and registers: what no
 * GPU has is taken for unknown.  A warp that has not as many instructions as it says is an
 * error: the file was cut or edited.  Files of a list are in its folder; they may be packed.
 */
#include "trace/import/accel_sim.h"
#include "trace/import/builder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAME_UNKNOWN "kernel"
#define COPY "MemcpyHtoD,"

static enum ws_status fail_place(const struct ws_as_kernel *k, const char *what, struct ws_err *err)
{
	return ws_packed_fail(k->s, err, "%s", what);
}

/* ---- the header ------------------------------------------------------------------- */

/* (x,y,z) or x,y,z */
static bool triple(const char *p, uint64_t v[3])
{
	bool open = *p == '(';

	p += open;
	for (unsigned i = 0; i < 3; i++) {
		ws_text_gap(&p);
		if (!ws_text_decimal(&p, &v[i]))
			return false;
		ws_text_gap(&p);
		if (i < 2 && *p++ != ',')
			return false;
	}
	if (open && *p++ != ')')
		return false;
	return ws_text_end(&p);
}

static bool parse_number(const char *p, uint64_t *v)
{
	return ws_text_number(&p, v) && ws_text_end(&p);
}

/* The value of a line "KEY = VALUE", NULL if it is not of that key. */
static const char *value_of(const char *line, const char *key)
{
	size_t len = strlen(key);

	if (strncmp(line, key, len) != 0)
		return NULL;
	line += len + strspn(line + len, " \t");
	if (*line++ != '=')
		return NULL;
	return line + strspn(line, " \t");
}

static enum ws_status header_line(struct ws_as_kernel *k, const char *line, struct ws_err *err)
{
	uint64_t version;
	const char *v, *p;

	if ((v = value_of(line, "-kernel name"))) {
		free(k->name);
		k->name = ws_strdup(v);
		return k->name ? WS_OK : ws_fail_memory(err, "a kernel's name");
	}
	if ((v = value_of(line, "-grid dim")))
		return triple(v, k->grid) ? WS_OK
					  : fail_place(k, "want -grid dim = (x,y,z)", err);
	if ((v = value_of(line, "-block dim")))
		return triple(v, k->block) ? WS_OK
					   : fail_place(k, "want -block dim = (x,y,z)", err);
	if ((v = value_of(line, "-shmem")) &&
	    (!parse_number(v, &k->shared) || k->shared > WS_SASS_SHARED_MAX))
		k->shared = 0;
	else if ((v = value_of(line, "-nregs")) &&
		 (!parse_number(v, &k->registers) || k->registers > WS_SASS_REGISTERS_MAX))
		k->registers = 0;
	else if ((v = value_of(line, "-shmem base_addr")) &&
		 !parse_number(v, &k->shape.shared_base))
		k->shape.shared_base = 0;
	else if ((v = value_of(line, "-local mem base_addr")) &&
		 !parse_number(v, &k->shape.local_base))
		k->shape.local_base = 0;
	else if ((p = v = value_of(line, "-accelsim tracer version")))
		k->old = ws_text_decimal(&p, &version) && version < 3;
	else if ((v = value_of(line, "-enable lineinfo")))
		k->lines = *v == '1';
	return WS_OK;
}

/* The launch, once its header is complete. */
static enum ws_status begin_launch(struct ws_as_kernel *k, struct ws_err *err)
{
	struct ws_built_launch launch = { .kernel = k->name && *k->name ? k->name : NAME_UNKNOWN,
					  .shared_bytes = k->shared, .registers = k->registers,
					  .warp_width = WS_SASS_LANES };
	struct ws_err why = { 0 };
	enum ws_status status;

	if (!k->grid[0] || !k->block[0])
		return fail_place(k, "a header without -grid dim or -block dim", err);
	memcpy(launch.grid, k->grid, sizeof launch.grid);
	memcpy(launch.block, k->block, sizeof launch.block);
	k->begun = true;
	k->shape.threads = k->block[0] * k->block[1] * k->block[2];
	k->shape.all = k->shape.threads * k->grid[0] * k->grid[1] * k->grid[2];
	status = ws_builder_launch(k->b, &launch, &why);
	return status == WS_OK ? WS_OK : ws_text_blame(k->s, status, &why, err);
}

/* ---- thread blocks ------------------------------------------------------------------ */

/* A number that comes once. */
static enum ws_status only_once(struct ws_as_kernel *k, struct ws_keys *seen, uint64_t number,
				const char *what, struct ws_err *err)
{
	size_t before = seen->count;

	if (ws_keys_add(seen, number) == WS_MAP_NONE)
		return ws_fail_memory(err, "a list of thread blocks");
	return seen->count > before ? WS_OK
				    : ws_packed_fail(k->s, err, "%s for a second time", what);
}

static enum ws_status end_warp(struct ws_as_kernel *k, struct ws_err *err)
{
	struct ws_err why = { 0 };
	enum ws_status status = WS_OK;
	char where[128];

	if (!k->in_warp)
		return WS_OK;
	snprintf(where, sizeof where, "warp %" PRIu64 " of thread block %" PRIu64 ",%" PRIu64
		 ",%" PRIu64, k->warp, k->at[0], k->at[1], k->at[2]);
	if (!k->counted)
		return ws_packed_fail(k->s, err, "%s has no insts =", where);
	if (k->seen != k->insts)
		return ws_packed_fail(k->s, err, "%s has %" PRIu64 " instructions, but insts = %"
				      PRIu64, where, k->seen, k->insts);
	if (k->gap)
		status = ws_builder_others(k->b, k->cta, (uint32_t)k->warp, k->gap, &k->pace, &why);
	ws_as_run(k);
	k->gap = k->executed = k->alive = 0;
	memset(k->live, 0, sizeof k->live);
	k->in_warp = false;
	return status == WS_OK ? WS_OK : ws_text_blame(k->s, status, &why, err);
}

static enum ws_status begin_warp(struct ws_as_kernel *k, const char *v, struct ws_err *err)
{
	uint64_t threads = k->shape.threads;
	enum ws_status status = end_warp(k, err);
	char what[128];

	if (status != WS_OK)
		return status;
	if (!k->placed)
		return fail_place(k, "a warp before its thread block", err);
	if (!parse_number(v, &k->warp) || k->warp * WS_SASS_LANES >= threads || k->warp > threads)
		return ws_packed_fail(k->s, err, "warp = %.40s, but thread blocks have %" PRIu64
				      " threads", v, threads);
	k->in_warp = true;
	k->counted = false;
	k->insts = k->seen = 0;
	snprintf(what, sizeof what, "warp %" PRIu64 " of thread block %" PRIu64 ",%" PRIu64
		 ",%" PRIu64, k->warp, k->at[0], k->at[1], k->at[2]);
	return only_once(k, &k->warps, k->warp, what, err);
}

static enum ws_status place_block(struct ws_as_kernel *k, const char *v, struct ws_err *err)
{
	char what[96];

	if (k->in_warp)
		return fail_place(k, "a thread block within a warp", err);
	if (k->placed)
		return fail_place(k, "a second thread block = before #END_TB", err);
	if (!triple(v, k->at) || k->at[0] >= k->grid[0] || k->at[1] >= k->grid[1] ||
	    k->at[2] >= k->grid[2])
		return ws_packed_fail(k->s, err, "thread block = %.60s, but the grid is %" PRIu64
				      ",%" PRIu64 ",%" PRIu64, v, k->grid[0], k->grid[1],
				      k->grid[2]);
	k->cta = k->at[0] + k->grid[0] * (k->at[1] + k->grid[1] * k->at[2]);
	k->placed = true;
	ws_keys_flush(&k->warps);
	snprintf(what, sizeof what, "thread block %" PRIu64 ",%" PRIu64 ",%" PRIu64, k->at[0],
		 k->at[1], k->at[2]);
	return only_once(k, &k->blocks, k->cta, what, err);
}

static bool is_instruction(const char *line)
{
	return (*line >= '0' && *line <= '9') ||
	       (*line >= 'a' && *line <= 'f' && !strchr(line, '='));
}

static enum ws_status block_line(struct ws_as_kernel *k, const char *line, struct ws_err *err)
{
	const char *v;

	if (is_instruction(line))
		return k->in_warp ? ws_as_instruction(k, line, err)
				  : fail_place(k, "an instruction before its warp", err);
	if ((v = value_of(line, "warp")))
		return begin_warp(k, v, err);
	if ((v = value_of(line, "insts"))) {
		if (!k->in_warp || k->counted || !parse_number(v, &k->insts))
			return fail_place(k, "want insts = a number, once in each warp", err);
		k->counted = true;
		return WS_OK;
	}
	if ((v = value_of(line, "thread block")))
		return place_block(k, v, err);
	if (strncmp(line, "cluster", 7) == 0)
		return WS_OK;
	return ws_packed_fail(k->s, err, "'%.60s' within a thread block: want an instruction, "
			      "thread block, warp or insts =, or #END_TB", line);
}

static enum ws_status mark(struct ws_as_kernel *k, const char *line, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (!k->begun)
		return begin_launch(k, err);
	if (strncmp(line, "#BEGIN_TB", 9) == 0) {
		if (k->in_block)
			return fail_place(k, "#BEGIN_TB within a thread block", err);
		k->in_block = true;
		k->placed = false;
	} else if (strncmp(line, "#END_TB", 7) == 0) {
		if (!k->in_block)
			return fail_place(k, "#END_TB without #BEGIN_TB", err);
		status = end_warp(k, err);
		k->in_block = false;
	}
	return status;
}

/* ---- a kernel's file ------------------------------------------------------------------ */

static enum ws_status accel_sim_line(void *reader, char *line, struct ws_err *err)
{
	struct ws_as_kernel *k = reader;

	line += strspn(line, " \t");
	if (!*line)
		return WS_OK;
	if (*line == '#')
		return mark(k, line, err);
	if (k->in_block)
		return block_line(k, line, err);
	if (*line == '-' && !k->begun)
		return header_line(k, line, err);
	return ws_packed_fail(k->s, err, "'%.60s': want %s", line,
			      k->begun ? "#BEGIN_TB"
				       : "-key = value, or the # line that ends the header");
}

static enum ws_status read_kernel(struct ws_packed *s, struct ws_builder *b, struct ws_err *err)
{
	struct ws_as_kernel *k = ws_alloc_zero(1, sizeof *k);
	enum ws_status status = k ? WS_OK : ws_fail_memory(err, "a kernel's trace");

	if (!k)
		return status;
	k->s = s;
	k->b = b;
	ws_as_run(k);
	status = ws_packed_lines(s, accel_sim_line, k, err);
	if (status == WS_OK && k->in_block)
		status = fail_place(k, "the file ends within a thread block", err);
	if (status == WS_OK && !k->begun)
		status = fail_place(k, "an Accel-Sim trace without thread blocks: cut off in its "
				       "header?", err);
	if (status == WS_OK && !k->blocks.count)
		status = fail_place(k, "none of the grid's thread blocks is there: cut off before "
				       "the first #BEGIN_TB?", err);
	if (status == WS_OK)
		ws_builder_partial(b, k->name && *k->name ? k->name : NAME_UNKNOWN, k->blocks.count,
				   k->grid[0] * k->grid[1] * k->grid[2]);
	ws_keys_clear(&k->blocks);
	ws_keys_clear(&k->warps);
	free(k->name);
	free(k);
	return status;
}

/* ---- a list ------------------------------------------------------------------------------ */

static const char *const packings[] = { "", ".xz", ".gz", ".zst" };

/* The path of a member, which may have been packed since; allocated.  NULL: no memory. */
static char *member_path(const char *list, const char *name)
{
	const char *slash = list && *name != '/' ? strrchr(list, '/') : NULL;
	size_t folder = slash ? (size_t)(slash + 1 - list) : 0, len = strlen(name);
	char *path = malloc(folder + len + sizeof ".zst");
	struct stat st;

	if (!path)
		return NULL;
	memcpy(path, list ? list : "", folder);
	memcpy(path + folder, name, len + 1);
	for (size_t i = 0; i < WS_COUNT(packings); i++) {
		memcpy(path + folder + len, packings[i], strlen(packings[i]) + 1);
		if (stat(path, &st) == 0)
			return path;
	}
	path[folder + len] = '\0';
	return path;
}

static enum ws_status read_member(void *b, const char *path, struct ws_err *err)
{
	struct ws_packed *s = NULL;
	struct ws_in in = { 0 };
	struct stat st;
	enum ws_status status;

	if (stat(path, &st))
		return ws_fail(err, ws_input_status(errno), "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return ws_fail(err, WS_EINPUT, "%s: no regular file", path);
	status = ws_in_open(&in, path, err);
	if (status == WS_OK)
		status = ws_packed_open(&s, &in, err);
	if (status == WS_OK)
		status = read_kernel(s, b, err);
	ws_packed_close(s);
	ws_in_close(&in);
	return status;
}

/* Cuts blanks at both ends. */
static char *trim(char *line)
{
	char *end = line + strlen(line);

	while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	return line + strspn(line, " \t");
}

/* Lines of a list that are not kernels: copies, allocations, remarks. */
static bool is_action(const char *line)
{
	return strncmp(line, "Memcpy", 6) == 0 || strncmp(line, "Memset", 6) == 0 ||
	       strncmp(line, "cuda", 4) == 0 || strncmp(line, "nccl", 4) == 0 || *line == '#' ||
	       *line == '\0';
}

/* Is it the name of a kernel's file, packed or not? */
static bool is_member(const char *line)
{
	const char *dot = strstr(line, ".trace");

	if (!dot)
		return false;
	dot += sizeof ".trace" - 1;
	dot += *dot == 'g' || *dot == 'z';
	for (size_t i = 0; i < WS_COUNT(packings); i++)
		if (strcmp(dot, packings[i]) == 0)
			return true;
	return false;
}

/* "MemcpyHtoD,0xADDRESS,BYTES" for what comes next. */
static enum ws_status note_copy(const struct ws_packed *s, struct ws_builder *b, const char *line,
				struct ws_err *err)
{
	const char *p = strchr(line, ',');
	struct ws_err why = { 0 };
	uint64_t base, bytes;
	enum ws_status status;

	if (!p || (p++, !ws_text_hex(&p, &base)) || *p++ != ',' ||
	    !ws_text_decimal(&p, &bytes) || !ws_text_end(&p))
		return ws_packed_fail(s, err, "'%.60s': want MemcpyHtoD,ADDRESS,BYTES", line);
	status = ws_builder_copy(b, base, bytes, &why);
	return status == WS_OK ? WS_OK : ws_text_blame(s, status, &why, err);
}

struct list_reader {
	ws_file_visit *visit;
	void *context;
	struct ws_builder *b;	/* told of copies; NULL: nobody is */
};

static enum ws_status list_line(const struct ws_packed *s, const char *list, const char *line,
				const struct list_reader *r, struct ws_err *err)
{
	enum ws_status status;
	char *path;

	if (r->b && strncmp(line, COPY, sizeof COPY - 1) == 0)
		return note_copy(s, r->b, line, err);
	if (is_action(line))
		return WS_OK;
	if (!is_member(line))
		return ws_packed_fail(s, err, "'%.60s': want the name of a .traceg file", line);
	if (!strstr(line, ".traceg"))
		return ws_packed_fail(s, err, "'%.60s': want a .traceg file: Accel-Sim's "
				      "post-traces-processing makes one of a .trace", line);
	path = member_path(list, line);
	if (!path)
		return ws_fail_memory(err, "a path");
	status = r->visit(r->context, path, err);
	free(path);
	return status;
}

static enum ws_status each_member(struct ws_packed *s, const char *path,
				  const struct list_reader *r, struct ws_err *err)
{
	enum ws_status status;
	size_t len;
	char *line;

	do {
		status = ws_packed_line(s, &line, &len, err);
		if (status == WS_OK && line)
			status = list_line(s, path, trim(line), r, err);
	} while (status == WS_OK && line);
	return status;
}

/* ---- the row ------------------------------------------------------------------------------ */

static enum ws_line_kind list_kind(const char *line)
{
	line += strspn(line, " \t");
	if (is_action(line))
		return strncmp(line, COPY, sizeof COPY - 1) ? WS_LINE_NEUTRAL : WS_LINE_MINE;
	return is_member(line) ? WS_LINE_MINE : WS_LINE_OTHER;
}

static bool begins_with_key(const uint8_t *data, size_t len)
{
	size_t at = 0;

	while (at < len && (data[at] == '\n' || data[at] == '\r' || data[at] == ' '))
		at++;
	return at < len && data[at] == '-';
}

/* A header, which may be cut off: names of kernels may be longer than lines are looked at
 * elsewhere. */
static bool is_kernel(const uint8_t *data, size_t len)
{
	static const char name[] = "-kernel name", grid[] = "-grid dim", block[] = "-block dim";

	return begins_with_key(data, len) &&
	       (memmem(data, len, name, sizeof name - 1) ||
		(memmem(data, len, grid, sizeof grid - 1) &&
		 memmem(data, len, block, sizeof block - 1)));
}

static bool accel_sim_recognise(const uint8_t *data, size_t len)
{
	return is_kernel(data, len) || ws_text_begins(data, len, list_kind);
}

static enum ws_status read_accel_sim(struct ws_packed *s, const char *path, struct ws_builder *b,
				     struct ws_err *err)
{
	const uint8_t *data;
	size_t len;
	const struct list_reader reader = { read_member, b, b };
	enum ws_status status = ws_packed_peek(s, &data, &len, err);

	if (status != WS_OK)
		return status;
	return begins_with_key(data, len) ? read_kernel(s, b, err)
					  : each_member(s, path, &reader, err);
}

static enum ws_status files(struct ws_packed *s, const char *path, ws_file_visit *visit,
			    void *context, struct ws_err *err)
{
	const uint8_t *data;
	size_t len;
	const struct list_reader reader = { visit, context, NULL };
	enum ws_status status = ws_packed_peek(s, &data, &len, err);

	if (status != WS_OK || begins_with_key(data, len))
		return status;
	return each_member(s, path, &reader, err);
}

const struct ws_trace_format ws_trace_format_accel_sim = {
	.name = "accel-sim",
	.summary = "Accel-Sim's kernelslist.g or a kernel's .traceg, versions 1.2 to 6",
	.recognise = accel_sim_recognise,
	.read = read_accel_sim,
	.files = files,
	.write = ws_as_write,
};
