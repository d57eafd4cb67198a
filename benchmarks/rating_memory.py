"""Memory of 100 million simulated ratings, read from Parquet, split and studied, beyond that of the interpreter.

`python -m benchmarks.rating_memory 0.25` takes a quarter of the ratings; the ratings are those of `netflix_run`. The largest
resident memory of each stage is looked at 20 times a second, in a new process; of a whole study the system tells it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.harness import Found, Limit, show, write
from benchmarks.netflix_run import generate

STAGES = """
import json, sys, threading, time
import heldout as ho
import heldout.kernels.grouping
from heldout.data.profile import profile
from heldout.data.read import reader_of
from heldout.experiment.folds import RowsRead
from heldout.tables.mapped import set_aside

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e9

base, peak, stages = resident(), 0.0, {}

def watch():
    global peak
    while True:
        peak = max(peak, resident())
        time.sleep(0.05)

threading.Thread(target=watch, daemon=True).start()

def stage(name, work):
    global peak
    peak, begun = resident(), time.process_time()
    result = work()
    stages[name] = {"cpu": time.process_time() - begun, "peak": max(peak, resident()) - base, "after": resident() - base}
    return result

rows = stage("read", lambda: RowsRead(reader_of(sys.argv[1]).read()))
data = stage("ratings", lambda: rows.interactions("error", None, last=True))
stage("profile", lambda: profile(data))
data = stage("set aside", lambda: set_aside(data))
split = stage("split", lambda: next(ho.make("split", "ratio(train=0.8, by=user)").split(data, seed=1)))
del data
stages["train and test"] = {"cpu": 0.0, "peak": resident() - base, "after": resident() - base}
print(json.dumps({"rows": rows.count, "stages": stages}))
"""
STUDY = """
import json, sys, time
import heldout as ho
import heldout.kernels.grouping

def status(key):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(key)) * 1024 / 1e9

base = status("VmRSS")
ho.run({"data": sys.argv[1], "split": "ratio(train=0.8, by=user)", "recommend": ["Popularity"], "relevance": "threshold(4)",
        "metrics": ["nDCG@10", "P@10"], "compare": "none"}, out=sys.argv[2])
print(json.dumps({"cpu": time.process_time(), "peak": status("VmHWM") - base, "after": status("VmRSS") - base}))
"""


def run(share: float = 1.0) -> Found:
    """CPU seconds of each stage, with its memory as notes."""
    with tempfile.TemporaryDirectory(prefix="heldout-ratings-") as folder:
        generate(share, Path(folder))
        answer = _answer(STAGES, f"{folder}/*.parquet")
        answer["stages"]["a study of Popularity"] = _answer(STUDY, f"{folder}/*.parquet", f"{folder}/results")
    notes = [f"{answer['rows']:,} ratings"]
    notes += [f"{n}: peak {s['peak']:.2f} GB, {s['after']:.2f} GB after it" for n, s in answer["stages"].items()]
    study = answer["stages"]["a study of Popularity"]["peak"]
    most = max(stage["peak"] for name, stage in answer["stages"].items() if not name.startswith("a study"))
    limits = [
        Limit("peak memory of 100 million ratings until they are split", most, 3.0, "GB"),
        Limit("peak memory of a whole study of them", study, 3.0, "GB"),
    ]
    limits = limits if share == 1.0 else []
    return Found({n: [s["cpu"]] for n, s in answer["stages"].items()}, limits=limits, notes=notes, more=answer)


def _answer(program: str, *arguments: str) -> Any:
    command = [sys.executable, "-c", program, *arguments]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


if __name__ == "__main__":
    found = run(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
    description = str(__doc__).splitlines()[0]
    show("rating_memory", description, found, Console())
    write("rating_memory", description, found)
