"""Another recommender's probabilities times what items are worth."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import catalogue
from heldout.errors import NotApplicableError
from heldout.recommenders import ExpectedUtility, Popularity
from heldout.tables import Interactions, Vocabulary


def _sales(utility):
    # Item 0 was bought by all three users, item 1 by two, item 2 by one, item 3 by nobody.
    user, item = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 1, 2, 0, 1, 0])
    value = np.array([5.0, 4, 1, 3, 2, 4])
    return Interactions.build(Vocabulary.numbered(3), Vocabulary.numbered(4), user, item, value, utility=utility)


PROFIT = np.array([1.0, 6, 30, 2, 2, 3])  # means: (1 + 2 + 3)/3 = 2, (6 + 2)/2 = 4, 30


def test_popularity_times_profit():
    # p̃ = 3/3, 2/3, 1/3, 0
    scores = ExpectedUtility(Popularity()).fit(_sales(PROFIT), seed=1).score(np.array([0]))
    np.testing.assert_allclose(scores[0], [2, 8 / 3, 10, np.nan], rtol=1e-6)


def test_predicted_ratings_are_divided_by_the_highest_rating():
    # Mean ratings 4, 3 and 1 of 5
    recommender = catalogue.make("recommender", "ExpectedUtility(base=AverageRating)")
    np.testing.assert_allclose(
        recommender.fit(_sales(PROFIT), seed=1).score(np.array([1]))[0], [0.8 * 2, 0.6 * 4, 0.2 * 30, np.nan], rtol=1e-6
    )
    by_user = recommender.replace(scale="user").fit(_sales(PROFIT), seed=1).score(np.array([1]))
    np.testing.assert_allclose(by_user[0], [2, 3 / 4 * 4, 1 / 4 * 30, np.nan], rtol=1e-6)


def test_the_rating_as_utility():
    scores = ExpectedUtility(Popularity(), utility="rating").fit(_sales(None), seed=1).score(np.array([0]))
    np.testing.assert_allclose(scores[0], [4, 2 / 3 * 3, 1 / 3, np.nan], rtol=1e-6)


def test_data_without_utility_are_refused():
    with pytest.raises(NotApplicableError, match=r"no utility column; .*utility=rating"):
        ExpectedUtility().fit(_sales(None), seed=1)


def test_scores_below_zero_make_no_probabilities():
    # log p(i) is below 0 for all items: nothing can be a probability.
    scores = ExpectedUtility("UIR-Item(λ=1)").fit(_sales(PROFIT), seed=1).score(np.array([0]))
    assert np.isnan(scores).all()


def test_text_form_reads_back():
    recommender = ExpectedUtility("ItemItem(aggregate=sum)", scale="user")
    assert catalogue.make("recommender", recommender.full_text) == recommender
