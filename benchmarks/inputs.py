"""CPU seconds of `measure` and `read` from what users have in hand: dicts, files, frames and matrices, next to their peers.

Six metrics of 6,040 lists of 100, ratings from 4 on relevant. Ids are texts in dicts and text frames. pytrec_eval
reads TREC files by a loop over lines, as its documentation shows. "again" measures a run with a test set from `ho.read`.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import heldout as ho
from benchmarks.harness import Found, Limit, Ratio, Work, interleaved
from benchmarks.judge_arrays import METRICS, TREC
from benchmarks.lists import RELEVANT, generate
from heldout.data.write import write_ratings

_ROWS = 6_000_000
_SHAPE = 2_000, 5_000
_TOP = 100
_OPTIONS: dict[str, Any] = {"relevance": f"threshold({RELEVANT})"}


def run() -> Found:
    with tempfile.TemporaryDirectory() as folder:
        small = interleaved(_measured(Path(folder)), repeats=9, clock=time.process_time)
        large = interleaved(_read(Path(folder)), repeats=3, clock=time.process_time)
        matrix = interleaved(_matrices(), repeats=5, clock=time.process_time)
    times = small | large | matrix
    aims = {"dicts": 0.1, "TREC files": 0.08, "text frames": 0.035, "number frames": 0.01, "number frames, again": 0.004}
    limits = [Limit(name, min(times[name]), at_most, "CPU s") for name, at_most in aims.items()]
    limits.append(Limit("read, 6 million rows", min(times["read, 6 million rows"]), 1.2, "CPU s"))
    ratios = [Ratio("dicts", "dicts, pytrec_eval"), Ratio("TREC files", "TREC files, pytrec_eval")]
    ratios += [
        Ratio("read, 6 million rows", "6 million rows parsed by polars"),
        Ratio("matrix", "matrix, argpartition", 1 / 3),
    ]
    return Found(times, ratios, limits)


def _measured(folder: Path) -> dict[str, Work]:
    import pytrec_eval

    lists = generate()
    test, scores = lists.test, lists.run.drop("rank")
    texts = [frame.with_columns(pl.col("user_id", "item_id").cast(pl.String)) for frame in (test, scores)]
    qrels, run = lists.qrels_dict, lists.run_dict
    judgements, lines = folder / "test.qrels", folder / "run.trec"
    write_ratings(ho.read(test), judgements)
    ranked = lists.run.select("user_id", pl.lit("Q0").alias("q"), "item_id", "rank", "score", pl.lit("tag").alias("t"))
    ranked.write_csv(lines, include_header=False, separator=" ")
    rounded = folder / "rounded.trec"
    ranked.write_csv(rounded, include_header=False, separator=" ", float_precision=6)
    encoded, text_encoded = ho.read(test), ho.read(texts[0])

    def measure(test: Any, run: Any) -> Work:
        return lambda: ho.measure(test, run, METRICS, **_OPTIONS)

    def judged(qrels: Any, run: Any) -> object:
        return pytrec_eval.RelevanceEvaluator(qrels, TREC, relevance_level=RELEVANT).evaluate(run)

    def from_files() -> object:
        with judgements.open() as test_file, lines.open() as run_file:
            return judged(pytrec_eval.parse_qrel(test_file), pytrec_eval.parse_run(run_file))

    return {
        "dicts": measure(qrels, run),
        "dicts, pytrec_eval": lambda: judged(qrels, run),
        "TREC files": measure(judgements, lines),
        "TREC files, scores of 6 decimals": measure(judgements, rounded),
        "TREC files, pytrec_eval": from_files,
        "text frames": measure(*texts),
        "number frames": measure(test, scores),
        "text frames, again": measure(text_encoded, texts[1]),
        "number frames, again": measure(encoded, scores),
    }


def _read(folder: Path) -> dict[str, Work]:
    draw = np.random.default_rng(1)
    pairs = np.unique(draw.integers(0, 100_000 * 20_000, _ROWS))
    draw.shuffle(pairs)
    frame = pl.DataFrame({"user": pairs // 20_000, "item": pairs % 20_000, "rating": draw.integers(1, 6, len(pairs))})
    frame = frame.with_columns(pl.format("u{}", "user").alias("user"), pl.format("i{}", "item").alias("item"))
    path = folder / "ratings.csv"
    frame.write_csv(path)
    return {
        "read, 6 million rows": lambda: ho.read(path),
        "6 million rows parsed by polars": lambda: pl.read_csv(path),
    }


def _matrices() -> dict[str, Work]:
    draw = np.random.default_rng(1)
    scores = draw.standard_normal(_SHAPE)
    rated = np.sort(np.argpartition(draw.random(_SHAPE), 20, axis=1)[:, :20], axis=1)
    test = pl.DataFrame(
        {"user": np.repeat(np.arange(_SHAPE[0]), 20), "item": rated.ravel(), "rating": draw.integers(1, 6, rated.size)}
    )
    return {
        "matrix": lambda: ho.measure(test, scores, "nDCG@10", **_OPTIONS),
        "matrix, argpartition": lambda: np.argpartition(scores, -_TOP, axis=1)[:, -_TOP:],
    }
