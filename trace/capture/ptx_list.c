/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx_list.c -- instructions of PTX that are known as they are, and what each does:
 * special registers that say where a thread is in its warp and block, operations on bits, loads
 * with a cache operator, fences; besides, what ptx_block.c makes shuffles and votes of.
 */
#include "trace/capture/instrument.h"

#include <stddef.h>
#include <string.h>

extern const uint8_t ws_ptx_start[], ws_ptx_end[]; /* data/cuda/ptx.c */

/* lane: of the block. */
static const char ptx_ir[] =
	"declare ptr @__ws_ctx()\n"
	"define i32 @ws_ptx_thread() alwaysinline nounwind {\n"
	"  %%c = call ptr @__ws_ctx()\n"
	"  %%p = getelementptr i8, ptr %%c, i64 %d\n"
	"  %%v = load i32, ptr %%p\n"
	"  ret i32 %%v\n"
	"}\n"
	"define i64 @ws_ptx_clock64() alwaysinline nounwind {\n"
	"  %%c = call ptr @__ws_ctx()\n"
	"  %%p = getelementptr i8, ptr %%c, i64 %d\n"
	"  %%v = load volatile i64, ptr %%p\n"
	"  %%a = lshr i64 %%v, 48\n" /* as data/cuda/include/cuda_device.h */
	"  %%m = icmp ult i64 %%a, 20\n"
	"  %%k = select i1 %%m, i64 %%a, i64 20\n"
	"  %%s = shl i64 1, %%k\n"
	"  %%n = add i64 %%v, %%s\n"
	"  %%w = and i64 %%n, 281474976710655\n"
	"  %%i = add i64 %%k, 1\n"
	"  %%j = select i1 %%m, i64 %%i, i64 20\n"
	"  %%h = shl i64 %%j, 48\n"
	"  %%x = or i64 %%h, %%w\n"
	"  store volatile i64 %%x, ptr %%p\n"
	"  ret i64 %%w\n"
	"}\n"
	"define i32 @ws_ptx_clock() alwaysinline nounwind {\n"
	"  %%c = call i64 @ws_ptx_clock64()\n"
	"  %%r = trunc i64 %%c to i32\n"
	"  ret i32 %%r\n"
	"}\n"
	"define i32 @ws_ptx_smid() alwaysinline nounwind {\n"
	"  %%c = call ptr @__ws_ctx()\n"
	"  %%p = getelementptr i8, ptr %%c, i64 %d\n"
	"  %%v = load i32, ptr %%p\n"
	"  ret i32 %%v\n"
	"}\n"
	"define i32 @ws_ptx_nsmid() alwaysinline nounwind {\n"
	"  %%c = call ptr @__ws_ctx()\n"
	"  %%p = getelementptr i8, ptr %%c, i64 %d\n"
	"  %%v = load i32, ptr %%p\n"
	"  ret i32 %%v\n"
	"}\n"
	"define void @ws_ptx_sleep(i32 %%n) alwaysinline nounwind {\n"
	"  ret void\n"
	"}\n"
	"define i32 @ws_ptx_laneid() alwaysinline nounwind {\n"
	"  %%t = call i32 @ws_ptx_thread()\n"
	"  %%r = and i32 %%t, 31\n"
	"  ret i32 %%r\n"
	"}\n"
	"define i32 @ws_ptx_warpid() alwaysinline nounwind {\n"
	"  %%t = call i32 @ws_ptx_thread()\n"
	"  %%r = lshr i32 %%t, 5\n"
	"  ret i32 %%r\n"
	"}\n"
	"define i32 @ws_ptx_lanemask_eq() alwaysinline nounwind {\n"
	"  %%l = call i32 @ws_ptx_laneid()\n"
	"  %%r = shl i32 1, %%l\n"
	"  ret i32 %%r\n"
	"}\n"
	"define i32 @ws_ptx_lanemask_lt() alwaysinline nounwind {\n"
	"  %%e = call i32 @ws_ptx_lanemask_eq()\n"
	"  %%r = sub i32 %%e, 1\n"
	"  ret i32 %%r\n"
	"}\n"
	"define i32 @ws_ptx_lanemask_le() alwaysinline nounwind {\n"
	"  %%e = call i32 @ws_ptx_lanemask_eq()\n"
	"  %%t = call i32 @ws_ptx_lanemask_lt()\n"
	"  %%r = or i32 %%e, %%t\n"
	"  ret i32 %%r\n"
	"}\n"
	"define i32 @ws_ptx_lanemask_ge() alwaysinline nounwind {\n"
	"  %%t = call i32 @ws_ptx_lanemask_lt()\n"
	"  %%r = xor i32 %%t, -1\n"
	"  ret i32 %%r\n"
	"}\n"
	"define i32 @ws_ptx_lanemask_gt() alwaysinline nounwind {\n"
	"  %%t = call i32 @ws_ptx_lanemask_le()\n"
	"  %%r = xor i32 %%t, -1\n"
	"  ret i32 %%r\n"
	"}\n";

