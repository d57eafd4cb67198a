"""Values of users → means, p-values and resampled means."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.biases.truth.draws import UserTable, user_samples


def test_resampled_means_by_hand() -> None:
    """Users 0, 1 and 2; user 1 does not count. A sample with user 0 twice and user 2 once: (2 × 0.6 + 0.3) / 3."""
    table = UserTable(np.array([[0.6, np.nan, 0.3], [0.0, np.nan, 1.0]]))
    means = table.resampled(np.array([[2.0, 0.0, 1.0], [0.0, 3.0, 0.0]]))
    assert means[0] == pytest.approx((0.5, 1 / 3))
    assert np.isnan(means[1]).all()
    assert table.resampled(np.empty((0, 3))) == ()


def test_weights_count() -> None:
    """Weights 1 and 3: (0.6 + 3 × 0.2) / 4."""
    table = UserTable(np.array([[0.6, 0.2]]), np.array([1.0, 3.0]))
    assert table.resampled(np.ones((1, 2)))[0] == pytest.approx((0.3,))
    assert table.batch("x").system_values()[0] == pytest.approx([0.3])


def test_a_system_that_failed_has_no_mean() -> None:
    table = UserTable(np.array([[0.6, 0.2], [np.nan, np.nan]]))
    [means] = table.resampled(np.ones((1, 2)))
    assert means[0] == pytest.approx(0.4) and np.isnan(means[1])


def test_samples_are_of_as_many_users_and_fixed_by_the_seed() -> None:
    samples = user_samples(3, 50, 4)
    assert samples.shape == (4, 50) and (samples.sum(axis=1) == 50).all()
    assert np.array_equal(samples, user_samples(3, 50, 4)) and not np.array_equal(samples, user_samples(4, 50, 4))
    assert user_samples(3, 50, 0).shape == (0, 50)
