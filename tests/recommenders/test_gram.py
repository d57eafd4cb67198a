"""The Gram matrix of the items that somebody rated."""

from __future__ import annotations

import numpy as np

from heldout.recommenders.linear.gram import among_rated, rated_items, upper_gram


def test_items_without_ratings_are_no_columns(ratings) -> None:
    """Items 1 and 3 are rated by nobody."""
    train = ratings([[5, 0, 3, 0], [0, 0, 2, 0]])
    assert rated_items(train).tolist() == [0, 2]
    users, columns = among_rated(train, "rating")
    assert (users.indptr.tolist(), users.indices.tolist(), users.values.tolist()) == ([0, 2, 3], [0, 1, 1], [5, 3, 2])
    assert (columns.indptr.tolist(), columns.indices.tolist(), columns.values.tolist()) == ([0, 1, 3], [0, 0, 1], [5, 3, 2])
    assert upper_gram(users, columns).tolist() == [[25, 15], [0, 13]]
    binary = among_rated(train, "binary")
    assert upper_gram(*binary).tolist() == [[1, 1], [0, 2]]


def test_several_blocks_of_items_are_one_matrix(ratings) -> None:
    draw = np.random.default_rng(1)
    cells = draw.integers(1, 6, (30, 150)) * (draw.random((30, 150)) < 0.3)
    cells[:, 70] = 0
    users, columns = among_rated(ratings(cells), "rating")
    kept = np.delete(cells, 70, axis=1)
    np.testing.assert_allclose(upper_gram(users, columns), np.triu(kept.T @ kept))
