/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/inlined.c -- the half of the run time that is inlined into kernels: a record's
 * place, turns that are counted, waiting.  The other half is calls.c.
 */
#include "trace/capture/instrument.h"

#include <stddef.h>
#include <stdio.h>

/* %d are offsets in struct ws_lane_ctx: p, end, spin, phase, tally, turn, timed, clock. */
static const char runtime_ir[] =
	"declare void @ws_lane_refill(ptr, i64)\n"
	"declare void @ws_lane_spin(ptr)\n"
	"declare void @ws_lane_wait(ptr, i32)\n"
	"declare void @ws_lane_turn(ptr)\n"
	"define ptr @__ws_segment(ptr %%c, i64 %%id, i64 %%n) alwaysinline nounwind {\n"
	"  %%pp = getelementptr i8, ptr %%c, i64 %d\n"
	"  %%ep = getelementptr i8, ptr %%c, i64 %d\n"
	"  %%p0 = load ptr, ptr %%pp\n"
	"  %%e = load ptr, ptr %%ep\n"
	"  %%q0 = getelementptr i64, ptr %%p0, i64 %%n\n"
	"  %%full = icmp ugt ptr %%q0, %%e\n"
	"  br i1 %%full, label %%refill, label %%go, !prof !0\n"
	"refill:\n"
	"  call void @ws_lane_refill(ptr %%c, i64 %%n)\n"
	"  %%p1 = load ptr, ptr %%pp\n"
	"  br label %%go\n"
	"go:\n"
	"  %%p = phi ptr [ %%p0, %%0 ], [ %%p1, %%refill ]\n"
	"  store i64 %%id, ptr %%p\n"
	"  %%q = getelementptr i64, ptr %%p, i64 %%n\n"
	"  store ptr %%q, ptr %%pp\n"
	"  ret ptr %%p\n"
	"}\n"
	"define void @__ws_spin(ptr %%c) alwaysinline nounwind {\n"
	"  %%sp = getelementptr i8, ptr %%c, i64 %d\n"
	"  %%s0 = load i64, ptr %%sp\n"
	"  %%s1 = sub i64 %%s0, 1\n"
	"  store i64 %%s1, ptr %%sp\n"
	"  %%out = icmp slt i64 %%s1, 0\n"
	"  br i1 %%out, label %%stop, label %%go, !prof !0\n"
	"stop:\n"
	"  call void @ws_lane_spin(ptr %%c)\n"
	"  br label %%go\n"
	"go:\n"
	"  ret void\n"
	"}\n"
	"define void @__ws_wait(ptr %%c, i1 %%again, i32 %%w) alwaysinline nounwind {\n"
	"  br i1 %%again, label %%wait, label %%go\n"
	"wait:\n"
	"  call void @ws_lane_wait(ptr %%c, i32 %%w)\n"
	"  br label %%go\n"
	"go:\n"
	"  ret void\n"
	"}\n"
	"define void @__ws_tally(ptr %%c, i64 %%n) alwaysinline nounwind {\n"
	"  %%fp = getelementptr i8, ptr %%c, i64 %d\n"
	"  %%f = load i64, ptr %%fp\n"
	"  %%tp = getelementptr i8, ptr %%c, i64 %d\n"
	"  %%t = load ptr, ptr %%tp\n"
	"  %%a = getelementptr i64, ptr %%t, i64 %%f\n"
	"  %%v0 = load i64, ptr %%a\n"
	"  %%v1 = add i64 %%v0, %%n\n"
	"  store i64 %%v1, ptr %%a\n"
	"  call void @__ws_turn(ptr %%c)\n"
	"  ret void\n"
	"}\n"
	"define void @__ws_turn(ptr %%c) alwaysinline nounwind {\n"
	"  %%up = getelementptr i8, ptr %%c, i64 %d\n"
	"  %%u0 = load i64, ptr %%up\n"
	"  %%u1 = sub i64 %%u0, 1\n"
	"  store i64 %%u1, ptr %%up\n"
	"  %%out = icmp slt i64 %%u1, 0\n"
	"  br i1 %%out, label %%stop, label %%go, !prof !0\n"
	"stop:\n"
	"  call void @ws_lane_turn(ptr %%c)\n"
	"  br label %%go\n"
	"go:\n"
	"  ret void\n"
	"}\n"
	"define void @__ws_timed(ptr %%c) alwaysinline nounwind {\n"
	"  %%tp = getelementptr i8, ptr %%c, i64 %d\n"
	"  store i64 0, ptr %%tp\n"
	"  %%kp = getelementptr i8, ptr %%c, i64 %d\n"
	"  %%k0 = load i64, ptr %%kp\n"
	"  %%k1 = and i64 %%k0, 281474976710655\n" /* WS_CLOCK_MASK */
	"  store i64 %%k1, ptr %%kp\n"
	"  ret void\n"
	"}\n"
	"!0 = !{!\"branch_weights\", i32 1, i32 100000}\n";

enum ws_status ws_module_runtime(struct ws_module *m, struct ws_err *err)
{
	char ir[sizeof runtime_ir + 64];

	snprintf(ir, sizeof ir, runtime_ir, (int)offsetof(struct ws_lane_ctx, p),
		 (int)offsetof(struct ws_lane_ctx, end), (int)offsetof(struct ws_lane_ctx, spin),
		 (int)offsetof(struct ws_lane_ctx, phase), (int)offsetof(struct ws_lane_ctx, tally),
		 (int)offsetof(struct ws_lane_ctx, turn), (int)offsetof(struct ws_lane_ctx, timed),
		 (int)offsetof(struct ws_lane_ctx, clock));
	return ws_module_link(m, ir, err);
}
