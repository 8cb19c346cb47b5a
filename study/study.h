/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/study.h -- a question about caches, and its rows.
 *
 * A study is made of a trace, a profile or a launch file, a machine, and keys that vary; it hands out
 * typed rows, one by one.
 */
#ifndef WS_STUDY_H
#define WS_STUDY_H

#include "validate/validate.h"

WS_API_BEGIN

WS_API_END
#endif
