"""The analyses whose numbers are golden: small data, every kind of result, every metric, split and recommender.

Each case is a function that takes an empty folder and returns a record (see `numbers.py`). It uses public functions
and results only, so that it survives changes behind them.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
from tests.golden.numbers import COMPUTED, Record, Section, content_digest, file_digest, numbers, table

import heldout as ho
from heldout.catalogue import classes, parameters

CASES: dict[str, Callable[[Path], Record]] = {}

SENTENCES = ("reason", "sentence", "why", "statement")
"""Columns of text for people."""
VARYING = ("manifest", "costs", "seconds", "cpu_seconds", "fit_seconds", "score_seconds")
"""Times and facts about the machine."""

FINDING = re.compile(r"(?:\*\*|\| )(HO[0-9]{3})(?!\*\*:)")
"""A notice or finding in a report as Markdown. Explanations of codes and open questions begin with "**CODE**:"."""

RATINGS = "simulate(users=50, items=60, ratings=1200, seed=3)"


def case(function: Callable[[Path], Record]) -> Callable[[Path], Record]:
    """Register a case under its function's name."""
    CASES[function.__name__] = function
    return function


def record_of(name: str, folder: Path) -> Record:
    """The record of a case, run inside an empty folder so that files have the same names everywhere."""
    with contextlib.chdir(folder):
        record = CASES[name](folder)
    return json.loads(json.dumps(record))  # type: ignore[no-any-return]


def _files(folder: Path, pattern: str, digest: Callable[[Path], str] = file_digest) -> Section:
    paths = sorted(folder.glob(pattern))
    if not paths:
        raise FileNotFoundError(f"no {pattern} in {folder}")
    return {path.relative_to(folder).as_posix(): digest(path) for path in paths}


def _codes(results: ho.Results) -> Section:
    """Codes of the notices of results, and of what lint finds in their protocol.

    Lint accepts results of studies only. Reports of the other kinds show notices and findings together.
    """
    codes: Section = {"notices": sorted(notice.split(" ", 1)[0] for notice in results.notices)}
    if results.manifest.get("kind") is None:
        return codes | {"lint": [finding.code for finding in ho.lint(results).findings]}
    return codes | {"report": sorted(set(FINDING.findall(results.to_markdown())))}


def _study_record(results: ho.Results, folder: Path | None = None) -> Record:
    facts = results.findings
    record: Record = {
        "leaderboard": table(results.tables["all-leaderboards"].frame, without=SENTENCES),
        "comparisons": table(results.tables["all-comparisons"].frame, without=SENTENCES),
        "per_user": table(results.per_user()),
        "codes": _codes(results),
        "verdict": numbers(facts.verdict),
        "layouts": numbers(facts.layouts),
        "data": numbers(facts.data),
        "splits": numbers(facts.splits),
        "diagnostics": numbers(facts.diagnostics),
        "curves": numbers(facts.curves),
        "pictures": numbers(facts.pictures),
    }
    if folder is not None:
        record[COMPUTED] = _files(folder, "scores/*.parquet")
    return record


def _run(study: dict[str, Any], folder: Path) -> Record:
    return _study_record(ho.run({"seed": 11, "title": "golden", **study}, out=folder / "results"), folder / "results")


@case
def demo(folder: Path) -> Record:
    """The demo, as `heldout demo` runs it; its 2,000 users are too many to record one by one."""
    record = _study_record(ho.demo(folder / "demo"), folder / "demo")
    del record["per_user"]
    record["contents"] = _files(folder / "demo", "data/*.parquet", content_digest)
    record[COMPUTED] |= _files(folder / "demo", "data/*.parquet")
    return record


