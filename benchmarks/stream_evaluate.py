"""Six metrics of one run from Parquet files, 20 rows and 5 test items a user: rows a CPU second and peak memory by users.

Each size is evaluated by a new process; CPU seconds are those of the whole process, start included. Beside it the same
work by polars alone (hits, precision and DCG of the top 10, joined and summed over all rows at once) and by pytrec_eval,
until they run out of memory. `python -m benchmarks.stream_evaluate 10 40` runs these millions of users; 1 is the default.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
from rich.console import Console

from benchmarks.harness import Found, Limit, show, write

ITEMS, LISTED, TESTED, FILE_USERS = 100_000, 20, 5, 125_000
MEMORY = 20 << 30
"""Bytes that a process may take before it is called out of memory."""
SCRIPTS = {
    "heldout": """
from heldout.api.evaluate import evaluate
metrics = ["nDCG@10", "P@10", "Recall@10", "RR@10", "AP@10", "HitRate@10"]
results = evaluate(f"{folder}/test/*.parquet", {"A": f"{folder}/run/*.parquet"}, metrics, relevance="threshold(4)",
                   scratch=f"{folder}/scratch", stream=True)
value = results.leaderboard["value"][1]
""",
    "polars alone": """
import polars as pl
test = pl.scan_parquet(f"{folder}/test/*.parquet").filter(pl.col("rating") >= 4)
run = pl.scan_parquet(f"{folder}/run/*.parquet").with_columns(
    rank=pl.struct(-pl.col("score"), "item").rank("ordinal").over("user")).filter(pl.col("rank") <= 10)
hits = run.join(test, on=["user", "item"]).group_by("user").agg(
    hits=pl.len(), rr=(1 / pl.col("rank")).max(), dcg=(pl.col("rating") / (pl.col("rank") + 1).log(2)).sum())
everybody = pl.scan_parquet(f"{folder}/test/*.parquet").group_by("user").agg(relevant=(pl.col("rating") >= 4).sum())
values = everybody.join(hits, on="user", how="left").with_columns(pl.col("hits").fill_null(0))
value = values.select((pl.col("hits") / 10).mean()).collect(engine="streaming").item()
""",
    "pytrec_eval": """
import polars as pl, pytrec_eval
def nested(pattern, column):
    lists = {}
    for user, item, value in pl.read_parquet(pattern).select(pl.col("user").cast(pl.String), pl.col("item").cast(pl.String), column).iter_rows():
        lists.setdefault(user, {})[item] = value
    return lists
judge = pytrec_eval.RelevanceEvaluator(nested(f"{folder}/test/*.parquet", "rating"), {"P.10", "recall.10", "ndcg_cut.10", "recip_rank", "map_cut.10", "success.10"}, relevance_level=4)
values = judge.evaluate(nested(f"{folder}/run/*.parquet", pl.col("score").cast(pl.Float64)))
value = sum(v["P_10"] for v in values.values()) / len(values)
""",  # noqa: E501 - code of its own
}
AROUND = """
import json, resource, sys, time
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]),) * 2)
folder, begin = sys.argv[1], time.perf_counter()
{body}
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({{"cpu": used.ru_utime + used.ru_stime, "wall": time.perf_counter() - begin,
                  "peak": used.ru_maxrss * 1024 / 1e9, "value": value}}))
"""


def run(millions: tuple[int, ...] = (1,)) -> Found:
    """CPU seconds of each, by millions of users."""
    times: dict[str, list[float]] = {}
    limits, notes = [], []
    more: dict[str, object] = {}
    for size in millions:
        with tempfile.TemporaryDirectory() as folder:
            rows = generate(size * 1_000_000, Path(folder))
            for name in SCRIPTS:
                answer = _once(name, folder)
                if answer is None:
                    notes.append(f"{name}: no answer for {size} million users within {MEMORY >> 30} GB")
                    continue
                times[f"{name}, {size} M users"] = [answer["cpu"]]
                more[f"{name} {size}"] = answer
                speed = rows / answer["cpu"] / 1e6
                notes.append(f"{name}, {size} M users: {speed:.1f} M rows a CPU second, peak {answer['peak']:.2f} GB")
                if name == "heldout":
                    limits.append(Limit(f"peak memory, {size} M users", answer["peak"], 4.0, "GB"))
                    limits.append(Limit(f"CPU seconds a million rows, {size} M users", 1 / speed, 1 / 3, "s"))
    return Found(times, limits=limits, notes=notes, more=more)


def generate(users: int, folder: Path) -> int:
    """Write a test set and a run in files of 125,000 users; how many rows there are."""
    rows = 0
    for part in ("test", "run"):
        (folder / part).mkdir()
    for number in range(users // FILE_USERS):
        draw = np.random.default_rng(number)
        who = np.arange(number * FILE_USERS, (number + 1) * FILE_USERS)
        test = _distinct(draw, TESTED)
        listed = _distinct(draw, LISTED)
        places = np.argsort(draw.random((FILE_USERS, LISTED)), axis=1)[:, :TESTED]
        at = np.arange(FILE_USERS)[:, None]
        listed[at, places] = np.where(draw.random((FILE_USERS, TESTED)) < 0.3, test, listed[at, places])
        for part, items, name, values in (
            ("test", test, "rating", draw.integers(1, 6, test.size).astype(np.int8)),
            ("run", listed, "score", draw.random(listed.size, np.float32)),
        ):
            frame = pl.DataFrame(
                {"user": np.repeat(who, items.shape[1]), "item": items.ravel().astype(np.int32), name: values}
            ).unique(["user", "item"], maintain_order=True)
            frame.write_parquet(folder / part / f"{number:05}.parquet")
            rows += frame.height
    return rows


def _distinct(draw: np.random.Generator, n: int) -> np.ndarray:
    """Items of each user, none twice."""
    start = draw.integers(0, ITEMS, (FILE_USERS, 1))
    return (start + draw.integers(1, 2000, (FILE_USERS, n)).cumsum(axis=1)) % ITEMS


def _once(name: str, folder: str) -> dict[str, float] | None:
    """What a new process says; None where it dies or finds no memory."""
    script = AROUND.format(body=SCRIPTS[name])
    done = subprocess.run([sys.executable, "-c", script, folder, str(MEMORY)], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return json.loads(done.stdout)
    if name == "heldout":
        raise RuntimeError(done.stderr)
    return None


if __name__ == "__main__":
    rows = run(tuple(int(text) for text in sys.argv[1:]) or (1,))
    description = str(__doc__).splitlines()[0]
    show("stream_evaluate", description, rows, Console())
    write("stream_evaluate", description, rows)