/* Lanes of a warp: which one a shuffle takes from (32: its own), what it gets, and a vote. */
static const char warps_ir[] =
	"declare i32 @ws_ptx_laneid()\n"
	"define i32 @ws_ptx_lane_up(i32 %b, i32 %c) alwaysinline nounwind {\n"
	"  %l = call i32 @ws_ptx_laneid()\n"
	"  %q = lshr i32 %c, 8\n"
	"  %g = and i32 %q, 31\n"
	"  %u = xor i32 %g, 31\n"
	"  %k = and i32 %c, 31\n"
	"  %k1 = and i32 %k, %u\n"
	"  %low = and i32 %l, %g\n"
	"  %top = or i32 %low, %k1\n"
	"  %j = sub i32 %l, %b\n"
	"  %p = icmp sge i32 %j, %top\n"
	"  %r = select i1 %p, i32 %j, i32 32\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_lane_down(i32 %b, i32 %c) alwaysinline nounwind {\n"
	"  %l = call i32 @ws_ptx_laneid()\n"
	"  %q = lshr i32 %c, 8\n"
	"  %g = and i32 %q, 31\n"
	"  %u = xor i32 %g, 31\n"
	"  %k = and i32 %c, 31\n"
	"  %k1 = and i32 %k, %u\n"
	"  %low = and i32 %l, %g\n"
	"  %top = or i32 %low, %k1\n"
	"  %j = add i32 %l, %b\n"
	"  %p = icmp sle i32 %j, %top\n"
	"  %r = select i1 %p, i32 %j, i32 32\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_lane_idx(i32 %b, i32 %c) alwaysinline nounwind {\n"
	"  %l = call i32 @ws_ptx_laneid()\n"
	"  %q = lshr i32 %c, 8\n"
	"  %g = and i32 %q, 31\n"
	"  %u = xor i32 %g, 31\n"
	"  %k = and i32 %c, 31\n"
	"  %k1 = and i32 %k, %u\n"
	"  %low = and i32 %l, %g\n"
	"  %top = or i32 %low, %k1\n"
	"  %o = and i32 %b, %u\n"
	"  %j = or i32 %low, %o\n"
	"  %p = icmp sle i32 %j, %top\n"
	"  %r = select i1 %p, i32 %j, i32 32\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_lane_bfly(i32 %b, i32 %c) alwaysinline nounwind {\n"
	"  %l = call i32 @ws_ptx_laneid()\n"
	"  %q = lshr i32 %c, 8\n"
	"  %g = and i32 %q, 31\n"
	"  %u = xor i32 %g, 31\n"
	"  %k = and i32 %c, 31\n"
	"  %k1 = and i32 %k, %u\n"
	"  %low = and i32 %l, %g\n"
	"  %top = or i32 %low, %k1\n"
	"  %j = xor i32 %l, %b\n"
	"  %p = icmp sle i32 %j, %top\n"
	"  %r = select i1 %p, i32 %j, i32 32\n"
	"  ret i32 %r\n"
	"}\n"
	"declare ptr @__ws_warp(i32, i64) convergent\n"
	"define i32 @ws_ptx_take(i32 %mask, i32 %a, i32 %j) alwaysinline convergent nounwind {\n"
	"  %v = zext i32 %a to i64\n"
	"  %m = call ptr @__ws_warp(i32 %mask, i64 %v) convergent\n"
	"  %k = and i32 %j, 31\n"
	"  %q = getelementptr i64, ptr %m, i32 %k\n"
	"  %x = load i64, ptr %q\n"
	"  %t = trunc i64 %x to i32\n"
	"  %lp = getelementptr i8, ptr %m, i32 256\n"
	"  %lanes = load i32, ptr %lp\n"
	"  %h = lshr i32 %lanes, %k\n"
	"  %b = trunc i32 %h to i1\n"
	"  %o = select i1 %b, i32 %t, i32 0\n"
	"  %own = icmp ugt i32 %j, 31\n"
	"  %r = select i1 %own, i32 %a, i32 %o\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_activemask() alwaysinline convergent nounwind {\n"
	"  %r = call i32 @ws_ptx_ballot(i32 0, i1 1)\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_ballot(i32 %mask, i1 %p) alwaysinline convergent nounwind {\n"
	"entry:\n"
	"  %v = zext i1 %p to i64\n"
	"  %m = call ptr @__ws_warp(i32 %mask, i64 %v) convergent\n"
	"  br label %loop\n"
	"loop:\n"
	"  %i = phi i32 [ 0, %entry ], [ %n, %loop ]\n"
	"  %s = phi i32 [ 0, %entry ], [ %t, %loop ]\n"
	"  %q = getelementptr i64, ptr %m, i32 %i\n"
	"  %x = load i64, ptr %q\n"
	"  %y = trunc i64 %x to i32\n"
	"  %b = and i32 %y, 1\n"
	"  %k = shl i32 %b, %i\n"
	"  %t = or i32 %s, %k\n"
	"  %n = add i32 %i, 1\n"
	"  %e = icmp eq i32 %n, 32\n"
	"  br i1 %e, label %end, label %loop\n"
	"end:\n"
	"  %lp = getelementptr i8, ptr %m, i32 256\n"
	"  %lanes = load i32, ptr %lp\n"
	"  %r = and i32 %t, %lanes\n"
	"  ret i32 %r\n"
	"}\n";

