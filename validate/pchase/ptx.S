/* SPDX-License-Identifier: GPL-3.0-or-later
 * The kernel of chase.cu as PTX, WS_PTX its path: empty if no compiler for it was there.  Ends with
 * a zero, as the driver wants it. */
	.section .rodata
	.global ws_chase_ptx
	.hidden ws_chase_ptx
ws_chase_ptx:
	.incbin WS_PTX
	.byte 0
	.section .note.GNU-stack,"",@progbits
