"""Six metrics of one run from Parquet files, 20 rows and 5 test items a user: rows a CPU second and peak memory by users.

Each size is evaluated by a new process; CPU seconds are those of the whole process, start included. Beside it the same
work by polars alone (hits, precision and DCG of the top 10, joined and summed over all rows at once), by pytrec_eval and by
ranx, until they run out of memory or time. `python -m benchmarks.stream_evaluate 10 40` runs these millions of users; 1 is
the default. Names beside them, such as `10 heldout`, run these alone. A million users take 165 MB of disk, and 300 MB more
while they are evaluated.
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

ITEMS, LISTED, TESTED, FILE_USERS = 100_000, 20, 5, 125_000
MEMORY = 20 << 30
"""Bytes that a process may take before it is called out of memory."""
LONGEST = 1800
"""Seconds that a process may take."""
SCRIPTS = {
    "heldout": """
from heldout.api.evaluate import evaluate
metrics = ["nDCG@10", "P@10", "Recall@10", "RR@10", "AP@10", "HitRate@10"]
results = evaluate(f"{folder}/test/*.parquet", {"A": f"{folder}/run/*.parquet"}, metrics, relevance="threshold(4)",
                   stream={"scratch": f"{folder}/scratch"})
value = results.tables["all-leaderboards"].frame["value"][1]
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
    "ranx": """
import polars as pl
from ranx import Qrels, Run, evaluate
def frame(pattern, column):
    return pl.read_parquet(pattern).select(pl.col("user").cast(pl.String), pl.col("item").cast(pl.String), column).to_pandas().astype({"user": object, "item": object})
qrels = Qrels.from_df(frame(f"{folder}/test/*.parquet", pl.col("rating").cast(pl.Int64)), "user", "item", "rating")
run = Run.from_df(frame(f"{folder}/run/*.parquet", pl.col("score").cast(pl.Float64)), "user", "item", "score")
metrics = ["precision@10-l4", "recall@10-l4", "ndcg@10", "mrr@10-l4", "map@10-l4", "hit_rate@10-l4"]
value = float(evaluate(qrels, run, metrics)["precision@10-l4"])
""",  # noqa: E501 - code of its own
}
AROUND = """
import json, resource, sys, time
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]),) * 2)
folder, begin = sys.argv[1], time.perf_counter()
{body}
used = resource.getrusage(resource.RUSAGE_SELF)
with open("/proc/self/status") as status:  # ru_maxrss would count the memory of the process that started this one
    [peak] = [int(line.split()[1]) for line in status if line.startswith("VmHWM")]
print(json.dumps({{"cpu": used.ru_utime + used.ru_stime, "system": used.ru_stime, "wall": time.perf_counter() - begin,
                  "peak": peak * 1024 / 1e9, "value": value}}))
"""


def run(millions: tuple[int, ...] = (1,), names: Sequence[str] = tuple(SCRIPTS)) -> Found:
    """CPU seconds of each, by millions of users; a peer that gave no answer is not asked for more users."""
    times: dict[str, list[float]] = {}
    limits, notes = [], []
    more: dict[str, object] = {}
    able = list(names)
    for size in millions:
        with tempfile.TemporaryDirectory(prefix="heldout-stream-") as folder:
            rows = generate(size * 1_000_000, Path(folder))
            for name in list(able):
                answer = _once(name, folder)
                if isinstance(answer, str):
                    notes.append(f"{name}: no answer for {size} million users, {answer}")
                    able.remove(name)
                    continue
                times[f"{name}, {size} M users"] = [answer["cpu"]]
                more[f"{name} {size}"] = answer
                speed, wall = (rows / answer[clock] / 1e6 for clock in ("cpu", "wall"))
                notes.append(
                    f"{name}, {size} M users: {speed:.2f} M rows a CPU second, {wall:.2f} a second of wall time, "
                    f"{answer['system']:.0f} CPU s of the system's, peak {answer['peak']:.2f} GB, P@10 {answer['value']:.6f}"
                )
                if name == "heldout":
                    limits.append(Limit(f"peak memory, {size} M users", answer["peak"], 4.0, "GB"))
                    limits.append(Limit(f"CPU seconds a million rows, {size} M users", 1 / speed, 1 / 3, "s"))
    return Found(times, limits=limits, notes=notes, more=more)


def generate(users: int, folder: Path) -> int:
    """Write a test set and a run in files of 125,000 users; how many rows there are.

    Eight files differ; the others repeat their lists for other users, since drawing takes longer than judging.
    """
    rows = 0
    for part in ("test", "run"):
        (folder / part).mkdir()
    drawn = [_drawn(number) for number in range(min(8, users // FILE_USERS))]
    for number in range(users // FILE_USERS):
        for part, frame in drawn[number % len(drawn)].items():
            shifted = frame.with_columns(pl.col("user") + number * FILE_USERS)
            shifted.write_parquet(folder / part / f"{number:05}.parquet")
            rows += frame.height
    return rows


def _drawn(seed: int) -> dict[str, pl.DataFrame]:
    """The test set and the run of 125,000 users; 3 of 10 test items are listed."""
    draw = np.random.default_rng(seed)
    test, listed = _distinct(draw, TESTED), _distinct(draw, LISTED)
    places = np.argsort(draw.random((FILE_USERS, LISTED)), axis=1)[:, :TESTED]
    at = np.arange(FILE_USERS)[:, None]
    listed[at, places] = np.where(draw.random((FILE_USERS, TESTED)) < 0.3, test, listed[at, places])
    frames = {}
    for part, items, name, values in (
        ("test", test, "rating", draw.integers(1, 6, test.size).astype(np.int8)),
        ("run", listed, "score", draw.random(listed.size, np.float32)),
    ):
        user = np.repeat(np.arange(FILE_USERS), items.shape[1])
        frame = pl.DataFrame({"user": user, "item": items.ravel().astype(np.int32), name: values})
        frames[part] = frame.unique(["user", "item"], maintain_order=True)
    return frames


def _distinct(draw: np.random.Generator, n: int) -> np.ndarray:
    """Items of each user, none twice."""
    start = draw.integers(0, ITEMS, (FILE_USERS, 1))
    return (start + draw.integers(1, 2000, (FILE_USERS, n)).cumsum(axis=1)) % ITEMS


def _once(name: str, folder: str) -> dict[str, float] | str:
    """What a new process says; why it says nothing where it dies, finds no memory or takes too long."""
    command = [sys.executable, "-c", AROUND.format(body=SCRIPTS[name]), folder, str(MEMORY)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return f"within {LONGEST} seconds"
    if done.returncode == 0:
        return json.loads(done.stdout)
    if name == "heldout":
        raise RuntimeError(done.stderr)
    return f"within {MEMORY >> 30} GB: {next(iter(done.stderr.strip().splitlines()[-1:]), 'killed')[:100]}"


if __name__ == "__main__":
    sizes = tuple(int(text) for text in sys.argv[1:] if text.isdigit())
    rows = run(sizes or (1,), [text for text in sys.argv[1:] if not text.isdigit()] or tuple(SCRIPTS))
    description = str(__doc__).splitlines()[0]
    show("stream_evaluate", description, rows, Console())
    write("stream_evaluate", description, rows)
