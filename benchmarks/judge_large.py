"""Six metrics of 138,000 lists of 100 (13.8 million rows) from a polars frame: time and peak memory.

A new process reads the frames from Parquet, notes its memory, and judges them; peak memory is that of the whole process,
frames included.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.harness import Found, Limit
from benchmarks.lists import generate

SCRIPT = """
import json, resource, sys, time
import polars as pl
from benchmarks.judge_arrays import METRICS
from heldout.experiment.evaluate import evaluation_of

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9

test, run = pl.read_parquet(sys.argv[1]), pl.read_parquet(sys.argv[2])
before, begin = peak(), time.perf_counter()
evaluation_of(test, {"run": run}, METRICS, relevance="threshold(4)").study_scores()
print(json.dumps({"seconds": time.perf_counter() - begin, "before": before, "peak": peak(), "rows": len(run)}))
"""


def run() -> Found:
    with tempfile.TemporaryDirectory() as folder:
        lists = generate(138_000, seed=2)
        paths = [Path(folder) / "test.parquet", Path(folder) / "run.parquet"]
        lists.test.write_parquet(paths[0])
        lists.run.drop("rank").write_parquet(paths[1])
        del lists
        answers = [_once(paths) for _ in range(3)]
    peak = max(a["peak"] for a in answers)
    return Found(
        {"heldout, polars": [a["seconds"] for a in answers]},
        limits=[Limit("peak memory of the process", peak, 3.0, "GB")],
        notes=[
            f"{answers[0]['rows']:,.0f} rows; {answers[0]['before']:.2f} GB were in use once the frames were read",
            "each time is that of a new process and includes loading compiled kernels",
        ],
        more={"peak_gb": peak},
    )


def _once(paths: list[Path]) -> dict[str, float]:
    done = subprocess.run([sys.executable, "-c", SCRIPT, *map(str, paths)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)
