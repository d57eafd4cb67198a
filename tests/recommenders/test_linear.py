"""EASE and SLIM, and the matrices they invert."""

from __future__ import annotations

import numpy as np
import pytest
from tests.heavy import heavy
from tests.refusals import refused

from heldout import catalogue, threads
from heldout.errors import NotApplicableError
from heldout.recommenders import EASE, SLIM
from heldout.recommenders.linear import inverse
from heldout.recommenders.matrix import by_item, transposed


def test_by_hand(ratings):
    # Both items rated by users 0 and 1: XᵀX + 2I = [[4, 2], [2, 4]], P = [[4, −2], [−2, 4]]/12, B = [[0, ½], [½, 0]].
    scores = EASE(l2=2).fit(ratings([[5, 1], [3, 3], [0, 0]]), seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores, [[0.5, 0.5], [0.5, 0.5], [np.nan, np.nan]], rtol=1e-6)


@pytest.mark.parametrize("values", ["binary", "rating"])
def test_against_the_definition(values, some_ratings):
    x = some_ratings.to_csr(values).toarray()
    p = np.linalg.inv(x.T @ x + 10 * np.eye(x.shape[1]))
    b = -p / np.diag(p)
    np.fill_diagonal(b, 0)
    expected = x @ b
    expected[7] = np.nan
    expected[:, [3, 39]] = np.nan
    scores = EASE(l2=10, values=values).fit(some_ratings, seed=1).score(np.arange(90))
    np.testing.assert_allclose(scores, expected, rtol=1e-4, atol=1e-5)


def test_lambda_is_another_name_of_l2():
    assert catalogue.make("recommender", "EASE(λ=20)") == EASE(l2=20)


def _dense(matrix, n):
    out = np.zeros((n, n))
    for r in range(n):
        own = slice(matrix.indptr[r], matrix.indptr[r + 1])
        out[r, matrix.indices[own]] = matrix.values[own]
    return out


def test_slim_by_hand(ratings):
    # Both items rated by the same 2 users: AᵀA = [[2, 2], [2, 2]], so w = (2 − ½)/(2 + 1) = ½.
    scores = SLIM(l1=0.5, l2=1).fit(ratings([[5, 1], [3, 3], [0, 0]]), seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores, [[0.5, 0.5], [0.5, 0.5], [np.nan, np.nan]], rtol=1e-6)


def test_a_strong_l1_leaves_nothing_to_score_by(ratings):
    assert np.isnan(SLIM(l1=2.5, l2=1).fit(ratings([[5, 1], [3, 3]]), seed=1).score(np.arange(2))).all()


@pytest.mark.parametrize(("l1", "l2"), [(0.05, 0.1), (0.5, 5), (2, 1)])
@pytest.mark.parametrize("values", ["binary", "rating"])
def test_optimality_conditions(l1, l2, values, some_ratings):
    train = some_ratings
    a = train.to_csr(values).toarray()
    w = _dense(SLIM(l1=l1, l2=l2, values=values).weights(train), train.n_items)
    assert (w >= 0).all()
    assert (np.diag(w) == 0).all()
    assert 0.01 < (w > 0).mean() < 0.9
    slope = a.T @ (a - a @ w) - l2 * w - l1
    np.fill_diagonal(slope, -1.0)
    assert abs(slope[w > 0]).max() < 1e-4
    assert slope[w == 0].max() < 1e-4


@heavy
def test_optimality_conditions_on_movielens_100k(real_data):
    train = catalogue.make("reader", f'movielens("{real_data("ml-100k/u.data")}")').read().interactions()
    a = train.to_csr("binary")
    w = _dense(SLIM(l1=1, l2=50).weights(train), train.n_items)
    slope = np.asarray((a.T @ a).toarray()) - (a.T @ a) @ w - 50 * w - 1
    np.fill_diagonal(slope, -1.0)
    assert (w > 0).sum() > 20_000
    assert abs(slope[w > 0]).max() < 1e-4
    assert slope[w == 0].max() < 1e-4


def test_products_that_overflow_are_refused(ratings):
    with refused(NotApplicableError, where="SLIM", hint="use values=binary"):
        SLIM(values="rating").fit(ratings([[1e200, 1e200]]), seed=1)


def lower_of(matrix: np.ndarray) -> np.ndarray:
    return np.triu(matrix).T  # as EASE gives it: the lower half, by columns


@pytest.mark.parametrize("n", [1, 16, 17, 100])
def test_is_the_inverse_and_the_same_on_any_number_of_threads(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inverse, "TILE", 16)
    rows = np.random.default_rng(n).standard_normal((2 * n, n))
    matrix = rows.T @ rows + 3 * np.eye(n)
    found = []
    for count in (1, 2, 3):
        lower = lower_of(matrix)
        with threads.using(count):
            assert inverse.invert_lower(lower)
        found.append(np.tril(lower))
    np.testing.assert_allclose(found[0], np.tril(np.linalg.inv(matrix)), rtol=1e-9, atol=1e-12)
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes()


@pytest.mark.parametrize("value", [-1.0, 0.0, np.nan])
def test_says_where_there_is_no_inverse(value: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inverse, "TILE", 4)
    matrix = np.eye(10)
    matrix[7, 7] = value
    assert not inverse.invert_lower(lower_of(matrix))


CELLS = [[5, 3, 0], [0, 4, 0]]


def test_transposed(ratings):
    made = transposed(by_item(ratings(CELLS)), 2)
    assert [part.tolist() for part in made] == [[0, 2, 3], [0, 1, 1], [5, 3, 4]]
