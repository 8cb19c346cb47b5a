# SPDX-License-Identifier: GPL-3.0-or-later
# %% [markdown]
# The README's questions, from Python.  Cells begin with `# %%`, which notebooks, editors and
# Jupytext know; as a program it prints what is in readme.out:  python3 readme.py

# %% A kernel, run on the CPU
import warpstack as ws

trace = ws.trace(ws.data("kernel/mm.cu"), "mm", grid=(10, 10), block=(16, 16), args=[
    "A=buffer:float:25600:random", "B=buffer:float:25600:random", "C=buffer:float:25600",
    "width=160", "height=160"])
for launch in trace.launches:
    print(launch.kernel, launch.grid, launch.block, launch.loads, "loads")

# %% One machine
rows = trace.predict("gtx480")
print(rows.table("kind", "requests", "hits", "misses", "cold", "capacity", "conflict",
                 "miss_ratio", "basis"))

# %% Which line misses
by_line = trace.predict("gtx480", by="site", kind="load")
print(by_line.table("array", "source", "requests", "misses", "capacity"))

# %% Sizes of the L1: the README's table
sizes = trace.sweep("l1.size=8K:64K:x2", "gtx480", kind="load")
print(sizes.table("l1.size", "hits", "misses", "cold", "capacity", "conflict", "miss_ratio",
                  "error_pp"))

# %% Machines
print(trace.sweep({"machine": ["gtx480", "v100", "a100"]}, kind="load")
      .table("machine", "size_bytes", "misses", "miss_ratio"))

# %% Policies, from a profile: microseconds a row
with trace.profile("gtx480") as profile:
    policies = profile.sweep({"l1.policy": ["lru", "plru", "srrip", "random"]}, kind="load")
    print(policies.table("l1.policy", "miss_ratio", "miss_ratio_low", "miss_ratio_high"))

# %% The simulator says the same of LRU
simulated = trace.simulate("gtx480", kind="load")
print("the same misses:", simulated[0]["misses"] == rows[0]["misses"])

# %% With pandas: sizes.dataframe().plot("l1.size", "miss_ratio")
trace.close()
