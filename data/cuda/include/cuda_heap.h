/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_heap.h -- memory in device code: copies, fills, and a heap.
 *
 * Part of cuda_device.h, which includes it behind its atomics.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_HEAP_H
#define WARPSTACK_CUDA_HEAP_H

/* ---- memory --------------------------------------------------------------------------------------------- */

/* By bytes, and by words where all are at multiples of 4. */
WS_DEVICE void *memcpy(void *to, const void *from, size_t bytes)
{
	size_t i = 0;
	if ((((size_t)to | (size_t)from) & 3) == 0)
		for (; i + 4 <= bytes; i += 4)
			*(unsigned int *)((char *)to + i) = *(const unsigned int *)((const char *)from + i);
	for (; i < bytes; i++)
		((char *)to)[i] = ((const char *)from)[i];
	return to;
}
WS_DEVICE void *memset(void *to, int value, size_t bytes)
{
	size_t i = 0;
	if (((size_t)to & 3) == 0)
		for (; i + 4 <= bytes; i += 4)
			*(unsigned int *)((char *)to + i) = (unsigned char)value * 0x01010101u;
	for (; i < bytes; i++)
		((char *)to)[i] = (char)value;
	return to;
}

/* ---- a heap ---------------------------------------------------------------------------------------------- */

/* Blocks are of powers of two bytes, the first 16 of which say which.  Free ones are in a list each:
 * a count of its changes, so that no two threads take one, and where the first one is, from 1, in
 * units of 16 bytes.  8 MB is what a GPU has if nothing else is asked for. */
struct __ws_heap_state {
	unsigned long long used, list[24];
};
static __device__ __ws_heap_state __ws_heap_lists;
static __device__ __attribute__((aligned(16))) unsigned char __ws_heap[8 << 20];

extern "C" __device__ inline void *malloc(size_t bytes)
{
	unsigned int kind = 5;
	unsigned long long old, seen, at;
	while (kind < 23 && (1ull << kind) < bytes + 16)
		kind++;
	if (!bytes || (1ull << kind) < bytes + 16)
		return 0;
	old = *(volatile unsigned long long *)&__ws_heap_lists.list[kind];
	while ((unsigned int)old) {
		unsigned char *block = __ws_heap + 16ull * ((unsigned int)old - 1);
		unsigned int next = *(volatile unsigned int *)block;
		seen = atomicCAS(&__ws_heap_lists.list[kind], old,
				 ((old >> 32) + 1) << 32 | next);
		if (seen == old)
			return block + 16;
		old = seen;
	}
	at = atomicAdd(&__ws_heap_lists.used, 1ull << kind);
	if (at + (1ull << kind) > sizeof __ws_heap)
		return 0;
	*(unsigned int *)(__ws_heap + at + 4) = kind;
	return __ws_heap + at + 16;
}
extern "C" __device__ inline void free(void *pointer)
{
	unsigned char *block = (unsigned char *)pointer - 16;
	unsigned int kind;
	unsigned long long old, seen;
	if (!pointer)
		return;
	kind = *(unsigned int *)(block + 4);
	old = *(volatile unsigned long long *)&__ws_heap_lists.list[kind];
	for (;;) {
		*(volatile unsigned int *)block = (unsigned int)old;
		seen = atomicCAS(&__ws_heap_lists.list[kind], old,
				 ((old >> 32) + 1) << 32 |
					 (unsigned int)((unsigned long long)(block - __ws_heap) / 16 + 1));
		if (seen == old)
			return;
		old = seen;
	}
}

#endif
