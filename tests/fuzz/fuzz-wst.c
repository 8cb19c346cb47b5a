/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/fuzz/fuzz-wst.c -- libFuzzer entry for the trace reader and decoder: any
 * bytes decode to their end or give one sentence.  Checksums stop a fuzzer at
 * the door, so most inputs are put into files with right ones (try_input, which
 * tests/trace/t-wst.c runs on the seeds too).
 */
#include "tests/fuzz/fuzz.h"
#include "tests/trace/wstfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ws_err err = { 0 };
	enum ws_status status = try_input(data, size, &err);

	need_sentence(status, &err);
	return 0;
}
