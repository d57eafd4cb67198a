"""A study that writes no relevance rule: what is guessed, that it is said everywhere, and when it is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.heavy import heavy
from tests.refusals import refused
from typer.testing import CliRunner

import heldout as ho
from heldout.cli.app import whole_app
from heldout.universes.grid.file import default_keys

COUNTS = [1] * 9 + [60]


def ratings(values: list[float], users: int = 30, items: int = 20) -> pl.DataFrame:
    """Half of all pairs, each with a value drawn from these."""
    draw = np.random.default_rng(3)
    user, item = np.nonzero(draw.random((users, items)) < 0.5)
    return pl.DataFrame({"user": user, "item": item, "rating": draw.choice(np.array(values, np.float64), len(user))})


def keys(data: Any, **more: Any) -> dict[str, Any]:
    asked = {"data": data, "split": "ratio(train=0.6, by=user)", "recommend": ["Popularity", "Random"], "metrics": "P@3"}
    return {**asked, **more}


def said(results: ho.Results) -> str:
    """The one HO106 of a report."""
    return next(n.message for n in results.findings.notices if n.code == "HO106")


@pytest.mark.parametrize(
    ("values", "rule"), [([1, 2, 3, 4, 5], "threshold(tau=4)"), (COUNTS, "threshold(tau=1)"), ([1], "threshold(tau=1)")]
)
def test_run_evaluate_tune_and_multiverse_take_the_same_rule(values: list[float], rule: str) -> None:
    data = ratings(values)
    results = ho.run(keys(data))
    assert results.tables["all-leaderboards"].frame["relevance"].unique().to_list() == [rule]
    assert f"{rule} was taken" in said(results)
    assert results.findings.manifest["study"]["relevance"] == [rule]
    written = ho.run(keys(data, relevance=rule))
    assert written.tables["all-leaderboards"].frame.equals(results.tables["all-leaderboards"].frame)
    assert "HO106" not in [n.code for n in written.findings.notices]
    run = data.select("user", "item", score=pl.lit(1.0) * pl.col("item"))
    judged = ho.evaluate(data, {"A": run}, "P@3")
    assert judged.tables["all-leaderboards"].frame["relevance"].unique().to_list() == [rule]
    assert f"{rule} was taken" in said(judged)
    assert default_keys(data, ["Popularity", "Random"])["relevance"][0] == rule
    grid = ho.multiverse(keys(data))
    assert grid.tables["universes"].frame["relevance"].unique().to_list() == [rule]


def test_tune_takes_and_keeps_the_rule() -> None:
    pytest.importorskip("optuna", reason="the extra tune is not installed")
    found = ho.tune("UserKNN", keys(ratings(COUNTS)), trials=1, ranges={"k": "2..9"})
    assert found.protocol["relevance"] == "threshold(tau=1)"


def test_filters_come_before_the_guess() -> None:
    found = ho.run(keys(ratings([1, 2, 3, 4, 5]), filters=[["binarise(3)"]]))
    assert found.tables["all-leaderboards"].frame["relevance"].unique().to_list() == ["threshold(tau=1)"]


def test_a_guess_that_leaves_most_users_without_a_relevant_item_is_refused() -> None:
    """Quantities of 1 to 9 look like a scale of nine, of which 6 is the upper part; few users bought six of anything."""
    data = ratings([1] * 60 + [2] * 10 + list(range(3, 10)), items=8)
    with pytest.raises(ho.InputError) as caught:
        ho.run(keys(data))
    told = str(caught.value)
    assert "relevance: no rule is written; threshold(tau=6), since ratings run from 1 to 9, leaves" in told
    assert 'relevance = "threshold(1)" (0)' in told
    assert ho.run(keys(data, relevance="threshold(1)")).tables["all-leaderboards"].frame["users_undefined"].to_list() == [
        0,
        0,
    ]
    ho.run(keys(data, relevance="threshold(6)"))  # what is written is done
    ho.run(keys(data, metrics="nDCG(gain=linear)@3"))  # no number depends on the rule
    run = data.select("user", "item", score=pl.lit(1.0) * pl.col("item"))
    with refused(ho.InputError, where="relevance", hint="write the rule that is meant"):
        ho.evaluate(data.filter(pl.col("item") < 3), {"A": run}, "P@3", train=data.filter(pl.col("item") >= 3))


def test_data_that_call_for_different_rules_are_refused_with_both() -> None:
    stars, all_relevant = "threshold(tau=4) (ratings run from 1 to 5)", "threshold(tau=1) "
    for study, names in (
        (keys([ratings([1, 2, 3, 4, 5]), ratings(COUNTS)]), ("frame 1", "frame 2")),
        (keys(ratings([1, 2, 3, 4, 5]), filters=[[], ["binarise(4)"]]), ("frame", "frame after binarise(threshold=4)")),
    ):
        with refused(ho.SpecError, where="relevance", hint="write one that fits them all") as refusal:
            ho.run(study)
        first, second = refusal.value.found
        assert first == f"{names[0]}: {stars}" and second.startswith(f"{names[1]}: {all_relevant}")


def test_users_without_a_relevant_item_are_counted_in_the_notice_and_after_comparing_again(tmp_path: Path) -> None:
    results = ho.run(keys(ratings([1, 2, 3, 4, 5], items=12)), out=tmp_path / "out")
    undefined = (
        ho.run(keys(ratings([1, 2, 3, 4, 5], items=12), metrics="Recall@3"))
        .tables["all-leaderboards"]
        .frame["users_undefined"][0]
    )
    assert undefined > 0
    tested = results.tables["all-leaderboards"].frame["users_averaged"][0]
    assert f"{undefined} of {tested} users with test ratings have no relevant one" in said(results)
    assert said(ho.compare(tmp_path / "out", "sign")) == said(results)
    assert "HO106" in ho.lint(tmp_path / "out").codes
    shown = CliRunner().invoke(whole_app(), ["report", str(tmp_path / "out")]).output
    assert "HO106" in shown


@pytest.mark.parametrize(
    ("name", "more", "rule"),
    [
        pytest.param(
            "ta-feng",
            {"filters": [["duplicates(keep=sum)", "core(5)", "sample(users=0.1)"]]},
            "threshold(tau=1)",
            marks=heavy,
        ),
        ("lastfm-hetrec-2k", {}, "threshold(tau=1)"),
        pytest.param("book-crossing", {"filters": [["core(5)"]]}, "threshold(tau=7)", marks=heavy),
        ("jester/jester-data-1.csv.xz", {"filters": [["sample(users=0.05)"]]}, "threshold(tau=2)"),
        ("gowalla/gowalla.train.inter.xz", {"filters": [["sample(users=0.05)"]]}, "threshold(tau=1)"),
        ("ml-100k", {}, "threshold(tau=4)"),
        ("cm100k", {}, "threshold(tau=3)"),
    ],
)
def test_published_data_sets(real_data: Callable[[str], Path], name: str, more: dict[str, Any], rule: str) -> None:
    results = ho.run(keys(str(real_data(name)), recommend=["Popularity"], metrics="Recall@10", **more))
    row = results.tables["all-leaderboards"].frame.row(0, named=True)
    assert row["relevance"] == rule
    assert row["users_undefined"] < row["users_averaged"] / 2
