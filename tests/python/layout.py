# SPDX-License-Identifier: GPL-3.0-or-later
"""A C program that compiles only if sizes and offsets are those of warpstack.py.  WRONG=1: with a
member one byte off, so that it must not."""
import ctypes
import os

import warpstack

print('#include "study/study.h"\n#include "trace/capture.h"\n#include "trace/import.h"')
asserts = 0
for struct in warpstack.STRUCTS + warpstack.PARTS:
    name = struct.__name__
    if struct in warpstack.STRUCTS:
        print('_Static_assert(sizeof(struct %s) == %d, "%s");' % (name, ctypes.sizeof(struct), name))
    for field, kind in struct._fields_:
        member = getattr(struct, field)
        wrong = 1 if os.environ.get("WRONG") and name == "ws_study_options" and field == "order" else 0
        print('_Static_assert(offsetof(struct %s, %s) == %d, "%s.%s");'
              % (name, field, member.offset + wrong, name, field))
        print('_Static_assert(sizeof((struct %s *)0)->%s == %d, "size of %s.%s");'
              % (name, field, member.size, name, field))
        asserts += 2
print('_Static_assert(WS_OK == 0 && WS_ENOCONV == %d && WS_COLUMN_REAL == %d && '
      'WS_STUDY_L1 == 1 && WS_STUDY_L2 == 2, "constants");'
      % (len(warpstack.STATUS) - 1, warpstack._REAL))
print('int main(void) { return %d < 150; }' % asserts)
