/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/fuzz/fuzz-counters.c -- libFuzzer entry for profilers' files: any bytes give launches, or
 * one sentence with file and line.
 *
 *   ./fuzz-counters tests/fuzz/corpus-counters
 */
#include "tests/fuzz/fuzz.h"
#include "validate/counters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ws_in in = { .data = data, .len = size, .name = (char *)"fuzz" };
	struct ws_counters_group *group = NULL;
	struct ws_err err = { 0 };
	struct ws_counters *c;
	size_t count;
	enum ws_status status = ws_counters_read(&c, &in, NULL, &err);

	need_place(status, &err);
	if (status == WS_OK)
		need(ws_counters_gather(&group, &count, &c, 1, NULL) == WS_OK &&
		     count <= c->launches);
	free(group);
	ws_counters_free(c);
	return 0;
}
