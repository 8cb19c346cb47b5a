/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/fuzz/fuzz-profile.c -- libFuzzer entry for the profile reader: any bytes
 * give a profile or one sentence; a profile written and read again is the same
 * (memory_try, which tests/stackdist/t-profile-file.c runs on the seeds too).
 *
 *   clang -fsanitize=fuzzer,address,undefined -I. tests/fuzz/fuzz-profile.c ... -o fuzz
 *   ./fuzz tests/fuzz/corpus-profile
 */
#include "tests/fuzz/fuzz.h"
#include "tests/stackdist/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	need(memory_try(data, size));
	return 0;
}
