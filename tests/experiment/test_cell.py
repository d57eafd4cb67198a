"""One system on one fold: computed once, and again where something it depends on changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.experiment.conftest import STUDY
from tests.refusals import refused

import heldout as ho


@pytest.mark.parametrize(
    ("changed", "computed"),
    [
        ({"title": "Another"}, 0),
        ({"aggregate": "gmean"}, 0),
        ({"coverage": "forgive"}, 0),
        ({"compare": ["wilcoxon"]}, 0),
        ({"metrics": ["P@5", "P@10"]}, 2),
        ({"seed": 2}, 2),
        ({"split": "ratio(train=0.6, by=user)"}, 2),
        ({"ties": "trec"}, 2),
        ({"filters": "positive(3)"}, 2),
    ],
)
def test_only_what_a_change_concerns_is_computed(
    changed: dict[str, Any], computed: int, tmp_path: Path, count_cells: list[str]
) -> None:
    least = {**STUDY, "recommend": ["Popularity", "Random"], "target": "AllItems", "metrics": "P@5"}
    ho.run(least, out=tmp_path / "out")
    count_cells.clear()
    ho.run({**least, **changed}, out=tmp_path / "out")
    assert len(count_cells) == computed


class Favourite:
    """Recommends what most have rated, as Popularity does, through the plain interface."""

    def fit(self, train: ho.Interactions) -> None:
        self.counts = train.item_counts

    def score(self, users: Any) -> Any:
        return np.tile(self.counts, (len(users), 1))


def test_ones_own_model_scores_as_the_same_one_of_the_catalogue() -> None:
    results = ho.run({**STUDY, "recommend": "Popularity"}, models={"mine": Favourite()})
    board = results.tables["all-leaderboards"].frame
    ours = board.filter(system="mine").drop("system", "rank", "group")
    theirs = board.filter(system="Popularity").drop("system", "rank", "group")
    assert ours.equals(theirs)


def test_errors_of_ones_own_model_name_it() -> None:
    alone = {key: value for key, value in STUDY.items() if key != "recommend"}
    with refused(ho.InputError, file="mine", found="list of int64 and shape (3,)", expected="numbers of shape (64, 40)"):
        ho.run(alone, models={"mine": lambda train, users: [1, 2, 3]})


def test_a_model_without_a_version_is_never_taken_from_an_earlier_run(tmp_path: Path) -> None:
    """Another model under the same name must not be given the scores of the first."""
    study = {
        "data": "simulate(users=60, items=40, ratings=900)",
        "split": "ratio(0.8)",
        "recommend": "Random",
        "metrics": "P@5",
    }

    def popular(train, users):
        return np.tile(train.item_counts.astype(float), (len(users), 1))

    def unpopular(train, users):
        return -popular(train, users)

    values = []
    for model in (popular, unpopular):
        found = (
            ho.run(study, models={"mine": model}, out=tmp_path / "out")
            .tables["all-leaderboards"]
            .frame.filter(pl.col("system") == "mine")
        )
        values.append(found["value"][0])
    assert values[0] > values[1]
