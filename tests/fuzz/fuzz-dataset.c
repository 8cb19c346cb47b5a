/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/fuzz/fuzz-dataset.c -- libFuzzer entry for data sets: any bytes, a set.conf up to a line of
 * "%%" and a table after it, are a set whose rows have counters and launches, or one sentence.
 *
 *   clang -fsanitize=fuzzer,address,undefined -I. tests/fuzz/fuzz-dataset.c ... -o fuzz
 *   ./fuzz tests/fuzz/corpus-dataset
 */
#include "tests/fuzz/fuzz.h"
#include "tests/validate/any_dataset.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	need(try_dataset((const char *)data, size));
	return 0;
}
