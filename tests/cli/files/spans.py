# SPDX-License-Identifier: GPL-3.0-or-later
# Of a file of convert --to perfetto: spans that cross others of their track, requests, launches, processes.
import json
import sys

spans = [x for x in json.load(open(sys.argv[1]))["traceEvents"] if x["ph"] == "X"]
open_until, crossing = {}, 0
for x in sorted(spans, key=lambda x: (x["ts"], -x["dur"])):
    ends = open_until.setdefault((x["pid"], x["tid"]), [])
    while ends and ends[-1] <= x["ts"]:
        ends.pop()
    crossing += bool(ends) and x["ts"] + x["dur"] > ends[-1]
    ends.append(x["ts"] + x["dur"])
print(crossing, sum(x["args"].get("requests", 0) for x in spans), sum(x["pid"] == 0 for x in spans),
      len({x["pid"] for x in spans}))
