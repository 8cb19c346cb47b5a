/* SPDX-License-Identifier: GPL-3.0-or-later
 * The built-in library (data/opencl/builtins.cl) as bitcode, WS_BUILTINS its path. */
	.section .rodata
	.global ws_builtins_start, ws_builtins_end
	.hidden ws_builtins_start, ws_builtins_end
	.balign 16
ws_builtins_start:
	.incbin WS_BUILTINS
ws_builtins_end:
	.byte 0
	.section .note.GNU-stack,"",@progbits
