"""For every rule of the review: a study that it objects to and one that it does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import heldout as ho
from heldout import Results, Review

STUDY: dict[str, Any] = {
    "task": "some_good_items",
    "data": "simulate(users=90, items=40, ratings=1500)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "UserKNN(k=5)"],
    "relevance": "threshold(4)",
    "metrics": ["nDCG(gain=binary)@5", "P@5"],
    "compare": ["t"],
}
"""Small enough to run in a moment; cases change some of its keys."""


@dataclass(frozen=True)
class Case:
    """Keys that bring a finding, keys that do not, and whether a run is needed to tell."""

    bad: dict[str, Any]
    good: dict[str, Any]
    run: bool = False
    severity: str = ""
    """The severity of the finding, where it is not the rule's own."""


@dataclass(frozen=True)
class Judged:
    """Results that are made otherwise than by running a study: of runs, or of a file with bad rows."""

    bad: Callable[[Path], Results]
    good: Callable[[Path], Results]
    severity: str = ""


def reviewed(keys: dict[str, Any], *, run: bool) -> Review:
    """The review of the small study with some keys changed; None takes one away."""
    asked = {key: value for key, value in {**STUDY, **keys}.items() if value is not None}
    return ho.lint(ho.run(asked)) if run else ho.lint(asked)


TEST = pl.DataFrame({"user": ["u1", "u1", "u2"], "item": ["i1", "i2", "i1"], "rating": [5.0, 3.0, 4.0]})
TRAIN = pl.DataFrame({"user": ["u1", "u2", "u2"], "item": ["i3", "i2", "i4"], "rating": [5.0, 3.0, 4.0]})
RUN = pl.DataFrame({"user": ["u1", "u1", "u2"], "item": ["i1", "i2", "i1"], "score": [2.0, 1.0, 1.0]})


def judged(rows: list[tuple[str, str, float]], **options: Any) -> Results:
    """The run with further rows, judged."""
    more = pl.DataFrame(rows, schema=RUN.schema, orient="row")
    asked = {"relevance": "threshold(4)", "train": TRAIN, **options}
    return ho.evaluate(TEST, {"A": pl.concat([RUN, more]), "B": RUN}, ["P@3"], **asked)


def short_run(target: str, depth: int = 2) -> Results:
    """A run that ends before the second of u1's two candidates."""
    run = pl.concat([RUN.filter(pl.col("item") == "i1"), pl.DataFrame([("u1", "i9", 0.5)], schema=RUN.schema, orient="row")])
    return ho.evaluate(TEST, {"A": run, "B": RUN}, [f"P@{depth}"], relevance="threshold(4)", train=TRAIN, target=target)


def broken(train: Any, users: Any) -> Any:
    """A model that fails."""
    raise RuntimeError("out of order")


def whole(train: Any, users: Any) -> Any:
    """A model that does not."""
    return np.tile(np.arange(train.n_items, dtype=np.float32), (len(users), 1))


def read(folder: Path, bad_row: str) -> Results:
    """A study of a file in which a row may be bad."""
    rows = [f"u{u},i{i},{1 + u * i % 5}" for u in range(1, 9) for i in range(1, 11) if (u + i) % 4]
    path = folder / "ratings.csv"
    path.write_text("\n".join(["user,item,rating", *rows, bad_row]) + "\n", encoding="utf-8")
    return ho.run({**STUDY, "data": f"csv('{path}', on_bad_rows=skip)"})


def repeated(folder: Path, keep: str) -> Results:
    """A study of a log in which every user takes the first item again, after the cut of the split."""
    rows = [f"u{u},i{i},1,{i}" for u in range(9) for i in (*range(6), 10 + u % 3)]
    path = folder / "log.csv"
    path.write_text(
        "\n".join(["user,item,rating,timestamp", *rows, *(f"u{u},i0,1,12" for u in range(9))]) + "\n", encoding="utf-8"
    )
    cut = {"split": "temporal(at='1970-01-01T00:00:08')", "filters": [[f"duplicates(keep={keep})"]]}
    return ho.run({**STUDY, "data": str(path), "relevance": "threshold(1)", **cut})


def played(folder: Path, filters: list[str], metric: str = "nDCG(gain=binary)@10") -> Results:
    """A study of play counts, of which a few are very high."""
    rows = [f"u{u},i{i},{500 if (u + i) % 11 == 0 else 1 + u * i % 3}" for u in range(12) for i in range(14) if (u + i) % 4]
    path = folder / "plays.csv"
    path.write_text("\n".join(["user,item,rating", *rows]) + "\n", encoding="utf-8")
    return ho.run({**STUDY, "data": str(path), "relevance": "threshold(1)", "filters": [filters], "metrics": [metric]})


