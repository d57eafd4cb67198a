"""BPRMF and SVD: steps by hand, divided passes, and published results."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import catalogue, threads
from heldout.errors import NotApplicableError
from heldout.kernels.descent import fit_ratings, rank_pairs
from heldout.recommenders import BPRMF, SVD
from heldout.recommenders.factors.latent import PARTS, descend


def _many(ratings):
    """Enough items that the passes are divided into cells."""
    draw = np.random.default_rng(3)
    return ratings(draw.integers(1, 6, (120, 300)) * (draw.random((120, 300)) < 0.1))


def test_a_step_of_bprmf_by_hand():
    # x = 1, y = 0: σ(0) = ½; y_i = 0.1 · ½, y_j = −0.1 · ½; x is drawn back by l2 alone: 1 − 0.1 · 0.2 · 1 = 0.98.
    users, items, bias = np.ones((1, 1), np.float32), np.zeros((2, 1), np.float32), np.zeros(2, np.float32)
    owner, item, rows = np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32)
    pool = np.array([0, 1], np.int32)
    rank_pairs(np.uint64(1), rows, owner, item, pool, users, items, bias, 0.1, 0.2, True)
    np.testing.assert_allclose([users[0, 0], *items[:, 0], *bias], [0.98, 0.05, -0.05, 0.05, -0.05], rtol=1e-6)


def test_a_step_of_svd_by_hand():
    # mean 3, r = 5, x = y = 1: error 5 − 4 = 1; b = 0.1 · 1; x = 1 + 0.1 (1 · 1 − 0.2 · 1) = 1.08, and y alike.
    users, items, own, other = np.ones((1, 1)), np.ones((1, 1)), np.zeros(1), np.zeros(1)
    one = np.zeros(1, np.int32)
    fit_ratings(np.uint64(1), one, one, one, np.array([5.0]), 3.0, users, items, own, other, 0.1, 0.2, 0.5)
    np.testing.assert_allclose([users[0, 0], items[0, 0], own[0], other[0]], [1.08, 1.08, 0.1, 0.1])


def test_passes_meet_every_rating_once_and_cells_of_a_round_share_nothing(ratings):
    train = _many(ratings)
    met, cells = [], []

    def step(number, key, rows, pool):
        met.append(rows.copy())
        cells.append((number, set(train.user[rows].tolist()), set(train.item[rows].tolist()), set(pool.tolist())))

    with threads.using(1):
        descend(train, 2, step, seed=1, purpose="test", check=lambda n: None)
    assert len(cells) == 2 * PARTS * PARTS
    np.testing.assert_array_equal(np.sort(np.concatenate(met[: PARTS**2])), np.arange(len(train)))
    for first in range(0, len(cells), PARTS):
        for a in range(first, first + PARTS):
            assert cells[a][2] <= cells[a][3]
            for b in range(a + 1, first + PARTS):
                assert not cells[a][1] & cells[b][1]
                assert not cells[a][3] & cells[b][3]
    # Items are dealt anew in every pass.
    assert {frozenset(c[3]) for c in cells[: PARTS**2]} != {frozenset(c[3]) for c in cells[PARTS**2 :]}


@pytest.mark.parametrize("name", ["BPRMF(factors=8, epochs=7)", "SVD(factors=8, epochs=7)"])
def test_same_bytes_on_one_and_four_threads_where_passes_are_divided(name, ratings):
    train = _many(ratings)
    found = []
    for n in (1, 4):
        with threads.using(n):
            found.append(catalogue.make("recommender", name).fit(train, seed=1).score(np.arange(64)).tobytes())
    assert found[0] == found[1]


def test_bprmf_learns_to_put_rated_items_first(ratings):
    # Two groups of users with tastes of their own; an unrated item of the own group must beat all of the other.
    cells = np.kron(np.eye(2), np.ones((20, 10)))
    cells[0, 3] = cells[25, 14] = 0
    scores = BPRMF(factors=4, epochs=50).fit(ratings(cells), seed=1).score(np.array([0, 25]))
    assert scores[0, 3] > scores[0, 10:].max()
    assert scores[1, 14] > scores[1, :10].max()


def test_a_user_who_rated_everything_makes_no_pairs(ratings):
    scores = BPRMF(epochs=3).fit(ratings(np.ones((3, 5))), seed=1).score(np.arange(3))
    assert np.isfinite(scores).all()


def test_svd_finds_biases(ratings):
    # r = 3 + b_u + b_i with b_u = ±1 and b_i = ±½; no factors are needed.
    cells = 3 + np.repeat([1, -1], 10)[:, None] + np.tile([0.5, -0.5], 10)[None, :]
    scores = SVD(factors=1, l2_bias=0, epochs=200).fit(ratings(cells), seed=1).score(np.arange(20))
    np.testing.assert_allclose(scores, cells, atol=0.02)


def test_all_ratings_equal_are_predicted(ratings):
    scores = SVD(epochs=300, rate=0.1).fit(ratings(np.full((4, 3), 4.0)), seed=1).score(np.arange(4))
    np.testing.assert_allclose(scores, 4.0, atol=0.05)


@pytest.mark.parametrize("name", ["BPRMF(rate=1e20, l2=100)", "SVD(rate=1e5)"])
def test_a_descent_that_diverges_is_an_error_and_not_nan(name, some_ratings):
    with pytest.raises(NotApplicableError, match=r"diverged in pass \d.*smaller rate"):
        catalogue.make("recommender", name).fit(some_ratings, seed=1)


def test_rating_prediction_on_the_published_folds_of_movielens_100k(real_data):
    bases = ", ".join(f'"{real_data(f"ml-100k/u{k}.base")}"' for k in range(1, 6))
    tests = bases.replace(".base", ".test")
    errors = []
    for split in catalogue.make("split", f"given(train=[{bases}], test=[{tests}])").split(None, seed=1):
        model = SVD().fit(split.train, seed=1)
        tiles = [np.arange(first, first + 64) % split.train.n_users for first in range(0, split.train.n_users, 64)]
        scores = np.concatenate([model.score(tile) for tile in tiles])
        found = scores[split.test.user, split.test.item].astype(np.float64)
        # Items without training ratings are not predicted; here they take the mean.
        found = np.where(np.isnan(found), split.train.value.mean(), found)
        errors.append(np.sqrt(np.mean((found - split.test.value) ** 2)))
    assert np.mean(errors) <= 0.92
