"""Six metrics of 6,040 lists of 100 from data frames with whole-number ids, beside RecTools and ranx.

From the frames to the values of every user, without significance tests. RecTools has no bpref and no graded nDCG, so it
calculates five metrics of binary relevance; ranx takes texts as ids, and is given them.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import polars as pl

from benchmarks.harness import Found, Ratio, Work, interleaved
from benchmarks.judge_arrays import METRICS, RANX
from benchmarks.lists import RELEVANT, Lists, generate
from benchmarks.rectools_venv import RecTools, Unavailable
from heldout.experiment.evaluate import evaluation_of


def run() -> Found:
    lists = generate()
    notes = [f"{len(lists.run):,} rows of lists, {len(lists.test):,} test ratings", "ranx: from_df, then evaluate"]
    work: dict[str, Work] = {**ours(lists), "ranx": ranx(lists)}
    ratios = [Ratio("heldout, polars", "ranx", 20), Ratio("heldout, pandas", "ranx")]
    with ExitStack() as stack:
        try:
            peer = stack.enter_context(RecTools(lists))
        except Unavailable as reason:
            notes.append(f"skipped: {reason}")
        else:
            work[f"RecTools {peer.version}"] = peer
            ratios += [Ratio(ours, f"RecTools {peer.version}", 3) for ours in ("heldout, pandas", "heldout, polars")]
        times = interleaved(work, repeats=9)
    return Found(times, ratios, notes=notes)


def ours(lists: Lists) -> dict[str, Work]:
    test, run = lists.test, lists.run.drop("rank")
    pandas_test, pandas_run = test.to_pandas(), run.to_pandas()
    options = {"relevance": f"threshold({RELEVANT})"}
    return {
        "heldout, polars": lambda: evaluation_of(test, {"run": run}, METRICS, **options).study_scores(),
        "heldout, pandas": lambda: evaluation_of(pandas_test, {"run": pandas_run}, METRICS, **options).study_scores(),
    }


def ranx(lists: Lists) -> Work:
    import ranx

    def texts(frame: pl.DataFrame) -> Any:
        return frame.to_pandas().astype({"user_id": str, "item_id": str}).astype({"user_id": object, "item_id": object})

    test, run = texts(lists.test), texts(lists.run)

    def work() -> object:
        qrels = ranx.Qrels.from_df(test, q_id_col="user_id", doc_id_col="item_id", score_col="rating")
        lists = ranx.Run.from_df(run, q_id_col="user_id", doc_id_col="item_id", score_col="score")
        return ranx.evaluate(qrels, lists, RANX, return_mean=False, save_results_in_run=False)

    return work
