/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * nvToolsExt.h -- marks for NVIDIA's profilers, which mean nothing here.
 */
#pragma GCC system_header
#ifndef WARPSTACK_NVTOOLSEXT_H
#define WARPSTACK_NVTOOLSEXT_H

static inline int nvtxRangePushA(const char *text) { return text ? 0 : -1; }
static inline int nvtxRangePop(void) { return 0; }
static inline void nvtxMarkA(const char *text) { (void)text; }
static inline void nvtxNameOsThreadA(unsigned int thread, const char *text) { (void)thread; (void)text; }
#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA

#endif
