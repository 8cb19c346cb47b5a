/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/fuzz/fuzz-pchase.c -- libFuzzer entry for files of measured loads: any bytes are loads, a
 * curve, or one sentence with file and line.
 *
 *   ./fuzz-pchase tests/fuzz/corpus-pchase
 */
#include "tests/fuzz/fuzz.h"
#include "validate/pchase.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ws_in in = { .data = data, .len = size, .name = (char *)"fuzz" };
	struct ws_err err = { 0 };
	struct ws_chase_file f;
	enum ws_status status = ws_chase_read(&f, &in, &err);

	need_place(status, &err);
	need(status != WS_OK || (f.loads > 0) != (f.points > 0));
	ws_chase_file_clear(&f);
	return 0;
}
