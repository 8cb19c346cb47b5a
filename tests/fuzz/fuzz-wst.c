/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/fuzz/fuzz-wst.c -- libFuzzer entry for the trace reader and decoder: any
 * bytes decode to their end or give one sentence.  Checksums stop a fuzzer at
 * the door, so most inputs are put into files with right ones (try_input, which
 * tests/trace/t-wst.c runs on the seeds too).
 */
#include "tests/trace/wstfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ws_err err = { 0 };
	enum ws_status status = try_input(data, size, &err);

	if (status != err.status || (status == WS_OK) != (err.text[0] == '\0'))
		abort(); /* a failure without a sentence, or a sentence without one */
	if (status != WS_OK && status != WS_EFORMAT && status != WS_ENOMEM)
		abort();
	return 0;
}
