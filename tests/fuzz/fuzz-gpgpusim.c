/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/fuzz/fuzz-gpgpusim.c -- libFuzzer entry for gpgpusim.config files and cache strings: any
 * bytes give a machine or one sentence; a machine that was written as one and read back is one
 * that options can say whole.
 *
 *   clang -fsanitize=fuzzer,address,undefined -I. tests/fuzz/fuzz-gpgpusim.c ... -o fuzz
 *   ./fuzz tests/fuzz/corpus-gpgpusim
 */
#include "tests/fuzz/fuzz.h"
#include "machine/machine.h"

#include <stdlib.h>
#include <string.h>

static void written(const struct ws_machine *m, struct ws_machine *back)
{
	struct ws_buf text = { .data = NULL };

	need(ws_gpgpusim_write(m, &text, NULL) == WS_OK);
	need(ws_gpgpusim_read(back, (const char *)text.data, text.len, "back", NULL, NULL) ==
	     WS_OK);
	ws_buf_clear(&text);
}

static void come_back(const struct ws_machine *m)
{
	char a[2 * WS_NAME_MAX], b[2 * WS_NAME_MAX];
	struct ws_machine once, twice;

	written(m, &once);
	written(&once, &twice);
	for (const struct ws_key *key = ws_keys; key->name; key++) {
		ws_machine_get(&once, key, a, sizeof a);
		ws_machine_get(&twice, key, b, sizeof b);
		need(strcmp(a, b) == 0);
	}
}

static void explain(const char *text, size_t size)
{
	char copy[128];
	struct ws_err err = { .status = WS_OK };
	struct ws_cache_string c;
	struct ws_cache_field f;
	enum ws_status status;

	if (size >= sizeof copy)
		return;
	if (size)
		memcpy(copy, text, size);
	copy[size] = '\0';
	status = ws_cache_string_parse(&c, copy, &err);
	need(status == err.status && (status == WS_OK || status == WS_EINVAL));
	need((status == WS_OK) == (err.text[0] == '\0'));
	for (size_t i = 0; status == WS_OK && ws_cache_string_field(&c, i, &f); i++)
		need(f.name[0] && f.meaning[0] && i < 64);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ws_err err = { .status = WS_OK };
	struct ws_notes notes = { .note = NULL };
	struct ws_machine m;
	enum ws_status status;

	/* With notes or without: the names nearest to unknown ones are what takes time. */
	status = ws_gpgpusim_read(&m, (const char *)data, size, "fuzz", size % 4 ? NULL : &notes,
				  &err);
	ws_notes_clear(&notes);
	need_sentence(status, &err);
	if (status == WS_OK) {
		need(ws_set_index(&m.l1, UINT64_MAX) < m.l1.sets);
		need(ws_set_index(&m.l2, 0x7fc8415229eb) < m.l2.sets);
		come_back(&m);
	}
	explain((const char *)data, size);
	return 0;
}
