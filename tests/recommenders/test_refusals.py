"""What every recommender does with data that it cannot learn from: a clear error or NaN, never a silent row of zeros."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import catalogue
from heldout.errors import HeldoutError, NotApplicableError
from heldout.recommenders.recommender import TILE

NAMES = [
    cls.key
    for cls in catalogue.classes("recommender")
    if all(p.default is not catalogue.REQUIRED for p in catalogue.parameters(cls))
]
NEED_COUNTS = {
    "CHI2", "HT", "KLD", "LDA(values=rating)", "LM-WSR-IB", "LM-WSR-UB", "PLSA(values=rating)", "RM1", "RM2", "RSV",
    "RocchioWeights", "WRMF",
}  # fmt: skip
TAKE_NEGATIVE = {
    "AverageRating", "BPRMF", "CosineUserKNN", "EASE", "ExpectedUtility", "ItemItem", "ItemKNN", "LDA", "NNCosNgbr-IB",
    "NNCosNgbr-UB", "PLSA", "PearsonUserKNN", "Popularity", "PureSVD", "Random", "SLIM", "SVD", "UIR-Item", "UserKNN",
}  # fmt: skip


@pytest.fixture(params=NAMES)
def recommender(request):
    return catalogue.make("recommender", request.param)


@pytest.fixture
def cells():
    """30 users × 20 items, half rated 1 to 5; user 7 and item 3 have no ratings."""
    draw = np.random.default_rng(3)
    found = draw.integers(1, 6, (30, 20)) * (draw.random((30, 20)) < 0.5)
    found[7], found[:, 3] = 0, 0
    return found.astype(np.float64)


def _scores(recommender, train):
    """Scores of all users, without infinities and rows of zeros; None where the recommender refuses and says what to do."""
    try:
        scores = recommender.fit(train, seed=1).score(np.arange(TILE) % train.n_users)[: train.n_users]
    except NotApplicableError as error:
        assert error.hint
        return None
    assert not np.isinf(scores).any()
    known = ~np.isnan(scores).all(axis=1)
    assert (np.nan_to_num(scores[known]) != 0).any(axis=1).all()
    return scores


def _with(recommender, **asked):
    """The recommender with those of these parameters that it has."""
    has = {p.name for p in catalogue.parameters(type(recommender))}
    found = {name: value for name, value in asked.items() if name in has}
    return recommender.replace(**found) if found else None


def _small(recommender):
    """Few enough factors and topics for few items, and few rounds."""
    return _with(recommender, factors=4, topics=4, iterations=3, epochs=3) or recommender


def test_users_and_items_without_ratings_cannot_be_scored(recommender, cells, ratings):
    scores = _scores(_small(recommender), ratings(cells))
    if recommender.impersonal:  # it looks at no user, so that one without ratings is like the others
        assert np.isnan(scores[7]).tolist() == np.isnan(scores[0]).tolist()
    else:
        assert np.isnan(scores[7]).all()
    blind = recommender.impersonal and not recommender.uses_values  # 0 ratings are a count as good as any
    assert np.isfinite(scores[:, 3]).all() if blind else np.isnan(scores[:, 3]).all()
    assert np.isfinite(scores[0]).any()


def test_k_larger_than_the_users_takes_them_all(recommender, cells, ratings):
    most, more = _with(recommender, k=30), _with(recommender, k=5000)
    if most is not None:
        train = ratings(cells)
        np.testing.assert_array_equal(_scores(more, train), _scores(most, train))


def test_more_factors_than_items_are_refused_or_score(recommender, cells, ratings):
    wide = _with(recommender, factors=50, topics=50, iterations=3, epochs=3)
    if wide is not None:
        scores = _scores(wide, ratings(cells))
        assert scores is None or np.isfinite(scores[0]).any()


def test_all_ratings_equal(recommender, cells, ratings):
    scores = _scores(_small(recommender), ratings(np.where(cells > 0, 4.0, 0.0)))
    if recommender.key == "PearsonUserKNN":
        assert np.isnan(scores).all()  # no rating departs from its mean: nobody is like another
    else:
        assert np.isfinite(scores[0]).any()


@pytest.mark.parametrize("name", sorted(NEED_COUNTS))
def test_negative_ratings_are_refused_by_models_of_counts(name, cells, ratings):
    cells[0, np.flatnonzero(cells[0])[0]] = -1.0
    with pytest.raises(NotApplicableError, match=r"1 ratings are negative \(first: user 0, item \d+, -1\)"):
        catalogue.make("recommender", name).fit(ratings(cells), seed=1)


def test_negative_ratings_leave_numbers_or_nan(recommender, cells, ratings):
    """Who takes them and who does not is known by name above; a model that is new may do either."""
    small, train = _small(recommender), ratings(-cells)
    refused = _scores(small, train) is None
    assert not (refused and recommender.key in TAKE_NEGATIVE) and (refused or recommender.key not in NEED_COUNTS)
    if refused:
        with pytest.raises(NotApplicableError, match=f"{len(train)} ratings are negative"):
            small.fit(train, seed=1)


@pytest.mark.parametrize("scale", [1e38, 1e160, 1e300])
def test_ratings_beyond_the_numbers_are_refused_or_do_no_harm(recommender, scale, cells, ratings):
    with np.errstate(all="raise", under="ignore"):
        scores = _scores(_small(recommender), ratings(cells * scale))
    if scores is not None:  # who does not look at the value of a rating has the scores of ordinary ones
        assert np.isfinite(scores[0]).any()


@pytest.mark.parametrize("name", ["PLSA(values=rating)", "LDA(values=rating)", "SVD", "WRMF", "PureSVD"])
def test_an_iteration_that_leaves_the_numbers_is_an_error(name, cells, ratings):
    with pytest.raises(HeldoutError, match=r"iteration \d|pass \d|converge|reach"):
        _small(catalogue.make("recommender", name)).fit(ratings(cells * 1e307), seed=1)