@case
def explicit(folder: Path) -> Record:
    """Explicit ratings: three relevance rules, ties, unrated targets, several aggregations, all pairwise tests."""
    return _run(
        {
            "data": RATINGS,
            "split": "ratio(train=0.7, by=user)",
            "recommend": ["Popularity", "UserKNN(k=20)", "EASE(l2=50)"],
            "relevance": ["threshold(4)", "user_mean"],
            "target": ["AllItems", "TestRatings"],
            "unrated": ["zero", "condense"],
            "metrics": ["nDCG(gain=exp2)@10", "P@5", "bpref"],
            "aggregate": ["mean", "gmean", "mean(weight=test)"],
            "compare": {"tests": ["permutation(samples=4096)", "t", "wilcoxon", "sign", "bootstrap", "friedman", "tukey"]},
        },
        folder,
    )


@case
def implicit(folder: Path) -> Record:
    """Play counts with repeated pairs, judged as purchases, with a cut in time for all users."""
    ho.simulate(RATINGS, out=folder / "ratings.parquet")
    ratings = pl.read_parquet(folder / "ratings.parquet")
    plays = ratings.select("user_id", "item_id", (pl.col("rating") * 7 % 11 + 1).cast(pl.Int64).alias("plays"), "timestamp")
    again = plays.head(300).with_columns(pl.col("timestamp") + 60)
    pl.concat([plays, again]).write_csv(folder / "plays.csv")
    return _run(
        {
            "data": {"path": "plays.csv", "value": "plays"},
            "filters": [["duplicates(keep=sum)", "core(3)"], ["duplicates(keep=max)", "playcounts_to_ratings"]],
            "split": "temporal(at=0.8)",
            "recommend": ["Popularity", "WRMF(factors=8, iterations=5)", "ItemKNN(k=20)"],
            "relevance": "threshold(1)",
            "metrics": ["nDCG(gain=binary)@10", "Recall@10", "HitRate@10", "AUC"],
            "undefined": ["zero", "skip"],
            "compare": ["t", "bayes"],
        },
        folder,
    )


@case
def temporal(folder: Path) -> Record:
    """Each user's newest ratings, replayed moments and times drawn per user."""
    return _run(
        {
            "data": RATINGS,
            "split": ["temporal(by=user, last=3)", "replay(times=2)", "random_time(by=user)"],
            "users": [["with_train", "with_relevant"]],
            "recommend": ["Popularity", "Random", "RM2"],
            "relevance": "threshold(4)",
            "target": ["TrainingItems", "TestItems"],
            "metrics": ["nDCG(gain=binary)@10", "P@10"],
            "compare": ["permutation(samples=1024)"],
        },
        folder,
    )


@case
def folds_and_single_items(folder: Path) -> Record:
    """Folds, with one relevant item a list (1R), within popularity classes (P1R), and the uniform test."""
    return _run(
        {
            "data": RATINGS,
            "split": ["folds(3)", "uniform_test(share=0.2, keep=0.2)"],
            "recommend": ["Popularity", "UserKNN(k=20)", "AverageRating"],
            "relevance": "threshold(4)",
            "target": [
                "AllItems",
                "targets(relevant=one, nonrelevant=20)",
                "targets(relevant=one, nonrelevant=20, average=rating)",
                "P1R(nonrelevant=10, percentiles=3)",
                "targets(head=0.1)",
            ],
            "metrics": ["P@5", "nDCG(gain=binary)@5", "RR"],
            "compare": ["t"],
        },
        folder,
    )


@case
def fallbacks_and_coverage(folder: Path) -> Record:
    """Systems that cannot score everything, under four fallbacks and three rules of coverage."""
    return _run(
        {
            "data": RATINGS,
            "split": "ratio(train=0.5)",
            "recommend": ["UserKNN(k=2)", "UserKNN(k=2, min_overlap=4)", "Popularity"],
            "fallback": ["none", "random", "popularity", "average_rating"],
            "relevance": "threshold(4)",
            "metrics": ["P@10", "nDCG(gain=binary)@10", "Coverage@10"],
            "coverage": ["zero", "forgive", "intersection"],
            "compare": ["t"],
        },
        folder,
    )


