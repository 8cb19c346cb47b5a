/* SPDX-License-Identifier: GPL-3.0-or-later
 * The built-in library (data/opencl/builtins.cl), the software cache (data/opencl/softcache.cl) and
 * instructions of PTX (data/cuda/ptx.c) as bitcode, WS_BUILTINS, WS_SOFTCACHE and WS_PTX their paths;
 * a sum of the first. */
	.section .rodata
	.global ws_builtins_start, ws_builtins_end
	.hidden ws_builtins_start, ws_builtins_end
	.balign 16
ws_builtins_start:
	.incbin WS_BUILTINS
ws_builtins_end:
	.byte 0
	.global ws_softcache_start, ws_softcache_end
	.hidden ws_softcache_start, ws_softcache_end
	.balign 16
ws_softcache_start:
	.incbin WS_SOFTCACHE
ws_softcache_end:
	.byte 0
	.global ws_ptx_start, ws_ptx_end
	.hidden ws_ptx_start, ws_ptx_end
	.balign 16
ws_ptx_start:
	.incbin WS_PTX
ws_ptx_end:
	.byte 0
	.global ws_builtins_sum
	.hidden ws_builtins_sum
ws_builtins_sum:
	.asciz WS_BUILTINS_SUM
	.section .note.GNU-stack,"",@progbits