/* Instructions whose operands are those of the functions, in their order. */
static const char operations_ir[] =
	"declare i32 @llvm.fshl.i32(i32, i32, i32)\n"
	"declare i32 @llvm.fshr.i32(i32, i32, i32)\n"
	"declare i32 @llvm.ctpop.i32(i32)\n"
	"declare i32 @llvm.bitreverse.i32(i32)\n"
	"declare i32 @llvm.ctlz.i32(i32, i1)\n"
	"declare float @llvm.fma.f32(float, float, float)\n"
	"declare float @llvm.exp2.f32(float)\n"
	"declare float @llvm.log2.f32(float)\n"
	"declare float @llvm.sqrt.f32(float)\n"
	"define i32 @ws_ptx_mask(i32 %n) alwaysinline nounwind {\n"
	"  %big = icmp ugt i32 %n, 31\n"
	"  %k = and i32 %n, 31\n"
	"  %b = shl i32 1, %k\n"
	"  %m = sub i32 %b, 1\n"
	"  %r = select i1 %big, i32 -1, i32 %m\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_bfe(i32 %a, i32 %p, i32 %n) alwaysinline nounwind {\n"
	"  %pb = and i32 %p, 255\n"
	"  %nb = and i32 %n, 255\n"
	"  %out = icmp ugt i32 %pb, 31\n"
	"  %k = and i32 %pb, 31\n"
	"  %s = lshr i32 %a, %k\n"
	"  %m = call i32 @ws_ptx_mask(i32 %nb)\n"
	"  %v = and i32 %s, %m\n"
	"  %r = select i1 %out, i32 0, i32 %v\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_bfi(i32 %a, i32 %b, i32 %p, i32 %n) alwaysinline nounwind {\n"
	"  %pb = and i32 %p, 255\n"
	"  %nb = and i32 %n, 255\n"
	"  %out = icmp ugt i32 %pb, 31\n"
	"  %k = and i32 %pb, 31\n"
	"  %m0 = call i32 @ws_ptx_mask(i32 %nb)\n"
	"  %m = shl i32 %m0, %k\n"
	"  %s = shl i32 %a, %k\n"
	"  %i = and i32 %s, %m\n"
	"  %u = xor i32 %m, -1\n"
	"  %o = and i32 %b, %u\n"
	"  %v = or i32 %i, %o\n"
	"  %r = select i1 %out, i32 %b, i32 %v\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_add(i32 %a, i32 %b) alwaysinline nounwind {\n"
	"  %r = add i32 %a, %b\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_mul(i32 %a, i32 %b) alwaysinline nounwind {\n"
	"  %r = mul i32 %a, %b\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_mad(i32 %a, i32 %b, i32 %c) alwaysinline nounwind {\n"
	"  %m = mul i32 %a, %b\n"
	"  %r = add i32 %m, %c\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_mulhi(i32 %a, i32 %b) alwaysinline nounwind {\n"
	"  %x = zext i32 %a to i64\n"
	"  %y = zext i32 %b to i64\n"
	"  %p = mul i64 %x, %y\n"
	"  %h = lshr i64 %p, 32\n"
	"  %r = trunc i64 %h to i32\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_popc(i32 %a) alwaysinline nounwind {\n"
	"  %r = call i32 @llvm.ctpop.i32(i32 %a)\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_brev(i32 %a) alwaysinline nounwind {\n"
	"  %r = call i32 @llvm.bitreverse.i32(i32 %a)\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_clz(i32 %a) alwaysinline nounwind {\n"
	"  %r = call i32 @llvm.ctlz.i32(i32 %a, i1 false)\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_bfind(i32 %a) alwaysinline nounwind {\n"
	"  %n = call i32 @llvm.ctlz.i32(i32 %a, i1 false)\n"
	"  %r = sub i32 31, %n\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_shl_wrap(i32 %a, i32 %b, i32 %n) alwaysinline nounwind {\n"
	"  %r = call i32 @llvm.fshl.i32(i32 %b, i32 %a, i32 %n)\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_shr_wrap(i32 %a, i32 %b, i32 %n) alwaysinline nounwind {\n"
	"  %r = call i32 @llvm.fshr.i32(i32 %b, i32 %a, i32 %n)\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_pick(i64 %w, i32 %s, i32 %i) alwaysinline nounwind {\n"
	"  %q = lshr i32 %s, %i\n"
	"  %n = and i32 %q, 7\n"
	"  %b = shl i32 %n, 3\n"
	"  %bz = zext i32 %b to i64\n"
	"  %v = lshr i64 %w, %bz\n"
	"  %t = trunc i64 %v to i8\n"
	"  %sg = ashr i8 %t, 7\n"
	"  %q8 = and i32 %q, 8\n"
	"  %c = icmp ne i32 %q8, 0\n"
	"  %x = select i1 %c, i8 %sg, i8 %t\n"
	"  %z = zext i8 %x to i32\n"
	"  %to = shl i32 %i, 1\n"
	"  %r = shl i32 %z, %to\n"
	"  ret i32 %r\n"
	"}\n"
	"declare <4 x i32> @llvm.abs.v4i32(<4 x i32>, i1)\n"
	"declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)\n"
	"define i32 @ws_ptx_sad4(i32 %a, i32 %b, i32 %c) alwaysinline nounwind {\n"
	"  %x = bitcast i32 %a to <4 x i8>\n"
	"  %y = bitcast i32 %b to <4 x i8>\n"
	"  %xw = zext <4 x i8> %x to <4 x i32>\n"
	"  %yw = zext <4 x i8> %y to <4 x i32>\n"
	"  %d = sub <4 x i32> %xw, %yw\n"
	"  %p = call <4 x i32> @llvm.abs.v4i32(<4 x i32> %d, i1 false)\n"
	"  %s = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %p)\n"
	"  %r = add i32 %s, %c\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @ws_ptx_prmt(i32 %a, i32 %b, i32 %s) alwaysinline nounwind {\n"
	"  %l = zext i32 %a to i64\n"
	"  %h = zext i32 %b to i64\n"
	"  %h2 = shl i64 %h, 32\n"
	"  %w = or i64 %l, %h2\n"
	"  %p0 = call i32 @ws_ptx_pick(i64 %w, i32 %s, i32 0)\n"
	"  %p1 = call i32 @ws_ptx_pick(i64 %w, i32 %s, i32 4)\n"
	"  %p2 = call i32 @ws_ptx_pick(i64 %w, i32 %s, i32 8)\n"
	"  %p3 = call i32 @ws_ptx_pick(i64 %w, i32 %s, i32 12)\n"
	"  %o1 = or i32 %p0, %p1\n"
	"  %o2 = or i32 %p2, %p3\n"
	"  %r = or i32 %o1, %o2\n"
	"  ret i32 %r\n"
	"}\n"
	"declare i32 @llvm.umax.i32(i32, i32)\n"
	"declare i32 @llvm.umin.i32(i32, i32)\n"
	"define i32 @ws_ptx_sad(i32 %a, i32 %b, i32 %c) alwaysinline nounwind {\n"
	"  %m = call i32 @llvm.umax.i32(i32 %a, i32 %b)\n"
	"  %l = call i32 @llvm.umin.i32(i32 %a, i32 %b)\n"
	"  %d = sub i32 %m, %l\n"
	"  %r = add i32 %d, %c\n"
	"  ret i32 %r\n"
	"}\n"
	"define float @ws_ptx_fma(float %a, float %b, float %c) alwaysinline nounwind {\n"
	"  %r = call float @llvm.fma.f32(float %a, float %b, float %c)\n"
	"  ret float %r\n"
	"}\n"
	"define float @ws_ptx_ex2(float %a) alwaysinline nounwind {\n"
	"  %r = call float @llvm.exp2.f32(float %a)\n"
	"  ret float %r\n"
	"}\n"
	"define float @ws_ptx_lg2(float %a) alwaysinline nounwind {\n"
	"  %r = call float @llvm.log2.f32(float %a)\n"
	"  ret float %r\n"
	"}\n"
	"declare float @tanhf(float)\n"
	"define float @ws_ptx_tanh(float %a) alwaysinline nounwind {\n"
	"  %r = call float @tanhf(float %a)\n"
	"  ret float %r\n"
	"}\n"
	"define i32 @ws_ptx_halves(float %high, float %low) alwaysinline nounwind {\n"
	"  %h = fptrunc float %high to half\n"
	"  %l = fptrunc float %low to half\n"
	"  %v = insertelement <2 x half> poison, half %l, i32 0\n"
	"  %w = insertelement <2 x half> %v, half %h, i32 1\n"
	"  %r = bitcast <2 x half> %w to i32\n"
	"  ret i32 %r\n"
	"}\n"
	"define float @ws_ptx_rcp(float %a) alwaysinline nounwind {\n"
	"  %r = fdiv float 1.0, %a\n"
	"  ret float %r\n"
	"}\n"
	"define float @ws_ptx_rsqrt(float %a) alwaysinline nounwind {\n"
	"  %s = call float @llvm.sqrt.f32(float %a)\n"
	"  %r = fdiv float 1.0, %s\n"
	"  ret float %r\n"
	"}\n"
	"define i32 @ws_ptx_load32(ptr %p) alwaysinline nounwind {\n"
	"  %r = load i32, ptr %p\n"
	"  ret i32 %r\n"
	"}\n"
	"define i64 @ws_ptx_load64(ptr %p) alwaysinline nounwind {\n"
	"  %r = load i64, ptr %p\n"
	"  ret i64 %r\n"
	"}\n"
	"define float @ws_ptx_loadf(ptr %p) alwaysinline nounwind {\n"
	"  %r = load float, ptr %p\n"
	"  ret float %r\n"
	"}\n"
	"define i32 @ws_ptx_load32_past(ptr %p) alwaysinline nounwind {\n"
	"  %r = load i32, ptr %p, !nontemporal !0\n"
	"  ret i32 %r\n"
	"}\n"
	"define i64 @ws_ptx_load64_past(ptr %p) alwaysinline nounwind {\n"
	"  %r = load i64, ptr %p, !nontemporal !0\n"
	"  ret i64 %r\n"
	"}\n"
	"define float @ws_ptx_loadf_past(ptr %p) alwaysinline nounwind {\n"
	"  %r = load float, ptr %p, !nontemporal !0\n"
	"  ret float %r\n"
	"}\n"
	"define i32 @ws_ptx_zero() alwaysinline nounwind {\n"
	"  ret i32 0\n"
	"}\n"
	"declare void @__ws_barrier(i32) convergent\n"
	"define void @ws_ptx_barrier(i32 %n) alwaysinline convergent nounwind {\n"
	"  call void @__ws_barrier(i32 0) convergent\n"
	"  ret void\n"
	"}\n"
	"declare void @llvm.trap()\n"
	"define void @ws_ptx_trap() alwaysinline nounwind {\n"
	"  call void @llvm.trap()\n"
	"  ret void\n"
	"}\n"
	"declare void @__ws_exit() convergent\n" /* ptx.c */
	"define void @ws_ptx_exit() alwaysinline convergent nounwind {\n"
	"  call void @__ws_exit() convergent\n"
	"  ret void\n"
	"}\n"
	"define void @ws_ptx_nothing() alwaysinline nounwind {\n"
	"  ret void\n"
	"}\n"
	"define void @ws_ptx_prefetch(ptr %p) alwaysinline nounwind {\n"
	"  ret void\n"
	"}\n"
	"!0 = !{i32 1}\n";

