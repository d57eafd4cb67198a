"""Factor models: by hand, against decompositions, and descents that diverge."""

from __future__ import annotations

import numpy as np
import pytest
from tests.refusals import refused

from heldout import catalogue, threads
from heldout.errors import NotApplicableError, SpecError
from heldout.kernels.descent import fit_ratings, rank_pairs
from heldout.recommenders import BPRMF, SVD, WRMF, PureSVD
from heldout.recommenders.factors.latent import PARTS, descend, start


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
    with refused(NotApplicableError, hint="use a smaller rate"):
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


def test_by_hand(ratings):
    # RᵀR = [[3, 2], [2, 2]]: eigenvalue (5 + √17)/2, vector ∝ (2, (√17 − 1)/2) = (2, 1.5616), norm 2.5374.
    first = np.array([2, (np.sqrt(17) - 1) / 2]) / np.hypot(2, (np.sqrt(17) - 1) / 2)
    scores = PureSVD(factors=1).fit(ratings([[1, 1], [1, 1], [1, 0]]), seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores[2], first[0] * first, rtol=1e-6)
    np.testing.assert_allclose(scores[2], [0.6213, 0.4851], atol=1e-4)


@pytest.mark.parametrize("values", ["rating", "binary"])
def test_against_a_full_decomposition(values, some_ratings):
    r = some_ratings.to_csr(values).toarray()
    u, s, q = np.linalg.svd(r)
    scores = PureSVD(factors=6, values=values).fit(some_ratings, seed=1).score(np.arange(64))
    expected = ((u[:, :6] * s[:6]) @ q[:6])[:64]
    known = np.ones(40, bool)
    known[[3, 39]] = False
    np.testing.assert_allclose(np.delete(scores[:, known], 7, 0), np.delete(expected[:, known], 7, 0), atol=1e-5)
    assert np.isnan(scores[7]).all()
    assert np.isnan(scores[:, ~known]).all()


def test_against_the_truncated_decomposition_of_scipy(real_data, some_ratings):
    from scipy.sparse.linalg import svds

    u, s, q = svds(some_ratings.to_csr(), k=10)
    scores = PureSVD(factors=10).fit(some_ratings, seed=1).score(np.arange(7))
    np.testing.assert_allclose(scores[:, 4:39], ((u * s) @ q)[:7, 4:39], atol=1e-5)


def test_the_seed_does_not_show(some_ratings):
    first, second = (PureSVD(factors=5).fit(some_ratings, seed=s).score(np.arange(6)) for s in (1, 2))
    np.testing.assert_allclose(first, second, atol=1e-5)


def test_equal_ratings_have_one_direction(ratings):
    scores = PureSVD(factors=2).fit(ratings(np.full((5, 4), 3.0)), seed=1).score(np.arange(5))
    np.testing.assert_allclose(scores, 3.0, rtol=1e-5)


def test_as_many_factors_as_items_are_refused(ratings):
    with refused(NotApplicableError, where="PureSVD", found=3, expected="fewer than 3 factors for 4 users × 3 rated items"):
        PureSVD(factors=3).fit(ratings([[1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]]), seed=1)


def _objective(train, users, items, alpha, l2):
    confidence = 1 + alpha * train.to_csr().toarray()
    target = train.to_csr("binary").toarray()
    return (confidence * (target - users @ items.T) ** 2).sum() + l2 * ((users**2).sum() + (items**2).sum())


def test_wrmf_by_hand(ratings):
    # c = 2, p = 1: x = 2·1/(2·1² + 1) = 2/3; y = 2·(2/3)/(2·4/9 + 1) = 12/17
    users, items = WRMF(factors=1, alpha=1, l2=1, iterations=1).alternate(ratings([[1]]), np.ones((1, 1)))
    np.testing.assert_allclose([users[0, 0], items[0, 0]], [2 / 3, 12 / 17])


