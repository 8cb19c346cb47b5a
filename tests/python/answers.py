# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers of warpstack.py beside the command's: answers.py TOOL FOLDER."""
import filecmp
import json
import logging
import os
import subprocess
import sys

import warpstack as ws

tool, folder = sys.argv[1:]
logging.getLogger("warpstack").addHandler(logging.NullHandler())


def check(what, good):
    print("%s %s" % ("ok" if good else "not ok", what), flush=True)


def command(*words):
    return subprocess.run([tool, *words, "-q"], check=True, capture_output=True).stdout


def rows(*words):
    return [json.loads(line) for line in command(*words, "--format", "json", "--columns", "all").splitlines()]


def refused(what, status, words, function, *arguments, **options):
    """The error of a call has this status and these words in its message."""
    try:
        function(*arguments, **options)
    except ws.Error as e:
        check(what, e.status == status and all(w in str(e) for w in words))
        if e.status != status or not all(w in str(e) for w in words):
            print("# %s: %s" % (e.status, e))
    else:
        check(what, False)


foreign = os.path.join(folder, "loop.din")
with open(foreign, "w") as f:
    for i in range(6000):
        f.write("%d %x\n" % (i % 5 == 0, 128 * (i * i % 700)))
kept = os.path.join(folder, "loop.wst")
command("convert", foreign, "-o", kept)

check("the version", ws.library_version() == ws.__version__)
try:
    ws._check("0.0.9")
    check("another version", False)
except ws.VersionError as e:
    check("another version", "0.0.9" in str(e) and ws.__version__ in str(e))
check("presets", "gtx480" in ws.machines() and ws.machines() == sorted(ws.machines()))
check("keys", set(ws.Machine("v100")) <= set(ws.keys()) and "l1.mshr" in ws.keys())
check("policies", "srrip" in ws.policies() and all(ws.policies().values()))
check("columns", "miss_ratio" in ws.columns() and len(ws.columns()) > 200)
machine = ws.Machine("gtx480", {"l1.size": "32K"})
check("a machine's keys", int(machine["l1.size"]) == 32768 and int(machine["l1.ways"]) > 0)
refused("an unknown machine", "EINVAL", ["gtx481", "gtx480"], ws.Machine, "gtx481")
refused("an unknown key", "EINVAL", ["l1.sice"], ws.Machine, "gtx480", {"l1.sice": 1})
refused("a file that is not there", "EINPUT", ["nowhere.wst"], ws.open, "nowhere.wst")
broken = os.path.join(folder, "broken.wst")
with open(kept, "rb") as f, open(broken, "wb") as g:
    g.write(f.read()[:300])
refused("a damaged file", "EFORMAT", ["broken.wst"], ws.open, broken)
refused("an unknown format", "EINVAL", ["dinn"], ws.open, foreign, format="dinn")
refused("a trace for a profile", "EINVAL", ["loop.wst"], ws.profile, kept)

trace = ws.open(kept)
check("a trace's launches", sum(l.loads + l.stores for l in trace.launches) == 6000)
with ws.open(foreign) as t, ws.open(foreign, format="din") as u:
    check("another tool's trace", t.predict("gtx480") == u.predict("gtx480") == trace.predict("gtx480"))
check("predict", trace.predict("gtx480") == rows("predict", kept, "-m", "gtx480"))
check("predict, of a machine that was set",
      trace.predict(machine, kind="load") == rows("predict", kept, "-m", "gtx480", "--set", "l1.size=32K", "--kind", "load"))
check("predict --by", trace.predict("gtx480", by="array") == rows("predict", kept, "-m", "gtx480", "--by", "array"))
check("predict --latency", trace.predict("gtx480", latency=True) == rows("predict", kept, "-m", "gtx480", "--latency"))
check("both levels", trace.predict("gtx480", level="all") == rows("predict", kept, "-m", "gtx480", "--level", "all"))
vary = ["l1.size=8K:64K:x2", "l1.policy=lru,fifo"]
check("sweep", trace.sweep(vary, "gtx480") ==
      rows("sweep", kept, "-m", "gtx480", "--vary", vary[0], "--vary", vary[1]))