static const struct {
	const char *text, *function; /* without blanks */
} reads[] = {
	{ "mov.u32$0,%smid;", "ws_ptx_smid" },
	{ "bfe.u32$0,$1,$2,$3;", "ws_ptx_bfe" },
	{ "bfi.b32$0,$1,$2,$3,$4;", "ws_ptx_bfi" },
	{ "add.u32$0,$1,$2;", "ws_ptx_add" },
	{ "add.s32$0,$1,$2;", "ws_ptx_add" },
	{ "mul.lo.u32$0,$1,$2;", "ws_ptx_mul" },
	{ "mul.lo.s32$0,$1,$2;", "ws_ptx_mul" },
	{ "mad.lo.u32$0,$1,$2,$3;", "ws_ptx_mad" },
	{ "mad.lo.s32$0,$1,$2,$3;", "ws_ptx_mad" },
	{ "mul.hi.u32$0,$1,$2;", "ws_ptx_mulhi" },
	{ "popc.b32$0,$1;", "ws_ptx_popc" },
	{ "brev.b32$0,$1;", "ws_ptx_brev" },
	{ "clz.b32$0,$1;", "ws_ptx_clz" },
	{ "bfind.u32$0,$1;", "ws_ptx_bfind" },
	{ "shf.l.wrap.b32$0,$1,$2,$3;", "ws_ptx_shl_wrap" },
	{ "shf.r.wrap.b32$0,$1,$2,$3;", "ws_ptx_shr_wrap" },
	{ "prmt.b32$0,$1,$2,$3;", "ws_ptx_prmt" },
	{ "vabsdiff4.u32.u32.u32.add$0,$1,$2,$3;", "ws_ptx_sad4" },
	{ "sad.u32$0,$1,$2,$3;", "ws_ptx_sad" },
	{ "fma.rn.f32$0,$1,$2,$3;", "ws_ptx_fma" },
	{ "ex2.approx.f32$0,$1;", "ws_ptx_ex2" },
	{ "ex2.approx.ftz.f32$0,$1;", "ws_ptx_ex2" },
	{ "tanh.approx.f32$0,$1;", "ws_ptx_tanh" },
	{ "cvt.rn.f16x2.f32$0,$1,$2;", "ws_ptx_halves" },
	{ "lg2.approx.f32$0,$1;", "ws_ptx_lg2" },
	{ "lg2.approx.ftz.f32$0,$1;", "ws_ptx_lg2" },
	{ "rcp.approx.f32$0,$1;", "ws_ptx_rcp" },
	{ "rcp.approx.ftz.f32$0,$1;", "ws_ptx_rcp" },
	{ "rsqrt.approx.f32$0,$1;", "ws_ptx_rsqrt" },
	{ "rsqrt.approx.ftz.f32$0,$1;", "ws_ptx_rsqrt" },
	{ "ld.global.u32$0,[$1];", "ws_ptx_load32" },
	{ "ld.global.s32$0,[$1];", "ws_ptx_load32" },
	{ "ld.global.u64$0,[$1];", "ws_ptx_load64" },
	{ "ld.global.f32$0,[$1];", "ws_ptx_loadf" },
	{ "membar.gl;", "ws_ptx_nothing" },
	{ "membar.cta;", "ws_ptx_nothing" },
	{ "membar.sys;", "ws_ptx_nothing" },
	{ "fence.acq_rel.gpu;", "ws_ptx_nothing" },
	{ "fence.sc.gpu;", "ws_ptx_nothing" },
	{ "", "ws_ptx_nothing" }, /* for the compiler alone */
	{ "fence.acq_rel.cta;", "ws_ptx_nothing" },
	{ "fence.acq_rel.sys;", "ws_ptx_nothing" },
	{ "fence.sc.cta;", "ws_ptx_nothing" },
	{ "fence.sc.sys;", "ws_ptx_nothing" },
	{ "brkpt;", "ws_ptx_nothing" },
	{ "pmevent$0;", "ws_ptx_sleep" },
	{ "prefetch.L1[$0];", "ws_ptx_prefetch" },
	{ "prefetch.L2[$0];", "ws_ptx_prefetch" },
	{ "prefetchu.L1[$0];", "ws_ptx_prefetch" },
	{ "prefetch.global.L2::evict_last[$0];", "ws_ptx_prefetch" },
	{ "prefetch.global.L2::evict_normal[$0];", "ws_ptx_prefetch" },
	{ "mov.u32$0,%nwarpid;", "ws_ptx_warps" },
	{ "mov.u32$0,%gridid;", "ws_ptx_zero" },
	{ "prefetch.global.L1[$0];", "ws_ptx_prefetch" },
	{ "prefetch.global.L2[$0];", "ws_ptx_prefetch" },
	{ "trap;", "ws_ptx_trap" },
	{ "exit;", "ws_ptx_exit" },
	{ "activemask.b32$0;", "ws_ptx_activemask" },
	{ "mov.u32$0,%nsmid;", "ws_ptx_nsmid" },
	{ "mov.u32$0,%clock;", "ws_ptx_clock" },
	{ "mov.u64$0,%clock64;", "ws_ptx_clock64" },
	{ "mov.u64$0,%globaltimer;", "ws_ptx_clock64" },
	{ "mov.u32$0,%globaltimer_lo;", "ws_ptx_clock" },
	{ "mov.u32$0,%clock_hi;", "ws_ptx_zero" },
	{ "mov.u32$0,%globaltimer_hi;", "ws_ptx_zero" },
	{ "nanosleep.u32$0;", "ws_ptx_sleep" },
	{ "mov.u32$0,%laneid;", "ws_ptx_laneid" },
	{ "mov.u32$0,%warpid;", "ws_ptx_warpid" },
	{ "mov.u32$0,%lanemask_eq;", "ws_ptx_lanemask_eq" },
	{ "mov.u32$0,%lanemask_lt;", "ws_ptx_lanemask_lt" },
	{ "mov.u32$0,%lanemask_le;", "ws_ptx_lanemask_le" },
	{ "mov.u32$0,%lanemask_ge;", "ws_ptx_lanemask_ge" },
	{ "mov.u32$0,%lanemask_gt;", "ws_ptx_lanemask_gt" },
};