def test_by_hand_with_the_rating_as_target(ratings):
    # r = 2: c = 3, p = 2: x = 3·2/(3 + 1) = 3/2
    users, _ = WRMF(factors=1, alpha=1, l2=1, iterations=1, target="rating").alternate(ratings([[2]]), np.ones((1, 1)))
    np.testing.assert_allclose(users[0, 0], 3 / 2)


@pytest.mark.parametrize("factors", [1, 4, 7, 50])
def test_a_half_step_solves_the_normal_equations(factors, some_ratings):
    items = start(1, "test", some_ratings.item_counts > 0, factors)
    users, _ = WRMF(factors=factors, alpha=2, l2=3, iterations=1).alternate(some_ratings, items)
    cells = some_ratings.to_csr().toarray()
    for u in range(some_ratings.n_users):
        confidence = 1 + 2 * cells[u]
        left = items.T @ (confidence[:, None] * items) + 3 * np.eye(factors)
        np.testing.assert_allclose(users[u], np.linalg.solve(left, items.T @ (confidence * (cells[u] > 0))), atol=1e-12)


def test_long_rows_are_added_in_chunks(ratings):
    # 1,300 raters of each item: more than one chunk of the kernel.
    cells = np.random.default_rng(1).integers(1, 6, (1300, 3))
    train = ratings(cells)
    wrmf = WRMF(factors=2, alpha=1, l2=1, iterations=1)
    users, items = wrmf.alternate(train, start(1, "test", train.item_counts > 0, 2))
    for i in range(3):
        confidence = 1.0 + cells[:, i]
        left = users.T @ (confidence[:, None] * users) + np.eye(2)
        np.testing.assert_allclose(items[i], np.linalg.solve(left, users.T @ confidence), rtol=1e-9)


@pytest.mark.filterwarnings("ignore:OpenBLAS is configured")
def test_the_objective_of_implicit(some_ratings):
    als = pytest.importorskip("implicit.als")
    first = start(1, "test", some_ratings.item_counts > 0, 8)
    users, items = WRMF(factors=8, alpha=0.5, l2=2, iterations=7).alternate(some_ratings, first)
    theirs = als.AlternatingLeastSquares(factors=8, regularization=2.0, alpha=1.0, iterations=7, use_cg=False, num_threads=1)
    theirs.item_factors = first.astype(np.float32)
    theirs.user_factors = np.zeros((some_ratings.n_users, 8), np.float32)
    confidence = some_ratings.to_csr()
    confidence.data = 1 + 0.5 * confidence.data
    with threads.single_blas():
        theirs.fit(confidence, show_progress=False)
    ours = _objective(some_ratings, users, items, 0.5, 2)
    assert ours == pytest.approx(_objective(some_ratings, theirs.user_factors, theirs.item_factors, 0.5, 2), rel=1e-4)
    # The start itself is far from it, so the agreement says something.
    assert ours < 0.95 * _objective(some_ratings, np.zeros_like(users), first, 0.5, 2)


def test_users_and_items_without_ratings_cannot_be_scored(some_ratings):
    scores = WRMF(factors=60, iterations=2).fit(some_ratings, seed=1).score(np.arange(64))
    unscored = np.isnan(scores)
    assert unscored[7].all()
    assert unscored[:, [3, 39]].all()
    assert unscored.sum() == 40 + 2 * 63


def test_no_solution_is_an_error_and_not_nan(ratings):
    with refused(NotApplicableError, where="WRMF", hint="use a larger l2"):
        WRMF(alpha=1e300).fit(ratings([[1e300, 1e300], [1e300, 0]]), seed=1)


def test_names_from_the_literature():
    assert catalogue.make("recommender", "iALS(f=3, λ=2, α=4)") == WRMF(factors=3, l2=2, alpha=4)
    with refused(SpecError, where="WRMF: 'l2'", found=0, expected="a number above 0"):
        WRMF(l2=0)