check("machines vary", trace.sweep({"machine": ["gtx480", "v100"]}) == rows("sweep", kept, "--vary", "machine=gtx480,v100"))
check("simulate", trace.simulate("gtx480", vary={"l1.ways": [1, 2, 4]}) ==
      rows("simulate", kept, "-m", "gtx480", "--vary", "l1.ways=1,2,4"))
refused("a policy that has no such parameter", "EINVAL", ["srrip"], trace.predict, "gtx480", set="l1.policy=srrip:x")

for name, options, words in (("a profile", {}, []), ("a profile with the L2", {"level": "all"}, ["--l2"]),
                             ("a profile of a set machine", {"set": "l1.size=32K"}, ["--set", "l1.size=32K"])):
    mine, theirs = os.path.join(folder, "mine.wsp"), os.path.join(folder, "theirs.wsp")
    with trace.profile("gtx480", **options) as p:
        p.save(mine)
        command("profile", kept, "-m", "gtx480", *words, "-o", theirs)
        check(name + " has the command's bytes", filecmp.cmp(mine, theirs, shallow=False))
        check(name + " answers", p.sweep("l1.ways=1:8:x2") == rows("sweep", theirs, "--vary", "l1.ways=1:8:x2"))
with ws.profile(mine) as p:
    check("a profile that is read", p.predict() == rows("predict", mine))
    refused("a profile is not simulated", "EINVAL", ["trace"], p._rows, True, {})
refused("a closed profile", "EINVAL", ["closed"], p.predict)
again = os.path.join(folder, "again.wst")
trace.save(again)
check("a trace that is saved", filecmp.cmp(kept, again, shallow=False))

table = trace.sweep("l1.size=8K:64K:x2", "gtx480")
check("text", table.table("l1.size", "misses").split()[:3] == ["l1.size", "misses", "8192"])
try:
    import pandas
except ImportError:
    print("skip pandas")
else:
    check("a DataFrame", list(table.dataframe()["misses"]) == [r["misses"] for r in table] and
          table.dataframe()["miss_ratio"].dtype == "float64")
check("a column", list(table.column("misses")) == [r["misses"] for r in table])
check("types", all(isinstance(r["miss_ratio"], float) and isinstance(r["misses"], int) for r in table))

if b"capture: yes" in subprocess.run([tool, "version", "-v"], capture_output=True).stdout:
    source = os.path.join(folder, "k.cl")
    with open(source, "w") as f:
        f.write("kernel void k(global float *a, global float *b, int n)\n{\n"
                "\tint i = get_global_id(0);\n\n\tb[i] = a[i * n];\n}\n")
    args = {"a": "buffer:float:4096", "b": "buffer:float:1024", "n": 4}
    mine, theirs = os.path.join(folder, "m.wst"), os.path.join(folder, "t.wst")
    with ws.trace(source, "k", 16, 64, args) as t:
        t.save(mine)
    command("trace", source, "--kernel", "k", "--grid", "16", "--block", "64", "-o", theirs,
            *["--arg=%s=%s" % a for a in args.items()])
    check("a kernel's trace", filecmp.cmp(mine, theirs, shallow=False))
    refused("a kernel out of bounds", "EINPUT", ["k.cl:5", "buffer a"], ws.trace, source, "k", 16, 64, dict(args, n=5))
    refused("a wrong argument", "EINVAL", ["m"], ws.trace, source, "k", 16, 64, {"a": "buffer:float:4096", "m": 1})
    refused("sizes that differ", "EINVAL", ["grid"], ws.trace, source, "k", (4, 4), 64, args)
else:
    print("skip kernels")
print("done")
