/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/ppt.c -- memory traces of PPT-GPU's tracing tool (kernel_K_block_B.mem).
 *
 *	=====
 *	OPCODE 0x.. 0x.. ...	the addresses of a warp's active lanes
 *
 * A file is one thread block's; kernel_K_block_0.mem stands for the launch: the files of the blocks
 * 1, 2, ... beside it are read, too, up to the first that is not there, and kernels after K are
 * not.  Which warp a record is of is not in the file, nor how many threads there are, nor which
 * lanes are active: a block is one warp of 32 lanes here, of which the first ones
 * are active.  The width is that of the opcode's modifiers.
 */
#include "trace/import/sass.h"
#include "trace/import/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BLOCKS_MAX (1u << 20)
#define MARK "====="

struct ppt_reader {
	struct ws_packed *s;
	struct ws_builder *b;
	struct ws_sass_shape shape;
	uint64_t cta;
};

static enum ws_status ppt_line(void *reader, char *line, struct ws_err *err)
{
	struct ppt_reader *r = reader;
	struct ws_built_access a = { .cta = r->cta };
	uint64_t address[WS_SASS_LANES], pieces;
	const struct ws_sass *op;
	const char *p = line;
	struct ws_err why = { 0 };
	enum ws_status status;
	unsigned n = 0;
	size_t len;

	ws_text_gap(&p);
	if (ws_text_end(&p) || strncmp(p, MARK, sizeof MARK - 1) == 0)
		return WS_OK;
	len = strcspn(p, " \t");
	op = ws_sass_find(p, len);
	a.bytes = ws_sass_bytes(p, len);
	if (*p < 'A' || *p > 'Z')
		return ws_packed_fail(r->s, err, "'%.60s': want an opcode and addresses", line);
	for (p += len; !ws_text_end(&p); n++) {
		if (n == WS_SASS_LANES || !ws_text_gap(&p) || !ws_text_word(&p, "0x") ||
		    !ws_text_hex(&p, &address[n]))
			return ws_packed_fail(r->s, err, "'%.60s': want an opcode and at most %u "
					      "addresses of 0x and digits", line, WS_SASS_LANES);
	}
	if (!op || !n) {
		status = ws_builder_other(r->b, r->cta, 0, 1, &why);
	} else {
		a.kind = op->kind;
		a.lanes = UINT32_MAX >> (WS_SASS_LANES - n);
		a.address = address;
		status = ws_sass_access(r->b, &r->shape, &a, (enum ws_sass_place)op->place, &pieces,
					&why);
	}
	return status == WS_OK ? WS_OK : ws_text_blame(r->s, status, &why, err);
}

/* ---- the blocks beside ----------------------------------------------------------------- */

/* FOLDER/kernel_K_block_0REST: the lengths of what is before the 0 and of "kernel_K". */
static bool is_first(const char *path, size_t *before, const char **kernel, size_t *kernel_len)
{
	const char *slash = path ? strrchr(path, '/') : NULL, *p;
	uint64_t k;

	*kernel = slash ? slash + 1 : path;
	p = *kernel;
	if (!p || !ws_text_word(&p, "kernel_") || !ws_text_decimal(&p, &k))
		return false;
	*kernel_len = (size_t)(p - *kernel);
	if (!ws_text_word(&p, "_block_0") || *p != '.')
		return false;
	*before = (size_t)(p - 1 - path);
	return true;
}

static char *block_path(const char *path, size_t before, uint64_t block)
{
	size_t room = strlen(path) + 24;
	char *text = malloc(room);

	if (text)
		snprintf(text, room, "%.*s%" PRIu64 "%s", (int)before, path, block,
			 path + before + 1);
	return text;
}

static uint64_t count_blocks(const char *path, size_t before)
{
	uint64_t count = 1;
	struct stat st;

	for (; count < BLOCKS_MAX; count++) {
		char *text = block_path(path, before, count);
		bool there = text && stat(text, &st) == 0 && S_ISREG(st.st_mode);

		free(text);
		if (!there)
			break;
	}
	return count;
}

