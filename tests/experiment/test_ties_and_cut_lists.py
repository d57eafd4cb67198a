"""Values that the tie rule decides are warned of; metrics of whole lists are refused for runs that end early."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.text.phrases import sentence

DATA = "simulate(users=60, items=40, ratings=900)"
STUDY: dict[str, Any] = {
    "data": DATA,
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Random"],
    "relevance": "threshold(4)",
    "metrics": "P@5",
}


def constant(train: Any, users: Any) -> Any:
    """A model without an opinion."""
    return np.ones((len(users), train.n_items), np.float32)


def codes(results: ho.Results) -> list[str]:
    return [n.code for n in results.findings.notices]


def test_run_warns_of_constant_scores_as_lint_does() -> None:
    results = ho.run(STUDY, models={"Constant": constant})
    notice = next(n for n in results.findings.notices if n.code == "HO206")
    assert (
        "100% of the rated items in the lists of Constant, as deep as P@5 looks, share" in notice.message
    )  # and not Random, whose scores differ
    assert sentence(notice.message) == next(f.message for f in ho.lint(results).findings if f.code == "HO206")
    assert "HO206" in codes(ho.compare(results, "sign"))
    assert "HO206" not in codes(ho.run({**STUDY, "ties": "expected"}, models={"Constant": constant}))
    assert "HO206" not in codes(ho.run(STUDY))


@pytest.fixture(scope="module")
def parts() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Test ratings of 20 users, and scores of all 12 items for each."""
    draw = np.random.default_rng(5)
    user, item = np.divmod(np.arange(20 * 12), 12)
    scores = pl.DataFrame({"user": user, "item": item, "score": draw.permutation(len(user)) + 0.5})
    test = scores.select("user", "item", rating=pl.Series(draw.integers(1, 6, len(user)))).filter(pl.col("item") % 2 == 0)
    return test, scores


def test_evaluate_warns_of_equal_scores(parts: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    test, scores = parts
    equal = scores.with_columns(score=pl.lit(1.0))
    judged = ho.evaluate(test, {"Equal": equal, "Own": scores}, "P@3", relevance="threshold(4)")
    told = next(n.message for n in judged.findings.notices if n.code == "HO206")
    assert "100% of the rated items in the lists of Equal, as deep as P@3 looks, share" in told
    assert "HO206" not in codes(ho.evaluate(test, {"Own": scores}, "P@3", relevance="threshold(4)"))


WHOLE = ["AUC", "UROC", "CROC", "GROC", "KendallTau", "Spearman", "TauAP", "NDPM"]


@pytest.mark.parametrize("metric", WHOLE)
def test_metrics_of_whole_lists_are_refused_for_lists_that_end_early(
    parts: tuple[pl.DataFrame, pl.DataFrame], metric: str, tmp_path: Path
) -> None:
    test, scores = parts
    best = scores.sort("score", descending=True).group_by("user", maintain_order=True).head(4)
    options: dict[str, Any] = {"relevance": "threshold(4)", "scores": "comparable"}
    with refused(ho.NotApplicableError, hint="rank every candidate, or measure the top") as refusal:
        ho.evaluate(test, {"A": best}, metric, **options)
    assert refusal.value.what.startswith(f"{metric}: ") and "20 of 20 of A (which hold 4 of 12" in refusal.value.what
    beside = ho.evaluate(test, {"A": best}, [metric, "P@3"], **options)
    assert beside.tables["all-leaderboards"].frame["metric"].to_list() == ["P@3"]
    assert beside._source is not None
    assert [reason.partition(" of ")[0].partition(":")[0] for reason in beside._source.left_out] == [metric]
    assert (
        ho.evaluate(test, {"A": scores}, [metric, "P@3"], **options).tables["all-leaderboards"].frame["value"].null_count()
        == 0
    )
    assert (
        ho.evaluate(test, {"A": best}, ["AP", "RR", "nDCG(gain=binary)"], **options).tables["all-leaderboards"].frame.height
        == 3
    )


def test_runs_and_metrics_of_whole_lists_are_named_together(parts: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    test, scores = parts
    best = scores.sort("score", descending=True).group_by("user", maintain_order=True).head(4)
    options: dict[str, Any] = {"relevance": "threshold(4)", "scores": "comparable"}
    found = ho.evaluate(test, {"A": best, "B": best, "C": scores}, ["AUC", "UROC", "P@3"], **options)
    cut = "(which hold 4 of 12 candidates on average)"
    assert found.left_out == [
        "AUC, UROC: the order of all candidates enters the value, and lists end before the last candidate: "
        f"20 of 20 of A {cut}, 20 of 20 of B {cut}"
    ]


def test_a_run_file_in_a_study_is_held_to_the_same(parts: tuple[pl.DataFrame, pl.DataFrame], tmp_path: Path) -> None:
    test, scores = parts
    train = scores.select("user", "item", rating=pl.lit(3)).filter(pl.col("item") == 1)
    best = scores.sort("score", descending=True).group_by("user", maintain_order=True).head(5)
    for name, frame in {"train": train, "test": test, "best": best, "all": scores}.items():
        frame.write_csv(tmp_path / f"{name}.csv")

    def study(run: str, *measure: str) -> ho.Results:
        split = f'given(train="{tmp_path}/train.csv", test="{tmp_path}/test.csv")'
        system = {"name": "A", "model": f'External("{tmp_path}/{run}.csv")'}
        return ho.run({"split": split, "recommend": [system], "metrics": list(measure), "relevance": "threshold(4)"})

    assert study("all", "AUC").tables["all-leaderboards"].frame.height == 1
    assert study("best", "P@3").tables["all-leaderboards"].frame.height == 1
    both = study("best", "AUC", "P@3")
    assert both.tables["all-leaderboards"].frame["metric"].to_list() == ["P@3"]
    assert both._source is not None
    assert both._source.left_out == ("AUC of A: its lists end before the last candidates, whose order enters the value",)
    with refused(ho.NotApplicableError, where="metrics"):
        study("best", "AUC")


def test_on_movielens_constant_scores_are_above_random_and_warned_of(real_data: Callable[[str], Path]) -> None:
    """Low ids are popular films: the order by id alone is worth several times a random one."""
    keys = {**STUDY, "data": str(real_data("ml-100k")), "metrics": "nDCG(gain=binary)@10"}
    results = ho.run(keys, models={"Constant": constant})
    values = dict(
        zip(
            results.tables["all-leaderboards"].frame["system"],
            results.tables["all-leaderboards"].frame["value"],
            strict=True,
        )
    )
    assert values["Constant"] > 3 * values["Random"]
    assert "HO206" in codes(results)
