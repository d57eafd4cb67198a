"""The 311,040-universe grid on Ray beside this process: CPU time, start, and the same bytes with four nodes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from tests.engine.ray_kills import digests

from benchmarks.harness import Found, Limit
from benchmarks.multiverse import GRID, SIMULATED
from benchmarks.valcarce_data import folder as data_folder

WORK = """
import json, sys, time
import heldout as ho
grid, out, engine = json.load(open(sys.argv[1])), sys.argv[2], sys.argv[3]
options = {"engine": "ray"} if engine != "here" else {}
cluster = None
if engine == "nodes":
    from tests.engine.ray_kills import SmallCluster
    cluster = SmallCluster(4)
    options["address"] = cluster.address
begun = time.perf_counter()
results = ho.multiverse(grid, out=out, threads=2, **options)
print(json.dumps({"seconds": time.perf_counter() - begun, "universes": results.findings.universes}))
if cluster is not None:
    cluster.close()
"""
START = """
import json, time
begun = time.perf_counter()
from heldout.engine.engine import Sendable
from heldout.engine.ray_engine import RayEngine
from heldout.engine.ray_worker import versions
engine = RayEngine()
task = Sendable(here=versions, function=versions, arguments={}, received=str, failed=str)
list(engine.run([task]))
print(json.dumps({"seconds": time.perf_counter() - begun}))
engine.close()
"""
EVERY = 0.25
"""Seconds between looks at the processes' CPU time."""


def run() -> Found:
    real = data_folder() / "ml-1m"
    splits = int(os.environ.get("HELDOUT_BENCH_SPLITS", "9"))
    grid = {**GRID, "data": str(real.absolute()) if real.exists() else SIMULATED, "split": GRID["split"][:splits]}
    with tempfile.TemporaryDirectory() as folder:
        keys = Path(folder) / "grid.json"
        keys.write_text(json.dumps(grid), encoding="utf-8")
        start = measured([sys.executable, "-c", START])
        by_engine = {
            engine: measured([sys.executable, "-c", WORK, str(keys), str(Path(folder) / engine), engine])
            for engine in ("here", "ray", "nodes")
        }
        by_file = {engine: digests(Path(folder) / engine) for engine in by_engine}
    other = {engine: _differing(files, by_file["here"]) for engine, files in by_file.items()}
    here, ray = by_engine["here"]["cpu"], by_engine["ray"]["cpu"]
    times = {f"CPU seconds, {engine}": [figures["cpu"]] for engine, figures in by_engine.items()}
    times |= {"CPU seconds of the start alone": [start["cpu"]]}
    return Found(
        times,
        limits=[
            Limit("CPU on Ray above that of this process", 100 * (ray / here - 1), 15, "%"),
            Limit("start of Ray, until the first task is done", start["seconds"], 8, "s"),
            Limit("engines whose bytes differ", sum(bool(files) for files in other.values()), 0, ""),
        ],
        notes=[
            f"{by_engine['here']['universes']:,} universes; Ray on 2 CPUs, and on 4 simulated nodes of one CPU each",
            "MovieLens 1M" if real.exists() else "simulated ratings of the same size: MovieLens 1M was not found",
            *(f"{engine}: {len(files)} files differ, the first {files[0]}" for engine, files in other.items() if files),
        ],
    )


def measured(command: list[str]) -> dict[str, Any]:
    """What a command prints, and the CPU seconds of it and of all processes that it starts, Ray's own too."""
    import psutil

    spent: dict[int, float] = {}
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output, env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0"})
        watched, ended = psutil.Process(process.pid), threading.Event()

        def watch() -> None:
            while not ended.wait(EVERY):
                try:
                    for each in (watched, *watched.children(recursive=True)):
                        times = each.cpu_times()
                        spent[each.pid] = max(spent.get(each.pid, 0.0), times.user + times.system)
                except psutil.Error:
                    continue  # one of them ended meanwhile

        watching = threading.Thread(target=watch)
        watching.start()
        code = process.wait()
        ended.set()
        watching.join()
        output.seek(0)
        printed = output.read()
    if code:
        raise RuntimeError(f"{command[:2]} ended with {code}")
    figures: dict[str, Any] = json.loads(next(line for line in reversed(printed.splitlines()) if line.startswith("{")))
    return {**figures, "cpu": sum(spent.values())}


def _differing(some: dict[str, str], others: dict[str, str]) -> list[str]:
    """The files that one of two folders lacks, or that have other bytes."""
    return sorted(name for name in {**some, **others} if some.get(name) != others.get(name))
