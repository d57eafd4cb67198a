"""The order of items that a recommender could not score."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import catalogue

CELLS = [[5, 3, 0], [4, 0, 0], [1, 0, 0]]


def test_there_are_four():
    assert {cls.key for cls in catalogue.classes("fallback")} >= {"average_rating", "none", "popularity", "random"}


@pytest.mark.parametrize(("name", "expected"), [("popularity", [3, 1, 0]), ("average_rating", [10 / 3, 3, np.nan])])
def test_orders(name, expected, ratings):
    order = catalogue.make("fallback", name).order(ratings(CELLS), seed=1)
    np.testing.assert_allclose(order, expected)
    assert order.dtype == np.float64


def test_none_appends_nothing(ratings):
    assert catalogue.make("fallback", "none").order(ratings(CELLS), seed=1) is None


def test_random_is_fixed_by_the_seed(ratings):
    order = catalogue.make("fallback", "random").order
    train = ratings(CELLS)
    np.testing.assert_array_equal(order(train, seed=1), order(train, seed=1))
    assert not np.array_equal(order(train, seed=1), order(train, seed=2))
    assert len(np.unique(order(train, seed=1))) == 3
