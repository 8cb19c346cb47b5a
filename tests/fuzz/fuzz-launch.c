/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: launch files, their check as a whole, and small contents.
 */
#include "tests/fuzz/fuzz.h"
#include "trace/capture/launch.h"

#define SMALL 65536u

/* Filling is bounded, and opens no file that the input names. */
static bool is_small(const struct ws_program *p)
{
	uint64_t total = 0;

	for (size_t i = 0; i < p->buffers; i++) {
		const char *init = p->buffer[i].init;

		if (strncmp(init, "file", 4) == 0 || strncmp(init, "csr-", 4) == 0 ||
		    strncmp(init, "road-", 5) == 0)
			return false;
		total += p->buffer[i].bytes;
	}
	return total <= SMALL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ws_err err = { 0 };
	struct ws_program p;
	enum ws_status status = ws_program_parse(&p, "fuzz/x.launch", data, size, &err);

	if (status == WS_OK)
		status = ws_program_verify(&p, 1024, &err);
	if (status == WS_OK && is_small(&p))
		status = ws_program_fill(&p, &err);
	/* Neither a failure without a sentence nor a sentence without one. */
	need((status != WS_OK) == (err.text[0] != '\0'));
	ws_program_clear(&p);
	return 0;
}