static const struct {
	const char *function, *past; /* the same load past the L1 */
} loads[] = {
	{ "ws_ptx_load32", "ws_ptx_load32_past" },
	{ "ws_ptx_load64", "ws_ptx_load64_past" },
	{ "ws_ptx_loadf", "ws_ptx_loadf_past" },
};

/* Where a thread is, in the first fields of what it runs in. */
#define FIELD(NAME, OF, AXIS, I) { "mov.u32$0,%" NAME "." AXIS ";", \
				   offsetof(struct ws_lane_ctx, OF) + 8 * I }
#define FIELDS(NAME, OF) \
	FIELD(NAME, OF, "x", 0), FIELD(NAME, OF, "y", 1), FIELD(NAME, OF, "z", 2)
static const struct {
	const char *text;
	size_t offset;
} fields[] = { FIELDS("tid", lid), FIELDS("ctaid", grp), FIELDS("ntid", lsz),
	       FIELDS("nctaid", ngr) };
static const char *const field_name[WS_COUNT(fields)] = {
	"ws_ptx_field_0", "ws_ptx_field_1", "ws_ptx_field_2", "ws_ptx_field_3", "ws_ptx_field_4",
	"ws_ptx_field_5", "ws_ptx_field_6", "ws_ptx_field_7", "ws_ptx_field_8", "ws_ptx_field_9",
	"ws_ptx_field_10", "ws_ptx_field_11",
};

