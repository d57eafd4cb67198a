"""Items that are rated together: chances and lifts by hand."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.recommenders import ItemItem

# a: users 0–3, b: users 0, 1 and 4, c: user 4, d: nobody. p(b|a) = 2/4, p(b|c) = 1. User 5 rated a and c… as below.
CELLS = [[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 5, 0]]


def test_item_item_by_hand(ratings):
    scores = ItemItem().fit(ratings(CELLS), seed=1).score(np.arange(5))
    # user 2 (a): b by p(b|a) = 2/4, c was used with a by nobody.
    np.testing.assert_allclose(scores[2], [np.nan, 0.5, np.nan, np.nan])
    # user 4 (b, c): a by p(a|b) = 2/3; b by p(b|c) = 1; c by p(c|b) = 1/3
    np.testing.assert_allclose(scores[4], [2 / 3, 1, 1 / 3, np.nan], rtol=1e-6)


def test_item_item_aggregates(ratings):
    # One more user of a and c: p(b|a) = 2/5, p(b|c) = 1/2, p(a|c) = 1/2, p(c|a) = 1/5.
    train = ratings([*CELLS, [1, 0, 1, 0]])
    found = {
        name: ItemItem(aggregate=name).fit(train, seed=1).score(np.array([5]))[0] for name in ("max", "sum", "noisy_or")
    }
    assert found["max"][1] == pytest.approx(0.5)
    assert found["sum"][1] == pytest.approx(0.9)
    assert found["noisy_or"][1] == pytest.approx(-np.log(0.6 * 0.5))


def test_a_certain_item_does_not_make_an_infinity(ratings):
    scores = ItemItem(aggregate="noisy_or").fit(ratings([[1, 1], [0, 1]]), seed=1).score(np.arange(2))
    # p(b|a) = 1 counts as 1 − 2⁻²⁴; p(a|b) = ½
    np.testing.assert_allclose(scores, [[np.log(2), 24 * np.log(2)], [np.log(2), np.nan]], rtol=1e-6)
