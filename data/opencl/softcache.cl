/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softcache.cl -- what a kernel with a software cache calls: simulateCache(), accessThroughCache() and
 * flush() of the cache's text.
 *
 * Compiled once, to bitcode, and linked into a kernel by trace/capture/softcache.c, which puts calls of
 * these functions before the kernel's accesses, barriers, fences and its end.  All of it is inlined:
 * a structure's struct ws_soft_line becomes registers (the mask of lines longer than 64 bytes stays in
 * private memory), and what is constant in a call (the size of
 * lines, whether the structure is written to) is folded.
 *
 * Functions __ws_soft_... only count: they take no time, and what calls them is what the machine would
 * run.  Numbers of lines are addresses without their low bits.  Write-back is by words where
 * all four bytes were modified, by bytes where not, so that what another thread wrote into the same line stays.
 */
#include "trace/capture/soft_slots.h"

#define FN __attribute__((always_inline))
#define NONE (~(ulong)0)

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

enum { LOAD, STORE };

struct ws_soft_line {		/* of a thread and a structure */
	__local uchar *at;	/* in shared memory */
	int chosen;		/* is its structure? */
	ulong seen, hits;	/* monitoring: the imaginary line; what would have hit it */
	ulong number;		/* of the line that is there, or NONE */
	ulong mask[4];		/* a bit for each byte that was modified */
};

/* Of an access, constant in each call but for p. */
#define STRUCTURE __private struct ws_soft_line *l, __global uchar *base, uint bits, uint writable, \
	uint slot
#define SAME l, base, bits, writable, slot

void __ws_soft_count(uint slot, ulong n);
void __ws_soft_bits(uint slot, ulong mask);
void __ws_soft_past(uint slot, uint calls, uint threshold, int chosen);
void __ws_soft_phase(void);

/* ---- lines ------------------------------------------------------------------------ */

FN static ulong ones(uint n)
{
	return n < 64 ? ((ulong)1 << n) - 1 : ~(ulong)0;
}

/* Bytes first, first + 1 ... of the line are modified. */
FN static void modify(__private struct ws_soft_line *l, uint first, uint bytes, uint bits)
{
	if (bits <= 6) {
		l->mask[0] |= ones(bytes) << first;
		return;
	}
#pragma nounroll
	for (uint w = first / 64; w <= (first + bytes - 1) / 64; w++) {
		uint from = MAX(first, 64 * w), to = MIN(first + bytes, 64 * w + 64);

		l->mask[w] |= ones(to - from) << (from - 64 * w);
	}
}

FN static ulong modified(__private const struct ws_soft_line *l, uint bits)
{
	return bits <= 6 ? l->mask[0] : l->mask[0] | l->mask[1] | l->mask[2] | l->mask[3];
}

/* Bytes of a mask's word to memory. */
FN static void put(__global uchar *to, __local const uchar *from, ulong mask)
{
	for (uint i = 0; mask; i += 4, mask >>= 4) {
		if ((mask & 15) == 15) {
			*(__global uint *)(to + i) = *(__local const uint *)(from + i);
			continue;
		}
		for (uint b = 0; b < 4; b++)
			if (mask >> b & 1)
				to[i + b] = from[i + b];
	}
}

/* All of them, 16 bytes at a time. */
FN static void put_all(__global uchar *to, __local const uchar *from, uint bytes)
{
	if (bytes == 16) {
		*(__global uint4 *)to = *(__local const uint4 *)from;
		return;
	}
#pragma nounroll
	for (uint i = 0; i < bytes; i += 16)
		*(__global uint4 *)(to + i) = *(__local const uint4 *)(from + i);
}

FN static void put_word(__private struct ws_soft_line *l, __global uchar *to, uint w, uint bits,
			uint slot)
{
	uint bytes = bits < 6 ? 1u << bits : 64;

	__ws_soft_bits(slot + WS_SLOT_WRITE_BACK_BYTES, l->mask[w]);
	if (bits >= 4 && l->mask[w] == ones(bytes)) {
		put_all(to + 64 * w, l->at + 64 * w, bytes);
	} else {
		put(to + 64 * w, l->at + 64 * w, l->mask[w]);
	}
	l->mask[w] = 0;
}

/* "dumpToMemory" */
FN static void write_back(__private struct ws_soft_line *l, __global uchar *base, uint bits, uint slot)
{
	__global uchar *to = base + ((l->number << bits) - (ulong)base);

	__ws_soft_count(slot + WS_SLOT_WRITE_BACKS, 1);
	if (bits <= 6) {
		put_word(l, to, 0, bits, slot);
		return;
	}
#pragma nounroll
	for (uint w = 0; w < 1u << (bits - 6); w++)
		put_word(l, to, w, bits, slot);
}

FN static void clean(STRUCTURE)
{
	if (writable && modified(l, bits))
		write_back(l, base, bits, slot);
}

/* "loadNewData": the whole line, 16 bytes at a time. */
FN static void fetch(__local uchar *to, __global const uchar *from, uint bits)
{
	if (bits == 0)
		*to = *from;
	else if (bits == 1)
		*(__local ushort *)to = *(__global const ushort *)from;
	else if (bits == 2)
		*(__local uint *)to = *(__global const uint *)from;
	else if (bits == 3)
		*(__local ulong *)to = *(__global const ulong *)from;
	else if (bits == 4)
		*(__local uint4 *)to = *(__global const uint4 *)from;
	else
#pragma nounroll
		for (uint i = 0; i < 1u << bits; i += 16)
			*(__local uint4 *)(to + i) = *(__global const uint4 *)(from + i);
}

