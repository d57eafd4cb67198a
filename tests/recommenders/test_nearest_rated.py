"""The nearest users, of all or of those who rated the item."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.catalogue import make
from heldout.recommenders import PearsonUserKNN

# Means 3, 4 and 2. Pearson over a and b: user 1 (4, 2) rises and falls as user 0 (4, 2), so does user 2 (3, 1).
CELLS = [[4, 2, 0, 0], [4, 2, 6, 0], [3, 1, 1, 3]]


def test_who_rated_the_item_is_counted(ratings):
    # Of the neighbours of user 0, both rated b, one c.
    train = ratings([[5, 0, 0], [5, 4, 0], [5, 3, 2]])
    for text in ("UserKNN", "CosineUserKNN"):
        scores = make("recommender", f"{text}(min_neighbours=2)").fit(train, seed=1).score(np.arange(1))
        assert np.isnan(scores[0]).tolist() == [False, False, True]


def test_nearest_of_all_and_of_those_who_rated_the_item(ratings):
    # The two similarities are equal, so the lower code is nearer: k = 1 leaves user 1, who did not rate d.
    train = ratings(CELLS)
    np.testing.assert_allclose(
        PearsonUserKNN(k=1, means="overlap").fit(train, seed=1).score(np.arange(1))[0, 2:], [5, np.nan]
    )
    raters = PearsonUserKNN(k=1, among="raters", means="overlap")
    np.testing.assert_allclose(raters.fit(train, seed=1).score(np.arange(1))[0, 2:], [5, 4])


@pytest.mark.parametrize("means", ["user", "overlap"])
@pytest.mark.parametrize("k", [4, 1000])
def test_raters_pair_by_pair(k, means, some_ratings):
    cells = some_ratings.to_csr().toarray()
    rated = cells > 0
    mean = cells.sum(1) / np.maximum(rated.sum(1), 1)
    scores = PearsonUserKNN(k=k, among="raters", means=means, min_overlap=3).fit(some_ratings, seed=1).score(np.arange(90))
    for u in (0, 50):
        alike = np.zeros(90)
        for v in range(90):
            both = rated[u] & rated[v]
            if v == u or both.sum() < 3:
                continue
            x, y = (cells[w, both] - (mean[w] if means == "user" else cells[w, both].mean()) for w in (u, v))
            if x.any() and y.any():
                alike[v] = np.float32(max(x @ y / np.sqrt((x @ x) * (y @ y)), 0))
        for i in range(40):
            near = [v for v in np.lexsort((np.arange(90), -alike)) if alike[v] > 1e-6 and rated[v, i]][:k]
            if near:
                expected = mean[u] + (alike[near] * (cells[near, i] - mean[near])).sum() / alike[near].sum()
                assert scores[u, i] == pytest.approx(expected, rel=1e-5)
            else:
                assert np.isnan(scores[u, i])
