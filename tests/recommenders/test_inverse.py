"""The inverse in tiles, against LAPACK's, and its bytes on any number of threads."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import threads
from heldout.recommenders.linear import inverse


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
