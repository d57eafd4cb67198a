"""The studentised bootstrap: by hand, against resampling the slow way, and the habits of every sampled test."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from heldout import rng, threads
from heldout.errors import NotApplicableError
from heldout.significance.bootstrap import Bootstrap

PAIR = np.array([[1, 0]])


def columns_of(d: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return np.vstack([np.zeros(d.shape[1]), d]).T, np.array([(k + 1, 0) for k in range(len(d))])


def test_by_hand() -> None:
    # 1 and 3: t = 2. Less the mean −1, 1: of resamples (−1,−1), (1,1), (−1,1), (1,−1) the first two count.
    columns, pairs = columns_of(np.array([[1.0, 3.0]]))
    assert Bootstrap(20_000).p_values(columns, pairs, seed=1)[0] == pytest.approx(0.5, abs=0.015)


def test_against_resampling_one_by_one() -> None:
    d = np.random.default_rng(0).normal(0.2, 1, (3, 25))
    columns, pairs = columns_of(d)
    samples = 512
    found = Bootstrap(samples).p_values(columns, pairs, seed=5)
    for k, row in enumerate(d):
        centred, count = row - row.mean(), 0
        t = abs(row.mean()) / row.std(ddof=1)
        for start in (0, 256):
            drawn = rng.stream(5, "bootstrap test", start).integers(0, 25, (256, 25), np.int32)
            for users in drawn:
                sample = centred[users]
                count += abs(sample.mean()) / sample.std(ddof=1) >= t
        assert found[k] == (1 + count) / (1 + samples)


def test_close_to_t_for_many_users_within_monte_carlo_error() -> None:
    from heldout.significance.t import PairedT

    columns, pairs = columns_of(np.random.default_rng(1).normal(0.03, 1, (12, 2000)))
    t = PairedT().p_values(columns, pairs, seed=0)
    found = Bootstrap(4000).p_values(columns, pairs, seed=2)
    assert np.all(np.abs(found - t) < 4.5 * np.sqrt(t * (1 - t) / 4000) + 0.01)


def test_never_0_and_1_for_equal_columns() -> None:
    base = np.random.default_rng(6).random(50)
    p = Bootstrap(999).p_values(np.array([base, base + 1.0, base]).T, np.array([(0, 1), (0, 2)]), seed=0)
    assert p.tolist() == [1 / 1000, 1.0]


def test_same_on_any_number_of_threads_and_pairs_share_resamples() -> None:
    columns = np.random.default_rng(3).random((120, 4))
    pairs = np.array([(0, 1), (2, 3), (1, 3)])
    with threads.using(1):
        one = Bootstrap(2000).p_values(columns, pairs, seed=9)
    with threads.using(2):
        two = Bootstrap(2000).p_values(columns, pairs, seed=9)
    assert one.tolist() == two.tolist()
    assert Bootstrap(2000).p_values(columns, pairs[1:2], seed=9)[0] == one[1]
    assert one.tolist() != Bootstrap(2000).p_values(columns, pairs, seed=10).tolist()


def test_weights_are_refused() -> None:
    with pytest.raises(NotApplicableError, match="bootstrap knows no weights"):
        Bootstrap().p_values(np.ones((3, 2)), PAIR, seed=0, weights=np.ones(3))
