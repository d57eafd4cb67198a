"""Recommenders that know nothing of the user."""

from __future__ import annotations

import numpy as np

from heldout import catalogue
from heldout.recommenders import AverageRating, Popularity, Random

# Item 0 is rated 5, 4, 1; item 1 is rated 3; item 2 by nobody.
CELLS = [[5, 3, 0], [4, 0, 0], [1, 0, 0]]


def _first(recommender, train):
    return recommender.fit(train, seed=1).score(np.array([0]))[0]


def test_popularity_counts_ratings(ratings):
    np.testing.assert_array_equal(_first(Popularity(), ratings(CELLS)), [3, 1, 0])


def test_popularity_counts_positive_ratings_only_when_told(ratings):
    np.testing.assert_array_equal(_first(Popularity(positive=4), ratings(CELLS)), [2, 0, 0])


def test_average_rating(ratings):
    # (5 + 4 + 1)/3; 3/1; none
    np.testing.assert_allclose(_first(AverageRating(), ratings(CELLS)), [10 / 3, 3, np.nan], rtol=1e-6)
    assert AverageRating().predicts_ratings


def test_average_rating_damped(ratings):
    # The overall mean is 13/4 = 3.25: (10 + 2 · 3.25)/5 = 3.3 and (3 + 2 · 3.25)/3 = 19/6; still none.
    np.testing.assert_allclose(_first(AverageRating(damping=2), ratings(CELLS)), [3.3, 19 / 6, np.nan], rtol=1e-6)


def test_random_scores_depend_on_user_and_item_alone(ratings):
    small, large = (Random().fit(ratings(np.ones((9, n))), seed=4) for n in (5, 8))
    a, b = small.score(np.arange(9)), large.score(np.array([3, 3, 8]))
    np.testing.assert_array_equal(b[:, :5], a[[3, 3, 8]])
    assert len(np.unique(a)) == a.size


def test_random_scores_are_uniform(ratings):
    scores = Random().fit(ratings(np.ones((100, 200))), seed=4).score(np.arange(100))
    counts = np.histogram(scores, bins=10, range=(0, 1))[0]
    # 20,000 draws: 2,000 a bin, standard deviation 42.
    assert abs(counts - 2000).max() < 5 * 43


def test_names_from_the_literature():
    assert catalogue.make("recommender", "TopPop") == Popularity()
