"""Metrics that say less on these data than their names promise are warned of by run and by evaluate alike."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import heldout as ho

TEST = pl.DataFrame({"user": ["u", "u", "v"], "item": ["a", "b", "a"], "rating": [5.0, 5.0, 5.0]})
RUN = pl.DataFrame({"user": ["u", "u", "v"], "item": ["a", "c", "a"], "score": [2.0, 1.0, 1.0]})


def messages(metric: str, test: pl.DataFrame = TEST, **options: Any) -> dict[str, str]:
    results = ho.evaluate(test, {"A": RUN}, [metric], relevance="threshold(4)", **options)
    return {notice.code: notice.message for notice in results.facts.notices}


def test_without_disliked_items_bpref_is_a_kind_of_recall() -> None:
    assert messages("bpref")["HO302"] == (
        "under threshold(tau=4) all test ratings are relevant: bpref cannot tell unrated items from disliked ones"
    )
    disliked = TEST.with_columns(rating=pl.Series([5.0, 1.0, 5.0]))
    assert "HO302" not in messages("bpref", disliked) and "HO302" not in messages("P@1")


def test_equal_ratings_cannot_be_graded() -> None:
    assert messages("nDCG@1")["HO303"] == "all ratings of test set are equal: nDCG@1 cannot grade"
    assert "HO303" not in messages("nDCG(gain=binary)@1")


def test_a_cut_off_beyond_every_list() -> None:
    """The longer list holds two items."""
    assert messages("P@3")["HO304"] == "under AllItems no list is longer than 2: P@3 looks beyond the candidates"
    assert "HO304" not in messages("P@2")


@pytest.mark.parametrize(("undefined", "warned"), [("zero", True), ("skip", False)])
def test_undefined_errors_are_left_out_whatever_is_asked(undefined: str, warned: bool) -> None:
    assert ("HO305" in messages("RMSE", scores="ratings", undefined=undefined)) == warned