@case
def several_filters(folder: Path) -> Record:
    """Chains of filters, against a baseline."""
    return _run(
        {
            "data": RATINGS,
            "filters": [
                [],
                ["core(5)", "positive(3)"],
                ["drop_head(0.1)"],
                ["sample(ratings=0.5)"],
                ["min_ratings(user=5, item=5)"],
            ],
            "split": "leave_out(2)",
            "recommend": ["Popularity", "PureSVD(factors=8)", "BPRMF(factors=8, epochs=5)"],
            "relevance": "threshold(3)",
            "metrics": ["nDCG(gain=binary)@10", "HitRate@10"],
            "compare": {"tests": ["t", "wilcoxon"], "correction": "benjamini_hochberg", "baseline": "Popularity"},
        },
        folder,
    )


def _lists(folder: Path) -> tuple[Path, Path, dict[str, Path]]:
    """Training ratings, test ratings and runs of two recommenders, as files."""
    ho.simulate(RATINGS, out=folder / "ratings.parquet")
    ratings = pl.read_parquet(folder / "ratings.parquet").with_row_index()
    columns = ("user_id", "item_id", "rating")
    train, test = folder / "train.csv", folder / "test.csv"
    ratings.filter(pl.col("index") % 4 != 0).select(columns).write_csv(train)
    ratings.filter(pl.col("index") % 4 == 0).select(columns).write_csv(test)
    runs = {"Popularity": folder / "popularity.csv", "UserKNN": folder / "knn.run"}
    ho.recommend("Popularity", train, n=40, out=runs["Popularity"])
    ho.recommend("UserKNN(k=10)", train, n=40, out=runs["UserKNN"])
    return train, test, runs


@case
def evaluate_files(folder: Path) -> Record:
    """Runs in two formats against test ratings in a file, in memory and in pieces."""
    train, test, runs = _lists(folder)
    metrics = ["nDCG(gain=binary)@10", "P(rel=4)@[5, 10]", "AP@20", "Recall@20"]
    options: dict[str, Any] = {
        "train": train,
        "relevance": "threshold(4)",
        "compare": ["permutation(samples=2048)", "t"],
        "seed": 5,
    }
    results = ho.evaluate(test, runs, metrics, out=folder / "results", **options)
    parts = {name: folder / f"{name}.parquet" for name in ("test", *runs)}
    for name, path in {"test": test, "Popularity": runs["Popularity"]}.items():
        pl.read_csv(path).write_parquet(parts[name])
    ho.recommend("UserKNN(k=10)", train, n=40, out=parts["UserKNN"])
    streamed = ho.evaluate(
        parts["test"], {name: parts[name] for name in runs}, metrics, stream=True, **options | {"train": None}
    )
    return {
        "leaderboard": table(results.tables["all-leaderboards"].frame, without=SENTENCES),
        "comparisons": table(results.tables["all-comparisons"].frame, without=SENTENCES),
        "per_user": table(results.per_user()),
        "streamed_leaderboard": table(streamed.tables["all-leaderboards"].frame, without=SENTENCES),
        "streamed_comparisons": table(streamed.tables["all-comparisons"].frame, without=SENTENCES),
        "power": table(ho.power(results, 0.05)),
        "codes": _codes(results),
        "digests": {path.name: file_digest(path) for path in (train, test)},
        COMPUTED: {path.name: file_digest(path) for path in runs.values()},
    }


def _metric_texts() -> list[str]:
    """Every metric of the catalogue: without a cut-off if it allows that, and at 10 if it takes one."""
    texts: list[str] = []
    for cls in classes("metric"):
        if not cls.__module__.startswith("heldout."):
            continue
        cut = next((field for field in parameters(cls) if field.metadata["cutoff"]), None)
        texts += [] if cut is not None and cut.default is not None else [cls.key]
        texts += [] if cut is None else [f"{cls.key}@10"]
    return texts