/* What a load may have besides: those that go past the L1, and those that make no difference. */
static const char *const past_operators[] = { ".cg", ".cv", ".L1::no_allocate" };
static const char *const operators[] = {
	".volatile", ".relaxed", ".acquire", ".weak", ".gpu", ".cta", ".sys",
	".ca", ".cs", ".lu", ".nc", ".L1::evict_last",
};

/* Takes the names out of text, those that a dot follows; did it have any? */
static bool forget(char *text, const char *const *name, size_t names)
{
	bool any = false;

	for (size_t i = 0; i < names; i++) {
		size_t len = strlen(name[i]);

		for (char *at = text; (at = strstr(at, name[i]));) {
			if (at[len] != '.') {
				at++;
				continue;
			}
			memmove(at, at + len, strlen(at + len) + 1);
			any = true;
		}
	}
	return any;
}

/* "ld.global.f32" of "ld.global.nc.f32"; does it go past the L1? */
static bool forget_operators(char *text)
{
	if (strncmp(text, "ld.", 3) != 0)
		return false;
	(void)forget(text, operators, WS_COUNT(operators));
	return forget(text, past_operators, WS_COUNT(past_operators));
}

static const char *past_function(const char *load)
{
	for (size_t i = 0; i < WS_COUNT(loads); i++) {
		if (strcmp(loads[i].function, load) == 0)
			return loads[i].past;
	}
	return load;
}

