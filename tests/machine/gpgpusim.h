/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/gpgpusim.h -- configurations of GPGPU-Sim as texts, for t-gpgpusim*.c.
 */
#ifndef TEST_GPGPUSIM_H
#define TEST_GPGPUSIM_H

#include "machine/machine.h"
#include "tests/test.h"

/* The option that no file may lack. */
#define L1 "-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:512:8,16:0,32"
#define FILE_NAME "here.config"
#define ZEROS "00000000.00000000.00000000.00000000."

static inline enum ws_status read_text(struct ws_machine *m, const char *text,
				       struct ws_notes *notes, struct ws_err *err)
{
	*err = (struct ws_err){ .status = WS_OK };
	return ws_gpgpusim_read(m, text, strlen(text), FILE_NAME, notes, err);
}

/* The first note of a kind that has the text; NULL: none. */
static inline const struct ws_note *find_note(const struct ws_notes *notes,
					      enum ws_note_kind kind, const char *text)
{
	for (size_t i = 0; i < notes->count; i++) {
		if (notes->note[i].kind == kind && strstr(notes->note[i].text, text))
			return &notes->note[i];
	}
	return NULL;
}

static inline unsigned count_notes(const struct ws_notes *notes, enum ws_note_kind kind)
{
	unsigned n = 0;

	for (size_t i = 0; i < notes->count; i++)
		n += notes->note[i].kind == kind;
	return n;
}

#endif
