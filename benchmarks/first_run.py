"""CPU seconds of what people do first, in a new process: with nothing compiled, and once more.

Each first run has an empty folder for compiled kernels. The peer of `heldout evaluate` is a script with pytrec_eval.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from benchmarks.cold_evaluate import OURS, PEER, WORDS, cpu_seconds, installed, write_runs
from benchmarks.harness import Found, Limit, Ratio

REPEATS = 3
STUDY = """
data = "ratings.csv"
split = "ratio(train=0.8, by=user)"
recommend = ["Popularity", "ItemKNN"]
metrics = "nDCG@10"
"""
MEASURE = """
import heldout as ho
print(ho.measure("test.csv", "a.csv", "nDCG@10"))
"""
MOST = {"run": 4.0, "demo": 8.0, "evaluate": 2.5, "measure": 1.5}
"""CPU seconds of a first run on the machine of docs/performance.md."""


def run() -> Found:
    python = installed()
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        write_runs(Path(folder))
        _write_ratings(Path(folder))
        for turn in range(REPEATS):
            for name, code, words in (
                ("run", OURS, ["run", "study.toml", "--out"]),
                ("demo", OURS, ["demo", "--out"]),
                ("evaluate", OURS, WORDS),
                ("measure", MEASURE, []),
            ):
                for state in ("first", "warm"):
                    new = [f"{name}-{state}-{turn}"] if words[-1:] == ["--out"] else []
                    compiled = {"NUMBA_CACHE_DIR": f"{folder}/compiled-{name}-{turn}"}
                    times.setdefault(f"{name}, {state}", []).append(cpu_seconds(python, code, words + new, folder, compiled))
            times.setdefault("pytrec_eval script", []).append(cpu_seconds(python, PEER, [], folder))
    limits = [Limit(f"{name}, first", min(times[f"{name}, first"]), most, "CPU s") for name, most in MOST.items()]
    return Found(times, ratios=[Ratio("evaluate, warm", "pytrec_eval script")], limits=limits)


def _write_ratings(folder: Path) -> None:
    """1,000 ratings of 60 users and 150 items, few of which have most of the ratings."""
    draw = random.Random(1)
    pairs: set[tuple[int, int]] = set()
    while len(pairs) < 1000:
        pairs.add((draw.randrange(60), min(int(draw.expovariate(1 / 40)), 149)))
    lines = ["user,item,rating", *(f"{user},{item},{draw.randint(1, 5)}" for user, item in sorted(pairs))]
    (folder / "ratings.csv").write_text("\n".join(lines) + "\n")
    (folder / "study.toml").write_text(STUDY)
