/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/fibre.h -- a stack per work-item.  Private to trace/capture/.
 *
 * On x86-64 a switch is an inline jump, not a call and a return: work-items that stop one after the
 * other at one place return to it, which the processor predicts.  It saves the frame and stack
 * pointers, and the compiler saves what else is live there: 10 to 20 ns.  Elsewhere ucontext is
 * used, which makes a system call.
 */
#ifndef WS_FIBRE_H
#define WS_FIBRE_H

#include "trace/capture/kernel.h"

#if defined(__SANITIZE_ADDRESS__)
#define WS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WS_ASAN 1
#endif
#endif
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

struct ws_fibre { /* that waits for a work-item */
	void *sp;
	uint32_t stack;
};

struct ws_fibres { /* stacks for the lanes of one CTA */
	uint8_t *stacks;
	size_t lanes, stack_bytes, pitch, mapped;
	struct ws_fibre *idle;
	size_t idles, started; /* stacks: idle; with a fibre */
	void (*start)(struct ws_lane_ctx *ctx);
	struct ws_lane_ctx *current;
	void *host_sp;
#if !defined(__x86_64__)
	ucontext_t host, *context;
#endif
#ifdef WS_ASAN
	void *host_fake;
	const void *host_bottom;
	size_t host_size;
#endif
};

/* few: guard pages are scarce.  A process cannot map one for each of so many stacks unless the
 * kernel's guard pages need no mapping (Linux 6.13); then all stacks share one. */
enum ws_status ws_fibres_new(struct ws_fibres **out, size_t lanes, size_t stack_bytes, bool few,
			     struct ws_err *err) WS_MUST_CHECK;
void ws_fibres_free(struct ws_fibres *f);
/* Whether they suffice for so many lanes with such stacks.  NULL does not. */
bool ws_fibres_hold(const struct ws_fibres *f, size_t lanes, size_t stack_bytes);
/* Call before a CTA's work-items run and after those of the last CTA have ended. */
void ws_fibres_begin(struct ws_fibres *f);
/* Prepares lane to run start(ctx) from its beginning.  start is the same for all of f.  It yields a
 * last time when the work-item has ended, and returns when it is resumed. */
void ws_fibre_start(struct ws_fibres *f, struct ws_lane_ctx *ctx,
		    void (*start)(struct ws_lane_ctx *ctx));
/* Releases its stack: it has yielded that last time. */
void ws_fibre_end(struct ws_fibres *f, const struct ws_lane_ctx *ctx);

#if defined(__x86_64__) && !defined(WS_ASAN)
#ifdef __AVX512F__
#define WS_FIBRE_WIDE                                                                              \
	, "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24",         \
		"xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3",   \
		"k4", "k5", "k6", "k7"
#else
#define WS_FIBRE_WIDE
#endif

/* Saves the current position in *save and jumps to `to`.  128: the red zone. */
static inline __attribute__((always_inline)) void ws_fibre_switch(void **save, void *to)
{
	__asm__ volatile("leaq -128(%%rsp), %%rsp\n\t"
			 "pushq %%rbp\n\t"
			 "leaq 1f(%%rip), %%rax\n\t"
			 "pushq %%rax\n\t"
			 "movq %%rsp, (%0)\n\t"
			 "movq %1, %%rsp\n\t"
			 "popq %%rax\n\t"
			 "jmp *%%rax\n"
			 "1:\n\t"
			 "popq %%rbp\n\t"
			 "leaq 128(%%rsp), %%rsp"
			 : "+D"(save), "+S"(to)
			 :
			 : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13",
			   "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
			   "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
			   "xmm15", "memory", "cc" WS_FIBRE_WIDE);
}

/* Returns at its next yield. */
static inline __attribute__((always_inline)) void ws_fibre_resume(struct ws_fibres *f,
								  struct ws_lane_ctx *ctx)
{
	f->current = ctx;
	ws_fibre_switch(&f->host_sp, ctx->sp);
}

/* Called on the fibre. */
static inline __attribute__((always_inline)) void ws_fibre_yield(struct ws_fibres *f,
								 struct ws_lane_ctx *ctx)
{
	ws_fibre_switch(&ctx->sp, f->host_sp);
}
#else
void ws_fibre_resume(struct ws_fibres *f, struct ws_lane_ctx *ctx);
void ws_fibre_yield(struct ws_fibres *f, struct ws_lane_ctx *ctx);
#endif

#endif
