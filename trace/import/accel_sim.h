/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/accel_sim.h -- shared by the reader and writer of Accel-Sim's traces.
 *
 *   accel_sim.c	  the row; kernelslist.g; a kernel's header and thread blocks
 *   accel_sim_line.c  an instruction
 *   accel_sim_write.c  version 5, from a trace
 */
#ifndef WS_IMPORT_ACCEL_SIM_H
#define WS_IMPORT_ACCEL_SIM_H

#include "base/map.h"
#include "trace/import/sass.h"
#include "trace/import/text.h"

#define WS_AS_REGISTERS 512u	/* R0.., and UR0.. from 256 on */

/* Names of source files: the traces have none, but lines or PCs. */
#define WS_AS_LINE "source"
#define WS_AS_PC "pc"

struct ws_as_load { /* of a register: what was loaded into it and not yet used */
	uint32_t instruction;
	uint64_t at;
};

struct ws_as_result {	/* of a register: who wrote it, if no load did */
	uint64_t run;		/* since which access or barrier of the warp; 0: nobody */
	uint32_t depth;		/* steps of the longest chain that led to it since */
};

#define WS_AS_OPCODE 14u
struct ws_as_opcode {	/* one that was looked up */
	char name[WS_AS_OPCODE];
	uint8_t len, unit;	/* enum ws_function_unit */
};

struct ws_as_kernel {	/* being read */
	struct ws_packed *s;
	struct ws_builder *b;
	/* the header */
	char *name;
	uint64_t grid[3], block[3], shared, registers;
	struct ws_sass_shape shape;
	bool old;		/* version < 3: a line begins with the thread block and warp */
	bool lines;		/* ... with a source line */
	/* the place */
	bool begun;		/* the header is complete */
	bool in_block, placed, in_warp;
	uint64_t at[3], cta, warp;
	uint64_t insts, seen;	/* claimed; so far */
	bool counted;		/* insts was there */
	struct ws_keys blocks, warps; /* blocks of the kernel, warps of the block */
	/* the warp */
	uint64_t executed;	/* barriers aside */
	bool accessed;		/* by the instruction at hand */
	uint64_t gap;		/* other instructions since the last access */
	struct ws_as_load load[WS_AS_REGISTERS];
	uint64_t live[WS_AS_REGISTERS / 64]; /* registers with a load */
	size_t alive;		/* bits set in it */
	struct ws_as_result result[WS_AS_REGISTERS];
	uint64_t run;		/* number of the warp's, over all warps; from 1 on */
	uint32_t depth;		/* of the instruction at hand */
	uint64_t pc;		/* of the one before it */
	struct ws_pace pace;	/* of the run so far */
	bool coded;		/* ... its PCs are known */
	struct ws_as_opcode opcode[64]; /* at the PC's last bits */
};

/* One line of a warp. */
enum ws_status ws_as_instruction(struct ws_as_kernel *k, const char *line,
				 struct ws_err *err) WS_MUST_CHECK;

/* What is told from now on comes after an access, a barrier or another warp. */
static inline void ws_as_run(struct ws_as_kernel *k)
{
	k->run++;
	k->pace = (struct ws_pace){ 0 };
	k->coded = false;
}

enum ws_status ws_as_write(const struct ws_trace *t, const struct ws_writing *how,
			   struct ws_out *out, struct ws_err *err) WS_MUST_CHECK;

#endif
