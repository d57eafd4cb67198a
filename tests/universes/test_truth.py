"""On data whose truth is known: a system that is better is said to be, two that are equal are not told apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.catalogue import make
from heldout.tables import Interactions

DATA = "simulate(users=400, items=150, ratings=16000)"
GRID: dict[str, Any] = {
    "data": DATA,
    "split": ["ratio(train=0.4)", "ratio(train=0.8)", "ratio(train=0.8, by=user)"],
    "recommend": [],
    "fallback": ["none", "popularity"],
    "relevance": ["threshold(4)", "user_mean"],
    "target": ["AllItems", "TestItems", "TestRatings"],
    "metrics": ["P", "Recall", "nDCG", "AP"],
    "aggregate": ["mean", "mean(weight=test)", "gmean"],
    "undefined": ["zero", "skip"],
    "compare": ["t", "sign"],
    "multiverse": {"seeds": [1, 2], "cutoffs": [5, 10, 20], "gains": ["binary", "exp2"]},
}


@lru_cache
def _truth() -> Any:
    world = make("reader", DATA).world()
    return world.truth(np.arange(world.n_users))


def noisy(noise: float, number: int) -> Callable[[Interactions, Any], Any]:
    """A system that knows what users would say of every item, but for so much noise of its own."""

    def score(train: Interactions, users: Any) -> Any:
        drawn = np.random.default_rng([number, len(train)]).normal(size=_truth().shape)
        at = train.users.decode(np.asarray(users, dtype=np.int32)).to_numpy() - 1
        items = train.items.decode(np.arange(train.n_items, dtype=np.int32)).to_numpy() - 1
        return (_truth() + noise * drawn)[np.ix_(at, items)]

    return score


@pytest.fixture(scope="module")
def found() -> ho.Results:
    return ho.multiverse(GRID, models={"sharp": noisy(1.0, 1), "dull": noisy(2.5, 2), "as dull": noisy(2.5, 3)})


def _pair(found: ho.Results, first: str, second: str) -> Any:
    return next(p for p in found.findings.pairs if (p.first, p.second) == (first, second))


def test_what_is_truly_better_everywhere_is_said_to_be(found: ho.Results) -> None:
    for other in ("dull", "as dull"):
        pair = _pair(found, "sharp", other)
        assert pair.stability.kind == "holds"
        assert pair.stability.winner == "sharp"
        assert pair.shares.second == 0
        assert pair.shares.first > 0.9 * pair.shares.universes
        assert pair.stability.sentence.startswith(f"sharp beats {other} significantly in 9")


def test_what_is_truly_equal_is_not_told_apart(found: ho.Results) -> None:
    pair = _pair(found, "dull", "as dull")
    assert pair.stability.winner == ""
    assert pair.stability.kind != "holds"
    assert pair.shares.first + pair.shares.second < 0.5 * pair.shares.universes
