/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/sass_unit.c -- which unit executes an instruction of NVIDIA machine code, as
 * Accel-Sim's tables (ISA_Def/) have it for Volta, Turing, Ampere and Hopper.
 *
 * What is in no list is an integer instruction, or one that is executed as such: conversions,
 * moves, predicates, loads of constants.
 */
#include "trace/import/sass.h"

#include <string.h>

static const struct {
	enum ws_function_unit unit;
	const char *names;	/* blanks around each */
} lists[] = {
	{ WS_UNIT_CONTROL, " BAR EXIT " },
	{ WS_UNIT_SINGLE, " FADD FADD32I FCHK FFMA FFMA32I FMNMX FMUL FMUL32I FSEL FSET FSETP "
			  "FSWZADD HMUL2 HMNMX2 " },
	{ WS_UNIT_HALF, " HADD2 HADD2_32I HFMA2 HFMA2_32I HMUL2_32I HSET2 HSETP2 " },
	{ WS_UNIT_DOUBLE, " DADD DFMA DMUL DSETP " },
	{ WS_UNIT_SPECIAL, " MUFU " },
	{ WS_UNIT_BRANCH, " BMOV BPT BRA BREAK BRX BRXU BSSY BSYNC CALL JMP JMX JMXU KILL "
			  "NANOSLEEP RET RPCMOV RTT WARPSYNC YIELD " },
	{ WS_UNIT_TEXTURE, " TEX TLD TLD4 TMML TXD TXQ " },
	{ WS_UNIT_MATRIX, " HMMA DMMA BMMA IMMA " },
	{ WS_UNIT_UNIFORM, " R2UR REDUX S2UR UBMSK UBREV UCLEA UF2FP UFLO UIADD3 UIMAD UISETP "
			   "ULDC ULEA ULOP ULOP3 ULOP32I UMOV UP2UR UPLOP3 UPOPC UPRMT UPSETP "
			   "UR2UP USEL USGXT USHF USHL USHR VOTEU " },
	{ WS_UNIT_MEMORY, " LD LDG LDL LDS LDSM LDGSTS ST STG STL STS STSM ATOM ATOMS ATOMG RED "
			  "REDS REDG MEMBAR UTMALDG UTMASTG UTMAREDG UBLKCP UBLKRED " },
};

uint8_t ws_sass_unit(const char *opcode, size_t len)
{
	char word[16];
	const char *dot = memchr(opcode, '.', len);

	len = dot ? (size_t)(dot - opcode) : len;
	if (len > sizeof word - 3)
		return WS_UNIT_INT;
	word[0] = ' ';
	memcpy(word + 1, opcode, len);
	word[len + 1] = ' ';
	word[len + 2] = '\0';
	for (size_t i = 0; i < WS_COUNT(lists); i++)
		if (strstr(lists[i].names, word))
			return (uint8_t)lists[i].unit;
	return WS_UNIT_INT;
}