VARIANTS = [
    *("nDCG(gain=binary)@10", "nDCG(gain=exp2)@10", "nDCG(gain=chapelle)", "nDCG(gain=chapelle_scaled)@5"),
    *("nDCG(discount=rbp(0.7))", "nDCG(discount=zipf)@5", "DCG(snips, gain=binary)@5", "P(rel=3)@5", "AP(rel=5)"),
    *("infAP(pool=judged)", "infAP(pool_depth=20)", "bpref(count=all)", "Recall(snips)@5", "AUC(snips)", "RBP(0.95)@20"),
    *(
        "Q(beta=10, gain=exp2)@5",
        "F(beta=2)@5",
        "RBO(0.5)@3",
        "HLU(half_life=3, utility=hit)",
        "GPR(value=f)",
        "CPR(value=f)",
    ),
    *("StratifiedRecall(gamma=0)@5", "Novelty(share=ratings)@5", "Serendipity(against=profile)@5"),
]


@case
def every_metric(folder: Path) -> Record:
    """Each metric of the catalogue, per user and as a mean, of a ranking system and of one that predicts ratings."""
    ho.simulate(RATINGS, out=folder / "ratings.parquet")
    items = pl.read_parquet(folder / "ratings.parquet").select("item_id").unique().sort("item_id")
    genres = pl.Series("genre", [f"g{k % 4}" for k in range(len(items))])
    items.with_columns(genres).write_csv(folder / "items.csv")
    return _run(
        {
            "data": "ratings.parquet",
            "split": "ratio(train=0.7, by=user)",
            "recommend": ["UserKNN(k=10)", "PearsonUserKNN(k=10)"],
            "relevance": "threshold(4)",
            "metrics": [*_metric_texts(), *VARIANTS, "ILD(features=genre, table='items.csv')@5"],
            "compare": ["t"],
        },
        folder,
    )


@case
def every_split(folder: Path) -> Record:
    """The parts of each split of the catalogue, with its audit."""
    record: Record = {"contents": {}, COMPUTED: {}, "audits": {}}
    for text in (
        *("ratio(train=0.8)", "ratio(train=0.8, by=user)", "folds(3)", "folds(3, by=user)", "leave_out(2)", "keep(5)"),
        *("per_item(2)", "uniform_test(share=0.2, keep=0.2)", "temporal(at=0.8)", "temporal(by=user, last=2)"),
        *(
            "random_time(by=user)",
            "test_users(20, then=leave_out(2))",
            "test_users(20, then=hide(random))",
            "replay(times=2)",
        ),
    ):
        parts = ho.split(RATINGS, text, seed=7)
        parts.save(folder / "split")
        for section, digest in {"contents": content_digest, COMPUTED: file_digest}.items():
            digests = _files(folder / "split", "**/*.parquet", digest)
            record[section] |= {f"{text} {path}": found for path, found in digests.items()}
        record["audits"] |= {f"{text}.{key}": value for key, value in numbers(parts.audits()).items()}
        shutil.rmtree(folder / "split")
    return record


@case
def every_recommender(folder: Path) -> Record:
    """The best items of three users with their scores, and the digest of all lists, by each recommender."""
    ho.simulate(RATINGS, out=folder / "ratings.parquet")
    ratings = pl.read_parquet(folder / "ratings.parquet")
    users = ratings["user_id"].unique().sort().head(3)
    record: Record = {COMPUTED: {}}
    for cls in classes("recommender"):
        if cls.key in ("External", "ExpectedUtility") or not cls.__module__.startswith("heldout."):
            continue
        lists = ho.recommend(cls.key, ratings, n=20, seed=2, out=folder / "lists.csv")
        record[cls.key] = table(lists.filter(pl.col("user_id").is_in(users.implode())))
        record[COMPUTED][cls.key] = file_digest(folder / "lists.csv")
    return record


@case
def tune(folder: Path) -> Record:
    """A search for parameters."""
    study = {"data": RATINGS, "split": "ratio(train=0.8)", "relevance": "threshold(4)", "seed": 4}
    tuned = ho.tune("UserKNN", study, metric="nDCG(gain=binary)@10", trials=4, ranges={"k": [5, 10, 20, 40]})
    trials = [{"parameters": trial.parameters, "value": trial.value} for trial in tuned.trials]
    return {"best": numbers({"parameters": tuned.parameters, "value": tuned.value}), "trials": numbers(trials)}


