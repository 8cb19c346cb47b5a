/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/sass.h -- memory instructions of NVIDIA machine code, as tools that record it print
 * them.
 *
 * Private to trace/import/.
 */
#ifndef WS_IMPORT_SASS_H
#define WS_IMPORT_SASS_H

#include "trace/import.h"

#define WS_SASS_LANES 32u	/* of a warp */
#define WS_SASS_WINDOW (1ull << 24) /* bytes of shared and of local memory's generic addresses */
#define WS_SASS_REGISTERS_MAX 255u  /* of a thread; tools are known to print more, which is wrong */
#define WS_SASS_SHARED_MAX (1ull << 20) /* of a CTA; likewise */

enum ws_sass_place { WS_SASS_GLOBAL, WS_SASS_GENERIC, WS_SASS_SHARED, WS_SASS_LOCAL,
		     WS_SASS_CONSTANT, WS_SASS_BULK };

struct ws_sass {
	char name[12];
	uint8_t kind, place;	/* enum ws_kind, ws_sass_place */
};

/* "LDG.E.64": LDG's row; NULL: it accesses no memory that is modelled (texture, prefetch, ...). */
const struct ws_sass *ws_sass_find(const char *opcode, size_t len);
/* Bytes a lane by its modifiers; 4 if none tells. */
uint32_t ws_sass_bytes(const char *opcode, size_t len);

/* The unit of an instruction: enum ws_function_unit. */
uint8_t ws_sass_unit(const char *opcode, size_t len);

struct ws_sass_shape {	/* of a launch */
	uint64_t threads, all;		/* of a CTA; of the grid */
	uint64_t shared_base, local_base; /* of the generic windows; 0: unknown */
};

/* ws_builder_access of such an instruction; a->space is found here.  Thread-local memory: word w
 * of thread t of the grid's T is at 2^62 + 4 * (w * T + t), so that the same word of a warp's
 * threads is one line, as GPUs have it; an access of several words is several, and
 * *pieces their number. */
enum ws_status ws_sass_access(struct ws_builder *b, const struct ws_sass_shape *shape,
			      const struct ws_built_access *a, enum ws_sass_place place,
			      uint64_t *pieces, struct ws_err *err) WS_MUST_CHECK;

#endif
