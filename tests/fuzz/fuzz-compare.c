/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/fuzz/fuzz-compare.c -- libFuzzer entry for outputs that are compared: any bytes give
 * launches, each equal to itself, or one sentence with file and line.
 *
 *   ./fuzz-compare tests/fuzz/corpus-compare
 */
#include "tests/fuzz/fuzz.h"
#include "validate/compare.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ws_in in = { .data = data, .len = size, .name = (char *)"fuzz" };
	struct ws_stats_pair *pair = NULL;
	struct ws_err err = { 0 };
	struct ws_stats *s;
	size_t pairs = 0;
	enum ws_status status = ws_stats_read(&s, &in, &err);

	need_place(status, &err);
	if (status == WS_OK)
		need(ws_stats_match(&pair, &pairs, s, s, true, NULL) == WS_OK &&
		     pairs == s->launches);
	for (unsigned k = 0; pairs && k < WS_STATS; k++) {
		struct ws_stat_sum sum;

		need(ws_stat_sum_of(pair, pairs, (enum ws_stat)k, &sum, NULL) == WS_OK &&
		     sum.launches == sum.equal);
	}
	free(pair);
	ws_stats_free(s);
	return 0;
}
