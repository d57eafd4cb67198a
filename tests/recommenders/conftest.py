"""Small and random ratings for the tests of recommenders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from heldout.tables import Interactions, Vocabulary


@pytest.fixture(scope="session")
def ratings() -> Callable[[Any], Interactions]:
    """Ratings from a matrix of users × items in which 0 means unrated; their utility is the rating, one a second."""

    def build(matrix: Any) -> Interactions:
        cells = np.asarray(matrix, dtype=np.float64)
        user, item = np.nonzero(cells)
        users, items, value = Vocabulary.numbered(cells.shape[0]), Vocabulary.numbered(cells.shape[1]), cells[user, item]
        return Interactions.build(users, items, user, item, value, time=np.arange(len(user)), utility=value)

    return build


@pytest.fixture(scope="session")
def some_ratings(ratings: Callable[[Any], Interactions]) -> Interactions:
    """90 users × 40 items, a quarter rated 1 to 5; user 7 and items 3 and 39 have no ratings."""
    draw = np.random.default_rng(5)
    cells = draw.integers(1, 6, (90, 40)) * (draw.random((90, 40)) < 0.25)
    cells[7] = 0
    cells[:, [3, 39]] = 0
    return ratings(cells)
