"""CPU seconds of one small `heldout evaluate` in a new process, start and end included, beside a script with pytrec_eval.

Two runs of 20 items for 200 users, two metrics. The peer reads the same files with pandas and compares nothing. Both run in
an environment that has them and nothing else, as users have it: tools of developers load modules of their own at each start.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.harness import Found, Limit, Ratio

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv-plain"
REPEATS = 9
OURS = "from heldout.cli import main; main()"
PEER = """
import sys
import pandas as pd
import pytrec_eval
def nested(path, column):
    rows = pd.read_csv(path, dtype={"user": str, "item": str})
    return {user: dict(zip(of_user["item"], of_user[column])) for user, of_user in rows.groupby("user")}
qrels = {user: {item: int(r) for item, r in of_user.items()} for user, of_user in nested("test.csv", "rating").items()}
evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "P.10"})
for name in ("a.csv", "b.csv"):
    values = evaluator.evaluate(nested(name, "score"))
    print(name, {m: sum(v[m] for v in values.values()) / len(values) for m in ("ndcg_cut_10", "P_10")})
"""
WORDS = ["evaluate", "--qrels", "test.csv", "--run", "A=a.csv", "--run", "B=b.csv", "-m", "nDCG@10", "-m", "P@10"]


def run() -> Found:
    python = installed()
    with tempfile.TemporaryDirectory() as folder:
        write_runs(Path(folder))
        cpu_seconds(python, OURS, WORDS, folder)  # kernels are compiled once and kept
        turns = [(cpu_seconds(python, OURS, WORDS, folder), cpu_seconds(python, PEER, [], folder)) for _ in range(REPEATS)]
    ours, peer = ([turn[k] for turn in turns] for k in (0, 1))
    return Found(
        {"heldout evaluate": ours, "pytrec_eval script": peer},
        ratios=[Ratio("heldout evaluate", "pytrec_eval script")],
        limits=[Limit("best", min(ours), 0.45, "CPU s")],
    )


def installed() -> Path:
    """The Python of an environment with Heldout as it is now, pandas and pytrec_eval."""
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "-e", str(ROOT), "pandas", "pytrec_eval-terrier"], check=True)
    return python


def cpu_seconds(python: Path, code: str, words: list[str], folder: str, environment: dict[str, str] | None = None) -> float:
    """What one process takes, from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [python, "-c", code, *words], cwd=folder, env=os.environ | (environment or {}), stdout=subprocess.DEVNULL, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_runs(folder: Path) -> None:
    draw = random.Random(1)
    for name, column, size in (("test", "rating", 10), ("a", "score", 20), ("b", "score", 20)):
        lines = [f"user,item,{column}"]
        for user in range(200):
            items = draw.sample(range(500), size)
            values = [draw.randint(1, 5) if column == "rating" else round(draw.random(), 6) for _ in items]
            lines += [f"{user},{item},{value}" for item, value in zip(items, values, strict=True)]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