FN static void look_up(STRUCTURE, ulong number, uint kind)
{
	if (l->number == number) {
		__ws_soft_count(slot + WS_SLOT_HITS + kind, 1);
		return;
	}
	__ws_soft_count(slot + WS_SLOT_MISSES + kind, 1);
	clean(SAME);
	l->number = number;
	fetch(l->at, base + ((number << bits) - (ulong)base), bits);
}

/* ---- what the kernel calls ------------------------------------------------------------ */

FN void ws_soft_begin(__private struct ws_soft_line *l, __local uchar *lines, int line, uint threads,
		      uint thread, uint bits)
{
	l->chosen = line >= 0;
	l->at = lines + ((((ulong)MAX(line, 0) * threads) + thread) << bits);
	l->seen = l->number = NONE;
	l->hits = 0;
	l->mask[0] = l->mask[1] = l->mask[2] = l->mask[3] = 0;
}

/* A load or store: true if it is one of the monitoring phase.  A structure without a base is of what
 * is in no array: it is monitored, never chosen. */
FN bool ws_soft_monitor(__private uint *calls, STRUCTURE, __global const uchar *p, uint bytes,
			uint kind, uint threshold)
{
	ulong first = (ulong)p >> bits;

	__ws_soft_count(slot + WS_SLOT_ACCESSES + kind, 1);
	if (*calls >= threshold) {
		__ws_soft_phase();
		return false;
	}
	++*calls;
	l->hits += l->seen == first;
	l->seen = ((ulong)p + bytes - 1) >> bits;
	__ws_soft_count(slot + WS_SLOT_MONITORED, 1);
	return true;
}

FN bool ws_soft_chosen(__private const struct ws_soft_line *l)
{
	return l->chosen;
}

/* Is what lies at p in this line? */
FN bool ws_soft_holds(__private const struct ws_soft_line *l, __global const uchar *p, uint bits)
{
	return l->number == (ulong)p >> bits;
}

/* Where they are in it then. */
FN __local uchar *ws_soft_found(__private struct ws_soft_line *l, uint bits, uint slot,
				__global const uchar *p, uint bytes, uint kind)
{
	uint offset = (ulong)p & ((1u << bits) - 1);

	__ws_soft_count(slot + WS_SLOT_HITS + kind, 1);
	if (kind == STORE)
		modify(l, offset, bytes, bits);
	return l->at + offset;
}

/* Where the bytes at p are in the structure's line, all of them in one; they are there then. */
FN __local uchar *ws_soft_through(STRUCTURE, __global const uchar *p, uint bytes, uint kind)
{
	uint offset = (ulong)p & ((1u << bits) - 1);

	look_up(SAME, (ulong)p >> bits, kind);
	if (kind == STORE)
		modify(l, offset, bytes, bits);
	return l->at + offset;
}

/* As that, to and from data, of any number of lines. */
FN void ws_soft_copy(STRUCTURE, __global const uchar *p, uint bytes, uint kind, __private uchar *data)
{
	ulong begin = (ulong)p, end = begin + bytes;

	while (begin < end) {
		ulong next = MIN(end, ((begin >> bits) + 1) << bits);
		uint offset = begin & ((1u << bits) - 1), n = next - begin;

		look_up(SAME, begin >> bits, kind);
		if (kind == STORE)
			modify(l, offset, n, bits);
		for (uint i = 0; i < n; i++)
			if (kind == STORE)
				l->at[offset + i] = data[i];
			else
				data[i] = l->at[offset + i];
		data += n;
		begin = next;
	}
}

/* "flush(), which also takes an address": before an atomic, and before what is looked up by bytes. */
FN void ws_soft_release(STRUCTURE, __global const uchar *p, uint bytes)
{
	ulong first = (ulong)p >> bits, last = ((ulong)p + bytes - 1) >> bits;

	if (l->seen - first <= last - first)
		l->seen = NONE;
	if (l->number - first <= last - first) {
		clean(SAME);
		l->number = NONE;
	}
}

FN void ws_soft_atomic(__private const uint *calls, STRUCTURE, __global const uchar *p, uint bytes,
		       uint threshold)
{
	__ws_soft_count(slot + WS_SLOT_ACCESSES + 2, 1);
	__ws_soft_count(slot + WS_SLOT_DIRECT + 2, 1);
	__ws_soft_past(slot + WS_SLOT_ATOMICS, *calls, threshold, l->chosen);
	ws_soft_release(SAME, p, bytes);
}

/* "flush()", of one structure. */
FN void ws_soft_flush(__private const uint *calls, STRUCTURE, uint threshold)
{
	__ws_soft_past(slot + WS_SLOT_EMPTIED, *calls, threshold, l->chosen);
	clean(SAME);
	l->seen = l->number = NONE;
}

/* At the thread's end the choice is told what was seen. */
FN void ws_soft_end(STRUCTURE)
{
	__ws_soft_count(slot + WS_SLOT_MONITOR_HITS, l->hits);
}

FN void ws_soft_direct(uint slot, uint kind)
{
	__ws_soft_count(slot + WS_SLOT_DIRECT + kind, 1);
}

FN void ws_soft_left(__private const uint *calls, uint threshold)
{
	__ws_soft_past(WS_SLOT_LEFT, *calls, threshold, 1);
}
