/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/fibre.c -- a stack for each work-item that has begun and not ended, so that it can
 * stop at a barrier or when its record buffer is full.
 *
 * Stacks have a guard page below, and lie at different offsets from a page so that lanes do not
 * share cache sets.  A fibre is a stack with a loop on it, which runs one work-item after another.
 */
#include "trace/capture/fibre.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef WS_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

#define COLOUR 192u	/* bytes between the stack tops of neighbours, modulo 16 of them */

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

static void guard(const struct ws_fibres *f, size_t page, bool few)
{
	bool light = true;

	for (size_t i = 0; i < f->lanes; i++) {
		uint8_t *at = f->stacks + i * f->pitch;

		light = light && madvise(at, page, MADV_GUARD_INSTALL) == 0;
		if (!light && (!few || i == 0))
			mprotect(at, page, PROT_NONE);
	}
}

enum ws_status ws_fibres_new(struct ws_fibres **out, size_t lanes, size_t stack_bytes, bool few,
			     struct ws_err *err)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct ws_fibres *f = ws_alloc_zero(1, sizeof *f);

	*out = NULL;
	if (!f)
		return ws_fail_memory(err, "work-items' stacks");
	f->lanes = lanes;
	f->stack_bytes = stack_bytes;
	f->pitch = ((stack_bytes + COLOUR * 16) / page + 2) * page;
	f->mapped = f->pitch * lanes;
	f->stacks = mmap(NULL, f->mapped, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (f->stacks == MAP_FAILED) {
		free(f);
		return ws_fail(err, WS_ENOMEM, "stacks of %zu bytes for %zu work-items: %s",
			       stack_bytes, lanes, strerror(errno));
	}
	guard(f, page, few);
	f->idle = ws_alloc(lanes, sizeof *f->idle);
#if !defined(__x86_64__)
	f->context = ws_alloc_zero(lanes, sizeof *f->context);
	if (!f->context) {
		ws_fibres_free(f);
		return ws_fail_memory(err, "work-items' contexts");
	}
#endif
	if (!f->idle) {
		ws_fibres_free(f);
		return ws_fail_memory(err, "work-items' stacks");
	}
	*out = f;
	return WS_OK;
}

void ws_fibres_free(struct ws_fibres *f)
{
	if (!f)
		return;
	munmap(f->stacks, f->mapped);
	free(f->idle);
#if !defined(__x86_64__)
	free(f->context);
#endif
	free(f);
}

bool ws_fibres_hold(const struct ws_fibres *f, size_t lanes, size_t stack_bytes)
{
	return f && f->lanes >= lanes && f->stack_bytes >= stack_bytes;
}

static uint8_t *stack_top(const struct ws_fibres *f, uint32_t stack)
{
	return f->stacks + (stack + 1) * f->pitch - (stack % 16) * COLOUR;
}

void ws_fibres_begin(struct ws_fibres *f)
{
	if (f->idles < f->started) /* those that did not end */
		f->idles = f->started = 0;
}

void ws_fibre_end(struct ws_fibres *f, const struct ws_lane_ctx *ctx)
{
	f->idle[f->idles++] = (struct ws_fibre){ ctx->sp, ctx->stack };
}

/* False: the lane has a stack on which nothing has begun. */
static bool take_idle(struct ws_fibres *f, struct ws_lane_ctx *ctx)
{
	if (!f->idles) {
		ctx->stack = (uint32_t)f->started++;
		return false;
	}
	ctx->sp = f->idle[--f->idles].sp;
	ctx->stack = f->idle[f->idles].stack;
	return true;
}

#ifdef WS_ASAN
static void to_fibre(struct ws_fibres *f, const struct ws_lane_ctx *ctx)
{
	__sanitizer_start_switch_fiber(&f->host_fake, f->stacks + ctx->stack * f->pitch, f->pitch);
}

static void in_fibre(struct ws_fibres *f)
{
	__sanitizer_finish_switch_fiber(NULL, &f->host_bottom, &f->host_size);
}

static void to_host(struct ws_fibres *f)
{
	__sanitizer_start_switch_fiber(NULL, f->host_bottom, f->host_size);
}

