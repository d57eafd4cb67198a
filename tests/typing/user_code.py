"""Typical code of users, checked by mypy and never run: an ignored error that is none is an error too."""

from __future__ import annotations

import numpy as np
import polars as pl

import heldout as ho
from heldout.catalogue import cutoff, param
from heldout.metrics.metric import Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64


def components() -> list[Metric]:
    """Components are made by keyword or position; a component inside one may be written as text."""
    ho.splits.Ratio(0.8, by="user").split(ho.read("ratings.csv"), seed=1)
    ho.recommenders.EASE(l2=100)
    ho.filters.Core(5)
    ho.readers.Csv("ratings.csv", user="uid")
    ho.targets.OnePlusRandom(nonrelevant=100)
    ho.targets.relevance.Threshold(4)
    ho.aggregations.Mean()
    ho.significance.Permutation(samples=2000)
    ho.metrics.gains.GainTable([0, 1, 3])
    return [
        ho.metrics.NDCG(gain="exp2", n=10),
        ho.metrics.NDCG(gain=ho.metrics.gains.Exp2(), discount="zipf", n=10),
        ho.metrics.P(rel=4, n=10).replace(n=20),
        ho.metrics.AP(),
    ]


def mistakes() -> None:
    """What an editor marks before anything runs."""
    _ = ho.nonsense  # type: ignore[attr-defined]
    _ = ho.NDCG  # type: ignore[attr-defined]
    _ = ho.metrics.NDGC  # type: ignore[attr-defined]
    ho.metrics.NDCG(n="ten")  # type: ignore[arg-type]
    ho.splits.Ratio(by="users")  # type: ignore[arg-type]
    ho.evaluate("test.csv", "run.csv", metric="P@10")  # type: ignore[call-arg]
    ho.tune("SLIM", "study.toml", trial=3)  # type: ignore[call-arg]
    ho.recommend("SLIM", "ratings.csv", top=10)  # type: ignore[call-arg]
    results = ho.run("study.toml")
    results.plot("leaderboard")  # type: ignore[attr-defined]
    _ = results.findings.leaderbord  # type: ignore[attr-defined]
    results.figures["leaderboard"].save("l.pdf", widht=3)  # type: ignore[call-arg]
    ho.compare(results, {"test": "t"})  # type: ignore[arg-type]
    ho.compare(results, tests="t")  # type: ignore[call-arg]
    ho.metrics.P(n=5).n = 6  # type: ignore[misc]


class Found(Metric):
    """Whether a relevant item is found."""

    key = "FoundAtAll"
    rel: float | None = param(None, "a rating from which items are relevant")
    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        return np.zeros(len(judged.length))


def verbs(frame: pl.DataFrame) -> None:
    """Results have types, so that their methods complete."""
    results = ho.evaluate(
        frame, {"A": frame, "B": "b.parquet"}, ["P@10", ho.metrics.AP(), Found(n=3)], train=frame, relevance="threshold(4)"
    )
    best: str = results.tables["all-leaderboards"].frame.sort("value")["system"][-1]
    ho.evaluate(frame, frame, ho.metrics.NDCG(n=10), aggregate=["mean", "median"], compare=None, seed=2)
    study = {"data": frame, "split": "ratio", "recommend": ["EASE", "Random"], "metrics": "nDCG@10"}
    sentence: str = ho.run(study, models={"mine": object()}, out="results", threads=2).verdict
    ho.multiverse(study, systems=["EASE", "Random"]).tables["universes"].frame.head()
    tuned = ho.tune("SLIM", study, metric="Recall@10", trials=30, ranges={"l1": "0.1..10:log"}, out="tuned")
    rows: pl.DataFrame = ho.recommend(tuned.model, frame, n=10, filters=["core(5)"], seed=1)
    again = ho.compare("results", {"tests": "permutation", "correction": "holm"})
    ho.compare(results, aggregate="median").tables["all-comparisons"].frame.head()
    ho.compare(again, {"folds": "pooled"}, metrics=["P@10"]).tables["pairs"].to_latex(label="tab:both").splitlines()
    again.figure("differences", setting=1, test="t").save("differences.pdf", width=3.4)
    ho.load("results").to_html().splitlines()
    ho.demo("demo", progress=False).verdict.lower()
    ho.list("metrics")
    hours: float = ho.plan(study).seconds / 3600
    world = ho.simulate(ho.readers.Simulate(users=100), seed=2, out="simulated.csv")
    ho.convert(world.interactions, "positive.csv", filters=["positive(4)"], seed=3).findings.last.to_dict()
    ho.lint(study).to_markdown().splitlines()
    terms: str = ho.list_data_sets("ml-1m")[0].licence
    del best, sentence, rows, hours, terms


def by_heart() -> None:
    """An experiment in a notebook, without a study file."""
    ratings = ho.read("ratings.csv")
    split = ho.split(ratings, "ratio(train=0.8, by=user)", seed=1)
    model = ho.fit(ho.recommenders.EASE(l2=100), split.train)
    lists = model.recommend(users=None, n=10)
    scores: pl.DataFrame = ho.measure(split.test, lists, ["nDCG@10", "Recall@20"], train=split.train)
    ho.measure(split.test, lists, ho.metrics.NDCG(n=10))
    ho.compare_users(scores, scores, "permutation", metrics="nDCG@10").columns.index("p")
    ho.evaluate(split.test, lists, "nDCG@10").verdict.lower()
    split.save("parts")
    split.plot().save("split.pdf", width=3.4)
    for fold in ho.split(ratings, "folds(5)", out="folds"):
        ho.fit("Popularity", fold.train)
