"""Scores that only float64 tells apart rank as whole numbers in the same order do, in every protocol and tie rule."""

from __future__ import annotations

import numpy as np
import pytest
from tests.targets.test_ranker import plan_of
from tests.targets.tiny import Table, random_split

import heldout as ho
from heldout.kernels.ranks import SORT_FROM
from heldout.targets.ranker import Ranked, rank


class Wide(Table):
    """A model whose scores keep their width."""

    def __init__(self, scores: np.ndarray) -> None:
        self.scores = scores


NEAR = {
    "seconds since 1970": lambda codes: 1.7e9 + codes,
    "next to 0": lambda codes: codes * 1e-320,
    "one last place apart": lambda codes: 1 + codes * 2.0**-52,
    "beyond float32": lambda codes: 1e300 * (1 + codes),
}


def assert_same(found: Ranked, expected: Ranked) -> None:
    assert found.by_choice.keys() == expected.by_choice.keys()
    for key, ranks in found:
        other = expected.by_choice[key]
        for name in ("rank", "above", "tied", "computed", "length", "targets", "scored"):
            np.testing.assert_array_equal(getattr(ranks, name), getattr(other, name), str(key))
        if ranks.lists is not None:
            np.testing.assert_array_equal(ranks.lists.item, other.lists.item, str(key))


@pytest.mark.parametrize("ties", ["item", "random"])
@pytest.mark.parametrize("name", NEAR)
def test_ranks_and_lists_are_those_of_whole_numbers(name: str, ties: str) -> None:
    rng = np.random.default_rng(3)
    split = random_split(rng, 30, 33)
    codes = rng.integers(0, 20, (30, 33)).astype(float)
    codes[rng.random(codes.shape) < 0.2] = np.nan
    orders = {"none": None, "popularity": split.train.item_counts.astype(float)}
    plan = plan_of(split, orders, ties, 3, count_ties=True, depth=7)
    assert_same(rank(Wide(NEAR[name](codes)), plan), rank(Table(codes), plan))


@pytest.mark.parametrize("ties", ["item", "random"])
@pytest.mark.parametrize("name", NEAR)
def test_so_are_those_of_users_with_so_many_test_items_that_columns_are_sorted(name: str, ties: str) -> None:
    rng = np.random.default_rng(4)
    split = random_split(rng, 3, 2000, test=0.6)
    codes = rng.integers(0, 900, (3, 2000)).astype(float)
    plan = plan_of(split, {"none": None}, ties, 4, count_ties=True, depth=50)
    assert split.test.user_counts.min() > SORT_FROM
    assert_same(rank(Wide(NEAR[name](codes)), plan), rank(Table(codes), plan))


def test_trec_order_compares_scores_in_single_precision() -> None:
    """trec_eval holds scores as floats: seconds of one minute tie, and ties are in its order of ids."""
    rng = np.random.default_rng(5)
    split = random_split(rng, 20, 25)
    codes = rng.integers(0, 30, (20, 25)).astype(float)
    plan = plan_of(split, {"none": None}, "trec", 5, count_ties=True)
    assert_same(rank(Wide(1.7e9 + codes), plan), rank(Table((1.7e9 + codes).astype(np.float32)), plan))


@pytest.mark.parametrize("scale", [1.0, 1e-320])
@pytest.mark.parametrize("base", [0, 1_700_000_000])
def test_a_model_that_scores_in_seconds_is_judged_as_without_the_constant(base: int, scale: float) -> None:
    rng = np.random.default_rng(6)
    cells = rng.random((40, 60)) < 0.3
    user, item = np.nonzero(cells)
    data = {"user": user, "item": item, "rating": np.full(len(user), 5)}
    age = rng.permutation(60)

    def study(scores: np.ndarray) -> list[float]:
        results = ho.run(
            {"data": data, "split": "ratio(0.8)", "metrics": ["nDCG@10", "AUC", "EPC@5"]},
            models={"recency": lambda train, users: np.tile(scores, (len(users), 1))},
        )
        return results.tables["all-leaderboards"].frame["value"].to_list()

    offset = base if scale == 1 else 0
    assert study((age + offset) * scale) == study(age.astype(np.float32))