static enum ws_status read_beside(struct ppt_reader *r, const char *path, struct ws_err *err)
{
	struct ws_in in = { 0 };
	enum ws_status status = path ? ws_in_open(&in, path, err) : ws_fail_memory(err, "a path");

	r->s = NULL;
	if (status == WS_OK)
		status = ws_packed_open(&r->s, &in, err);
	if (status == WS_OK)
		status = ws_packed_lines(r->s, ppt_line, r, err);
	ws_packed_close(r->s);
	ws_in_close(&in);
	return status;
}

/* ---- the row ---------------------------------------------------------------------------- */

static enum ws_status begin_kernel(struct ws_builder *b, const char *kernel, size_t len,
				   uint64_t blocks,
				   struct ws_err *err)
{
	char *name = strndup(kernel, len);
	struct ws_built_launch launch = { .kernel = name, .grid = { blocks, 1, 1 },
					  .block = { WS_SASS_LANES, 1, 1 },
					  .warp_width = WS_SASS_LANES };
	enum ws_status status = name ? ws_builder_launch(b, &launch, err)
				     : ws_fail_memory(err, "a kernel's name");

	free(name);
	return status;
}

static enum ws_status read_ppt(struct ws_packed *s, const char *path, struct ws_builder *b,
			       struct ws_err *err)
{
	struct ppt_reader r = { .s = s, .b = b };
	const char *kernel = WS_TEXT_KERNEL;
	size_t before = 0, len = sizeof WS_TEXT_KERNEL - 1;
	uint64_t blocks = 1;
	enum ws_status status;

	if (is_first(path, &before, &kernel, &len)) {
		blocks = count_blocks(path, before);
	} else {
		kernel = WS_TEXT_KERNEL;
		len = sizeof WS_TEXT_KERNEL - 1;
	}
	r.shape = (struct ws_sass_shape){ .threads = WS_SASS_LANES, .all = blocks * WS_SASS_LANES };
	status = begin_kernel(b, kernel, len, blocks, err);
	if (status == WS_OK)
		status = ws_packed_lines(r.s, ppt_line, &r, err);
	for (r.cta = 1; status == WS_OK && r.cta < blocks; r.cta++) {
		char *text = block_path(path, before, r.cta);

		status = read_beside(&r, text, err);
		free(text);
	}
	return status;
}

static enum ws_status files(struct ws_packed *s, const char *path, ws_file_visit *visit,
			    void *context, struct ws_err *err)
{
	const char *kernel;
	size_t before, len;
	uint64_t blocks = is_first(path, &before, &kernel, &len) ? count_blocks(path, before) : 1;
	enum ws_status status = WS_OK;

	(void)s;
	for (uint64_t i = 1; i < blocks && status == WS_OK; i++) {
		char *text = block_path(path, before, i);

		status = text ? visit(context, text, err) : ws_fail_memory(err, "a path");
		free(text);
	}
	return status;
}

/* A mark alone on the first line that is not empty, an opcode on the next. */
static bool ppt_recognise(const uint8_t *data, size_t len)
{
	const uint8_t *end = data + len;

	while (data < end && (*data == '\n' || *data == '\r'))
		data++;
	if ((size_t)(end - data) < sizeof MARK + 1 || memcmp(data, MARK, sizeof MARK - 1) != 0)
		return false;
	data += sizeof MARK - 1;
	data += *data == '\r';
	return data + 1 < end && data[0] == '\n' && data[1] >= 'A' && data[1] <= 'Z';
}

const struct ws_trace_format ws_trace_format_ppt = {
	.name = "ppt-gpu",
	.summary = "memory traces of PPT-GPU's tracing tool (.mem)",
	.recognise = ppt_recognise,
	.read = read_ppt,
	.files = files,
};
