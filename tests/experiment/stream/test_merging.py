"""Answers of ranges put together: the profile of the test set is that of all rows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.experiment.stream.sharded import evaluated, write
from tests.heavy import ALL, heavy, sampled
from tests.refusals import refused

import heldout as ho
from heldout.analysis.choices import protocol_choices
from heldout.data.profile import profile
from heldout.errors import InputError, NotApplicableError, ResultsError, SpecError
from heldout.experiment.stream.evaluate import StreamOptions, stream_runs


def test_the_profile_is_that_of_all_rows(tmp_path: Path) -> None:
    data = evaluated()
    test = write(data.test, tmp_path / "test", 2)
    runs = {"A": write(data.runs["A"], tmp_path / "A", 2)}
    options = StreamOptions(rows_at_once=2000)
    _, _, outcome = stream_runs(test, runs, ["P@5"], options=options, relevance="threshold(4)", compare="none")
    merged = outcome.data.value[0].steps[0].profile
    whole = profile(ho.read(data.test)).to_dict()
    assert merged == whole
    assert outcome.manifest["streamed"]["ranges"] == 4


def test_metrics_of_all_training_ratings_are_refused_by_name(tmp_path: Path) -> None:
    data = evaluated()
    patterns = {name: write(frame, tmp_path / name, 1) for name, frame in (("test", data.test), ("train", data.train))}
    runs = {"A": write(data.runs["A"], tmp_path / "A", 1)}
    for metric in ("ILD@5", "Serendipity(against=profile)@5"):
        with pytest.raises(NotApplicableError, match=f"{re.escape(metric)} needs all training ratings at once"):
            ho.evaluate(patterns["test"], runs, ["P@5", metric], train=patterns["train"], relevance="threshold(4)")
    with refused(NotApplicableError, where="metrics", hint="use a threshold, or evaluate without streaming"):
        ho.evaluate(patterns["test"], runs, ["StratifiedRecall@5"], train=patterns["train"], relevance="user_mean")


MERGED: dict[str, Any] = {
    "relevance": "threshold(4)",
    "aggregate": ["mean", "gmean", "mean(weight=test)", "pooled"],
    "coverage": ["zero", "forgive", "intersection"] if ALL else ["zero", "intersection"],
    "undefined": ["zero", "skip"] if ALL else ["skip"],
    "compare": {"tests": ["t", "permutation(samples=10000)", "bootstrap(samples=300)"]},
}
RANDOM = {"permutation(samples=10000)": 0.025, "bootstrap(samples=300)": 0.15}
"""Tests that draw at random, and how far p by groups and by users may lie apart: 5 standard errors of a p of one half."""


def _merged(folder: Path, monkeypatch: pytest.MonkeyPatch, *, files: int, rows_at_once: int) -> dict[str, Any]:
    monkeypatch.setattr("heldout.experiment.stream.merging.GROUPS_NEEDED", 0)
    data = evaluated()
    test = write(data.test, folder / "test", files, seed=files)
    runs = {name: write(run, folder / name, files, seed=files) for name, run in data.runs.items()}
    metrics = ["nDCG@10", "RR", "Recall@5", "Gini@5"]
    options = StreamOptions(rows_at_once=rows_at_once)
    protocol, analysis, outcome = stream_runs(test, runs, metrics, options=options, seed=1, title="t", **MERGED)
    assert outcome.parts == ()
    facts = outcome.findings(analysis, protocol_choices(protocol)).to_dict()
    facts.pop("manifest")
    return facts


@sampled
def test_sums_of_pieces_give_the_numbers_of_all_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    merged = _merged(tmp_path / "a", monkeypatch, files=1, rows_at_once=5000)
    # The same bytes for other files in another order and smaller pieces.
    assert _merged(tmp_path / "b", monkeypatch, files=3, rows_at_once=800) == merged
    data = evaluated()
    whole = ho.evaluate(
        data.test, data.runs, ["nDCG@10", "RR", "Recall@5", "Gini@5"], title="t", **MERGED
    ).findings.to_dict()
    whole.pop("manifest")
    assert merged["settings"] == whole["settings"]
    for name in ("leaderboard", "comparisons"):
        for ours, theirs in zip(merged[name], whole[name], strict=True):
            loose = RANDOM.get(theirs.get("test", ""), 0.0)
            for key, value in theirs.items():
                if isinstance(value, float):
                    far = loose if key in ("p", "p_adjusted") and loose else 1e-12
                    assert ours[key] == pytest.approx(value, rel=1e-12, abs=far), (name, key, theirs)
                elif key != "group" and not (loose and key == "reason"):
                    assert ours[key] == value, (name, key, theirs)
    assert [n["code"] for n in merged["notices"]] == [n["code"] for n in whole["notices"]]
    assert merged["data"] == whole["data"]


@heavy
def test_two_systems_of_more_users_than_groups_are_compared_as_in_memory(tmp_path: Path) -> None:
    """80,000 users, of whom one run leaves out every fifth; both ways flip and draw groups of users.

    That is so of the 64,000 users too whom forgiving coverage compares: fewer than there are groups.
    """
    draw, users = np.random.default_rng(3), 80_000

    def rows(n: int, name: str, values: np.ndarray) -> pl.DataFrame:
        item = (draw.integers(0, 200, (users, 1)) + draw.integers(1, 20, (users, n)).cumsum(axis=1)) % 400
        columns = {"user": np.repeat(np.arange(users), n), "item": item.ravel(), name: values}
        return pl.DataFrame(columns).unique(["user", "item"], maintain_order=True)

    test = rows(4, "rating", draw.integers(1, 6, users * 4))
    runs = {name: rows(6, "score", draw.random(users * 6)) for name in "AB"}
    runs["B"] = runs["B"].filter(pl.col("user") % 5 > 0)
    tests = ["t", "sign", "permutation(samples=2000)", "bootstrap(samples=200)"]
    keys: dict[str, Any] = {"relevance": "threshold(4)", "aggregate": ["mean", "pooled"], "coverage": ["zero", "forgive"]}
    keys |= {"compare": {"tests": tests}, "title": "t"}
    metrics = ["nDCG@5", "Recall@5"]
    whole = ho.evaluate(test, runs, metrics, **keys).findings.to_dict()
    files = write(test, tmp_path / "test", 2), {name: write(run, tmp_path / name, 2) for name, run in runs.items()}
    protocol, analysis, outcome = stream_runs(*files, metrics, options=StreamOptions(rows_at_once=300_000), **keys)
    assert outcome.merged is not None
    merged = outcome.findings(analysis, protocol_choices(protocol)).to_dict()
    for name in ("leaderboard", "comparisons"):
        for ours, theirs in zip(merged[name], whole[name], strict=True):
            for key, value in theirs.items():
                close = pytest.approx(value, rel=1e-12, abs=1e-12) if isinstance(value, float) else value
                assert key == "group" or ours[key] == close, (name, key, theirs)


def test_pooled_ratios_of_own_denominators_take_the_values_of_all_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PReturned divides by the length of the list: sums say nothing of whom one system is better for."""
    monkeypatch.setattr("heldout.experiment.stream.merging.GROUPS_NEEDED", 0)
    monkeypatch.setattr("heldout.experiment.stream.shard_range.USERS_KEPT", 0)
    data = evaluated()
    test, runs = write(data.test, tmp_path / "test", 1), {n: write(r, tmp_path / n, 1) for n, r in data.runs.items()}
    keys: dict[str, Any] = {"relevance": "threshold(4)", "aggregate": "pooled", "compare": {"tests": ["t"]}}
    options = StreamOptions(rows_at_once=3000)
    protocol, analysis, outcome = stream_runs(test, runs, ["PReturned@20"], options=options, title="t", **keys)
    facts = outcome.findings(analysis, protocol_choices(protocol)).to_dict()
    whole = ho.evaluate(data.test, data.runs, ["PReturned@20"], title="t", **keys).findings.to_dict()
    assert outcome.merged is None
    assert facts["leaderboard"] == whole["leaderboard"] and facts["comparisons"] == whole["comparisons"]


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_values_per_user_are_written_where_only_sums_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setattr("heldout.experiment.stream.merging.GROUPS_NEEDED", 0)
    monkeypatch.setattr("heldout.experiment.stream.shard_range.USERS_KEPT", 0)
    data, metrics = evaluated(), ["P@5", "Gini@5", "RR"]
    test, runs = write(data.test, tmp_path / "test", 1), {n: write(r, tmp_path / n, 1) for n, r in data.runs.items()}
    options = StreamOptions(rows_at_once=3000, per_user=tmp_path / f"values.{ending}")
    _, _, outcome = stream_runs(test, runs, metrics, options=options, relevance="threshold(4)", compare="none")
    with pytest.raises(ResultsError, match=r"too many to keep.*--per-user"):
        outcome.per_user()
    written = (pl.read_csv if ending == "csv" else pl.read_parquet)(tmp_path / f"values.{ending}")
    monkeypatch.undo()
    whole = tmp_path / "whole.parquet"
    ho.evaluate(data.test, data.runs, metrics, relevance="threshold(4)", per_user=whole, compare="none")
    assert written.sort("system", "user_id").equals(pl.read_parquet(whole).sort("system", "user_id"))