GRID: dict[str, Any] = {
    "seed": 6,
    "title": "golden",
    "data": RATINGS,
    "split": ["ratio(train=0.5)", "ratio(train=0.8)"],
    "recommend": ["UserKNN(k=20)", "Popularity", "EASE(l2=50)"],
    "relevance": "threshold(4)",
}


@case
def multiverse(folder: Path) -> Record:
    """A grid over splits, targets, metrics, aggregations, tests, seeds, cut-offs and gains."""
    grid = {
        **GRID,
        "fallback": ["none", "popularity"],
        "target": ["AllItems", "TestRatings"],
        "metrics": ["P", "nDCG"],
        "aggregate": ["mean", "gmean"],
        "compare": ["t", "sign"],
        "multiverse": {"seeds": [1, 2], "cutoffs": [5, 10], "gains": ["binary", "exp2"]},
    }
    results = ho.multiverse(grid, out=folder / "grid")
    return {
        "universes": table(results.tables["universes"].frame, without=SENTENCES),
        "findings": numbers(results.findings, skip=VARYING),
        "codes": _codes(results),
    }


@case
def meta(folder: Path) -> Record:
    """The quality of metrics: agreement, robustness, discriminative power, swaps and reliability."""
    study = {
        **GRID,
        "recommend": [*GRID["recommend"], "WRMF(factors=8, iterations=3)", "Random"],
        "split": "ratio(train=0.7)",
    }
    trial: Any = {"samples": 5, "flips": 512, "shares": [1.0, 0.5, 0.2], "item_shares": [1.0, 0.9]}
    results = ho.meta(study, trial, metrics=["P", "nDCG", "RR"], depths=[5, 10], out=folder / "meta")
    frames = {
        name: getattr(results.findings, name) for name in ("table", "sweeps", "agreement", "power", "swaps", "reliability")
    }
    return {**{name: table(frame, without=SENTENCES) for name, frame in frames.items()}, "codes": _codes(results)}


@case
def bias(folder: Path) -> Record:
    """Plain and popularity-neutral protocols, expectations and sweeps."""
    study = {**GRID, "split": "ratio(train=0.7)", "metrics": ["P@5"]}
    results = ho.bias(
        study,
        sampled=10,
        classes=3,
        sweeps={
            "removed": [0.0, 0.3],
            "lists": [5, 10],
            "classes": [2],
            "head": [0.1],
            "uniform": [0.2],
            "skew": [0.0, 1.0],
        },
    )
    frames = {name: getattr(results.findings, name) for name in ("table", "changes", "pairs", "expected", "sweeps")}
    return {**{name: table(frame, without=SENTENCES) for name, frame in frames.items()}, "codes": _codes(results)}


@case
def truth(folder: Path) -> Record:
    """Estimates against the complete truth of simulated ratings."""
    study = {**GRID, "split": "ratio(train=0.7)"}
    results = ho.truth(study, metrics=["P@5", "nDCG(gain=binary)@5"], draws=4, samples=256)
    frames = {
        name: results.tables[f"all-{of}"].frame for name, of in (("table", "rows"), ("pairs", "pairs"), ("values", "values"))
    }
    return {**{name: table(frame, without=SENTENCES) for name, frame in frames.items()}, "codes": _codes(results)}


EXPERIMENTS = {
    "gunawardana-2009": ("table-3", "fig-2-retail"),
    "bellogin-2011": ("table-1", "fig-2"),
    "bellogin-2017": ("fig-2", "fig-5", "fig-8"),
    "valcarce-2018": ("table-3",),
    "canamares-2020": ("table-2", "fig-7"),
}


@case
def reproduce(folder: Path) -> Record:
    """A table of each paper on simulated data."""
    record: Record = {}
    for paper, experiments in EXPERIMENTS.items():
        results = ho.reproduce(paper, experiments, data="simulated")
        record[paper] = table(results.findings.table, without=("experiment_title", *SENTENCES))
        record[f"{paper} claims"] = table(
            results.findings.claim_table, without=("words", "section", "rule", "figures", "causes")
        )
        record[f"{paper} codes"] = _codes(results)
    return record
