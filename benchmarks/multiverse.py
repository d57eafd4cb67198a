"""311,040 universes of MovieLens 1M: where the time goes, and the same again with all fits present."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.harness import Found, Limit
from benchmarks.valcarce_data import folder as data_folder

GRID = {
    "title": "Neighbours or factors, in every way",
    "split": [f"ratio(train={k / 10:g})" for k in range(1, 10)],
    "recommend": [
        {"name": "UserKNN", "model": "UserKNN(k=100)"},
        {"name": "WRMF", "model": "WRMF(factors=50, l2=10, alpha=1, iterations=20, target=rating)"},
    ],
    "fallback": ["none", "popularity"],
    "target": ["AllItems", "TestItems", "TestRatings", "OnePlusRandom(100)"],
    "metrics": ["P", "Recall", "nDCG", "AP", "RR", "DCG", "ERR"],
    "aggregate": ["mean", "mean(weight=test)", "mean(weight=relevant)", "gmean"],
    "coverage": ["zero", "intersection"],
    "compare": ["t", "sign"],
    "multiverse": {
        "seeds": [1, 2, 3],
        "cutoffs": [1, 2, 3, 5, 10, 20, 30, 50, 70, 100],
        "gains": ["binary", "linear", "exp2"],
    },
}
FITTING = ("fit", "rank", "copy")
SIMULATED = "simulate(users=6040, items=3706, ratings=1000000)"
WORK = """
import json, resource, sys, time
import heldout as ho
grid, out = json.load(open(sys.argv[1])), sys.argv[2]
begun = time.perf_counter()
found = ho.multiverse(grid, out=out)
spent = time.perf_counter() - begun
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
stages, universes = found.manifest["seconds"], found.findings.universes
print(json.dumps({"seconds": spent, "stages": stages, "gb": peak / 1e6, "universes": universes}))
"""


def run() -> Found:
    real = data_folder() / "ml-1m"
    splits = int(os.environ.get("HELDOUT_BENCH_SPLITS", "9"))
    grid = {**GRID, "data": str(real.absolute()) if real.exists() else SIMULATED, "split": GRID["split"][:splits]}
    with tempfile.TemporaryDirectory() as folder:
        keys, out = Path(folder) / "grid.json", Path(folder) / "out"
        keys.write_text(json.dumps(grid), encoding="utf-8")
        first = _once(keys, out)
        shutil.rmtree(out / "universes")
        again = _once(keys, out)
        size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    fitting = sum(first["stages"].get(stage, 0.0) for stage in FITTING)
    times = {"all": [first["seconds"]], "with all fits present": [again["seconds"]]}
    times |= {f"of all: {stage}": [seconds] for stage, seconds in first["stages"].items()}
    rest = 100 * (1 - fitting / first["seconds"])
    return Found(
        times,
        limits=[
            Limit("all", first["seconds"], 900, "s"),
            Limit("with all fits present", again["seconds"], 90, "s"),
            Limit("neither fitting nor scoring", rest, 10, "%"),
            Limit("memory", max(first["gb"], again["gb"]), 4, "GB"),
        ],
        notes=[
            f"{first['universes']:,} universes, {size / 1e6:,.0f} MB of results",
            "MovieLens 1M" if real.exists() else "simulated ratings of the same size: MovieLens 1M was not found",
        ],
    )


def _once(keys: Path, out: Path) -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", WORK, str(keys), str(out)], check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found
