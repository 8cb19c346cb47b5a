/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: traces of the format xdin.
 */
#include "tests/trace/foreign.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)try_foreign("xdin", data, size);
	return 0;
}
