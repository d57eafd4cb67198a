"""Ratings as sparse matrices."""

from __future__ import annotations

from heldout.recommenders.matrix import by_item, transposed

CELLS = [[5, 3, 0], [0, 4, 0]]


def test_transposed(ratings):
    made = transposed(by_item(ratings(CELLS)), 2)
    assert [part.tolist() for part in made] == [[0, 2, 3], [0, 1, 1], [5, 3, 4]]
