/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/text.h -- shared by readers of line-oriented traces: fields of a line, the first
 * lines of a file, and traces of a single thread, which become one warp of one lane in one CTA of
 * one launch.
 */
#ifndef WS_IMPORT_TEXT_H
#define WS_IMPORT_TEXT_H

#include "trace/import/packed.h"

/* The kernel's name in traces that have none.  It is the same for all formats, so that predictions
 * do not depend on the format. */
#define WS_TEXT_KERNEL "trace"
/* An access without a size is to the word that holds its address. */
#define WS_TEXT_BYTES 4u
#define WS_TEXT_WORD(address) ((address) & ~(uint64_t)(WS_TEXT_BYTES - 1))

/* ---- fields: each moves *p past what it took; false, *p as it was, if it is not there ---- */

bool ws_text_hex(const char **p, uint64_t *v);	    /* digits, perhaps after 0x; not past 64 bits */
/* The same of digits alone, eight at a time: ws_text_hex, of which 17 bytes can be read. */
bool ws_text_hex_digits(const char **p, uint64_t *v);
bool ws_text_decimal(const char **p, uint64_t *v);
bool ws_text_number(const char **p, uint64_t *v);   /* hexadecimal after 0x, else decimal */
bool ws_text_letter(const char **p, const char *choices, char *c); /* one of them */
bool ws_text_word(const char **p, const char *word);
bool ws_text_gap(const char **p);		    /* blanks, at least one */
bool ws_text_end(const char **p);		    /* blanks, and nothing after them */

/* ---- recognition -------------------------------------------------------------------------- */

enum ws_line_kind { WS_LINE_OTHER, WS_LINE_NEUTRAL, WS_LINE_MINE };

/* Whether a line of this format is among the first ones, before any other line.  A truncated last
 * line counts only if it is alone. */
bool ws_text_begins(const uint8_t *data, size_t len, enum ws_line_kind (*kind)(const char *line));

/* ---- one thread ---------------------------------------------------------------------------- */

#define WS_SINGLE_ALIKE 256u

struct ws_single {
	struct ws_packed *s;
	struct ws_builder *b;
	uint64_t fetched;	/* instructions since the last access */
	uint64_t pc;		/* of the last of them */
	struct ws_built_access access; /* the last one */
	bool repeats;		/* what is like it may wait in `alike` */
	size_t waiting;
	uint64_t alike[WS_SINGLE_ALIKE]; /* addresses */
};

enum ws_status ws_single_begin(struct ws_single *one, struct ws_packed *s, struct ws_builder *b,
			       struct ws_err *err) WS_MUST_CHECK;

/* An instruction; accesses that follow are its own. */
static inline void ws_single_instruction(struct ws_single *one, uint64_t pc)
{
	one->fetched++;
	one->pc = pc;
	one->repeats = false;
}

/* Is it like the last access?  Then it is taken. */
static inline bool ws_single_again(struct ws_single *one, enum ws_kind kind, uint64_t address,
				   uint64_t bytes)
{
	if (!one->repeats || kind != one->access.kind || bytes != one->access.bytes ||
	    address > UINT64_MAX - (bytes - 1) || one->waiting == WS_SINGLE_ALIKE)
		return false;
	one->alike[one->waiting++] = address;
	return true;
}

enum ws_status ws_single_other(struct ws_single *one, enum ws_kind kind, uint64_t address,
			       uint64_t bytes, struct ws_err *err) WS_MUST_CHECK;

/* bytes: as the file has it, any number. */
static inline enum ws_status ws_single_access(struct ws_single *one, enum ws_kind kind,
					      uint64_t address, uint64_t bytes, struct ws_err *err)
{
	return ws_single_again(one, kind, address, bytes) ? WS_OK
		: ws_single_other(one, kind, address, bytes, err);
}

/* Ends the instructions after the last access; another launch may begin then. */
enum ws_status ws_single_end(struct ws_single *one, struct ws_err *err) WS_MUST_CHECK;
/* Reads a file of which each line is taken alone.  some, or NULL, takes any number of lines that
 * are there before that (ws_packed_there). */
enum ws_status ws_single_read(struct ws_packed *s, struct ws_builder *b,
			      enum ws_status (*some)(struct ws_single *one, struct ws_err *err),
			      enum ws_status (*take)(struct ws_single *one, const char *line,
						     struct ws_err *err),
			      struct ws_err *err) WS_MUST_CHECK;

/* A failure of the builder, with the place in the file. */
enum ws_status ws_text_blame(const struct ws_packed *s, enum ws_status status,
			     const struct ws_err *why, struct ws_err *err);

#endif