static void in_host(struct ws_fibres *f)
{
	__sanitizer_finish_switch_fiber(f->host_fake, NULL, NULL);
}
#else
#define to_fibre(f, ctx) ((void)(f), (void)(ctx))
#define in_fibre(f)	 ((void)(f))
#define to_host(f)	 ((void)(f))
#define in_host(f)	 ((void)(f))
#endif

#if defined(__x86_64__)
/* The first address of a fibre: its struct ws_fibres is on top of the stack. */
void ws_fibre_trampoline(void);
void ws_fibre_first(struct ws_fibres *f);

__asm__(".text\n"
	".globl ws_fibre_trampoline\n"
	".hidden ws_fibre_trampoline\n"
	".type ws_fibre_trampoline, @function\n"
	"ws_fibre_trampoline:\n"
	"	popq %rdi\n"
	"	call ws_fibre_first\n"
	"	ud2\n"
	".size ws_fibre_trampoline, . - ws_fibre_trampoline\n");

__attribute__((visibility("hidden"))) void ws_fibre_first(struct ws_fibres *f)
{
	in_fibre(f);
	for (;;)
		f->start(f->current);
}

void ws_fibre_start(struct ws_fibres *f, struct ws_lane_ctx *ctx,
		    void (*start)(struct ws_lane_ctx *ctx))
{
	void **sp;

	f->start = start;
	if (take_idle(f, ctx))
		return;
	sp = (void **)(void *)stack_top(f, ctx->stack);
	/* So that rsp is a multiple of 16 when the trampoline calls. */
	*--sp = NULL;
	*--sp = NULL;
	*--sp = f;
	*--sp = (void *)(uintptr_t)ws_fibre_trampoline;
	ctx->sp = sp;
}

#ifdef WS_ASAN
/* Saves this stack pointer in *save and goes on at `to`. */
void ws_fibre_switch(void **save, void *to);

__asm__(".text\n"
	".globl ws_fibre_switch\n"
	".hidden ws_fibre_switch\n"
	".type ws_fibre_switch, @function\n"
	"ws_fibre_switch:\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	leaq 1f(%rip), %rax\n"
	"	pushq %rax\n"
	"	movq %rsp, (%rdi)\n"
	"	movq %rsi, %rsp\n"
	"	popq %rax\n"
	"	jmp *%rax\n"
	"1:	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	ret\n"
	".size ws_fibre_switch, . - ws_fibre_switch\n");

void ws_fibre_resume(struct ws_fibres *f, struct ws_lane_ctx *ctx)
{
	f->current = ctx;
	to_fibre(f, ctx);
	ws_fibre_switch(&f->host_sp, ctx->sp);
	in_host(f);
}

void ws_fibre_yield(struct ws_fibres *f, struct ws_lane_ctx *ctx)
{
	to_host(f);
	ws_fibre_switch(&ctx->sp, f->host_sp);
	in_fibre(f);
}
#endif
#else
static void first(unsigned high, unsigned low)
{
	struct ws_fibres *f = (struct ws_fibres *)((uintptr_t)high << 32 | low);

	in_fibre(f);
	for (;;)
		f->start(f->current);
}

void ws_fibre_start(struct ws_fibres *f, struct ws_lane_ctx *ctx,
		    void (*start)(struct ws_lane_ctx *ctx))
{
	ucontext_t *c;
	uint8_t *bottom;

	f->start = start;
	if (take_idle(f, ctx))
		return;
	c = &f->context[ctx->stack];
	bottom = f->stacks + ctx->stack * f->pitch;
	getcontext(c);
	c->uc_stack.ss_sp = bottom;
	c->uc_stack.ss_size = (size_t)(stack_top(f, ctx->stack) - bottom);
	c->uc_link = NULL;
	makecontext(c, (void (*)(void))first, 2, (unsigned)((uintptr_t)f >> 32),
		    (unsigned)(uintptr_t)f);
}

void ws_fibre_resume(struct ws_fibres *f, struct ws_lane_ctx *ctx)
{
	f->current = ctx;
	to_fibre(f, ctx);
	swapcontext(&f->host, &f->context[ctx->stack]);
	in_host(f);
}

void ws_fibre_yield(struct ws_fibres *f, struct ws_lane_ctx *ctx)
{
	to_host(f);
	swapcontext(&f->context[ctx->stack], &f->host);
	in_fibre(f);
}
#endif
