"""A study of Netflix's size, simulated (480,189 users, 17,770 items, 100 million ratings): CPU seconds by stage, memory.

Read from Parquet, split, UserKNN(k=100), WRMF(50) and EASE fitted, all items ranked for all users, six metrics; each system
is a study of its own in a new process. `python -m benchmarks.netflix_run 0.1` takes a tenth of the users and of the ratings,
`python -m benchmarks.netflix_run 0.1 EASE` the named systems alone.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
from rich.console import Console

from benchmarks.harness import Found, Limit, show, write

USERS, ITEMS, RATINGS = 480_189, 17_770, 100_480_507
SYSTEMS = ("UserKNN(k=100)", "WRMF(factors=50)", "EASE")
METRICS = ("nDCG@10", "P@10", "Recall@10", "RR@10", "AP@10", "HitRate@10")
FILE_USERS = 20_000
STUDY = """
import json, resource, sys, time
from types import SimpleNamespace
import heldout as ho
import heldout.experiment.clock as clock
clock.time = SimpleNamespace(perf_counter=time.process_time)  # CPU seconds of all threads
pattern, system, metrics = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
results = ho.run({"data": pattern, "split": "ratio(train=0.8, by=user)", "recommend": [system],
                  "relevance": "threshold(4)", "metrics": metrics, "compare": "none"})
used = resource.getrusage(resource.RUSAGE_SELF)
with open("/proc/self/status") as status:  # ru_maxrss would count the memory of the process that started this one
    [peak] = [int(line.split()[1]) for line in status if line.startswith("VmHWM")]
print(json.dumps({"cpu": used.ru_utime + used.ru_stime, "peak": peak * 1024 / 1e9,
                  "stages": results.manifest["seconds"], "value": results.tables["all-leaderboards"].frame["value"][0]}))
"""


def run(share: float = 1.0, systems: Sequence[str] = SYSTEMS) -> Found:
    """CPU seconds of every system, with those of its stages as notes."""
    times, limits, notes, more = {}, [], [], {}
    with tempfile.TemporaryDirectory(prefix="heldout-netflix-") as folder:
        ratings = generate(share, Path(folder))
        notes.append(f"{ratings:,} ratings of {round(USERS * share):,} users and {ITEMS:,} items")
        for system in systems:
            command = [sys.executable, "-c", STUDY, f"{folder}/*.parquet", system, json.dumps(METRICS)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(done.stderr)
            answer = json.loads(done.stdout)
            stages = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in answer["stages"].items())
            notes.append(f"{system}: {answer['cpu']:.0f} CPU s ({stages}), peak {answer['peak']:.2f} GB")
            times[system], more[system] = [answer["cpu"]], answer
            limits.append(Limit(f"peak memory of {system}", answer["peak"], 12.0, "GB"))
    return Found(times, limits=limits, notes=notes, more=more)


def generate(share: float, folder: Path) -> int:
    """Write ratings in files of 20,000 users, rows in random order; how many there are.

    The numbers of ratings of users are log-normal, those of items fall as a power of their rank.
    """
    draw = np.random.default_rng(1)
    users, total = round(USERS * share), RATINGS * share
    activity = draw.lognormal(0.0, 1.2, users)
    wanted = np.clip(activity / activity.sum() * total * 1.17, 5, ITEMS // 2).astype(np.int64)
    popularity = (np.arange(ITEMS) + 30.0) ** -0.9
    below = np.cumsum(popularity / popularity.sum())
    names = draw.permutation(ITEMS)
    rows = 0
    for number, start in enumerate(range(0, users, FILE_USERS)):
        user = np.repeat(np.arange(start, min(start + FILE_USERS, users)), wanted[start : start + FILE_USERS])
        item = np.minimum(np.searchsorted(below, draw.random(len(user))), ITEMS - 1)
        pairs = draw.permutation(np.unique(user * ITEMS + item))
        rating = np.clip(np.round(3.6 + draw.standard_normal(len(pairs))), 1, 5).astype(np.int8)
        columns = {
            "user": (pairs // ITEMS).astype(np.int32),
            "item": names[pairs % ITEMS].astype(np.int32),
            "rating": rating,
        }
        pl.DataFrame(columns).write_parquet(folder / f"{number:03}.parquet")
        rows += len(pairs)
    return rows


if __name__ == "__main__":
    found = run(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0, sys.argv[2:] or SYSTEMS)
    description = str(__doc__).splitlines()[0]
    show("netflix_run", description, found, Console())
    write("netflix_run", description, found)
