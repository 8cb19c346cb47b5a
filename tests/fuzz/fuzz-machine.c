/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/fuzz/fuzz-machine.c -- libFuzzer entry for the machine reader: any bytes
 * give a machine or one sentence; a machine written and read again is the same.
 *
 *   clang -fsanitize=fuzzer,address,undefined -I. tests/fuzz/fuzz-machine.c ... -o fuzz
 *   ./fuzz tests/fuzz/corpus-machine
 */
#include "tests/fuzz/fuzz.h"
#include "machine/machine.h"

#include <stdlib.h>
#include <string.h>

/* An address has a slice, and a set of it. */
static void in_slices(const struct ws_machine *m, uint64_t addr)
{
	struct ws_cache whole = ws_l2_whole(m);

	need(ws_l2_slice(m, addr) < m->l2_slices);
	need(ws_set_index(&whole, addr) ==
	     ws_l2_slice(m, addr) * m->l2.sets + ws_set_index(&m->l2, ws_l2_local(m, addr)));
}

static void come_back(const struct ws_machine *m)
{
	struct ws_buf first = { .data = NULL }, second = { .data = NULL };
	struct ws_machine again;

	ws_machine_write(m, &first);
	need(ws_machine_read(&again, (const char *)first.data, first.len, "again", NULL) == WS_OK);
	ws_machine_write(&again, &second);
	need(first.len == second.len && memcmp(first.data, second.data, first.len) == 0);
	ws_buf_clear(&first);
	ws_buf_clear(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ws_err err = { .status = WS_OK };
	struct ws_machine m;
	enum ws_status status;

	status = ws_machine_read(&m, (const char *)data, size, "fuzz", &err);
	need_sentence(status, &err);
	if (status == WS_OK) {
		need(ws_set_index(&m.l1, UINT64_MAX) < m.l1.sets);
		need(ws_set_index(&m.l2, 0x7fc8415229eb) < m.l2.sets);
		in_slices(&m, UINT64_MAX);
		in_slices(&m, 0x7fc8415229eb);
		come_back(&m);
	}
	return 0;
}
