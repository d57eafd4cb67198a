"""WRMF by hand, against its definition and against `implicit`."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import catalogue, threads
from heldout.errors import NotApplicableError, SpecError
from heldout.recommenders import WRMF
from heldout.recommenders.factors.latent import start


def _objective(train, users, items, alpha, l2):
    confidence = 1 + alpha * train.to_csr().toarray()
    target = train.to_csr("binary").toarray()
    return (confidence * (target - users @ items.T) ** 2).sum() + l2 * ((users**2).sum() + (items**2).sum())


def test_by_hand(ratings):
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


def test_negative_ratings_are_refused(ratings):
    with pytest.raises(NotApplicableError, match=r"1 ratings are negative \(first: user 0, item 1, -3\)"):
        WRMF().fit(ratings([[1, -3]]), seed=1)


def test_no_solution_is_an_error_and_not_nan(ratings):
    with pytest.raises(NotApplicableError, match="iteration 1"):
        WRMF(alpha=1e300).fit(ratings([[1e300, 1e300], [1e300, 0]]), seed=1)


def test_names_from_the_literature():
    assert catalogue.make("recommender", "iALS(f=3, λ=2, α=4)") == WRMF(factors=3, l2=2, alpha=4)
    with pytest.raises(SpecError, match="above 0"):
        WRMF(l2=0)
