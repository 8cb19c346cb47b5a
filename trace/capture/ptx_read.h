/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx_read.h -- statements of PTX, as inline assembly has them.
 *
 * Private to trace/capture/.  "@!p mov.b64 {lo, hi}, $1;" has a guard, an opcode and operands.
 */
#ifndef WS_PTX_READ_H
#define WS_PTX_READ_H

#include <stdbool.h>

#define WS_PTX_OPERANDS 8u
#define WS_PTX_VECTOR	8u
#define WS_PTX_WORD	80u /* of a name or an instruction, with its NUL */

struct ptx_operand {
	char text[WS_PTX_VECTOR][WS_PTX_WORD]; /* several: of "{a, b}", or of "a|p" */
	unsigned parts;
	bool address;		/* "[a]" */
};

struct ptx_statement {
	char opcode[WS_PTX_WORD];
	char guard[WS_PTX_WORD];	/* "" : none */
	bool unless;		/* @!p */
	struct ptx_operand operand[WS_PTX_OPERANDS];
	unsigned operands;
};

/* Past blanks and comments. */
const char *ws_ptx_blanks(const char *p, const char *end);
/* Up to one of `stop`, without blanks, into to[WS_PTX_WORD]; false: it is too long. */
bool ws_ptx_word(const char **at, const char *end, const char *stop, char *to);
/* Up to and with its semicolon; false: it is none, or has too much. */
bool ws_ptx_statement(const char **at, const char *end, struct ptx_statement *s);

#endif
