"""Extreme data: what recommenders refuse, and published figures that they reach."""

from __future__ import annotations

import numpy as np
import pytest
from tests.heavy import heavy
from tests.refusals import refused

from heldout import catalogue, threads
from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.recommenders.guards import LARGEST, refuse_beyond, refuse_huge, refuse_negative
from heldout.recommenders.recommender import TILE
from heldout.tables import Interactions, Vocabulary

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
        assert error.expected or error.hint
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
    with refused(NotApplicableError, found=-1.0, expected="ratings of at least 0"):
        catalogue.make("recommender", name).fit(ratings(cells), seed=1)


def test_negative_ratings_leave_numbers_or_nan(recommender, cells, ratings):
    """Who takes them and who does not is known by name above; a model that is new may do either."""
    small, train = _small(recommender), ratings(-cells)
    is_refused = _scores(small, train) is None
    assert not (is_refused and recommender.key in TAKE_NEGATIVE) and (is_refused or recommender.key not in NEED_COUNTS)
    if is_refused:
        with refused(NotApplicableError, expected="ratings of at least 0"):
            small.fit(train, seed=1)


@pytest.mark.parametrize("scale", [1e38, 1e160, 1e300])
def test_ratings_beyond_the_numbers_are_refused_or_do_no_harm(recommender, scale, cells, ratings):
    with np.errstate(all="raise", under="ignore"):
        scores = _scores(_small(recommender), ratings(cells * scale))
    if scores is not None:  # who does not look at the value of a rating has the scores of ordinary ones
        assert np.isfinite(scores[0]).any()


@pytest.mark.parametrize("name", ["PLSA(values=rating)", "LDA(values=rating)", "SVD", "WRMF", "PureSVD"])
def test_an_iteration_that_leaves_the_numbers_is_an_error(name, cells, ratings):
    with refused(NotApplicableError, hint="scale" if not name.startswith("SVD") else "use a smaller rate"):
        _small(catalogue.make("recommender", name)).fit(ratings(cells * 1e307), seed=1)


MODEL = make("recommender", "EASE")


def test_negative_ratings_are_counted_and_the_first_is_named(ratings) -> None:
    refuse_negative(ratings([[1, 0], [0, 5]]), MODEL, "it needs")
    with refused(NotApplicableError, where="EASE", found=-2.0, expected="ratings of at least 0, as it needs"):
        refuse_negative(ratings([[1, -2], [-0.5, 5]]), MODEL, "it needs")


@pytest.mark.parametrize("largest", [LARGEST * 1.01, np.inf, np.nan])
def test_what_float32_cannot_hold_is_refused(largest: float) -> None:
    refuse_beyond(LARGEST, "scores")
    with refused(NotApplicableError, expected="at most 1e+37", hint="give ratings on a smaller scale"):
        refuse_beyond(largest, "scores")


def test_more_memory_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heldout.threads.memory", lambda: 2 * 2**30)
    refuse_huge(2 * 2**30, MODEL, "weights")
    with refused(NotApplicableError, where="EASE", found="2 GiB", expected="at least 3 GiB"):
        refuse_huge(3 * 2**30, MODEL, "weights")
    monkeypatch.setattr("heldout.threads.memory", lambda: 0)  # where the machine does not say
    refuse_huge(10**18, MODEL, "weights")


def _all_scores(model, train):
    tiles = [np.arange(start, start + TILE) % train.n_users for start in range(0, train.n_users, TILE)]
    return np.concatenate(list(threads.run_all(model.score, tiles)))[: train.n_users]


def test_scores_are_float32(recommender, some_ratings):
    model = recommender.fit(some_ratings, seed=1)
    with threads.single_blas():
        scores = model.score(np.arange(TILE))
    assert scores.dtype == np.float32


@pytest.mark.parametrize("name", ["Random", "WRMF", "BPRMF", "SVD", "PLSA", "LDA"])
def test_another_seed_gives_another_result(name, some_ratings):
    recommender = catalogue.make("recommender", name)
    first, second = (_all_scores(recommender.fit(some_ratings, seed=s), some_ratings) for s in (1, 2))
    assert not np.array_equal(first, second, equal_nan=True)


def test_no_training_ratings_at_all(recommender, ratings):
    scores = recommender.fit(ratings(np.zeros((3, 2))), seed=1).score(np.zeros(TILE, dtype=np.int64))
    assert scores.shape == (TILE, 2)
    if not recommender.impersonal:
        assert np.isnan(scores).all()


def test_a_single_user_and_item(recommender, ratings):
    try:
        model = recommender.fit(ratings([[4.0]]), seed=1)
    except NotApplicableError as error:  # more factors or topics than items: said, and what to do
        assert error.expected or error.hint
        return
    scores = model.score(np.zeros(TILE, dtype=np.int32))
    assert scores.shape == (TILE, 1)
    assert not np.isinf(scores).any()


@pytest.fixture(scope="module")
def halves(real_data):
    text = real_data("ml-1m/ratings.dat").read_text().replace("::", " ")
    rows = np.array(text.split(), dtype=np.int64).reshape(-1, 4)
    (users, user), (items, item) = (np.unique(rows[:, column], return_inverse=True) for column in (0, 1))
    ratings = Interactions.build(Vocabulary(users), Vocabulary(items), user, item, rows[:, 2].astype(np.float64))
    train = np.random.default_rng(0).random(len(ratings)) < 0.5
    return ratings.select(train), ratings.select(~train)


def _precision(model, train, test):
    """Mean P@10 of all users, the plain way: sort every item that is not in training."""
    tiles = [np.arange(start, start + TILE) % train.n_users for start in range(0, train.n_users, TILE)]
    scores = np.concatenate(list(threads.run_all(model.score, tiles)))[: train.n_users]
    scores[train.user, train.item] = np.nan
    relevant = np.zeros(scores.shape, dtype=bool)
    good = test.value >= 4
    relevant[test.user[good], test.item[good]] = True
    hits = 0
    for u in range(train.n_users):
        top = np.argsort(-scores[u], kind="stable")[:10]
        hits += relevant[u, top[~np.isnan(scores[u, top])]].sum()
    return hits / (10 * train.n_users)


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("UserKNN(k=100)", 0.410, 0.422),
        pytest.param("WRMF(target=rating, alpha=1, l2=10)", 0.412, 0.427, marks=heavy),
        pytest.param("EASE", 0.410, 0.427, marks=heavy),
        ("Random", 0.010, 0.016),
    ],
)
def test_precision(name, low, high, halves):
    model = catalogue.make("recommender", name).fit(halves[0], seed=1)
    assert low < _precision(model, *halves) < high
