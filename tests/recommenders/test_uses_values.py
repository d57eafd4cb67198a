"""Which recommenders take values for ratings, as they say and as they score."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heldout import catalogue, read
from heldout.catalogue import make
from heldout.tables import Interactions
from heldout.tables.arrays import frozen

OPTIONS = [
    "EASE(values=rating)",
    "PureSVD(factors=5, values=binary)",
    "SLIM(values=rating)",
    "HT(values=binary)",
    "PLSA(values=rating)",
    "PearsonUserKNN(values=binary, among=all, means=user)",
    "ItemKNN(similarity=jaccard)",
    "WRMF(target=rating)",
    "ExpectedUtility(base=BPRMF, utility=rating)",
]
NAMES = [
    cls.key
    for cls in catalogue.classes("recommender")
    if cls.key not in ("ExpectedUtility", "PureSVD", "WRMF")
    and all(p.default is not catalogue.REQUIRED for p in catalogue.parameters(cls))
]
"""WRMF with its own target is left out: it takes counts for confidence, for which it is made."""


@pytest.fixture(scope="module")
def ones() -> Interactions:
    data = read("simulate(users=40, items=30, ratings=500)")
    return replace(data, value=frozen(np.ones(len(data)), np.float64))


@pytest.mark.parametrize("text", [*NAMES, *OPTIONS, "PureSVD(factors=5)"])
def test_scores_depend_on_values_where_they_are_said_to(ones: Interactions, text: str) -> None:
    values = np.random.default_rng(1).integers(1, 50, len(ones))
    recommender = make("recommender", text)
    users = np.arange(ones.n_users)
    scores = [recommender.fit(data, seed=1).score(users) for data in (ones, replace(ones, value=frozen(values, np.float64)))]
    same = np.array_equal(*scores, equal_nan=True)
    told = (
        f"{text}: scores {'never' if same else 'do'} change with the values of ratings; declare weighs_by_value = {not same}"
    )
    assert recommender.uses_values != same, told


def test_confidence_is_made_for_counts() -> None:
    assert not make("recommender", "WRMF").uses_values
    assert make("recommender", "ExpectedUtility(base=ItemKNN)").uses_values
    assert not make("recommender", "ExpectedUtility(base=ItemItem)").uses_values
