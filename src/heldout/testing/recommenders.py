"""The contract of recommenders: what every recommender of the catalogue, ours or yours, must keep.

from heldout.testing import check_recommender
check_recommender(MyModel(factors=8))
check_recommender(as_recommender("mine", MyClass))
"""

from __future__ import annotations

import numpy as np

from heldout import threads
from heldout.errors import NotApplicableError
from heldout.recommenders.recommender import TILE, Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Floats
from heldout.testing.components import check_text_form, contract, renamed, some_ratings


@contract
def check_recommender(recommender: Recommender, train: Interactions | None = None) -> None:
    """Raise AssertionError, saying what is broken, unless the recommender keeps the contract on these training ratings.

    Models that `as_recommender` made have no text form, and none is asked of them.
    """
    train = some_ratings() if train is None else train
    if recommender.key:
        check_text_form(recommender)
    gives_floats(recommender, train)
    gives_a_new_array(recommender, train)
    is_fixed_by_the_seed(recommender, train)
    does_not_depend_on_threads(recommender, train)
    does_not_depend_on_the_tile(recommender, train)
    does_not_depend_on_ids(recommender, train)
    leaves_the_data_alone(recommender, train)
    tells_what_it_cannot_score(recommender, train)
    takes_no_ratings_at_all(recommender, train)


def gives_floats(recommender: Recommender, train: Interactions) -> None:
    """Scores are float32 or float64, users × items, some of them finite and none infinite; NaN where there is none."""
    scores = _tile(recommender.fit(train, seed=1), np.arange(TILE) % train.n_users)
    assert scores.dtype in (np.float32, np.float64), f"{recommender} scores in {scores.dtype}, not in float32 or float64"
    expected = (TILE, train.n_items)
    assert scores.shape == expected, f"{recommender} gives scores of shape {scores.shape} for {expected} users × items"
    assert not np.isinf(scores).any(), f"{recommender} gives infinite scores; NaN says that an item cannot be scored"
    assert np.isfinite(scores).any(), f"{recommender} scores nothing"


def gives_a_new_array(recommender: Recommender, train: Interactions) -> None:
    """Whoever changes the scores that were given changes nothing in the model."""
    model, users = recommender.fit(train, seed=1), np.arange(TILE) % train.n_users
    first = _tile(model, users)
    expected = first.copy()
    first[:] = -1
    assert _same(_tile(model, users), expected), f"{recommender} gives an array that it keeps using"


def is_fixed_by_the_seed(recommender: Recommender, train: Interactions) -> None:
    """Two fits with one seed give the same bytes."""
    first, second = (_scores(recommender.fit(train, seed=3), train) for _ in range(2))
    assert first.tobytes() == second.tobytes(), f"{recommender} differs between two fits with the same seed"


def does_not_depend_on_threads(recommender: Recommender, train: Interactions) -> None:
    """One thread and two give the same bytes."""
    scores = []
    for n in (1, 2):
        with threads.using(n):
            scores.append(_scores(recommender.fit(train, seed=1), train).tobytes())
    assert scores[0] == scores[1], f"{recommender} gives other scores on two threads than on one"


def does_not_depend_on_the_tile(recommender: Recommender, train: Interactions) -> None:
    """A user's scores are the same at any place of a tile, and whoever else is in it."""
    model, users = recommender.fit(train, seed=1), np.arange(TILE) % train.n_users
    shuffled = np.random.default_rng(2).permutation(train.n_users)[:TILE]
    shuffled = np.concatenate([shuffled, np.repeat(shuffled[-1:], TILE - len(shuffled))])
    straight, mixed, repeated = (_tile(model, those) for those in (users, shuffled, np.full(TILE, users[-1])))
    place = {int(user): k for k, user in enumerate(users)}
    alike = all(mixed[k].tobytes() == straight[place[int(u)]].tobytes() for k, u in enumerate(shuffled) if int(u) in place)
    assert alike, (
        f"{recommender}: a user's scores depend on the place among the users asked for; products by BLAS do on some "
        "processors, those of heldout.recommenders.factors.latent.InnerProducts do not"
    )
    assert all(row.tobytes() == straight[-1].tobytes() for row in repeated), (
        f"{recommender}: a user's scores depend on the other users asked for"
    )


def does_not_depend_on_ids(recommender: Recommender, train: Interactions) -> None:
    """Other ids in the same order change nothing."""
    own, other = (_scores(recommender.fit(data, seed=1), data) for data in (train, renamed(train)))
    assert own.tobytes() == other.tobytes(), f"{recommender} depends on what users and items are called"


def leaves_the_data_alone(recommender: Recommender, train: Interactions) -> None:
    """The training ratings are the same after fitting and scoring."""
    before = train.fresh_digest()
    _scores(recommender.fit(train, seed=1), train)
    assert train.fresh_digest() == before, f"{recommender} changed the training ratings"


def tells_what_it_cannot_score(recommender: Recommender, train: Interactions) -> None:
    """A user without training ratings has scores that tell items apart, or NaN: equal ones would pass for a ranking."""
    cold = np.flatnonzero(train.user_counts == 0)
    if len(cold):
        row = _tile(recommender.fit(train, seed=1), np.full(TILE, cold[0]))[0]
        apart = np.isnan(row).all() or len(np.unique(row[~np.isnan(row)])) > 1
        assert apart, f"{recommender} gives a user without training ratings the same score for all items, not NaN"


def takes_no_ratings_at_all(recommender: Recommender, train: Interactions) -> None:
    """Without training ratings there are scores of the right shape, or a NotApplicableError that says what to do."""
    try:
        scores = _tile(recommender.fit(train.select(np.zeros(len(train), dtype=np.bool_)), seed=1), np.zeros(TILE, np.int32))
    except NotApplicableError as error:
        assert error.expected or error.hint, f"{recommender} refuses an empty training set without saying what to do"
        return
    except Exception as error:
        raise AssertionError(
            f"{recommender} without training ratings: {type(error).__name__}: {error}; give scores (NaN where there are "
            "none), or raise a NotApplicableError with a hint"
        ) from error
    assert scores.shape == (TILE, train.n_items), f"{recommender} without training ratings: scores of shape {scores.shape}"
    assert not np.isinf(scores).any(), f"{recommender} without training ratings: infinite scores"


def _tile(model: Model, users: np.ndarray) -> Floats:
    with threads.single_blas():
        return model.score(users.astype(np.int32))


def _scores(model: Model, train: Interactions) -> Floats:
    """The scores of all users, tile by tile on as many threads as are in use."""
    tiles = [(np.arange(start, start + TILE) % train.n_users).astype(np.int32) for start in range(0, train.n_users, TILE)]
    return np.concatenate(list(threads.run_all(model.score, tiles)))[: train.n_users]


def _same(a: Floats, b: Floats) -> bool:
    return bool(np.array_equal(a, b, equal_nan=True))
