"""20M ratings from CSV and Parquet into an encoded table with CSR views, 100M from Parquet, and 20M simulated.

Each runs in a process of its own, whose largest memory is told by the kernel. The files are generated in a temporary folder.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from benchmarks.harness import Found, Limit

SIMULATED = "simulate(users=138493, items=26744, ratings=20000000)"
ROWS = int(os.environ.get("HELDOUT_BENCH_ROWS", "20_000_000"))
MANY = int(os.environ.get("HELDOUT_BENCH_MANY", "100_000_000"))


def run() -> Found:
    times, limits = {}, []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        simulated = _apart(f'made = ho.make("reader", {SIMULATED!r}).read(); rows = len(made)')
        _generate(folder, ROWS, "few")
        found = {
            "csv": _reading(folder / "few.csv"),
            "parquet": _reading(folder / "few.parquet"),
        }
        (folder / "few.csv").unlink()
        _generate(folder, MANY, "many", csv=False)
        found["many"] = _reading(folder / "many.parquet")
    for label, key, seconds, memory in (
        (f"{ROWS:,} from CSV", "csv", 15.0, 3.0),
        (f"{ROWS:,} from Parquet", "parquet", 5.0, None),
        (f"{MANY:,} from Parquet", "many", None, 6.0),
    ):
        times[label] = [found[key]["seconds"]]
        if seconds is not None:
            limits.append(Limit(label, found[key]["seconds"], seconds, "s"))
        if memory is not None:
            limits.append(Limit(label, found[key]["gigabytes"], memory, "GB"))
    times["20M simulated"] = [simulated["seconds"]]
    limits += [
        Limit("20M simulated", simulated["seconds"], 60.0, "s"),
        Limit("20M simulated", simulated["gigabytes"], 2.0, "GB"),
    ]
    return Found(times, limits=limits, notes=["rows are in the order of time, so that all must be sorted"])


def _reading(path: Path) -> dict[str, float]:
    return _apart(f"made = ho.read({str(path)!r}); made.user_indptr; made.by_item; rows = len(made)")


def _apart(work: str) -> dict[str, float]:
    """Seconds and gigabytes of some work in a fresh process, compiled kernels at hand."""
    code = f"""
        import json, resource, tempfile, time
        import heldout as ho
        from heldout.data.write import write_ratings
        small = ho.make("reader", "simulate(users=30, items=20, ratings=100)").read().interactions()
        with tempfile.TemporaryDirectory() as folder:
            ho.read(write_ratings(small, folder + "/small.csv")).by_item
        begin = time.perf_counter()
        {work}
        seconds = time.perf_counter() - begin
        gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(json.dumps({{"seconds": seconds, "gigabytes": gigabytes, "rows": rows}}))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _generate(folder: Path, rows: int, name: str, *, csv: bool = True) -> None:
    """Distinct pairs in the order of time, by a process of its own, whose memory is given back."""
    code = f"""
        import numpy as np, polars as pl
        rows, users = {rows}, max(1000, {rows} // 145)
        draw = np.random.default_rng(1)
        counts = np.maximum(1, (rows / users * draw.lognormal(-0.4, 0.9, users))).astype(np.int64)
        user = np.repeat(np.arange(users, dtype=np.int32), counts)[:rows]
        place = np.arange(len(user)) - np.repeat(np.cumsum(counts) - counts, counts)[:rows]
        start = draw.integers(0, 30_000, users, dtype=np.int32)
        item = ((start[user] + 7 * place) % 60_000).astype(np.int32)
        order = draw.permutation(len(user)).astype(np.int32)
        frame = pl.DataFrame({{
            "userId": user[order] + 1,
            "movieId": item[order] + 1,
            "rating": (draw.integers(1, 11, len(user)) / 2).astype(np.float32),
            "timestamp": np.sort(draw.integers(10**9, 1.2 * 10**9, len(user))).astype(np.int64),
        }})
        frame.write_parquet({str(folder / name)!r} + ".parquet")
        if {csv}:
            frame.write_csv({str(folder / name)!r} + ".csv")
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)
