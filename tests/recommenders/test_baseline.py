"""Baselines, graphs, utilities, fallbacks, and what is declared of recommenders."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.refusals import refused

from heldout import catalogue, read
from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.recommenders import HT, AverageRating, ExpectedUtility, Popularity, Random
from heldout.recommenders.knn.baseline_estimates import baseline
from heldout.recommenders.ranges import Among, Between, among, between
from heldout.tables import Interactions, Vocabulary
from heldout.tables.arrays import frozen

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


def test_baseline_by_hand(ratings):
    # µ = (5 + 3 + 4)/3 = 4. b_a = (1 + 0)/(2 + 2) = ¼, b_b = −1/(1 + 2) = −⅓.
    # b_0 = (5 − 4.25 + 3 − 4 + ⅓)/(2 + 1) = (0.75 − ⅔)/3 = 1/36; b_1 = −0.25/2 = −⅛.
    found = baseline(ratings([[5, 3, 0], [4, 0, 0]]), damping_items=2, damping_users=1)
    assert found.overall == 4
    np.testing.assert_allclose(found.item, [1 / 4, -1 / 3, np.nan])
    np.testing.assert_allclose(found.user, [1 / 36, -1 / 8])


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
    with refused(NotApplicableError, where="ExpectedUtility", hint="use utility=rating"):
        ExpectedUtility().fit(_sales(None), seed=1)


def test_scores_below_zero_make_no_probabilities():
    # log p(i) is below 0 for all items: nothing can be a probability.
    scores = ExpectedUtility("UIR-Item(λ=1)").fit(_sales(PROFIT), seed=1).score(np.array([0]))
    assert np.isnan(scores).all()


def test_text_form_reads_back():
    recommender = ExpectedUtility("ItemItem(aggregate=sum)", scale="user")
    assert catalogue.make("recommender", recommender.full_text) == recommender


def test_by_hand(ratings):
    # u – a – v – b. A walk from b meets u at step 3 with ½·½ = ¼: of 4 steps it saves 1, of 3 none.
    train = ratings([[1, 0], [1, 1]])
    scores = HT(steps=4).fit(train, seed=1).score(np.arange(2))
    assert scores[0, 1] == pytest.approx(0.25)
    assert np.isnan(HT(steps=3).fit(train, seed=1).score(np.arange(2))[0, 1])
    # From a, u is met at step 1 with ½ (3 saved) and at step 3 by a – v – a – u with ½·½·½ (1 saved).
    assert scores[0, 0] == pytest.approx(0.5 * 3 + 0.125)


@pytest.mark.parametrize("values", ["rating", "binary"])
@pytest.mark.parametrize("steps", [2, 5, 8])
def test_against_the_recursion(steps, values, some_ratings):
    weight = some_ratings.to_csr(values).toarray()
    n_users = len(weight)
    graph = np.block([[np.zeros((n_users, n_users)), weight], [weight.T, np.zeros((40, 40))]])
    total = graph.sum(1, keepdims=True)
    chance = np.divide(graph, total, out=np.zeros_like(graph), where=total > 0)
    scores = HT(steps=steps, values=values).fit(some_ratings, seed=1).score(np.arange(90))
    for u in (0, 11, 89):
        times = np.zeros(len(graph))
        for _ in range(steps):
            times = 1 + chance @ times
            times[u] = 0
        saved = steps - times[n_users:]
        saved[(weight.sum(0) == 0) | (saved < 1e-9)] = np.nan
        np.testing.assert_allclose(scores[u], saved, rtol=1e-4, atol=1e-6)


def test_what_cannot_be_reached_is_not_scored(ratings):
    # Two users and two items that have nothing to do with each other.
    scores = HT().fit(ratings([[3, 0], [0, 4]]), seed=1).score(np.arange(2))
    np.testing.assert_array_equal(np.isnan(scores), [[False, True], [True, False]])


FALLBACKS_CELLS = [[5, 3, 0], [4, 0, 0], [1, 0, 0]]


def test_there_are_four():
    assert {cls.key for cls in catalogue.classes("fallback")} >= {"average_rating", "none", "popularity", "random"}


@pytest.mark.parametrize(("name", "expected"), [("popularity", [3, 1, 0]), ("average_rating", [10 / 3, 3, np.nan])])
def test_orders(name, expected, ratings):
    order = catalogue.make("fallback", name).order(ratings(FALLBACKS_CELLS), seed=1)
    np.testing.assert_allclose(order, expected)
    assert order.dtype == np.float64


def test_none_appends_nothing(ratings):
    assert catalogue.make("fallback", "none").order(ratings(FALLBACKS_CELLS), seed=1) is None


def test_random_is_fixed_by_the_seed(ratings):
    order = catalogue.make("fallback", "random").order
    train = ratings(FALLBACKS_CELLS)
    np.testing.assert_array_equal(order(train, seed=1), order(train, seed=1))
    assert not np.array_equal(order(train, seed=1), order(train, seed=2))
    assert len(np.unique(order(train, seed=1))) == 3


def test_whole_numbers_only_where_both_ends_are_whole() -> None:
    assert between(1, 5).whole and not between(1, 5.0).whole and not between(0.5, 2).whole
    assert between(1, 5) == Between(1, 5) and between(1, 5, log=True) != between(1, 5)


def test_ranges_in_words() -> None:
    assert str(between(10, 200, log=True)) == "10…200 (log)" and str(between(0.001, 10)) == "0.001…10"
    assert str(among("cosine", 2, None)) == "cosine, 2, None" and among(1, 2) == Among((1, 2))


OPTIONS = [
    "EASE(values=rating)",
    "PureSVD(factors=5, values=binary)",
    "SLIM(values=rating)",
    "HT(values=binary)",
    "PLSA(values=rating)",
    "PearsonUserKNN(values=binary, among=all, means=user)",
    "ItemKNN(similarity=jaccard)",
    "WRMF(target=rating)",
    "ExpectedUtility(base=BPRMF, utility=rating)",
]
NAMES = [
    cls.key
    for cls in catalogue.classes("recommender")
    if cls.key not in ("ExpectedUtility", "PureSVD", "WRMF")
    and all(p.default is not catalogue.REQUIRED for p in catalogue.parameters(cls))
]
"""WRMF with its own target is left out: it takes counts for confidence, for which it is made."""


@pytest.fixture(scope="module")
def ones() -> Interactions:
    data = read("simulate(users=40, items=30, ratings=500)")
    return replace(data, value=frozen(np.ones(len(data)), np.float64))


@pytest.mark.parametrize("text", [*NAMES, *OPTIONS, "PureSVD(factors=5)"])
def test_scores_depend_on_values_where_they_are_said_to(ones: Interactions, text: str) -> None:
    values = np.random.default_rng(1).integers(1, 50, len(ones))
    recommender = make("recommender", text)
    users = np.arange(ones.n_users)
    scores = [recommender.fit(data, seed=1).score(users) for data in (ones, replace(ones, value=frozen(values, np.float64)))]
    same = np.array_equal(*scores, equal_nan=True)
    told = (
        f"{text}: scores {'never' if same else 'do'} change with the values of ratings; declare weighs_by_value = {not same}"
    )
    assert recommender.uses_values != same, told


def test_confidence_is_made_for_counts() -> None:
    assert not make("recommender", "WRMF").uses_values
    assert make("recommender", "ExpectedUtility(base=ItemKNN)").uses_values
    assert not make("recommender", "ExpectedUtility(base=ItemItem)").uses_values
