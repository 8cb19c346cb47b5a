/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/chase.cu -- the loads of pointer chasing, for the NVPTX back end of clang.
 *
 * C, not CUDA: no toolkit's headers are wanted.  One thread.  The offsets of CHUNK loads lie in
 * shared memory, and so do their latencies; list and latencies go past the level 1 (.cg).  The value
 * that was loaded is stored before the clock is read again, so that it has to be there.
 */
typedef unsigned int u32;
typedef unsigned long long u64;

#define SHARED __attribute__((address_space(3)))
#define CHUNK 2048u

static SHARED u32 at[CHUNK], took[CHUNK], sink;

static inline u32 ticks(void)
{
	u64 t;

	__asm__ volatile("mov.u64 %0, %%clock64;" : "=l"(t) : : "memory");
	return (u32)t;
}

static inline u32 load_past(u64 from)
{
	u32 value;

	__asm__ volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
	return value;
}

static inline void store_past(u64 to, u32 value)
{
	__asm__ volatile("st.global.cg.u32 [%0], %1;" : : "l"(to), "r"(value) : "memory");
}

#define TIMED(name, operation) \
static inline void name(u64 array, u32 count) \
{ \
	for (u32 i = 0; i < count; i++) { \
		u64 from = array + at[i]; \
		u32 value, begin = ticks(); \
\
		__asm__ volatile(operation " %0, [%1];" : "=r"(value) : "l"(from) : "memory"); \
		*(volatile SHARED u32 *)&sink = value; \
		took[i] = ticks() - begin; \
	} \
}

TIMED(timed_ca, "ld.global.ca.u32")
TIMED(timed_cg, "ld.global.cg.u32")
TIMED(timed_nc, "ld.global.nc.u32")

/* how: 0 through the level 1, 1 past it, 2 through the read-only cache. */
__attribute__((nvptx_kernel)) void chase(u64 array, u64 list, u64 latency, u32 count, u32 how)
{
	for (u32 from = 0; from < count; from += CHUNK) {
		u32 n = count - from < CHUNK ? count - from : CHUNK;

		for (u32 i = 0; i < n; i++)
			at[i] = load_past(list + 4ull * (from + i));
		if (how == 0)
			timed_ca(array, n);
		else if (how == 1)
			timed_cg(array, n);
		else
			timed_nc(array, n);
		for (u32 i = 0; i < n; i++)
			store_past(latency + 4ull * (from + i), took[i]);
	}
}