KNN = "UserKNN(k=1)"
SPARSE = "simulate(users=90, items=200, ratings=700)"
VARIED = ["Popularity", "Random", KNN]
CASES: dict[str, Case | Judged] = {
    "HO101": Judged(bad=lambda _: judged([("u1", "i3", 3.0)]), good=lambda _: judged([])),
    "HO102": Case(
        {"data": SPARSE, "recommend": ["Popularity", KNN], "coverage": "forgive", "split": "ratio(train=0.3)"},
        {"data": SPARSE, "recommend": ["Popularity", KNN], "coverage": "zero", "split": "ratio(train=0.3)"},
        run=True,
    ),
    "HO103": Case(
        {"data": SPARSE, "recommend": ["Popularity", KNN], "split": "ratio(train=0.3)"},
        {"data": SPARSE, "recommend": ["Popularity", KNN], "split": "ratio(train=0.3)", "fallback": "popularity"},
        run=True,
    ),
    "HO104": Judged(bad=lambda _: judged([("u9", "i1", 1.0)]), good=lambda _: judged([])),
    "HO105": Judged(bad=lambda _: short_run("TestItems"), good=lambda _: short_run("AllItems")),
    "HO106": Case({"relevance": None}, {}, run=True),
    "HO107": Judged(
        bad=lambda _: ho.run(STUDY, models={"Broken": broken}), good=lambda _: ho.run(STUDY, models={"Whole": whole})
    ),
    "HO108": Case({"metrics": ["P@5", "RMSE"]}, {}, run=True),
    "HO201": Case({"target": "OnePlusRandom(20)"}, {"target": "AllItems"}),
    "HO202": Case({"target": "TestRatings"}, {"target": "AllItems"}),
    "HO203": Case({}, {"target": ["AllItems", "P1R(5, percentiles=2)"]}),
    "HO204": Case({"target": ["AllItems", "OnePlusRandom(20)"]}, {"target": ["AllItems", "OnePlusRandom(1000)"]}),
    "HO205": Case({}, {"metrics": ["P@5"], "unrated": ["zero", "interval"]}, run=True),
    "HO206": Case(
        {"recommend": ["AverageRating", "UserKNN"], "data": SPARSE, "metrics": ["P@5", "Tied@5"]},
        {"recommend": ["WRMF(factors=2, iterations=2)", "EASE"], "metrics": ["P@5", "Tied@5"]},
        run=True,
    ),
    "HO207": Case({"target": "OnePlusRandom(20)"}, {"target": "OnePlusRandom(20, average=user)"}),
    "HO208": Case({"filters": [["binarise(4)"]]}, {"filters": [["binarise(4)"]], "relevance": "threshold(1)"}),
    "HO209": Case(
        {"data": "simulate(users=90, items=45, ratings=1500)", "target": ["AllItems", "P1R(5)"]},
        {"target": ["AllItems", "P1R(5, percentiles=2)"]},
        run=True,
    ),
    "HO210": Case(
        {"target": ["AllItems", "P1R(3)"]},
        {"target": ["AllItems", "P1R(5, percentiles=2)"], "data": "simulate(users=200, items=60, ratings=4000)"},
        run=True,
    ),
    "HO301": Case({"target": "OnePlusRandom(20)", "metrics": ["bpref"]}, {"metrics": ["bpref"]}),
    "HO302": Case({"filters": [["positive(4)"]], "metrics": ["bpref", "P@5"]}, {"metrics": ["bpref", "P@5"]}, run=True),
    "HO303": Case({"filters": [["positive(5)"]], "metrics": ["nDCG(gain=linear)@5"]}, {"metrics": ["nDCG@5"]}, run=True),
    "HO304": Case({"metrics": ["P@100"]}, {"metrics": ["P@5"]}, run=True),
    "HO305": Case(
        {"task": "predict_ratings", "recommend": ["AverageRating", "SVD(factors=2, epochs=2)"], "metrics": ["RMSE"]},
        {
            "task": "predict_ratings",
            "recommend": ["AverageRating", "SVD(factors=2, epochs=2)"],
            "metrics": ["RMSE"],
            "undefined": "skip",
        },
        run=True,
    ),
    "HO306": Case({"task": "all_good_items", "metrics": ["P@5"]}, {"metrics": ["P@5"]}),
    "HO308": Case({}, {"metrics": ["nDCG(gain=binary)@100", "P@10"]}),
    "HO309": Case({"metrics": ["RR@10", "P@10"]}, {}),
    "HO310": Case({"metrics": ["Recall@10"]}, {"metrics": ["Recall@100", "RecallCapped@10"]}),
    "HO311": Case({"metrics": ["nDCG@10"]}, {"metrics": ["nDCG(gain=linear)@10"]}),
    "HO312": Case(
        {"metrics": ["nDCG(gain=exp2)@10"], "filters": [["binarise(4)"]], "relevance": "threshold(1)"},
        {"metrics": ["nDCG(gain=exp2)@10"]},
    ),
    "HO313": Case({"metrics": ["P@[5, 10]"]}, {}),
    "HO314": Case({"metrics": ["P@100"]}, {"metrics": ["P@[10, 100]"]}),
    "HO315": Judged(
        bad=lambda folder: played(folder, [], "nDCG(gain=linear)@5"),
        good=lambda folder: played(folder, [], "nDCG(gain=binary)@5"),
    ),
    "HO401": Case({"data": "simulate(users=2200, items=60, ratings=22000)"}, {}, run=True),
    "HO402": Case({"data": "simulate(users=40, items=40, ratings=900)"}, {}, run=True),
    "HO403": Case(
        {"aggregate": ["mean", "median"], "compare": ["t", "sign"]}, {"aggregate": ["mean"], "compare": ["t"]}, run=True
    ),
    "HO404": Case(
        {"split": "folds(3)", "compare": {"tests": ["t"], "folds": "pooled"}},
        {"split": "folds(3)", "compare": {"tests": ["t"], "folds": "average"}},
    ),
    "HO405": Case({"recommend": ["Popularity", {"name": "Twin", "model": "Popularity"}]}, {"recommend": VARIED}, run=True),
    "HO406": Case(
        {"development": 0.5, "compare": {"tests": ["t"], "group": "all"}},
        {"development": 0.5, "compare": {"tests": ["t"]}},
    ),
    "HO407": Case(
        {"aggregate": ["mean(weight=train)"], "data": "simulate(users=90, items=200, ratings=2500, activity=2)"},
        {"aggregate": ["mean"]},
        run=True,
    ),
    "HO408": Case(
        {"recommend": ["Popularity", *(f"UserKNN(k={k})" for k in (2, 5, 10))]},
        {"recommend": ["Popularity", *(f"UserKNN(k={k})" for k in (2, 5, 10))], "development": 0.5},
    ),
    "HO409": Case({"metrics": ["Gini@10"]}, {}),
    "HO410": Case(
        {"recommend": VARIED, "compare": {"tests": ["t"], "correction": "none"}},
        {"recommend": VARIED, "compare": {"tests": ["t"], "correction": "holm"}},
    ),
    "HO411": Case({"recommend": ["UserKNN(k=5)", "UserKNN(k=6)"]}, {"recommend": ["Popularity", "Random"]}, run=True),
    "HO412": Case({"compare": {"tests": ["sign(alternative=greater)"], "baseline": "Popularity"}}, {"compare": ["sign"]}),
    "HO413": Case({"compare": ["wilcoxon"]}, {"compare": ["t", "wilcoxon"]}),
    "HO414": Case({"recommend": ["EASE", "UserKNN"]}, {}),
    "HO417": Case({"metrics": ["P@[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"]}, {}),
    "HO418": Case(
        {
            "data": "simulate(users=4000, items=60, ratings=60000)",
            "recommend": ["UserKNN(k=20)", "UserKNN(k=25)"],
            "metrics": ["P@10"],
        },
        {"recommend": ["Popularity", "Random"]},
        run=True,
    ),
    "HO501": Case({}, {"data": "simulate(users=90, items=80, ratings=5000)"}, run=True),
    "HO502": Judged(bad=lambda folder: read(folder, "u1,,3"), good=lambda folder: read(folder, "u1,i99,3")),
    "HO503": Case({"data": "simulate(users=40, items=40, ratings=900)"}, {}, run=True),
    "HO504": Case({"split": "ratio(train=0.3)"}, {}, run=True),
    "HO505": Case({"split": "test_users(10, then=temporal(at=0.2))"}, {}, run=True),
    "HO506": Case(
        {"development": 10}, {"data": "simulate(users=200, items=40, ratings=2000)", "development": 0.5}, run=True
    ),
    "HO507": Case({"filters": [["core(10)"]]}, {"filters": [["core(10)"], []]}, severity="advice"),
    "HO508": Case({}, {"split": "temporal(share=0.2)"}),
    "HO509": Case({}, {"split": "folds(3)"}),
    "HO510": Case({"data": SPARSE, "split": "ratio(train=0.3)"}, {}, run=True),
    "HO511": Case({}, {"data": ["simulate(users=90)", "simulate(users=100)"]}),
    "HO512": Judged(bad=lambda folder: repeated(folder, "latest"), good=lambda folder: repeated(folder, "max")),
    "HO513": Judged(bad=lambda folder: played(folder, []), good=lambda folder: played(folder, ["binarise(1)"])),
    "HO514": Case(
        {"split": "uniform_test(share=0.1, keep=0.5, folds=3)"}, {"split": "uniform_test(share=0.1, keep=0.7, folds=3)"}
    ),
    "HO602": Case(
        {"data": SPARSE, "metrics": ["Recall@5"]},
        {"data": SPARSE, "metrics": ["Recall@5"], "users": [["with_train", "with_relevant"]]},
        run=True,
    ),
    "HO603": Case({"recommend": ["Popularity", KNN], "data": SPARSE}, {}, run=True),
    "HO604": Case(
        {"recommend": ["Popularity", KNN], "data": SPARSE},
        {"recommend": ["Popularity", KNN], "data": SPARSE, "fallback": "popularity"},
        run=True,
    ),
}