/* A move of any type of its width. */
static void forget_type(char *text)
{
	if (strncmp(text, "mov.", 4) == 0 && strchr("bs", text[4]) &&
	    (strncmp(text + 5, "32", 2) == 0 || strncmp(text + 5, "64", 2) == 0))
		text[4] = 'u';
}

const char *ws_ptx_function(char *text)
{
	bool past = forget_operators(text);

	forget_type(text);

	for (size_t i = 0; i < WS_COUNT(reads); i++) {
		if (strcmp(text, reads[i].text) == 0)
			return past ? past_function(reads[i].function) : reads[i].function;
	}
	for (size_t i = 0; i < WS_COUNT(fields); i++) {
		if (strcmp(text, fields[i].text) == 0)
			return field_name[i];
	}
	return NULL;
}

static enum ws_status link_fields(struct ws_module *m, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	char ir[512];

	for (size_t i = 0; i < WS_COUNT(fields) && status == WS_OK; i++) {
		snprintf(ir, sizeof ir,
			 "declare ptr @__ws_ctx()\n"
			 "define i32 @%s() alwaysinline nounwind {\n"
			 "  %%c = call ptr @__ws_ctx()\n"
			 "  %%p = getelementptr i8, ptr %%c, i64 %zu\n"
			 "  %%v = load i64, ptr %%p\n"
			 "  %%r = trunc i64 %%v to i32\n"
			 "  ret i32 %%r\n"
			 "}\n", field_name[i], fields[i].offset);
		status = ws_module_link(m, ir, err);
	}
	return status;
}

enum ws_status ws_ptx_link(struct ws_module *m, struct ws_err *err)
{
	char ir[sizeof ptx_ir + 64];
	enum ws_status status;

	if (LLVMGetNamedFunction(m->module, "ws_ptx_thread"))
		return WS_OK;
	snprintf(ir, sizeof ir, ptx_ir, (int)offsetof(struct ws_lane_ctx, lane),
		 (int)offsetof(struct ws_lane_ctx, clock),
		 (int)offsetof(struct ws_lane_ctx, sm), (int)offsetof(struct ws_lane_ctx, sms));
	status = ws_module_link(m, ir, err);
	if (status == WS_OK)
		status = link_fields(m, err);
	if (status == WS_OK)
		status = ws_module_link(m, warps_ir, err);
	if (status == WS_OK)
		status = ws_module_link_bitcode(m, ws_ptx_start,
						(size_t)(ws_ptx_end - ws_ptx_start), err);
	return status == WS_OK ? ws_module_link(m, operations_ir, err) : status;
}
