/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/fuzz/fuzz.h -- what entries for libFuzzer share: a broken promise ends the process, and a
 * reader of any bytes succeeds or says one sentence.
 */
#ifndef WS_TESTS_FUZZ_FUZZ_H
#define WS_TESTS_FUZZ_FUZZ_H

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* libFuzzer's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void need(bool ok)
{
	if (!ok)
		abort();
}

/* Neither a failure without a sentence nor a sentence without one; no failure but those of files
 * and of memory. */
static inline void need_sentence(enum ws_status status, const struct ws_err *err)
{
	need(status == err->status && (status == WS_OK) == (err->text[0] == '\0'));
	need(status == WS_OK || status == WS_EFORMAT || status == WS_ENOMEM);
}

/* The same of a reader whose sentences begin with the file's name, which is "fuzz". */
static inline void need_place(enum ws_status status, const struct ws_err *err)
{
	need_sentence(status, err);
	need(status != WS_EFORMAT || strncmp(err->text, "fuzz:", strlen("fuzz:")) == 0);
}

#endif