def test_a_file_of_another_kind_is_refused_before_the_work(tmp_path: Path) -> None:
    with refused(SpecError, where="values.xlsx", hint="use .parquet or .csv"):
        ho.evaluate("nowhere/*.parquet", {"A": "nowhere/*.parquet"}, per_user=tmp_path / "values.xlsx")


def test_rules_that_leave_users_without_a_relevant_item_are_refused(tmp_path: Path) -> None:
    data = evaluated()
    test, run = write(data.test, tmp_path / "test", 1), write(data.runs["A"], tmp_path / "A", 1)
    with refused(InputError, where="relevance", found=5.0, expected="threshold(tau=6)", hint="threshold(5)"):
        ho.evaluate(test, {"A": run}, ["P@5"], relevance="threshold(6)")
    # On this scale threshold(4) is taken, and two users of three have no such rating.
    low = data.test.with_columns(rating=pl.when(pl.col("user") % 3 == 0).then(5).otherwise(2))
    poor = write(low, tmp_path / "low", 2)
    words = "leaves 200 of 300 users with test ratings without a relevant one"
    with pytest.raises(InputError, match=words):
        ho.evaluate(low, {"A": data.runs["A"]}, ["P@5"])
    with pytest.raises(InputError, match=words):
        ho.evaluate(poor, {"A": run}, ["P@5"])
