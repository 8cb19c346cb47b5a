/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/image.c -- modules that the program loads, as bytes and as text.
 *
 * Programs take PTX for a text: they read it into a string, ask for its length, print it.  So what
 * stands for PTX is a line, "//warpstack-ptx 1 CHARS" with 12 digits, and as many characters:
 * the bytes of the image in base 64, with line ends among them.
 */
#include "trace/cuda/runtime.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC	    "//warpstack-ptx 1 "
#define CHARS_CHARS 12u
#define LINE_BYTES  57u	/* of the image: 76 characters */
#define READ_BYTES  65536u

static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* One to three bytes. */
static void put_four(struct ws_buf *out, const uint8_t *byte, size_t bytes)
{
	uint32_t v = (uint32_t)byte[0] << 16 | (bytes > 1 ? (uint32_t)byte[1] << 8 : 0) |
		     (bytes > 2 ? byte[2] : 0);
	char four[4];

	for (unsigned i = 0; i < 4; i++)
		four[i] = i > bytes ? '=' : digit[v >> (18 - 6 * i) & 63];
	ws_put_bytes(out, four, sizeof four);
}

enum ws_status ws_cuda_text(struct ws_buf *out, const struct ws_buf *image, struct ws_err *err)
{
	size_t fours = (image->len + 2) / 3, lines = (image->len + LINE_BYTES - 1) / LINE_BYTES;

	ws_put_printf(out, MAGIC "%0*zu\n", (int)CHARS_CHARS, 4 * fours + lines);
	for (size_t i = 0; i < image->len; i += 3) {
		put_four(out, image->data + i, image->len - i < 3 ? image->len - i : 3);
		if ((i + 3) % LINE_BYTES == 0 || i + 3 >= image->len)
			ws_put_bytes(out, "\n", 1);
	}
	return out->failed ? ws_fail_memory(err, "a module") : WS_OK;
}

static bool decode(struct ws_buf *image, const char *text, size_t chars)
{
	uint32_t v = 0;
	unsigned digits = 0;

	for (size_t i = 0; i < chars && text[i] != '='; i++) {
		const char *at = text[i] ? strchr(digit, text[i]) : NULL;

		if (text[i] == '\n')
			continue;
		if (!at)
			return false;
		v = v << 6 | (uint32_t)(at - digit);
		if (digits++ % 4 != 0)
			ws_put_u8(image, (uint8_t)(v >> (6 - 2 * ((digits - 1) % 4)) & 255));
	}
	return !image->failed;
}

bool ws_cuda_untext(struct ws_buf *image, const char *data, size_t bytes)
{
	const size_t head = sizeof MAGIC - 1 + CHARS_CHARS + 1;
	char digits[CHARS_CHARS + 1];
	uint64_t chars;

	if (bytes < head || strncmp(data, MAGIC, sizeof MAGIC - 1) != 0)
		return false;
	memcpy(digits, data + sizeof MAGIC - 1, CHARS_CHARS);
	digits[CHARS_CHARS] = '\0';
	return ws_parse_u64(digits, &chars) && chars <= bytes - head &&
	       decode(image, data + head, (size_t)chars);
}

bool ws_cuda_image(struct ws_bitcode *code, const char *data, size_t bytes)
{
	struct ws_buf image = { 0 };
	struct ws_buf copy = { 0 };
	bool good;

	if (ws_cuda_untext(&image, data, bytes)) {
		data = (const char *)image.data;
		bytes = image.len;
	}
	good = data && ws_cuda_code(code, data, bytes);
	if (good) {
		ws_put_bytes(&copy, code->data.data, code->data.len);
		code->data = copy;
		good = !copy.failed;
		if (!good)
			ws_cuda_code_free(code);
	}
	ws_buf_clear(&image);
	return good;
}

void ws_cuda_code_free(struct ws_bitcode *code)
{
	free(code->source);
	ws_buf_clear(&code->data);
	code->source = NULL;
}

char *ws_cuda_file(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	size_t cap = 0, got;

	*bytes = 0;
	do {
		if (!f || !WS_ROOM(text, cap, *bytes + READ_BYTES)) {
			free(text);
			text = NULL;
			break;
		}
		got = fread(text + *bytes, 1, READ_BYTES, f);
		*bytes += got;
	} while (got);
	if (f && fclose(f) != 0) {
		free(text);
		text = NULL;
	}
	return text;
}
