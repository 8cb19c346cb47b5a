/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: traces of the format accel-sim: kernels, and lists (whose files are looked for in tests/fuzz/).
 */
#include "tests/trace/foreign.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)try_foreign("accel-sim", data, size);
	return 0;
}
