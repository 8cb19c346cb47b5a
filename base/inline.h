/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/inline.h -- functions that are compiled where they are called, whatever their size; not
 * installed.
 *
 * One that takes a constant argument is so compiled anew for each of its values, and tests of it
 * take no time.
 */
#ifndef WS_BASE_INLINE_H
#define WS_BASE_INLINE_H

#if defined(__GNUC__)
#define WS_INLINE inline __attribute__((always_inline))
#else
#define WS_INLINE inline
#endif

#endif
