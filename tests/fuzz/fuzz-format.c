/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/fuzz/fuzz-format.c -- libFuzzer entry for traces of other tools: any bytes, read as the
 * format that the environment's FUZZ_FORMAT names and as whatever they are recognised as, become
 * a trace that decodes, or give one sentence (try_foreign, which tests/trace/t-formats.c runs on
 * the seeds too).  Files that an accel-sim list names are looked for in tests/fuzz/.
 *
 *   fuzz-format --formats                   the names: each has its corpus, tests/fuzz/corpus-NAME
 *   FUZZ_FORMAT=din fuzz-format tests/fuzz/corpus-din
 */
#include "tests/trace/foreign.h"

#include <stdio.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *format = getenv("FUZZ_FORMAT");

	if (*argc == 2 && !strcmp((*argv)[1], "--formats")) {
		for (size_t i = 0; ws_trace_formats[i]; i++)
			if (ws_trace_formats[i]->read)
				puts(ws_trace_formats[i]->name);
		exit(0);
	}
	if (!format || !ws_trace_format_find(format)) {
		fprintf(stderr, "FUZZ_FORMAT=%s: want a name that --formats lists\n",
			format ? format : "");
		exit(1);
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)try_foreign(getenv("FUZZ_FORMAT"), data, size);
	(void)try_foreign(NULL, data, size);
	return 0;
}
