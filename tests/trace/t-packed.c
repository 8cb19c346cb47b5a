/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-packed.c -- content of packed files: the same, whatever it is packed with; cut
 * short or damaged, an error; lines of every ending and length.
 */
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/test.h"
#include "tests/trace/foreign.h"
#include "trace/import/packed.h"

#define ROOM (64u << 20)

static const char *const names[] = { "plain", "gzip", "xz", "zstd" };

static size_t pack(size_t how, const void *data, size_t len, uint8_t *to)
{
	z_stream z = { 0 };
	size_t n = 0;

	if (how == 0)
		memcpy(to, data, n = len);
	if (how == 1) {
		must(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, 0) == Z_OK, "deflateInit2");
		z.next_in = (Bytef *)(uintptr_t)data;
		z.avail_in = (uInt)len;
		z.next_out = to;
		z.avail_out = ROOM;
		must(deflate(&z, Z_FINISH) == Z_STREAM_END, "deflate");
		n = ROOM - z.avail_out;
		deflateEnd(&z);
	}
	if (how == 2)
		must(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, data, len, to, &n, ROOM) ==
		     LZMA_OK, "lzma_easy_buffer_encode");
	if (how == 3)
		n = ZSTD_compress(to, ROOM, data, len, 1);
	return n;
}

static struct ws_packed *open_packed(struct ws_in *in, const void *data, size_t len)
{
	struct ws_packed *s;

	*in = (struct ws_in){ .data = data, .len = len, .name = (char *)(uintptr_t)"file" };
	must(!ws_packed_open(&s, in, NULL), "ws_packed_open");
	return s;
}

/* Reads all in random pieces. */
static enum ws_status read_all(struct ws_packed *s, uint8_t *to, size_t *len, struct ws_err *err)
{
	struct ws_rng rng;
	size_t got, want;
	enum ws_status status;

	ws_rng_seed(&rng, 5);
	*len = 0;
	do {
		want = 1 + (size_t)ws_rng_below(&rng, 400000);
		status = ws_packed_read(s, to + *len, want, &got, err);
		*len += got;
	} while (status == WS_OK && got == want);
	return status;
}

static void contents(uint64_t seed)
{
	size_t len = 3000000, got, head;
	uint8_t *data = ws_alloc(len, 1), *packed = ws_alloc(ROOM, 1),
		*back = ws_alloc(2 * len + 400000, 1);
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (size_t i = 0; i < len; i++)
		data[i] = (uint8_t)(one_in(&rng, 9) ? ws_rng_u64(&rng) : i >> 9);
	for (size_t how = 0; how < WS_COUNT(names); how++) {
		size_t n = pack(how, data, len, packed), again = pack(how, data, len, packed + n);
		const uint8_t *peeked;
		struct ws_in in;
		struct ws_packed *s = open_packed(&in, packed, n + again);

		must(!ws_packed_peek(s, &peeked, &head, NULL), "ws_packed_peek");
		test_ok(head == 65536 && memcmp(peeked, data, head) == 0, "%s: first bytes",
			names[how]);
		test_ok(!read_all(s, back, &got, NULL) && got == 2 * len &&
				!memcmp(back, data, len) && !memcmp(back + len, data, len) &&
				ws_packed_at(s) == 2 * len,
			"%s: the content of two pieces, %zu bytes", names[how], got);
		ws_packed_close(s);
	}
	free(data);
	free(packed);
	free(back);
}

/* Every cut is found; a changed byte is, or changes nothing. */
static void damage(void)
{
	uint8_t data[3000], packed[20000], back[400000];

	for (size_t i = 0; i < sizeof data; i++)
		data[i] = (uint8_t)(i * i >> 5);
	for (size_t how = 1; how < WS_COUNT(names); how++) {
		size_t n = pack(how, data, sizeof data, packed), got, quiet = 0, wrong = 0;

		for (size_t cut = 6; cut < n; cut++) {
			struct ws_err err = { 0 };
			struct ws_in in;
			struct ws_packed *s = open_packed(&in, packed, cut);

			quiet += read_all(s, back, &got, &err) != WS_EFORMAT ||
				 !strstr(err.text, "cut short");
			ws_packed_close(s);
		}
		for (size_t at = 6; at < n; at++) {
			struct ws_in in;
			struct ws_packed *s;

			packed[at] ^= 0x10;
			s = open_packed(&in, packed, n);
			wrong += !read_all(s, back, &got, NULL) && how != 3 && /* zstd without
									        * sums */
				 (got != sizeof data || memcmp(back, data, got));
			packed[at] ^= 0x10;
			ws_packed_close(s);
		}
		test_ok(!quiet && !wrong, "%s: %zu cuts pass unnoticed, %zu damages", names[how],
			quiet, wrong);
	}
}

static void lines(void)
{
	static const char text[] = "one\n\r\n two\r\nthr\ree\n\nlast";
	static const char *const want[] = { "one", "", " two", "thr\ree", "", "last" };
	struct ws_in in;
	struct ws_packed *s = open_packed(&in, text, sizeof text - 1);
	struct ws_err err = { 0 };
	bool same = true;
	size_t len, n = 0;
	char *line;

	for (; !ws_packed_line(s, &line, &len, NULL) && line; n++)
		same &= n < WS_COUNT(want) && strcmp(line, want[n]) == 0 && strlen(line) == len &&
			ws_packed_at(s) == n + 1;
	test_ok(same && n == WS_COUNT(want), "lines that end in \\n, \\r\\n and not at all: %zu",
		n);
	(void)!ws_packed_fail(s, &err, "wrong %d", 7);
	test_str(err.text, "file:6: wrong 7", "the place of a failure");
	ws_packed_close(s);
	s = open_packed(&in, "a\nb\0c\n", 6);
	err = (struct ws_err){ 0 };
	must(!ws_packed_line(s, &line, &len, NULL), "ws_packed_line");
	test_ok(ws_packed_line(s, &line, &len, &err) == WS_EFORMAT && !line &&
		strcmp(err.text, "file:2: a zero byte within a line of text") == 0, "%s", err.text);
	ws_packed_close(s);
	s = open_packed(&in, "", 0);
	test_ok(!ws_packed_line(s, &line, &len, NULL) && !line, "an empty file has no line");
	ws_packed_close(s);
}

static void long_lines(void)
{
	size_t most = 16u << 20, len;
	uint8_t *data = ws_alloc(most + 2, 1), *packed = ws_alloc(ROOM, 1);
	struct ws_err err = { 0 };
	struct ws_in in;
	struct ws_packed *s;
	size_t n;
	char *line;

	memset(data, 'x', most + 1);
	data[most] = '\n';
	n = pack(1, data, most + 1, packed);
	s = open_packed(&in, packed, n);
	test_ok(!ws_packed_line(s, &line, &len, NULL) && len == most, "a line of 16 MiB");
	ws_packed_close(s);
	data[most] = 'x';
	n = pack(1, data, most + 1, packed);
	s = open_packed(&in, packed, n);
	test_ok(ws_packed_line(s, &line, &len, &err) == WS_EFORMAT &&
			strstr(err.text, "file:1: a line of"),
		"a line of one byte more: %s", err.text);
	ws_packed_close(s);
	free(data);
	free(packed);
}

int main(void)
{
	contents(test_seed(1));
	damage();
	lines();
	long_lines();
	return test_done();
}
